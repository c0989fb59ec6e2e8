/* link.c - the first half of `offgrid ld`: symbol resolution, garbage collection, allocation of LDS; and its steps in
 * order. */
#include "object/kernel/kernel.h"
#include "object/link/linker.h"

#include <inttypes.h>
#include <string.h>

#define FAIL(ld, object, ...) og_error_in((ld)->diagnostics, (object)->elf->name, __VA_ARGS__)

/* ---- symbol resolution ------------------------------------------------------------------------------------------- */

static enum ld_state state_of(const struct ld_object *object, const struct og_symbol *symbol) {
  switch (symbol->section) {
  case OG_SECTION_UNDEFINED: return LD_UNDEFINED;
  case OG_SECTION_ABSOLUTE: return LD_ABSOLUTE;
  case OG_SECTION_COMMON: return LD_COMMON;
  case OG_SECTION_LDS: return LD_LDS;
  case OG_SECTION_OTHER: return LD_ABSOLUTE;
  }
  /* what stands in a repeated COMDAT group is defined elsewhere */
  return object->sections[symbol->section].in == NULL ? LD_UNDEFINED : LD_DEFINED;
}

static uint8_t constrain(uint8_t a, uint8_t b) {
  if (a == STV_DEFAULT || b == STV_DEFAULT)
    return a == STV_DEFAULT ? b : a;
  return OG_MIN(a, b); /* internal, hidden, protected */
}

static void define(struct ld_symbol *global, struct ld_object *object, const struct og_symbol *symbol,
                   enum ld_state state) {
  global->object = object;
  global->symbol = symbol;
  global->state = state;
  global->binding = symbol->binding;
  global->type = symbol->type;
  global->size = symbol->size;
  global->alignment = state == LD_COMMON || state == LD_LDS ? OG_MAX(symbol->value, 1) : 1;
}

static bool merge_shared(struct linker *ld, struct ld_symbol *global, struct ld_object *object,
                         const struct og_symbol *symbol) {
  if (global->state == LD_LDS && global->size != symbol->size && global->size && symbol->size)
    return FAIL(ld, object, "LDS symbol '%s' has %" PRIu64 " bytes here and %" PRIu64 " in %s", symbol->name,
                symbol->size, global->size, global->object->elf->name);
  global->size = OG_MAX(global->size, symbol->size);
  global->alignment = OG_MAX(global->alignment, symbol->value);
  return true;
}

bool ld_is_reference(const struct ld_object *object, const struct og_symbol *symbol) {
  return state_of(object, symbol) == LD_UNDEFINED;
}

struct ld_symbol *ld_symbol_named(struct linker *ld, const char *name, struct ld_object *object) {
  static const struct og_symbol undefined = {.binding = STB_WEAK};
  struct ld_symbol **slot = (struct ld_symbol **)og_map_at(ld->arena, &ld->names, og_text(name));
  if (!*slot) {
    *slot = OG_NEW(ld->arena, struct ld_symbol);
    (*slot)->name = name;
    define(*slot, object, &undefined, LD_UNDEFINED);
    *OG_PUSH(ld->arena, &ld->symbols) = *slot;
  }
  return *slot;
}

static void refer(struct ld_symbol *global, struct ld_object *object, const struct og_symbol *symbol) {
  if (global->state == LD_UNDEFINED && !global->strong_reference)
    define(global, object, symbol, LD_UNDEFINED); /* for messages, and for the loader's sake */
  global->referenced = true;
  global->strong_reference |= symbol->binding != STB_WEAK;
}

static bool add_definition(struct linker *ld, struct ld_symbol *global, struct ld_object *object,
                           const struct og_symbol *symbol, enum ld_state state) {
  if (global->fixed)
    return true;
  if (global->state == LD_UNDEFINED)
    return define(global, object, symbol, state), true;
  if (state == global->state && (state == LD_LDS || state == LD_COMMON))
    return merge_shared(ld, global, object, symbol);
  bool weak = symbol->binding == STB_WEAK || state == LD_COMMON;
  bool global_weak = global->binding == STB_WEAK || global->state == LD_COMMON;
  if (global_weak && !weak)
    define(global, object, symbol, state);
  else if (!global_weak && !weak && !ld->options->allow_multiple)
    return FAIL(ld, object, "duplicate symbol '%s': also defined in %s", symbol->name, global->object->elf->name);
  return true;
}

bool ld_add_symbol(struct linker *ld, struct ld_object *object, uint32_t index) {
  const struct og_symbol *symbol = &object->elf->symbols.items[index];
  enum ld_state state = state_of(object, symbol);
  struct ld_symbol *global = ld_symbol_named(ld, symbol->name, object);
  object->globals[index] = global;
  global->visibility = constrain(global->visibility, symbol->visibility);
  if (state == LD_UNDEFINED)
    return refer(global, object, symbol), true;
  return add_definition(ld, global, object, symbol, state);
}

static void note_uses(struct linker *ld) {
  for (uint32_t o = 0; o < ld->objects.count; o++) {
    const struct ld_object *object = ld->objects.items[o];
    for (uint32_t i = 0; i < object->elf->relocations.count; i++) {
      const struct og_relocation *r = &object->elf->relocations.items[i];
      struct ld_symbol *s = object->globals[r->symbol];
      if (s && object->elf->sections.items[r->section].flags & SHF_ALLOC)
        s->in_memory = true;
      else if (s)
        s->in_debug = true;
    }
  }
}

/* Symbols that only debug information names may be missing: clang's still lists LDS variables that became part of
 * others. */
static bool check_undefined(struct linker *ld) {
  bool good = true;
  note_uses(ld);
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    const struct ld_symbol *s = ld->symbols.items[i];
    bool open = ld->options->undefined != OG_UNDEFINED_ERROR &&
                (s->visibility == STV_DEFAULT || s->visibility == STV_PROTECTED);
    bool gone = (s->in_debug || s->wrapped) && !s->in_memory;
    if (s->state != LD_UNDEFINED || !s->strong_reference || gone)
      continue;
    if (!open)
      good = FAIL(ld, s->object, "undefined symbol '%s'", s->name);
    else if (ld->options->undefined == OG_UNDEFINED_WARNING)
      og_report(ld->diagnostics, OG_SEVERITY_WARNING, (struct og_range){0}, "%s: undefined symbol '%s'",
                s->object->elf->name, s->name);
  }
  return good;
}

/* ---- garbage collection ------------------------------------------------------------------------------------------ */

bool ld_is_table(const struct og_section *s) {
  switch (s->type) {
  case SHT_NULL:
  case SHT_SYMTAB:
  case SHT_STRTAB:
  case SHT_RELA:
  case SHT_REL:
  case SHT_GROUP:
  case SHT_SYMTAB_SHNDX: return true;
  }
  return false;
}

static bool is_dropped(const struct og_section *s) {
  return ld_is_table(s) || s->flags & SHF_EXCLUDE || strcmp(s->name, ".note.GNU-stack") == 0 ||
         strncmp(s->name, ".llvm", 5) == 0;
}

struct marker {
  struct linker *ld;
  OG_VECTOR(struct ld_section *) pending;
};

/* -S and -s leave debug information out. */
static bool is_stripped(const struct linker *ld, const struct og_section *s) {
  bool debug = strncmp(s->name, ".debug", 6) == 0 || strncmp(s->name, ".zdebug", 7) == 0;
  return (ld->options->strip_debug || ld->options->strip_all) && !(s->flags & SHF_ALLOC) && debug;
}

static void mark(struct marker *m, struct ld_section *s) {
  if (!s->in || s->live || is_dropped(s->in) || is_stripped(m->ld, s->in))
    return;
  s->live = true;
  *OG_PUSH(m->ld->arena, &m->pending) = s;
}

static void mark_symbol(struct marker *m, const struct ld_object *object, uint32_t index) {
  const struct ld_symbol *global = object->globals[index];
  const struct og_symbol *symbol = global ? global->symbol : &object->elf->symbols.items[index];
  const struct ld_object *home = global ? global->object : object;
  if (symbol->section != OG_SECTION_UNDEFINED && symbol->section < home->elf->sections.count)
    mark(m, &home->sections[symbol->section]);
}

static void tell_removed(const struct linker *ld) {
  for (uint32_t o = 0; ld->options->removed && o < ld->objects.count; o++) {
    const struct ld_object *object = ld->objects.items[o];
    for (uint32_t i = 1; i < object->elf->sections.count; i++)
      if (object->sections[i].in && !object->sections[i].live && !is_dropped(object->sections[i].in))
        og_buffer_printf(ld->options->removed, "removing unused section %s:(%s)\n", object->elf->name,
                         object->sections[i].in->name);
  }
}

static bool is_kept_by_name(const struct linker *ld, const char *name) {
  if (ld->options->entry && strcmp(ld->options->entry, name) == 0)
    return true;
  for (const char *const *keep = ld->options->keep; keep && *keep; keep++)
    if (strcmp(*keep, name) == 0)
      return true;
  return false;
}

/* Somebody walks over the section from its start to its end. */
static bool is_bounded(const struct linker *ld, const char *section) {
  for (uint32_t i = 0; ld->bounded && i < ld->symbols.count; i++) {
    const struct ld_symbol *s = ld->symbols.items[i];
    if (s->state == LD_EDGE && strcmp(s->edge_of, section) == 0 && ld_named_section(s->name, &(bool){false}))
      return true;
  }
  return false;
}

static void collect(struct linker *ld) {
  struct marker m = {.ld = ld};
  bool gc = ld->options->gc_sections;
  for (uint32_t o = 0; o < ld->objects.count; o++)
    for (uint32_t i = 1; i < ld->objects.items[o]->elf->sections.count; i++) {
      struct ld_section *s = &ld->objects.items[o]->sections[i];
      if (!s->in)
        continue;
      if (!gc || !(s->in->flags & SHF_ALLOC) || s->in->type == SHT_NOTE || s->in->flags & SHF_GNU_RETAIN ||
          ld_is_ordered(s->in) || is_bounded(ld, s->in->name))
        mark(&m, s);
    }
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    const struct ld_symbol *s = ld->symbols.items[i];
    if (s->state == LD_DEFINED && (ld_exported(s) || is_kept_by_name(ld, s->name)))
      mark(&m, &s->object->sections[s->symbol->section]);
  }
  while (m.pending.count) {
    struct ld_section *s = m.pending.items[--m.pending.count];
    const struct og_relocation_order *order = &s->object->order;
    if (!(s->in->flags & SHF_ALLOC))
      continue; /* debug information keeps nothing alive */
    for (uint32_t k = order->start[s->index]; k < order->start[s->index + 1]; k++)
      mark_symbol(&m, s->object, s->object->elf->relocations.items[order->index[k]].symbol);
  }
  tell_removed(ld);
}

/* ---- LDS --------------------------------------------------------------------------------------------------------- */

static uint64_t kernel_lds(const struct ld_object *object, const struct og_symbol *symbol) {
  if (symbol->section == OG_SECTION_UNDEFINED || symbol->section >= object->elf->sections.count)
    return 0;
  const struct og_section *s = &object->elf->sections.items[symbol->section];
  size_t length = strlen(symbol->name);
  if (!s->data || symbol->value > s->size)
    return 0;
  if (symbol->type == OG_STT_AMDGPU_HSA_KERNEL && s->size - symbol->value >= OG_KERNEL_CODE_SIZE)
    return og_kernel_code_get(s->data + symbol->value,
                              og_find_kernel_code_field(OG_TEXT("workgroup_group_segment_byte_size")));
  if (symbol->type == STT_OBJECT && length > 3 && strcmp(symbol->name + length - 3, ".kd") == 0 &&
      s->size - symbol->value >= OG_DESCRIPTOR_SIZE)
    return og_load32(s->data + symbol->value + OG_KD_WORD_GROUP);
  return 0;
}

/* LDS symbols of all objects get offsets after what the kernels use themselves; those without a size share the end. */
static bool allocate_lds(struct linker *ld) {
  for (uint32_t o = 0; o < ld->objects.count; o++)
    for (uint32_t i = 1; i < ld->objects.items[o]->elf->symbols.count; i++)
      ld->lds_base =
          OG_MAX(ld->lds_base, kernel_lds(ld->objects.items[o], &ld->objects.items[o]->elf->symbols.items[i]));
  ld->lds_size = ld->lds_base;
  for (int dynamic = 0; dynamic < 2; dynamic++)
    for (uint32_t i = 0; i < ld->symbols.count; i++) {
      struct ld_symbol *s = ld->symbols.items[i];
      if (s->state != LD_LDS || (s->size == 0) != dynamic)
        continue;
      if (s->alignment & (s->alignment - 1))
        return FAIL(ld, s->object, "alignment %" PRIu64 " of LDS symbol '%s' is no power of two", s->alignment,
                    s->name);
      if (s->size > UINT32_MAX || s->alignment > UINT32_MAX)
        return FAIL(ld, s->object, "LDS symbol '%s' of %" PRIu64 " bytes, aligned to %" PRIu64 ", is too large",
                    s->name, s->size, s->alignment);
      s->value = og_align_up(ld->lds_size, s->alignment);
      if (s->size)
        ld->lds_size = s->value + s->size;
    }
  struct og_target target;
  const struct og_object *elf = ld->objects.items[0]->elf;
  if (!og_target_from_e_flags(&target, elf->os_abi, elf->abi_version, ld->flags))
    return true;
  if (ld->lds_size > target.processor->lds_bytes && ld->lds_size > ld->lds_base)
    return og_error_in(ld->diagnostics, NULL, "LDS symbols need %" PRIu64 " bytes, %s has %u", ld->lds_size,
                       target.processor->name, target.processor->lds_bytes);
  return true;
}

bool og_link(struct og_arena *arena, const struct og_link_input *inputs, size_t count,
             const struct og_link_options *options, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct linker ld = {.arena = arena, .options = options, .diagnostics = diagnostics};
  if (!ld_start_definitions(&ld) || !ld_take_inputs(&ld, inputs, count) || !ld_merge_targets(&ld) ||
      !ld_finish_definitions(&ld))
    return false;
  if (options->relocatable)
    return ld_write_relocatable(&ld, out);
  ld_define_edges(&ld);
  if (!check_undefined(&ld) || !ld_choose_exports(&ld) || !allocate_lds(&ld))
    return false;
  collect(&ld);
  return ld_write(&ld, out);
}
