/* signal.c - signals as atomics with a futex behind them. */
#include "runtime/signal.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 200, SLICE = 1000000 /* nanoseconds asleep at most: a kernel's atomic wakes nobody */ };

void og_signal_init(struct og_signal *signal, int64_t value) {
  *signal = (struct og_signal){.kind = 1};
  __atomic_store_n(&signal->value, value, __ATOMIC_RELEASE);
}

int64_t og_signal_load(const struct og_signal *signal) {
  return __atomic_load_n(&signal->value, __ATOMIC_ACQUIRE);
}

/* The futex is the value's low half: what changes it is seen or wakes. */
static uint32_t *futex_word(struct og_signal *signal) {
  return (uint32_t *)(void *)&signal->value;
}

/* Only the address counts here: once the value is stored, who waited for it may use the memory for something else. */
static void wake(struct og_signal *signal) {
  syscall(SYS_futex, futex_word(signal), FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

void og_signal_store(struct og_signal *signal, int64_t value) {
  __atomic_store_n(&signal->value, value, __ATOMIC_SEQ_CST);
  wake(signal);
}

#define READ_MODIFY_WRITE(name, operation)                                        \
  int64_t og_signal_##name(struct og_signal *signal, int64_t value) {             \
    int64_t old = operation(&signal->value, value, __ATOMIC_SEQ_CST);             \
    wake(signal);                                                                 \
    return old;                                                                   \
  }
READ_MODIFY_WRITE(add, __atomic_fetch_add)
READ_MODIFY_WRITE(exchange, __atomic_exchange_n)
READ_MODIFY_WRITE(and, __atomic_fetch_and)
READ_MODIFY_WRITE(or, __atomic_fetch_or)
READ_MODIFY_WRITE(xor, __atomic_fetch_xor)

int64_t og_signal_compare_exchange(struct og_signal *signal, int64_t expected, int64_t value) {
  __atomic_compare_exchange_n(&signal->value, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  wake(signal);
  return expected;
}

static bool condition_holds(enum og_condition condition, int64_t value, int64_t compare) {
  switch (condition) {
  case OG_CONDITION_EQ: return value == compare;
  case OG_CONDITION_NE: return value != compare;
  case OG_CONDITION_LT: return value < compare;
  case OG_CONDITION_GE: return value >= compare;
  }
  return false;
}

static void sleep_on(struct og_signal *signal, int64_t seen, uint64_t nanoseconds) {
  struct timespec slice = {0, (long)OG_MIN(nanoseconds, (uint64_t)SLICE)};
  syscall(SYS_futex, futex_word(signal), FUTEX_WAIT_PRIVATE, (uint32_t)seen, &slice, NULL, 0);
}

int64_t og_signal_wait(struct og_signal *signal, enum og_condition condition, int64_t compare, uint64_t timeout) {
  for (int i = 0; i < SPINS; i++) {
    int64_t value = og_signal_load(signal);
    if (condition_holds(condition, value, compare))
      return value;
    __builtin_ia32_pause();
  }
  uint64_t start = og_clock();
  for (;;) {
    int64_t value = og_signal_load(signal);
    uint64_t passed = og_clock() - start;
    if (condition_holds(condition, value, compare) || passed >= timeout)
      return value;
    sleep_on(signal, value, timeout - passed);
  }
}
