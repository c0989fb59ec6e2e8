/* show.c - values, memory and code in words. */
#include "debug/show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- formats ----------------------------------------------------------------------------------------------------- */

bool og_format_read(struct og_text text, struct og_format *format) {
  static const struct {
    char letter;
    enum og_numeral type;
  } sizes[] = {{'b', OG_AS_U8}, {'h', OG_AS_U16}, {'w', OG_AS_U32}, {'g', OG_AS_U64}};
  *format = (struct og_format){.count = 1};
  size_t i = 0;
  for (uint64_t count = 0; i < text.size && isdigit((unsigned char)text.data[i]) && count < 100000; i++)
    format->count = (uint32_t)(count = 10 * count + (uint64_t)(text.data[i] - '0'));
  if (og_numeral_find((struct og_text){text.data + i, text.size - i}, &format->type))
    return format->has_type = true;
  for (; i < text.size; i++) {
    char letter = text.data[i];
    size_t k = 0;
    while (k < OG_COUNT(sizes) && sizes[k].letter != letter)
      k++;
    if (k < OG_COUNT(sizes)) {
      format->has_type = true;
      format->type = sizes[k].type;
    } else if (og_numeral_find((struct og_text){text.data + i, text.size - i}, &format->type)) {
      return format->has_type = true; /* "xu16" */
    } else if (strchr("xdutcafi", letter)) {
      format->letter = letter;
    } else {
      return false;
    }
  }
  return true;
}

struct og_context og_context_of(struct og_debug *debug) {
  return (struct og_context){debug, debug->wave, debug->lane};
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

void og_show_value(const struct og_value *value, const struct og_format *format, struct og_buffer *out) {
  if (!format->has_type) {
    og_value_print_whole(value, format->letter, out);
    return;
  }
  uint8_t bytes[8] = {0};
  og_value_store(value, value->type, bytes);
  unsigned size = og_numeral_size(format->type), whole = og_numeral_size(value->type);
  for (unsigned at = 0; at == 0 || at + size <= whole; at += size) {
    struct og_value one = og_value_load(format->type, bytes + at);
    og_buffer_text(out, at ? "|" : "");
    og_value_print(&one, format->letter, out);
  }
}

static uint64_t lanes_on(const struct og_wave *wave) {
  return wave ? og_exec(wave) & (wave->wave_size == 32 ? UINT32_MAX : UINT64_MAX) : 0;
}

/* Eight lanes to a row, '.' for those that are off; one number where all are the same. */
static void show_lanes(const struct og_wave *wave, char *const texts[OG_LANES], struct og_buffer *out) {
  enum { PER_ROW = 8 };
  uint64_t on = lanes_on(wave);
  unsigned first = on ? (unsigned)__builtin_ctzll(on) : 0, widest = 1;
  bool same = true;
  for (unsigned i = 0; i < wave->wave_size; i++)
    if (on >> i & 1) {
      same = same && strcmp(texts[i], texts[first]) == 0;
      widest = OG_MAX(widest, (unsigned)strlen(texts[i]));
    }
  if (same) {
    og_buffer_printf(out, "%s in all %d lanes that are on\n", texts[first], __builtin_popcountll(on));
    return;
  }
  og_buffer_text(out, "by lane\n");
  for (unsigned row = 0; row < wave->wave_size; row += PER_ROW) {
    if (!(on >> row & 0xff))
      continue;
    og_buffer_printf(out, "  %2u:", row);
    for (unsigned i = row; i < row + PER_ROW; i++)
      og_buffer_printf(out, " %*s", (int)widest, on >> i & 1 ? texts[i] : ".");
    og_buffer_u8(out, '\n');
  }
}

bool og_show_expression(struct og_debug *debug, const char *text, const struct og_format *format,
                        struct og_buffer *out) {
  struct og_context context = og_context_of(debug);
  struct og_value value;
  char why[160], *texts[OG_LANES] = {0};
  uint64_t on = lanes_on(context.wave);
  if (!og_evaluate(&context, text, NULL, &value, why, sizeof why)) {
    og_buffer_printf(out, "%s\n", why);
    return false;
  }
  if (format->has_type && og_numeral_size(format->type) > og_numeral_size(value.type) && value.has_place &&
      value.place.size < og_numeral_size(format->type)) {
    og_buffer_printf(out, "%s has %u bytes; the value has %u (two registers: $v[2:3])\n", og_numeral_name(format->type),
                     og_numeral_size(format->type), value.place.size);
    return false;
  }
  og_buffer_printf(out, "%s = ", text);
  if (!value.per_lane || !on) {
    og_show_value(&value, format, out);
    og_buffer_u8(out, '\n');
    return true;
  }
  for (context.lane = 0; context.lane < context.wave->wave_size; context.lane++) {
    struct og_buffer one = {0};
    if (!(on >> context.lane & 1))
      continue;
    if (og_evaluate(&context, text, NULL, &value, why, sizeof why))
      og_show_value(&value, format, &one);
    else
      og_buffer_text(&one, "?");
    texts[context.lane] = (char *)one.data;
  }
  show_lanes(context.wave, texts, out);
  for (unsigned i = 0; i < OG_LANES; i++)
    free(texts[i]);
  return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static bool read_memory(struct og_debug *debug, enum og_space space, uint64_t address, void *bytes, unsigned size) {
  struct og_watched what = {
      .space = space, .lane = debug->lane, .owner = debug->focus, .address = address, .size = size};
  return og_watched_read(debug, &what, bytes);
}

bool og_show_memory(struct og_debug *debug, enum og_space space, uint64_t address, const struct og_format *format,
                    struct og_buffer *out) {
  static const char *const names[] = {"", "lds:", "scratch:", ""};
  enum og_numeral type = format->has_type ? format->type : OG_AS_U32;
  unsigned size = og_numeral_size(type), per_row = size == 8 ? 2 : size == 1 ? 8 : 4;
  char letter = format->letter ? format->letter : og_numeral_is_float(type) ? 0 : 'x';
  for (uint32_t i = 0; i < format->count; i++) {
    uint8_t bytes[8];
    if (!read_memory(debug, space, address + (uint64_t)i * size, bytes, size)) {
      og_buffer_printf(out, "%s%s0x%llx cannot be read\n", i ? "\n" : "", names[space],
                       (unsigned long long)(address + (uint64_t)i * size));
      return false;
    }
    if (i % per_row == 0)
      og_buffer_printf(out, "%s%s0x%llx:", i ? "\n" : "", names[space],
                       (unsigned long long)(address + (uint64_t)i * size));
    struct og_value value = og_value_load(type, bytes);
    og_buffer_u8(out, '\t');
    og_value_print(&value, letter, out);
  }
  og_buffer_u8(out, '\n');
  return true;
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

void og_show_place(struct og_debug *debug, uint64_t pc, struct og_buffer *out) {
  struct og_line line = og_lines_at(debug->lines, og_file_address(debug, pc));
  og_executable_locate(debug->target.executable, pc, out);
  if (line.file)
    og_buffer_printf(out, " (%s:%u)", og_file_name(line.file), line.line);
}

unsigned og_show_instruction(struct og_debug *debug, uint64_t pc, struct og_buffer *out) {
  const struct og_executable *executable = debug->target.executable;
  const struct og_program *program = og_executable_program(executable, debug->target.kernel->start.wave_size);
  struct og_isa room;
  struct og_inst inst;
  const struct og_isa *isa = program ? og_isa_for(&program->target, &room) : NULL;
  uint64_t offset = pc - executable->start, end = program ? (uint64_t)(uintptr_t)program->code + 4 * program->words : 0;
  if (!isa || pc < (uint64_t)(uintptr_t)program->code || pc >= end || offset >= executable->size)
    return 0;
  size_t size = og_decode(isa, (const uint8_t *)(uintptr_t)pc, end - pc, &inst);
  if (!size)
    return 0;
  size_t start = out->size;
  og_print_inst(isa, &inst, NULL, out);
  for (size_t i = start; i < out->size; i++)
    out->data[i] = out->data[i] == '\t' ? ' ' : out->data[i];
  const struct og_operand *branch = og_branch_operand(isa, &inst);
  if (branch) {
    og_buffer_text(out, " -> ");
    og_executable_locate(executable, pc + 4 + 4 * branch->value, out);
  }
  return (unsigned)size;
}

static bool has_breakpoint(const struct og_debug *debug, uint64_t pc) {
  const struct og_program *program =
      og_executable_program(debug->target.executable, debug->target.kernel->start.wave_size);
  uint64_t word = (pc - (uint64_t)(uintptr_t)program->code) / 4;
  return word < debug->words && debug->marks[word];
}

/* Each line of source stands before its first instruction, but where it is that itself. */
void og_show_disassembly(struct og_debug *debug, uint64_t pc, uint32_t count, struct og_buffer *out) {
  uint64_t here = debug->wave ? og_debug_pc(debug, debug->wave) : 0;
  struct og_line before = {0};
  for (uint32_t i = 0; i < count; i++) {
    struct og_buffer text = {0};
    unsigned size = og_show_instruction(debug, pc, &text);
    struct og_line line = og_lines_at(debug->lines, og_file_address(debug, pc));
    if (line.file && !og_lines_are_code(line.file) && !og_same_line(&line, &before)) {
      struct og_text source = og_lines_text(debug->lines, line.file, line.line);
      og_buffer_printf(out, "%s:%u\t%.*s\n", og_file_name(line.file), line.line, OG_TEXT_ARGS(source));
      before = line;
    }
    og_buffer_printf(out, "%s%s ", pc == here ? "=>" : "  ", has_breakpoint(debug, pc) ? "*" : " ");
    og_executable_locate(debug->target.executable, pc, out);
    og_buffer_printf(out, ":\t%.*s", size ? (int)text.size : 14, size ? (const char *)text.data : "(no code here)");
    if (line.file && og_lines_are_code(line.file))
      og_buffer_printf(out, "  (%s:%u)", og_file_name(line.file), line.line);
    og_buffer_u8(out, '\n');
    og_buffer_free(&text);
    if (!size)
      return;
    pc += size;
  }
}

void og_show_source(struct og_debug *debug, const char *file, unsigned first, unsigned count, unsigned here,
                    struct og_buffer *out) {
  for (unsigned line = first; line < first + count; line++) {
    struct og_text text = og_lines_text(debug->lines, file, line);
    if (!text.data)
      return;
    og_buffer_printf(out, "%s%u\t", line == here ? "=> " : "   ", line);
    og_buffer_printable(out, text.data, text.size, "\t");
    og_buffer_u8(out, '\n');
  }
}

/* ---- locations --------------------------------------------------------------------------------------------------- */

static uint32_t refuse(struct og_buffer *out, const char *what, const char *text) {
  og_buffer_printf(out, "no %s '%s'\n", what, text);
  return 0;
}

static uint32_t at_line(struct og_debug *debug, const char *file, unsigned line, const char *text, uint64_t *pcs,
                        uint32_t most, struct og_buffer *out) {
  struct og_line found;
  uint64_t near = debug->wave ? og_file_address(debug, og_debug_pc(debug, debug->wave)) : debug->target.kernel->entry;
  uint32_t count = og_lines_find(debug->lines, file, line, near, pcs, most, &found);
  for (uint32_t i = 0; i < count; i++)
    pcs[i] += debug->target.executable->start;
  if (!count && !og_lines_dwarf(debug->lines))
    og_buffer_text(out, "the code object has no line tables: compile with -g\n");
  else if (!count)
    refuse(out, "code of line", text);
  return count;
}

/* A kernel or function, with an offset, or at its first line behind the prologue. */
static uint32_t at_symbol(struct og_debug *debug, const char *text, uint64_t *pcs, struct og_buffer *out) {
  size_t size = strcspn(text, "+ \t");
  struct og_text name = {text, size};
  const struct og_kernel *kernel = og_executable_kernel(debug->target.executable, name);
  const char *rest = text + size;
  uint64_t address, length = 0;
  if (!size)
    return refuse(out, "place", text);
  if (kernel)
    address = debug->target.executable->start + kernel->entry, length = kernel->code_size;
  else if (!og_executable_symbol(debug->target.executable, name, &address, &length))
    return refuse(out, "kernel, function or label", text);
  if (*rest == '+') {
    char *end;
    *pcs = address + strtoull(rest + 1, &end, 0);
    return *end ? refuse(out, "offset", rest) : 1;
  }
  uint64_t entry = og_file_address(debug, address);
  *pcs = debug->target.executable->start + og_lines_body(debug->lines, entry, length);
  return 1;
}

uint32_t og_find_location(struct og_debug *debug, const char *text, uint64_t *pcs, uint32_t most,
                          struct og_buffer *out) {
  struct og_context context = og_context_of(debug);
  const char *colon = strrchr(text, ':');
  char *end, why[160];
  if (!*text) {
    if (!debug->wave)
      return refuse(out, "wave stands anywhere", text);
    return *pcs = og_debug_pc(debug, debug->wave), 1;
  }
  if (*text == '*') {
    struct og_value value;
    if (!og_evaluate(&context, text + 1, NULL, &value, why, sizeof why))
      return og_buffer_printf(out, "%s\n", why), 0;
    return *pcs = value.u, 1;
  }
  if (isdigit((unsigned char)*text)) {
    unsigned line = (unsigned)strtoul(text, &end, 10);
    return *end ? refuse(out, "line", text) : at_line(debug, NULL, line, text, pcs, most, out);
  }
  if (colon && isdigit((unsigned char)colon[1])) {
    unsigned line = (unsigned)strtoul(colon + 1, &end, 10);
    char *file = strndup(text, (size_t)(colon - text));
    uint32_t count = *end ? refuse(out, "line", text) : at_line(debug, file, line, text, pcs, most, out);
    free(file);
    return count;
  }
  return at_symbol(debug, text, pcs, out);
}
