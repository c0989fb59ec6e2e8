/* execution.c - kernels on a weak memory. What was stored last stands in the process's memory; beside it, for each dword
 * that was stored to, the versions before, which caches may still hold. An access that is issued goes into a list and is
 * performed by chance, after those of its CU that overlap it, or when its wave waits for it. */
#include "exec/deferred.h"
#include "exec/group.h"
#include "weak/execution.h"
#include "weak/weak.h"

#include <stdlib.h>
#include <string.h>

enum { HOMES = 4 /* of work-groups: each has its CU or WGP, its shader array, and an L2 where an agent has several */ };

/* One lane's part of an access. */
struct piece {
  uint64_t address, data, other;
  uint8_t lane, size;
  uint8_t bytes[16];
};

/* An instruction's accesses, issued and not performed. */
struct pending {
  struct og_wave *wave;
  const struct og_operation *op;
  const struct og_weak_inst *inst;
  uint8_t node, count;
  uint64_t low, high; /* all of its bytes are from here up to there */
  struct piece piece[OG_LANES];
};

/* A dword that was stored to. */
struct dword {
  uint64_t address;
  uint64_t time[OG_WEAK_VERSIONS]; /* when each version was stored */
  struct og_weak_place place;
};

/* What the instructions of a program are to the memory. */
struct known {
  const struct og_program *program;
  uint8_t *is_known;
  struct og_weak_inst *insts;
  bool *plain; /* loads that are deferred */
};

struct og_weak_execution {
  struct og_deferring_observer observer;
  struct og_choices *choices;
  struct og_weak_system system;
  uint8_t node[HOMES][2]; /* of the two CUs of a WGP; in CU mode the first */
  bool made, wgp;
  uint64_t now;                      /* counts stores */
  uint64_t groups, ended;            /* of the dispatch */
  struct og_wave *current;           /* whose turn it is */
  struct pending **pending, **spare; /* in the order of issue */
  size_t count, capacity, spare_count, spare_capacity;
  struct pending *issuing; /* by the instruction in hand */
  struct dword **table;    /* by address */
  size_t used, size;
  struct known *programs;
  size_t program_count;
};

static void *grow(void *items, size_t count, size_t *capacity, size_t item) {
  if (count < *capacity)
    return items;
  *capacity = OG_MAX(2 * *capacity, (size_t)16);
  return og_checked_realloc(items, *capacity * item);
}

/* ---- dwords ------------------------------------------------------------------------------------------------------ */

static size_t slot_of(const struct og_weak_execution *w, uint64_t address) {
  size_t slot = (size_t)((address >> 2) * 0x9e3779b97f4a7c15u >> 20) & (w->size - 1);
  while (w->table[slot] && w->table[slot]->address != address)
    slot = (slot + 1) & (w->size - 1);
  return slot;
}

/* NULL: nothing was stored there. */
static struct dword *find_dword(const struct og_weak_execution *w, uint64_t address) {
  return w->size ? w->table[slot_of(w, address)] : NULL;
}

static struct dword *make_dword(struct og_weak_execution *w, uint64_t address, uint32_t value) {
  if (2 * (w->used + 1) > w->size) {
    struct dword **old = w->table;
    size_t size = w->size;
    w->size = OG_MAX(2 * size, (size_t)1024);
    w->table = og_checked_realloc(NULL, w->size * sizeof *w->table);
    memset(w->table, 0, w->size * sizeof *w->table);
    for (size_t i = 0; i < size; i++)
      if (old[i])
        w->table[slot_of(w, old[i]->address)] = old[i];
    free(old);
  }
  struct dword *dword = og_checked_realloc(NULL, sizeof *dword);
  *dword = (struct dword){.address = address};
  og_weak_place_init(&dword->place, value);
  w->table[slot_of(w, address)] = dword;
  w->used++;
  return dword;
}

static void forget_dwords(struct og_weak_execution *w) {
  for (size_t i = 0; i < w->size; i++)
    free(w->table[i]);
  free(w->table);
  w->table = NULL;
  w->used = w->size = 0;
}

/* The versions of what was changed from `before` to what stands there now. */
static void note_store(struct og_weak_execution *w, const struct pending *p, uint64_t address, const uint8_t *before,
                       const uint8_t *after, unsigned size) {
  for (uint64_t at = address & ~3ull; at < address + size; at += 4) {
    uint32_t old = 0, new = 0;
    memcpy(&old, before + (at - (address & ~3ull)), 4);
    memcpy(&new, after + (at - (address & ~3ull)), 4);
    struct dword *dword = find_dword(w, at);
    if (!dword)
      dword = make_dword(w, at, old);
    if (dword->time[dword->place.newest] == w->now) { /* by another lane: a wave's access is one event */
      dword->place.value[dword->place.newest] = new;
      continue;
    }
    if (dword->place.newest + 1 == OG_WEAK_VERSIONS) /* the first is forgotten */
      memmove(dword->time, dword->time + 1, sizeof dword->time - sizeof dword->time[0]);
    og_weak_store(&w->system, &dword->place, p->node, p->inst->reach, new);
    dword->time[dword->place.newest] = w->now;
  }
}

/* ---- performing -------------------------------------------------------------------------------------------------- */

enum { WINDOW = 24 /* bytes of the dwords that an access of 16 touches */ };

/* What a lane loads, as it was up to a time, where the caches may still have that. */
static void load_piece(struct og_weak_execution *w, const struct pending *p, const struct piece *piece, uint64_t time,
                       uint8_t bytes[16]) {
  const void *from = og_deferred_place(w->current, piece->address, piece->size, false);
  if (from)
    memcpy(bytes, from, piece->size);
  for (uint64_t at = piece->address & ~3ull; from && at < piece->address + piece->size; at += 4) {
    struct dword *dword = find_dword(w, at);
    if (!dword)
      continue;
    unsigned choices = og_weak_choices(&w->system, &dword->place, p->node, p->inst->reach), version = 0;
    for (unsigned left = choices; left; left &= left - 1) {
      unsigned candidate = (unsigned)__builtin_ctz(left);
      if (left == choices || dword->time[candidate] <= time)
        version = candidate;
    }
    og_weak_found(&w->system, &dword->place, p->node, version);
    for (uint64_t byte = OG_MAX(at, piece->address); byte < OG_MIN(at + 4, piece->address + piece->size); byte++)
      bytes[byte - piece->address] = (uint8_t)(dword->place.value[version] >> 8 * (byte - at));
  }
}

/* Stores, or modifies; the dwords around are looked at before and after. */
static void change_piece(struct og_weak_execution *w, const struct pending *p, const struct piece *piece) {
  uint8_t before[WINDOW] = {0}, after[WINDOW] = {0};
  uint8_t *at = og_deferred_place(w->current, piece->address, piece->size, true);
  if (!at)
    return;
  size_t lead = piece->address & 3, span = og_align_up(lead + piece->size, 4);
  memcpy(before, at - lead, span); /* an aligned dword is in one region */
  if (p->inst->operation == OG_WEAK_ATOMIC)
    og_finish_atomic(p->wave, p->op, piece->lane, at, piece->data, piece->other);
  else
    memcpy(at, piece->bytes, piece->size);
  memcpy(after, at - lead, span);
  note_store(w, p, piece->address, before, after, piece->size);
}

/* How far back in time a load looks: now most often, else up to some stores ago. */
static uint64_t choose_time(struct og_weak_execution *w) {
  uint32_t choice = og_choose(w->choices, 8);
  uint64_t back = choice < 3 ? 0 : 1ull << 2 * (choice - 3) * 3;
  return back > w->now ? 0 : w->now - back;
}

static void perform_one(struct og_weak_execution *w, struct pending *p) {
  bool load = p->inst->operation == OG_WEAK_LOAD;
  uint64_t time = load ? choose_time(w) : ++w->now;
  for (unsigned i = 0; i < p->count; i++) {
    uint8_t bytes[16] = {0};
    if (!load) {
      change_piece(w, p, &p->piece[i]);
      continue;
    }
    load_piece(w, p, &p->piece[i], time, bytes);
    og_finish_load(p->wave, p->op, p->piece[i].lane, bytes);
  }
}

/* For the next one that is issued. */
static void set_aside(struct og_weak_execution *w, struct pending *p) {
  w->spare = grow(w->spare, w->spare_count, &w->spare_capacity, sizeof *w->spare);
  w->spare[w->spare_count++] = p;
}

/* Performs one of the list, and before it those of its CU that it must not overtake. */
static void perform(struct og_weak_execution *w, size_t which) {
  struct pending *p = w->pending[which];
  for (size_t i = 0; i < which;) {
    struct pending *before = w->pending[i];
    if (before->node == p->node && before->low < p->high && p->low < before->high) {
      size_t count = w->count;
      perform(w, i);
      which -= count - w->count;
      i = 0;
    } else {
      i++;
    }
  }
  memmove(w->pending + which, w->pending + which + 1, (w->count - which - 1) * sizeof *w->pending);
  w->count--;
  if (p == w->issuing)
    w->issuing = NULL;
  perform_one(w, p);
  set_aside(w, p);
}

static void perform_of_wave(struct og_weak_execution *w, const struct og_wave *wave) {
  for (size_t i = 0; i < w->count;)
    if (w->pending[i]->wave == wave)
      perform(w, i), i = 0;
    else
      i++;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static struct known *known_of(struct og_weak_execution *w, const struct og_program *program) {
  for (size_t i = 0; i < w->program_count; i++)
    if (w->programs[i].program == program)
      return &w->programs[i];
  w->programs = og_checked_realloc(w->programs, (w->program_count + 1) * sizeof *w->programs);
  struct known *known = &w->programs[w->program_count++];
  *known =
      (struct known){program, calloc(program->words + 1, 1), calloc(program->words + 1, sizeof(struct og_weak_inst)),
                     calloc(program->words + 1, sizeof(bool))};
  return known;
}

/* A load that fills registers with what stands in memory, in one piece. */
static bool is_plain(const struct og_isa *isa, const struct og_inst *inst) {
  const struct og_memory *memory = og_form_memory(og_form(isa, inst->form));
  return memory->operation == OG_DOES_NOTHING && memory->number != OG_VALUE_FORMAT && !memory->lds &&
         memory->count <= 1;
}

static const struct og_weak_inst *inst_of(struct og_weak_execution *w, const struct og_wave *wave,
                                          const struct og_operation *op, bool *plain) {
  const struct og_program *program = wave->program;
  struct known *known = known_of(w, program);
  size_t at = (size_t)(op - program->operations);
  if (!known->is_known || !known->insts || !known->plain || at >= program->words)
    return NULL;
  if (!known->is_known[at]) {
    struct og_inst inst;
    known->is_known[at] = 1;
    if (og_decode(program->isa, program->code + 4 * at, 4 * (program->words - at), &inst)) {
      og_weak_classify(program->isa, &inst, &known->insts[at]);
      known->plain[at] = is_plain(program->isa, &inst);
    }
  }
  *plain = known->plain[at];
  return &known->insts[at];
}

/* Where nothing else is said, operations end in the order of their issue. */
static void wait(struct og_weak_execution *w, const struct og_wave *wave, const struct og_weak_inst *inst) {
  for (unsigned counter = 0; counter < OG_COUNTERS; counter++)
    for (bool more = inst->limits[counter] != OG_NO_LIMIT; more;) {
      size_t oldest = w->count, outstanding = 0;
      for (size_t i = w->count; i-- > 0;) {
        const struct pending *p = w->pending[i];
        for (unsigned r = 0; p->wave == wave && r < p->inst->transfer.count; r++)
          if (p->inst->transfer.raised[r].counter == counter && og_weak_tells(p->inst, counter, false))
            oldest = i, outstanding++;
      }
      more = outstanding > inst->limits[counter];
      if (more)
        perform(w, oldest);
    }
}

static uint8_t node_of(const struct og_weak_execution *w, const struct og_wave *wave) {
  return w->node[wave->group->index % HOMES][w->wgp ? wave->id % 2 : 0];
}

static void keep_caches(struct og_weak_execution *w, const struct og_wave *wave, const struct og_weak_inst *inst) {
  unsigned node = node_of(w, wave);
  if (inst->operation == OG_WEAK_WRITE_BACK)
    perform_of_wave(w, wave);
  for (size_t i = 0; i < w->size; i++) {
    if (!w->table[i])
      continue;
    if (inst->operation == OG_WEAK_WRITE_BACK)
      og_weak_write_back(&w->system, &w->table[i]->place, node);
    for (int level = OG_WEAK_L2; level >= 0; level--)
      if (inst->levels >> level & 1)
        og_weak_invalidate(&w->system, &w->table[i]->place, node, (enum og_weak_level)level);
  }
}

/* Where work-groups are. */
static void make_system(struct og_weak_execution *w, const struct og_wave *wave) {
  const struct og_weak_kind *kind = og_weak_kind_of(wave->program->isa);
  unsigned l2 = OG_WEAK_NO_NODE;
  w->made = true;
  w->system = (struct og_weak_system){.kind = kind};
  w->wgp = wave->group->dispatch && wave->group->dispatch->start.wgp_mode;
  for (unsigned home = 0; home < HOMES; home++) {
    if (home == 0 || kind->many_l2)
      l2 = og_weak_add(&w->system, OG_WEAK_L2, OG_WEAK_NO_NODE);
    unsigned behind = kind->gl1 ? og_weak_add(&w->system, OG_WEAK_GL1, l2) : l2;
    for (unsigned cu = 0; cu < 2; cu++)
      w->node[home][cu] = cu && !w->wgp ? w->node[home][0] : (uint8_t)og_weak_add(&w->system, OG_WEAK_L0, behind);
  }
}

static void on_instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct og_weak_execution *w = context;
  bool plain = false;
  if (!w->made)
    make_system(w, wave); /* the program has its tables once an instruction is decoded */
  const struct og_weak_inst *inst = inst_of(w, wave, op, &plain);
  w->issuing = NULL;
  w->current = wave;
  if (og_choose(w->choices, 16) == 1) { /* so that waves are not in step */
    og_answer(wave, (enum og_verdict)OG_GIVE_WAY);
    return;
  }
  if (w->count && og_choose(w->choices, 4) == 1) /* something that is outstanding comes to its end */
    perform(w, og_choose(w->choices, (uint32_t)w->count));
  if (!inst)
    return;
  if (inst->operation == OG_WEAK_WAIT)
    wait(w, wave, inst);
  else if ((inst->operation == OG_WEAK_INVALIDATE || inst->operation == OG_WEAK_WRITE_BACK) &&
           inst->path != OG_WEAK_SCALAR)
    keep_caches(w, wave, inst);
  else if (inst->operation == OG_WEAK_LOAD && inst->path != OG_WEAK_LDS && inst->path != OG_WEAK_SCALAR && !plain)
    perform_of_wave(w, wave); /* it is not deferred, and does not overtake */
}

static struct pending *new_pending(struct og_weak_execution *w) {
  struct pending *p = w->spare_count ? w->spare[--w->spare_count] : og_checked_realloc(NULL, sizeof *p);
  w->pending = grow(w->pending, w->count, &w->capacity, sizeof *w->pending);
  w->pending[w->count++] = p;
  p->count = 0;
  p->low = UINT64_MAX;
  p->high = 0;
  return p;
}

static bool on_defer(void *context, struct og_wave *wave, const struct og_operation *op,
                     const struct og_deferred *what) {
  struct og_weak_execution *w = context;
  bool plain;
  const struct og_weak_inst *inst = inst_of(w, wave, op, &plain);
  if (!inst || inst->operation == OG_WEAK_OTHER || what->size > 16 || (inst->operation == OG_WEAK_LOAD && !plain))
    return false;
  if (!w->issuing || w->issuing->count == OG_LANES) {
    w->issuing = new_pending(w);
    w->issuing->wave = wave, w->issuing->op = op, w->issuing->inst = inst, w->issuing->node = node_of(w, wave);
  }
  struct pending *p = w->issuing;
  struct piece *piece = &p->piece[p->count++];
  *piece = (struct piece){what->address, what->data, what->other, (uint8_t)what->lane, (uint8_t)what->size, {0}};
  if (what->bytes)
    memcpy(piece->bytes, what->bytes, what->size);
  p->low = OG_MIN(p->low, what->address & ~3ull);
  p->high = OG_MAX(p->high, (what->address + what->size + 3) & ~3ull);
  return true;
}

/* ---- waves ------------------------------------------------------------------------------------------------------- */

/* The packet processor invalidates the caches before a kernel, and waits for all at its end. */
static void on_group_begin(void *context, struct og_group *group) {
  struct og_weak_execution *w = context;
  if (w->ended < w->groups)
    return;
  const struct og_dispatch *dispatch = group->dispatch;
  w->groups = 1;
  for (unsigned i = 0; i < 3; i++)
    w->groups *= (dispatch->grid[i] + (uint64_t)dispatch->group[i] - 1) / dispatch->group[i];
  w->ended = 0;
  forget_dwords(w);
  w->made = false;
}

static void on_group_end(void *context, struct og_group *group) {
  struct og_weak_execution *w = context;
  (void)group;
  if (++w->ended == w->groups)
    while (w->count)
      perform(w, 0);
}

/* Stores may arrive later; a wave's registers are gone. */
static void on_end(void *context, struct og_wave *wave) {
  struct og_weak_execution *w = context;
  w->current = wave;
  w->issuing = NULL;
  for (size_t i = 0; i < w->count;) {
    struct pending *p = w->pending[i];
    if (p->wave == wave && p->inst->operation != OG_WEAK_STORE) {
      perform(w, i);
      i = 0;
    } else {
      p->wave = p->wave == wave ? NULL : p->wave;
      i++;
    }
  }
}

static void on_fault(void *context, struct og_wave *wave, const struct og_fault *fault) {
  struct og_weak_execution *w = context;
  (void)wave, (void)fault;
  while (w->count) /* nobody waits for them any more */
    set_aside(w, w->pending[--w->count]);
  w->groups = w->ended = 0;
}

struct og_weak_execution *og_weak_execution_new(struct og_choices *choices) {
  struct og_weak_execution *w = og_checked_realloc(NULL, sizeof *w);
  *w = (struct og_weak_execution){.choices = choices};
  w->observer = (struct og_deferring_observer){{.context = w,
                                                .group_begin = on_group_begin,
                                                .group_end = on_group_end,
                                                .end = on_end,
                                                .fault = on_fault,
                                                .instruction = on_instruction,
                                                .access = og_access_to_defer},
                                               on_defer};
  return w;
}

void og_weak_execution_free(struct og_weak_execution *w) {
  if (!w)
    return;
  forget_dwords(w);
  for (size_t i = 0; i < w->count; i++)
    free(w->pending[i]);
  for (size_t i = 0; i < w->spare_count; i++)
    free(w->spare[i]);
  for (size_t i = 0; i < w->program_count; i++) {
    free(w->programs[i].is_known);
    free(w->programs[i].insts);
    free(w->programs[i].plain);
  }
  free(w->programs);
  free(w->pending);
  free(w->spare);
  free(w);
}

const struct og_observer *og_weak_observer(struct og_weak_execution *w) { return &w->observer.observer; }
