/* check_transfer.h - compares memory and LDS after transfers between them without registers, and blocks of
 * registers. */
#ifndef OG_VALUES_CHECK_TRANSFER_H
#define OG_VALUES_CHECK_TRANSFER_H

#include "values/check_memory.h"

enum { REGISTERS = 32 /* of a block */ };

static bool is_block(const struct og_inst *inst) {
  const char *name = og_row_name(inst->row);
  return inst->encoding == OG_ENC_FLAT && strlen(name) > 6 && strcmp(name + strlen(name) - 6, "_block") == 0;
}

static struct access transfer_of(const struct og_inst *inst) {
  struct access access = access_of(og_row_name(inst->row));
  access.lds |= access.moves != MOVES_NOT && access.buffer && inst->mod[OG_MOD_LDS];
  return access;
}

static const struct og_operand *places_in_lds(const struct og_inst *inst, const struct access *access) {
  return og_operand(inst, access->moves == MOVES_LOAD ? OG_ROLE_VDST : OG_ROLE_VDATA);
}

/* Of LDS in registers or M0, where bits that do not count may be set; registers of a block by chance. */
static void set_transfer_addresses(const struct og_inst *inst) {
  struct access access = transfer_of(inst);
  if (is_block(inst)) {
    wave->s[OG_S_M0] = random32() | random32();
    for (unsigned lane = 0; lane < OG_LANES && og_form_memory(og_form(isa, inst->form))->space != OG_IN_SCRATCH; lane++)
      wave->v[V_ADDRESS][lane] += 112 * lane;
  }
  if (!access.lds)
    return;
  wave->s[OG_S_M0] = M0 | random32() << 18 | (access.buffer ? 0 : random32() & 3);
  for (unsigned lane = 0; lane < OG_LANES && access.beside; lane++)
    wave->v[places_in_lds(inst, &access)->reg][lane] = 64 * lane;
}

/* "CDNA4" ISA, 9.1.9 and 10.3; "CDNA5" ISA, 10.8. */
static uint64_t place_in_lds(const struct machine *m, const struct access *access, unsigned lane) {
  const struct og_inst *inst = m->inst;
  uint64_t offset = (uint64_t)inst->mod[OG_MOD_OFFSET];
  if (access->beside)
    return m->wave->v[places_in_lds(inst, access)->reg][lane] + offset;
  bool reaches_more = program->target.processor->generation == OG_GFX950;
  uint64_t m0 = m->wave->s[OG_S_M0] & (reaches_more ? 0x3ffff : 0xffff);
  unsigned apart = access->count >= 3 ? 16 : 4 * access->count;
  return (access->buffer ? m0 : m0 / 4 * 4) + offset + apart * lane;
}

static bool transfer_lane(const struct machine *m, const struct access *access, unsigned lane) {
  struct access local = {.space = OG_SPACE_LDS};
  bool known = true;
  uint64_t there = lane_address(m, access, lane, 0, &known), here = place_in_lds(m, access, lane);
  unsigned bytes = access->beside ? access->bytes : 4; /* smaller ones fill a dword */
  for (unsigned k = 0; k < access->count && known; k++)
    if (access->moves == MOVES_LOAD) {
      uint32_t x = 0;
      extend(access, get_bytes(m, access, lane, there + 4 * k, access->bytes, &known), &x);
      put_bytes(m, &local, lane, here + 4 * k, bytes, x, &known);
    } else {
      put_bytes(m, access, lane, there + 4 * k, bytes, get_bytes(m, &local, lane, here + 4 * k, bytes, &known), &known);
    }
  return known;
}

/* Of the block's registers those that M0 says, each at its own place ("CDNA5" ISA, 10.6). */
static bool block_lane(const struct machine *m, const struct access *access, unsigned base, unsigned lane) {
  bool known = true;
  uint64_t at = lane_address(m, access, lane, 0, &known);
  for (unsigned k = 0; k < REGISTERS && known; k++) {
    bool moves = m->wave->s[OG_S_M0] >> k & 1;
    uint32_t want = m->wave->v[base + k][lane];
    if (moves && access->moves == MOVES_LOAD)
      want = (uint32_t)get_bytes(m, access, lane, at + 4 * k, 4, &known);
    else if (moves)
      put_bytes(m, access, lane, at + 4 * k, 4, want, &known);
    if (known && wave->v[base + k][lane] != want)
      complain(m->inst->row, "lane %u's dword %u is %x, expected %x", lane, k, wave->v[base + k][lane], want);
  }
  return known;
}

static bool compare_transfer(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  struct access access = transfer_of(inst);
  bool block = is_block(inst);
  if (block) {
    access.moves = strstr(og_row_name(inst->row), "load") ? MOVES_LOAD : MOVES_STORE;
    access.space = strncmp(og_row_name(inst->row), "scratch", 7) == 0 ? OG_SPACE_SCRATCH : OG_SPACE_GLOBAL;
    access.bytes = 4, access.count = REGISTERS;
  }
  if ((!access.lds && !block) || inst->mod[OG_MOD_TFE] || inst->mod[OG_MOD_SWZ])
    return false;
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  memcpy(memory_after, memory_before, MEMORY), memcpy(lds_after, lds_before, LDS);
  memcpy(scratch_after, scratch_before, SCRATCH * OG_LANES);
  for (unsigned lane = 0; lane < isa->wave; lane++)
    if (m.exec >> lane & 1 &&
        !(block ? block_lane(&m, &access, places_in_lds(inst, &access)->reg, lane) : transfer_lane(&m, &access, lane)))
      return false;
  return bytes_differ(inst, "memory", memory, memory_after, MEMORY) || bytes_differ(inst, "LDS", lds, lds_after, LDS) ||
         bytes_differ(inst, "scratch", scratch, scratch_after, SCRATCH * OG_LANES) || true;
}

#endif
