/* program.c - a program's code and room for its operations. */
#include "exec/program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "exec/vector.h"
#include "target/features.inc"

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
  program->keeps_f32_denormals = og_has_feature(&target->features, OG_FEATURE_MEMORY_ATOMIC_FADD_F32_DENORMAL_SUPPORT);
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
  program->root = program;
  return program;
}

struct og_program *og_program_with_msb(struct og_program *program, uint8_t msb) {
  enum { MSBS = 256 };
  struct og_program *root = program->root;
  if (msb == 0)
    return root;
  pthread_mutex_lock(&root->lock->mutex);
  if (!root->with_msb) {
    root->with_msb = OG_NEW_ARRAY(root->arena, struct og_program *, MSBS);
    memset(root->with_msb, 0, MSBS * sizeof *root->with_msb);
  }
  struct og_program **found = &root->with_msb[msb];
  if (!*found && (*found = og_program_new(&root->target, root->code, 4 * root->words)))
    (*found)->root = root, (*found)->msb = msb;
  struct og_program *result = *found;
  pthread_mutex_unlock(&root->lock->mutex);
  return result;
}

void og_program_free(struct og_program *program) {
  if (!program)
    return;
  for (unsigned i = 0; program->with_msb && i < 256; i++)
    og_program_free(program->with_msb[i]);
  if (program->compiler)
    program->compiler->free(program);
  pthread_mutex_destroy(&program->lock->mutex);
  munmap(program->operations, operations_size(program));
  og_arena_free(program->arena);
}
