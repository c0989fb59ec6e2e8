/* read_globals.c - global variables, aliases, and functions up to their bodies in IR's text. */
#include "ir/reader.h"

#include <string.h>

/* What may stand before every kind of global. */
struct head {
  struct og_ir_global g;
  bool has_linkage;
};

static void read_words(struct og_ir_reader *r, struct head *head) {
  int64_t word = og_ir_take_class(r, OG_IR_W_LINKAGE);
  head->has_linkage = word >= 0;
  head->g.linkage = word < 0 ? OG_IR_EXTERNAL : (uint8_t)word;
  if (og_ir_take_word(r, "dso_local"))
    head->g.dso_local = true;
  else
    og_ir_take_word(r, "dso_preemptable");
  word = og_ir_take_class(r, OG_IR_W_VISIBILITY);
  head->g.visibility = word < 0 ? OG_IR_DEFAULT : (uint8_t)word;
  word = og_ir_take_class(r, OG_IR_W_DLL);
  head->g.dll = word < 0 ? 0 : (uint8_t)word;
  bool local = head->g.linkage == OG_IR_PRIVATE || head->g.linkage == OG_IR_INTERNAL;
  head->g.dso_local |= local || (head->g.visibility != OG_IR_DEFAULT && head->g.linkage != OG_IR_EXTERN_WEAK);
}

static bool read_thread_local(struct og_ir_reader *r, uint8_t *mode) {
  if (!og_ir_take_word(r, "thread_local"))
    return true;
  *mode = 1;
  if (!og_ir_take(r, '('))
    return true;
  int64_t word = og_ir_take_class(r, OG_IR_W_THREAD_LOCAL);
  if (word < 0)
    return og_ir_fail_here(r, "expected localdynamic, initialexec or localexec");
  *mode = (uint8_t)word;
  return og_ir_expect(r, ')', "expected ')' after thread local model");
}

static bool read_comdat(struct og_ir_reader *r, struct og_text own, uint32_t *comdat) {
  struct og_text name = own;
  if (og_ir_take(r, '(')) {
    name = r->lexer.text;
    if (!og_ir_expect(r, OG_IR_T_COMDAT, "expected comdat variable") ||
        !og_ir_expect(r, ')', "expected ')' after comdat var"))
      return false;
  } else if (!own.size) {
    return og_ir_fail_here(r, "comdat cannot be unnamed");
  }
  void **slot = og_map_at(r->arena, &r->comdat_names, name);
  if (!*slot) {
    OG_PUSH(r->arena, &r->m->comdats)->name = og_ir_name(r->m, name);
    *slot = (void *)(uintptr_t)r->m->comdats.count;
  }
  *comdat = (uint32_t)(uintptr_t)*slot;
  return true;
}

static bool read_name(struct og_ir_reader *r, uint32_t *name) {
  struct og_text text;
  if (!og_ir_read_string(r, &text))
    return false;
  *name = og_ir_name(r->m, text);
  return true;
}

/* The global with a name, made if it is new, which must not be defined yet; gets what `head` says. */
static struct og_ir_global *define(struct og_ir_reader *r, bool numbered, struct og_text name, uint32_t number,
                                   og_ir_place place, const struct og_ir_global *as) {
  void **slot = numbered ? NULL : og_map_at(r->arena, &r->global_names, name);
  uint32_t known = numbered ? og_ir_get_number(r, &r->global_numbers, '@', number) : (uint32_t)(uintptr_t)*slot;
  if (!known) {
    og_ir_new_global(r->m, numbered ? 0 : og_ir_name(r->m, name), as->address_space);
    known = r->m->globals.count;
    *OG_PUSH(r->arena, &r->global_places) = place;
    if (numbered)
      og_ir_set_number(r, &r->global_numbers, '@', number, known);
    else
      *slot = (void *)(uintptr_t)known;
  }
  struct og_ir_global *g = &r->m->globals.items[known - 1];
  bool declared = r->more && g->function && !g->function->blocks.count;
  if (g->kind != OG_IR_UNKNOWN && !declared) {
    bool function = as->kind == OG_IR_DEFINITION;
    og_ir_fail(r, place, function ? "invalid redefinition of function '%.*s'" : "redefinition of global '@%.*s'",
               OG_TEXT_ARGS(name));
    return NULL;
  }
  if (g->address_space != as->address_space) {
    og_ir_fail(r, r->global_places.items[known - 1],
               "forward reference and definition of global have different types");
    return NULL;
  }
  uint32_t kept = numbered ? 0 : g->name;
  og_ir_ref self = g->self;
  *g = *as;
  g->name = kept;
  g->self = self;
  return g;
}

static uint32_t index_of(const struct og_ir_reader *r, const struct og_ir_global *g) {
  return (uint32_t)(g - r->m->globals.items);
}

/* ---- aliases ---- */

static bool read_alias(struct og_ir_reader *r, struct head *head, bool ifunc, bool numbered, struct og_text name,
                       uint32_t number, og_ir_place place) {
  og_ir_type type;
  og_ir_ref value;
  og_ir_place at;
  if (!og_ir_read_type(r, &head->g.type, false) || !og_ir_expect(r, ',', "expected comma after alias or ifunc's type"))
    return false;
  at = og_ir_here(r);
  /* A cast or an address may be written without its type, which is then its own. */
  bool expression = og_ir_at_word(r, "bitcast") || og_ir_at_word(r, "getelementptr") ||
                    og_ir_at_word(r, "addrspacecast") || og_ir_at_word(r, "inttoptr");
  if (expression) {
    og_ir_type guess = og_ir_pointer(r->m, 0);
    if (!og_ir_read_constant(r, guess, &value))
      return false;
    type = guess;
  } else if (!og_ir_read_type(r, &type, false) || !og_ir_read_constant(r, type, &value)) {
    return false;
  }
  if (og_ir_kind(r->m, type) != OG_IR_POINTER)
    return og_ir_fail(r, at, "an alias or ifunc must have pointer type");
  head->g.kind = ifunc ? OG_IR_IFUNC : OG_IR_ALIAS;
  head->g.value = value;
  head->g.address_space = (uint32_t)og_ir_type_of(r->m, type)->count;
  while (og_ir_take(r, ','))
    if (!og_ir_expect_word(r, "partition") || !read_name(r, &head->g.partition))
      return false;
  struct og_ir_global *g = define(r, numbered, name, number, place, &head->g);
  if (!g)
    return false;
  g->number = r->m->aliases.count;
  *OG_PUSH(r->arena, &r->m->aliases) = index_of(r, g);
  return true;
}

/* ---- variables ---- */

static const char *const sanitizers[] = {"no_sanitize_address", "no_sanitize_hwaddress", "sanitize_memtag",
                                         "sanitize_address_dyninit"};

static bool read_part(struct og_ir_reader *r, struct og_ir_global *g, struct og_text name) {
  if (og_ir_take_word(r, "section"))
    return read_name(r, &g->section);
  if (og_ir_take_word(r, "partition"))
    return read_name(r, &g->partition);
  if (og_ir_take_word(r, "align"))
    return og_ir_read_align(r, &g->align);
  if (og_ir_take_word(r, "comdat"))
    return read_comdat(r, name, &g->comdat);
  if (og_ir_take_word(r, "code_model")) {
    struct og_text text = r->lexer.text;
    int64_t model = og_ir_at(r) == OG_IR_T_STRING ? og_ir_word(r->words, OG_IR_W_CODE_MODEL, text) : -1;
    if (model < 0)
      return og_ir_fail_here(r, "expected global code model string");
    g->code_model = (uint8_t)model;
    og_ir_next(r);
    return true;
  }
  for (size_t i = 0; i < OG_COUNT(sanitizers); i++)
    if (og_ir_take_word(r, sanitizers[i])) {
      g->sanitizers |= 1u << i;
      return true;
    }
  return og_ir_at(r) == OG_IR_T_METADATA ? og_ir_read_attachments(r, NULL)
                                         : og_ir_fail_here(r, "unknown global variable property!");
}

static bool read_variable(struct og_ir_reader *r, struct head *head, bool numbered, struct og_text name,
                          uint32_t number, og_ir_place place) {
  struct og_ir_global *g = &head->g;
  og_ir_place at = og_ir_here(r);
  if (!og_ir_read_type(r, &g->type, false))
    return false;
  uint8_t kind = og_ir_kind(r->m, g->type);
  if (kind <= OG_IR_TOKEN || kind == OG_IR_FUNCTION)
    return og_ir_fail(r, at, "invalid type for global variable");
  g->kind = OG_IR_VARIABLE;
  bool declaration = head->has_linkage && (g->linkage == OG_IR_EXTERNAL || g->linkage == OG_IR_EXTERN_WEAK);
  struct og_ir_global *defined = define(r, numbered, name, number, place, g);
  if (!defined)
    return false;
  uint32_t index = index_of(r, defined);
  defined->number = r->m->variables.count;
  *OG_PUSH(r->arena, &r->m->variables) = index;
  uint32_t metadata = r->stack.count;
  if (!declaration && !og_ir_read_constant(r, g->type, &g->value))
    return false;
  while (og_ir_take(r, ','))
    if (!read_part(r, g, name))
      return false;
  if (!og_ir_read_attributes(r, true))
    return false;
  g->attachments = og_ir_take_list(r, metadata, 2);
  uint32_t place_of_set = og_ir_pool(r->m, 1);
  og_ir_take_function_set(r, place_of_set, 0, 0);
  g->attributes = place_of_set;
  defined = &r->m->globals.items[index];
  g->name = defined->name;
  g->self = defined->self;
  g->number = defined->number;
  *defined = *g;
  return true;
}

bool og_ir_read_global(struct og_ir_reader *r) {
  bool numbered = og_ir_at(r) == OG_IR_T_GLOBAL_NUMBER;
  uint32_t number = (uint32_t)r->lexer.number;
  struct og_text name = numbered ? (struct og_text){0} : r->lexer.text;
  og_ir_place place = og_ir_here(r);
  if (numbered && number < r->next_global)
    return og_ir_fail(r, place, "variable expected to be numbered '@%u' or greater", r->next_global);
  if (numbered)
    r->next_global = number + 1;
  og_ir_next(r);
  struct head head = {.g = {.value = OG_IR_NONE}};
  if (!og_ir_expect(r, '=', numbered ? "expected '=' after name" : "expected '=' in global variable"))
    return false;
  read_words(r, &head);
  if (!read_thread_local(r, &head.g.thread_local_mode))
    return false;
  int64_t unnamed = og_ir_take_class(r, OG_IR_W_UNNAMED);
  head.g.unnamed = unnamed < 0 ? 0 : (uint8_t)unnamed;
  if (og_ir_at_word(r, "alias") || og_ir_at_word(r, "ifunc")) {
    bool ifunc = og_ir_at_word(r, "ifunc");
    og_ir_next(r);
    return read_alias(r, &head, ifunc, numbered, name, number, place);
  }
  if (!og_ir_read_address_space(r, &head.g.address_space, r->globals_space))
    return false;
  head.g.externally_initialized = og_ir_take_word(r, "externally_initialized");
  head.g.constant = og_ir_at_word(r, "constant");
  if (!og_ir_take_word(r, "global") && !og_ir_take_word(r, "constant"))
    return og_ir_fail_here(r, "expected 'global' or 'constant'");
  return read_variable(r, &head, numbered, name, number, place);
}

/* ---- functions ---- */

bool og_ir_read_convention(struct og_ir_reader *r, uint16_t *convention) {
  *convention = 0;
  if (og_ir_take_word(r, "cc")) {
    uint32_t number;
    if (!og_ir_read_u32(r, &number))
      return false;
    *convention = (uint16_t)OG_MIN(number, 1023u);
    return number <= 1023 || og_ir_fail_here(r, "calling convention is too large");
  }
  int64_t word = og_ir_take_class(r, OG_IR_W_CONVENTION);
  *convention = word < 0 ? 0 : (uint16_t)word;
  return true;
}

struct parameter {
  struct og_text name;
  uint32_t number;
  bool named, numbered;
  og_ir_place place;
};

/* (type attributes %name, …): types and sets alternate on the stack. */
static bool read_parameters(struct og_ir_reader *r, bool *variadic, struct parameter **parameters, uint32_t *count) {
  OG_VECTOR(struct parameter) list = {0};
  *variadic = false;
  if (!og_ir_expect(r, '(', "expected '(' in function argument list"))
    return false;
  while (og_ir_at(r) != ')') {
    if (og_ir_take(r, OG_IR_T_ELLIPSIS)) {
      *variadic = true;
      break;
    }
    og_ir_type type;
    og_ir_place at = og_ir_here(r);
    if (!og_ir_read_type(r, &type, false) || !og_ir_read_attributes(r, false))
      return false;
    if (og_ir_kind(r->m, type) == OG_IR_FUNCTION || type == OG_IR_LABEL)
      return og_ir_fail(r, at, "invalid type for function argument");
    og_ir_stack(r, type);
    uint32_t set = og_ir_take_set(r, 0);
    og_ir_stack(r, set);
    struct parameter *p = OG_PUSH(r->scratch, &list);
    *p = (struct parameter){.named = og_ir_at(r) == OG_IR_T_LOCAL, .numbered = og_ir_at(r) == OG_IR_T_LOCAL_NUMBER,
                            .name = r->lexer.text, .number = (uint32_t)r->lexer.number, .place = og_ir_here(r)};
    if (p->named || p->numbered)
      og_ir_next(r);
    if (!og_ir_take(r, ','))
      break;
  }
  *parameters = list.items;
  *count = list.count;
  return og_ir_expect(r, ')', "expected ')' at end of argument list");
}

/* What may follow the parameters. */
static bool read_tail(struct og_ir_reader *r, struct og_ir_global *g, struct og_text name) {
  struct og_ir_function *f = g->function;
  int64_t unnamed = og_ir_take_class(r, OG_IR_W_UNNAMED);
  g->unnamed = unnamed < 0 ? 0 : (uint8_t)unnamed;
  if (!og_ir_read_address_space(r, &g->address_space, r->program_space) || !og_ir_read_attributes(r, true))
    return false;
  if (og_ir_take_word(r, "section") && !read_name(r, &g->section))
    return false;
  if (og_ir_take_word(r, "partition") && !read_name(r, &g->partition))
    return false;
  if (og_ir_take_word(r, "comdat") && !read_comdat(r, name, &g->comdat))
    return false;
  if (og_ir_take_word(r, "align") && !og_ir_read_align(r, &g->align))
    return false;
  if (og_ir_take_word(r, "gc") && !read_name(r, &f->collector))
    return false;
  og_ir_type type;
  if (og_ir_take_word(r, "prefix") && (!og_ir_read_type(r, &type, false) || !og_ir_read_constant(r, type, &f->prefix)))
    return false;
  if (og_ir_take_word(r, "prologue") &&
      (!og_ir_read_type(r, &type, false) || !og_ir_read_constant(r, type, &f->prologue)))
    return false;
  return !og_ir_take_word(r, "personality") ||
         (og_ir_read_type(r, &type, false) && og_ir_read_constant(r, type, &f->personality));
}

/* The sets of a function or a call: its own, its result's, its parameters'; 0: all are empty. Every second number on
 * the stack, from `from` on, is a set. */
uint32_t og_ir_take_attribute_list(struct og_ir_reader *r, uint32_t result_set, uint32_t from, uint32_t count) {
  bool any = result_set || r->attributes.count || r->groups_named.count;
  for (uint32_t i = 0; i < count && !any; i++)
    any = r->stack.items[from + i * 2 + 1];
  if (!any)
    return 0;
  uint32_t place = og_ir_pool(r->m, count + 2);
  r->m->pool.items[place + 1] = result_set;
  for (uint32_t i = 0; i < count; i++)
    r->m->pool.items[place + 2 + i] = r->stack.items[from + i * 2 + 1];
  og_ir_take_function_set(r, place, 0, 0);
  return place;
}

bool og_ir_read_function(struct og_ir_reader *r, bool definition) {
  og_ir_next(r);
  struct head head = {.g = {.value = OG_IR_NONE, .kind = OG_IR_DEFINITION}};
  struct og_ir_global *g = &head.g;
  uint32_t metadata = r->stack.count;
  og_ir_arena_reset(r);
  if (!definition && !og_ir_read_attachments(r, NULL))
    return false;
  read_words(r, &head);
  g->function = og_ir_new_function(r->m);
  og_ir_type result;
  if (!og_ir_read_convention(r, &g->function->convention) || !og_ir_read_attributes(r, false))
    return false;
  uint32_t result_set = og_ir_take_set(r, 0);
  og_ir_place at = og_ir_here(r);
  if (!og_ir_read_type(r, &result, true))
    return false;
  if (result == OG_IR_LABEL || result == OG_IR_METADATA_TYPE || og_ir_kind(r->m, result) == OG_IR_FUNCTION)
    return og_ir_fail(r, at, "invalid function return type");
  bool numbered = og_ir_at(r) == OG_IR_T_GLOBAL_NUMBER;
  uint32_t number = (uint32_t)r->lexer.number;
  struct og_text name = numbered ? (struct og_text){0} : r->lexer.text;
  og_ir_place place = og_ir_here(r);
  if (!numbered && og_ir_at(r) != OG_IR_T_GLOBAL)
    return og_ir_fail_here(r, "expected function name");
  if (numbered && number < r->next_global)
    return og_ir_fail(r, place, "function expected to be numbered '@%u' or greater", r->next_global);
  if (numbered)
    r->next_global = number + 1;
  og_ir_next(r);
  struct parameter *parameters = NULL;
  uint32_t count = 0, from = r->stack.count;
  bool variadic = false;
  if (!read_parameters(r, &variadic, &parameters, &count) || !read_tail(r, g, name))
    return false;
  g->function->attributes = og_ir_take_attribute_list(r, result_set, from, count);
  uint32_t *types = OG_NEW_ARRAY(r->scratch, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++)
    types[i] = r->stack.items[from + i * 2];
  r->stack.count = from;
  g->type = og_ir_function_type(r->m, result, types, count, variadic);
  if (definition && !og_ir_read_attachments(r, NULL))
    return false;
  g->attachments = og_ir_take_list(r, metadata, 2);
  void **known = r->more ? og_map_at(r->arena, &r->global_names, name) : NULL;
  bool there = known && *known && r->m->globals.items[(uintptr_t)*known - 1].kind != OG_IR_UNKNOWN;
  if (there && !definition)
    return true;
  uint32_t place_there = there ? r->m->globals.items[(uintptr_t)*known - 1].number : 0;
  struct og_ir_global *made = define(r, numbered, name, number, place, g);
  if (!made)
    return false;
  made->number = there ? place_there : r->m->functions.count;
  if (!there)
    *OG_PUSH(r->arena, &r->m->functions) = index_of(r, made);
  made->function->arguments = count;
  og_ir_begin_locals(r, made->function);
  for (uint32_t i = 0; i < count; i++) {
    const struct parameter *p = &parameters[i];
    uint32_t record = og_ir_append(r->m, r->f, UINT32_MAX, OG_IR_ARGUMENT, types[i], 0);
    if (p->named)
      r->f->insts.items[record].name = og_ir_name(r->m, p->name);
    if (!og_ir_define_local(r, !p->named, p->name, p->numbered ? p->number : r->next_local, p->place, record, types[i]))
      return false;
  }
  bool ok = !definition || og_ir_read_body(r);
  r->f = NULL;
  return ok;
}
