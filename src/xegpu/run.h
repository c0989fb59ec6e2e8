/* run.h - runs a module: its host functions, and the kernels they launch, on the CPU. */
#ifndef OG_XEGPU_RUN_H
#define OG_XEGPU_RUN_H

#include "xegpu/mlir.h"

struct og_mlir_run {
  const char *entry;      /* a function without arguments; NULL: main, or the only one */
  uint32_t subgroup_size; /* how many threads of a launch form a subgroup; 0: as the kernel's operations ask */
  double timeout;         /* seconds; 0: none */
  uint64_t memory_most;   /* bytes; 0: 4 GiB */
  const int *interrupted; /* atomic, or NULL */
  bool check;             /* races, and reads of memory that nothing has written, are faults */
  struct og_buffer *out;  /* what the functions print */
  uint64_t operations, groups, threads; /* result: executed */
  bool late;                            /* result: ended by the timeout */
};

/* false with a diagnostic that says which operation faulted and why. */
bool og_mlir_execute(const struct og_mlir_module *module, struct og_mlir_run *run, struct og_diagnostics *diagnostics);

/* An argument of a kernel that is launched without a host: a buffer for a memref, followed by its dynamic sizes as i64
 * arguments in order; or the bytes of a scalar. */
struct og_mlir_argument {
  void *data;
  size_t size;
  bool buffer;
};
struct og_mlir_launch {
  const char *kernel; /* NULL: the only one */
  int64_t groups[3], threads[3];
  const struct og_mlir_argument *arguments;
  uint32_t argument_count;
};

/* Runs one kernel of a module; its results are in the buffers. */
bool og_mlir_execute_kernel(const struct og_mlir_module *module, struct og_mlir_run *run,
                            const struct og_mlir_launch *launch, struct og_diagnostics *diagnostics);

#endif
