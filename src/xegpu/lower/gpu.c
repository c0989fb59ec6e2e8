/* gpu.c - lowers ids, barriers and fences to vISA. */
#include "xegpu/lower/visa.h"

#include <string.h>

/* The number of the thread in its work-group: the local thread id in R0. */
static struct og_xv_ref thread_number(struct og_xv *x) {
  struct og_xv_ref to = og_xv_new(x, OG_XV_UD, 1);
  og_xv_line(x, "and (M1_NM, 1) V%u(0,0)<1> %%r0(0,2)<0;1,0> 0xff:ud", to.variable);
  return to;
}

static struct og_xv_ref local_size(struct og_xv *x, uint32_t dimension) {
  return og_xv_index(x, og_xv_scalar(x->header, 3 + dimension), 1);
}

static struct og_xv_ref thread_id(struct og_xv *x, uint32_t dimension) {
  if (!x->vc)
    return og_xv_index(x, og_xv_scalar(x->local_ids[dimension], 0), 1);
  struct og_xv_ref left = og_xv_index(x, thread_number(x), 1), quotient = left, rest = left;
  for (uint32_t d = 0; d <= dimension; d++, left = quotient)
    og_xv_divide(x, left, local_size(x, d), 1, true, &quotient, &rest);
  return rest;
}

static struct og_xv_ref group_id(struct og_xv *x, uint32_t dimension) {
  struct og_xv_ref to = og_xv_new(x, OG_XV_Q, 1);
  og_xv_line(x, "mov (M1_NM, 1) V%u(0,0)<1> %%group_id_%c(0,0)<0;1,0>", to.variable, "xyz"[dimension]);
  return to;
}

static struct og_xv_ref all_threads(struct og_xv *x) {
  struct og_xv_ref all = local_size(x, 0);
  for (uint32_t d = 1; d < 3; d++)
    all = og_xv_multiply(x, all, local_size(x, d), 1);
  return all;
}

static struct og_xv_ref id(struct og_xv *x, const struct og_mlir_op *op, uint32_t d) {
  struct og_xv_ref quotient, rest;
  switch (op->row->id) {
  case OG_MLIR_OP_THREAD_ID: return thread_id(x, d);
  case OG_MLIR_OP_BLOCK_ID: return group_id(x, d);
  case OG_MLIR_OP_BLOCK_DIM: return local_size(x, d);
  case OG_MLIR_OP_GRID_DIM: x->asks_group_count = true; return og_xv_index(x, og_xv_scalar(x->group_count, d), 1);
  case OG_MLIR_OP_GLOBAL_ID:
    return og_xv_add(x, og_xv_multiply(x, group_id(x, d), local_size(x, d), 1), thread_id(x, d), 1);
  case OG_MLIR_OP_LANE_ID: return og_xv_number(OG_XV_Q, 0);
  case OG_MLIR_OP_SUBGROUP_SIZE: return og_xv_number(OG_XV_Q, OG_XV_LANES);
  case OG_MLIR_OP_SUBGROUP_ID: return og_xv_index(x, thread_number(x), 1);
  default: /* how many subgroups: rounded up */
    if (x->vc)
      return all_threads(x);
    og_xv_divide(x, og_xv_add(x, all_threads(x), og_xv_number(OG_XV_Q, OG_XV_LANES - 1), 1),
                 og_xv_number(OG_XV_Q, OG_XV_LANES), 1, false, &quotient, &rest);
    return quotient;
  }
}

static bool init_barrier(struct og_xv *x, struct og_mlir_op *op) {
  struct og_xv_place place = {.kind = OG_XV_BARRIER};
  struct og_xv_ref *const to[] = {&place.ref, &place.participants};
  for (uint32_t k = 0; k < 2; k++) {
    struct og_xv_ref value = og_xv_value(x, op->operands[k]);
    *to[k] = value;
    if (value.immediate)
      to[k]->type = OG_XV_UB;
    else
      og_xv_move(x, *to[k] = og_xv_new(x, OG_XV_UB, 1), value, 1);
  }
  *og_xv_place(x, &op->results[0]) = place;
  return true;
}

static const char *barrier_number(struct og_xv *x, struct og_xv_ref ref) {
  return ref.immediate ? og_arena_printf(x->arena, "0x%x:ub", (unsigned)ref.bits & 0xff) : og_xv_operand(x, ref);
}

static bool fence(struct og_xv *x, const struct og_mlir_op *op) {
  og_mlir_attr kind = og_mlir_find(op, "memory_kind"), scope = og_mlir_find(op, "scope");
  scope = scope ? scope : og_mlir_find(op, "fence_scope");
  bool slm = kind && kind->text.size && (og_text_is(kind->text, "slm") || og_text_is(kind->text, "shared"));
  bool gpu = scope && og_text_is(scope->text, "gpu");
  og_xv_line(x, "lsc_fence.%s.%s.%s", slm ? "slm" : "ugm", slm || !gpu ? "none" : "evict", gpu ? "gpu" : "group");
  return true;
}

bool og_xv_gpu(struct og_xv *x, struct og_mlir_op *op, bool *known) {
  og_mlir_attr dimension = og_mlir_find(op, "dimension");
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_THREAD_ID:
  case OG_MLIR_OP_BLOCK_ID:
  case OG_MLIR_OP_BLOCK_DIM:
  case OG_MLIR_OP_GRID_DIM:
  case OG_MLIR_OP_GLOBAL_ID:
  case OG_MLIR_OP_LANE_ID:
  case OG_MLIR_OP_SUBGROUP_SIZE:
  case OG_MLIR_OP_SUBGROUP_ID:
  case OG_MLIR_OP_NUM_SUBGROUPS:
    og_xv_set(x, &op->results[0], id(x, op, dimension ? (uint32_t)(dimension->text.data[0] - 'x') : 0));
    return true;
  case OG_MLIR_OP_BARRIER: /* earlier writes must be visible after it */
    og_xv_line(x, "lsc_fence.slm.none.group");
    og_xv_line(x, "lsc_fence.ugm.none.group");
    og_xv_line(x, "barrier");
    return true;
  case OG_MLIR_OP_INIT_NBARRIER: return init_barrier(x, op);
  case OG_MLIR_OP_ARRIVE:
  case OG_MLIR_OP_WAIT: {
    const struct og_xv_place *place = og_xv_place(x, op->operands[0]);
    if (place->kind != OG_XV_BARRIER)
      return og_xv_refuse(x, op, "a barrier that is not made here");
    const char *id = barrier_number(x, place->ref);
    if (op->row->id == OG_MLIR_OP_ARRIVE)
      og_xv_line(x, "nbarrier.signal %s %s", id, barrier_number(x, place->participants));
    else
      og_xv_line(x, "nbarrier.wait %s", id);
    return true;
  }
  case OG_MLIR_OP_FENCE: return fence(x, op);
  case OG_MLIR_OP_ALLOC_NBARRIER:
  case OG_MLIR_OP_COMPILE_HINT: return true; /* only a hint: instructions keep their order anyway */
  default: return !(*known = false);
  }
}
