/* message.c - makes operations of instructions that send messages: surfaces, blocks, gathers, atomics, LSC, dpas. Those
   about images are in image.c. */
#include "visa/decode/decoder.h"

struct og_vx_message *og_vd_new_message(struct og_vd *d, struct og_vx_op *op) {
  op->message = OG_NEW(d->arena, struct og_vx_message);
  op->message->scale = 1;
  op->message->address_size = 4;
  op->message->components = 1;
  op->message->data = op->message->data1 = op->message->data2 = OG_VX_NO_DATA;
  return op->message;
}

/* The register offset of a raw operand of `bytes`; OG_VX_NO_DATA: it is the null variable. */
bool og_vd_raw(struct og_vd *d, const struct og_visa_operand *operand, uint32_t bytes, uint32_t *offset) {
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
  if ((uint64_t)within + bytes > room)
    return og_vd_fail(d, "the message moves %u bytes from byte %u of %s, which has %u", bytes, within,
                      og_vd_variable_name(d, operand->variable), room);
  *offset = base + within;
  return true;
}

bool og_vd_needed(struct og_vd *d, const struct og_visa_operand *operand, uint32_t bytes, uint32_t *offset) {
  return og_vd_raw(d, operand, bytes, offset) &&
         (*offset != OG_VX_NO_DATA || og_vd_fail(d, "%s needs this operand: it is %%null", og_visa_mnemonic(d->inst)));
}

void og_vd_surface(struct og_vd *d, const struct og_visa_operand *operand, struct og_vx_message *message) {
  enum { T_SLM = 0, T_STATELESS = 5 };
  uint32_t variable = operand->variable;
  message->space = variable == T_SLM ? OG_VX_SLM : variable == T_STATELESS ? OG_VX_SCRATCH : OG_VX_SURFACE;
  message->surface = OG_MIN(variable, d->program->surface_count - 1);
}

/* Components are one behind the other, each for all channels, and from a new register on if `aligned`. */
bool og_vd_components(struct og_vd *d, const struct og_vx_op *op, struct og_vx_message *message, uint32_t mask,
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
  return count || og_vd_fail(d, "at least one channel must be enabled");
}

uint32_t og_vd_data_bytes(const struct og_vx_op *op, const struct og_vx_message *message) {
  return message->register_offset[message->components - 1] + (op->exec_size - 1u) * message->channel_step +
         message->container;
}

/* Faster handlers for the most common shapes. */
void og_vd_pick_gather(struct og_vx_op *op, struct og_vx_message *message) {
  message->dwords = op->run == og_vx_run_gather && message->space != OG_VX_FLAT && message->address_size == 4 &&
                    message->scale == 1 && message->size == 4 && message->container == 4 &&
                    message->channel_step == 4 && !message->strided && message->data != OG_VX_NO_DATA &&
                    message->data % 4 == 0 && message->addresses % 4 == 0;
  for (uint32_t j = 0; j < message->components; j++)
    message->dwords &= message->memory_offset[j] == 4 * j;
  if (op->run == og_vx_run_gather && op->exec_size > 1 && message->space == OG_VX_FLAT && message->address_size == 8 &&
      message->scale == 1 && message->immediate == 0 && message->components == 1 && message->memory_offset[0] == 0 &&
      op->source_count == 0 && message->size >= 4 && message->container == message->size &&
      message->channel_step == message->size && message->data != OG_VX_NO_DATA && message->data % message->size == 0 &&
      message->addresses % 8 == 0)
    op->run = og_vx_run_gather_flat;
  if (message->dwords && message->space == OG_VX_SLM && op->source_count == 0 && op->exec_size > 1)
    op->run = og_vx_run_shared_dwords;
}

/* gather4_scaled, scatter4_scaled, gather_scaled, scatter_scaled, gather, scatter: operands are surface, global offset,
   the channels' offsets, and data from `first` on. The last two count offsets in elements; `svm` ones have no surface
   but 64-bit addresses. */
enum offsets { IN_BYTES, IN_ELEMENTS, IN_ADDRESSES };
static bool decode_scaled(struct og_vd *d, uint32_t first, uint32_t mask, uint32_t bytes, bool store,
                          enum offsets offsets) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = og_vd_new_message(d, op);
  if (bytes > 4)
    return og_vd_fail(d, "elements of %u bytes do not exist", bytes);
  message->store = store;
  message->size = (uint8_t)bytes;
  message->container = 4;
  message->scaled_global = offsets == IN_ELEMENTS;
  message->scale = offsets == IN_ELEMENTS ? bytes : 1;
  if (offsets == IN_ADDRESSES) {
    message->space = OG_VX_FLAT;
    message->address_size = 8;
  } else {
    og_vd_surface(d, &operands[first++], message);
  }
  uint32_t address_bytes = (uint32_t)op->exec_size * message->address_size;
  if (!og_vd_components(d, op, message, mask, true) ||
      !og_vd_source(d, &operands[first], OG_ALU_U32, 1, og_vd_new_sources(d, op, 1)) ||
      !og_vd_needed(d, &operands[first + 1], address_bytes, &message->addresses) ||
      !og_vd_raw(d, &operands[first + 2], og_vd_data_bytes(op, message), &message->data))
    return false;
  if (message->space == OG_VX_FLAT && operands[first].kind == OG_VISA_IMMEDIATE && operands[first].bits == 0)
    op->source_count = 0; /* no global offset */
  og_vd_pick_gather(op, message);
  return true;
}

static bool decode_svm_gather(struct og_vd *d, uint32_t block, uint32_t blocks, bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = og_vd_new_message(d, op);
  message->space = OG_VX_FLAT;
  message->address_size = 8;
  message->store = store;
  message->size = message->container = (uint8_t)block;
  if (block == 1) { /* a channel's bytes stand together, at least four */
    message->channel_step = OG_MAX(blocks, 4u);
    message->components = (uint8_t)blocks;
    for (uint32_t i = 0; i < blocks; i++)
      message->memory_offset[i] = message->register_offset[i] = i;
  } else if (!og_vd_components(d, op, message, (1u << blocks) - 1, false)) {
    return false;
  }
  if (!og_vd_needed(d, &operands[2], 8u * op->exec_size, &message->addresses) ||
      !og_vd_raw(d, &operands[3], og_vd_data_bytes(op, message), &message->data))
    return false;
  og_vd_pick_gather(op, message);
  return true;
}

/* Blocks of owords; the offset counts in steps of `unit` bytes. */
static bool decode_block(struct og_vd *d, uint32_t owords, int surface, uint32_t offset, uint32_t data, uint32_t unit,
                         bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_block);
  struct og_vx_message *message = og_vd_new_message(d, op);
  op->no_mask = true;
  op->full = 1;
  message->address_size = 0;
  message->scale = unit;
  message->store = store;
  message->block = owords * 16;
  if (surface >= 0)
    og_vd_surface(d, &operands[surface], message);
  else
    message->space = OG_VX_FLAT;
  return og_vd_source(d, &operands[offset], og_vd_widen(og_vd_storage_type(operands[offset].type)), 1,
                      og_vd_new_sources(d, op, 1)) &&
         og_vd_raw(d, &operands[data], message->block, &message->data);
}

static const uint8_t atomics[OG_VISA_ATOMIC_COUNT] = {
    [OG_VISA_ATOMIC_ADD] = OG_VX_ATOMIC_ADD,     [OG_VISA_ATOMIC_SUB] = OG_VX_ATOMIC_SUB,
    [OG_VISA_ATOMIC_INC] = OG_VX_ATOMIC_INC,     [OG_VISA_ATOMIC_DEC] = OG_VX_ATOMIC_DEC,
    [OG_VISA_ATOMIC_MIN] = OG_VX_ATOMIC_UMIN,    [OG_VISA_ATOMIC_MAX] = OG_VX_ATOMIC_UMAX,
    [OG_VISA_ATOMIC_XCHG] = OG_VX_ATOMIC_STORE,  [OG_VISA_ATOMIC_CMPXCHG] = OG_VX_ATOMIC_CAS,
    [OG_VISA_ATOMIC_AND] = OG_VX_ATOMIC_AND,     [OG_VISA_ATOMIC_OR] = OG_VX_ATOMIC_OR,
    [OG_VISA_ATOMIC_XOR] = OG_VX_ATOMIC_XOR,     [OG_VISA_ATOMIC_IMIN] = OG_VX_ATOMIC_SMIN,
    [OG_VISA_ATOMIC_IMAX] = OG_VX_ATOMIC_SMAX,   [OG_VISA_ATOMIC_PREDEC] = OG_VX_ATOMIC_PREDEC,
    [OG_VISA_ATOMIC_FMAX] = OG_VX_ATOMIC_FMAX,   [OG_VISA_ATOMIC_FMIN] = OG_VX_ATOMIC_FMIN,
    [OG_VISA_ATOMIC_FCMPWR] = OG_VX_ATOMIC_FCAS, [OG_VISA_ATOMIC_FADD] = OG_VX_ATOMIC_FADD,
    [OG_VISA_ATOMIC_FSUB] = OG_VX_ATOMIC_FSUB,
};

/* The operands of an atomic, by their indices: two sources and the destination. */
bool og_vd_atomic_data(struct og_vd *d, struct og_vx_op *op, uint32_t source0, uint32_t source1, uint32_t destination) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_message *message = op->message;
  uint32_t bytes = (uint32_t)op->exec_size * message->container;
  return og_vd_raw(d, &operands[source0], bytes, &message->data1) &&
         og_vd_raw(d, &operands[source1], bytes, &message->data2) &&
         og_vd_raw(d, &operands[destination], bytes, &message->data);
}

bool og_vd_atomic(struct og_vd *d, struct og_vx_op *op, uint8_t atomic, uint32_t size, uint32_t source0,
                  uint32_t source1, uint32_t destination) {
  struct og_vx_message *message = op->message;
  if (atomic >= OG_VISA_ATOMIC_COUNT)
    return og_vd_fail(d, "atomic operation %u is not known", atomic);
  message->atomic = atomics[atomic];
  message->size = (uint8_t)size;
  message->container = message->channel_step = (uint8_t)OG_MAX(size, 4u);
  bool swaps =
      message->atomic == OG_VX_ATOMIC_CAS || message->atomic == OG_VX_ATOMIC_FCAS; /* the new value stands first */
  return og_vd_atomic_data(d, op, swaps ? source1 : source0, swaps ? source0 : source1, destination);
}

static bool decode_atomic(struct og_vd *d, uint8_t atomic, uint32_t size, int surface, uint32_t addresses,
                          uint32_t source0, uint32_t source1, uint32_t destination) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_atomic);
  struct og_vx_message *message = og_vd_new_message(d, op);
  if (surface >= 0) {
    og_vd_surface(d, &operands[surface], message);
  } else {
    message->space = OG_VX_FLAT;
    message->address_size = 8;
  }
  return og_vd_atomic(d, op, atomic, size, source0, source1, destination) &&
         og_vd_needed(d, &operands[addresses], (uint32_t)op->exec_size * message->address_size, &message->addresses);
}

/* ---- LSC --------------------------------------------------------------------------------------------------------- */

bool og_vd_lsc_space(struct og_vd *d, struct og_vx_op *op, struct og_vx_message *message) {
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
    og_vd_surface(d, surface, message);
    return true;
  }
  return og_vd_source(d, surface, OG_ALU_U32, 1, og_vd_new_sources(d, op, 1));
}

static const uint8_t lsc_sizes[] = {
    [0] = 4,           [OG_VISA_D8] = 1,    [OG_VISA_D16] = 2,    [OG_VISA_D32] = 4,
    [OG_VISA_D64] = 8, [OG_VISA_D8C32] = 1, [OG_VISA_D16C32] = 2, [OG_VISA_D16C32H] = 2};

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
  struct og_vx_message *message = og_vd_new_message(d, op);
  lsc_data(lsc, message);
  message->store = store;
  if (!og_vd_lsc_space(d, op, message))
    return false;
  uint32_t address_bytes = (uint32_t)op->exec_size * message->address_size, bytes;
  if (lsc->transposed) {
    message->block = bytes = (uint32_t)lsc->elements * message->size;
  } else {
    if (lsc->elements > 8)
      return og_vd_fail(d, "a vector of %u elements needs the transposed form", lsc->elements);
    if (!og_vd_components(d, op, message, mask ? mask : (1u << lsc->elements) - 1, true))
      return false;
    bytes = og_vd_data_bytes(op, message);
    if (lsc->data_size == OG_VISA_D16C32H) /* the value stands in the upper half */
      for (uint32_t i = 0; i < message->components; i++)
        message->register_offset[i] += 2, message->container = 2;
  }
  if (!og_vd_needed(d, &operands[OG_VISA_LSC_ADDRESS_OPERAND], address_bytes, &message->addresses) ||
      !og_vd_raw(d, data, bytes, &message->data))
    return false;
  og_vd_pick_gather(op, message);
  return true;
}

/* A base and a pitch: channel i is at base + i * pitch. */
static bool decode_lsc_strided(struct og_vd *d, bool store) {
  const struct og_visa_lsc *lsc = d->inst->lsc;
  const struct og_visa_operand *operands = d->inst->operands;
  if (d->inst->exec_size <= 1)
    return decode_lsc_access(d, store, 0);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = og_vd_new_message(d, op);
  lsc_data(lsc, message);
  message->store = store;
  message->strided = true;
  if (lsc->elements > 8)
    return og_vd_fail(d, "a vector of %u elements needs the transposed form", lsc->elements);
  if (!og_vd_lsc_space(d, op, message) || !og_vd_components(d, op, message, (1u << lsc->elements) - 1, true))
    return false;
  struct og_vx_source *sources =
      OG_NEW_ARRAY(d->arena, struct og_vx_source, 2u); /* the surface, if there is one, then the pitch */
  if (op->source_count)
    sources[0] = op->source[0];
  op->source = sources;
  return og_vd_source(d, &operands[OG_VISA_LSC_PITCH_OPERAND], OG_ALU_U32, 1, &sources[op->source_count++]) &&
         og_vd_needed(d, &operands[OG_VISA_LSC_ADDRESS_OPERAND], message->address_size, &message->addresses) &&
         og_vd_raw(d, &operands[store ? OG_VISA_LSC_DATA_OPERAND : OG_VISA_LSC_DST_OPERAND],
                   og_vd_data_bytes(op, message), &message->data);
}

static bool decode_lsc_block2d(struct og_vd *d, bool store) {
  const struct og_visa_lsc *lsc = d->inst->lsc;
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_block2d);
  struct og_vx_message *message = og_vd_new_message(d, op);
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
  return og_vd_raw(d, &operands[store ? OG_VISA_LSC_DATA_OPERAND : OG_VISA_LSC_DST_OPERAND], bytes, &message->data);
}

const uint8_t og_vd_lsc_atomics[OG_VISA_LSC_ATOMIC_XOR + 1] = {
    [OG_VISA_LSC_ATOMIC_IINC] = OG_VX_ATOMIC_INC,  [OG_VISA_LSC_ATOMIC_IDEC] = OG_VX_ATOMIC_DEC,
    [OG_VISA_LSC_ATOMIC_LOAD] = OG_VX_ATOMIC_LOAD, [OG_VISA_LSC_ATOMIC_STORE] = OG_VX_ATOMIC_STORE,
    [OG_VISA_LSC_ATOMIC_IADD] = OG_VX_ATOMIC_ADD,  [OG_VISA_LSC_ATOMIC_ISUB] = OG_VX_ATOMIC_SUB,
    [OG_VISA_LSC_ATOMIC_SMIN] = OG_VX_ATOMIC_SMIN, [OG_VISA_LSC_ATOMIC_SMAX] = OG_VX_ATOMIC_SMAX,
    [OG_VISA_LSC_ATOMIC_UMIN] = OG_VX_ATOMIC_UMIN, [OG_VISA_LSC_ATOMIC_UMAX] = OG_VX_ATOMIC_UMAX,
    [OG_VISA_LSC_ATOMIC_ICAS] = OG_VX_ATOMIC_CAS,  [OG_VISA_LSC_ATOMIC_FADD] = OG_VX_ATOMIC_FADD,
    [OG_VISA_LSC_ATOMIC_FSUB] = OG_VX_ATOMIC_FSUB, [OG_VISA_LSC_ATOMIC_FMIN] = OG_VX_ATOMIC_FMIN,
    [OG_VISA_LSC_ATOMIC_FMAX] = OG_VX_ATOMIC_FMAX, [OG_VISA_LSC_ATOMIC_FCAS] = OG_VX_ATOMIC_FCAS,
    [OG_VISA_LSC_ATOMIC_AND] = OG_VX_ATOMIC_AND,   [OG_VISA_LSC_ATOMIC_OR] = OG_VX_ATOMIC_OR,
    [OG_VISA_LSC_ATOMIC_XOR] = OG_VX_ATOMIC_XOR,
};

static bool decode_lsc_atomic(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_atomic);
  struct og_vx_message *message = og_vd_new_message(d, op);
  lsc_data(d->inst->lsc, message);
  message->atomic = og_vd_lsc_atomics[d->inst->sub];
  message->container = message->channel_step = (uint8_t)OG_MAX(message->size, 4);
  if (!og_vd_lsc_space(d, op, message))
    return false;
  uint32_t address_bytes = (uint32_t)op->exec_size * message->address_size;
  return og_vd_needed(d, &operands[OG_VISA_LSC_ADDRESS_OPERAND], address_bytes, &message->addresses) &&
         og_vd_atomic_data(d, op, OG_VISA_LSC_DATA_OPERAND, OG_VISA_LSC_DATA2_OPERAND, OG_VISA_LSC_DST_OPERAND);
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

/* ---- the older gathers ------------------------------------------------------------------------------------------- */

/* qw_gather, qw_scatter: blocks, surface, offsets in bytes, data. */
static bool decode_quadwords(struct og_vd *d, bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = og_vd_new_message(d, op);
  message->store = store;
  message->size = message->container = 8;
  if (operands[0].bits > 2)
    return og_vd_fail(d, "%s moves 1, 2 or 4 blocks", og_visa_mnemonic(d->inst));
  og_vd_surface(d, &operands[1], message);
  return og_vd_components(d, op, message, (1u << (1u << (operands[0].bits & 3))) - 1, false) &&
         og_vd_needed(d, &operands[2], 4u * op->exec_size, &message->addresses) &&
         og_vd_raw(d, &operands[3], og_vd_data_bytes(op, message), &message->data);
}

/* ---- dpas -------------------------------------------------------------------------------------------------------- */

static bool decode_dpas(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *operands = inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, inst->opcode == OG_VISA_OP_DPASW ? og_vx_run_dpasw : og_vx_run_dpas);
  struct og_vx_message *message = og_vd_new_message(d, op);
  uint8_t type = og_vd_storage_type(operands[0].type);
  message->atomic = inst->dpas.weights;
  message->address_size = inst->dpas.activations;
  message->blocks = inst->dpas.depth;
  message->components = inst->dpas.count;
  message->container = og_alu_sizes[type];
  message->store = type == OG_ALU_BF16;
  bool floats = message->atomic >= OG_VISA_BF16 && message->address_size >= OG_VISA_BF16,
       integers = message->atomic < OG_VISA_BF16 && message->address_size < OG_VISA_BF16;
  if (!message->atomic || !message->address_size || message->atomic > OG_VISA_TF32 ||
      message->address_size > OG_VISA_TF32 || (!floats && !integers) ||
      og_alu_sizes[type] != (floats && type != OG_ALU_F32 ? 2 : 4))
    return og_vd_fail(d, "dpas of these precisions does not exist");
  if (message->components < 1 || message->components > 8 || message->blocks < 1 || message->blocks > 8 ||
      op->exec_size > 16)
    return og_vd_fail(d, "dpas with depth %u, count %u on %u channels does not exist", inst->dpas.depth,
                      inst->dpas.count, op->exec_size);
  uint32_t bytes = (uint32_t)message->components * op->exec_size * message->container,
           activations = og_vx_dpas_activation_bytes(message);
  if (inst->opcode == OG_VISA_OP_DPASW) /* half of the registers, rounded up */
    activations = (activations + 2 * d->program->grf_size - 1) / (2 * d->program->grf_size) * d->program->grf_size;
  return og_vd_needed(d, &operands[0], bytes, &message->data) && og_vd_raw(d, &operands[1], bytes, &message->data1) &&
         og_vd_needed(d, &operands[2], og_vx_dpas_weight_bytes(message, op->exec_size, d->program->grf_size),
                      &message->data2) &&
         og_vd_needed(d, &operands[3], activations, &message->addresses) &&
         ((message->data % message->container == 0 &&
           (message->data1 == OG_VX_NO_DATA || message->data1 % message->container == 0)) ||
          og_vd_fail(d, "dpas needs operands that are aligned to their type"));
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
  case OG_VISA_SVM_GATHER4SCALED: return decode_scaled(d, 2, (uint32_t)operands[0].bits & 15, 4, false, IN_ADDRESSES);
  case OG_VISA_SVM_SCATTER4SCALED: return decode_scaled(d, 2, (uint32_t)operands[0].bits & 15, 4, true, IN_ADDRESSES);
  default: return og_vd_fail(d, "this svm operation is not executed");
  }
}

bool og_vd_message(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *operands = inst->operands;
  switch (inst->opcode) {
  case OG_VISA_OP_GATHER4_SCALED: return decode_scaled(d, 2, (uint32_t)operands[0].bits & 15, 4, false, IN_BYTES);
  case OG_VISA_OP_SCATTER4_SCALED: return decode_scaled(d, 2, (uint32_t)operands[0].bits & 15, 4, true, IN_BYTES);
  case OG_VISA_OP_GATHER_SCALED: return decode_scaled(d, 3, 1, 1u << (operands[1].bits & 3), false, IN_BYTES);
  case OG_VISA_OP_SCATTER_SCALED: return decode_scaled(d, 3, 1, 1u << (operands[1].bits & 3), true, IN_BYTES);
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
  case OG_VISA_OP_GATHER: return decode_scaled(d, 2, 1, 1u << (operands[0].bits & 3), false, IN_ELEMENTS);
  case OG_VISA_OP_SCATTER: return decode_scaled(d, 1, 1, 1u << (operands[0].bits & 3), true, IN_ELEMENTS);
  case OG_VISA_OP_QW_GATHER: return decode_quadwords(d, false);
  case OG_VISA_OP_QW_SCATTER: return decode_quadwords(d, true);
  case OG_VISA_OP_DPAS:
  case OG_VISA_OP_DPASW: return decode_dpas(d);
  case OG_VISA_OP_RAW_SEND:
  case OG_VISA_OP_RAW_SENDS: return og_vd_raw_send(d);
  default: return og_vd_image(d);
  }
}
