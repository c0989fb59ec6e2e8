/* read_c.c - a thread in herd's C-like form: C11's and OpenCL's atomics, plain loads and stores. */
#include "litmus/reader.h"

#include <ctype.h>
#include <string.h>

bool og_litmus_read_parameters(struct og_litmus_reader *in, uint32_t *generic) {
  if (!og_litmus_expect(in, "("))
    return false;
  bool local = false, flat = false;
  struct og_text last = {0};
  for (;;) {
    og_litmus_skip(in);
    bool end = og_litmus_take(in, ")");
    if (end || og_litmus_take(in, ",")) {
      int place = last.size ? og_litmus_place_named(in, last, true) : -1;
      if (last.size && place < 0)
        return false;
      if (place >= 0) {
        in->test->place[place].local |= local;
        *generic |= (uint32_t)flat << place;
      }
      local = flat = false, last = (struct og_text){0};
      if (end)
        return true;
      continue;
    }
    if (og_litmus_take(in, "*"))
      continue;
    last = og_litmus_word(in);
    if (!last.size)
      return og_litmus_error(in, in->p, "expected parameters, as in (global atomic_int *x, local int *y)");
    local |= og_text_is(last, "local") || og_text_is(last, "__local") || og_text_is(last, "__shared__");
    flat |= og_text_is(last, "generic") || og_text_is(last, "__generic");
  }
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  uint8_t value;
} orders[] = {
    {"relaxed", OG_ORDER_MONOTONIC}, {"acquire", OG_ORDER_ACQUIRE}, {"release", OG_ORDER_RELEASE},
    {"acq_rel", OG_ORDER_ACQ_REL},   {"seq_cst", OG_ORDER_SEQ_CST},
};
static const struct {
  const char *name;
  uint8_t value;
} scopes[] = {
    {"work_item", OG_SCOPE_WAVE},       {"sub_group", OG_SCOPE_WAVE},         {"wavefront", OG_SCOPE_WAVE},
    {"work_group", OG_SCOPE_WORKGROUP}, {"workgroup", OG_SCOPE_WORKGROUP},    {"device", OG_SCOPE_AGENT},
    {"agent", OG_SCOPE_AGENT},          {"all_svm_devices", OG_SCOPE_SYSTEM}, {"all_devices", OG_SCOPE_SYSTEM},
    {"system", OG_SCOPE_SYSTEM},
};

static bool read_order(struct og_litmus_reader *in, struct og_litmus_op *op) {
  og_litmus_skip(in);
  const char *at = in->p;
  struct og_text word = og_litmus_word(in);
  if (og_text_skip(&word, "memory_order_"))
    for (size_t i = 0; i < OG_COUNT(orders); i++)
      if (og_text_is(word, orders[i].name)) {
        op->order = orders[i].value;
        return true;
      }
  return og_litmus_error(in, at, "expected memory_order_relaxed, _acquire, _release, _acq_rel or _seq_cst");
}

static bool read_scope(struct og_litmus_reader *in, struct og_litmus_op *op) {
  og_litmus_skip(in);
  const char *at = in->p;
  struct og_text word = og_litmus_word(in);
  if (og_text_skip(&word, "memory_scope_"))
    for (size_t i = 0; i < OG_COUNT(scopes); i++)
      if (og_text_is(word, scopes[i].name)) {
        op->scope = scopes[i].value;
        return true;
      }
  return og_litmus_error(in, at, "expected memory_scope_work_group, _device, _all_svm_devices or another scope");
}

/* Reads a number, or the name of a value that was loaded. */
static bool read_value(struct og_litmus_reader *in, const struct og_litmus_draft *draft, struct og_litmus_op *op) {
  og_litmus_skip(in);
  const char *at = in->p;
  struct og_text word = og_litmus_peek(in);
  if (!word.size || isdigit((unsigned char)*word.data)) {
    op->value.constant = true;
    return og_litmus_number(in, &op->value.value);
  }
  og_litmus_word(in);
  for (uint32_t r = 0; r < draft->results; r++)
    if (og_text_equal(draft->result[r], word)) {
      op->value = (struct og_litmus_source){false, r};
      return true;
    }
  return og_litmus_error(in, at, "'%.*s' has no value yet", OG_TEXT_ARGS(word));
}

static bool read_place(struct og_litmus_reader *in, struct og_litmus_op *op) {
  og_litmus_take(in, "&");
  int place = og_litmus_place_named(in, og_litmus_word(in), false);
  op->place = (uint8_t)OG_MAX(place, 0);
  return place >= 0;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static const struct function {
  const char *name;
  uint8_t kind, atomic;
} functions[] = {
    {"atomic_load", OG_DO_LOAD, 0},
    {"atomic_store", OG_DO_STORE, 0},
    {"atomic_exchange", OG_DO_RMW, OG_DOES_SWAP},
    {"atomic_fetch_add", OG_DO_RMW, OG_DOES_ADD},
    {"atomic_fetch_sub", OG_DO_RMW, OG_DOES_SUB},
    {"atomic_fetch_and", OG_DO_RMW, OG_DOES_AND},
    {"atomic_fetch_or", OG_DO_RMW, OG_DOES_OR},
    {"atomic_fetch_xor", OG_DO_RMW, OG_DOES_XOR},
    {"atomic_fetch_min", OG_DO_RMW, OG_DOES_MIN},
    {"atomic_fetch_max", OG_DO_RMW, OG_DOES_MAX},
    {"atomic_thread_fence", OG_DO_FENCE, 0},
    {"atomic_work_item_fence", OG_DO_FENCE, 0},
};

static const struct function *find_function(struct og_text word, bool *is_explicit) {
  for (size_t i = 0; i < OG_COUNT(functions); i++) {
    struct og_text rest = word;
    if (og_text_skip(&rest, functions[i].name) && (!rest.size || og_text_is(rest, "_explicit"))) {
      *is_explicit = rest.size || functions[i].kind == OG_DO_FENCE;
      return &functions[i];
    }
  }
  return NULL;
}

static bool read_call(struct og_litmus_reader *in, const struct og_litmus_draft *draft, const struct function *function,
                      bool is_explicit, struct og_litmus_op *op) {
  const char *at = in->p;
  op->kind = function->kind, op->atomic = function->atomic, op->order = OG_ORDER_SEQ_CST, op->scope = OG_SCOPE_AGENT;
  if (!og_litmus_expect(in, "("))
    return false;
  if (op->kind != OG_DO_FENCE && !read_place(in, op))
    return false;
  if ((op->kind == OG_DO_STORE || op->kind == OG_DO_RMW) && (!og_litmus_expect(in, ",") || !read_value(in, draft, op)))
    return false;
  if (og_text_is(og_text(function->name), "atomic_work_item_fence")) { /* skips its flags: both memories are fenced */
    while (in->p < in->end && *in->p != ',')
      in->p++;
    if (!og_litmus_expect(in, ","))
      return false;
  } else if (is_explicit && op->kind != OG_DO_FENCE && !og_litmus_expect(in, ",")) {
    return false;
  }
  if (is_explicit && (!read_order(in, op) || (og_litmus_take(in, ",") && !read_scope(in, op))))
    return false;
  if ((op->kind == OG_DO_LOAD && (op->order == OG_ORDER_RELEASE || op->order == OG_ORDER_ACQ_REL)) ||
      (op->kind == OG_DO_STORE && (op->order == OG_ORDER_ACQUIRE || op->order == OG_ORDER_ACQ_REL)))
    return og_litmus_error(in, at, "a %s has no such order", op->kind == OG_DO_LOAD ? "load" : "store");
  return og_litmus_expect(in, ")");
}

/* The number of a result; a name that is known gets a new value. */
static int result_named(struct og_litmus_reader *in, struct og_litmus_draft *draft, struct og_text name) {
  for (uint32_t r = 0; r < draft->results; r++)
    if (og_text_equal(draft->result[r], name))
      return (int)r;
  if (draft->results == OG_LITMUS_RESULTS) {
    og_litmus_error(in, name.data, "a thread of a litmus test has at most %d results", OG_LITMUS_RESULTS);
    return -1;
  }
  draft->result[draft->results] = name;
  return (int)draft->results++;
}

/* Reads "int r0 = atomic_load_explicit(...)" or "int r0 = *x"; the declaration may be left out. */
static bool read_assignment(struct og_litmus_reader *in, struct og_litmus_draft *draft, struct og_text name,
                            struct og_litmus_op *op) {
  if (!og_litmus_expect(in, "="))
    return false;
  bool is_explicit;
  if (og_litmus_take(in, "*")) {
    op->kind = OG_DO_LOAD;
    if (!read_place(in, op))
      return false;
  } else {
    og_litmus_skip(in);
    const char *at = in->p;
    const struct function *function = find_function(og_litmus_word(in), &is_explicit);
    if (!function || function->kind == OG_DO_STORE || function->kind == OG_DO_FENCE)
      return og_litmus_error(in, at, "expected *LOCATION, an atomic load or a read-modify-write");
    if (!read_call(in, draft, function, is_explicit, op))
      return false;
  }
  int result = result_named(in, draft, name);
  op->result = (uint8_t)OG_MAX(result, 0);
  op->returns = true;
  return result >= 0;
}

static bool read_statement(struct og_litmus_reader *in, struct og_litmus_draft *draft, struct og_litmus_op *op) {
  static const char *const types[] = {"int", "unsigned", "uint", "uint32_t", "int32_t"};
  og_litmus_skip(in);
  const char *at = in->p;
  if (og_litmus_take(in, "*")) {
    op->kind = OG_DO_STORE;
    return read_place(in, op) && og_litmus_expect(in, "=") && read_value(in, draft, op);
  }
  struct og_text word = og_litmus_word(in);
  bool is_explicit;
  const struct function *function = find_function(word, &is_explicit);
  if (function && function->kind == OG_DO_LOAD)
    return og_litmus_error(in, at, "the value of this load goes nowhere");
  if (function)
    return read_call(in, draft, function, is_explicit, op);
  for (size_t i = 0; i < OG_COUNT(types); i++)
    if (og_text_is(word, types[i])) {
      word = og_litmus_word(in);
      break;
    }
  if (!word.size || isdigit((unsigned char)*word.data))
    return og_litmus_error(in, at, "expected a statement, as in 'int r0 = atomic_load_explicit(x, ...);' or '*x = 1;'");
  return read_assignment(in, draft, word, op);
}

bool og_litmus_read_body(struct og_litmus_reader *in, unsigned thread) {
  struct og_litmus_draft *draft = &in->draft[thread];
  while (!og_litmus_take(in, "}")) {
    if (og_litmus_take(in, ";"))
      continue;
    if (draft->ops == OG_LITMUS_OPS)
      return og_litmus_error(in, in->p, "a thread of a litmus test has at most %d statements", OG_LITMUS_OPS);
    struct og_litmus_op *op = &draft->op[draft->ops];
    *op = (struct og_litmus_op){0};
    if (!read_statement(in, draft, op) || !og_litmus_expect(in, ";"))
      return false;
    draft->ops++;
  }
  return true;
}
