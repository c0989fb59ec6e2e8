/* races.c - unordered accesses of different waves to the same bytes, one of them a write. For each dword of LDS and
 * global memory the last writer and reader are remembered. Lanes of a wave are in program order. Accesses that are
 * coherent by their cache policy count as atomic. */
#include "check/races.h"
#include "exec/memory.h"

#include <string.h>

void og_check_races_begin(struct og_watch *watch, struct og_wave *wave, struct og_check_wave *of) {
  struct og_check_group *group = of->group;
  if (wave->id == 0) {
    if (!group->race)
      group->race = OG_NEW(watch->arena, struct og_race_group);
    group->race->group = wave->group;
    og_race_lds_begin(watch, group->race, wave->lds_size);
    for (unsigned b = 0; b < (group->race->named ? OG_RACE_BARRIERS : 1u); b++)
      group->race->barriers[b][0].phase = group->race->barriers[b][1].phase = 0;
    group->race->named = false;
  }
  if (!of->race)
    of->race = OG_NEW(watch->arena, struct og_race_wave);
  struct og_race_wave *state = of->race;
  struct og_race_foreign *items = state->foreign.items;
  uint32_t capacity = state->foreign.capacity;
  og_check_clear(state, offsetof(struct og_race_wave, known));
  uint32_t waves = OG_MIN(wave->group->wave_count, (uint32_t)OG_RACE_WAVES);
  for (unsigned k = 0; k < OG_RACE_KINDS; k++)
    og_check_clear(state->known[k], waves * sizeof *state->known[k]);
  og_check_clear(state->seen, waves * sizeof *state->seen);
  state->foreign.items = items, state->foreign.capacity = capacity;
  state->first_event = OG_MAX(watch->next_event, 1u);
  og_race_order_begin(watch, state);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Whether an instruction's policy bypasses the caches that waves do not share. */
static bool is_coherent(const struct og_watch *watch, const struct og_inst *inst) {
  int policy = inst->mod[OG_MOD_CPOL];
  return watch->isa->gfx12 ? (policy >> 3 & 3) > 0 : (policy & (OG_CPOL_GLC | OG_CPOL_SCC)) != 0;
}

/* Whether an access is coherent for all agents: if instructions have no scopes, every coherent access is. */
static bool is_of_system(const struct og_watch *watch, const struct og_inst *inst, bool atomic) {
  int policy = inst->mod[OG_MOD_CPOL];
  if (watch->isa->gfx12)
    return (policy >> 3 & 3) == 3;
  if (watch->isa->gfx940)
    return policy & OG_CPOL_SCC && (atomic || policy & OG_CPOL_GLC);
  return atomic || is_coherent(watch, inst);
}

uint8_t og_check_race_flags(const struct og_watch *watch, const struct og_known *known) {
  unsigned flags = (is_coherent(watch, known->inst) ? OG_RACE_COHERENT : 0) |
                   (is_of_system(watch, known->inst, known->memory->access == OG_MOVES_ATOMIC) ? OG_RACE_SYSTEM : 0);
  switch ((enum og_memory_access)known->memory->access) {
  case OG_MOVES_ATOMIC: return (uint8_t)(flags | OG_RACE_WRITES | OG_RACE_ATOMIC);
  case OG_MOVES_STORE: return (uint8_t)(flags | OG_RACE_WRITES);
  default: return (uint8_t)flags;
  }
}

struct access {
  uint32_t event; /* number of its event; 0: it is not remembered */
  bool kept;      /* the event is in some cell */
  unsigned kind, flags, lane, size;
  uint64_t address;
};

/* The event of an instruction at that clock: the same as before unless the clock has advanced. Lanes whose stores
 * change nothing (OG_RACE_SAME) have an event of their own. */
static uint32_t event_at(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                         unsigned kind, unsigned flags, struct og_places *places, uint64_t lanes, uint32_t clock) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  uint32_t word = (uint32_t)(op - wave->program->operations), key = word | (flags & OG_RACE_SAME ? 1u << 31 : 0),
           number = 0;
  const struct og_race_snapshot *snapshot = flags & OG_RACE_WRITES && kind == OG_RACE_GLOBAL
                                                ? og_race_snapshot(watch, wave)
                                            : flags & OG_RACE_ATOMIC ? og_race_snapshot(watch, wave)
                                                                     : NULL;
  unsigned slot = (word + (key != word)) % OG_COUNT(state->recent), first = (unsigned)__builtin_ctzll(lanes);
  if (state->recent[slot].event >= state->first_event && state->recent[slot].word == key &&
      state->recent[slot].clock == clock) {
    struct og_race_event *old = (struct og_race_event *)og_race_event(watch->races, state->recent[slot].event);
    if (old->snapshot == snapshot) {
      if (!places || old->first != places->address[0][first])
        old->stride = 0;
      return state->recent[slot].event;
    }
  }
  struct og_race_event *event = og_race_event_new(watch, &number);
  if (!event)
    return 0;
  *event = (struct og_race_event){.word = word,
                                  .group = wave->group->index,
                                  .clock = clock,
                                  .dispatch = (uint32_t)wave->group->dispatch->id,
                                  .wave = (uint8_t)wave->id,
                                  .flags = (uint8_t)flags,
                                  .lane = (uint8_t)first,
                                  .snapshot = snapshot};
  if (places) {
    uint64_t others = lanes & (lanes - 1);
    unsigned second = others ? (unsigned)__builtin_ctzll(others) : first;
    event->first = places->address[0][first];
    event->stride = second > first ? (int64_t)(places->address[0][second] - event->first) / (int)(second - first) : 0;
  }
  state->recent[slot].word = key;
  state->recent[slot].clock = clock;
  return state->recent[slot].event = number;
}

static uint32_t event_of(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                         unsigned kind, unsigned flags, struct og_places *places, uint64_t lanes) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  state->touched[kind] = true;
  if (kind == OG_RACE_GLOBAL && !(flags & (OG_RACE_WRITES | OG_RACE_SCALAR)))
    state->invalidated = 0;
  return event_at(watch, wave, op, kind, flags, places, lanes, state->clock[kind]);
}

/* Forgets a new event that is in no cell, as is usual for repeated loads of the same bytes. */
static void done_with(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                      const struct access *mine, uint32_t next) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  if (mine->kept || next == watch->next_event || watch->next_event != mine->event + 1)
    return;
  watch->next_event = mine->event;
  state->recent[(uint32_t)(op - wave->program->operations) % OG_COUNT(state->recent)].event = 0;
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static const char *who(struct og_watch *watch, const struct og_wave *wave, const struct og_race_event *event,
                       const struct access *access) {
  const char *lane = "", *group = "";
  int64_t distance = (int64_t)(access->address - event->first);
  if (event->stride && distance / event->stride + event->lane < OG_LANES && distance / event->stride >= 0)
    lane = og_arena_printf(watch->arena, ", lane %lld,", (long long)(distance / event->stride + event->lane));
  if (event->group != wave->group->index)
    group = og_arena_printf(watch->arena, " of work-group number %u", event->group);
  return og_arena_printf(watch->arena, "of wave %u%s%s", event->wave, lane, group);
}

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                 const struct access *access, const struct og_race_event *event) {
  const struct og_program *program = wave->program->root ? wave->program->root : wave->program;
  uint64_t other = og_pc(program, program->operations + event->word);
  struct og_finding *finding =
      og_check_find(watch, OG_CHECK_RACES, wave, og_pc(wave->program, op), other, (int)access->lane);
  if (finding->does)
    return;
  bool stale = og_race_ordered(watch, wave, event, access->kind, false);
  finding->address = access->address, finding->has_address = true;
  finding->other_group = event->group, finding->other_wave = event->wave, finding->other_wave_known = true;
  finding->does = og_arena_printf(watch->arena, "%s %u bytes at 0x%llx of %s",
                                  access->flags & OG_RACE_ATOMIC   ? "changes"
                                  : access->flags & OG_RACE_WRITES ? "writes"
                                                                   : "reads",
                                  access->size, (unsigned long long)access->address,
                                  access->kind == OG_RACE_LDS ? "LDS" : "global memory");
  finding->while_ = og_arena_printf(watch->arena, "%s %s it", who(watch, wave, event, access),
                                    event->flags & OG_RACE_ATOMIC   ? "changed"
                                    : event->flags & OG_RACE_WRITES ? "wrote"
                                                                    : "read");
  finding->advice = stale ? ", and no cache has been invalidated since" : ", and nothing orders them";
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* Whether two accesses to the same bytes may happen in any order. Compilers write plain loads before a
 * compare-and-swap, and plain stores of flags. */
static bool may(const struct access *mine, const struct og_race_event *event) {
  enum { ORDERED = OG_RACE_ATOMIC | OG_RACE_COHERENT };
  if (event->flags & OG_RACE_SAME)
    return true;
  if (!((mine->flags | event->flags) & OG_RACE_WRITES))
    return true;
  bool both = mine->flags & ORDERED && event->flags & ORDERED, none = !((mine->flags | event->flags) & ORDERED);
  if (both || none)
    return both;
  unsigned plain = mine->flags & ORDERED ? event->flags : mine->flags;
  return !(plain & OG_RACE_WRITES) || plain & OG_RACE_SINGLE;
}

struct look {
  uint32_t event; /* looked at last */
  bool fine;
  uint32_t kept; /* the last reader that stays in its cells when others read */
};

static void against(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                    const struct access *mine, uint32_t cell, struct look *look) {
  uint32_t number = cell >> 4;
  if (look->event != number) {
    const struct og_race_event *event = og_race_event(watch->races, number);
    bool reads = !(mine->flags & OG_RACE_WRITES);
    look->event = number;
    look->fine =
        may(mine, event) || og_race_ordered(watch, wave, event, mine->kind, reads && !(mine->flags & OG_RACE_COHERENT));
  }
  if (!look->fine)
    tell(watch, wave, op, mine, og_race_event(watch->races, number));
}

/* Whether memory already holds the value that is written. */
static bool changes_nothing(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                            const struct og_known *known, const struct access *mine) {
  if (!known->plain || known->memory->access != OG_MOVES_STORE || mine->kind != OG_RACE_GLOBAL)
    return false;
  struct og_window window;
  if (!og_memory_map_find(wave->group->map, mine->address, mine->size, OG_MEMORY_READ, &window))
    return false;
  const struct og_memory_op *access = op->detail;
  if (access->to_lds || access->beside || access->inner)
    return false;
  const uint8_t *there = (const uint8_t *)(uintptr_t)(mine->address + window.shift);
  uint64_t skip = mine->address - watch->places.address[0][mine->lane]; /* it may be a part of what the lane stores */
  const uint32_t *data = (const uint32_t *)og_at(wave, op->d) + skip / 4 * OG_LANES + mine->lane;
  bool same = skip % 4 == 0 && skip < 16;
  for (unsigned done = 0; same && done < mine->size; done += 4, data += OG_LANES)
    same &= !memcmp(there + done, data, OG_MIN(mine->size - done, 4u));
  return same;
}

/* The scalar cache may hold data that the wave itself has overwritten through the vector caches. */
static void look_at_scalar(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                           const struct og_race_event *event) {
  if (event->dispatch != (uint32_t)wave->group->dispatch->id || event->group != wave->group->index ||
      event->wave != wave->id || event->flags & OG_RACE_SCALAR ||
      event->clock < og_check_wave(wave)->race->scalar_clock)
    return;
  const struct og_program *program = wave->program->root ? wave->program->root : wave->program;
  struct og_finding *finding = og_check_find(watch, OG_CHECK_RACES, wave, og_pc(wave->program, op),
                                             og_pc(program, program->operations + event->word), -1);
  if (finding->does)
    return;
  finding->does = "reads by way of the scalar cache";
  finding->while_ = "wrote there";
  finding->advice = ", and the scalar cache has not been invalidated since";
}

static void visit(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                  const struct og_known *known, struct og_race_cell *cell, unsigned bytes, struct access *mine,
                  struct look looks[2]) {
  uint32_t write = __atomic_load_n(&cell->write, __ATOMIC_ACQUIRE),
           read = __atomic_load_n(&cell->read, __ATOMIC_ACQUIRE);
  if (mine->kind == OG_RACE_LDS) {
    uint32_t floor = og_check_wave(wave)->group->race->floor;
    write = write >> 4 < floor ? 0 : write;
    read = read >> 4 < floor ? 0 : read;
  }
  uint32_t own = mine->event << 4 | bytes;
  if (write & bytes && mine->flags & OG_RACE_SCALAR)
    look_at_scalar(watch, wave, op, og_race_event(watch->races, write >> 4));
  bool written = write & bytes && write >> 4 != mine->event;
  if (written) {
    bool news = mine->flags & (OG_RACE_ATOMIC | OG_RACE_COHERENT) &&
                og_race_acquire(watch, wave, og_race_event(watch->races, write >> 4));
    if (news && mine->flags & OG_RACE_ATOMIC) /* it goes on from what the other one released */
      ((struct og_race_event *)og_race_event(watch->races, mine->event))->snapshot = og_race_snapshot(watch, wave);
  }
  bool was_read = mine->flags & OG_RACE_WRITES && read & bytes && read >> 4 != mine->event;
  bool same = mine->flags & OG_RACE_WRITES && (written || was_read) && changes_nothing(watch, wave, op, known, mine);
  if (same && !(mine->flags & (OG_RACE_ATOMIC | OG_RACE_COHERENT)))
    own = event_of(watch, wave, op, mine->kind, mine->flags | OG_RACE_SAME, &watch->places, 1ull << mine->lane) << 4 |
          bytes;
  if (written && !same)
    against(watch, wave, op, mine, write, &looks[0]);
  if (mine->flags & OG_RACE_WRITES) {
    if (was_read && !same)
      against(watch, wave, op, mine, read, &looks[1]);
    mine->kept = true;
    __atomic_store_n(&cell->write, write >> 4 == own >> 4 ? write | bytes : own, __ATOMIC_RELEASE);
    if (read)
      __atomic_store_n(&cell->read, read & ~bytes & 15 ? read & ~bytes : 0, __ATOMIC_RELEASE);
  } else if (read >> 4 == mine->event) {
    __atomic_store_n(&cell->read, read | bytes, __ATOMIC_RELEASE);
  } else if (!read || (read >> 4 != looks[0].kept &&
                       og_race_ordered(watch, wave, og_race_event(watch->races, read >> 4), mine->kind, false))) {
    mine->kept = true;
    __atomic_store_n(&cell->read, own, __ATOMIC_RELEASE);
  } else {
    looks[0].kept = read >> 4;
  }
}

static struct og_race_chunk **last_chunk(struct og_watch *watch, uint64_t address) {
  return &watch->chunks[address / OG_RACE_CHUNK % OG_COUNT(watch->chunks)];
}

/* The cell of an address, and how many bytes of the access are in it. */
static struct og_race_cell *cell_of(struct og_watch *watch, const struct og_wave *wave, unsigned kind,
                                    uint64_t address) {
  if (kind == OG_RACE_LDS)
    return address < wave->lds_size ? &og_check_wave(wave)->group->race->lds[address / 4] : NULL;
  struct og_race_chunk *chunk = og_race_chunk(watch->races, address, last_chunk(watch, address));
  return chunk ? og_race_cells(chunk, address, 1) : NULL;
}

static void visit_all(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known, struct access *mine, unsigned size, struct look looks[2]) {
  for (unsigned done = 0, part; done < size; done += part, mine->address += part) {
    part = OG_MIN(4 - (unsigned)(mine->address % 4), size - done);
    struct og_race_cell *cell = cell_of(watch, wave, mine->kind, mine->address);
    mine->size = part;
    if (cell)
      visit(watch, wave, op, known, cell, ((1u << part) - 1) << mine->address % 4, mine, looks);
  }
}

/* ---- lanes side by side ------------------------------------------------------------------------------------------ */

/* Summary of consecutive cells: all bits of writes and reads at or above a floor, and whether all reads are equal. */
struct common {
  uint32_t writes, reads, differ;
};

OG_CHECK_LANES(struct common, look_along, (const struct og_race_cell *cells, unsigned count, uint32_t floor),
               (cells, count, floor), {
  uint32_t writes = 0, reads = 0, differ = 0, first = cells[0].read;
  for (unsigned i = 0; i < count; i++) {
    writes |= cells[i].write >= floor ? cells[i].write : 0;
    reads |= cells[i].read >= floor ? cells[i].read : 0;
    differ |= cells[i].read ^ first;
  }
  return (struct common){writes, reads, differ};
})

OG_CHECK_LANES(void, fill_along, (struct og_race_cell *cells, unsigned count, bool writes, uint32_t own),
               (cells, count, writes, own), {
  for (unsigned i = 0; i < count; i++) {
    cells[i].write = writes ? own : cells[i].write;
    cells[i].read = writes ? 0 : own;
  }
})

OG_CHECK_LANES(uint64_t, strays_far, (const uint64_t *address, uint64_t stride), (address, stride), {
  uint64_t out = address[0] % 4;
  for (unsigned i = 0; i < OG_RACE_ALONG; i++)
    out |= address[i] ^ (address[0] + i * stride);
  return out;
})

/* og_race_strays() for all lanes. */
OG_CHECK_LANES(uint64_t, any_strays, (const uint64_t *address, uint64_t stride), (address, stride), {
  uint64_t out = 0;
  for (unsigned i = 0; i < OG_LANES; i++)
    out |= address[i] ^ (address[0] + i * stride);
  return out;
})

/* Active lanes that access consecutive whole dwords which nothing has written and the same wave has read last: done
 * without visiting each cell. False: each must be visited. */
static bool go_along(struct og_watch *watch, const struct og_wave *wave, struct access *mine,
                     struct og_race_cell *cells, unsigned count) {
  uint32_t floor = mine->kind == OG_RACE_LDS ? og_check_wave(wave)->group->race->floor << 4 : 1;
  struct common common = look_along(cells, count, OG_MAX(floor, 1u));
  bool writes = mine->flags & OG_RACE_WRITES;
  if (common.writes || (writes && common.reads) || (common.reads && common.differ))
    return false;
  if (common.reads && (cells->read >> 4 == mine->event ||
                       !og_race_ordered(watch, wave, og_race_event(watch->races, cells->read >> 4), mine->kind, false)))
    return cells->read >> 4 != mine->event || (cells->read & 15) == 15;
  mine->kept = true;
  fill_along(cells, count, writes, mine->event << 4 | 15);
  return true;
}

/* The last reader of a line, and whether it is ordered before; neighbouring lines mostly have the same. */
struct reader {
  uint32_t event;
  bool before;
};

static bool was_before(struct og_watch *watch, const struct og_wave *wave, const struct access *mine, uint32_t event,
                       struct reader *last) {
  if (last->event != event)
    *last = (struct reader){event, og_race_ordered(watch, wave, og_race_event(watch->races, event), mine->kind, false)};
  return last->before;
}

/* The new state of a line that is accessed as a whole; OG_RACE_SPLIT: there is or may be a race. */
static uint64_t whole_after(struct og_watch *watch, const struct og_wave *wave, const struct access *mine,
                            uint64_t line, struct reader *last) {
  bool writes = mine->flags & OG_RACE_WRITES;
  uint32_t write = (uint32_t)(line >> 32), read = (uint32_t)line, own = mine->event << 4 | 15;
  if (write && write != own) {
    const struct og_race_event *event = og_race_event(watch->races, write >> 4);
    if (!may(mine, event) && !og_race_ordered(watch, wave, event, mine->kind, !writes))
      return OG_RACE_SPLIT;
  }
  bool before = !read || read == own || was_before(watch, wave, mine, read >> 4, last);
  if (writes)
    return before ? (uint64_t)own << 32 : OG_RACE_SPLIT;
  return (uint64_t)write << 32 | (before ? own : read);
}

/* Whole lines, each dword of which is accessed; false: some lines are split, or must be. */
static bool go_whole(struct og_watch *watch, const struct og_wave *wave, struct access *mine,
                     struct og_race_chunk *chunk, uint64_t address, unsigned bytes, struct reader *last) {
  for (unsigned done = 0; chunk && done < bytes; done += OG_RACE_LINE) {
    uint64_t *line = &chunk->lines[(address + done) % OG_RACE_CHUNK / OG_RACE_LINE];
    uint64_t old = __atomic_load_n(line, __ATOMIC_ACQUIRE), after;
    do {
      if (old == OG_RACE_SPLIT || (after = whole_after(watch, wave, mine, old, last)) == OG_RACE_SPLIT)
        return false;
      mine->kept |= after != old;
      if (!watch->shared && after != old)
        *line = after;
    } while (watch->shared && after != old &&
             !__atomic_compare_exchange_n(line, &old, after, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  }
  return chunk != NULL;
}

static void replay_piece(struct og_watch *watch, struct og_race_group *race, const struct og_race_entry *entry,
                         uint32_t add, struct access *mine, struct look looks[2]) {
  struct og_wave *wave = og_group_wave(race->group, entry->wave);
  const struct og_race_base *base = &race->bases.items[entry->base];
  uint64_t lanes = base->lanes;
  uint32_t offset[OG_LANES];
  for (unsigned i = 0; i < OG_LANES; i++)
    offset[i] = base->offset[i] + add;
  unsigned bytes = OG_RACE_ALONG * entry->size;
  for (unsigned i = 0; i < OG_LANES && entry->size % 4 == 0; i += OG_RACE_ALONG) {
    uint64_t some = og_race_along_mask(i);
    if ((lanes & some) == some && !og_race_strays(&offset[i], entry->size) &&
        (uint64_t)offset[i] + bytes <= wave->lds_size &&
        go_along(watch, wave, mine, &race->lds[offset[i] / 4], bytes / 4))
      lanes &= ~some;
  }
  uint64_t last = UINT64_MAX;
  for (; lanes; lanes &= lanes - 1) {
    mine->lane = (unsigned)__builtin_ctzll(lanes);
    mine->address = offset[mine->lane];
    if (mine->address == last && !(mine->flags & OG_RACE_WRITES))
      continue; /* the lane before reads the same */
    last = mine->address;
    visit_all(watch, wave, wave->program->operations + entry->word, entry->known, mine, entry->size, looks);
  }
}

bool og_race_replay(struct og_watch *watch, struct og_race_group *race, const struct og_race_entry *entry) {
  const struct og_wave *wave = og_group_wave(race->group, entry->wave);
  uint32_t event = event_at(watch, wave, wave->program->operations + entry->word, OG_RACE_LDS, entry->flags, NULL,
                            race->bases.items[entry->base].lanes, entry->clock);
  struct access mine = {.event = event, .kind = OG_RACE_LDS, .flags = entry->flags};
  struct look looks[2] = {{0}};
  for (unsigned p = 0; event && p < entry->pieces; p++)
    replay_piece(watch, race, entry, entry->add[p], &mine, looks);
  return event != 0;
}

void og_check_races_end(struct og_watch *watch, struct og_check_group *group) {
  og_race_flush(watch, group->race, true);
}

static void go(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
               const struct og_known *known, struct og_places *places, unsigned kind, uint64_t lanes) {
  unsigned flags = og_check_race_flags_of(known, lanes);
  uint32_t next = watch->next_event;
  struct access mine = {.event = event_of(watch, wave, op, kind, flags, places, lanes), .kind = kind, .flags = flags};
  struct look looks[2] = {{0}};
  struct reader last = {0};
  bool plain = kind == OG_RACE_GLOBAL && !(flags & (OG_RACE_ATOMIC | OG_RACE_COHERENT));
  unsigned bytes = OG_RACE_ALONG * places->size, all = OG_LANES * places->size;
  const uint64_t *from = places->address[0];
  if (mine.event && plain && lanes == UINT64_MAX && places->size % 4 == 0 && from[0] % OG_RACE_LINE == 0 &&
      from[0] % OG_RACE_CHUNK + all <= OG_RACE_CHUNK && !any_strays(from, places->size) &&
      go_whole(watch, wave, &mine, og_race_chunk(watch->races, from[0], last_chunk(watch, from[0])), from[0], all,
               &last))
    return done_with(watch, wave, op, &mine, next);
  for (unsigned i = 0; mine.event && i < OG_LANES && plain && places->size % 4 == 0; i += OG_RACE_ALONG) {
    const uint64_t *address = &places->address[0][i];
    if ((lanes & og_race_along_mask(i)) != og_race_along_mask(i) || strays_far(address, places->size) ||
        address[0] % OG_RACE_CHUNK + bytes > OG_RACE_CHUNK)
      continue;
    struct og_race_chunk *chunk = og_race_chunk(watch->races, address[0], last_chunk(watch, address[0]));
    if (address[0] % OG_RACE_LINE == 0
            ? go_whole(watch, wave, &mine, chunk, address[0], bytes, &last)
            : chunk && !watch->shared &&
                  go_along(watch, wave, &mine, og_race_cells(chunk, address[0], bytes), bytes / 4))
      lanes &= ~og_race_along_mask(i);
  }
  for (unsigned p = 0; mine.event && p < places->pieces; p++) {
    uint64_t last = UINT64_MAX;
    for (uint64_t left = lanes; left; left &= left - 1) {
      mine.lane = (unsigned)__builtin_ctzll(left);
      mine.address = places->address[p][mine.lane];
      if (mine.address == last && !(mine.flags & OG_RACE_WRITES))
        continue;
      last = mine.address;
      visit_all(watch, wave, op, known, &mine, places->size, looks);
    }
  }
  done_with(watch, wave, op, &mine, next);
}

void og_check_races(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, struct og_places *places) {
  if (known->orders)
    og_race_order(watch, wave, known);
  if (!places)
    return;
  if (places->lanes[OG_SPACE_LDS] && wave->group->wave_count == 1)
    return; /* its lanes are performed in order */
  if (places->all_lds && known->memory->access != OG_MOVES_ATOMIC) {
    og_race_put_off(watch, wave, op, known, places, og_check_race_flags_of(known, places->lanes[OG_SPACE_LDS]));
    return;
  }
  og_check_widen(places);
  if (places->lanes[OG_SPACE_LDS]) {
    og_race_flush(watch, og_check_wave(wave)->group->race, false);
    go(watch, wave, op, known, places, OG_RACE_LDS, places->lanes[OG_SPACE_LDS]);
  }
  if (places->lanes[OG_SPACE_GLOBAL] & ~places->others)
    go(watch, wave, op, known, places, OG_RACE_GLOBAL, places->lanes[OG_SPACE_GLOBAL] & ~places->others);
}

/* Whether each dword that is read is unwritten and has a reader that stays in its cell: then nothing changes. */
static bool reads_with_others(struct og_watch *watch, const struct og_wave *wave, uint64_t address, unsigned size) {
  struct og_race_chunk *chunk = og_race_chunk(watch->races, address, last_chunk(watch, address));
  unsigned first = (unsigned)(address % OG_RACE_CHUNK);
  uint32_t last = 0;
  if (!chunk || (address | size) % 4 || first + size > OG_RACE_CHUNK)
    return false;
  for (unsigned at = first; at < first + size; at += 4) {
    uint64_t line = __atomic_load_n(&chunk->lines[at / OG_RACE_LINE], __ATOMIC_ACQUIRE);
    const struct og_race_cell *cell = &chunk->cells[at / 4];
    bool split = line == OG_RACE_SPLIT;
    uint32_t write = split ? __atomic_load_n(&cell->write, __ATOMIC_ACQUIRE) : (uint32_t)(line >> 32);
    uint32_t read = split ? __atomic_load_n(&cell->read, __ATOMIC_ACQUIRE) : (uint32_t)line;
    if (write || !read)
      return false;
    if (read >> 4 != last &&
        og_race_ordered(watch, wave, og_race_event(watch->races, read >> 4), OG_RACE_GLOBAL, false))
      return false;
    last = read >> 4;
  }
  return true;
}

void og_check_races_access(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                           const struct og_known *known, enum og_space space, int how, unsigned lane, uint64_t address,
                           unsigned size) {
  if (space == OG_SPACE_SCRATCH || (space != OG_SPACE_LDS && og_check_is_stack(wave, address)))
    return;
  if (space == OG_SPACE_SCALAR && how == OG_ACCESS_READ && !(known->race_flags & OG_RACE_COHERENT) &&
      reads_with_others(watch, wave, address, size))
    return;
  struct og_race_group *race = og_check_wave(wave)->group->race;
  if (space == OG_SPACE_LDS && wave->group->wave_count == 1)
    return;
  if (space == OG_SPACE_LDS && race->log.count)
    og_race_flush(watch, race, false); /* checks the log of what came before */
  race->exact |= space == OG_SPACE_LDS;
  unsigned kind = space == OG_SPACE_LDS ? OG_RACE_LDS : OG_RACE_GLOBAL;
  unsigned flags = (how & OG_ACCESS_WRITE ? OG_RACE_WRITES : 0) | (how & OG_ACCESS_ATOMIC ? OG_RACE_ATOMIC : 0) |
                   (known->race_flags & (OG_RACE_COHERENT | OG_RACE_SYSTEM)) |
                   (space == OG_SPACE_SCALAR ? OG_RACE_SCALAR : 0);
  uint32_t next = watch->next_event;
  struct access mine = {.event = event_of(watch, wave, op, kind, flags, NULL, 1ull << lane),
                        .kind = kind,
                        .flags = flags,
                        .lane = lane,
                        .address = address};
  struct look looks[2] = {{0}};
  if (mine.event)
    visit_all(watch, wave, op, known, &mine, size, looks);
  done_with(watch, wave, op, &mine, next);
}
