/* report.h - reports what a dispatch did, for people and for programs. */
#ifndef OG_REPORT_H
#define OG_REPORT_H

#include "runtime/loader.h"
#include "runtime/runtime.h"

/* Reports one error that names kernel, place, instruction and address; `why`, if given, replaces the fault's own
 * words. */
void og_report_fault(const struct og_executable *executable, const struct og_kernel *kernel,
                     const struct og_dispatch_record *record, const char *why, struct og_diagnostics *diagnostics);
/* Adds a note for each place where waves were when a dispatch was stopped or deadlocked. */
void og_report_standing(const struct og_executable *executable, const struct og_dispatch_record *record,
                        struct og_diagnostics *diagnostics);
/* Prints a pc's place, the instruction there and its line of source: "kernel+0x40 's_trap 2' (k.s:7)". */
void og_print_place(const struct og_executable *executable, unsigned wave_size, uint64_t pc, struct og_buffer *out);
/* Prints only the instruction; false: none can be decoded there. */
bool og_print_instruction(const struct og_executable *executable, unsigned wave_size, uint64_t pc,
                          struct og_buffer *out);
/* Prints a table of counts, and how near to hardware's the results are of what the executable has run so far. */
void og_print_statistics(const struct og_executable *executable, const struct og_kernel *kernel,
                         const struct og_dispatch_record *record, double seconds, struct og_buffer *out);
/* Prints one object of `--stats=json`'s dispatches, after a comma if it is not the first. */
void og_print_statistics_json(const struct og_executable *executable, const struct og_kernel *kernel,
                              const struct og_dispatch_record *record, double seconds, bool comma,
                              struct og_buffer *out);
/* Prints how much of the process's kernels became host code, and in which time. */
void og_print_compiled(struct og_buffer *out);

#endif
