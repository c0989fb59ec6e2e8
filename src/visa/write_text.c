/* write_text.c - canonical text: byte for byte what IGC prints, but where its print cannot be read back. */
#include "visa/table.h"

#include <string.h>

static void put(struct og_buffer *out, const char *text) { og_buffer_append(out, text, strlen(text)); }
static void put_char(struct og_buffer *out, char c) { og_buffer_append(out, &c, 1); }

static void put_unsigned(struct og_buffer *out, uint64_t value, unsigned base) {
  char text[24];
  unsigned at = sizeof text;
  do
    text[--at] = "0123456789abcdef"[value % base];
  while (value /= base);
  og_buffer_append(out, text + at, sizeof text - at);
}
static void put_decimal(struct og_buffer *out, int64_t value) {
  if (value < 0)
    put_char(out, '-');
  put_unsigned(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10);
}
static void put_hex(struct og_buffer *out, uint64_t value) {
  put(out, "0x");
  put_unsigned(out, value, 16);
}

static void put_string(struct og_buffer *out, const char *text) {
  put_char(out, '"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      og_buffer_printf(out, "\\%c", c);
    else if (c < 32 || c == 127)
      og_buffer_printf(out, "\\x%02x", c);
    else
      put_char(out, (char)c);
  }
  put_char(out, '"');
}

/* ---- names ---- */

static bool is_plain_name(const char *name) {
  size_t i = 0;
  for (; name[i]; i++) {
    char c = name[i], low = c | 32;
    if (!((low >= 'a' && low <= 'z') || c == '_' || (i && c >= '0' && c <= '9')))
      return false;
  }
  bool taken =
      name[0] && strchr("APST", name[0]) && name[1] >= '0' && name[1] <= '9'; /* other classes print as these */
  return i && !taken && strcmp(name, "r") != 0;
}

static void put_general(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_variable *variable = &kernel->general.items[index];
  if (variable->predefined || is_plain_name(variable->name)) {
    put(out, variable->name);
  } else {
    put_char(out, 'V');
    put_unsigned(out, index, 10);
  }
}

static void put_numbered(struct og_buffer *out, char class, uint32_t index) {
  put_char(out, class);
  put_unsigned(out, index, 10);
}

static void put_variable(const struct og_visa_kernel *kernel, char class, uint32_t index, struct og_buffer *out) {
  if (class == 'G')
    put_general(kernel, index, out);
  else if (class == 'T' && index < OG_VISA_FIRST_SURFACE)
    put(out, kernel->surface.items[index].name);
  else
    put_numbered(out, class, index);
}

static void put_label(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_label *label = &kernel->labels.items[index];
  put(out, label->name);
  if (label->subroutine) {
    put_char(out, '_');
    put_unsigned(out, index, 10);
  }
}

/* ---- operands ---- */

static const char *const modifier_texts[] = {"", "(abs)", "(-)", "(-abs)", "", "(~)"};

static void put_region(const struct og_visa_operand *operand, struct og_buffer *out) {
  put_char(out, '<');
  if (operand->vertical != OG_VISA_STRIDE_NONE) {
    put_unsigned(out, operand->vertical, 10);
    put_char(out, ';');
  }
  if (operand->width != OG_VISA_STRIDE_NONE) {
    put_unsigned(out, operand->width, 10);
    put_char(out, ',');
  }
  put_unsigned(out, operand->horizontal, 10);
  put_char(out, '>');
}

static void put_origin(const struct og_visa_operand *operand, struct og_buffer *out) {
  put_char(out, '(');
  put_unsigned(out, operand->row, 10);
  put_char(out, ',');
  put_unsigned(out, operand->column, 10);
  put_char(out, ')');
}

static void put_immediate(const struct og_visa_operand *operand, struct og_buffer *out) {
  put_hex(out, og_visa_types[operand->type].size == 8 ? operand->bits : (uint32_t)operand->bits);
  put_char(out, ':');
  put(out, og_visa_types[operand->type].name);
}

static void put_indirect(const struct og_visa_operand *operand, struct og_buffer *out) {
  put(out, "r[");
  put_numbered(out, 'A', operand->variable);
  put_char(out, '(');
  put_unsigned(out, operand->column, 10);
  put(out, "),");
  put_decimal(out, operand->offset);
  put_char(out, ']');
  put_region(operand, out);
  put_char(out, ':');
  put(out, og_visa_types[operand->type].name);
}

static void put_operand(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand, char letter,
                        struct og_buffer *out) {
  if (operand->modifier < OG_COUNT(modifier_texts))
    put(out, modifier_texts[operand->modifier]);
  switch (operand->kind) {
  case OG_VISA_GENERAL:
    put_general(kernel, operand->variable, out);
    put_origin(operand, out);
    if (letter != 'v')
      put_region(operand, out);
    break;
  case OG_VISA_ADDRESS:
    put_numbered(out, 'A', operand->variable);
    put_char(out, '(');
    put_unsigned(out, operand->column, 10);
    put(out, ")<");
    put_unsigned(out, operand->width, 10);
    put_char(out, '>');
    break;
  case OG_VISA_PREDICATE: put_numbered(out, 'P', operand->predicate.variable); break;
  case OG_VISA_INDIRECT: put_indirect(operand, out); break;
  case OG_VISA_ADDRESS_OF:
    put_char(out, '&');
    put_variable(kernel, (char)operand->state_class, operand->variable, out);
    if (operand->offset) {
      put_char(out, '[');
      put_decimal(out, operand->offset);
      put_char(out, ']');
    }
    break;
  case OG_VISA_IMMEDIATE: put_immediate(operand, out); break;
  case OG_VISA_STATE:
    put_variable(kernel, (char)operand->state_class, operand->variable, out);
    if (letter != 'T' && letter != 'M') {
      put_char(out, '(');
      put_unsigned(out, operand->column, 10);
      put_char(out, ')');
    }
    break;
  case OG_VISA_RAW:
    put_general(kernel, operand->variable, out);
    put_char(out, '.');
    put_unsigned(out, (uint32_t)operand->offset, 10);
    break;
  case OG_VISA_LABEL: put_label(kernel, operand->variable, out); break;
  case OG_VISA_VALUE:
    if (letter == 'N')
      put(out, kernel->strings.items[operand->bits]);
    else
      put_unsigned(out, operand->bits, 10);
    break;
  default: put(out, "%null.0"); break;
  }
}

static void put_spaced(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand, char letter,
                       struct og_buffer *out) {
  put_char(out, ' ');
  put_operand(kernel, operand, letter, out);
}

/* ---- parts of the mnemonic ---- */

static void put_predicate(const struct og_visa_predicate *predicate, struct og_buffer *out) {
  if (!predicate->variable)
    return;
  put_char(out, '(');
  if (predicate->inverse)
    put_char(out, '!');
  put_numbered(out, 'P', predicate->variable);
  put(out, predicate->combine == OG_VISA_ANY ? ".any) " : predicate->combine == OG_VISA_ALL ? ".all) " : ") ");
}

static void put_exec(const struct og_visa_inst *inst, struct og_buffer *out) {
  put(out, " (M");
  put_unsigned(out, inst->mask_offset / 4u + 1, 10);
  put(out, inst->no_mask ? "_NM, " : ", ");
  put_unsigned(out, inst->exec_size, 10);
  put_char(out, ')');
}

static void put_channels(uint64_t mask, struct og_buffer *out) {
  put_char(out, '.');
  for (unsigned bit = 0; bit < 4; bit++)
    if (mask >> bit & 1)
      put_char(out, "RGBA"[bit]);
}

static void put_fence(uint64_t flags, struct og_buffer *out) {
  put(out, flags & 0x80 ? "_sw" : flags & 0x20 ? "_local" : "_global");
  if (flags & 0x80 || !(flags & 0x5f))
    return;
  put_char(out, '.');
  for (unsigned bit = 0; bit < 5; bit++)
    if (flags >> bit & 1)
      put_char(out, "EISCR"[bit]);
  if (flags & 0x40)
    put(out, "L1");
}

static void put_named(const char *const *names, uint64_t index, const char *before, struct og_buffer *out) {
  put(out, before);
  unsigned count = 0;
  while (names[count])
    count++;
  put(out, index < count ? names[index] : "?");
}

static void put_dotted(uint64_t value, struct og_buffer *out) {
  put_char(out, '.');
  put_unsigned(out, value, 10);
}

static void put_value(char form, uint64_t bits, struct og_buffer *out) {
  static const uint8_t block_sizes[] = {1, 4, 8, 0};
  switch (form) {
  case '#': put_char(out, ' '); put_unsigned(out, bits, 10); break;
  case 'h': put_char(out, ' '); put_hex(out, bits); break;
  case '.': put_dotted(bits, out); break;
  case 'C': put_channels(bits, out); break;
  case 'n': og_buffer_printf(out, " (%u)", 1u << (bits & 7)); break;
  case 'N':
  case 'z': put_dotted(1u << (bits & 3), out); break;
  case 'B': put_dotted(block_sizes[bits & 3], out); break;
  case 'm': put(out, bits & 1 ? ".mod" : ""); break;
  case 'u': put(out, bits & 8 ? ".unaligned" : ""); break;
  case 'k': put_named(og_visa_media_names, bits, ".", out); break;
  case 'K': put_named(og_visa_avs_control_names, bits, " ", out); break;
  case 'E': put_named(og_visa_avs_mode_names, bits, " ", out); break;
  case 'X': og_buffer_printf(out, ".x%02x", (unsigned)bits & 0xff); break;
  case 'F': put_fence(bits, out); break;
  case 'w': put(out, bits & 1 ? ".signal" : ".wait"); break;
  case 'V':
    put_channels(bits, out);
    og_buffer_printf(out, " (%u)", 8u << (bits >> 4 & 3));
    break;
  default:
    put_channels(bits, out);
    put_named(og_visa_output_names, bits >> 4 & 3, ".", out);
  }
}

static unsigned operand_digit(char c) {
  return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static void put_form(const struct og_visa_kernel *kernel, const struct og_visa_row *row,
                     const struct og_visa_inst *inst, struct og_buffer *out) {
  char letters[OG_VISA_MAX_LETTERS];
  og_visa_letters(row, letters);
  bool packed = false; /* inside parentheses no blanks */
  for (const char *form = row->text; *form; form++) {
    switch (*form) {
    case 's': put(out, inst->saturate ? ".sat" : ""); break;
    case 'r': put_named(og_visa_compare_names, inst->compare, ".", out); break;
    case 'x':
    case 'g': put_exec(inst, out); break;
    case 'o':
      put_named(og_visa_atomic_names, inst->atomic & 0x1f, ".", out);
      put(out, inst->atomic & 0x20 ? ".16" : inst->atomic & 0x40 ? ".64" : "");
      break;
    case '(': packed = true; put_char(out, *form); break;
    case ')': packed = false; put_char(out, *form); break;
    case ',':
    case ' ': put_char(out, *form); break;
    default:
      if ((*form >= '0' && *form <= '9') || (*form >= 'a' && *form <= 'f')) {
        unsigned n = operand_digit(*form);
        if (!packed)
          put_char(out, ' ');
        put_operand(kernel, &inst->operands[n], letters[n], out);
      } else {
        uint64_t bits = inst->operands[operand_digit(form[1])].bits;
        if (packed && *form == '#')
          put_unsigned(out, bits, 10);
        else
          put_value(*form, bits, out);
        form++;
      }
    }
  }
}

/* ---- by hand ---- */

static void put_payload(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand,
                        struct og_buffer *out) {
  put_general(kernel, operand->kind == OG_VISA_RAW ? operand->variable : 0, out);
  if (operand->kind == OG_VISA_RAW && operand->offset)
    put_dotted((uint32_t)operand->offset, out);
}

static void put_register_or_number(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand,
                                   bool address, struct og_buffer *out) {
  if (operand->kind == OG_VISA_IMMEDIATE) {
    put_hex(out, (uint32_t)operand->bits);
    return;
  }
  put_general(kernel, operand->variable, out);
  if (!address || operand->row || operand->column)
    put_origin(operand, out);
}

static bool is_block2d(const struct og_visa_inst *inst) {
  return inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
}

static void put_lsc_data(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, unsigned operand,
                         struct og_buffer *out) {
  const struct og_visa_lsc *lsc = inst->lsc;
  put(out, "  ");
  put_payload(kernel, &inst->operands[operand], out);
  put_named(og_visa_data_size_names, lsc->data_size, ":", out);
  if (is_block2d(inst)) {
    put_char(out, '.');
    if (lsc->blocks > 1)
      og_buffer_printf(out, "%ux", lsc->blocks);
    og_buffer_printf(out, "%ux%u%c%c", lsc->block_width, lsc->block_height, lsc->transposed ? 't' : 'n',
                     lsc->vnni ? 't' : 'n');
    return;
  }
  if (lsc->channels) {
    put_char(out, '.');
    for (unsigned bit = 0; bit < 4; bit++)
      if (lsc->channels >> bit & 1)
        put_char(out, "xyzw"[bit]);
    return;
  }
  if (lsc->elements > 1)
    og_buffer_printf(out, "x%u", lsc->elements);
  put(out, lsc->transposed ? "t" : "");
}

static void put_lsc_model(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  const struct og_visa_lsc *lsc = inst->lsc;
  put_named(og_visa_address_names, lsc->address_kind, "  ", out);
  if (lsc->address_kind == OG_VISA_FLAT || lsc->address_kind == OG_VISA_ARG)
    return;
  put_char(out, '(');
  put_register_or_number(kernel, &inst->operands[OG_VISA_LSC_SURFACE_OPERAND], true, out);
  put_char(out, ')');
}

static void put_lsc_address(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst,
                            struct og_buffer *out) {
  const struct og_visa_lsc *lsc = inst->lsc;
  put_lsc_model(kernel, inst, out);
  put_char(out, '[');
  if (is_block2d(inst)) {
    for (unsigned i = 0; i < 6; i++) {
      put(out, i ? ", " : "");
      put_register_or_number(kernel, &inst->operands[OG_VISA_LSC_BLOCK2D_OPERAND + i], true, out);
    }
    put_char(out, ']');
    return;
  }
  if (inst->opcode == OG_VISA_OP_LSC_TYPED) {
    for (unsigned i = 0; i < 4; i++) {
      put(out, i ? ", " : "");
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
      put(out, ", ");
      put_register_or_number(kernel, &inst->operands[OG_VISA_LSC_PITCH_OPERAND], true, out);
    }
  }
  og_buffer_printf(out, "]:a%u", lsc->address_size * 8u);
}

static void put_lsc(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  const struct og_visa_lsc *lsc = inst->lsc;
  if (inst->opcode == OG_VISA_OP_LSC_FENCE) {
    put_named(og_visa_sfid_names, lsc->sfid, "lsc_fence.", out);
    put_named(og_visa_fence_names, lsc->fence, ".", out);
    put_named(og_visa_scope_names, lsc->scope, ".", out);
    return;
  }
  const struct og_visa_lsc_op_info *op = og_visa_lsc_op(inst->sub);
  put(out, "lsc_");
  put(out, op->name);
  put_named(og_visa_sfid_names, lsc->sfid, ".", out);
  if (inst->sub == OG_VISA_LSC_READ_STATE_INFO) {
    put(out, "  ");
    put_payload(kernel, &inst->operands[OG_VISA_LSC_DST_OPERAND], out);
    put_lsc_model(kernel, inst, out);
    return;
  }
  if (lsc->l1 || lsc->l3) {
    put_named(og_visa_cache_names, lsc->l1, ".", out);
    put_named(og_visa_cache_names, lsc->l3, ".", out);
  }
  put_exec(inst, out);
  if (op->kind == 's') {
    put_lsc_address(kernel, inst, out);
    put_lsc_data(kernel, inst, OG_VISA_LSC_DATA_OPERAND, out);
    return;
  }
  put_lsc_data(kernel, inst, OG_VISA_LSC_DST_OPERAND, out);
  put_lsc_address(kernel, inst, out);
  for (unsigned i = OG_VISA_LSC_DATA_OPERAND; op->kind != 'l' && i <= OG_VISA_LSC_DATA2_OPERAND; i++) {
    put(out, "  ");
    put_payload(kernel, &inst->operands[i], out);
  }
}

static void put_dpas(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  put(out, og_visa_mnemonic(inst));
  put_named(og_visa_precision_names, inst->dpas.weights, ".", out);
  put_named(og_visa_precision_names, inst->dpas.activations, ".", out);
  put_dotted(inst->dpas.depth, out);
  put_dotted(inst->dpas.count, out);
  put_exec(inst, out);
  for (unsigned i = 0; i < 4; i++)
    put_spaced(kernel, &inst->operands[i], 'v', out);
}

static void put_sample(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  uint64_t op = inst->operands[0].bits;
  put(out, og_visa_mnemonic(inst));
  put(out, op & 0x20 ? ".pixel_null_mask" : "");
  put(out, op & 0x40 ? ".cps" : "");
  put(out, op & 0x80 ? ".divS" : "");
  uint64_t channels = inst->operands[1].bits;
  put_channels(inst->opcode == OG_VISA_OP_GATHER4_3D ? 1u << (channels & 3) : channels, out);
  put_exec(inst, out);
  put_char(out, ' ');
  for (unsigned i = 2; i < inst->operand_count; i++)
    put_spaced(kernel, &inst->operands[i], inst->operands[i].kind == OG_VISA_STATE ? 'T' : 'S', out);
}

static void put_info(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  put(out, og_visa_mnemonic(inst));
  put_channels(inst->operands[1].bits, out);
  put_exec(inst, out);
  put_spaced(kernel, &inst->operands[2], 'T', out);
  if (inst->sub == 10)
    put_spaced(kernel, &inst->operands[3], 'R', out);
  put_spaced(kernel, &inst->operands[4], 'R', out);
}

static void put_rt_write(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  static const char *const modes[] = {"RTI", "A", "O", "Z", "ST", "LRTW", "CPS", "PS", "CM", "SI", "NULLRT"};
  put(out, "rt_write_3d");
  put(out, inst->operands[0].bits ? "." : "");
  for (unsigned i = 0; i < OG_COUNT(modes); i++)
    if (inst->operands[0].bits >> (i + 2) & 1)
      og_buffer_printf(out, "<%s>", modes[i]);
  put_exec(inst, out);
  for (unsigned i = 1; i < inst->operand_count; i++)
    put_spaced(kernel, &inst->operands[i], i == 1 ? 'T' : 'R', out);
}

static bool same_immediate(const struct og_visa_operand *a, const struct og_visa_operand *b) {
  return a->kind == b->kind && a->type == b->type && a->variable == b->variable && a->row == b->row &&
         a->column == b->column && a->bits == b->bits && a->vertical == b->vertical && a->width == b->width &&
         a->horizontal == b->horizontal && a->modifier == b->modifier;
}

static void put_nbarrier(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  const struct og_visa_operand *operands = inst->operands;
  bool signal = operands[0].bits & 1;
  put(out, signal ? "nbarrier.signal" : "nbarrier.wait");
  put_spaced(kernel, &operands[1], 'S', out);
  if (!signal)
    return;
  bool baseline =
      operands[2].kind == OG_VISA_IMMEDIATE && operands[2].bits == 0 && same_immediate(&operands[3], &operands[4]);
  for (unsigned i = baseline ? 4 : 2; i < 5; i++)
    put_spaced(kernel, &operands[i], 'S', out);
}

static void put_switchjmp(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  put(out, "switchjmp");
  put_exec(inst, out);
  put_spaced(kernel, &inst->operands[1], 'S', out);
  for (unsigned i = 2; i < inst->operand_count; i++) {
    put(out, i == 2 ? " (" : ", ");
    put_label(kernel, inst->operands[i].variable, out);
  }
  put_char(out, ')');
}

static void put_lifetime(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  put(out, inst->operands[0].bits & 1 ? "lifetime.end " : "lifetime.start ");
  put_variable(kernel, "GAPP"[inst->operands[0].bits >> 4 & 3], (uint32_t)inst->operands[1].bits, out);
}

static void put_special(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  switch (inst->opcode) {
  case OG_VISA_OP_FILE:
    put(out, "FILE ");
    put_string(out, kernel->strings.items[inst->operands[0].bits]);
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

static const char *printed_mnemonic(const struct og_visa_inst *inst) {
  static const char *const sends[] = {"raw_sends", "raw_sendsc", "raw_sends_eot", "raw_sendsc_eot"};
  switch (inst->opcode) {
  case OG_VISA_OP_RAW_SEND: return inst->operands[0].bits & 1 ? "raw_sendc" : "raw_send";
  case OG_VISA_OP_RAW_SENDS: return sends[inst->operands[0].bits & 3];
  case OG_VISA_OP_LOC: return "LOC";
  default: return og_visa_mnemonic(inst);
  }
}

void og_visa_write_inst(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out) {
  const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
  if (inst->opcode == OG_VISA_OP_LABEL || inst->opcode == OG_VISA_OP_SUBROUTINE) {
    put_label(kernel, inst->operands[0].variable, out);
    put_char(out, ':');
    return;
  }
  put_predicate(&inst->predicate, out);
  if (row->text[0] == '!') {
    put_special(kernel, inst, out);
    return;
  }
  put(out, printed_mnemonic(inst));
  put_form(kernel, row, inst, out);
}

/* ---- declarations ---- */

static void put_attribute(const struct og_visa_attribute *attribute, struct og_buffer *out) {
  put(out, attribute->name);
  if (attribute->text) {
    put_char(out, '=');
    put_string(out, attribute->text);
  } else if (attribute->size) {
    put_char(out, '=');
    put_decimal(out, attribute->value);
  }
}

static void put_variable_attributes(const struct og_visa_variable *variable, struct og_buffer *out) {
  for (uint32_t i = 0; i < variable->attribute_count; i++) {
    put(out, i ? "," : " attrs={");
    put_attribute(&variable->attributes[i], out);
  }
  put(out, variable->attribute_count ? "}" : "");
}

static void put_general_decl(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_variable *variable = &kernel->general.items[index];
  put(out, ".decl ");
  put_general(kernel, index, out);
  put(out, " v_type=G type=");
  put(out, og_visa_types[variable->type].name);
  put(out, " num_elts=");
  put_unsigned(out, variable->elements, 10);
  if (variable->align) {
    put(out, " align=");
    put(out, og_visa_align_names[variable->align]);
  }
  if (variable->alias) {
    put(out, " alias=<");
    put_general(kernel, variable->alias, out);
    put(out, ", ");
    put_unsigned(out, variable->alias_offset, 10);
    put_char(out, '>');
  }
  put_variable_attributes(variable, out);
  put_char(out, '\n');
}

static void put_numbered_decls(const struct og_visa_variables *table, char class, uint32_t first,
                               struct og_buffer *out) {
  for (uint32_t i = first; i < table->count; i++) {
    const struct og_visa_variable *variable = &table->items[i];
    put(out, ".decl ");
    put_numbered(out, class, i);
    og_buffer_printf(out, " v_type=%c num_elts=%u", class, variable->elements);
    if (class == 'S' || class == 'T') {
      put(out, " v_name=");
      bool numbered = variable->name[0] == class && variable->name[1] &&
                      strspn(variable->name + 1, "0123456789") == strlen(variable->name + 1);
      if (numbered || is_plain_name(variable->name))
        put(out, variable->name);
      else
        put_numbered(out, class, i);
    }
    put_variable_attributes(variable, out);
    put_char(out, '\n');
  }
}

static void put_predefined(const struct og_visa_kernel *kernel, struct og_buffer *out) {
  put(out, "\n/// VISA Predefined Variables\n");
  for (unsigned i = 0; i < OG_VISA_PREDEFINED_COUNT; i++)
    og_buffer_printf(out, "// .decl V%u v_type=G v_name=%s\n", i, kernel->general.items[i].name);
  for (unsigned i = 0; i < OG_VISA_FIRST_SURFACE; i++)
    og_buffer_printf(out, "// .decl T%u v_type=T v_name=%s\n", i, kernel->surface.items[i].name);
  put_char(out, '\n');
}

static void put_input(const struct og_visa_kernel *kernel, const struct og_visa_input *input, struct og_buffer *out) {
  static const char *const implicit[] = {".input", ".implicit_LOCAL_SIZE", ".implicit_GROUP_COUNT", ".implicit_LOCAL_ID"};
  if (kernel->function)
    put(out, ".parameter");
  else if (input->implicit < OG_COUNT(implicit))
    put(out, implicit[input->implicit]);
  else
    og_buffer_printf(out, ".implicit_UNDEFINED_%u", input->implicit);
  put_char(out, ' ');
  put_variable(kernel, input->class, input->variable, out);
  if (!kernel->function)
    og_buffer_printf(out, " offset=%d", input->offset);
  og_buffer_printf(out, " size=%u\n", input->size);
}

static void put_line(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_inst *inst = &kernel->insts.items[index];
  size_t start = out->size;
  if (inst->opcode == OG_VISA_OP_LABEL || inst->opcode == OG_VISA_OP_SUBROUTINE) {
    if (inst->opcode == OG_VISA_OP_SUBROUTINE) {
      put(out, index ? "    \n.function \"" : ".function \"");
      put_label(kernel, inst->operands[0].variable, out);
      put(out, "\"\n");
    }
    put_char(out, '\n');
    og_visa_write_inst(kernel, inst, out);
    put_char(out, '\n');
    return;
  }
  put(out, "    ");
  og_visa_write_inst(kernel, inst, out);
  if (inst->opcode != OG_VISA_OP_LOC && inst->opcode != OG_VISA_OP_FILE) {
    static const char blanks[] = "                                                                                ";
    if (out->size - start < 80)
      og_buffer_append(out, blanks, 80 - (out->size - start));
    put(out, " /// $");
    put_unsigned(out, index, 10);
  }
  put_char(out, '\n');
}

static void put_kernel(const struct og_visa *visa, const struct og_visa_kernel *kernel, struct og_buffer *out) {
  og_buffer_printf(out, ".version %u.%u\n%s ", visa->major, visa->minor,
                   kernel->function ? ".global_function" : ".kernel");
  put_string(out, kernel->name);
  put_char(out, '\n');
  put_predefined(kernel, out);
  for (uint32_t i = OG_VISA_FIRST_GENERAL; i < kernel->general.count; i++)
    put_general_decl(kernel, i, out);
  put_numbered_decls(&kernel->address, 'A', 0, out);
  put_numbered_decls(&kernel->predicate, 'P', OG_VISA_FIRST_PREDICATE, out);
  put_numbered_decls(&kernel->sampler, 'S', 0, out);
  put_numbered_decls(&kernel->surface, 'T', OG_VISA_FIRST_SURFACE, out);
  for (uint32_t i = 0; i < kernel->inputs.count; i++)
    put_input(kernel, &kernel->inputs.items[i], out);
  bool any = false;
  for (uint32_t i = 0; i < kernel->attributes.count; i++) {
    const struct og_visa_attribute *attribute = &kernel->attributes.items[i];
    if (strcmp(attribute->name, "OutputAsmPath") == 0 || strcmp(attribute->name, "AsmName") == 0)
      continue; /* where the compiler once wrote a file; IGC does not print it either */
    put(out, any ? "\n.kernel_attr " : ".kernel_attr ");
    put_attribute(attribute, out);
    any = true;
  }
  /* IGC indents the first instruction before it breaks the line of a subroutine. */
  if (any)
    put(out, kernel->insts.count && kernel->insts.items[0].opcode == OG_VISA_OP_SUBROUTINE ? "    \n" : "\n");
  for (uint32_t i = 0; i < kernel->insts.count; i++)
    put_line(kernel, i, out);
}

void og_visa_write_text(const struct og_visa *visa, struct og_buffer *out) {
  for (uint32_t i = 0; i < visa->kernels.count; i++)
    put_kernel(visa, visa->kernels.items[i], out);
}
