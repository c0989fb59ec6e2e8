/* disassemble.c - turns a whole object into a source: sections, kernel descriptors, metadata. */
#include <stdio.h>
#include <string.h>

#include "inspect/disassemble_parts.h"
#include "inspect/labels.h"

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static uint64_t offset_of(const struct og_dis_context *c, const struct og_symbol *s) {
  return s->value - (c->object->type == ET_REL ? 0 : c->section->address);
}

static bool is_descriptor(const struct og_dis_context *c, const struct og_symbol *s) {
  size_t size = strlen(s->name);
  uint64_t offset = offset_of(c, s);
  return c->version >= 3 && size > 3 && !strcmp(s->name + size - 3, ".kd") && c->section->size >= OG_DESCRIPTOR_SIZE &&
         offset <= c->section->size - OG_DESCRIPTOR_SIZE;
}

/* The offset of the next symbol behind `at`, searched from the i-th on; the section's end if there is none. */
static uint64_t next_symbol(const struct og_dis_context *c, size_t i, uint64_t at) {
  for (; i < c->symbol_count; i++)
    if (offset_of(c, c->symbols[i]) > at)
      return OG_MIN(offset_of(c, c->symbols[i]), c->section->size);
  return c->section->size;
}

/* Sorts by place; symbols of one place keep their order. Tables mostly consist of a few sorted runs, which this
 * merges. */
static void sort_places(const struct og_symbol **items, const struct og_symbol **spare, size_t count) {
  size_t half = count / 2;
  if (count < 2)
    return;
  sort_places(items, spare, half);
  sort_places(items + half, spare, count - half);
  if (items[half]->value >= items[half - 1]->value)
    return;
  memcpy(spare, items, half * sizeof *items);
  for (size_t left = 0, right = half, to = 0; left < half;)
    items[to++] = right < count && items[right]->value < spare[left]->value ? items[right++] : spare[left++];
}

/* Finds the symbols of kernels as og_object_find_symbol does: the first of each name. */
static void find_kernels(struct og_dis_context *c, const struct og_symbol *items, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (og_map_get(&c->descriptors, og_text(items[i].name))) {
      void **slot = og_map_at(c->arena, &c->kernels, og_text(items[i].name));
      *slot = *slot ? *slot : (void *)(uintptr_t)&items[i];
    }
}

static void sort_symbols(struct og_dis_context *c) {
  const struct og_object *o = c->object;
  bool dynamic = o->symbols.count <= 1;
  const struct og_symbol *items = dynamic ? o->dynamic_symbols.items : o->symbols.items;
  uint32_t count = dynamic ? o->dynamic_symbols.count : o->symbols.count;
  for (uint32_t i = 1; i < count; i++) {
    size_t size = strlen(items[i].name);
    if (size > 3 && !strcmp(items[i].name + size - 3, ".kd"))
      *og_map_at(c->arena, &c->descriptors, (struct og_text){items[i].name, size - 3}) = (void *)(uintptr_t)&items[i];
  }
  find_kernels(c, o->symbols.items, o->symbols.count);
  find_kernels(c, o->dynamic_symbols.items, o->dynamic_symbols.count);
  size_t placed;
  c->symbols = og_placed_symbols(c->arena, o, &placed);
  c->symbols_end = c->symbols + placed;
}

/* Moves on to the symbols of the current section. */
static void take_symbols(struct og_dis_context *c) {
  const struct og_symbol **from = c->symbols + c->symbol_count;
  while (from < c->symbols_end && (*from)->section < c->section_index)
    from++;
  c->symbols = from;
  c->symbol_count = 0;
  for (; from < c->symbols_end && (*from)->section == c->section_index; from++)
    if (offset_of(c, *from) <= c->section->size)
      c->symbols[c->symbol_count++] = *from;
  sort_places(c->symbols, OG_NEW_ARRAY(c->arena, const struct og_symbol *, c->symbol_count / 2 + 1), c->symbol_count);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* Unless the source says otherwise, .amdhsa_kernel makes the kernel's symbol protected, but not its descriptor's. */
static bool is_protected_by(const struct og_symbol *descriptor, const struct og_symbol *kernel) {
  return descriptor->visibility == STV_DEFAULT && kernel->visibility == STV_PROTECTED;
}

/* Whether .amdhsa_kernel would give the descriptor's symbol the attributes that it has. */
static bool binds_alike(const struct og_symbol *descriptor, const struct og_symbol *kernel) {
  return descriptor->size == OG_DESCRIPTOR_SIZE && descriptor->type == STT_OBJECT &&
         (!kernel ||
          (descriptor->binding == kernel->binding &&
           (is_protected_by(descriptor, kernel) ||
            (descriptor->visibility == kernel->visibility && kernel->visibility != STV_DEFAULT))));
}

/* Prints a label, with the directives for its symbol. */
static void put_symbol(struct og_dis_context *c, const struct og_symbol *s) {
  const struct og_symbol *descriptor =
      s->type == STT_FUNC ? og_map_get(&c->descriptors, og_text(s->name)) : NULL;
  og_dis_attributes(c->out, s, descriptor && binds_alike(descriptor, s) && is_protected_by(descriptor, s));
  og_dis_type(c->out, s);
  og_dis_name(c->out, s->name);
  og_buffer_text(c->out, ":\n");
}

/* The directives that make a descriptor, from behind the kernel's name on; NULL: directives would not make the same
 * bytes. The entry is left out, for a relocation fills it. Many kernels have the same directives, so they are kept. */
static const char *directives_of(struct og_dis_context *c, const uint8_t *bytes) {
  static const char none[] = "";
  uint8_t again[OG_DESCRIPTOR_SIZE];
  const char **known =
      (const char **)og_map_at(c->arena, &c->directives, (struct og_text){(const char *)bytes, OG_DESCRIPTOR_SIZE});
  if (*known)
    return *known == none ? NULL : *known;
  struct og_kd_values values;
  bool ok = og_kd_decode(&c->layout, bytes, &values, NULL) &&
            og_kd_encode(&c->layout, &values, (struct og_range){0}, again, c->quiet) &&
            !memcmp(bytes, again, sizeof again);
  og_diagnostics_remove(c->quiet, 0, og_diagnostics_count(c->quiet));
  struct og_buffer text = {0};
  og_kd_print(&values, &text);
  *known = ok ? og_arena_copy(c->arena, (const char *)text.data, text.size) : none;
  og_buffer_free(&text);
  return ok ? *known : NULL;
}

static bool put_descriptor(struct og_dis_context *c, const struct og_symbol *s) {
  struct og_text name = {s->name, strlen(s->name) - 3};
  const struct og_symbol *kernel = og_map_get(&c->kernels, name);
  if (!binds_alike(s, kernel))
    return false;
  uint8_t *bytes = og_arena_alloc(c->arena, OG_DESCRIPTOR_SIZE);
  memcpy(bytes, c->section->data + offset_of(c, s), OG_DESCRIPTOR_SIZE);
  memset(bytes + 16, 0, 8);
  const char *directives = directives_of(c, bytes);
  if (!directives)
    return false;
  if (kernel && kernel->section > s->section)
    og_dis_attributes(c->out, kernel, is_protected_by(s, kernel));
  og_buffer_text(c->out, "\t.amdhsa_kernel ");
  og_dis_name(c->out, og_arena_copy(c->arena, name.data, name.size)); /* quoted if necessary */
  og_buffer_text(c->out, directives);
  return true;
}

/* Prints the amd_kernel_code_t there: as directives if those make the same bytes, else as data. Returns its size. */
static uint64_t put_kernel_code(struct og_dis_context *c, uint64_t at) {
  const uint8_t *bytes = c->section->data + at;
  if (og_dis_relocation(c, at, at + OG_KERNEL_CODE_SIZE) || !og_kernel_code_is_said(bytes)) {
    og_dis_data(c, at, at + OG_KERNEL_CODE_SIZE);
  } else {
    og_buffer_text(c->out, "\t.amd_kernel_code_t\n");
    og_kernel_code_print(bytes, c->out);
    og_buffer_text(c->out, "\t.end_amd_kernel_code_t\n");
  }
  return OG_KERNEL_CODE_SIZE;
}

/* Whether a section's contents are printed; the others the writer of objects makes itself. */
static bool is_content(const struct og_dis_context *c, const struct og_section *s) {
  bool typed = s->type == SHT_PROGBITS || s->type == SHT_NOBITS || s->type == SHT_INIT_ARRAY ||
               s->type == SHT_FINI_ARRAY || s->type == SHT_PREINIT_ARRAY ||
               (s->type >= SHT_LOOS && s->type != OG_SHT_LLVM_ADDRSIG && c->object->type == ET_REL);
  return typed && (s->flags & SHF_ALLOC || c->object->type == ET_REL) && (s->type == SHT_NOBITS || s->data) &&
         strcmp(s->name, ".relro_padding") != 0 && strcmp(s->name, ".llvm.call-graph-profile") != 0;
}

static void put_section_type(struct og_dis_context *c, uint32_t type) {
  static const char *const names[] = {[SHT_PROGBITS] = "progbits",       [SHT_NOBITS] = "nobits",
                                      [SHT_NOTE] = "note",               [SHT_INIT_ARRAY] = "init_array",
                                      [SHT_FINI_ARRAY] = "fini_array",   [SHT_PREINIT_ARRAY] = "preinit_array"};
  if (type < OG_COUNT(names) && names[type])
    og_buffer_printf(c->out, ",@%s", names[type]);
  else
    og_buffer_printf(c->out, ",@0x%x", type);
}

/* The first section with a name is called by that name in expressions; others by a label at their start. */
static bool is_first_of_name(struct og_dis_context *c, uint32_t index) {
  const struct og_section *s = &c->object->sections.items[index];
  return (uintptr_t)og_map_get(&c->section_names, og_text(s->name)) == index;
}

void og_dis_section_name(struct og_dis_context *c, uint32_t index, struct og_buffer *out) {
  if (is_first_of_name(c, index))
    og_dis_name(out, c->object->sections.items[index].name);
  else
    og_buffer_printf(out, ".Lsection%u", index);
}

void og_dis_section_header(struct og_dis_context *c) {
  static const struct {
    uint64_t flag;
    char letter;
  } letters[] = {{SHF_ALLOC, 'a'},   {SHF_EXCLUDE, 'e'}, {SHF_EXECINSTR, 'x'},  {SHF_WRITE, 'w'}, {SHF_MERGE, 'M'},
                 {SHF_STRINGS, 'S'}, {SHF_TLS, 'T'},     {SHF_LINK_ORDER, 'o'}, {SHF_GROUP, 'G'},
                 {SHF_GNU_RETAIN, 'R'}};
  const struct og_section *s = c->section;
  uint64_t flags = s->entry_size ? s->flags : s->flags & ~(uint64_t)SHF_MERGE; /* linked: constants of mixed sizes */
  flags = s->group ? flags : flags & ~(uint64_t)SHF_GROUP;
  og_buffer_text(c->out, "\n\t.section\t");
  og_dis_name(c->out, s->name);
  og_buffer_text(c->out, ",\"");
  for (size_t i = 0; i < OG_COUNT(letters); i++)
    if (flags & letters[i].flag)
      og_buffer_u8(c->out, (uint8_t)letters[i].letter);
  og_buffer_u8(c->out, '"');
  put_section_type(c, s->type);
  if (flags & SHF_MERGE)
    og_buffer_printf(c->out, ",%llu", (unsigned long long)s->entry_size);
  if (flags & SHF_LINK_ORDER) {
    og_buffer_u8(c->out, ',');
    if (s->link && s->link < c->object->sections.count)
      og_dis_section_name(c, s->link, c->out);
    else
      og_buffer_u8(c->out, '0');
  }
  if (flags & SHF_GROUP) {
    og_buffer_u8(c->out, ',');
    og_dis_name(c->out, s->group);
    og_buffer_text(c->out, s->plain_group ? "" : ",comdat");
  }
  bool first = is_first_of_name(c, c->section_index);
  if (!first)
    og_buffer_printf(c->out, ",unique,%u", c->section_index);
  og_buffer_u8(c->out, '\n');
  if (s->alignment > 1 && s->alignment <= UINT32_MAX)
    og_buffer_printf(c->out, "\t.p2align\t%d\n", __builtin_ctzll(s->alignment));
  if (!first)
    og_buffer_printf(c->out, ".Lsection%u:\n", c->section_index);
}

static void name_sections(struct og_dis_context *c) {
  for (uint32_t i = c->object->sections.count; i-- > 1;) {
    const struct og_section *s = &c->object->sections.items[i];
    if (is_content(c, s) || s->type == SHT_NOTE)
      *og_map_at(c->arena, &c->section_names, og_text(s->name)) = (void *)(uintptr_t)i;
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
      c->out->size = 0; /* while walking, nobody reads the text */
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
        put_symbol(c, s);
        if (s->type == OG_STT_AMDGPU_HSA_KERNEL && c->section->type != SHT_NOBITS &&
            next_symbol(c, i, at) >= at + OG_KERNEL_CODE_SIZE)
          at += put_kernel_code(c, at);
      }
    }
  }
  /* else the last symbol has printed that label */
  if (!c->symbol_count || offset_of(c, c->symbols[c->symbol_count - 1]) < c->section->size)
    og_dis_label(c, c->section->size);
}

static void put_section(struct og_dis_context *c) {
  take_symbols(c);
  c->relocations = og_relocations_of(&c->all_relocations, c->section_index);
  snprintf(c->label, sizeof c->label, ".L%u_", c->section_index);
  c->relocation_at = 0;
  c->targets = NULL;
  og_dis_section_header(c);
  if (c->section->flags & SHF_EXECINSTR && c->section->type != SHT_NOBITS) {
    if (og_dis_in_one_pass(c, put_contents))
      return;
    og_dis_find_targets(c, put_contents);
  }
  put_contents(c);
}

/* Prints symbols that are in no section. */
static void put_placeless(struct og_dis_context *c, const struct og_symbol *s) {
  unsigned long long value = s->value, size = s->size;
  if (s->type == STT_FILE) {
    og_buffer_text(c->out, "\t.file\t");
    og_buffer_json(c->out, s->name, strlen(s->name));
    og_buffer_u8(c->out, '\n');
  }
  if (!og_is_named(s) || (s->section && s->section < OG_SECTION_ABSOLUTE))
    return;
  switch (s->section) {
  case OG_SECTION_ABSOLUTE: og_buffer_text(c->out, "\t.set\t"); break;
  case OG_SECTION_COMMON: og_buffer_text(c->out, "\t.comm\t"); break;
  case OG_SECTION_LDS: og_buffer_text(c->out, "\t.amdgpu_lds\t"); break;
  }
  if (s->section && s->section != OG_SECTION_OTHER) {
    og_dis_name(c->out, s->name);
    if (s->section == OG_SECTION_ABSOLUTE)
      og_dis_hex(c->out, ", 0x", value);
    else
      og_buffer_printf(c->out, ", %llu, %llu", size, value);
    og_buffer_u8(c->out, '\n');
  }
  og_dis_attributes(c->out, s, false);
  if (s->section != OG_SECTION_COMMON && s->section != OG_SECTION_LDS)
    og_dis_type(c->out, s);
}

static void put_header(struct og_dis_context *c) {
  struct og_buffer id = {0};
  og_target_print_id(&c->target, c->version, &id);
  og_buffer_printf(c->out, "\t.amdgcn_target \"%.*s\"\n", (int)id.size, (const char *)id.data);
  if (c->target.os == OG_OS_AMDHSA && c->version >= 2 && c->version <= 6)
    og_buffer_printf(c->out, "\t.amdhsa_code_object_version %d\n", c->version);
  og_buffer_free(&id);
}

bool og_disassemble_object(const struct og_object *object, const struct og_dis_options *options, struct og_buffer *out,
                           struct og_diagnostics *diagnostics) {
  struct og_dis_context c = {.object = object, .options = options, .out = out, .version = object->abi_version + 2};
  bool known = og_target_from_e_flags(&c.target, object->os_abi, object->abi_version, object->flags);
  if (options->target) {
    struct og_target own = c.target;
    c.target = *options->target;
    if (known)
      c.target.os = own.os;
    if (known && own.processor == c.target.processor) { /* takes settings from e_flags that the options leave open */
      c.target.xnack = c.target.xnack == OG_ANY ? own.xnack : c.target.xnack;
      c.target.sramecc = c.target.sramecc == OG_ANY ? own.sramecc : c.target.sramecc;
    }
  }
  if ((!known && !options->target) || !(c.isa = og_isa_for(&c.target, &c.own_isa)))
    return og_error_in(diagnostics, object->name, "no instruction tables for the processor in e_flags 0x%x",
                       object->flags);
  if (object->os_abi != OG_OSABI_HSA)
    c.version = 6;
  c.layout = og_kd_layout_of(&c.target);
  c.arena = og_arena_new();
  c.symbolizer = og_dis_symbolizer(&c);
  c.printer = og_printer_new(c.arena, c.isa, true, &c.symbolizer);
  c.quiet = og_diagnostics_new();
  sort_symbols(&c);
  name_sections(&c);
  c.all_relocations = og_relocations_by_place(c.arena, object);
  c.dwarf = options->lines ? og_dwarf_open_object(object) : NULL;
  put_header(&c);
  for (uint32_t i = 1; i < object->sections.count; i++) {
    c.section = &object->sections.items[i];
    c.section_index = i;
    if (is_content(&c, c.section))
      put_section(&c);
    else if (c.section->type == SHT_NOTE && c.section->data)
      og_dis_notes(&c);
  }
  for (uint32_t i = 1; i < object->symbols.count; i++)
    put_placeless(&c, &object->symbols.items[i]);
  og_diagnostics_free(c.quiet);
  og_dwarf_close(c.dwarf);
  og_arena_free(c.arena);
  return true;
}
