/* read.c - the lines of the text: directives, declarations, labels, scopes; instructions are in read_inst.c. */
#include "visa/text/reader.h"

#include <string.h>

/* ---- names of the kernel ---- */

uint32_t og_visa_intern(struct og_visa_reader *r, struct og_text text) {
  void **slot = og_map_at(r->arena, &r->strings, text);
  if (!*slot) {
    *slot = (void *)(uintptr_t)r->kernel->strings.count;
    *OG_PUSH(r->arena, &r->kernel->strings) = og_arena_copy(r->arena, text.data, text.size);
  }
  return (uint32_t)(uintptr_t)*slot;
}

uint32_t og_visa_label_index(struct og_visa_reader *r, struct og_text name) {
  void **slot = og_map_at(r->arena, &r->labels, name);
  if (!*slot) {
    struct og_visa_label *label = OG_PUSH(r->arena, &r->kernel->labels);
    *label = (struct og_visa_label){.name = og_arena_copy(r->arena, name.data, name.size), .inst = UINT32_MAX,
                                    .at = name.data >= r->start && name.data <= r->end ? place(r, name.data) : 0,
                                    .size = (uint32_t)name.size};
    *slot = (void *)(uintptr_t)r->kernel->labels.count;
  }
  return (uint32_t)(uintptr_t)*slot - 1;
}

static bool declare(struct og_visa_reader *r, struct og_text name, char class, uint32_t index) {
  void **slot = og_map_at(r->arena, &r->symbols, name);
  const struct og_visa_symbol *old = *slot;
  if (old && old->depth == r->scope_depth)
    return og_visa_fail(r, name.data, "'%.*s' is declared twice", OG_TEXT_ARGS(name));
  if (r->scope_depth)
    *OG_PUSH(r->arena, &r->hidden) = (struct og_visa_hidden){name, *slot};
  struct og_visa_symbol *symbol = OG_NEW(r->arena, struct og_visa_symbol);
  *symbol = (struct og_visa_symbol){class, r->scope_depth, index};
  *slot = symbol;
  return true;
}

static void declare_predefined(struct og_visa_reader *r) {
  for (unsigned i = 0; i < OG_VISA_PREDEFINED_COUNT; i++)
    declare(r, og_text(r->kernel->general.items[i].name), 'G', i);
  for (unsigned i = 0; i < OG_VISA_FIRST_SURFACE; i++)
    declare(r, og_text(r->kernel->surface.items[i].name), 'T', i);
}

/* ---- declarations ---- */

static bool read_attribute(struct og_visa_reader *r, struct og_visa_attribute *attribute) {
  struct og_text name = og_visa_name(r, "an attribute's name");
  if (!name.size)
    return false;
  *attribute = (struct og_visa_attribute){.name = og_arena_copy(r->arena, name.data, name.size)};
  if (!take(r, '=') || at_end_of_line(r))
    return true;
  struct og_text text;
  if (peek(r) == '"' || is_letter(peek(r))) {
    if (peek(r) == '"' ? !og_visa_string(r, &text) : (text = og_visa_word(r), !text.size))
      return false;
    attribute->text = og_arena_copy(r->arena, text.data, text.size);
    attribute->size = (uint32_t)text.size;
    return text.size <= 255 || og_visa_fail(r, text.data, "an attribute's text has at most 255 characters");
  }
  if (!og_visa_expression(r, true, &attribute->value))
    return false;
  if (attribute->value < INT32_MIN || attribute->value > (int64_t)UINT32_MAX)
    return og_visa_fail(r, name.data, "an attribute's number has at most 32 bits");
  attribute->value = (int32_t)attribute->value;
  attribute->size = attribute->value >= -128 && attribute->value < 128 ? 1
                    : attribute->value == (int16_t)attribute->value    ? 2
                                                                       : 4;
  return true;
}

static bool read_attributes(struct og_visa_reader *r, struct og_visa_variable *variable) {
  struct og_visa_attribute attributes[16];
  if (!og_visa_expect(r, '{', "and attributes"))
    return false;
  do {
    if (variable->attribute_count == OG_COUNT(attributes))
      return og_visa_fail(r, r->p, "too many attributes");
    if (!read_attribute(r, &attributes[variable->attribute_count++]))
      return false;
  } while (take(r, ','));
  variable->attributes = OG_NEW_ARRAY(r->arena, struct og_visa_attribute, variable->attribute_count);
  memcpy(variable->attributes, attributes, variable->attribute_count * sizeof *attributes);
  return og_visa_expect(r, '}', "after the attributes");
}

static bool read_align(struct og_visa_reader *r, uint8_t *align) {
  skip(r);
  const char *from = r->p;
  while (is_word(peek(r)))
    r->p++;
  struct og_text word = {from, (size_t)(r->p - from)};
  int index = og_visa_find_name(og_visa_align_names, word);
  if (index < 0 && og_text_is(word, "2GRF"))
    index = OG_VISA_ALIGN_2GRF;
  if (index < 0 && og_text_is(word, "32word"))
    index = OG_VISA_ALIGN_32WORD;
  if (index < 0 && og_text_is(word, "64word"))
    index = OG_VISA_ALIGN_64WORD;
  if (index < 0) {
    static const uint8_t by_log2[] = {OG_VISA_ALIGN_BYTE,   OG_VISA_ALIGN_WORD,  OG_VISA_ALIGN_DWORD,
                                      OG_VISA_ALIGN_QWORD,  OG_VISA_ALIGN_OWORD, OG_VISA_ALIGN_HWORD,
                                      OG_VISA_ALIGN_32WORD, OG_VISA_ALIGN_64WORD};
    int64_t bytes;
    r->p = from;
    if (!is_digit(peek(r)) && peek(r) != '%')
      return og_visa_fail(r, from,
                          "expected byte, word, dword, qword, oword, hword, GRF, GRFx2, wordx32, wordx64 or bytes");
    if (!og_visa_expression(r, true, &bytes))
      return false;
    if (bytes < 1 || bytes > 128 || (bytes & (bytes - 1)))
      return og_visa_fail(r, from, "alignment %lld is not a power of two up to 128", (long long)bytes);
    index = by_log2[__builtin_ctzll((uint64_t)bytes)];
  }
  *align = (uint8_t)index;
  return true;
}

static bool read_alias(struct og_visa_reader *r, struct og_visa_variable *variable) {
  if (!og_visa_expect(r, '<', "and the variable"))
    return false;
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *base = og_visa_symbol(r, name);
  if (!base || base->class != 'G')
    return og_visa_fail(r, name.data, "'%.*s' is not a general variable declared before", OG_TEXT_ARGS(name));
  if (base->index == OG_VISA_V_NULL)
    return og_visa_fail(r, name.data, "%%null cannot be aliased");
  variable->alias = base->index;
  int64_t offset;
  if (!og_visa_expect(r, ',', "and the offset") || !og_visa_number(r, 0xffff, "alias offset", &offset))
    return false;
  variable->alias_offset = (uint32_t)offset;
  return og_visa_expect(r, '>', "after the offset");
}

static bool read_decl_type(struct og_visa_reader *r, uint8_t *type) {
  struct og_text word = og_visa_word(r);
  for (unsigned i = 0; i < OG_VISA_TYPE_COUNT; i++) {
    const char *name = og_visa_types[i].name;
    size_t n = 0;
    while (n < word.size && name[n] && (word.data[n] | 32) == name[n])
      n++;
    if (n == word.size && !name[n]) {
      *type = (uint8_t)i;
      return true;
    }
  }
  return og_visa_fail(r, word.data, "'%.*s' is no type", OG_TEXT_ARGS(word));
}

/* One key=value of a declaration. */
static bool read_property(struct og_visa_reader *r, char *class, bool *typed, struct og_visa_variable *variable) {
  struct og_text key = og_visa_word(r);
  if (!key.size || !og_visa_expect(r, '=', "after the property's name"))
    return og_visa_fail(r, key.data, "expected v_type=, type=, num_elts=, align=, alias=, attrs= or v_name=");
  if (og_text_is(key, "num_elts")) {
    int64_t value;
    if (!og_visa_number(r, 0xffff, "number of elements", &value))
      return false;
    variable->elements = (uint32_t)value;
    return true;
  }
  if (og_text_is(key, "type")) {
    *typed = true;
    return read_decl_type(r, &variable->type);
  }
  if (og_text_is(key, "v_type")) {
    struct og_text word = og_visa_word(r);
    if (word.size != 1 || !strchr("GAPST", word.data[0]))
      return og_visa_fail(r, word.data, "v_type is G, A, P, S or T");
    *class = word.data[0];
    return true;
  }
  if (og_text_is(key, "align"))
    return read_align(r, &variable->align);
  if (og_text_is(key, "alias"))
    return read_alias(r, variable);
  if (og_text_is(key, "attrs"))
    return read_attributes(r, variable);
  if (og_text_is(key, "v_name")) {
    struct og_text name = og_visa_name(r, "a name");
    variable->name = og_arena_copy(r->arena, name.data, name.size);
    return name.size > 0;
  }
  return og_visa_fail(r, key.data, "'%.*s' is no property of a variable", OG_TEXT_ARGS(key));
}

static bool read_decl(struct og_visa_reader *r) {
  static const uint32_t limits[] = {['G'] = 65536, ['A'] = 4096, ['P'] = 4096, ['S'] = 32, ['T'] = 256};
  struct og_text name = og_visa_word(r);
  if (!name.size)
    return og_visa_fail(r, name.data, "expected a variable's name");
  struct og_visa_variable variable = {.at = place(r, name.data), .size = (uint32_t)name.size};
  char class = 0;
  bool typed = false;
  while (!at_end_of_line(r))
    if (!read_property(r, &class, &typed, &variable))
      return false;
  r->p = name.data + name.size;
  if (!class)
    return og_visa_fail(r, name.data, "declaration without v_type=");
  if (class == 'G' && !typed)
    return og_visa_fail(r, name.data, "a general variable needs type=");
  if (!variable.elements && (class == 'S' || class == 'T'))
    variable.elements = 1;
  if (!variable.elements)
    return og_visa_fail(r, name.data, "declaration without num_elts=, or 0");
  if (class != 'G')
    variable.type = class == 'A' ? OG_VISA_UW : class == 'P' ? OG_VISA_BOOL : OG_VISA_UD;
  if (!variable.name)
    variable.name = og_arena_copy(r->arena, name.data, name.size);
  struct og_visa_variables *table = og_visa_variables_of(r->kernel, class);
  if (table->count >= limits[(int)class])
    return og_visa_fail(r, name.data, "more than %u variables of class %c", limits[(int)class], class);
  if (!declare(r, name, class, table->count))
    return false;
  *OG_PUSH(r->arena, table) = variable;
  while (!at_end_of_line(r))
    r->p++;
  return true;
}

/* ---- other directives ---- */

static bool read_input(struct og_visa_reader *r, uint8_t implicit, bool with_offset) {
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *symbol = og_visa_symbol(r, name);
  if (!symbol || symbol->class == 'A' || symbol->class == 'P')
    return og_visa_fail(r, name.data, "'%.*s' is not a general, sampler or surface variable", OG_TEXT_ARGS(name));
  struct og_visa_input input = {.class = symbol->class, .implicit = implicit, .variable = symbol->index,
                                .at = place(r, name.data), .source_size = (uint32_t)name.size};
  int64_t value;
  while (!at_end_of_line(r)) {
    struct og_text key = og_visa_word(r);
    bool offset = og_text_is(key, "offset");
    if ((!offset && !og_text_is(key, "size")) || !og_visa_expect(r, '=', "here"))
      return og_visa_fail(r, key.data, "expected offset= or size=");
    if (!og_visa_number(r, offset ? 0x7fff : 0xffff, offset ? "offset" : "size", &value))
      return false;
    if (offset)
      input.offset = (int32_t)value;
    else
      input.size = (uint32_t)value;
  }
  (void)with_offset;
  if (!input.size)
    return og_visa_fail(r, name.data, "an input needs size=");
  *OG_PUSH(r->arena, &r->kernel->inputs) = input;
  return true;
}

static bool read_implicit(struct og_visa_reader *r, struct og_text directive) {
  static const char *const names[] = {"", "LOCAL_SIZE", "GROUP_COUNT", "LOCAL_ID", NULL};
  struct og_text kind = {directive.data + 9, directive.size - 9};
  if (kind.size && kind.data[0] == '_')
    kind.data++, kind.size--;
  int index = og_visa_find_name(names, kind);
  if (index < 0 && kind.size > 10 && memcmp(kind.data, "UNDEFINED_", 10) == 0 && kind.size <= 12) {
    index = 0;
    for (size_t i = 10; i < kind.size; i++)
      index = index * 10 + (is_digit(kind.data[i]) ? kind.data[i] - '0' : 99);
  }
  if (index < 1 || index > 31)
    return og_visa_fail(r, directive.data,
                        "expected .implicit_LOCAL_SIZE, _GROUP_COUNT, _LOCAL_ID or _UNDEFINED_1 to _31");
  return read_input(r, (uint8_t)index, true);
}

/* A kernel's name: quoted, or everything up to the end of the line. */
static struct og_text object_name(struct og_visa_reader *r) {
  skip(r);
  struct og_text name = {r->p, 0};
  if (peek(r) == '"') {
    og_visa_string(r, &name);
    return name;
  }
  while (r->p < r->end && *r->p != '\n' && !(*r->p == '/' && peek_at(r, 1) == '/'))
    r->p++;
  name.size = (size_t)(r->p - name.data);
  while (name.size && is_blank(name.data[name.size - 1]))
    name.size--;
  return name;
}

static void finish_kernel(struct og_visa_reader *r) {
  if (!r->kernel)
    return;
  for (uint32_t i = 0; i < r->kernel->labels.count; i++) {
    const struct og_visa_label *label = &r->kernel->labels.items[i];
    if (label->inst == UINT32_MAX)
      og_error(r->diagnostics, (struct og_range){r->source, label->at, label->size}, "label '%s' is not defined",
               label->name);
  }
  r->kernel = NULL;
}

static bool begin_kernel(struct og_visa_reader *r, bool function) {
  struct og_text name = object_name(r);
  finish_kernel(r);
  r->symbols = r->labels = r->strings = (struct og_map){0};
  r->scope_depth = r->hidden.count = 0;
  r->kernel = og_visa_new_kernel(r->arena, og_arena_copy(r->arena, name.data, name.size), r->platform);
  r->kernel->function = function;
  *OG_PUSH(r->arena, &r->visa->kernels) = r->kernel;
  declare_predefined(r);
  return (name.size && name.size < 1024) || og_visa_fail(r, name.data, "a kernel's name has 1 to 1023 characters");
}

static bool read_version(struct og_visa_reader *r) {
  int64_t major, minor;
  skip(r);
  const char *from = r->p;
  if (!is_digit(peek(r)) || !og_visa_unary(r, &major) || !og_visa_expect(r, '.', "between major and minor version") ||
      !og_visa_unary(r, &minor))
    return og_visa_fail(r, from, "expected a version, as in 4.1");
  if (major < 3 || major > 4 || minor < 0 || minor > 99)
    return og_visa_fail(r, from, "version %lld.%lld is not supported: 3.0 to 4.x are", (long long)major,
                        (long long)minor);
  r->visa->major = (uint8_t)major;
  r->visa->minor = (uint8_t)minor;
  return true;
}

/* IGC prints a subroutine's name with "_<label number>" after it; the name itself is without. */
static void strip_number(struct og_visa_reader *r, uint32_t index) {
  struct og_visa_label *label = &r->kernel->labels.items[index];
  const char *suffix = og_arena_printf(r->arena, "_%u", index);
  size_t size = strlen(label->name), cut = strlen(suffix);
  if (size > cut && strcmp(label->name + size - cut, suffix) == 0)
    label->name = og_arena_copy(r->arena, label->name, size - cut);
}

static bool define_label(struct og_visa_reader *r, struct og_text name, bool subroutine) {
  uint32_t index = og_visa_label_index(r, name);
  struct og_visa_label *label = &r->kernel->labels.items[index];
  uint32_t count = r->kernel->insts.count;
  if (label->inst != UINT32_MAX) {
    if (label->subroutine && !subroutine && label->inst == count - 1)
      return true; /* the label line that repeats its .function line */
    return og_visa_fail(r, name.data, "label '%.*s' is defined twice", OG_TEXT_ARGS(name));
  }
  label->inst = count;
  label->subroutine = subroutine;
  if (subroutine)
    strip_number(r, index);
  struct og_visa_inst *inst = OG_PUSH(r->arena, &r->kernel->insts);
  *inst = (struct og_visa_inst){.opcode = subroutine ? OG_VISA_OP_SUBROUTINE : OG_VISA_OP_LABEL, .exec_size = 1,
                                .compare = OG_VISA_COMPARE_NONE, .operand_count = 1, .line = r->line,
                                .at = label->at, .size = (uint32_t)name.size};
  inst->operands = OG_NEW(r->arena, struct og_visa_operand);
  *inst->operands = (struct og_visa_operand){.kind = OG_VISA_LABEL, .variable = index};
  return true;
}

static bool read_function(struct og_visa_reader *r) {
  struct og_text name = og_visa_name(r, "a function's name");
  return name.size && define_label(r, name, true);
}

static bool read_kernel_attribute(struct og_visa_reader *r) {
  return read_attribute(r, OG_PUSH(r->arena, &r->kernel->attributes));
}

static bool read_directive(struct og_visa_reader *r) {
  const char *from = r->p++;
  struct og_text name = og_visa_word(r);
  if (og_text_is(name, "version"))
    return read_version(r);
  if (og_text_is(name, "kernel"))
    return begin_kernel(r, false);
  if (og_text_is(name, "global_function"))
    return begin_kernel(r, true);
  if (!r->kernel)
    return og_visa_fail(r, from, "expected .kernel before anything else");
  if (og_text_is(name, "decl"))
    return read_decl(r);
  if (og_text_is(name, "input") || og_text_is(name, "parameter"))
    return read_input(r, 0, og_text_is(name, "input"));
  if (name.size > 8 && memcmp(name.data, "implicit", 8) == 0)
    return read_implicit(r, (struct og_text){from, name.size + 1});
  if (og_text_is(name, "kernel_attr"))
    return read_kernel_attribute(r);
  if (og_text_is(name, "function"))
    return read_function(r);
  if (og_text_is(name, "funcdecl") || og_text_is(name, "resolvedIndex") || og_text_is(name, "return")) {
    while (!at_end_of_line(r))
      r->p++;
    return true;
  }
  return og_visa_fail(r, from, "unknown directive '.%.*s'", OG_TEXT_ARGS(name));
}

/* ---- scopes ---- */

static bool open_scope(struct og_visa_reader *r) {
  if (r->scope_depth == OG_VISA_MAX_SCOPES)
    return og_visa_fail(r, r->p, "more than %d scopes", OG_VISA_MAX_SCOPES);
  r->scopes[r->scope_depth++] = r->hidden.count;
  r->p++;
  return true;
}

/* The scope's names are forgotten, and those that they hid come back. */
static bool close_scope(struct og_visa_reader *r) {
  if (!r->scope_depth)
    return og_visa_fail(r, r->p, "'}' without '{'");
  for (uint32_t first = r->scopes[--r->scope_depth]; r->hidden.count > first; r->hidden.count--) {
    const struct og_visa_hidden *hidden = &r->hidden.items[r->hidden.count - 1];
    *og_map_at(r->arena, &r->symbols, hidden->name) = (void *)hidden->symbol;
  }
  r->p++;
  return true;
}

/* ---- lines ---- */

/* A name right before ':' at the start of a line is a label; its size, or 0. */
static size_t label_size(const struct og_visa_reader *r) {
  const char *p = r->p;
  if (p >= r->end || !(is_letter(*p) || *p == '$' || *p == '@' || *p == '?'))
    return 0;
  while (p < r->end && (is_word(*p) || *p == '$' || *p == '@' || *p == '?' || *p == '-'))
    p++;
  return p < r->end && *p == ':' ? (size_t)(p - r->p) : 0;
}

static void read_statement(struct og_visa_reader *r) {
  size_t size;
  if (*r->p == '.') {
    const char *word = r->p + 1;
    bool inst =
        r->end - word > 4 && (memcmp(word, "file", 4) == 0 || (memcmp(word, "loc", 3) == 0 && !is_word(word[3])));
    if (!inst) {
      read_directive(r);
      return;
    }
    r->p++; /* .file and .loc are instructions whose names have a dot before them */
  }
  if (!r->kernel) {
    og_visa_fail(r, r->p, "expected .kernel before anything else");
  } else if (*r->p == '{') {
    open_scope(r);
  } else if (*r->p == '}') {
    close_scope(r);
  } else if ((size = label_size(r))) {
    struct og_text name = {r->p, size};
    r->p += size + 1;
    define_label(r, name, false);
  } else {
    og_visa_read_inst(r);
  }
}

static void read_lines(struct og_visa_reader *r) {
  while (r->p < r->end && og_diagnostics_errors(r->diagnostics) < OG_VISA_MAX_ERRORS) {
    if (!at_end_of_line(r)) {
      read_statement(r);
      if (!r->failed && !at_end_of_line(r))
        og_visa_fail(r, r->p, "unexpected text after the statement");
    }
    if (r->p < r->end && *r->p != '\n') {
      const char *newline = memchr(r->p, '\n', (size_t)(r->end - r->p));
      r->p = newline ? newline : r->end;
    }
    r->failed = false;
    r->line++;
    r->p++;
  }
}

/* ---- mnemonics ---- */

static void add_mnemonic(struct og_visa_mnemonic_entry *table, const char *name, uint8_t opcode, uint8_t sub,
                         uint8_t preset) {
  uint32_t hash = 5381;
  for (const char *p = name; *p; p++)
    hash = hash * 33 + (uint8_t)*p;
  uint32_t slot = hash ^ hash >> 10;
  while (table[slot & (OG_VISA_MNEMONIC_SLOTS - 1)].name.size)
    slot++;
  table[slot & (OG_VISA_MNEMONIC_SLOTS - 1)] = (struct og_visa_mnemonic_entry){og_text(name), opcode, sub, preset};
}

static uint8_t sample_opcode(unsigned sub) {
  if (sub == 7 || sub >= 26)
    return OG_VISA_OP_LOAD_3D;
  if (sub == 10 || sub == 11)
    return OG_VISA_OP_INFO_3D;
  return sub == 8 || (sub >= 16 && sub <= 18) ? OG_VISA_OP_GATHER4_3D : OG_VISA_OP_SAMPLE_3D;
}

static struct og_visa_mnemonic_entry *make_mnemonics(struct og_arena *arena) {
  struct og_visa_mnemonic_entry *table = OG_NEW_ARRAY(arena, struct og_visa_mnemonic_entry, OG_VISA_MNEMONIC_SLOTS);
  for (unsigned opcode = 0; opcode < 256; opcode++) {
    const struct og_visa_row *row = og_visa_row(opcode, 0);
    bool apart = opcode == OG_VISA_OP_SUBROUTINE || opcode == OG_VISA_OP_LABEL || opcode == OG_VISA_OP_LSC_UNTYPED ||
                 opcode == OG_VISA_OP_LSC_TYPED || (opcode >= OG_VISA_OP_SAMPLE_3D && opcode <= OG_VISA_OP_INFO_3D);
    if (row && !apart)
      add_mnemonic(table, row->name + (row->name[0] == '.'), (uint8_t)opcode, 0, 0);
  }
  for (uint8_t sub = 1; sub < 8; sub++)
    add_mnemonic(table, og_visa_row(OG_VISA_OP_SVM, sub)->name, OG_VISA_OP_SVM, sub, 0);
  for (uint8_t sub = 0; sub < OG_VISA_SAMPLE_NAMES; sub++)
    if (og_visa_sample_names[sub][0])
      add_mnemonic(table, og_visa_sample_names[sub], sample_opcode(sub), sub, 0);
  for (const struct og_visa_lsc_op_info *op = og_visa_lsc_ops; op->name; op++)
    add_mnemonic(table, og_arena_printf(arena, "lsc_%s", op->name), OG_VISA_OP_LSC_UNTYPED, op->number, 0);
  add_mnemonic(table, "max", OG_VISA_OP_FMINMAX, 1, 0);
  add_mnemonic(table, "LOC", OG_VISA_OP_LOC, 0, 0);
  add_mnemonic(table, "FILE", OG_VISA_OP_FILE, 0, 0);
  add_mnemonic(table, "fccall", OG_VISA_OP_CALL, 0, 0);
  add_mnemonic(table, "raw_sendc", OG_VISA_OP_RAW_SEND, 0, 1);
  add_mnemonic(table, "raw_sendsc", OG_VISA_OP_RAW_SENDS, 0, 1);
  add_mnemonic(table, "raw_sends_eot", OG_VISA_OP_RAW_SENDS, 0, 2);
  add_mnemonic(table, "raw_sendsc_eot", OG_VISA_OP_RAW_SENDS, 0, 3);
  return table;
}

struct og_visa *og_visa_read_text(struct og_arena *arena, const struct og_source *source, int platform,
                                  struct og_diagnostics *diagnostics) {
  size_t errors = og_diagnostics_errors(diagnostics);
  struct og_visa_reader r = {
      .p = source->text, .start = source->text, .end = source->text + source->size, .line = 1, .platform = platform,
      .arena = arena, .source = source, .diagnostics = diagnostics, .visa = OG_NEW(arena, struct og_visa),
      .mnemonics = make_mnemonics(arena)};
  r.visa->major = 4;
  r.visa->minor = 1;
  r.visa->source = source;
  if (source->size > UINT32_MAX / 2) {
    og_error_in(diagnostics, source->name, "file is too large");
    return NULL;
  }
  read_lines(&r);
  if (r.scope_depth && !og_diagnostics_errors(diagnostics))
    og_error(diagnostics, (struct og_range){source, (uint32_t)source->size, 0}, "'{' without '}'");
  finish_kernel(&r);
  if (!r.visa->kernels.count && og_diagnostics_errors(diagnostics) == errors)
    og_error_in(diagnostics, source->name, "no .kernel in this file");
  return og_diagnostics_errors(diagnostics) == errors ? r.visa : NULL;
}

/* Text whose first statement is one of the directives a vISA file begins with. */
bool og_visa_is_text(const void *data, size_t size) {
  const char *p = data, *end = p + size;
  while (p < end) {
    while (p < end && (is_blank(*p) || *p == '\n'))
      p++;
    if (end - p > 2 && p[0] == '/' && p[1] == '/') {
      while (p < end && *p != '\n')
        p++;
    } else if (end - p > 4 && p[0] == '/' && p[1] == '*') {
      const char *close = memmem(p, (size_t)(end - p), "*/", 2);
      p = close ? close + 2 : end;
    } else {
      break;
    }
  }
  /* `.version 4.1` may begin another format: .kernel or .global_function must follow */
  if (end - p > 9 && memcmp(p, ".version ", 9) == 0)
    for (p += 9; p < end && (is_word(*p) || *p == '.' || is_blank(*p) || *p == '\n'); p++)
      if (*p == '\n' && end - p > 1 && p[1] == '.') {
        p++;
        break;
      }
  return (end - p > 8 && memcmp(p, ".kernel ", 8) == 0) || (end - p > 17 && memcmp(p, ".global_function ", 17) == 0);
}
