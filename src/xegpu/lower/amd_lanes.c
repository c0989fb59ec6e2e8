/* amd_lanes.c - moves elements from lane to lane, through LDS that each wave has for itself, by tables of where each
 * comes from. */
#include "xegpu/lower/amd.h"
#include "xegpu/maps.h"

/* ---- between lanes ----------------------------------------------------------------------------------------------- */

void og_xa_put(struct og_xa *x, uint8_t type, const char *index, const char *value) {
  const char *at = og_xa_emit(x, "getelementptr %s, ptr addrspace(3) %%scratch, i32 %s",
                              type == OG_XE_I1 ? "i8" : og_xa_type(type), index);
  if (type == OG_XE_I1)
    og_xa_line(x, "store i8 %s, ptr addrspace(3) %s", og_xa_emit(x, "zext i1 %s to i8", value), at);
  else
    og_xa_line(x, "store %s %s, ptr addrspace(3) %s", og_xa_type(type), value, at);
}

const char *og_xa_fetch(struct og_xa *x, uint8_t type, const char *index) {
  const char *at = og_xa_emit(x, "getelementptr %s, ptr addrspace(3) %%scratch, i32 %s",
                              type == OG_XE_I1 ? "i8" : og_xa_type(type), index);
  if (type == OG_XE_I1)
    return og_xa_emit(x, "trunc i8 %s to i1", og_xa_emit(x, "load i8, ptr addrspace(3) %s", at));
  return og_xa_emit(x, "load %s, ptr addrspace(3) %s", og_xa_type(type), at);
}

void og_xa_settle(struct og_xa *x) { og_xa_line(x, "fence syncscope(\"wavefront\") seq_cst"); }

void og_xa_spread(struct og_xa *x, const struct og_xa_value *v) {
  x->scratch = OG_MAX(x->scratch, v->parts * x->wave * og_xe_sizes[v->type]);
  og_xa_settle(x); /* until what stood there has been read */
  for (uint32_t i = 0; i < v->parts; i++)
    og_xa_put(x, v->type, og_xa_element(x, i), v->names[i]);
  og_xa_settle(x);
}

const char *og_xa_table(struct og_xa *x, const uint32_t *numbers, uint32_t count) {
  const char *name = og_xa_text(x, "@table%u", x->tables++);
  og_buffer_printf(&x->globals, "%s = internal addrspace(4) constant [%u x i32] [", name, count);
  for (uint32_t k = 0; k < count; k++)
    og_buffer_printf(&x->globals, "%si32 %u", k ? ", " : "", numbers[k]);
  og_buffer_text(&x->globals, "]\n");
  return name;
}

const char *og_xa_look_up(struct og_xa *x, const char *table, const char *at) {
  return og_xa_emit(x, "load i32, ptr addrspace(4) %s",
                    og_xa_emit(x, "getelementptr i32, ptr addrspace(4) %s, i32 %s", table, at));
}

/* The table's number for the element that a lane has in a part; lanes without one use the last. */
static const char *look_up(struct og_xa *x, const char *table, uint32_t count, uint32_t part) {
  const char *element = og_xa_element(x, part);
  if ((part + 1) * x->wave > count) {
    const char *in = og_xa_emit(x, "icmp ult i32 %s, %u", element, count);
    element = og_xa_emit(x, "select i1 %s, i32 %s, i32 %u", in, element, count - 1);
  }
  return og_xa_look_up(x, table, element);
}

struct og_xa_value og_xa_permute(struct og_xa *x, og_mlir_type to, const struct og_xa_value *from,
                                 const uint32_t *map) {
  struct og_xa_value v = og_xa_new(x, to);
  bool alike = true;
  for (uint32_t i = 0; i < from->parts; i++)
    alike &= from->names[i] == from->names[0] && from->names[0][0] != '%';
  if (!from->vector || alike || x->lanes) { /* the same number for all lanes, or the lane's own */
    for (uint32_t i = 0; i < v.parts; i++)
      v.names[i] = from->names[from->vector && !alike ? map[i] : 0];
    return v;
  }
  const char *table = og_xa_table(x, map, v.count);
  og_xa_spread(x, from);
  for (uint32_t i = 0; i < v.parts; i++)
    v.names[i] = og_xa_fetch(x, v.type, v.vector ? look_up(x, table, v.count, i) : og_xa_text(x, "%u", map[0]));
  return v;
}

/* ---- of kernels whose lanes have fragments ----------------------------------------------------------------------- */

static void hand_out(struct og_xa *x, const struct og_xa_value *v) {
  x->scratch = OG_MAX(x->scratch, OG_MLIR_SUBGROUP * og_xe_sizes[v->type]);
  og_xa_settle(x);
  og_xa_put(x, v->type, "%lane16", v->names[0]);
  og_xa_settle(x);
}

/* For each lane the number of the other one, as when modules are run here: if it is wrong, the lane itself, and not
 * valid. */
static bool shuffle(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value v = *og_xa_elements(x, op->operands[0]), to = og_xa_new(x, op->results[0].type),
                     valid = og_xa_new(x, op->results[1].type);
  const char *offset = og_xa_elements(x, op->operands[1])->names[0],
             *width = og_xa_elements(x, op->operands[2])->names[0], *from = offset;
  struct og_text mode = og_mlir_find(op, "mode")->text;
  if (!x->lanes || v.vector)
    return og_xa_refuse(x, op, "shuffles of vectors");
  if (!og_text_is(mode, "idx"))
    from = og_xa_emit(x, "%s i32 %%lane16, %s",
                      og_text_is(mode, "xor")    ? "xor"
                      : og_text_is(mode, "down") ? "add"
                                                 : "sub",
                      offset);
  const char *some = og_xa_emit(x, "icmp ne i32 %s, 0", width),
             *safe = og_xa_emit(x, "select i1 %s, i32 %s, i32 1", some, width);
  const char *in = og_xa_both(x, some, og_xa_emit(x, "icmp ule i32 %s, %u", width, OG_MLIR_SUBGROUP));
  in = og_xa_both(x, in, og_xa_emit(x, "icmp ult i32 %s, %u", from, OG_MLIR_SUBGROUP));
  in = og_xa_both(x, in,
                  og_xa_emit(x, "icmp eq i32 %s, %s", og_xa_emit(x, "udiv i32 %s, %s", from, safe),
                             og_xa_emit(x, "udiv i32 %%lane16, %s", safe)));
  hand_out(x, &v);
  to.names[0] = og_xa_fetch(x, v.type, og_xa_emit(x, "select i1 %s, i32 %s, i32 %%lane16", in, from));
  valid.names[0] = in;
  og_xa_set(x, &op->results[0], to);
  og_xa_set(x, &op->results[1], valid);
  return true;
}

static bool reduce(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value v = *og_xa_elements(x, op->operands[0]), to = og_xa_new(x, op->results[0].type);
  uint8_t kind = og_mlir_combining(og_mlir_find(op, "op")->text);
  if (!x->lanes || v.vector || og_mlir_find(op, "cluster_size"))
    return og_xa_refuse(x, op, "only scalars of whole subgroups");
  hand_out(x, &v);
  to.names[0] = og_xa_fetch(x, v.type, "0");
  for (uint32_t lane = 1; lane < OG_MLIR_SUBGROUP; lane++)
    to.names[0] = og_xa_combine(x, kind, v.type, to.names[0], og_xa_fetch(x, v.type, og_xa_text(x, "%u", lane)));
  og_xa_set(x, &op->results[0], to);
  return true;
}

bool og_xa_lanes(struct og_xa *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_SHUFFLE: return shuffle(x, op);
  case OG_MLIR_OP_SUBGROUP_REDUCE: return reduce(x, op);
  default: return !(*known = false);
  }
}
