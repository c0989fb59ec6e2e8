/* memory.c - loads and stores by one strip: where they go. Its lanes' offsets from the start of what may be touched are
 * held against the size at once; then move.c moves lanes that are side by side, all at one place, or each for itself.
 * What is not plainly within reach goes to the interpreter, for this strip alone. Where not all lanes are active, the
 * others get the first active one's address, so that the same checks do for all, and nothing is moved for them. */
#include "tier/access.h"

#include <string.h>

/* ---- small pieces ------------------------------------------------------------------------------------------------ */

/* Of a strip that is partly active: OG_P1 gets the first active lane's number. */
static void find_first_active(struct og_unit *unit) {
  og_emit_active(unit, OG_RSI);
  og_emit_general(&unit->code, false, 0x1bc, OG_RCX, in_rsi); /* bsf */
  spread_general(unit, OG_P1, OG_RCX);
}
/* VPERMD: what the first active lane has, in all lanes. */
static void spread_active(struct og_unit *unit, unsigned to, struct og_place from) {
  og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x36), to, OG_P1, from, 0, false);
}
/* A register with all lanes' addresses. */
static unsigned address_register(struct og_unit *unit, unsigned vgpr, unsigned spare) {
  if (!unit->partly)
    return in_register(unit, vgpr, spare);
  unsigned from = in_register(unit, vgpr, OG_P0);
  spread_active(unit, spare, og_place_register(from));
  merge(unit, spare, from);
  return spare;
}

uint32_t og_jump_unless(struct og_unit *unit, unsigned lanes, bool all) {
  struct og_encoder *e = &unit->code;
  if (e->wide) {
    e->wide = false; /* KORTESTW k3, k3: CF where all are set */
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x98), OG_K_TEMPORARY, 0, og_place_register(OG_K_TEMPORARY));
    e->wide = true;
    return og_emit_jump(e, all ? 0x83 : 0x82);
  }
  og_emit_vector(e, OG_VEX(0, 1, 0, 0x50), OG_RSI, 0, og_place_register(lanes), 0, false);
  og_emit_immediate(e, false, 7, in_rsi, 0xff);
  return og_emit_jump(e, all ? 0x85 : 0x84);
}
/* first == last in all lanes. */
static void equal(struct og_unit *unit, unsigned lanes, unsigned first, struct og_place last) {
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0x76), unit->code.wide ? OG_K_TEMPORARY : lanes, first, last, 0, false);
}

/* ---- where lanes go ---------------------------------------------------------------------------------------------- */

/* Jumps to the interpreter's way. */
struct slow {
  uint32_t jumps[32], count;
};
static void or_slow(struct slow *slow, uint32_t jump) { slow->jumps[slow->count++] = jump; }

static uint32_t window_offset(const struct og_item *item) {
  unsigned at = ((uintptr_t)item->op / sizeof *item->op) % OG_WINDOWS;
  return (uint32_t)((item->write ? offsetof(struct og_windows, write) : offsetof(struct og_windows, read)) +
                    at * sizeof(struct og_window));
}

struct og_place og_window_place(const struct og_item *item, size_t field) {
  return og_place_memory(OG_R14, -1, window_offset(item) + (uint32_t)field);
}

/* RAX: the host's address of what offsets count from; RDX: the largest offset that may be; AT_INDEX: the lanes'
 * offsets. */
static void aim_lds(struct og_unit *unit, const struct og_item *item, struct slow *slow) {
  struct og_encoder *e = &unit->code;
  unsigned address = address_register(unit, og_vgpr_of(item->op->s[0]), AT_INDEX);
  uint32_t add = (uint32_t)item->op->constant[0];
  if (add) {
    struct og_place place = og_constant_place(e, add);
    if (e->wide) {
      place.broadcast = true;
    } else {
      og_emit_vector(e, OG_VEX(1, 2, 0, 0x58), AT_T0, 0, place, 0, false);
      place = og_place_register(AT_T0);
    }
    og_emit_vector(e, OG_VEX(1, 1, 0, 0xfe), AT_INDEX, address, place, 0, false);
  } else if (address != AT_INDEX) {
    og_emit_load(unit, AT_INDEX, og_place_register(address));
  }
  og_emit_general(e, true, 0x8b, OG_RAX, og_place_register(OG_R15));
  og_emit_general(e, false, 0x8b, OG_RDX, og_in_wave((uint32_t)offsetof(struct og_wave, lds_size)));
  og_emit_immediate(e, false, 5, in_rdx, og_access_end(item->access));
  or_slow(slow, og_emit_jump(e, 0x82));
}

/* Flat addresses whose upper half, in RAX, is that of LDS: as aim_lds() has it. Yields the jump from there; 0: the
 * handler is to do such. */
static uint32_t aim_flat_lds(struct og_unit *unit, const struct og_item *item, struct slow *slow) {
  struct og_encoder *e = &unit->code;
  uint64_t add = item->op->constant[0];
  if (add > INT32_MAX || unit->program->target.processor->generation < OG_GFX900)
    return 0;
  og_emit_immediate(e, false, 7, in_rax, OG_SHARED_APERTURE);
  uint32_t elsewhere = og_emit_jump(e, 0x85);
  og_emit_general(e, true, 0x8b, OG_RAX, og_place_register(OG_R15));
  og_emit_immediate(e, true, 0, in_rax, (uint32_t)add);
  og_emit_general(e, false, 0x8b, OG_RDX, og_in_wave((uint32_t)offsetof(struct og_wave, lds_size)));
  og_emit_immediate(e, true, 5, in_rdx, (uint32_t)add + og_access_end(item->access));
  or_slow(slow, og_emit_jump(e, 0x82));
  unsigned low = address_register(unit, og_vgpr_of(item->op->s[0]), AT_INDEX);
  if (low != AT_INDEX)
    og_emit_load(unit, AT_INDEX, og_place_register(low));
  uint32_t found = og_emit_jump(e, 0);
  og_emit_land(e, elsewhere);
  return found;
}

/* The reach of what the window lets through, as offsets from what all lanes' addresses have in common: RCX to RDX. */
static void aim_global(struct og_unit *unit, const struct og_item *item, struct slow *slow) {
  struct og_encoder *e = &unit->code;
  const struct og_operation *op = item->op;
  unsigned low_vgpr = og_vgpr_of(op->s[0]), low;
  uint32_t in_lds = 0;
  struct og_place start = og_place_memory(OG_R14, -1, window_offset(item)), size = start, shift = start;
  size.offset += (int)offsetof(struct og_window, size);
  shift.offset += (int)offsetof(struct og_window, shift);
  if (og_has_lane_addresses(item->access)) {
    unsigned high = address_register(unit, low_vgpr + 1, AT_T0);
    first_lane(unit, OG_RAX, high);
    spread_first(unit, AT_T2, high);
    equal(unit, AT_T2, high, og_place_register(AT_T2));
    or_slow(slow, og_jump_unless(unit, AT_T2, true));
    if (item->access->addressing == OG_ADDRESS_FLAT)
      in_lds = aim_flat_lds(unit, item, slow);
    og_emit_general(e, true, 0xc1, 4, in_rax), og_emit_byte(e, 32);
  } else if (op->s[1] == OG_AT_S(OG_S_ZERO)) {
    og_emit_load_constant(e, OG_RAX, op->constant[1]);
  } else {
    og_emit_general(e, true, 0x8b, OG_RAX, og_in_wave(op->s[1]));
  }
  if (op->constant[0])
    og_emit_immediate(e, true, 0, in_rax, (uint32_t)op->constant[0]);
  og_emit_general(e, true, 0x8b, OG_RCX, start);
  og_emit_general(e, true, 0x8b, OG_RDX, og_place_register(OG_RCX));
  og_emit_general(e, true, 0x03, OG_RDX, size);
  og_emit_load_constant(e, OG_RSI, 0);
  og_emit_general(e, true, 0x2b, OG_RCX, in_rax);
  og_emit_general(e, true, 0x142, OG_RCX, in_rsi); /* cmovb: it starts before */
  og_emit_immediate(e, true, 5, in_rdx, og_access_end(item->access));
  or_slow(slow, og_emit_jump(e, 0x82)); /* the empty window */
  og_emit_general(e, true, 0x2b, OG_RDX, in_rax);
  or_slow(slow, og_emit_jump(e, 0x82));
  og_emit_load_constant(e, OG_RSI, UINT32_MAX);
  og_emit_general(e, true, 0x3b, OG_RDX, in_rsi);
  og_emit_general(e, true, 0x147, OG_RDX, in_rsi); /* cmova */
  og_emit_general(e, true, 0x2b, OG_RDX, in_rcx);
  og_emit_immediate(e, true, 7, in_rdx, INT32_MAX); /* indices are signed; what is negative is larger, too */
  or_slow(slow, og_emit_jump(e, 0x87));
  og_emit_general(e, true, 0x03, OG_RAX, in_rcx);
  og_emit_general(e, true, 0x03, OG_RAX, shift);
  low = address_register(unit, low_vgpr, AT_INDEX);
  spread_general(unit, AT_T0, OG_RCX);
  og_emit_registers(unit, OG_VEX(1, 1, 0, 0xfa), AT_INDEX, low, AT_T0);
  if (in_lds)
    og_emit_land(e, in_lds);
}

static void check_reach(struct og_unit *unit, struct slow *slow) {
  struct og_encoder *e = &unit->code;
  spread_general(unit, AT_T0, OG_RDX);
  if (e->wide) { /* index <= most */
    og_emit_vector(e, OG_VEX(1, 3, 0, 0x1e), OG_K_TEMPORARY, AT_INDEX, og_place_register(AT_T0), 0, false);
    og_emit_byte(e, 2);
  } else {
    og_emit_registers(unit, OG_VEX(1, 2, 0, 0x3f), AT_T2, AT_INDEX, AT_T0);
    og_emit_registers(unit, OG_VEX(1, 1, 0, 0x76), AT_T2, AT_T2, AT_T0);
  }
  or_slow(slow, og_jump_unless(unit, AT_T2, true));
}

/* ---- the common shapes of global memory -------------------------------------------------------------------------- */

/* Bytes ahead: waves that start next often read on from there. */
enum { PREFETCHED = 4096 };
void og_emit_prefetch(struct og_unit *unit, struct og_place row) { /* PREFETCHT0 */
  row.offset += PREFETCHED;
  og_emit_general(&unit->code, false, 0x118, 1, row);
}

unsigned og_emit_check_window(struct og_unit *unit, const struct og_item *item, uint32_t bytes, uint32_t jumps[2]) {
  struct og_encoder *e = &unit->code;
  struct og_place start = og_place_memory(OG_R14, -1, window_offset(item)), size = start, shift = start;
  size.offset += (int)offsetof(struct og_window, size);
  shift.offset += (int)offsetof(struct og_window, shift);
  og_emit_general(e, true, 0x8b, OG_RDX, in_rax);
  og_emit_general(e, true, 0x8b, OG_RSI, size);
  og_emit_general(e, true, 0x2b, OG_RDX, start);
  og_emit_immediate(e, true, 5, in_rsi, bytes);
  jumps[0] = og_emit_jump(e, 0x82);
  og_emit_general(e, true, 0x3b, OG_RDX, in_rsi);
  jumps[1] = og_emit_jump(e, 0x87);
  og_emit_general(e, true, 0x03, OG_RAX, shift);
  return 2;
}

/* Jumps where not all lanes are as far from the first one, in AT_T0, as the row says; `whole`: and have its upper half,
 * which k3 or AT_T2 says. */
static uint32_t jump_unless_shape(struct og_unit *unit, struct og_place row, bool whole) {
  struct og_encoder *e = &unit->code;
  if (!e->wide) {
    og_emit_vector(e, OG_VEX(1, 1, 0, 0x76), OG_P0, AT_T0, row, 0, false);
    if (whole)
      og_emit_registers(unit, OG_VEX(1, 1, 0, 0xdb), OG_P0, OG_P0, AT_T2);
    return og_jump_unless(unit, OG_P0, true);
  }
  og_emit_vector(e, OG_VEX(1, 1, 0, 0x76), OG_K_SHAPE, AT_T0, row, whole ? OG_K_TEMPORARY : 0, false);
  e->wide = false;
  og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x98), OG_K_SHAPE, 0, og_place_register(OG_K_SHAPE));
  e->wide = true;
  return og_emit_jump(e, 0x83);
}

/* RAX: what all lanes' addresses have above the first one's lower half, in RCX; whether they have that, AT_T2 or k3
 * says. */
static void find_base(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  const struct og_operation *op = item->op;
  if (og_has_lane_addresses(item->access)) {
    unsigned high = in_register(unit, og_vgpr_of(op->s[0]) + 1, AT_DATA);
    first_lane(unit, OG_RAX, high);
    spread_first(unit, AT_T2, high);
    equal(unit, AT_T2, high, og_place_register(AT_T2));
    og_emit_general(e, true, 0xc1, 4, in_rax), og_emit_byte(e, 32);
  } else if (op->s[1] == OG_AT_S(OG_S_ZERO)) {
    og_emit_load_constant(e, OG_RAX, op->constant[1]);
  } else {
    og_emit_general(e, true, 0x8b, OG_RAX, og_in_wave(op->s[1]));
  }
  og_emit_general(e, true, 0x03, OG_RAX, in_rcx);
  if (op->constant[0])
    og_emit_immediate(e, true, 0, in_rax, (uint32_t)op->constant[0]);
}

uint32_t og_jump_unless_in_lds(struct og_unit *unit, uint32_t bytes) {
  struct og_encoder *e = &unit->code;
  og_emit_general(e, true, 0x8d, OG_RDX, og_place_memory(OG_RCX, -1, bytes)); /* lea */
  og_emit_general(e, false, 0x8b, OG_RAX, og_in_wave((uint32_t)offsetof(struct og_wave, lds_size)));
  og_emit_general(e, true, 0x3b, OG_RDX, in_rax);
  return og_emit_jump(e, 0x87);
}

/* Lanes side by side whose lower halves do not wrap, or all at one place: no more than the first one's address is
 * worked out. Else on to `other`. Yields the jump to the end of a uniform load, 0: there is none. */
static uint32_t move_soon(struct og_unit *unit, const struct og_item *item, struct slow *other) {
  struct og_encoder *e = &unit->code;
  const struct og_operation *op = item->op;
  unsigned low = in_register(unit, og_vgpr_of(op->s[0]), AT_INDEX);
  bool whole = og_has_lane_addresses(item->access), lds = item->access->addressing == OG_ADDRESS_LDS;
  struct og_place at =
      lds ? og_place_memory(OG_R15, OG_RCX, (uint32_t)op->constant[0]) : og_place_memory(OG_RAX, -1, 0);
  first_lane(unit, OG_RCX, low);
  spread_first(unit, AT_T0, low);
  og_emit_registers(unit, OG_VEX(1, 1, 0, 0xfa), AT_T0, low, AT_T0);
  if (!lds)
    find_base(unit, item);
  uint32_t not_row = 0, end = 0, step = og_row_step(unit, item), lanes = og_strip_bytes(unit) / 4;
  for (int one = 0; one < (item->write ? 1 : 2); one++) {
    uint32_t bytes = one || og_access_pieces(item->access) > 1 ? og_access_end(item->access) : step;
    bytes += one ? 0 : (lanes - 1) * step;
    uint32_t jump = jump_unless_shape(unit, iota(unit, one ? 0 : step), whole);
    if (one || item->write)
      or_slow(other, jump);
    else
      not_row = jump;
    if (lds) {
      or_slow(other, og_jump_unless_in_lds(unit, (uint32_t)op->constant[0] + bytes));
    } else {
      if (!one) {
        og_emit_immediate(e, false, 7, in_rcx, -(lanes * step));
        or_slow(other, og_emit_jump(e, 0x87));
      }
      other->count += og_emit_check_window(unit, item, bytes, other->jumps + other->count);
      if (!one && !item->write)
        og_emit_prefetch(unit, at);
    }
    (one ? og_load_one : og_move_row)(unit, item, at);
    if (!one && !item->write) {
      end = og_emit_jump(e, 0);
      og_emit_land(e, not_row);
    }
  }
  return end;
}

/* ---- an access --------------------------------------------------------------------------------------------------- */

/* In masked code: over it where no lane is active; `partly`: the jump where not all are. The bits are taken from the
 * wave: they are there long before the lanes made of them. */
static uint32_t check_active(struct og_unit *unit, uint32_t *partly) {
  struct og_encoder *e = &unit->code;
  og_emit_active(unit, OG_RSI);
  og_emit_general(e, false, 0x85, OG_RSI, in_rsi);
  uint32_t done = og_emit_jump(e, 0x84);
  og_emit_immediate(e, false, 7, in_rsi, e->wide ? 0xffff : 0xff);
  *partly = og_emit_jump(e, 0x85);
  return done;
}

/* Jumps where not all active lanes are `step` bytes behind the one before; AT_T0 has distances from the first active
 * one. RCX, that one's offset, becomes what lane 0 would have. */
static uint32_t jump_unless_row(struct og_unit *unit, unsigned step) {
  struct og_encoder *e = &unit->code;
  if (!unit->partly) {
    equal(unit, AT_T2, AT_T0, iota(unit, step));
    return og_jump_unless(unit, AT_T2, true);
  }
  og_emit_load(unit, OG_P0, iota(unit, step));
  spread_active(unit, AT_T2, og_place_register(OG_P0));
  first_lane(unit, OG_RSI, AT_T2);
  og_emit_general(e, true, 0x2b, OG_RCX, in_rsi);
  og_emit_registers(unit, OG_VEX(1, 1, 0, 0xfa), AT_T2, OG_P0, AT_T2);
  equal(unit, AT_T2, AT_T0, og_place_register(AT_T2));
  if (e->wide) { /* lanes that differ, and are active */
    e->wide = false;
    struct og_place active = og_place_register(OG_K_EXEC), compared = og_place_register(OG_K_TEMPORARY);
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x42), OG_K_TEMPORARY, OG_K_TEMPORARY, active, 0, false); /* KANDNW */
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x98), OG_K_TEMPORARY, 0, compared);                  /* KORTESTW */
    e->wide = true;
  } else {
    og_emit_registers(unit, OG_VEX(1, 1, 0, 0xdf), AT_T2, AT_T2, OG_EXEC_LANES); /* VPANDN */
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x50), OG_RSI, 0, og_place_register(AT_T2), 0, false);
    og_emit_general(e, false, 0x85, OG_RSI, in_rsi);
  }
  return og_emit_jump(e, 0x85);
}

/* Of a strip whose lanes are all active or, `partly`, some: jumps to the end, to `ends`. `scattered`: lanes that are
 * side by side, or all at one place, have gone another way. */
static uint32_t emit_way(struct og_unit *unit, const struct og_item *item, bool scattered, struct slow *slow,
                         uint32_t *ends) {
  struct og_encoder *e = &unit->code;
  uint32_t end_count = 0;
  if (unit->partly)
    find_first_active(unit);
  if (item->access->addressing == OG_ADDRESS_LDS)
    aim_lds(unit, item, slow);
  else
    aim_global(unit, item, slow);
  check_reach(unit, slow);
  if (scattered) {
    og_move_any(unit, item);
    ends[end_count++] = og_emit_jump(e, 0);
    return end_count;
  }
  first_lane(unit, OG_RCX, AT_INDEX);
  spread_first(unit, AT_T0, AT_INDEX);
  og_emit_registers(unit, OG_VEX(1, 1, 0, 0xfa), AT_T0, AT_INDEX, AT_T0); /* distances from the first lane */
  if (!item->write) {
    equal(unit, AT_T2, AT_T0, iota(unit, 0));
    uint32_t other = og_jump_unless(unit, AT_T2, true);
    og_load_one(unit, item, at_index(OG_RCX, 0));
    ends[end_count++] = og_emit_jump(e, 0);
    og_emit_land(e, other);
  }
  if (og_row_step(unit, item)) {
    uint32_t other = jump_unless_row(unit, og_row_step(unit, item));
    if (!item->write && item->access->addressing != OG_ADDRESS_LDS)
      og_emit_prefetch(unit, at_index(OG_RCX, 0));
    og_move_row(unit, item, at_index(OG_RCX, 0));
    ends[end_count++] = og_emit_jump(e, 0);
    og_emit_land(e, other);
  }
  og_move_any(unit, item);
  ends[end_count++] = og_emit_jump(e, 0);
  return end_count;
}

void og_emit_strip_call(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  og_emit_load_constant(e, OG_RSI, (uintptr_t)item->op);
  og_emit_load_constant(e, OG_RCX, (uintptr_t)item->handler);
  og_emit_byte(e, 0xe8); /* call */
  og_emit_u32(e, unit->move_routine - (e->at + 4));
}

void og_emit_move_call(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  og_emit_strip_call(unit, item);
  og_emit_general(e, true, 0x85, OG_RAX, in_rax);
  unit->faults[unit->fault_count++] = og_emit_jump(e, 0x85);
}

void og_emit_memory_item(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  struct slow slow = {.count = 0};
  uint32_t ends[16], end_count = 0, partly = 0;
  bool soon = og_row_step(unit, item) != 0;
  if (unit->masked)
    ends[end_count++] = check_active(unit, &partly);
  if (soon) {
    struct slow other = {.count = 0};
    uint32_t end = move_soon(unit, item, &other);
    if (end)
      ends[end_count++] = end;
    ends[end_count++] = og_emit_jump(e, 0);
    for (uint32_t i = 0; i < other.count; i++)
      og_emit_land(e, other.jumps[i]);
  }
  if (unit->masked)
    og_emit_land(e, partly);
  unit->partly = unit->masked;
  bool scattered = soon && !unit->partly && item->access->addressing != OG_ADDRESS_FLAT; /* those may be in LDS */
  end_count += emit_way(unit, item, scattered, &slow, ends + end_count);
  unit->partly = false;
  for (uint32_t i = 0; i < slow.count; i++)
    og_emit_land(e, slow.jumps[i]);
  og_emit_move_call(unit, item);
  for (uint32_t i = 0; i < end_count; i++)
    og_emit_land(e, ends[i]);
}
