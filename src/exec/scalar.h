/* scalar.h - what handlers of scalar results share: the one door to scalar registers, which keeps EXEC's other form up
 * to date. */
#ifndef OG_EXEC_SCALAR_H
#define OG_EXEC_SCALAR_H

#include <string.h>

#include "exec/place.h"

/* To a place that og_place_result gave for so many dwords. */
static inline void og_write_scalars(struct og_wave *wave, uint32_t offset, const void *values, unsigned dwords) {
  memcpy(og_at(wave, offset), values, 4u * dwords);
  if (__builtin_expect(og_place_has_exec(offset, dwords), 0))
    og_exec_changed(wave);
}
static inline void og_write_scalar32(struct og_wave *wave, uint32_t offset, uint32_t value) {
  og_write_scalars(wave, offset, &value, 1);
}
static inline void og_write_scalar64(struct og_wave *wave, uint32_t offset, uint64_t value) {
  og_write_scalars(wave, offset, &value, 2);
}

#endif
