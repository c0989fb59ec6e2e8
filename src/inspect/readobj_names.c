/* readobj_names.c - gives ELF's numbers their names, and notes their meaning, for both printing styles. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/readobj.h"

const char *og_elf_section_type(uint32_t type) {
  switch (type) {
#define CASE(name) case name: return #name;
    CASE(SHT_NULL)
    CASE(SHT_PROGBITS) CASE(SHT_SYMTAB) CASE(SHT_STRTAB) CASE(SHT_RELA) CASE(SHT_HASH) CASE(SHT_DYNAMIC) CASE(SHT_NOTE)
        CASE(SHT_NOBITS) CASE(SHT_REL) CASE(SHT_DYNSYM) CASE(SHT_INIT_ARRAY) CASE(SHT_FINI_ARRAY)
            CASE(SHT_PREINIT_ARRAY) CASE(SHT_GROUP) CASE(SHT_SYMTAB_SHNDX) CASE(SHT_GNU_HASH) case OG_SHT_LLVM_ADDRSIG
        : return "SHT_LLVM_ADDRSIG";
  }
  return NULL;
}

const char *og_elf_segment_type(uint32_t type) {
  switch (type) {
    CASE(PT_NULL) CASE(PT_LOAD) CASE(PT_DYNAMIC) CASE(PT_INTERP) CASE(PT_NOTE) CASE(PT_SHLIB) CASE(PT_PHDR) CASE(PT_TLS)
    CASE(PT_GNU_EH_FRAME) CASE(PT_GNU_STACK) CASE(PT_GNU_RELRO)
  }
  return NULL;
}

const char *og_elf_dynamic_tag(uint64_t tag) {
  switch (tag) {
#define TAG(name) case DT_##name: return #name;
    TAG(NULL)
    TAG(NEEDED) TAG(PLTRELSZ) TAG(PLTGOT) TAG(HASH) TAG(STRTAB) TAG(SYMTAB) TAG(RELA) TAG(RELASZ) TAG(RELAENT)
        TAG(STRSZ) TAG(SYMENT) TAG(INIT) TAG(FINI) TAG(SONAME) TAG(RPATH) TAG(SYMBOLIC) TAG(TEXTREL) TAG(FLAGS)
            TAG(FLAGS_1) TAG(GNU_HASH) TAG(RELACOUNT)
  }
  return NULL;
}

uint32_t og_elf_names_section(const struct og_object *object) {
  return og_load16(object->bytes + (object->elf32 ? 50 : 62));
}

/* ---- header flags ------------------------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct og_flag_name *)a)->name, ((const struct og_flag_name *)b)->name);
}

size_t og_elf_flag_names(struct og_arena *arena, const struct og_object *object, struct og_flag_name *out) {
  static const char *const settings[] = {NULL, "ANY", "OFF", "ON"};
  const struct og_processor *p = og_processor_by_mach(object->flags & 0xff);
  size_t count = 0;
  if (p) {
    char *name = og_arena_printf(arena, "EF_AMDGPU_MACH_%s_%s", p->generation == OG_R600 ? "R600" : "AMDGCN", p->name);
    for (char *c = name; *c; c++)
      *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    out[count++] = (struct og_flag_name){name, object->flags & 0xff};
  }
  uint32_t xnack = object->flags >> 8 & 3, sramecc = object->flags >> 10 & 3, generic = object->flags >> 24;
  if (object->os_abi == OG_OSABI_HSA && object->abi_version >= 2) {
    if (xnack)
      out[count++] =
          (struct og_flag_name){og_arena_printf(arena, "EF_AMDGPU_FEATURE_XNACK_%s_V4", settings[xnack]), xnack << 8};
    if (sramecc)
      out[count++] = (struct og_flag_name){og_arena_printf(arena, "EF_AMDGPU_FEATURE_SRAMECC_%s_V4", settings[sramecc]),
                                           sramecc << 10};
    if (generic && object->abi_version >= 4)
      out[count++] =
          (struct og_flag_name){og_arena_printf(arena, "EF_AMDGPU_GENERIC_VERSION_V%u", generic), generic << 24};
  } else {
    if (object->flags & 0x100)
      out[count++] = (struct og_flag_name){"EF_AMDGPU_FEATURE_XNACK_V3", 0x100};
    if (object->flags & 0x200)
      out[count++] = (struct og_flag_name){"EF_AMDGPU_FEATURE_SRAMECC_V3", 0x200};
  }
  qsort(out, count, sizeof *out, by_name);
  return count;
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

static const char *metadata_text(struct og_arena *arena, const struct og_object *object, const struct og_note *note) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  const struct og_node *root =
      og_metadata_from_msgpack(arena, object->name, note->description, note->size, diagnostics);
  const char *text = "Invalid AMDGPU Metadata";
  if (root) {
    struct og_buffer yaml = {0};
    og_metadata_to_yaml(root, 3, &yaml);
    text = og_arena_copy(arena, (const char *)yaml.data, yaml.size);
    og_buffer_free(&yaml);
  }
  og_diagnostics_free(diagnostics);
  return text;
}

static const char *isa_version(struct og_arena *arena, const struct og_note *note) {
  const uint8_t *d = note->description;
  uint32_t vendor = note->size >= 16 ? og_load16(d) : 0, architecture = note->size >= 16 ? og_load16(d + 2) : 0;
  if (note->size < 16 || vendor + architecture > note->size - 16 || !vendor || !architecture)
    return "Invalid AMD HSA ISA Version";
  return og_arena_printf(arena, "[Vendor: %.*s, Architecture: %.*s, Major: %u, Minor: %u, Stepping: %u]",
                         (int)vendor - 1, (const char *)d + 16, (int)architecture - 1, (const char *)d + 16 + vendor,
                         og_load32(d + 4), og_load32(d + 8), og_load32(d + 12));
}

static const char *plain(struct og_arena *arena, const struct og_note *note, bool ends_its_line) {
  size_t size = strnlen((const char *)note->description, note->size);
  return og_arena_copy(arena, (const char *)note->description,
                       size - (ends_its_line && size && note->description[size - 1] == '\n'));
}

static const char *amd_note(struct og_arena *arena, const struct og_note *note, const char **title, const char **type) {
  const uint8_t *d = note->description;
  switch (note->type) {
  case OG_NT_AMD_HSA_CODE_OBJECT_VERSION:
    *title = "AMD HSA Code Object Version", *type = "NT_AMD_HSA_CODE_OBJECT_VERSION";
    return note->size < 8 ? "Invalid AMD HSA Code Object Version"
                          : og_arena_printf(arena, "[Major: %u, Minor: %u]", og_load32(d), og_load32(d + 4));
  case OG_NT_AMD_HSA_HSAIL:
    *title = "AMD HSA HSAIL Properties", *type = "NT_AMD_HSA_HSAIL";
    if (note->size < 11)
      return "Invalid AMD HSA HSAIL Properties";
    return og_arena_printf(
        arena, "[HSAIL Major: %u, HSAIL Minor: %u, Profile: %u, Machine Model: %u, Default Float Round: %u]",
        og_load32(d), og_load32(d + 4), d[8], d[9], d[10]);
  case OG_NT_AMD_HSA_ISA_VERSION:
    *title = "AMD HSA ISA Version", *type = "NT_AMD_HSA_ISA_VERSION";
    return isa_version(arena, note);
  case OG_NT_AMD_HSA_METADATA:
    *title = "AMD HSA Metadata", *type = "NT_AMD_HSA_METADATA";
    return plain(arena, note, true);
  case OG_NT_AMD_HSA_ISA_NAME:
    *title = "AMD HSA ISA Name", *type = "NT_AMD_HSA_ISA_NAME";
    return plain(arena, note, false);
  case OG_NT_AMD_PAL_METADATA: {
    struct og_buffer text = {0};
    *title = "AMD PAL Metadata", *type = "NT_AMD_PAL_METADATA";
    for (size_t i = 0; i + 8 <= note->size; i += 8)
      og_buffer_printf(&text, "[%u: %u]", og_load32(d + i), og_load32(d + i + 4));
    const char *copy = og_arena_copy(arena, (const char *)text.data, text.size);
    og_buffer_free(&text);
    return copy;
  }
  }
  return NULL;
}

const char *og_note_value(struct og_arena *arena, const struct og_object *object, const struct og_note *note,
                          const char **title, const char **type) {
  if (strcmp(note->name, "AMD") == 0)
    return amd_note(arena, note, title, type);
  if (strcmp(note->name, "AMDGPU") == 0 && note->type == OG_NT_AMDGPU_METADATA) {
    *title = "AMDGPU Metadata", *type = "NT_AMDGPU_METADATA";
    return metadata_text(arena, object, note);
  }
  if (strcmp(note->name, "GNU") == 0 && note->type == NT_GNU_BUILD_ID) {
    struct og_buffer text = {0};
    *title = "Build ID", *type = "NT_GNU_BUILD_ID";
    for (size_t i = 0; i < note->size; i++)
      og_buffer_printf(&text, "%02x", note->description[i]);
    const char *copy = og_arena_copy(arena, (const char *)text.data, text.size);
    og_buffer_free(&text);
    return copy;
  }
  return NULL;
}
