/* random_forms.h - random choices, and instructions of the tables' forms with random operands: for tests that run
 * them. */
#ifndef OG_RANDOM_FORMS_H
#define OG_RANDOM_FORMS_H

#include "isa/isa.h"

#include <string.h>

enum {
  SCARCE = 16,  /* registers that instructions choose from mostly: so many first ones, and a few last ones */
  BRANCHES = 96 /* words that branches go to and fro */
};

/* ---- choices ----------------------------------------------------------------------------------------------------- */

static const uint8_t *stream;
static size_t stream_left;
static uint64_t state;

static uint32_t draw(void) {
  if (stream_left >= 2) {
    state = (state ^ stream[0] ^ (uint64_t)stream[1] << 8) * 0x9e3779b97f4a7c15u;
    stream += 2, stream_left -= 2;
  }
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (uint32_t)(z >> 32);
}
static uint32_t below(uint32_t count) { return draw() % count; }
static bool once_in(uint32_t count) { return below(count) == 0; }
static uint64_t draw64(void) { return (uint64_t)draw() << 32 | draw(); }

static unsigned draw_vgpr(void) {
  return once_in(12) ? below(256) : once_in(5) ? 256 - 1 - below(SCARCE) : below(SCARCE);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void set_bits(uint64_t words[2], unsigned at, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; i++, at++)
    if (at < 128)
      words[at / 64] = (words[at / 64] & ~(1ull << at % 64)) | (value >> i & 1) << at % 64;
}

static void set_pieces(uint64_t words[2], const struct og_piece *pieces, unsigned count, uint64_t value) {
  for (unsigned i = 0; i < count && pieces[i].width; i++)
    set_bits(words, pieces[i].at, pieces[i].width, value >> pieces[i].to);
}

static unsigned draw_scalar_code(void) {
  static const uint8_t odd[] = {104, 106, 107, 108, 120, 123, 124, 125, 126, 127};
  return once_in(4) ? odd[below(sizeof odd)] : once_in(8) ? below(128) : below(16) * 2 + once_in(6);
}

static uint64_t draw_code(const struct og_slot *slot) {
  bool vector = (slot->takes >= OG_TAKES_VGPR && slot->takes <= OG_TAKES_VGPR_AGPR) ||
                (slot->takes >= OG_TAKES_VGPR_SGPR_INLINE && slot->takes <= OG_TAKES_VGPR_LITERAL);
  bool any = slot->pieces[0].width >= 9;
  if (once_in(24))
    return draw();
  switch (slot->takes) {
  case OG_TAKES_BRANCH: return below(2 * BRANCHES) - BRANCHES;
  case OG_TAKES_HWREG: return below(4) << 14 | (once_in(2) ? below(64) : 1);
  default: break;
  }
  if (slot->takes == OG_TAKES_NONE || slot->takes > OG_TAKES_VGPR_LITERAL)
    return once_in(3) ? draw() : once_in(2) ? below(64) : ~(uint64_t)0;
  if (vector && (!any || !once_in(3)))
    return (any ? 256 : 0) + draw_vgpr();
  if (slot->takes == OG_TAKES_SGPR || once_in(2))
    return draw_scalar_code();
  return once_in(4) ? 235 + below(21) : 128 + below(121); /* constants and special sources */
}

/* `literal` follows, where there is one. Yields how many words it is. */
static unsigned write_form(const struct og_isa *isa, const struct og_form *form, uint32_t literal, uint32_t *out) {
  const struct og_shape *shape = og_shape(isa, form);
  uint64_t words[2] = {0};
  for (unsigned i = 0; i < shape->slot_count; i++) {
    const struct og_slot *slot = &og_slots(shape)[i];
    set_pieces(words, slot->pieces, 2, draw_code(slot));
    if (once_in(4))
      set_pieces(words, slot->modifiers, 4, draw());
  }
  for (unsigned i = 0; i < shape->mod_count; i++)
    if (once_in(3))
      set_pieces(words, og_mods(shape)[i].pieces, 4, once_in(2) ? draw() : once_in(2) ? ~0u : 4 * below(64));
  for (unsigned i = 0; i < 2; i++)
    words[i] = (words[i] & ~form->mask[i]) | form->value[i];
  if (once_in(32))
    words[0] ^= 1ull << below(64);
  memcpy(out, words, 16);
  unsigned size = form->size < 16 ? form->size / 4 : 4;
  out[size] = literal;
  out[size + 1] = draw();
  struct og_inst inst;
  size_t used = og_decode(isa, (const uint8_t *)out, 4 * (size + 2), &inst);
  return used != 0 ? (unsigned)used / 4 : size;
}

#endif
