/* object.h - the code object: kernels' code, descriptors, metadata. */
#ifndef OG_CC_OBJECT_H
#define OG_CC_OBJECT_H

#include "cc/machine.h"
#include "object/elf/elf.h"
#include "object/metadata/metadata.h"

/* A place in the code of a function where a variable is what an expression of DWARF says. */
struct cc_debug_range {
  uint32_t from, to;
  const char *expression;
  uint32_t size;
};

struct cc_debug_variable {
  uint64_t node, location; /* 1 + their metadata: the variable, and whence it is seen */
  uint32_t at;             /* in the frame, bytes of a lane */
  bool in_registers;       /* it is not there, but where these say: by rising addresses */
  const struct cc_debug_range *ranges;
  uint32_t range_count, range_capacity;
};

struct cc_debug_static {
  uint64_t node;       /* 1 + the metadata of an LDS variable; 0: there are none, */
  struct og_text name; /* but what the IR calls it */
  uint32_t at, size;   /* in the work-group's LDS */
  bool put;            /* it has an entry */
};

struct cc_debug_home {
  uint32_t at, size;
};

struct cc_debug_stretch { /* of the code */
  uint64_t from, to;
};

struct cc_debug_scope {
  uint64_t node, call; /* 1 + their metadata: a function with the place of the call that it stands for; a block, and
                          0 */
  uint32_t parent, first, last, next; /* scopes: the one around it, its children, the next of its parent's */
  OG_VECTOR(struct cc_debug_stretch) stretches;
  OG_VECTOR(uint32_t) variables; /* of the function's */
};

struct cc_debug_scopes {
  OG_VECTOR(struct cc_debug_scope) list; /* [0] is the function itself */
  uint32_t *of;                          /* by metadata: 1 + the scope of a place, while they are found; */
  OG_VECTOR(uint32_t) known;             /* of which places */
};

struct cc_debug_function {
  uint64_t function; /* 1 + its node in the metadata */
  uint64_t at, size; /* in the code */
  const struct cc_line *lines;
  uint32_t count;
  const struct cc_debug_variable *variables; /* that stand in private memory */
  uint32_t variable_count;
  struct cc_debug_static *statics; /* LDS variables that it uses; of a kernel all that it has */
  uint32_t static_count;
  struct cc_debug_home *homes; /* of a kernel, all that its part of private memory has; the last is the compiler's
                                  own */
  uint32_t home_count;
  struct cc_debug_scopes scopes;
  uint8_t frame;    /* the scalar register that says where its frame is, 0: none, */
  uint8_t scale;    /* log2 of the bytes that s32 counts for each of a lane */
};

struct cc_object {
  struct og_arena *arena;
  const struct og_target *target;
  struct og_object *elf;
  struct og_node *kernels;
  struct og_buffer text, rodata, data, notes;
  struct og_buffer config; /* of .AMDGPU.config, systems.c */
  uint32_t pal_rsrc[2];    /* of PAL's pipeline */
  /* the last two: 0 until there is something in them */
  uint32_t text_section, rodata_section, data_section, bss_section;
  uint32_t *symbols;               /* by global; 0: none yet */
  OG_VECTOR(struct og_node) nodes; /* one for each kernel */
  OG_VECTOR(struct cc_debug_function) debugged; /* those of which the IR tells lines */
  int version;
};

void cc_object_begin(struct cc_object *o, struct og_arena *arena, const struct og_target *target, int version);
/* Code and descriptor of a kernel that is compiled. */
bool cc_object_add(struct cc_object *o, struct cc_function *c, const struct og_buffer *code);
/* Linked, unless it is to stay relocatable. */
bool cc_object_end(struct cc_object *o, const struct og_ir_module *m, bool relocatable, struct og_buffer *out,
                   struct og_diagnostics *diagnostics);
void cc_object_free(struct cc_object *o);
/* globals.c: the symbol of a variable, whose bytes are written when it is first asked for; 0 with an error. */
uint32_t cc_function_symbol(struct cc_object *o, const struct og_ir_module *m, uint32_t number);
uint32_t cc_global_symbol(struct cc_object *o, const struct og_ir_module *m, uint32_t global,
                          struct og_diagnostics *diagnostics);
bool cc_is_exported(const struct og_ir_module *m, const struct og_ir_global *g);
/* debug.c: a function's lines, before its metadata may go; the sections of all. */
void cc_debug_add(struct cc_object *o, struct cc_function *c, uint64_t at, uint64_t size);
void cc_debug_end(struct cc_object *o, const struct og_ir_module *m);
/* attributes.c: the numbers of an attribute, "1,256", and how many; whether a function has one without a value. */
unsigned cc_attribute_numbers(const struct cc_function *c, const char *key, uint32_t *numbers, unsigned most);
bool cc_is_marked(const struct cc_function *c, const char *key);
void cc_read_modes(struct cc_function *c); /* of floats */
const struct og_target *cc_target_of(struct og_arena *arena, const struct og_ir_module *m,
                                     const struct og_ir_function *f, const struct og_target *target);
/* A part of a node that is attached to the kernel; NULL: there is none. */
const struct og_ir_metadata *cc_attached(const struct cc_function *c, const char *kind, uint32_t index);
bool cc_attached_number(const struct cc_function *c, const char *kind, uint32_t index, uint64_t *number);
struct og_text cc_hinted_type(const struct cc_function *c);
/* Whether work-groups may stand in clusters, of which size; 1024 in one direction: any. */
bool cc_is_clustered(const struct cc_function *c, uint32_t dims[3]);
/* metadata.c: what the loader and the runtime want to know of the kernel. */
void cc_kernel_metadata(struct cc_object *o, const struct cc_function *c, struct og_node *kernel);

#endif
