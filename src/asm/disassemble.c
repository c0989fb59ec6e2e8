/* disassemble.c - a whole object to a source: sections, kernel descriptors, metadata. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/disassemble_parts.h"

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static uint64_t offset_of(const struct og_dis_context *c, const struct og_symbol *s) {
  return s->value - (c->object->type == ET_REL ? 0 : c->section->address);
}

static bool is_named(const struct og_symbol *s) {
  return s->name && s->name[0] && s->type != STT_SECTION && s->type != STT_FILE;
}

static bool is_descriptor(const struct og_dis_context *c, const struct og_symbol *s) {
  size_t size = strlen(s->name);
  uint64_t offset = offset_of(c, s);
  return c->version >= 3 && size > 3 && !strcmp(s->name + size - 3, ".kd") && c->section->size >= OG_DESCRIPTOR_SIZE &&
         offset <= c->section->size - OG_DESCRIPTOR_SIZE;
}

/* Offset of the next symbol behind `at`, of the i-th and those that follow it, or the section's end. */
static uint64_t next_symbol(const struct og_dis_context *c, size_t i, uint64_t at) {
  for (; i < c->symbol_count; i++)
    if (offset_of(c, c->symbols[i]) > at)
      return OG_MIN(offset_of(c, c->symbols[i]), c->section->size);
  return c->section->size;
}

/* Symbols by section and place, those of one place as they stand in the table. */
static int by_place(const void *a, const void *b) {
  const struct og_symbol *x = *(const struct og_symbol *const *)a, *y = *(const struct og_symbol *const *)b;
  return x->section != y->section ? (x->section < y->section ? -1 : 1)
         : x->value != y->value   ? (x->value < y->value ? -1 : 1)
         : x < y                  ? -1
                                  : x > y;
}

static void sort_symbols(struct og_dis_context *c) {
  const struct og_object *o = c->object;
  bool dynamic = o->symbols.count <= 1;
  const struct og_symbol *items = dynamic ? o->dynamic_symbols.items : o->symbols.items;
  uint32_t count = dynamic ? o->dynamic_symbols.count : o->symbols.count;
  c->symbols = c->symbols_end = OG_NEW_ARRAY(c->arena, const struct og_symbol *, count + 1);
  for (uint32_t i = 1; i < count; i++)
    if (is_named(&items[i]))
      *c->symbols_end++ = &items[i];
  qsort(c->symbols, (size_t)(c->symbols_end - c->symbols), sizeof *c->symbols, by_place);
}

/* Moves on to the symbols of the section in hand. */
static void take_symbols(struct og_dis_context *c) {
  const struct og_symbol **from = c->symbols + c->symbol_count;
  while (from < c->symbols_end && (*from)->section < c->section_index)
    from++;
  c->symbols = from;
  c->symbol_count = 0;
  for (; from < c->symbols_end && (*from)->section == c->section_index; from++)
    if (offset_of(c, *from) <= c->section->size)
      c->symbols[c->symbol_count++] = *from;
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* As directives, if those make the same bytes but for the entry, which a relocation fills. */
static bool put_descriptor(struct og_dis_context *c, const struct og_symbol *s) {
  uint8_t bytes[OG_DESCRIPTOR_SIZE], again[OG_DESCRIPTOR_SIZE];
  memcpy(bytes, c->section->data + offset_of(c, s), sizeof bytes);
  memset(bytes + 16, 0, 8);
  struct og_kd_values values;
  struct og_diagnostics *quiet = og_diagnostics_new();
  bool ok = og_kd_decode(&c->target, bytes, &values, NULL) &&
            og_kd_encode(&c->target, &values, (struct og_range){0}, again, quiet) &&
            !memcmp(bytes, again, sizeof bytes);
  og_diagnostics_free(quiet);
  struct og_buffer name = {0}; /* quoted where it must be */
  og_dis_name(&name, og_arena_copy(c->arena, s->name, strlen(s->name) - 3));
  og_buffer_u8(&name, 0);
  ok = ok && og_kd_print(&c->target, (const char *)name.data, bytes, c->out);
  og_buffer_free(&name);
  return ok;
}

/* What a section's type is called, for those whose contents are printed; else NULL. */
static const char *content_type(const struct og_section *s) {
  switch (s->type) {
  case SHT_PROGBITS: return "progbits";
  case SHT_NOBITS: return "nobits";
  case SHT_INIT_ARRAY: return "init_array";
  case SHT_FINI_ARRAY: return "fini_array";
  case SHT_PREINIT_ARRAY: return "preinit_array";
  default: return NULL;
  }
}

static void put_section_header(struct og_dis_context *c) {
  static const struct {
    uint64_t flag;
    char letter;
  } letters[] = {{SHF_ALLOC, 'a'}, {SHF_EXECINSTR, 'x'}, {SHF_WRITE, 'w'},
                 {SHF_MERGE, 'M'}, {SHF_STRINGS, 'S'},   {SHF_TLS, 'T'}};
  const struct og_section *s = c->section;
  uint64_t flags = s->entry_size ? s->flags : s->flags & ~(uint64_t)SHF_MERGE; /* linked: constants of several sizes */
  og_buffer_text(c->out, "\n\t.section\t");
  og_dis_name(c->out, s->name);
  og_buffer_text(c->out, ",\"");
  for (size_t i = 0; i < OG_COUNT(letters); i++)
    if (flags & letters[i].flag)
      og_buffer_u8(c->out, (uint8_t)letters[i].letter);
  og_buffer_printf(c->out, "\",@%s", content_type(s));
  if (flags & SHF_MERGE)
    og_buffer_printf(c->out, ",%llu", (unsigned long long)s->entry_size);
  void **named = og_map_at(c->arena, &c->section_names, og_text(s->name));
  if (*named && *named != s) /* of one name, but not one section */
    og_buffer_printf(c->out, ",unique,%u", c->section_index);
  else
    *named = (void *)(uintptr_t)s;
  og_buffer_u8(c->out, '\n');
  if (s->alignment > 1 && s->alignment <= UINT32_MAX)
    og_buffer_printf(c->out, "\t.p2align\t%d\n", __builtin_ctzll(s->alignment));
}

/* As YAML where the assembler takes that; false else. */
static bool put_yaml(struct og_dis_context *c, const struct og_note *note) {
  struct og_diagnostics *quiet = og_diagnostics_new();
  const struct og_node *root =
      og_metadata_from_msgpack(c->arena, c->object->name, note->description, note->size, quiet);
  struct og_buffer yaml = {0}, again = {0};
  bool ok = root && og_metadata_verify(root, OG_MAX(c->version, 3), NULL, quiet);
  if (ok)
    og_metadata_to_yaml(root, c->version, &yaml);
  ok = ok && og_metadata_note(c->arena, (struct og_text){(const char *)yaml.data, yaml.size},
                                     (struct og_range){0}, OG_MAX(c->version, 3), &again, quiet);
  if (ok)
    og_buffer_printf(c->out, "\n\t.amdgpu_metadata\n%.*s\t.end_amdgpu_metadata\n", (int)yaml.size,
                     (const char *)yaml.data);
  og_buffer_free(&yaml);
  og_buffer_free(&again);
  og_diagnostics_free(quiet);
  return ok;
}

static void put_raw_note(struct og_dis_context *c, size_t from, size_t to) {
  og_buffer_text(c->out, "\n\t.section\t");
  og_dis_name(c->out, c->section->name);
  og_buffer_text(c->out, ",\"a\",@note\n\t.p2align\t2");
  for (size_t i = from; i < to; i++)
    og_buffer_printf(c->out, (i - from) % 16 ? ", 0x%02x" : "\n\t.byte\t0x%02x", c->section->data[i]);
  og_buffer_u8(c->out, '\n');
}

static void put_metadata(struct og_dis_context *c) {
  size_t at = 0, from = 0;
  struct og_note note;
  for (; og_note_next(c->section->data, c->section->size, c->section->alignment, &at, &note); from = at) {
    if (note.type == OG_NT_AMDGPU_METADATA && !strcmp(note.name, "AMDGPU")) {
      if (!put_yaml(c, &note))
        put_raw_note(c, from, at);
    } else if (note.type == OG_NT_AMD_HSA_METADATA && !strcmp(note.name, "AMD")) {
      og_buffer_printf(c->out, "\n\t.amd_amdgpu_hsa_metadata\n%.*s\n\t.end_amd_amdgpu_hsa_metadata\n",
                       (int)strnlen((const char *)note.description, note.size), (const char *)note.description);
    } else if (note.type == OG_NT_AMD_HSA_CODE_OBJECT_VERSION && !strcmp(note.name, "AMD") && note.size >= 8) {
      og_buffer_printf(c->out, "\t.hsa_code_object_version %u,%u\n", og_load32(note.description),
                       og_load32(note.description + 4));
    } else if (note.type == OG_NT_AMD_HSA_ISA_VERSION && !strcmp(note.name, "AMD")) {
      og_buffer_text(c->out, "\t.hsa_code_object_isa\n");
    }
  }
}

static void put_bytes(struct og_dis_context *c, uint64_t from, uint64_t to) {
  if (c->section->type == SHT_NOBITS) {
    if (to > from)
      og_buffer_printf(c->out, "\t.zero\t%llu\n", (unsigned long long)(to - from));
  } else if (c->section->flags & SHF_EXECINSTR) {
    og_dis_code(c, from, to);
  } else {
    og_dis_data(c, from, to);
  }
}

static void put_contents(struct og_dis_context *c) {
  uint64_t at = 0;
  if (!c->symbol_count || offset_of(c, c->symbols[0]) > 0)
    og_dis_label(c, 0);
  for (size_t i = 0; i <= c->symbol_count;) {
    if (c->walking)
      c->out->size = 0; /* nobody reads it */
    else
      og_buffer_drain(c->out);
    uint64_t next = i < c->symbol_count ? OG_MIN(offset_of(c, c->symbols[i]), c->section->size) : c->section->size;
    if (next > at)
      put_bytes(c, at, next);
    at = OG_MAX(at, next);
    if (i == c->symbol_count)
      break;
    og_dis_label(c, at);
    for (; i < c->symbol_count && OG_MIN(offset_of(c, c->symbols[i]), c->section->size) <= at; i++) {
      const struct og_symbol *s = c->symbols[i];
      if (c->section->type != SHT_NOBITS && offset_of(c, s) == at && is_descriptor(c, s) &&
          next_symbol(c, i, at) >= at + OG_DESCRIPTOR_SIZE && put_descriptor(c, s)) {
        at += OG_DESCRIPTOR_SIZE;
      } else {
        og_dis_symbol(c->out, s);
        if (s->type == OG_STT_AMDGPU_HSA_KERNEL && c->version < 3 && c->section->type != SHT_NOBITS &&
            next_symbol(c, i, at) >= at + OG_KERNEL_CODE_SIZE) {
          og_buffer_text(c->out, "\t.amd_kernel_code_t\n");
          og_kernel_code_print(c->section->data + at, c->out);
          og_buffer_text(c->out, "\t.end_amd_kernel_code_t\n");
          at += OG_KERNEL_CODE_SIZE;
        }
      }
    }
  }
  og_dis_label(c, c->section->size);
}

static void put_section(struct og_dis_context *c) {
  take_symbols(c);
  c->relocations = og_relocations_of(&c->all_relocations, c->section_index);
  snprintf(c->label, sizeof c->label, ".L%u_", c->section_index);
  c->targets = NULL;
  if (c->section->flags & SHF_EXECINSTR && c->section->type != SHT_NOBITS)
    og_dis_find_targets(c, put_contents);
  put_section_header(c);
  put_contents(c);
}

static bool is_content(const struct og_section *s) {
  return content_type(s) && (s->flags & SHF_ALLOC) && (s->type == SHT_NOBITS || s->data) &&
         strcmp(s->name, ".relro_padding") != 0;
}

static void put_header(struct og_dis_context *c) {
  struct og_buffer id = {0};
  og_target_print_id(&c->target, c->version, &id);
  og_buffer_printf(c->out, "\t.amdgcn_target \"%.*s\"\n", (int)id.size, (const char *)id.data);
  if (c->target.os == OG_OS_AMDHSA && c->version >= 4 && c->version <= 6)
    og_buffer_printf(c->out, "\t.amdhsa_code_object_version %d\n", c->version);
  og_buffer_free(&id);
}

bool og_disassemble_object(const struct og_object *object, const struct og_dis_options *options, struct og_buffer *out,
                           struct og_diagnostics *diagnostics) {
  struct og_dis_context c = {.object = object, .options = options, .out = out, .version = object->abi_version + 2};
  bool known = og_target_from_e_flags(&c.target, object->os_abi, object->abi_version, object->flags);
  if (options->target) {
    enum og_os os = known ? c.target.os : options->target->os;
    c.target = *options->target;
    c.target.os = os;
  }
  if ((!known && !options->target) || !(c.isa = og_isa_for(&c.target)))
    return og_error_in(diagnostics, object->name, "no instruction tables for the processor in e_flags 0x%x",
                       object->flags);
  if (object->os_abi != OG_OSABI_HSA)
    c.version = 6;
  c.arena = og_arena_new();
  c.check = og_line_assembler_new(&c.target);
  c.proven = og_proven_new(c.arena);
  c.known = og_known_new(c.arena, c.isa, og_code_size(object));
  sort_symbols(&c);
  c.all_relocations = og_relocations_by_place(c.arena, object);
  c.dwarf = options->lines ? og_dwarf_open_object(object) : NULL;
  put_header(&c);
  for (uint32_t i = 1; i < object->sections.count; i++) {
    c.section = &object->sections.items[i];
    c.section_index = i;
    if (is_content(c.section))
      put_section(&c);
    else if (c.section->type == SHT_NOTE && c.section->data)
      put_metadata(&c);
  }
  for (uint32_t i = 1; i < object->symbols.count; i++)
    if (object->symbols.items[i].section == OG_SECTION_UNDEFINED && is_named(&object->symbols.items[i]))
      og_dis_attributes(out, &object->symbols.items[i]);
  og_line_assembler_free(c.check);
  og_dwarf_close(c.dwarf);
  og_arena_free(c.arena);
  return true;
}
