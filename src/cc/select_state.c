/* select_state.c - intrinsics about the wave's own state: what is known before it runs, EXEC, the mode, which memory an
 * address is in; and fences that only the compiler obeys. Those that are one instruction are in wave.def. */
#include "cc/address.h"
#include "cc/memory_model.h"
#include "cc/object.h"

#include <string.h>

typedef bool selector(struct cc_function *c, uint32_t record);

static og_ir_ref argument(const struct cc_function *c, uint32_t record, uint32_t index) {
  return og_ir_operand(c->f, &c->f->insts.items[record], 1 + index);
}

static bool define_number(struct cc_function *c, uint32_t record, uint32_t number) {
  operand o = cc_constant(number);
  cc_define(c, record, &o, 1);
  return true;
}

static bool nothing(struct cc_function *c, uint32_t record) {
  uint32_t count = cc_parts(c->m, c->f->insts.items[record].type);
  operand *parts = OG_NEW_ARRAY(c->arena, operand, count + 1);
  for (uint32_t p = 0; p < count; p++)
    parts[p] = cc_constant(0);
  if (count)
    cc_define(c, record, parts, count);
  return true;
}

/* Nothing moves over it, whatever the mask would let pass. */
static bool scheduling_fence(struct cc_function *c, uint32_t record) {
  (void)record;
  cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL)->policy = NO_MEMORY;
  return true;
}

/* ---- what is known --------------------------------------------------------------------------------------------- */

static bool wave_size(struct cc_function *c, uint32_t record) { return define_number(c, record, c->target->wave_size); }

/* Refused in functions, since they are compiled before the kernels that call them. */
static bool static_lds(struct cc_function *c, uint32_t record) {
  if (c->is_function)
    return cc_refuse(c, "llvm.amdgcn.groupstaticsize in a function that is called");
  return define_number(c, record, c->lds_size);
}

/* A number that the lowering of LDS variables has attached to the kernel. */
static bool lds_kernel(struct cc_function *c, uint32_t record) {
  uint64_t number;
  if (cc_attached_number(c, "llvm.amdgcn.lds.kernel.id", 0, &number))
    return define_number(c, record, (uint32_t)number);
  return cc_refuse(c, "llvm.amdgcn.lds.kernel.id without a number that is attached to the kernel");
}

/* ---- EXEC ------------------------------------------------------------------------------------------------------ */

static operand exec_of(const struct cc_function *c) { return cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords); }

/* Lanes that are off when a wave begins may be turned on only at the start, before anything is computed. */
static bool is_at_start(struct cc_function *c, uint32_t record, const char *name) {
  if (!c->is_function && !c->f->insts.items[record].block)
    return true;
  return cc_refuse(c, "%s %s", name, c->is_function ? "in a function that is called" : "outside of the first block");
}

static bool live_lanes(struct cc_function *c, uint32_t record) {
  bool wide = c->mask_dwords == 2;
  cc_define_mask(c, record,
                 cc_salu(c, wide ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, c->mask_dwords, 1, (operand[]){exec_of(c)}));
  return true;
}

static bool all_lanes(struct cc_function *c, uint32_t record) {
  operand before = cc_temp(c, CC_S, c->mask_dwords);
  if (!is_at_start(c, record, "llvm.amdgcn.init.whole.wave"))
    return false;
  cc_emit(c, c->mask_dwords == 2 ? OG_ROW_S_OR_SAVEEXEC_B64 : OG_ROW_S_OR_SAVEEXEC_B32, 1, 2,
          (operand[]){before, {CC_CONST, 0, 0, c->mask_dwords, UINT32_MAX}});
  cc_define_mask(c, record, before);
  return true;
}

static bool set_lanes(struct cc_function *c, uint32_t record) {
  uint64_t mask;
  if (!is_at_start(c, record, "llvm.amdgcn.init.exec"))
    return false;
  if (!cc_is_number(c->m, argument(c, record, 0), &mask))
    return cc_refuse(c, "llvm.amdgcn.init.exec of a mask that is no constant");
  for (unsigned k = 0; k < c->mask_dwords; k++)
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2,
            (operand[]){cc_part_of(exec_of(c), k, 1), cc_constant((uint32_t)(mask >> 32 * k))});
  return true;
}

static bool quads(struct cc_function *c, uint32_t record) {
  bool wide = c->mask_dwords == 2;
  operand mask = cc_mask(c, argument(c, record, 0));
  cc_define_mask(c, record, cc_salu(c, wide ? OG_ROW_S_WQM_B64 : OG_ROW_S_WQM_B32, c->mask_dwords, 1, &mask));
  return true;
}

static bool end_program(struct cc_function *c, uint32_t record) {
  (void)record;
  cc_emit(c, OG_ROW_S_ENDPGM, 0, 0, NULL)->keep = true;
  return true;
}

/* ---- registers of the hardware --------------------------------------------------------------------------------- */

static bool set_register(struct cc_function *c, uint32_t record) {
  uint64_t field;
  if (!cc_is_number(c->m, argument(c, record, 0), &field))
    return cc_refuse(c, "llvm.amdgcn.s.setreg of a register that is no constant");
  operand value = cc_part(c, argument(c, record, 1), 0), to = cc_constant((uint32_t)field & 0xffff);
  if (cc_is_vector(c, value))
    value = SALU(c, V_READFIRSTLANE_B32, 1, value);
  if (value.kind == CC_CONST) /* bits of the field */
    value.value &= UINT32_MAX >> (31 - (field >> 11 & 31));
  cc_emit(c, value.kind == CC_CONST ? OG_ROW_S_SETREG_IMM32_B32 : OG_ROW_S_SETREG_B32, 0, 2, (operand[]){to, value})
      ->keep = true;
  return true;
}

/* What MODE says about floats: rounding, denormals, DX10_CLAMP, IEEE, exceptions, and from gfx9 on FP16_OVFL. */
static bool float_mode(struct cc_function *c, uint32_t record) {
  enum { MODE = 1, BITS_19 = 18 << 11, BITS_24 = 23 << 11, OF_FLOATS = 0x7f3ff, OVERFLOW_16 = 1 << 23 };
  bool more = c->isa->generation >= OG_GFX900;
  operand mode = SALU(c, S_GETREG_B32, 1, cc_constant(MODE | (more ? BITS_24 : BITS_19)));
  mode = SALU(c, S_AND_B32, 1, cc_constant(OF_FLOATS | (more ? OVERFLOW_16 : 0)), mode);
  cc_define(c, record, &mode, 1);
  return true;
}

static bool cluster_place(struct cc_function *c, uint32_t record) {
  enum { STATUS_2 = 28, FLAT_ID = 21 << 6, BITS_4 = 3 << 11 };
  if (!c->isa->gfx1250)
    return false;
  operand o = SALU(c, S_GETREG_B32, 1, cc_constant(STATUS_2 | FLAT_ID | BITS_4));
  cc_define(c, record, &o, 1);
  return true;
}

/* Before gfx8 there is no such counter, and this one stands still; from gfx11 on a message asks for it. */
static bool steady_counter(struct cc_function *c, uint32_t record) {
  enum { GET_REALTIME = 0x83 };
  operand o = cc_temp(c, CC_S, 2), parts[2] = {cc_constant(0), cc_constant(0)};
  if (cc_has_row(c, OG_ROW_S_SENDMSG_RTN_B64)) {
    cc_emit(c, OG_ROW_S_SENDMSG_RTN_B64, 1, 2, (operand[]){o, cc_constant(GET_REALTIME)})->keep = true;
    parts[0] = cc_part_of(o, 0, 1), parts[1] = cc_part_of(o, 1, 1);
  }
  cc_define(c, record, parts, 2);
  return true;
}

static bool export_ready(struct cc_function *c, uint32_t record) {
  (void)record;
  if (!cc_has_row(c, OG_ROW_S_WAIT_EVENT))
    return false;
  cc_emit(c, OG_ROW_S_WAIT_EVENT, 0, 1, (operand[]){cc_constant(c->isa->gfx12 ? 2 : 0)})->keep = true;
  return true;
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* Whether a flat address is in an aperture. On gfx1250 addresses of private memory differ in their upper halves, since
 * these hold the lane. */
static bool is_in(struct cc_function *c, uint32_t record, bool private) {
  operand high = cc_part(c, argument(c, record, 0), 1);
  if (private && c->isa->gfx1250) {
    operand base = SALU(c, S_MOV_B32, 1, cc_special(OG_SPECIAL_FLAT_SCRATCH_BASE_HI, 1));
    operand apart = VALU(c, V_XOR_B32, 1, base, cc_in_vector(c, high));
    cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_GT_U32, cc_constant(0x4000000), apart));
    return true;
  }
  cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_aperture(c, private), cc_in_vector(c, high)));
  return true;
}

static bool is_shared(struct cc_function *c, uint32_t record) { return is_in(c, record, false); }
static bool is_private(struct cc_function *c, uint32_t record) { return is_in(c, record, true); }
static bool cast_nonnull(struct cc_function *c, uint32_t record) { return cc_select_nonnull(c, record); }

/* Brings data into the vector cache, and into other caches by the policy's scope. */
static bool prefetch(struct cc_function *c, uint32_t record, unsigned policy) {
  struct cc_address a;
  if (!cc_address(c, argument(c, record, 0), false, &a))
    return false;
  if (a.space != GLOBAL && a.space != FLAT)
    return cc_refuse(c, "a prefetch of this address space");
  struct cc_inst *i =
      cc_emit(c, a.space == FLAT ? OG_ROW_FLAT_PREFETCH_B8 : OG_ROW_GLOBAL_PREFETCH_B8, 0, a.operands, a.at);
  i->offset = (int32_t)a.offset, i->policy = (uint8_t)policy, i->keep = true;
  return true;
}

static bool prefetch_by_policy(struct cc_function *c, uint32_t record) {
  uint64_t policy;
  if (!cc_has_row(c, OG_ROW_GLOBAL_PREFETCH_B8))
    return false;
  if (!cc_is_number(c->m, argument(c, record, 1), &policy))
    return cc_refuse(c, "a prefetch whose policy is no constant");
  return prefetch(c, record, (unsigned)policy & 31);
}

/* Prefetches data from memory of vector instructions. The less they will be used again, the farther away they may be
 * put. */
static bool prefetch_data(struct cc_function *c, uint32_t record) {
  static const uint8_t policies[] = {SYS, DEV, SE, SE};
  uint64_t locality, data;
  unsigned space = cc_space_of(c, argument(c, record, 0));
  if (!cc_has_row(c, OG_ROW_GLOBAL_PREFETCH_B8) || !cc_is_number(c->m, argument(c, record, 2), &locality) ||
      !cc_is_number(c->m, argument(c, record, 3), &data) || !data ||
      (space != FLAT && space != GLOBAL && space != CONSTANT))
    return true;
  return prefetch(c, record, policies[locality & 3]);
}

/* Counts in the order in which waves were made (GDS): the offset says which counter, what the wave has done, and from
 * gfx10 on how many dwords. */
static bool ordered_count(struct cc_function *c, uint32_t record, bool swaps) {
  uint64_t index, release, done;
  if (!cc_has_row(c, OG_ROW_DS_ORDERED_COUNT))
    return false;
  if (c->f->insts.items[record].operands < 9 || !cc_is_number(c->m, argument(c, record, 5), &index) ||
      !cc_is_number(c->m, argument(c, record, 6), &release) || !cc_is_number(c->m, argument(c, record, 7), &done))
    return cc_refuse(c, "an ordered count whose control is no constant");
  unsigned dwords = (unsigned)index >> 24 & 15;
  if (c->isa->gfx10 ? dwords < 1 || dwords > 4 : dwords != 0)
    return cc_refuse(c, "an ordered count of %u dwords", dwords);
  if (done && !release)
    return cc_refuse(c, "an ordered count that is done without being released");
  operand m0 = cc_part(c, argument(c, record, 0), 0), to = cc_temp(c, CC_V, 1);
  if (cc_is_vector(c, m0))
    m0 = SALU(c, V_READFIRSTLANE_B32, 1, m0);
  operand value = cc_in_vector(c, cc_part(c, argument(c, record, 1), 0));
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){cc_special(OG_SPECIAL_M0, 1), m0});
  struct cc_inst *i = cc_emit(c, OG_ROW_DS_ORDERED_COUNT, 1, 2, (operand[]){to, value});
  unsigned control = (unsigned)release | (unsigned)done << 1 | (swaps ? 1u << 4 : 0) | (dwords ? dwords - 1 : 0) << 6;
  i->offset = (int32_t)(((index & 63) << 2) | control << 8), i->keep = true;
  if (c->isa->generation < OG_GFX900)
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){cc_special(OG_SPECIAL_M0, 1), cc_constant(UINT32_MAX)});
  cc_define(c, record, &to, 1);
  return true;
}

static bool ordered_add(struct cc_function *c, uint32_t record) { return ordered_count(c, record, false); }
static bool ordered_swap(struct cc_function *c, uint32_t record) { return ordered_count(c, record, true); }

/* A ray's stack in LDS: yields what comes off it and its new address; the old address is read, too. */
static bool ray_stack(struct cc_function *c, uint32_t record, unsigned row, unsigned pops) {
  uint64_t offset;
  if (!cc_has_row(c, row))
    return false;
  og_ir_ref pushed = argument(c, record, 2);
  uint32_t count = cc_count(c, pushed);
  operand *data = OG_NEW_ARRAY(c->arena, operand, count), to = cc_temp(c, CC_V, pops), at = cc_temp(c, CC_V, 1);
  for (uint32_t k = 0; k < count; k++)
    data[k] = cc_part(c, pushed, k);
  if (!cc_is_number(c->m, argument(c, record, 3), &offset))
    return cc_refuse(c, "a ray's stack whose offset is no constant");
  operand top = cc_in_vector(c, cc_part(c, argument(c, record, 1), 0)), all = cc_tuple(c, data, count, CC_V);
  cc_move(c, at, cc_part(c, argument(c, record, 0), 0));
  struct cc_inst *i = cc_emit(c, row, 2, 5, (operand[]){to, at, top, all, at});
  i->offset = (int32_t)(offset & 0xffff), i->keep = i->early = true, i->tied = 4;
  operand out[3] = {cc_part_of(to, 0, 1), pops == 2 ? cc_part_of(to, 1, 1) : at, at};
  cc_define(c, record, out, pops + 1);
  return true;
}

static bool ray_stack_4_1(struct cc_function *c, uint32_t record) {
  return ray_stack(c, record, OG_ROW_DS_BVH_STACK_RTN_B32, 1);
}
static bool ray_stack_8_1(struct cc_function *c, uint32_t record) {
  return ray_stack(c, record, OG_ROW_DS_BVH_STACK_PUSH8_POP1_RTN_B32, 1);
}
static bool ray_stack_8_2(struct cc_function *c, uint32_t record) {
  return ray_stack(c, record, OG_ROW_DS_BVH_STACK_PUSH8_POP2_RTN_B64, 2);
}

/* Exports four values, or two pairs of halves, to a target; values that the mask leaves out are not read. Exports read
 * late, so after the wait registers may be written again. */
static bool export_values(struct cc_function *c, uint32_t record, bool halves) {
  uint64_t control[4];
  const uint8_t places[2][4] = {{0, 1, 6, 7}, {0, 1, 4, 5}};
  if (!cc_has_row(c, OG_ROW_EXP) || (halves && c->isa->gfx11))
    return false;
  for (unsigned k = 0; k < 4; k++)
    if (!cc_is_number(c->m, argument(c, record, places[halves][k]), &control[k]))
      return cc_refuse(c, "an export whose control is no constant");
  operand list[5] = {cc_constant((uint32_t)control[0])};
  for (unsigned k = 0; k < 4; k++) {
    og_ir_ref value = argument(c, record, 2 + (halves ? k / 2 : k));
    list[1 + k] = !(control[1] >> k & 1) ? (operand){0}
                  : halves               ? cc_pack_halves(c, cc_part(c, value, 0), cc_part(c, value, 1))
                                         : cc_in_vector(c, cc_part(c, value, 0));
  }
  struct cc_inst *i = cc_emit(c, OG_ROW_EXP, 0, 5, list);
  i->keep = true;
  cc_modify(c, i, OG_MOD_DONE, (int32_t)control[2]);
  cc_modify(c, i, OG_MOD_VM, c->isa->gfx11 ? 0 : (int32_t)control[3]);
  cc_modify(c, i, OG_MOD_COMPR, halves);
  cc_wait_until_read(c);
  return true;
}

static bool export_floats(struct cc_function *c, uint32_t record) { return export_values(c, record, false); }
static bool export_halves(struct cc_function *c, uint32_t record) { return export_values(c, record, true); }

/* Whether a type fits a letter of state.def. */
static bool is_type(const struct cc_function *c, og_ir_type type, char letter) {
  switch (letter) {
  case '.': return true;
  case 'i': return og_ir_kind(c->m, type) == OG_IR_INTEGER && cc_bits(c->m, type) == 1;
  case 'p': return og_ir_kind(c->m, type) == OG_IR_POINTER;
  default: return cc_parts(c->m, type) == (uint32_t)(letter - '0');
  }
}

static bool has_types(struct cc_function *c, uint32_t record, const char *result, const char *arguments) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  bool has = is_type(c, i->type, *result) && i->operands >= 1 + strlen(arguments);
  for (uint32_t a = 0; has && arguments[a]; a++)
    has = is_type(c, cc_type_of(c, argument(c, record, a)), arguments[a]);
  return has;
}

bool cc_select_state(struct cc_function *c, uint32_t record, struct og_text name) {
  static const struct {
    const char *name, *result, *arguments;
    selector *select;
  } known[] = {
#define STATE(name, result, arguments, select) {name, result, arguments, select},
#include "cc/state.def"
  };
  for (unsigned k = 0; k < OG_COUNT(known); k++) {
    struct og_text rest = name;
    bool prefix = known[k].name[strlen(known[k].name) - 1] == '.';
    if (prefix ? og_text_skip(&rest, known[k].name) : og_text_is(name, known[k].name))
      return has_types(c, record, known[k].result, known[k].arguments) && known[k].select(c, record) && !c->failed;
  }
  return false;
}
