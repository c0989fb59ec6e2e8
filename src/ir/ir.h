/* ir.h - LLVM IR in memory: what the readers build, passes change and the printer writes. docs/compiler.md says why it
 * looks like this. */
#ifndef OG_IR_H
#define OG_IR_H

#include "base/base.h"

/* ---- types: interned, so that equal types are equal numbers ------------------------------------------------------ */

typedef uint32_t og_ir_type;

enum og_ir_type_kind {
  OG_IR_VOID, OG_IR_LABEL, OG_IR_METADATA_TYPE, OG_IR_TOKEN, OG_IR_X86_AMX, OG_IR_HALF, OG_IR_BFLOAT, OG_IR_FLOAT,
  OG_IR_DOUBLE, OG_IR_X86_FP80, OG_IR_FP128, OG_IR_PPC_FP128, /* types up to here have their kind as number */
  OG_IR_INTEGER, OG_IR_POINTER, OG_IR_VECTOR, OG_IR_SCALABLE, OG_IR_ARRAY, OG_IR_STRUCT, OG_IR_FUNCTION, OG_IR_TARGET,
};
enum { OG_IR_SIMPLE_TYPES = OG_IR_INTEGER, OG_IR_MOST_BITS = 1 << 23 };

struct og_ir_type_record {
  uint8_t kind;
  bool packed, variadic; /* of a struct; of a function */
  bool identified;       /* a struct that equals no other: %name = type … */
  bool opaque;           /* a struct without a body */
  uint32_t name;         /* of an identified struct or a target type; 0: none */
  uint32_t first, parts; /* in the module's pool: element, elements, result and parameters; a target's types */
  uint64_t count;        /* bits, address space, elements; of a target: its numbers' place in the pool << 32 | how
                            many */
};

/* ---- references: what an operand names, its space in the two upper bits ------------------------------------------ */

typedef uint32_t og_ir_ref;

enum {
  OG_IR_LOCAL = 0u << 30,    /* an argument or an instruction: its record in the function */
  OG_IR_CONSTANT = 1u << 30, /* a constant or a global of the module */
  OG_IR_BLOCK = 2u << 30,
  OG_IR_METADATA = 3u << 30,
  OG_IR_SPACE = 3u << 30,
  OG_IR_NONE = UINT32_MAX,
};
static inline uint32_t og_ir_space(og_ir_ref ref) { return ref & OG_IR_SPACE; }
static inline uint32_t og_ir_index(og_ir_ref ref) { return ref & ~(uint32_t)OG_IR_SPACE; }

/* ---- constants: uniqued, so that equal constants are equal numbers ----------------------------------------------- */

enum og_ir_constant_kind {
  OG_IR_C_GLOBAL,     /* value: index of the global */
  OG_IR_C_ZERO,       /* null, zeroinitializer, none; never used for integers and floats */
  OG_IR_C_UNDEF, OG_IR_C_POISON,
  OG_IR_C_NUMBER,     /* an integer or a float of up to 64 bits, in `value`, zero-extended */
  OG_IR_C_WIDE,       /* a wider one: `parts` words of 32 bits in the pool, from `first` on */
  OG_IR_C_AGGREGATE,  /* `parts` constants */
  OG_IR_C_SPLAT,      /* a vector whose elements all are the one part */
  OG_IR_C_BYTES,      /* an array of i8: the bytes of names[value] */
  OG_IR_C_EXPRESSION, /* opcode, flags, parts; of getelementptr: `value` is the source's type */
  OG_IR_C_BLOCKADDRESS, /* value: function's global << 32 | block */
  OG_IR_C_ASSEMBLER,  /* inline assembly: value is text << 32 | constraints, flags as below */
  OG_IR_C_EQUIVALENT, OG_IR_C_NO_CFI, /* dso_local_equivalent, no_cfi: the one part */
};
enum { OG_IR_ASM_SIDE_EFFECT = 1, OG_IR_ASM_ALIGN_STACK = 2, OG_IR_ASM_INTEL = 4, OG_IR_ASM_UNWIND = 8 };

struct og_ir_constant {
  uint8_t kind, opcode;
  uint16_t flags;
  og_ir_type type;
  uint32_t first, parts; /* in the pool */
  uint64_t value;
};

/* ---- instructions ------------------------------------------------------------------------------------------------ */

enum og_ir_opcode {
  OG_IR_ARGUMENT, /* records of arguments come first in each function */
#define OPCODE(name, text, shape, flags) OG_IR_##name,
#include "ir/opcodes.def"
  OG_IR_OPCODES,
};
enum og_ir_shape {
  OG_IR_SHAPE_ARGUMENT, OG_IR_SHAPE_BARE, OG_IR_SHAPE_RET, OG_IR_SHAPE_BR, OG_IR_SHAPE_SWITCH, OG_IR_SHAPE_UNARY_FLOAT,
  OG_IR_SHAPE_BINARY_INT, OG_IR_SHAPE_BINARY_FLOAT, OG_IR_SHAPE_EXTRACTELEMENT, OG_IR_SHAPE_INSERTELEMENT,
  OG_IR_SHAPE_SHUFFLEVECTOR, OG_IR_SHAPE_EXTRACTVALUE, OG_IR_SHAPE_INSERTVALUE, OG_IR_SHAPE_ALLOCA, OG_IR_SHAPE_LOAD,
  OG_IR_SHAPE_STORE, OG_IR_SHAPE_FENCE, OG_IR_SHAPE_CMPXCHG, OG_IR_SHAPE_ATOMICRMW, OG_IR_SHAPE_GETELEMENTPTR,
  OG_IR_SHAPE_CAST, OG_IR_SHAPE_ICMP, OG_IR_SHAPE_FCMP, OG_IR_SHAPE_PHI, OG_IR_SHAPE_SELECT, OG_IR_SHAPE_CALL,
  OG_IR_SHAPE_FREEZE, OG_IR_SHAPE_VA_ARG, OG_IR_SHAPE_DEBUG,
};
enum og_ir_flag {
#define OPCODE(name, text, shape, flags)
#define FLAG(name, text, bit) OG_IR_F_##name = bit,
#include "ir/opcodes.def"
  OG_IR_F_FAST = 0x7f, /* all of fast-math's */
};
struct og_ir_opcode_row {
  const char *text;
  uint8_t shape;
  uint16_t flags;
};
extern const struct og_ir_opcode_row og_ir_opcodes[OG_IR_OPCODES];

/* Operands of a debug record: variable, expression; for dbg_assign also its id, the address's expression and the
 * address; then the values. Of dbg_label: the label. */
enum { OG_IR_DBG_ARG_LIST = 1 /* flags: written as !DIArgList */ };

/* One record for each argument and instruction, in the order in which they were read. `next` and `previous` give the
 * order in the block, so passes insert and remove without moving others. */
struct og_ir_inst {
  uint8_t opcode;
  uint8_t sub;     /* predicate of a comparison, 1 + log2 of an alignment, enum og_ir_tail of a call; else 0 */
  uint16_t flags;  /* enum og_ir_flag */
  og_ir_type type; /* of the result */
  uint32_t first, operands; /* in the function's operands */
  /* alloca: the type that is allocated; getelementptr: the source's type; call: index in the function's `calls`; memory
   * and fence: see og_ir_memory(); shufflevector, extractvalue, insertvalue: place in the pool of their number and then
   * the numbers (UINT32_MAX: poison). */
  uint32_t extra;
  uint32_t block;          /* UINT32_MAX: it is in no block */
  uint32_t next, previous; /* records; 0: none (0 is no instruction) */
  uint32_t name;           /* in the module's names; 0: it gets a number when it is printed */
  uint32_t location;       /* !dbg: 1 + the metadata; 0: none */
  uint32_t attachments;    /* place in the pool: their number, then pairs of kind and metadata; 0: none */
};

enum og_ir_ordering {
  OG_IR_NOT_ATOMIC, OG_IR_UNORDERED, OG_IR_MONOTONIC, OG_IR_ACQUIRE, OG_IR_RELEASE, OG_IR_ACQ_REL, OG_IR_SEQ_CST,
};
enum og_ir_icmp { /* og_ir_inst.sub, as bitcode numbers them */
  OG_IR_EQ = 32, OG_IR_NE, OG_IR_UGT, OG_IR_UGE, OG_IR_ULT, OG_IR_ULE, OG_IR_SGT, OG_IR_SGE, OG_IR_SLT, OG_IR_SLE,
};
enum og_ir_rmw { /* as bitcode numbers them */
  OG_IR_XCHG, OG_IR_RMW_ADD, OG_IR_RMW_SUB, OG_IR_RMW_AND, OG_IR_RMW_NAND, OG_IR_RMW_OR, OG_IR_RMW_XOR, OG_IR_RMW_MAX,
  OG_IR_RMW_MIN, OG_IR_RMW_UMAX, OG_IR_RMW_UMIN, OG_IR_RMW_FADD, OG_IR_RMW_FSUB, OG_IR_RMW_FMAX, OG_IR_RMW_FMIN,
  OG_IR_RMW_UINC_WRAP, OG_IR_RMW_UDEC_WRAP, OG_IR_RMW_USUB_COND, OG_IR_RMW_USUB_SAT, OG_IR_RMW_FMAXIMUM,
  OG_IR_RMW_FMINIMUM, OG_IR_RMW_FMAXIMUMNUM, OG_IR_RMW_FMINIMUMNUM, OG_IR_RMW_OPERATIONS,
};
/* What `extra` holds for an instruction that orders memory. */
struct og_ir_memory {
  uint8_t ordering, failure; /* enum og_ir_ordering */
  uint8_t operation;         /* enum og_ir_rmw */
  uint16_t scope;            /* in the module's scopes; 1 is the system, 0 the single thread */
};
static inline uint32_t og_ir_pack_memory(struct og_ir_memory m) {
  return (uint32_t)(m.ordering | m.failure << 3 | m.operation << 6) | (uint32_t)m.scope << 16;
}
static inline struct og_ir_memory og_ir_memory(uint32_t extra) {
  return (struct og_ir_memory){extra & 7, extra >> 3 & 7, extra >> 6 & 63, (uint16_t)(extra >> 16)};
}

enum og_ir_tail { OG_IR_NO_MARK, OG_IR_TAIL, OG_IR_MUSTTAIL, OG_IR_NOTAIL };

/* Operands of a call: the callee, the arguments, the operands of bundles. */
struct og_ir_call {
  og_ir_type function_type;
  uint32_t arguments;
  uint32_t attributes; /* place in the pool of sets: the function's, the result's, each parameter's; 0: none */
  uint32_t bundles;    /* place in the pool: their number, then pairs of tag (a name) and number of operands; 0: none */
  uint32_t address_space;
  uint16_t convention;
};

struct og_ir_block {
  uint32_t name;        /* 0: it gets a number when it is printed */
  uint32_t first, last; /* instructions; 0: none */
};

/* A function's arguments and body. */
enum { OG_IR_KERNEL = 91 }; /* the calling convention of kernels; names.def has all */

struct og_ir_function {
  OG_VECTOR(struct og_ir_inst) insts; /* [0] is unused: 0 means none */
  OG_VECTOR(og_ir_ref) operands;      /* [0] is unused as well */
  OG_VECTOR(struct og_ir_call) calls;
  OG_VECTOR(struct og_ir_block) blocks; /* in order; none in a declaration */
  uint32_t arguments;                   /* insts[1] to insts[arguments] */
  uint16_t convention;
  bool flattened;                       /* passes have run on it, so that its body can replace calls of it */
  uint32_t collector;                       /* gc: a name */
  uint32_t attributes;                      /* as in a call */
  og_ir_ref prefix, prologue, personality; /* or OG_IR_NONE */
  OG_VECTOR(uint32_t) places;              /* by record: its place in the text; empty: it was not read from text */
};

/* ---- globals ----------------------------------------------------------------------------------------------------- */

enum og_ir_global_kind { OG_IR_UNKNOWN, OG_IR_VARIABLE, OG_IR_DEFINITION, OG_IR_ALIAS, OG_IR_IFUNC };
enum og_ir_linkage { /* by the later numbers of bitcode, but without gaps */
  OG_IR_EXTERNAL, OG_IR_PRIVATE, OG_IR_INTERNAL, OG_IR_WEAK, OG_IR_WEAK_ODR, OG_IR_LINKONCE, OG_IR_LINKONCE_ODR,
  OG_IR_AVAILABLE_EXTERNALLY, OG_IR_APPENDING, OG_IR_COMMON, OG_IR_EXTERN_WEAK, OG_IR_LINKAGES,
};
enum og_ir_visibility { OG_IR_DEFAULT, OG_IR_HIDDEN, OG_IR_PROTECTED };

struct og_ir_global {
  /* unnamed: 1 unnamed_addr, 2 local_unnamed_addr */
  uint8_t kind, linkage, visibility, dll, thread_local_mode, unnamed;
  bool dso_local, constant, externally_initialized;
  uint8_t code_model; /* 0: not given */
  uint8_t align;      /* 1 + log2; 0: none */
  uint8_t calls;      /* what passes know about calls of it: 0 nothing yet, 1 they have effects, 2 they only compute */
  uint32_t name;      /* 0: it gets a number when it is printed */
  og_ir_type type;    /* of the value, not of its address */
  uint32_t address_space;
  og_ir_ref self;     /* the constant that is its address */
  og_ir_ref value;    /* initializer, aliasee, resolver; OG_IR_NONE: a declaration */
  uint32_t section, partition, sanitizers; /* names; sanitizers: bits */
  uint32_t comdat;      /* 1 + index; 0: none */
  uint32_t attributes;  /* a variable's set */
  uint32_t attachments; /* as in an instruction */
  uint32_t number;      /* number among those of its kind */
  struct og_ir_function *function;
};

struct og_ir_comdat {
  uint32_t name;
  uint8_t selection; /* as bitcode numbers them */
};

/* ---- attributes: uniqued, and their sets, sorted ----------------------------------------------------------------- */

enum og_ir_attribute_kind {
#define ATTRIBUTE(name, text, value, code) OG_IR_A_##name,
#include "ir/attributes.def"
  OG_IR_A_STRING, OG_IR_ATTRIBUTES,
};
enum og_ir_attribute_value {
  OG_IR_AV_NONE, OG_IR_AV_TYPE, OG_IR_AV_ALIGNMENT, OG_IR_AV_BYTES, OG_IR_AV_PAIR,
  OG_IR_AV_ALLOCKIND, OG_IR_AV_CAPTURES, OG_IR_AV_MEMORY, OG_IR_AV_FPCLASS, OG_IR_AV_UWTABLE, OG_IR_AV_RANGE,
  OG_IR_AV_RANGES, OG_IR_AV_STRING,
};
struct og_ir_attribute_row {
  const char *text;
  uint8_t value, code;
};
extern const struct og_ir_attribute_row og_ir_attributes[OG_IR_A_STRING];
struct og_ir_attribute {
  uint32_t kind;
  og_ir_type type; /* of a type's; of a range */
  uint32_t first, parts; /* constants in the pool: two bounds of a range, or more; of a string attribute key and value
                            as names */
  uint64_t value;
};
struct og_ir_set { /* attributes by kind, strings by key */
  uint32_t first, count; /* in the pool */
};

/* ---- metadata ---------------------------------------------------------------------------------------------------- */

enum og_ir_metadata_kind {
  OG_IR_M_UNDEFINED, /* named, but not yet defined */
  OG_IR_M_STRING,    /* first: a name */
  OG_IR_M_VALUE,     /* first: a constant */
  OG_IR_M_TUPLE,     /* `parts` in the pool: 1 + metadata, or 0 for null */
  OG_IR_M_EXPRESSION, /* `parts` numbers in `fields` */
#define NODE(name, text) OG_IR_M_##name,
#define FIELD(name, type, order, when, place)
#include "ir/metadata.def"
  OG_IR_M_KINDS,
};
struct og_ir_metadata {
  uint8_t kind;
  bool distinct;
  uint32_t first, parts; /* of debug information: the fields by their row, in the module's `fields` */
};
struct og_ir_named_metadata {
  uint32_t name;
  uint32_t first, parts; /* in the pool: metadata */
};

/* ---- the module -------------------------------------------------------------------------------------------------- */

struct og_ir_interned { /* numbers by content */
  uint32_t *slots, count, capacity;
};

struct og_ir_module {
  struct og_arena *arena;
  const char *file;
  const struct og_source *source; /* if read from a text: for errors; else NULL */
  struct og_text source_name, triple, layout;
  bool has_source_name, has_triple, has_layout;
  OG_VECTOR(struct og_text) assembly; /* module asm, a line each */
  OG_VECTOR(struct og_text) names;    /* [0] is empty */
  OG_VECTOR(uint32_t) pool;           /* lists of numbers; [0] is unused */
  OG_VECTOR(uint64_t) fields;         /* of metadata */
  OG_VECTOR(struct og_ir_type_record) types;
  OG_VECTOR(struct og_ir_constant) constants;
  OG_VECTOR(struct og_ir_global) globals; /* in the order in which they were first named */
  OG_VECTOR(uint32_t) variables;          /* globals of each kind in order */
  OG_VECTOR(uint32_t) functions;
  OG_VECTOR(uint32_t) aliases; /* and ifuncs */
  OG_VECTOR(struct og_ir_comdat) comdats;
  OG_VECTOR(struct og_ir_attribute) attributes;
  OG_VECTOR(struct og_ir_set) sets; /* [0] is empty */
  OG_VECTOR(struct og_ir_metadata) metadata;
  OG_VECTOR(struct og_ir_named_metadata) named_metadata;
  OG_VECTOR(struct og_text) kinds;  /* of attachments */
  OG_VECTOR(struct og_text) scopes; /* of synchronisation; [0] is "singlethread", [1] "" */
  struct og_ir_interned type_index, constant_index, attribute_index, set_index;
  struct og_map string_index;                /* metadata strings: 1 + metadata */
  struct og_map expression_index;            /* by elements: 1 + metadata */
  OG_VECTOR(uint32_t) value_index;           /* by constant: 1 + the metadata with that value */
};

/* Makes room for `more` in a vector that is filled by many such calls: OG_RESERVE alone gives only what is asked
 * for. */
#define OG_IR_RESERVE(arena, vector, more)                                                                       \
  ((vector)->capacity - (vector)->count < (more)                                                                \
       ? (void)OG_RESERVE(arena, vector, OG_MAX((size_t)(more), (size_t)(vector)->capacity))                       \
       : (void)0)

/* ---- making them (types.c, constants.c, build.c) ----------------------------------------------------------------- */

struct og_ir_module *og_ir_module_new(struct og_arena *arena, const char *file);
uint32_t og_ir_name(struct og_ir_module *m, struct og_text text); /* never 0; not uniqued; the bytes must stay valid */
/* Makes room for `count` numbers in the pool; returns where they begin. */
uint32_t og_ir_pool(struct og_ir_module *m, uint32_t count);
uint32_t og_ir_pool_list(struct og_ir_module *m, const uint32_t *numbers, uint32_t count);
/* The number of an equal record, found by `hash` and `equal`; or `next`, under which this one is put. */
uint32_t og_ir_intern(struct og_arena *arena, struct og_ir_interned *index, uint64_t hash, uint32_t next,
                      bool (*equal)(const void *context, uint32_t number), uint64_t (*hash_of)(const void *, uint32_t),
                      const void *context);

og_ir_type og_ir_integer(struct og_ir_module *m, uint32_t bits);
og_ir_type og_ir_pointer(struct og_ir_module *m, uint32_t address_space);
og_ir_type og_ir_sequence(struct og_ir_module *m, enum og_ir_type_kind kind, og_ir_type element, uint64_t count);
og_ir_type og_ir_struct(struct og_ir_module *m, const og_ir_type *elements, uint32_t count, bool packed);
og_ir_type og_ir_function_type(struct og_ir_module *m, og_ir_type result, const og_ir_type *parameters, uint32_t count,
                               bool variadic);
og_ir_type og_ir_target_type(struct og_ir_module *m, struct og_text name, const og_ir_type *types, uint32_t type_count,
                             const uint32_t *numbers, uint32_t number_count);
og_ir_type og_ir_identified(struct og_ir_module *m, uint32_t name); /* a new struct without a body */
void og_ir_set_body(struct og_ir_module *m, og_ir_type type, const og_ir_type *elements, uint32_t count, bool packed);

static inline const struct og_ir_type_record *og_ir_type_of(const struct og_ir_module *m, og_ir_type type) {
  return &m->types.items[type];
}
static inline uint8_t og_ir_kind(const struct og_ir_module *m, og_ir_type type) { return m->types.items[type].kind; }
static inline og_ir_type og_ir_part(const struct og_ir_module *m, og_ir_type type, uint32_t index) {
  return m->pool.items[m->types.items[type].first + index];
}
bool og_ir_is_vector(const struct og_ir_module *m, og_ir_type type);
og_ir_type og_ir_scalar(const struct og_ir_module *m, og_ir_type type); /* a vector's element; else itself */
bool og_ir_is_float(const struct og_ir_module *m, og_ir_type type);     /* no vector */
unsigned og_ir_float_bits(uint8_t kind);
bool og_ir_is_sized(const struct og_ir_module *m, og_ir_type type);
/* The same shape with other elements: a vector of `scalar` if `like` is a vector. */
og_ir_type og_ir_with_scalar(struct og_ir_module *m, og_ir_type like, og_ir_type scalar);
/* The type at an index of an aggregate; OG_IR_NONE: there is nothing. */
og_ir_type og_ir_element(const struct og_ir_module *m, og_ir_type type, uint64_t index);

og_ir_ref og_ir_constant(struct og_ir_module *m, struct og_ir_constant constant, const uint32_t *parts);
og_ir_ref og_ir_number(struct og_ir_module *m, og_ir_type type, uint64_t value);
/* An integer or float from 32-bit words, cut to the type's bits. */
og_ir_ref og_ir_wide(struct og_ir_module *m, og_ir_type type, uint32_t *words, uint32_t count);
og_ir_ref og_ir_zero(struct og_ir_module *m, og_ir_type type); /* 0 of any type */
/* An array, struct or vector; it becomes a splat, zero, undef or poison if all parts are equal. */
og_ir_ref og_ir_aggregate(struct og_ir_module *m, og_ir_type type, const og_ir_ref *parts, uint32_t count);
og_ir_ref og_ir_bytes(struct og_ir_module *m, og_ir_type type, struct og_text bytes);
static inline const struct og_ir_constant *og_ir_constant_of(const struct og_ir_module *m, og_ir_ref ref) {
  return &m->constants.items[og_ir_index(ref)];
}
struct og_ir_global *og_ir_global_of(const struct og_ir_module *m, og_ir_ref ref); /* NULL: none */
og_ir_ref og_ir_new_global(struct og_ir_module *m, uint32_t name, uint32_t address_space);

uint32_t og_ir_attribute(struct og_ir_module *m, struct og_ir_attribute attribute, const uint32_t *parts);
uint32_t og_ir_set(struct og_ir_module *m, uint32_t *attributes, uint32_t count); /* sorts them */
uint32_t og_ir_metadata_new(struct og_ir_module *m, enum og_ir_metadata_kind kind);
uint32_t og_ir_metadata_string(struct og_ir_module *m, struct og_text text);
uint32_t og_ir_metadata_value(struct og_ir_module *m, og_ir_ref constant);
uint32_t og_ir_metadata_expression(struct og_ir_module *m, const uint64_t *elements, uint32_t count);
void og_ir_metadata_fields(struct og_ir_module *m, uint32_t node, enum og_ir_metadata_kind kind, const uint64_t *values,
                           uint32_t count);
uint32_t og_ir_metadata_kind(struct og_ir_module *m, struct og_text name);
uint32_t og_ir_scope(struct og_ir_module *m, struct og_text name);

struct og_ir_function *og_ir_new_function(struct og_ir_module *m);
uint32_t og_ir_add_block(struct og_ir_module *m, struct og_ir_function *f, uint32_t name);
/* A new instruction with room for its operands, at the end of a block (UINT32_MAX: in no block yet). */
uint32_t og_ir_append(struct og_ir_module *m, struct og_ir_function *f, uint32_t block, uint8_t opcode, og_ir_type type,
                      uint32_t operands);
void og_ir_insert_before(struct og_ir_function *f, uint32_t inst, uint32_t before);
void og_ir_remove(struct og_ir_function *f, uint32_t inst); /* takes it out of its block; its record stays */
og_ir_type og_ir_type_of_ref(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref);
bool og_ir_is_terminator(uint8_t opcode);
static inline og_ir_ref og_ir_operand(const struct og_ir_function *f, const struct og_ir_inst *inst, uint32_t index) {
  return f->operands.items[inst->first + index];
}

/* The uses of values in a function: found in one pass over its operands, then kept up to date by the calls below. */
struct og_ir_uses {
  struct og_arena *arena;
  uint32_t *head;      /* by record: its first use, a place in `operands`; 0: none */
  uint32_t *next;      /* by place: the next use of the same value; 0: none */
  uint32_t *user;      /* by place: the record that it belongs to */
  uint32_t records, places;
};
void og_ir_build_uses(struct og_arena *arena, const struct og_ir_function *f, struct og_ir_uses *uses);
void og_ir_replace_all_uses(struct og_ir_function *f, struct og_ir_uses *uses, uint32_t record, og_ir_ref with);
void og_ir_set_operand(struct og_ir_function *f, struct og_ir_uses *uses, uint32_t place, og_ir_ref with);

/* ---- reading, printing, checking --------------------------------------------------------------------------------- */

/* IR as text or bitcode; NULL with a diagnostic. `bytes` must live as long as the module. */
struct og_ir_module *og_ir_read(struct og_arena *arena, const char *file, const void *bytes, size_t size,
                                struct og_diagnostics *diagnostics);
struct og_ir_module *og_ir_read_text(struct og_arena *arena, const char *file, const char *text, size_t size,
                                     struct og_diagnostics *diagnostics);
/* Reads text and adds it to a module: functions, also those that it only declares so far. Types and metadata cannot
 * have names there. */
bool og_ir_read_more(struct og_ir_module *m, const char *text, size_t size, struct og_diagnostics *diagnostics);
bool og_ir_is_bitcode(const void *bytes, size_t size);
struct og_ir_module *og_ir_read_bitcode(struct og_arena *arena, const char *file, const uint8_t *bytes, size_t size,
                                        struct og_diagnostics *diagnostics);
void og_ir_upgrade(struct og_ir_module *m); /* called by og_ir_read() */
/* Writes it as `opt -S` of LLVM 22 does. */
void og_ir_print(const struct og_ir_module *m, struct og_buffer *out);
void og_ir_print_type(const struct og_ir_module *m, og_ir_type type, struct og_buffer *out);
/* Checks what the passes rely on; false with a diagnostic for each thing that is wrong. */
bool og_ir_verify(const struct og_ir_module *m, struct og_diagnostics *diagnostics);

#endif
