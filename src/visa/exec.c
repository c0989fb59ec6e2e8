/* exec.c - the run loop of one vISA thread: operands, arithmetic, predicates, addresses, control flow, barriers.
   Channels that wait for a reconvergence point stand in a stack sorted by place, the nearest on top: the thread always
   runs the channels that are furthest behind, which is what goto's rules amount to. */
#include "visa/exec.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* ---- faults and modes -------------------------------------------------------------------------------------------- */

const struct og_vx_op *og_vx_fault(struct og_vx_thread *thread, const struct og_vx_op *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(thread->fault, sizeof thread->fault, format, args);
  va_end(args);
  thread->state = OG_VX_FAULT;
  thread->next = op;
  return NULL;
}

/* The control register: bits 4 and 5 rounding (nearest, up, down, zero), 6 and 7 keep denormals of double and single. */
void og_vx_mode_apply(uint32_t control) {
  static const int rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  fesetround(rounding[control >> 4 & 3]);
#if defined(__x86_64__)
  unsigned flush = 0x8040; /* flush to zero, denormals are zero */
  _mm_setcsr((_mm_getcsr() & ~flush) | (control & 0x80 ? 0 : flush));
#endif
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static inline void copy_element(uint8_t *to, const uint8_t *from, unsigned size_log2) {
  switch (size_log2) {
  case 0: *to = *from; break;
  case 1: memcpy(to, from, 2); break;
  case 2: memcpy(to, from, 4); break;
  default: memcpy(to, from, 8); break;
  }
}

static const void *gather_region(struct og_vx_thread *thread, const struct og_vx_source *source, uint32_t count,
                                 uint8_t *room) {
  const uint8_t *origin = thread->base[OG_VX_REGISTERS] + source->offset;
  uint32_t log2 = source->size_log2, width = source->width;
  for (uint32_t i = 0, row = 0, column = 0; i < count; i++) {
    copy_element(room + (i << log2), origin + ((row * source->vertical + column * source->horizontal) << log2), log2);
    if (++column == width)
      column = 0, row++;
  }
  return room;
}

static bool indirect_fits(struct og_vx_thread *thread, const struct og_vx_op *op, int64_t at, uint32_t size_log2) {
  if (at >= 0 && at + (1 << size_log2) <= (int64_t)thread->program->register_size)
    return true;
  og_vx_fault(thread, op, "indirect operand reaches outside the variables");
  return false;
}

/* When what is undefined is an error: the element stands inside the variable the address was taken of, aligned to its type. */
static bool indirect_is_defined(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t element, int64_t at,
                                uint32_t size_log2) {
  const struct og_vx_bounds *bounds = &thread->bounds[element];
  if (at & ((1 << size_log2) - 1)) {
    og_vx_fault(thread, op, "undefined: an indirect operand at byte %lld is not aligned to its type's %d bytes",
                (long long)at, 1 << size_log2);
    return false;
  }
  if (bounds->high && (at < bounds->low || at + (1 << size_log2) > bounds->high)) {
    og_vx_fault(thread, op, "undefined: an indirect operand reaches byte %lld of a variable of %u bytes",
                (long long)at - bounds->low, bounds->high - bounds->low);
    return false;
  }
  return true;
}

static const void *gather_indirect(struct og_vx_thread *thread, const struct og_vx_op *op,
                                   const struct og_vx_source *source, uint32_t count, uint8_t *room) {
  uint32_t log2 = source->size_log2;
  const uint32_t *addresses = thread->addresses + source->address;
  for (uint32_t i = 0, row = 0, column = 0; i < count; i++) {
    int64_t at =
        (int64_t)addresses[source->multi_address ? row : 0] + source->displacement +
        (int64_t)((column * source->horizontal + (source->multi_address ? 0 : row * source->vertical)) << log2);
    if (!indirect_fits(thread, op, at, log2) ||
        (thread->bounds &&
         !indirect_is_defined(thread, op, source->address + (source->multi_address ? row : 0), at, log2)))
      return NULL;
    copy_element(room + (i << log2), thread->base[OG_VX_REGISTERS] + at, log2);
    if (++column == source->width)
      column = 0, row++;
  }
  return room;
}

const void *og_vx_fetch(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_source *source,
                        uint32_t count, void *room) {
  const void *values;
  uint32_t needed = count;
  switch (source->kind) {
  case OG_VX_DIRECT: values = thread->base[source->base] + source->offset; break;
  case OG_VX_SCALAR:
    values = thread->base[source->base] + source->offset;
    needed = 1;
    break;
  case OG_VX_REGION: values = gather_region(thread, source, count, room); break;
  default:
    values = gather_indirect(thread, op, source, count, room);
    if (!values)
      return NULL;
  }
  if (source->convert && values != room) {
    source->convert(room, values, NULL, NULL, needed, 0);
    values = room;
  } else if (source->convert) { /* in place it would widen into elements not yet read */
    uint8_t spare[OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
    source->convert(spare, room, NULL, NULL, needed, 0);
    memcpy(room, spare, (size_t)needed * og_alu_sizes[source->wide]);
  }
  og_alu_fn *const modifiers[] = {source->absolute, source->negate, source->invert};
  for (uint32_t i = 0; i < OG_COUNT(modifiers); i++)
    if (modifiers[i]) {
      modifiers[i](room, values, NULL, NULL, needed, 0);
      values = room;
    }
  if (source->kind == OG_VX_SCALAR) {
    uint8_t element[8];
    memcpy(element, values, og_alu_sizes[source->wide]);
    thread->alu->broadcast[__builtin_ctz(og_alu_sizes[source->wide])](room, element, NULL, NULL, count, 0);
    return room;
  }
  return values;
}

uint64_t og_vx_scalar(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_source *source) {
  uint8_t room[OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  const void *values = og_vx_fetch(thread, op, source, 1, room);
  if (!values)
    return 0;
  return og_alu_sizes[source->wide] == 8 ? og_load64(values) : og_load32(values);
}

static bool store_indirect(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_destination *to,
                           const uint8_t *values, uint32_t enabled) {
  for (uint32_t left = enabled; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    int64_t at =
        (int64_t)thread->addresses[to->address] + to->displacement + (int64_t)((i * to->stride) << to->size_log2);
    if (!indirect_fits(thread, op, at, to->size_log2) ||
        (thread->bounds && !indirect_is_defined(thread, op, to->address, at, to->size_log2)))
      return false;
    copy_element(thread->base[OG_VX_REGISTERS] + at, values + (i << to->size_log2), to->size_log2);
  }
  return true;
}

bool og_vx_store(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_destination *to,
                 const void *values, uint32_t enabled) {
  uint8_t room[OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  uint32_t count = op->exec_size;
  if (to->clamp) {
    to->clamp(room, values, NULL, NULL, count, 0);
    values = room;
  }
  uint8_t narrow[OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  if (to->convert) {
    to->convert(narrow, values, NULL, NULL, count, 0);
    values = narrow;
  }
  if (to->indirect)
    return store_indirect(thread, op, to, values, enabled);
  uint8_t *out = thread->base[OG_VX_REGISTERS] + to->offset;
  if (to->stride == 1) {
    if (enabled == op->full)
      memcpy(out, values, (size_t)count << to->size_log2);
    else
      thread->alu->blend[to->size_log2](out, values, NULL, NULL, count, enabled);
  } else {
    for (uint32_t left = enabled; left; left &= left - 1) {
      uint32_t i = (uint32_t)__builtin_ctz(left);
      copy_element(out + ((i * to->stride) << to->size_log2), (const uint8_t *)values + (i << to->size_log2),
                   to->size_log2);
    }
  }
  if (to->mode) {
    uint32_t control = og_load32(thread->base[OG_VX_REGISTERS] + thread->program->cr0);
    if (control != thread->mode)
      og_vx_mode_apply(thread->mode = control);
  }
  return true;
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

#define ROOM(name) uint8_t name[OG_VX_OPERAND_BYTES] __attribute__((aligned(64)))

/* As og_vx_fetch, with the commonest cases at hand. */
static inline const void *operand(struct og_vx_thread *thread, const struct og_vx_op *op,
                                  const struct og_vx_source *source, void *room) {
  if (!source->convert && !source->absolute && !source->negate && !source->invert) {
    if (source->kind == OG_VX_DIRECT)
      return thread->base[source->base] + source->offset;
    if (source->kind == OG_VX_SCALAR) {
      thread->alu->broadcast[source->size_log2](room, thread->base[source->base] + source->offset, NULL, NULL,
                                                op->exec_size, 0);
      return room;
    }
  }
  return og_vx_fetch(thread, op, source, op->exec_size, room);
}

const struct og_vx_op *og_vx_run_alu(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op);
  if (!enabled)
    return op + 1;
  ROOM(room0);
  ROOM(room1);
  ROOM(room2);
  ROOM(out);
  void *const rooms[3] = {room0, room1, room2};
  const void *in[3] = {NULL, NULL, NULL};
  for (uint32_t i = 0; i < op->source_count; i++)
    if (!(in[i] = operand(thread, op, &op->source[i], rooms[i])))
      return NULL;
  if (op->destination.direct && enabled == op->full) {
    op->alu(thread->base[OG_VX_REGISTERS] + op->destination.offset, in[0], in[1], in[2], op->exec_size, op->extra);
    return op + 1;
  }
  op->alu(out, in[0], in[1], in[2], op->exec_size, op->extra);
  return og_vx_store(thread, op, &op->destination, out, enabled) ? op + 1 : NULL;
}

/* The common case: all operands contiguous and of the operation's type, the result written in place. */
#define IN_PLACE(i) (thread->base[op->in_base[i]] + op->in[i])
static __attribute__((noinline)) const struct og_vx_op *masked(struct og_vx_thread *thread, const struct og_vx_op *op,
                                                               uint32_t enabled, const void *a, const void *b,
                                                               const void *c) {
  ROOM(room);
  if (enabled) {
    op->alu(room, a, b, c, op->exec_size, op->extra);
    thread->alu->blend[op->out_log2](thread->base[OG_VX_REGISTERS] + op->out, room, NULL, NULL, op->exec_size, enabled);
  }
  return op + 1;
}

#define DIRECT(name, ...)                                                                                              \
  const struct og_vx_op *name(struct og_vx_thread *thread, const struct og_vx_op *op) {                                \
    uint32_t enabled = og_vx_enabled(thread, op);                                                                      \
    if (__builtin_expect(enabled != op->full, 0))                                                                      \
      return masked(thread, op, enabled, __VA_ARGS__);                                                                 \
    op->alu(thread->base[OG_VX_REGISTERS] + op->out, __VA_ARGS__, op->exec_size, op->extra);                           \
    return op + 1;                                                                                                     \
  }
DIRECT(og_vx_run_alu1, IN_PLACE(0), NULL, NULL)
DIRECT(og_vx_run_alu2, IN_PLACE(0), IN_PLACE(1), NULL)
DIRECT(og_vx_run_alu3, IN_PLACE(0), IN_PLACE(1), IN_PLACE(2))

/* addc, subb, madw: the low result and the carry, borrow or high half. */
const struct og_vx_op *og_vx_run_two_results(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op);
  if (!enabled)
    return op + 1;
  uint8_t room[3][OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  ROOM(low);
  ROOM(high);
  const void *in[3] = {NULL, NULL, NULL};
  for (uint32_t i = 0; i < op->source_count; i++)
    if (!(in[i] = og_vx_fetch(thread, op, &op->source[i], op->exec_size, room[i])))
      return NULL;
  op->alu(low, in[0], in[1], in[2], op->exec_size, 0);
  op->alu2(high, in[0], in[1], in[2], op->exec_size, 0);
  return og_vx_store(thread, op, &op->destination, low, enabled) &&
                 og_vx_store(thread, op, &op->destination2, high, enabled)
             ? op + 1
             : NULL;
}

/* sel: the predicate chooses, the execution mask enables. */
const struct og_vx_op *og_vx_run_select(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_mask(thread, op), first = og_vx_predicate_bits(thread, op);
  if (!enabled)
    return op + 1;
  ROOM(room0);
  ROOM(room1);
  ROOM(out);
  const void *a = og_vx_fetch(thread, op, &op->source[0], op->exec_size, room0);
  const void *b = a ? og_vx_fetch(thread, op, &op->source[1], op->exec_size, room1) : NULL;
  if (!b)
    return NULL;
  if (op->destination.direct && enabled == op->full) {
    op->alu(thread->base[OG_VX_REGISTERS] + op->destination.offset, a, b, NULL, op->exec_size, first);
    return op + 1;
  }
  op->alu(out, a, b, NULL, op->exec_size, first);
  return og_vx_store(thread, op, &op->destination, out, enabled) ? op + 1 : NULL;
}

static bool compare_bits(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t *bits) {
  ROOM(room0);
  ROOM(room1);
  const void *a = og_vx_fetch(thread, op, &op->source[0], op->exec_size, room0);
  const void *b = a ? og_vx_fetch(thread, op, &op->source[1], op->exec_size, room1) : NULL;
  if (b)
    op->alu(bits, a, b, NULL, op->exec_size, 0);
  return b;
}

const struct og_vx_op *og_vx_run_compare(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), bits;
  if (!enabled)
    return op + 1;
  if (!compare_bits(thread, op, &bits))
    return NULL;
  uint32_t *to = &thread->predicates[op->predicate_destination];
  *to = (*to & ~(enabled << op->mask_offset)) | (bits & enabled) << op->mask_offset;
  return op + 1;
}

/* Both operands where they stand, or one element of them; `kind`: the first element's answer is everybody's. */
const struct og_vx_op *og_vx_run_compare2(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), bits;
  op->alu(&bits, IN_PLACE(0), IN_PLACE(1), NULL, op->kind ? 1 : op->exec_size, 0);
  if (op->kind)
    bits = bits & 1 ? op->full : 0;
  uint32_t *to = &thread->predicates[op->predicate_destination];
  *to = (*to & ~(enabled << op->mask_offset)) | (bits & enabled) << op->mask_offset;
  return op + 1;
}

/* cmp into a general variable: all ones where it holds. */
const struct og_vx_op *og_vx_run_compare_store(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), bits;
  if (!enabled)
    return op + 1;
  if (!compare_bits(thread, op, &bits))
    return NULL;
  ROOM(out);
  uint32_t log2 = op->destination.size_log2;
  for (uint32_t i = 0; i < op->exec_size; i++)
    memset(out + (i << log2), bits >> i & 1 ? 0xff : 0, (size_t)1 << log2);
  return og_vx_store(thread, op, &op->destination, out, enabled) ? op + 1 : NULL;
}

/* bfi: width, offset, what to insert, into what. */
const struct og_vx_op *og_vx_run_insert(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), out[OG_VX_CHANNELS];
  uint8_t room[4][OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  const uint32_t *in[4];
  for (uint32_t i = 0; i < 4; i++)
    if (!(in[i] = og_vx_fetch(thread, op, &op->source[i], op->exec_size, room[i])))
      return NULL;
  for (uint32_t i = 0; i < op->exec_size; i++) {
    uint32_t mask = ((1u << (in[0][i] & 31)) - 1) << (in[1][i] & 31);
    out[i] = (in[2][i] << (in[1][i] & 31) & mask) | (in[3][i] & ~mask);
  }
  return og_vx_store(thread, op, &op->destination, out, enabled) ? op + 1 : NULL;
}

/* dp2, dp3, dp4, dph, line and pln in groups of four channels, in f32. */
const struct og_vx_op *og_vx_run_sum_of_products(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op);
  ROOM(room0);
  ROOM(room1);
  const float *a = og_vx_fetch(thread, op, &op->source[0], op->exec_size, room0);
  const float *b = a ? og_vx_fetch(thread, op, &op->source[1], op->exec_size, room1) : NULL;
  if (!b)
    return NULL;
  float out[OG_VX_CHANNELS];
  for (uint32_t i = 0; i < op->exec_size; i += 4) {
    float sum = op->kind == 5 ? b[i + 3] : 0; /* dph: the fourth of a counts as one */
    for (uint32_t k = 0; k < (op->kind == 5 ? 3u : op->kind); k++)
      sum += a[i + k] * b[i + k];
    for (uint32_t k = 0; k < 4; k++)
      out[i + k] = sum;
  }
  return og_vx_store(thread, op, &op->destination, out, enabled) ? op + 1 : NULL;
}

/* ---- predicates, addresses, state variables ---------------------------------------------------------------------- */

enum { LOGIC_AND, LOGIC_OR, LOGIC_XOR, LOGIC_NOT };

/* and, or, xor, not over whole predicates; all channels are written. */
const struct og_vx_op *og_vx_run_predicate_logic(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t a = thread->predicates[op->predicate_source], b = thread->predicates[op->predicate_source2];
  uint32_t result = op->kind == LOGIC_AND ? a & b : op->kind == LOGIC_OR ? a | b : op->kind == LOGIC_XOR ? a ^ b : ~a;
  uint32_t *to = &thread->predicates[op->predicate_destination], field = op->full << op->mask_offset;
  *to = (*to & ~field) | (result & field);
  return op + 1;
}

/* setp: a scalar's bits, or each element's lowest. */
const struct og_vx_op *og_vx_run_setp(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t *to = &thread->predicates[op->predicate_destination];
  if (op->kind) {
    uint32_t bits = (uint32_t)og_vx_scalar(thread, op, &op->source[0]), field = op->full << op->mask_offset;
    *to = (*to & ~field) | (bits << op->mask_offset & field);
    return thread->state == OG_VX_RUNNING ? op + 1 : NULL;
  }
  ROOM(room);
  const uint32_t *values = og_vx_fetch(thread, op, &op->source[0], op->exec_size, room);
  if (!values)
    return NULL;
  uint32_t bits = 0, enabled = og_vx_enabled(thread, op);
  for (uint32_t i = 0; i < op->exec_size; i++)
    bits |= (values[i] & 1) << i;
  *to = (*to & ~(enabled << op->mask_offset)) | (bits & enabled) << op->mask_offset;
  return op + 1;
}

/* mov V P: the predicate's bits as an integer. */
const struct og_vx_op *og_vx_run_move_predicate(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), values[OG_VX_CHANNELS];
  for (uint32_t i = 0; i < op->exec_size; i++)
    values[i] = thread->predicates[op->predicate_source];
  return og_vx_store(thread, op, &op->destination, values, enabled) ? op + 1 : NULL;
}

/* addr_add A &V offset, addr_add A A offset: `kind` 1 when the base is a variable's place (`extra`), else address elements
   from predicate_source on, `target` of them. */
const struct og_vx_op *og_vx_run_address(struct og_vx_thread *thread, const struct og_vx_op *op) {
  ROOM(room);
  const uint32_t *offsets = og_vx_fetch(thread, op, &op->source[0], op->exec_size, room);
  if (!offsets)
    return NULL;
  uint32_t enabled = og_vx_enabled(thread, op), results[OG_VX_CHANNELS];
  for (uint32_t i = 0; i < op->exec_size; i++)
    results[i] = offsets[i] + (op->kind ? op->extra : thread->addresses[op->predicate_source + i % op->target]);
  for (uint32_t i = 0; i < op->exec_size; i++)
    if (enabled >> i & 1) {
      thread->addresses[op->predicate_destination + i] = results[i];
      if (thread->bounds)
        thread->bounds[op->predicate_destination + i] = op->kind
                                                            ? (struct og_vx_bounds){op->in[0], op->in[1]}
                                                            : thread->bounds[op->predicate_source + i % op->target];
    }
  return op + 1;
}

/* mov A V, and mov V A (`kind` 1). */
const struct og_vx_op *og_vx_run_move_address(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op);
  if (op->kind)
    return og_vx_store(thread, op, &op->destination, thread->addresses + op->predicate_source, enabled) ? op + 1 : NULL;
  ROOM(room);
  const uint32_t *values = og_vx_fetch(thread, op, &op->source[0], op->exec_size, room);
  if (!values)
    return NULL;
  for (uint32_t i = 0; i < op->exec_size; i++)
    if (enabled >> i & 1) {
      thread->addresses[op->predicate_destination + i] = values[i];
      if (thread->bounds)
        thread->bounds[op->predicate_destination + i] = (struct og_vx_bounds){0};
    }
  return op + 1;
}

/* movs: between surface variables and general ones. `kind`: 0 into a surface, 1 out of one, 2 from one to another. */
const struct og_vx_op *og_vx_run_move_surface(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (op->kind == 2) {
    thread->surfaces[op->predicate_destination] = thread->surfaces[op->predicate_source];
    return op + 1;
  }
  if (op->kind == 1) {
    uint32_t values[OG_VX_CHANNELS];
    for (uint32_t i = 0; i < op->exec_size; i++)
      values[i] = thread->surfaces[op->predicate_source];
    return og_vx_store(thread, op, &op->destination, values, og_vx_enabled(thread, op)) ? op + 1 : NULL;
  }
  thread->surfaces[op->predicate_destination] = (uint32_t)og_vx_scalar(thread, op, &op->source[0]);
  return thread->state == OG_VX_RUNNING ? op + 1 : NULL;
}

/* ---- control flow ------------------------------------------------------------------------------------------------ */

static const struct og_vx_op *op_at(const struct og_vx_thread *thread, uint32_t index) {
  return thread->program->ops + index;
}

static bool push_wait(struct og_vx_thread *thread, uint32_t target, uint32_t channels) {
  uint32_t at = thread->wait_count;
  while (at > thread->wait_base && thread->waits[at - 1].op < target)
    at--;
  if (at > thread->wait_base && thread->waits[at - 1].op == target) {
    thread->waits[at - 1].channels |= channels;
    return true;
  }
  if (thread->wait_count == OG_VX_WAITS)
    return false;
  memmove(&thread->waits[at + 1], &thread->waits[at], (thread->wait_count - at) * sizeof thread->waits[0]);
  thread->waits[at] = (struct og_vx_wait){target, channels};
  thread->wait_count++;
  return true;
}

/* No channel is left here: on to where some wait. */
static const struct og_vx_op *resume(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (thread->wait_count == thread->wait_base)
    return og_vx_fault(thread, op, "no channel is left to run and none waits");
  const struct og_vx_wait *wait = &thread->waits[--thread->wait_count];
  thread->channels = wait->channels;
  return op_at(thread, wait->op);
}

/* Channels that take a branch. */
static uint32_t taken(const struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (!op->uniform)
    return og_vx_enabled(thread, op) << op->mask_offset & thread->channels;
  if (op->predicate_mode == OG_VX_PREDICATE_NONE || og_vx_predicate_bits(thread, op) & 1)
    return thread->channels;
  return 0;
}

static const struct og_vx_op *interrupted(struct og_vx_thread *thread, const struct og_vx_op *op) {
  thread->state = OG_VX_INTERRUPTED;
  thread->next = op;
  return NULL;
}

/* Counts the operations of the stretch that a branch ends; false when the dispatch's time may be over. */
static bool spend(struct og_vx_thread *thread) {
  return thread->budget == 0 || --thread->budget > 0;
}

const struct og_vx_op *og_vx_run_goto_forward(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op);
  if (!channels)
    return op + 1;
  thread->channels &= ~channels;
  if (!push_wait(thread, op->target, channels))
    return og_vx_fault(thread, op, "more than %d places where channels wait", OG_VX_WAITS);
  return thread->channels ? op + 1 : resume(thread, op);
}

const struct og_vx_op *og_vx_run_goto_backward(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op), rest = thread->channels & ~channels;
  if (!channels)
    return op + 1;
  if (!spend(thread))
    return interrupted(thread, op);
  if (rest && !push_wait(thread, (uint32_t)(op - thread->program->ops) + 1, rest))
    return og_vx_fault(thread, op, "more than %d places where channels wait", OG_VX_WAITS);
  thread->channels = channels;
  return op_at(thread, op->target);
}

const struct og_vx_op *og_vx_run_join(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t here = (uint32_t)(op - thread->program->ops);
  while (thread->wait_count > thread->wait_base && thread->waits[thread->wait_count - 1].op == here)
    thread->channels |= thread->waits[--thread->wait_count].channels;
  return op + 1;
}

const struct og_vx_op *og_vx_run_jump(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (op->predicate_mode != OG_VX_PREDICATE_NONE && !(og_vx_predicate_bits(thread, op) & 1))
    return op + 1;
  if (!spend(thread))
    return interrupted(thread, op);
  return op_at(thread, op->target);
}

const struct og_vx_op *og_vx_run_switch(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint64_t index = og_vx_scalar(thread, op, &op->source[0]);
  if (thread->state != OG_VX_RUNNING)
    return NULL;
  if (index >= op->extra)
    return og_vx_fault(thread, op, "switchjmp index %llu has no label; there are %u", (unsigned long long)index,
                       op->extra);
  return spend(thread) ? op_at(thread, op->targets[index]) : interrupted(thread, op);
}

const struct og_vx_op *og_vx_run_call(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op);
  if (!channels)
    return op + 1;
  if (thread->frame_count == OG_VX_CALL_DEPTH)
    return og_vx_fault(thread, op, "calls nest deeper than %d", OG_VX_CALL_DEPTH);
  if (!spend(thread))
    return interrupted(thread, op);
  uint32_t back = (uint32_t)(op - thread->program->ops) + 1;
  thread->frames[thread->frame_count++] = (struct og_vx_frame){
      .return_op = back, .channels = thread->channels, .call_mask = thread->call_mask, .wait_base = thread->wait_base};
  thread->wait_base = thread->wait_count;
  thread->channels = thread->call_mask = channels;
  return op_at(thread, op->target);
}

size_t og_vx_state_size(const struct og_vx_program *program) {
  size_t words = (size_t)program->predicate_count + 3 * program->address_count + program->surface_count;
  return og_align_up(program->register_size, 64) + og_align_up(4 * words, 64);
}

void og_vx_set_state(struct og_vx_thread *thread, const struct og_vx_program *program, uint8_t *memory) {
  thread->program = program;
  thread->base[OG_VX_REGISTERS] = memory;
  thread->base[OG_VX_CONSTANTS] = program->constants;
  thread->predicates = (uint32_t *)(void *)(memory + og_align_up(program->register_size, 64));
  thread->addresses = thread->predicates + program->predicate_count;
  thread->surfaces = thread->addresses + program->address_count;
  if (thread->check)
    thread->bounds = (struct og_vx_bounds *)(void *)(thread->surfaces + program->surface_count);
}

/* The function called: its name was resolved already, or its address is given. */
static const struct og_vx_program *find_callee(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (op->callee)
    return op->callee;
  uint64_t address = og_vx_scalar(thread, op, &op->source[0]),
           index = (address - OG_VX_FUNCTION_FIRST) / OG_VX_FUNCTION_STEP;
  const struct og_vx_functions *functions = thread->program->functions;
  if (thread->state != OG_VX_RUNNING)
    return NULL;
  if (address >= OG_VX_FUNCTION_FIRST && address % OG_VX_FUNCTION_STEP == 0 && index < functions->items.count)
    return functions->items.items[index];
  og_vx_fault(thread, op, "no function is at 0x%llx", (unsigned long long)address);
  return NULL;
}

/* fcall, ifcall: the callee has variables of its own; predefined ones (%arg, %retval, %sp, %fp) go over and come back. */
const struct og_vx_op *og_vx_run_function_call(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op);
  if (!channels)
    return op + 1;
  const struct og_vx_program *callee = find_callee(thread, op), *caller = thread->program;
  if (!callee)
    return NULL;
  if (thread->frame_count == OG_VX_CALL_DEPTH)
    return og_vx_fault(thread, op, "calls nest deeper than %d", OG_VX_CALL_DEPTH);
  if (!spend(thread))
    return interrupted(thread, op);
  size_t size = og_vx_state_size(callee);
  uint8_t *memory = aligned_alloc(64, size);
  if (!memory)
    return og_vx_fault(thread, op, "no memory for the call");
  memset(memory, 0, size);
  memcpy(memory, thread->base[OG_VX_REGISTERS], caller->shared_size);
  thread->frames[thread->frame_count++] = (struct og_vx_frame){
      (uint32_t)(op - caller->ops) + 1, thread->channels, thread->call_mask, thread->wait_base, caller,
      thread->base[OG_VX_REGISTERS]};
  thread->wait_base = thread->wait_count;
  thread->channels = thread->call_mask = channels;
  og_vx_set_state(thread, callee, memory);
  return callee->ops;
}

/* Back to the caller's variables. */
static void leave_function(struct og_vx_thread *thread, const struct og_vx_frame *frame) {
  uint8_t *memory = thread->base[OG_VX_REGISTERS];
  memcpy(frame->registers, memory, frame->program->shared_size);
  og_vx_set_state(thread, frame->program, frame->registers);
  free(memory);
}

void og_vx_unwind(struct og_vx_thread *thread) {
  while (thread->frame_count > 0) {
    const struct og_vx_frame *frame = &thread->frames[--thread->frame_count];
    if (frame->program)
      leave_function(thread, frame);
  }
}

const struct og_vx_op *og_vx_run_return(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op);
  thread->call_mask &= ~channels;
  thread->channels &= ~channels;
  if (thread->channels)
    return op + 1;
  if (thread->call_mask)
    return resume(thread, op);
  if (thread->frame_count == 0) {
    thread->state = OG_VX_DONE;
    return NULL;
  }
  const struct og_vx_frame *frame = &thread->frames[--thread->frame_count];
  thread->wait_count = thread->wait_base;
  thread->wait_base = frame->wait_base;
  thread->channels = frame->channels;
  thread->call_mask = frame->call_mask;
  if (frame->program)
    leave_function(thread, frame);
  return op_at(thread, frame->return_op);
}

const struct og_vx_op *og_vx_run_nothing(struct og_vx_thread *thread, const struct og_vx_op *op) {
  (void)thread;
  return op + 1;
}

/* Behind the last instruction. */
const struct og_vx_op *og_vx_run_end(struct og_vx_thread *thread, const struct og_vx_op *op) {
  return og_vx_fault(thread, op, "the kernel runs past its last instruction; a ret is missing");
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

enum { BOTH, PRODUCER, CONSUMER };

static void arrive(struct og_vx_thread *thread, uint32_t id, uint32_t type, uint32_t producers, uint32_t consumers) {
  struct og_vx_barrier *barrier = &thread->group->barriers[id];
  thread->wait_generation[id] = barrier->generation + 1;
  barrier->producers += type != CONSUMER;
  barrier->consumers += type != PRODUCER;
  if (barrier->producers >= producers && barrier->consumers >= consumers) {
    barrier->producers = barrier->consumers = 0;
    barrier->generation++;
  }
}

static const struct og_vx_op *wait_for(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t id) {
  if ((int32_t)(thread->group->barriers[id].generation - thread->wait_generation[id]) >= 0)
    return op + 1;
  thread->state = OG_VX_WAITING;
  thread->waiting_for = id;
  thread->next = op + 1;
  return NULL;
}

/* `kind`: 1 signals, 2 waits, 3 does both. */
const struct og_vx_op *og_vx_run_barrier(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (op->kind & 1)
    arrive(thread, 0, BOTH, thread->group->alive, thread->group->alive);
  return op->kind & 2 ? wait_for(thread, op, 0) : op + 1;
}

static bool barrier_id(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t *id) {
  *id = (uint32_t)og_vx_scalar(thread, op, &op->source[0]);
  if (thread->state == OG_VX_RUNNING && *id < OG_VX_NAMED_BARRIERS)
    return true;
  if (thread->state == OG_VX_RUNNING)
    og_vx_fault(thread, op, "named barrier %u; there are %d", *id, OG_VX_NAMED_BARRIERS);
  return false;
}

/* nbarrier.signal: id, type, number of producers, of consumers. */
const struct og_vx_op *og_vx_run_named_signal(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t id, rest[3];
  if (!barrier_id(thread, op, &id))
    return NULL;
  for (uint32_t i = 0; i < 3; i++)
    rest[i] = (uint32_t)og_vx_scalar(thread, op, &op->source[1 + i]);
  arrive(thread, id, rest[0], rest[1], rest[2]);
  return thread->state == OG_VX_RUNNING ? op + 1 : NULL;
}

const struct og_vx_op *og_vx_run_named_wait(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t id;
  return barrier_id(thread, op, &id) ? wait_for(thread, op, id) : NULL;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static void count_operation(struct og_vx_thread *thread, const struct og_vx_op *op, struct og_visa_counts *counts) {
  uint32_t mask = og_vx_enabled(thread, op),
           enabled = mask == op->full ? op->exec_size : (uint32_t)__builtin_popcount(mask);
  counts->instructions[op->class]++;
  counts->lanes += enabled;
  counts->lane_slots += op->exec_size;
  counts->barriers += op->run == og_vx_run_barrier || op->run == og_vx_run_named_wait;
  counts->atomics += op->run == og_vx_run_atomic ? enabled : 0;
  if (op->message)
    og_vx_count_message(thread, op, counts);
}

void og_vx_thread_run(struct og_vx_thread *thread) {
  const struct og_vx_op *op = thread->next;
  uint64_t count = 0;
  thread->state = OG_VX_RUNNING;
  while (op && thread->counts) {
    count_operation(thread, op, thread->counts);
    op = op->run(thread, op);
    count++;
  }
  while (op) {
    op = op->run(thread, op);
    count++;
  }
  thread->instructions += count;
}
