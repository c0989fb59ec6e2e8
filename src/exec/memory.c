/* memory.c - from a decoded memory instruction to its handler: the facts of its form, the places of its operands. */
#include "exec/memory.h"

#include "exec/gws.h"
#include "exec/image.h"
#include "exec/modifiers.h"
#include "exec/place.h"
#include "exec/rays.h"
#include "isa/rows.h"

/* ---- widths ------------------------------------------------------------------------------------------------------ */

/* What one lane moves, and how many bytes; false: nothing here moves so much. */
static bool find_width(const struct og_memory *facts, struct og_memory_op *access) {
  /* 8 or 16 bits; unsigned or signed; all of the register, its low or high half */
  static const uint8_t small[2][2][3] = {{{OG_WIDTH_U8, OG_WIDTH_U8_LOW, OG_WIDTH_U8_HIGH},
                                          {OG_WIDTH_I8, OG_WIDTH_I8_LOW, OG_WIDTH_I8_HIGH}},
                                         {{OG_WIDTH_U16, OG_WIDTH_16_LOW, OG_WIDTH_16_HIGH},
                                          {OG_WIDTH_I16, OG_WIDTH_16_LOW, OG_WIDTH_16_HIGH}}};
  access->bytes = (uint8_t)(facts->bits / 8);
  switch (facts->bits) {
  case 8: case 16:
    access->width = small[facts->bits == 16][facts->number == OG_VALUE_SIGNED][facts->part];
    return true;
  case 32: access->width = OG_WIDTH_32; return true;
  case 64: access->width = OG_WIDTH_64; return true;
  case 96: access->width = OG_WIDTH_96; return true;
  case 128: access->width = OG_WIDTH_128; return true;
  case 1024: access->width = OG_WIDTH_BLOCK, access->bytes = 128; return true;
  default: return false;
  }
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static og_handler *mover(const struct og_memory_op *access, bool write) {
  if (access->element)
    return og_transposing_load;
  if (access->width == OG_WIDTH_BLOCK)
    return write ? og_store_block : og_load_block;
  if (access->beside)
    return write ? og_store_from_lds : og_load_to_lds;
  const struct og_memory_handlers *handlers = og_host_memory_handlers();
  og_handler *fast = (write ? handlers->store : handlers->load)[access->addressing][access->width];
  if (fast == NULL || access->to_lds)
    return write ? og_careful_store_handler : og_careful_load_handler;
  return fast;
}

/* A load with tfe: the register behind the data tells of missing pages, and every page is there. */
static const struct og_operation *tell_resident(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  const struct og_operation *next = access->inner(wave, op);
  uint32_t *status = og_at(wave, access->data);
  for (unsigned lane = 0; next != &og_stop && lane < OG_LANES; lane++)
    status[lane] &= ~wave->lanes[lane];
  return next;
}

static const struct og_operation *nothing(struct og_wave *wave, const struct og_operation *op) {
  (void)wave;
  return og_next(op);
}

/* The lanes' addresses as gfx12.5 has them, a scalar base and scaled signed offsets, or their scaled offsets into
 * scratch; or the base and the lane's number (gfx10.3 and later); then as if they had stood in registers. */
void og_work_out_addresses(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  const uint32_t *offsets = access->by_lane ? NULL : og_at(wave, access->offsets);
  uint32_t *address = og_at(wave, op->s[0]);
  uint64_t base = access->addressing == OG_ADDRESS_SCRATCH ? 0 : og_scalar64(wave, op, 1);
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint64_t at = base + (uint64_t)((offsets ? (int64_t)(int32_t)offsets[lane] : lane) * access->scale);
    address[lane] = (uint32_t)at;
    address[lane + OG_LANES] = (uint32_t)(at >> 32);
  }
}

static const struct og_operation *address_first(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  og_work_out_addresses(wave, op);
  return access->inner(wave, op);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static bool is_register(const struct og_operand *operand) {
  return operand != NULL && operand->kind != OG_OPERAND_OFF && operand->kind != OG_OPERAND_NONE &&
         !(operand->kind == OG_OPERAND_SPECIAL && operand->reg == OG_SPECIAL_NULL);
}

/* Data registers: the destination of loads, the source of stores; where only one is named it is both. */
static bool place_data(const struct og_inst *inst, struct og_operation *op, bool is_load, unsigned dwords) {
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *vdata = og_operand(inst, OG_ROLE_VDATA);
  return og_place_vector(is_load && vdst != NULL ? vdst : vdata != NULL ? vdata : vdst, dwords, &op->d);
}

/* Lanes exchange elements of what they load: in waves of 32 on gfx12, for nobody tells of others. */
static bool take_transposition(struct og_program *program, const struct og_memory *facts, struct og_memory_op *access) {
  access->element = (uint8_t)og_transposed_bits(facts);
  bool late = program->target.processor->generation >= OG_GFX12;
  return !access->element || !late || program->isa->wave == 32 || og_refuse(program, "a wave of 64 lanes");
}

static unsigned registers_of(const struct og_memory_op *access) {
  return access->bytes <= 4 ? access->pieces : access->pieces * access->bytes / 4u;
}

static enum og_addressing addressing_of(const struct og_inst *inst, const struct og_memory *facts) {
  switch ((enum og_memory_space)facts->space) {
  case OG_IN_LDS: return OG_ADDRESS_LDS;
  case OG_IN_FLAT: return OG_ADDRESS_FLAT;
  case OG_IN_SCRATCH: return OG_ADDRESS_SCRATCH;
  case OG_IN_GLOBAL: case OG_IN_CLUSTER:
    return is_register(og_operand(inst, OG_ROLE_SADDR)) ? OG_ADDRESS_SADDR : OG_ADDRESS_GLOBAL;
  default: return inst->encoding == OG_ENC_FLAT ? OG_ADDRESS_GLOBAL : OG_ADDRESS_BUFFER; /* of caches, the first */
  }
}

/* The scalar part of an address; zeros where there is none. */
static bool place_base(const struct og_inst *inst, enum og_role role, unsigned dwords, uint32_t *offset,
                       uint64_t *constant) {
  const struct og_operand *operand = og_operand(inst, role);
  *offset = OG_AT_S(OG_S_ZERO);
  return !is_register(operand) || og_place_scalar(operand, dwords, offset, constant);
}

static bool place_buffer(struct og_program *program, const struct og_inst *inst, struct og_operation *op,
                         struct og_memory_op *access) {
  const struct og_operand *vaddr = og_operand(inst, OG_ROLE_VADDR);
  uint64_t ignored;
  access->offen = inst->mod[OG_MOD_OFFEN];
  access->idxen = inst->mod[OG_MOD_IDXEN];
  access->addr64 = inst->mod[OG_MOD_ADDR64];
  unsigned dwords = access->addr64 ? 2 : access->offen + access->idxen;
  if (dwords != (is_register(vaddr) ? vaddr->dwords : 0))
    return og_refuse(program, "another addressing mode");
  return (dwords == 0 || og_place_vector(vaddr, dwords, &op->s[0])) &&
         og_place_scalar(og_operand(inst, OG_ROLE_SRSRC), 4, &op->s[1], &ignored) &&
         place_base(inst, OG_ROLE_SOFFSET, 1, &op->s[2], &op->constant[2]);
}

static bool place_address(struct og_program *program, const struct og_inst *inst, struct og_operation *op,
                          struct og_memory_op *access) {
  const struct og_operand *vaddr = og_operand(inst, OG_ROLE_VADDR);
  op->s[0] = op->s[1] = OG_AT_S(OG_S_ZERO);
  op->constant[0] = (uint64_t)(int64_t)inst->mod[OG_MOD_OFFSET];
  access->has_vaddr = is_register(vaddr);
  access->by_lane = !vaddr && inst->encoding == OG_ENC_FLAT;
  if (access->by_lane)
    return place_base(inst, OG_ROLE_SADDR, 2, &op->s[1], &op->constant[1]);
  switch ((enum og_addressing)access->addressing) {
  case OG_ADDRESS_BUFFER: return place_buffer(program, inst, op, access);
  case OG_ADDRESS_LDS: return og_place_vector(vaddr, 1, &op->s[0]);
  case OG_ADDRESS_SADDR:
    return og_place_vector(vaddr, 1, &op->s[0]) && place_base(inst, OG_ROLE_SADDR, 2, &op->s[1], &op->constant[1]);
  case OG_ADDRESS_SCRATCH:
    return (!access->has_vaddr || og_place_vector(vaddr, 1, &op->s[0])) &&
           place_base(inst, OG_ROLE_SADDR, 1, &op->s[1], &op->constant[1]);
  default: /* a pair, and nothing scalar beside it; from gfx12.5 flat instructions, too, may have a base */
    if (is_register(og_operand(inst, OG_ROLE_SADDR)))
      return access->addressing == OG_ADDRESS_FLAT && program->target.processor->generation >= OG_GFX1250 &&
             og_place_vector(vaddr, 1, &op->s[0]) && place_base(inst, OG_ROLE_SADDR, 2, &op->s[1], &op->constant[1]);
    return og_place_vector(vaddr, 2, &op->s[0]);
  }
}

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

/* The second operand follows the first, but in DS, where it stands in DATA1. */
static bool prepare_atomic(const struct og_inst *inst, const struct og_memory *facts, bool returns,
                           struct og_operation *op, struct og_memory_op *access) {
  op->handler = og_atomic_handler;
  access->atomic = og_find_atomic(facts->operation, facts->number, facts->bits);
  if (access->atomic == NULL)
    return false;
  access->bytes = (uint8_t)og_atomic_bytes(access->atomic);
  access->returns = returns;
  const struct og_operand *vdst = og_operand(inst, OG_ROLE_VDST), *data1 = og_operand(inst, OG_ROLE_DATA1);
  unsigned dwords = access->bytes / 4, operands = og_atomic_operands(access->atomic);
  if (!og_place_vector(og_operand(inst, OG_ROLE_VDATA), is_register(data1) ? dwords : dwords * operands,
                       &access->data))
    return false;
  op->d = access->data;
  op->d2 = access->data + (operands - 1) * dwords * OG_AT_ROW;
  if (is_register(data1) && !og_place_vector(data1, dwords, &op->d2))
    return false;
  if (access->pieces > 1 && !is_register(data1))
    return false;
  return !is_register(vdst) || og_place_vector(vdst, access->pieces * dwords, &op->d);
}

/* ---- DS ---------------------------------------------------------------------------------------------------------- */

/* Two places, told by offsets of their own. */
static void set_pieces(const struct og_inst *inst, const struct og_memory *facts, struct og_memory_op *access) {
  uint32_t unit = facts->stride * facts->bits / 8u;
  access->pieces = 2;
  access->piece[0] = (uint32_t)inst->mod[OG_MOD_OFFSET0] * unit;
  access->piece[1] = (uint32_t)inst->mod[OG_MOD_OFFSET1] * unit;
}

static bool prepare_pair(const struct og_inst *inst, bool write, struct og_operation *op, struct og_memory_op *access) {
  if (!write && access->piece[1] == access->piece[0] + access->bytes) { /* side by side: one wider load */
    op->constant[0] = access->piece[0];
    *access = (struct og_memory_op){.addressing = OG_ADDRESS_LDS, .pieces = 1, .name = access->name,
                                    .width = access->width == OG_WIDTH_32 ? OG_WIDTH_64 : OG_WIDTH_128,
                                    .bytes = 2 * access->bytes};
  } else {
    access->width = access->width == OG_WIDTH_32 ? OG_WIDTH_PAIR_32 : OG_WIDTH_PAIR_64;
  }
  op->handler = mover(access, write);
  unsigned dwords = write ? access->bytes / 4 : registers_of(access);
  return place_data(inst, op, !write, dwords) &&
         (!write || og_place_vector(og_operand(inst, OG_ROLE_DATA1), dwords, &op->d2));
}

static bool prepare_lds(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                        struct og_operation *op, struct og_memory_op *access) {
  if (!og_obeys(program, inst, OG_MODS(OFFSET) | OG_MODS(OFFSET0) | OG_MODS(OFFSET1) | OG_MODS(GDS)))
    return false;
  if (facts->space == OG_IN_GWS)
    return og_prepare_gws(inst, facts, op);
  if (facts->operation == OG_DOES_ORDERED_COUNT)
    return og_prepare_ordered_count(program, inst, op);
  if (facts->operation == OG_DOES_BVH_STACK)
    return og_prepare_bvh_stack(program, inst, op);
  if (og_prepare_cross_lane(program, inst, facts, op))
    return true;
  if (op->handler != NULL) /* one of those, with an operand that does not fit */
    return false;
  if (facts->space != OG_IN_LDS || !place_address(program, inst, op, access))
    return false;
  op->constant[0] &= 0xffff;
  if (facts->count == 2)
    set_pieces(inst, facts, access);
  if (facts->operation == OG_DOES_BARRIER_ARRIVE)
    return og_prepare_barrier_arrive(inst, op, access);
  if (facts->access == OG_MOVES_ATOMIC)
    return prepare_atomic(inst, facts, is_register(og_operand(inst, OG_ROLE_VDST)), op, access);
  bool write = facts->access == OG_MOVES_STORE;
  if (!take_transposition(program, facts, access))
    return false;
  if ((facts->operation != OG_DOES_NOTHING && !access->element) || !find_width(facts, access))
    return false;
  if (facts->count == 2)
    return prepare_pair(inst, write, op, access);
  op->handler = mover(access, write);
  return place_data(inst, op, !write, registers_of(access));
}

static bool prepare_ds(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                       struct og_operation *op, struct og_memory_op *access) {
  bool counts = inst->row == OG_ROW_DS_APPEND || inst->row == OG_ROW_DS_CONSUME;
  return prepare_lds(program, inst, facts, op, access) &&
         (!inst->mod[OG_MOD_GDS] || facts->space == OG_IN_GWS || facts->space == OG_IN_GDS ||
          og_prepare_gds(program, counts, op));
}

/* ---- FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF ------------------------------------------------------------------------- */

static void prepare_format(const struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                           struct og_operation *op, struct og_memory_op *access) {
  access->components = facts->components;
  access->d16 = facts->d16;
  access->unpacked = facts->d16 && og_unpacked_d16(program->isa);
  access->width = facts->part == OG_PART_HIGH ? OG_WIDTH_16_HIGH : OG_WIDTH_32;
  access->bytes = 1;
  access->typed = facts->space == OG_IN_TYPED;
  access->format = (uint8_t)inst->mod[OG_MOD_FORMAT];
  op->handler = facts->access == OG_MOVES_STORE ? og_format_store : og_format_load;
}

static unsigned format_registers(const struct og_memory_op *access) {
  return access->d16 && !access->unpacked ? (access->components + 1u) / 2 : access->components;
}

/* gfx12.5 ("CDNA5" ISA, 10.2): offsets beside a scalar base are signed, and scale_offset multiplies those in registers
 * by the size of what a lane moves; addresses that are whole already it leaves alone. */
static bool prepare_offsets(const struct og_program *program, const struct og_inst *inst, bool write,
                            struct og_operation *op, struct og_memory_op *access) {
  bool scaled = inst->mod[OG_MOD_CPOL] & OG_CPOL_SCALE_OFFSET;
  bool based = access->addressing == OG_ADDRESS_SADDR ||
               (access->addressing == OG_ADDRESS_FLAT && is_register(og_operand(inst, OG_ROLE_SADDR)));
  bool scratch = access->addressing == OG_ADDRESS_SCRATCH && access->has_vaddr;
  if (!access->by_lane && (program->target.processor->generation < OG_GFX1250 || (!based && !(scratch && scaled))))
    return true;
  access->scale = (uint8_t)(access->by_lane ? 4 : scaled ? access->bytes : 1);
  access->offsets = op->s[0];
  op->s[0] = OG_AT_V(OG_V_TEMPORARY);
  if (access->addressing == OG_ADDRESS_SADDR)
    access->addressing = OG_ADDRESS_GLOBAL;
  access->inner = access->atomic != NULL ? og_atomic_handler : mover(access, write);
  op->handler = address_first;
  return true;
}

/* The rest of the cache policy has no effect because every access is visible at once. */
static bool obeys_modifiers(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                            const struct og_memory_op *access) {
  og_mod_set obeyed = OG_MODS(OFFSET) | OG_MODS(CPOL), modes = OG_MODS(OFFEN) | OG_MODS(IDXEN) | OG_MODS(ADDR64);
  if (access->addressing == OG_ADDRESS_BUFFER)
    obeyed |= modes | OG_MODS(LDS) | (facts->space == OG_IN_TYPED ? OG_MODS(FORMAT) : 0);
  bool scales = program->target.processor->generation >= OG_GFX1250 && access->addressing != OG_ADDRESS_BUFFER;
  if (inst->mod[OG_MOD_CPOL] & OG_CPOL_SCALE_OFFSET && !scales)
    return og_refuse(program, "scale_offset");
  return og_obeys(program, inst, obeyed);
}

/* Loads and stores of registers, and loads to LDS. */
static bool prepare_move(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                         struct og_operation *op, struct og_memory_op *access) {
  bool write = facts->access == OG_MOVES_STORE, formatted = facts->number == OG_VALUE_FORMAT;
  if (!take_transposition(program, facts, access))
    return false;
  /* nobody sleeps over it */
  if (facts->operation != OG_DOES_NOTHING && facts->operation != OG_DOES_MONITOR && !access->element)
    return false;
  const struct og_operand *lds = write ? og_operand(inst, OG_ROLE_VDATA) : og_operand(inst, OG_ROLE_VDST);
  access->beside = facts->lds && inst->encoding == OG_ENC_FLAT && lds;
  access->to_lds = facts->lds && !access->beside;
  if (formatted)
    prepare_format(program, inst, facts, op, access);
  else if (!find_width(facts, access))
    return false;
  else
    op->handler = mover(access, write);
  if (access->to_lds)
    return (!formatted || (access->components == 1 && !access->d16)) && !og_operand(inst, OG_ROLE_VDST) &&
           prepare_offsets(program, inst, write, op, access);
  if (access->beside)
    return og_place_vector(lds, 1, &access->data) && prepare_offsets(program, inst, write, op, access);
  unsigned registers = formatted ? format_registers(access) : registers_of(access);
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  if (access->addressing == OG_ADDRESS_BUFFER && data && data->dwords > registers && !write) { /* tfe */
    access->inner = op->handler;
    op->handler = tell_resident;
    if (!og_place_vector(data, data->dwords, &access->data))
      return false;
    access->data += registers * OG_AT_ROW;
  }
  return place_data(inst, op, !write, registers) && (formatted || prepare_offsets(program, inst, write, op, access));
}

static bool prepare_vector(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                           struct og_operation *op, struct og_memory_op *access) {
  if (!obeys_modifiers(program, inst, facts, access))
    return false;
  if (facts->space == OG_IN_NOTHING || facts->operation == OG_DOES_PREFETCH) { /* of caches */
    op->handler = nothing;
    return inst->row != OG_ROW_TENSOR_STOP;
  }
  if (!place_address(program, inst, op, access))
    return false;
  if (facts->access == OG_MOVES_ATOMIC) {
    bool returns = is_register(og_operand(inst, OG_ROLE_VDST)) || (inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC);
    return prepare_atomic(inst, facts, returns, op, access) && prepare_offsets(program, inst, false, op, access);
  }
  if (!prepare_move(program, inst, facts, op, access))
    return false;
  if (facts->space == OG_IN_CLUSTER)
    access->unicast = op->handler, op->handler = og_multicast_load;
  return true;
}

bool og_prepare_memory(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  static const uint8_t classes[] = {
      [OG_ISSUE_SMEM] = OG_CLASS_SMEM, [OG_ISSUE_LDS] = OG_CLASS_LDS, [OG_ISSUE_FLAT] = OG_CLASS_FLAT,
      [OG_ISSUE_VMEM] = OG_CLASS_VMEM, [OG_ISSUE_EXPORT] = OG_CLASS_OTHER};
  const struct og_form *form = og_form(program->isa, inst->form);
  const struct og_memory *facts = og_form_memory(form);
  op->class = classes[form->issue];
  if (inst->encoding == OG_ENC_SMEM)
    return og_prepare_scalar_memory(program, inst, facts, op);
  struct og_memory_op *access = OG_NEW(program->arena, struct og_memory_op);
  *access = (struct og_memory_op){
      .addressing = addressing_of(inst, facts), .pieces = 1, .name = og_row_name(inst->row)};
  op->detail = access;
  switch (inst->encoding) {
  case OG_ENC_DS: return prepare_ds(program, inst, facts, op, access);
  case OG_ENC_MIMG:
    return og_operand(inst, OG_ROLE_SRSRC)
               ? og_prepare_image(program, inst, facts, op)
               : og_obeys(program, inst, OG_MODS(CPOL)) && og_prepare_tensor(inst, facts, op);
  case OG_ENC_FLAT: case OG_ENC_MUBUF: case OG_ENC_MTBUF: return prepare_vector(program, inst, facts, op, access);
  case OG_ENC_EXP: return og_prepare_export(program, inst, op);
  case OG_ENC_LDSDIR:
    return og_obeys(program, inst, OG_MODS(WAIT_VDST) | OG_MODS(WAIT_VM_VSRC)) && og_prepare_lds_direct(inst, op);
  default: return false;
  }
}
