/* kernel_code.c - amd_kernel_code_t, the 256 bytes before a kernel's code in code object V2.
 * Compute ABI, "AMD Kernel Code Object amd_kernel_code_t"; the keys are those of the .amd_kernel_code_t directive. */
#include "object/object.h"

#include <string.h>

enum { RSRC1 = 48, RSRC2 = 52, PROPERTIES = 56 };

#define WORD(key, alias, byte, size) {key, alias, byte, size, 0, 8 * (size), true}
#define BITS(key, alias, byte, bit, bits) {key, alias, byte, 4, bit, bits, true}
#define PART(key, alias, byte, bit, bits) {key, alias, byte, (bits) > 32 ? 8 : 4, bit, bits, false}

/* In the order they are printed. */
const struct og_kernel_code_field og_kernel_code_fields[] = {
    WORD("amd_code_version_major", "amd_kernel_code_version_major", 0, 4),
    WORD("amd_code_version_minor", "amd_kernel_code_version_minor", 4, 4),
    WORD("amd_machine_kind", NULL, 8, 2),
    WORD("amd_machine_version_major", "machine_version_major", 10, 2),
    WORD("amd_machine_version_minor", "machine_version_minor", 12, 2),
    WORD("amd_machine_version_stepping", "machine_version_stepping", 14, 2),
    WORD("kernel_code_entry_byte_offset", NULL, 16, 8),
    PART("kernel_code_prefetch_byte_offset", NULL, 24, 0, 64),
    WORD("kernel_code_prefetch_byte_size", NULL, 32, 8),
    PART("max_scratch_backing_memory_byte_size", NULL, 40, 0, 64),
    PART("compute_pgm_rsrc1", NULL, RSRC1, 0, 32),
    PART("compute_pgm_rsrc2", NULL, RSRC2, 0, 32),
    BITS("granulated_workitem_vgpr_count", "compute_pgm_rsrc1_vgprs", RSRC1, 0, 6),
    BITS("granulated_wavefront_sgpr_count", "compute_pgm_rsrc1_sgprs", RSRC1, 6, 4),
    BITS("priority", "compute_pgm_rsrc1_priority", RSRC1, 10, 2),
    BITS("float_mode", "compute_pgm_rsrc1_float_mode", RSRC1, 12, 8),
    PART("float_mode_round_32", NULL, RSRC1, 12, 2),
    PART("float_mode_round_16_64", NULL, RSRC1, 14, 2),
    PART("float_mode_denorm_32", NULL, RSRC1, 16, 2),
    PART("float_mode_denorm_16_64", NULL, RSRC1, 18, 2),
    BITS("priv", "compute_pgm_rsrc1_priv", RSRC1, 20, 1),
    BITS("enable_dx10_clamp", "compute_pgm_rsrc1_dx10_clamp", RSRC1, 21, 1),
    BITS("debug_mode", "compute_pgm_rsrc1_debug_mode", RSRC1, 22, 1),
    BITS("enable_ieee_mode", "compute_pgm_rsrc1_ieee_mode", RSRC1, 23, 1),
    PART("bulky", NULL, RSRC1, 24, 1),
    PART("cdbg_user", NULL, RSRC1, 25, 1),
    BITS("enable_wgp_mode", "compute_pgm_rsrc1_wgp_mode", RSRC1, 29, 1),
    BITS("enable_mem_ordered", "compute_pgm_rsrc1_mem_ordered", RSRC1, 30, 1),
    BITS("enable_fwd_progress", "compute_pgm_rsrc1_fwd_progress", RSRC1, 31, 1),
    BITS("enable_sgpr_private_segment_wave_byte_offset", "compute_pgm_rsrc2_scratch_en", RSRC2, 0, 1),
    BITS("user_sgpr_count", "compute_pgm_rsrc2_user_sgpr", RSRC2, 1, 5),
    BITS("enable_trap_handler", "compute_pgm_rsrc2_trap_handler", RSRC2, 6, 1),
    BITS("enable_sgpr_workgroup_id_x", "compute_pgm_rsrc2_tgid_x_en", RSRC2, 7, 1),
    BITS("enable_sgpr_workgroup_id_y", "compute_pgm_rsrc2_tgid_y_en", RSRC2, 8, 1),
    BITS("enable_sgpr_workgroup_id_z", "compute_pgm_rsrc2_tgid_z_en", RSRC2, 9, 1),
    BITS("enable_sgpr_workgroup_info", "compute_pgm_rsrc2_tg_size_en", RSRC2, 10, 1),
    BITS("enable_vgpr_workitem_id", "compute_pgm_rsrc2_tidig_comp_cnt", RSRC2, 11, 2),
    BITS("enable_exception_msb", "compute_pgm_rsrc2_excp_en_msb", RSRC2, 13, 2),
    PART("enable_exception_address_watch", NULL, RSRC2, 13, 1),
    PART("enable_exception_memory_violation", NULL, RSRC2, 14, 1),
    BITS("granulated_lds_size", "compute_pgm_rsrc2_lds_size", RSRC2, 15, 9),
    BITS("enable_exception", "compute_pgm_rsrc2_excp_en", RSRC2, 24, 7),
    PART("enable_exception_ieee_754_fp_invalid_operation", NULL, RSRC2, 24, 1),
    PART("enable_exception_fp_denormal_source", NULL, RSRC2, 25, 1),
    PART("enable_exception_ieee_754_fp_division_by_zero", NULL, RSRC2, 26, 1),
    PART("enable_exception_ieee_754_fp_overflow", NULL, RSRC2, 27, 1),
    PART("enable_exception_ieee_754_fp_underflow", NULL, RSRC2, 28, 1),
    PART("enable_exception_ieee_754_fp_inexact", NULL, RSRC2, 29, 1),
    PART("enable_exception_int_divide_by_zero", NULL, RSRC2, 30, 1),
    BITS("enable_sgpr_private_segment_buffer", NULL, PROPERTIES, 0, 1),
    BITS("enable_sgpr_dispatch_ptr", NULL, PROPERTIES, 1, 1),
    BITS("enable_sgpr_queue_ptr", NULL, PROPERTIES, 2, 1),
    BITS("enable_sgpr_kernarg_segment_ptr", NULL, PROPERTIES, 3, 1),
    BITS("enable_sgpr_dispatch_id", NULL, PROPERTIES, 4, 1),
    BITS("enable_sgpr_flat_scratch_init", NULL, PROPERTIES, 5, 1),
    BITS("enable_sgpr_private_segment_size", NULL, PROPERTIES, 6, 1),
    BITS("enable_sgpr_grid_workgroup_count_x", "enable_sgpr_grid_workgroup_count_X", PROPERTIES, 7, 1),
    BITS("enable_sgpr_grid_workgroup_count_y", "enable_sgpr_grid_workgroup_count_Y", PROPERTIES, 8, 1),
    BITS("enable_sgpr_grid_workgroup_count_z", "enable_sgpr_grid_workgroup_count_Z", PROPERTIES, 9, 1),
    BITS("enable_wavefront_size32", NULL, PROPERTIES, 10, 1),
    BITS("enable_ordered_append_gds", NULL, PROPERTIES, 16, 1),
    BITS("private_element_size", NULL, PROPERTIES, 17, 2),
    BITS("is_ptr64", NULL, PROPERTIES, 19, 1),
    BITS("is_dynamic_callstack", "is_dynamic_call_stack", PROPERTIES, 20, 1),
    BITS("is_debug_enabled", NULL, PROPERTIES, 21, 1),
    BITS("is_xnack_enabled", NULL, PROPERTIES, 22, 1),
    WORD("workitem_private_segment_byte_size", NULL, 60, 4),
    WORD("workgroup_group_segment_byte_size", NULL, 64, 4),
    WORD("gds_segment_byte_size", NULL, 68, 4),
    WORD("kernarg_segment_byte_size", NULL, 72, 8),
    WORD("workgroup_fbarrier_count", NULL, 80, 4),
    WORD("wavefront_sgpr_count", NULL, 84, 2),
    WORD("workitem_vgpr_count", NULL, 86, 2),
    WORD("reserved_vgpr_first", NULL, 88, 2),
    WORD("reserved_vgpr_count", NULL, 90, 2),
    WORD("reserved_sgpr_first", NULL, 92, 2),
    WORD("reserved_sgpr_count", NULL, 94, 2),
    WORD("debug_wavefront_private_segment_offset_sgpr", NULL, 96, 2),
    WORD("debug_private_segment_buffer_sgpr", NULL, 98, 2),
    WORD("kernarg_segment_alignment", NULL, 100, 1),
    WORD("group_segment_alignment", NULL, 101, 1),
    WORD("private_segment_alignment", NULL, 102, 1),
    WORD("wavefront_size", NULL, 103, 1),
    WORD("call_convention", NULL, 104, 4),
    WORD("runtime_loader_kernel_symbol", NULL, 120, 8),
};
const size_t og_kernel_code_field_count = OG_COUNT(og_kernel_code_fields);

const struct og_kernel_code_field *og_find_kernel_code_field(struct og_text key) {
  for (size_t i = 0; i < og_kernel_code_field_count; i++) {
    const struct og_kernel_code_field *f = &og_kernel_code_fields[i];
    if (og_text_is(key, f->key) || (f->alias && og_text_is(key, f->alias)))
      return f;
  }
  return NULL;
}

static uint64_t mask(unsigned bits) {
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

uint64_t og_kernel_code_get(const uint8_t *kernel_code, const struct og_kernel_code_field *field) {
  uint64_t word = 0;
  memcpy(&word, kernel_code + field->byte, field->size);
  return word >> field->bit & mask(field->bits);
}

bool og_kernel_code_set(uint8_t *kernel_code, const struct og_kernel_code_field *field, uint64_t value) {
  bool fits = (value & ~mask(field->bits)) == 0 || (field->bits >= 8 && field->bits < 64 && (int64_t)value < 0 &&
                                                    (int64_t)value >= -(1ll << (field->bits - 1)));
  uint64_t word = 0;
  memcpy(&word, kernel_code + field->byte, field->size);
  word = (word & ~(mask(field->bits) << field->bit)) | (value & mask(field->bits)) << field->bit;
  memcpy(kernel_code + field->byte, &word, field->size);
  return fits;
}

static void set(uint8_t *kernel_code, const char *key, uint64_t value) {
  og_kernel_code_set(kernel_code, og_find_kernel_code_field(og_text(key)), value);
}

static uint64_t get(const uint8_t *kernel_code, const char *key) {
  return og_kernel_code_get(kernel_code, og_find_kernel_code_field(og_text(key)));
}

void og_kernel_code_defaults(const struct og_target *target, uint8_t *kernel_code) {
  const struct og_processor *p = target->processor;
  memset(kernel_code, 0, OG_KERNEL_CODE_SIZE);
  set(kernel_code, "amd_code_version_major", 1);
  set(kernel_code, "amd_code_version_minor", 2);
  set(kernel_code, "amd_machine_kind", 1);
  set(kernel_code, "amd_machine_version_major", p->major);
  set(kernel_code, "amd_machine_version_minor", p->minor);
  set(kernel_code, "amd_machine_version_stepping", p->stepping);
  set(kernel_code, "kernel_code_entry_byte_offset", OG_KERNEL_CODE_SIZE);
  set(kernel_code, "wavefront_size", target->wave_size == 32 ? 5 : 6);
  set(kernel_code, "call_convention", 0xffffffff);
  set(kernel_code, "kernarg_segment_alignment", 4);
  set(kernel_code, "group_segment_alignment", 4);
  set(kernel_code, "private_segment_alignment", 4);
  if (p->major >= 10) {
    set(kernel_code, "enable_wavefront_size32", target->wave_size == 32);
    set(kernel_code, "enable_wgp_mode", !target->cumode);
    set(kernel_code, "enable_mem_ordered", 1);
    set(kernel_code, "enable_fwd_progress", 1);
  }
}

/* What is left of the bytes when all fields that are printed are taken out. */
static void take_fields(uint8_t *rest) {
  for (size_t i = 0; i < og_kernel_code_field_count; i++) {
    const struct og_kernel_code_field *f = &og_kernel_code_fields[i];
    if (f->printed || (f->byte != RSRC1 && f->byte != RSRC2))
      og_kernel_code_set(rest, f, 0);
  }
}

bool og_kernel_code_is_said(const uint8_t *kernel_code) {
  static const uint8_t none[OG_KERNEL_CODE_SIZE];
  uint8_t rest[OG_KERNEL_CODE_SIZE];
  memcpy(rest, kernel_code, sizeof rest);
  take_fields(rest);
  og_store64(rest + RSRC1, 0); /* said as wholes */
  return memcmp(rest, none, sizeof rest) == 0;
}

void og_kernel_code_print(const uint8_t *kernel_code, struct og_buffer *out) {
  uint8_t rest[OG_KERNEL_CODE_SIZE];
  memcpy(rest, kernel_code, sizeof rest);
  take_fields(rest);
  for (size_t i = 0; i < og_kernel_code_field_count; i++) {
    const struct og_kernel_code_field *f = &og_kernel_code_fields[i];
    uint64_t value = og_kernel_code_get(kernel_code, f);
    bool is_signed = strcmp(f->key, "call_convention") == 0;
    bool part = f->byte == RSRC1 || f->byte == RSRC2, whole = part && f->bits == 32;
    if (whole) /* what no field has */
      value = og_kernel_code_get(rest, f);
    if (f->printed || (value && (!part || whole)))
      og_buffer_printf(out, "\t\t%s = %lld\n", f->key, is_signed ? (long long)(int32_t)value : (long long)value);
  }
}

void og_kernel_code_to_descriptor(const uint8_t *kernel_code, uint8_t *descriptor) {
  memset(descriptor, 0, OG_DESCRIPTOR_SIZE);
  og_kd_set(descriptor, OG_KD_GROUP_SEGMENT_FIXED_SIZE, get(kernel_code, "workgroup_group_segment_byte_size"));
  og_kd_set(descriptor, OG_KD_PRIVATE_SEGMENT_FIXED_SIZE, get(kernel_code, "workitem_private_segment_byte_size"));
  og_kd_set(descriptor, OG_KD_KERNARG_SIZE, get(kernel_code, "kernarg_segment_byte_size"));
  og_kd_set(descriptor, OG_KD_KERNEL_CODE_ENTRY_BYTE_OFFSET, get(kernel_code, "kernel_code_entry_byte_offset"));
  memcpy(descriptor + RSRC1, kernel_code + RSRC1, 8); /* compute_pgm_rsrc1 and 2 stand at the same place in both */
  /* The first seven properties and wavefront_size32 have the same bits; grid work-group
   * counts were never implemented. */
  uint32_t properties = og_load32(kernel_code + PROPERTIES);
  og_store16(descriptor + PROPERTIES, (uint16_t)(properties & 0x47f));
  og_kd_set(descriptor, OG_KD_USES_DYNAMIC_STACK, properties >> 20 & 1);
}
