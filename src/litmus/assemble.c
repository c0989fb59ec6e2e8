/* assemble.c - makes a thread's instructions from assembly text: assembles and decodes it with the real tables, then
 * finds what each instruction does to the memory system and to registers. */
#include "asm/asm.h"
#include "isa/rows.h"
#include "litmus/litmus.h"

#include <string.h>

int og_litmus_register(struct og_litmus_thread *thread, unsigned kind, unsigned number) {
  for (unsigned r = 0; r < thread->registers; r++)
    if (thread->reg[r].kind == kind && thread->reg[r].number == number)
      return (int)r;
  if (thread->registers == OG_LITMUS_REGISTERS)
    return -1;
  thread->reg[thread->registers] = (struct og_litmus_register){.kind = (uint8_t)kind, .number = (uint16_t)number};
  return (int)thread->registers++;
}

/* The text being read and its place in the test. */
struct reading {
  const struct og_litmus_test *test;
  struct og_litmus_thread *thread;
  const char *file;
  struct og_diagnostics *diagnostics;
};

static bool refuse(const struct reading *in, const struct og_litmus_inst *inst, const char *why) {
  return og_error_in(in->diagnostics, in->file, "'%s': %s", inst->text, why);
}

static bool name_register(const struct reading *in, const struct og_litmus_inst *inst, const struct og_operand *operand,
                          unsigned dword, uint8_t *to) {
  if (operand->kind != OG_OPERAND_VGPR && operand->kind != OG_OPERAND_SGPR)
    return refuse(in, inst, "litmus tests have vector and scalar registers only");
  int number = og_litmus_register(in->thread, operand->kind, operand->reg + dword);
  *to = (uint8_t)number;
  return number >= 0 || refuse(in, inst, "a thread of a litmus test has at most 24 registers");
}

static bool name_source(const struct reading *in, const struct og_litmus_inst *inst, const struct og_operand *operand,
                        unsigned dword, struct og_litmus_source *to) {
  *to = (struct og_litmus_source){.constant = true, .value = (uint32_t)operand->value};
  if (operand->kind == OG_OPERAND_INLINE || operand->kind == OG_OPERAND_LITERAL)
    return true;
  uint8_t number = 0;
  to->constant = false;
  bool fine = name_register(in, inst, operand, dword, &number);
  to->value = number;
  return fine;
}

/* Whether it copies what a function keeps for its caller, such as EXEC. */
static bool is_moved_special(const struct og_inst *decoded) {
  bool moves = decoded->row == OG_ROW_S_MOV_B32 || decoded->row == OG_ROW_S_MOV_B64;
  return moves && (decoded->operands[0].kind == OG_OPERAND_SPECIAL || decoded->operands[1].kind == OG_OPERAND_SPECIAL);
}

/* Finds where the address comes from: a vector or scalar register pair, or an LDS offset. */
static bool read_address(const struct reading *in, const struct og_inst *decoded, struct og_litmus_inst *inst) {
  const struct og_operand *vector = og_operand(decoded, OG_ROLE_VADDR), *scalar = og_operand(decoded, OG_ROLE_SADDR);
  const struct og_operand *base = og_operand(decoded, OG_ROLE_SBASE);
  const struct og_operand *address = base ? base : vector;
  if (scalar && scalar->kind == OG_OPERAND_SGPR)
    return refuse(in, inst, "addresses of litmus tests stand in one place: write 'off' for the scalar one");
  if (decoded->encoding == OG_ENC_MUBUF && !decoded->mod[OG_MOD_ADDR64])
    return refuse(in, inst, "buffers are reached with addr64 only, or by global and flat instructions");
  inst->wide = inst->weak.path != OG_WEAK_LDS;
  inst->offset = decoded->mod[OG_MOD_OFFSET];
  return (address || refuse(in, inst, "it has no address")) && name_register(in, inst, address, 0, &inst->address[0]) &&
         (!inst->wide || name_register(in, inst, address, 1, &inst->address[1]));
}

static bool read_data(const struct reading *in, const struct og_inst *decoded, struct og_litmus_inst *inst) {
  const struct og_operand *data = og_operand(decoded, OG_ROLE_VDATA), *second = og_operand(decoded, OG_ROLE_DATA1);
  const struct og_operand *result = og_operand(decoded, OG_ROLE_VDST);
  bool load = inst->weak.operation == OG_WEAK_LOAD;
  if (!data)
    data = og_operand(decoded, OG_ROLE_SDATA);
  if (!result)
    result = og_operand(decoded, OG_ROLE_SDST);
  if (!result && (load || inst->weak.returns))
    result = data;
  unsigned dwords = inst->bits == 64 ? 2 : 1;
  bool fine = true;
  inst->has_result = result && (load || inst->weak.returns);
  inst->has_data[0] = !load && data;
  inst->has_data[1] = !load && data && (second || (inst->atomic == OG_DOES_CMPSWAP && data->dwords == 2 * dwords));
  for (unsigned d = 0; d < dwords && fine; d++)
    fine = (!inst->has_result || name_register(in, inst, result, d, &inst->result[d])) &&
           (!inst->has_data[0] || name_source(in, inst, data, d, &inst->data[0][d])) &&
           (!inst->has_data[1] ||
            name_source(in, inst, second ? second : data, second ? d : dwords + d, &inst->data[1][d]));
  return fine;
}

static bool read_memory(const struct reading *in, const struct og_inst *decoded, struct og_litmus_inst *inst) {
  static const uint8_t known[] = {OG_DOES_NOTHING, OG_DOES_ADD,     OG_DOES_SUB,  OG_DOES_AND,
                                  OG_DOES_OR,      OG_DOES_XOR,     OG_DOES_MIN,  OG_DOES_MAX,
                                  OG_DOES_SWAP,    OG_DOES_CMPSWAP, OG_DOES_CMPST};
  const struct og_memory *memory = og_form_memory(og_form(in->test->isa, decoded->form));
  inst->what = OG_LITMUS_MEMORY;
  inst->atomic = memory->operation;
  inst->is_signed = memory->number == OG_VALUE_SIGNED && memory->access == OG_MOVES_LOAD;
  if (!memchr(known, memory->operation, sizeof known) || (memory->number > OG_VALUE_UNSIGNED && !inst->is_signed))
    return refuse(in, inst, "litmus tests have no such operation on memory");
  if ((memory->bits != 8 && memory->bits != 16 && memory->bits != 32 && memory->bits != 64) || memory->count > 1 ||
      memory->part != OG_PART_ALL || memory->lds)
    return refuse(in, inst, "litmus tests have accesses of 8, 16, 32 and 64 bits only");
  inst->bits = (uint8_t)memory->bits;
  return read_address(in, decoded, inst) && read_data(in, decoded, inst);
}

static bool is_idle(unsigned row) {
  return row == OG_ROW_S_NOP || row == OG_ROW_S_ENDPGM || row == OG_ROW_S_SLEEP || row == OG_ROW_S_DELAY_ALU ||
         row == OG_ROW_S_CLAUSE;
}

static bool read_instruction(const struct reading *in, const struct og_inst *decoded, struct og_litmus_inst *inst) {
  og_weak_classify(in->test->isa, false, decoded, &inst->weak);
  og_weak_classify(in->test->isa, true, decoded, &inst->single);
  switch ((enum og_weak_operation)inst->weak.operation) {
  case OG_WEAK_LOAD:
  case OG_WEAK_STORE:
  case OG_WEAK_ATOMIC: return read_memory(in, decoded, inst);
  case OG_WEAK_INVALIDATE:
  case OG_WEAK_WRITE_BACK: inst->what = OG_LITMUS_CACHE; return true;
  case OG_WEAK_WAIT: inst->what = OG_LITMUS_WAIT; return true;
  default: break;
  }
  inst->what = OG_LITMUS_NOTHING;
  if (og_form(in->test->isa, decoded->form)->traits & OG_TRAIT_WAIT || is_idle(decoded->row) ||
      decoded->row == OG_ROW_BUFFER_WBL2 || decoded->row == OG_ROW_BUFFER_INV || decoded->row == OG_ROW_GLOBAL_WB ||
      decoded->row == OG_ROW_GLOBAL_INV || is_moved_special(decoded))
    return true;
  if (decoded->row != OG_ROW_V_MOV_B32 && decoded->row != OG_ROW_S_MOV_B32)
    return refuse(in, inst, "litmus tests have memory instructions, waits, cache operations and moves only");
  inst->what = OG_LITMUS_MOVE;
  const struct og_operand *to = &decoded->operands[0], *from = &decoded->operands[1];
  return name_register(in, inst, to, 0, &inst->result[0]) && name_source(in, inst, from, 0, &inst->data[0][0]);
}

/* The section .text; NULL: there is none. */
static const struct og_section *code_of(const struct og_object *object) {
  for (uint32_t i = 0; i < object->sections.count; i++)
    if (object->sections.items[i].flags & SHF_EXECINSTR && object->sections.items[i].size)
      return &object->sections.items[i];
  return NULL;
}

static const char *text_of(struct og_arena *arena, const struct og_litmus_test *test, const struct og_inst *inst) {
  struct og_buffer text = {0};
  og_print_inst(test->isa, inst, NULL, &text);
  const char *at = (const char *)text.data, *end = at + text.size;
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  char *copy = og_arena_copy(arena, at, (size_t)(end - at));
  for (char *c = copy; *c; c++)
    *c = *c == '\t' ? ' ' : *c;
  og_buffer_free(&text);
  return copy;
}

bool og_litmus_assemble(struct og_arena *arena, struct og_litmus_test *test, struct og_litmus_thread *thread,
                        const char *file, const char *text, size_t size, uint32_t line,
                        struct og_diagnostics *diagnostics) {
  struct og_buffer source = {0};
  for (uint32_t i = 1; i < line; i++)
    og_buffer_u8(&source, '\n'); /* empty lines in front, so that the assembler's errors have the file's line numbers */
  og_buffer_append(&source, text, size);
  const char *copy = og_arena_copy(arena, (const char *)source.data, source.size);
  struct og_asm_options options = {.target = test->target, .code_object_version = 6};
  const struct og_object *object = og_assemble(arena, &options, file, copy, source.size, diagnostics);
  og_buffer_free(&source);
  const struct og_section *code = object ? code_of(object) : NULL;
  thread->count = 0;
  return object && (!code || og_litmus_decode(arena, test, thread, file, code->data, code->size, diagnostics));
}

bool og_litmus_decode(struct og_arena *arena, const struct og_litmus_test *test, struct og_litmus_thread *thread,
                      const char *file, const uint8_t *code, size_t size, struct og_diagnostics *diagnostics) {
  const struct reading in = {test, thread, file, diagnostics};
  thread->count = 0;
  for (size_t at = 0; at < size;) {
    struct og_inst decoded;
    size_t step = og_decode(test->isa, code + at, size - at, &decoded);
    if (step && decoded.row == OG_ROW_S_SETPC_B64)
      break;
    if (step == 0)
      return og_error_in(diagnostics, file, "what stands in a thread must be instructions");
    if (thread->count == OG_LITMUS_INSTRUCTIONS)
      return og_error_in(diagnostics, file, "a thread of a litmus test has at most %d instructions",
                         OG_LITMUS_INSTRUCTIONS);
    struct og_litmus_inst *inst = &thread->insts[thread->count++];
    *inst = (struct og_litmus_inst){.text = text_of(arena, test, &decoded)};
    if (!read_instruction(&in, &decoded, inst))
      return false;
    at += step;
  }
  return true;
}
