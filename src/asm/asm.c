/* asm.c - the assembler's main loop: inputs, statements, labels, assignments. */
#include "asm/instruction.h"

#include <string.h>

enum { MAX_INPUT_DEPTH = 128 };

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

/* Behind the comment, string or character constant at p, or behind p. */
static const char *behind_piece(const char *p, const char *end, bool *string) {
  *string = *p == '"';
  if (*p == ';' || (*p == '/' && p + 1 < end && p[1] == '/')) {
    p = memchr(p, '\n', (size_t)(end - p));
    return p ? p : end;
  }
  if (*p == '/' && p + 1 < end && p[1] == '*') {
    p = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
    return p ? p + 2 : end;
  }
  if (*p == '\'' && end - p > 2 && p[2] == '\'')
    return p + 3;
  if (!*string)
    return p + 1;
  for (p++; p < end && *p != '"' && *p != '\n'; p++)
    p += *p == '\\' && p + 1 < end && p[1] != '\n';
  return p + (p < end && *p == '"');
}

/* NULs are blanks, as for LLVM; those of strings are written as the escape they stand for. */
static void replace_nuls(struct og_asm *as, struct og_source *source) {
  if (!source->size || !memchr(source->text, 0, source->size))
    return;
  struct og_buffer copy = {0};
  size_t first_blank = SIZE_MAX;
  const char *end = source->text + source->size;
  for (const char *p = source->text; p < end;) {
    bool string, escaped = false; /* by the backslash before */
    for (const char *behind = behind_piece(p, end, &string); p < behind; escaped = *p++ == '\\' && !escaped) {
      if (*p) {
        og_buffer_append(&copy, p, 1);
      } else if (string && !escaped) {
        og_buffer_text(&copy, "\\000");
      } else {
        first_blank = OG_MIN(first_blank, copy.size);
        og_buffer_text(&copy, " ");
      }
    }
  }
  source->text = og_arena_copy(as->arena, (const char *)copy.data, copy.size);
  source->size = copy.size;
  og_buffer_free(&copy);
  if (first_blank != SIZE_MAX)
    og_report(as->diagnostics, OG_SEVERITY_WARNING, (struct og_range){source, (uint32_t)first_blank, 1},
              "NUL bytes are read as blanks");
}

/* Binary data or UTF-16 would give an error in each line: such a file is read no further. */
static bool refuse_binary(struct og_asm *as) {
  static const struct { const char *mark, *kind, *encoding; } marks[] = {
      {"\x7f" "ELF", "an ELF file", NULL},
      {"BC\xc0\xde", "LLVM bitcode", NULL},
      {"__CLANG_OFFLOAD_BUNDLE__", "an offload bundle", NULL},
      {"\xef\xbb\xbf", "none", "UTF-8"},
      {"\xff\xfe", "text in UTF-8 without one", "UTF-16 (little-endian)"},
      {"\xfe\xff", "text in UTF-8 without one", "UTF-16 (big-endian)"}};
  for (size_t i = 0; i < OG_COUNT(marks) && !as->stopped; i++) {
    as->stopped = !strncmp(as->p, marks[i].mark, strlen(marks[i].mark));
    if (as->stopped && !marks[i].encoding)
      og_error_in(as->diagnostics, as->input->source->name, "this is %s; expected assembly", marks[i].kind);
    else if (as->stopped)
      og_asm_error(as, as->p, strlen(marks[i].mark), "the file begins with a byte order mark of %s; expected %s",
                   marks[i].encoding, marks[i].kind);
  }
  return as->stopped;
}

/* Where the current input is read, and how far many characters at once. */
static void read_at(struct og_asm *as, const char *p) {
  const struct og_source *source = as->input ? as->input->source : NULL;
  as->p = p;
  as->reader.wide = source && source->size >= OG_WIDE ? source->text + source->size - OG_WIDE + 1 : NULL;
}

/* `text` must end in a NUL and live as long as the assembly. */
bool og_asm_push_input(struct og_asm *as, const char *name, const char *text, size_t size, bool is_macro) {
  if (as->input_depth >= MAX_INPUT_DEPTH)
    return as->stopped = true, /* an endless loop: one error is enough */
           og_asm_error(as, as->statement, 0,
                        is_macro ? "macros cannot be nested more than %d levels deep"
                                 : "files cannot be included more than %d levels deep",
                        MAX_INPUT_DEPTH);
  struct og_input *input = OG_NEW(as->arena, struct og_input);
  input->source = OG_NEW(as->arena, struct og_source);
  *input->source = (struct og_source){.name = name, .text = text, .size = size};
  if (as->input) {
    input->source->included_from = as->input->source;
    input->source->included_at = (uint32_t)(as->statement - as->input->source->text);
  }
  input->outer = as->input;
  input->resume = as->p;
  input->is_macro = is_macro;
  input->condition_depth = as->conditions.count;
  as->input = input;
  as->input_depth++;
  read_at(as, as->statement = text);
  if (!is_macro && refuse_binary(as))
    return true;
  replace_nuls(as, input->source);
  read_at(as, as->statement = input->source->text);
  return true;
}

/* Conditions opened in a text must be closed in it. */
static void pop_input(struct og_asm *as) {
  while (as->conditions.count > as->input->condition_depth) {
    as->conditions.count--;
    og_error(as->diagnostics, og_asm_range(as, as->p, as->p), "unmatched .ifs or .elses");
  }
  const char *resume = as->input->resume;
  as->input = as->input->outer;
  as->input_depth--;
  read_at(as, resume);
}

bool og_asm_skipping(const struct og_asm *as) {
  return as->conditions.count && !as->conditions.items[as->conditions.count - 1].taken;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static bool local_label(struct og_asm *as, const char *start) {
  unsigned digit = (unsigned)(*start - '0');
  as->p += 2;
  struct og_local_label *l = &as->local_labels[digit];
  if (!og_asm_define_label(as, og_asm_local_label(as, digit, true), start))
    return false;
  l->count++;
  l->last = l->next;
  l->next = NULL;
  return true;
}

static bool assignment(struct og_asm *as, struct og_text name) {
  as->p++;
  bool once = *as->p == '=';
  as->p += once;
  const char *at = og_asm_at(as);
  struct og_operand_value value;
  return og_asm_parse_value(as, &value) && og_asm_set(as, name, value, true, at) && og_asm_expect_end(as);
}

static bool at_statement(struct og_asm *as);

/* With -n. Reported once, then .text is chosen. */
static bool in_section(struct og_asm *as) {
  og_asm_space(as);
  bool inside = !as->outside;
  as->outside = false;
  return inside || og_asm_error(as, as->p, 0, "expected section directive before assembly directive");
}

static bool lays_bytes(const struct og_directive_row *row) {
  const struct og_directive_row *first = og_data_directives;
  while (first->name && first != row)
    first++;
  return first->name && strcmp(row->name, ".include");
}

static bool run(struct og_asm *as, const struct og_directive_row *row, const char *at) {
  int arg = row->arg & ~OG_ROW_FLAGS;
  if (!(row->arg & OG_EACH))
    return row->run(as, at, arg);
  og_asm_space(as);
  if (og_asm_at_end(as))
    return true;
  do
    if (!row->run(as, og_asm_at(as), arg))
      return false;
  while (og_asm_accept(as, ','));
  return og_asm_no_more(as);
}

/* LLVM accepts names of directives and macros in any case; so does this. */
static bool named_statement(struct og_asm *as, struct og_text word) {
  struct og_macro *macro = as->macros.count ? og_map_get(&as->macros, word) : NULL;
  if (macro && !macro->purged)
    return og_asm_run_macro(as, macro);
  if (*word.data == '.') {
    const struct og_directive_row *row = og_map_get(&as->directives, word);
    if (!row)
      return og_asm_error(as, word.data, word.size, "unknown directive");
    const struct og_input *input = as->input; /* a repetition or an include leaves its own text to be read next */
    if (as->outside && lays_bytes(row) && !in_section(as))
      return false;
    if (!run(as, row, word.data))
      return false;
    if (as->stopped || as->input != input)
      return true;
    return row->arg & OG_LEAVES_REST ? (og_asm_space(as), at_statement(as)) : og_asm_expect_end(as);
  }
  return og_asm_instruction(as, word) && og_asm_expect_end(as);
}

/* An empty line is listed, but not where a label ends one. */
static bool behind_label(struct og_asm *as) {
  og_asm_space(as);
  return og_asm_at_end(as) || at_statement(as);
}

static void list_empty(struct og_asm *as) {
  if (*as->p == '\n' || *as->p == '\r')
    og_asm_list(as, "\n");
}

static bool quoted_label(struct og_asm *as) {
  struct og_text name;
  const char *at = as->p;
  if (!og_asm_quoted_name(as, &name))
    return false;
  if (*og_asm_at(as) == '=')
    return assignment(as, name);
  if (*as->p != ':')
    return og_asm_error(as, at, 1, "unexpected token at start of statement");
  as->p++;
  return og_asm_define_label(as, og_asm_symbol(as, name), at) && behind_label(as);
}

static bool label(struct og_asm *as, struct og_text word) {
  if (!in_section(as))
    return false;
  as->p++;
  return og_asm_define_label(as, og_asm_symbol(as, word), word.data) && behind_label(as);
}

/* # 12 "file" is what a C preprocessor leaves: where the next line came from. Any other line with # is a comment. */
static void line_marker(struct og_asm *as) {
  const char *start = as->p;
  uint64_t line;
  struct og_source *source = as->input->source;
  for (as->p++; *as->p == ' ' || *as->p == '\t'; as->p++)
    ;
  bool at_start = start == source->text || start[-1] == '\n';
  if (at_start && og_is_digit(*as->p) && og_asm_integer(as, &line)) {
    struct og_text name;
    og_asm_space(as);
    const char *end = *as->p == '"' ? memchr(as->p + 1, '"', strcspn(as->p, "\n")) : NULL;
    if (end && og_asm_plain_string(as, &name)) {
      source->marked_name = og_arena_copy(as->arena, name.data, name.size);
      source->marked_line = (uint32_t)line;
      source->marked_at = (uint32_t)(start - source->text);
      as->p += strcspn(as->p, "\n");
      list_empty(as);
    }
  }
  as->p += strcspn(as->p, "\n");
}

static bool nameless_statement(struct og_asm *as) {
  if (og_is_digit(*as->p) && as->p[1] == ':')
    return local_label(as, as->p) && behind_label(as);
  if (*as->p == '"')
    return quoted_label(as);
  if (*as->p == '#')
    return line_marker(as), true;
  if (og_asm_at_end(as))
    return list_empty(as), true;
  return og_asm_error(as, as->p, 1, "unexpected token at start of statement");
}

static bool at_statement(struct og_asm *as) {
  as->statement = as->p;
  if (!og_name_start(*as->p))
    return nameless_statement(as);
  struct og_text word = og_asm_word_here(as);
  if (*as->p == ':')
    return label(as, word);
  if (*as->p == ' ' || *as->p == '=') {
    if (*og_asm_at(as) == '=' && as->p[1] != '=')
      return assignment(as, word);
    if (*as->p == ':' && as->p[1] != ':')
      return label(as, word);
  }
  return named_statement(as, word);
}

static void skipped_statement(struct og_asm *as) {
  as->statement = as->p;
  list_empty(as);
  struct og_text word = og_asm_word(as);
  const struct og_directive_row *row = word.size && *word.data == '.' ? og_map_get(&as->directives, word) : NULL;
  int arg = row ? row->arg & ~OG_ROW_FLAGS : 0;
  if (arg >= OG_IF_NUMBER_FIRST)
    row->run(as, word.data, arg);
}

static bool read_statement(struct og_asm *as) {
  while (!as->stopped) {
    if (*og_asm_at(as) == '\0' && as->p >= as->input->source->text + as->input->source->size) {
      if (!as->input->outer) {
        og_asm_check_files(as);
        return pop_input(as), false;
      }
      pop_input(as);
      continue;
    }
    struct og_input *input = as->input;
    if (og_asm_skipping(as))
      skipped_statement(as);
    else
      at_statement(as);
    if (as->input == input && *as->p == '\n')
      as->p++;
    else if (as->input == input)
      og_asm_skip_line(as);
    return true;
  }
  return false;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------- */

static void add_directives(struct og_asm *as) {
  const struct og_directive_row *const tables[] = {
      og_data_directives, og_place_directives, og_file_directives, og_section_directives, og_symbol_directives,
      og_frame_directives, og_macro_directives, og_condition_directives, og_note_directives, og_amdgpu_directives,
      og_probe_directives};
  for (size_t i = 0; i < OG_COUNT(tables); i++)
    for (const struct og_directive_row *row = tables[i]; row->name; row++)
      *og_map_at(as->arena, &as->directives, og_text(row->name)) = (void *)(uintptr_t)row;
}

static bool define(struct og_asm *as, const char *definition) {
  const char *equals = strchr(definition, '=');
  size_t size = equals ? (size_t)(equals - definition) : strlen(definition);
  if (!size)
    return og_error_in(as->diagnostics, NULL, "defsym must be of the form: sym=value: %s", definition);
  const char *text = equals ? equals + 1 : "1";
  if (!og_asm_push_input(as, "<command line>", text, strlen(text), false))
    return false;
  struct og_operand_value value;
  bool ok = og_asm_parse_value(as, &value);
  if (ok && (value.expr || *as->p))
    ok = og_asm_error(as, text, strlen(text), "value is not an integer: %s", text);
  pop_input(as);
  return ok && og_asm_set(as, (struct og_text){definition, size}, value, true, NULL);
}

static void begin(struct og_asm *as) {
  og_asm_begin_instructions(as);
  add_directives(as);
  as->text = og_asm_section(as, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR);
  as->text->alignment = 4;
  og_asm_switch(as, og_asm_subsection(as, as->text, 0));
  og_asm_amdgpu_begin(as);
  as->outside = as->options->no_first_section;
}

static void check_local_labels(struct og_asm *as) {
  const struct og_range *last = NULL; /* what is refused is read twice */
  for (uint32_t i = 0; i < as->local_uses.count; i++) {
    const struct og_local_use *use = &as->local_uses.items[i];
    bool again = last && last->source == use->range.source && last->offset == use->range.offset;
    if (use->symbol->kind == OG_SYMBOL_UNDEFINED && !again)
      og_error(as->diagnostics, use->range, "directional label undefined");
    last = &use->range;
  }
}

static void release(struct og_asm *as) {
  for (uint32_t i = 0; i < as->section_order.count; i++) {
    for (struct og_chunk *c = as->section_order.items[i]->chunks; c; c = c->next)
      og_buffer_free(&c->bytes);
    og_buffer_free(&as->section_order.items[i]->bytes);
  }
  for (uint32_t i = 0; i < as->frames.count; i++)
    og_buffer_free(&as->frames.items[i]->rules);
  og_buffer_free(&as->notes);
}

static void assemble(struct og_asm *as, const char *name, const char *text, size_t size) {
  const struct og_asm_options *options = as->options;
  size_t errors = og_diagnostics_errors(as->diagnostics);
  begin(as);
  as->object = og_object_new(as->arena, &options->target, options->code_object_version);
  as->object->name = name;
  bool ok = true;
  for (size_t i = 0; i < options->definition_count; i++)
    ok = define(as, options->definitions[i]) && ok;
  og_asm_list_target(as);
  og_asm_push_input(as, name, text, size, false);
  while (ok && read_statement(as))
    ;
  check_local_labels(as);
  if (ok && og_diagnostics_errors(as->diagnostics) == errors)
    og_asm_finish(as);
  release(as);
}

struct og_object *og_assemble(struct og_arena *arena, const struct og_asm_options *options, const char *name,
                              const char *text, size_t size, struct og_diagnostics *diagnostics) {
  if (size >= UINT32_MAX / 2) {
    og_error_in(diagnostics, name, "the source is larger than 2 GiB");
    return NULL;
  }
  size_t errors = og_diagnostics_errors(diagnostics);
  struct og_asm *as = OG_NEW(arena, struct og_asm);
  *as = (struct og_asm){.arena = arena,
                        .diagnostics = diagnostics,
                        .options = options,
                        .target = options->target,
                        .version = options->code_object_version};
  assemble(as, name, text, size);
  return og_diagnostics_errors(diagnostics) == errors ? as->object : NULL;
}
