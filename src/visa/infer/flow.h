/* flow.h - how a kernel uses its inputs: which are addresses that it writes to, which count bytes, which are scaled. */
#ifndef OG_VISA_FLOW_H
#define OG_VISA_FLOW_H

#include "visa/visa.h"

enum { OG_VISA_FLOW_INPUTS = 64 };

/* What is known about a kernel's inputs beforehand. A set of inputs has a bit for each of the first 64. */
struct og_visa_roles {
  uint64_t pointers;  /* may be a buffer's address */
  uint64_t local_ids;
  uint64_t header;    /* with the global offset */
};

/* Only what holds for all paths: where a value may be one of several inputs, nothing is said about any of them. A value
   that goes through memory is not followed further. */
struct og_visa_flow {
  bool complete;             /* false: the kernel is too large to be followed, and nothing else here is known */
  uint64_t used;             /* an instruction may read it */
  uint64_t written;          /* the only pointer in an address that is stored to */
  uint64_t counted;          /* used directly for something other than a sum or an offset into a surface */
  uint64_t global_ids;       /* times a group's number, with a local id and the header added: the enqueued local size */
  uint64_t surfaces_used;    /* sets of the binding table's first 64 entries, not of inputs */
  uint64_t surfaces_written;
  uint8_t components[OG_VISA_FLOW_INPUTS]; /* which dwords of an input of three may be read */
  uint32_t first_temporary;  /* the first of the kernel's own variables that an instruction writes; UINT32_MAX: none */
};

struct og_visa_flow og_visa_flow_of(struct og_arena *arena, const struct og_visa_kernel *kernel,
                                    const struct og_visa_roles *roles);

#endif
