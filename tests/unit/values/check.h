/* check.h - what all comparisons with the reference share: the complaint, and operands of all kinds. */
#ifndef OG_VALUES_CHECK_H
#define OG_VALUES_CHECK_H

#include "form_fixture.h"
#include "values/lanes.h"

enum { MOST_COMPLAINTS = 40 };

static char context[300];
static unsigned complaints, compared_instructions;

static void describe(const char *processor, const struct og_inst *inst) {
  struct og_buffer text = {0};
  og_print_inst(isa, inst, NULL, &text);
  snprintf(context, sizeof context, "%s wave%u: %.*s (mode %x)", processor, isa->wave, (int)text.size,
           (char *)text.data, wave->mode);
  og_buffer_free(&text);
}

/* Says what is wrong, of each row once on a processor, and goes on, so that one run shows all. */
static uint16_t complained[4096];
static unsigned complained_count;
static void OG_PRINTF(2, 3) complain(unsigned row, const char *format, ...) {
  va_list args;
  for (unsigned i = 0; i < complained_count; i++)
    if (complained[i] == row)
      return;
  complained[complained_count++ % OG_COUNT(complained)] = (uint16_t)row;
  if (complaints++ > MOST_COMPLAINTS)
    return;
  va_start(args, format);
  print_message("%s: ", context);
  vprint_message(format, args);
  va_end(args);
  print_message("\n");
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static uint32_t special32(void) {
  static const uint32_t often[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                   0x7f800001, 1,          0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                   0x3f000000, 0x4b800000, 0x4f000000, 0xcf000000, 0x7fffffff, 0xffffffff, 0x3c003c00,
                                   0x7c00fc00, 0x7e007c01, 0x04000001, 0x03ff8000, 0x7bfffbff, 0x3f803f80, 0x00010000};
  uint32_t bits = random32();
  switch (random32() % 8) {
  case 0:
  case 1: return often[bits % OG_COUNT(often)];
  case 2: return (bits & 0x81ffffff) | 0x3e000000;                                 /* floats near 1 */
  case 3: return (bits & 0x83ff83ff) | (0x38003800 + (random32() & 0x0c000c00));   /* pairs of halves near 1 */
  case 4: return (bits & 0x807fffff) | (random32() % 2 ? 0x00000000 : 0x01000000); /* tiny floats */
  case 5: return bits % 70;
  default: return bits;
  }
}
static uint64_t special64(void) {
  static const uint64_t often[] = {0,
                                   0x8000000000000000,
                                   0x3ff0000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   0x7ff0000000000001,
                                   1,
                                   0x000fffffffffffff,
                                   0x0010000000000000,
                                   0x7fefffffffffffff,
                                   0x41e0000000000000,
                                   0xc1e0000000000000,
                                   0xffffffffffffffff};
  uint64_t bits = (uint64_t)random32() << 32 | random32();
  switch (random32() % 4) {
  case 0: return often[bits % OG_COUNT(often)];
  case 1: return (bits & 0x803fffffffffffff) | 0x3fc0000000000000;
  default: return bits;
  }
}

/* Low and high halves of special numbers, of 32 bits or of 64. */
static uint32_t special_pool[2][2][POOL];
static void fill_special_pool(void) {
  for (unsigned i = 0; i < POOL; i++) {
    uint64_t two[2] = {special32() | (uint64_t)special32() << 32, special64()};
    for (unsigned wide = 0; wide < 2; wide++)
      special_pool[wide][0][i] = (uint32_t)two[wide], special_pool[wide][1][i] = (uint32_t)(two[wide] >> 32);
  }
}

static void fill_values(struct og_wave *w) {
  memset(&w->s[OG_S_SINK], 0, 32 * sizeof w->s[0]);
  memset(&w->s[OG_S_VCCZ], 0, 4 * sizeof w->s[0]);
  for (unsigned i = 0; i < OG_S_SINK; i += 2)
    if (random32() % 2)
      w->s[i] = special32(), w->s[i + 1] = special32();
    else
      og_store64(&w->s[i], special64());
  w->s[OG_S_SCC] = random32() & 1, w->s[OG_S_SCC + 1] = 0;
  for (unsigned k = 0; k < 2 * VECTORS; k += 2) {
    unsigned wide = random32() % 2, at = random32() % (POOL - OG_LANES);
    for (unsigned half = 0; half < 2; half++)
      memcpy(vector_at(w, k + half), &special_pool[wide][half][at], sizeof w->v[0]);
  }
  if (random32() % 8 == 0)
    og_set_s64(w, OG_S_VCC, 0);
  if (random32() % 16 == 0)
    og_set_s64(w, OG_S_EXEC, 0);
  unsigned generation = program->target.processor->generation;
  w->mode = random32() & 0x3ff;
  if (random32() % 2)
    w->mode = (w->mode & 0x300) | 0xf0;
  if (generation >= OG_GFX900 && random32() % 4 == 0)
    w->mode |= 1 << 23;
  if (generation >= OG_GFX12) /* it has no such fields, and does as if they were so */
    w->mode = (w->mode & ~0x200u) | 0x100;
}

#endif
