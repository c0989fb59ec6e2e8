/* test_values.c - what instructions compute, form by form on every generation, with modifiers by chance and hostile
 * operands, against a reference of its own (values/). It records which rows were compared; see value_rows.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/host.h"
#include "exec/coverage.h"
#include "form_fixture.h"
#include "values/check_control.h"
#include "values/check_format.h"
#include "values/check_image.h"
#include "values/check_lanes.h"
#include "values/check_lds.h"
#include "values/check_memory.h"
#include "values/check_scalar.h"
#include "values/check_scalar_memory.h"
#include "values/check_transfer.h"

enum { TRIES = 6, MOST_TRIES = 60 };
static unsigned tries = TRIES; /* of each form; OFFGRID_VALUES_TRIES says another number */

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

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static bool is_vector(const struct og_inst *inst) {
  return inst->encoding >= OG_ENC_VOP1 && inst->encoding <= OG_ENC_VOP3P;
}

/* Without modifiers that many instructions refuse. */
static bool make_plainer(struct og_inst *inst) {
  inst->mod[OG_MOD_NEG_LO] = inst->mod[OG_MOD_NEG_HI] = inst->mod[OG_MOD_OMOD] = inst->mod[OG_MOD_CLAMP] = 0;
  inst->mod[OG_MOD_OP_SEL] = inst->mod[OG_MOD_TFE] = inst->mod[OG_MOD_GDS] = 0;
  for (unsigned i = 0; i < inst->operand_count; i++)
    inst->operands[i].flags &= (uint8_t) ~(OG_NEG | OG_ABS);
  return put_code(inst);
}

static bool try_form(const char *processor, unsigned index, bool plainer) {
  struct og_inst inst;
  bool made = false;
  for (unsigned tries = 0; tries < 20 && !made; tries++)
    made = random_inst(index, &inst);
  if (made && plainer)
    made = make_plainer(&inst);
  if (made)
    made = inst.encoding == OG_ENC_MIMG ? choose_image(&inst)
                                        : choose_offset(&inst) && choose_control(&inst) && choose_format(&inst);
  if (!made)
    return false;
  static bool moved = true; /* what stands in memory */
  bool computes = is_vector(&inst) || is_scalar(&inst);
  (computes ? fill_values : fill)(wave);
  set_addresses(wave, &inst);
  set_lds_addresses(&inst);
  set_transfer_addresses(&inst);
  set_barriers(&inst);
  set_control(&inst);
  set_format(&inst);
  if (inst.encoding == OG_ENC_MIMG)
    set_image(&inst);
  tame(&inst, true);
  aim(&inst);
  describe(processor, &inst);
  og_exec_changed(wave);
  memcpy(before, wave, offsetof(struct og_wave, v) + sizeof wave->v[0] * VECTORS);
  memcpy(before->v[256], wave->v[256], sizeof wave->v[0] * VECTORS);
  memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
  if (moved || !computes)
    restore_memory();
  moved = !computes;
  if (!run(wave)) {
    tame(&inst, false);
    return false;
  }
  bool done = is_inert(og_row_name(inst.row)) ? compare_inert(&inst)
              : is_scalar(&inst)
                  ? compare_scalar(&inst) || compare_branch(&inst) || compare_mode(&inst) || compare_control(&inst)
              : is_vector(&inst)
                  ? compare_vector(&inst) || compare_lanes(&inst) || compare_wide(&inst) || compare_control(&inst)
              : inst.encoding == OG_ENC_SMEM ? compare_scalar_memory(&inst)
              : inst.encoding == OG_ENC_MIMG ? compare_image(&inst)
              : inst.encoding == OG_ENC_DS   ? compare_memory(&inst) || compare_exchange(&inst) || compare_lds(&inst)
                                           : compare_memory(&inst) || compare_transfer(&inst) || compare_format(&inst);
  tame(&inst, false);
  compared_instructions += done;
  was_compared[inst.row] |= done;
  return true;
}

static bool is_image(const struct og_form *form) { return strncmp(og_row_name(form->row), "image_", 6) == 0; }

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
    if (og_form_fits(isa, og_form(isa, i)) && (og_form(isa, i)->encoding != OG_ENC_MIMG || is_image(og_form(isa, i))) &&
        og_form(isa, i)->encoding != OG_ENC_EXP)
      for (unsigned n = 0; n < tries || (n < MOST_TRIES && !was_compared[og_form(isa, i)->row]); n++)
        try_form(name, i, n >= tries);
  record_rows(&target);
  og_program_free(program);
}

static void results_are_the_reference(void **state) {
  (void)state;
  wave = zeros(sizeof(struct og_wave)), before = zeros(sizeof(struct og_wave));
  set_up_memory();
  fill_special_pool();
  if (getenv("OFFGRID_VALUES_TRIES"))
    tries = (unsigned)strtoul(getenv("OFFGRID_VALUES_TRIES"), NULL, 10);
  seed += (uint64_t)og_host_level() << 32 | tries;  /* each run tries something else */
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
  tear_down_memory();
  assert_int_equal(complaints, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_the_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
