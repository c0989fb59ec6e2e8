/* direct.h - plans of how a form's code is printed: direct_plan.c makes them, direct.c follows them. */
#ifndef OG_ISA_DIRECT_H
#define OG_ISA_DIRECT_H

#include "isa/print.h"

enum { LEAD = 16, NAME = 48, PARTS_MOST = 24, CODES = 512 };
enum og_plan_part_kind { WORDS, NAMED, IMMEDIATE, OPERAND, OFFSET, MODIFIER };

/* Text of an operand without signs and of what precedes it, copied as a whole; `told` is 0 until the value occurs for
 * the first time. */
struct og_plan_name {
  char text[14];
  uint8_t size, told; /* told: IS_KNOWN, and 1 for a value of the constant bus */
};
enum { TEXT_SIZE = 14, IS_KNOWN = 8 /* so that those of FIELDS_MOST can be summed up */ };

/* The same for a number in a scalar instruction such as a wait; keeps the last value for each hash. */
struct og_plan_text {
  char text[77]; /* all that the compilers' waits and delays need */
  uint8_t size;
  uint16_t value;
};
enum { TEXTS_LOG2 = 6 };
static inline unsigned og_plan_hash(unsigned value) { return (value * 0x9e37u & 0xffff) >> (16 - TEXTS_LOG2); }

/* What the text of a register or constant depends on besides its code: for vector registers only `lead`, `dwords`,
 * `last` and `odd`. */
struct og_plan_key {
  char lead[LEAD];
  uint32_t flags, sizes, traits;
  uint16_t last, count; /* of codes */
  uint8_t odd, vectors;
  uint8_t takes, type, dwords, role, width, to, encoding, suffix, literal_ok;
};
struct og_plan_names {
  struct og_plan_names *next;
  struct og_plan_key key;
  struct og_plan_name items[];
};

/* A part that is looked up by bits of the code. */
struct og_plan_field {
  const struct og_plan_name *names;
  uint16_t mask;       /* of the field, */
  uint8_t byte, shift; /* which begins in a byte of the code, */
};
enum { FIELDS_MOST = 7, NO_FIELDS = 255 };

struct og_plan_part {
  char lead[LEAD]; /* text before it */
  struct og_plan_name *names;    /* by the bits; NULL: not looked up */
  struct og_plan_text *texts;    /* of an IMMEDIATE, by hash */
  uint8_t lead_size;
  uint8_t kind, index;           /* enum og_plan_part_kind; slot or modifier of the shape */
  struct og_plan_field field;    /* the operand's bits, without names, which come to a number */
  uint8_t width, to;             /* shifted left by `to` */
  uint8_t neg, abs, acc;         /* bits of its signs, and the one that makes accumulation registers of it; 0: none */
  uint8_t dwords, align;         /* of scalar registers */
  uint16_t last;                 /* the last vector register that it may begin at; may that be odd: */
  bool odd : 1;
  bool vectors : 1, scalars : 1; /* written from the bits */
  bool silent : 1;               /* a modifier that is not written where it is 0 */
  bool literal : 1;              /* has had a literal of 32 bits; all are treated alike except those with a name */
  bool on_bus : 1;               /* counts as a value of the constant bus if it is scalar */
};

struct og_plan {
  uint64_t checked[2], usual[2]; /* bits that must be so */
  uint64_t quiet[2];             /* with those that must be 0, too, for `fields` to be all that is written */
  char name[NAME];               /* and what stands before the first part */
  uint8_t name_size, size;
  uint8_t count, bus;            /* of parts; how many more values the constant bus takes */
  bool direct;
  uint8_t field_count;           /* NO_FIELDS: not all can be looked up */
  struct og_plan_field fields[FIELDS_MOST];
  struct og_plan_text *texts;    /* of the only part, if that is an IMMEDIATE of the lowest bits: */
  uint16_t text_mask;
  struct og_plan_part parts[];
};

struct og_printer {
  struct og_arena *arena;
  const struct og_isa *isa;
  const struct og_tables *tables;
  bool faithful;
  struct og_plan **plans; /* by form */
  struct og_plan *room;   /* for the one that is being made */
  struct og_plan_names *names[64]; /* by a hash of the key */
  struct og_inst inst; /* its modifiers are 0 but while one is written */
};

const struct og_plan *og_plan_of(struct og_printer *p, unsigned form);

#endif
