/* atomics.c - read-modify-write operations on LDS, scratch and global memory, by every kind of vector address. */
#include "base/floats.h"
#include "base/float_control.h"
#include "exec/deferred.h"
#include "exec/memory.h"

#include <string.h>

/* What memory holds afterwards; `other` is the second operand where there is one. */
typedef uint64_t og_modify(uint64_t old, uint64_t data, uint64_t other);

/* Lanes whose addresses are clearly accessible, in lane order. */
struct lanes {
  bool shared; /* with other host threads, as global memory is */
  unsigned count;
  uint8_t number[OG_LANES];
  void *at[OG_LANES];
  uint64_t data[OG_LANES], other[OG_LANES], old[OG_LANES];
};
typedef void og_modify_lanes(struct lanes *lanes);
/* Dwords of LDS: all at least 4 bytes below the end and aligned. */
struct lds_lanes {
  uint8_t *lds;
  const uint32_t *address, *data, *other; /* by lane */
  uint32_t offset, given;                 /* the latter: in place of `other`, where that is NULL */
  uint64_t active;
  uint32_t *old; /* NULL: not wanted */
};
typedef void og_modify_lds(const struct lds_lanes *lanes);

struct og_atomic {
  uint8_t operation, number; /* enum og_memory_operation, og_value; plain bits and unsigned numbers are one */
  uint8_t bytes;             /* in memory */
  uint8_t operands;          /* data operands */
  bool swapped;              /* the operand to compare with comes second */
  og_modify *modify;
  og_modify_lanes *modify_lanes;
  og_modify_lds *modify_lds; /* NULL: it has 64 bits */
  enum { INTEGERS, FLOATS_32, FLOATS_64, HALVES } kind;
};

static float f32_of(uint64_t bits) { return og_float_of_bits((uint32_t)bits); }
static double f64_of(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
static uint64_t of_f32(float x) { return og_bits_of_float(x); }
static uint64_t of_f64(double x) { uint64_t b; memcpy(&b, &x, 8); return b; }

/* Both sizes of an operation on integers of `type`. */
#define MODIFY(name, type, expression)                                         \
  static uint64_t name(uint64_t old_bits, uint64_t data_bits, uint64_t other_bits) { \
    type old = (type)old_bits, data = (type)data_bits, other = (type)other_bits; \
    (void)old, (void)data, (void)other;                                        \
    return (uint64_t)(expression);                                             \
  }
#define MODIFY_BOTH(name, expression) MODIFY(name##_32, uint32_t, expression) MODIFY(name##_64, uint64_t, expression)

MODIFY_BOTH(add, old + data)
MODIFY_BOTH(sub, old - data)
MODIFY_BOTH(rsub, data - old)
MODIFY_BOTH(inc, old >= data ? 0 : old + 1)
MODIFY_BOTH(dec, old == 0 || old > data ? data : old - 1)
MODIFY_BOTH(umin, OG_MIN(old, data))
MODIFY_BOTH(umax, OG_MAX(old, data))
MODIFY(smin_32, int32_t, OG_MIN(old, data))
MODIFY(smax_32, int32_t, OG_MAX(old, data))
MODIFY(smin_64, int64_t, OG_MIN(old, data))
MODIFY(smax_64, int64_t, OG_MAX(old, data))
MODIFY_BOTH(and, old & data)
MODIFY_BOTH(or, old | data)
MODIFY_BOTH(xor, old ^ data)
MODIFY_BOTH(mskor, (old & ~data) | other)
MODIFY_BOTH(swap, data)
MODIFY_BOTH(cmpswap, old == data ? other : old) /* data: compare with; other: new value */
MODIFY(wrap_32, uint32_t, old >= data ? old - data : old + other)
MODIFY(csub_32, uint32_t, old >= data ? old - data : 0)
MODIFY(cond_sub_32, uint32_t, old >= data ? old - data : old)

/* Pairs of an id below and a value: where the ids agree the id counts up, in as many bits as hardware counts waves
 * with, and the value is added (RDNA4 ISA, GLOBAL_ATOMIC_ORDERED_ADD_B64). */
static uint64_t ordered_add(uint64_t old, uint64_t data, uint64_t other) {
  enum { ID = 0xfff /* VGT_GS_MAX_WAVE_ID */ };
  (void)other;
  uint32_t id = (uint32_t)old, value = (uint32_t)(old >> 32) + (uint32_t)(data >> 32);
  return id == (uint32_t)data ? (uint64_t)value << 32 | ((id + 1) & ID) : old;
}

/* data bit 32 says whether to swap. */
static uint64_t condxchg32(uint64_t old, uint64_t data, uint64_t other) {
  (void)other;
  uint64_t low = data >> 31 & 1 ? data & 0x7fffffff : old & 0xffffffff;
  uint64_t high = data >> 63 ? data >> 32 & 0x7fffffff : old >> 32;
  return high << 32 | low;
}

/* Both sizes of an operation that picks the bits of one operand by what they are as floats. */
#define PICK(name, type, value_of, picked)                                           \
  static uint64_t name(uint64_t old_bits, uint64_t data_bits, uint64_t other_bits) { \
    type old = value_of(old_bits), data = value_of(data_bits);                       \
    (void)other_bits;                                                                \
    return picked;                                                                   \
  }
#define PICK_BOTH(name, picked) PICK(name##_32, float, f32_of, picked) PICK(name##_64, double, f64_of, picked)

PICK_BOTH(fcmpswap, old == data ? other_bits : old_bits)
/* A NaN in memory is replaced by a number, and a NaN in the data is ignored. */
PICK_BOTH(fmin, data < old || old != old ? data_bits : old_bits)
PICK_BOTH(fmax, data > old || old != old ? data_bits : old_bits)

/* Of two NaNs the one in memory stays: a compiler may add in either order. */
static float sum_of(float old, float data) {
  return old != old ? og_float_of_bits(og_bits_of_float(old) | 0x400000) : old + data;
}
static uint64_t fadd_32(uint64_t old, uint64_t data, uint64_t other) {
  (void)other;
  return of_f32(sum_of(f32_of(old), f32_of(data)));
}
static uint64_t fadd_64(uint64_t old, uint64_t data, uint64_t other) {
  (void)other;
  return f64_of(old) != f64_of(old) ? old | (uint64_t)1 << 51 : of_f64(f64_of(old) + f64_of(data));
}

/* `kept` false: a denormal half is 0. */
static uint16_t flushed_half(uint64_t bits, bool kept) {
  return (uint16_t)(kept || bits & 0x7c00 ? bits : bits & 0x8000);
}
/* Two halves, or two bfloats, each added on its own. `other`: which denormals count, as MODE says it. */
static uint64_t pk_add_f16(uint64_t old, uint64_t data, uint64_t other) {
  uint64_t sum = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    float a = og_half_to_float(flushed_half(old >> shift, other & 1));
    float b = og_half_to_float(flushed_half(data >> shift, other & 1));
    sum |= (uint64_t)flushed_half(og_float_to_half(sum_of(a, b), OG_ROUND_NEAREST), other & 2) << shift;
  }
  return sum;
}
static uint64_t pk_add_bf16(uint64_t old, uint64_t data, uint64_t other) {
  (void)other;
  uint64_t sum = 0;
  for (int shift = 0; shift < 32; shift += 16) {
    uint32_t bits =
        (uint32_t)of_f32(sum_of(f32_of((old >> shift & 0xffff) << 16), f32_of((data >> shift & 0xffff) << 16)));
    bits += bits >> 16 & 1 ? 0x8000 : 0x7fff; /* nearest even */
    sum |= (uint64_t)(bits >> 16) << shift;
  }
  return sum;
}

/* One lane after the other, those at one address together; others see the same as if each had been separate. */
#define MODIFY_LANES(name, type)                                                                                     \
  static inline __attribute__((always_inline)) void name(struct lanes *lanes, og_modify *modify) {                    \
    for (unsigned first = 0, end; first < lanes->count; first = end) {                                               \
      type *at = lanes->at[first], before = __atomic_load_n(at, __ATOMIC_RELAXED), after;                            \
      do {                                                                                                           \
        after = before;                                                                                              \
        for (end = first; end < lanes->count && lanes->at[end] == at; end++) {                                       \
          lanes->old[end] = after;                                                                                   \
          after = (type)modify(after, lanes->data[end], lanes->other[end]);                                          \
        }                                                                                                            \
      } while (lanes->shared &&                                                                                      \
               !__atomic_compare_exchange_n(at, &before, after, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));          \
      if (!lanes->shared)                                                                                            \
        __atomic_store_n(at, after, __ATOMIC_RELAXED);                                                               \
    }                                                                                                                \
  }
MODIFY_LANES(modify_lanes_32, uint32_t)
MODIFY_LANES(modify_lanes_64, uint64_t)

static inline __attribute__((always_inline)) void modify_dword(const struct lds_lanes *l, og_modify *modify,
                                                               unsigned lane) {
  uint8_t *at = l->lds + (l->address[lane] + l->offset);
  uint32_t old = og_load32(at), data = l->data[lane]; /* before `old`, whose register may be the same */
  og_store32(at, (uint32_t)modify(old, data, l->other ? l->other[lane] : l->given));
  if (l->old)
    l->old[lane] = old;
}
static inline __attribute__((always_inline)) void modify_lds_32(const struct lds_lanes *l, og_modify *modify) {
  if (l->active == UINT64_MAX)
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      modify_dword(l, modify, lane);
  else
    for (uint64_t left = l->active; left != 0; left &= left - 1)
      modify_dword(l, modify, (unsigned)__builtin_ctzll(left));
}
#define LANES_OF(name, bits) LANES_OF_##bits(name)
#define LANES_OF_32(name)                                                          \
  static void name##_lanes(struct lanes *lanes) { modify_lanes_32(lanes, name); } \
  static void name##_lds(const struct lds_lanes *lanes) { modify_lds_32(lanes, name); }
#define LANES_OF_64(name) \
  static void name##_lanes(struct lanes *lanes) { modify_lanes_64(lanes, name); }
LANES_OF(add_32, 32) LANES_OF(sub_32, 32) LANES_OF(rsub_32, 32) LANES_OF(inc_32, 32) LANES_OF(dec_32, 32)
LANES_OF(smin_32, 32) LANES_OF(smax_32, 32) LANES_OF(umin_32, 32) LANES_OF(umax_32, 32) LANES_OF(and_32, 32)
LANES_OF(or_32, 32) LANES_OF(xor_32, 32) LANES_OF(mskor_32, 32) LANES_OF(swap_32, 32) LANES_OF(cmpswap_32, 32)
LANES_OF(fcmpswap_32, 32) LANES_OF(fmin_32, 32) LANES_OF(fmax_32, 32) LANES_OF(fadd_32, 32) LANES_OF(pk_add_f16, 32)
LANES_OF(pk_add_bf16, 32) LANES_OF(wrap_32, 32) LANES_OF(csub_32, 32) LANES_OF(cond_sub_32, 32) LANES_OF(add_64, 64)
LANES_OF(sub_64, 64) LANES_OF(rsub_64, 64) LANES_OF(inc_64, 64) LANES_OF(dec_64, 64) LANES_OF(smin_64, 64)
LANES_OF(smax_64, 64) LANES_OF(umin_64, 64) LANES_OF(umax_64, 64) LANES_OF(and_64, 64) LANES_OF(or_64, 64)
LANES_OF(xor_64, 64) LANES_OF(mskor_64, 64) LANES_OF(swap_64, 64) LANES_OF(cmpswap_64, 64) LANES_OF(fcmpswap_64, 64)
LANES_OF(fmin_64, 64) LANES_OF(fmax_64, 64) LANES_OF(fadd_64, 64) LANES_OF(condxchg32, 64) LANES_OF(ordered_add, 64)
#define MODIFIES(name) name, name##_lanes, name##_lds
#define MODIFIES_64(name) name, name##_lanes, NULL

static const struct og_atomic atomics[] = {
    {OG_DOES_ADD, OG_VALUE_BITS, 4, 1, false, MODIFIES(add_32), INTEGERS},
    {OG_DOES_SUB, OG_VALUE_BITS, 4, 1, false, MODIFIES(sub_32), INTEGERS},
    {OG_DOES_RSUB, OG_VALUE_BITS, 4, 1, false, MODIFIES(rsub_32), INTEGERS},
    {OG_DOES_INC, OG_VALUE_BITS, 4, 1, false, MODIFIES(inc_32), INTEGERS},
    {OG_DOES_DEC, OG_VALUE_BITS, 4, 1, false, MODIFIES(dec_32), INTEGERS},
    {OG_DOES_MIN, OG_VALUE_SIGNED, 4, 1, false, MODIFIES(smin_32), INTEGERS},
    {OG_DOES_MAX, OG_VALUE_SIGNED, 4, 1, false, MODIFIES(smax_32), INTEGERS},
    {OG_DOES_MIN, OG_VALUE_BITS, 4, 1, false, MODIFIES(umin_32), INTEGERS},
    {OG_DOES_MAX, OG_VALUE_BITS, 4, 1, false, MODIFIES(umax_32), INTEGERS},
    {OG_DOES_AND, OG_VALUE_BITS, 4, 1, false, MODIFIES(and_32), INTEGERS},
    {OG_DOES_OR, OG_VALUE_BITS, 4, 1, false, MODIFIES(or_32), INTEGERS},
    {OG_DOES_XOR, OG_VALUE_BITS, 4, 1, false, MODIFIES(xor_32), INTEGERS},
    {OG_DOES_MASK_OR, OG_VALUE_BITS, 4, 2, false, MODIFIES(mskor_32), INTEGERS},
    {OG_DOES_SWAP, OG_VALUE_BITS, 4, 1, false, MODIFIES(swap_32), INTEGERS},
    {OG_DOES_CMPST, OG_VALUE_BITS, 4, 2, false, MODIFIES(cmpswap_32), INTEGERS},
    {OG_DOES_CMPST, OG_VALUE_FLOAT, 4, 2, false, MODIFIES(fcmpswap_32), FLOATS_32},
    {OG_DOES_CMPSWAP, OG_VALUE_BITS, 4, 2, true, MODIFIES(cmpswap_32), INTEGERS},
    {OG_DOES_CMPSWAP, OG_VALUE_FLOAT, 4, 2, true, MODIFIES(fcmpswap_32), FLOATS_32},
    {OG_DOES_MIN, OG_VALUE_FLOAT, 4, 1, false, MODIFIES(fmin_32), FLOATS_32},
    {OG_DOES_MAX, OG_VALUE_FLOAT, 4, 1, false, MODIFIES(fmax_32), FLOATS_32},
    {OG_DOES_ADD, OG_VALUE_FLOAT, 4, 1, false, MODIFIES(fadd_32), FLOATS_32},
    {OG_DOES_ADD, OG_VALUE_PACKED_F16, 4, 1, false, MODIFIES(pk_add_f16), HALVES},
    {OG_DOES_ADD, OG_VALUE_PACKED_BF16, 4, 1, false, MODIFIES(pk_add_bf16), HALVES},
    {OG_DOES_WRAP, OG_VALUE_BITS, 4, 2, false, MODIFIES(wrap_32), INTEGERS},
    {OG_DOES_SUB_CLAMP, OG_VALUE_BITS, 4, 1, false, MODIFIES(csub_32), INTEGERS},
    {OG_DOES_COND_SUB, OG_VALUE_BITS, 4, 1, false, MODIFIES(cond_sub_32), INTEGERS},
    {OG_DOES_ADD, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(add_64), INTEGERS},
    {OG_DOES_SUB, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(sub_64), INTEGERS},
    {OG_DOES_RSUB, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(rsub_64), INTEGERS},
    {OG_DOES_INC, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(inc_64), INTEGERS},
    {OG_DOES_DEC, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(dec_64), INTEGERS},
    {OG_DOES_MIN, OG_VALUE_SIGNED, 8, 1, false, MODIFIES_64(smin_64), INTEGERS},
    {OG_DOES_MAX, OG_VALUE_SIGNED, 8, 1, false, MODIFIES_64(smax_64), INTEGERS},
    {OG_DOES_MIN, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(umin_64), INTEGERS},
    {OG_DOES_MAX, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(umax_64), INTEGERS},
    {OG_DOES_AND, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(and_64), INTEGERS},
    {OG_DOES_OR, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(or_64), INTEGERS},
    {OG_DOES_XOR, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(xor_64), INTEGERS},
    {OG_DOES_MASK_OR, OG_VALUE_BITS, 8, 2, false, MODIFIES_64(mskor_64), INTEGERS},
    {OG_DOES_SWAP, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(swap_64), INTEGERS},
    {OG_DOES_CMPST, OG_VALUE_BITS, 8, 2, false, MODIFIES_64(cmpswap_64), INTEGERS},
    {OG_DOES_CMPST, OG_VALUE_FLOAT, 8, 2, false, MODIFIES_64(fcmpswap_64), FLOATS_64},
    {OG_DOES_CMPSWAP, OG_VALUE_BITS, 8, 2, true, MODIFIES_64(cmpswap_64), INTEGERS},
    {OG_DOES_CMPSWAP, OG_VALUE_FLOAT, 8, 2, true, MODIFIES_64(fcmpswap_64), FLOATS_64},
    {OG_DOES_MIN, OG_VALUE_FLOAT, 8, 1, false, MODIFIES_64(fmin_64), FLOATS_64},
    {OG_DOES_MAX, OG_VALUE_FLOAT, 8, 1, false, MODIFIES_64(fmax_64), FLOATS_64},
    {OG_DOES_ADD, OG_VALUE_FLOAT, 8, 1, false, MODIFIES_64(fadd_64), FLOATS_64},
    {OG_DOES_SWAP_IF, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(condxchg32), INTEGERS},
    {OG_DOES_ORDERED_ADD, OG_VALUE_BITS, 8, 1, false, MODIFIES_64(ordered_add), INTEGERS},
};

const struct og_atomic *og_find_atomic(enum og_memory_operation operation, enum og_value number, unsigned bits) {
  for (size_t i = 0; i < OG_COUNT(atomics); i++)
    if (atomics[i].operation == operation && 8u * atomics[i].bytes == bits &&
        atomics[i].number == (number == OG_VALUE_UNSIGNED ? OG_VALUE_BITS : number))
      return &atomics[i];
  return NULL;
}

unsigned og_atomic_bytes(const struct og_atomic *atomic) { return atomic->bytes; }
unsigned og_atomic_operands(const struct og_atomic *atomic) { return atomic->operands; }

/* Float atomics round to nearest even whatever MODE says. In LDS, MODE says which denormals count; in memory those of
 * f64 and f16 do, and of f32 where the processor's memory can (feature memory-atomic-fadd-f32-denormal-support). */
static unsigned denormals_of(const struct og_wave *wave, const struct og_atomic *atomic, enum og_space space) {
  if (space == OG_SPACE_LDS)
    return wave->mode >> (atomic->kind == FLOATS_32 ? 4 : 6) & 3;
  return atomic->modify != fadd_32 || wave->program->keeps_f32_denormals ? 3 : 0;
}

uint64_t og_atomic_data(struct og_wave *wave, uint32_t at, unsigned lane, unsigned bytes) {
  const uint32_t *from = og_at(wave, at) + lane;
  return bytes == 4 ? from[0] : from[0] | (uint64_t)from[OG_LANES] << 32;
}

/* Other host threads may access the same global memory; LDS and scratch belong to this thread. */
static uint64_t apply_32(uint32_t *at, const struct og_atomic *atomic, uint64_t data, uint64_t other) {
  uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, (uint32_t)atomic->modify(old, data, other), true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
    ;
  return old;
}

static uint64_t apply_64(uint64_t *at, const struct og_atomic *atomic, uint64_t data, uint64_t other) {
  uint64_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, atomic->modify(old, data, other), true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
    ;
  return old;
}

static uint64_t apply_own(void *at, const struct og_atomic *atomic, uint64_t data, uint64_t other) {
  if (atomic->bytes == 4) {
    uint32_t old = og_load32(at);
    og_store32(at, (uint32_t)atomic->modify(old, data, other));
    return old;
  }
  uint64_t old = og_load64(at);
  og_store64(at, atomic->modify(old, data, other));
  return old;
}

static uint64_t apply(void *at, enum og_space space, const struct og_atomic *atomic, uint64_t data, uint64_t other) {
  if (space != OG_SPACE_GLOBAL)
    return apply_own(at, atomic, data, other);
  return atomic->bytes == 4 ? apply_32(at, atomic, data, other) : apply_64(at, atomic, data, other);
}

static uint64_t apply_floats(struct og_wave *wave, void *at, enum og_space space, const struct og_atomic *atomic,
                             uint64_t data, uint64_t other) {
  unsigned denormals = denormals_of(wave, atomic, space);
  og_set_float_control(og_float_control(0, denormals));
  uint64_t old = apply(at, space, atomic, data, atomic->kind == HALVES ? denormals : other);
  og_set_float_control(wave->float_control_32);
  return old;
}

/* *deferred: it is left to the observer. */
static bool modify_piece(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned piece,
                         uint64_t *old, bool *deferred) {
  const struct og_memory_op *access = op->detail;
  const struct og_atomic *atomic = access->atomic;
  unsigned bytes = atomic->bytes;
  struct og_lane_place place = og_lane_place(wave, op, lane, piece);
  uint64_t data = og_atomic_data(wave, piece == 0 ? access->data : op->d2, lane, bytes), other = 0;
  if (place.outside)
    return true;
  if (atomic->operands == 2)
    other = og_atomic_data(wave, op->d2, lane, bytes);
  if (place.space == OG_SPACE_SCRATCH) { /* a lane's dwords are apart there */
    uint64_t after = 0;
    if (!og_lane_aligned(wave, op, lane, &place, bytes) || !og_lane_read(wave, op, lane, &place, old, bytes))
      return false;
    after = *old;
    og_atomic_apply(wave, atomic, OG_SPACE_SCRATCH, &after, data, other);
    if (!og_lane_write(wave, op, lane, &place, &after, bytes))
      return false;
  } else {
    void *at = og_lane_pointer(wave, op, lane, &place, bytes);
    if (at == NULL)
      return false;
    if (og_take_skip(wave))
      return true;
    struct og_deferred what = {OG_ACCESS_READ | OG_ACCESS_WRITE | OG_ACCESS_ATOMIC, place.space, lane, piece, bytes,
                               place.address, NULL, data, other};
    if (og_defers(wave) && access->pieces == 1)
      *deferred = og_defer(wave, op, &what);
    if (!*deferred)
      *old = og_atomic_apply(wave, atomic, place.space, at, data, other);
  }
  if (wave->counts != NULL) {
    og_count_access(wave, place.space, false, 1, bytes);
    og_count_access(wave, place.space, true, 1, bytes);
    wave->counts->events.atomics++;
  }
  return true;
}

static void return_old(struct og_wave *wave, const struct og_operation *op, unsigned lane, const uint64_t old[2]) {
  const struct og_memory_op *access = op->detail;
  uint32_t *to = og_at(wave, op->d) + lane;
  for (unsigned piece = 0; piece < access->pieces; piece++) {
    *to = (uint32_t)old[piece];
    to += OG_LANES;
    if (access->atomic->bytes == 8) {
      *to = (uint32_t)(old[piece] >> 32);
      to += OG_LANES;
    }
  }
}

static bool modify_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane) {
  const struct og_memory_op *access = op->detail;
  uint64_t old[2] = {0, 0};
  bool deferred = false;
  for (unsigned piece = 0; piece < access->pieces; piece++)
    if (!modify_piece(wave, op, lane, piece, &old[piece], &deferred))
      return false;
  if (access->returns && !deferred)
    return_old(wave, op, lane, old);
  return true;
}

void og_finish_atomic(struct og_wave *wave, const struct og_operation *op, enum og_space space, unsigned lane, void *at,
                      uint64_t data, uint64_t other) {
  const struct og_memory_op *access = op->detail;
  uint64_t old[2] = {og_atomic_apply(wave, access->atomic, space, at, data, other), 0};
  if (access->returns)
    return_old(wave, op, lane, old);
}

/* The host's address of a lane's aligned bytes; NULL: not clearly accessible. */
static inline void *plain_place(struct og_wave *wave, struct og_window *window, bool flat, uint64_t address,
                                unsigned bytes) {
  uint64_t high = address >> 32;
  if ((address & (bytes - 1)) != 0 || (flat && (high == OG_SHARED_APERTURE || high == OG_PRIVATE_APERTURE ||
                                        address >> 58 == OG_SCRATCH_MARK)))
    return NULL;
  if (!og_window_holds(window, address, bytes) && !og_window_move(wave, window, address, bytes, true))
    return NULL;
  return (void *)(uintptr_t)(address + window->shift);
}

static bool find_lanes(struct og_wave *wave, const struct og_operation *op, struct lanes *lanes) {
  const struct og_memory_op *access = op->detail;
  const uint32_t *address = og_at(wave, op->s[0]);
  bool lds = access->addressing == OG_ADDRESS_LDS, wide = access->addressing != OG_ADDRESS_SADDR;
  uint64_t base = op->constant[0] + (wide ? 0 : og_scalar64(wave, op, 1));
  struct og_window *window = og_window_of(wave, op, true);
  unsigned bytes = access->bytes, limit = og_lds_limit(wave);
  lanes->shared = !lds;
  lanes->count = 0;
  for (uint64_t left = og_active(wave); left != 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left), n = lanes->count++;
    lanes->number[n] = (uint8_t)lane;
    if (lds) {
      uint32_t place = address[lane] + (uint32_t)base;
      if ((place & (bytes - 1)) != 0 || place >= limit || bytes > limit - place)
        return false;
      lanes->at[n] = wave->lds + place;
    } else {
      uint64_t place = base + address[lane] + (wide ? (uint64_t)address[lane + OG_LANES] << 32 : 0);
      lanes->at[n] = plain_place(wave, window, access->addressing == OG_ADDRESS_FLAT, place, bytes);
      if (lanes->at[n] == NULL)
        return false;
      __builtin_prefetch(lanes->at[n], 1); /* lanes far apart do not wait for memory one after the other */
    }
  }
  return true;
}

/* Atomics of one dword of LDS a lane, all within reach. False: it is something else, and nothing is done. */
static bool modify_lds(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  const struct og_atomic *atomic = access->atomic;
  const uint32_t *address = og_at(wave, op->s[0]), offset = (uint32_t)op->constant[0], limit = og_lds_limit(wave);
  uint32_t most = 0, all = 0;
  if (access->addressing != OG_ADDRESS_LDS || atomic->modify_lds == NULL || access->pieces != 1 ||
      og_sees_lanes(wave) || limit < 4)
    return false;
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint32_t place = (address[lane] + offset) & wave->lanes[lane];
    most = OG_MAX(most, place), all |= place;
  }
  if ((all & 3) != 0 || most > limit - 4)
    return false;
  uint32_t first = atomic->swapped ? op->d2 : access->data, second = atomic->swapped ? access->data : op->d2;
  unsigned denormals = denormals_of(wave, atomic, OG_SPACE_LDS);
  struct lds_lanes lanes = {wave->lds, address, og_at(wave, first), atomic->operands == 2 ? og_at(wave, second) : NULL,
                            offset, denormals, og_active(wave), access->returns ? og_at(wave, op->d) : NULL};
  if (atomic->kind != INTEGERS)
    og_set_float_control(og_float_control(0, denormals));
  atomic->modify_lds(&lanes);
  if (atomic->kind != INTEGERS)
    og_set_float_control(wave->float_control_32);
  if (wave->counts != NULL) {
    og_count_access(wave, OG_SPACE_LDS, false, lanes.active, 4);
    og_count_access(wave, OG_SPACE_LDS, true, lanes.active, 4);
    wave->counts->events.atomics += (unsigned)__builtin_popcountll(lanes.active);
  }
  return true;
}

/* All active lanes at once, if each address in LDS or global memory is clearly accessible. False: another case, and
 * nothing is done. */
static bool modify_wave(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  const struct og_atomic *atomic = access->atomic;
  struct lanes lanes;
  if (og_sees_lanes(wave) || access->pieces != 1 || access->addressing == OG_ADDRESS_SCRATCH ||
      access->addressing == OG_ADDRESS_BUFFER || !find_lanes(wave, op, &lanes))
    return false;
  enum og_space space = lanes.shared ? OG_SPACE_GLOBAL : OG_SPACE_LDS;
  uint32_t first = atomic->swapped ? op->d2 : access->data, second = atomic->swapped ? access->data : op->d2;
  unsigned denormals = denormals_of(wave, atomic, space);
  for (unsigned n = 0; n < lanes.count; n++) {
    lanes.data[n] = og_atomic_data(wave, first, lanes.number[n], atomic->bytes);
    lanes.other[n] = atomic->operands == 2 ? og_atomic_data(wave, second, lanes.number[n], atomic->bytes) : denormals;
  }
  if (atomic->kind != INTEGERS)
    og_set_float_control(og_float_control(0, denormals));
  atomic->modify_lanes(&lanes);
  if (atomic->kind != INTEGERS)
    og_set_float_control(wave->float_control_32);
  uint32_t *to = og_at(wave, op->d);
  for (unsigned n = 0; n < lanes.count && access->returns; n++) {
    to[lanes.number[n]] = (uint32_t)lanes.old[n];
    if (atomic->bytes == 8)
      to[lanes.number[n] + OG_LANES] = (uint32_t)(lanes.old[n] >> 32);
  }
  if (wave->counts != NULL) {
    og_count_access(wave, space, false, og_active(wave), atomic->bytes);
    og_count_access(wave, space, true, og_active(wave), atomic->bytes);
    wave->counts->events.atomics += lanes.count;
  }
  return true;
}

/* d: destination; d2: place of the second data, or of the second piece's. */
const struct og_operation *og_atomic_handler(struct og_wave *wave, const struct og_operation *op) {
  if (modify_lds(wave, op) || modify_wave(wave, op))
    return og_next(op);
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1)
    if (!modify_lane(wave, op, (unsigned)__builtin_ctzll(lanes)))
      return &og_stop;
  return og_next(op);
}

uint64_t og_atomic_apply(struct og_wave *wave, const struct og_atomic *atomic, enum og_space space, void *at,
                         uint64_t data, uint64_t other) {
  uint64_t first = atomic->swapped ? other : data, second = atomic->swapped ? data : other;
  return atomic->kind == INTEGERS ? apply(at, space, atomic, first, second)
                                  : apply_floats(wave, at, space, atomic, first, second);
}
