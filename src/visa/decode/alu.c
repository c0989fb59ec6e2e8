/* alu.c - makes operations of arithmetic, moves, comparisons and predicate instructions. */
#include "visa/decode/decoder.h"

static bool plain_scalar(const struct og_vx_source *source) {
  return source->kind == OG_VX_SCALAR && !source->convert && !source->absolute && !source->negate && !source->invert;
}

static bool uniform_constant(const struct og_vd *d, const struct og_vx_source *source) {
  uint8_t type = d->inst->operands[1 + (source - d->ops.items[d->ops.count - 1].source)].type;
  return source->kind == OG_VX_DIRECT && source->base == OG_VX_CONSTANTS && type != OG_VISA_V && type != OG_VISA_UV &&
         type != OG_VISA_VF;
}

/* Sets the fields that handlers of operands in place look at. */
static void set_places(struct og_vx_op *op) {
  for (uint32_t i = 0; i < op->source_count && i < 3; i++) {
    op->in[i] = op->source[i].offset;
    op->in_base[i] = op->source[i].base;
  }
  op->out = op->destination.offset;
  op->out_log2 = op->destination.size_log2;
}

/* One source in place; the other one is a single element for all channels. */
static bool pick_one_scalar(const struct og_vd *d, struct og_vx_op *op, enum og_alu_op which, uint8_t wide) {
  for (uint32_t i = 0; i < 2; i++) {
    og_alu_fn *fn = (i ? d->alu->scalar_b : d->alu->scalar_a)[which][wide];
    if (fn && (plain_scalar(&op->source[i]) || uniform_constant(d, &op->source[i])) &&
        og_vd_in_place(&op->source[1 - i]) &&
        (op->source[i].base == OG_VX_CONSTANTS || op->source[i].offset + og_alu_sizes[wide] <= op->destination.offset ||
         op->source[i].offset >= op->destination.offset + ((uint32_t)op->exec_size << op->destination.size_log2))) {
      op->alu = fn;
      op->run = og_vx_run_alu2;
      return true;
    }
  }
  return false;
}

/* add3 of 32-bit integers, two of which are a single element for all channels. */
static bool pick_two_scalars(const struct og_vd *d, struct og_vx_op *op, enum og_alu_op which, uint8_t wide) {
  if (which != OG_ALU_ADD3 || (wide != OG_ALU_U32 && wide != OG_ALU_S32))
    return false;
  for (uint32_t i = 0; i < 3; i++) {
    const struct og_vx_source *a = &op->source[(i + 1) % 3], *b = &op->source[(i + 2) % 3];
    if (!og_vd_in_place(&op->source[i]) || !(plain_scalar(a) || uniform_constant(d, a)) ||
        !(plain_scalar(b) || uniform_constant(d, b)))
      continue;
    const struct og_vx_source *in[3] = {a, b, &op->source[i]};
    for (uint32_t k = 0; k < 3; k++)
      op->in[k] = in[k]->offset, op->in_base[k] = in[k]->base;
    op->alu = d->alu->scalar_b[OG_ALU_ADD][wide];
    op->run = og_vx_run_add_scalars;
    return true;
  }
  return false;
}

/* The fast handlers need all operands in place. If the destination overlaps a source without being the same, the slow
   handler is needed, which reads everything first. */
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
    if (overlaps && (source->offset != op->destination.offset || source_bytes != bytes) && og_vd_in_place(source))
      op->destination.direct = false;
  }
  fast &= op->destination.direct;
  for (uint32_t i = 0; i < op->source_count; i++)
    fast &= og_vd_in_place(&op->source[i]);
  set_places(op);
  if (op->exec_size > 1 && op->destination.direct && op->source_count == 2 && pick_one_scalar(d, op, which, wide))
    return;
  if (op->exec_size > 1 && op->destination.direct && op->source_count == 3 && pick_two_scalars(d, op, which, wide))
    return;
  static og_vx_handler *const handlers[] = {og_vx_run_alu, og_vx_run_alu1, og_vx_run_alu2, og_vx_run_alu3};
  op->run = fast ? handlers[op->source_count] : og_vx_run_alu;
}

static bool no_such_types(struct og_vd *d) {
  return og_vd_fail(d, "%s is not executed on these types", og_visa_mnemonic(d->inst));
}

/* The name of a saturating 64-bit operation. */
static enum og_alu_op saturating(enum og_alu_op which) {
  switch (which) {
  case OG_ALU_ADD: return OG_ALU_SATURATING_ADD;
  case OG_ALU_MUL: return OG_ALU_SATURATING_MUL;
  case OG_ALU_MAD: return OG_ALU_SATURATING_MAD;
  case OG_ALU_SHL: return OG_ALU_SATURATING_SHL;
  default: return which; /* these never leave the range */
  }
}

static bool decode_alu(struct og_vd *d, enum og_alu_op which, uint32_t source_count, bool exact) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *operands = inst->operands;
  uint8_t to = og_vd_storage_type(operands[0].type);
  bool saturate = inst->saturate && !og_vd_is_float(to);
  uint8_t wide = og_vd_execution_type(operands + 1, source_count, to, exact || saturate, saturate);
  if (which == OG_ALU_SHR || which == OG_ALU_ASR || which == OG_ALU_SHL || which == OG_ALU_ROL || which == OG_ALU_ROR) {
    bool both = og_alu_sizes[wide] == 8; /* the value's sign counts, the distance's does not */
    wide = which == OG_ALU_ASR ? (both ? OG_ALU_S64 : OG_ALU_S32)
           : which == OG_ALU_SHL && saturate
               ? (og_vd_is_signed(og_vd_storage_type(operands[1].type)) ? OG_ALU_S64 : OG_ALU_U64)
               : (both ? OG_ALU_U64 : OG_ALU_U32);
  }
  if (which == OG_ALU_ROL || which == OG_ALU_ROR) /* words rotate within 16 bits */
    which = og_alu_sizes[to] == 2 ? (which == OG_ALU_ROL ? OG_ALU_ROL16 : OG_ALU_ROR16) : which;
  if (saturate && og_alu_sizes[to] == 8)
    which = saturating(which);
  og_alu_fn *fn = d->alu->op[which][wide];
  if (!fn)
    return no_such_types(d);
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
    return og_vd_predicate(d, from, &op->predicate_source) &&
           og_vd_destination(d, to, OG_ALU_U32, false, op->exec_size, &op->destination);
  }
  if (from->kind == OG_VISA_ADDRESS_OF)
    return decode_address_add(d);
  if (from->kind == OG_VISA_ADDRESS || to->kind == OG_VISA_ADDRESS) {
    struct og_vx_op *op = og_vd_new_op(d, og_vx_run_move_address);
    op->kind = from->kind == OG_VISA_ADDRESS;
    if (op->kind)
      return og_vd_address(d, from, op->exec_size, &op->predicate_source) &&
             og_vd_destination(d, to, OG_ALU_U32, false, op->exec_size, &op->destination);
    return og_vd_source(d, from, OG_ALU_U32, op->exec_size, og_vd_new_sources(d, op, 1)) &&
           og_vd_address(d, to, op->exec_size, &op->predicate_destination);
  }
  uint8_t source_type = og_vd_storage_type(from->type), type = og_vd_storage_type(to->type);
  if (inst->saturate || from->modifier != OG_VISA_MODIFIER_NONE) {
    bool exact = inst->saturate && !og_vd_is_float(type);
    uint8_t wide =
        og_vd_execution_type(from, 1, exact || og_vd_is_float(source_type) ? OG_ALU_U32 : type, exact, exact);
    if (og_vd_is_float(source_type) && !og_vd_is_float(type))
      wide = og_vd_widen(source_type);
    struct og_vx_op *op = og_vd_new_op(d, og_vx_run_alu);
    op->alu = d->alu->op[OG_ALU_COPY][wide];
    if (!op->alu)
      return no_such_types(d);
    if (!og_vd_source(d, from, wide, op->exec_size, og_vd_new_sources(d, op, 1)))
      return false;
    if (!og_vd_is_float(wide) && og_vd_is_float(type) && inst->saturate) { /* an integer is clamped as a float */
      op->alu = d->alu->convert[wide][type == OG_ALU_F64 ? OG_ALU_F64 : OG_ALU_F32];
      wide = type == OG_ALU_F64 ? OG_ALU_F64 : OG_ALU_F32;
    }
    if (!og_vd_destination(d, to, wide, inst->saturate, op->exec_size, &op->destination))
      return false;
    pick_alu_handler(d, op, OG_ALU_COPY, OG_ALU_U32);
    return true;
  }
  /* A plain move converts directly from the source's type to the destination's. */
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
  if (plain_scalar(a) && (plain_scalar(b) || constant)) { /* one result for all */
    op->kind = 1;
    op->run = og_vx_run_compare2;
  } else if (og_vd_in_place(a) && og_vd_in_place(b) && !constant) {
    op->run = og_vx_run_compare2;
  } else if (og_vd_in_place(a) && (plain_scalar(b) || constant)) {
    op->alu = d->alu->scalar_b[which][wide];
    op->run = og_vx_run_compare2;
  } else if (og_vd_in_place(b) && plain_scalar(a)) {
    op->alu = d->alu->scalar_a[which][wide];
    op->run = og_vx_run_compare2;
  }
}

static bool decode_compare(struct og_vd *d) {
  static const enum og_alu_op which[] = {OG_ALU_CMP_EQ, OG_ALU_CMP_NE, OG_ALU_CMP_GT,
                                         OG_ALU_CMP_GE, OG_ALU_CMP_LT, OG_ALU_CMP_LE};
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *to = &inst->operands[0];
  if (inst->compare >= OG_COUNT(which))
    return og_vd_fail(d, "cmp without a relation");
  uint8_t wide = og_vd_execution_type(inst->operands + 1, 2, OG_ALU_U32, true, false);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_compare);
  op->alu = d->alu->op[which[inst->compare]][wide];
  if (!op->alu)
    return no_such_types(d);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  if (!og_vd_source(d, &inst->operands[1], wide, op->exec_size, &sources[0]) ||
      !og_vd_source(d, &inst->operands[2], wide, op->exec_size, &sources[1]))
    return false;
  if (to->kind == OG_VISA_PREDICATE)
    return pick_compare_handler(d, op, which[inst->compare], wide), og_vd_predicate(d, to, &op->predicate_destination);
  op->run = og_vx_run_compare_store;
  return og_vd_destination(d, to, og_vd_storage_type(to->type), false, op->exec_size, &op->destination);
}

static bool decode_select(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  if (!inst->predicate.variable)
    return og_vd_fail(d, "sel needs a predicate");
  uint8_t to = og_vd_storage_type(inst->operands[0].type);
  bool saturate = inst->saturate && !og_vd_is_float(to);
  uint8_t wide = og_vd_execution_type(inst->operands + 1, 2, to, saturate, saturate);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_select);
  op->alu = d->alu->op[OG_ALU_SEL][wide];
  if (!op->alu)
    return no_such_types(d);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  if (!og_vd_source(d, &inst->operands[1], wide, op->exec_size, &sources[0]) ||
      !og_vd_source(d, &inst->operands[2], wide, op->exec_size, &sources[1]) ||
      !og_vd_destination(d, &inst->operands[0], wide, inst->saturate, op->exec_size, &op->destination))
    return false;
  pick_alu_handler(d, op, OG_ALU_SEL, wide); /* as it checks for overlaps */
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
  return og_vd_predicate(d, &inst->operands[0], &op->predicate_destination) &&
         og_vd_predicate(d, &inst->operands[1], &op->predicate_source) &&
         og_vd_predicate(d, &inst->operands[sources], &op->predicate_source2);
}

static bool decode_setp(struct og_vd *d) {
  const struct og_visa_operand *from = &d->inst->operands[1];
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_setp);
  struct og_vx_source *source = og_vd_new_sources(d, op, 1);
  if (!og_vd_predicate(d, &d->inst->operands[0], &op->predicate_destination) ||
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

/* madw: the high halves are behind the low ones, from the next register on; both have the destination's stride. */
static bool decode_madw(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_visa_operand high = operands[0];
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_two_results);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 3);
  uint8_t wide = og_vd_execution_type(operands + 1, 3, OG_ALU_U32, false, false);
  op->alu = d->alu->op[OG_ALU_MAD][wide];
  op->alu2 = d->alu->op[OG_ALU_MADH][wide];
  if (!op->alu || !op->alu2)
    return no_such_types(d);
  for (uint32_t i = 0; i < 3; i++)
    if (!og_vd_source(d, &operands[1 + i], wide, op->exec_size, &sources[i]))
      return false;
  uint32_t rows = (4u * op->exec_size + d->program->grf_size - 1) / d->program->grf_size;
  if (high.kind != OG_VISA_GENERAL || high.row + rows > UINT8_MAX)
    return og_vd_fail(d, "madw needs a general destination with room for both halves");
  high.row = (uint8_t)(high.row + rows);
  return og_vd_destination(d, &operands[0], wide, false, op->exec_size, &op->destination) &&
         og_vd_destination(d, &high, wide, false, op->exec_size, &op->destination2);
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
  d->ops.items[first].extra = (og_vd_is_signed(og_vd_storage_type(operands[2].type)) ? 1u : 0) |
                              (og_vd_is_signed(og_vd_storage_type(operands[3].type)) ? 2u : 0);
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
  uint8_t to = og_vd_storage_type(operands[0].type), from = og_vd_storage_type(operands[1].type);
  bool narrowing = from == OG_ALU_F32;
  struct og_visa_operand source = operands[1]; /* with its real type, so that its sign can be changed */
  if (narrowing ? og_alu_sizes[to] != 2 : to != OG_ALU_F32 || og_alu_sizes[from] != 2)
    return no_such_types(d);
  if (!narrowing)
    source.type = OG_VISA_BF;
  op->alu = narrowing ? d->alu->convert[OG_ALU_F32][OG_ALU_BF16] : d->alu->op[OG_ALU_COPY][OG_ALU_F32];
  if (!og_vd_source(d, &source, OG_ALU_F32, op->exec_size, og_vd_new_sources(d, op, 1)) ||
      !og_vd_destination(d, &operands[0], to, false, op->exec_size, &op->destination))
    return false;
  pick_alu_handler(d, op, OG_ALU_COPY, OG_ALU_U32);
  return true;
}

/* Whether sums of three can be made in 64 bits: if all are integers of fewer bits. */
static bool fits_sums(const struct og_vd *d, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; i++) {
    uint8_t type = og_vd_storage_type(d->inst->operands[i].type);
    if (og_alu_sizes[type] == 8 || og_vd_is_float(type))
      return false;
  }
  return true;
}

/* sad2, sad2add: pairs of bytes to words. */
static bool decode_absolute_differences(struct og_vd *d, uint32_t count) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_absolute_differences);
  struct og_vx_source *sources = og_vd_new_sources(d, op, count);
  if (op->exec_size % 2)
    return og_vd_fail(d, "%s works on pairs of channels", og_visa_mnemonic(d->inst));
  if (!fits_sums(d, 1, count))
    return no_such_types(d);
  for (uint32_t i = 0; i < count; i++)
    if (!og_vd_source(d, &operands[1 + i], OG_ALU_S64, op->exec_size, &sources[i]))
      return false;
  return og_vd_destination(d, &operands[0], OG_ALU_S64, d->inst->saturate, op->exec_size, &op->destination);
}

/* `count` elements side by side from the operand's first one on, whatever its region. */
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

/* add3.o: it sets the predicate in the place of one that would control it. */
static bool decode_add3_overflow(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_add3_overflow);
  struct og_vx_source *sources = og_vd_new_sources(d, op, 3);
  uint8_t type = og_vd_storage_type(operands[0].type);
  op->predicate_mode = OG_VX_PREDICATE_NONE;
  op->predicate_destination = d->inst->predicate.variable;
  op->extra = 8u * og_alu_sizes[type];
  op->kind = og_vd_is_signed(type);
  if (!op->predicate_destination)
    return og_vd_fail(d, "add3.o needs a predicate to set");
  if (!fits_sums(d, 0, 4))
    return no_such_types(d);
  for (uint32_t i = 0; i < 3; i++)
    if (!og_vd_source(d, &operands[1 + i], OG_ALU_S64, op->exec_size, &sources[i]))
      return false;
  return og_vd_destination(d, &operands[0], OG_ALU_S64, d->inst->saturate, op->exec_size, &op->destination);
}

/* invm, rsqtm: destination, predicate, sources. */
static bool decode_math_macro(struct og_vd *d, enum og_alu_op which, uint32_t count) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_math_macro);
  uint8_t wide = og_vd_execution_type(operands + 2, count, og_vd_storage_type(operands[0].type), false, false);
  struct og_vx_source *sources = og_vd_new_sources(d, op, count);
  op->alu = d->alu->op[which][wide];
  if (!op->alu)
    return no_such_types(d);
  for (uint32_t i = 0; i < count; i++)
    if (!og_vd_source(d, &operands[2 + i], wide, op->exec_size, &sources[i]))
      return false;
  return og_vd_predicate(d, &operands[1], &op->predicate_destination) &&
         og_vd_destination(d, &operands[0], wide, false, op->exec_size, &op->destination);
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

/* addr_add; and mov of an address, which adds nothing. */
static bool decode_address_add(struct og_vd *d) {
  static const struct og_visa_operand zero = {.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UW};
  const struct og_visa_operand *operands = d->inst->operands,
                               *offset = d->inst->operand_count > 2 ? &operands[2] : &zero;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_address);
  if (operands[0].kind != OG_VISA_ADDRESS)
    return og_vd_fail(d, "an address goes into an address variable only");
  if (!og_vd_address(d, &operands[0], op->exec_size, &op->predicate_destination) ||
      !og_vd_source(d, offset, OG_ALU_U32, op->exec_size, og_vd_new_sources(d, op, 1)))
    return false;
  if (operands[1].kind == OG_VISA_ADDRESS) {
    op->target = OG_MIN(op->exec_size, operands[1].width && operands[1].width != OG_VISA_STRIDE_NONE ? operands[1].width
                                                                                                     : op->exec_size);
    return og_vd_address(d, &operands[1], op->target, &op->predicate_source);
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

/* The number of a surface or sampler variable among the thread's. */
uint32_t og_vd_state(const struct og_vd *d, const struct og_visa_operand *operand) {
  uint32_t surfaces = d->kernel->surface.count + OG_VISA_FIRST_SURFACE;
  uint32_t place = operand->state_class == 'S' ? surfaces + operand->variable : operand->variable;
  return OG_MIN(place, d->program->surface_count - 1);
}

static bool decode_move_surface(struct og_vd *d) {
  const struct og_visa_operand *to = &d->inst->operands[0], *from = &d->inst->operands[1];
  bool into = to->kind == OG_VISA_STATE, out = from->kind == OG_VISA_STATE;
  if (!into && !out)
    return decode_move(d);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_move_surface);
  op->kind = into && out ? 2 : out ? 1 : 0;
  if (into)
    op->predicate_destination = og_vd_state(d, to);
  if (out)
    op->predicate_source = og_vd_state(d, from);
  if (!into)
    return og_vd_destination(d, to, OG_ALU_U32, false, op->exec_size, &op->destination);
  return out || og_vd_source(d, from, OG_ALU_U32, 1, og_vd_new_sources(d, op, 1));
}

/* Decodes an instruction that computes or moves; others are messages. */
bool og_vd_arithmetic(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  /*                    operation, sources, exact (see og_vd_execution_type) */
#define ALU(opcode, ...)                                                                                               \
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
  case OG_VISA_OP_INVM: return decode_math_macro(d, OG_ALU_DIV, 2);
  case OG_VISA_OP_RSQTM: return decode_math_macro(d, OG_ALU_RSQRT, 1);
  case OG_VISA_OP_ADD3O: return decode_add3_overflow(d);
  case OG_VISA_OP_BF_CVT: return decode_bf_cvt(d);
  case OG_VISA_OP_FCVT: return decode_small_float(d);
  case OG_VISA_OP_SRND: return decode_stochastic(d);
  case OG_VISA_OP_SAD2: return decode_absolute_differences(d, 2);
  case OG_VISA_OP_SAD2ADD: return decode_absolute_differences(d, 3);
  case OG_VISA_OP_LINE: return decode_line(d, false);
  case OG_VISA_OP_PLANE: return decode_line(d, true);
  case OG_VISA_OP_ADDR_ADD: return decode_address_add(d);
  case OG_VISA_OP_MOVS: return decode_move_surface(d);
  default: return og_vd_message(d);
  }
#undef ALU
}
