/* profile_flow.c - the blocks of what was executed, and how many registers live at each instruction. */
#include "debug/profile_internal.h"

#include <string.h>

#include "isa/effects.h"
#include "isa/rows.h"

/* A register's bit among those that live. */
enum {
  VECTORS = 1024,
  ACCUMULATORS = 512,
  SCALARS = 128,
  FIRST_SCALAR = VECTORS + ACCUMULATORS,
  PLACES = FIRST_SCALAR + SCALARS
};
struct live {
  uint64_t bits[PLACES / 64];
};

/* What an instruction does to them. */
struct node {
  uint32_t line;
  struct live reads, writes;
  uint64_t from, to, target; /* words; UINT64_MAX: it does not branch */
  bool leaves;               /* never goes on behind it */
  int32_t next_node, target_node;
};

struct flow {
  struct og_profile *profile;
  const struct og_isa *isa;
  OG_VECTOR(struct node) nodes;
};

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void set_use(struct live *live, const struct og_use *use) {
  unsigned first = use->kind == OG_OPERAND_VGPR   ? 0
                   : use->kind == OG_OPERAND_AGPR ? VECTORS
                   : use->kind == OG_OPERAND_SGPR ? FIRST_SCALAR
                                                  : PLACES;
  for (unsigned place = first + use->reg; place < first + use->reg + use->dwords && place < PLACES; place++)
    live->bits[place / 64] |= UINT64_C(1) << place % 64;
}

static void add_node(struct flow *flow, uint32_t line, uint32_t word) {
  const struct og_program *program = flow->profile->program;
  struct og_inst inst;
  struct og_effects effects;
  size_t size = og_decode(flow->isa, program->code + 4 * (size_t)word, 4 * (program->words - word), &inst);
  struct node *node = OG_PUSH(flow->profile->arena, &flow->nodes);
  *node = (struct node){.line = line, .from = word, .to = word + OG_MAX(size / 4, (size_t)1), .target = UINT64_MAX};
  if (!size)
    return;
  const struct og_operand *distance = og_branch_operand(flow->isa, &inst);
  uint32_t flags = og_form(flow->isa, inst.form)->row_flags;
  if (distance && !(flags & OG_FLAG_CALL))
    node->target = og_branch_target(distance, 4 * (uint64_t)word) / 4;
  node->leaves = flags & OG_FLAG_NO_FALLTHROUGH && inst.row != OG_ROW_S_CODE_END;
  if (!og_inst_effects(flow->isa, &inst, &effects)) /* registers that M0 names: nobody knows which */
    return;
  for (unsigned i = 0; i < effects.read_count; i++)
    set_use(&node->reads, &effects.reads[i]);
  for (unsigned i = 0; i < effects.write_count; i++)
    if (effects.writes[i].bytes == 15 && !(effects.writes[i].keeps & OG_KEEPS_SOME))
      set_use(&node->writes, &effects.writes[i]); /* as if all lanes were on */
}

/* The node that begins at a word, or -1; nodes are in the order of words. */
static int32_t node_at(const struct flow *flow, uint64_t word) {
  uint32_t low = 0, high = flow->nodes.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (flow->nodes.items[middle].from < word)
      low = middle + 1;
    else
      high = middle;
  }
  return low < flow->nodes.count && flow->nodes.items[low].from == word ? (int32_t)low : -1;
}

static void make_nodes(struct flow *flow) {
  for (uint32_t i = 0; i < flow->profile->lines.count; i++)
    if (!flow->profile->lines.items[i].is_source)
      add_node(flow, i, flow->profile->lines.items[i].word);
  for (uint32_t i = 0; i < flow->nodes.count; i++) {
    struct node *node = &flow->nodes.items[i];
    node->next_node = node->leaves ? -1 : node_at(flow, node->to);
    node->target_node = node->target == UINT64_MAX ? -1 : node_at(flow, node->target);
  }
}

/* ---- what lives -------------------------------------------------------------------------------------------------- */

static bool flow_back(const struct flow *flow, struct live *live, uint32_t i) {
  const struct node *node = &flow->nodes.items[i];
  bool changed = false;
  for (unsigned k = 0; k < PLACES / 64; k++) {
    uint64_t after = (node->next_node < 0 ? 0 : live[node->next_node].bits[k]) |
                     (node->target_node < 0 ? 0 : live[node->target_node].bits[k]);
    uint64_t before = node->reads.bits[k] | (after & ~node->writes.bits[k]);
    changed |= before != live[i].bits[k];
    live[i].bits[k] = before;
  }
  return changed;
}

static uint16_t count(const struct live *live, unsigned from, unsigned to) {
  unsigned sum = 0;
  for (unsigned k = from / 64; k < to / 64; k++)
    sum += (unsigned)__builtin_popcountll(live->bits[k]);
  return (uint16_t)sum;
}

static void find_live(struct flow *flow) {
  struct live *live = OG_NEW_ARRAY(flow->profile->arena, struct live, flow->nodes.count + 1);
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = flow->nodes.count; i-- > 0;)
      changed |= flow_back(flow, live, i);
  }
  for (uint32_t i = 0; i < flow->nodes.count; i++) {
    struct og_profile_line *line = &flow->profile->lines.items[flow->nodes.items[i].line];
    line->vector_live = count(&live[i], 0, FIRST_SCALAR);
    line->scalar_live = count(&live[i], FIRST_SCALAR, PLACES);
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void make_blocks(struct flow *flow) {
  struct og_profile *profile = flow->profile;
  uint32_t nodes = flow->nodes.count;
  bool *leads = OG_NEW_ARRAY(profile->arena, bool, nodes + 1);
  int32_t *block_of = OG_NEW_ARRAY(profile->arena, int32_t, nodes + 1);
  for (uint32_t i = 0; i < nodes; i++) {
    const struct node *node = &flow->nodes.items[i];
    if (node->target_node >= 0)
      leads[node->target_node] = true;
    leads[i + 1] |= node->target != UINT64_MAX || node->next_node != (int32_t)i + 1;
  }
  profile->blocks.count = 0;
  for (uint32_t i = 0; i < nodes; i++) {
    if (i == 0 || leads[i])
      *OG_PUSH(profile->arena, &profile->blocks) =
          (struct og_profile_block){flow->nodes.items[i].line, flow->nodes.items[i].line, -1, -1};
    profile->blocks.items[profile->blocks.count - 1].last = flow->nodes.items[i].line;
    block_of[i] = (int32_t)profile->blocks.count - 1;
  }
  for (uint32_t i = 0; i < nodes; i++)
    if (i + 1 == nodes || leads[i + 1]) {
      const struct node *node = &flow->nodes.items[i];
      struct og_profile_block *block = &profile->blocks.items[block_of[i]];
      block->next = node->next_node < 0 ? -1 : block_of[node->next_node];
      block->target = node->target_node < 0 ? -1 : block_of[node->target_node];
    }
}

void og_profile_flow(struct og_profile *profile) {
  struct og_isa room;
  struct flow flow = {.profile = profile};
  og_profile_collect(profile);
  flow.isa = profile->program ? og_isa_for(&profile->program->target, &room) : NULL;
  if (!flow.isa)
    return;
  make_nodes(&flow);
  find_live(&flow);
  make_blocks(&flow);
}
