/* link_output.c - the second half of `offgrid ld`: output sections, GOT and dynamic tables, layout, relocation, writing.
 * The layout is that of lld: read-only, executable, writable segments, each on pages of its own. */
#include "object/link.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, MAX_ALIGNMENT = 1 << 16, SPARE = 1 << 20 };

/* Order of output sections. */
enum rank {
  RANK_NOTE,
  RANK_BUILD_ID,
  RANK_DYNSYM,
  RANK_GNU_HASH,
  RANK_HASH,
  RANK_DYNSTR,
  RANK_RELA,
  RANK_READ_ONLY,
  RANK_CODE,
  RANK_RELRO,
  RANK_DYNAMIC,
  RANK_GOT,
  RANK_RELRO_PADDING,
  RANK_DATA,
  RANK_BSS,
  RANK_DEBUG,
  RANK_SYMTAB,
  RANK_SHSTRTAB,
  RANK_STRTAB
};

/* What a relocation's symbol is. */
enum ref_kind { REF_CONSTANT, REF_ADDRESS, REF_DYNAMIC };
struct ref {
  enum ref_kind kind;
  uint64_t value; /* ADDRESS: valid once laid out */
  struct ld_symbol *global;
  const char *name;
};

struct dynamic_relocation {
  const struct ld_section *place; /* NULL: GOT slot */
  uint64_t offset;
  uint32_t type;
  const struct ld_object *object; /* with symbol: what it refers to */
  uint32_t symbol;
  int64_t addend;
};

struct writer {
  struct linker *ld;
  struct ld_output *note, *build_id, *dynsym, *dynstr, *hash, *gnu_hash, *rela, *dynamic, *got, *bss, *symtab, *strtab,
      *shstrtab;
  OG_VECTOR(struct dynamic_relocation) relative;
  OG_VECTOR(struct dynamic_relocation) symbolic;
  OG_VECTOR(struct ld_symbol *) exports; /* in the order of .dynsym, from 1 */
  OG_VECTOR(struct dynamic_relocation) slots; /* of the GOT: object and symbol */
  struct og_map local_slots; /* "object:symbol" */
  uint32_t undefined_exports, buckets;
  struct og_buffer strings, section_strings;
  uint64_t file_size;
  uint32_t segment_count;
};

#define FAIL(w, object, ...) og_error_in((w)->ld->diagnostics, (object)->elf->name, __VA_ARGS__)

/* ---- output sections --------------------------------------------------------------------------------------------- */

static enum rank rank_of(uint32_t type, uint64_t flags, const char *name) {
  if (!(flags & SHF_ALLOC))
    return RANK_DEBUG;
  if (flags & SHF_EXECINSTR)
    return RANK_CODE;
  if (!(flags & SHF_WRITE))
    return type == SHT_NOTE ? RANK_NOTE : RANK_READ_ONLY;
  if (strcmp(name, ".data.rel.ro") == 0 || strcmp(name, ".init_array") == 0 || strcmp(name, ".fini_array") == 0)
    return RANK_RELRO;
  return type == SHT_NOBITS ? RANK_BSS : RANK_DATA;
}

static struct ld_output *add_output(struct linker *ld, const char *name, uint32_t type, uint64_t flags,
                                    uint64_t alignment, int rank) {
  struct ld_output *o = OG_NEW(ld->arena, struct ld_output);
  *o = (struct ld_output){
      .name = name, .type = type, .flags = flags, .alignment = alignment ? alignment : 1, .rank = rank};
  *OG_PUSH(ld->arena, &ld->outputs) = o;
  return o;
}

/* ".text.foo" goes to ".text", and so on. */
static const char *output_name(const struct og_section *s) {
  static const char *const prefixes[] = {".data.rel.ro", ".text", ".rodata", ".bss", ".data", ".init_array", ".fini_array"};
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
  struct ld_output *o =
      add_output(ld, name, s->type, s->flags & (kept | SHF_MERGE | SHF_STRINGS), 1, rank_of(s->type, s->flags, name));
  o->entry_size = s->entry_size;
  return o;
}

static bool place_sections(struct writer *w) {
  struct linker *ld = w->ld;
  for (uint32_t k = 0; k < ld->objects.count; k++) {
    struct ld_object *object = ld->objects.items[k];
    for (uint32_t i = 1; i < object->elf->sections.count; i++) {
      struct ld_section *s = &object->sections[i];
      if (!s->live || (s->in->type == SHT_NOTE && s->in->flags & SHF_ALLOC))
        continue;
      uint64_t alignment = OG_MAX(s->in->alignment, 1);
      if (alignment & (alignment - 1) || alignment > MAX_ALIGNMENT)
        return FAIL(w, object, "section '%s' has alignment %" PRIu64 ": expected a power of two up to %d", s->in->name,
                    alignment, MAX_ALIGNMENT);
      if (s->in->type == SHT_NOBITS &&
          (s->in->flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_WRITE) &&
          s->in->flags & SHF_ALLOC)
        return FAIL(w, object, "section '%s' has no contents, but is not writable", s->in->name);
      s->out = find_output(ld, s->in);
      s->out->alignment = OG_MAX(s->out->alignment, alignment);
      if (ld_can_merge(s)) {
        if (!ld_merge_section(ld, s))
          return false;
        continue;
      }
      s->offset = og_align_up(s->out->size, alignment);
      if (s->in->size > UINT64_MAX / 4 - s->offset)
        return FAIL(w, object, "section '%s' is too large", s->in->name);
      s->out->size = s->offset + s->in->size;
    }
  }
  return true;
}

static void place_common(struct writer *w) {
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

/* ---- what symbols stand for -------------------------------------------------------------------------------------- */

static uint64_t place_address(const struct ld_section *s, uint64_t offset) {
  return s->out ? s->out->address + ld_offset_in_output(s, offset) : 0;
}

static struct ref refer_global(const struct writer *w, struct ld_symbol *s) {
  struct ref ref = {.global = s, .name = s->name};
  switch (s->state) {
  case LD_UNDEFINED:
    ref.kind = w->ld->options->allow_undefined && s->visibility != STV_HIDDEN && s->visibility != STV_INTERNAL
                   ? REF_DYNAMIC
                   : REF_CONSTANT;
    break;
  case LD_DEFINED:
    ref.kind = REF_ADDRESS;
    ref.value = place_address(&s->object->sections[s->symbol->section], s->symbol->value);
    break;
  case LD_COMMON:
    ref.kind = REF_ADDRESS;
    ref.value = w->bss->address + s->value;
    break;
  case LD_ABSOLUTE: ref.value = s->symbol->value; break;
  case LD_LDS: ref.value = s->value; break;
  }
  return ref;
}

/* The addend matters where it chooses among merged pieces: those that a section symbol stands for. */
static struct ref refer(const struct writer *w, const struct ld_object *object, uint32_t index, int64_t addend) {
  if (object->globals[index])
    return refer_global(w, object->globals[index]);
  const struct og_symbol *symbol = &object->elf->symbols.items[index];
  struct ref ref = {.value = symbol->value, .name = symbol->name};
  if (symbol->section != OG_SECTION_UNDEFINED && symbol->section < object->elf->sections.count) {
    const struct ld_section *s = &object->sections[symbol->section];
    ref.kind = REF_ADDRESS;
    uint64_t piece = symbol->type == STT_SECTION && s->piece_count ? (uint64_t)addend : 0;
    ref.value = place_address(s, symbol->value + piece) - piece;
    if (!*ref.name && s->in)
      ref.name = s->in->name;
  }
  return ref;
}

/* ---- which relocations remain for the loader --------------------------------------------------------------------- */

static uint32_t got_slot(struct writer *w, const struct ld_object *object, uint32_t index) {
  struct ld_symbol *global = object->globals[index];
  uint32_t *slot;
  if (global) {
    slot = &global->got;
  } else {
    const char *key = og_arena_printf(w->ld->arena, "%p:%u", (const void *)object, index);
    void **found = og_map_at(w->ld->arena, &w->local_slots, og_text(key));
    if (!*found)
      *found = OG_NEW(w->ld->arena, uint32_t);
    slot = *found;
  }
  if (!*slot) {
    *OG_PUSH(w->ld->arena, &w->slots) = (struct dynamic_relocation){.object = object, .symbol = index};
    *slot = w->slots.count;
  }
  return *slot - 1;
}

static void add_dynamic(struct writer *w, struct dynamic_relocation r, enum ref_kind kind) {
  if (kind == REF_ADDRESS && r.type == OG_R_AMDGPU_ABS64) {
    r.type = OG_R_AMDGPU_RELATIVE64;
    *OG_PUSH(w->ld->arena, &w->relative) = r;
  } else {
    *OG_PUSH(w->ld->arena, &w->symbolic) = r;
  }
}

static bool scan_one(struct writer *w, const struct ld_section *s, const struct og_relocation *r) {
  struct ref ref = refer(w, s->object, r->symbol, r->addend);
  struct dynamic_relocation dynamic = {s, r->offset, r->type, s->object, r->symbol, r->addend};
  bool mesa =
      s->object->elf->os_abi == OG_OSABI_MESA3D && ref.global && (ref.kind == REF_DYNAMIC || ld_exported(ref.global));
  const char *type = og_relocation_name(r->type);
  switch (r->type) {
  case OG_R_AMDGPU_NONE: return true;
  case OG_R_AMDGPU_ABS64:
    if (ref.kind != REF_CONSTANT)
      add_dynamic(w, dynamic, ref.kind);
    return true;
  case OG_R_AMDGPU_ABS32: case OG_R_AMDGPU_ABS32_LO: case OG_R_AMDGPU_ABS32_HI:
    if (ref.kind == REF_CONSTANT)
      return true;
    if (mesa)
      return add_dynamic(w, dynamic, REF_DYNAMIC), true;
    return FAIL(w, s->object,
                "relocation %s against '%s' at %s+0x%" PRIx64
                ": its address is known only when loaded; use @rel32 or @gotpcrel32",
                type, ref.name, s->in->name, r->offset);
  case OG_R_AMDGPU_REL32:
  case OG_R_AMDGPU_REL32_LO:
  case OG_R_AMDGPU_REL32_HI:
  case OG_R_AMDGPU_REL64:
  case OG_R_AMDGPU_REL16:
    return ref.kind != REF_DYNAMIC ||
           FAIL(w, s->object, "relocation %s against undefined symbol '%s' at %s+0x%" PRIx64 ": use @gotpcrel32", type,
                ref.name, s->in->name, r->offset);
  case OG_R_AMDGPU_GOTPCREL: case OG_R_AMDGPU_GOTPCREL32_LO: case OG_R_AMDGPU_GOTPCREL32_HI:
    got_slot(w, s->object, r->symbol);
    return true;
  }
  return FAIL(w, s->object, "relocation type %u (%s) at %s+0x%" PRIx64 " cannot stand in a relocatable object", r->type,
              type ? type : "unknown", s->in->name, r->offset);
}

#define EACH_RELOCATION(s, r)                                                                                          \
  for (uint32_t k_ = (s)->object->order.start[(s)->index]; k_ < (s)->object->order.start[(s)->index + 1]; k_++)        \
    for (const struct og_relocation *r = &(s)->object->elf->relocations.items[(s)->object->order.index[k_]]; r;        \
         r = NULL)

static bool scan(struct writer *w) {
  bool good = true;
  for (uint32_t o = 0; o < w->ld->objects.count; o++) {
    struct ld_object *object = w->ld->objects.items[o];
    for (uint32_t i = 1; i < object->elf->sections.count; i++) {
      const struct ld_section *s = &object->sections[i];
      if (!s->out || !(s->in->flags & SHF_ALLOC) || s->in->type == SHT_NOBITS)
        continue;
      EACH_RELOCATION(s, r) {
        good &= scan_one(w, s, r);
      }
    }
  }
  for (uint32_t i = 0; i < w->slots.count; i++) {
    struct dynamic_relocation r = w->slots.items[i];
    struct ref ref = refer(w, r.object, r.symbol, 0);
    r.offset = 8 * (uint64_t)i;
    r.type = OG_R_AMDGPU_ABS64;
    if (ref.kind != REF_CONSTANT)
      add_dynamic(w, r, ref.kind);
  }
  return good;
}

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

static bool is_live(const struct ld_symbol *s) {
  return s->state != LD_DEFINED || s->object->sections[s->symbol->section].out;
}

/* Undefined ones first, then the others by hash bucket, as .gnu.hash wants them. */
static void choose_exports(struct writer *w) {
  struct linker *ld = w->ld;
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    if (s->state == LD_UNDEFINED && s->referenced && refer_global(w, s).kind == REF_DYNAMIC)
      *OG_PUSH(ld->arena, &w->exports) = s;
  }
  w->undefined_exports = w->exports.count;
  uint32_t defined = 0;
  for (uint32_t i = 0; i < ld->symbols.count; i++)
    defined += ld_exported(ld->symbols.items[i]) && is_live(ld->symbols.items[i]);
  w->buckets = OG_MAX(defined / 4, 1);
  OG_VECTOR(struct ld_symbol *) *chains = og_arena_alloc(ld->arena, w->buckets * sizeof *chains);
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    if (ld_exported(s) && is_live(s))
      *OG_PUSH(ld->arena, &chains[gnu_hash(s->name) % w->buckets]) = s;
  }
  for (uint32_t b = 0; b < w->buckets; b++)
    for (uint32_t i = 0; i < chains[b].count; i++)
      *OG_PUSH(ld->arena, &w->exports) = chains[b].items[i];
  for (uint32_t i = 0; i < w->exports.count; i++)
    w->exports.items[i]->dynamic = i + 1;
}

static uint8_t *give_data(struct linker *ld, struct ld_output *o, uint64_t size) {
  o->size = size;
  return o->data = og_arena_alloc(ld->arena, size ? size : 1);
}

static uint32_t add_string(struct og_buffer *strings, const char *name) {
  if (!*name)
    return 0;
  uint32_t at = (uint32_t)strings->size;
  og_buffer_append(strings, name, strlen(name) + 1);
  return at;
}

static void write_hash(struct writer *w) {
  uint32_t count = w->exports.count + 1;
  uint8_t *data = give_data(w->ld, w->hash, 4 * (2 + 2 * (uint64_t)count));
  og_store32(data, count);
  og_store32(data + 4, count);
  uint8_t *buckets = data + 8, *chains = buckets + 4 * (uint64_t)count;
  for (uint32_t i = 1; i < count; i++) {
    uint8_t *bucket = buckets + 4 * (sysv_hash(w->exports.items[i - 1]->name) % count);
    og_store32(chains + 4 * (uint64_t)i, og_load32(bucket));
    og_store32(bucket, i);
  }
}

static void write_gnu_hash(struct writer *w) {
  enum { SHIFT = 26, HEADER = 16 };
  uint32_t first = w->undefined_exports + 1, count = w->exports.count - w->undefined_exports, words = 1;
  while (words * 64 < count * 12)
    words *= 2;
  uint8_t *data =
      give_data(w->ld, w->gnu_hash, HEADER + 8 * (uint64_t)words + 4 * (uint64_t)w->buckets + 4 * (uint64_t)count);
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
static void make_dynamic_tables(struct writer *w) {
  struct linker *ld = w->ld;
  choose_exports(w);
  w->dynsym = add_output(ld, ".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, RANK_DYNSYM);
  w->dynsym->entry_size = sizeof(Elf64_Sym);
  w->dynsym->info = 1;
  give_data(ld, w->dynsym, (w->exports.count + 1) * sizeof(Elf64_Sym));
  w->gnu_hash = add_output(ld, ".gnu.hash", SHT_GNU_HASH, SHF_ALLOC, 8, RANK_GNU_HASH);
  w->hash = add_output(ld, ".hash", SHT_HASH, SHF_ALLOC, 4, RANK_HASH);
  w->hash->entry_size = 4;
  write_gnu_hash(w);
  write_hash(w);
  w->dynstr = add_output(ld, ".dynstr", SHT_STRTAB, SHF_ALLOC, 1, RANK_DYNSTR);
  w->dynsym->link = w->dynstr;
  w->hash->link = w->gnu_hash->link = w->dynsym;
  struct og_buffer names = {0};
  og_buffer_u8(&names, 0);
  for (uint32_t i = 0; i < w->exports.count; i++)
    ((Elf64_Sym *)w->dynsym->data)[i + 1].st_name = add_string(&names, w->exports.items[i]->name);
  memcpy(give_data(ld, w->dynstr, names.size), names.data, names.size);
  og_buffer_free(&names);
  if (w->relative.count + w->symbolic.count) {
    w->rela = add_output(ld, ".rela.dyn", SHT_RELA, SHF_ALLOC, 8, RANK_RELA);
    w->rela->entry_size = sizeof(Elf64_Rela);
    w->rela->link = w->dynsym;
    give_data(ld, w->rela, (uint64_t)(w->relative.count + w->symbolic.count) * sizeof(Elf64_Rela));
  }
  if (w->slots.count) {
    w->got = add_output(ld, ".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8, RANK_GOT);
    give_data(ld, w->got, 8 * (uint64_t)w->slots.count);
  }
  w->dynamic = add_output(ld, ".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, RANK_DYNAMIC);
  w->dynamic->entry_size = sizeof(Elf64_Dyn);
  w->dynamic->link = w->dynstr;
  give_data(ld, w->dynamic, (7 + (w->rela ? 4 : 0)) * sizeof(Elf64_Dyn));
}

static bool make_notes(struct writer *w) {
  struct linker *ld = w->ld;
  struct og_buffer notes = {0};
  bool good = ld_merge_notes(ld, &notes);
  if (good && notes.size) {
    w->note = add_output(ld, ".note", SHT_NOTE, SHF_ALLOC, 4, RANK_NOTE);
    memcpy(give_data(ld, w->note, notes.size), notes.data, notes.size);
  }
  og_buffer_free(&notes);
  if (good && ld->options->build_id) {
    struct og_buffer id = {0};
    static const uint8_t zero[20];
    og_note_append(&id, "GNU", NT_GNU_BUILD_ID, zero, sizeof zero);
    w->build_id = add_output(ld, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4, RANK_BUILD_ID);
    memcpy(give_data(ld, w->build_id, id.size), id.data, id.size);
    og_buffer_free(&id);
  }
  return good;
}

/* ---- symbol table ------------------------------------------------------------------------------------------------ */

static Elf64_Sym output_symbol(const struct writer *w, struct ld_symbol *s) {
  struct ref ref = refer_global(w, s);
  bool hidden = s->visibility == STV_HIDDEN || s->visibility == STV_INTERNAL;
  uint8_t binding = hidden && s->state != LD_UNDEFINED ? STB_LOCAL : s->binding;
  Elf64_Sym sym = {.st_info = (uint8_t)ELF64_ST_INFO(binding, s->type),
                   .st_other = s->visibility,
                   .st_value = ref.value,
                   .st_size = s->size};
  if (s->state == LD_DEFINED)
    sym.st_shndx = (uint16_t)s->object->sections[s->symbol->section].out->index;
  else if (s->state == LD_COMMON)
    sym.st_shndx = (uint16_t)w->bss->index;
  else
    sym.st_shndx = s->state == LD_UNDEFINED ? SHN_UNDEF : SHN_ABS;
  return sym;
}

struct symtab_writer {
  struct writer *w;
  struct og_buffer *out;
  bool fill;        /* values; otherwise only sizes and names */
  uint32_t name_at; /* in .strtab, which has the symbols' order */
};

static void put_symbol(struct symtab_writer *t, const char *name, Elf64_Sym sym) {
  sym.st_name = *name ? t->name_at : 0;
  t->name_at += *name ? (uint32_t)strlen(name) + 1 : 0;
  if (!t->fill)
    add_string(&t->w->strings, name);
  og_buffer_append(t->out, &sym, sizeof sym);
}

static void put_locals(struct symtab_writer *t, const struct ld_object *object) {
  for (uint32_t i = 1; i < object->elf->symbols.count; i++) {
    const struct og_symbol *symbol = &object->elf->symbols.items[i];
    bool in_section = symbol->section != OG_SECTION_UNDEFINED && symbol->section < object->elf->sections.count;
    if (object->globals[i] || symbol->type == STT_SECTION || symbol->section == OG_SECTION_UNDEFINED ||
        (in_section && !object->sections[symbol->section].out))
      continue;
    const struct ld_section *s = in_section ? &object->sections[symbol->section] : NULL;
    Elf64_Sym sym = {.st_info = (uint8_t)ELF64_ST_INFO(STB_LOCAL, symbol->type),
                     .st_other = symbol->visibility,
                     .st_size = symbol->size,
                     .st_shndx = s ? (uint16_t)s->out->index : SHN_ABS,
                     .st_value = s ? place_address(s, symbol->value) : symbol->value};
    put_symbol(t, symbol->name, sym);
  }
}

/* Called twice: for sizes and strings before layout, for values after it. Yields the number of local symbols. */
static uint32_t put_symbols(struct symtab_writer *t) {
  struct linker *ld = t->w->ld;
  put_symbol(t, "", (Elf64_Sym){0});
  for (uint32_t o = 0; o < ld->objects.count; o++)
    put_locals(t, ld->objects.items[o]);
  uint32_t locals = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < ld->symbols.count; i++) {
      struct ld_symbol *s = ld->symbols.items[i];
      if (!is_live(s) || (s->state == LD_UNDEFINED && !s->dynamic))
        continue;
      Elf64_Sym sym = output_symbol(t->w, s);
      if ((ELF64_ST_BIND(sym.st_info) == STB_LOCAL) == (pass == 0))
        put_symbol(t, s->name, sym);
    }
    if (pass == 0)
      locals = (uint32_t)(t->out->size / sizeof(Elf64_Sym));
  }
  return locals;
}

static void write_symtab(struct writer *w, bool fill) {
  struct og_buffer table = {0};
  struct symtab_writer t = {w, &table, fill, 1};
  if (!fill) {
    w->symtab = add_output(w->ld, ".symtab", SHT_SYMTAB, 0, 8, RANK_SYMTAB);
    w->symtab->entry_size = sizeof(Elf64_Sym);
    og_buffer_u8(&w->strings, 0);
  }
  uint32_t locals = put_symbols(&t);
  if (!fill)
    give_data(w->ld, w->symtab, table.size);
  memcpy(w->symtab->data, table.data, table.size);
  w->symtab->info = locals;
  og_buffer_free(&table);
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static int by_rank(const void *a, const void *b) {
  const struct ld_output *x = *(struct ld_output *const *)a, *y = *(struct ld_output *const *)b;
  return x->rank != y->rank ? x->rank - y->rank : (int)x->index - (int)y->index;
}

static uint32_t permissions(const struct ld_output *o) {
  return PF_R | (o->flags & SHF_WRITE ? PF_W : 0) | (o->flags & SHF_EXECINSTR ? PF_X : 0);
}

/* What is written only while loading: a loader may make these pages read-only afterwards. */
static bool is_relro(const struct ld_output *o) {
  return o->flags & SHF_ALLOC && o->rank >= RANK_RELRO && o->rank <= RANK_RELRO_PADDING;
}

/* Sections that share a segment have the same. */
static uint32_t segment_kind(const struct ld_output *o) {
  return permissions(o) | (is_relro(o) ? 8 : 0);
}

static void sort_outputs(struct writer *w) {
  struct linker *ld = w->ld;
  w->shstrtab = add_output(ld, ".shstrtab", SHT_STRTAB, 0, 1, RANK_SHSTRTAB);
  w->strtab = add_output(ld, ".strtab", SHT_STRTAB, 0, 1, RANK_STRTAB);
  w->symtab->link = w->strtab;
  for (uint32_t i = 0; i < ld->outputs.count; i++)
    ld->outputs.items[i]->index = i;
  qsort(ld->outputs.items, ld->outputs.count, sizeof *ld->outputs.items, by_rank);
  og_buffer_u8(&w->section_strings, 0);
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    ld->outputs.items[i]->index = i + 1;
    ld->outputs.items[i]->name_offset = add_string(&w->section_strings, ld->outputs.items[i]->name);
  }
  memcpy(give_data(ld, w->strtab, w->strings.size), w->strings.data, w->strings.size);
  memcpy(give_data(ld, w->shstrtab, w->section_strings.size), w->section_strings.data, w->section_strings.size);
}

static void lay_out(struct writer *w) {
  struct linker *ld = w->ld;
  uint64_t page = PAGE;
  uint32_t now = PF_R, loads = 1;
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    const struct ld_output *o = ld->outputs.items[i];
    if (!(o->flags & SHF_ALLOC))
      continue;
    page = OG_MAX(page, o->alignment);
    loads += segment_kind(o) != now;
    now = segment_kind(o);
  }
  w->segment_count = loads + 4 + (w->note || w->build_id); /* PT_PHDR, PT_DYNAMIC, PT_GNU_RELRO, PT_GNU_STACK */
  uint64_t offset = sizeof(Elf64_Ehdr) + w->segment_count * sizeof(Elf64_Phdr), address = offset;
  now = PF_R;
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    struct ld_output *o = ld->outputs.items[i];
    if (o->flags & SHF_ALLOC) {
      if (segment_kind(o) != now)
        address = og_align_up(address, page) + (offset & (page - 1));
      now = segment_kind(o);
      address = og_align_up(address, o->alignment);
      offset += (address - offset) & (page - 1);
      o->address = address;
      if (o->rank == RANK_RELRO_PADDING)
        o->size = og_align_up(address, PAGE) - address;
      address += o->size;
    } else {
      offset = og_align_up(offset, o->alignment);
    }
    o->offset = offset;
    offset += o->type == SHT_NOBITS ? 0 : o->size;
  }
  w->file_size = og_align_up(offset, 8);
}

/* ---- relocation -------------------------------------------------------------------------------------------------- */

static bool fits_signed(uint64_t value, unsigned bits) {
  int64_t v = (int64_t)value;
  return v >= -(INT64_C(1) << (bits - 1)) && v < INT64_C(1) << (bits - 1);
}

static bool overflow(struct writer *w, const struct ld_section *s, const struct og_relocation *r, const struct ref *ref,
                     uint64_t value, const char *range) {
  return FAIL(w, s->object, "relocation %s against '%s' at %s+0x%" PRIx64 ": value 0x%" PRIx64 " is not %s",
              og_relocation_name(r->type), ref->name, s->in->name, r->offset, value, range);
}

static bool relocate(struct writer *w, const struct ld_section *s, const struct og_relocation *r) {
  struct ref ref = refer(w, s->object, r->symbol, r->addend);
  uint64_t size = r->type == OG_R_AMDGPU_ABS64 || r->type == OG_R_AMDGPU_REL64 ? 8
                  : r->type == OG_R_AMDGPU_REL16                               ? 2
                                                                               : 4;
  bool alloc = s->in->flags & SHF_ALLOC;
  if (r->type == OG_R_AMDGPU_NONE)
    return true;
  if (r->offset > s->in->size || size > s->in->size - r->offset)
    return FAIL(w, s->object, "relocation %s at %s+0x%" PRIx64 " is outside the section", og_relocation_name(r->type),
                s->in->name, r->offset);
  uint8_t *place = s->out->data + s->offset + r->offset;
  uint64_t p = place_address(s, r->offset), absolute = ref.value + (uint64_t)r->addend, relative = absolute - p,
           got = 0;
  bool through_got =
      r->type == OG_R_AMDGPU_GOTPCREL || r->type == OG_R_AMDGPU_GOTPCREL32_LO || r->type == OG_R_AMDGPU_GOTPCREL32_HI;
  if (through_got && !alloc)
    return FAIL(w, s->object, "relocation %s in '%s', which is not loaded", og_relocation_name(r->type), s->in->name);
  if (through_got)
    got = w->got->address + 8 * (uint64_t)got_slot(w, s->object, r->symbol) + (uint64_t)r->addend - p;
  switch (r->type) {
  case OG_R_AMDGPU_ABS64:
    if (ref.kind == REF_CONSTANT || !alloc)
      og_store64(place, absolute);
    return true;
  case OG_R_AMDGPU_ABS32:
    if (absolute > UINT32_MAX && !fits_signed(absolute, 32))
      return overflow(w, s, r, &ref, absolute, "a 32-bit number");
    __attribute__((fallthrough));
  case OG_R_AMDGPU_ABS32_LO: og_store32(place, (uint32_t)absolute); return true;
  case OG_R_AMDGPU_ABS32_HI: og_store32(place, (uint32_t)(absolute >> 32)); return true;
  case OG_R_AMDGPU_REL64: og_store64(place, relative); return true;
  case OG_R_AMDGPU_REL32:
    if (!fits_signed(relative, 32))
      return overflow(w, s, r, &ref, relative, "a signed 32-bit distance");
    __attribute__((fallthrough));
  case OG_R_AMDGPU_REL32_LO: og_store32(place, (uint32_t)relative); return true;
  case OG_R_AMDGPU_REL32_HI: og_store32(place, (uint32_t)(relative >> 32)); return true;
  case OG_R_AMDGPU_REL16: {
    uint64_t words = (uint64_t)((int64_t)(relative - 4) / 4);
    og_store16(place, (uint16_t)words);
    return ((relative & 3) == 0 && fits_signed(words, 16)) ||
           overflow(w, s, r, &ref, relative, "a branch distance of 16 bits in dwords");
  }
  case OG_R_AMDGPU_GOTPCREL:
    if (!fits_signed(got, 32))
      return overflow(w, s, r, &ref, got, "a signed 32-bit distance");
    __attribute__((fallthrough));
  case OG_R_AMDGPU_GOTPCREL32_LO: og_store32(place, (uint32_t)got); return true;
  case OG_R_AMDGPU_GOTPCREL32_HI: og_store32(place, (uint32_t)(got >> 32)); return true;
  }
  return FAIL(w, s->object, "relocation type %u at %s+0x%" PRIx64 " is unknown", r->type, s->in->name, r->offset);
}

static bool fill_sections(struct writer *w) {
  struct linker *ld = w->ld;
  bool good = true;
  for (uint32_t i = 0; i < ld->outputs.count; i++)
    if (ld->outputs.items[i]->type != SHT_NOBITS && !ld->outputs.items[i]->data)
      give_data(ld, ld->outputs.items[i], ld->outputs.items[i]->size);
  for (uint32_t o = 0; o < ld->objects.count; o++) {
    struct ld_object *object = ld->objects.items[o];
    for (uint32_t i = 1; i < object->elf->sections.count; i++) {
      const struct ld_section *s = &object->sections[i];
      if (!s->out || s->in->type == SHT_NOBITS)
        continue;
      if (s->piece_count) {
        ld_copy_pieces(s);
        continue;
      }
      memcpy(s->out->data + s->offset, s->in->data, s->in->size);
      EACH_RELOCATION(s, r) {
        good &= relocate(w, s, r);
      }
    }
  }
  return good;
}

/* Kernels ask for the LDS that the symbols were given behind theirs. */
static void raise_lds(struct writer *w) {
  struct linker *ld = w->ld;
  for (uint32_t i = 0; ld->lds_size != ld->lds_base && i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    size_t length = strlen(s->name);
    if (s->state != LD_DEFINED || !is_live(s))
      continue;
    const struct ld_section *home = &s->object->sections[s->symbol->section];
    if (!home->out->data || home->piece_count || s->symbol->value > home->in->size)
      continue;
    uint64_t left = home->in->size - s->symbol->value;
    uint8_t *at = home->out->data + home->offset + s->symbol->value;
    if (s->type == OG_STT_AMDGPU_HSA_KERNEL && left >= OG_KERNEL_CODE_SIZE)
      og_kernel_code_set(at, og_find_kernel_code_field(OG_TEXT("workgroup_group_segment_byte_size")), ld->lds_size);
    else if (s->type == STT_OBJECT && length > 3 && strcmp(s->name + length - 3, ".kd") == 0 &&
             left >= OG_DESCRIPTOR_SIZE)
      og_kd_set(at, OG_KD_GROUP_SEGMENT_FIXED_SIZE, ld->lds_size);
  }
}

static Elf64_Rela loader_relocation(const struct writer *w, const struct dynamic_relocation *r) {
  struct ref ref = refer(w, r->object, r->symbol, r->addend);
  uint64_t place = r->place ? place_address(r->place, r->offset) : w->got->address + r->offset;
  if (r->type == OG_R_AMDGPU_RELATIVE64)
    return (Elf64_Rela){place, ELF64_R_INFO(0, r->type), (int64_t)(ref.value + (uint64_t)r->addend)};
  return (Elf64_Rela){place, ELF64_R_INFO((uint64_t)ref.global->dynamic, r->type), r->addend};
}

static void fill_dynamic(struct writer *w) {
  Elf64_Dyn *d = (Elf64_Dyn *)w->dynamic->data;
#define ENTRY(tag, value) *d++ = (Elf64_Dyn){tag, {value}}
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
  ENTRY(DT_GNU_HASH, w->gnu_hash->address);
  ENTRY(DT_HASH, w->hash->address);
  ENTRY(DT_NULL, 0);
}

static void fill_tables(struct writer *w) {
  Elf64_Rela *rela = w->rela ? (Elf64_Rela *)w->rela->data : NULL;
  for (uint32_t i = 0; i < w->relative.count; i++)
    *rela++ = loader_relocation(w, &w->relative.items[i]);
  for (uint32_t i = 0; i < w->symbolic.count; i++)
    *rela++ = loader_relocation(w, &w->symbolic.items[i]);
  for (uint32_t i = 0; i < w->slots.count; i++) {
    struct ref ref = refer(w, w->slots.items[i].object, w->slots.items[i].symbol, 0);
    og_store64(w->got->data + 8 * (uint64_t)i, ref.kind == REF_CONSTANT ? ref.value : 0);
  }
  Elf64_Sym *dynsym = (Elf64_Sym *)w->dynsym->data;
  for (uint32_t i = 0; i < w->exports.count; i++) {
    uint32_t name = dynsym[i + 1].st_name;
    dynsym[i + 1] = output_symbol(w, w->exports.items[i]);
    dynsym[i + 1].st_name = name;
  }
  write_symtab(w, true);
  fill_dynamic(w);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static Elf64_Phdr segment_over(uint32_t type, uint32_t flags, const struct ld_output *o) {
  return (Elf64_Phdr){type, flags, o->offset, o->address, o->address, o->size, o->size, o->alignment};
}

static void write_segments(const struct writer *w, Elf64_Phdr *p) {
  struct linker *ld = w->ld;
  uint64_t headers = w->segment_count * sizeof(Elf64_Phdr);
  *p++ = (Elf64_Phdr){PT_PHDR, PF_R, sizeof(Elf64_Ehdr), sizeof(Elf64_Ehdr), sizeof(Elf64_Ehdr), headers, headers, 8};
  Elf64_Phdr *load = p, relro = {.p_type = PT_GNU_RELRO, .p_flags = PF_R, .p_align = 1};
  uint32_t kind = PF_R;
  *load = (Elf64_Phdr){PT_LOAD, PF_R, 0, 0, 0, sizeof(Elf64_Ehdr) + headers, sizeof(Elf64_Ehdr) + headers, PAGE};
  for (uint32_t i = 0; i < ld->outputs.count; i++) {
    const struct ld_output *o = ld->outputs.items[i];
    if (!(o->flags & SHF_ALLOC))
      continue;
    if (segment_kind(o) != kind)
      *++load = (Elf64_Phdr){PT_LOAD, permissions(o), o->offset, o->address, o->address, 0, 0, PAGE};
    kind = segment_kind(o);
    load->p_align = OG_MAX(load->p_align, o->alignment);
    load->p_memsz = o->address + o->size - load->p_vaddr;
    if (o->type != SHT_NOBITS)
      load->p_filesz = o->offset + o->size - load->p_offset;
    if (is_relro(o)) {
      relro.p_offset = load->p_offset, relro.p_vaddr = relro.p_paddr = load->p_vaddr;
      relro.p_filesz = load->p_filesz, relro.p_memsz = load->p_memsz;
    }
  }
  p = load + 1;
  *p++ = segment_over(PT_DYNAMIC, PF_R | PF_W, w->dynamic);
  *p++ = relro;
  *p++ = (Elf64_Phdr){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W};
  if (w->note || w->build_id) {
    *p = segment_over(PT_NOTE, PF_R, w->note ? w->note : w->build_id);
    if (w->note && w->build_id)
      p->p_filesz = p->p_memsz = w->build_id->offset + w->build_id->size - w->note->offset;
  }
}

static void write_file(struct writer *w, struct og_buffer *out) {
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
                     .e_flags = first->flags,
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
    og_sha1(file, w->file_size + sections * sizeof(Elf64_Shdr), file + w->build_id->offset + 16);
}

/* Sections of a few bytes with huge alignments would make a file out of all proportion. */
static bool check_size(const struct writer *w) {
  uint64_t inputs = 0, most;
  for (uint32_t o = 0; o < w->ld->objects.count; o++)
    inputs += w->ld->objects.items[o]->elf->size;
  most = 16 * inputs + SPARE;
  return w->file_size <= most ||
         og_error_in(w->ld->diagnostics, NULL, "alignments make %" PRIu64 " bytes of %" PRIu64 " bytes of input",
                     w->file_size, inputs);
}

bool ld_write(struct linker *ld, struct og_buffer *out) {
  struct writer w = {.ld = ld};
  bool good = place_sections(&w);
  if (good) {
    place_common(&w);
    good = make_notes(&w) && scan(&w);
  }
  if (good) {
    make_dynamic_tables(&w);
    add_output(ld, ".relro_padding", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 1, RANK_RELRO_PADDING);
    for (uint32_t i = 0; i < ld->outputs.count; i++)
      ld->outputs.items[i]->index = i;
    write_symtab(&w, false);
    sort_outputs(&w);
    good = ld->outputs.count < SHN_LORESERVE - 1 ||
           og_error_in(ld->diagnostics, NULL, "more than %d output sections", SHN_LORESERVE);
  }
  if (good) {
    lay_out(&w);
    good = check_size(&w) && fill_sections(&w);
  }
  if (good) {
    raise_lds(&w);
    fill_tables(&w);
    write_file(&w, out);
  }
  og_buffer_free(&w.strings);
  og_buffer_free(&w.section_strings);
  return good;
}
