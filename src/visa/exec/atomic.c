/* atomic.c - one channel's atomic on memory, which other host threads may access at the same time. */
#include "visa/exec/exec.h"
#include "base/floats.h"

#include <math.h>
#include <string.h>

static double as_double(uint64_t bits) {
  double v;
  memcpy(&v, &bits, 8);
  return v;
}

static uint64_t float_result(uint8_t atomic, double a, double b) {
  switch (atomic) {
  case OG_VX_ATOMIC_FADD: a = a + b; break;
  case OG_VX_ATOMIC_FSUB: a = a - b; break;
  case OG_VX_ATOMIC_FMIN: a = fmin(a, b); break;
  default: a = fmax(a, b);
  }
  uint64_t bits;
  memcpy(&bits, &a, 8);
  return bits;
}

/* In f32 an operation is done in f32, since sums in double would be rounded twice. */
static uint64_t float_atomic(uint8_t atomic, uint32_t size, uint64_t old, uint64_t operand) {
  if (size == 8)
    return float_result(atomic, as_double(old), as_double(operand));
  if (size == 4) {
    float a = og_float_of_bits((uint32_t)old), b = og_float_of_bits((uint32_t)operand);
    float r = atomic == OG_VX_ATOMIC_FADD   ? a + b
              : atomic == OG_VX_ATOMIC_FSUB ? a - b
              : atomic == OG_VX_ATOMIC_FMIN ? fminf(a, b)
                                            : fmaxf(a, b);
    uint32_t bits;
    memcpy(&bits, &r, 4);
    return bits;
  }
  const struct og_alu *alu = og_alu_table();
  double a, b;
  uint16_t halves[2] = {(uint16_t)old, (uint16_t)operand}, result;
  alu->convert[OG_ALU_F16][OG_ALU_F64](&a, &halves[0], NULL, NULL, 1, 0);
  alu->convert[OG_ALU_F16][OG_ALU_F64](&b, &halves[1], NULL, NULL, 1, 0);
  uint64_t bits = float_result(atomic, a, b);
  a = as_double(bits);
  alu->convert[OG_ALU_F64][OG_ALU_F16](&result, &a, NULL, NULL, 1, 0);
  return result;
}

static bool floats_equal(uint32_t size, uint64_t a, uint64_t b) {
  return size == 8   ? as_double(a) == as_double(b)
         : size == 4 ? og_float_of_bits((uint32_t)a) == og_float_of_bits((uint32_t)b)
                     : a == b;
}

static uint64_t atomic_result(uint8_t atomic, uint32_t size, uint64_t old, uint64_t operand, uint64_t operand2) {
  unsigned unused = 64 - 8 * size;
  int64_t signed_old = (int64_t)(old << unused) >> unused, signed_operand = (int64_t)(operand << unused) >> unused;
  switch (atomic) {
  case OG_VX_ATOMIC_ADD: return old + operand;
  case OG_VX_ATOMIC_SUB: return old - operand;
  case OG_VX_ATOMIC_INC: return old + 1;
  case OG_VX_ATOMIC_DEC:
  case OG_VX_ATOMIC_PREDEC: return old - 1;
  case OG_VX_ATOMIC_SMIN: return signed_operand < signed_old ? operand : old;
  case OG_VX_ATOMIC_SMAX: return signed_operand > signed_old ? operand : old;
  case OG_VX_ATOMIC_UMIN: return operand < old ? operand : old;
  case OG_VX_ATOMIC_UMAX: return operand > old ? operand : old;
  case OG_VX_ATOMIC_CAS: return old == operand ? operand2 : old;
  case OG_VX_ATOMIC_FCAS: return floats_equal(size, old, operand) ? operand2 : old;
  case OG_VX_ATOMIC_AND: return old & operand;
  case OG_VX_ATOMIC_OR: return old | operand;
  case OG_VX_ATOMIC_XOR: return old ^ operand;
  case OG_VX_ATOMIC_LOAD: return old;
  case OG_VX_ATOMIC_STORE: return operand;
  default: return float_atomic(atomic, size, old, operand);
  }
}

static uint64_t load_operand(const struct og_vx_thread *thread, uint32_t data, const struct og_vx_message *message,
                             uint32_t i) {
  uint64_t value = 0;
  if (data != OG_VX_NO_DATA)
    memcpy(&value, thread->base[OG_VX_REGISTERS] + data + (size_t)i * message->channel_step, message->size);
  return value;
}

static uint64_t load_atomic(const uint8_t *memory, uint32_t size) {
  const void *at = memory; /* aligned to `size` */
  switch (size) {
  case 1: return *memory;
  case 2: return __atomic_load_n((const uint16_t *)at, __ATOMIC_RELAXED);
  case 4: return __atomic_load_n((const uint32_t *)at, __ATOMIC_RELAXED);
  default: return __atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED);
  }
}

#define EXCHANGE(type)                                                                                                 \
  {                                                                                                                    \
    type expected = (type)*old;                                                                                        \
    bool done =                                                                                                        \
        __atomic_compare_exchange_n((type *)at, &expected, (type)result, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);   \
    *old = expected;                                                                                                   \
    return done;                                                                                                       \
  }

/* Stores the result if *old is still there; else returns false, and *old is what is there now. */
static bool store_atomic(const struct og_vx_thread *thread, uint8_t *memory, uint32_t size, uint64_t *old,
                         uint64_t result) {
  void *at = memory;
  if (!thread->group->concurrent) {
    memcpy(at, &result, size);
    return true;
  }
  switch (size) {
  case 1: EXCHANGE(uint8_t)
  case 2: EXCHANGE(uint16_t)
  case 4: EXCHANGE(uint32_t)
  default: EXCHANGE(uint64_t)
  }
}

/* One channel's atomic on aligned memory; returns what the instruction returns. */
uint64_t og_vx_atomic(const struct og_vx_thread *thread, const struct og_vx_message *message, uint8_t *memory,
                      uint32_t i) {
  uint64_t a = load_operand(thread, message->data1, message, i), b = load_operand(thread, message->data2, message, i),
           result;
  uint64_t old = load_atomic(memory, message->size);
  do
    result = atomic_result(message->atomic, message->size, old, a, b);
  while (message->atomic != OG_VX_ATOMIC_LOAD && !store_atomic(thread, memory, message->size, &old, result));
  return message->atomic == OG_VX_ATOMIC_PREDEC ? result : old;
}
