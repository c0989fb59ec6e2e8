/* exec_decode_message.c - instructions that send messages, to operations: surfaces, blocks, gathers, atomics, LSC, dpas. */
#include "visa/exec_decode.h"

static struct og_vx_message *new_message(struct og_vd *d, struct og_vx_op *op) {
  op->message = OG_NEW(d->arena, struct og_vx_message);
  op->message->scale = 1;
  op->message->address_size = 4;
  op->message->components = 1;
  op->message->data = op->message->data1 = op->message->data2 = OG_VX_NO_DATA;
  return op->message;
}

/* The register offset of a raw operand that covers `bytes`; the null variable is OG_VX_NO_DATA. */
static bool raw_operand(struct og_vd *d, const struct og_visa_operand *operand, uint32_t bytes, uint32_t *offset) {
  if (operand->kind == OG_VISA_NONE || operand->variable == OG_VISA_V_NULL) {
    *offset = OG_VX_NO_DATA;
    return true;
  }
  uint32_t base = 0, room = 0;
  if (!og_vd_place(d, operand->variable, &base, &room))
    return false;
  uint32_t within =
      operand->kind == OG_VISA_GENERAL
          ? operand->row * d->program->grf_size + operand->column * og_alu_sizes[og_vd_storage_type(operand->type)]
          : (uint32_t)operand->offset;
  if ((uint64_t)within + bytes > og_align_up(room, d->program->grf_size))
    return og_vd_fail(d, "the message moves %u bytes from byte %u of %s, which has %u", bytes, within,
                      og_vd_variable_name(d, operand->variable), room);
  *offset = base + within;
  return true;
}

/* The same of an operand that cannot be null. */
static bool needed_operand(struct og_vd *d, const struct og_visa_operand *operand, uint32_t bytes, uint32_t *offset) {
  return raw_operand(d, operand, bytes, offset) &&
         (*offset != OG_VX_NO_DATA || og_vd_fail(d, "%s needs this operand: it is %%null", og_visa_mnemonic(d->inst)));
}

static void set_surface(struct og_vd *d, const struct og_visa_operand *operand, struct og_vx_message *message) {
  enum { T_SLM = 0, T_STATELESS = 5 };
  uint32_t variable = operand->variable;
  message->space = variable == T_SLM ? OG_VX_SLM : variable == T_STATELESS ? OG_VX_SCRATCH : OG_VX_SURFACE;
  message->surface = OG_MIN(variable, d->program->surface_count - 1);
}

/* Components stand one behind the other, each for all channels, from a new register on if `aligned`. */
static void set_components(struct og_vd *d, const struct og_vx_op *op, struct og_vx_message *message, uint32_t mask,
                           bool aligned) {
  uint32_t pitch = (uint32_t)op->exec_size * message->container, count = 0;
  if (aligned)
    pitch = (uint32_t)og_align_up(pitch, d->program->grf_size);
  for (uint32_t i = 0; i < 8; i++)
    if (mask >> i & 1) {
      message->memory_offset[count] = i * message->size;
      message->register_offset[count] = count * pitch;
      count++;
    }
  message->components = (uint8_t)count;
  message->channel_step = message->container;
}

static uint32_t data_bytes(const struct og_vx_op *op, const struct og_vx_message *message) {
  return message->register_offset[message->components - 1] + (op->exec_size - 1u) * message->channel_step +
         message->container;
}

/* Shorter ways for the commonest shapes. */
static void pick_gather(struct og_vx_op *op, struct og_vx_message *message) {
  message->dwords = op->run == og_vx_run_gather && message->space != OG_VX_FLAT && message->address_size == 4 &&
                    message->scale == 1 && message->size == 4 && message->container == 4 &&
                    message->channel_step == 4 && !message->strided && message->data != OG_VX_NO_DATA &&
                    message->data % 4 == 0 && message->addresses % 4 == 0;
  for (uint32_t j = 0; j < message->components; j++)
    message->dwords &= message->memory_offset[j] == 4 * j;
  if (op->run == og_vx_run_gather && op->exec_size > 1 && message->space == OG_VX_FLAT && message->address_size == 8 &&
      message->scale == 1 && message->immediate == 0 && message->components == 1 && message->size >= 4 &&
      message->container == message->size && message->channel_step == message->size && message->data != OG_VX_NO_DATA &&
      message->addresses % 8 == 0)
    op->run = og_vx_run_gather_flat;
}

/* gather4_scaled, scatter4_scaled, gather_scaled, scatter_scaled: operands surface, offset, element offsets, data from
   `first` on; `svm` ones have no surface and 64-bit addresses. */
static bool decode_scaled(struct og_vd *d, uint32_t first, uint32_t mask, uint32_t bytes, bool store, bool svm) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = new_message(d, op);
  message->store = store;
  message->size = (uint8_t)bytes;
  message->container = 4;
  if (svm) {
    message->space = OG_VX_FLAT;
    message->address_size = 8;
  } else {
    set_surface(d, &operands[first++], message);
  }
  set_components(d, op, message, mask, true);
  uint32_t address_bytes = (uint32_t)op->exec_size * message->address_size;
  if (!og_vd_source(d, &operands[first], OG_ALU_U32, 1, og_vd_new_sources(d, op, 1)) ||
      !needed_operand(d, &operands[first + 1], address_bytes, &message->addresses) ||
      !raw_operand(d, &operands[first + 2], data_bytes(op, message), &message->data))
    return false;
  pick_gather(op, message);
  return true;
}

static bool decode_svm_gather(struct og_vd *d, uint32_t block, uint32_t blocks, bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = new_message(d, op);
  message->space = OG_VX_FLAT;
  message->address_size = 8;
  message->store = store;
  message->size = message->container = (uint8_t)block;
  if (block == 1) { /* each channel's bytes stand together, four at least */
    message->channel_step = OG_MAX(blocks, 4u);
    message->components = (uint8_t)blocks;
    for (uint32_t i = 0; i < blocks; i++)
      message->memory_offset[i] = message->register_offset[i] = i;
  } else {
    set_components(d, op, message, (1u << blocks) - 1, false);
  }
  if (!needed_operand(d, &operands[2], 8u * op->exec_size, &message->addresses) ||
      !raw_operand(d, &operands[3], data_bytes(op, message), &message->data))
    return false;
  pick_gather(op, message);
  return true;
}

/* Blocks of owords: `unit` bytes per step of the offset. */
static bool decode_block(struct og_vd *d, uint32_t owords, int surface, uint32_t offset, uint32_t data, uint32_t unit,
                         bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_block);
  struct og_vx_message *message = new_message(d, op);
  op->no_mask = true;
  op->full = 1;
  message->address_size = 0;
  message->scale = unit;
  message->store = store;
  message->block = owords * 16;
  if (surface >= 0)
    set_surface(d, &operands[surface], message);
  else
    message->space = OG_VX_FLAT;
  return og_vd_source(d, &operands[offset], og_vd_widen(og_vd_storage_type(operands[offset].type)), 1,
                      og_vd_new_sources(d, op, 1)) &&
         raw_operand(d, &operands[data], message->block, &message->data);
}

static const uint8_t atomics[OG_VISA_ATOMIC_COUNT] = {
    [OG_VISA_ATOMIC_ADD] = OG_VX_ATOMIC_ADD,     [OG_VISA_ATOMIC_SUB] = OG_VX_ATOMIC_SUB,       [OG_VISA_ATOMIC_INC] = OG_VX_ATOMIC_INC,
    [OG_VISA_ATOMIC_DEC] = OG_VX_ATOMIC_DEC,     [OG_VISA_ATOMIC_MIN] = OG_VX_ATOMIC_UMIN,      [OG_VISA_ATOMIC_MAX] = OG_VX_ATOMIC_UMAX,
    [OG_VISA_ATOMIC_XCHG] = OG_VX_ATOMIC_STORE,  [OG_VISA_ATOMIC_CMPXCHG] = OG_VX_ATOMIC_CAS,   [OG_VISA_ATOMIC_AND] = OG_VX_ATOMIC_AND,
    [OG_VISA_ATOMIC_OR] = OG_VX_ATOMIC_OR,       [OG_VISA_ATOMIC_XOR] = OG_VX_ATOMIC_XOR,       [OG_VISA_ATOMIC_IMIN] = OG_VX_ATOMIC_SMIN,
    [OG_VISA_ATOMIC_IMAX] = OG_VX_ATOMIC_SMAX,   [OG_VISA_ATOMIC_PREDEC] = OG_VX_ATOMIC_PREDEC, [OG_VISA_ATOMIC_FMAX] = OG_VX_ATOMIC_FMAX,
    [OG_VISA_ATOMIC_FMIN] = OG_VX_ATOMIC_FMIN,   [OG_VISA_ATOMIC_FCMPWR] = OG_VX_ATOMIC_FCAS,   [OG_VISA_ATOMIC_FADD] = OG_VX_ATOMIC_FADD,
    [OG_VISA_ATOMIC_FSUB] = OG_VX_ATOMIC_FSUB,
};

/* The operands of an atomic, by index: two sources and the destination. */
static bool set_atomic_data(struct og_vd *d, struct og_vx_op *op, uint32_t source0, uint32_t source1,
                            uint32_t destination) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_message *message = op->message;
  uint32_t bytes = (uint32_t)op->exec_size * message->container;
  return raw_operand(d, &operands[source0], bytes, &message->data1) &&
         raw_operand(d, &operands[source1], bytes, &message->data2) &&
         raw_operand(d, &operands[destination], bytes, &message->data);
}

static bool set_atomic(struct og_vd *d, struct og_vx_op *op, uint8_t atomic, uint32_t size, uint32_t source0,
                       uint32_t source1, uint32_t destination) {
  struct og_vx_message *message = op->message;
  if (atomic >= OG_VISA_ATOMIC_COUNT)
    return og_vd_fail(d, "atomic operation %u is not known", atomic);
  message->atomic = atomics[atomic];
  message->size = (uint8_t)size;
  message->container = message->channel_step = (uint8_t)OG_MAX(size, 4u);
  bool swaps =
      message->atomic == OG_VX_ATOMIC_CAS || message->atomic == OG_VX_ATOMIC_FCAS; /* the new value stands first */
  return set_atomic_data(d, op, swaps ? source1 : source0, swaps ? source0 : source1, destination);
}

static bool decode_atomic(struct og_vd *d, uint8_t atomic, uint32_t size, int surface, uint32_t addresses,
                          uint32_t source0, uint32_t source1, uint32_t destination) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_atomic);
  struct og_vx_message *message = new_message(d, op);
  if (surface >= 0) {
    set_surface(d, &operands[surface], message);
  } else {
    message->space = OG_VX_FLAT;
    message->address_size = 8;
  }
  return set_atomic(d, op, atomic, size, source0, source1, destination) &&
         needed_operand(d, &operands[addresses], (uint32_t)op->exec_size * message->address_size, &message->addresses);
}

/* ---- LSC --------------------------------------------------------------------------------------------------------- */

static bool lsc_space(struct og_vd *d, struct og_vx_op *op, struct og_vx_message *message) {
  const struct og_visa_lsc *lsc = d->inst->lsc;
  const struct og_visa_operand *surface = &d->inst->operands[OG_VISA_LSC_SURFACE_OPERAND];
  if (lsc->sfid == OG_VISA_SLM) {
    message->space = OG_VX_SLM;
    return true;
  }
  message->space = lsc->address_kind == OG_VISA_FLAT  ? OG_VX_FLAT
                   : lsc->address_kind == OG_VISA_BTI ? OG_VX_TABLE
                                                      : OG_VX_BINDLESS;
  if (lsc->address_kind == OG_VISA_ARG)
    return og_vd_fail(d, "the arg address model is not executed");
  if (message->space == OG_VX_FLAT)
    return true;
  if (surface->kind == OG_VISA_STATE) {
    set_surface(d, surface, message);
    return true;
  }
  return og_vd_source(d, surface, OG_ALU_U32, 1, og_vd_new_sources(d, op, 1));
}

static const uint8_t lsc_sizes[] = {[OG_VISA_D8] = 1, [OG_VISA_D16] = 2, [OG_VISA_D32] = 4, [OG_VISA_D64] = 8,
                                    [OG_VISA_D8C32] = 1, [OG_VISA_D16C32] = 2, [OG_VISA_D16C32H] = 2};

static void lsc_data(const struct og_visa_lsc *lsc, struct og_vx_message *message) {
  message->size = lsc->data_size < OG_COUNT(lsc_sizes) ? lsc_sizes[lsc->data_size] : 4;
  message->container = lsc->data_size >= OG_VISA_D8C32 ? 4 : message->size;
  message->address_size = lsc->address_size;
  message->scale = lsc->scale ? lsc->scale : 1;
  message->immediate = lsc->offset;
}

static bool decode_lsc_access(struct og_vd *d, bool store, uint32_t mask) {
  const struct og_visa_lsc *lsc = d->inst->lsc;
  const struct og_visa_operand *operands = d->inst->operands;
  const struct og_visa_operand *data = &operands[store ? OG_VISA_LSC_DATA_OPERAND : OG_VISA_LSC_DST_OPERAND];
  struct og_vx_op *op = og_vd_new_op(d, lsc->transposed ? og_vx_run_block : og_vx_run_gather);
  struct og_vx_message *message = new_message(d, op);
  lsc_data(lsc, message);
  message->store = store;
  if (!lsc_space(d, op, message))
    return false;
  uint32_t address_bytes = (uint32_t)op->exec_size * message->address_size, bytes;
  if (lsc->transposed) {
    message->block = bytes = (uint32_t)lsc->elements * message->size;
  } else {
    if (lsc->elements > 8)
      return og_vd_fail(d, "a vector of %u elements needs the transposed form", lsc->elements);
    set_components(d, op, message, mask ? mask : (1u << lsc->elements) - 1, true);
    bytes = data_bytes(op, message);
    if (lsc->data_size == OG_VISA_D16C32H) /* the value stands in the upper half */
      for (uint32_t i = 0; i < message->components; i++)
        message->register_offset[i] += 2, message->container = 2;
  }
  if (!needed_operand(d, &operands[OG_VISA_LSC_ADDRESS_OPERAND], address_bytes, &message->addresses) ||
      !raw_operand(d, data, bytes, &message->data))
    return false;
  pick_gather(op, message);
  return true;
}

/* A base and a pitch: channel i at base + i * pitch. */
static bool decode_lsc_strided(struct og_vd *d, bool store) {
  const struct og_visa_lsc *lsc = d->inst->lsc;
  const struct og_visa_operand *operands = d->inst->operands;
  if (d->inst->exec_size <= 1)
    return decode_lsc_access(d, store, 0);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = new_message(d, op);
  lsc_data(lsc, message);
  message->store = store;
  message->strided = true;
  if (lsc->elements > 8)
    return og_vd_fail(d, "a vector of %u elements needs the transposed form", lsc->elements);
  if (!lsc_space(d, op, message))
    return false;
  set_components(d, op, message, (1u << lsc->elements) - 1, true);
  struct og_vx_source *sources =
      OG_NEW_ARRAY(d->arena, struct og_vx_source, 2u); /* the surface where there is one, then the pitch */
  if (op->source_count)
    sources[0] = op->source[0];
  op->source = sources;
  return og_vd_source(d, &operands[OG_VISA_LSC_PITCH_OPERAND], OG_ALU_U32, 1, &sources[op->source_count++]) &&
         needed_operand(d, &operands[OG_VISA_LSC_ADDRESS_OPERAND], message->address_size, &message->addresses) &&
         raw_operand(d, &operands[store ? OG_VISA_LSC_DATA_OPERAND : OG_VISA_LSC_DST_OPERAND], data_bytes(op, message),
                     &message->data);
}

static bool decode_lsc_block2d(struct og_vd *d, bool store) {
  const struct og_visa_lsc *lsc = d->inst->lsc;
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_block2d);
  struct og_vx_message *message = new_message(d, op);
  lsc_data(lsc, message);
  message->store = store;
  message->blocks = lsc->blocks ? lsc->blocks : 1;
  if (lsc->block_width > 255 || lsc->block_height > 255)
    return og_vd_fail(d, "a block of %u x %u elements is too large", lsc->block_width, lsc->block_height);
  message->block_width = (uint8_t)lsc->block_width;
  message->block_height = (uint8_t)lsc->block_height;
  message->transpose = lsc->transposed;
  message->vnni = lsc->vnni && message->size < 4;
  struct og_vx_source *sources = og_vd_new_sources(d, op, 6);
  for (uint32_t i = 0; i < 6; i++) {
    const struct og_visa_operand *operand = &operands[OG_VISA_LSC_BLOCK2D_OPERAND + i];
    if (!og_vd_source(d, operand, og_vd_widen(og_vd_storage_type(operand->type)), 1, &sources[i]))
      return false;
  }
  uint32_t bytes = og_vx_block2d_bytes(message, d->program->grf_size);
  return raw_operand(d, &operands[store ? OG_VISA_LSC_DATA_OPERAND : OG_VISA_LSC_DST_OPERAND], bytes, &message->data);
}

static const uint8_t lsc_atomics[] = {
    [OG_VISA_LSC_ATOMIC_IINC] = OG_VX_ATOMIC_INC,   [OG_VISA_LSC_ATOMIC_IDEC] = OG_VX_ATOMIC_DEC,
    [OG_VISA_LSC_ATOMIC_LOAD] = OG_VX_ATOMIC_LOAD,  [OG_VISA_LSC_ATOMIC_STORE] = OG_VX_ATOMIC_STORE,
    [OG_VISA_LSC_ATOMIC_IADD] = OG_VX_ATOMIC_ADD,   [OG_VISA_LSC_ATOMIC_ISUB] = OG_VX_ATOMIC_SUB,
    [OG_VISA_LSC_ATOMIC_SMIN] = OG_VX_ATOMIC_SMIN,  [OG_VISA_LSC_ATOMIC_SMAX] = OG_VX_ATOMIC_SMAX,
    [OG_VISA_LSC_ATOMIC_UMIN] = OG_VX_ATOMIC_UMIN,  [OG_VISA_LSC_ATOMIC_UMAX] = OG_VX_ATOMIC_UMAX,
    [OG_VISA_LSC_ATOMIC_ICAS] = OG_VX_ATOMIC_CAS,   [OG_VISA_LSC_ATOMIC_FADD] = OG_VX_ATOMIC_FADD,
    [OG_VISA_LSC_ATOMIC_FSUB] = OG_VX_ATOMIC_FSUB,  [OG_VISA_LSC_ATOMIC_FMIN] = OG_VX_ATOMIC_FMIN,
    [OG_VISA_LSC_ATOMIC_FMAX] = OG_VX_ATOMIC_FMAX,  [OG_VISA_LSC_ATOMIC_FCAS] = OG_VX_ATOMIC_FCAS,
    [OG_VISA_LSC_ATOMIC_AND] = OG_VX_ATOMIC_AND,    [OG_VISA_LSC_ATOMIC_OR] = OG_VX_ATOMIC_OR,
    [OG_VISA_LSC_ATOMIC_XOR] = OG_VX_ATOMIC_XOR,
};

static bool decode_lsc_atomic(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_atomic);
  struct og_vx_message *message = new_message(d, op);
  lsc_data(d->inst->lsc, message);
  message->atomic = lsc_atomics[d->inst->sub];
  message->container = message->channel_step = (uint8_t)OG_MAX(message->size, 4);
  if (!lsc_space(d, op, message))
    return false;
  uint32_t address_bytes = (uint32_t)op->exec_size * message->address_size;
  return needed_operand(d, &operands[OG_VISA_LSC_ADDRESS_OPERAND], address_bytes, &message->addresses) &&
         set_atomic_data(d, op, OG_VISA_LSC_DATA_OPERAND, OG_VISA_LSC_DATA2_OPERAND, OG_VISA_LSC_DST_OPERAND);
}

static bool decode_lsc(struct og_vd *d) {
  switch (d->inst->sub) {
  case OG_VISA_LSC_LOAD: return decode_lsc_access(d, false, 0);
  case OG_VISA_LSC_LOAD_QUAD: return decode_lsc_access(d, false, d->inst->lsc->channels);
  case OG_VISA_LSC_LOAD_STRIDED: return decode_lsc_strided(d, false);
  case OG_VISA_LSC_LOAD_BLOCK2D: return decode_lsc_block2d(d, false);
  case OG_VISA_LSC_STORE:
  case OG_VISA_LSC_STORE_UNCOMPRESSED: return decode_lsc_access(d, true, 0);
  case OG_VISA_LSC_STORE_QUAD: return decode_lsc_access(d, true, d->inst->lsc->channels);
  case OG_VISA_LSC_STORE_STRIDED: return decode_lsc_strided(d, true);
  case OG_VISA_LSC_STORE_BLOCK2D: return decode_lsc_block2d(d, true);
  default:
    if (d->inst->sub >= OG_VISA_LSC_ATOMIC_IINC && d->inst->sub <= OG_VISA_LSC_ATOMIC_XOR)
      return decode_lsc_atomic(d);
    return og_vd_fail(d, "this LSC operation is not executed");
  }
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

static uint8_t element_size(const struct og_vd *d, const struct og_visa_operand *operand) {
  return og_visa_types[d->kernel->general.items[operand->variable].type].size;
}

/* The message's registers of u, v, r, given as operands[index[0..2]]; 0 stands for none. */
static bool set_coordinates(struct og_vd *d, struct og_vx_op *op, const uint8_t index[3], uint8_t size) {
  struct og_vx_message *message = op->message;
  message->address_size = size;
  for (uint32_t i = 0; i < 3; i++) {
    message->memory_offset[i] = OG_VX_NO_DATA;
    if (index[i] && index[i] < d->inst->operand_count &&
        !raw_operand(d, &d->inst->operands[index[i]], (uint32_t)op->exec_size * size, &message->memory_offset[i]))
      return false;
  }
  return true;
}

/* The data's registers: enabled components one behind the other, each from a new register on. */
static bool set_texels(struct og_vd *d, struct og_vx_op *op, const struct og_visa_operand *data, uint32_t mask,
                       uint8_t size) {
  struct og_vx_message *message = op->message;
  message->components = (uint8_t)mask;
  message->size = message->container = size;
  message->channel_step = (uint32_t)og_align_up((uint64_t)op->exec_size * size, d->program->grf_size);
  uint32_t count = (uint32_t)__builtin_popcount(mask);
  if (!count)
    return og_vd_fail(d, "at least one channel must be enabled");
  return raw_operand(d, data, (count - 1) * message->channel_step + (uint32_t)op->exec_size * size, &message->data);
}

/* gather4_typed, scatter4_typed: channels, surface, u, v, r, lod, data. */
static bool decode_typed(struct og_vd *d, bool store) {
  static const uint8_t coordinates[3] = {2, 3, 4};
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_typed);
  new_message(d, op)->store = store;
  set_surface(d, &operands[1], op->message);
  op->message->space = OG_VX_SURFACE;
  return set_coordinates(d, op, coordinates, 4) && set_texels(d, op, &operands[6], (uint32_t)operands[0].bits & 15, 4);
}

/* typed_atomic: surface, u, v, r, lod, two operands, destination. */
static bool decode_typed_atomic(struct og_vd *d) {
  static const uint8_t coordinates[3] = {1, 2, 3};
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_typed_atomic);
  struct og_vx_message *message = new_message(d, op);
  set_surface(d, &d->inst->operands[0], message);
  message->space = OG_VX_SURFACE;
  uint32_t bits = d->inst->atomic;
  return set_coordinates(d, op, coordinates, 4) && set_atomic(d, op, bits & 31, bits & 0x20 ? 2 : 4, 5, 6, 7);
}

/* lsc_load_quad.tgm, lsc_store_quad.tgm and atomics, at u, v, r. */
static bool decode_lsc_typed(struct og_vd *d) {
  static const uint8_t coordinates[3] = {OG_VISA_LSC_TYPED_OPERAND, OG_VISA_LSC_TYPED_OPERAND + 1,
                                         OG_VISA_LSC_TYPED_OPERAND + 2};
  const struct og_visa_lsc *lsc = d->inst->lsc;
  const struct og_visa_operand *operands = d->inst->operands;
  uint8_t sub = d->inst->sub;
  bool load = sub == OG_VISA_LSC_LOAD_QUAD, store = sub == OG_VISA_LSC_STORE_QUAD;
  bool atomic = sub >= OG_VISA_LSC_ATOMIC_IINC && sub <= OG_VISA_LSC_ATOMIC_XOR;
  if (!load && !store && !atomic)
    return og_vd_fail(d, "this typed LSC operation is not executed");
  if (lsc->data_size != OG_VISA_D32)
    return og_vd_fail(d, "typed messages are executed on d32 only");
  if (lsc->address_size != 4)
    return og_vd_fail(d, "typed messages are executed with :a32 coordinates only");
  struct og_vx_op *op = og_vd_new_op(d, atomic ? og_vx_run_typed_atomic : og_vx_run_typed);
  struct og_vx_message *message = new_message(d, op);
  if (!lsc_space(d, op, message) || !set_coordinates(d, op, coordinates, lsc->address_size))
    return false;
  message->store = store;
  if (!atomic)
    return set_texels(d, op, &operands[store ? OG_VISA_LSC_DATA_OPERAND : OG_VISA_LSC_DST_OPERAND], lsc->channels, 4);
  message->atomic = lsc_atomics[sub];
  message->size = message->container = message->channel_step = 4;
  return set_atomic_data(d, op, OG_VISA_LSC_DATA_OPERAND, OG_VISA_LSC_DATA2_OPERAND, OG_VISA_LSC_DST_OPERAND);
}

/* media_ld, media_st: modifiers, surface, plane, width, height, x, y, data. */
static bool decode_media(struct og_vd *d, bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_media);
  struct og_vx_message *message = new_message(d, op);
  uint32_t width = (uint32_t)operands[3].bits, height = (uint32_t)operands[4].bits, pitch = 4;
  if (operands[0].bits & 7 || operands[2].bits)
    return og_vd_fail(d, "blocks of one field or plane of a surface are not executed");
  if (width < 1 || width > 64 || height < 1 || height > 64)
    return og_vd_fail(d, "a media block has 1 to 64 rows of 1 to 64 bytes");
  while (pitch < width)
    pitch *= 2;
  op->no_mask = true;
  op->full = 1;
  set_surface(d, &operands[1], message);
  message->space = OG_VX_SURFACE;
  message->store = store;
  message->block_width = (uint8_t)width;
  message->block_height = (uint8_t)height;
  message->channel_step = pitch;
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  return og_vd_source(d, &operands[5], OG_ALU_U32, 1, &sources[0]) &&
         og_vd_source(d, &operands[6], OG_ALU_U32, 1, &sources[1]) &&
         raw_operand(d, &operands[7], (height - 1) * pitch + width, &message->data);
}

/* load_3d, sample_3d and their kin: operation, channels, offsets, (sampler,) surface, destination, parameters. Where u, v and r
   stand among the parameters depends on the operation. */
static bool decode_sampler_message(struct og_vd *d, bool sample) {
  static const struct {
    uint8_t sub, u, v, r; /* places from 1 on */
  } loads[] = {{7, 1, 2, 4}, {26, 1, 2, 3}},
    samples[] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 2, 3, 4}, {4, 1, 4, 7}, {24, 1, 2, 3}};
  const struct og_visa_operand *operands = d->inst->operands;
  uint32_t count = sample ? OG_COUNT(samples) : OG_COUNT(loads), k = 0, at = sample ? 4 : 3;
  while (k < count && (sample ? samples[k].sub : loads[k].sub) != (d->inst->sub & 31))
    k++;
  if (k == count)
    return og_vd_fail(
        d, "%s is not executed: of the sampler's operations those that load a texel or sample without comparing are",
        og_visa_mnemonic(d->inst));
  if (operands[0].bits & 0x20)
    return og_vd_fail(d, "the null pixel mask is not executed");
  struct og_vx_op *op = og_vd_new_op(d, sample ? og_vx_run_image_sample : og_vx_run_image_load);
  struct og_vx_message *message = new_message(d, op);
  set_surface(d, &operands[at], message);
  message->space = OG_VX_SURFACE;
  if (sample)
    message->data2 = og_vd_state(d, &operands[3]);
  const uint8_t *places = sample ? &samples[k].u : &loads[k].u;
  uint8_t index[3];
  for (uint32_t i = 0; i < 3; i++)
    index[i] = (uint8_t)(at + 1 + places[i]);
  uint8_t size = at + 2 < d->inst->operand_count ? element_size(d, &operands[at + 2]) : 4;
  return og_vd_source(d, &operands[2], OG_ALU_U32, 1, og_vd_new_sources(d, op, 1)) &&
         set_coordinates(d, op, index, size == 2 ? 2 : 4) &&
         set_texels(d, op, &operands[at + 1], (uint32_t)operands[1].bits & 15,
                    element_size(d, &operands[at + 1]) == 2 ? 2 : 4);
}

/* resinfo: operation, channels, surface, lod, destination. */
static bool decode_image_info(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  if (d->inst->sub != 10)
    return og_vd_fail(d, "sampleinfo is not executed: images have one sample");
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_image_info);
  struct og_vx_message *message = new_message(d, op);
  set_surface(d, &operands[2], message);
  message->space = OG_VX_SURFACE;
  return set_texels(d, op, &operands[4], operands[1].bits ? (uint32_t)operands[1].bits & 15 : 15, 4);
}

/* ---- the older gathers ------------------------------------------------------------------------------------------- */

/* gather, scatter: surface, global offset, offsets, data from `first` on; offsets count elements. */
static bool decode_elements(struct og_vd *d, uint32_t first, uint32_t bytes, bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = new_message(d, op);
  message->store = store;
  message->size = (uint8_t)bytes;
  message->container = 4;
  message->scale = bytes;
  message->scaled_global = true;
  set_surface(d, &operands[first], message);
  set_components(d, op, message, 1, true);
  return og_vd_source(d, &operands[first + 1], OG_ALU_U32, 1, og_vd_new_sources(d, op, 1)) &&
         needed_operand(d, &operands[first + 2], 4u * op->exec_size, &message->addresses) &&
         raw_operand(d, &operands[first + 3], data_bytes(op, message), &message->data);
}

/* qw_gather, qw_scatter: blocks, surface, offsets in bytes, data. */
static bool decode_quadwords(struct og_vd *d, bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = new_message(d, op);
  message->store = store;
  message->size = message->container = 8;
  set_surface(d, &operands[1], message);
  set_components(d, op, message, (1u << (1u << (operands[0].bits & 3))) - 1, false);
  return needed_operand(d, &operands[2], 4u * op->exec_size, &message->addresses) &&
         raw_operand(d, &operands[3], data_bytes(op, message), &message->data);
}

/* ---- dpas -------------------------------------------------------------------------------------------------------- */

static bool decode_dpas(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *operands = inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_dpas);
  struct og_vx_message *message = new_message(d, op);
  uint8_t type = og_vd_storage_type(operands[0].type);
  message->atomic = inst->dpas.weights;
  message->address_size = inst->dpas.activations;
  message->blocks = inst->dpas.depth;
  message->components = inst->dpas.count;
  message->container = og_alu_sizes[type];
  message->store = type == OG_ALU_BF16;
  if (message->components > 8 || message->blocks > 8 || op->exec_size > 16)
    return og_vd_fail(d, "dpas with depth %u, count %u on %u channels does not exist", inst->dpas.depth,
                      inst->dpas.count, op->exec_size);
  uint32_t bytes = (uint32_t)message->components * op->exec_size * message->container;
  return needed_operand(d, &operands[0], bytes, &message->data) &&
         raw_operand(d, &operands[1], bytes, &message->data1) &&
         needed_operand(d, &operands[2], message->blocks * d->program->grf_size / 8, &message->data2) &&
         needed_operand(d, &operands[3], 4, &message->addresses);
}

static bool decode_svm(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  switch (d->inst->sub) {
  case OG_VISA_SVM_BLOCK_LD: return decode_block(d, 1u << (operands[0].bits & 7), -1, 1, 2, 1, false);
  case OG_VISA_SVM_BLOCK_ST: return decode_block(d, 1u << (operands[0].bits & 7), -1, 1, 2, 1, true);
  case OG_VISA_SVM_GATHER:
  case OG_VISA_SVM_SCATTER: {
    static const uint8_t block_sizes[] = {1, 4, 8, 8}; /* by code */
    return decode_svm_gather(d, block_sizes[operands[0].bits & 3], 1u << (operands[1].bits & 3),
                             d->inst->sub == OG_VISA_SVM_SCATTER);
  }
  case OG_VISA_SVM_ATOMIC: {
    static const uint8_t sizes[] = {4, 2, 8, 4};
    uint32_t bits = d->inst->atomic;
    return decode_atomic(d, bits & 31, sizes[bits >> 5 & 3], -1, 0, 1, 2, 3);
  }
  case OG_VISA_SVM_GATHER4SCALED: return decode_scaled(d, 2, (uint32_t)operands[0].bits & 15, 4, false, true);
  case OG_VISA_SVM_SCATTER4SCALED: return decode_scaled(d, 2, (uint32_t)operands[0].bits & 15, 4, true, true);
  default: return og_vd_fail(d, "this svm operation is not executed");
  }
}

bool og_vd_message(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *operands = inst->operands;
  switch (inst->opcode) {
  case OG_VISA_OP_GATHER4_SCALED: return decode_scaled(d, 2, (uint32_t)operands[0].bits & 15, 4, false, false);
  case OG_VISA_OP_SCATTER4_SCALED: return decode_scaled(d, 2, (uint32_t)operands[0].bits & 15, 4, true, false);
  case OG_VISA_OP_GATHER_SCALED: return decode_scaled(d, 3, 1, 1u << (operands[1].bits & 3), false, false);
  case OG_VISA_OP_SCATTER_SCALED: return decode_scaled(d, 3, 1, 1u << (operands[1].bits & 3), true, false);
  case OG_VISA_OP_OWORD_LD: return decode_block(d, 1u << (operands[0].bits & 7), 2, 3, 4, 16, false);
  case OG_VISA_OP_OWORD_LD_UNALIGNED: return decode_block(d, 1u << (operands[0].bits & 7), 2, 3, 4, 1, false);
  case OG_VISA_OP_OWORD_ST: return decode_block(d, 1u << (operands[0].bits & 7), 1, 2, 3, 16, true);
  case OG_VISA_OP_DWORD_ATOMIC: {
    static const uint8_t sizes[] = {4, 2, 8, 4};
    uint32_t bits = inst->atomic;
    return decode_atomic(d, bits & 31, sizes[bits >> 5 & 3], 0, 1, 2, 3, 4);
  }
  case OG_VISA_OP_SVM: return decode_svm(d);
  case OG_VISA_OP_LSC_UNTYPED: return decode_lsc(d);
  case OG_VISA_OP_LSC_TYPED: return decode_lsc_typed(d);
  case OG_VISA_OP_GATHER: return decode_elements(d, 2, 1u << (operands[0].bits & 3), false);
  case OG_VISA_OP_SCATTER: return decode_elements(d, 1, 1u << (operands[0].bits & 3), true);
  case OG_VISA_OP_QW_GATHER: return decode_quadwords(d, false);
  case OG_VISA_OP_QW_SCATTER: return decode_quadwords(d, true);
  case OG_VISA_OP_MEDIA_LD: return decode_media(d, false);
  case OG_VISA_OP_MEDIA_ST: return decode_media(d, true);
  case OG_VISA_OP_GATHER4_TYPED: return decode_typed(d, false);
  case OG_VISA_OP_SCATTER4_TYPED: return decode_typed(d, true);
  case OG_VISA_OP_TYPED_ATOMIC: return decode_typed_atomic(d);
  case OG_VISA_OP_LOAD_3D: return decode_sampler_message(d, false);
  case OG_VISA_OP_SAMPLE_3D: return decode_sampler_message(d, true);
  case OG_VISA_OP_INFO_3D: return decode_image_info(d);
  case OG_VISA_OP_DPAS: return decode_dpas(d);
  case OG_VISA_OP_DPASW:
    return og_vd_fail(d, "dpasw is not executed: it takes half of its second source from another thread on a fused "
                         "pair of units; use dpas");
  case OG_VISA_OP_RAW_SEND:
  case OG_VISA_OP_RAW_SENDS:
    return og_vd_fail(d, "%s is not executed: what a raw message does is the hardware's, not the instruction set's",
                      og_visa_mnemonic(inst));
  default:
    return og_vd_fail(
        d, "%s is not executed: it asks for a fixed function (media, render target or URB) that compute has not",
        og_visa_mnemonic(inst));
  }
}
