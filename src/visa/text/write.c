/* write.c - canonical text: byte for byte what IGC prints, except where that cannot be read back. */
#include "visa/text/write.h"

#include <string.h>

static void put_decimal(struct og_buffer *out, int64_t value) {
  if (value < 0)
    og_vt_put_char(out, '-');
  og_vt_put_unsigned(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10);
}

void og_vt_put_string(struct og_buffer *out, const char *text) {
  og_vt_put_char(out, '"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      og_buffer_printf(out, "\\%c", c);
    else if (c < 32 || c == 127)
      og_buffer_printf(out, "\\x%02x", c);
    else
      og_vt_put_char(out, (char)c);
  }
  og_vt_put_char(out, '"');
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

void og_vt_put_general(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_variable *variable = &kernel->general.items[index];
  if (variable->predefined || is_plain_name(variable->name)) {
    og_vt_put(out, variable->name);
  } else {
    og_vt_put_char(out, 'V');
    og_vt_put_unsigned(out, index, 10);
  }
}

static void put_numbered(struct og_buffer *out, char class, uint32_t index) {
  og_vt_put_char(out, class);
  og_vt_put_unsigned(out, index, 10);
}

void og_vt_put_variable(const struct og_visa_kernel *kernel, char class, uint32_t index, struct og_buffer *out) {
  if (class == 'G')
    og_vt_put_general(kernel, index, out);
  else if (class == 'T' && index < OG_VISA_FIRST_SURFACE)
    og_vt_put(out, kernel->surface.items[index].name);
  else
    put_numbered(out, class, index);
}

static bool consists_of(const char *name, const char *others) {
  for (; *name; name++) {
    char low = *name | 32;
    if (!(low >= 'a' && low <= 'z') && !(*name >= '0' && *name <= '9') && !strchr(others, *name))
      return false;
  }
  return true;
}

/* A name given by an instruction, or by a list of attributes: quoted if it could not be read back otherwise. */
static void put_name(const char *name, struct og_buffer *out) {
  if (name[0] && consists_of(name, "_$@?-"))
    og_vt_put(out, name);
  else
    og_vt_put_string(out, name);
}

/* Labels cannot be quoted: one that is no plain name gets its number instead. */
void og_vt_put_label(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_label *label = &kernel->labels.items[index];
  if (label->name[0] && !strchr("0123456789-", label->name[0]) && consists_of(label->name, "_$@?-")) {
    og_vt_put(out, label->name);
  } else {
    og_vt_put_char(out, '@');
    og_vt_put_unsigned(out, index, 10);
  }
  if (label->subroutine) {
    og_vt_put_char(out, '_');
    og_vt_put_unsigned(out, index, 10);
  }
}

/* ---- operands ---- */

static const char *const modifier_texts[] = {"", "(abs)", "(-)", "(-abs)", "", "(~)"};

static void put_region(const struct og_visa_operand *operand, struct og_buffer *out) {
  og_vt_put_char(out, '<');
  if (operand->vertical != OG_VISA_STRIDE_NONE) {
    og_vt_put_unsigned(out, operand->vertical, 10);
    og_vt_put_char(out, ';');
  }
  if (operand->width != OG_VISA_STRIDE_NONE) {
    og_vt_put_unsigned(out, operand->width, 10);
    og_vt_put_char(out, ',');
  }
  og_vt_put_unsigned(out, operand->horizontal, 10);
  og_vt_put_char(out, '>');
}

void og_vt_put_origin(const struct og_visa_operand *operand, struct og_buffer *out) {
  og_vt_put_char(out, '(');
  og_vt_put_unsigned(out, operand->row, 10);
  og_vt_put_char(out, ',');
  og_vt_put_unsigned(out, operand->column, 10);
  og_vt_put_char(out, ')');
}

static void put_immediate(const struct og_visa_operand *operand, struct og_buffer *out) {
  og_vt_put_hex(out, og_visa_types[operand->type].size == 8 ? operand->bits : (uint32_t)operand->bits);
  og_vt_put_char(out, ':');
  og_vt_put(out, og_visa_types[operand->type].name);
}

static void put_indirect(const struct og_visa_operand *operand, struct og_buffer *out) {
  og_vt_put(out, "r[");
  put_numbered(out, 'A', operand->variable);
  og_vt_put_char(out, '(');
  og_vt_put_unsigned(out, operand->column, 10);
  og_vt_put(out, "),");
  put_decimal(out, operand->offset);
  og_vt_put_char(out, ']');
  put_region(operand, out);
  og_vt_put_char(out, ':');
  og_vt_put(out, og_visa_types[operand->type].name);
}

static void put_operand(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand, char letter,
                        struct og_buffer *out) {
  if (operand->modifier < OG_COUNT(modifier_texts))
    og_vt_put(out, modifier_texts[operand->modifier]);
  switch (operand->kind) {
  case OG_VISA_GENERAL:
    og_vt_put_general(kernel, operand->variable, out);
    og_vt_put_origin(operand, out);
    if (letter != 'v')
      put_region(operand, out);
    break;
  case OG_VISA_ADDRESS:
    put_numbered(out, 'A', operand->variable);
    og_vt_put_char(out, '(');
    og_vt_put_unsigned(out, operand->column, 10);
    og_vt_put(out, ")<");
    og_vt_put_unsigned(out, operand->width, 10);
    og_vt_put_char(out, '>');
    break;
  case OG_VISA_PREDICATE: put_numbered(out, 'P', operand->predicate.variable); break;
  case OG_VISA_INDIRECT: put_indirect(operand, out); break;
  case OG_VISA_ADDRESS_OF:
    og_vt_put_char(out, '&');
    og_vt_put_variable(kernel, (char)operand->state_class, operand->variable, out);
    if (operand->offset) {
      og_vt_put_char(out, '[');
      put_decimal(out, operand->offset);
      og_vt_put_char(out, ']');
    }
    break;
  case OG_VISA_IMMEDIATE: put_immediate(operand, out); break;
  case OG_VISA_STATE:
    og_vt_put_variable(kernel, (char)operand->state_class, operand->variable, out);
    if (letter != 'T' && letter != 'M') {
      og_vt_put_char(out, '(');
      og_vt_put_unsigned(out, operand->column, 10);
      og_vt_put_char(out, ')');
    }
    break;
  case OG_VISA_RAW:
    og_vt_put_general(kernel, operand->variable, out);
    og_vt_put_char(out, '.');
    og_vt_put_unsigned(out, (uint32_t)operand->offset, 10);
    break;
  case OG_VISA_LABEL: og_vt_put_label(kernel, operand->variable, out); break;
  case OG_VISA_VALUE:
    if (letter == 'N')
      put_name(kernel->strings.items[operand->bits], out);
    else
      og_vt_put_unsigned(out, operand->bits, 10);
    break;
  default: og_vt_put(out, "%null.0"); break;
  }
}

void og_vt_put_spaced(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand, char letter,
                       struct og_buffer *out) {
  og_vt_put_char(out, ' ');
  put_operand(kernel, operand, letter, out);
}

/* ---- parts of the mnemonic ---- */

static void put_predicate(const struct og_visa_predicate *predicate, struct og_buffer *out) {
  if (!predicate->variable)
    return;
  og_vt_put_char(out, '(');
  if (predicate->inverse)
    og_vt_put_char(out, '!');
  put_numbered(out, 'P', predicate->variable);
  og_vt_put(out, predicate->combine == OG_VISA_ANY ? ".any) " : predicate->combine == OG_VISA_ALL ? ".all) " : ") ");
}

void og_vt_put_exec(const struct og_visa_inst *inst, struct og_buffer *out) {
  og_vt_put(out, " (M");
  og_vt_put_unsigned(out, inst->mask_offset / 4u + 1, 10);
  og_vt_put(out, inst->no_mask ? "_NM, " : ", ");
  og_vt_put_unsigned(out, inst->exec_size, 10);
  og_vt_put_char(out, ')');
}

void og_vt_put_channels(uint64_t mask, struct og_buffer *out) {
  og_vt_put_char(out, '.');
  for (unsigned bit = 0; bit < 4; bit++)
    if (mask >> bit & 1)
      og_vt_put_char(out, "RGBA"[bit]);
}

static void put_fence(uint64_t flags, struct og_buffer *out) {
  og_vt_put(out, flags & 0x80 ? "_sw" : flags & 0x20 ? "_local" : "_global");
  if (flags & 0x80 || !(flags & 0x5f))
    return;
  og_vt_put_char(out, '.');
  for (unsigned bit = 0; bit < 5; bit++)
    if (flags >> bit & 1)
      og_vt_put_char(out, "EISCR"[bit]);
  if (flags & 0x40)
    og_vt_put(out, "L1");
}

void og_vt_put_named(const char *const *names, uint64_t index, const char *before, struct og_buffer *out) {
  og_vt_put(out, before);
  unsigned count = 0;
  while (names[count])
    count++;
  og_vt_put(out, index < count ? names[index] : "?");
}

void og_vt_put_dotted(uint64_t value, struct og_buffer *out) {
  og_vt_put_char(out, '.');
  og_vt_put_unsigned(out, value, 10);
}

static void put_value(char form, uint64_t bits, struct og_buffer *out) {
  static const uint8_t block_sizes[] = {1, 4, 8, 0};
  switch (form) {
  case '#': og_vt_put_char(out, ' '); og_vt_put_unsigned(out, bits, 10); break;
  case 'h': og_vt_put_char(out, ' '); og_vt_put_hex(out, bits); break;
  case '.': og_vt_put_dotted(bits, out); break;
  case 'C': og_vt_put_channels(bits, out); break;
  case 'n': og_buffer_printf(out, " (%u)", 1u << (bits & 7)); break;
  case 'N':
  case 'z': og_vt_put_dotted(1u << (bits & 3), out); break;
  case 'B': og_vt_put_dotted(block_sizes[bits & 3], out); break;
  case 'm': og_vt_put(out, bits & 1 ? ".mod" : ""); break;
  case 'u': og_vt_put(out, bits & 8 ? ".unaligned" : ""); break;
  case 'k': og_vt_put_named(og_visa_media_names, bits, ".", out); break;
  case 'K': og_vt_put_named(og_visa_avs_control_names, bits, " ", out); break;
  case 'E': og_vt_put_named(og_visa_avs_mode_names, bits, " ", out); break;
  case 'X': og_buffer_printf(out, ".x%02x", (unsigned)bits & 0xff); break;
  case 'F': put_fence(bits, out); break;
  case 'w': og_vt_put(out, bits & 1 ? ".signal" : ".wait"); break;
  case 'V':
    og_vt_put_channels(bits, out);
    og_buffer_printf(out, " (%u)", 8u << (bits >> 4 & 3));
    break;
  default:
    og_vt_put_channels(bits, out);
    og_vt_put_named(og_visa_output_names, bits >> 4 & 3, ".", out);
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
    case 's': og_vt_put(out, inst->saturate ? ".sat" : ""); break;
    case 'r': og_vt_put_named(og_visa_compare_names, inst->compare, ".", out); break;
    case 'x':
    case 'g': og_vt_put_exec(inst, out); break;
    case 'o':
      og_vt_put_named(og_visa_atomic_names, inst->atomic & 0x1f, ".", out);
      og_vt_put(out, inst->atomic & 0x20 ? ".16" : inst->atomic & 0x40 ? ".64" : "");
      break;
    case '(': packed = true; og_vt_put_char(out, *form); break;
    case ')': packed = false; og_vt_put_char(out, *form); break;
    case ',':
    case ' ': og_vt_put_char(out, *form); break;
    default:
      if ((*form >= '0' && *form <= '9') || (*form >= 'a' && *form <= 'f')) {
        unsigned n = operand_digit(*form);
        if (!packed)
          og_vt_put_char(out, ' ');
        put_operand(kernel, &inst->operands[n], letters[n], out);
      } else {
        uint64_t bits = inst->operands[operand_digit(form[1])].bits;
        if (packed && *form == '#')
          og_vt_put_unsigned(out, bits, 10);
        else
          put_value(*form, bits, out);
        form++;
      }
    }
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
    og_vt_put_label(kernel, inst->operands[0].variable, out);
    og_vt_put_char(out, ':');
    return;
  }
  put_predicate(&inst->predicate, out);
  if (row->text[0] == '!') {
    og_vt_put_special(kernel, inst, out);
    return;
  }
  og_vt_put(out, printed_mnemonic(inst));
  put_form(kernel, row, inst, out);
}

/* ---- declarations ---- */

static void put_attribute(const struct og_visa_attribute *attribute, struct og_buffer *out) {
  put_name(attribute->name, out);
  if (attribute->text) {
    og_vt_put_char(out, '=');
    og_vt_put_string(out, attribute->text);
  } else if (attribute->size) {
    og_vt_put_char(out, '=');
    put_decimal(out, attribute->value);
  }
}

static void put_variable_attributes(const struct og_visa_variable *variable, struct og_buffer *out) {
  for (uint32_t i = 0; i < variable->attribute_count; i++) {
    og_vt_put(out, i ? "," : " attrs={");
    put_attribute(&variable->attributes[i], out);
  }
  og_vt_put(out, variable->attribute_count ? "}" : "");
}

static void put_general_decl(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_variable *variable = &kernel->general.items[index];
  og_vt_put(out, ".decl ");
  og_vt_put_general(kernel, index, out);
  og_vt_put(out, " v_type=G type=");
  og_vt_put(out, og_visa_types[variable->type].name);
  og_vt_put(out, " num_elts=");
  og_vt_put_unsigned(out, variable->elements, 10);
  if (variable->align) {
    og_vt_put(out, " align=");
    og_vt_put(out, og_visa_align_names[variable->align]);
  }
  if (variable->alias) {
    og_vt_put(out, " alias=<");
    og_vt_put_general(kernel, variable->alias, out);
    og_vt_put(out, ", ");
    og_vt_put_unsigned(out, variable->alias_offset, 10);
    og_vt_put_char(out, '>');
  }
  put_variable_attributes(variable, out);
  og_vt_put_char(out, '\n');
}

static void put_numbered_decls(const struct og_visa_variables *table, char class, uint32_t first,
                               struct og_buffer *out) {
  for (uint32_t i = first; i < table->count; i++) {
    const struct og_visa_variable *variable = &table->items[i];
    og_vt_put(out, ".decl ");
    put_numbered(out, class, i);
    og_buffer_printf(out, " v_type=%c num_elts=%u", class, variable->elements);
    if (class == 'S' || class == 'T') {
      og_vt_put(out, " v_name=");
      bool numbered = variable->name[0] == class && variable->name[1] &&
                      strspn(variable->name + 1, "0123456789") == strlen(variable->name + 1);
      if (numbered || is_plain_name(variable->name))
        og_vt_put(out, variable->name);
      else
        put_numbered(out, class, i);
    }
    put_variable_attributes(variable, out);
    og_vt_put_char(out, '\n');
  }
}

static void put_predefined(const struct og_visa_kernel *kernel, struct og_buffer *out) {
  og_vt_put(out, "\n/// VISA Predefined Variables\n");
  for (unsigned i = 0; i < OG_VISA_PREDEFINED_COUNT; i++)
    og_buffer_printf(out, "// .decl V%u v_type=G v_name=%s\n", i, kernel->general.items[i].name);
  for (unsigned i = 0; i < OG_VISA_FIRST_SURFACE; i++)
    og_buffer_printf(out, "// .decl T%u v_type=T v_name=%s\n", i, kernel->surface.items[i].name);
  og_vt_put_char(out, '\n');
}

static void put_input(const struct og_visa_kernel *kernel, const struct og_visa_input *input, struct og_buffer *out) {
  static const char *const implicit[] = {".input", ".implicit_LOCAL_SIZE", ".implicit_GROUP_COUNT",
                                         ".implicit_LOCAL_ID"};
  if (kernel->function)
    og_vt_put(out, ".parameter");
  else if (input->implicit < OG_COUNT(implicit))
    og_vt_put(out, implicit[input->implicit]);
  else
    og_buffer_printf(out, ".implicit_UNDEFINED_%u", input->implicit);
  og_vt_put_char(out, ' ');
  og_vt_put_variable(kernel, input->class, input->variable, out);
  if (!kernel->function)
    og_buffer_printf(out, " offset=%d", input->offset);
  og_buffer_printf(out, " size=%u\n", input->size);
}

static void put_line(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_inst *inst = &kernel->insts.items[index];
  size_t start = out->size;
  if (inst->opcode == OG_VISA_OP_LABEL || inst->opcode == OG_VISA_OP_SUBROUTINE) {
    if (inst->opcode == OG_VISA_OP_SUBROUTINE) {
      og_vt_put(out, index ? "    \n.function \"" : ".function \"");
      og_vt_put_label(kernel, inst->operands[0].variable, out);
      og_vt_put(out, "\"\n");
    }
    og_vt_put_char(out, '\n');
    og_visa_write_inst(kernel, inst, out);
    og_vt_put_char(out, '\n');
    return;
  }
  og_vt_put(out, "    ");
  og_visa_write_inst(kernel, inst, out);
  if (inst->opcode != OG_VISA_OP_LOC && inst->opcode != OG_VISA_OP_FILE) {
    static const char blanks[] = "                                                                                ";
    if (out->size - start < 80)
      og_buffer_append(out, blanks, 80 - (out->size - start));
    og_vt_put(out, " /// $");
    og_vt_put_unsigned(out, index, 10);
  }
  og_vt_put_char(out, '\n');
}

static void put_kernel(const struct og_visa *visa, const struct og_visa_kernel *kernel, struct og_buffer *out) {
  og_buffer_printf(out, ".version %u.%u\n%s ", visa->major, visa->minor,
                   kernel->function ? ".global_function" : ".kernel");
  og_vt_put_string(out, kernel->name);
  og_vt_put_char(out, '\n');
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
    og_vt_put(out, any ? "\n.kernel_attr " : ".kernel_attr ");
    put_attribute(attribute, out);
    any = true;
  }
  /* IGC indents the first instruction before the line break of a subroutine. */
  if (any)
    og_vt_put(out, kernel->insts.count && kernel->insts.items[0].opcode == OG_VISA_OP_SUBROUTINE ? "    \n" : "\n");
  for (uint32_t i = 0; i < kernel->insts.count; i++)
    put_line(kernel, i, out);
}

void og_visa_write_text(const struct og_visa *visa, struct og_buffer *out) {
  for (uint32_t i = 0; i < visa->kernels.count; i++)
    put_kernel(visa, visa->kernels.items[i], out);
}
