/* Every instruction with every modifier, on every generation: a modifier is obeyed, without effect for a stated reason,
 * or refused by name. What "obeyed" means is worked out here once more: an instruction with a modifier on a source is
 * the plain instruction on other inputs, and one on the result is the plain result treated. */
#include "isa/effects.h"
#include "wave_fixture.h"

#include <math.h>

#include "base/floats.h"
#include "exec/lane.h"

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static const char *const processors[] = {"gfx600",  "gfx700",  "gfx803",  "gfx900",  "gfx906",  "gfx908",  "gfx90a",
                                         "gfx942",
                                         "gfx950",  "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250"};

static const struct og_isa *isa;
static const struct og_form *form;
static char context[160]; /* what is at hand, for messages */

static bool is_vector_encoding(uint8_t encoding) {
  return encoding == OG_ENC_VOP1 || encoding == OG_ENC_VOP2 || encoding == OG_ENC_VOPC || encoding == OG_ENC_VOP3 ||
         encoding == OG_ENC_VOP3P || encoding == OG_ENC_VINTERP;
}

static void use_processor(const char *name) {
  static struct og_isa room;
  struct og_target target;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  assert_true(og_target_parse(&target, NULL, name, NULL, diagnostics));
  og_diagnostics_free(diagnostics);
  og_program_free(program);
  program = og_program_new(&target, code, sizeof(code));
  program->isa = isa = og_isa_for(&target, &room);
  wave->program = program;
  wave->wave_size = target.processor->generation >= OG_GFX10_1 ? 32 : 64;
}

static int source_index(const struct og_operand *operand) {
  return operand->role == OG_ROLE_SRC0 ? 0 : operand->role == OG_ROLE_SRC1 ? 1 : operand->role == OG_ROLE_SRC2 ? 2 : -1;
}

/* The form's instruction over v0, v4, v8 to v12 and s[20:21]; a mask read stands in s[22:23]. */
static bool plain_inst(struct og_inst *inst) {
  uint8_t bytes[24];
  memcpy(bytes, form->value, 16), memset(bytes + 16, 0, 8);
  if (og_decode(isa, bytes, sizeof(bytes), inst) == 0 || inst->row != form->row || inst->variant != form->variant)
    return false;
  const struct og_shape *shape = og_shape(isa, form);
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_operand *operand = &inst->operands[i];
    const struct og_slot *slot = &og_slots(shape)[i];
    int source = source_index(operand);
    operand->flags = 0;
    if (operand->role == OG_ROLE_VDST && slot->takes == OG_TAKES_VGPR)
      operand->kind = OG_OPERAND_VGPR, operand->reg = V_RESULT;
    else if (operand->role == OG_ROLE_SDST || operand->role == OG_ROLE_VDST)
      operand->kind = OG_OPERAND_SGPR, operand->reg = S_MASK;
    else if (source >= 0 && (slot->takes == OG_TAKES_SGPR || slot->takes == OG_TAKES_SGPR_INLINE))
      operand->kind = OG_OPERAND_SGPR, operand->reg = S_CARRY;
    else if (source >= 0 && slot->takes != OG_TAKES_VCC)
      operand->kind = OG_OPERAND_VGPR, operand->reg = (uint16_t)(V_SOURCE + 4 * source);
  }
  for (unsigned i = 0; i < shape->mod_count; i++)
    inst->mod[og_mods(shape)[i].mod] = 0;
  memset(inst->mod, 0, sizeof(inst->mod));
  if (inst->encoding == OG_ENC_VOP3P) {
    const struct og_vector_row *row = row_of(og_row_name(inst->row));
    inst->mod[OG_MOD_OP_SEL_HI] = row && row->flags & OG_VECTOR_MIX ? 0 : 7;
  }
  if (inst->variant == OG_VARIANT_DPP16)
    inst->mod[OG_MOD_DPP_CTRL] = 0xe4, inst->mod[OG_MOD_ROW_MASK] = inst->mod[OG_MOD_BANK_MASK] = 15;
  if (inst->variant == OG_VARIANT_DPP8)
    inst->mod[OG_MOD_DPP8] = 0xfac688;
  if (inst->variant == OG_VARIANT_SDWA)
    inst->mod[OG_MOD_DST_SEL] = inst->mod[OG_MOD_SRC0_SEL] = inst->mod[OG_MOD_SRC1_SEL] = OG_SELECT_DWORD;
  return true;
}

/* Decodes into slot 0. */
static bool prepares(const struct og_inst *inst) {
  struct og_operation *op = &program->operations[0];
  memset(op, 0, sizeof(*op));
  op->words = 1;
  op->row = inst->row;
  op->detail = op;
  program->refused = NULL;
  return og_prepare_vector_row(program, inst->row, inst, op) && op->handler;
}

static const struct og_vector_row *semantics_of(const struct og_inst *inst, bool *writes_exec) {
  const char *name = og_row_name(inst->row);
  char compare[40];
  *writes_exec = strncmp(name, "v_cmpx_", 7) == 0 || strncmp(name, "v_cmpsx_", 8) == 0;
  if (*writes_exec || strncmp(name, "v_cmps_", 7) == 0) {
    snprintf(compare, sizeof(compare), "v_cmp_%s", strchr(name + 2, '_') + 1);
    name = compare;
  }
  return row_of(name);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

enum { SOURCES = 3, DWORDS = 2 };
struct state {
  uint32_t source[SOURCES][DWORDS][OG_LANES], old[DWORDS][OG_LANES]; /* `old`: of the result */
  uint64_t exec, carry;
};
struct outcome {
  uint32_t d[DWORDS][OG_LANES];
  uint64_t mask, exec;
};

static uint32_t random32(void) {
  static const uint32_t often[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40400000, 0x3c00bc00, 0x40004200,
                                   0x00010002, 0x7fffffff, 0x80008000, 0x3e99999a, 0x41200000, 0xc000c200, 0x00000007};
  uint32_t bits = (uint32_t)rand() << 16 ^ (uint32_t)rand();
  return rand() % 2 ? often[(unsigned)rand() % OG_COUNT(often)] : bits;
}

static void fill(struct state *s) {
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    for (unsigned k = 0; k < DWORDS; k++) {
      for (unsigned i = 0; i < SOURCES; i++)
        s->source[i][k][lane] = random32();
      s->old[k][lane] = random32();
    }
  s->exec = ((uint64_t)random32() << 32 | random32()) | 0x11;
  s->carry = (uint64_t)random32() << 32 | random32();
}

/* What slot 0's operation does. VCC is read and written as the scalar masks are. */
static void run_on(const struct state *s, const struct og_vector_row *row, bool vcc, bool writes_exec,
                   struct outcome *out) {
  for (unsigned i = 0; i < SOURCES; i++)
    memcpy(wave->v[V_SOURCE + 4 * i], s->source[i], sizeof(s->source[i]));
  memcpy(wave->v[V_RESULT], s->old, sizeof(s->old));
  og_store64(&wave->s[S_CARRY], s->carry);
  og_store64(&wave->s[S_MASK], 0);
  og_set_s64(wave, OG_S_VCC, s->carry);
  set_exec(s->exec);
  run(1);
  assert_int_equal(wave->state, OG_WAVE_READY);
  memcpy(out->d, wave->v[V_RESULT], sizeof(out->d));
  out->mask = og_mask_at(wave, vcc ? OG_AT_S(OG_S_VCC) : OG_AT_S(S_MASK));
  if (!(row->flags & OG_VECTOR_CARRY_OUT))
    out->mask = 0;
  out->exec = writes_exec ? og_mask(wave, OG_S_EXEC) : 0;
}

static bool nan_bits(unsigned type, uint64_t bits) {
  return type == OG_AS_F16   ? (bits & 0x7fff) > 0x7c00
         : type == OG_AS_F32 ? (bits & 0x7fffffff) > 0x7f800000
                             : type == OG_AS_F64 && bits << 1 > (uint64_t)0xffe << 52;
}

static void expect_same(const struct og_vector_row *row, const struct outcome *got, const struct outcome *want) {
  bool wide = og_as_is_64((enum og_as)row->result);
  unsigned lanes = wave->wave_size;
  if (got->mask != want->mask || got->exec != want->exec)
    fail_msg("%s: masks %llx and %llx, expected %llx and %llx", context, (unsigned long long)got->mask,
             (unsigned long long)got->exec, (unsigned long long)want->mask, (unsigned long long)want->exec);
  for (unsigned lane = 0; lane < lanes; lane++) {
    uint64_t g = got->d[0][lane] | (wide ? (uint64_t)got->d[1][lane] << 32 : 0);
    uint64_t w = want->d[0][lane] | (wide ? (uint64_t)want->d[1][lane] << 32 : 0);
    bool nans = nan_bits(row->result, g) && nan_bits(row->result, w);
    bool halves = row->result == OG_AS_F16 && (nan_bits(OG_AS_F16, g) || g % 65536 == w % 65536) &&
                  (nan_bits(OG_AS_F16, g >> 16) || g >> 16 == w >> 16);
    if (g != w && !nans && !halves)
      fail_msg("%s: lane %u has %llx, expected %llx", context, lane, (unsigned long long)g, (unsigned long long)w);
  }
}

/* ---- modifiers, once more ---------------------------------------------------------------------------------------- */

static unsigned width_of(unsigned type) {
  return og_as_is_64((enum og_as)type) ? 64 : og_as_is_16((enum og_as)type) ? 16 : 32;
}

static void change_signs(struct state *s, int i, unsigned type, unsigned flags) {
  unsigned width = width_of(type), k = width == 64;
  uint32_t sign = width == 16 ? 0x8000 : 0x80000000;
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint32_t *x = &s->source[i][k][lane];
    *x = flags & OG_ABS ? *x & ~sign : *x;
    *x = flags & OG_NEG ? *x ^ sign : *x;
  }
}

static uint32_t part_of(uint32_t x, int select, bool extend) {
  if (select == OG_SELECT_DWORD)
    return x;
  bool byte_wide = select < OG_SELECT_WORD0;
  x >>= byte_wide ? 8 * select : 16 * (select - OG_SELECT_WORD0);
  return byte_wide ? (extend ? (uint32_t)(int8_t)x : (uint8_t)x) : extend ? (uint32_t)(int16_t)x : (uint16_t)x;
}

static void select_source(struct state *s, int i, int select, bool extend) {
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    s->source[i][0][lane] = part_of(s->source[i][0][lane], select, extend);
}

/* The lane that a control names, -1: none. Rows have 16 lanes. */
static int named(int control, int lane) {
  int row = lane / 16 * 16, in = lane % 16;
  if (control < 0x100)
    return lane / 4 * 4 + (control >> 2 * (lane % 4)) % 4;
  if (control > 0x100 && control < 0x110)
    return in + control % 16 < 16 ? lane + control % 16 : -1;
  if (control > 0x110 && control < 0x120)
    return in >= control % 16 ? lane - control % 16 : -1;
  if (control > 0x120 && control < 0x130)
    return row + (in + 16 - control % 16) % 16;
  return control == 0x140 ? row + 15 - in : lane / 8 * 8 + 7 - lane % 8; /* row_mirror, row_half_mirror */
}

/* Source 0 moved between lanes; yields the lanes that are written. */
static uint64_t move_lanes(struct state *s, const struct og_inst *inst) {
  struct state before = *s;
  uint64_t writes = 0;
  for (int lane = 0; lane < OG_LANES; lane++) {
    int from = inst->variant == OG_VARIANT_DPP8 ? lane / 8 * 8 + (inst->mod[OG_MOD_DPP8] >> 3 * (lane % 8)) % 8
                                                : named(inst->mod[OG_MOD_DPP_CTRL], lane);
    bool there = from >= 0 && (inst->mod[OG_MOD_FI] || before.exec >> from & 1);
    bool zero = inst->variant == OG_VARIANT_DPP8 || inst->mod[OG_MOD_BOUND_CTRL];
    bool masked = inst->variant != OG_VARIANT_DPP8 && !(inst->mod[OG_MOD_ROW_MASK] >> lane / 16 & 1 &&
                                                        inst->mod[OG_MOD_BANK_MASK] >> lane / 4 % 4 & 1);
    for (int k = 0; k < DWORDS; k++)
      s->source[0][k][lane] = there ? before.source[0][k][from] : 0;
    writes |= (uint64_t)(!masked && (there || zero)) << lane;
  }
  return writes;
}

static double as_double(unsigned type, uint32_t low, uint32_t high) {
  uint64_t both = (uint64_t)high << 32 | low;
  return type == OG_AS_F16 ? og_half_to_float((uint16_t)low) : type == OG_AS_F32 ? f32_of_bits(low) : f64_of_bits(both);
}
static uint64_t of_double(unsigned type, double x) {
  return type == OG_AS_F16 ? og_double_to_half(x) : type == OG_AS_F32 ? bits_of_f32((float)x) : bits_of_f64(x);
}
static uint64_t treated(const struct og_inst *inst, unsigned type, uint32_t low, uint32_t high) {
  static const double factors[4] = {1, 2, 4, 0.5};
  double x = as_double(type, low, high);
  if (inst->mod[OG_MOD_OMOD])
    x = x == 0 ? 0.0 : x * factors[inst->mod[OG_MOD_OMOD]]; /* what underflows keeps its sign */
  if (inst->mod[OG_MOD_OMOD] && type == OG_AS_F16 && !(og_double_to_half(x) & 0x7c00)) /* without denormals */
    x = copysign(0, x);
  if (inst->mod[OG_MOD_CLAMP])
    x = isnan(x) || !(x > 0) ? 0 : x < 1 ? x : 1;
  return of_double(type, x);
}
static void treat_float(const struct og_vector_row *row, const struct og_inst *inst, struct outcome *out) {
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint32_t d = out->d[0][lane];
    uint64_t bits = treated(inst, row->result, d, out->d[1][lane]);
    if (row->flags & OG_VECTOR_PACKED)
      bits |= treated(inst, row->result, d >> 16, 0) << 16;
    out->d[0][lane] = (uint32_t)bits;
    out->d[1][lane] = og_as_is_64((enum og_as)row->result) ? (uint32_t)(bits >> 32) : out->d[1][lane];
  }
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static unsigned obeyed, refused, without_effect;

/* Instructions whose semantics are not in the table: these modifiers they have, others not. */
static bool by_hand_obeys(const struct og_inst *inst, const char *name) {
  bool permutes = (strncmp(name, "v_permlane16_", 13) == 0 || strncmp(name, "v_permlanex16_", 14) == 0) &&
                  inst->mod[OG_MOD_BOUND_CTRL] == 0;
  bool packed = strncmp(name, "v_pk_", 5) == 0; /* 32-bit floats: in the test below */
  bool nothing = strcmp(name, "v_nop") == 0 || strcmp(name, "v_clrexcp") == 0;
  bool swaps = strncmp(name, "v_permlane", 10) == 0 && strstr(name, "_swap_") && !inst->mod[OG_MOD_OP_SEL];
  bool to_halves = strcmp(name, "v_swap_b16") == 0;
  bool relative = strncmp(name, "v_movrel", 8) == 0; /* tests/lit/run/relative.s */
  return permutes || swaps || relative || to_halves || packed || nothing;
}

/* Of elements that are all read as unsigned, what it adds to their sum of products that neg_lo says they are signed. */
static void add_signs(const struct og_vector_row *row, const struct og_inst *inst, const struct state *s,
                      struct outcome *want) {
  unsigned bits = strstr(og_row_name(row->row), "dot4") ? 8 : 4, top = 1u << bits;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    for (unsigned at = 0; at < 32; at += bits) {
      int64_t x = s->source[0][0][lane] >> at & (top - 1), y = s->source[1][0][lane] >> at & (top - 1);
      int64_t signed_x = x >= top / 2 && inst->mod[OG_MOD_NEG_LO] & 1 ? x - top : x;
      int64_t signed_y = y >= top / 2 && inst->mod[OG_MOD_NEG_LO] & 2 ? y - top : y;
      want->d[0][lane] += (uint32_t)(signed_x * signed_y - x * y);
    }
}

/* What the plain instruction yields on inputs and with a result changed as the modified one's modifiers say. */
static void reference(const struct og_inst *plain, const struct og_inst *inst, const struct og_vector_row *row,
                      const struct state *s, bool vcc, bool writes_exec, struct outcome *want) {
  struct state changed = *s;
  uint8_t order[3] = {0, 1, 2};
  if (strstr(og_row_name(row->row), "madmk") || strstr(og_row_name(row->row), "fmamk"))
    order[2] = 1;
  uint64_t writes = UINT64_MAX;
  if (inst->variant == OG_VARIANT_DPP16 || inst->variant == OG_VARIANT_DPP8)
    writes = move_lanes(&changed, inst);
  bool packed = row->flags & OG_VECTOR_PACKED, mix = row->flags & OG_VECTOR_MIX;
  bool pairs = row->flags & OG_VECTOR_PAIRS && inst->encoding == OG_ENC_VOP3P;
  bool to_high = false;
  for (unsigned n = 0; n < inst->operand_count; n++) {
    const struct og_operand *operand = &inst->operands[n];
    int i = source_index(operand);
    if (operand->role == OG_ROLE_VDST && (operand->flags & OG_HALF_HI || (!packed && inst->mod[OG_MOD_OP_SEL] & 8)))
      to_high = true;
    if (i < 0 || operand->kind != OG_OPERAND_VGPR)
      continue;
    unsigned type = row->source[i == 1 && order[2] == 1 ? 2 : i];
    bool op_sel = inst->mod[OG_MOD_OP_SEL] >> i & 1, op_sel_hi = inst->mod[OG_MOD_OP_SEL_HI] >> i & 1;
    bool neg_lo = inst->mod[OG_MOD_NEG_LO] >> i & 1, neg_hi = inst->mod[OG_MOD_NEG_HI] >> i & 1;
    for (unsigned lane = 0; lane < OG_LANES; lane++) {
      uint32_t *x = &changed.source[i][0][lane], low = *x >> (op_sel ? 16 : 0), high = *x >> (op_sel_hi ? 16 : 0);
      if ((packed && inst->encoding == OG_ENC_VOP3P) || (pairs && i < 2))
        *x = ((low & 0xffff) ^ (neg_lo ? 0x8000 : 0)) | ((high & 0xffff) ^ (neg_hi ? 0x8000 : 0)) << 16;
      if (mix) {
        *x = !op_sel_hi                           ? *x
             : row->flags & OG_VECTOR_BFLOATS ? low << 16
                                              : bits_of_f32(og_half_to_float((uint16_t)low));
        *x = (neg_hi ? *x & 0x7fffffff : *x) ^ (neg_lo ? 0x80000000 : 0);
      }
    }
    if (!packed && !mix && width_of(type) == 16 && (op_sel || operand->flags & OG_HALF_HI))
      select_source(&changed, i, OG_SELECT_WORD1, false);
    if (inst->variant == OG_VARIANT_SDWA && i < 2)
      select_source(&changed, i, inst->mod[i ? OG_MOD_SRC1_SEL : OG_MOD_SRC0_SEL], operand->flags & OG_SEXT);
    change_signs(&changed, i, type, operand->flags);
  }
  bool sdwa = inst->variant == OG_VARIANT_SDWA && row->result != OG_AS_NONE;
  int part = sdwa ? inst->mod[OG_MOD_DST_SEL] : OG_SELECT_DWORD;
  if (to_high || (sdwa && part == OG_SELECT_WORD1))
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      changed.old[0][lane] >>= 16;
  struct og_inst other = *plain;
  other.mod[OG_MOD_BITOP3] = inst->mod[OG_MOD_BITOP3]; /* test_vector has truth tables */
  assert_true(prepares(&other));
  run_on(&changed, row, vcc, writes_exec, want);
  if (row->flags & OG_VECTOR_SIGNS01)
    add_signs(row, inst, s, want);
  to_high |= (row->flags & OG_VECTOR_HIGH) != 0;
  for (unsigned lane = 0; row->flags & OG_VECTOR_HIGH && lane < OG_LANES; lane++)
    want->d[0][lane] >>= 16;
  if (inst->mod[OG_MOD_OMOD] || inst->mod[OG_MOD_CLAMP])
    treat_float(row, inst, want);
  uint64_t active = s->exec & writes;
  unsigned major = program->target.processor->major;
  bool keeps = major >= 10 || (major == 9 && row->flags & OG_VECTOR_KEEP);
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint32_t old = s->old[0][lane], d = want->d[0][lane];
    if (to_high)
      d = (old & 0xffff) | d << 16;
    else if (og_as_is_16((enum og_as)row->result) && !packed && !sdwa)
      d = (keeps ? old & 0xffff0000 : 0) | (d & 0xffff);
    if (part != OG_SELECT_DWORD) {
      unsigned shift = part < OG_SELECT_WORD0 ? 8 * (unsigned)part : 16 * (unsigned)(part - OG_SELECT_WORD0);
      uint32_t mask = (part < OG_SELECT_WORD0 ? 0xffu : 0xffffu) << shift, bits = want->d[0][lane] << shift & mask;
      uint32_t above = ~(mask | (((uint32_t)1 << shift) - 1));
      d = inst->mod[OG_MOD_DST_UNUSED] == OG_UNUSED_PRESERVE ? (old & ~mask) | bits
          : inst->mod[OG_MOD_DST_UNUSED] == OG_UNUSED_SEXT && bits & (mask ^ mask >> 1) ? bits | above
                                                                                        : bits;
    }
    bool written = active >> lane & 1;
    want->d[0][lane] = written ? d : old;
    want->d[1][lane] = written ? want->d[1][lane] : s->old[1][lane];
  }
  if (!(writes_exec && major >= 10)) /* which write nothing else */
    want->mask &= writes;
  want->exec &= writes;
}

/* Of integers, clamping is another instruction, which test_vector checks; here only that there is one. */
static bool clamps_integers(const struct og_vector_row *row, const struct og_inst *inst) {
  return inst->mod[OG_MOD_CLAMP] && row->result != OG_AS_NONE && row->result != OG_AS_F16 &&
         row->result != OG_AS_F32 && row->result != OG_AS_F64;
}

static void try_inst(const struct og_inst *plain, const struct og_inst *inst, const char *what, int value) {
  const char *name = og_row_name(inst->row);
  snprintf(context, sizeof(context), "%s %s (encoding %u, variant %u) with %s %d", program->target.processor->name,
           name, inst->encoding, inst->variant, what, value);
  if (!prepares(inst)) {
    if (!program->refused)
      fail_msg("%s is refused without saying why", context);
    refused++;
    return;
  }
  bool writes_exec;
  const struct og_vector_row *row = semantics_of(inst, &writes_exec);
  if (!row) {
    if (!by_hand_obeys(inst, name))
      fail_msg("%s is taken", context);
    obeyed++;
    return;
  }
  if (clamps_integers(row, inst)) {
    assert_non_null(program->variant->handlers[row - og_vector_rows].clamped);
    obeyed++;
    return;
  }
  bool vcc = !og_operand(inst, OG_ROLE_SDST) && !(row->result == OG_AS_NONE && og_operand(inst, OG_ROLE_VDST));
  struct og_inst treated = *inst;
  if (row->result == OG_AS_NONE) /* of a comparison it says which exceptions are signalled; there are none */
    treated.mod[OG_MOD_CLAMP] = 0;
  for (int round = 0; round < 2; round++) {
    struct state s;
    struct outcome got, want;
    fill(&s);
    set_mode(0x1f0 & ~(inst->mod[OG_MOD_OMOD] ? 0xa0u : 0));
    assert_true(prepares(inst));
    run_on(&s, row, vcc, writes_exec, &got);
    reference(plain, &treated, row, &s, vcc, writes_exec, &want);
    expect_same(row, &got, &want);
  }
  if (treated.mod[OG_MOD_CLAMP] != inst->mod[OG_MOD_CLAMP])
    without_effect++;
  else
    obeyed++;
}

static void try_mod(const struct og_inst *plain, enum og_mod mod, int value, const char *what) {
  struct og_inst inst = *plain;
  inst.mod[mod] = value;
  try_inst(plain, &inst, what, value);
}

static void try_mods(const struct og_inst *plain) {
  static const struct {
    enum og_mod mod;
    const char *name;
    int values[8];
  } some[] = {{OG_MOD_OMOD, "omod", {1, 2, 3}},
              {OG_MOD_OP_SEL, "op_sel", {1, 2, 4, 8, 15, 3}},
              {OG_MOD_OP_SEL_HI, "op_sel_hi", {1, 2, 4, 3, 5, 6}},
              {OG_MOD_NEG_LO, "neg_lo", {1, 2, 4, 7}},
              {OG_MOD_NEG_HI, "neg_hi", {1, 2, 4, 7}},
              {OG_MOD_DPP_CTRL, "dpp_ctrl", {0x1b, 0x101, 0x113, 0x121, 0x140, 0x141}},
              {OG_MOD_ROW_MASK, "row_mask", {1, 2, 13}},
              {OG_MOD_BANK_MASK, "bank_mask", {1, 4, 11}},
              {OG_MOD_DPP8, "dpp8", {0x053977, 0xfac688, 07777}},
              {OG_MOD_DST_SEL, "dst_sel", {1, 2, 3, 4, 5}},
              {OG_MOD_SRC0_SEL, "src0_sel", {1, 2, 3, 4, 5}},
              {OG_MOD_SRC1_SEL, "src1_sel", {1, 2, 3, 4, 5}}};
  const struct og_shape *shape = og_shape(isa, form);
  bool halves = false;
  for (unsigned i = 0; i < shape->slot_count; i++)
    for (unsigned k = 0; k < 4; k++)
      halves |= og_slots(shape)[i].modifiers[k].width && og_slots(shape)[i].modifiers[k].to >= 2;
  for (unsigned i = 0; i < shape->mod_count; i++) {
    enum og_mod mod = og_mods(shape)[i].mod;
    size_t k = 0;
    while (k < OG_COUNT(some) && some[k].mod != mod)
      k++;
    if (k == OG_COUNT(some))
    {
      char what[24];
      snprintf(what, sizeof(what), "modifier %d is", mod);
      try_mod(plain, mod, 1, what);
    }
    for (unsigned n = 0; k < OG_COUNT(some) && n < 8 && some[k].values[n]; n++)
      if (!(mod == OG_MOD_OP_SEL && halves))
        try_mod(plain, mod, some[k].values[n], some[k].name);
    if (mod == OG_MOD_DPP_CTRL) { /* what happens where there is nothing to read */
      struct og_inst inst = *plain;
      inst.mod[OG_MOD_DPP_CTRL] = 0x111, inst.mod[OG_MOD_BOUND_CTRL] = 1;
      try_inst(plain, &inst, "bound_ctrl", 1);
      inst.mod[OG_MOD_FI] = plain->variant == OG_VARIANT_DPP16 && program->target.processor->generation >= OG_GFX10_1;
      try_inst(plain, &inst, "fi", 1);
    }
    if (mod == OG_MOD_DST_SEL)
      for (int unused = 0; unused < 3; unused++)
        for (int part = 0; part < 6; part++) {
          struct og_inst inst = *plain;
          inst.mod[OG_MOD_DST_SEL] = part, inst.mod[OG_MOD_DST_UNUSED] = unused;
          try_inst(plain, &inst, "dst_unused", unused);
        }
  }
}

static void try_flags(const struct og_inst *plain) {
  const struct og_shape *shape = og_shape(isa, form);
  for (unsigned i = 0; i < plain->operand_count; i++) {
    const struct og_slot *slot = &og_slots(shape)[i];
    for (unsigned flags = 1; flags < 16; flags++) {
      if ((flags & (OG_NEG | OG_ABS) && !(slot->flags & OG_SLOT_NEG_ABS)) ||
          (flags & OG_SEXT && !(slot->flags & OG_SLOT_SEXT)) || (flags & OG_HALF_HI && !(slot->flags & OG_SLOT_HALF)) ||
          plain->operands[i].kind != OG_OPERAND_VGPR)
        continue;
      struct og_inst inst = *plain;
      inst.operands[i].flags = (uint8_t)flags;
      if (flags & OG_SEXT && source_index(&inst.operands[i]) >= 0)
        inst.mod[source_index(&inst.operands[i]) ? OG_MOD_SRC1_SEL : OG_MOD_SRC0_SEL] = 1;
      char what[40];
      snprintf(what, sizeof(what), "operand %u's flags", i);
      try_inst(plain, &inst, what, (int)flags);
    }
  }
}

static void every_modifier_is_obeyed_or_refused(void **state) {
  (void)state;
  unsigned seed = 20251122;
  srand(seed);
  print_message("seed %u\n", seed);
  unsigned executed = 0;
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    use_processor(processors[p]);
    for (unsigned k = 0; k < og_form_count(isa); k++) {
      struct og_inst plain;
      form = og_form(isa, k);
      if (!is_vector_encoding(form->encoding) || !og_form_fits(isa, form) || !plain_inst(&plain) || !prepares(&plain))
        continue;
      executed++;
      try_mods(&plain);
      try_flags(&plain);
    }
  }
  print_message("%u forms: %u modifiers obeyed, %u without effect, %u refused\n", executed, obeyed, without_effect,
                refused);
  assert_true(executed > 10000 && obeyed > 50000);
}

/* ---- everything else --------------------------------------------------------------------------------------------- */

/* Of other instructions, the modifiers that say where; what they do, test_memory and test_image check. Cache policy is
 * without effect but for atomics' return and scale_offset, for everyone sees everything at once. */
static bool has_global_data(void) {
  return isa->generation < OG_GFX90A || (isa->generation >= OG_GFX10_1 && isa->generation < OG_GFX12);
}
static bool may_be_taken(uint8_t encoding, enum og_mod mod) {
  bool buffer = encoding == OG_ENC_MUBUF || encoding == OG_ENC_MTBUF;
  switch (mod) {
  case OG_MOD_OFFSET: case OG_MOD_CPOL: return encoding != OG_ENC_VOPD && encoding > OG_ENC_SOPP;
  case OG_MOD_OFFSET0: case OG_MOD_OFFSET1: return encoding == OG_ENC_DS;
  case OG_MOD_GDS: return encoding == OG_ENC_DS && (has_global_data() || og_form_memory(form)->space == OG_IN_GWS);
  case OG_MOD_EN:
  case OG_MOD_COMPR:
  case OG_MOD_DONE:
  case OG_MOD_VM:
  case OG_MOD_ROW_EN: return encoding == OG_ENC_EXP;
  case OG_MOD_WAIT_VDST: case OG_MOD_WAIT_VM_VSRC: return encoding == OG_ENC_LDSDIR;
  case OG_MOD_OFFEN: case OG_MOD_IDXEN: case OG_MOD_ADDR64: case OG_MOD_LDS: return buffer;
  case OG_MOD_FORMAT: return buffer && og_form_memory(form)->space == OG_IN_TYPED;
  case OG_MOD_DMASK: case OG_MOD_DIM: case OG_MOD_UNORM: case OG_MOD_R128: case OG_MOD_A16: case OG_MOD_TFE:
  case OG_MOD_LWE: case OG_MOD_DA: case OG_MOD_D16: return encoding == OG_ENC_MIMG;
  case OG_MOD_BITOP3: return encoding == OG_ENC_VOPD && form->second && strstr(og_row_name(form->second), "bitop2");
  default: return false;
  }
}

static bool prepares_any(const struct og_inst *inst) {
  struct og_operation *op = &program->operations[0];
  memset(op, 0, sizeof(*op));
  op->words = 2;
  op->row = inst->row;
  op->detail = op;
  program->refused = NULL;
  bool ok = inst->encoding == OG_ENC_VOPD      ? og_prepare_pair(program, inst, op)
            : inst->encoding <= OG_ENC_SOPP ? og_prepare_scalar(program, inst, op)
                                            : og_prepare_memory(program, inst, op);
  return ok && op->handler;
}

static void other_instructions_refuse_what_they_do_not_obey(void **state) {
  (void)state;
  unsigned executed = 0;
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    use_processor(processors[p]);
    for (unsigned k = 0; k < og_form_count(isa); k++) {
      struct og_inst plain;
      uint8_t bytes[24] = {0};
      form = og_form(isa, k);
      memcpy(bytes, form->value, 16);
      if (is_vector_encoding(form->encoding) || !og_form_fits(isa, form) ||
          og_decode(isa, bytes, sizeof(bytes), &plain) == 0 || !prepares_any(&plain))
        continue;
      executed++;
      for (int mod = 0; mod < OG_MOD_COUNT; mod++) {
        struct og_inst inst = plain;
        inst.mod[mod] = 1;
        bool taken = prepares_any(&inst);
        if (taken && !may_be_taken(plain.encoding, (enum og_mod)mod))
          fail_msg("%s %s is taken with modifier %d", processors[p], og_row_name(plain.row), mod);
        if (!taken && !program->refused)
          fail_msg("%s %s with modifier %d is refused without saying why", processors[p], og_row_name(plain.row),
                   mod);
      }
    }
  }
  print_message("%u forms\n", executed);
  assert_true(executed > 5000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, wave_setup, wave_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(every_modifier_is_obeyed_or_refused),
      TEST(other_instructions_refuse_what_they_do_not_obey),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
