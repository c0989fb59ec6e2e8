/* inputs.c - what `offgrid ld` reads: objects, archives and their members, in the order in which lld takes them. */
#include "object/link/linker.h"

#include <string.h>

#define FAIL(ld, object, ...) og_error_in((ld)->diagnostics, (object)->elf->name, __VA_ARGS__)

static bool is_bitcode(const void *bytes, size_t size) {
  return size >= 4 && (memcmp(bytes, "BC\xc0\xde", 4) == 0 || memcmp(bytes, "\xde\xc0\x17\x0b", 4) == 0);
}

static struct ld_object *open_object(struct linker *ld, const char *name, const void *bytes, size_t size) {
  if (is_bitcode(bytes, size)) {
    og_error_in(ld->diagnostics, name, "this is LLVM bitcode, expected an AMDGPU object: compile it first, "
                                       "without -flto or -fgpu-rdc");
    return NULL;
  }
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

/* ---- one object: its COMDAT groups, its symbols, and the members that these ask for ------------------------------ */

static bool is_group_repeated(struct linker *ld, struct ld_object *object, const char *group) {
  void **slot = og_map_at(ld->arena, &ld->groups, og_text(group));
  if (!*slot)
    *slot = object;
  return *slot != object;
}

static void start_object(struct linker *ld, struct ld_object *object) {
  object->taken = true;
  *OG_PUSH(ld->arena, &ld->objects) = object;
  for (uint32_t i = 1; i < object->elf->sections.count; i++) {
    const struct og_section *section = &object->elf->sections.items[i];
    if (section->group && !section->plain_group && is_group_repeated(ld, object, section->group))
      object->sections[i].in = NULL;
  }
  *OG_PUSH(ld->arena, &ld->reading) = (struct ld_reading){.object = object, .next = 1};
}

/* The member that defines a name which is needed and missing, or NULL. */
static struct ld_object *member_for(const struct linker *ld, const struct ld_symbol *symbol) {
  if (symbol->state != LD_UNDEFINED || !symbol->strong_reference)
    return NULL;
  struct ld_object *member = og_map_get(&ld->lazy, og_text(symbol->name));
  return member && !member->taken ? member : NULL;
}

/* Definitions first, then references; the member that one of these needs is read before the next. A stack of our own:
 * members may ask for one another without end. */
static bool read_pending(struct linker *ld) {
  bool good = true;
  while (ld->reading.count) {
    struct ld_reading *now = &ld->reading.items[ld->reading.count - 1];
    struct ld_object *object = now->object;
    if (now->next >= object->elf->symbols.count) {
      if (now->references)
        ld->reading.count--;
      else
        now->references = true, now->next = 1;
      continue;
    }
    uint32_t index = now->next++;
    const struct og_symbol *symbol = &object->elf->symbols.items[index];
    if (symbol->binding == STB_LOCAL || ld_is_reference(object, symbol) != now->references)
      continue;
    good &= ld_add_symbol(ld, object, index);
    struct ld_object *member = now->references ? member_for(ld, object->globals[index]) : NULL;
    if (member)
      start_object(ld, member);
  }
  return good;
}

static bool take_object(struct linker *ld, struct ld_object *object) {
  start_object(ld, object);
  return read_pending(ld);
}

/* An object that is taken only for what it defines: now, if that is missing already, or later. The first one that
 * defines a name is the one that is taken for it. */
static bool offer(struct linker *ld, struct ld_object *object) {
  for (uint32_t i = 1; i < object->elf->symbols.count; i++) {
    const struct og_symbol *symbol = &object->elf->symbols.items[i];
    if (symbol->binding == STB_LOCAL || symbol->section == OG_SECTION_UNDEFINED)
      continue;
    void **slot = og_map_at(ld->arena, &ld->lazy, og_text(symbol->name));
    if (!*slot)
      *slot = object;
  }
  for (uint32_t i = 1; i < object->elf->symbols.count && !object->taken; i++) {
    const struct ld_symbol *known = og_map_get(&ld->names, og_text(object->elf->symbols.items[i].name));
    if (known && member_for(ld, known) == object)
      return take_object(ld, object);
  }
  return true;
}

/* ---- archives ---------------------------------------------------------------------------------------------------- */

/* --exclude-libs names archives without their folders; ALL means each. */
static bool is_excluded(const struct linker *ld, const char *archive) {
  const char *slash = strrchr(archive, '/');
  const char *base = slash ? slash + 1 : archive;
  for (const char *const *name = ld->options->exclude_libs; name && *name; name++)
    if (strcmp(*name, "ALL") == 0 || strcmp(*name, base) == 0)
      return true;
  return false;
}

static bool take_archive(struct linker *ld, const struct og_link_input *input) {
  struct og_archive_member member;
  bool good = true;
  for (size_t offset = 0; og_archive_next(ld->arena, input->bytes, input->size, &offset, &member, &good);) {
    if (!og_archive_load(ld->arena, input->name, &member, ld->diagnostics))
      return false;
    const char *name = og_arena_printf(ld->arena, "%s(%s)", input->name, member.name);
    if (!og_is_elf(member.data, member.size) && !is_bitcode(member.data, member.size))
      continue;
    struct ld_object *object = open_object(ld, name, member.data, member.size);
    if (!object)
      return false;
    object->excluded = is_excluded(ld, input->name);
    if (!(input->whole_archive ? take_object(ld, object) : offer(ld, object)))
      return false;
  }
  return good || og_error_in(ld->diagnostics, input->name, "damaged archive: a member's header is no header");
}

static bool take_input(struct linker *ld, const struct og_link_input *input) {
  if (og_is_archive(input->bytes, input->size))
    return take_archive(ld, input);
  struct ld_object *object = open_object(ld, input->name, input->bytes, input->size);
  if (!object)
    return false;
  return input->lazy ? offer(ld, object) : take_object(ld, object);
}

/* Members for what is undefined so far and asked for by name: -u, -e. */
static bool take_named(struct linker *ld, const char *name) {
  const struct ld_symbol *known = og_map_get(&ld->names, og_text(name));
  struct ld_object *member = og_map_get(&ld->lazy, og_text(name));
  if ((known && known->state != LD_UNDEFINED) || !member || member->taken)
    return true;
  return take_object(ld, member);
}

/* ---- --wrap: once all is read, references to NAME mean __wrap_NAME, and those to __real_NAME mean NAME ----------- */

static struct ld_symbol *mentioned(const struct linker *ld, const char *name) {
  return og_map_get(&ld->names, og_text(name));
}

/* Members for what references will mean. Those to NAME itself have taken its member by now, as in lld. */
static bool take_wrapped(struct linker *ld, const char *name) {
  if (!mentioned(ld, name) && !og_map_get(&ld->lazy, og_text(name)))
    return true;
  return take_named(ld, og_arena_printf(ld->arena, "__wrap_%s", name)) &&
         (!mentioned(ld, og_arena_printf(ld->arena, "__real_%s", name)) || take_named(ld, name));
}

/* What the object that defines NAME refers to is wrapped as well. */
static void wrap(struct linker *ld, const char *name) {
  struct ld_symbol *own = mentioned(ld, name), *real = mentioned(ld, og_arena_printf(ld->arena, "__real_%s", name));
  if (!own)
    return;
  struct ld_symbol *wrapper = ld_symbol_named(ld, og_arena_printf(ld->arena, "__wrap_%s", name), own->object);
  bool defined = own->state != LD_UNDEFINED;
  wrapper->wrapped = true;
  wrapper->referenced |= own->referenced || defined;
  wrapper->strong_reference |= own->strong_reference || (defined && wrapper->state == LD_UNDEFINED);
  own->means = wrapper;
  own->referenced = real && real->referenced;
  own->strong_reference = real && real->strong_reference;
  if (real) {
    real->means = own;
    real->referenced = real->strong_reference = false;
  }
}

static bool apply_wraps(struct linker *ld) {
  const char *const *wraps = ld->options->wrap;
  if (!wraps)
    return true;
  for (const char *const *name = wraps; *name; name++)
    if (!take_wrapped(ld, *name))
      return false;
  for (const char *const *name = wraps; *name; name++)
    wrap(ld, *name);
  for (uint32_t o = 0; o < ld->objects.count; o++)
    for (uint32_t i = 0; i < ld->objects.items[o]->elf->symbols.count; i++) {
      struct ld_symbol **global = &ld->objects.items[o]->globals[i];
      if (*global && (*global)->means)
        *global = (*global)->means;
    }
  return true;
}

bool ld_take_inputs(struct linker *ld, const struct og_link_input *inputs, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++)
    good &= take_input(ld, &inputs[i]);
  for (const char *const *name = ld->options->keep; good && name && *name; name++)
    good &= take_named(ld, *name);
  if (good && ld->options->entry)
    good &= take_named(ld, ld->options->entry);
  good = good && apply_wraps(ld);
  if (good && !ld->objects.count)
    return og_error_in(ld->diagnostics, NULL, "no input files");
  return good;
}

/* One target for all: what an object leaves open (xnack any) is settled by another that says it, as lld does. */
bool ld_merge_targets(struct linker *ld) {
  const struct og_object *first = ld->objects.items[0]->elf;
  ld->flags = first->flags;
  bool good = true;
  for (uint32_t i = 1; i < ld->objects.count; i++) {
    const struct og_object *elf = ld->objects.items[i]->elf;
    const char *differs;
    if (elf->os_abi != first->os_abi || elf->abi_version != first->abi_version)
      good = FAIL(ld, ld->objects.items[i], "OS ABI %u version %u does not go with %u version %u of %s", elf->os_abi,
                  elf->abi_version, first->os_abi, first->abi_version, first->name);
    else if (!og_target_merge_e_flags(&ld->flags, elf->flags, elf->os_abi, elf->abi_version, &differs))
      good = FAIL(ld, ld->objects.items[i], "incompatible %s: e_flags 0x%x do not go with 0x%x of the objects before",
                  differs, elf->flags, ld->flags);
  }
  return good;
}
