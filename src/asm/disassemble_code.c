/* disassemble_code.c - code to instructions that assemble to it, else to words; branch targets to labels. */
#include <string.h>

#include "asm/comment.h"
#include "asm/disassemble_parts.h"

enum { COLUMN = 56 /* of comments */ };

static void put_character(struct og_buffer *out, char c) {
  *(char *)og_buffer_room(out, 1) = c;
  out->size++;
}

static bool branch_target(const struct og_dis_context *c, const struct og_inst *inst, uint64_t at, uint64_t *target) {
  if (inst->encoding != OG_ENC_SOPP && inst->encoding != OG_ENC_SOPK)
    return false;
  const struct og_form *form = og_form(c->isa, inst->form);
  const struct og_shape *shape = og_shape(c->isa, form);
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (shape->slots[i].takes == OG_TAKES_BRANCH) {
      *target = at + 4 + (uint64_t)((int64_t)og_operand(inst, shape->slots[i].role)->value * 4);
      return *target <= c->section->size && *target % 4 == 0;
    }
  return false;
}

static bool name_target(void *context, uint64_t address, struct og_buffer *out) {
  struct og_dis_context *c = context;
  if (address > c->section->size || address % 4 || !c->targets)
    return false;
  if (c->collecting)
    c->targets[address / 32] |= (uint8_t)(1u << (address / 4 % 8));
  else if (!og_dis_is_target(c, address))
    return false;
  og_dis_hex(out, c->label, address, 1);
  return true;
}

static void put_comment(struct og_dis_context *c, size_t start, uint64_t at, size_t length) {
  uint64_t address = c->section->address + at;
  if (c->options->encoding || c->options->addresses)
    og_comment(c->out, start, COLUMN, c->options->addresses ? &address : NULL, c->section->data + at,
               c->options->encoding ? length : 0);
}

/* Whether the text, which ends in a NUL, assembles to the code, but for a literal at the end that a relocation fills. */
static bool reads_back(struct og_dis_context *c, const void *text, const uint8_t *code, size_t length,
                       bool but_literal) {
  const uint8_t *again;
  return og_line_assemble(c->check, text, &again) == length && !memcmp(again, code, length - (but_literal ? 4 : 0));
}

static bool put_with_relocation(struct og_dis_context *c, const struct og_inst *inst, const struct og_relocation *r,
                                uint64_t at, size_t length) {
  static const uint32_t placeholder = 0x7fa5c3d1;
  struct og_inst copy = *inst;
  bool has_literal = false;
  for (unsigned i = 0; i < copy.operand_count; i++)
    if (copy.operands[i].kind == OG_OPERAND_LITERAL)
      copy.operands[i].value = placeholder, has_literal = true;
  if (!has_literal || r->offset != at + length - 4 || !r->symbol || r->symbol >= c->object->symbols.count)
    return false;
  struct og_buffer text = {0};
  og_print_inst(c->isa, &copy, NULL, &text);
  bool same = reads_back(c, text.data, c->section->data + at, length, true);
  const char *found = same ? strstr((const char *)text.data, "0x7fa5c3d1") : NULL;
  if (found) {
    og_buffer_printf(c->out, "\t%.*s", (int)(found - (const char *)text.data), (const char *)text.data);
    og_dis_relocated(c, r, c->out);
    og_buffer_text(c->out, found + 10);
  }
  og_buffer_free(&text);
  return found != NULL;
}

/* The words, with the text that stands at `start` as a comment. */
static void put_words(struct og_dis_context *c, size_t start, uint64_t at, size_t length) {
  char *text = og_arena_copy(c->arena, (const char *)c->out->data + start, c->out->size - start);
  c->out->size = start;
  og_buffer_text(c->out, ".long\t");
  for (size_t i = 0; i < length; i += 4)
    og_buffer_printf(c->out, "%s0x%08x", i ? ", " : "", og_load32(c->section->data + at + i));
  og_buffer_printf(c->out, " // %s", text);
}

/* "; file:line" in front of the first instruction of each. */
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

/* Whether the instruction's text assembles to its code; asked once of each class. */
static bool is_faithful(struct og_dis_context *c, const struct og_inst *inst, const void *text, const uint8_t *code,
                        size_t length) {
  struct og_proven_class class;
  bool has_class = og_proven_class(c->isa, inst, code, length, &class);
  if (has_class && og_proven_has(c->proven, &class))
    return true;
  bool ok = reads_back(c, text, code, length, false);
  if (ok && has_class)
    og_proven_add(c->proven, &class);
  return ok;
}

/* Only what reads back to the same bytes is printed as an instruction; the rest as words, with the text in a comment. */
static void put_instruction(struct og_dis_context *c, const struct og_inst *inst, uint64_t at, size_t length) {
  size_t start = c->out->size;
  const struct og_relocation *r = c->relocation_count ? og_dis_relocation(c, at, at + length) : NULL;
  if (r && !put_with_relocation(c, inst, r, at, length)) {
    og_dis_data(c, at, at + length);
    return;
  }
  if (!r) {
    put_character(c->out, '\t');
    og_print_inst(c->isa, inst, NULL, c->out);
    uint64_t target;
    if (!is_faithful(c, inst, c->out->data + start + 1, c->section->data + at, length)) {
      put_words(c, start + 1, at, length);
    } else if (branch_target(c, inst, at, &target)) { /* again, with its name */
      struct og_symbolizer symbolizer = {name_target, c, at};
      c->out->size = start + 1;
      og_print_inst(c->isa, inst, &symbolizer, c->out);
    }
  }
  put_comment(c, start, at, length);
  put_character(c->out, '\n');
}

void og_dis_code(struct og_dis_context *c, uint64_t from, uint64_t to) {
  const uint8_t *data = c->section->data;
  struct og_inst inst;
  for (uint64_t at = from; at < to;) {
    if (at != from)
      og_dis_note_place(c, at);
    uint64_t zeros = at;
    while (zeros + 4 <= to && !og_load32(data + zeros) && (zeros == at || !og_dis_is_target(c, zeros)))
      zeros += 4;
    if (zeros - at >= OG_DIS_RUN_OF_ZEROS) {
      og_dis_data(c, at, zeros);
      at = zeros;
      continue;
    }
    size_t length = at + 4 <= to ? og_decode(c->isa, data + at, to - at, &inst) : 0;
    bool hides_target = false; /* a branch goes into the middle of what decodes here */
    for (size_t i = 4; i < length; i += 4)
      hides_target |= og_dis_is_target(c, at + i);
    if (length && !hides_target) {
      if (c->dwarf)
        put_line(c, at);
      put_instruction(c, &inst, at, length);
      at += length;
    } else {
      uint64_t size = OG_MIN(to - at, 4u);
      og_dis_data(c, at, at + size);
      at += size;
    }
  }
}
