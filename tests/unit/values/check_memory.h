/* check_memory.h - compares registers and memory after loads, stores and atomics with the reference's. */
#ifndef OG_VALUES_CHECK_MEMORY_H
#define OG_VALUES_CHECK_MEMORY_H

#include "values/check.h"

#include "values/check_scalar.h"
#include "values/memory.h"

static bool is_src2(const struct og_inst *inst) { return strstr(og_row_name(inst->row), "_src2_") != NULL; }
enum {
  SRC2_APART = 488 /* no two lanes' second operands meet another's first, of which offsets are multiples of 64 */
};

/* Addresses of LDS by which no two lanes meet, whatever the offsets. */
static void set_lds_addresses(const struct og_inst *inst) {
  struct access access = access_of(og_row_name(inst->row));
  unsigned apart = access.stride == 64 ? access.bytes * access.count : is_src2(inst) ? SRC2_APART : 256;
  if (inst->encoding != OG_ENC_DS || strstr(og_row_name(inst->row), "permute"))
    return;
  bool own = strstr(og_row_name(inst->row), "addtid") || !og_operand(inst, OG_ROLE_VADDR); /* M0 is an address */
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    wave->v[V_ADDRESS][lane] = apart * lane;
  for (unsigned lane = 0; lane < OG_LANES && is_src2(inst) && inst->mod[OG_MOD_OFFSET] >> 15; lane++)
    wave->v[V_ADDRESS][lane] |= (random32() % 2 ? 16 * (random32() % 16) : lane ? 0x7fff - random32() % 16 : 0) << 17;
  wave->s[OG_S_M0] = own ? M0 | random32() << 16 : LDS;
}

/* Numbers that are finite and normal in every format, in memory and in the data's registers, for atomics of floats:
 * their rules for others differ from chip to chip, and test_float_atomics.c has these. */
static uint8_t wild_memory[MEMORY], wild_lds[LDS];
static uint32_t sane32(void) { return (random32() & 0x81ff81ff) | 0x40004000; }
static void tame(const struct og_inst *inst, bool yes) {
  struct access access = access_of(og_row_name(inst->row));
  const char *name = og_row_name(inst->row);
  bool image =
      strncmp(name, "image_atomic_", 13) == 0 && (name[13] == 'f' || strstr(name, "_flt") || strstr(name, "_pk_"));
  if (!is_float_atomic(&access) && !image && !(is_src2(inst) && strstr(name, "_f")))
    return;
  if (!yes) {
    memcpy(memory_before, wild_memory, MEMORY), memcpy(lds_before, wild_lds, LDS);
    return;
  }
  memcpy(wild_memory, memory_before, MEMORY), memcpy(wild_lds, lds_before, LDS);
  for (unsigned i = 0; i < MEMORY; i += 4)
    og_store32(memory_before + i, sane32());
  for (unsigned i = 0; i < LDS; i += 4)
    og_store32(lds_before + i, sane32());
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].role == OG_ROLE_VDATA || inst->operands[i].role == OG_ROLE_DATA1)
      for (unsigned k = 0; k < inst->operands[i].dwords; k++)
        for (unsigned lane = 0; lane < OG_LANES; lane++)
          wave->v[inst->operands[i].reg + k + (inst->operands[i].kind == OG_OPERAND_AGPR ? 256u : 0)][lane] = sane32();
}

static void extend(const struct access *access, uint64_t x, uint32_t *to) {
  unsigned bits = 8 * access->bytes;
  uint32_t value = access->is_signed ? (uint32_t)as_signed_bits(x, bits) : (uint32_t)x;
  *to = access->low ? (*to & 0xffff0000) | (value & 0xffff) : access->high ? (*to & 0xffff) | value << 16 : value;
}

static bool move_lane(const struct machine *m, const struct access *access, const struct og_operand *data,
                      const struct og_operand *data1, const struct og_operand *dst, unsigned lane, uint32_t *loaded) {
  bool known = true;
  unsigned places = access->two ? 2 : 1, n = 0;
  for (unsigned piece = 0; piece < places; piece++) {
    uint64_t at = lane_address(m, access, lane, piece, &known);
    const struct og_operand *from = piece ? data1 : data;
    for (unsigned k = 0; access->moves != MOVES_ATOMIC && k < access->count && known; k++, n++) {
      if (access->moves == MOVES_LOAD) {
        extend(access, get_bytes(m, access, lane, at + 4 * k, access->bytes, &known), &loaded[n]);
        continue;
      }
      struct og_operand part = *from;
      part.reg = (uint16_t)(part.reg + k);
      uint64_t x = operand_bits(m, &part, U32, lane, &known);
      put_bytes(m, access, lane, at + 4 * k, access->bytes, access->high ? x >> 16 & 0xffff : x, &known);
    }
    if (access->moves != MOVES_ATOMIC)
      continue;
    struct og_operand other = data1 ? *data1 : *data;
    other.reg = (uint16_t)(data1 ? other.reg : other.reg + access->bytes / 4);
    uint64_t had = get_bytes(m, access, lane, at, access->bytes, &known), now;
    bool old_order = access->space == OG_SPACE_LDS && !strstr(access->operation, "cmpstore");
    if (!atomic(access->operation, access->bytes, had, operand_bits(m, from, U64, lane, &known),
                operand_bits(m, &other, U64, lane, &known), old_order, &now, &known) ||
        !known)
      return false;
    put_bytes(m, access, lane, at, access->bytes, now, &known);
    for (unsigned k = 0; dst && k < access->bytes / 4; k++)
      loaded[n++] = (uint32_t)(had >> 32 * k);
  }
  return known;
}

/* Lanes that read others' by way of LDS hardware: of gfx10 and gfx11 within each 32 of them. */
static bool compare_exchange(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  const char *name = og_row_name(inst->row);
  const struct og_operand *d = og_operand(inst, OG_ROLE_VDST), *data = og_operand(inst, OG_ROLE_VDATA),
                          *at = og_operand(inst, OG_ROLE_VADDR);
  bool gives = strcmp(name, "ds_permute_b32") == 0, takes = strcmp(name, "ds_bpermute_b32") == 0, known = true;
  if (!gives && !takes && strcmp(name, "ds_swizzle_b32") != 0)
    return false;
  uint32_t want[OG_LANES], sent[OG_LANES] = {0};
  unsigned reach = m.major == 10 || m.major == 11 ? 32 : isa->wave, offset = (unsigned)inst->mod[OG_MOD_OFFSET];
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  unsigned base = d->reg + (d->kind == OG_OPERAND_AGPR ? 256u : 0);
  for (unsigned lane = 0; gives && lane < isa->wave; lane++)
    if (m.exec >> lane & 1)
      sent[lane / reach * reach + ((uint32_t)operand_bits(&m, at, U32, lane, &known) + offset) / 4 % reach] =
          (uint32_t)operand_bits(&m, data, U32, lane, &known);
  for (unsigned lane = 0; lane < isa->wave; lane++) {
    want[lane] = before->v[base][lane];
    if (!(m.exec >> lane & 1))
      continue;
    unsigned from =
        takes ? lane / reach * reach + ((uint32_t)operand_bits(&m, at, U32, lane, &known) + offset) / 4 % reach
              : lane / 32 * 32 + ((((lane & offset) | offset >> 5) & 31) ^ (offset >> 10 & 31));
    const struct og_operand *source = data ? data : at;
    want[lane] = gives ? sent[lane] : m.exec >> from & 1 ? (uint32_t)operand_bits(&m, source, U32, from, &known) : 0;
  }
  for (unsigned lane = 0; lane < isa->wave; lane++)
    if (wave->v[base][lane] != want[lane]) {
      complain(inst->row, "lane %u is %x, expected %x", lane, wave->v[base][lane], want[lane]);
      return true;
    }
  return known;
}

static bool bytes_differ(const struct og_inst *inst, const char *what, const uint8_t *got, const uint8_t *want,
                         size_t size) {
  for (size_t i = 0; memcmp(got, want, size) != 0 && i < size; i++)
    if (got[i] != want[i]) {
      complain(inst->row, "byte %zu of %s is %x, expected %x", i, what, got[i], want[i]);
      return true;
    }
  return false;
}

static bool compare_memory(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  struct access access = access_of(og_row_name(inst->row));
  if (access.moves == MOVES_NOT || access.lds || og_form_memory(og_form(isa, inst->form))->lds ||
      inst->mod[OG_MOD_TFE] || inst->mod[OG_MOD_LDS] || inst->mod[OG_MOD_GDS] || inst->mod[OG_MOD_SWZ])
    return false;
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *vdata = og_operand(inst, OG_ROLE_VDATA);
  const struct og_operand *data1 = og_operand(inst, OG_ROLE_DATA1);
  bool returns = access.moves == MOVES_LOAD || vdst ||
                 (access.moves == MOVES_ATOMIC && access.buffer && inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC);
  const struct og_operand *dst = !returns ? NULL : vdst ? vdst : vdata;
  memcpy(memory_after, memory_before, MEMORY), memcpy(lds_after, lds_before, LDS);
  memcpy(scratch_after, scratch_before, SCRATCH * OG_LANES);
  unsigned base = dst ? dst->reg + (dst->kind == OG_OPERAND_AGPR ? 256u : 0) : 0;
  unsigned dwords = !dst ? 0 : access.moves == MOVES_LOAD ? access.count : access.bytes / 4;
  dwords *= access.two ? 2 : 1;
  for (unsigned lane = 0; lane < isa->wave; lane++) {
    uint32_t want[8] = {0};
    for (unsigned k = 0; k < dwords; k++)
      want[k] = before->v[base + k][lane];
    if (m.exec >> lane & 1 && !move_lane(&m, &access, vdata, data1, dst, lane, want))
      return false;
    for (unsigned k = 0; k < dwords; k++)
      if (wave->v[base + k][lane] != want[k]) {
        complain(inst->row, "lane %u's dword %u is %x, expected %x", lane, k, wave->v[base + k][lane], want[k]);
        return true;
      }
  }
  return bytes_differ(inst, "memory", memory, memory_after, MEMORY) || bytes_differ(inst, "LDS", lds, lds_after, LDS) ||
         bytes_differ(inst, "scratch", scratch, scratch_after, SCRATCH * OG_LANES) || true;
}

#endif
