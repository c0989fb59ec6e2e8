/* copy.h - copies that wait for signals: what DMA engines do for programs, beside the queues. */
#ifndef OG_COPY_H
#define OG_COPY_H

#include "runtime/signal.h"

/* Copies `width` bytes of each of `height` rows of each of `depth` slices. */
struct og_copy {
  uint8_t *to;
  const uint8_t *from;
  size_t width, height, depth;
  size_t to_pitch, to_slice, from_pitch, from_slice; /* bytes from row to row, from slice to slice */
  void *asked; /* for the caller that asked for the copy */
};

struct og_copies;

/* Functions that the thread making a copy calls; all may be NULL. */
struct og_copies_watch {
  /* Its dependencies are met. */
  void (*begins)(const struct og_copy *copy, struct og_signal *const dependencies[], size_t count);
  /* The copy was made between these times, in nanoseconds of og_clock(), or a dependency has failed. Called before the
   * completion signal. */
  void (*ends)(const struct og_copy *copy, uint64_t start, uint64_t end, const struct og_signal *completion,
               bool failed);
};

/* `interrupts`: see og_signal_wait_interrupts(). The watch is copied. The thread begins with the first copy that needs
 * it. NULL: memory is short. */
struct og_copies *og_copies_new(struct og_interrupts *interrupts, const struct og_copies_watch *watch);
/* Cancels waiting copies: their signals stay unchanged. */
void og_copies_free(struct og_copies *copies);
/* Makes the copy when all dependencies are 0, then counts `completion` down and sets its times; NULL: nobody waits. A
 * negative dependency has failed, and so does the copy: its completion becomes -1. A small copy that is ready is done
 * before this returns. Copies that wait do not keep others from running. False: memory or threads are short. */
bool og_copies_submit(struct og_copies *copies, const struct og_copy *copy, struct og_signal *const dependencies[],
                      size_t count, struct og_signal *completion);
void og_copy_run(const struct og_copy *copy);

#endif
