/* read_inst.c - the instructions and operands of the binary form into memory. */
#include "visa/binary/read.h"

#include <string.h>

/* ---- operands ---- */

static uint8_t stride(struct og_vb *b, unsigned code) {
  static const uint8_t strides[] = {OG_VISA_STRIDE_NONE, 0, 1, 2, 4, 8, 16, 32};
  if (code >= OG_COUNT(strides)) {
    og_vb_fail(b, "region code %u", code);
    return 0;
  }
  return strides[code];
}

static void take_region(struct og_vb *b, struct og_visa_operand *operand) {
  uint16_t region = og_vb_take16(b);
  operand->vertical = stride(b, region & 15);
  operand->width = stride(b, region >> 4 & 15);
  operand->horizontal = stride(b, region >> 8 & 15);
  if (region >> 12)
    og_vb_fail(b, "reserved bits in region 0x%04x", region);
}

static struct og_visa_predicate take_predicate(struct og_vb *b) {
  uint16_t bits = og_vb_take16(b);
  struct og_visa_predicate predicate = {
      .variable = (uint16_t)og_vb_checked(b, 'P', bits & 0xfff), .combine = bits >> 13 & 3, .inverse = bits >> 15};
  if (predicate.combine == 3)
    og_vb_fail(b, "predicate control 0x%04x: combine 3 is reserved", bits);
  if (bits & 0x1000)
    og_vb_fail(b, "predicate control 0x%04x: bit 12 must be 0", bits);
  return predicate;
}

static void take_general_operand(struct og_vb *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_GENERAL;
  operand->variable = og_vb_checked(b, 'G', og_vb_take32(b));
  operand->type = b->failed ? 0 : b->kernel->general.items[operand->variable].type;
  operand->row = og_vb_take8(b);
  operand->column = og_vb_take8(b);
  take_region(b, operand);
}

static void take_immediate(struct og_vb *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_IMMEDIATE;
  operand->type = og_vb_take8(b);
  if (operand->type >= OG_VISA_TYPE_COUNT || operand->type == OG_VISA_BOOL) {
    og_vb_fail(b, "immediate of type %u", operand->type);
    operand->type = 0;
  }
  operand->bits = og_vb_take32(b);
  if (og_visa_types[operand->type].size == 8)
    operand->bits |= (uint64_t)og_vb_take32(b) << 32;
}

static void take_address_of(struct og_vb *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_ADDRESS_OF;
  operand->state_class = og_vb_take8(b);
  if (operand->state_class != 'G' && operand->state_class != 'T' && operand->state_class != 'S')
    og_vb_fail(b, "vector operand of reserved class 4");
  operand->variable = b->failed ? 0 : og_vb_checked(b, (char)operand->state_class, og_vb_take32(b));
  operand->offset = (int16_t)og_vb_take16(b);
  operand->type = OG_VISA_UW;
}

static void take_vector(struct og_vb *b, struct og_visa_operand *operand) {
  uint8_t tag = og_vb_take8(b);
  operand->modifier = tag >> 3 & 7;
  if (tag >> 6 || operand->modifier > OG_VISA_MODIFIER_NOT)
    og_vb_fail(b, "operand tag 0x%02x has reserved bits or an unknown modifier", tag);
  switch (tag & 7) {
  case 0: take_general_operand(b, operand); break;
  case 1:
    operand->kind = OG_VISA_ADDRESS;
    operand->type = OG_VISA_UW;
    operand->variable = og_vb_checked(b, 'A', og_vb_take16(b));
    operand->column = og_vb_take8(b);
    operand->width = og_vb_take8(b);
    if (operand->width > 8)
      og_vb_fail(b, "address operand of width code %u", operand->width);
    operand->width = (uint8_t)(operand->width < 8 ? 1u << operand->width : 0);
    break;
  case 2:
    operand->kind = OG_VISA_PREDICATE;
    operand->type = OG_VISA_BOOL;
    operand->predicate = take_predicate(b);
    break;
  case 3:
    operand->kind = OG_VISA_INDIRECT;
    operand->variable = og_vb_checked(b, 'A', og_vb_take16(b));
    operand->column = og_vb_take8(b);
    operand->offset = (int16_t)og_vb_take16(b);
    operand->type = og_vb_take8(b);
    if (operand->type >= OG_VISA_TYPE_COUNT)
      og_vb_fail(b, "indirect operand of type %u", operand->type), operand->type = 0;
    take_region(b, operand);
    break;
  case 4: take_address_of(b, operand); break;
  case 5: take_immediate(b, operand); break;
  case 6: {
    uint8_t class = og_vb_take8(b);
    operand->kind = OG_VISA_STATE;
    operand->type = OG_VISA_UD;
    operand->state_class = class ? 'S' : 'T';
    if (class > 1)
      og_vb_fail(b, "state operand of class %u", class);
    operand->variable = og_vb_checked(b, (char)operand->state_class, og_vb_take16(b));
    operand->column = og_vb_take8(b);
    break;
  }
  default: og_vb_fail(b, "vector operand of reserved class %u", tag & 7);
  }
}

static void take_raw(struct og_vb *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_RAW;
  operand->variable = og_vb_checked(b, 'G', og_vb_take32(b));
  operand->type = b->failed ? 0 : b->kernel->general.items[operand->variable].type;
  operand->offset = og_vb_take16(b);
}

static uint32_t intern(struct og_vb *b, uint32_t pool_index) {
  const char *text = og_vb_string(b, pool_index);
  if (!text[0])
    return 0;
  *OG_PUSH(b->arena, &b->kernel->strings) = text;
  return b->kernel->strings.count - 1;
}

static void take_label(struct og_vb *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_LABEL;
  operand->variable = og_vb_take16(b);
  if (operand->variable >= b->kernel->labels.count)
    og_vb_fail(b, "label %u, there are %u", operand->variable, b->kernel->labels.count), operand->variable = 0;
}

static void take_by_letter(struct og_vb *b, char letter, struct og_visa_inst *inst, struct og_visa_operand *operand) {
  switch (letter) {
  case 'D':
  case 'Q':
  case 'A':
    take_vector(b, operand);
    if (operand->modifier == OG_VISA_MODIFIER_SAT)
      inst->saturate = true, operand->modifier = 0;
    break;
  case 'S': take_vector(b, operand); break;
  case 'R': take_raw(b, operand); break;
  case 'T':
  case 'M':
    operand->kind = OG_VISA_STATE;
    operand->type = OG_VISA_UD;
    operand->state_class = letter == 'T' ? 'T' : 'S';
    operand->variable = og_vb_checked(b, (char)operand->state_class, og_vb_take8(b));
    break;
  case 'L': take_label(b, operand); break;
  case 'N':
    operand->kind = OG_VISA_VALUE;
    operand->bits = intern(b, og_vb_take16(b));
    break;
  default:
    operand->kind = OG_VISA_VALUE;
    operand->bits = og_vb_take(b, (unsigned)(letter - '0'));
    if (inst->opcode == OG_VISA_OP_FILE)
      operand->bits = intern(b, (uint32_t)operand->bits);
  }
}

/* ---- instructions ---- */

static void take_mask(uint8_t code, struct og_visa_inst *inst) {
  inst->mask_offset = (uint8_t)((code & 7) * 4);
  inst->no_mask = code >> 3 & 1;
}

static void take_exec(struct og_vb *b, bool gather, struct og_visa_inst *inst) {
  uint8_t code = og_vb_take8(b);
  static const uint8_t gather_sizes[] = {8, 16, 1};
  if ((code & 15) > (gather ? 2 : 5))
    og_vb_fail(b, "execution size code %u", code & 15);
  else
    inst->exec_size = gather ? gather_sizes[code & 15] : (uint8_t)(1u << (code & 15));
  take_mask(code >> 4, inst);
}

static void take_sub(struct og_vb *b, struct og_visa_inst *inst) {
  uint8_t sub = og_vb_take8(b);
  if (inst->opcode == OG_VISA_OP_FMINMAX)
    inst->sub = sub & 1;
  else
    inst->atomic = sub;
  if (inst->opcode != OG_VISA_OP_FMINMAX && ((sub & 31) >= OG_VISA_ATOMIC_COUNT || sub >> 5 == 3 || sub >> 7))
    og_vb_fail(b, "atomic operation 0x%02x", sub);
}

static void take_fields(struct og_vb *b, const char *binary, struct og_visa_inst *inst) {
  struct og_visa_operand operands[OG_VISA_MAX_OPERANDS] = {{0}};
  unsigned count = 0;
  for (; *binary && !b->failed; binary++) {
    switch (*binary) {
    case 'x': take_exec(b, false, inst); break;
    case 'g': take_exec(b, true, inst); break;
    case 'p': inst->predicate = take_predicate(b); break;
    case 'c':
      inst->compare = og_vb_take8(b);
      if (inst->compare > OG_VISA_LE)
        og_vb_fail(b, "relation %u", inst->compare), inst->compare = 0;
      break;
    case 'o': take_sub(b, inst); break;
    case '*': {
      unsigned more = og_vb_take8(b);
      if (more > 24 || count + more > OG_COUNT(operands))
        og_vb_fail(b, "%u parameters", more), more = 0;
      for (; more; more--)
        take_raw(b, &operands[count++]);
      break;
    }
    default: take_by_letter(b, *binary, inst, &operands[count++]);
    }
  }
  if (inst->opcode == OG_VISA_OP_SWITCHJMP && !b->failed) {
    if (operands[0].bits > 32)
      og_vb_fail(b, "switchjmp with %u labels", (unsigned)operands[0].bits), operands[0].bits = 0;
    for (uint64_t i = 0; i < operands[0].bits; i++)
      take_label(b, &operands[count++]);
  }
  inst->operand_count = (uint8_t)count;
  inst->operands = OG_NEW_ARRAY(b->arena, struct og_visa_operand, count);
  memcpy(inst->operands, operands, count * sizeof *operands);
}

static uint8_t limited(struct og_vb *b, uint8_t low, uint8_t high, const char *what) {
  uint8_t value = og_vb_take8(b);
  if (!b->failed && (value < low || value > high))
    og_vb_fail(b, "%s is %u, not in %u..%u", what, value, low, high);
  return b->failed ? low : value;
}

static bool is_block2d(const struct og_visa_inst *inst) {
  return inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
}

static bool is_strided(const struct og_visa_inst *inst) {
  return inst->sub == OG_VISA_LSC_LOAD_STRIDED || inst->sub == OG_VISA_LSC_STORE_STRIDED;
}

static void take_lsc_fence(struct og_vb *b, struct og_visa_inst *inst, struct og_visa_lsc *lsc) {
  take_exec(b, false, inst);
  inst->predicate = take_predicate(b);
  lsc->sfid = limited(b, 0, OG_VISA_SLM, "LSC unit");
  lsc->fence = limited(b, 0, OG_VISA_TYPE6, "fence");
  lsc->scope = limited(b, 0, OG_VISA_SYSACQ, "scope");
}

/* What stands in front of the operands: unit, caching, how addresses and data are laid out. */
static void take_lsc_fields(struct og_vb *b, struct og_visa_inst *inst, struct og_visa_lsc *lsc) {
  bool block2d = is_block2d(inst), typed = inst->opcode == OG_VISA_OP_LSC_TYPED;
  take_exec(b, false, inst);
  inst->predicate = take_predicate(b);
  lsc->sfid = typed ? OG_VISA_TGM : limited(b, 0, OG_VISA_SLM, "LSC unit");
  lsc->l1 = limited(b, 0, OG_VISA_READINVALIDATE, "L1 caching");
  lsc->l3 = limited(b, 0, OG_VISA_READINVALIDATE, "L3 caching");
  lsc->address_kind = OG_VISA_FLAT;
  lsc->address_size = 8;
  if (!block2d || typed) {
    lsc->address_kind = limited(b, OG_VISA_FLAT, OG_VISA_ARG, "address model");
    if (!typed) {
      lsc->scale = og_vb_take16(b);
      lsc->offset = (int32_t)og_vb_take32(b);
    }
    lsc->address_size = (uint8_t)(1u << limited(b, 1, 3, "address size"));
  }
  lsc->data_size = limited(b, OG_VISA_D8, OG_VISA_D16C32H, "data size");
  lsc->transposed = limited(b, 1, 2, "data order") == 2;
  if (block2d) {
    lsc->blocks = og_vb_take8(b);
    lsc->block_width = og_vb_take16(b);
    lsc->block_height = og_vb_take16(b);
    lsc->vnni = limited(b, 0, 1, "VNNI flag");
  } else {
    static const uint8_t elements[] = {1, 1, 2, 3, 4, 8, 16, 32, 64};
    lsc->elements = elements[limited(b, 0, 8, "number of elements")];
    lsc->channels = limited(b, 0, 15, "channel mask");
  }
}

static void take_lsc_operands(struct og_vb *b, struct og_visa_inst *inst) {
  bool block2d = is_block2d(inst), strided = is_strided(inst), typed = inst->opcode == OG_VISA_OP_LSC_TYPED;
  inst->operand_count = block2d ? OG_VISA_LSC_BLOCK2D_COUNT
                        : typed ? OG_VISA_LSC_TYPED_COUNT
                                : OG_VISA_LSC_UNTYPED_COUNT;
  struct og_visa_operand *operands = inst->operands =
      OG_NEW_ARRAY(b->arena, struct og_visa_operand, inst->operand_count);
  for (unsigned i = 0; i < inst->operand_count; i++)
    operands[i].kind = OG_VISA_RAW;
  operands[OG_VISA_LSC_SURFACE_OPERAND] = (struct og_visa_operand){.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UD};
  if (!block2d || typed)
    take_vector(b, &operands[OG_VISA_LSC_SURFACE_OPERAND]);
  take_raw(b, &operands[OG_VISA_LSC_DST_OPERAND]);
  if (block2d) {
    for (unsigned i = 0; i < 6; i++)
      take_vector(b, &operands[OG_VISA_LSC_BLOCK2D_OPERAND + i]);
  } else if (typed) {
    for (unsigned i = 0; i < 4; i++)
      take_raw(b, &operands[OG_VISA_LSC_TYPED_OPERAND + i]);
  } else {
    take_raw(b, &operands[OG_VISA_LSC_ADDRESS_OPERAND]);
    if (strided)
      take_vector(b, &operands[OG_VISA_LSC_PITCH_OPERAND]);
  }
  take_raw(b, &operands[OG_VISA_LSC_DATA_OPERAND]);
  if (!block2d && !strided)
    take_raw(b, &operands[OG_VISA_LSC_DATA2_OPERAND]);
  for (unsigned i = 0; i < inst->operand_count && !b->failed; i++)
    if (operands[i].kind != OG_VISA_RAW && operands[i].kind != OG_VISA_GENERAL && operands[i].kind != OG_VISA_IMMEDIATE)
      og_vb_fail(b, "LSC operand %u is neither a general variable nor a number", i);
}

static void take_lsc(struct og_vb *b, struct og_visa_inst *inst) {
  struct og_visa_lsc *lsc = OG_NEW(b->arena, struct og_visa_lsc);
  inst->lsc = lsc;
  lsc->scale = 1;
  lsc->elements = 1;
  if (inst->opcode == OG_VISA_OP_LSC_FENCE) {
    take_lsc_fence(b, inst, lsc);
    return;
  }
  inst->sub = og_vb_take8(b);
  bool raw = is_strided(inst) || inst->sub == OG_VISA_LSC_LOAD || inst->sub == OG_VISA_LSC_STORE;
  if (!og_visa_lsc_op(inst->sub)) {
    og_vb_fail(b, "LSC operation 0x%02x", inst->sub);
  } else if (inst->opcode == OG_VISA_OP_LSC_TYPED && raw) {
    og_vb_fail(b, "LSC operation 0x%02x has no typed form", inst->sub);
  } else {
    take_lsc_fields(b, inst, lsc);
    take_lsc_operands(b, inst);
  }
}

static void finish_dpas(struct og_vb *b, struct og_visa_inst *inst) {
  uint32_t bits = (uint32_t)inst->operands[4].bits;
  inst->dpas = (struct og_visa_dpas){(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
  if (inst->dpas.weights > OG_VISA_TF32 || inst->dpas.activations > OG_VISA_TF32)
    og_vb_fail(b, "dpas precision %u or %u", inst->dpas.weights, inst->dpas.activations);
}

static void define_label(struct og_vb *b, const struct og_visa_inst *inst) {
  struct og_visa_label *label = &b->kernel->labels.items[inst->operands[0].variable];
  if (label->inst != UINT32_MAX)
    og_vb_fail(b, "label '%s' is defined twice", label->name);
  label->inst = b->kernel->insts.count - 1;
  label->subroutine = inst->opcode == OG_VISA_OP_SUBROUTINE;
}

/* In addr_add a general or state operand means its address. */
static void take_address(const struct og_visa_kernel *kernel, struct og_visa_operand *operand) {
  bool state = operand->kind == OG_VISA_STATE;
  if (!state && operand->kind != OG_VISA_GENERAL)
    return;
  unsigned size = state ? 4 : og_visa_types[kernel->general.items[operand->variable].type].size;
  int32_t offset = (state ? 0 : operand->row * 32) + (int32_t)(operand->column * size);
  *operand = (struct og_visa_operand){.kind = OG_VISA_ADDRESS_OF,
                                      .state_class = state ? operand->state_class : 'G',
                                      .type = OG_VISA_UW,
                                      .variable = operand->variable,
                                      .offset = offset};
}

static void finish_inst(struct og_vb *b, struct og_visa_inst *inst) {
  switch (inst->opcode) {
  case OG_VISA_OP_LABEL:
  case OG_VISA_OP_SUBROUTINE: define_label(b, inst); break;
  case OG_VISA_OP_DPAS:
  case OG_VISA_OP_DPASW: finish_dpas(b, inst); break;
  case OG_VISA_OP_BFN: inst->bfn = (uint8_t)inst->operands[4].bits; break;
  case OG_VISA_OP_ADDR_ADD: take_address(b->kernel, &inst->operands[1]); break;
  case OG_VISA_OP_LIFETIME: {
    unsigned class = inst->operands[0].bits >> 4 & 3;
    if (class > 2)
      og_vb_fail(b, "lifetime of a variable of class %u", class);
    else
      inst->operands[1].bits = og_vb_checked(b, "GAP"[class], (uint32_t)inst -> operands[1].bits);
    break;
  }
  case OG_VISA_OP_SAMPLE_3D:
  case OG_VISA_OP_LOAD_3D:
  case OG_VISA_OP_GATHER4_3D:
  case OG_VISA_OP_INFO_3D:
    inst->sub = inst->operands[0].bits & 31;
    if (inst->sub >= OG_VISA_SAMPLE_NAMES || !og_visa_sample_names[inst->sub][0])
      og_vb_fail(b, "sampler operation %u", inst->sub);
    break;
  default: break;
  }
}

void og_vb_take_inst(struct og_vb *b) {
  struct og_visa_inst *inst = OG_PUSH(b->arena, &b->kernel->insts);
  inst->compare = OG_VISA_COMPARE_NONE;
  inst->exec_size = 1;
  inst->opcode = og_vb_take8(b);
  if (inst->opcode >= OG_VISA_OP_LSC_UNTYPED && inst->opcode <= OG_VISA_OP_LSC_FENCE) {
    take_lsc(b, inst);
    return;
  }
  if (inst->opcode == OG_VISA_OP_SVM)
    inst->sub = og_vb_take8(b);
  const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
  if (!row) {
    og_vb_fail(b, "opcode 0x%02x%s is not known", inst->opcode,
               inst->opcode == OG_VISA_OP_SVM ? " with this sub-operation" : "");
    return;
  }
  take_fields(b, row->binary, inst);
  if (!b->failed)
    finish_inst(b, inst);
}
