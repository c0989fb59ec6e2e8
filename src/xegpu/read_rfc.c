/* read_rfc.c - the reader's operations as the RFC writes them: a list of operands, a list of their types, `into` a
 * result's. The RFC's examples do not all have the same order; each order that they show is accepted. */
#include "xegpu/reader.h"

static bool at_into(const struct og_mlir_reader *r) {
  return og_mlir_at_word(r, "into") || og_mlir_at_word(r, "to") || og_mlir_at(r) == OG_MLIR_TOK_ARROW;
}

static bool read_list(struct og_mlir_reader *r, struct og_mlir_state *s, og_mlir_uses *uses, og_mlir_types *types) {
  do
    if (!og_mlir_read_use(r, uses))
      return false;
  while (og_mlir_take(r, ','));
  if (og_mlir_at(r) == '{' && !og_mlir_read_dictionary(r, s))
    return false;
  if (!og_mlir_expect(r, ':'))
    return false;
  uint32_t offset = og_mlir_here(r);
  do {
    og_mlir_type type = og_mlir_read_type(r);
    if (!type)
      return false;
    *OG_PUSH(r->arena, types) = type;
  } while (og_mlir_take(r, ',') && !at_into(r)); /* `vector<16xindex>, into` has one comma too many */
  if (uses->count != types->count)
    return og_mlir_fail_at(r, offset, "number of operands and types do not match: got %u operands and %u types",
                           uses->count, types->count);
  if (!s->row->result_groups)
    return true;
  if (!at_into(r))
    return og_mlir_fail(r, "expected 'into' and the result's type");
  og_mlir_next(r);
  og_mlir_type result = og_mlir_read_type(r);
  if (result)
    *OG_PUSH(r->arena, &s->types[s->row->operand_groups]) = result;
  return result;
}

static void give(struct og_mlir_reader *r, struct og_mlir_state *s, uint32_t group, const og_mlir_uses *uses,
                 const og_mlir_types *types, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; i++) {
    *OG_PUSH(r->arena, &s->uses[group]) = uses->items[i];
    *OG_PUSH(r->arena, &s->types[group]) = types->items[i];
  }
}

/* base, offsets; where the base is an address, shape and strides, too, but for one dimension. */
static bool read_nd(struct og_mlir_reader *r, struct og_mlir_state *s) {
  og_mlir_uses uses = {0};
  og_mlir_types types = {0};
  if (!read_list(r, s, &uses, &types))
    return false;
  give(r, s, 0, &uses, &types, 0, 1);
  uint32_t rest = uses.count - 1, rank = s->types[4].items[0]->int_count;
  bool memref = types.items[0]->kind == OG_MLIR_MEMREF;
  uint32_t each = rest == 3 * rank ? rank : rest;
  if (memref && rest != types.items[0]->int_count && rest != 3 * types.items[0]->int_count)
    return og_mlir_fail_at(r, s->offset, "expected an offset for each of the memref's %u dimensions",
                           types.items[0]->int_count);
  if (memref)
    each = types.items[0]->int_count;
  if (!memref && rest != 3 * rank && !(rank == 1 && rest == 1))
    return og_mlir_fail_at(r, s->offset,
                           "n-dimension tensor descriptor requires %u offsets, %u of the base's shape and %u strides, "
                           "but %u operands follow the address (RFC: create_nd_tdesc)",
                           rank, rank, rank, rest);
  for (uint32_t g = 0, at = 1; g < 3 && at < uses.count; g++, at += each)
    give(r, s, g + 1, &uses, &types, at, each);
  return true;
}

static bool read_operands(struct og_mlir_reader *r, struct og_mlir_state *s) {
  og_mlir_uses uses = {0};
  og_mlir_types types = {0};
  uint32_t order[3] = {0, 1, 2}, offset = og_mlir_here(r);
  if (s->row->id == OG_MLIR_OP_ATOMIC && !og_mlir_read_attribute_of(r, s, 0))
    return false;
  if (s->row->id == OG_MLIR_OP_ATOMIC)
    og_mlir_take(r, ',');
  if (!read_list(r, s, &uses, &types))
    return false;
  bool update = s->row->id == OG_MLIR_OP_UPDATE_ND;
  uint32_t most = s->row->operand_groups, least = s->row->id == OG_MLIR_OP_DPAS ? 2 : most;
  if (!update && (uses.count < least || uses.count > most))
    return og_mlir_fail_at(r, offset, "expected %u operands, but found %u", most, uses.count);
  if (update) {
    give(r, s, 0, &uses, &types, 0, 1);
    give(r, s, 1, &uses, &types, 1, uses.count - 1);
    return true;
  }
  if (s->row->id == OG_MLIR_OP_STORE_SCATTER && types.items[2]->kind == OG_MLIR_TENSOR_DESC) {
    og_mlir_type mask = types.items[1]; /* in the example the mask's type comes first */
    types.items[1] = types.items[2];
    types.items[2] = mask;
  }
  if (s->row->id == OG_MLIR_OP_ATOMIC) /* value, descriptor, mask */
    order[0] = 2, order[1] = 0, order[2] = 1;
  if (s->row->id == OG_MLIR_OP_DPAS && uses.count == 3) /* C, A, B */
    order[0] = 2, order[1] = 0, order[2] = 1;
  for (uint32_t i = 0; i < uses.count; i++)
    give(r, s, order[i], &uses, &types, i, 1);
  return true;
}

bool og_mlir_read_custom_rfc(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t custom) {
  return custom == OG_MLIR_X_rfc_nd ? read_nd(r, s) : read_operands(r, s);
}
