/* descriptor.c - reading and writing the fields that descriptor.def lists. */
#include "target/descriptor.h"

#include <string.h>

#include "target/features.inc"

bool og_where_holds(const struct og_target *target, uint32_t where) {
  static const struct {
    uint32_t condition;
    uint16_t feature;
    bool wanted;
  } conditions[] = {
      {OG_WHERE_ARCHITECTED_SCRATCH, OG_FEATURE_ARCHITECTED_FLAT_SCRATCH, true},
      {OG_WHERE_SCRATCH_IN_SGPRS, OG_FEATURE_ARCHITECTED_FLAT_SCRATCH, false},
      {OG_WHERE_KERNARG_PRELOAD, OG_FEATURE_KERNARG_PRELOAD, true},
      {OG_WHERE_IDS_IN_TTMPS, OG_FEATURE_ARCHITECTED_SGPRS, true},
      {OG_WHERE_IDS_IN_SGPRS, OG_FEATURE_ARCHITECTED_SGPRS, false},
      {OG_WHERE_PACKED_IDS, OG_FEATURE_PACKED_TID, true},
      {OG_WHERE_UNPACKED_IDS, OG_FEATURE_PACKED_TID, false},
  };
  if (!(where >> target->processor->generation & 1))
    return false;
  if (!(where & ~OG_WHERE_ALL))
    return true;
  for (size_t i = 0; i < OG_COUNT(conditions); i++)
    if (where & conditions[i].condition &&
        og_has_feature(&target->features, conditions[i].feature) != conditions[i].wanted)
      return false;
  return true;
}

#define ALL OG_WHERE_ALL
#define FROM(first) OG_FROM(first)
#define UNTIL(last) OG_UNTIL(last)
#define IN(first, last) (OG_FROM(first) & OG_UNTIL(last))
#define SCRATCH_IN_SGPRS (ALL | OG_WHERE_SCRATCH_IN_SGPRS)
#define PRELOAD (ALL | OG_WHERE_KERNARG_PRELOAD)
#define KERNEL_CODE (ALL | OG_WHERE_KERNEL_CODE)
#define RESERVED(where) ((where) | OG_WHERE_RESERVED)

#define FIELD(id, word, bit, bits, where, name)                                                                        \
  {name, OG_KD_##id, OG_KD_WORD_##word, OG_KD_WORD_SIZE(OG_KD_WORD_##word), bit, bits, where},
#define OTHER FIELD
const struct og_kd_row og_kd_rows[] = {
#include "target/descriptor.def"
};
#undef FIELD
#undef OTHER
const size_t og_kd_row_count = OG_COUNT(og_kd_rows);

/* The rows by number, and the first one of each field. */
#define FIELD(id, ...) ROW_##id,
#define OTHER(id, ...) ROW_##id##_OTHER,
enum row {
#include "target/descriptor.def"
};
#undef FIELD
#undef OTHER
#define FIELD(id, ...) ROW_##id,
#define OTHER(id, ...)
static const uint8_t first_rows[] = {
#include "target/descriptor.def"
};

const struct og_kd_row *og_kd_find(const struct og_target *target, enum og_kd_field field) {
  for (const struct og_kd_row *row = &og_kd_rows[first_rows[field]];
       row < og_kd_rows + og_kd_row_count && row->field == field; row++)
    if (!(row->where & (OG_WHERE_RESERVED | OG_WHERE_KERNEL_CODE)) && og_where_holds(target, row->where))
      return row;
  return NULL;
}

static uint64_t mask(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

uint64_t og_kd_bits(const uint8_t *descriptor, const struct og_kd_row *row) {
  uint64_t word = 0;
  memcpy(&word, descriptor + row->byte, row->size);
  return word >> row->bit & mask(row->bits);
}

uint64_t og_kd_get(const struct og_target *target, const uint8_t *descriptor, enum og_kd_field field) {
  const struct og_kd_row *row = og_kd_find(target, field);
  return row ? og_kd_bits(descriptor, row) : 0;
}

void og_kd_set(const struct og_target *target, uint8_t *descriptor, enum og_kd_field field, uint64_t value) {
  const struct og_kd_row *row = og_kd_find(target, field);
  if (!row)
    return;
  uint64_t word = 0;
  memcpy(&word, descriptor + row->byte, row->size);
  word = (word & ~(mask(row->bits) << row->bit)) | (value & mask(row->bits)) << row->bit;
  memcpy(descriptor + row->byte, &word, row->size);
}
