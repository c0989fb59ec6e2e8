/* xegpu.c - one XeGPU kernel, C = A by B of bfloats, directly, as vISA for Intel and as matrix instructions for AMD:
 * xegpu FILE.mlir [SPELLING], which prints the module in that spelling instead. */
#include "common.h"

#include <string.h>

enum { M = 8, N = 16, K = 16 };

static uint16_t a[M * K], b[K * N]; /* bfloats */

static void print_sum(const char *how, const float *c) {
  double sum = 0;
  for (int i = 0; i < M * N; i++)
    sum += c[i];
  printf("%s: %g ... %g, the sum %g\n", how, c[0], c[M * N - 1], sum);
}

static void run_on_amd(const og_bytes *code_object, og_diagnostics *diagnostics) {
  og_module *module = og_module_open(code_object->data, code_object->size, NULL, diagnostics);
  check(diagnostics);
  og_device *device = og_device_new(module, diagnostics);
  check(diagnostics);
  void *memory[3] = {og_device_allocate(device, sizeof a), og_device_allocate(device, sizeof b),
                     og_device_allocate(device, sizeof(float) * M * N)};
  memcpy(memory[0], a, sizeof a);
  memcpy(memory[1], b, sizeof b);
  og_launch launch = {
      .kernel = "gemm", .grid = {64}, .group = {64}, .arguments = memory, .arguments_size = sizeof memory};
  og_device_run(device, &launch, NULL, diagnostics);
  check(diagnostics);
  print_sum("gfx942", memory[2]);
  og_device_free(device);
  og_module_free(module);
}

static void run_all(const og_xegpu *module, og_diagnostics *diagnostics) {
  _Alignas(64) static float c[M * N];
  og_visa_value values[] = {
      {OG_VISA_VALUE_BUFFER, a, sizeof a}, {OG_VISA_VALUE_BUFFER, b, sizeof b}, {OG_VISA_VALUE_BUFFER, c, sizeof c}};
  og_xegpu_launch launch = {
      .function = "gemm", .grid = {16}, .group = {16}, .values = values, .value_count = 3, .check = true};
  og_bytes lowered, printed;
  og_xegpu_run(module, &launch, &printed, diagnostics);
  check(diagnostics);
  og_bytes_free(&printed);
  print_sum("direct", c);

  og_xegpu_lower(module, "gemm", "pvc", &lowered, diagnostics);
  check(diagnostics);
  memset(c, 0, sizeof c);
  og_visa_launch visa = {.platform = "pvc", .grid = {16}, .group = {16}, .values = values, .value_count = 3};
  og_visa_launch_kernel(lowered.data, lowered.size, &visa, NULL, diagnostics);
  check(diagnostics);
  og_bytes_free(&lowered);
  print_sum("vISA", c);

  og_xegpu_lower(module, "gemm", "gfx942", &lowered, diagnostics);
  check(diagnostics);
  run_on_amd(&lowered, diagnostics);
  og_bytes_free(&lowered);
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: %s FILE.mlir [SPELLING]\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes file = read_file(argv[1]), text;
  og_xegpu *module = og_xegpu_open((const char *)file.data, file.size, argv[1], diagnostics);
  check(diagnostics);
  for (int i = 0; i < M * K; i++)
    a[i] = i % 3 ? 0x3f80 : 0x4000; /* 1 or 2 */
  for (int i = 0; i < K * N; i++)
    b[i] = i % 5 ? 0x3f80 : 0xbf80; /* 1 or -1 */
  if (argc == 2) {
    run_all(module, diagnostics);
  } else {
    printf("// from spelling %s\n", og_xegpu_spelling(module));
    og_xegpu_print(module, argv[2], false, &text, diagnostics);
    check(diagnostics);
    fwrite(text.data, 1, text.size, stdout);
    og_bytes_free(&text);
  }
  og_xegpu_free(module);
  og_bytes_free(&file);
  og_diagnostics_free(diagnostics);
}
