/* recognize.c - which vector operations strips can do: those of rows.def, by the interpreter's handler that would do
 * them. */
#include "tier/rows.h"

#include "exec/modifiers.h"
#include "isa/rows.h"

static const struct og_lane_code rows[] = {
#define ROW(name, ...) {OG_ROW_##name, {__VA_ARGS__}, 0},
#define CLAMPED(name, ...)
#include "tier/rows.def"
#undef ROW
#undef CLAMPED
/* VPCMPD's and VCMPPS's predicates. */
#define INTEGERS(relation, predicate)                                                                                  \
  {OG_ROW_V_CMP_##relation##_I32, {{COMPARE_I, CO, S0, S1}}, predicate},                                               \
      {OG_ROW_V_CMP_##relation##_U32, {{COMPARE_U, CO, S0, S1}}, predicate},
    INTEGERS(EQ, 0) INTEGERS(LT, 1) INTEGERS(LE, 2) INTEGERS(NE, 4) INTEGERS(GE, 5) INTEGERS(GT, 6)
#define HALVES(relation, predicate)                                                                                    \
  {OG_ROW_V_CMP_##relation##_I16, {{SHIFT_LEFT, T0, S0, N16}, {SHIFT_LEFT, T1, S1, N16}, {COMPARE_I, CO, T0, T1}}, predicate}, \
      {OG_ROW_V_CMP_##relation##_U16, {{AND, T0, S0, LOW16}, {AND, T1, S1, LOW16}, {COMPARE_U, CO, T0, T1}}, predicate},
        HALVES(EQ, 0) HALVES(LT, 1) HALVES(LE, 2) HALVES(NE, 4) HALVES(GE, 5) HALVES(GT, 6)
/* Rounding to integers; no exceptions. */
#define QUADS(relation, predicate)                                                                                     \
  {OG_ROW_V_CMP_##relation##_I64, {{COMPARE_Q, CO, S0, S1}}, predicate},                                               \
      {OG_ROW_V_CMP_##relation##_U64, {{COMPARE_UQ, CO, S0, S1}}, predicate},
            QUADS(EQ, 0) QUADS(LT, 1) QUADS(LE, 2) QUADS(NE, 4) QUADS(GE, 5) QUADS(GT, 6)
#define ROUNDS(name, immediate)                                                                                        \
  {OG_ROW_##name##_F32, {{ROUND, D, NONE, S0}}, immediate},                                                            \
      {OG_ROW_##name##_F64, {{ROUND_D, T0, NONE, S0}, {MOVE, D, NONE, T0}, {MOVE, DH, NONE, T1}}, immediate},
                ROUNDS(V_RNDNE, 8) ROUNDS(V_FLOOR, 9) ROUNDS(V_CEIL, 10) ROUNDS(V_TRUNC, 11)
#define FLOATS(relation, predicate)                                                                                    \
  {OG_ROW_V_CMP_##relation##_F32, {{COMPARE_F, CO, S0, S1}}, predicate},                                               \
      {OG_ROW_V_CMP_##relation##_F64, {{COMPARE_D, CO, S0, S1}}, predicate},                                           \
      {OG_ROW_V_CMP_##relation##_F16,                                                                                  \
       {{WIDEN, T0, NONE, S0}, {WIDEN, T1, NONE, S1}, {COMPARE_F, CO, T0, T1}},                                        \
       predicate},
                    FLOATS(EQ, 0) FLOATS(LT, 1) FLOATS(LE, 2) FLOATS(U, 3) FLOATS(NEQ, 4) FLOATS(NLT, 5) FLOATS(NLE, 6)
                        FLOATS(O, 7) FLOATS(NLG, 8) FLOATS(NGE, 9) FLOATS(NGT, 10) FLOATS(LG, 12) FLOATS(GE, 13)
                            FLOATS(GT, 14)};

/* Their code is no row's: what goes on numbers of a strip does not know it. */
static const struct {
  uint16_t row;
  struct og_lane_code code;
} clamped_rows[] = {
#define ROW(name, ...)
#define CLAMPED(name, ...) {OG_ROW_##name, {UINT16_MAX, {__VA_ARGS__}, 0}},
#include "tier/rows.def"
#undef ROW
#undef CLAMPED
};

/* ---- what is recognized ------------------------------------------------------------------------------------------ */

static const struct og_lane_code *find_row(uint16_t row, bool clamped) {
  for (size_t i = 0; !clamped && i < OG_COUNT(rows); i++)
    if (rows[i].row == row)
      return &rows[i];
  for (size_t i = 0; clamped && i < OG_COUNT(clamped_rows); i++)
    if (clamped_rows[i].row == row)
      return &clamped_rows[i].code;
  return NULL;
}

static bool is_double(const struct og_lane_code *row) {
  unsigned what = row->steps[0].what;
  return (what >= ADD_D && what <= COMPARE_D) || (what >= DIVIDE_SCALE_D && what <= DIVIDE_FIXUP_D);
}
/* Whether code for it takes scalars and constants of 64 bits as they stand. */
static bool takes_any_64(const struct og_lane_code *row) {
  return is_double(row) || row->steps[0].what == COMPARE_Q || row->steps[0].what == COMPARE_UQ;
}
/* Sources are as they stand, parts of dwords, or have the floats' signs changed; results are plain. */
static bool has_easy_modifiers(const struct og_modifiers *m, const struct og_item *item) {
  const struct og_vector_row *types = item->types;
  if (m->packed != ((types->flags & OG_VECTOR_PACKED) != 0) || m->mix || m->pairs || m->has_table || m->bfloats ||
      (!m->plain_result && !m->dpp))
    return false;
  for (int i = 0; i < 3; i++)
    if (m->flags[i] & ~(OG_NEG | OG_ABS | OG_SEXT) ||
        (types->source[i] != OG_AS_NONE && m->kind[i] == OG_SOURCE_PREPARED &&
         (!takes_any_64(item->row) || m->select[i] != OG_SELECT_DWORD) && og_as_is_64((enum og_as)types->source[i])))
      return false;
  return true;
}

static bool is_handler_of(const struct og_vector_handlers *handlers, og_handler *handler) {
  return handler == handlers->all_vector || handler == handlers->scalar_0 || handler == handlers->scalar_1 ||
         handler == handlers->scalar_2 || (handler && handler == handlers->clamped);
}

/* Minimum and maximum: denormals kept, and with VRANGEPS as IEEE mode has them. */
static bool has_range(struct og_unit *unit) {
  const uint32_t needed = OG_MODE_DENORM_32 | (unit->code.wide ? OG_MODE_IEEE : 0);
  unit->keyed = true;
  return (unit->mode & needed) == needed;
}

/* Halves: to the nearest, nothing flushed or limited; so 32-bit floats are under the same control. */
static bool has_usual_halves(struct og_unit *unit) {
  unit->keyed = true;
  return (unit->mode & (0xff | OG_MODE_FP16_OVFL)) == (OG_MODE_DENORM_32 | OG_MODE_DENORM_16_64);
}
/* Doubles: what MODE says of them and halves is what it says of 32 bits. */
static bool has_one_control(struct og_unit *unit) {
  unit->keyed = true;
  return (unit->mode >> 2 & 0x33) == (unit->mode & 0x33);
}
static bool uses_halves(const struct og_lane_code *row) {
  for (const struct step *step = row->steps; step < row->steps + STEPS_MOST; step++)
    if (step->what == WIDEN || step->what == NARROW)
      return true;
  return false;
}

bool og_recognize_vector(struct og_unit *unit, struct og_item *item) {
  const struct og_operation *op = item->does;
  int k = -1;
  const struct og_vector_variant *variant = unit->program->variant;
  const struct og_modifiers *m = item->handler == variant->general ? op->detail : NULL;
  og_handler *handler = m ? m->handler : item->handler;
  k = og_find_vector_row(op->row);
  if (k < 0 || !is_handler_of(&variant->handlers[k], handler)) { /* halves of pairs have their own names */
    k = -1;
    for (size_t i = 0; i < og_vector_row_count && item->does != item->op; i++)
      if (is_handler_of(&variant->handlers[i], handler))
        k = (int)i;
  }
  if (k < 0)
    return false;
  item->types = &og_vector_rows[k];
  item->row = find_row(item->types->row, handler == variant->handlers[k].clamped);
  item->modifiers = m;
  if (!item->row || (m && !has_easy_modifiers(m, item)) || (m && m->dpp && !og_recognize_dpp(unit, item)))
    return false;
  if (item->types->result != OG_AS_NONE && !og_is_vector_place(op->d))
    return false;
  if (item->types->result == OG_AS_NONE && op->d == OG_AT_S(OG_S_EXEC))
    return false;
  if (item->types->flags & OG_VECTOR_CARRY_OUT &&
      (op->d2 + 8 - OG_AT_S(OG_S_EXEC) < 16 || op->d2 >= OG_AT_S(OG_S_COUNT)))
    return false;
  /* Of masks of 64 lanes, pairs that overlap are the same. */
  bool odd_out = item->types->flags & OG_VECTOR_CARRY_OUT && op->d2 / 4 % 2,
       odd_in = item->types->flags & OG_VECTOR_CARRY_IN && op->s[2] / 4 % 2;
  if (!unit->wave32 && (odd_out || odd_in))
    return false;
  for (int i = 0; i < 3; i++)
    if (op->s[i] >= OG_AT_S(OG_S_COUNT) && !og_is_vector_place(op->s[i]))
      return false;
  if ((uses_halves(item->row) && !has_usual_halves(unit)) || (is_double(item->row) && !has_one_control(unit)))
    return false;
  if (og_is_division(item) && ((m && m->dpp) || !og_recognize_division(unit, item)))
    return false;
  if ((item->row->steps[0].what == RANGE && !has_range(unit)) || !og_find_nan_order(unit, item, handler))
    return false;
  item->kind = OG_ITEM_VECTOR;
  return true;
}

void og_visit_vgprs(struct og_unit *unit, const struct og_item *item, og_on_vgpr *on) {
  const struct og_operation *op = item->does;
  if (item->kind == OG_ITEM_MEMORY) {
    og_visit_memory(unit, item, on);
    return;
  }
  if (item->kind != OG_ITEM_VECTOR)
    return;
  const struct og_vector_row *types = item->types;
  for (int i = 0; i < 3; i++)
    for (unsigned k = 0; types->source[i] != OG_AS_NONE && og_is_vector_place(op->s[i]) &&
                         k < (og_as_is_64((enum og_as)types->source[i]) ? 2u : 1u);
         k++)
      on(unit, og_vgpr_of(op->s[i]) + k, 2);
  for (unsigned k = 0; types->result != OG_AS_NONE && k < (og_as_is_64((enum og_as)types->result) ? 2u : 1u); k++)
    on(unit, og_vgpr_of(op->d) + k,
       types->flags & (OG_VECTOR_READS_D | OG_VECTOR_KEEP) || og_is_dpp(item) ? 3 : 1); /* whose source may be off */
}
