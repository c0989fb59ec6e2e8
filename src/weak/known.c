/* known.c - how the instructions of programs act on the memory, found once for each. */
#include "weak/inside.h"

#include "exec/program.h"

#include <stdlib.h>

/* Whether it is a load that fills registers with bytes as they are in memory (src/exec/careful.c has the same in its
 * own terms). */
static bool is_plain(const struct og_memory *memory) {
  return memory->operation == OG_DOES_NOTHING && memory->number != OG_VALUE_FORMAT && !memory->lds &&
         memory->space != OG_IN_IMAGE && memory->space != OG_IN_TYPED;
}

static bool find_registers(const struct og_use *use, struct og_weak_registers *to) {
  *to = (struct og_weak_registers){0, use->dwords, use->kind == OG_OPERAND_VGPR || use->kind == OG_OPERAND_AGPR};
  switch (use->kind) {
  case OG_OPERAND_VGPR: to->at = OG_AT_V((uint32_t)use->reg); break;
  case OG_OPERAND_AGPR: to->at = OG_AT_V(256u + use->reg); break;
  case OG_OPERAND_SGPR: to->at = OG_AT_S((uint32_t)use->reg); break;
  default: return false;
  }
  return true;
}

/* Finds the registers that are filled when the operation has ended; if they cannot all be named, their values do not
 * come late. */
static void find_results(const struct og_effects *effects, struct og_weak_known *known) {
  unsigned rows = 0, scalars = 0;
  bool holds = false;
  for (unsigned r = 0; r < known->inst.transfer.count; r++)
    holds |= known->inst.transfer.raised[r].holds == OG_HOLDS_RESULTS;
  known->late = holds && effects->write_count > 0 && effects->write_count <= OG_WEAK_RESULTS;
  for (unsigned i = 0; i < effects->write_count && known->late; i++) {
    struct og_weak_registers *to = &known->result[known->results];
    known->late = find_registers(&effects->writes[i], to);
    known->results += known->late;
    rows += known->late && to->vector ? to->dwords : 0;
    scalars += known->late && !to->vector ? to->dwords : 0;
  }
  known->late &= rows <= OG_WEAK_LATE_ROWS && scalars <= OG_WEAK_LATE_SCALARS;
  if (!known->late)
    known->results = 0;
}

static void look_at(const struct og_program *program, bool single, size_t at, struct og_weak_known *known) {
  struct og_inst inst;
  struct og_effects effects;
  known->looked_at = true;
  if (!og_program_inst(program, program->isa, at, &inst))
    return;
  og_program_add_msb(program, &inst);
  const struct og_memory *memory = og_form_memory(og_form(program->isa, inst.form));
  og_weak_classify(program->isa, single, &inst, &known->inst);
  known->plain = known->inst.operation == OG_WEAK_LOAD && known->inst.path != OG_WEAK_SCALAR && is_plain(memory);
  known->transfer = og_transfers_lds(memory);
  if (og_inst_effects(program->isa, &inst, &effects))
    find_results(&effects, known);
}

const struct og_weak_known *og_weak_known_of(struct og_weak_execution *w, const struct og_wave *wave,
                                             const struct og_operation *op) {
  const struct og_program *program = wave->program;
  size_t at = (size_t)(op - program->operations), i = 0;
  while (i < w->program_count && w->programs[i].program != program)
    i++;
  if (i == w->program_count) {
    w->programs = og_checked_realloc(w->programs, (i + 1) * sizeof *w->programs);
    w->programs[w->program_count++] =
        (struct og_weak_program){program, calloc(program->words + 1, sizeof *w->programs->known)};
  }
  if (!w->programs[i].known || at >= program->words)
    return NULL;
  struct og_weak_known *known = &w->programs[i].known[at];
  if (!known->looked_at)
    look_at(program, w->agents > 1, at, known);
  return known;
}
