/* disassemble.c - og_disassembler: turns instructions' bytes into text, whole or in pieces. */
#include "api/fill.h"
#include "isa/effects.h"

#include <string.h>

enum { IMPLICIT_MOST = 6 };

struct og_disassembler {
  struct og_arena *arena;
  struct og_isa isa;
  struct og_buffer text; /* kept from call to call */
  og_token tokens[OG_PRINTED_MOST + IMPLICIT_MOST];
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
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(&target, &room);
  if (!isa) {
    og_error_in(diagnostics, NULL, "%s: no instruction tables for this processor", target.processor->name);
    return NULL;
  }
  struct og_arena *arena = og_arena_new();
  og_disassembler *disassembler = OG_NEW(arena, og_disassembler);
  *disassembler = (og_disassembler){.arena = arena, .isa = room};
  return disassembler;
}

void og_disassembler_free(og_disassembler *disassembler) {
  if (!disassembler)
    return;
  og_buffer_free(&disassembler->text);
  og_arena_free(disassembler->arena);
}

size_t og_disassemble(og_disassembler *disassembler, const void *code, size_t size, uint64_t pc, char *text,
                      size_t text_size) {
  struct og_inst inst;
  size_t used = og_decode(&disassembler->isa, code, size, &inst);
  if (!text_size)
    return used;
  text[0] = 0;
  if (!used)
    return 0;
  struct og_symbolizer symbolizer = {.pc = pc};
  disassembler->text.size = 0;
  og_print_inst(&disassembler->isa, &inst, &symbolizer, &disassembler->text);
  size_t length = OG_MIN(disassembler->text.size, text_size - 1);
  memcpy(text, disassembler->text.data, length);
  text[length] = 0;
  return used;
}

static bool uses_operand(const struct og_use *uses, unsigned count, int operand) {
  for (unsigned i = 0; i < count; i++)
    if (uses[i].operand == operand)
      return true;
  return false;
}

static og_token operand_token(const struct og_slot *slot, const struct og_operand *operand, const struct og_inst *inst,
                              const struct og_effects *effects, uint64_t pc) {
  static const char files[] = {
      [OG_OPERAND_VGPR] = 'v', [OG_OPERAND_AGPR] = 'a', [OG_OPERAND_SGPR] = 's', [OG_OPERAND_TTMP] = 't'};
  if (!operand)
    return (og_token){.kind = OG_TOKEN_IMMEDIATE, .value = inst->mod[OG_MOD_OFFSET]};
  og_token token = {.value = (int64_t)operand->value};
  int index = (int)(operand - inst->operands);
  switch (operand->kind) {
  case OG_OPERAND_VGPR:
  case OG_OPERAND_AGPR:
  case OG_OPERAND_SGPR:
  case OG_OPERAND_TTMP:
    token.kind = OG_TOKEN_REGISTER;
    token.file = files[operand->kind];
    token.first = operand->reg;
    break;
  case OG_OPERAND_SPECIAL: token.kind = OG_TOKEN_SPECIAL; break;
  case OG_OPERAND_INLINE:
  case OG_OPERAND_LITERAL: token.kind = OG_TOKEN_CONSTANT; break;
  default: token.kind = OG_TOKEN_IMMEDIATE; break;
  }
  if (token.kind == OG_TOKEN_REGISTER || token.kind == OG_TOKEN_SPECIAL) {
    token.count = operand->dwords;
    token.read = uses_operand(effects->reads, effects->read_count, index);
    token.written = uses_operand(effects->writes, effects->write_count, index);
  }
  if (slot->takes == OG_TAKES_BRANCH) {
    token.kind = OG_TOKEN_TARGET;
    token.value = (int64_t)(pc + 4 + operand->value * 4);
  }
  return token;
}

static og_token token_of(const struct og_isa *isa, const struct og_inst *inst, const struct og_printed *part,
                         const struct og_effects *effects, uint64_t pc) {
  const struct og_shape *shape = og_shape(isa, og_form(isa, inst->form));
  og_token token = {.kind = OG_TOKEN_MNEMONIC};
  if (part->kind == OG_PRINTED_OPERAND)
    token = operand_token(&og_slots(shape)[part->index], og_operand(inst, og_slots(shape)[part->index].role), inst,
                          effects, pc);
  else if (part->kind == OG_PRINTED_MODIFIER)
    token = (og_token){.kind = OG_TOKEN_MODIFIER, .value = inst->mod[og_mods(shape)[part->index].mod]};
  token.offset = part->offset;
  token.length = part->size;
  return token;
}

/* Adds what an instruction touches but its text does not show; the names go behind the text. Returns the number of
 * tokens, these included. */
static size_t add_implicit(og_disassembler *disassembler, const struct og_effects *effects, size_t count) {
  static const struct {
    uint8_t what;
    const char *name;
  } names[IMPLICIT_MOST] = {{OG_IMPLICIT_EXEC, "exec"}, {OG_IMPLICIT_VCC, "vcc"}, {OG_IMPLICIT_SCC, "scc"},
                            {OG_IMPLICIT_M0, "m0"}, {OG_IMPLICIT_MODE, "mode"},
                            {OG_IMPLICIT_FLAT_SCRATCH, "flat_scratch"}};
  for (size_t i = 0; i < IMPLICIT_MOST; i++) {
    bool read = effects->implicit_reads & names[i].what, written = effects->implicit_writes & names[i].what;
    if (!read && !written)
      continue;
    uint32_t length = (uint32_t)strlen(names[i].name);
    og_buffer_u8(&disassembler->text, 0);
    disassembler->tokens[count++] = (og_token){.kind = OG_TOKEN_IMPLICIT, .offset = (uint32_t)disassembler->text.size,
                                               .length = length, .read = read, .written = written};
    og_buffer_text(&disassembler->text, names[i].name);
  }
  return count;
}

/* Prints what is no instruction: a word, or the bytes that are left. */
static size_t put_data(og_disassembler *disassembler, const uint8_t *code, size_t size) {
  size_t used = OG_MIN(size, 4u);
  uint32_t value = 0;
  memcpy(&value, code, used);
  if (used == 4)
    og_buffer_printf(&disassembler->text, ".long 0x%08x", value);
  else
    for (size_t i = 0; i < used; i++)
      og_buffer_printf(&disassembler->text, "%s0x%02x", i ? ", " : ".byte ", code[i]);
  uint32_t length = (uint32_t)disassembler->text.size, mnemonic = 5; /* ".long" and ".byte" have the same length */
  disassembler->tokens[0] = (og_token){.kind = OG_TOKEN_MNEMONIC, .length = mnemonic};
  disassembler->tokens[1] =
      (og_token){.kind = OG_TOKEN_DATA, .offset = mnemonic + 1, .length = length - mnemonic - 1, .value = value};
  return used;
}

bool og_disassemble_next(og_disassembler *disassembler, const void *code, size_t size, uint64_t address, size_t *offset,
                         og_instruction *instruction) {
  if (*offset >= size || !instruction->info_size)
    return false;
  const uint8_t *at = (const uint8_t *)code + *offset;
  struct og_inst inst;
  struct og_printed parts[OG_PRINTED_MOST];
  og_instruction found = {.address = address + *offset, .tokens = disassembler->tokens};
  disassembler->text.size = 0;
  found.size = og_decode(&disassembler->isa, at, size - *offset, &inst);
  if (found.size) {
    found.token_count = og_print_parts(&disassembler->isa, &inst, NULL, &disassembler->text, parts);
    struct og_effects effects;
    og_inst_effects(&disassembler->isa, &inst, &effects);
    for (size_t i = 0; i < found.token_count; i++)
      disassembler->tokens[i] = token_of(&disassembler->isa, &inst, &parts[i], &effects, found.address);
    found.token_count = add_implicit(disassembler, &effects, found.token_count);
  } else {
    found.size = put_data(disassembler, at, size - *offset);
    found.token_count = 2;
  }
  found.text = (const char *)disassembler->text.data;
  *offset += found.size;
  return og_fill(instruction, &found, sizeof found);
}
