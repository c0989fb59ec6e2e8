/* run_command.h - what `run` and `check` are asked to do: the command line, the kernel's arguments, and the files that
 * these come from and go to. The same for AMD and vISA kernels. */
#ifndef OG_TOOL_RUN_COMMAND_H
#define OG_TOOL_RUN_COMMAND_H

#include "runtime/arguments.h"
#include "runtime/runtime.h"
#include "tool/keeper.h"
#include "tool/sandbox.h"

enum { OG_RUN_MAX_ARGUMENTS = 256, OG_RUN_MAX_FILES = 64 };

struct og_run_command {
  const char *verb; /* "run" or "check" */
  bool check;
  const char *files[OG_RUN_MAX_FILES]; /* the first has the kernel; a vISA kernel's functions may be in the others */
  uint32_t file_count;
  const char *kernel, *processor, *zeinfo, *trace; /* NULL: not given */
  const char *trap_handler, *trap_memory;          /* FILE[:SYMBOL]; a buffer; NULL: not given */
  const char *trace_filter;                        /* NULL: not given */
  bool trace_registers;
  const char *annotate;                            /* a file; "": standard output; NULL: not given */
  struct og_extent extent;
  const char *argument_texts[OG_RUN_MAX_ARGUMENTS];
  uint32_t argument_count;
  uint32_t lds, repeat;
  double timeout; /* seconds; 0: none */
  bool stats, json, compile_stats;
  const char *memory, *memory_record; /* "weak:SEED" or "weak:replay=FILE"; a file for the schedule; NULL: not given */
  bool memory_shrink;
  const char *memory_finding; /* the finding that a shrunk schedule has to show; NULL: any */
  unsigned memory_agents;
  const char *only, *allow; /* for `check`: names of checkers; a file of findings to ignore; NULL: not given */
  const char *lds_objects[OG_RUN_MAX_ARGUMENTS]; /* "NAME:OFFSET:SIZE" */
  uint32_t lds_object_count;
  bool findings_json;
  enum og_sandbox sandbox;
  struct og_run_options options;
  const int *interrupted; /* atomic; not 0 after an interrupt */
};

/* Returns OG_EXIT_OK, or the exit code of wrong usage. */
int og_run_command_parse(int argc, char **argv, struct og_run_command *command);

/* A buffer that is written to a file, which is opened before the kernel runs. */
struct og_run_output {
  const char *path;
  const void *data;
  size_t size;
  size_t row, stride; /* of an image: bytes of a row, and from row to row in `data`; 0: all in one piece */
  struct og_output file;
};

struct og_run_arguments {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  void *(*allocate)(void *context, size_t size); /* makes zeroed memory for a buffer; NULL: there is none left */
  /* Makes kinds of arguments that only one machine has. False: the text is of no such kind; true with *fine false and a
   * diagnostic: it is, but is wrong. NULL: there are none. */
  bool (*special)(void *context, const char *text, struct og_argument *argument, bool *fine);
  void *context;
  struct og_argument items[OG_RUN_MAX_ARGUMENTS];
  struct og_run_output outputs[OG_RUN_MAX_ARGUMENTS];
  uint32_t count, output_count, open_count;
  FILE *trace; /* the file for --trace, or NULL */
  FILE *page;  /* the file for --annotate, or NULL */
  struct og_keeper keeper;
};

/* Makes the value or buffer of each --arg; false with a diagnostic. */
bool og_run_arguments_make(struct og_run_arguments *arguments, const struct og_run_command *command);
/* Makes one of them, for `special`: from "buf:BYTES", "out:FILE:BYTES" and so on. */
bool og_run_argument_make(struct og_run_arguments *arguments, const char *text, struct og_argument *argument);
/* run_image.c: "image:FORMAT:SIZE:BUFFER" and "sampler:WORDS" for AMD kernels. */
bool og_run_image_argument(struct og_run_arguments *arguments, enum og_generation generation, const char *text,
                           struct og_argument *argument);
bool og_run_sampler_argument(struct og_run_arguments *arguments, enum og_generation generation, const char *text,
                             struct og_argument *argument);
/* Opens the files for buffers and for the trace, then enters the sandbox: from here on only open files can be written.
 * False with a diagnostic. */
bool og_run_confine(struct og_run_arguments *arguments, const struct og_run_command *command);
/* Ends the outputs: if all went well they get the buffers' bytes, else they are removed. Returns `fine`, or false with
 * a diagnostic. */
bool og_run_arguments_end(struct og_run_arguments *arguments, const struct og_run_command *command, bool fine);

/* `run` and `check` of a vISA kernel (run_visa.c); `bytes` are those of the first file. Returns the exit code. */
bool og_run_is_visa(const struct og_buffer *bytes);
int og_run_visa(const struct og_run_command *command, const struct og_buffer *bytes,
                struct og_diagnostics *diagnostics);
/* `run` and `check` of an MLIR module, recognised by its file name (run_mlir.c). */
bool og_run_is_mlir(const char *path);
int og_run_mlir(const struct og_run_command *command, const struct og_buffer *bytes,
                struct og_diagnostics *diagnostics);

#endif
