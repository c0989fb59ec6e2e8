/* debug_expressions.c - DWARF locations of variables in registers: register numbers and constants, in pieces if a
 * variable has several, or an expression that computes the value from them. */
#include "cc/debug_values.h"

#include <stdlib.h>
#include <string.h>

/* DWARF 5, section 7.7.1. */
enum {
  OP_CONSTU = 0x10, OP_CONSTS = 0x11, OP_PLUS_UCONST = 0x23, OP_OR = 0x21, OP_SHL = 0x24, OP_LIT0 = 0x30, OP_REGX =
  0x90, OP_BREGX = 0x92, OP_PIECE = 0x93, OP_STACK_VALUE = 0x9f,
};

/* User guide, "AMDGPU DWARF Register Identifier". */
static unsigned register_number(const struct cc_function *c, struct cc_operand o) {
  unsigned number = c->regs.items[o.value].physical + o.sub;
  bool wide = c->target->wave_size == 64;
  switch (c->regs.items[o.value].file) {
  case CC_S: return number < 64 ? 32 + number : 1088 + number - 64;
  case CC_V: return (wide ? 2560 : 1536) + number;
  default: return (wide ? 3072 : 2048) + number;
  }
}

static void put_piece(struct og_buffer *out, uint32_t bytes) {
  og_buffer_u8(out, OP_PIECE);
  og_buffer_uleb(out, bytes);
}

static void put_number(struct og_buffer *out, uint64_t number) {
  if (number < 32) {
    og_buffer_u8(out, (uint8_t)(OP_LIT0 + number));
    return;
  }
  og_buffer_u8(out, OP_CONSTU);
  og_buffer_uleb(out, number);
}

/* Pushes what a part holds on the expression's stack. */
static void push_part(const struct cc_values *v, uint32_t part, struct og_buffer *out) {
  struct cc_operand o = v->c->tracks->places.items[part];
  if (o.kind == CC_CONST) {
    put_number(out, o.value);
    return;
  }
  og_buffer_u8(out, OP_BREGX);
  og_buffer_uleb(out, register_number(v->c, o));
  og_buffer_sleb(out, 0);
}

/* Pushes an operand of a computed value, which may have 64 bits. */
static void push_argument(const struct cc_values *v, const struct cc_record *r, uint64_t argument,
                          struct og_buffer *out) {
  uint32_t first = r->first, end = r->first + r->parts;
  while (first < end && v->records->parts.items[first].argument != argument)
    first++;
  bool wide = first + 1 < end && v->records->parts.items[first + 1].argument == argument;
  if (wide) {
    push_part(v, first + 1, out);
    put_number(out, 32);
    og_buffer_u8(out, OP_SHL);
  }
  if (first < end)
    push_part(v, first, out);
  if (wide)
    og_buffer_u8(out, OP_OR);
}

static void put_computed(const struct cc_values *v, const struct cc_record *r, struct og_buffer *out) {
  const uint64_t *op = &v->records->operations.items[r->operations];
  bool named = false;
  for (uint32_t k = 0; k < r->length;
       k += 1 + (op[k] == OP_CONSTU || op[k] == OP_CONSTS || op[k] == OP_PLUS_UCONST || op[k] == CC_OP_ARGUMENT))
    named |= op[k] == CC_OP_ARGUMENT;
  if (!named)
    push_argument(v, r, 0, out);
  for (uint32_t k = 0; k < r->length; k++) {
    if (op[k] == CC_OP_ARGUMENT) {
      push_argument(v, r, op[++k], out);
      continue;
    }
    og_buffer_u8(out, (uint8_t)op[k]);
    if (op[k] == OP_CONSTU || op[k] == OP_PLUS_UCONST)
      og_buffer_uleb(out, op[++k]);
    else if (op[k] == OP_CONSTS)
      og_buffer_sleb(out, (int64_t)op[++k]);
  }
  og_buffer_u8(out, OP_STACK_VALUE);
}

static void put_part(const struct cc_values *v, uint32_t part, struct og_buffer *out) {
  struct cc_operand o = v->c->tracks->places.items[part];
  if (v->records->parts.items[part].ref == OG_IR_NONE)
    return;
  if (o.kind == CC_CONST) {
    push_part(v, part, out);
    og_buffer_u8(out, OP_STACK_VALUE);
  } else if (o.kind == CC_SLOT) {
    cc_debug_put_private(out, v->f, 4 * o.value);
  } else {
    og_buffer_u8(out, OP_REGX);
    og_buffer_uleb(out, register_number(v->c, o));
  }
}

/* Whether a record's two parts are the halves of one constant. */
static bool is_wide_constant(const struct cc_values *v, const struct cc_record *r) {
  const struct cc_operand *o = &v->c->tracks->places.items[r->first];
  return r->parts == 2 && o[0].kind == CC_CONST && o[1].kind == CC_CONST &&
         v->records->parts.items[r->first].index == 0 &&
         v->records->parts.items[r->first].ref == v->records->parts.items[r->first + 1].ref;
}

static bool is_spilled(const struct cc_values *v, const struct cc_record *r) {
  for (uint32_t k = r->first; k < r->first + r->parts; k++)
    if (v->c->tracks->places.items[k].kind == CC_SLOT)
      return true;
  return false;
}

/* What a record says, as a piece if there are other records beside it. */
static void put_record(const struct cc_values *v, const struct cc_record *r, bool beside, struct og_buffer *out) {
  if (r->length) {
    if (!is_spilled(v, r)) /* no expression is written for values that have been spilled */
      put_computed(v, r, out);
    if (beside)
      put_piece(out, r->size / 8);
    return;
  }
  if (!beside && is_wide_constant(v, r)) {
    const struct cc_operand *o = &v->c->tracks->places.items[r->first];
    put_number(out, o[0].value | (uint64_t)o[1].value << 32);
    og_buffer_u8(out, OP_STACK_VALUE);
    return;
  }
  for (uint32_t k = r->first; k < r->first + r->parts; k++) {
    put_part(v, k, out);
    if (beside || r->parts > 1)
      put_piece(out, v->records->parts.items[k].bytes);
  }
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static void add_range(struct cc_object *o, struct cc_debug_variable *to, uint32_t from, uint32_t until,
                      const struct og_buffer *text) {
  struct cc_debug_range *last = to->range_count ? &((struct cc_debug_range *)to->ranges)[to->range_count - 1] : NULL;
  if (!text->size)
    return;
  if (last && last->to == from && last->size == text->size && memcmp(last->expression, text->data, text->size) == 0) {
    last->to = until;
    return;
  }
  OG_VECTOR(struct cc_debug_range) list = {(struct cc_debug_range *)to->ranges, to->range_count, to->range_capacity};
  *OG_PUSH(o->arena, &list) = (struct cc_debug_range){
      from, until, og_arena_copy(o->arena, (const char *)text->data, text->size), (uint32_t)text->size};
  to->ranges = list.items, to->range_count = list.count, to->range_capacity = list.capacity;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static int by_offset(const void *a, const void *b, void *context) {
  const struct cc_subject *subjects = context, *x = &subjects[*(const uint32_t *)a],
                          *y = &subjects[*(const uint32_t *)b];
  return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1) : x->size < y->size ? -1 : x->size > y->size;
}

/* The locations of a variable between two addresses, from what is known of its bits. */
static void put_together(const struct cc_values *v, const struct cc_instance *i, uint32_t *next, uint32_t from,
                         struct og_buffer *out) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < i->subjects.count; k++) {
    const struct cc_subject *s = &v->subjects.items[i->subjects.items[k]];
    while (next[k] < s->ranges.count && s->ranges.items[next[k]].to <= from)
      next[k]++;
    if (next[k] == s->ranges.count || s->ranges.items[next[k]].from > from)
      continue;
    const struct cc_record *r = &v->records->list.items[s->ranges.items[next[k]].record];
    if (s->size && s->offset / 8 > at)
      put_piece(out, s->offset / 8 - at);
    put_record(v, r, s->size, out);
    at = (s->offset + s->size) / 8;
  }
}

void cc_put_ranges(struct cc_object *o, const struct cc_values *v, const struct cc_instance *i,
                   struct cc_debug_variable *to) {
  OG_VECTOR(uint32_t) borders = {0};
  uint32_t *next = OG_NEW_ARRAY(v->arena, uint32_t, i->subjects.count + 1);
  struct og_buffer text = {0};
  qsort_r(i->subjects.items, i->subjects.count, sizeof *i->subjects.items, by_offset, v->subjects.items);
  for (uint32_t k = 0; k < i->subjects.count; k++) {
    const struct cc_subject *s = &v->subjects.items[i->subjects.items[k]];
    for (uint32_t n = 0; n < s->ranges.count; n++) {
      *OG_PUSH(v->arena, &borders) = s->ranges.items[n].from;
      *OG_PUSH(v->arena, &borders) = s->ranges.items[n].to;
    }
  }
  if (borders.count)
    qsort(borders.items, borders.count, sizeof *borders.items, by_number);
  for (uint32_t k = 0; k + 1 < borders.count; k++) {
    if (borders.items[k] == borders.items[k + 1])
      continue;
    text.size = 0;
    put_together(v, i, next, borders.items[k], &text);
    add_range(o, to, borders.items[k], borders.items[k + 1], &text);
  }
  og_buffer_free(&text);
}
