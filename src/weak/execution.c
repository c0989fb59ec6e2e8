/* execution.c - kernels on a weak memory: handles the events of waves' instructions, of waves and of work-groups. An
 * access is performed when it is issued, or by chance later: after those that it must not overtake, and at the latest
 * when its wave waits for it. */
#include "weak/inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* Which caches work-groups use: they go to the agents in turn. */
static void make_system(struct og_weak_execution *w, const struct og_wave *wave) {
  const struct og_weak_kind *kind = og_weak_kind_of(wave->program->isa, w->agents > 1);
  const struct og_dispatch *dispatch = wave->group->dispatch;
  unsigned l2s[OG_WEAK_HOMES], l2 = OG_WEAK_NO_NODE;
  w->made = true;
  w->system = (struct og_weak_system){.kind = kind};
  w->spread = dispatch && (dispatch->start.wgp_mode || dispatch->start.tg_split);
  for (unsigned home = 0; home < OG_WEAK_HOMES; home++) {
    if (home < w->agents || kind->many_l2)
      l2s[home] = og_weak_add(&w->system, OG_WEAK_L2, OG_WEAK_NO_NODE);
    l2 = l2s[kind->many_l2 ? home : home % w->agents];
    unsigned behind = kind->gl1 ? og_weak_add(&w->system, OG_WEAK_GL1, l2) : l2;
    for (unsigned cu = 0; cu < 2; cu++)
      w->node[home][cu] = cu && !w->spread ? w->node[home][0] : (uint8_t)og_weak_add(&w->system, OG_WEAK_L0, behind);
    w->scalar[home] = (uint8_t)og_weak_add(&w->system, OG_WEAK_L0, behind);
  }
}

static void keep_caches(struct og_weak_execution *w, const struct og_wave *wave, const struct og_weak_inst *inst) {
  bool scalar = inst->path == OG_WEAK_SCALAR;
  unsigned node = og_weak_node(w, wave, scalar);
  if (inst->operation == OG_WEAK_WRITE_BACK && scalar) /* stores in the scalar cache */
    og_weak_perform_near(w, node, 0, UINT64_MAX);
  else if (inst->operation == OG_WEAK_WRITE_BACK)
    og_weak_perform_all(w, wave, OG_SPACE_GLOBAL);
  for (size_t i = 0; i < w->dwords.size; i++) {
    if (!w->dwords.table[i])
      continue;
    if (inst->operation == OG_WEAK_WRITE_BACK && !scalar)
      og_weak_write_back(&w->system, &w->dwords.table[i]->place, node);
    for (int level = OG_WEAK_L2; level >= 0; level--)
      if (inst->levels >> level & 1)
        og_weak_invalidate(&w->system, &w->dwords.table[i]->place, node, (enum og_weak_level)level);
  }
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Decides when the accesses that the instruction before has issued are performed: at once, or after so many
 * instructions of any waves. */
static void settle(struct og_weak_execution *w) {
  og_weak_end_late(w);
  for (unsigned i = 0; i < OG_COUNT(w->issuing); i++) {
    struct og_weak_pending *p = w->issuing[i];
    uint32_t choice = p ? og_choose(w->choices, 12) : 0;
    if (!p)
      continue;
    uint32_t stays = choice < 6 ? 0 : 2u << 2 * (choice - 6);
    p->due = w->clock + stays;
    if (stays)
      og_weak_tell(w, p->wave, p->op, "stays outstanding for %u instructions, unless something waits for it", stays);
    else
      og_weak_perform(w, p);
  }
  w->issuing[0] = w->issuing[1] = NULL;
}

/* Performs the accesses that are due. */
static void go_on(struct og_weak_execution *w) {
  enum { KEPT_MOST = 4096 /* so many instructions long an L2 keeps a dword before it makes room for others */ };
  if (++w->clock % KEPT_MOST == 0 && w->agents > 1)
    for (size_t i = 0; i < w->dwords.size; i++)
      if (w->dwords.table[i])
        w->dwords.table[i]->place.written = w->dwords.table[i]->place.newest;
  for (size_t i = 0; i < w->count;)
    if (w->pending[i]->due <= w->clock)
      og_weak_perform(w, w->pending[i]), i = 0;
    else
      i++;
}

static void on_instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct og_weak_execution *w = context;
  if (!w->made)
    make_system(w, wave); /* only when an instruction is decoded does the program have its tables */
  settle(w);
  w->current = wave;
  if (og_choose(w->choices, 16) == 1) { /* so that waves do not run in step */
    og_answer(wave, (enum og_verdict)OG_GIVE_WAY);
    og_weak_tell(w, wave, op, "is issued after other waves have run");
    return;
  }
  go_on(w);
  const struct og_weak_known *known = og_weak_known_of(w, wave, op);
  if (!known)
    return;
  unsigned operation = known->inst.operation;
  if (operation == OG_WEAK_WAIT)
    og_weak_wait(w, wave, &known->inst);
  else if (operation == OG_WEAK_INVALIDATE || operation == OG_WEAK_WRITE_BACK)
    keep_caches(w, wave, &known->inst);
  else if (known->inst.path == OG_WEAK_LDS && operation != OG_WEAK_STORE && !known->plain)
    og_weak_perform_all(w, wave, OG_SPACE_LDS); /* it may be done at once, and must not overtake them */
  if (known->inst.transfer.count)
    og_weak_begin_late(w, wave, op, known);
}

static bool on_defer(void *context, struct og_wave *wave, const struct og_operation *op,
                     const struct og_deferred *what) {
  struct og_weak_execution *w = context;
  const struct og_weak_known *known = og_weak_known_of(w, wave, op);
  bool lds = what->space == OG_SPACE_LDS;
  if (!known || known->inst.operation == OG_WEAK_OTHER || what->size > 16 ||
      (what->access == OG_ACCESS_READ && !known->plain))
    return false;
  struct og_weak_pending **issuing = &w->issuing[lds];
  if (!*issuing || (*issuing)->count == OG_LANES || (*issuing)->access != what->access)
    *issuing = og_weak_issue(w, wave, op, known, what->space, what->access);
  struct og_weak_pending *p = *issuing;
  struct og_weak_piece *piece = &p->piece[p->count++];
  *piece = (struct og_weak_piece){what->address,        what->data,           what->other, (uint8_t)what->lane,
                                  (uint8_t)what->piece, (uint8_t)what->size, {0}};
  if (what->bytes)
    memcpy(piece->bytes, what->bytes, what->size);
  p->low = OG_MIN(p->low, what->address & ~3ull);
  p->high = OG_MAX(p->high, (what->address + what->size + 3) & ~3ull);
  return true;
}

/* A read that the executor makes at once: first what the same cache was asked for at these addresses is performed. */
static void on_look(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space,
                    uint64_t address, void *bytes, unsigned size) {
  struct og_weak_execution *w = context;
  const struct og_weak_known *known = og_weak_known_of(w, wave, op);
  if (!known || known->plain) /* it was deferred */
    return;
  unsigned node = og_weak_node(w, wave, space == OG_SPACE_SCALAR);
  og_weak_perform_near(w, node, address & ~3ull, (address + size + 3) & ~3ull);
  const void *from = og_deferred_place(wave, address, size, false);
  if (!from)
    return;
  memcpy(bytes, from, size);
  og_weak_load(w, node, known->inst.reach, og_weak_choose_time(w, wave, op), address, bytes, size);
}

/* ---- waves ------------------------------------------------------------------------------------------------------- */

/* The packet processor invalidates the caches before a kernel, and at its end waits for all accesses. */
static void on_group_begin(void *context, struct og_group *group) {
  struct og_weak_execution *w = context;
  if (w->ended < w->groups)
    return;
  const struct og_dispatch *dispatch = group->dispatch;
  w->groups = 1;
  for (unsigned i = 0; i < 3; i++)
    w->groups *= (dispatch->grid[i] + (uint64_t)dispatch->group[i] - 1) / dispatch->group[i];
  w->ended = 0;
  og_weak_forget(w);
  w->made = false;
}

static void on_group_end(void *context, struct og_group *group) {
  struct og_weak_execution *w = context;
  (void)group;
  if (++w->ended == w->groups)
    while (w->count)
      og_weak_perform(w, w->pending[0]);
}

static void on_end(void *context, struct og_wave *wave) {
  struct og_weak_execution *w = context;
  settle(w);
  w->current = wave;
  og_weak_leave(w, wave);
}

static void on_fault(void *context, struct og_wave *wave, const struct og_fault *fault) {
  struct og_weak_execution *w = context;
  (void)wave, (void)fault;
  og_weak_end_late(w);
  og_weak_drop(w); /* nobody waits for them any more */
  w->groups = w->ended = 0;
}

struct og_weak_execution *og_weak_execution_new(struct og_choices *choices, unsigned agents) {
  struct og_weak_execution *w = og_checked_realloc(NULL, sizeof *w);
  *w = (struct og_weak_execution){.choices = choices, .agents = OG_MIN(OG_MAX(agents, 1u), (unsigned)OG_WEAK_AGENTS)};
  w->observer = (struct og_deferring_observer){{.context = w,
                                                .group_begin = on_group_begin,
                                                .group_end = on_group_end,
                                                .end = on_end,
                                                .fault = on_fault,
                                                .instruction = on_instruction,
                                                .access = og_access_to_defer},
                                               on_defer,
                                               on_look,
                                               NULL};
  return w;
}

void og_weak_execution_free(struct og_weak_execution *w) {
  if (!w)
    return;
  og_weak_drop(w);
  og_weak_forget(w);
  for (struct og_weak_pending *p = w->spare, *next; p; p = next) {
    next = p->next;
    free(p);
  }
  for (struct og_weak_queue *queue = w->queues, *next; queue; queue = next) {
    next = queue->next;
    free(queue);
  }
  for (size_t i = 0; i < w->program_count; i++)
    free(w->programs[i].known);
  free(w->programs);
  free(w->fine);
  free(w->pending);
  free(w);
}

void og_weak_make_fine(struct og_weak_execution *w, const void *memory, size_t size) {
  w->fine = og_checked_realloc(w->fine, (w->fine_count + 1) * sizeof *w->fine);
  w->fine[w->fine_count++] = (struct og_weak_range){(uintptr_t)memory, (uintptr_t)memory + size};
}

void og_weak_tell_to(struct og_weak_execution *w, struct og_buffer *told) { w->told = told; }

const struct og_deferring_observer *og_weak_observer(struct og_weak_execution *w) { return &w->observer; }
