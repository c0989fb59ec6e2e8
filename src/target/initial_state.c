/* initial_state.c - finds the state in which waves start from a descriptor's fields; inputs.def says which register
 * holds what. */
#include "target/initial_state.h"

#include "target/features.inc"

#define OG_INPUT_NAME(id, words) words,
const char *const og_input_names[OG_INPUT_COUNT] = {OG_INPUTS(OG_INPUT_NAME)};

/* ---- granules ---------------------------------------------------------------------------------------------------- */

static bool has(const struct og_target *target, int feature) { return og_has_feature(&target->features, feature); }

/* From gfx10 on, a register of wave32 is half as wide, so twice as many fit. */
static uint32_t scaled(const struct og_target *target, unsigned wave_size, uint32_t wave64) {
  return target->processor->major >= 10 && wave_size == 32 ? 2 * wave64 : wave64;
}

uint32_t og_vgprs_counted_by(const struct og_target *target, unsigned wave_size) {
  return scaled(target, wave_size, target->processor->vgprs_counted_by);
}

uint32_t og_vgpr_granule(const struct og_target *target, unsigned wave_size) {
  return scaled(target, wave_size, target->processor->vgpr_granule);
}

uint32_t og_vgprs_total(const struct og_target *target, unsigned wave_size) {
  return scaled(target, wave_size, target->processor->vgprs_total);
}

uint32_t og_extra_sgprs(const struct og_target *target, bool vcc, bool flat_scratch, bool xnack) {
  unsigned major = target->processor->major;
  uint32_t extra = vcc ? 2 : 0;
  if (major >= 10)
    return extra;
  if (major < 8)
    return flat_scratch ? 4 : extra;
  if (xnack)
    extra = 4;
  return flat_scratch || has(target, OG_FEATURE_ARCHITECTED_FLAT_SCRATCH) ? 6 : extra;
}

static uint64_t round_up(uint64_t value, uint64_t granule) { return (value + granule - 1) / granule * granule; }

uint32_t og_allocated_lds(const struct og_target *target, uint32_t bytes) {
  return (uint32_t)round_up(bytes, target->processor->lds_granule);
}

uint64_t og_allocated_scratch(const struct og_target *target, unsigned wave_size, uint32_t bytes) {
  return round_up(og_align_up(bytes, 4) * wave_size, target->processor->scratch_granule);
}

uint64_t og_scratch_max(const struct og_target *target) {
  return (uint64_t)target->processor->scratch_granules_max * target->processor->scratch_granule;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

enum order { USER_SGPR, SYSTEM_SGPR, FIXED_PLACE };

static const struct input {
  uint8_t input, order, field, registers, least;
  uint32_t where;
  struct og_input_place place;
} inputs[] = {
#define ALL OG_WHERE_ALL
#define FROM(first) OG_FROM(first)
#define SCRATCH_IN_SGPRS (ALL | OG_WHERE_SCRATCH_IN_SGPRS)
#define IDS_IN_SGPRS (ALL | OG_WHERE_IDS_IN_SGPRS)
#define IDS_IN_TTMPS (ALL | OG_WHERE_IDS_IN_TTMPS)
#define PACKED_IDS (ALL | OG_WHERE_PACKED_IDS)
#define UNPACKED_IDS (ALL | OG_WHERE_UNPACKED_IDS)
#define USER(input, sgprs, field) {OG_INPUT_##input, USER_SGPR, OG_KD_##field, sgprs, 1, ALL, {0}},
#define SYSTEM(input, where, field) {OG_INPUT_##input, SYSTEM_SGPR, OG_KD_##field, 1, 1, where, {0}},
#define FIXED(input, where, field, least, file, reg, bit, bits)                                                        \
  {OG_INPUT_##input, FIXED_PLACE, OG_KD_##field, 1, least, where, {OG_FILE_##file, reg, 1, bit, bits}},
#include "target/inputs.def"
};

#undef USER
#undef SYSTEM
#undef FIXED
#define USER(input, sgprs, field) [OG_KD_##field] = OG_MAX(sgprs, 1),
#define SYSTEM(...)
#define FIXED(...)

unsigned og_user_sgprs_of(enum og_kd_field field) {
  static const uint8_t registers[OG_KD_FIELD_COUNT + 1] = {
#include "target/inputs.def"
  };
  return registers[field];
}

struct reader {
  const struct og_target *target;
  const struct og_kd_row *rows[OG_KD_FIELD_COUNT + 1];
  const uint8_t *descriptor;
  bool from_kernel_code;
  struct og_initial_state *state;
};

static uint32_t get(const struct reader *r, enum og_kd_field field) {
  return r->rows[field] ? (uint32_t)og_kd_bits(r->descriptor, r->rows[field]) : 0;
}

/* The field that asks for an input; it may be one that only amd_kernel_code_t has. */
static uint32_t asked(const struct reader *r, enum og_kd_field field) {
  if (!r->from_kernel_code)
    return get(r, field);
  for (size_t i = 0; i < og_kd_row_count; i++)
    if (og_kd_rows[i].field == field && og_kd_rows[i].where & OG_WHERE_KERNEL_CODE)
      return (uint32_t)og_kd_bits(r->descriptor, &og_kd_rows[i]);
  return get(r, field);
}

static void place_inputs(const struct reader *r) {
  struct og_initial_state *state = r->state;
  unsigned user = 0, system = state->user_sgprs;
  for (size_t i = 0; i < OG_COUNT(inputs); i++) {
    const struct input *input = &inputs[i];
    uint32_t value = asked(r, (enum og_kd_field)input->field);
    if (value < input->least || !og_where_holds(r->target, input->where))
      continue;
    unsigned count = input->registers ? input->registers : value;
    struct og_input_place place = input->place;
    if (input->order != FIXED_PLACE) {
      unsigned *next = input->order == USER_SGPR ? &user : &system;
      place = (struct og_input_place){OG_FILE_SGPR, (uint8_t)*next, (uint8_t)count, 0, 32};
      *next += count;
    }
    state->inputs[input->input] = place;
  }
  state->user_sgprs_wanted = (uint8_t)user;
}

/* ---- registers and modes ----------------------------------------------------------------------------------------- */

static void count_registers(const struct reader *r) {
  const struct og_processor *p = r->target->processor;
  struct og_initial_state *state = r->state;
  uint32_t granule = og_vgprs_counted_by(r->target, state->wave_size);
  state->vgprs_total = (uint16_t)((get(r, OG_KD_GRANULATED_WORKITEM_VGPR_COUNT) + 1) * granule);
  state->vgprs = state->vgprs_total;
  state->agprs = p->agprs_max ? state->vgprs_total : 0;
  if (p->unified_vgprs && !r->from_kernel_code) { /* amd_kernel_code_t does not say where AccVGPRs begin */
    uint32_t arch = (get(r, OG_KD_ACCUM_OFFSET) + 1) * 4;
    state->vgprs = (uint16_t)OG_MIN(arch, state->vgprs_total);
    state->agprs = (uint16_t)(state->vgprs_total - state->vgprs);
  }
  if (state->wave_size == 64)
    state->shared_vgprs = (uint16_t)(8 * get(r, OG_KD_SHARED_VGPR_COUNT));
  state->sgprs = p->sgprs_counted_by
                     ? (uint16_t)((get(r, OG_KD_GRANULATED_WAVEFRONT_SGPR_COUNT) + 1) * p->sgprs_counted_by)
                     : p->sgprs_max;
}

/* MODE: rounding and denormals in bits 7:0, DX10_CLAMP in 8 and IEEE in 9 (up to gfx11), the enables of exceptions from
 * 12 on (up to gfx11; later in TRAP_CTRL), FP16_OVFL in 23. */
static uint32_t initial_mode(const struct reader *r) {
  uint32_t mode = get(r, OG_KD_FLOAT_ROUND_MODE_32) | get(r, OG_KD_FLOAT_ROUND_MODE_16_64) << 2 |
                  get(r, OG_KD_FLOAT_DENORM_MODE_32) << 4 | get(r, OG_KD_FLOAT_DENORM_MODE_16_64) << 6 |
                  get(r, OG_KD_ENABLE_DX10_CLAMP) << 8 | get(r, OG_KD_ENABLE_IEEE_MODE) << 9 |
                  get(r, OG_KD_FP16_OVFL) << 23;
  return r->target->processor->generation < OG_GFX12 ? mode | (uint32_t)r->state->exceptions << 12 : mode;
}

static void read_modes(const struct reader *r) {
  struct og_initial_state *state = r->state;
  for (int i = 0; i < 7; i++)
    state->exceptions |= (uint8_t)(get(r, (enum og_kd_field)(OG_KD_EXCEPTION_FP_IEEE_INVALID_OP + i)) << i);
  state->mode = initial_mode(r);
  state->wgp_mode = get(r, OG_KD_WGP_MODE);
  state->tg_split = get(r, OG_KD_TG_SPLIT);
  state->dynamic_vgprs = get(r, OG_KD_ENABLE_DYNAMIC_VGPR);
  state->named_barriers = (uint8_t)(4 * get(r, OG_KD_NAMED_BARRIER_COUNT)); /* the field counts in fours */
}

/* A kernel that preloads arguments begins with 256 bytes that load them, for packet processors that cannot preload. On
 * gfx12.5 all can. User guide, "Preloaded Kernel Arguments". */
static bool has_preload_prologue(const struct reader *r) {
  return r->target->processor->generation < OG_GFX1250 && get(r, OG_KD_KERNARG_PRELOAD_LENGTH);
}

void og_initial_state_read(const struct og_target *target, const uint8_t *descriptor, bool from_kernel_code,
                           struct og_initial_state *state) {
  struct reader r = {
      .target = target, .descriptor = descriptor, .from_kernel_code = from_kernel_code, .state = state};
  og_kd_find_all(target, r.rows);
  *state = (struct og_initial_state){
      .wave_size = get(&r, OG_KD_ENABLE_WAVEFRONT_SIZE32) ? 32 : 64,
      .group_size = get(&r, OG_KD_GROUP_SEGMENT_FIXED_SIZE),
      .private_size = get(&r, OG_KD_PRIVATE_SEGMENT_FIXED_SIZE),
      .kernarg_size = get(&r, OG_KD_KERNARG_SIZE),
      .dynamic_stack = get(&r, OG_KD_USES_DYNAMIC_STACK),
      .user_sgprs = (uint8_t)get(&r, OG_KD_USER_SGPR_COUNT),
      .preload_offset = (uint16_t)(4 * get(&r, OG_KD_KERNARG_PRELOAD_OFFSET)),
      .entry_skip = has_preload_prologue(&r) ? 256 : 0,
  };
  count_registers(&r);
  read_modes(&r);
  place_inputs(&r);
}
