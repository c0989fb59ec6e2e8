/* ds.c - LDS instructions that are neither loads, stores nor plain atomics: lane permutations, addresses that add
 * the lane's number, append and consume, operations from LDS to LDS. */
#include "exec/memory.h"

#include "exec/place.h"
#include "exec/vector.h"
#include "isa/rows.h"

/* s[0]: addresses or the data of swizzle; s[1]: data; constant[0]: the 16 offset bits. */

/* Lanes that EXEC disables yield 0; nothing is written to LDS. */
static const struct og_operation *permuted(struct og_wave *wave, const struct og_operation *op,
                                           const uint32_t values[OG_LANES]) {
  uint32_t *to = og_at(wave, op->d);
  for (unsigned i = 0; i < OG_LANES; i++)
    to[i] = (values[i] & wave->lanes[i]) | (to[i] & ~wave->lanes[i]);
  return og_next(op);
}

/* How many lanes an address chooses from: 32 on gfx10 and gfx11, where a wave of 64 is two halves. */
static unsigned named_lanes(const struct og_wave *wave) {
  enum og_generation generation = wave->program->target.processor->generation;
  return generation >= OG_GFX10_1 && generation < OG_GFX12 ? 32 : wave->wave_size;
}

static const struct og_operation *permute(struct og_wave *wave, const struct og_operation *op) {
  const uint32_t *address = og_at(wave, op->s[0]), *data = og_at(wave, op->s[1]);
  uint32_t values[OG_LANES] = {0}, offset = (uint32_t)op->constant[0];
  unsigned among = named_lanes(wave) - 1;
  for (unsigned i = 0; i < wave->wave_size; i++)
    if (wave->lanes[i])
      values[(i & ~among) | ((address[i] + offset) / 4 & among)] = data[i];
  return permuted(wave, op, values);
}

static const struct og_operation *take(struct og_wave *wave, const struct og_operation *op,
                                       const uint32_t counted[OG_LANES]) {
  const struct og_taken taken = {og_at(wave, op->s[1]), counted, og_at(wave, op->s[0]), wave->lanes,
                                 (uint32_t)op->constant[0], named_lanes(wave)};
  wave->program->variant->take_lanes(og_at(wave, op->d), &taken);
  return og_next(op);
}

static const struct og_operation *bpermute(struct og_wave *wave, const struct og_operation *op) {
  return take(wave, op, wave->lanes);
}

/* Data of lanes that EXEC has off counts, too. */
static const struct og_operation *bpermute_all(struct og_wave *wave, const struct og_operation *op) {
  static const uint32_t all[OG_LANES] = {[0 ... OG_LANES - 1] = UINT32_MAX};
  return take(wave, op, all);
}

/* Which lane of 32 the i-th takes its value from. */
static inline unsigned swizzle_source(unsigned i, uint32_t offset, bool has_rotate) {
  unsigned mask = offset & 0x1f, rotate = offset >> 5 & 0x1f;
  if (has_rotate && offset >= 0xe000) { /* FFT: bits reversed */
    unsigned reversed = (i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | (i & 16) >> 4;
    return (reversed >> __builtin_popcount(mask)) | (i & mask);
  }
  if (has_rotate && offset >= 0xc000)
    return (i & mask) | ((offset >> 10 & 1 ? i - rotate : i + rotate) & ~mask & 0x1f);
  if (offset & 0x8000)
    return (i & ~3u) | (offset >> 2 * (i & 3) & 3);
  return ((i & mask) | rotate) ^ (offset >> 10 & 0x1f);
}

static const struct og_operation *swizzle(struct og_wave *wave, const struct og_operation *op) {
  const uint32_t *data = og_at(wave, op->s[0]);
  bool has_rotate = wave->program->target.processor->generation >= OG_GFX900;
  uint32_t values[OG_LANES], active[OG_LANES], offset = (uint32_t)op->constant[0];
  for (unsigned i = 0; i < OG_LANES; i++)
    active[i] = data[i] & wave->lanes[i];
  for (unsigned i = 0; i < 32; i++) { /* both halves alike */
    unsigned from = swizzle_source(i, offset, has_rotate);
    values[i] = active[from], values[i + 32] = active[from + 32];
  }
  return permuted(wave, op, values);
}

/* M0 plus offset plus four times the lane's number. M0 is an address here and not a limit: compilers set it so for
 * append and consume on all generations. */
static struct og_lane_place own_place(const struct og_wave *wave, const struct og_operation *op, unsigned lane) {
  uint32_t address = (wave->s[OG_S_M0] & 0xffff) + (uint32_t)op->constant[0] + 4 * lane;
  return (struct og_lane_place){OG_SPACE_LDS, address, 0, false};
}

static const struct og_operation *read_addtid(struct og_wave *wave, const struct og_operation *op) {
  uint32_t *to = og_at(wave, op->d);
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    struct og_lane_place place = own_place(wave, op, lane);
    if (!og_lane_read(wave, op, lane, &place, &to[lane], 4))
      return &og_stop;
  }
  return og_next(op);
}

static const struct og_operation *write_addtid(struct og_wave *wave, const struct og_operation *op) {
  const uint32_t *from = og_at(wave, op->s[1]);
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    struct og_lane_place place = own_place(wave, op, lane);
    if (!og_lane_write(wave, op, lane, &place, &from[lane], 4))
      return &og_stop;
  }
  return og_next(op);
}

/* Adds the number of active lanes, or takes it off; all lanes get what was there. */
static const struct og_operation *append(struct og_wave *wave, const struct og_operation *op) {
  struct og_lane_place place = own_place(wave, op, 0);
  uint32_t *at = og_lane_pointer(wave, op, 0, &place, 4), *to = og_at(wave, op->d);
  if (at == NULL)
    return &og_stop;
  uint32_t count = (uint32_t)__builtin_popcountll(og_active(wave)), old = *at;
  if (!og_take_skip(wave))
    *at = op->constant[1] ? old - count : old + count;
  for (unsigned i = 0; i < OG_LANES; i++)
    to[i] = (old & wave->lanes[i]) | (to[i] & ~wave->lanes[i]);
  return og_next(op);
}

/* MEM[A] = MEM[A] op MEM[B], B a number of dwords from A, which the offset has, or with its highest bit the address
 * from bit 17 on, and then A is what is below. Beyond M0's limit B is 0, and A stays. */
static const struct og_operation *src2(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  const uint32_t *address = og_at(wave, op->s[0]);
  unsigned size = og_atomic_bytes(access->atomic);
  uint32_t bits = (uint32_t)op->constant[0];
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    bool by_address = bits >> 15 & 1;
    int32_t distance = (int32_t)(by_address ? address[lane] : bits << 17) >> 17;
    uint32_t a = by_address ? address[lane] & 0x1ffff : address[lane];
    struct og_lane_place to = og_lds_place(wave, a, size),
                         from = og_lds_place(wave, a + 4 * (uint32_t)distance, size);
    uint64_t data = 0;
    if (to.outside)
      continue;
    void *at = og_lane_pointer(wave, op, lane, &to, size);
    if (at == NULL)
      return &og_stop;
    if (og_take_skip(wave))
      continue;
    if (!from.outside && !og_lane_read(wave, op, lane, &from, &data, size))
      return &og_stop;
    og_atomic_apply(wave, access->atomic, OG_SPACE_LDS, at, data, 0);
  }
  return og_next(op);
}

static const struct og_operation *nop(struct og_wave *wave, const struct og_operation *op) {
  (void)wave;
  return og_next(op);
}

enum { HAS_D = 1, HAS_ADDRESS = 2, HAS_DATA = 4 };
static const struct {
  uint16_t row;
  og_handler *handler;
  uint8_t has; /* of operands */
  bool consumes;
} others[] = {
    {OG_ROW_DS_PERMUTE_B32, permute, HAS_D | HAS_ADDRESS | HAS_DATA, false},
    {OG_ROW_DS_BPERMUTE_B32, bpermute, HAS_D | HAS_ADDRESS | HAS_DATA, false},
    {OG_ROW_DS_BPERMUTE_FI_B32, bpermute_all, HAS_D | HAS_ADDRESS | HAS_DATA, false},
    {OG_ROW_DS_SWIZZLE_B32, swizzle, HAS_D | HAS_ADDRESS, false},
    {OG_ROW_DS_READ_ADDTID_B32, read_addtid, HAS_D, false},
    {OG_ROW_DS_WRITE_ADDTID_B32, write_addtid, HAS_DATA, false},
    {OG_ROW_DS_APPEND, append, HAS_D, false},
    {OG_ROW_DS_CONSUME, append, HAS_D, true},
    {OG_ROW_DS_NOP, nop, 0, false},
};

/* Both operands are in LDS; a store from elsewhere is an exchange whose old value is not used. */
static bool prepare_src2(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                         struct og_operation *op) {
  struct og_memory_op *access = OG_NEW(program->arena, struct og_memory_op);
  bool store = facts->access == OG_MOVES_STORE;
  access->atomic = og_find_atomic(store ? OG_DOES_SWAP : facts->operation, facts->number, facts->bits);
  op->detail = access;
  op->constant[0] = (uint32_t)inst->mod[OG_MOD_OFFSET0] | (uint32_t)inst->mod[OG_MOD_OFFSET1] << 8 |
                    (uint32_t)inst->mod[OG_MOD_OFFSET];
  op->handler = src2;
  return access->atomic != NULL && og_place_vector(og_operand(inst, OG_ROLE_VADDR), 1, &op->s[0]);
}

bool og_prepare_cross_lane(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                           struct og_operation *op) {
  if (facts->space == OG_IN_LDS && facts->lds)
    return prepare_src2(program, inst, facts, op);
  for (size_t i = 0; i < OG_COUNT(others); i++)
    if (inst->row == others[i].row) {
      op->handler = others[i].handler;
      op->constant[0] = (uint32_t)inst->mod[OG_MOD_OFFSET] & 0xffff;
      op->constant[1] = others[i].consumes;
      unsigned has = others[i].has;
      return (!(has & HAS_D) || og_place_vector(og_operand(inst, OG_ROLE_VDST), 1, &op->d)) &&
             (!(has & HAS_ADDRESS) || og_place_vector(og_operand(inst, OG_ROLE_VADDR), 1, &op->s[0])) &&
             (!(has & HAS_DATA) || og_place_vector(og_operand(inst, OG_ROLE_VDATA), 1, &op->s[1]));
    }
  return false;
}
