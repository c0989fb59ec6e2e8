/* The fast way to memory does what the careful one does, and what neither may touch is a fault. */
#include "base/float_control.h"
#include "base/host.h"
#include "exec/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MEMORY = 4096, LDS = 4096, ROUNDS = 4000 };

/* Two waves with equal registers; the one goes the fast way, the other the careful one. */
struct pair {
  struct og_wave *wave[2];
  uint8_t *memory[2], *lds[2];
  uint64_t address[2]; /* of memory, as kernels see it */
  struct og_group group;
  struct og_memory_map *map;
  struct og_windows windows;
  struct og_program program;
};

static uint64_t seed = 1;

static uint32_t draw(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33);
}

static int set_up_pair(void **state, uint64_t shift) {
  struct pair *pair = calloc(1, sizeof *pair);
  pair->map = og_memory_map_new();
  pair->group.map = pair->map;
  for (int i = 0; i < 2; i++) {
    pair->wave[i] = aligned_alloc(64, sizeof(struct og_wave));
    pair->memory[i] = aligned_alloc(4096, MEMORY);
    pair->lds[i] = calloc(1, LDS + 2 * OG_LDS_MARGIN);
    og_memory_map_add(pair->map, (uintptr_t)pair->memory[i], MEMORY, OG_MEMORY_READ | OG_MEMORY_WRITE);
    pair->address[i] = (uintptr_t)pair->memory[i] + shift;
    if (shift)
      og_memory_map_add_alias(pair->map, pair->address[i], MEMORY, OG_MEMORY_READ | OG_MEMORY_WRITE, pair->memory[i]);
  }
  *state = pair;
  return 0;
}

static int set_up(void **state) { return set_up_pair(state, 0); }
static int set_up_aliases(void **state) { return set_up_pair(state, (1ull << 47) - 64); }

static int tear_down(void **state) {
  struct pair *pair = *state;
  for (int i = 0; i < 2; i++) {
    free(pair->wave[i]);
    free(pair->memory[i]);
    free(pair->lds[i]);
  }
  og_memory_map_free(pair->map);
  free(pair);
  return 0;
}

static void fill(void *at, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((uint8_t *)at)[i] = (uint8_t)draw();
}

static uint64_t draw_exec(void) {
  switch (draw() % 4) {
  case 0: return ((uint64_t)draw() << 32 | draw()) & ((uint64_t)draw() << 32 | draw());
  case 1: return (1ull << draw() % 64) - 1;
  default: return ~0ull;
  }
}

/* Places in [0, size), with some of several lanes. */
static void draw_offsets(uint32_t offset[OG_LANES], uint32_t size, unsigned bytes) {
  unsigned shape = draw() % 6, step = (unsigned[]){bytes, 4, 1, 8, bytes}[draw() % 5];
  uint32_t start = draw() % (size - 64 * 16 - 16);
  if (draw() % 2)
    start &= ~15u;
  for (unsigned i = 0; i < OG_LANES; i++)
    switch (shape) {
    case 0: offset[i] = start; break;
    case 1: offset[i] = start + step * i; break;
    case 2: offset[i] = start + step * (i % 16); break;
    case 3: offset[i] = start + i / 16 * 64; break;
    case 4: offset[i] = (i * 37 + start) % OG_LANES * 60; break;
    default: offset[i] = draw() % (size - 16) & (draw() % 2 ? ~0u : ~3u); break;
    }
}

static void program_for(struct pair *pair) {
  pair->program.target.processor = og_find_processor(OG_TEXT("gfx900"));
}

static void same_start(struct pair *pair, enum og_addressing addressing, unsigned bytes, struct og_operation *op) {
  struct og_wave *first = pair->wave[0], *second = pair->wave[1];
  memset(first, 0, offsetof(struct og_wave, v));
  fill(first->v, 64 * sizeof first->v[0]);
  fill(pair->memory[0], MEMORY);
  fill(pair->lds[0], LDS + 2 * OG_LDS_MARGIN);
  uint64_t exec = draw_exec();
  og_set_s64(first, OG_S_EXEC, exec);
  for (unsigned i = 0; i < OG_LANES; i++)
    first->lanes[i] = exec >> i & 1 ? UINT32_MAX : 0;
  first->group = &pair->group;
  first->windows = &pair->windows;
  first->program = &pair->program;
  first->lds_size = LDS;
  first->wave_size = 64;
  memset(&pair->windows, 0, sizeof pair->windows);
  uint32_t offsets[OG_LANES];
  draw_offsets(offsets, addressing == OG_ADDRESS_LDS ? LDS - 64 : MEMORY, bytes);
  memcpy(second, first, offsetof(struct og_wave, v) + 64 * sizeof first->v[0]);
  memcpy(pair->memory[1], pair->memory[0], MEMORY);
  memcpy(pair->lds[1], pair->lds[0], LDS + 2 * OG_LDS_MARGIN);
  program_for(pair);
  for (int w = 0; w < 2; w++) {
    struct og_wave *wave = pair->wave[w];
    bool to_lds = addressing == OG_ADDRESS_LDS || (addressing == OG_ADDRESS_FLAT && exec % 3 == 0);
    uint64_t base =
        to_lds && addressing == OG_ADDRESS_FLAT ? (uint64_t)OG_SHARED_APERTURE << 32 : pair->address[w];
    wave->lds = pair->lds[w] + OG_LDS_MARGIN;
    og_set_s64(wave, OG_S_SGPR, pair->address[w]);
    for (unsigned i = 0; i < OG_LANES; i++) {
      uint64_t address = base + (addressing == OG_ADDRESS_FLAT && to_lds ? offsets[i] % (LDS - 64) : offsets[i]);
      bool whole = addressing == OG_ADDRESS_GLOBAL || addressing == OG_ADDRESS_FLAT;
      wave->v[0][i] = whole ? (uint32_t)address : offsets[i];
      wave->v[1][i] = whole ? (uint32_t)(address >> 32) : 0;
    }
  }
  bool private = addressing == OG_ADDRESS_SCRATCH || (addressing == OG_ADDRESS_BUFFER && exec % 3 != 1);
  uint32_t place = draw() % 3 == 0 ? draw() % 44 : draw() % 11 * 4, add = draw() % 8,
           records = MEMORY - draw() % 2 * 2000;
  for (int w = 0; w < 2; w++) {
    struct og_wave *wave = pair->wave[w];
    wave->scratch = pair->memory[w];
    wave->scratch_size = MEMORY / 64;
    og_set_s64(wave, OG_S_FLAT_SCRATCH, (uintptr_t)pair->memory[w]);
    uint64_t buffer = private ? (uintptr_t)pair->memory[w] : pair->address[w];
    const uint32_t resource[4] = {(uint32_t)buffer, (uint32_t)(buffer >> 32) | (uint32_t)private << 31, records,
                                  private ? 3u << 21 | 1u << 23 : 4u << 15};
    memcpy(&wave->s[4], resource, sizeof resource);
    for (unsigned i = 0; private && i < OG_LANES; i++) {
      wave->v[0][i] = place + (records == MEMORY ? i % 4 * 4 : 0);
      if (wave->v[0][i] > 44)
        wave->v[0][i] = 0;
    }
  }
  *op = (struct og_operation){.s = {OG_AT_V(0), OG_AT_S(addressing == OG_ADDRESS_BUFFER ? 4 : 0), OG_AT_S(OG_S_ZERO)},
                              .words = 2};
  if (addressing == OG_ADDRESS_SCRATCH)
    op->s[1] = OG_AT_S(OG_S_ZERO);
  if (private)
    op->constant[0] = add % 4;
  op->d = OG_AT_V(draw() % 2 ? 4 : 0);
  op->d2 = OG_AT_V(12);
}

static const struct {
  enum og_width width;
  unsigned bytes, pieces;
} widths[] = {{OG_WIDTH_U8, 1, 1}, {OG_WIDTH_I8, 1, 1}, {OG_WIDTH_U16, 2, 1}, {OG_WIDTH_I16, 2, 1},
              {OG_WIDTH_16_LOW, 2, 1}, {OG_WIDTH_16_HIGH, 2, 1}, {OG_WIDTH_32, 4, 1}, {OG_WIDTH_64, 8, 1},
              {OG_WIDTH_96, 12, 1}, {OG_WIDTH_128, 16, 1}, {OG_WIDTH_PAIR_32, 4, 2}, {OG_WIDTH_PAIR_64, 8, 2}};

static void compare(struct pair *pair, const struct og_memory_handlers *handlers) {
  for (int round = 0; round < ROUNDS; round++) {
    enum og_addressing addressing = draw() % OG_ADDRESSINGS;
    size_t at = draw() % OG_COUNT(widths);
    bool write = draw() % 2;
    og_handler *fast = (write ? handlers->store : handlers->load)[addressing][widths[at].width];
    if (fast == NULL)
      continue;
    struct og_memory_op access = {.addressing = addressing,
                                  .width = widths[at].width,
                                  .bytes = (uint8_t)widths[at].bytes,
                                  .pieces = (uint8_t)widths[at].pieces,
                                  .offen = draw() % 4 != 0};
    access.has_vaddr = access.offen || !write;
    if (access.pieces == 2)
      for (int p = 0; p < 2; p++)
        access.piece[p] = draw() % 4 * access.bytes;
    struct og_operation ops[3];
    same_start(pair, addressing, access.bytes, ops);
    ops[0].detail = &access;
    if (widths[at].width == OG_WIDTH_16_LOW || widths[at].width == OG_WIDTH_16_HIGH)
      ops[0].d = OG_AT_V(4); /* what they leave alone must be alike */
    assert_ptr_equal(fast(pair->wave[0], ops), og_next(ops));
    assert_ptr_equal((write ? og_careful_store_handler : og_careful_load_handler)(pair->wave[1], ops), og_next(ops));
    uint32_t *v[2] = {pair->wave[0]->v[0], pair->wave[1]->v[0]};
    unsigned first = write || ops[0].d == OG_AT_V(4) ? 2 : 0; /* addresses differ unless written over */
    for (unsigned r = first; r < 64; r++)
      for (unsigned i = 0; i < OG_LANES; i++) {
        bool is_address = r < 2 && !(pair->wave[0]->lanes[i] && access.bytes * access.pieces > 4 * r);
        if (!is_address && v[0][r * OG_LANES + i] != v[1][r * OG_LANES + i])
          fail_msg("round %d addressing %d width %d write %d v%u lane %u", round, addressing, access.width, write, r,
                   i);
      }
    /* A store may differ within the bytes of what both waves hold as addresses. */
    if (!write || ops[0].d != OG_AT_V(0)) {
      assert_memory_equal(pair->memory[0], pair->memory[1], MEMORY);
      assert_memory_equal(pair->lds[0], pair->lds[1], LDS + 2 * OG_LDS_MARGIN);
    }
  }
}

/* What OFFGRID_HOST=level gives, which is less where the host or the build has less. */
static const struct og_memory_handlers *handlers_of(const char *level) {
  char *asked = getenv("OFFGRID_HOST") ? strdup(getenv("OFFGRID_HOST")) : NULL;
  setenv("OFFGRID_HOST", level, 1);
  const struct og_memory_handlers *handlers = og_host_memory_handlers();
  if (asked)
    setenv("OFFGRID_HOST", asked, 1);
  else
    unsetenv("OFFGRID_HOST");
  free(asked);
  return handlers;
}

static void fast_is_careful_base(void **state) { compare(*state, handlers_of("baseline")); }
static void fast_is_careful_v3(void **state) { compare(*state, handlers_of("avx2")); }
static void fast_is_careful_v4(void **state) { compare(*state, handlers_of("avx512")); }

static void the_environment_limits_the_handlers(void **state) {
  (void)state;
  assert_ptr_equal(handlers_of("baseline"), &og_memory_handlers_base);
#ifdef OG_HAS_AVX2
  if (__builtin_cpu_supports("x86-64-v3"))
    assert_ptr_equal(handlers_of("avx2"), &og_memory_handlers_v3);
#endif
#ifdef OG_HAS_AVX512
  if (__builtin_cpu_supports("x86-64-v4"))
    assert_ptr_equal(handlers_of("avx512"), &og_memory_handlers_v4);
#endif
}

/* Lanes at one place, at places of their own, or all over the memory; whoever is watched goes lane by lane. */
static void watched_atomics_do_the_same(void **state) {
  struct pair *pair = *state;
  static const struct og_observer observer;
  uint32_t host = og_get_float_control();
  unsigned done = 0;
  for (int round = 0; round < 20 * ROUNDS; round++) {
    unsigned bits = draw() % 2 ? 32 : 64;
    unsigned operation = draw() % 64, number = draw() % 16;
    const struct og_atomic *atomic = og_find_atomic(operation, number, bits);
    enum og_addressing addressing = draw() % OG_ADDRESSINGS;
    if (atomic == NULL || addressing == OG_ADDRESS_SCRATCH || addressing == OG_ADDRESS_BUFFER)
      continue;
    unsigned bytes = og_atomic_bytes(atomic), spread = draw() % 3 == 0 ? 0 : draw() % 2 ? 63 : UINT32_MAX;
    struct og_memory_op access = {.addressing = addressing, .bytes = (uint8_t)bytes, .pieces = 1, .atomic = atomic,
                                  .returns = draw() % 2, .data = OG_AT_V(4), .name = "atomic"};
    struct og_operation ops[3];
    same_start(pair, addressing, bytes, ops);
    ops[0].detail = &access;
    ops[0].d = OG_AT_V(20);
    ops[0].d2 = access.data + (og_atomic_operands(atomic) - 1) * bytes / 4 * OG_AT_ROW;
    uint32_t mode = draw() & 0xff;
    for (int w = 0; w < 2; w++) {
      struct og_wave *wave = pair->wave[w];
      for (unsigned i = OG_LANES; i-- > 0;)
        wave->v[0][i] = ((wave->v[0][0] & ~spread) | (wave->v[0][i] & spread)) & ~(bytes - 1);
      for (unsigned i = 0; i < OG_LANES && mode % 2; i++) /* what compares finds something, and NaN meets NaN */
        wave->v[4][i] = wave->v[5][i] = mode % 4 == 1 ? 0x3f800000 : 0x7fc00000 + i;
      wave->mode = mode;
      wave->observer = w == 0 ? NULL : &observer;
      og_mode_changed(wave);
      assert_ptr_equal(og_atomic_handler(wave, ops), og_next(ops));
      assert_int_equal(og_get_float_control(), wave->float_control_32);
      og_set_float_control(host);
    }
    if (memcmp(pair->wave[0]->v[2], pair->wave[1]->v[2], 62 * sizeof pair->wave[0]->v[0]) != 0 ||
        memcmp(pair->memory[0], pair->memory[1], MEMORY) != 0 || memcmp(pair->lds[0], pair->lds[1], LDS) != 0)
      fail_msg("round %d operation %u number %u addressing %d bytes %u spread %x mode %x", round, operation, number,
               addressing, bytes, spread, mode);
    done++;
  }
  assert_true(done > 1000);
}

/* One lane goes out of bounds by one byte. */
static void outside_is_a_fault(void **state) {
  struct pair *pair = *state;
  for (enum og_addressing addressing = OG_ADDRESS_LDS; addressing <= OG_ADDRESS_FLAT; addressing++)
    for (size_t at = 0; at < 10; at++)
      for (int write = 0; write < 2; write++) {
        struct og_memory_op access = {
            .addressing = addressing, .width = widths[at].width, .bytes = (uint8_t)widths[at].bytes, .pieces = 1};
        struct og_operation ops[3];
        same_start(pair, addressing, access.bytes, ops);
        ops[0].detail = &access;
        ops[0].d = OG_AT_V(4);
        struct og_wave *wave = pair->wave[0];
        unsigned lane = draw() % OG_LANES;
        wave->lanes[lane] = UINT32_MAX;
        og_set_s64(wave, OG_S_EXEC, og_exec(wave) | 1ull << lane);
        uint64_t past = (addressing == OG_ADDRESS_LDS ? LDS : MEMORY) - access.bytes + 1;
        uint64_t address = past;
        if (addressing == OG_ADDRESS_GLOBAL || addressing == OG_ADDRESS_FLAT)
          address += (uintptr_t)pair->memory[0];
        wave->v[0][lane] = (uint32_t)address;
        if (address > UINT32_MAX)
          wave->v[1][lane] = (uint32_t)(address >> 32);
        og_handler *fast =
            (write ? og_memory_handlers_base.store : og_memory_handlers_base.load)[addressing][access.width];
        fast(wave, ops);
        assert_int_equal(wave->state, OG_WAVE_FAULT);
        assert_true(wave->fault.has_address);
        assert_non_null(
            strstr(wave->fault.what, addressing == OG_ADDRESS_LDS ? "out of range" : "outside every buffer"));
      }
}

static void read_only_memory_is_not_written(void **state) {
  (void)state;
  static uint32_t words[4];
  struct og_memory_map *map = og_memory_map_new();
  struct og_window window;
  assert_true(og_memory_map_add(map, (uintptr_t)words, sizeof words, OG_MEMORY_READ));
  assert_true(og_memory_map_find(map, (uintptr_t)words + 8, 8, OG_MEMORY_READ, &window));
  assert_int_equal(window.start, (uintptr_t)words);
  assert_false(og_memory_map_find(map, (uintptr_t)words, 4, OG_MEMORY_WRITE, &window));
  assert_false(og_memory_map_find(map, (uintptr_t)words + 12, 8, OG_MEMORY_READ, &window));
  assert_false(og_memory_map_find(map, (uintptr_t)words - 1, 1, OG_MEMORY_READ, &window));
  assert_false(og_memory_map_add(map, (uintptr_t)words + 4, 4, OG_MEMORY_READ));
  assert_true(og_memory_map_remove(map, (uintptr_t)words));
  assert_false(og_memory_map_find(map, (uintptr_t)words, 4, OG_MEMORY_READ, &window));
  og_memory_map_free(map);
}

static void the_host_does_not_follow_aliases(void **state) {
  (void)state;
  static uint32_t words[4];
  struct og_memory_map *map = og_memory_map_new();
  struct og_window window;
  uint64_t alias = (uintptr_t)words + (1ull << 46);
  assert_true(og_memory_map_add_alias(map, alias, sizeof words, OG_MEMORY_READ, words));
  assert_true(og_memory_map_find(map, alias + 8, 8, OG_MEMORY_READ, &window));
  assert_int_equal(alias + window.shift, (uintptr_t)words);
  assert_false(og_memory_map_holds(map, alias, 4, OG_MEMORY_READ));
  assert_true(og_memory_map_remove(map, alias));
  og_memory_map_free(map);
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(fast_is_careful_base, set_up, tear_down),
      cmocka_unit_test_setup_teardown(fast_is_careful_v3, set_up, tear_down),
      cmocka_unit_test_setup_teardown(fast_is_careful_v4, set_up, tear_down),
      {"aliases_are_what_they_stand_for_base", fast_is_careful_base, set_up_aliases, tear_down, NULL},
      {"aliases_are_what_they_stand_for_v3", fast_is_careful_v3, set_up_aliases, tear_down, NULL},
      {"aliases_are_what_they_stand_for_v4", fast_is_careful_v4, set_up_aliases, tear_down, NULL},
      cmocka_unit_test_setup_teardown(watched_atomics_do_the_same, set_up, tear_down),
      {"watched_atomics_do_the_same_behind_aliases", watched_atomics_do_the_same, set_up_aliases, tear_down, NULL},
      cmocka_unit_test_setup_teardown(outside_is_a_fault, set_up, tear_down),
      cmocka_unit_test(read_only_memory_is_not_written),
      cmocka_unit_test(the_host_does_not_follow_aliases),
      cmocka_unit_test(the_environment_limits_the_handlers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
