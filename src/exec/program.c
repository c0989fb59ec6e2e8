/* program.c - a program's code and room for its operations; where operands live. */
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
  program->lock = OG_NEW(arena, struct og_lock);
  pthread_mutex_init(&program->lock->mutex, NULL);
  /* Zero pages that cost nothing until code is reached. */
  void *operations = mmap(NULL, operations_size(program), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (operations == MAP_FAILED)
    abort(); /* out of address space: as the arena does */
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

bool og_place(const struct og_operand *operand, uint32_t *offset, uint64_t *constant) {
  static const uint16_t specials[OG_SPECIAL_COUNT] = {
      [OG_SPECIAL_VCC_LO] = OG_S_VCC, [OG_SPECIAL_VCC_HI] = OG_S_VCC + 1,
      [OG_SPECIAL_EXEC_LO] = OG_S_EXEC, [OG_SPECIAL_EXEC_HI] = OG_S_EXEC + 1,
      [OG_SPECIAL_M0] = OG_S_M0, [OG_SPECIAL_NULL] = OG_S_SINK,
      [OG_SPECIAL_FLAT_SCRATCH_LO] = OG_S_FLAT_SCRATCH, [OG_SPECIAL_FLAT_SCRATCH_HI] = OG_S_FLAT_SCRATCH + 1,
      [OG_SPECIAL_XNACK_MASK_LO] = OG_S_XNACK_MASK, [OG_SPECIAL_XNACK_MASK_HI] = OG_S_XNACK_MASK + 1,
      [OG_SPECIAL_TBA_LO] = OG_S_TBA, [OG_SPECIAL_TBA_HI] = OG_S_TBA + 1,
      [OG_SPECIAL_TMA_LO] = OG_S_TMA, [OG_SPECIAL_TMA_HI] = OG_S_TMA + 1,
      [OG_SPECIAL_SHARED_BASE] = OG_S_SHARED_BASE, [OG_SPECIAL_SHARED_LIMIT] = OG_S_SHARED_LIMIT,
      [OG_SPECIAL_PRIVATE_BASE] = OG_S_PRIVATE_BASE, [OG_SPECIAL_PRIVATE_LIMIT] = OG_S_PRIVATE_LIMIT,
      [OG_SPECIAL_SCC] = OG_S_SCC,
  };
  if (constant)
    *constant = 0;
  switch (operand->kind) {
  case OG_OPERAND_VGPR: *offset = OG_AT_V(operand->reg); return operand->reg < 256;
  case OG_OPERAND_AGPR: *offset = OG_AT_V(256 + operand->reg); return operand->reg < 256;
  case OG_OPERAND_SGPR: *offset = OG_AT_S(operand->reg); return operand->reg < OG_S_VCC;
  case OG_OPERAND_TTMP: *offset = OG_AT_S(OG_S_TTMP + operand->reg); return operand->reg < 16;
  case OG_OPERAND_SPECIAL:
    if (operand->reg >= OG_SPECIAL_COUNT || !specials[operand->reg])
      return false;
    *offset = OG_AT_S(specials[operand->reg]);
    if (operand->reg == OG_SPECIAL_NULL && constant) /* as a source it is zero */
      *offset = OG_AT_S(OG_S_ZERO);
    return true;
  case OG_OPERAND_INLINE: case OG_OPERAND_LITERAL: case OG_OPERAND_IMMEDIATE:
    *offset = OG_AT_S(OG_S_ZERO);
    if (constant)
      *constant = operand->value;
    return constant != NULL;
  default: return false;
  }
}
