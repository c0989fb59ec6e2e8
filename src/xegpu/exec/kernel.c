/* kernel.c - runs one kernel of a module without a host function, with arguments from the command line. */
#include "xegpu/exec/exec.h"

#include <stdlib.h>
#include <string.h>

struct search {
  const char *name;
  const struct og_mlir_op *found;
  uint32_t count;
};

static void find(const struct og_mlir_region *region, struct search *s) {
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      if (op->row->id == OG_MLIR_OP_GPU_MODULE)
        find(&op->regions[0], s);
      if (op->row->id != OG_MLIR_OP_GPU_FUNC || !op->regions[0].first ||
          (s->name && !og_text_is(og_mlir_find(op, "sym_name")->text, s->name)))
        continue;
      s->found = op;
      s->count++;
    }
}

static bool wrong(struct og_xe_machine *m, const struct og_mlir_op *kernel, uint32_t k, const char *expected) {
  return og_error(m->diagnostics, (struct og_range){&m->module->source, kernel->offset, kernel->size},
                  "argument %u: expected %s", k + 1, expected);
}

/* The next argument, of a scalar of `size` bytes; NULL with a diagnostic. */
static const void *scalar_of(struct og_xe_machine *m, const struct og_mlir_op *kernel, const struct og_mlir_launch *l,
                             uint32_t *next, uint32_t size) {
  uint32_t k = (*next)++;
  if (k < l->argument_count && !l->arguments[k].buffer && l->arguments[k].size == size)
    return l->arguments[k].data;
  wrong(m, kernel, k, og_arena_printf(m->arena, "a value of %u bytes", size));
  return NULL;
}

static bool memref_of(struct og_xe_machine *m, const struct og_mlir_op *kernel, const struct og_mlir_launch *l,
                      uint32_t *next, og_mlir_type type, struct og_xe_memref *to) {
  uint32_t k = (*next)++;
  int64_t strides[OG_MLIR_RANK_MOST], offset, step = 1;
  if (k >= l->argument_count || !l->arguments[k].buffer)
    return wrong(m, kernel, k, "a buffer");
  if (!og_mlir_strides(type, strides, &offset) || offset == OG_MLIR_DYNAMIC)
    return wrong(m, kernel, k, "a memref of a layout that is known");
  struct og_xe_memory *memory = OG_NEW(m->arena, struct og_xe_memory);
  *memory = (struct og_xe_memory){.next = m->memories, .data = l->arguments[k].data, .size = l->arguments[k].size};
  m->memories = memory;
  *to = (struct og_xe_memref){.memory = memory, .base = memory->data, .offset = offset, .rank = type->int_count};
  for (uint32_t d = 0; d < type->int_count; d++) {
    const void *size = &type->ints[d];
    if (type->ints[d] == OG_MLIR_DYNAMIC && !(size = scalar_of(m, kernel, l, next, 8)))
      return false;
    memcpy(&to->sizes[d], size, 8);
  }
  for (uint32_t d = type->int_count; d-- > 0; step *= OG_MAX(to->sizes[d], 1)) {
    bool given = type->parts[1] && strides[d] != OG_MLIR_DYNAMIC;
    to->sizes[OG_MAX(to->rank, 1) + d] = given ? strides[d] : step;
    if (to->sizes[d] < 0 || to->sizes[d] > INT32_MAX || step > INT64_MAX / INT32_MAX)
      return wrong(m, kernel, k, "sizes that are not negative and not too large");
  }
  return true;
}

static bool run_kernel(struct og_xe_machine *m, const struct og_mlir_op *kernel, const struct og_mlir_launch *l) {
  struct og_mlir_block *entry = kernel->regions[0].first;
  uint32_t count = entry->argument_count, next = 0, given = 0;
  const uint8_t **arguments = OG_NEW_ARRAY(m->arena, const uint8_t *, count + 1);
  uint32_t *sizes = OG_NEW_ARRAY(m->arena, uint32_t, count + 1);
  og_mlir_type function = og_mlir_find(kernel, "function_type")->parts[0];
  count = OG_MIN(count, (uint32_t)function->ints[0]); /* the others are attributions */
  for (; given < count; given++) {
    og_mlir_type type = entry->arguments[given]->type;
    sizes[given] = (uint32_t)og_xe_size(type);
    if (type->kind == OG_MLIR_MEMREF && sizes[given]) {
      arguments[given] = og_arena_alloc(m->arena, sizes[given]);
      if (!memref_of(m, kernel, l, &next, type, (struct og_xe_memref *)arguments[given]))
        return false;
    } else if (!sizes[given] || type->kind > OG_MLIR_F64) {
      return wrong(m, kernel, next, "a memref or a scalar as the kernel's argument");
    } else if (!(arguments[given] = scalar_of(m, kernel, l, &next, sizes[given]))) {
      return false;
    }
  }
  if (next != l->argument_count)
    return og_error(m->diagnostics, (struct og_range){&m->module->source, kernel->offset, kernel->size},
                    "the kernel takes %u arguments, %u given", next, l->argument_count);
  struct og_xe_code *code = og_xe_decode(m, kernel);
  struct og_xe_thread *host = og_checked_realloc(NULL, sizeof *host);
  memset(host, 0, sizeof *host);
  host->machine = m;
  struct og_xe_inst at = {.op = kernel};
  bool ok = code && og_xe_grid(host, &at, code, l->groups, l->threads, arguments, sizes, count, NULL) && !m->failed;
  free(host);
  return ok;
}

bool og_mlir_execute_kernel(const struct og_mlir_module *module, struct og_mlir_run *run,
                            const struct og_mlir_launch *launch, struct og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  struct og_xe_machine m = {.module = module, .arena = arena, .diagnostics = diagnostics, .run = run};
  struct search s = {.name = launch->kernel};
  og_xe_start_clock(&m);
  find(&module->op->regions[0], &s);
  bool ok = false;
  if (s.count == 1)
    ok = run_kernel(&m, s.found, launch);
  else if (s.count)
    og_error_in(diagnostics, module->source.name, "--kernel NAME is expected: there are %u kernels", s.count);
  else if (launch->kernel)
    og_error_in(diagnostics, module->source.name, "no kernel '%s'", launch->kernel);
  else
    og_error_in(diagnostics, module->source.name, "there is no kernel in it");
  og_xe_end(&m);
  og_arena_free(arena);
  return ok;
}
