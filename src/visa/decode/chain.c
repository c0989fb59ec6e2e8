/* chain.c - finds loads and stores whose addresses are made of 32-bit indices directly before: `mov` to 64 bits, `shl`,
   `add` of a scalar, message. The first of these operations then runs all of them (exec/chain.c). Each of them is kept,
   for channels that are masked off and for branches into the chain. */
#include "visa/decode/decoder.h"
#include "visa/table.h"

static const struct og_visa_operand *destination(const struct og_vx_op *op) { return &op->inst->operands[0]; }

/* Whether only the operation of instruction `reader` reads what `op` writes. */
static bool is_private(const struct og_vd *d, const struct og_vx_op *op, const struct og_vx_op *reader) {
  uint32_t within;
  if (destination(op)->kind != OG_VISA_GENERAL || destination(op)->variable < og_visa_first_own(d->kernel))
    return false;
  const struct og_vd_use *use = &d->uses[og_visa_resolve_alias(d->kernel, destination(op)->variable, &within)];
  return use->first == (uint32_t)(op->inst - d->kernel->insts.items) &&
         use->last == (uint32_t)(reader->inst - d->kernel->insts.items);
}

/* Whether a place is in the 64-bit result of `op`. */
static bool is_result(const struct og_vx_op *op, uint32_t place) {
  return place >= op->out && place < op->out + 8u * op->exec_size;
}

static bool same_channels(const struct og_vx_op *a, const struct og_vx_op *b) {
  return a->exec_size == b->exec_size && a->mask_offset == b->mask_offset && a->no_mask == b->no_mask &&
         b->predicate_mode == OG_VX_PREDICATE_NONE;
}

/* Whether an ALU operation of 64 bits has the other operation's result as first or second source; `other`: the number
   of its other source, a single element; or -1. */
static int scalar_side(const struct og_vx_op *op, og_alu_fn *scalar_a, og_alu_fn *scalar_b, uint32_t from) {
  if (op->run != og_vx_run_alu2)
    return -1;
  if (op->alu == scalar_b && op->in_base[0] == OG_VX_REGISTERS && op->in[0] == from)
    return 1;
  return op->alu == scalar_a && op->in_base[1] == OG_VX_REGISTERS && op->in[1] == from ? 0 : -1;
}

static bool is_message(const struct og_vx_op *op, uint32_t addresses) {
  const struct og_vx_message *message = op->message;
  if ((op->run != og_vx_run_gather && op->run != og_vx_run_gather_flat) || message->space != OG_VX_FLAT ||
      message->addresses != addresses || message->address_size != 8 || message->scale != 1 || message->immediate ||
      message->strided || op->source_count || message->size != 4 || message->container != 4 ||
      message->channel_step != 4 || message->data == OG_VX_NO_DATA)
    return false;
  for (uint32_t j = 0; j < message->components; j++)
    if (message->memory_offset[j] != 4 * j || message->register_offset[j] != j * message->register_offset[1])
      return false;
  return true;
}

static void finish_chain(struct og_vx_chain *chain, const struct og_vx_message *message, uint32_t length) {
  chain->length = (uint8_t)length;
  chain->store = message->store;
  chain->data = message->data;
  chain->shape.components = message->components;
  chain->shape.pitch = message->register_offset[1];
}

/* The chain that begins at this operation, of which so many are left; length 0: none. */
static struct og_vx_chain find_chain(const struct og_vd *d, const struct og_vx_op *op, uint32_t left) {
  const struct og_alu *alu = d->alu;
  struct og_vx_chain chain = {.index = op->in[0]};
  if (op->run != og_vx_run_alu1 || op->in_base[0] != OG_VX_REGISTERS || op->predicate_mode != OG_VX_PREDICATE_NONE ||
      op->exec_size < 2 ||
      (op->alu != alu->convert[OG_ALU_S32][OG_ALU_U64] && op->alu != alu->convert[OG_ALU_U32][OG_ALU_U64]))
    return chain;
  const struct og_vx_op *at = op, *end = op + left, *next = at + 1;
  uint32_t seen = 1;
  if (next < end && scalar_side(next, NULL, alu->scalar_b[OG_ALU_SHL][OG_ALU_U64], at->out) == 1 &&
      next->in_base[1] == OG_VX_CONSTANTS && same_channels(op, next) && is_private(d, at, next)) {
    uint64_t shift = og_load64(d->constants.data + next->in[1]) & 63;
    if (shift > 16)
      return chain;
    chain.shape.shift = (uint32_t)shift;
    at = next++, seen++;
  }
  int side = next < end ? scalar_side(next, alu->scalar_a[OG_ALU_ADD][OG_ALU_U64],
                                      alu->scalar_b[OG_ALU_ADD][OG_ALU_U64], at->out)
                        : -1;
  if (side < 0 || !same_channels(op, next) || !is_private(d, at, next))
    return chain;
  chain.base = next->in[side];
  chain.base_in = next->in_base[side];
  if (chain.base_in == OG_VX_REGISTERS && is_result(at, chain.base))
    return chain;
  at = next++, seen++;
  if (next < end && is_message(next, at->out) && same_channels(op, next) && is_private(d, at, next) &&
      !is_result(at, next->message->data))
    finish_chain(&chain, next->message, seen + 1);
  return chain;
}

void og_vd_find_chains(struct og_vd *d) {
  for (uint32_t i = 0; i < d->ops.count; i++) {
    struct og_vx_op *op = &d->ops.items[i];
    struct og_vx_chain chain = find_chain(d, op, d->ops.count - i);
    op->single = op->run;
    if (!chain.length)
      continue;
    struct og_vx_chain *kept = OG_NEW(d->arena, struct og_vx_chain);
    *kept = chain;
    op->chain = kept;
    op->run = og_vx_run_chain;
  }
}
