/* disassemble_code.c - prints code as a source: instructions that read back to the same bytes, and labels at branch
 * targets. */
#include <string.h>

#include "inspect/comment.h"
#include "inspect/disassemble_parts.h"

enum { COLUMN = 56 };

/* ---- targets of branches ----------------------------------------------------------------------------------------- */

static bool bit_of(const uint8_t *bits, uint64_t at) { return bits[at / 32] >> (at / 4 % 8) & 1; }
static void set_bit(uint8_t *bits, uint64_t at) { bits[at / 32] |= (uint8_t)(1u << (at / 4 % 8)); }

static bool is_target(const struct og_dis_context *c, uint64_t at) {
  return at % 4 == 0 && c->targets && bit_of(c->targets, at);
}

/* Whether it is a branch whose target can have a label. */
static bool branch_target(const struct og_dis_context *c, const struct og_inst *inst, uint64_t at, uint64_t *target) {
  const struct og_operand *operand = og_branch_operand(c->isa, inst);
  if (!operand)
    return false;
  *target = at + 4 + (uint64_t)((int64_t)operand->value * 4);
  return *target <= c->section->size && *target % 4 == 0;
}

static bool name_target(void *context, uint64_t address, struct og_buffer *out) {
  const struct og_dis_context *c = context;
  if (address > c->section->size || !is_target(c, address))
    return false;
  og_dis_hex(out, c->label, address);
  return true;
}

/* Writes the line of a label. */
static void put_label(struct og_dis_context *c, uint64_t at, struct og_buffer *out) {
  og_dis_hex(out, c->label, at);
  og_buffer_append(out, ":\n", 2);
}

static inline void label(struct og_dis_context *c, uint64_t at) {
  if (!c->targets || at % 4)
    return;
  if (c->walking || c->lines) {
    if (c->lines && !bit_of(c->places, at))
      c->lines[at / 4] = (uint32_t)(c->out->size - c->text_start);
    set_bit(c->places, at);
  } else if (is_target(c, at)) {
    put_label(c, at, c->out);
  }
}

void og_dis_label(struct og_dis_context *c, uint64_t at) { label(c, at); }

/* Whether each target has a place where a label can be. With `drop`, targets without one are removed; with `drop_all`,
 * all are if one has none. */
static bool targets_have_places(struct og_dis_context *c, bool drop, bool drop_all) {
  bool missing = false;
  size_t size = c->section->size / 32 + 1;
  for (size_t i = 0; i < size; i++) {
    missing |= c->targets[i] & ~c->places[i];
    if (drop)
      c->targets[i] &= c->places[i];
  }
  if (missing && drop_all)
    memset(c->targets, 0, size);
  return !missing;
}

/* The word of the first target from `word` on; a number past the section's end if there is none. */
static size_t next_target(const struct og_dis_context *c, size_t word) {
  size_t words = c->section->size / 4 + 1;
  while (word < words && !bit_of(c->targets, 4 * word))
    word += word % 8 == 0 && !c->targets[word / 8] ? 8 : 1;
  return word;
}

/* Inserts labels into the section's text, from its end backwards, so that each part of the text moves only once. */
static void set_labels_in(struct og_dis_context *c) {
  struct og_buffer label = {0};
  OG_VECTOR(size_t) found = {0};
  size_t words = c->section->size / 4 + 1, more = 0;
  for (size_t i = next_target(c, 0); i < words; i = next_target(c, i + 1)) {
    label.size = 0;
    put_label(c, 4 * i, &label);
    more += label.size;
    *OG_PUSH(c->arena, &found) = i;
  }
  og_buffer_room(c->out, more);
  char *text = (char *)c->out->data;
  size_t from = c->out->size, to = from + more;
  while (found.count) {
    size_t i = found.items[--found.count], behind = from - c->text_start - c->lines[i];
    memmove(text + to - behind, text + from - behind, behind);
    label.size = 0;
    put_label(c, 4 * i, &label);
    from -= behind, to -= behind + label.size;
    memcpy(text + to, label.data, label.size);
  }
  og_buffer_free(&label);
  text[c->out->size += more] = 0;
}

/* Labels can be inserted only while all of the text is in memory. */
bool og_dis_in_one_pass(struct og_dis_context *c, void (*print)(struct og_dis_context *c)) {
  enum { LARGEST = 8 << 20, TEXT_OF_A_BYTE = 8 /* roughly */ };
  if (c->section->size > LARGEST)
    return false;
  size_t size = c->section->size / 32 + 1;
  FILE *sink = c->out->sink;
  const char *file = c->file;
  unsigned line = c->line;
  c->out->sink = NULL;
  c->targets = OG_NEW_ARRAY(c->arena, uint8_t, size);
  c->places = OG_NEW_ARRAY(c->arena, uint8_t, size);
  c->lines = OG_NEW_ARRAY(c->arena, uint32_t, c->section->size / 4 + 1);
  c->text_start = c->out->size;
  og_buffer_reserve(c->out, TEXT_OF_A_BYTE * c->section->size); /* else the text would be moved whenever it grows */
  c->collecting = true;
  print(c);
  c->collecting = false;
  c->out->sink = sink;
  bool good = targets_have_places(c, false, false);
  if (good)
    set_labels_in(c);
  else
    c->out->size = c->text_start, c->file = file, c->line = line;
  c->lines = NULL;
  return good;
}

/* A target inside what is printed as one unit has no place for its label. So a second walk, which knows the targets,
 * prints such units as words; labels that have no place even then are given up. */
void og_dis_find_targets(struct og_dis_context *c, void (*walk)(struct og_dis_context *c)) {
  enum { RUNS = 4 };
  size_t size = c->section->size / 32 + 1;
  struct og_buffer *out = c->out, dropped = {0};
  c->targets = OG_NEW_ARRAY(c->arena, uint8_t, size);
  c->places = OG_NEW_ARRAY(c->arena, uint8_t, size);
  c->out = &dropped;
  c->walking = true;
  for (unsigned run = 0; run < RUNS; run++) {
    memset(c->places, 0, size);
    c->collecting = run == 0;
    walk(c);
    if (targets_have_places(c, run > 0, run == RUNS - 2))
      break;
  }
  c->walking = c->collecting = false;
  c->out = out;
  og_buffer_free(&dropped);
}

/* ---- what stands at a place -------------------------------------------------------------------------------------- */

enum kind { ZEROS, INSTRUCTION, WORD };
struct item {
  enum kind kind;
  size_t size;
  struct og_inst inst;
  const struct og_relocation *relocation; /* a relocation that fills part of it */
};

/* As og_dis_relocation(). Mostly the last answer lies behind the instruction and is still right. */
static inline const struct og_relocation *relocation_in(struct og_dis_context *c, uint64_t at, size_t size) {
  const struct og_relocation *const *items = c->relocations.items;
  size_t i = c->relocation_at, count = c->relocations.count;
  bool none = (i == count || (i < count && items[i]->offset >= at + size)) && (i == 0 || items[i - 1]->offset < at);
  return !size || none ? NULL : og_dis_relocation(c, at, at + size);
}

/* Names the target of a branch that is printed directly, before anything else is known about it. */
static bool name_direct_target(void *context, uint64_t address, struct og_buffer *out) {
  struct og_dis_context *c = context;
  if (address > c->section->size || address % 4 || relocation_in(c, c->symbolizer.pc, 4))
    return false;
  if (c->collecting)
    set_bit(c->targets, address);
  return name_target(c, address, out);
}

struct og_symbolizer og_dis_symbolizer(struct og_dis_context *c) {
  return (struct og_symbolizer){.name = name_direct_target, .context = c};
}

static void put_character(struct og_buffer *out, char c) {
  *(char *)og_buffer_room(out, 1) = c;
  out->size++;
}

/* Whether a branch leads into the middle of the instruction there. */
static inline bool is_entered(const struct og_dis_context *c, uint64_t at, size_t size) {
  for (size_t i = 4; i < size; i += 4)
    if (is_target(c, at + i))
      return true;
  return false;
}

static void read_item(struct og_dis_context *c, uint64_t at, uint64_t to, struct item *item) {
  const uint8_t *data = c->section->data;
  uint64_t zeros = at;
  while (zeros + 4 <= to && !og_load32(data + zeros) && (zeros == at || !is_target(c, zeros)))
    zeros += 4;
  item->kind = ZEROS;
  item->size = zeros - at;
  if (item->size >= OG_DIS_RUN_OF_ZEROS)
    return;
  item->size = og_decode(c->isa, data + at, to - at, &item->inst);
  item->relocation = relocation_in(c, at, item->size);
  item->kind = item->size && !is_entered(c, at, item->size) ? INSTRUCTION : WORD;
  if (item->kind == WORD)
    item->size = OG_MIN(to - at, 4u);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static inline void put_comment(struct og_dis_context *c, size_t start, uint64_t at, size_t length) {
  if (!c->options->encoding && !c->options->addresses)
    return;
  uint64_t address = c->section->address + at;
  og_comment(c->out, start, COLUMN, c->options->addresses ? &address : NULL, c->section->data + at,
             c->options->encoding ? length : 0);
}

static bool name_relocation(void *context, uint64_t address, struct og_buffer *out) {
  struct og_dis_context *c = context;
  (void)address;
  og_dis_relocated(c, c->open_branch, out);
  return true;
}

/* Prints a branch to a symbol that another definition may replace at link time. */
static bool put_open_branch(struct og_dis_context *c, const struct og_inst *inst, const struct og_relocation *r,
                            uint64_t at) {
  const struct og_operand *target = og_branch_operand(c->isa, inst);
  if (!target || r->type != OG_R_AMDGPU_REL16 || r->offset != at || r->addend || !r->symbol ||
      r->symbol >= c->object->symbols.count || (int16_t)target->value != -1)
    return false;
  struct og_symbolizer symbolizer = {name_relocation, c, at};
  c->open_branch = r;
  put_character(c->out, '\t');
  og_print_inst(c->isa, inst, &symbolizer, c->out);
  return true;
}

/* Prints the instruction with another literal, and then the relocation's text in place of that literal. */
#define PLACEHOLDER 0x7fa5c3d1
static bool put_with_relocation(struct og_dis_context *c, const struct og_inst *inst, const struct og_relocation *r,
                                uint64_t at, size_t length) {
  static const char placeholder[] = OG_STRING(PLACEHOLDER);
  if (put_open_branch(c, inst, r, at))
    return true;
  struct og_inst copy = *inst;
  bool has_literal = false;
  for (unsigned i = 0; i < copy.operand_count; i++)
    if (copy.operands[i].kind == OG_OPERAND_LITERAL)
      copy.operands[i].value = PLACEHOLDER, has_literal = true;
  if (!has_literal || r->offset != at + length - 4 || !r->symbol || r->symbol >= c->object->symbols.count)
    return false;
  struct og_buffer text = {0};
  uint8_t code[32];
  memcpy(code, c->section->data + at, length);
  og_store32(code + length - 4, PLACEHOLDER);
  if (!og_print_code(c->printer, code, length, &text) && og_reads_back(c->isa, inst, c->section->data + at))
    og_print_inst(c->isa, &copy, NULL, &text);
  og_buffer_u8(&text, 0);
  const char *start = (const char *)text.data, *found = strstr(start, placeholder);
  if (found) {
    put_character(c->out, '\t');
    og_buffer_append(c->out, start, (size_t)(found - start));
    og_dis_relocated(c, r, c->out);
    og_buffer_text(c->out, found + sizeof placeholder - 1);
  }
  og_buffer_free(&text);
  return found != NULL;
}

/* Prints the words, with the text from `start` on as a comment. */
static void put_words(struct og_dis_context *c, size_t start, uint64_t at, size_t length) {
  struct og_buffer text = {0};
  og_buffer_append(&text, c->out->data + start, c->out->size - start);
  c->out->size = start;
  og_buffer_text(c->out, ".long\t");
  for (size_t i = 0; i < length; i += 4)
    og_buffer_printf(c->out, "%s0x%08x", i ? ", " : "", og_load32(c->section->data + at + i));
  og_buffer_printf(c->out, " // %.*s", (int)text.size, (const char *)text.data);
  og_buffer_free(&text);
}

/* Prints "; file:line" before the first instruction of each line. */
static void put_line(struct og_dis_context *c, uint64_t at) {
  const char *file;
  unsigned line, column;
  uint64_t address = c->object->type == ET_REL ? at : c->section->address + at;
  if (!og_dwarf_find(c->dwarf, c->section_index, address, &file, &line, &column) ||
      (line == c->line && c->file && strcmp(file, c->file) == 0))
    return;
  c->file = file;
  c->line = line;
  og_buffer_printf(c->out, "; %s:%u\n", file, line);
}

/* Prints what reads back to the same bytes as an instruction, anything else as words with the text in a comment. */
static void put_text(struct og_dis_context *c, const struct og_inst *inst, uint64_t at, size_t length) {
  bool same = og_reads_back(c->isa, inst, c->section->data + at);
  size_t start = c->out->size;
  struct og_symbolizer symbolizer = {name_target, c, at};
  og_print_inst(c->isa, inst, same ? &symbolizer : NULL, c->out);
  if (!same)
    put_words(c, start, at, length);
}

static void put_instruction(struct og_dis_context *c, const struct item *item, uint64_t at) {
  size_t start = c->out->size;
  if (item->relocation) {
    if (!put_with_relocation(c, &item->inst, item->relocation, at, item->size)) {
      og_dis_data(c, at, at + item->size);
      return;
    }
  } else {
    put_character(c->out, '\t');
    put_text(c, &item->inst, at, item->size);
  }
  put_comment(c, start, at, item->size);
  put_character(c->out, '\n');
}

/* Prints an instruction that can be decoded from its bits alone and needs nothing before it but a label. Returns its
 * size; 0, with nothing printed: it is no such instruction. */
static inline size_t put_directly(struct og_dis_context *c, uint64_t at, uint64_t to) {
  const uint8_t *code = c->section->data + at;
  size_t start = c->out->size;
  if (to - at < 4 || !og_load32(code)) /* it may be one of many zeros */
    return 0;
  c->symbolizer.pc = at;
  put_character(c->out, '\t');
  size_t size = og_print_code(c->printer, code, to - at, c->out);
  if (!size || relocation_in(c, at, size) || is_entered(c, at, size)) {
    c->out->size = start;
    return 0;
  }
  put_comment(c, start, at, size);
  put_character(c->out, '\n');
  return size;
}

static void note_target(struct og_dis_context *c, const struct item *item, uint64_t at) {
  uint64_t target;
  if (item->kind == INSTRUCTION && !item->relocation && branch_target(c, &item->inst, at, &target))
    set_bit(c->targets, target);
}

/* Returns how many bytes it has printed. */
static size_t put_item(struct og_dis_context *c, uint64_t at, uint64_t to) {
  struct item item;
  read_item(c, at, to, &item);
  if (c->collecting)
    note_target(c, &item, at);
  if (c->walking)
    return item.size;
  if (item.kind == INSTRUCTION) {
    if (c->dwarf)
      put_line(c, at);
    put_instruction(c, &item, at);
  } else {
    og_dis_data(c, at, at + item.size);
  }
  return item.size;
}

void og_dis_code(struct og_dis_context *c, uint64_t from, uint64_t to) {
  bool plain = !c->walking && !c->dwarf;
  for (uint64_t at = from; at < to;) {
    if (at != from)
      label(c, at);
    size_t size = plain ? put_directly(c, at, to) : 0;
    at += size ? size : put_item(c, at, to);
    og_buffer_drain(c->out);
  }
}
