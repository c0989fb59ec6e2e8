/* check_lds.h - compares registers and LDS after what only LDS does: operations between two places of it, counts of
 * lanes, addresses of the lanes' numbers. */
#ifndef OG_VALUES_CHECK_LDS_H
#define OG_VALUES_CHECK_LDS_H

#include "values/check_memory.h"

/* Of operations between two places bit 15 says where the distance stands: in the address, from bit 17 on, or in the
 * 15 bits below. Elsewhere the offset stays as it is. */
static bool choose_offset(struct og_inst *inst) {
  if (!is_src2(inst) || inst->encoding != OG_ENC_DS)
    return true;
  inst->mod[OG_MOD_OFFSET] = random32() % 2 ? 0x8000 | (random32() & 0x7fff) : 16 * (random32() % 16);
  return put_code(inst);
}

/* "Vega" ISA, DS_ADD_SRC2_U32: {A[31], A[31:17]} or {offset[14], offset[14:0]} dwords behind A. */
static uint64_t second_place(uint64_t address, unsigned offset) {
  unsigned field = offset >> 15 ? (unsigned)(address >> 17) & 0x7fff : offset & 0x7fff;
  int64_t distance = field & 0x4000 ? (int64_t)field - 0x8000 : (int64_t)field;
  return (address & 0x1ffff) + (uint64_t)(4 * distance);
}

static bool compare_src2(const struct machine *m) {
  struct access access = {.space = OG_SPACE_LDS, .moves = MOVES_ATOMIC};
  const struct og_operand *vaddr = og_operand(m->inst, OG_ROLE_VADDR);
  char operation[24];
  bool known = true;
  const char *name = og_row_name(m->inst->row), *cut = strstr(name, "_src2");
  snprintf(operation, sizeof operation, "%.*s%s", (int)(cut - name) - 3, name + 3, cut + 5);
  bool writes = strncmp(operation, "write", 5) == 0;
  access.bytes = strstr(operation, "64") ? 8 : 4;
  memcpy(lds_after, lds_before, LDS);
  for (unsigned lane = 0; lane < m->wave_size; lane++) {
    if (!(m->exec >> lane & 1))
      continue;
    uint64_t a = operand_bits(m, vaddr, U32, lane, &known) & UINT32_MAX, now = 0;
    uint64_t b = second_place(a, (unsigned)m->inst->mod[OG_MOD_OFFSET]);
    a &= 0x1ffff;
    uint64_t had = get_bytes(m, &access, lane, a, access.bytes, &known);
    uint64_t x = get_bytes(m, &access, lane, b, access.bytes, &known);
    if (!known || (!writes && !atomic(operation, access.bytes, had, x, 0, false, &now, &known)))
      return false;
    put_bytes(m, &access, lane, a, access.bytes, writes ? x : now, &known);
  }
  return known && (bytes_differ(m->inst, "LDS", lds, lds_after, LDS) || true);
}

/* At M0 and the offset: how many lanes there are is added, or taken off. All of them get what was there. */
static bool compare_count(const struct machine *m, bool appends) {
  struct access access = {.space = OG_SPACE_LDS, .bytes = 4};
  uint64_t at = (m->wave->s[OG_S_M0] & 0xffff) + (uint64_t)m->inst->mod[OG_MOD_OFFSET];
  unsigned lanes = 0;
  bool known = true;
  uint32_t want[OG_LANES];
  const struct og_operand *d = og_operand(m->inst, OG_ROLE_VDST);
  unsigned base = d->reg + (d->kind == OG_OPERAND_AGPR ? 256u : 0);
  memcpy(lds_after, lds_before, LDS);
  uint32_t had = (uint32_t)get_bytes(m, &access, 0, at, 4, &known);
  for (unsigned lane = 0; lane < m->wave_size; lane++) {
    bool active = m->exec >> lane & 1;
    lanes += active;
    want[lane] = active ? had : m->wave->v[base][lane];
  }
  put_bytes(m, &access, 0, at, 4, appends ? had + lanes : had - lanes, &known);
  for (unsigned lane = 0; lane < m->wave_size; lane++)
    if (wave->v[base][lane] != want[lane]) {
      complain(m->inst->row, "lane %u is %x, expected %x", lane, wave->v[base][lane], want[lane]);
      break;
    }
  return known && (bytes_differ(m->inst, "LDS", lds, lds_after, LDS) || true);
}

/* At M0, the offset and four times the lane's number. */
static bool compare_own_places(const struct machine *m, bool reads) {
  struct access access = {.space = OG_SPACE_LDS, .bytes = 4};
  const struct og_operand *data = og_operand(m->inst, reads ? OG_ROLE_VDST : OG_ROLE_VDATA);
  bool known = true;
  unsigned base = data->reg + (data->kind == OG_OPERAND_AGPR ? 256u : 0);
  memcpy(lds_after, lds_before, LDS);
  for (unsigned lane = 0; lane < m->wave_size; lane++) {
    uint64_t at = (m->wave->s[OG_S_M0] & 0xffff) + (uint64_t)m->inst->mod[OG_MOD_OFFSET] + 4 * lane;
    bool active = m->exec >> lane & 1;
    if (active && !reads)
      put_bytes(m, &access, lane, at, 4, m->wave->v[base][lane], &known);
    uint32_t want = active && reads ? (uint32_t)get_bytes(m, &access, lane, at, 4, &known) : m->wave->v[base][lane];
    if (wave->v[base][lane] != want)
      complain(m->inst->row, "lane %u is %x, expected %x", lane, wave->v[base][lane], want);
  }
  return known && (bytes_differ(m->inst, "LDS", lds, lds_after, LDS) || true);
}

/* Barriers that count arrivals: 29 bits of those to come, above them the phase, then 16 bits of how many the next phase
 * awaits less one (docs/exactness.md). When the last has come the phase is counted down. */
enum { PENDING = 29 };
static bool is_arrival(const struct og_inst *inst) { return strstr(og_row_name(inst->row), "barrier_arrive") != NULL; }
static void set_barriers(const struct og_inst *inst) {
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  for (unsigned lane = 0; lane < OG_LANES && is_arrival(inst); lane++) {
    uint8_t *at = lds_before + wave->v[V_ADDRESS][lane] + inst->mod[OG_MOD_OFFSET];
    og_store64(at, random32() % 3 | (uint64_t)(random32() % 8) << PENDING | (uint64_t)(random32() % 5) << 32);
    if (data)
      wave->v[data->reg][lane] = random32() % 4, wave->v[data->reg + 1][lane] = 0;
  }
}
static bool compare_arrival(const struct machine *m) {
  struct access access = {.space = OG_SPACE_LDS};
  const struct og_operand *vaddr = og_operand(m->inst, OG_ROLE_VADDR), *data = og_operand(m->inst, OG_ROLE_VDATA);
  const struct og_operand *d = og_operand(m->inst, OG_ROLE_VDST);
  bool known = true;
  memcpy(lds_after, lds_before, LDS);
  for (unsigned lane = 0; lane < m->wave_size; lane++) {
    if (!(m->exec >> lane & 1))
      continue;
    uint64_t at = m->wave->v[vaddr->reg][lane] + (uint64_t)m->inst->mod[OG_MOD_OFFSET];
    uint64_t had = get_bytes(m, &access, lane, at, 8, &known), arrive = data ? m->wave->v[data->reg][lane] : 1;
    uint64_t pending = low_bits(had, PENDING), phase = had >> PENDING & 7, next = had >> 32 & 0xffff;
    bool last = pending < arrive;
    pending = last ? next : pending - arrive, phase = (phase - last) & 7;
    put_bytes(m, &access, lane, at, 4, pending | phase << PENDING, &known);
    uint64_t got = d ? wave->v[d->reg][lane] | (uint64_t)wave->v[d->reg + 1][lane] << 32 : had;
    if (known && got != had)
      complain(m->inst->row, "lane %u is %llx, expected %llx", lane, (unsigned long long)got, (unsigned long long)had);
  }
  return known && (bytes_differ(m->inst, "LDS", lds, lds_after, LDS) || true);
}

static bool compare_lds(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  const char *name = og_row_name(inst->row);
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  if (is_src2(inst))
    return compare_src2(&m);
  if (is_arrival(inst))
    return compare_arrival(&m);
  bool appends = strcmp(name, "ds_append") == 0, reads = strcmp(name, "ds_read_addtid_b32") == 0;
  if (appends || strcmp(name, "ds_consume") == 0)
    return compare_count(&m, appends);
  return (reads || strcmp(name, "ds_write_addtid_b32") == 0) && compare_own_places(&m, reads);
}

#endif
