/* dap.h - the Debug Adapter Protocol, by which editors drive the debugger. */
#ifndef OG_DEBUG_DAP_H
#define OG_DEBUG_DAP_H

#include <stdio.h>

#include "debug/debug.h"

/* Who serves: reads requests, writes responses and events, and makes what is debugged. */
struct og_dap_host {
  int in;
  FILE *out;
  void *context;
  /* The debugger of what a `launch` names as the words of a command line: the caller's. NULL: `error` says why. */
  struct og_debug *(*launch)(void *context, int argc, char **argv, struct og_buffer *error);
};

/* Until the editor disconnects or the input ends. False: what was read is no protocol. */
bool og_dap_serve(const struct og_dap_host *host);

#endif
