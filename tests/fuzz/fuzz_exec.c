/* fuzz_exec.c - instructions of every generation, as the tables have them and nearly so, on registers made to lead them
 * astray: nothing but registers and buffers may change, and nothing but they be read.
 *
 * The input is a stream of choices; where it ends a generator goes on from what was there. With OG_FUZZ_MAIN it is a
 * program of its own: fuzz_exec FIRST COUNT runs the seeds from FIRST on. */
#include "base/host.h"
#include "exec/memory.h"
#include "exec/program.h"
#include "exec/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/float_control.h"
#include "random_forms.h"

enum {
  STEPS = 24,            /* instructions of a program */
  STRIDE = 8,            /* words from one to the next; s_endpgm stands between them */
  GAP = 4096,            /* of canaries around everything */
  ARENA = 1 << 16,
  MOST_LDS = 1 << 12,
  MOST_SCRATCH = 256,    /* bytes of a lane */
  CANARY = 0x5ca1ab1e,
};

/* The test's own loops over much memory are not what is tested. */
#if defined __clang__
#define UNWATCHED __attribute__((no_sanitize("address", "undefined", "coverage")))
#else
#define UNWATCHED __attribute__((no_sanitize("address", "undefined")))
#endif

static void OG_PRINTF(1, 2) found(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  abort();
}

/* ---- the world --------------------------------------------------------------------------------------------------- */

/* Buffers among canaries; and one of 4 GiB, with nothing behind it. */
struct buffer {
  uint8_t *at;
  uint64_t size;
  unsigned access;
};
enum { BUFFERS = 6, HUGE_BUFFER = BUFFERS - 1, READ_ONLY = 1 };
static struct buffer buffers[BUFFERS];
static uint8_t *arena, *before; /* `before`: what the arena held before a step */
static struct og_memory_map *map;
static struct og_group group;
static struct og_windows windows;
static struct og_counts counts;
static struct og_wave *wave, *kept; /* `kept`: what must stay of it */
static uint8_t *lds;
static uint32_t code[STEPS * STRIDE];

static void *guarded(size_t size) {
  uint8_t *all = mmap(NULL, size + 2 * GAP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED || mprotect(all + GAP, size, PROT_READ | PROT_WRITE) != 0)
    found("no memory for the test");
  return all + GAP;
}

UNWATCHED static void fill_canaries(void *at, size_t size) {
  for (size_t i = 0; i < size / 4; i++)
    ((uint32_t *)at)[i] = CANARY;
}

static void make_world(void) {
  arena = guarded(ARENA);
  before = malloc(ARENA);
  uint8_t *all = guarded((sizeof *wave + 2 * GAP + 4095) & ~4095u);
  wave = (struct og_wave *)(void *)(all + GAP);
  fill_canaries(all, GAP);
  fill_canaries(all + GAP + sizeof *wave, GAP);
  kept = malloc(sizeof *kept);
  lds = guarded(MOST_LDS + 2 * GAP);
  lds += GAP;
  static const struct {
    uint32_t at, size;
  } places[] = {{GAP + 4, 4}, {2 * GAP + 16, 61}, {3 * GAP, 4096}, {5 * GAP + 64, 256}, {6 * GAP + 1, 1027}};
  map = og_memory_map_new();
  for (unsigned i = 0; i < BUFFERS; i++) {
    buffers[i].at = i == HUGE_BUFFER ? guarded((size_t)1 << 32) : arena + places[i].at;
    buffers[i].size = i == HUGE_BUFFER ? (uint64_t)1 << 32 : places[i].size;
    buffers[i].access = OG_MEMORY_READ | (i == READ_ONLY ? 0 : OG_MEMORY_WRITE);
    og_memory_map_add(map, (uintptr_t)buffers[i].at, buffers[i].size, buffers[i].access);
  }
  og_memory_map_add(map, (uintptr_t)code, sizeof code, OG_MEMORY_READ);
}

static bool is_in_buffer(uint64_t address, uint64_t size, unsigned access) {
  struct og_window window;
  return og_memory_map_find(map, address, size, access, &window);
}

static void on_access(void *context, struct og_wave *by, const struct og_operation *op, enum og_space space, int access,
                      unsigned lane, uint64_t address, unsigned size) {
  (void)context, (void)op, (void)lane;
  bool write = access & OG_ACCESS_WRITE;
  if ((space == OG_SPACE_GLOBAL || space == OG_SPACE_SCALAR) &&
      !is_in_buffer(address, size, write ? OG_MEMORY_WRITE : OG_MEMORY_READ))
    found("access to no buffer was told");
  if (space == OG_SPACE_LDS && (address > by->lds_size || size > by->lds_size - address))
    found("access behind LDS was told");
}
static const struct og_observer observer = {.access = on_access};

/* ---- values that lead astray ------------------------------------------------------------------------------------- */

/* An address in or near a buffer, mostly near its ends. */
static uint64_t draw_address(void) {
  const struct buffer *buffer = &buffers[below(BUFFERS)];
  if (once_in(3))
    return (uintptr_t)buffer->at;
  int64_t off = (int64_t)below(160) - 80;
  uint64_t at = (uintptr_t)buffer->at + (once_in(2) ? buffer->size : 0) + (uint64_t)off;
  return once_in(2) ? at & ~3ull : at;
}

static uint64_t draw_value(void) {
  static const uint64_t edges[] = {0, 1, 3, 4, 31, 63, 64, 255, 256, 1023, 0x7fff, 0xffff, 0x7fffffff, 0x80000000,
                                   0xfffffff0, 0xffffffff, 1ull << 32, (1ull << 63) - 1, 1ull << 63, ~0ull,
                                   0x7f800000, 0x7fc00000, 0x7ff0000000000000, 0xfff8000000000001, 0x3f800000,
                                   (uint64_t)OG_SHARED_APERTURE << 32, (uint64_t)OG_PRIVATE_APERTURE << 32};
  switch (below(8)) {
  case 0: case 1: return draw_address();
  case 2: return edges[below(OG_COUNT(edges))];
  case 3: return edges[below(OG_COUNT(edges))] + below(9) - 4;
  case 4: return wave->lds_size + below(17) - 8;
  case 5: return (uintptr_t)wave->scratch + below(64) * 4;
  case 6: return below(8) * 4;
  default: return draw64();
  }
}

/* Lanes of a register, or of a pair: alike, in a row, wrapping, or each for itself. */
static void fill_vector(uint32_t *low, uint32_t *high) {
  uint64_t start = draw_value(), step = (const uint64_t[]){0, 0, 1, 2, 4, 8, 12, 16, (uint64_t)-4}[below(9)];
  bool narrow = once_in(2), each = once_in(4);
  if (once_in(4)) { /* offsets that pass 2^32 */
    start = (uint32_t)(0 - step * below(20) - 4 * below(3));
    narrow = true, each = false;
  }
  for (unsigned i = 0; i < OG_LANES; i++) {
    uint64_t value = each ? draw_value() : start + i * step;
    if (narrow)
      value = (start >> 32) << 32 | (uint32_t)value;
    low[i] = (uint32_t)value;
    high[i] = (uint32_t)(value >> 32);
  }
}

static void fill_registers(void) {
  for (unsigned i = 0; i < OG_S_VCC + 18; i += 2)
    if (once_in(3)) {
      uint64_t value = once_in(4) ? (uintptr_t)buffers[HUGE_BUFFER].at : draw_value();
      memcpy(&wave->s[i], &value, 8);
    }
  for (unsigned i = 0; i < OG_S_VCC; i += 4)
    if (once_in(8)) { /* a buffer's descriptor */
      uint64_t base = draw_address();
      wave->s[i] = (uint32_t)base;
      wave->s[i + 1] = (uint32_t)(base >> 32 & 0xffff) | (once_in(2) ? 0 : draw() << 16);
      wave->s[i + 2] = once_in(3) ? draw() : below(3000);
      wave->s[i + 3] = once_in(3) ? 0x00024fac : draw();
    }
  wave->s[OG_S_M0] = once_in(3) ? below(1024) : (uint32_t)draw_value();
  wave->s[OG_S_SCC] = below(2);
  og_set_s64(wave, OG_S_FLAT_SCRATCH, once_in(2) ? (uintptr_t)wave->scratch : draw_value());
  for (unsigned k = 0; k < 8; k++) {
    unsigned i = below(OG_VGPRS);
    i = once_in(4) ? i : i < 256 ? draw_vgpr() : 256 + draw_vgpr();
    fill_vector(wave->v[i], wave->v[i + (i != OG_VGPRS - 1)]);
  }
  og_set_s64(wave, OG_S_EXEC, once_in(3) ? ~0ull : once_in(3) ? 0xffull << below(60) : draw64() & draw64());
  og_exec_changed(wave);
  wave->mode = once_in(4) ? draw() : 0x2f0;
  if (!once_in(8))
    wave->mode &= ~(uint32_t)(OG_MODE_GPR_INDEX | OG_MODE_VSKIP);
  wave->hwreg[20] = (uint32_t)(uintptr_t)wave->scratch;
  wave->hwreg[21] = once_in(4) ? draw() : (uint32_t)((uintptr_t)wave->scratch >> 32);
  wave->observer = once_in(3) ? &observer : NULL;
  wave->counts = once_in(3) ? &counts : NULL;
  uint32_t host = og_get_float_control();
  og_mode_changed(wave);
  og_set_float_control(host);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* The forms that are worth it: most of an image's or a matrix's cannot be executed. */
static const struct og_form *draw_form(const struct og_isa *isa) {
  for (bool memory = once_in(2);;) {
    const struct og_form *form = og_form(isa, below(og_form_count(isa)));
    bool dull = form->encoding == OG_ENC_MIMG || form->encoding == OG_ENC_EXP || form->encoding == OG_ENC_LDSDIR ||
                form->encoding == OG_ENC_VOPD || form->encoding == OG_ENC_VOPC;
    bool common = form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_MTBUF;
    if (memory && form->encoding < OG_ENC_DS && form->encoding != OG_ENC_SMEM)
      continue;
    if (og_form_fits(isa, form) && (!dull || once_in(20)) && (!common || once_in(3)))
      return form;
  }
}

static void write_program(const struct og_isa *isa, enum og_generation generation) {
  const uint32_t end = generation >= OG_GFX11 ? 0xbfb00000 : 0xbf810000;
  for (unsigned i = 0; i < STEPS; i++) {
    uint32_t *at = code + i * STRIDE;
    unsigned size = once_in(16) ? 4 : write_form(isa, draw_form(isa), (uint32_t)draw_value(), at);
    if (size == 4 && once_in(2))
      for (unsigned k = 0; k < 4; k++)
        at[k] = draw();
    for (; size < STRIDE; size++)
      at[size] = end;
  }
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

UNWATCHED static void check_canaries(const char *what, const void *at, size_t size) {
  const uint8_t *bytes = at;
  size_t i = 0;
  uint32_t wrong = 0;
  for (; i < size && ((uintptr_t)at + i) % 4 != 0; i++)
    wrong |= bytes[i] ^ (uint8_t)((uint32_t)CANARY >> 8 * (((uintptr_t)at + i) % 4));
  const uint32_t *words = (const void *)(bytes + i);
  for (size_t k = 0; k < (size - i) / 4; k++)
    wrong |= words[k] ^ (uint32_t)CANARY;
  if (wrong != 0)
    found("%s was written to", what);
}

/* Whatever is no buffer that can be written to is as it was. */
UNWATCHED static void check_arena(void) {
  if (memcmp(arena, before, ARENA) == 0)
    return;
  for (size_t i = 0; i < ARENA; i++)
    if (arena[i] != before[i] && !is_in_buffer((uintptr_t)arena + i, 1, OG_MEMORY_WRITE))
      found("the arena was written to at 0x%zx", i);
}

UNWATCHED static void check_wave(void) {
  uint64_t exec = og_mask(wave, OG_S_EXEC);
  for (unsigned i = 0; i < OG_LANES; i++)
    if (wave->lanes[i] != (exec >> i & 1 ? ~(uint32_t)0 : 0))
      found("lane %u differs from EXEC", i);
  for (unsigned i = 0; i < 16; i++)
    if (wave->s[OG_S_ZERO + i] != 0)
      found("the place of zeros was written to");
  bool same_code = og_program_with_msb(wave->program, 0) == og_program_with_msb(kept->program, 0); /* s_set_vgpr_msb */
  if (!same_code || wave->group != kept->group || wave->lds != kept->lds ||
      wave->lds_size != kept->lds_size || wave->scratch_size != kept->scratch_size || wave->scratch != kept->scratch ||
      wave->windows != kept->windows || wave->counts != kept->counts || wave->observer != kept->observer ||
      wave->wave_size != kept->wave_size || wave->id != kept->id)
    found("the wave itself was written to");
  check_canaries("what stands before the wave", (uint8_t *)wave - GAP, GAP);
  check_canaries("what stands behind the wave", wave + 1, GAP);
}

/* A canary in a register has been read where nothing may be. */
UNWATCHED static void check_registers(void) {
  const uint32_t *all[] = {wave->s, wave->v[0]};
  const size_t sizes[] = {OG_S_COUNT, OG_VGPRS * OG_LANES};
  for (unsigned f = 0; f < 2; f++) {
    uint32_t any = 0;
    for (size_t i = 0; i < sizes[f]; i++)
      any |= all[f][i] == CANARY;
    if (any)
      found("a canary was read");
  }
}

static void step(unsigned i) {
  enum { FLOAT_CONTROLS = 0xffc0 }; /* without the flags of what has happened */
  uint32_t host = og_get_float_control();
  fill_registers();
  memcpy(kept, wave, offsetof(struct og_wave, v));
  memcpy(before, arena, ARENA);
  wave->resume = wave->program->operations + i * STRIDE;
  wave->budget = below(8);
  og_wave_run(wave);
  if ((og_get_float_control() ^ host) & FLOAT_CONTROLS)
    found("the host's float control was not restored");
  check_wave();
  check_arena();
  check_canaries("what stands before LDS", lds - GAP, GAP);
  check_canaries("what stands behind LDS", lds + wave->lds_size, MOST_LDS - wave->lds_size + GAP);
  check_registers();
}

static void tell_step(const struct og_isa *isa, const char *processor, unsigned i) {
  struct og_inst inst;
  struct og_buffer text = {0};
  if (og_decode(isa, (const uint8_t *)(code + i * STRIDE), 32, &inst))
    og_print_inst(isa, &inst, NULL, &text);
  fprintf(stderr, "%s: %08x %08x %08x: %.*s\n", processor, code[i * STRIDE], code[i * STRIDE + 1], code[i * STRIDE + 2],
          (int)text.size, (const char *)text.data);
  og_buffer_free(&text);
}

/* What this host may run, and memory handlers of a choice. */
extern const struct og_vector_variant og_vector_variant_v4, og_vector_variant_v3, og_vector_variant_base;
const struct og_vector_variant *const og_vector_variants[] = {
/* With clang's sanitizers they take minutes to compile. */
#if defined OG_FUZZ_MAIN && defined OG_HAS_AVX512
    &og_vector_variant_v4,
#endif
#if defined OG_FUZZ_MAIN && defined OG_HAS_AVX2
    &og_vector_variant_v3,
#endif
    &og_vector_variant_base};
const size_t og_vector_variant_count = OG_COUNT(og_vector_variants);
static const struct og_memory_handlers *memory_handlers = &og_memory_handlers_base;
const struct og_memory_handlers *og_host_memory_handlers(void) { return memory_handlers; }

static void choose_host(struct og_program *program) {
  const struct og_vector_variant *variant = og_vector_variants[below(og_vector_variant_count)];
  if (variant->usable())
    program->variant = variant;
  memory_handlers = &og_memory_handlers_base;
  unsigned level = below(3);
  (void)level;
#ifdef OG_HAS_AVX2
  if (level >= 1 && __builtin_cpu_supports("avx2"))
    memory_handlers = &og_memory_handlers_v3;
#endif
#ifdef OG_HAS_AVX512
  if (level == 2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    memory_handlers = &og_memory_handlers_v4;
#endif
}

static void make_wave(struct og_program *program, unsigned wave_size) {
  memset(wave, 0, offsetof(struct og_wave, v));
  wave->program = program;
  wave->group = &group;
  wave->windows = &windows;
  wave->wave_size = (uint8_t)wave_size;
  wave->lds = lds;
  wave->lds_size = once_in(3) ? 0 : once_in(2) ? below(600) : below(MOST_LDS);
  fill_canaries(lds - GAP, MOST_LDS + 2 * GAP);
  memset(lds, 0, wave->lds_size);
  wave->scratch_size = below(MOST_SCRATCH / 4) * 4;
  wave->scratch = wave->scratch_size == 0 ? NULL : calloc(wave->scratch_size, wave_size);
  group.map = map;
  windows = (struct og_windows){0};
}

static void run_program(const char *processor) {
  struct og_target target;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  bool wave32 = once_in(2);
  if (!og_target_parse(&target, NULL, processor, NULL, diagnostics))
    found("no processor %s", processor);
  og_diagnostics_free(diagnostics);
  unsigned wave_size = target.processor->generation < OG_GFX10_1 || !wave32 ? 64 : 32;
  target.wave_size = once_in(8) ? target.wave_size : (uint8_t)wave_size; /* code objects do not tell */
  fill_canaries(arena, ARENA);
  for (unsigned i = 0; i < HUGE_BUFFER; i++)
    memset(buffers[i].at, (int)(i + 1), buffers[i].size);
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(&target, &room);
  write_program(isa, target.processor->generation);
  struct og_program *program = og_program_new(&target, code, sizeof code);
  choose_host(program);
  make_wave(program, wave_size);
  const char *tell = getenv("OG_FUZZ_TELL");
  for (unsigned i = 0; i < STEPS; i++) {
    if (tell != NULL)
      tell_step(isa, processor, i);
    step(i);
    if (tell != NULL && wave->state == OG_WAVE_FAULT)
      fprintf(stderr, "  %s\n", wave->fault.what);
  }
  free(wave->scratch);
  og_program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const processors[] = {"gfx600",  "gfx700",  "gfx803",  "gfx810",  "gfx900",  "gfx906", "gfx908",
                                           "gfx90a",  "gfx942",  "gfx950",  "gfx1010", "gfx1011", "gfx1013", "gfx1030",
                                           "gfx1100", "gfx1150", "gfx1200", "gfx1250", "gfx1251"};
  static unsigned runs;
  if (map == NULL)
    make_world();
  if (runs++ % 256 == 0) /* the pages that stores have touched */
    madvise(buffers[HUGE_BUFFER].at, buffers[HUGE_BUFFER].size, MADV_DONTNEED);
  stream = data;
  stream_left = size;
  state = size;
  run_program(processors[below(OG_COUNT(processors))]);
  return 0;
}

#ifdef OG_FUZZ_MAIN
int main(int count, char **arguments) {
  uint64_t first = count > 1 ? strtoull(arguments[1], NULL, 0) : 0,
           runs = count > 2 ? strtoull(arguments[2], NULL, 0) : 1;
  for (uint64_t seed = first; seed < first + runs; seed++) {
    if (getenv("OG_FUZZ_TELL") != NULL)
      fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    LLVMFuzzerTestOneInput((const uint8_t *)&seed, sizeof seed);
  }
  return 0;
}
#endif
