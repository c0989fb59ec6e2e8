/* descriptor.h - the fields of a kernel descriptor: which exist on a target, in which bits, and their values. */
#ifndef OG_DESCRIPTOR_H
#define OG_DESCRIPTOR_H

#include "target/target.h"

enum { OG_DESCRIPTOR_SIZE = 64, OG_DESCRIPTOR_ALIGN = 64, OG_ENTRY_ALIGN = 256 };

/* Its words, by their first byte. compute_pgm_rsrc1, compute_pgm_rsrc2 and the properties stand there in
 * amd_kernel_code_t, too. */
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

/* descriptor.def: OG_KD_WGP_MODE and so on. */
#define FIELD(id, ...) OG_KD_##id,
#define OTHER(id, ...)
enum og_kd_field {
#include "target/descriptor.def"
  OG_KD_FIELD_COUNT
};
#undef FIELD
#undef OTHER

/* Where a field, a register's content or a directive exists: generations, and conditions that must all hold. */
#define OG_WHERE_ALL OG_FROM(R600)
enum og_where {
  OG_WHERE_ARCHITECTED_SCRATCH = 1 << 20, /* the hardware sets flat scratch up; else SGPRs hold what it takes */
  OG_WHERE_SCRATCH_IN_SGPRS = 1 << 21,
  OG_WHERE_KERNARG_PRELOAD = 1 << 22,
  OG_WHERE_IDS_IN_TTMPS = 1 << 23, /* of work-groups: architected SGPRs; else system SGPRs */
  OG_WHERE_IDS_IN_SGPRS = 1 << 24,
  OG_WHERE_PACKED_IDS = 1 << 25, /* of work-items: all in v0 */
  OG_WHERE_UNPACKED_IDS = 1 << 26,
  OG_WHERE_KERNEL_CODE = 1 << 27, /* in amd_kernel_code_t */
  OG_WHERE_RESERVED = 1 << 28,    /* 0 in a file: the packet processor's own */
};
/* What the target meets of `where`: all but OG_WHERE_KERNEL_CODE and OG_WHERE_RESERVED, which are the caller's. */
bool og_where_holds(const struct og_target *target, uint32_t where);

/* A field's bits: those of the word of `size` bytes at `byte`. */
struct og_kd_row {
  const char *name; /* the manual's */
  uint8_t field, byte, size, bit, bits;
  uint32_t where;
};
extern const struct og_kd_row og_kd_rows[];
extern const size_t og_kd_row_count;

/* The field's row on the target; NULL where its bits are reserved. */
const struct og_kd_row *og_kd_find(const struct og_target *target, enum og_kd_field field);
/* The same for all fields at once, for callers that need many; the last is NULL. */
void og_kd_find_all(const struct og_target *target, const struct og_kd_row *rows[OG_KD_FIELD_COUNT + 1]);
uint64_t og_kd_bits(const uint8_t *descriptor, const struct og_kd_row *row);
void og_kd_set_bits(uint8_t *descriptor, const struct og_kd_row *row, uint64_t value); /* cut to the field */
/* 0 where the target has no such field; it is not set there. A value is cut to the field. */
uint64_t og_kd_get(const struct og_target *target, const uint8_t *descriptor, enum og_kd_field field);
void og_kd_set(const struct og_target *target, uint8_t *descriptor, enum og_kd_field field, uint64_t value);

#endif
