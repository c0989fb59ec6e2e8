/* image.c - makes operations of instructions that send messages about images: typed ones, media blocks, the sampler. */
#include "visa/decode/decoder.h"

static uint8_t element_size(const struct og_vd *d, const struct og_visa_operand *operand) {
  if (operand->variable >= d->kernel->general.count)
    return 4; /* og_vd_raw() reports that */
  return og_visa_types[d->kernel->general.items[operand->variable].type].size;
}

/* The registers of a message's `count` parameters, given as operands[index[i]]; index 0: there is none. */
static bool set_parameters(struct og_vd *d, struct og_vx_op *op, const uint8_t *index, uint32_t count, uint8_t size) {
  struct og_vx_message *message = op->message;
  message->address_size = size;
  for (uint32_t i = 0; i < OG_VX_PARAMETERS; i++) {
    message->memory_offset[i] = OG_VX_NO_DATA;
    if (i < count && index[i] && index[i] < d->inst->operand_count &&
        !og_vd_raw(d, &d->inst->operands[index[i]], (uint32_t)op->exec_size * size, &message->memory_offset[i]))
      return false;
  }
  return true;
}

/* The data's registers: enabled components one behind the other, each from a new register on, then those of the null
   mask. */
static bool set_texels(struct og_vd *d, struct og_vx_op *op, const struct og_visa_operand *data, uint32_t mask,
                       uint8_t size) {
  struct og_vx_message *message = op->message;
  message->components = (uint8_t)mask;
  message->size = message->container = size;
  message->channel_step = (uint32_t)og_align_up((uint64_t)op->exec_size * size, d->program->grf_size);
  uint32_t count = (uint32_t)__builtin_popcount(mask);
  if (!count)
    return og_vd_fail(d, "at least one channel must be enabled");
  uint32_t bytes = message->null_mask ? count * message->channel_step + 4
                                      : (count - 1) * message->channel_step + (uint32_t)op->exec_size * size;
  return og_vd_raw(d, data, bytes, &message->data);
}

/* gather4_typed, scatter4_typed: channels, surface, u, v, r, lod, data. */
static bool decode_typed(struct og_vd *d, bool store) {
  static const uint8_t coordinates[3] = {2, 3, 4};
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_typed);
  og_vd_new_message(d, op)->store = store;
  og_vd_surface(d, &operands[1], op->message);
  op->message->space = OG_VX_SURFACE;
  return set_parameters(d, op, coordinates, 3, 4) &&
         set_texels(d, op, &operands[6], (uint32_t)operands[0].bits & 15, 4);
}

/* typed_atomic: surface, u, v, r, lod, two operands, destination. */
static bool decode_typed_atomic(struct og_vd *d) {
  static const uint8_t coordinates[3] = {1, 2, 3};
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_typed_atomic);
  struct og_vx_message *message = og_vd_new_message(d, op);
  og_vd_surface(d, &d->inst->operands[0], message);
  message->space = OG_VX_SURFACE;
  uint32_t bits = d->inst->atomic;
  return set_parameters(d, op, coordinates, 3, 4) && og_vd_atomic(d, op, bits & 31, bits & 0x20 ? 2 : 4, 5, 6, 7);
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
  struct og_vx_message *message = og_vd_new_message(d, op);
  if (!og_vd_lsc_space(d, op, message) || !set_parameters(d, op, coordinates, 3, lsc->address_size))
    return false;
  if (message->space != OG_VX_TABLE && message->space != OG_VX_BINDLESS && message->space != OG_VX_SURFACE)
    return og_vd_fail(d, "typed messages need an image's surface");
  message->store = store;
  if (!atomic)
    return set_texels(d, op, &operands[store ? OG_VISA_LSC_DATA_OPERAND : OG_VISA_LSC_DST_OPERAND], lsc->channels, 4);
  message->atomic = og_vd_lsc_atomics[sub];
  message->size = message->container = message->channel_step = 4;
  return og_vd_atomic_data(d, op, OG_VISA_LSC_DATA_OPERAND, OG_VISA_LSC_DATA2_OPERAND, OG_VISA_LSC_DST_OPERAND);
}

/* media_ld, media_st: modifiers, surface, plane, width, height, x, y, data. */
static bool decode_media(struct og_vd *d, bool store) {
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_media);
  struct og_vx_message *message = og_vd_new_message(d, op);
  uint32_t width = (uint32_t)operands[3].bits, height = (uint32_t)operands[4].bits, pitch = 4;
  if (operands[0].bits & 7 || operands[2].bits)
    return og_vd_fail(d, "blocks of one field or plane of a surface are not executed");
  if (width < 1 || width > 64 || height < 1 || height > 64)
    return og_vd_fail(d, "a media block has 1 to 64 rows of 1 to 64 bytes");
  while (pitch < width)
    pitch *= 2;
  op->no_mask = true;
  op->full = 1;
  og_vd_surface(d, &operands[1], message);
  message->space = OG_VX_SURFACE;
  message->store = store;
  message->block_width = (uint8_t)width;
  message->block_height = (uint8_t)height;
  message->channel_step = pitch;
  struct og_vx_source *sources = og_vd_new_sources(d, op, 2);
  return og_vd_source(d, &operands[5], OG_ALU_U32, 1, &sources[0]) &&
         og_vd_source(d, &operands[6], OG_ALU_U32, 1, &sources[1]) &&
         og_vd_raw(d, &operands[7], (height - 1) * pitch + width, &message->data);
}

/* What the registers of a sampler message hold, by its operation: from 1 on the places of u, v, r, and of what else it
   has (see OG_VX_PARAMETER_*); 0: it has none. Biases, levels and gradients do not matter, as there is one level. */
struct sampler_form {
  uint8_t sub, kind, parameters[OG_VX_PARAMETERS];
};
enum { C = OG_VX_SAMPLE_COMPARE, G = OG_VX_SAMPLE_GATHER, O = OG_VX_SAMPLE_OFFSETS, L = OG_VX_SAMPLE_LEVEL };
static const struct sampler_form samples[] = {{0, 0, {1, 2, 3}},
                                              {1, 0, {2, 3, 4}},
                                              {2, 0, {2, 3, 4}},
                                              {3, C, {2, 3, 4, 1}},
                                              {4, 0, {1, 4, 7}},
                                              {5, C, {3, 4, 5, 1}},
                                              {6, C, {3, 4, 5, 1}},
                                              {8, G, {1, 2, 3}},
                                              {9, L, {1, 2, 3}},
                                              {16, G | C, {2, 3, 4, 1}},
                                              {17, G | O, {1, 2, 5, 0, 3, 4}},
                                              {18, G | O | C, {2, 3, 6, 1, 4, 5}},
                                              {20, C, {2, 5, 8, 1}},
                                              {24, 0, {1, 2, 3}},
                                              {25, C, {2, 3, 4, 1}}};
static const struct sampler_form loads[] = {{7, OG_VX_LOAD_TEXEL, {1, 2, 4}},
                                            {26, OG_VX_LOAD_TEXEL, {1, 2, 3}},
                                            {28, OG_VX_LOAD_SAMPLE, {4, 5, 6, 1}},
                                            {29, OG_VX_LOAD_MCS, {1, 2, 3}}};

static const struct sampler_form *find_form(const struct sampler_form *forms, size_t count, uint8_t sub) {
  for (size_t i = 0; i < count; i++)
    if (forms[i].sub == sub)
      return &forms[i];
  return NULL;
}

/* load_3d, sample_3d, sample4 and their kin: operation, channels, offsets, (sampler,) surface, destination,
   parameters. */
static bool decode_sampler_message(struct og_vd *d, bool sample) {
  const struct og_visa_operand *operands = d->inst->operands;
  const struct sampler_form *form = sample ? find_form(samples, OG_COUNT(samples), d->inst->sub & 31)
                                           : find_form(loads, OG_COUNT(loads), d->inst->sub & 31);
  uint32_t at = sample ? 4 : 3;
  if (!form)
    return og_vd_fail(d, "%s is not executed", og_visa_mnemonic(d->inst));
  struct og_vx_op *op = og_vd_new_op(d, sample ? og_vx_run_image_sample : og_vx_run_image_load);
  struct og_vx_message *message = og_vd_new_message(d, op);
  if (sample && form->kind & OG_VX_SAMPLE_LEVEL && op->exec_size % 4)
    return og_vd_fail(d, "%s works on groups of four channels", og_visa_mnemonic(d->inst));
  op->kind = form->kind;
  op->extra = (uint32_t)operands[1].bits & 3; /* of gathers: the channel */
  og_vd_surface(d, &operands[at], message);
  message->space = OG_VX_SURFACE;
  message->null_mask = operands[0].bits >> 5 & 1;
  if (sample)
    message->data2 = og_vd_state(d, &operands[3]);
  bool wide_mcs = false; /* halves of an MCS are in four registers of words, not in two of dwords */
  uint8_t size = at + 2 < d->inst->operand_count ? element_size(d, &operands[at + 2]) : 4, index[OG_VX_PARAMETERS];
  wide_mcs = form->kind == OG_VX_LOAD_SAMPLE && !sample && size == 2;
  for (uint32_t i = 0; i < OG_VX_PARAMETERS; i++)
    index[i] = form->parameters[i] ? (uint8_t)(at + 1 + form->parameters[i] + (wide_mcs && i < 3 ? 2 : 0)) : 0;
  return og_vd_source(d, &operands[2], OG_ALU_U32, 1, og_vd_new_sources(d, op, 1)) &&
         set_parameters(d, op, index, OG_VX_PARAMETERS, size == 2 ? 2 : 4) &&
         set_texels(d, op, &operands[at + 1],
                    sample && form->kind & OG_VX_SAMPLE_GATHER ? 15 : (uint32_t)operands[1].bits & 15,
                    element_size(d, &operands[at + 1]) == 2 ? 2 : 4);
}

/* sample: channels and width, sampler, surface, u, v, r, destination; load has no sampler. The width is the execution
   size, and all of its channels run. */
static bool decode_media_sampler(struct og_vd *d, bool sample) {
  static const struct og_visa_operand no_offsets = {.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UW};
  const struct og_visa_operand *operands = d->inst->operands;
  uint8_t at = sample ? 3 : 2;
  const uint8_t index[3] = {at, (uint8_t)(at + 1), (uint8_t)(at + 2)};
  struct og_vx_op *op = og_vd_new_op(d, sample ? og_vx_run_image_sample : og_vx_run_image_load);
  struct og_vx_message *message = og_vd_new_message(d, op);
  op->exec_size = (uint8_t)(8u << (operands[0].bits >> 4 & 3));
  if (op->exec_size > OG_VX_CHANNELS)
    return og_vd_fail(d, "%u channels do not exist", op->exec_size);
  op->full = op->exec_size == 32 ? ~0u : (1u << op->exec_size) - 1;
  op->no_mask = true;
  og_vd_surface(d, &operands[at - 1], message);
  message->space = OG_VX_SURFACE;
  if (sample)
    message->data2 = og_vd_state(d, &operands[1]);
  return og_vd_source(d, &no_offsets, OG_ALU_U32, 1, og_vd_new_sources(d, op, 1)) &&
         set_parameters(d, op, index, 3, 4) && set_texels(d, op, &operands[at + 3], (uint32_t)operands[0].bits & 15, 4);
}

/* resinfo: operation, channels, surface, lod, destination; sampleinfo the same without a level. */
static bool decode_image_info(struct og_vd *d) {
  enum { RESINFO = 10 };
  const struct og_visa_operand *operands = d->inst->operands;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_image_info);
  struct og_vx_message *message = og_vd_new_message(d, op);
  op->kind = d->inst->sub != RESINFO;
  og_vd_surface(d, &operands[2], message);
  message->space = OG_VX_SURFACE;
  return set_texels(d, op, &operands[4], operands[1].bits ? (uint32_t)operands[1].bits & 15 : 15, 4);
}

bool og_vd_image(struct og_vd *d) {
  switch (d->inst->opcode) {
  case OG_VISA_OP_LSC_TYPED: return decode_lsc_typed(d);
  case OG_VISA_OP_MEDIA_LD: return decode_media(d, false);
  case OG_VISA_OP_MEDIA_ST: return decode_media(d, true);
  case OG_VISA_OP_GATHER4_TYPED: return decode_typed(d, false);
  case OG_VISA_OP_SCATTER4_TYPED: return decode_typed(d, true);
  case OG_VISA_OP_TYPED_ATOMIC: return decode_typed_atomic(d);
  case OG_VISA_OP_SAMPLE: return decode_media_sampler(d, true);
  case OG_VISA_OP_LOAD: return decode_media_sampler(d, false);
  case OG_VISA_OP_LOAD_3D: return decode_sampler_message(d, false);
  case OG_VISA_OP_SAMPLE_3D:
  case OG_VISA_OP_GATHER4_3D: return decode_sampler_message(d, true);
  case OG_VISA_OP_INFO_3D: return decode_image_info(d);
  default:
    return og_vd_fail(
        d, "%s is not executed: it asks for a fixed function (media, render target or URB) that compute has not",
        og_visa_mnemonic(d->inst));
  }
}
