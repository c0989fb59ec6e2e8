/* descriptor.c - the 64-byte kernel descriptor: fields, `.amdhsa_*` values to bytes and back, register granules.
 * Seed: AMDGPU backend guide, "Kernel Descriptor", "AMDHSA Kernel Assembler Directives". */
#include "object/object.h"

#include <string.h>

const struct og_kd_field_info og_kd_fields[OG_KD_FIELD_COUNT] = {
#define OG_FIELD_ROW(id, byte, size, bit, bits, where, name) {name, byte, size, bit, bits, where},
    OG_KD_FIELDS(OG_FIELD_ROW)};

const struct og_kd_directive_info og_kd_directives[OG_KDD_COUNT] = {
#define OG_DIRECTIVE_ROW(id, name, bits, where, default_value, sgprs) {name, bits, where, default_value, sgprs},
    OG_KD_DIRECTIVES(OG_DIRECTIVE_ROW)};

static uint64_t load(const uint8_t *p, unsigned size) {
  uint64_t value = 0;
  memcpy(&value, p, size);
  return value;
}

static uint64_t mask(unsigned bits) {
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

uint64_t og_kd_get(const uint8_t *descriptor, enum og_kd_field field) {
  const struct og_kd_field_info *f = &og_kd_fields[field];
  return load(descriptor + f->byte, f->size) >> f->bit & mask(f->bits);
}

void og_kd_set(uint8_t *descriptor, enum og_kd_field field, uint64_t value) {
  const struct og_kd_field_info *f = &og_kd_fields[field];
  uint64_t word = load(descriptor + f->byte, f->size);
  word = (word & ~(mask(f->bits) << f->bit)) | (value & mask(f->bits)) << f->bit;
  memcpy(descriptor + f->byte, &word, f->size);
}

/* ---- where fields exist ------------------------------------------------------------------------------------------ */

static bool is_gfx90a(const struct og_processor *p) {
  return p->unified_vgprs;
}

static bool is_gfx1250(const struct og_processor *p) {
  return p->major == 12 && p->minor == 5;
}

static bool architected_scratch(const struct og_processor *p) {
  return p->major >= 11 || (p->major == 9 && p->minor >= 4);
}

bool og_kd_exists(const struct og_target *target, enum og_kd_where where) {
  const struct og_processor *p = target->processor;
  switch (where) {
  case OG_KD_ALWAYS: return true;
  case OG_KD_NOT_ARCHITECTED_SCRATCH: return !architected_scratch(p);
  case OG_KD_ARCHITECTED_SCRATCH: return architected_scratch(p);
  case OG_KD_GFX7_NOT_ARCHITECTED_SCRATCH: return p->major >= 7 && !architected_scratch(p);
  case OG_KD_KERNARG_PRELOAD: return is_gfx90a(p) || is_gfx1250(p);
  case OG_KD_GFX8_UP: return p->major >= 8;
  case OG_KD_GFX9_UP: return p->major >= 9;
  case OG_KD_GFX10_UP: return p->major >= 10;
  case OG_KD_GFX11_UP: return p->major >= 11;
  case OG_KD_GFX12_UP: return p->major >= 12;
  case OG_KD_GFX1250: return is_gfx1250(p);
  case OG_KD_GFX6_TO_9: return p->major <= 9;
  case OG_KD_GFX6_TO_11: return p->major <= 11;
  case OG_KD_GFX10_TO_11: return p->major == 10 || p->major == 11;
  case OG_KD_GFX11: return p->major == 11;
  case OG_KD_GFX10_UP_NOT_1250: return p->major >= 10 && !is_gfx1250(p);
  case OG_KD_GFX12_NOT_1250: return p->major >= 12 && !is_gfx1250(p);
  case OG_KD_NOT_1250: return !is_gfx1250(p);
  case OG_KD_GFX90A: return is_gfx90a(p);
  case OG_KD_NEVER: return false;
  }
  return false;
}

const char *og_kd_where_text(enum og_kd_where where) {
  switch (where) {
  case OG_KD_NOT_ARCHITECTED_SCRATCH:
  case OG_KD_GFX7_NOT_ARCHITECTED_SCRATCH: return "directive is not supported with architected flat scratch";
  case OG_KD_ARCHITECTED_SCRATCH: return "directive is not supported without architected flat scratch";
  case OG_KD_KERNARG_PRELOAD: case OG_KD_GFX90A: return "directive requires gfx90a+";
  case OG_KD_GFX8_UP: return "directive requires gfx8+";
  case OG_KD_GFX9_UP: return "directive requires gfx9+";
  case OG_KD_GFX10_UP: case OG_KD_GFX10_UP_NOT_1250: return "directive requires gfx10+";
  case OG_KD_GFX11_UP: return "directive requires gfx11+";
  case OG_KD_GFX12_UP: return "directive requires gfx12+";
  case OG_KD_GFX1250: return "directive requires gfx1250+";
  case OG_KD_GFX10_TO_11: return "directive requires gfx10 or gfx11";
  case OG_KD_GFX6_TO_11: return "directive unsupported on gfx12+";
  default: return "directive is not supported on this processor";
  }
}

int og_find_kd_directive(struct og_text name) {
  static const char prefix[] = ".amdhsa_";
  if (name.size > sizeof prefix - 1 && memcmp(name.data, prefix, sizeof prefix - 1) == 0)
    name = (struct og_text){name.data + sizeof prefix - 1, name.size - (sizeof prefix - 1)};
  for (int i = 0; i < OG_KDD_COUNT; i++)
    if (og_text_is(name, og_kd_directives[i].name))
      return i;
  return -1;
}

/* ---- granules ---------------------------------------------------------------------------------------------------- */

uint32_t og_extra_sgprs(const struct og_target *target, bool vcc, bool flat_scratch, bool xnack) {
  const struct og_processor *p = target->processor;
  uint32_t extra = vcc ? 2 : 0;
  if (p->major >= 10)
    return extra;
  if (p->major < 8)
    return flat_scratch ? 4 : extra;
  if (xnack)
    extra = 4;
  return flat_scratch || architected_scratch(p) ? 6 : extra;
}

static uint32_t vgpr_encoding_granule(const struct og_target *target, bool wave32) {
  const struct og_processor *p = target->processor;
  if (is_gfx90a(p))
    return 8;
  if (is_gfx1250(p))
    return wave32 ? 16 : 8;
  return wave32 && p->major >= 10 ? 8 : 4;
}

enum { SGPR_ENCODING_GRANULE = 8, SGPRS_FOR_INIT_BUG = 96 };

static bool has_init_bug(const struct og_target *target) {
  return og_has_feature(&target->features, og_find_feature(OG_TEXT("sgpr-init-bug")));
}

static uint32_t blocks(uint64_t count, uint32_t granule) {
  return (uint32_t)(og_align_up(OG_MAX(count, 1), granule) / granule - 1);
}

static bool is_wave32(const struct og_target *target, const uint8_t *descriptor) {
  return target->processor->major >= 10 && og_kd_get(descriptor, OG_KD_ENABLE_WAVEFRONT_SIZE32);
}

uint32_t og_kd_vgpr_count(const struct og_target *target, const uint8_t *descriptor) {
  uint32_t granule = vgpr_encoding_granule(target, is_wave32(target, descriptor));
  return ((uint32_t)og_kd_get(descriptor, OG_KD_GRANULATED_WORKITEM_VGPR_COUNT) + 1) * granule;
}

uint32_t og_kd_sgpr_count(const struct og_target *target, const uint8_t *descriptor) {
  if (target->processor->major >= 10)
    return target->processor->sgprs_max;
  return ((uint32_t)og_kd_get(descriptor, OG_KD_GRANULATED_WAVEFRONT_SGPR_COUNT) + 1) * SGPR_ENCODING_GRANULE;
}

/* ---- values -> bytes --------------------------------------------------------------------------------------------- */

static uint64_t target_default(const struct og_target *target, enum og_kd_directive directive) {
  switch (directive) {
  case OG_KDD_WAVEFRONT_SIZE32: return target->wave_size == 32;
  case OG_KDD_RESERVE_XNACK_MASK: return target->xnack == OG_ON || target->xnack == OG_ANY;
  case OG_KDD_WORKGROUP_PROCESSOR_MODE: return !target->cumode;
  default: return 0;
  }
}

void og_kd_defaults(const struct og_target *target, struct og_kd_values *values) {
  for (int i = 0; i < OG_KDD_COUNT; i++) {
    int value = og_kd_directives[i].default_value;
    if (values->given[i] || value == OG_KD_REQUIRED || value == OG_KD_COMPUTED)
      continue;
    bool exists = og_kd_exists(target, og_kd_directives[i].where);
    if (i == OG_KDD_RESERVE_FLAT_SCRATCH) /* gfx6 has no such directive, but LLVM counts its registers all the same */
      exists = !architected_scratch(target->processor);
    values->value[i] = !exists                    ? 0
                       : value == OG_KD_BY_TARGET ? target_default(target, (enum og_kd_directive)i)
                                                  : (uint64_t)value;
  }
}

/* Directives that are one field of the descriptor. */
static const struct {
  uint8_t directive, field;
} direct[] = {
#define OG_SAME(directive, field) {OG_KDD_##directive, OG_KD_##field},
    OG_SAME(GROUP_SEGMENT_FIXED_SIZE, GROUP_SEGMENT_FIXED_SIZE)
    OG_SAME(PRIVATE_SEGMENT_FIXED_SIZE, PRIVATE_SEGMENT_FIXED_SIZE)
    OG_SAME(KERNARG_SIZE, KERNARG_SIZE)
    OG_SAME(USER_SGPR_PRIVATE_SEGMENT_BUFFER, ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER)
    OG_SAME(USER_SGPR_DISPATCH_PTR, ENABLE_SGPR_DISPATCH_PTR)
    OG_SAME(USER_SGPR_QUEUE_PTR, ENABLE_SGPR_QUEUE_PTR)
    OG_SAME(USER_SGPR_KERNARG_SEGMENT_PTR, ENABLE_SGPR_KERNARG_SEGMENT_PTR)
    OG_SAME(USER_SGPR_DISPATCH_ID, ENABLE_SGPR_DISPATCH_ID)
    OG_SAME(USER_SGPR_FLAT_SCRATCH_INIT, ENABLE_SGPR_FLAT_SCRATCH_INIT)
    OG_SAME(USER_SGPR_KERNARG_PRELOAD_LENGTH, KERNARG_PRELOAD_LENGTH)
    OG_SAME(USER_SGPR_KERNARG_PRELOAD_OFFSET, KERNARG_PRELOAD_OFFSET)
    OG_SAME(USER_SGPR_PRIVATE_SEGMENT_SIZE, ENABLE_SGPR_PRIVATE_SEGMENT_SIZE)
    OG_SAME(WAVEFRONT_SIZE32, ENABLE_WAVEFRONT_SIZE32)
    OG_SAME(USES_DYNAMIC_STACK, USES_DYNAMIC_STACK)
    OG_SAME(SYSTEM_SGPR_PRIVATE_SEGMENT_WAVEFRONT_OFFSET, ENABLE_PRIVATE_SEGMENT)
    OG_SAME(ENABLE_PRIVATE_SEGMENT, ENABLE_PRIVATE_SEGMENT)
    OG_SAME(SYSTEM_SGPR_WORKGROUP_ID_X, ENABLE_SGPR_WORKGROUP_ID_X)
    OG_SAME(SYSTEM_SGPR_WORKGROUP_ID_Y, ENABLE_SGPR_WORKGROUP_ID_Y)
    OG_SAME(SYSTEM_SGPR_WORKGROUP_ID_Z, ENABLE_SGPR_WORKGROUP_ID_Z)
    OG_SAME(SYSTEM_SGPR_WORKGROUP_INFO, ENABLE_SGPR_WORKGROUP_INFO)
    OG_SAME(SYSTEM_VGPR_WORKITEM_ID, ENABLE_VGPR_WORKITEM_ID)
    OG_SAME(FLOAT_ROUND_MODE_32, FLOAT_ROUND_MODE_32)
    OG_SAME(FLOAT_ROUND_MODE_16_64, FLOAT_ROUND_MODE_16_64)
    OG_SAME(FLOAT_DENORM_MODE_32, FLOAT_DENORM_MODE_32)
    OG_SAME(FLOAT_DENORM_MODE_16_64, FLOAT_DENORM_MODE_16_64)
    OG_SAME(DX10_CLAMP, ENABLE_DX10_CLAMP)
    OG_SAME(IEEE_MODE, ENABLE_IEEE_MODE)
    OG_SAME(FP16_OVERFLOW, FP16_OVFL)
    OG_SAME(TG_SPLIT, TG_SPLIT)
    OG_SAME(WORKGROUP_PROCESSOR_MODE, WGP_MODE)
    OG_SAME(MEMORY_ORDERED, MEM_ORDERED)
    OG_SAME(FORWARD_PROGRESS, FWD_PROGRESS)
    OG_SAME(SHARED_VGPR_COUNT, SHARED_VGPR_COUNT)
    OG_SAME(ROUND_ROBIN_SCHEDULING, ENABLE_WG_RR_EN)
    OG_SAME(EXCEPTION_FP_IEEE_INVALID_OP, EXCEPTION_FP_IEEE_INVALID_OP)
    OG_SAME(EXCEPTION_FP_DENORM_SRC, EXCEPTION_FP_DENORM_SRC)
    OG_SAME(EXCEPTION_FP_IEEE_DIV_ZERO, EXCEPTION_FP_IEEE_DIV_ZERO)
    OG_SAME(EXCEPTION_FP_IEEE_OVERFLOW, EXCEPTION_FP_IEEE_OVERFLOW)
    OG_SAME(EXCEPTION_FP_IEEE_UNDERFLOW, EXCEPTION_FP_IEEE_UNDERFLOW)
    OG_SAME(EXCEPTION_FP_IEEE_INEXACT, EXCEPTION_FP_IEEE_INEXACT)
    OG_SAME(EXCEPTION_INT_DIV_ZERO, EXCEPTION_INT_DIV_ZERO)
};

struct encoder {
  const struct og_target *target;
  const struct og_kd_values *values;
  struct og_range end;
  uint8_t *descriptor;
  struct og_diagnostics *diagnostics;
};

static struct og_range place(const struct encoder *e, enum og_kd_directive directive) {
  return e->values->given[directive] ? e->values->range[directive] : e->end;
}

static bool check_required(const struct encoder *e) {
  for (int i = 0; i < OG_KDD_COUNT; i++)
    if (og_kd_directives[i].default_value == OG_KD_REQUIRED && og_kd_exists(e->target, og_kd_directives[i].where) &&
        !e->values->given[i])
      return og_error(e->diagnostics, e->end, ".amdhsa_%s directive is required", og_kd_directives[i].name);
  return true;
}

static bool check_ranges(const struct encoder *e) {
  bool good = true;
  for (int i = 0; i < OG_KDD_COUNT; i++) {
    const struct og_kd_directive_info *d = &og_kd_directives[i];
    if (!e->values->given[i])
      continue;
    if (!og_kd_exists(e->target, d->where))
      good = og_error(e->diagnostics, e->values->range[i], "%s", og_kd_where_text(d->where));
    else if (d->default_value != OG_KD_REQUIRED && e->values->value[i] >> d->bits)
      good = og_error(e->diagnostics, e->values->range[i], "value out of range: .amdhsa_%s is 0 to %llu", d->name,
                      (unsigned long long)mask(d->bits));
  }
  return good;
}

static bool encode_vgprs(const struct encoder *e) {
  bool wave32 = e->values->value[OG_KDD_WAVEFRONT_SIZE32];
  uint64_t count = e->values->value[OG_KDD_NEXT_FREE_VGPR];
  uint32_t n = count > 0xffff ? ~0u : blocks(count, vgpr_encoding_granule(e->target, wave32));
  if (n > mask(6))
    return og_error(e->diagnostics, place(e, OG_KDD_NEXT_FREE_VGPR), "value out of range: too many VGPRs (%llu) for %s",
                    (unsigned long long)count, e->target->processor->name);
  og_kd_set(e->descriptor, OG_KD_GRANULATED_WORKITEM_VGPR_COUNT, n);
  return true;
}

static bool encode_sgprs(const struct encoder *e) {
  const struct og_processor *p = e->target->processor;
  uint64_t count = e->values->value[OG_KDD_NEXT_FREE_SGPR];
  bool init_bug = has_init_bug(e->target);
  uint32_t addressable = init_bug ? SGPRS_FOR_INIT_BUG : p->sgprs_max;
  if (p->major >= 10) /* every wave has all */
    return true;
  if (p->major >= 8 && !init_bug && count > addressable)
    return og_error(e->diagnostics, place(e, OG_KDD_NEXT_FREE_SGPR), "value out of range: %llu SGPRs, %s has %u",
                    (unsigned long long)count, p->name, addressable);
  count = OG_MIN(count, 0xffff) + og_extra_sgprs(e->target, e->values->value[OG_KDD_RESERVE_VCC],
                                                 e->values->value[OG_KDD_RESERVE_FLAT_SCRATCH],
                                                 e->values->value[OG_KDD_RESERVE_XNACK_MASK]);
  if ((p->major <= 7 || init_bug) && count > addressable)
    return og_error(e->diagnostics, place(e, OG_KDD_NEXT_FREE_SGPR),
                    "value out of range: %llu SGPRs with the reserved ones, %s has %u", (unsigned long long)count,
                    p->name, addressable);
  og_kd_set(e->descriptor, OG_KD_GRANULATED_WAVEFRONT_SGPR_COUNT,
            blocks(init_bug ? SGPRS_FOR_INIT_BUG : count, SGPR_ENCODING_GRANULE));
  return true;
}

static bool encode_accum_offset(const struct encoder *e) {
  if (!is_gfx90a(e->target->processor))
    return true;
  uint64_t offset = e->values->value[OG_KDD_ACCUM_OFFSET], vgprs = e->values->value[OG_KDD_NEXT_FREE_VGPR];
  if (offset < 4 || offset > 256 || offset & 3)
    return og_error(e->diagnostics, e->end,
                    "accum_offset should be in range [4..256] in increments of 4");
  if (offset > og_align_up(OG_MAX(vgprs, 1), 4))
    return og_error(e->diagnostics, e->end, "accum_offset exceeds total VGPR allocation");
  og_kd_set(e->descriptor, OG_KD_ACCUM_OFFSET, offset / 4 - 1);
  return true;
}

static bool encode_user_sgprs(const struct encoder *e) {
  uint64_t implied = 0, limit = is_gfx1250(e->target->processor) ? 63 : 31;
  for (int i = 0; i < OG_KDD_COUNT; i++)
    implied += e->values->value[i] ? og_kd_directives[i].user_sgprs : 0;
  implied += e->values->value[OG_KDD_USER_SGPR_KERNARG_PRELOAD_LENGTH];
  uint64_t count = e->values->given[OG_KDD_USER_SGPR_COUNT] ? e->values->value[OG_KDD_USER_SGPR_COUNT] : implied;
  if (count < implied)
    return og_error(e->diagnostics, e->end, "amdgpu_user_sgpr_count smaller than implied by enabled user SGPRs (%llu)",
                    (unsigned long long)implied);
  if (count > limit)
    return og_error(e->diagnostics, e->end, "too many user SGPRs enabled: %llu, at most %llu",
                    (unsigned long long)count, (unsigned long long)limit);
  og_kd_set(e->descriptor, limit == 63 ? OG_KD_USER_SGPR_COUNT_GFX1250 : OG_KD_USER_SGPR_COUNT, count);
  return true;
}

static bool encode_generation_words(const struct encoder *e) {
  const struct og_processor *p = e->target->processor;
  uint64_t prefetch = e->values->value[OG_KDD_INST_PREF_SIZE], barriers = e->values->value[OG_KDD_NAMED_BARRIER_COUNT];
  if (p->major == 11 && prefetch > 63)
    return og_error(e->diagnostics, place(e, OG_KDD_INST_PREF_SIZE),
                    "value out of range: .amdhsa_inst_pref_size is 0 to 63 on %s", p->name);
  if (p->major >= 11)
    og_kd_set(e->descriptor, p->major == 11 ? OG_KD_INST_PREF_SIZE_GFX11 : OG_KD_INST_PREF_SIZE, prefetch);
  if (is_gfx1250(p))
    og_kd_set(e->descriptor, OG_KD_NAMED_BARRIER_COUNT, barriers);
  uint64_t shared = e->values->value[OG_KDD_SHARED_VGPR_COUNT];
  if (shared && e->values->given[OG_KDD_WAVEFRONT_SIZE32] && e->values->value[OG_KDD_WAVEFRONT_SIZE32])
    return og_error(e->diagnostics, e->end,
                    "shared_vgpr_count directive not valid on wavefront size 32");
  uint64_t vgprs = og_kd_get(e->descriptor, OG_KD_GRANULATED_WORKITEM_VGPR_COUNT);
  if (shared && shared * 2 + vgprs > 63)
    return og_error(e->diagnostics, e->end,
                    "shared_vgpr_count*2 + compute_pgm_rsrc1.GRANULATED_WORKITEM_VGPR_COUNT cannot exceed 63");
  return true;
}

bool og_kd_encode(const struct og_target *target, const struct og_kd_values *given, struct og_range end,
                  uint8_t *descriptor, struct og_diagnostics *diagnostics) {
  struct og_kd_values values = *given;
  og_kd_defaults(target, &values);
  struct encoder e = {target, &values, end, descriptor, diagnostics};
  memset(descriptor, 0, OG_DESCRIPTOR_SIZE);
  if (!check_required(&e) || !check_ranges(&e))
    return false;
  for (size_t i = 0; i < OG_COUNT(direct); i++)
    if (values.value[direct[i].directive])
      og_kd_set(descriptor, (enum og_kd_field)direct[i].field, values.value[direct[i].directive]);
  return encode_vgprs(&e) && encode_sgprs(&e) && encode_accum_offset(&e) && encode_user_sgprs(&e) &&
         encode_generation_words(&e);
}

/* ---- bytes -> values --------------------------------------------------------------------------------------------- */

/* Bits that no field of this target covers must be 0. */
static const char *reserved_bits_set(const struct og_target *target, const uint8_t *descriptor) {
  uint8_t known[OG_DESCRIPTOR_SIZE] = {0};
  for (int i = 0; i < OG_KD_FIELD_COUNT; i++) {
    const struct og_kd_field_info *f = &og_kd_fields[i];
    if (!og_kd_exists(target, f->where))
      continue;
    uint64_t bits = load(known + f->byte, f->size) | mask(f->bits) << f->bit;
    memcpy(known + f->byte, &bits, f->size);
  }
  static const struct {
    uint8_t byte, size;
    const char *name;
  } words[] = {
      {12, 4, "reserved0"},         {24, 8, "reserved1"},
      {32, 8, "reserved1"},         {40, 4, "reserved1"},
      {44, 4, "compute_pgm_rsrc3"}, {48, 4, "compute_pgm_rsrc1"},
      {52, 4, "compute_pgm_rsrc2"}, {56, 2, "kernel_code_properties"},
      {58, 2, "kernarg_preload"},   {60, 4, "reserved3"},
  };
  for (size_t i = 0; i < OG_COUNT(words); i++)
    if (load(descriptor + words[i].byte, words[i].size) & ~load(known + words[i].byte, words[i].size))
      return words[i].name;
  return NULL;
}

/* Which of the SGPRs were reserved cannot be told: as many as a kernel may have are printed as
 * its own, the rest as reserved. LLVM's assembler wants XNACK's mask reserved where the target id
 * leaves XNACK open. */
static void decode_sgprs(const struct og_target *target, const uint8_t *descriptor, uint64_t *value) {
  const struct og_processor *p = target->processor;
  value[OG_KDD_RESERVE_XNACK_MASK] = target->xnack == OG_ANY || target->xnack == OG_ON;
  if (p->major >= 10)
    return;
  uint32_t count = og_kd_sgpr_count(target, descriptor), own = count;
  if (architected_scratch(p) || has_init_bug(target))
    own -= 6; /* added again whatever is said */
  else if (p->major == 6)
    own -= 4;
  if (own == count && value[OG_KDD_RESERVE_XNACK_MASK])
    own -= og_extra_sgprs(target, false, false, true);
  own = OG_MIN(own, p->sgprs_max);
  value[OG_KDD_NEXT_FREE_SGPR] = own;
  if (architected_scratch(p) || own == count || p->major == 6 ||
      (value[OG_KDD_RESERVE_XNACK_MASK] && count - own <= og_extra_sgprs(target, false, false, true)))
    return;
  value[OG_KDD_RESERVE_VCC] = 1;
  value[OG_KDD_RESERVE_FLAT_SCRATCH] = count - own > 2;
}

bool og_kd_decode(const struct og_target *target, const uint8_t *descriptor, struct og_kd_values *values,
                  const char **bad_field) {
  memset(values, 0, sizeof *values);
  const char *bad = reserved_bits_set(target, descriptor);
  if (bad_field)
    *bad_field = bad;
  for (int i = 0; i < OG_KDD_COUNT; i++)
    values->given[i] = og_kd_exists(target, og_kd_directives[i].where);
  for (size_t i = 0; i < OG_COUNT(direct); i++)
    if (values->given[direct[i].directive])
      values->value[direct[i].directive] = og_kd_get(descriptor, (enum og_kd_field)direct[i].field);
  const struct og_processor *p = target->processor;
  uint64_t *value = values->value;
  value[OG_KDD_USER_SGPR_COUNT] =
      og_kd_get(descriptor, is_gfx1250(p) ? OG_KD_USER_SGPR_COUNT_GFX1250 : OG_KD_USER_SGPR_COUNT);
  value[OG_KDD_NEXT_FREE_VGPR] = og_kd_vgpr_count(target, descriptor);
  decode_sgprs(target, descriptor, value);
  value[OG_KDD_ACCUM_OFFSET] = is_gfx90a(p) ? (og_kd_get(descriptor, OG_KD_ACCUM_OFFSET) + 1) * 4 : 0;
  if (value[OG_KDD_SHARED_VGPR_COUNT] &&
      target->wave_size == 32) /* refused beside an explicit wave32, yet without effect */
    values->given[OG_KDD_WAVEFRONT_SIZE32] = !value[OG_KDD_WAVEFRONT_SIZE32];
  if (p->major >= 11)
    value[OG_KDD_INST_PREF_SIZE] =
        og_kd_get(descriptor, p->major == 11 ? OG_KD_INST_PREF_SIZE_GFX11 : OG_KD_INST_PREF_SIZE);
  if (is_gfx1250(p))
    value[OG_KDD_NAMED_BARRIER_COUNT] = og_kd_get(descriptor, OG_KD_NAMED_BARRIER_COUNT);
  return !bad;
}

bool og_kd_print(const struct og_target *target, const char *name, const uint8_t *descriptor, struct og_buffer *out) {
  struct og_kd_values values;
  if (!og_kd_decode(target, descriptor, &values, NULL))
    return false;
  og_buffer_printf(out, "\t.amdhsa_kernel %s\n", name);
  for (int i = 0; i < OG_KDD_COUNT; i++)
    if (values.given[i])
      og_buffer_printf(out, "\t\t.amdhsa_%s %llu\n", og_kd_directives[i].name, (unsigned long long)values.value[i]);
  og_buffer_text(out, "\t.end_amdhsa_kernel\n");
  return true;
}
