/* vector_modifiers.c - which lane DPP's control word has each lane read from. */
#include "exec/vector.h"

/* The lane a DPP control reads from, -1 where there is none. */
static int dpp_lane(int control, uint32_t dpp8, int lane) {
  int row = lane & ~15, in_row = lane & 15, n = control & 15;
  if (control < 0)
    return (lane & ~7) + (int)(dpp8 >> (3 * (lane & 7)) & 7);
  if (control <= 0xff) /* quad_perm */
    return (lane & ~3) + (control >> (2 * (lane & 3)) & 3);
  switch (control & ~15) {
  case 0x100: return in_row + n < 16 ? lane + n : -1;      /* row_shl */
  case 0x110: return in_row - n >= 0 ? lane - n : -1;      /* row_shr */
  case 0x120: return row + ((in_row - n) & 15);            /* row_ror */
  case 0x150: return row + n;                              /* row_share, gfx10 and row_newbcast, gfx90a */
  case 0x160: return row + (in_row ^ n);                   /* row_xmask, gfx10 */
  }
  switch (control) {
  case 0x130: return lane < 63 ? lane + 1 : -1;            /* wave_shl:1 */
  case 0x134: return (lane + 1) & 63;                      /* wave_rol:1 */
  case 0x138: return lane - 1;                             /* wave_shr:1 */
  case 0x13c: return (lane - 1) & 63;                      /* wave_ror:1 */
  case 0x140: return row + 15 - in_row;                    /* row_mirror */
  case 0x141: return (lane & ~7) + 7 - (lane & 7);         /* row_half_mirror */
  case 0x142: return row - 1;                              /* row_bcast:15: the last lane of the row before */
  case 0x143: return lane >= 32 ? 31 : -1;                 /* row_bcast:31 */
  }
  return -1;
}

void og_find_dpp_lanes(struct og_modifiers *m) {
  m->dpp_rows = true;
  for (int lane = 0; lane < OG_LANES; lane++) {
    int from = dpp_lane(m->dpp_ctrl, m->dpp8, lane);
    m->dpp_from[lane] = (uint8_t)(from >= 0 ? from : lane);
    m->dpp_rows &= from < 0 || from >> 4 == lane >> 4;
    m->dpp_exists |= (uint64_t)(from >= 0) << lane;
    m->dpp_enabled |= (uint64_t)(m->row_mask >> (lane >> 4) & m->bank_mask >> (lane >> 2 & 3) & 1) << lane;
  }
}
