/* test_values.c - what instructions compute, form by form on every generation, with modifiers by chance and hostile
 * operands, against a reference of its own (values/). It records which rows were compared; see value_rows.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/coverage.h"
#include "form_fixture.h"
#include "values/memory.h"
#include "values/scalar.h"

enum { MOST_COMPLAINTS = 40, TRIES = 6, MOST_TRIES = 20 };

static char context[300];
static unsigned complaints, compared_instructions;

static void describe(const char *processor, const struct og_inst *inst) {
  struct og_buffer text = {0};
  og_print_inst(isa, inst, NULL, &text);
  snprintf(context, sizeof context, "%s wave%u: %.*s (mode %x)", processor, isa->wave, (int)text.size, (char *)text.data,
           wave->mode);
  og_buffer_free(&text);
}

/* Says what is wrong, of each row once on a processor, and goes on, so that one run shows all. */
static uint16_t complained[4096];
static unsigned complained_count;
static void OG_PRINTF(2, 3) complain(unsigned row, const char *format, ...) {
  va_list args;
  for (unsigned i = 0; i < complained_count; i++)
    if (complained[i] == row)
      return;
  complained[complained_count++ % OG_COUNT(complained)] = (uint16_t)row;
  if (complaints++ > MOST_COMPLAINTS)
    return;
  va_start(args, format);
  print_message("%s: ", context);
  vprint_message(format, args);
  va_end(args);
  print_message("\n");
}

/* ---- rows that were compared ------------------------------------------------------------------------------------- */

static bool was_compared[8192];

static bool executes(const struct og_coverage *coverage, const struct og_form *form) {
  for (unsigned i = 0; i < coverage->gap_count; i++)
    if (!coverage->gaps[i].with && strcmp(coverage->gaps[i].name, og_form_name(form)) == 0)
      return false;
  return true;
}

/* "processor row mnemonic yes|no" to the file that the environment names, of all that executes. */
static void record_rows(const struct og_target *target) {
  const char *path = getenv("OFFGRID_VALUE_ROWS");
  FILE *file = path ? fopen(path, "a") : NULL;
  struct og_arena *arena = og_arena_new();
  struct og_coverage coverage;
  if (file && og_coverage(target, arena, &coverage))
    for (unsigned i = 0; i < og_form_count(isa); i++) {
      const struct og_form *form = og_form(isa, i);
      if (og_form_fits(isa, form) && form->encoding != OG_ENC_VOPD && executes(&coverage, form))
        fprintf(file, "%s %s %s %s\n", target->processor->name, og_row_name(form->row), og_form_name(form),
                was_compared[form->row] ? "yes" : "no");
    }
  if (file)
    fclose(file);
  og_arena_free(arena);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static uint32_t special32(void) {
  static const uint32_t often[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                   0x7f800001, 1,          0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                   0x3f000000, 0x4b800000, 0x4f000000, 0xcf000000, 0x7fffffff, 0xffffffff, 0x3c003c00,
                                   0x7c00fc00, 0x7e007c01, 0x04000001, 0x03ff8000, 0x7bfffbff, 0x3f803f80, 0x00010000};
  uint32_t bits = random32();
  switch (random32() % 8) {
  case 0: case 1: return often[bits % OG_COUNT(often)];
  case 2: return (bits & 0x81ffffff) | 0x3e000000;                             /* floats near 1 */
  case 3: return (bits & 0x83ff83ff) | (0x38003800 + (random32() & 0x0c000c00)); /* pairs of halves near 1 */
  case 4: return (bits & 0x807fffff) | (random32() % 2 ? 0x00000000 : 0x01000000); /* tiny floats */
  case 5: return bits % 70;
  default: return bits;
  }
}
static uint64_t special64(void) {
  static const uint64_t often[] = {0, 0x8000000000000000, 0x3ff0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
                                   0x7ff8000000000000, 0x7ff0000000000001, 1, 0x000fffffffffffff, 0x0010000000000000,
                                   0x7fefffffffffffff, 0x41e0000000000000, 0xc1e0000000000000, 0xffffffffffffffff};
  uint64_t bits = (uint64_t)random32() << 32 | random32();
  switch (random32() % 4) {
  case 0: return often[bits % OG_COUNT(often)];
  case 1: return (bits & 0x803fffffffffffff) | 0x3fc0000000000000;
  default: return bits;
  }
}

static void fill_values(struct og_wave *w) {
  for (unsigned i = 0; i < OG_S_SINK; i += 2)
    if (random32() % 2)
      w->s[i] = special32(), w->s[i + 1] = special32();
    else
      og_store64(&w->s[i], special64());
  w->s[OG_S_SCC] = random32() & 1, w->s[OG_S_SCC + 1] = 0;
  for (unsigned k = 0; k < 2 * VECTORS; k += 2) {
    bool wide = random32() % 2;
    for (unsigned lane = 0; lane < OG_LANES; lane++) {
      uint64_t x = wide ? special64() : special32() | (uint64_t)special32() << 32;
      vector_at(w, k)[lane] = (uint32_t)x, vector_at(w, k + 1)[lane] = (uint32_t)(x >> 32);
    }
  }
  if (random32() % 8 == 0)
    og_set_s64(w, OG_S_VCC, 0);
  if (random32() % 16 == 0)
    og_set_s64(w, OG_S_EXEC, 0);
  unsigned generation = program->target.processor->generation;
  w->mode = random32() & 0x3ff;
  if (random32() % 2)
    w->mode = (w->mode & 0x300) | 0xf0;
  if (generation >= OG_GFX900 && random32() % 4 == 0)
    w->mode |= 1 << 23;
  if (generation >= OG_GFX12) /* it has no such fields, and does as if they were so */
    w->mode = (w->mode & ~0x200u) | 0x100;
}

/* ---- vector instructions ------------------------------------------------------------------------------------------ */

static char relation[8];
static struct row comparison;

static struct result compare(struct input *in) {
  enum type t = (enum type)in->row->source[0];
  int order = types[t].format ? real_compare(in->real[0], in->real[1])
              : in->whole[0] < in->whole[1] ? -1 : in->whole[0] > in->whole[1];
  const char *r = relation;
  bool not = r[0] == 'n' && strcmp(r, "ne") != 0;
  r += not;
  bool less = order == -1, equal = order == 0, more = order == 1;
  bool yes = !strcmp(r, "lt") ? less : !strcmp(r, "eq") ? equal : !strcmp(r, "le") ? less || equal
             : !strcmp(r, "gt") ? more : !strcmp(r, "lg") ? less || more : !strcmp(r, "ne") ? !equal
             : !strcmp(r, "ge") ? more || equal : !strcmp(r, "o") ? order != 2 : !strcmp(r, "u") ? order == 2 : r[0] == 't';
  in->carry_out = yes != not;
  return (struct result){0};
}

/* Which of the bits of the second source fits the first's class ("Vega" ISA, V_CMP_CLASS_F32). */
static struct result classify(struct input *in) {
  const struct float_format *f = types[in->row->source[0]].format;
  uint64_t x = in->bits[0], size = x & (format_sign(f) - 1);
  bool negative = x & format_sign(f);
  unsigned bit = size > format_infinity(f) ? size >> (f->fraction - 1) & 1
                 : size == format_infinity(f) ? (negative ? 2 : 9) : size == 0 ? (negative ? 5 : 6)
                 : is_denormal_bits(f, x) ? (negative ? 4 : 7) : (negative ? 3 : 8);
  in->carry_out = in->bits[1] >> bit & 1;
  return (struct result){0};
}

static const struct row *find_row(const char *name, bool *writes_exec) {
  static const char *const kinds[] = {"v_cmp_", "v_cmpx_", "v_cmps_", "v_cmpsx_"};
  static const struct { const char *name; enum type type; } of_types[] = {
      {"f16", F16}, {"f32", F32}, {"f64", F64}, {"u16", U16}, {"i16", I16}, {"u32", U32}, {"i32", I32}, {"u64", U64}, {"i64", I64}};
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
    unsigned part = select < SDWA_WORD0 ? 8 : 16, shift = part == 8 ? 8 * (unsigned)select : 16 * (unsigned)(select - SDWA_WORD0);
    uint64_t mask = ((1u << part) - 1) << shift, value = bits << shift & mask;
    bool negative = value >> (shift + part - 1) & 1;
    return inst->mod[OG_MOD_DST_UNUSED] == SDWA_PAD    ? value
           : inst->mod[OG_MOD_DST_UNUSED] == SDWA_SEXT ? (negative ? (value | ~0ull << (shift + part)) & UINT32_MAX : value)
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
static uint64_t wide_source(const struct machine *m, unsigned n, const struct og_operand *o, unsigned lane, unsigned half,
                            bool *known) {
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
  *in = (struct input){.row = row, .lane = lane, .mode = m->mode, .table = table_of(m->inst, row),
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
      uint64_t x = row->flags & WIDE_PAIR ? old >> 32 * half : row->flags & PACKED ? old >> 16 * half
                   : to_word1 && width == 16 ? old >> 16 : old;
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
  unsigned at = !vdst ? 0 : vdst->kind == OG_OPERAND_VGPR ? vdst->reg : vdst->kind == OG_OPERAND_AGPR ? 256u + vdst->reg : 0;
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
        complain(inst->row, "lane %u is not written, and has %llx, not %llx", lane, (unsigned long long)got, (unsigned long long)old);
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
      unsigned shift = inst->variant == OG_VARIANT_SDWA && inst->mod[OG_MOD_DST_SEL] != SDWA_DWORD ? 99 : to_high ? 16 : 0;
      right = got == bits;
      if (!right && shift != 99) /* another bit pattern of the same meaning, and all around it as it should be */
        right = is_right((enum type)row->result, &want[0], got >> shift) &&
                got == placed(m, row, old, low_bits(got >> shift, width), to_high);
      if (!right && shift == 99 && (want[0].nan || want[0].zero_too || want[0].off))
        continue;
    }
    if (!right) {
      complain(inst->row, "lane %u of %s has %llx, expected %llx", lane, shown(text, sizeof text, &in), (unsigned long long)got,
               (unsigned long long)bits);
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
  return row->result == NONE || strstr(row->name, "_co_") || strstr(row->name, "div_scale") || strstr(row->name, "v_mad_u64") ||
         strstr(row->name, "v_mad_i64");
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
  bool to_exec = sdst && sdst->kind == OG_OPERAND_SPECIAL && (sdst->reg == OG_SPECIAL_EXEC_LO || sdst->reg == OG_SPECIAL_EXEC_HI);
  if (!row || is_reserved(&m) || !find_sources(inst, row, &sources) || (to_exec && row->result)) /* which is written first? */
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

/* ---- scalar instructions ------------------------------------------------------------------------------------------ */

/* Floats compute as the vector instruction of that name does. */
static const struct row *float_row(const char *name) {
  static const char *const others[][2] = {{"s_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"}, {"s_cvt_hi_f32_f16", "v_cvt_f32_f16"}};
  char vector[40];
  bool ignored;
  snprintf(vector, sizeof vector, "v_%s", name + (strncmp(name, "v_s_", 4) == 0 ? 4 : 2));
  for (size_t i = 0; i < OG_COUNT(others); i++)
    if (strcmp(name, others[i][0]) == 0)
      snprintf(vector, sizeof vector, "%s", others[i][1]);
  return strstr(name, "f16") || strstr(name, "f32") ? find_row(vector, &ignored) : NULL;
}

static void put_scalar(struct og_wave *w, const struct machine *m, const struct og_operand *o, uint64_t value, bool wide) {
  unsigned at = OG_S_SINK;
  if (o->kind == OG_OPERAND_SGPR)
    at = o->reg;
  else if (o->kind == OG_OPERAND_TTMP)
    at = OG_S_TTMP + o->reg;
  else if (o->reg <= OG_SPECIAL_M0)
    at = o->reg == OG_SPECIAL_M0 ? OG_S_M0 : o->reg >= OG_SPECIAL_EXEC_LO ? OG_S_EXEC + (o->reg - OG_SPECIAL_EXEC_LO)
                                                                     : OG_S_VCC + o->reg;
  (void)m;
  w->s[at] = (uint32_t)value;
  if (wide)
    w->s[at + 1] = (uint32_t)(value >> 32);
}

static const struct og_operand *scalar_result_of(const struct og_inst *inst) {
  const struct og_operand *sdst = og_operand(inst, OG_ROLE_SDST);
  return sdst ? sdst : og_operand(inst, OG_ROLE_VDST);
}

static bool compare_scalars(const struct machine *m, const struct og_wave *want, unsigned scc) {
  for (unsigned i = 0; i < OG_S_SCC; i++)
    if (wave->s[i] != want->s[i]) {
      complain(m->inst->row, "s%u is %x, expected %x", i, wave->s[i], want->s[i]);
      return true;
    }
  if (wave->s[OG_S_SCC] != scc)
    complain(m->inst->row, "SCC is %u", wave->s[OG_S_SCC]);
  return true;
}

static bool compare_scalar_float(const struct machine *m, const struct row *row, struct og_wave *want) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *sdst = scalar_result_of(inst);
  struct sources sources;
  struct input in = {.row = row, .mode = m->mode};
  bool known = true, high = strstr(og_row_name(inst->row), "_hi_") != NULL;
  if (!find_sources(inst, row, &sources))
    return false;
  for (unsigned i = 0; i < 3 && row->source[i] && known; i++) {
    const struct og_operand *o = sources.of[i];
    enum type t = (enum type)row->source[i];
    uint64_t x = low_bits(operand_bits(m, o, t, 0, &known) >> 16 * high, types[t].bits), sign = (uint64_t)1 << (types[t].bits - 1);
    x = (o->flags & OG_ABS ? x & ~sign : x) ^ (o->flags & OG_NEG ? sign : 0);
    put_number(&in, i, t, x, &in.bits[i], &in.whole[i], &in.real[i]);
  }
  if (sdst && row->result && known)
    put_number(&in, 0, (enum type)row->result, low_bits(scalar_bits(m, sdst, &known), types[row->result].bits), &in.old,
               &in.old_whole, &in.old_real);
  if (!known)
    return false;
  struct outcome value = finish(&in, inst, row->compute(&in));
  if (row->result == NONE)
    return compare_scalars(m, want, in.carry_out);
  struct machine now = *m;
  now.wave = wave;
  uint64_t got = scalar_bits(&now, sdst, &known) & UINT32_MAX;
  if (sdst->kind == OG_OPERAND_SPECIAL && sdst->reg == OG_SPECIAL_NULL)
    return false;
  if (!is_right((enum type)row->result, &value, got) || got != low_bits(got, types[row->result].bits))
    complain(inst->row, "%llx and %llx (%llx) give %llx, expected %llx", (unsigned long long)in.bits[0],
             (unsigned long long)in.bits[1], (unsigned long long)in.old, (unsigned long long)got, (unsigned long long)value.bits);
  put_scalar(want, m, sdst, got, false);
  return compare_scalars(m, want, before->s[OG_S_SCC]);
}

/* What changes nothing that a wave can see: waits, hints, caches. */
static bool is_inert(const char *name) {
  static const char *const names[] = {"s_nop", "s_wait", "s_clause", "s_delay_alu", "s_inst_prefetch", "s_gl1_inv", "s_icache_inv",
                                      "s_dcache_", "s_setprio", "s_incperflevel", "s_decperflevel", "s_ttracedata", "s_wakeup",
                                      "s_version", "s_prefetch", "s_buffer_prefetch", "s_sleep", "s_monitor_sleep", "v_nop",
                                      "v_pipeflush", "v_clrexcp", "buffer_wb", "buffer_inv", "buffer_gl", "global_inv", "global_wb",
                                      "global_prefetch", "flat_prefetch", "ds_nop", "s_cbranch_cdbg", "s_atc_probe"};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}
static bool compare_inert(const struct og_inst *inst) {
  bool same = memcmp(wave->s, before->s, OG_S_SINK * sizeof wave->s[0]) == 0 && wave->mode == before->mode;
  for (unsigned k = 0; k < 2 * VECTORS; k++)
    same = same && memcmp(vector_at(wave, k), vector_at(before, k), sizeof wave->v[0]) == 0;
  if (!same || memcmp(memory, memory_before, MEMORY) || memcmp(lds, lds_before, LDS))
    complain(inst->row, "it changes registers or memory");
  return true;
}

static bool compare_scalar(const struct og_inst *inst) {
  static struct og_wave want;
  const char *name = og_row_name(inst->row);
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  const struct row *floats = float_row(name);
  const struct scalar_row *row = NULL;
  memcpy(want.s, before->s, sizeof want.s);
  if (floats)
    return compare_scalar_float(&m, floats, &want);
  for (size_t i = 0; i < OG_COUNT(scalar_rows); i++)
    if (strcmp(scalar_rows[i].name, name) == 0)
      row = &scalar_rows[i];
  if (!row)
    return false;
  const struct og_operand *s0 = og_operand(inst, OG_ROLE_SRC0), *s1 = og_operand(inst, OG_ROLE_SRC1);
  const struct og_operand *sdst = scalar_result_of(inst), *simm = og_operand(inst, OG_ROLE_SIMM);
  bool known = true, known_too = true, known_old = true;
  struct scalar_state in = {.exec = og_load64(&before->s[OG_S_EXEC]), .scc = before->s[OG_S_SCC], .mode = before->mode};
  unsigned wide = row->masks ? row->bits : 0;
  if (wide == 32 || isa->wave == 32) /* the upper half of EXEC is none in waves of 32 */
    in.exec &= UINT32_MAX;
  if (row->source[0] && s0)
    in.a = low_bits(operand_bits(&m, s0, row->source[0] < 64 ? U32 : strstr(name, "i64") ? I64 : U64, 0, &known), row->source[0]);
  if (row->source[1] && s1)
    in.b = low_bits(operand_bits(&m, s1, row->source[1] == 64 ? U64 : U32, 0, &known_too), row->source[1]);
  if (sdst)
    in.old = low_bits(scalar_bits(&m, sdst, &known_old), row->bits ? row->bits : 32);
  if (!known || !known_too || (sdst && !known_old) || (sdst && sdst->kind == OG_OPERAND_SPECIAL && sdst->reg > OG_SPECIAL_M0))
    return false;
  in.sa = as_signed(in.a, row->source[0]), in.sb = as_signed(in.b, row->source[1]);
  in.k = simm ? (int16_t)simm->value : 0;
  struct scalar_result out;
  row->compute(&in, &out);
  if (row->masks && sdst->kind == OG_OPERAND_SPECIAL && (sdst->reg == OG_SPECIAL_EXEC_LO || sdst->reg == OG_SPECIAL_EXEC_HI))
    return false;
  if (row->masks)
    put_scalar(&want, &m, &(struct og_operand){.kind = OG_OPERAND_SPECIAL, .reg = OG_SPECIAL_EXEC_LO}, out.exec, row->bits == 64);
  if (row->bits)
    put_scalar(&want, &m, sdst, out.value, row->bits == 64);
  return compare_scalars(&m, &want, out.scc);
}

static bool is_scalar(const struct og_inst *inst) {
  return inst->encoding <= OG_ENC_SOPP || strncmp(og_row_name(inst->row), "v_s_", 4) == 0;
}

/* ---- lanes that read and write one another's --------------------------------------------------------------------- */

/* The lane that each lane's value comes from, -1: it stays as it is. */
static int permuted_lane(const struct machine *m, const char *name, unsigned lane, bool *known) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *s1 = og_operand(inst, OG_ROLE_SRC1), *s2 = og_operand(inst, OG_ROLE_SRC2);
  bool known_low = true, known_high = true;
  uint64_t low = s1 ? operand_bits(m, s1, U32, lane, &known_low) & UINT32_MAX : 0;
  uint64_t high = s2 ? operand_bits(m, s2, U32, lane, &known_high) & UINT32_MAX : 0;
  bool across = strncmp(name, "v_permlanex16", 13) == 0, fi = inst->mod[OG_MOD_OP_SEL] & 1, zero = inst->mod[OG_MOD_OP_SEL] & 2;
  unsigned row = lane / 16 * 16, at;
  *known = known_low && known_high;
  if (strcmp(name, "v_permlane64_b32") == 0)
    return m->wave_size == 32 ? -1 : (int)(lane ^ 32);
  at = strstr(name, "_var") ? (unsigned)low & 15 : (unsigned)((low | high << 32) >> 4 * (lane % 16) & 15);
  at += across ? row ^ 16 : row;
  if (!fi && !(m->exec >> at & 1))
    return zero ? -2 : -1;
  return (int)at;
}

static uint32_t vector_source(const struct machine *m, const struct og_operand *o, unsigned lane, bool *known) {
  return (uint32_t)operand_bits(m, o, U32, lane, known);
}

static bool compare_lane_values(const struct machine *m, const struct og_operand *d, const uint32_t *want) {
  for (unsigned lane = 0; lane < m->wave_size; lane++)
    if (wave->v[d->reg][lane] != want[lane]) {
      complain(m->inst->row, "lane %u is %x, expected %x", lane, wave->v[d->reg][lane], want[lane]);
      break;
    }
  return true;
}

static bool compare_lanes(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  const char *name = og_row_name(inst->row);
  const struct og_operand *d = og_operand(inst, OG_ROLE_VDST), *sdst = og_operand(inst, OG_ROLE_SDST);
  const struct og_operand *s0 = og_operand(inst, OG_ROLE_SRC0), *s1 = og_operand(inst, OG_ROLE_SRC1);
  bool known = true, reads = strncmp(name, "v_read", 6) == 0, swaps = strcmp(name, "v_swap_b32") == 0;
  uint32_t want[OG_LANES], other[OG_LANES];
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  if (reads) {
    unsigned lane = strstr(name, "first") ? (m.exec ? (unsigned)__builtin_ctzll(m.exec) : 0)
                                          : vector_source(&m, s1, 0, &known) & (isa->wave - 1);
    uint32_t value = known ? vector_source(&m, s0, lane, &known) : 0;
    struct machine now = m;
    now.wave = wave;
    const struct og_operand *to = sdst ? sdst : d;
    uint32_t got = to && known ? (uint32_t)scalar_bits(&now, to, &known) : 0;
    if (!to || !known || (to->kind == OG_OPERAND_SPECIAL && to->reg == OG_SPECIAL_NULL))
      return false;
    if (got != value)
      complain(inst->row, "lane %u's %x is read as %x", lane, value, got);
    return true;
  }
  if (!d || d->kind != OG_OPERAND_VGPR)
    return false;
  memcpy(want, before->v[d->reg], sizeof want);
  if (strcmp(name, "v_writelane_b32") == 0) {
    unsigned lane = vector_source(&m, s1, 0, &known) & (isa->wave - 1);
    want[lane] = known ? vector_source(&m, s0, 0, &known) : 0;
    return known && compare_lane_values(&m, d, want);
  }
  if (swaps) {
    memcpy(other, before->v[s0->reg], sizeof other);
    for (unsigned lane = 0; lane < isa->wave; lane++)
      if (m.exec >> lane & 1)
        want[lane] = before->v[s0->reg][lane], other[lane] = before->v[d->reg][lane];
    return d->reg != s0->reg && compare_lane_values(&m, d, want) && compare_lane_values(&m, s0, other);
  }
  if (strncmp(name, "v_permlane16_b32", 16) && strncmp(name, "v_permlanex16_b32", 17) && strcmp(name, "v_permlane64_b32") &&
      strcmp(name, "v_permlane16_var_b32") && strcmp(name, "v_permlanex16_var_b32"))
    return false;
  for (unsigned lane = 0; lane < isa->wave && known; lane++) {
    int from = m.exec >> lane & 1 ? permuted_lane(&m, name, lane, &known) : -1;
    if (!known)
      return false;
    want[lane] = from == -2 ? 0 : from == -1 ? want[lane] : vector_source(&m, s0, (unsigned)from, &known);
  }
  return known && compare_lane_values(&m, d, want);
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

enum { AHEAD = 5 /* words from the instruction's end, where there is nothing to execute either */ };

/* Gives a branch a target in the code, where the wave then stops. */
static void aim(struct og_inst *inst) {
  const struct og_operand *to = og_branch_operand(isa, inst), *s0 = og_operand(inst, OG_ROLE_SRC0);
  const char *name = og_row_name(inst->row);
  if (to) {
    uint8_t bytes[32];
    inst->operands[to - inst->operands].value = AHEAD;
    memset(bytes, 0xff, sizeof bytes);
    if (og_encode(isa, inst, bytes) == 4)
      memcpy(code, bytes, 4);
  } else if ((strcmp(name, "s_setpc_b64") == 0 || strcmp(name, "s_swappc_b64") == 0) && s0->kind == OG_OPERAND_SGPR) {
    og_store64(&wave->s[s0->reg], (uintptr_t)code + 4 + 4 * AHEAD);
  }
}

/* s_round_mode and s_denorm_mode put four bits into MODE. */
static bool compare_mode(const struct og_inst *inst) {
  const char *name = og_row_name(inst->row);
  unsigned shift = strcmp(name, "s_denorm_mode") == 0 ? 4 : 0;
  const struct og_operand *simm = og_operand(inst, OG_ROLE_SIMM);
  if ((!shift && strcmp(name, "s_round_mode") != 0) || !simm)
    return false;
  uint32_t want = (before->mode & ~(15u << shift)) | ((uint32_t)simm->value & 15) << shift;
  if (wave->mode != want)
    complain(inst->row, "MODE is %x, expected %x", wave->mode, want);
  return true;
}

static bool compare_branch(const struct og_inst *inst) {
  const char *name = og_row_name(inst->row);
  const struct og_operand *s0 = og_operand(inst, OG_ROLE_SRC0), *sdst = scalar_result_of(inst);
  uint64_t here = (uintptr_t)code + inst->size, there = here + 4 * AHEAD;
  uint64_t vcc = low_bits(og_load64(&before->s[OG_S_VCC]), isa->wave), exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  bool scc = before->s[OG_S_SCC], jumps = strcmp(name, "s_setpc_b64") == 0 || strcmp(name, "s_swappc_b64") == 0;
  bool taken = jumps || !strcmp(name, "s_branch") || !strcmp(name, "s_call_b64") || (!strcmp(name, "s_cbranch_scc0") && !scc) ||
               (!strcmp(name, "s_cbranch_scc1") && scc) || (!strcmp(name, "s_cbranch_vccz") && !vcc) ||
               (!strcmp(name, "s_cbranch_vccnz") && vcc) || (!strcmp(name, "s_cbranch_execz") && !exec) ||
               (!strcmp(name, "s_cbranch_execnz") && exec);
  bool links = !strcmp(name, "s_call_b64") || !strcmp(name, "s_swappc_b64") || !strcmp(name, "s_getpc_b64");
  bool plain = strncmp(name, "s_cbranch_", 10) == 0 && (strstr(name, "scc") || strstr(name, "vcc") || strstr(name, "exec"));
  if (!taken && !links && !plain)
    return false;
  if ((jumps && s0->kind != OG_OPERAND_SGPR) || (links && sdst->kind != OG_OPERAND_SGPR))
    return false;
  uint64_t at = wave->state == OG_WAVE_FAULT ? wave->fault.pc : og_pc(program, wave->resume); /* a branch ends its turn */
  if (at != (taken ? there : here))
    complain(inst->row, "it goes on %lld bytes behind, expected %lld", (long long)(at - here), (long long)(taken ? there - here : 0));
  if (links && og_load64(&wave->s[sdst->reg]) != here)
    complain(inst->row, "it has another address than its own end");
  return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Addresses of LDS by which no two lanes meet, whatever the offsets. */
static void set_lds_addresses(const struct og_inst *inst) {
  struct access access = access_of(og_row_name(inst->row));
  unsigned apart = access.stride == 64 ? access.bytes * access.count : 256;
  if (inst->encoding != OG_ENC_DS || strstr(og_row_name(inst->row), "permute"))
    return;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    wave->v[V_ADDRESS][lane] = apart * lane;
  wave->s[OG_S_M0] = LDS;
}

/* Numbers that are finite and normal in every format, in memory and in the data's registers, for atomics of floats: their
 * rules for others differ from chip to chip, and test_float_atomics.c has these. */
static uint8_t wild_memory[MEMORY], wild_lds[LDS];
static uint32_t sane32(void) { return (random32() & 0x81ff81ff) | 0x40004000; }
static void tame(const struct og_inst *inst, bool yes) {
  struct access access = access_of(og_row_name(inst->row));
  if (!is_float_atomic(&access))
    return;
  if (!yes) {
    memcpy(memory_before, wild_memory, MEMORY), memcpy(lds_before, wild_lds, LDS);
    return;
  }
  memcpy(wild_memory, memory_before, MEMORY), memcpy(wild_lds, lds_before, LDS);
  for (unsigned i = 0; i < MEMORY; i += 4)
    og_store32(memory_before + i, sane32());
  for (unsigned i = 0; i < LDS; i += 4)
    og_store32(lds_before + i, sane32());
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].role == OG_ROLE_VDATA || inst->operands[i].role == OG_ROLE_DATA1)
      for (unsigned k = 0; k < inst->operands[i].dwords; k++)
        for (unsigned lane = 0; lane < OG_LANES; lane++)
          wave->v[inst->operands[i].reg + k + (inst->operands[i].kind == OG_OPERAND_AGPR ? 256u : 0)][lane] = sane32();
}

static void extend(const struct access *access, uint64_t x, uint32_t *to) {
  unsigned bits = 8 * access->bytes;
  uint32_t value = access->is_signed ? (uint32_t)as_signed_bits(x, bits) : (uint32_t)x;
  *to = access->low ? (*to & 0xffff0000) | (value & 0xffff) : access->high ? (*to & 0xffff) | value << 16 : value;
}

static bool move_lane(const struct machine *m, const struct access *access, const struct og_operand *data,
                      const struct og_operand *data1, const struct og_operand *dst, unsigned lane, uint32_t *loaded) {
  bool known = true;
  unsigned places = access->two ? 2 : 1, n = 0;
  for (unsigned piece = 0; piece < places; piece++) {
    uint64_t at = lane_address(m, access, lane, piece, &known);
    const struct og_operand *from = piece ? data1 : data;
    for (unsigned k = 0; access->moves != MOVES_ATOMIC && k < access->count && known; k++, n++) {
      if (access->moves == MOVES_LOAD) {
        extend(access, get_bytes(m, access, lane, at + 4 * k, access->bytes, &known), &loaded[n]);
        continue;
      }
      struct og_operand part = *from;
      part.reg = (uint16_t)(part.reg + k);
      uint64_t x = operand_bits(m, &part, U32, lane, &known);
      put_bytes(m, access, lane, at + 4 * k, access->bytes, access->high ? x >> 16 & 0xffff : x, &known);
    }
    if (access->moves != MOVES_ATOMIC)
      continue;
    struct og_operand other = data1 ? *data1 : *data;
    other.reg = (uint16_t)(data1 ? other.reg : other.reg + access->bytes / 4);
    uint64_t had = get_bytes(m, access, lane, at, access->bytes, &known), now;
    bool old_order = access->space == OG_SPACE_LDS && !strstr(access->operation, "cmpstore");
    if (!atomic(access->operation, access->bytes, had, operand_bits(m, data, U64, lane, &known),
                operand_bits(m, &other, U64, lane, &known), old_order, &now, &known) || !known)
      return false;
    put_bytes(m, access, lane, at, access->bytes, now, &known);
    if (dst)
      loaded[0] = (uint32_t)had, loaded[1] = access->bytes == 8 ? (uint32_t)(had >> 32) : loaded[1];
  }
  return known;
}

/* Lanes that read others' by way of LDS hardware: of gfx10 and gfx11 within each 32 of them. */
static bool compare_exchange(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  const char *name = og_row_name(inst->row);
  const struct og_operand *d = og_operand(inst, OG_ROLE_VDST), *data = og_operand(inst, OG_ROLE_VDATA), *at = og_operand(inst, OG_ROLE_VADDR);
  bool gives = strcmp(name, "ds_permute_b32") == 0, takes = strcmp(name, "ds_bpermute_b32") == 0, known = true;
  if (!gives && !takes && strcmp(name, "ds_swizzle_b32") != 0)
    return false;
  uint32_t want[OG_LANES], sent[OG_LANES] = {0};
  unsigned reach = m.major == 10 || m.major == 11 ? 32 : isa->wave, offset = (unsigned)inst->mod[OG_MOD_OFFSET];
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  unsigned base = d->reg + (d->kind == OG_OPERAND_AGPR ? 256u : 0);
  for (unsigned lane = 0; gives && lane < isa->wave; lane++)
    if (m.exec >> lane & 1)
      sent[lane / reach * reach + ((uint32_t)operand_bits(&m, at, U32, lane, &known) + offset) / 4 % reach] = (uint32_t)operand_bits(&m, data, U32, lane, &known);
  for (unsigned lane = 0; lane < isa->wave; lane++) {
    want[lane] = before->v[base][lane];
    if (!(m.exec >> lane & 1))
      continue;
    unsigned from = takes ? lane / reach * reach + ((uint32_t)operand_bits(&m, at, U32, lane, &known) + offset) / 4 % reach
                          : lane / 32 * 32 + ((((lane & offset) | offset >> 5) & 31) ^ (offset >> 10 & 31));
    const struct og_operand *source = data ? data : at;
    want[lane] = gives ? sent[lane] : m.exec >> from & 1 ? (uint32_t)operand_bits(&m, source, U32, from, &known) : 0;
  }
  for (unsigned lane = 0; lane < isa->wave; lane++)
    if (wave->v[base][lane] != want[lane]) {
      complain(inst->row, "lane %u is %x, expected %x", lane, wave->v[base][lane], want[lane]);
      return true;
    }
  return known;
}

static bool bytes_differ(const struct og_inst *inst, const char *what, const uint8_t *got, const uint8_t *want, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (got[i] != want[i]) {
      complain(inst->row, "byte %zu of %s is %x, expected %x", i, what, got[i], want[i]);
      return true;
    }
  return false;
}

static bool compare_memory(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  struct access access = access_of(og_row_name(inst->row));
  if (access.moves == MOVES_NOT || og_form_memory(og_form(isa, inst->form))->lds || inst->mod[OG_MOD_TFE] || inst->mod[OG_MOD_LDS] || inst->mod[OG_MOD_GDS] || inst->mod[OG_MOD_SWZ])
    return false;
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *vdata = og_operand(inst, OG_ROLE_VDATA);
  const struct og_operand *data1 = og_operand(inst, OG_ROLE_DATA1);
  bool returns = access.moves == MOVES_LOAD || vdst || (access.moves == MOVES_ATOMIC && access.buffer && inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC);
  const struct og_operand *dst = !returns ? NULL : vdst ? vdst : vdata;
  memcpy(memory_after, memory_before, MEMORY), memcpy(lds_after, lds_before, LDS);
  memcpy(scratch_after, scratch_before, SCRATCH * OG_LANES);
  unsigned base = dst ? dst->reg + (dst->kind == OG_OPERAND_AGPR ? 256u : 0) : 0;
  unsigned dwords = !dst ? 0 : access.moves == MOVES_LOAD ? access.count * (access.two ? 2 : 1) : access.bytes / 4;
  for (unsigned lane = 0; lane < isa->wave; lane++) {
    uint32_t want[8] = {0};
    for (unsigned k = 0; k < dwords; k++)
      want[k] = before->v[base + k][lane];
    if (m.exec >> lane & 1 && !move_lane(&m, &access, vdata, data1, dst, lane, want))
      return false;
    for (unsigned k = 0; k < dwords; k++)
      if (wave->v[base + k][lane] != want[k]) {
        complain(inst->row, "lane %u's dword %u is %x, expected %x", lane, k, wave->v[base + k][lane], want[k]);
        return true;
      }
  }
  return bytes_differ(inst, "memory", memory, memory_after, MEMORY) || bytes_differ(inst, "LDS", lds, lds_after, LDS) ||
         bytes_differ(inst, "scratch", scratch, scratch_after, SCRATCH * OG_LANES) || true;
}

/* s_load and s_buffer_load: from a base or a resource, by an offset that gfx6 and gfx7 count in dwords. */
static bool compare_scalar_load(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  const char *name = og_row_name(inst->row);
  bool buffer = take(&name, "s_buffer_load_"), known = true, ignored = true;
  struct access access = {.space = OG_SPACE_GLOBAL};
  if ((!buffer && !take(&name, "s_load_")) || !read_shape(name, &access))
    return false;
  const struct og_operand *sbase = og_operand(inst, OG_ROLE_SBASE), *soffset = og_operand(inst, OG_ROLE_SOFFSET);
  const struct og_operand *sdata = og_operand(inst, OG_ROLE_SDATA) ? og_operand(inst, OG_ROLE_SDATA) : og_operand(inst, OG_ROLE_SDST);
  if (!sdata || sdata->kind != OG_OPERAND_SGPR)
    return false;
  uint64_t at = operand_bits(&m, sbase, U64, 0, &known);
  if (buffer)
    at &= isa->gfx1250 ? 0x1ffffffffffffff : 0xffffffffffff;
  unsigned scale = inst->mod[OG_MOD_CPOL] & OG_CPOL_SCALE_OFFSET ? access.bytes * access.count : 1;
  at += (uint64_t)((int64_t)inst->mod[OG_MOD_OFFSET] * (isa->generation < OG_GFX8 ? 4 : 1));
  if (is_given(soffset) && soffset->kind != OG_OPERAND_IMMEDIATE)
    at += (operand_bits(&m, soffset, U32, 0, &known) & UINT32_MAX) * scale;
  if (access.bytes == 4)
    at &= ~(uint64_t)3;
  memcpy(memory_after, memory_before, MEMORY);
  for (unsigned k = 0; k < access.count && known; k++) {
    uint32_t want = 0;
    extend(&access, get_bytes(&m, &access, 0, at + 4 * k, access.bytes, &ignored), &want);
    if (!ignored)
      return false;
    if (wave->s[sdata->reg + k] != want)
      complain(inst->row, "s%u is %x, expected %x", sdata->reg + k, wave->s[sdata->reg + k], want);
  }
  return known;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static bool is_vector(const struct og_inst *inst) {
  return inst->encoding >= OG_ENC_VOP1 && inst->encoding <= OG_ENC_VOP3P;
}

/* Without modifiers that many instructions refuse. */
static bool make_plainer(struct og_inst *inst) {
  uint8_t bytes[32];
  inst->mod[OG_MOD_NEG_LO] = inst->mod[OG_MOD_NEG_HI] = inst->mod[OG_MOD_OMOD] = inst->mod[OG_MOD_CLAMP] = 0;
  inst->mod[OG_MOD_OP_SEL] = inst->mod[OG_MOD_TFE] = inst->mod[OG_MOD_GDS] = 0;
  for (unsigned i = 0; i < inst->operand_count; i++)
    inst->operands[i].flags &= (uint8_t)~(OG_NEG | OG_ABS);
  memset(bytes, 0xff, sizeof bytes);
  size_t size = og_encode(isa, inst, bytes);
  char why[80];
  if (!size || size > sizeof code - 8 || og_decode(isa, bytes, sizeof bytes, inst) != size || !og_inst_valid(isa, inst, why, sizeof why))
    return false;
  memset(code, 0xff, sizeof code);
  memcpy(code, bytes, size);
  return true;
}

static bool try_form(const char *processor, unsigned index, bool plainer) {
  struct og_inst inst;
  bool made = false;
  for (unsigned tries = 0; tries < 20 && !made; tries++)
    made = random_inst(index, &inst);
  if (made && plainer)
    made = make_plainer(&inst);
  if (!made)
    return false;
  fill(wave);
  if (is_vector(&inst) || is_scalar(&inst))
    fill_values(wave);
  set_addresses(wave, &inst);
  set_lds_addresses(&inst);
  tame(&inst, true);
  aim(&inst);
  describe(processor, &inst);
  og_exec_changed(wave);
  memcpy(before, wave, offsetof(struct og_wave, v) + sizeof wave->v[0] * VECTORS);
  memcpy(before->v[256], wave->v[256], sizeof wave->v[0] * VECTORS);
  memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
  restore_memory();
  if (!run(wave)) {
    tame(&inst, false);
    return false;
  }
  bool done = is_inert(og_row_name(inst.row)) ? compare_inert(&inst)
              : is_scalar(&inst) ? compare_scalar(&inst) || compare_branch(&inst) || compare_mode(&inst)
              : is_vector(&inst) ? compare_vector(&inst) || compare_lanes(&inst)
              : inst.encoding == OG_ENC_SMEM ? compare_scalar_load(&inst) : compare_memory(&inst) || compare_exchange(&inst);
  tame(&inst, false);
  compared_instructions += done;
  was_compared[inst.row] |= done;
  return true;
}

static void check_processor(const char *name, unsigned wave_size) {
  static struct og_isa room;
  struct og_target target = target_of(name);
  target.wave_size = (uint8_t)wave_size;
  program = og_program_new(&target, code, sizeof code);
  isa = og_isa_for(&target, &room);
  set_up_wave(wave, 0);
  complained_count = 0;
  memset(was_compared, 0, sizeof was_compared);
  for (unsigned i = 0; i < og_form_count(isa); i++)
    if (og_form_fits(isa, og_form(isa, i)) && og_form(isa, i)->encoding != OG_ENC_MIMG &&
        og_form(isa, i)->encoding != OG_ENC_EXP)
      for (unsigned n = 0; n < TRIES || (n < MOST_TRIES && !was_compared[og_form(isa, i)->row]); n++)
        try_form(name, i, n >= TRIES);
  record_rows(&target);
  og_program_free(program);
}

static void results_are_the_reference(void **state) {
  (void)state;
  wave = zeros(sizeof(struct og_wave)), before = zeros(sizeof(struct og_wave));
  set_up_memory();
  const char *only = getenv("OFFGRID_VALUES_ONLY"); /* a processor, for whoever looks for a fault */
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    struct og_target target = target_of(processors[p]);
    if (only && strcmp(only, processors[p]) != 0)
      continue;
    if (target.wave_size == 32)
      check_processor(processors[p], 32);
    if (target.processor->generation < OG_GFX1250)
      check_processor(processors[p], 64);
  }
  print_message("%u instructions compared\n", compared_instructions);
  og_memory_map_free(map);
  assert_int_equal(complaints, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_the_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
