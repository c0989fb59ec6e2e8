/* tables.c - what `offgrid ld` adds to the sections of its inputs: notes, dynamic symbols with their hashes, GOT,
 * relocations for the loader, the dynamic section, the symbol table. Sizes are known before layout, values after it. */
#include "object/link/writer.h"
#include "object/metadata/metadata.h"

#include <string.h>

/* ---- dynamic symbols and their hashes ---------------------------------------------------------------------------- */

static uint32_t gnu_hash(const char *name) {
  uint32_t h = 5381;
  for (const unsigned char *p = (const unsigned char *)name; *p; p++)
    h = h * 33 + *p;
  return h;
}

static uint32_t sysv_hash(const char *name) {
  uint32_t h = 0;
  for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
    h = (h << 4) + *p;
    h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff;
  }
  return h;
}

/* Undefined ones first, then the others by hash bucket, as .gnu.hash wants them. */
static void choose_exports(struct ld_writer *w) {
  struct linker *ld = w->ld;
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    if (s->state == LD_UNDEFINED && s->referenced && ld_refer_global(w, s).kind == REF_DYNAMIC)
      *OG_PUSH(ld->arena, &w->exports) = s;
  }
  w->undefined_exports = w->exports.count;
  uint32_t defined = 0;
  for (uint32_t i = 0; i < ld->symbols.count; i++)
    defined += ld_exported(ld->symbols.items[i]) && ld_is_live(ld->symbols.items[i]);
  w->buckets = OG_MAX(defined / 4, 1);
  OG_VECTOR(struct ld_symbol *) *chains = og_arena_alloc(ld->arena, w->buckets * sizeof *chains);
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    if (ld_exported(s) && ld_is_live(s))
      *OG_PUSH(ld->arena, &chains[gnu_hash(s->name) % w->buckets]) = s;
  }
  for (uint32_t b = 0; b < w->buckets; b++)
    for (uint32_t i = 0; i < chains[b].count; i++)
      *OG_PUSH(ld->arena, &w->exports) = chains[b].items[i];
  for (uint32_t i = 0; i < w->exports.count; i++)
    w->exports.items[i]->dynamic = i + 1;
}

static void write_hash(struct ld_writer *w) {
  uint32_t count = w->exports.count + 1;
  uint8_t *data = ld_give_data(w->ld, w->hash, 4 * (2 + 2 * (uint64_t)count));
  og_store32(data, count);
  og_store32(data + 4, count);
  uint8_t *buckets = data + 8, *chains = buckets + 4 * (uint64_t)count;
  for (uint32_t i = 1; i < count; i++) {
    uint8_t *bucket = buckets + 4 * (sysv_hash(w->exports.items[i - 1]->name) % count);
    og_store32(chains + 4 * (uint64_t)i, og_load32(bucket));
    og_store32(bucket, i);
  }
}

static void write_gnu_hash(struct ld_writer *w) {
  enum { SHIFT = 26, HEADER = 16 };
  uint32_t first = w->undefined_exports + 1, count = w->exports.count - w->undefined_exports, words = 1;
  while (words * 64 < count * 12)
    words *= 2;
  uint8_t *data =
      ld_give_data(w->ld, w->gnu_hash, HEADER + 8 * (uint64_t)words + 4 * (uint64_t)w->buckets + 4 * (uint64_t)count);
  og_store32(data, w->buckets);
  og_store32(data + 4, first);
  og_store32(data + 8, words);
  og_store32(data + 12, SHIFT);
  uint8_t *bloom = data + HEADER, *buckets = bloom + 8 * (uint64_t)words, *chain = buckets + 4 * (uint64_t)w->buckets;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t h = gnu_hash(w->exports.items[first - 1 + i]->name), b = h % w->buckets;
    uint8_t *word = bloom + 8 * (h / 64 & (words - 1));
    og_store64(word, og_load64(word) | 1ull << (h & 63) | 1ull << (h >> SHIFT & 63));
    if (!og_load32(buckets + 4 * (uint64_t)b))
      og_store32(buckets + 4 * (uint64_t)b, first + i);
    bool last = i + 1 == count || gnu_hash(w->exports.items[first + i]->name) % w->buckets != b;
    og_store32(chain + 4 * (uint64_t)i, (h & ~1u) | last);
  }
}

/* Tables whose sizes must be known before anything has an address. */
void ld_make_dynamic_tables(struct ld_writer *w) {
  struct linker *ld = w->ld;
  choose_exports(w);
  w->dynsym = ld_add_output(ld, ".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, RANK_DYNSYM);
  w->dynsym->entry_size = sizeof(Elf64_Sym);
  w->dynsym->info = 1;
  ld_give_data(ld, w->dynsym, (w->exports.count + 1) * sizeof(Elf64_Sym));
  if (!ld->options->no_gnu_hash) {
    w->gnu_hash = ld_add_output(ld, ".gnu.hash", SHT_GNU_HASH, SHF_ALLOC, 8, RANK_GNU_HASH);
    w->gnu_hash->link = w->dynsym;
    write_gnu_hash(w);
  }
  if (!ld->options->no_sysv_hash) {
    w->hash = ld_add_output(ld, ".hash", SHT_HASH, SHF_ALLOC, 4, RANK_HASH);
    w->hash->entry_size = 4;
    w->hash->link = w->dynsym;
    write_hash(w);
  }
  w->dynstr = ld_add_output(ld, ".dynstr", SHT_STRTAB, SHF_ALLOC, 1, RANK_DYNSTR);
  w->dynsym->link = w->dynstr;
  struct og_buffer names = {0};
  og_buffer_u8(&names, 0);
  w->soname = ld->options->soname ? ld_add_string(&names, ld->options->soname) : 0;
  w->run_path = ld->options->run_path ? ld_add_string(&names, ld->options->run_path) : 0;
  for (uint32_t i = 0; i < w->exports.count; i++)
    ((Elf64_Sym *)w->dynsym->data)[i + 1].st_name = ld_add_string(&names, w->exports.items[i]->name);
  memcpy(ld_give_data(ld, w->dynstr, names.size), names.data, names.size);
  og_buffer_free(&names);
  if (w->relative.count + w->symbolic.count) {
    w->rela = ld_add_output(ld, ".rela.dyn", SHT_RELA, SHF_ALLOC, 8, RANK_RELA);
    w->rela->entry_size = sizeof(Elf64_Rela);
    w->rela->link = w->dynsym;
    ld_give_data(ld, w->rela, (uint64_t)(w->relative.count + w->symbolic.count) * sizeof(Elf64_Rela));
  }
  if (w->slots.count) {
    w->got = ld_add_output(ld, ".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8, RANK_GOT);
    ld_give_data(ld, w->got, 8 * (uint64_t)w->slots.count);
  }
  w->dynamic = ld_add_output(ld, ".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, RANK_DYNAMIC);
  w->dynamic->entry_size = sizeof(Elf64_Dyn);
  w->dynamic->link = w->dynstr;
  uint32_t entries = 5u + (w->rela ? 4 : 0) + (w->gnu_hash != NULL) + (w->hash != NULL) +
                     (ld->options->soname != NULL) + (ld->options->run_path != NULL);
  ld_give_data(ld, w->dynamic, entries * sizeof(Elf64_Dyn));
}

bool ld_make_notes(struct ld_writer *w) {
  struct linker *ld = w->ld;
  struct og_buffer notes = {0};
  bool good = ld_merge_notes(ld, &notes);
  if (good && notes.size) {
    w->note = ld_add_output(ld, ".note", SHT_NOTE, SHF_ALLOC, 4, RANK_NOTE);
    memcpy(ld_give_data(ld, w->note, notes.size), notes.data, notes.size);
  }
  og_buffer_free(&notes);
  if (good && ld->options->build_id) {
    struct og_buffer id = {0};
    static const uint32_t sizes[] = {
        [OG_BUILD_ID_SHA1] = 20, [OG_BUILD_ID_MD5] = 16, [OG_BUILD_ID_FAST] = 8, [OG_BUILD_ID_GIVEN] = 0};
    size_t size =
        ld->options->build_id == OG_BUILD_ID_GIVEN ? ld->options->given_id_size : sizes[ld->options->build_id];
    og_note_append(&id, "GNU", NT_GNU_BUILD_ID, og_arena_alloc(ld->arena, size + 1), (uint32_t)size);
    w->build_id = ld_add_output(ld, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4, RANK_BUILD_ID);
    memcpy(ld_give_data(ld, w->build_id, id.size), id.data, id.size);
    og_buffer_free(&id);
  }
  return good;
}

/* ---- symbol table ------------------------------------------------------------------------------------------------ */

static uint16_t edge_section(const struct ld_writer *w, const struct ld_symbol *s) {
  const struct ld_output *home;
  ld_edge(w->ld, s, &home);
  return home ? (uint16_t)home->index : SHN_ABS;
}

static Elf64_Sym output_symbol(const struct ld_writer *w, struct ld_symbol *s) {
  struct ld_ref ref = ld_refer_global(w, s);
  bool hidden = s->visibility == STV_HIDDEN || s->visibility == STV_INTERNAL || s->not_exported;
  uint8_t binding = hidden && s->state != LD_UNDEFINED ? STB_LOCAL : s->binding;
  Elf64_Sym sym = {.st_info = (uint8_t)ELF64_ST_INFO(binding, s->type),
                   .st_other = s->visibility,
                   .st_value = ref.value,
                   .st_size = s->size};
  if (s->state == LD_DEFINED)
    sym.st_shndx = (uint16_t)s->object->sections[s->symbol->section].out->index;
  else if (s->state == LD_COMMON)
    sym.st_shndx = (uint16_t)w->bss->index;
  else if (s->state == LD_EDGE)
    sym.st_shndx = edge_section(w, s);
  else
    sym.st_shndx = s->state == LD_UNDEFINED ? SHN_UNDEF : SHN_ABS;
  return sym;
}

struct symtab_writer {
  struct ld_writer *w;
  struct og_buffer *out;
  bool fill;        /* values; otherwise only sizes and names */
  uint32_t name_at; /* in .strtab, which has the symbols' order */
};

/* Yields its index. */
static uint32_t put_symbol(struct symtab_writer *t, const char *name, Elf64_Sym sym) {
  sym.st_name = *name ? t->name_at : 0;
  t->name_at += *name ? (uint32_t)strlen(name) + 1 : 0;
  if (!t->fill)
    ld_add_string(&t->w->strings, name);
  og_buffer_append(t->out, &sym, sizeof sym);
  return (uint32_t)(t->out->size / sizeof sym - 1);
}

/* -x drops local symbols, -X those that compilers made up. Relocations that stay may need them. */
static bool is_discarded(const struct linker *ld, const struct og_symbol *symbol) {
  const struct og_link_options *options = ld->options;
  return !options->emit_relocations &&
         (options->discard_locals || (options->discard_temporaries && strncmp(symbol->name, ".L", 2) == 0));
}

static void put_locals(struct symtab_writer *t, const struct ld_object *object) {
  for (uint32_t i = 1; i < object->elf->symbols.count; i++) {
    const struct og_symbol *symbol = &object->elf->symbols.items[i];
    bool in_section = symbol->section != OG_SECTION_UNDEFINED && symbol->section < object->elf->sections.count;
    if (object->globals[i] || symbol->type == STT_SECTION || symbol->section == OG_SECTION_UNDEFINED ||
        (in_section && !object->sections[symbol->section].out) || is_discarded(t->w->ld, symbol))
      continue;
    const struct ld_section *s = in_section ? &object->sections[symbol->section] : NULL;
    Elf64_Sym sym = {.st_info = (uint8_t)ELF64_ST_INFO(STB_LOCAL, symbol->type),
                     .st_other = symbol->visibility,
                     .st_size = symbol->size,
                     .st_shndx = s ? (uint16_t)s->out->index : SHN_ABS,
                     .st_value = s ? ld_place_address(s, symbol->value) : symbol->value};
    uint32_t index = put_symbol(t, symbol->name, sym);
    if (object->symtab_index)
      object->symtab_index[i] = index;
  }
}

/* What section symbols of the inputs become. */
static void put_sections(struct symtab_writer *t) {
  const struct linker *ld = t->w->ld;
  for (uint32_t i = 0; i < ld->outputs.count; i++)
    if (ld->outputs.items[i]->has_symbol)
      ld->outputs.items[i]->symtab_index =
          put_symbol(t, "", (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION),
                                        .st_shndx = (uint16_t)ld->outputs.items[i]->index,
                                        .st_value = ld->outputs.items[i]->address});
}

/* Called twice: for sizes and strings before layout, for values after it. Yields the number of local symbols. */
static uint32_t put_symbols(struct symtab_writer *t) {
  struct linker *ld = t->w->ld;
  put_symbol(t, "", (Elf64_Sym){0});
  put_sections(t);
  for (uint32_t o = 0; o < ld->objects.count; o++)
    put_locals(t, ld->objects.items[o]);
  uint32_t locals = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < ld->symbols.count; i++) {
      struct ld_symbol *s = ld->symbols.items[i];
      if (!ld_is_live(s) || (s->state == LD_UNDEFINED && !s->dynamic && !ld->options->emit_relocations))
        continue;
      Elf64_Sym sym = output_symbol(t->w, s);
      if ((ELF64_ST_BIND(sym.st_info) == STB_LOCAL) == (pass == 0))
        s->symtab_index = put_symbol(t, s->name, sym);
    }
    if (pass == 0)
      locals = (uint32_t)(t->out->size / sizeof(Elf64_Sym));
  }
  return locals;
}

void ld_write_symtab(struct ld_writer *w, bool fill) {
  struct og_buffer table = {0};
  struct symtab_writer t = {w, &table, fill, 1};
  if (w->ld->options->strip_all)
    return;
  if (!fill) {
    w->symtab = ld_add_output(w->ld, ".symtab", SHT_SYMTAB, 0, 8, RANK_SYMTAB);
    w->symtab->entry_size = sizeof(Elf64_Sym);
    og_buffer_u8(&w->strings, 0);
  }
  uint32_t locals = put_symbols(&t);
  if (!fill)
    ld_give_data(w->ld, w->symtab, table.size);
  memcpy(w->symtab->data, table.data, table.size);
  w->symtab->info = locals;
  og_buffer_free(&table);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static Elf64_Rela loader_relocation(const struct ld_writer *w, const struct ld_dynamic_relocation *r) {
  struct ld_ref ref = ld_refer(w, r->object, r->symbol, r->addend);
  uint64_t place = r->place ? ld_place_address(r->place, r->offset) : w->got->address + r->offset;
  if (r->type == OG_R_AMDGPU_RELATIVE64)
    return (Elf64_Rela){place, ELF64_R_INFO(0, r->type), (int64_t)(ref.value + (uint64_t)r->addend)};
  return (Elf64_Rela){place, ELF64_R_INFO((uint64_t)ref.global->dynamic, r->type), r->addend};
}

static void fill_dynamic(struct ld_writer *w) {
  Elf64_Dyn *d = (Elf64_Dyn *)w->dynamic->data;
#define ENTRY(tag, value)                                                                                              \
  *d++ = (Elf64_Dyn) {                                                                                                 \
    tag, { value }                                                                                                     \
  }
  if (w->ld->options->soname)
    ENTRY(DT_SONAME, w->soname);
  if (w->ld->options->run_path)
    ENTRY(DT_RUNPATH, w->run_path);
  if (w->rela) {
    ENTRY(DT_RELA, w->rela->address);
    ENTRY(DT_RELASZ, w->rela->size);
    ENTRY(DT_RELAENT, sizeof(Elf64_Rela));
    ENTRY(DT_RELACOUNT, w->relative.count);
  }
  ENTRY(DT_SYMTAB, w->dynsym->address);
  ENTRY(DT_SYMENT, sizeof(Elf64_Sym));
  ENTRY(DT_STRTAB, w->dynstr->address);
  ENTRY(DT_STRSZ, w->dynstr->size);
  if (w->gnu_hash)
    ENTRY(DT_GNU_HASH, w->gnu_hash->address);
  if (w->hash)
    ENTRY(DT_HASH, w->hash->address);
  ENTRY(DT_NULL, 0);
}

void ld_fill_tables(struct ld_writer *w) {
  Elf64_Rela *rela = w->rela ? (Elf64_Rela *)w->rela->data : NULL;
  for (uint32_t i = 0; i < w->relative.count; i++)
    *rela++ = loader_relocation(w, &w->relative.items[i]);
  for (uint32_t i = 0; i < w->symbolic.count; i++)
    *rela++ = loader_relocation(w, &w->symbolic.items[i]);
  for (uint32_t i = 0; i < w->slots.count; i++) {
    struct ld_ref ref = ld_refer(w, w->slots.items[i].object, w->slots.items[i].symbol, 0);
    og_store64(w->got->data + 8 * (uint64_t)i, ref.kind == REF_CONSTANT ? ref.value : 0);
  }
  Elf64_Sym *dynsym = (Elf64_Sym *)w->dynsym->data;
  for (uint32_t i = 0; i < w->exports.count; i++) {
    uint32_t name = dynsym[i + 1].st_name;
    dynsym[i + 1] = output_symbol(w, w->exports.items[i]);
    dynsym[i + 1].st_name = name;
  }
  ld_write_symtab(w, true);
  fill_dynamic(w);
}
