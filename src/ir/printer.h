/* printer.h - shared by the files of the printer. */
#ifndef OG_IR_PRINTER_H
#define OG_IR_PRINTER_H

#include "ir/ir.h"
#include "ir/words.h"

struct og_ir_printer {
  const struct og_ir_module *m;
  struct og_buffer *out;
  struct og_arena *arena;
  const struct og_ir_function *f; /* the function that is being printed */
  /* Numbers for printing, in LLVM's order: 1 + number; 0: none. */
  uint32_t *global_numbers;
  uint32_t *metadata_numbers, metadata_count;
  uint32_t *type_numbers;
  uint32_t *set_numbers, set_count; /* attribute groups */
  uint32_t *inst_numbers, *block_numbers; /* of the function that is being printed */
  uint32_t inst_capacity, block_capacity;
  OG_VECTOR(uint32_t) metadata_order, set_order, type_order; /* by number */
  OG_VECTOR(uint32_t) named_types;
  uint8_t *types_seen, *constants_seen;
  OG_VECTOR(uint32_t) work;
};

/* ---- numbers (slots.c) ---- */
void og_ir_number_module(struct og_ir_printer *p);
void og_ir_number_function(struct og_ir_printer *p, const struct og_ir_function *f);
void og_ir_find_types(struct og_ir_printer *p);

/* ---- pieces ---- */
static inline void og_ir_put(struct og_ir_printer *p, const char *text) { og_buffer_text(p->out, text); }
void og_ir_put_number(struct og_ir_printer *p, uint64_t number);
void og_ir_put_signed(struct og_ir_printer *p, int64_t number);
void og_ir_put_name(struct og_ir_printer *p, char mark, struct og_text name);
void og_ir_put_string(struct og_ir_printer *p, struct og_text text); /* in quotes, escaped */
void og_ir_put_type(struct og_ir_printer *p, og_ir_type type);
void og_ir_put_ref(struct og_ir_printer *p, og_ir_ref ref);
void og_ir_put_typed(struct og_ir_printer *p, og_ir_ref ref);
void og_ir_put_constant(struct og_ir_printer *p, og_ir_ref ref);
void og_ir_put_flags(struct og_ir_printer *p, uint8_t opcode, uint16_t flags);
void og_ir_put_attribute(struct og_ir_printer *p, uint32_t attribute, bool group);
void og_ir_put_set(struct og_ir_printer *p, uint32_t set, bool group); /* without spaces around */
void og_ir_put_metadata(struct og_ir_printer *p, uint32_t node);       /* as an operand */
void og_ir_put_node(struct og_ir_printer *p, uint32_t node);           /* its definition */
void og_ir_put_attachments(struct og_ir_printer *p, uint32_t place, const char *separator);
void og_ir_put_kind(struct og_ir_printer *p, struct og_text name);
void og_ir_put_function(struct og_ir_printer *p, const struct og_ir_global *g);
void og_ir_put_instruction(struct og_ir_printer *p, uint32_t record);
void og_ir_put_head(struct og_ir_printer *p, const struct og_ir_global *g); /* linkage … unnamed_addr */
static inline void og_ir_put_word(struct og_ir_printer *p, enum og_ir_words class, uint64_t number) {
  const char *word = og_ir_word_for(class, number);
  og_buffer_text(p->out, word ? word : "");
}

#endif
