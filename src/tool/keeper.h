/* keeper.h - a second process that may still name files: it puts outputs in place, or removes them if this process
 * fails, however that ends. */
#ifndef OG_TOOL_KEEPER_H
#define OG_TOOL_KEEPER_H

#include <sys/types.h>

#include "base/base.h"

struct og_keeper {
  pid_t process; /* 0: there is none */
  int orders, answers;
};

/* Makes a process that takes care of the outputs, which are open; false with a diagnostic. */
bool og_keeper_start(struct og_keeper *keeper, struct og_output *const *outputs, uint32_t count,
                     struct og_diagnostics *diagnostics);
/* Lets the process put the outputs in place, or remove them, and end. Returns 0, or the errno of the first that could
 * not be placed, with its index in *which; the outputs after it are removed. */
int og_keeper_end(struct og_keeper *keeper, bool keep, uint32_t *which);

#endif
