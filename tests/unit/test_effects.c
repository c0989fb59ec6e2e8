/* What og_inst_effects tells against what the executor does, for every form that it runs: nothing but the registers and
 * the memory told changes, and what was not told as read may hold anything without a difference in the results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/memory.h"
#include "exec/place.h"
#include "exec/program.h"
#include "isa/rows.h"
#include "isa/effects.h"
#include "target_fixture.h"

enum { MEMORY = 1 << 15, MIDDLE = MEMORY / 8, SCRATCH = 512 /* bytes of a lane */, LDS = 1 << 15, M0 = 0x4000 };
enum { MOST_COMPLAINTS = 20, VECTORS = 80 /* of each kind that the tests name */, CODE = 16 };

static const char *const processors[] = {"gfx600",  "gfx700",  "gfx803",  "gfx900",  "gfx908",  "gfx90a",  "gfx950",
                                         "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250", "gfx1251"};

/* Registers with places and addresses in memory; all others lie between and after them. */
enum { V_ADDRESS = 2, S_BASE = 4, S_RESOURCE = 8, S_OFFSET = 12 };

static uint32_t code[CODE];
static struct og_program *program;
static const struct og_isa *isa;
static struct og_memory_map *map;
static struct og_group group;
static struct og_windows windows[2];

/* A wave and its memory, of which there are two; the memory stands in the same place. */
static uint8_t *memory, *lds, *scratch;
static struct og_wave *wave, *other, *before;
static uint8_t *memory_before, *lds_before, *scratch_before;
static uint8_t *memory_after, *lds_after, *scratch_after;

static uint64_t seed = 11;
static uint32_t random32(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (uint32_t)(seed >> 16);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Where an operand may stand so that addresses are good; registers apart for the others, often enough. */
static void put_register(struct og_inst *inst, unsigned i) {
  struct og_operand *operand = &inst->operands[i];
  bool memory_form = og_form_memory(og_form(isa, inst->form))->space != OG_IN_NOTHING;
  if (operand->role == OG_ROLE_SOFFSET && operand->kind == OG_OPERAND_INLINE) /* which may be odd */
    operand->kind = OG_OPERAND_SGPR, operand->dwords = 1;
  switch (operand->kind) {
  case OG_OPERAND_VGPR: case OG_OPERAND_AGPR:
    operand->reg = (uint16_t)(operand->role == OG_ROLE_VADDR && memory_form ? V_ADDRESS : 8 + 8 * (i + random32() % 2));
    break;
  case OG_OPERAND_SGPR: case OG_OPERAND_TTMP: case OG_OPERAND_SPECIAL:
    if (operand->role == OG_ROLE_SADDR || operand->role == OG_ROLE_SBASE || operand->role == OG_ROLE_SRSRC ||
        operand->role == OG_ROLE_SOFFSET) {
      if (operand->kind == OG_OPERAND_SPECIAL && operand->reg == OG_SPECIAL_NULL)
        break;
      operand->kind = OG_OPERAND_SGPR;
      operand->reg = operand->role == OG_ROLE_SOFFSET ? S_OFFSET : operand->dwords == 4 ? S_RESOURCE : S_BASE;
    } else if (operand->kind == OG_OPERAND_SGPR) {
      operand->reg = (uint16_t)(16 + 16 * (i % 5));
    }
    break;
  default: break;
  }
}

/* An instruction of the form with modifiers and kinds of operands by chance; false: these bits are none. */
static bool random_inst(unsigned index, struct og_inst *inst) {
  const struct og_form *form = og_form(isa, index);
  uint64_t words[3];
  uint8_t bytes[32] = {0};
  for (unsigned i = 0; i < 3; i++)
    words[i] = (uint64_t)random32() << 32 | random32();
  for (unsigned i = 0; i < 2; i++)
    words[i] = (words[i] & ~form->mask[i]) | form->value[i];
  memcpy(bytes, words, sizeof words);
  if (!og_decode(isa, bytes, sizeof bytes, inst) || inst->row != form->row || inst->form != index)
    return false;
  for (unsigned i = 0; i < inst->operand_count; i++)
    put_register(inst, i);
  inst->mod[OG_MOD_OFFSET] &= 0xf0;
  inst->mod[OG_MOD_OFFSET0] &= 15, inst->mod[OG_MOD_OFFSET1] &= 15;
  inst->mod[OG_MOD_GDS] = 0;
  if (inst->encoding == OG_ENC_MTBUF || (inst->encoding == OG_ENC_MUBUF && inst->mod[OG_MOD_FORMAT]))
    inst->mod[OG_MOD_FORMAT] = isa->gfx10 ? 22 : 0x74; /* 32 bits, float */
  memset(bytes, 0xff, sizeof bytes);
  size_t size = og_encode(isa, inst, bytes);
  char why[80];
  if (!size || size > sizeof code - 8 || og_decode(isa, bytes, sizeof bytes, inst) != size || inst->form != index ||
      !og_inst_valid(isa, inst, why, sizeof why))
    return false;
  memset(code, 0xff, sizeof code);
  memcpy(code, bytes, size);
  return true;
}

/* ---- waves ------------------------------------------------------------------------------------------------------- */

static void fill_memory(void) {
  for (unsigned i = 0; i < MEMORY; i += 4)
    og_store32(memory_before + i, random32());
  for (unsigned i = 0; i < LDS; i += 4)
    og_store32(lds_before + i, random32());
  for (unsigned i = 0; i < SCRATCH * OG_LANES; i += 4)
    og_store32(scratch_before + i, random32());
}

static uint32_t *vector_at(struct og_wave *w, unsigned k) { return w->v[k < VECTORS ? k : 256 + k - VECTORS]; }

/* Registers hold anything; numbers of a sensible size half of the time. */
static void fill(struct og_wave *w) {
  for (unsigned i = 0; i < OG_S_COUNT; i++)
    w->s[i] = random32();
  for (unsigned k = 0; k < 2 * VECTORS; k++) {
    uint32_t *v = vector_at(w, k), kind = random32();
    for (unsigned lane = 0; lane < OG_LANES; lane += 2) {
      uint64_t two = (uint64_t)random32() << 32 | random32();
      if (kind & 1)
        two = (two & 0xff7fffffff7fffff) | 0x3f0000003f000000;
      og_store64(&v[lane], two);
    }
  }
  memset(&w->s[OG_S_SINK], 0, 32 * sizeof w->s[0]);
  w->s[OG_S_SCC] = random32() & 1, w->s[OG_S_SCC + 1] = 0;
  memset(&w->s[OG_S_VCCZ], 0, 4 * sizeof w->s[0]);
  if (random32() % 8 == 0)
    w->s[OG_S_VCC] = w->s[OG_S_VCC + 1] = 0;
  w->mode = 0x2f0 ^ (random32() & 0xf);
}

static void set_addresses(struct og_wave *w, const struct og_inst *inst) {
  const struct og_memory *facts = og_form_memory(og_form(isa, inst->form));
  const struct og_operand *vaddr = og_operand(inst, OG_ROLE_VADDR);
  uint64_t base = (uintptr_t)memory + MIDDLE;
  if (facts->space == OG_IN_NOTHING)
    return;
  bool buffer = facts->space == OG_IN_BUFFER || facts->space == OG_IN_TYPED;
  bool whole = vaddr && vaddr->dwords == 2 && !buffer;
  bool shared = facts->space == OG_IN_SCRATCH;
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint64_t at = shared ? 32 : 16 * lane + (whole ? base : 0);
    w->v[V_ADDRESS][lane] = (uint32_t)at;
    w->v[V_ADDRESS + 1][lane] = buffer && !inst->mod[OG_MOD_ADDR64] ? 16 * lane : (uint32_t)(at >> 32);
  }
  og_store64(&w->s[S_BASE], shared ? 128 : base);
  w->s[S_OFFSET] = 64;
  uint32_t resource[4] = {(uint32_t)base, (uint32_t)(base >> 32) & 0xffff, MEMORY / 2,
                          isa->gfx10 ? 0x31016fac : 0x00027fac};
  if (isa->gfx1250) /* 57 bits of an address, 45 of a size */
    resource[1] = (uint32_t)(base >> 32) | (uint32_t)(MEMORY / 2) << 25, resource[2] = MEMORY / 2 >> 7, resource[3] = 0;
  memcpy(&w->s[S_RESOURCE], resource, sizeof resource);
  w->s[OG_S_M0] = M0;
  og_set_s64(w, OG_S_FLAT_SCRATCH, (uintptr_t)scratch);
}

static void set_up_wave(struct og_wave *w, unsigned which) {
  w->program = program;
  w->group = &group;
  w->windows = &windows[which];
  w->wave_size = isa->wave;
  w->lds = lds, w->lds_size = LDS, w->lds_limited = isa->generation < OG_GFX900 ? ~0u : 0;
  w->scratch = scratch, w->scratch_size = SCRATCH;
  w->hwreg[20] = (uint32_t)(uintptr_t)scratch, w->hwreg[21] = (uint32_t)((uintptr_t)scratch >> 32);
}

static void restore_memory(void) {
  memcpy(memory, memory_before, MEMORY);
  memcpy(lds, lds_before, LDS);
  memcpy(scratch, scratch_before, SCRATCH * OG_LANES);
}

/* Runs the instruction; what follows it is none, which is where it ends. */
static bool run(struct og_wave *w) {
  og_exec_changed(w);
  og_mode_changed(w);
  memset(&w->fault, 0, sizeof w->fault);
  w->state = OG_WAVE_READY;
  w->resume = program->operations;
  w->budget = 0;
  og_wave_run(w);
  w->program = program; /* s_set_vgpr_msb goes on in another */
  return w->state != OG_WAVE_FAULT || strstr(w->fault.what, "undecodable") || strstr(w->fault.what, "ran past") ||
         strstr(w->fault.what, "jump outside");
}

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
    if ((bytes_seen[lane] > most || (bytes_seen[lane] && bytes_seen[lane] < effects->bytes && !reads_lds_directly(inst))) &&
        effects->bytes)
      complain("%s: lane %u moves %u bytes, told are %u", context, lane, bytes_seen[lane], effects->bytes);
  if (memcmp(memory, memory_before, MEMORY) != 0 && !(stores & (1 << OG_SPACE_GLOBAL)))
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
  return (strstr(name, "v_permlane64") && isa->wave == 32) || strstr(name, "v_cvt_scale_pk") || strstr(name, "time") || strstr(name, "cycles") || strstr(name, "s_getreg") || strstr(name, "sendmsg_rtn");
}

/* Of these the rows tell less than they do: direct reads of LDS write whole quads and, as a source, do not tell of M0; loops
 * over half waves write the register that is listed as read. */
static bool is_told_otherwise(const struct og_inst *inst) {
  return reads_lds_directly(inst) || inst->row == OG_ROW_LDS_PARAM_LOAD || inst->row == OG_ROW_S_SUBVECTOR_LOOP_BEGIN ||
         inst->row == OG_ROW_S_SUBVECTOR_LOOP_END;
}

static void check_form(const char *processor, unsigned index) {
  struct og_inst inst;
  struct og_effects effects;
  bool made = false;
  for (unsigned tries = 0; tries < 20 && !made; tries++)
    made = random_inst(index, &inst);
  if (!made)
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
  if (is_told_otherwise(&inst))
    return;
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

static void *zeros(size_t size) { return memset(aligned_alloc(4096, og_align_up(size, 4096)), 0, size); }

static void forms_touch_what_is_told(void **state) {
  (void)state;
  struct og_wave **waves[] = {&wave, &other, &before, &allowed};
  for (size_t i = 0; i < OG_COUNT(waves); i++)
    *waves[i] = zeros(sizeof(struct og_wave));
  uint8_t **memories[] = {&memory, &memory_before, &memory_after};
  for (size_t i = 0; i < OG_COUNT(memories); i++)
    *memories[i] = zeros(MEMORY);
  uint8_t *own_lds = zeros(LDS + 2 * OG_LDS_MARGIN);
  lds = own_lds + OG_LDS_MARGIN, lds_before = zeros(LDS), lds_after = zeros(LDS);
  uint8_t **scratches[] = {&scratch, &scratch_before, &scratch_after};
  for (size_t i = 0; i < OG_COUNT(scratches); i++)
    *scratches[i] = zeros(SCRATCH * OG_LANES);
  map = og_memory_map_new();
  og_memory_map_add(map, (uintptr_t)memory, MEMORY, OG_MEMORY_READ | OG_MEMORY_WRITE);
  group.map = map;
  fill_memory();
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    struct og_target target = target_of(processors[p]);
    if (target.wave_size == 32)
      check_processor(processors[p], 32);
    if (target.processor->generation < OG_GFX1250)
      check_processor(processors[p], 64);
  }
  print_message("%u forms ran, %u are not executed, %u faulted, of %u the effects are not told\n", ran, refused, faulted,
                untold);
  og_memory_map_free(map);
  assert_int_equal(complaints, 0);
  assert_true(ran > 45000 && faulted < 450 && untold < 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_touch_what_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
