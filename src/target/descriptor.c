/* descriptor.c - reads and writes the fields that descriptor.def lists. */
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

void og_kd_find_all(const struct og_target *target, const struct og_kd_row *rows[OG_KD_FIELD_COUNT + 1]) {
  const uint32_t here = 1u << target->processor->generation;
  memset(rows, 0, sizeof *rows * (OG_KD_FIELD_COUNT + 1));
  for (const struct og_kd_row *row = og_kd_rows; row < og_kd_rows + og_kd_row_count; row++)
    if (row->where & here && !(row->where & (OG_WHERE_RESERVED | OG_WHERE_KERNEL_CODE)) && !rows[row->field] &&
        og_where_holds(target, row->where))
      rows[row->field] = row;
}

static uint64_t mask(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static uint64_t word_of(const uint8_t *at, unsigned size) {
  return size == 8 ? og_load64(at) : size == 4 ? og_load32(at) : og_load16(at);
}

uint64_t og_kd_bits(const uint8_t *descriptor, const struct og_kd_row *row) {
  return word_of(descriptor + row->byte, row->size) >> row->bit & mask(row->bits);
}

void og_kd_set_bits(uint8_t *descriptor, const struct og_kd_row *row, uint64_t value) {
  uint8_t *at = descriptor + row->byte;
  uint64_t field = mask(row->bits) << row->bit, word = (word_of(at, row->size) & ~field) | (value << row->bit & field);
  if (row->size == 8)
    og_store64(at, word);
  else if (row->size == 4)
    og_store32(at, (uint32_t)word);
  else
    og_store16(at, (uint16_t)word);
}

uint64_t og_kd_get(const struct og_target *target, const uint8_t *descriptor, enum og_kd_field field) {
  const struct og_kd_row *row = og_kd_find(target, field);
  return row ? og_kd_bits(descriptor, row) : 0;
}

void og_kd_set(const struct og_target *target, uint8_t *descriptor, enum og_kd_field field, uint64_t value) {
  const struct og_kd_row *row = og_kd_find(target, field);
  if (row)
    og_kd_set_bits(descriptor, row, value);
}
