/* waits.c - registers that a wave accesses while one of its memory operations still fills or reads them. */
#include "check/internal.h"
#include "exec/memory.h"

#include <string.h>

/* An operation that has not ended. */
struct og_live {
  struct og_pending pending; /* .op is its word in the program */
  const struct og_known *known;
  uint64_t exec, held;   /* held: as known->held */
  uint32_t lds, lds_end; /* LDS that it fills or reads; both equal: none */
};

void og_check_waits_begin(struct og_watch *watch, struct og_check_wave *state) {
  if (!state->lives)
    state->lives = OG_NEW(watch->arena, struct og_lives);
  state->lives->items = state->lives->room;
  state->lives->count = 0;
  state->lives->marks = 0;
  state->lives->kinds = 0;
  state->owns_lds = false;
  state->lives->stream = !watch->isa->gfx1250;
}

static void end_stream(struct og_lives *lives) {
  for (uint32_t i = 0; lives->stream && lives->order && i < lives->count; i++)
    lives->items[i].pending.behind[0] = (uint8_t)OG_MIN(lives->count - 1 - i, (uint32_t)OG_NO_LIMIT);
  lives->stream = false;
}

/* Collects the registers that outstanding operations use. */
static void sum_up(struct og_lives *lives) {
  lives->marks = 0;
  lives->kinds = 0;
  for (uint32_t i = 0; i < lives->count; i++)
    lives->marks |= lives->items[i].held, lives->kinds |= lives->items[i].known->leads_to;
}

/* The wait that would be enough, such as "vmcnt(1)". */
static const char *enough(struct og_watch *watch, const struct og_live *live, enum og_clash_kind kind) {
  enum og_holds holds = kind == OG_CLASH_SOURCE ? OG_HOLDS_SOURCES : OG_HOLDS_RESULTS;
  const struct og_transfer *transfer = &live->known->transfer;
  const char *text = "";
  for (unsigned i = 0; i < transfer->count; i++)
    if (live->pending.pending >> i & 1 && transfer->raised[i].holds == holds)
      text = og_arena_printf(watch->arena, "%s%s%s(%u)", text, *text ? " " : "",
                             og_counter_name(transfer->raised[i].counter), live->pending.behind[i]);
  return og_arena_printf(watch->arena, "; waiting for %s before would do", text);
}

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                 const struct og_live *live, enum og_clash_kind kind, uint16_t place, int lane) {
  static const char *const does[] = {[OG_CLASH_READ] = "reads", [OG_CLASH_WRITE] = "writes",
                                     [OG_CLASH_SOURCE] = "overwrites"};
  uint64_t other = og_pc(wave->program, wave->program->operations + live->pending.op);
  struct og_finding *finding =
      og_check_find(watch, OG_CHECK_WAITS, wave, og_pc(wave->program, op), other, lane);
  if (finding->does)
    return;
  char name[16];
  og_place_name(place, name);
  finding->does = og_arena_printf(watch->arena, "%s %s", does[kind], name);
  finding->while_ = kind == OG_CLASH_SOURCE ? "has still to read it" : "still fills it";
  finding->advice = enough(watch, live, kind);
}

static void look(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                 const struct og_known *known, const struct og_touch *touches, unsigned touch_count,
                 const struct og_live *live) {
  uint64_t common = live->exec & (known->all_lanes ? UINT64_MAX : og_exec(wave));
  for (unsigned i = 0; i < touch_count; i++) {
    uint16_t place = 0;
    const struct og_touch *touch = &touches[i];
    bool vector = touch->first < OG_PLACE_SGPR;
    if ((vector && !common) || (touch->count == 1 && !(og_check_place_mark(touch->first) & live->known->held)))
      continue;
    enum og_clash_kind kind = og_pending_clash(watch->isa, &live->known->transfer, &live->pending, live->known->touches,
                                               live->known->touch_count, &known->transfer, touch, &place);
    if (kind != OG_CLASH_NONE) {
      tell(watch, wave, op, live, kind, place, vector ? __builtin_ctzll(common) : -1);
      return;
    }
  }
}

/* Checks outstanding operations against the registers that M0 selects. No such instruction is a memory operation. */
static void look_indexed(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known) {
  const struct og_lives *lives = og_check_wave(wave)->lives;
  struct og_touch touches[OG_TOUCHES_MOST];
  struct og_effects now;
  uint32_t deciding;
  if (!lives->count || !(watch->checkers & OG_CHECK_WAITS) || !og_check_indexed(wave, known, &now, &deciding))
    return;
  unsigned count = og_inst_touches(watch->isa, known->inst, &now, &known->transfer, touches);
  for (uint32_t i = 0; i < lives->count; i++)
    look(watch, wave, op, known, touches, count, &lives->items[i]);
}

static uint8_t implied(const struct og_lives *lives, const struct og_known *known) {
  uint8_t limit = OG_NO_LIMIT;
  for (uint32_t i = 0; i < lives->count; i++) {
    const struct og_known *op = lives->items[i].known;
    uint8_t one = og_pending_implies(&op->transfer, &lives->items[i].pending, op->touches, op->touch_count,
                                     &known->transfer, known->touches, known->touch_count);
    limit = OG_MIN(limit, one);
  }
  return limit;
}

/* og_pending_behind() if each raises one counter. */
static inline bool one_behind(const struct og_watch *watch, const struct og_raised *its, struct og_live *live) {
  const struct og_raised *mine = &live->known->transfer.raised[0];
  if (mine->counter != its->counter)
    return true;
  if (mine->order && mine->order == its->order && live->pending.behind[0] < OG_NO_LIMIT)
    live->pending.behind[0]++;
  return live->pending.behind[0] < watch->most[mine->counter];
}

/* Updates an outstanding operation by an instruction; false: the operation has ended. */
static inline bool go_on(const struct og_watch *watch, const struct og_known *known, struct og_live *live,
                         uint8_t limit) {
  if (!known->transfer.count)
    return limit == OG_NO_LIMIT || og_pending_translated(&live->known->transfer, &live->pending, limit);
  if (known->transfer.count == 1 && live->known->transfer.count == 1 && !watch->isa->gfx1250)
    return one_behind(watch, &known->transfer.raised[0], live);
  if (limit != OG_NO_LIMIT && !og_pending_translated(&live->known->transfer, &live->pending, limit))
    return false;
  return !known->transfer.count ||
         og_pending_behind(&live->known->transfer, &live->pending, watch->most, &known->transfer);
}

/* The LDS that a transfer accesses, from the first lane's to the last one's. */
static void note_lds(struct og_live *live, struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  if (!live->known->plain || !(access->to_lds || access->beside))
    return;
  uint32_t size = access->beside ? access->bytes : OG_MAX(access->bytes, 4u), first = UINT32_MAX, last = 0;
  for (uint64_t lanes = og_active(wave); lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctzll(lanes);
    uint32_t at = access->beside ? og_at(wave, access->data)[i] + (uint32_t)op->constant[0] : og_own_part(wave, op, i);
    first = OG_MIN(first, at);
    last = OG_MAX(last, at + size);
  }
  live->lds = OG_MIN(first, last);
  live->lds_end = last;
  og_check_wave(wave)->owns_lds = true;
}

static void tell_async(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                       const struct og_live *live, bool writes, uint64_t address, unsigned lane) {
  uint64_t other = og_pc(wave->program, wave->program->operations + live->pending.op);
  struct og_finding *finding = og_check_find(watch, OG_CHECK_ASYNC, wave, og_pc(wave->program, op), other, (int)lane);
  if (finding->does)
    return;
  finding->does =
      og_arena_printf(watch->arena, "%s 0x%llx of LDS", writes ? "writes" : "reads", (unsigned long long)address);
  finding->while_ = live->known->memory->access == OG_MOVES_LOAD ? "still fills it" : "has still to read it";
  finding->advice = enough(watch, live, OG_CLASH_READ);
}

void og_check_async(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, struct og_places *places) {
  struct og_lives *lives = og_check_wave(wave)->lives;
  end_stream(lives);
  og_check_widen(places);
  bool reads = known->memory->access == OG_MOVES_LOAD;
  for (uint32_t k = 0; k < lives->count; k++) {
    const struct og_live *live = &lives->items[k];
    bool fills = live->known->memory->access == OG_MOVES_LOAD;
    for (uint64_t lanes = live->lds == live->lds_end || (reads && !fills) ? 0 : places->lanes[OG_SPACE_LDS]; lanes;
         lanes &= lanes - 1)
      for (unsigned p = 0, i = (unsigned)__builtin_ctzll(lanes); p < places->pieces; p++) {
        if (places->address[p][i] >= live->lds_end || places->address[p][i] + places->size <= live->lds)
          continue;
        tell_async(watch, wave, op, live, !reads, places->address[p][i], i);
        lanes = 1; /* a transfer as a whole */
        break;
      }
  }
}

/* The transfer that an instruction has begun; NULL: it has ended, or is not followed. */
static struct og_live *live_of(const struct og_wave *wave, const struct og_operation *op) {
  const struct og_lives *lives = og_check_wave(wave)->lives;
  struct og_live *last = lives->count ? &lives->items[lives->count - 1] : NULL;
  return last && last->pending.op == (uint32_t)(op - wave->program->operations) ? last : NULL;
}

void og_check_owns(struct og_wave *wave, const struct og_operation *op, const struct og_known *known, uint64_t address,
                   unsigned size) {
  struct og_live *live = live_of(wave, op);
  if (!live || known->plain)
    return;
  bool first = live->lds == live->lds_end;
  live->lds = first ? (uint32_t)address : OG_MIN(live->lds, (uint32_t)address);
  live->lds_end = first ? (uint32_t)address + size : OG_MAX(live->lds_end, (uint32_t)address + size);
  og_check_wave(wave)->owns_lds = true;
}

/* Whether one ends before the other moves anything, since both raise a counter in the same order. */
static bool is_in_turn(const struct og_known *one, const struct og_known *other) {
  for (unsigned i = 0; i < one->transfer.count; i++)
    for (unsigned j = 0; j < other->transfer.count; j++)
      if (one->transfer.raised[i].counter == other->transfer.raised[j].counter && one->transfer.raised[i].order &&
          one->transfer.raised[i].order == other->transfer.raised[j].order)
        return true;
  return false;
}

void og_check_async_beside(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                           const struct og_known *known, int how, unsigned lane, uint64_t address, unsigned size) {
  struct og_lives *lives = og_check_wave(wave)->lives;
  const struct og_live *own = live_of(wave, op);
  end_stream(lives);
  for (uint32_t k = 0; k < lives->count; k++) {
    const struct og_live *live = &lives->items[k];
    bool fills = live->known->memory->access == OG_MOVES_LOAD, writes = how & OG_ACCESS_WRITE;
    if (live != own && live->lds < live->lds_end && (writes || fills) && address < live->lds_end &&
        address + size > live->lds && !is_in_turn(live->known, known))
      tell_async(watch, wave, op, live, writes, address, lane);
  }
}

/* Makes room for one more operation. */
static void make_room(struct og_watch *watch, struct og_lives *lives) {
  if (lives->items != lives->room) {
    memmove(lives->room, lives->items, lives->count * sizeof *lives->items);
  } else {
    uint32_t capacity = lives->capacity ? lives->capacity * 2 : 16;
    lives->room =
        og_arena_grow(watch->arena, lives->room, lives->capacity * sizeof *lives->room, capacity * sizeof *lives->room);
    lives->capacity = capacity;
  }
  lives->items = lives->room;
}

/* Whether it uses no registers, as an invalidation of caches: it only counts as coming after others. */
static inline bool holds_nothing(const struct og_known *known) {
  return !(known->held | known->leads_to) && !og_transfers_lds(known->memory);
}

static inline void issue(struct og_watch *watch, struct og_lives *lives, struct og_wave *wave,
                         const struct og_operation *op, const struct og_known *known) {
  uint64_t exec = og_exec(wave);
  if ((known->vector && !exec) || holds_nothing(known))
    return; /* nothing that is followed moves */
  if (__builtin_expect(lives->items + lives->count == lives->room + lives->capacity, 0))
    make_room(watch, lives);
  struct og_live *live = &lives->items[lives->count++];
  og_pending_issued(&live->pending, &known->transfer, (uint32_t)(op - wave->program->operations));
  live->known = known;
  live->exec = known->vector ? exec : UINT64_MAX, live->held = known->held;
  live->lds = live->lds_end = 0;
  if (og_transfers_lds(known->memory))
    note_lds(live, wave, op);
  lives->marks |= known->held;
  lives->kinds |= known->leads_to;
}

static void drop(struct og_lives *lives, uint32_t oldest) {
  lives->count -= oldest;
  lives->items = lives->count ? lives->items + oldest : lives->room;
  lives->marks = 0, lives->kinds = 0;
  if (lives->count)
    sum_up(lives);
}

/* How many operations have ended if at most `limit` are outstanding; in a stream without an order that is only known
 * for 0. */
static inline uint32_t ended_at(const struct og_lives *lives, uint32_t limit) {
  return lives->count <= limit || (limit && !lives->order) ? 0 : lives->count - limit;
}

/* An instruction that accesses none of a stream's registers, and at most waits for the stream or continues it; false:
 * it is another case. */
static bool go_with_stream(struct og_watch *watch, struct og_lives *lives, struct og_wave *wave,
                           const struct og_operation *op, const struct og_known *known) {
  const struct og_raised *its = &known->transfer.raised[0];
  if (!lives->stream || known->calls || lives->marks & known->marks)
    return false;
  if (known->transfer.count && holds_nothing(known) && !known->waits)
    return known->transfer.count == 1 && (!lives->count || its->counter != lives->counter);
  if (!lives->count)
    lives->counter = its->counter, lives->order = its->order;
  if (known->transfer.count && (known->transfer.count > 1 || its->counter != lives->counter ||
                                its->order != lives->order || (known->vector && !og_exec(wave))))
    return false;
  uint32_t ended = known->waits ? ended_at(lives, known->limits[lives->counter]) : 0;
  if (ended)
    drop(lives, ended);
  if (!known->transfer.count)
    return true;
  if (its->order && lives->count >= watch->most[its->counter])
    drop(lives, lives->count - watch->most[its->counter] + 1);
  issue(watch, lives, wave, op, known);
  return true;
}

bool og_check_waits_swift(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                          const struct og_known *known) {
  struct og_lives *lives = og_check_wave(wave)->lives;
  const struct og_raised *its = &known->transfer.raised[0];
  if (!lives->stream || lives->marks & known->marks ||
      (lives->count && (its->counter != lives->counter || its->order != lives->order)))
    return false;
  lives->counter = its->counter, lives->order = its->order;
  if (lives->count >= watch->most[its->counter])
    drop(lives, lives->count - watch->most[its->counter] + 1);
  issue(watch, lives, wave, op, known);
  og_check_hold(og_check_wave(wave), lives->marks);
  return true;
}

void og_check_waits_waited(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                           const struct og_known *known) {
  struct og_check_wave *state = og_check_wave(wave);
  struct og_lives *lives = state->lives;
  if (!lives->count)
    return;
  if (!lives->stream) {
    og_check_waits(watch, wave, op, known);
    return;
  }
  uint32_t ended = ended_at(lives, known->limits[lives->counter]);
  if (ended) {
    drop(lives, ended);
    og_check_hold(state, lives->marks);
  }
}

void og_check_waits(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known) {
  struct og_lives *lives = og_check_wave(wave)->lives;
  if (og_check_is_indexed(wave, op, known) && !known->transfer.count && !known->waits && !known->calls) {
    end_stream(lives);
    look_indexed(watch, wave, op, known);
    return;
  }
  if (!known->transfer.count && !known->waits && !known->calls && !(lives->marks & known->marks))
    return;
  if (go_with_stream(watch, lives, wave, op, known)) {
    og_check_hold(og_check_wave(wave), lives->marks);
    return;
  }
  end_stream(lives);
  uint32_t kept = 0;
  if (known->waits) {
    for (uint32_t i = 0; i < lives->count; i++)
      if (og_pending_wait(&lives->items[i].known->transfer, &lives->items[i].pending, known->limits))
        lives->items[kept++] = lives->items[i];
    lives->count = kept;
    sum_up(lives);
  }
  uint8_t limit = watch->isa->gfx1250 && known->transfer.count ? implied(lives, known) : OG_NO_LIMIT;
  if (known->calls) /* LLVM's functions do not wait for xcnt at their beginning */
    limit = 0;
  kept = 0;
  for (uint32_t i = 0; i < lives->count; i++) {
    if (watch->checkers & OG_CHECK_WAITS && lives->items[i].held & known->marks)
      look(watch, wave, op, known, known->touches, known->touch_count, &lives->items[i]);
    if (go_on(watch, known, &lives->items[i], limit))
      lives->items[kept++] = lives->items[i];
  }
  lives->count = kept;
  if (known->transfer.count || known->calls)
    sum_up(lives);
  lives->stream = !kept && !watch->isa->gfx1250 && known->transfer.count <= 1;
  if (known->transfer.count) {
    lives->counter = known->transfer.raised[0].counter, lives->order = known->transfer.raised[0].order;
    issue(watch, lives, wave, op, known);
  }
  og_check_hold(og_check_wave(wave), lives->marks);
}

void og_check_waits_hold(struct og_check_wave *state) { og_check_hold(state, state->lives->marks); }

uint8_t og_check_leads_to(const struct og_memory *memory) {
  if (og_transfers_lds(memory))
    return OG_OUTSTANDING_LDS | OG_OUTSTANDING_MEMORY;
  switch ((enum og_memory_space)memory->space) {
  case OG_IN_LDS: return OG_OUTSTANDING_LDS;
  case OG_IN_FLAT: return OG_OUTSTANDING_LDS | OG_OUTSTANDING_MEMORY;
  case OG_IN_GLOBAL:
  case OG_IN_BUFFER:
  case OG_IN_TYPED:
  case OG_IN_IMAGE:
  case OG_IN_CLUSTER: return OG_OUTSTANDING_MEMORY;
  default: return 0;
  }
}
