/* amd.c - lowers kernels to LLVM IR for AMD's processors: text, values, control flow, ids and barriers. */
#include "xegpu/lower/amd.h"
#include "xegpu/verifier.h"

#include <string.h>

bool og_xa_refuse(struct og_xa *x, const struct og_mlir_op *op, const char *why) {
  if (!x->failed)
    og_error(x->diagnostics, (struct og_range){&x->module->source, op->offset, op->size}, "'%s' op is not lowered: %s",
             op->row->name, why);
  x->failed = true;
  return false;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

const char *og_xa_text(struct og_xa *x, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = og_arena_vprintf(x->arena, format, args);
  va_end(args);
  return text;
}

const char *og_xa_emit(struct og_xa *x, const char *format, ...) {
  const char *name = og_xa_text(x, "%%t%u", x->names++);
  va_list args;
  va_start(args, format);
  og_buffer_printf(&x->body, "  %s = %s\n", name, og_arena_vprintf(x->arena, format, args));
  va_end(args);
  return name;
}

void og_xa_line(struct og_xa *x, const char *format, ...) {
  va_list args;
  va_start(args, format);
  og_buffer_printf(&x->body, "  %s\n", og_arena_vprintf(x->arena, format, args));
  va_end(args);
}

const char *og_xa_label(struct og_xa *x) { return og_xa_text(x, "l%u", x->labels++); }

void og_xa_begin(struct og_xa *x, const char *label) {
  og_buffer_printf(&x->body, "%s:\n", label);
  x->block = label;
}

const char *og_xa_type(uint8_t type) {
  static const char *const names[] = {"i1", "i8", "i16", "i32", "i64", "half", "i16", "float", "double"};
  return names[type];
}

bool og_xa_is_float(uint8_t type) { return type >= OG_XE_F16; }

/* ---- values ------------------------------------------------------------------------------------------------------ */

struct og_xa_value *og_xa_of(struct og_xa *x, struct og_mlir_value *value) {
  if (!value->slot) {
    *OG_PUSH(x->arena, &x->values) = (struct og_xa_value){0};
    value->slot = x->values.count;
  }
  return &x->values.items[value->slot - 1];
}

struct og_xa_value og_xa_new(struct og_xa *x, og_mlir_type type) {
  enum { ELEMENTS_MOST = 1 << 14 };
  struct og_xa_value v = {.kind = OG_XA_ELEMENTS, .vector = type->kind == OG_MLIR_VECTOR, .count = 1, .parts = 1};
  if (!og_xe_scalar(type, &v.type))
    og_xa_refuse(x, x->kernel, "values of some type have no registers");
  if (v.vector) {
    int64_t elements = og_mlir_elements(type);
    if (elements < 1 || elements > ELEMENTS_MOST || type->flags)
      og_xa_refuse(x, x->kernel, "vectors of more than 16384 elements");
    v.count = (uint32_t)OG_MIN(OG_MAX(elements, 1), ELEMENTS_MOST), v.parts = (v.count + x->each - 1) / x->each;
  }
  v.names = OG_NEW_ARRAY(x->arena, const char *, v.parts);
  return v;
}

struct og_xa_value *og_xa_elements(struct og_xa *x, struct og_mlir_value *value) {
  struct og_xa_value *v = og_xa_of(x, value);
  if (v->kind != OG_XA_ELEMENTS) {
    og_xa_refuse(x, value->op ? value->op : x->kernel, "a value of this kind cannot be used here");
    *v = og_xa_new(x, value->type);
    for (uint32_t i = 0; i < v->parts; i++)
      v->names[i] = "undef";
  }
  return v;
}

void og_xa_set(struct og_xa *x, struct og_mlir_value *value, struct og_xa_value v) { *og_xa_of(x, value) = v; }

static void set_scalar(struct og_xa *x, struct og_mlir_value *value, const char *name) {
  struct og_xa_value v = og_xa_new(x, value->type);
  for (uint32_t i = 0; i < v.parts; i++)
    v.names[i] = name;
  og_xa_set(x, value, v);
}

const char *og_xa_number(struct og_xa *x, struct og_mlir_value *value) {
  const struct og_xa_value *v = og_xa_elements(x, value);
  return v->type == OG_XE_I64 ? v->names[0] : og_xa_emit(x, "sext %s %s to i64", og_xa_type(v->type), v->names[0]);
}

uint32_t og_xa_list(struct og_xa *x, const struct og_mlir_op *op, const char *constants, const char *group,
                    const char **to) {
  og_mlir_attr given = og_mlir_find(op, constants);
  uint32_t count, next = 0;
  struct og_mlir_value **values = og_mlir_group(op, group, &count);
  uint32_t all = OG_MIN(given ? given->int_count : count, (uint32_t)OG_MLIR_RANK_MOST);
  for (uint32_t k = 0; k < all; k++)
    to[k] = given && given->ints[k] != OG_MLIR_DYNAMIC ? og_xa_text(x, "%lld", (long long)given->ints[k])
            : next < count                             ? og_xa_number(x, values[next++])
                                                       : "0";
  return all;
}

const char *og_xa_element(struct og_xa *x, uint32_t part) {
  return x->lanes ? og_xa_text(x, "%u", part) : part ? og_xa_emit(x, "add i32 %%lane, %u", part * x->wave) : "%lane";
}

/* ---- control ----------------------------------------------------------------------------------------------------- */

static uint32_t names_of(const struct og_xa_value *v) { return v->kind == OG_XA_TILE ? 2 : v->parts; }
static const char *type_of(const struct og_xa_value *v) {
  return v->kind == OG_XA_ELEMENTS ? og_xa_type(v->type) : "i64";
}
static bool is_carried(const struct og_xa_value *v) {
  return v->kind == OG_XA_ELEMENTS || v->kind == OG_XA_TILE || v->kind == OG_XA_POINTS;
}

/* A value of the same kind with new names. */
static struct og_xa_value renamed(struct og_xa *x, const struct og_xa_value *v) {
  struct og_xa_value r = *v;
  r.names = OG_NEW_ARRAY(x->arena, const char *, names_of(v));
  for (uint32_t i = 0; i < names_of(v); i++)
    r.names[i] = og_xa_text(x, "%%t%u", x->names++);
  return r;
}

static void put_phis(struct og_xa *x, struct og_buffer *out, const struct og_xa_value *to, const struct og_xa_value *a,
                     const char *from_a, const struct og_xa_value *b, const char *from_b) {
  (void)x;
  for (uint32_t i = 0; i < names_of(to); i++)
    og_buffer_printf(out, "  %s = phi %s [ %s, %%%s ], [ %s, %%%s ]\n", to->names[i], type_of(to), a->names[i], from_a,
                     b->names[i], from_b);
}

static bool lower_for(struct og_xa *x, struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  uint32_t count = op->result_count + 1;
  struct og_xa_value *starts = OG_NEW_ARRAY(x->arena, struct og_xa_value, count),
                     *carried = OG_NEW_ARRAY(x->arena, struct og_xa_value, count),
                     *next = OG_NEW_ARRAY(x->arena, struct og_xa_value, count);
  const char *head = og_xa_label(x), *inside = og_xa_label(x), *end = og_xa_label(x), *before = x->block;
  for (uint32_t i = 0; i < count; i++) {
    starts[i] = *og_xa_of(x, op->operands[i ? i + 2 : 0]);
    if (!is_carried(&starts[i]))
      return og_xa_refuse(x, op, "values of this kind are not carried round a loop");
    carried[i] = renamed(x, &starts[i]);
    og_xa_set(x, body->arguments[i], carried[i]);
    if (i)
      og_xa_set(x, &op->results[i - 1], carried[i]);
  }
  struct og_xa_value bound = *og_xa_elements(x, op->operands[1]), step = *og_xa_elements(x, op->operands[2]);
  const char *type = og_xa_type(carried[0].type);
  og_xa_line(x, "br label %%%s", head);
  struct og_buffer outer = x->body;
  x->body = (struct og_buffer){0};
  og_xa_begin(x, inside);
  bool ok = og_xa_region(x, &op->regions[0]);
  for (uint32_t i = 1; ok && i < count; i++) {
    next[i] = *og_xa_of(x, body->last->operands[i - 1]);
    ok = next[i].kind == carried[i].kind && next[i].memref == carried[i].memref;
    if (!ok)
      og_xa_refuse(x, op, "descriptors are not exchanged for others");
  }
  struct og_buffer inner = x->body;
  x->body = outer;
  if (ok) {
    const char *name = og_xa_text(x, "%%t%u", x->names++);
    next[0] = carried[0];
    next[0].names = &name;
    const char *latch = x->block;
    og_buffer_printf(&x->body, "%s:\n", head);
    for (uint32_t i = 0; i < count; i++)
      put_phis(x, &x->body, &carried[i], &starts[i], before, &next[i], latch);
    const char *less = og_xa_emit(x, "icmp slt %s %s, %s", type, carried[0].names[0], bound.names[0]);
    og_xa_line(x, "br i1 %s, label %%%s, label %%%s", less, inside, end);
    og_buffer_append(&x->body, inner.data, inner.size);
    og_buffer_printf(&x->body, "  %s = add %s %s, %s\n", name, type, carried[0].names[0], step.names[0]);
    og_xa_line(x, "br label %%%s", head);
    og_xa_begin(x, end);
  }
  og_buffer_free(&inner);
  return ok && !x->failed;
}

static bool lower_if(struct og_xa *x, struct og_mlir_op *op) {
  const char *labels[3] = {og_xa_label(x), og_xa_label(x), og_xa_label(x)}, *ends[2];
  struct og_xa_value *results[2];
  og_xa_line(x, "br i1 %s, label %%%s, label %%%s", og_xa_elements(x, op->operands[0])->names[0], labels[0], labels[1]);
  for (int i = 0; i < 2; i++) {
    results[i] = OG_NEW_ARRAY(x->arena, struct og_xa_value, op->result_count + 1);
    og_xa_begin(x, labels[i]);
    if (op->regions[i].first && !og_xa_region(x, &op->regions[i]))
      return false;
    for (uint32_t k = 0; k < op->result_count; k++)
      results[i][k] = *og_xa_of(x, op->regions[i].last->last->operands[k]);
    ends[i] = x->block;
    og_xa_line(x, "br label %%%s", labels[2]);
  }
  og_xa_begin(x, labels[2]);
  for (uint32_t k = 0; k < op->result_count; k++) {
    if (!is_carried(&results[0][k]) || results[0][k].kind != results[1][k].kind ||
        results[0][k].memref != results[1][k].memref)
      return og_xa_refuse(x, op, "results of this kind");
    struct og_xa_value v = renamed(x, &results[0][k]);
    put_phis(x, &x->body, &v, &results[0][k], ends[0], &results[1][k], ends[1]);
    og_xa_set(x, &op->results[k], v);
  }
  return !x->failed;
}

/* ---- ids and barriers -------------------------------------------------------------------------------------------- */

/* A wave stands for 16 threads of the launch along x, or for a single one. */
static const char *id(struct og_xa *x, const struct og_mlir_op *op, uint32_t d) {
  const char *size = og_xa_text(x, "%%size%u", d), *thread = og_xa_text(x, "%%thread%u", d);
  switch (op->row->id) {
  case OG_MLIR_OP_THREAD_ID: return thread;
  case OG_MLIR_OP_BLOCK_ID: return og_xa_text(x, "%%group%u", d);
  case OG_MLIR_OP_BLOCK_DIM: return size;
  case OG_MLIR_OP_GRID_DIM: return og_xa_text(x, "%%groups%u", d);
  case OG_MLIR_OP_GLOBAL_ID:
    return og_xa_emit(x, "add i64 %s, %s", og_xa_emit(x, "mul i64 %%group%u, %s", d, size), thread);
  case OG_MLIR_OP_LANE_ID: return x->lanes ? og_xa_wide(x, "%lane16") : "0";
  case OG_MLIR_OP_SUBGROUP_SIZE: return "16";
  case OG_MLIR_OP_SUBGROUP_ID: return "%subgroup";
  default: return og_xa_emit(x, "udiv i64 %%items, %u", x->wave);
  }
}

static void barrier(struct og_xa *x) {
  og_xa_line(x, "fence syncscope(\"workgroup\") release");
  og_xa_line(x, "call void @llvm.amdgcn.s.barrier()");
  og_xa_line(x, "fence syncscope(\"workgroup\") acquire");
}

static bool lower_gpu(struct og_xa *x, struct og_mlir_op *op, bool *known) {
  og_mlir_attr dimension = og_mlir_find(op, "dimension");
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_FOR: return lower_for(x, op);
  case OG_MLIR_OP_IF: return lower_if(x, op);
  case OG_MLIR_OP_YIELD: return true;
  case OG_MLIR_OP_GPU_RETURN: og_xa_line(x, "ret void"); return true;
  case OG_MLIR_OP_THREAD_ID:
  case OG_MLIR_OP_BLOCK_ID:
  case OG_MLIR_OP_BLOCK_DIM:
  case OG_MLIR_OP_GRID_DIM:
  case OG_MLIR_OP_GLOBAL_ID:
  case OG_MLIR_OP_LANE_ID:
  case OG_MLIR_OP_SUBGROUP_SIZE:
  case OG_MLIR_OP_SUBGROUP_ID:
  case OG_MLIR_OP_NUM_SUBGROUPS:
    set_scalar(x, &op->results[0], id(x, op, dimension ? (uint32_t)(dimension->text.data[0] - 'x') : 0));
    return true;
  case OG_MLIR_OP_BARRIER: barrier(x); return true;
  case OG_MLIR_OP_INIT_NBARRIER: og_xa_of(x, &op->results[0])->kind = OG_XA_BARRIER; return true;
  case OG_MLIR_OP_WAIT: barrier(x); return true; /* one barrier serves for all */
  case OG_MLIR_OP_FENCE: og_xa_line(x, "fence seq_cst"); return true;
  case OG_MLIR_OP_ARRIVE:
  case OG_MLIR_OP_ALLOC_NBARRIER:
  case OG_MLIR_OP_COMPILE_HINT: return true;
  default: return !(*known = false);
  }
}

bool og_xa_region(struct og_xa *x, struct og_mlir_region *region) {
  static bool (*const families[])(struct og_xa *, struct og_mlir_op *, bool *) = {
      lower_gpu, og_xa_arith, og_xa_vector, og_xa_memory, og_xa_scatter, og_xa_lanes};
  if (region->first && region->first->next)
    return og_xa_refuse(x, region->op, "branches between blocks");
  for (struct og_mlir_op *op = region->first ? region->first->first : NULL; op; op = op->next) {
    bool known = false;
    for (size_t i = 0; i < OG_COUNT(families) && !known; i++)
      if (!families[i](x, op, &known))
        return false;
    if (!known)
      return og_xa_refuse(x, op, "there is no code for it on AMD's processors yet");
  }
  return !x->failed;
}
