/* output.c - the file that `offgrid ld` writes: its steps in order, segments, headers, sections. */
#include "object/link/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SPARE = 1 << 20 };

static Elf64_Phdr segment_over(uint32_t type, uint32_t flags, const struct ld_output *o) {
  return (Elf64_Phdr){type, flags, o->offset, o->address, o->address, o->size, o->size, o->alignment};
}

static void write_segments(const struct ld_writer *w, Elf64_Phdr *p) {
  struct linker *ld = w->ld;
  uint64_t headers = w->segment_count * sizeof(Elf64_Phdr);
  *p++ = (Elf64_Phdr){PT_PHDR, PF_R, sizeof(Elf64_Ehdr), sizeof(Elf64_Ehdr), sizeof(Elf64_Ehdr), headers, headers, 8};
  Elf64_Phdr *load = p, relro = {.p_type = PT_GNU_RELRO, .p_flags = PF_R, .p_align = 1};
  uint32_t kind = PF_R;
  *load = (Elf64_Phdr){PT_LOAD, PF_R, 0, 0, 0, sizeof(Elf64_Ehdr) + headers, sizeof(Elf64_Ehdr) + headers, w->page};
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    const struct ld_output *o = ld->outputs.items[i];
    if (!(o->flags & SHF_ALLOC))
      continue;
    if (ld_segment_kind(o) != kind)
      *++load = (Elf64_Phdr){PT_LOAD, ld_permissions(o), o->offset, o->address, o->address, 0, 0, w->page};
    kind = ld_segment_kind(o);
    load->p_align = OG_MAX(load->p_align, o->alignment);
    load->p_memsz = o->address + o->size - load->p_vaddr;
    if (o->type != SHT_NOBITS)
      load->p_filesz = o->offset + o->size - load->p_offset;
    if (ld_is_relro(o)) {
      relro.p_offset = load->p_offset, relro.p_vaddr = relro.p_paddr = load->p_vaddr;
      relro.p_filesz = load->p_filesz, relro.p_memsz = load->p_memsz;
    }
  }
  p = load + 1;
  *p++ = segment_over(PT_DYNAMIC, PF_R | PF_W, w->dynamic);
  if (!ld->options->no_relro)
    *p++ = relro;
  if (!ld->options->no_stack_note)
    *p++ = (Elf64_Phdr){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W};
  if (w->note || w->build_id) {
    *p = segment_over(PT_NOTE, PF_R, w->note ? w->note : w->build_id);
    if (w->note && w->build_id)
      p->p_filesz = p->p_memsz = w->build_id->offset + w->build_id->size - w->note->offset;
  }
}

/* A symbol's address, or a number. */
static uint64_t entry_address(const struct ld_writer *w) {
  const char *entry = w->ld->options->entry;
  if (!entry)
    return 0;
  struct ld_symbol *symbol = og_map_get(&w->ld->names, og_text(entry));
  if (symbol && symbol->state != LD_UNDEFINED && ld_is_live(symbol))
    return ld_refer_global(w, symbol).value;
  char *end;
  uint64_t number = strtoull(entry, &end, 0);
  if (*end || end == entry)
    og_report(w->ld->diagnostics, OG_SEVERITY_WARNING, (struct og_range){0},
              "cannot find entry symbol %s; not setting start address", entry);
  return *end ? 0 : number;
}

/* Its place is zero while the sum is made. */
static void write_build_id(const struct ld_writer *w, uint8_t *file, size_t size) {
  uint8_t *id = file + w->build_id->offset + 16, sum[20];
  switch (w->ld->options->build_id) {
  case OG_BUILD_ID_NONE: return;
  case OG_BUILD_ID_GIVEN: memcpy(id, w->ld->options->given_id, w->ld->options->given_id_size); return;
  case OG_BUILD_ID_MD5: og_md5(file, size, id); return;
  case OG_BUILD_ID_SHA1: og_sha1(file, size, id); return;
  case OG_BUILD_ID_FAST:
    og_sha1(file, size, sum);
    memcpy(id, sum, 8);
    return;
  }
}

static void write_file(struct ld_writer *w, struct og_buffer *out) {
  struct linker *ld = w->ld;
  const struct og_object *first = ld->objects.items[0]->elf;
  uint32_t sections = ld->outputs.count + 1;
  uint8_t *file = og_buffer_extend(out, w->file_size + sections * sizeof(Elf64_Shdr));
  Elf64_Ehdr ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT, first->os_abi,
                                 first->abi_version},
                     .e_type = ET_DYN,
                     .e_machine = OG_EM_AMDGPU,
                     .e_version = EV_CURRENT,
                     .e_phoff = sizeof ehdr,
                     .e_shoff = w->file_size,
                     .e_entry = entry_address(w),
                     .e_flags = ld->flags,
                     .e_ehsize = sizeof ehdr,
                     .e_phentsize = sizeof(Elf64_Phdr),
                     .e_phnum = (uint16_t)w->segment_count,
                     .e_shentsize = sizeof(Elf64_Shdr),
                     .e_shnum = (uint16_t)sections,
                     .e_shstrndx = (uint16_t)w->shstrtab->index};
  memcpy(file, &ehdr, sizeof ehdr);
  Elf64_Phdr *segments = og_arena_alloc(ld->arena, w->segment_count * sizeof *segments);
  write_segments(w, segments);
  memcpy(file + sizeof ehdr, segments, w->segment_count * sizeof *segments);
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    const struct ld_output *o = ld->outputs.items[i];
    Elf64_Shdr shdr = {
        o->name_offset, o->type,      o->flags,     o->address, o->offset, o->size, o->link ? o->link->index : 0,
        o->info,        o->alignment, o->entry_size};
    memcpy(file + w->file_size + (i + 1) * sizeof shdr, &shdr, sizeof shdr);
    if (o->type != SHT_NOBITS && o->size)
      memcpy(file + o->offset, o->data, o->size);
  }
  if (w->build_id)
    write_build_id(w, file, w->file_size + sections * sizeof(Elf64_Shdr));
}

/* Sections of a few bytes with huge alignments would make a file out of all proportion. */
static bool check_size(const struct ld_writer *w) {
  uint64_t inputs = 0, most;
  for (uint32_t o = 0; o < w->ld->objects.count; o++)
    inputs += w->ld->objects.items[o]->elf->size;
  most = 16 * inputs + SPARE;
  return w->file_size <= most ||
         og_error_in(w->ld->diagnostics, NULL, "alignments make %" PRIu64 " bytes of %" PRIu64 " bytes of input",
                     w->file_size, inputs);
}

bool ld_write(struct linker *ld, struct og_buffer *out) {
  struct ld_writer w = {.ld = ld, .page = ld->options->page_size ? ld->options->page_size : 4096};
  bool good = ld_place_sections(&w);
  if (good) {
    ld_place_common(&w);
    good = ld_make_notes(&w) && ld_scan(&w);
  }
  if (good) {
    ld_make_dynamic_tables(&w);
    if (!ld->options->no_relro)
      ld_add_output(ld, ".relro_padding", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 1, RANK_RELRO_PADDING);
    ld_make_emitted(&w);
    for (uint32_t i = 0; i < ld->outputs.count; i++)
      ld->outputs.items[i]->index = i;
    ld_write_symtab(&w, false);
    ld_sort_outputs(&w);
    good = ld->outputs.count < SHN_LORESERVE - 1 ||
           og_error_in(ld->diagnostics, NULL, "more than %d output sections", SHN_LORESERVE);
  }
  if (good) {
    ld_lay_out(&w);
    good = check_size(&w) && ld_fill_sections(&w);
  }
  if (good) {
    ld_raise_lds(&w);
    ld_fill_tables(&w);
    ld_fill_emitted(&w);
    write_file(&w, out);
    if (ld->options->map)
      ld_write_map(ld, w.bss, ld->options->map);
  }
  og_buffer_free(&w.strings);
  og_buffer_free(&w.section_strings);
  return good;
}
