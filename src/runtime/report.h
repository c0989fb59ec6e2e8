/* report.h - what a dispatch did, for people and for programs. */
#ifndef OG_REPORT_H
#define OG_REPORT_H

#include "runtime/loader.h"
#include "runtime/runtime.h"

/* One error that names kernel, place, instruction and address; `why` stands for the
 * fault's own words where it is given. */
void og_report_fault(const struct og_executable *executable, const struct og_kernel *kernel,
                     const struct og_dispatch_record *record, const char *why, struct og_diagnostics *diagnostics);
/* Where the waves of a dispatch were that was stopped or deadlocked: a note for each place. */
void og_report_standing(const struct og_executable *executable, const struct og_dispatch_record *record,
                        struct og_diagnostics *diagnostics);
/* Where a pc is, what stands there and the line of source: "kernel+0x40 's_trap 2' (k.s:7)". */
void og_print_place(const struct og_executable *executable, unsigned wave_size, uint64_t pc, struct og_buffer *out);
/* The instruction alone; false: none can be decoded there. */
bool og_print_instruction(const struct og_executable *executable, unsigned wave_size, uint64_t pc,
                          struct og_buffer *out);
/* A table of counts, and how near to hardware's the results are of what was run of the executable so far. */
void og_print_statistics(const struct og_executable *executable, const struct og_kernel *kernel,
                         const struct og_dispatch_record *record, double seconds, struct og_buffer *out);
/* One object of `--stats=json`'s dispatches, with a comma in front when others stand before it. */
void og_print_statistics_json(const struct og_executable *executable, const struct og_kernel *kernel,
                              const struct og_dispatch_record *record, double seconds, bool comma,
                              struct og_buffer *out);

#endif
