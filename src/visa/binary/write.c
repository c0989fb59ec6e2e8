/* write.c - the binary form, version 4.1: header, kernel tables, string pool, code. */
#include "visa/table.h"

#include <string.h>

struct writer {
  const struct og_visa_kernel *kernel;
  struct og_buffer *out;
  uint32_t *pool;      /* pool index of each of the kernel's strings */
  uint32_t pool_count;
  uint32_t own;        /* the kernel's first own variable, after the predefined and file-scope ones */
  const struct og_visa_variables *file; /* the file-scope variables of all kernels */
};

/* A variable's index in the file: file-scope ones stand in the header, not in the kernel's table. */
static uint32_t index_of(const struct writer *w, uint32_t variable) {
  return variable < w->own ? variable : variable - w->own + OG_VISA_FIRST_GENERAL;
}

/* ---- strings ---- */

static uint32_t add_string(struct writer *w, const char *text) {
  og_buffer_append(w->out, text, strlen(text) + 1);
  return w->pool_count++;
}

static void put_size_at(struct og_buffer *out, size_t at, uint32_t value) {
  og_store32(out->data + at, value);
}

/* The pool has a fixed order: "", the kernel, all names in the order of the tables, attributes, then the strings of the
 * code. */
struct pool {
  uint32_t kernel, general, address, predicate, labels, sampler, surface, attributes;
};

static uint32_t add_names(struct writer *w, const struct og_visa_variables *table, uint32_t first) {
  uint32_t base = w->pool_count;
  for (uint32_t i = first; i < table->count; i++)
    add_string(w, table->items[i].name);
  return base;
}

static void add_attribute_names(struct writer *w, const struct og_visa_variables *table, uint32_t first) {
  for (uint32_t i = first; i < table->count; i++)
    for (uint32_t j = 0; j < table->items[i].attribute_count; j++)
      add_string(w, table->items[i].attributes[j].name);
}

static struct pool put_pool(struct writer *w) {
  const struct og_visa_kernel *k = w->kernel;
  size_t count_at = w->out->size;
  og_buffer_u32(w->out, 0);
  struct pool pool = {0};
  add_string(w, "");
  pool.kernel = add_string(w, k->name);
  pool.general = add_names(w, &k->general, w->own);
  pool.address = add_names(w, &k->address, 0);
  pool.predicate = add_names(w, &k->predicate, OG_VISA_FIRST_PREDICATE);
  pool.labels = w->pool_count;
  for (uint32_t i = 0; i < k->labels.count; i++)
    add_string(w, k->labels.items[i].name);
  pool.sampler = add_names(w, &k->sampler, 0);
  pool.surface = add_names(w, &k->surface, OG_VISA_FIRST_SURFACE);
  pool.attributes = w->pool_count;
  add_attribute_names(w, &k->general, w->own);
  add_attribute_names(w, &k->address, 0);
  add_attribute_names(w, &k->predicate, OG_VISA_FIRST_PREDICATE);
  add_attribute_names(w, &k->sampler, 0);
  add_attribute_names(w, &k->surface, OG_VISA_FIRST_SURFACE);
  for (uint32_t i = 0; i < k->attributes.count; i++)
    add_string(w, k->attributes.items[i].name);
  for (uint32_t i = 0; i < k->strings.count; i++)
    w->pool[i] = i ? add_string(w, k->strings.items[i]) : 0;
  put_size_at(w->out, count_at, w->pool_count);
  og_buffer_u32(w->out, pool.kernel);
  return pool;
}

/* ---- tables ---- */

/* NULs follow a short text, since readers take up to four bytes as a number. */
static void put_attribute_value(struct writer *w, const struct og_visa_attribute *attribute) {
  if (!attribute->text) {
    og_buffer_u8(w->out, (uint8_t)attribute->size);
    for (uint32_t i = 0; i < attribute->size; i++)
      og_buffer_u8(w->out, (uint8_t)(attribute->value >> i * 8));
    return;
  }
  static const char *const targets[] = {"cm", "3d", "cs", NULL};
  int target = strcmp(attribute->name, "Target") == 0 ? og_visa_find_name(targets, og_text(attribute->text)) : -1;
  if (target >= 0) {
    og_buffer_u8(w->out, 1);
    og_buffer_u8(w->out, (uint8_t)target);
    return;
  }
  size_t size = strlen(attribute->text), padded = OG_MAX(size, 5u);
  og_buffer_u8(w->out, (uint8_t)padded);
  og_buffer_append(w->out, attribute->text, size);
  og_buffer_extend(w->out, padded - size);
}

static void put_attributes(struct writer *w, const struct og_visa_variable *variable, struct pool *pool) {
  og_buffer_u8(w->out, (uint8_t)variable->attribute_count);
  for (uint32_t i = 0; i < variable->attribute_count; i++) {
    og_buffer_u32(w->out, pool->attributes++);
    put_attribute_value(w, &variable->attributes[i]);
  }
}

/* A file-scope variable's place among those of all kernels; its name identifies it. */
static uint32_t file_index(const struct og_visa_variables *file, const struct og_visa_variable *variable) {
  uint32_t i = 0;
  while (i < file->count && strcmp(file->items[i].name, variable->name) != 0)
    i++;
  return i;
}

static void put_general_table(struct writer *w, struct pool *pool) {
  const struct og_visa_variables *table = &w->kernel->general;
  og_buffer_u32(w->out, table->count - w->own);
  for (uint32_t i = w->own; i < table->count; i++) {
    const struct og_visa_variable *variable = &table->items[i];
    bool global = variable->alias >= OG_VISA_FIRST_GENERAL && variable->alias < w->own;
    og_buffer_u32(w->out, pool->general++);
    og_buffer_u8(w->out, (uint8_t)(variable->type | variable->align << 4));
    og_buffer_u16(w->out, (uint16_t)variable->elements);
    og_buffer_u32(w->out, global ? file_index(w->file, &table->items[variable->alias]) : index_of(w, variable->alias));
    og_buffer_u16(w->out, (uint16_t)variable->alias_offset);
    og_buffer_u8(w->out, global);
    put_attributes(w, variable, pool);
  }
}

static void put_table(struct writer *w, const struct og_visa_variables *table, uint32_t first, unsigned count_size,
                      uint32_t name, struct pool *pool) {
  if (count_size == 1)
    og_buffer_u8(w->out, (uint8_t)(table->count - first));
  else
    og_buffer_u16(w->out, (uint16_t)(table->count - first));
  for (uint32_t i = first; i < table->count; i++) {
    og_buffer_u32(w->out, name++);
    og_buffer_u16(w->out, (uint16_t)table->items[i].elements);
    put_attributes(w, &table->items[i], pool);
  }
}

static void put_labels(struct writer *w, const struct pool *pool) {
  og_buffer_u16(w->out, (uint16_t)w->kernel->labels.count);
  for (uint32_t i = 0; i < w->kernel->labels.count; i++) {
    og_buffer_u32(w->out, pool->labels + i);
    og_buffer_u8(w->out, w->kernel->labels.items[i].subroutine);
    og_buffer_u8(w->out, 0);
  }
}

static void put_inputs(struct writer *w) {
  og_buffer_u32(w->out, w->kernel->inputs.count);
  for (uint32_t i = 0; i < w->kernel->inputs.count; i++) {
    const struct og_visa_input *input = &w->kernel->inputs.items[i];
    unsigned class = input->class == 'G' ? 0 : input->class == 'S' ? 1 : 2;
    og_buffer_u8(w->out, (uint8_t)(class | input->implicit << 3));
    og_buffer_u32(w->out, input->class == 'G' ? index_of(w, input->variable) : input->variable);
    og_buffer_u16(w->out, (uint16_t)input->offset);
    og_buffer_u16(w->out, (uint16_t)input->size);
  }
}

/* ---- operands ---- */

static unsigned stride_code(uint8_t stride) {
  return stride == OG_VISA_STRIDE_NONE ? 0 : stride == 0 ? 1 : 2u + (unsigned)__builtin_ctz(stride);
}
static uint16_t region_code(const struct og_visa_operand *operand) {
  return (uint16_t)(stride_code(operand->vertical) | stride_code(operand->width) << 4 |
                    stride_code(operand->horizontal) << 8);
}
static uint16_t predicate_code(const struct og_visa_predicate *predicate) {
  return (uint16_t)(predicate->variable | predicate->combine << 13 | predicate->inverse << 15);
}

static void put_general(struct og_buffer *out, uint32_t variable, unsigned row, unsigned column, uint16_t region) {
  og_buffer_u32(out, variable);
  og_buffer_u8(out, (uint8_t)row);
  og_buffer_u8(out, (uint8_t)column);
  og_buffer_u16(out, region);
}

enum { SCALAR_REGION = 0x0121, ADDRESS_OF_CLASS = 4 };

/* The format has no class of its own for address-of: in addr_add a general or state operand means its address. If an
 * offset is not a multiple of the element's size, and in mov, the class is written that IGC has for it in memory. */
static void put_address_of(struct writer *w, const struct og_visa_operand *operand, bool addr_add) {
  struct og_buffer *out = w->out;
  unsigned size =
      operand->state_class == 'G' ? og_visa_types[w->kernel->general.items[operand->variable].type].size : 4;
  int32_t offset = operand->offset;
  bool fits = addr_add && offset >= 0 && offset % (int32_t)size == 0;
  if (fits && operand->state_class == 'G' && offset / 32 < 256) {
    og_buffer_u8(out, 0);
    put_general(out, index_of(w, operand->variable), (unsigned)offset / 32, (unsigned)offset % 32 / size,
                SCALAR_REGION);
  } else if (fits && operand->state_class != 'G' && offset / 4 < 256) {
    og_buffer_u8(out, 6);
    og_buffer_u8(out, operand->state_class == 'S');
    og_buffer_u16(out, (uint16_t)operand->variable);
    og_buffer_u8(out, (uint8_t)(offset / 4));
  } else {
    og_buffer_u8(out, ADDRESS_OF_CLASS);
    og_buffer_u8(out, operand->state_class);
    og_buffer_u32(out, operand->state_class == 'G' ? index_of(w, operand->variable) : operand->variable);
    og_buffer_u16(out, (uint16_t)offset);
  }
}

static void put_vector(struct writer *w, const struct og_visa_inst *inst, const struct og_visa_operand *operand,
                       unsigned modifier) {
  struct og_buffer *out = w->out;
  switch (operand->kind) {
  case OG_VISA_GENERAL:
    og_buffer_u8(out, (uint8_t)(modifier << 3));
    put_general(out, index_of(w, operand->variable), operand->row, operand->column, region_code(operand));
    break;
  case OG_VISA_ADDRESS:
    og_buffer_u8(out, (uint8_t)(1 | modifier << 3));
    og_buffer_u16(out, (uint16_t)operand->variable);
    og_buffer_u8(out, (uint8_t)operand->column);
    og_buffer_u8(out, (uint8_t)__builtin_ctz(operand->width | 0x100u));
    break;
  case OG_VISA_PREDICATE:
    og_buffer_u8(out, (uint8_t)(2 | modifier << 3));
    og_buffer_u16(out, predicate_code(&operand->predicate));
    break;
  case OG_VISA_INDIRECT:
    og_buffer_u8(out, (uint8_t)(3 | modifier << 3));
    og_buffer_u16(out, (uint16_t)operand->variable);
    og_buffer_u8(out, (uint8_t)operand->column);
    og_buffer_u16(out, (uint16_t)operand->offset);
    og_buffer_u8(out, operand->type);
    og_buffer_u16(out, region_code(operand));
    break;
  case OG_VISA_ADDRESS_OF: put_address_of(w, operand, inst->opcode == OG_VISA_OP_ADDR_ADD); break;
  case OG_VISA_STATE:
    og_buffer_u8(out, (uint8_t)(6 | modifier << 3));
    og_buffer_u8(out, operand->state_class == 'S');
    og_buffer_u16(out, (uint16_t)operand->variable);
    og_buffer_u8(out, (uint8_t)operand->column);
    break;
  default: /* immediate */
    og_buffer_u8(out, 5);
    og_buffer_u8(out, operand->type);
    og_buffer_u32(out, (uint32_t)operand->bits);
    if (og_visa_types[operand->type].size == 8)
      og_buffer_u32(out, (uint32_t)(operand->bits >> 32));
  }
}

static void put_raw(struct writer *w, const struct og_visa_operand *operand) {
  bool there = operand->kind == OG_VISA_RAW;
  og_buffer_u32(w->out, there ? index_of(w, operand->variable) : 0);
  og_buffer_u16(w->out, there ? (uint16_t)operand->offset : 0);
}

/* A number of four bytes: a string's number in .file, a variable in lifetime. */
static uint32_t number_of(const struct writer *w, const struct og_visa_inst *inst,
                          const struct og_visa_operand *operand) {
  if (inst->opcode == OG_VISA_OP_FILE)
    return w->pool[operand->bits];
  bool general = inst->opcode == OG_VISA_OP_LIFETIME && !(inst->operands[0].bits >> 4 & 3);
  return general ? index_of(w, (uint32_t)operand->bits) : (uint32_t)operand->bits;
}

static void put_by_letter(struct writer *w, const struct og_visa_inst *inst, char letter,
                          const struct og_visa_operand *operand) {
  switch (letter) {
  case 'D':
  case 'Q':
  case 'A': put_vector(w, inst, operand, inst->saturate && operand == inst->operands ? OG_VISA_MODIFIER_SAT : 0); break;
  case 'S': put_vector(w, inst, operand, operand->modifier); break;
  case 'R': put_raw(w, operand); break;
  case 'T':
  case 'M': og_buffer_u8(w->out, (uint8_t)operand->variable); break;
  case 'L': og_buffer_u16(w->out, (uint16_t)operand->variable); break;
  case 'N': og_buffer_u16(w->out, (uint16_t)w->pool[operand->bits]); break;
  case '1': og_buffer_u8(w->out, (uint8_t)operand->bits); break;
  case '2': og_buffer_u16(w->out, (uint16_t)operand->bits); break;
  default: og_buffer_u32(w->out, number_of(w, inst, operand));
  }
}

/* ---- instructions ---- */

static uint8_t mask_code(const struct og_visa_inst *inst) {
  return (uint8_t)((inst->mask_offset / 4 | inst->no_mask << 3) << 4);
}
static uint8_t exec_code(const struct og_visa_inst *inst) {
  return (uint8_t)((unsigned)__builtin_ctz(inst->exec_size | 0x100u) | mask_code(inst));
}

static void put_fields(struct writer *w, const char *binary, const struct og_visa_inst *inst) {
  const struct og_visa_operand *operand = inst->operands, *end = operand + inst->operand_count;
  for (; *binary; binary++) {
    switch (*binary) {
    case 'x': og_buffer_u8(w->out, exec_code(inst)); break;
    case 'g': og_buffer_u8(w->out, (inst->exec_size == 16 ? 1 : inst->exec_size == 1 ? 2 : 0) | mask_code(inst)); break;
    case 'p': og_buffer_u16(w->out, predicate_code(&inst->predicate)); break;
    case 'c': og_buffer_u8(w->out, inst->compare); break;
    case 'o': og_buffer_u8(w->out, inst->opcode == OG_VISA_OP_FMINMAX ? inst->sub : inst->atomic); break;
    case '*':
      og_buffer_u8(w->out, (uint8_t)(end - operand));
      for (; operand < end; operand++)
        put_raw(w, operand);
      break;
    default: put_by_letter(w, inst, *binary, operand++);
    }
  }
  for (; operand < end && inst->opcode == OG_VISA_OP_SWITCHJMP; operand++)
    og_buffer_u16(w->out, (uint16_t)operand->variable);
}

static unsigned elements_code(unsigned elements) {
  return elements <= 4 ? elements : (unsigned)__builtin_ctz(elements) + 2;
}

static void put_lsc(struct writer *w, const struct og_visa_inst *inst) {
  const struct og_visa_lsc *lsc = inst->lsc;
  const struct og_visa_operand *operands = inst->operands;
  bool block2d = inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
  bool strided = inst->sub == OG_VISA_LSC_LOAD_STRIDED || inst->sub == OG_VISA_LSC_STORE_STRIDED;
  bool typed = inst->opcode == OG_VISA_OP_LSC_TYPED;
  if (inst->opcode == OG_VISA_OP_LSC_FENCE) {
    const uint8_t bytes[] = {exec_code(inst), 0, 0, lsc->sfid, lsc->fence, lsc->scope};
    og_buffer_append(w->out, bytes, sizeof bytes);
    return;
  }
  og_buffer_u8(w->out, inst->sub);
  og_buffer_u8(w->out, exec_code(inst));
  og_buffer_u16(w->out, predicate_code(&inst->predicate));
  if (!typed)
    og_buffer_u8(w->out, lsc->sfid);
  og_buffer_u8(w->out, lsc->l1);
  og_buffer_u8(w->out, lsc->l3);
  if (!block2d || typed) {
    og_buffer_u8(w->out, lsc->address_kind);
    if (!typed) {
      og_buffer_u16(w->out, lsc->scale);
      og_buffer_u32(w->out, (uint32_t)lsc->offset);
    }
    og_buffer_u8(w->out, (uint8_t)__builtin_ctz(lsc->address_size | 0x100u));
  }
  og_buffer_u8(w->out, lsc->data_size);
  og_buffer_u8(w->out, lsc->transposed ? 2 : 1);
  if (block2d) {
    og_buffer_u8(w->out, lsc->blocks);
    og_buffer_u16(w->out, lsc->block_width);
    og_buffer_u16(w->out, lsc->block_height);
    og_buffer_u8(w->out, lsc->vnni);
  } else {
    og_buffer_u8(w->out, (uint8_t)elements_code(lsc->elements));
    og_buffer_u8(w->out, lsc->channels);
  }
  if (!block2d || typed)
    put_vector(w, inst, &operands[OG_VISA_LSC_SURFACE_OPERAND], 0);
  put_raw(w, &operands[OG_VISA_LSC_DST_OPERAND]);
  if (block2d) {
    for (unsigned i = 0; i < 6; i++)
      put_vector(w, inst, &operands[OG_VISA_LSC_BLOCK2D_OPERAND + i], 0);
  } else if (typed) {
    for (unsigned i = 0; i < 4; i++)
      put_raw(w, &operands[OG_VISA_LSC_TYPED_OPERAND + i]);
  } else {
    put_raw(w, &operands[OG_VISA_LSC_ADDRESS_OPERAND]);
    if (strided)
      put_vector(w, inst, &operands[OG_VISA_LSC_PITCH_OPERAND], 0);
  }
  put_raw(w, &operands[OG_VISA_LSC_DATA_OPERAND]);
  if (!block2d && !strided)
    put_raw(w, &operands[OG_VISA_LSC_DATA2_OPERAND]);
}

static void put_inst(struct writer *w, const struct og_visa_inst *inst) {
  og_buffer_u8(w->out, inst->opcode);
  if (inst->opcode >= OG_VISA_OP_LSC_UNTYPED && inst->opcode <= OG_VISA_OP_LSC_FENCE) {
    put_lsc(w, inst);
    return;
  }
  if (inst->opcode == OG_VISA_OP_SVM)
    og_buffer_u8(w->out, inst->sub);
  put_fields(w, og_visa_row(inst->opcode, inst->sub)->binary, inst);
}

/* ---- kernels and the file ---- */

/* Yields the offset of the inputs from the start of the file. */
static uint32_t put_kernel(const struct og_visa_kernel *kernel, const struct og_visa_variables *file,
                           struct og_buffer *out, struct og_arena *arena) {
  struct writer w = {.kernel = kernel,
                     .out = out,
                     .pool = OG_NEW_ARRAY(arena, uint32_t, kernel->strings.count),
                     .own = og_visa_first_own(kernel),
                     .file = file};
  size_t start = out->size;
  struct pool pool = put_pool(&w);
  put_general_table(&w, &pool);
  put_table(&w, &kernel->address, 0, 2, pool.address, &pool);
  put_table(&w, &kernel->predicate, OG_VISA_FIRST_PREDICATE, 2, pool.predicate, &pool);
  put_labels(&w, &pool);
  put_table(&w, &kernel->sampler, 0, 1, pool.sampler, &pool);
  put_table(&w, &kernel->surface, OG_VISA_FIRST_SURFACE, 1, pool.surface, &pool);
  og_buffer_u8(out, 0); /* VME variables: none */
  uint32_t inputs = (uint32_t)out->size;
  put_inputs(&w);
  size_t size_at = out->size;
  og_buffer_u32(out, 0);
  og_buffer_u32(out, 0);
  og_buffer_u16(out, (uint16_t)kernel->attributes.count);
  for (uint32_t i = 0; i < kernel->attributes.count; i++) {
    og_buffer_u32(out, pool.attributes++);
    put_attribute_value(&w, &kernel->attributes.items[i]);
  }
  size_t entry = out->size;
  for (uint32_t i = 0; i < kernel->insts.count; i++)
    put_inst(&w, &kernel->insts.items[i]);
  put_size_at(out, size_at, (uint32_t)(out->size - entry));
  put_size_at(out, size_at + 4, (uint32_t)(entry - start));
  return inputs;
}

/* kernel_info, or function_info, which has no inputs and GEN binaries; returns the place of its offset. */
static size_t put_info(const struct og_visa_kernel *kernel, const struct og_visa_variables *file,
                       struct og_buffer *out) {
  size_t size = strlen(kernel->name);
  if (kernel->function)
    og_buffer_u8(out, 2); /* global */
  og_buffer_u16(out, (uint16_t)size);
  og_buffer_append(out, kernel->name, size);
  size_t at = out->size;
  og_buffer_extend(out, kernel->function ? 8 : 12);
  uint32_t own = og_visa_first_own(kernel);
  og_buffer_u16(out, (uint16_t)(own - OG_VISA_FIRST_GENERAL));
  for (uint32_t i = OG_VISA_FIRST_GENERAL; i < own; i++) { /* what it calls them, and what they are */
    og_buffer_u16(out, (uint16_t)file_index(file, &kernel->general.items[i]));
    og_buffer_u16(out, (uint16_t)file_index(file, &kernel->general.items[i]));
  }
  og_buffer_u16(out, 0); /* symbols of functions */
  if (!kernel->function)
    og_buffer_u8(out, 0);
  return at;
}

static bool fits(const struct og_visa_kernel *kernel, struct og_diagnostics *diagnostics) {
  const struct {
    const char *what;
    uint32_t count, limit;
  } counts[] = {
      {"labels", kernel->labels.count, 65535},
      {"inputs", kernel->inputs.count, 65535},
      {"attributes", kernel->attributes.count, 65535},
      {"strings of instructions", kernel->strings.count, 32768},
      {"general variables", kernel->general.count, 65536 + 32},
  };
  for (size_t i = 0; i < OG_COUNT(counts); i++)
    if (counts[i].count > counts[i].limit)
      return og_error_in(diagnostics, kernel->name, "%u %s do not fit the binary form, %u do", counts[i].count,
                         counts[i].what, counts[i].limit);
  return true;
}

/* ---- file-scope variables ---- */

static bool same_shape(const struct og_visa_variable *a, const struct og_visa_variable *b) {
  return a->type == b->type && a->align == b->align && a->elements == b->elements &&
         og_visa_linkage(a) == og_visa_linkage(b);
}

/* Instructions access a file-scope variable through an alias, since operands name the kernel's own variables. */
static bool names_file_scope(const struct og_visa_inst *inst, uint32_t own) {
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_visa_operand *operand = &inst->operands[i];
    bool general = operand->kind == OG_VISA_GENERAL || operand->kind == OG_VISA_RAW ||
                   (operand->kind == OG_VISA_ADDRESS_OF && operand->state_class == 'G');
    if (general && operand->variable >= OG_VISA_FIRST_GENERAL && operand->variable < own)
      return true;
  }
  return false;
}

static bool collect_file_scope(struct og_arena *arena, const struct og_visa_kernel *kernel,
                               struct og_visa_variables *file, struct og_diagnostics *diagnostics) {
  uint32_t own = og_visa_first_own(kernel);
  for (uint32_t i = OG_VISA_FIRST_GENERAL; i < kernel->general.count; i++) {
    const struct og_visa_variable *variable = &kernel->general.items[i];
    uint32_t place = i < own ? file_index(file, variable) : 0;
    if (i >= own && og_visa_linkage(variable) >= 0)
      return og_error_in(diagnostics, kernel->name, "the file-scope variable '%s' stands after the kernel's own",
                         variable->name);
    if (i >= own || (place < file->count && same_shape(&file->items[place], variable)))
      continue;
    if (place < file->count)
      return og_error_in(diagnostics, kernel->name, "the file-scope variable '%s' differs from another kernel's",
                         variable->name);
    *OG_PUSH(arena, file) = *variable;
  }
  for (uint32_t i = 0; i < kernel->insts.count && own > OG_VISA_FIRST_GENERAL; i++)
    if (names_file_scope(&kernel->insts.items[i], own))
      return og_error_in(diagnostics, kernel->name, "instruction %u names a file-scope variable, not an alias", i);
  return true;
}

static void put_file_scope(const struct og_visa_variables *file, struct og_buffer *out) {
  og_buffer_u16(out, (uint16_t)file->count);
  for (uint32_t i = 0; i < file->count; i++) {
    const struct og_visa_variable *variable = &file->items[i];
    size_t size = strlen(variable->name);
    og_buffer_u8(out, (uint8_t)og_visa_linkage(variable));
    og_buffer_u16(out, (uint16_t)size);
    og_buffer_append(out, variable->name, size);
    og_buffer_u8(out, (uint8_t)(variable->type | variable->align << 4));
    og_buffer_u16(out, (uint16_t)variable->elements);
    og_buffer_u8(out, 0); /* attributes: their names have no pool here */
  }
}

bool og_visa_write_binary(const struct og_visa *visa, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  uint32_t functions = 0, count = visa->kernels.count;
  struct og_arena *arena = og_arena_new();
  struct og_visa_variables file = {0};
  for (uint32_t i = 0; i < count; i++) {
    if (!fits(visa->kernels.items[i], diagnostics) ||
        !collect_file_scope(arena, visa->kernels.items[i], &file, diagnostics)) {
      og_arena_free(arena);
      return false;
    }
    functions += visa->kernels.items[i]->function;
  }
  size_t *at = OG_NEW_ARRAY(arena, size_t, count + 1);
  size_t start = out->size;
  og_buffer_append(out, "CISA", 4);
  og_buffer_u8(out, 4);
  og_buffer_u8(out, 1);
  og_buffer_u16(out, (uint16_t)(count - functions));
  for (uint32_t i = 0; i < count; i++)
    if (!visa->kernels.items[i]->function)
      at[i] = put_info(visa->kernels.items[i], &file, out);
  put_file_scope(&file, out);
  og_buffer_u16(out, (uint16_t)functions);
  for (uint32_t i = 0; i < count; i++)
    if (visa->kernels.items[i]->function)
      at[i] = put_info(visa->kernels.items[i], &file, out);
  for (uint32_t i = 0; i < count; i++) {
    size_t begin = out->size;
    uint32_t inputs = put_kernel(visa->kernels.items[i], &file, out, arena);
    put_size_at(out, at[i], (uint32_t)(begin - start));
    put_size_at(out, at[i] + 4, (uint32_t)(out->size - begin));
    if (!visa->kernels.items[i]->function)
      put_size_at(out, at[i] + 8, inputs - (uint32_t)start);
  }
  og_arena_free(arena);
  return true;
}

static void put_encodings(const struct og_visa_kernel *kernel, struct og_buffer *out, struct og_arena *arena) {
  struct og_buffer bytes = {0};
  struct writer w = {.kernel = kernel,
                     .out = &bytes,
                     .pool = OG_NEW_ARRAY(arena, uint32_t, kernel->strings.count),
                     .own = og_visa_first_own(kernel)};
  put_pool(&w);
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    bytes.size = 0;
    put_inst(&w, &kernel->insts.items[i]);
    og_visa_write_inst(kernel, &kernel->insts.items[i], out);
    for (size_t n = 0; n < bytes.size; n++)
      og_buffer_printf(out, n ? ",0x%02x" : " // encoding: [0x%02x", bytes.data[n]);
    og_buffer_text(out, "]\n");
  }
  og_buffer_free(&bytes);
}

void og_visa_write_encodings(const struct og_visa *visa, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  for (uint32_t i = 0; i < visa->kernels.count; i++)
    put_encodings(visa->kernels.items[i], out, arena);
  og_arena_free(arena);
}
