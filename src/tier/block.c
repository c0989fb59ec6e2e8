/* block.c - from the first operation of a block to its code: the operations that follow it as long as no branch is
 * taken; stretches of them for strips, and calls of the interpreter's handlers for what is left. A long block ends
 * where another begins, or where its code would be too large, and another begins there. */
#include "tier/unit.h"

#include "isa/rows.h"

#include <string.h>

#include "exec/program.h"

enum {
  LONG = 48,                       /* operations: such a block does not run on into others' */
  END_ROOM = 4 * OG_POOL_MOST + 512, /* for what stands behind the last operation */
  ENOUGH = OG_CODE_MOST / 4,         /* bytes of code, */
  ENOUGH_TO_STOP = OG_CODE_MOST - 2 * END_ROOM, /* where only the turn's end is to come */
};

/* Decodes what the wave may reach next. A failure is reported when the wave gets there. */
static bool decode_ahead(struct og_wave *wave, const struct og_operation *op) {
  if ((size_t)(op - wave->program->operations) >= wave->program->words)
    return false;
  if (og_tier_plain(wave->program, op))
    return true;
  struct og_fault fault = wave->fault;
  const struct og_operation *resume = wave->resume;
  uint32_t state = wave->state;
  bool ok = og_program_decode(wave, op);
  wave->fault = fault;
  wave->resume = resume;
  wave->state = state;
  return ok;
}

static bool add_pair(struct og_unit *unit, const struct og_item *whole) {
  const struct og_operation *halves[2];
  if (unit->count + 2 > OG_ITEMS_MOST || !og_pair_halves(whole->op, whole->handler, halves))
    return false;
  for (int i = 0; i < 2; i++) {
    struct og_item *item = &unit->items[unit->count + (uint32_t)i];
    *item = (struct og_item){.op = whole->op, .does = halves[i], .handler = halves[i]->handler};
    if (!og_recognize_vector(unit, item))
      return false;
  }
  unit->count += 2;
  return true;
}

/* Whether nothing follows: jumps, ends, and what always gives way. */
static bool ends_block(const struct og_item *item) {
  static const uint16_t rows[] = {OG_ROW_S_BRANCH,     OG_ROW_S_ENDPGM,     OG_ROW_S_ENDPGM_SAVED,
                                  OG_ROW_S_SETPC_B64,  OG_ROW_S_SWAPPC_B64, OG_ROW_S_CALL_B64,
                                  OG_ROW_S_BARRIER,    OG_ROW_S_SLEEP};
  for (size_t i = 0; og_is_between(item) && i < OG_COUNT(rows); i++)
    if (item->op->row == rows[i])
      return true;
  return false;
}

enum { BEFORE_A_WAY_BACK = 8 /* items */ };

/* Whether an item that is to be added is a branch back to before the block, with nothing but scalars before it. So
 * begins a turn behind a barrier in a loop: the next barrier is to be in the same block, for waves to have their turns
 * in one run. */
static bool is_way_back(const struct og_unit *unit, const struct og_item *item) {
  const struct og_operation *first = unit->count ? unit->items[0].op : item->op;
  if (item->kind != OG_ITEM_BRANCH || unit->count > BEFORE_A_WAY_BACK ||
      (const struct og_operation *)item->op->detail >= first)
    return false;
  for (uint32_t i = 0; i < unit->count; i++)
    if (unit->items[i].kind != OG_ITEM_SCALAR && unit->items[i].kind != OG_ITEM_NOTHING)
      return false;
  return true;
}

static const struct og_operation *find_items(struct og_unit *unit, struct og_wave *wave,
                                             const struct og_operation *op) {
  unit->count = 0;
  while (unit->count + 2 <= OG_ITEMS_MOST && !(unit->count && op == unit->items[0].op) &&
         !(unit->count >= LONG && og_tier_is_leader(unit->program, op)) &&
         decode_ahead(wave, op)) {
    struct og_item item = {.op = op, .does = op, .handler = og_tier_plain(unit->program, op), .kind = OG_ITEM_CALL};
    const struct og_operation *next = og_next(op);
    op = next;
    if (add_pair(unit, &item))
      continue;
    if (item.handler == og_read_refreshed || /* sources that only it brings up to date */
        (!og_recognize_branch(&item) && !og_recognize_stop(&item) && !og_recognize_scalar(unit, &item) &&
         !og_recognize_scalar_load(&item) && !og_recognize_lane_read(&item) && !og_recognize_memory(unit, &item) &&
         !og_recognize_vector(unit, &item)))
      item.kind = OG_ITEM_CALL;
    item.goes_back = is_way_back(unit, &item);
    unit->items[unit->count++] = item;
    if (item.goes_back)
      op = item.op->detail;
    else if (ends_block(&item))
      break;
  }
  return op;
}

static void emit_call(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  og_emit_fresh_lanes(unit);
  og_emit_general(e, true, 0x8b, OG_RDI, og_place_register(OG_RBX));
  og_emit_load_constant(e, OG_RSI, (uintptr_t)item->op);
  og_emit_load_constant(e, OG_RAX, (uintptr_t)item->handler);
  og_emit_general(e, false, 0xff, 2, og_place_register(OG_RAX));
  og_emit_load_constant(e, OG_RCX, (uintptr_t)og_next(item->op));
  og_emit_general(e, true, 0x3b, OG_RAX, og_place_register(OG_RCX));
  unit->exits[unit->exit_count++] = og_emit_jump(e, 0x85);
  if (unit->keyed && item->op->class != OG_CLASS_VALU) {
    og_emit_immediate(e, false, 7, og_in_wave((uint32_t)offsetof(struct og_wave, mode)), unit->mode);
    unit->exits[unit->exit_count++] = og_emit_jump(e, 0x85);
  }
}

static void emit_between(struct og_unit *unit, const struct og_item *item, const struct og_operation *start,
                         uint32_t start_at) {
  if (item->kind == OG_ITEM_EXEC)
    og_emit_exec_item(unit, item);
  else if (item->kind == OG_ITEM_BRANCH)
    og_emit_branch(unit, item, start, start_at);
  else if (item->kind == OG_ITEM_STOP)
    og_emit_stop(unit, item, start, start_at);
  else if (item->kind == OG_ITEM_LOAD)
    og_emit_scalar_load(unit, item);
  else if (item->kind == OG_ITEM_LANE)
    og_emit_lane_read(unit, item);
  else
    emit_call(unit, item);
}

/* Rare code, placed behind the block. */
static void emit_cold(struct og_unit *unit) {
  for (uint32_t i = 0; i < unit->cold_count; i++) {
    const struct og_cold *cold = &unit->cold[i];
    for (uint32_t k = 0; k < cold->jump_count; k++)
      og_emit_land(&unit->code, cold->jumps[k]);
    unit->lanes_stale = cold->lanes_stale;
    emit_call(unit, cold->item);
    og_emit_jump_to(&unit->code, 0, cold->back);
  }
}

static void emit_bytes(struct og_encoder *e, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    og_emit_byte(e, bytes[i]);
}

static void emit_begin(struct og_encoder *e) {
  static const uint8_t pushes[] = {0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57}; /* rbx rbp r12 to r15 */
  emit_bytes(e, pushes, sizeof pushes);
  og_emit_general(e, true, 0x8b, OG_RAX, og_place_register(OG_RSP));
  og_emit_immediate(e, true, 5, og_place_register(OG_RSP), OG_FRAME);
  og_emit_immediate(e, true, 4, og_place_register(OG_RSP), (uint32_t)-64); /* a line of the cache */
  og_emit_general(e, true, 0x89, OG_RAX, og_place_memory(OG_RSP, -1, OG_FRAME_RSP));
  og_emit_general(e, true, 0x8b, OG_RBX, og_place_register(OG_RDI));
  og_emit_general(e, true, 0x8b, OG_R14, og_in_wave((uint32_t)offsetof(struct og_wave, windows)));
  og_emit_general(e, true, 0x8b, OG_R15, og_in_wave((uint32_t)offsetof(struct og_wave, lds)));
}

static void emit_end(struct og_unit *unit) {
  static const uint8_t pops[] = {0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41,
                                 0x5c, 0x5d, 0x5b, 0xc5, 0xf8, 0x77, 0xc3}; /* vzeroupper, ret */
  struct og_encoder *e = &unit->code;
  for (uint32_t i = 0; i < unit->exit_count; i++)
    og_emit_land(e, unit->exits[i]);
  og_emit_general(e, true, 0x8b, OG_RDX, og_place_register(OG_RBX)); /* og_compiled_end */
  og_emit_general(e, true, 0x8b, OG_RSP, og_place_memory(OG_RSP, -1, OG_FRAME_RSP));
  emit_bytes(e, pops, sizeof pops);
}

/* The branch that makes a loop of what is before it, when strips can run all of that. */
static const struct og_item *find_loop(struct og_unit *unit, const struct og_operation *start) {
  uint32_t end = og_stretch_end(unit, 0, true);
  const struct og_item *item = &unit->items[end];
  return end > 0 && end < unit->count && og_is_scalar_branch(item) && item->op->detail == start ? item : NULL;
}

/* Code as far as it was good. */
struct good {
  uint32_t at, fixups, exits;
  bool lanes_stale;
};

/* Whether the item is the second half of an operation. */
static bool is_second_half(const struct og_unit *unit, uint32_t i) {
  return i > 0 && i < unit->count && unit->items[i].op == unit->items[i - 1].op;
}

/* A stretch, or as much of its begin as there is room for; yields where it ends. */
static uint32_t emit_stretch(struct og_unit *unit, struct og_stretch stretch) {
  struct og_encoder *e = &unit->code;
  const struct good good = {e->at, e->fixup_count, unit->exit_count, unit->lanes_stale};
  while (stretch.to > stretch.from) {
    og_emit_stretch(unit, &stretch);
    if (!e->full && e->at <= OG_CODE_MOST - END_ROOM)
      break;
    e->at = good.at, e->fixup_count = good.fixups, unit->exit_count = good.exits;
    unit->lanes_stale = good.lanes_stale;
    e->full = false;
    stretch.to = stretch.branch ? stretch.from : stretch.from + (stretch.to - stretch.from) / 2;
    stretch.to -= is_second_half(unit, stretch.to);
  }
  return stretch.to;
}

/* Where branches lead to behind `from`, at most `to`. */
static uint32_t first_ahead(const struct og_unit *unit, uint32_t from, uint32_t to) {
  for (uint32_t i = from + 1; i < to; i++)
    if (og_is_ahead(unit, unit->items[i].op) && !is_second_half(unit, i))
      return i;
  return to;
}

bool og_compile_block(struct og_unit *unit, struct og_wave *wave, const struct og_operation *op) {
  struct og_encoder *e = &unit->code;
  e->at = e->pool_count = e->fixup_count = 0;
  e->full = false;
  unit->exit_count = unit->ahead_count = unit->cold_count = 0;
  unit->lanes_stale = false;
  unit->program = wave->program;
  unit->wave = wave;
  unit->wave32 = wave->wave_size == 32;
  unit->mode = wave->mode;
  unit->keyed = false;
  unit->next = find_items(unit, wave, op);
  uint32_t useful = 0;
  for (uint32_t i = 0; i < unit->count; i++)
    useful += unit->items[i].kind != OG_ITEM_CALL && unit->items[i].kind != OG_ITEM_BRANCH &&
              unit->items[i].kind != OG_ITEM_STOP && unit->items[i].kind != OG_ITEM_NOTHING;
  if (useful == 0)
    return false;
  emit_begin(e);
  uint32_t start = e->at, i = 0;
  const struct og_item *branch = find_loop(unit, op);
  if (branch) {
    struct og_stretch stretch = {.from = 0, .to = (uint32_t)(branch - unit->items), .branch = branch};
    i = emit_stretch(unit, stretch) > 0 ? stretch.to + 1 : 0;
  }
  while (i < unit->count && e->at < (unit->items[i].kind == OG_ITEM_STOP ? ENOUGH_TO_STOP : ENOUGH)) {
    struct og_stretch stretch = {.from = i, .to = og_stretch_end(unit, i, false)};
    bool between = stretch.to == i && !is_second_half(unit, i + 1);
    stretch.to = first_ahead(unit, i, stretch.to);
    stretch.to -= is_second_half(unit, stretch.to);
    og_land_ahead(unit, unit->items[i].op);
    if (between)
      emit_between(unit, &unit->items[i++], op, start);
    else if (stretch.to > i && (stretch.to = emit_stretch(unit, stretch)) > i)
      i = stretch.to;
    else
      break;
  }
  if (i == 0)
    return false;
  unit->emitted = i;
  if (i < unit->count)
    unit->next = unit->items[i].op;
  og_emit_fresh_lanes(unit);
  og_emit_load_constant(e, OG_RAX, (uintptr_t)unit->next);
  unit->exits[unit->exit_count++] = og_emit_jump(e, 0);
  og_leave_ahead(unit);
  emit_cold(unit);
  emit_end(unit);
  og_emit_pool(e);
  return !e->full;
}
