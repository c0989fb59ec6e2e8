/* program.c - a program's code and room for its operations. */
#include "exec/program.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "exec/vector.h"

static const struct og_vector_variant *best_variant(void) {
  for (size_t i = 0; i + 1 < og_vector_variant_count; i++)
    if (og_vector_variants[i]->usable())
      return og_vector_variants[i];
  return og_vector_variants[og_vector_variant_count - 1];
}

static size_t operations_size(const struct og_program *program) {
  return (program->words + 1) * sizeof(struct og_operation);
}

struct og_program *og_program_new(const struct og_target *target, const void *code, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_program *program = OG_NEW(arena, struct og_program);
  program->arena = arena;
  program->target = *target;
  program->code = code;
  program->words = size / 4;
  program->variant = best_variant();
  int denormals = og_find_feature(OG_TEXT("memory-atomic-fadd-f32-denormal-support"));
  program->keeps_f32_denormals = og_has_feature(&target->features, denormals);
  program->lock = OG_NEW(arena, struct og_lock);
  pthread_mutex_init(&program->lock->mutex, NULL);
  /* Zero pages that cost nothing until code is reached. */
  void *operations = mmap(NULL, operations_size(program), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (operations == MAP_FAILED) {
    pthread_mutex_destroy(&program->lock->mutex);
    og_arena_free(arena);
    return NULL;
  }
  program->operations = operations;
  return program;
}

void og_program_free(struct og_program *program) {
  if (!program)
    return;
  pthread_mutex_destroy(&program->lock->mutex);
  munmap(program->operations, operations_size(program));
  og_arena_free(program->arena);
}
