/* rows.h - the form of rows.def's rows: steps of host instructions on an operation's operands. Internal to src/tier. */
#ifndef OG_TIER_ROWS_H
#define OG_TIER_ROWS_H

#include "tier/unit.h"

/* name, instruction, whether its last operand may be one dword for all lanes */
/* clang-format off */
#define STEPS(X) \
  X(MOVE, OG_VEX(0, 1, 0, 0x10), false) X(AND, OG_VEX(1, 1, 0, 0xdb), true) X(ANDN, OG_VEX(1, 1, 0, 0xdf), true) \
  X(OR, OG_VEX(1, 1, 0, 0xeb), true) X(XOR, OG_VEX(1, 1, 0, 0xef), true) X(ADD, OG_VEX(1, 1, 0, 0xfe), true) \
  X(SUB, OG_VEX(1, 1, 0, 0xfa), true) X(MUL, OG_VEX(1, 2, 0, 0x40), true) X(MUL_EVEN, OG_VEX_W1(1, 1, 0xf4), false) \
  X(ODD_DOWN, OG_VEX_W1(1, 1, 0x73), false) X(SHIFT_LEFT, OG_VEX(1, 2, 0, 0x47), true) \
  X(SHIFT_RIGHT, OG_VEX(1, 2, 0, 0x45), true) X(SHIFT_ARITHMETIC, OG_VEX(1, 2, 0, 0x46), true) X(RANGE, 0, false) \
  X(MIN_U, OG_VEX(1, 2, 0, 0x3b), true) X(MAX_U, OG_VEX(1, 2, 0, 0x3f), true) X(MIN_I, OG_VEX(1, 2, 0, 0x39), true) \
  X(MAX_I, OG_VEX(1, 2, 0, 0x3d), true) X(ADD_F, OG_VEX(0, 1, 0, 0x58), true) X(SUB_F, OG_VEX(0, 1, 0, 0x5c), true) \
  X(MUL_F, OG_VEX(0, 1, 0, 0x59), true) X(TO_FLOAT, OG_VEX(0, 1, 0, 0x5b), true) \
  X(FMA_F, OG_VEX(1, 2, 0, 0xb8), true) X(FLUSH, 0, false) X(BELOW, 0, false) X(OR_BELOW, 0, false) \
  X(ADD_CARRY, OG_VEX(1, 1, 0, 0xfa), false) X(SUB_CARRY, OG_VEX(1, 1, 0, 0xfe), false) X(SELECT, 0, false) \
  X(COMPARE_I, 0, false) X(COMPARE_U, 0, false) X(COMPARE_F, 0, false) X(ROUND, OG_VEX(1, 3, 0, 0x08), false) \
  X(WIDEN, 0, false) X(NARROW, 0, false) X(ADD_D, OG_VEX_W1(1, 1, 0x58), false) \
  X(MUL_D, OG_VEX_W1(1, 1, 0x59), false) X(FMA_D, OG_VEX(1, 2, 1, 0xb8), false) \
  X(RECIPROCAL_D, 0, false) X(ROOT_D, 0, false) X(RECIPROCAL_ROOT_D, 0, false) X(ROUND_D, OG_VEX_W1(1, 3, 0x09), false) \
  X(FROM_INTEGER_D, OG_VEX(2, 1, 0, 0xe6), false) X(FROM_FLOAT_D, OG_VEX(0, 1, 0, 0x5a), false) \
  X(TO_INTEGER_D, OG_VEX_W1(1, 1, 0xe6), false) X(TO_FLOAT_D, OG_VEX_W1(1, 1, 0x5a), false) X(COMPARE_D, 0, false) \
  X(COMPARE_Q, 0, false) X(COMPARE_UQ, 0, false) X(FROM_UNSIGNED, 0, false) X(TO_UNSIGNED, 0, false) \
  X(DIVIDE_F, OG_VEX(0, 1, 0, 0x5e), true) X(ROOT_F, OG_VEX(0, 1, 0, 0x51), false) \
  X(TO_INTEGER, OG_VEX(2, 1, 0, 0x5b), false) X(DIVIDE_SCALE, 0, false) X(DIVIDE_FMAS, 0, false) \
  X(DIVIDE_FIXUP, 0, false) X(DIVIDE_SCALE_D, 0, false) X(DIVIDE_FMAS_D, 0, false) X(DIVIDE_FIXUP_D, 0, false) \
  X(LANES_BELOW, 0, false) X(COUNT, 0, false)
/* clang-format on */
enum step_name {
#define X(name, instruction, broadcasts) name,
  STEPS(X)
#undef X
};

enum operand {
  NONE,
  D,
  DH,
  OLD,
  S0,
  S1,
  S2,
  S0H,
  S1H,
  S2H,
  T0,
  T1,
  T2,
  CI,
  CO,
  N3,
  N1,
  N2,
  N4,
  N6,
  N8,
  N15,
  N16,
  N22,
  N23,
  N24,
  N31,
  N32,
  N63,
  N127,
  N158,
  ZERO,
  LOW8,
  LOW16,
  LOW24,
  PAIRS,
  FOURS,
  BYTES,
  SHORTS,
  ONES,
  SIGN,
  SIZE,
  EXPONENT,
  SIGN16,
  ONE_F,
  NOT_SIGN16,
  QUIET,
  LEAST_NORMAL,
  ODD
};

struct step {
  uint8_t what, to, first, second;
};
enum { STEPS_MOST = 24 };
struct og_lane_code {
  uint16_t row; /* OG_ROW_* */
  struct step steps[STEPS_MOST]; /* up to one that is all zero */
  uint8_t predicate;             /* of comparisons and roundings: the instruction's immediate */
};

/* ---- operand.c ---- */
/* The last operand of an instruction; one that has to be a register: `spare` is for constants. */
struct og_place og_place_of(struct og_unit *unit, const struct og_item *item, enum operand operand, bool broadcasts);
unsigned og_register_of(struct og_unit *unit, const struct og_item *item, enum operand operand, unsigned spare);
/* Where a step's result is made: in place, or in a temporary register, which og_finish_result() takes it from. No later
 * step reads that. */
struct og_result {
  unsigned reg, mask;
  bool moves;
  unsigned vgpr;
};
struct og_result og_result_of(struct og_unit *unit, const struct og_item *item, enum operand to);
void og_finish_result(struct og_unit *unit, const struct og_result *result);
/* One dword in all lanes; the constant that an operand is, if it is one; parts of sources and sources with neg or abs,
 * into registers of their own. */
void og_emit_broadcast(struct og_unit *unit, unsigned reg, struct og_place from);
bool og_constant_of(const struct og_unit *unit, const struct og_item *item, enum operand operand, uint32_t *value);
void og_prepare_sources(struct og_unit *unit, const struct og_item *item);

/* ---- mask.c ---- */
/* KMOVW and its kin. */
void og_emit_k(struct og_unit *unit, unsigned opcode, unsigned reg, unsigned first, struct og_place last, bool two);
/* A mask in the wave, to and from where steps have it: that which an item reads. */
void og_load_carry(struct og_unit *unit, const struct og_item *item);
void og_store_carry(struct og_unit *unit, uint32_t offset);
void og_emit_below(struct og_unit *unit, unsigned k, unsigned lanes, unsigned first, struct og_place second,
                   unsigned mask);
void og_emit_compare(struct og_unit *unit, const struct og_item *item, const struct step *step);
void og_emit_carry(struct og_unit *unit, const struct og_item *item, const struct step *step, uint32_t instruction);
void og_emit_select(struct og_unit *unit, const struct og_item *item, const struct step *step);
/* Who wants the mask that an item writes: nobody, before it is written anew; those that find it in k1; others. */
enum og_wanted { OG_WANTED_NOT, OG_WANTED_SOON, OG_WANTED_LATER };
enum og_wanted og_carry_wanted(const struct og_unit *unit, const struct og_item *item);

/* ---- vector.c ---- */
void og_emit_fma(struct og_unit *unit, const struct og_item *item, const struct step *step);

/* ---- doubles.c ---- */
/* Comparisons of 64 bits: a mask, as all of them leave it. */
void og_emit_compare_64(struct og_unit *unit, const struct og_item *item, const struct step *step);
/* Numbers of 32 bits to doubles, T0 and T1; doubles to numbers of 32 bits, T0: by the host's instruction. */
void og_emit_to_double(struct og_unit *unit, const struct og_item *item, uint32_t instruction);
void og_emit_from_double(struct og_unit *unit, const struct og_item *item, uint32_t instruction, bool saturates);
/* Roots, reciprocals and whole numbers: T0 and T1 get the result, as from og_emit_double(). */
void og_emit_double_root(struct og_unit *unit, const struct og_item *item, const struct step *step);

/* ---- dpp.c ---- */
bool og_recognize_dpp(const struct og_unit *unit, const struct og_item *item);
/* Whether it leaves lanes of the result as they are though all are active. */
bool og_keeps_lanes(const struct og_unit *unit, const struct og_item *item);
/* The source as lanes fetch it, to P0; the whole operation. */
void og_emit_dpp_source(struct og_unit *unit, const struct og_item *item);
void og_emit_dpp(struct og_unit *unit, const struct og_item *item);
/* vector.c: an operation, its source fetched like others' parts. */
void og_emit_plain_vector_item(struct og_unit *unit, const struct og_item *item);

/* ---- range.c ---- */
void og_emit_range(struct og_unit *unit, const struct og_item *item, const struct step *step);

/* ---- division.c ---- */
bool og_is_division(const struct og_item *item);
/* Whether code for it holds: with sources and modes as compilers have them. */
bool og_recognize_division(struct og_unit *unit, const struct og_item *item);
void og_emit_division(struct og_unit *unit, const struct og_item *item, const struct step *step);

#endif
