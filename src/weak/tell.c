/* tell.c - describes in words the choices of a schedule that are not strong. */
#include "weak/inside.h"

#include <inttypes.h>
#include <stdarg.h>

void og_weak_tell(struct og_weak_execution *w, const struct og_wave *wave, const struct og_operation *op,
                  const char *format, ...) {
  struct og_inst inst;
  if (!w->told)
    return;
  og_buffer_printf(w->told, "choice %" PRIu32 ": ",
                   (w->choices->replays ? w->choices->next : w->choices->made.count) - 1);
  if (wave) {
    const struct og_program *program = wave->program;
    size_t at = (size_t)(op - program->operations);
    og_buffer_printf(w->told, "work-group %" PRIu32 ", wave %" PRIu32 ", code+0x%zx", wave->group->index, wave->id,
                     4 * at);
    if (at < program->words && og_decode(program->isa, program->code + 4 * at, 4 * (program->words - at), &inst)) {
      struct og_buffer text = {0};
      og_print_inst(program->isa, &inst, NULL, &text);
      og_buffer_text(w->told, " '");
      for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != '\t')
          og_buffer_u8(w->told, text.data[i]);
        else if (i > 0)
          og_buffer_u8(w->told, ' ');
      og_buffer_text(w->told, "'");
      og_buffer_free(&text);
    }
    og_buffer_text(w->told, ": ");
  }
  va_list args;
  va_start(args, format);
  og_buffer_printf(w->told, "%s\n", og_arena_vprintf(w->choices->arena, format, args));
  va_end(args);
}
