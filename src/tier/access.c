/* access.c - which loads and stores strips can do, and what they are of. */
#include "tier/access.h"

unsigned og_access_dwords(const struct og_memory_op *access) {
  return access->width == OG_WIDTH_PAIR_32 || access->width <= OG_WIDTH_32   ? 1
         : access->width == OG_WIDTH_PAIR_64 || access->width == OG_WIDTH_64 ? 2
                                                                             : access->width - OG_WIDTH_32 + 1u;
}
unsigned og_access_pieces(const struct og_memory_op *access) { return access->width >= OG_WIDTH_PAIR_32 ? 2 : 1; }
bool og_writes_pair(const struct og_item *item) { return item->write && og_access_pieces(item->access) > 1; }
bool og_has_lane_addresses(const struct og_memory_op *access) {
  return access->addressing == OG_ADDRESS_GLOBAL || access->addressing == OG_ADDRESS_FLAT;
}
/* Bytes and shorts of global memory may be loaded with what is behind them. */
uint32_t og_access_end(const struct og_memory_op *access) {
  if (access->width < OG_WIDTH_32 && access->addressing == OG_ADDRESS_LDS)
    return access->bytes;
  return (og_access_pieces(access) > 1 ? OG_MAX(access->piece[0], access->piece[1]) : 0) + 4 * og_access_dwords(access);
}
/* The VGPR of a dword of a piece. */
unsigned og_access_vgpr(const struct og_item *item, unsigned piece, unsigned dword) {
  const struct og_operation *op = item->op;
  if (item->write && piece > 0)
    return og_vgpr_of(op->d2) + dword;
  return og_vgpr_of(op->d) + piece * og_access_dwords(item->access) + dword;
}

/* Flat addresses may always be of scratch: where no access has gone to memory yet, and none is about to go to LDS, none
 * may ever. */
static bool may_be_scratch(const struct og_unit *unit, const struct og_operation *op, bool write) {
  const struct og_wave *wave = unit->wave;
  return og_window_of(unit->wave, op, write)->size == 0 && wave->scratch_size != 0 && og_is_vector_place(op->s[0]) &&
         wave->v[og_vgpr_of(op->s[0]) + 1][0] != OG_SHARED_APERTURE;
}

bool og_recognize_memory(struct og_unit *unit, struct og_item *item) {
  const struct og_operation *op = item->op;
  if (op->class != OG_CLASS_LDS && op->class != OG_CLASS_VMEM && op->class != OG_CLASS_FLAT)
    return false;
  const struct og_memory_handlers *handlers = og_host_memory_handlers();
  static const uint8_t addressings[] = {OG_ADDRESS_LDS, OG_ADDRESS_GLOBAL, OG_ADDRESS_SADDR, OG_ADDRESS_FLAT};
  static const uint8_t widths[] = {OG_WIDTH_U8,      OG_WIDTH_I8,      OG_WIDTH_U16,     OG_WIDTH_I16,
                                   OG_WIDTH_U8_HIGH, OG_WIDTH_16_HIGH, OG_WIDTH_32,      OG_WIDTH_64,
                                   OG_WIDTH_96,      OG_WIDTH_128,     OG_WIDTH_PAIR_32, OG_WIDTH_PAIR_64};
  for (size_t a = 0; a < OG_COUNT(addressings); a++)
    for (size_t w = 0; w < OG_COUNT(widths); w++)
      for (int write = 0; write < 2; write++) {
        og_handler *mover = (write ? handlers->store : handlers->load)[addressings[a]][widths[w]];
        const struct og_memory_op *access = op->detail;
        if (!mover || item->handler != mover || access->addressing != addressings[a] || access->width != widths[w])
          continue;
        /* Halves of registers are stored alone. */
        if (!write && (widths[w] == OG_WIDTH_U8_HIGH || widths[w] == OG_WIDTH_16_HIGH))
          return false;
        /* Three dwords of each lane are not one access of the host's: the handler goes lane by lane as well. */
        if (write && widths[w] == OG_WIDTH_96)
          return false;
        if (addressings[a] == OG_ADDRESS_FLAT && !unit->eager && may_be_scratch(unit, op, write))
          return false;
        bool limited = addressings[a] == OG_ADDRESS_LDS && unit->program->target.processor->generation < OG_GFX900;
        if (limited || access->inner || access->to_lds || access->by_lane ||
            (int64_t)op->constant[0] != (int32_t)op->constant[0] || !og_is_vector_place(op->s[0]) ||
            !og_is_vector_place(op->d) || og_access_end(access) > 1 << 20)
          return false;
        if (addressings[a] == OG_ADDRESS_SADDR && op->s[1] - OG_AT_S(OG_S_EXEC) < 8)
          return false; /* the handler does its strip under another EXEC */
        item->access = access;
        item->write = write;
        item->kind = OG_ITEM_MEMORY;
        return true;
      }
  return false;
}

void og_visit_memory(struct og_unit *unit, const struct og_item *item, og_on_vgpr *on) {
  const struct og_operation *op = item->op;
  unsigned dwords = og_access_dwords(item->access), pieces = og_access_pieces(item->access);
  for (unsigned k = 0; k < (og_has_lane_addresses(item->access) ? 2u : 1u); k++)
    on(unit, og_vgpr_of(op->s[0]) + k, 2);
  for (unsigned k = 0; k < dwords * (item->write ? 1 : pieces); k++)
    on(unit, og_vgpr_of(op->d) + k, item->write ? 2 : 1);
  for (unsigned k = 0; item->write && pieces > 1 && k < dwords; k++)
    on(unit, og_vgpr_of(op->d2) + k, 2);
}
