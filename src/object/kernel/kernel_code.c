/* kernel_code.c - amd_kernel_code_t, the 256 bytes before a kernel's code in code object V2.
 * Compute ABI, "AMD Kernel Code Object amd_kernel_code_t"; the keys are those of the .amd_kernel_code_t directive. */
#include "object/kernel/kernel.h"

#include <string.h>

/* Where descriptor.def has each field. */
#define FIELD(id, word, bit, bits, where, name) BYTE_##id = OG_KD_WORD_##word, BIT_##id = bit, BITS_##id = bits,
#define OTHER(id, ...)
enum {
#include "target/descriptor.def"
};

/* WORD: a number. SAME: a descriptor's field; SPAN: its fields from one to another; BITS: what descriptors no longer
 * have. WHOLE and PART are not printed where other fields say the same. */
#define WORD(key, alias, byte, size) {key, alias, byte, size, 0, 8 * (size), true}
#define BITS(key, alias, bit, bits) {key, alias, OG_KD_WORD_PROPERTIES, 4, bit, bits, true}
#define WHOLE(key, byte, bits) {key, NULL, byte, (bits) / 8, 0, bits, false}
#define SAME(key, alias, id) {key, alias, BYTE_##id, 4, BIT_##id, BITS_##id, true}
#define PART(key, id) {key, NULL, BYTE_##id, 4, BIT_##id, BITS_##id, false}
#define SPAN(key, alias, first, last) \
  {key, alias, BYTE_##first, 4, BIT_##first, BIT_##last + BITS_##last - BIT_##first, true}

/* In the order they are printed. */
const struct og_kernel_code_field og_kernel_code_fields[] = {
    WORD("amd_code_version_major", "amd_kernel_code_version_major", 0, 4),
    WORD("amd_code_version_minor", "amd_kernel_code_version_minor", 4, 4),
    WORD("amd_machine_kind", NULL, 8, 2),
    WORD("amd_machine_version_major", "machine_version_major", 10, 2),
    WORD("amd_machine_version_minor", "machine_version_minor", 12, 2),
    WORD("amd_machine_version_stepping", "machine_version_stepping", 14, 2),
    WORD("kernel_code_entry_byte_offset", NULL, 16, 8),
    WHOLE("kernel_code_prefetch_byte_offset", 24, 64),
    WORD("kernel_code_prefetch_byte_size", NULL, 32, 8),
    WHOLE("max_scratch_backing_memory_byte_size", 40, 64),
    WHOLE("compute_pgm_rsrc1", OG_KD_WORD_RSRC1, 32),
    WHOLE("compute_pgm_rsrc2", OG_KD_WORD_RSRC2, 32),
    SAME("granulated_workitem_vgpr_count", "compute_pgm_rsrc1_vgprs", GRANULATED_WORKITEM_VGPR_COUNT),
    SAME("granulated_wavefront_sgpr_count", "compute_pgm_rsrc1_sgprs", GRANULATED_WAVEFRONT_SGPR_COUNT),
    SAME("priority", "compute_pgm_rsrc1_priority", PRIORITY),
    SPAN("float_mode", "compute_pgm_rsrc1_float_mode", FLOAT_ROUND_MODE_32, FLOAT_DENORM_MODE_16_64),
    PART("float_mode_round_32", FLOAT_ROUND_MODE_32),
    PART("float_mode_round_16_64", FLOAT_ROUND_MODE_16_64),
    PART("float_mode_denorm_32", FLOAT_DENORM_MODE_32),
    PART("float_mode_denorm_16_64", FLOAT_DENORM_MODE_16_64),
    SAME("priv", "compute_pgm_rsrc1_priv", PRIV),
    SAME("enable_dx10_clamp", "compute_pgm_rsrc1_dx10_clamp", ENABLE_DX10_CLAMP),
    SAME("debug_mode", "compute_pgm_rsrc1_debug_mode", DEBUG_MODE),
    SAME("enable_ieee_mode", "compute_pgm_rsrc1_ieee_mode", ENABLE_IEEE_MODE),
    PART("bulky", BULKY),
    PART("cdbg_user", CDBG_USER),
    SAME("enable_wgp_mode", "compute_pgm_rsrc1_wgp_mode", WGP_MODE),
    SAME("enable_mem_ordered", "compute_pgm_rsrc1_mem_ordered", MEM_ORDERED),
    SAME("enable_fwd_progress", "compute_pgm_rsrc1_fwd_progress", FWD_PROGRESS),
    SAME("enable_sgpr_private_segment_wave_byte_offset", "compute_pgm_rsrc2_scratch_en", ENABLE_PRIVATE_SEGMENT),
    SAME("user_sgpr_count", "compute_pgm_rsrc2_user_sgpr", USER_SGPR_COUNT),
    SAME("enable_trap_handler", "compute_pgm_rsrc2_trap_handler", ENABLE_TRAP_HANDLER),
    SAME("enable_sgpr_workgroup_id_x", "compute_pgm_rsrc2_tgid_x_en", ENABLE_SGPR_WORKGROUP_ID_X),
    SAME("enable_sgpr_workgroup_id_y", "compute_pgm_rsrc2_tgid_y_en", ENABLE_SGPR_WORKGROUP_ID_Y),
    SAME("enable_sgpr_workgroup_id_z", "compute_pgm_rsrc2_tgid_z_en", ENABLE_SGPR_WORKGROUP_ID_Z),
    SAME("enable_sgpr_workgroup_info", "compute_pgm_rsrc2_tg_size_en", ENABLE_SGPR_WORKGROUP_INFO),
    SAME("enable_vgpr_workitem_id", "compute_pgm_rsrc2_tidig_comp_cnt", ENABLE_VGPR_WORKITEM_ID),
    SPAN("enable_exception_msb", "compute_pgm_rsrc2_excp_en_msb", ENABLE_EXCEPTION_ADDRESS_WATCH,
         ENABLE_EXCEPTION_MEMORY),
    PART("enable_exception_address_watch", ENABLE_EXCEPTION_ADDRESS_WATCH),
    PART("enable_exception_memory_violation", ENABLE_EXCEPTION_MEMORY),
    SAME("granulated_lds_size", "compute_pgm_rsrc2_lds_size", GRANULATED_LDS_SIZE),
    SPAN("enable_exception", "compute_pgm_rsrc2_excp_en", EXCEPTION_FP_IEEE_INVALID_OP, EXCEPTION_INT_DIV_ZERO),
    PART("enable_exception_ieee_754_fp_invalid_operation", EXCEPTION_FP_IEEE_INVALID_OP),
    PART("enable_exception_fp_denormal_source", EXCEPTION_FP_DENORM_SRC),
    PART("enable_exception_ieee_754_fp_division_by_zero", EXCEPTION_FP_IEEE_DIV_ZERO),
    PART("enable_exception_ieee_754_fp_overflow", EXCEPTION_FP_IEEE_OVERFLOW),
    PART("enable_exception_ieee_754_fp_underflow", EXCEPTION_FP_IEEE_UNDERFLOW),
    PART("enable_exception_ieee_754_fp_inexact", EXCEPTION_FP_IEEE_INEXACT),
    PART("enable_exception_int_divide_by_zero", EXCEPTION_INT_DIV_ZERO),
    SAME("enable_sgpr_private_segment_buffer", NULL, ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER),
    SAME("enable_sgpr_dispatch_ptr", NULL, ENABLE_SGPR_DISPATCH_PTR),
    SAME("enable_sgpr_queue_ptr", NULL, ENABLE_SGPR_QUEUE_PTR),
    SAME("enable_sgpr_kernarg_segment_ptr", NULL, ENABLE_SGPR_KERNARG_SEGMENT_PTR),
    SAME("enable_sgpr_dispatch_id", NULL, ENABLE_SGPR_DISPATCH_ID),
    SAME("enable_sgpr_flat_scratch_init", NULL, ENABLE_SGPR_FLAT_SCRATCH_INIT),
    SAME("enable_sgpr_private_segment_size", NULL, ENABLE_SGPR_PRIVATE_SEGMENT_SIZE),
    SAME("enable_sgpr_grid_workgroup_count_x",
         "enable_sgpr_grid_workgroup_count_X",
         ENABLE_SGPR_GRID_WORKGROUP_COUNT_X),
    SAME("enable_sgpr_grid_workgroup_count_y", "enable_sgpr_grid_workgroup_count_Y",
         ENABLE_SGPR_GRID_WORKGROUP_COUNT_Y),
    SAME("enable_sgpr_grid_workgroup_count_z", "enable_sgpr_grid_workgroup_count_Z",
         ENABLE_SGPR_GRID_WORKGROUP_COUNT_Z),
    SAME("enable_wavefront_size32", NULL, ENABLE_WAVEFRONT_SIZE32),
    BITS("enable_ordered_append_gds", NULL, 16, 1),
    BITS("private_element_size", NULL, 17, 2),
    BITS("is_ptr64", NULL, 19, 1),
    BITS("is_dynamic_callstack", "is_dynamic_call_stack", 20, 1),
    BITS("is_debug_enabled", NULL, 21, 1),
    BITS("is_xnack_enabled", NULL, 22, 1),
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
    if (f->printed || (f->byte != OG_KD_WORD_RSRC1 && f->byte != OG_KD_WORD_RSRC2))
      og_kernel_code_set(rest, f, 0);
  }
}

bool og_kernel_code_is_said(const uint8_t *kernel_code) {
  static const uint8_t none[OG_KERNEL_CODE_SIZE];
  uint8_t rest[OG_KERNEL_CODE_SIZE];
  memcpy(rest, kernel_code, sizeof rest);
  take_fields(rest);
  og_store64(rest + OG_KD_WORD_RSRC1, 0); /* said as wholes */
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
    bool part = f->byte == OG_KD_WORD_RSRC1 || f->byte == OG_KD_WORD_RSRC2, whole = part && f->bits == 32;
    if (whole) /* what no field has */
      value = og_kernel_code_get(rest, f);
    if (f->printed || (value && (!part || whole)))
      og_buffer_printf(out, "\t\t%s = %lld\n", f->key, is_signed ? (long long)(int32_t)value : (long long)value);
  }
}

void og_kernel_code_to_descriptor(const uint8_t *kernel_code, uint8_t *descriptor) {
  enum { SHARED_PROPERTIES = (1 << BIT_USES_DYNAMIC_STACK) - 1 };
  memset(descriptor, 0, OG_DESCRIPTOR_SIZE);
  og_store32(descriptor + OG_KD_WORD_GROUP, (uint32_t)get(kernel_code, "workgroup_group_segment_byte_size"));
  og_store32(descriptor + OG_KD_WORD_PRIVATE, (uint32_t)get(kernel_code, "workitem_private_segment_byte_size"));
  og_store32(descriptor + OG_KD_WORD_KERNARG, (uint32_t)get(kernel_code, "kernarg_segment_byte_size"));
  og_store64(descriptor + OG_KD_WORD_ENTRY, get(kernel_code, "kernel_code_entry_byte_offset"));
  memcpy(descriptor + OG_KD_WORD_RSRC1, kernel_code + OG_KD_WORD_RSRC1, 8); /* and compute_pgm_rsrc2 */
  uint32_t properties = og_load32(kernel_code + OG_KD_WORD_PROPERTIES) & SHARED_PROPERTIES;
  properties |= (uint32_t)get(kernel_code, "is_dynamic_callstack") << BIT_USES_DYNAMIC_STACK;
  og_store16(descriptor + OG_KD_WORD_PROPERTIES, (uint16_t)properties);
}
