/* direct.h - plans of how a form's code is printed: direct_plan.c makes them, direct.c follows them. */
#ifndef OG_ISA_DIRECT_H
#define OG_ISA_DIRECT_H

#include "isa/print.h"

enum { LEAD = 16, NAME = 48, PARTS_MOST = 24 };
enum og_plan_part_kind { WORDS, NAMED, IMMEDIATE, OPERAND, OFFSET, NUMBER, MODIFIER };

/* Text of an operand without signs and of what precedes it, copied as a whole. */
struct og_plan_name {
  char text[14];
  uint8_t size;
  uint8_t told; /* 0 until the value occurs for the first time */
};
enum { TEXT_SIZE = 14 };
enum og_plan_told { ON_BUS = 1 /* a value of the constant bus */, IS_TOLD = 2, IS_REGISTER = 4 /* and nothing else */ };

/* The same for a number in a scalar instruction such as a wait; keeps the last value for each hash. */
struct og_plan_text {
  char text[77]; /* all that the compilers' waits and delays need */
  uint8_t size;
  uint16_t value;
};
enum { TEXTS_LOG2 = 6 };

/* What the text of a register or constant depends on besides its code: for vector registers only `lead`, `dwords`,
 * `last` and `odd`. */
struct og_plan_key {
  char lead[LEAD];
  uint32_t flags, sizes, traits;
  uint16_t last, count; /* of codes */
  uint8_t odd, vectors;
  uint8_t takes, type, dwords, role, width, to, encoding, suffix;
};
struct og_plan_names {
  struct og_plan_names *next;
  struct og_plan_key key;
  struct og_plan_name items[];
};

/* Written by the name that a field of the code chooses, if that is told and none of `others` is set. */
struct og_plan_part {
  struct og_plan_name *names;
  uint64_t others[2];            /* bits that ask for more: signs, or a modifier's value */
  uint32_t mask;                 /* of the field; 0 without names, */
  uint8_t byte, shift;           /* which begins in a byte of the code */
  uint8_t kind, index;           /* enum og_plan_part_kind; slot or modifier of the shape */
  struct og_plan_text *texts;    /* of an IMMEDIATE, by hash; of one of SDWA's selections, by value */
  char lead[LEAD];               /* text before it */
  uint8_t lead_size;
  uint8_t width, to;             /* of an operand's field, shifted left by `to` */
  uint8_t neg, abs, other;       /* bits of its signs, and the one that makes other registers of it; 0: none */
  uint8_t dwords, align;         /* of scalar registers */
  uint16_t last;                 /* the last vector register that it may begin at; may that be odd: */
  bool odd : 1;
  bool vectors : 1, scalars : 1; /* written from the bits */
  bool silent : 1;               /* a modifier that is not written where it is 0 */
  bool literal : 1;              /* has had a literal of 32 bits; all are treated alike except those with a name */
  bool on_bus : 1;               /* counts as a value of the constant bus if it is scalar */
  uint32_t number, sign;         /* the same of a number, and the highest bit of one that has a sign */
};

struct og_plan {
  uint64_t checked[2], usual[2]; /* bits that must be so */
  uint64_t quiet[2];             /* the others of all parts: where they are 0, the first `loud` are all that is
                                    written */
  char name[NAME];               /* and what stands before the first part */
  uint8_t name_size, size;
  uint8_t count, loud;           /* parts */
  uint8_t bus;                   /* how many more values the constant bus takes */
  bool direct, literal_ok;
  const struct og_form *form;
  struct og_plan_part parts[];
};

struct og_printer {
  struct og_arena *arena;
  char *piece; /* of its memory, and how much of it is left */
  size_t left;
  const struct og_isa *isa;
  const struct og_tables *tables;
  const struct og_symbolizer *symbolizer;
  bool faithful;
  struct og_plan **plans; /* by form */
  struct og_plan *room;   /* for the one that is being made */
  struct og_plan_names *names[64]; /* by a hash of the key */
  struct og_plan_text selections[OG_MOD_SRC1_SEL - OG_MOD_DST_SEL + 1][8];
  struct og_plan_name untold, nothing; /* of parts that are not looked up, and of modifiers */
  struct og_inst inst; /* its modifiers are 0 but while one is written, and the offset of the last instruction */
};

/* Zeroed memory for plans and tables, for listings taken from the arena in pieces for which that takes no large page,
 * since clearing one takes as long as printing much code. The text of a source stands in memory, so that `dis` needs
 * one anyway. */
static inline void *og_plan_alloc(struct og_printer *p, size_t size) {
  enum { PIECE = 512 << 10 };
  size = og_align_up(size, 16);
  if (size > p->left)
    p->left = OG_MAX(size, p->faithful ? 0 : (size_t)PIECE), p->piece = og_arena_alloc(p->arena, p->left);
  char *memory = p->piece;
  p->piece += size, p->left -= size;
  return memory;
}

struct og_plan *og_plan_of(struct og_printer *p, unsigned form);

#endif
