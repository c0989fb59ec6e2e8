/* table.c - decodes the words of ops.def: groups, attributes and formats. */
#include "xegpu/table.h"

#include <string.h>

const char *const og_mlir_spelling_names[OG_MLIR_SPELLINGS] = {"rfc", "first", "19", "22"};
const char *const og_mlir_constraint_words[OG_MLIR_CONSTRAINT_COUNT] = {
#define X(name, words) words,
    OG_MLIR_CONSTRAINTS(X)
#undef X
};
const char *const og_mlir_attribute_words[OG_MLIR_ATTRIBUTE_KIND_COUNT] = {
#define X(name, words) words,
    OG_MLIR_ATTRIBUTE_KINDS(X)
#undef X
};
static const char *const constraint_names[] = {
#define X(name, words) #name,
    OG_MLIR_CONSTRAINTS(X)
#undef X
};
static const char *const attribute_kind_names[] = {
#define X(name, words) #name,
    OG_MLIR_ATTRIBUTE_KINDS(X)
#undef X
};
static const char *const custom_names[] = {
#define X(name) #name,
    OG_MLIR_CUSTOMS(X)
#undef X
};

struct source_row {
  uint16_t id;
  uint8_t spellings;
  const char *name, *operands, *results, *attributes, *traits, *agreements, *format;
};
static const struct source_row source_rows[] = {
#define ROW(id, spellings, name, operands, results, attributes, traits, agreements, format)                            \
  {OG_MLIR_OP_##id, spellings, name, operands, results, attributes, traits, agreements, format},
#define MORE ROW
#include "xegpu/ops.def"
};

const char *og_mlir_keywords(uint8_t kind, const char **name, bool *as_number) {
  *as_number = kind == OG_MLIR_A_cmpi || kind == OG_MLIR_A_cmpf || kind == OG_MLIR_A_rmw;
  switch (kind) {
  case OG_MLIR_A_cmpi: return *name = "arith.cmpi", "eq ne slt sle sgt sge ult ule ugt uge";
  case OG_MLIR_A_cmpf:
    return *name = "arith.cmpf", "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true";
  case OG_MLIR_A_rmw:
    return *name = "arith.rmw",
           "addf addi assign maximumf maxs maxu minimumf mins minu mulf muli ori andi maxnumf minnumf xori";
  case OG_MLIR_A_hint:
    return *name = "xegpu.cache_hint", "cached uncached streaming read_invalidate write_back write_through";
  case OG_MLIR_A_space: return *name = "xegpu.memory_space", "global slm";
  case OG_MLIR_A_scope: return *name = "xegpu.fence_scope", "workgroup gpu";
  case OG_MLIR_A_dim: return *name = "gpu.dim", "x y z";
  case OG_MLIR_A_reduce:
    return *name = "gpu.all_reduce_op", "add mul minui minsi minnumf maxui maxsi maxnumf and or xor minimumf maximumf";
  case OG_MLIR_A_shuffle: return *name = "gpu.shuffle_mode", "xor down up idx";
  case OG_MLIR_A_combining:
    return *name = "vector.kind", "add mul minui minsi minnumf maxui maxsi maxnumf and or xor minimumf maximumf";
  case OG_MLIR_A_icmp: return *name = "index.cmp_predicate", "eq ne sge sgt sle slt uge ugt ule ult";
  case OG_MLIR_A_mode: return *name = "xegpu.mode", "simt vc";
  case OG_MLIR_A_fastmath: return *name = "arith.fastmath", NULL;
  case OG_MLIR_A_overflow: return *name = "arith.overflow", NULL;
  default: return *name = NULL, NULL;
  }
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static struct og_text next_word(const char **at) {
  *at += strspn(*at, " ");
  struct og_text word = {*at, strcspn(*at, " ")};
  *at += word.size;
  return word;
}

static uint8_t number_of(struct og_text word, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (og_text_is(word, names[i]))
      return (uint8_t)i;
  __builtin_unreachable(); /* no such word is in ops.def: test_xegpu reads every row */
}

static struct og_text upto(struct og_text *word, char mark) {
  const char *end = memchr(word->data, mark, word->size);
  struct og_text part = {word->data, end ? (size_t)(end - word->data) : word->size};
  word->data += part.size + (end != NULL);
  word->size -= part.size + (end != NULL);
  return part;
}

static uint32_t count_words(const char *text) {
  uint32_t count = 0;
  while (next_word(&text).size)
    count++;
  return count;
}

static struct og_mlir_group *groups_of(struct og_arena *arena, const char *text, uint8_t *count) {
  *count = (uint8_t)count_words(text);
  struct og_mlir_group *groups = OG_NEW_ARRAY(arena, struct og_mlir_group, *count + 1);
  for (uint8_t i = 0; i < *count; i++) {
    struct og_text word = next_word(&text), name = upto(&word, ':'), constraint = upto(&word, '=');
    char last = name.data[name.size - 1];
    groups[i].arity = last == '*' ? OG_MLIR_VARIADIC : last == '?' ? OG_MLIR_OPTIONAL : OG_MLIR_ONE;
    name.size -= groups[i].arity != OG_MLIR_ONE;
    groups[i].name = name;
    groups[i].constraint = number_of(constraint, constraint_names, OG_COUNT(constraint_names));
    groups[i].infer = word;
  }
  return groups;
}

static void read_attributes(struct og_arena *arena, const char *text, struct og_mlir_row *row) {
  row->attribute_count = (uint8_t)count_words(text);
  row->attributes = OG_NEW_ARRAY(arena, struct og_mlir_row_attribute, row->attribute_count + 1);
  for (uint8_t i = 0; i < row->attribute_count; i++) {
    struct og_text word = next_word(&text), name = upto(&word, ':');
    row->attributes[i].optional = name.data[name.size - 1] == '?';
    name.size -= row->attributes[i].optional;
    row->attributes[i].name = name;
    row->attributes[i].kind = number_of(word, attribute_kind_names, OG_COUNT(attribute_kind_names));
  }
}

int og_mlir_row_attribute_index(const struct og_mlir_row *row, struct og_text name) {
  for (int i = 0; i < row->attribute_count; i++)
    if (og_text_equal(row->attributes[i].name, name))
      return i;
  return -1;
}

int og_mlir_row_group_index(const struct og_mlir_row *row, struct og_text name) {
  for (int i = 0; i < row->operand_groups; i++)
    if (og_text_equal(row->operands[i].name, name))
      return i;
  for (int i = 0; i < row->result_groups; i++)
    if (og_text_equal(row->results[i].name, name))
      return row->operand_groups + i;
  return -1;
}

/* ---- formats ----------------------------------------------------------------------------------------------------- */

static struct og_mlir_element variable(const struct og_mlir_row *row, struct og_text name) {
  int group = og_mlir_row_group_index(row, name);
  if (group >= 0 && group < row->operand_groups)
    return (struct og_mlir_element){OG_MLIR_F_OPERAND, (uint8_t)group, 0, name};
  return (struct og_mlir_element){OG_MLIR_F_ATTRIBUTE, (uint8_t)og_mlir_row_attribute_index(row, name), 0, name};
}

static struct og_mlir_element element_of(const struct og_mlir_row *row, struct og_text word) {
  static const struct {
    const char *word;
    uint8_t kind;
  } words[] = {{"{}", OG_MLIR_F_DICTIONARY},
               {"attributes{}", OG_MLIR_F_KEYWORD_DICTIONARY},
               {"<{}>", OG_MLIR_F_PROPERTIES},
               {"functional", OG_MLIR_F_FUNCTIONAL},
               {"(?", OG_MLIR_F_OPTION},
               {"succ", OG_MLIR_F_SUCCESSOR},
               {"region", OG_MLIR_F_REGION},
               {"~", OG_MLIR_F_TIGHT},
               {"types:operands", OG_MLIR_F_ALL_OPERAND_TYPES},
               {"types:results", OG_MLIR_F_ALL_RESULT_TYPES}};
  struct og_text rest = word;
  int group;
  for (size_t i = 0; i < OG_COUNT(words); i++)
    if (og_text_is(word, words[i].word) &&
        !(words[i].kind >= OG_MLIR_F_ALL_OPERAND_TYPES && words[i].kind <= OG_MLIR_F_ALL_RESULT_TYPES &&
          og_mlir_row_group_index(row, (struct og_text){word.data + 6, word.size - 6}) >= 0))
      return (struct og_mlir_element){words[i].kind, 0, 0, word};
  if (og_text_skip(&rest, "$"))
    return variable(row, rest);
  if (og_text_skip(&rest, "@"))
    return (struct og_mlir_element){OG_MLIR_F_CUSTOM, number_of(rest, custom_names, OG_COUNT(custom_names)), 0, rest};
  if (word.size > 2 && og_text_skip(&rest, "<")) {
    rest.size--;
    struct og_mlir_element element = variable(row, rest);
    element.kind = OG_MLIR_F_ANGLED;
    return element;
  }
  if (og_text_skip(&rest, "types:")) {
    group = og_mlir_row_group_index(row, rest);
    return (struct og_mlir_element){OG_MLIR_F_TYPES, (uint8_t)group, 0, rest};
  }
  bool optional = og_text_skip(&rest, "opt");
  if (og_text_skip(&rest, "dyn:")) {
    group = og_mlir_row_group_index(row, upto(&rest, ':'));
    return (struct og_mlir_element){optional ? OG_MLIR_F_OPTIONAL_DYNAMIC : OG_MLIR_F_DYNAMIC, (uint8_t)group,
                                    (uint8_t)og_mlir_row_attribute_index(row, rest), rest};
  }
  rest = word;
  if (og_text_skip(&rest, "flags:")) {
    struct og_text keyword = upto(&rest, ':');
    return (struct og_mlir_element){OG_MLIR_F_FLAGS, (uint8_t)og_mlir_row_attribute_index(row, rest), 0, keyword};
  }
  return (struct og_mlir_element){OG_MLIR_F_LITERAL, 0, 0, word};
}

/* `(? … )`: within it a sign `)` belongs to the format if a `(` precedes it. */
static void read_format(struct og_arena *arena, const char *text, struct og_mlir_row *row) {
  uint32_t count = count_words(text), open[8], depth = 0, signs[8] = {0};
  row->format = OG_NEW_ARRAY(arena, struct og_mlir_element, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    struct og_text word = next_word(&text);
    if (depth && og_text_is(word, ")") && !signs[depth]) {
      row->format[open[--depth]].second = row->format_size;
      continue;
    }
    if (og_text_is(word, "("))
      signs[depth]++;
    if (og_text_is(word, ")"))
      signs[depth]--;
    struct og_mlir_element *element = &row->format[row->format_size];
    *element = element_of(row, word);
    if (element->kind == OG_MLIR_F_OPTION) {
      open[depth++] = row->format_size;
      signs[depth] = 0;
    }
    row->format_size++;
  }
  if (row->format_size == 1 && row->format[0].kind == OG_MLIR_F_CUSTOM)
    row->custom = (uint8_t)(1 + row->format[0].index);
}

static void read_traits(const char *text, struct og_mlir_row *row) {
  static const struct {
    const char *word;
    uint32_t trait;
  } words[] = {{"same", OG_MLIR_T_SAME},         {"terminator", OG_MLIR_T_TERMINATOR},
               {"segments", OG_MLIR_T_SEGMENTS}, {"symbol", OG_MLIR_T_SYMBOL},
               {"isolated", OG_MLIR_T_ISOLATED}, {"noterm", OG_MLIR_T_NO_TERMINATOR},
               {"shape", OG_MLIR_T_SAME_SHAPE},  {"table", OG_MLIR_T_TABLE}};
  for (struct og_text word = next_word(&text); word.size; word = next_word(&text))
    for (size_t i = 0; i < OG_COUNT(words); i++)
      if (og_text_is(word, words[i].word))
        row->traits |= words[i].trait;
}

static uint8_t regions_of(uint16_t id) {
  switch (id) {
  case OG_MLIR_OP_IF:
  case OG_MLIR_OP_WHILE: return 2;
  case OG_MLIR_OP_MODULE:
  case OG_MLIR_OP_FUNC:
  case OG_MLIR_OP_GPU_MODULE:
  case OG_MLIR_OP_GPU_FUNC:
  case OG_MLIR_OP_LAUNCH:
  case OG_MLIR_OP_FOR:
  case OG_MLIR_OP_PARALLEL:
  case OG_MLIR_OP_ALL_REDUCE: return 1;
  default: return 0;
  }
}

struct og_mlir_table *og_mlir_table_new(struct og_arena *arena) {
  struct og_mlir_table *table = OG_NEW(arena, struct og_mlir_table);
  table->count = OG_COUNT(source_rows);
  table->rows = OG_NEW_ARRAY(arena, struct og_mlir_row, table->count);
  for (uint32_t i = 0; i < table->count; i++) {
    const struct source_row *from = &source_rows[i];
    struct og_mlir_row *row = &table->rows[i];
    *row = (struct og_mlir_row){.name = from->name,
                                .id = from->id,
                                .spellings = from->spellings,
                                .agreements = from->agreements,
                                .region_count = regions_of(from->id)};
    row->operands = groups_of(arena, from->operands, &row->operand_groups);
    row->results = groups_of(arena, from->results, &row->result_groups);
    read_attributes(arena, from->attributes, row);
    read_traits(from->traits, row);
    read_format(arena, from->format, row);
    for (int s = 0; s < OG_MLIR_SPELLINGS; s++)
      if (from->spellings >> s & 1)
        *og_map_at(arena, &table->by_name[s], og_text(row->name)) = row; /* a later row is more special */
  }
  return table;
}

const struct og_mlir_row *og_mlir_row_find(const struct og_mlir_table *table, enum og_mlir_spelling spelling,
                                           struct og_text name) {
  return og_map_get(&table->by_name[spelling], name);
}

/* ---- operands by the names of their groups ----------------------------------------------------------------------- */

struct og_mlir_value **og_mlir_group(const struct og_mlir_op *op, const char *name, uint32_t *count) {
  struct og_mlir_value **first = op->operands;
  for (uint32_t i = 0; i < op->row->operand_groups; first += op->segments[i++])
    if (og_text_is(op->row->operands[i].name, name))
      return *count = op->segments[i], first;
  *count = 0;
  return NULL;
}

struct og_mlir_value *og_mlir_operand(const struct og_mlir_op *op, const char *name) {
  uint32_t count;
  struct og_mlir_value **first = og_mlir_group(op, name, &count);
  return count ? *first : NULL;
}

bool og_mlir_spelling_parse(struct og_text text, enum og_mlir_spelling *spelling) {
  for (int s = 0; s < OG_MLIR_SPELLINGS; s++)
    if (og_text_is(text, og_mlir_spelling_names[s]))
      return *spelling = (enum og_mlir_spelling)s, true;
  return false;
}
