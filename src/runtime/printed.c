/* printed.c - turns what kernels print into text. Layouts: LLVM's lowering of printf for AMDGPU (emitAMDGPUPrintfCall
 * for HIP, AMDGPUPrintfRuntimeBinding for OpenCL), and the device libraries' ockl. */
#include "runtime/printed.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"

enum { MOST_TEXT = 1 << 26, MOST_ELEMENTS = 16 };

/* ---- HIP --------------------------------------------------------------------------------------------------------- */

struct message {
  const uint64_t *at, *end;
};

static bool take_word(void *context, int64_t *word) {
  struct message *message = context;
  if (message->at == message->end)
    return false;
  *word = (int64_t)*message->at++;
  return true;
}

/* The string ends with a NUL and takes whole words. */
static const char *take_string(struct message *message) {
  const char *string = (const char *)message->at;
  size_t room = (size_t)(message->end - message->at) * sizeof *message->at, size = strnlen(string, room);
  if (size == room)
    return NULL;
  message->at += size / sizeof *message->at + 1;
  return string;
}

static bool put_word(struct message *message, const struct og_conversion *c, struct og_buffer *out) {
  const char *string;
  int64_t word;
  double number;
  if (c->letter == 's') {
    if (!(string = take_string(message)))
      return false;
    og_format_string(c, string, strlen(string), out);
    return true;
  }
  if (!take_word(message, &word))
    return false;
  memcpy(&number, &word, sizeof number);
  if (og_is_float_conversion(c))
    og_format_float(c, number, out);
  else if (c->letter == 'c' || c->letter == 'p')
    og_format_integer(c, (uint64_t)word, 8, out);
  else
    og_format_integer(c, (uint64_t)word, c->size ? c->size : 4, out);
  return true;
}

bool og_print_message(const uint64_t *words, size_t count, bool *to_stderr, struct og_buffer *out) {
  struct message message = {words, words + count};
  struct og_conversion conversion;
  int64_t stream;
  const char *format;
  if (!take_word(&message, &stream) || !(format = take_string(&message)))
    return false;
  *to_stderr = stream & 1;
  while (og_format_next(&format, &conversion, take_word, &message, out))
    if (!put_word(&message, &conversion, out))
      return false;
  return true;
}

/* ---- OpenCL ------------------------------------------------------------------------------------------------------ */

/* A format in the metadata, "ID:COUNT:SIZE...:TEXT"; the text has C's escapes and \72 for a colon. */
struct format {
  uint64_t id, count;
  const char *sizes; /* "4:8:" and so on */
  const char *text;
};

static bool read_number(const char **at, uint64_t *value) {
  char *end;
  *value = strtoull(*at, &end, 10);
  if (end == *at || *end != ':')
    return false;
  *at = end + 1;
  return true;
}

static bool read_format(const char *text, struct format *format) {
  uint64_t size;
  bool good = read_number(&text, &format->id) && read_number(&text, &format->count);
  format->sizes = text;
  for (uint64_t i = 0; good && i < format->count; i++)
    good = read_number(&text, &size);
  format->text = text;
  return good;
}

static bool find_format(const struct og_code_object *code, uint32_t id, struct format *format) {
  const struct og_node *list = og_node_get(code->metadata, code->version == 2 ? "Printf" : "amdhsa.printf");
  for (uint32_t i = 0; list && list->kind == OG_NODE_LIST && i < list->count; i++) {
    const char *text = og_node_string(&list->items[i], NULL);
    if (text && read_format(text, format) && format->id == id)
      return true;
  }
  return false;
}

static void unescape(const char *text, struct og_buffer *out) {
  static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
  for (; *text; text++) {
    const char *letter = *text == '\\' && text[1] ? strchr(letters, text[1]) : NULL;
    if (letter) {
      og_buffer_append(out, &meanings[letter - letters], 1);
      text++;
    } else if (strncmp(text, "\\72", 3) == 0) {
      og_buffer_text(out, ":");
      text += 2;
    } else {
      og_buffer_append(out, text, 1);
      text += text[0] == '\\' && text[1] == '\\';
    }
  }
  og_buffer_append(out, "", 1);
}

struct records {
  const uint8_t *at, *end;
  const char *sizes; /* sizes of the arguments that are left */
};

/* The next argument's bytes; NULL: there are no more. */
static const uint8_t *take_argument(struct records *r, size_t *size) {
  uint64_t bytes;
  if (!read_number(&r->sizes, &bytes) || bytes > (size_t)(r->end - r->at))
    return NULL;
  const uint8_t *at = r->at;
  r->at += og_align_up(bytes, 4) <= (size_t)(r->end - r->at) ? og_align_up(bytes, 4) : bytes;
  *size = bytes;
  return at;
}

static bool take_number(void *context, int64_t *number) {
  size_t size;
  const uint8_t *at = take_argument(context, &size);
  if (at && (size == 4 || size == 8))
    *number = size == 4 ? (int32_t)og_load32(at) : (int64_t)og_load64(at);
  return at;
}

static void put_element(const struct og_conversion *c, const uint8_t *at, size_t size, struct og_buffer *out) {
  uint64_t bits = 0;
  float single;
  double number;
  _Float16 half;
  memcpy(&bits, at, size);
  memcpy(&half, &bits, sizeof half);
  memcpy(&single, &bits, sizeof single);
  memcpy(&number, &bits, sizeof number);
  if (og_is_float_conversion(c))
    og_format_float(c, size == 2 ? (double)half : size == 4 ? (double)single : number, out);
  else
    og_format_integer(c, bits, (unsigned)size, out);
}

/* A vector of three takes the room of four. */
static bool put_argument(struct records *r, const struct og_conversion *c, struct og_buffer *out) {
  size_t size, room = c->elements == 3 ? 4 : c->elements;
  const uint8_t *at = take_argument(r, &size);
  if (!at)
    return false;
  if (c->letter == 's') { /* the text if the compiler knew it, else the kernel's address of it, which is not followed */
    og_format_string(c, (const char *)at, strnlen((const char *)at, size), out);
    return true;
  }
  if (!room || room > MOST_ELEMENTS || size % room || size / room > 8 || !size)
    return false;
  for (uint32_t i = 0; i < c->elements; i++) {
    if (i)
      og_buffer_text(out, ",");
    put_element(c, at + i * (size / room), size / room, out);
  }
  return true;
}

static bool put_record(const struct og_code_object *code, struct records *r, struct og_buffer *out) {
  struct format format;
  struct og_buffer text = {0};
  struct og_conversion conversion;
  if (r->end - r->at < 4 || !find_format(code, og_load32(r->at), &format))
    return false;
  r->at += 4;
  r->sizes = format.sizes;
  unescape(format.text, &text);
  const char *at = (const char *)text.data;
  bool good = true;
  while (good && og_format_next(&at, &conversion, take_number, r, out))
    good = put_argument(r, &conversion, out);
  og_buffer_free(&text);
  return good;
}

void og_print_buffer(const struct og_code_object *code, const uint8_t *buffer, size_t size, struct og_buffer *out) {
  size_t written = OG_MIN((size_t)og_load32(buffer), size - OG_PRINTF_FIRST), start = out->size;
  struct records records = {buffer + OG_PRINTF_FIRST, buffer + OG_PRINTF_FIRST + written, ""};
  while (records.at < records.end && out->size - start < MOST_TEXT)
    if (!put_record(code, &records, out)) {
      og_buffer_text(out, "\n(what follows in the kernel's printf buffer is no record)\n");
      return;
    }
}
