/* table.h - facts about each operation: a row of ops.def, decoded. Reader, printer, verifier and executor use it. */
#ifndef OG_XEGPU_TABLE_H
#define OG_XEGPU_TABLE_H

#include "xegpu/mlir.h"

/* What a type must be: its words in errors, and the test. */
#define OG_MLIR_CONSTRAINTS(X)                                                                                         \
  X(Any, "any type")                                                                                                   \
  X(Index, "index")                                                                                                    \
  X(I1, "1-bit signless integer")                                                                                      \
  X(I8, "8-bit signless integer")                                                                                      \
  X(I32, "32-bit signless integer")                                                                                    \
  X(I64, "64-bit signless integer")                                                                                    \
  X(LaunchIndex, "index or 32-bit signless integer or 64-bit signless integer")                                        \
  X(IntLike, "signless-integer-like")                                                                                  \
  X(FixedIntLike, "signless-fixed-width-integer-like")                                                                 \
  X(FloatLike, "floating-point-like")                                                                                  \
  X(BoolLike, "bool-like")                                                                                             \
  X(IndexCastLike, "signless-integer-like or memref of signless-integer")                                              \
  X(BitcastLike, "signless-integer-or-float-like or memref of signless-integer or float")                              \
  X(IntOrFloat, "Integer or Float")                                                                                    \
  X(SignlessInt, "signless integer")                                                                                   \
  X(MemRef, "memref of any type values")                                                                               \
  X(AnyMemRef, "ranked or unranked memref of any type values")                                                         \
  X(UnrankedMemRef, "unranked.memref of any type values")                                                              \
  X(Vector, "vector of any type values")                                                                               \
  X(VectorOrScalar, "vector of any type values or scalar")                                                             \
  X(MaskVector, "vector of 1-bit signless integer values")                                                             \
  X(AsyncToken, "async token type")                                                                                    \
  X(TensorDesc, "TensorDesc describing regions of interested data.")                                                   \
  X(MemDesc, "MemDesc describing the data in SLM")                                                                     \
  X(Nbarrier, "!xegpu.nbarrier a custom XeGPU type representing a barrier.")                                           \
  X(NdBase, "non-0-ranked.memref of XeGPU scalars or 64-bit or 32-bit integer")                                        \
  X(NdBase19, "1D/2D memref of XeGPU scalars or 64-bit or 32-bit integer")                                             \
  X(ScatterBase, "1D memref of XeGPU scalars or 64-bit or 32-bit integer")                                             \
  X(ScatterSource, "TensorDesc describing regions of interested data. or 1D memref or integer")                        \
  X(SharedMemRef, "reside in share memory and statically 1d or 2d shaped memref")                                      \
  X(Offsets, "fixed-length vector of index values")                                                                    \
  X(OffsetsOrIndex, "fixed-length vector of index values or index")                                                    \
  X(Mask, "fixed-length vector of 1-bit signless integer values")                                                      \
  X(MaskOrI1, "fixed-length vector of 1-bit signless integer values or 1-bit signless integer")                        \
  X(Mask19, "vector of 1-bit signless integer values of ranks 1/2 or 1-bit signless integer")                          \
  X(Value, "fixed-length vector of XeGPU scalars")                                                                     \
  X(ValueOrScalar, "fixed-length vector of XeGPU scalars or an XeGPU scalar")                                          \
  X(Value19, "vector of XeGPU scalars of ranks 1/2/3/4 or an XeGPU scalar")                                            \
  X(Dpas, "fixed-length vector of XeGPU scalars of ranks 1/2/3")                                                       \
  X(DpasResult, "fixed-length vector of XeGPU scalars of ranks 1/2")                                                   \
  X(Dpas19, "vector of XeGPU scalars of ranks 2/3")                                                                    \
  X(Vector2D, "vector of XeGPU scalars of ranks 2")                                                                    \
  X(AnyInt, "integer")
enum og_mlir_constraint {
#define X(name, words) OG_MLIR_C_##name,
  OG_MLIR_CONSTRAINTS(X)
#undef X
      OG_MLIR_CONSTRAINT_COUNT
};
extern const char *const og_mlir_constraint_words[OG_MLIR_CONSTRAINT_COUNT];
bool og_mlir_satisfies(og_mlir_type type, uint8_t constraint);

/* Kinds of attributes: how a format reads and prints one, what it must be, how errors call it. */
#define OG_MLIR_ATTRIBUTE_KINDS(X)                                                                                     \
  X(any, "any attribute")                                                                                              \
  X(i64, "64-bit signless integer attribute")                                                                          \
  X(i32, "32-bit signless integer attribute")                                                                          \
  X(index, "index attribute")                                                                                          \
  X(bool, "bool attribute")                                                                                            \
  X(str, "string attribute")                                                                                           \
  X(sym, "string attribute")                                                                                           \
  X(ref, "symbol reference attribute")                                                                                 \
  X(flat, "flat symbol reference attribute")                                                                           \
  X(unit, "unit attribute")                                                                                            \
  X(i64s, "i64 dense array attribute")                                                                                 \
  X(i32s, "i32 dense array attribute")                                                                                 \
  X(array, "array attribute")                                                                                          \
  X(type, "type attribute")                                                                                            \
  X(fntype, "type attribute of function type")                                                                         \
  X(map, "AffineMap attribute")                                                                                        \
  X(cmpi, "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9")                                       \
  X(cmpf, "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15")               \
  X(rmw, "allowed 64-bit signless integer cases")                                                                      \
  X(hint, "Describe the cache settings for prefetch/load/store operators")                                             \
  X(space, "Describe the location of data described by a `TensorDesc`:\nGlobal device memory (`Global`) or Shared "    \
           "local memory (`SLM`).")                                                                                    \
  X(scope, "Describes the scope of fence.\n\"workgroup\" means that the scope is within each work group.\n"            \
           "\"gpu\" means the scope is across work groups within the gpu.")                                            \
  X(layout, "DistributeLayoutAttr instance")                                                                           \
  X(dim, "a dimension, either 'x', 'y', or 'z'")                                                                       \
  X(reduce, "built-in reduction operations supported by gpu.allreduce.")                                               \
  X(shuffle, "Indexing modes supported by gpu.shuffle.")                                                               \
  X(combining, "Kind of combining function for contractions and reductions")                                           \
  X(icmp, "index comparison predicate kind")                                                                           \
  X(fastmath, "Floating point fast math flags")                                                                        \
  X(overflow, "Integer overflow arith flags")                                                                          \
  X(mode, "'simt' or 'vc'")
enum og_mlir_attribute_kind {
#define X(name, words) OG_MLIR_A_##name,
  OG_MLIR_ATTRIBUTE_KINDS(X)
#undef X
      OG_MLIR_ATTRIBUTE_KIND_COUNT
};
extern const char *const og_mlir_attribute_words[OG_MLIR_ATTRIBUTE_KIND_COUNT];
/* The keywords of an enum kind, separated by spaces, in the order of their numbers; NULL: there are none. `name`: the
 * attribute's. */
const char *og_mlir_keywords(uint8_t attribute_kind, const char **name, bool *as_number);

enum og_mlir_arity { OG_MLIR_ONE, OG_MLIR_OPTIONAL, OG_MLIR_VARIADIC };
struct og_mlir_group {
  struct og_text name;
  uint8_t arity, constraint;
  struct og_text infer; /* "x", "elem(x)", "i1(x)"; empty: none */
};
struct og_mlir_row_attribute {
  struct og_text name;
  uint8_t kind;
  bool optional;
};

enum og_mlir_element_kind {
  OG_MLIR_F_LITERAL,   /* text */
  OG_MLIR_F_OPERAND,   /* index of the group */
  OG_MLIR_F_ATTRIBUTE, /* index */
  OG_MLIR_F_ANGLED,    /* an attribute in <> */
  OG_MLIR_F_TYPES,     /* of group `index`, operands first, then results */
  OG_MLIR_F_ALL_OPERAND_TYPES,
  OG_MLIR_F_ALL_RESULT_TYPES,
  OG_MLIR_F_FUNCTIONAL,
  OG_MLIR_F_DICTIONARY,
  OG_MLIR_F_KEYWORD_DICTIONARY,
  OG_MLIR_F_PROPERTIES,
  OG_MLIR_F_DYNAMIC,
  OG_MLIR_F_OPTIONAL_DYNAMIC, /* index: group; second: attribute with constants */
  OG_MLIR_F_FLAGS,            /* text: keyword; index: attribute */
  OG_MLIR_F_OPTION,           /* what follows, up to element `second`, is optional */
  OG_MLIR_F_SUCCESSOR,
  OG_MLIR_F_REGION,
  OG_MLIR_F_CUSTOM, /* index: of the custom directives */
  OG_MLIR_F_TIGHT,  /* no space here */
};
struct og_mlir_element {
  uint8_t kind, index, second;
  struct og_text text;
};

/* Custom directives, and operations whose whole syntax is custom. */
#define OG_MLIR_CUSTOMS(X)                                                                                             \
  X(module) X(func) X(gpu_func) X(launch) X(launch_func) X(for) X(if) X(while) X(constant) X(async) X(targets)         \
  X(call_operands) X(rfc_nd) X(rfc_operands) X(transfer) X(global) X(select) X(switch) X(parallel) X(dense_position)   \
  X(reduce_body)
enum og_mlir_custom {
#define X(name) OG_MLIR_X_##name,
  OG_MLIR_CUSTOMS(X)
#undef X
      OG_MLIR_CUSTOM_COUNT
};

enum {                          /* traits, of ops.def's words */
       OG_MLIR_T_SAME = 1 << 0, /* all operands and results of one type */
       OG_MLIR_T_TERMINATOR = 1 << 1,
       OG_MLIR_T_SEGMENTS = 1 << 2, /* generic form: operandSegmentSizes */
       OG_MLIR_T_SYMBOL = 1 << 3,
       OG_MLIR_T_ISOLATED = 1 << 4,
       OG_MLIR_T_NO_TERMINATOR = 1 << 5, /* of its regions */
       OG_MLIR_T_SAME_SHAPE = 1 << 6,    /* elementwise: shapes of all agree */
       OG_MLIR_T_TABLE = 1 << 7,         /* has a symbol table */
};

struct og_mlir_row {
  const char *name;
  uint16_t id;       /* enum og_mlir_id: the operation, whatever its spelling */
  uint8_t spellings; /* bits */
  uint8_t operand_groups, result_groups, attribute_count, region_count,
      custom; /* custom: 1 + enum, of the whole syntax */
  uint32_t traits;
  struct og_mlir_group *operands, *results;
  struct og_mlir_row_attribute *attributes;
  const char *agreements; /* "elements a b|types c d": what must agree, as errors call it */
  struct og_mlir_element *format;
  uint8_t format_size;
};

enum og_mlir_id {
#define ROW(id, ...) OG_MLIR_OP_##id,
#define MORE(...)
#include "xegpu/ops.def"
  OG_MLIR_OPS,
};

struct og_mlir_table {
  struct og_mlir_row *rows;
  uint32_t count;
  struct og_map by_name[OG_MLIR_SPELLINGS];
};
struct og_mlir_table *og_mlir_table_new(struct og_arena *arena);
const struct og_mlir_row *og_mlir_row_find(const struct og_mlir_table *table, enum og_mlir_spelling spelling,
                                           struct og_text name);
int og_mlir_row_attribute_index(const struct og_mlir_row *row, struct og_text name); /* -1: none */
int og_mlir_row_group_index(const struct og_mlir_row *row, struct og_text name);     /* operands, then results; -1 */

#endif
