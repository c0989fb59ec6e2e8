/* memory.c - from a decoded memory instruction to its handler: what the name says, where the operands are. */
#include "exec/memory.h"
#include "exec/modifiers.h"

#include <string.h>

#include "exec/place.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* What stands behind "load_", "read_", "store_" or "write_", in all generations' spellings. */
static const struct {
  const char *name;
  uint8_t width, bytes;
} moved[] = {
    {"dword", OG_WIDTH_32, 4}, {"b32", OG_WIDTH_32, 4},
    {"dwordx2", OG_WIDTH_64, 8}, {"b64", OG_WIDTH_64, 8},
    {"dwordx3", OG_WIDTH_96, 12}, {"b96", OG_WIDTH_96, 12},
    {"dwordx4", OG_WIDTH_128, 16}, {"b128", OG_WIDTH_128, 16},
    {"ubyte", OG_WIDTH_U8, 1}, {"u8", OG_WIDTH_U8, 1}, {"byte", OG_WIDTH_U8, 1}, {"b8", OG_WIDTH_U8, 1},
    {"sbyte", OG_WIDTH_I8, 1}, {"i8", OG_WIDTH_I8, 1},
    {"ushort", OG_WIDTH_U16, 2}, {"u16", OG_WIDTH_U16, 2}, {"short", OG_WIDTH_U16, 2}, {"b16", OG_WIDTH_U16, 2},
    {"sshort", OG_WIDTH_I16, 2}, {"i16", OG_WIDTH_I16, 2},
    {"ubyte_d16", OG_WIDTH_U8_LOW, 1}, {"u8_d16", OG_WIDTH_U8_LOW, 1}, {"d16_u8", OG_WIDTH_U8_LOW, 1},
    {"ubyte_d16_hi", OG_WIDTH_U8_HIGH, 1}, {"u8_d16_hi", OG_WIDTH_U8_HIGH, 1}, {"d16_hi_u8", OG_WIDTH_U8_HIGH, 1},
    {"sbyte_d16", OG_WIDTH_I8_LOW, 1}, {"i8_d16", OG_WIDTH_I8_LOW, 1}, {"d16_i8", OG_WIDTH_I8_LOW, 1},
    {"sbyte_d16_hi", OG_WIDTH_I8_HIGH, 1}, {"i8_d16_hi", OG_WIDTH_I8_HIGH, 1}, {"d16_hi_i8", OG_WIDTH_I8_HIGH, 1},
    {"short_d16", OG_WIDTH_16_LOW, 2}, {"u16_d16", OG_WIDTH_16_LOW, 2}, {"d16_b16", OG_WIDTH_16_LOW, 2},
    {"short_d16_hi", OG_WIDTH_16_HIGH, 2}, {"u16_d16_hi", OG_WIDTH_16_HIGH, 2}, {"d16_hi_b16", OG_WIDTH_16_HIGH, 2},
    {"b16_d16_hi", OG_WIDTH_16_HIGH, 2},
    {"byte_d16_hi", OG_WIDTH_U8_HIGH, 1}, {"b8_d16_hi", OG_WIDTH_U8_HIGH, 1}, {"d16_hi_b8", OG_WIDTH_U8_HIGH, 1},
};

static bool find_moved(struct og_text name, struct og_memory_op *access) {
  for (size_t i = 0; i < OG_COUNT(moved); i++)
    if (og_text_is(name, moved[i].name)) {
      access->width = moved[i].width;
      access->bytes = moved[i].bytes;
      return true;
    }
  return false;
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static og_handler *mover(const struct og_memory_op *access, bool write) {
  const struct og_memory_handlers *handlers = og_host_memory_handlers();
  og_handler *fast = (write ? handlers->store : handlers->load)[access->addressing][access->width];
  if (fast == NULL || access->to_lds)
    return write ? og_careful_store_handler : og_careful_load_handler;
  return fast;
}

static const struct og_operation *nothing(struct og_wave *wave, const struct og_operation *op) {
  (void)wave;
  return og_next(op);
}

/* The lanes' addresses as gfx12.5 has them, a scalar base and scaled signed offsets, or their scaled offsets into
 * scratch; then as if they had stood in registers. */
static const struct og_operation *address_first(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  const uint32_t *offsets = og_at(wave, access->offsets);
  uint32_t *address = og_at(wave, op->s[0]);
  uint64_t base = access->addressing == OG_ADDRESS_SCRATCH ? 0 : og_scalar64(wave, op, 1);
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint64_t at = base + (uint64_t)((int64_t)(int32_t)offsets[lane] * access->scale);
    address[lane] = (uint32_t)at;
    address[lane + OG_LANES] = (uint32_t)(at >> 32);
  }
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

static unsigned registers_of(const struct og_memory_op *access) {
  return access->bytes <= 4 ? access->pieces : access->pieces * access->bytes / 4u;
}

static enum og_addressing addressing_of(const struct og_inst *inst) {
  switch (inst->encoding) {
  case OG_ENC_DS: return OG_ADDRESS_LDS;
  case OG_ENC_FLAT: return is_register(og_operand(inst, OG_ROLE_SADDR)) ? OG_ADDRESS_SADDR : OG_ADDRESS_GLOBAL;
  default: return OG_ADDRESS_BUFFER;
  }
}

/* offen, idxen, lds and addr64 are fixed bits of forms of their own; where they stand differs. */
enum buffer_bit { BIT_OFFEN, BIT_IDXEN, BIT_LDS, BIT_ADDR64 };
static bool buffer_bit(const struct og_program *program, const struct og_inst *inst, enum buffer_bit which) {
  static const uint8_t bits[4][4] = {
      {12, 13, 16, 15}, {12, 13, 16}, {54, 55}, {62, 63}}; /* to gfx7, gfx10, gfx11, gfx12 */
  enum og_generation generation = program->target.processor->generation;
  unsigned bit = bits[(generation >= OG_GFX8) + (generation >= OG_GFX11) + (generation >= OG_GFX12)][which];
  return bit != 0 && og_form(program->isa, inst->form)->value[0] >> bit & 1;
}

/* The scalar part of an address; zeros where there is none. */
static bool place_base(const struct og_inst *inst, enum og_role role, unsigned dwords, uint32_t *offset,
                       uint64_t *constant) {
  const struct og_operand *operand = og_operand(inst, role);
  *offset = OG_AT_S(OG_S_ZERO);
  return !is_register(operand) || og_place_scalar(operand, dwords, offset, constant);
}

static bool place_buffer(const struct og_program *program, const struct og_inst *inst, struct og_operation *op,
                         struct og_memory_op *access) {
  uint64_t ignored;
  access->offen = buffer_bit(program, inst, BIT_OFFEN);
  access->idxen = buffer_bit(program, inst, BIT_IDXEN);
  access->addr64 = buffer_bit(program, inst, BIT_ADDR64);
  access->to_lds = inst->encoding == OG_ENC_MUBUF && buffer_bit(program, inst, BIT_LDS);
  unsigned dwords = access->addr64 ? 2 : access->offen + access->idxen;
  return (dwords == 0 || og_place_vector(og_operand(inst, OG_ROLE_VADDR), dwords, &op->s[0])) &&
         og_place_scalar(og_operand(inst, OG_ROLE_SRSRC), 4, &op->s[1], &ignored) &&
         place_base(inst, OG_ROLE_SOFFSET, 1, &op->s[2], &op->constant[2]);
}

static bool place_address(const struct og_program *program, const struct og_inst *inst, struct og_operation *op,
                          struct og_memory_op *access) {
  const struct og_operand *vaddr = og_operand(inst, OG_ROLE_VADDR);
  op->s[0] = op->s[1] = OG_AT_S(OG_S_ZERO);
  op->constant[0] = (uint64_t)(int64_t)inst->mod[OG_MOD_OFFSET];
  access->has_vaddr = is_register(vaddr);
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
static bool prepare_atomic(const struct og_inst *inst, struct og_text name, bool returns, struct og_operation *op,
                           struct og_memory_op *access) {
  access->atomic = og_find_atomic(name);
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

/* "2_b32", "2st64_b64", "_2addr_b32", "_2addr_stride64_b64": the factor of the offsets; 0: not a pair. */
static uint32_t pair_factor(struct og_text *rest) {
  if (og_text_skip(rest, "2st64_") || og_text_skip(rest, "_2addr_stride64_"))
    return 64;
  return og_text_skip(rest, "2_") || og_text_skip(rest, "_2addr_") ? 1 : 0;
}

static void set_pieces(const struct og_inst *inst, struct og_memory_op *access, uint32_t factor) {
  access->pieces = 2;
  access->piece[0] = (uint32_t)inst->mod[OG_MOD_OFFSET0] * factor * access->bytes;
  access->piece[1] = (uint32_t)inst->mod[OG_MOD_OFFSET1] * factor * access->bytes;
}

static bool prepare_pair(const struct og_inst *inst, struct og_text rest, uint32_t factor, bool write,
                         struct og_operation *op, struct og_memory_op *access) {
  if (!find_moved(rest, access) || (access->width != OG_WIDTH_32 && access->width != OG_WIDTH_64))
    return false;
  set_pieces(inst, access, factor);
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

/* "add_rtn_u32" is the atomic "add_u32" that returns. */
static bool prepare_ds_atomic(const struct og_inst *inst, struct og_text name, struct og_operation *op,
                              struct og_memory_op *access) {
  char plain[32];
  const char *rtn = memmem(name.data, name.size, "_rtn_", 5);
  if (name.size >= sizeof plain)
    return false;
  size_t head = rtn != NULL ? (size_t)(rtn - name.data) : name.size;
  size_t tail = rtn != NULL ? name.size - head - 4 : 0;
  memcpy(plain, name.data, head);
  if (rtn != NULL)
    memcpy(plain + head, rtn + 4, tail);
  struct og_text spelt = {plain, head + tail};
  static const char *const exchanges[] = {"wrxchg", "storexchg"};
  for (size_t i = 0; i < OG_COUNT(exchanges); i++) {
    struct og_text rest = spelt;
    uint32_t factor = og_text_skip(&rest, exchanges[i]) ? pair_factor(&rest) : 0;
    if (factor == 0)
      continue;
    access->bytes = og_text_is(rest, "b64") ? 8 : 4;
    set_pieces(inst, access, factor);
    return prepare_atomic(inst, access->bytes == 8 ? OG_TEXT("wrxchg_b64") : OG_TEXT("wrxchg_b32"), true, op, access);
  }
  return prepare_atomic(inst, spelt, rtn != NULL, op, access);
}

static bool prepare_ds(struct og_program *program, const struct og_inst *inst, const char *mnemonic,
                       struct og_operation *op, struct og_memory_op *access) {
  struct og_text name = og_text(mnemonic);
  if (!og_obeys(program, inst, OG_MODS(OFFSET) | OG_MODS(OFFSET0) | OG_MODS(OFFSET1)))
    return false;
  if (og_prepare_cross_lane(program, inst, mnemonic, op))
    return true;
  if (op->handler != NULL) /* one of those, with an operand that does not fit */
    return false;
  if (!og_text_skip(&name, "ds_") || !place_address(program, inst, op, access))
    return false;
  op->constant[0] &= 0xffff;
  struct og_text rest = name;
  bool write = og_text_skip(&rest, "write") || (!og_text_skip(&rest, "storexchg") && og_text_skip(&rest, "store"));
  if (write || og_text_skip(&rest, "read") || og_text_skip(&rest, "load")) {
    uint32_t factor = pair_factor(&rest);
    if (factor != 0)
      return prepare_pair(inst, rest, factor, write, op, access);
    if (!og_text_skip(&rest, "_") || !find_moved(rest, access))
      return false;
    op->handler = mover(access, write);
    return place_data(inst, op, !write, registers_of(access));
  }
  op->handler = og_atomic_handler;
  return prepare_ds_atomic(inst, name, op, access);
}

/* ---- FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF ------------------------------------------------------------------------- */

/* "format_xyz", "format_d16_xy", "d16_format_x", "d16_hi_format_x", "format_d16_hi_x". */
static bool prepare_format(const struct og_inst *inst, struct og_text rest, bool write, struct og_operation *op,
                           struct og_memory_op *access) {
  bool high = og_text_skip(&rest, "d16_hi_format_");
  bool half = high || og_text_skip(&rest, "d16_format_");
  if (!half) {
    if (!og_text_skip(&rest, "format_"))
      return false;
    high = og_text_skip(&rest, "d16_hi_");
    half = high || og_text_skip(&rest, "d16_");
  }
  access->components = (uint8_t)rest.size;
  access->d16 = half;
  access->width = high ? OG_WIDTH_16_HIGH : OG_WIDTH_32;
  access->bytes = 1;
  access->typed = inst->encoding == OG_ENC_MTBUF;
  access->format = (uint8_t)inst->mod[OG_MOD_FORMAT];
  op->handler = write ? og_format_store : og_format_load;
  return rest.size <= 4;
}

static unsigned format_registers(const struct og_memory_op *access) {
  return access->d16 ? (access->components + 1u) / 2 : access->components;
}

static bool is_cache_control(struct og_text name) {
  static const char *const names[] = {"wbinvl1", "wbinvl1_vol", "wbl2", "invl2", "gl0_inv",
                                      "gl1_inv", "inv",         "wb",   "wbinv"};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (og_text_is(name, names[i]))
      return true;
  return false;
}

/* gfx12.5 ("CDNA5" ISA, 10.2): offsets beside a scalar base are signed, and scale_offset multiplies those in registers
 * by the size of what a lane moves; addresses that are whole already it leaves alone. */
static bool prepare_offsets(const struct og_program *program, const struct og_inst *inst, bool write,
                            struct og_operation *op, struct og_memory_op *access) {
  bool scaled = inst->mod[OG_MOD_CPOL] & OG_CPOL_SCALE_OFFSET;
  bool based = access->addressing == OG_ADDRESS_SADDR ||
               (access->addressing == OG_ADDRESS_FLAT && is_register(og_operand(inst, OG_ROLE_SADDR)));
  bool scratch = access->addressing == OG_ADDRESS_SCRATCH && access->has_vaddr;
  if (program->target.processor->generation < OG_GFX1250 || (!based && !(scratch && scaled)))
    return true;
  access->scale = (uint8_t)(scaled ? access->bytes : 1);
  access->offsets = op->s[0];
  op->s[0] = OG_AT_V(OG_V_TEMPORARY);
  if (access->addressing == OG_ADDRESS_SADDR)
    access->addressing = OG_ADDRESS_GLOBAL;
  access->inner = access->atomic != NULL ? og_atomic_handler : mover(access, write);
  op->handler = address_first;
  return true;
}

/* The rest of the cache policy says who sees what when, and everyone sees everything at once. */
static bool obeys_modifiers(struct og_program *program, const struct og_inst *inst, const struct og_memory_op *access) {
  og_mod_set obeyed = OG_MODS(OFFSET) | OG_MODS(CPOL), modes = OG_MODS(OFFEN) | OG_MODS(IDXEN) | OG_MODS(ADDR64);
  if (access->addressing == OG_ADDRESS_BUFFER)
    obeyed |= modes | OG_MODS(LDS) | (inst->encoding == OG_ENC_MTBUF ? OG_MODS(FORMAT) : 0);
  bool scales = program->target.processor->generation >= OG_GFX1250 && access->addressing != OG_ADDRESS_BUFFER;
  if (inst->mod[OG_MOD_CPOL] & OG_CPOL_SCALE_OFFSET && !scales)
    return og_refuse(program, "scale_offset");
  return og_obeys(program, inst, obeyed);
}

static bool prepare_vector(struct og_program *program, const struct og_inst *inst, struct og_text name,
                           struct og_operation *op, struct og_memory_op *access) {
  if (!obeys_modifiers(program, inst, access))
    return false;
  if (is_cache_control(name) || og_text_is(name, "prefetch_b8")) {
    op->handler = nothing;
    return true;
  }
  if (!place_address(program, inst, op, access))
    return false;
  if (og_text_skip(&name, "atomic_")) {
    bool returns = is_register(og_operand(inst, OG_ROLE_VDST)) || (inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC);
    op->handler = og_atomic_handler;
    return prepare_atomic(inst, name, returns, op, access) && prepare_offsets(program, inst, false, op, access);
  }
  bool write = og_text_skip(&name, "store_");
  if (!write && !og_text_skip(&name, "load_"))
    return false;
  access->to_lds |= !write && og_text_skip(&name, "lds_");
  if (!write)
    og_text_skip(&name, "monitor_"); /* a plain load, for nobody goes to sleep over it */
  if (prepare_format(inst, name, write, op, access))
    return !access->to_lds && place_data(inst, op, !write, format_registers(access));
  if (!find_moved(name, access))
    return false;
  op->handler = mover(access, write);
  return (access->to_lds ? !write : place_data(inst, op, !write, registers_of(access))) &&
         prepare_offsets(program, inst, write, op, access);
}

static enum og_class class_of(const struct og_inst *inst, struct og_text name) {
  switch (inst->encoding) {
  case OG_ENC_SMEM: return OG_CLASS_SMEM;
  case OG_ENC_DS: return OG_CLASS_LDS;
  case OG_ENC_EXP: return OG_CLASS_OTHER;
  default: return og_text_skip(&name, "flat_") ? OG_CLASS_FLAT : OG_CLASS_VMEM;
  }
}

bool og_prepare_memory(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const char *mnemonic = og_row_name(inst->row);
  op->class = class_of(inst, og_text(mnemonic));
  if (inst->encoding == OG_ENC_SMEM)
    return og_prepare_scalar_memory(program, inst, mnemonic, op);
  struct og_memory_op *access = OG_NEW(program->arena, struct og_memory_op);
  *access = (struct og_memory_op){.addressing = addressing_of(inst), .pieces = 1, .name = mnemonic};
  op->detail = access;
  struct og_text name = og_text(mnemonic);
  if (inst->encoding == OG_ENC_DS)
    return prepare_ds(program, inst, mnemonic, op, access);
  if (og_text_skip(&name, "flat_"))
    access->addressing = OG_ADDRESS_FLAT;
  else if (og_text_skip(&name, "scratch_"))
    access->addressing = OG_ADDRESS_SCRATCH;
  else if (!og_text_skip(&name, "global_") && !og_text_skip(&name, "buffer_") && !og_text_skip(&name, "tbuffer_") &&
           !og_text_skip(&name, "cluster_"))
    return false;
  return prepare_vector(program, inst, name, op, access);
}
