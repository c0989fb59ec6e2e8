/* debug_values.h - finds ranges of the code in which variables stand in registers: which record holds at the beginning
 * of a block (debug_known.c), which at each instruction and whether its registers hold the value (debug_values.c), and
 * how DWARF says it (debug_expressions.c). */
#ifndef OG_CC_DEBUG_VALUES_H
#define OG_CC_DEBUG_VALUES_H

#include "cc/debug.h"
#include "cc/debug_tracks.h"

enum { CC_NOTHING = UINT32_MAX };

/* A variable of a function, or of one that is inlined at a place. */
struct cc_instance {
  uint64_t variable, location;
  uint32_t first, last;        /* positions between which its scope has code, */
  bool is_seen;                /* if it has any */
  OG_VECTOR(uint32_t) records; /* in the order of the code */
  OG_VECTOR(uint32_t) subjects;
};

struct cc_found {
  uint32_t from, to, record;
};

/* Some bits of a variable. */
struct cc_subject {
  uint32_t instance, offset, size; /* size 0: all */
  uint32_t now, shown, since;      /* the record that holds; that of the open range, and where that begins */
  uint32_t missed;                 /* how often in a row its registers did not hold it */
  bool active, dirty;
  OG_VECTOR(struct cc_found) ranges;
};

struct cc_known {
  uint32_t subject, record;
};

struct cc_values {
  struct cc_function *c;
  const struct cc_debug_function *f;
  const struct cc_records *records;
  struct og_arena *arena;
  OG_VECTOR(struct cc_instance) instances;
  OG_VECTOR(struct cc_subject) subjects;
  uint32_t *subject_of; /* by record */
  uint32_t *same;       /* by record: the first that says the same of the same bits */
  struct cc_record_list {
    OG_VECTOR(uint32_t) list;
  } *at; /* by position: records in their order */
  struct cc_known_list {
    OG_VECTOR(struct cc_known) list;
  } *in; /* by position: what is known where it begins */
};

/* debug_known.c: finds all of the above. */
void cc_find_known(struct cc_values *v);
/* Whether both have bits in common. */
static inline bool cc_overlaps(const struct cc_subject *a, const struct cc_subject *b) {
  return !a->size || !b->size || (a->offset < b->offset + b->size && b->offset < a->offset + a->size);
}
/* debug_expressions.c: an instance's ranges as DWARF has them. */
void cc_put_ranges(struct cc_object *o, const struct cc_values *v, const struct cc_instance *instance,
                   struct cc_debug_variable *to);

#endif
