/* matrix.c - the classic shapes on every kind of processor, in every scope and address space, with orders of every
 * strength, as the compiler lowers them: compares the possible outcomes with those that the orders forbid. */
#include "litmus/tables.h"

#include <string.h>

static const struct {
  const char *name;
  bool cumode;
} processors[] = {
    {"gfx600", false}, {"gfx700", false},  {"gfx803", false},  {"gfx900", false}, {"gfx90a", false},
    {"gfx942", false}, {"gfx1030", true},  {"gfx1030", false}, {"gfx1100", true}, {"gfx1100", false},
    {"gfx1200", true}, {"gfx1200", false}, {"gfx1250", false},
};

/* How a shape is made a test; each way has a letter. */
static const struct making {
  char letter;
  enum og_order order;
  bool fences, atomics;
} makings[] = {
    {'m', OG_ORDER_MONOTONIC, false, false}, {'a', OG_ORDER_ACQ_REL, false, false},
    {'s', OG_ORDER_SEQ_CST, false, false},   {'f', OG_ORDER_SEQ_CST, true, false},
    {'r', OG_ORDER_SEQ_CST, false, true},
};

static unsigned strength(enum og_order order) {
  return order == OG_ORDER_MONOTONIC ? 1 : order == OG_ORDER_ACQ_REL ? 2 : 3;
}

/* gfx90a between agents, in memory that L2 keeps, is allowed more: reasons 9 and 10 of docs/memory-model.md. */
static bool is_excused(const char *processor, const struct og_litmus_shape *shape, enum og_scope scope) {
  return scope == OG_SCOPE_SYSTEM && !strcmp(processor, "gfx90a") &&
         (shape->order == OG_ORDER_SEQ_CST || !strcmp(shape->name, "FP"));
}

/* Prints the letters of the ways of making the shape with which its outcome can happen. */
static bool print_cell(struct og_arena *arena, const struct og_litmus_shape *shape, enum og_scope scope,
                       uint32_t locals, unsigned processor, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  bool fine = true, some = false;
  const char *name = processors[processor].name;
  for (size_t m = 0; m < OG_COUNT(makings); m++) {
    struct og_making making = {OG_TABLE_COMPILER,  scope, false, locals, makings[m].order, makings[m].fences,
                               makings[m].atomics, NULL};
    struct og_litmus_search how = {.most = 1000000, .stop = true};
    struct og_litmus_result result = {0};
    struct og_target target;
    og_arena_reset(arena);
    og_target_parse(&target, NULL, name, processors[processor].cumode ? "+cumode" : NULL, diagnostics);
    struct og_litmus_test *test = og_shape_test(arena, shape, &making, &target, diagnostics);
    if (!test)
      return og_error_in(diagnostics, name, "%s cannot be made", shape->name);
    og_litmus_search(arena, test, &how, &result);
    bool seen = !og_litmus_verdict(test, &result);
    if (seen)
      og_buffer_u8(out, (uint8_t)makings[m].letter);
    some |= seen;
    bool forbidden = strength(makings[m].order) >= strength(shape->order) && !is_excused(name, shape, scope);
    if ((seen && forbidden) || (!seen && !result.complete))
      fine = og_error_in(diagnostics, name, "%s in scope %s, made with '%c': %s", shape->name, og_scope_names[scope],
                         makings[m].letter, seen ? "a forbidden outcome can happen" : "too many states");
  }
  if (!some)
    og_buffer_text(out, "-");
  return fine;
}

bool og_shapes_print(struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  bool fine = true;
  og_buffer_text(out, "\n## Shapes\n\n| shape | forbidden from | scope | in LDS |");
  for (size_t p = 0; p < OG_COUNT(processors); p++)
    og_buffer_printf(out, " %s%s |", processors[p].name, processors[p].cumode ? " CU" : "");
  og_buffer_text(out, "\n|---|---|---|---|");
  for (size_t p = 0; p < OG_COUNT(processors); p++)
    og_buffer_text(out, "---|");
  og_buffer_text(out, "\n");
  for (size_t s = 0; s < og_litmus_shape_count; s++)
    for (unsigned scope = OG_SCOPE_WORKGROUP; scope < OG_SCOPES; scope++)
      for (uint32_t locals = 0;
           locals < (scope == OG_SCOPE_WORKGROUP ? 1u << og_shape_places(&og_litmus_shapes[s]) : 1); locals++) {
        og_buffer_printf(out, "| %s | %s | %s | %s%s%s |", og_litmus_shapes[s].name,
                         og_order_names[og_litmus_shapes[s].order], og_scope_names[scope], locals & 1 ? "x" : "",
                         locals & 2 ? "y" : "", locals & 4 ? "z" : "");
        for (unsigned p = 0; p < OG_COUNT(processors); p++) {
          og_buffer_text(out, " ");
          fine &= print_cell(arena, &og_litmus_shapes[s], (enum og_scope)scope, locals, p, out, diagnostics);
          og_buffer_text(out, " |");
        }
        og_buffer_text(out, "\n");
      }
  og_arena_free(arena);
  return fine;
}
