/* decoder.h - the state of the decoder, which makes operations of a kernel's instructions: decode.c control flow, alu.c
   arithmetic and moves, message.c messages. */
#ifndef OG_VISA_EXEC_DECODE_H
#define OG_VISA_EXEC_DECODE_H

#include "visa/exec/exec.h"
#include "visa/run.h"
#include "visa/visa.h"

/* A function's place in the files. */
struct og_vd_body {
  const struct og_visa_unit *unit;
  const struct og_visa_kernel *kernel;
};

/* What a kernel and the functions that it may call have in common while they are decoded. */
struct og_vd_linker {
  int platform;
  struct og_map bodies;               /* struct og_vd_body of each function there is, by its name */
  struct og_map indices;              /* by name of a function that was asked for: its index + 1 */
  struct og_vx_functions *functions;  /* those that were asked for; each is decoded behind the one that asked for it */
  OG_VECTOR(const struct og_vd_body *) wanted; /* their places */
};

/* The first and last instruction that names a variable or an alias of it. */
struct og_vd_use {
  uint32_t first, last;
};

struct og_vd {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  const struct og_visa *visa;
  const struct og_visa_kernel *kernel;
  const char *file;
  const struct og_alu *alu;
  struct og_vx_program *program;
  uint32_t *places; /* of general variables, by index */
  uint32_t *sizes;  /* bytes from there to the end of the variable that it is an alias of */
  struct og_vd_use *uses; /* of variables that are no alias */
  uint32_t *addresses;
  uint32_t *label_ops;
  bool *joins; /* labels where channels may wait */
  OG_VECTOR(struct og_vx_op) ops;
  OG_VECTOR(struct { uint32_t op; uint32_t label; uint32_t *slot; }) fixups;
  struct og_buffer constants;
  const struct og_visa_inst *inst;
  struct og_zebin *zebin;
  struct og_vd_linker *linker;
};

bool og_vd_fail(struct og_vd *d, const char *format, ...) OG_PRINTF(2, 3); /* about the instruction; yields false */

uint8_t og_vd_storage_type(uint8_t type); /* enum og_alu_type of an enum og_visa_type */
uint8_t og_vd_widen(uint8_t type);        /* the type that operations on `type` alone are done in */
static inline bool og_vd_is_float(uint8_t type) { return type >= OG_ALU_F16; }
static inline bool og_vd_is_signed(uint8_t type) { return !og_vd_is_float(type) && (type & 1); }
/* The type in which an operation on these operands is done; `exact`: operands of mixed signs keep their values. */
uint8_t og_vd_execution_type(const struct og_visa_operand *operands, uint32_t count, uint8_t destination, bool exact,
                             bool saturate);

/* A general variable's offset, and how many bytes from there on belong to it, or to the variable that it is an alias
   of. */
bool og_vd_place(struct og_vd *d, uint32_t variable, uint32_t *offset, uint32_t *room);
/* Finds messages that an operation before them can run together with itself and what is between (chain.c). */
void og_vd_find_chains(struct og_vd *d);
const char *og_vd_variable_name(const struct og_vd *d, uint32_t variable);

struct og_vx_op *og_vd_new_op(struct og_vd *d, og_vx_handler *run);
struct og_vx_source *og_vd_new_sources(struct og_vd *d, struct og_vx_op *op, uint32_t count);
/* A source that is used in type `wide` (OG_ALU_TYPES: its own); a destination of results in type `from`. */
bool og_vd_source(struct og_vd *d, const struct og_visa_operand *operand, uint8_t wide, uint32_t count,
                  struct og_vx_source *source);
bool og_vd_destination(struct og_vd *d, const struct og_visa_operand *operand, uint8_t from, bool saturate,
                       uint32_t count, struct og_vx_destination *to);

/* Whether a source is contiguous and used without a change. */
bool og_vd_in_place(const struct og_vx_source *source);
/* The number of an address operand's first element among the thread's; of the predicate that an operand names. */
bool og_vd_address(struct og_vd *d, const struct og_visa_operand *operand, uint32_t count, uint32_t *index);
bool og_vd_predicate(struct og_vd *d, const struct og_visa_operand *operand, uint32_t *index);

/* The number of a surface or sampler variable among the thread's. */
uint32_t og_vd_state(const struct og_vd *d, const struct og_visa_operand *operand);

/* Decodes any instruction that computes, moves, or sends a message. */
bool og_vd_arithmetic(struct og_vd *d);
/* Decodes an instruction that sends a message; one that is not supported is refused by name. */
bool og_vd_message(struct og_vd *d);
bool og_vd_image(struct og_vd *d);
bool og_vd_raw_send(struct og_vd *d);

/* Pieces of messages (message.c): an empty one; the register offset of a raw operand of `bytes` (OG_VX_NO_DATA: the
   null variable; an error if one is needed); the surface that an operand names, and an LSC message's; an atomic's
   operation and operands; components one behind the other, each from a new register on if `aligned`, and the bytes that
   they take; a faster handler if there is one. */
struct og_vx_message *og_vd_new_message(struct og_vd *d, struct og_vx_op *op);
bool og_vd_raw(struct og_vd *d, const struct og_visa_operand *operand, uint32_t bytes, uint32_t *offset);
bool og_vd_needed(struct og_vd *d, const struct og_visa_operand *operand, uint32_t bytes, uint32_t *offset);
void og_vd_surface(struct og_vd *d, const struct og_visa_operand *operand, struct og_vx_message *message);
bool og_vd_lsc_space(struct og_vd *d, struct og_vx_op *op, struct og_vx_message *message);
bool og_vd_atomic(struct og_vd *d, struct og_vx_op *op, uint8_t atomic, uint32_t size, uint32_t source0,
                  uint32_t source1, uint32_t destination);
bool og_vd_atomic_data(struct og_vd *d, struct og_vx_op *op, uint32_t source0, uint32_t source1, uint32_t destination);
bool og_vd_components(struct og_vd *d, const struct og_vx_op *op, struct og_vx_message *message, uint32_t mask,
                      bool aligned);
uint32_t og_vd_data_bytes(const struct og_vx_op *op, const struct og_vx_message *message);
void og_vd_pick_gather(struct og_vx_op *op, struct og_vx_message *message);
extern const uint8_t og_vd_lsc_atomics[OG_VISA_LSC_ATOMIC_XOR + 1]; /* enum og_vx_atomic of an LSC operation */

#endif
