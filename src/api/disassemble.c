/* disassemble.c - og_disassembler: one instruction's bytes to text. */
#include "offgrid.h"
#include "isa/isa.h"

#include <string.h>

struct og_disassembler {
  struct og_arena *arena;
  const struct og_isa *isa;
  struct og_buffer text; /* kept between calls */
};

static bool choose(struct og_target *target, const char *id, const char *features, og_diagnostics *diagnostics) {
  if (!features)
    return og_target_parse_id(target, og_text(id), diagnostics);
  return og_target_parse(target, NULL, id, features, diagnostics);
}

og_disassembler *og_disassembler_new(const char *id, const char *features, og_diagnostics *diagnostics) {
  struct og_target target;
  if (!choose(&target, id, features, diagnostics))
    return NULL;
  const struct og_isa *isa = og_isa_for(&target);
  if (!isa) {
    og_error_in(diagnostics, NULL, "%s: no instruction tables for this processor", target.processor->name);
    return NULL;
  }
  struct og_arena *arena = og_arena_new();
  og_disassembler *disassembler = OG_NEW(arena, og_disassembler);
  *disassembler = (og_disassembler){.arena = arena, .isa = isa};
  return disassembler;
}

void og_disassembler_free(og_disassembler *disassembler) {
  if (!disassembler)
    return;
  og_buffer_free(&disassembler->text);
  og_arena_free(disassembler->arena);
}

size_t og_disassemble(og_disassembler *disassembler, const void *code, size_t size, uint64_t pc, char *text, size_t text_size) {
  struct og_inst inst;
  size_t used = og_decode(disassembler->isa, code, size, &inst);
  if (!text_size)
    return used;
  text[0] = 0;
  if (!used)
    return 0;
  struct og_symbolizer symbolizer = {.pc = pc};
  disassembler->text.size = 0;
  og_print_inst(disassembler->isa, &inst, &symbolizer, &disassembler->text);
  size_t length = OG_MIN(disassembler->text.size, text_size - 1);
  memcpy(text, disassembler->text.data, length);
  text[length] = 0;
  return used;
}
