/* sandbox.h - gives up, until the process ends, all rights that running kernels and writing outputs do not need. */
#ifndef OG_TOOL_SANDBOX_H
#define OG_TOOL_SANDBOX_H

#include "base/base.h"

enum og_sandbox {
  OG_SANDBOX_WHERE_POSSIBLE, /* not under a debugger or tracer; it is no error if the host has no sandbox */
  OG_SANDBOX_REQUIRED,       /* an error if the host has no sandbox */
  OG_SANDBOX_OFF
};

/* From here on no thread of the process can open files or use their names, make processes or sockets, or make memory
 * executable: such calls fail with EPERM. Open files can be read and written. False with a diagnostic. */
bool og_sandbox_enter(enum og_sandbox sandbox, struct og_diagnostics *diagnostics);

#endif
