/* read_binary.c - the binary form into memory. Nothing it yields refers outside the tables: the other passes rely on it. */
#include "visa/table.h"

#include <string.h>

struct binary {
  const uint8_t *data;
  size_t size, at;
  bool failed;
  const char *file;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_visa_kernel *kernel;
  const char **pool;
  uint32_t pool_count;
};

static bool fail(struct binary *b, const char *format, ...) OG_PRINTF(2, 3);
static bool fail(struct binary *b, const char *format, ...) {
  if (b->failed)
    return false;
  b->failed = true;
  va_list args;
  va_start(args, format);
  char *message = og_arena_vprintf(b->arena, format, args);
  va_end(args);
  const char *where = b->kernel ? og_arena_printf(b->arena, " in kernel '%s'", b->kernel->name) : "";
  return og_error_in(b->diagnostics, b->file, "at byte 0x%zx%s: %s", b->at, where, message);
}

static uint64_t take(struct binary *b, unsigned bytes) {
  if (b->failed || b->size - b->at < bytes) {
    fail(b, "the file ends here, %u more bytes were expected", bytes);
    return 0;
  }
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t)b->data[b->at++] << i * 8;
  return value;
}
static uint8_t take8(struct binary *b) { return (uint8_t)take(b, 1); }
static uint16_t take16(struct binary *b) { return (uint16_t)take(b, 2); }
static uint32_t take32(struct binary *b) { return (uint32_t)take(b, 4); }

/* A table's count, which cannot be more than what is left of the file holds. */
static uint32_t take_count(struct binary *b, unsigned bytes, unsigned item_size, const char *what) {
  uint32_t count = (uint32_t)take(b, bytes);
  if (!b->failed && (b->size - b->at) / item_size < count)
    fail(b, "%u %s do not fit the rest of the file", count, what);
  return b->failed ? 0 : count;
}

static const char *string_at(struct binary *b, uint32_t index) {
  if (index >= b->pool_count) {
    fail(b, "string %u of %u", index, b->pool_count);
    return "";
  }
  return b->pool[index];
}

/* ---- tables ---- */

static void take_pool(struct binary *b) {
  b->pool_count = take_count(b, 4, 1, "strings");
  b->pool = OG_NEW_ARRAY(b->arena, const char *, b->pool_count + 1);
  for (uint32_t i = 0; i < b->pool_count && !b->failed; i++) {
    const uint8_t *end = memchr(b->data + b->at, 0, b->size - b->at);
    if (!end) {
      fail(b, "string %u has no end", i);
      return;
    }
    b->pool[i] = (const char *)b->data + b->at;
    b->at = (size_t)(end - b->data) + 1;
    b->pool[i] = og_arena_copy(b->arena, b->pool[i], strlen(b->pool[i]));
  }
  if (b->failed)
    b->pool_count = 0;
}

/* Attributes whose value is a text even when it is short. */
static bool is_text_attribute(const char *name) {
  return strcmp(name, "OutputAsmPath") == 0 || strcmp(name, "AsmName") == 0;
}

static void take_attribute(struct binary *b, struct og_visa_attribute *attribute) {
  attribute->name = string_at(b, take32(b));
  uint8_t size = take8(b);
  if (b->failed)
    return;
  if (b->size - b->at < size) {
    fail(b, "attribute '%s' of %u bytes is cut off", attribute->name, size);
    return;
  }
  const char *bytes = (const char *)b->data + b->at;
  if (strcmp(attribute->name, "Target") == 0 && size == 1 && b->data[b->at] < 3) {
    static const char *const targets[] = {"cm", "3d", "cs"};
    attribute->text = targets[b->data[b->at]];
  } else if (size > 4 || (size && is_text_attribute(attribute->name))) {
    attribute->text = og_arena_copy(b->arena, bytes, strnlen(bytes, size));
  } else {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
      value |= (uint64_t)b->data[b->at + i] << i * 8;
    unsigned unused = 64 - size * 8u;
    attribute->value = size ? (int64_t)(value << unused) >> unused : 0;
  }
  attribute->size = attribute->text ? (uint32_t)strlen(attribute->text) : size;
  b->at += size;
}

static void take_attributes(struct binary *b, struct og_visa_variable *variable) {
  variable->attribute_count = take_count(b, 1, 5, "attributes");
  variable->attributes = OG_NEW_ARRAY(b->arena, struct og_visa_attribute, variable->attribute_count);
  for (uint32_t i = 0; i < variable->attribute_count && !b->failed; i++)
    take_attribute(b, &variable->attributes[i]);
}

static void take_general(struct binary *b) {
  uint32_t count = take_count(b, 4, 15, "general variables");
  if (count > 65536)
    fail(b, "%u general variables, more than 65536", count);
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    uint32_t index = b->kernel->general.count;
    struct og_visa_variable variable = {.name = string_at(b, take32(b))};
    uint8_t properties = take8(b);
    variable.type = properties & 15;
    variable.align = properties >> 4;
    variable.elements = take16(b);
    variable.alias = take32(b);
    variable.alias_offset = take16(b);
    uint8_t scope = take8(b);
    take_attributes(b, &variable);
    if (variable.align > OG_VISA_ALIGN_64WORD)
      fail(b, "variable %u has alignment code %u", index, variable.align);
    if (variable.alias >= index || scope)
      fail(b, "variable %u is an alias of %s variable %u", index, scope ? "file-scope" : "the later", variable.alias);
    if (!variable.elements)
      fail(b, "variable %u has no elements", index);
    if (!b->failed)
      *OG_PUSH(b->arena, &b->kernel->general) = variable;
  }
}

static void take_table(struct binary *b, struct og_visa_variables *table, unsigned count_size, char class) {
  uint32_t count = take_count(b, count_size, 7, "variables");
  uint32_t limit = class == 'S' ? 32 : class == 'T' ? 250 : 4096;
  if (count > limit)
    fail(b, "%u variables of class %c, more than %u", count, class, limit);
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    struct og_visa_variable variable = {.name = string_at(b, take32(b))};
    variable.elements = take16(b);
    variable.type = class == 'A' ? OG_VISA_UW : class == 'P' ? OG_VISA_BOOL : OG_VISA_UD;
    take_attributes(b, &variable);
    if (!variable.elements)
      fail(b, "variable %c%u has no elements", class, table->count);
    if (!b->failed)
      *OG_PUSH(b->arena, table) = variable;
  }
}

static void take_labels(struct binary *b) {
  uint32_t count = take_count(b, 2, 6, "labels");
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    struct og_visa_label *label = OG_PUSH(b->arena, &b->kernel->labels);
    label->name = string_at(b, take32(b));
    label->subroutine = take8(b) & 1;
    label->inst = UINT32_MAX;
    struct og_visa_variable ignored = {0};
    take_attributes(b, &ignored);
  }
}

static const struct og_visa_variables *table_of(const struct og_visa_kernel *kernel, char class) {
  switch (class) {
  case 'G': return &kernel->general;
  case 'A': return &kernel->address;
  case 'P': return &kernel->predicate;
  case 'S': return &kernel->sampler;
  default: return &kernel->surface;
  }
}

static uint32_t checked(struct binary *b, char class, uint32_t index) {
  uint32_t count = table_of(b->kernel, class)->count;
  if (index < count)
    return index;
  fail(b, "variable %u of class %c, there are %u", index, class, count);
  return 0;
}

static void take_inputs(struct binary *b) {
  uint32_t count = take_count(b, 4, 9, "inputs");
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    struct og_visa_input *input = OG_PUSH(b->arena, &b->kernel->inputs);
    uint8_t kind = take8(b);
    input->class = "GSTT"[kind & 3];
    input->implicit = kind >> 3;
    if ((kind & 7) > 2)
      fail(b, "input of kind %u", kind & 7);
    input->variable = checked(b, input->class, take32(b));
    input->offset = (int16_t)take16(b);
    input->size = take16(b);
  }
}

/* ---- operands ---- */

static uint8_t stride(struct binary *b, unsigned code) {
  static const uint8_t strides[] = {OG_VISA_STRIDE_NONE, 0, 1, 2, 4, 8, 16, 32};
  if (code >= OG_COUNT(strides)) {
    fail(b, "region code %u", code);
    return 0;
  }
  return strides[code];
}

static void take_region(struct binary *b, struct og_visa_operand *operand) {
  uint16_t region = take16(b);
  operand->vertical = stride(b, region & 15);
  operand->width = stride(b, region >> 4 & 15);
  operand->horizontal = stride(b, region >> 8 & 15);
  if (region >> 12)
    fail(b, "reserved bits in region 0x%04x", region);
}

static struct og_visa_predicate take_predicate(struct binary *b) {
  uint16_t bits = take16(b);
  struct og_visa_predicate predicate = {
      .variable = (uint16_t)checked(b, 'P', bits & 0xfff), .combine = bits >> 13 & 3, .inverse = bits >> 15};
  if (predicate.combine == 3)
    fail(b, "predicate control 0x%04x: combine 3 is reserved", bits);
  if (bits & 0x1000)
    fail(b, "predicate control 0x%04x: bit 12 must be 0", bits);
  return predicate;
}

static void take_general_operand(struct binary *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_GENERAL;
  operand->variable = checked(b, 'G', take32(b));
  operand->type = b->failed ? 0 : b->kernel->general.items[operand->variable].type;
  operand->row = take8(b);
  operand->column = take8(b);
  take_region(b, operand);
}

static void take_immediate(struct binary *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_IMMEDIATE;
  operand->type = take8(b);
  if (operand->type >= OG_VISA_TYPE_COUNT || operand->type == OG_VISA_BOOL) {
    fail(b, "immediate of type %u", operand->type);
    operand->type = 0;
  }
  operand->bits = take32(b);
  if (og_visa_types[operand->type].size == 8)
    operand->bits |= (uint64_t)take32(b) << 32;
}

static void take_address_of(struct binary *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_ADDRESS_OF;
  operand->state_class = take8(b);
  if (operand->state_class != 'G' && operand->state_class != 'T' && operand->state_class != 'S')
    fail(b, "vector operand of reserved class 4");
  operand->variable = b->failed ? 0 : checked(b, (char)operand->state_class, take32(b));
  operand->offset = (int16_t)take16(b);
  operand->type = OG_VISA_UW;
}

static void take_vector(struct binary *b, struct og_visa_operand *operand) {
  uint8_t tag = take8(b);
  operand->modifier = tag >> 3 & 7;
  if (tag >> 6 || operand->modifier > OG_VISA_MODIFIER_NOT)
    fail(b, "operand tag 0x%02x has reserved bits or an unknown modifier", tag);
  switch (tag & 7) {
  case 0: take_general_operand(b, operand); break;
  case 1:
    operand->kind = OG_VISA_ADDRESS;
    operand->type = OG_VISA_UW;
    operand->variable = checked(b, 'A', take16(b));
    operand->column = take8(b);
    operand->width = take8(b);
    if (operand->width > 8)
      fail(b, "address operand of width code %u", operand->width);
    operand->width = (uint8_t)(operand->width < 8 ? 1u << operand->width : 0);
    break;
  case 2:
    operand->kind = OG_VISA_PREDICATE;
    operand->type = OG_VISA_BOOL;
    operand->predicate = take_predicate(b);
    break;
  case 3:
    operand->kind = OG_VISA_INDIRECT;
    operand->variable = checked(b, 'A', take16(b));
    operand->column = take8(b);
    operand->offset = (int16_t)take16(b);
    operand->type = take8(b);
    if (operand->type >= OG_VISA_TYPE_COUNT)
      fail(b, "indirect operand of type %u", operand->type), operand->type = 0;
    take_region(b, operand);
    break;
  case 4: take_address_of(b, operand); break;
  case 5: take_immediate(b, operand); break;
  case 6: {
    uint8_t class = take8(b);
    operand->kind = OG_VISA_STATE;
    operand->type = OG_VISA_UD;
    operand->state_class = class ? 'S' : 'T';
    if (class > 1)
      fail(b, "state operand of class %u", class);
    operand->variable = checked(b, (char)operand->state_class, take16(b));
    operand->column = take8(b);
    break;
  }
  default: fail(b, "vector operand of reserved class %u", tag & 7);
  }
}

static void take_raw(struct binary *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_RAW;
  operand->variable = checked(b, 'G', take32(b));
  operand->type = b->failed ? 0 : b->kernel->general.items[operand->variable].type;
  operand->offset = take16(b);
}

static uint32_t intern(struct binary *b, uint32_t pool_index) {
  const char *text = string_at(b, pool_index);
  if (!text[0])
    return 0;
  *OG_PUSH(b->arena, &b->kernel->strings) = text;
  return b->kernel->strings.count - 1;
}

static void take_label(struct binary *b, struct og_visa_operand *operand) {
  operand->kind = OG_VISA_LABEL;
  operand->variable = take16(b);
  if (operand->variable >= b->kernel->labels.count)
    fail(b, "label %u, there are %u", operand->variable, b->kernel->labels.count), operand->variable = 0;
}

static void take_by_letter(struct binary *b, char letter, struct og_visa_inst *inst, struct og_visa_operand *operand) {
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
    operand->variable = checked(b, (char)operand->state_class, take8(b));
    break;
  case 'L': take_label(b, operand); break;
  case 'N':
    operand->kind = OG_VISA_VALUE;
    operand->bits = intern(b, take16(b));
    break;
  default:
    operand->kind = OG_VISA_VALUE;
    operand->bits = take(b, (unsigned)(letter - '0'));
    if (inst->opcode == OG_VISA_OP_FILE)
      operand->bits = intern(b, (uint32_t)operand->bits);
  }
}

/* ---- instructions ---- */

static void take_mask(uint8_t code, struct og_visa_inst *inst) {
  inst->mask_offset = (uint8_t)((code & 7) * 4);
  inst->no_mask = code >> 3 & 1;
}

static void take_exec(struct binary *b, bool gather, struct og_visa_inst *inst) {
  uint8_t code = take8(b);
  static const uint8_t gather_sizes[] = {8, 16, 1};
  if ((code & 15) > (gather ? 2 : 5))
    fail(b, "execution size code %u", code & 15);
  else
    inst->exec_size = gather ? gather_sizes[code & 15] : (uint8_t)(1u << (code & 15));
  take_mask(code >> 4, inst);
}

static void take_sub(struct binary *b, struct og_visa_inst *inst) {
  uint8_t sub = take8(b);
  if (inst->opcode == OG_VISA_OP_FMINMAX)
    inst->sub = sub & 1;
  else
    inst->atomic = sub;
  if (inst->opcode != OG_VISA_OP_FMINMAX && ((sub & 31) >= OG_VISA_ATOMIC_COUNT || sub >> 5 == 3 || sub >> 7))
    fail(b, "atomic operation 0x%02x", sub);
}

static void take_fields(struct binary *b, const char *binary, struct og_visa_inst *inst) {
  struct og_visa_operand operands[OG_VISA_MAX_OPERANDS] = {{0}};
  unsigned count = 0;
  for (; *binary && !b->failed; binary++) {
    switch (*binary) {
    case 'x': take_exec(b, false, inst); break;
    case 'g': take_exec(b, true, inst); break;
    case 'p': inst->predicate = take_predicate(b); break;
    case 'c':
      inst->compare = take8(b);
      if (inst->compare > OG_VISA_LE)
        fail(b, "relation %u", inst->compare), inst->compare = 0;
      break;
    case 'o': take_sub(b, inst); break;
    case '*': {
      unsigned more = take8(b);
      if (more > 24 || count + more > OG_COUNT(operands))
        fail(b, "%u parameters", more), more = 0;
      for (; more; more--)
        take_raw(b, &operands[count++]);
      break;
    }
    default: take_by_letter(b, *binary, inst, &operands[count++]);
    }
  }
  if (inst->opcode == OG_VISA_OP_SWITCHJMP && !b->failed) {
    if (operands[0].bits > 32)
      fail(b, "switchjmp with %u labels", (unsigned)operands[0].bits), operands[0].bits = 0;
    for (uint64_t i = 0; i < operands[0].bits; i++)
      take_label(b, &operands[count++]);
  }
  inst->operand_count = (uint8_t)count;
  inst->operands = OG_NEW_ARRAY(b->arena, struct og_visa_operand, count);
  memcpy(inst->operands, operands, count * sizeof *operands);
}

static uint8_t limited(struct binary *b, uint8_t low, uint8_t high, const char *what) {
  uint8_t value = take8(b);
  if (!b->failed && (value < low || value > high))
    fail(b, "%s is %u, not in %u..%u", what, value, low, high);
  return b->failed ? low : value;
}

static void take_lsc(struct binary *b, struct og_visa_inst *inst) {
  struct og_visa_lsc *lsc = OG_NEW(b->arena, struct og_visa_lsc);
  inst->lsc = lsc;
  lsc->scale = 1;
  lsc->elements = 1;
  if (inst->opcode == OG_VISA_OP_LSC_FENCE) {
    take_exec(b, false, inst);
    inst->predicate = take_predicate(b);
    lsc->sfid = limited(b, 0, OG_VISA_SLM, "LSC unit");
    lsc->fence = limited(b, 0, OG_VISA_TYPE6, "fence");
    lsc->scope = limited(b, 0, OG_VISA_SYSACQ, "scope");
    return;
  }
  inst->sub = take8(b);
  if (!og_visa_lsc_op(inst->sub)) {
    fail(b, "LSC operation 0x%02x", inst->sub);
    return;
  }
  bool block2d = inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
  bool strided = inst->sub == OG_VISA_LSC_LOAD_STRIDED || inst->sub == OG_VISA_LSC_STORE_STRIDED;
  bool typed = inst->opcode == OG_VISA_OP_LSC_TYPED;
  if (typed && (strided || inst->sub == OG_VISA_LSC_LOAD || inst->sub == OG_VISA_LSC_STORE)) {
    fail(b, "LSC operation 0x%02x has no typed form", inst->sub);
    return;
  }
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
      lsc->scale = take16(b);
      lsc->offset = (int32_t)take32(b);
    }
    lsc->address_size = (uint8_t)(1u << limited(b, 1, 3, "address size"));
  }
  lsc->data_size = limited(b, OG_VISA_D8, OG_VISA_D16C32H, "data size");
  lsc->transposed = limited(b, 1, 2, "data order") == 2;
  if (block2d) {
    lsc->blocks = take8(b);
    lsc->block_width = take16(b);
    lsc->block_height = take16(b);
    lsc->vnni = limited(b, 0, 1, "VNNI flag");
  } else {
    static const uint8_t elements[] = {1, 1, 2, 3, 4, 8, 16, 32, 64};
    lsc->elements = elements[limited(b, 0, 8, "number of elements")];
    lsc->channels = limited(b, 0, 15, "channel mask");
  }
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
      fail(b, "LSC operand %u is neither a general variable nor a number", i);
}

static void finish_dpas(struct binary *b, struct og_visa_inst *inst) {
  uint32_t bits = (uint32_t)inst->operands[4].bits;
  inst->dpas = (struct og_visa_dpas){(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
  if (inst->dpas.weights > OG_VISA_TF32 || inst->dpas.activations > OG_VISA_TF32)
    fail(b, "dpas precision %u or %u", inst->dpas.weights, inst->dpas.activations);
}

static void define_label(struct binary *b, const struct og_visa_inst *inst) {
  struct og_visa_label *label = &b->kernel->labels.items[inst->operands[0].variable];
  if (label->inst != UINT32_MAX)
    fail(b, "label '%s' is defined twice", label->name);
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
  *operand = (struct og_visa_operand){.kind = OG_VISA_ADDRESS_OF, .state_class = state ? operand->state_class : 'G',
                                      .type = OG_VISA_UW, .variable = operand->variable, .offset = offset};
}

static void finish_inst(struct binary *b, struct og_visa_inst *inst) {
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
      fail(b, "lifetime of a variable of class %u", class);
    else
      checked(b, "GAP"[class], (uint32_t)inst->operands[1].bits);
    break;
  }
  case OG_VISA_OP_SAMPLE_3D:
  case OG_VISA_OP_LOAD_3D:
  case OG_VISA_OP_GATHER4_3D:
  case OG_VISA_OP_INFO_3D:
    inst->sub = inst->operands[0].bits & 31;
    if (inst->sub >= OG_VISA_SAMPLE_NAMES || !og_visa_sample_names[inst->sub][0])
      fail(b, "sampler operation %u", inst->sub);
    break;
  default: break;
  }
}

static void take_inst(struct binary *b) {
  struct og_visa_inst *inst = OG_PUSH(b->arena, &b->kernel->insts);
  inst->compare = OG_VISA_COMPARE_NONE;
  inst->exec_size = 1;
  inst->opcode = take8(b);
  if (inst->opcode >= OG_VISA_OP_LSC_UNTYPED && inst->opcode <= OG_VISA_OP_LSC_FENCE) {
    take_lsc(b, inst);
    return;
  }
  if (inst->opcode == OG_VISA_OP_SVM)
    inst->sub = take8(b);
  const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
  if (!row) {
    fail(b, "opcode 0x%02x%s is not known", inst->opcode,
         inst->opcode == OG_VISA_OP_SVM ? " with this sub-operation" : "");
    return;
  }
  take_fields(b, row->binary, inst);
  if (!b->failed)
    finish_inst(b, inst);
}

/* ---- kernels and the file ---- */

static bool take_kernel(struct binary *file, size_t offset, size_t size, bool function, const char *name,
                        struct og_visa *visa) {
  if (offset > file->size || file->size - offset < size)
    return fail(file, "kernel '%s' at 0x%zx, 0x%zx bytes, reaches beyond the file", name, offset, size);
  struct binary b = *file;
  b.at = offset;
  b.size = offset + size;
  b.kernel = og_visa_new_kernel(b.arena, name, -1);
  b.kernel->function = function;
  take_pool(&b);
  take32(&b); /* the name once more */
  take_general(&b);
  take_table(&b, &b.kernel->address, 2, 'A');
  take_table(&b, &b.kernel->predicate, 2, 'P');
  take_labels(&b);
  take_table(&b, &b.kernel->sampler, 1, 'S');
  take_table(&b, &b.kernel->surface, 1, 'T');
  if (take8(&b))
    fail(&b, "VME variables are not supported");
  take_inputs(&b);
  uint32_t code_size = take32(&b), entry = take32(&b);
  uint32_t attributes = take_count(&b, 2, 5, "attributes");
  for (uint32_t i = 0; i < attributes && !b.failed; i++)
    take_attribute(&b, OG_PUSH(b.arena, &b.kernel->attributes));
  if (!b.failed && (entry > size || size - entry < code_size || offset + entry < b.at))
    fail(&b, "code at 0x%x, 0x%x bytes, is not inside the kernel's 0x%zx bytes", entry, code_size, size);
  b.at = offset + entry;
  b.size = b.failed ? b.at : b.at + code_size;
  while (!b.failed && b.at < b.size)
    take_inst(&b);
  for (uint32_t i = 0; i < b.kernel->insts.count && !b.failed; i++) {
    const struct og_visa_inst *inst = &b.kernel->insts.items[i];
    for (unsigned j = 0; j < inst->operand_count; j++)
      if (inst->operands[j].kind == OG_VISA_LABEL &&
          b.kernel->labels.items[inst->operands[j].variable].inst == UINT32_MAX)
        fail(&b, "label '%s' is not defined", b.kernel->labels.items[inst->operands[j].variable].name);
  }
  if (b.failed)
    return false;
  *OG_PUSH(b.arena, &visa->kernels) = b.kernel;
  return true;
}

struct kernel_place {
  const char *name;
  uint32_t offset, size;
  bool function;
};

static struct kernel_place take_info(struct binary *b, bool function) {
  struct kernel_place place = {.function = function};
  if (function)
    take8(b); /* linkage */
  uint32_t size = take_count(b, 2, 1, "characters of a name");
  place.name = og_arena_copy(b->arena, (const char *)b->data + b->at, size);
  b->at += size;
  place.offset = take32(b);
  place.size = take32(b);
  if (!function)
    take32(b);
  for (int i = 0; i < 2; i++)
    for (uint32_t symbols = take_count(b, 2, 4, "symbols"); symbols && !b->failed; symbols--)
      take32(b);
  if (!function)
    for (uint32_t binaries = take_count(b, 1, 9, "GEN binaries"); binaries && !b->failed; binaries--)
      take8(b), take32(b), take32(b);
  return place;
}

bool og_visa_is_binary(const void *data, size_t size) {
  return size >= 8 && memcmp(data, "CISA", 4) == 0;
}

struct og_visa *og_visa_read_binary(struct og_arena *arena, const void *data, size_t size, const char *file,
                                    struct og_diagnostics *diagnostics) {
  struct binary b = {.data = data, .size = size, .file = file, .arena = arena, .diagnostics = diagnostics};
  if (!og_visa_is_binary(data, size)) {
    fail(&b, "not a vISA file: it does not begin with 'CISA'");
    return NULL;
  }
  b.at = 4;
  struct og_visa *visa = OG_NEW(arena, struct og_visa);
  visa->major = take8(&b);
  visa->minor = take8(&b);
  if (visa->major < 3 || visa->major > 4)
    fail(&b, "version %u.%u is not supported: 3.0 to 4.x are", visa->major, visa->minor);
  OG_VECTOR(struct kernel_place) places = {0};
  for (uint32_t count = take_count(&b, 2, 19, "kernels"); count && !b.failed; count--)
    *OG_PUSH(arena, &places) = take_info(&b, false);
  if (take16(&b))
    fail(&b, "file-scope variables are not supported");
  for (uint32_t count = take_count(&b, 2, 15, "functions"); count && !b.failed; count--)
    *OG_PUSH(arena, &places) = take_info(&b, true);
  uint64_t total = 0; /* kernels do not share bytes; this bounds the memory by the file's size */
  for (uint32_t i = 0; i < places.count; i++)
    total += places.items[i].size;
  if (total > size)
    fail(&b, "kernels of %llu bytes in a file of %zu", (unsigned long long)total, size);
  for (uint32_t i = 0; i < places.count && !b.failed; i++)
    if (!take_kernel(&b, places.items[i].offset, places.items[i].size, places.items[i].function, places.items[i].name,
                     visa))
      return NULL;
  return b.failed ? NULL : visa;
}
