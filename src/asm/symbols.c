/* symbols.c - symbols, sections and their bytes. */
#include "asm/internal.h"

#include <string.h>

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

struct og_asm_symbol *og_asm_new_symbol(struct og_asm *as, struct og_text name) {
  if (as->symbols.count % OG_SYMBOL_BLOCK == 0)
    *OG_PUSH(as->arena, &as->symbols.blocks) = OG_NEW_ARRAY(as->arena, struct og_asm_symbol, OG_SYMBOL_BLOCK);
  struct og_asm_symbol *symbol =
      &as->symbols.blocks.items[as->symbols.count / OG_SYMBOL_BLOCK][as->symbols.count % OG_SYMBOL_BLOCK];
  as->symbols.count++;
  symbol->name = name;
  symbol->temporary = name.size >= 2 && name.data[0] == '.' && name.data[1] == 'L';
  return symbol;
}

/* The slot of the name, or the free one where it belongs. Slots are ordered by their hashes' high bits, so that
 * growing reads and writes them sequentially. */
static struct og_symbol_slot *find_slot(const struct og_symbol_table *t, struct og_text name, uint32_t hash) {
  uint32_t mask = (uint32_t)((UINT64_C(1) << t->bits) - 1);
  for (uint32_t i = hash >> (32 - t->bits);; i = (i + 1) & mask) {
    struct og_symbol_slot *slot = &t->slots[i];
    if (!slot->number || (slot->hash == hash && og_name_equal(og_symbol_at(t, slot->number - 1)->name, name)))
      return slot;
  }
}

static void grow(struct og_asm *as, struct og_symbol_table *t) {
  struct og_symbol_table old = *t;
  t->bits = old.bits ? old.bits + 1 : 8;
  t->slots = OG_NEW_ARRAY(as->arena, struct og_symbol_slot, UINT64_C(1) << t->bits);
  uint32_t mask = (uint32_t)((UINT64_C(1) << t->bits) - 1);
  for (uint64_t k = 0; old.bits && k < UINT64_C(1) << old.bits; k++) {
    if (!old.slots[k].number)
      continue;
    uint32_t i = old.slots[k].hash >> (32 - t->bits);
    while (t->slots[i].number)
      i = (i + 1) & mask;
    t->slots[i] = old.slots[k];
  }
}

struct og_asm_symbol *og_asm_find_symbol(const struct og_asm *as, struct og_text name) {
  const struct og_symbol_table *t = &as->symbols;
  uint32_t number = t->bits ? find_slot(t, name, (uint32_t)og_hash(name.data, name.size))->number : 0;
  return number ? og_symbol_at(t, number - 1) : NULL;
}

static struct og_asm_symbol *list_symbol(struct og_asm *as, struct og_asm_symbol *symbol) {
  symbol->passed_over = false;
  return *OG_PUSH(as->arena, &as->symbol_order) = symbol;
}

void og_asm_pass_over(struct og_asm *as, uint32_t known) {
  for (uint32_t i = known; i < as->symbol_order.count; i++)
    as->symbol_order.items[i]->passed_over = true;
  as->symbol_order.count = known;
}

struct og_asm_symbol *og_asm_symbol(struct og_asm *as, struct og_text name) {
  struct og_symbol_table *t = &as->symbols;
  if (!t->bits || t->named >= UINT64_C(1) << t->bits >> 1)
    grow(as, t);
  uint32_t hash = (uint32_t)og_hash(name.data, name.size);
  struct og_symbol_slot *slot = find_slot(t, name, hash);
  struct og_asm_symbol *symbol;
  if (!slot->number) {
    symbol = og_asm_new_symbol(as, name);
    *slot = (struct og_symbol_slot){hash, t->count};
    t->named++;
    return list_symbol(as, symbol);
  }
  symbol = og_symbol_at(t, slot->number - 1);
  return symbol->passed_over ? list_symbol(as, symbol) : symbol;
}

struct og_asm_symbol *og_asm_late_symbol(struct og_asm *as, struct og_text name) {
  uint32_t known = as->symbol_order.count;
  struct og_asm_symbol *symbol = og_asm_symbol(as, name);
  if (as->symbol_order.count != known) {
    as->symbol_order.count = known;
    symbol->passed_over = true;
    *OG_PUSH(as->arena, &as->late_symbols) = symbol;
  }
  return symbol;
}

struct og_asm_symbol *og_asm_place(struct og_asm *as) {
  struct og_asm_symbol *symbol = og_asm_new_symbol(as, (struct og_text){"", 0});
  symbol->temporary = true;
  symbol->kind = OG_SYMBOL_LABEL;
  symbol->chunk = as->chunk;
  symbol->value = (int64_t)og_asm_here(as);
  return symbol;
}

struct og_asm_symbol *og_asm_temporary(struct og_asm *as) {
  struct og_asm_symbol *symbol = og_asm_place(as);
  if (og_asm_listing(as)) {
    char *name = og_arena_printf(as->arena, ".Ltmp%u", as->temporaries++);
    symbol->name = og_text(name);
    og_asm_list(as, "%s:\n", name);
  }
  return symbol;
}

struct og_asm_symbol *og_asm_local_label(struct og_asm *as, unsigned digit, bool forward) {
  struct og_local_label *l = &as->local_labels[digit];
  struct og_asm_symbol **symbol = forward ? &l->next : &l->last;
  if (!*symbol) {
    const char *name = og_asm_listing(as) ? og_arena_printf(as->arena, ".Ltmp%u", as->temporaries++)
                                          : og_arena_printf(as->arena, ".L%u\x02%u", digit, l->count + 1);
    *symbol = og_asm_new_symbol(as, og_text(name));
    (*symbol)->passed_over = true;
  }
  return (*symbol)->passed_over ? list_symbol(as, *symbol) : *symbol;
}

bool og_asm_define_label(struct og_asm *as, struct og_asm_symbol *symbol, const char *at) {
  if (symbol->kind != OG_SYMBOL_UNDEFINED)
    return og_asm_error(as, at, symbol->name.size, "symbol '%.*s' is already defined", OG_TEXT_ARGS(symbol->name));
  symbol->kind = OG_SYMBOL_LABEL;
  symbol->chunk = as->chunk;
  symbol->value = (int64_t)og_asm_here(as);
  if (og_asm_listing(as))
    og_asm_list(as, "%.*s:\n", OG_TEXT_ARGS(og_asm_quoted(as, symbol->name)));
  return !symbol->has_alias ||
         og_asm_alias(as, symbol, *(const struct og_text *)og_map_get(&as->aliases, symbol->name), at);
}

bool og_asm_alias(struct og_asm *as, struct og_asm_symbol *symbol, struct og_text alias, const char *at) {
  const struct og_expr *e = og_asm_symbol_expr(as, symbol, OG_SPECIFIER_NONE);
  return og_asm_set(as, alias, (struct og_operand_value){.expr = e}, false, at);
}

/* True if evaluating `expr` would meet `symbol`. */
static bool mentions(const struct og_expr *e, const struct og_asm_symbol *symbol) {
  switch (e->kind) {
  case OG_EXPR_CONSTANT: return false;
  case OG_EXPR_SYMBOL: return e->symbol == symbol;
  case OG_EXPR_UNARY: return mentions(e->left, symbol);
  case OG_EXPR_BINARY: return mentions(e->left, symbol) || mentions(e->right, symbol);
  default:
    for (uint32_t i = 0; i < e->count; i++)
      if (mentions(e->args[i], symbol))
        return true;
    return false;
  }
}

void og_asm_use_next(struct og_asm *as, const struct og_expr *e, uint32_t *next) {
  if (e->kind == OG_EXPR_SYMBOL) {
    struct og_asm_symbol **order = as->symbol_order.items;
    uint32_t at = *next;
    while (at < as->symbol_order.count && order[at] != e->symbol)
      at++;
    if (at == as->symbol_order.count)
      return;
    memmove(&order[*next + 1], &order[*next], (at - *next) * sizeof *order);
    order[(*next)++] = e->symbol;
  } else if (e->kind == OG_EXPR_UNARY || e->kind == OG_EXPR_BINARY) {
    og_asm_use_next(as, e->left, next);
    if (e->kind == OG_EXPR_BINARY)
      og_asm_use_next(as, e->right, next);
  } else if (e->kind != OG_EXPR_CONSTANT) {
    for (uint32_t i = 0; i < e->count; i++)
      og_asm_use_next(as, e->args[i], next);
  }
}

static bool set(struct og_asm *as, struct og_asm_symbol *symbol, struct og_text name, struct og_operand_value value,
                bool redefinable, const char *at, bool kept) {
  bool free =
      symbol->kind == OG_SYMBOL_UNDEFINED || (symbol->kind == OG_SYMBOL_VARIABLE && symbol->redefinable && redefinable);
  if (!free)
    return og_asm_error(as, at, name.size, "redefinition of '%.*s'", OG_TEXT_ARGS(name));
  if (value.expr && mentions(value.expr, symbol))
    return og_asm_error(as, at, name.size, "recursive use of '%.*s'", OG_TEXT_ARGS(name));
  symbol->kind = OG_SYMBOL_VARIABLE;
  symbol->redefinable = redefinable;
  symbol->expr = value.expr;
  symbol->value = value.value;
  if (symbol != as->next_free_vgpr && symbol != as->next_free_sgpr)
    symbol->temporary = name.size >= 2 && name.data[0] == '.' && name.data[1] == 'L';
  if (og_asm_listing(as)) {
    og_asm_list(as, ".set %.*s, ", OG_TEXT_ARGS(og_asm_quoted(as, name)));
    og_asm_list_expr(as, value);
    og_asm_list(as, "\n");
    if (kept)
      og_asm_list(as, "\t.no_dead_strip\t%.*s\n", OG_TEXT_ARGS(og_asm_quoted(as, name)));
  }
  return true;
}

bool og_asm_set(struct og_asm *as, struct og_text name, struct og_operand_value value, bool redefinable,
                const char *at) {
  if (name.size == 1 && *name.data == '.') /* ". = x" is ".org x" */
    return og_asm_go_to(as, value, at);
  return set(as, og_asm_symbol(as, name), name, value, redefinable, at, false);
}

bool og_asm_set_kept(struct og_asm *as, struct og_asm_symbol *symbol, struct og_text name,
                     struct og_operand_value value, bool redefinable, const char *at) {
  return set(as, symbol, name, value, redefinable, at, true);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* A section's name is a symbol as well, that of the first section of this name; it may have been used before. */
static struct og_asm_symbol *section_symbol(struct og_asm *as, const char *name) {
  struct og_text text = {name, strcspn(name, "\n")}; /* followed by what tells sections of one name apart */
  struct og_asm_symbol *named = og_asm_find_symbol(as, text);
  if (named && !named->passed_over && named->kind != OG_SYMBOL_UNDEFINED && !named->is_section)
    og_asm_error(as, as->statement, 0, "invalid symbol redefinition");
  bool free = !named || named->passed_over || named->kind == OG_SYMBOL_UNDEFINED;
  struct og_asm_symbol *symbol = free ? og_asm_symbol(as, text) : og_asm_new_symbol(as, text);
  if (!free)
    *OG_PUSH(as->arena, &as->symbol_order) = symbol;
  symbol->is_section = true;
  symbol->type = STT_SECTION;
  symbol->kind = OG_SYMBOL_LABEL;
  return symbol;
}

enum { SECTIONS_MOST = 65000 }; /* ELF has 65,279 numbers */

struct og_asm_section *og_asm_section(struct og_asm *as, const char *name, uint32_t type, uint64_t flags) {
  void **slot = og_map_at(as->arena, &as->sections, og_text(name));
  if (*slot)
    return *slot;
  struct og_asm_section *section = OG_NEW(as->arena, struct og_asm_section);
  *section = (struct og_asm_section){.name = name, .type = type, .flags = flags, .alignment = 1};
  section->symbol = section_symbol(as, name);
  section->symbol->chunk = og_asm_subsection(as, section, 0);
  *OG_PUSH(as->arena, &as->section_order) = section;
  if (as->section_order.count > SECTIONS_MOST && !as->stopped) {
    as->stopped = true;
    og_asm_error(as, as->statement, 0, "more than %d sections", SECTIONS_MOST);
  }
  return *slot = section;
}

struct og_chunk *og_asm_subsection(struct og_asm *as, struct og_asm_section *section, int64_t number) {
  struct og_chunk **at = &section->chunks;
  while (*at && (*at)->number < number)
    at = &(*at)->next;
  if (*at && (*at)->number == number)
    return *at;
  struct og_chunk *chunk = OG_NEW(as->arena, struct og_chunk);
  *chunk = (struct og_chunk){.section = section, .number = number, .next = *at};
  return *at = chunk;
}

void og_asm_switch(struct og_asm *as, struct og_chunk *chunk) {
  as->previous_chunk = as->chunk;
  as->outside = false;
  as->chunk = chunk;
}

bool og_asm_all_zero(struct og_asm *as, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i])
      return og_asm_error(as, as->statement, 0, "SHT_NOBITS section '%s' cannot have non-zero initializers",
                          as->chunk->section->name);
  return true;
}

/* `bytes` NULL means zeros. */
bool og_asm_emit(struct og_asm *as, const void *bytes, size_t size) {
  struct og_chunk *chunk = as->chunk;
  if (chunk->section->type != SHT_NOBITS) {
    if (size > OG_ASM_BYTES_MOST - as->emitted)
      return as->stopped = true,
             og_asm_error(as, as->statement, 0, "sections hold more than %d MiB", OG_ASM_BYTES_MOST >> 20);
    as->emitted += size;
    if (bytes)
      og_buffer_append(&chunk->bytes, bytes, size);
    else
      og_buffer_extend(&chunk->bytes, size);
    return true;
  }
  if (bytes && !og_asm_all_zero(as, bytes, size))
    return false;
  chunk->size += size;
  return true;
}

void og_asm_emit_fixup(struct og_asm *as, unsigned size, enum og_fixup_kind kind, uint64_t offset,
                       const struct og_expr *expr, struct og_range range) {
  *OG_PUSH(as->arena, &as->fixups) = (struct og_fixup){
      .chunk = as->chunk, .offset = offset, .expr = expr, .range = range, .kind = (uint8_t)kind, .size = (uint8_t)size};
}
