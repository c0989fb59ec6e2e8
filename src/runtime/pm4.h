/* pm4.h - PM4, commands of the packet processor itself, which a vendor packet names: what they do to memory. */
#ifndef OG_PM4_H
#define OG_PM4_H

#include "runtime/queue.h"

struct og_pm4 {
  og_reaches *reaches; /* as in og_queue_options */
  void *context;
  const int *cancelled; /* read atomically; if not 0, a command that waits gives up */
  char *error;
  size_t error_size;
};

/* A vendor packet of OG_VENDOR_PM4: a jump to a buffer of commands. */
struct og_pm4_packet {
  uint16_t header, format;
  uint32_t jump[4];     /* an INDIRECT_BUFFER command */
  uint32_t words_after; /* how many words follow it in the packet */
  uint32_t reserved[8];
  uint64_t completion;
};
_Static_assert(sizeof(struct og_pm4_packet) == 64, "an AQL packet is 64 bytes");

/* False: the error says which command is wrong; the error is empty if it was cancelled. */
bool og_pm4_run(const struct og_pm4 *pm4, const struct og_pm4_packet *packet);

#endif
