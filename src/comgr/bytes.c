/* bytes.c - puts bytes one after another, and takes them apart. Blocks are filled up to words, which are summed. */
#include "comgr/bytes.h"

#include <stdlib.h>
#include <string.h>

static size_t rounded(size_t size) {
  return (size + 7) & ~(size_t)7;
}

static char *grow(struct comgr_bytes *to, size_t size) {
  if (to->failed || size > SIZE_MAX / 4 - to->size)
    return to->failed = true, NULL;
  size_t needed = to->size + rounded(size);
  if (needed > to->room) {
    size_t room = needed > 2 * to->room ? needed : 2 * to->room;
    char *bytes = realloc(to->bytes, room);
    if (!bytes)
      return to->failed = true, NULL;
    to->bytes = bytes;
    to->room = room;
  }
  char *start = to->bytes + to->size;
  memset(start + size, 0, rounded(size) - size);
  to->size = needed;
  return start;
}

void og_comgr_number(struct comgr_bytes *to, uint64_t number) {
  char *place = grow(to, sizeof number);
  if (place)
    memcpy(place, &number, sizeof number);
}

char *og_comgr_new_block(struct comgr_bytes *to, size_t size) {
  og_comgr_number(to, size);
  return grow(to, size);
}

void og_comgr_block(struct comgr_bytes *to, const void *bytes, size_t size) {
  char *place = og_comgr_new_block(to, size);
  if (place && size)
    memcpy(place, bytes, size);
}

bool og_comgr_take_number(struct comgr_rest *from, uint64_t *number) {
  if (from->size < sizeof *number)
    return false;
  memcpy(number, from->bytes, sizeof *number);
  from->bytes += sizeof *number;
  from->size -= sizeof *number;
  return true;
}

bool og_comgr_take_block(struct comgr_rest *from, struct comgr_rest *block) {
  uint64_t size;
  if (!og_comgr_take_number(from, &size) || size > from->size || rounded(size) > from->size)
    return false;
  *block = (struct comgr_rest){from->bytes, size};
  from->bytes += rounded(size);
  from->size -= rounded(size);
  return true;
}
