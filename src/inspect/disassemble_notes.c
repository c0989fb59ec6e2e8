/* disassemble_notes.c - prints an object's notes as the directives that make them, or as bytes if no directive does. */
#include <string.h>

#include "inspect/disassemble_parts.h"

/* A directive and the record that it makes. An empty record stands for one with the note's name, type and
 * description. */
struct said {
  struct og_buffer *text; /* the source, to which the directive is appended */
  struct og_buffer record;
};

static bool say_metadata(struct og_dis_context *c, const struct og_note *note, struct said *said,
                         struct og_diagnostics *quiet) {
  bool v2 = og_note_metadata_version(note) == 2;
  const char *name = v2 ? "amd_amdgpu_hsa_metadata" : "amdgpu_metadata";
  og_buffer_printf(said->text, "\n\t.%s\n", name);
  int version = v2 ? 2 : OG_MAX(c->version, 3);
  bool ok = !v2 && c->version > 2 && og_metadata_print_direct(note->description, note->size, version, said->text);
  if (!ok) {
    size_t start = said->text->size;
    struct og_arena *arena = og_arena_new();
    const struct og_node *root =
        v2 ? NULL : og_metadata_from_msgpack(arena, c->object->name, note->description, note->size, quiet);
    if (v2)
      og_buffer_append(said->text, note->description, strnlen((const char *)note->description, note->size));
    else if (root && og_metadata_verify(root, version, NULL, quiet))
      og_metadata_to_yaml(root, c->version, said->text);
    struct og_text yaml = {(const char *)said->text->data + start, said->text->size - start};
    ok = yaml.size && og_metadata_note(yaml, (struct og_range){0}, version, &said->record, quiet);
    og_arena_free(arena);
  }
  og_buffer_printf(said->text, "%s\t.end_%s\n", v2 ? "\n" : "", name);
  return ok;
}

static bool say_version(const struct og_note *note, struct said *said) {
  if (note->size != 8)
    return false;
  og_buffer_printf(said->text, "\t.hsa_code_object_version %u,%u\n", og_load32(note->description),
                   og_load32(note->description + 4));
  return true;
}

/* The note holds the sizes of two names with their NULs, three numbers, and the names. */
static bool say_isa(const struct og_note *note, struct said *said) {
  const uint8_t *d = note->description;
  uint32_t vendor = note->size >= 16 ? og_load16(d) : 0, architecture = note->size >= 16 ? og_load16(d + 2) : 0;
  if (!vendor || !architecture || note->size != 16u + vendor + architecture || d[15 + vendor] ||
      d[15 + vendor + architecture])
    return false;
  og_buffer_printf(said->text, "\t.hsa_code_object_isa %u,%u,%u,", og_load32(d + 4), og_load32(d + 8),
                   og_load32(d + 12));
  og_buffer_json(said->text, (const char *)d + 16, vendor - 1);
  og_buffer_u8(said->text, ',');
  og_buffer_json(said->text, (const char *)d + 16 + vendor, architecture - 1);
  og_buffer_u8(said->text, '\n');
  return true;
}

static bool is_printable(const struct og_note *note) {
  for (size_t i = 0; i < note->size; i++)
    if (note->description[i] < 32 || note->description[i] > 126)
      return false;
  return true;
}

static bool say_isa_name(const struct og_note *note, struct said *said) {
  if (!is_printable(note))
    return false;
  og_buffer_text(said->text, "\t.amd_amdgpu_isa ");
  og_buffer_json(said->text, (const char *)note->description, note->size);
  og_buffer_u8(said->text, '\n');
  return true;
}

/* A list of registers. They have to ascend, because the assembler sorts and merges them. */
static bool say_pal_list(const struct og_note *note, struct said *said) {
  if (!note->size || note->size % 8)
    return false;
  for (size_t i = 0; i < note->size; i += 8) {
    uint32_t number = og_load32(note->description + i);
    if (i && number <= og_load32(note->description + i - 8))
      return false;
    og_buffer_printf(said->text, "%s0x%x,0x%x", i ? "," : "\t.amd_amdgpu_pal_metadata ", number,
                     og_load32(note->description + i + 4));
  }
  og_buffer_u8(said->text, '\n');
  return true;
}

/* The first pipeline must have a map of registers, because the assembler gives it one. */
static bool say_pal_document(struct og_dis_context *c, const struct og_note *note, struct said *said,
                             struct og_diagnostics *quiet) {
  const struct og_node *root =
      og_metadata_from_msgpack(c->arena, c->object->name, note->description, note->size, quiet);
  const struct og_node *pipelines = root ? og_node_get(root, "amdpal.pipelines") : NULL;
  const struct og_node *registers = pipelines && pipelines->kind == OG_NODE_LIST && pipelines->count
                                        ? og_node_get(&pipelines->items[0], ".registers")
                                        : NULL;
  if (!registers || registers->kind != OG_NODE_MAP)
    return false;
  og_buffer_text(said->text, "\n\t.amdgpu_pal_metadata\n");
  size_t start = said->text->size;
  og_metadata_to_hex_yaml(root, said->text);
  struct og_text yaml = {(const char *)said->text->data + start, said->text->size - start};
  const struct og_node *again = og_metadata_from_yaml(c->arena, yaml, (struct og_range){0}, quiet);
  if (again)
    og_metadata_append(again, OG_MAX(c->version, 3), &said->record);
  og_buffer_text(said->text, "\t.end_amdgpu_pal_metadata\n");
  return again != NULL;
}

static bool say(struct og_dis_context *c, const struct og_note *note, bool last, struct said *said,
                struct og_diagnostics *quiet) {
  bool pal = c->object->os_abi == OG_OSABI_PAL;
  if (strcmp(note->name, "AMDGPU") == 0)
    return note->type != OG_NT_AMDGPU_METADATA ? false
           : pal                               ? last && say_pal_document(c, note, said, quiet)
                                               : say_metadata(c, note, said, quiet);
  if (strcmp(note->name, "AMD") != 0)
    return false;
  switch (note->type) {
  case OG_NT_AMD_HSA_METADATA: return say_metadata(c, note, said, quiet);
  case OG_NT_AMD_HSA_CODE_OBJECT_VERSION: return say_version(note, said);
  case OG_NT_AMD_HSA_ISA_VERSION: return say_isa(note, said);
  case OG_NT_AMD_HSA_ISA_NAME: return say_isa_name(note, said);
  case OG_NT_AMD_PAL_METADATA: return pal && last && say_pal_list(note, said); /* written after all others */
  default: return false;
  }
}

static void put_bytes(struct og_dis_context *c, size_t from, size_t to) {
  og_dis_section_header(c);
  for (size_t i = from; i < to; i++)
    og_buffer_printf(c->out, (i - from) % 16 ? ", 0x%02x" : i == from ? "\t.byte\t0x%02x" : "\n\t.byte\t0x%02x",
                     c->section->data[i]);
  og_buffer_u8(c->out, '\n');
}

/* Whether the record is as the assembler writes one: parts are aligned to four bytes, with zeros between them. */
static bool is_plain_record(const uint8_t *record, size_t size, const struct og_note *note) {
  static const uint8_t zeros[4];
  size_t name = strlen(note->name) + 1, from = 12 + og_align_up(name, 4), end = og_align_up(note->size, 4);
  return og_load32(record) == name && note->description == record + from && size == from + end &&
         !memcmp(record + 12 + name, zeros, from - name - 12) &&
         !memcmp(note->description + note->size, zeros, end - note->size);
}

/* Whether the section is like the one that the assembler makes for its own notes. */
static bool is_usual(const struct og_dis_context *c) {
  const struct og_section *s = c->section;
  return strcmp(s->name, ".note") == 0 && s->flags == (c->target.os == OG_OS_AMDHSA ? SHF_ALLOC : 0);
}

void og_dis_notes(struct og_dis_context *c) {
  const struct og_section *s = c->section;
  struct og_diagnostics *quiet = og_diagnostics_new();
  bool linked = c->object->type != ET_REL, usual = linked ? s->flags & SHF_ALLOC : is_usual(c);
  size_t at = 0, from = 0;
  struct og_note note;
  for (; og_note_next(s->data, s->size, s->alignment, &at, &note); from = at) {
    struct said said = {.text = c->out};
    size_t start = c->out->size;
    bool same = usual && say(c, &note, at == s->size, &said, quiet);
    if (said.record.size)
      same &= said.record.size == at - from && memcmp(said.record.data, s->data + from, at - from) == 0;
    else
      same = same && is_plain_record(s->data + from, at - from, &note);
    if (!same) {
      c->out->size = start;
      put_bytes(c, from, at);
    }
    og_buffer_free(&said.record);
  }
  if (from < s->size) /* the rest is no record */
    put_bytes(c, from, s->size);
  og_diagnostics_free(quiet);
}
