/* disassemble_data.c - names, relocations and data of a section as directives. */
#include <string.h>

#include "asm/disassemble_parts.h"

void og_dis_name(struct og_buffer *out, const char *name) {
  bool plain = name[0] && !(name[0] >= '0' && name[0] <= '9');
  for (const char *p = name; *p; p++)
    plain &= (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || strchr("_.$", *p);
  if (plain)
    og_buffer_text(out, name);
  else
    og_buffer_json(out, name, strlen(name));
}

/* ---- relocations ------------------------------------------------------------------------------------------------- */

const struct og_relocation *og_dis_relocation(const struct og_dis_context *c, uint64_t from, uint64_t to) {
  size_t low = 0, high = c->relocation_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c->relocations[middle]->offset < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low < c->relocation_count && c->relocations[low]->offset < to ? c->relocations[low] : NULL;
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
    og_dis_name(out, c->object->sections.items[s->section].name);
  else
    og_dis_name(out, s->name);
  og_buffer_text(out, specifier_of(r->type));
  if (r->addend)
    og_buffer_printf(out, "%+lld", (long long)r->addend);
}

void og_dis_hex(struct og_buffer *out, const char *lead, uint64_t value, unsigned least) {
  char text[64], *at = stpcpy(text, lead);
  unsigned digits = OG_MAX(least, value ? (67 - (unsigned)__builtin_clzll(value)) / 4 : 1u);
  while (digits--)
    *at++ = "0123456789abcdef"[value >> 4 * digits & 15];
  og_buffer_append(out, text, (size_t)(at - text));
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

void og_dis_data(struct og_dis_context *c, uint64_t from, uint64_t to) {
  const uint8_t *data = c->section->data;
  for (uint64_t at = from; at < to;) {
    const struct og_relocation *r = og_dis_relocation(c, at, at + 1);
    if (r && r->symbol && r->symbol < c->object->symbols.count) {
      bool wide = r->type == OG_R_AMDGPU_ABS64 || r->type == OG_R_AMDGPU_REL64 || r->type == OG_R_AMDGPU_RELATIVE64;
      og_buffer_text(c->out, wide ? "\t.quad\t" : "\t.long\t");
      og_dis_relocated(c, r, c->out);
      og_buffer_text(c->out, r->type == OG_R_AMDGPU_REL32 ? "-.\n" : "\n");
      at += wide ? 8 : 4;
      continue;
    }
    uint64_t zeros = at;
    while (zeros < to && !data[zeros] && !og_dis_relocation(c, zeros, zeros + 1))
      zeros++;
    if (zeros - at >= OG_DIS_RUN_OF_ZEROS || (zeros == to && zeros - at > 4)) {
      og_buffer_printf(c->out, "\t.zero\t%llu\n", (unsigned long long)(zeros - at));
      at = zeros;
    } else if (to - at >= 4 && !og_dis_relocation(c, at, at + 4)) {
      og_dis_hex(c->out, "\t.long\t0x", og_load32(data + at), 8);
      og_buffer_u8(c->out, '\n');
      at += 4;
    } else {
      og_buffer_printf(c->out, "\t.byte\t0x%02x\n", data[at]);
      at++;
    }
  }
}
