/* form_fixture.h - a random instruction of each form, a wave with hostile registers and good addresses, memory to
 * reach: for tests of all that the executor runs. */
#ifndef FORM_FIXTURE_H
#define FORM_FIXTURE_H

#include "exec/memory.h"
#include "exec/place.h"
#include "exec/program.h"
#include "isa/rows.h"
#include "isa/effects.h"
#include "target_fixture.h"

enum { MEMORY = 1 << 15, MIDDLE = MEMORY / 8, SCRATCH = 512 /* bytes of a lane */, LDS = 1 << 15, M0 = 0x4000 };
enum { VECTORS = 80 /* of each kind that the tests name */, CODE = 16 };

static const char *const processors[] = {"gfx600",  "gfx700",  "gfx803",  "gfx900",  "gfx906",  "gfx908",
                                         "gfx90a",  "gfx942",  "gfx950",  "gfx1010", "gfx1030", "gfx1100",
                                         "gfx1150", "gfx1200", "gfx1250", "gfx1251"};

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
static struct og_wave *wave, *before;
static uint8_t *memory_before, *lds_before, *scratch_before;
static uint8_t *memory_after, *lds_after, *scratch_after;

static uint64_t seed = 11;
static inline uint32_t random32(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (uint32_t)(seed >> 16);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Where an operand may stand so that addresses are good; registers apart for the others, often enough. */
static inline void put_register(struct og_inst *inst, unsigned i) {
  struct og_operand *operand = &inst->operands[i];
  bool memory_form = og_form_memory(og_form(isa, inst->form))->space != OG_IN_NOTHING;
  if (operand->role == OG_ROLE_SOFFSET && operand->kind == OG_OPERAND_INLINE) /* which may be odd */
    operand->kind = OG_OPERAND_SGPR, operand->dwords = 1;
  switch (operand->kind) {
  case OG_OPERAND_VGPR:
  case OG_OPERAND_AGPR:
    operand->reg = (uint16_t)(operand->role == OG_ROLE_VADDR && memory_form ? V_ADDRESS : 8 + 8 * (i + random32() % 2));
    break;
  case OG_OPERAND_SGPR:
  case OG_OPERAND_TTMP:
  case OG_OPERAND_SPECIAL:
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

/* Makes the instruction the code that runs; false: it is none. */
static inline bool put_code(struct og_inst *inst) {
  uint8_t bytes[32];
  char why[80];
  unsigned form = inst->form;
  memset(bytes, 0xff, sizeof bytes);
  size_t size = og_encode(isa, inst, bytes);
  if (!size || size > sizeof code - 8 || og_decode(isa, bytes, sizeof bytes, inst) != size || inst->form != form ||
      !og_inst_valid(isa, inst, why, sizeof why))
    return false;
  memset(code, 0xff, sizeof code);
  memcpy(code, bytes, size);
  return true;
}

/* An instruction of the form with modifiers and kinds of operands by chance; false: these bits are none. */
static inline bool random_inst(unsigned index, struct og_inst *inst) {
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
  return put_code(inst);
}

/* ---- waves ------------------------------------------------------------------------------------------------------- */

static inline void fill_memory(void) {
  for (unsigned i = 0; i < MEMORY; i += 4)
    og_store32(memory_before + i, random32());
  for (unsigned i = 0; i < LDS; i += 4)
    og_store32(lds_before + i, random32());
  for (unsigned i = 0; i < SCRATCH * OG_LANES; i += 4)
    og_store32(scratch_before + i, random32());
}

static inline uint32_t *vector_at(struct og_wave *w, unsigned k) { return w->v[k < VECTORS ? k : 256 + k - VECTORS]; }

/* Registers hold anything; numbers of a sensible size half of the time. They come from anywhere in a long row of
 * dwords, for drawing all of them anew took most of a test's time. */
enum { POOL = 1 << 16 };
static inline void fill(struct og_wave *w) {
  static uint32_t pool[2][POOL];
  static bool filled;
  for (unsigned i = 0; !filled && i < POOL; i++)
    pool[0][i] = random32(), pool[1][i] = (random32() & 0xff7fffff) | 0x3f000000;
  filled = true;
  for (unsigned i = 0; i < OG_S_COUNT; i++)
    w->s[i] = random32();
  for (unsigned k = 0; k < 2 * VECTORS; k++) {
    uint32_t bits = random32();
    memcpy(vector_at(w, k), &pool[bits & 1][(bits >> 1) % (POOL - OG_LANES)], sizeof w->v[0]);
  }
  memset(&w->s[OG_S_SINK], 0, 32 * sizeof w->s[0]);
  w->s[OG_S_SCC] = random32() & 1, w->s[OG_S_SCC + 1] = 0;
  memset(&w->s[OG_S_VCCZ], 0, 4 * sizeof w->s[0]);
  if (random32() % 8 == 0)
    w->s[OG_S_VCC] = w->s[OG_S_VCC + 1] = 0;
  w->mode = 0x2f0 ^ (random32() & 0xf);
}

static inline void set_addresses(struct og_wave *w, const struct og_inst *inst) {
  const struct og_memory *facts = og_form_memory(og_form(isa, inst->form));
  const struct og_operand *vaddr = og_operand(inst, OG_ROLE_VADDR);
  uint64_t base = (uintptr_t)memory + MIDDLE;
  if (facts->space == OG_IN_NOTHING)
    return;
  bool buffer = facts->space == OG_IN_BUFFER || facts->space == OG_IN_TYPED;
  bool whole = vaddr && vaddr->dwords == 2 && !buffer;
  bool shared = facts->space == OG_IN_SCRATCH && inst->encoding != OG_ENC_SMEM; /* which has a whole address */
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

static inline void set_up_wave(struct og_wave *w, unsigned which) {
  w->program = program;
  w->group = &group;
  w->windows = &windows[which];
  w->wave_size = isa->wave;
  w->lds = lds, w->lds_size = LDS, w->lds_limited = isa->generation < OG_GFX900 ? ~0u : 0;
  w->scratch = scratch, w->scratch_size = SCRATCH;
  w->hwreg[20] = (uint32_t)(uintptr_t)scratch, w->hwreg[21] = (uint32_t)((uintptr_t)scratch >> 32);
}

static inline void restore_memory(void) {
  memcpy(memory, memory_before, MEMORY);
  memcpy(lds, lds_before, LDS);
  memcpy(scratch, scratch_before, SCRATCH * OG_LANES);
}

/* Runs the instruction; what follows it is none, which is where it ends. */
static inline bool run(struct og_wave *w) {
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

static inline void *zeros(size_t size) { return memset(aligned_alloc(4096, og_align_up(size, 4096)), 0, size); }

static inline void set_up_memory(void) {
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
}
static inline void tear_down_memory(void) {
  og_memory_map_free(map);
  void *all[] = {memory, memory_before, memory_after, lds - OG_LDS_MARGIN, lds_before, lds_after, scratch,
                 scratch_before,
                 scratch_after};
  for (size_t i = 0; i < OG_COUNT(all); i++)
    free(all[i]);
}

#endif
