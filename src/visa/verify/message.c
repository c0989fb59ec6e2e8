/* message.c - the rules of instructions that send messages: raw operands, LSC shapes and caching, dpas. */
#include "visa/verify/verify.h"

#include <string.h>

/* A raw operand's alignment; and that its bytes, if they are known (else 0), are within the variable. */
static void verify_raw(struct og_visa_verifier *v, const struct og_visa_operand *operand, uint32_t bytes,
                        bool aligned) {
  if (operand->kind != OG_VISA_RAW || operand->variable == OG_VISA_V_NULL)
    return;
  const struct og_visa_variable *variable = &v->kernel->general.items[operand->variable];
  uint32_t offset, base = og_visa_resolve_alias(v->kernel, operand->variable, &offset);
  offset += (uint32_t)operand->offset;
  bool small = og_visa_variable_size(&v->kernel->general.items[base]) < v->grf;
  if (aligned && (small ? operand->offset : (int32_t)(offset % v->grf))) {
    og_visa_breach(v, operand, "a raw operand must be aligned to a register: byte %u of '%s' is not a multiple of %u",
                   offset, v->kernel->general.items[base].name, v->grf);
    return;
  }
  uint32_t size = og_visa_variable_size(variable);
  if ((uint32_t)operand->offset + OG_MAX(bytes, 1u) > size)
    og_visa_breach(v, operand, "bytes %u to %u are out of the bounds of '%s', which has %u bytes",
                   (uint32_t)operand->offset, (uint32_t)operand->offset + OG_MAX(bytes, 1u) - 1, variable->name, size);
}

/* ---- LSC ---- */

static const uint8_t data_bytes[] = {0, 1, 2, 4, 8, 4, 4, 4}; /* in registers; narrow data widened to 32 bits */

static void verify_caching(struct og_visa_verifier *v, const struct og_visa_lsc *lsc, char kind) {
  static const struct {
    uint8_t l1, l3;
    char kinds[4];
  } allowed[] = {{0, 0, "lsa"}, {1, 1, "lsa"}, {5, 1, "ls"}, {1, 2, "l"}, {2, 1, "l"}, {2, 2, "l"}, {5, 2, "l"},
                 {6, 2, "l"},   {1, 3, "sa"},  {4, 1, "s"},  {4, 3, "s"}, {5, 3, "s"}, {3, 3, "s"}};
  if (lsc->sfid == OG_VISA_SLM && (lsc->l1 || lsc->l3)) {
    og_visa_breach(v, NULL, "shared local memory is not cached: both caching options must be .df");
    return;
  }
  for (size_t i = 0; i < OG_COUNT(allowed); i++)
    if (allowed[i].l1 == lsc->l1 && allowed[i].l3 == lsc->l3 && strchr(allowed[i].kinds, kind))
      return;
  og_visa_breach(v, NULL, "caching .%s.%s is not for %s", og_visa_cache_names[lsc->l1], og_visa_cache_names[lsc->l3],
                 kind == 'l' ? "loads" : kind == 's' ? "stores" : "atomics");
}

static uint32_t round_up(uint32_t bytes, uint32_t unit) { return (bytes + unit - 1) / unit * unit; }

/* Bytes of registers that the data take: the same element of all channels together, each element from a new register
 * on. */
static uint32_t payload_bytes(const struct og_visa_verifier *v, const struct og_visa_lsc *lsc) {
  uint32_t bytes = data_bytes[lsc->data_size];
  if (lsc->transposed || v->inst->exec_size == 1)
    return bytes * lsc->elements;
  unsigned vectors = lsc->channels ? (unsigned)__builtin_popcount(lsc->channels) : lsc->elements;
  return round_up(bytes * v->inst->exec_size, v->grf) * (vectors - 1) + bytes * v->inst->exec_size;
}

static void verify_lsc_shape(struct og_visa_verifier *v, const struct og_visa_lsc *lsc, char kind) {
  const struct og_visa_inst *inst = v->inst;
  bool quad = inst->sub == OG_VISA_LSC_LOAD_QUAD || inst->sub == OG_VISA_LSC_STORE_QUAD;
  if (lsc->transposed && kind == 'a')
    og_visa_breach(v, NULL, "atomics cannot transpose");
  if (lsc->transposed && inst->exec_size != 1)
    og_visa_breach(v, NULL, "transposed data needs execution size 1, not %u", inst->exec_size);
  if (lsc->transposed && lsc->data_size != OG_VISA_D32 && lsc->data_size != OG_VISA_D64)
    og_visa_breach(v, NULL, "transposed data is of d32 or d64");
  if (!lsc->transposed && lsc->elements > 8)
    og_visa_breach(v, NULL, "more than 8 elements per address need transposed data");
  else if (!lsc->transposed && payload_bytes(v, lsc) > 8 * v->grf)
    og_visa_breach(v, NULL, "%u bytes of data, a message without transposed data has at most 8 registers of %u",
                   payload_bytes(v, lsc), v->grf);
  if (quad != (lsc->channels != 0))
    og_visa_breach(v, NULL, quad ? "lsc_%s needs channels, as in :d32.xyzw" : "lsc_%s takes no channels",
                   og_visa_mnemonic(inst));
  if (kind == 'a' && lsc->elements != 1)
    og_visa_breach(v, NULL, "an atomic has one element per address");
  if (kind == 'a' && lsc->data_size == OG_VISA_D8)
    og_visa_breach(v, NULL, "atomics are not on d8");
  if (lsc->sfid == OG_VISA_SLM && (lsc->address_size == 8 || lsc->address_kind != OG_VISA_FLAT))
    og_visa_breach(v, NULL, "shared local memory takes flat addresses :a16 or :a32");
  if (lsc->sfid == OG_VISA_UGML && v->platform < OG_VISA_PVC)
    og_visa_breach(v, NULL, ".ugml is on pvc only");
  unsigned widest = v->platform >= OG_VISA_PVC ? 32 : 16;
  if (!lsc->transposed && inst->exec_size > widest)
    og_visa_breach(v, NULL, "execution size %u, %s has up to %u channels in a message", inst->exec_size,
                   og_visa_platforms[v->platform].name, widest);
}

static uint32_t block_bytes(const struct og_visa_verifier *v, const struct og_visa_lsc *lsc) {
  uint32_t width = lsc->transposed ? lsc->block_height : lsc->block_width;
  uint32_t height = lsc->transposed ? lsc->block_width : lsc->block_height;
  uint32_t pitch = width ? 1u << (32 - __builtin_clz(width * 2 - 1) - 1) : 0; /* the next power of two */
  uint32_t bytes = data_bytes[lsc->data_size];
  if (lsc->vnni && bytes < 4)
    height = round_up(height, 4 / bytes);
  return lsc->blocks * round_up(pitch * height * bytes, v->grf);
}

static void verify_block2d(struct og_visa_verifier *v, const struct og_visa_lsc *lsc) {
  const struct og_visa_inst *inst = v->inst;
  bool store = inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
  if (v->platform < OG_VISA_PVC)
    og_visa_breach(v, NULL, "lsc_%s is on pvc only", og_visa_mnemonic(inst));
  if (!lsc->blocks || !lsc->block_width || !lsc->block_height || lsc->block_width > 64 || lsc->block_height > 32) {
    og_visa_breach(v, NULL, "a 2D block is 1 to 64 wide and 1 to 32 high, not %ux%u", lsc->block_width,
                   lsc->block_height);
    return;
  }
  if (lsc->data_size > OG_VISA_D64)
    og_visa_breach(v, NULL, "a 2D block is of d8, d16, d32 or d64");
  else if (lsc->block_width * data_bytes[lsc->data_size] * lsc->blocks > 64)
    og_visa_breach(v, NULL, "rows of %u bytes in %u blocks, more than 64 bytes",
                   lsc->block_width * data_bytes[lsc->data_size], lsc->blocks);
  if (store && (lsc->transposed || lsc->vnni || lsc->blocks != 1 || lsc->block_height > 8))
    og_visa_breach(v, NULL, "a 2D store writes one block of at most 8 rows, neither transposed nor transformed");
  if (lsc->transposed && lsc->data_size < OG_VISA_D32 )
    og_visa_breach(v, NULL, "a transposed 2D block is of d32 or d64");
  if (lsc->vnni && lsc->data_size > OG_VISA_D16)
    og_visa_breach(v, NULL, "the VNNI transform is for d8 and d16");
  const struct og_visa_operand *data = &inst->operands[store ? OG_VISA_LSC_DATA_OPERAND : OG_VISA_LSC_DST_OPERAND];
  verify_raw(v, data, block_bytes(v, lsc), true);
}

static void verify_scalar_register(struct og_visa_verifier *v, const struct og_visa_operand *operand) {
  if (operand->kind != OG_VISA_GENERAL)
    return;
  const struct og_visa_variable *variable = &v->kernel->general.items[operand->variable];
  uint32_t size = og_visa_types[variable->type].size, end = operand->row * v->grf + (operand->column + 1u) * size;
  if (end > og_visa_variable_size(variable))
    og_visa_breach(v, operand, "byte %u is out of the bounds of '%s', which has %u bytes", end - 1, variable->name,
                   og_visa_variable_size(variable));
}

static void verify_lsc(struct og_visa_verifier *v) {
  const struct og_visa_inst *inst = v->inst;
  const struct og_visa_lsc *lsc = inst->lsc;
  if (inst->opcode == OG_VISA_OP_LSC_FENCE || inst->sub == OG_VISA_LSC_READ_STATE_INFO)
    return;
  const struct og_visa_lsc_op_info *op = og_visa_lsc_op(inst->sub);
  char kind = op->kind == 'l' || op->kind == 's' ? op->kind : 'a';
  if (op->kind == 'o')
    return;
  verify_caching(v, lsc, kind);
  for (unsigned i = 0; i < inst->operand_count; i++)
    verify_scalar_register(v, &inst->operands[i]);
  if (inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D) {
    verify_block2d(v, lsc);
    return;
  }
  verify_lsc_shape(v, lsc, kind);
  uint32_t bytes = payload_bytes(v, lsc), addresses = lsc->address_size * inst->exec_size;
  bool strided = inst->sub == OG_VISA_LSC_LOAD_STRIDED || inst->sub == OG_VISA_LSC_STORE_STRIDED;
  verify_raw(v, &inst->operands[OG_VISA_LSC_DST_OPERAND], bytes, true);
  if (inst->opcode == OG_VISA_OP_LSC_TYPED)
    for (unsigned i = 0; i < 4; i++)
      verify_raw(v, &inst->operands[OG_VISA_LSC_TYPED_OPERAND + i], addresses, true);
  else
    verify_raw(v, &inst->operands[OG_VISA_LSC_ADDRESS_OPERAND], strided ? lsc->address_size : addresses, true);
  verify_raw(v, &inst->operands[OG_VISA_LSC_DATA_OPERAND], bytes, true);
  verify_raw(v, &inst->operands[OG_VISA_LSC_DATA2_OPERAND], bytes, true);
  unsigned sources = kind == 'a' ? (unsigned)(op->kind - '0') : 0;
  for (unsigned i = 0; i < 2; i++) {
    const struct og_visa_operand *source = &inst->operands[OG_VISA_LSC_DATA_OPERAND + i];
    bool null = source->variable == OG_VISA_V_NULL;
    if (kind == 'a' && (i < sources) == null)
      og_visa_breach(v, source,
                     null ? "lsc_%s needs %u data operands" : "lsc_%s takes %u data operands: this one must be %%null",
                     og_visa_mnemonic(inst), sources);
  }
}

/* ---- dpas ---- */

static unsigned precision_bits(uint8_t precision) {
  static const uint8_t bits[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 32};
  return bits[precision];
}

static void verify_dpas(struct og_visa_verifier *v) {
  const struct og_visa_dpas *dpas = &v->inst->dpas;
  const struct og_visa_operand *operands = v->inst->operands;
  unsigned channels = v->grf / 4;
  if (v->inst->exec_size != channels)
    og_visa_breach(v, NULL, "dpas has execution size %u on %s, not %u", channels, og_visa_platforms[v->platform].name,
                   v->inst->exec_size);
  if (dpas->depth != 8)
    og_visa_breach(v, NULL, "systolic depth is 8, not %u", dpas->depth);
  if (dpas->count < 1 || dpas->count > 8)
    og_visa_breach(v, NULL, "repeat count is 1 to 8, not %u", dpas->count);
  bool floats = dpas->weights >= OG_VISA_BF16;
  if ((floats || dpas->activations >= OG_VISA_BF16) && dpas->weights != dpas->activations)
    og_visa_breach(v, NULL, "floating-point precisions of both sources must be the same");
  if (!dpas->weights || !dpas->activations || dpas->depth != 8 || dpas->count < 1 || dpas->count > 8)
    return;
  unsigned wide = OG_MAX(precision_bits(dpas->weights), precision_bits(dpas->activations));
  unsigned per_channel = wide == 32 ? 1 : wide == 16 ? 2 : wide == 8 ? 4 : 8;
  uint32_t type = operands[0].type;
  if (floats ? type != OG_VISA_F && type != OG_VISA_HF && type != OG_VISA_BF : type != OG_VISA_D && type != OG_VISA_UD)
    og_visa_breach(v, &operands[0], "dpas of .%s.%s cannot have a destination of type %s",
                   og_visa_precision_names[dpas->weights], og_visa_precision_names[dpas->activations],
                   og_visa_types[type].name);
  uint32_t result = dpas->count * channels * og_visa_types[type].size;
  verify_raw(v, &operands[0], result, true);
  verify_raw(v, &operands[1], dpas->count * channels * og_visa_types[operands[1].type].size, true);
  verify_raw(v, &operands[2], v->grf * dpas->depth * per_channel * precision_bits(dpas->weights) / 32, true);
  uint32_t source = dpas->count * dpas->depth * per_channel * precision_bits(dpas->activations) / 8;
  const struct og_visa_variable *variable = &v->kernel->general.items[operands[3].variable];
  uint32_t first = operands[3].row * v->grf + operands[3].column * og_visa_types[variable->type].size;
  if (operands[3].kind == OG_VISA_GENERAL && first + source > og_visa_variable_size(variable))
    og_visa_breach(v, &operands[3], "bytes %u to %u are out of the bounds of '%s', which has %u bytes", first,
                   first + source - 1, variable->name, og_visa_variable_size(variable));
}

/* ---- the older messages ---- */

/* Bytes that a raw operand of the instruction transfers; 0: only its place can be checked. */
static uint32_t raw_bytes(const struct og_visa_verifier *v, unsigned n) {
  const struct og_visa_inst *inst = v->inst;
  const struct og_visa_operand *operands = inst->operands;
  uint32_t per_channel = OG_MAX(inst->exec_size * 4u, v->grf);
  switch (inst->opcode) {
  case OG_VISA_OP_OWORD_LD:
  case OG_VISA_OP_OWORD_LD_UNALIGNED:
  case OG_VISA_OP_OWORD_ST: return 16u << (operands[0].bits & 7);
  case OG_VISA_OP_GATHER4_SCALED:
  case OG_VISA_OP_SCATTER4_SCALED:
    if (n == 4)
      return inst->exec_size * 4u;
    return ((unsigned)__builtin_popcount(operands[0].bits & 15) - 1) * per_channel + inst->exec_size * 4u;
  case OG_VISA_OP_GATHER_SCALED:
  case OG_VISA_OP_SCATTER_SCALED:
    return n == 5 ? inst->exec_size * 4u : inst->exec_size * OG_MAX(4u, 1u << (operands[1].bits & 3));
  case OG_VISA_OP_DWORD_ATOMIC: return inst->exec_size * (n == 1 ? 4u : inst->atomic & 0x40 ? 8u : 4u);
  case OG_VISA_OP_SVM:
    if (inst->sub == OG_VISA_SVM_BLOCK_LD || inst->sub == OG_VISA_SVM_BLOCK_ST)
      return 16u << (operands[0].bits & 7);
    if (inst->sub == OG_VISA_SVM_ATOMIC)
      return inst->exec_size * (n == 0 || inst->atomic & 0x40 ? 8u : 4u);
    return (inst->sub <= OG_VISA_SVM_SCATTER && n == 2) || n == 3
               ? inst->exec_size * (inst->sub <= OG_VISA_SVM_SCATTER && n == 3 ? 4u : 8u)
               : 0;
  default: return 0;
  }
}

static bool is_aligned_message(const struct og_visa_inst *inst) {
  return inst->opcode != OG_VISA_OP_OWORD_ST && !(inst->opcode == OG_VISA_OP_SVM && inst->sub == OG_VISA_SVM_BLOCK_ST);
}

static void verify_channels(struct og_visa_verifier *v) {
  uint8_t opcode = v->inst->opcode;
  bool has_mask = opcode == OG_VISA_OP_GATHER4_SCALED || opcode == OG_VISA_OP_SCATTER4_SCALED ||
                  opcode == OG_VISA_OP_GATHER4_TYPED || opcode == OG_VISA_OP_SCATTER4_TYPED;
  if (has_mask && !(v->inst->operands[0].bits & 15))
    og_visa_breach(v, NULL, "at least one channel must be enabled");
}

/* Which types a dword_atomic moves. */
static uint32_t atomic_types(uint8_t atomic) {
  bool narrow = atomic & 0x20;
  switch (atomic & 31) {
  case OG_VISA_ATOMIC_ADD:
  case OG_VISA_ATOMIC_SUB: return narrow ? T_UD : T_INT_32;
  case OG_VISA_ATOMIC_IMIN:
  case OG_VISA_ATOMIC_IMAX: return narrow ? T_UD : T_D;
  case OG_VISA_ATOMIC_FMAX:
  case OG_VISA_ATOMIC_FMIN:
  case OG_VISA_ATOMIC_FCMPWR:
  case OG_VISA_ATOMIC_FADD:
  case OG_VISA_ATOMIC_FSUB: return narrow ? T_UD : T_F;
  default: return T_UD;
  }
}

/* dword_atomic: compare-and-swap has two data operands, increment and decrement have none, all others one; the rest are
 * null. */
static void verify_atomic(struct og_visa_verifier *v) {
  const struct og_visa_inst *inst = v->inst;
  if (inst->opcode != OG_VISA_OP_DWORD_ATOMIC)
    return;
  uint8_t atomic = inst->atomic & 31;
  unsigned needed = atomic == OG_VISA_ATOMIC_CMPXCHG || atomic == OG_VISA_ATOMIC_FCMPWR ? 2
                    : atomic == OG_VISA_ATOMIC_INC || atomic == OG_VISA_ATOMIC_DEC      ? 0
                                                                                        : 1;
  for (unsigned i = 0; i < 3; i++) {
    const struct og_visa_operand *operand = &inst->operands[2 + i];
    bool null = operand->variable == OG_VISA_V_NULL;
    if (i < 2 && null == (i < needed))
      og_visa_breach(v, operand,
                     null ? "dword_atomic.%s needs %u data operands"
                          : "dword_atomic.%s takes %u data operands: this one must be %%null",
                     og_visa_atomic_names[atomic], needed);
    uint8_t type = v->kernel->general.items[operand->variable].type;
    if (!null && !(atomic_types(inst->atomic) >> type & 1))
      og_visa_breach(v, operand, "dword_atomic.%s cannot have type %s", og_visa_atomic_names[atomic],
                     og_visa_types[type].name);
  }
}

/* IGC saves %fp, 8 bytes, by a store of one oword, which is the smallest block; the bytes behind are never read
 * back. */
static bool saves_frame_pointer(const struct og_visa_verifier *v, const struct og_visa_operand *operand,
                                uint32_t bytes) {
  return v->inst->opcode == OG_VISA_OP_SVM && v->inst->sub == OG_VISA_SVM_BLOCK_ST && bytes == 16 &&
         operand->offset == 0 && og_visa_variable_size(&v->kernel->general.items[operand->variable]) == 8;
}

void og_visa_verify_message(struct og_visa_verifier *v) {
  const struct og_visa_inst *inst = v->inst;
  if (inst->opcode >= OG_VISA_OP_LSC_UNTYPED && inst->opcode <= OG_VISA_OP_LSC_FENCE) {
    verify_lsc(v);
    return;
  }
  if (inst->opcode == OG_VISA_OP_DPAS || inst->opcode == OG_VISA_OP_DPASW) {
    verify_dpas(v);
    return;
  }
  verify_channels(v);
  verify_atomic(v);
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].kind == OG_VISA_RAW && !saves_frame_pointer(v, &inst->operands[i], raw_bytes(v, i)))
      verify_raw(v, &inst->operands[i], raw_bytes(v, i), is_aligned_message(inst));
}
