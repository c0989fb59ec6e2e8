/* signal.c - signals: atomics that can be waited for with a futex. */
#include "runtime/signal.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/host.h"

enum { /* in nanoseconds */
  SPIN = 20000,          /* how long a wait spins at first: less than waking a thread takes */
  ALONE = 2000,          /* how much of that it spins without letting other threads have the processor,
                            if there are several processors */
  FIRST_SLICE = 1000000, /* the longest sleep at first: a kernel's atomic wakes nobody. Later sleeps are longer: */
  LATENESS = 8,          /* an eighth of the time that has passed, */
  LAST_SLICE = 20000000, /* at most this */
  PAUSE = 20000          /* sleeps so long if the system cannot wait for several words */
};

/* Kind and value are written whole: somebody may still look at a signal that was here before. */
void og_signal_init(struct og_signal *signal, int64_t value) {
  signal->event_mailbox = signal->queue = signal->reserved2 = 0;
  signal->event_id = signal->reserved1 = 0;
  og_signal_set_times(signal, 0, 0);
  __atomic_store_n(&signal->value, value, __ATOMIC_RELAXED);
  __atomic_store_n(&signal->kind, 1, __ATOMIC_RELEASE);
}

int64_t og_signal_load(const struct og_signal *signal) {
  return __atomic_load_n(&signal->value, __ATOMIC_ACQUIRE);
}

/* The futex is the low half of the value: a waiter sees a change of it, or is woken. */
static uint32_t *futex_word(struct og_signal *signal) {
  return (uint32_t *)(void *)&signal->value;
}

/* Only the address is used here: once the value is stored, whoever waited for it may use the memory for something
   else. */
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

bool og_condition_holds(enum og_condition condition, int64_t value, int64_t compare) {
  switch (condition) {
  case OG_CONDITION_EQ: return value == compare;
  case OG_CONDITION_NE: return value != compare;
  case OG_CONDITION_LT: return value < compare;
  case OG_CONDITION_GE: return value >= compare;
  }
  return false;
}

void og_interrupts_raise(struct og_interrupts *interrupts) {
  __atomic_fetch_add(&interrupts->count, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&interrupts->sleepers, __ATOMIC_SEQ_CST))
    syscall(SYS_futex, &interrupts->count, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static bool changed(struct og_signal *const signals[], const int64_t seen[], size_t count,
                    struct og_interrupts *interrupts, uint32_t raised) {
  for (size_t i = 0; i < count; i++)
    if (__atomic_load_n(&signals[i]->value, __ATOMIC_RELAXED) != seen[i])
      return true;
  return interrupts && __atomic_load_n(&interrupts->count, __ATOMIC_RELAXED) != raised;
}

/* Sleeps on all words at once. */
static void sleep_on(struct og_signal *const signals[], const int64_t seen[], size_t count,
                     struct og_interrupts *interrupts, uint32_t raised, uint64_t nanoseconds) {
  if (count == 1 && !interrupts) {
    struct timespec slice = {0, (long)nanoseconds};
    syscall(SYS_futex, futex_word(signals[0]), FUTEX_WAIT_PRIVATE, (uint32_t)seen[0], &slice, NULL, 0);
    return;
  }
  struct futex_waitv words[OG_WAIT_SIGNALS + 1];
  unsigned n = 0;
  for (; n < OG_MIN(count, (size_t)OG_WAIT_SIGNALS); n++)
    words[n] = (struct futex_waitv){.val = (uint32_t)seen[n], .uaddr = (uintptr_t)futex_word(signals[n]),
                                    .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG};
  if (interrupts)
    words[n++] = (struct futex_waitv){.val = raised, .uaddr = (uintptr_t)&interrupts->count,
                                      .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG};
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  uint64_t at = (uint64_t)end.tv_nsec + nanoseconds;
  end.tv_sec += (time_t)(at / 1000000000u);
  end.tv_nsec = (long)(at % 1000000000u);
  if (interrupts)
    __atomic_fetch_add(&interrupts->sleepers, 1, __ATOMIC_SEQ_CST);
  long woken = syscall(SYS_futex_waitv, words, n, 0, &end, CLOCK_MONOTONIC);
  int error = errno;
  if (interrupts)
    __atomic_fetch_sub(&interrupts->sleepers, 1, __ATOMIC_SEQ_CST);
  if (woken < 0 && error != EAGAIN && error != ETIMEDOUT && error != EINTR)
    nanosleep(&(struct timespec){0, (long)OG_MIN(nanoseconds, (uint64_t)PAUSE)}, NULL);
}

/* Nanoseconds to spin before others may have the processor. Where there is one, whoever is waited for needs it. */
static uint64_t alone(void) {
  static unsigned processors;
  if (__atomic_load_n(&processors, __ATOMIC_RELAXED) == 0)
    __atomic_store_n(&processors, og_host_processors(), __ATOMIC_RELAXED);
  return __atomic_load_n(&processors, __ATOMIC_RELAXED) > 1 ? ALONE : 0;
}

void og_wait_once(struct og_waiter *waiter, struct og_signal *const signals[], const int64_t seen[], size_t count,
                  struct og_interrupts *interrupts, uint32_t raised, uint64_t nanoseconds) {
  uint64_t now = og_clock();
  if (waiter->start == 0)
    waiter->start = now;
  if (!waiter->slept) {
    const uint64_t end = waiter->start + OG_MIN(nanoseconds, (uint64_t)SPIN);
    for (; now < end; now = og_clock()) {
      for (int i = 0; i < 8; i++) {
        if (changed(signals, seen, count, interrupts, raised))
          return;
        og_spin();
      }
      if (now - waiter->start > alone())
        sched_yield(); /* the thread that is waited for may need this very processor */
    }
    waiter->slept = true;
    return;
  }
  uint64_t slice = OG_MAX((now - waiter->start) / LATENESS, (uint64_t)FIRST_SLICE);
  sleep_on(signals, seen, count, interrupts, raised, OG_MIN(OG_MIN(slice, (uint64_t)LAST_SLICE), nanoseconds));
}

int64_t og_signal_wait(struct og_signal *signal, enum og_condition condition, int64_t compare, uint64_t timeout) {
  return og_signal_wait_interrupts(signal, condition, compare, timeout, NULL);
}

int64_t og_signal_wait_interrupts(struct og_signal *signal, enum og_condition condition, int64_t compare,
                                  uint64_t timeout, struct og_interrupts *interrupts) {
  struct og_waiter waiter = {0};
  for (;;) {
    uint32_t raised = interrupts ? __atomic_load_n(&interrupts->count, __ATOMIC_SEQ_CST) : 0;
    int64_t value = og_signal_load(signal);
    if (timeout == 0 || og_condition_holds(condition, value, compare))
      return value;
    uint64_t passed = waiter.start ? og_clock() - waiter.start : 0;
    if (passed >= timeout)
      return value;
    og_wait_once(&waiter, &signal, &value, 1, interrupts, raised, timeout - passed);
  }
}

void og_signal_set_times(struct og_signal *signal, uint64_t start, uint64_t end) {
  __atomic_store_n(&signal->start, start, __ATOMIC_RELAXED);
  __atomic_store_n(&signal->end, end, __ATOMIC_RELAXED);
}

void og_signal_times(const struct og_signal *signal, uint64_t *start, uint64_t *end) {
  *start = __atomic_load_n(&signal->start, __ATOMIC_RELAXED);
  *end = __atomic_load_n(&signal->end, __ATOMIC_RELAXED);
}
