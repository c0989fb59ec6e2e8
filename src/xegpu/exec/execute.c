/* execute.c - runs a module: the loop over operations, faults, the function where it begins. */
#include "xegpu/exec/exec.h"
#include "xegpu/verifier.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

const struct og_xe_inst *og_xe_fault(struct og_xe_thread *t, const struct og_xe_inst *i, const char *format, ...) {
  struct og_xe_machine *m = t->machine;
  va_list args;
  va_start(args, format);
  const char *text = og_arena_vprintf(m->arena, format, args);
  va_end(args);
  if (!m->failed) {
    og_error(m->diagnostics, (struct og_range){&m->module->source, i->op->offset, i->op->size}, "'%s' op %s",
             i->op->row->name, text);
    if (t->group)
      og_report(m->diagnostics, OG_SEVERITY_NOTE, (struct og_range){&m->module->source, i->op->offset, i->op->size},
                "in work-group [%lld, %lld, %lld], thread [%lld, %lld, %lld]", (long long)t->group->id[0],
                (long long)t->group->id[1], (long long)t->group->id[2], (long long)t->id[0], (long long)t->id[1],
                (long long)t->id[2]);
  }
  m->failed = true;
  return NULL;
}

static bool must_end(struct og_xe_thread *t, const struct og_xe_inst *i) {
  struct og_mlir_run *run = t->machine->run;
  if (run->interrupted && __atomic_load_n(run->interrupted, __ATOMIC_ACQUIRE))
    return og_xe_fault(t, i, "interrupted"), true;
  if (t->machine->deadline && now() > t->machine->deadline) {
    run->late = true;
    return og_xe_fault(t, i, "still running after %g seconds (--timeout)", run->timeout), true;
  }
  return false;
}

bool og_xe_run_thread(struct og_xe_thread *t) {
  enum { LOOK = 4096 };
  struct og_xe_frame *frame = &t->frames[t->depth - 1];
  const struct og_xe_inst *i = frame->at;
  uint8_t *f = frame->bytes;
  uint64_t count = 0;
  while (i) {
    uint32_t depth = t->depth;
    const struct og_xe_inst *next = i->run(t, i, f);
    if (t->depth != depth && t->depth)
      f = t->frames[t->depth - 1].bytes;
    if (++count % LOOK == 0 && next && must_end(t, next))
      return false;
    i = next;
  }
  t->machine->run->operations += count;
  return !t->machine->failed;
}

static const struct og_mlir_op *entry_of(const struct og_mlir_module *m, const char *name) {
  const struct og_mlir_op *only = NULL;
  uint32_t count = 0;
  for (struct og_mlir_op *op = m->op->regions[0].first ? m->op->regions[0].first->first : NULL; op; op = op->next) {
    og_mlir_attr symbol = op->row->id == OG_MLIR_OP_FUNC && op->regions[0].first ? og_mlir_find(op, "sym_name") : NULL;
    if (!symbol)
      continue;
    if (og_text_is(symbol->text, name ? name : "main"))
      return op;
    only = op;
    count++;
  }
  return !name && count == 1 ? only : NULL;
}

void og_xe_start_clock(struct og_xe_machine *m) {
  if (m->run->timeout > 0)
    m->deadline = now() + (uint64_t)(m->run->timeout * 1e9);
}

void og_xe_end(struct og_xe_machine *m) {
  for (struct og_xe_memory *at = m->memories; at; at = at->next) {
    og_xe_forget(at);
    if (at->owned && !at->freed)
      free(at->data);
  }
  free(m->globals);
}

bool og_mlir_execute(const struct og_mlir_module *module, struct og_mlir_run *run, struct og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  struct og_xe_machine m = {.module = module, .arena = arena, .diagnostics = diagnostics, .run = run};
  const struct og_mlir_op *entry = entry_of(module, run->entry);
  og_xe_start_clock(&m);
  bool ok = false;
  if (!entry)
    og_error_in(diagnostics, module->source.name,
                run->entry ? "there is no function @%s with a body" : "there is no function @main%.0s",
                run->entry ? run->entry : "");
  else if (entry->regions[0].first->argument_count)
    og_error(diagnostics, (struct og_range){&module->source, entry->offset, entry->size},
             "the function to run must have no arguments");
  else {
    struct og_xe_code *code = og_xe_decode(&m, entry);
    struct og_xe_thread *host = og_checked_realloc(NULL, sizeof *host);
    memset(host, 0, sizeof *host);
    host->machine = &m;
    if (code) {
      host->frames[0] = (struct og_xe_frame){code, code->insts, og_checked_realloc(NULL, code->frame_size + 64)};
      memcpy(host->frames[0].bytes, code->image, code->frame_size);
      host->depth = 1;
      ok = og_xe_run_thread(host) && host->state == OG_XE_DONE;
      if (host->state == OG_XE_DONE)
        free(host->frames[0].bytes);
      while (host->depth)
        free(host->frames[--host->depth].bytes);
    }
    free(host);
  }
  og_xe_end(&m);
  og_arena_free(arena);
  return ok;
}
