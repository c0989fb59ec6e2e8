/* disassemble.c - bytes as text to instructions, as `llvm-mc -disassemble` does. */
#include "tool/disassemble.h"

#include "isa/isa.h"
#include "tool/tool.h"

#include <string.h>

static int hex(uint8_t c) { return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1; }

/* Bytes of one line, "0x01,0x02" with brackets, blanks and comments as one likes; false where something else stands. */
static bool parse_line(const struct og_source *source, size_t at, size_t end, struct og_buffer *out, struct og_diagnostics *d) {
  const uint8_t *text = (const uint8_t *)source->text;
  for (size_t i = at; i < end;) {
    if (strchr(" \t,[]\r", text[i]) && text[i]) {
      i++;
      continue;
    }
    if (text[i] == '#' || text[i] == ';' || (text[i] == '/' && i + 1 < end && text[i + 1] == '/'))
      return true;
    size_t start = i;
    unsigned value = 0, digits = 0;
    if (text[i] == '0' && i + 1 < end && (text[i + 1] | 32) == 'x') {
      for (i += 2; i < end && hex(text[i]) >= 0; i++, digits++)
        value = OG_MIN(value << 4 | (unsigned)hex(text[i]), 0xffffu);
    } else {
      for (; i < end && text[i] >= '0' && text[i] <= '9'; i++, digits++)
        value = OG_MIN(value * 10 + (unsigned)(text[i] - '0'), 0xffffu);
    }
    if (!digits || value > 255)
      return og_error(d, (struct og_range){source, (uint32_t)start, 1}, "invalid input token: expected a byte such as 0x7f");
    og_buffer_u8(out, (uint8_t)value);
  }
  return true;
}

static void print_bytes(const struct og_assemble_arguments *a, const struct og_isa *isa, const struct og_buffer *bytes, struct og_range range,
                        struct og_buffer *out, struct og_diagnostics *d) {
  for (size_t at = 0; at < bytes->size;) {
    struct og_inst inst;
    size_t size = og_decode(isa, bytes->data + at, bytes->size - at, &inst);
    if (!size) {
      og_report(d, OG_SEVERITY_WARNING, range, "invalid instruction encoding");
      at += OG_MIN(bytes->size - at, 4u);
      continue;
    }
    size_t start = out->size;
    og_buffer_u8(out, '\t');
    og_print_inst(isa, &inst, NULL, out);
    if (a->show_encoding) {
      size_t column = out->size - start - 1;
      og_buffer_printf(out, "%*s; encoding: [", column < 40 ? (int)(40 - column) : 1, "");
      for (size_t i = 0; i < size; i++)
        og_buffer_printf(out, "%s0x%02x", i ? "," : "", bytes->data[at + i]);
      og_buffer_text(out, "]");
    }
    og_buffer_u8(out, '\n');
    at += size;
  }
}

int og_disassemble_bytes(const struct og_assemble_arguments *a) {
  struct og_diagnostics *d = og_diagnostics_new();
  struct og_buffer text = {0}, out = {0};
  struct og_target target;
  const struct og_isa *isa = NULL;
  if (og_target_parse(&target, a->triple, a->mcpu, a->mattr, d) && !(isa = og_isa_for(&target)))
    og_error_in(d, NULL, "no instruction tables for %s", target.processor->name);
  if (isa && og_read_file(a->input, &text, d)) {
    struct og_source source = {.name = strcmp(a->input, "-") ? a->input : "<stdin>", .text = (const char *)text.data, .size = text.size};
    for (size_t at = 0; at < text.size;) {
      const uint8_t *newline = memchr(text.data + at, '\n', text.size - at);
      size_t end = newline ? (size_t)(newline - text.data) : text.size;
      struct og_buffer bytes = {0};
      if (parse_line(&source, at, end, &bytes, d))
        print_bytes(a, isa, &bytes, (struct og_range){&source, (uint32_t)at, 1}, &out, d);
      og_buffer_free(&bytes);
      at = end + 1;
    }
    og_write_file(a->output ? a->output : "-", out.data, out.size, d);
  }
  int code = og_finish(d);
  og_buffer_free(&text);
  og_buffer_free(&out);
  return code;
}
