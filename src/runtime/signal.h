/* signal.h - HSA signals: a value that the host and kernels change and wait for. */
#ifndef OG_SIGNAL_H
#define OG_SIGNAL_H

#include "base/base.h"
#include "base/host.h"

/* What a signal handle points to; device libraries know the layout (amd_signal_t). */
struct og_signal {
  int64_t kind; /* 1: a user's signal; 0: invalid */
  int64_t value;
  uint64_t event_mailbox;
  uint32_t event_id, reserved1;
  uint64_t start, end; /* nanoseconds: when the packet that this signal completes began and ended */
  uint64_t queue;
  uint64_t reserved2;
};
_Static_assert(sizeof(struct og_signal) == 64, "a signal is 64 bytes");

enum og_condition { OG_CONDITION_EQ, OG_CONDITION_NE, OG_CONDITION_LT, OG_CONDITION_GE };

/* Makes a signal in the caller's memory, aligned to 64 bytes. */
void og_signal_init(struct og_signal *signal, int64_t value);
int64_t og_signal_load(const struct og_signal *signal);
void og_signal_store(struct og_signal *signal, int64_t value);
int64_t og_signal_add(struct og_signal *signal, int64_t value); /* returns the value before */
int64_t og_signal_exchange(struct og_signal *signal, int64_t value);
int64_t og_signal_compare_exchange(struct og_signal *signal, int64_t expected,
                                   int64_t value); /* returns the value before */
int64_t og_signal_and(struct og_signal *signal, int64_t value);
int64_t og_signal_or(struct og_signal *signal, int64_t value);
int64_t og_signal_xor(struct og_signal *signal, int64_t value);
/* Waits until the condition holds or so many nanoseconds have passed; returns the value seen last. */
int64_t og_signal_wait(struct og_signal *signal, enum og_condition condition, int64_t compare, uint64_t timeout);

/* When the packet or copy ran that the signal completes. If packets of several queues share a signal, the times are
 * those of whichever ended last, and always belong together. */
void og_signal_set_times(struct og_signal *signal, uint64_t start, uint64_t end);
void og_signal_times(const struct og_signal *signal, uint64_t *start, uint64_t *end);

/* ---- waiting for several ----------------------------------------------------------------------------------------- */

bool og_condition_holds(enum og_condition condition, int64_t value, int64_t compare);

/* A kernel's own atomic wakes no thread. So a waiting thread also sleeps on this word, which is incremented when a
 * kernel interrupts the host (s_sendmsg) or ends. It polls as well: every millisecond at first, less often the longer
 * it has waited. */
struct og_interrupts {
  uint32_t count;    /* both are atomic */
  uint32_t sleepers; /* sleeping threads; if there are none, raising makes no system call */
};
void og_interrupts_raise(struct og_interrupts *interrupts);

/* The same as og_signal_wait, for signals that kernels change. */
int64_t og_signal_wait_interrupts(struct og_signal *signal, enum og_condition condition, int64_t compare,
                                  uint64_t timeout, struct og_interrupts *interrupts);

/* The state of a loop that looks at signals and sleeps in between; begins as {0}. */
struct og_waiter {
  uint64_t start; /* when the loop first spun or slept; 0: not yet */
  bool slept;
};
enum { OG_WAIT_SIGNALS = 126 /* so many signals can wake a sleeper; further ones are only looked at now and then */ };
/* Spins or sleeps until a signal has another value than was seen, something was raised since *raised was read, or
 * `nanoseconds` have passed; it may also return without a reason. `interrupts` may be NULL. */
void og_wait_once(struct og_waiter *waiter, struct og_signal *const signals[], const int64_t seen[], size_t count,
                  struct og_interrupts *interrupts, uint32_t raised, uint64_t nanoseconds);

#endif
