/* proof.c - tests what the tables promise: each sequence against the shapes that its order forbids, first complete,
 * then with each part left out. */
#include "litmus/proof.h"

#include <stdio.h>
#include <string.h>

/* ---- trying ------------------------------------------------------------------------------------------------------ */

static unsigned rank(enum og_order order) {
  return order == OG_ORDER_PLAIN ? 0 : order == OG_ORDER_MONOTONIC ? 1 : order == OG_ORDER_SEQ_CST ? 3 : 2;
}

static bool is_reached(struct og_proof *p, const struct og_litmus_shape *shape, const struct og_proof_row *row,
                       uint32_t locals) {
  bool near = locals != 0; /* LDS is shared only within a work-group */
  struct og_making making = {p->table, p->scope, near, locals, shape->order, false, false, row};
  struct og_litmus_search how = {.most = 400000, .stop = true};
  struct og_litmus_result result = {0};
  bool reached = false;
  og_arena_reset(p->arena);
  struct og_litmus_test *test = og_shape_test(p->arena, shape, &making, &p->target, p->diagnostics);
  if (test) {
    og_litmus_search(p->arena, test, &how, &result);
    reached = result.outcomes.count && !og_litmus_verdict(test, &result);
    if (result.fault || (!reached && !result.complete))
      p->fine =
          og_error_in(p->diagnostics, p->title, "%s: %s", shape->name, result.fault ? result.fault : "too many states");
  }
  return reached;
}

/* Whether the shape tests the row. For forward progress between agents gfx90a needs fine-grained memory too, not only
 * the sequences, since its L2 keeps other agents' memory. */
static bool has_shape(const struct og_proof *p, const struct og_litmus_shape *shape, const struct og_proof_row *row) {
  bool alone = !strchr(shape->threads, '|'), progress = og_text_is(og_text(shape->name), "FP");
  if (rank(shape->order) > rank(row->order) || (p->scope == OG_SCOPE_WAVE && !alone))
    return false;
  if (row->kind == OG_DO_FENCE && shape->order == OG_ORDER_MONOTONIC)
    return false;
  return !progress || p->scope != OG_SCOPE_SYSTEM || !og_text_is(og_text(p->target.processor->name), "gfx90a");
}

/* Finds the first shape whose outcome the row allows; `name` becomes its name and the places that are in LDS. False:
 * there is none. */
static bool find_shape(struct og_proof *p, const struct og_proof_row *row, char name[24]) {
  for (size_t s = 0; s < og_litmus_shape_count; s++) {
    const struct og_litmus_shape *shape = &og_litmus_shapes[s];
    unsigned places = og_shape_places(shape);
    if (!has_shape(p, shape, row))
      continue;
    for (uint32_t locals = 0; locals < 1u << places; locals++)
      if (is_reached(p, shape, row, locals)) {
        char in_lds[8] = "";
        for (unsigned place = 0, at = 0; place < places; place++)
          if (locals >> place & 1)
            in_lds[at++] = (char)('x' + place), in_lds[at] = 0;
        snprintf(name, 24, locals ? "%s(%s in LDS)" : "%s", shape->name, in_lds);
        return true;
      }
  }
  return false;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

unsigned og_find_parts(const struct og_litmus_test *names, const struct og_sequence *sequence,
                       struct og_omission parts[OG_PARTS]) {
  unsigned count = 0;
  for (unsigned s = 0; s < sequence->count; s++) {
    uint8_t policy = sequence->step[s].policy;
    if (sequence->step[s].kind != OG_STEP_OP)
      parts[count++] = (struct og_omission){(uint8_t)s, 0};
    else if (names->isa->gfx12 && policy)
      parts[count++] = (struct og_omission){(uint8_t)s, policy}; /* a whole scope is one part */
    else
      for (uint8_t left = policy; left; left &= (uint8_t)(left - 1))
        parts[count++] = (struct og_omission){(uint8_t)s, left & (uint8_t)-left};
  }
  return count;
}

static struct og_sequence without(const struct og_sequence *sequence, struct og_omission part) {
  struct og_sequence out = *sequence;
  if (part.bits) {
    out.step[part.step].policy &= (uint8_t)~part.bits;
    return out;
  }
  memmove(&out.step[part.step], &out.step[part.step + 1], (size_t)(out.count - part.step - 1) * sizeof out.step[0]);
  out.count--;
  return out;
}

void og_examine(struct og_proof *p, const struct og_litmus_test *names, const struct og_table_row *table_row,
                enum og_address_space space, struct og_sequence *sequence, struct og_finding *finding) {
  struct og_proof_row row = {(enum og_access_kind)table_row->kind, (enum og_order)table_row->order, space, *sequence};
  struct og_omission parts[OG_PARTS];
  memset(finding, 0, sizeof *finding);
  if (og_sequence_outer_first(sequence))
    find_shape(p, &row, finding->written);
  row.sequence = *sequence;
  find_shape(p, &row, finding->allowed);
  finding->parts = og_find_parts(names, sequence, parts);
  for (unsigned i = 0; i < finding->parts && !finding->allowed[0]; i++) {
    row.sequence = without(sequence, parts[i]);
    find_shape(p, &row, finding->shown[i]);
  }
}
