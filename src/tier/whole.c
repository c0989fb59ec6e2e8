/* whole.c - the version of a stretch, of all lanes, for LDS addresses that go from lane to lane by a dword in the whole
 * wave, as those of a work-group's numbers do. They are looked at once, before the first strip. Then a strip's place is
 * the first one's and R12, nothing can be in the way, and nothing has to be kept. */
#include "tier/access.h"
#include "tier/rows.h"

enum { SAME = OG_P1, WANTED = OG_T0, FOUND = OG_T1 };

/* Address registers of the stretch, and which have what: where lane 0 goes, as the host's address. */
static const uint8_t registers[] = {OG_R8, OG_R9, OG_R10, OG_R11, OG_RDI, OG_RBP};
struct bases {
  unsigned vgpr[OG_COUNT(registers)], count;
  bool seen; /* lanes of the wave that came here are side by side */
  uint32_t end[OG_COUNT(registers)]; /* bytes from there to behind the last access of lane 0 */
};

static unsigned lanes_of(const struct og_unit *unit) { return unit->wave32 ? 32 : 64; }

static unsigned find_base(const struct bases *bases, unsigned vgpr) {
  unsigned i = 0;
  while (i < bases->count && bases->vgpr[i] != vgpr)
    i++;
  return i;
}

static bool add_base(struct bases *bases, const struct og_item *item) {
  unsigned vgpr = og_vgpr_of(item->op->s[0]), at = find_base(bases, vgpr);
  if (at == OG_COUNT(registers))
    return false;
  if (at == bases->count) {
    bases->vgpr[bases->count++] = vgpr;
    bases->end[at] = 0;
  }
  bases->end[at] = OG_MAX(bases->end[at], (uint32_t)item->op->constant[0] + og_access_end(item->access));
  return true;
}

static void note_written(struct og_unit *unit, unsigned vgpr, unsigned how) {
  unit->sought_is_written |= vgpr == unit->sought && how & 1;
}

/* Whether lanes of a VGPR may be side by side: they are in the wave that came here, or the block writes it before. */
static bool may_be_row(struct og_unit *unit, unsigned vgpr, const struct og_stretch *stretch) {
  const uint32_t *lanes = unit->wave->v[vgpr];
  unit->sought = (uint16_t)vgpr;
  unit->sought_is_written = false;
  for (uint32_t i = 0; i < stretch->from; i++) {
    og_visit_vgprs(unit, &unit->items[i], note_written);
    unit->sought_is_written |= unit->items[i].kind == OG_ITEM_CALL;
  }
  for (unsigned i = 1; i < lanes_of(unit) && !unit->sought_is_written; i++)
    if (lanes[i] - lanes[i - 1] != 4)
      return false;
  return true;
}

/* Whether there may be such a version; the addresses that it has. */
static bool find_bases(struct og_unit *unit, const struct og_stretch *stretch, struct bases *bases) {
  bases->count = 0;
  bases->seen = true;
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    const struct og_item *item = &unit->items[i];
    if (item->kind == OG_ITEM_VECTOR && (og_is_division(item) || og_is_dpp(item)))
      return false;
    if (item->kind != OG_ITEM_MEMORY)
      continue;
    unsigned vgpr = og_vgpr_of(item->op->s[0]);
    if (item->access->addressing != OG_ADDRESS_LDS || og_row_step(unit, item) != 4 || unit->written[vgpr] ||
        !may_be_row(unit, vgpr, stretch) || !add_base(bases, item))
      return false;
    bases->seen &= !unit->sought_is_written;
  }
  return bases->count > 0 && !stretch->branch;
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* All lanes of a strip are what is WANTED. */
static void compare_strip(struct og_unit *unit, unsigned vgpr) {
  struct og_encoder *e = &unit->code;
  bool first = unit->strip == 0;
  unsigned to = e->wide ? OG_K_TEMPORARY : first ? SAME : FOUND;
  og_emit_vector(e, OG_VEX(1, 1, 0, 0x76), to, WANTED, og_home(unit, vgpr), e->wide && !first ? to : 0, false);
  if (!e->wide && !first)
    og_emit_registers(unit, OG_VEX(1, 1, 0, 0xdb), SAME, SAME, FOUND);
}

/* Yields the jump where lanes are not side by side. Else RCX has the first one's address. */
static uint32_t check_lanes(struct og_unit *unit, unsigned vgpr) {
  struct og_encoder *e = &unit->code;
  og_emit_general(e, false, 0x8b, OG_RCX, og_home(unit, vgpr));
  og_emit_vector(e, OG_VEX(1, 2, 0, 0x58), WANTED, 0, og_home(unit, vgpr), 0, false);
  og_emit_vector(e, OG_VEX(1, 1, 0, 0xfe), WANTED, WANTED, iota(unit, 4), 0, false);
  for (; unit->strip < og_strip_count(unit); unit->strip++) {
    if (unit->strip)
      og_emit_with_constant(unit, OG_VEX(1, 1, 0, 0xfe), WANTED, WANTED, og_strip_bytes(unit));
    compare_strip(unit, vgpr);
  }
  unit->strip = 0;
  return og_jump_unless(unit, SAME, true);
}

static void emit_strip(struct og_unit *unit, const struct og_stretch *stretch, const struct bases *bases) {
  unit->carry = OG_NO_CARRY;
  og_load_held(unit, false);
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    const struct og_item *item = &unit->items[i];
    if (item->kind == OG_ITEM_VECTOR) {
      og_emit_vector_item(unit, item);
    } else if (og_is_repeated(unit, item)) {
      og_emit_scalar_item(unit, item);
    } else if (item->kind == OG_ITEM_MEMORY) {
      enum og_gpr base = registers[find_base(bases, og_vgpr_of(item->op->s[0]))];
      og_move_row(unit, item, og_of_strip(unit, base, (uint32_t)item->op->constant[0]));
    }
  }
  og_store_held(unit);
}

/* Yields the jump behind the last strip. */
static uint32_t emit_strips(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept,
                            const struct bases *bases) {
  struct og_encoder *e = &unit->code;
  if (og_is_short(unit, stretch)) {
    for (; unit->strip < og_strip_count(unit); unit->strip++)
      emit_strip(unit, stretch, bases);
    unit->strip = 0;
    unit->unrolled = false;
    return og_emit_jump(e, 0);
  }
  unit->unrolled = false;
  og_emit_general(e, false, 0x33, OG_R12, og_place_register(OG_R12));
  og_emit_general(e, false, 0x33, OG_R13, og_place_register(OG_R13));
  uint32_t strip = e->at;
  emit_strip(unit, stretch, bases);
  return og_emit_next_strip(unit, stretch, kept, og_strip_bytes(unit) / 4, strip);
}

/* Yields how many jumps there are, where lanes are not side by side or not in LDS; `registers` have addresses. */
static uint32_t check_bases(struct og_unit *unit, const struct bases *bases, uint32_t *missed) {
  uint32_t count = 0;
  for (unsigned i = 0; i < bases->count; i++) {
    missed[count++] = check_lanes(unit, bases->vgpr[i]);
    missed[count++] = og_jump_unless_in_lds(unit, 4 * (lanes_of(unit) - 1) + bases->end[i]);
    og_emit_general(&unit->code, true, 0x8d, registers[i], og_place_memory(OG_R15, OG_RCX, 0)); /* lea */
  }
  return count;
}

bool og_emit_whole(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept) {
  struct og_encoder *e = &unit->code;
  struct bases bases;
  uint32_t missed[2 * OG_COUNT(registers)], other = 0;
  if (!find_bases(unit, stretch, &bases))
    return false;
  bool alone = bases.seen && og_is_alone(unit, OG_MISSES_WHOLE);
  if (!alone) {
    og_emit_immediate(e, false, 7, og_misses_place(unit, OG_MISSES_WHOLE), OG_MISSES_MOST);
    other = og_emit_jump(e, 0x83);
  }
  og_allocate(unit, stretch, false);
  unit->unrolled = true;
  uint32_t missed_count = check_bases(unit, &bases, missed);
  og_add_end(unit, emit_strips(unit, stretch, kept, &bases));
  for (uint32_t i = 0; i < missed_count; i++)
    og_emit_land(e, missed[i]);
  if (alone) {
    unit->missed = og_emit_missed(unit, OG_MISSES_WHOLE);
    return true;
  }
  og_emit_immediate(e, false, 0, og_misses_place(unit, OG_MISSES_WHOLE), 1);
  og_emit_land(e, other);
  return false;
}
