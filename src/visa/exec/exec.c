/* exec.c - the run loop of one vISA thread: operands, arithmetic, predicates, addresses. */
#include "base/float_control.h"
#include "visa/exec/check.h"
#include "visa/exec/count.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

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

/* The control register: bits 4 and 5 are rounding (nearest, up, down, zero), 6 and 7 keep denormals of double and
   single. */
void og_vx_mode_apply(struct og_vx_thread *thread) {
  uint32_t control = thread->mode == OG_VX_OWN_MODE ? 0xc0 : thread->mode; /* to nearest, and denormals are kept */
  if (thread->mode == thread->group->mode)
    return;
  thread->group->mode = thread->mode;
  static const int rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  fesetround(rounding[control >> 4 & 3]); /* for fegetround(), which on x86 does not ask MXCSR */
  og_set_float_control(og_float_control(control >> 4 & 3, control & 0x80 ? 3 : 0));
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

/* If undefined behaviour is an error, the element must be inside the variable whose address was taken, and aligned. */
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
  } else if (source->convert) { /* converted in place it would overwrite elements that are still to be read */
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
    thread->mode = control;
    og_vx_mode_apply(thread);
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

/* The most common case: all operands are contiguous and of the operation's type, and the result is written in place. */
#define IN_PLACE(i) (thread->base[op->in_base[i]] + op->in[i])
static __attribute__((noinline)) const struct og_vx_op *masked(struct og_vx_thread *thread, const struct og_vx_op *op,
                                                               const void *a, const void *b, const void *c) {
  uint32_t enabled = og_vx_enabled(thread, op);
  ROOM(room);
  if (enabled == op->full) {
    op->alu(thread->base[OG_VX_REGISTERS] + op->out, a, b, c, op->exec_size, op->extra);
  } else if (enabled) {
    op->alu(room, a, b, c, op->exec_size, op->extra);
    thread->alu->blend[op->out_log2](thread->base[OG_VX_REGISTERS] + op->out, room, NULL, NULL, op->exec_size, enabled);
  }
  return op + 1;
}

#define DIRECT(name, ...)                                                                                              \
  const struct og_vx_op *name(struct og_vx_thread *thread, const struct og_vx_op *op) {                                \
    if (__builtin_expect(!og_vx_all(thread, op), 0))                                                                   \
      return masked(thread, op, __VA_ARGS__);                                                                 \
    op->alu(thread->base[OG_VX_REGISTERS] + op->out, __VA_ARGS__, op->exec_size, op->extra);                           \
    return op + 1;                                                                                                     \
  }
DIRECT(og_vx_run_alu1, IN_PLACE(0), NULL, NULL)
DIRECT(og_vx_run_alu2, IN_PLACE(0), IN_PLACE(1), NULL)
DIRECT(og_vx_run_alu3, IN_PLACE(0), IN_PLACE(1), IN_PLACE(2))

/* add3 of two scalars and a source in place: adds the sum of the scalars to each element. */
const struct og_vx_op *og_vx_run_add_scalars(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t sum = og_load32(IN_PLACE(0)) + og_load32(IN_PLACE(1));
  if (!og_vx_all(thread, op))
    return masked(thread, op, IN_PLACE(2), &sum, NULL);
  op->alu(thread->base[OG_VX_REGISTERS] + op->out, IN_PLACE(2), &sum, NULL, op->exec_size, 0);
  return op + 1;
}

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
  og_vx_set_predicate(thread, op, bits, enabled);
  return op + 1;
}

/* Both operands in place, or one of them a single element; `kind`: the first element's result counts for all. */
const struct og_vx_op *og_vx_run_compare2(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), bits;
  op->alu(&bits, IN_PLACE(0), IN_PLACE(1), NULL, op->kind ? 1 : op->exec_size, 0);
  if (op->kind)
    bits = bits & 1 ? op->full : 0;
  og_vx_set_predicate(thread, op, bits, enabled);
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
  og_vx_set_predicate(thread, op, bits, enabled);
  return op + 1;
}

/* mov V P: the predicate's bits as an integer. */
const struct og_vx_op *og_vx_run_move_predicate(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), values[OG_VX_CHANNELS];
  for (uint32_t i = 0; i < op->exec_size; i++)
    values[i] = thread->predicates[op->predicate_source];
  return og_vx_store(thread, op, &op->destination, values, enabled) ? op + 1 : NULL;
}

/* addr_add A &V offset, addr_add A A offset. `kind` 1: the base is a variable's place (`extra`), else `target` address
   elements from predicate_source on. */
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

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

void og_vx_thread_run(struct og_vx_thread *thread) {
  const struct og_vx_op *op = thread->next;
  uint64_t left = thread->budget;
  bool watched = thread->trace || thread->check, counted = thread->counts;
  thread->state = OG_VX_RUNNING;
  for (; op && left && watched; left--) { /* one by one */
    if (thread->trace)
      og_vx_trace(thread, op);
    if (thread->counts)
      og_vx_count(thread, op);
    if (thread->check)
      og_vx_check_op(thread, op);
    op = op->single(thread, op);
  }
  for (; op && left && counted; left--) {
    og_vx_count_run(thread, op);
    op = op->run(thread, op);
  }
  for (; op && left; left--)
    op = op->run(thread, op);
  thread->instructions += thread->budget - left;
  thread->budget = left;
  if (op) {
    thread->state = OG_VX_INTERRUPTED;
    thread->next = op;
  }
}
