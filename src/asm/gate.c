/* gate.c - instructions that hang on one feature of the processor, which -mattr can take
 * away and generic processors lack. */
#include "asm/gate.h"

#include <string.h>

/* A name in full, or its beginning and a star. */
static const struct gate {
  const char *feature, *names[8];
} gates[] = {
    {"dot1-insts", {"v_dot4_i32_i8", "v_dot8_i32_i4"}},
    {"dot2-insts", {"v_dot2_i32_i16", "v_dot2_u32_u16"}},
    {"dot3-insts", {"v_dot8c_i32_i4"}},
    {"dot4-insts", {"v_dot2c_i32_i16"}},
    {"dot5-insts", {"v_dot2c_f32_f16", "v_dot2acc_f32_f16"}},
    {"dot6-insts", {"v_dot4c_i32_i8"}},
    {"dot7-insts", {"v_dot4_u32_u8", "v_dot8_u32_u4"}},
    {"dot8-insts", {"v_dot4_i32_iu8", "v_dot8_i32_iu4"}},
    {"dot9-insts", {"v_dot2_f16_f16", "v_dot2_bf16_bf16"}},
    {"dot10-insts", {"v_dot2_f32_f16"}},
    {"dot11-insts", {"v_dot4_f32_*"}},
    {"dot12-insts", {"v_dot2_f32_bf16"}},
    {"dot13-insts", {"v_dot2c_f32_bf16"}},
    {"mai-insts", {"v_mfma_*", "v_accvgpr_*", "v_smfmac_*"}},
    {"mad-mix-insts", {"v_mad_mix*"}},
    {"fma-mix-insts", {"v_fma_mix*"}},
    {"vop3p", {"v_pk_*"}},
    {"image-insts", {"image_*"}},
    {"flat-global-insts", {"global_*"}},
    {"flat-scratch-insts", {"scratch_*"}},
    {"flat-address-space", {"flat_*"}},
    {"s-memtime-inst", {"s_memtime"}},
    {"s-memrealtime", {"s_memrealtime"}},
    {"permlane16-swap", {"v_permlane16_swap_b32"}},
    {"permlane32-swap", {"v_permlane32_swap_b32"}},
    {"gws", {"ds_gws_*"}},
    {"dl-insts", {"v_xnor_b32"}},
    {"xf32-insts", {"v_mfma_f32_16x16x8_xf32", "v_mfma_f32_32x32x4_xf32"}},
    {"fp8-conversion-insts",
     {"v_cvt_f32_bf8", "v_cvt_f32_fp8", "v_cvt_pk_f32_bf8", "v_cvt_pk_f32_fp8", "v_cvt_pk_bf8_f32", "v_cvt_pk_fp8_f32",
      "v_cvt_sr_bf8_f32", "v_cvt_sr_fp8_f32"}},
    {"fp8-insts",
     {"v_mfma_f32_16x16x32_bf8_*", "v_mfma_f32_16x16x32_fp8_*", "v_mfma_f32_32x32x16_bf8_*",
      "v_mfma_f32_32x32x16_fp8_*", "v_smfmac_f32_16x16x64_bf8_*", "v_smfmac_f32_16x16x64_fp8_*",
      "v_smfmac_f32_32x32x32_bf8_*", "v_smfmac_f32_32x32x32_fp8_*"}},
};

static bool named(const char *pattern, const char *name) {
  size_t size = strlen(pattern);
  return pattern[size - 1] == '*' ? !strncmp(pattern, name, size - 1) : !strcmp(pattern, name);
}

/* Without it, though others of its generation have it: taken away, or never there where
 * the processor is a generic one. */
static bool is_off(const struct og_target *target, const char *feature) {
  int number = og_find_feature(og_text(feature));
  if (number < 0 || og_has_feature(&target->features, number))
    return false;
  for (size_t i = 0; i < og_processor_count(); i++)
    if (og_processor_at(i)->generation == target->processor->generation &&
        og_has_feature(&og_processor_at(i)->features, number))
      return true;
  return false;
}

const char *og_asm_gate(const struct og_target *target, const struct og_form *form) {
  if (form->variant == OG_VARIANT_SDWA && is_off(target, "sdwa"))
    return "sdwa";
  if (form->variant == OG_VARIANT_DPP16 && is_off(target, "dpp"))
    return "dpp";
  if (form->variant == OG_VARIANT_DPP8 && is_off(target, "dpp8"))
    return "dpp8";
  for (size_t i = 0; i < OG_COUNT(gates); i++)
    for (size_t k = 0; k < OG_COUNT(gates[i].names) && gates[i].names[k]; k++)
      if (named(gates[i].names[k], form->name) && is_off(target, gates[i].feature))
        return gates[i].feature;
  return NULL;
}

bool og_asm_brought(const struct og_target *target, struct og_text name) {
  char text[64];
  if (name.size >= sizeof text)
    return false;
  memcpy(text, name.data, name.size);
  text[name.size] = '\0';
  for (size_t i = 0; i < OG_COUNT(gates); i++) {
    int number = og_find_feature(og_text(gates[i].feature));
    if (og_has_feature(&target->processor->features, number) || !og_has_feature(&target->features, number))
      continue;
    for (size_t k = 0; k < OG_COUNT(gates[i].names) && gates[i].names[k]; k++)
      if (named(gates[i].names[k], text))
        return true;
  }
  return false;
}
