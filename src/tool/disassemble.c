/* disassemble.c - turns bytes written as text into instructions, as `llvm-mc -disassemble` does. */
#include "tool/disassemble.h"

#include "isa/isa.h"
#include "tool/tool.h"

#include <string.h>

static int hex(uint8_t c) {
  return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Bytes to read as instructions, and where each of them is in the text. */
struct region {
  struct og_buffer bytes, places; /* places: 32 bits for each byte */
  bool bracketed;                 /* all or nothing: after an invalid instruction the rest is left out */
};

static void end_region(struct region *r) {
  r->bytes.size = r->places.size = 0;
  r->bracketed = false;
}

/* Reads a byte of two digits, for -hex. */
static size_t digits(const uint8_t *text, size_t at, size_t end, unsigned *value) {
  if (at + 1 >= end || hex(text[at]) < 0 || hex(text[at + 1]) < 0)
    return at;
  *value = (unsigned)(hex(text[at]) << 4 | hex(text[at + 1]));
  return at + 2;
}

static size_t number(const uint8_t *text, size_t at, size_t end, unsigned *value) {
  size_t i = at;
  bool is_hex = text[i] == '0' && i + 1 < end && (text[i + 1] | 32) == 'x';
  for (i += is_hex ? 2 : 0, *value = 0; i < end && (is_hex ? hex(text[i]) >= 0 : text[i] >= '0' && text[i] <= '9'); i++)
    *value = OG_MIN(*value * (is_hex ? 16 : 10) + (unsigned)hex(text[i]), 0xffffu);
  return i == at + (is_hex ? 2u : 0u) ? at : i;
}

/* Prints a region's instructions. False: it is in brackets and not all of it is code. */
static bool print_region(const struct og_assemble_arguments *a, const struct og_reader *reader,
                         const struct og_source *source, const struct region *r, struct og_buffer *out,
                         struct og_diagnostics *d) {
  const struct og_buffer *bytes = &r->bytes;
  for (size_t at = 0; at < bytes->size;) {
    struct og_inst inst;
    const struct og_isa *isa;
    size_t size = og_read_inst(reader, bytes->data + at, bytes->size - at, &inst, &isa);
    if (!size) {
      og_report(d, OG_SEVERITY_WARNING, (struct og_range){source, og_load32(r->places.data + at * 4), 1},
                "invalid instruction encoding");
      if (r->bracketed)
        return false;
      at += OG_MIN(bytes->size - at, 4u);
      continue;
    }
    if (og_is_doubtful(isa, &inst, bytes->data + at))
      og_report(d, OG_SEVERITY_WARNING, (struct og_range){source, og_load32(r->places.data + at * 4), 1},
                "potentially undefined instruction encoding");
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
  return true;
}

/* Reads text such as "0x01,0x02". A region is what lies between two brackets, or everything outside of them; commas,
 * blanks, comments and line ends may separate bytes. */
static bool disassemble_text(const struct og_assemble_arguments *a, const struct og_reader *reader,
                             const struct og_source *source, struct og_buffer *out, struct og_diagnostics *d) {
  const uint8_t *text = (const uint8_t *)source->text;
  struct region r = {0};
  bool ok = true;
  for (size_t i = 0; i <= source->size;) {
    char c = i < source->size ? (char)text[i] : '\n';
    if (c == '#' || c == ';' || (c == '/' && i + 1 < source->size && text[i + 1] == '/')) {
      while (i < source->size && text[i] != '\n')
        i++;
      continue;
    }
    if (i == source->size && r.bracketed)
      ok = og_error(d, (struct og_range){source, (uint32_t)i, 0}, "unclosed atomic block");
    if (c == '[' || c == ']' || i == source->size) {
      ok = print_region(a, reader, source, &r, out, d) && ok;
      end_region(&r);
      r.bracketed = c == '[';
    }
    if (strchr(" \t,[]\r\n", c) && c) {
      i++;
      continue;
    }
    unsigned value;
    size_t next = a->hex ? digits(text, i, source->size, &value) : number(text, i, source->size, &value);
    if (next == i || value > 255) {
      og_error(d, (struct og_range){source, (uint32_t)i, 1},
               a->hex ? "invalid input token: expected two hexadecimal digits"
                      : "invalid input token: expected a byte such as 0x7f");
      while (i < source->size && text[i] != '\n')
        i++;
      end_region(&r);
      continue;
    }
    og_buffer_u8(&r.bytes, (uint8_t)value);
    og_buffer_u32(&r.places, (uint32_t)i);
    i = next;
  }
  og_buffer_free(&r.bytes);
  og_buffer_free(&r.places);
  return ok;
}

int og_disassemble_bytes(const struct og_assemble_arguments *a) {
  struct og_diagnostics *d = og_diagnostics_new();
  struct og_buffer text = {0}, out = {0};
  struct og_target target;
  struct og_reader reader;
  bool failed = true, known = og_assemble_target(a, &target, d) && og_reader_for(&target, &reader);
  if (!known && !og_diagnostics_errors(d))
    og_error_in(d, NULL, "no instruction tables for %s", target.processor->name);
  if (known && og_read_file(a->input, &text, d)) {
    struct og_source source = {
        .name = strcmp(a->input, "-") ? a->input : "<stdin>", .text = (const char *)text.data, .size = text.size};
    failed = !disassemble_text(a, &reader, &source, &out, d);
    if (!a->any_processor) /* for llvm-mc, text that is no byte is no failure */
      failed |= og_diagnostics_errors(d) > 0;
    failed |= !og_write_file(a->output ? a->output : "-", out.data, out.size, d);
  }
  og_finish(d);
  int code = failed ? OG_EXIT_INPUT : OG_EXIT_OK;
  og_buffer_free(&text);
  og_buffer_free(&out);
  return code;
}
