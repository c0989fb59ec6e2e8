/* internal.h - the generated tables' shape, and facts of a generation that decoding, encoding and printing share. */
#ifndef OG_ISA_INTERNAL_H
#define OG_ISA_INTERNAL_H

#include <string.h>

#include "isa/isa.h"
#include "isa/pieces.h"
#include "isa/rows.h"

/* Forms with equal bits 31..23; bits at..at+width-1 of the first word choose among them. */
struct og_bucket {
  uint32_t base; /* in entries */
  uint8_t at, width;
};

struct og_name {
  uint32_t name;         /* in og_isa_names */
  uint16_t first, count; /* in named */
};

struct og_tables {
  enum og_generation generation;
  const struct og_form *forms;
  unsigned form_count;
  const struct og_bucket *buckets;
  const uint16_t *entries; /* bucket's base + window -> start in lists */
  const uint16_t *lists;   /* forms to try, 0xffff behind the last */
  const struct og_name *names; /* sorted */
  unsigned name_count;
  const uint16_t *named;
};

extern const struct og_tables *const og_all_tables[OG_GENERATION_COUNT];
extern const struct og_row og_rows[];
extern const unsigned og_rows_count;
extern const uint16_t og_latencies[OG_GENERATION_COUNT][OG_LATENCY_COUNT];
extern const struct og_shape og_shapes[];

/* Features that forms need, by number (og_feature_name): the bit of line i in og_form.needs is OG_NEED_FEATURES + i. */
extern const uint16_t og_needed_features[];
extern const unsigned og_needed_features_count;

/* Special registers by code; OG_SPECIAL_COUNT where the code names none. */
enum og_special og_special_of(const struct og_isa *isa, unsigned code, unsigned dwords);
/* The inverse; -1 if the generation has no such register. */
int og_special_code(const struct og_isa *isa, enum og_special special);
/* Bits of the inline constant `code` (128..248) as the operand's type has them. */
uint64_t og_inline_value(unsigned code, enum og_type type);
/* The inverse; -1 if the value is no inline constant. 16-bit integers are inline as 32-bit ones are. */
int og_inline_code(const struct og_isa *isa, uint64_t value, enum og_type type);

/* og_slot_dwords() for hot code. */
static inline uint8_t og_dwords(const struct og_isa *isa, const struct og_slot *slot) {
  return (uint8_t)(slot->dwords << (slot->flags & OG_SLOT_WAVE && isa->wave == 64));
}

/* og_ttmp_count() for hot code. */
static inline unsigned og_ttmps(const struct og_isa *isa) { return isa->generation >= OG_GFX900 ? 16 : 12; }

/* og_form_fits() for hot code. */
static inline bool og_is_here(const struct og_isa *isa, const struct og_form *form) {
  return !((form->needs[0] & isa->lacks[0]) | (form->needs[1] & isa->lacks[1]));
}

/* Whether the field has bit 8, which tells vector registers from other sources. */
static inline bool og_names_any_source(const struct og_slot *slot) {
  return slot->pieces[0].width >= 9;
}

/* Of 16 bits in a short encoding: bit 7 of a vector register is the half. */
static inline void og_choose_half(struct og_operand *operand) {
  operand->flags |= operand->kind == OG_OPERAND_VGPR && operand->reg & 128 ? OG_HALF_HI : 0;
  operand->reg &= operand->kind == OG_OPERAND_VGPR ? 127 : UINT16_MAX;
}

static inline int32_t og_sign_extend(uint32_t value, unsigned width) {
  uint32_t sign = UINT32_C(1) << (width - 1);
  return (int32_t)((value ^ sign) - sign);
}

/* The value in a modifier's bits. */
static inline int32_t og_modifier_value(const struct og_mod_slot *slot, const uint64_t *words) {
  uint32_t value = (uint32_t)og_gather(words, slot->pieces, 4);
  return slot->style == OG_STYLE_SIGNED   ? og_sign_extend(value, slot->pieces[0].to + slot->pieces[0].width)
         : slot->style == OG_STYLE_RETURN ? (int32_t)value | OG_CPOL_GLC
                                          : (int32_t)value;
}

static inline void og_load_words(const uint8_t *code, size_t size, uint64_t words[OG_WORDS]) {
  if (size >= OG_WORDS * sizeof *words) {
    memcpy(words, code, OG_WORDS * sizeof *words);
  } else {
    memset(words, 0, OG_WORDS * sizeof *words);
    memcpy(words, code, size);
  }
}

/* ---- finding the form of the bits -------------------------------------------------------------------------------- */

enum { OG_NO_FORM = 0xffff };
/* The forms that the first words may belong to, OG_NO_FORM behind the last. */
static inline const uint16_t *og_candidates(const struct og_tables *tables, const uint64_t *words) {
  const struct og_bucket *bucket = &tables->buckets[words[0] >> 23 & 511];
  unsigned window = (unsigned)(words[0] >> bucket->at) & ((1u << bucket->width) - 1);
  return tables->lists + tables->entries[bucket->base + window];
}

static inline bool og_has_bits(const struct og_form *form, const uint64_t *words) {
  return !(((words[0] ^ form->value[0]) & form->mask[0]) | ((words[1] ^ form->value[1]) & form->mask[1]));
}

/* ---- decode.c */

/* Appends the slot's operand. */
bool og_decode_slot(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                    const uint64_t *words, struct og_inst *inst);

/* ---- valid.c, faithful.c: parts of og_inst_valid and og_reads_back */

const char *og_operand_fault(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                             const struct og_operand *operand);
/* About the operand that was decoded from the field's bits. */
bool og_operand_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                        const struct og_operand *operand, uint64_t bits);
bool og_modifier_is_said(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form,
                         const struct og_mod_slot *slot);
bool og_offset_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot, int32_t value);
bool og_form_is_said(const struct og_isa *isa, const struct og_form *form); /* no other operand reads as it */

#endif
