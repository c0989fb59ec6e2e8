/* shapes.c - makes a test from a shape: a table gives its operations their sequences, or the row that is to be proved
 * does. */
#include "litmus/tables.h"

#include <string.h>

const struct og_litmus_shape og_litmus_shapes[] = {
#define SHAPE(name, order, threads, condition) {name, OG_ORDER_##order, threads, condition},
#include "litmus/shapes.def"
#undef SHAPE
};
const size_t og_litmus_shape_count = OG_COUNT(og_litmus_shapes);

unsigned og_shape_places(const struct og_litmus_shape *shape) {
  return strchr(shape->threads, 'z') ? 3 : strchr(shape->threads, 'y') ? 2 : 1;
}

/* The test being made. */
struct build {
  struct og_litmus_test *test;
  const struct og_making *making;
  const struct og_litmus_shape *shape;
  bool fits, fails; /* fits: the row was used; fails: a sequence is missing */
};

static uint32_t number_at(const char **p) {
  uint32_t value = 0;
  while (**p >= '0' && **p <= '9')
    value = 10 * value + (uint32_t)(*(*p)++ - '0');
  return value;
}

static bool acquires(enum og_order order) {
  return order == OG_ORDER_ACQUIRE || order == OG_ORDER_ACQ_REL || order == OG_ORDER_SEQ_CST;
}
static bool releases(enum og_order order) {
  return order == OG_ORDER_RELEASE || order == OG_ORDER_ACQ_REL || order == OG_ORDER_SEQ_CST;
}

/* The order of a synchronising load or store if the shape is made with orders of that strength. */
static enum og_order order_of(enum og_order strength, enum og_access_kind kind) {
  if (strength != OG_ORDER_ACQ_REL || kind == OG_DO_RMW)
    return strength;
  return kind == OG_DO_LOAD ? OG_ORDER_ACQUIRE : OG_ORDER_RELEASE;
}

static void emit(struct build *b, struct og_litmus_thread *thread, const struct og_litmus_op *op,
                 const struct og_sequence *known, struct og_buffer *text) {
  struct og_sequence sequence;
  if (!known && !og_table_sequence(b->making->table, b->test, (enum og_access_kind)op->kind, (enum og_order)op->order,
                                   b->making->scope, (enum og_address_space)op->space, &sequence)) {
    b->fails = true;
    return;
  }
  if (!known)
    og_sequence_outer_first(&sequence);
  if (!og_sequence_emit(b->test, thread, op, known ? known : &sequence, text))
    b->fails = true;
}

static void emit_fence(struct build *b, struct og_litmus_thread *thread, enum og_order order, struct og_buffer *text) {
  const struct og_proof_row *row = b->making->row;
  bool own = row && row->kind == OG_DO_FENCE;
  struct og_litmus_op fence = {.kind = OG_DO_FENCE, .order = (uint8_t)order};
  b->fits |= own;
  emit(b, thread, &fence, own ? &row->sequence : NULL, text);
}

/* Whether the row can take the place of an operation of the shape. */
static bool row_fits(const struct build *b, const struct og_litmus_op *op) {
  const struct og_proof_row *row = b->making->row;
  if (!row || row->kind == OG_DO_FENCE)
    return false;
  bool local = b->test->place[op->place].local;
  if (row->space != OG_GENERIC && local != (row->space == OG_LOCAL))
    return false;
  bool load = op->kind == OG_DO_LOAD, both = b->shape->order == OG_ORDER_MONOTONIC || row->order == OG_ORDER_MONOTONIC;
  if (op->kind == OG_DO_RMW)
    return row->kind == OG_DO_RMW && acquires(row->order);
  if (row->kind == OG_DO_RMW)
    return both || (load ? acquires(row->order) : releases(row->order));
  return row->kind == (load ? OG_DO_LOAD : OG_DO_STORE);
}

/* Turns a load into an addition of 0, and a store into an exchange. */
static void make_atomic(struct og_litmus_op *op) {
  op->atomic = op->kind == OG_DO_LOAD ? OG_DOES_ADD : OG_DOES_SWAP;
  op->returns = true;
  if (op->kind == OG_DO_LOAD)
    op->value = (struct og_litmus_source){true, 0};
  else
    op->result = 7; /* a result that nobody looks at */
  op->kind = OG_DO_RMW;
}

static void emit_op(struct build *b, struct og_litmus_thread *thread, struct og_litmus_op op, bool synchronises,
                    bool first, struct og_buffer *text) {
  const struct og_making *making = b->making;
  const struct og_proof_row *row = making->row;
  bool reads = op.kind != OG_DO_STORE, fence_row = row && row->kind == OG_DO_FENCE;
  bool between = making->fences || (fence_row && row->order >= OG_ORDER_ACQ_REL);
  op.space = b->test->place[op.place].local ? OG_LOCAL : OG_GLOBAL;
  op.order = synchronises ? (uint8_t)order_of(making->order, (enum og_access_kind)op.kind) : OG_ORDER_PLAIN;
  if (between) { /* monotonic accesses with fences between */
    if (!first)
      emit_fence(b, thread, row ? row->order : making->order, text);
    op.order = synchronises ? OG_ORDER_MONOTONIC : OG_ORDER_PLAIN;
    emit(b, thread, &op, NULL, text);
    return;
  }
  if (fence_row && synchronises && (reads ? acquires(row->order) : releases(row->order))) {
    op.order = OG_ORDER_MONOTONIC;
    if (!reads)
      emit_fence(b, thread, row->order, text);
    emit(b, thread, &op, NULL, text);
    if (reads)
      emit_fence(b, thread, row->order, text);
    return;
  }
  if (synchronises && row_fits(b, &op)) {
    b->fits = true;
    if (row->kind == OG_DO_RMW && op.kind != OG_DO_RMW)
      make_atomic(&op);
    if (row->space == OG_GENERIC)
      op.space = OG_GENERIC;
    emit(b, thread, &op, &row->sequence, text);
    return;
  }
  if (synchronises && making->atomics && op.kind != OG_DO_RMW) {
    make_atomic(&op);
    op.order = (uint8_t)making->order;
  }
  emit(b, thread, &op, NULL, text);
}

/* Reads a thread such as "W!x1 R!y0" and writes its operations. */
static void emit_thread(struct build *b, struct og_litmus_thread *thread, const char **p, struct og_buffer *text) {
  b->fails |= !og_litmus_set_addresses(b->test, thread);
  for (bool first = true; **p && **p != '|'; first = false) {
    struct og_litmus_op op = {.value = {true, 0}};
    char kind = *(*p)++;
    bool synchronises = **p == '!';
    *p += synchronises;
    op.kind = kind == 'W' ? OG_DO_STORE : kind == 'R' ? OG_DO_LOAD : OG_DO_RMW;
    op.atomic = OG_DOES_ADD;
    op.place = (uint8_t)(*(*p)++ - 'x');
    uint32_t number = number_at(p);
    if (kind == 'R')
      op.result = (uint8_t)number;
    else
      op.value.value = number;
    emit_op(b, thread, op, synchronises, first, text);
    while (**p == ' ')
      ++*p;
  }
}

static void make_condition(struct og_litmus_test *test, const char *p) {
  static const char *const names[] = {"x", "y", "z"};
  while (*p) {
    struct og_litmus_observed *look = &test->look[test->observed];
    if (*p >= 'x' && *p <= 'z') {
      *look = (struct og_litmus_observed){.name = names[*p - 'x'], .memory = true, .number = (uint8_t)(*p - 'x')};
      p++;
    } else {
      unsigned thread = number_at(&p);
      p++; /* skips ':' */
      unsigned result = number_at(&p);
      int number = og_litmus_register(&test->thread[thread], OG_OPERAND_VGPR, OG_RESULT_REGISTER + result);
      *look = (struct og_litmus_observed){.name = "", .thread = (uint8_t)thread, .number = (uint8_t)OG_MAX(number, 0)};
    }
    p++; /* skips '=' */
    test->token[test->tokens++] = (struct og_litmus_token){OG_LITMUS_EQUAL, (uint8_t)test->observed, number_at(&p)};
    if (test->observed++)
      test->token[test->tokens++] = (struct og_litmus_token){.kind = OG_LITMUS_AND};
    p += *p == ' ';
  }
}

struct og_litmus_test *og_shape_test(struct og_arena *arena, const struct og_litmus_shape *shape,
                                     const struct og_making *making, const struct og_target *target,
                                     struct og_diagnostics *diagnostics) {
  static const char *const names[] = {"x", "y", "z"};
  struct og_litmus_test *test = OG_NEW(arena, struct og_litmus_test);
  *test = (struct og_litmus_test){.name = shape->name, .target = *target, .quantifier = OG_LITMUS_NOT_EXISTS};
  test->isa = og_isa_for(&test->target, &test->own_isa);
  test->wgp = test->isa->gfx10 && !test->target.cumode;
  test->places = og_shape_places(shape);
  for (unsigned p = 0; p < test->places; p++)
    test->place[p] = (struct og_litmus_place){.name = names[p], .local = making->locals >> p & 1};
  struct build b = {test, making, shape, making->row == NULL, false};
  for (const char *p = shape->threads; *p && !b.fails;) {
    struct og_litmus_thread *thread = &test->thread[test->threads];
    struct og_buffer text = {0};
    if (*p == '>')
      thread->after = (uint8_t)((1u << test->threads) - 1), p++;
    thread->group = making->scope >= OG_SCOPE_AGENT && !making->near ? (uint8_t)test->threads : 0;
    thread->agent = making->scope == OG_SCOPE_SYSTEM && !making->near ? (uint8_t)test->threads : 0;
    test->threads++;
    emit_thread(&b, thread, &p, &text);
    b.fails |= !b.fails && !og_litmus_assemble(arena, test, thread, shape->name, (const char *)text.data, text.size, 1,
                                               diagnostics);
    og_buffer_free(&text);
    p += *p == '|';
    p += *p == ' ';
  }
  if (b.fails || !b.fits)
    return NULL;
  make_condition(test, shape->condition);
  return test;
}
