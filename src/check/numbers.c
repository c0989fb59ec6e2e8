/* numbers.c - only on request: where NaNs and infinities that a kernel writes to memory begin, flushed denormals, and
 * conversions of values that the result cannot hold. Each instruction first runs in a wave of its own, so that its
 * sources and results can be compared. For each lane of a register the origin is known: where its NaN or infinity was
 * made; copies, arithmetic, LDS and private memory pass it on. */
#include "base/float_control.h"
#include "base/floats.h"
#include "check/uninit.h"
#include "exec/memory.h"
#include "isa/matrix.h"
#include "isa/rows.h"

#include <math.h>
#include <string.h>

enum number { FINITE, INFINITE, NAN_ };

/* A floating-point result or source. */
struct part {
  struct og_uninit_use use;
  uint8_t element; /* enum og_element; OG_ELEMENT_NONE: of any kind */
  bool negative, absolute;
};

struct og_numbers_flow {
  uint8_t read_count, write_count;
  bool floats, converts; /* floats: its result is a float; converts: from a float to an integer */
  uint8_t constant;      /* enum number: the worst among its constants */
  struct part reads[OG_READS_MOST], writes[OG_WRITES_MOST];
};

enum { PLACES = 1 << 12 };
struct place {
  uint64_t address, owner; /* owner: for LDS the work-group, for private memory wave and lane, for global memory 0 */
  uint32_t origin;         /* 0: free */
};

struct og_numbers {
  struct place places[PLACES]; /* memory that holds NaNs and infinities, hashed; what does not fit is forgotten */
  uint32_t used;
};

struct og_numbers_wave {
  uint32_t origin[OG_VGPRS + 10][OG_LANES]; /* word of the instruction plus one; 0: it made neither */
  bool any[OG_VGPRS + 10];
  uint32_t scalar[OG_S_COUNT]; /* of scalar registers */
};

void og_check_numbers_begin(struct og_watch *watch, struct og_check_wave *of) {
  if (!watch->numbers)
    watch->numbers = OG_NEW(watch->arena, struct og_numbers);
  if (!of->numbers)
    of->numbers = OG_NEW(watch->arena, struct og_numbers_wave);
  memset(of->numbers->any, 0, sizeof of->numbers->any);
  memset(of->numbers->scalar, 0, sizeof of->numbers->scalar);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static enum number number_of(unsigned element, uint32_t low, uint32_t high) {
  uint32_t mask = 0x7f800000, fraction = 0x7fffff;
  switch (element) {
  case OG_ELEMENT_F64: mask = 0x7ff00000, fraction = 0xfffff; break;
  case OG_ELEMENT_F16: mask = 0x7c00, fraction = 0x3ff; break;
  case OG_ELEMENT_BF16: mask = 0x7f80, fraction = 0x7f; break;
  default: break;
  }
  uint32_t word = element == OG_ELEMENT_F64 ? high : low;
  if ((word & mask) != mask)
    return FINITE;
  return word & fraction || (element == OG_ELEMENT_F64 && low) ? NAN_ : INFINITE;
}

/* ---- what is known of an instruction ----------------------------------------------------------------------------- */

static bool is_float(unsigned element) { return element >= OG_ELEMENT_F64 && element <= OG_ELEMENT_BF16; }
static bool is_integer(unsigned element) { return element >= OG_ELEMENT_I64 && element <= OG_ELEMENT_U8; }

static struct part part_of(const struct og_watch *watch, const struct og_known *known, const struct og_uninit_use *use,
                           bool writes) {
  const struct og_form *form = og_form(watch->isa, known->inst->form);
  const struct og_matrix *matrix = og_form_matrix(form);
  struct part part = {.use = *use};
  int operand = use->operand;
  if (operand < 0)
    return part;
  part.element = og_slots(og_shape(watch->isa, form))[operand].element;
  part.negative = known->inst->operands[operand].flags & OG_NEG;
  part.absolute = known->inst->operands[operand].flags & OG_ABS;
  if (matrix->kind != OG_MATRIX_NONE && writes)
    part.element = matrix->d;
  return part;
}

/* `flow`: the instruction's, or that of the registers which M0 selects this time. */
static void list_parts(const struct og_watch *watch, const struct og_known *known, const struct og_uninit_flow *flow,
                       struct og_numbers_flow *out) {
  bool source = false, integer = false;
  out->read_count = flow->read_count;
  for (unsigned i = 0; i < flow->read_count; i++) {
    out->reads[i] = part_of(watch, known, &flow->reads[i], false);
    source |= is_float(out->reads[i].element);
  }
  out->write_count = flow->write_count;
  for (unsigned i = 0; i < flow->write_count; i++) {
    out->writes[i] = part_of(watch, known, &flow->writes[i], true);
    out->floats |= is_float(out->writes[i].element);
    integer |= is_integer(out->writes[i].element);
  }
  const struct og_form *form = og_form(watch->isa, known->inst->form);
  out->converts = source && integer && known->inst->variant < OG_VARIANT_DPP16 &&
                  (form->latency == OG_LATENCY_CONVERT || form->latency == OG_LATENCY_DOUBLE_CONVERT);
}

void og_check_numbers_flow(struct og_watch *watch, struct og_known *known) {
  struct og_numbers_flow *flow = OG_NEW(watch->arena, struct og_numbers_flow);
  list_parts(watch, known, known->flow, flow);
  const struct og_form *form = og_form(watch->isa, known->inst->form);
  for (unsigned i = 0; i < known->inst->operand_count; i++) {
    const struct og_operand *operand = &known->inst->operands[i];
    unsigned element = og_slots(og_shape(watch->isa, form))[i].element;
    if (operand->kind == OG_OPERAND_LITERAL && is_float(element))
      flow->constant = OG_MAX(
          flow->constant, (uint8_t)number_of(element, (uint32_t)operand->value,
                                             (uint32_t)(operand->value >> 32 ? operand->value >> 32 : operand->value)));
  }
  known->numbers = flow;
}

/* The worst among a lane's elements of a register. */
static enum number worst_of(const struct og_wave *wave, const struct part *part, unsigned lane) {
  enum number worst = FINITE;
  const struct og_uninit_use *use = &part->use;
  unsigned step = part->element == OG_ELEMENT_F64 ? 2 : 1;
  for (unsigned d = 0; d + step <= use->dwords; d += step) {
    uint32_t low = use->vector ? wave->v[use->at + d][lane] : wave->s[use->at + d];
    uint32_t high = step == 1 ? 0 : use->vector ? wave->v[use->at + d + 1][lane] : wave->s[use->at + d + 1];
    bool halves = part->element == OG_ELEMENT_F16 || part->element == OG_ELEMENT_BF16;
    if (!halves || use->bytes & 3)
      worst = OG_MAX(worst, number_of(part->element, halves ? low & 0xffff : low, high));
    if (halves && use->bytes & 12)
      worst = OG_MAX(worst, number_of(part->element, low >> 16, 0));
  }
  return worst;
}

static bool is_f16(const struct part *part) { return part->element == OG_ELEMENT_F16; }

/* ---- origins ----------------------------------------------------------------------------------------------------- */

static uint32_t origin_of(const struct og_numbers_wave *state, const struct og_uninit_use *use, unsigned lane) {
  uint32_t origin = 0;
  for (unsigned d = 0; d < use->dwords && !origin; d++)
    origin = !use->vector ? state->scalar[use->at + d] : state->any[use->at + d] ? state->origin[use->at + d][lane] : 0;
  return origin;
}

static void set_origin(struct og_numbers_wave *state, unsigned row, unsigned lane, uint32_t origin) {
  if (!state->any[row] && !origin)
    return;
  if (!state->any[row])
    memset(state->origin[row], 0, sizeof state->origin[row]);
  state->any[row] = true;
  state->origin[row][lane] = origin;
}

/* The origin of a result that is not computed as a float: that of a source with the same bits, which may come from
 * another lane if lanes are crossed. */
static uint32_t origin_of_copy(const struct og_numbers_wave *state, const struct og_wave *wave,
                               const struct og_known *known, const struct og_numbers_flow *flow,
                               const struct og_uninit_use *result, uint32_t bits, unsigned lane) {
  bool half = result->bytes == 3 || result->bytes == 12;
  uint32_t wanted = result->bytes == 3 ? bits & 0xffff : result->bytes == 12 ? bits >> 16 : bits;
  for (unsigned i = 0; i < flow->read_count; i++)
    for (unsigned d = 0; d < flow->reads[i].use.dwords; d++) {
      unsigned row = flow->reads[i].use.at + d;
      if (!flow->reads[i].use.vector && state->scalar[row] && wave->s[row] == wanted)
        return state->scalar[row];
      if (!flow->reads[i].use.vector || !state->any[row])
        continue;
      for (unsigned k = known->all_lanes ? 0 : lane; k < (known->all_lanes ? OG_LANES : lane + 1); k++)
        if (state->origin[row][k] && (wave->v[row][k] == wanted || (half && ((wave->v[row][k] & 0xffff) == wanted ||
                                                                             wave->v[row][k] >> 16 == wanted))))
          return state->origin[row][k];
    }
  return 0;
}

static struct place *find_place(struct og_numbers *numbers, uint64_t owner, uint64_t address, bool make) {
  uint64_t hash = (address / 4 + owner * 0x51ed27ull) * 0x9e3779b97f4a7c15u >> 52;
  for (unsigned i = 0; i < 16; i++) {
    struct place *place = &numbers->places[(hash + i) % PLACES];
    if (place->origin && place->address == address && place->owner == owner)
      return place;
    if (!place->origin)
      return make ? place : NULL;
  }
  return NULL;
}

static uint64_t owner_of(const struct og_wave *wave, const struct og_places *places, unsigned lane) {
  if (places->lanes[OG_SPACE_GLOBAL] >> lane & 1)
    return 0;
  uint64_t group = 1 + wave->group->index;
  return places->lanes[OG_SPACE_LDS] >> lane & 1 ? group : group << 16 | (uint64_t)(wave->id + 1) << 8 | lane;
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static void tell_origin(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                        uint32_t origin, unsigned lane, enum number number, bool half) {
  uint64_t began = og_pc(wave->program, wave->program->operations + (origin - 1));
  struct og_finding *finding =
      og_check_find(watch, OG_CHECK_NUMBERS, wave, began, og_pc(wave->program, op), (int)lane);
  if (finding->does)
    return;
  finding->does = number == NAN_ ? "makes a NaN of numbers"
                  : half         ? "overflows f16"
                                 : "makes an infinity of finite numbers";
  finding->while_ = "writes it, or what came of it, to global memory";
}

static double value_of(const struct og_wave *wave, const struct part *part, unsigned lane) {
  const struct og_uninit_use *use = &part->use;
  uint32_t low = use->vector ? wave->v[use->at][lane] : wave->s[use->at];
  double value;
  if (part->element == OG_ELEMENT_F64) {
    uint64_t bits = (uint64_t)(use->vector ? wave->v[use->at + 1][lane] : wave->s[use->at + 1]) << 32 | low;
    memcpy(&value, &bits, sizeof value);
  } else if (part->element == OG_ELEMENT_F16) {
    value = (double)og_half_to_float((uint16_t)(use->bytes & 3 ? low : low >> 16));
  } else {
    value = (double)og_float_of_bits(part->element == OG_ELEMENT_BF16 ? low << 16 : low);
  }
  value = part->absolute ? fabs(value) : value;
  return part->negative ? -value : value;
}

/* Whether an integer of that kind can hold the value without its fraction. */
static bool holds(unsigned element, double value) {
  bool is_signed = element >= OG_ELEMENT_I64 && element <= OG_ELEMENT_I4;
  int bits = (int)og_element_bits((enum og_element)element) - is_signed;
  double most = ldexp(1, bits);
  return value < most && value > (is_signed ? -most - 1 : -1); /* false for NaN */
}

static void check_conversion(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                             const struct og_numbers_flow *flow, uint64_t lanes) {
  static const char *const names[OG_ELEMENT_COUNT] = {
      [OG_ELEMENT_I64] = "i64", [OG_ELEMENT_I32] = "i32", [OG_ELEMENT_I16] = "i16", [OG_ELEMENT_I8] = "i8",
      [OG_ELEMENT_U64] = "u64", [OG_ELEMENT_U32] = "u32", [OG_ELEMENT_U16] = "u16", [OG_ELEMENT_U8] = "u8"};
  unsigned to = flow->writes[0].element;
  for (unsigned i = 0; i < flow->read_count && is_integer(to); i++)
    for (uint64_t left = is_float(flow->reads[i].element) ? lanes : 0; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      double value = value_of(wave, &flow->reads[i], lane);
      if (holds(to, value))
        continue;
      struct og_finding *finding = og_check_find(watch, OG_CHECK_NUMBERS, wave, og_pc(wave->program, op), 0, (int)lane);
      if (!finding->does)
        finding->does = og_arena_printf(watch->arena, "converts %g, which %s cannot hold", value,
                                        names[to] ? names[to] : "the result");
      return;
    }
}

/* ---- an instruction beforehand ----------------------------------------------------------------------------------- */

static void copy(struct og_wave *to, const struct og_wave *from, const struct part *parts, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned d = 0; d < parts[i].use.dwords; d++)
      if (parts[i].use.vector)
        memcpy(to->v[parts[i].use.at + d], from->v[parts[i].use.at + d], sizeof *to->v);
      else
        to->s[parts[i].use.at + d] = from->s[parts[i].use.at + d];
}

/* `op`: the instruction, on the registers of `flow`; `moved`: M0 selects them. */
static struct og_wave *done_before(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                                   const struct og_operation *moved, const struct og_numbers_flow *flow,
                                   unsigned number, uint32_t denormals) {
  if (!watch->probes[number])
    watch->probes[number] = og_check_lines(watch->arena, sizeof(struct og_wave));
  struct og_wave *probe = watch->probes[number];
  memcpy(probe, wave, offsetof(struct og_wave, v));
  copy(probe, wave, flow->reads, flow->read_count);
  copy(probe, wave, flow->writes, flow->write_count);
  probe->observer = NULL;
  probe->counts = NULL;
  probe->mode |= denormals;
  if (denormals)
    og_mode_changed(probe);
  og_check_handler(wave, op)(probe, moved);
  if (denormals)
    og_set_float_control(wave->float_control_32);
  return probe;
}

/* Whether the result would differ if no denormal, source or result, were flushed to 0. */
static void check_denormals(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                            const struct og_operation *moved, const struct og_numbers_flow *flow,
                            const struct og_wave *after, uint64_t lanes) {
  uint32_t all = OG_MODE_DENORM_32 | OG_MODE_DENORM_16_64;
  if ((wave->mode & all) == all)
    return;
  const struct og_wave *kept = done_before(watch, wave, op, moved, flow, 1, all);
  for (unsigned i = 0; i < flow->write_count; i++)
    for (unsigned d = 0;
         flow->writes[i].use.vector && is_float(flow->writes[i].element) && d < flow->writes[i].use.dwords; d++)
      for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left), row = flow->writes[i].use.at + d;
        if (kept->v[row][lane] == after->v[row][lane])
          continue;
        struct og_finding *finding =
            og_check_find(watch, OG_CHECK_NUMBERS, wave, og_pc(wave->program, op), 0, (int)lane);
        if (!finding->does)
          finding->does = "flushes a denormal to 0, as MODE has it";
        return;
      }
}

static void compute(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_operation *moved, const struct og_known *known,
                    const struct og_numbers_flow *flow) {
  struct og_numbers_wave *state = og_check_wave(wave)->numbers;
  uint64_t lanes = og_active(wave);
  uint32_t own = (uint32_t)(op - wave->program->operations) + 1;
  if (flow->converts)
    check_conversion(watch, wave, op, flow, lanes);
  const struct og_wave *after = done_before(watch, wave, op, moved, flow, 0, 0);
  if (flow->floats)
    check_denormals(watch, wave, op, moved, flow, after, lanes);
  uint32_t made[OG_WRITES_MOST][OG_LANES];
  for (unsigned w = 0; w < flow->write_count; w++)
    for (uint64_t left = flow->writes[w].use.vector ? lanes : 1; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      const struct part *part = &flow->writes[w];
      enum number number = is_float(part->element) ? worst_of(after, part, lane) : FINITE;
      uint32_t bits = part->use.vector ? after->v[part->use.at][lane] : after->s[part->use.at];
      uint32_t origin = is_float(part->element) ? 0 : origin_of_copy(state, wave, known, flow, &part->use, bits, lane);
      bool inherited = number != FINITE && flow->constant >= number;
      for (unsigned i = 0; i < flow->read_count && number != FINITE; i++) {
        /* a NaN that comes from an infinity begins here */
        bool same = is_float(flow->reads[i].element) && worst_of(wave, &flow->reads[i], lane) >= number;
        bool matrix = flow->reads[i].element == OG_ELEMENT_NONE; /* it is not known how values pass through it */
        inherited |= same || (matrix && flow->reads[i].use.vector);
        origin = origin ? origin : same || matrix ? origin_of(state, &flow->reads[i].use, lane) : 0;
      }
      made[w][lane] = number == FINITE || inherited ? origin : own;
    }
  for (unsigned w = 0; w < flow->write_count; w++)
    for (uint64_t left = flow->writes[w].use.vector ? lanes : 1; left; left &= left - 1)
      for (unsigned d = 0, lane = (unsigned)__builtin_ctzll(left); d < flow->writes[w].use.dwords; d++)
        if (flow->writes[w].use.vector)
          set_origin(state, flow->writes[w].use.at + d, lane, made[w][lane]);
        else
          state->scalar[flow->writes[w].use.at + d] = made[w][0];
}

/* An instruction whose registers M0 selects. */
static void compute_indexed(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                            const struct og_known *known) {
  struct og_uninit_flow uses;
  struct og_numbers_flow flow = {.constant = known->numbers->constant};
  struct og_operation moved;
  uint32_t deciding;
  if (!og_uninit_indexed(wave, known, &uses, &deciding) || !og_check_indexed_operation(wave, op, known, &moved))
    return;
  list_parts(watch, known, &uses, &flow);
  if (uses.way == OG_UNINIT_COMPUTE)
    compute(watch, wave, op, &moved, known, &flow);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* What a register's bits are now, for any kind of float. */
static enum number number_in(uint32_t bits) {
  static const uint8_t kinds[] = {OG_ELEMENT_F32, OG_ELEMENT_F16};
  enum number number = number_of(kinds[0], bits, 0);
  number = number != FINITE ? number : number_of(kinds[1], bits & 0xffff, 0);
  number = number != FINITE ? number : number_of(kinds[1], bits >> 16, 0);
  return number != FINITE ? number : number_of(OG_ELEMENT_F64, 0, bits);
}

static bool made_half(const struct og_watch *watch, const struct og_wave *wave, uint32_t origin) {
  const struct og_known *known = watch->glances[wave->program->msb][origin - 1].known;
  return known && known->numbers->write_count && is_f16(&known->numbers->writes[0]);
}

static void store(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op, struct og_places *places,
                  uint32_t row, unsigned piece, unsigned dword) {
  const struct og_numbers_wave *state = og_check_wave(wave)->numbers;
  uint64_t lanes = places->lanes[0] | places->lanes[1] | places->lanes[2];
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    uint32_t origin = state->any[row] ? state->origin[row][lane] : 0;
    uint64_t owner = owner_of(wave, places, lane), address = places->address[piece][lane] + 4 * dword;
    struct place *place =
        watch->numbers->used || origin ? find_place(watch->numbers, owner, address, origin != 0) : NULL;
    if (place) {
      watch->numbers->used += !place->origin;
      *place = (struct place){address, owner, origin ? origin : UINT32_MAX};
    }
    enum number number = origin ? number_in(wave->v[row][lane]) : FINITE;
    if (number != FINITE && places->lanes[OG_SPACE_GLOBAL] >> lane & 1)
      tell_origin(watch, wave, op, origin, lane, number, made_half(watch, wave, origin));
  }
}

static void load(struct og_watch *watch, struct og_wave *wave, struct og_places *places, unsigned row, unsigned piece,
                 unsigned dword) {
  struct og_numbers_wave *state = og_check_wave(wave)->numbers;
  for (uint64_t lanes = og_active(wave); lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    struct place *place = !watch->numbers->used ? NULL
                                                : find_place(watch->numbers, owner_of(wave, places, lane),
                                                             places->address[piece][lane] + 4 * dword, false);
    set_origin(state, row, lane, place && place->origin != UINT32_MAX ? place->origin : 0);
  }
}

static void move(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                 const struct og_known *known, struct og_places *places) {
  const struct og_uninit_use *result =
      known->flow->write_count && known->flow->writes[0].vector ? &known->flow->writes[0] : NULL;
  const struct og_memory_op *access = op->detail;
  unsigned dwords = OG_MAX(places->size / 4, 1u);
  bool atomic = known->memory->access == OG_MOVES_ATOMIC, loads = known->memory->access == OG_MOVES_LOAD;
  if (access->to_lds || access->beside)
    return;
  og_check_widen(places);
  for (unsigned p = 0; p < places->pieces; p++)
    for (unsigned d = 0; d < dwords; d++)
      if (!loads)
        store(watch, wave, op, places,
              (uint32_t)(((atomic ? access->data : p ? op->d2 : op->d) - OG_AT_V(0)) / OG_AT_ROW) + d, p, d);
      else if (result && p * dwords + d < result->dwords)
        load(watch, wave, places, result->at + p * dwords + d, p, d);
}

void og_check_numbers(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known, struct og_places *places) {
  if (!og_active(wave))
    return;
  if (known->flow->way == OG_UNINIT_MOVE && places)
    move(watch, wave, op, known, places);
  else if (og_check_is_indexed(wave, op, known))
    compute_indexed(watch, wave, op, known);
  else if (known->flow->way == OG_UNINIT_COMPUTE)
    compute(watch, wave, op, op, known, known->numbers);
}
