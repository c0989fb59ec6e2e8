/* sync.c - what threads of a work-group do together: ids, barriers of all kinds, shuffles and reductions of a
 * subgroup's lanes. */
#include "xegpu/exec/exec.h"
#include "xegpu/maps.h"

#include <string.h>

/* ---- ids --------------------------------------------------------------------------------------------------------- */

enum id {
  ID_THREAD,
  ID_BLOCK,
  ID_BLOCK_DIM,
  ID_GRID_DIM,
  ID_GLOBAL,
  ID_LANE,
  ID_SUBGROUP,
  ID_SUBGROUPS,
  ID_SUBGROUP_SIZE
};

static const struct og_xe_inst *id(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct og_xe_group *g = t->group;
  uint8_t d = i->type;
  if (!g)
    return og_xe_fault(t, i, "there is no kernel running");
  int64_t threads = g->size[0] * g->size[1] * g->size[2], value = 0;
  switch (i->sub) {
  case ID_THREAD: value = t->id[d]; break;
  case ID_BLOCK: value = g->id[d]; break;
  case ID_BLOCK_DIM: value = g->size[d]; break;
  case ID_GRID_DIM: value = g->grid[d]; break;
  case ID_GLOBAL: value = g->id[d] * g->size[d] + t->id[d]; break;
  case ID_LANE: value = t->lane; break;
  case ID_SUBGROUP:
    value = ((t->id[2] * g->size[1] + t->id[1]) * g->size[0] + t->id[0]) / (int64_t)g->threads[0].barrier;
    break;
  case ID_SUBGROUPS: value = (threads + g->threads[0].barrier - 1) / g->threads[0].barrier; break;
  case ID_SUBGROUP_SIZE: value = OG_XE_SUBGROUP; break;
  }
  og_xe_set_index(f, i->to, value);
  return i + 1;
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

static const struct og_xe_inst *barrier(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)f;
  if (!t->group)
    return og_xe_fault(t, i, "there is no kernel running");
  t->frames[t->depth - 1].at = i + 1;
  t->state = OG_XE_AT_BARRIER;
  t->group->waiting++;
  return NULL;
}

static const struct og_xe_inst *init_barrier(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct og_xe_barrier *b = (struct og_xe_barrier *)(f + i->to);
  b->id = (int32_t)og_xe_integer(i->type, f + i->a);
  b->participants = (int32_t)(og_xe_integer(i->type, f + i->b) & 255);
  if (b->id < 0 || b->id >= OG_XE_NBARRIERS || b->participants < 1)
    return og_xe_fault(t, i, "barrier %d of %d participants: ids go from 0 to %d, and someone must take part", b->id,
                       b->participants, OG_XE_NBARRIERS - 1);
  return i + 1;
}

static const struct og_xe_inst *arrive(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct og_xe_barrier *b = (const struct og_xe_barrier *)(f + i->a);
  if (!t->group)
    return og_xe_fault(t, i, "there is no kernel running");
  t->awaited = t->group->nbarriers[b->id].generation + 1;
  if (++t->group->nbarriers[b->id].arrived >= (uint32_t)b->participants) {
    t->group->nbarriers[b->id].arrived = 0;
    t->group->nbarriers[b->id].generation++;
    t->group->phase++;
  }
  return i + 1;
}

static const struct og_xe_inst *await(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct og_xe_barrier *b = (const struct og_xe_barrier *)(f + i->a);
  if (!t->group)
    return og_xe_fault(t, i, "there is no kernel running");
  uint32_t wanted = t->awaited ? t->awaited : t->group->nbarriers[b->id].generation + 1;
  if ((int32_t)(t->group->nbarriers[b->id].generation - wanted) >= 0) {
    t->awaited = 0;
    return i + 1;
  }
  t->awaited = wanted;
  t->frames[t->depth - 1].at = i; /* it looks again later */
  t->state = OG_XE_AT_NBARRIER;
  return NULL;
}

/* ---- lanes together: shuffles and reductions --------------------------------------------------------------------- */

/* Whether all lanes of the subgroup have come here. */
static bool gathered(struct og_xe_thread *t, const struct og_xe_inst *i, struct og_xe_thread **first) {
  *first = t - t->lane;
  t->frames[t->depth - 1].at = i;
  t->state = OG_XE_COLLECTING;
  if (t->group->thread_count - (*first)->index < OG_XE_SUBGROUP)
    return false;
  for (uint32_t lane = 0; lane < OG_XE_SUBGROUP; lane++)
    if ((*first)[lane].state != OG_XE_COLLECTING || (*first)[lane].frames[(*first)[lane].depth - 1].at != i)
      return false;
  return true;
}

static uint8_t *bytes_of(struct og_xe_thread *t) { return t->frames[t->depth - 1].bytes; }

static void go_on(struct og_xe_thread *first, const struct og_xe_inst *i) {
  for (uint32_t lane = 0; lane < OG_XE_SUBGROUP; lane++) {
    first[lane].frames[first[lane].depth - 1].at = i + 1;
    first[lane].state = OG_XE_READY;
  }
}

/* a: value of `count` bytes, b: offset, c: width; to: result; data: place of `valid`; sub: mode. */
static const struct og_xe_inst *shuffle(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct og_xe_thread *first;
  uint8_t values[OG_XE_SUBGROUP][64];
  if (!t->group || !t->frames[0].code->fragments)
    return og_xe_fault(t, i, "lanes are not told apart in this kernel");
  (void)f;
  if (!gathered(t, i, &first))
    return NULL;
  for (uint32_t lane = 0; lane < OG_XE_SUBGROUP; lane++)
    memcpy(values[lane], bytes_of(&first[lane]) + i->a, i->count);
  for (uint32_t lane = 0; lane < OG_XE_SUBGROUP; lane++) {
    uint8_t *to = bytes_of(&first[lane]);
    uint32_t offset = og_load32(to + i->b), width = og_load32(to + i->c);
    uint32_t from = i->sub == 0 ? lane ^ offset : i->sub == 1 ? lane + offset : i->sub == 2 ? lane - offset : offset;
    bool valid = width && width <= OG_XE_SUBGROUP && from < OG_XE_SUBGROUP && from / width == lane / width;
    memcpy(to + i->to, values[valid ? from : lane], i->count);
    to[*(const uint32_t *)i->data] = valid;
  }
  go_on(first, i);
  return i + 1;
}

/* One scalar of each lane; sub: the kind, as gpu numbers them. */
static const struct og_xe_inst *reduce(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct og_xe_thread *first;
  (void)f;
  if (!t->group || !t->frames[0].code->fragments)
    return og_xe_fault(t, i, "lanes are not told apart in this kernel");
  if (!gathered(t, i, &first))
    return NULL;
  uint32_t size = og_xe_sizes[i->type];
  double real = og_xe_number(i->type, bytes_of(first) + i->a);
  int64_t whole = i->type < OG_XE_F16 ? og_xe_integer(i->type, bytes_of(first) + i->a) : 0;
  for (uint32_t lane = 1; lane < OG_XE_SUBGROUP; lane++) {
    const uint8_t *at = bytes_of(&first[lane]) + i->a;
    double x = og_xe_number(i->type, at);
    int64_t y = i->type < OG_XE_F16 ? og_xe_integer(i->type, at) : 0;
    uint64_t mask = size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << size * 8) - 1;
    bool below = ((uint64_t)y & mask) < ((uint64_t)whole & mask);
    switch (i->sub) {
    case 0:
      real += x;
      whole = (int64_t)((uint64_t)whole + (uint64_t)y);
      break;
    case 1:
      real *= x;
      whole = (int64_t)((uint64_t)whole * (uint64_t)y);
      break;
    case 2: whole = below ? y : whole; break;
    case 3: whole = y < whole ? y : whole; break;
    case 4:
    case 11: real = x < real || real != real ? x : real; break;
    case 5: whole = below ? whole : y; break;
    case 6: whole = y > whole ? y : whole; break;
    case 7:
    case 12: real = x > real || real != real ? x : real; break;
    case 8: whole &= y; break;
    case 9: whole |= y; break;
    default: whole ^= y;
    }
    float narrow = (float)real; /* rounded at each step, as numbers of its type are */
    real = i->type == OG_XE_F64 || i->type < OG_XE_F16 ? real : narrow;
  }
  for (uint32_t lane = 0; lane < OG_XE_SUBGROUP; lane++) {
    uint8_t *to = bytes_of(&first[lane]) + i->to;
    float narrow = (float)real;
    if (i->type < OG_XE_F16)
      memcpy(to, &whole, size);
    else if (i->type == OG_XE_F64)
      memcpy(to, &real, 8);
    else
      og_xe_from_floats(i->type, &narrow, to, 1);
  }
  go_on(first, i);
  return i + 1;
}

static const struct og_xe_inst *nothing(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t, (void)f;
  return i + 1;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

static bool decode_id(struct og_xe_decoder *d, struct og_mlir_op *op, enum id what) {
  og_mlir_attr dimension = og_mlir_find(op, "dimension");
  uint32_t to = og_xe_place(d, &op->results[0]);
  struct og_xe_inst *inst = og_xe_emit(d, op, id);
  inst->to = to;
  inst->sub = (uint8_t)what;
  inst->type = dimension ? (uint8_t)(dimension->text.data[0] - 'x') : 0;
  return true;
}

static bool decode_lanes(struct og_xe_decoder *d, struct og_mlir_op *op) {
  static const char *const modes[] = {"xor", "down", "up", "idx"};
  struct og_xe_inst inst = {.op = op};
  bool shuffles = op->row->id == OG_MLIR_OP_SHUFFLE;
  og_mlir_attr word = og_mlir_find(op, shuffles ? "mode" : "op");
  if (!word || !og_xe_scalar(op->operands[0]->type, &inst.type) || op->operands[0]->type->kind == OG_MLIR_VECTOR ||
      og_mlir_find(op, "cluster_size"))
    return og_xe_refuse(d, op, "only scalars of whole subgroups are executed");
  inst.sub = shuffles ? 0 : og_mlir_combining(word->text);
  for (uint8_t k = 0; shuffles && k < OG_COUNT(modes); k++)
    inst.sub = og_text_is(word->text, modes[k]) ? k : inst.sub;
  inst.run = shuffles ? shuffle : reduce;
  inst.count = og_xe_sizes[inst.type];
  inst.a = og_xe_place(d, op->operands[0]);
  inst.to = og_xe_place(d, &op->results[0]);
  if (shuffles) {
    uint32_t *valid = OG_NEW(d->m->arena, uint32_t);
    *valid = og_xe_place(d, &op->results[1]);
    inst.data = valid;
    inst.b = og_xe_place(d, op->operands[1]);
    inst.c = og_xe_place(d, op->operands[2]);
  }
  d->code->fragments = true;
  *og_xe_emit(d, op, inst.run) = inst;
  return true;
}

bool og_xe_decode_sync(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known) {
  static const struct {
    uint16_t op;
    uint8_t id;
  } ids[] = {{OG_MLIR_OP_THREAD_ID, ID_THREAD},           {OG_MLIR_OP_BLOCK_ID, ID_BLOCK},
             {OG_MLIR_OP_BLOCK_DIM, ID_BLOCK_DIM},        {OG_MLIR_OP_GRID_DIM, ID_GRID_DIM},
             {OG_MLIR_OP_GLOBAL_ID, ID_GLOBAL},           {OG_MLIR_OP_LANE_ID, ID_LANE},
             {OG_MLIR_OP_SUBGROUP_ID, ID_SUBGROUP},       {OG_MLIR_OP_NUM_SUBGROUPS, ID_SUBGROUPS},
             {OG_MLIR_OP_SUBGROUP_SIZE, ID_SUBGROUP_SIZE}};
  *known = true;
  for (size_t i = 0; i < OG_COUNT(ids); i++)
    if (ids[i].op == op->row->id)
      return decode_id(d, op, (enum id)ids[i].id);
  switch (op->row->id) {
  case OG_MLIR_OP_SHUFFLE:
  case OG_MLIR_OP_SUBGROUP_REDUCE: return decode_lanes(d, op);
  case OG_MLIR_OP_BARRIER: og_xe_emit(d, op, barrier); return true;
  case OG_MLIR_OP_INIT_NBARRIER: {
    uint32_t a = og_xe_place(d, op->operands[0]), b = og_xe_place(d, op->operands[1]),
             to = og_xe_place(d, &op->results[0]);
    struct og_xe_inst *inst = og_xe_emit(d, op, init_barrier);
    inst->a = a, inst->b = b, inst->to = to;
    return og_xe_scalar(op->operands[0]->type, &inst->type);
  }
  case OG_MLIR_OP_ARRIVE:
  case OG_MLIR_OP_WAIT: {
    uint32_t a = og_xe_place(d, op->operands[0]);
    og_xe_emit(d, op, op->row->id == OG_MLIR_OP_ARRIVE ? arrive : await)->a = a;
    return true;
  }
  case OG_MLIR_OP_ALLOC_NBARRIER: /* a matter of hardware; here memory is sequentially consistent */
  case OG_MLIR_OP_FENCE:
  case OG_MLIR_OP_COMPILE_HINT:
  case OG_MLIR_OP_GPU_WAIT:
  case OG_MLIR_OP_HOST_REGISTER:
  case OG_MLIR_OP_HOST_UNREGISTER: og_xe_emit(d, op, nothing); return true;
  default: return !(*known = false);
  }
}
