/* amd_kernel.c - the frame of a kernel as LLVM IR: its arguments, the ids of its threads, the LDS that it needs. */
#include "xegpu/lower/amd.h"
#include "xegpu/maps.h"

#include <string.h>

/* Behind the pointer come the dynamic sizes; strides are products of sizes. */
static bool put_memref(struct og_xa *x, struct og_buffer *out, uint32_t i, og_mlir_type type, uint8_t scalar) {
  struct og_xa_memref *m = OG_NEW(x->arena, struct og_xa_memref);
  int64_t strides[OG_MLIR_RANK_MOST], offset = 0;
  *m = (struct og_xa_memref){.base = og_xa_text(x, "%%a%u", i), .rank = type->int_count};
  bool known = og_mlir_strides(type, strides, &offset);
  for (uint32_t k = 0; k < m->rank; k++) {
    m->sizes[k] = type->ints[k] == OG_MLIR_DYNAMIC ? og_xa_text(x, "%%a%u_%u", i, k)
                                                   : og_xa_text(x, "%lld", (long long)type->ints[k]);
    if (type->ints[k] == OG_MLIR_DYNAMIC)
      og_buffer_printf(out, ", i64 %s", m->sizes[k]);
  }
  for (uint32_t k = m->rank; k-- > 0;) {
    bool dynamic = strides[k] == OG_MLIR_DYNAMIC;
    if (!known || offset == OG_MLIR_DYNAMIC || (dynamic && type->parts[1]))
      return og_xa_refuse(x, x->kernel, "memrefs of this layout as arguments");
    m->strides[k] =
        dynamic ? og_xa_product(x, m->sizes[k + 1], m->strides[k + 1]) : og_xa_text(x, "%lld", (long long)strides[k]);
  }
  if (offset)
    m->base = og_xa_pointer(x, m, scalar, og_xa_text(x, "%lld", (long long)offset));
  og_xa_set(x, x->kernel->regions[0].first->arguments[i],
            (struct og_xa_value){.kind = OG_XA_MEMREF, .memref = m, .type = scalar});
  return true;
}

static bool put_arguments(struct og_xa *x, struct og_buffer *out) {
  struct og_mlir_block *entry = x->kernel->regions[0].first;
  for (uint32_t i = 0; i < entry->argument_count; i++) {
    og_mlir_type type = entry->arguments[i]->type;
    uint8_t scalar;
    og_buffer_text(out, i ? ", " : "");
    if (!og_xe_scalar(type, &scalar) || type->kind == OG_MLIR_VECTOR)
      return og_xa_refuse(x, x->kernel, "arguments of this type");
    if (type->kind != OG_MLIR_MEMREF) {
      og_buffer_printf(out, "%s %%a%u", og_xa_type(scalar), i);
      struct og_xa_value v = og_xa_new(x, type);
      v.names[0] = og_xa_text(x, "%%a%u", i);
      og_xa_set(x, entry->arguments[i], v);
      continue;
    }
    if (type->parts[2])
      return og_xa_refuse(x, x->kernel, "memrefs of this space as arguments");
    og_buffer_printf(out, "ptr addrspace(1) %%a%u", i);
    if (!put_memref(x, out, i, type, scalar))
      return false;
  }
  return true;
}

/* The ids of threads, as the launch of the module counts these, from the ids of the wave's work-items. */
static void put_entry(struct og_xa *x, struct og_buffer *out) {
  uint32_t w = x->wave, per = x->vc && !x->lanes ? 1 : 16;
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
      "  %%size2 = add i64 %%local2, 0\n  %%wave0 = udiv i64 %%wx0, %u\n  %%first0 = mul i64 %%wave0, %u\n"
      "  %%thread1 = add i64 %%wx1, 0\n  %%thread2 = add i64 %%wx2, 0\n",
      w, per, w, per);
  og_buffer_text(out, x->lanes ? "  %lane16 = and i32 %lane, 15\n  %own = icmp ult i32 %lane, 16\n"
                                 "  %lanex = zext i32 %lane16 to i64\n  %thread0 = add i64 %first0, %lanex\n"
                               : "  %thread0 = add i64 %first0, 0\n");
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
    og_buffer_append(out, x->entry.data, x->entry.size);
    og_buffer_append(out, x->body.data, x->body.size);
    og_buffer_printf(out,
                     "}\n\nattributes #0 = { \"amdgpu-flat-work-group-size\"=\"1,%u\" \"target-cpu\"=\"%s\" "
                     "\"denormal-fp-math-f32\"=\"ieee,ieee\" }\n",
                     x->waves * x->wave, processor);
  }
  og_buffer_free(&arguments);
  og_buffer_free(&x->globals);
  og_buffer_free(&x->entry);
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
  x.lanes = og_mlir_has_fragments(kernel->regions);
  x.each = x.lanes ? 1 : x.wave;
  og_mlir_forget_slots(kernel->regions);
  bool ok = lower_kernel(&x, out, processor);
  og_mlir_forget_slots(kernel->regions);
  og_arena_free(arena);
  if (ok)
    og_xa_declare(out);
  return ok;
}
