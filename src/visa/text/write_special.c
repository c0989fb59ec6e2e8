/* write_special.c - the text of instructions that no template describes: LSC, dpas, sampler and a few more. */
#include "visa/text/write.h"

static void put_payload(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand,
                        struct og_buffer *out) {
  og_vt_put_general(kernel, operand->kind == OG_VISA_RAW ? operand->variable : 0, out);
  if (operand->kind == OG_VISA_RAW && operand->offset)
    og_vt_put_dotted((uint32_t)operand->offset, out);
}

static void put_register_or_number(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand,
                                   bool address, struct og_buffer *out) {
  if (operand->kind == OG_VISA_IMMEDIATE) {
    og_vt_put_hex(out, (uint32_t)operand->bits);
    return;
  }
  og_vt_put_general(kernel, operand->variable, out);
  if (!address || operand->row || operand->column)
    og_vt_put_origin(operand, out);
}

static bool is_block2d(const struct og_visa_inst *inst) {
  return inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
}

static void put_lsc_data(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, unsigned operand,
                         struct og_buffer *out) {
  const struct og_visa_lsc *lsc = inst->lsc;
  og_vt_put(out, "  ");
  put_payload(kernel, &inst->operands[operand], out);
  og_vt_put_named(og_visa_data_size_names, lsc->data_size, ":", out);
  if (is_block2d(inst)) {
    og_vt_put_char(out, '.');
    if (lsc->blocks > 1)
      og_buffer_printf(out, "%ux", lsc->blocks);
    og_buffer_printf(out, "%ux%u%c%c", lsc->block_width, lsc->block_height, lsc->transposed ? 't' : 'n',
                     lsc->vnni ? 't' : 'n');
    return;
  }
  if (lsc->channels) {
    og_vt_put_char(out, '.');
    for (unsigned bit = 0; bit < 4; bit++)
      if (lsc->channels >> bit & 1)
        og_vt_put_char(out, "xyzw"[bit]);
    return;
  }
  if (lsc->elements > 1)
    og_buffer_printf(out, "x%u", lsc->elements);
  og_vt_put(out, lsc->transposed ? "t" : "");
}

static void put_lsc_model(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  const struct og_visa_lsc *lsc = inst->lsc;
  og_vt_put_named(og_visa_address_names, lsc->address_kind, "  ", out);
  if (lsc->address_kind == OG_VISA_FLAT || lsc->address_kind == OG_VISA_ARG)
    return;
  og_vt_put_char(out, '(');
  put_register_or_number(kernel, &inst->operands[OG_VISA_LSC_SURFACE_OPERAND], true, out);
  og_vt_put_char(out, ')');
}

static void put_lsc_address(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst,
                            struct og_buffer *out) {
  const struct og_visa_lsc *lsc = inst->lsc;
  put_lsc_model(kernel, inst, out);
  og_vt_put_char(out, '[');
  if (is_block2d(inst)) {
    for (unsigned i = 0; i < 6; i++) {
      og_vt_put(out, i ? ", " : "");
      put_register_or_number(kernel, &inst->operands[OG_VISA_LSC_BLOCK2D_OPERAND + i], true, out);
    }
    og_vt_put_char(out, ']');
    return;
  }
  if (inst->opcode == OG_VISA_OP_LSC_TYPED) {
    for (unsigned i = 0; i < 4; i++) {
      og_vt_put(out, i ? ", " : "");
      put_payload(kernel, &inst->operands[OG_VISA_LSC_TYPED_OPERAND + i], out);
    }
  } else {
    if (lsc->scale > 1)
      og_buffer_printf(out, "0x%x*", lsc->scale);
    put_payload(kernel, &inst->operands[OG_VISA_LSC_ADDRESS_OPERAND], out);
    if (lsc->offset)
      og_buffer_printf(out, "%c0x%x", lsc->offset < 0 ? '-' : '+',
                       lsc->offset < 0 ? 0 - (uint32_t)lsc->offset : (uint32_t)lsc->offset);
    if (inst->sub == OG_VISA_LSC_LOAD_STRIDED || inst->sub == OG_VISA_LSC_STORE_STRIDED) {
      og_vt_put(out, ", ");
      put_register_or_number(kernel, &inst->operands[OG_VISA_LSC_PITCH_OPERAND], true, out);
    }
  }
  og_buffer_printf(out, "]:a%u", lsc->address_size * 8u);
}

static void put_lsc(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  const struct og_visa_lsc *lsc = inst->lsc;
  if (inst->opcode == OG_VISA_OP_LSC_FENCE) {
    og_vt_put_named(og_visa_sfid_names, lsc->sfid, "lsc_fence.", out);
    og_vt_put_named(og_visa_fence_names, lsc->fence, ".", out);
    og_vt_put_named(og_visa_scope_names, lsc->scope, ".", out);
    return;
  }
  const struct og_visa_lsc_op_info *op = og_visa_lsc_op(inst->sub);
  og_vt_put(out, "lsc_");
  og_vt_put(out, op->name);
  og_vt_put_named(og_visa_sfid_names, lsc->sfid, ".", out);
  if (inst->sub == OG_VISA_LSC_READ_STATE_INFO) {
    og_vt_put(out, "  ");
    put_payload(kernel, &inst->operands[OG_VISA_LSC_DST_OPERAND], out);
    put_lsc_model(kernel, inst, out);
    return;
  }
  if (lsc->l1 || lsc->l3) {
    og_vt_put_named(og_visa_cache_names, lsc->l1, ".", out);
    og_vt_put_named(og_visa_cache_names, lsc->l3, ".", out);
  }
  og_vt_put_exec(inst, out);
  if (op->kind == 's') {
    put_lsc_address(kernel, inst, out);
    put_lsc_data(kernel, inst, OG_VISA_LSC_DATA_OPERAND, out);
    return;
  }
  put_lsc_data(kernel, inst, OG_VISA_LSC_DST_OPERAND, out);
  put_lsc_address(kernel, inst, out);
  for (unsigned i = OG_VISA_LSC_DATA_OPERAND; op->kind != 'l' && i <= OG_VISA_LSC_DATA2_OPERAND; i++) {
    og_vt_put(out, "  ");
    put_payload(kernel, &inst->operands[i], out);
  }
}

static void put_dpas(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  og_vt_put(out, og_visa_mnemonic(inst));
  og_vt_put_named(og_visa_precision_names, inst->dpas.weights, ".", out);
  og_vt_put_named(og_visa_precision_names, inst->dpas.activations, ".", out);
  og_vt_put_dotted(inst->dpas.depth, out);
  og_vt_put_dotted(inst->dpas.count, out);
  og_vt_put_exec(inst, out);
  for (unsigned i = 0; i < 4; i++)
    og_vt_put_spaced(kernel, &inst->operands[i], 'v', out);
}

static void put_sample(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  uint64_t op = inst->operands[0].bits;
  og_vt_put(out, og_visa_mnemonic(inst));
  og_vt_put(out, op & 0x20 ? ".pixel_null_mask" : "");
  og_vt_put(out, op & 0x40 ? ".cps" : "");
  og_vt_put(out, op & 0x80 ? ".divS" : "");
  uint64_t channels = inst->operands[1].bits;
  og_vt_put_channels(inst->opcode == OG_VISA_OP_GATHER4_3D ? 1u << (channels & 3) : channels, out);
  og_vt_put_exec(inst, out);
  og_vt_put_char(out, ' ');
  for (unsigned i = 2; i < inst->operand_count; i++)
    og_vt_put_spaced(kernel, &inst->operands[i], inst->operands[i].kind == OG_VISA_STATE ? 'T' : 'S', out);
}

static void put_info(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  og_vt_put(out, og_visa_mnemonic(inst));
  og_vt_put_channels(inst->operands[1].bits, out);
  og_vt_put_exec(inst, out);
  og_vt_put_spaced(kernel, &inst->operands[2], 'T', out);
  if (inst->sub == 10)
    og_vt_put_spaced(kernel, &inst->operands[3], 'R', out);
  og_vt_put_spaced(kernel, &inst->operands[4], 'R', out);
}

static void put_rt_write(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  static const char *const modes[] = {"RTI", "A", "O", "Z", "ST", "LRTW", "CPS", "PS", "CM", "SI", "NULLRT"};
  og_vt_put(out, "rt_write_3d");
  og_vt_put(out, inst->operands[0].bits ? "." : "");
  for (unsigned i = 0; i < OG_COUNT(modes); i++)
    if (inst->operands[0].bits >> (i + 2) & 1)
      og_buffer_printf(out, "<%s>", modes[i]);
  og_vt_put_exec(inst, out);
  for (unsigned i = 1; i < inst->operand_count; i++)
    og_vt_put_spaced(kernel, &inst->operands[i], i == 1 ? 'T' : 'R', out);
}

static bool same_immediate(const struct og_visa_operand *a, const struct og_visa_operand *b) {
  return a->kind == b->kind && a->type == b->type && a->variable == b->variable && a->row == b->row &&
         a->column == b->column && a->bits == b->bits && a->vertical == b->vertical && a->width == b->width &&
         a->horizontal == b->horizontal && a->modifier == b->modifier;
}

static void put_nbarrier(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  const struct og_visa_operand *operands = inst->operands;
  bool signal = operands[0].bits & 1;
  og_vt_put(out, signal ? "nbarrier.signal" : "nbarrier.wait");
  og_vt_put_spaced(kernel, &operands[1], 'S', out);
  if (!signal)
    return;
  bool baseline =
      operands[2].kind == OG_VISA_IMMEDIATE && operands[2].bits == 0 && same_immediate(&operands[3], &operands[4]);
  for (unsigned i = baseline ? 4 : 2; i < 5; i++)
    og_vt_put_spaced(kernel, &operands[i], 'S', out);
}

static void put_switchjmp(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  og_vt_put(out, "switchjmp");
  og_vt_put_exec(inst, out);
  og_vt_put_spaced(kernel, &inst->operands[1], 'S', out);
  for (unsigned i = 2; i < inst->operand_count; i++) {
    og_vt_put(out, i == 2 ? " (" : ", ");
    og_vt_put_label(kernel, inst->operands[i].variable, out);
  }
  og_vt_put_char(out, ')');
}

static void put_lifetime(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  og_vt_put(out, inst->operands[0].bits & 1 ? "lifetime.end " : "lifetime.start ");
  og_vt_put_variable(kernel, "GAPP"[inst->operands[0].bits >> 4 & 3], (uint32_t)inst -> operands[1].bits, out);
}

void og_vt_put_special(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  switch (inst->opcode) {
  case OG_VISA_OP_FILE:
    og_vt_put(out, "FILE ");
    og_vt_put_string(out, kernel->strings.items[inst->operands[0].bits]);
    break;
  case OG_VISA_OP_LIFETIME: put_lifetime(kernel, inst, out); break;
  case OG_VISA_OP_NBARRIER: put_nbarrier(kernel, inst, out); break;
  case OG_VISA_OP_SWITCHJMP: put_switchjmp(kernel, inst, out); break;
  case OG_VISA_OP_DPAS:
  case OG_VISA_OP_DPASW: put_dpas(kernel, inst, out); break;
  case OG_VISA_OP_SAMPLE_3D:
  case OG_VISA_OP_LOAD_3D:
  case OG_VISA_OP_GATHER4_3D: put_sample(kernel, inst, out); break;
  case OG_VISA_OP_INFO_3D: put_info(kernel, inst, out); break;
  case OG_VISA_OP_RT_WRITE_3D: put_rt_write(kernel, inst, out); break;
  default: put_lsc(kernel, inst, out); break;
  }
}
