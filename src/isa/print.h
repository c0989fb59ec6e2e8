/* print.h - what the files that print an instruction share: the place to write at, numbers, constants. */
#ifndef OG_ISA_PRINT_H
#define OG_ISA_PRINT_H

#include <string.h>

#include "isa/internal.h"

/* No text is longer, but for the names that a symbolizer gives, which go to the buffer by themselves. */
enum { OG_TEXT_ROOM = 2048 };

struct og_writer {
  const struct og_isa *isa;
  const struct og_inst *inst;
  const struct og_form *form;
  const struct og_shape *shape;
  const struct og_symbolizer *symbolizer;
  struct og_buffer *out;
  char *at; /* in the room behind what `out` holds */
};

static inline void og_put_bytes(struct og_writer *w, const char *bytes, size_t size) {
  memcpy(w->at, bytes, size);
  w->at += size;
}
/* Inlined so that the size of a constant is one. */
static inline __attribute__((always_inline)) void og_put(struct og_writer *w, const char *string) {
  og_put_bytes(w, string, strlen(string));
}

/* ---- print_number.c ---------------------------------------------------------------------------------------------- */

/* 0..255 in decimal: up to three digits, then their count. */
extern const char og_small_numbers[256][4];

/* The hot functions take the place to write at and yield the place after the text, so that it stays in a register. */
static inline char *og_small_number(char *at, unsigned value) {
  memcpy(at, og_small_numbers[value], 4);
  return at + og_small_numbers[value][3];
}

char *og_number_text(char *at, uint32_t value);

static inline char *og_put_registers(char *at, char prefix, unsigned first, unsigned count) {
  *at++ = prefix;
  if (count <= 1)
    return og_small_number(at, first & 255);
  *at++ = '[';
  at = og_small_number(at, first & 255);
  *at++ = ':';
  at = og_number_text(at, first + count - 1);
  *at++ = ']';
  return at;
}

void og_put_number(struct og_writer *w, uint32_t value);
void og_put_hex(struct og_writer *w, uint64_t value);
void og_put_signed(struct og_writer *w, int64_t value);
void og_put_signed_hex(struct og_writer *w, int64_t value);
void og_put_format(struct og_writer *w, const char *format, ...) OG_PRINTF(2, 3);

/* An inline constant by its source code. */
void og_put_inline(struct og_writer *w, unsigned code, enum og_type type);
/* Text without lit() or lit64() is an inline constant; a literal of the same value needs them. */
void og_put_lit(struct og_writer *w, const char *word, uint64_t value);
/* 32 bits that may be read as an inline constant. */
void og_put_plain(struct og_writer *w, uint32_t value, enum og_type type);
void og_put_literal(struct og_writer *w, const struct og_operand *operand, enum og_type type);
/* Whether the operand is a constant that is printed without lit(). */
bool og_is_bare_constant(const struct og_writer *w, const struct og_operand *operand, enum og_type type);

/* ---- print.c ----------------------------------------------------------------------------------------------------- */

char *og_put_name(char *at, const struct og_form *form); /* the mnemonic with its suffix */
/* The operand with its signs. */
void og_put_source(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand);
bool og_is_silent(enum og_mod mod); /* not printed where it is 0 */

/* ---- mark.c: for tables with `marks` ----------------------------------------------------------------------------- */

/* A literal in an operand whose class has no constants: written as a number, without lit(). */
bool og_is_no_literal(const struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand);
void og_put_mark(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand);

/* ---- print_immediate.c, print_modifier.c ------------------------------------------------------------------------- */

void og_put_immediate(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand);
void og_put_modifier(struct og_writer *w, const struct og_mod_slot *slot);

#endif
