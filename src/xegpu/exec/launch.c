/* launch.c - grids: work-groups whose threads take turns, launches from the host. */
#include "xegpu/exec/exec.h"
#include "xegpu/verifier.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static void free_group(struct og_xe_group *g) {
  for (uint32_t i = 0; i < g->thread_count; i++)
    while (g->threads[i].depth)
      free(g->threads[i].frames[--g->threads[i].depth].bytes);
  for (uint32_t i = 0; i < g->thread_count; i++)
    if (g->threads[i].state == OG_XE_DONE)
      free(g->threads[i].frames[0].bytes);
  free(g->threads);
  free(g->shared);
}

/* A thread's first frame: constants, the host's values from around the launch, arguments, ids. */
struct start {
  const struct og_xe_code *code;
  const uint8_t *const *arguments;
  const uint32_t *sizes;
  uint32_t count;
  const uint8_t *frame; /* the host's, around the launch */
  uint32_t frame_size;
};

static void begin(struct og_xe_thread *t, const struct start *s) {
  uint8_t *bytes = og_checked_realloc(NULL, s->code->frame_size + 64);
  memcpy(bytes, s->code->image, s->code->frame_size);
  if (s->frame) {
    memcpy(bytes, s->frame, s->frame_size);
    for (uint32_t k = 0; k < 12 && k < s->code->argument_count; k++) {
      const struct og_xe_group *g = t->group;
      int64_t values[] = {g->id[0],   g->id[1],   g->id[2],   t->id[0],   t->id[1],   t->id[2],
                          g->grid[0], g->grid[1], g->grid[2], g->size[0], g->size[1], g->size[2]};
      og_xe_set_index(bytes, s->code->arguments[k], values[k]);
    }
  }
  for (uint32_t k = 0; k < s->count; k++)
    memcpy(bytes + s->code->arguments[k], s->arguments[k], s->sizes[k]);
  t->frames[0] = (struct og_xe_frame){s->code, s->code->insts, bytes};
  t->depth = 1;
}

/* Attributions: memory of the group, or of the thread alone. */
static bool attribute(struct og_xe_group *g, struct og_xe_machine *m, const struct og_xe_code *code, uint32_t first) {
  struct og_mlir_block *entry = code->op->regions[0].first;
  og_mlir_attr count = og_mlir_find(code->op, "workgroup_attributions");
  uint32_t shared = count && count->kind == OG_MLIR_INT ? (uint32_t)count->ints[0] : 0;
  for (uint32_t k = first; k < entry->argument_count; k++) {
    og_mlir_type type = entry->arguments[k]->type;
    struct og_xe_memory *memory = NULL;
    int64_t elements = og_mlir_elements(type);
    uint8_t scalar;
    if (type->kind != OG_MLIR_MEMREF || elements == OG_MLIR_DYNAMIC || !og_xe_scalar(type, &scalar))
      return false;
    for (uint32_t i = 0; i < g->thread_count; i++) {
      if (!memory || k - first >= shared)
        memory = og_xe_allocate(m, (uint64_t)elements * og_xe_sizes[scalar]);
      if (!memory)
        return false;
      struct og_xe_memref *to = (struct og_xe_memref *)(g->threads[i].frames[0].bytes + code->arguments[k]);
      int64_t offset;
      *to = (struct og_xe_memref){memory, memory->data, 0, type->int_count};
      memcpy(to->sizes, type->ints, type->int_count * sizeof *type->ints);
      og_mlir_strides(type, to->sizes + OG_MAX(to->rank, 1), &offset);
    }
  }
  return true;
}

static bool run_group(struct og_xe_machine *m, struct og_xe_group *g, const struct og_xe_inst *i) {
  while (g->done < g->thread_count) {
    bool moved = false;
    for (uint32_t k = 0; k < g->thread_count; k++) {
      struct og_xe_thread *t = &g->threads[k];
      if (t->state == OG_XE_AT_NBARRIER)
        t->state = OG_XE_READY; /* it looks again whether it may go on */
      if (t->state != OG_XE_READY)
        continue;
      const struct og_xe_inst *before = t->frames[t->depth - 1].at;
      if (!og_xe_run_thread(t))
        return false;
      moved |= t->state == OG_XE_DONE || t->frames[t->depth - 1].at != before;
      if (t->state == OG_XE_DONE)
        g->done++;
    }
    if (g->waiting && g->waiting == g->thread_count - g->done) {
      for (uint32_t k = 0; k < g->thread_count; k++)
        if (g->threads[k].state == OG_XE_AT_BARRIER)
          g->threads[k].state = OG_XE_READY;
      g->waiting = 0;
      g->phase++;
      moved = true;
    }
    if (!moved) {
      const struct og_xe_thread *stuck = g->threads;
      while (stuck->state == OG_XE_DONE)
        stuck++;
      const struct og_xe_inst *at = stuck->state == OG_XE_AT_BARRIER ? stuck->frames[stuck->depth - 1].at - 1
                                                                     : stuck->frames[stuck->depth - 1].at;
      return og_xe_fault((struct og_xe_thread *)stuck, at,
                         "the threads of the work-group wait for one another for ever"),
             false;
    }
  }
  (void)m, (void)i;
  return true;
}

/* How many of the launch's threads one thread here stands for. VC kernels say that each thread is a subgroup; a kernel
 * with whole tiles runs once for a subgroup of 16; one with fragments runs lane by lane. */
static uint32_t lanes_of(const struct og_xe_machine *m, const struct og_xe_code *code, const int64_t size[3], bool vc) {
  if (m->run->subgroup_size)
    return m->run->subgroup_size;
  return vc || code->fragments || size[0] % OG_XE_SUBGROUP || !code->lanes
             ? 1
             : OG_XE_SUBGROUP;
}

bool og_xe_grid(struct og_xe_thread *host, const struct og_xe_inst *i, struct og_xe_code *code, const int64_t grid[3],
                const int64_t size[3], const uint8_t *const *arguments, const uint32_t *sizes, uint32_t count,
                const uint8_t *frame) {
  enum { THREADS_MOST = 1024 };
  struct og_xe_machine *m = host->machine;
  bool vc = og_mlir_is_vc(m->module, code->op);
  for (int d = 0; d < 3; d++)
    if (grid[d] < 1 || size[d] < 1 || size[d] > THREADS_MOST || grid[d] > INT32_MAX)
      return og_xe_fault(host, i,
                         "a grid of %lld x %lld x %lld work-groups of %lld x %lld x %lld threads cannot be launched",
                         (long long)grid[0], (long long)grid[1], (long long)grid[2], (long long)size[0],
                         (long long)size[1], (long long)size[2]);
  int64_t all = size[0] * size[1] * size[2];
  if (all > THREADS_MOST)
    return og_xe_fault(host, i, "a work-group has up to %d threads, but %lld are asked for", THREADS_MOST,
                       (long long)all);
  uint32_t lanes = lanes_of(m, code, size, vc), threads = (uint32_t)((all + lanes - 1) / lanes);
  struct start s = {code, arguments, sizes, count, frame, frame ? code->shared_count : 0};
  bool ok = true;
  m->launches++;
  m->atomics = false;
  struct og_xe_memory *kept = m->memories;
  uint64_t bytes = m->bytes;
  for (int64_t z = 0; ok && z < grid[2]; z++)
    for (int64_t y = 0; ok && y < grid[1]; y++)
      for (int64_t x = 0; ok && x < grid[0]; x++) {
        struct og_xe_group g = {.id = {x, y, z}, .thread_count = threads, .serial = ++m->group_count};
        memcpy(g.size, size, sizeof g.size);
        memcpy(g.grid, grid, sizeof g.grid);
        g.threads = og_checked_realloc(NULL, threads * sizeof *g.threads);
        memset(g.threads, 0, threads * sizeof *g.threads);
        for (uint32_t k = 0; k < threads; k++) {
          struct og_xe_thread *t = &g.threads[k];
          int64_t flat = (int64_t)k * lanes;
          t->machine = m;
          t->group = &g;
          t->index = k;
          t->lane = code->fragments ? k % OG_XE_SUBGROUP : 0;
          t->barrier = code->fragments ? OG_XE_SUBGROUP : (int32_t)lanes;
          t->id[0] = flat % size[0];
          t->id[1] = flat / size[0] % size[1];
          t->id[2] = flat / (size[0] * size[1]);
          begin(t, &s);
        }
        ok = attribute(&g, m, code, frame ? OG_MIN(12u, code->argument_count) : count) ||
             og_xe_fault(host, i, "attributions of this type are not executed");
        ok = ok && run_group(m, &g, i);
        m->run->groups++;
        m->run->threads += threads;
        og_xe_forget(&g.slm);
        free_group(&g);
        while (m->memories != kept) { /* what the group allocated is freed at its end */
          og_xe_forget(m->memories);
          if (!m->memories->freed)
            free(m->memories->data);
          m->memories->freed = true;
          m->memories = m->memories->next;
        }
        m->bytes = bytes;
      }
  return ok;
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

struct launch {
  const struct og_mlir_op *kernel;
  struct og_xe_code *code;
  uint32_t sizes[6]; /* places: grid, then block */
  uint8_t type;
  uint32_t *arguments, *argument_sizes, argument_count;
};

static const struct og_xe_inst *launch(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct launch *l = (struct launch *)i->data;
  int64_t sizes[6];
  if (t->group)
    return og_xe_fault(t, i, "a kernel cannot launch another");
  if (!l->code)
    l->code = og_xe_decode(t->machine, l->kernel);
  if (!l->code)
    return t->machine->failed = true, NULL;
  for (int k = 0; k < 6; k++)
    sizes[k] = og_xe_integer(l->type, f + l->sizes[k]);
  const uint8_t **arguments = og_checked_realloc(NULL, (l->argument_count + 1) * sizeof *arguments);
  for (uint32_t k = 0; k < l->argument_count; k++)
    arguments[k] = f + l->arguments[k];
  bool ok =
      og_xe_grid(t, i, l->code, sizes, sizes + 3, arguments, l->argument_sizes, l->argument_count, i->sub ? f : NULL);
  free(arguments);
  return ok ? i + 1 : NULL;
}

static bool has_tiles(const struct og_mlir_region *region) {
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      if (strncmp(op->row->name, "xegpu.", 6) == 0)
        return true;
      for (uint32_t i = 0; i < op->region_count; i++)
        if (has_tiles(&op->regions[i]))
          return true;
    }
  return false;
}

static bool decode_launch(struct og_xe_decoder *d, struct og_mlir_op *op) {
  static const char *const names[] = {"gridSizeX", "gridSizeY", "gridSizeZ", "blockSizeX", "blockSizeY", "blockSizeZ"};
  struct launch *l = OG_NEW(d->m->arena, struct launch);
  bool body = op->row->id == OG_MLIR_OP_LAUNCH;
  if (og_mlir_operand(op, "clusterSizeX") || og_mlir_operand(op, "asyncObject"))
    return og_xe_refuse(d, op, "clusters and streams are not executed");
  for (int k = 0; k < 6; k++)
    l->sizes[k] = og_xe_place(d, og_mlir_operand(op, names[k]));
  og_xe_scalar(og_mlir_operand(op, names[0])->type, &l->type);
  if (body) {
    uint32_t shared = d->frame_size;
    l->code = og_xe_decode_body(d, op);
    if (!l->code)
      return false;
    l->code->shared_count = shared;
    l->code->lanes = has_tiles(&op->regions[0]);
  } else {
    l->kernel = og_mlir_symbol(op, og_mlir_find(op, "kernel"));
    if (!l->kernel || l->kernel->row->id != OG_MLIR_OP_GPU_FUNC)
      return og_xe_refuse(d, op, "there is no such kernel");
    struct og_mlir_value **values = og_mlir_group(op, "kernelOperands", &l->argument_count);
    l->arguments = OG_NEW_ARRAY(d->m->arena, uint32_t, l->argument_count + 1);
    l->argument_sizes = OG_NEW_ARRAY(d->m->arena, uint32_t, l->argument_count + 1);
    for (uint32_t k = 0; k < l->argument_count; k++) {
      l->arguments[k] = og_xe_place(d, values[k]);
      l->argument_sizes[k] = (uint32_t)og_xe_size(values[k]->type);
    }
  }
  struct og_xe_inst *inst = og_xe_emit(d, op, launch);
  inst->data = l;
  inst->sub = body;
  return !d->failed;
}

bool og_xe_decode_launch(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known) {
  *known = op->row->id == OG_MLIR_OP_LAUNCH || op->row->id == OG_MLIR_OP_LAUNCH_FUNC;
  return *known ? decode_launch(d, op) : true;
}
