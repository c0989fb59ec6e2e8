/* parts.h - an instruction's text in pieces, before it is known which form it is. */
#ifndef OG_PARTS_H
#define OG_PARTS_H

#include "isa/text/text.h"

enum { OG_TEXT_OPERANDS = 24, OG_TEXT_MODIFIERS = 40 };

enum og_text_kind {
  OG_TEXT_REGISTER,
  OG_TEXT_INTEGER,
  OG_TEXT_REAL,
  OG_TEXT_EXPR,
  OG_TEXT_OFF,
  OG_TEXT_SPECIAL /* hwreg(...), sendmsg(...) ...: value */
};

/* Registers of a list; in an image's address they need not be consecutive. */
struct og_text_list {
  uint16_t registers[13];
  uint8_t dwords[13], count;
};

/* Sets of enum og_mod. */
_Static_assert(OG_MOD_COUNT <= 64, "a set of modifiers has 64 bits");
#define OG_BIT(mod) (UINT64_C(1) << (mod))
static inline bool og_has(uint64_t set, unsigned mod) { return set >> mod & 1; }

struct og_text_operand {
  uint8_t kind;          /* enum og_text_kind */
  uint8_t register_kind; /* enum og_operand_kind */
  uint8_t dwords, flags; /* flags: enum og_operand_flags */
  uint8_t class;         /* one of those below; 0: none */
  bool half;             /* .l or .h was given */
  bool literal;          /* lit(1): never as an inline constant */
  bool wide_literal;     /* lit64(1): in 64 bits */
  bool minus_literal;    /* -lit(1): a sign that short encodings do not apply, as they do that of neg() */
  bool twice_negative;   /* --1: no sign of an operand that has signs of its own */
  bool bare_sign;        /* abs, neg or sext without a parenthesis: a symbol if there are no signs */
  bool is_list;          /* [v0, v5]: registers that are not consecutive; all are in `list` */
  uint16_t reg;
  const char *literal_at;          /* where lit() or lit64() begins */
  const struct og_text_list *list; /* valid until the next operand is read; NULL where there is none */
  union {
    int64_t value;
    double real;
    const struct og_expr *expr;
  };
  const char *at, *end;
};

/* OG_MOD_CPOL: what the name of a temporal hint is for. */
enum {
  OG_TH_LOAD = 1 << 16,
  OG_TH_STORE = 1 << 17,
  OG_TH_ATOMIC = 1 << 18,
  OG_TH_BYPASS = 1 << 19,
  OG_TH_KINDS = 15 << 16,
  OG_SCOPE_GIVEN = 1 << 20,
  OG_CPOL_MARKS = OG_TH_KINDS | OG_SCOPE_GIVEN
};
enum { OG_FORMAT_HAS_DATA = 0x100, OG_FORMAT_HAS_NUMBER = 0x200 }; /* OG_MOD_FORMAT: dfmt, nfmt */
struct og_text_modifier {
  uint8_t mod;          /* enum og_mod */
  int32_t value, named; /* named: words of the cache policy, those with "no" before them too */
  const char *at, *end;
};

struct og_inst_text {
  struct og_text_operand operands[OG_TEXT_OPERANDS];
  struct og_text_modifier modifiers[OG_TEXT_MODIFIERS];
  uint32_t operand_count, modifier_count;
  uint8_t scalars;    /* operands that are no vector registers */
  bool watched;       /* an operand is an absolute value or lds_direct, which some forms do not take */
  uint64_t given;     /* set of enum og_mod: the modifiers' */
  uint32_t addresses; /* of an image, given one by one in brackets */
};

/* ---- reader.c: at the cursor ---- */

void og_in_comments(struct og_inst_reader *in);
static inline void og_in_space(struct og_inst_reader *in) {
  bool comment;
  in->p = og_after_blank(in->p, &comment);
  if (comment)
    og_in_comments(in);
}
/* Skips blanks: what stands behind them. */
static inline const char *og_in_at(struct og_inst_reader *in) { return og_in_space(in), in->p; }
static inline bool og_in_at_end(const struct og_inst_reader *in) { return og_ends_statement(in->p); }
/* Error at `at` for `size` bytes; yields false. */
bool og_in_error(struct og_inst_reader *in, const char *at, size_t size, const char *format, ...) OG_PRINTF(4, 5);
/* The same from there to the cursor. */
#define og_in_refuse(in, from, ...) og_in_error(in, from, (size_t)((in)->p - (from)), __VA_ARGS__)
void og_in_warning(struct og_inst_reader *in, const char *at, const char *message);
/* Skips blanks and the character, if it is there. */
static inline bool og_in_accept(struct og_inst_reader *in, char c) {
  og_in_space(in);
  bool here = *in->p == c;
  in->p += here;
  return here;
}
/* The same; `message` is the error otherwise. */
static inline bool og_in_expect(struct og_inst_reader *in, char c, const char *message) {
  return og_in_accept(in, c) || og_in_error(in, in->p, 1, "%s", message);
}
/* A name; empty if there is none. */
static inline struct og_text og_in_word(struct og_inst_reader *in) {
  const char *start = og_in_at(in);
  if (og_name_start(*start))
    in->p = og_after_short_name(start, in->wide);
  return (struct og_text){start, (size_t)(in->p - start)};
}
bool og_in_string(struct og_inst_reader *in, struct og_text *out);
bool og_in_expression(struct og_inst_reader *in, enum og_expression kind, struct og_operand_value *out);
bool og_in_absolute(struct og_inst_reader *in, int64_t *out);

/* ---- register.c ---- */

/* Decimal digits at p; -1 if there are none or too many. */
int og_small_number(const char *p, const char **end);
/* If a register stands at the cursor, reads it. *ok is false if it is one but wrong, with a diagnostic. */
bool og_read_register(struct og_inst_reader *in, struct og_text_operand *out, bool *ok);
/* The same of those that have names, not numbers. */
bool og_read_named_register(struct og_inst_reader *in, struct og_text_operand *out, bool *ok);
/* If ".l" or ".h" stands at *p, which moves behind it, the register is such a half. */
static inline bool og_read_half(const char **p, struct og_text_operand *out) {
  const char *at = *p;
  if (*at != '.' || (at[1] != 'l' && at[1] != 'h') || og_name_char(at[2]))
    return false;
  out->half = true;
  out->flags = at[1] == 'h' ? OG_HALF_HI : 0;
  *p = at + 2;
  return true;
}

/* ---- operand.c ---- */

/* Classes of registers that no form tells apart: the same kind, size, evenness of the number, and side of 128. 1 to
 * 63; 0 if the text is not just such a register. Whole numbers from 0 to 64 form a class, too. */
enum { OG_CLASS_SMALL = 29, OG_SMALL_MOST = 64 };
/* By dwords: the first class of vector registers, and that of scalar ones; 0 where they have none. */
extern const uint8_t og_vector_classes[33], og_scalar_classes[33];
static inline uint8_t og_vector_class(unsigned reg, unsigned dwords) {
  unsigned first = og_vector_classes[dwords];
  return first ? (uint8_t)(first + (reg >= 128) * 2 + (reg & 1)) : 0;
}

/* The number at p, of at most three digits, 999 where none is; four characters can be read. Yields where the text goes
 * on. How many digits there are cannot be foreseen, so it decides no branch. */
static inline const char *og_short_number(const char *p, unsigned *out) {
  uint32_t digits = og_load32(p) ^ 0x30303030, /* in each byte */
           others = ((digits + 0x76767676) | digits) & 0x80808080;
  unsigned bits = (unsigned)__builtin_ctz(others | UINT32_C(1) << 31) & 24; /* eight times as many as there are */
  if (!bits || (bits > 8 && !(uint8_t)digits))
    return *out = 999, p;
  digits <<= 32 - bits; /* the last one on top, zeros below the first */
  *out = ((digits * 10 + (digits >> 8)) >> 8 & 255) * 10 + (digits >> 24);
  return p + bits / 8;
}

enum { OG_SGPRS_LEAST = 102 }; /* that every processor has */
/* Most operands are like v1 and s[2:3], with numbers that every processor has: reads one, or yields false. Not at the
 * end of a text. */
static inline bool og_plain_register(struct og_inst_reader *in, struct og_text_operand *out) {
  const char *p = in->p;
  bool vector = *p == 'v';
  if ((!vector && *p != 's') || p >= in->wide)
    return false;
  unsigned first, last, dwords = 1;
  if (p[1] == '[') {
    p = og_short_number(p + 2, &first);
    if (*p != ':')
      return false;
    p = og_short_number(p + 1, &last);
    dwords = last - first + 1;
    if (*p++ != ']' || dwords - 1 >= 32 || (dwords > 12 && dwords != 16 && dwords != 32) ||
        (!vector && first & (dwords > 2 ? 3 : dwords - 1)))
      return false;
  } else {
    p = og_short_number(p + 1, &first);
    last = first;
  }
  out->class = vector ? og_vector_class(first, dwords) : og_scalar_classes[dwords];
  if (last >= (vector ? OG_VECTOR_REGISTERS : OG_SGPRS_LEAST))
    return false;
  if (og_name_char(*p) || *p == '@') {
    if (!vector || dwords != 1 || !og_read_half(&p, out) || og_name_char(*p) || *p == '@')
      return false;
    out->class = 0;
  }
  in->p = p;
  out->register_kind = vector ? OG_OPERAND_VGPR : OG_OPERAND_SGPR;
  out->reg = (uint16_t)first;
  out->dwords = (uint8_t)dwords;
  out->kind = OG_TEXT_REGISTER;
  return true;
}

/* One operand at the cursor; `takes` is what the first form of the mnemonic has at this place. */
bool og_read_operand(struct og_inst_reader *in, enum og_takes takes, struct og_text_operand *out);

/* A number or an expression, lit() around it or not; between bars no operators of two sides. */
bool og_read_number(struct og_inst_reader *in, bool in_bars, struct og_text_operand *out);

/* ---- modifier.c ---- */

/* enum og_mod of the modifier's name at the cursor, -1 if the processor knows none of that name. */
int og_modifier_at(struct og_inst_reader *in, bool *flag);
/* If a modifier stands at the cursor, adds it to `text`. *ok as above. */
bool og_read_modifier(struct og_inst_reader *in, struct og_inst_text *text, bool *ok);

/* ---- special.c: operands that are written as functions of names ---- */

bool og_read_hwreg(struct og_inst_reader *in, int64_t *out);
bool og_read_sendmsg(struct og_inst_reader *in, int64_t *out);
bool og_read_waitcnt(struct og_inst_reader *in, int64_t *out);
bool og_read_gpr_idx(struct og_inst_reader *in, int64_t *out);
bool og_read_delay_alu(struct og_inst_reader *in, int64_t *out);
bool og_read_depctr(struct og_inst_reader *in, int64_t *out);
bool og_read_swizzle(struct og_inst_reader *in, int64_t *out);
bool og_read_exp_target(struct og_inst_reader *in, int64_t *out);

/* ---- vopd.c: two instructions in one ---- */

/* The name of the second half, after "::" in the statement; in->colons is set to the "::". Yields its place, or NULL
 * where there is no "::". */
const char *og_second_half(struct og_inst_reader *in);
/* The name of a mnemonic that may begin a pair, without a redundant _e32; empty for others. */
struct og_text og_first_half(struct og_text name);
/* Whether the processor has pairs that begin so, in any case of letters. */
bool og_begins_pair(const struct og_isa *isa, struct og_text name);
/* Writes to `room` the name under which og_find_forms() has the pair that begins with `first`; an error if the
 * statement has no second half. */
enum { OG_PAIR_ROOM = 128 };
bool og_pair_name(struct og_inst_reader *in, struct og_text first, char room[OG_PAIR_ROOM], struct og_text *pair);

#endif
