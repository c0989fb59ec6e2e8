/* signal_values.c - loads, stores, atomics and waits of one signal. All are sequentially consistent, which is what
 * every memory order asks for or less. */
#include "hsa/internal.h"

static struct og_signal *object(hsa_signal_t handle) {
  return (struct og_signal *)(uintptr_t)handle.handle;
}

#define EACH_ORDER(X, ...)                                                                     \
  X(relaxed, __VA_ARGS__) X(acquire, __VA_ARGS__) X(scacquire, __VA_ARGS__)                    \
  X(release, __VA_ARGS__) X(screlease, __VA_ARGS__) X(acq_rel, __VA_ARGS__) X(scacq_screl, __VA_ARGS__)
#define ACQUIRE_ORDERS(X, ...) X(relaxed, __VA_ARGS__) X(acquire, __VA_ARGS__) X(scacquire, __VA_ARGS__)
#define RELEASE_ORDERS(X, ...) X(relaxed, __VA_ARGS__) X(release, __VA_ARGS__) X(screlease, __VA_ARGS__)

#define LOAD(order, ...)                                                \
  hsa_signal_value_t hsa_signal_load_##order(hsa_signal_t signal) {     \
    int64_t value = og_signal_load(object(signal));                     \
    og_hsa_sees(object(signal));                                        \
    return value;                                                       \
  }
ACQUIRE_ORDERS(LOAD, )

#define STORE(order, ...)                                                          \
  void hsa_signal_store_##order(hsa_signal_t signal, hsa_signal_value_t value) {   \
    og_hsa_signal_store(object(signal), value);                                    \
  }
RELEASE_ORDERS(STORE, )

/* Wakes nobody. */
void hsa_signal_silent_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value) {
  og_hsa_tells(object(signal), true);
  __atomic_store_n(&object(signal)->value, value, __ATOMIC_SEQ_CST);
}
void hsa_signal_silent_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
  og_hsa_tells(object(signal), true);
  __atomic_store_n(&object(signal)->value, value, __ATOMIC_SEQ_CST);
}

#define CHANGE(order, name, call)                                                  \
  void hsa_signal_##name##_##order(hsa_signal_t signal, hsa_signal_value_t value) { \
    og_hsa_tells(object(signal), false);                                           \
    call;                                                                          \
  }
EACH_ORDER(CHANGE, add, og_signal_add(object(signal), value))
EACH_ORDER(CHANGE, subtract, og_signal_add(object(signal), (int64_t)(0 - (uint64_t)value)))
EACH_ORDER(CHANGE, and, og_signal_and(object(signal), value))
EACH_ORDER(CHANGE, or, og_signal_or(object(signal), value))
EACH_ORDER(CHANGE, xor, og_signal_xor(object(signal), value))

#define EXCHANGE(order, ...)                                                                        \
  hsa_signal_value_t hsa_signal_exchange_##order(hsa_signal_t signal, hsa_signal_value_t value) {   \
    og_hsa_tells(object(signal), false);                                                            \
    int64_t old = og_signal_exchange(object(signal), value);                                        \
    og_hsa_sees(object(signal));                                                                    \
    return old;                                                                                     \
  }                                                                                                 \
  hsa_signal_value_t hsa_signal_cas_##order(hsa_signal_t signal, hsa_signal_value_t expected,       \
                                            hsa_signal_value_t value) {                             \
    og_hsa_tells(object(signal), false);                                                            \
    int64_t old = og_signal_compare_exchange(object(signal), expected, value);                      \
    og_hsa_sees(object(signal));                                                                    \
    return old;                                                                                     \
  }
EACH_ORDER(EXCHANGE, )

#define WAIT(order, ...)                                                                              \
  hsa_signal_value_t hsa_signal_wait_##order(hsa_signal_t signal, hsa_signal_condition_t condition,   \
                                             hsa_signal_value_t compare, uint64_t timeout,            \
                                             hsa_wait_state_t state) {                                \
    OG_HSA_CALL();                                                                                    \
    (void)state; /* a hint: a waiter spins shortly, then sleeps */                                    \
    int64_t value_then = og_signal_wait_interrupts(object(signal), (enum og_condition)condition, compare, timeout, \
                                                   og_runtime_interrupts(og_hsa.runtime));            \
    og_hsa_sees(object(signal));                                                                      \
    return value_then;                                                                                \
  }
ACQUIRE_ORDERS(WAIT, )
