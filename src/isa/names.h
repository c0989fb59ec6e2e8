/* names.h - symbolic values inside immediates: hardware registers, messages, formats, export targets. */
#ifndef OG_ISA_NAMES_H
#define OG_ISA_NAMES_H

#include "isa/isa.h"

/* A value that has a name on the generations first..last. */
struct og_named {
  uint16_t value;
  uint8_t first, last; /* enum og_generation */
  char name[44]; /* in the row, so that one letter tells most names apart */
};

enum og_name_table {
  OG_NAMES_HWREG, OG_NAMES_MESSAGE, OG_NAMES_GS_OP, OG_NAMES_SYSTEM_OP, OG_NAMES_DATA_FORMAT, OG_NAMES_NUMBER_FORMAT,
  OG_NAMES_UNIFIED_FORMAT, OG_NAMES_EXPORT, OG_NAMES_DELAY, OG_NAMES_DELAY_SKIP, OG_NAMES_VERSION
};

/* Fields of s_waitcnt_depctr in the order of the text. A field with all bits set does not wait. */
struct og_wait_field {
  const char *name;
  uint8_t at, width, first; /* the first generation that has it */
};
enum { OG_DEPCTR_FIELDS = 7 };
extern const struct og_wait_field og_depctr_fields[OG_DEPCTR_FIELDS];
/* The bits that fields of the generation cover. */
unsigned og_depctr_mask(const struct og_isa *isa);

/* The name of a value, or NULL. */
const char *og_name_of(const struct og_isa *isa, enum og_name_table table, unsigned value);
/* The value of a name, or -1. */
int og_value_of(const struct og_isa *isa, enum og_name_table table, struct og_text name);
/* Whether some generation has that name. */
bool og_is_name_anywhere(enum og_name_table table, struct og_text name);

#endif
