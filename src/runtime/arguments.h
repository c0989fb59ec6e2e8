/* arguments.h - a kernel's arguments: what the caller gives, and the kernarg segment made of it with the help of the
 * metadata. */
#ifndef OG_ARGUMENTS_H
#define OG_ARGUMENTS_H

#include "runtime/loader.h"
#include "runtime/queue.h"

struct og_runtime;

enum og_argument_kind {
  OG_ARGUMENT_VALUE,  /* bytes by value: scalars and structs */
  OG_ARGUMENT_BUFFER, /* the address of memory that kernels reach */
  OG_ARGUMENT_LDS,    /* a number of bytes of dynamic LDS */
};

struct og_argument {
  enum og_argument_kind kind;
  const char *text;     /* as the user wrote it, for messages, or NULL */
  const uint8_t *value; /* VALUE: `size` bytes */
  void *buffer;         /* BUFFER */
  bool fine;            /* the buffer is in fine-grained memory, if the caller distinguishes it */
  size_t size;
};

/* The shape of a dispatch. */
struct og_extent {
  uint32_t dimensions; /* 1..3 */
  uint32_t grid[3], group[3];
  uint64_t offset[3]; /* OpenCL's global offset */
};

/* A scalar as `--arg` spells it: "i32:7", "f16:0.5"; or "struct:HEX". The value is kept in the arena. False, with
 * nothing reported, if `text` does not have this form; true with argument->value NULL and a diagnostic if it has, but
 * is wrong. */
bool og_argument_parse(struct og_arena *arena, const char *text, struct og_argument *argument,
                       struct og_diagnostics *diagnostics);

/* Makes the kernarg segment of one dispatch, hidden arguments included, in memory that kernels read; og_memory_free()
 * frees it. *group_bytes becomes the LDS that the packet must ask for, dynamic arguments and `extra_lds` included. NULL
 * with a diagnostic that says what the kernel expects. */
void *og_kernarg_new(struct og_runtime *runtime, const struct og_executable *executable, const struct og_kernel *kernel,
                     const struct og_argument *arguments, uint32_t count, const struct og_extent *extent,
                     struct og_queue *queue, uint32_t extra_lds, uint32_t *group_bytes,
                     struct og_diagnostics *diagnostics);

/* The same from explicit arguments that are already laid out as in the kernarg segment. */
void *og_kernarg_from_bytes(struct og_runtime *runtime, const struct og_executable *executable,
                            const struct og_kernel *kernel, const void *bytes, size_t size,
                            const struct og_extent *extent, struct og_queue *queue, uint32_t extra_lds,
                            uint32_t *group_bytes, struct og_diagnostics *diagnostics);

/* Makes the packet for a kernel, with the given kernarg segment, LDS and completion signal. */
void og_dispatch_packet_init(struct og_dispatch_packet *packet, const struct og_executable *executable,
                             const struct og_kernel *kernel, const struct og_extent *extent, const void *kernarg,
                             uint32_t group_bytes, struct og_signal *completion);

#endif
