/* commands_compare.h - two commands that nothing orders, or whose fences do not reach: what they did to the same
 * bytes. */
#ifndef OG_CHECK_COMMANDS_COMPARE_H
#define OG_CHECK_COMMANDS_COMPARE_H

#include "check/commands.h"

/* Who did it. */
struct og_commands_party {
  unsigned agent;        /* 0: the host, or a copy for it */
  uint64_t queue, index; /* of a packet */
  bool is_packet;
  bool unasked; /* what the packet comes after is unknown */
  bool talks;   /* a kernel that may synchronize with the host while it runs, by memory coherent to both */
};

void og_commands_party_of_kernel(const struct og_commands_options *options, const struct og_footprint *footprint,
                                 struct og_commands_party *party);
/* Reports the first bytes that they race for. `ended`: the other has ended, but its writes may not be visible yet. */
void og_commands_compare(const struct og_commands_options *options, const struct og_footprint *mine,
                         const struct og_commands_party *me, const struct og_footprint *others,
                         const struct og_commands_party *other, bool ended);

#endif
