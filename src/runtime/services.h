/* services.h - services of the host for kernels besides memory and queues: printing text, allocating memory. HIP's
 * device libraries ask while they run, by packets of a buffer whose doorbell a thread here waits for (a hostcall);
 * OpenCL's printf fills a buffer that is read when the dispatch has ended. */
#ifndef OG_SERVICES_H
#define OG_SERVICES_H

#include "runtime/loader.h"

struct og_runtime;
struct og_services;

/* Takes what a kernel printed; from any thread, one call at a time. */
typedef void og_services_write(void *context, bool to_stderr, const char *text, size_t size);

/* NULL: memory is short. Nothing is made before a kernel asks for it. */
struct og_services *og_services_new(struct og_runtime *runtime, og_services_write *write, void *context);
/* No dispatch may run any more. */
void og_services_free(struct og_services *services);

/* Addresses for the hidden arguments; 0: memory or threads are short. */
uint64_t og_services_hostcall(struct og_services *services);
uint64_t og_services_printf(struct og_services *services);
uint64_t og_services_heap(struct og_services *services); /* of device libraries for code objects from version 5 on */

/* Writes what OpenCL's printf left behind, and empties the buffer: after a dispatch of the executable's. */
void og_services_flush(struct og_services *services, const struct og_executable *executable);

#endif
