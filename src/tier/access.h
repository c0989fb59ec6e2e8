/* access.h - shared by the address computation of a strip's access (memory.c) and its data movement (move.c). Internal
 * to src/tier.
 *
 * RAX has the host's address that offsets count from, AT_INDEX the lanes' offsets, RCX the first one's; where not all
 * lanes of a strip are active, P1 the first active lane's number, and the others have that one's offset. */
#ifndef OG_TIER_ACCESS_H
#define OG_TIER_ACCESS_H

#include "tier/unit.h"

enum { AT_T0 = OG_T0, AT_INDEX = OG_T1, AT_T2 = OG_T2, AT_DATA = OG_P2 };
/* Rows of a strip on the stack: its offsets, and what is stored. */
enum { INDEX_ROW = OG_FRAME_ROWS, DATA_ROW = INDEX_ROW + 64 };

static const struct og_place in_rax = {.kind = OG_PLACE_REGISTER, .reg = OG_RAX},
                             in_rcx = {.kind = OG_PLACE_REGISTER, .reg = OG_RCX},
                             in_rdx = {.kind = OG_PLACE_REGISTER, .reg = OG_RDX},
                             in_rsi = {.kind = OG_PLACE_REGISTER, .reg = OG_RSI};

static inline unsigned in_register(struct og_unit *unit, unsigned vgpr, unsigned spare) {
  if (unit->host[vgpr])
    return unit->host[vgpr];
  og_emit_load(unit, spare, og_home(unit, vgpr));
  return spare;
}
static inline void first_lane(struct og_unit *unit, enum og_gpr to, unsigned from) {
  og_emit_vector_low(&unit->code, OG_VEX(1, 1, 0, 0x7e), from, 0, og_place_register(to));
}
static inline void spread_first(struct og_unit *unit, unsigned to, unsigned from) {
  og_emit_registers(unit, OG_VEX(1, 2, 0, 0x58), to, 0, from);
}
static inline void spread_general(struct og_unit *unit, unsigned to, enum og_gpr from) {
  og_emit_vector_low(&unit->code, OG_VEX(1, 1, 0, 0x6e), to, 0, og_place_register(from));
  spread_first(unit, to, to);
}
/* Active lanes take what `from` has. */
static inline void merge(struct og_unit *unit, unsigned to, unsigned from) {
  struct og_encoder *e = &unit->code;
  if (e->wide) {
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), to, 0, og_place_register(from), OG_K_EXEC, false);
    return;
  }
  og_emit_vector(e, OG_VEX(1, 3, 0, 0x4a), to, to, og_place_register(from), 0, false); /* VBLENDVPS */
  og_emit_byte(e, OG_EXEC_LANES << 4);
}
static inline struct og_place iota(struct og_unit *unit, unsigned step) {
  uint32_t row[16];
  for (unsigned i = 0; i < 16; i++)
    row[i] = i * step;
  return og_constant_row(&unit->code, row);
}
static inline struct og_place at_index(int index, uint32_t offset) { return og_place_memory(OG_RAX, index, offset); }

/* ---- memory.c ---- */
/* Jumps where not all lanes of a comparison hold: EVEX ones are in k3, VEX ones in a register. `all` false: where all
 * do. */
uint32_t og_jump_unless(struct og_unit *unit, unsigned lanes, bool all);
/* The same where so many bytes from RCX on are not of LDS: sums beyond 32 bits are not. */
uint32_t og_jump_unless_in_lds(struct og_unit *unit, uint32_t bytes);

/* ---- move.c ---- */
/* How far lanes side by side are from each other; 0: none are moved so. */
unsigned og_row_step(const struct og_unit *unit, const struct og_item *item);
/* All of an access's dwords: lanes side by side, the first one at `at`; one place for all; as AT_INDEX says. */
void og_move_row(struct og_unit *unit, const struct og_item *item, struct og_place at);
void og_load_one(struct og_unit *unit, const struct og_item *item, struct og_place at);
void og_move_any(struct og_unit *unit, const struct og_item *item);

#endif
