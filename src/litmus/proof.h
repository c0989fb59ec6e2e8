/* proof.h - tries a sequence of the tables: what it allows, and what it allows with a part left out. */
#ifndef OG_LITMUS_PROOF_H
#define OG_LITMUS_PROOF_H

#include "litmus/tables.h"

/* A part of a sequence that can be left out: a step, or a bit of the access's cache policy. */
struct og_omission {
  uint8_t step, bits;
};
enum { OG_PARTS = OG_STEPS + 4 };
unsigned og_find_parts(const struct og_litmus_test *test, const struct og_sequence *sequence,
                       struct og_omission parts[OG_PARTS]);

struct og_proof {
  struct og_arena *arena; /* for one test at a time */
  struct og_diagnostics *diagnostics;
  const char *title; /* for errors */
  enum og_table table;
  struct og_target target;
  enum og_scope scope;
  bool fine;
};

/* Names of shapes with the places that are in LDS; empty: no shape. */
struct og_finding {
  char written[24]; /* allowed as the table writes it, if that does not invalidate the outer caches first */
  char allowed[24]; /* allowed by the whole sequence */
  unsigned parts;
  char shown[OG_PARTS][24]; /* allowed with that part left out */
};
/* Examines a sequence. If it does not invalidate the outer caches first, it is changed to do so, and parts are left out
 * of the changed one. */
void og_examine(struct og_proof *p, const struct og_litmus_test *test, const struct og_table_row *row,
                enum og_address_space space, struct og_sequence *sequence, struct og_finding *finding);

#endif
