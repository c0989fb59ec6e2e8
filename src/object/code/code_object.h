/* code_object.h - code objects: kernels and what a loader needs; the bundles that carry them. */
#ifndef OG_CODE_OBJECT_H
#define OG_CODE_OBJECT_H

#include "object/elf/elf.h"
#include "object/metadata/metadata.h"
#include "target/initial_state.h"

struct og_kernel_arg {
  const char *name;       /* or "" */
  const char *type_name;  /* or "" */
  const char *value_kind; /* V3 spelling: "by_value", "global_buffer", "hidden_global_offset_x" ... */
  const char *address_space; /* or "" */
  const char *access;        /* or "" */
  uint32_t offset, size, pointee_align;
};
/* Whether the runtime fills it in, and not the caller. */
static inline bool og_kernel_arg_hidden(const struct og_kernel_arg *arg) {
  return __builtin_strncmp(arg->value_kind, "hidden_", 7) == 0;
}

struct og_kernel {
  const char *name;   /* as users call it */
  const char *symbol; /* "name.kd", or the kernel's own symbol in V2 */
  uint64_t object;    /* address, before loading, of descriptor or amd_kernel_code_t: what an AQL packet names */
  uint64_t entry;     /* address of the first instruction */
  uint64_t code_size; /* of the function symbol; 0 unknown */
  bool is_kernel_code; /* V2: amd_kernel_code_t stands at `object` */
  uint8_t descriptor[OG_DESCRIPTOR_SIZE]; /* V2: converted */
  struct og_initial_state start;          /* what it says */
  const struct og_node *metadata; /* its map, or NULL */
  uint32_t kernarg_size, kernarg_align;
  uint32_t group_size, private_size; /* fixed, bytes */
  uint32_t wavefront_size;
  uint32_t max_flat_workgroup_size;   /* 0 unknown */
  uint32_t reqd_workgroup_size[3];    /* 0 if not required */
  uint32_t cluster_dims[3];           /* work-groups of a cluster; 0 if there are none */
  uint32_t sgpr_count, vgpr_count, agpr_count; /* of the metadata; 0 unknown */
  bool uses_dynamic_stack;
  const struct og_kernel_arg *args;
  uint32_t arg_count;
};

struct og_code_object {
  struct og_object *elf;
  struct og_target target;
  int version; /* 2..6 */
  uint64_t load_size; /* bytes from address 0 to the end of the last PT_LOAD, and of the loader's GOT */
  uint64_t load_align;
  uint64_t got;       /* behind the segments: a slot of 8 bytes for each dynamic relocation that asks for one */
  uint32_t got_slots;
  const struct og_node *metadata; /* root, or NULL */
  const struct og_kernel *kernels;
  uint32_t kernel_count;
};

/* Opens ET_DYN (loadable) or ET_REL (for inspection only: addresses are offsets then). NULL with a diagnostic. */
struct og_code_object *og_code_object_open(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                                           struct og_diagnostics *diagnostics);
const struct og_kernel *og_code_object_kernel(const struct og_code_object *code,
                                              struct og_text name); /* with or without ".kd" */

/* Checks segments and dynamic relocations, and copies the segments to `memory` (load_size bytes, zeroed, aligned to
 * load_align). */
bool og_code_object_place(const struct og_code_object *code, void *memory, struct og_diagnostics *diagnostics);
/* What a symbol that the code object leaves open resolves to; false if unknown. */
typedef bool (*og_resolve_symbol)(void *context, const struct og_symbol *symbol, uint64_t *address);
/* Applies the dynamic relocations to what was placed in `memory`, as if it stood at `address`. */
bool og_code_object_relocate(const struct og_code_object *code, void *memory, uint64_t address,
                             og_resolve_symbol resolve, void *context, struct og_diagnostics *diagnostics);

/* ---- offload bundles --------------------------------------------------------------------------------------------- */

struct og_bundle_entry {
  const char *id; /* "hipv4-amdgcn-amd-amdhsa--gfx900", "host-x86_64-unknown-linux-gnu" ... */
  const uint8_t *data;
  size_t size;
};
struct og_bundle {
  OG_VECTOR(struct og_bundle_entry) entries;
};

/* A bundle, several one after the other, or a host ELF that carries them in .hip_fatbin (or GCC's
 * and LLVM's offload sections). */
bool og_bundle_read(struct og_arena *arena, const char *name, const void *bytes, size_t size, struct og_bundle *bundle,
                    struct og_diagnostics *diagnostics);

/* Whether it is an AMDGPU ELF file. */
bool og_is_code_object(const void *bytes, size_t size);
/* Whether the file is no code object itself, but of a kind that carries some. */
bool og_carries_code(const void *bytes, size_t size);
/* The code objects, linked or not, that such a file carries for one target, their ids being "file(id)": the one that
 * `which` names, by processor or as the end of its id ("gfx906:xnack+"); NULL where there are no others. */
bool og_carried_code(struct og_arena *arena, const char *name, const void *bytes, size_t size, const char *which,
                     struct og_bundle *chosen, struct og_diagnostics *diagnostics);

struct og_code_objects {
  OG_VECTOR(struct og_code_object *) items;
};
/* A code object, or each one that a bundle or host file carries, named "file(id)". False
 * where one could not be opened. */
bool og_open_code_objects(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                          struct og_code_objects *objects, struct og_diagnostics *diagnostics);

#endif
