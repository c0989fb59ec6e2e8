/* instruction.h - what the files that read an instruction share: the forms of a mnemonic and how the text fits one. */
#ifndef OG_ASM_INSTRUCTION_H
#define OG_ASM_INSTRUCTION_H

#include "asm/operand.h"

#include <string.h>

/* An operand of a form's text. */
struct og_place {
  uint64_t taken, refused; /* sets of classes of registers: what og_asm_match_operand() said of them, once it did */
  const struct og_slot *slot; /* NULL: the word "off" */
  uint8_t takes, role;        /* the slot's */
};

/* A form that a mnemonic may be, and what its text asks for, read from its shape once. One cache line. */
struct og_candidate {
  uint64_t written, requires, accepts; /* sets of enum og_mod: what may be in the text, what must; what the code has */
  const struct og_form *form;
  const struct og_shape *shape;
  struct og_place *places;
  const uint8_t *order; /* by enum og_mod: place in the text, from 1; 0 for those that have none */
  uint16_t rules;       /* og_asm_rules_of() */
  uint16_t id;
  unsigned count : 6, least : 6; /* operands, and those that may not be left out */
  unsigned addresses : 4;        /* registers in the brackets of an image's address */
  unsigned left_out : 6;         /* enum og_takes: operands of that kind stand in the form, but not in this text of it */
  unsigned encoding : 6;         /* the form's */
  unsigned forces_glc : 1;       /* the form is the one with glc */
};

/* With its candidates and their places behind it. */
struct og_mnemonic {
  const struct og_isa *isa; /* whose forms these are: the target's own unless a feature brought them */
  struct og_candidate *candidates;
  uint32_t count;
  uint32_t name_size;
  bool wave_sync; /* one of the global wave sync */
  char name[];
};

/* How far a form came, so that the error is that of the form which came farthest. */
struct og_failure {
  unsigned progress;
  const char *at, *end, *message;
};

struct og_match {
  struct og_inst inst;
  const struct og_expr *expr; /* that a fixup brings in */
  const struct og_text_operand *expr_operand;
  uint8_t literal_size; /* of the expression */
  bool wide_real;       /* a double that lost its low bits */
};

/* Most names differ in their first letters, which costs less than a call. */
static inline bool og_has_prefix(const char *name, const char *prefix) {
  while (*prefix && *name == *prefix)
    name++, prefix++;
  return !*prefix;
}
static inline unsigned og_slot_width(const struct og_slot *slot) {
  return slot->pieces[0].width + (unsigned)slot->pieces[1].width;
}
static inline bool og_fail(struct og_failure *f, unsigned progress, const char *at, const char *end,
                           const char *message) {
  if (!f->message || progress > f->progress)
    *f = (struct og_failure){progress, at, end, message};
  return false;
}

/* The form's operand of that role; NULL if it has none. */
static inline const struct og_slot *og_slot_of(const struct og_shape *shape, enum og_role role) {
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (og_slots(shape)[i].role == role)
      return &og_slots(shape)[i];
  return NULL;
}
/* Whether scalar memory is read as a buffer: the base is a resource of four registers. */
static inline bool og_is_scalar_buffer(const struct og_form *form, const struct og_shape *shape) {
  const struct og_slot *base = form->encoding == OG_ENC_SMEM ? og_slot_of(shape, OG_ROLE_SBASE) : NULL;
  return base && base->dwords == 4;
}
/* Where tuples of vector registers begin at even numbers. */
static inline bool og_is_odd_tuple(const struct og_slot *slot, const struct og_text_operand *t) {
  return (t->register_kind == OG_OPERAND_VGPR || t->register_kind == OG_OPERAND_AGPR) && t->dwords > 1 && t->reg & 1 &&
         !t->is_list && !(slot->flags & OG_SLOT_ODD);
}

/* The modifier as written; NULL where it is not. */
static inline const struct og_text_modifier *og_modifier_text(const struct og_inst_text *text, enum og_mod mod) {
  for (uint32_t i = 0; i < text->modifier_count; i++)
    if (text->modifiers[i].mod == mod)
      return &text->modifiers[i];
  return NULL;
}

/* ---- mnemonic.c */

/* Mnemonics are taken in any case; the tables hold them in lower case. */
struct og_text og_asm_lower_case(struct og_asm *as, struct og_text name);
/* With no candidate where the target has not that mnemonic; never NULL. */
struct og_mnemonic *og_asm_find_mnemonic(struct og_asm *as, struct og_text name);
/* enum og_mod of a word that stands in the text of forms for themselves, such as "offen"; -1 for others. */
int og_asm_word_modifier(struct og_text word);
/* Says what is amiss; yields false. */
bool og_asm_unknown_mnemonic(struct og_asm *as, struct og_text name);

/* ---- match_operand.c: NULL, or why the text does not fit the slot */

extern const char og_no_operand[]; /* "invalid operand for instruction" */
const char *og_asm_match_operand(struct og_asm *as, const struct og_form *form, const struct og_slot *slot,
                                 const struct og_text_operand *t, struct og_match *m);

/* A mask that is read and not written, of v_cndmask_b32. It can only be VCC in the short encoding and, from gfx10 on, in
 * those made of it. */
static inline bool og_may_be_left_out(const struct og_asm *as, const struct og_form *form, const struct og_slot *slot) {
  return slot->takes == OG_TAKES_VCC && !(form->writes & OG_IMPLICIT_VCC) &&
         (form->variant == OG_VARIANT_NONE || as->target.processor->major >= 10);
}

/* ---- match_modifier.c */

const char *og_asm_offset_fault(struct og_asm *as, const struct og_candidate *c, int32_t value);
bool og_asm_match_modifiers(struct og_asm *as, const struct og_candidate *c, const struct og_inst_text *text,
                            struct og_match *m, struct og_failure *f);
bool og_asm_match_halves(const struct og_candidate *c, const struct og_inst_text *text, struct og_match *m,
                         struct og_failure *f);

/* ---- rules.c: what no operand or modifier tells alone. False with a diagnostic */

/* The rules that may concern a form. */
uint16_t og_asm_rules_of(const struct og_asm *as, const struct og_candidate *c);
bool og_asm_obeys_rules(struct og_asm *as, const struct og_candidate *c, const struct og_inst_text *text,
                        const struct og_match *m);

/* ---- diagnose.c */

/* Says of a refused instruction what LLVM says: in place of the diagnostics from `before` on,
 * or not where it finds nothing. */
void og_asm_diagnose(struct og_asm *as, struct og_text mnemonic, const char *operands, size_t before);

/* ---- instruction.c */

/* Registers up to `end` are in use. */
void og_asm_use_registers(struct og_asm *as, enum og_operand_kind kind, int64_t end);

/* ---- listing.c */

void og_asm_list_instruction(struct og_asm *as, const struct og_match *m, const uint8_t *bytes, size_t size);

#endif
