/* verify.h - what the verifier's files share: where it stands, and how it reports. */
#ifndef OG_VISA_VERIFY_H
#define OG_VISA_VERIFY_H

#include "visa/table.h"

enum { OG_VISA_MOST_BREACHES = 40 }; /* that are reported; the rest is counted */

struct og_visa_verifier {
  const struct og_visa *visa;
  const struct og_visa_kernel *kernel;
  const struct og_visa_inst *inst;
  uint32_t index; /* of the instruction */
  int platform;
  uint32_t grf; /* bytes of a register */
  const char *file;
  struct og_diagnostics *diagnostics;
  uint64_t breaches;
  const struct og_visa_inst *breached; /* the instruction last complained of: one error each is enough */
};

/* An error about the instruction, or one operand of it when that is not NULL; yields false. */
bool og_visa_breach(struct og_visa_verifier *v, const struct og_visa_operand *operand, const char *format, ...)
    OG_PRINTF(3, 4);
/* An error at a place in the text, or in `place` of the kernel where there is no text; yields false. */
bool og_visa_report(struct og_visa_verifier *v, uint32_t at, uint32_t size, const char *place, const char *message);
/* false when instructions cannot be looked at. */
bool og_visa_verify_declarations(struct og_visa_verifier *v, struct og_arena *arena);
/* The message instructions' own rules: payload sizes, LSC, dpas. */
void og_visa_verify_message(struct og_visa_verifier *v);

#endif
