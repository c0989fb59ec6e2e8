/* flow_value.c - an instruction's effect on the values in a kernel's variables, and what it says about the inputs. */
#include "visa/infer/flow_machine.h"

#include "visa/table.h"

enum { MOST_SURFACES = 64 };
#define ANY_SURFACE (~0ull)

/* ---- variables --------------------------------------------------------------------------------------------------- */

uint32_t og_vf_base_of(const struct og_vf *t, const struct og_visa_operand *operand) {
  uint32_t offset;
  return og_visa_resolve_alias(t->kernel, operand->variable, &offset);
}

bool og_vf_is_register(const struct og_visa_operand *operand) {
  return operand->kind == OG_VISA_GENERAL || operand->kind == OG_VISA_RAW;
}

bool og_vf_is_address(const struct og_visa_operand *operand) {
  return operand->kind == OG_VISA_ADDRESS_OF && operand->state_class == 'G';
}

static void add(struct og_vf_value *to, const struct og_vf_value *from) {
  to->inputs |= from->inputs;
  to->copies |= from->copies;
  to->sums |= from->sums;
  to->products |= from->products;
  to->group |= from->group;
}

bool og_vf_merge(struct og_vf_value *to, const struct og_vf_value *from) {
  struct og_vf_value before = *to;
  add(to, from);
  return before.inputs != to->inputs || before.copies != to->copies || before.sums != to->sums ||
         before.products != to->products || before.group != to->group;
}

static struct og_vf_value read(const struct og_vf *t, const struct og_visa_operand *operand) {
  struct og_vf_value value = {0};
  if (og_vf_is_register(operand) || og_vf_is_address(operand)) {
    uint32_t variable = og_vf_base_of(t, operand);
    value = t->now[variable];
    if (t->address_taken[variable])
      add(&value, &t->exposed);
  } else if (operand->kind == OG_VISA_INDIRECT) {
    value = t->exposed;
  }
  return value;
}

/* Writes a value to `operand`; `whole`: it fills the variable. */
static void write(struct og_vf *t, const struct og_visa_operand *operand, const struct og_vf_value *value, bool whole) {
  if (operand->kind == OG_VISA_INDIRECT)
    t->exposed_more |= og_vf_merge(&t->exposed, value);
  if (!og_vf_is_register(operand))
    return;
  uint32_t variable = og_vf_base_of(t, operand);
  if (t->address_taken[variable])
    t->exposed_more |= og_vf_merge(&t->exposed, value);
  if (whole)
    t->now[variable] = *value;
  else
    add(&t->now[variable], value);
  if (variable >= OG_VISA_FIRST_GENERAL && !t->own[variable])
    t->flow.first_temporary = OG_MIN(t->flow.first_temporary, variable);
}

static bool is_whole(const struct og_vf *t, const struct og_visa_inst *inst, const struct og_visa_operand *operand,
                     uint32_t bytes) {
  return !inst->predicate.variable && og_vf_is_register(operand) &&
         og_visa_variable_size(&t->kernel->general.items[og_vf_base_of(t, operand)]) <= bytes;
}

static bool is_one(uint64_t set) { return set && !(set & (set - 1)); }

/* ---- messages ---------------------------------------------------------------------------------------------------- */

enum { NO_SURFACE = 0xff };

/* The numbers of a message's operands that are its surface, addresses and data; data is the last. */
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

static uint64_t surfaces_of(const struct og_vf *t, const struct og_visa_operand *operand) {
  if (operand->kind == OG_VISA_STATE && operand->state_class == 'T')
    return t->now[t->kernel->general.count + operand->variable].inputs;
  if (operand->kind == OG_VISA_IMMEDIATE)
    return operand->bits < MOST_SURFACES ? 1ull << operand->bits : 0;
  return operand->kind == OG_VISA_GENERAL ? ANY_SURFACE : 0;
}

/* The least number of bytes that a load leaves in its destination, for channels that are on. */
static uint32_t loaded_bytes(const struct og_visa_inst *inst) {
  if (inst->opcode != OG_VISA_OP_LSC_UNTYPED)
    return inst->exec_size * 4u;
  static const uint8_t sizes[] = {[OG_VISA_D8] = 1,    [OG_VISA_D16] = 2,    [OG_VISA_D32] = 4,    [OG_VISA_D64] = 8,
                                  [OG_VISA_D8C32] = 4, [OG_VISA_D16C32] = 4, [OG_VISA_D16C32H] = 4};
  uint32_t size = inst->lsc->data_size < OG_COUNT(sizes) ? sizes[inst->lsc->data_size] : 0;
  return size * OG_MAX(inst->lsc->elements, 1u) * inst->exec_size;
}

static uint32_t loaded_operand(const struct og_visa_inst *inst, const struct message *message) {
  return message->store                           ? UINT32_MAX
         : inst->opcode == OG_VISA_OP_LSC_UNTYPED ? (uint32_t)OG_VISA_LSC_DST_OPERAND
                                                  : inst->operand_count - 1u;
}

static uint32_t result_bytes(const struct og_visa_inst *inst, const struct og_visa_operand *to) {
  bool dense = to->kind == OG_VISA_GENERAL && !to->row && !to->column && (to->horizontal == 1 || inst->exec_size == 1);
  return dense ? inst->exec_size * (uint32_t)og_visa_types[to->type].size : 0;
}

/* The operand whose variable the instruction writes as a whole; UINT32_MAX: none. */
uint32_t og_vf_whole_operand(const struct og_vf *t, const struct og_visa_inst *inst) {
  struct message message;
  char letters[OG_VISA_MAX_LETTERS];
  const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
  if (find_message(inst, &message)) {
    uint32_t i = loaded_operand(inst, &message);
    return i < inst->operand_count && inst->operands[i].kind == OG_VISA_RAW && inst->operands[i].offset == 0 &&
                   is_whole(t, inst, &inst->operands[i], loaded_bytes(inst))
               ? i
               : UINT32_MAX;
  }
  unsigned count = row ? OG_MIN(og_visa_letters(row, letters), (unsigned)inst->operand_count) : 0;
  for (unsigned i = 0; i < count; i++)
    if (letters[i] == 'D')
      return is_whole(t, inst, &inst->operands[i], result_bytes(inst, &inst->operands[i])) ? i : UINT32_MAX;
  return UINT32_MAX;
}

static void follow_message(struct og_vf *t, const struct og_visa_inst *inst, const struct message *message) {
  uint32_t destination = loaded_operand(inst, message);
  uint64_t pointers = 0;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_vf_value value = read(t, &inst->operands[i]);
    bool address = i >= message->first && i <= message->last;
    if (address)
      pointers |= value.inputs & t->roles->pointers;
    if (i != destination && !(address && message->surface != NO_SURFACE))
      t->flow.counted |= value.copies;
  }
  if (destination < inst->operand_count) {
    static const struct og_vf_value nothing;
    write(t, &inst->operands[destination], &nothing, destination == og_vf_whole_operand(t, inst));
  }
  bool flat = message->surface == NO_SURFACE;
  uint64_t surfaces = flat ? 0 : surfaces_of(t, &inst->operands[message->surface]);
  t->flow.surfaces_used |= surfaces;
  if (message->store && flat && is_one(pointers))
    t->flow.written |= pointers;
  if (message->store && is_one(surfaces))
    t->flow.surfaces_written |= surfaces;
}

/* ---- everything else --------------------------------------------------------------------------------------------- */

static bool is_constant(const struct og_visa_operand *operand) { return operand->kind == OG_VISA_IMMEDIATE; }

static struct og_vf_value product(const struct og_vf_value *a, const struct og_vf_value *b, bool constant) {
  struct og_vf_value value = {.inputs = a->inputs | b->inputs};
  if (constant) {
    value.sums = a->sums | b->sums;
    value.products = a->products | b->products;
  }
  value.products |= (a->group ? b->copies : 0) | (b->group ? a->copies : 0);
  return value;
}

static struct og_vf_value sum(const struct og_vf_value *a, const struct og_vf_value *b) {
  return (struct og_vf_value){
      .inputs = a->inputs | b->inputs, .sums = a->sums | b->sums, .products = a->products | b->products};
}

static struct og_vf_value result_of(const struct og_vf *t, const struct og_visa_inst *inst, const uint8_t *sources,
                              uint32_t count) {
  struct og_vf_value s[4] = {0}, all = {0};
  for (uint32_t i = 0; i < count; i++) {
    struct og_vf_value one = read(t, &inst->operands[sources[i]]);
    s[OG_MIN(i, 3u)] = one;
    all.inputs |= one.inputs;
  }
  const struct og_visa_operand *first = &inst->operands[sources[0]], *second = &inst->operands[sources[1]];
  switch (inst->opcode) {
  case OG_VISA_OP_MOV: return first->modifier ? all : s[0];
  case OG_VISA_OP_ADD: return sum(&s[0], &s[1]);
  case OG_VISA_OP_ADD3: s[0] = sum(&s[0], &s[1]); return sum(&s[0], &s[2]);
  case OG_VISA_OP_SHL: return is_constant(second) ? product(&s[0], &s[1], true) : all;
  case OG_VISA_OP_MUL: return product(&s[0], &s[1], is_constant(first) || is_constant(second));
  case OG_VISA_OP_MAD:
    s[0] = product(&s[0], &s[1], is_constant(first) || is_constant(second));
    return sum(&s[0], &s[2]);
  default: return all;
  }
}

static bool only_adds(uint8_t opcode) {
  return opcode == OG_VISA_OP_MOV || opcode == OG_VISA_OP_ADD || opcode == OG_VISA_OP_ADD3 ||
         opcode == OG_VISA_OP_ADDC;
}

static void follow_vector(struct og_vf *t, const struct og_visa_inst *inst, const struct og_visa_row *row) {
  char letters[OG_VISA_MAX_LETTERS];
  uint8_t sources[OG_VISA_MAX_LETTERS + 1] = {0};
  unsigned count = OG_MIN(og_visa_letters(row, letters), (unsigned)inst->operand_count), source_count = 0;
  for (unsigned i = 0; i < count; i++)
    if (letters[i] == 'S')
      sources[source_count++] = (uint8_t)i;
  struct og_vf_value value = result_of(t, inst, sources, source_count);
  for (unsigned i = 0; i < source_count && !only_adds(inst->opcode); i++)
    t->flow.counted |= read(t, &inst->operands[sources[i]]).copies;
  if (value.sums & t->roles->header && value.sums & t->roles->local_ids && is_one(value.products))
    t->flow.global_ids |= value.products;
  for (unsigned i = 0; i < count; i++)
    if (letters[i] == 'D')
      write(t, &inst->operands[i], &value, i == og_vf_whole_operand(t, inst));
  if (inst->opcode == OG_VISA_OP_MOVS && inst->operands[0].kind == OG_VISA_STATE &&
      inst->operands[0].state_class == 'T')
    t->now[t->kernel->general.count + inst->operands[0].variable].inputs =
        is_constant(&inst->operands[1]) ? surfaces_of(t, &inst->operands[1]) : ANY_SURFACE;
}

/* Notes reads, on whatever path: of the variables of inputs. */
static void mark_used(struct og_vf *t, const struct og_visa_operand *operand) {
  if (!og_vf_is_register(operand) && !og_vf_is_address(operand))
    return;
  uint32_t offset, variable = og_visa_resolve_alias(t->kernel, operand->variable, &offset);
  const uint64_t inputs = t->own[variable];
  bool scalar = operand->kind == OG_VISA_GENERAL && operand->vertical == 0 && operand->width == 1 && !operand->row;
  uint32_t at = (offset + (scalar ? operand->column * (uint32_t)og_visa_types[operand->type].size : 0)) / 4;
  bool one = scalar && at < 3 && og_visa_types[operand->type].size <= 4;
  t->flow.used |= inputs;
  for (uint32_t i = 0; i < OG_VISA_FLOW_INPUTS; i++)
    if (inputs >> i & 1)
      t->flow.components[i] |= one ? 1 << at : 7;
}

void og_vf_follow(struct og_vf *t, const struct og_visa_inst *inst) {
  struct message message;
  const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
  for (unsigned i = 0; i < inst->operand_count && inst->opcode != OG_VISA_OP_MOVS; i++)
    if (inst->operands[i].kind == OG_VISA_STATE)
      t->flow.surfaces_used |= surfaces_of(t, &inst->operands[i]);
  if (find_message(inst, &message))
    follow_message(t, inst, &message);
  else if (row)
    follow_vector(t, inst, row);
}

/* ---- the start --------------------------------------------------------------------------------------------------- */

void og_vf_start(struct og_vf *t) {
  const struct og_visa_kernel *kernel = t->kernel;
  for (uint32_t i = 0; i < kernel->inputs.count && i < OG_VISA_FLOW_INPUTS; i++)
    if (kernel->inputs.items[i].class == 'G') {
      uint32_t offset, variable = og_visa_resolve_alias(kernel, kernel->inputs.items[i].variable, &offset);
      t->own[variable] |= 1ull << i;
      t->now[variable].inputs = t->now[variable].copies = t->now[variable].sums = t->own[variable];
    }
  t->now[OG_VISA_V_R0].group = true;
  t->now[OG_VISA_V_GROUP_ID_X].group = t->now[OG_VISA_V_GROUP_ID_Y].group = t->now[OG_VISA_V_GROUP_ID_Z].group = true;
  for (uint32_t i = 0; i < kernel->insts.count; i++)
    for (unsigned k = 0; k < kernel->insts.items[i].operand_count; k++) {
      const struct og_visa_operand *operand = &kernel->insts.items[i].operands[k];
      mark_used(t, operand);
      if (og_vf_is_address(operand)) {
        uint32_t variable = og_vf_base_of(t, operand);
        t->address_taken[variable] = true;
        t->exposed.inputs |= t->own[variable];
      }
    }
}
