/* rules.h - rules for an instruction as a whole. The reader of text reports what breaks them, the disassembler prints
 * only what obeys them. */
#ifndef OG_ISA_RULES_H
#define OG_ISA_RULES_H

#include "isa/isa.h"

/* Sets of kinds of operand: 1 << enum og_operand_kind. */
enum {
  OG_KINDS_VECTOR = 1 << OG_OPERAND_VGPR,
  OG_KINDS_ACCUMULATION = 1 << OG_OPERAND_AGPR,
  OG_KINDS_SCALAR = 1 << OG_OPERAND_SGPR | 1 << OG_OPERAND_TTMP | 1 << OG_OPERAND_SPECIAL,
  OG_KINDS_INLINE = 1 << OG_OPERAND_INLINE,
  OG_KINDS_LITERAL = 1 << OG_OPERAND_LITERAL,
};
/* Kinds allowed in a slot that takes registers or constants; 0 if it takes plain numbers. */
unsigned og_kinds_taken(const struct og_slot *slot);

/* The scalar values that a vector instruction reads (registers other than vector ones, literals, implicit reads of VCC
 * and M0): the constant bus allows at most `most`. */
struct og_scalar_values {
  unsigned count, most;
  uint32_t seen[8];
};
/* Starts with those that no operand names. */
struct og_scalar_values og_implicit_scalar_values(const struct og_isa *isa, const struct og_form *form);
/* How many more its operands may read. */
unsigned og_free_scalars(const struct og_isa *isa, const struct og_form *form);
/* Adds the operand's reads; false: there are too many. */
bool og_add_scalar_value(struct og_scalar_values *values, const struct og_slot *slot, const struct og_operand *operand);

/* Registers of image data: one for each component that dmask enables, halved where packed, and one for TFE. */
unsigned og_image_data_words(const struct og_isa *isa, const struct og_form *form, const struct og_inst *inst);
/* Words of all of an image's addresses, and how many operands they are. */
unsigned og_image_addresses(const struct og_inst *inst, unsigned *places);
/* Words of a ray: node, extent, origin, direction and its inverse. */
unsigned og_ray_address_words(const struct og_form *form, bool a16);

/* Whether the addend of a large matrix product, which is written while it is read, shares some of the result's
 * registers. */
bool og_matrix_overlaps(const struct og_inst *inst);
/* Whether clamp applies to integers, or the only result is a mask of lanes. */
bool og_has_integer_result(const struct og_shape *shape);
/* Whether scalar memory is addressed through a buffer's descriptor. */
bool og_is_scalar_buffer(const struct og_form *form, const struct og_shape *shape);
/* A scaled index is in a vector register that is not a whole address, or in a scalar register of SMEM. */
bool og_scales_offset(const struct og_form *form, const struct og_shape *shape);

#endif
