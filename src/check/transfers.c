/* transfers.c - LDS that an instruction accesses in ways that og_check_places() does not find before: transfers between
 * LDS and memory, including those of tensors' tiles, and instructions that are not plain. */
#include "check/uninit.h"
#include "exec/memory.h"

/* Checks for bytes that the work-group did not ask for, or that belong to no object. */
static void check_bounds(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, int how,
                         unsigned lane, uint64_t address, unsigned size) {
  bool behind = address + size > wave->group->dispatch->group_bytes;
  if (!behind &&
      (!watch->object_count || og_objects_gap(watch->objects, watch->object_count, address) >= address + size))
    return;
  og_check_bounds_lds(watch, wave, op, how & OG_ACCESS_WRITE, address, size, lane);
}

/* Checks the values that it stores from LDS to memory. */
static void check_values(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known, unsigned lane, uint64_t address, unsigned size) {
  if (og_transfers_lds(known->memory) && known->memory->access == OG_MOVES_STORE &&
      og_check_uninit_lds_bits(wave, address, size))
    og_uninit_tell(
        watch, wave, op, 0, (int)lane,
        og_arena_printf(watch->arena, "writes 0x%llx of LDS to global memory, a value", (unsigned long long)address));
}

void og_check_beside(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, int how, unsigned lane, uint64_t address, unsigned size) {
  if (watch->checkers & OG_CHECK_BOUNDS)
    check_bounds(watch, wave, op, how, lane, address, size);
  if (watch->checkers & OG_CHECK_OUTSTANDING && og_transfers_lds(known->memory))
    og_check_owns(wave, op, known, address, size);
  if (watch->checkers & OG_CHECK_ASYNC && og_check_wave(wave)->owns_lds)
    og_check_async_beside(watch, wave, op, known, how, lane, address, size);
  if (watch->checkers & OG_CHECK_UNINIT && how == OG_ACCESS_READ)
    check_values(watch, wave, op, known, lane, address, size);
  if (watch->checkers & OG_CHECK_UNINIT && how & OG_ACCESS_WRITE)
    og_check_uninit_lds(wave, address, size);
}
