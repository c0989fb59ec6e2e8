/* finish.c - once all is read and laid out: fixups, relocations and the object's tables. */
#include "asm/internal.h"

#include <string.h>

static bool defined(const struct og_asm_symbol *s) { return s->kind == OG_SYMBOL_LABEL; }

static void finish_binding(struct og_asm *as, struct og_asm_symbol *s) {
  (void)as;
  if (!s->binding_set && s->weakly_named && !s->used && s->kind == OG_SYMBOL_UNDEFINED)
    s->binding = STB_WEAK;
  else if (!s->binding_set && !s->in_lines &&
           ((s->kind == OG_SYMBOL_UNDEFINED && (!s->signature || s->used)) || s->kind == OG_SYMBOL_COMMON ||
            s->kind == OG_SYMBOL_LDS))
    s->binding = STB_GLOBAL;
}

/* ---- fixups ------------------------------------------------------------------------------------------------------ */

static const uint8_t specifier_relocations[OG_SPECIFIER_COUNT] = {
    [OG_SPECIFIER_GOTPCREL] = OG_R_AMDGPU_GOTPCREL,
    [OG_SPECIFIER_GOTPCREL32_LO] = OG_R_AMDGPU_GOTPCREL32_LO,
    [OG_SPECIFIER_GOTPCREL32_HI] = OG_R_AMDGPU_GOTPCREL32_HI,
    [OG_SPECIFIER_REL32_LO] = OG_R_AMDGPU_REL32_LO,
    [OG_SPECIFIER_REL32_HI] = OG_R_AMDGPU_REL32_HI,
    [OG_SPECIFIER_REL64] = OG_R_AMDGPU_REL64,
    [OG_SPECIFIER_ABS32_LO] = OG_R_AMDGPU_ABS32_LO,
    [OG_SPECIFIER_ABS32_HI] = OG_R_AMDGPU_ABS32_HI,
    [OG_SPECIFIER_ABS64] = OG_R_AMDGPU_ABS64};

struct pending_relocation {
  const struct og_fixup *fixup;
  uint64_t place; /* in the fixup's section */
  struct og_asm_symbol *symbol;
  int64_t addend;
  uint32_t type;
};
typedef OG_VECTOR(struct pending_relocation) relocation_list;

static bool fixup_error(struct og_asm *as, const struct og_fixup *f, const char *message) {
  return og_error(as->diagnostics, f->range, "%s", message);
}

static bool store(struct og_asm *as, const struct og_fixup *f, int64_t place, int64_t value) {
  uint8_t *at = f->chunk->section->bytes.data + place;
  if (f->kind == OG_FIXUP_BRANCH) {
    if (value & 3)
      return fixup_error(as, f, "branch target is not a multiple of 4 bytes away");
    int64_t words = (value - 4) / 4;
    if (words < -32768 || words > 32767)
      return fixup_error(as, f, "branch size exceeds simm16");
    og_store16(at, (uint16_t)words);
    return true;
  }
  if (f->size < 8 && (value < -(INT64_C(1) << (f->size * 8 - 1)) || value >= INT64_C(1) << f->size * 8))
    return og_error(as->diagnostics, f->range, "value evaluated as %lld is out of range.", (long long)value);
  for (unsigned i = 0; i < f->size; i++)
    at[i] = (uint8_t)((uint64_t)value >> (8 * i));
  return true;
}

/* Relocations that drivers fill in outside HSA: the scratch buffer's descriptor. */
static bool is_scratch_descriptor(struct og_text name) {
  return og_text_is(name, "SCRATCH_RSRC_DWORD0") || og_text_is(name, "SCRATCH_RSRC_DWORD1");
}

static bool add_relocation(struct og_asm *as, const struct og_fixup *f, int64_t place, struct og_value v, bool pcrel,
                           relocation_list *list) {
  uint32_t type = specifier_relocations[v.specifier];
  if (f->kind == OG_FIXUP_NAMED)
    type = f->size;
  else if (v.add && is_scratch_descriptor(v.add->name))
    type = OG_R_AMDGPU_ABS32_LO;
  else if (f->kind == OG_FIXUP_BRANCH)
    type = OG_R_AMDGPU_REL16, store(as, f, place, 0); /* as LLVM fills it: it counts from behind the branch */
  else if (!v.specifier && f->size == 4)
    type = pcrel ? OG_R_AMDGPU_REL32 : OG_R_AMDGPU_ABS32;
  else if (!v.specifier && f->size == 8)
    type = pcrel ? OG_R_AMDGPU_REL64 : OG_R_AMDGPU_ABS64;
  else if (!v.specifier)
    return og_error(as->diagnostics, f->range,
                    "a symbol's address does not fit %u byte%s, and there is no relocation for it", f->size,
                    f->size == 1 ? "" : "s");
  struct og_asm_symbol *symbol = v.add;
  if (symbol && symbol->kind == OG_SYMBOL_VARIABLE && symbol->expr) {
    struct og_value inner;
    if (symbol->binding == STB_LOCAL && og_asm_evaluate(as, symbol->expr, &inner, NULL) && inner.add && !inner.sub &&
        !inner.specifier)
      symbol = inner.add, v.constant += inner.constant;
  }
  if (symbol && symbol->kind == OG_SYMBOL_UNDEFINED && symbol->temporary && !symbol->in_lines)
    return og_error(as->diagnostics, f->range, "undefined temporary symbol '%.*s'", OG_TEXT_ARGS(symbol->name));
  if (symbol && defined(symbol) && symbol->binding == STB_LOCAL && !symbol->is_section) {
    struct og_asm_section *section = symbol->chunk->section;
    if (!((section->flags & SHF_MERGE) && v.constant)) {
      v.constant += (int64_t)og_asm_address(symbol);
      symbol = section->symbol;
    }
  }
  if (symbol && !symbol->in_lines)
    symbol->relocated = true;
  *OG_PUSH(as->arena, list) = (struct pending_relocation){f, (uint64_t)place, symbol, v.constant, type};
  return true;
}

static bool resolve(struct og_asm *as, const struct og_fixup *f, int64_t place, relocation_list *list) {
  struct og_value v;
  const char *why;
  if (!og_asm_evaluate(as, f->expr, &v, &why))
    return fixup_error(as, f, why);
  struct og_asm_section *section = f->chunk->section;
  bool pcrel = f->kind == OG_FIXUP_BRANCH || (f->kind == OG_FIXUP_PCREL && !v.sub && v.add);
  if (v.sub) {
    if (v.sub->kind == OG_SYMBOL_UNDEFINED)
      return og_error(as->diagnostics, f->range, "symbol '%.*s' can not be undefined in a subtraction expression",
                      OG_TEXT_ARGS(v.sub->name));
    if (!v.add || !defined(v.sub) || v.sub->chunk->section != section)
      return fixup_error(as, f, "Cannot represent a difference across sections");
    v.constant += place - (int64_t)og_asm_address(v.sub);
    pcrel = true;
  }
  if (f->kind == OG_FIXUP_BRANCH && v.add && v.add->kind == OG_SYMBOL_UNDEFINED)
    return og_error(as->diagnostics, f->range, "undefined label '%.*s'", OG_TEXT_ARGS(v.add->name));
  if (f->kind == OG_FIXUP_NAMED)
    return add_relocation(as, f, place, v, false, list);
  if (!v.add)
    return store(as, f, place, f->kind == OG_FIXUP_BRANCH ? v.constant - place : v.constant);
  if (pcrel && !v.specifier && defined(v.add) && v.add->binding == STB_LOCAL && v.add->chunk->section == section)
    return store(as, f, place, (int64_t)og_asm_address(v.add) + v.constant - place);
  return add_relocation(as, f, place, v, pcrel, list);
}

/* .reloc OFFSET: a number in the section, or a label's place. */
static bool resolve_named(struct og_asm *as, struct og_asm_relocation *r, relocation_list *list) {
  struct og_value v = {.constant = r->place.value};
  const char *why = NULL;
  if (r->place.expr && !og_asm_evaluate(as, r->place.expr, &v, &why))
    return fixup_error(as, &r->fixup, why ? why : "expected relocatable expression");
  if (v.sub || (v.add && !defined(v.add)))
    return fixup_error(as, &r->fixup,
                       v.sub ? "the offset of .reloc must be a number or a label" : "unresolved relocation offset");
  if (v.add)
    r->fixup.chunk = v.add->chunk;
  return resolve(as, &r->fixup, (int64_t)((v.add ? og_asm_address(v.add) : 0) + (uint64_t)v.constant), list);
}

/* ---- the object's tables ----------------------------------------------------------------------------------------- */

/* Sections begin at multiples of their alignment in the file too. */
static bool alignments_fit(struct og_asm *as) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < as->section_order.count; i++) {
    const struct og_asm_section *s = as->section_order.items[i];
    most += s->alignment;
    if (most > OG_ASM_BYTES_MOST)
      return og_error_in(as->diagnostics, NULL,
                         "section '%s': alignment to %llu bytes makes a file of more than %d MiB", s->name,
                         (unsigned long long)s->alignment, OG_ASM_BYTES_MOST >> 20);
  }
  return true;
}

static void add_sections(struct og_asm *as) {
  for (uint32_t i = 0; i < as->section_order.count; i++) {
    struct og_asm_section *s = as->section_order.items[i];
    s->index = og_object_add_section(as->object, s->name, s->type, s->flags, s->alignment);
    struct og_section *out = &as->object->sections.items[s->index];
    out->size = s->size;
    out->entry_size = s->entry_size;
    out->group = s->group;
    out->plain_group = s->plain_group;
    if (s->linked && defined(s->linked))
      out->link = s->linked->chunk->section->index;
    if (s->type != SHT_NOBITS)
      out->data = (const uint8_t *)og_arena_copy(as->arena, (const char *)s->bytes.data, s->bytes.size);
  }
}

/* An alias's type, from its own type and that of its target. */
static uint8_t alias_type(uint8_t own, uint8_t base) {
  static const uint32_t yields[] = {/* by the type given to the alias */
      [STT_OBJECT] = 1u << STT_NOTYPE,
      [STT_FUNC] = 1u << STT_NOTYPE | 1u << STT_OBJECT | 1u << STT_TLS,
      [STT_TLS] = 1u << STT_NOTYPE | 1u << STT_OBJECT | 1u << STT_FUNC | 1u << STT_GNU_IFUNC,
      [STT_GNU_IFUNC] = 1u << STT_NOTYPE | 1u << STT_OBJECT | 1u << STT_FUNC | 1u << STT_TLS};
  return own < OG_COUNT(yields) && yields[own] >> base & 1 ? own : base;
}

/* The size of an alias without one: that of the nearest name in its chain that has one, else of the last. */
static const struct og_expr *alias_size(const struct og_asm_symbol *s, const struct og_asm_symbol *base) {
  for (; s->kind == OG_SYMBOL_VARIABLE && s->expr && s->expr->kind == OG_EXPR_SYMBOL; s = s->expr->symbol)
    if (s->size)
      return s->size;
  return s->size ? s->size : base->size;
}

static bool place_symbol(struct og_asm *as, struct og_asm_symbol *s, struct og_symbol *out,
                         const struct og_expr **size) {
  struct og_value v;
  const char *why;
  switch (s->kind) {
  case OG_SYMBOL_LABEL:
    out->section = s->chunk->section->index;
    out->value = og_asm_address(s);
    return true;
  case OG_SYMBOL_COMMON:
  case OG_SYMBOL_LDS:
    out->section = s->kind == OG_SYMBOL_COMMON ? OG_SECTION_COMMON : OG_SECTION_LDS;
    out->value = s->alignment;
    out->size = (uint64_t)s->value;
    return true;
  case OG_SYMBOL_VARIABLE:
    out->section = OG_SECTION_ABSOLUTE;
    out->value = (uint64_t)s->value;
    if (!s->expr)
      return true;
    if (!og_asm_evaluate(as, s->expr, &v, &why))
      return og_error(as->diagnostics, s->place, "%s", why);
    out->value = (uint64_t)v.constant;
    if (v.sub || (v.add && !defined(v.add))) /* an alias of an undefined symbol: not in the symbol table */
      return v.sub
                 ? og_error(as->diagnostics, s->place, "expression of '%.*s' is not relocatable", OG_TEXT_ARGS(s->name))
                 : true;
    if (v.add) {
      out->section = v.add->chunk->section->index;
      out->value += og_asm_address(v.add);
      out->type = alias_type(s->type, v.add->is_section ? STT_NOTYPE : v.add->type);
      *size = alias_size(s, v.add);
    }
    return true;
  default: return true;
  }
}

/* A variable that stands for an undefined symbol is no symbol itself. */
static bool is_outside(struct og_asm *as, const struct og_asm_symbol *s) {
  struct og_value v;
  return s->kind == OG_SYMBOL_VARIABLE && s->expr && og_asm_evaluate(as, s->expr, &v, NULL) && !v.sub && v.add &&
         v.add->kind == OG_SYMBOL_UNDEFINED;
}

static bool in_table(struct og_asm *as, const struct og_asm_symbol *s) {
  if (s->reference)
    return false;
  if (s->signature)
    return true;
  if (s->relocated)
    return true;
  if (s->temporary || s->is_section || is_outside(as, s))
    return false;
  if (s->kind == OG_SYMBOL_LDS)
    return s->used || s->binding_set;
  return s->kind != OG_SYMBOL_UNDEFINED || s->in_lines || s->binding_set || s->used;
}

/* Names as the object has them, one behind the other. */
struct name_block {
  char *next;
};

static struct og_text name_of(const struct og_asm *as, const struct og_asm_symbol *s) {
  return s->renamed ? *(const struct og_text *)og_map_get(&as->renames, s->name) : s->name;
}

static const char *name_in(struct name_block *names, struct og_text name) {
  char *at = memcpy(names->next, name.data, name.size);
  names->next += name.size + 1;
  return at;
}

static bool add_symbol(struct og_asm *as, struct og_asm_symbol *s, struct name_block *names) {
  struct og_symbol out = {.name = s->is_section ? "" : name_in(names, name_of(as, s)),
                          .binding = s->binding,
                          .type = s->type,
                          .visibility = s->visibility};
  const struct og_expr *size_expr = s->size;
  if (!place_symbol(as, s, &out, &size_expr))
    return false;
  if (out.type == STT_COMMON) /* what LLVM makes of it */
    out.type = STT_OBJECT;
  int64_t size;
  if (size_expr) {
    if (!og_asm_evaluate_absolute(as, size_expr, &size))
      return og_error(as->diagnostics, s->place, "size expression of '%.*s' must be absolute",
                      OG_TEXT_ARGS(name_of(as, s)));
    out.size = (uint64_t)size;
  }
  s->index = og_object_add_symbol(as->object, out);
  return true;
}

static bool add_symbols(struct og_asm *as) {
  struct name_block names;
  uint32_t kept = 0;
  size_t size = 1;
  bool ok = true;
  for (uint32_t i = 0; i < as->symbol_order.count; i++)
    if (in_table(as, as->symbol_order.items[i])) {
      as->symbol_order.items[kept++] = as->symbol_order.items[i];
      size += name_of(as, as->symbol_order.items[i]).size + 1;
    }
  as->symbol_order.count = kept;
  names.next = og_arena_alloc(as->arena, size);
  OG_RESERVE(as->arena, &as->object->symbols, kept);
  for (uint32_t i = 0; i < kept; i++)
    ok = add_symbol(as, as->symbol_order.items[i], &names) && ok;
  return ok;
}

static void rename_symbol(struct og_asm *as, struct og_asm_symbol *s, struct og_text name) {
  struct og_text *own = OG_NEW(as->arena, struct og_text);
  *own = name;
  *og_map_at(as->arena, &as->renames, s->name) = own;
  s->renamed = true;
}

static bool add_version(struct og_asm *as, const struct og_asm_version *v) {
  if (!defined(v->symbol) && !v->symbol->relocated &&
      (v->instead || !memmem(v->alias.data, v->alias.size, "@@", 2))) /* named only here: in no table */
    return v->symbol->reference = true;
  struct og_text name = v->alias;
  struct og_asm_symbol *s = v->symbol;
  if (v->instead) {
    const char *at = memmem(name.data, name.size, "@@@", 3);
    int stem = (int)(at - name.data), tail = (int)name.size - stem - 3;
    rename_symbol(as, s, og_text(og_arena_printf(as->arena, "%.*s%s%.*s", stem, name.data, defined(s) ? "@@" : "@",
                                                 tail, at + 3)));
    return true;
  }
  if (!defined(s) && memmem(name.data, name.size, "@@", 2))
    return og_error(as->diagnostics, s->place, "default version symbol %.*s must be defined", OG_TEXT_ARGS(name));
  if (!defined(s)) {
    rename_symbol(as, s, name);
    return true;
  }
  struct og_asm_symbol *alias = og_asm_new_symbol(as, name);
  *alias = (struct og_asm_symbol){.name = name,
                                  .kind = s->kind,
                                  .binding = s->binding,
                                  .type = s->type,
                                  .visibility = s->visibility,
                                  .chunk = s->chunk,
                                  .value = s->value,
                                  .size = s->size,
                                  .place = s->place};
  *OG_PUSH(as->arena, &as->symbol_order) = alias;
  return true;
}

/* The ends of .cg_profile's edges: symbols like others, a local one without a name being its section. */
static bool resolve_calls(struct og_asm *as, const struct og_asm_calls *calls, struct og_asm_symbol **ends) {
  for (int i = 0; i < 2; i++) {
    struct og_asm_symbol *s = og_asm_symbol(as, calls->ends[i]);
    if (s->temporary && s->kind == OG_SYMBOL_UNDEFINED)
      return og_error(as->diagnostics, calls->places[i], "Reference to undefined temporary symbol `%.*s`",
                      OG_TEXT_ARGS(s->name));
    ends[i] = s->temporary && defined(s) ? s->chunk->section->symbol : s;
    ends[i]->relocated = ends[i]->used = true;
    finish_binding(as, ends[i]);
  }
  return true;
}

static void add_calls(struct og_asm *as, struct og_asm_symbol *const (*ends)[2]) {
  for (uint32_t i = 0; i < as->calls.count; i++)
    *OG_PUSH(as->arena, &as->object->calls) =
        (struct og_calls){ends[i][0]->index, ends[i][1]->index, as->calls.items[i].count};
}

static void put_relocation(struct og_asm *as, const struct pending_relocation *r, uint32_t symbol, uint64_t place) {
  /* LLVM's .reloc writes none where the table has no place for it. */
  bool lost = r->fixup->kind == OG_FIXUP_NAMED && as->object->os_abi != OG_OSABI_HSA;
  og_object_add_relocation(as->object, (struct og_relocation){.section = r->fixup->chunk->section->index,
                                                              .offset = r->place,
                                                              .type = r->type,
                                                              .symbol = symbol,
                                                              .addend = lost ? 0 : r->addend + (int64_t)place});
}

/* Label-relative places in the line table become relative to its section, which did not exist before. */
static void add_line_labels(struct og_asm *as, const relocation_list *list) {
  uint32_t section = og_object_find_section(as->object, ".debug_line"), symbol = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    const struct pending_relocation *r = &list->items[i];
    if (!r->symbol || !r->symbol->in_lines)
      continue;
    if (!symbol)
      symbol =
          og_object_add_symbol(as->object, (struct og_symbol){.name = "", .section = section, .type = STT_SECTION});
    put_relocation(as, r, symbol, (uint64_t)r->symbol->value);
  }
}

bool og_asm_finish(struct og_asm *as) {
  if (as->frame)
    return og_error(as->diagnostics, as->frame->range, "Unfinished frame! .cfi_startproc without .cfi_endproc");
  bool laid_out = !as->options->no_object; /* not when only listing or checking */
  if (laid_out && (!alignments_fit(as) || !og_asm_settle(as)))
    return false;
  bool ok = og_asm_write_frames(as);
  ok = og_asm_pal_finish(as) && ok;
  if (!laid_out)
    return ok;
  og_asm_write_sections(as);
  for (uint32_t i = 0; i < as->late_symbols.count; i++)
    og_asm_symbol(as, as->late_symbols.items[i]->name);
  for (uint32_t i = 0; i < as->symbol_order.count; i++)
    finish_binding(as, as->symbol_order.items[i]);
  ok = og_asm_descriptors_finish(as) && ok;
  ok = og_asm_kernel_codes_finish(as) && ok;
  relocation_list list = {0};
  for (uint32_t i = 0; i < as->fixups.count; i++) {
    const struct og_fixup *f = &as->fixups.items[i];
    ok = resolve(as, f, (int64_t)og_asm_offset(f->chunk, f->offset), &list) && ok;
  }
  for (int labels = 0; labels < 2; labels++) /* those at labels come behind those at numbers */
    for (uint32_t i = 0; i < as->relocations.count; i++)
      if ((as->relocations.items[i].place.expr != NULL) == labels)
        ok = resolve_named(as, &as->relocations.items[i], &list) && ok;
  for (uint32_t i = 0; i < as->versions.count; i++)
    ok = add_version(as, &as->versions.items[i]) && ok;
  struct og_asm_symbol *(*ends)[2] = og_arena_alloc(as->arena, sizeof *ends * (as->calls.count + 1));
  for (uint32_t i = 0; i < as->calls.count; i++)
    ok = resolve_calls(as, &as->calls.items[i], ends[i]) && ok;
  add_sections(as);
  for (uint32_t i = 0; i < as->debug.lines.count; i++) /* the line table counts from there */
    as->debug.lines.items[i].chunk->section->symbol->relocated |= !as->debug.lines.items[i].label;
  ok = add_symbols(as) && ok;
  for (uint32_t i = 0; i < as->address_symbols.count; i++) {
    const struct og_asm_symbol *symbol = as->address_symbols.items[i];
    if (!symbol->index && symbol->temporary && symbol->kind == OG_SYMBOL_LABEL) /* its section stands for it */
      symbol = symbol->chunk->section->symbol;
    if (symbol->index)
      *OG_PUSH(as->arena, &as->object->address_symbols) = symbol->index;
  }
  if (ok)
    add_calls(as, ends);
  OG_RESERVE(as->arena, &as->object->relocations, list.count);
  for (uint32_t i = 0; i < list.count; i++)
    if (!list.items[i].symbol || !list.items[i].symbol->in_lines)
      put_relocation(as, &list.items[i], list.items[i].symbol ? list.items[i].symbol->index : 0, 0);
  if (ok)
    og_asm_add_lines(as), add_line_labels(as, &list), og_asm_add_probes(as);
  return ok;
}
