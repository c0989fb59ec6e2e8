/* alu.h - arithmetic of vISA over arrays of channels: one function for each operation and type, made for vector units.
   It knows nothing about instructions or registers: the executor copies operands into contiguous arrays, or passes the
   register file's own bytes if they are contiguous already. */
#ifndef OG_VISA_ALU_H
#define OG_VISA_ALU_H

#include <stdbool.h>
#include <stdint.h>

/* Storage types: what a register's bytes mean. */
enum og_alu_type {
  OG_ALU_U8, OG_ALU_S8, OG_ALU_U16, OG_ALU_S16, OG_ALU_U32, OG_ALU_S32, OG_ALU_U64, OG_ALU_S64,
  OG_ALU_F16, OG_ALU_BF16, OG_ALU_F32, OG_ALU_F64, OG_ALU_TYPES
};
/* Operations exist for the 32 and 64-bit types; narrower operands are widened first, halves to f32. */

/* X(name): for those of u32 s32 u64 s64 f32 f64 for which the operation exists. */
#define OG_ALU_OPS(X)                                                                                                  \
  X(COPY)                                                                                                              \
  X(ADD) X(SUB) X(MUL) X(MULH) X(MAD) X(ADD3) X(AND) X(OR) X(XOR) X(NOT) X(SHL) X(SHR) X(ASR) X(ROL) X(ROR) X(ROL16)   \
      X(ROR16) X(MIN) X(MAX) X(SEL) X(AVG) X(DIV) X(MOD) X(LZD) X(FBH) X(FBL) X(CBIT) X(BFREV) X(BFE) X(BFN) X(NEG)    \
          X(ABS) X(CMP_EQ) X(CMP_NE) X(CMP_GT) X(CMP_GE) X(CMP_LT) X(CMP_LE) X(CARRY) X(BORROW) X(MADH) X(DP4A)        \
              X(SATURATING_ADD) X(SATURATING_MUL) X(SATURATING_MAD) X(SATURATING_SHL) X(FRC) X(RNDD) X(RNDU) X(RNDE) \
                  X(RNDZ) X(INV) X(LOG) X(EXP) X(SQRT) X(RSQRT) X(SIN) X(COS) X(POW) X(LRP) X(CLAMP)

enum og_alu_op {
#define OG_ALU_ENUM(name) OG_ALU_##name,
  OG_ALU_OPS(OG_ALU_ENUM)
#undef OG_ALU_ENUM
  OG_ALU_OP_COUNT
};

/* d[i] = op(a[i], b[i], c[i]) for i < n, n in 1..32. Arrays are contiguous; `d` may be one of the sources, but must not
   overlap one partly. `x` is the predicate's bits for SEL, the truth table for BFN. Comparisons write one bit for each
   channel to the uint32_t at `d`. */
typedef void og_alu_fn(void *d, const void *a, const void *b, const void *c, uint32_t n, uint32_t x);

enum og_alu_pattern { OG_ALU_SCATTERED, OG_ALU_CONSECUTIVE /* address[i] == address[0] + i * step */, OG_ALU_SAME };

/* Dwords in memory at base + ((offset[i] + add) & mask), for each channel `components` of them side by side. In
   registers all channels of a component stand together, and the next component `pitch` bytes behind. */
struct og_alu_dwords {
  uint8_t *base;
  uint64_t size; /* bytes of memory that may be accessed, less than 2 GB */
  uint32_t add, mask, components, pitch;
};

/* Dwords at base + (index[i] << shift), `components` of them side by side; in registers they are `pitch` bytes
   apart. */
struct og_alu_shape {
  uint32_t shift, components, pitch;
};

struct og_alu {
  og_alu_fn *op[OG_ALU_OP_COUNT][OG_ALU_TYPES];          /* NULL: there is none for the type */
  /* With a single element for all channels as `a`, or as `b`; NULL: there is none. */
  og_alu_fn *scalar_a[OG_ALU_OP_COUNT][OG_ALU_TYPES], *scalar_b[OG_ALU_OP_COUNT][OG_ALU_TYPES];
  uint32_t (*address_pattern)(const uint64_t *addresses, uint32_t n, uint64_t step); /* enum og_alu_pattern; n > 1 */
  /* All channels' loads or stores; false, and nothing is done, when one is out of bounds. */
  bool (*load_dwords)(void *registers, const void *offsets, uint32_t n, const struct og_alu_dwords *memory);
  bool (*store_dwords)(const void *registers, const void *offsets, uint32_t n, const struct og_alu_dwords *memory);
  /* The same at indices, none of which may be above `most`. The last dword is less than 2 GB from the base. */
  bool (*load_indexed)(void *registers, const void *indices, uint32_t n, const void *base, uint32_t most,
                       const struct og_alu_shape *shape);
  bool (*store_indexed)(const void *registers, const void *indices, uint32_t n, void *base, uint32_t most,
                        const struct og_alu_shape *shape);
  /* How many cycles more than one the enabled channels' dwords at these offsets take from 16 banks of 4 bytes, for each
     sixteen channels. */
  uint32_t (*bank_conflicts)(const void *offsets, uint32_t n, uint32_t enabled);
  og_alu_fn *convert[OG_ALU_TYPES][OG_ALU_TYPES];         /* [from][to]; only d, a and n are used */
  og_alu_fn *saturate[OG_ALU_TYPES][OG_ALU_TYPES];        /* from the 64-bit integers and floats */
  og_alu_fn *broadcast[4];                                /* by log2 of the element's size: d[i] = a[0] */
  og_alu_fn *blend[4];                                    /* d[i] = x >> i & 1 ? a[i] : d[i] */
};

/* The best table for this processor. */
const struct og_alu *og_alu_table(void);

extern const uint8_t og_alu_sizes[OG_ALU_TYPES];

#endif
