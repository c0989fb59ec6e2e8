/* move.c - what an access of one strip moves, once it is known where: bytes, shorts and dwords to and from VGPRs'
 * lanes. Lanes side by side are one access of the host's or two, others a gather or scatter, or lane by lane. No other
 * thread may see one half of 64 bits, which may be an atomic access: they are moved as such. */
#include "tier/access.h"

/* ---- widths ------------------------------------------------------------------------------------------------------ */

/* Of a byte or a short, moved to or from a whole register; 0: the access is of dwords. */
static unsigned small_bytes(const struct og_item *item) {
  switch (item->access->width) {
  case OG_WIDTH_U8:
  case OG_WIDTH_I8:
  case OG_WIDTH_U8_HIGH: return 1;
  case OG_WIDTH_U16:
  case OG_WIDTH_I16:
  case OG_WIDTH_16_HIGH: return 2;
  default: return 0;
  }
}
static bool is_signed(const struct og_item *item) {
  return item->access->width == OG_WIDTH_I8 || item->access->width == OG_WIDTH_I16;
}
/* What is stored is the upper half of the register. */
static bool is_high(const struct og_item *item) {
  return item->access->width == OG_WIDTH_U8_HIGH || item->access->width == OG_WIDTH_16_HIGH;
}
/* Numbers of 64 bits, one or two of each lane. */
static bool is_64(const struct og_item *item) {
  return item->access->width == OG_WIDTH_64 || item->access->width == OG_WIDTH_PAIR_64;
}

/* Four dwords, which lane by lane are one access of the host's. */
static bool is_128(const struct og_item *item) { return item->access->width == OG_WIDTH_128; }

unsigned og_row_step(const struct og_unit *unit, const struct og_item *item) {
  bool wide = unit->code.wide;
  if (og_writes_pair(item) && og_rows_meet(item->access, og_strip_bytes(unit) * og_access_dwords(item->access)))
    return 0; /* lane after lane, each to both of its places */
  if (small_bytes(item))
    return wide || !unit->partly ? small_bytes(item) : 0;
  if (is_64(item))
    return unit->partly ? 0 : 8;
  if (is_128(item))
    return unit->partly ? 0 : 16;
  return og_access_dwords(item->access) == 1 ? 4 : 0;
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

/* A row of lanes to or from memory, of active ones alone. */
static void move_active(struct og_unit *unit, bool write, unsigned reg, struct og_place at) {
  if (unit->code.wide)
    og_emit_vector(&unit->code, OG_VEX(0, 1, 0, write ? 0x11 : 0x10), reg, 0, at, OG_K_EXEC, false);
  else /* VMASKMOVPS */
    og_emit_vector(&unit->code, OG_VEX(1, 2, 0, write ? 0x2e : 0x2c), reg, OG_EXEC_LANES, at, 0, false);
}
static void put_data(struct og_unit *unit, unsigned vgpr, unsigned from) {
  if (unit->partly && unit->host[vgpr])
    merge(unit, unit->host[vgpr], from);
  else if (unit->partly)
    og_merge_home(unit, vgpr, from);
  else if (!unit->host[vgpr])
    og_emit_store(unit, og_home(unit, vgpr), from);
  else if (unit->host[vgpr] != from)
    og_emit_load(unit, unit->host[vgpr], og_place_register(from));
}
/* Where loaded data goes first. */
static unsigned data_register(const struct og_unit *unit, unsigned vgpr) {
  return unit->host[vgpr] && !unit->partly ? unit->host[vgpr] : AT_DATA;
}
static struct og_place behind(struct og_place at, uint32_t offset) {
  at.offset += (int)offset;
  return at;
}
static struct og_place index_of(unsigned lane) { return og_place_memory(OG_RSP, -1, INDEX_ROW + 4 * lane); }
static void load_index(struct og_unit *unit, unsigned lane) {
  og_emit_general(&unit->code, false, 0x8b, OG_RCX, index_of(lane));
}
static unsigned lanes_of(const struct og_unit *unit) { return og_strip_bytes(unit) / 4; }

/* Where a lane has no bit in EDX: BT. */
static uint32_t jump_unless_active(struct og_unit *unit, unsigned lane) {
  og_emit_general(&unit->code, false, 0x1ba, 4, in_rdx), og_emit_byte(&unit->code, lane);
  return og_emit_jump(&unit->code, 0x83);
}

static uint32_t piece_offset(const struct og_item *item, unsigned piece) {
  return og_access_pieces(item->access) > 1 ? item->access->piece[piece] : 0;
}

typedef void on_dword(struct og_unit *unit, const struct og_item *item, unsigned vgpr, struct og_place at);

static void each_dword(struct og_unit *unit, const struct og_item *item, struct og_place at, on_dword *on) {
  for (unsigned p = 0; p < og_access_pieces(item->access); p++)
    for (unsigned d = 0; d < og_access_dwords(item->access); d++)
      on(unit, item, og_access_vgpr(item, p, d),
         behind(at, piece_offset(item, p) + 4 * d));
}

/* ---- 64 bits ----------------------------------------------------------------------------------------------------- */

/* Lower and upper dwords of numbers of two registers, `ordered`: in the order of lanes; else the first register has the
 * first two of every four lanes. */
static void part_64(struct og_unit *unit, const struct og_item *item, unsigned piece, unsigned first, unsigned second,
                    bool ordered) {
  static const uint32_t turned[16] = {0, 0, 2, 0, 4, 0, 6, 0, 1, 0, 3, 0, 5, 0, 7, 0};
  struct og_encoder *e = &unit->code;
  if (ordered && e->wide)
    og_emit_load(unit, OG_P0, og_constant_row(e, turned));
  for (unsigned high = 0; high < 2; high++) {
    og_emit_registers(unit, OG_VEX(0, 1, 0, 0xc6), AT_DATA, first, second); /* VSHUFPS */
    og_emit_byte(e, high ? 0xdd : 0x88);
    if (ordered && e->wide) /* VPERMQ */
      og_emit_registers(unit, OG_VEX(1, 2, 1, 0x36), AT_DATA, OG_P0, AT_DATA);
    else if (ordered)
      og_emit_registers(unit, OG_VEX(1, 3, 1, 0x00), AT_DATA, 0, AT_DATA), og_emit_byte(e, 0xd8);
    put_data(unit, og_access_vgpr(item, piece, high), AT_DATA);
  }
}

static void load_row_64(struct og_unit *unit, const struct og_item *item, unsigned piece, struct og_place at) {
  og_emit_load(unit, AT_T0, at);
  og_emit_load(unit, AT_T2, behind(at, og_strip_bytes(unit)));
  part_64(unit, item, piece, AT_T0, AT_T2, true);
}

static void load_one_64(struct og_unit *unit, const struct og_item *item, unsigned piece, struct og_place at) {
  og_emit_general(&unit->code, true, 0x8b, OG_RSI, at);
  for (unsigned high = 0; high < 2; high++) {
    unsigned vgpr = og_access_vgpr(item, piece, high), to = data_register(unit, vgpr);
    if (high)
      og_emit_general(&unit->code, true, 0xc1, 5, in_rsi), og_emit_byte(&unit->code, 32);
    og_emit_vector_low(&unit->code, OG_VEX(1, 1, 0, 0x6e), AT_T0, 0, in_rsi);
    spread_first(unit, to, AT_T0);
    put_data(unit, vgpr, to);
  }
}

/* The upper eight offsets, of sixteen: VEXTRACTI64X4. */
static void upper_offsets(struct og_unit *unit, unsigned to) {
  og_emit_registers(unit, OG_VEX(1, 3, 1, 0x3b), AT_INDEX, 0, to), og_emit_byte(&unit->code, 1);
}
/* Eight lanes' bits, those that are active or all, in k3. */
static void mask_eight(struct og_unit *unit, bool active, bool upper) {
  struct og_encoder *e = &unit->code;
  e->wide = false;
  if (!active) /* KXNORW */
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x46), OG_K_TEMPORARY, OG_K_TEMPORARY, og_place_register(OG_K_TEMPORARY), 0,
                   false);
  else if (upper) /* KSHIFTRW */
    og_emit_vector_low(e, OG_VEX(1, 3, 1, 0x30), OG_K_TEMPORARY, 0, og_place_register(OG_K_EXEC)), og_emit_byte(e, 8);
  else /* KMOVW */
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x90), OG_K_TEMPORARY, 0, og_place_register(OG_K_EXEC));
  e->wide = true;
}

/* Lanes that are not active have the first active one's offset: all are loaded. VPGATHERDQ. */
static void load_any_64_wide(struct og_unit *unit, const struct og_item *item, unsigned piece, uint32_t offset) {
  struct og_encoder *e = &unit->code;
  upper_offsets(unit, AT_T2);
  mask_eight(unit, false, false);
  og_emit_vector(e, OG_VEX(1, 2, 1, 0x90), AT_T0, 0, at_index(AT_INDEX, offset), OG_K_TEMPORARY, false);
  mask_eight(unit, false, false);
  og_emit_vector(e, OG_VEX(1, 2, 1, 0x90), AT_DATA, 0, at_index(AT_T2, offset), OG_K_TEMPORARY, false);
  og_emit_load(unit, AT_T2, og_place_register(AT_DATA));
  part_64(unit, item, piece, AT_T0, AT_T2, true);
}
/* VMOVQ, VMOVHPS, VINSERTI128. */
static void load_any_64_narrow(struct og_unit *unit, const struct og_item *item, unsigned piece, uint32_t offset) {
  struct og_encoder *e = &unit->code;
  for (unsigned pair = 0; pair < 4; pair++) { /* lanes 0 and 4 go together, 2 and 6 */
    unsigned lane = pair / 2 * 2 + pair % 2 * 4, to = pair % 2 ? AT_DATA : pair ? AT_T2 : AT_T0;
    load_index(unit, lane);
    og_emit_vector_low(e, OG_VEX(2, 1, 0, 0x7e), to, 0, at_index(OG_RCX, offset));
    load_index(unit, lane + 1);
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x16), to, to, at_index(OG_RCX, offset));
    if (pair % 2)
      og_emit_registers(unit, OG_VEX(1, 3, 0, 0x38), pair / 2 ? AT_T2 : AT_T0, pair / 2 ? AT_T2 : AT_T0, AT_DATA),
          og_emit_byte(e, 1);
  }
  part_64(unit, item, piece, AT_T0, AT_T2, false);
}

/* Numbers of a row's halves: of the first lanes to T0, of the others to T2. Wide: VPERMI2D; else VPERM2F128. */
static void join_64(struct og_unit *unit, const struct og_item *item, unsigned piece) {
  struct og_encoder *e = &unit->code;
  unsigned vgpr = og_access_vgpr(item, piece, 0);
  unsigned low = in_register(unit, vgpr, AT_DATA), high = in_register(unit, vgpr + 1, OG_P0);
  if (e->wide) {
    for (unsigned half = 0; half < 2; half++) {
      uint32_t row[16];
      for (unsigned i = 0; i < 16; i++)
        row[i] = i / 2 + 8 * half + (i % 2 ? 16 : 0);
      og_emit_load(unit, half ? AT_T2 : AT_T0, og_constant_row(e, row));
      og_emit_registers(unit, OG_VEX(1, 2, 0, 0x76), half ? AT_T2 : AT_T0, low, high);
    }
    return;
  }
  og_emit_registers(unit, OG_VEX(0, 1, 0, 0x14), AT_T0, low, high); /* VUNPCKLPS, VUNPCKHPS */
  og_emit_registers(unit, OG_VEX(0, 1, 0, 0x15), AT_DATA, low, high);
  og_emit_registers(unit, OG_VEX(1, 3, 0, 0x06), AT_T2, AT_T0, AT_DATA), og_emit_byte(e, 0x31);
  og_emit_registers(unit, OG_VEX(1, 3, 0, 0x06), AT_T0, AT_T0, AT_DATA), og_emit_byte(e, 0x20);
}

static void store_row_64(struct og_unit *unit, const struct og_item *item, unsigned piece, struct og_place at) {
  join_64(unit, item, piece);
  og_emit_store(unit, at, AT_T0);
  og_emit_store(unit, behind(at, og_strip_bytes(unit)), AT_T2);
}

/* VPSCATTERDQ, twice. */
static void store_any_64_wide(struct og_unit *unit, const struct og_item *item, unsigned piece, uint32_t offset) {
  struct og_encoder *e = &unit->code;
  join_64(unit, item, piece);
  upper_offsets(unit, OG_P0);
  for (unsigned half = 0; half < 2; half++) {
    mask_eight(unit, unit->partly, half);
    og_emit_vector(e, OG_VEX(1, 2, 1, 0xa0), half ? AT_T2 : AT_T0, 0, at_index(half ? OG_P0 : AT_INDEX, offset),
                   OG_K_TEMPORARY, false);
  }
}

/* ---- 128 bits ---------------------------------------------------------------------------------------------------- */

/* From four lanes' dwords in each register, lanes 0, 4, 8, 12 in the first one, to four registers with a dword of each
 * lane: VUNPCKLPS and VUNPCKHPS of two lanes, VUNPCKLPD and VUNPCKHPD of four. */
static const uint8_t quads[] = {OG_T0, OG_T1, OG_T2, OG_P0};
static void part_128(struct og_unit *unit, const struct og_item *item) {
  og_emit_registers(unit, OG_VEX(0, 1, 0, 0x14), OG_P1, quads[0], quads[1]);
  og_emit_registers(unit, OG_VEX(0, 1, 0, 0x15), quads[0], quads[0], quads[1]);
  og_emit_registers(unit, OG_VEX(0, 1, 0, 0x14), quads[1], quads[2], quads[3]);
  og_emit_registers(unit, OG_VEX(0, 1, 0, 0x15), quads[2], quads[2], quads[3]);
  for (unsigned d = 0; d < 4; d++) {
    unsigned vgpr = og_access_vgpr(item, 0, d), to = data_register(unit, vgpr);
    og_emit_registers(unit, OG_VEX_W1(1, 1, d % 2 ? 0x15 : 0x14), to, d < 2 ? OG_P1 : quads[0],
                      d < 2 ? quads[1] : quads[2]);
    put_data(unit, vgpr, to);
  }
}

/* VMOVUPS of a quarter; VINSERTF128 or VINSERTF32X4 of the others. */
static void load_quad(struct og_unit *unit, unsigned lane, struct og_place from) {
  struct og_encoder *e = &unit->code;
  unsigned to = quads[lane % 4];
  if (lane < 4)
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x10), to, 0, from);
  else
    og_emit_vector(e, OG_VEX(1, 3, 0, 0x18), to, to, from, 0, false), og_emit_byte(e, lane / 4);
}

static void load_row_128(struct og_unit *unit, const struct og_item *item, struct og_place at) {
  for (unsigned lane = 0; lane < lanes_of(unit); lane++)
    load_quad(unit, lane, behind(at, 16 * lane));
  part_128(unit, item);
}

static void load_any_128(struct og_unit *unit, const struct og_item *item) {
  for (unsigned lane = 0; lane < lanes_of(unit); lane++) {
    load_index(unit, lane);
    load_quad(unit, lane, at_index(OG_RCX, 0));
  }
  part_128(unit, item);
}

/* The same the other way round: registers that have lanes 0, 1, 2, 3 and every fourth behind them. */
static const uint8_t stored_quads[] = {OG_P1, OG_P2, OG_T0, OG_T2};
static void join_128(struct og_unit *unit, const struct og_item *item) {
  static const uint8_t to[2][2] = {{OG_T0, OG_T1}, {OG_T2, OG_P0}};
  for (unsigned pair = 0; pair < 2; pair++) {
    unsigned first = in_register(unit, og_access_vgpr(item, 0, 2 * pair), OG_P1);
    unsigned second = in_register(unit, og_access_vgpr(item, 0, 2 * pair + 1), OG_P2);
    og_emit_registers(unit, OG_VEX(0, 1, 0, 0x14), to[pair][0], first, second);
    og_emit_registers(unit, OG_VEX(0, 1, 0, 0x15), to[pair][1], first, second);
  }
  og_emit_registers(unit, OG_VEX_W1(1, 1, 0x14), stored_quads[0], OG_T0, OG_T2);
  og_emit_registers(unit, OG_VEX_W1(1, 1, 0x15), stored_quads[1], OG_T0, OG_T2);
  og_emit_registers(unit, OG_VEX_W1(1, 1, 0x14), stored_quads[2], OG_T1, OG_P0);
  og_emit_registers(unit, OG_VEX_W1(1, 1, 0x15), stored_quads[3], OG_T1, OG_P0);
}

/* VMOVUPS of a quarter; VEXTRACTF128 or VEXTRACTF32X4 of the others. */
static void store_quad(struct og_unit *unit, unsigned lane, struct og_place to) {
  struct og_encoder *e = &unit->code;
  if (lane < 4)
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x11), stored_quads[lane], 0, to);
  else
    og_emit_vector(e, OG_VEX(1, 3, 0, 0x19), stored_quads[lane % 4], 0, to, 0, false), og_emit_byte(e, lane / 4);
}

static void store_row_128(struct og_unit *unit, const struct og_item *item, struct og_place at) {
  join_128(unit, item);
  for (unsigned lane = 0; lane < lanes_of(unit); lane++)
    store_quad(unit, lane, behind(at, 16 * lane));
}

/* ---- lane by lane ------------------------------------------------------------------------------------------------ */

/* Dwords are put together in registers: a load of a whole row waits for each of the stores that made it. */
static void load_any_narrow(struct og_unit *unit, const struct og_item *item, unsigned vgpr, struct og_place at) {
  struct og_encoder *e = &unit->code;
  unsigned to = data_register(unit, vgpr), bytes = small_bytes(item);
  for (unsigned lane = 0; lane < 8; lane++) { /* VMOVD, VPINSRD */
    unsigned half = lane < 4 ? AT_T0 : AT_INDEX;
    struct og_place from = at_index(OG_RCX, (uint32_t)at.offset);
    load_index(unit, lane);
    if (bytes) { /* movzx, movsx */
      og_emit_general(e, false, (is_signed(item) ? 0x1be : 0x1b6) + bytes - 1, OG_RSI, from);
      from = in_rsi;
    }
    if (lane % 4 == 0)
      og_emit_vector_low(e, OG_VEX(1, 1, 0, 0x6e), half, 0, from);
    else
      og_emit_vector_low(e, OG_VEX(1, 3, 0, 0x22), half, half, from), og_emit_byte(e, lane % 4);
  }
  og_emit_registers(unit, OG_VEX(1, 3, 0, 0x38), to, AT_T0, AT_INDEX); /* VINSERTI128 */
  og_emit_byte(e, 1);
  put_data(unit, vgpr, to);
}

/* What each lane stores of a piece, behind DATA_ROW. */
static uint32_t data_row(const struct og_unit *unit, const struct og_item *item, unsigned piece) {
  return DATA_ROW + piece * og_strip_bytes(unit) * og_access_dwords(item->access);
}
static void put_data_row(struct og_unit *unit, const struct og_item *item, unsigned piece) {
  struct og_place row = og_place_memory(OG_RSP, -1, data_row(unit, item, piece));
  if (!is_64(item)) {
    og_emit_store(unit, row, in_register(unit, og_access_vgpr(item, piece, 0), AT_DATA));
    return;
  }
  join_64(unit, item, piece);
  og_emit_store(unit, row, AT_T0);
  og_emit_store(unit, behind(row, og_strip_bytes(unit)), AT_T2);
}

/* Where two lanes' offsets are in RCX, and two lanes' dwords in RSI: the first lane's are in their lower halves. */
static void store_pair(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  unsigned small = small_bytes(item);
  og_emit_general(e, false, 0x8b, OG_RDX, in_rcx);
  if (is_high(item))
    og_emit_general(e, true, 0xc1, 5, in_rsi), og_emit_byte(e, 16);
  for (unsigned lane = 0; lane < 2; lane++) {
    if (lane) {
      og_emit_general(e, true, 0xc1, 5, in_rcx), og_emit_byte(e, 32);
      og_emit_general(e, true, 0xc1, 5, in_rsi), og_emit_byte(e, 32);
    }
    if (small == 2)
      og_emit_byte(e, 0x66); /* a word */
    og_emit_general(e, false, small == 1 ? 0x88 : 0x89, OG_RSI, at_index(lane ? OG_RCX : OG_RDX, 0));
  }
}

/* Two dwords of a register's lower half: VMOVQ, VPEXTRQ. */
static void take_pair(struct og_unit *unit, enum og_gpr to, unsigned from, unsigned pair) {
  og_emit_vector_low(&unit->code, pair ? OG_VEX(1, 3, 1, 0x16) : OG_VEX(1, 1, 1, 0x7e), from, 0, og_place_register(to));
  if (pair)
    og_emit_byte(&unit->code, 1);
}

/* 256 bits, all lanes, at most a dword each: out of registers. Rows in the frame would be there later, and each lane
 * would read them behind a store of which it is not known where it goes. */
static void store_all_narrow(struct og_unit *unit, const struct og_item *item) {
  unsigned data = in_register(unit, og_access_vgpr(item, 0, 0), AT_DATA);
  og_emit_registers(unit, OG_VEX(1, 3, 0, 0x39), AT_INDEX, 0, AT_T0), og_emit_byte(&unit->code, 1); /* VEXTRACTI128 */
  og_emit_registers(unit, OG_VEX(1, 3, 0, 0x39), data, 0, AT_T2), og_emit_byte(&unit->code, 1);
  for (unsigned pair = 0; pair < 4; pair++) {
    take_pair(unit, OG_RCX, pair < 2 ? AT_INDEX : AT_T0, pair % 2);
    take_pair(unit, OG_RSI, pair < 2 ? data : AT_T2, pair % 2);
    store_pair(unit, item);
  }
}

static void store_lane(struct og_unit *unit, const struct og_item *item, unsigned lane) {
  struct og_encoder *e = &unit->code;
  unsigned small = small_bytes(item), size = is_64(item) ? 8 : 4, half = is_high(item) ? 2 : 0;
  load_index(unit, lane);
  if (is_128(item)) {
    store_quad(unit, lane, at_index(OG_RCX, 0));
    return;
  }
  for (unsigned p = 0; p < og_access_pieces(item->access); p++) {
    struct og_place from = og_place_memory(OG_RSP, -1, data_row(unit, item, p) + size * lane + half);
    og_emit_general(e, size == 8, 0x8b, OG_RSI, from);
    if (small == 2)
      og_emit_byte(e, 0x66); /* a word */
    og_emit_general(e, size == 8, small == 1 ? 0x88 : 0x89, OG_RSI, at_index(OG_RCX, piece_offset(item, p)));
  }
}

static void store_lanes(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  if (unit->partly)
    og_emit_active(unit, OG_RDX);
  if (is_128(item))
    join_128(unit, item);
  for (unsigned p = 0; p < og_access_pieces(item->access) && !is_128(item); p++)
    put_data_row(unit, item, p);
  for (unsigned lane = 0; lane < lanes_of(unit); lane++) {
    uint32_t over = unit->partly ? jump_unless_active(unit, lane) : 0;
    store_lane(unit, item, lane);
    if (over)
      og_emit_land(e, over);
  }
}

/* ---- bytes and shorts -------------------------------------------------------------------------------------------- */

static void load_row_small(struct og_unit *unit, const struct og_item *item, struct og_place at) {
  unsigned vgpr = og_access_vgpr(item, 0, 0), to = data_register(unit, vgpr), bytes = small_bytes(item);
  unsigned opcode = (is_signed(item) ? 0x21 : 0x31) + (bytes == 2 ? 2 : 0); /* VPMOVZXBD and its kin */
  og_emit_vector(&unit->code, OG_VEX(1, 2, 0, opcode), to, 0, at, unit->partly ? OG_K_EXEC : 0, false);
  put_data(unit, vgpr, to);
}
static void load_one_small(struct og_unit *unit, const struct og_item *item, struct og_place at) {
  unsigned vgpr = og_access_vgpr(item, 0, 0), to = data_register(unit, vgpr);
  og_emit_general(&unit->code, false, (is_signed(item) ? 0x1be : 0x1b6) + small_bytes(item) - 1, OG_RSI, at);
  og_emit_vector_low(&unit->code, OG_VEX(1, 1, 0, 0x6e), AT_T0, 0, in_rsi);
  spread_first(unit, to, AT_T0);
  put_data(unit, vgpr, to);
}
/* 512 bits: whole dwords, which are within reach, too. */
static void load_any_small_wide(struct og_unit *unit, const struct og_item *item) {
  unsigned vgpr = og_access_vgpr(item, 0, 0), distance = 32 - 8 * small_bytes(item);
  mask_eight(unit, false, false);
  og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x90), AT_DATA, 0, at_index(AT_INDEX, 0), OG_K_TEMPORARY, false);
  og_emit_shift(unit, OG_SHIFT_LEFT, AT_DATA, AT_DATA, distance);
  og_emit_shift(unit, is_signed(item) ? OG_SHIFT_ARITHMETIC : OG_SHIFT_RIGHT, AT_DATA, AT_DATA, distance);
  put_data(unit, vgpr, AT_DATA);
}
/* 256 bits: the parts of each half's lanes go together, then those of both halves. VPSHUFB, VPERMQ by which the upper
 * ones are beside the lower, VMOVQ or VMOVUPS. */
static void store_row_small_narrow(struct og_unit *unit, const struct og_item *item, struct og_place at) {
  struct og_encoder *e = &unit->code;
  unsigned from = in_register(unit, og_access_vgpr(item, 0, 0), AT_DATA), bytes = small_bytes(item);
  uint32_t row[16];
  for (unsigned i = 0; i < 16; i++) {
    row[i] = 0;
    for (unsigned k = 0; k < 4; k++) { /* which byte of its half each is */
      unsigned byte = i % 4 * 4 + k;
      row[i] |= (byte / bytes % 4 * 4 + byte % bytes + (is_high(item) ? 2 : 0)) << 8 * k;
    }
  }
  og_emit_vector(e, OG_VEX(1, 2, 0, 0x00), AT_DATA, from, og_constant_row(e, row), 0, false);
  if (bytes == 2) {
    og_emit_registers(unit, OG_VEX(1, 3, 1, 0x00), AT_DATA, 0, AT_DATA), og_emit_byte(e, 8);
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x11), AT_DATA, 0, at);
    return;
  }
  og_emit_registers(unit, OG_VEX(1, 3, 0, 0x39), AT_DATA, 0, AT_T2), og_emit_byte(e, 1); /* VEXTRACTI128 */
  og_emit_registers(unit, OG_VEX(1, 1, 0, 0x62), AT_DATA, AT_DATA, AT_T2);               /* VPUNPCKLDQ */
  og_emit_vector_low(e, OG_VEX(1, 1, 0, 0xd6), AT_DATA, 0, at);
}
/* VPMOVDB, VPMOVDW. */
static void store_row_small(struct og_unit *unit, const struct og_item *item, struct og_place at) {
  if (!unit->code.wide) {
    store_row_small_narrow(unit, item, at);
    return;
  }
  unsigned from = in_register(unit, og_access_vgpr(item, 0, 0), AT_DATA);
  if (is_high(item)) {
    og_emit_shift(unit, OG_SHIFT_RIGHT, AT_DATA, from, 16);
    from = AT_DATA;
  }
  og_emit_vector(&unit->code, OG_VEX(2, 2, 0, small_bytes(item) == 1 ? 0x31 : 0x33), from, 0, at,
                 unit->partly ? OG_K_EXEC : 0, false);
}

/* ---- dwords ------------------------------------------------------------------------------------------------------ */

static void move_row_32(struct og_unit *unit, const struct og_item *item, unsigned vgpr, struct og_place at) {
  if (unit->partly) {
    unsigned reg = item->write ? in_register(unit, vgpr, AT_DATA) : AT_DATA;
    move_active(unit, item->write, reg, at);
    if (!item->write)
      put_data(unit, vgpr, reg);
    return;
  }
  if (item->write) {
    og_emit_store(unit, at, in_register(unit, vgpr, AT_DATA));
    return;
  }
  unsigned to = data_register(unit, vgpr);
  og_emit_load(unit, to, at);
  put_data(unit, vgpr, to);
}

static void load_one_32(struct og_unit *unit, const struct og_item *item, unsigned vgpr, struct og_place at) {
  (void)item;
  unsigned to = data_register(unit, vgpr);
  og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x58), to, 0, at, 0, false);
  put_data(unit, vgpr, to);
}

/* 512 bits: gathers and scatters, which go from the first lane to the last. */
static void move_any_wide(struct og_unit *unit, const struct og_item *item, unsigned vgpr, struct og_place at) {
  struct og_encoder *e = &unit->code;
  struct og_place lanes = at_index(AT_INDEX, (uint32_t)at.offset);
  mask_eight(unit, unit->partly, false); /* and all the others */
  if (item->write) {
    og_emit_vector(e, OG_VEX(1, 2, 0, 0xa0), in_register(unit, vgpr, AT_DATA), 0, lanes, OG_K_TEMPORARY, false);
    return;
  }
  og_emit_vector(e, OG_VEX(1, 2, 0, 0x90), AT_DATA, 0, lanes, OG_K_TEMPORARY, false);
  put_data(unit, vgpr, AT_DATA);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

void og_move_row(struct og_unit *unit, const struct og_item *item, struct og_place at) {
  if (small_bytes(item))
    (item->write ? store_row_small : load_row_small)(unit, item, at);
  else if (is_64(item))
    for (unsigned p = 0; p < og_access_pieces(item->access); p++)
      (item->write ? store_row_64 : load_row_64)(unit, item, p, behind(at, piece_offset(item, p)));
  else if (is_128(item))
    (item->write ? store_row_128 : load_row_128)(unit, item, at);
  else
    each_dword(unit, item, at, move_row_32);
}

void og_load_one(struct og_unit *unit, const struct og_item *item, struct og_place at) {
  if (small_bytes(item))
    load_one_small(unit, item, at);
  else if (is_64(item))
    for (unsigned p = 0; p < og_access_pieces(item->access); p++)
      load_one_64(unit, item, p, behind(at, piece_offset(item, p)));
  else
    each_dword(unit, item, at, load_one_32);
}

void og_move_any(struct og_unit *unit, const struct og_item *item) {
  bool wide = unit->code.wide, small = small_bytes(item) != 0;
  bool quads = is_128(item), lanes = item->write && (small || quads || !wide || og_writes_pair(item));
  if (lanes && !wide && !unit->partly && !is_64(item) && !quads && og_access_pieces(item->access) == 1) {
    store_all_narrow(unit, item);
    return;
  }
  if (!wide || lanes || quads)
    og_emit_store(unit, index_of(0), AT_INDEX);
  if (lanes)
    store_lanes(unit, item);
  else if (quads)
    load_any_128(unit, item);
  else if (wide && small)
    load_any_small_wide(unit, item);
  else if (is_64(item))
    for (unsigned p = 0; p < og_access_pieces(item->access); p++)
      (!wide         ? load_any_64_narrow
       : item->write ? store_any_64_wide
                     : load_any_64_wide)(unit, item, p, piece_offset(item, p));
  else
    each_dword(unit, item, at_index(OG_RCX, 0), wide ? move_any_wide : load_any_narrow);
}
