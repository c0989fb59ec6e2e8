/* bitcode.c - LLVM bitcode, versions 15 to 22: the module's level. */
#include "ir/bitcode.h"

#include <stdio.h>
#include <string.h>

enum { MODULE = 8, PARAMATTR = 9, PARAMATTR_GROUP = 10, CONSTANTS = 11, FUNCTION = 12, METADATA = 15, TYPES = 17,
       OPERAND_BUNDLE_TAGS = 21, METADATA_KINDS = 22, STRTAB = 23, SYNC_SCOPES = 26 };

bool og_bc_fail(struct og_bc *b, const char *format, ...) {
  if (b->failed)
    return false;
  b->failed = true;
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  og_error_in(b->diagnostics, b->m->file, "%s", message);
  return false;
}

struct og_text og_bc_text(struct og_bc *b, uint32_t from) {
  uint32_t count = b->bits.record.count > from ? b->bits.record.count - from : 0;
  char *text = og_arena_alloc(b->arena, count + 1);
  for (uint32_t i = 0; i < count; i++)
    text[i] = (char)b->bits.record.items[from + i];
  return (struct og_text){text, count};
}

/* ---- types ---- */

bool og_bc_type(struct og_bc *b, uint64_t number, og_ir_type *type) {
  if (number >= b->types.count)
    return og_bc_fail(b, "Invalid type");
  *type = b->types.items[number];
  return *type != OG_IR_NONE || og_bc_fail(b, "Invalid type");
}

/* Types in a record, from one number on, on the scratch arena. */
static bool list_of_types(struct og_bc *b, uint32_t from, og_ir_type **list, uint32_t *count) {
  *count = b->bits.record.count > from ? b->bits.record.count - from : 0;
  *list = OG_NEW_ARRAY(b->scratch, og_ir_type, *count + 1);
  for (uint32_t i = 0; i < *count; i++) {
    uint64_t number = og_bc_op(b, from + i);
    if (number >= b->types.count || b->types.items[number] == OG_IR_NONE) {
      /* a struct that is not defined yet: LLVM makes an identified struct in its place */
      if (number >= b->bits.end) /* each type takes bits of the file */
        return og_bc_fail(b, "Invalid type");
      while (number >= b->types.count)
        *OG_PUSH(b->arena, &b->types) = OG_IR_NONE;
      b->types.items[number] = og_ir_identified(b->m, 0);
    }
    (*list)[i] = b->types.items[number];
  }
  return true;
}

static bool sequence(struct og_bc *b, enum og_ir_type_kind kind, og_ir_type *type) {
  og_ir_type element = OG_IR_VOID;
  if (!og_bc_type(b, og_bc_op(b, 1), &element))
    return false;
  uint8_t of = og_ir_kind(b->m, element);
  bool vector = kind == OG_IR_VECTOR;
  if (of <= OG_IR_TOKEN || of == OG_IR_FUNCTION || (vector && of != OG_IR_INTEGER && of != OG_IR_POINTER &&
                                                    !og_ir_is_float(b->m, element)))
    return og_bc_fail(b, "Invalid type");
  if (vector && (!og_bc_op(b, 0) || og_bc_op(b, 0) > UINT32_MAX))
    return og_bc_fail(b, "Invalid vector length");
  *type = og_ir_sequence(b->m, vector && og_bc_op(b, 2) ? OG_IR_SCALABLE : kind, element, og_bc_op(b, 0));
  return true;
}

static bool target_type(struct og_bc *b, struct og_text name, og_ir_type *type) {
  uint32_t count = (uint32_t)og_bc_op(b, 0), numbers[64];
  if (count >= b->bits.record.count || b->bits.record.count > OG_COUNT(numbers))
    return og_bc_fail(b, "Invalid target extension type");
  og_ir_type types[64];
  for (uint32_t i = 0; i < count; i++)
    if (!og_bc_type(b, og_bc_op(b, 1 + i), &types[i]))
      return false;
  uint32_t rest = b->bits.record.count - 1 - count;
  for (uint32_t i = 0; i < rest; i++)
    numbers[i] = (uint32_t)og_bc_op(b, 1 + count + i);
  *type = og_ir_target_type(b->m, name, types, count, numbers, rest);
  return true;
}

/* Reads one record; a type that it defines gets the next number. */
static bool read_type(struct og_bc *b, uint32_t *next, struct og_text *name) {
  static const uint8_t simple[] = {[2] = OG_IR_VOID,      [3] = OG_IR_FLOAT,       [4] = OG_IR_DOUBLE,
                                   [5] = OG_IR_LABEL,     [10] = OG_IR_HALF,       [13] = OG_IR_X86_FP80,
                                   [14] = OG_IR_FP128,    [15] = OG_IR_PPC_FP128,  [16] = OG_IR_METADATA_TYPE,
                                   [22] = OG_IR_TOKEN,    [23] = OG_IR_BFLOAT,     [24] = OG_IR_X86_AMX};
  struct og_ir_module *m = b->m;
  og_ir_type type = OG_IR_NONE, *list, first = OG_IR_VOID;
  uint32_t count;
  uint64_t number = og_bc_op(b, 0);
  bool pending = *next < b->types.count && b->types.items[*next] != OG_IR_NONE;
  switch (b->bits.code) {
  case 1: return true; /* how many there are */
  case 2: case 3: case 4: case 5: case 10: case 13: case 14: case 15: case 16: case 22: case 23: case 24:
    type = simple[b->bits.code];
    break;
  case 7:
    if (!number || number > OG_IR_MOST_BITS)
      return og_bc_fail(b, "Bitwidth for integer type out of range");
    type = og_ir_integer(m, (uint32_t)number);
    break;
  case 8: type = og_ir_pointer(m, (uint32_t)og_bc_op(b, 1)); break; /* a typed one */
  case 25: type = og_ir_pointer(m, (uint32_t)number); break;
  case 11: case 12:
    if (!sequence(b, b->bits.code == 11 ? OG_IR_ARRAY : OG_IR_VECTOR, &type))
      return false;
    break;
  case 18:
    if (!list_of_types(b, 1, &list, &count))
      return false;
    type = og_ir_struct(m, list, count, number);
    break;
  case 19: *name = og_bc_text(b, 0); return true;
  case 6: case 20: /* opaque and named */
    if (!list_of_types(b, 1, &list, &count))
      return false;
    type = pending ? b->types.items[*next] : og_ir_identified(m, 0);
    m->types.items[type].name = name->size ? og_ir_name(m, *name) : 0;
    if (b->bits.code == 20)
      og_ir_set_body(m, type, list, count, number);
    *name = (struct og_text){0};
    pending = false;
    break;
  case 21:
    if (!og_bc_type(b, og_bc_op(b, 1), &first) || !list_of_types(b, 2, &list, &count))
      return false;
    type = og_ir_function_type(m, first, list, count, number);
    break;
  case 26:
    if (!target_type(b, *name, &type))
      return false;
    *name = (struct og_text){0};
    break;
  default: return og_bc_fail(b, "Invalid type record");
  }
  if (pending)
    return og_bc_fail(b, "Invalid type: only structs may be named before they are defined");
  while (*next >= b->types.count)
    *OG_PUSH(b->arena, &b->types) = OG_IR_NONE;
  b->types.items[(*next)++] = type;
  return true;
}

enum { NEW, OPEN, CLOSED };
static bool walk(struct og_bc *b, uint8_t *states, og_ir_type type, unsigned depth) {
  const struct og_ir_type_record *t = og_ir_type_of(b->m, type);
  if ((t->kind != OG_IR_STRUCT && t->kind != OG_IR_ARRAY) || states[type] == CLOSED)
    return true;
  if (states[type] == OPEN || depth > 1000)
    return false;
  states[type] = OPEN;
  for (uint32_t i = 0; i < t->parts; i++)
    if (!walk(b, states, og_ir_part(b->m, type, i), depth + 1))
      return false;
  states[type] = CLOSED;
  return true;
}

bool og_bc_read_types(struct og_bc *b) {
  uint32_t next = 0, id;
  struct og_text name = {0};
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD)
    if (!read_type(b, &next, &name))
      return false;
  if (entry != OG_BIT_END)
    return og_bc_fail(b, "Malformed block of types");
  uint8_t *states = OG_NEW_ARRAY(b->scratch, uint8_t, b->m->types.count);
  for (uint32_t i = 0; i < b->m->types.count; i++)
    if (!walk(b, states, i, 0))
      return og_bc_fail(b, "a struct holds itself, or structs are nested too deeply");
  return true;
}

/* ---- globals ---- */

static uint8_t linkage_of(uint64_t code) {
  static const uint8_t linkages[] = {OG_IR_EXTERNAL, OG_IR_WEAK,     OG_IR_APPENDING, OG_IR_INTERNAL, OG_IR_LINKONCE,
                                     OG_IR_EXTERNAL, OG_IR_EXTERNAL, OG_IR_EXTERN_WEAK, OG_IR_COMMON, OG_IR_PRIVATE,
                                     OG_IR_WEAK_ODR, OG_IR_LINKONCE_ODR, OG_IR_AVAILABLE_EXTERNALLY, OG_IR_PRIVATE,
                                     OG_IR_PRIVATE,  OG_IR_EXTERNAL, OG_IR_WEAK,      OG_IR_WEAK_ODR, OG_IR_LINKONCE,
                                     OG_IR_LINKONCE_ODR};
  return code < sizeof linkages ? linkages[code] : OG_IR_EXTERNAL;
}

static bool name_of(struct og_bc *b, uint64_t at, uint64_t size, uint32_t *name) {
  if (at > b->strings.size || size > b->strings.size - at)
    return og_bc_fail(b, "Invalid name: outside of the string table");
  *name = size ? og_ir_name(b->m, (struct og_text){b->strings.data + at, size}) : 0;
  return true;
}

static uint32_t listed(const void *vector, uint64_t number) { /* from 1; 0: none */
  const OG_VECTOR(uint32_t) *list = vector;
  return number && number <= list->count ? list->items[number - 1] : 0;
}

static void later(struct og_bc *b, uint32_t global, uint64_t number, unsigned which) {
  if (!number)
    return;
  *OG_PUSH(b->arena, &b->later) = global;
  *OG_PUSH(b->arena, &b->later) = (number - 1) << 2 | which;
}

static struct og_ir_global *new_global(struct og_bc *b, uint8_t kind, uint32_t name, uint32_t space) {
  og_ir_ref self = og_ir_new_global(b->m, name, space);
  *OG_PUSH(b->arena, &b->values) = self;
  struct og_ir_global *g = og_ir_global_of(b->m, self);
  g->kind = kind;
  return g;
}

static void set_common(struct og_ir_global *g, uint64_t linkage, uint64_t visibility, uint64_t unnamed, uint64_t dll) {
  g->linkage = linkage_of(linkage);
  g->visibility = visibility <= OG_IR_PROTECTED ? (uint8_t)visibility : 0;
  g->unnamed = unnamed <= 2 ? (uint8_t)unnamed : 0;
  g->dll = dll <= 2 ? (uint8_t)dll : 0;
  bool local = g->linkage == OG_IR_PRIVATE || g->linkage == OG_IR_INTERNAL;
  g->dso_local = local || (g->visibility != OG_IR_DEFAULT && g->linkage != OG_IR_EXTERN_WEAK);
}

static bool read_variable(struct og_bc *b) {
  uint32_t name = 0, partition = 0;
  og_ir_type type = OG_IR_VOID;
  uint64_t flags = og_bc_op(b, 3);
  if (!name_of(b, og_bc_op(b, 0), og_bc_op(b, 1), &name) || !og_bc_type(b, og_bc_op(b, 2), &type))
    return false;
  if (!(flags & 2))
    return og_bc_fail(b, "a global variable without a type of its own is not handled");
  if (!og_ir_is_sized(b->m, type) && !(og_ir_kind(b->m, type) == OG_IR_STRUCT))
    return og_bc_fail(b, "Invalid type for global variable");
  struct og_ir_global *g = new_global(b, OG_IR_VARIABLE, name, (uint32_t)(flags >> 2) & 0xffffff);
  uint32_t index = (uint32_t)(g - b->m->globals.items);
  set_common(g, og_bc_op(b, 5), og_bc_op(b, 8), og_bc_op(b, 10), og_bc_op(b, 12));
  g->type = type;
  g->constant = flags & 1;
  g->align = og_bc_op(b, 6) <= 33 ? (uint8_t)og_bc_op(b, 6) : 0;
  g->section = listed(&b->sections, og_bc_op(b, 7));
  g->thread_local_mode = og_bc_op(b, 9) <= 4 ? (uint8_t)og_bc_op(b, 9) : 0;
  g->externally_initialized = og_bc_op(b, 11);
  g->comdat = og_bc_op(b, 13) <= b->m->comdats.count ? (uint32_t)og_bc_op(b, 13) : 0;
  g->dso_local |= og_bc_op(b, 15);
  g->sanitizers = (uint32_t)og_bc_op(b, 18) & 15;
  g->code_model = og_bc_op(b, 19) <= 5 ? (uint8_t)og_bc_op(b, 19) : 0;
  if (og_bc_op(b, 17) && name_of(b, og_bc_op(b, 16), og_bc_op(b, 17), &partition))
    g->partition = partition;
  g->attributes = og_bc_list(b, og_bc_op(b, 14), 0);
  g->number = b->m->variables.count;
  *OG_PUSH(b->arena, &b->m->variables) = index;
  later(b, index, og_bc_op(b, 4), 0);
  return !b->failed;
}

static bool read_function(struct og_bc *b) {
  uint32_t name = 0, partition = 0;
  og_ir_type type = OG_IR_VOID;
  if (!name_of(b, og_bc_op(b, 0), og_bc_op(b, 1), &name) || !og_bc_type(b, og_bc_op(b, 2), &type))
    return false;
  const struct og_ir_type_record *t = og_ir_type_of(b->m, type);
  if (t->kind != OG_IR_FUNCTION)
    return og_bc_fail(b, "Invalid type for function");
  struct og_ir_global *g = new_global(b, OG_IR_DEFINITION, name, (uint32_t)og_bc_op(b, 18) & 0xffffff);
  uint32_t index = (uint32_t)(g - b->m->globals.items);
  set_common(g, og_bc_op(b, 5), og_bc_op(b, 9), og_bc_op(b, 11), og_bc_op(b, 13));
  g->type = type;
  g->align = og_bc_op(b, 7) <= 33 ? (uint8_t)og_bc_op(b, 7) : 0;
  g->section = listed(&b->sections, og_bc_op(b, 8));
  g->comdat = og_bc_op(b, 14) <= b->m->comdats.count ? (uint32_t)og_bc_op(b, 14) : 0;
  g->dso_local |= og_bc_op(b, 17);
  if (og_bc_op(b, 20) && name_of(b, og_bc_op(b, 19), og_bc_op(b, 20), &partition))
    g->partition = partition;
  struct og_ir_function *f = g->function = og_ir_new_function(b->m);
  f->convention = (uint16_t)(og_bc_op(b, 3) & 1023);
  f->collector = listed(&b->collectors, og_bc_op(b, 10));
  f->arguments = t->parts - 1;
  f->attributes = og_bc_list(b, og_bc_op(b, 6), f->arguments);
  for (uint32_t i = 0; i < f->arguments; i++)
    og_ir_append(b->m, f, UINT32_MAX, OG_IR_ARGUMENT, og_ir_part(b->m, type, i + 1), 0);
  g->number = b->m->functions.count;
  *OG_PUSH(b->arena, &b->m->functions) = index;
  if (!og_bc_op(b, 4))
    *OG_PUSH(b->arena, &b->bodies) = index;
  later(b, index, og_bc_op(b, 12), 1);
  later(b, index, og_bc_op(b, 15), 2);
  later(b, index, og_bc_op(b, 16), 3);
  return !b->failed;
}

static bool read_alias(struct og_bc *b) {
  bool ifunc = b->bits.code == 18;
  uint32_t name = 0;
  og_ir_type type = OG_IR_VOID;
  if (!name_of(b, og_bc_op(b, 0), og_bc_op(b, 1), &name) || !og_bc_type(b, og_bc_op(b, 2), &type))
    return false;
  struct og_ir_global *g = new_global(b, ifunc ? OG_IR_IFUNC : OG_IR_ALIAS, name, (uint32_t)og_bc_op(b, 3) & 0xffffff);
  uint32_t index = (uint32_t)(g - b->m->globals.items);
  set_common(g, og_bc_op(b, 5), og_bc_op(b, 6), ifunc ? 0 : og_bc_op(b, 9), ifunc ? 0 : og_bc_op(b, 7));
  g->thread_local_mode = !ifunc && og_bc_op(b, 8) <= 4 ? (uint8_t)og_bc_op(b, 8) : 0;
  g->dso_local |= og_bc_op(b, ifunc ? 7 : 10);
  g->type = type;
  g->number = b->m->aliases.count;
  *OG_PUSH(b->arena, &b->m->aliases) = index;
  later(b, index, og_bc_op(b, 4) + 1, 0);
  return true;
}

static bool read_comdat(struct og_bc *b) {
  uint32_t name = 0;
  if (!name_of(b, og_bc_op(b, 0), og_bc_op(b, 1), &name))
    return false;
  uint64_t selection = og_bc_op(b, 2);
  *OG_PUSH(b->arena, &b->m->comdats) =
      (struct og_ir_comdat){.name = name, .selection = selection >= 1 && selection <= 5 ? (uint8_t)selection : 1};
  return true;
}

static void split_assembly(struct og_bc *b, struct og_text text) {
  while (text.size) {
    const char *newline = memchr(text.data, '\n', text.size);
    size_t size = newline ? (size_t)(newline - text.data) : text.size;
    *OG_PUSH(b->arena, &b->m->assembly) = (struct og_text){text.data, size};
    size += newline != NULL;
    text = (struct og_text){text.data + size, text.size - size};
  }
}

/* The address space that the data layout gives allocas. */
static void read_layout(struct og_bc *b) {
  struct og_text layout = b->m->layout;
  for (size_t i = 0; i + 1 < layout.size; i++)
    if (layout.data[i] == 'A' && (!i || layout.data[i - 1] == '-'))
      b->alloca_space = (uint32_t)(layout.data[i + 1] - '0') % 10;
}

static bool read_record(struct og_bc *b) {
  struct og_ir_module *m = b->m;
  switch (b->bits.code) {
  case 1: return og_bc_op(b, 0) == 2 || og_bc_fail(b, "bitcode of a version before LLVM 5 is not handled");
  case 2: m->triple = og_bc_text(b, 0); break;
  case 3: m->layout = og_bc_text(b, 0); read_layout(b); break;
  case 4: split_assembly(b, og_bc_text(b, 0)); break;
  case 5: *OG_PUSH(b->arena, &b->sections) = og_ir_name(m, og_bc_text(b, 0)); break;
  case 7: return read_variable(b);
  case 8: return read_function(b);
  case 11: *OG_PUSH(b->arena, &b->collectors) = og_ir_name(m, og_bc_text(b, 0)); break;
  case 12: return read_comdat(b);
  case 14: case 18: return read_alias(b);
  case 16:
    m->source_name = og_bc_text(b, 0);
    m->has_source_name = true;
    break;
  default: break; /* others have hashes and offsets */
  }
  return true;
}

static bool read_names(struct og_bc *b, bool scopes) {
  uint32_t id;
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD) {
    struct og_text text = og_bc_text(b, 0);
    uint32_t number = scopes ? og_ir_scope(b->m, text) : og_ir_name(b->m, text);
    if (scopes)
      *OG_PUSH(b->arena, &b->scopes) = number;
    else
      *OG_PUSH(b->arena, &b->tags) = number;
  }
  return entry == OG_BIT_END || og_bc_fail(b, "Malformed block of names");
}

/* Once constants are known, sets what globals are made of. */
static bool set_values(struct og_bc *b) {
  for (uint32_t i = 0; i + 1 < b->later.count; i += 2) {
    og_ir_ref ref;
    if (!og_bc_constant_value(b, b->later.items[i + 1] >> 2, &ref))
      return false;
    struct og_ir_global *g = &b->m->globals.items[b->later.items[i]];
    switch (b->later.items[i + 1] & 3) {
    case 0:
      if (g->kind == OG_IR_VARIABLE && og_ir_constant_of(b->m, ref)->type != g->type)
        return og_bc_fail(b, "Global variable initializer type does not match global variable type!");
      g->value = ref;
      break;
    case 1: g->function->prologue = ref; break;
    case 2: g->function->prefix = ref; break;
    default: g->function->personality = ref;
    }
  }
  b->later.count = 0;
  return true;
}

static bool read_block(struct og_bc *b, uint32_t id) {
  if (!og_bits_enter(&b->bits, id))
    return og_bc_fail(b, "Malformed block");
  switch (id) {
  case TYPES: return og_bc_read_types(b);
  case PARAMATTR_GROUP: return og_bc_read_groups(b);
  case PARAMATTR: return og_bc_read_lists(b);
  case CONSTANTS: return og_bc_read_constants(b);
  case METADATA: return og_bc_read_metadata(b);
  case METADATA_KINDS: return og_bc_read_kinds(b);
  case OPERAND_BUNDLE_TAGS: return read_names(b, false);
  case SYNC_SCOPES: return read_names(b, true);
  default: return og_bc_read_body(b);
  }
}

static bool read_module(struct og_bc *b) {
  uint32_t id;
  for (;;)
    switch (og_bits_next(&b->bits, &id)) {
    case OG_BIT_RECORD:
      if (!read_record(b))
        return false;
      break;
    case OG_BIT_BLOCK: {
      bool known = id == TYPES || id == PARAMATTR || id == PARAMATTR_GROUP || id == CONSTANTS || id == METADATA ||
                   id == METADATA_KINDS || id == FUNCTION || id == OPERAND_BUNDLE_TAGS || id == SYNC_SCOPES;
      if (id == FUNCTION && !b->module_values) {
        if (!og_bc_make_constants(b) || !set_values(b))
          return false;
        b->module_values = b->values.count;
        b->module_metadata = b->metadata.count;
      }
      if (known ? !read_block(b, id) : !og_bits_skip(&b->bits))
        return og_bc_fail(b, "Malformed block");
      break;
    }
    case OG_BIT_END:
      if (b->next_body != b->bodies.count)
        return og_bc_fail(b, "Never resolved function from blockaddress: a function's body is missing");
      return og_bc_make_constants(b) && set_values(b) && og_bc_finish_metadata(b);
    default: return og_bc_fail(b, "Malformed block");
    }
}

/* Finds a top-level block. The string table stands after the module, but is read first. */
static bool find(struct og_bc *b, uint32_t wanted) {
  uint32_t id;
  for (;;)
    switch (og_bits_next(&b->bits, &id)) {
    case OG_BIT_BLOCK:
      if (id == wanted)
        return true;
      if (!og_bits_skip(&b->bits))
        return false;
      break;
    default: return false;
    }
}

static bool read_strings(struct og_bc *b) {
  uint32_t id;
  uint64_t start = b->bits.at;
  if (find(b, STRTAB) && og_bits_enter(&b->bits, STRTAB) && og_bits_next(&b->bits, &id) == OG_BIT_RECORD)
    b->strings = b->bits.blob;
  b->bits.at = start;
  b->bits.failed = false;
  b->bits.open.count = 0;
  return true;
}

static bool read_file(struct og_bc *b, const uint8_t *bytes, size_t size) {
  if (size >= 20 && og_load32(bytes) == 0x0b17c0de) { /* a wrapper, which says where the bitcode is */
    uint32_t offset = og_load32(bytes + 8), length = og_load32(bytes + 12);
    if (offset > size || length > size - offset)
      return og_bc_fail(b, "Invalid bitcode wrapper header");
    bytes += offset;
    size = length;
  }
  if (size < 8 || og_load32(bytes) != 0xdec04342 || size % 4)
    return og_bc_fail(b, "file doesn't start with bitcode header");
  b->bits = (struct og_bits){.arena = b->scratch, .bytes = bytes, .at = 32, .end = (uint64_t)size * 8};
  read_strings(b);
  if (!find(b, MODULE) || !og_bits_enter(&b->bits, MODULE))
    return og_bc_fail(b, "could not find module in bitcode");
  return read_module(b);
}

struct og_ir_module *og_ir_read_bitcode(struct og_arena *arena, const char *file, const uint8_t *bytes, size_t size,
                                        struct og_diagnostics *diagnostics) {
  struct og_bc reader = {.arena = arena, .scratch = og_arena_new(), .diagnostics = diagnostics};
  reader.m = og_ir_module_new(arena, file);
  bool ok = read_file(&reader, bytes, size);
  og_arena_free(reader.scratch);
  return ok ? reader.m : NULL;
}
