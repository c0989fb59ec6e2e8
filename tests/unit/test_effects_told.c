/* What og_inst_effects tells of instructions whose effects depend on modifiers, and of those that nothing here
 * executes; and that its lists are long enough for every form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/effects.h"
#include "target_fixture.h"

/* ---- in words ---------------------------------------------------------------------------------------------------- */

static void put_uses(struct og_buffer *out, const struct og_use *uses, unsigned count) {
  static const char letters[] = {
      [OG_OPERAND_VGPR] = 'v', [OG_OPERAND_AGPR] = 'a', [OG_OPERAND_SGPR] = 's', [OG_OPERAND_TTMP] = 't'};
  static const char *const names[OG_SPECIAL_COUNT] = {
      [OG_SPECIAL_VCC_LO] = "vcc", [OG_SPECIAL_EXEC_LO] = "exec", [OG_SPECIAL_M0] = "m0", [OG_SPECIAL_SCC] = "scc",
      [OG_SPECIAL_FLAT_SCRATCH_LO] = "flat_scratch"};
  for (unsigned i = 0; i < count; i++) {
    if (uses[i].kind == OG_OPERAND_SPECIAL)
      og_buffer_printf(out, "%s", names[uses[i].reg] ? names[uses[i].reg] : "?");
    else
      og_buffer_printf(out, "%c%u", letters[uses[i].kind], uses[i].reg);
    if (uses[i].dwords != 1)
      og_buffer_printf(out, ":%u", uses[i].dwords);
    if (uses[i].bytes != 15)
      og_buffer_printf(out, ".%x", uses[i].bytes);
    og_buffer_printf(out, "%s ", uses[i].keeps & OG_KEEPS_SOME ? "?" : "");
  }
}

static void put_bits(struct og_buffer *out, unsigned bits, const char *const *names) {
  for (unsigned i = 0; bits >> i; i++)
    if (bits >> i & 1)
      og_buffer_printf(out, " %s", names[i]);
}

/* "written <- read; loads ...; stores ...; so many bytes; counters": REGISTER:DWORDS.BYTES, `?` for what may stay. */
static void put_effects(struct og_buffer *out, const struct og_effects *effects) {
  static const char *const spaces[] = {"nothing", "global", "flat", "scratch", "buffer", "typed",  "image",
                                       "lds",     "gds",    "gws",  "gs_reg",  "lanes",  "code", "cluster"};
  static const char *const counters[] = {"vm", "vs",     "lgkm", "exp",   "load",   "store", "ds",
                                         "km", "sample", "bvh",  "async", "tensor", "x"};
  put_uses(out, effects->writes, effects->write_count);
  og_buffer_printf(out, "<- ");
  put_uses(out, effects->reads, effects->read_count);
  if (effects->loads_from)
    og_buffer_printf(out, "; loads"), put_bits(out, effects->loads_from, spaces);
  if (effects->stores_to)
    og_buffer_printf(out, "; stores"), put_bits(out, effects->stores_to, spaces);
  if (effects->bytes)
    og_buffer_printf(out, "; %u", effects->bytes);
  if (effects->counters)
    og_buffer_printf(out, ";"), put_bits(out, effects->counters, counters);
  og_buffer_u8(out, 0);
}

static const struct {
  enum og_generation generation;
  uint8_t wave;
  uint32_t words[2];
  const char *effects;
} examples[] = {
    /* global_load_short_d16_hi v5, v[2:3], off */
    {OG_GFX900, 64, {0xdc948000, 0x057f0002}, "v5.c <- v5.3 v2:2 exec:2 ; loads global; 2; vm"},
    /* v_add_u32_sdwa v1, v2, v3 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:DWORD */
    {OG_GFX900, 64, {0x680206f9, 0x06051102}, "v1.2 <- v1.d v2.c v3 exec:2 "},
    /* v_add_u32_dpp v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf, without and with bound_ctrl:0 */
    {OG_GFX900, 64, {0x680206fa, 0xff011102}, "v1? <- v1 v2 v3 exec:2 "},
    {OG_GFX900, 64, {0x680206fa, 0xff091102}, "v1 <- v2 v3 exec:2 "},
    /* v_mad_mixhi_f16 v0, v1, v2, v3 */
    {OG_GFX900, 64, {0xd3a20000, 0x040e0501}, "v0.c <- v0.3 v1 v2 v3 exec:2 "},
    /* image_load v[0:3], v[4:5], s[0:7] dmask:0x7 dim:SQ_RSRC_IMG_2D tfe */
    {OG_GFX10_3, 32, {0xf0010708, 0x00000004}, "v0:4 <- v4:2 s0:8 exec ; loads image; vm"},
    /* image_load v0, v[4:5], s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_2D d16 */
    {OG_GFX10_3, 32, {0xf0000308, 0x80000004}, "v0 <- v4:2 s0:8 exec ; loads image; vm"},
    /* image_atomic_add v0, v[4:5], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D, with and without glc */
    {OG_GFX10_3, 32, {0xf0442108, 0x00000004}, "v0 <- v0 v4:2 s0:8 exec ; loads image; stores image; vm"},
    {OG_GFX10_3, 32, {0xf0440108, 0x00000004}, "<- v0 v4:2 s0:8 exec ; loads image; stores image; vs"},
    /* buffer_atomic_cmpswap v[0:1], off, s[0:3], 0 glc */
    {OG_GFX900, 64, {0xe1044000, 0x80000000}, "v0 <- v0:2 s0:4 exec:2 ; loads buffer; stores buffer; 4; vm"},
    /* buffer_load_dword off, s[0:3], 0 lds */
    {OG_GFX900, 64, {0xe0510000, 0x80000000}, "<- s0:4 exec:2 m0 ; loads buffer; stores lds; 4; vm"},
    /* ds_read2st64_b64 v[0:3], v4 offset1:1 */
    {OG_GFX900, 64, {0xd8f00100, 0x00000004}, "v0:4 <- v4 exec:2 ; loads lds; 16; lgkm"},
    /* ds_add_u32 v0, v1 gds */
    {OG_GFX900, 64, {0xd8010000, 0x00000100}, "<- v0 v1 exec:2 ; loads lds; stores lds; 4; lgkm exp"},
    /* v_dual_fmac_f32 v0, v1, v2 :: v_dual_cndmask_b32 v3, v4, v5 */
    {OG_GFX11, 32, {0xc8120501, 0x00020b04}, "v0 v3 <- v0 v1 v2 v4 v5 exec vcc "},
    /* v_cmp_eq_u32_e32 vcc_lo, v0, v1; in waves of 64, vcc */
    {OG_GFX11, 32, {0x7c940300}, "vcc <- v0 v1 exec "},
    {OG_GFX11, 64, {0x7c940300}, "vcc:2 <- v0 v1 exec:2 "},
    /* s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_REALTIME) */
    {OG_GFX12, 32, {0xbe804c83}, "s0 <- ; km"},
};

static void examples_are_told(void **state) {
  (void)state;
  for (size_t i = 0; i < OG_COUNT(examples); i++) {
    const struct og_isa *isa = og_isa_of(examples[i].generation, examples[i].wave);
    struct og_inst inst;
    struct og_effects effects;
    struct og_buffer out = {0};
    assert_true(og_decode(isa, (const uint8_t *)examples[i].words, sizeof examples[i].words, &inst) != 0);
    assert_true(og_inst_effects(isa, &inst, &effects));
    put_effects(&out, &effects);
    assert_string_equal((const char *)out.data, examples[i].effects);
    og_buffer_free(&out);
  }
}

/* ---- every form -------------------------------------------------------------------------------------------------- */

static void lists_are_long_enough(void **state) {
  (void)state;
  unsigned forms = 0, relative = 0;
  srand(7);
  for (unsigned generation = OG_GFX6; generation < OG_GENERATION_COUNT; generation++) {
    const struct og_isa *isa = og_isa_of(generation, generation >= OG_GFX10_1 ? 32 : 64);
    for (unsigned k = 0; isa && k < og_form_count(isa); k++) {
      uint32_t words[8];
      struct og_inst inst;
      struct og_effects effects;
      for (unsigned i = 0; i < 8; i++)
        words[i] = form_word(og_form(isa, k), i, (uint32_t)rand() << 16 ^ (uint32_t)rand());
      if (!og_decode(isa, (const uint8_t *)words, sizeof words, &inst))
        continue;
      forms++;
      relative += !og_inst_effects(isa, &inst, &effects);
      if (effects.read_count >= OG_READS_MOST || effects.write_count >= OG_WRITES_MOST)
        fail_msg("%s: %u registers read and %u written", og_row_name(inst.row), effects.read_count,
                 effects.write_count);
    }
  }
  print_message("%u forms, of %u not all effects are told\n", forms, relative);
  assert_true(forms > 50000 && relative < 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples_are_told), cmocka_unit_test(lists_are_long_enough)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
