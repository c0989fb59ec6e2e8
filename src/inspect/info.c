/* info.c - describes a code object in words and in JSON. */
#include "inspect/info.h"

#include <inttypes.h>
#include <string.h>

#include "object/debug/dwarf.h"
#include "object/code/occupancy.h"
#include "object/code/pal.h"

static const char *type_name(uint16_t type) {
  return type == ET_REL ? "relocatable object" : type == ET_DYN ? "loadable code object" : "ELF file";
}

static const char *os_name(uint8_t os) {
  return os == OG_OSABI_HSA ? "amdhsa" : os == OG_OSABI_PAL ? "amdpal" : os == OG_OSABI_MESA3D ? "mesa3d" : "none";
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_header(const struct og_code_object *code, struct og_buffer *out) {
  const struct og_object *elf = code->elf;
  og_buffer_printf(out, "%s: %s, ELF%u, OS ABI %s, code object V%d\n", elf->name, type_name(elf->type),
                   elf->elf32 ? 32 : 64, os_name(elf->os_abi), code->version);
  og_buffer_text(out, "  target      ");
  og_target_print_id(&code->target, code->version, out);
  og_buffer_printf(out, ", e_flags 0x%x\n", elf->flags);
  if (elf->type == ET_DYN)
    og_buffer_printf(out, "  memory      %" PRIu64 " bytes, aligned to %" PRIu64 "\n", code->load_size,
                     code->load_align);
  og_buffer_printf(out, "  kernels     %u\n", code->kernel_count);
}

/* "s[4:5] kernarg segment pointer", "ttmp7[31:16] work-group id z". */
static void print_input(const struct og_input_place *place, const char *name, struct og_buffer *out) {
  static const char *const files[] = {[OG_FILE_SGPR] = "s", [OG_FILE_TTMP] = "ttmp", [OG_FILE_VGPR] = "v"};
  const char *file = files[place->file];
  if (place->count == 1)
    og_buffer_printf(out, "%s%u", file, place->reg);
  else
    og_buffer_printf(out, "%s[%u:%u]", file, place->reg, place->reg + place->count - 1);
  if (place->bits != 32)
    og_buffer_printf(out, "[%u:%u]", place->bit + place->bits - 1, place->bit);
  og_buffer_printf(out, " %s", name);
}

static void print_setup(const struct og_kernel *k, struct og_buffer *out) {
  og_buffer_text(out, "  registers   ");
  for (int i = 0, printed = 0; i < OG_INPUT_COUNT; i++) {
    const struct og_input_place *place = &k->start.inputs[i];
    if (place->file == OG_FILE_NONE)
      continue;
    og_buffer_text(out, printed++ ? ", " : "");
    print_input(place, og_input_names[i], out);
  }
  og_buffer_u8(out, '\n');
}

static void print_args(const struct og_kernel *k, struct og_buffer *out) {
  if (!k->arg_count)
    return;
  og_buffer_text(out, "  offset    size  kind                        address space  name\n");
  for (uint32_t i = 0; i < k->arg_count; i++) {
    const struct og_kernel_arg *a = &k->args[i];
    size_t start = out->size;
    og_buffer_printf(out, "  %6u  %6u  %-26s  %-13s  %s%s%s%s", a->offset, a->size, a->value_kind, a->address_space,
                     a->name, *a->type_name ? " (" : "", a->type_name, *a->type_name ? ")" : "");
    while (out->size > start && out->data[out->size - 1] == ' ')
      out->size--;
    og_buffer_u8(out, '\n');
  }
}

static void print_kernel(const struct og_code_object *code, const struct og_kernel *k, struct og_buffer *out) {
  struct og_occupancy o = og_kernel_occupancy(&code->target, k, 0);
  og_buffer_printf(out, "\nkernel %s\n", k->name);
  og_buffer_printf(out, "  %s  %s at 0x%" PRIx64 ", entry 0x%" PRIx64, k->is_kernel_code ? "code      " : "descriptor",
                   k->symbol, k->object, k->entry);
  if (k->code_size)
    og_buffer_printf(out, ", %" PRIu64 " bytes of code", k->code_size);
  og_buffer_printf(out, "\n  uses        %u VGPRs", k->vgpr_count ? k->vgpr_count : k->start.vgprs_total);
  if (k->agpr_count)
    og_buffer_printf(out, " (%u AGPRs)", k->agpr_count);
  if (k->start.shared_vgprs)
    og_buffer_printf(out, " and %u that halves of a wave share", k->start.shared_vgprs);
  og_buffer_printf(out, ", %u SGPRs, %u bytes LDS, %u bytes scratch%s\n",
                   k->sgpr_count ? k->sgpr_count : k->start.sgprs, k->group_size, k->private_size,
                   k->uses_dynamic_stack ? " and a dynamic stack" : "");
  og_buffer_printf(out, "  wavefront   %u lanes\n", k->wavefront_size);
  if (k->reqd_workgroup_size[0])
    og_buffer_printf(out, "  work-group  must be %ux%ux%u\n", k->reqd_workgroup_size[0], k->reqd_workgroup_size[1],
                     k->reqd_workgroup_size[2]);
  else if (k->max_flat_workgroup_size)
    og_buffer_printf(out, "  work-group  at most %u work-items\n", k->max_flat_workgroup_size);
  og_buffer_printf(
      out, "  occupancy   %u of %u waves per SIMD, limited by %s (VGPRs %u, SGPRs %u, work-group %u, LDS %u)\n",
      o.waves, o.most, strcmp(o.limit, "none") ? o.limit : "nothing", o.by_vgprs, o.by_sgprs, o.by_groups, o.by_lds);
  print_setup(k, out);
  og_buffer_printf(out, "  kernarg     %u bytes, aligned to %u\n", k->kernarg_size, k->kernarg_align);
  print_args(k, out);
}

typedef void visit_note(const struct og_note *note, const char *section, void *context);

static void each_note(const struct og_object *elf, visit_note *visit, void *context) {
  for (uint32_t i = 1; i < elf->sections.count; i++) {
    const struct og_section *s = &elf->sections.items[i];
    struct og_note note;
    if (s->type != SHT_NOTE)
      continue;
    for (size_t offset = 0; og_note_next(s->data, s->size, s->alignment, &offset, &note);)
      visit(&note, s->name, context);
  }
}

static const char *note_name(const struct og_note *note) {
  if (strcmp(note->name, "AMDGPU") == 0 && note->type == OG_NT_AMDGPU_METADATA)
    return "NT_AMDGPU_METADATA";
  if (strcmp(note->name, "GNU") == 0 && note->type == NT_GNU_BUILD_ID)
    return "NT_GNU_BUILD_ID";
  if (strcmp(note->name, "AMD") != 0)
    return "unknown";
  switch (note->type) {
  case OG_NT_AMD_HSA_CODE_OBJECT_VERSION: return "NT_AMD_HSA_CODE_OBJECT_VERSION";
  case OG_NT_AMD_HSA_HSAIL: return "NT_AMD_HSA_HSAIL";
  case OG_NT_AMD_HSA_ISA_VERSION: return "NT_AMD_HSA_ISA_VERSION";
  case OG_NT_AMD_HSA_METADATA: return "NT_AMD_HSA_METADATA";
  case OG_NT_AMD_HSA_ISA_NAME: return "NT_AMD_HSA_ISA_NAME";
  case OG_NT_AMD_PAL_METADATA: return "NT_AMD_PAL_METADATA";
  }
  return "unknown";
}

static void print_note(const struct og_note *note, const char *section, void *context) {
  og_buffer_printf(context, "  %-10s %-8s %-32s %zu bytes\n", section, note->name, note_name(note), note->size);
}

static const char *section_name(const struct og_object *elf, uint32_t section) {
  switch (section) {
  case OG_SECTION_UNDEFINED: return "undefined";
  case OG_SECTION_ABSOLUTE: return "absolute";
  case OG_SECTION_COMMON: return "common";
  case OG_SECTION_LDS: return "LDS";
  }
  return section < elf->sections.count ? elf->sections.items[section].name : "?";
}

static const char *symbol_type(uint8_t type) {
  static const char *const names[] = {"notype", "object", "function", "section", "file", "common", "tls"};
  return type == OG_STT_AMDGPU_HSA_KERNEL ? "kernel" : type < OG_COUNT(names) ? names[type] : "?";
}

static const char *binding_name(uint8_t binding) {
  return binding == STB_LOCAL ? "local" : binding == STB_GLOBAL ? "global" : binding == STB_WEAK ? "weak" : "?";
}

static const char *visibility_name(uint8_t visibility) {
  static const char *const names[] = {"default", "internal", "hidden", "protected"};
  return names[visibility & 3];
}

static void print_relocations(const struct og_object *elf, bool dynamic, struct og_buffer *out) {
  uint32_t count = dynamic ? elf->dynamic_relocations.count : elf->relocations.count;
  const struct og_relocation *items = dynamic ? elf->dynamic_relocations.items : elf->relocations.items;
  const struct og_symbol *symbols = dynamic ? elf->dynamic_symbols.items : elf->symbols.items;
  for (uint32_t i = 0; i < count; i++) {
    const char *type = og_relocation_name(items[i].type);
    const char *symbol = items[i].symbol ? symbols[items[i].symbol].name : "";
    og_buffer_printf(out, "  %-12s 0x%08" PRIx64 "  %-22s %s%s0x%" PRIx64 "\n",
                     dynamic ? "(image)" : section_name(elf, items[i].section), items[i].offset,
                     type ? type : "unknown", symbol,
                     items[i].addend < 0 ? " - "
                     : *symbol           ? " + "
                                         : "",
                     items[i].addend < 0 ? 0 - (uint64_t)items[i].addend : (uint64_t)items[i].addend);
    og_buffer_drain(out);
  }
}

static void print_symbols(const struct og_object *elf, struct og_buffer *out) {
  bool stripped = elf->symbols.count <= 1;
  uint32_t count = stripped ? elf->dynamic_symbols.count : elf->symbols.count;
  const struct og_symbol *items = stripped ? elf->dynamic_symbols.items : elf->symbols.items;
  for (uint32_t i = 1; i < count; i++) {
    const struct og_symbol *s = &items[i];
    og_buffer_printf(out, "  0x%08" PRIx64 " %8" PRIu64 "  %-8s %-6s %-9s %-12s %s\n", s->value, s->size,
                     symbol_type(s->type), binding_name(s->binding), visibility_name(s->visibility),
                     section_name(elf, s->section), s->name);
    og_buffer_drain(out);
  }
}

static void print_pal_register(uint32_t number, uint32_t value, void *context) {
  struct og_buffer *out = context;
  uint32_t index;
  const char *name = og_pal_register(number, &index);
  og_buffer_printf(out, "  0x%04" PRIx32 " = 0x%08" PRIx32, number, value);
  if (name && index == OG_PAL_SINGLE)
    og_buffer_printf(out, "  %s", name);
  else if (name)
    og_buffer_printf(out, "  %s_%u", name, index);
  if (*og_pal_use(number))
    og_buffer_printf(out, "  %s", og_pal_use(number));
  og_buffer_u8(out, '\n');
  og_buffer_drain(out);
}

static void print_variables(const struct og_object *elf, struct og_buffer *out) {
  struct og_dwarf *dwarf = og_dwarf_open_object(elf);
  og_buffer_text(out, "\nvariables\n");
  if (dwarf)
    og_dwarf_print_variables(dwarf, out);
  og_dwarf_close(dwarf);
}

void og_info_text(const struct og_code_object *code, const struct og_info_options *options, struct og_buffer *out) {
  print_header(code, out);
  for (uint32_t i = 0; i < code->kernel_count; i++)
    print_kernel(code, &code->kernels[i], out), og_buffer_drain(out);
  if (options->variables)
    print_variables(code->elf, out);
  if (options->kernels_only)
    return;
  og_buffer_text(out, "\nnotes\n");
  each_note(code->elf, print_note, out);
  if (code->elf->os_abi == OG_OSABI_PAL)
    og_buffer_text(out, "\nPAL registers\n");
  og_pal_each_register(code, print_pal_register, out);
  if (code->elf->relocations.count || code->elf->dynamic_relocations.count)
    og_buffer_text(out, "\nrelocations\n");
  print_relocations(code->elf, false, out);
  print_relocations(code->elf, true, out);
  og_buffer_text(out, "\nsymbols\n");
  print_symbols(code->elf, out);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void key(struct og_buffer *out, const char *name) {
  if (out->size && out->data[out->size - 1] != '{' && out->data[out->size - 1] != '[')
    og_buffer_u8(out, ',');
  if (name) {
    og_buffer_json(out, name, strlen(name));
    og_buffer_u8(out, ':');
  }
}

static void text(struct og_buffer *out, const char *name, const char *value) {
  key(out, name);
  og_buffer_json(out, value, strlen(value));
}

static void number(struct og_buffer *out, const char *name, uint64_t value) {
  key(out, name);
  og_buffer_printf(out, "%" PRIu64, value);
}

static void boolean(struct og_buffer *out, const char *name, bool value) {
  key(out, name);
  og_buffer_text(out, value ? "true" : "false");
}

static void open_json(struct og_buffer *out, const char *name, char bracket) {
  key(out, name);
  og_buffer_u8(out, (uint8_t)bracket);
}

static void json_args(const struct og_kernel *k, struct og_buffer *out) {
  open_json(out, "args", '[');
  for (uint32_t i = 0; i < k->arg_count; i++) {
    const struct og_kernel_arg *a = &k->args[i];
    open_json(out, NULL, '{');
    text(out, "name", a->name);
    text(out, "type", a->type_name);
    text(out, "kind", a->value_kind);
    text(out, "address_space", a->address_space);
    number(out, "offset", a->offset);
    number(out, "size", a->size);
    og_buffer_u8(out, '}');
  }
  og_buffer_u8(out, ']');
}

static void json_descriptor(const struct og_code_object *code, const struct og_kernel *k, struct og_buffer *out) {
  open_json(out, "descriptor", '{');
  for (int i = 0; i < OG_KD_FIELD_COUNT; i++) {
    const struct og_kd_row *row = og_kd_find(&code->target, (enum og_kd_field)i);
    if (!row)
      continue;
    uint64_t value = og_kd_bits(k->descriptor, row);
    key(out, row->name);
    if (i == OG_KD_KERNEL_CODE_ENTRY_BYTE_OFFSET)
      og_buffer_printf(out, "%" PRId64, (int64_t)value);
    else
      og_buffer_printf(out, "%" PRIu64, value);
  }
  og_buffer_u8(out, '}');
}

static void json_inputs(const struct og_kernel *k, struct og_buffer *out) {
  static const char *const files[] = {[OG_FILE_SGPR] = "sgpr", [OG_FILE_TTMP] = "ttmp", [OG_FILE_VGPR] = "vgpr"};
  open_json(out, "inputs", '[');
  for (int i = 0; i < OG_INPUT_COUNT; i++) {
    const struct og_input_place *place = &k->start.inputs[i];
    if (place->file == OG_FILE_NONE)
      continue;
    open_json(out, NULL, '{');
    text(out, "name", og_input_names[i]);
    text(out, "file", files[place->file]);
    number(out, "register", place->reg);
    number(out, "count", place->count);
    number(out, "bit", place->bit);
    number(out, "bits", place->bits);
    og_buffer_u8(out, '}');
  }
  og_buffer_u8(out, ']');
}

static void json_kernel(const struct og_code_object *code, const struct og_kernel *k, struct og_buffer *out) {
  struct og_occupancy o = og_kernel_occupancy(&code->target, k, 0);
  open_json(out, NULL, '{');
  text(out, "name", k->name);
  text(out, "symbol", k->symbol);
  number(out, "object", k->object);
  number(out, "entry", k->entry);
  number(out, "code_size", k->code_size);
  number(out, "vgprs", k->vgpr_count ? k->vgpr_count : k->start.vgprs_total);
  number(out, "vgprs_allocated", k->start.vgprs_total);
  number(out, "agprs", k->agpr_count);
  number(out, "sgprs", k->sgpr_count ? k->sgpr_count : k->start.sgprs);
  number(out, "sgprs_allocated", k->start.sgprs);
  number(out, "lds", k->group_size);
  number(out, "scratch", k->private_size);
  boolean(out, "dynamic_stack", k->uses_dynamic_stack);
  number(out, "wavefront_size", k->wavefront_size);
  number(out, "max_workgroup_size", k->max_flat_workgroup_size);
  open_json(out, "required_workgroup_size", '[');
  for (int i = 0; i < 3; i++)
    number(out, NULL, k->reqd_workgroup_size[i]);
  og_buffer_u8(out, ']');
  json_inputs(k, out);
  open_json(out, "occupancy", '{');
  number(out, "waves_per_simd", o.waves);
  number(out, "most", o.most);
  text(out, "limit", o.limit);
  number(out, "by_vgprs", o.by_vgprs);
  number(out, "by_sgprs", o.by_sgprs);
  number(out, "by_groups", o.by_groups);
  number(out, "by_lds", o.by_lds);
  og_buffer_u8(out, '}');
  open_json(out, "kernarg", '{');
  number(out, "size", k->kernarg_size);
  number(out, "align", k->kernarg_align);
  json_args(k, out);
  og_buffer_u8(out, '}');
  json_descriptor(code, k, out);
  og_buffer_u8(out, '}');
}

static void json_note(const struct og_note *note, const char *section, void *context) {
  struct og_buffer *out = context;
  open_json(out, NULL, '{');
  text(out, "section", section);
  text(out, "owner", note->name);
  number(out, "type", note->type);
  text(out, "type_name", note_name(note));
  number(out, "size", note->size);
  og_buffer_u8(out, '}');
}

static void json_pal_register(uint32_t register_number, uint32_t value, void *context) {
  struct og_buffer *out = context;
  uint32_t index;
  const char *name = og_pal_register(register_number, &index);
  open_json(out, NULL, '{');
  number(out, "register", register_number);
  number(out, "value", value);
  if (name) {
    bool user_data = og_pal_stage(register_number, &index) != NULL;
    text(out, user_data ? "stage" : "name", name);
    if (index != OG_PAL_SINGLE)
      number(out, "index", index);
    if (user_data)
      text(out, "use", og_pal_use(register_number));
  }
  og_buffer_u8(out, '}');
  og_buffer_drain(out);
}

static void json_relocations(const struct og_object *elf, bool dynamic, struct og_buffer *out) {
  uint32_t count = dynamic ? elf->dynamic_relocations.count : elf->relocations.count;
  const struct og_relocation *items = dynamic ? elf->dynamic_relocations.items : elf->relocations.items;
  const struct og_symbol *symbols = dynamic ? elf->dynamic_symbols.items : elf->symbols.items;
  for (uint32_t i = 0; i < count; i++) {
    const char *type = og_relocation_name(items[i].type);
    open_json(out, NULL, '{');
    text(out, "section", dynamic ? "" : section_name(elf, items[i].section));
    number(out, "offset", items[i].offset);
    text(out, "type", type ? type : "unknown");
    text(out, "symbol", items[i].symbol ? symbols[items[i].symbol].name : "");
    key(out, "addend");
    og_buffer_printf(out, "%" PRId64, items[i].addend);
    og_buffer_u8(out, '}');
    og_buffer_drain(out);
  }
}

static void json_symbols(const struct og_object *elf, struct og_buffer *out) {
  bool stripped = elf->symbols.count <= 1;
  uint32_t count = stripped ? elf->dynamic_symbols.count : elf->symbols.count;
  const struct og_symbol *items = stripped ? elf->dynamic_symbols.items : elf->symbols.items;
  for (uint32_t i = 1; i < count; i++) {
    open_json(out, NULL, '{');
    text(out, "name", items[i].name);
    number(out, "value", items[i].value);
    number(out, "size", items[i].size);
    text(out, "type", symbol_type(items[i].type));
    text(out, "binding", binding_name(items[i].binding));
    text(out, "visibility", visibility_name(items[i].visibility));
    text(out, "section", section_name(elf, items[i].section));
    og_buffer_u8(out, '}');
    og_buffer_drain(out);
  }
}

void og_info_json(const struct og_code_object *code, struct og_buffer *out) {
  const struct og_object *elf = code->elf;
  struct og_buffer id = {0};
  og_target_print_id(&code->target, code->version, &id);
  open_json(out, NULL, '{');
  text(out, "file", elf->name);
  text(out, "type", elf->type == ET_REL ? "relocatable" : "shared");
  number(out, "elf_class", elf->elf32 ? 32 : 64);
  text(out, "os_abi", os_name(elf->os_abi));
  number(out, "abi_version", elf->abi_version);
  number(out, "code_object_version", (uint64_t)code->version);
  number(out, "e_flags", elf->flags);
  text(out, "processor", code->target.processor->name);
  key(out, "target");
  og_buffer_json(out, (const char *)id.data, id.size);
  number(out, "load_size", code->load_size);
  open_json(out, "kernels", '[');
  for (uint32_t i = 0; i < code->kernel_count; i++)
    json_kernel(code, &code->kernels[i], out), og_buffer_drain(out);
  og_buffer_u8(out, ']');
  open_json(out, "notes", '[');
  each_note(elf, json_note, out);
  og_buffer_u8(out, ']');
  open_json(out, "pal_registers", '[');
  og_pal_each_register(code, json_pal_register, out);
  og_buffer_u8(out, ']');
  open_json(out, "relocations", '[');
  json_relocations(elf, false, out);
  json_relocations(elf, true, out);
  og_buffer_u8(out, ']');
  open_json(out, "symbols", '[');
  json_symbols(elf, out);
  og_buffer_text(out, "]}");
  og_buffer_free(&id);
}
