/* scalar.h - what handlers of scalar results share: writes that keep EXEC's other form up to date. */
#ifndef OG_EXEC_SCALAR_H
#define OG_EXEC_SCALAR_H

#include "exec/exec.h"

static inline void og_write_scalar32(struct og_wave *wave, uint32_t offset, uint32_t value) {
  *og_at(wave, offset) = value;
  if (__builtin_expect(offset - OG_AT_S(OG_S_EXEC) < 8, 0))
    og_exec_changed(wave);
}
static inline void og_write_scalar64(struct og_wave *wave, uint32_t offset, uint64_t value) {
  og_store64(og_at(wave, offset), value);
  if (__builtin_expect(offset == OG_AT_S(OG_S_EXEC), 0))
    og_exec_changed(wave);
}

#endif
