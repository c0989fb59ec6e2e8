/* arguments.h - a kernel's arguments: what the caller gives, and the kernarg segment made of it and the metadata. */
#ifndef OG_ARGUMENTS_H
#define OG_ARGUMENTS_H

#include "runtime/loader.h"
#include "runtime/queue.h"

struct og_runtime;

enum og_argument_kind {
  OG_ARGUMENT_VALUE,  /* bytes by value: scalars and structs */
  OG_ARGUMENT_BUFFER, /* memory that kernels reach: its address */
  OG_ARGUMENT_LDS,    /* so many bytes of dynamic LDS */
};

struct og_argument {
  enum og_argument_kind kind;
  const char *text;     /* for messages: as the user wrote it, or NULL */
  const uint8_t *value; /* VALUE: `size` bytes */
  void *buffer;         /* BUFFER */
  bool fine;            /* a buffer in fine-grained memory, where that is told apart */
  size_t size;
};

/* The shape of a dispatch. */
struct og_extent {
  uint32_t dimensions; /* 1..3 */
  uint32_t grid[3], group[3];
  uint64_t offset[3]; /* OpenCL's global offset */
};

/* A scalar as `--arg` spells it: "i32:7", "f16:0.5"; or "struct:HEX". The value stands in the arena.
 * false, with nothing reported, when `text` is of no such kind; true with argument->value NULL and a
 * diagnostic when it is but is wrong. */
bool og_argument_parse(struct og_arena *arena, const char *text, struct og_argument *argument,
                       struct og_diagnostics *diagnostics);

/* The kernarg segment of one dispatch, in memory that kernels read, freed by og_memory_free(); *group_bytes is the LDS
 * the packet must ask for, dynamic arguments and `extra_lds` included. Hidden arguments are filled in. NULL with a
 * diagnostic that says what the kernel expects. */
void *og_kernarg_new(struct og_runtime *runtime, const struct og_executable *executable, const struct og_kernel *kernel,
                     const struct og_argument *arguments, uint32_t count, const struct og_extent *extent,
                     struct og_queue *queue, uint32_t extra_lds, uint32_t *group_bytes,
                     struct og_diagnostics *diagnostics);

/* The same from the explicit arguments as the kernarg segment lays them out. */
void *og_kernarg_from_bytes(struct og_runtime *runtime, const struct og_executable *executable,
                            const struct og_kernel *kernel, const void *bytes, size_t size,
                            const struct og_extent *extent, struct og_queue *queue, uint32_t extra_lds,
                            uint32_t *group_bytes, struct og_diagnostics *diagnostics);

/* The packet for a kernel; kernarg, LDS and completion signal as given. */
void og_dispatch_packet_init(struct og_dispatch_packet *packet, const struct og_executable *executable,
                             const struct og_kernel *kernel, const struct og_extent *extent, const void *kernarg,
                             uint32_t group_bytes, struct og_signal *completion);

#endif
