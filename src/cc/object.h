/* object.h - the code object: kernels' code, descriptors, metadata. */
#ifndef OG_CC_OBJECT_H
#define OG_CC_OBJECT_H

#include "cc/machine.h"
#include "object/elf/elf.h"
#include "object/metadata/metadata.h"

/* A range of a function's code in which a DWARF expression says where a variable is. */
struct cc_debug_range {
  uint32_t from, to;
  const char *expression;
  uint32_t size;
};

struct cc_debug_variable {
  uint64_t node, location; /* 1 + their metadata: the variable, and the place where it is declared */
  uint32_t at;             /* place in the frame, in bytes of one lane */
  bool in_registers;       /* it is not in the frame but where these ranges say, by rising addresses */
  const struct cc_debug_range *ranges;
  uint32_t range_count, range_capacity;
};

struct cc_debug_static {
  uint64_t node;       /* 1 + the metadata of an LDS variable; 0: it has none, */
  struct og_text name; /* and only this name in the IR */
  uint32_t at, size;   /* in the work-group's LDS */
  bool put;            /* its entry has been written */
};

struct cc_debug_home {
  uint32_t at, size;
};

struct cc_debug_stretch { /* of the code */
  uint64_t from, to;
};

struct cc_debug_scope {
  uint64_t node, call; /* 1 + their metadata: an inlined function and the place of the call; or a block and 0 */
  uint32_t parent, first, last, next; /* scopes: the one around it, its first and last child, its next sibling */
  OG_VECTOR(struct cc_debug_stretch) stretches;
  OG_VECTOR(uint32_t) variables; /* numbers of the function's variables */
};

struct cc_debug_scopes {
  OG_VECTOR(struct cc_debug_scope) list; /* [0] is the function itself */
  uint32_t *of;                          /* while scopes are found, by metadata: 1 + the scope of a place; */
  OG_VECTOR(uint32_t) known;             /* the places for which it is set */
};

struct cc_debug_function {
  uint64_t function; /* 1 + its node in the metadata */
  uint64_t at, size; /* in the code */
  const struct cc_line *lines;
  uint32_t count;
  const struct cc_debug_variable *variables; /* those in private memory and registers */
  uint32_t variable_count;
  struct cc_debug_static *statics; /* LDS variables that it uses; of a kernel all that there are */
  uint32_t static_count;
  struct cc_debug_home *homes; /* of a kernel: all objects in its private memory; the last is the compiler's own */
  uint32_t home_count;
  struct cc_debug_scopes scopes;
  uint8_t frame;    /* the scalar register that says where its frame is; 0: none */
  uint8_t scale;    /* log2 of what s32 counts for each byte of a lane */
};

struct cc_object {
  struct og_arena *arena;
  const struct og_target *target;
  struct og_object *elf;
  struct og_node *kernels;
  struct og_buffer text, rodata, data, notes;
  struct og_buffer config; /* systems.c: contents of .AMDGPU.config */
  uint32_t pal_rsrc[2];    /* systems.c: registers of PAL's pipeline */
  /* the last two are 0 until something is in them */
  uint32_t text_section, rodata_section, data_section, bss_section;
  uint32_t *symbols;               /* by global; 0: none yet */
  OG_VECTOR(struct og_node) nodes; /* one for each kernel */
  OG_VECTOR(struct cc_debug_function) debugged; /* those with lines in the IR */
  int version;
};

void cc_object_begin(struct cc_object *o, struct og_arena *arena, const struct og_target *target, int version);
/* Adds a compiled function's code, and a kernel's descriptor. */
bool cc_object_add(struct cc_object *o, struct cc_function *c, const struct og_buffer *code);
/* Finishes the object, and links it unless it is to stay relocatable. */
bool cc_object_end(struct cc_object *o, const struct og_ir_module *m, bool relocatable, struct og_buffer *out,
                   struct og_diagnostics *diagnostics);
void cc_object_free(struct cc_object *o);
/* The symbol of a function; globals.c: of a variable, whose bytes are written at the first call. 0 with an error. */
uint32_t cc_function_symbol(struct cc_object *o, const struct og_ir_module *m, uint32_t number);
uint32_t cc_global_symbol(struct cc_object *o, const struct og_ir_module *m, uint32_t global,
                          struct og_diagnostics *diagnostics);
bool cc_is_exported(const struct og_ir_module *m, const struct og_ir_global *g);
/* debug.c: keeps a function's lines; writes the sections for all functions. */
void cc_debug_add(struct cc_object *o, struct cc_function *c, uint64_t at, uint64_t size);
void cc_debug_end(struct cc_object *o, const struct og_ir_module *m);
/* attributes.c: the numbers in an attribute such as "1,256", and how many there are; whether a function has an
 * attribute without a value. */
unsigned cc_attribute_numbers(const struct cc_function *c, const char *key, uint32_t *numbers, unsigned most);
bool cc_is_marked(const struct cc_function *c, const char *key);
void cc_read_modes(struct cc_function *c); /* modes of floats */
const struct og_target *cc_target_of(struct og_arena *arena, const struct og_ir_module *m,
                                     const struct og_ir_function *f, const struct og_target *target);
/* A part of the metadata that is attached to the kernel; NULL: there is none. */
const struct og_ir_metadata *cc_attached(const struct cc_function *c, const char *kind, uint32_t index);
bool cc_attached_number(const struct cc_function *c, const char *kind, uint32_t index, uint64_t *number);
struct og_text cc_hinted_type(const struct cc_function *c);
/* Whether work-groups may run in clusters, and the size of these; 1024 in one direction: any size. */
bool cc_is_clustered(const struct cc_function *c, uint32_t dims[3]);
/* metadata.c: what the loader and the runtime need to know about the kernel. */
void cc_kernel_metadata(struct cc_object *o, const struct cc_function *c, struct og_node *kernel);

#endif
