/* value.h - values of expressions: numbers of a type, and their places. */
#ifndef OG_DEBUG_VALUE_H
#define OG_DEBUG_VALUE_H

#include <elfutils/libdw.h>

#include "debug/internal.h"

enum og_numeral {
  OG_AS_U8,
  OG_AS_I8,
  OG_AS_U16,
  OG_AS_I16,
  OG_AS_U32,
  OG_AS_I32,
  OG_AS_U64,
  OG_AS_I64,
  OG_AS_F16,
  OG_AS_BF16,
  OG_AS_F32,
  OG_AS_F64,
  OG_NUMERALS
};

struct og_value {
  enum og_numeral type;
  union {
    uint64_t u;
    int64_t i;
    double f;
  };
  bool per_lane;  /* it may be another one for another lane */
  bool has_place; /* `place` is what may be assigned and watched */
  struct og_watched place;
  bool has_shape; /* a variable of the program, of that type: `bytes` are its own */
  Dwarf_Die shape;
  uint8_t bytes[256];
  uint32_t size; /* of `bytes`, less than the type's where that is larger */
};

/* By name: "u32", "f16", "int", "float"; false: there is none. */
bool og_numeral_find(struct og_text name, enum og_numeral *type);
const char *og_numeral_name(enum og_numeral type);
unsigned og_numeral_size(enum og_numeral type);
static inline bool og_numeral_is_float(enum og_numeral type) { return type >= OG_AS_F16; }
static inline bool og_numeral_is_signed(enum og_numeral type) { return type < OG_AS_F16 && (type & 1); }
/* A number from its bytes in memory, and back. */
struct og_value og_value_load(enum og_numeral type, const void *bytes);
void og_value_store(const struct og_value *value, enum og_numeral type, uint8_t bytes[8]);

/* How numbers are printed: 'x', 'd', 'u', 't' (bits), 'c', 'a' (address), 'f', or 0: as the type has it. */
void og_value_print(const struct og_value *value, char format, struct og_buffer *out);
/* The same with a whole variable of the program, array or struct. */
void og_value_print_whole(const struct og_value *value, char format, struct og_buffer *out);

/* ---- expressions ------------------------------------------------------------------------------------------------- */

struct og_context {
  struct og_debug *debug;
  struct og_wave *wave; /* NULL: none is there */
  unsigned lane;
};

/* What an expression comes to in a lane. `rest`: what follows it, where that is allowed; NULL: nothing may. False:
 * `why` says what is wrong with it. */
bool og_evaluate(const struct og_context *context, const char *text, const char **rest, struct og_value *value,
                 char *why, size_t why_size);

/* ---- variables of the program (variables.c) ---------------------------------------------------------------------- */

struct og_variable {
  const char *name;
  Dwarf_Die die, shape;
  bool argument, known; /* known: it has a place or a value here; else it was optimised away */
};
/* Those that can be seen where the wave stands, inner ones first; at most `most`. */
uint32_t og_variables(const struct og_context *context, struct og_variable *variables, uint32_t most);
bool og_variable_value(const struct og_context *context, const struct og_variable *variable, struct og_value *value);
/* The functions whose code the address is in, inlined ones first; names, and the lines of their calls. */
struct og_frame {
  const char *name;
  struct og_line line;
};
uint32_t og_frames(const struct og_debug *debug, uint64_t pc, struct og_frame *frames, uint32_t most);
/* Entries of debug information from the innermost scope of an address out; how many. The caller frees. */
int og_scopes_at(const struct og_debug *debug, uint64_t address, Dwarf_Die **scopes);

/* ---- types of variables (shapes.c) ------------------------------------------------------------------------------- */

enum { OG_DIES_MOST = 1 << 16 };
/* The sibling; false: it is the last one, or there were too many. */
bool og_die_next(Dwarf_Die *die, unsigned *left);
/* The type of a variable, a member or an element. */
bool og_shape_of(Dwarf_Die *die, Dwarf_Die *type);
/* The type of a shape, of its elements or what it points to. */
bool og_shape_number(Dwarf_Die *shape, enum og_numeral *type); /* false: it is no number */
bool og_shape_element(Dwarf_Die *shape, Dwarf_Die *element, bool *pointer, uint64_t *count);
bool og_shape_member(Dwarf_Die *shape, struct og_text name, Dwarf_Die *member, uint64_t *offset);
uint64_t og_shape_size(Dwarf_Die *shape);
const char *og_shape_name(const struct og_debug *debug, Dwarf_Die *shape, struct og_buffer *out);

#endif
