/* verify.h - shared by the verifier's files: the instruction that is being checked, and errors. */
#ifndef OG_VISA_VERIFY_H
#define OG_VISA_VERIFY_H

#include "visa/table.h"

enum { OG_VISA_MOST_BREACHES = 40 }; /* so many are reported, the others only counted */

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
  const struct og_visa_inst *breached; /* the last instruction with an error: one for each is enough */
};

/* An error at the instruction, or at one of its operands (if not NULL); returns false. */
bool og_visa_breach(struct og_visa_verifier *v, const struct og_visa_operand *operand, const char *format, ...)
    OG_PRINTF(3, 4);
/* An error at a place in the text, or, if there is no text, at `place` in the kernel; returns false. */
bool og_visa_report(struct og_visa_verifier *v, uint32_t at, uint32_t size, const char *place, const char *message);
/* false: the declarations are so wrong that instructions cannot be checked. */
bool og_visa_verify_declarations(struct og_visa_verifier *v, struct og_arena *arena);
/* The message instructions' own rules: payload sizes, LSC, dpas. */
void og_visa_verify_message(struct og_visa_verifier *v);

#endif
