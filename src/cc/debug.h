/* debug.h - shared by debug*.c: a unit of DWARF that is being written. */
#ifndef OG_CC_DEBUG_H
#define OG_CC_DEBUG_H

#include "cc/object.h"
#include "object/debug/dwarf.h"
#include "object/debug/writer.h"

/* Kinds of entries (debug_types.c). */
enum {
  CC_DEBUG_UNIT = 1, CC_DEBUG_FUNCTION, CC_DEBUG_ABSTRACT, CC_DEBUG_INLINE, CC_DEBUG_INLINE_PARTS, CC_DEBUG_BLOCK,
  CC_DEBUG_BLOCK_PARTS, CC_DEBUG_PARAMETER, CC_DEBUG_PARAMETER_MOVES, CC_DEBUG_PARAMETER_GONE, CC_DEBUG_VARIABLE,
  CC_DEBUG_VARIABLE_MOVES, CC_DEBUG_VARIABLE_GONE,
  CC_DEBUG_LDS, CC_DEBUG_NAMELESS_LDS, CC_DEBUG_HOME,
  CC_DEBUG_BASE, CC_DEBUG_POINTER, CC_DEBUG_POINTER_TO_VOID, CC_DEBUG_REFERENCE, CC_DEBUG_CONST, CC_DEBUG_CONST_VOID,
  CC_DEBUG_VOLATILE, CC_DEBUG_VOLATILE_VOID, CC_DEBUG_TYPEDEF, CC_DEBUG_TYPEDEF_VOID, CC_DEBUG_STRUCT, CC_DEBUG_UNION,
  CC_DEBUG_MEMBER, CC_DEBUG_BITS, CC_DEBUG_ARRAY, CC_DEBUG_VECTOR, CC_DEBUG_COUNT, CC_DEBUG_ENUMERATION,
  CC_DEBUG_ENUMERATOR,
  CC_DEBUG_SUBROUTINE, CC_DEBUG_UNSPECIFIED,
};

struct cc_debug_patch {
  size_t at;     /* 32 bits of the section */
  uint64_t type; /* the place of this entry's type in the unit */
};

/* A piece of metadata is named by 1 + its number, as in fields of others. */
struct cc_debug_unit {
  struct cc_object *o;
  const struct og_ir_module *m;
  struct og_line_table table;
  uint32_t *file_of;   /* by metadata: 1 + the file's number */
  uint32_t *abstract;  /* by metadata: where an inlined function's abstract entry stands in the unit */
  uint32_t *type_at;   /* by metadata: where a type's entry stands; UINT32_MAX: it will be written */
  bool *has_variables; /* by metadata: a block with variables of its own */
  uint32_t *scope_of;  /* by metadata, for the function whose scopes are being found: 1 + the scope of a place */
  struct cc_debug_lists {
    OG_VECTOR(uint32_t) at; /* where each list begins, behind the section's header and offset table */
    struct og_buffer bytes;
  } ranges, places; /* .debug_rnglists, .debug_loclists */
  OG_VECTOR(uint64_t) types; /* types whose entries are needed */
  OG_VECTOR(struct cc_debug_patch) patches;
  struct og_dwarf_writer info;
  uint32_t text; /* the section */
};

/* A field of a node; 0: it is not there. */
uint64_t cc_debug_field(const struct og_ir_module *m, uint64_t node, const char *name);
struct og_text cc_debug_text(const struct og_ir_module *m, uint64_t node, const char *name);
bool cc_debug_is(const struct og_ir_module *m, uint64_t node, unsigned kind);
uint32_t cc_debug_file(struct cc_debug_unit *u, uint64_t scope);

void cc_debug_put_abbreviations(struct og_buffer *out);
/* Finds a compiled function's variables in private memory; writes the entry of one. */
void cc_debug_find_variables(struct cc_object *o, const struct cc_function *c, struct cc_debug_function *f);
void cc_debug_put_variable(struct cc_debug_unit *u, const struct cc_debug_function *f,
                           const struct cc_debug_variable *v);
/* The location of a byte of a function's frame. */
void cc_debug_put_private(struct og_buffer *out, const struct cc_debug_function *f, uint32_t at);
/* All objects in a kernel's private memory, each with an unnamed entry, so that a reader knows that the bytes between
 * belong to none. */
void cc_debug_find_homes(struct cc_object *o, const struct cc_function *c, struct cc_debug_function *f);
void cc_debug_put_home(struct cc_debug_unit *u, const struct cc_debug_function *f, const struct cc_debug_home *home);
/* The LDS variables that a function uses, of a kernel all; the entry of one. */
void cc_debug_find_statics(struct cc_object *o, const struct cc_function *c, struct cc_debug_function *f);
void cc_debug_put_static(struct cc_debug_unit *u, struct cc_debug_static *v);
/* The global variables of the object. */
void cc_debug_put_globals(struct cc_debug_unit *u);
/* The metadata of this kind that is attached to a global of the IR; 0: none. */
uint64_t cc_debug_attached(const struct og_ir_module *m, const struct og_ir_global *g, unsigned kind);
/* debug_lists.c: lists of ranges of the code, and of places in ranges; the bases of both in the unit's entry, then the
 * sections. */
void cc_debug_begin_lists(struct cc_debug_unit *u);
void cc_debug_put_stretches(struct cc_debug_unit *u, const struct cc_debug_stretch *list, uint32_t count);
void cc_debug_put_places(struct cc_debug_unit *u, uint64_t base, const struct cc_debug_range *list, uint32_t count);
void cc_debug_end_lists(struct cc_debug_unit *u);
/* The types of all variables; `start` is where the unit begins. */
void cc_debug_put_types(struct cc_debug_unit *u, size_t start);

#endif
