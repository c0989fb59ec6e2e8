/* What og_inst_effects tells against what the executor does, for every form that it runs: nothing but the registers and
 * the memory told changes, and what was not told as read may hold anything without a difference in the results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "form_fixture.h"

enum { MOST_COMPLAINTS = 20 };
static struct og_wave *other; /* has what is told as read as `wave` has it, and anything else */

/* ---- registers --------------------------------------------------------------------------------------------------- */

/* The dword of a use and the registers' place; scalar ones have one lane. */
static uint32_t unknown[OG_LANES];
static uint32_t *place_of(struct og_wave *w, const struct og_use *use, unsigned dword, unsigned *lanes) {
  struct og_operand operand = {.kind = use->kind, .reg = use->reg, .dwords = 1};
  uint32_t at;
  uint64_t ignored;
  *lanes = use->kind == OG_OPERAND_VGPR || use->kind == OG_OPERAND_AGPR ? OG_LANES : 1;
  if (!og_place_source(&operand, 1, &at, &ignored)) /* src_pops_exiting_wave_id */
    return unknown;
  return og_at(w, at) + (size_t)dword * *lanes;
}

static uint32_t bits_of(unsigned bytes) {
  return (bytes & 1 ? 0xff : 0) | (bytes & 2 ? 0xff00 : 0) | (bytes & 4 ? 0xff0000 : 0) | (bytes & 8 ? 0xff000000 : 0);
}

static void copy_use(struct og_wave *to, struct og_wave *from, const struct og_use *use, bool inactive_alone) {
  for (unsigned k = 0; k < use->dwords; k++) {
    unsigned lanes;
    uint32_t *t = place_of(to, use, k, &lanes), *f = place_of(from, use, k, &lanes);
    uint32_t bits = inactive_alone ? ~0u : bits_of(use->bytes);
    for (unsigned lane = 0; lane < lanes; lane++)
      if (!inactive_alone || !from->lanes[lane])
        t[lane] = (t[lane] & ~bits) | (f[lane] & bits);
  }
}

/* Bits that may change, of all registers: as a wave has them, so that places are the same. */
static struct og_wave *allowed;

static void allow(const struct og_effects *effects, bool yes) {
  for (unsigned i = 0; i < effects->write_count; i++) {
    const struct og_use *use = &effects->writes[i];
    for (unsigned k = 0; k < use->dwords; k++) {
      unsigned lanes;
      uint32_t *a = place_of(allowed, use, k, &lanes);
      for (unsigned lane = 0; lane < lanes; lane++)
        a[lane] = !yes                                                    ? 0
                  : use->keeps & OG_KEEPS_INACTIVE && !wave->lanes[lane] ? a[lane]
                                                                         : a[lane] | bits_of(use->bytes);
    }
  }
}

static char context[200];
static unsigned complaints;

/* Says what is wrong, and goes on, so that one run shows all. */
static void OG_PRINTF(1, 2) complain(const char *format, ...) {
  static char said[200];
  va_list args;
  if (strcmp(said, context) == 0 || complaints++ > MOST_COMPLAINTS)
    return;
  snprintf(said, sizeof said, "%s", context);
  va_start(args, format);
  vprint_message(format, args);
  va_end(args);
  print_message("\n");
}

static void compare_register(uint32_t *now, uint32_t *was, uint32_t *twin, uint32_t *may, unsigned count,
                             const char *file, unsigned reg) {
  for (unsigned i = 0; i < count; i++) {
    if ((now[i] ^ was[i]) & ~may[i])
      complain("%s: changes %s%u, lane %u: %08x to %08x, and may %08x", context, file, reg + (count == 1 ? i : 0), i,
               was[i], now[i], may[i]);
    if ((now[i] ^ twin[i]) & may[i] && (count == 1 || i < isa->wave))
      complain("%s: %s%u, lane %u depends on what it does not read: %08x and %08x of %08x", context, file, reg, i,
               now[i], twin[i], may[i]);
  }
}

static void compare_registers(const struct og_effects *effects) {
  for (unsigned i = 0; i < OG_S_COUNT; i++)
    if ((i < OG_S_SINK || i >= OG_S_FLAT_SCRATCH_BASE) && i != OG_S_LDS_DIRECT) /* what is brought up to date */
      compare_register(&wave->s[i], &before->s[i], &other->s[i], &allowed->s[i], 1, "s", i);
  for (unsigned k = 0; k < 2 * VECTORS; k++)
    if (memcmp(vector_at(wave, k), vector_at(before, k), sizeof wave->v[0]) != 0 || vector_at(allowed, k)[0] ||
        memcmp(vector_at(allowed, k), vector_at(allowed, k) + 1, sizeof wave->v[0] - 4) != 0)
      compare_register(vector_at(wave, k), vector_at(before, k), vector_at(other, k), vector_at(allowed, k), OG_LANES,
                       k < VECTORS ? "v" : "a", k % VECTORS);
  if (wave->mode != before->mode && !(effects->implicit_writes & OG_IMPLICIT_MODE))
    complain("%s: changes MODE", context);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static unsigned bytes_seen[OG_LANES];
static unsigned spaces_read, spaces_written;

static void note_access(void *unused, struct og_wave *w, const struct og_operation *op, enum og_space space, int access,
                        unsigned lane, uint64_t address, unsigned size) {
  (void)unused, (void)w, (void)op, (void)address;
  bytes_seen[lane] += size;
  spaces_read |= access & OG_ACCESS_READ ? 1u << space : 0;
  spaces_written |= access & (OG_ACCESS_WRITE | OG_ACCESS_ATOMIC) ? 1u << space : 0;
}

/* The executor's spaces that those of the tables may lead to. */
static unsigned exec_spaces(unsigned spaces) {
  unsigned out = 0;
  for (unsigned space = 0; space < 16; space++)
    if (spaces >> space & 1)
      out |= space == OG_IN_LDS                                          ? 1 << OG_SPACE_LDS
             : space == OG_IN_SCRATCH                                    ? 1 << OG_SPACE_SCRATCH | 1 << OG_SPACE_SCALAR
             : space == OG_IN_FLAT                                       ? 7
             : space == OG_IN_GLOBAL || space == OG_IN_BUFFER || space == OG_IN_TYPED || space == OG_IN_CLUSTER
                 ? 1 << OG_SPACE_GLOBAL | 1 << OG_SPACE_SCALAR : 0;
  return out;
}

/* M0 says how many bytes of a dword. */
static bool reads_lds_directly(const struct og_inst *inst) {
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].kind == OG_OPERAND_SPECIAL && inst->operands[i].reg == OG_SPECIAL_LDS_DIRECT)
      return true;
  return inst->row == OG_ROW_LDS_DIRECT_LOAD;
}

static void compare_memory(const struct og_inst *inst, const struct og_effects *effects) {
  unsigned stores = exec_spaces(effects->stores_to), loads = exec_spaces(effects->loads_from);
  if (spaces_read & ~loads || spaces_written & ~stores)
    complain("%s: reads spaces %x and writes %x; told are %x and %x", context, spaces_read, spaces_written, loads,
             stores);
  /* Read and written; LDS gets whole dwords. */
  unsigned most = effects->bytes + (effects->loads_from && effects->stores_to ? OG_MAX(effects->bytes, 4u) : 0);
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    if ((bytes_seen[lane] > most ||
         (bytes_seen[lane] && bytes_seen[lane] < effects->bytes && !reads_lds_directly(inst))) &&
        effects->bytes)
      complain("%s: lane %u moves %u bytes, told are %u", context, lane, bytes_seen[lane], effects->bytes);
  if (memcmp(memory, memory_before, MEMORY) != 0 && !(stores & (1 << OG_SPACE_GLOBAL | 1 << OG_SPACE_SCALAR)))
    complain("%s: changes global memory", context);
  if (memcmp(lds, lds_before, LDS) != 0 && !(stores & 1 << OG_SPACE_LDS))
    complain("%s: changes LDS", context);
  if (memcmp(scratch, scratch_before, SCRATCH * OG_LANES) != 0 && !(stores & 1 << OG_SPACE_SCRATCH))
    complain("%s: changes scratch", context);
}

/* ---- each form --------------------------------------------------------------------------------------------------- */

static unsigned ran, untold, faulted, refused;

static void describe(const char *processor, const struct og_inst *inst) {
  struct og_buffer text = {0};
  og_print_inst(isa, inst, NULL, &text);
  snprintf(context, sizeof context, "%s wave%u: %.*s", processor, isa->wave, (int)text.size, (char *)text.data);
  og_buffer_free(&text);
}

static bool never_alike(const struct og_inst *inst) { /* clocks, other lanes' scales, and what waves of 32 do not do */
  const char *name = og_row_name(inst->row);
  return (strstr(name, "v_permlane64") && isa->wave == 32) || strstr(name, "v_cvt_scale_pk") || strstr(name, "time") ||
         strstr(name, "cycles") || strstr(name, "s_getreg") || strstr(name, "sendmsg_rtn");
}

static void check_form(const char *processor, unsigned index) {
  struct og_inst inst;
  struct og_effects effects;
  bool made = false;
  for (unsigned tries = 0; tries < 20 && !made; tries++)
    made = random_inst(index, &inst);
  if (!made)
    return;
  const struct og_operand *vdst = og_operand(&inst, OG_ROLE_VDST),
                          *mask = vdst ? vdst : og_operand(&inst, OG_ROLE_SDST);
  /* which is no place for a result */
  if (mask && mask->kind == OG_OPERAND_SPECIAL && mask->reg == OG_SPECIAL_LDS_DIRECT)
    return;
  describe(processor, &inst);
  if (!og_inst_effects(isa, &inst, &effects)) {
    untold++;
    return;
  }
  bool remembers = effects.loads_from || effects.stores_to;
  other->observer = inst.encoding == OG_ENC_DS ? wave->observer : NULL; /* lanes that meet do so in the same order */
  fill(wave), fill(other);
  set_addresses(wave, &inst);
  og_exec_changed(wave);
  for (unsigned i = 0; i < effects.read_count; i++)
    copy_use(other, wave, &effects.reads[i], false);
  for (unsigned i = 0; i < effects.write_count; i++)
    if (effects.writes[i].keeps & OG_KEEPS_INACTIVE)
      copy_use(other, wave, &effects.writes[i], true);
  if (effects.implicit_reads & OG_IMPLICIT_MODE || remembers)
    other->mode = wave->mode;
  memcpy(before, wave, offsetof(struct og_wave, v) + sizeof wave->v[0] * VECTORS);
  memcpy(before->v[256], wave->v[256], sizeof wave->v[0] * VECTORS);
  memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
  memset(bytes_seen, 0, sizeof bytes_seen);
  spaces_read = spaces_written = 0;
  allow(&effects, true); /* before EXEC changes */
  if (remembers)
    restore_memory();
  bool well = run(wave);
  if (!well) {
    if (strstr(wave->fault.what, "executed yet"))
      refused++;
    else
      faulted++;
  } else {
    if (remembers)
      compare_memory(&inst, &effects);
    if (remembers) {
      memcpy(memory_after, memory, MEMORY), memcpy(lds_after, lds, LDS);
      memcpy(scratch_after, scratch, SCRATCH * OG_LANES);
      restore_memory();
    }
    well = run(other);
    if (!well)
      complain("%s: faults with other registers: %s", context, other->fault.what);
    if (remembers && (memcmp(memory, memory_after, MEMORY) || memcmp(lds, lds_after, LDS) ||
        memcmp(scratch, scratch_after, SCRATCH * OG_LANES)))
      complain("%s: stores what it does not read", context);
    if (!never_alike(&inst))
      compare_registers(&effects);
    ran++;
  }
  memcpy(wave->lanes, before->lanes, sizeof wave->lanes);
  allow(&effects, false);
}

static void check_processor(const char *name, unsigned wave_size) {
  static struct og_isa room;
  static const struct og_observer observer = {.access = note_access};
  struct og_target target = target_of(name);
  target.wave_size = (uint8_t)wave_size;
  program = og_program_new(&target, code, sizeof code);
  isa = og_isa_for(&target, &room);
  set_up_wave(wave, 0), set_up_wave(other, 1);
  wave->observer = &observer;
  for (unsigned i = 0; i < og_form_count(isa); i++)
    if (og_form_fits(isa, og_form(isa, i)) && og_form(isa, i)->encoding != OG_ENC_MIMG &&
        og_form(isa, i)->encoding != OG_ENC_EXP)
      check_form(name, i);
  og_program_free(program);
}

static void forms_touch_what_is_told(void **state) {
  (void)state;
  struct og_wave **waves[] = {&wave, &other, &before, &allowed};
  for (size_t i = 0; i < OG_COUNT(waves); i++)
    *waves[i] = zeros(sizeof(struct og_wave));
  set_up_memory();
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    struct og_target target = target_of(processors[p]);
    if (target.wave_size == 32)
      check_processor(processors[p], 32);
    if (target.processor->generation < OG_GFX1250)
      check_processor(processors[p], 64);
  }
  print_message("%u forms ran, %u are not executed, %u faulted, of %u the effects are not told\n", ran, refused,
                faulted, untold);
  tear_down_memory();
  assert_int_equal(complaints, 0);
  assert_true(ran > 52000 && faulted < 515 && untold < 540);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_touch_what_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
