/* fuzz_mlir_run.c - MLIR modules, changed in numbers and lines, and run for a moment: the host's function, and each
 * kernel alone with buffers; with and without the checks. */
#include "xegpu/run.h"
#include "xegpu/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { BUFFER = 1 << 14, ARGUMENTS = 16 };

static const struct og_mlir_op *kernel_of(const struct og_mlir_region *region) {
  for (const struct og_mlir_block *b = region->first; b; b = b->next)
    for (const struct og_mlir_op *op = b->first; op; op = op->next) {
      const struct og_mlir_op *inner = op->row->id == OG_MLIR_OP_GPU_MODULE ? kernel_of(&op->regions[0]) : NULL;
      if (inner || (op->row->id == OG_MLIR_OP_GPU_FUNC && op->regions[0].first))
        return inner ? inner : op;
    }
  return NULL;
}

/* A buffer for each memref, 16 for its dynamic sizes and as the bytes of a scalar. */
static uint32_t arguments_of(const struct og_mlir_op *kernel, uint8_t *memory, int64_t *sixteen,
                             struct og_mlir_argument *arguments) {
  const struct og_mlir_block *entry = kernel->regions[0].first;
  uint32_t count = 0;
  for (uint32_t i = 0; i < entry->argument_count && count < ARGUMENTS; i++) {
    og_mlir_type type = entry->arguments[i]->type;
    if (type->kind != OG_MLIR_MEMREF) {
      arguments[count++] = (struct og_mlir_argument){sixteen, (og_mlir_bits(type) + 7) / 8, false};
      continue;
    }
    arguments[count] = (struct og_mlir_argument){memory + (size_t)count * BUFFER, BUFFER, true};
    count++;
    for (uint32_t d = 0; d < type->int_count && count < ARGUMENTS; d++)
      if (type->ints[d] == OG_MLIR_DYNAMIC)
        arguments[count++] = (struct og_mlir_argument){sixteen, sizeof *sixteen, false};
  }
  return count;
}

static void run(const struct og_mlir_module *module, bool check, struct og_diagnostics *diagnostics) {
  struct og_buffer text = {0};
  struct og_mlir_run with = {.timeout = 0.05, .memory_most = 16 << 20, .check = check, .out = &text};
  og_mlir_execute(module, &with, diagnostics);
  const struct og_mlir_op *kernel = kernel_of(&module->op->regions[0]);
  if (kernel) {
    uint8_t *memory = og_checked_realloc(NULL, (size_t)ARGUMENTS * BUFFER);
    memset(memory, 0, (size_t)ARGUMENTS * BUFFER);
    int64_t sixteen = 16;
    struct og_mlir_argument arguments[ARGUMENTS];
    struct og_mlir_launch launch = {.groups = {2, 2, 1}, .threads = {16, 2, 1}, .arguments = arguments};
    launch.argument_count = arguments_of(kernel, memory, &sixteen, arguments);
    og_mlir_execute_kernel(module, &with, &launch, diagnostics);
    launch.threads[0] = launch.threads[1] = 1;
    og_mlir_execute_kernel(module, &with, &launch, diagnostics);
    free(memory);
  }
  og_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_mlir_module *module = og_mlir_read(arena, "x", data, size, OG_MLIR_SPELLINGS, diagnostics);
  if (module && og_mlir_verify(module, diagnostics))
    for (unsigned check = 0; check < 2; check++)
      run(module, check, diagnostics);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}

/* ---- changes that mostly leave a module one ---------------------------------------------------------------------- */

/* Bytes from `at` on, `old` of them, become `with`; yields the new size. */
static size_t replace(uint8_t *data, size_t size, size_t most, size_t at, size_t old, const void *with, size_t count) {
  if (size - old + count > most)
    return size;
  memmove(data + at + count, data + at + old, size - at - old);
  memcpy(data + at, with, count);
  return size - old + count;
}

static size_t change_number(uint8_t *data, size_t size, size_t most, unsigned draw) {
  static const char *const numbers[] = {
      "0",  "1",  "2",    "3",     "4",  "7",  "8",          "15",          "16",         "17",
      "32", "64", "1000", "65536", "-1", "-8", "2147483647", "-2147483648", "4294967296", "9223372036854775807"};
  const char *with = numbers[draw / 7 % OG_COUNT(numbers)];
  size_t at = draw % size, end;
  while (at < size && !isdigit(data[at]))
    at++;
  for (end = at; end < size && isdigit(data[end]);)
    end++;
  return at == size ? size : replace(data, size, most, at, end - at, with, strlen(with));
}

/* A line goes away, or comes a second time. */
static size_t change_line(uint8_t *data, size_t size, size_t most, unsigned draw) {
  size_t at = draw % size, end = at;
  while (at && data[at - 1] != '\n')
    at--;
  while (end < size && data[end] != '\n')
    end++;
  end += end < size;
  if (draw / 5 % 2)
    return replace(data, size, most, at, end - at, "", 0);
  uint8_t *line = og_checked_realloc(NULL, end - at + 1);
  memcpy(line, data + at, end - at);
  size = replace(data, size, most, end, 0, line, end - at);
  free(line);
  return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  unsigned draw = seed * 2654435761u >> 3;
  if (!size || seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, most);
  return (seed % 8 == 1 ? change_line : change_number)(data, size, most, draw);
}
