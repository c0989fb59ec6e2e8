/* operand.c - decodes operands of a vISA kernel: types, immediates, regions, addresses, destinations. */
#include "visa/decode/decoder.h"

#include <string.h>

/* ---- types ------------------------------------------------------------------------------------------------------- */

uint8_t og_vd_storage_type(uint8_t type) {
  static const uint8_t map[OG_VISA_TYPE_COUNT] = {
      [OG_VISA_UD] = OG_ALU_U32, [OG_VISA_D] = OG_ALU_S32,  [OG_VISA_UW] = OG_ALU_U16, [OG_VISA_W] = OG_ALU_S16,
      [OG_VISA_UB] = OG_ALU_U8,  [OG_VISA_B] = OG_ALU_S8,   [OG_VISA_DF] = OG_ALU_F64, [OG_VISA_F] = OG_ALU_F32,
      [OG_VISA_UQ] = OG_ALU_U64, [OG_VISA_Q] = OG_ALU_S64,  [OG_VISA_HF] = OG_ALU_F16, [OG_VISA_BF] = OG_ALU_BF16,
      [OG_VISA_V] = OG_ALU_S16,  [OG_VISA_UV] = OG_ALU_U16, [OG_VISA_VF] = OG_ALU_F32, [OG_VISA_BOOL] = OG_ALU_U32,
  };
  return map[type < OG_VISA_TYPE_COUNT ? type : OG_VISA_UD];
}

static unsigned size_log2(uint8_t type) { return (unsigned)__builtin_ctz(og_alu_sizes[type]); }

/* Whether a value needs no change from one type to the other. */
static bool same_bits(uint8_t a, uint8_t b) {
  return a == b || (og_alu_sizes[a] == og_alu_sizes[b] && !og_vd_is_float(a) && !og_vd_is_float(b));
}

/* The type operations on `type` alone are done in. */
uint8_t og_vd_widen(uint8_t type) {
  if (og_vd_is_float(type))
    return type == OG_ALU_F64 ? OG_ALU_F64 : OG_ALU_F32;
  if (og_alu_sizes[type] == 8)
    return type;
  return og_vd_is_signed(type) ? OG_ALU_S32 : OG_ALU_U32;
}

static bool has_sign_modifier(const struct og_visa_operand *operand) {
  return operand->modifier == OG_VISA_MODIFIER_NEG || operand->modifier == OG_VISA_MODIFIER_ABS ||
         operand->modifier == OG_VISA_MODIFIER_NEG_ABS;
}

/* The execution type. With mixed signs of 32 bits, a negated unsigned operand, or saturation, 64 bits are needed to
   hold every value if the result depends on it (`exact`); otherwise the low bits are the same. */
uint8_t og_vd_execution_type(const struct og_visa_operand *operands, uint32_t count, uint8_t destination, bool exact,
                             bool saturate) {
  bool wide = og_alu_sizes[destination] == 8, has_signed = false, has_unsigned32 = false, has_unsigned = false,
       floating = false;
  bool is_double = destination == OG_ALU_F64;
  for (uint32_t i = 0; i < count; i++) {
    uint8_t type = og_vd_storage_type(operands[i].type);
    floating |= og_vd_is_float(type);
    is_double |= type == OG_ALU_F64;
    wide |= og_alu_sizes[type] == 8;
    if (og_vd_is_signed(type)) {
      has_signed = true;
    } else {
      has_unsigned = true;
      has_unsigned32 |= og_alu_sizes[type] >= 4;
      has_signed |= has_sign_modifier(&operands[i]) && exact;
    }
  }
  if (floating)
    return is_double ? OG_ALU_F64 : OG_ALU_F32;
  if (wide || saturate)
    return has_signed ? OG_ALU_S64 : OG_ALU_U64;
  if (exact && has_signed && has_unsigned32)
    return OG_ALU_S64;
  return has_signed || !has_unsigned ? OG_ALU_S32 : OG_ALU_U32;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

/* Immediates stand in the constants once for each channel, in the type in which they are used. */
static bool constant_source(struct og_vd *d, const struct og_visa_operand *operand, uint8_t wide, uint32_t count,
                            struct og_vx_source *source) {
  uint8_t raw[OG_VX_OPERAND_BYTES] __attribute__((aligned(64))),
      values[OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  uint8_t type = og_vd_storage_type(operand->type);
  memset(raw, 0, sizeof raw);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t nibble = (uint32_t)(operand->bits >> 4 * (i % 8) & 15),
             byte = (uint32_t)(operand->bits >> 8 * (i % 4) & 0xff);
    uint64_t element = operand->bits;
    if (operand->type == OG_VISA_V)
      element = (uint64_t)(int64_t)((int32_t)(nibble << 28) >> 28);
    else if (operand->type == OG_VISA_UV)
      element = nibble;
    else if (operand->type == OG_VISA_VF) /* sign, 3 bits of exponent biased by 3, 4 of fraction; 0 is zero */
      element = (byte & 0x7f ? ((byte >> 4 & 7) + 124) << 23 | (byte & 15) << 19 : 0) | (byte & 0x80) << 24;
    memcpy(raw + (i << size_log2(type)), &element, og_alu_sizes[type]);
  }
  d->alu->convert[type][wide](values, raw, NULL, NULL, count, 0);
  if (type == wide)
    memcpy(values, raw, (size_t)count * og_alu_sizes[type]);
  og_buffer_align(&d->constants, 64, 0);
  *source = (struct og_vx_source){.kind = OG_VX_DIRECT,
                                  .type = wide,
                                  .wide = wide,
                                  .base = OG_VX_CONSTANTS,
                                  .size_log2 = (uint8_t)size_log2(wide),
                                  .offset = (uint32_t)d->constants.size};
  og_buffer_append(&d->constants, values, (size_t)count * og_alu_sizes[wide]);
  return true;
}

/* false: the type has no such function. */
static bool set_modifiers(struct og_vd *d, const struct og_visa_operand *operand, struct og_vx_source *source) {
  uint8_t modifier = operand->modifier, wide = source->wide;
  bool negate = modifier == OG_VISA_MODIFIER_NEG || modifier == OG_VISA_MODIFIER_NEG_ABS;
  bool absolute = modifier == OG_VISA_MODIFIER_ABS || modifier == OG_VISA_MODIFIER_NEG_ABS;
  if (absolute && (og_vd_is_float(source->type) || og_vd_is_signed(source->type)))
    source->absolute = d->alu->op[OG_ALU_ABS][wide];
  if (negate)
    source->negate = d->alu->op[OG_ALU_NEG][wide];
  if (modifier == OG_VISA_MODIFIER_NOT)
    source->invert = d->alu->op[OG_ALU_NOT][wide];
  bool has_sign = og_vd_is_float(source->type) || og_vd_is_signed(source->type);
  bool done = (!absolute || !has_sign || source->absolute) && (!negate || source->negate) &&
              (modifier != OG_VISA_MODIFIER_NOT || source->invert);
  return done || og_vd_fail(d, "%s with this source modifier and type is not executed", og_visa_mnemonic(d->inst));
}

/* Element i's distance from the region's origin, in elements. */
static uint32_t region_step(const struct og_vx_source *source, uint32_t i) {
  return i / source->width * source->vertical + i % source->width * source->horizontal;
}

static void classify(struct og_vx_source *source, uint32_t count) {
  bool scalar = true, contiguous = true;
  for (uint32_t i = 0; i < count; i++) {
    scalar &= region_step(source, i) == 0;
    contiguous &= region_step(source, i) == i;
  }
  source->kind = contiguous ? OG_VX_DIRECT : scalar ? OG_VX_SCALAR : OG_VX_REGION;
}

bool og_vd_place(struct og_vd *d, uint32_t variable, uint32_t *offset, uint32_t *room) {
  if (variable >= d->kernel->general.count)
    return og_vd_fail(d, "variable V%u is not declared", variable);
  uint32_t within, now = (uint32_t)(d->inst - d->kernel->insts.items);
  struct og_vd_use *use = &d->uses[og_visa_resolve_alias(d->kernel, variable, &within)];
  use->first = OG_MIN(use->first, now);
  use->last = now;
  *offset = d->places[variable];
  *room = d->sizes[variable];
  return true;
}

const char *og_vd_variable_name(const struct og_vd *d, uint32_t variable) {
  return d->kernel->general.items[variable].name;
}

static void set_region(const struct og_visa_operand *operand, struct og_vx_source *source) {
  bool scalar = operand->width == OG_VISA_STRIDE_NONE || operand->width == 0;
  source->vertical = operand->vertical == OG_VISA_STRIDE_NONE ? 0 : operand->vertical;
  source->width = scalar ? 1 : operand->width;
  source->horizontal = operand->horizontal == OG_VISA_STRIDE_NONE ? 0 : operand->horizontal;
}

/* The place of `size` bytes of a general variable from the operand's origin on, where elements are aligned. */
static bool general_place(struct og_vd *d, const struct og_visa_operand *operand, const char *what, uint32_t log2,
                          uint32_t size, uint32_t *offset) {
  uint32_t base = 0, room = 0;
  if (!og_vd_place(d, operand->variable, &base, &room))
    return false;
  uint32_t within = operand->row * d->program->grf_size + ((uint32_t)operand->column << log2);
  if (within + size > room)
    return og_vd_fail(d, "the %s region of %s reaches byte %u; the variable ends at %u", what,
                      og_vd_variable_name(d, operand->variable), within + size, room);
  *offset = base + within;
  return (*offset & ((1u << log2) - 1)) == 0 ||
         og_vd_fail(d, "the %s region of %s is not aligned to its type's %u bytes", what,
                    og_vd_variable_name(d, operand->variable), 1u << log2);
}

static bool general_source(struct og_vd *d, const struct og_visa_operand *operand, uint32_t count,
                           struct og_vx_source *source) {
  uint32_t last = 0;
  set_region(operand, source);
  for (uint32_t i = 0; i < count; i++)
    last = OG_MAX(last, region_step(source, i));
  classify(source, count);
  return general_place(d, operand, "source", source->size_log2, (last + 1) << source->size_log2, &source->offset);
}

/* The first address element of an indirect or address operand. */
bool og_vd_address(struct og_vd *d, const struct og_visa_operand *operand, uint32_t count, uint32_t *index) {
  if (operand->variable >= d->kernel->address.count ||
      operand->column + count > d->kernel->address.items[operand->variable].elements)
    return og_vd_fail(d, "address operand A%u(%u) reaches beyond its variable", operand->variable, operand->column);
  *index = d->addresses[operand->variable] + operand->column;
  return true;
}

/* `wide` is OG_ALU_TYPES for the operand's own storage type. */
bool og_vd_source(struct og_vd *d, const struct og_visa_operand *operand, uint8_t wide, uint32_t count,
                  struct og_vx_source *source) {
  uint8_t type = og_vd_storage_type(operand->type);
  if (wide == OG_ALU_TYPES)
    wide = type;
  *source = (struct og_vx_source){.type = type, .wide = wide, .size_log2 = (uint8_t)size_log2(type)};
  switch (operand->kind) {
  case OG_VISA_IMMEDIATE:
    if (operand->modifier)
      return og_vd_fail(d, "a modifier of a constant is not executed");
    return constant_source(d, operand, wide, count, source);
  case OG_VISA_GENERAL:
    if (!general_source(d, operand, count, source))
      return false;
    break;
  case OG_VISA_INDIRECT:
    source->kind = OG_VX_INDIRECT;
    source->multi_address = operand->vertical == OG_VISA_STRIDE_NONE;
    source->displacement = operand->offset;
    set_region(operand, source);
    if (!og_vd_address(d, operand, source->multi_address ? (count + source->width - 1) / source->width : 1,
                       &source->address))
      return false;
    break;
  default: return og_vd_fail(d, "a source operand of this kind is not expected here");
  }
  if (!same_bits(type, wide) && !(source->convert = d->alu->convert[type][wide]))
    return og_vd_fail(d, "%s with these types is not executed", og_visa_mnemonic(d->inst));
  return set_modifiers(d, operand, source);
}

bool og_vd_in_place(const struct og_vx_source *source) {
  return source->kind == OG_VX_DIRECT && !source->convert && !source->absolute && !source->negate && !source->invert;
}

/* A general variable; or %null, for which results are written side by side to a place that nobody reads. */
static bool general_destination(struct og_vd *d, const struct og_visa_operand *operand, uint32_t count,
                                struct og_vx_destination *to) {
  _Static_assert(OG_VX_OPERAND_BYTES == OG_VX_CHANNELS * 8, "%null holds the largest result");
  if (operand->variable == OG_VISA_V_NULL) {
    to->stride = 1;
    to->offset = d->places[OG_VISA_V_NULL];
    return true;
  }
  uint32_t size = ((count - 1) * to->stride + 1) << to->size_log2;
  if (!general_place(d, operand, "destination", to->size_log2, size, &to->offset))
    return false;
  uint32_t first = to->offset - d->program->cr0;
  to->mode = first < d->program->grf_size;
  return true;
}

/* `from`: the type in which results come. */
bool og_vd_destination(struct og_vd *d, const struct og_visa_operand *operand, uint8_t from, bool saturate,
                       uint32_t count, struct og_vx_destination *to) {
  uint8_t type = og_vd_storage_type(operand->type);
  uint8_t stride = operand->horizontal == OG_VISA_STRIDE_NONE || operand->horizontal == 0 ? 1 : operand->horizontal;
  *to = (struct og_vx_destination){.type = type, .size_log2 = (uint8_t)size_log2(type), .stride = stride};
  if (operand->kind == OG_VISA_INDIRECT) {
    to->indirect = true;
    to->displacement = operand->offset;
    if (!og_vd_address(d, operand, 1, &to->address))
      return false;
  } else if (operand->kind == OG_VISA_GENERAL) {
    if (!general_destination(d, operand, count, to))
      return false;
  } else {
    return og_vd_fail(d, "a destination operand of this kind is not expected here");
  }
  bool integer_saturation = saturate && type != from && !og_vd_is_float(type) && !og_vd_is_float(from);
  if (saturate && og_vd_is_float(type) && og_vd_is_float(from))
    to->clamp = d->alu->op[OG_ALU_CLAMP][og_vd_widen(from)];
  if (integer_saturation)
    to->convert = d->alu->saturate[from][type];
  else if (!same_bits(type, from))
    to->convert = d->alu->convert[from][type];
  if (!to->convert && (integer_saturation || !same_bits(type, from)))
    return og_vd_fail(d, "%s with these types is not executed", og_visa_mnemonic(d->inst));
  to->direct = !to->indirect && !to->clamp && !to->convert && !to->mode && (to->stride == 1 || count == 1);
  return true;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

struct og_vx_op *og_vd_new_op(struct og_vd *d, og_vx_handler *run) {
  const struct og_visa_inst *inst = d->inst;
  struct og_vx_op *op = OG_PUSH(d->arena, &d->ops);
  uint32_t size = inst->exec_size ? inst->exec_size : 1;
  *op = (struct og_vx_op){.run = run,
                          .exec_size = (uint8_t)size,
                          .mask_offset = inst->mask_offset,
                          .no_mask = inst->no_mask,
                          .full = size >= 32 ? ~0u : (1u << size) - 1,
                          .inst = inst};
  if (inst->predicate.variable) {
    static const uint8_t modes[] = {OG_VX_PREDICATE_EACH, OG_VX_PREDICATE_ANY, OG_VX_PREDICATE_ALL};
    op->predicate = inst->predicate.variable;
    op->predicate_mode = modes[OG_MIN(inst->predicate.combine, OG_VISA_ALL)];
    op->predicate_inverse = inst->predicate.inverse;
  }
  return op;
}

struct og_vx_source *og_vd_new_sources(struct og_vd *d, struct og_vx_op *op, uint32_t count) {
  op->source_count = (uint8_t)count;
  return op->source = OG_NEW_ARRAY(d->arena, struct og_vx_source, count);
}

bool og_vd_predicate(struct og_vd *d, const struct og_visa_operand *operand, uint32_t *index) {
  uint32_t variable = operand->kind == OG_VISA_PREDICATE && operand->predicate.variable ? operand->predicate.variable
                                                                                        : operand->variable;
  if (variable >= d->program->predicate_count)
    return og_vd_fail(d, "predicate P%u is not declared", variable);
  *index = variable;
  return true;
}
