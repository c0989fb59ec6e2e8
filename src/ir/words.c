/* words.c - IR's words and their numbers, both ways. */
#include "ir/words.h"

#include <string.h>

struct row {
  const char *word;
  uint32_t number;
  uint8_t class, size;
};

static const struct row rows[] = {
#define OPCODE(name, text, shape, flags) {text, OG_IR_##name, OG_IR_W_OPCODE, sizeof text - 1},
#define FLAG(name, text, bit) {text, bit, OG_IR_W_FLAG, sizeof text - 1},
#include "ir/opcodes.def"
#define ATTRIBUTE(name, text, value, code) {text, OG_IR_A_##name, OG_IR_W_ATTRIBUTE, sizeof text - 1},
#include "ir/attributes.def"
#define WORD(class, text, number) {text, number, OG_IR_W_##class, sizeof text - 1},
#include "ir/names.def"
#define NODE(name, text) {text, OG_IR_M_##name, OG_IR_W_NODE, sizeof text - 1},
#define FIELD(name, type, order, when, place)
#include "ir/metadata.def"
#define CLASS_TAG OG_IR_W_TAG
#define CLASS_ENCODING OG_IR_W_ENCODING
#define CLASS_LANGUAGE OG_IR_W_LANGUAGE
#define CLASS_OPERATION OG_IR_W_OPERATION
#define CLASS_CONVENTION OG_IR_W_CC
#define CLASS_MACINFO OG_IR_W_MACINFO
#define CLASS_CHECKSUM OG_IR_W_CHECKSUM
#define CLASS_EMISSION OG_IR_W_EMISSION
#define CLASS_NAME_TABLE OG_IR_W_NAME_TABLE
#define CLASS_FLAGS OG_IR_W_DI_FLAGS
#define CLASS_SUBPROGRAM_FLAGS OG_IR_W_SUBPROGRAM_FLAGS
#define NAME(family, text, number) {text, number, CLASS_##family, sizeof text - 1},
#include "ir/dwarf.def"
};

enum { SLOTS = 2048 };
_Static_assert(OG_COUNT(rows) * 2 < SLOTS, "the table of words is too small");
struct og_ir_word_table {
  uint16_t slots[SLOTS]; /* 1 + row */
};

static uint32_t slot_of(const char *word, size_t size, unsigned class) {
  uint64_t first = 0, last = 0;
  if (size >= 8)
    first = og_load64(word), last = og_load64(word + size - 8);
  else if (size >= 4)
    first = og_load32(word), last = og_load32(word + size - 4);
  else if (size)
    first =
        (uint64_t)(uint8_t)word[0] | (uint64_t)(uint8_t)word[size / 2] << 8 | (uint64_t)(uint8_t)word[size - 1] << 16;
  uint64_t hash = (first * 0xff51afd7ed558ccdu ^ last ^ (uint64_t)class << 32 ^ size << 40) * 0xc4ceb9fe1a85ec53u;
  return (uint32_t)(hash >> 40) & (SLOTS - 1);
}

struct og_ir_word_table *og_ir_words_new(struct og_arena *arena) {
  struct og_ir_word_table *table = OG_NEW(arena, struct og_ir_word_table);
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    uint32_t at = slot_of(rows[i].word, rows[i].size, rows[i].class);
    while (table->slots[at])
      at = (at + 1) & (SLOTS - 1);
    table->slots[at] = (uint16_t)(i + 1);
  }
  return table;
}

int64_t og_ir_word(const struct og_ir_word_table *table, enum og_ir_words class, struct og_text word) {
  for (uint32_t at = slot_of(word.data, word.size, class); table->slots[at]; at = (at + 1) & (SLOTS - 1)) {
    const struct row *row = &rows[table->slots[at] - 1];
    if (row->class == class && row->size == word.size && memcmp(row->word, word.data, word.size) == 0)
      return row->number;
  }
  return -1;
}

/* Rows of a class stand together. */
static const struct row *first_of(enum og_ir_words class) {
  size_t low = 0, high = OG_COUNT(rows);
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (rows[middle].class < class)
      low = middle + 1;
    else
      high = middle;
  }
  return rows + low;
}

const char *og_ir_word_at(enum og_ir_words class, unsigned index, uint64_t *number) {
  const struct row *row = first_of(class) + index;
  if (row >= rows + OG_COUNT(rows) || row->class != class)
    return NULL;
  *number = row->number;
  return row->word;
}

const char *og_ir_word_for(enum og_ir_words class, uint64_t number) {
  for (const struct row *row = first_of(class); row < rows + OG_COUNT(rows) && row->class == class; row++)
    if (row->number == number)
      return row->word;
  return NULL;
}

/* ---- fields: empty rows separate those of nodes ------------------------------------------------------------------ */

static const struct og_ir_field all_fields[] = {
#define NODE(kind, text) {0},
#define FIELD(name, type, order, when, place) {#name, OG_IR_FT_##type, order, OG_IR_WHEN_##when, place},
#include "ir/metadata.def"
    {0},
};

/* Where the rows of each node begin among them: each line of metadata.def takes a place. */
enum places {
#define PLACE_2(line) place_##line
#define PLACE_1(line) PLACE_2(line)
#define NODE(name, text) FIRST_##name,
#define FIELD(name, type, order, when, place) PLACE_1(__LINE__),
#include "ir/metadata.def"
};

static const struct og_ir_node_row node_rows[OG_IR_M_KINDS] = {
#define NODE(kind, text) [OG_IR_M_##kind] = {.name = text, .fields = all_fields + FIRST_##kind + 1},
#define FIELD(name, type, order, when, place)
#include "ir/metadata.def"
};

const struct og_ir_node_row *og_ir_node_row(uint8_t kind) { return &node_rows[kind]; }

uint64_t og_ir_field_default(const struct og_ir_field *field) {
  switch (field->when) {
  case OG_IR_WHEN_CLEAR: return 1;
  case OG_IR_WHEN_TAG_BASE: return 0x24;     /* DW_TAG_base_type */
  case OG_IR_WHEN_TAG_TEMPLATE: return 0x30; /* DW_TAG_template_value_parameter */
  case OG_IR_WHEN_CLEAR_START: return 3;     /* DW_MACINFO_start_file */
  default: return 0;
  }
}

const struct og_ir_debug_call *og_ir_debug_call(struct og_text name) {
  static const struct og_ir_debug_call calls[] = {{"llvm.dbg.value", OG_IR_DBG_VALUE, 3},
                                                  {"llvm.dbg.declare", OG_IR_DBG_DECLARE, 3},
                                                  {"llvm.dbg.assign", OG_IR_DBG_ASSIGN, 6},
                                                  {"llvm.dbg.label", OG_IR_DBG_LABEL, 1}};
  for (size_t i = 0; i < OG_COUNT(calls); i++)
    if (og_text_is(name, calls[i].name))
      return &calls[i];
  return NULL;
}
