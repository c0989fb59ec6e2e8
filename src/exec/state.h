/* state.h - reading and changing a stopped wave: its registers by name, and memory as its lanes see it. */
#ifndef OG_EXEC_STATE_H
#define OG_EXEC_STATE_H

#include "exec/group.h"

enum og_register_kind { OG_REGISTER_SCALAR, OG_REGISTER_VECTOR, OG_REGISTER_MODE, OG_REGISTER_STATUS };

/* One register or two side by side. */
struct og_register {
  uint8_t kind; /* enum og_register_kind */
  uint8_t dwords;
  uint16_t index; /* in og_wave.s or og_wave.v */
};

/* By its name in assembly: "s4", "v0", "a3", "ttmp7", "vcc", "exec_lo", "m0", "scc", "flat_scratch", "xnack_mask", and
 * "mode" and "status". Pairs of masks have one dword in waves of 32. False: there is none. */
bool og_register_find(const struct og_wave *wave, struct og_text text, struct og_register *found);
/* One dword of it; `lane` matters for vector registers. */
uint32_t og_register_get(const struct og_wave *wave, const struct og_register *at, unsigned dword, unsigned lane);
/* What follows from a change of EXEC is brought up to date; modes are by og_mode_changed() in the thread that runs the
 * wave. False: STATUS is not to be changed. */
bool og_register_set(struct og_wave *wave, const struct og_register *at, unsigned dword, unsigned lane, uint32_t value);

/* Bytes of memory as a lane sees them: of GLOBAL the apertures lead to LDS and scratch. False: out of reach. */
bool og_wave_read(const struct og_wave *wave, enum og_space space, unsigned lane, uint64_t address, void *bytes,
                  size_t size);
bool og_wave_write(const struct og_wave *wave, enum og_space space, unsigned lane, uint64_t address, const void *bytes,
                   size_t size);
/* The same of global memory without a wave. */
bool og_map_read(const struct og_memory_map *map, uint64_t address, void *bytes, size_t size);
bool og_map_write(const struct og_memory_map *map, uint64_t address, const void *bytes, size_t size);

#endif
