/* deferred.h - accesses of memory and LDS that an observer performs itself: what it is told about them, and how it
 * finishes them. */
#ifndef OG_EXEC_DEFERRED_H
#define OG_EXEC_DEFERRED_H

#include "exec/exec.h"

struct og_deferred {
  int access;           /* enum og_access */
  enum og_space space;  /* GLOBAL, LDS, or SCALAR: a store of the scalar cache */
  unsigned lane, piece; /* piece: of two places that one load goes to */
  unsigned size;
  uint64_t address;
  const void *bytes;    /* that are stored */
  uint64_t data, other; /* an atomic's operands, in the instruction's order */
};

/* A verdict beside those of enum og_verdict: by `instruction`, the wave goes on with it when others have run. */
enum { OG_GIVE_WAY = OG_STOP_HERE + 1 };

/* An observer that performs accesses itself; it is recognized by its `access`, og_access_to_defer. */
struct og_deferring_observer {
  struct og_observer observer;
  /* Takes over a lane's plain load, store or atomic, to finish at any later time: true. */
  bool (*defer)(void *context, struct og_wave *wave, const struct og_operation *op, const struct og_deferred *what);
  /* What was read of global memory at once, vector or scalar: may be changed to what a cache still has. */
  void (*look)(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space,
               uint64_t address, void *bytes, unsigned size);
  /* Told of all accesses, as `access` of other observers is, at their issue. May be NULL. */
  void (*told)(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space, int access,
               unsigned lane, uint64_t address, unsigned size);
};
/* Tells it. */
void og_access_to_defer(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space,
                        int access, unsigned lane, uint64_t address, unsigned size);

/* Whether the wave's observer takes the access; false: it is done at once. */
static inline bool og_defer(struct og_wave *wave, const struct og_operation *op, const struct og_deferred *what) {
  const struct og_deferring_observer *observer = (const struct og_deferring_observer *)wave->observer;
  return observer->defer(observer->observer.context, wave, op, what);
}
static inline bool og_defers(const struct og_wave *wave) {
  return __builtin_expect(wave->observer != NULL, 0) && wave->observer->access == og_access_to_defer;
}

static inline void og_look(struct og_wave *wave, const struct og_operation *op, enum og_space space, uint64_t address,
                           void *bytes, unsigned size) {
  const struct og_deferring_observer *observer = (const struct og_deferring_observer *)wave->observer;
  observer->look(observer->observer.context, wave, op, space, address, bytes, size);
}

/* Fills the registers of one piece of a lane's load. */
void og_finish_load(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned piece,
                    const void *bytes);
/* Modifies memory at the host's address, and fills the registers of an atomic that returns the old value. */
void og_finish_atomic(struct og_wave *wave, const struct og_operation *op, enum og_space space, unsigned lane, void *at,
                      uint64_t data, uint64_t other);
/* The host's address of bytes that a kernel may touch; NULL: it may not any more. */
void *og_deferred_place(const struct og_wave *wave, uint64_t address, unsigned size, bool write);

#endif
