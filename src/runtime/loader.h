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
  unsigned users;              /* one for its owner, one for each running dispatch; under the runtime's lock */
  struct og_arena *arena;
  uint8_t *bytes;              /* the file, which `code` refers to */
  struct og_code_object *code;
  struct og_target target;
  int version;
  uint64_t start, size;        /* address 0 of the file in memory, and how many bytes follow */
  uint8_t *mapping;
  size_t mapped;
  bool whole_pages;            /* as in og_load_options */
  og_resolve_symbol resolve;   /* as og_load_options say */
  void *context;
  const struct og_kernel **by_object; /* the kernels, ordered by the addresses of their kernel objects */
  struct og_kept *kept;           /* kept.c */
  struct og_program *programs[2]; /* the code as waves of 64 and of 32 decode it; NULL: there are no such waves */
};

struct og_load_options {
  const struct og_target *agent; /* the code must be able to run there; NULL: it may run anywhere */
  og_resolve_symbol resolve;     /* finds undefined symbols; NULL: in other loaded code objects */
  void *context;                 /* for `resolve` */
  bool unrelocated;              /* the caller calls og_load_relocate() before a kernel is dispatched */
  bool whole_pages;              /* as on hardware, kernels reach the rest of a segment's last page */
  bool *unfit;                   /* becomes true if loading failed because of the agent; or NULL */
};

/* Loads an ET_DYN code object; the bytes are copied. NULL with a diagnostic. Kernels find its symbols until it is
 * unloaded. */
struct og_executable *og_load_with(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                                   const struct og_load_options *options, struct og_diagnostics *diagnostics);
struct og_executable *og_load(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                              struct og_diagnostics *diagnostics);
/* Gives relocated places their values, using the options' `resolve`. False with a diagnostic. */
bool og_load_relocate(struct og_executable *executable, struct og_diagnostics *diagnostics);
/* From now on it is not found. Its running dispatches continue, as when a process ends; the last one frees it. */
void og_unload(struct og_executable *executable);
/* The executable loaded at an address; it stays alive until it is let go. NULL: there is none. */
struct og_executable *og_executable_hold(struct og_runtime *runtime, uint64_t address);
void og_executable_let_go(struct og_executable *executable);

/* Returns the data that `make` derives from the executable for a key, such as a kernel: made once, in an arena that is
 * freed with the executable. */
typedef void *og_make_kept(struct og_arena *arena, const struct og_executable *executable, const void *key);
const void *og_executable_keep(const struct og_executable *executable, og_make_kept *make, const void *key);
struct og_kept *og_kept_new(void); /* For the loader alone, and the next one too. */
void og_kept_free(struct og_kept *kept);

/* NULL: there is no kernel of that name, with or without ".kd". */
const struct og_kernel *og_executable_kernel(const struct og_executable *executable, struct og_text name);
/* The kernel whose descriptor is at the address; NULL: none. Other bytes of a code object are no kernel, whatever they
 * look like. */
const struct og_kernel *og_executable_kernel_at(const struct og_executable *executable, uint64_t kernel_object);
/* The code as waves of this size decode it; NULL: the processor has no such waves. */
static inline struct og_program *og_executable_program(const struct og_executable *executable, unsigned wave_size) {
  return executable->programs[wave_size == 32];
}
/* The kernel's address as a dispatch packet names it. */
uint64_t og_kernel_object(const struct og_executable *executable, const struct og_kernel *kernel);
/* The address of a variable or function; false: there is none. */
bool og_executable_symbol(const struct og_executable *executable, struct og_text name, uint64_t *address,
                          uint64_t *size);
/* The loaded code object that holds an address; NULL: none does. Another thread may unload it meanwhile
 * (og_unload()). */
struct og_executable *og_loaded_at(struct og_runtime *runtime, uint64_t address);
/* Writes where an address in loaded code is: kernel or function and offset ("k+0x40"). */
void og_executable_locate(const struct og_executable *executable, uint64_t address, struct og_buffer *out);

#endif
