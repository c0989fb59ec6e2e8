/* offgrid.h - GPU kernels without the GPU: assemble, disassemble, link, inspect and run.
 *
 * Conventions
 *   Ownership: what a function returns by a pointer of an opaque type is the caller's, and has a _free function that
 *   takes NULL. Pointers inside returned structs live as long as the object that they were obtained from.
 *   Errors: a function that can fail takes `og_diagnostics *` (never NULL), adds what went wrong to it, and returns
 *   false, NULL or 0. Warnings may be added on success too. Nothing here prints, exits or aborts on bad input.
 *   Threads: objects may be used by one thread at a time; different objects by different threads. The library has no
 *   global state. Exceptions: og_device_stop may be called from any thread or signal handler; tickets run beside the
 *   thread that started them.
 *   Structs that the library fills in begin with their size in bytes, which the caller sets (`.info_size = sizeof
 *   info`): a newer library writes no more than that, and a function that finds 0 there does nothing and returns false.
 *   Text is UTF-8, and `const char *` is NUL-terminated.
 *
 * Names of processors, features, triples and target ids are LLVM's: "AMDGPU Usage", chapters Processors, Target
 * Features.
 */
#ifndef OFFGRID_H
#define OFFGRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OG_API __attribute__((visibility("default")))

/* The library's version, "MAJOR.MINOR.PATCH". */
OG_API const char *og_version(void);

/* ---- diagnostics ------------------------------------------------------------------------------------------------- */

typedef struct og_diagnostics og_diagnostics;

/* Errors, warnings and notes, in the order in which they were found. The list starts empty and is the caller's. */
OG_API og_diagnostics *og_diagnostics_new(void);
OG_API void og_diagnostics_free(og_diagnostics *diagnostics);
/* The number of diagnostics of all severities, and the number of errors. */
OG_API size_t og_diagnostics_count(const og_diagnostics *diagnostics);
OG_API size_t og_diagnostics_errors(const og_diagnostics *diagnostics);
/* The diagnostic of that index in clang's style, as lines: "file:line:col: error: message", the source line, a caret.
 * NULL past the end. The text lives until the diagnostics are freed. */
OG_API const char *og_diagnostics_text(og_diagnostics *diagnostics, size_t index);

typedef enum og_diagnostic_severity {
  OG_DIAGNOSTIC_ERROR, OG_DIAGNOSTIC_WARNING, OG_DIAGNOSTIC_NOTE
} og_diagnostic_severity;
/* The parts of one diagnostic. Texts live as long as the diagnostics. */
typedef struct og_diagnostic_info {
  size_t info_size;
  og_diagnostic_severity severity;
  const char *file;      /* NULL: the diagnostic belongs to no file */
  uint32_t line, column; /* from 1; 0: it belongs to no line */
  const char *code;      /* the broken rule's, such as "OG205" (`offgrid lint --list`); NULL: none */
  const char *message;
} og_diagnostic_info;
/* Fills in *info for the diagnostic of that index; false past the last. */
OG_API bool og_diagnostics_get(const og_diagnostics *diagnostics, size_t index, og_diagnostic_info *info);

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

/* Bytes on the heap. The caller frees those that a function returns. A NUL follows them; `size` does not count it. */
typedef struct og_bytes {
  uint8_t *data;
  size_t size;
} og_bytes;

/* Frees the data of `bytes` and leaves it empty; does not free the struct itself. Takes NULL. */
OG_API void og_bytes_free(og_bytes *bytes);

/* ---- assembling and linking -------------------------------------------------------------------------------------- */

typedef struct og_assemble_options {
  const char *triple;              /* NULL: "amdgcn-amd-amdhsa" */
  const char *processor;           /* "gfx900"; NULL: as the source's .amdgcn_target says */
  const char *features;            /* "+xnack,-cumode" as -mattr takes them, or NULL */
  int code_object_version;         /* 2 to 6; 0: 6 */
  const char *name;                /* of the source, for diagnostics; NULL: "<memory>" */
  const char *const *include_dirs; /* NULL-terminated, or NULL */
  bool debug;                      /* write DWARF 5 line tables */
} og_assemble_options;

/* Assembles `size` bytes of source text to a relocatable object (ELF, ET_REL) in *object, which the caller frees; false
 * leaves it empty. All errors found are added, not only the first. `source` need not end in a NUL; NULL options are
 * the defaults.
 * Source of the language: "AMDGPU Usage", chapter Assembler; the GNU directives are those of LLVM's assembler. */
OG_API bool og_assemble_source(const char *source, size_t size, const og_assemble_options *options, og_bytes *object,
                        og_diagnostics *diagnostics);

/* Links relocatable objects, in their order, to a loadable code object (ELF, ET_DYN) in *code_object, which the caller
 * frees; false leaves it empty. The objects are only read. Source: "AMDGPU Usage", chapter Code Object. */
OG_API bool og_link_objects(const og_bytes *objects, size_t count, og_bytes *code_object, og_diagnostics *diagnostics);

/* Compiles LLVM IR, as text or bitcode, to a loadable code object in *code_object, which the caller frees; false leaves
 * it empty. `processor` and `features` are as -mcpu and -mattr take them; features may be NULL. docs/compiler.md says
 * what is compiled. */
OG_API bool og_compile_ir(const void *ir, size_t size, const char *processor, const char *features,
                          og_bytes *code_object, og_diagnostics *diagnostics);

/* ---- Intel's vISA ------------------------------------------------------------------------------------------------ */

/* vISA as text to its binary form, in *binary, or a binary to text, in *text; the caller frees them, and false leaves
 * them empty. The text must follow the rules of the platform: "skl", "tgllp", "dg2" or "pvc". Source: the vISA
 * specification (docs/visa.md). */
OG_API bool og_visa_assemble(const char *source, size_t size, const char *platform, og_bytes *binary,
                             og_diagnostics *diagnostics);
OG_API bool og_visa_disassemble(const void *binary, size_t size, og_bytes *text, og_diagnostics *diagnostics);

typedef enum og_visa_value_kind {
  OG_VISA_VALUE_BYTES,  /* a number or struct: `size` bytes at `data` */
  OG_VISA_VALUE_BUFFER, /* memory that the kernel reads and writes; readable up to the next multiple of 64 */
  OG_VISA_VALUE_LOCAL   /* `size` bytes of shared local memory; no data */
} og_visa_value_kind;
typedef struct og_visa_value {
  og_visa_value_kind kind;
  void *data;
  size_t size;
} og_visa_value;

/* A dispatch of a vISA kernel. It is only read. */
typedef struct og_visa_launch {
  const char *kernel;     /* its name; NULL: the first */
  const char *platform;   /* "skl", "tgllp", "dg2", "pvc" */
  uint32_t grid[3];       /* in work-items; [0] must not be 0; 0 in the others means 1 */
  uint32_t group[3];      /* in work-items, at most 1024 in all; 0: 1 */
  uint64_t offset[3];     /* OpenCL's global offset */
  const og_visa_value *values; /* the explicit arguments, in the source's order */
  size_t value_count;
  const void *zebin;      /* a zebin or the text of its .ze_info, which say where arguments go; NULL: inferred */
  size_t zebin_size;
  unsigned threads;       /* host threads; 0 and 1: one */
  double timeout;         /* seconds; 0: none */
  bool check;             /* what the specification leaves undefined is an error */
  const int *stop;        /* another thread or a signal handler ends the run by setting it to 1; NULL: nobody */
} og_visa_launch;

/* Runs a kernel of a vISA file, text or binary, and waits for its end; false with one diagnostic where it faulted. What
 * it printed comes in *printed, if that is not NULL, which the caller frees. */
OG_API bool og_visa_launch_kernel(const void *visa, size_t size, const og_visa_launch *launch, og_bytes *printed,
                                  og_diagnostics *diagnostics);

/* ---- XeGPU ------------------------------------------------------------------------------------------------------- */

/* An MLIR module whose kernels use the XeGPU dialect (docs/xegpu.md), read and checked. */
typedef struct og_xegpu og_xegpu;

/* Reads MLIR and checks it; the spelling is recognised from the text. NULL with all errors found. The text is
 * copied; `name` is for diagnostics, NULL: "<memory>". Source: the XeGPU RFC, and what mlir-opt takes. */
OG_API og_xegpu *og_xegpu_open(const char *text, size_t size, const char *name, og_diagnostics *diagnostics);
OG_API void og_xegpu_free(og_xegpu *module);
/* The spelling that the module was read in: "rfc", "first", "19" or "22". */
OG_API const char *og_xegpu_spelling(const og_xegpu *module);

/* The module as text in *text, which the caller frees: in a spelling ("rfc", "first", "19", "22"; NULL: its own), and
 * with every operation in MLIR's generic form if `generic`. False if the spelling cannot express something. */
OG_API bool og_xegpu_print(const og_xegpu *module, const char *spelling, bool generic, og_bytes *text,
                           og_diagnostics *diagnostics);

/* A run of a module. It is only read. */
typedef struct og_xegpu_launch {
  const char *function; /* with a grid: the kernel, NULL: the only one. Without: a host function that takes nothing and
                         * launches kernels, NULL: main, or the only one */
  uint32_t grid[3];     /* in threads, whole work-groups; [0] 0: a host function is run; the others' 0 is 1 */
  uint32_t group[3];    /* in threads; 0: 1 */
  const og_visa_value *values; /* the kernel's arguments: a buffer for a memref, followed by each dynamic size as
                                * 8 bytes; the bytes of a scalar */
  size_t value_count;
  double timeout;       /* seconds; 0: none */
  uint64_t memory_most; /* bytes that the module may allocate; 0: 4 GiB */
  bool check;           /* races, and memory that nothing wrote, are errors, as in `offgrid check` */
  const int *stop;      /* another thread or a signal handler ends the run by setting it to 1; NULL: nobody */
} og_xegpu_launch;

/* Runs it on the CPU, and waits for its end; false with an error at the operation that faulted or that a check found
 * wrong, and a note that names the thread. What it printed comes in *printed, if that is not NULL, which the caller
 * frees. */
OG_API bool og_xegpu_run(const og_xegpu *module, const og_xegpu_launch *launch, og_bytes *printed,
                         og_diagnostics *diagnostics);

/* Lowers a kernel, or all with NULL, to what og_visa_launch_kernel and og_device_run take with the same arguments: text
 * of vISA for "pvc", a loadable code object for "gfx90a", "gfx942" and "gfx1100", in *lowered, which the caller
 * frees. */
OG_API bool og_xegpu_lower(const og_xegpu *module, const char *kernel, const char *processor, og_bytes *lowered,
                           og_diagnostics *diagnostics);

/* ---- decoding instructions --------------------------------------------------------------------------------------- */

typedef struct og_disassembler og_disassembler;

/* For a processor or a target id ("gfx900", "gfx90a:sramecc+:xnack-"); features as -mattr takes them, or NULL; with
 * features the processor stands alone. NULL where there is no such processor, or no instruction tables for it. */
OG_API og_disassembler *og_disassembler_new(const char *target, const char *features, og_diagnostics *diagnostics);
OG_API void og_disassembler_free(og_disassembler *disassembler);

/* Decodes the instruction that `code` begins with, and prints it as LLVM's assembler reads it, without a newline.
 * `pc` is its address in bytes, for branch targets. Writes at most `text_size` bytes to `text`, the NUL included; a
 * longer text is cut off; with 0 `text` may be NULL. Yields the instruction's size in bytes (a multiple of 4), or 0
 * and an empty text where no instruction of the processor begins so. Source: AMD's ISA manuals; the text is LLVM's.
 * Allocates nothing but on its first calls. */
OG_API size_t og_disassemble(og_disassembler *disassembler, const void *code, size_t size, uint64_t pc, char *text,
                             size_t text_size);

/* The kind of a part of an instruction's text. */
typedef enum og_token_kind {
  OG_TOKEN_MNEMONIC,
  OG_TOKEN_REGISTER, /* file, first, count */
  OG_TOKEN_SPECIAL,  /* a register with a name, count words of it: vcc, exec, m0 */
  OG_TOKEN_CONSTANT, /* inline or literal: value has its bits */
  OG_TOKEN_IMMEDIATE, /* a number or an expression for one, such as hwreg(): value */
  OG_TOKEN_TARGET,   /* of a branch: value is the address */
  OG_TOKEN_MODIFIER, /* value is the field's */
  OG_TOKEN_DATA,     /* bits that are no instruction: value */
  OG_TOKEN_IMPLICIT  /* registers that the instruction uses but does not name: exec, vcc, scc, m0, mode, flat_scratch */
} og_token_kind;

typedef struct og_token {
  og_token_kind kind;
  uint32_t offset, length; /* of its text in the instruction's; signs and |..| belong to it. The name of an implicit
                            * register follows the instruction's NUL */
  char file;               /* 'v', 'a', 's' or 't' (trap temporaries); 0 for other tokens */
  bool read, written;      /* registers; both if the old value matters, too */
  uint32_t first, count;   /* registers */
  int64_t value;
} og_token;

/* An instruction in pieces, for editors and viewers. What it points to lives until the next call. */
typedef struct og_instruction {
  size_t info_size;
  uint64_t address;
  size_t size;      /* in bytes */
  const char *text; /* what is no instruction is printed as ".long 0x..." or ".byte 0x..." */
  const og_token *tokens;
  size_t token_count;
} og_instruction;

/* Reads the instruction at *offset (in bytes) of `code`, which stands at `address`, and moves *offset after it. False
 * at the end. Bytes that are no instruction come word by word, so that nothing is skipped.
 *   for (size_t at = 0; og_disassemble_next(disassembler, code, size, address, &at, &instruction);) ... */
OG_API bool og_disassemble_next(og_disassembler *disassembler, const void *code, size_t size, uint64_t address,
                                size_t *offset, og_instruction *instruction);

/* ---- code objects ------------------------------------------------------------------------------------------------ */

typedef struct og_module og_module;

/* A kernel as its descriptor and metadata describe it. Sizes in bytes. */
typedef struct og_kernel_info {
  size_t info_size;
  const char *name;
  uint32_t vgprs, agprs, sgprs; /* allocated, granules included */
  uint32_t lds_size;            /* static; dynamic LDS comes on top of it */
  uint32_t scratch_size;        /* per work-item */
  uint32_t kernarg_size, kernarg_align;
  uint32_t wave_size;           /* 32 or 64 */
  uint32_t argument_count;      /* explicit ones; 0 too where there is no metadata */
} og_kernel_info;

/* Opens a code object (ELF), relocatable or loadable. The bytes are copied; `name` is for diagnostics, NULL:
 * "<memory>". Source: "AMDGPU Usage", chapters Code Object, Kernel Descriptor and Code Object Metadata. */
OG_API og_module *og_module_open(const void *data, size_t size, const char *name, og_diagnostics *diagnostics);
OG_API void og_module_free(og_module *module);
/* The target id according to the module's e_flags: "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-". Lives as long as the
 * module. */
OG_API const char *og_module_target(const og_module *module);

/* The whole module as assembly that assembles to the same bytes, in *source, which the caller frees; false leaves it
 * empty. */
OG_API bool og_module_source(const og_module *module, og_bytes *source, og_diagnostics *diagnostics);

/* A section with code. */
typedef struct og_code_section {
  size_t info_size;
  const char *name;
  const void *code;
  size_t size;
  uint64_t address; /* before loading */
} og_code_section;
/* The section with code of that index, in the file's order; false past the last. Its name and code live
 * as long as the module. */
OG_API bool og_module_code(const og_module *module, size_t index, og_code_section *section);

/* The number of kernels, and a description of the kernel of that index; false past the last. The name lives as long as
 * the module. */
OG_API size_t og_module_kernel_count(const og_module *module);
OG_API bool og_module_kernel(const og_module *module, size_t index, og_kernel_info *info);

typedef enum og_argument_form {
  OG_ARGUMENT_BY_VALUE,   /* `size` bytes */
  OG_ARGUMENT_GLOBAL,     /* a buffer's address, 8 bytes */
  OG_ARGUMENT_DYNAMIC_LDS, /* an offset in LDS: room for it comes on top of the kernel's own */
  OG_ARGUMENT_OTHER       /* image, sampler, pipe, queue */
} og_argument_form;

/* An explicit argument as the metadata describes it. Names are empty if the metadata does not give them. */
typedef struct og_argument_info {
  size_t info_size;
  const char *name, *type_name; /* "out", "float*": as in the source */
  og_argument_form form;
  uint32_t offset, size; /* in the kernarg segment, bytes */
} og_argument_info;
/* One of a kernel's explicit arguments, in order; false past the last. The names live as long as the module. Source:
 * "AMDGPU Usage", chapter Code Object Metadata, `.args`. */
OG_API bool og_module_argument(const og_module *module, size_t kernel, size_t index, og_argument_info *info);

/* Adds what would fail on hardware, each finding as an error or a warning with a code such as [OG205], followed by a
 * note with the advice. Returns the number of findings. */
OG_API size_t og_module_lint(const og_module *module, og_diagnostics *diagnostics);

/* ---- bundles and host programs ----------------------------------------------------------------------------------- */

/* Code objects in an offload bundle, plain or compressed, or in a host program or library that carries some (HIP,
 * OpenMP of clang and GCC). */
typedef struct og_offload og_offload;
typedef struct og_offload_entry {
  size_t info_size;
  const char *id; /* "hipv4-amdgcn-amd-amdhsa--gfx900"; host code has entries, too */
  const void *data;
  size_t size;
} og_offload_entry;
/* The bytes are copied; `name` is for diagnostics, NULL: "<memory>". Source: "AMDGPU Usage" and "Clang Offload
 * Bundler". */
OG_API og_offload *og_offload_open(const void *data, size_t size, const char *name, og_diagnostics *diagnostics);
OG_API void og_offload_free(og_offload *offload);
/* Fills in *entry for the entry of that index; false past the last. Its id and data live as long as `offload`. */
OG_API bool og_offload_get(const og_offload *offload, size_t index, og_offload_entry *entry);

/* ---- running ----------------------------------------------------------------------------------------------------- */

typedef struct og_device og_device;
struct og_watcher;

/* A device of the code object's processor with the code object loaded and one AQL queue. The module may be freed before
 * the device. NULL where the code object is not loadable, or the host has no memory or threads left. */
OG_API og_device *og_device_new(const og_module *module, og_diagnostics *diagnostics);
/* Ends the device's running dispatches and frees all its memory, and the device. Takes NULL. */
OG_API void og_device_free(og_device *device);

/* Global memory: zeroed, aligned to 4096 bytes, at the same address for the program and the kernels. NULL if the host
 * does not have so much memory, and for 0 bytes. Kernels may touch only memory that was allocated or mapped here;
 * anything else is a fault. */
OG_API void *og_device_allocate(og_device *device, size_t size);
/* Frees one allocation, before the device is freed. Takes NULL. */
OG_API void og_device_release(og_device *device, void *memory);
/* Lets kernels read and write `size` bytes of the caller's own memory, which stays the caller's and must outlive its
 * use; exact to the byte, as for allocations. False if it overlaps memory that kernels already reach, or for 0
 * bytes. */
OG_API bool og_device_map(og_device *device, void *memory, size_t size);
/* Undoes og_device_map; false for memory that was not mapped. */
OG_API bool og_device_unmap(og_device *device, void *memory);

/* A dispatch: which kernel, how many work-items, with what. It is only read. */
typedef struct og_launch {
  const char *kernel;     /* its name */
  uint32_t grid[3];       /* in work-items; need not be a multiple of the group; [0] must not be 0; 0 elsewhere is 1 */
  uint16_t group[3];      /* in work-items; at most 1024 in all; 0: 1 */
  uint64_t offset[3];     /* OpenCL's global offset */
  uint32_t dynamic_lds;   /* bytes on top of the kernel's own */
  const void *arguments;  /* the explicit arguments as the kernarg segment lays them out */
  size_t arguments_size;  /* bytes, all explicit arguments; hidden ones are filled in from the metadata */
  unsigned threads;       /* host threads; 0 and 1: one, and the order of execution is always the same */
  double timeout;         /* seconds; 0: none */
  const struct og_watcher *watcher; /* called during the run (below); NULL: none */
} og_launch;

/* What a dispatch did. Instructions are counted per wave, not per lane. */
typedef struct og_statistics {
  size_t info_size;
  double seconds; /* from when the packet was taken up to its end */
  uint64_t waves, wave_instructions;
  uint64_t salu, valu, smem, vmem, lds, flat, branch, other; /* wave instructions by class; 0 unless asked for */
} og_statistics;

/* Writes an AQL packet, rings the doorbell and waits until the queue is idle: packets that the kernel enqueues there
 * are run too. False where the kernel faulted, with one diagnostic that names kernel, pc, instruction and address;
 * memory is then as the kernel left it. `statistics` may be NULL; with it, instructions are counted. Source: chapter
 * Kernel Dispatch. */
OG_API bool og_device_run(og_device *device, const og_launch *launch, og_statistics *statistics,
                           og_diagnostics *diagnostics);
/* Memory that is allocated from now on is placed between red zones, and addresses of released memory are not reused:
 * stray accesses are found, by og_device_run too. */
OG_API void og_device_guard(og_device *device);
/* Dispatches from now on run in clusters of x * y * z work-groups, on gfx1250 and gfx1251; x 0: as the kernel's
 * metadata says. A size that the grid, the kernel or the processor does not take is a fault of the dispatch. */
OG_API void og_device_cluster(og_device *device, uint32_t x, uint32_t y, uint32_t z);
/* s_trap and enabled exceptions of dispatches from now on lead to a function of another module for the same processor,
 * which finds `memory` in TMA; the module may be freed before the device. False with a diagnostic: the handler stays as
 * it was. If `module` is NULL, no handler is set, as on a new device. Source: the processors' ISA manuals, chapters on
 * traps. */
OG_API bool og_device_trap_handler(og_device *device, const og_module *module, const char *symbol, void *memory,
                                   og_diagnostics *diagnostics);
/* As og_device_run, with checkers watching (docs/checkers.md): `checkers` names them, "waits,races"; NULL: all. What
 * they find is added as errors, each once, and to *json, if that is not NULL, in the form of docs/check.schema.json;
 * the caller frees it. Returns the number of findings; a fault that no checker covers is an additional error.
 * launch->watcher is not called. */
OG_API size_t og_device_check(og_device *device, const og_launch *launch, const char *checkers, og_bytes *json,
                              og_diagnostics *diagnostics);
/* As og_device_run, with the work of each instruction counted: source and code with executions, lanes, bytes and bank
 * conflicts in *text, which the caller frees, or all of it as an HTML page (docs/debugger.md). If the kernel faulted,
 * its work up to the fault is counted, too. launch->watcher is not called. */
OG_API bool og_device_profile(og_device *device, const og_launch *launch, bool page, og_bytes *text,
                              og_diagnostics *diagnostics);
/* Ends a dispatch that runs, from another thread or a signal handler: og_device_run then reports that. Does nothing if
 * no dispatch runs. */
OG_API void og_device_stop(og_device *device);

/* ---- dispatches that nobody waits for ---------------------------------------------------------------------------- */

/* A dispatch that runs in a thread of the library; used like a completion signal. */
typedef struct og_ticket og_ticket;
/* Starts a dispatch and returns. The launch and its arguments are copied; what arguments point to, a watcher and
 * `diagnostics` stay in use until og_ticket_end. Dispatches of one device run one after another in the order in which
 * they were started. NULL where the host has no thread left. */
OG_API og_ticket *og_device_start(og_device *device, const og_launch *launch, og_diagnostics *diagnostics);
/* Waits at most `seconds`, and returns whether the dispatch has ended; with 0 it does not wait. May be called from any
 * thread. */
OG_API bool og_ticket_wait(og_ticket *ticket, double seconds);
/* Waits for the dispatch's end, frees the ticket, and returns what og_device_run would have; `statistics` may be NULL.
 * Every ticket must be ended in this way before its device is freed. */
OG_API bool og_ticket_end(og_ticket *ticket, og_statistics *statistics);

/* ---- looking on -------------------------------------------------------------------------------------------------- */

/* A wave that is stopped while a watcher's function is called. The pointer is valid only during that call. */
typedef struct og_view og_view;

typedef enum og_watch_answer {
  OG_WATCH_GO_ON,
  OG_WATCH_SKIP, /* the instruction is not executed; for an access: a load returns 0, a store or atomic is dropped */
  OG_WATCH_STOP  /* the dispatch ends before the wave's next instruction */
} og_watch_answer;

typedef enum og_access_space { OG_ACCESS_GLOBAL, OG_ACCESS_LDS, OG_ACCESS_SCRATCH, OG_ACCESS_SCALAR } og_access_space;
/* An access of one lane to memory; accesses to scalar memory are lane 0's. */
typedef struct og_watched_access {
  og_access_space space;
  bool reads, writes; /* both: an atomic */
  unsigned lane;
  uint64_t address; /* for LDS and scratch: an offset */
  unsigned size;    /* bytes */
} og_watched_access;

/* Functions that a dispatch calls with `context`; each may be NULL. With several host threads they are called by all of
 * them; a wave's calls come from one thread. Accesses go lane by lane while a function for them is set. */
typedef struct og_watcher {
  size_t watcher_size; /* sizeof(og_watcher): a newer library calls no function past that size */
  void *context;
  void (*wave_begin)(void *context, og_view *view);                 /* before the first instruction */
  og_watch_answer (*instruction)(void *context, og_view *view);     /* before each */
  og_watch_answer (*access)(void *context, og_view *view, const og_watched_access *access); /* nothing has moved yet */
  void (*barrier)(void *context, const uint32_t group[3]);          /* all waves of the group have reached one */
  void (*wave_end)(void *context, og_view *view);
} og_watcher;

/* Which wave it is: the work-group's number in each dimension, and the wave's number in it. */
OG_API void og_view_place(const og_view *view, uint32_t group[3], uint32_t *wave);
/* The number of lanes of the wave, 32 or 64; and its execution mask, one bit for each lane. */
OG_API unsigned og_view_lanes(const og_view *view);
OG_API uint64_t og_view_exec(const og_view *view);
/* The address of the next instruction in the file (og_code_section), and its text: at most `text_size` bytes with
 * the NUL; returns the instruction's size in bytes. */
OG_API uint64_t og_view_pc(const og_view *view);
OG_API size_t og_view_text(const og_view *view, char *text, size_t text_size);
/* A register by its name in assembly: "s4", "v0", "a3", "vcc", "exec", "m0", "scc", "mode"; pairs such as vcc have 64
 * bits. `lane` matters for vector registers. False where there is no such register or lane. */
OG_API bool og_view_register(const og_view *view, const char *name, unsigned lane, uint64_t *value);
OG_API bool og_view_set_register(og_view *view, const char *name, unsigned lane, uint64_t value);
/* Reads or writes memory as a lane sees it. False if the lane cannot reach it; then nothing is read or written. */
OG_API bool og_view_read(const og_view *view, og_access_space space, unsigned lane, uint64_t address, void *bytes,
                         size_t size);
OG_API bool og_view_write(og_view *view, og_access_space space, unsigned lane, uint64_t address, const void *bytes,
                          size_t size);

#ifdef __cplusplus
}
#endif

#endif
