/* read.c - reads the header, tables and kernels of the binary form. All indices that it gives are within the tables:
 * the other passes rely on that. */
#include "visa/binary/read.h"

#include <string.h>

bool og_vb_fail(struct og_vb *b, const char *format, ...) {
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

uint64_t og_vb_take(struct og_vb *b, unsigned bytes) {
  if (b->failed || b->size - b->at < bytes) {
    og_vb_fail(b, "the file ends here, %u more bytes were expected", bytes);
    return 0;
  }
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t)b->data[b->at++] << i * 8;
  return value;
}

/* A table's count; the rest of the file must have room for as many. */
static uint32_t take_count(struct og_vb *b, unsigned bytes, unsigned item_size, const char *what) {
  uint32_t count = (uint32_t)og_vb_take(b, bytes);
  if (!b->failed && (b->size - b->at) / item_size < count)
    og_vb_fail(b, "%u %s do not fit the rest of the file", count, what);
  return b->failed ? 0 : count;
}

const char *og_vb_string(struct og_vb *b, uint32_t index) {
  if (index >= b->pool_count) {
    og_vb_fail(b, "string %u of %u", index, b->pool_count);
    return "";
  }
  return b->pool[index];
}

/* ---- tables ---- */

static void take_pool(struct og_vb *b) {
  b->pool_count = take_count(b, 4, 1, "strings");
  b->pool = OG_NEW_ARRAY(b->arena, const char *, b->pool_count + 1);
  for (uint32_t i = 0; i < b->pool_count && !b->failed; i++) {
    const uint8_t *end = memchr(b->data + b->at, 0, b->size - b->at);
    if (!end) {
      og_vb_fail(b, "string %u has no end", i);
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

static void take_attribute(struct og_vb *b, struct og_visa_attribute *attribute) {
  attribute->name = og_vb_string(b, og_vb_take32(b));
  uint8_t size = og_vb_take8(b);
  if (b->failed)
    return;
  if (b->size - b->at < size) {
    og_vb_fail(b, "attribute '%s' of %u bytes is cut off", attribute->name, size);
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

static void take_attributes(struct og_vb *b, struct og_visa_variable *variable) {
  variable->attribute_count = take_count(b, 1, 5, "attributes");
  variable->attributes = OG_NEW_ARRAY(b->arena, struct og_visa_attribute, variable->attribute_count);
  for (uint32_t i = 0; i < variable->attribute_count && !b->failed; i++)
    take_attribute(b, &variable->attributes[i]);
}

/* File-scope variables that the table's aliases name become the kernel's first ones. */
static void place_file_scope(struct og_vb *b, uint32_t count) {
  size_t start = b->at;
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    struct og_visa_variable skipped = {0};
    og_vb_take(b, 7); /* name, properties, elements */
    uint32_t alias = og_vb_take32(b), scope = (uint32_t)(og_vb_take(b, 3) >> 16);
    take_attributes(b, &skipped);
    if (b->failed || !scope || alias >= b->shared.count || b->places[alias])
      continue;
    b->places[alias] = b->kernel->general.count;
    *OG_PUSH(b->arena, &b->kernel->general) = b->shared.items[alias];
  }
  b->at = start;
  b->own = b->kernel->general.count;
}

/* The alias's index in the kernel; 0 with an error if there is none before `index`. */
static uint32_t alias_of(struct og_vb *b, uint32_t index, uint32_t alias, uint8_t scope) {
  uint32_t base = alias;
  if (scope)
    base = scope == 1 && alias < b->shared.count ? b->places[alias] : 0;
  else if (alias >= OG_VISA_FIRST_GENERAL)
    base = alias - OG_VISA_FIRST_GENERAL < index ? alias - OG_VISA_FIRST_GENERAL + b->own : index;
  if (base >= index || (scope && !base))
    og_vb_fail(b, "variable %u is an alias of %s variable %u", index, scope ? "the file-scope" : "the later", alias);
  return base;
}

static void take_general(struct og_vb *b) {
  uint32_t count = take_count(b, 4, 15, "general variables");
  if (count > 65536)
    og_vb_fail(b, "%u general variables, more than 65536", count);
  b->own = OG_VISA_FIRST_GENERAL;
  if (b->shared.count)
    place_file_scope(b, count);
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    uint32_t index = b->kernel->general.count;
    struct og_visa_variable variable = {.name = og_vb_string(b, og_vb_take32(b))};
    uint8_t properties = og_vb_take8(b);
    variable.type = properties & 15;
    variable.align = properties >> 4;
    variable.elements = og_vb_take16(b);
    uint32_t alias = og_vb_take32(b);
    variable.alias_offset = og_vb_take16(b);
    variable.alias = alias_of(b, index, alias, og_vb_take8(b));
    take_attributes(b, &variable);
    if (variable.align > OG_VISA_ALIGN_64WORD)
      og_vb_fail(b, "variable %u has alignment code %u", index, variable.align);
    if (!variable.elements)
      og_vb_fail(b, "variable %u has no elements", index);
    if (!b->failed)
      *OG_PUSH(b->arena, &b->kernel->general) = variable;
  }
}

static void take_table(struct og_vb *b, struct og_visa_variables *table, unsigned count_size, char class) {
  uint32_t count = take_count(b, count_size, 7, "variables");
  uint32_t limit = class == 'S' ? 32 : class == 'T' ? 250 : 4096;
  if (count > limit)
    og_vb_fail(b, "%u variables of class %c, more than %u", count, class, limit);
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    struct og_visa_variable variable = {.name = og_vb_string(b, og_vb_take32(b))};
    variable.elements = og_vb_take16(b);
    variable.type = class == 'A' ? OG_VISA_UW : class == 'P' ? OG_VISA_BOOL : OG_VISA_UD;
    take_attributes(b, &variable);
    if (!variable.elements)
      og_vb_fail(b, "variable %c%u has no elements", class, table->count);
    if (!b->failed)
      *OG_PUSH(b->arena, table) = variable;
  }
}

static void take_labels(struct og_vb *b) {
  uint32_t count = take_count(b, 2, 6, "labels");
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    struct og_visa_label *label = OG_PUSH(b->arena, &b->kernel->labels);
    label->name = og_vb_string(b, og_vb_take32(b));
    label->subroutine = og_vb_take8(b) & 1;
    label->inst = UINT32_MAX;
    struct og_visa_variable ignored = {0};
    take_attributes(b, &ignored);
  }
}

uint32_t og_vb_checked(struct og_vb *b, char class, uint32_t index) {
  uint32_t count = og_visa_variables_of(b->kernel, class)->count;
  uint32_t shift = class == 'G' && index >= OG_VISA_FIRST_GENERAL ? b->own - OG_VISA_FIRST_GENERAL : 0;
  if (index < count - shift)
    return index + shift;
  og_vb_fail(b, "variable %u of class %c, there are %u", index, class, count);
  return 0;
}

static void take_inputs(struct og_vb *b) {
  uint32_t count = take_count(b, 4, 9, "inputs");
  for (uint32_t i = 0; i < count && !b->failed; i++) {
    struct og_visa_input *input = OG_PUSH(b->arena, &b->kernel->inputs);
    uint8_t kind = og_vb_take8(b);
    input->class = "GSTT"[kind & 3];
    input->implicit = kind >> 3;
    if ((kind & 7) > 2)
      og_vb_fail(b, "input of kind %u", kind & 7);
    input->variable = og_vb_checked(b, input->class, og_vb_take32(b));
    input->offset = (int16_t)og_vb_take16(b);
    input->size = og_vb_take16(b);
  }
}

/* ---- kernels and the file ---- */

static bool take_kernel(struct og_vb *file, size_t offset, size_t size, bool function, const char *name,
                        struct og_visa *visa) {
  if (offset > file->size || file->size - offset < size)
    return og_vb_fail(file, "kernel '%s' at 0x%zx, 0x%zx bytes, reaches beyond the file", name, offset, size);
  struct og_vb b = *file;
  b.at = offset;
  b.size = offset + size;
  b.kernel = og_visa_new_kernel(b.arena, name, -1);
  b.kernel->function = function;
  take_pool(&b);
  og_vb_take32(&b); /* the name once more */
  take_general(&b);
  take_table(&b, &b.kernel->address, 2, 'A');
  take_table(&b, &b.kernel->predicate, 2, 'P');
  take_labels(&b);
  take_table(&b, &b.kernel->sampler, 1, 'S');
  take_table(&b, &b.kernel->surface, 1, 'T');
  if (og_vb_take8(&b))
    og_vb_fail(&b, "VME variables are not supported");
  take_inputs(&b);
  uint32_t code_size = og_vb_take32(&b), entry = og_vb_take32(&b);
  uint32_t attributes = take_count(&b, 2, 5, "attributes");
  for (uint32_t i = 0; i < attributes && !b.failed; i++)
    take_attribute(&b, OG_PUSH(b.arena, &b.kernel->attributes));
  if (!b.failed && (entry > size || size - entry < code_size || offset + entry < b.at))
    og_vb_fail(&b, "code at 0x%x, 0x%x bytes, is not inside the kernel's 0x%zx bytes", entry, code_size, size);
  b.at = offset + entry;
  b.size = b.failed ? b.at : b.at + code_size;
  while (!b.failed && b.at < b.size)
    og_vb_take_inst(&b);
  for (uint32_t i = 0; i < b.kernel->insts.count && !b.failed; i++) {
    const struct og_visa_inst *inst = &b.kernel->insts.items[i];
    for (unsigned j = 0; j < inst->operand_count; j++)
      if (inst->operands[j].kind == OG_VISA_LABEL &&
          b.kernel->labels.items[inst->operands[j].variable].inst == UINT32_MAX)
        og_vb_fail(&b, "label '%s' is not defined", b.kernel->labels.items[inst->operands[j].variable].name);
  }
  for (uint32_t i = 0; i < b.shared.count; i++)
    b.places[i] = 0;
  if (b.failed)
    return false;
  *OG_PUSH(b.arena, &visa->kernels) = b.kernel;
  return true;
}

/* The header's variables have a name of their own, but no pool for attributes' names. */
static void take_file_scope(struct og_vb *b) {
  for (uint32_t count = take_count(b, 2, 7, "file-scope variables"); count && !b->failed; count--) {
    struct og_visa_attribute *linkage = OG_NEW(b->arena, struct og_visa_attribute);
    *linkage = (struct og_visa_attribute){.name = OG_VISA_FILE_SCOPE, .size = 1, .value = og_vb_take8(b)};
    uint32_t size = take_count(b, 2, 1, "characters of a name");
    struct og_visa_variable variable = {.name = og_arena_copy(b->arena, (const char *)b->data + b->at, size),
                                        .attributes = linkage,
                                        .attribute_count = 1};
    b->at += size;
    uint8_t properties = og_vb_take8(b);
    variable.type = properties & 15;
    variable.align = properties >> 4;
    variable.elements = og_vb_take16(b);
    if (linkage->value > 2)
      og_vb_fail(b, "file-scope variable '%s' has linkage %d", variable.name, (int)linkage->value);
    if (variable.align > OG_VISA_ALIGN_64WORD || !variable.elements)
      og_vb_fail(b, "file-scope variable '%s' has alignment code %u and %u elements", variable.name, variable.align,
                 variable.elements);
    if (og_vb_take8(b))
      og_vb_fail(b, "file-scope variable '%s' has attributes, whose names stand nowhere", variable.name);
    if (!b->failed)
      *OG_PUSH(b->arena, &b->shared) = variable;
  }
  b->places = OG_NEW_ARRAY(b->arena, uint32_t, b->shared.count + 1);
}

struct kernel_place {
  const char *name;
  uint32_t offset, size;
  bool function;
};

static struct kernel_place take_info(struct og_vb *b, bool function) {
  struct kernel_place place = {.function = function};
  if (function)
    og_vb_take8(b); /* linkage */
  uint32_t size = take_count(b, 2, 1, "characters of a name");
  place.name = og_arena_copy(b->arena, (const char *)b->data + b->at, size);
  b->at += size;
  place.offset = og_vb_take32(b);
  place.size = og_vb_take32(b);
  if (!function)
    og_vb_take32(b);
  for (int i = 0; i < 2; i++)
    for (uint32_t symbols = take_count(b, 2, 4, "symbols"); symbols && !b->failed; symbols--)
      og_vb_take32(b);
  if (!function)
    for (uint32_t binaries = take_count(b, 1, 9, "GEN binaries"); binaries && !b->failed; binaries--)
      og_vb_take8(b), og_vb_take32(b), og_vb_take32(b);
  return place;
}

bool og_visa_is_binary(const void *data, size_t size) { return size >= 4 && memcmp(data, "CISA", 4) == 0; }

struct og_visa *og_visa_read_binary(struct og_arena *arena, const void *data, size_t size, const char *file,
                                    struct og_diagnostics *diagnostics) {
  struct og_vb b = {.data = data, .size = size, .file = file, .arena = arena, .diagnostics = diagnostics};
  if (!og_visa_is_binary(data, size)) {
    og_vb_fail(&b, "not a vISA file: it does not begin with 'CISA'");
    return NULL;
  }
  b.at = 4;
  struct og_visa *visa = OG_NEW(arena, struct og_visa);
  visa->major = og_vb_take8(&b);
  visa->minor = og_vb_take8(&b);
  if (visa->major < 3 || visa->major > 4)
    og_vb_fail(&b, "version %u.%u is not supported: 3.0 to 4.x are", visa->major, visa->minor);
  OG_VECTOR(struct kernel_place) places = {0};
  for (uint32_t count = take_count(&b, 2, 19, "kernels"); count && !b.failed; count--)
    *OG_PUSH(arena, &places) = take_info(&b, false);
  take_file_scope(&b);
  for (uint32_t count = take_count(&b, 2, 15, "functions"); count && !b.failed; count--)
    *OG_PUSH(arena, &places) = take_info(&b, true);
  uint64_t total = 0; /* kernels have no bytes in common, so the file's size bounds the memory */
  for (uint32_t i = 0; i < places.count; i++)
    total += places.items[i].size;
  if (total > size)
    og_vb_fail(&b, "kernels of %llu bytes in a file of %zu", (unsigned long long)total, size);
  for (uint32_t i = 0; i < places.count && !b.failed; i++)
    if (!take_kernel(&b, places.items[i].offset, places.items[i].size, places.items[i].function, places.items[i].name,
                     visa))
      return NULL;
  return b.failed ? NULL : visa;
}
