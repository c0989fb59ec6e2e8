/* test_tier.c - random blocks of instructions of all forms in both tiers: registers, masks, modes, faults, memory and
 * LDS are the same bits afterwards. `test_tier FIRST COUNT [TEST]` runs the seeds from FIRST on, or that test alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../fuzz/random_loops.h"
#include <offgrid.h>
#include "base/float_control.h"
#include "exec/group.h"
#include "exec/memory.h"
#include "exec/program.h"
#include "exec/vector.h"
#include "isa/rows.h"
#include "tier/tier.h"

enum { MOST = 40, WORDS = MOST * 7 + 8, LDS = 2048, SCRATCH = 64, ENDED = 8, COMPLAINTS = 10 };
/* Memory: a buffer with more around it that is not a kernel's; and where in it lower halves of addresses wrap. */
enum { ARENA = 1 << 14, BUFFER = 6000, WRAP = 800, BUFFER_AT = ARENA / 2 - WRAP };

static const struct {
  const char *name;
  unsigned wave;
} processors[] = {{"gfx900", 64},  {"gfx1030", 32}, {"gfx1030", 64}, {"gfx1100", 32}, {"gfx1100", 64}, {"gfx803", 64},
                  {"gfx90a", 64},  {"gfx942", 64},  {"gfx1200", 32}, {"gfx700", 64},  {"gfx1250", 32}, {"gfx906", 64}};

/* The forms of each encoding, by processor. */
struct forms {
  struct og_target target;
  struct og_isa room;
  const struct og_isa *isa;
  const struct og_form **all, **of[OG_ENC_COUNT];
  unsigned count[OG_ENC_COUNT];
  const struct og_form *branches[7];
  unsigned branch_count;
  struct og_program *decoder; /* knows what is executed; of one block */
};
static struct forms forms[OG_COUNT(processors)];

static uint32_t code[WORDS];
static uint8_t *arena, *arena_start, *arena_plain, *lds_room, lds_start[LDS], lds_plain[LDS], *scratch;
static struct og_wave *start, *plain, *compiled;
static struct og_memory_map *map;
static struct og_group group;
static struct og_windows windows;
static unsigned ends[3]; /* of blocks: at their end, by fault, for want of budget or otherwise */

static void *zeros(size_t size) {
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(at != MAP_FAILED);
  return at;
}

/* Time, and what one tier or the other may see of itself. */
static bool is_told_apart(unsigned row) {
  const char *name = og_row_name(row);
  return strstr(name, "time") || strstr(name, "getreg") || strstr(name, "rtn_b") || strstr(name, "cycles") ||
         row == OG_ROW_S_SLEEP;
}

static void find_forms(struct forms *f, unsigned p) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  assert_true(og_target_parse(&f->target, NULL, processors[p].name, NULL, diagnostics));
  og_diagnostics_free(diagnostics);
  f->target.wave_size = (uint8_t)processors[p].wave;
  f->isa = og_isa_for(&f->target, &f->room);
  unsigned count = og_form_count(f->isa), at = 0;
  f->all = calloc(count, sizeof *f->all);
  for (unsigned e = 0; e < OG_ENC_COUNT; e++) {
    f->of[e] = f->all + at;
    for (unsigned i = 0; i < count; i++) {
      const struct og_form *form = og_form(f->isa, i);
      if (form->encoding == e && og_form_fits(f->isa, form))
        f->all[at++] = form;
    }
    f->count[e] = (unsigned)(f->all + at - f->of[e]);
  }
  static const uint16_t rows[] = {OG_ROW_S_CBRANCH_SCC0,  OG_ROW_S_CBRANCH_SCC1,  OG_ROW_S_BRANCH,
                                        OG_ROW_S_CBRANCH_VCCZ,
                                  OG_ROW_S_CBRANCH_VCCNZ, OG_ROW_S_CBRANCH_EXECZ, OG_ROW_S_CBRANCH_EXECNZ};
  for (unsigned i = 0; i < f->count[OG_ENC_SOPP]; i++)
    for (unsigned k = 0; k < OG_COUNT(rows) && f->branch_count < OG_COUNT(rows); k++)
      if (f->of[OG_ENC_SOPP][i]->row == rows[k])
        f->branches[f->branch_count++] = f->of[OG_ENC_SOPP][i];
}

/* Around a multiple of 4 GiB. */
static uint8_t *map_arena(void) {
  const uintptr_t apart = (uintptr_t)1 << 32;
  void *room = mmap(NULL, apart + 2 * ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(room != MAP_FAILED);
  uintptr_t skipped = apart - ((uintptr_t)room + ARENA) % apart + ARENA / 2;
  uint8_t *at = (uint8_t *)room + skipped;
  assert_int_equal(mprotect(at, ARENA, PROT_READ | PROT_WRITE), 0);
  munmap(room, skipped), munmap(at + ARENA, apart + ARENA - skipped);
  return at;
}

static void set_up(void) {
  arena = map_arena(), arena_start = zeros(ARENA), arena_plain = zeros(ARENA);
  lds_room = (uint8_t *)zeros(LDS + 2 * OG_LDS_MARGIN) + OG_LDS_MARGIN;
  scratch = zeros(SCRATCH * OG_LANES);
  start = zeros(sizeof *start), plain = zeros(sizeof *plain), compiled = zeros(sizeof *compiled);
  map = og_memory_map_new();
  og_memory_map_add(map, (uintptr_t)arena + BUFFER_AT, BUFFER, OG_MEMORY_READ | OG_MEMORY_WRITE);
  group.map = map;
  for (unsigned p = 0; p < OG_COUNT(processors); p++)
    find_forms(&forms[p], p);
}

/* ---- a block ----------------------------------------------------------------------------------------------------- */

/* `calm`: without accesses; `loop`: such as strips can go round with. */
static const struct og_form *draw_form(const struct forms *f, bool calm, bool loop) {
  static const uint8_t usual[] = {OG_ENC_VOP2, OG_ENC_VOP2, OG_ENC_VOP1, OG_ENC_VOP3,
                                  OG_ENC_VOP3,
                                  OG_ENC_VOP3, OG_ENC_VOPC, OG_ENC_SOP2, OG_ENC_SOP1, OG_ENC_SOPC,
                                  OG_ENC_VOPD, OG_ENC_DS,   OG_ENC_FLAT, OG_ENC_VOP3P},
                       others[] = {OG_ENC_SOPK, OG_ENC_MUBUF, OG_ENC_MTBUF, OG_ENC_SMEM, OG_ENC_SOPP};
  for (;;) {
    bool rare = !calm && once_in(10);
    unsigned e = rare ? others[below(sizeof others)] : usual[below(sizeof usual)];
    if (calm && (e == OG_ENC_DS || e == OG_ENC_FLAT))
      continue;
    if (loop && (rare || e == OG_ENC_SOP1))
      continue;
    if (f->count[e])
      return f->of[e][below(f->count[e])];
  }
}

static uint32_t draw_float(void) {
  static const uint32_t edges[] = {0,          0x80000000, 1,          0x807fffff, 0x3f800000, 0xbf800000, 0x7f7fffff,
                                   0x7f800000, 0xff800000, 0x7f800001, 0xff812345, 0x7fc00000, 0xffc54321, 0x7fffffff,
                                   0x4f000000, 0xcf000000, 0x33800000, 0x00800000, 0x7e017c01, 0xfe55fc00, 0x7bff0400,
                                   0x8001fbff, 0x7ff80000, 0xfff40001, 0x7ff00000, 0x3ff00000};
  if (once_in(6)) /* halves close to each other, whose sums of products round in all ways */
    return (draw() & 0x87ff87ff) + (0x34003400 + below(3) * 0x04000400);
  return once_in(3) ? edges[below(OG_COUNT(edges))] : once_in(3) ? draw() : 0x3e000000 + (draw() & 0x81ffffff);
}

static uint64_t draw_address(void) {
  return (uintptr_t)arena + BUFFER_AT + (once_in(4) ? below(BUFFER) : 4 * below(400));
}
static uint64_t draw_near_wrap(void) {
  return (uintptr_t)arena + BUFFER_AT + (once_in(2) ? 4 * below(300) : WRAP - 4 * below(24));
}

/* A pair of registers, which are addresses, offsets or numbers, alike, in a row, or each for itself. */
static void fill_pair(uint32_t *low, uint32_t *high) {
  unsigned kind = below(4), shape = below(4);
  uint64_t first = kind == 0 ? draw_address() : below(256) * 4, step = 4u << below(3);
  for (unsigned i = 0; i < OG_LANES; i++) {
    uint64_t value = first + (shape == 0 ? 0 : shape == 1 ? step * i : shape == 2 ? 4 * (i ^ 5) : 4 * below(256));
    if (kind >= 2)
      value = kind == 2 ? draw_float() | (uint64_t)draw_float() << 32 : once_in(2) ? draw64() : below(80);
    low[i] = (uint32_t)value, high[i] = (uint32_t)(value >> 32);
  }
  if (kind < 2 && once_in(12)) /* one lane goes astray */
    high[below(OG_LANES)] ^= 1u << below(31), low[below(OG_LANES)] += 4 * below(3000);
}

static void fill(unsigned p) {
  memset(start, 0, offsetof(struct og_wave, v));
  start->group = &group, start->windows = &windows;
  start->wave_size = (uint8_t)processors[p].wave;
  start->lds = lds_room, start->lds_size = once_in(8) ? below(LDS) : LDS;
  start->scratch = scratch, start->scratch_size = SCRATCH;
  for (unsigned i = 0; i < 108; i += 2) {
    uint64_t value = once_in(3) ? draw_address() : once_in(2) ? below(64) : draw_float() | (uint64_t)draw_float() << 32;
    memcpy(&start->s[i], &value, 8);
  }
  start->s[OG_S_M0] = once_in(2) ? ~0u : below(2000);
  start->s[OG_S_SCC] = below(2);
  og_set_s64(start, OG_S_FLAT_SCRATCH, (uintptr_t)scratch);
  for (unsigned i = 0; i < SCARCE; i += 2) {
    fill_pair(start->v[i], start->v[i + 1]);
    fill_pair(start->v[256 - SCARCE + i], start->v[257 - SCARCE + i]);
  }
  uint64_t exec = once_in(2)   ? ~0ull
                  : once_in(3) ? 0xffffull << 16 * below(4)
                  : once_in(3) ? 1ull << below(64)
                               : draw64();
  og_set_s64(start, OG_S_EXEC, start->wave_size == 32 ? (uint32_t)exec : exec);
  start->mode = once_in(4) ? draw() : 0x2f0;
  if (!once_in(32))
    start->mode &= ~(uint32_t)(OG_MODE_GPR_INDEX | OG_MODE_VSKIP);
  start->budget = below(9);
  for (unsigned i = 0; i < ARENA / 4; i++)
    og_store32(arena_start + 4 * i, draw_float());
  for (unsigned i = 0; i < LDS / 4; i++)
    og_store32(lds_start + 4 * i, draw_float());
}

/* Numbers as loops have them: places in the buffer, small offsets from them that now and then differ from vector to
 * vector, go below zero, or break in some lane; mostly all lanes are active. */
static void fill_loop(void) {
  start->s[42] = 1 + below(5);
  start->mode = once_in(8) ? start->mode : 0x2f0;
  if (!once_in(4))
    og_set_s64(start, OG_S_EXEC, start->wave_size == 32 ? UINT32_MAX : UINT64_MAX);
  for (unsigned i = 0; i < 32; i += 2) {
    uint64_t value = once_in(2) ? (uintptr_t)arena + BUFFER_AT + 4 * below(300) : below(32);
    if (once_in(4)) /* what an offset just below 2^32 leads into the buffer from */
      value = (uintptr_t)arena + BUFFER_AT + 4 * below(60) - 0xffffffc0;
    memcpy(&start->s[i], &value, 8);
  }
  for (unsigned v = 0; v < SCARCE; v += 2) {
    unsigned kind = below(7), step = once_in(3) ? 0 : 1u << below(5), vector = once_in(3) ? 16 : OG_LANES;
    uint64_t first = kind == 0 || kind == 3 ? draw_near_wrap() : kind == 1 ? (uint64_t)-(int64_t)below(90) : below(99);
    uint64_t apart = once_in(4) ? 4 * below(64) : 0;
    for (unsigned i = 0; i < OG_LANES; i++) {
      uint64_t value = first + (uint64_t)step * (i % vector) + apart * (i / 16);
      if (kind == 2)
        value = draw_float();
      start->v[v][i] = (uint32_t)value;
      /* 3: no carry */
      start->v[v + 1][i] = kind == 0 ? (uint32_t)(value >> 32) : kind == 3 ? (uint32_t)(first >> 32) : 0;
    }
    if (once_in(12))
      start->v[v + below(2)][below(OG_LANES)] += once_in(2) ? 4 : 1u << below(32);
  }
}

/* What cannot be executed ends a block by a fault, which is dull: once in a while. */
static bool is_taken(const struct forms *f, const uint32_t *words, unsigned size) {
  struct og_inst inst;
  struct og_operation fresh = {.words = (uint8_t)size};
  char why[80];
  fresh.detail = f->decoder->operations;
  if (og_decode(f->isa, (const uint8_t *)words, 4 * size, &inst) != 4 * size ||
      !og_inst_valid(f->isa, &inst, why, sizeof why))
    return once_in(200);
  return !is_told_apart(inst.row) && (og_program_prepare(f->decoder, &inst, &fresh) || once_in(200));
}

/* A branch of so many words. */
static uint32_t draw_branch(const struct forms *f, int distance) {
  return (uint32_t)f->branches[below(f->branch_count)]->value[0] | (uint16_t)distance;
}
/* One that a loop of vector operations may end with. */
static uint32_t draw_loop_branch(const struct forms *f, int distance) {
  for (;;) {
    const struct og_form *form = f->branches[below(f->branch_count)];
    if (form->row == OG_ROW_S_CBRANCH_SCC0 || form->row == OG_ROW_S_CBRANCH_SCC1 || form->row == OG_ROW_S_BRANCH)
      return (uint32_t)form->value[0] | (uint16_t)distance;
  }
}

/* Writes of EXEC, which random destinations seldom are. */
static uint32_t aim_at_exec(const struct og_form *form, uint32_t word) {
  enum { EXEC_LO = 126 };
  bool takes = form->encoding == OG_ENC_SOP2 || form->encoding == OG_ENC_SOP1;
  return takes && once_in(6) ? (word & ~(0x7fu << 16)) | EXEC_LO << 16 : word;
}

/* `loop`: of few operations on registers, until a test or the budget ends it. */
static unsigned write_block(struct forms *f, bool loop) {
  unsigned at = 0, count = !loop && once_in(8) ? MOST : 1 + below(8);
  bool calm = loop || once_in(2);
  f->decoder = og_program_new(&f->target, code, sizeof code);
  f->decoder->isa = f->isa;
  while (count > 0) {
    if (f->branch_count && !loop && once_in(12)) /* ahead, past some of what follows */
      code[at++] = draw_branch(f, (int)below(9));
    const struct og_form *form = draw_form(f, calm, loop);
    unsigned size = write_form(f->isa, form, draw_float(), code + at);
    code[at] = aim_at_exec(form, code[at]);
    if (is_taken(f, code + at, size))
      at += size, count--;
  }
  og_program_free(f->decoder);
  if (loop || (once_in(3) && f->branch_count)) {
    code[at] = loop ? draw_loop_branch(f, -(int)(at + 1)) : draw_branch(f, -(int)(at + 1));
    at++;
  }
  unsigned size = at;
  for (; at < WORDS; at++)
    code[at] = f->target.processor->generation >= OG_GFX11 ? 0xbfb00000 : 0xbf810000;
  return size;
}

/* A block from its text; yields its words. */
static unsigned assemble_block(const struct forms *f, unsigned p, const char *text) {
  enum og_generation generation = f->target.processor->generation;
  bool wave64 = generation >= OG_GFX10_1 && generation < OG_GFX1250 && processors[p].wave == 64;
  const og_assemble_options options = {.processor = processors[p].name, .features = wave64 ? "+wavefrontsize64" : NULL};
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes object;
  bool ok = og_assemble_source(text, strlen(text), &options, &object, diagnostics);
  for (size_t i = 0; i < og_diagnostics_count(diagnostics) && !ok; i++)
    fprintf(stderr, "%s: %s\n", processors[p].name, og_diagnostics_text(diagnostics, i));
  assert_true(ok);
  const Elf64_Ehdr *header = (const void *)object.data;
  const Elf64_Shdr *sections = (const void *)(object.data + header->e_shoff);
  unsigned size = 0;
  for (unsigned i = 0; i < header->e_shnum; i++)
    if (sections[i].sh_flags & SHF_EXECINSTR) {
      size = (unsigned)sections[i].sh_size / 4;
      assert_true(size < WORDS);
      memcpy(code, object.data + sections[i].sh_offset, sections[i].sh_size);
    }
  og_bytes_free(&object);
  og_diagnostics_free(diagnostics);
  for (unsigned at = size; at < WORDS; at++)
    code[at] = generation >= OG_GFX11 ? 0xbfb00000 : 0xbf810000;
  return size;
}

/* The same of a loop over memory. */
static unsigned write_loop_block(const struct forms *f, unsigned p) {
  enum og_generation generation = f->target.processor->generation;
  bool old = generation >= OG_GFX8 && generation < OG_GFX11;
  const struct loop_names names = {generation >= OG_GFX10_1, generation >= OG_GFX11, processors[p].wave == 32, old,
                                   old};
  char text[LOOP_TEXT] = "start:\n";
  write_loop(text + strlen(text), sizeof text - strlen(text), &names);
  return assemble_block(f, p, text);
}

/* ---- both tiers -------------------------------------------------------------------------------------------------- */

static void run_program(struct og_wave *wave, struct og_program *program) {
  uint32_t host = og_get_float_control();
  memcpy(wave, start, sizeof *wave);
  memcpy(arena, arena_start, ARENA);
  memcpy(lds_room, lds_start, LDS);
  memset(scratch, 0, SCRATCH * OG_LANES);
  windows = (struct og_windows){0};
  wave->program = program;
  wave->resume = program->operations;
  og_exec_changed(wave);
  og_mode_changed(wave);
  og_set_float_control(host);
  for (unsigned turn = 0; turn < 3; turn++) {
    og_wave_run(wave);
    if (wave->state != OG_WAVE_READY)
      break;
    wave->budget = 3;
  }
  wave->resume = (const void *)(wave->resume - wave->program->operations); /* s_set_vgpr_msb changes programs */
  wave->program = NULL;
}

static void run(struct og_wave *wave, const struct og_target *target, enum og_compile when) {
  struct og_program *program = og_program_new(target, code, sizeof code);
  og_tier_attach(program, when);
  run_program(wave, program);
  og_program_free(program);
}

/* What differs; NULL: nothing. */
static const char *difference(void) {
  enum { CYCLES = 29, CYCLES_HIGH };
  for (unsigned i = CYCLES; i <= CYCLES_HIGH; i++)
    plain->hwreg[i] = compiled->hwreg[i] = 0;
  static char text[100];
  for (unsigned i = 0; i < OG_S_SINK; i++)
    if (plain->s[i] != compiled->s[i]) {
      snprintf(text, sizeof text, "s%u: %08x, compiled %08x", i, plain->s[i], compiled->s[i]);
      return text;
    }
  for (unsigned v = 0; v < OG_V_TEMPORARY; v++)
    for (unsigned i = 0; i < OG_LANES; i++)
      if (plain->v[v][i] != compiled->v[v][i]) {
        snprintf(text, sizeof text, "v%u of lane %u: %08x, compiled %08x (from %08x)", v, i, plain->v[v][i],
                 compiled->v[v][i], start->v[v][i]);
        return text;
      }
  if (plain->state != compiled->state || plain->resume != compiled->resume || plain->budget != compiled->budget) {
    snprintf(text, sizeof text, "state, place or budget: %u, compiled %u; %d, %d; %d, %d", plain->state,
             compiled->state, (int)(intptr_t)plain->resume, (int)(intptr_t)compiled->resume, (int)plain->budget,
             (int)compiled->budget);
    return text;
  }
  if (plain->mode != compiled->mode || memcmp(plain->lanes, compiled->lanes, sizeof plain->lanes) ||
      plain->active_lanes != compiled->active_lanes || memcmp(plain->hwreg, compiled->hwreg, sizeof plain->hwreg))
    return "mode or lanes";
  if (plain->state == OG_WAVE_FAULT &&
      (plain->fault.kind != compiled->fault.kind || plain->fault.pc != compiled->fault.pc ||
       plain->fault.address != compiled->fault.address || strcmp(plain->fault.what, compiled->fault.what)))
    return "the fault";
  return memcmp(arena, arena_plain, ARENA) ? "memory" : memcmp(lds_room, lds_plain, LDS) ? "LDS" : NULL;
}

static void complain(uint64_t seed, const struct forms *f, unsigned p, unsigned size, const char *what) {
  fprintf(stderr, "seed %llu: %s, wave%u, %s, mode %x, exec %llx: %s\n", (unsigned long long)seed, processors[p].name,
          processors[p].wave, getenv("OFFGRID_HOST"), start->mode, (unsigned long long)og_exec(start), what);
  for (unsigned at = 0; at < size;) {
    struct og_inst inst;
    struct og_buffer text = {0};
    size_t used = og_decode(f->isa, (const uint8_t *)(code + at), 4 * (WORDS - at), &inst);
    if (used)
      og_print_inst(f->isa, &inst, NULL, &text);
    fprintf(stderr, "  %3u %08x %.*s\n", at, code[at], (int)text.size, (const char *)text.data);
    og_buffer_free(&text);
    at += used ? (unsigned)used / 4 : 1;
  }
}

static uint64_t draw_exec(void) {
  uint64_t exec = once_in(2) ? UINT64_MAX : draw64();
  return start->wave_size == 32 ? (uint32_t)exec : exec;
}

/* Lanes of a few VGPRs from some lane on become others, as if a row were torn there. */
static void tear_rows(void) {
  for (unsigned i = 0, count = 1 + below(2); i < count; i++) {
    uint32_t *row = start->v[below(12)], by = once_in(8) ? draw() : 4 * (1 + below(3));
    for (unsigned lane = below(start->wave_size); lane < start->wave_size; lane++)
      row[lane] += by;
  }
}

/* Waves one after the other, as the first of which code is made: what it has no code for is the interpreter's, until it
 * is compiled anew. `loop`: of write_loop_block(). */
static const char *differs_later(unsigned p, bool anything, bool loop) {
  struct og_program *program = og_program_new(&forms[p].target, code, sizeof code);
  const char *what = NULL;
  og_tier_attach(program, OG_COMPILE_SEEN);
  for (unsigned wave = 0; wave < 7 && !what; wave++) {
    if (wave > 1 && anything) {
      fill(p);
      if (loop)
        fill_loop();
    } else if (wave > 1 && once_in(2)) {
      tear_rows();
    }
    if (wave > 1 && once_in(2))
      og_set_s64(start, OG_S_EXEC, draw_exec());
    run(plain, &forms[p].target, OG_COMPILE_NEVER);
    memcpy(arena_plain, arena, ARENA), memcpy(lds_plain, lds_room, LDS);
    run_program(compiled, program);
    what = difference();
  }
  og_program_free(program);
  return what;
}

static bool is_alike(uint64_t seed) {
  state = seed * 0x2545f4914f6cdd1du;
  unsigned p = below(OG_COUNT(processors));
  setenv("OFFGRID_HOST", once_in(2) ? "avx2" : "avx512", true);
  bool loop = forms[p].target.processor->generation >= OG_GFX900 && once_in(3), arithmetic = !loop && once_in(4);
  unsigned size = loop ? write_loop_block(&forms[p], p) : write_block(&forms[p], arithmetic);
  fill(p);
  if (arithmetic && !once_in(4))
    og_set_s64(start, OG_S_EXEC, start->wave_size == 32 ? UINT32_MAX : UINT64_MAX);
  if (loop)
    fill_loop();
  run(plain, &forms[p].target, OG_COMPILE_NEVER);
  memcpy(arena_plain, arena, ARENA), memcpy(lds_plain, lds_room, LDS);
  run(compiled, &forms[p].target, OG_COMPILE_ALWAYS);
  ends[plain->state == OG_WAVE_ENDED ? 0 : plain->state == OG_WAVE_FAULT ? 1 : 2]++;
  const char *what = difference();
  if (!what && once_in(3))
    what = differs_later(p, once_in(4), loop);
  if (what)
    complain(seed, &forms[p], p, size, what);
  return !what;
}

/* A half near 1, one for a product of both near half a last place of what is near 1, and that: the sum's last bits
 * decide. */
static uint32_t draw_triple(unsigned which, uint32_t r) {
  uint32_t a = 0x3c00 | r, b = 0xc00 + ((2048 * 1024 + (1024 + r) / 2) / (1024 + r) - 1024);
  return (which == 0 ? a : which == 1 ? b - (draw() & 1) : 0x3c00 | (draw() & 0x3ff)) ^ (draw() & 0x8000);
}

static void halves_are_rounded_once(void **unused) {
  /* v_fma_f16 v10, v0, v1, v2; v_pk_fma_f16 v11, v0, v1, v2; v_pk_fma_f16 v12 of swapped and negated halves */
  static const uint32_t words[] = {0xd206000a, 0x040a0300, 0xd38e400b, 0x1c0a0300, 0xd38e490c, 0x540a0300, 0xbf810000};
  (void)unused;
  for (unsigned turn = 0; turn < 200; turn++) {
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    fill(0);
    memcpy(code, words, sizeof words);
    og_set_s64(start, OG_S_EXEC, turn % 3 ? ~0ull : draw64());
    start->mode = 0x2f0;
    for (unsigned i = 0; i < OG_LANES; i++)
      for (unsigned r = draw() & 0x3ff, low = draw() & 0x3ff, v = 0; v < 3; v++)
        start->v[v][i] = draw_triple(v, r) << 16 | draw_triple(v, low);
    run(plain, &forms[0].target, OG_COMPILE_NEVER);
    memcpy(arena_plain, arena, ARENA), memcpy(lds_plain, lds_room, LDS);
    run(compiled, &forms[0].target, OG_COMPILE_ALWAYS);
    const char *what = difference();
    if (what)
      fail_msg("turn %u: %s", turn, what);
  }
}

/* Upper halves that are not 0 as the code is made, and 0 from the first round on. */
static void addresses_that_become_zero_are_compiled(void **unused) {
  (void)unused;
  static const char text[] = "start:\nv_add_u32_e64 v0, 4, v0\nglobal_load_dword v4, v[0:1], off\nv_mov_b32 v1, 0\n"
                             "s_add_i32 s42, s42, -1\ns_cmp_lg_u32 s42, 0\ns_cbranch_scc1 start\n";
  for (unsigned turn = 0; turn < 2; turn++) {
    setenv("OFFGRID_HOST", turn ? "avx2" : "avx512", true);
    state = 1;
    fill(0);
    assemble_block(&forms[0], 0, text);
    start->s[42] = 1, start->mode = 0x2f0;
    og_set_s64(start, OG_S_EXEC, ~0ull);
    for (unsigned i = 0; i < OG_LANES; i++) {
      start->v[0][i] = (uint32_t)((uintptr_t)arena + BUFFER_AT);
      start->v[1][i] = (uint32_t)(((uintptr_t)arena + BUFFER_AT) >> 32);
    }
    run(plain, &forms[0].target, OG_COMPILE_NEVER);
    memcpy(arena_plain, arena, ARENA), memcpy(lds_plain, lds_room, LDS);
    run(compiled, &forms[0].target, OG_COMPILE_ALWAYS);
    const char *what = difference();
    if (what)
      fail_msg("turn %u: %s", turn, what);
  }
}

/* A loop of scalar loads: offsets of both kinds, not of whole dwords; bases within the buffer, or about its ends. */
static void write_scalar_loads(char *text, size_t size) {
  static const char *const names[] = {"dword", "dwordx2", "dwordx4", "dwordx8", "dwordx16"};
  int at = snprintf(text, size, "start:\n");
  for (unsigned i = 0, count = 1 + below(6); i < count; i++) {
    unsigned k = below(OG_COUNT(names)), to = 44 + 16 * below(3), base = 2 * below(10);
    char offset[40];
    if (once_in(3))
      at += snprintf(text + at, size - (size_t)at, "s_xor_b64 exec, exec, s[36:37]\n");
    if (once_in(2))
      snprintf(offset, sizeof offset, "0x%x", once_in(2) ? 0 : below(300));
    else
      snprintf(offset, sizeof offset, "s%u", 30 + below(6));
    at += snprintf(text + at, size - (size_t)at, "s_load_%s s[%u:%u], s[%u:%u], %s\n", names[k], to, to + (1u << k) - 1,
                   base, base + 1, offset);
    if (once_in(2))
      at += snprintf(text + at, size - (size_t)at, "v_add_u32_e32 v%u, s%u, v%u\n", below(8), to, below(8));
    if (once_in(2))
      at += snprintf(text + at, size - (size_t)at, "s_add_u32 s%u, s%u, %u\n", base, base, 4 * below(8));
  }
  snprintf(text + at, size - (size_t)at, "s_add_i32 s42, s42, -1\ns_cmp_lg_u32 s42, 0\ns_cbranch_scc1 start\n");
}

static void scalar_loads_are_compiled(void **unused) {
  (void)unused;
  enum { TURNS = 300 };
  memset(ends, 0, sizeof ends);
  for (unsigned turn = 0; turn < TURNS; turn++) {
    char text[2000];
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    write_scalar_loads(text, sizeof text);
    unsigned size = assemble_block(&forms[0], 0, text);
    fill(0);
    start->s[42] = 1 + below(6), start->mode = 0x2f0;
    for (unsigned i = 0; i < 20; i += 2) {
      uint64_t base = (uintptr_t)arena + BUFFER_AT + (once_in(12) ? BUFFER - below(150) : 200 + below(BUFFER - 1200));
      memcpy(&start->s[i], &base, 8);
    }
    for (unsigned i = 30; i < 36; i++)
      start->s[i] = once_in(30) ? draw() : below(200);
    run(plain, &forms[0].target, OG_COMPILE_NEVER);
    memcpy(arena_plain, arena, ARENA), memcpy(lds_plain, lds_room, LDS);
    run(compiled, &forms[0].target, OG_COMPILE_ALWAYS);
    ends[plain->state == OG_WAVE_ENDED ? 0 : plain->state == OG_WAVE_FAULT ? 1 : 2]++;
    const char *what = difference();
    if (what)
      complain(turn, &forms[0], 0, size, what), fail();
  }
  assert_true(ends[0] > TURNS / 4 && ends[1] > TURNS / 20);
}

/* Numerators and denominators of a division: mostly such that nothing is scaled, or at a bound of that, or anything. */
static uint32_t draw_dividend(bool edges) {
  static const uint8_t bounds[] = {0, 1, 2, 22, 23, 24, 25, 125, 126, 127, 128, 222, 223, 251, 252, 253, 254, 255};
  uint32_t exponent = edges ? bounds[below(sizeof bounds)] : 100 + below(60), rest = draw() & 0x807fffff;
  return once_in(edges ? 8 : 100) ? draw_float() & 0x80000000
                                  : exponent << 23 | (once_in(4) ? rest & 0x80000000 : rest);
}

/* As compilers have it, of lanes that are plain and some that are not. */
static void divisions_are_compiled(void **unused) {
  (void)unused;
  static const struct {
    unsigned processor;
    const char *mask, *others[2];
  } targets[] = {{0, "vcc", {"s[50:51]", "s[0:1]"}}, {1, "vcc_lo", {"s50", "s0"}}};
  enum { TURNS = 1200 };
  for (unsigned turn = 0; turn < TURNS; turn++) {
    char text[1000];
    unsigned t = turn / 2 % 2, p = targets[t].processor;
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    const char *numerator = once_in(8)   ? "exec_lo"
                            : once_in(4) ? "s40"
                                         : "v1",
               *masks[] = {targets[t].others[below(2)], targets[t].mask};
    bool swapped = once_in(4), compares = once_in(3);
    snprintf(text, sizeof text,
             "v_div_scale_f32 v2, %s, v0, v0, %s\nv_div_scale_f32 v3, %s, %s, v0, %s\nv_fma_f32 v5, -v2, v4, 1.0\n"
             "v_fma_f32 v4, v5, v4, v4\nv_mul_f32 v5, v3, v4\nv_fma_f32 v6, -v2, v5, v3\nv_fma_f32 v5, v6, v4, v5\n"
             "v_fma_f32 v6, -v2, v5, v3\n%s%s%sv_div_fmas_f32 v7, v6, v4, v5\nv_div_fixup_f32 v%u, v7, v0, %s\n%s%s%s",
             masks[swapped], numerator, masks[!swapped], numerator, numerator, compares ? "v_cmp_lt_f32 " : "",
             compares ? targets[t].mask : "", compares ? ", v9, v0\n" : "", once_in(2) ? 8 : 7 * below(2), numerator,
             compares ? "v_cmp_lt_f32 " : "", compares ? targets[t].mask : "", compares ? ", v0, v9\n" : "");
    unsigned size = assemble_block(&forms[p], p, text);
    fill(p);
    start->mode = once_in(8) ? 0x2c0 : 0x2f0;
    uint64_t exec = once_in(2) ? UINT64_MAX : draw64();
    og_set_s64(start, OG_S_EXEC, start->wave_size == 32 ? (uint32_t)exec : exec);
    og_set_s64(start, OG_S_VCC, once_in(2) ? 0 : draw64());
    bool edges = once_in(2);
    start->s[40] = draw_dividend(edges);
    for (unsigned i = 0; i < OG_LANES; i++) {
      bool odd = edges && i % 16 == 5;
      start->v[0][i] = draw_dividend(odd), start->v[1][i] = draw_dividend(odd), start->v[4][i] = draw_float(),
      start->v[9][i] = draw_dividend(false);
      if (odd && once_in(3)) /* exponents that are as far apart as they may be, or just not */
        start->v[1][i] =
            start->v[0][i] + (once_in(2) ? (94 + below(4)) << 23 : 0u - ((123 + below(4)) << 23)) + below(3) - 1;
    }
    run(plain, &forms[p].target, OG_COMPILE_NEVER);
    memcpy(arena_plain, arena, ARENA), memcpy(lds_plain, lds_room, LDS);
    run(compiled, &forms[p].target, OG_COMPILE_ALWAYS);
    const char *what = difference();
    if (what)
      complain(turn, &forms[p], p, size, what), fail();
  }
}

/* A double with an exponent about one of the bounds of v_div_scale_f64 and v_div_fixup_f64, or near 1. */
static uint64_t draw_double_dividend(bool edges) {
  static const uint16_t bounds[] = {0,    1,    2,    52,   53,   54,   55,   254,  255, 256,
                                    1022, 1023, 1024, 1791, 2043, 2044, 2045, 2046, 2047};
  uint64_t exponent = edges ? bounds[below(OG_COUNT(bounds))] : 900 + below(200), rest = draw64() & 0x800fffffffffffff;
  if (once_in(edges ? 6 : 60))
    return once_in(2) ? rest & (uint64_t)1 << 63 : rest & 0x8000000000000001 ? rest >> 63 << 63 | 1 : rest;
  return exponent << 52 | (once_in(8) ? rest & (uint64_t)1 << 63 : rest);
}

static void put_64(uint32_t *low, uint32_t *high, uint64_t value) {
  *low = (uint32_t)value, *high = (uint32_t)(value >> 32);
}

static void set_lanes_64(unsigned vgpr, unsigned lane, uint64_t value) {
  put_64(&start->v[vgpr][lane], &start->v[vgpr + 1][lane], value);
}

/* Whether a block does the same in both tiers, with EXEC full or not. */
static void compare_under(uint64_t exec, unsigned turn, unsigned p, unsigned size) {
  og_set_s64(start, OG_S_EXEC, start->wave_size == 32 ? (uint32_t)exec : exec);
  run(plain, &forms[p].target, OG_COMPILE_NEVER);
  memcpy(arena_plain, arena, ARENA), memcpy(lds_plain, lds_room, LDS);
  run(compiled, &forms[p].target, OG_COMPILE_ALWAYS);
  const char *what = difference();
  if (!what && once_in(3))
    what = differs_later(p, false, false);
  if (what)
    complain(turn, &forms[p], p, size, what), fail();
}
static void compare_tiers(unsigned turn, unsigned p, unsigned size) {
  compare_under(once_in(2) ? UINT64_MAX : draw64(), turn, p, size);
}

static void divisions_of_doubles_are_compiled(void **unused) {
  (void)unused;
  static const struct {
    unsigned processor;
    const char *mask, *other;
  } targets[] = {{0, "vcc", "s[50:51]"}, {1, "vcc_lo", "s50"}};
  for (unsigned turn = 0; turn < 1200; turn++) {
    char text[1000];
    unsigned t = turn / 2 % 2, p = targets[t].processor;
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    static const char *const numerators[] = {"v[2:3]", "v[2:3]", "s[40:41]", "1.0", "-v[2:3]", "|v[2:3]|"};
    const char *numerator = numerators[below(OG_COUNT(numerators))];
    const char *plain_numerator = strchr(numerator, 'v') ? "v[2:3]" : numerator;
    snprintf(
        text, sizeof text,
        "v_div_scale_f64 v[10:11], %s, v[0:1], v[0:1], %s\nv_rcp_f64 v[12:13], v[10:11]\n"
        "v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0\nv_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]\n"
        "v_div_scale_f64 v[16:17], %s, %s, v[0:1], %s\nv_mul_f64 v[18:19], v[16:17], v[12:13]\n"
        "v_fma_f64 v[14:15], -v[10:11], v[18:19], v[16:17]\nv_div_fmas_f64 v[20:21], v[14:15], v[12:13], v[18:19]\n"
        "v_div_fixup_f64 %s, %sv[20:21], v[0:1], %s\n",
        targets[t].other, plain_numerator, targets[t].mask, plain_numerator, plain_numerator,
        once_in(2) ? "v[20:21]" : "v[0:1]", once_in(3) ? "-" : "", numerator);
    unsigned size = assemble_block(&forms[p], p, text);
    fill(p);
    start->mode = once_in(8) ? 0x230 : 0x2f0;
    og_set_s64(start, OG_S_VCC, once_in(2) ? 0 : draw64());
    bool edges = once_in(2);
    og_set_s64(start, 40, draw_double_dividend(edges));
    for (unsigned i = 0; i < OG_LANES; i++) {
      bool odd = edges && i % 16 == 5;
      uint64_t denominator = draw_double_dividend(odd), numerator_value = draw_double_dividend(odd);
      if (odd && once_in(3)) /* exponents that are as far apart as they may be, or just not */
        numerator_value = denominator +
                          (once_in(2) ? (uint64_t)(766 + below(4)) << 52 : 0ull - ((uint64_t)(1019 + below(4)) << 52)) +
                          below(3) - 1;
      set_lanes_64(0, i, denominator), set_lanes_64(2, i, numerator_value);
    }
    compare_tiers(turn, p, size);
  }
}

/* Operations that have few rows among all forms, on numbers that are equal, close to each other, or at a bound. */
static void append_chosen(char *text, size_t size) {
  static const char *const relations[] = {"eq", "lt",  "le",  "gt",  "lg",  "ge",  "o",
                                          "u",  "nge", "nlg", "ngt", "nle", "neq", "nlt"};
  static const char *const integers[] = {"eq", "lt", "le", "gt", "ne", "ge"};
  static const char *const of_wide[] = {"v_rcp_f64 v[8:9], ",   "v_rsq_f64 v[8:9], ",   "v_sqrt_f64 v[8:9], ",
                                        "v_rcp_f64 v[0:1], ",   "v_sqrt_f64 v[2:3], ",  "v_rndne_f64 v[8:9], ",
                                        "v_trunc_f64 v[0:1], ", "v_floor_f64 v[8:9], ", "v_ceil_f64 v[2:3], ",
                                        "v_cvt_i32_f64 v8, ",   "v_cvt_f32_f64 v0, "};
  static const char *const of_narrow[] = {"v_cvt_u32_f32 v8, ",     "v_cvt_f32_u32 v9, ",     "v_rcp_iflag_f32 v8, ",
                                          "v_cvt_u32_f32 v0, ",     "v_cvt_f64_i32 v[8:9], ", "v_cvt_f64_f32 v[8:9], ",
                                          "v_cvt_f64_f32 v[0:1], ", "v_cvt_f64_i32 v[4:5], "};
  static const char *const of_lanes[] = {"v_readfirstlane_b32 s44, v1\nv_add_u32 v9, s44, v0",
                                         "v_readlane_b32 s45, v2, s40",
                                         "v_readlane_b32 s46, v3, 63\nv_mov_b32 v8, s46",
                                         "v_readlane_b32 vcc_lo, v4, 5",
                                         "s_add_i32 s44, s40, s41\nv_xor_b32 v8, src_scc, v0\ns_cmp_lg_u32 s40, s40",
                                         "v_cmp_lt_u32 s[40:41], s40, v0",
                                         "v_cmp_ge_i32 s[40:41], v1, s41",
                                         "v_add_co_u32 v8, s[40:41], s41, v0",
                                         "v_sub_co_u32 v9, vcc, vcc_lo, v2",
                                         "v_mad_u64_u32 v[8:9], s[40:41], s40, v0, v[2:3]",
                                         "v_mad_u64_u32 v[0:1], s[40:41], v2, s41, v[4:5]",
                                         "v_mad_u64_u32 v[0:1], s[40:41], s41, v0, 7",
                                         "v_mad_u64_u32 v[2:3], s[40:41], v0, v2, s[40:41]",
                                         "v_ffbh_u32 v8, v0\nv_ffbl_b32 v9, v1\nv_ffbh_i32 v10, v2",
                                         "v_ffbh_u32 v8, s40\nv_ffbl_b32 v9, s41\nv_ffbh_i32 v10, s40",
                                         "v_bcnt_u32_b32 v8, v1, v0\nv_bfm_b32 v9, v0, s40\nv_bfm_b32 v10, 3, 31",
                                         "v_add_u32 v8, v0, v2 clamp\nv_sub_u32 v9, v0, v2 clamp",
                                         "v_add_u32 v8, v1, s40 clamp\nv_subrev_u32 v9, v1, 32 clamp",
                                         "v_mul_hi_i32 v8, v0, v2\nv_mul_hi_i32 v9, v1, s41",
                                         "v_ashrrev_i64 v[8:9], v4, v[0:1]\nv_ashrrev_i64 v[0:1], 33, v[2:3]",
                                         "v_ashrrev_i64 v[8:9], 7, v[0:1]\nv_ashrrev_i64 v[2:3], s40, v[2:3]"};
  static const char *const wide[] = {"v[0:1]", "v[2:3]", "v[4:5]", "s[40:41]"}, *const narrow[] = {"v0", "v1", "v2",
                                                                                                   "v4", "s40"};
  static const char *const kinds[] = {"f64", "f16", "i64", "u64"};
  char *end = text + strlen(text);
  size_t left = size - strlen(text);
  if (once_in(2)) {
    if (once_in(4)) {
      snprintf(end, left, "%s\n", of_lanes[below(OG_COUNT(of_lanes))]);
      return;
    }
    bool is_wide = once_in(2);
    const char *other = is_wide ? of_wide[below(OG_COUNT(of_wide))] : of_narrow[below(OG_COUNT(of_narrow))];
    const char *source = is_wide ? wide[below(4)] : narrow[below(5)];
    bool negated = !strstr(other, "f32_u32") && !strstr(other, "f64_i32") && once_in(4);
    snprintf(end, left, "%s%s%s\n", other, negated ? "-" : "", source);
    return;
  }
  unsigned kind = below(4);
  bool is_wide = kind != 1;
  const char *relation = kind < 2 ? relations[below(OG_COUNT(relations))] : integers[below(OG_COUNT(integers))];
  const char *first = is_wide ? wide[below(3)] : narrow[below(4)],
             *second = is_wide ? wide[below(4)] : narrow[below(5)];
  snprintf(end, left, "v_cmp_%s_%s %s, %s%s, %s%s\n", relation, kinds[kind], once_in(2) ? "vcc" : "s[60:61]",
           kind < 2 && once_in(4) ? "-" : "", first, second, "");
}

/* Comparisons of whole numbers with constants, on lanes that are equal to those or next to them. */
static void comparisons_with_constants_are_compiled(void **unused) {
  (void)unused;
  static const char *const relations[] = {"eq", "lt", "le", "gt", "ne", "ge"};
  static const char *const kinds[] = {"u32", "i32", "u16", "i16"};
  static const char *const numbers[] = {"0", "1", "-1", "64", "-16", "s40", "v2"};
  static const uint32_t edges[] = {0, 1, 2, 63, 64, 65, 0xfffe, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffef,
                                   ~0u};
  for (unsigned turn = 0; turn < 1500; turn++) {
    char text[1000] = "", *end = text;
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    for (unsigned i = 0, count = 1 + below(5); i < count; i++) { /* few are done without a loop over strips */
      const char *number = numbers[below(OG_COUNT(numbers))], *places[2] = {"v0", "v1"};
      places[below(2)] = number;
      end += sprintf(end, "v_cmp_%s_%s_e64 s[%u:%u], %s, %s\n", relations[below(OG_COUNT(relations))],
                     kinds[below(OG_COUNT(kinds))], 44 + 2 * i, 45 + 2 * i, places[0], places[1]);
    }
    unsigned size = assemble_block(&forms[0], 0, text);
    fill(0);
    start->mode = 0x2f0;
    start->s[40] = edges[below(OG_COUNT(edges))];
    for (unsigned i = 0; i < OG_LANES; i++)
      for (unsigned v = 0; v < 3; v++)
        start->v[v][i] = edges[below(OG_COUNT(edges))];
    compare_tiers(turn, 0, size);
  }
}

static void chosen_operations_are_compiled(void **unused) {
  (void)unused;
  for (unsigned turn = 0; turn < 3000; turn++) {
    char text[1000] = "";
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    for (unsigned i = 0, count = 1 + below(4); i < count; i++)
      append_chosen(text, sizeof text);
    unsigned size = assemble_block(&forms[0], 0, text);
    fill(0);
    start->mode = once_in(3) ? draw() & 0x3ff : 0x2f0;
    uint64_t scalar = once_in(2) ? draw64() : draw_double_dividend(true);
    og_set_s64(start, 40, scalar);
    for (unsigned i = 0; i < OG_LANES; i++)
      for (unsigned v = 0; v < 6; v += 2) {
        uint64_t value = once_in(3)   ? draw_double_dividend(true)
                         : once_in(2) ? draw64()
                                      : draw_float() | (uint64_t)draw_float() << 32;
        if (v && once_in(2))
          value = (start->v[v - 2][i] | (uint64_t)start->v[v - 1][i] << 32) + below(3) - 1;
        set_lanes_64(v, i, once_in(6) ? scalar + below(3) - 1 : value);
      }
    compare_tiers(turn, 0, size);
  }
}

/* Of each single bit, of all below it or from it on, of those next to it, and of none. */
static void bits_are_found_and_counted(void **unused) {
  (void)unused;
  static const char text[] = "v_ffbh_u32 v8, v0\nv_ffbl_b32 v9, v0\nv_ffbh_i32 v10, v0\nv_bcnt_u32_b32 v11, v0, v1\n"
                             "v_ffbh_u32 v12, v1\nv_ffbl_b32 v13, v1\nv_ffbh_i32 v14, v1\nv_bcnt_u32_b32 v15, v1, 5\n"
                             "v_bfrev_b32 v16, v0\nv_bfrev_b32 v17, v1\nv_bfrev_b32 v18, s40\n"
                             "v_mbcnt_lo_u32_b32 v19, v0, v1\nv_mbcnt_hi_u32_b32 v20, v0, v1\n"
                             "v_mbcnt_lo_u32_b32 v21, s40, 7\nv_mbcnt_hi_u32_b32 v22, s41, v21\n"
                             "v_mbcnt_lo_u32_b32 v23, -1, 0\nv_mbcnt_hi_u32_b32 v24, -1, v23\n";
  for (unsigned turn = 0; turn < 16; turn++) {
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    unsigned size = assemble_block(&forms[0], 0, text);
    fill(0);
    start->mode = 0x2f0 | (turn / 2 % 4) * 5; /* however floats are rounded */
    for (unsigned i = 0; i < OG_LANES; i++) {
      uint32_t bit = 1u << i % 32, noise = turn < 8 ? 0 : draw() & (bit - 1);
      start->v[0][i] = i < 32 ? bit | noise : bit - 1;
      start->v[1][i] = i < 32 ? 0 - bit : bit | bit >> 1 | noise;
    }
    compare_tiers(turn, 0, size);
  }
}

/* Masks that the next operation takes from where they were made, and that others read later, or nobody does. */
static void carries_are_handed_on(void **unused) {
  (void)unused;
  static const char *const makers[] = {"v_add_co_u32 v8, %s, v0, v2\n", "v_sub_co_u32 v8, %s, v0, v2\n",
                                       "v_cmp_lt_u32 %s, v0, v2\n"};
  static const char *const takers[] = {"v_addc_co_u32 v9, %s, v1, v3, %s\n", "v_subb_co_u32 v9, %s, v1, v3, %s\n"};
  static const char *const readers[] = {
      "", "v_cndmask_b32 v12, v0, v1, s[44:45]\n", "v_cndmask_b32 v12, v0, v1, vcc\n",
      "v_addc_co_u32 v12, vcc, v0, v1, s[44:45]\nv_addc_co_u32 v13, vcc, v0, v1, vcc\n"};
  static const char *const accesses[] = {"global_store_dword v[10:11], v9, off\n",
                                         "global_load_dword v9, v[10:11], off\n"};
  for (unsigned turn = 0; turn < 400; turn++) {
    char text[400];
    state = turn + 1;
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    const char *mask = once_in(2) ? "s[44:45]" : "vcc", *result = once_in(2) ? "s[44:45]" : "vcc";
    int at = snprintf(text, sizeof text, makers[below(3)], mask);
    at += once_in(3) ? snprintf(text + at, sizeof text - (size_t)at, "v_cndmask_b32 v9, v1, v3, %s\n", mask)
                     : snprintf(text + at, sizeof text - (size_t)at, takers[below(2)], result, mask);
    snprintf(text + at, sizeof text - (size_t)at, "%s%s", readers[below(4)], accesses[below(2)]);
    unsigned size = assemble_block(&forms[0], 0, text);
    fill(0);
    for (unsigned i = 0; i < OG_LANES; i++) {
      set_lanes_64(10, i, (uintptr_t)arena + BUFFER_AT + 4 * (i ^ 3));
      start->v[2][i] = once_in(2) ? 0u - start->v[0][i] : draw();
    }
    compare_tiers(turn, 0, size);
  }
}

/* Addresses that are a part of each lane's register, of which the whole has a shape. */
static void parts_are_not_taken_for_the_whole(void **unused) {
  (void)unused;
  static const char *const parts[] = {
      "v_mov_b32_sdwa v5, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0",
      "v_add_u32_sdwa v5, v4, v7 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
      "v_add_u32_sdwa v5, v7, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0"};
  for (unsigned turn = 0; turn < 2 * OG_COUNT(parts); turn++) {
    char text[400];
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    snprintf(text, sizeof text,
             "start:\n%s\nds_read_b32 v6, v5\ns_add_i32 s42, s42, -1\ns_cmp_lg_u32 s42, 0\ns_cbranch_scc1 start\n",
             parts[turn / 2]);
    unsigned size = assemble_block(&forms[0], 0, text);
    fill(0);
    start->s[42] = 3;
    for (unsigned i = 0; i < OG_LANES; i++)
      start->v[4][i] = 0x100 + 4 * i, start->v[7][i] = 8;
    compare_under(UINT64_MAX, turn, 0, size);
  }
}

/* A lane whose source is off keeps what it had, also where a later strip's fault has all done anew. */
static void lanes_that_dpp_keeps_come_back(void **unused) {
  (void)unused;
  for (unsigned turn = 0; turn < 4; turn++) {
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    unsigned size = assemble_block(&forms[0], 0,
                                   "v_mov_b32_dpp v4, v5 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"
                                   "global_load_dword v6, v[0:1], off\nv_add_u32 v4, v4, v5\n");
    fill(0);
    uint64_t buffer = (uintptr_t)arena + BUFFER_AT;
    for (unsigned i = 0; i < OG_LANES; i++) {
      uint64_t at = buffer + 4 * i + (i == 40 ? UINT64_C(1) << 40 : 0);
      start->v[0][i] = (uint32_t)at, start->v[1][i] = (uint32_t)(at >> 32);
      start->v[4][i] = 1000 + i, start->v[5][i] = 2000 + i;
    }
    compare_under(turn < 2 ? ~UINT64_C(1) : UINT64_MAX, turn, 0, size);
  }
}

/* An access by its name without what it is of: how many bytes, and dwords of registers. */
struct access_name {
  const char *global, *ds; /* or NULL */
  uint8_t bytes, dwords;
  bool store;
};
static const struct access_name access_names[] = {{"load_dword", "read_b32", 4, 1, false},
                                                  {"load_dwordx2", "read_b64", 8, 2, false},
                                                  {"load_dwordx2", "read_b64", 8, 2, false},
                                                  {"load_dwordx4", "read_b128", 16, 4, false},
                                                  {"load_ubyte", "read_u8", 1, 1, false},
                                                  {"load_sbyte", "read_i8", 1, 1, false},
                                                  {"load_ushort", "read_u16", 2, 1, false},
                                                  {"load_sshort", "read_i16", 2, 1, false},
                                                  {"load_short_d16", "read_u16_d16", 2, 1, false},
                                                  {"load_dwordx3", "read_b96", 12, 3, false},
                                                  {"store_dword", "write_b32", 4, 1, true},
                                                  {"store_dwordx2", "write_b64", 8, 2, true},
                                                  {"store_dwordx2", "write_b64", 8, 2, true},
                                                  {"store_byte", "write_b8", 1, 1, true},
                                                  {"store_short", "write_b16", 2, 1, true},
                                                  {"store_byte_d16_hi", "write_b8_d16_hi", 1, 1, true},
                                                  {"store_short_d16_hi", "write_b16_d16_hi", 2, 1, true},
                                                  {"store_dwordx4", "write_b128", 16, 4, true}};
enum { ACCESS_GLOBAL, ACCESS_SADDR, ACCESS_FLAT, ACCESS_FLAT_LDS, ACCESS_LDS, ACCESS_WAYS };

/* Lanes side by side, at one place, near each other in any order, or anywhere; now and then at an end of what there
 * is. */
static void aim_lanes(unsigned way, unsigned bytes) {
  unsigned shape = below(6), room = way >= ACCESS_FLAT_LDS ? LDS : BUFFER, step = once_in(4) ? 1u << below(5) : bytes;
  unsigned first = once_in(8) ? below(room) : once_in(6) ? room - below(1 + bytes * 64) : bytes * below(40);
  uint64_t base = way == ACCESS_FLAT_LDS                     ? (uint64_t)0x10000 << 32
                  : way >= ACCESS_LDS || way == ACCESS_SADDR ? 0
                                                             : (uintptr_t)arena + BUFFER_AT;
  for (unsigned i = 0; i < OG_LANES; i++) {
    uint64_t offset = shape < 3    ? first + step * i
                      : shape == 3 ? first
                      : shape == 4 ? bytes * (i / 4 * 4 + below(4)) + first % 200
                                   : below(room - 16);
    set_lanes_64(0, i, base + offset);
  }
  if (once_in(10))
    start->v[below(2)][below(OG_LANES)] ^= once_in(2) ? 1u << below(32) : bytes;
  unsigned before = 1 + below(24);
  if (way < ACCESS_FLAT_LDS && once_in(10)) /* a row whose lower halves go on at 0, with no carry */
    for (unsigned i = 0; i < OG_LANES; i++)
      set_lanes_64(0, i, (base >> 32) << 32 | (uint32_t)(base + WRAP - bytes * before + bytes * i));
}

static void accesses_are_compiled(void **unused) {
  (void)unused;
  static const unsigned targets[] = {0, 11, 1, 2}; /* gfx900, gfx906, gfx1030 */
  memset(ends, 0, sizeof ends);
  enum { TURNS = 6000 };
  for (unsigned turn = 0; turn < TURNS; turn++) {
    char text[400], data[40];
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    unsigned p = targets[below(OG_COUNT(targets))], way = below(ACCESS_WAYS), at = 0;
    const struct access_name *access = &access_names[below(OG_COUNT(access_names))];
    fill(p);
    unsigned d = once_in(4) ? 0 : 4;
    snprintf(data, sizeof data, access->dwords > 1 ? "v[%u:%u]" : "v%u", d, d + access->dwords - 1);
    for (unsigned i = 0, count = access->store ? 1 : 1 + below(2); i < count; i++) {
      const char *order[2] = {access->store ? way == ACCESS_SADDR || way == ACCESS_LDS ? "v0" : "v[0:1]" : data,
                              access->store                              ? data
                              : way == ACCESS_SADDR || way == ACCESS_LDS ? "v0"
                                                                         : "v[0:1]"};
      unsigned offset = once_in(3) ? below(60) : 0;
      at += (unsigned)snprintf(text + at, sizeof text - at, "%s_%s %s, %s%s offset:%u\nv_add_f32 v12, v4, v12\n",
                               way == ACCESS_LDS    ? "ds"
                               : way >= ACCESS_FLAT ? "flat"
                                                    : "global",
                               way == ACCESS_LDS ? access->ds : access->global, order[0], order[1],
                               way == ACCESS_GLOBAL  ? ", off"
                               : way == ACCESS_SADDR ? ", s[10:11]"
                                                     : "",
                               way >= ACCESS_FLAT && way != ACCESS_LDS && p > 0 && p < 3 ? 0 : offset);
    }
    if (way == ACCESS_LDS && once_in(4)) { /* two places */
      static const char *const pairs[] = {"ds_write2_b32 v0, v4, v5", "ds_write2_b64 v0, v[4:5], v[6:7]",
                                          "ds_read2_b32 v[4:5], v0", "ds_read2_b64 v[4:7], v0",
                                          "ds_write2st64_b32 v0, v4, v0"};
      unsigned near = below(6);
      snprintf(text, sizeof text, "%s offset0:%u offset1:%u\nv_add_f32 v12, v4, v12\n", pairs[below(OG_COUNT(pairs))],
               near, once_in(2) ? near : below(6));
    }
    unsigned size = assemble_block(&forms[p], p, text);
    uint64_t base = (uintptr_t)arena + BUFFER_AT;
    memcpy(&start->s[10], &base, 8);
    aim_lanes(way, access->bytes);
    start->mode = 0x2f0, start->s[OG_S_M0] = ~0u, start->lds_size = once_in(6) ? below(40) : LDS;
    compare_tiers(turn, p, size);
    ends[plain->state == OG_WAVE_ENDED ? 0 : plain->state == OG_WAVE_FAULT ? 1 : 2]++;
  }
  assert_true(ends[0] > TURNS / 3 && ends[1] > TURNS / 20);
}

/* Nothing but reads of LDS and sums of what they brought, from rows of lanes, which now and then one lane of some strip
 * is not in, or whose end LDS does not have. */
static void append_read_or_sum(char *text, size_t size) {
  static const struct {
    const char *name, *offsets;
    uint8_t dwords;
  } reads[] = {{"b32", "offset:8", 1},
               {"b64", "", 2},
               {"b128", "offset:48", 4},
               {"b96", "offset:16", 3},
               {"2_b32", "offset0:3 offset1:5", 2},
               {"2st64_b32", "offset0:1 offset1:2", 2}};
  static const char *const sums[] = {"v_fma_f32 v%u, v%u, v%u, v%u\n", "v_add3_u32 v%u, v%u, v%u, v%u\n",
                                     "v_max3_f32 v%u, v%u, v%u, v%u\n"};
  unsigned at = (unsigned)strlen(text), d = 4 + below(20), k = below(OG_COUNT(reads));
  if (once_in(2))
    snprintf(text + at, size - at, sums[below(OG_COUNT(sums))], d, 3 + below(20), 3 + below(20), 3 + below(20));
  else if (reads[k].dwords == 1)
    snprintf(text + at, size - at, "ds_read_b32 v%u, v%u %s\n", d, below(3), reads[k].offsets);
  else
    snprintf(text + at, size - at, "ds_read%s%s v[%u:%u], v%u %s\n", reads[k].name[0] == 'b' ? "_" : "", reads[k].name,
             d, d + reads[k].dwords - 1, below(3), reads[k].offsets);
}

static void reads_of_lds_are_foreseen_or_done_lane_by_lane(void **unused) {
  (void)unused;
  static const unsigned targets[] = {0, 1, 2, 11}; /* gfx900, gfx1030, gfx906 */
  for (unsigned turn = 0; turn < 4000; turn++) {
    char text[2000] = "";
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    unsigned p = targets[below(OG_COUNT(targets))];
    for (unsigned i = 0, count = 5 + below(25); i < count; i++)
      append_read_or_sum(text, sizeof text);
    unsigned size = assemble_block(&forms[p], p, text);
    fill(p);
    unsigned step = once_in(3) ? 4u << below(3) : 4, apart = once_in(2) ? 64 : 16 * step, at = 4 * below(60);
    for (unsigned i = 0; i < OG_LANES; i++) {
      start->v[0][i] = at + step * (i % 16) + apart * (i / 16);
      start->v[1][i] = at + 64 * (i / 16), start->v[2][i] = once_in(2) && turn % 3 == 0 ? at + 4 : at;
    }
    if (once_in(4))
      start->v[below(3)][below(OG_LANES)] += once_in(2) ? 4 : 1u << below(32);
    start->mode = 0x2f0, start->s[OG_S_M0] = ~0u, start->lds_size = once_in(4) ? below(LDS) : LDS;
    compare_under(once_in(6) ? draw64() : UINT64_MAX, turn, p, size);
  }
}

/* A block that begins with a branch back to before it, as a turn behind a barrier in a loop does: it goes on there, as
 * often as the budget has it, with whatever EXEC is by then. */
static void blocks_go_on_over_a_branch_back(void **unused) {
  (void)unused;
  static const char *const bodies[][2] = {/* of gfx900, and of gfx1030 in waves of 32 */
      {"v_add_f32 v4, v5, v4\n", NULL}, {"s_lshl_b64 exec, exec, 1\n", "s_lshl_b32 exec_lo, exec_lo, 1\n"},
      {"v_cmp_lt_u32 vcc, v0, v2\n", "v_cmp_lt_u32 vcc_lo, v0, v2\n"},
      {"v_add_u32 v0, v2, v0\n", "v_add_nc_u32 v0, v2, v0\n"},
      {"v_fma_f32 v6, v4, v5, v6\n", NULL}, {"s_and_b64 exec, exec, vcc\n", "s_and_b32 exec_lo, exec_lo, vcc_lo\n"},
      {"s_cbranch_vccz passed\n", NULL}, {"ds_write_b32 v1, v4\n", NULL}};
  static const char *const tests[] = {"s_add_i32 s42, s42, -1\ns_cmp_lg_u32 s42, 0\ns_cbranch_scc1 head\n",
                                      "s_cbranch_vccnz head\n", "s_cbranch_execnz head\n",
                                      "s_sub_u32 s42, s42, 1\ns_cbranch_scc0 head\n", "s_branch head\n"};
  for (unsigned turn = 0; turn < 2000; turn++) {
    char text[1000] = "s_branch test\nhead:\n";
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    unsigned p = turn / 2 % 2;
    for (unsigned i = 0, count = 1 + below(6); i < count; i++) {
      const char *const *both = bodies[below(OG_COUNT(bodies))], *body = both[p && both[1]];
      if (!strstr(body, "passed") || !strstr(text, "passed"))
        strcat(text, body);
    }
    strcat(text, strstr(text, "passed") ? "v_mov_b32 v8, v6\npassed:\n" : "");
    strcat(text, "test:\n");
    strcat(text, tests[below(OG_COUNT(tests))]);
    strcat(text, "v_mul_f32 v7, v6, v4\ns_endpgm\n");
    unsigned size = assemble_block(&forms[p], p, text);
    fill(p);
    start->s[42] = below(6), start->mode = 0x2f0, start->budget = below(20);
    for (unsigned i = 0; i < OG_LANES; i++)
      start->v[0][i] = below(6), start->v[1][i] = 4 * i, start->v[2][i] = below(4);
    compare_tiers(turn, p, size);
  }
}

/* Each round loads from s[10:11] + v0, which another of three bases then takes the place of: the window of the first
 * may not let through what the next one leads to. */
static void windows_hold_for_their_place_alone(void **unused) {
  (void)unused;
  enum { LOW = 1 << 16, GIB = 1 << 30 };
  static const char text[] = "start:\nglobal_load_dword v4, v0, s[10:11]\ns_mov_b64 s[10:11], s[12:13]\n"
                             "s_mov_b64 s[12:13], s[14:15]\nv_mov_b32 v0, v1\nv_add_f32 v5, v4, v5\n"
                             "s_add_i32 s42, s42, -1\ns_cmp_lg_u32 s42, 0\ns_cbranch_scc1 start\n";
  void *below_2_gib = (void *)(uintptr_t)0x30000000; /* as a rule the system obeys */
  uint8_t *low = mmap(below_2_gib, LOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint8_t *room = mmap(NULL, 16ull * GIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(low != MAP_FAILED && room != MAP_FAILED);
  uint8_t *four = (uint8_t *)(((uintptr_t)room + 4ull * GIB - 1) >> 32 << 32); /* a multiple of 4 GiB */
  struct og_memory_map *usual = map;
  group.map = map = og_memory_map_new();
  og_memory_map_add(map, (uintptr_t)low, LOW / 2, OG_MEMORY_READ | OG_MEMORY_WRITE);
  og_memory_map_add(map, (uintptr_t)four + 3ull * GIB, 4ull * GIB, OG_MEMORY_READ | OG_MEMORY_WRITE);
  const uint64_t inside = (uintptr_t)four + 3ull * GIB, top = 0 - 4096ull;
  const struct {
    uint64_t first, second;
    uint32_t offset, later, step;
    uint64_t third; /* 0: the second */
  } cases[] = {{top, top, 0, 0, 4, 0},                                   /* no window yet */
               /* one that begins before the base, 2^64 around */
               {(uintptr_t)low, top, 0, 0, 4, 0},
               /* what comes round is no kernel's either way */
               {(uintptr_t)low, top, 0, 4096 + 64, 4, 0},
               {inside, inside, 0, 0x80000000, 0x800004, 0},             /* far apart: indices beyond 2^31 */
               {inside, inside, 0x80000000, 0x70000000, 0x1000004, 0},   /* from both sides of that */
               /* before the window, whose end is beyond 4 GiB */
               {(uintptr_t)four, (uintptr_t)four, 0xc0000000, 64, 4, 0},
               {(uintptr_t)four, (uintptr_t)four, 0xc0000000, 0xfffffff0, 4, 0},
               {inside, inside - 5ull * GIB, 0, 0, 4, 0},
               /* the second strip begins with the larger window, which the smaller takes the place of */
               {(uintptr_t)low, (uintptr_t)low, 0, LOW / 2 - 64, 4, inside},
               {inside + 3ull * GIB, inside, 0, 64, 8, 0}};
  for (unsigned i = 0; i < OG_COUNT(cases) * 8; i++) {
    setenv("OFFGRID_HOST", i % 2 ? "avx2" : "avx512", true);
    state = i + 1;
    assemble_block(&forms[0], 0, text);
    fill(0);
    start->s[42] = 3, start->mode = 0x2f0, start->budget = 9;
    const uint64_t second = cases[i / 8].second, third = cases[i / 8].third;
    const uint64_t bases[3] = {cases[i / 8].first, second, third ? third : second};
    memcpy(&start->s[10], bases, sizeof bases);
    for (unsigned lane = 0; lane < OG_LANES; lane++) {
      unsigned place = i / 2 % 2 ? lane ^ 5 : lane;
      start->v[0][lane] = cases[i / 8].offset + 4 * place,
      start->v[1][lane] = cases[i / 8].later + cases[i / 8].step * place;
      uint64_t at = cases[i / 8].second + start->v[1][lane];
      if (at - inside < 4ull * GIB - 4)
        og_store32((void *)(uintptr_t)at, lane + 1);
    }
    compare_under(i / 4 % 2 ? draw64() : UINT64_MAX, i, 0, 10);
  }
  og_memory_map_free(map);
  group.map = map = usual;
  munmap(low, LOW), munmap(room, 16ull * GIB);
}

/* More code than there is room for: a part of the stretch is taken, and what was emitted before stays as it is. */
static void blocks_end_where_the_room_for_code_does(void **unused) {
  (void)unused;
  enum { PAIRS = 85 };
  for (unsigned turn = 0; turn < 8; turn++) {
    char text[PAIRS * 80 + 100] = "v_mov_b32 v3, s40\nds_write_b32 v1, v3\n";
    setenv("OFFGRID_HOST", turn % 2 ? "avx2" : "avx512", true);
    state = turn + 1;
    for (unsigned i = 0; i < PAIRS; i++)
      strcat(text, "ds_read2_b64 v[8:11], v1 offset0:1 offset1:5\nv_add_u32 v4, v9, v4\n");
    unsigned size = assemble_block(&forms[0], 0, text);
    fill(0);
    start->mode = 0x2f0;
    for (unsigned i = 0; i < OG_LANES; i++)
      start->v[1][i] = turn / 4 ? 8 * i : 8 * (i ^ 9);
    compare_under(turn / 2 % 2 ? draw64() : UINT64_MAX, turn, 0, size);
  }
}

static uint64_t first = 1, count = 3000;

static void blocks_leave_the_same(void **unused) {
  (void)unused;
  unsigned complaints = 0;
  for (uint64_t seed = first; seed < first + count && complaints < COMPLAINTS; seed++)
    complaints += !is_alike(seed);
  print_message("%u blocks ended, %u by a fault, %u gave way\n", ends[0], ends[1], ends[2]);
  assert_int_equal(complaints, 0);
}

int main(int argc, char **argv) {
  if (argc > 2)
    first = strtoull(argv[1], NULL, 0), count = strtoull(argv[2], NULL, 0);
  if (argc > 3)
    cmocka_set_test_filter(argv[3]);
  set_up();
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_leave_the_same),
                                     cmocka_unit_test(halves_are_rounded_once),
                                     cmocka_unit_test(addresses_that_become_zero_are_compiled),
                                     cmocka_unit_test(blocks_end_where_the_room_for_code_does),
                                     cmocka_unit_test(scalar_loads_are_compiled),
                                     cmocka_unit_test(divisions_are_compiled),
                                     cmocka_unit_test(divisions_of_doubles_are_compiled),
                                     cmocka_unit_test(comparisons_with_constants_are_compiled),
                                     cmocka_unit_test(chosen_operations_are_compiled),
                                     cmocka_unit_test(bits_are_found_and_counted),
                                     cmocka_unit_test(carries_are_handed_on),
                                     cmocka_unit_test(parts_are_not_taken_for_the_whole),
                                     cmocka_unit_test(lanes_that_dpp_keeps_come_back),
                                     cmocka_unit_test(accesses_are_compiled),
                                     cmocka_unit_test(reads_of_lds_are_foreseen_or_done_lane_by_lane),
                                     cmocka_unit_test(blocks_go_on_over_a_branch_back),
                                     cmocka_unit_test(windows_hold_for_their_place_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
