/* link.c - the first half of `offgrid ld`: inputs and archive members, symbol resolution, COMDAT groups, garbage
 * collection, allocation of LDS and common symbols. */
#include "object/link.h"

#include <inttypes.h>
#include <string.h>

#define FAIL(ld, object, ...) og_error_in((ld)->diagnostics, (object)->elf->name, __VA_ARGS__)

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static struct ld_object *open_object(struct linker *ld, const char *name, const void *bytes, size_t size) {
  struct ld_object *object = OG_NEW(ld->arena, struct ld_object);
  object->elf = og_object_read(ld->arena, name, bytes, size, ld->diagnostics);
  if (!object->elf)
    return NULL;
  if (object->elf->type != ET_REL) {
    FAIL(ld, object, "ELF type is %u, expected a relocatable object (ET_REL)", object->elf->type);
    return NULL;
  }
  if (object->elf->elf32) {
    FAIL(ld, object, "r600 objects cannot be linked: there is no loader for 32-bit code objects");
    return NULL;
  }
  object->sections = OG_NEW_ARRAY(ld->arena, struct ld_section, object->elf->sections.count);
  for (uint32_t i = 0; i < object->elf->sections.count; i++)
    object->sections[i] = (struct ld_section){.in = &object->elf->sections.items[i], .object = object, .index = i};
  object->globals = OG_NEW_ARRAY(ld->arena, struct ld_symbol *, object->elf->symbols.count);
  object->order = og_order_relocations(ld->arena, object->elf);
  return object;
}

static bool is_group_repeated(struct linker *ld, struct og_map *groups, struct ld_object *object, const char *group) {
  void **slot = og_map_at(ld->arena, groups, og_text(group));
  if (!*slot)
    *slot = object;
  return *slot != object;
}

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

static bool add_symbol(struct linker *ld, struct ld_object *object, uint32_t index) {
  const struct og_symbol *symbol = &object->elf->symbols.items[index];
  enum ld_state state = state_of(object, symbol);
  struct ld_symbol **slot = (struct ld_symbol **)og_map_at(ld->arena, &ld->names, og_text(symbol->name));
  struct ld_symbol *global = *slot;
  if (!global) {
    global = *slot = OG_NEW(ld->arena, struct ld_symbol);
    global->name = symbol->name;
    define(global, object, symbol, state);
    *OG_PUSH(ld->arena, &ld->symbols) = global;
  }
  object->globals[index] = global;
  global->visibility = constrain(global->visibility, symbol->visibility);
  if (state == LD_UNDEFINED) {
    global->referenced = true;
    global->strong_reference |= symbol->binding != STB_WEAK;
    return true;
  }
  if (global->symbol == symbol)
    return true;
  if (global->state == LD_UNDEFINED)
    return define(global, object, symbol, state), true;
  if (state == global->state && (state == LD_LDS || state == LD_COMMON))
    return merge_shared(ld, global, object, symbol);
  bool weak = symbol->binding == STB_WEAK || state == LD_COMMON;
  bool global_weak = global->binding == STB_WEAK || global->state == LD_COMMON;
  if (global_weak && !weak)
    define(global, object, symbol, state);
  else if (!global_weak && !weak)
    return FAIL(ld, object, "duplicate symbol '%s': also defined in %s", symbol->name, global->object->elf->name);
  return true;
}

static bool add_object(struct linker *ld, struct ld_object *object, struct og_map *groups) {
  *OG_PUSH(ld->arena, &ld->objects) = object;
  for (uint32_t i = 1; i < object->elf->sections.count; i++)
    if (object->elf->sections.items[i].group &&
        is_group_repeated(ld, groups, object, object->elf->sections.items[i].group))
      object->sections[i].in = NULL;
  bool good = true;
  for (uint32_t i = 1; i < object->elf->symbols.count; i++)
    if (object->elf->symbols.items[i].binding != STB_LOCAL)
      good &= add_symbol(ld, object, i);
  return good;
}

/* The first member of all archives that defines a name is the one that is taken for it. */
static void offer(struct linker *ld, struct ld_object *object) {
  for (uint32_t i = 1; i < object->elf->symbols.count; i++) {
    const struct og_symbol *symbol = &object->elf->symbols.items[i];
    if (symbol->binding == STB_LOCAL || symbol->section == OG_SECTION_UNDEFINED)
      continue;
    void **slot = og_map_at(ld->arena, &ld->lazy, og_text(symbol->name));
    if (!*slot)
      *slot = object;
  }
}

static bool open_archive(struct linker *ld, const struct og_link_input *input) {
  struct og_archive_member member;
  bool good = true;
  for (size_t offset = 0; og_archive_next(ld->arena, input->bytes, input->size, &offset, &member, &good);) {
    if (!og_is_elf(member.data, member.size))
      continue;
    struct ld_object *object =
        open_object(ld, og_arena_printf(ld->arena, "%s(%s)", input->name, member.name), member.data, member.size);
    if (!object)
      return false;
    offer(ld, object);
  }
  return good || og_error_in(ld->diagnostics, input->name, "damaged archive: a member's header is no header");
}

static bool take_member(struct linker *ld, const char *name, struct og_map *groups, bool *taken) {
  struct ld_object *member = og_map_get(&ld->lazy, og_text(name));
  if (!member || member->taken)
    return true;
  member->taken = *taken = true;
  return add_object(ld, member, groups);
}

/* Members that define what is undefined so far, or asked for by -u; they may need others. */
static bool take_members(struct linker *ld, struct og_map *groups) {
  bool good = true, again = true;
  for (const char *const *name = ld->options->keep; name && *name; name++) {
    const struct ld_symbol *known = og_map_get(&ld->names, og_text(*name));
    if (!known || known->state == LD_UNDEFINED)
      good &= take_member(ld, *name, groups, &again);
  }
  while (good && again) {
    again = false;
    for (uint32_t i = 0; i < ld->symbols.count; i++) /* members add symbols */
      if (ld->symbols.items[i]->state == LD_UNDEFINED && ld->symbols.items[i]->strong_reference)
        good &= take_member(ld, ld->symbols.items[i]->name, groups, &again);
  }
  return good;
}

static bool take_inputs(struct linker *ld, const struct og_link_input *inputs, size_t count) {
  struct og_map groups = {0};
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    if (inputs[i].size >= 8 && memcmp(inputs[i].bytes, OG_ARCHIVE_MAGIC, 8) == 0) {
      good &= open_archive(ld, &inputs[i]);
      continue;
    }
    struct ld_object *object = open_object(ld, inputs[i].name, inputs[i].bytes, inputs[i].size);
    good = object && add_object(ld, object, &groups) && good;
  }
  good = good && take_members(ld, &groups);
  if (good && !ld->objects.count)
    return og_error_in(ld->diagnostics, NULL, "no input files");
  return good;
}

static bool check_targets(struct linker *ld) {
  const struct og_object *first = ld->objects.items[0]->elf;
  bool good = true;
  for (uint32_t i = 1; i < ld->objects.count; i++) {
    const struct og_object *elf = ld->objects.items[i]->elf;
    if (elf->os_abi != first->os_abi || elf->abi_version != first->abi_version)
      good = FAIL(ld, ld->objects.items[i], "OS ABI %u version %u does not go with %u version %u of %s", elf->os_abi,
                  elf->abi_version, first->os_abi, first->abi_version, first->name);
    else if (elf->flags != first->flags)
      good = FAIL(ld, ld->objects.items[i], "e_flags 0x%x (processor, xnack, sramecc) do not go with 0x%x of %s",
                  elf->flags, first->flags, first->name);
  }
  return good;
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

/* What debug information alone names may be gone: clang's still tells of LDS variables that became part of others. */
static bool check_undefined(struct linker *ld) {
  bool good = true;
  note_uses(ld);
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    const struct ld_symbol *s = ld->symbols.items[i];
    bool open = ld->options->allow_undefined && (s->visibility == STV_DEFAULT || s->visibility == STV_PROTECTED);
    bool gone = s->in_debug && !s->in_memory;
    if (s->state == LD_UNDEFINED && s->strong_reference && !open && !gone)
      good = FAIL(ld, s->object, "undefined symbol '%s'", s->name);
  }
  return good;
}

/* ---- garbage collection ------------------------------------------------------------------------------------------ */

static bool is_dropped(const struct og_section *s) {
  switch (s->type) {
  case SHT_NULL:
  case SHT_SYMTAB:
  case SHT_STRTAB:
  case SHT_RELA:
  case SHT_REL:
  case SHT_GROUP:
  case SHT_SYMTAB_SHNDX: return true;
  }
  return s->flags & SHF_EXCLUDE || strcmp(s->name, ".note.GNU-stack") == 0 || strncmp(s->name, ".llvm", 5) == 0;
}

struct marker {
  struct linker *ld;
  OG_VECTOR(struct ld_section *) pending;
};

static void mark(struct marker *m, struct ld_section *s) {
  if (!s->in || s->live || is_dropped(s->in))
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

static bool is_kept_by_name(const struct linker *ld, const char *name) {
  for (const char *const *keep = ld->options->keep; keep && *keep; keep++)
    if (strcmp(*keep, name) == 0)
      return true;
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
      if (!gc || !(s->in->flags & SHF_ALLOC) || s->in->type == SHT_NOTE || s->in->flags & SHF_GNU_RETAIN)
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
    return og_kd_get(s->data + symbol->value, OG_KD_GROUP_SEGMENT_FIXED_SIZE);
  return 0;
}

/* LDS symbols of all objects get offsets behind what the kernels use themselves; those without a size share the end. */
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
  if (!og_target_from_e_flags(&target, elf->os_abi, elf->abi_version, elf->flags))
    return true;
  if (ld->lds_size > target.processor->lds_bytes && ld->lds_size > ld->lds_base)
    return og_error_in(ld->diagnostics, NULL, "LDS symbols need %" PRIu64 " bytes, %s has %u", ld->lds_size,
                       target.processor->name, target.processor->lds_bytes);
  return true;
}

bool og_link(struct og_arena *arena, const struct og_link_input *inputs, size_t count,
             const struct og_link_options *options, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct linker ld = {.arena = arena, .options = options, .diagnostics = diagnostics};
  if (!take_inputs(&ld, inputs, count) || !check_targets(&ld) || !check_undefined(&ld) || !allocate_lds(&ld))
    return false;
  collect(&ld);
  return ld_write(&ld, out);
}
