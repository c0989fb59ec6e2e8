/* transpose.c - loads whose lanes exchange elements, so that what lies along a row in memory lies along a column in
 * registers: operands of matrix instructions.
 *
 * Manuals say what comes of it (CDNA4, 12.12; "CDNA5" ISA, 10.9 and 11.2.4); where the lanes' numbers are from:
 * docs/exactness.md. */
#include "exec/lane.h"
#include "exec/memory.h"
#include "exec/place.h"

/* An element in the lanes' loaded data. */
struct element {
  unsigned lane, item;
};

/* What a lane's item-th element is. Lanes in rows of sixteen, each of which brings a matrix of `items` rows and sixteen
 * columns, row by row; or in groups of eight or four that bring eight columns. */
static struct element source_of(enum og_generation generation, unsigned width, unsigned items, unsigned lane,
                                unsigned item) {
  unsigned row = lane & ~15u, column = lane & 15;
  if (generation < OG_GFX12)
    return (struct element){row + item * (16 / items) + column / items, column % items};
  if (generation < OG_GFX1250 || width == 16)
    return (struct element){(lane & ~7u) + item, lane & 7};
  if (width == 8)
    return (struct element){row + item / 4 * 8 + column / 8 * 4 + item % 4, lane & 7};
  if (width == 4)
    return (struct element){item / 8 * 16 + row / 2 + item % 8, column};
  return (struct element){8 * (item / 4) + item % 4 + row / 4, column};
}

static uint32_t bits_at(const uint8_t *bytes, unsigned bit, unsigned width) {
  uint32_t both = og_load16(bytes + bit / 8); /* an element of 6 bits may lie in two bytes */
  return both >> bit % 8 & ((1u << width) - 1);
}

const struct og_operation *og_transposing_load(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  enum og_generation generation = wave->program->target.processor->generation;
  uint64_t all = wave->wave_size == 32 ? UINT32_MAX : UINT64_MAX, lanes = og_active(wave);
  if (generation >= OG_GFX12 && lanes) /* EXEC has to be full there, and is taken to be */
    lanes = all;
  uint8_t bytes[OG_LANES][16 + 1] = {{0}};
  for (uint64_t left = lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    struct og_lane_place place = og_lane_place(wave, op, lane, 0);
    if (!og_lane_read(wave, op, lane, &place, bytes[lane], access->bytes))
      return &og_stop;
    if (wave->counts != NULL)
      og_count_access(wave, place.space, false, 1, access->bytes);
  }
  unsigned width = access->element, items = access->bytes * 8u / width;
  for (uint64_t left = lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(left);
    uint32_t result[5] = {0}; /* one spare, for elements of 6 bits */
    for (unsigned i = 0; i < items; i++) {
      struct element from = source_of(generation, width, items, lane, i);
      uint64_t placed = (uint64_t)bits_at(bytes[from.lane], from.item * width, width) << i * width % 32;
      result[i * width / 32] |= (uint32_t)placed;
      result[i * width / 32 + 1] |= (uint32_t)(placed >> 32);
    }
    for (unsigned d = 0; d < access->bytes / 4u; d++)
      og_at(wave, op->d)[lane + d * OG_LANES] = result[d];
  }
  return og_next(op);
}

unsigned og_transposed_bits(const struct og_memory *facts) {
  static const uint8_t bits[] = {4, 6, 8, 16};
  bool transposes = facts->operation >= OG_DOES_TRANSPOSE4 && facts->operation <= OG_DOES_TRANSPOSE16;
  return transposes ? bits[facts->operation - OG_DOES_TRANSPOSE4] : 0;
}
