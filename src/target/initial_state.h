/* initial_state.h - how a wave starts, as its kernel's descriptor says: registers and memory that it gets, which
 * register holds which input, modes. The one answer for assembler, linker, linter, executor, runtime and compiler. */
#ifndef OG_INITIAL_STATE_H
#define OG_INITIAL_STATE_H

#include "target/descriptor.h"

/* What registers hold at the start: X(input, in words). inputs.def says where. */
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
  uint8_t file;       /* enum og_register_file; NONE: the kernel does not get it */
  uint8_t reg, count; /* consecutive registers */
  uint8_t bit, bits;  /* of the one register, where it holds several inputs; else 0 and 32 */
};

struct og_initial_state {
  uint8_t wave_size; /* 32 or 64, whether or not the processor has such waves */
  /* Registers that a wave may touch: multiples of the descriptor's granule. */
  uint16_t vgprs;        /* v0 on */
  uint16_t agprs;        /* a0 on */
  uint16_t vgprs_total;  /* of the file; both kinds where they share it */
  uint16_t shared_vgprs; /* after `vgprs`: those that the two halves of a wave64 share */
  uint16_t sgprs;        /* s0 on, VCC and other extras included up to gfx9 */
  /* Memory, in bytes: what the code object asks for; a dispatch may ask for more. */
  uint32_t group_size, private_size, kernarg_size;
  bool dynamic_stack; /* private_size is the least */
  /* Inputs. */
  uint8_t user_sgprs;        /* the system SGPRs stand after so many */
  uint8_t user_sgprs_wanted; /* that the inputs of the packet processor take: should be no more than that */
  uint16_t preload_offset;   /* bytes of kernel arguments before the first that is preloaded */
  uint16_t entry_skip;       /* bytes of code before the first instruction: for packet processors that do not preload */
  struct og_input_place inputs[OG_INPUT_COUNT];
  /* Modes. */
  uint32_t mode;                          /* the MODE register, as s_getreg_b32 reads it */
  uint8_t exceptions;                     /* enabled ones: bit 0 invalid operation to bit 6 integer division by 0 */
  bool wgp_mode, tg_split, dynamic_vgprs; /* in WGP mode; waves of a group on several CUs; s_alloc_vgpr is allowed */
  uint8_t named_barriers;                 /* of a work-group */
};

/* `from_kernel_code`: og_kernel_code_to_descriptor() made the 64 bytes of an amd_kernel_code_t. */
void og_initial_state_read(const struct og_target *target, const uint8_t *descriptor, bool from_kernel_code,
                           struct og_initial_state *state);

/* User SGPRs that a field asks for, each time it is counted up by one; 0: none. */
unsigned og_user_sgprs_of(enum og_kd_field field);

/* Granules, in registers: of what a descriptor counts, and of what the hardware allocates. */
uint32_t og_vgprs_counted_by(const struct og_target *target, unsigned wave_size);
uint32_t og_vgpr_granule(const struct og_target *target, unsigned wave_size);
uint32_t og_vgprs_total(const struct og_target *target, unsigned wave_size); /* of a SIMD, per lane */
/* SGPRs after those that the code names: VCC, flat scratch, XNACK mask. */
uint32_t og_extra_sgprs(const struct og_target *target, bool vcc, bool flat_scratch, bool xnack);
/* The LDS of a work-group that asks for so many bytes. */
uint32_t og_allocated_lds(const struct og_target *target, uint32_t bytes);
/* The scratch of a wave whose work-items ask for so many bytes, and the most that a wave can have. */
uint64_t og_allocated_scratch(const struct og_target *target, unsigned wave_size, uint32_t bytes);
uint64_t og_scratch_max(const struct og_target *target);

#endif
