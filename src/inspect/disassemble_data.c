/* disassemble_data.c - prints names, symbols, relocations and data as a source has them. */
#include <string.h>

#include "base/hex.h"
#include "inspect/disassemble_parts.h"

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

void og_dis_name(struct og_buffer *out, const char *name) {
  static const bool plain[256] = {
      ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['.'] = true, ['$'] = true};
  const char *end = name;
  while (plain[(uint8_t)*end])
    end++;
  if (!*end && *name && !(*name >= '0' && *name <= '9'))
    og_buffer_append(out, name, (size_t)(end - name));
  else
    og_buffer_json(out, name, strlen(name));
}

void og_dis_attributes(struct og_buffer *out, const struct og_symbol *s, bool without_visibility) {
  static const char *const visibilities[] = {NULL, "\t.internal\t", "\t.hidden\t", "\t.protected\t"};
  const char *binding = s->binding == STB_GLOBAL ? "\t.globl\t" : s->binding == STB_WEAK ? "\t.weak\t" : NULL;
  if (binding) {
    og_buffer_text(out, binding);
    og_dis_name(out, s->name);
    og_buffer_text(out, "\n");
  }
  if (visibilities[s->visibility & 3] && !without_visibility) {
    og_buffer_text(out, visibilities[s->visibility & 3]);
    og_dis_name(out, s->name);
    og_buffer_text(out, "\n");
  }
}

void og_dis_type(struct og_buffer *out, const struct og_symbol *s) {
  const char *type = s->type == STT_FUNC        ? ",@function\n"
                     : s->type == STT_OBJECT    ? ",@object\n"
                     : s->type == STT_TLS       ? ",@tls_object\n"
                     : s->type == STT_GNU_IFUNC ? ",@gnu_indirect_function\n"
                                                : NULL;
  if (s->type == OG_STT_AMDGPU_HSA_KERNEL) {
    og_buffer_text(out, "\t.amdgpu_hsa_kernel ");
    og_dis_name(out, s->name);
    og_buffer_text(out, "\n");
  } else if (type) {
    og_buffer_text(out, "\t.type\t");
    og_dis_name(out, s->name);
    og_buffer_text(out, type);
  }
  if (s->size) {
    og_buffer_text(out, "\t.size\t");
    og_dis_name(out, s->name);
    og_buffer_text(out, ", ");
    og_buffer_decimal(out, s->size);
    og_buffer_text(out, "\n");
  }
}

/* ---- relocations ------------------------------------------------------------------------------------------------- */

/* Callers go through the section in order, so the last answer is near. */
const struct og_relocation *og_dis_relocation(struct og_dis_context *c, uint64_t from, uint64_t to) {
  enum { NEAR = 4 };
  const struct og_relocation *const *items = c->relocations.items;
  size_t i = c->relocation_at, count = c->relocations.count, most = i + NEAR;
  if (i && items[i - 1]->offset >= from)
    most = 0;
  while (i < most && i < count && items[i]->offset < from)
    i++;
  if (i >= most)
    i = og_relocations_from(&c->relocations, c->section_index, from);
  c->relocation_at = i;
  return i < count && items[i]->offset < to ? items[i] : NULL;
}

/* The relocation behind `r`. */
static const struct og_relocation *next_relocation(const struct og_dis_context *c,
                                                          const struct og_relocation *r, uint64_t to) {
  size_t i = og_relocations_from(&c->relocations, c->section_index, r->offset);
  while (i < c->relocations.count && c->relocations.items[i] != r)
    i++;
  return ++i < c->relocations.count && c->relocations.items[i]->offset < to ? c->relocations.items[i] : NULL;
}

static const char *specifier_of(uint32_t type) {
  switch (type) {
  case OG_R_AMDGPU_ABS32_LO: return "@abs32@lo";
  case OG_R_AMDGPU_ABS32_HI: return "@abs32@hi";
  case OG_R_AMDGPU_REL32_LO: return "@rel32@lo";
  case OG_R_AMDGPU_REL32_HI: return "@rel32@hi";
  case OG_R_AMDGPU_REL64: return "@rel64";
  case OG_R_AMDGPU_GOTPCREL: return "@gotpcrel";
  case OG_R_AMDGPU_GOTPCREL32_LO: return "@gotpcrel32@lo";
  case OG_R_AMDGPU_GOTPCREL32_HI: return "@gotpcrel32@hi";
  default: return "";
  }
}

void og_dis_relocated(struct og_dis_context *c, const struct og_relocation *r, struct og_buffer *out) {
  const struct og_symbol *s = &c->object->symbols.items[r->symbol];
  if (s->type == STT_SECTION)
    og_dis_section_name(c, s->section, out);
  else
    og_dis_name(out, s->name);
  og_buffer_text(out, specifier_of(r->type));
  if (r->addend) {
    og_buffer_text(out, r->addend < 0 ? "-" : "+");
    og_buffer_decimal(out, r->addend < 0 ? -(uint64_t)r->addend : (uint64_t)r->addend);
  }
}

void og_dis_hex(struct og_buffer *out, const char *lead, uint64_t value) {
  char text[16], *end = og_hex_text(text, value, 'a');
  og_buffer_text(out, lead);
  og_buffer_append(out, text, (size_t)(end - text));
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* Prints a number that a relocation fills; a relocation that fills no number becomes .reloc. Returns the number's
 * size. */
static unsigned put_filled(struct og_dis_context *c, const struct og_relocation *r) {
  unsigned size = og_relocation_size(r->type);
  bool known = r->symbol < c->object->symbols.count;
  if (known && r->symbol && size >= 4 && r->type != OG_R_AMDGPU_RELATIVE64) {
    og_buffer_text(c->out, size == 8 ? "\t.quad\t" : "\t.long\t");
    og_dis_relocated(c, r, c->out);
    og_buffer_text(c->out, r->type == OG_R_AMDGPU_REL32 ? "-.\n" : "\n");
    return size;
  }
  const char *name = og_relocation_name(r->type);
  if (known && name) {
    og_buffer_printf(c->out, "\t.reloc\t%llu, %s", (unsigned long long)r->offset, name);
    if (r->symbol) {
      struct og_relocation plain = {.symbol = r->symbol, .addend = r->in_place ? 0 : r->addend};
      og_buffer_text(c->out, ", ");
      og_dis_relocated(c, &plain, c->out);
    } else if (r->addend && !r->in_place) {
      og_buffer_printf(c->out, ", %lld", (long long)r->addend);
    }
    og_buffer_u8(c->out, '\n');
  }
  return 0;
}

static void put_long(struct og_buffer *out, uint32_t value) {
  static const char lead[] = "\t.long\t0x";
  char *at = og_buffer_room(out, 32); /* og_hex writes more digits than are kept */
  memcpy(at, lead, sizeof lead - 1);
  og_hex_digits text = og_hex((uint64_t)value << 32, 'a');
  memcpy(at + sizeof lead - 1, &text, 16);
  memcpy(at + sizeof lead + 7, "\n", 2);
  out->size += sizeof lead + 8;
}

/* Prints bytes that no relocation fills. `to` is the end of the data that they belong to. */
static void put_numbers(struct og_dis_context *c, uint64_t at, uint64_t limit, uint64_t to) {
  const uint8_t *data = c->section->data;
  while (at < limit) {
    uint64_t zeros = at;
    while (zeros < limit && !data[zeros])
      zeros++;
    if (zeros - at >= OG_DIS_RUN_OF_ZEROS || (zeros == to && zeros - at > 4)) {
      og_buffer_text(c->out, "\t.zero\t");
      og_buffer_decimal(c->out, zeros - at);
      og_buffer_text(c->out, "\n");
      at = zeros;
    } else if (limit - at >= 4) {
      put_long(c->out, og_load32(data + at));
      at += 4;
    } else {
      og_buffer_printf(c->out, "\t.byte\t0x%02x\n", data[at]);
      at++;
    }
    og_buffer_drain(c->out);
  }
}

void og_dis_data(struct og_dis_context *c, uint64_t from, uint64_t to) {
  for (uint64_t at = from; at < to;) {
    og_buffer_drain(c->out);
    const struct og_relocation *r = og_dis_relocation(c, at, to);
    unsigned filled = 0;
    for (; r && r->offset == at && !filled; r = filled ? r : next_relocation(c, r, to))
      filled = put_filled(c, r);
    at += filled;
    if (filled)
      continue;
    uint64_t limit = r ? r->offset : to;
    put_numbers(c, at, limit, to);
    at = limit;
  }
}
