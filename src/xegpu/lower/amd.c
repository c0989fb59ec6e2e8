/* amd.c - kernels to LLVM IR for AMD's processors: the frame of each, control flow, ids and barriers. */
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
    v.count = (uint32_t)OG_MIN(OG_MAX(elements, 1), ELEMENTS_MOST), v.parts = (v.count + x->wave - 1) / x->wave;
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
  return part ? og_xa_emit(x, "add i32 %%lane, %u", part * x->wave) : "%lane";
}

/* ---- control ----------------------------------------------------------------------------------------------------- */

static uint32_t names_of(const struct og_xa_value *v) { return v->kind == OG_XA_TILE ? 2 : v->parts; }
static const char *type_of(const struct og_xa_value *v) {
  return v->kind == OG_XA_ELEMENTS ? og_xa_type(v->type) : "i64";
}
static bool is_carried(const struct og_xa_value *v) {
  return v->kind == OG_XA_ELEMENTS || v->kind == OG_XA_TILE || v->kind == OG_XA_POINTS;
}

/* The same kind with other names. */
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

/* A wave stands for 16 threads of the launch along x, or for one. */
static const char *id(struct og_xa *x, const struct og_mlir_op *op, uint32_t d) {
  const char *size = og_xa_text(x, "%%size%u", d), *thread = og_xa_text(x, "%%thread%u", d);
  switch (op->row->id) {
  case OG_MLIR_OP_THREAD_ID: return thread;
  case OG_MLIR_OP_BLOCK_ID: return og_xa_text(x, "%%group%u", d);
  case OG_MLIR_OP_BLOCK_DIM: return size;
  case OG_MLIR_OP_GRID_DIM: return og_xa_text(x, "%%groups%u", d);
  case OG_MLIR_OP_GLOBAL_ID:
    return og_xa_emit(x, "add i64 %s, %s", og_xa_emit(x, "mul i64 %%group%u, %s", d, size), thread);
  case OG_MLIR_OP_LANE_ID: return "0";
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
  case OG_MLIR_OP_WAIT: barrier(x); return true; /* of all waves: there is one barrier */
  case OG_MLIR_OP_FENCE: og_xa_line(x, "fence seq_cst"); return true;
  case OG_MLIR_OP_ARRIVE:
  case OG_MLIR_OP_ALLOC_NBARRIER:
  case OG_MLIR_OP_COMPILE_HINT: return true;
  default: return !(*known = false);
  }
}

bool og_xa_region(struct og_xa *x, struct og_mlir_region *region) {
  static bool (*const families[])(struct og_xa *, struct og_mlir_op *, bool *) = {lower_gpu, og_xa_arith, og_xa_vector,
                                                                                  og_xa_memory};
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

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

static bool put_arguments(struct og_xa *x, struct og_buffer *out) {
  struct og_mlir_block *entry = x->kernel->regions[0].first;
  for (uint32_t i = 0; i < entry->argument_count; i++) {
    og_mlir_type type = entry->arguments[i]->type;
    int64_t strides[OG_MLIR_RANK_MOST], offset = 0;
    uint8_t scalar;
    og_buffer_text(out, i ? ", " : "");
    if (!og_xe_scalar(type, &scalar) || type->kind == OG_MLIR_VECTOR)
      return og_xa_refuse(x, x->kernel, "arguments of this type");
    if (type->kind != OG_MLIR_MEMREF) {
      og_buffer_printf(out, "%s %%a%u", og_xa_type(scalar), i);
      set_scalar(x, entry->arguments[i], og_xa_text(x, "%%a%u", i));
      continue;
    }
    struct og_xa_memref *m = OG_NEW(x->arena, struct og_xa_memref);
    *m = (struct og_xa_memref){.base = og_xa_text(x, "%%a%u", i), .rank = type->int_count};
    if (!og_mlir_strides(type, strides, &offset) || offset || type->parts[2])
      return og_xa_refuse(x, x->kernel, "memrefs of this layout or space as arguments");
    og_buffer_printf(out, "ptr addrspace(1) %%a%u", i);
    for (uint32_t k = 0; k < m->rank; k++) {
      if (strides[k] == OG_MLIR_DYNAMIC || type->ints[k] == OG_MLIR_DYNAMIC)
        return og_xa_refuse(x, x->kernel, "memrefs of dynamic sizes as arguments");
      m->sizes[k] = og_xa_text(x, "%lld", (long long)type->ints[k]);
      m->strides[k] = og_xa_text(x, "%lld", (long long)strides[k]);
    }
    og_xa_set(x, entry->arguments[i], (struct og_xa_value){.kind = OG_XA_MEMREF, .memref = m, .type = scalar});
  }
  return true;
}

/* Ids as the launch of the module counts threads, from those of the wave's work-items. */
static void put_entry(struct og_xa *x, struct og_buffer *out) {
  uint32_t w = x->wave, per = x->vc ? 1 : 16;
  og_buffer_text(out, "entry:\n  %lo = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n");
  og_buffer_text(out, w == 64 ? "  %lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lo)\n"
                              : "  %lane = add i32 %lo, 0\n");
  og_buffer_text(out, "  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n");
  for (int d = 0; d < 3; d++) {
    char c = "xyz"[d];
    og_buffer_printf(
        out,
        "  %%sp%d = getelementptr i8, ptr addrspace(4) %%packet, i64 %d\n  %%sh%d = load i16, ptr addrspace(4) %%sp%d\n"
        "  %%local%d = zext i16 %%sh%d to i64\n",
        d, 4 + 2 * d, d, d, d, d);
    og_buffer_printf(
        out,
        "  %%gp%d = getelementptr i8, ptr addrspace(4) %%packet, i64 %d\n  %%gw%d = load i32, ptr addrspace(4) %%gp%d\n"
        "  %%gx%d = zext i32 %%gw%d to i64\n  %%groups%d = udiv i64 %%gx%d, %%local%d\n",
        d, 12 + 4 * d, d, d, d, d, d, d, d);
    og_buffer_printf(out,
                     "  %%wi%d = call i32 @llvm.amdgcn.workitem.id.%c()\n  %%wf%d = call i32 "
                     "@llvm.amdgcn.readfirstlane.i32(i32 %%wi%d)\n"
                     "  %%wx%d = zext i32 %%wf%d to i64\n",
                     d, c, d, d, d, d);
    og_buffer_printf(out, "  %%wg%d = call i32 @llvm.amdgcn.workgroup.id.%c()\n  %%group%d = zext i32 %%wg%d to i64\n",
                     d, c, d, d);
  }
  og_buffer_printf(
      out,
      "  %%waves0 = udiv i64 %%local0, %u\n  %%size0 = mul i64 %%waves0, %u\n  %%size1 = add i64 %%local1, 0\n"
      "  %%size2 = add i64 %%local2, 0\n  %%wave0 = udiv i64 %%wx0, %u\n  %%thread0 = mul i64 %%wave0, %u\n"
      "  %%thread1 = add i64 %%wx1, 0\n  %%thread2 = add i64 %%wx2, 0\n",
      w, per, w, per);
  og_buffer_printf(
      out,
      "  %%zy = mul i64 %%wx2, %%local1\n  %%yy = add i64 %%zy, %%wx1\n  %%yx = mul i64 %%yy, %%local0\n"
      "  %%flat = add i64 %%yx, %%wx0\n  %%subgroup = udiv i64 %%flat, %u\n  %%it = mul i64 %%local0, %%local1\n"
      "  %%items = mul i64 %%it, %%local2\n",
      w);
  og_buffer_printf(out,
                   "  %%sub32 = trunc i64 %%subgroup to i32\n  %%mine = mul i32 %%sub32, %u\n"
                   "  %%scratch = getelementptr i8, ptr addrspace(3) @scratch, i32 %%mine\n",
                   x->scratch);
}

static bool lower_kernel(struct og_xa *x, struct og_buffer *out, const char *processor) {
  enum { LDS_MOST = 64 << 10, ITEMS_MOST = 1024 };
  og_mlir_attr name = og_mlir_find(x->kernel, "sym_name");
  struct og_buffer arguments = {0};
  x->block = "entry";
  bool ok = put_arguments(x, &arguments) && og_xa_region(x, (struct og_mlir_region *)x->kernel->regions) && !x->failed;
  x->scratch = (uint32_t)og_align_up(OG_MAX(x->scratch, 16u), 16);
  x->waves = OG_MAX(OG_MIN(ITEMS_MOST / x->wave, (LDS_MOST / 2) / x->scratch), 1u);
  if (ok) {
    og_buffer_printf(
        out,
        "target triple = \"amdgcn-amd-amdhsa\"\n\n@scratch = internal addrspace(3) global [%u x i8] undef, align 16\n",
        x->scratch * x->waves);
    og_buffer_append(out, x->globals.data, x->globals.size);
    og_buffer_printf(out, "\ndefine amdgpu_kernel void @%.*s(%.*s) #0 {\n", OG_TEXT_ARGS(name->text),
                     (int)arguments.size, (const char *)arguments.data);
    put_entry(x, out);
    og_buffer_append(out, x->body.data, x->body.size);
    og_buffer_printf(out,
                     "}\n\nattributes #0 = { \"amdgpu-flat-work-group-size\"=\"1,%u\" \"target-cpu\"=\"%s\" "
                     "\"denormal-fp-math-f32\"=\"ieee,ieee\" }\n",
                     x->waves * x->wave, processor);
  }
  og_buffer_free(&arguments);
  og_buffer_free(&x->globals);
  og_buffer_free(&x->body);
  return ok;
}

static void collect(const struct og_mlir_region *region, const char *name, const struct og_mlir_op **found,
                    uint32_t *count) {
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      if (op->row->id == OG_MLIR_OP_GPU_MODULE)
        collect(&op->regions[0], name, found, count);
      if (op->row->id == OG_MLIR_OP_GPU_FUNC && op->regions[0].first &&
          (!name || og_text_is(og_mlir_find(op, "sym_name")->text, name)))
        *found = op, ++*count;
    }
}

bool og_mlir_lower_amd(const struct og_mlir_module *module, const char *name, const char *processor,
                       struct og_buffer *out, struct og_diagnostics *diagnostics) {
  const struct og_mlir_op *kernel = NULL;
  uint32_t count = 0;
  collect(&module->op->regions[0], name, &kernel, &count);
  if (count != 1)
    return og_error_in(diagnostics, module->source.name,
                       count ? "--kernel NAME is expected: there are %u kernels" : "there is no such kernel%.0u",
                       count);
  bool wide = strcmp(processor, "gfx90a") == 0 || strcmp(processor, "gfx942") == 0;
  if (!wide && strcmp(processor, "gfx1100") != 0)
    return og_error_in(diagnostics, module->source.name,
                       "-mcpu=%s: MLIR's kernels are lowered for pvc, gfx90a, gfx942 and gfx1100", processor);
  struct og_arena *arena = og_arena_new();
  struct og_xa x = {.module = module,
                    .arena = arena,
                    .diagnostics = diagnostics,
                    .kernel = kernel,
                    .wave = wide ? 64 : 32,
                    .wmma = !wide,
                    .deep_int8 = strcmp(processor, "gfx942") == 0};
  x.vc = og_mlir_is_vc(module, kernel);
  og_mlir_forget_slots(kernel->regions);
  bool ok = lower_kernel(&x, out, processor);
  og_mlir_forget_slots(kernel->regions);
  og_arena_free(arena);
  if (ok)
    og_xa_declare(out);
  return ok;
}
