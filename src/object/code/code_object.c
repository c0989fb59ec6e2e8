/* code_object.c - what a loader needs of a code object: its target, kernels and arguments. */
#include "object/code/code_object.h"

#include <inttypes.h>
#include <string.h>

#include "object/kernel/kernel.h"

struct opener {
  struct og_arena *arena;
  struct og_code_object *code;
  struct og_object *elf;
  struct og_map symbols; /* name -> const struct og_symbol * */
  OG_VECTOR(struct og_node *) metadata; /* one per note */
  struct og_diagnostics *diagnostics;
};

#define FAIL(o, ...) og_error_in((o)->diagnostics, (o)->elf->name, __VA_ARGS__)

/* ---- addresses --------------------------------------------------------------------------------------------------- */

/* The file's bytes behind an address (ET_DYN) or a symbol's place (ET_REL); NULL unless `size` of them are there. */
static const uint8_t *bytes_at(const struct og_object *elf, const struct og_symbol *symbol, uint64_t address,
                               uint64_t size) {
  if (elf->type == ET_REL) {
    if (symbol->section == OG_SECTION_UNDEFINED || symbol->section >= elf->sections.count)
      return NULL;
    const struct og_section *s = &elf->sections.items[symbol->section];
    return s->data && address <= s->size && size <= s->size - address ? s->data + address : NULL;
  }
  for (uint32_t i = 0; i < elf->segments.count; i++) {
    const struct og_segment *s = &elf->segments.items[i];
    if (s->type == PT_LOAD && address >= s->address && address - s->address <= s->file_size &&
        size <= s->file_size - (address - s->address))
      return elf->bytes + s->offset + (address - s->address);
  }
  return NULL;
}

static void index_symbols(struct opener *o) {
  for (uint32_t i = 1; i < o->elf->dynamic_symbols.count; i++)
    *og_map_at(o->arena, &o->symbols, og_text(o->elf->dynamic_symbols.items[i].name)) =
        &o->elf->dynamic_symbols.items[i];
  for (uint32_t i = 1; i < o->elf->symbols.count; i++) {
    void **slot = og_map_at(o->arena, &o->symbols, og_text(o->elf->symbols.items[i].name));
    if (!*slot || o->elf->symbols.items[i].section != OG_SECTION_UNDEFINED)
      *slot = &o->elf->symbols.items[i];
  }
}

/* ---- metadata ---------------------------------------------------------------------------------------------------- */

static bool read_note(struct opener *o, const struct og_note *note) {
  int version = og_note_metadata_version(note);
  if (!version || (o->metadata.count && (o->code->version == 2) != (version == 2)))
    return true;
  if (version == 2)
    o->code->version = 2;
  struct og_node *root = og_note_read_metadata(o->arena, o->elf->name, note, o->diagnostics);
  if (root)
    *OG_PUSH(o->arena, &o->metadata) = root;
  return root;
}

static bool read_notes_of(struct opener *o, const uint8_t *bytes, size_t size, uint64_t alignment) {
  struct og_note note;
  for (size_t offset = 0; og_note_next(bytes, size, alignment, &offset, &note);)
    if (!read_note(o, &note))
      return false;
  return true;
}

/* Segments and sections show the same notes: sections are asked where segments have none. */
static bool read_notes(struct opener *o) {
  for (uint32_t i = 0; i < o->elf->segments.count && !o->metadata.count; i++) {
    const struct og_segment *s = &o->elf->segments.items[i];
    if (s->type == PT_NOTE && !read_notes_of(o, o->elf->bytes + s->offset, s->file_size, s->alignment))
      return false;
  }
  bool in_segment = o->metadata.count;
  for (uint32_t i = 1; i < o->elf->sections.count && !in_segment; i++) {
    const struct og_section *s = &o->elf->sections.items[i];
    if (s->type == SHT_NOTE && !read_notes_of(o, s->data, s->size, s->alignment))
      return false;
  }
  if (o->metadata.count)
    o->code->metadata = og_metadata_merge(o->arena, o->metadata.items, o->metadata.count, o->code->version == 2);
  return true;
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

static uint32_t number(const struct og_node *map, const char *key) {
  uint64_t value = 0;
  og_node_uint(og_node_get(map, key), &value);
  return (uint32_t)OG_MIN(value, UINT32_MAX);
}

static void numbers3(const struct og_node *list, uint32_t *out) {
  for (uint32_t i = 0; list && list->kind == OG_NODE_LIST && i < list->count && i < 3; i++) {
    uint64_t value = 0;
    og_node_uint(&list->items[i], &value);
    out[i] = (uint32_t)value;
  }
}

static const struct og_kernel_arg *read_args(struct opener *o, const struct og_node *list, bool v2, uint32_t *count) {
  *count = list && list->kind == OG_NODE_LIST ? list->count : 0;
  struct og_kernel_arg *args = OG_NEW_ARRAY(o->arena, struct og_kernel_arg, *count);
  uint64_t next = 0;
  for (uint32_t i = 0; i < *count; i++) {
    const struct og_node *map = &list->items[i];
    args[i] = (struct og_kernel_arg){
        .name = og_node_string(og_node_get(map, v2 ? "Name" : ".name"), ""),
        .type_name = og_node_string(og_node_get(map, v2 ? "TypeName" : ".type_name"), ""),
        .value_kind =
            og_value_kind_name(og_node_string(og_node_get(map, v2 ? "ValueKind" : ".value_kind"), "by_value")),
        .address_space = og_node_string(og_node_get(map, v2 ? "AddrSpaceQual" : ".address_space"), ""),
        .access = og_node_string(og_node_get(map, v2 ? "AccQual" : ".access"), ""),
        .offset = number(map, ".offset"),
        .size = number(map, v2 ? "Size" : ".size"),
        .pointee_align = number(map, v2 ? "PointeeAlign" : ".pointee_align"),
    };
    if (!v2)
      continue;
    uint32_t align = number(map, "Align");
    if (align && !(align & (align - 1)))
      next = og_align_up(next, align);
    args[i].offset = (uint32_t)next;
    next += args[i].size;
  }
  return args;
}

static void read_metadata_v2(struct opener *o, struct og_kernel *k, const struct og_node *map) {
  const struct og_node *props = og_node_get(map, "CodeProps"), *attrs = og_node_get(map, "Attrs");
  k->name = og_node_string(og_node_get(map, "Name"), "");
  const char *symbol = og_node_string(og_node_get(map, "SymbolName"), k->name);
  const char *at = strrchr(symbol, '@'); /* "name@kd" names the symbol "name" */
  k->symbol = at && strcmp(at, "@kd") == 0 ? og_arena_copy(o->arena, symbol, (size_t)(at - symbol)) : symbol;
  k->kernarg_size = number(props, "KernargSegmentSize");
  k->kernarg_align = number(props, "KernargSegmentAlign");
  k->group_size = number(props, "GroupSegmentFixedSize");
  k->private_size = number(props, "PrivateSegmentFixedSize");
  k->wavefront_size = number(props, "WavefrontSize");
  k->max_flat_workgroup_size = number(props, "MaxFlatWorkGroupSize");
  k->sgpr_count = number(props, "NumSGPRs");
  k->vgpr_count = number(props, "NumVGPRs");
  numbers3(og_node_get(attrs, "ReqdWorkGroupSize"), k->reqd_workgroup_size);
  k->args = read_args(o, og_node_get(map, "Args"), true, &k->arg_count);
}

static void read_metadata_v3(struct opener *o, struct og_kernel *k, const struct og_node *map) {
  const struct og_node *dynamic = og_node_get(map, ".uses_dynamic_stack");
  k->name = og_node_string(og_node_get(map, ".name"), "");
  k->symbol = og_node_string(og_node_get(map, ".symbol"), "");
  k->kernarg_size = number(map, ".kernarg_segment_size");
  k->kernarg_align = number(map, ".kernarg_segment_align");
  k->group_size = number(map, ".group_segment_fixed_size");
  k->private_size = number(map, ".private_segment_fixed_size");
  k->wavefront_size = number(map, ".wavefront_size");
  k->max_flat_workgroup_size = number(map, ".max_flat_workgroup_size");
  k->sgpr_count = number(map, ".sgpr_count");
  k->vgpr_count = number(map, ".vgpr_count");
  k->agpr_count = number(map, ".agpr_count");
  k->uses_dynamic_stack = dynamic && dynamic->kind == OG_NODE_BOOL && dynamic->boolean;
  numbers3(og_node_get(map, ".reqd_workgroup_size"), k->reqd_workgroup_size);
  numbers3(og_node_get(map, ".cluster_dims"), k->cluster_dims);
  k->args = read_args(o, og_node_get(map, ".args"), false, &k->arg_count);
}

/* In a relocatable file the descriptor's entry offset is a relocation at its byte 16. */
static const struct og_relocation *entry_relocation(const struct og_object *elf, const struct og_symbol *descriptor) {
  for (uint32_t i = 0; i < elf->relocations.count; i++) {
    const struct og_relocation *r = &elf->relocations.items[i];
    if (r->section == descriptor->section && r->offset == descriptor->value + 16 && r->symbol)
      return r;
  }
  return NULL;
}

static void find_entry(struct opener *o, struct og_kernel *k, const struct og_symbol *symbol) {
  size_t length = strlen(k->symbol);
  struct og_text base = {k->symbol, length > 3 && strcmp(k->symbol + length - 3, ".kd") == 0 ? length - 3 : length};
  const struct og_symbol *function = og_map_get(&o->symbols, base);
  const struct og_relocation *r =
      o->elf->type == ET_REL && !k->is_kernel_code ? entry_relocation(o->elf, symbol) : NULL;
  k->entry = r ? o->elf->symbols.items[r->symbol].value + (uint64_t)r->addend - 16
               : k->object + og_load64(k->descriptor + OG_KD_WORD_ENTRY);
  if (function && function->size && function->value == (k->is_kernel_code ? k->object : k->entry))
    k->code_size = function->size - (k->is_kernel_code ? OG_MIN(k->entry - k->object, function->size) : 0);
}

static bool fill_from_symbol(struct opener *o, struct og_kernel *k) {
  const struct og_symbol *symbol = og_map_get(&o->symbols, og_text(k->symbol));
  if (!symbol || symbol->section == OG_SECTION_UNDEFINED)
    return FAIL(o, "kernel '%s': its symbol '%s' is not in the file", k->name, k->symbol);
  k->is_kernel_code = symbol->type == OG_STT_AMDGPU_HSA_KERNEL || o->code->version == 2;
  k->object = symbol->value;
  uint64_t size = k->is_kernel_code ? OG_KERNEL_CODE_SIZE : OG_DESCRIPTOR_SIZE;
  const uint8_t *bytes = bytes_at(o->elf, symbol, symbol->value, size);
  if (!bytes)
    return FAIL(o, "kernel '%s': the %" PRIu64 " bytes of its descriptor '%s' at 0x%" PRIx64 " are outside the file",
                k->name, size, k->symbol, k->object);
  if (k->is_kernel_code)
    og_kernel_code_to_descriptor(bytes, k->descriptor);
  else
    memcpy(k->descriptor, bytes, OG_DESCRIPTOR_SIZE);
  og_initial_state_read(&o->code->target, k->descriptor, k->is_kernel_code, &k->start);
  find_entry(o, k, symbol);
  return true;
}

/* Values missing in the metadata are taken from the descriptor. */
static void fill_from_descriptor(struct og_kernel *k) {
  if (!k->metadata) {
    k->kernarg_size = k->start.kernarg_size;
    k->kernarg_align = 16;
    k->group_size = k->start.group_size;
    k->private_size = k->start.private_size;
    k->uses_dynamic_stack = k->start.dynamic_stack;
  }
  if (!k->wavefront_size)
    k->wavefront_size = k->start.wave_size;
}

static bool ends_with(const char *s, const char *end) {
  size_t a = strlen(s), b = strlen(end);
  return a > b && strcmp(s + a - b, end) == 0;
}

/* Without metadata the symbols tell which kernels there are. */
static bool is_kernel_symbol(const struct og_object *elf, const struct og_symbol *symbol) {
  if (symbol->section == OG_SECTION_UNDEFINED)
    return false;
  return symbol->type == OG_STT_AMDGPU_HSA_KERNEL ||
         (elf->os_abi == OG_OSABI_HSA && symbol->type == STT_OBJECT && symbol->size == OG_DESCRIPTOR_SIZE &&
          ends_with(symbol->name, ".kd"));
}

static bool find_kernels(struct opener *o) {
  struct og_code_object *code = o->code;
  OG_VECTOR(struct og_kernel) kernels = {0};
  bool v2 = code->version == 2;
  const struct og_node *list = og_node_get(code->metadata, v2 ? "Kernels" : "amdhsa.kernels");
  struct og_map seen = {0};
  for (uint32_t i = 0; list && list->kind == OG_NODE_LIST && i < list->count; i++) {
    struct og_kernel *k = OG_PUSH(o->arena, &kernels);
    k->metadata = &list->items[i];
    (v2 ? read_metadata_v2 : read_metadata_v3)(o, k, k->metadata);
    void **known = og_map_at(o->arena, &seen, og_text(k->symbol));
    if (*known)
      return FAIL(o, "kernel '%s': its symbol '%s' also belongs to another kernel", k->name, k->symbol);
    *known = (void *)(uintptr_t)k->metadata;
    if (!fill_from_symbol(o, k))
      return false;
  }
  bool stripped = o->elf->symbols.count <= 1;
  const struct og_symbol *symbols = stripped ? o->elf->dynamic_symbols.items : o->elf->symbols.items;
  uint32_t symbol_count = stripped ? o->elf->dynamic_symbols.count : o->elf->symbols.count;
  for (uint32_t i = 1; i < symbol_count; i++) {
    const struct og_symbol *symbol = &symbols[i];
    if (!is_kernel_symbol(o->elf, symbol) || og_map_get(&seen, og_text(symbol->name)))
      continue;
    struct og_kernel *k = OG_PUSH(o->arena, &kernels);
    k->symbol = symbol->name;
    k->name =
        ends_with(symbol->name, ".kd") ? og_arena_copy(o->arena, symbol->name, strlen(symbol->name) - 3) : symbol->name;
    if (!fill_from_symbol(o, k))
      return false;
  }
  for (uint32_t i = 0; i < kernels.count; i++)
    fill_from_descriptor(&kernels.items[i]);
  code->kernels = kernels.items;
  code->kernel_count = kernels.count;
  return true;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool measure(struct opener *o) {
  const uint64_t limit = (uint64_t)1 << 36;
  o->code->load_align = 4096;
  for (uint32_t i = 0; i < o->elf->segments.count; i++) {
    const struct og_segment *s = &o->elf->segments.items[i];
    if (s->type != PT_LOAD)
      continue;
    if (s->memory_size < s->file_size || s->address > limit || s->memory_size > limit - s->address ||
        (s->alignment & (s->alignment - 1)) || s->alignment > limit)
      return FAIL(o, "segment %u (address 0x%" PRIx64 ", size 0x%" PRIx64 ", alignment 0x%" PRIx64 ") cannot be loaded",
                  i, s->address, s->memory_size, s->alignment);
    o->code->load_size = OG_MAX(o->code->load_size, s->address + s->memory_size);
    o->code->load_align = OG_MAX(o->code->load_align, s->alignment);
  }
  for (uint32_t i = 0; i < o->elf->dynamic_relocations.count; i++) {
    const struct og_relocation_formula *f = og_relocation_formula(o->elf->dynamic_relocations.items[i].type);
    o->code->got_slots += f && f->origin == OG_FROM_GOT;
  }
  if (o->code->got_slots) {
    o->code->got = og_align_up(o->code->load_size, 8);
    o->code->load_size = o->code->got + 8 * (uint64_t)o->code->got_slots;
  }
  return true;
}

struct og_code_object *og_code_object_open(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                                           struct og_diagnostics *diagnostics) {
  struct opener o = {.arena = arena, .code = OG_NEW(arena, struct og_code_object), .diagnostics = diagnostics};
  o.elf = o.code->elf = og_object_read(arena, name, bytes, size, diagnostics);
  if (!o.elf)
    return NULL;
  if (o.elf->type != ET_REL && o.elf->type != ET_DYN) {
    FAIL(&o, "ELF type is %u, expected ET_REL or ET_DYN", o.elf->type);
    return NULL;
  }
  if (!og_target_from_e_flags(&o.code->target, o.elf->os_abi, o.elf->abi_version, o.elf->flags)) {
    FAIL(&o, "e_flags 0x%x name no known processor", o.elf->flags);
    return NULL;
  }
  o.code->version = o.elf->os_abi == OG_OSABI_HSA ? o.elf->abi_version + 2 : 3;
  if (o.code->version > 6) {
    FAIL(&o, "ABI version %u is newer than code object V6", o.elf->abi_version);
    return NULL;
  }
  index_symbols(&o);
  return measure(&o) && read_notes(&o) && find_kernels(&o) ? o.code : NULL;
}

const struct og_kernel *og_code_object_kernel(const struct og_code_object *code, struct og_text name) {
  for (uint32_t i = 0; i < code->kernel_count; i++)
    if (og_text_is(name, code->kernels[i].name) || og_text_is(name, code->kernels[i].symbol))
      return &code->kernels[i];
  return NULL;
}
