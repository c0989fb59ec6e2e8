/* read_special.c - the text of instructions that no template describes: LSC, dpas, sampler, switchjmp and a few
 * more. */
#include "visa/text/reader.h"

#include <string.h>

static struct og_visa_operand value_operand(uint64_t bits) {
  return (struct og_visa_operand){.kind = OG_VISA_VALUE, .bits = bits};
}
static struct og_visa_operand immediate_operand(uint64_t bits, uint8_t type) {
  return (struct og_visa_operand){.kind = OG_VISA_IMMEDIATE, .type = type, .bits = bits};
}
static struct og_visa_operand *allocate(struct og_visa_reader *r, struct og_visa_inst *inst, unsigned count) {
  inst->operand_count = (uint8_t)count;
  return inst->operands = OG_NEW_ARRAY(r->arena, struct og_visa_operand, count);
}

/* ---- small ones ---- */

static bool read_file(struct og_visa_reader *r, struct og_visa_inst *inst) {
  struct og_text name;
  if (!og_visa_string(r, &name))
    return false;
  allocate(r, inst, 1)[0] = value_operand(og_visa_intern(r, name));
  return true;
}

static bool read_lifetime(struct og_visa_reader *r, struct og_visa_inst *inst) {
  static const char *const ends[] = {"start", "end", NULL};
  struct og_visa_operand *operands = allocate(r, inst, 2);
  int end;
  if (!og_visa_read_suffix(r, ends, &end))
    return og_visa_fail(r, r->p, "expected .start or .end");
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *symbol = og_visa_symbol(r, name);
  const char *class = symbol ? strchr("GAP", symbol->class) : NULL;
  if (!class)
    return og_visa_fail(r, name.data, "'%.*s' is not a general, address or predicate variable", OG_TEXT_ARGS(name));
  operands[0] = value_operand((unsigned)end | (unsigned)(class == strchr("GAP", 'G') ? 0
                                                         : symbol->class == 'A'      ? 1
                                                                                     : 2)
                                                  << 4);
  operands[1] = value_operand(symbol->index);
  return true;
}

/* nbarrier.wait id; .signal id threads; .signal id type producers consumers */
static bool read_nbarrier(struct og_visa_reader *r, struct og_visa_inst *inst) {
  static const char *const modes[] = {"wait", "signal", NULL};
  struct og_visa_operand *operands = allocate(r, inst, 5);
  int signal;
  if (!og_visa_read_suffix(r, modes, &signal))
    return og_visa_fail(r, r->p, "expected .signal or .wait");
  operands[0] = value_operand((unsigned)signal);
  for (unsigned i = 2; i < 5; i++)
    operands[i] = immediate_operand(0, i == 2 ? OG_VISA_UW : OG_VISA_UB);
  if (!og_visa_read_operand(r, 'S', 0, &operands[1]))
    return false;
  if (!signal)
    return true;
  if (!og_visa_read_operand(r, 'S', 0, &operands[3]))
    return false;
  operands[4] = operands[3];
  if (at_end_of_line(r))
    return true;
  operands[2] = operands[3];
  return og_visa_read_operand(r, 'S', 0, &operands[3]) && og_visa_read_operand(r, 'S', 0, &operands[4]);
}

static bool read_switchjmp(struct og_visa_reader *r, struct og_visa_inst *inst) {
  struct og_visa_operand operands[34] = {{0}};
  unsigned count = 2;
  if (!og_visa_read_exec(r, inst) || !og_visa_read_operand(r, 'S', SCALAR, &operands[1]) ||
      !og_visa_expect(r, '(', "and the labels"))
    return false;
  do {
    if (count == OG_COUNT(operands))
      return og_visa_fail(r, r->p, "switchjmp has at most 32 labels");
    if (!og_visa_read_operand(r, 'L', 0, &operands[count++]))
      return false;
  } while (take(r, ','));
  operands[0] = value_operand(count - 2);
  memcpy(allocate(r, inst, count), operands, count * sizeof *operands);
  return og_visa_expect(r, ')', "after the labels");
}

static bool read_dpas(struct og_visa_reader *r, struct og_visa_inst *inst) {
  struct og_visa_operand *operands = allocate(r, inst, 5);
  int weights, activations;
  int64_t depth, count;
  const char *from = r->p;
  if (!og_visa_read_suffix(r, og_visa_precision_names, &weights) ||
      !og_visa_read_suffix(r, og_visa_precision_names, &activations))
    return og_visa_fail(r, from, "expected two precisions out of u1 s1 u2 s2 u4 s4 u8 s8 bf hf tf32, as in .s8.u8");
  if (!og_visa_expect(r, '.', "and the depth") || !og_visa_number(r, 8, "depth", &depth) ||
      !og_visa_expect(r, '.', "and the repeat count") || !og_visa_number(r, 8, "repeat count", &count))
    return false;
  inst->dpas = (struct og_visa_dpas){(uint8_t)weights, (uint8_t)activations, (uint8_t)depth, (uint8_t)count};
  if (!og_visa_read_exec(r, inst))
    return false;
  for (unsigned i = 0; i < 3; i++)
    if (!og_visa_read_operand(r, 'R', 0, &operands[i]))
      return false;
  if (!og_visa_read_operand(r, 'v', 0, &operands[3]))
    return false;
  operands[3].vertical = operands[3].width = 1;
  operands[4] = value_operand((uint64_t)(weights | activations << 8 | depth << 16 | count << 24));
  return true;
}

/* ---- 3D sampler ---- */

static bool keyword(struct og_visa_reader *r, const char *name) {
  const char *const names[] = {name, NULL};
  int index;
  return og_visa_read_suffix(r, names, &index);
}

static bool read_raw_list(struct og_visa_reader *r, struct og_visa_operand *operands, unsigned *count) {
  while (!at_end_of_line(r)) {
    if (*count == 24)
      return og_visa_fail(r, r->p, "too many parameters");
    if (!og_visa_read_operand(r, 'R', 0, &operands[(*count)++]))
      return false;
  }
  return true;
}

/* name[.pixel_null_mask][.cps][.divS].RGBA (exec) offsets [sampler] surface dst parameters */
static bool read_sample(struct og_visa_reader *r, struct og_visa_inst *inst) {
  struct og_visa_operand operands[24] = {{0}};
  bool with_sampler = inst->opcode != OG_VISA_OP_LOAD_3D;
  uint64_t op = inst->sub, channels;
  op |= keyword(r, "pixel_null_mask") ? 0x20 : 0;
  op |= keyword(r, "cps") ? 0x40 : 0;
  op |= keyword(r, "divS") ? 0x80 : 0;
  if (!og_visa_read_channels(r, &channels))
    return false;
  operands[0] = value_operand(op);
  operands[1] = value_operand(inst->opcode == OG_VISA_OP_GATHER4_3D ? (uint64_t)__builtin_ctzll(channels) : channels);
  unsigned count = 2;
  if (!og_visa_read_exec(r, inst) || !og_visa_read_operand(r, 'S', SCALAR, &operands[count++]) ||
      (with_sampler && !og_visa_read_operand(r, 'M', 0, &operands[count++])) ||
      !og_visa_read_operand(r, 'T', 0, &operands[count++]) || !og_visa_read_operand(r, 'R', 0, &operands[count++]) ||
      !read_raw_list(r, operands, &count))
    return false;
  memcpy(allocate(r, inst, count), operands, count * sizeof *operands);
  return true;
}

/* resinfo.RGBA (exec) surface lod dst; sampleinfo.RGBA (exec) surface dst */
static bool read_info(struct og_visa_reader *r, struct og_visa_inst *inst) {
  struct og_visa_operand *operands = allocate(r, inst, 5);
  uint64_t channels;
  if (!og_visa_read_channels(r, &channels) || !og_visa_read_exec(r, inst) ||
      !og_visa_read_operand(r, 'T', 0, &operands[2]))
    return false;
  operands[0] = value_operand(inst->sub);
  operands[1] = value_operand(channels);
  operands[3].kind = OG_VISA_RAW;
  if (inst->sub == 10 && !og_visa_read_operand(r, 'R', 0, &operands[3]))
    return false;
  return og_visa_read_operand(r, 'R', 0, &operands[4]);
}

static bool read_rt_write(struct og_visa_reader *r, struct og_visa_inst *inst) {
  static const char *const modes[] = {"RTI", "A", "O", "Z", "ST", "LRTW", "CPS", "PS", "CM", "SI", "NULLRT", NULL};
  struct og_visa_operand operands[24] = {{0}};
  uint64_t mode = 0;
  if (take(r, '.'))
    while (take(r, '<')) {
      const char *from = r->p;
      int bit = og_visa_find_name(modes, og_visa_word(r));
      if (bit < 0)
        return og_visa_fail(r, from, "expected RTI, A, O, Z, ST, LRTW, CPS, PS, CM, SI or NULLRT");
      mode |= 4u << bit;
      if (!og_visa_expect(r, '>', "after the option"))
        return false;
    }
  operands[0] = value_operand(mode);
  unsigned count = 2;
  if (!og_visa_read_exec(r, inst) || !og_visa_read_operand(r, 'T', 0, &operands[1]) ||
      !read_raw_list(r, operands, &count))
    return false;
  memcpy(allocate(r, inst, count), operands, count * sizeof *operands);
  return true;
}

/* ---- LSC ---- */

static bool take_number(const char **p, const char *end, unsigned limit, unsigned *value) {
  const char *from = *p;
  *value = 0;
  for (; *p < end && is_digit(**p) && *value <= limit; (*p)++)
    *value = *value * 10 + (unsigned)(**p - '0');
  return *p > from && *value <= limit;
}

/* x elements for each address, and t, behind the datum's size */
static bool elements_shape(const char *p, const char *end, struct og_visa_lsc *lsc) {
  unsigned elements = 1;
  if (p < end && *p == 'x') {
    p++;
    if (!take_number(&p, end, 64, &elements))
      return false;
  }
  if (!elements || (elements != 3 && (elements & (elements - 1))))
    return false;
  lsc->elements = (uint8_t)elements;
  lsc->transposed = p < end && *p == 't';
  return p + lsc->transposed == end;
}

static bool channels_shape(const char *p, const char *end, struct og_visa_lsc *lsc) {
  static const char letters[] = "xyzw";
  lsc->elements = 1;
  for (unsigned bit = 0; bit < 4 && p < end; bit++)
    if (*p == letters[bit])
      lsc->channels |= (uint8_t)(1u << bit), p++;
  return p == end && lsc->channels;
}

/* [blocks x] width x height and nn nt tn tt */
static bool block_shape(const char *p, const char *end, struct og_visa_lsc *lsc) {
  unsigned numbers[3], count = 0;
  do {
    if (!take_number(&p, end, 0xffff, &numbers[count++]))
      return false;
  } while (count < 3 && p < end && *p == 'x' && p++);
  if (count < 2)
    return false;
  unsigned blocks = count == 3 ? numbers[0] : 1;
  if (blocks > 255)
    return false;
  lsc->elements = 1;
  lsc->blocks = (uint8_t)blocks;
  lsc->block_width = (uint16_t)numbers[count - 2];
  lsc->block_height = (uint16_t)numbers[count - 1];
  if (p < end && (*p == 'n' || *p == 't'))
    lsc->transposed = *p++ == 't';
  if (p < end && (*p == 'n' || *p == 't'))
    lsc->vnni = *p++ == 't';
  return p == end;
}

/* :d32x4t, :d32.xyz, :d16.2x8x8nt */
static bool data_shape(struct og_visa_reader *r, bool block2d, struct og_visa_lsc *lsc) {
  const char *from = r->p;
  if (!og_visa_expect(r, ':', "and the data's size"))
    return false;
  const char *word = r->p;
  while (is_word(peek(r)))
    r->p++;
  const char *shape = r->p;
  for (const char *p = word + 1; p <= r->p; p++) { /* the longest name that fits ends before x, t or the end */
    struct og_text name = {word + 1, (size_t)(p - word - 1)};
    for (unsigned i = 1; og_visa_data_size_names[i]; i++)
      if (og_text_is(name, og_visa_data_size_names[i] + 1) && (word[0] == 'd' || word[0] == 'u'))
        lsc->data_size = (uint8_t)i, shape = p;
    if (p == r->p || *p == 'x' || *p == 't')
      break;
  }
  if (!lsc->data_size)
    return og_visa_fail(r, from, "expected d8, d16, d32, d64, d8c32, d16c32 or d16c32h");
  const char *rest = shape;
  bool good;
  if (rest == r->p && peek(r) == '.') {
    rest = ++r->p;
    while (is_word(peek(r)))
      r->p++;
    good = block2d ? block_shape(rest, r->p, lsc) : channels_shape(rest, r->p, lsc);
  } else {
    good = !block2d && elements_shape(rest, r->p, lsc);
  }
  return good || og_visa_fail(r, from, "expected %s", block2d ? "a block's shape, as in :d16.2x8x16nn"
                                                              : "x1 x2 x3 x4 x8 x16 x32 x64 with t, or channels .xyzw");
}

static bool data_operand(struct og_visa_reader *r, bool block2d, struct og_visa_lsc *lsc,
                         struct og_visa_operand *operand) {
  return og_visa_read_operand(r, 'R', 0, operand) && data_shape(r, block2d, lsc);
}

/* A register or a number, which surfaces and pitches may be. V.3 is V(0,3). */
static bool register_or_number(struct og_visa_reader *r, struct og_visa_operand *operand) {
  skip(r);
  const char *from = r->p;
  int64_t value;
  if (is_letter(peek(r)) || (peek(r) == '%' && !(r->end - r->p > 7 && memcmp(r->p, "%sizeof", 7) == 0))) {
    if (!og_visa_read_operand(r, 'v', 0, operand))
      return false;
    if (operand->kind != OG_VISA_GENERAL)
      return og_visa_fail(r, from, "expected a general variable or a number");
    if (peek(r) == '.' && is_digit(peek_at(r, 1))) {
      r->p++;
      if (!og_visa_unary(r, &value) || value > 255)
        return og_visa_fail(r, from, "element is not in 0..255");
      operand->column = (uint16_t)value;
    }
    return true;
  }
  if (!og_visa_expression(r, false, &value))
    return false;
  if (value < INT32_MIN || value > (int64_t)UINT32_MAX)
    return og_visa_fail(r, from, "number does not fit 32 bits");
  *operand = immediate_operand((uint32_t)value, OG_VISA_UD);
  operand->at = place(r, from);
  operand->size = (uint32_t)(r->p - from);
  return true;
}

/* flat, arg, bss(...), ss(...), bti(...); nothing means flat */
static bool address_model(struct og_visa_reader *r, struct og_visa_lsc *lsc, struct og_visa_operand *surface) {
  skip(r);
  lsc->address_kind = OG_VISA_FLAT;
  *surface = immediate_operand(0, OG_VISA_UD);
  if (peek(r) == '[')
    return true;
  const char *from = r->p;
  int kind = og_visa_find_name(og_visa_address_names, og_visa_word(r));
  if (kind < 1)
    return og_visa_fail(r, from, "expected an address: flat[..], bti(..)[..], ss(..)[..], bss(..)[..] or arg[..]");
  lsc->address_kind = (uint8_t)kind;
  if (kind == OG_VISA_FLAT || kind == OG_VISA_ARG)
    return true;
  return og_visa_expect(r, '(', "and the surface") && register_or_number(r, surface) &&
         og_visa_expect(r, ')', "after the surface");
}

static bool address_size(struct og_visa_reader *r, struct og_visa_lsc *lsc) {
  static const char *const sizes[] = {"a16", "a32", "a64", NULL};
  const char *from = r->p;
  int size = og_visa_expect(r, ':', "and the addresses' size") ? og_visa_find_name(sizes, og_visa_word(r)) : -1;
  if (size < 0)
    return og_visa_fail(r, from, "expected :a16, :a32 or :a64");
  lsc->address_size = (uint8_t)(2u << size);
  return true;
}

static bool scale_factor(struct og_visa_reader *r, struct og_visa_lsc *lsc) {
  int64_t scale = 1, factor;
  skip(r);
  const char *from = r->p;
  while (is_digit(peek(r)) || peek(r) == '(' ||
         (peek(r) == '%' && r->end - r->p > 7 && memcmp(r->p, "%sizeof", 7) == 0)) {
    if (!og_visa_unary(r, &factor) || !og_visa_expect(r, '*', "after the scale"))
      return false;
    if (__builtin_mul_overflow(scale, factor, &scale) || scale < 1 || scale > 0xffff)
      return og_visa_fail(r, from, "scale is not in 1..65535");
    skip(r);
  }
  lsc->scale = (uint16_t)scale;
  return true;
}

static bool immediate_offset(struct og_visa_reader *r, struct og_visa_lsc *lsc) {
  skip(r);
  const char *from = r->p;
  int64_t offset = 0;
  if (take(r, '+')) {
    if (!og_visa_expression(r, false, &offset))
      return false;
  } else if (take(r, '-')) {
    if (!og_visa_unary(r, &offset))
      return false;
    offset = (int64_t)(0 - (uint64_t)offset);
  }
  lsc->offset = (int32_t)offset;
  return offset == lsc->offset || og_visa_fail(r, from, "offset does not fit 32 bits");
}

static unsigned data_bytes(const struct og_visa_lsc *lsc) {
  static const uint8_t bytes[] = {0, 1, 2, 4, 8, 4, 4, 4};
  return bytes[lsc->data_size] * lsc->elements;
}

/* model[scale * addresses + offset (, pitch)]:a64 */
static bool untyped_address(struct og_visa_reader *r, bool strided, struct og_visa_lsc *lsc,
                            struct og_visa_operand *operands) {
  if (!address_model(r, lsc, &operands[OG_VISA_LSC_SURFACE_OPERAND]) || !og_visa_expect(r, '[', "and the addresses") ||
      !scale_factor(r, lsc) || !og_visa_read_operand(r, 'R', 0, &operands[OG_VISA_LSC_ADDRESS_OPERAND]) ||
      !immediate_offset(r, lsc))
    return false;
  if (strided && take(r, ',') && !register_or_number(r, &operands[OG_VISA_LSC_PITCH_OPERAND]))
    return false;
  return og_visa_expect(r, ']', "after the addresses") && address_size(r, lsc);
}

static bool block2d_address(struct og_visa_reader *r, struct og_visa_lsc *lsc, struct og_visa_operand *operands) {
  lsc->address_size = 8;
  lsc->scale = 1;
  if (!address_model(r, lsc, &operands[OG_VISA_LSC_SURFACE_OPERAND]) || !og_visa_expect(r, '[', "and the surface"))
    return false;
  for (unsigned i = 0; i < 6; i++)
    if ((i && !og_visa_expect(r, ',', "between base, width, height, pitch, x and y")) ||
        !register_or_number(r, &operands[OG_VISA_LSC_BLOCK2D_OPERAND + i]))
      return false;
  return og_visa_expect(r, ']', "after y");
}

static bool typed_address(struct og_visa_reader *r, struct og_visa_lsc *lsc, struct og_visa_operand *operands) {
  lsc->scale = 1;
  if (!address_model(r, lsc, &operands[OG_VISA_LSC_SURFACE_OPERAND]) || !og_visa_expect(r, '[', "and the coordinates"))
    return false;
  unsigned count = 0;
  do {
    if (count == 4)
      return og_visa_fail(r, r->p, "typed messages have at most u, v, r and lod");
    if (!og_visa_read_operand(r, 'R', 0, &operands[OG_VISA_LSC_TYPED_OPERAND + count++]))
      return false;
  } while (take(r, ','));
  return og_visa_expect(r, ']', "after the coordinates") && address_size(r, lsc);
}

static bool lsc_address(struct og_visa_reader *r, struct og_visa_inst *inst, struct og_visa_lsc *lsc) {
  if (inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D)
    return block2d_address(r, lsc, inst->operands);
  if (inst->opcode == OG_VISA_OP_LSC_TYPED)
    return typed_address(r, lsc, inst->operands);
  bool strided = inst->sub == OG_VISA_LSC_LOAD_STRIDED || inst->sub == OG_VISA_LSC_STORE_STRIDED;
  return untyped_address(r, strided, lsc, inst->operands);
}

static bool lsc_fence(struct og_visa_reader *r, struct og_visa_lsc *lsc) {
  int fence, scope;
  if (!og_visa_read_suffix(r, og_visa_fence_names, &fence))
    return og_visa_fail(r, r->p, "expected .none .evict .invalidate .discard .clean or .flushl3");
  if (!og_visa_read_suffix(r, og_visa_scope_names, &scope))
    return og_visa_fail(r, r->p, "expected .group .local .tile .gpu .gpus .sysrel or .sysacq");
  lsc->fence = (uint8_t)fence;
  lsc->scope = (uint8_t)scope;
  return true;
}

static bool lsc_operands(struct og_visa_reader *r, struct og_visa_inst *inst, struct og_visa_lsc *lsc) {
  bool block2d = inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
  struct og_visa_operand *operands = inst->operands;
  const struct og_visa_lsc_op_info *op = og_visa_lsc_op(inst->sub);
  if (op->kind == 's')
    return lsc_address(r, inst, lsc) && data_operand(r, block2d, lsc, &operands[OG_VISA_LSC_DATA_OPERAND]);
  if (!data_operand(r, block2d, lsc, &operands[OG_VISA_LSC_DST_OPERAND]) || !lsc_address(r, inst, lsc))
    return false;
  if (op->kind == 'l')
    return true;
  for (unsigned i = 0; i < 2 && !at_end_of_line(r); i++)
    if (!og_visa_read_operand(r, 'R', 0, &operands[OG_VISA_LSC_DATA_OPERAND + i]))
      return false;
  return true;
}

static bool read_state_info(struct og_visa_reader *r, struct og_visa_inst *inst, struct og_visa_lsc *lsc) {
  inst->exec_size = 1;
  inst->no_mask = true;
  lsc->data_size = OG_VISA_D32;
  lsc->elements = 1;
  lsc->address_size = 4;
  return og_visa_read_operand(r, 'R', 0, &inst->operands[OG_VISA_LSC_DST_OPERAND]) &&
         address_model(r, lsc, &inst->operands[OG_VISA_LSC_SURFACE_OPERAND]);
}

static bool read_lsc(struct og_visa_reader *r, struct og_visa_inst *inst) {
  struct og_visa_lsc *lsc = OG_NEW(r->arena, struct og_visa_lsc);
  inst->lsc = lsc;
  lsc->scale = 1;
  int sfid, l1 = 0, l3 = 0;
  if (!og_visa_read_suffix(r, og_visa_sfid_names, &sfid))
    return og_visa_fail(r, r->p, "expected .ugm, .ugml, .slm or .tgm");
  lsc->sfid = (uint8_t)sfid;
  if (inst->opcode == OG_VISA_OP_LSC_FENCE) {
    inst->exec_size = 1;
    inst->no_mask = true; /* it orders the whole thread's messages */
    return lsc_fence(r, lsc);
  }
  const struct og_visa_lsc_op_info *op = og_visa_lsc_op(inst->sub);
  if (sfid == OG_VISA_TGM)
    inst->opcode = OG_VISA_OP_LSC_TYPED;
  if (sfid == OG_VISA_TGM && (inst->sub == OG_VISA_LSC_LOAD || inst->sub == OG_VISA_LSC_STORE ||
                              inst->sub == OG_VISA_LSC_LOAD_STRIDED || inst->sub == OG_VISA_LSC_STORE_STRIDED))
    return og_visa_fail(r, r->p - 3, "lsc_%s has no .tgm form", op->name);
  if (sfid != OG_VISA_TGM && inst->sub == OG_VISA_LSC_READ_STATE_INFO)
    return og_visa_fail(r, r->p - 3, "lsc_read_state_info has a .tgm form only");
  if (og_visa_read_suffix(r, og_visa_cache_names, &l1))
    og_visa_read_suffix(r, og_visa_cache_names, &l3);
  lsc->l1 = (uint8_t)l1;
  lsc->l3 = (uint8_t)l3;
  bool block2d = inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
  allocate(r, inst, block2d ? OG_VISA_LSC_BLOCK2D_COUNT
                    : inst->opcode == OG_VISA_OP_LSC_TYPED ? OG_VISA_LSC_TYPED_COUNT : OG_VISA_LSC_UNTYPED_COUNT);
  for (unsigned i = OG_VISA_LSC_DST_OPERAND; i < inst->operand_count; i++)
    inst->operands[i].kind = OG_VISA_RAW; /* %null if nothing is read there */
  inst->operands[OG_VISA_LSC_SURFACE_OPERAND] = immediate_operand(0, OG_VISA_UD);
  bool strided = inst->sub == OG_VISA_LSC_LOAD_STRIDED || inst->sub == OG_VISA_LSC_STORE_STRIDED;
  if (inst->sub == OG_VISA_LSC_READ_STATE_INFO)
    return read_state_info(r, inst, lsc);
  if (strided)
    inst->operands[OG_VISA_LSC_PITCH_OPERAND].kind = OG_VISA_NONE;
  if (!og_visa_read_exec(r, inst) || !lsc_operands(r, inst, lsc))
    return false;
  if (strided && inst->operands[OG_VISA_LSC_PITCH_OPERAND].kind == OG_VISA_NONE)
    inst->operands[OG_VISA_LSC_PITCH_OPERAND] = immediate_operand(data_bytes(lsc), OG_VISA_UD);
  return true;
}

bool og_visa_read_special(struct og_visa_reader *r, struct og_visa_inst *inst,
                          const struct og_visa_mnemonic_entry *entry) {
  switch (entry->opcode) {
  case OG_VISA_OP_FILE: return read_file(r, inst);
  case OG_VISA_OP_LIFETIME: return read_lifetime(r, inst);
  case OG_VISA_OP_NBARRIER: return read_nbarrier(r, inst);
  case OG_VISA_OP_SWITCHJMP: return read_switchjmp(r, inst);
  case OG_VISA_OP_DPAS:
  case OG_VISA_OP_DPASW: return read_dpas(r, inst);
  case OG_VISA_OP_SAMPLE_3D:
  case OG_VISA_OP_LOAD_3D:
  case OG_VISA_OP_GATHER4_3D: return read_sample(r, inst);
  case OG_VISA_OP_INFO_3D: return read_info(r, inst);
  case OG_VISA_OP_RT_WRITE_3D: return read_rt_write(r, inst);
  default: return read_lsc(r, inst);
  }
}
