/* descriptor.c - `.amdhsa_*` values to the bytes of a kernel descriptor and back; its fields stand in
 * target/descriptor.def. User guide, "AMDHSA Kernel Assembler Directives". */
#include "object/kernel/kernel.h"

#include <string.h>

#include "target/features.inc"

#define ALL OG_WHERE_ALL
#define FROM(first) OG_FROM(first)
#define IN(first, last) (OG_FROM(first) & OG_UNTIL(last))
#define REQUIRED OG_KD_REQUIRED
#define BY_TARGET OG_KD_BY_TARGET
#define COMPUTED OG_KD_COMPUTED
#define SAME(id, name, field, value) {#name, sizeof #name - 1, OG_KD_##field, 0, value, 0},
#define LIMITED(id, name, field, value, where) {#name, sizeof #name - 1, OG_KD_##field, 0, value, where},
#define COUNTED(id, name, bits, value, where) {#name, sizeof #name - 1, OG_KD_FIELD_COUNT, bits, value, where},
const struct og_kd_directive_info og_kd_directives[OG_KDD_COUNT] = {
#include "object/kernel/directives.def"
};

static uint64_t mask(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

/* ---- where directives exist -------------------------------------------------------------------------------------- */

static bool has_field(const struct og_kd_directive_info *d) { return d->field != OG_KD_FIELD_COUNT; }

struct og_kd_layout og_kd_layout_of(const struct og_target *target) {
  struct og_kd_layout layout = {.target = target};
  og_kd_find_all(target, layout.rows);
  for (int i = 0; i < OG_KDD_COUNT; i++) {
    const struct og_kd_directive_info *d = &og_kd_directives[i];
    const struct og_kd_row *row = layout.rows[d->field];
    bool exists = (!has_field(d) || row) && (!d->where || og_where_holds(target, d->where));
    layout.bits[i] = !exists ? 0 : row ? row->bits : d->bits;
  }
  return layout;
}

/* Everywhere that it exists. */
static uint32_t where_of(const struct og_kd_directive_info *d) {
  uint32_t where = d->where;
  for (size_t i = 0; i < og_kd_row_count && !d->where; i++)
    where |= og_kd_rows[i].field == d->field ? og_kd_rows[i].where : 0;
  return where;
}

const char *og_kd_refusal(const struct og_target *target, enum og_kd_directive directive) {
  static const struct {
    uint32_t where;
    const char *text;
  } texts[] = {
      {FROM(GFX7), "directive requires gfx7+"},
      {FROM(GFX8), "directive requires gfx8+"},
      {FROM(GFX900), "directive requires gfx9+"},
      {IN(GFX90A, GFX950), "directive requires gfx90a+"},
      {FROM(GFX10_1), "directive requires gfx10+"},
      {IN(GFX10_1, GFX12), "directive requires gfx10+"},
      {IN(GFX10_1, GFX11_5), "directive requires gfx10 or gfx11"},
      {FROM(GFX11), "directive requires gfx11+"},
      {FROM(GFX12), "directive requires gfx12+"},
      {FROM(GFX1250), "directive requires gfx1250+"},
      {OG_UNTIL(GFX11_5), "directive unsupported on gfx12+"},
  };
  uint32_t where = where_of(&og_kd_directives[directive]);
  for (size_t i = 0; i < OG_COUNT(texts) && !(where >> target->processor->generation & 1); i++)
    if (texts[i].where == (where & ALL))
      return texts[i].text;
  return where & OG_WHERE_SCRATCH_IN_SGPRS      ? "directive is not supported with architected flat scratch"
         : where & OG_WHERE_ARCHITECTED_SCRATCH ? "directive is not supported without architected flat scratch"
         : where & OG_WHERE_KERNARG_PRELOAD     ? "directive requires gfx90a+"
                                                : "directive is not supported on this processor";
}

int og_find_kd_directive(struct og_text text, unsigned first) {
  static const char prefix[] = ".amdhsa_";
  const size_t skipped = text.size >= sizeof prefix - 1 && !memcmp(text.data, prefix, sizeof prefix - 1) ? 8 : 0;
  const char *name = text.data + skipped;
  for (unsigned k = 0, i = first; k < OG_KDD_COUNT; k++, i++) {
    i = i < OG_KDD_COUNT ? i : 0;
    const struct og_kd_directive_info *d = &og_kd_directives[i];
    if (d->size <= text.size - skipped && !memcmp(d->name, name, d->size) &&
        (d->size == text.size - skipped || name[d->size] == ' ' || name[d->size] == '\t'))
      return (int)i;
  }
  return -1;
}

/* ---- values -> bytes --------------------------------------------------------------------------------------------- */

enum { SGPRS_FOR_INIT_BUG = 96 };

static bool has_init_bug(const struct og_target *target) {
  return og_has_feature(&target->features, OG_FEATURE_SGPR_INIT_BUG);
}

static uint32_t blocks(uint64_t count, uint32_t granule) {
  return (uint32_t)(og_align_up(OG_MAX(count, 1), granule) / granule - 1);
}

static uint64_t target_default(const struct og_target *target, enum og_kd_directive directive) {
  switch (directive) {
  case OG_KDD_WAVEFRONT_SIZE32: return target->wave_size == 32;
  case OG_KDD_RESERVE_XNACK_MASK: return target->xnack == OG_ON || target->xnack == OG_ANY;
  case OG_KDD_WORKGROUP_PROCESSOR_MODE: return !target->cumode;
  default: return 0;
  }
}

uint64_t og_kd_default(const struct og_kd_layout *layout, enum og_kd_directive directive) {
  int value = og_kd_directives[directive].default_value;
  bool counts = layout->bits[directive] != 0;
  if (directive == OG_KDD_RESERVE_FLAT_SCRATCH) /* gfx6 has no such directive, but LLVM counts its registers, too */
    counts = og_where_holds(layout->target, ALL | OG_WHERE_SCRATCH_IN_SGPRS);
  if (!counts || value == OG_KD_REQUIRED || value == OG_KD_COMPUTED)
    return 0;
  return value == OG_KD_BY_TARGET ? target_default(layout->target, directive) : (uint64_t)value;
}

struct encoder {
  const struct og_target *target;
  const struct og_kd_layout *layout;
  const struct og_kd_values *values;
  uint64_t value[OG_KDD_COUNT]; /* those and the defaults */
  struct og_range end;
  uint8_t *descriptor;
  struct og_diagnostics *diagnostics;
};

static struct og_range place(const struct encoder *e, enum og_kd_directive directive) {
  return e->values->given[directive] ? e->values->range[directive] : e->end;
}

static bool check_given(const struct encoder *e, enum og_kd_directive directive) {
  unsigned bits = e->layout->bits[directive];
  if (!bits)
    return og_error(e->diagnostics, e->values->range[directive], "%s", og_kd_refusal(e->target, directive));
  if (og_kd_directives[directive].default_value != OG_KD_REQUIRED && e->values->value[directive] >> bits)
    return og_error(e->diagnostics, e->values->range[directive], "value out of range: .amdhsa_%s is 0 to %llu",
                    og_kd_directives[directive].name, (unsigned long long)mask(bits));
  return true;
}

static bool check_required(const struct encoder *e) {
  for (int i = 0; i < OG_KDD_COUNT; i++)
    if (og_kd_directives[i].default_value == OG_KD_REQUIRED && !e->values->given[i] && e->layout->bits[i])
      return og_error(e->diagnostics, e->end, ".amdhsa_%s directive is required", og_kd_directives[i].name);
  return true;
}

/* What is a field as it stands, and defaults. */
static bool encode_fields(struct encoder *e) {
  bool good = true;
  for (int i = 0; i < OG_KDD_COUNT; i++) {
    bool given = e->values->given[i];
    const struct og_kd_row *row = e->layout->rows[og_kd_directives[i].field];
    good = (!given || check_given(e, (enum og_kd_directive)i)) && good;
    e->value[i] = given || og_kd_directives[i].default_value == OG_KD_REQUIRED
                      ? e->values->value[i] : og_kd_default(e->layout, (enum og_kd_directive)i);
    if (e->value[i] && row)
      og_kd_set_bits(e->descriptor, row, e->value[i]);
  }
  return good;
}

static void set_field(const struct encoder *e, enum og_kd_field field, uint64_t value) {
  if (e->layout->rows[field])
    og_kd_set_bits(e->descriptor, e->layout->rows[field], value);
}

static bool encode_vgprs(const struct encoder *e) {
  bool wave32 = e->value[OG_KDD_WAVEFRONT_SIZE32];
  uint64_t count = e->value[OG_KDD_NEXT_FREE_VGPR];
  uint32_t n = count > 0xffff ? ~0u : blocks(count, og_vgprs_counted_by(e->target, wave32 ? 32 : 64));
  if (n > mask(e->layout->rows[OG_KD_GRANULATED_WORKITEM_VGPR_COUNT]->bits))
    return og_error(e->diagnostics, place(e, OG_KDD_NEXT_FREE_VGPR), "value out of range: too many VGPRs (%llu) for %s",
                    (unsigned long long)count, e->target->processor->name);
  set_field(e, OG_KD_GRANULATED_WORKITEM_VGPR_COUNT, n);
  return true;
}

static bool encode_sgprs(const struct encoder *e) {
  const struct og_processor *p = e->target->processor;
  uint64_t count = e->value[OG_KDD_NEXT_FREE_SGPR];
  bool init_bug = has_init_bug(e->target);
  uint32_t addressable = init_bug ? SGPRS_FOR_INIT_BUG : p->sgprs_max;
  if (!p->sgprs_counted_by) /* every wave has all */
    return true;
  if (p->major >= 8 && !init_bug && count > addressable)
    return og_error(e->diagnostics, place(e, OG_KDD_NEXT_FREE_SGPR), "value out of range: %llu SGPRs, %s has %u",
                    (unsigned long long)count, p->name, addressable);
  count = OG_MIN(count, 0xffff) + og_extra_sgprs(e->target, e->value[OG_KDD_RESERVE_VCC],
                                                 e->value[OG_KDD_RESERVE_FLAT_SCRATCH],
                                                 e->value[OG_KDD_RESERVE_XNACK_MASK]);
  if ((p->major <= 7 || init_bug) && count > addressable)
    return og_error(e->diagnostics, place(e, OG_KDD_NEXT_FREE_SGPR),
                    "value out of range: %llu SGPRs with the reserved ones, %s has %u", (unsigned long long)count,
                    p->name, addressable);
  set_field(e, OG_KD_GRANULATED_WAVEFRONT_SGPR_COUNT,
            blocks(init_bug ? SGPRS_FOR_INIT_BUG : count, p->sgprs_counted_by));
  return true;
}

static bool encode_accum_offset(const struct encoder *e) {
  if (!e->layout->bits[OG_KDD_ACCUM_OFFSET])
    return true;
  uint64_t offset = e->value[OG_KDD_ACCUM_OFFSET], vgprs = e->value[OG_KDD_NEXT_FREE_VGPR];
  if (offset < 4 || offset > 256 || offset & 3)
    return og_error(e->diagnostics, e->end, "accum_offset should be in range [4..256] in increments of 4");
  if (offset > og_align_up(OG_MAX(vgprs, 1), 4))
    return og_error(e->diagnostics, e->end, "accum_offset exceeds total VGPR allocation");
  set_field(e, OG_KD_ACCUM_OFFSET, offset / 4 - 1);
  return true;
}

static bool encode_user_sgprs(const struct encoder *e) {
  uint64_t implied = 0, limit = mask(e->layout->rows[OG_KD_USER_SGPR_COUNT]->bits);
  for (int i = 0; i < OG_KDD_COUNT; i++)
    if (e->value[i] && has_field(&og_kd_directives[i]))
      implied += e->value[i] * og_user_sgprs_of((enum og_kd_field)og_kd_directives[i].field);
  uint64_t count = e->values->given[OG_KDD_USER_SGPR_COUNT] ? e->value[OG_KDD_USER_SGPR_COUNT] : implied;
  if (count < implied)
    return og_error(e->diagnostics, e->end, "amdgpu_user_sgpr_count smaller than implied by enabled user SGPRs (%llu)",
                    (unsigned long long)implied);
  if (count > limit)
    return og_error(e->diagnostics, e->end, "too many user SGPRs enabled: %llu, at most %llu",
                    (unsigned long long)count, (unsigned long long)limit);
  set_field(e, OG_KD_USER_SGPR_COUNT, count);
  return true;
}

/* VGPRs that both halves of a wave64 share stand after the wave's own. */
static bool check_shared_vgprs(const struct encoder *e) {
  uint64_t shared = e->value[OG_KDD_SHARED_VGPR_COUNT];
  if (shared && e->values->given[OG_KDD_WAVEFRONT_SIZE32] && e->value[OG_KDD_WAVEFRONT_SIZE32])
    return og_error(e->diagnostics, e->end, "shared_vgpr_count directive not valid on wavefront size 32");
  uint64_t vgprs = og_kd_bits(e->descriptor, e->layout->rows[OG_KD_GRANULATED_WORKITEM_VGPR_COUNT]);
  if (shared && shared * 2 + vgprs > 63)
    return og_error(e->diagnostics, e->end,
                    "shared_vgpr_count*2 + compute_pgm_rsrc1.GRANULATED_WORKITEM_VGPR_COUNT cannot exceed 63");
  return true;
}

bool og_kd_encode(const struct og_kd_layout *layout, const struct og_kd_values *values, struct og_range end,
                  uint8_t *descriptor, struct og_diagnostics *diagnostics) {
  struct encoder e = {
      .target = layout->target, .layout = layout, .values = values, .end = end, .descriptor = descriptor,
      .diagnostics = diagnostics};
  memset(descriptor, 0, OG_DESCRIPTOR_SIZE);
  return check_required(&e) && encode_fields(&e) && encode_vgprs(&e) && encode_sgprs(&e) && encode_accum_offset(&e) &&
         encode_user_sgprs(&e) && check_shared_vgprs(&e);
}

/* ---- bytes -> values --------------------------------------------------------------------------------------------- */

/* The word in which bits are set that no field of this target covers, or NULL: they must be 0. */
static const char *reserved_bits_set(const struct og_kd_layout *layout, const uint8_t *descriptor) {
  uint8_t reserved[OG_DESCRIPTOR_SIZE];
  memcpy(reserved, descriptor, sizeof reserved);
  for (int i = 0; i < OG_KD_FIELD_COUNT; i++)
    if (layout->rows[i])
      og_kd_set_bits(reserved, layout->rows[i], 0);
  static const struct {
    uint8_t first;
    const char *name;
  } words[] = { /* from the last on */
      {60, "reserved3"},         {58, "kernarg_preload"},   {56, "kernel_code_properties"},
      {52, "compute_pgm_rsrc2"}, {48, "compute_pgm_rsrc1"}, {44, "compute_pgm_rsrc3"},
      {24, "reserved1"},         {0, "reserved0"},
  };
  size_t at = 0, word = 0;
  while (at < sizeof reserved && !og_load64(reserved + at))
    at += 8;
  while (at < sizeof reserved && !reserved[at])
    at++;
  while (at < words[word].first)
    word++;
  return at < sizeof reserved ? words[word].name : NULL;
}

/* It is unknown which of the SGPRs were reserved: as many as a kernel may have are printed as its
 * own, the rest as reserved. LLVM's assembler wants XNACK's mask reserved where the target id
 * leaves XNACK open. */
static void decode_sgprs(const struct og_target *target, uint32_t count, uint64_t *value) {
  const struct og_processor *p = target->processor;
  bool architected_scratch = og_where_holds(target, ALL | OG_WHERE_ARCHITECTED_SCRATCH);
  value[OG_KDD_RESERVE_XNACK_MASK] = target->xnack == OG_ANY || target->xnack == OG_ON;
  if (!p->sgprs_counted_by)
    return;
  uint32_t own = count;
  if (architected_scratch || has_init_bug(target))
    own -= 6; /* added again whatever is said */
  else if (p->major == 6)
    own -= 4;
  if (own == count && value[OG_KDD_RESERVE_XNACK_MASK])
    own -= og_extra_sgprs(target, false, false, true);
  own = OG_MIN(own, p->sgprs_max);
  value[OG_KDD_NEXT_FREE_SGPR] = own;
  if (architected_scratch || own == count || p->major == 6 ||
      (value[OG_KDD_RESERVE_XNACK_MASK] && count - own <= og_extra_sgprs(target, false, false, true)))
    return;
  value[OG_KDD_RESERVE_VCC] = 1;
  value[OG_KDD_RESERVE_FLAT_SCRATCH] = count - own > 2;
}

bool og_kd_decode(const struct og_kd_layout *layout, const uint8_t *descriptor, struct og_kd_values *values,
                  const char **bad_field) {
  const struct og_target *target = layout->target;
  memset(values, 0, sizeof *values);
  const char *bad = reserved_bits_set(layout, descriptor);
  if (bad_field)
    *bad_field = bad;
  struct og_initial_state state;
  uint64_t *value = values->value;
  for (int i = 0; i < OG_KDD_COUNT; i++) {
    const struct og_kd_row *row = layout->rows[og_kd_directives[i].field];
    values->given[i] = layout->bits[i] != 0;
    if (values->given[i] && row)
      value[i] = og_kd_bits(descriptor, row);
  }
  og_initial_state_read(target, descriptor, false, &state);
  value[OG_KDD_USER_SGPR_COUNT] = state.user_sgprs;
  value[OG_KDD_NEXT_FREE_VGPR] = state.vgprs_total;
  decode_sgprs(target, state.sgprs, value);
  if (values->given[OG_KDD_ACCUM_OFFSET])
    value[OG_KDD_ACCUM_OFFSET] = (og_kd_bits(descriptor, layout->rows[OG_KD_ACCUM_OFFSET]) + 1) * 4;
  if (value[OG_KDD_SHARED_VGPR_COUNT] &&
      target->wave_size == 32) /* refused beside an explicit wave32, yet without effect */
    values->given[OG_KDD_WAVEFRONT_SIZE32] = !value[OG_KDD_WAVEFRONT_SIZE32];
  return !bad;
}

/* " value\n" */
static void put_number(struct og_buffer *out, uint64_t value) {
  og_buffer_u8(out, ' ');
  og_buffer_decimal(out, value);
  og_buffer_u8(out, '\n');
}

void og_kd_print(const struct og_kd_values *values, struct og_buffer *out) {
  og_buffer_text(out, "\n");
  for (int i = 0; i < OG_KDD_COUNT; i++)
    if (values->given[i]) {
      og_buffer_text(out, "\t\t.amdhsa_");
      og_buffer_append(out, og_kd_directives[i].name, og_kd_directives[i].size);
      put_number(out, values->value[i]);
    }
  og_buffer_text(out, "\t.end_amdhsa_kernel\n");
}
