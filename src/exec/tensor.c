/* tensor.c - tiles of tensors between memory and LDS, as a descriptor in scalar registers says ("CDNA5" ISA, 10.11).
 * The gaps are filled from LLVM's amdgpu.make_dma_descriptor: padding is counted from 1 dword and 2 dwords on. */
#include <string.h>

#include "exec/memory.h"
#include "exec/place.h"

enum { DIMENSIONS = 5, WORDS = 20, GROUPS = 4 };

/* The descriptor, read. */
struct tile {
  uint64_t address, stride[DIMENSIONS]; /* bytes; of a step along each dimension */
  uint32_t lds, size;                   /* bytes: where it stands there; of an element */
  uint64_t tensor[DIMENSIONS], count[DIMENSIONS]; /* elements: of the tensor from the tile's start on, of the tile */
  bool gathers, wide_indices, iterates, pads, arrives;
  uint32_t indices[8];
  uint32_t pad_after, pad;              /* bytes */
  uint32_t barrier;                     /* in LDS */
  uint64_t iterations, address_step;
  uint32_t lds_step;
};

static uint64_t field(const uint32_t *words, unsigned bit, unsigned bits) {
  uint64_t both = words[bit / 32] | (uint64_t)words[bit / 32 + 1] << 32;
  return both >> bit % 32 & (((uint64_t)1 << bits) - 1); /* at most 48 bits, that begin in an even half of a dword */
}

/* Group 0 in words 0 to 3, 1 in 4 to 11, 2 in 12 to 15, 3 in 16 to 19 and a spare one. */
static void read_tile(const uint32_t *words, struct tile *t) {
  const uint32_t *g1 = words + 4, *g2 = words + 12, *g3 = words + 16;
  *t = (struct tile){.address = ((uint64_t)words[3] << 32 | words[2]) & (((uint64_t)1 << 57) - 1), .lds = words[1]};
  t->gathers = words[0] >> 31, t->wide_indices = words[0] >> 30 & 1;
  t->size = 1u << field(g1, 16, 2);
  t->arrives = g1[0] >> 18 & 1, t->iterates = g1[0] >> 19 & 1, t->pads = g1[0] >> 20 & 1;
  t->pad_after = 8u << field(g1, 22, 3), t->pad = 4 * (uint32_t)(field(g1, 25, 7) + 1);
  t->barrier = 8 * (uint32_t)field(g1, 32, 16);
  t->tensor[0] = field(g1, 48, 32), t->tensor[1] = field(g1, 80, 32);
  for (unsigned d = 0; d < 3; d++)
    t->count[d] = field(g1, 112 + 16 * d, 16);
  t->stride[0] = t->size;
  t->stride[1] = field(g1, 160, 48) * t->size, t->stride[2] = field(g1, 208, 48) * t->size;
  if (t->gathers) {
    for (unsigned i = 0; i < 8; i++)
      t->indices[i] = words[12 + i];
    t->count[2] = t->count[3] = t->count[4] = 1;
    return;
  }
  t->tensor[2] = g2[0];
  if (t->iterates) {
    t->lds_step = g2[1] * t->size, t->address_step = field(g2, 64, 48) * t->size, t->iterations = field(g2, 112, 16);
    t->count[3] = t->count[4] = 1;
    return;
  }
  t->tensor[3] = g2[1], t->stride[3] = field(g2, 64, 48) * t->size, t->count[3] = field(g2, 112, 16);
  t->stride[4] = field(g3, 0, 48) * t->size, t->tensor[4] = field(g3, 48, 32), t->count[4] = field(g3, 80, 16);
}

static uint32_t row_index(const struct tile *t, uint64_t row) {
  return t->wide_indices ? t->indices[row % 8] : t->indices[row / 2 % 8] >> 16 * (row % 2) & 0xffff;
}

/* One element; outside the tensor loads yield 0 and stores are dropped. */
static bool move(struct og_wave *wave, const struct og_operation *op, const struct tile *t, bool load, uint64_t address,
                 uint32_t lds, bool inside) {
  uint8_t bytes[8] = {0};
  struct og_lane_place memory = {OG_SPACE_GLOBAL, address, 0, false}, local = {OG_SPACE_LDS, lds, 0, false};
  if (!load && !inside)
    return true;
  if ((!load || inside) && !og_lane_read(wave, op, 0, load ? &memory : &local, bytes, t->size))
    return false;
  return og_lane_write(wave, op, 0, load ? &local : &memory, bytes, t->size);
}

/* All of a tile, the first dimension fastest. Dimensions of no size are not there. */
static bool move_tile(struct og_wave *wave, const struct og_operation *op, const struct tile *t, bool load,
                      uint64_t address, uint32_t lds) {
  uint64_t at[DIMENSIONS] = {0};
  uint32_t moved = 0;
  for (;;) {
    uint64_t from = address;
    bool inside = true;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
      uint64_t place = d == 1 && t->gathers ? row_index(t, at[1]) : at[d];
      from += place * t->stride[d];
      inside &= t->count[d] == 0 || place < t->tensor[d] || (t->gathers && d > 1);
    }
    if (t->iterates)
      inside = at[0] < t->tensor[0] && (t->count[1] == 0 || at[1] < t->tensor[1]) &&
               (t->count[2] == 0 || at[2] < t->tensor[2]);
    if (!move(wave, op, t, load, from, lds, inside))
      return false;
    lds += t->size, moved += t->size;
    if (load && t->pads && moved >= t->pad_after)
      moved = 0, lds += t->pad;
    unsigned d = 0;
    while (d < DIMENSIONS && ++at[d] >= t->count[d])
      at[d++] = 0;
    if (d == DIMENSIONS)
      return true;
  }
}

static const struct og_operation *tensor(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  static const uint8_t sizes[GROUPS] = {4, 8, 4, 4};
  const uint32_t places[GROUPS] = {op->s[0], op->s[1], op->s[2], op->d2};
  uint32_t words[WORDS + 1] = {0};
  for (unsigned g = 0, n = 0; g < GROUPS; n += sizes[g++])
    if (places[g] != OG_AT_S(OG_S_ZERO))
      memcpy(words + n, og_at(wave, places[g]), 4u * sizes[g]);
  struct tile t;
  read_tile(words, &t);
  uint32_t mask = access->to_lds ? words[4] & 0xffff : 0; /* stores ignore it */
  if (mask && !(wave->group && wave->group->cluster))
    return og_wave_fault(wave, op, "%s with a work-group mask (0x%x) outside a cluster", access->name, mask);
  if (!og_multicast_mask(wave, op, access->name, mask))
    return &og_stop;
  if ((words[0] & 3) == 0) /* no descriptor */
    return og_next(op);
  if (t.count[0] == 0)
    return og_wave_fault(wave, op, "%s of a tile without a first dimension", access->name);
  for (uint64_t n = 0; n <= t.iterations; n++)
    if (!move_tile(wave, op, &t, access->to_lds, t.address + n * t.address_step, t.lds + (uint32_t)n * t.lds_step))
      return &og_stop;
  uint64_t old;
  if (t.arrives && !og_barrier_arrive(wave, op, 0, t.barrier, 1, &old))
    return &og_stop;
  return og_next(op);
}

bool og_prepare_tensor(const struct og_inst *inst, const struct og_memory *facts, struct og_operation *op) {
  static const uint8_t roles[GROUPS] = {OG_ROLE_VADDR, OG_ROLE_VADDR1, OG_ROLE_VADDR2, OG_ROLE_VADDR3};
  uint32_t *const places[GROUPS] = {&op->s[0], &op->s[1], &op->s[2], &op->d2};
  struct og_memory_op *access = (struct og_memory_op *)op->detail;
  for (unsigned g = 0; g < GROUPS; g++) {
    const struct og_operand *operand = og_operand(inst, roles[g]);
    uint64_t constant;
    *places[g] = OG_AT_S(OG_S_ZERO);
    bool given = operand && operand->kind == OG_OPERAND_SGPR;
    if (given ? !og_place_scalar(operand, g == 1 ? 8 : 4, places[g], &constant) : g < 2)
      return false;
  }
  access->to_lds = facts->access == OG_MOVES_LOAD;
  op->handler = tensor;
  return true;
}
