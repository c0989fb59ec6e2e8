/* random_loops.h - random loops over memory as text: addresses that lanes have alike, in a row or further apart, worked
 * out as compilers do it, and broken here and there. For tests that run them. */
#ifndef OG_RANDOM_LOOPS_H
#define OG_RANDOM_LOOPS_H

#include <stdio.h>

#include "random_forms.h"

enum { LOOP_TEXT = 4096 };

/* How a processor writes what loops are of. */
struct loop_names {
  bool gfx10, gfx11; /* and later */
  bool wave32;
  bool dpp, sdwa; /* gfx8 to gfx9, and to gfx10 */
};

static unsigned loop_vgpr(void) { return below(SCARCE); }
static unsigned loop_pair(void) { return 2 * below(SCARCE / 2); }

/* Lanes exchanged within rows, mostly. */
static int write_dpp(char *text, size_t size, const struct loop_names *names, unsigned d, unsigned a, unsigned b) {
  static const char *const within[] = {"quad_perm:[1,0,3,2]", "quad_perm:[0,0,2,3]", "row_shr:1",       "row_shr:8",
                                       "row_shl:3",           "row_ror:5",           "row_half_mirror", "row_mirror"},
                    *const beyond[] = {"row_bcast:15", "row_bcast:31", "wave_shr:1", "wave_rol:1"};
  bool rare = !names->gfx10 && once_in(6);
  const char *how = rare ? beyond[below(OG_COUNT(beyond))] : within[below(OG_COUNT(within))],
             *bound = once_in(3) ? names->gfx10 ? " bound_ctrl:1" : " bound_ctrl:0" : "";
  static const unsigned masks[] = {15, 15, 15, 10, 12, 5};
  unsigned rows = masks[below(OG_COUNT(masks))], banks = masks[below(OG_COUNT(masks))];
  char second[16] = "";
  const char *name = once_in(2) ? "v_mov_b32_dpp" : once_in(2) ? "v_max_u32_dpp" : "v_add_f32_dpp";
  if (name[2] != 'm' || name[3] != 'o')
    snprintf(second, sizeof second, ", v%u", b);
  return snprintf(text, size, "%s v%u, %sv%u%s %s row_mask:%#x bank_mask:%#x%s\n", name, d,
                  name[2] == 'a' && once_in(4) ? "-" : "", a, second, how, rows, banks, bound);
}

/* One step: registers are few, so that steps feed one another. */
static int write_step(char *text, size_t size, const struct loop_names *names) {
  const char *vcc = names->wave32 ? "vcc_lo" : "vcc", *add = names->gfx10 ? "v_add_nc_u32_e64" : "v_add_u32_e64";
  unsigned d = loop_vgpr(), a = loop_vgpr(), b = loop_vgpr(), p = loop_pair(), q = loop_pair(), s = 2 * below(16);
  char upper[8], lower[8];
  snprintf(lower, sizeof lower, "%c%u", once_in(3) ? 'v' : 's', once_in(3) ? q : s);
  if (lower[0] == 's' && !names->gfx10) /* the carry is the one scalar */
    snprintf(upper, sizeof upper, "v%u", loop_vgpr());
  else
    snprintf(upper, sizeof upper, "%c%u", lower[0], (unsigned)atoi(lower + 1) + 1);
  switch (below(21)) {
  case 0:
  case 1: return snprintf(text, size, "v_lshlrev_b64 v[%u:%u], %u, v[%u:%u]\n", p, p + 1, below(4), q, q + 1);
  case 2:
  case 3:
  case 4: { /* low and high halves; now and then the carry goes elsewhere */
    unsigned high = once_in(12) ? loop_vgpr() : p + 1;
    const char *carry = !once_in(6) ? vcc : names->wave32 ? "s40" : "s[40:41]";
    const char *sum = names->gfx10 ? "v_add_co_ci_u32_e64" : "v_addc_co_u32_e64",
               *first = names->gfx10 ? "v_add_co_u32" : "v_add_co_u32_e64";
    int at = snprintf(text, size, "%s v%u, %s, %s, v%u\n", first, p, carry, lower, q);
    if (once_in(12))
      at += snprintf(text + at, size - (size_t)at, "v_mov_b32 v%u, v%u\n", d, a);
    const char *out = once_in(6) && names->gfx10 ? "null" : carry;
    if (once_in(6))
      return at +
             snprintf(text + at, size - (size_t)at, "%s v%u, %s, v%u, %s, %s\n", sum, high, out, q + 1, upper, carry);
    return at +
           snprintf(text + at, size - (size_t)at, "%s v%u, %s, %s, v%u, %s\n", sum, high, out, upper, q + 1, carry);
  }
  case 5: return snprintf(text, size, "%s v%u, %u, v%u\n", add, d, 4 * below(16), d);
  case 6: return snprintf(text, size, "%s v%u, %s, v%u\n", add, d, lower, a);
  case 7: return snprintf(text, size, "v_mov_b32 v%u, v%u\n", d, a);
  case 8: return snprintf(text, size, "v_mov_b32 v%u, %u\n", p + 1, once_in(3) ? below(9) : 0);
  case 9: return snprintf(text, size, "v_ashrrev_i32 v%u, 31, v%u\n", p + 1, p);
  case 10: return snprintf(text, size, "v_lshl_add_u32 v%u, v%u, %u, v%u\n", d, a, below(4), b);
  case 11: return snprintf(text, size, "v_mul_lo_u32 v%u, v%u, %u\n", d, a, below(64));
  case 12:
    return once_in(2) ? snprintf(text, size, "v_add3_u32 v%u, v%u, %u, s%u\n", d, a, below(60), s)
                      : snprintf(text, size, "%s_b32 v%u, %u, v%u\n", once_in(2) ? "v_and" : "v_xor", d, below(64), a);
  case 13: return snprintf(text, size, "v_fma_f32 v%u, v%u, v%u, v%u\n", d, a, b, d);
  case 14: return snprintf(text, size, "v_lshlrev_b32 v%u, %u, v%u\n", d, below(4), a);
  case 15:
    return once_in(2)
               ? snprintf(text, size, "v_subrev_%su32 v%u, %u, v%u\n", names->gfx10 ? "nc_" : "", d, 4 * below(8), a)
               : snprintf(text, size, "v_sub_%su32 v%u, v%u, s%u\n", names->gfx10 ? "nc_" : "", d, a, s);
  case 16:
    return once_in(2) ? snprintf(text, size, "s_add_u32 s%u, s%u, %u\n", s + below(2), 2 * below(16), 4 * below(8))
                      : snprintf(text, size, "s_and_b64 s[%u:%u], s[%u:%u], 60\n", s, s + 1, s, s + 1);
  case 17:
    if (names->sdwa)
      return snprintf(text, size, "v_mov_b32_sdwa v%u, v%u dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:%s_%u\n", d, a,
                      once_in(2) ? "BYTE" : "WORD", below(2));
    return snprintf(text, size, "v_mov_b32 v%u, s%u\n", d, s);
  case 18:
    if (names->dpp)
      return write_dpp(text, size, names, d, a, b);
    return snprintf(text, size, "v_mov_b32 v%u, v%u\n", d, a);
  default: return snprintf(text, size, "v_xor_b32 v%u, v%u, v%u\n", d, a, b);
  }
}

static int write_load(char *text, size_t size, const struct loop_names *names) {
  const char *dword = names->gfx11 ? "b32" : "dword", *ds = names->gfx11 ? "load" : "read";
  unsigned d = loop_vgpr(), a = loop_vgpr(), p = loop_pair(), s = 2 * below(16);
  switch (below(6)) {
  case 0: return snprintf(text, size, "ds_%s_b32 v%u, v%u offset:%u\n", ds, d, a, 4 * below(40));
  case 1:
    return snprintf(text, size, "ds_%s v[%u:%u], v%u offset0:%u offset1:%u\n",
                    names->gfx11 ? "load_2addr_b32" : "read2_b32", p, p + 1, a, below(40), below(40));
  case 2:
    return snprintf(text, size, "global_load_%s v%u, v%u, s[%u:%u] offset:%u\n", dword, d, a, s, s + 1, 4 * below(9));
  default:
    return snprintf(text, size, "global_load_%s v%u, v[%u:%u], off offset:%u\n", dword, d, p, p + 1, 4 * below(9));
  }
}

/* A loop that goes round a few times, or the same without going back. */
static void write_loop(char *text, size_t size, const struct loop_names *names) {
  unsigned steps = 1 + below(10), loads = 1 + below(4), at = 0;
  bool loops = !once_in(5);
  if (!loops)
    loads += 4;
  while (steps + loads > 0) {
    bool load = below(steps + loads) < loads;
    at += (unsigned)(load ? write_load : write_step)(text + at, size - at, names);
    load ? loads-- : steps--;
  }
  if (loops)
    snprintf(text + at, size - at, "s_add_i32 s42, s42, -1\ns_cmp_lg_u32 s42, 0\ns_cbranch_scc1 start\n");
}

#endif
