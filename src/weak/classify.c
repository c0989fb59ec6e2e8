/* classify.c - how an instruction acts on the memory system: kinds.def, policies.def, cache_operations.def. */
#include "isa/rows.h"
#include "weak/weak.h"

#include <string.h>

static bool gfx6(const struct og_isa *isa) { return isa->generation == OG_GFX6; }

const struct og_weak_kind *og_weak_kind_of(const struct og_isa *isa, bool single) {
  static const struct og_weak_kind kinds[] = {
#define KIND(name, fits, gl1, many_l2, writes_back, policy) {name, gl1, many_l2, writes_back, OG_WEAK_##policy},
#include "weak/kinds.def"
#undef KIND
  };
  const bool fits[] = {
#define KIND(name, fits, gl1, many_l2, writes_back, policy) fits,
#include "weak/kinds.def"
#undef KIND
  };
  size_t kind = 0;
  while (!fits[kind])
    kind++;
  return &kinds[kind];
}

static const struct policy {
  uint8_t policy, bits;
  uint8_t load, store, atomic;
} policies[] = {
#define POLICY(policy, bits, load, store, atomic)                                                                      \
  {OG_WEAK_##policy, bits, OG_WEAK_##load, OG_WEAK_##store, OG_WEAK_##atomic},
#include "weak/policies.def"
#undef POLICY
};

static enum og_weak_level reach_of(const struct og_weak_kind *kind, int policy, enum og_weak_operation operation) {
  size_t i = 0;
  while (policies[i].policy != kind->policy || (policy & policies[i].bits) != policies[i].bits)
    i++;
  const struct policy *p = &policies[i];
  return operation == OG_WEAK_LOAD ? p->load : operation == OG_WEAK_STORE ? p->store : p->atomic;
}

static bool is_cache_operation(const struct og_isa *isa, const struct og_weak_kind *kind, const struct og_inst *inst,
                               struct og_weak_inst *out) {
  enum { L0 = 1 << OG_WEAK_L0, GL1 = 1 << OG_WEAK_GL1, L2 = 1 << OG_WEAK_L2 };
  const bool many_l2 = kind->many_l2;
  const struct {
    uint16_t row;
    uint8_t bits, invalidates;
    bool writes_back;
  } operations[] = {
#define CACHE(row, bits, invalidates, writes_back) {OG_ROW_##row, bits, invalidates, writes_back},
#include "weak/cache_operations.def"
#undef CACHE
  };
  for (size_t i = 0; i < OG_COUNT(operations); i++)
    if (operations[i].row == inst->row && (inst->mod[OG_MOD_CPOL] & operations[i].bits) == operations[i].bits) {
      out->levels = operations[i].invalidates;
      out->path = inst->encoding == OG_ENC_SMEM ? OG_WEAK_SCALAR : OG_WEAK_VECTOR;
      out->operation = operations[i].writes_back ? OG_WEAK_WRITE_BACK
                       : out->levels             ? OG_WEAK_INVALIDATE
                                                 : OG_WEAK_OTHER;
      return true;
    }
  return false;
}

static void classify_memory(const struct og_weak_kind *kind, const struct og_inst *inst, const struct og_memory *memory,
                            struct og_weak_inst *out) {
  static const uint8_t operations[] = {[OG_MOVES_LOAD] = OG_WEAK_LOAD,
                                       [OG_MOVES_STORE] = OG_WEAK_STORE,
                                       [OG_MOVES_ATOMIC] = OG_WEAK_ATOMIC,
                                       [OG_MOVES_SYNC] = OG_WEAK_OTHER};
  out->operation = operations[memory->access];
  out->path = inst->encoding == OG_ENC_SMEM ? OG_WEAK_SCALAR
              : memory->space == OG_IN_LDS  ? OG_WEAK_LDS
              : memory->space == OG_IN_FLAT ? OG_WEAK_FLAT
                                            : OG_WEAK_VECTOR;
  out->returns =
      out->operation == OG_WEAK_ATOMIC && (og_operand(inst, OG_ROLE_VDST) || inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC);
  if (out->path != OG_WEAK_LDS)
    out->reach = (uint8_t)reach_of(kind, inst->mod[OG_MOD_CPOL], out->operation);
}

void og_weak_classify(const struct og_isa *isa, bool single, const struct og_inst *inst, struct og_weak_inst *out) {
  const struct og_weak_kind *kind = og_weak_kind_of(isa, single);
  *out = (struct og_weak_inst){0};
  const struct og_memory *memory = og_form_memory(og_form(isa, inst->form));
  bool cache = is_cache_operation(isa, kind, inst, out);
  if (!cache && memory->space != OG_IN_NOTHING && memory->access != OG_MOVES_NOTHING)
    classify_memory(kind, inst, memory, out);
  else if (!cache && og_inst_wait(isa, inst, out->limits))
    out->operation = OG_WEAK_WAIT;
  struct og_effects effects;
  struct og_wait_mode mode = {0};
  if (out->operation != OG_WEAK_WAIT && og_inst_effects(isa, inst, &effects))
    og_inst_transfer(isa, inst, &effects, &mode, &out->transfer);
  /* Counters that the operation may not raise count as raised: then waiting for them waits. */
  for (unsigned left = out->transfer.uncertain; left && out->transfer.count < OG_COUNT(out->transfer.raised);
       left &= left - 1)
    out->transfer.raised[out->transfer.count++] = (struct og_raised){.counter = (uint8_t)__builtin_ctz(left)};
}

bool og_weak_tells(const struct og_weak_inst *inst, unsigned counter, bool lds) {
  unsigned of_lds = OG_COUNTER_LGKM | OG_COUNTER_DS;
  return inst->path != OG_WEAK_FLAT || (of_lds >> counter & 1) == lds;
}
