/* buffer.h - memory that a resource describes: the operands that buffer instructions have beside their data. Files with
 * rows of their own for such addresses (loads to LDS) use cc_buffer_address() and cc_buffer_emit(). */
#ifndef OG_CC_BUFFER_H
#define OG_CC_BUFFER_H

#include "cc/select.h"

/* A buffer's address as instructions take it. */
struct cc_buffer {
  operand at[3];     /* up to two: a vector register of index or offset, or of both; the resource; the scalar offset */
  unsigned operands;
  bool indexed;      /* there is an index */
  int32_t offset;    /* the constant in the instruction */
};

/* The values from which an intrinsic's address is made. */
struct cc_buffer_values {
  og_ir_ref resource, index, offset, scalar; /* index: OG_IR_NONE if there is none */
  uint32_t more;                             /* a constant that is added to the offset */
  bool whole; /* the instruction's offset is `more`, since it means something else, too: of transfers to LDS, its place
                 there */
};

bool cc_buffer_address(struct cc_function *c, const struct cc_buffer_values *v, struct cc_buffer *to);
/* An instruction with the address behind `data` (CC_NONE: none). With `defs` 1 the data are its result; `reads_result`:
 * it also reads what stands there before. */
struct cc_inst *cc_buffer_emit(struct cc_function *c, unsigned row, unsigned defs, operand data, bool reads_result,
                               const struct cc_buffer *b);
/* The last argument of buffers' and images' intrinsics, as the instruction has it. */
uint8_t cc_auxiliary_policy(struct cc_function *c, uint32_t auxiliary, unsigned access); /* enum cc_access */
/* The value of an argument that must be a constant; refused if it is not. */
uint32_t cc_constant_argument(struct cc_function *c, const struct og_ir_inst *i, uint32_t argument);

/* The arguments of a buffer's or image's intrinsic that must be the same in all lanes, up to 4 (waterfall.c):
 * resources, samplers, scalar offsets. Returns their number. */
unsigned cc_buffer_scalar_arguments(struct og_text name, uint32_t arguments[4]);
unsigned cc_image_scalar_arguments(const struct og_ir_module *m, const struct og_ir_function *f,
                                   const struct og_ir_inst *i, struct og_text name, uint32_t arguments[4]);
/* Whether a call's result is the same in all lanes, and scalar, if its arguments are. */
bool cc_follows_arguments(const struct cc_function *c, const struct og_ir_inst *call);
/* The parts of a value that is the same in all lanes, in scalar registers side by side. */
bool cc_scalars(struct cc_function *c, og_ir_ref ref, unsigned count, operand *to);

/* Components of 16 or 32 bits as buffers and images load and store them: those of 16 bits two to a register, unless the
 * processor has a register for each. The first function makes a value's parts of them, the second returns how many
 * registers there are. */
void cc_components_from(struct cc_function *c, const operand *dwords, uint32_t count, unsigned bits, operand *parts);
unsigned cc_components_to(struct cc_function *c, og_ir_ref value, uint32_t count, unsigned bits, operand *dwords);
unsigned cc_component_dwords(const struct cc_function *c, uint32_t count, unsigned bits);
/* Registers that begin as zeros: for a load whose last one tells whether the data were there, since it may write only
 * some of them. */
operand cc_zeroed(struct cc_function *c, unsigned dwords);

bool cc_select_buffer(struct cc_function *c, uint32_t record, struct og_text name);

#endif
