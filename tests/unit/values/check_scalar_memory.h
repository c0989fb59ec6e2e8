/* check_scalar_memory.h - compares scalar registers and memory after scalar loads, stores and atomics with the
 * reference's. */
#ifndef OG_VALUES_CHECK_SCALAR_MEMORY_H
#define OG_VALUES_CHECK_SCALAR_MEMORY_H

#include "values/check_memory.h"

enum { SCRATCH_UNIT = 64 /* what an offset in an SGPR counts ("Vega" ISA, S_SCRATCH_LOAD_DWORD) */ };

static struct access scalar_access_of(const char *name) {
  struct access out = {.space = OG_SPACE_GLOBAL};
  out.buffer = take(&name, "s_buffer_"), out.scratch = !out.buffer && take(&name, "s_scratch_");
  if (!out.buffer && !out.scratch && !take(&name, "s_"))
    return out;
  if (take(&name, "atomic_"))
    return read_atomic(name, &out) ? out : (struct access){0};
  out.moves = take(&name, "load_") ? MOVES_LOAD : take(&name, "store_") ? MOVES_STORE : MOVES_NOT;
  return out.moves != MOVES_NOT && read_shape(name, &out) ? out : (struct access){0};
}

/* A base or a resource, and an offset that gfx6 and gfx7 count in dwords where it is a constant. */
static uint64_t scalar_address(const struct machine *m, const struct access *access, bool *known) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *soffset = og_operand(inst, OG_ROLE_SOFFSET);
  uint64_t at = operand_bits(m, og_operand(inst, OG_ROLE_SBASE), U64, 0, known);
  unsigned scale = access->scratch                                 ? SCRATCH_UNIT
                   : inst->mod[OG_MOD_CPOL] & OG_CPOL_SCALE_OFFSET ? access->bytes * access->count
                                                                   : 1;
  bool ignored;
  if (access->buffer)
    at &= isa->gfx1250 ? 0x1ffffffffffffff : 0xffffffffffff;
  at += (uint64_t)((int64_t)inst->mod[OG_MOD_OFFSET] * (isa->generation < OG_GFX8 ? 4 : 1));
  if (is_given(soffset) && soffset->kind != OG_OPERAND_IMMEDIATE)
    at += (operand_bits(m, soffset, U32, 0, &ignored) & UINT32_MAX) * scale;
  return access->bytes < 4 ? at : at & ~(uint64_t)3;
}

/* Data and comparand of an atomic follow one another; with GLC what was there replaces the data ("Vega" ISA, 7.2.2). */
static bool scalar_atomic(const struct machine *m, const struct access *access, uint64_t at, unsigned first,
                          struct og_wave *want) {
  const uint32_t *s = &m->wave->s[first];
  uint64_t x = access->bytes == 8 ? og_load64(s) : s[0], y = access->bytes == 8 ? og_load64(s + 2) : s[1], now;
  bool known = true;
  uint64_t had = get_bytes(m, access, 0, at, access->bytes, &known);
  if (!known || !atomic(access->operation, access->bytes, had, x, y, false, &now, &known))
    return false;
  put_bytes(m, access, 0, at, access->bytes, now, &known);
  if (m->inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC)
    memcpy(&want->s[first], &had, access->bytes);
  return known;
}

static bool compare_scalar_memory(const struct og_inst *inst) {
  static struct og_wave want;
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  struct access access = scalar_access_of(og_row_name(inst->row));
  const struct og_operand *sdata =
      og_operand(inst, OG_ROLE_SDATA) ? og_operand(inst, OG_ROLE_SDATA) : og_operand(inst, OG_ROLE_SDST);
  bool known = true;
  if (access.moves == MOVES_NOT || !sdata || sdata->kind != OG_OPERAND_SGPR)
    return false;
  uint64_t at = scalar_address(&m, &access, &known);
  memcpy(want.s, before->s, sizeof want.s);
  memcpy(memory_after, memory_before, MEMORY);
  for (unsigned k = 0; k < access.count && access.moves == MOVES_LOAD; k++) {
    uint32_t x = 0;
    extend(&access, get_bytes(&m, &access, 0, at + 4 * k, access.bytes, &known), &x);
    want.s[sdata->reg + k] = x;
  }
  for (unsigned k = 0; k < access.count && access.moves == MOVES_STORE; k++)
    put_bytes(&m, &access, 0, at + 4 * k, 4, before->s[sdata->reg + k], &known);
  if (!known || (access.moves == MOVES_ATOMIC && !scalar_atomic(&m, &access, at, sdata->reg, &want)))
    return false;
  return bytes_differ(inst, "memory", memory, memory_after, MEMORY) || compare_scalars(&m, &want, before->s[OG_S_SCC]);
}

#endif
