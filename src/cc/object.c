/* object.c - ELF of compiled kernels: a function and a descriptor symbol each, metadata as a note. */
#include "cc/object.h"

#include "cc/memory_model.h"
#include "cc/systems.h"

#include "object/kernel/kernel.h"
#include "object/link/link.h"

#include <string.h>

void cc_object_begin(struct cc_object *o, struct og_arena *arena, const struct og_target *target, int version) {
  *o = (struct cc_object){.arena = arena, .target = target, .version = version};
  o->elf = og_object_new(arena, target, version);
  o->text_section = og_object_add_section(o->elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, OG_ENTRY_ALIGN);
  if (cc_is_hsa(target))
    o->rodata_section = og_object_add_section(o->elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, OG_DESCRIPTOR_ALIGN);
}

static void give(struct og_kd_values *values, enum og_kd_directive directive, uint64_t value,
                 const struct og_kd_layout *layout) {
  if (!layout->bits[directive])
    return;
  values->value[directive] = value;
  values->given[directive] = true;
}

static bool descriptor(struct cc_function *c, uint8_t *bytes) {
  const struct og_kd_layout layout = og_kd_layout_of(c->target);
  struct og_kd_values values = {0};
  for (unsigned d = 0; d < OG_KDD_COUNT; d++)
    if (og_kd_directives[d].field < OG_KD_FIELD_COUNT && layout.bits[d]) {
      uint64_t value = og_kd_get(c->target, c->descriptor, (enum og_kd_field)og_kd_directives[d].field);
      if (value)
        give(&values, (enum og_kd_directive)d, value, &layout);
    }
  give(&values, OG_KDD_USER_SGPR_COUNT, og_kd_get(c->target, c->descriptor, OG_KD_USER_SGPR_COUNT), &layout);
  give(&values, OG_KDD_GROUP_SEGMENT_FIXED_SIZE, c->lds_size, &layout);
  give(&values, OG_KDD_KERNARG_SIZE, c->kernarg_size, &layout);
  give(&values, OG_KDD_NEXT_FREE_VGPR, cc_vector_registers(c), &layout);
  give(&values, OG_KDD_NEXT_FREE_SGPR, OG_MAX(c->sgprs, 1u), &layout);
  give(&values, OG_KDD_ACCUM_OFFSET, cc_accumulator_offset(c), &layout);
  give(&values, OG_KDD_RESERVE_FLAT_SCRATCH, c->scratch_total > 0, &layout);
  give(&values, OG_KDD_PRIVATE_SEGMENT_FIXED_SIZE, c->scratch_total, &layout);
  give(&values, OG_KDD_USES_DYNAMIC_STACK, c->dynamic_stack && c->version >= 5, &layout);
  give(&values, OG_KDD_FLOAT_DENORM_MODE_32, c->denormals_f32, &layout);
  give(&values, OG_KDD_FLOAT_DENORM_MODE_16_64, c->denormals, &layout);
  give(&values, OG_KDD_IEEE_MODE, c->ieee, &layout);
  give(&values, OG_KDD_DX10_CLAMP, c->dx10_clamp, &layout);
  give(&values, OG_KDD_TG_SPLIT, cc_splits_groups(c->target), &layout);
  give(&values, OG_KDD_WAVEFRONT_SIZE32, c->target->wave_size == 32, &layout);
  return og_kd_encode(&layout, &values, (struct og_range){0}, bytes, c->diagnostics);
}

/* The symbol of a function, which may not be compiled yet. */
uint32_t cc_function_symbol(struct cc_object *o, const struct og_ir_module *m, uint32_t number) {
  static const uint8_t visibilities[] = {STV_DEFAULT, STV_HIDDEN, STV_PROTECTED};
  const struct og_ir_global *g = &m->globals.items[number];
  /* a kernel is protected, since nothing may preempt it, as in LLVM's objects */
  bool is_kernel = g->function && g->function->convention == OG_IR_KERNEL && cc_is_hsa(o->target);
  struct og_text name = m->names.items[g->name];
  if (!o->symbols)
    o->symbols = OG_NEW_ARRAY(o->arena, uint32_t, m->globals.count);
  if (!o->symbols[number])
    o->symbols[number] = og_object_add_symbol(
        o->elf, (struct og_symbol){.name = og_arena_copy(o->arena, name.data, name.size),
                                   .binding = g->linkage == OG_IR_INTERNAL || g->linkage == OG_IR_PRIVATE ? STB_LOCAL
                                              : g->linkage == OG_IR_EXTERNAL                             ? STB_GLOBAL
                                                                                                         : STB_WEAK,
                                   .type = STT_FUNC,
                                   .visibility = is_kernel && g->visibility == OG_IR_DEFAULT
                                                     ? STV_PROTECTED
                                                     : visibilities[g->visibility % 3]});
  return o->symbols[number];
}

static bool add_references(struct cc_object *o, struct cc_function *c, uint64_t at) {
  for (uint32_t r = 0; r < c->references.count; r++) {
    const struct cc_reference *ref = &c->references.items[r];
    uint32_t to = c->m->globals.items[ref->global].function
                      ? cc_function_symbol(o, c->m, ref->global)
                      : cc_global_symbol(o, c->m, ref->global, c->diagnostics);
    if (!to)
      return false;
    og_object_add_relocation(o->elf,
                             (struct og_relocation){.section = o->text_section,
                                                    .offset = at + ref->offset,
                                                    .type = ref->high ? OG_R_AMDGPU_REL32_HI : OG_R_AMDGPU_REL32_LO,
                                                    .symbol = to,
                                                    .addend = ref->addend});
  }
  return true;
}

bool cc_object_add(struct cc_object *o, struct cc_function *c, const struct og_buffer *code) {
  static const uint8_t visibilities[] = {STV_DEFAULT, STV_HIDDEN, STV_PROTECTED};
  struct og_text name = c->m->names.items[c->global->name];
  uint8_t bytes[OG_DESCRIPTOR_SIZE] = {0}, binding = c->global->linkage == OG_IR_EXTERNAL ? STB_GLOBAL : STB_WEAK;
  og_buffer_align(&o->text, OG_ENTRY_ALIGN, 0);
  uint64_t begin = o->text.size;
  if (!c->is_function && !descriptor(c, bytes))
    return false;
  if (!c->is_function && !cc_is_hsa(o->target))
    cc_system_header(o, c, bytes);
  uint64_t at = o->text.size, header = at - begin;
  og_buffer_append(&o->text, code->data, code->size);
  if (c->isa->gfx10) /* instructions are fetched beyond the end, so s_code_end follows */
    for (unsigned k = 0; k < 48; k++)
      og_buffer_u32(&o->text, 0xbf9f0000);
  const char *function = og_arena_copy(o->arena, name.data, name.size);
  uint32_t symbol = cc_function_symbol(o, c->m, (uint32_t)(c->global - c->m->globals.items));
  o->elf->symbols.items[symbol].value = begin, o->elf->symbols.items[symbol].size = header + code->size;
  o->elf->symbols.items[symbol].section = o->text_section;
  if (header) /* the loader finds it by this alignment */
    o->elf->symbols.items[symbol].type = OG_STT_AMDGPU_HSA_KERNEL;
  if (!add_references(o, c, at))
    return false;
  cc_debug_add(o, c, at, code->size);
  if (!cc_is_hsa(o->target) && !c->is_function)
    cc_system_kernel(o, c, bytes);
  if (c->is_function || !cc_is_hsa(o->target))
    return true;
  og_buffer_align(&o->rodata, OG_DESCRIPTOR_ALIGN, 0);
  uint64_t where = o->rodata.size;
  og_buffer_append(&o->rodata, bytes, sizeof bytes);
  og_object_add_symbol(o->elf, (struct og_symbol){.name = og_arena_printf(o->arena, "%s.kd", function),
                                                  .value = where,
                                                  .size = sizeof bytes,
                                                  .section = o->rodata_section,
                                                  .binding = binding,
                                                  .type = STT_OBJECT,
                                                  .visibility = visibilities[c->global->visibility % 3]});
  og_object_add_relocation(o->elf, (struct og_relocation){.section = o->rodata_section,
                                                          .offset = where + 16,
                                                          .type = OG_R_AMDGPU_REL64,
                                                          .symbol = symbol,
                                                          .addend = 16});
  cc_kernel_metadata(o, c, OG_PUSH(o->arena, &o->nodes));
  return true;
}

static void put_text(struct og_arena *arena, struct og_node *map, const char *key, struct og_text text) {
  struct og_node *n = og_node_add(arena, map, key);
  n->kind = OG_NODE_STRING;
  n->text = (struct og_text){og_arena_copy(arena, text.data, text.size), text.size};
}

/* The note that HSA's loaders read. */
static void end_metadata(struct cc_object *o) {
  struct og_node root = {.kind = OG_NODE_MAP};
  struct og_node *kernels = og_node_add(o->arena, &root, "amdhsa.kernels");
  kernels->kind = OG_NODE_LIST, kernels->items = o->nodes.items, kernels->count = o->nodes.count;
  struct og_buffer id = {0};
  og_target_print_id(o->target, o->version, &id);
  if (o->version >= 4) /* user guide, "Code Object V4 Metadata" */
    put_text(o->arena, &root, "amdhsa.target", (struct og_text){(const char *)id.data, id.size});
  og_buffer_free(&id);
  struct og_node *version = og_node_add(o->arena, &root, "amdhsa.version");
  version->kind = OG_NODE_LIST, version->count = 2;
  version->items = OG_NEW_ARRAY(o->arena, struct og_node, 2);
  version->items[0] = (struct og_node){.kind = OG_NODE_UINT, .unsigned_integer = 1};
  version->items[1] =
      (struct og_node){.kind = OG_NODE_UINT, .unsigned_integer = (uint64_t)(o->version >= 5 ? 2 : o->version - 3)};
  og_metadata_append(&root, o->version, &o->notes);
}

bool cc_object_end(struct cc_object *o, const struct og_ir_module *m, bool relocatable, struct og_buffer *out,
                   struct og_diagnostics *diagnostics) {
  if (cc_is_hsa(o->target))
    end_metadata(o);
  else
    cc_system_end(o);
  uint32_t note = og_object_add_section(o->elf, ".note", SHT_NOTE, cc_is_hsa(o->target) ? SHF_ALLOC : 0, 4);
  struct og_section *sections = o->elf->sections.items;
  sections[o->text_section].data = o->text.data, sections[o->text_section].size = o->text.size;
  if (o->rodata_section)
    sections[o->rodata_section].data = o->rodata.data, sections[o->rodata_section].size = o->rodata.size;
  if (o->data_section)
    sections[o->data_section].data = o->data.data, sections[o->data_section].size = o->data.size;
  sections[note].data = o->notes.data, sections[note].size = o->notes.size;
  cc_debug_end(o, m);
  if (relocatable)
    return og_object_write(o->elf, out, diagnostics);
  struct og_buffer object = {0};
  struct og_link_options options = {0};
  bool ok = og_object_write(o->elf, &object, diagnostics);
  if (ok) {
    struct og_link_input input = {.name = m->file, .bytes = object.data, .size = object.size};
    ok = og_link(o->arena, &input, 1, &options, out, diagnostics);
  }
  og_buffer_free(&object);
  return ok;
}

void cc_object_free(struct cc_object *o) {
  og_buffer_free(&o->text);
  og_buffer_free(&o->rodata);
  og_buffer_free(&o->notes);
  og_buffer_free(&o->data);
  og_buffer_free(&o->config);
}
