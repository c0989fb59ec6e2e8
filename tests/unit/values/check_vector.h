/* check_vector.h - compares the results of vector instructions with the reference's. */
#ifndef OG_VALUES_CHECK_VECTOR_H
#define OG_VALUES_CHECK_VECTOR_H

#include "values/check.h"

static char relation[8];
static struct row comparison;

static struct result compare(struct input *in) {
  enum type t = (enum type)in->row->source[0];
  int order = types[t].format               ? real_compare(in->real[0], in->real[1])
              : in->whole[0] < in->whole[1] ? -1
                                            : in->whole[0] > in->whole[1];
  const char *r = relation;
  bool not = r[0] == 'n' && strcmp(r, "ne") != 0;
  r += not ;
  bool less = order == -1, equal = order == 0, more = order == 1;
  bool yes = !strcmp(r, "lt")   ? less
             : !strcmp(r, "eq") ? equal
             : !strcmp(r, "le") ? less || equal
             : !strcmp(r, "gt") ? more
             : !strcmp(r, "lg") ? less || more
             : !strcmp(r, "ne") ? !equal
             : !strcmp(r, "ge") ? more || equal
             : !strcmp(r, "o")  ? order != 2
             : !strcmp(r, "u")  ? order == 2
                                : r[0] == 't';
  in->carry_out = yes != not ;
  return (struct result){0};
}

/* Which of the bits of the second source fits the first's class ("Vega" ISA, V_CMP_CLASS_F32). */
static struct result classify(struct input *in) {
  const struct float_format *f = types[in->row->source[0]].format;
  uint64_t x = in->bits[0], size = x & (format_sign(f) - 1);
  bool negative = x & format_sign(f);
  unsigned bit = size > format_infinity(f)    ? size >> (f->fraction - 1) & 1
                 : size == format_infinity(f) ? (negative ? 2 : 9)
                 : size == 0                  ? (negative ? 5 : 6)
                 : is_denormal_bits(f, x)     ? (negative ? 4 : 7)
                                              : (negative ? 3 : 8);
  in->carry_out = in->bits[1] >> bit & 1;
  return (struct result){0};
}

static const struct row *find_row(const char *name, bool *writes_exec) {
  static const char *const kinds[] = {"v_cmp_", "v_cmpx_", "v_cmps_", "v_cmpsx_"};
  static const struct {
    const char *name;
    enum type type;
  } of_types[] = {{"f16", F16}, {"f32", F32}, {"f64", F64}, {"u16", U16}, {"i16", I16},
                  {"u32", U32}, {"i32", I32}, {"u64", U64}, {"i64", I64}};
  *writes_exec = false;
  for (size_t i = 0; i < OG_COUNT(vector_rows); i++)
    if (strcmp(vector_rows[i].name, name) == 0)
      return &vector_rows[i];
  for (size_t k = 0; k < OG_COUNT(kinds); k++) {
    size_t n = strlen(kinds[k]);
    const char *type = strrchr(name, '_') + 1;
    if (strncmp(name, kinds[k], n) != 0)
      continue;
    *writes_exec = k % 2 == 1;
    snprintf(relation, sizeof relation, "%.*s", (int)(type - 1 - (name + n)), name + n);
    comparison = (struct row){.name = name, .kind = BITS_RESULT, .compute = compare};
    for (size_t t = 0; t < OG_COUNT(of_types); t++)
      if (strcmp(of_types[t].name, type) == 0)
        comparison.source[0] = comparison.source[1] = (uint8_t)of_types[t].type;
    if (strcmp(relation, "class") == 0)
      comparison.compute = classify, comparison.source[1] = comparison.source[0] == F16 ? U16 : U32;
    return comparison.source[0] ? &comparison : NULL;
  }
  return NULL;
}

/* Sources in the order of the text, a constant of the instruction's own among them, and a mask that is read. */
struct sources {
  const struct og_operand *of[3], *mask;
};
static bool find_sources(const struct og_inst *inst, const struct row *row, struct sources *out) {
  unsigned n = 0, wanted = 0;
  memset(out, 0, sizeof *out);
  for (unsigned i = 0; i < 3; i++)
    wanted += row->source[i] != NONE;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *o = &inst->operands[i];
    if (o->role != OG_ROLE_SRC0 && o->role != OG_ROLE_SRC1 && o->role != OG_ROLE_SRC2 && o->role != OG_ROLE_SIMM)
      continue;
    if (n < wanted)
      out->of[n++] = o;
    else
      out->mask = o;
  }
  return n == wanted;
}

/* Values of fields that the manuals reserve, and what says nothing certain. */
static bool is_reserved(const struct machine *m) {
  const struct og_inst *inst = m->inst;
  if (inst->variant == OG_VARIANT_SDWA)
    return inst->mod[OG_MOD_DST_SEL] > 6 || inst->mod[OG_MOD_SRC0_SEL] > 6 || inst->mod[OG_MOD_SRC1_SEL] > 6 ||
           inst->mod[OG_MOD_DST_UNUSED] > 2;
  return inst->variant == OG_VARIANT_DPP16 && dpp_source(m, 0) == -2;
}

/* What the register has after the result was put in its place. */
static uint64_t placed(const struct machine *m, const struct row *row, uint64_t old, uint64_t bits, bool to_high) {
  const struct og_inst *inst = m->inst;
  unsigned width = types[row->result].bits;
  if (width == 64)
    return bits;
  bits &= UINT32_MAX, old &= UINT32_MAX;
  if (inst->variant == OG_VARIANT_SDWA) {
    int select = inst->mod[OG_MOD_DST_SEL];
    if (select == SDWA_DWORD)
      return bits;
    unsigned part = select < SDWA_WORD0 ? 8 : 16,
             shift = part == 8 ? 8 * (unsigned)select : 16 * (unsigned)(select - SDWA_WORD0);
    uint64_t mask = ((1u << part) - 1) << shift, value = bits << shift & mask;
    bool negative = value >> (shift + part - 1) & 1;
    return inst->mod[OG_MOD_DST_UNUSED] == SDWA_PAD ? value
           : inst->mod[OG_MOD_DST_UNUSED] == SDWA_SEXT
               ? (negative ? (value | ~0ull << (shift + part)) & UINT32_MAX : value)
               : (old & ~mask) | value;
  }
  if (width == 32 || row->flags & PACKED)
    return bits;
  if (to_high)
    return (old & 0xffff) | bits << 16;
  return m->major >= 10 || (m->major == 9 && row->flags & KEEP) ? (old & 0xffff0000) | bits : bits;
}

static const char *shown(char *to, size_t size, const struct input *in) {
  snprintf(to, size, "%llx %llx %llx old %llx ci %d", (unsigned long long)in->bits[0], (unsigned long long)in->bits[1],
           (unsigned long long)in->bits[2], (unsigned long long)in->old, in->carry_in);
  return to;
}

/* The two of 32 bits of v_pk_fma_f32 and its kin: op_sel chooses; of a scalar gfx12.5 reads one for both. */
static uint64_t wide_source(const struct machine *m, unsigned n, const struct og_operand *o, unsigned lane,
                            unsigned half, bool *known) {
  bool high = m->inst->mod[half ? OG_MOD_OP_SEL_HI : OG_MOD_OP_SEL] >> n & 1;
  bool vector = o->kind == OG_OPERAND_VGPR || o->kind == OG_OPERAND_AGPR;
  uint64_t x = operand_bits(m, o, U64, lane, known);
  if (!vector && isa->gfx1250)
    high = false;
  bool negative = m->inst->mod[half ? OG_MOD_NEG_HI : OG_MOD_NEG_LO] >> n & 1;
  return (x >> 32 * high & UINT32_MAX) ^ negative * (uint64_t)0x80000000;
}

static unsigned table_of(const struct og_inst *inst, const struct row *row) {
  return (unsigned)inst->mod[row->flags & SIGNED01 ? OG_MOD_NEG_LO : OG_MOD_BITOP3];
}

static bool mask_bit(const struct machine *m, const struct sources *sources, unsigned lane, bool *known) {
  static const struct og_operand vcc = {.kind = OG_OPERAND_SPECIAL, .reg = OG_SPECIAL_VCC_LO};
  uint64_t mask = scalar_bits(m, sources->mask ? sources->mask : &vcc, known);
  return mask >> lane & 1;
}

/* One lane: what it computes, and of the old result what the computation adds to. */
static bool compute_lane(const struct machine *m, const struct row *row, const struct sources *sources, unsigned lane,
                         int from, uint64_t old, bool to_high, struct input *in, struct outcome out[2]) {
  bool known = true;
  unsigned halves = row->flags & (PACKED | WIDE_PAIR) ? 2 : 1, width = types[row->result].bits;
  uint64_t carry_out = 0;
  *in = (struct input){.row = row,
                       .lane = lane,
                       .mode = m->mode,
                       .table = table_of(m->inst, row),
                       .clamp = m->inst->mod[OG_MOD_CLAMP] != 0};
  bool to_word1 = to_high || (m->inst->variant == OG_VARIANT_SDWA && m->inst->mod[OG_MOD_DST_SEL] == SDWA_WORD0 + 1);
  in->carry_in = mask_bit(m, sources, lane, &known);
  for (unsigned half = 0; half < halves && known; half++) {
    for (unsigned i = 0; i < 3 && row->source[i] && known; i++) {
      const struct og_operand *o = sources->of[i];
      unsigned n = o->role == OG_ROLE_SIMM ? i : og_source_index((enum og_role)o->role);
      uint64_t x = row->flags & WIDE_PAIR ? wide_source(m, n, o, lane, half, &known)
                                          : source_bits(m, row, i, n, o, lane, from, half, &known);
      put_number(in, i, (enum type)row->source[i], x, &in->bits[i], &in->whole[i], &in->real[i]);
    }
    if (!known)
      return false;
    if (width) {
      uint64_t x = row->flags & WIDE_PAIR    ? old >> 32 * half
                   : row->flags & PACKED     ? old >> 16 * half
                   : to_word1 && width == 16 ? old >> 16
                                             : old;
      if (types[row->result].format && width != 32)
        put_number(in, 0, (enum type)row->result, low_bits(x, width), &in->old, &in->old_whole, &in->old_real);
      else if (row->result == F32)
        put_number(in, 0, F32, low_bits(x, 32), &in->old, &in->old_whole, &in->old_real);
      else
        in->old = low_bits(x, width);
    }
    struct result result = row->compute(in);
    carry_out = in->carry_out;
    out[half] = finish(in, m->inst, result);
  }
  in->carry_out = carry_out;
  return known;
}

static bool is_high(const struct row *row, const struct og_inst *inst, const struct og_operand *vdst) {
  bool chosen = vdst && vdst->flags & OG_HALF_HI;
  if (inst->encoding == OG_ENC_VOP3 && inst->variant != OG_VARIANT_SDWA)
    chosen |= inst->mod[OG_MOD_OP_SEL] >> 3 & 1;
  return row->flags & HIGH || (types[row->result].bits == 16 && !(row->flags & PACKED) && chosen);
}

static void compare_vector_result(const struct machine *m, const struct row *row, const struct og_operand *vdst,
                                  const struct sources *sources, bool to_high, uint64_t *mask, uint64_t *written) {
  const struct og_inst *inst = m->inst;
  unsigned width = types[row->result].bits, dwords = width == 64 || row->flags & WIDE_PAIR ? 2 : 1;
  unsigned at = !vdst                           ? 0
                : vdst->kind == OG_OPERAND_VGPR ? vdst->reg
                : vdst->kind == OG_OPERAND_AGPR ? 256u + vdst->reg
                                                : 0;
  char text[160];
  for (unsigned lane = 0; lane < m->wave_size; lane++) {
    int from;
    bool writes = lane_writes(m, lane, &from);
    uint64_t old = 0, got = 0;
    for (unsigned k = 0; width && k < dwords; k++) {
      old |= (uint64_t)m->wave->v[at + k][lane] << 32 * k;
      got |= (uint64_t)wave->v[at + k][lane] << 32 * k;
    }
    *written |= (uint64_t)writes << lane;
    if (!writes) {
      if (got != old)
        complain(inst->row, "lane %u is not written, and has %llx, not %llx", lane, (unsigned long long)got,
                 (unsigned long long)old);
      continue;
    }
    struct input in;
    struct outcome want[2];
    if (!compute_lane(m, row, sources, lane, from, old, to_high, &in, want)) {
      *written = 0;
      return;
    }
    *mask |= (uint64_t)in.carry_out << lane;
    if (!width)
      continue;
    bool halves = row->flags & PACKED, wide = row->flags & WIDE_PAIR;
    uint64_t first = wide ? got & UINT32_MAX : got, bits = want[0].bits;
    bool right;
    if (halves || wide) {
      right = is_right((enum type)row->result, &want[0], first) &&
              is_right((enum type)row->result, &want[1], got >> (wide ? 32 : 16));
      bits |= want[1].bits << (wide ? 32 : 16);
    } else {
      bits = placed(m, row, old, want[0].bits, to_high);
      unsigned shift = inst->variant == OG_VARIANT_SDWA && inst->mod[OG_MOD_DST_SEL] != SDWA_DWORD ? 99
                       : to_high                                                                   ? 16
                                                                                                   : 0;
      right = got == bits;
      if (!right && shift != 99) /* another bit pattern of the same meaning, and all around it as it should be */
        right = is_right((enum type)row->result, &want[0], got >> shift) &&
                got == placed(m, row, old, low_bits(got >> shift, width), to_high);
      if (!right && shift == 99 && (want[0].nan || want[0].zero_too || want[0].off))
        continue;
    }
    if (!right) {
      complain(inst->row, "lane %u of %s has %llx, expected %llx", lane, shown(text, sizeof text, &in),
               (unsigned long long)got, (unsigned long long)bits);
      return;
    }
  }
}

static bool same_mask(const struct machine *m, const struct og_operand *o, uint64_t want) {
  struct machine now = *m;
  bool known;
  now.wave = wave;
  uint64_t got = low_bits(scalar_bits(&now, o, &known), m->wave_size);
  if (known && got != want && !(o->kind == OG_OPERAND_SPECIAL && o->reg == OG_SPECIAL_NULL))
    complain(m->inst->row, "the mask is %llx, expected %llx", (unsigned long long)got, (unsigned long long)want);
  return known;
}

static bool has_mask_result(const struct row *row) {
  return row->result == NONE || strstr(row->name, "_co_") || strstr(row->name, "div_scale") ||
         strstr(row->name, "v_mad_u64") || strstr(row->name, "v_mad_i64");
}

static bool compare_vector(const struct og_inst *inst) {
  static const struct og_operand vcc = {.kind = OG_OPERAND_SPECIAL, .reg = OG_SPECIAL_VCC_LO},
                                 exec = {.kind = OG_OPERAND_SPECIAL, .reg = OG_SPECIAL_EXEC_LO};
  bool writes_exec;
  const struct row *row = find_row(og_row_name(inst->row), &writes_exec);
  struct sources sources;
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *sdst = og_operand(inst, OG_ROLE_SDST);
  bool to_exec =
      sdst && sdst->kind == OG_OPERAND_SPECIAL && (sdst->reg == OG_SPECIAL_EXEC_LO || sdst->reg == OG_SPECIAL_EXEC_HI);
  if (!row || is_reserved(&m) || !find_sources(inst, row, &sources) ||
      (to_exec && row->result)) /* which is written first? */
    return false;
  uint64_t mask = 0, written = 0;
  bool to_high = is_high(row, inst, vdst);
  compare_vector_result(&m, row, vdst, &sources, to_high, &mask, &written);
  if (!written)
    return false;
  if (has_mask_result(row)) {
    const struct og_operand *to = sdst ? sdst : row->result == NONE && vdst ? vdst : &vcc;
    if (writes_exec && !same_mask(&m, &exec, mask))
      return false;
    if (!(writes_exec && m.major >= 10) && !same_mask(&m, to, mask))
      return false;
  }
  return true;
}

#endif
