/* trace.h - a line for each instruction that waves run. */
#ifndef OG_TRACE_H
#define OG_TRACE_H

#include <stdio.h>

#include "runtime/loader.h"

struct og_trace;

/* Which instructions are written: those in [from, to), of waves and work-groups first..last. */
struct og_trace_filter {
  uint64_t from, to;
  uint32_t group[2], wave[2];
  bool registers; /* also what each has changed */
};
/* The filter that everything passes. */
struct og_trace_filter og_trace_everything(void);
/* Reads "pc=k+0x40..k+0x80,symbol=k,group=3,wave=0..1": an instruction has to meet all conditions. False with a
 * diagnostic. */
bool og_trace_filter_read(const struct og_executable *executable, const char *text, struct og_trace_filter *filter,
                          struct og_diagnostics *diagnostics);

/* Writes lines to `out`, which stays the caller's: work-group, wave, place, EXEC, instruction. */
struct og_trace *og_trace_new(const struct og_executable *executable, const struct og_trace_filter *filter, FILE *out);
void og_trace_free(struct og_trace *trace); /* NULL is fine */
const struct og_observer *og_trace_observer(const struct og_trace *trace);

#endif
