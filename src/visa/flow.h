/* flow.h - what becomes of a kernel's inputs: which are addresses that it writes to, which count bytes, which scale. */
#ifndef OG_VISA_FLOW_H
#define OG_VISA_FLOW_H

#include "visa/visa.h"

enum { OG_VISA_FLOW_INPUTS = 64 };

/* Sets of inputs, one bit for each of the first 64. A value that goes through memory is lost from sight. */
struct og_visa_flow {
  uint64_t used;             /* an instruction reads it */
  uint64_t written;          /* part of an address that is stored to */
  uint64_t offset;           /* part of an offset into a surface */
  uint64_t computed;         /* multiplied, shifted, compared or stored as data */
  uint64_t by_group;         /* multiplied with a group's number */
  uint64_t surfaces_written; /* a set of the binding table's first 64 entries, not of inputs */
};

struct og_visa_flow og_visa_flow_of(struct og_arena *arena, const struct og_visa_kernel *kernel);

#endif
