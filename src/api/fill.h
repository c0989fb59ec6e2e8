/* fill.h - what the public functions share: filling structs up to the caller's size, handing out bytes. */
#ifndef OG_API_FILL_H
#define OG_API_FILL_H

#include "offgrid.h"
#include "base/base.h"

/* Copies as much of `whole` as the caller's `to` has room for. Both structs begin with their size; false if it is 0. */
static inline bool og_fill(void *to, void *whole, size_t size) {
  size_t room = *(const size_t *)to;
  *(size_t *)whole = room;
  __builtin_memcpy(to, whole, OG_MIN(room, size));
  return room != 0;
}
/* OG_FILL(info, .name = "x"): members that are not given are zeroed. */
#define OG_FILL(to, ...) og_fill((to), &(__typeof__(*(to))){__VA_ARGS__}, sizeof *(to))

/* Hands the buffer's memory to the caller if `good`, else frees it; returns `good`. */
static inline bool og_hand_out(bool good, struct og_buffer *buffer, og_bytes *bytes) {
  if (good)
    *bytes = (og_bytes){buffer->data, buffer->size};
  else
    og_buffer_free(buffer);
  return good;
}

#endif
