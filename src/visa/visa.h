/* visa.h - one vISA file in memory, in the form that the readers, the verifier and the executor have in common.
 *
 * Everything is in the arena that the reader was given. Variables, labels and strings are referred to by index; the
 * predefined ones come first in each table, so an index is also the number in the binary form. */
#ifndef OG_VISA_H
#define OG_VISA_H

#include "base/base.h"

/* ---- data types, numbered as in the binary form ------------------------------------------------------------------ */

/*    name  text   bytes  is: i integer, s signed integer, f float, v packed vector */
#define OG_VISA_TYPES(X) \
  X(UD, "ud", 4, 'i') X(D, "d", 4, 's') X(UW, "uw", 2, 'i') X(W, "w", 2, 's') X(UB, "ub", 1, 'i') X(B, "b", 1, 's') \
  X(DF, "df", 8, 'f') X(F, "f", 4, 'f') X(V, "v", 4, 'v') X(VF, "vf", 4, 'v') X(BOOL, "bool", 1, 'b') \
  X(UQ, "uq", 8, 'i') X(UV, "uv", 4, 'v') X(Q, "q", 8, 's') X(HF, "hf", 2, 'f') X(BF, "bf", 2, 'f')
enum og_visa_type {
#define X(name, text, bytes, class) OG_VISA_##name,
  OG_VISA_TYPES(X)
#undef X
  OG_VISA_TYPE_COUNT
};
struct og_visa_type_info {
  char name[5];
  uint8_t size;
  char class; /* 'i', 's', 'f', 'v', 'b' */
};
extern const struct og_visa_type_info og_visa_types[OG_VISA_TYPE_COUNT];

/* ---- platforms --------------------------------------------------------------------------------------------------- */

/*    name   option   bytes of a GRF  also accepted */
#define OG_VISA_PLATFORMS(X)                                                                                           \
  X(SKL, "skl", 32, "gen9")                                                                                            \
  X(TGLLP, "tgllp", 32, "gen12lp") X(DG2, "dg2", 32, "acm-g10") X(PVC, "pvc", 64, "ponte-vecchio")
enum og_visa_platform {
#define X(name, option, grf, alias) OG_VISA_##name,
  OG_VISA_PLATFORMS(X)
#undef X
  OG_VISA_PLATFORM_COUNT
};
struct og_visa_platform_info {
  const char *name, *alias;
  uint8_t grf_size;
};
extern const struct og_visa_platform_info og_visa_platforms[OG_VISA_PLATFORM_COUNT];
/* By name, in upper or lower case; -1: there is none. */
int og_visa_find_platform(struct og_text name);

/* ---- opcodes: numbers as in the binary form; the rows are in opcodes.def
 * ------------------------------------------ */

enum og_visa_opcode {
#define OPCODE(id, text_name, number, ...) OG_VISA_OP_##id = number,
#include "visa/opcodes.def"
  OG_VISA_OP_COUNT = 0x9d
};

/* Sub-operations of OG_VISA_OP_SVM. */
enum og_visa_svm {
  OG_VISA_SVM_BLOCK_LD = 1, OG_VISA_SVM_BLOCK_ST, OG_VISA_SVM_GATHER, OG_VISA_SVM_SCATTER, OG_VISA_SVM_ATOMIC,
  OG_VISA_SVM_GATHER4SCALED, OG_VISA_SVM_SCATTER4SCALED,
};

/* Sub-operations of OG_VISA_OP_LSC_UNTYPED and OG_VISA_OP_LSC_TYPED: name after "lsc_", number, kind:
 * l load, s store, 0 1 2 atomic with that many data operands, o other. */
#define OG_VISA_LSC_OPS(X) \
  X(LOAD, "load", 0x00, 'l') X(LOAD_STRIDED, "load_strided", 0x01, 'l') X(LOAD_QUAD, "load_quad", 0x02, 'l') \
  X(LOAD_BLOCK2D, "load_block2d", 0x03, 'l') X(STORE, "store", 0x04, 's') X(STORE_STRIDED, "store_strided", 0x05, 's') \
  X(STORE_QUAD, "store_quad", 0x06, 's') X(STORE_BLOCK2D, "store_block2d", 0x07, 's') \
  X(ATOMIC_IINC, "atomic_iinc", 0x08, '0') X(ATOMIC_IDEC, "atomic_idec", 0x09, '0') \
  X(ATOMIC_LOAD, "atomic_load", 0x0a, '0') X(ATOMIC_STORE, "atomic_store", 0x0b, '1') \
  X(ATOMIC_IADD, "atomic_iadd", 0x0c, '1') X(ATOMIC_ISUB, "atomic_isub", 0x0d, '1') \
  X(ATOMIC_SMIN, "atomic_smin", 0x0e, '1') X(ATOMIC_SMAX, "atomic_smax", 0x0f, '1') \
  X(ATOMIC_UMIN, "atomic_umin", 0x10, '1') X(ATOMIC_UMAX, "atomic_umax", 0x11, '1') \
  X(ATOMIC_ICAS, "atomic_icas", 0x12, '2') X(ATOMIC_FADD, "atomic_fadd", 0x13, '1') \
  X(ATOMIC_FSUB, "atomic_fsub", 0x14, '1') X(ATOMIC_FMIN, "atomic_fmin", 0x15, '1') \
  X(ATOMIC_FMAX, "atomic_fmax", 0x16, '1') X(ATOMIC_FCAS, "atomic_fcas", 0x17, '2') \
  X(ATOMIC_AND, "atomic_and", 0x18, '1') X(ATOMIC_OR, "atomic_or", 0x19, '1') X(ATOMIC_XOR, "atomic_xor", 0x1a, '1') \
  X(LOAD_STATUS, "load_status", 0x1b, 'l') X(STORE_UNCOMPRESSED, "store_uncompressed", 0x1c, 's') \
  X(CCS_UPDATE, "ccs_update", 0x1d, 'o') X(READ_STATE_INFO, "read_state_info", 0x1e, 'o') \
  X(APNDCTR_ATOMIC_ADD, "apndctr_atomic_add", 0x28, '1') X(APNDCTR_ATOMIC_SUB, "apndctr_atomic_sub", 0x29, '1')
enum og_visa_lsc_op {
#define X(name, text, number, kind) OG_VISA_LSC_##name = number,
  OG_VISA_LSC_OPS(X)
#undef X
};

/* Atomic operations of dword_atomic, typed_atomic and svm_atomic, in their binary order. */
#define OG_VISA_ATOMICS(X)                                                                                             \
  X(ADD, "add")                                                                                                        \
  X(SUB, "sub") X(INC, "inc") X(DEC, "dec") X(MIN, "min") X(MAX, "max") X(XCHG, "xchg") X(CMPXCHG, "cmpxchg")          \
      X(AND, "and") X(OR, "or") X(XOR, "xor") X(IMIN, "minsint") X(IMAX, "maxsint") X(PREDEC, "predec")                \
          X(FMAX, "fmax") X(FMIN, "fmin") X(FCMPWR, "fcmpwr") X(FADD, "fadd") X(FSUB, "fsub")
enum og_visa_atomic {
#define X(name, text) OG_VISA_ATOMIC_##name,
  OG_VISA_ATOMICS(X)
#undef X
  OG_VISA_ATOMIC_COUNT
};

enum og_visa_compare { OG_VISA_EQ, OG_VISA_NE, OG_VISA_GT, OG_VISA_GE, OG_VISA_LT, OG_VISA_LE, OG_VISA_COMPARE_NONE };

/* ---- operands ---------------------------------------------------------------------------------------------------- */

enum og_visa_operand_kind {
  OG_VISA_NONE,
  OG_VISA_GENERAL,    /* V(row, column)<v;w,h>, destination V(row, column)<h> */
  OG_VISA_ADDRESS,    /* A(column)<width> */
  OG_VISA_PREDICATE,  /* P, as operand: combine and inverse are in `predicate` */
  OG_VISA_INDIRECT,   /* r[A(column), offset]<v;w,h>:type; vertical == OG_VISA_STRIDE_NONE means one address per row */
  OG_VISA_ADDRESS_OF, /* &V[offset], also of a surface or sampler variable (state_class) */
  OG_VISA_IMMEDIATE,  /* bits:type */
  OG_VISA_STATE,      /* T(column) or S(column) */
  OG_VISA_RAW,        /* V.offset, V in bytes; variable 0 is %null */
  OG_VISA_LABEL,      /* variable is the label's index */
  OG_VISA_VALUE, /* a plain number whose meaning the opcode's row says: channel mask, count, mode, a name's index */
};
enum og_visa_modifier {
  OG_VISA_MODIFIER_NONE, OG_VISA_MODIFIER_ABS, OG_VISA_MODIFIER_NEG, OG_VISA_MODIFIER_NEG_ABS,
  OG_VISA_MODIFIER_SAT, /* on a destination */
  OG_VISA_MODIFIER_NOT,
};
enum { OG_VISA_STRIDE_NONE = 0xff };
enum og_visa_combine { OG_VISA_COMBINE_NONE, OG_VISA_ANY, OG_VISA_ALL };

struct og_visa_predicate {
  uint16_t variable; /* 0: not predicated */
  uint8_t combine;   /* enum og_visa_combine; done before the inverse */
  bool inverse;
};

struct og_visa_operand {
  uint8_t kind, modifier;
  uint8_t type;          /* enum og_visa_type: of the variable, or as written after an indirect or immediate */
  uint8_t state_class;   /* STATE, ADDRESS_OF: 'G', 'T' or 'S' */
  uint8_t vertical, width, horizontal; /* region in elements; OG_VISA_STRIDE_NONE where absent */
  uint8_t row;           /* GENERAL: rows of a GRF (32 bytes on Gen9 to DG2, 64 on PVC) */
  uint32_t variable;     /* index in the table of its class */
  uint16_t column;       /* GENERAL: elements; ADDRESS, INDIRECT, STATE: elements of the address or state variable */
  struct og_visa_predicate predicate;
  union {
    int32_t offset;      /* INDIRECT, ADDRESS_OF, RAW: bytes */
    uint64_t bits;       /* IMMEDIATE (sign-extended integers, raw float bits) and VALUE */
  };
  uint32_t at, size;     /* place in the source text, for diagnostics; 0, 0 when it came from a binary */
};

/* ---- instructions ------------------------------------------------------------------------------------------------ */

enum og_visa_sfid { OG_VISA_UGM, OG_VISA_UGML, OG_VISA_TGM, OG_VISA_SLM };
enum og_visa_lsc_address { OG_VISA_FLAT = 1, OG_VISA_BSS, OG_VISA_SS, OG_VISA_BTI, OG_VISA_ARG };
enum og_visa_lsc_cache {
  OG_VISA_CACHE_DEFAULT, OG_VISA_UNCACHED, OG_VISA_CACHED, OG_VISA_WRITEBACK, OG_VISA_WRITETHROUGH, OG_VISA_STREAMING,
  OG_VISA_READINVALIDATE,
};
/* d8 d16 d32 d64, then 8 and 16 bits widened to 32 (low half, high half). */
enum og_visa_lsc_size {
  OG_VISA_D8 = 1, OG_VISA_D16, OG_VISA_D32, OG_VISA_D64, OG_VISA_D8C32, OG_VISA_D16C32, OG_VISA_D16C32H,
};
enum og_visa_lsc_fence {
  OG_VISA_FENCE_NONE,
  OG_VISA_EVICT,
  OG_VISA_INVALIDATE,
  OG_VISA_DISCARD,
  OG_VISA_CLEAN,
  OG_VISA_FLUSHL3,
  OG_VISA_TYPE6
};
enum og_visa_lsc_scope {
  OG_VISA_GROUP,
  OG_VISA_LOCAL,
  OG_VISA_TILE,
  OG_VISA_GPU,
  OG_VISA_GPUS,
  OG_VISA_SYSREL,
  OG_VISA_SYSACQ
};

/* What an LSC message says besides its registers. Operands of the instruction, by index (OG_VISA_LSC_*_OPERAND):
 *   surface (GENERAL, IMMEDIATE or NONE), destination (RAW), address, data, second data (all RAW);
 *   strided: address pitch (vector operand) in place of the second data's slot + 1;
 *   block2d: base, width, height, pitch, x, y from OG_VISA_LSC_BLOCK2D_OPERAND on, as scalar vector operands;
 *   typed: u, v, r, lod from OG_VISA_LSC_TYPED_OPERAND on (RAW). Absent raw operands are %null. */
enum {
  OG_VISA_LSC_SURFACE_OPERAND, OG_VISA_LSC_DST_OPERAND, OG_VISA_LSC_ADDRESS_OPERAND, OG_VISA_LSC_DATA_OPERAND,
  OG_VISA_LSC_DATA2_OPERAND, OG_VISA_LSC_PITCH_OPERAND,
  OG_VISA_LSC_UNTYPED_COUNT,
  OG_VISA_LSC_TYPED_OPERAND = OG_VISA_LSC_PITCH_OPERAND, /* u v r lod */
  OG_VISA_LSC_TYPED_COUNT = OG_VISA_LSC_TYPED_OPERAND + 4,
  OG_VISA_LSC_BLOCK2D_OPERAND = OG_VISA_LSC_PITCH_OPERAND, /* base width height pitch x y */
  OG_VISA_LSC_BLOCK2D_COUNT = OG_VISA_LSC_BLOCK2D_OPERAND + 6,
};
struct og_visa_lsc {
  uint8_t sfid;          /* enum og_visa_sfid */
  uint8_t l1, l3;        /* enum og_visa_lsc_cache */
  uint8_t address_kind;  /* enum og_visa_lsc_address */
  uint8_t address_size;  /* 2, 4 or 8 bytes */
  uint8_t data_size;     /* enum og_visa_lsc_size */
  uint8_t elements;      /* per address: 1 2 3 4 8 16 32 64 */
  uint8_t channels;      /* *_quad: mask of x=1 y=2 z=4 w=8, else 0 */
  bool transposed;       /* `t`: elements of one address side by side */
  bool vnni;             /* block2d: second letter t */
  uint8_t blocks;        /* block2d */
  uint16_t block_width, block_height;
  uint16_t scale;        /* immediate factor of the address, 1 when absent */
  int32_t offset;        /* immediate added to it */
  uint8_t fence, scope;  /* lsc_fence */
};

/* dpas.src1.src2.depth.count; precision of src1 (weights) and src2 (activations). */
enum og_visa_precision {
  OG_VISA_PRECISION_NONE,
  OG_VISA_U1,
  OG_VISA_S1,
  OG_VISA_U2,
  OG_VISA_S2,
  OG_VISA_U4,
  OG_VISA_S4,
  OG_VISA_U8,
  OG_VISA_S8,
  OG_VISA_BF16,
  OG_VISA_FP16,
  OG_VISA_TF32,
};
struct og_visa_dpas {
  uint8_t weights, activations; /* enum og_visa_precision: first (src1) and second (src2) in the mnemonic */
  uint8_t depth, count;         /* systolic depth, repeat count */
};

struct og_visa_inst {
  uint8_t opcode;       /* enum og_visa_opcode */
  uint8_t sub;          /* svm, lsc, sampler, min 0 / max 1: as the row says; else 0 */
  uint8_t atomic; /* dword_atomic, typed_atomic, svm_atomic: enum og_visa_atomic, + 0x20 for 16 bits, 0x40 for 64 */
  uint8_t exec_size;    /* channels: 1 2 4 8 16 32 */
  uint8_t mask_offset;  /* first channel of the execution mask: 0 for M1, 4 for M2 ... 28 for M8 */
  bool no_mask;         /* _NM: all channels on */
  bool saturate;
  uint8_t compare;      /* enum og_visa_compare */
  uint8_t operand_count;
  struct og_visa_predicate predicate;
  struct og_visa_operand
      *operands; /* in the order of the binary form, named by the row in opcodes.def; NONE: it is absent */
  union {
    const struct og_visa_lsc *lsc;   /* lsc_* */
    struct og_visa_dpas dpas;        /* dpas, dpasw */
    uint8_t bfn;                     /* bfn: the truth table */
  };
  uint32_t line;        /* in the source text, from 1; 0 from a binary */
  uint32_t at, size;    /* place in the source text */
};

/* ---- declarations ------------------------------------------------------------------------------------------------ */

struct og_visa_attribute {
  const char *name;
  const char *text; /* value of a string attribute, NULL for a number */
  uint32_t size;    /* bytes of the value in the binary form; 0: a flag without value */
  int64_t value;
};

enum og_visa_align { /* as in the binary form */
                     OG_VISA_ALIGN_BYTE,
                     OG_VISA_ALIGN_WORD,
                     OG_VISA_ALIGN_DWORD,
                     OG_VISA_ALIGN_QWORD,
                     OG_VISA_ALIGN_OWORD,
                     OG_VISA_ALIGN_GRF,
                     OG_VISA_ALIGN_2GRF,
                     OG_VISA_ALIGN_HWORD,
                     OG_VISA_ALIGN_32WORD,
                     OG_VISA_ALIGN_64WORD,
};

struct og_visa_variable {
  const char *name;
  uint8_t type;           /* G: enum og_visa_type */
  uint8_t align;          /* G: enum og_visa_align */
  bool predefined;
  uint32_t elements;
  uint32_t alias;         /* G: index of the base variable, 0 when it has its own storage */
  uint32_t alias_offset;  /* bytes from the base variable's start (aliases may be chained) */
  struct og_visa_attribute *attributes;
  uint32_t attribute_count;
  uint32_t at, size;      /* place in the source text */
};

struct og_visa_label {
  const char *name;
  bool subroutine;
  uint32_t inst; /* index of its LABEL or SUBROUTINE instruction; UINT32_MAX: not defined yet */
  uint32_t at, size;
};

struct og_visa_input {
  char class;        /* 'G', 'S' or 'T' */
  uint8_t implicit;  /* where it comes from; 0: it is an ordinary argument */
  uint32_t variable; /* index in its class's table */
  int32_t offset;    /* bytes in the register file */
  uint32_t size;
  uint32_t at, source_size;
};

struct og_visa_variables {
  struct og_visa_variable *items;
  uint32_t count, capacity;
};

enum { OG_VISA_FIRST_GENERAL = 32, OG_VISA_FIRST_PREDICATE = 1, OG_VISA_FIRST_SURFACE = 6 };
/* Predefined general variables by index. */
enum {
  OG_VISA_V_NULL,
  OG_VISA_V_THREAD_X,
  OG_VISA_V_THREAD_Y,
  OG_VISA_V_GROUP_ID_X,
  OG_VISA_V_GROUP_ID_Y,
  OG_VISA_V_GROUP_ID_Z,
  OG_VISA_V_TSC,
  OG_VISA_V_R0,
  OG_VISA_V_ARG,
  OG_VISA_V_RETVAL,
  OG_VISA_V_SP,
  OG_VISA_V_FP,
  OG_VISA_V_HW_ID,
  OG_VISA_V_SR0,
  OG_VISA_V_CR0,
  OG_VISA_V_CE0,
  OG_VISA_V_DBG0,
  OG_VISA_V_COLOR,
  OG_VISA_V_IMPL_ARG_BUF_PTR,
  OG_VISA_V_LOCAL_ID_BUF_PTR,
  OG_VISA_V_MSG0,
  OG_VISA_PREDEFINED_COUNT
};

struct og_visa_kernel {
  const char *name;
  bool function;      /* .function or .global_function on its own, not a kernel */
  struct og_visa_variables general, address, predicate, sampler, surface;
  OG_VECTOR(struct og_visa_label) labels;
  OG_VECTOR(struct og_visa_input) inputs;
  OG_VECTOR(struct og_visa_attribute) attributes;
  OG_VECTOR(struct og_visa_inst) insts;
  OG_VECTOR(const char *)
  strings; /* names that instructions refer to: FILE, faddr, fcall; a VALUE operand has the index */
};

struct og_visa {
  uint8_t major, minor;
  const struct og_source *source; /* the text that it was read from; NULL: it was binary */
  OG_VECTOR(struct og_visa_kernel *) kernels;
};

/* ---- the passes -------------------------------------------------------------------------------------------------- */

/* Whether data look like vISA text (og_visa_is_binary: like a CISA file), by their content alone. */
bool og_visa_is_text(const void *data, size_t size);
bool og_visa_is_binary(const void *data, size_t size);

/* The readers: NULL with diagnostics if the input is wrong. `source` must live longer than the result. */
struct og_visa *og_visa_read_text(struct og_arena *arena, const struct og_source *source, int platform,
                                  struct og_diagnostics *diagnostics);
struct og_visa *og_visa_read_binary(struct og_arena *arena, const void *data, size_t size, const char *file,
                                    struct og_diagnostics *diagnostics);
/* The writers: canonical text, as IGC prints it; the binary form, version 4.1. */
void og_visa_write_text(const struct og_visa *visa, struct og_buffer *out);
void og_visa_write_inst(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out);
bool og_visa_write_binary(const struct og_visa *visa, struct og_buffer *out, struct og_diagnostics *diagnostics);
/* Each instruction's text followed by its bytes, as `as --show-encoding` prints them. */
void og_visa_write_encodings(const struct og_visa *visa, struct og_buffer *out);
/* Gives the predefined variables the sizes of the platform, which a binary file does not contain. */
void og_visa_set_platform(struct og_visa_kernel *kernel, int platform);
/* Checks all rules of the specification for `platform`; false: one was broken. `file` names the input if there is no
 * text. */
bool og_visa_verify(const struct og_visa *visa, int platform, const char *file, struct og_diagnostics *diagnostics);
/* `offgrid info`: variables, registers, inputs, attributes. */
void og_visa_info(const struct og_visa *visa, int platform, bool json, struct og_buffer *out);

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

/* The table of a class of variables: G, A, P, S or T. It may be changed if the kernel may be. */
struct og_visa_variables *og_visa_variables_of(const struct og_visa_kernel *kernel, char class);
/* Bytes of a general variable; and where it is in the end: the base variable and byte offset through all aliases. */
uint32_t og_visa_variable_size(const struct og_visa_variable *variable);
uint32_t og_visa_resolve_alias(const struct og_visa_kernel *kernel, uint32_t variable, uint32_t *offset);
const char *og_visa_mnemonic(const struct og_visa_inst *inst); /* "svm_gather", "lsc_load", "min": without suffixes */

#endif
