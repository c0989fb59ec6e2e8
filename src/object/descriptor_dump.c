/* descriptor_dump.c - a kernel descriptor as llvm-objdump prints it: in the order of its bytes, with comments for
 * fields that no directive sets. */
#include "object/object.h"

/* A directive, or, behind a name, the field that it comments. */
struct line {
  const char *comment;
  uint8_t what;
};
#define DIRECTIVE(id) {NULL, OG_KDD_##id}
#define COMMENT(id) {#id, OG_KD_##id}

static const struct line lines[] = {
    DIRECTIVE(GROUP_SEGMENT_FIXED_SIZE), DIRECTIVE(PRIVATE_SEGMENT_FIXED_SIZE), DIRECTIVE(KERNARG_SIZE),
    /* compute_pgm_rsrc3 */
    DIRECTIVE(ACCUM_OFFSET), DIRECTIVE(TG_SPLIT), DIRECTIVE(SHARED_VGPR_COUNT), COMMENT(SHARED_VGPR_COUNT),
    DIRECTIVE(INST_PREF_SIZE), COMMENT(TRAP_ON_START), COMMENT(TRAP_ON_END), COMMENT(GLG_EN),
    DIRECTIVE(NAMED_BARRIER_COUNT), COMMENT(ENABLE_DYNAMIC_VGPR), COMMENT(TCP_SPLIT), COMMENT(ENABLE_DIDT_THROTTLE),
    COMMENT(IMAGE_OP),
    /* compute_pgm_rsrc1 */
    DIRECTIVE(NEXT_FREE_VGPR), DIRECTIVE(RESERVE_VCC), DIRECTIVE(RESERVE_FLAT_SCRATCH), DIRECTIVE(RESERVE_XNACK_MASK),
    DIRECTIVE(NEXT_FREE_SGPR), DIRECTIVE(FLOAT_ROUND_MODE_32), DIRECTIVE(FLOAT_ROUND_MODE_16_64),
    DIRECTIVE(FLOAT_DENORM_MODE_32), DIRECTIVE(FLOAT_DENORM_MODE_16_64), DIRECTIVE(DX10_CLAMP), DIRECTIVE(IEEE_MODE),
    DIRECTIVE(FP16_OVERFLOW), COMMENT(FLAT_SCRATCH_IS_NV), DIRECTIVE(WORKGROUP_PROCESSOR_MODE),
    DIRECTIVE(MEMORY_ORDERED), DIRECTIVE(FORWARD_PROGRESS), DIRECTIVE(ROUND_ROBIN_SCHEDULING),
    /* compute_pgm_rsrc2 */
    DIRECTIVE(SYSTEM_SGPR_PRIVATE_SEGMENT_WAVEFRONT_OFFSET), DIRECTIVE(ENABLE_PRIVATE_SEGMENT),
    DIRECTIVE(SYSTEM_SGPR_WORKGROUP_ID_X), DIRECTIVE(SYSTEM_SGPR_WORKGROUP_ID_Y),
    DIRECTIVE(SYSTEM_SGPR_WORKGROUP_ID_Z), DIRECTIVE(SYSTEM_SGPR_WORKGROUP_INFO), DIRECTIVE(SYSTEM_VGPR_WORKITEM_ID),
    DIRECTIVE(EXCEPTION_FP_IEEE_INVALID_OP), DIRECTIVE(EXCEPTION_FP_DENORM_SRC), DIRECTIVE(EXCEPTION_FP_IEEE_DIV_ZERO),
    DIRECTIVE(EXCEPTION_FP_IEEE_OVERFLOW), DIRECTIVE(EXCEPTION_FP_IEEE_UNDERFLOW),
    DIRECTIVE(EXCEPTION_FP_IEEE_INEXACT), DIRECTIVE(EXCEPTION_INT_DIV_ZERO),
    /* kernel_code_properties */
    DIRECTIVE(USER_SGPR_PRIVATE_SEGMENT_BUFFER), DIRECTIVE(USER_SGPR_DISPATCH_PTR), DIRECTIVE(USER_SGPR_QUEUE_PTR),
    DIRECTIVE(USER_SGPR_KERNARG_SEGMENT_PTR), DIRECTIVE(USER_SGPR_DISPATCH_ID), DIRECTIVE(USER_SGPR_FLAT_SCRATCH_INIT),
    DIRECTIVE(USER_SGPR_PRIVATE_SEGMENT_SIZE), DIRECTIVE(WAVEFRONT_SIZE32), DIRECTIVE(USES_DYNAMIC_STACK),
    /* kernarg_preload */
    DIRECTIVE(USER_SGPR_KERNARG_PRELOAD_LENGTH), DIRECTIVE(USER_SGPR_KERNARG_PRELOAD_OFFSET),
};

/* What LLVM prints other than what encodes again: SGPRs as allocated, with none of them reserved. */
static void as_llvm(const struct og_target *target, int version, const uint8_t *descriptor, struct og_kd_values *v) {
  const struct og_processor *p = target->processor;
  v->value[OG_KDD_NEXT_FREE_SGPR] = p->major >= 10 ? 8 : og_kd_sgpr_count(target, descriptor);
  v->value[OG_KDD_RESERVE_VCC] = v->value[OG_KDD_RESERVE_FLAT_SCRATCH] = 0;
  v->value[OG_KDD_RESERVE_XNACK_MASK] = p->generation >= OG_GFX1250;
  v->given[OG_KDD_SHARED_VGPR_COUNT] &= !v->value[OG_KDD_WAVEFRONT_SIZE32];
  v->given[OG_KDD_USES_DYNAMIC_STACK] = version >= 5;
  v->given[OG_KDD_USER_SGPR_KERNARG_PRELOAD_LENGTH] &= v->value[OG_KDD_USER_SGPR_KERNARG_PRELOAD_LENGTH] != 0;
  v->given[OG_KDD_USER_SGPR_KERNARG_PRELOAD_OFFSET] &= v->value[OG_KDD_USER_SGPR_KERNARG_PRELOAD_OFFSET] != 0;
}

bool og_kd_dump(const struct og_target *target, int version, const char *name, const uint8_t *descriptor,
                struct og_buffer *out) {
  struct og_kd_values values;
  if (!og_kd_decode(target, descriptor, &values, NULL))
    return false;
  as_llvm(target, version, descriptor, &values);
  og_buffer_printf(out, ".amdhsa_kernel %s\n", name);
  for (size_t i = 0; i < OG_COUNT(lines); i++) {
    unsigned what = lines[i].what;
    bool shown = lines[i].comment ? og_kd_exists(target, og_kd_fields[what].where) : values.given[what];
    if (what == OG_KD_SHARED_VGPR_COUNT && lines[i].comment)
      shown = shown && values.value[OG_KDD_WAVEFRONT_SIZE32];
    if (!shown)
      continue;
    uint64_t value = lines[i].comment ? og_kd_get(descriptor, (enum og_kd_field)what) : values.value[what];
    og_buffer_printf(out, lines[i].comment ? "\t; %s %llu\n" : "\t.amdhsa_%s %llu\n",
                     lines[i].comment ? lines[i].comment : og_kd_directives[what].name, (unsigned long long)value);
  }
  og_buffer_text(out, ".end_amdhsa_kernel\n");
  return true;
}
