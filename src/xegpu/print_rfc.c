/* print_rfc.c - operations as the RFC writes them: a list of operands, then a list of their types. */
#include "xegpu/printer.h"

#include <string.h>

/* XeGPU.dpas %c, %a, %b {…} : types into type */
void og_mlir_print_rfc(struct og_mlir_printer *p, struct og_mlir_op *op) {
  uint32_t order[64], count = OG_MIN(op->operand_count, OG_COUNT(order));
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  if (op->row->id == OG_MLIR_OP_ATOMIC || (op->row->id == OG_MLIR_OP_DPAS && count == 3))
    order[0] = 2, order[1] = 0, order[2] = 1;
  og_buffer_printf(p->out, "XeGPU%s ", op->row->name + 5);
  og_mlir_attr kind = og_mlir_find(op, "kind");
  if (kind && kind->kind == OG_MLIR_INT) {
    const char *name;
    bool number;
    const char *word = og_mlir_keywords(OG_MLIR_A_rmw, &name, &number);
    for (int64_t i = 0; i < kind->ints[0] && *word; word++)
      i += *word == ' ' ? 1 : 0;
    og_buffer_printf(p->out, "\"%.*s\" ", (int)(strcspn(word + (*word == ' '), " ")), word + (*word == ' '));
  }
  for (uint32_t i = 0; i < count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    og_mlir_print_value(p, op->operands[order[i]]);
  }
  og_mlir_print_dictionary(p, op, "", "kind const_offsets const_shape const_strides");
  for (uint32_t i = 0; i < count; i++) {
    og_mlir_print_text(p, i ? ", " : " : ");
    og_mlir_print_typed(p, op->operands[order[i]]->type);
  }
  if (op->result_count) {
    og_mlir_print_text(p, " into ");
    og_mlir_print_typed(p, op->results[0].type);
  }
}
