/* profile.h - what each instruction of a kernel did: executions, lanes, bytes, bank conflicts; beside its source. */
#ifndef OG_DEBUG_PROFILE_H
#define OG_DEBUG_PROFILE_H

#include "runtime/loader.h"
#include "runtime/runtime.h"

struct og_profile;

/* Reads the sources, so that nothing has to be opened later. */
struct og_profile *og_profile_new(const struct og_executable *executable, const struct og_kernel *kernel,
                                  unsigned threads);
void og_profile_free(struct og_profile *profile); /* NULL is fine */
/* Has dispatches with these options watched; the sums are over all of them. */
void og_profile_watch(struct og_profile *profile, struct og_run_options *options);
void og_profile_print(struct og_profile *profile, struct og_buffer *out);
/* One file that needs no other. */
void og_profile_print_html(struct og_profile *profile, struct og_buffer *out);

#endif
