/* hazards.h - wait states that software keeps between two instructions: wait_states.def. */
#ifndef OG_ISA_HAZARDS_H
#define OG_ISA_HAZARDS_H

#include "isa/outstanding.h"

enum { OG_HAZARD_STATES_MOST = 5, OG_HAZARDS_MOST = 32 };

/* What one instruction is to the hazards of its generation: bits by line of wait_states.def. */
struct og_hazards {
  uint32_t first, second; /* where it may be the earlier, and the later one */
  uint16_t lane;          /* the scalar register that says a lane's number; OG_PLACES: none */
  uint16_t data;          /* the first vector register that a wide store reads late, */
  uint8_t data_count;     /* and how many */
  uint8_t states;         /* that it takes itself */
};

void og_inst_hazards(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                     struct og_hazards *hazards);
/* Wait states that have to be between two instructions; 0: any. `touches` are of og_inst_touches. The place becomes the
 * register that both touch. */
unsigned og_hazard_between(const struct og_hazards *first, const struct og_touch *touches, unsigned count,
                           const struct og_hazards *second, const struct og_touch *later, unsigned later_count,
                           uint16_t *place);

#endif
