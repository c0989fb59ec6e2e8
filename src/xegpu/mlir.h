/* mlir.h - MLIR in memory: the reader builds it, the verifier checks it, the printer writes it and the executor decodes
 * it. All of it is in one arena. docs/xegpu.md says what is read. */
#ifndef OG_XEGPU_MLIR_H
#define OG_XEGPU_MLIR_H

#include "base/base.h"

/* ---- types and attributes: interned, so equal ones have the same pointer
 * ------------------------------------------ */

enum og_mlir_kind {
  /* types */
  OG_MLIR_INTEGER, /* ints: width, enum og_mlir_sign */
  OG_MLIR_INDEX,
  OG_MLIR_NONE,
  OG_MLIR_F16,
  OG_MLIR_BF16,
  OG_MLIR_TF32,
  OG_MLIR_F32,
  OG_MLIR_F64,
  OG_MLIR_OTHER_FLOAT,     /* text: f8E4M3FN … */
  OG_MLIR_FUNCTION,        /* ints: number of inputs; parts: inputs, results */
  OG_MLIR_TUPLE,           /* parts */
  OG_MLIR_VECTOR,          /* ints: shape; parts: element; flag bits: which dimensions are scalable */
  OG_MLIR_TENSOR,          /* ints: shape; parts: element, encoding or NULL */
  OG_MLIR_MEMREF,          /* ints: shape; parts: element, layout or NULL, memory space or NULL */
  OG_MLIR_UNRANKED_MEMREF, /* parts: element, memory space or NULL */
  OG_MLIR_TENSOR_DESC,     /* ints: shape; parts: element, encoding or NULL, layout or NULL */
  OG_MLIR_MEM_DESC,        /* ints: shape; parts: element, a struct or NULL */
  OG_MLIR_NBARRIER,
  OG_MLIR_DIALECT_TYPE, /* text: "gpu.async.token", with what follows in <> */
  OG_MLIR_LAST_TYPE = OG_MLIR_DIALECT_TYPE,
  /* attributes */
  OG_MLIR_UNIT,
  OG_MLIR_INT,          /* ints: value; parts: type; bool is one of i1 */
  OG_MLIR_FLOAT,        /* ints: bits of a double; parts: type */
  OG_MLIR_STRING,       /* text; parts: type or nothing */
  OG_MLIR_SYMBOL,       /* text: root; parts: nested symbols, each of this kind */
  OG_MLIR_TYPE,         /* parts: the type */
  OG_MLIR_ARRAY,        /* parts */
  OG_MLIR_DICTIONARY,   /* parts: OG_MLIR_STRING keys and values by turns, sorted */
  OG_MLIR_DENSE_ARRAY,  /* ints; parts: element type; of floats the bits of doubles */
  OG_MLIR_DENSE,        /* dense<…>: text: bytes of the elements, or of one; parts: type */
  OG_MLIR_AFFINE_MAP,   /* text */
  OG_MLIR_STRIDED,      /* ints: offset, strides */
  OG_MLIR_ENUM,         /* text: keyword; parts: OG_MLIR_STRING, the attribute's name, as "xegpu.cache_hint" */
  OG_MLIR_STRUCT,       /* text: name, as "xegpu.layout"; parts as a dictionary's, in the order of fields */
  OG_MLIR_DIALECT_ATTR, /* text: "spirv.entry_point_abi<…>" */
};
enum og_mlir_sign { OG_MLIR_SIGNLESS, OG_MLIR_SIGNED, OG_MLIR_UNSIGNED };
#define OG_MLIR_DYNAMIC INT64_MIN /* a size that is known only when it runs */

enum { OG_MLIR_SEGMENTS_MOST = 16, OG_MLIR_RANK_MOST = 16 };

struct og_mlir_node {
  uint8_t kind;
  uint32_t flags;
  uint32_t int_count, part_count;
  struct og_text text;
  const int64_t *ints;
  const struct og_mlir_node *const *parts;
};
typedef const struct og_mlir_node *og_mlir_type;
typedef const struct og_mlir_node *og_mlir_attr;

/* ---- values, operations, blocks, regions ------------------------------------------------------------------------- */

struct og_mlir_value {
  og_mlir_type type;     /* NULL: it has been used, but is not yet defined */
  struct og_mlir_op *op; /* the operation that yields it; NULL: it is an argument of `block` */
  struct og_mlir_block *block;
  uint32_t index;      /* among the operation's results or the block's arguments */
  uint32_t slot;       /* for use by passes: a number when printing, a place when running */
  struct og_text name; /* without %; empty: it gets a number */
  uint32_t offset;     /* in the text */
};

struct og_mlir_named {
  struct og_text name;
  og_mlir_attr value;
};

struct og_mlir_successor {
  struct og_mlir_block *block;
  struct og_mlir_value **operands;
  uint32_t count;
};

struct og_mlir_op {
  const struct og_mlir_row *row;
  struct og_mlir_value **operands;
  struct og_mlir_value *results;
  struct og_mlir_named *attributes;
  struct og_mlir_region *regions;
  struct og_mlir_successor *successors;
  uint32_t operand_count, result_count, attribute_count, region_count, successor_count;
  uint32_t offset, size;                    /* of its name in the text */
  uint32_t order;                           /* place in its block, for the verifier */
  uint16_t segments[OG_MLIR_SEGMENTS_MOST]; /* how many operands each group of the row has */
  struct og_mlir_block *block;              /* the block that it is in; NULL: it is the module */
  struct og_mlir_op *next;
};

struct og_mlir_block {
  struct og_mlir_region *region;
  struct og_mlir_value **arguments;
  uint32_t argument_count, number;
  struct og_mlir_op *first, *last;
  struct og_mlir_block *next;
  struct og_text name;
  uint32_t offset;
};

struct og_mlir_region {
  struct og_mlir_op *op;
  struct og_mlir_block *first, *last;
};

/* The ways in which the dialect is written: the RFC's, the first implementation's, upstream's of MLIR 19 and of 22. */
enum og_mlir_spelling { OG_MLIR_RFC, OG_MLIR_FIRST, OG_MLIR_19, OG_MLIR_22, OG_MLIR_SPELLINGS };
extern const char *const og_mlir_spelling_names[OG_MLIR_SPELLINGS];

struct og_mlir_module {
  struct og_arena *arena;
  struct og_source source;
  struct og_mlir_interner *interner;
  const struct og_mlir_table *table;
  enum og_mlir_spelling spelling;
  struct og_mlir_op *op; /* builtin.module */
};

/* The module of a text, or NULL with diagnostics. After an error the reader goes on at the next operation, so several
 * errors are reported at once. `spelling` OG_MLIR_SPELLINGS: the one that the text uses. */
struct og_mlir_module *og_mlir_read(struct og_arena *arena, const char *name, const void *text, size_t size,
                                    enum og_mlir_spelling spelling, struct og_diagnostics *diagnostics);
/* Checks every rule of the operations and of the dialect; false with errors. */
bool og_mlir_verify(const struct og_mlir_module *module, struct og_diagnostics *diagnostics);
/* Changes a verified module to another spelling; false with errors if that cannot say something, and then the module
 * must not be used any more. The result must be verified again, which reports breaches of the new spelling's own
 * rules. */
bool og_mlir_convert(struct og_mlir_module *module, enum og_mlir_spelling to, struct og_diagnostics *diagnostics);
/* Writes it in its spelling, or every operation in the generic form. */
void og_mlir_print(const struct og_mlir_module *module, bool generic, struct og_buffer *out);
bool og_mlir_spelling_parse(struct og_text text, enum og_mlir_spelling *spelling);

/* ---- questions --------------------------------------------------------------------------------------------------- */

og_mlir_attr og_mlir_find(const struct og_mlir_op *op, const char *name); /* NULL: it has none */
og_mlir_attr og_mlir_field(og_mlir_attr of, const char *name);            /* of a struct or dictionary */
bool og_mlir_is(const struct og_mlir_op *op, const char *name);           /* the operation's name */
/* The operands in a group of the row: the first one, and how many there are. */
struct og_mlir_value **og_mlir_group(const struct og_mlir_op *op, const char *name, uint32_t *count);
struct og_mlir_value *og_mlir_operand(const struct og_mlir_op *op, const char *name); /* of a group of one, or NULL */

static inline bool og_mlir_is_shaped(og_mlir_type t) {
  return t->kind == OG_MLIR_VECTOR || t->kind == OG_MLIR_TENSOR || t->kind == OG_MLIR_MEMREF ||
         t->kind == OG_MLIR_TENSOR_DESC || t->kind == OG_MLIR_MEM_DESC;
}
static inline og_mlir_type og_mlir_element(og_mlir_type t) { /* or itself */
  return og_mlir_is_shaped(t) || t->kind == OG_MLIR_UNRANKED_MEMREF ? t->parts[0] : t;
}
static inline bool og_mlir_is_float(og_mlir_type t) { return t->kind >= OG_MLIR_F16 && t->kind <= OG_MLIR_OTHER_FLOAT; }
static inline bool og_mlir_is_integer(og_mlir_type t, int64_t width) {
  return t->kind == OG_MLIR_INTEGER && t->ints[0] == width;
}
uint32_t og_mlir_bits(og_mlir_type scalar); /* 64 for index; 0: it has none */
/* Elements of a static shape; OG_MLIR_DYNAMIC where a size is dynamic or the product too large. */
int64_t og_mlir_elements(og_mlir_type shaped);
/* Rank of a vector, else 0; the index of its element number `flat`, and the reverse. */
static inline uint32_t og_mlir_rank(og_mlir_type t) { return t->kind == OG_MLIR_VECTOR ? t->int_count : 0; }
void og_mlir_indices(og_mlir_type t, uint32_t flat, int64_t *indices);
uint32_t og_mlir_flat(og_mlir_type t, const int64_t *indices);
/* Clears the places (og_mlir_value.slot) that a lowering gave to values in the region and in those within. */
void og_mlir_forget_slots(struct og_mlir_region *region);
/* Whether a descriptor's type is of shared memory; of points and not of a tile. */
bool og_mlir_is_slm(og_mlir_type tdesc);
bool og_mlir_is_scattered(og_mlir_type tdesc);
/* Whether a dpas multiplies fragments that lanes have. */
bool og_mlir_is_of_lanes(const struct og_mlir_op *dpas);
/* Whether each thread of a kernel's launch is a subgroup: if it says so, or if that is usual in its spelling and the
 * kernel does not say how many threads are one. */
bool og_mlir_is_vc(const struct og_mlir_module *module, const struct og_mlir_op *kernel);
/* Strides and offset of a memref, identity or strided<>; false: another layout. */
bool og_mlir_strides(og_mlir_type memref, int64_t *strides, int64_t *offset);
void og_mlir_print_type(og_mlir_type type, enum og_mlir_spelling spelling, struct og_buffer *out);
void og_mlir_print_dense(og_mlir_attr attr, struct og_buffer *out); /* without its type */
void og_mlir_print_attr(og_mlir_attr attr, enum og_mlir_spelling spelling, struct og_buffer *out);

/* ---- making nodes ------------------------------------------------------------------------------------------------ */

struct og_mlir_interner *og_mlir_interner_new(struct og_arena *arena);
const struct og_mlir_node *og_mlir_intern(struct og_mlir_interner *interner, const struct og_mlir_node *like);
og_mlir_type og_mlir_simple(struct og_mlir_interner *interner, enum og_mlir_kind kind);
og_mlir_type og_mlir_integer(struct og_mlir_interner *interner, int64_t width, enum og_mlir_sign sign);
og_mlir_type og_mlir_shaped(struct og_mlir_interner *interner, enum og_mlir_kind kind, const int64_t *shape,
                            uint32_t rank, og_mlir_type element, og_mlir_attr second, og_mlir_attr third);
og_mlir_type og_mlir_function(struct og_mlir_interner *interner, const og_mlir_type *types, uint32_t inputs,
                              uint32_t results); /* inputs first */
og_mlir_attr og_mlir_int(struct og_mlir_interner *interner, int64_t value, og_mlir_type type);
og_mlir_attr og_mlir_text(struct og_mlir_interner *interner, enum og_mlir_kind kind, struct og_text text);
og_mlir_attr og_mlir_enum(struct og_mlir_interner *interner, const char *name, struct og_text keyword);
og_mlir_attr og_mlir_dense_i64(struct og_mlir_interner *interner, const int64_t *values, uint32_t count);

#endif
