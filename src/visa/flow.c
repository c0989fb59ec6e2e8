/* flow.c - a kernel's inputs followed through its general variables, in any order of execution. */
#include "visa/flow.h"

#include <string.h>

#include "visa/table.h"

struct tracker {
  const struct og_visa_kernel *kernel;
  struct og_visa_flow flow;
  uint64_t *inputs; /* of each variable: those that its value was made of */
  bool *group;      /* of each variable: a copy of register 0 */
  int32_t *surface; /* of each surface variable: the binding table's index last moved there, or -1 */
  bool changed;
};

static uint32_t base_of(const struct tracker *t, const struct og_visa_operand *operand) {
  uint32_t offset;
  return og_visa_resolve_alias(t->kernel, operand->variable, &offset);
}

static bool is_register(const struct og_visa_operand *operand) {
  return operand->kind == OG_VISA_GENERAL || operand->kind == OG_VISA_RAW;
}

static uint64_t inputs_of(const struct tracker *t, const struct og_visa_operand *operand) {
  return is_register(operand) ? t->inputs[base_of(t, operand)] : 0;
}

static bool is_group_number(const struct tracker *t, const struct og_visa_operand *operand) {
  return operand->kind == OG_VISA_GENERAL && t->group[base_of(t, operand)];
}

/* ---- messages ---- */

enum { NO_SURFACE = 0xff };

/* Where a message has its surface, addresses and data among its operands; data is the last. */
struct message {
  uint8_t opcode, sub, surface, first, last;
  bool store;
};
static const struct message messages[] = {
    {OG_VISA_OP_OWORD_LD, 0, 2, 3, 3, false},
    {OG_VISA_OP_OWORD_LD_UNALIGNED, 0, 2, 3, 3, false},
    {OG_VISA_OP_OWORD_ST, 0, 1, 2, 2, true},
    {OG_VISA_OP_GATHER, 0, 2, 3, 4, false},
    {OG_VISA_OP_SCATTER, 0, 1, 2, 3, true},
    {OG_VISA_OP_GATHER4_SCALED, 0, 2, 3, 4, false},
    {OG_VISA_OP_SCATTER4_SCALED, 0, 2, 3, 4, true},
    {OG_VISA_OP_GATHER_SCALED, 0, 3, 4, 5, false},
    {OG_VISA_OP_SCATTER_SCALED, 0, 3, 4, 5, true},
    {OG_VISA_OP_DWORD_ATOMIC, 0, 0, 1, 1, true},
    {OG_VISA_OP_SVM, OG_VISA_SVM_BLOCK_LD, NO_SURFACE, 1, 1, false},
    {OG_VISA_OP_SVM, OG_VISA_SVM_BLOCK_ST, NO_SURFACE, 1, 1, true},
    {OG_VISA_OP_SVM, OG_VISA_SVM_GATHER, NO_SURFACE, 2, 2, false},
    {OG_VISA_OP_SVM, OG_VISA_SVM_SCATTER, NO_SURFACE, 2, 2, true},
    {OG_VISA_OP_SVM, OG_VISA_SVM_ATOMIC, NO_SURFACE, 0, 0, true},
    {OG_VISA_OP_SVM, OG_VISA_SVM_GATHER4SCALED, NO_SURFACE, 2, 3, false},
    {OG_VISA_OP_SVM, OG_VISA_SVM_SCATTER4SCALED, NO_SURFACE, 2, 3, true},
};

static bool find_message(const struct og_visa_inst *inst, struct message *out) {
  if (inst->opcode == OG_VISA_OP_LSC_UNTYPED) {
    bool flat = inst->lsc->address_kind == OG_VISA_FLAT;
    bool block = inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
    const struct og_visa_lsc_op_info *op = og_visa_lsc_op(inst->sub);
    uint8_t address = block ? OG_VISA_LSC_BLOCK2D_OPERAND : OG_VISA_LSC_ADDRESS_OPERAND;
    *out = (struct message){.surface = flat ? NO_SURFACE : OG_VISA_LSC_SURFACE_OPERAND,
                            .first = address,
                            .last = address,
                            .store = op && op->kind != 'l' && op->kind != 'o'};
    return op != NULL;
  }
  for (size_t i = 0; i < OG_COUNT(messages); i++)
    if (messages[i].opcode == inst->opcode && messages[i].sub == inst->sub) {
      *out = messages[i];
      return true;
    }
  return false;
}

static int32_t surface_index(const struct tracker *t, const struct og_visa_operand *operand) {
  if (operand->kind == OG_VISA_STATE)
    return t->surface[operand->variable];
  return operand->kind == OG_VISA_IMMEDIATE ? (int32_t)operand->bits : -1;
}

static void follow_message(struct tracker *t, const struct og_visa_inst *inst, const struct message *message) {
  for (unsigned i = 0; i < inst->operand_count; i++) {
    uint64_t inputs = inputs_of(t, &inst->operands[i]);
    bool address = i >= message->first && i <= message->last;
    if (address && message->surface != NO_SURFACE)
      t->flow.offset |= inputs;
    else if (address && message->store)
      t->flow.written |= inputs;
    else if (!address && message->store)
      t->flow.computed |= inputs;
  }
  int32_t surface = message->surface == NO_SURFACE ? -1 : surface_index(t, &inst->operands[message->surface]);
  if (message->store && surface >= 0 && surface < 64)
    t->flow.surfaces_written |= 1ull << surface;
}

/* ---- everything else ---- */

static bool scales(uint8_t opcode) {
  static const uint8_t opcodes[] = {OG_VISA_OP_MUL, OG_VISA_OP_MULH, OG_VISA_OP_MAD, OG_VISA_OP_MADW, OG_VISA_OP_SHL,
                                    OG_VISA_OP_SHR, OG_VISA_OP_ASR,  OG_VISA_OP_CMP, OG_VISA_OP_DIV,  OG_VISA_OP_MOD};
  return memchr(opcodes, opcode, sizeof opcodes) != NULL;
}

static void follow_result(struct tracker *t, const struct og_visa_operand *to, uint64_t inputs, bool group) {
  if (to->kind != OG_VISA_GENERAL)
    return;
  uint32_t variable = base_of(t, to);
  t->changed |= (inputs & ~t->inputs[variable]) || (group && !t->group[variable]);
  t->inputs[variable] |= inputs;
  t->group[variable] |= group;
}

static void follow_vector(struct tracker *t, const struct og_visa_inst *inst, const struct og_visa_row *row) {
  char letters[OG_VISA_MAX_LETTERS];
  unsigned count = OG_MIN(og_visa_letters(row, letters), (unsigned)inst->operand_count);
  uint64_t inputs = 0;
  for (unsigned i = 0; i < count; i++)
    if (letters[i] == 'S')
      inputs |= inputs_of(t, &inst->operands[i]);
  if (scales(inst->opcode))
    t->flow.computed |= inputs;
  if (inst->opcode == OG_VISA_OP_MUL || inst->opcode == OG_VISA_OP_MAD)
    for (unsigned i = 1; i < 3; i++)
      if (is_group_number(t, &inst->operands[i]))
        t->flow.by_group |= inputs_of(t, &inst->operands[3 - i]);
  bool group = inst->opcode == OG_VISA_OP_MOV && is_group_number(t, &inst->operands[1]);
  for (unsigned i = 0; i < count; i++)
    if (letters[i] == 'D')
      follow_result(t, &inst->operands[i], inputs, group);
  if (inst->opcode == OG_VISA_OP_MOVS && inst->operands[0].kind == OG_VISA_STATE &&
      inst->operands[0].state_class == 'T')
    t->surface[inst->operands[0].variable] =
        inst->operands[1].kind == OG_VISA_IMMEDIATE ? (int32_t)inst->operands[1].bits : -1;
}

static void follow(struct tracker *t, const struct og_visa_inst *inst) {
  struct message message;
  const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
  for (unsigned i = 0; i < inst->operand_count; i++)
    t->flow.used |= inputs_of(t, &inst->operands[i]);
  if (find_message(inst, &message))
    follow_message(t, inst, &message);
  else if (row)
    follow_vector(t, inst, row);
}

struct og_visa_flow og_visa_flow_of(struct og_arena *arena, const struct og_visa_kernel *kernel) {
  struct tracker t = {.kernel = kernel,
                      .inputs = OG_NEW_ARRAY(arena, uint64_t, kernel->general.count),
                      .group = OG_NEW_ARRAY(arena, bool, kernel->general.count),
                      .surface = OG_NEW_ARRAY(arena, int32_t, kernel->surface.count),
                      .changed = true};
  for (uint32_t i = 0; i < kernel->surface.count; i++)
    t.surface[i] = -1;
  for (uint32_t i = 0; i < kernel->inputs.count && i < OG_VISA_FLOW_INPUTS; i++)
    if (kernel->inputs.items[i].class == 'G')
      t.inputs[kernel->inputs.items[i].variable] |= 1ull << i;
  t.group[OG_VISA_V_R0] = true;
  t.group[OG_VISA_V_GROUP_ID_X] = t.group[OG_VISA_V_GROUP_ID_Y] = t.group[OG_VISA_V_GROUP_ID_Z] = true;
  while (t.changed) { /* a round adds to a set, so this ends */
    t.changed = false;
    for (uint32_t i = 0; i < kernel->insts.count; i++)
      follow(&t, &kernel->insts.items[i]);
  }
  return t.flow;
}
