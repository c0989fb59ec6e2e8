/* What a kernel may try in order to get out of its registers and buffers: each ends in a fault or changes nothing else.
 * Instructions here are bits, as an attacker writes them. */
#include "base/float_control.h"
#include "exec/memory.h"
#include "exec/program.h"
#include "exec/vector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "target_fixture.h"

enum { MEMORY = 4096, SCRATCH = 16 /* bytes of a lane */, LDS = 256 };

static uint32_t code[8];
static uint8_t *memory;
static struct og_memory_map *map;
static struct og_group group;
static struct og_windows windows;
static struct og_wave *wave;
static struct og_program *program;

static int set_up(void **state) {
  (void)state;
  memory = aligned_alloc(4096, MEMORY);
  map = og_memory_map_new();
  og_memory_map_add(map, (uintptr_t)memory, MEMORY, OG_MEMORY_READ | OG_MEMORY_WRITE);
  group.map = map;
  wave = aligned_alloc(64, sizeof *wave);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  og_memory_map_free(map);
  free(memory);
  free(wave);
  return 0;
}

/* A fresh wave, whose registers are 0 but for s[2:3] and v[2:3], which hold the memory's address. */
static void start(const struct og_target *target) {
  uint64_t address = (uintptr_t)memory;
  memset(wave, 0, offsetof(struct og_wave, v));
  memset(wave->v, 0, 64 * sizeof wave->v[0]); /* more than these tests name */
  memset(memory, 0, MEMORY);
  windows = (struct og_windows){0};
  program = og_program_new(target, code, sizeof code);
  wave->program = program;
  wave->group = &group;
  wave->windows = &windows;
  wave->wave_size = target->wave_size;
  wave->lds = (uint8_t *)calloc(1, LDS + 2 * OG_LDS_MARGIN) + OG_LDS_MARGIN;
  wave->lds_size = LDS;
  wave->scratch_size = SCRATCH;
  wave->scratch = calloc(SCRATCH, OG_LANES);
  wave->mode = 0x2f0;
  og_store64(&wave->s[2], address);
  og_set_s64(wave, OG_S_FLAT_SCRATCH, (uintptr_t)wave->scratch);
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    wave->v[2][lane] = (uint32_t)address;
    wave->v[3][lane] = (uint32_t)(address >> 32);
  }
  og_set_s64(wave, OG_S_EXEC, ~0ull);
  og_exec_changed(wave);
  uint32_t host = og_get_float_control();
  og_mode_changed(wave);
  og_set_float_control(host);
}

static void stop(void) {
  free(wave->scratch);
  free(wave->lds - OG_LDS_MARGIN);
  og_program_free(program);
}

/* One instruction; the words after it are not decodable, which is where it ends. */
static bool run_words(const uint32_t *words, size_t count) {
  memset(code, 0xff, sizeof code);
  memcpy(code, words, 4 * count);
  wave->resume = program->operations;
  wave->budget = 0;
  og_wave_run(wave);
  return wave->state != OG_WAVE_FAULT || strstr(wave->fault.what, "undecodable") ||
         strstr(wave->fault.what, "execution ran past");
}

/* ---- one door to scalar registers -------------------------------------------------------------------------------- */

static void set_field(uint64_t words[2], const struct og_piece *pieces, uint64_t value) {
  for (unsigned p = 0; p < 2; p++)
    for (unsigned i = 0; i < pieces[p].width; i++) {
      unsigned at = pieces[p].at + i;
      if (at < 128)
        words[at / 64] = (words[at / 64] & ~(1ull << at % 64)) | (value >> (pieces[p].to + i) & 1) << at % 64;
    }
}

static bool takes_vector(const struct og_slot *slot) {
  return slot->takes == OG_TAKES_VGPR || slot->takes == OG_TAKES_VGPR_AGPR ||
         (slot->takes >= OG_TAKES_VGPR_SGPR_INLINE && slot->takes <= OG_TAKES_VGPR_LITERAL);
}

/* The form with `destination` as each scalar register that it writes. */
static void write_form(const struct og_isa *isa, const struct og_form *form, unsigned destination, uint32_t out[6]) {
  const struct og_shape *shape = og_shape(isa, form);
  uint64_t words[2] = {0};
  for (unsigned i = 0; i < shape->slot_count; i++) {
    const struct og_slot *slot = &og_slots(shape)[i];
    bool any = slot->pieces[0].width >= 9;
    uint64_t value = takes_vector(slot) ? (any ? 256 : 0) + 8 + 2 * i : slot->takes <= OG_TAKES_SGPR_LITERAL ? 2 : 0;
    if (slot->takes == OG_TAKES_SGPR && slot->flags & OG_SLOT_WRITE)
      value = form->variant == OG_VARIANT_SDWA ? destination | 128 : destination;
    set_field(words, slot->pieces, value);
  }
  for (unsigned i = 0; i < 2; i++)
    words[i] = (words[i] & ~form->mask[i]) | form->value[i];
  memset(out, 0, 24);
  memcpy(out, words, 16);
}

static bool writes_scalars(const struct og_isa *isa, const struct og_form *form) {
  const struct og_shape *shape = og_shape(isa, form);
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (og_slots(shape)[i].takes == OG_TAKES_SGPR && og_slots(shape)[i].flags & OG_SLOT_WRITE)
      return true;
  return form->writes & (OG_IMPLICIT_EXEC | OG_IMPLICIT_VCC | OG_IMPLICIT_M0);
}

static void check_lanes(const char *name) {
  uint64_t exec = og_mask(wave, OG_S_EXEC);
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    if (wave->lanes[lane] != (exec >> lane & 1 ? ~0u : 0))
      fail_msg("%s: lane %u differs from EXEC 0x%llx", name, lane, (unsigned long long)exec);
  for (unsigned i = 0; i < 16; i++)
    if (wave->s[OG_S_ZERO + i] != 0)
      fail_msg("%s wrote to the place of zeros", name);
}

static void lanes_follow_exec(void **state) {
  (void)state;
  static const uint8_t destinations[] = {104, 106, 107, 120, 124, 125, 126, 127};
  unsigned changed = 0, ran = 0;
  for (unsigned generation = OG_GFX6; generation < OG_GENERATION_COUNT; generation++)
    for (unsigned wave_size = 32; wave_size <= 64; wave_size += 32) {
      const struct og_isa *isa = og_isa_of(generation, wave_size);
      struct og_target target = {.wave_size = (uint8_t)wave_size};
      for (size_t p = 0; (target.processor = og_processor_at(p)) != NULL; p++)
        if (target.processor->generation == generation)
          break;
      if (isa == NULL || target.processor == NULL || (wave_size == 32 && generation < OG_GFX10_1))
        continue;
      for (unsigned f = 0; f < og_form_count(isa); f++) {
        const struct og_form *form = og_form(isa, f);
        if (!og_form_fits(isa, form) || !writes_scalars(isa, form))
          continue;
        for (size_t d = 0; d < OG_COUNT(destinations); d++) {
          uint32_t words[6];
          start(&target);
          write_form(isa, form, destinations[d], words);
          ran += run_words(words, 6);
          changed += og_mask(wave, OG_S_EXEC) != (wave_size == 32 ? UINT32_MAX : UINT64_MAX);
          check_lanes(og_form_name(form));
          stop();
        }
      }
    }
  assert_true(ran > 10000 && changed > 2000);
}

/* ---- operands that no form takes --------------------------------------------------------------------------------- */

static void illegal_operands(void **state) {
  (void)state;
  static const struct {
    const char *processor;
    uint32_t words[3];
    const char *why;
  } cases[] = {
      {"gfx900", {0xd1e70008, 0x00020d04}, "operand 4 is a scalar register"}, /* v_mqsad_u32_u8 with s[0:3] */
      {"gfx900", {0x7e02a200}, "operand 2 is a scalar register"},             /* v_swap_b32 v1, s0 */
      {"gfx1030", {0xd5c30001, 0x00000000}, "operand 2 is a scalar register"}, /* v_movrels_b32 v1, s0 */
      {"gfx900", {0xc0061f94, 0x00000008}, "exec"},                           /* s_load_dwordx2 exec, s[40:41], 0x8 */
      {"gfx900", {0xdc5c8000, 0xfe020000}, "beyond the last vector register"}, /* global_load_dwordx4 v[254:257] */
      {"gfx90a", {0xdc548000, 0x017f0002}, "even vector register"},           /* global_load_dwordx2 v[1:2] */
  };
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    struct og_target target = target_of(cases[i].processor);
    start(&target);
    if (run_words(cases[i].words, 3) || !strstr(wave->fault.what, "illegal instruction") ||
        !strstr(wave->fault.what, cases[i].why))
      fail_msg("%s %08x %08x: \"%s\"", cases[i].processor, cases[i].words[0], cases[i].words[1], wave->fault.what);
    stop();
  }
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Lanes side by side whose offsets pass 2^32: the second goes to the beginning, not after the end. */
static void offsets_that_wrap(void **state) {
  (void)state;
  const uint64_t size = 1ull << 32;
  uint8_t *all = mmap(NULL, size + 2 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert_true(all != MAP_FAILED && mprotect(all, size, PROT_READ | PROT_WRITE) == 0);
  og_memory_map_add(map, (uintptr_t)all, size, OG_MEMORY_READ | OG_MEMORY_WRITE);
  struct og_target target = target_of("gfx900");
  for (unsigned load = 0; load < 2; load++) {
    start(&target);
    og_store64(&wave->s[2], (uintptr_t)all);
    for (unsigned lane = 0; lane < OG_LANES; lane++) {
      wave->v[0][lane] = 0xfffffff0 + 16 * lane;
      wave->v[4][lane] = lane + 1;
    }
    /* global_load_dwordx4 v[4:7], v0, s[2:3]; global_store_dwordx4 v0, v[4:7], s[2:3] */
    const uint32_t words[2] = {load ? 0xdc5c8000 : 0xdc7c8000, load ? 0x04020000 : 0x00020400};
    assert_true(run_words(words, 2));
    assert_int_equal(og_load32(all + size - 16), 1);
    assert_int_equal(og_load32(all + 16), 3);
    assert_int_equal(wave->v[4][5], 6);
    stop();
  }
  og_memory_map_remove(map, (uintptr_t)all);
  munmap(all, size + 2 * 4096);
}

/* Every power of two and its neighbourhood, as an address and as a base with offsets. */
static void addresses_at_the_edges(void **state) {
  (void)state;
  static const int offsets[] = {-17, -16, -15, -1, 0, 1, 16};
  struct og_target target = target_of("gfx900");
  for (unsigned bit = 0; bit <= 64; bit++)
    for (unsigned i = 0; i < OG_COUNT(offsets); i++)
      for (unsigned scalar = 0; scalar < 2; scalar++) {
        uint64_t address = (bit < 64 ? 1ull << bit : 0) + (uint64_t)offsets[i];
        start(&target);
        og_store64(&wave->s[2], address);
        for (unsigned lane = 0; lane < OG_LANES; lane++) {
          wave->v[0][lane] = scalar ? 0u - 16 * lane : (uint32_t)address;
          wave->v[1][lane] = (uint32_t)(address >> 32);
        }
        /* global_load_dwordx4 v[4:7], v0, s[2:3]; global_load_dwordx4 v[4:7], v[0:1], off */
        const uint32_t words[2] = {0xdc5c8000, scalar ? 0x04020000 : 0x047f0000};
        assert_false(run_words(words, 2));
        assert_non_null(strstr(wave->fault.what, "outside every buffer"));
        stop();
      }
}

/* A lane's 64 bits of scratch are two dwords apart; what stands between is the neighbours'. */
static void scratch_atomics_stay_in_their_lane(void **state) {
  (void)state;
  struct og_target target = target_of("gfx900");
  start(&target);
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    wave->v[0][lane] = 0;
    wave->v[1][lane] = OG_PRIVATE_APERTURE;
    wave->v[4][lane] = lane;
    wave->v[5][lane] = 1000 + lane;
  }
  og_set_s64(wave, OG_S_EXEC, 1ull << 7);
  og_exec_changed(wave);
  const uint32_t words[2] = {0xdd800000, 0x00000400}; /* flat_atomic_swap_x2 v[0:1], v[4:5] */
  assert_true(run_words(words, 2));
  for (unsigned i = 0; i < SCRATCH / 4 * OG_LANES; i++)
    assert_int_equal(og_load32(wave->scratch + 4 * i), i == 7 ? 7 : i == OG_LANES + 7 ? 1007 : 0);
  stop();
}

/* Uniform loads that a compiler rounded up to a power of two read zeros after the buffer, all others fault. */
static void scalar_reads_past_the_end(void **state) {
  (void)state;
  struct og_target target = target_of("gfx900");
  static const struct {
    unsigned size, offset; /* of the buffer; of the load in it */
    uint32_t opcode;       /* s_load_dword, x2, x4 ... are 0, 1, 2 */
    bool reads;
  } cases[] = {{64, 0, 4, true},  {36, 0, 4, true},  {32, 0, 4, false}, {12, 0, 2, true},  {9, 0, 2, true},
               {8, 0, 2, false},  {28, 16, 2, true}, {24, 12, 2, false}, {1, 0, 0, true},  {4, 0, 0, true},
               {4, 4, 0, false},  {4, 0, 1, false},  {5, 0, 1, true},    {6, 4, 0, true}};
  og_memory_map_remove(map, (uintptr_t)memory);
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    start(&target);
    memset(memory, 0xee, MEMORY);
    og_memory_map_add(map, (uintptr_t)memory, cases[i].size, OG_MEMORY_READ);
    const uint32_t words[2] = {0xc0020401 | cases[i].opcode << 18, cases[i].offset}; /* s_load_... s16, s[2:3] */
    assert_int_equal(run_words(words, 2), cases[i].reads);
    uint8_t bytes[64];
    memcpy(bytes, &wave->s[16], sizeof bytes);
    unsigned there = cases[i].size - cases[i].offset, wanted = 4u << cases[i].opcode;
    for (unsigned b = 0; cases[i].reads && b < wanted; b++)
      assert_int_equal(bytes[b], b < there ? 0xee : 0);
    og_memory_map_remove(map, (uintptr_t)memory);
    stop();
  }
  og_memory_map_add(map, (uintptr_t)memory, MEMORY, OG_MEMORY_READ | OG_MEMORY_WRITE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_follow_exec),
      cmocka_unit_test(illegal_operands),
      cmocka_unit_test(offsets_that_wrap),
      cmocka_unit_test(addresses_at_the_edges),
      cmocka_unit_test(scratch_atomics_stay_in_their_lane),
      cmocka_unit_test(scalar_reads_past_the_end),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
