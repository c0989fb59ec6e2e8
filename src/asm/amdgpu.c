/* amdgpu.c - AMDGPU's own directives, code object V2 to V6: targets, amd_kernel_code_t, notes, metadata, LDS. */
#include "asm/internal.h"
#include "isa/names.h"

#include <string.h>

/* ---- predefined symbols ------------------------------------------------------------------------------------------ */

static struct og_asm_symbol *predefine(struct og_asm *as, const char *name, int64_t value) {
  struct og_asm_symbol *s = og_asm_symbol(as, og_text(name));
  s->kind = OG_SYMBOL_VARIABLE;
  s->redefinable = true;
  s->temporary = true;
  s->expr = NULL;
  s->value = value;
  return s;
}

/* The values of s_version. */
static void predefine_versions(struct og_asm *as) {
  static const char *const names[] = {"UC_VERSION_GFX7",   "UC_VERSION_GFX10",   "UC_VERSION_GFX11",
                                      "UC_VERSION_GFX12",  "UC_VERSION_W64_BIT", "UC_VERSION_W32_BIT",
                                      "UC_VERSION_MDP_BIT"};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    predefine(as, names[i], og_value_of(as->reader.isa, OG_NAMES_VERSION, og_text(names[i])));
}

bool og_asm_amdgpu_begin(struct og_asm *as) {
  const struct og_processor *p = as->target.processor;
  bool v2 = as->version < 3;
  predefine(as, v2 ? ".option.machine_version_major" : ".amdgcn.gfx_generation_number", p->major);
  predefine(as, v2 ? ".option.machine_version_minor" : ".amdgcn.gfx_generation_minor", p->minor);
  predefine(as, v2 ? ".option.machine_version_stepping" : ".amdgcn.gfx_generation_stepping", p->stepping);
  if (p->major >= 10)
    predefine_versions(as);
  as->next_free_vgpr = predefine(as, v2 ? ".kernel.vgpr_count" : ".amdgcn.next_free_vgpr", 0);
  as->next_free_sgpr = predefine(as, v2 ? ".kernel.sgpr_count" : ".amdgcn.next_free_sgpr", 0);
  return true;
}

void og_asm_list_target(struct og_asm *as) {
  if (og_asm_listing(as) && as->target.os == OG_OS_AMDHSA) {
    struct og_buffer id = {0};
    og_target_print_id(&as->target, as->version, &id);
    og_asm_list(as, "\t.amdgcn_target \"%.*s\"\n", (int)id.size, (const char *)id.data);
    og_buffer_free(&id);
  }
}

OG_DIRECTIVE(amdgcn_target) {
  struct og_text id;
  const char *start = og_asm_at(as);
  if (!og_asm_string(as, &id))
    return false;
  struct og_diagnostics *quiet = og_diagnostics_new();
  struct og_target said;
  bool ok = og_target_parse_id(&said, id, quiet);
  og_diagnostics_free(quiet);
  const struct og_target *t = &as->target;
  bool same = ok && said.xnack == t->xnack && said.sramecc == t->sramecc;
  if (t->os != OG_OS_AMDHSA) /* ids of these systems name no features */
    same = ok && (said.xnack == OG_ANY || said.xnack == OG_UNSUPPORTED) &&
           (said.sramecc == OG_ANY || said.sramecc == OG_UNSUPPORTED);
  if (ok && (same || !as->options->exact_target) && said.processor == t->processor && said.os == t->os &&
      (said.xnack == OG_ANY || t->xnack == OG_ANY || said.xnack == t->xnack) &&
      (said.sramecc == OG_ANY || t->sramecc == OG_ANY || said.sramecc == t->sramecc)) {
    if (as->target_seen)
      return true;
    as->target_seen = true;
    if (said.xnack != OG_UNSUPPORTED && said.xnack != OG_ANY)
      as->target.xnack = said.xnack;
    if (said.sramecc != OG_UNSUPPORTED && said.sramecc != OG_ANY)
      as->target.sramecc = said.sramecc;
    return true;
  }
  (void)at;
  struct og_buffer ours = {0};
  og_target_print_id(t, as->version, &ours);
  og_asm_refuse(as, start, ".amdgcn_target directive's target id %.*s does not match the specified target id %.*s",
               OG_TEXT_ARGS(id), (int)ours.size, (const char *)ours.data);
  og_buffer_free(&ours);
  return false;
}

static bool set_version(struct og_asm *as, int version) {
  bool older = version < 3 && as->version >= 3;
  as->version = version;
  og_object_set_version(as->object, &as->target, version);
  return !older || og_asm_amdgpu_begin(as); /* whose symbols have other names */
}

/* Directives that under HSA only code object V2 has: a source with them is V2, unless it or the user said otherwise. */
static bool is_of_v2(struct og_asm *as, const char *at) {
  if (as->target.os != OG_OS_AMDHSA || as->version < 3)
    return true;
  if (as->options->version_open && !as->version_said && !as->kernels.count && !as->spare_kernel)
    return set_version(as, 2);
  size_t size = 1;
  while (og_name_char(at[size]))
    size++;
  return og_asm_error(as, at, size, "unknown directive: %.*s is of code object V2, and this is V%d", (int)size, at,
                      as->version);
}

OG_DIRECTIVE(code_object_version) {
  const char *start = og_asm_at(as);
  int64_t value;
  if (!og_asm_parse_absolute(as, &value))
    return false;
  if (value < 2 || value > 6)
    return og_asm_refuse(as, start, "code object version must be 2 to 6");
  set_version(as, (int)value);
  as->version_said = true;
  if (og_asm_listing(as))
    og_asm_list(as, "\t.amdhsa_code_object_version %lld\n", (long long)value);
  return true;
}

/* ---- blocks: lines up to an ending directive --------------------------------------------------------------------- */

/* Moves to the next line that says something; its first word is *word. False at the end of the text. */
static bool next_line(struct og_asm *as, const char *ending, struct og_text *word) {
  for (;;) {
    og_asm_skip_line(as);
    og_asm_space(as);
    as->statement = as->p;
    if (!*as->p)
      return og_asm_error(as, as->p, 0, "expected %s", ending);
    if (!og_asm_at_end(as))
      break;
  }
  *word = og_asm_word(as);
  return true;
}

/* The text between this line and `ending`'s, as it stands. */
bool og_asm_raw_text(struct og_asm *as, const char *ending, struct og_text *out) {
  og_asm_skip_line(as);
  const char *start = as->p;
  size_t size = strlen(ending);
  for (const char *p = start; (p = strstr(p, ending)); p++) {
    const char *line = p;
    while (line > start && (line[-1] == ' ' || line[-1] == '\t'))
      line--;
    if ((line == start || line[-1] == '\n') && !og_name_char(p[size])) {
      *out = (struct og_text){start, (size_t)(line - start)};
      as->p = p + size;
      return true;
    }
  }
  as->p += strlen(as->p);
  return og_asm_error(as, as->p, 1, "expected directive %s not found", ending);
}

/* ---- amd_kernel_code_t, code object V2 --------------------------------------------------------------------------- */

/* The fields that the wave's size is to agree with. */
static bool fits_target(struct og_asm *as, const char *key, const char *at, int64_t value) {
  static const struct {
    const char *key;
    int64_t value;
    uint8_t wave_size; /* that it says */
  } rows[] = {{"enable_wavefront_size32", 1, 32}, {"enable_wavefront_size32", 0, 64}, {"wavefront_size", 5, 32},
              {"wavefront_size", 6, 64}};
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    if (strcmp(rows[i].key, key) || rows[i].value != value)
      continue;
    if (as->target.processor->major < 10 && rows[i].wave_size == 32)
      return og_asm_refuse(as, at, "%s=%d is only allowed on GFX10+", key, (int)value);
    if (rows[i].wave_size != as->target.wave_size)
      return og_asm_refuse(as, at, "%s=%d requires +WavefrontSize%u", key, (int)value, rows[i].wave_size);
  }
  return true;
}

OG_DIRECTIVE(kernel_code) {
  struct og_text rest;
  if (!is_of_v2(as, at))
    return og_asm_raw_text(as, ".end_amd_kernel_code_t", &rest) && false;
  uint8_t code[OG_KERNEL_CODE_SIZE] = {0};
  og_kernel_code_defaults(&as->target, code);
  struct og_text word;
  bool ok = true;
  for (;;) {
    if (!next_line(as, ".end_amd_kernel_code_t", &word))
      return false;
    if (og_text_is(word, ".end_amd_kernel_code_t"))
      break;
    const struct og_kernel_code_field *field = og_find_kernel_code_field(word);
    struct og_operand_value value;
    if (!word.size || !field) {
      ok = og_asm_error(as, word.size ? word.data : as->p, OG_MAX(word.size, 1u),
                        word.size ? "unexpected amd_kernel_code_t field name %.*s"
                                  : "expected value identifier or .end_amd_kernel_code_t%.*s",
                        OG_TEXT_ARGS(word));
      continue;
    }
    if (!og_asm_accept(as, '=')) {
      ok = og_asm_error(as, as->p, 1, "expected '='");
      continue;
    }
    const char *start = og_asm_at(as);
    const char *end;
    if (!og_asm_parse_value(as, &value) || (end = as->p, !og_asm_expect_end(as))) {
      ok = false;
    } else if (value.expr && !og_asm_evaluate_absolute(as, value.expr, &value.value)) {
      *OG_PUSH(as->arena, &as->fields) = (struct og_pending_field){field, value.expr, as->chunk, og_asm_here(as),
                                                                   og_asm_range(as, start, end)};
    } else if (!fits_target(as, field->key, start, value.value)) {
      ok = false;
    } else if (!og_kernel_code_set(code, field, (uint64_t)value.value)) {
      ok = og_asm_error(as, start, (size_t)(end - start), "value %lld does not fit field %s", (long long)value.value,
                        field->key);
    }
  }
  if (!ok)
    return false;
  if (og_asm_listing(as)) {
    og_asm_list(as, "\t.amd_kernel_code_t\n");
    og_kernel_code_print(code, as->options->listing);
    og_asm_list(as, "\t.end_amd_kernel_code_t\n");
  }
  return og_asm_emit_data(as, code, sizeof code);
}

bool og_asm_kernel_codes_finish(struct og_asm *as) {
  bool ok = true;
  for (uint32_t i = 0; i < as->fields.count; i++) {
    const struct og_pending_field *f = &as->fields.items[i];
    int64_t value;
    if (!og_asm_evaluate_absolute(as, f->expr, &value))
      ok = og_error(as->diagnostics, f->range, "expected absolute expression");
    else if (!og_kernel_code_set(f->chunk->section->bytes.data + og_asm_offset(f->chunk, f->offset), f->field,
                                 (uint64_t)value))
      ok = og_error(as->diagnostics, f->range, "value %lld does not fit field %s", (long long)value, f->field->key);
  }
  return ok;
}

OG_DIRECTIVE(hsa_kernel) {
  if (!is_of_v2(as, at))
    return false;
  struct og_text name;
  if (!og_asm_name(as, &name))
    return false;
  struct og_asm_symbol *s = og_asm_symbol(as, name);
  s->type = OG_STT_AMDGPU_HSA_KERNEL;
  s->used = true;
  as->next_free_vgpr->value = as->next_free_sgpr->value = 0;
  if (og_asm_listing(as))
    og_asm_list(as, "\t.amdgpu_hsa_kernel %.*s\n", OG_TEXT_ARGS(name));
  return true;
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

/* The section's first chunk, to write to. */
static struct og_chunk *note_chunk(struct og_asm *as) {
  /* Only HSA's loaders look for it in memory. */
  struct og_asm_section *note = og_asm_section(as, ".note", SHT_NOTE, as->target.os == OG_OS_AMDHSA ? SHF_ALLOC : 0);
  note->alignment = 4;
  return note->chunks;
}

bool og_asm_add_note(struct og_asm *as, const uint8_t *bytes, size_t size) {
  struct og_chunk *back = as->chunk;
  as->chunk = note_chunk(as);
  bool ok = og_asm_emit(as, bytes, size);
  as->chunk = back;
  return ok;
}

/* The same of a large one, whose memory becomes the section's where that has none yet. */
static bool take_note(struct og_asm *as, struct og_buffer *note) {
  struct og_chunk *chunk = note_chunk(as);
  if (chunk->bytes.size || chunk->section->type == SHT_NOBITS || note->size > OG_ASM_BYTES_MOST - as->emitted)
    return og_asm_add_note(as, note->data, note->size);
  struct og_buffer empty = chunk->bytes;
  chunk->bytes = *note;
  as->emitted += note->size;
  *note = empty;
  return true;
}

static bool add_note_record(struct og_asm *as, uint32_t type, const void *description, size_t size) {
  struct og_buffer note = {0};
  og_note_append(&note, "AMD", type, description, size);
  bool ok = og_asm_add_note(as, note.data, note.size);
  og_buffer_free(&note);
  return ok;
}

bool og_asm_absolute_u32(struct og_asm *as, uint32_t *out) {
  const char *start = og_asm_at(as);
  int64_t value;
  if (!og_asm_parse_absolute(as, &value))
    return false;
  *out = (uint32_t)value;
  return (value >= 0 && value <= UINT32_MAX) || og_asm_refuse(as, start, "invalid version number");
}

OG_DIRECTIVE(hsa_code_object_version) {
  if (!is_of_v2(as, at))
    return false;
  uint32_t version[2];
  if (!og_asm_absolute_u32(as, &version[0]) || !og_asm_comma(as) || !og_asm_absolute_u32(as, &version[1]))
    return false;
  if (og_asm_listing(as))
    og_asm_list(as, "\t.hsa_code_object_version %u,%u\n", version[0], version[1]);
  uint8_t bytes[8];
  og_store32(bytes, version[0]);
  og_store32(bytes + 4, version[1]);
  return add_note_record(as, OG_NT_AMD_HSA_CODE_OBJECT_VERSION, bytes, sizeof bytes);
}

/* u16 sizes of the two names, three u32 of version, the names with their NULs. */
OG_DIRECTIVE(hsa_code_object_isa) {
  if (!is_of_v2(as, at))
    return false;
  const struct og_processor *p = as->target.processor;
  /* Code object V2 counted a gfx900..gfx906 that replays page faults as the next stepping. */
  bool replays = as->target.xnack == OG_ON || as->target.xnack == OG_ANY;
  uint32_t version[3] = {p->major, p->minor,
                         p->stepping | (p->major == 9 && p->minor == 0 && p->stepping <= 6 && replays)};
  struct og_text vendor = OG_TEXT("AMD"), architecture = OG_TEXT("AMDGPU");
  og_asm_space(as);
  if (!og_asm_at_end(as)) {
    for (int i = 0; i < 3; i++)
      if (!og_asm_absolute_u32(as, &version[i]) || !og_asm_comma(as))
        return false;
    if (!og_asm_string(as, &vendor) || !og_asm_comma(as) || !og_asm_string(as, &architecture))
      return false;
  }
  if (og_asm_listing(as))
    og_asm_list(as, "\t.hsa_code_object_isa %u,%u,%u,\"%.*s\",\"%.*s\"\n", version[0], version[1], version[2],
                OG_TEXT_ARGS(vendor), OG_TEXT_ARGS(architecture));
  struct og_buffer d = {0};
  og_buffer_u16(&d, (uint16_t)(vendor.size + 1));
  og_buffer_u16(&d, (uint16_t)(architecture.size + 1));
  for (int i = 0; i < 3; i++)
    og_buffer_u32(&d, version[i]);
  og_buffer_append(&d, vendor.data, vendor.size);
  og_buffer_u8(&d, 0);
  og_buffer_append(&d, architecture.data, architecture.size);
  og_buffer_u8(&d, 0);
  bool ok = add_note_record(as, OG_NT_AMD_HSA_ISA_VERSION, d.data, d.size);
  og_buffer_free(&d);
  return ok;
}

OG_DIRECTIVE(isa_name) {
  struct og_text name;
  if (!is_of_v2(as, at))
    return false;
  if (!og_asm_string(as, &name))
    return false;
  if (og_asm_listing(as))
    og_asm_list(as, "\t.amd_amdgpu_isa \"%.*s\"\n\n", OG_TEXT_ARGS(name));
  return add_note_record(as, OG_NT_AMD_HSA_ISA_NAME, name.data, name.size);
}

/* As the note holds it, with sorted keys; V2's is text in the note, too. */
static void list_metadata(struct og_asm *as, struct og_text yaml, bool v2, const struct og_buffer *note) {
  enum { NOTE_HEAD = 12 + 8 }; /* the sizes and "AMDGPU" */
  if (v2) {
    og_asm_list(as, "\t.amd_amdgpu_hsa_metadata\n%.*s\t.end_amd_amdgpu_hsa_metadata\n", OG_TEXT_ARGS(yaml));
    return;
  }
  const struct og_node *root = og_metadata_from_msgpack(as->arena, "metadata", note->data + NOTE_HEAD,
                                                        og_load32(note->data + 4), as->diagnostics);
  og_asm_list(as, "\t.amdgpu_metadata\n");
  if (root)
    og_metadata_to_yaml(root, as->version, as->options->listing);
  og_asm_list(as, "\n\t.end_amdgpu_metadata\n");
}

static bool metadata(struct og_asm *as, const char *at, int v2) {
  struct og_text yaml;
  if (v2 && !is_of_v2(as, at))
    return false;
  if (!og_asm_raw_text(as, v2 ? ".end_amd_amdgpu_hsa_metadata" : ".end_amdgpu_metadata", &yaml))
    return false;
  struct og_buffer note = {0};
  bool ok = og_metadata_note(yaml, og_asm_range(as, yaml.data, yaml.data + yaml.size),
                             v2 ? 2 : OG_MAX(as->version, 3), &note, as->diagnostics);
  if (ok && og_asm_listing(as))
    list_metadata(as, yaml, v2, &note);
  ok = ok && take_note(as, &note);
  og_buffer_free(&note);
  return ok;
}

/* ---- LDS --------------------------------------------------------------------------------------------------------- */

OG_DIRECTIVE(lds) {
  struct og_text name;
  int64_t size, alignment = 4;
  if (!og_asm_directive_name(as, &name) || !og_asm_comma(as))
    return false;
  const char *start = og_asm_at(as);
  if (!og_asm_parse_absolute(as, &size))
    return false;
  if (size < 0)
    return og_asm_refuse(as, start, "size must be non-negative");
  if (size > as->target.processor->lds_bytes)
    return og_asm_refuse(as, start, "size is too large");
  if (og_asm_accept(as, ',')) {
    start = og_asm_at(as);
    if (!og_asm_parse_absolute(as, &alignment))
      return false;
    if (alignment < 0 || (alignment & (alignment - 1)))
      return og_asm_refuse(as, start, "alignment must be a power of two");
    if (alignment >= 1u << 31)
      return og_asm_refuse(as, start, "alignment is too large");
  }
  struct og_asm_symbol *s = og_asm_symbol(as, name);
  if (s->kind != OG_SYMBOL_UNDEFINED)
    return og_asm_error(as, name.data, name.size, "invalid symbol redefinition");
  s->kind = OG_SYMBOL_LDS;
  s->type = STT_OBJECT;
  s->value = size;
  s->alignment = OG_MAX((uint64_t)alignment, 1u);
  if (og_asm_listing(as))
    og_asm_list(as, "\t.amdgpu_lds %.*s, %lld, %lld\n", OG_TEXT_ARGS(name), (long long)size, (long long)s->alignment);
  return true;
}

const struct og_directive_row og_amdgpu_directives[] = {
    {".amdgcn_target", amdgcn_target, OG_LEAVES_REST},
    {".amdhsa_code_object_version", code_object_version, OG_LEAVES_REST},
    {".amdhsa_kernel", og_asm_amdhsa_kernel, OG_LEAVES_REST},
    {".amd_kernel_code_t", kernel_code, 0},
    {".amdgpu_hsa_kernel", hsa_kernel, 0},
    {".hsa_code_object_version", hsa_code_object_version, 0},
    {".hsa_code_object_isa", hsa_code_object_isa, 0},
    {".amd_amdgpu_isa", isa_name, 0},
    {".amdgpu_metadata", metadata, OG_LEAVES_REST},
    {".amd_amdgpu_hsa_metadata", metadata, 1},
    {".amd_amdgpu_pal_metadata", og_asm_pal_list, 0},
    {".amdgpu_pal_metadata", og_asm_pal_document, 0},
    {".amdgpu_lds", lds, 0},
    {NULL, NULL, 0},
};
