/* descriptor.h - the fields of a kernel descriptor: which exist on a target, in which bits, and their values. */
#ifndef OG_DESCRIPTOR_H
#define OG_DESCRIPTOR_H

#include "target/target.h"

enum { OG_DESCRIPTOR_SIZE = 64, OG_DESCRIPTOR_ALIGN = 64, OG_ENTRY_ALIGN = 256 };

/* The descriptor's words, by the offset of their first byte. In amd_kernel_code_t, compute_pgm_rsrc1, compute_pgm_rsrc2
 * and the properties are at the same offsets. */
enum og_kd_word {
  OG_KD_WORD_GROUP = 0,
  OG_KD_WORD_PRIVATE = 4,
  OG_KD_WORD_KERNARG = 8,
  OG_KD_WORD_ENTRY = 16,
  OG_KD_WORD_RSRC3 = 44,
  OG_KD_WORD_RSRC1 = 48,
  OG_KD_WORD_RSRC2 = 52,
  OG_KD_WORD_PROPERTIES = 56,
  OG_KD_WORD_PRELOADED = 58,
};
#define OG_KD_WORD_SIZE(word) ((word) == OG_KD_WORD_ENTRY ? 8 : (word) >= OG_KD_WORD_PROPERTIES ? 2 : 4)

/* From descriptor.def: OG_KD_WGP_MODE and so on. */
#define FIELD(id, ...) OG_KD_##id,
#define OTHER(id, ...)
enum og_kd_field {
#include "target/descriptor.def"
  OG_KD_FIELD_COUNT
};
#undef FIELD
#undef OTHER

/* Where a field, a register's content or a directive exists: on some generations, and under conditions that must all
 * hold. */
#define OG_WHERE_ALL OG_FROM(R600)
enum og_where {
  OG_WHERE_ARCHITECTED_SCRATCH = 1 << 20, /* the hardware sets up flat scratch; else SGPRs hold what that takes */
  OG_WHERE_SCRATCH_IN_SGPRS = 1 << 21,
  OG_WHERE_KERNARG_PRELOAD = 1 << 22,
  OG_WHERE_IDS_IN_TTMPS = 1 << 23, /* work-group ids are in architected SGPRs; else in system SGPRs */
  OG_WHERE_IDS_IN_SGPRS = 1 << 24,
  OG_WHERE_PACKED_IDS = 1 << 25, /* work-item ids are all in v0 */
  OG_WHERE_UNPACKED_IDS = 1 << 26,
  OG_WHERE_KERNEL_CODE = 1 << 27, /* the field is in amd_kernel_code_t */
  OG_WHERE_RESERVED = 1 << 28,    /* 0 in a file: the packet processor fills it in */
};
/* Whether the target meets the conditions, except OG_WHERE_KERNEL_CODE and OG_WHERE_RESERVED, which callers check. */
bool og_where_holds(const struct og_target *target, uint32_t where);

/* A field's bits, within the word of `size` bytes at `byte`. */
struct og_kd_row {
  const char *name; /* as the manual names it */
  uint8_t field, byte, size, bit, bits;
  uint32_t where;
};
extern const struct og_kd_row og_kd_rows[];
extern const size_t og_kd_row_count;

/* The field's row on the target; NULL: its bits are reserved. */
const struct og_kd_row *og_kd_find(const struct og_target *target, enum og_kd_field field);
/* The same for all fields at once, for callers that need many; the last entry is NULL. */
void og_kd_find_all(const struct og_target *target, const struct og_kd_row *rows[OG_KD_FIELD_COUNT + 1]);
uint64_t og_kd_bits(const uint8_t *descriptor, const struct og_kd_row *row);
void og_kd_set_bits(uint8_t *descriptor, const struct og_kd_row *row, uint64_t value); /* `value` is cut to the field */
/* A field that the target does not have reads as 0 and is not set. A value is cut to the field. */
uint64_t og_kd_get(const struct og_target *target, const uint8_t *descriptor, enum og_kd_field field);
void og_kd_set(const struct og_target *target, uint8_t *descriptor, enum og_kd_field field, uint64_t value);

#endif
