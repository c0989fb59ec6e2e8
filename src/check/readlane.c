/* readlane.c - v_readlane_b32 of a disabled lane. The lane still holds its value from before. Compilers want that for
 * scalars kept in lanes (v_writelane_b32) and for values computed before lanes diverged. If the register has been
 * written since, its current value is not the lane's: then the value that is read counts as undefined, so that a use of
 * it is reported. Only instructions are looked at that write a register which the code reads in this way, or EXEC. */
#include "check/uninit.h"
#include "isa/rows.h"

#include <string.h>

enum { SLOTS = 256 };

struct og_readlane_wave {
  uint64_t exec;                 /* EXEC when it was last looked at; */
  uint32_t clock;                /* counts how often that was */
  uint32_t off_since[OG_LANES];
  uint32_t
      written[OG_VGPRS]; /* when lanes last wrote it; 0: never, or only with values that disabled lanes may have, too */
  uint64_t put[OG_VGPRS];        /* lanes that v_writelane_b32 has written since they were last on */
  struct slot {
    uint32_t place;              /* where in a lane's private memory, in dwords, plus one; 0: nothing was stored */
    uint16_t row;                /* the register that was stored there last, */
    uint32_t written;            /* and its `written` at that time */
  } slots[SLOTS];
};

static bool is_listed(const struct og_watch *watch, unsigned row) {
  return watch->read_lanes[row % 256 / 64] >> row % 64 & 1;
}

/* Lists registers that any code reads so. Data that looks like such code does no harm. */
void og_check_readlane_list(struct og_watch *watch, const struct og_program *program) {
  const uint16_t *forms;
  size_t count = og_find_forms(watch->isa, (struct og_text){"v_readlane_b32", strlen("v_readlane_b32")}, &forms);
  for (size_t word = 0; count && word < program->words; word++) {
    uint32_t bits;
    struct og_inst inst;
    memcpy(&bits, program->code + 4 * word, sizeof bits);
    const struct og_form *form = og_form(watch->isa, forms[0]);
    if ((bits & (uint32_t)form->mask[0]) != (uint32_t)form->value[0] ||
        !og_decode(watch->isa, program->code + 4 * word, 4 * (program->words - word), &inst) ||
        inst.row != OG_ROW_V_READLANE_B32)
      continue;
    unsigned reg = inst.operands[1].reg % 256u;
    if (inst.operands[1].kind == OG_OPERAND_VGPR)
      watch->read_lanes[reg / 64] |= 1ull << reg % 64;
  }
}

static bool any_listed(const struct og_watch *watch) {
  return (watch->read_lanes[0] | watch->read_lanes[1] | watch->read_lanes[2] | watch->read_lanes[3]) != 0;
}

/* Whether it may spill registers to private memory. */
static bool is_spill(const struct og_known *known) {
  return known->plain && known->memory->access == OG_MOVES_STORE &&
         (known->memory->space == OG_IN_SCRATCH || known->memory->space == OG_IN_BUFFER);
}

bool og_check_readlane_counts(const struct og_watch *watch, const struct og_known *known) {
  if (!any_listed(watch))
    return false;
  bool listed = known->flow->writes_exec || is_spill(known) || known->inst->row == OG_ROW_V_READLANE_B32;
  for (unsigned i = 0; i < known->flow->write_count; i++)
    for (unsigned d = 0; known->flow->writes[i].vector && d < known->flow->writes[i].dwords; d++)
      listed |= is_listed(watch, known->flow->writes[i].at + d);
  return listed;
}

void og_check_readlane_begin(struct og_watch *watch, struct og_check_wave *of) {
  if (!any_listed(watch))
    return;
  if (!of->readlane)
    of->readlane = OG_NEW(watch->arena, struct og_readlane_wave);
  memset(of->readlane, 0, sizeof *of->readlane);
  of->readlane->exec = UINT64_MAX;
}

static void note_exec(struct og_readlane_wave *state, uint64_t exec) {
  for (uint64_t left = state->exec & ~exec; left; left &= left - 1)
    state->off_since[__builtin_ctzll(left)] = state->clock;
  state->exec = exec;
  state->clock++;
}

static uint32_t place_of(const struct og_places *places) {
  return (uint32_t)(places->address[0][__builtin_ctzll(places->lanes[OG_SPACE_SCRATCH])] / 4) + 1;
}

static void note_store(struct og_readlane_wave *state, const struct og_operation *op, const struct og_places *places) {
  uint32_t place = place_of(places), row = (uint32_t)((op->d - OG_AT_V(0)) / OG_AT_ROW);
  for (unsigned d = 0; d < OG_MAX(places->size / 4, 1u); d++)
    state->slots[(place + d) % SLOTS] =
        (struct slot){place + d, (uint16_t)(row + d), state->written[(row + d) % OG_VGPRS]};
}

/* When a register that is written now counts as written: if it is restored as it was saved, as functions do, that is
 * when it was written before. 0: unknown. */
static uint32_t written_now(const struct og_readlane_wave *state, const struct og_known *known,
                            const struct og_places *places, unsigned row, unsigned d) {
  if (known->inst->row == OG_ROW_V_ACCVGPR_READ_B32 || (places && (places->stack | places->others)))
    return 0;
  if (!places || !places->lanes[OG_SPACE_SCRATCH])
    return state->clock;
  uint32_t place = place_of(places) + d;
  const struct slot *slot = &state->slots[place % SLOTS];
  return slot->place != place ? 0 : slot->row == row ? slot->written : state->clock;
}

static void note_writes(struct og_readlane_wave *state, const struct og_known *known, const struct og_places *places) {
  for (unsigned i = 0; i < known->flow->write_count; i++)
    for (unsigned d = 0; known->flow->writes[i].vector && d < known->flow->writes[i].dwords; d++) {
      unsigned row = (known->flow->writes[i].at + d) % OG_VGPRS;
      state->written[row] = written_now(state, known, places, row, d);
      state->put[row] &= ~state->exec;
    }
}

static void read(struct og_wave *wave, const struct og_operation *op, const struct og_known *known, unsigned lane) {
  const struct og_readlane_wave *state = og_check_wave(wave)->readlane;
  struct og_uninit_wave *undefined = og_check_wave(wave)->uninit;
  const struct og_uninit_use *source = &known->flow->reads[0], *result = &known->flow->writes[0];
  if (!source->vector || state->exec >> lane & 1 || state->put[source->at % OG_VGPRS] >> lane & 1 ||
      result->at >= OG_S_SINK || state->written[source->at % OG_VGPRS] <= state->off_since[lane])
    return;
  undefined->s[result->at] = UINT32_MAX;
  undefined->origin_s[result->at] = OG_ORIGIN_MEMORY + (uint32_t)(op - wave->program->operations);
  og_uninit_mark_scalar(&undefined->marks, result->at);
}

void og_check_readlane(struct og_wave *wave, const struct og_operation *op, const struct og_known *known,
                       const struct og_places *places) {
  struct og_readlane_wave *state = og_check_wave(wave)->readlane;
  uint64_t exec = og_exec(wave);
  note_exec(state, exec);
  /* Threads of one lane keep vectors, too. Registers that an index selects are not followed here. */
  if (!exec || og_check_wave(wave)->parked || og_check_is_indexed(wave, op, known))
    return;
  if (known->inst->row == OG_ROW_V_READLANE_B32)
    read(wave, op, known, og_uninit_lane(wave, op));
  else if (known->inst->row == OG_ROW_V_WRITELANE_B32)
    state->put[known->flow->writes[0].at % OG_VGPRS] |= 1ull << og_uninit_lane(wave, op);
  else if (is_spill(known) && places && places->lanes[OG_SPACE_SCRATCH])
    note_store(state, op, places);
  else
    note_writes(state, known, places);
}
