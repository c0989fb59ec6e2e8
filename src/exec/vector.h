/* vector.h - between decoding of vector instructions (vector.c) and their handlers (vector_ops.h, compiled once for
 * each host instruction set): what an operation's details are, how sources are prepared and results treated. */
#ifndef OG_EXEC_VECTOR_H
#define OG_EXEC_VECTOR_H

#include "exec/exec.h"

enum og_as {
  OG_AS_NONE, OG_AS_U16, OG_AS_I16, OG_AS_F16, OG_AS_U32, OG_AS_I32, OG_AS_F32,
  OG_AS_U64, OG_AS_I64, OG_AS_F64
};
static inline bool og_as_is_64(enum og_as type) { return type >= OG_AS_U64; }
static inline bool og_as_is_16(enum og_as type) { return type >= OG_AS_U16 && type <= OG_AS_F16; }

enum og_vector_flags { /* as isa/semantics.sem says */
  OG_VECTOR_COMMUTES = 1, OG_VECTOR_KEEP = 2, OG_VECTOR_PACKED = 4, OG_VECTOR_MIX = 8, OG_VECTOR_SATURATES = 16,
  OG_VECTOR_HIGH = 32, OG_VECTOR_CARRY_IN = 64, OG_VECTOR_CARRY_OUT = 128, OG_VECTOR_READS_D = 256,
  OG_VECTOR_TABLE = 512, OG_VECTOR_SIGNS = 1024, OG_VECTOR_SIGNS01 = 2048, OG_VECTOR_PAIRS = 4096,
  OG_VECTOR_BFLOATS = 8192
};

/* What decoding must know about a vector instruction. */
struct og_vector_row {
  uint16_t row; /* of the tables: og_row_name() */
  uint8_t source[3], result; /* enum og_as */
  uint16_t flags;
};
extern const struct og_vector_row og_vector_rows[];
extern const size_t og_vector_row_count;
/* The number of what a row of the tables does: of a comparison that writes EXEC too that of the plain one, of half a
 * pair that of the instruction alone. -1: there is none. */
int og_find_vector_row(unsigned row);

/* The handlers of a row: one per hot operand shape; `clamped` is with the clamp bit of integers, `both` takes the two
 * halves of packed operands at once. Everything else goes
 * through the variant's `general`, whose op->detail is struct og_modifiers: it prepares sources in temporary registers,
 * calls the handler for registers, and treats the result. */
struct og_vector_handlers {
  og_handler *all_vector, *scalar_0, *scalar_1, *scalar_2, *clamped, *both;
};
/* What active lanes take: `from` of the lane that its own `address` and `offset` name, in bytes, among so many
 * neighbours; 0 where that is not one of `counted`. */
struct og_taken {
  const uint32_t *from, *counted, *address, *active;
  uint32_t offset, among;
};
/* All that is compiled once for each host instruction set. */
struct og_modifiers;
struct og_vector_variant {
  const char *name;
  bool (*usable)(void); /* by this machine */
  const struct og_vector_handlers *handlers;
  og_handler *general;
  og_handler *multiply, *convert; /* op->detail is struct og_matrix_plan, struct og_conversion_detail */
  og_handler *permute_table, *four_sums; /* v_perm_pk16_*, v_mqsad_u32_u8 */
  void (*expand_mask)(uint32_t *lanes, uint64_t mask);
  void (*take_lanes)(uint32_t *to, const struct og_taken *taken); /* ds_bpermute_b32 */
  /* Output modifier and clamp of float results. */
  void (*treat_float)(struct og_wave *wave, const struct og_modifiers *modifiers, uint32_t *d);
};
/* Best first; the last one runs everywhere. */
extern const struct og_vector_variant *const og_vector_variants[];
extern const size_t og_vector_variant_count;

enum og_source_kind { OG_SOURCE_VECTOR, OG_SOURCE_SCALAR, OG_SOURCE_PREPARED };
enum og_select { OG_SELECT_BYTE0, OG_SELECT_WORD0 = 4, OG_SELECT_WORD1, OG_SELECT_DWORD }; /* as SDWA encodes them */
enum og_unused { OG_UNUSED_PAD, OG_UNUSED_SEXT, OG_UNUSED_PRESERVE };

struct og_modifiers {
  og_handler *handler; /* does it once all sources are registers */
  og_handler *both;    /* of packed ones: NULL, or the same of whole registers */
  bool packed, mix, bfloats, pairs, reads_d, writes_mask, has_table;
  uint8_t kind[3];    /* enum og_source_kind */
  uint8_t type[3];    /* enum og_as */
  uint8_t select[3];  /* enum og_select */
  uint8_t flags[3];   /* OG_NEG, OG_ABS, OG_SEXT */
  uint8_t order[3];   /* which source of the encoding each is */
  bool plain_result;  /* nothing below applies but perhaps DPP */
  uint8_t result;     /* enum og_as */
  uint8_t dst_select, dst_unused;
  bool clamp;
  uint8_t omod, table;
  bool dpp;           /* of source 0 */
  bool bound_ctrl, fetch_inactive, dpp_rows; /* the latter: all read within their row of 16 lanes */
  uint8_t row_mask, bank_mask;
  int16_t dpp_ctrl;   /* -1: dpp8 */
  uint32_t dpp8;
  uint64_t dpp_exists, dpp_enabled; /* DPP: lanes that have a source at all; that row and bank masks let write */
  uint8_t dpp_from[OG_LANES];       /* which lane it is; its own where there is none */
  uint8_t op_sel, op_sel_hi, neg_lo, neg_hi; /* packed, mix and pairs */
};

/* Fills in what DPP's control word says of each lane. */
void og_find_dpp_lanes(struct og_modifiers *modifiers);
/* Which source of the encoding each of an operation's is: VGPR indexing counts those. */
const uint8_t *og_source_order(const struct og_program *program, const struct og_operation *op);

/* VGPR indexing (MODE.gpr_idx_en): a copy of the operation with its VGPRs moved by M0[7:0], as M0[15:12] says. False:
 * there are no such registers. */
bool og_operation_indexed(const struct og_wave *wave, const struct og_operation *op, struct og_operation *copy);

/* Vector instructions that are not per lane: lanes.c. */
bool og_prepare_lanes(struct og_program *program, unsigned row, const struct og_inst *inst,
                      struct og_operation *op);

/* A mask of lanes (VCC, EXEC, an SGPR pair, or one SGPR in wave32). */
static inline uint64_t og_mask_at(const struct og_wave *wave, uint32_t offset) {
  const void *at = (const char *)wave + offset;
  return wave->wave_size == 32 ? og_load32(at) : og_load64(at);
}
static inline uint64_t og_mask(const struct og_wave *wave, enum og_scalar at) {
  return og_mask_at(wave, OG_AT_S(at));
}
static inline void og_set_mask_at(struct og_wave *wave, uint32_t offset, uint64_t mask) {
  if (wave->wave_size == 32)
    og_store32(og_at(wave, offset), (uint32_t)mask);
  else
    og_store64(og_at(wave, offset), mask);
}

#endif
