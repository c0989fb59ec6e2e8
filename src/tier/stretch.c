/* stretch.c - operations that strips of lanes run one after the other: the loop over strips. Scalar
 * operations among them are done anew for each strip, from the state that the first one found. */
#include "tier/rows.h"

#include "isa/rows.h"

#include <string.h>

bool og_is_scalar_branch(const struct og_item *item) {
  unsigned row = item->op->row;
  return item->op->class == OG_CLASS_BRANCH &&
         (row == OG_ROW_S_CBRANCH_SCC0 || row == OG_ROW_S_CBRANCH_SCC1 || row == OG_ROW_S_BRANCH);
}

/* ---- scalars ----------------------------------------------------------------------------------------------------- */

enum { SLOT_BUDGET = OG_S_COUNT, SLOT_STOPPED };
static struct og_place slot(unsigned number) { return og_place_memory(OG_RSP, -1, 8 * number); }

static void keep(struct og_kept *kept, const struct og_scalar_set *set) {
  for (unsigned k = 0; k < 3; k++)
    for (uint64_t left = set->bits[k]; left; left &= left - 1)
      kept->scalars[kept->count++] = (uint8_t)(64 * k + (unsigned)__builtin_ctzll(left));
}

static void find_kept(const struct og_unit *unit, const struct og_stretch *stretch, struct og_kept *kept) {
  struct og_scalar_set exposed = {{0}}, written = {{0}}, all = {{0}}, reads, writes, masks;
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    og_find_scalars(unit, &unit->items[i], &reads, &writes, &masks);
    for (int k = 0; k < 3; k++)
      exposed.bits[k] |= reads.bits[k] & ~written.bits[k];
    og_join_scalars(&written, &writes), og_join_scalars(&all, &writes), og_join_scalars(&all, &masks);
  }
  for (int k = 0; k < 3; k++) {
    exposed.bits[k] &= written.bits[k];
    all.bits[k] &= ~exposed.bits[k];
  }
  kept->count = 0;
  keep(kept, &exposed);
  kept->strips = kept->count;
  keep(kept, &all);
}

void og_copy_kept(struct og_unit *unit, const struct og_kept *kept, unsigned count, bool back) {
  for (unsigned i = 0; i < count; i++) {
    struct og_place at = og_in_wave(OG_AT_S(kept->scalars[i]));
    og_emit_general(&unit->code, false, 0x8b, OG_RAX, back ? slot(i) : at);
    og_emit_general(&unit->code, false, 0x89, OG_RAX, back ? at : slot(i));
  }
}

static struct og_place budget_place(void) { return og_in_wave((uint32_t)offsetof(struct og_wave, budget)); }
void og_copy_budget(struct og_unit *unit, bool back) {
  og_emit_general(&unit->code, true, 0x8b, OG_RAX, back ? slot(SLOT_BUDGET) : budget_place());
  og_emit_general(&unit->code, true, 0x89, OG_RAX, back ? budget_place() : slot(SLOT_BUDGET));
}
void og_emit_set_stopped(struct og_unit *unit, uint32_t value) {
  og_emit_general(&unit->code, false, 0xc7, 0, slot(SLOT_STOPPED));
  og_emit_u32(&unit->code, value);
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

static struct og_place exec_place(const struct og_unit *unit) { return og_mask_place(unit, OG_AT_S(OG_S_EXEC)); }

static void load_exec(struct og_unit *unit) {
  struct og_encoder *e = &unit->code;
  if (!unit->masked)
    return;
  if (!e->wide) {
    og_emit_mask_lanes(unit, OG_EXEC_LANES, exec_place(unit));
    return;
  }
  e->wide = false; /* KMOVW */
  og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x90), OG_K_EXEC, 0, exec_place(unit));
  e->wide = true;
}

/* Where no lane of the strip is active; RCX is spent. */
static uint32_t jump_if_none_active(struct og_unit *unit) {
  og_emit_active(unit, OG_RCX);
  og_emit_general(&unit->code, false, 0x85, OG_RCX, og_place_register(OG_RCX));
  return og_emit_jump(&unit->code, 0x84);
}

/* Does one strip's part of an operation as the interpreter does it. NULL: there was no fault. One is forgotten: the
 * stretch is done anew, for it may not be the first of the program's order. */
static const struct og_operation *move_part(struct og_wave *wave, const struct og_operation *op, uint32_t bytes,
                                            og_handler *handler, uint32_t lanes) {
  const struct og_operation *resume = wave->resume;
  uint32_t state = wave->state;
  uint64_t exec = og_load64(&wave->s[OG_S_EXEC]), part = (((uint64_t)1 << lanes) - 1) << (bytes / 4);
  bool has_mask = op->row == OG_ROW_V_DIV_SCALE_F32 || op->row == OG_ROW_V_DIV_SCALE_F64;
  uint64_t mask = has_mask ? og_load64(og_at(wave, op->d2)) : 0;
  og_store64(&wave->s[OG_S_EXEC], exec & part);
  og_exec_changed(wave);
  const struct og_operation *next = handler(wave, op);
  og_store64(&wave->s[OG_S_EXEC], exec);
  og_exec_changed(wave);
  if (has_mask) /* the other strips' bits stay */
    og_store64(og_at(wave, op->d2), (mask & ~part) | (og_load64(og_at(wave, op->d2)) & part));
  if (next != &og_stop)
    return NULL;
  wave->resume = resume;
  wave->state = state;
  return next;
}

/* Does a stretch as the interpreter does it; yields what follows. `missed`: the code of the block at `start` foresaw
 * something else. */
static const struct og_operation *do_anew(struct og_wave *wave, const struct og_operation *first,
                                          const struct og_operation *last, const struct og_operation *start,
                                          uint32_t missed) {
  const struct og_operation *op = first;
  if (missed)
    og_tier_missed(wave, first, start);
  og_exec_changed(wave);
  while (op != &og_stop && op >= first && op <= last)
    op = og_tier_plain(wave->program, op)(wave, op);
  return op;
}

/* k1 to the stack or back: the mask that was written last may be nowhere else. */
static void copy_carry(struct og_unit *unit, unsigned opcode) {
  struct og_encoder *e = &unit->code;
  if (!e->wide)
    return;
  e->wide = false; /* KMOVW */
  og_emit_vector_low(e, OG_VEX(0, 1, 0, opcode), OG_K_CO, 0, og_place_memory(OG_RSP, -1, 0));
  e->wide = true;
}

/* Of a slot in a register, in the routine that keeps it. */
static struct og_place frame_slot(unsigned number) {
  return og_place_memory(OG_RSP, -1, OG_FRAME_SHAPES + 8 * number + 16);
}

void og_emit_move_routine(struct og_unit *unit, bool shaped) {
  struct og_encoder *e = &unit->code;
  const struct og_shapes *shapes = &unit->shapes;
  uint32_t over = og_emit_jump(e, 0);
  unit->move_routine = e->at;
  og_emit_immediate(e, true, 5, og_place_register(OG_RSP), 8); /* aligns the stack */
  for (unsigned i = 0; shaped && i < shapes->slot_count; i++)
    if (shapes->slot_register[i] >= 0)
      og_emit_general(e, true, 0x89, (unsigned)shapes->slot_register[i], frame_slot(i));
  og_store_held(unit);
  copy_carry(unit, 0x91);
  og_emit_general(e, true, 0x8b, OG_RDI, og_place_register(OG_RBX));
  og_emit_general(e, false, 0x8b, OG_RDX, og_place_register(OG_R12));
  og_emit_load_constant(e, OG_R8, shaped ? shapes->lanes : og_strip_bytes(unit) / 4);
  og_emit_load_constant(e, OG_RAX, (uintptr_t)move_part);
  og_emit_byte(e, 0xc5), og_emit_byte(e, 0xf8), og_emit_byte(e, 0x77); /* VZEROUPPER */
  og_emit_general(e, false, 0xff, 2, og_place_register(OG_RAX));       /* call */
  og_load_held(unit, true);
  load_exec(unit);
  copy_carry(unit, 0x90);
  if (shaped)
    og_emit_shape_limits(unit, 16);
  if (shaped && shapes->halves == 2) { /* what is done anew goes down from the last vector */
    og_emit_general(e, true, 0x85, OG_RAX, og_place_register(OG_RAX));
    uint32_t fine = og_emit_jump(e, 0x84);
    og_emit_immediate(e, false, 0, og_place_register(OG_R12), 32);
    og_emit_land(e, fine);
  }
  for (unsigned i = 0; shaped && i < shapes->slot_count; i++)
    if (shapes->slot_register[i] >= 0)
      og_emit_general(e, true, 0x8b, (unsigned)shapes->slot_register[i], frame_slot(i));
  og_emit_immediate(e, true, 0, og_place_register(OG_RSP), 8);
  og_emit_byte(e, 0xc3);
  og_emit_land(e, over);
}

/* The comparison whose result the loop's branch alone reads, behind all that it compares: SCC need not be stored each
 * time. */
static const struct og_item *find_loop_test(const struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_scalar_set scc = {{0}}, later = {{0}}, reads, writes, masks;
  const struct og_item *test = NULL;
  bool written = false;
  if (!stretch->branch || stretch->branch->op->row == OG_ROW_S_BRANCH)
    return NULL;
  og_add_scalars(&scc, OG_AT_S(OG_S_SCC), 1);
  for (uint32_t i = stretch->from; i < stretch->to; i++) { /* each round writes it before it is read */
    og_find_scalars(unit, &unit->items[i], &reads, &writes, &masks);
    if (!written && og_scalars_meet(&reads, &scc))
      return NULL;
    written |= og_scalars_meet(&writes, &scc);
  }
  for (uint32_t i = stretch->to; i-- > stretch->from && !test;) {
    og_find_scalars(unit, &unit->items[i], &reads, &writes, &masks);
    if (og_scalars_meet(&writes, &scc)) {
      if (!og_is_scalar_test(&unit->items[i]) || og_scalars_meet(&reads, &later))
        return NULL;
      test = &unit->items[i];
    } else if (og_scalars_meet(&reads, &scc)) {
      return NULL;
    }
    og_join_scalars(&later, &writes), og_join_scalars(&later, &masks);
  }
  return test;
}

static void store_scc(struct og_unit *unit, uint32_t value) {
  og_emit_general(&unit->code, false, 0xc7, 0, og_in_wave(OG_AT_S(OG_S_SCC)));
  og_emit_u32(&unit->code, value);
}

/* Back to the first one, while there is a budget. */
void og_emit_loop_branch(struct og_unit *unit, const struct og_stretch *stretch, uint32_t head) {
  struct og_encoder *e = &unit->code;
  unsigned row = stretch->branch->op->row;
  bool if_set = row == OG_ROW_S_CBRANCH_SCC1;
  uint32_t out = 0;
  if (unit->loop_test) {
    unsigned condition = (og_emit_scalar_test(unit, unit->loop_test) & 15) | 0x80;
    out = og_emit_jump(e, if_set ? condition ^ 1 : condition);
  } else if (row != OG_ROW_S_BRANCH) {
    og_emit_compare_scc(unit);
    out = og_emit_jump(e, if_set ? 0x84 : 0x85);
  }
  og_emit_immediate(e, true, 5, budget_place(), 1);
  og_emit_jump_to(e, 0x89, head); /* not negative */
  og_emit_set_stopped(unit, 1);
  if (unit->loop_test) {
    store_scc(unit, if_set);
    uint32_t over = og_emit_jump(e, 0);
    og_emit_land(e, out);
    store_scc(unit, !if_set);
    out = over;
  }
  if (out)
    og_emit_land(e, out);
}

static bool moves(const struct og_unit *unit, const struct og_stretch *stretch) {
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (unit->items[i].kind == OG_ITEM_MEMORY)
      return true;
  return false;
}

bool og_stretch_calls(const struct og_unit *unit, const struct og_stretch *stretch) {
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (unit->items[i].kind == OG_ITEM_MEMORY || og_is_division(&unit->items[i]) || og_is_dpp(&unit->items[i]))
      return true;
  return false;
}

/* ---- what the interpreter does ------------------------------------------------------------------------------------
 *
 * Of the versions for all lanes and for some only those are emitted whose EXEC was seen, and what was foreseen and has
 * not failed is alone. The rest is the interpreter's, until it comes often: then the block is compiled anew. */

/* The versions that are wanted: OG_SEEN_*. */
static unsigned wanted_versions(const struct og_unit *unit, const struct og_stretch *stretch) {
  unsigned seen = unit->complete ? 0 : og_tier_seen(unit->program, unit->items[stretch->from].op);
  return seen ? seen : OG_SEEN_BOTH;
}

bool og_is_alone(const struct og_unit *unit, unsigned misses) { return !unit->complete && unit->misses[misses] == 0; }

/* Jumps where the wave's EXEC is full, or where it is not. */
static uint32_t jump_if_full(struct og_unit *unit, bool full) {
  og_emit_immediate(&unit->code, !unit->wave32, 7, og_in_wave(OG_AT_S(OG_S_EXEC)), UINT32_MAX);
  return og_emit_jump(&unit->code, full ? 0x84 : 0x85);
}

uint32_t og_emit_missed(struct og_unit *unit, unsigned which) {
  og_emit_immediate(&unit->code, false, 0, og_misses_place(unit, which), 1);
  og_emit_load_constant(&unit->code, OG_R8, 1);
  return og_emit_jump(&unit->code, 0);
}

static void call_interpreter(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_encoder *e = &unit->code;
  const struct og_item *last = stretch->branch ? stretch->branch : &unit->items[stretch->to - 1];
  og_emit_general(e, true, 0x8b, OG_RDI, og_place_register(OG_RBX));
  og_emit_load_constant(e, OG_RSI, (uintptr_t)unit->items[stretch->from].op);
  og_emit_load_constant(e, OG_RDX, (uintptr_t)last->op);
  og_emit_load_constant(e, OG_RCX, (uintptr_t)unit->items[0].op);
  og_emit_load_constant(e, OG_RAX, (uintptr_t)do_anew);
  og_emit_byte(e, 0xc5), og_emit_byte(e, 0xf8), og_emit_byte(e, 0x77); /* VZEROUPPER */
  og_emit_general(e, false, 0xff, 2, og_place_register(OG_RAX));       /* call */
  og_emit_load_constant(e, OG_RCX, (uintptr_t)og_next(last->op));
  og_emit_general(e, true, 0x3b, OG_RAX, og_place_register(OG_RCX));
  unit->exits[unit->exit_count++] = og_emit_jump(e, 0x85);
  if (stretch->branch)
    og_emit_set_stopped(unit, 0);
  og_add_end(unit, og_emit_jump(e, 0));
}

/* Target of faulting accesses, and of misses with strips behind them that have changed VGPRs: these become what they
 * were. */
static void restore_strips(struct og_unit *unit) {
  struct og_encoder *e = &unit->code;
  for (uint32_t i = 0; i < unit->fault_count; i++)
    og_emit_land(e, unit->faults[i]);
  og_emit_general(e, false, 0x33, OG_R8, og_place_register(OG_R8));
  uint32_t strip = e->at;
  og_emit_general(e, false, 0x8b, OG_R13, og_place_register(OG_R12));
  og_emit_general(e, false, 0xc1, 5, og_place_register(OG_R13)), og_emit_byte(e, 5);
  uint32_t none = jump_if_none_active(unit); /* it was passed by, or has changed no lane */
  og_copy_saved(unit, true);
  og_emit_land(e, none);
  if (unit->missed_strip)
    og_emit_land(e, unit->missed_strip);
  og_emit_immediate(e, false, 5, og_place_register(OG_R12), og_strip_bytes(unit));
  og_emit_jump_to(e, 0x83, strip); /* not below 0 */
}

/* Where strips could not do what they began with, or code has no version: `left_out`, or 0. */
static void emit_anew(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept,
                      uint32_t left_out) {
  struct og_encoder *e = &unit->code;
  uint32_t call = 0;
  if (left_out) {
    og_emit_land(e, left_out);
    og_emit_load_constant(e, OG_R8, 1);
    call = og_emit_jump(e, 0);
  }
  if (unit->fault_count || unit->missed_strip)
    restore_strips(unit);
  if (unit->missed)
    og_emit_land(e, unit->missed);
  og_copy_kept(unit, kept, kept->count, true);
  if (stretch->branch)
    og_copy_budget(unit, true);
  if (call)
    og_emit_land(e, call);
  call_interpreter(unit, stretch);
}

/* ---- a stretch --------------------------------------------------------------------------------------------------- */

uint32_t og_emit_next_strip(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept,
                            unsigned lanes, uint32_t strip) {
  struct og_encoder *e = &unit->code;
  og_emit_immediate(e, false, 0, og_place_register(OG_R12), 4 * lanes);
  og_emit_immediate(e, false, 0, og_place_register(OG_R13), lanes / 8);
  og_emit_immediate(e, false, 7, og_place_register(OG_R12), unit->wave32 ? 128 : 256);
  if (kept->strips == 0 && !stretch->branch) {
    og_emit_jump_to(e, 0x82, strip);
    return og_emit_jump(e, 0);
  }
  uint32_t done = og_emit_jump(e, 0x83);
  og_copy_kept(unit, kept, kept->strips, true);
  if (stretch->branch)
    og_copy_budget(unit, true);
  og_emit_jump_to(e, 0, strip);
  return done;
}

/* ---- strips without an active lane ------------------------------------------------------------------------------- */

static bool writes_mask(const struct og_item *item) {
  return item->kind == OG_ITEM_VECTOR && item->types->flags & OG_VECTOR_CARRY_OUT;
}
bool og_is_repeated(const struct og_unit *unit, const struct og_item *item) {
  return item->kind == OG_ITEM_SCALAR && !unit->hoisted && item != unit->loop_test;
}

/* Whether scalars or masks come of such. */
static bool leaves_something(const struct og_unit *unit, const struct og_stretch *stretch) {
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (writes_mask(&unit->items[i]) || og_is_repeated(unit, &unit->items[i]))
      return true;
  return stretch->branch != NULL;
}

/* What other strips do of scalars, and as often. */
static void emit_repeated(struct og_unit *unit, const struct og_stretch *stretch) {
  uint32_t head = unit->code.at;
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (og_is_repeated(unit, &unit->items[i]))
      og_emit_scalar_item(unit, &unit->items[i]);
  if (stretch->branch)
    og_emit_loop_branch(unit, stretch, head);
}

/* No lane has a bit in the masks that the stretch writes. */
static void clear_masks(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_encoder *e = &unit->code;
  og_emit_general(e, false, 0x33, OG_RCX, og_place_register(OG_RCX));
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    const struct og_item *item = &unit->items[i];
    if (!writes_mask(item))
      continue;
    if (e->wide)
      og_emit_byte(e, 0x66); /* a word */
    og_emit_general(e, false, e->wide ? 0x89 : 0x88, OG_RCX, og_mask_place(unit, item->does->d2));
  }
}

/* On to the next strip that has an active lane; yields the jump where there is none. */
static uint32_t emit_skip(struct og_unit *unit, uint32_t strip) {
  struct og_encoder *e = &unit->code;
  struct og_place in_rax = og_place_register(OG_RAX), in_rcx = og_place_register(OG_RCX);
  og_emit_general(e, !unit->wave32, 0x8b, OG_RAX, og_in_wave(OG_AT_S(OG_S_EXEC)));
  og_emit_general(e, false, 0x8b, OG_RCX, og_place_register(OG_R13));
  og_emit_general(e, false, 0xc1, 4, in_rcx), og_emit_byte(e, 3);
  og_emit_general(e, true, 0xd3, 5, in_rax); /* shr rax, cl */
  og_emit_general(e, true, 0x1bc, OG_RAX, in_rax); /* bsf */
  uint32_t done = og_emit_jump(e, 0x84);
  og_emit_immediate(e, false, 4, in_rax, ~(og_strip_bytes(unit) / 4 - 1)); /* of its strip */
  og_emit_general(e, false, 0x03, OG_RCX, in_rax);
  og_emit_general(e, false, 0x8b, OG_R12, in_rcx);
  og_emit_general(e, false, 0xc1, 4, og_place_register(OG_R12)), og_emit_byte(e, 2);
  og_emit_general(e, false, 0x8b, OG_R13, in_rcx);
  og_emit_general(e, false, 0xc1, 5, og_place_register(OG_R13)), og_emit_byte(e, 3);
  og_emit_jump_to(e, 0, strip);
  return done;
}

static void emit_vector(struct og_unit *unit, const struct og_item *item) {
  for (unsigned half = 0; half < og_halves(unit); half++) {
    og_begin_half(unit, item, half);
    og_emit_vector_item(unit, item);
  }
  og_set_half(unit, 0);
}

static void emit_items(struct og_unit *unit, const struct og_stretch *stretch) {
  unit->carry = OG_NO_CARRY;
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    const struct og_item *item = &unit->items[i];
    if (item->kind == OG_ITEM_VECTOR)
      emit_vector(unit, item);
    else if (og_is_repeated(unit, item))
      og_emit_scalar_item(unit, item);
    else if (item->kind == OG_ITEM_MEMORY)
      og_emit_memory_item(unit, item);
  }
}

/* ---- few operations, of all lanes -------------------------------------------------------------------------------- */

enum { FEW = 3 };

bool og_is_short(const struct og_unit *unit, const struct og_stretch *stretch) {
  uint32_t count = 0;
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    count += unit->items[i].kind == OG_ITEM_VECTOR || unit->items[i].kind == OG_ITEM_MEMORY;
    if (og_is_repeated(unit, &unit->items[i]))
      return false;
  }
  return count <= FEW && !stretch->branch;
}

/* Strip after strip without a loop. */
static void emit_short(struct og_unit *unit, const struct og_stretch *stretch) {
  og_allocate(unit, stretch, false);
  unit->unrolled = true;
  for (; unit->strip < og_strip_count(unit); unit->strip++) {
    og_load_held(unit, false);
    emit_items(unit, stretch);
    og_store_held(unit);
  }
  unit->unrolled = false;
  unit->strip = 0;
  og_end_halves(unit);
  og_add_end(unit, og_emit_jump(&unit->code, 0));
}

/* ---- all of a stretch -------------------------------------------------------------------------------------------- */

void og_add_end(struct og_unit *unit, uint32_t jump) { unit->ends[unit->end_count++] = jump; }
static void land_ends(struct og_unit *unit) {
  while (unit->end_count > 0)
    og_emit_land(&unit->code, unit->ends[--unit->end_count]);
}

/* Nothing goes on behind its code: strips end with jumps behind all versions. */
static void emit_version(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept,
                         bool shaped) {
  struct og_encoder *e = &unit->code;
  bool memory = moves(unit, stretch), calls = og_stretch_calls(unit, stretch);
  bool loads_all = calls || stretch->branch || unit->masked;
  og_emit_general(e, false, 0x33, OG_R12, og_place_register(OG_R12));
  og_emit_general(e, false, 0x33, OG_R13, og_place_register(OG_R13));
  uint32_t strip = e->at;
  if (shaped && (unit->shapes.sure ? og_emit_sure : og_emit_shaped)(unit, stretch, kept))
    return;
  unsigned strips = !shaped && og_allocate_two(unit, stretch) ? 2 : 1;
  if (strips == 1)
    og_allocate(unit, stretch, false);
  if (calls)
    og_emit_move_routine(unit, false);
  if (!shaped || unit->shapes.sure)
    strip = e->at;
  if (stretch->branch)
    og_emit_set_stopped(unit, 0);
  uint32_t none = unit->masked ? jump_if_none_active(unit) : 0;
  load_exec(unit);
  og_load_held(unit, loads_all);
  if (memory)
    og_copy_saved(unit, false);
  uint32_t head = e->at;
  emit_items(unit, stretch);
  if (stretch->branch)
    og_emit_loop_branch(unit, stretch, head);
  og_store_held(unit);
  og_end_halves(unit);
  if (none && leaves_something(unit, stretch)) {
    uint32_t over = og_emit_jump(e, 0);
    og_emit_land(e, none);
    emit_repeated(unit, stretch);
    clear_masks(unit, stretch);
    og_emit_land(e, over);
    none = 0;
  }
  og_add_end(unit, og_emit_next_strip(unit, stretch, kept, strips * og_strip_bytes(unit) / 4, strip));
  if (none) {
    og_emit_land(e, none);
    og_add_end(unit, emit_skip(unit, strip));
  }
}

/* What follows a loop whose budget came to its end. */
static void emit_stop(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_encoder *e = &unit->code;
  og_emit_immediate(e, false, 7, slot(SLOT_STOPPED), 0);
  uint32_t on = og_emit_jump(e, 0x84);
  og_emit_resume(unit, unit->items[stretch->from].op);
  og_emit_land(e, on);
}

/* Only scalars: once. */
static bool is_scalar(const struct og_unit *unit, const struct og_stretch *stretch) {
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (unit->items[i].kind == OG_ITEM_VECTOR || unit->items[i].kind == OG_ITEM_MEMORY)
      return false;
  return stretch->branch == NULL;
}

/* Keeps a mask as it was: its item is the only one. */
static void keep_before(struct og_unit *unit, const struct og_stretch *stretch) {
  const struct og_item *item = &unit->items[stretch->from];
  struct og_scalar_set reads, writes, masks;
  og_find_scalars(unit, item, &reads, &writes, &masks);
  unit->before = OG_NO_CARRY;
  if (!og_reads_before(item, &reads, &masks))
    return;
  unit->before = item->does->d2;
  for (unsigned i = 0; i < (unit->wave32 ? 1u : 2u); i++) {
    og_emit_general(&unit->code, false, 0x8b, OG_RAX, og_in_wave(unit->before + 4 * i));
    og_emit_general(&unit->code, false, 0x89, OG_RAX, og_before_place(i));
  }
}

/* For all lanes. */
static void emit_full(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept) {
  unit->masked = false;
  if (og_emit_whole(unit, stretch, kept))
    return;
  bool shaped = og_find_shapes(unit, stretch);
  if (!shaped && og_is_short(unit, stretch) && !og_stretch_calls(unit, stretch))
    emit_short(unit, stretch);
  else
    emit_version(unit, stretch, kept, shaped);
}

void og_emit_stretch(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_encoder *e = &unit->code;
  struct og_kept kept;
  unit->fault_count = unit->end_count = unit->missed = unit->missed_strip = 0;
  unit->loop_test = find_loop_test(unit, stretch);
  unit->stretch_end = unit->items + stretch->to;
  if (is_scalar(unit, stretch)) {
    for (uint32_t i = stretch->from; i < stretch->to; i++)
      if (unit->items[i].kind == OG_ITEM_SCALAR)
        og_emit_scalar_item(unit, &unit->items[i]);
    return;
  }
  unsigned wanted = wanted_versions(unit, stretch);
  uint32_t left_out = wanted == OG_SEEN_BOTH ? 0 : jump_if_full(unit, wanted == OG_SEEN_PARTLY);
  if (stretch->branch) /* the loop may end with its budget */
    og_emit_fresh_lanes(unit);
  find_kept(unit, stretch, &kept);
  if (og_find_hoisted(unit, stretch))
    kept.strips = 0;
  og_copy_kept(unit, &kept, moves(unit, stretch) ? kept.count : kept.strips, false);
  if (stretch->branch)
    og_copy_budget(unit, false);
  if (unit->hoisted)
    og_emit_hoisted(unit, stretch);
  keep_before(unit, stretch);
  og_find_touched(unit, stretch);
  uint32_t partly = wanted == OG_SEEN_BOTH ? jump_if_full(unit, false) : 0;
  if (wanted & OG_SEEN_FULL)
    emit_full(unit, stretch, &kept);
  if (partly)
    og_emit_land(e, partly);
  unit->masked = true;
  if (wanted & OG_SEEN_PARTLY)
    emit_version(unit, stretch, &kept, false);
  if (left_out || unit->missed || unit->missed_strip || unit->fault_count)
    emit_anew(unit, stretch, &kept, left_out);
  land_ends(unit);
  if (stretch->branch)
    emit_stop(unit, stretch);
  og_release(unit, stretch);
  og_undo_hoisting(unit);
}
