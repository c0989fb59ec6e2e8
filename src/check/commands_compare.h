/* commands_compare.h - what two commands did to the same bytes, if nothing orders them or their fences are not
 * enough. */
#ifndef OG_CHECK_COMMANDS_COMPARE_H
#define OG_CHECK_COMMANDS_COMPARE_H

#include "check/commands.h"

/* The command that did it. */
struct og_commands_party {
  unsigned agent;        /* 0: the host, or a copy for it */
  uint64_t queue, index; /* of a packet: its queue, and its number there */
  bool is_packet;
  bool unasked; /* it is unknown which commands come before the packet */
  bool talks;   /* a kernel that may synchronize with the host while it runs, by memory that is coherent for both */
};

void og_commands_party_of_kernel(const struct og_commands_options *options, const struct og_footprint *footprint,
                                 struct og_commands_party *party);
/* Reports the first bytes for which they race. `ended`: the other one has ended, but its writes may not be visible
 * yet. */
void og_commands_compare(const struct og_commands_options *options, const struct og_footprint *mine,
                         const struct og_commands_party *me, const struct og_footprint *others,
                         const struct og_commands_party *other, bool ended);

#endif
