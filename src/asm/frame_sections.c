/* frame_sections.c - writes the .cfi_* directives to .eh_frame and .debug_frame (DWARF 5, section 6.4). */
#include "asm/frames.h"

#include <string.h>

static void u8(struct og_asm *as, unsigned v) { og_asm_emit(as, &(uint8_t){(uint8_t)v}, 1); }
static void u32(struct og_asm *as, uint32_t v) {
  uint8_t bytes[4];
  og_store32(bytes, v);
  og_asm_emit(as, bytes, 4);
}

static void pad(struct og_asm *as, unsigned alignment) {
  og_asm_emit(as, NULL, (size_t)(og_align_up(og_asm_here(as), alignment) - og_asm_here(as)));
}

/* The length in front of what follows `at`. */
static void close_entry(struct og_asm *as, uint64_t at, unsigned alignment) {
  pad(as, alignment);
  og_store32(as->chunk->bytes.data + at, (uint32_t)(og_asm_here(as) - at - 4));
}

static unsigned encoded_size(int encoding) {
  int format = encoding & 7;
  return format == 2 ? 2 : format == 3 ? 4 : 8;
}

static void pointer(struct og_asm *as, const struct og_asm_frame *f, struct og_asm_symbol *symbol, int encoding) {
  unsigned size = encoded_size(encoding);
  const struct og_expr *e = og_asm_symbol_expr(as, symbol, OG_SPECIFIER_NONE);
  og_asm_emit_fixup(as, size, encoding & ENCODING_PC_RELATIVE ? OG_FIXUP_PCREL : OG_FIXUP_DATA, og_asm_here(as), e,
                    f->range);
  og_asm_emit(as, NULL, size);
}

/* Symbols are listed in the order of the entries. */
static struct og_asm_symbol *named(struct og_asm *as, struct og_text name) {
  struct og_asm_symbol *symbol = og_asm_symbol(as, name);
  symbol->used = true;
  return symbol;
}

static bool same_common(const struct og_asm_frame *a, const struct og_asm_frame *b) {
  return og_text_equal(a->personality, b->personality) && a->personality_encoding == b->personality_encoding &&
         a->lsda_encoding == b->lsda_encoding && a->signal == b->signal && a->simple == b->simple &&
         a->return_column == b->return_column;
}

/* Common information entry. */
static struct og_asm_symbol *write_common(struct og_asm *as, const struct og_asm_frame *f, bool eh) {
  struct og_asm_symbol *place = og_asm_place(as);
  uint64_t at = og_asm_here(as);
  struct og_buffer column = {0};
  u32(as, 0);
  u32(as, eh ? 0 : 0xffffffff);
  u8(as, eh ? 1 : 4);
  if (eh) {
    char letters[8] = "z", *p = letters + 1;
    if (f->personality.size)
      *p++ = 'P';
    if (f->lsda.size)
      *p++ = 'L';
    *p++ = 'R';
    if (f->signal)
      *p++ = 'S';
    og_asm_emit(as, letters, (size_t)(p - letters));
  }
  u8(as, 0);
  if (!eh) {
    u8(as, 8); /* bytes of an address; none of a segment */
    u8(as, 0);
  }
  u8(as, CODE_ALIGNMENT);
  u8(as, DATA_ALIGNMENT);
  og_buffer_uleb(&column, f->return_column);
  og_asm_emit(as, column.data, eh ? 1 : column.size);
  og_buffer_free(&column);
  if (eh) {
    u8(as, (f->personality.size ? 1 + encoded_size(f->personality_encoding) : 0) + (f->lsda.size ? 1 : 0) + 1);
    if (f->personality.size) {
      u8(as, (unsigned)f->personality_encoding);
      pointer(as, f, named(as, f->personality), f->personality_encoding);
    }
    if (f->lsda.size)
      u8(as, (unsigned)f->lsda_encoding);
    u8(as, ENCODING_PC_RELATIVE | ENCODING_SDATA4);
  }
  close_entry(as, at, eh ? 4 : 8);
  return place;
}

static void write_advance(struct og_asm *as, uint64_t words) {
  if (words < 64) {
    u8(as, 0x40 | (unsigned)words);
    return;
  }
  unsigned size = words < 256 ? 1 : words < 65536 ? 2 : 4;
  u8(as, size == 1 ? 2 : size == 2 ? 3 : 4);
  for (unsigned i = 0; i < size; i++)
    u8(as, (uint8_t)(words >> 8 * i));
}

/* The rules, with what their marks stand for. */
static void write_rules(struct og_asm *as, const struct og_asm_frame *f) {
  uint64_t written = 0, last = og_asm_address(f->begin);
  for (uint32_t i = 0; i < f->marks.count; i++) {
    const struct og_asm_frame_mark *m = &f->marks.items[i];
    og_asm_emit(as, f->rules.data + written, m->at - written);
    written = m->at;
    if (m->symbol && m->symbol->kind == OG_SYMBOL_UNDEFINED)
      og_asm_define_label(as, m->symbol, "");
    uint64_t place = m->symbol ? last : og_asm_offset(f->chunk, m->place);
    if (place != last)
      write_advance(as, (place - last) / CODE_ALIGNMENT);
    last = place;
  }
  og_asm_emit(as, f->rules.data + written, f->rules.size - written);
}

/* Frame description entry. */
static void write_frame(struct og_asm *as, const struct og_asm_frame *f, struct og_asm_symbol *common, bool eh,
                        bool last) {
  uint64_t at = og_asm_here(as);
  u32(as, 0);
  if (eh) {
    u32(as, (uint32_t)(og_asm_here(as) - (uint64_t)common->value));
  } else {
    og_asm_emit_fixup(as, 4, OG_FIXUP_DATA, og_asm_here(as), og_asm_symbol_expr(as, common, OG_SPECIFIER_NONE),
                      f->range);
    u32(as, 0);
  }
  pointer(as, f, f->begin, eh ? ENCODING_PC_RELATIVE | ENCODING_SDATA4 : 0);
  uint8_t size[8];
  og_store64(size, og_asm_offset(f->chunk, f->end) - og_asm_address(f->begin));
  og_asm_emit(as, size, eh ? 4 : 8);
  if (eh) {
    u8(as, f->lsda.size ? encoded_size(f->lsda_encoding) : 0);
    if (f->lsda.size)
      pointer(as, f, named(as, f->lsda), f->lsda_encoding);
  }
  write_rules(as, f);
  close_entry(as, at, eh && !last ? 4 : 8);
}

static bool write_section(struct og_asm *as, bool eh) {
  struct og_asm_section *section =
      og_asm_section(as, eh ? ".eh_frame" : ".debug_frame", SHT_PROGBITS, eh ? SHF_ALLOC : 0);
  if (section->type == SHT_NOBITS)
    return og_error(as->diagnostics, as->frames.items[0]->range,
                    "section '%s' holds no bytes, so there is no place for the frames", section->name);
  section->alignment = OG_MAX(section->alignment, 8u);
  as->chunk = section->chunks;
  struct og_asm_symbol *common = NULL;
  const struct og_asm_frame *of = NULL;
  for (uint32_t i = 0; i < as->frames.count; i++) {
    const struct og_asm_frame *f = as->frames.items[i];
    if (!common || (eh && !same_common(of, f))) {
      common = write_common(as, f, eh);
      of = f;
    }
    write_frame(as, f, common, eh, i + 1 == as->frames.count);
  }
  return true;
}

/* The order of frames: those of one common entry follow each other. */
static int compare(const struct og_asm_frame *a, const struct og_asm_frame *b) {
  struct og_text x = a->personality, y = b->personality;
  int order = x.size && y.size ? memcmp(x.data, y.data, OG_MIN(x.size, y.size)) : 0;
  if (order || x.size != y.size)
    return order ? order : x.size < y.size ? -1 : 1;
  const int64_t keys[][2] = {{OG_MAX(a->personality_encoding, 0), OG_MAX(b->personality_encoding, 0)},
                             {OG_MAX(a->lsda_encoding, 0), OG_MAX(b->lsda_encoding, 0)},
                             {a->signal, b->signal},
                             {a->simple, b->simple},
                             {a->return_column, b->return_column}};
  for (size_t i = 0; i < OG_COUNT(keys); i++)
    if (keys[i][0] != keys[i][1])
      return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

/* Merges: stable, and quick for the thousands of functions that compilers print. */
static void sort(struct og_asm *as) {
  uint32_t n = as->frames.count;
  struct og_asm_frame **from = as->frames.items, **to = OG_NEW_ARRAY(as->arena, struct og_asm_frame *, n);
  for (uint32_t width = 1; width < n; width *= 2) {
    for (uint32_t start_at = 0; start_at < n; start_at += 2 * width) {
      uint32_t middle = OG_MIN(start_at + width, n), stop = OG_MIN(start_at + 2 * width, n), a = start_at, b = middle;
      for (uint32_t i = start_at; i < stop; i++)
        to[i] = a < middle && (b == stop || compare(from[a], from[b]) <= 0) ? from[a++] : from[b++];
    }
    struct og_asm_frame **swap = from;
    from = to;
    to = swap;
  }
  as->frames.items = from;
}

bool og_asm_write_frames(struct og_asm *as) {
  if (!as->frames.count)
    return true;
  struct og_chunk *back = as->chunk;
  sort(as);
  unsigned wanted = as->frame_sections & OG_FRAMES_CHOSEN ? as->frame_sections : OG_FRAMES_EH;
  bool ok = !(wanted & OG_FRAMES_EH) || write_section(as, true);
  ok = (!(wanted & OG_FRAMES_DEBUG) || write_section(as, false)) && ok;
  for (uint32_t i = 0; i < as->frames.count; i++)
    og_buffer_free(&as->frames.items[i]->rules);
  as->frames.count = 0;
  as->chunk = back;
  return ok;
}
