/* isa.c - which tables belong to a target, look-ups in them, registers by code. */
#include <stdio.h>
#include <string.h>

#include "isa/internal.h"
#include "target/features.inc"

#define ISA(g, wave_, sgprs_, ttmp_, m0_, null_)                                 \
  {.generation = OG_##g,                                                         \
   .wave = wave_,                                                                \
   .sgprs = sgprs_,                                                              \
   .ttmp = ttmp_,                                                                \
   .m0 = m0_,                                                                    \
   .null = null_,                                                                \
   .gfx10 = OG_##g >= OG_GFX10_1,                                                \
   .gfx11 = OG_##g >= OG_GFX11,                                                  \
   .gfx12 = OG_##g >= OG_GFX12,                                                  \
   .gfx1250 = OG_##g >= OG_GFX1250,                                              \
   .gfx90a = OG_##g >= OG_GFX90A && OG_##g <= OG_GFX950,                         \
   .gfx940 = OG_##g >= OG_GFX942 && OG_##g <= OG_GFX950,                         \
   .lacks[0] = (wave_ == 32 ? OG_NEED_WAVE64 : OG_NEED_WAVE32) |                    \
            (OG_##g == OG_GFX8 ? OG_NEED_PACKED_D16 : OG_NEED_UNPACKED_D16) |    \
            (OG_##g >= OG_GFX12 ? OG_NEED_REAL_TRUE16 : 0)}
/* By generation, from isa/generations.isa; then for waves of 64 and of 32, if it has them. */
static const struct og_isa isas[OG_GENERATION_COUNT][2] = {
#include "isa/isas.inc"
};

const struct og_isa *og_isa_of(enum og_generation generation, unsigned wave_size) {
  if (generation <= OG_R600 || generation >= OG_GENERATION_COUNT || !og_all_tables[generation])
    return NULL;
  return &isas[generation][wave_size == 32 && isas[generation][1].wave];
}

static struct og_feature_set features_of(enum og_generation generation) {
  struct og_feature_set any = {0};
  for (size_t i = 0; i < og_processor_count(); i++)
    for (size_t k = 0; k < OG_COUNT(any.bits) && og_processor_at(i)->generation == generation; k++)
      any.bits[k] |= og_processor_at(i)->features.bits[k];
  return any;
}

/* Features that others of the generation have but the target lacks: removed by -mattr, or never there. Features that
 * none of them has are no condition in their tables. */
static void add_lacking_features(const struct og_target *target, enum og_generation generation, uint64_t lacks[2]) {
  const struct og_feature_set any = features_of(generation);
  for (unsigned i = 0; i < og_needed_features_count; i++) {
    if (!og_has_feature(&target->features, og_needed_features[i]) && og_has_feature(&any, og_needed_features[i]))
      lacks[(OG_NEED_FEATURES + i) / 64] |= UINT64_C(1) << (OG_NEED_FEATURES + i) % 64;
  }
}

const struct og_isa *og_isa_for(const struct og_target *target, struct og_isa *room) {
  return target->processor ? og_isa_from(target, target->processor->generation, room) : NULL;
}

const struct og_isa *og_isa_from(const struct og_target *target, enum og_generation generation, struct og_isa *room) {
  const struct og_isa *isa = og_isa_of(generation, target->wave_size);
  if (!isa)
    return NULL;
  *room = *isa;
  room->lacks[0] = target->mixed_waves ? 0 : isa->wave == 32 ? OG_NEED_WAVE64 : OG_NEED_WAVE32;
  room->lacks[0] |=
      og_has_feature(&target->features, OG_FEATURE_UNPACKED_D16_VMEM) ? OG_NEED_PACKED_D16 : OG_NEED_UNPACKED_D16;
  room->lacks[0] |= isa->gfx11 && !og_has_feature(&target->features, OG_FEATURE_REAL_TRUE16) ? OG_NEED_REAL_TRUE16 : 0;
  add_lacking_features(target, generation, room->lacks);
  return room;
}

const char *og_row_name(unsigned row) { return row < og_rows_count ? og_isa_names + og_rows[row].name : NULL; }

int og_row_commuted(unsigned row) { return row < og_rows_count ? og_rows[row].commuted : -1; }

unsigned og_element_bits(enum og_element element) {
  static const uint8_t bits[OG_ELEMENT_COUNT] = {
      [OG_ELEMENT_F64] = 64,  [OG_ELEMENT_F32] = 32, [OG_ELEMENT_XF32] = 32, [OG_ELEMENT_F16] = 16,
      [OG_ELEMENT_BF16] = 16, [OG_ELEMENT_FP8] = 8,  [OG_ELEMENT_BF8] = 8,   [OG_ELEMENT_FP6] = 6,
      [OG_ELEMENT_BF6] = 6,   [OG_ELEMENT_F4] = 4,   [OG_ELEMENT_E8] = 8,    [OG_ELEMENT_I64] = 64,
      [OG_ELEMENT_I32] = 32,  [OG_ELEMENT_I16] = 16, [OG_ELEMENT_I8] = 8,    [OG_ELEMENT_I4] = 4,
      [OG_ELEMENT_U64] = 64,  [OG_ELEMENT_U32] = 32, [OG_ELEMENT_U16] = 16,  [OG_ELEMENT_U8] = 8,
      [OG_ELEMENT_U4] = 4,    [OG_ELEMENT_IU8] = 8,  [OG_ELEMENT_IU4] = 4,   [OG_ELEMENT_B64] = 64,
      [OG_ELEMENT_B32] = 32,  [OG_ELEMENT_B16] = 16, [OG_ELEMENT_B8] = 8,    [OG_ELEMENT_B4] = 4};
  return bits[element];
}

unsigned og_latency(const struct og_isa *isa, const struct og_form *form) {
  return og_latencies[isa->generation][form->latency];
}

const struct og_form *og_form(const struct og_isa *isa, unsigned form) {
  return &og_all_tables[isa->generation]->forms[form];
}
unsigned og_form_count(const struct og_isa *isa) { return og_all_tables[isa->generation]->form_count; }
const struct og_shape *og_shape(const struct og_isa *isa, const struct og_form *form) {
  (void)isa;
  return &og_shapes[form->shape];
}

unsigned og_sgpr_count(const struct og_isa *isa) { return isa->sgprs; }
unsigned og_ttmp_count(const struct og_isa *isa) { return og_ttmps(isa); }

bool og_multiplies_doubles(const struct og_shape *shape) {
  const struct og_slot *addend = og_slot_of(shape, OG_ROLE_SRC2);
  return addend && addend->type == OG_TYPE_F64;
}

unsigned og_slot_dwords(const struct og_isa *isa, const struct og_slot *slot) { return og_dwords(isa, slot); }

bool og_form_fits(const struct og_isa *isa, const struct og_form *form) {
  return og_is_here(isa, form);
}

static bool needs_feature(const struct og_form *form, unsigned feature) {
  return form->needs[(OG_NEED_FEATURES + feature) / 64] >> (OG_NEED_FEATURES + feature) % 64 & 1;
}

const char *og_missing_feature(const struct og_isa *isa, const struct og_form *form) {
  for (unsigned i = 0; i < og_needed_features_count; i++)
    if (needs_feature(form, i) && isa->lacks[(OG_NEED_FEATURES + i) / 64] >> (OG_NEED_FEATURES + i) % 64 & 1)
      return og_feature_name(og_needed_features[i]);
  return NULL;
}

bool og_unpacked_d16(const struct og_isa *isa) { return isa->lacks[0] & OG_NEED_PACKED_D16; }

static int compare(struct og_text text, const char *name) {
  int order = strncmp(text.data, name, text.size);
  return order ? order : name[text.size] ? -1 : 0;
}

size_t og_find_forms(const struct og_isa *isa, struct og_text mnemonic, const uint16_t **forms) {
  const struct og_tables *tables = og_all_tables[isa->generation];
  unsigned low = 0, high = tables->name_count;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    int order = compare(mnemonic, og_isa_names + tables->names[middle].name);
    if (order == 0) {
      *forms = tables->named + tables->names[middle].first;
      return tables->names[middle].count;
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

size_t og_find_pairs(const struct og_isa *isa, unsigned x, unsigned y, const uint16_t **forms) {
  char name[128];
  snprintf(name, sizeof name, "%s :: %s", og_row_name(x), og_row_name(y));
  return og_find_forms(isa, og_text(name), forms);
}

int og_find_row(struct og_text mnemonic) {
  for (unsigned generation = OG_R600 + 1; generation < OG_GENERATION_COUNT; generation++) {
    const uint16_t *forms;
    const struct og_isa *isa = og_isa_of(generation, 64);
    if (isa && og_find_forms(isa, mnemonic, &forms))
      return og_form(isa, forms[0])->row;
  }
  return -1;
}

/* ---- registers by code (SGPR operand encodings of the ISA manuals) ---- */

static const struct {
  const char *one, *more;
  size_t size;
} special_names[OG_SPECIAL_COUNT] = {
#define SPECIAL(id, one, more, code, read, here) {one, more, sizeof(one) - 1},
#include "isa/specials.def"
#undef SPECIAL
};

const char *og_special_name(enum og_special special, unsigned dwords) {
  const char *name = dwords > 1 ? special_names[special].more : NULL;
  return name ? name : special_names[special].one;
}

static bool is_named(const char *name, struct og_text text) {
  return !strncmp(name, text.data, text.size) && !name[text.size];
}

enum og_special og_find_special(struct og_text name, uint8_t *dwords) {
  for (enum og_special special = 0; special < OG_SPECIAL_COUNT; special++) {
    const char *one = special_names[special].one, *more = special_names[special].more;
    size_t size = special_names[special].size, omitted = size - name.size;
    bool source = special >= OG_SPECIAL_SHARED_BASE, shorter = omitted == strlen("src_");
    if (source ? omitted && !(shorter && special <= OG_SPECIAL_LDS_DIRECT) : *one != *name.data)
      continue; /* sizes or first letters tell most apart */
    bool by_more = more && is_named(more, name);
    if (!by_more && !is_named(source ? one + omitted : one, name))
      continue;
    bool any_size = special == OG_SPECIAL_NULL || (source && special != OG_SPECIAL_LDS_DIRECT);
    *dwords = any_size ? 0 : 1 + by_more;
    return special;
  }
  return OG_SPECIAL_COUNT;
}

int og_special_code(const struct og_isa *isa, enum og_special special) {
  switch (special) {
#define SPECIAL(id, one, more, code, read, here) \
  case OG_SPECIAL_##id: return code;
#include "isa/specials.def"
#undef SPECIAL
  default: return -1;
  }
}

enum og_special og_special_of(const struct og_isa *isa, unsigned code, unsigned dwords) {
  enum og_special special = OG_SPECIAL_COUNT;
#define SPECIAL(id, one, more, its_code, read, here) \
  if (code == (unsigned)(its_code) && (read)) \
    special = OG_SPECIAL_##id;
#include "isa/specials.def"
#undef SPECIAL
  if (dwords > 2)
    return special == OG_SPECIAL_NULL ? special : OG_SPECIAL_COUNT;
  return dwords == 2 && special < OG_SPECIAL_COUNT && !special_names[special].more ? OG_SPECIAL_COUNT : special;
}

bool og_special_exists(const struct og_isa *isa, enum og_special special) {
  switch (special) {
#define SPECIAL(id, one, more, code, read, here) \
  case OG_SPECIAL_##id: return here;
#include "isa/specials.def"
#undef SPECIAL
  default: return true;
  }
}

/* ---- inline constants ---- */

uint64_t og_inline_value(unsigned code, enum og_type type) {
  /* 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1/(2*pi) in each format; integers of 16 bits see the f16 pattern. */
  static const uint32_t f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
  static const uint16_t f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
  static const uint16_t bf16[] = {0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22};
  static const uint64_t f64[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                 0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
  if (code <= OG_CODE_MINUS_16) {
    int64_t value = code <= OG_CODE_64 ? (int64_t)code - OG_CODE_0 : OG_CODE_64 - (int64_t)code;
    return (uint64_t)value;
  }
  unsigned i = code - OG_CODE_REAL;
  switch (type) {
  case OG_TYPE_F16: case OG_TYPE_V2F16: return f16[i];
  case OG_TYPE_V2F16_SPLAT: return f16[i] * UINT32_C(0x10001);
  case OG_TYPE_BF16: case OG_TYPE_V2BF16: return bf16[i];
  case OG_TYPE_F64: case OG_TYPE_I64: return f64[i];
  case OG_TYPE_I16: return f16[i];
  default: return f32[i];
  }
}

int og_inline_code(const struct og_isa *isa, uint64_t value, enum og_type type) {
  bool wide = type == OG_TYPE_I64 || type == OG_TYPE_F64, narrow = type == OG_TYPE_F16 || type == OG_TYPE_BF16;
  int64_t integer = wide ? (int64_t)value : narrow ? (int16_t)value : (int32_t)value;
  if (integer >= -16 && integer <= 64)
    return integer >= 0 ? OG_CODE_0 + (int)integer : OG_CODE_64 - (int)integer;
  type = type == OG_TYPE_I16 ? OG_TYPE_B32 : type;
  value = narrow ? value & 0xffff : value;
  int end = isa->generation >= OG_GFX8 ? OG_CODE_1_OVER_2PI + 1 : OG_CODE_1_OVER_2PI;
  bool odd =
      value & 0xffff && !narrow && type != OG_TYPE_V2F16 && type != OG_TYPE_V2F16_SPLAT && type != OG_TYPE_V2BF16;
  for (int code = odd ? OG_CODE_1_OVER_2PI : OG_CODE_REAL; code < end; code++) /* the low bits of the others are 0 */
    if (og_inline_value((unsigned)code, type) == value)
      return code;
  return -1;
}
