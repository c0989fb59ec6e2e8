/* flow.c - follows a kernel's inputs through its general variables, forward over all paths.
 *
 * At each place a variable may hold values made of certain inputs. A write of the whole variable without a predicate
 * starts anew, since that is how each channel sees it: channels that are off take another path, on which they keep what
 * they had. Any other write adds to the set. The sets of paths that lead to a block are united until nothing is added
 * any more; only then the uses of inputs are recorded. A block is followed again only if something was added to what
 * leads to it, and the number of all steps is bounded, so that no kernel takes long. */
#include "visa/infer/flow_machine.h"

#include <string.h>

enum {
  MOST_VALUES = 1 << 22, /* in all blocks together */
  MOST_STEPS = 1 << 27,  /* each step takes about as long as uniting two values */
  INSTRUCTION_STEPS = 16
};

struct block {
  uint32_t first, end;        /* instructions */
  struct og_vf_value *entry;  /* of each shared variable; NULL: not reached */
  bool waits;                 /* in the queue */
};

struct paths {
  struct og_arena *arena;
  struct og_vf values;
  uint32_t count;   /* of variables */
  uint32_t *shared; /* those whose values pass from block to block */
  uint32_t shared_count;
  struct block *blocks;
  uint32_t *block_of; /* of each instruction */
  uint32_t block_count;
  uint32_t *queue; /* a ring with room for block_count: blocks to follow */
  uint32_t queue_first, queue_count;
  uint32_t *after_calls; /* blocks */
  uint32_t after_call_count;
  struct og_vf_value *returned; /* what all subroutines leave in each shared variable */
  uint64_t steps;
};

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static bool ends_block(uint8_t opcode) {
  static const uint8_t opcodes[] = {OG_VISA_OP_JMP, OG_VISA_OP_GOTO, OG_VISA_OP_CALL,
                                    OG_VISA_OP_RET, OG_VISA_OP_FRET, OG_VISA_OP_SWITCHJMP};
  return memchr(opcodes, opcode, sizeof opcodes) != NULL;
}

static bool begins_block(const struct og_visa_inst *inst) {
  return inst->opcode == OG_VISA_OP_LABEL || inst->opcode == OG_VISA_OP_SUBROUTINE;
}

static void find_blocks(struct paths *p) {
  const struct og_visa_kernel *kernel = p->values.kernel;
  uint32_t n = kernel->insts.count;
  const struct og_visa_inst *insts = kernel->insts.items;
  p->block_of = OG_NEW_ARRAY(p->arena, uint32_t, n + 1);
  p->blocks = OG_NEW_ARRAY(p->arena, struct block, n + 1);
  p->queue = OG_NEW_ARRAY(p->arena, uint32_t, n + 1);
  p->after_calls = OG_NEW_ARRAY(p->arena, uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    if (i == 0 || begins_block(&insts[i]) || ends_block(insts[i - 1].opcode))
      p->blocks[p->block_count++].first = i;
    if (i > 0 && insts[i - 1].opcode == OG_VISA_OP_CALL)
      p->after_calls[p->after_call_count++] = p->block_count - 1;
    p->block_of[i] = p->block_count - 1;
    p->blocks[p->block_count - 1].end = i + 1;
  }
}

/* Finds all variables but those that only one block uses, and writes as a whole before it reads them. */
static void find_shared(struct paths *p) {
  const struct og_visa_kernel *kernel = p->values.kernel;
  enum { UNSEEN = UINT32_MAX, SHARED = UINT32_MAX - 1 };
  uint32_t *home = OG_NEW_ARRAY(p->arena, uint32_t, p->count);
  p->shared = OG_NEW_ARRAY(p->arena, uint32_t, p->count);
  for (uint32_t i = 0; i < p->count; i++)
    home[i] = i < OG_VISA_FIRST_GENERAL || i >= kernel->general.count || p->values.own[i] ? SHARED : UNSEEN;
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    const struct og_visa_inst *inst = &kernel->insts.items[i];
    uint32_t whole = og_vf_whole_operand(&p->values, inst), block = p->block_of[i];
    for (unsigned k = inst->operand_count; k-- > 0;) { /* backwards, since the destination stands before the sources */
      const struct og_visa_operand *operand = &inst->operands[k];
      if (!og_vf_is_register(operand) && !og_vf_is_address(operand))
        continue;
      uint32_t *at = &home[og_vf_base_of(&p->values, operand)];
      *at = *at == UNSEEN && k == whole ? block : *at == block ? block : SHARED;
    }
  }
  for (uint32_t i = 0; i < p->count; i++)
    if (home[i] == SHARED)
      p->shared[p->shared_count++] = i;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static void push(struct paths *p, uint32_t index) {
  if (p->blocks[index].waits)
    return;
  p->blocks[index].waits = true;
  p->queue[(p->queue_first + p->queue_count++) % p->block_count] = index;
}

/* A path with these values of the shared variables leads to a block. */
static void enter(struct paths *p, uint32_t index, const struct og_vf_value *values) {
  struct block *block = &p->blocks[index];
  bool more = !block->entry;
  if (!block->entry)
    block->entry = OG_NEW_ARRAY(p->arena, struct og_vf_value, p->shared_count);
  for (uint32_t i = 0; i < p->shared_count; i++)
    more |= og_vf_merge(&block->entry[i], &values[i]);
  p->steps += p->shared_count;
  if (more)
    push(p, index);
}

/* A subroutine's end leads after every call. */
static void enter_after_calls(struct paths *p, const struct og_vf_value *values) {
  bool more = !p->returned;
  if (!p->returned)
    p->returned = OG_NEW_ARRAY(p->arena, struct og_vf_value, p->shared_count);
  for (uint32_t i = 0; i < p->shared_count; i++)
    more |= og_vf_merge(&p->returned[i], &values[i]);
  p->steps += p->shared_count;
  for (uint32_t i = 0; more && i < p->after_call_count && p->steps < MOST_STEPS; i++)
    enter(p, p->after_calls[i], p->returned);
}

/* The blocks after one: those its last instruction names, and the next unless all channels go there. */
static void leave(struct paths *p, const struct block *block, const struct og_vf_value *values) {
  const struct og_visa_kernel *kernel = p->values.kernel;
  const struct og_visa_inst *last = &kernel->insts.items[block->end - 1];
  bool all = !last->predicate.variable && ends_block(last->opcode) && last->opcode != OG_VISA_OP_CALL;
  for (unsigned i = 0; i < last->operand_count && ends_block(last->opcode); i++) {
    if (last->operands[i].kind != OG_VISA_LABEL)
      continue;
    uint32_t to = kernel->labels.items[last->operands[i].variable].inst;
    if (to < kernel->insts.count)
      enter(p, p->block_of[to], values);
  }
  if (last->opcode == OG_VISA_OP_RET)
    enter_after_calls(p, values);
  if (!all && block->end < kernel->insts.count)
    enter(p, p->block_of[block->end], values);
}

static void follow_block(struct paths *p, const struct block *block) {
  for (uint32_t i = 0; i < p->shared_count; i++)
    p->values.now[p->shared[i]] = block->entry[i];
  for (uint32_t i = block->first; i < block->end; i++)
    og_vf_follow(&p->values, &p->values.kernel->insts.items[i]);
  p->steps += p->shared_count + (uint64_t)(block->end - block->first) * INSTRUCTION_STEPS;
}

/* Follows blocks until nothing is added any more; false: it takes too long. */
static bool follow_paths(struct paths *p) {
  struct og_vf_value *values = OG_NEW_ARRAY(p->arena, struct og_vf_value, p->shared_count);
  for (uint32_t i = 0; i < p->shared_count; i++)
    values[i] = p->values.now[p->shared[i]];
  if (p->block_count)
    enter(p, 0, values);
  while (p->queue_count) {
    struct block *block = &p->blocks[p->queue[p->queue_first]];
    p->queue_first = (p->queue_first + 1) % p->block_count;
    p->queue_count--;
    block->waits = false;
    follow_block(p, block);
    for (uint32_t i = 0; i < p->shared_count; i++)
      values[i] = p->values.now[p->shared[i]];
    leave(p, block, values);
    for (uint32_t i = 0; i < p->block_count && p->values.exposed_more; i++) /* any block may read it */
      if (p->blocks[i].entry)
        push(p, i);
    p->steps += p->values.exposed_more ? p->block_count : 0;
    p->values.exposed_more = false;
    if (p->steps >= MOST_STEPS)
      return false;
  }
  return true;
}

struct og_visa_flow og_visa_flow_of(struct og_arena *arena, const struct og_visa_kernel *kernel,
                                    const struct og_visa_roles *roles) {
  uint32_t count = kernel->general.count + kernel->surface.count;
  struct paths p = {.arena = arena,
                    .values = {.kernel = kernel,
                               .roles = roles,
                               .flow.first_temporary = UINT32_MAX,
                               .now = OG_NEW_ARRAY(arena, struct og_vf_value, count),
                               .address_taken = OG_NEW_ARRAY(arena, bool, kernel->general.count),
                               .own = OG_NEW_ARRAY(arena, uint64_t, kernel->general.count)},
                    .count = count};
  find_blocks(&p);
  og_vf_start(&p.values);
  find_shared(&p);
  struct og_visa_flow at_start = p.values.flow;
  if ((uint64_t)p.block_count * p.shared_count > MOST_VALUES || kernel->inputs.count > OG_VISA_FLOW_INPUTS ||
      !follow_paths(&p))
    return (struct og_visa_flow){.complete = false};
  p.values.flow = at_start; /* what was recorded on the way may be less than all */
  for (uint32_t b = 0; b < p.block_count; b++)
    if (p.blocks[b].entry)
      follow_block(&p, &p.blocks[b]);
  p.values.flow.complete = true;
  return p.values.flow;
}
