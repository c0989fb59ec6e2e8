/* loader.h - code objects in memory, ready to run. */
#ifndef OG_LOADER_H
#define OG_LOADER_H

#include "exec/exec.h"
#include "object/object.h"

struct og_runtime;

/* One loaded code object. */
struct og_executable {
  struct og_executable *next;
  struct og_runtime *runtime;
  unsigned users;              /* references: its owner's and those of running dispatches; under the runtime's lock */
  struct og_arena *arena;
  uint8_t *bytes;              /* the file, which `code` refers to */
  struct og_code_object *code;
  struct og_target target;
  int version;
  uint64_t start, size;        /* where it is loaded: address 0 of the file, and how much follows */
  uint8_t *mapping;
  size_t mapped;
  bool whole_pages;            /* as og_load_options say */
  og_resolve_symbol resolve;   /* as og_load_options say */
  void *context;
  const struct og_kernel **by_object; /* the kernels, by where their objects stand */
  struct og_kept *kept;           /* kept.c */
  struct og_program *programs[2]; /* the code as waves of 64 and of 32 decode it; NULL: the processor has none */
};

struct og_load_options {
  const struct og_target *agent; /* its code must run there; NULL: anywhere */
  og_resolve_symbol resolve;     /* what the code object leaves open; NULL: what others that are loaded define */
  void *context;                 /* of resolve */
  bool unrelocated;              /* og_load_relocate() follows, before a kernel is dispatched */
  bool whole_pages;              /* as on hardware, kernels reach what follows a segment in its last page */
  bool *unfit;                   /* set where the agent is why it failed; or NULL */
};

/* Loads an ET_DYN code object; the bytes are copied. NULL with a diagnostic. Kernels find it until it is unloaded. */
struct og_executable *og_load_with(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                                   const struct og_load_options *options, struct og_diagnostics *diagnostics);
struct og_executable *og_load(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                              struct og_diagnostics *diagnostics);
/* Gives relocated places their values, with the resolve of the options. false with a diagnostic. */
bool og_load_relocate(struct og_executable *executable, struct og_diagnostics *diagnostics);
/* It can no longer be found. Its running dispatches continue, as when a process ends: the last one frees it. */
void og_unload(struct og_executable *executable);
/* The executable at an address, kept alive until it is let go; NULL: there is none. */
struct og_executable *og_executable_hold(struct og_runtime *runtime, uint64_t address);
void og_executable_let_go(struct og_executable *executable);

/* The data that `make` derives from it for a key, such as a kernel: made once, in an arena that is freed with the
 * executable. */
typedef void *og_make_kept(struct og_arena *arena, const struct og_executable *executable, const void *key);
const void *og_executable_keep(const struct og_executable *executable, og_make_kept *make, const void *key);
struct og_kept *og_kept_new(void); /* of the loader alone, as this: */
void og_kept_free(struct og_kept *kept);

/* NULL: there is none of that name, with or without ".kd". */
const struct og_kernel *og_executable_kernel(const struct og_executable *executable, struct og_text name);
/* The kernel whose descriptor stands at the address; NULL: other bytes of a code object are none, whatever they look
 * like. */
const struct og_kernel *og_executable_kernel_at(const struct og_executable *executable, uint64_t kernel_object);
/* The code as waves of this size decode it; NULL: the processor has no such waves. */
static inline struct og_program *og_executable_program(const struct og_executable *executable, unsigned wave_size) {
  return executable->programs[wave_size == 32];
}
/* What a dispatch packet names. */
uint64_t og_kernel_object(const struct og_executable *executable, const struct og_kernel *kernel);
/* The address of a variable or function; false: there is none. */
bool og_executable_symbol(const struct og_executable *executable, struct og_text name, uint64_t *address,
                          uint64_t *size);
/* The loaded code object that holds an address; NULL: none does. It may be unloaded meanwhile, as og_unload() says. */
struct og_executable *og_loaded_at(struct og_runtime *runtime, uint64_t address);
/* Says where an address in loaded code is: kernel or function and offset ("k+0x40"). */
void og_executable_locate(const struct og_executable *executable, uint64_t address, struct og_buffer *out);

#endif
