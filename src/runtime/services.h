/* services.h - what the host does for kernels besides memory and queues: printing text, allocating memory. HIP's device
 * libraries ask while a kernel runs, with packets in a buffer whose doorbell a thread here waits for (a hostcall).
 * OpenCL's printf fills a buffer that is read when the dispatch has ended. */
#ifndef OG_SERVICES_H
#define OG_SERVICES_H

#include "runtime/loader.h"

struct og_runtime;
struct og_services;

/* Gets what a kernel printed; called from any thread, but not from two at once. */
typedef void og_services_write(void *context, bool to_stderr, const char *text, size_t size);

/* NULL: memory is short. Buffers are made only when the first kernel asks for them. */
struct og_services *og_services_new(struct og_runtime *runtime, og_services_write *write, void *context);
/* No dispatch may be running. */
void og_services_free(struct og_services *services);

/* Addresses for hidden arguments; 0: memory or threads are short. */
uint64_t og_services_hostcall(struct og_services *services);
uint64_t og_services_printf(struct og_services *services);
uint64_t og_services_heap(struct og_services *services); /* for device libraries of code objects from version 5 on */

/* Writes what OpenCL's printf has left in the buffer, and empties it. To be called after a dispatch of the
 * executable. */
void og_services_flush(struct og_services *services, const struct og_executable *executable);

#endif
