/* symbol_directives.c - directives that describe symbols: binding, type, size, value, versions, relocations by name. */
#include "asm/internal.h"

#include <string.h>

enum { ATTRIBUTE_GLOBAL, ATTRIBUTE_WEAK, ATTRIBUTE_LOCAL, ATTRIBUTE_HIDDEN, ATTRIBUTE_PROTECTED, ATTRIBUTE_INTERNAL };

/* A binding, once given, stays; only .weak may change it. */
static bool bind(struct og_asm *as, struct og_asm_symbol *s, int which, const char *at) {
  static const struct {
    uint8_t binding;
    const char *name;
  } bindings[] = {{STB_GLOBAL, "STB_GLOBAL"}, {STB_WEAK, "STB_WEAK"}, {STB_LOCAL, "STB_LOCAL"}};
  bool global = s->kind == OG_SYMBOL_COMMON && which == ATTRIBUTE_LOCAL;
  if (!as->options->no_object && (global || (s->binding_set && s->binding != bindings[which].binding))) {
    const char *format = "%.*s changed binding to %s";
    if (which != ATTRIBUTE_WEAK)
      return og_asm_error(as, at, 0, format, OG_TEXT_ARGS(s->name), bindings[which].name);
    og_asm_warning(as, at, 0, format, OG_TEXT_ARGS(s->name), bindings[which].name);
  }
  s->binding = bindings[which].binding;
  s->binding_set = true;
  return true;
}

/* The symbol of that name, made if it does not exist. */
static struct og_asm_symbol *named(struct og_asm *as, struct og_text name) {
  struct og_asm_symbol *s = og_asm_symbol(as, name);
  if (!s->place.source)
    s->place = og_asm_range(as, name.data, name.data + name.size);
  return s;
}

static bool attribute(struct og_asm *as, const char *at, int which) {
  static const char *const names[] = {".globl", ".weak", ".local", ".hidden", ".protected", ".internal"};
  static const uint8_t visibilities[] = {STV_HIDDEN, STV_PROTECTED, STV_INTERNAL};
  (void)at;
  struct og_text name;
  if (!og_asm_name(as, &name))
    return false;
  struct og_asm_symbol *s = named(as, name);
  if (s->temporary && (which == ATTRIBUTE_GLOBAL || !strncmp(as->statement, ".weak_", 6)))
    return og_asm_error(as, name.data, 0, "non-local symbol required");
  og_asm_list(as, "\t%s\t%.*s\n", names[which], OG_TEXT_ARGS(og_asm_quoted(as, name)));
  if (which <= ATTRIBUTE_LOCAL)
    return bind(as, s, which, as->statement);
  s->visibility = visibilities[which - ATTRIBUTE_HIDDEN];
  s->used = true;
  return true;
}

OG_DIRECTIVE(address_table) {
  as->object->has_address_table = true;
  og_asm_list(as, "\t.addrsig\n");
  return true;
}

OG_DIRECTIVE(address_symbol) {
  struct og_text name;
  if (!og_asm_name(as, &name))
    return false;
  *OG_PUSH(as->arena, &as->address_symbols) = og_asm_symbol(as, name);
  og_asm_list(as, "\t.addrsig_sym %.*s\n", OG_TEXT_ARGS(og_asm_quoted(as, name)));
  return true;
}

/* .cg_profile CALLER, CALLEE, COUNT */
OG_DIRECTIVE(call_profile) {
  struct og_asm_calls calls;
  for (int i = 0; i < 2; i++) {
    if (!og_asm_directive_name(as, &calls.ends[i]))
      return false;
    calls.places[i] = og_asm_range(as, as->p - calls.ends[i].size, as->p - calls.ends[i].size);
    if (!og_asm_expect(as, ',', "expected a comma"))
      return false;
  }
  const char *start = og_asm_at(as);
  if (!og_is_digit(*start) || !og_asm_integer(as, &calls.count))
    return og_asm_error(as, start, 1, "expected integer");
  if (!og_asm_end(as, "unexpected token in directive"))
    return false;
  *OG_PUSH(as->arena, &as->calls) = calls;
  og_asm_list(as, "\t.cg_profile %.*s, %.*s, %llu\n\n", OG_TEXT_ARGS(og_asm_quoted(as, calls.ends[0])),
              OG_TEXT_ARGS(og_asm_quoted(as, calls.ends[1])), (unsigned long long)calls.count);
  return true;
}

/* Of two types given to a symbol the more specific one, in this order, or the last. */
static uint8_t stronger_type(uint8_t before, uint8_t now) {
  static const uint8_t order[] = {STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_GNU_IFUNC, STT_TLS};
  for (size_t i = 0; i < sizeof order; i++)
    if (before == order[i] || now == order[i])
      return before == order[i] ? now : before;
  return now;
}

OG_DIRECTIVE(type) {
  static const struct {
    const char *name;
    uint8_t type;
    const char *print;
  } types[] = {
      {"function", STT_FUNC, "function"},
      {"STT_FUNC", STT_FUNC, "function"},
      {"object", STT_OBJECT, "object"},
      {"STT_OBJECT", STT_OBJECT, "object"},
      {"notype", STT_NOTYPE, "notype"},
      {"STT_NOTYPE", STT_NOTYPE, "notype"},
      {"tls_object", STT_TLS, "tls_object"},
      {"STT_TLS", STT_TLS, "tls_object"},
      {"common", STT_COMMON, "common"},
      {"STT_COMMON", STT_COMMON, "common"},
      {"gnu_unique_object", STT_OBJECT, "gnu_unique_object"},
      {"gnu_indirect_function", STT_GNU_IFUNC, "gnu_indirect_function"},
      {"STT_GNU_IFUNC", STT_GNU_IFUNC, "gnu_indirect_function"},
      {"amdgpu_hsa_kernel", OG_STT_AMDGPU_HSA_KERNEL, "amdgpu_hsa_kernel"},
  };
  struct og_text name, kind;
  if (!og_asm_name(as, &name))
    return false;
  og_asm_accept(as, ',');
  const char *start = og_asm_at(as);
  if (*start == '"') {
    if (!og_asm_plain_string(as, &kind))
      return false;
  } else {
    as->p += *as->p == '@' || *as->p == '%' || *as->p == '#';
    start = as->p;
    kind = og_asm_word(as);
  }
  for (size_t i = 0; i < OG_COUNT(types); i++)
    if (og_text_is(kind, types[i].name)) {
      struct og_asm_symbol *s = og_asm_symbol(as, name);
      s->type = stronger_type(s->type, types[i].type);
      s->used = true;
      if (!strcmp(types[i].name, "gnu_unique_object"))
        s->binding = STB_GNU_UNIQUE, s->binding_set = true;
      og_asm_list(as, "\t.type\t%.*s,@%s\n", OG_TEXT_ARGS(og_asm_quoted(as, name)), types[i].print);
      return true;
    }
  return og_asm_error(as, start, OG_MAX(kind.size, 1u),
                      kind.size ? "unsupported attribute"
                                : "expected STT_<TYPE_IN_UPPER_CASE>, '#<type>', '@<type>', '%%<type>' or \"<type>\"");
}

OG_DIRECTIVE(size) {
  struct og_text name;
  if (!og_asm_name(as, &name) || !og_asm_comma(as))
    return false;
  uint32_t known = as->symbol_order.count;
  struct og_asm_symbol *s = named(as, name);
  struct og_operand_value v;
  if (!og_asm_parse_value(as, &v))
    return false;
  og_asm_pass_over(as, known); /* a size alone puts no symbol into the table */
  s->size = v.expr ? v.expr : og_asm_constant(as, v.value);
  og_asm_list(as, "\t.size\t%.*s, %s\n", OG_TEXT_ARGS(og_asm_quoted(as, name)), og_asm_listed(as, v));
  return og_asm_no_more(as);
}

static bool common(struct og_asm *as, const char *at, int local) {
  struct og_text name;
  int64_t bytes, alignment = 0;
  if (!og_asm_directive_name(as, &name) || !og_asm_comma(as))
    return false;
  const char *size_at = og_asm_at(as), *alignment_at = NULL;
  if (!og_asm_parse_absolute(as, &bytes) || !og_asm_optional(as, &alignment, &alignment_at))
    return false;
  if (local && alignment_at)
    return og_asm_error(as, alignment_at, 1, "alignment not supported on this target");
  if (bytes < 0)
    return og_asm_error(as, size_at, 1, "size must be non-negative");
  if (alignment < 0 || alignment > 31)
    return og_asm_error(as, at, 0, "alignment must be the logarithm of a power of two, at most 31");
  struct og_asm_symbol *s = og_asm_symbol(as, name);
  bool again = s->kind == OG_SYMBOL_COMMON && !local && s->value == bytes && s->alignment == UINT64_C(1) << alignment;
  if (s->kind != OG_SYMBOL_UNDEFINED && !again)
    return og_asm_error(as, name.data, name.size, "invalid symbol redefinition");
  og_asm_list(as, local ? "\t.lcomm\t%.*s,%lld\n" : "\t.comm\t%.*s,%lld,%lld\n",
              OG_TEXT_ARGS(og_asm_quoted(as, name)), (long long)bytes, (long long)alignment);
  s->type = STT_OBJECT;
  s->alignment = (uint64_t)1 << alignment;
  if (!local && !(s->binding_set && s->binding == STB_LOCAL)) {
    s->kind = OG_SYMBOL_COMMON;
    s->value = bytes;
    return true;
  }
  struct og_chunk *back = as->chunk;
  struct og_asm_section *bss = og_asm_section(as, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE);
  as->chunk = bss->chunks;
  bss->alignment = OG_MAX(bss->alignment, s->alignment);
  as->chunk->size = og_align_up(as->chunk->size, s->alignment);
  s->kind = OG_SYMBOL_LABEL;
  s->chunk = as->chunk;
  s->value = (int64_t)as->chunk->size;
  s->size = og_asm_constant(as, bytes);
  as->chunk->size += (uint64_t)bytes;
  as->chunk = back;
  return true;
}

static bool assign(struct og_asm *as, const char *at, int redefinable) {
  (void)at;
  struct og_text name;
  const char *start = og_asm_at(as);
  if (!og_asm_name(as, &name) || !og_asm_comma(as))
    return false;
  if (og_text_is(name, "."))
    return og_asm_error(as, start, 1, "expected identifier");
  /* Before those of its value, as symbols are listed in the order of their first use. */
  struct og_asm_symbol *symbol = og_asm_symbol(as, name);
  struct og_operand_value v;
  const char *value_at = og_asm_at(as);
  if (!og_asm_parse_value(as, &v))
    return false;
  if (v.expr && og_asm_has_specifier(v.expr))
    return og_asm_error(as, value_at, 0, "relocation specifier not permitted in symbol equating");
  return og_asm_set_kept(as, symbol, name, v, redefinable, value_at);
}

/* .lto_set_conditional NAME, SYMBOL: another name of SYMBOL if that is defined. */
OG_DIRECTIVE(conditional_assign) {
  struct og_text name, target;
  const char *start = og_asm_at(as);
  if (!og_asm_name(as, &name) || !og_asm_comma(as) || !og_asm_name(as, &target) || !og_asm_expect_end(as))
    return false;
  og_asm_list(as, ".lto_set_conditional %.*s, %.*s\n", OG_TEXT_ARGS(og_asm_quoted(as, name)),
              OG_TEXT_ARGS(og_asm_quoted(as, target)));
  struct og_asm_symbol *s = og_asm_find_symbol(as, target);
  if (as->options->listing || (s && s->has_alias))
    return true;
  if (s && s->kind != OG_SYMBOL_UNDEFINED)
    return og_asm_alias(as, s, name, start);
  if (!s) { /* listed among the symbols only where it is named again */
    s = og_asm_symbol(as, target);
    as->symbol_order.count--;
    s->passed_over = true;
  }
  struct og_text *alias = OG_NEW(as->arena, struct og_text);
  *alias = name;
  *og_map_at(as->arena, &as->aliases, s->name) = alias;
  s->has_alias = true;
  return true;
}

/* ---- relocations and versions ------------------------------------------------------------------------------------ */

static const struct {
  const char *name;
  uint8_t type;
} relocation_names[] = {
    {"R_AMDGPU_NONE", OG_R_AMDGPU_NONE},
    {"R_AMDGPU_ABS32_LO", OG_R_AMDGPU_ABS32_LO},
    {"R_AMDGPU_ABS32_HI", OG_R_AMDGPU_ABS32_HI},
    {"R_AMDGPU_ABS64", OG_R_AMDGPU_ABS64},
    {"R_AMDGPU_REL32", OG_R_AMDGPU_REL32},
    {"R_AMDGPU_REL64", OG_R_AMDGPU_REL64},
    {"R_AMDGPU_ABS32", OG_R_AMDGPU_ABS32},
    {"R_AMDGPU_GOTPCREL", OG_R_AMDGPU_GOTPCREL},
    {"R_AMDGPU_GOTPCREL32_LO", OG_R_AMDGPU_GOTPCREL32_LO},
    {"R_AMDGPU_GOTPCREL32_HI", OG_R_AMDGPU_GOTPCREL32_HI},
    {"R_AMDGPU_REL32_LO", OG_R_AMDGPU_REL32_LO},
    {"R_AMDGPU_REL32_HI", OG_R_AMDGPU_REL32_HI},
    {"R_AMDGPU_RELATIVE64", OG_R_AMDGPU_RELATIVE64},
    {"R_AMDGPU_REL16", OG_R_AMDGPU_REL16},
    {"BFD_RELOC_NONE", OG_R_AMDGPU_NONE},
    {"BFD_RELOC_32", OG_R_AMDGPU_ABS32},
    {"BFD_RELOC_64", OG_R_AMDGPU_ABS64},
};

OG_DIRECTIVE(relocation) {
  struct og_operand_value place, value = {0};
  if (!og_asm_parse_value(as, &place) || !og_asm_comma(as))
    return false;
  if (!place.expr && place.value < 0)
    return og_asm_error(as, at, 6, ".reloc offset is negative");
  struct og_text name = og_asm_word(as);
  size_t i = 0;
  while (i < OG_COUNT(relocation_names) && !og_text_is(name, relocation_names[i].name))
    i++;
  if (i == OG_COUNT(relocation_names))
    return og_asm_error(as, as->p - name.size, OG_MAX(name.size, 1u),
                        name.size ? "unknown relocation name" : "expected relocation name");
  bool has_value = og_asm_accept(as, ',');
  if (has_value && !og_asm_parse_value(as, &value))
    return false;
  struct og_fixup fixup = {.chunk = as->chunk,
                           .expr = value.expr ? value.expr : og_asm_constant(as, value.value),
                           .kind = OG_FIXUP_NAMED,
                           .size = relocation_names[i].type,
                           .range = og_asm_range(as, at, as->p)};
  og_asm_list(as, "\t.reloc %s, %s%s%s\n", og_asm_listed(as, place), relocation_names[i].name, has_value ? ", " : "",
              has_value ? og_asm_listed(as, value) : "");
  *OG_PUSH(as->arena, &as->relocations) = (struct og_asm_relocation){fixup, place};
  return true;
}

/* .symver NAME, ALIAS@VERSION: @@ makes it the default; @@@ renames the symbol, to @@ where it
 * is defined and to @ elsewhere. */
OG_DIRECTIVE(symbol_version) {
  struct og_text name;
  if (!og_asm_name(as, &name) || !og_asm_expect(as, ',', "expected a comma"))
    return false;
  const char *start = og_asm_at(as);
  while (og_name_char(*as->p) || *as->p == '@')
    as->p++;
  struct og_text alias = {start, (size_t)(as->p - start)};
  if (!memchr(start, '@', alias.size))
    return og_asm_error(as, as->p, 1, "expected a '@' in the name");
  bool removed = og_asm_accept(as, ',');
  if (removed && !og_text_is(og_asm_word(as), "remove"))
    return og_asm_error(as, as->p, 1, "expected 'remove'");
  og_asm_list(as, ".symver %.*s, %.*s%s\n", OG_TEXT_ARGS(og_asm_quoted(as, name)), OG_TEXT_ARGS(alias),
              removed ? ", remove" : "");
  struct og_asm_symbol *s = og_asm_symbol(as, name);
  if (!s->place.source)
    s->place = og_asm_range(as, start, as->p);
  *OG_PUSH(as->arena, &as->versions) = (struct og_asm_version){s, alias, memmem(start, alias.size, "@@@", 3) != NULL};
  return true;
}

/* ALIAS stands for NAME, which need not exist for that. */
OG_DIRECTIVE(weak_reference) {
  struct og_text alias, name;
  const char *start = og_asm_at(as);
  if (!og_asm_name(as, &alias) || !og_asm_expect(as, ',', "expected a comma") || !og_asm_name(as, &name))
    return false;
  struct og_asm_symbol *target = og_asm_late_symbol(as, name), *reference = og_asm_symbol(as, alias);
  if (reference->kind != OG_SYMBOL_UNDEFINED)
    return og_asm_error(as, start, alias.size, "redefinition of '%.*s'", OG_TEXT_ARGS(alias));
  og_asm_list(as, ".weakref %.*s, %.*s\n\n", OG_TEXT_ARGS(og_asm_quoted(as, alias)),
              OG_TEXT_ARGS(og_asm_quoted(as, name)));
  bool used = target->used; /* by others: a symbol that only this names stays weak */
  reference->reference = true;
  reference->kind = OG_SYMBOL_VARIABLE;
  reference->expr = og_asm_symbol_expr(as, target, OG_SPECIFIER_NONE);
  target->used = used;
  target->weakly_named = true;
  return true;
}

static void list_attribute(struct og_asm *as, struct og_text name) {
  og_asm_list(as, "\t%.*s\t%.*s\n", (int)strcspn(as->statement, " \t\n"), as->statement,
              OG_TEXT_ARGS(og_asm_quoted(as, name)));
}

/* Mentioning a symbol puts it into the table. */
OG_DIRECTIVE(mention) {
  struct og_text name;
  if (!og_asm_name(as, &name))
    return false;
  og_asm_symbol(as, name)->used = true;
  list_attribute(as, name);
  return true;
}

/* Attributes that other object formats have: all but one can be listed. */
static bool no_attribute(struct og_asm *as, const char *at, int listed) {
  (void)at;
  struct og_text name;
  const char *start = og_asm_at(as);
  if (!og_asm_name(as, &name))
    return false;
  if (!listed || !as->options->no_object)
    return og_asm_error(as, start, 0, "unable to emit symbol attribute");
  list_attribute(as, name);
  return true;
}

const struct og_directive_row og_symbol_directives[] = {{".globl", attribute, OG_EACH | ATTRIBUTE_GLOBAL},
                                                        {".global", attribute, OG_EACH | ATTRIBUTE_GLOBAL},
                                                        {".weak", attribute, OG_EACH | ATTRIBUTE_WEAK},
                                                        {".local", attribute, OG_EACH | ATTRIBUTE_LOCAL},
                                                        {".hidden", attribute, OG_EACH | ATTRIBUTE_HIDDEN},
                                                        {".protected", attribute, OG_EACH | ATTRIBUTE_PROTECTED},
                                                        {".internal", attribute, OG_EACH | ATTRIBUTE_INTERNAL},
                                                        {".type", type, 0},
                                                        {".size", size, 0},
                                                        {".comm", common, 0},
                                                        {".common", common, 0},
                                                        {".lcomm", common, 1},
                                                        {".set", assign, 1},
                                                        {".equ", assign, 1},
                                                        {".equiv", assign, 0},
                                                        {".addrsig", address_table, 0},
                                                        {".addrsig_sym", address_symbol, 0},
                                                        {".no_dead_strip", mention, OG_EACH},
                                                        {".memtag", mention, OG_EACH},
                                                        {".weak_reference", attribute, OG_EACH | ATTRIBUTE_WEAK},
                                                        {".lto_set_conditional", conditional_assign, 0},
                                                        {".cg_profile", call_profile, 0},
                                                        {".reloc", relocation, 0},
                                                        {".symver", symbol_version, 0},
                                                        {".weakref", weak_reference, 0},
                                                        {".private_extern", no_attribute, 1},
                                                        {".lazy_reference", no_attribute, 1},
                                                        {".reference", no_attribute, 1},
                                                        {".weak_definition", no_attribute, 1},
                                                        {".symbol_resolver", no_attribute, 1},
                                                        {".cold", no_attribute, 0},
                                                        {".weak_def_can_be_hidden", no_attribute, 1},
                                                        {NULL, NULL, 0}};
