/* select_wave.c - intrinsics that look at other lanes or at the whole wave. */
#include "cc/calls.h"
#include "cc/object.h"

#include <string.h>

static bool begins(struct og_text text, const char *prefix) { return og_text_skip(&text, prefix); }

/* llvm.read_register for EXEC, the mask of the lanes that are on; other registers have no value that IR could ask
 * for. */
static bool read_exec(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref ref = og_ir_operand(c->f, i, 1);
  const struct og_ir_metadata *node =
      og_ir_space(ref) == OG_IR_METADATA ? &c->m->metadata.items[og_ir_index(ref)] : NULL;
  uint32_t part = node && node->kind == OG_IR_M_TUPLE && node->parts == 1 ? c->m->pool.items[node->first] : 0;
  const struct og_ir_metadata *string = part ? &c->m->metadata.items[part - 1] : NULL;
  if (!string || string->kind != OG_IR_M_STRING)
    return cc_refuse(c, "llvm.read_register of what is not a register's name");
  struct og_text name = c->m->names.items[string->first];
  static const struct {
    const char *name;
    uint8_t first, dwords;
  } masks[] = {{"exec", 0, 2}, {"exec_lo", 0, 1}, {"exec_hi", 1, 1}};
  for (unsigned n = 0; n < OG_COUNT(masks); n++) {
    if (!og_text_is(name, masks[n].name))
      continue;
    uint32_t count = cc_parts(c->m, i->type);
    if (count != masks[n].dwords)
      return cc_refuse(c, "llvm.read_register of '%s' as another type than i%u", masks[n].name, 32 * masks[n].dwords);
    operand mask = cc_salu(c, c->mask_dwords == 2 ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, c->mask_dwords, 1,
                           (operand[]){cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords)});
    operand parts[2];
    for (uint32_t p = 0; p < count; p++) /* of a wave of 32 the upper half is 0 */
      parts[p] = masks[n].first + p < c->mask_dwords ? cc_part_of(mask, masks[n].first + p, 1) : cc_constant(0);
    cc_define(c, record, parts, count);
    return true;
  }
  return cc_refuse(c, "llvm.read_register of '%.*s'", (int)name.size, name.data);
}

enum result { NOTHING, SCALAR, VECTOR, TRUTH };
enum order { FREE, WAITS, READS };
static const struct wave {
  const char *name;
  uint16_t size, row; /* the name's size; the instruction */
  uint8_t result, order;
  char operands[8];
} waves[] = {
#define WAVE(name, row, result, order, operands) {name, sizeof(name) - 1, OG_ROW_##row, result, order, operands},
#define FIELD(...)
#include "cc/wave.def"
};

static bool from_gfx12(const struct og_isa *isa) { return isa->gfx12; }
static bool from_gfx1250(const struct og_isa *isa) { return isa->gfx1250; }
static const struct field {
  const char *name;
  bool (*is_there)(const struct og_isa *isa);
  uint8_t reg, bit, bits;
} fields[] = {
#define WAVE(...)
#define FIELD(name, from, reg, bit, bits) {name, from_##from, reg, bit, bits},
#include "cc/wave.def"
};

static const struct wave *find_wave(const struct cc_function *c, struct og_text name) {
  for (unsigned k = 0; k < OG_COUNT(waves); k++) {
    bool prefix = waves[k].name[waves[k].size - 1] == '.';
    bool found = (prefix ? name.size > waves[k].size : name.size == waves[k].size) && begins(name, waves[k].name);
    if (!found)
      continue;
    bool is_form = strchr(waves[k].operands, 'E') ? c->isa->gfx11 : !strchr(waves[k].operands, 'a') || !c->isa->gfx11;
    if (is_form && cc_has_row(c, waves[k].row))
      return &waves[k];
  }
  return NULL;
}

static const struct field *find_field(const struct cc_function *c, struct og_text name) {
  for (unsigned k = 0; k < OG_COUNT(fields); k++)
    if (og_text_is(name, fields[k].name) && fields[k].is_there(c->isa))
      return &fields[k];
  return NULL;
}

bool cc_is_scalar_wave(const struct cc_function *c, struct og_text name) {
  const struct wave *w = find_wave(c, name);
  return w ? w->result == SCALAR || w->result == TRUTH : find_field(c, name) != NULL;
}

void cc_wait_until_read(struct cc_function *c) {
  uint32_t rest = c->isa->gfx11 ? 0xfff8 : c->isa->gfx10 ? 0xff0f : c->isa->generation >= OG_GFX900 ? 0xcf0f : 0xf0f;
  unsigned row = c->isa->gfx12 ? OG_ROW_S_WAIT_EXPCNT : OG_ROW_S_WAITCNT;
  cc_emit(c, row, 0, 1, (operand[]){cc_constant(c->isa->gfx12 ? 0 : rest)})->keep = true;
}

/* The instruction while it is made. */
struct making {
  operand list[6], m0, channel, kept;
  unsigned count;
  int32_t offset;
  uint8_t policy, halves;
  bool named, gds; /* M0 is an operand; it is an instruction for GDS */
};

static operand shared(struct cc_function *c, operand o) {
  return cc_is_vector(c, o) ? SALU(c, V_READFIRSTLANE_B32, 1, o) : o;
}

static void add(struct making *m, operand o) { m->list[m->count++] = o; }

/* Adds an operand to what goes to M0. */
static void add_m0(struct cc_function *c, struct making *m, operand o) {
  if (m->m0.kind == CC_CONST && o.kind == CC_CONST)
    m->m0.value |= o.value;
  else
    m->m0 = m->m0.kind == CC_NONE ? o : SALU(c, S_OR_B32, 1, o, m->m0);
}

/* A barrier's number: bits 4 to 9 of its address. */
static operand barrier_number(struct cc_function *c, operand at) {
  if (at.kind == CC_CONST)
    return cc_constant(at.value >> 4 & 63);
  return SALU(c, S_AND_B32, 1, cc_shift(c, CC_S, OG_IR_LSHR, at, cc_constant(4)), cc_constant(63));
}

static operand upper_half(struct cc_function *c, operand o) {
  return o.kind == CC_CONST ? cc_constant(o.value << 16) : cc_shift(c, CC_S, OG_IR_SHL, o, cc_constant(16));
}

static operand number_of(struct cc_function *c, og_ir_ref ref) {
  uint64_t number;
  if (!cc_is_number(c->m, ref, &number)) {
    cc_refuse(c, "a control that is no constant");
    return cc_constant(0);
  }
  uint32_t bits = cc_bits(c->m, cc_type_of(c, ref));
  return cc_constant((uint32_t)(bits < 32 ? number & ((1u << bits) - 1) : number));
}

static void take(struct cc_function *c, struct making *m, char letter, og_ir_ref ref) {
  uint32_t parts_of = cc_parts(c->m, cc_type_of(c, ref));
  if (letter != '-' && (parts_of < (letter == 'p' ? 2u : 1u) || parts_of > 2)) {
    cc_refuse(c, "an argument of this type");
    return;
  }
  operand o = strchr("iok-xahb", letter) ? (operand){0} : cc_part(c, ref, 0);
  switch (letter) {
  case 'i': add(m, number_of(c, ref)); break;
  case 's': add(m, shared(c, o)); break;
  case 'p': {
    operand parts[2] = {shared(c, o), shared(c, cc_part(c, ref, 1))};
    add(m, cc_tuple(c, parts, 2, CC_S));
    break;
  }
  case 'v': add(m, cc_parts(c->m, cc_type_of(c, ref)) == 2 ? cc_pair(c, ref, 0, CC_V) : cc_in_vector(c, o)); break;
  case 'm': add_m0(c, m, shared(c, o)); break;
  case 'n':
    add_m0(c, m, barrier_number(c, shared(c, o)));
    m->named = true;
    break;
  case 'c': add_m0(c, m, upper_half(c, shared(c, o))); break;
  case 'r':
    m->offset = o.kind == CC_CONST ? (int32_t)(o.value & 0xffff) : 0;
    m->m0 = o.kind == CC_CONST ? cc_constant(0) : upper_half(c, shared(c, o));
    break;
  case 'l':
    add(m, o.kind == CC_CONST ? cc_special(OG_SPECIAL_NULL, 1) : shared(c, o));
    add(m, o.kind == CC_CONST ? cc_constant(o.value & 31) : cc_constant(0));
    break;
  case 'o': m->offset = (int32_t)(number_of(c, ref).value & 0xffff); break;
  case 'x': m->channel = number_of(c, ref); break;
  case 'a':
    add(m, number_of(c, ref));
    add(m, m->channel);
    break;
  case 't': m->kept = cc_in_vector(c, o); break;
  case 'h':
  case 'b': m->halves = number_of(c, ref).value ? (letter == 'h' ? 1 : 5) : 0; break;
  case 'k': m->policy = (uint8_t)number_of(c, ref).value; break;
  default: break;
  }
}

/* The row's result may have more dwords than the intrinsic's. */
static unsigned result_dwords(const struct cc_function *c, const struct wave *w) {
  return og_slots(og_shape(c->isa, og_form(c->isa, c->forms[w->row][0])))[0].dwords;
}

static operand result_of(struct cc_function *c, const struct wave *w) {
  return cc_temp(c, w->result == VECTOR ? CC_V : CC_S, result_dwords(c, w));
}

static void define_result(struct cc_function *c, uint32_t record, const struct wave *w, operand to) {
  uint32_t count = cc_parts(c->m, c->f->insts.items[record].type);
  operand parts[2] = {cc_part_of(to, 0, 1), cc_part_of(to, to.dwords - 1u, 1)};
  if (w->result == TRUTH)
    parts[0] = SALU(c, S_CSELECT_B32, 1, cc_constant(1), cc_constant(0));
  if (w->row == OG_ROW_S_GETPC_B64 && c->isa->gfx12 && !c->isa->gfx1250) /* its sign is missing in the upper half */
    parts[1] = SALU(c, S_SEXT_I32_I16, 1, parts[1]);
  if (w->result != NOTHING)
    cc_define(c, record, parts, count);
}

static void modify(struct cc_function *c, struct cc_inst *inst, const struct wave *w, const struct making *m) {
  enum { ALL_PARAMETERS = 7 };
  if (m->gds)
    cc_modify(c, inst, OG_MOD_GDS, 1);
  if (strchr(w->operands, 'E'))
    cc_modify(c, inst, OG_MOD_WAIT_EXP, ALL_PARAMETERS);
  if (m->halves)
    cc_modify(c, inst, OG_MOD_OP_SEL, m->halves);
}

/* Before gfx9 M0 is also the limit of LDS instructions, so it is set back behind this one. */
static bool one_for_wave(struct cc_function *c, uint32_t record, const struct wave *w) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  operand m0 = cc_special(OG_SPECIAL_M0, 1), to = {0};
  bool has_result = w->result == SCALAR || w->result == VECTOR;
  uint32_t results = cc_parts(c->m, i->type);
  if (w->result == NOTHING ? results : results < 1 || results > (has_result ? result_dwords(c, w) : 1))
    return false;
  struct making m = {.count = has_result};
  for (uint32_t k = 0, a = 0; k < sizeof w->operands && w->operands[k]; k++) {
    m.gds |= w->operands[k] == 'G';
    if (strchr("G=E", w->operands[k]))
      continue;
    if (1 + a >= i->operands)
      return false;
    take(c, &m, w->operands[k], og_ir_operand(c->f, i, 1 + a++));
  }
  if (c->failed)
    return false;
  if (m.gds && !cc_has_row(c, OG_ROW_DS_ORDERED_COUNT))
    return cc_refuse(c, "%s without GDS", w->name);
  if (w->order == WAITS)
    cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  if (m.m0.kind != CC_NONE)
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){m0, m.m0});
  if (strchr(w->operands, '='))
    cc_emit(c, OG_ROW_S_CMP_EQ_U32, 0, 2, (operand[]){cc_constant(0), cc_constant(0)});
  if (m.named)
    add(&m, m0);
  if (has_result)
    to = m.list[0] = result_of(c, w);
  if (m.kept.kind != CC_NONE) {
    cc_move(c, to, m.kept);
    add(&m, to);
  }
  struct cc_inst *inst = cc_emit(c, w->row, has_result, m.count, m.list);
  inst->offset = m.offset, inst->policy = m.policy, inst->keep = true;
  inst->tied = m.kept.kind != CC_NONE ? (uint8_t)(m.count - 1) : 0;
  modify(c, inst, w, &m);
  if (w->order == WAITS)
    cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  else if (w->order == READS)
    cc_wait_until_read(c);
  if (m.m0.kind != CC_NONE && c->isa->generation < OG_GFX900)
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){m0, cc_constant(UINT32_MAX)});
  define_result(c, record, w, to);
  return !c->failed;
}

static bool field_of_wave(struct cc_function *c, uint32_t record, const struct field *f) {
  if (cc_parts(c->m, c->f->insts.items[record].type) != 1)
    return false;
  operand o = {CC_TTMP, 0, 0, 1, f->reg};
  operand field = cc_constant(f->bit | (uint32_t)f->bits << 16);
  o = f->bits == 32 ? SALU(c, S_MOV_B32, 1, o) : SALU(c, S_BFE_U32, 1, o, field);
  cc_define(c, record, &o, 1);
  return true;
}

/* The counter of cycles: an instruction's result, or a register of 20 bits. From gfx12 on it has 64 bits in two
 * registers: if the upper one changes between two reads, the lower one has just become 0. */
static bool cycles(struct cc_function *c, uint32_t record) {
  enum { CYCLES = 29, CYCLES_HIGH = 30, BITS_20 = 19 << 11, BITS_32 = 31 << 11 };
  operand parts[2] = {cc_constant(0), cc_constant(0)};
  if (!c->isa->gfx12) {
    parts[0] = SALU(c, S_GETREG_B32, 1, cc_constant(CYCLES | BITS_20));
  } else {
    operand before = SALU(c, S_GETREG_B32, 1, cc_constant(CYCLES_HIGH | BITS_32));
    operand low = SALU(c, S_GETREG_B32, 1, cc_constant(CYCLES | BITS_32));
    parts[1] = SALU(c, S_GETREG_B32, 1, cc_constant(CYCLES_HIGH | BITS_32));
    cc_emit(c, OG_ROW_S_CMP_EQ_U32, 0, 2, (operand[]){before, parts[1]});
    parts[0] = SALU(c, S_CSELECT_B32, 1, low, cc_constant(0));
  }
  cc_define(c, record, parts, 2);
  return true;
}

/* A field of 4 bits of the register that says where a work-group is in its cluster. */
static operand in_cluster(struct cc_function *c, unsigned field) {
  return SALU(c, S_BFE_U32, 1, (operand){CC_TTMP, 0, 0, 1, 6}, cc_constant(4 * field | 4u << 16));
}

/* A work-group's id. Without clusters it is the input; with clusters that is the cluster's id, which is multiplied by
 * the cluster's size, and the place in the cluster is added. */
operand cc_work_group_id(struct cc_function *c, unsigned axis) {
  enum { STATUS_2 = 28, CLUSTERED = 6 << 6, BITS_4 = 3 << 11, LAST = 3 };
  const struct og_input_place *p = &c->state.inputs[OG_INPUT_WORKGROUP_ID_X + axis];
  operand id = c->inputs[OG_INPUT_WORKGROUP_ID_X + axis];
  uint32_t dims[3];
  if (id.kind == CC_NONE)
    return id;
  if (p->bits < 32)
    id = SALU(c, S_BFE_U32, 1, id, cc_constant(p->bit | (uint32_t)p->bits << 16));
  else if (id.kind == CC_TTMP)
    id = SALU(c, S_MOV_B32, 1, id);
  if (!c->isa->gfx1250 || c->is_function || !cc_is_clustered(c, dims))
    return id;
  operand count = cc_add(c, CC_S, in_cluster(c, LAST + axis), cc_constant(1));
  operand within = cc_add(c, CC_S, in_cluster(c, axis), cc_mul(c, CC_S, id, count));
  operand clustered = SALU(c, S_GETREG_B32, 1, cc_constant(STATUS_2 | CLUSTERED | BITS_4));
  cc_emit(c, OG_ROW_S_CMP_EQ_U32, 0, 2, (operand[]){clustered, cc_constant(0)});
  return SALU(c, S_CSELECT_B32, 1, id, within);
}

/* Lanes that are off count as false. */
static bool ballot(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  bool wide = c->mask_dwords == 2;
  operand mask = cc_salu(c, wide ? OG_ROW_S_AND_B64 : OG_ROW_S_AND_B32, c->mask_dwords, 2,
                         (operand[]){cc_mask(c, og_ir_operand(c->f, i, 1)),
                                     cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords)});
  operand parts[2] = {cc_part_of(mask, 0, 1), wide ? cc_part_of(mask, 1, 1) : cc_constant(0)};
  cc_define(c, record, parts, cc_parts(c->m, i->type));
  return true;
}

bool cc_select_wave(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  const struct wave *w = find_wave(c, name);
  const struct field *f = find_field(c, name);
  if (w || f)
    return w ? one_for_wave(c, record, w) : field_of_wave(c, record, f);
  if (begins(name, "llvm.amdgcn.ballot.") && cc_parts(c->m, i->type) <= 2)
    return ballot(c, record);
  if (og_text_is(name, "llvm.trap")) {
    cc_select_trap(c);
    return true;
  }
  if (og_text_is(name, "llvm.debugtrap")) {
    enum { TELLS = 3 };
    if (c->target->os == OG_OS_AMDHSA) /* other systems have no trap handlers (user guide, "Trap Handler ABI") */
      cc_emit(c, OG_ROW_S_TRAP, 0, 1, (operand[]){cc_constant(TELLS)})->keep = true;
    return true;
  }
  if (og_text_is(name, "llvm.readcyclecounter"))
    return cycles(c, record);
  if (begins(name, "llvm.read_register."))
    return read_exec(c, record);
  uint64_t number;
  if (begins(name, "llvm.amdgcn.ds.swizzle") && cc_is_number(c->m, og_ir_operand(c->f, i, 2), &number)) {
    operand to = cc_temp(c, CC_V, 1);
    struct cc_inst *swizzle = cc_emit(c, OG_ROW_DS_SWIZZLE_B32, 1, 2,
                                (operand[]){to, cc_in_vector(c, cc_part(c, og_ir_operand(c->f, i, 1), 0))});
    swizzle->offset = (int32_t)(number & 0xffff), swizzle->keep = true;
    cc_define(c, record, &to, 1);
    return true;
  }
  return false;
}
