/* sections.c - directives that choose sections. */
#include "asm/internal.h"

#include <string.h>

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static const struct known_section {
  const char *name; /* or its beginning and a dot */
  uint32_t type;
  uint64_t flags;
} known_sections[] = {
    {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE},
    {".rodata", SHT_PROGBITS, SHF_ALLOC},
    {".tdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".tbss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".init_array", SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".fini_array", SHT_FINI_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".note", SHT_NOTE, 0},
    {".eh_frame", SHT_PROGBITS, SHF_ALLOC},
    {".hsatext", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".hsadata_global_agent", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".hsadata_global_program", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".hsarodata_readonly_agent", SHT_PROGBITS, SHF_ALLOC},
    {".preinit_array", SHT_PREINIT_ARRAY, SHF_ALLOC | SHF_WRITE},
};

static void section_defaults(const char *name, uint32_t *type, uint64_t *flags) {
  *type = SHT_PROGBITS;
  *flags = 0;
  for (size_t i = 0; i < OG_COUNT(known_sections); i++) {
    if (name[1] != known_sections[i].name[1])
      continue;
    size_t size = strlen(known_sections[i].name);
    if (!strncmp(name, known_sections[i].name, size) && (!name[size] || name[size] == '.')) {
      *type = known_sections[i].type;
      *flags = known_sections[i].flags;
    }
  }
}

static const struct {
  const char *name;
  uint32_t type;
} type_names[] = {
    {"progbits", SHT_PROGBITS},
    {"nobits", SHT_NOBITS},
    {"note", SHT_NOTE},
    {"init_array", SHT_INIT_ARRAY},
    {"fini_array", SHT_FINI_ARRAY},
    {"preinit_array", SHT_PREINIT_ARRAY},
    {"unwind", 0x70000001},
    {"llvm_odrtab", 0x6fff4c00},
    {"llvm_linker_options", 0x6fff4c01},
    {"llvm_dependent_libraries", 0x6fff4c04},
    {"llvm_sympart", 0x6fff4c05},
    {"llvm_bb_addr_map", 0x6fff4c0a},
    {"llvm_offloading", 0x6fff4c0b},
    {"llvm_lto", 0x6fff4c0c},
};

static void list_section_type(struct og_asm *as, uint32_t type) {
  for (size_t i = 0; i < OG_COUNT(type_names); i++)
    if (type_names[i].type == type) {
      og_asm_list(as, "\",@%s", type_names[i].name);
      return;
    }
  og_asm_list(as, "\",@0x%x", type);
}

/* In quotes where it has characters other than these. */
static const char *listed_name(const struct og_asm *as, const char *name) {
  size_t plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
  return name[plain] ? og_arena_printf(as->arena, "\"%s\"", name) : name;
}

void og_asm_list_section(struct og_asm *as) {
  if (!og_asm_listing(as))
    return;
  const struct og_asm_section *s = as->chunk->section;
  long long number = as->chunk->number;
  if (!strcmp(s->name, ".text") || !strcmp(s->name, ".data")) {
    og_asm_list(as, number ? "\t%s\t%lld\n" : "\t%s\n", s->name, number);
    return;
  }
  static const struct {
    uint64_t flag;
    char letter;
  } letters[] = {{SHF_ALLOC, 'a'},   {SHF_EXCLUDE, 'e'}, {SHF_EXECINSTR, 'x'},  {SHF_WRITE, 'w'}, {SHF_MERGE, 'M'},
                 {SHF_STRINGS, 'S'}, {SHF_TLS, 'T'},     {SHF_LINK_ORDER, 'o'}, {SHF_GROUP, 'G'}, {0x200000, 'R'}};
  og_asm_list(as, "\t.section\t%s,\"", listed_name(as, s->name));
  for (size_t i = 0; i < OG_COUNT(letters); i++)
    if (s->flags & letters[i].flag)
      og_asm_list(as, "%c", letters[i].letter);
  list_section_type(as, s->type);
  if (s->flags & SHF_MERGE)
    og_asm_list(as, ",%llu", (unsigned long long)s->entry_size);
  if (s->flags & SHF_LINK_ORDER)
    og_asm_list(as, ",%.*s", s->linked ? (int)s->linked->name.size : 1, s->linked ? s->linked->name.data : "0");
  if (s->group)
    og_asm_list(as, s->plain_group ? ",%s" : ",%s,comdat", s->group);
  if (s->unique)
    og_asm_list(as, ",unique,%llu", (unsigned long long)s->unique - 1);
  og_asm_list(as, "\n");
  if (number)
    og_asm_list(as, "\t.subsection\t%lld\n", number);
}

static bool switch_to(struct og_asm *as, struct og_asm_section *section, int64_t subsection) {
  struct og_chunk *before = as->previous_chunk ? as->chunk : NULL; /* at the beginning .text is yet to be said */
  og_asm_switch(as, og_asm_subsection(as, section, subsection));
  if (as->chunk != before)
    og_asm_list_section(as);
  return true;
}

bool og_asm_end_of_directive(struct og_asm *as) {
  return og_asm_end(as, "expected end of directive");
}

static bool subsection_number(struct og_asm *as, int64_t *out) {
  const char *at = og_asm_at(as);
  *out = 0;
  if (og_asm_at_end(as))
    return true;
  struct og_operand_value v;
  if (!og_asm_parse_value(as, &v))
    return false;
  *out = v.value;
  if (v.expr && !og_asm_evaluate_absolute(as, v.expr, out))
    return og_asm_refuse(as, at, "cannot evaluate subsection number");
  return (*out >= 0 && *out <= INT32_MAX) ||
         og_asm_refuse(as, at, "subsection number %lld is not within [0,2147483647]", (long long)*out);
}

static bool plain_section(struct og_asm *as, const char *at, int index) {
  (void)at;
  int64_t number;
  if (!subsection_number(as, &number))
    return false;
  const struct known_section *k = &known_sections[index];
  return switch_to(as, og_asm_section(as, k->name, k->type, k->flags), number);
}

static bool flag_letters(struct og_asm *as, struct og_text text, uint64_t *flags) {
  static const struct {
    char letter;
    uint64_t flag;
  } letters[] = {
      {'a', SHF_ALLOC}, {'w', SHF_WRITE}, {'x', SHF_EXECINSTR},  {'M', SHF_MERGE},   {'S', SHF_STRINGS},
      {'T', SHF_TLS},   {'G', SHF_GROUP}, {'o', SHF_LINK_ORDER}, {'e', SHF_EXCLUDE}, {'R', 0x200000},
  };
  *flags = 0;
  for (size_t i = 0; i < text.size; i++) {
    size_t k = 0;
    while (k < OG_COUNT(letters) && letters[k].letter != text.data[i])
      k++;
    if (k == OG_COUNT(letters))
      return og_asm_error(as, as->p, 1, "unknown flag");
    *flags |= letters[k].flag;
  }
  return true;
}

/* Sun's form, which older compilers print: #alloc,#write,#execinstr,#exclude,#tls */
static bool flag_words(struct og_asm *as, uint64_t *flags) {
  static const struct {
    const char *name;
    uint64_t flag;
  } words[] = {
      {"alloc", SHF_ALLOC},     {"write", SHF_WRITE}, {"execinstr", SHF_EXECINSTR},
      {"exclude", SHF_EXCLUDE}, {"tls", SHF_TLS},
  };
  *flags = 0;
  do {
    const char *at = og_asm_at(as);
    as->p += *as->p == '#';
    struct og_text word = og_asm_word(as);
    size_t k = 0;
    while (k < OG_COUNT(words) && !og_text_is(word, words[k].name))
      k++;
    if (k == OG_COUNT(words))
      return og_asm_refuse(as, at, "expected section flag");
    *flags |= words[k].flag;
  } while (og_asm_accept(as, ','));
  return true;
}

static bool section_type(struct og_asm *as, uint32_t *type) {
  const char *at = og_asm_at(as);
  struct og_text name;
  if (*as->p == '"') {
    if (!og_asm_string(as, &name))
      return false;
  } else {
    if (*as->p != '@' && *as->p != '%')
      return og_asm_error(as, at, 1, "expected '@<type>', '%%<type>' or \"<type>\"");
    as->p++;
    if (*as->p == '0') {
      uint64_t number;
      if (!og_asm_integer(as, &number))
        return false;
      *type = (uint32_t)number;
      return true;
    }
    name = og_asm_word(as);
  }
  for (size_t i = 0; i < OG_COUNT(type_names); i++)
    if (og_text_is(name, type_names[i].name))
      return *type = type_names[i].type, true;
  return og_asm_refuse(as, at, "unknown section type");
}

static bool section_name(struct og_asm *as, const char **out) {
  og_asm_space(as);
  struct og_text name;
  if (*as->p == '"') {
    if (!og_asm_plain_string(as, &name))
      return false;
  } else {
    const char *start = as->p;
    as->p += strcspn(as->p, " \t,;\n\r\"");
    name = (struct og_text){start, (size_t)(as->p - start)};
  }
  if (!name.size)
    return og_asm_error(as, as->p, 1, "expected identifier");
  *out = og_arena_copy(as->arena, name.data, name.size);
  return true;
}

/* The symbol whose section comes first when linked; 0 for none. */
static bool linked_section(struct og_asm *as, struct og_asm_symbol **out) {
  struct og_text name;
  if (!og_asm_accept(as, ','))
    return og_asm_error(as, as->p, 1, "expected linked-to symbol");
  if (*og_asm_at(as) == '0')
    return as->p++, true;
  const char *at = as->p;
  if (!og_asm_name(as, &name))
    return false;
  const struct og_asm_symbol *known = og_asm_find_symbol(as, name);
  if (!known || known->kind != OG_SYMBOL_LABEL)
    return og_asm_error(as, at, 0, "linked-to symbol is not in a section: %.*s", OG_TEXT_ARGS(name));
  *out = og_asm_symbol(as, name);
  return true;
}

static bool unique_number(struct og_asm *as, int64_t *out) {
  struct og_text word = og_asm_word(as);
  if (!og_text_is(word, "unique"))
    return og_asm_error(as, word.data, OG_MAX(word.size, 1u), "expected 'unique'");
  if (!og_asm_accept(as, ','))
    return og_asm_error(as, as->p, 1, "expected commma");
  if (!og_asm_parse_absolute(as, out))
    return false;
  og_asm_space(as);
  return (*out >= 0 && *out < UINT32_MAX) ||
         og_asm_error(as, as->p, 1, *out < 0 ? "unique id must be positive" : "unique id is too large");
}

static bool section_group(struct og_asm *as, const char **group, bool *comdat) {
  struct og_text signature;
  if (!og_asm_accept(as, ','))
    return og_asm_error(as, as->p, 1, "expected group name");
  if (!og_asm_name(as, &signature))
    return false;
  *group = og_arena_copy(as->arena, signature.data, signature.size);
  og_asm_symbol(as, signature)->signature = true;
  *comdat = og_asm_accept(as, ',');
  struct og_text linkage = *comdat ? og_asm_word(as) : (struct og_text){0};
  return !*comdat || og_text_is(linkage, "comdat") ||
         og_asm_error(as, as->p, 1, linkage.size ? "Linkage must be 'comdat'" : "invalid linkage");
}

/* .section NAME [, "flags" [, @type [, entry size] [, linked-to symbol] [, group [, comdat]] [, unique, N]]] */
static bool section_arguments(struct og_asm *as, const char *at, struct og_asm_section **out) {
  const char *name = NULL;
  if (!section_name(as, &name))
    return false;
  uint32_t type;
  uint64_t flags, entry_size = 0;
  const char *group = NULL;
  bool comdat = false;
  struct og_asm_symbol *linked = NULL;
  int64_t unique = -1;
  section_defaults(name, &type, &flags);
  bool given = false, type_given = false;
  if (og_asm_accept(as, ',')) {
    struct og_text letters;
    bool sun = *og_asm_at(as) == '#';
    if (sun ? !flag_words(as, &flags) : !og_asm_string(as, &letters) || !flag_letters(as, letters, &flags))
      return false;
    given = true;
    if (!sun && og_asm_accept(as, ',')) {
      if (!section_type(as, &type))
        return false;
      type_given = true;
    }
    int64_t value = 0;
    og_asm_space(as);
    if (!type_given && !sun && flags & (SHF_MERGE | SHF_GROUP))
      return og_asm_error(as, as->p, 1, "%s section must specify the type", flags & SHF_MERGE ? "Mergeable" : "Group");
    if (flags & SHF_MERGE) {
      if (!og_asm_accept(as, ','))
        return og_asm_error(as, as->p, 1, "expected the entry size");
      if (!og_asm_parse_absolute(as, &value))
        return false;
      if (value <= 0)
        return og_asm_error(as, as->p, 0, "entry size must be positive");
      entry_size = (uint64_t)value;
    }
    if (flags & SHF_LINK_ORDER && !linked_section(as, &linked))
      return false;
    if (flags & SHF_GROUP && !section_group(as, &group, &comdat))
      return false;
    if (!sun && og_asm_accept(as, ',') && !unique_number(as, &unique))
      return false;
  }
  /* Sections of one name in different groups are different sections. */
  const char *key = group ? og_arena_printf(as->arena, "%s\n%s", name, group) : name;
  if (unique >= 0)
    key = og_arena_printf(as->arena, "%s\n\n%lld", key, (long long)unique);
  if (linked)
    key = og_arena_printf(as->arena, "%s\n\n\n%.*s", key, OG_TEXT_ARGS(linked->name));
  struct og_asm_section *existing = og_map_get(&as->sections, og_text(key));
  if (existing && type_given && existing->type != type)
    return og_asm_error(as, at, 8, "changed section type for %s, expected: 0x%x", name, existing->type);
  if (existing && given && existing->flags != flags)
    return og_asm_error(as, at, 8, "changed section flags for %s, expected: 0x%llx", name,
                        (unsigned long long)existing->flags);
  struct og_asm_section *section = og_asm_section(as, key, type, flags);
  section->name = name;
  section->group = group;
  section->plain_group = existing ? existing->plain_group : !comdat; /* the first mention decides */
  section->unique = unique >= 0 ? (uint64_t)unique + 1 : 0;
  section->linked = linked ? linked : section->linked;
  section->entry_size = entry_size ? entry_size : section->entry_size;
  *out = section;
  return true;
}

OG_DIRECTIVE(section) {
  struct og_asm_section *s;
  return section_arguments(as, at, &s) && og_asm_end_of_directive(as) && switch_to(as, s, 0);
}

OG_DIRECTIVE(push_section) {
  if (as->section_stack.count > 10000)
    return as->stopped = true, og_asm_error(as, at, 12, ".pushsection is nested too deeply");
  struct og_section_place place = {as->chunk, as->previous_chunk};
  struct og_asm_section *s;
  if (!section_arguments(as, at, &s))
    return false;
  *OG_PUSH(as->arena, &as->section_stack) = place;
  return switch_to(as, s, 0);
}

OG_DIRECTIVE(pop_section) {
  og_asm_space(as);
  if (!as->section_stack.count)
    return og_asm_error(as, as->p, 1, ".popsection without corresponding .pushsection");
  struct og_section_place place = as->section_stack.items[--as->section_stack.count];
  as->chunk = place.now;
  as->previous_chunk = place.before;
  og_asm_list_section(as);
  return true;
}

OG_DIRECTIVE(previous) {
  og_asm_space(as);
  if (!as->previous_chunk)
    return og_asm_error(as, as->p, 1, ".previous without corresponding .section");
  og_asm_switch(as, as->previous_chunk);
  og_asm_list_section(as);
  return true;
}

OG_DIRECTIVE(subsection) {
  int64_t number;
  return subsection_number(as, &number) && og_asm_end_of_directive(as) && switch_to(as, as->chunk->section, number);
}

const struct og_directive_row og_section_directives[] = {
    {".text", plain_section, 0},
    {".data", plain_section, 1},
    {".bss", plain_section, 2},
    {".rodata", plain_section, 3},
    {".tdata", plain_section, 4},
    {".tbss", plain_section, 5},
    {".hsatext", plain_section, 10},
    {".hsadata_global_agent", plain_section, 11},
    {".hsadata_global_program", plain_section, 12},
    {".hsarodata_readonly_agent", plain_section, 13},
    {".section", section, 0},
    {".pushsection", push_section, 0},
    {".popsection", pop_section, 0},
    {".previous", previous, 0},
    {".subsection", subsection, 0},
    {NULL, NULL, 0},
};
