/* code.h - shared by the files about code: readers and code objects, executables, what is loaded, symbols.
 *
 * All of it is protected by og_hsa.code_lock, which is also held while a program's callback runs: the callback may ask
 * about what it is given, and changes by other threads wait (as hsa_ven_amd_loader.h demands). Handles are addresses;
 * those of executables, readers and code objects are looked up before they are used, so that a wrong one is an
 * error. */
#ifndef OG_HSA_CODE_H
#define OG_HSA_CODE_H

#include <hsa/hsa_ven_amd_loader.h>

#include "hsa/internal.h"

/* A kernel or a variable: of a loaded code object, of a code object that is not loaded, or defined by the program. */
struct og_hsa_symbol {
  const char *name;               /* as in the file: that of a kernel ends in ".kd" */
  const struct og_kernel *kernel; /* NULL: it is a variable */
  const struct og_hsa_agent *agent; /* NULL: it is the program's */
  uint64_t address, size;         /* of a kernel: its kernel object */
  uint32_t alignment;
  bool readonly, module;          /* module: other code objects do not see it */
  bool external;                  /* the program defined it */
};

struct og_hsa_symbols {
  struct og_hsa_symbol *items;
  uint32_t count;
  struct og_map by_name; /* struct og_hsa_symbol *; kernels with and without ".kd" */
};

/* The bytes of a code object: of a reader, or of a code object of the older functions. */
struct og_hsa_file {
  struct og_hsa_file *next;
  const uint8_t *bytes;
  size_t size;
  uint8_t *owned;         /* the same, if they were read from a file or copied */
  int descriptor;         /* -1: from memory */
  size_t offset;          /* in the file */
  bool is_reader;
  struct og_arena *arena; /* of a code object: its contents, decoded */
  struct og_code_object *code;
  struct og_hsa_symbols symbols;
};

struct og_hsa_executable;

/* One code object in an executable. */
struct og_hsa_loaded {
  struct og_hsa_loaded *next;
  struct og_hsa_executable *executable;
  const struct og_hsa_agent *agent; /* NULL: for the program */
  struct og_executable *code;
  struct og_hsa_symbols symbols;
  hsa_ven_amd_loader_code_object_storage_type_t storage;
  const void *memory; /* where the bytes were when it was loaded */
  size_t size, offset;
  int descriptor;
  const char *path, *uri;
  bool undefined; /* a variable was not found in it */
};

/* A symbol that the program defined for code objects that leave it open. */
struct og_hsa_definition {
  struct og_hsa_definition *next;
  struct og_hsa_symbol symbol;
};

struct og_hsa_executable {
  struct og_hsa_executable *next;
  struct og_arena *arena;
  hsa_profile_t profile;
  hsa_default_float_rounding_mode_t rounding;
  bool frozen;
  struct og_hsa_loaded *loaded, **last_loaded; /* in the order of loading */
  struct og_hsa_definition *definitions;
};

static inline void og_hsa_code_lock(void) { pthread_mutex_lock(&og_hsa.code_lock); }
static inline hsa_status_t og_hsa_code_unlock(hsa_status_t status) {
  pthread_mutex_unlock(&og_hsa.code_lock);
  return status;
}

/* NULL: there is no such handle. */
struct og_hsa_executable *og_hsa_executable(hsa_executable_t handle);
struct og_hsa_file *og_hsa_file(uint64_t handle, bool is_reader);
/* Loads a file's code into the executable; agent NULL: for all agents. */
hsa_status_t og_hsa_load(struct og_hsa_executable *executable, const struct og_hsa_agent *agent,
                         const struct og_hsa_file *file, hsa_loaded_code_object_t *loaded);
/* NULL: the agent (NULL: the program) has no symbol of that name. */
const struct og_hsa_symbol *og_hsa_find_symbol(const struct og_hsa_executable *executable,
                                               const struct og_hsa_agent *agent, const char *name);
void og_hsa_files_close(void);

/* Reads the kernels and variables that a code object exports, loaded at `start` for `agent`. */
void og_hsa_symbols_read(struct og_arena *arena, const struct og_code_object *code, uint64_t start,
                         const struct og_hsa_agent *agent, struct og_hsa_symbols *symbols);
bool og_hsa_is_symbol(const struct og_hsa_symbols *symbols, uint64_t handle);
/* Attributes by hsa_executable_symbol_info_t; hsa_code_symbol_info_t has the same numbers. */
hsa_status_t og_hsa_symbol_info(const struct og_hsa_symbol *symbol, uint32_t attribute, void *value);

#endif
