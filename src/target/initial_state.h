/* initial_state.h - how a wave starts, as its kernel's descriptor says: the registers and memory it gets, which
 * register holds which input, and modes. Assembler, linker, linter, executor, runtime and compiler all take it from
 * here. */
#ifndef OG_INITIAL_STATE_H
#define OG_INITIAL_STATE_H

#include "target/descriptor.h"

/* What registers hold at the start: X(input, size in words). inputs.def says in which registers. */
#define OG_INPUTS(X)                                                                                             \
  X(PRIVATE_SEGMENT_BUFFER, "private segment buffer") X(DISPATCH_PTR, "dispatch pointer")                        \
  X(QUEUE_PTR, "queue pointer") X(KERNARG_SEGMENT_PTR, "kernarg segment pointer") X(DISPATCH_ID, "dispatch id")  \
  X(FLAT_SCRATCH_INIT, "flat scratch init") X(PRIVATE_SEGMENT_SIZE, "private segment size")                      \
  X(GRID_WORKGROUP_COUNT_X, "work-groups in x") X(GRID_WORKGROUP_COUNT_Y, "work-groups in y")                    \
  X(GRID_WORKGROUP_COUNT_Z, "work-groups in z") X(KERNARG_PRELOAD, "preloaded kernarg")                          \
  X(WORKGROUP_ID_X, "work-group id x") X(WORKGROUP_ID_Y, "work-group id y") X(WORKGROUP_ID_Z, "work-group id z") \
  X(WORKGROUP_INFO, "work-group info") X(SCRATCH_WAVE_OFFSET, "scratch wave offset")                             \
  X(WAVE_ID, "wave id in the work-group") X(CLUSTER, "place in the cluster")                                     \
  X(WORKITEM_ID_X, "work-item id x") X(WORKITEM_ID_Y, "work-item id y") X(WORKITEM_ID_Z, "work-item id z")

#define OG_INPUT_ENUM(id, words) OG_INPUT_##id,
enum og_wave_input { OG_INPUTS(OG_INPUT_ENUM) OG_INPUT_COUNT };
extern const char *const og_input_names[OG_INPUT_COUNT];

enum og_register_file { OG_FILE_NONE, OG_FILE_SGPR, OG_FILE_TTMP, OG_FILE_VGPR };

struct og_input_place {
  uint8_t file;       /* enum og_register_file; NONE: the kernel does not get the input */
  uint8_t reg, count; /* consecutive registers */
  uint8_t bit, bits;  /* within the register, if it holds several inputs; else 0 and 32 */
};

struct og_initial_state {
  uint8_t wave_size; /* 32 or 64, even if the processor has no such waves */
  /* Registers that a wave may touch: multiples of the descriptor's granule. */
  uint16_t vgprs;        /* from v0 on */
  uint16_t agprs;        /* from a0 on */
  uint16_t vgprs_total;  /* in the register file; of both kinds if they share it */
  uint16_t shared_vgprs; /* behind `vgprs`: those that the two halves of a wave64 share */
  uint16_t sgprs;        /* from s0 on, up to gfx9 with VCC and other extras */
  /* Memory, in bytes: what the code object asks for; a dispatch may ask for more. */
  uint32_t group_size, private_size, kernarg_size;
  bool dynamic_stack; /* private_size is only the least */
  /* Inputs. */
  uint8_t user_sgprs;        /* the system SGPRs follow after so many */
  uint8_t user_sgprs_wanted; /* how many the packet processor's inputs take; should not be more than user_sgprs */
  uint16_t preload_offset;   /* bytes of kernel arguments before the first that is preloaded */
  uint16_t entry_skip;       /* bytes of code in front that load arguments: packet processors that preload skip them */
  struct og_input_place inputs[OG_INPUT_COUNT];
  /* Modes. */
  uint32_t mode;                          /* the MODE register, as s_getreg_b32 reads it */
  uint8_t exceptions;                     /* those enabled: bit 0 invalid operation to bit 6 integer division by 0 */
  bool wgp_mode, tg_split, dynamic_vgprs; /* in WGP mode; waves of a group on several CUs; s_alloc_vgpr is allowed */
  uint8_t named_barriers;                 /* how many a work-group has */
};

/* `from_kernel_code`: the 64 bytes come from og_kernel_code_to_descriptor(), made of an amd_kernel_code_t. */
void og_initial_state_read(const struct og_target *target, const uint8_t *descriptor, bool from_kernel_code,
                           struct og_initial_state *state);

/* How many user SGPRs a field asks for each time its value rises by one; 0: none. */
unsigned og_user_sgprs_of(enum og_kd_field field);

/* Granules in registers: those in which a descriptor counts, and those in which the hardware allocates. */
uint32_t og_vgprs_counted_by(const struct og_target *target, unsigned wave_size);
uint32_t og_vgpr_granule(const struct og_target *target, unsigned wave_size);
uint32_t og_vgprs_total(const struct og_target *target, unsigned wave_size); /* in a SIMD, per lane */
/* How many SGPRs follow those that the code names: VCC, flat scratch, XNACK mask. */
uint32_t og_extra_sgprs(const struct og_target *target, bool vcc, bool flat_scratch, bool xnack);
/* The LDS that a work-group gets which asks for so many bytes. */
uint32_t og_allocated_lds(const struct og_target *target, uint32_t bytes);
/* The scratch that a wave gets whose work-items ask for so many bytes each, and the most that a wave can have. */
uint64_t og_allocated_scratch(const struct og_target *target, unsigned wave_size, uint32_t bytes);
uint64_t og_scratch_max(const struct og_target *target);

#endif
