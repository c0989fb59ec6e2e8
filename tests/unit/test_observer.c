/* The doors: what an observer of a dispatch sees, in which order, and that the dispatch goes by its verdicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exec/state.h"
#include "isa/rows.h"
#include "runtime/arguments.h"
#include "runtime/runtime.h"
#include "runtime/source.h"

/* Two waves: each lane stores its number through LDS, and adds 1 to a counter. */
static const char source[] =
    ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n"
    ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n"
    "  s_load_dwordx2 s[2:3], s[0:1], 0x0\n"
    "  v_lshlrev_b32_e32 v1, 2, v0\n"
    "  v_add_u32_e32 v2, 100, v0\n"
    "  ds_write_b32 v1, v2\n"
    "  s_waitcnt lgkmcnt(0)\n"
    "  s_barrier\n"
    "  ds_read_b32 v3, v1\n"
    "  s_waitcnt lgkmcnt(0)\n"
    "  global_store_dword v1, v3, s[2:3] offset:4\n"
    "  v_mov_b32_e32 v4, 0\n"
    "  v_mov_b32_e32 v5, 1\n"
    "  global_atomic_add v4, v5, s[2:3]\n"
    "  s_endpgm\n"
    ".section .rodata,\"a\",@progbits\n.p2align 6\n.amdhsa_kernel k\n"
    "  .amdhsa_group_segment_fixed_size 512\n  .amdhsa_kernarg_size 8\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
    "  .amdhsa_next_free_vgpr 8\n  .amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n";

enum { ITEMS = 128, INSTRUCTIONS = 13 };

struct bench {
  struct og_runtime *runtime;
  struct og_queue *queue;
  struct og_executable *executable;
  uint32_t *out; /* a counter, and a number of each work-item */
  union og_packet packet;
  struct og_observer observer;
  struct og_dispatch_record record;
  /* What was seen. */
  char order[16]; /* letters of rare events */
  unsigned instructions, waits, accesses, atomics, ended, faults;
  /* What is answered, where the row is met. */
  uint16_t row;
  enum og_verdict verdict;
  int lane; /* of an access; -1: all */
  uint32_t seen;
};

static void note(struct bench *bench, char letter) {
  size_t size = strlen(bench->order);
  assert_true(size + 1 < sizeof bench->order);
  bench->order[size] = letter;
}

static void group_begin(void *context, struct og_group *group) {
  assert_int_equal(group->wave_count, 2);
  note(context, 'G');
}
static void group_end(void *context, struct og_group *group) {
  assert_int_equal(group->live, 0);
  note(context, 'g');
}
static void begin(void *context, struct og_wave *wave) {
  assert_int_equal(wave->v[0][1], wave->id * 64 + 1);
  note(context, 'W');
}
static void end(void *context, struct og_wave *wave) {
  (void)wave;
  note(context, 'w');
}
static void barrier(void *context, struct og_group *group) {
  (void)group;
  note(context, 'b');
}
static void wait(void *context, struct og_wave *wave, const struct og_operation *op) {
  (void)wave;
  assert_int_equal(op->row, OG_ROW_S_WAITCNT);
  ((struct bench *)context)->waits++;
}
static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct bench *bench = context;
  bench->instructions++;
  assert_ptr_equal(wave->resume, op);
  if (op->row == bench->row && bench->lane == -2)
    og_answer(wave, bench->verdict);
}
static void access(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space, int access,
                   unsigned lane, uint64_t address, unsigned size) {
  struct bench *bench = context;
  uint32_t before;
  bench->accesses++;
  bench->atomics += (access & OG_ACCESS_ATOMIC) != 0;
  if (op->row != bench->row || bench->lane == -2)
    return;
  assert_int_equal(size, 4);
  assert_true(og_wave_read(wave, space, lane, address, &before, sizeof before));
  if (!(access & OG_ACCESS_ATOMIC))
    assert_int_equal(before, 0); /* nothing has moved yet */
  if (bench->lane == -1 || bench->lane == (int)lane)
    og_answer(wave, bench->verdict);
}
static void fault(void *context, struct og_wave *wave, const struct og_fault *what) {
  struct bench *bench = context;
  bench->faults++;
  bench->seen = wave->v[2][5];
  assert_true(what->has_wave);
}

static void run(struct bench *bench, bool accesses) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_extent extent = {.dimensions = 1, .grid = {ITEMS, 1, 1}, .group = {ITEMS, 1, 1}};
  struct og_argument argument = {.kind = OG_ARGUMENT_BUFFER};
  uint32_t group_bytes;
  bench->runtime = og_runtime_new();
  bench->queue = og_runtime_queue(bench->runtime, 64);
  bench->executable = og_load_any(bench->runtime, "k.s", source, sizeof source - 1, NULL, NULL, false, diagnostics);
  assert_non_null(bench->executable);
  bench->out = og_memory_new(bench->runtime, 4 * (1 + ITEMS), 64, OG_MEMORY_READ | OG_MEMORY_WRITE);
  argument.buffer = bench->out;
  argument.size = 4 * (1 + ITEMS);
  const struct og_kernel *kernel = og_executable_kernel(bench->executable, OG_TEXT("k"));
  void *kernarg = og_kernarg_new(bench->runtime, bench->executable, kernel, &argument, 1, &extent, bench->queue, 0,
                                 &group_bytes, diagnostics);
  assert_non_null(kernarg);
  bench->observer = (struct og_observer){.context = bench,
                                         .begin = begin,
                                         .end = end,
                                         .barrier = barrier,
                                         .group_begin = group_begin,
                                         .group_end = group_end,
                                         .fault = fault,
                                         .wait = wait,
                                         .instruction = instruction,
                                         .access = accesses ? access : NULL};
  og_runtime_set_options(bench->runtime, &(struct og_run_options){.threads = 1, .observer = &bench->observer});
  og_dispatch_packet_init(&bench->packet.dispatch, bench->executable, kernel, &extent, kernarg, group_bytes, NULL);
  og_runtime_run(bench->runtime, bench->queue, &bench->packet, UINT64_MAX, NULL, &bench->record);
  og_diagnostics_free(diagnostics);
}

static void finish(struct bench *bench) {
  og_runtime_queue_free(bench->runtime, bench->queue);
  og_runtime_free(bench->runtime);
}

static void everything_is_seen_in_order(void **state) {
  (void)state;
  struct bench bench = {.lane = -2, .row = UINT16_MAX};
  run(&bench, true);
  assert_true(bench.record.fine);
  assert_string_equal(bench.order, "GWWbwwg");
  assert_int_equal(bench.instructions, 2 * INSTRUCTIONS);
  assert_int_equal(bench.waits, 4);
  assert_int_equal(bench.accesses, 2 + 3 * ITEMS + ITEMS); /* scalar loads; write, read, store; atomic */
  assert_int_equal(bench.atomics, ITEMS);
  assert_int_equal(bench.faults, 0);
  assert_int_equal(bench.out[0], ITEMS);
  for (uint32_t i = 0; i < ITEMS; i++)
    assert_int_equal(bench.out[1 + i], 100 + i);
  finish(&bench);
}

static void an_instruction_is_skipped(void **state) {
  (void)state;
  struct bench bench = {.row = OG_ROW_V_ADD_U32, .verdict = OG_SKIP, .lane = -2};
  run(&bench, false);
  assert_true(bench.record.fine);
  assert_int_equal(bench.out[0], ITEMS);
  for (uint32_t i = 0; i < ITEMS; i++)
    assert_int_equal(bench.out[1 + i], 0); /* v2 is as it was launched */
  finish(&bench);
}

static void an_access_is_skipped_in_its_lane(void **state) {
  (void)state;
  struct bench bench = {.row = OG_ROW_GLOBAL_STORE_DWORD, .verdict = OG_SKIP, .lane = 7};
  run(&bench, true);
  assert_true(bench.record.fine);
  for (uint32_t i = 0; i < ITEMS; i++)
    assert_int_equal(bench.out[1 + i], i % 64 == 7 ? 0 : 100 + i);
  finish(&bench);
}

static void atomics_are_skipped(void **state) {
  (void)state;
  struct bench bench = {.row = OG_ROW_GLOBAL_ATOMIC_ADD, .verdict = OG_SKIP, .lane = -1};
  run(&bench, true);
  assert_true(bench.record.fine);
  assert_int_equal(bench.out[0], 0);
  assert_int_equal(bench.out[1], 100);
  finish(&bench);
}

static void a_dispatch_stops_where_it_is_told(void **state) {
  (void)state;
  struct bench bench = {.row = OG_ROW_GLOBAL_STORE_DWORD, .verdict = OG_STOP_HERE, .lane = -2};
  run(&bench, false);
  assert_false(bench.record.fine);
  assert_int_equal(bench.record.fault.kind, OG_FAULT_STOPPED);
  assert_int_equal(bench.faults, 1);
  assert_int_equal(bench.seen, 105); /* registers are there when the fault is told */
  assert_int_equal(bench.out[1], 0); /* and the instruction was not executed */
  assert_string_equal(bench.order, "GWWb");
  assert_int_equal(bench.record.stats.stood_count, 2); /* one before the store, one behind the barrier */
  finish(&bench);
}

/* By an access: what was told of is done, and the next instruction is not. */
static void a_dispatch_stops_behind_an_access(void **state) {
  (void)state;
  struct bench bench = {.row = OG_ROW_GLOBAL_STORE_DWORD, .verdict = OG_STOP_HERE, .lane = 63};
  run(&bench, true);
  assert_false(bench.record.fine);
  assert_int_equal(bench.record.fault.kind, OG_FAULT_STOPPED);
  assert_int_equal(bench.out[1 + 63], 163);
  assert_int_equal(bench.out[0], 0);
  finish(&bench);
}

static void registers_have_their_names(void **state) {
  (void)state;
  static struct og_wave room;
  struct og_wave *wave = &room;
  wave->wave_size = 64;
  static const struct {
    const char *name;
    uint8_t kind, dwords;
    uint16_t index;
  } known[] = {{"s0", OG_REGISTER_SCALAR, 1, 0},
               {"s105", OG_REGISTER_SCALAR, 1, 105},
               {"v255", OG_REGISTER_VECTOR, 1, 255},
               {"a0", OG_REGISTER_VECTOR, 1, 256},
               {"vcc", OG_REGISTER_SCALAR, 2, OG_S_VCC},
               {"exec_hi", OG_REGISTER_SCALAR, 1, OG_S_EXEC + 1},
               {"ttmp15", OG_REGISTER_SCALAR, 1, OG_S_TTMP + 15},
               {"m0", OG_REGISTER_SCALAR, 1, OG_S_M0},
               {"mode", OG_REGISTER_MODE, 1, 0}};
  struct og_register found;
  for (size_t i = 0; i < OG_COUNT(known); i++) {
    assert_true(og_register_find(wave, og_text(known[i].name), &found));
    assert_int_equal(found.kind, known[i].kind);
    assert_int_equal(found.dwords, known[i].dwords);
    assert_int_equal(found.index, known[i].index);
  }
  static const char *const none[] = {"", "s", "s106", "v1024", "v-1", "a256", "ttmp16", "vcc_mid", "sp", "v0x"};
  for (size_t i = 0; i < OG_COUNT(none); i++)
    assert_false(og_register_find(wave, og_text(none[i]), &found));
  wave->wave_size = 32;
  assert_true(og_register_find(wave, OG_TEXT("exec"), &found));
  assert_int_equal(found.dwords, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_seen_in_order),       cmocka_unit_test(an_instruction_is_skipped),
      cmocka_unit_test(an_access_is_skipped_in_its_lane),  cmocka_unit_test(atomics_are_skipped),
      cmocka_unit_test(a_dispatch_stops_where_it_is_told), cmocka_unit_test(a_dispatch_stops_behind_an_access),
      cmocka_unit_test(registers_have_their_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
