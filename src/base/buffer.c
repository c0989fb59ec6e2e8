/* buffer.c - growing byte buffers, little-endian writers, JSON strings. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void og_buffer_free(struct og_buffer *buffer) {
  free(buffer->data);
  *buffer = (struct og_buffer){0};
}

/* Moves what is there to room for `capacity` bytes. A large one is moved by hand: realloc would touch the new memory
 * before the system knows that large pages will do. One of them takes as long as a hundred small ones. */
static bool move(struct og_buffer *buffer, size_t capacity) {
  enum { FIRST = 512 << 10, LARGE = 4 << 20 }; /* much is cheaper to map elsewhere than to copy */
  bool large = capacity >= (buffer->size > FIRST / 16 ? LARGE : FIRST);
  uint8_t *data = large ? og_large_pages(capacity) : realloc(buffer->data, capacity);
  if (!data)
    return false;
  if (large) {
    if (buffer->size)
      memcpy(data, buffer->data, buffer->size);
    free(buffer->data);
  }
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

/* Makes room for `size` more bytes and one NUL after them, so that the bytes can be read as a C string. */
static uint8_t *make_room(struct og_buffer *buffer, size_t size) {
  if (buffer->capacity - buffer->size <= size) {
    size_t capacity = OG_MAX(buffer->capacity * 2, buffer->size + size + 64);
    if (!move(buffer, capacity))
      buffer->data = og_checked_realloc(buffer->data, buffer->capacity = capacity); /* which ends the process */
  }
  buffer->data[buffer->size + size] = 0;
  return buffer->data + buffer->size;
}

bool og_buffer_reserve(struct og_buffer *buffer, size_t size) {
  if (buffer->capacity - buffer->size > size)
    return true;
  size_t capacity = OG_MAX(buffer->capacity * 2, buffer->size + size + 64);
  return capacity > size && move(buffer, capacity);
}

void *og_buffer_grow(struct og_buffer *buffer, size_t size) { return make_room(buffer, size); }

void *og_buffer_extend(struct og_buffer *buffer, size_t size) {
  uint8_t *bytes = make_room(buffer, size);
  memset(bytes, 0, size);
  buffer->size += size;
  return bytes;
}

/* How many bytes at the start of `data` are terminal control characters; 0: none. In UTF-8, U+0080 to U+009F are such
 * too. */
static size_t control_size(const uint8_t *data, size_t size) {
  if (data[0] == 0xc2 && size > 1 && data[1] >= 0x80 && data[1] < 0xa0)
    return 2;
  return data[0] < 0x20 || data[0] == 0x7f;
}

void og_buffer_printable(struct og_buffer *buffer, const void *text, size_t size, const char *kept) {
  const uint8_t *data = text;
  for (size_t i = 0, orders; i < size; i += OG_MAX(orders, (size_t)1)) {
    orders = control_size(data + i, size - i);
    if (orders == 0 || (data[i] && strchr(kept, data[i])))
      og_buffer_append(buffer, data + i, 1);
    for (size_t k = 0; k < orders && !(data[i] && strchr(kept, data[i])); k++)
      og_buffer_printf(buffer, "\\x%02x", data[i + k]);
  }
}

void og_write_text(const void *text, size_t size, FILE *stream) {
  if (!isatty(fileno(stream))) {
    fwrite(text, 1, size, stream);
    return;
  }
  struct og_buffer shown = {0};
  og_buffer_printable(&shown, text, size, "\n\t");
  fwrite(shown.data, 1, shown.size, stream);
  og_buffer_free(&shown);
}

void og_buffer_write_out(struct og_buffer *buffer) {
  og_write_text(buffer->data, buffer->size - 1, buffer->sink);
  buffer->data[0] = buffer->data[buffer->size - 1];
  buffer->size = 1;
}

void og_buffer_printf(struct og_buffer *buffer, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char small[256];
  va_list again;
  va_copy(again, args);
  int size = vsnprintf(small, sizeof small, format, args);
  va_end(args);
  if (size > 0 && (size_t)size < sizeof small)
    og_buffer_append(buffer, small, (size_t)size);
  else if (size > 0) {
    vsnprintf((char *)make_room(buffer, (size_t)size), (size_t)size + 1, format, again);
    buffer->size += (size_t)size;
  }
  va_end(again);
}

void og_buffer_decimal(struct og_buffer *buffer, uint64_t value) {
  char digits[20], *first = digits + sizeof digits;
  do
    *--first = (char)('0' + value % 10);
  while (value /= 10);
  og_buffer_append(buffer, first, (size_t)(digits + sizeof digits - first));
}

void og_buffer_u16(struct og_buffer *buffer, uint16_t value) { og_buffer_append(buffer, &value, 2); }
void og_buffer_u32(struct og_buffer *buffer, uint32_t value) { og_buffer_append(buffer, &value, 4); }
void og_buffer_u64(struct og_buffer *buffer, uint64_t value) { og_buffer_append(buffer, &value, 8); }

void og_buffer_uleb(struct og_buffer *buffer, uint64_t value) {
  do {
    og_buffer_u8(buffer, (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0)));
    value >>= 7;
  } while (value);
}

void og_buffer_sleb(struct og_buffer *buffer, int64_t value) {
  for (bool more = true; more;) {
    uint8_t byte = value & 0x7f;
    value >>= 7;
    more = !((value == 0 && !(byte & 0x40)) || (value == -1 && byte & 0x40));
    og_buffer_u8(buffer, byte | (more ? 0x80 : 0));
  }
}

void og_buffer_align(struct og_buffer *buffer, size_t alignment, uint8_t fill) {
  size_t padding = og_align_up(buffer->size, alignment) - buffer->size;
  memset(og_buffer_extend(buffer, padding), fill, padding);
}

/* The size of the UTF-8 character that `data` begins with; 0: there is none (RFC 3629, section 4). */
static size_t character_size(const uint8_t *data, size_t size) {
  static const struct {
    uint8_t first, last, low, high; /* the first byte's range and the second's */
    uint8_t size;
  } kinds[] = {{0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
               {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
               {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  for (size_t i = 0; i < OG_COUNT(kinds); i++) {
    if (data[0] < kinds[i].first || data[0] > kinds[i].last)
      continue;
    if (size < kinds[i].size || (kinds[i].size > 1 && (data[1] < kinds[i].low || data[1] > kinds[i].high)))
      return 0;
    for (size_t k = 2; k < kinds[i].size; k++)
      if ((data[k] & 0xc0) != 0x80)
        return 0;
    return kinds[i].size;
  }
  return 0;
}

void og_buffer_json(struct og_buffer *buffer, const char *text, size_t size) {
  const uint8_t *data = (const uint8_t *)text;
  og_buffer_u8(buffer, '"');
  for (size_t i = 0, taken; i < size; i += taken) {
    uint8_t c = data[i];
    size_t character = character_size(data + i, size - i);
    taken = OG_MAX(character, (size_t)1);
    if (c == '"' || c == '\\')
      og_buffer_printf(buffer, "\\%c", c);
    else if (c == '\n')
      og_buffer_text(buffer, "\\n");
    else if (!character)
      og_buffer_text(buffer, "\\ufffd"); /* the replacement character: JSON holds no other bytes */
    else if (control_size(data + i, size - i))
      og_buffer_printf(buffer, "\\u%04x", data[i + taken - 1]);
    else
      og_buffer_append(buffer, data + i, taken);
  }
  og_buffer_u8(buffer, '"');
}
