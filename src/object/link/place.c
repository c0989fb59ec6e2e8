/* place.c - output sections of `offgrid ld`: which input section goes to which, in what order, at which address.
 * The layout is that of lld: read-only, executable, writable segments, each on pages of its own. */
#include "object/link/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ALIGNMENT = 1 << 16 };

/* ---- output sections --------------------------------------------------------------------------------------------- */

static enum ld_rank rank_of(uint32_t type, uint64_t flags, const char *name) {
  if (!(flags & SHF_ALLOC))
    return RANK_DEBUG;
  if (flags & SHF_EXECINSTR)
    return RANK_CODE;
  if (!(flags & SHF_WRITE))
    return type == SHT_NOTE ? RANK_NOTE : RANK_READ_ONLY;
  if (strcmp(name, ".data.rel.ro") == 0 || strcmp(name, ".init_array") == 0 || strcmp(name, ".fini_array") == 0 ||
      strcmp(name, ".preinit_array") == 0)
    return RANK_RELRO;
  return type == SHT_NOBITS ? RANK_BSS : RANK_DATA;
}

struct ld_output *ld_add_output(struct linker *ld, const char *name, uint32_t type, uint64_t flags, uint64_t alignment,
                                int rank) {
  struct ld_output *o = OG_NEW(ld->arena, struct ld_output);
  *o = (struct ld_output){
      .name = name, .type = type, .flags = flags, .alignment = alignment ? alignment : 1, .rank = rank};
  *OG_PUSH(ld->arena, &ld->outputs) = o;
  return o;
}

/* ".text.foo" goes to ".text", and so on. */
static const char *output_name(const struct og_section *s) {
  static const char *const prefixes[] = {".data.rel.ro", ".text",       ".rodata",    ".bss",
                                         ".data",        ".init_array", ".fini_array"};
  if (!(s->flags & SHF_ALLOC))
    return s->name;
  for (size_t i = 0; i < OG_COUNT(prefixes); i++) {
    size_t length = strlen(prefixes[i]);
    if (strncmp(s->name, prefixes[i], length) == 0 && (s->name[length] == 0 || s->name[length] == '.'))
      return prefixes[i];
  }
  return s->name;
}

static struct ld_output *find_output(struct linker *ld, const struct og_section *s) {
  const char *name = output_name(s);
  const uint64_t kept = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR;
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    struct ld_output *o = ld->outputs.items[i];
    if (strcmp(o->name, name) != 0 || (o->flags & kept) != (s->flags & kept) ||
        (o->type == SHT_NOBITS) != (s->type == SHT_NOBITS))
      continue;
    if ((o->flags ^ s->flags) & (SHF_MERGE | SHF_STRINGS) ||
        o->entry_size != s->entry_size) { /* only equals stay what they are */
      o->flags &= ~(uint64_t)(SHF_MERGE | SHF_STRINGS);
      o->entry_size = 0;
    }
    return o;
  }
  struct ld_output *o = ld_add_output(ld, name, s->type, s->flags & (kept | SHF_MERGE | SHF_STRINGS), 1,
                                      rank_of(s->type, s->flags, name));
  o->entry_size = s->entry_size;
  return o;
}

static bool place_section(struct ld_writer *w, struct ld_section *s) {
  const struct ld_object *object = s->object;
  uint64_t alignment = OG_MAX(s->in->alignment, 1);
  if (alignment & (alignment - 1) || alignment > MAX_ALIGNMENT)
    return LD_FAIL(w, object, "section '%s' has alignment %" PRIu64 ": expected a power of two up to %d", s->in->name,
                   alignment, MAX_ALIGNMENT);
  if (s->in->type == SHT_NOBITS &&
      (s->in->flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_WRITE) && s->in->flags & SHF_ALLOC)
    return LD_FAIL(w, object, "section '%s' has no contents, but is not writable", s->in->name);
  s->out = find_output(w->ld, s->in);
  s->out->alignment = OG_MAX(s->out->alignment, alignment);
  if (ld_can_merge(s))
    return ld_merge_section(w->ld, s);
  s->offset = og_align_up(s->out->size, alignment);
  if (s->in->size > UINT64_MAX / 4 - s->offset)
    return LD_FAIL(w, object, "section '%s' is too large", s->in->name);
  s->out->size = s->offset + s->in->size;
  return true;
}

bool ld_place_sections(struct ld_writer *w) {
  struct linker *ld = w->ld;
  OG_VECTOR(struct ld_section *) ordered = {0};
  bool good = true;
  for (uint32_t k = 0; k < ld->objects.count; k++) {
    struct ld_object *object = ld->objects.items[k];
    for (uint32_t i = 1; good && i < object->elf->sections.count; i++) {
      struct ld_section *s = &object->sections[i];
      if (!s->live || (s->in->type == SHT_NOTE && s->in->flags & SHF_ALLOC))
        continue;
      if (ld_is_ordered(s->in))
        *OG_PUSH(ld->arena, &ordered) = s;
      else
        good = place_section(w, s);
    }
  }
  ld_order_by_priority(ordered.items, ordered.count);
  for (uint32_t i = 0; good && i < ordered.count; i++)
    good = place_section(w, ordered.items[i]);
  return good;
}

void ld_place_common(struct ld_writer *w) {
  struct linker *ld = w->ld;
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    if (s->state != LD_COMMON)
      continue;
    if (!w->bss)
      w->bss =
          find_output(ld, &(struct og_section){.name = ".bss", .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_WRITE});
    uint64_t alignment = OG_MIN(s->alignment & -s->alignment, (uint64_t)MAX_ALIGNMENT);
    s->value = og_align_up(w->bss->size, alignment);
    w->bss->size = s->value + OG_MIN(s->size, UINT64_MAX / 4);
    w->bss->alignment = OG_MAX(w->bss->alignment, alignment);
  }
}

uint8_t *ld_give_data(struct linker *ld, struct ld_output *o, uint64_t size) {
  o->size = size;
  return o->data = og_arena_alloc(ld->arena, size ? size : 1);
}

uint32_t ld_add_string(struct og_buffer *strings, const char *name) {
  if (!*name)
    return 0;
  uint32_t at = (uint32_t)strings->size;
  og_buffer_append(strings, name, strlen(name) + 1);
  return at;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static int by_rank(const void *a, const void *b) {
  const struct ld_output *x = *(struct ld_output *const *)a, *y = *(struct ld_output *const *)b;
  return x->rank != y->rank ? x->rank - y->rank : (int)x->index - (int)y->index;
}

uint32_t ld_permissions(const struct ld_output *o) {
  return PF_R | (o->flags & SHF_WRITE ? PF_W : 0) | (o->flags & SHF_EXECINSTR ? PF_X : 0);
}

/* What is written only while loading: a loader may make these pages read-only afterwards. */
bool ld_is_relro(const struct ld_output *o) {
  return o->flags & SHF_ALLOC && o->rank >= RANK_RELRO && o->rank <= RANK_RELRO_PADDING;
}

/* Sections that share a segment have the same. */
uint32_t ld_segment_kind(const struct ld_output *o) { return ld_permissions(o) | (ld_is_relro(o) ? 8 : 0); }

void ld_sort_outputs(struct ld_writer *w) {
  struct linker *ld = w->ld;
  w->shstrtab = ld_add_output(ld, ".shstrtab", SHT_STRTAB, 0, 1, RANK_SHSTRTAB);
  if (w->symtab)
    w->symtab->link = w->strtab = ld_add_output(ld, ".strtab", SHT_STRTAB, 0, 1, RANK_STRTAB);
  for (uint32_t i = 0; i < ld->outputs.count; i++)
    ld->outputs.items[i]->index = i;
  qsort(ld->outputs.items, ld->outputs.count, sizeof *ld->outputs.items, by_rank);
  og_buffer_u8(&w->section_strings, 0);
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    ld->outputs.items[i]->index = i + 1;
    ld->outputs.items[i]->name_offset = ld_add_string(&w->section_strings, ld->outputs.items[i]->name);
  }
  if (w->strtab)
    memcpy(ld_give_data(ld, w->strtab, w->strings.size), w->strings.data, w->strings.size);
  memcpy(ld_give_data(ld, w->shstrtab, w->section_strings.size), w->section_strings.data, w->section_strings.size);
}

void ld_lay_out(struct ld_writer *w) {
  struct linker *ld = w->ld;
  uint64_t page = w->page;
  uint32_t now = PF_R, loads = 1;
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    const struct ld_output *o = ld->outputs.items[i];
    if (!(o->flags & SHF_ALLOC))
      continue;
    page = OG_MAX(page, o->alignment);
    loads += ld_segment_kind(o) != now;
    now = ld_segment_kind(o);
  }
  const struct og_link_options *options = ld->options;
  w->segment_count = loads + 2 + !options->no_relro + !options->no_stack_note + (w->note || w->build_id);
  uint64_t offset = sizeof(Elf64_Ehdr) + w->segment_count * sizeof(Elf64_Phdr), address = offset;
  now = PF_R;
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    struct ld_output *o = ld->outputs.items[i];
    if (o->flags & SHF_ALLOC) {
      if (ld_segment_kind(o) != now)
        address = og_align_up(address, page) + (offset & (page - 1));
      now = ld_segment_kind(o);
      address = og_align_up(address, o->alignment);
      offset += (address - offset) & (page - 1);
      o->address = address;
      if (o->rank == RANK_RELRO_PADDING)
        o->size = og_align_up(address, w->page) - address;
      address += o->size;
    } else {
      offset = og_align_up(offset, o->alignment);
    }
    o->offset = offset;
    offset += o->type == SHT_NOBITS ? 0 : o->size;
  }
  w->file_size = og_align_up(offset, 8);
}
