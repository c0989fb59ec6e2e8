/* run.h - running vISA kernels: what the tool and tests call. */
#ifndef OG_VISA_RUN_H
#define OG_VISA_RUN_H

#include "base/host.h"
#include "base/statistics.h"
#include "visa/image.h"
#include "visa/visa.h"

enum og_visa_argument_kind {
  OG_VISA_ARGUMENT_VALUE,
  OG_VISA_ARGUMENT_BUFFER,
  OG_VISA_ARGUMENT_SLM,
  OG_VISA_ARGUMENT_IMAGE,
  OG_VISA_ARGUMENT_SAMPLER,
};

/* One explicit argument, in the order of the source. A buffer can be read up to the next address that is a multiple of
   64. */
struct og_visa_argument {
  uint8_t kind;
  const uint8_t *value; /* VALUE */
  void *buffer;         /* BUFFER */
  size_t size;          /* of the value or buffer, or bytes of shared local memory */
  /* BUFFER: what the user says about it, which helps to tell buffers apart without a zebin: the kernel does not write
     it, or it is there to take results. */
  bool read_only, result;
  struct og_visa_image image;     /* IMAGE: its base is `buffer` */
  struct og_visa_sampler sampler; /* SAMPLER */
};

/* What a kernel expects where, by the .ze_info of a zebin. */
struct og_visa_payload_entry {
  uint8_t what; /* enum og_visa_payload */
  int32_t argument;
  uint32_t offset, size, source_offset;
};
enum og_visa_payload {
  OG_VISA_PAYLOAD_VALUE,         /* an argument's bytes from source_offset on */
  OG_VISA_PAYLOAD_POINTER,       /* a buffer's address */
  OG_VISA_PAYLOAD_SLM,           /* a shared local memory argument's offset */
  OG_VISA_PAYLOAD_BUFFER_OFFSET, /* the offset of a stateful buffer within its surface: 0 */
  OG_VISA_PAYLOAD_BINDLESS,      /* a buffer's surface state */
  OG_VISA_PAYLOAD_LOCAL_SIZE,
  OG_VISA_PAYLOAD_ENQUEUED_LOCAL_SIZE,
  OG_VISA_PAYLOAD_GLOBAL_SIZE,
  OG_VISA_PAYLOAD_GROUP_COUNT,
  OG_VISA_PAYLOAD_GLOBAL_OFFSET,
  OG_VISA_PAYLOAD_WORK_DIMENSIONS,
  OG_VISA_PAYLOAD_PRIVATE_BASE,
  OG_VISA_PAYLOAD_CONST_BASE,
  OG_VISA_PAYLOAD_GLOBAL_BASE,
  OG_VISA_PAYLOAD_PRINTF,
  OG_VISA_PAYLOAD_OTHER,
  OG_VISA_PAYLOAD_IMAGE,
  OG_VISA_PAYLOAD_SAMPLER, /* without a payload: they are bound to numbers */
  OG_VISA_PAYLOAD_IMAGE_WIDTH,
  OG_VISA_PAYLOAD_IMAGE_HEIGHT,
  OG_VISA_PAYLOAD_IMAGE_DEPTH,
  OG_VISA_PAYLOAD_IMAGE_LAYERS,
  OG_VISA_PAYLOAD_IMAGE_TYPE,
  OG_VISA_PAYLOAD_IMAGE_ORDER,
  OG_VISA_PAYLOAD_SAMPLER_SNAP,
  OG_VISA_PAYLOAD_SAMPLER_NORMALIZED,
  OG_VISA_PAYLOAD_SAMPLER_ADDRESS,
};
struct og_visa_binding {
  uint32_t index;
  int32_t argument;
};
struct og_visa_inline_sampler {
  uint32_t index;
  struct og_visa_sampler sampler;
};
struct og_visa_layout {
  OG_VECTOR(struct og_visa_payload_entry) payload;
  OG_VECTOR(struct og_visa_binding) bindings;
  OG_VECTOR(struct og_visa_binding) sampler_bindings;
  OG_VECTOR(struct og_visa_inline_sampler) inline_samplers;
  uint32_t argument_count, slm_size, private_size, scratch_size, simd_size, per_thread_size;
  uint32_t required_group[3]; /* 0: of any size */
};

/* One section of variables as it was loaded, with zeros at its end; in the arena. */
struct og_zebin_data {
  const char *name;
  uint32_t section; /* its index in the ELF */
  uint8_t *bytes;
  size_t size;
  bool writable;
};

/* What a zebin has besides code. */
struct og_zebin {
  const char *file;
  const uint8_t *data;
  size_t size;
  const char *info; /* the YAML */
  size_t info_size;
  OG_VECTOR(struct og_zebin_data) sections;
};

/* Opens a zebin, or the text of a .ze_info. false with a diagnostic. The bytes must live as long as the result. */
bool og_zebin_open(struct og_arena *arena, const char *file, const void *data, size_t size, struct og_zebin *zebin,
                   struct og_diagnostics *diagnostics);
/* NULL with a diagnostic if it has no such kernel. */
struct og_visa_layout *og_zebin_layout(struct og_arena *arena, const struct og_zebin *zebin, const char *kernel,
                                       struct og_diagnostics *diagnostics);
/* Where the section of variables with this name was loaded; NULL: there is none. */
uint8_t *og_zebin_section(const struct og_zebin *zebin, const char *name);
/* A data symbol's address. */
bool og_zebin_symbol(const struct og_zebin *zebin, const char *name, uint64_t *address);

/* What `check` found. */
struct og_visa_finding {
  const char *checker; /* "uninit", "races", "divergence" or "bounds" */
  const char *kernel, *place, *instruction, *message; /* place: "kernel:LINE" of the text or "kernel+OPERATION" */
  uint32_t group[3], thread;
};

struct og_visa_dispatch {
  uint32_t grid[3], group[3], dimensions;
  uint64_t offset[3];
  const struct og_visa_argument *arguments;
  uint32_t argument_count;
  uint32_t extra_slm;
  uint32_t threads; /* of the host that share the groups; 0 is 1 */
  uint64_t seed;    /* 0: a group's threads run in order; else in an order that follows from this number */
  uint64_t deadline;      /* of og_clock(), 0: none */
  const int *interrupted; /* or NULL: the run ends when this is no longer 0; atomic */
  bool count;       /* fill in the counts of the statistics */
  bool check;       /* whether what the specification leaves undefined is an error */
  bool (*found)(void *context, const struct og_visa_finding *finding); /* false: it is passed over; NULL: none is */
  void *found_context;
  struct og_buffer *printed; /* or NULL: gets what the kernel printed */
  FILE *trace;      /* or NULL: gets a line for each instruction, and then one host thread runs */
};

/* Kinds of instructions, as statistics tell them apart. */
#define OG_VISA_CLASSES(X)                                                                                            \
  X(MOVE, "move") X(ALU, "alu") X(MATH, "math") X(DPAS, "dpas") X(BRANCH, "branch") X(GLOBAL, "global")               \
  X(SURFACE, "surface") X(SLM, "slm") X(SCRATCH, "scratch") X(IMAGE, "image") X(SYNC, "sync")
enum og_visa_class {
#define X(name, text) OG_VISA_CLASS_##name,
  OG_VISA_CLASSES(X)
#undef X
  OG_VISA_CLASS_COUNT
};
enum og_visa_space {
  OG_VISA_SPACE_GLOBAL,
  OG_VISA_SPACE_SURFACE,
  OG_VISA_SPACE_SLM,
  OG_VISA_SPACE_SCRATCH,
  OG_VISA_SPACE_COUNT
};

struct og_visa_counts {
  uint64_t instructions[OG_VISA_CLASS_COUNT];
  uint64_t bytes_read[OG_VISA_SPACE_COUNT], bytes_written[OG_VISA_SPACE_COUNT];
  struct og_events events; /* bank conflicts: of SLM, with 16 banks of 4 bytes, for each sixteen channels */
};

struct og_visa_statistics {
  uint64_t instructions, threads, groups;
  uint32_t simd;
  double seconds;
  struct og_visa_counts counts; /* if the dispatch asks for them */
};

struct og_vx_program;

/* A file with a kernel or functions; compilers write one file for each function that is called by address. */
struct og_visa_unit {
  const struct og_visa *visa;
  const char *file;
};

/* Makes a kernel of units[0] ready to run, whether it was verified (og_visa_verify) or not: accesses beyond the
   kernel's own registers or what the dispatch shares are refused here, or stop the thread. Functions that it calls may
   be in any unit. `zebin` may be NULL: then the kernel's inputs show where arguments go. */
struct og_vx_program *og_visa_prepare(struct og_arena *arena, const struct og_visa_unit *units, uint32_t unit_count,
                                      const struct og_visa_kernel *kernel, int platform, struct og_zebin *zebin,
                                      struct og_diagnostics *diagnostics);
/* Prints one dispatch's statistics, as lines or as an element of a JSON list. */
void og_visa_print_statistics(const char *kernel, const struct og_visa_statistics *statistics, struct og_buffer *out);
void og_visa_print_statistics_json(const char *kernel, const struct og_visa_statistics *statistics,
                                   struct og_buffer *out);

/* Runs all groups. false with one diagnostic that says what went wrong where. */
bool og_visa_run(struct og_arena *arena, const struct og_vx_program *program, const struct og_visa_dispatch *dispatch,
                 struct og_visa_statistics *statistics, struct og_diagnostics *diagnostics);

#endif
