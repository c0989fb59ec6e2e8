/* waits.c - counters, waits and the order in which memory operations end, from waits.def. */
#include "isa/waits.h"
#include "isa/rows.h"

#include <string.h>

/* ---- facts ------------------------------------------------------------------------------------------------------- */

static const char *const counter_names[OG_COUNTERS] = {"vmcnt",   "vscnt",   "lgkmcnt",   "expcnt", "loadcnt",
                                                       "storecnt", "dscnt",  "kmcnt",     "samplecnt", "bvhcnt",
                                                       "asynccnt", "tensorcnt", "xcnt"};

enum order {
  ORDER_NONE, ORDER_MESSAGE, ORDER_LDS, ORDER_GDS, ORDER_VECTOR, ORDER_STORE, ORDER_SAMPLE, ORDER_RAY, ORDER_ASYNC,
  ORDER_TENSOR, ORDER_EXPORT, ORDER_PARAMETER,
};

enum {
  NO = 0, VM = OG_COUNTER_VM, VS = OG_COUNTER_VS, LGKM = OG_COUNTER_LGKM, EXP = OG_COUNTER_EXP, LOAD = OG_COUNTER_LOAD,
  STORE = OG_COUNTER_STORE, DS = OG_COUNTER_DS, KM = OG_COUNTER_KM, SAMPLE = OG_COUNTER_SAMPLE, BVH = OG_COUNTER_BVH,
  ASYNC = OG_COUNTER_ASYNC, TENSOR = OG_COUNTER_TENSOR, X = OG_COUNTER_X,
};

static const struct { uint16_t counter; uint32_t generations; uint8_t most; } capacities[] = {
#define COUNTER(id, generations, most) {OG_COUNTER_##id, generations, most},
#define RETURNS(kind, generations, counters, order, holds)
#define WAIT(row, low, high)
#include "isa/waits.def"
#undef COUNTER
#undef RETURNS
};

static const struct { uint8_t kind; uint32_t generations; uint16_t counters; uint8_t order, holds; } returns[] = {
#define COUNTER(id, generations, most)
#define RETURNS(kind, generations, counters, order, holds) \
  {OG_TRANSFER_##kind, generations, counters, ORDER_##order, OG_HOLDS_##holds},
#include "isa/waits.def"
#undef RETURNS
#undef WAIT
};

static const struct { uint16_t row, low, high; } waits[] = {
#define RETURNS(kind, generations, counters, order, holds)
#define WAIT(row, low, high) {OG_ROW_##row, low, high},
#include "isa/waits.def"
#undef COUNTER
#undef RETURNS
#undef WAIT
};

const char *og_counter_name(unsigned counter) { return counter_names[counter]; }

bool og_row_waits(unsigned row) {
  bool found = row == OG_ROW_S_WAITCNT || row == OG_ROW_S_WAIT_IDLE;
  for (size_t i = 0; i < OG_COUNT(waits) && !found; i++)
    found = waits[i].row == row;
  return found;
}

static bool holds_here(const struct og_isa *isa, uint32_t generations) { return generations >> isa->generation & 1; }

unsigned og_counter_most(const struct og_isa *isa, unsigned counter) {
  for (size_t i = 0; i < OG_COUNT(capacities); i++)
    if (capacities[i].counter == 1u << counter && holds_here(isa, capacities[i].generations))
      return capacities[i].most;
  return 0;
}

/* ---- waits ------------------------------------------------------------------------------------------------------- */

/* A limit that the counter never exceeds is no limit. */
static void limit(const struct og_isa *isa, uint8_t limits[OG_COUNTERS], unsigned counter_bit, unsigned value) {
  unsigned counter = (unsigned)__builtin_ctz(counter_bit);
  if (value < og_counter_most(isa, counter) && value < limits[counter])
    limits[counter] = (uint8_t)value;
}

/* The fields of s_waitcnt: "SIMM16" in the manuals of each generation. */
static void limit_all(const struct og_isa *isa, uint8_t limits[OG_COUNTERS], unsigned value) {
  bool gfx11 = isa->gfx11;
  unsigned high = isa->generation >= OG_GFX900 && !gfx11 ? (value >> 14 & 3) << 4 : 0;
  limit(isa, limits, VM, gfx11 ? value >> 10 & 63 : (value & 15) | high);
  limit(isa, limits, EXP, gfx11 ? value & 7 : value >> 4 & 7);
  limit(isa, limits, LGKM, gfx11 ? value >> 4 & 63 : value >> 8 & (isa->gfx10 ? 63 : 15));
}

bool og_inst_wait(const struct og_isa *isa, const struct og_inst *inst, uint8_t limits[OG_COUNTERS]) {
  memset(limits, OG_NO_LIMIT, OG_COUNTERS);
  const struct og_operand *immediate = og_operand(inst, OG_ROLE_SIMM), *sum = og_operand(inst, OG_ROLE_SDST);
  unsigned value = immediate ? (unsigned)immediate->value & 0xffff : 0;
  if (inst->encoding == OG_ENC_VINTERP) {
    limit(isa, limits, EXP, (unsigned)inst->mod[OG_MOD_WAIT_EXP]);
  } else if (!(og_form(isa, inst->form)->traits & OG_TRAIT_WAIT) || (sum && sum->reg != OG_SPECIAL_NULL)) {
    return false; /* with a register the count is unknown */
  } else if (inst->row == OG_ROW_S_WAITCNT) {
    limit_all(isa, limits, value);
  } else if (inst->row == OG_ROW_S_WAIT_IDLE) {
    for (unsigned i = 0; i < OG_COUNTERS; i++)
      limit(isa, limits, 1u << i, 0);
  }
  for (size_t i = 0; i < OG_COUNT(waits); i++) {
    if (waits[i].row == inst->row && waits[i].high) {
      limit(isa, limits, waits[i].low, value & 0x3f);
      limit(isa, limits, waits[i].high, value >> 8 & 0x3f);
    } else if (waits[i].row == inst->row) {
      limit(isa, limits, waits[i].low, value);
    }
  }
  for (unsigned i = 0; i < OG_COUNTERS; i++)
    if (limits[i] != OG_NO_LIMIT)
      return true;
  return false;
}

/* ---- transfers --------------------------------------------------------------------------------------------------- */

static enum og_transfer_kind image_kind(const struct og_form *form, const struct og_inst *inst) {
  if (form->address & OG_IMAGE_RAY)
    return OG_TRANSFER_RAY;
  return og_operand(inst, OG_ROLE_SSAMP) || form->traits & OG_TRAIT_MSAA || form->counters & OG_COUNTER_SAMPLE
             ? OG_TRANSFER_SAMPLE : OG_TRANSFER_VECTOR;
}

static enum og_transfer_kind kind_of(const struct og_isa *isa, const struct og_inst *inst, bool split) {
  const struct og_form *form = og_form(isa, inst->form);
  enum og_memory_space space = og_form_memory(form)->space;
  if (form->counters & OG_COUNTER_TENSOR)
    return OG_TRANSFER_TENSOR;
  switch ((enum og_encoding)inst->encoding) {
  case OG_ENC_EXP: return OG_TRANSFER_EXPORT;
  case OG_ENC_LDSDIR: return OG_TRANSFER_PARAMETER;
  case OG_ENC_SMEM: return OG_TRANSFER_SCALAR;
  case OG_ENC_DS:
    return inst->mod[OG_MOD_GDS] || space == OG_IN_GDS || space == OG_IN_GWS || space == OG_IN_GS_REG ? OG_TRANSFER_GDS
                                                                                                      : OG_TRANSFER_LDS;
  case OG_ENC_MIMG: return image_kind(form, inst);
  case OG_ENC_FLAT: return space == OG_IN_FLAT && !split ? OG_TRANSFER_FLAT : OG_TRANSFER_VECTOR;
  case OG_ENC_MUBUF:
  case OG_ENC_MTBUF: return OG_TRANSFER_VECTOR;
  default: return OG_TRANSFER_MESSAGE;
  }
}

static void add_raised(const struct og_isa *isa, struct og_transfer *transfer, unsigned counter) {
  struct og_raised raised = {(uint8_t)counter, ORDER_NONE, OG_HOLDS_RESULTS};
  for (size_t i = 0; i < OG_COUNT(returns); i++)
    if (returns[i].kind == transfer->kind && holds_here(isa, returns[i].generations) &&
        returns[i].counters & 1u << counter) {
      raised.order = returns[i].order;
      raised.holds = returns[i].holds;
      break;
    }
  if (raised.holds == OG_HOLDS_NOTHING)
    transfer->uncertain |= (uint16_t)(1u << counter);
  else if (transfer->count < OG_COUNT(transfer->raised))
    transfer->raised[transfer->count++] = raised;
}

void og_inst_transfer(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                      const struct og_wait_mode *mode, struct og_transfer *transfer) {
  *transfer = (struct og_transfer){0};
  if (!effects->counters)
    return;
  transfer->kind = (uint8_t)kind_of(isa, inst, mode->split);
  for (unsigned counter = 0; counter < OG_COUNTERS; counter++)
    if (effects->counters & 1u << counter)
      add_raised(isa, transfer, counter);
  if (mode->unordered && transfer->kind == OG_TRANSFER_SAMPLE && transfer->count)
    transfer->raised[0].order = ORDER_SAMPLE;
}

void og_caller_transfer(const struct og_isa *isa, struct og_transfer *transfer) {
  static const uint16_t loads = VM | LGKM | LOAD | DS | KM | SAMPLE | BVH;
  *transfer = (struct og_transfer){0};
  for (unsigned counter = 0; counter < OG_COUNTERS; counter++) {
    bool late = 1u << counter == EXP && isa->generation == OG_GFX6; /* data of stores */
    bool there = og_counter_most(isa, counter) && !(isa->gfx1250 && 1u << counter & (SAMPLE | BVH));
    if (there && (late || loads & 1u << counter))
      transfer->raised[transfer->count++] =
          (struct og_raised){(uint8_t)counter, ORDER_NONE, late ? OG_HOLDS_SOURCES : OG_HOLDS_RESULTS};
  }
}

/* A flat operation that went to memory counts as vector memory. */
static unsigned order_of_filling(const struct og_transfer *transfer, const struct og_raised *raised) {
  return transfer->kind == OG_TRANSFER_FLAT && 1u << raised->counter & (VM | LOAD) ? ORDER_VECTOR : raised->order;
}

static unsigned unit_of(const struct og_transfer *transfer) {
  return transfer->kind == OG_TRANSFER_FLAT ? OG_TRANSFER_VECTOR : transfer->kind;
}

bool og_fills_in_order(const struct og_isa *isa, const struct og_transfer *first, unsigned pending,
                       const struct og_transfer *second) {
  bool vector = first->kind >= OG_TRANSFER_FLAT && first->kind <= OG_TRANSFER_RAY;
  if (vector && (isa->gfx12 || (isa->gfx10 && unit_of(first) != unit_of(second))))
    return false; /* registers are filled as data arrives, though counters fall in order */
  for (unsigned i = 0; i < first->count; i++) {
    const struct og_raised *a = &first->raised[i];
    unsigned order = order_of_filling(first, a);
    bool same = a->holds != OG_HOLDS_RESULTS || !(pending >> i & 1);
    for (unsigned j = 0; j < second->count && !same; j++)
      same = order && a->counter == second->raised[j].counter && order == order_of_filling(second, &second->raised[j]);
    if (!same)
      return false;
  }
  return true;
}

/* expcnt: data only. xcnt: addresses, and data too, since the whole instruction may be issued again. */
bool og_holds_source(const struct og_inst *inst, const struct og_use *use, unsigned counter) {
  bool general = use->kind == OG_OPERAND_VGPR || use->kind == OG_OPERAND_AGPR || use->kind == OG_OPERAND_SGPR ||
                 (use->kind == OG_OPERAND_SPECIAL && use->reg <= OG_SPECIAL_VCC_HI);
  if (1u << counter == X)
    return general;
  if (use->operand < 0)
    return false;
  enum og_role role = inst->operands[use->operand].role;
  return role == OG_ROLE_VDATA || role == OG_ROLE_DATA1 || (role >= OG_ROLE_VSRC0 && role <= OG_ROLE_VSRC3);
}
