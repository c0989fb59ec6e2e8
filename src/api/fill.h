/* fill.h - what the public functions share: structs filled in up to the caller's size, bytes handed out. */
#ifndef OG_API_FILL_H
#define OG_API_FILL_H

#include "offgrid.h"
#include "base/base.h"

/* False where the caller's size is 0. `whole` and `to` begin with it. */
static inline bool og_fill(void *to, void *whole, size_t size) {
  size_t room = *(const size_t *)to;
  *(size_t *)whole = room;
  __builtin_memcpy(to, whole, OG_MIN(room, size));
  return room != 0;
}
/* OG_FILL(info, .name = "x"): what is not named is zeroed. */
#define OG_FILL(to, ...) og_fill((to), &(__typeof__(*(to))){__VA_ARGS__}, sizeof *(to))

/* Hands the buffer's memory over where all went well, and frees it where not; yields `good`. */
static inline bool og_hand_out(bool good, struct og_buffer *buffer, og_bytes *bytes) {
  if (good)
    *bytes = (og_bytes){buffer->data, buffer->size};
  else
    og_buffer_free(buffer);
  return good;
}

#endif
