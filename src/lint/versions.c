/* versions.c - compares what header, notes, symbols and metadata say about code object version and target. A loader
 * goes by the header; parts that disagree with it were made for another version. */
#include "lint/internal.h"

#include <inttypes.h>
#include <string.h>

#define FIND(lint, id, ...) og_lint_report(lint, OG_LINT_##id, NULL, __VA_ARGS__)

static const char *os_of(const struct og_object *elf) {
  return elf->os_abi == OG_OSABI_HSA      ? "HSA"
         : elf->os_abi == OG_OSABI_PAL    ? "PAL"
         : elf->os_abi == OG_OSABI_MESA3D ? "Mesa 3D"
                                          : "no known driver";
}

/* The metadata's version number has to fit the code object version (user guide, "Code Object Metadata"). */
static void check_metadata_version(struct og_lint *lint) {
  static const struct { uint64_t major, minor; } wanted[] = {[3] = {1, 0}, [4] = {1, 1}, [5] = {1, 2}, [6] = {1, 2}};
  const struct og_node *list = og_node_get(lint->code->metadata, "amdhsa.version");
  uint64_t major = 0, minor = 0;
  int version = lint->code->version;
  if (version < 3 || !list || list->kind != OG_NODE_LIST || list->count != 2)
    return;
  if (!og_node_uint(&list->items[0], &major) || !og_node_uint(&list->items[1], &minor))
    return;
  if (major != wanted[version].major ||
      minor > wanted[version].minor) /* an older minor version says less, but all that it says is valid */
    FIND(lint, VERSION_DIFFERS,
         "amdhsa.version is %" PRIu64 ".%" PRIu64 ", but code object V%d has %" PRIu64 ".%" PRIu64, major, minor,
         version, wanted[version].major, wanted[version].minor);
}

static void check_target_names(struct og_lint *lint, const char *what, struct og_text said, int version) {
  struct og_buffer id = {0};
  og_target_print_id(&lint->code->target, version, &id);
  if (!og_text_equal(said, (struct og_text){(char *)id.data, id.size}))
    FIND(lint, TARGET_DIFFERS, "%s is '%.*s', but e_flags say '%.*s'", what, OG_TEXT_ARGS(said), (int)id.size,
         (char *)id.data);
  og_buffer_free(&id);
}

/* The third number may be one more: V2 numbered a processor that replays page faults as the next one. */
static bool is_processor(const struct og_target *target, uint32_t major, uint32_t minor, uint32_t stepping) {
  const struct og_processor *p = target->processor;
  bool next = p->major == 9 && p->minor == 0 && p->stepping <= 6 && stepping == p->stepping + 1u;
  return major == p->major && minor == p->minor && (stepping == p->stepping || next);
}

static void check_isa_note(struct og_lint *lint, const struct og_note *note) {
  const uint8_t *d = note->description;
  if (note->size >= 16 &&
      !is_processor(&lint->code->target, og_load32(d + 4), og_load32(d + 8), og_load32(d + 12)))
    FIND(lint, TARGET_DIFFERS, "the note of the ISA's version says %u.%u.%u, but e_flags say %s", og_load32(d + 4),
         og_load32(d + 8), og_load32(d + 12), lint->code->target.processor->name);
}

/* Compilers spell the vendor and the features differently; a loader needs only the processor. */
static void check_isa_name(struct og_lint *lint, const struct og_note *note) {
  struct og_text said = {(const char *)note->description, strnlen((const char *)note->description, note->size)};
  struct og_diagnostics *quiet = og_diagnostics_new();
  struct og_target target;
  if (!og_target_parse_id(&target, said, quiet) || target.processor != lint->code->target.processor)
    FIND(lint, TARGET_DIFFERS, "the note of the ISA's name says '%.*s', but e_flags say %s", OG_TEXT_ARGS(said),
         lint->code->target.processor->name);
  og_diagnostics_free(quiet);
}

static void check_code_object_version(struct og_lint *lint, const struct og_note *note) {
  if (lint->code->version >= 3 && lint->code->elf->os_abi == OG_OSABI_HSA)
    FIND(lint, NOTES_DIFFER, "a note says code object version %u.%u, but the header says V%d",
         note->size >= 8 ? og_load32(note->description) : 0, note->size >= 8 ? og_load32(note->description + 4) : 0,
         lint->code->version);
  else if (note->size >= 8 && (og_load32(note->description) < 1 || og_load32(note->description) > 2))
    FIND(lint, NOTES_DIFFER, "a note says code object version %u.%u, but the header says V2",
         og_load32(note->description), og_load32(note->description + 4));
}

/* The metadata in MessagePack: of HSA's kernels or PAL's pipelines. */
static void check_document(struct og_lint *lint, const struct og_note *note) {
  const struct og_object *elf = lint->code->elf;
  struct og_diagnostics *quiet = og_diagnostics_new();
  const struct og_node *root =
      og_metadata_from_msgpack(lint->arena, elf->name, note->description, note->size, quiet);
  bool hsa = og_node_get(root, "amdhsa.version") || og_node_get(root, "amdhsa.kernels"),
       pal = og_node_get(root, "amdpal.version") || og_node_get(root, "amdpal.pipelines");
  if ((hsa && elf->os_abi != OG_OSABI_HSA) || (pal && elf->os_abi != OG_OSABI_PAL))
    FIND(lint, NOTES_DIFFER, "the metadata is %s's, but the header says %s", hsa ? "HSA" : "PAL", os_of(elf));
  else if (hsa && lint->code->version == 2)
    FIND(lint, NOTES_DIFFER, "the metadata is of code object V3 or later, but the header says V2");
  og_diagnostics_free(quiet);
}

static void check_note(struct og_lint *lint, const struct og_note *note) {
  const struct og_object *elf = lint->code->elf;
  bool hsa = elf->os_abi == OG_OSABI_HSA;
  if (strcmp(note->name, "AMDGPU") == 0 && note->type == OG_NT_AMDGPU_METADATA)
    check_document(lint, note);
  if (strcmp(note->name, "AMD") != 0)
    return;
  switch (note->type) {
  case OG_NT_AMD_HSA_CODE_OBJECT_VERSION: check_code_object_version(lint, note); break;
  case OG_NT_AMD_HSA_ISA_VERSION: check_isa_note(lint, note); break;
  case OG_NT_AMD_HSA_ISA_NAME: check_isa_name(lint, note); break;
  case OG_NT_AMD_HSA_METADATA:
    if (!hsa || lint->code->version > 2)
      FIND(lint, NOTES_DIFFER, "the metadata is of code object V2, but the header says %s%s", hsa ? "a later one" : "",
           hsa ? "" : os_of(elf));
    break;
  case OG_NT_AMD_PAL_METADATA:
    if (elf->os_abi != OG_OSABI_PAL)
      FIND(lint, NOTES_DIFFER, "the metadata is PAL's, but the header says %s", os_of(elf));
    break;
  }
}

/* Kernels with a header of their own belong to one code object version, those with a descriptor to later ones. */
static void check_kernels(struct og_lint *lint) {
  const struct og_object *elf = lint->code->elf;
  for (uint32_t i = 1; i < elf->symbols.count && elf->os_abi == OG_OSABI_HSA; i++) {
    const struct og_symbol *s = &elf->symbols.items[i];
    size_t size = strlen(s->name);
    bool descriptor = size > 3 && strcmp(s->name + size - 3, ".kd") == 0 && s->section != OG_SECTION_UNDEFINED;
    if (s->type == OG_STT_AMDGPU_HSA_KERNEL && lint->code->version > 2)
      FIND(lint, NOTES_DIFFER, "symbol '%s' is a kernel of code object V2, but the header says V%d", s->name,
           lint->code->version);
    else if (descriptor && lint->code->version == 2)
      FIND(lint, NOTES_DIFFER, "'%s' is a kernel descriptor of code object V3 or later, but the header says V2",
           s->name);
  }
}

/* e_flags that the processor they name or the code object version does not have. */
static void check_flags(struct og_lint *lint) {
  const struct og_object *elf = lint->code->elf;
  const struct og_processor *p = lint->code->target.processor;
  int version = elf->os_abi == OG_OSABI_HSA ? lint->code->version : 3;
  uint32_t mach = 0xff, features = version >= 4 ? 0xf00 : 0x300, generic = version >= 6 ? 0xff000000 : 0;
  if (elf->flags & ~(mach | features | generic))
    FIND(lint, FLAGS_IMPOSSIBLE, "e_flags 0x%x sets bits 0x%x, which have no meaning", elf->flags,
         elf->flags & ~(mach | features | generic));
  uint32_t xnack = version >= 4 ? elf->flags >> 8 & 3 : elf->flags >> 8 & 1;
  uint32_t sramecc = version >= 4 ? elf->flags >> 10 & 3 : elf->flags >> 9 & 1;
  if ((xnack && !p->xnack) || (sramecc && !p->sramecc))
    FIND(lint, FLAGS_IMPOSSIBLE, "e_flags 0x%x has a setting of %s, which %s does not have", elf->flags,
         xnack && !p->xnack ? "XNACK" : "SRAM-ECC", p->name);
  if (version >= 6 && (elf->flags >> 24 != 0) != (p->generic_version != 0))
    FIND(lint, FLAGS_IMPOSSIBLE, "e_flags 0x%x has generic version %u, but %s is %s", elf->flags, elf->flags >> 24,
         p->name, p->generic_version ? "generic" : "no generic processor");
  if (p->generic_version && elf->os_abi == OG_OSABI_HSA && version < 6)
    FIND(lint, FLAGS_IMPOSSIBLE, "%s is a generic processor, which code object V%d does not know", p->name, version);
}

void og_lint_versions(struct og_lint *lint) {
  const struct og_object *elf = lint->code->elf;
  const struct og_node *target = og_node_get(lint->code->metadata, "amdhsa.target");
  check_metadata_version(lint);
  if (target && target->kind == OG_NODE_STRING)
    check_target_names(lint, "amdhsa.target", target->text, OG_MAX(lint->code->version, 4));
  for (uint32_t i = 1; i < elf->sections.count; i++) {
    const struct og_section *s = &elf->sections.items[i];
    struct og_note note;
    for (size_t at = 0; s->type == SHT_NOTE && s->data && og_note_next(s->data, s->size, s->alignment, &at, &note);)
      check_note(lint, &note);
  }
  check_kernels(lint);
  check_flags(lint);
}
