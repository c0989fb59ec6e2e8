/* exec_decode.c - a vISA kernel to operations: variables get their place in the register file, operands are resolved to
   offsets and shapes, labels to indices, and each instruction to its handler. */
#include "visa/exec_decode.h"

#include <string.h>

enum { TAIL = 4096 /* bytes behind the variables that messages of unknown length may touch */ };

static struct og_vx_program *decode_program(struct og_vd *d, const struct og_visa_unit *unit,
                                            const struct og_visa_kernel *kernel, struct og_vx_program *program);

bool og_vd_fail(struct og_vd *d, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = og_arena_vprintf(d->arena, format, args);
  va_end(args);
  if (d->visa->source && d->inst->size)
    return og_error(d->diagnostics, (struct og_range){d->visa->source, d->inst->at, d->inst->size}, "%s", message);
  return og_error_in(d->diagnostics, d->file, "kernel '%s', instruction %u (%s): %s", d->kernel->name,
                     (uint32_t)(d->inst - d->kernel->insts.items), og_visa_mnemonic(d->inst), message);
}

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

static bool is_float(uint8_t type) { return type >= OG_ALU_F16; }
static bool is_signed(uint8_t type) { return !is_float(type) && (type & 1); }
static unsigned size_log2(uint8_t type) { return (unsigned)__builtin_ctz(og_alu_sizes[type]); }

/* Nothing is to be done between them. */
static bool same_bits(uint8_t a, uint8_t b) {
  return a == b || (og_alu_sizes[a] == og_alu_sizes[b] && !is_float(a) && !is_float(b));
}

/* The type operations on `type` alone are done in. */
uint8_t og_vd_widen(uint8_t type) {
  if (is_float(type))
    return type == OG_ALU_F64 ? OG_ALU_F64 : OG_ALU_F32;
  if (og_alu_sizes[type] == 8)
    return type;
  return is_signed(type) ? OG_ALU_S32 : OG_ALU_U32;
}

static bool has_sign_modifier(const struct og_visa_operand *operand) {
  return operand->modifier == OG_VISA_MODIFIER_NEG || operand->modifier == OG_VISA_MODIFIER_ABS ||
         operand->modifier == OG_VISA_MODIFIER_NEG_ABS;
}

/* The execution type. Mixed signs of 32 bits, a negated unsigned, and saturation need 64 bits to hold every value where the
   result depends on it (`exact`); else the low bits are the same either way. */
static uint8_t execution_type(const struct og_visa_operand *operands, uint32_t count, uint8_t destination, bool exact,
                              bool saturate) {
  bool wide = og_alu_sizes[destination] == 8, has_signed = false, has_unsigned32 = false, has_unsigned = false,
       floating = false;
  bool is_double = destination == OG_ALU_F64;
  for (uint32_t i = 0; i < count; i++) {
    uint8_t type = og_vd_storage_type(operands[i].type);
    floating |= is_float(type);
    is_double |= type == OG_ALU_F64;
    wide |= og_alu_sizes[type] == 8;
    if (is_signed(type)) {
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

/* Immediates stand in the constants once per channel, in the type they are used in. */
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
  *source = (struct og_vx_source){.kind = OG_VX_DIRECT, .type = wide, .wide = wide, .base = OG_VX_CONSTANTS,
                                  .size_log2 = (uint8_t)size_log2(wide), .offset = (uint32_t)d->constants.size};
  og_buffer_append(&d->constants, values, (size_t)count * og_alu_sizes[wide]);
  return true;
}

static void set_modifiers(struct og_vd *d, const struct og_visa_operand *operand, struct og_vx_source *source) {
  uint8_t modifier = operand->modifier, wide = source->wide;
  bool negate = modifier == OG_VISA_MODIFIER_NEG || modifier == OG_VISA_MODIFIER_NEG_ABS;
  bool absolute = modifier == OG_VISA_MODIFIER_ABS || modifier == OG_VISA_MODIFIER_NEG_ABS;
  if (absolute && (is_float(source->type) || is_signed(source->type)))
    source->absolute = d->alu->op[OG_ALU_ABS][wide];
  if (negate)
    source->negate = d->alu->op[OG_ALU_NEG][wide];
  if (modifier == OG_VISA_MODIFIER_NOT)
    source->invert = d->alu->op[OG_ALU_NOT][wide];
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

static bool general_source(struct og_vd *d, const struct og_visa_operand *operand, uint32_t count,
                           struct og_vx_source *source) {
  uint32_t base = 0, room = 0;
  if (!og_vd_place(d, operand->variable, &base, &room))
    return false;
  uint32_t within = operand->row * d->program->grf_size + (operand->column << source->size_log2), last = 0;
  set_region(operand, source);
  for (uint32_t i = 0; i < count; i++)
    last = OG_MAX(last, region_step(source, i));
  if (within + ((last + 1) << source->size_log2) > room)
    return og_vd_fail(d, "the source region of %s reaches byte %u; the variable ends at %u",
                      og_vd_variable_name(d, operand->variable), within + ((last + 1) << source->size_log2), room);
  source->offset = base + within;
  classify(source, count);
  return true;
}

/* The first address element of an indirect or address operand. */
static bool address_index(struct og_vd *d, const struct og_visa_operand *operand, uint32_t count, uint32_t *index) {
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
  case OG_VISA_IMMEDIATE: return constant_source(d, operand, wide, count, source);
  case OG_VISA_GENERAL:
    if (!general_source(d, operand, count, source))
      return false;
    break;
  case OG_VISA_INDIRECT:
    source->kind = OG_VX_INDIRECT;
    source->multi_address = operand->vertical == OG_VISA_STRIDE_NONE;
    source->displacement = operand->offset;
    set_region(operand, source);
    if (!address_index(d, operand, source->multi_address ? (count + source->width - 1) / source->width : 1,
                       &source->address))
      return false;
    break;
  default: return og_vd_fail(d, "a source operand of this kind is not expected here");
  }
  if (!same_bits(type, wide))
    source->convert = d->alu->convert[type][wide];
  set_modifiers(d, operand, source);
  return true;
}

static bool in_place(const struct og_vx_source *source) {
  return source->kind == OG_VX_DIRECT && !source->convert && !source->absolute && !source->negate && !source->invert;
}

/* Results come in `from`. */
bool og_vd_destination(struct og_vd *d, const struct og_visa_operand *operand, uint8_t from, bool saturate,
                       uint32_t count, struct og_vx_destination *to) {
  uint8_t type = og_vd_storage_type(operand->type);
  uint8_t stride = operand->horizontal == OG_VISA_STRIDE_NONE || operand->horizontal == 0 ? 1 : operand->horizontal;
  *to = (struct og_vx_destination){.type = type, .size_log2 = (uint8_t)size_log2(type), .stride = stride};
  if (operand->kind == OG_VISA_INDIRECT) {
    to->indirect = true;
    to->displacement = operand->offset;
    if (!address_index(d, operand, 1, &to->address))
      return false;
  } else if (operand->kind == OG_VISA_GENERAL) {
    uint32_t base = 0, room = 0, within = operand->row * d->program->grf_size + (operand->column << to->size_log2);
    if (!og_vd_place(d, operand->variable, &base, &room))
      return false;
    uint32_t end = within + (((count - 1) * stride + 1) << to->size_log2);
    if (end > room && operand->variable != OG_VISA_V_NULL)
      return og_vd_fail(d, "the destination region of %s reaches byte %u; the variable ends at %u",
                        og_vd_variable_name(d, operand->variable), end, room);
    to->offset = base + within;
    to->mode = base == d->program->cr0;
  } else {
    return og_vd_fail(d, "a destination operand of this kind is not expected here");
  }
  bool integer_saturation = saturate && !is_float(type) && !is_float(from);
  if (saturate && is_float(type) && is_float(from))
    to->clamp = d->alu->op[OG_ALU_CLAMP][og_vd_widen(from)];
  if (integer_saturation)
    to->convert = d->alu->saturate[from][type];
  else if (!same_bits(type, from))
    to->convert = d->alu->convert[from][type];
  to->direct = !to->indirect && !to->clamp && !to->convert && !to->mode && (stride == 1 || count == 1);
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
                          .line = inst->line,
                          .at = inst->at,
                          .size = inst->size,
                          .name = og_visa_mnemonic(inst)};
  if (inst->predicate.variable) {
    static const uint8_t modes[] = {OG_VX_PREDICATE_EACH, OG_VX_PREDICATE_ANY, OG_VX_PREDICATE_ALL};
    op->predicate = inst->predicate.variable;
    op->predicate_mode = modes[inst->predicate.combine];
    op->predicate_inverse = inst->predicate.inverse;
  }
  return op;
}

struct og_vx_source *og_vd_new_sources(struct og_vd *d, struct og_vx_op *op, uint32_t count) {
  op->source_count = (uint8_t)count;
  return op->source = OG_NEW_ARRAY(d->arena, struct og_vx_source, count);
}

static bool predicate_index(struct og_vd *d, const struct og_visa_operand *operand, uint32_t *index) {
  uint32_t variable = operand->kind == OG_VISA_PREDICATE && operand->predicate.variable ? operand->predicate.variable
                                                                                        : operand->variable;
  if (variable >= d->program->predicate_count)
    return og_vd_fail(d, "predicate P%u is not declared", variable);
  *index = variable;
  return true;
}

static bool plain_scalar(const struct og_vx_source *source) {
  return source->kind == OG_VX_SCALAR && !source->convert && !source->absolute && !source->negate && !source->invert;
}

static bool uniform_constant(const struct og_vd *d, const struct og_vx_source *source) {
  uint8_t type = d->inst->operands[1 + (source - d->ops.items[d->ops.count - 1].source)].type;
  return source->kind == OG_VX_DIRECT && source->base == OG_VX_CONSTANTS && type != OG_VISA_V && type != OG_VISA_UV &&
         type != OG_VISA_VF;
}

/* What the handlers of operands in place look at. */
static void set_places(struct og_vx_op *op) {
  for (uint32_t i = 0; i < op->source_count && i < 3; i++) {
    op->in[i] = op->source[i].offset;
    op->in_base[i] = op->source[i].base;
  }
  op->out = op->destination.offset;
  op->out_log2 = op->destination.size_log2;
}

/* One source in place, the other one element for all channels. */
static bool pick_one_scalar(const struct og_vd *d, struct og_vx_op *op, enum og_alu_op which, uint8_t wide) {
  for (uint32_t i = 0; i < 2; i++) {
    og_alu_fn *fn = (i ? d->alu->scalar_b : d->alu->scalar_a)[which][wide];
    if (fn && (plain_scalar(&op->source[i]) || uniform_constant(d, &op->source[i])) && in_place(&op->source[1 - i]) &&
        (op->source[i].base == OG_VX_CONSTANTS || op->source[i].offset + og_alu_sizes[wide] <= op->destination.offset ||
         op->source[i].offset >= op->destination.offset + ((uint32_t)op->exec_size << op->destination.size_log2))) {
      op->alu = fn;
      op->run = og_vx_run_alu2;
      return true;
    }
  }
  return false;
}

/* The fast handlers need every operand in place; a destination that overlaps a source but is not the same place needs the
   slow one, which reads everything first. */
static void pick_alu_handler(const struct og_vd *d, struct og_vx_op *op, enum og_alu_op which, uint8_t wide) {
  uint32_t bytes = (uint32_t)op->exec_size << op->destination.size_log2;
  bool fast = op->destination.direct;
  for (uint32_t i = 0; i < op->source_count; i++) {
    const struct og_vx_source *source = &op->source[i];
    if (source->kind != OG_VX_DIRECT || source->base != OG_VX_REGISTERS)
      continue;
    uint32_t source_bytes = (uint32_t)op->exec_size << source->size_log2;
    bool overlaps =
        source->offset < op->destination.offset + bytes && op->destination.offset < source->offset + source_bytes;
    if (overlaps && (source->offset != op->destination.offset || source_bytes != bytes) && in_place(source))
      op->destination.direct = false;
  }
  fast &= op->destination.direct;
  for (uint32_t i = 0; i < op->source_count; i++)
    fast &= in_place(&op->source[i]);
  set_places(op);
  if (op->exec_size > 1 && op->destination.direct && op->source_count == 2 && pick_one_scalar(d, op, which, wide))
    return;
  static og_vx_handler *const handlers[] = {og_vx_run_alu, og_vx_run_alu1, og_vx_run_alu2, og_vx_run_alu3};
  op->run = fast ? handlers[op->source_count] : og_vx_run_alu;
}

static bool decode_alu(struct og_vd *d, enum og_alu_op which, uint32_t source_count, bool exact) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *operands = inst->operands;
  uint8_t to = og_vd_storage_type(operands[0].type);
  bool saturate = inst->saturate && !is_float(to);
  uint8_t wide = execution_type(operands + 1, source_count, to, exact || saturate, saturate);
  if (which == OG_ALU_SHR || which == OG_ALU_ASR || which == OG_ALU_SHL || which == OG_ALU_ROL || which == OG_ALU_ROR) {
    bool both = og_alu_sizes[wide] == 8; /* the value's own sign counts, the distance's does not */
    wide = which == OG_ALU_ASR ? (both ? OG_ALU_S64 : OG_ALU_S32)
           : which == OG_ALU_SHL && saturate
               ? (is_signed(og_vd_storage_type(operands[1].type)) ? OG_ALU_S64 : OG_ALU_U64)
               : (both ? OG_ALU_U64 : OG_ALU_U32);
  }
  if (which == OG_ALU_ROL || which == OG_ALU_ROR) /* words rotate within 16 bits */
    which = og_alu_sizes[to] == 2 ? (which == OG_ALU_ROL ? OG_ALU_ROL16 : OG_ALU_ROR16) : which;
  if (saturate && (og_alu_sizes[to] == 8) && which == OG_ALU_ADD)
    which = OG_ALU_SATURATING_ADD;
  if (saturate && (og_alu_sizes[to] == 8) && which == OG_ALU_MUL)
    which = OG_ALU_SATURATING_MUL;
  if (which == OG_ALU_MULH && wide == OG_ALU_S64 && og_alu_sizes[to] == 4)
    which = OG_ALU_MULH_MIXED;
  og_alu_fn *fn = d->alu->op[which][wide];
  if (!fn)
    return og_vd_fail(d, "%s is not executed on these types", og_visa_mnemonic(inst));
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_alu);
  op->alu = fn;
  struct og_vx_source *sources = og_vd_new_sources(d, op, source_count);
  for (uint32_t i = 0; i < source_count; i++)
    if (!og_vd_source(d, &operands[1 + i], wide, op->exec_size, &sources[i]))
      return false;
  if (!og_vd_destination(d, &operands[0], wide, inst->saturate, op->exec_size, &op->destination))
    return false;
  pick_alu_handler(d, op, which, wide);
  return true;
}

static bool decode_address_add(struct og_vd *d);

static bool decode_move(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *to = &inst->operands[0], *from = &inst->operands[1];
  if (from->kind == OG_VISA_PREDICATE) {
    struct og_vx_op *op = og_vd_new_op(d, og_vx_run_move_predicate);
    return predicate_index(d, from, &op->predicate_source) &&
           og_vd_destination(d, to, OG_ALU_U32, false, op->exec_size, &op->destination);
  }
  if (from->kind == OG_VISA_ADDRESS_OF)
    return decode_address_add(d);
  if (from->kind == OG_VISA_ADDRESS || to->kind == OG_VISA_ADDRESS) {
    struct og_vx_op *op = og_vd_new_op(d, og_vx_run_move_address);
    op->kind = from->kind == OG_VISA_ADDRESS;
    if (op->kind)
      return address_index(d, from, op->exec_size, &op->predicate_source) &&
             og_vd_destination(d, to, OG_ALU_U32, false, op->exec_size, &op->destination);
    return og_vd_source(d, from, OG_ALU_U32, op->exec_size, og_vd_new_sources(d, op, 1)) &&
           address_index(d, to, op->exec_size, &op->predicate_destination);
  }
  uint8_t source_type = og_vd_storage_type(from->type), type = og_vd_storage_type(to->type);
  if (inst->saturate || from->modifier != OG_VISA_MODIFIER_NONE) {
    bool exact = inst->saturate && !is_float(type);
    uint8_t wide = execution_type(from, 1, exact || is_float(source_type) ? OG_ALU_U32 : type, exact, exact);
    if (is_float(source_type) && !is_float(type))
      wide = og_vd_widen(source_type);
    struct og_vx_op *op = og_vd_new_op(d, og_vx_run_alu);
    op->alu = d->alu->op[OG_ALU_COPY][wide];
    if (!og_vd_source(d, from, wide, op->exec_size, og_vd_new_sources(d, op, 1)))
      return false;
    if (!is_float(wide) && is_float(type) && inst->saturate) { /* an integer clamps as a float */
      op->alu = d->alu->convert[wide][type == OG_ALU_F64 ? OG_ALU_F64 : OG_ALU_F32];
      wide = type == OG_ALU_F64 ? OG_ALU_F64 : OG_ALU_F32;
    }
    if (!og_vd_destination(d, to, wide, inst->saturate, op->exec_size, &op->destination))
      return false;
    pick_alu_handler(d, op, OG_ALU_COPY, OG_ALU_U32);
    return true;
  }
  /* A plain move converts from the source's own type straight into the destination's. */
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_alu);
  uint8_t first = from->kind == OG_VISA_IMMEDIATE ? type : source_type;
  op->alu = d->alu->convert[first][type];
  if (!og_vd_source(d, from, first, op->exec_size, og_vd_new_sources(d, op, 1)) ||
      !og_vd_destination(d, to, type, false, op->exec_size, &op->destination))
    return false;
  pick_alu_handler(d, op, OG_ALU_COPY, OG_ALU_U32);
  return true;
}

static void pick_compare_handler(struct og_vd *d, struct og_vx_op *op, enum og_alu_op which, uint8_t wide) {
  struct og_vx_source *a = &op->source[0], *b = &op->source[1];
  bool constant = uniform_constant(d, b);
  set_places(op);
  if (plain_scalar(a) && (plain_scalar(b) || constant)) { /* one answer for all */
    op->kind = 1;
    op->run = og_vx_run_compare2;
  } else if (in_place(a) && in_place(b) && !constant) {
    op->run = og_vx_run_compare2;
  } else if (in_place(a) && (plain_scalar(b) || constant)) {
    op->alu = d->alu->scalar_b[which][wide];
    op->run = og_vx_run_compare2;
  } else if (in_place(b) && plain_scalar(a)) {
    op->alu = d->alu->scalar_a[which][wide];
    op->run = og_vx_run_compare2;
  }
}

static bool decode_compare(struct og_vd *d) {
  static const enum og_alu_op which[] = {OG_ALU_CMP_EQ, OG_ALU_CMP_NE, OG_ALU_CMP_GT, OG_ALU_CMP_GE, OG_ALU_CMP_LT, OG_ALU_CMP_LE};
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *to = &inst->operands[0];
  if (inst->compare >= OG_COUNT(which))
    return og_vd_fail(d, "cmp without a relation");
  uint8_t wide = execution_type(inst->operands + 1, 2, OG_ALU_U32, true, false);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_compare);
  op->alu = d->alu->op[which[inst->compare]][wide];
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  if (!og_vd_source(d, &inst->operands[1], wide, op->exec_size, &sources[0]) ||
      !og_vd_source(d, &inst->operands[2], wide, op->exec_size, &sources[1]))
    return false;
  if (to->kind == OG_VISA_PREDICATE)
    return pick_compare_handler(d, op, which[inst->compare], wide), predicate_index(d, to, &op->predicate_destination);
  op->run = og_vx_run_compare_store;
  return og_vd_destination(d, to, og_vd_storage_type(to->type), false, op->exec_size, &op->destination);
}

static bool decode_select(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  if (!inst->predicate.variable)
    return og_vd_fail(d, "sel needs a predicate");
  uint8_t to = og_vd_storage_type(inst->operands[0].type);
  bool saturate = inst->saturate && !is_float(to);
  uint8_t wide = execution_type(inst->operands + 1, 2, to, saturate, saturate);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_select);
  op->alu = d->alu->op[OG_ALU_SEL][wide];
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  if (!og_vd_source(d, &inst->operands[1], wide, op->exec_size, &sources[0]) ||
      !og_vd_source(d, &inst->operands[2], wide, op->exec_size, &sources[1]) ||
      !og_vd_destination(d, &inst->operands[0], wide, inst->saturate, op->exec_size, &op->destination))
    return false;
  pick_alu_handler(d, op, OG_ALU_SEL, wide); /* for its view of overlaps */
  op->run = og_vx_run_select;
  return true;
}

static bool decode_logic(struct og_vd *d, enum og_alu_op which, uint8_t kind) {
  const struct og_visa_inst *inst = d->inst;
  uint32_t sources = which == OG_ALU_NOT ? 1 : 2;
  if (inst->operands[0].kind != OG_VISA_PREDICATE)
    return decode_alu(d, which, sources, false);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_predicate_logic);
  op->kind = kind;
  return predicate_index(d, &inst->operands[0], &op->predicate_destination) &&
         predicate_index(d, &inst->operands[1], &op->predicate_source) &&
         predicate_index(d, &inst->operands[sources], &op->predicate_source2);
}

static bool decode_setp(struct og_vd *d) {
  const struct og_visa_operand *from = &d->inst->operands[1];
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_setp);
  struct og_vx_source *source = og_vd_new_sources(d, op, 1);
  if (!predicate_index(d, &d->inst->operands[0], &op->predicate_destination) ||
      !og_vd_source(d, from, OG_ALU_U32, op->exec_size, source))
    return false;
  op->kind = from->kind == OG_VISA_IMMEDIATE || source->kind == OG_VX_SCALAR || op->exec_size == 1;
  return true;
}

static bool decode_two_results(struct og_vd *d, enum og_alu_op low, enum og_alu_op high) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_two_results);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  op->alu = d->alu->op[low][OG_ALU_U32];
  op->alu2 = d->alu->op[high][OG_ALU_U32];
  for (uint32_t i = 0; i < 2; i++)
    if (!og_vd_source(d, &operands[2 + i], OG_ALU_U32, op->exec_size, &sources[i]))
      return false;
  return og_vd_destination(d, &operands[0], OG_ALU_U32, false, op->exec_size, &op->destination) &&
         og_vd_destination(d, &operands[1], OG_ALU_U32, false, op->exec_size, &op->destination2);
}

/* madw: the high halves stand behind the low ones, from the next register on. */
static bool decode_madw(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_two_results);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 3);
  uint8_t wide = execution_type(operands + 1, 3, OG_ALU_U32, false, false);
  op->alu = d->alu->op[OG_ALU_MAD][wide];
  op->alu2 = d->alu->op[OG_ALU_MADH][wide];
  for (uint32_t i = 0; i < 3; i++)
    if (!og_vd_source(d, &operands[1 + i], wide, op->exec_size, &sources[i]))
      return false;
  if (!og_vd_destination(d, &operands[0], wide, false, op->exec_size, &op->destination))
    return false;
  op->destination2 = op->destination;
  op->destination2.offset += (uint32_t)og_align_up(4ull * op->exec_size, d->program->grf_size);
  return true;
}

static bool decode_bfn(struct og_vd *d) {
  uint32_t first = d->ops.count;
  if (!decode_alu(d, OG_ALU_BFN, 3, false))
    return false;
  d->ops.items[first].extra = d->inst->bfn;
  return true;
}

static bool decode_dp4a(struct og_vd *d) {
  uint32_t first = d->ops.count;
  if (!decode_alu(d, OG_ALU_DP4A, 3, false))
    return false;
  const struct og_visa_operand *operands = d->inst->operands;
  d->ops.items[first].extra = (is_signed(og_vd_storage_type(operands[2].type)) ? 1u : 0) |
                              (is_signed(og_vd_storage_type(operands[3].type)) ? 2u : 0);
  return true;
}

static bool decode_bfi(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_insert);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 4);
  for (uint32_t i = 0; i < 4; i++)
    if (!og_vd_source(d, &operands[1 + i], OG_ALU_U32, op->exec_size, &sources[i]))
      return false;
  return og_vd_destination(d, &operands[0], OG_ALU_U32, false, op->exec_size, &op->destination);
}

/* bf_cvt: between f and bf16, which may be declared uw. */
static bool decode_bf_cvt(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_alu);
  bool narrowing = og_vd_storage_type(operands[1].type) == OG_ALU_F32;
  op->alu = narrowing ? d->alu->convert[OG_ALU_F32][OG_ALU_BF16] : d->alu->convert[OG_ALU_BF16][OG_ALU_F32];
  if (!og_vd_source(d, &operands[1], OG_ALU_TYPES, op->exec_size, og_vd_new_sources(d, op, 1)) ||
      !og_vd_destination(d, &operands[0], og_vd_storage_type(operands[0].type), false, op->exec_size, &op->destination))
    return false;
  pick_alu_handler(d, op, OG_ALU_COPY, OG_ALU_U32);
  return true;
}

/* sad2, sad2add: pairs of bytes to words. */
static bool decode_absolute_differences(struct og_vd *d, uint32_t count) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_absolute_differences);
  struct og_vx_source *sources = og_vd_new_sources(d, op, count);
  if (op->exec_size % 2)
    return og_vd_fail(d, "%s works on pairs of channels", og_visa_mnemonic(d->inst));
  for (uint32_t i = 0; i < count; i++)
    if (!og_vd_source(d, &operands[1 + i], OG_ALU_S64, op->exec_size, &sources[i]))
      return false;
  return og_vd_destination(d, &operands[0], OG_ALU_S64, d->inst->saturate, op->exec_size, &op->destination);
}

/* `count` elements side by side from the operand's first one on: its region does not count. */
static bool contiguous_source(struct og_vd *d, const struct og_visa_operand *operand, uint32_t count,
                              struct og_vx_source *source) {
  struct og_visa_operand contiguous = *operand;
  contiguous.vertical = 1;
  contiguous.width = 1;
  contiguous.horizontal = 0;
  return og_vd_source(d, &contiguous, OG_ALU_F32, count, source);
}

/* line: four coefficients and a value; plane: u in one register of eight, v in the next. */
static bool decode_line(struct og_vd *d, bool plane) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_line);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  op->kind = plane;
  if (plane && op->exec_size != 8 && op->exec_size != 16)
    return og_vd_fail(d, "plane has execution size 8 or 16");
  return contiguous_source(d, &operands[1], 4, &sources[0]) &&
         (plane ? contiguous_source(d, &operands[2], 2u * op->exec_size, &sources[1])
                : og_vd_source(d, &operands[2], OG_ALU_F32, op->exec_size, &sources[1])) &&
         og_vd_destination(d, &operands[0], OG_ALU_F32, d->inst->saturate, op->exec_size, &op->destination);
}

/* fcvt: bf8 is a ub, hf8 a b, tf32 a ud. */
static bool decode_small_float(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_small_float);
  uint8_t to = operands[0].type, from = operands[1].type;
  static const struct {
    uint8_t to, from;
  } pairs[] = {{OG_VISA_HF, OG_VISA_UB}, {OG_VISA_UB, OG_VISA_HF}, {OG_VISA_HF, OG_VISA_B},
               {OG_VISA_B, OG_VISA_HF},  {OG_VISA_F, OG_VISA_UD},  {OG_VISA_UD, OG_VISA_F}};
  while (op->kind < OG_COUNT(pairs) && (pairs[op->kind].to != to || pairs[op->kind].from != from))
    op->kind++;
  if (op->kind == OG_COUNT(pairs))
    return og_vd_fail(d, "fcvt converts between hf and ub or b, and between f and ud, not from %s to %s",
                      og_visa_types[from].name, og_visa_types[to].name);
  op->extra = d->inst->saturate;
  return og_vd_source(d, &operands[1], OG_ALU_TYPES, op->exec_size, og_vd_new_sources(d, op, 1)) &&
         og_vd_destination(d, &operands[0], og_vd_storage_type(to), false, op->exec_size, &op->destination);
}

/* srnd: f to hf with 13 random bits, hf to bf8 (ub) with 8. */
static bool decode_stochastic(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_stochastic);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  op->kind = operands[1].type == OG_VISA_HF;
  if (!(operands[0].type == OG_VISA_HF && operands[1].type == OG_VISA_F) &&
      !(operands[0].type == OG_VISA_UB && op->kind))
    return og_vd_fail(d, "srnd rounds f to hf, and hf to ub, not %s to %s", og_visa_types[operands[1].type].name,
                      og_visa_types[operands[0].type].name);
  return og_vd_source(d, &operands[1], OG_ALU_TYPES, op->exec_size, &sources[0]) &&
         og_vd_source(d, &operands[2], OG_ALU_U32, op->exec_size, &sources[1]) &&
         og_vd_destination(d, &operands[0], og_vd_storage_type(operands[0].type), false, op->exec_size,
                           &op->destination);
}

static bool decode_sum_of_products(struct og_vd *d, uint8_t kind) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_sum_of_products);
  op->kind = kind;
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  if (op->exec_size % 4)
    return og_vd_fail(d, "%s works on groups of four channels", og_visa_mnemonic(d->inst));
  return og_vd_source(d, &operands[1], OG_ALU_F32, op->exec_size, &sources[0]) &&
         og_vd_source(d, &operands[2], OG_ALU_F32, op->exec_size, &sources[1]) &&
         og_vd_destination(d, &operands[0], OG_ALU_F32, d->inst->saturate, op->exec_size, &op->destination);
}

/* addr_add, and mov of an address, which adds nothing. */
static bool decode_address_add(struct og_vd *d) {
  static const struct og_visa_operand zero = {.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UW};
  const struct og_visa_operand *operands = d->inst->operands,
                               *offset = d->inst->operand_count > 2 ? &operands[2] : &zero;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_address);
  if (operands[0].kind != OG_VISA_ADDRESS)
    return og_vd_fail(d, "an address goes into an address variable only");
  if (!address_index(d, &operands[0], op->exec_size, &op->predicate_destination) ||
      !og_vd_source(d, offset, OG_ALU_U32, op->exec_size, og_vd_new_sources(d, op, 1)))
    return false;
  if (operands[1].kind == OG_VISA_ADDRESS) {
    op->target = OG_MIN(op->exec_size, operands[1].width && operands[1].width != OG_VISA_STRIDE_NONE ? operands[1].width
                                                                                                     : op->exec_size);
    return address_index(d, &operands[1], op->target, &op->predicate_source);
  }
  uint32_t base = 0, room = 0;
  if (operands[1].kind != OG_VISA_ADDRESS_OF || (operands[1].state_class && operands[1].state_class != 'G'))
    return og_vd_fail(d, "the first source must be an address variable or a general variable's address");
  op->kind = 1;
  if (!og_vd_place(d, operands[1].variable, &base, &room))
    return false;
  op->extra = base + (uint32_t)operands[1].offset;
  op->in[0] = base;
  op->in[1] = base + og_visa_variable_size(&d->kernel->general.items[operands[1].variable]);
  return true;
}

/* A surface or sampler variable's place among the thread's. */
uint32_t og_vd_state(const struct og_vd *d, const struct og_visa_operand *operand) {
  uint32_t surfaces = d->kernel->surface.count + OG_VISA_FIRST_SURFACE;
  uint32_t place = operand->state_class == 'S' ? surfaces + operand->variable : operand->variable;
  return OG_MIN(place, d->program->surface_count - 1);
}

static bool decode_move_surface(struct og_vd *d) {
  const struct og_visa_operand *to = &d->inst->operands[0], *from = &d->inst->operands[1];
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_move_surface);
  bool into = to->kind == OG_VISA_STATE, out = from->kind == OG_VISA_STATE;
  op->kind = into && out ? 2 : out ? 1 : 0;
  if (into)
    op->predicate_destination = og_vd_state(d, to);
  if (out)
    op->predicate_source = og_vd_state(d, from);
  if (!into)
    return og_vd_destination(d, to, OG_ALU_U32, false, op->exec_size, &op->destination);
  return out || og_vd_source(d, from, OG_ALU_U32, 1, og_vd_new_sources(d, op, 1));
}

static const char *string_operand(const struct og_vd *d, uint32_t n) {
  uint64_t index = d->inst->operands[n].bits;
  return index < d->kernel->strings.count ? d->kernel->strings.items[index] : "?";
}

/* The function of that name, decoded when it is first asked for; -1 when no file has it, -2 after an error in it. */
static int find_function(struct og_vd *d, const char *name) {
  struct og_vd_linker *linker = d->linker;
  for (uint32_t i = 0; i < linker->functions->items.count; i++)
    if (strcmp(linker->functions->items.items[i]->kernel_name, name) == 0)
      return (int)i;
  for (uint32_t u = 0; u < linker->unit_count; u++)
    for (uint32_t k = 0; k < linker->units[u].visa->kernels.count; k++) {
      const struct og_visa_kernel *kernel = linker->units[u].visa->kernels.items[k];
      if (!kernel->function || strcmp(kernel->name, name) != 0)
        continue;
      int index = (int)linker->functions->items.count;
      struct og_vx_program *program = OG_NEW(d->arena, struct og_vx_program);
      program->kernel_name = kernel->name;
      *OG_PUSH(d->arena, &linker->functions->items) = program; /* before its code: it may call itself */
      return decode_program(d, &linker->units[u], kernel, program) ? index : -2;
    }
  return -1;
}

static bool decode_function_call(struct og_vd *d, bool indirect) {
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_function_call);
  op->uniform = op->exec_size == 1;
  if (indirect)
    return og_vd_source(d, &d->inst->operands[0], og_vd_widen(og_vd_storage_type(d->inst->operands[0].type)), 1,
                        og_vd_new_sources(d, op, 1));
  uint32_t at = d->ops.count - 1;
  int index = find_function(d, string_operand(d, 0));
  if (index == -1)
    return og_vd_fail(d, "function '%s' is in none of the files; name the file that has it behind the kernel's",
                      string_operand(d, 0));
  if (index >= 0)
    d->ops.items[at].callee = d->linker->functions->items.items[index];
  return index >= 0;
}

/* faddr: a function's or symbol's address, the latter from whoever loaded the kernel's module. */
static bool decode_function_address(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  const char *name = string_operand(d, 0);
  uint64_t address;
  int index = find_function(d, name);
  if (index == -2)
    return false;
  if (index >= 0)
    address = OG_VX_FUNCTION_FIRST + (uint64_t)index * OG_VX_FUNCTION_STEP;
  else if (!d->zebin || !og_zebin_symbol(d->zebin, name, &address))
    return og_vd_fail(d,
                      "symbol '%s' is not known; name the file that has the function, or with --zeinfo the zebin that "
                      "has the variable",
                      name);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_alu);
  uint8_t type = og_vd_storage_type(operands[1].type);
  op->exec_size = 1;
  op->full = 1;
  op->no_mask = true;
  op->alu = d->alu->convert[OG_ALU_U64][type];
  struct og_visa_operand value = {.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UQ, .bits = address};
  return og_vd_source(d, &value, OG_ALU_U64, 1, og_vd_new_sources(d, op, 1)) &&
         og_vd_destination(d, &operands[1], type, false, 1, &op->destination);
}

/* ---- control flow ------------------------------------------------------------------------------------------------ */

static bool add_fixup(struct og_vd *d, uint32_t label, uint32_t *slot) {
  if (label >= d->kernel->labels.count || d->kernel->labels.items[label].inst == UINT32_MAX)
    return og_vd_fail(d, "the label is not defined");
  __typeof__(d->fixups.items) fixup = OG_PUSH(d->arena, &d->fixups);
  fixup->op = d->ops.count - 1;
  fixup->label = label;
  fixup->slot = slot;
  return true;
}

static bool is_backward(const struct og_vd *d, uint32_t label) {
  return label < d->kernel->labels.count &&
         d->kernel->labels.items[label].inst <= (uint32_t)(d->inst - d->kernel->insts.items);
}

static bool decode_branch(struct og_vd *d, og_vx_handler *run) {
  struct og_vx_op *op = og_vd_new_op(d, run);
  op->uniform = op->exec_size == 1;
  return add_fixup(d, d->inst->operands[0].variable, NULL);
}

static bool decode_goto(struct og_vd *d) {
  bool backward = is_backward(d, d->inst->operands[0].variable);
  if (!decode_branch(d, backward ? og_vx_run_goto_backward : og_vx_run_goto_forward))
    return false;
  if (backward) {
    struct og_vx_op *join = og_vd_new_op(d, og_vx_run_join);
    join->predicate_mode = OG_VX_PREDICATE_NONE;
  }
  return true;
}

static bool decode_switch(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_switch);
  if (inst->operand_count < 2 || !og_vd_source(d, &inst->operands[1], OG_ALU_U32, 1, og_vd_new_sources(d, op, 1)))
    return og_vd_fail(d, "switchjmp needs an index");
  op->extra = inst->operand_count - 2;
  op->targets = OG_NEW_ARRAY(d->arena, uint32_t, op->extra + 1);
  for (uint32_t i = 0; i < op->extra; i++)
    if (!add_fixup(d, inst->operands[2 + i].variable, &op->targets[i]))
      return false;
  return true;
}

static bool decode_label(struct og_vd *d) {
  uint32_t label = d->inst->operands[0].variable;
  if (label >= d->kernel->labels.count)
    return og_vd_fail(d, "the label is not declared");
  d->label_ops[label] = d->ops.count;
  if (d->joins[label])
    og_vd_new_op(d, og_vx_run_join);
  return true;
}

/* nbarrier.signal has id, type, producers, consumers; wait has the id. */
static bool decode_named_barrier(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  bool signal = inst->operands[0].bits & 1;
  struct og_vx_op *op = og_vd_new_op(d, signal ? og_vx_run_named_signal : og_vx_run_named_wait);
  uint32_t count = signal ? 4 : 1;
  struct og_vx_source *sources = og_vd_new_sources(d, op, count);
  if (inst->operand_count < 1 + count)
    return og_vd_fail(d, "nbarrier has too few operands");
  for (uint32_t i = 0; i < count; i++)
    if (!og_vd_source(d, &inst->operands[1 + i], OG_ALU_U32, 1, &sources[i]))
      return false;
  return true;
}

/* ---- the instruction --------------------------------------------------------------------------------------------- */

static bool decode_instruction(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *operands = inst->operands;
  /*                    operation, sources, exact (see execution_type) */
#define ALU(opcode, ...) \
  case OG_VISA_OP_##opcode: return decode_alu(d, OG_ALU_##__VA_ARGS__);
  switch (inst->opcode) {
    ALU(ADD, ADD, 2, false)
    ALU(AVG, AVG, 2, true)
    ALU(DIV, DIV, 2, true)
    ALU(DIVM, DIV, 2, true)
    ALU(MOD, MOD, 2, true)
    ALU(MAD, MAD, 3, false)
    ALU(MUL, MUL, 2, false)
    ALU(MULH, MULH, 2, true)
    ALU(ADD3, ADD3, 3, false)
    ALU(LRP, LRP, 3, false)
    ALU(POW, POW, 2, false)
    ALU(EXP, EXP, 1, false)
    ALU(LOG, LOG, 1, false)
    ALU(FRC, FRC, 1, false)
    ALU(RNDD, RNDD, 1, false)
    ALU(RNDU, RNDU, 1, false)
    ALU(RNDE, RNDE, 1, false)
    ALU(RNDZ, RNDZ, 1, false)
    ALU(SIN, SIN, 1, false)
    ALU(COS, COS, 1, false)
    ALU(SQRT, SQRT, 1, false)
    ALU(SQRTM, SQRT, 1, false)
    ALU(RSQRT, RSQRT, 1, false)
    ALU(INV, INV, 1, false)
    ALU(LZD, LZD, 1, false)
    ALU(FBL, FBL, 1, false)
    ALU(FBH, FBH, 1, true)
    ALU(CBIT, CBIT, 1, false)
    ALU(BFREV, BFREV, 1, false)
    ALU(BFE, BFE, 3, false)
    ALU(SHL, SHL, 2, false)
    ALU(SHR, SHR, 2, false)
    ALU(ASR, ASR, 2, false)
    ALU(ROL, ROL, 2, false)
    ALU(ROR, ROR, 2, false)
  case OG_VISA_OP_FMINMAX: return decode_alu(d, inst->sub ? OG_ALU_MAX : OG_ALU_MIN, 2, true);
  case OG_VISA_OP_AND: return decode_logic(d, OG_ALU_AND, 0);
  case OG_VISA_OP_OR: return decode_logic(d, OG_ALU_OR, 1);
  case OG_VISA_OP_XOR: return decode_logic(d, OG_ALU_XOR, 2);
  case OG_VISA_OP_NOT: return decode_logic(d, OG_ALU_NOT, 3);
  case OG_VISA_OP_MOV: return decode_move(d);
  case OG_VISA_OP_CMP: return decode_compare(d);
  case OG_VISA_OP_SEL: return decode_select(d);
  case OG_VISA_OP_SETP: return decode_setp(d);
  case OG_VISA_OP_ADDC: return decode_two_results(d, OG_ALU_ADD, OG_ALU_CARRY);
  case OG_VISA_OP_SUBB: return decode_two_results(d, OG_ALU_SUB, OG_ALU_BORROW);
  case OG_VISA_OP_MADW: return decode_madw(d);
  case OG_VISA_OP_BFN: return decode_bfn(d);
  case OG_VISA_OP_BFI: return decode_bfi(d);
  case OG_VISA_OP_DP4A: return decode_dp4a(d);
  case OG_VISA_OP_DP2: return decode_sum_of_products(d, 2);
  case OG_VISA_OP_DP3: return decode_sum_of_products(d, 3);
  case OG_VISA_OP_DP4: return decode_sum_of_products(d, 4);
  case OG_VISA_OP_DPH: return decode_sum_of_products(d, 5);
  case OG_VISA_OP_BF_CVT: return decode_bf_cvt(d);
  case OG_VISA_OP_FCVT: return decode_small_float(d);
  case OG_VISA_OP_SRND: return decode_stochastic(d);
  case OG_VISA_OP_SAD2: return decode_absolute_differences(d, 2);
  case OG_VISA_OP_SAD2ADD: return decode_absolute_differences(d, 3);
  case OG_VISA_OP_LINE: return decode_line(d, false);
  case OG_VISA_OP_PLANE: return decode_line(d, true);
  case OG_VISA_OP_ADDR_ADD: return decode_address_add(d);
  case OG_VISA_OP_MOVS: return decode_move_surface(d);
  case OG_VISA_OP_FADDR: return decode_function_address(d);
  case OG_VISA_OP_SUBROUTINE:
  case OG_VISA_OP_LABEL: return decode_label(d);
  case OG_VISA_OP_GOTO: return decode_goto(d);
  case OG_VISA_OP_JMP: return decode_branch(d, og_vx_run_jump);
  case OG_VISA_OP_CALL: return decode_branch(d, og_vx_run_call);
  case OG_VISA_OP_FCALL: return decode_function_call(d, false);
  case OG_VISA_OP_IFCALL: return decode_function_call(d, true);
  case OG_VISA_OP_SWITCHJMP: return decode_switch(d);
  case OG_VISA_OP_RET:
  case OG_VISA_OP_FRET: {
    struct og_vx_op *op = og_vd_new_op(d, og_vx_run_return);
    op->uniform = op->exec_size == 1;
    return true;
  }
  case OG_VISA_OP_BARRIER: og_vd_new_op(d, og_vx_run_barrier)->kind = 3; return true;
  case OG_VISA_OP_SBARRIER: og_vd_new_op(d, og_vx_run_barrier)->kind = operands[0].bits & 1 ? 1 : 2; return true;
  case OG_VISA_OP_NBARRIER: return decode_named_barrier(d);
  case OG_VISA_OP_FILE:
  case OG_VISA_OP_LOC:
  case OG_VISA_OP_LIFETIME:
  case OG_VISA_OP_FENCE: /* memory is one and in order */
  case OG_VISA_OP_LSC_FENCE:
  case OG_VISA_OP_SAMPLER_CACHE_FLUSH:
  case OG_VISA_OP_YIELD:
  case OG_VISA_OP_WAIT:
  case OG_VISA_OP_BREAKPOINT: return true;
  default: return og_vd_message(d);
  }
#undef ALU
}

/* ---- the kernel -------------------------------------------------------------------------------------------------- */

static void place_variables(struct og_vd *d) {
  const struct og_visa_variables *general = &d->kernel->general;
  struct og_vx_program *program = d->program;
  d->places = OG_NEW_ARRAY(d->arena, uint32_t, general->count + 1);
  d->sizes = OG_NEW_ARRAY(d->arena, uint32_t, general->count + 1);
  uint32_t cursor = 0;
  for (uint32_t i = 0; i < general->count; i++) {
    if (general->items[i].alias)
      continue;
    uint32_t size = og_visa_variable_size(&general->items[i]);
    if (i < OG_VISA_PREDEFINED_COUNT)
      size = OG_MAX(size, i == OG_VISA_V_NULL ? OG_VX_OPERAND_BYTES : program->grf_size);
    d->places[i] = cursor;
    d->sizes[i] = (uint32_t)og_align_up(size, program->grf_size); /* compilers do use the rest of a last register */
    cursor += d->sizes[i];
    if (i < OG_VISA_FIRST_GENERAL)
      program->shared_size = cursor;
  }
  for (uint32_t i = 0; i < general->count; i++) {
    if (!general->items[i].alias)
      continue;
    uint32_t offset, base = og_visa_resolve_alias(d->kernel, i, &offset);
    d->places[i] = d->places[base] + OG_MIN(offset, d->sizes[base]);
    d->sizes[i] = d->sizes[base] - OG_MIN(offset, d->sizes[base]);
  }
  program->register_size = cursor + TAIL;
  program->cr0 = d->places[OG_VISA_V_CR0];
  program->r0 = d->places[OG_VISA_V_R0];
  program->hw_id = d->places[OG_VISA_V_HW_ID];
  program->sr0 = d->places[OG_VISA_V_SR0];
  program->ce0 = d->places[OG_VISA_V_CE0];
  for (uint32_t i = 0; i < 3; i++)
    program->group_id[i] = d->places[OG_VISA_V_GROUP_ID_X + i];
  program->places = d->places;
}

static void place_addresses(struct og_vd *d) {
  const struct og_visa_variables *address = &d->kernel->address;
  d->addresses = OG_NEW_ARRAY(d->arena, uint32_t, address->count + 1);
  for (uint32_t i = 0; i < address->count; i++) {
    d->addresses[i] = d->program->address_count;
    d->program->address_count += address->items[i].elements;
  }
  d->program->address_count += OG_VX_CHANNELS;
}

/* Forward gotos make channels wait at their label. */
static void find_joins(struct og_vd *d) {
  for (uint32_t i = 0; i < d->kernel->insts.count; i++) {
    d->inst = &d->kernel->insts.items[i];
    if (d->inst->opcode != OG_VISA_OP_GOTO)
      continue;
    uint32_t label = d->inst->operands[0].variable;
    if (label < d->kernel->labels.count && !is_backward(d, label))
      d->joins[label] = true;
  }
}

/* For the statistics. */
static uint8_t class_of(const struct og_visa_inst *inst, const struct og_vx_op *op) {
  static const uint8_t spaces[] = {[OG_VX_FLAT] = OG_VISA_CLASS_GLOBAL,     [OG_VX_SLM] = OG_VISA_CLASS_SLM,
                                   [OG_VX_SCRATCH] = OG_VISA_CLASS_SCRATCH, [OG_VX_SURFACE] = OG_VISA_CLASS_SURFACE,
                                   [OG_VX_TABLE] = OG_VISA_CLASS_SURFACE,   [OG_VX_BINDLESS] = OG_VISA_CLASS_SURFACE};
  switch (inst->opcode) {
  case OG_VISA_OP_MOV:
  case OG_VISA_OP_MOVS:
  case OG_VISA_OP_SETP:
  case OG_VISA_OP_ADDR_ADD:
  case OG_VISA_OP_FADDR:
  case OG_VISA_OP_SEL: return OG_VISA_CLASS_MOVE;
  case OG_VISA_OP_DIV:
  case OG_VISA_OP_DIVM:
  case OG_VISA_OP_MOD:
  case OG_VISA_OP_EXP:
  case OG_VISA_OP_LOG:
  case OG_VISA_OP_POW:
  case OG_VISA_OP_SIN:
  case OG_VISA_OP_COS:
  case OG_VISA_OP_SQRT:
  case OG_VISA_OP_SQRTM:
  case OG_VISA_OP_RSQRT:
  case OG_VISA_OP_INV: return OG_VISA_CLASS_MATH;
  case OG_VISA_OP_GOTO:
  case OG_VISA_OP_JMP:
  case OG_VISA_OP_CALL:
  case OG_VISA_OP_RET:
  case OG_VISA_OP_FCALL:
  case OG_VISA_OP_IFCALL:
  case OG_VISA_OP_FRET: case OG_VISA_OP_SWITCHJMP: case OG_VISA_OP_LABEL: case OG_VISA_OP_SUBROUTINE:
    return OG_VISA_CLASS_BRANCH;
  case OG_VISA_OP_BARRIER: case OG_VISA_OP_SBARRIER: case OG_VISA_OP_NBARRIER: return OG_VISA_CLASS_SYNC;
  case OG_VISA_OP_DPAS: case OG_VISA_OP_DPASW: return OG_VISA_CLASS_DPAS;
  case OG_VISA_OP_GATHER4_TYPED:
  case OG_VISA_OP_SCATTER4_TYPED:
  case OG_VISA_OP_TYPED_ATOMIC:
  case OG_VISA_OP_LSC_TYPED:
  case OG_VISA_OP_MEDIA_LD:
  case OG_VISA_OP_MEDIA_ST: case OG_VISA_OP_LOAD_3D: case OG_VISA_OP_SAMPLE_3D: case OG_VISA_OP_INFO_3D:
    return OG_VISA_CLASS_IMAGE;
  default: return op->message ? spaces[op->message->space] : OG_VISA_CLASS_ALU;
  }
}

static bool decode_all(struct og_vd *d) {
  for (uint32_t i = 0; i < d->kernel->insts.count; i++) {
    d->inst = &d->kernel->insts.items[i];
    if (d->inst->predicate.variable >= d->program->predicate_count)
      return og_vd_fail(d, "predicate P%u is not declared", d->inst->predicate.variable);
    if (d->inst->exec_size > OG_VX_CHANNELS)
      return og_vd_fail(d, "an execution size of %u does not exist", d->inst->exec_size);
    uint32_t first = d->ops.count;
    if (!decode_instruction(d))
      return false;
    for (uint32_t k = first; k < d->ops.count; k++)
      d->ops.items[k].class = class_of(d->inst, &d->ops.items[k]);
  }
  static const struct og_visa_inst end = {.exec_size = 1};
  d->inst = &end;
  struct og_vx_op *op = OG_PUSH(d->arena, &d->ops);
  *op = (struct og_vx_op){.run = og_vx_run_end, .exec_size = 1, .full = 1, .name = "end"};
  for (uint32_t i = 0; i < d->fixups.count; i++) {
    uint32_t *slot = d->fixups.items[i].slot;
    *(slot ? slot : &d->ops.items[d->fixups.items[i].op].target) = d->label_ops[d->fixups.items[i].label];
  }
  return true;
}

static uint32_t simd_attribute(const struct og_visa_kernel *kernel) {
  for (uint32_t i = 0; i < kernel->attributes.count; i++)
    if (strcmp(kernel->attributes.items[i].name, "SimdSize") == 0)
      return (uint32_t)kernel->attributes.items[i].value;
  return 0;
}

static struct og_vx_program *decode_program(struct og_vd *from, const struct og_visa_unit *unit,
                                            const struct og_visa_kernel *kernel, struct og_vx_program *program) {
  struct og_arena *arena = from->arena;
  struct og_vd d = {.arena = arena,
                    .diagnostics = from->diagnostics,
                    .visa = unit->visa,
                    .kernel = kernel,
                    .file = unit->file,
                    .alu = og_alu_table(),
                    .program = program,
                    .zebin = from->zebin,
                    .linker = from->linker};
  program->kernel_name = kernel->name;
  program->source = unit->visa->source;
  program->kernel = kernel;
  program->zebin = from->zebin;
  program->file = unit->file;
  program->platform = from->linker->platform;
  program->functions = from->linker->functions;
  program->grf_size = og_visa_platforms[program->platform].grf_size;
  program->simd_size = simd_attribute(kernel);
  program->predicate_count = kernel->predicate.count + 1;
  program->surface_count = kernel->surface.count + OG_VISA_FIRST_SURFACE + kernel->sampler.count + 1;
  place_variables(&d);
  place_addresses(&d);
  d.label_ops = OG_NEW_ARRAY(arena, uint32_t, kernel->labels.count + 1);
  d.joins = OG_NEW_ARRAY(arena, bool, kernel->labels.count + 1);
  find_joins(&d);
  bool fine = decode_all(&d);
  program->ops = d.ops.items;
  program->op_count = d.ops.count;
  program->constant_size = (uint32_t)d.constants.size;
  program->constants = og_arena_alloc(arena, d.constants.size + 64);
  program->constants = (uint8_t *)og_align_up((uintptr_t)program->constants, 64);
  memcpy(program->constants, d.constants.data ? d.constants.data : (const uint8_t *)"", d.constants.size);
  og_buffer_free(&d.constants);
  return fine ? program : NULL;
}

struct og_vx_program *og_vx_decode(struct og_arena *arena, const struct og_visa_unit *units, uint32_t unit_count,
                                   const struct og_visa_kernel *kernel, int platform, struct og_zebin *zebin,
                                   struct og_diagnostics *diagnostics) {
  struct og_vd_linker linker = {.units = units,
                                .unit_count = unit_count,
                                .platform = platform,
                                .functions = OG_NEW(arena, struct og_vx_functions)};
  struct og_vd start = {.arena = arena, .diagnostics = diagnostics, .zebin = zebin, .linker = &linker};
  return decode_program(&start, &units[0], kernel, OG_NEW(arena, struct og_vx_program));
}
