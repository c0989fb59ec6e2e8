/* fidelity.c - instructions whose results hardware gives within an error only, or in an order of sums that is not
 * known. */
#include "exec/fidelity.h"

#include <string.h>

#include "exec/matrix.h"
#include "exec/rays.h"
#include "exec/vector.h"
#include "isa/rows.h"

/* Of rows of isa/semantics.sem. */
static const struct {
  uint16_t row;
  const char *bound;
} near_rows[] = {
#include "exec/near_rows.inc"
};

static const char *bound_of(const struct og_program *program, const struct og_operation *op) {
  if (og_handler_of(op) == program->variant->multiply)
    return ((const struct og_matrix_plan *)op->detail)->sum_is_chosen ? "order and rounding of sums not documented"
                                                                      : NULL;
  for (size_t i = 0; i < OG_COUNT(near_rows); i++)
    if (near_rows[i].row == op->row)
      return near_rows[i].bound;
  return og_ray_bound(op);
}

static bool has(const struct og_approximation *found, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (found[i].name == name)
      return true;
  return false;
}

const struct og_approximation *og_approximations(const struct og_program *program, struct og_arena *arena,
                                                 size_t *count) {
  enum { PROGRAMS = 256 };
  size_t room = 16;
  struct og_approximation *found = og_arena_alloc(arena, room * sizeof *found);
  *count = 0;
  const struct og_program *root = program->root ? program->root : program;
  for (unsigned n = 0; n < (root->with_msb ? PROGRAMS : 1u); n++) {
    const struct og_program *one = n ? root->with_msb[n] : root;
    for (size_t i = 0; one && i < one->words; i++) {
      const struct og_operation *op = &one->operations[i];
      const char *bound = og_handler_of(op) ? bound_of(one, op) : NULL;
      const char *name = bound ? og_row_name(op->row) : NULL;
      if (!bound || has(found, *count, name))
        continue;
      if (*count == room) {
        struct og_approximation *more = og_arena_alloc(arena, 2 * room * sizeof *more);
        memcpy(more, found, room * sizeof *more);
        found = more, room *= 2;
      }
      found[(*count)++] = (struct og_approximation){name, bound};
    }
  }
  return found;
}
