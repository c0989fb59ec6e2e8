/* smem.c - scalar memory: loads, stores and atomics between memory and SGPRs, clocks, caches.
 *
 * Addresses: s[0] is the base pair or the V#, s[1] with constant[1] the scalar offset, constant[0] the immediate one;
 * all in bytes, and the two low bits of the sum are ignored. */
#include "exec/clock.h"
#include "exec/deferred.h"
#include "exec/memory.h"
#include "exec/modifiers.h"

#include <string.h>

#include "exec/scalar.h"
#include "isa/rows.h"

struct scalar_op {
  uint8_t dwords; /* of memory */
  uint8_t bytes;  /* 1 or 2: less than a dword, else 0 */
  bool is_signed;
  bool buffer;  /* s[0] is a V# */
  bool returns; /* atomics */
  uint8_t scale; /* of the scalar offset: bytes loaded (gfx12.5's scale_offset), 64 (gfx9's scratch), else 1 */
  const struct og_atomic *atomic;
};

static uint64_t scalar_address(struct og_wave *wave, const struct og_operation *op) {
  return (og_load64(og_at(wave, op->s[0])) + op->constant[0] + og_scalar32(wave, op, 1)) & ~3ull;
}

/* Where the offset counts elements. */
static uint64_t scaled_address(struct og_wave *wave, const struct og_operation *op) {
  const struct scalar_op *access = op->detail;
  uint64_t offset = (uint64_t)og_scalar32(wave, op, 1) * access->scale;
  return (og_load64(og_at(wave, op->s[0])) + op->constant[0] + offset) & ~3ull;
}

/* Of a buffer, the address and how many of the dwords are in range. */
static uint64_t buffer_address(struct og_wave *wave, const struct og_operation *op, unsigned *dwords) {
  struct og_resource v = og_resource_decode(wave, og_at(wave, op->s[0]));
  uint64_t offset = ((uint32_t)op->constant[0] + (uint64_t)og_scalar32(wave, op, 1)) & ~3ull;
  uint64_t size = v.records * OG_MAX(v.stride, 1u);
  uint64_t left = offset < size ? (size - offset) / 4 : 0;
  *dwords = (unsigned)OG_MIN(*dwords, left);
  return (v.base & ~3ull) + offset;
}

static uint64_t address_of(struct og_wave *wave, const struct og_operation *op, unsigned *dwords) {
  const struct scalar_op *access = op->detail;
  *dwords = access->dwords;
  return access->buffer ? buffer_address(wave, op, dwords) : scaled_address(wave, op);
}

enum {
  MOST_BYTES = 64,
  SCRATCH_UNIT = 64, /* what the offset in an SGPR counts (Vega ISA, S_SCRATCH_LOAD_DWORD) */
};

/* Compilers round the size of a uniform load up to a power of two where its address is a multiple of that, for then it
 * crosses no page, which is all that hardware protects. What is there of a buffer goes to `copy`, zeros behind it.
 * Yields how many bytes that is; 0 where no compiler would have rounded: half of the load would have done, or less. */
static unsigned read_past_end(struct og_wave *wave, uint64_t address, unsigned size, void *copy) {
  struct og_window window;
  if ((size & (size - 1)) != 0 || address % size != 0 || !og_window_move(wave, &window, address, 1, false))
    return 0;
  unsigned there = (unsigned)OG_MIN(window.size - (address - window.start), size);
  if (og_align_up(there, 4) <= size / 2)
    return 0;
  memset(copy, 0, size);
  memcpy(copy, (const void *)(uintptr_t)(address + window.shift), there);
  return there;
}

static void count(struct og_wave *wave, const struct og_operation *op, uint64_t address, unsigned size, int access) {
  if (og_sees_accesses(wave))
    wave->observer->access(wave->observer->context, wave, op, OG_SPACE_SCALAR, access, 0, address, size);
  if (wave->counts != NULL)
    og_count_access(wave, OG_SPACE_SCALAR, access & OG_ACCESS_WRITE, 1, size);
}

/* The host's address, or NULL after a fault; reads may be of `copy` instead, which has MOST_BYTES. */
static void *reach(struct og_wave *wave, const struct og_operation *op, uint64_t address, unsigned size, int access,
                   void *copy) {
  bool write = access & OG_ACCESS_WRITE;
  struct og_window *window = og_window_of(wave, op, write);
  void *at;
  if (!og_window_holds(window, address, size) && !og_window_move(wave, window, address, size, write)) {
    unsigned there = copy != NULL ? read_past_end(wave, address, size, copy) : 0;
    if (there == 0) {
      char around[120];
      og_memory_map_describe(wave->group->map, address, size, around, sizeof around);
      og_wave_fault_at(wave, op, address, "scalar %s of %u bytes is outside every buffer: %s",
                       write ? "write" : "read", size, around);
      return NULL;
    }
    size = there;
    at = copy;
  } else {
    at = (void *)(uintptr_t)(address + window->shift);
  }
  count(wave, op, address, size, access);
  if (og_defers(wave) && !write && copy != NULL) {
    memmove(copy, at, size);
    og_look(wave, op, OG_SPACE_SCALAR, address, copy, size);
    at = copy;
  }
  return at;
}

static inline __attribute__((always_inline)) const struct og_operation *
load_dwords(struct og_wave *wave, const struct og_operation *op, unsigned dwords, bool scaled) {
  uint64_t address = scaled ? scaled_address(wave, op) : scalar_address(wave, op);
  const struct og_window *window = og_window_of(wave, op, false);
  const void *from = (const void *)(uintptr_t)(address + window->shift);
  uint8_t copy[MOST_BYTES];
  if (__builtin_expect(
          !og_window_holds(window, address, 4 * dwords) || og_sees_accesses(wave) || wave->counts != NULL, 0)) {
    from = reach(wave, op, address, 4 * dwords, OG_ACCESS_READ, copy);
    if (from == NULL)
      return &og_stop;
  }
  memcpy(og_at(wave, op->d), from, 4 * dwords);
  return og_next(op);
}

#define LOAD(n)                                                                                           \
  static const struct og_operation *load_##n(struct og_wave *wave, const struct og_operation *op) {       \
    return load_dwords(wave, op, n, false);                                                               \
  }                                                                                                       \
  static const struct og_operation *scaled_##n(struct og_wave *wave, const struct og_operation *op) {     \
    return load_dwords(wave, op, n, true);                                                                \
  }
LOAD(1) LOAD(2) LOAD(3) LOAD(4) LOAD(8) LOAD(16)

unsigned og_scalar_load_dwords(og_handler *handler) {
  static const struct {
    og_handler *handler;
    unsigned dwords;
  } loads[] = {{load_1, 1}, {load_2, 2}, {load_3, 3}, {load_4, 4}, {load_8, 8}, {load_16, 16}};
  for (size_t i = 0; i < OG_COUNT(loads); i++)
    if (loads[i].handler == handler)
      return loads[i].dwords;
  return 0;
}

static const struct og_operation *buffer_load(struct og_wave *wave, const struct og_operation *op) {
  const struct scalar_op *access = op->detail;
  unsigned dwords;
  uint64_t address = address_of(wave, op, &dwords);
  uint32_t values[MOST_BYTES / 4] = {0};
  uint8_t copy[MOST_BYTES];
  if (dwords > 0) {
    const void *from = reach(wave, op, address, 4 * dwords, OG_ACCESS_READ, copy);
    if (from == NULL)
      return &og_stop;
    memcpy(values, from, 4 * dwords);
  }
  og_write_scalars(wave, op->d, values, access->dwords);
  return og_next(op);
}

/* Bytes and halves, from gfx12: the low address bits count. */
static const struct og_operation *load_small(struct og_wave *wave, const struct og_operation *op) {
  const struct scalar_op *access = op->detail;
  uint64_t offset = op->constant[0] + (uint64_t)og_scalar32(wave, op, 1) * access->scale;
  uint64_t address = og_load64(og_at(wave, op->s[0])) + offset;
  uint32_t value = 0;
  bool outside = false;
  if (access->buffer) {
    struct og_resource v = og_resource_decode(wave, og_at(wave, op->s[0]));
    address = v.base + offset;
    outside = offset + access->bytes > v.records * OG_MAX(v.stride, 1u);
  }
  if (!outside) {
    const void *from = reach(wave, op, address, access->bytes, OG_ACCESS_READ, NULL);
    if (from == NULL)
      return &og_stop;
    memcpy(&value, from, access->bytes);
    if (og_defers(wave))
      og_look(wave, op, OG_SPACE_SCALAR, address, &value, access->bytes);
  }
  unsigned spare = 32 - 8 * access->bytes;
  og_write_scalar32(wave, op->d, access->is_signed ? (uint32_t)((int32_t)(value << spare) >> spare) : value);
  return og_next(op);
}

static const struct og_operation *store(struct og_wave *wave, const struct og_operation *op) {
  unsigned dwords;
  uint64_t address = address_of(wave, op, &dwords);
  if (dwords == 0)
    return og_next(op);
  void *to = reach(wave, op, address, 4 * dwords, OG_ACCESS_WRITE, NULL);
  if (to == NULL)
    return &og_stop;
  struct og_deferred what = {OG_ACCESS_WRITE, OG_SPACE_SCALAR, 0, 0, 4 * dwords, address, og_at(wave, op->d), 0, 0};
  if (!og_defers(wave) || !og_defer(wave, op, &what))
    memcpy(to, og_at(wave, op->d), 4 * dwords);
  return og_next(op);
}

/* The data stands in the destination: one operand, or new value and comparand. */
static const struct og_operation *atomic(struct og_wave *wave, const struct og_operation *op) {
  const struct scalar_op *access = op->detail;
  unsigned dwords, size = og_atomic_bytes(access->atomic);
  uint64_t address = address_of(wave, op, &dwords);
  uint32_t *data = og_at(wave, op->d);
  uint64_t operands[2] = {0, 0}, old = 0;
  for (unsigned i = 0; i < og_atomic_operands(access->atomic); i++)
    operands[i] = size == 4 ? data[i] : og_load64(data + 2 * i);
  if (dwords * 4 >= size) {
    if (address % size != 0) {
      og_wave_fault_at(wave, op, address, "scalar atomic of %u bytes is misaligned", size);
      return &og_stop;
    }
    void *at = reach(wave, op, address, size, OG_ACCESS_READ | OG_ACCESS_WRITE | OG_ACCESS_ATOMIC, NULL);
    if (at == NULL)
      return &og_stop;
    old = og_atomic_apply(wave, access->atomic, OG_SPACE_GLOBAL, at, operands[0], operands[1]);
    if (wave->counts != NULL)
      wave->counts->events.atomics++;
  }
  if (access->returns)
    og_write_scalars(wave, op->d, &old, size / 4);
  return og_next(op);
}

static const struct og_operation *nothing(struct og_wave *wave, const struct og_operation *op) {
  (void)wave;
  return og_next(op);
}

static const struct og_operation *memtime(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar64(wave, op->d, og_core_clock(wave));
  return og_next(op);
}

static const struct og_operation *memrealtime(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar64(wave, op->d, og_constant_clock(wave));
  return og_next(op);
}

static const struct og_operation *waveid_in_workgroup(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar32(wave, op->d, wave->id);
  return og_next(op);
}

/* ---- preparation ------------------------------------------------------------------------------------------------- */

static og_handler *load_handler(unsigned dwords, bool scaled) {
  switch (dwords) {
  case 1: return scaled ? scaled_1 : load_1;
  case 2: return scaled ? scaled_2 : load_2;
  case 3: return scaled ? scaled_3 : load_3;
  case 4: return scaled ? scaled_4 : load_4;
  case 8: return scaled ? scaled_8 : load_8;
  default: return scaled ? scaled_16 : load_16;
  }
}

/* `dwords` of registers. Loads write theirs past the door of scalar.h, for speed: EXEC is none that SMEM can name. */
static bool place_data(const struct og_inst *inst, unsigned dwords, struct og_operation *op) {
  const struct og_operand *data = og_operand(inst, OG_ROLE_SDATA);
  return og_place_result(data != NULL ? data : og_operand(inst, OG_ROLE_SDST), dwords, &op->d) &&
         !og_place_has_exec(op->d, dwords);
}

static bool place_address(const struct og_program *program, const struct og_inst *inst, bool buffer,
                          struct og_operation *op) {
  const struct og_operand *offset = og_operand(inst, OG_ROLE_SOFFSET);
  uint64_t ignored;
  op->s[1] = OG_AT_S(OG_S_ZERO);
  op->constant[0] = (uint64_t)(int64_t)inst->mod[OG_MOD_OFFSET];
  if (!og_place_scalar(og_operand(inst, OG_ROLE_SBASE), buffer ? 4 : 2, &op->s[0], &ignored))
    return false;
  if (offset != NULL && (offset->kind == OG_OPERAND_IMMEDIATE || offset->kind == OG_OPERAND_LITERAL))
    op->constant[0] = offset->value;
  else if (offset != NULL && offset->kind != OG_OPERAND_OFF &&
           !og_place_scalar(offset, 1, &op->s[1], &op->constant[1]))
    return false;
  if (program->target.processor->generation < OG_GFX8)
    op->constant[0] *= 4; /* offsets in the code count dwords (Southern Islands ISA, 12.4 SMRD), those in SGPRs bytes */
  return true;
}

static bool prepare_access(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                           struct og_operation *op) {
  struct scalar_op *access = OG_NEW(program->arena, struct scalar_op);
  bool loads = facts->access == OG_MOVES_LOAD, small = facts->bits < 32;
  bool scaled = inst->mod[OG_MOD_CPOL] & OG_CPOL_SCALE_OFFSET, scratch = facts->space == OG_IN_SCRATCH;
  op->detail = access;
  access->buffer = facts->space == OG_IN_BUFFER;
  access->scale = (uint8_t)(scratch ? SCRATCH_UNIT : scaled ? facts->bits / 8 : 1);
  access->dwords = (uint8_t)(small ? 1 : facts->bits / 32);
  if (scaled && (access->buffer || !loads)) /* "CDNA5" ISA, 8.1.1: plain loads alone */
    return og_refuse(program, "scale_offset");
  unsigned registers = access->dwords;
  switch ((enum og_memory_access)facts->access) {
  case OG_MOVES_LOAD:
    access->bytes = small ? (uint8_t)(facts->bits / 8) : 0;
    access->is_signed = facts->number == OG_VALUE_SIGNED;
    op->handler = small ? load_small : access->buffer ? buffer_load : load_handler(access->dwords, scaled || scratch);
    break;
  case OG_MOVES_STORE: op->handler = store; break;
  case OG_MOVES_ATOMIC:
    access->atomic = og_find_atomic(facts->operation, facts->number, facts->bits);
    if (access->atomic == NULL)
      return false;
    access->returns = inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC;
    registers *= og_atomic_operands(access->atomic);
    op->handler = atomic;
    break;
  default: return false;
  }
  return place_data(inst, registers, op) && place_address(program, inst, access->buffer, op);
}

/* Clocks and numbers that this unit reads; caches, which need nothing done. */
static bool prepare_others(const struct og_inst *inst, struct og_operation *op) {
  switch (inst->row) {
  case OG_ROW_S_MEMTIME: op->handler = memtime; return place_data(inst, 2, op);
  case OG_ROW_S_MEMREALTIME: op->handler = memrealtime; return place_data(inst, 2, op);
  case OG_ROW_S_GET_WAVEID_IN_WORKGROUP: op->handler = waveid_in_workgroup; return place_data(inst, 1, op);
  default: op->handler = nothing; return true;
  }
}

bool og_prepare_scalar_memory(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                              struct og_operation *op) {
  if (!og_obeys(program, inst, OG_MODS(OFFSET) | OG_MODS(CPOL)))
    return false;
  if (facts->access == OG_MOVES_NOTHING)
    return prepare_others(inst, op);
  return prepare_access(program, inst, facts, op);
}
