/* convert.c - turns a module of one spelling of XeGPU into another: functions, types, barriers and fences here, tiles
 * in convert_nd.c, scattered descriptors in convert_scatter.c. An operation for which the other spelling needs several
 * becomes these. The verifier must check the result, since it knows what else the target's spelling refuses. */
#include "xegpu/convert.h"
#include "xegpu/maps.h"

#include <string.h>

bool og_mlir_no_counterpart(struct og_mlir_converter *c, const struct og_mlir_op *op, const char *why) {
  return og_error(c->diagnostics, (struct og_range){&c->m->source, op->offset, op->size},
                  "'%s' op has no counterpart in spelling %s: %s", op->row->name, og_mlir_spelling_names[c->to], why);
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool is_packed(const struct og_mlir_converter *c, og_mlir_type tdesc) {
  for (uint32_t i = 0; i < c->packed.count; i++)
    if (c->packed.items[i] == tdesc)
      return true;
  return false;
}

/* Lanes have columns of tiles, which MLIR 22 does not say. */
static og_mlir_attr columns_map(struct og_mlir_converter *c, og_mlir_type tdesc) {
  uint32_t bits = og_mlir_bits(tdesc->parts[0]);
  int64_t layout[] = {1, 16}, data[] = {is_packed(c, tdesc) && bits ? 32 / bits : 1, 1};
  struct og_mlir_interner *in = c->m->interner;
  og_mlir_type i32 = og_mlir_integer(in, 32, OG_MLIR_SIGNLESS);
  og_mlir_attr parts[4] = {og_mlir_text(in, OG_MLIR_STRING, OG_TEXT("wi_layout")), NULL,
                           og_mlir_text(in, OG_MLIR_STRING, OG_TEXT("wi_data")), NULL};
  for (int i = 0; i < 2; i++)
    parts[2 * i + 1] = og_mlir_intern(
        in,
        &(struct og_mlir_node){
            .kind = OG_MLIR_DENSE_ARRAY, .int_count = 2, .ints = i ? data : layout, .part_count = 1, .parts = &i32});
  return og_mlir_struct(c, "xegpu.sg_map", parts, 4);
}

static og_mlir_type convert_tdesc(struct og_mlir_converter *c, og_mlir_type t) {
  struct og_mlir_interner *in = c->m->interner;
  og_mlir_attr parts[8], array = og_mlir_field(t->parts[1], "array_length"),
                         checked = og_mlir_field(t->parts[1], "boundary_check"), layout = t->parts[2];
  bool scattered = og_mlir_is_scattered(t), upstream = c->to == OG_MLIR_22;
  og_mlir_type i64 = og_mlir_integer(in, 64, OG_MLIR_SIGNLESS), i1 = og_mlir_integer(in, 1, OG_MLIR_SIGNLESS);
  uint32_t count = 0;
#define FIELD(name, value) (parts[count++] = og_mlir_text(in, OG_MLIR_STRING, og_text(name)), parts[count++] = (value))
  if (og_mlir_is_slm(t))
    FIELD(upstream ? "memory_space" : "memory_scope", og_mlir_enum(in, "xegpu.memory_space", OG_TEXT("slm")));
  if (array && array->ints[0] != 1)
    FIELD("array_length", array);
  if (checked && !checked->ints[0])
    FIELD("boundary_check", checked);
  if (scattered && !upstream)
    FIELD("scattered", og_mlir_int(in, 1, i1));
  if (scattered && upstream && t->int_count == 2)
    FIELD("chunk_size", og_mlir_int(in, t->ints[1], i64));
#undef FIELD
  const char *name = !upstream ? "xegpu.tdesc_attr" : scattered ? "xegpu.scatter_tdesc_attr" : "xegpu.block_tdesc_attr";
  og_mlir_attr encoding = count || (upstream && scattered) ? og_mlir_struct(c, name, parts, count) : NULL;
  if (upstream && c->from <= OG_MLIR_FIRST)
    layout = NULL;
  else if (og_mlir_to_old(c) && c->from > OG_MLIR_FIRST)
    layout = c->lanes && !scattered ? columns_map(c, t) : NULL;
  return og_mlir_shaped(in, OG_MLIR_TENSOR_DESC, t->ints, t->int_count, t->parts[0], encoding, layout);
}

static og_mlir_type convert_type(struct og_mlir_converter *c, og_mlir_type t) {
  if (t->kind == OG_MLIR_TENSOR_DESC)
    return convert_tdesc(c, t);
  if (t->kind != OG_MLIR_FUNCTION)
    return t;
  og_mlir_type *parts = OG_NEW_ARRAY(c->m->arena, og_mlir_type, t->part_count + 1);
  for (uint32_t i = 0; i < t->part_count; i++)
    parts[i] = convert_type(c, t->parts[i]);
  return og_mlir_function(c->m->interner, parts, (uint32_t)t->ints[0], t->part_count - (uint32_t)t->ints[0]);
}

static void convert_types(struct og_mlir_converter *c, struct og_mlir_region *region) {
  for (struct og_mlir_block *b = region->first; b; b = b->next) {
    for (uint32_t i = 0; i < b->argument_count; i++)
      b->arguments[i]->type = convert_type(c, b->arguments[i]->type);
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      for (uint32_t i = 0; i < op->result_count; i++)
        op->results[i].type = convert_type(c, op->results[i].type);
      for (uint32_t i = 0; i < op->region_count; i++)
        convert_types(c, &op->regions[i]);
    }
  }
}

/* ---- barriers, fences -------------------------------------------------------------------------------------------- */

static bool convert_alloc(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_interner *in = c->m->interner;
  og_mlir_attr number = og_mlir_find(op, "nbarrier_num");
  if ((c->from <= OG_MLIR_FIRST) == og_mlir_to_old(c))
    return og_mlir_respell(c, op);
  if (og_mlir_to_old(c)) {
    og_mlir_type i8 = og_mlir_integer(in, 8, OG_MLIR_SIGNLESS);
    struct og_mlir_op *constant = og_mlir_insert(c, OG_MLIR_OP_CONSTANT, NULL, 0, i8);
    og_mlir_give(c, constant, "value", og_mlir_int(in, number->ints[0], i8));
    og_mlir_take_away(op, "nbarrier_num");
    struct og_mlir_value *total = &constant->results[0];
    og_mlir_set_operands(c, op, &(struct og_mlir_values){&total, 1}, 1);
    return og_mlir_respell(c, op);
  }
  const struct og_mlir_op *made = op->operands[0]->op;
  og_mlir_attr value = made && made->row->id == OG_MLIR_OP_CONSTANT ? og_mlir_find(made, "value") : NULL;
  if (!value || value->kind != OG_MLIR_INT)
    return og_mlir_no_counterpart(c, op, "the number of barriers must be a constant");
  og_mlir_set_operands(c, op, NULL, 0);
  if (!og_mlir_respell(c, op))
    return false;
  og_mlir_give(c, op, "nbarrier_num",
               og_mlir_int(in, value->ints[0] & 0xff, og_mlir_integer(in, 64, OG_MLIR_SIGNLESS)));
  return true;
}

static bool convert_fence(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_interner *in = c->m->interner;
  og_mlir_attr memory = og_mlir_find(op, "memory_kind"), scope = og_mlir_find(op, "scope");
  scope = scope ? scope : og_mlir_find(op, "fence_scope");
  if (!scope)
    return og_mlir_no_counterpart(c, op, "its scope must be given");
  bool old = og_mlir_to_old(c), shared = !og_text_is(memory->text, "global");
  op->attribute_count = 0;
  if (!og_mlir_respell(c, op))
    return false;
  og_mlir_give(c, op, "memory_kind",
               og_mlir_enum(in, "xegpu.memory_space",
                            !shared ? OG_TEXT("global")
                            : old   ? OG_TEXT("shared")
                                    : OG_TEXT("slm")));
  og_mlir_give(c, op, old ? "scope" : "fence_scope", og_mlir_enum(in, "xegpu.fence_scope", scope->text));
  return true;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

/* The tiles that are loaded in VNNI layout. */
static void collect_packed(struct og_mlir_converter *c, const struct og_mlir_region *region) {
  for (const struct og_mlir_block *b = region->first; b; b = b->next)
    for (const struct og_mlir_op *op = b->first; op; op = op->next) {
      if (op->row->id == OG_MLIR_OP_LOAD_ND && og_mlir_find(op, "packed"))
        *OG_PUSH(c->m->arena, &c->packed) = og_mlir_operand(op, "TensorDesc")->type;
      for (uint32_t i = 0; i < op->region_count; i++)
        collect_packed(c, &op->regions[i]);
    }
}

static bool convert_region(struct og_mlir_converter *c, struct og_mlir_region *region);

/* Which threads form a subgroup, if the kernel does not say it: in the old spellings each thread is one, in the
 * upstream ones 16 are. */
static bool convert_function(struct og_mlir_converter *c, struct og_mlir_op *op) {
  og_mlir_attr type = og_mlir_find(op, "function_type");
  bool vc = og_mlir_is_vc(c->m, op), old = og_mlir_to_old(c);
  struct og_mlir_interner *in = c->m->interner;
  c->function = op, c->packed.count = 0;
  c->lanes = c->from != OG_MLIR_19 && og_mlir_has_fragments(&op->regions[0]); /* MLIR 19 knows only whole tiles */
  collect_packed(c, &op->regions[0]);
  if (op->row->id == OG_MLIR_OP_GPU_FUNC && !c->lanes && vc && !old && !og_mlir_find(op, "VectorComputeFunctionINTEL"))
    og_mlir_give(c, op, "VectorComputeFunctionINTEL", og_mlir_intern(in, &(struct og_mlir_node){.kind = OG_MLIR_UNIT}));
  if (op->row->id == OG_MLIR_OP_GPU_FUNC && !c->lanes && !vc && old && !og_mlir_find(op, "intel_reqd_sub_group_size"))
    og_mlir_give(c, op, "intel_reqd_sub_group_size", og_mlir_int(in, 16, og_mlir_integer(in, 32, OG_MLIR_SIGNLESS)));
  bool ok = convert_region(c, &op->regions[0]);
  if (type && type->kind == OG_MLIR_TYPE) {
    og_mlir_type to = convert_type(c, type->parts[0]);
    if (to != type->parts[0])
      og_mlir_give(c, op, "function_type",
                   og_mlir_intern(in, &(struct og_mlir_node){.kind = OG_MLIR_TYPE, .part_count = 1, .parts = &to}));
  }
  convert_types(c, &op->regions[0]);
  return ok;
}

static bool convert_op(struct og_mlir_converter *c, struct og_mlir_op *op) {
  bool known;
  bool ok = og_mlir_convert_nd(c, op, &known);
  if (!known)
    ok = og_mlir_convert_scatter(c, op, &known);
  if (known)
    return ok;
  switch (op->row->id) {
  case OG_MLIR_OP_ALLOC_NBARRIER: return convert_alloc(c, op);
  case OG_MLIR_OP_FENCE:
    return (c->from <= OG_MLIR_FIRST) == og_mlir_to_old(c) ? og_mlir_respell(c, op) : convert_fence(c, op);
  default: return og_mlir_respell(c, op);
  }
}

static bool convert_region(struct og_mlir_converter *c, struct og_mlir_region *region) {
  bool ok = true;
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    for (struct og_mlir_op **link = &b->first; *link; link = &(*link)->next) {
      struct og_mlir_op *op = *link;
      bool function = op->row->id == OG_MLIR_OP_FUNC || op->row->id == OG_MLIR_OP_GPU_FUNC;
      c->link = link;
      ok &= convert_op(c, op);
      link = c->link; /* behind what was inserted */
      for (uint32_t i = 0; i < op->region_count && !function; i++)
        ok &= convert_region(c, &op->regions[i]);
      if (function)
        ok &= convert_function(c, op);
    }
  return ok;
}

/* ---- casts that nothing needs ------------------------------------------------------------------------------------ */

static void count_uses(const struct og_mlir_region *region) {
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      for (uint32_t i = 0; i < op->operand_count; i++)
        op->operands[i]->slot++;
      for (uint32_t i = 0; i < op->successor_count; i++)
        for (uint32_t k = 0; k < op->successors[i].count; k++)
          op->successors[i].operands[k]->slot++;
      for (uint32_t i = 0; i < op->region_count; i++)
        count_uses(&op->regions[i]);
    }
}

/* From the last to the first, so that a whole chain goes at once. */
static void drop_casts(struct og_mlir_converter *c) {
  og_mlir_forget_slots(&c->m->op->regions[0]);
  count_uses(&c->m->op->regions[0]);
  for (uint32_t i = c->casts.count; i-- > 0;) {
    struct og_mlir_op *op = c->casts.items[i], **link = &op->block->first;
    if (op->results[0].slot)
      continue;
    op->operands[0]->slot--;
    while (*link != op)
      link = &(*link)->next;
    *link = op->next;
  }
  og_mlir_forget_slots(&c->m->op->regions[0]);
}

bool og_mlir_convert(struct og_mlir_module *module, enum og_mlir_spelling to, struct og_diagnostics *diagnostics) {
  struct og_mlir_converter c = {.m = module, .diagnostics = diagnostics, .from = module->spelling, .to = to};
  if (to == module->spelling)
    return true;
  for (uint32_t i = 0; i < module->table->count; i++)
    if (module->table->rows[i].spellings >> to & 1)
      c.rows[module->table->rows[i].id] = &module->table->rows[i]; /* a later row is more special */
  module->op->row = c.rows[OG_MLIR_OP_MODULE];
  if (!convert_region(&c, &module->op->regions[0]))
    return false;
  module->spelling = to;
  drop_casts(&c);
  return true;
}
