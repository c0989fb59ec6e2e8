/* Modules of XeGPU by the public interface: run, printed and lowered in any order; what is wrong is told. */
#include <offgrid.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char doubled[] =
    "gpu.module @m {\n"
    "  gpu.func @k(%A: memref<16xf32>, %C: memref<?xf32>, %x: f32) kernel attributes {VectorComputeFunctionINTEL} {\n"
    "    %c0 = arith.constant 0 : index\n"
    "    %a = vector.load %A[%c0] : memref<16xf32>, vector<16xf32>\n"
    "    %b = vector.broadcast %x : f32 to vector<16xf32>\n"
    "    %r = arith.mulf %a, %b : vector<16xf32>\n"
    "    vector.store %r, %C[%c0] : memref<?xf32>, vector<16xf32>\n"
    "    gpu.return\n"
    "  }\n"
    "}\n";
static const char unwritten[] = "func.func @main() {\n"
                                "  %c0 = arith.constant 0 : index\n"
                                "  %m = memref.alloc() : memref<4xi32>\n"
                                "  %v = memref.load %m[%c0] : memref<4xi32>\n"
                                "  return\n"
                                "}\n";

static og_xegpu *open_text(const char *text, og_diagnostics *d) {
  return og_xegpu_open(text, strlen(text), "a.mlir", d);
}

static bool run_doubled(const og_xegpu *module, uint32_t grid, uint32_t group, og_visa_value_kind kind,
                        og_diagnostics *d) {
  static float a[16] = {1, 2, 3}, c[16];
  int64_t size = 16;
  float x = 2;
  memset(c, 0, sizeof c);
  og_visa_value values[] = {{OG_VISA_VALUE_BUFFER, a, sizeof a},
                            {OG_VISA_VALUE_BUFFER, c, sizeof c},
                            {OG_VISA_VALUE_BYTES, &size, sizeof size},
                            {kind, &x, sizeof x}};
  og_xegpu_launch launch = {.grid = {grid}, .group = {group}, .values = values, .value_count = 4, .check = true};
  bool fine = og_xegpu_run(module, &launch, NULL, d);
  assert_int_equal(fine, og_diagnostics_errors(d) == 0);
  assert_true(c[2] == (fine ? 6 : 0));
  return fine;
}

static void a_module_is_used_in_any_order_and_again(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_xegpu *module = open_text(doubled, d);
  assert_non_null(module);
  static const char *const processors[] = {"pvc", "gfx90a", "gfx942", "gfx1100"};
  og_bytes first = {0}, lowered[4] = {0};
  for (int round = 0; round < 3; round++) {
    assert_true(run_doubled(module, 1, 1, OG_VISA_VALUE_BYTES, d));
    for (int generic = 0; generic < 2; generic++) {
      og_bytes text, other;
      assert_true(og_xegpu_print(module, NULL, generic, &text, d));
      if (!first.size)
        first = text;
      else if (!generic)
        assert_string_equal((char *)text.data, (char *)first.data);
      assert_true(og_xegpu_print(module, round ? "rfc" : "19", generic, &other, d));
      if (text.data != first.data)
        og_bytes_free(&text);
      og_bytes_free(&other);
    }
    assert_true(run_doubled(module, 1, 1, OG_VISA_VALUE_BYTES, d));
    for (int p = 0; p < 4; p++) {
      og_bytes once;
      assert_true(og_xegpu_lower(module, round ? "k" : NULL, processors[p], &once, d));
      if (!round)
        lowered[p] = once;
      if (round) {
        assert_int_equal(once.size, lowered[p].size);
        assert_memory_equal(once.data, lowered[p].data, once.size);
        og_bytes_free(&once);
      }
    }
  }
  for (int p = 0; p < 4; p++)
    og_bytes_free(&lowered[p]);
  og_bytes_free(&first);
  assert_int_equal(og_diagnostics_count(d), 0);
  og_xegpu_free(module);
  og_diagnostics_free(d);
}

static void expect(og_diagnostics *d, bool failed, const char *message) {
  assert_true(failed);
  assert_true(og_diagnostics_errors(d) > 0);
  assert_non_null(strstr(og_diagnostics_text(d, 0), message));
  og_diagnostics_free(d);
}

static void wrong_text_is_told_with_its_place(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  expect(d, !open_text("func.func @main() {\n  %v = arith.nothing : i32\n  return\n}\n", d), "a.mlir:2:");
  d = og_diagnostics_new();
  assert_null(og_xegpu_open("\0\xff{", 3, NULL, d));
  expect(d, true, "<memory>");
  og_xegpu_free(NULL);
}

static void wrong_requests_are_told(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_xegpu *module = open_text(doubled, d);
  og_bytes out = {(uint8_t *)&d, 1}; /* what stood there does not matter */
  expect(d, !og_xegpu_print(module, "23", false, &out, d) && !out.data, "no spelling is called '23'");
  d = og_diagnostics_new();
  expect(d, !og_xegpu_lower(module, NULL, "gfx900", &out, d) && !out.data, "gfx900");
  d = og_diagnostics_new();
  expect(d, !og_xegpu_lower(module, "none", "pvc", &out, d) && !out.data, "none");
  d = og_diagnostics_new();
  expect(d, !run_doubled(module, 3, 2, OG_VISA_VALUE_BYTES, d), "whole work-groups, not 3 threads in groups of 2");
  d = og_diagnostics_new();
  expect(d, !run_doubled(module, 1, 1, OG_VISA_VALUE_LOCAL, d), "value 3 is neither bytes nor a buffer");
  d = og_diagnostics_new();
  expect(d, !run_doubled(module, 1, 1, OG_VISA_VALUE_BUFFER, d), "argument 4: expected a value of 4 bytes");
  d = og_diagnostics_new();
  expect(d, !og_xegpu_run(module, &(og_xegpu_launch){.function = "main"}, NULL, d), "@main");
  og_xegpu_free(module);
}

static void the_checks_findings_are_errors(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_xegpu *module = open_text(unwritten, d);
  assert_true(og_xegpu_run(module, &(og_xegpu_launch){0}, NULL, d));
  expect(d, !og_xegpu_run(module, &(og_xegpu_launch){.check = true}, NULL, d), "a.mlir:4:");
  og_xegpu_free(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_module_is_used_in_any_order_and_again), cmocka_unit_test(wrong_text_is_told_with_its_place),
      cmocka_unit_test(wrong_requests_are_told), cmocka_unit_test(the_checks_findings_are_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
