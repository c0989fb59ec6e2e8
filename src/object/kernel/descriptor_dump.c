/* descriptor_dump.c - a kernel descriptor as llvm-objdump prints it: in the order of its bytes, with comments for
 * fields that no directive sets. */
#include "object/kernel/kernel.h"

#include <string.h>

/* A directive, or, after a name, the field that it comments. */
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

/* Values that LLVM prints differently from what encodes again: SGPRs as allocated, with none of them reserved. */
static void as_llvm(const struct og_kd_layout *layout, int version, const uint8_t *descriptor,
                    struct og_kd_values *v) {
  const struct og_processor *p = layout->target->processor;
  struct og_initial_state state;
  og_initial_state_read(layout->target, descriptor, false, &state);
  v->value[OG_KDD_NEXT_FREE_SGPR] = p->major >= 10 ? 8 : state.sgprs;
  v->value[OG_KDD_RESERVE_VCC] = v->value[OG_KDD_RESERVE_FLAT_SCRATCH] = 0;
  v->value[OG_KDD_RESERVE_XNACK_MASK] = p->generation >= OG_GFX1250;
  v->given[OG_KDD_WAVEFRONT_SIZE32] = layout->bits[OG_KDD_WAVEFRONT_SIZE32] != 0;
  v->given[OG_KDD_SHARED_VGPR_COUNT] &= !v->value[OG_KDD_WAVEFRONT_SIZE32];
  v->given[OG_KDD_USES_DYNAMIC_STACK] = version >= 5;
}

/* Preloading is printed where it is asked for, also for processors that do not preload. */
static void read_preload(const uint8_t *descriptor, struct og_kd_values *v) {
  for (size_t i = 0; i < og_kd_row_count; i++)
    for (int d = 0; d < OG_KDD_COUNT; d++)
      if (og_kd_rows[i].byte == OG_KD_WORD_PRELOADED && og_kd_directives[d].field == og_kd_rows[i].field) {
        v->value[d] = og_kd_bits(descriptor, &og_kd_rows[i]);
        v->given[d] = v->value[d] != 0;
      }
}

/* Bits that the target has no field in, and that LLVM neither prints nor refuses: TRAP_HANDLER (on gfx12 the mode of
 * dynamic VGPRs), WGP_MODE, up to gfx8 the wave size, and what flat scratch took before it was architected. */
static void clear_unlooked_at(const struct og_target *target, uint8_t *descriptor) {
  const struct og_kd_row *user_sgprs = og_kd_find(target, OG_KD_USER_SGPR_COUNT);
  if (user_sgprs->bit + user_sgprs->bits <= 6)
    descriptor[OG_KD_WORD_RSRC2] &= (uint8_t)~(1u << 6);
  if (target->processor->generation >= OG_GFX10_1 && !og_kd_find(target, OG_KD_WGP_MODE))
    descriptor[OG_KD_WORD_RSRC1 + 3] &= (uint8_t)~(1u << 5);
  if (target->processor->generation < OG_GFX900)
    descriptor[OG_KD_WORD_PROPERTIES + 1] &= (uint8_t)~(1u << 2);
  if (!og_kd_find(target, OG_KD_KERNARG_PRELOAD_LENGTH))
    og_store16(descriptor + OG_KD_WORD_PRELOADED, 0);
  if (!og_kd_find(target, OG_KD_ENABLE_SGPR_FLAT_SCRATCH_INIT))
    descriptor[OG_KD_WORD_PROPERTIES] &= (uint8_t)~(1u << 5 | 1u << 0);
}

bool og_kd_dump(const struct og_target *target, int version, const char *name, const uint8_t *bytes,
                struct og_buffer *out) {
  const struct og_kd_layout layout = og_kd_layout_of(target);
  struct og_kd_values values;
  uint8_t descriptor[OG_DESCRIPTOR_SIZE];
  memcpy(descriptor, bytes, sizeof descriptor);
  clear_unlooked_at(target, descriptor);
  if (!og_kd_decode(&layout, descriptor, &values, NULL))
    return false;
  as_llvm(&layout, version, descriptor, &values);
  read_preload(bytes, &values);
  og_buffer_printf(out, ".amdhsa_kernel %s\n", name);
  for (size_t i = 0; i < OG_COUNT(lines); i++) {
    unsigned what = lines[i].what;
    const struct og_kd_row *row = lines[i].comment ? og_kd_find(target, (enum og_kd_field)what) : NULL;
    bool shown = lines[i].comment ? row && row->byte != OG_KD_WORD_RSRC2 : values.given[what];
    if (what == OG_KD_SHARED_VGPR_COUNT && lines[i].comment)
      shown = shown && values.value[OG_KDD_WAVEFRONT_SIZE32];
    if (!shown)
      continue;
    uint64_t value = lines[i].comment ? og_kd_get(target, descriptor, (enum og_kd_field)what) : values.value[what];
    og_buffer_printf(out, lines[i].comment ? "\t; %s %llu\n" : "\t.amdhsa_%s %llu\n",
                     lines[i].comment ? lines[i].comment : og_kd_directives[what].name, (unsigned long long)value);
  }
  og_buffer_text(out, ".end_amdhsa_kernel\n");
  return true;
}
