/* raw.c - raw_send and raw_sends: takes the message descriptor apart and makes the same operation as for the structured
   instruction. Descriptors are those of the programmer's reference manuals of Skylake to Ponte Vecchio, "Shared
   Functions": data cache ports 0 and 1, the load/store cache, the gateway. Others are refused by name. */
#include "visa/decode/decoder.h"

enum { GATEWAY = 3, SPAWNER = 7, PORT0 = 10, PORT1 = 12, TYPED_CACHE = 13, SLM_CACHE = 14, GLOBAL_CACHE = 15 };

static const char *const function_names[16] = {"the null function",
                                               "the low-priority global cache",
                                               "the sampler",
                                               "the message gateway",
                                               "the sampler's cache",
                                               "the render cache",
                                               "URB",
                                               "the thread spawner",
                                               "VME",
                                               "the constant cache",
                                               "data cache port 0",
                                               "the pixel interpolator",
                                               "data cache port 1",
                                               "the typed cache",
                                               "the SLM cache",
                                               "the global cache"};

struct raw {
  uint32_t function, descriptor, extended;
  struct og_visa_operand payload, data, response; /* data: where the second payload stands, or the null variable */
  bool split;
};

enum kind { UNTYPED, BYTES, ATOMIC, BLOCK, FENCE };
struct form {
  uint8_t function, type, kind;
  bool wide /* 64-bit addresses */, store;
};
static const struct form forms[] = {
    {PORT0, 0x00, BLOCK, false, false},   {PORT0, 0x01, BLOCK, false, false},  {PORT0, 0x04, BYTES, false, false},
    {PORT0, 0x07, FENCE, false, false},   {PORT0, 0x08, BLOCK, false, true},   {PORT0, 0x0c, BYTES, false, true},
    {PORT1, 0x01, UNTYPED, false, false}, {PORT1, 0x02, ATOMIC, false, false}, {PORT1, 0x09, UNTYPED, false, true},
    {PORT1, 0x10, BYTES, true, false},    {PORT1, 0x11, UNTYPED, true, false}, {PORT1, 0x12, ATOMIC, true, false},
    {PORT1, 0x14, BLOCK, true, false},    {PORT1, 0x15, BLOCK, true, true},    {PORT1, 0x19, UNTYPED, true, true},
    {PORT1, 0x1a, BYTES, true, true},
};

static uint32_t field(uint32_t bits, unsigned high, unsigned low) { return bits >> low & ((2u << (high - low)) - 1); }

static bool refuse(struct og_vd *d, const struct raw *raw, uint32_t type) {
  return og_vd_fail(d, "%s: message type 0x%x to %s is not executed", og_visa_mnemonic(d->inst), type,
                    function_names[raw->function & 15]);
}

/* Offsets have 16 bits in the file. */
static struct og_visa_operand moved(struct og_visa_operand operand, uint32_t bytes) {
  operand.offset += (int32_t)bytes;
  return operand;
}

static uint32_t registers_of(const struct og_vd *d, uint32_t element) {
  return (uint32_t)og_align_up((uint64_t)d->inst->exec_size * element, d->program->grf_size);
}

/* What stands behind `bytes` of addresses: the second payload, or the rest of the first. */
static struct og_visa_operand after(const struct raw *raw, uint32_t bytes) {
  return raw->split ? raw->data : moved(raw->payload, bytes);
}

/* The entry of the binding table that the descriptor names; flat memory for 64-bit addresses. */
static bool set_space(struct og_vd *d, struct og_vx_op *op, const struct raw *raw, const struct form *form) {
  struct og_visa_operand index = {.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UD, .bits = raw->descriptor & 0xff};
  op->message->space = form->wide ? OG_VX_FLAT : OG_VX_TABLE;
  op->message->address_size = form->wide ? 8 : 4;
  op->message->store = form->store;
  return form->wide || og_vd_source(d, &index, OG_ALU_U32, 1, og_vd_new_sources(d, op, 1));
}

/* Untyped reads and writes of dwords, of up to four components, and of single bytes, words and dwords. */
static bool decode_access(struct og_vd *d, const struct raw *raw, const struct form *form) {
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_gather);
  struct og_vx_message *message = og_vd_new_message(d, op);
  uint32_t addresses = registers_of(d, form->wide ? 8 : 4), mask = 1;
  const struct og_visa_operand data = form->store ? after(raw, addresses) : raw->response;
  if (!set_space(d, op, raw, form))
    return false;
  message->size = message->container = 4;
  if (form->kind == UNTYPED) {
    mask = ~field(raw->descriptor, 11, 8) & 15;
    if (field(raw->descriptor, 13, 12) != (d->inst->exec_size == 16 ? 1 : 2) || !mask)
      return og_vd_fail(d, "the descriptor's SIMD mode or channel mask does not suit %u channels", d->inst->exec_size);
  } else {
    message->size = (uint8_t)(1u << field(raw->descriptor, 11, 10));
    if (message->size == 8 || (form->wide && field(raw->descriptor, 9, 8) != 0))
      return refuse(d, raw, form->type);
  }
  if (!og_vd_components(d, op, message, mask, true) ||
      !og_vd_needed(d, &raw->payload, addresses, &message->addresses) ||
      !og_vd_raw(d, &data, og_vd_data_bytes(op, message), &message->data))
    return false;
  og_vd_pick_gather(op, message);
  return true;
}

/* Integer atomics, by the code of the operation in the descriptor. */
static bool decode_atomic(struct og_vd *d, const struct raw *raw, const struct form *form) {
  enum { REVERSE_SUBTRACT = 9 };
  static const uint8_t operations[16] = {
      [1] = OG_VX_ATOMIC_AND,   [2] = OG_VX_ATOMIC_OR,     [3] = OG_VX_ATOMIC_XOR,   [4] = OG_VX_ATOMIC_STORE,
      [5] = OG_VX_ATOMIC_INC,   [6] = OG_VX_ATOMIC_DEC,    [7] = OG_VX_ATOMIC_ADD,   [8] = OG_VX_ATOMIC_SUB,
      [10] = OG_VX_ATOMIC_SMAX, [11] = OG_VX_ATOMIC_SMIN,  [12] = OG_VX_ATOMIC_UMAX, [13] = OG_VX_ATOMIC_UMIN,
      [14] = OG_VX_ATOMIC_CAS,  [15] = OG_VX_ATOMIC_PREDEC};
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_atomic);
  struct og_vx_message *message = og_vd_new_message(d, op);
  uint32_t code = field(raw->descriptor, 11, 8), size = form->wide && field(raw->descriptor, 12, 12) ? 8 : 4;
  bool single = code == 5 || code == 6 || code == 15, two = code == 14; /* operands: none, two, else one */
  if (code == 0 || code == REVERSE_SUBTRACT)
    return og_vd_fail(d, "atomic operation %u is not executed", code);
  if (!set_space(d, op, raw, form))
    return false;
  message->atomic = operations[code];
  message->size = message->container = (uint8_t)size;
  message->channel_step = size;
  uint32_t addresses = registers_of(d, form->wide ? 8 : 4), bytes = (uint32_t)d->inst->exec_size * size;
  struct og_visa_operand first = after(raw, addresses), second = moved(first, registers_of(d, size));
  return og_vd_needed(d, &raw->payload, addresses, &message->addresses) &&
         (single || og_vd_raw(d, &first, bytes, &message->data1)) &&
         (!two || og_vd_raw(d, &second, bytes, &message->data2)) &&
         (!field(raw->descriptor, 13, 13) || og_vd_raw(d, &raw->response, bytes, &message->data));
}

/* Blocks of owords. The header's third dword has the offset, in owords unless the message is unaligned; or its first
   two dwords have the address. */
static bool decode_block(struct og_vd *d, const struct raw *raw, const struct form *form) {
  enum { UNALIGNED = 1, OFFSET_AT = 8 };
  static const uint8_t owords[8] = {1, 0, 2, 4, 8, 16};
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_block);
  struct og_vx_message *message = og_vd_new_message(d, op);
  const struct og_visa_operand header = moved(raw->payload, form->wide ? 0 : OFFSET_AT),
                               data = form->store ? after(raw, d->program->grf_size) : raw->response;
  message->block = owords[field(raw->descriptor, 10, 8)] * 16u;
  if (!message->block || !field(raw->descriptor, 19, 19))
    return og_vd_fail(d, "a block message needs a header and 1, 2, 4, 8 or 16 owords");
  if (!set_space(d, op, raw, form))
    return false;
  op->no_mask = true;
  op->full = 1;
  message->scale = form->wide || form->type == UNALIGNED ? 1 : 16;
  return og_vd_needed(d, &header, message->address_size, &message->addresses) &&
         og_vd_raw(d, &data, message->block, &message->data);
}

static bool decode_port(struct og_vd *d, struct raw *raw) {
  uint32_t type = field(raw->descriptor, 18, 14), i = 0;
  while (i < OG_COUNT(forms) && (forms[i].function != raw->function || forms[i].type != type))
    i++;
  if (i == OG_COUNT(forms))
    return refuse(d, raw, type);
  if (forms[i].kind == FENCE)
    return true;
  if (forms[i].kind == BLOCK)
    return decode_block(d, raw, &forms[i]);
  if (field(raw->descriptor, 19, 19)) /* with a header that says nothing else */
    raw->payload = moved(raw->payload, d->program->grf_size);
  return forms[i].kind == ATOMIC ? decode_atomic(d, raw, &forms[i]) : decode_access(d, raw, &forms[i]);
}

/* The messages of the load/store cache are LSC instructions in another form. */
static bool decode_cache(struct og_vd *d, const struct raw *raw) {
  enum { FENCE_OPERATION = 0x1f, SIZES_LAST = OG_VISA_D16C32H - OG_VISA_D8 };
  static const uint8_t vectors[8] = {1, 2, 3, 4, 8, 16, 32, 64};
  uint32_t bits = raw->descriptor, operation = field(bits, 5, 0), model = field(bits, 30, 29);
  bool quad = operation == OG_VISA_LSC_LOAD_QUAD || operation == OG_VISA_LSC_STORE_QUAD;
  bool plain = operation == OG_VISA_LSC_LOAD || operation == OG_VISA_LSC_STORE || quad;
  bool atomic = operation >= OG_VISA_LSC_ATOMIC_IINC && operation <= OG_VISA_LSC_ATOMIC_XOR;
  if (operation == FENCE_OPERATION)
    return true;
  if ((!plain && !atomic) || raw->function == TYPED_CACHE || !field(bits, 8, 7) || field(bits, 11, 9) > SIZES_LAST)
    return refuse(d, raw, operation);
  struct og_visa_lsc *lsc = OG_NEW(d->arena, struct og_visa_lsc);
  *lsc = (struct og_visa_lsc){.sfid = raw->function == SLM_CACHE ? OG_VISA_SLM : OG_VISA_UGM,
                              .address_kind = (uint8_t)(OG_VISA_FLAT + model),
                              .address_size = (uint8_t)(1u << field(bits, 8, 7)),
                              .data_size = (uint8_t)(OG_VISA_D8 + field(bits, 11, 9)),
                              .elements = quad ? 1 : vectors[field(bits, 14, 12)],
                              .channels = quad ? (uint8_t)field(bits, 15, 12) : 0,
                              .transposed = !quad && field(bits, 15, 15),
                              .scale = 1};
  static const uint8_t sizes[] = {[OG_VISA_D8] = 4, [OG_VISA_D16] = 4, [OG_VISA_D32] = 4, [OG_VISA_D64] = 8, 4, 4, 4};
  struct og_visa_operand *operands = OG_NEW_ARRAY(d->arena, struct og_visa_operand, OG_VISA_LSC_UNTYPED_COUNT);
  uint32_t surface =
      model == 3 ? field(raw->extended, 31, 24) : raw->extended & ~63u; /* table entry, or state's offset */
  const struct og_visa_operand data = after(raw, registers_of(d, lsc->address_size));
  operands[OG_VISA_LSC_SURFACE_OPERAND] =
      (struct og_visa_operand){.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UD, .bits = surface};
  operands[OG_VISA_LSC_DST_OPERAND] = raw->response;
  operands[OG_VISA_LSC_ADDRESS_OPERAND] = raw->payload;
  operands[OG_VISA_LSC_DATA_OPERAND] = data;
  operands[OG_VISA_LSC_DATA2_OPERAND] = moved(data, registers_of(d, sizes[lsc->data_size]));
  if (operation != OG_VISA_LSC_ATOMIC_ICAS && operation != OG_VISA_LSC_ATOMIC_FCAS)
    operands[OG_VISA_LSC_DATA2_OPERAND] = (struct og_visa_operand){.kind = OG_VISA_RAW};
  if (operation <= OG_VISA_LSC_ATOMIC_LOAD && atomic)
    operands[OG_VISA_LSC_DATA_OPERAND] = (struct og_visa_operand){.kind = OG_VISA_RAW};
  struct og_visa_inst *same = OG_NEW(d->arena, struct og_visa_inst);
  const struct og_visa_inst *inst = d->inst;
  *same = *inst;
  same->opcode = OG_VISA_OP_LSC_UNTYPED;
  same->sub = (uint8_t)operation;
  same->lsc = lsc;
  same->operands = operands;
  same->operand_count = OG_VISA_LSC_UNTYPED_COUNT;
  d->inst = same;
  bool fine = og_vd_message(d);
  d->inst = inst;
  if (fine)
    d->ops.items[d->ops.count - 1].inst = inst;
  return fine;
}

/* Arrives at the barrier and also waits. The `wait` behind it then does nothing, which makes no difference. */
static bool decode_gateway(struct og_vd *d, const struct raw *raw) {
  enum { BARRIER = 4, SIGNAL_AND_WAIT = 3 };
  if (field(raw->descriptor, 2, 0) != BARRIER)
    return refuse(d, raw, field(raw->descriptor, 2, 0));
  og_vd_new_op(d, og_vx_run_barrier)->kind = SIGNAL_AND_WAIT;
  return true;
}

static bool constant(const struct og_visa_operand *operand, uint32_t *bits) {
  *bits = (uint32_t)operand->bits;
  return operand->kind == OG_VISA_IMMEDIATE;
}

/* raw_send: modifiers, extended descriptor, registers of the source and destination, descriptor, source, destination;
   raw_sends: modifiers, registers of both sources and the destination, function, extended descriptor, descriptor, both
   sources, destination. */
bool og_vd_raw_send(struct og_vd *d) {
  enum { ENDS_THREAD = 2 };
  const struct og_visa_operand *operands = d->inst->operands;
  struct raw raw = {.split = d->inst->opcode == OG_VISA_OP_RAW_SENDS};
  uint32_t extended = raw.split ? 5 : 1, descriptor = raw.split ? 6 : 4, payload = raw.split ? 7 : 5;
  raw.extended = (uint32_t)operands[1].bits;
  if (!constant(&operands[descriptor], &raw.descriptor) || (raw.split && !constant(&operands[extended], &raw.extended)))
    return og_vd_fail(d, "%s is executed with constant descriptors only", og_visa_mnemonic(d->inst));
  raw.function = (raw.split ? (uint32_t)operands[4].bits : raw.extended) & 15;
  raw.payload = operands[payload];
  raw.data = operands[raw.split ? 8 : payload];
  raw.response = operands[raw.split ? 9 : 6];
  if (raw.split && operands[0].bits & ENDS_THREAD) {
    if (raw.function != SPAWNER)
      return refuse(d, &raw, field(raw.descriptor, 18, 14));
    og_vd_new_op(d, og_vx_run_return)->uniform = true;
    return true;
  }
  switch (raw.function) {
  case GATEWAY: return decode_gateway(d, &raw);
  case PORT0:
  case PORT1: return decode_port(d, &raw);
  case TYPED_CACHE:
  case SLM_CACHE:
  case GLOBAL_CACHE:
    return d->program->platform >= OG_VISA_DG2 ? decode_cache(d, &raw) : refuse(d, &raw, field(raw.descriptor, 5, 0));
  default: return refuse(d, &raw, field(raw.descriptor, 18, 14));
  }
}
