/* trace.c - traces a thread, a line for each instruction. */
#include "visa/exec/exec.h"

void og_vx_trace(const struct og_vx_thread *thread, const struct og_vx_op *op) {
  struct og_buffer text = {0};
  const struct og_visa_inst *inst = op->inst;
  og_buffer_printf(&text, "%u.%u exec=%08x ", thread->group->index, thread->index, og_vx_enabled(thread, op));
  if (inst->line)
    og_buffer_printf(&text, "%s:%u  ", thread->program->file, inst->line);
  else
    og_buffer_printf(&text, "%s+%td  ", thread->program->kernel_name, op - thread->program->ops);
  if (inst->operand_count || inst->opcode != OG_VISA_OP_LABEL) /* not what stands after the last */
    og_visa_write_inst(thread->program->kernel, inst, &text);
  og_buffer_text(&text, "\n");
  fwrite(text.data, 1, text.size, thread->trace);
  og_buffer_free(&text);
}
