/* forms.h - what the files that read an instruction share: the forms of a mnemonic and how the text fits one. */
#ifndef OG_FORMS_H
#define OG_FORMS_H

#include "isa/pieces.h"
#include "isa/rules.h"
#include "isa/text/parts.h"

#include <string.h>

/* An operand of a form's text. */
enum { OG_NO_FIELD = 255 };
struct og_place {
  uint64_t taken, refused;    /* sets of operand classes: those for which og_match_operand() has answered */
  const struct og_slot *slot; /* NULL: the word "off" */
  uint8_t takes, role;        /* the slot's */
  uint8_t dwords;             /* the size of a register that has none of its own */
  uint8_t word, at, to;       /* a register's number, turned right by `to`, stands there in the code; OG_NO_FIELD: where
                                 og_encode_operand() knows */
  uint16_t vector;            /* what is added to a vector register's number */
};

/* The modifiers of a shape. */
struct og_mod_places {
  uint8_t order[OG_MOD_COUNT]; /* place of each in the text, from 1; 0 for those that have none */
  uint8_t slots[OG_MOD_COUNT]; /* number of its slot in the shape, from 1; 0 if it has none */
};

/* The part of a candidate that its line has no room for. */
struct og_candidate_code {
  uint64_t words[2];                /* the code without any modifiers */
  const struct og_mod_places *mods; /* one for all forms of the shape: it stays in the cache */
  uint8_t offset_width;             /* in bits; 0 or 32: any value */
  bool offset_signed;
};

/* A form that a mnemonic may name, and what its text requires, read from its shape once. One cache line. */
struct og_candidate {
  uint64_t written, requires, accepts; /* sets of enum og_mod: allowed in the text, required there; in the code */
  const struct og_form *form;
  const struct og_shape *shape;
  struct og_place *places;
  const struct og_candidate_code *code; /* once all are made */
  uint16_t rules;       /* og_rules_of() */
  uint16_t id;
  unsigned count : 5, least : 5; /* operands, and those that may not be left out */
  unsigned free_scalars : 2;     /* so many scalar values may be read beside those that no operand names */
  unsigned addresses : 4;        /* registers in the brackets of an image's address */
  unsigned left_out : 6;   /* enum og_takes: the form has operands of that kind, but not in this text */
  unsigned encoding : 5;   /* the form's */
  unsigned bare : 1;       /* a text without modifiers gives it no others */
  unsigned forces_glc : 1; /* the form is the one with glc */
  unsigned direct : 1;     /* each operand and each modifier has bits of its own: og_match.direct */
  unsigned compares : 1;   /* a short comparison that does not name its result */
  unsigned at_once : 1;    /* its operands can be matched one by one, as they are read */
};

/* With its candidates and their places after it. */
struct og_mnemonic {
  const struct og_isa *isa; /* the tables of these forms: the target's own unless a feature added them */
  struct og_candidate *candidates;
  struct og_mnemonic *brought; /* forms of the name that -mattr adds from another generation; NULL: none */
  uint32_t name_size;
  uint16_t count;
  bool wave_sync;   /* one of the global wave sync */
  bool begins_pair; /* the first half's name */
  char name[];
};

/* How far a form matched: the error reported is that of the form that matched farthest. */
struct og_failure {
  unsigned progress;
  const char *at, *end, *message;
};

/* Most names differ in their first letters: comparing these costs less than a call. */
static inline bool og_has_prefix(const char *name, const char *prefix) {
  while (*prefix && *name == *prefix)
    name++, prefix++;
  return !*prefix;
}
static inline bool og_fail(struct og_failure *f, unsigned progress, const char *at, const char *end,
                           const char *message) {
  if (!f->message || progress > f->progress)
    *f = (struct og_failure){progress, at, end, message};
  return false;
}

/* Where tuples of vector registers begin at even numbers. */
static inline bool og_is_odd_tuple(const struct og_slot *slot, const struct og_text_operand *t) {
  return (t->register_kind == OG_OPERAND_VGPR || t->register_kind == OG_OPERAND_AGPR) && t->dwords > 1 && t->reg & 1 &&
         !t->is_list && !(slot->flags & OG_SLOT_ODD);
}

/* The modifier as written; NULL if it is absent. */
static inline const struct og_text_modifier *og_modifier_text(const struct og_inst_text *text, enum og_mod mod) {
  for (uint32_t i = 0; i < text->modifier_count; i++)
    if (text->modifiers[i].mod == mod)
      return &text->modifiers[i];
  return NULL;
}

/* ---- mnemonic.c */

/* The suffix that the name ends with, and the name before it. */
enum og_suffix og_split_suffix(struct og_text name, struct og_text *base);
/* Whether the form may be named with that suffix. */
bool og_suffix_fits(const struct og_form *form, unsigned suffix);

/* Mnemonics are taken in any case; the tables hold them in lower case. */
struct og_text og_lower_case(struct og_inst_reader *in, struct og_text name);
/* Without candidates if the target lacks that mnemonic; never NULL. */
struct og_mnemonic *og_find_mnemonic(struct og_inst_reader *in, struct og_text name);
/* enum og_mod of a word that is literally part of forms' text, such as "offen"; -1 for others. */
int og_word_modifier(struct og_text word);

/* ---- match_operand.c: NULL, or why the text does not fit the slot */

extern const char og_no_operand[]; /* "invalid operand for instruction" */
const char *og_match_operand(struct og_inst_reader *in, const struct og_form *form, const struct og_slot *slot,
                             const struct og_text_operand *t, struct og_match *m);

/* The mask that v_cndmask_b32 reads implicitly. It can only be VCC in the short encoding and, from gfx10 on, in
 * encodings made from it. */
static inline bool og_may_be_left_out(const struct og_inst_reader *in, const struct og_form *form,
                                      const struct og_slot *slot) {
  return slot->takes == OG_TAKES_VCC && !(form->writes & OG_IMPLICIT_VCC) &&
         (form->variant == OG_VARIANT_NONE || in->target->processor->major >= 10);
}

/* ---- match_modifier.c */

/* The code's values for modifiers that the text does not give. */
void og_default_modifiers(const struct og_candidate *c, uint64_t given, int32_t mod[OG_MOD_COUNT]);
/* Whether there are none such, nor any that the text must give. */
bool og_is_bare(const struct og_candidate *c);
/* Set of enum og_mod: those whose bits stand with the sources, one each. */
static const uint64_t og_source_modifiers =
    OG_BIT(OG_MOD_OP_SEL) | OG_BIT(OG_MOD_OP_SEL_HI) | OG_BIT(OG_MOD_NEG_LO) | OG_BIT(OG_MOD_NEG_HI);
const char *og_offset_fault(struct og_inst_reader *in, const struct og_candidate *c, int32_t value);
/* How many bits an offset has. */
unsigned og_offset_width(const struct og_inst_reader *in, const struct og_candidate *c, bool *is_signed);
bool og_match_modifiers(struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                        struct og_match *m, struct og_failure *f);
bool og_match_halves(const struct og_candidate *c, const struct og_inst_text *text, struct og_match *m,
                     struct og_failure *f);

/* ---- rules.c: checks across operands and modifiers. False with a diagnostic */

/* The rules that may concern a form. */
uint16_t og_rules_of(const struct og_inst_reader *in, const struct og_candidate *c);
/* Those that may concern a text: none in most cases. */
enum { OG_SCALARS_RULE, OG_LITERALS_RULE, OG_REGISTERS_RULE = 7, OG_MODIFIERS_RULE = 9 };
static inline unsigned og_rules_left(const struct og_inst_reader *in, const struct og_candidate *c,
                                     const struct og_inst_text *text, const struct og_match *m) {
  bool no_literal = m->direct && !m->has_literal &&
                    c->encoding != OG_ENC_VOPD, /* whose halves may each hold a constant */
       few_scalars = text->scalars <= c->free_scalars;
  return (c->rules & ~((unsigned)no_literal << OG_LITERALS_RULE | (unsigned)few_scalars << OG_SCALARS_RULE)) |
         (unsigned)text->watched << OG_REGISTERS_RULE |
         (unsigned)((text->given & in->ruled) != 0) << OG_MODIFIERS_RULE;
}
bool og_obeys_rules(struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                    const struct og_match *m, unsigned left);

/* ---- wording/: what LLVM's assembler says where something is refused. All yield false */

/* For a mnemonic that the target lacks. */
bool og_unknown_mnemonic(struct og_inst_reader *in, struct og_text name);
bool og_unknown_pair(struct og_inst_reader *in, struct og_text mnemonic);
/* Reports a refused instruction as LLVM does, replacing the diagnostics from `before` on, unless it finds nothing. */
void og_diagnose_refusal(struct og_inst_reader *in, struct og_text mnemonic, const char *operands, size_t before);

#endif
