/* printer.h - what the parts of the printer share. */
#ifndef OG_XEGPU_PRINTER_H
#define OG_XEGPU_PRINTER_H

#include "xegpu/table.h"

struct og_mlir_printer {
  const struct og_mlir_module *m;
  struct og_buffer *out;
  enum og_mlir_spelling spelling;
  bool generic;
  unsigned indent;
  uint32_t next;
};

void og_mlir_print_format(struct og_mlir_printer *p, struct og_mlir_op *op);
/* `name = value` of a dictionary, after a comma if it is not the first. */
void og_mlir_print_entry(struct og_mlir_printer *p, const struct og_mlir_op *op, const struct og_mlir_named *named,
                         bool *first);
void og_mlir_print_functional(struct og_mlir_printer *p, const struct og_mlir_op *op); /* (types) -> types */
bool og_mlir_is_default(og_mlir_attr value); /* a flag that need not be printed */
void og_mlir_print_op(struct og_mlir_printer *p, struct og_mlir_op *op);
void og_mlir_print_region(struct og_mlir_printer *p, struct og_mlir_region *region, bool arguments, bool terminator);
void og_mlir_print_value(struct og_mlir_printer *p, const struct og_mlir_value *value);
void og_mlir_print_values(struct og_mlir_printer *p, struct og_mlir_value **values, uint32_t count);
/* {…} of all attributes but those named, separated by spaces; after `keyword` if there are any. */
void og_mlir_print_dictionary(struct og_mlir_printer *p, const struct og_mlir_op *op, const char *keyword,
                              const char *but);
void og_mlir_print_rfc(struct og_mlir_printer *p, struct og_mlir_op *op);
bool og_mlir_print_custom(struct og_mlir_printer *p, struct og_mlir_op *op, uint8_t custom); /* false: none such */
static inline void og_mlir_print_text(struct og_mlir_printer *p, const char *text) { og_buffer_text(p->out, text); }
static inline void og_mlir_print_typed(struct og_mlir_printer *p, og_mlir_type type) {
  og_mlir_print_type(type, p->spelling, p->out);
}
void og_mlir_print_types(struct og_mlir_printer *p, struct og_mlir_value **values, uint32_t count);

#endif
