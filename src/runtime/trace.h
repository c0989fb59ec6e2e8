/* trace.h - a line for each instruction that waves run. */
#ifndef OG_TRACE_H
#define OG_TRACE_H

#include <stdio.h>

#include "runtime/loader.h"

struct og_trace;

/* Lines go to `out`, which stays the caller's: work-group, wave, place, EXEC, instruction. */
struct og_trace *og_trace_new(const struct og_executable *executable, FILE *out);
void og_trace_free(struct og_trace *trace); /* NULL is fine */
const struct og_observer *og_trace_observer(const struct og_trace *trace);

#endif
