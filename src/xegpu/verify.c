/* verify.c - checks each operation by its row: types, attributes, traits, regions; then by the rules of its family. */
#include "xegpu/verifier.h"

#include <string.h>

bool og_mlir_wrong(struct og_mlir_verifier *v, const struct og_mlir_op *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = og_arena_vprintf(v->m->arena, format, args);
  va_end(args);
  v->ok = false;
  return og_error(v->diagnostics, (struct og_range){&v->m->source, op->offset, op->size}, "'%s' op %s", op->row->name,
                  text);
}

const char *og_mlir_words(struct og_mlir_verifier *v, og_mlir_type type) {
  struct og_buffer out = {0};
  og_mlir_print_type(type, v->m->spelling, &out);
  const char *text = og_arena_copy(v->m->arena, (char *)out.data, out.size);
  og_buffer_free(&out);
  return text;
}

const char *og_mlir_shape_words(struct og_mlir_verifier *v, const int64_t *shape, uint32_t rank) {
  const char *text = "[";
  for (uint32_t i = 0; i < rank; i++)
    text = og_arena_printf(v->m->arena, "%s%s%lld", text, i ? ", " : "", (long long)shape[i]);
  return og_arena_printf(v->m->arena, "%s]", text);
}

/* ---- types and attributes ---------------------------------------------------------------------------------------- */

static bool check_types(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  const struct og_mlir_row *row = op->row;
  for (uint32_t g = 0, at = 0; g < row->operand_groups; g++) {
    if ((row->operands[g].arity == OG_MLIR_ONE && op->segments[g] != 1) ||
        (row->operands[g].arity == OG_MLIR_OPTIONAL && op->segments[g] > 1))
      return og_mlir_wrong(v, op, "operand group starting at #%u requires %s element, but found %u", at,
                           row->operands[g].arity == OG_MLIR_ONE ? "1" : "0 or 1", op->segments[g]);
    for (uint32_t i = 0; i < op->segments[g]; i++, at++)
      if (!op->operands[at] || !op->operands[at]->type)
        return false; /* the reader has reported it */
      else if (!og_mlir_satisfies(op->operands[at]->type, row->operands[g].constraint))
        return og_mlir_wrong(v, op, "operand #%u must be %s%s, but got '%s'", at,
                             row->operands[g].arity == OG_MLIR_VARIADIC ? "variadic of " : "",
                             og_mlir_constraint_words[row->operands[g].constraint],
                             og_mlir_words(v, op->operands[at]->type));
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    uint32_t g = OG_MIN(i, row->result_groups - 1u);
    if (!og_mlir_satisfies(op->results[i].type, row->results[g].constraint))
      return og_mlir_wrong(v, op, "result #%u must be %s, but got '%s'", i,
                           og_mlir_constraint_words[row->results[g].constraint], og_mlir_words(v, op->results[i].type));
  }
  return true;
}

static bool is_int_of(og_mlir_attr a, int64_t width) {
  return a->kind == OG_MLIR_INT && og_mlir_is_integer(a->parts[0], width) && a->parts[0]->ints[1] == OG_MLIR_SIGNLESS;
}

static bool is_layout(og_mlir_attr a) {
  return a->kind == OG_MLIR_STRUCT && (og_text_is(a->text, "xegpu.layout") || og_text_is(a->text, "xegpu.slice"));
}

static bool attribute_fits(og_mlir_attr a, uint8_t kind) {
  const char *name;
  bool number;
  switch (kind) {
  case OG_MLIR_A_any: return true;
  case OG_MLIR_A_i64: return is_int_of(a, 64);
  case OG_MLIR_A_i32: return is_int_of(a, 32);
  case OG_MLIR_A_bool: return is_int_of(a, 1);
  case OG_MLIR_A_index: return a->kind == OG_MLIR_INT && a->parts[0]->kind == OG_MLIR_INDEX;
  case OG_MLIR_A_str:
  case OG_MLIR_A_sym: return a->kind == OG_MLIR_STRING;
  case OG_MLIR_A_ref: return a->kind == OG_MLIR_SYMBOL;
  case OG_MLIR_A_flat: return a->kind == OG_MLIR_SYMBOL && !a->part_count;
  case OG_MLIR_A_unit: return a->kind == OG_MLIR_UNIT;
  case OG_MLIR_A_i64s: return a->kind == OG_MLIR_DENSE_ARRAY && og_mlir_is_integer(a->parts[0], 64);
  case OG_MLIR_A_i32s: return a->kind == OG_MLIR_DENSE_ARRAY && og_mlir_is_integer(a->parts[0], 32);
  case OG_MLIR_A_array: return a->kind == OG_MLIR_ARRAY;
  case OG_MLIR_A_type: return a->kind == OG_MLIR_TYPE;
  case OG_MLIR_A_fntype: return a->kind == OG_MLIR_TYPE && a->parts[0]->kind == OG_MLIR_FUNCTION;
  case OG_MLIR_A_map: return a->kind == OG_MLIR_AFFINE_MAP;
  case OG_MLIR_A_layout: return is_layout(a);
  default:
    og_mlir_keywords(kind, &name, &number);
    return number ? is_int_of(a, 64) : a->kind == OG_MLIR_ENUM && name && og_text_is(a->parts[0]->text, name);
  }
}

static bool check_attributes(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  for (uint32_t i = 0; i < op->row->attribute_count; i++) {
    const struct og_mlir_row_attribute *want = &op->row->attributes[i];
    og_mlir_attr have = NULL;
    for (uint32_t k = 0; k < op->attribute_count; k++)
      if (og_text_equal(op->attributes[k].name, want->name))
        have = op->attributes[k].value;
    if (!have && !want->optional)
      return og_mlir_wrong(v, op, "requires attribute '%.*s'", OG_TEXT_ARGS(want->name));
    if (have && !attribute_fits(have, want->kind))
      return og_mlir_wrong(v, op, "attribute '%.*s' failed to satisfy constraint: %s", OG_TEXT_ARGS(want->name),
                           og_mlir_attribute_words[want->kind]);
  }
  return true;
}

/* ---- agreements: "elements a b|types c d" ------------------------------------------------------------------------ */

static og_mlir_type type_of(const struct og_mlir_op *op, struct og_text group) {
  struct og_mlir_value **first = op->operands;
  for (uint32_t g = 0; g < op->row->operand_groups; first += op->segments[g++])
    if (og_text_equal(op->row->operands[g].name, group))
      return op->segments[g] ? (*first)->type : NULL;
  for (uint32_t g = 0; g < op->row->result_groups; g++)
    if (og_text_equal(op->row->results[g].name, group))
      return g < op->result_count ? op->results[g].type : NULL;
  return NULL;
}

static uint32_t rank_of(og_mlir_type t) { return og_mlir_is_shaped(t) ? t->int_count : 0; }

static bool agree(og_mlir_type a, og_mlir_type b, struct og_text what) {
  bool shaped = og_mlir_is_shaped(a) && og_mlir_is_shaped(b);
  if (og_text_is(what, "elements"))
    return og_mlir_element(a) == og_mlir_element(b);
  if (og_text_is(what, "types"))
    return a == b;
  if (og_text_is(what, "ranks"))
    return rank_of(a) == rank_of(b);
  if (og_text_is(what, "counts"))
    return !shaped ? a->kind == b->kind : og_mlir_elements(a) == og_mlir_elements(b);
  if (og_text_is(what, "bits"))
    return og_mlir_elements(a) * og_mlir_bits(og_mlir_element(a)) ==
           og_mlir_elements(b) * og_mlir_bits(og_mlir_element(b));
  return rank_of(a) == rank_of(b) && (!rank_of(a) || memcmp(a->ints, b->ints, rank_of(a) * sizeof *a->ints) == 0);
}

static bool check_agreements(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  static const struct {
    const char *what, *words;
  } words[] = {{"elements", "element type"}, {"types", "type"},        {"ranks", "rank"},
               {"counts", "element count"},  {"bits", "size in bits"}, {"shapes", "shape"}};
  for (const char *at = op->row->agreements; *at;) {
    struct og_text clause = {at, strcspn(at, "|")}, what = {at, strcspn(at, " ")};
    at += clause.size + (at[clause.size] == '|');
    const char *name = what.data + what.size, *end = clause.data + clause.size;
    og_mlir_type first = NULL;
    const char *list = "";
    bool fine = true;
    while (name < end) {
      name++;
      struct og_text group = {name, strcspn(name, " |")};
      og_mlir_type type = type_of(op, group);
      fine &= !type || !first || agree(first, type, what);
      first = first ? first : type;
      list = og_arena_printf(v->m->arena, "%s%s%.*s", list, *list ? ", " : "", OG_TEXT_ARGS(group));
      name += group.size;
    }
    for (size_t i = 0; !fine && i < OG_COUNT(words); i++)
      if (og_text_is(what, words[i].what))
        return og_mlir_wrong(v, op, "failed to verify that all of {%s} have same %s", list, words[i].words);
  }
  return true;
}

/* ---- traits and regions ------------------------------------------------------------------------------------------ */

static bool check_traits(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  if (op->row->traits & OG_MLIR_T_SAME && op->operand_count)
    for (uint32_t i = 0; i < op->operand_count + op->result_count; i++) {
      og_mlir_type type = i < op->operand_count ? op->operands[i]->type : op->results[i - op->operand_count].type;
      if (type != op->operands[0]->type)
        return og_mlir_wrong(v, op, "requires the same type for all operands and results");
    }
  if (op->row->traits & OG_MLIR_T_SAME_SHAPE) {
    og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
    if (rank_of(from) != rank_of(to) || !agree(from, to, OG_TEXT("shapes")))
      return og_mlir_wrong(v, op, "requires the same shape for all operands and results");
  }
  if (op->row->traits & OG_MLIR_T_TERMINATOR && op->block && op->next)
    return og_mlir_wrong(v, op, "must be the last operation in the parent block");
  return true;
}

static bool is_terminator(const struct og_mlir_op *op) { return op && op->row->traits & OG_MLIR_T_TERMINATOR; }

static bool check_regions(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  if (op->region_count != op->row->region_count)
    return og_mlir_wrong(v, op, "requires %u region%s", op->row->region_count, op->row->region_count == 1 ? "" : "s");
  for (uint32_t i = 0; i < op->region_count; i++)
    for (struct og_mlir_block *b = op->regions[i].first; b; b = b->next)
      if (!(op->row->traits & OG_MLIR_T_NO_TERMINATOR) && op->row->id != OG_MLIR_OP_ALL_REDUCE &&
          !is_terminator(b->last)) {
        v->ok = false;
        const struct og_mlir_op *at = b->last ? b->last : op;
        return og_error(v->diagnostics, (struct og_range){&v->m->source, at->offset, at->size},
                        b->last ? "block with no terminator, has \"%s\"" : "empty block: expect at least a terminator",
                        at->row->name);
      }
  return true;
}

/* ---- dominance --------------------------------------------------------------------------------------------------- */

/* Whether block `a` dominates `b` of the same region: every way from the entry to b goes through a. */
static bool dominates(const struct og_mlir_verifier *v, struct og_mlir_block *a, struct og_mlir_block *b) {
  struct og_mlir_region *region = a->region;
  if (a == b || a == region->first)
    return true;
  uint32_t count = 0;
  for (struct og_mlir_block *at = region->first; at; at = at->next)
    at->number = count++;
  bool *seen = OG_NEW_ARRAY(v->m->arena, bool, count);
  struct og_mlir_block **stack = OG_NEW_ARRAY(v->m->arena, struct og_mlir_block *, count);
  uint32_t depth = 0;
  stack[depth++] = region->first;
  seen[0] = true;
  while (depth) {
    struct og_mlir_block *at = stack[--depth];
    if (at == b)
      return false;
    for (uint32_t i = 0; at->last && i < at->last->successor_count; i++) {
      struct og_mlir_block *to = at->last->successors[i].block;
      if (to != a && !seen[to->number]) {
        seen[to->number] = true;
        stack[depth++] = to;
      }
    }
  }
  return true; /* also if it is unreachable */
}

static bool check_dominance(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const struct og_mlir_value *value = op->operands[i];
    struct og_mlir_block *home = value->op ? value->op->block : value->block;
    const struct og_mlir_op *user = op;
    while (user && user->block && user->block->region != home->region)
      user = user->block->region->op;
    if (!user || !user->block || !home)
      return og_mlir_wrong(v, op, "operand #%u does not dominate this use", i);
    bool fine = dominates(v, home, user->block);
    if (value->op && home == user->block)
      fine = value->op->order < user->order;
    if (!fine)
      return og_mlir_wrong(v, op, "operand #%u does not dominate this use", i);
  }
  return true;
}

/* ---- all operations ---------------------------------------------------------------------------------------------- */

static void verify_op(struct og_mlir_verifier *v, struct og_mlir_op *op) {
  bool xegpu = strncmp(op->row->name, "xegpu.", 6) == 0;
  bool fine = check_regions(v, op) && check_types(v, op) && check_attributes(v, op) && check_agreements(v, op) &&
              check_traits(v, op) && check_dominance(v, op);
  if (fine && xegpu)
    fine = v->m->spelling == OG_MLIR_22   ? og_mlir_verify_xegpu22(v, op)
           : v->m->spelling == OG_MLIR_19 ? og_mlir_verify_xegpu19(v, op)
                                          : og_mlir_verify_rfc(v, op);
  else if (fine)
    fine = og_mlir_verify_standard(v, op) && og_mlir_verify_vector(v, op);
  for (uint32_t i = 0; i < op->region_count; i++)
    for (struct og_mlir_block *b = op->regions[i].first; b; b = b->next) {
      uint32_t order = 0;
      for (struct og_mlir_op *inner = b->first; inner; inner = inner->next)
        inner->order = order++;
      for (struct og_mlir_op *inner = b->first; inner; inner = inner->next)
        verify_op(v, inner);
    }
}

bool og_mlir_verify(const struct og_mlir_module *module, struct og_diagnostics *diagnostics) {
  struct og_mlir_verifier v = {module, diagnostics, true};
  verify_op(&v, module->op);
  return v.ok;
}
