/* lint.c - the rules, how findings are reported, and the findings in header, metadata and descriptors. */
#include "lint/internal.h"

#include <inttypes.h>
#include <string.h>

static const struct og_lint_rule rules[] = {
#define X(id, severity, code, meaning, advice) {OG_SEVERITY_##severity, code, meaning, advice},
#include "lint/rules.def"
#undef X
};

size_t og_lint_rule_count(void) { return OG_COUNT(rules); }
const struct og_lint_rule *og_lint_rule(size_t index) { return index < OG_COUNT(rules) ? &rules[index] : NULL; }

const struct og_lint_rule *og_find_lint_rule(struct og_text code) {
  for (size_t i = 0; i < OG_COUNT(rules); i++)
    if (og_text_is(code, rules[i].code))
      return &rules[i];
  return NULL;
}

static void OG_PRINTF(4, 0) add(struct og_lint *lint, enum og_severity severity, const char *prefix, const char *format,
                                va_list args, const char *code) {
  char *words = og_arena_vprintf(lint->arena, format, args);
  struct og_source source = {.name = lint->code->elf->name};
  og_report_rule(lint->diagnostics, severity, (struct og_range){.source = &source}, code, "%s%s", prefix, words);
}

void og_lint_report(struct og_lint *lint, enum og_lint_id id, const struct og_kernel *kernel, const char *format, ...) {
  const struct og_lint_rule *rule = &rules[id];
  va_list args;
  va_start(args, format);
  add(lint, rule->severity, kernel ? og_arena_printf(lint->arena, "kernel '%s': ", kernel->name) : "", format, args,
      rule->code);
  va_end(args);
  lint->findings++;
  if (lint->advised[id])
    return;
  lint->advised[id] = true;
  struct og_source source = {.name = lint->code->elf->name};
  og_report(lint->diagnostics, OG_SEVERITY_NOTE, (struct og_range){.source = &source}, "%s %s", rule->meaning,
            rule->advice);
}

void og_lint_note(struct og_lint *lint, const char *format, ...) {
  struct og_source source = {.name = lint->code->elf->name};
  va_list args;
  va_start(args, format);
  og_report(lint->diagnostics, OG_SEVERITY_NOTE, (struct og_range){.source = &source}, "%s",
            og_arena_vprintf(lint->arena, format, args));
  va_end(args);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void check_symbols(struct og_lint *lint) {
  const struct og_object *elf = lint->code->elf;
  for (uint32_t i = 1; i < elf->symbols.count; i++) {
    const struct og_symbol *symbol = &elf->symbols.items[i];
    size_t length = strlen(symbol->name);
    if (length > 3 && strcmp(symbol->name + length - 3, ".kd") == 0 && symbol->section != OG_SECTION_UNDEFINED &&
        (symbol->size != OG_DESCRIPTOR_SIZE || symbol->type != STT_OBJECT))
      og_lint_report(lint, OG_LINT_DESCRIPTOR_SIZE, NULL, "symbol '%s' is %s of %" PRIu64 " bytes", symbol->name,
                     symbol->type == STT_OBJECT ? "an object" : "no object", symbol->size);
  }
}

/* ---- a kernel's descriptor --------------------------------------------------------------------------------------- */

static void check_addresses(struct og_lint *lint, const struct og_kernel *kernel) {
  uint64_t align = kernel->is_kernel_code ? OG_ENTRY_ALIGN : OG_DESCRIPTOR_ALIGN;
  if (kernel->object % align)
    og_lint_report(lint, OG_LINT_DESCRIPTOR_ALIGNMENT, kernel,
                   "its descriptor stands at 0x%" PRIx64 ", no multiple of %" PRIu64, kernel->object, align);
  if (kernel->entry % OG_ENTRY_ALIGN)
    og_lint_report(lint, OG_LINT_ENTRY_ALIGNMENT, kernel, "its code begins at 0x%" PRIx64 ", no multiple of %d",
                   kernel->entry, OG_ENTRY_ALIGN);
}

/* The name of a field in that word that is not 0 although only the packet processor may set it; NULL: there is none. */
static const char *reserved_field(const struct og_lint *lint, const struct og_kernel *kernel, enum og_kd_word word) {
  for (size_t i = 0; i < og_kd_row_count; i++) {
    const struct og_kd_row *row = &og_kd_rows[i];
    if (row->byte == word && row->where & OG_WHERE_RESERVED && og_where_holds(lint->target, row->where) &&
        og_kd_bits(kernel->descriptor, row))
      return row->name;
  }
  return NULL;
}

static void check_bits(struct og_lint *lint, const struct og_kernel *kernel) {
  /* Only HSA's packet processor sets these fields itself; other drivers take them as they are. */
  bool hsa = lint->code->elf->os_abi == OG_OSABI_HSA;
  const char *privileged = hsa ? reserved_field(lint, kernel, OG_KD_WORD_RSRC1) : NULL;
  const char *controlled = hsa ? reserved_field(lint, kernel, OG_KD_WORD_RSRC2) : NULL;
  if (privileged)
    og_lint_report(lint, OG_LINT_PRIVILEGED_BITS, kernel, "%s is set in compute_pgm_rsrc1", privileged);
  if (controlled)
    og_lint_report(lint, OG_LINT_CONTROLLED_BITS, kernel, "%s is set in compute_pgm_rsrc2", controlled);
  const struct og_kd_layout layout = og_kd_layout_of(lint->target);
  struct og_kd_values values;
  const char *bad = NULL;
  uint8_t descriptor[OG_DESCRIPTOR_SIZE];
  memcpy(descriptor, kernel->descriptor, sizeof descriptor);
  if (!lint->target->processor->sgprs_counted_by) /* compilers for code object V4 still counted SGPRs */
    descriptor[OG_KD_WORD_RSRC1] &= 0x3f, descriptor[OG_KD_WORD_RSRC1 + 1] &= 0xfc;
  if (!privileged && !controlled && !kernel->is_kernel_code && !og_kd_decode(&layout, descriptor, &values, &bad))
    og_lint_report(lint, OG_LINT_RESERVED_BITS, kernel, "the field '%s' of the descriptor is not 0", bad);
}

static void check_user_sgprs(struct og_lint *lint, const struct og_kernel *kernel) {
  uint32_t needed = kernel->start.user_sgprs_wanted, said = kernel->start.user_sgprs;
  uint32_t most = lint->target->processor->user_sgprs_max;
  if (needed > said)
    og_lint_report(lint, OG_LINT_USER_SGPRS_TOO_FEW, kernel, "user_sgpr_count is %u, but the enabled user SGPRs are %u",
                   said, needed);
  if (OG_MAX(said, needed) > most)
    og_lint_report(lint, OG_LINT_USER_SGPRS_TOO_MANY, kernel, "%u user SGPRs; the hardware sets up at most %u",
                   OG_MAX(said, needed), most);
  const struct og_input_place *inputs = kernel->start.inputs;
  bool passed = inputs[OG_INPUT_KERNARG_SEGMENT_PTR].file || inputs[OG_INPUT_KERNARG_PRELOAD].file;
  uint32_t visible = 0;
  for (uint32_t i = 0; i < kernel->arg_count; i++)
    visible += !og_kernel_arg_hidden(&kernel->args[i]);
  if (visible && !passed && lint->code->elf->os_abi == OG_OSABI_HSA)
    og_lint_report(lint, OG_LINT_KERNARG_NOT_PASSED, kernel,
                   "it has %u argument%s, but enable_sgpr_kernarg_segment_ptr is 0", visible, visible == 1 ? "" : "s");
}

static void check_limits(struct og_lint *lint, const struct og_kernel *kernel) {
  const struct og_processor *processor = lint->target->processor;
  uint32_t vgprs = kernel->start.vgprs_total, lds = kernel->start.group_size;
  if (vgprs > processor->vgprs_max)
    og_lint_report(lint, OG_LINT_VGPRS_TOO_MANY, kernel, "%u VGPRs; %s has %u for a wave", vgprs, processor->name,
                   processor->vgprs_max);
  lds = OG_MAX(lds, kernel->group_size);
  if (lds > processor->lds_bytes)
    og_lint_report(lint, OG_LINT_LDS_TOO_MUCH, kernel, "%u bytes of LDS; %s has %u for a work-group", lds,
                   processor->name, processor->lds_bytes);
  uint32_t wave = kernel->start.wave_size;
  if (wave == 64 ? !processor->wave64 : !processor->wave32)
    og_lint_report(lint, OG_LINT_WAVE_SIZE_IMPOSSIBLE, kernel, "waves of %u; %s has only waves of %u", wave,
                   processor->name, 96 - wave);
  else if (kernel->metadata && kernel->wavefront_size && kernel->wavefront_size != wave)
    og_lint_report(lint, OG_LINT_WAVE_SIZE, kernel, "the descriptor says waves of %u, .wavefront_size %u", wave,
                   kernel->wavefront_size);
  if (kernel->private_size && !og_kd_get(lint->target, kernel->descriptor, OG_KD_ENABLE_PRIVATE_SEGMENT))
    og_lint_report(lint, OG_LINT_SCRATCH_NOT_ENABLED, kernel, "%u bytes of scratch, but enable_private_segment is 0",
                   kernel->private_size);
}

/* ---- metadata against descriptor --------------------------------------------------------------------------------- */

static void check_sizes(struct og_lint *lint, const struct og_kernel *kernel) {
  uint32_t kernarg = kernel->start.kernarg_size, group = kernel->start.group_size, private = kernel->start.private_size;
  /* 0 in the descriptor means "unknown": hand-written code leaves the size out. */
  if (kernarg && kernarg != kernel->kernarg_size)
    og_lint_report(lint, OG_LINT_KERNARG_SIZE_DIFFERS, kernel,
                   "the descriptor says %u bytes of arguments, the metadata %u", kernarg, kernel->kernarg_size);
  if (group != kernel->group_size)
    og_lint_report(lint, OG_LINT_GROUP_SIZE_DIFFERS, kernel, "the descriptor says %u bytes of LDS, the metadata %u",
                   group, kernel->group_size);
  if (private != kernel->private_size)
    og_lint_report(lint, OG_LINT_PRIVATE_SIZE_DIFFERS, kernel,
                   "the descriptor says %u bytes of scratch, the metadata %u", private, kernel->private_size);
  bool none = !kernel->kernarg_size && !kernel->kernarg_align;
  if (!none && (kernel->kernarg_align < 4 || (kernel->kernarg_align & (kernel->kernarg_align - 1))))
    og_lint_report(lint, OG_LINT_KERNARG_ALIGNMENT, kernel, "kernarg_segment_align is %u", kernel->kernarg_align);
  uint64_t required =
      (uint64_t)kernel->reqd_workgroup_size[0] * kernel->reqd_workgroup_size[1] * kernel->reqd_workgroup_size[2];
  if (kernel->max_flat_workgroup_size > OG_WORKGROUP_MAX ||
      (kernel->max_flat_workgroup_size && required > kernel->max_flat_workgroup_size))
    og_lint_report(lint, OG_LINT_WORKGROUP_SIZE, kernel, "max_flat_workgroup_size is %u, the required size %" PRIu64,
                   kernel->max_flat_workgroup_size, required);
  uint32_t vgprs = kernel->start.vgprs_total;
  if (kernel->vgpr_count > vgprs)
    og_lint_report(lint, OG_LINT_REGISTERS_DIFFER, kernel, ".vgpr_count is %u, but the descriptor allocates %u",
                   kernel->vgpr_count, vgprs);
}

static bool overlap(const struct og_kernel_arg *a, const struct og_kernel_arg *b) {
  return (uint64_t)a->offset < (uint64_t)b->offset + b->size && (uint64_t)b->offset < (uint64_t)a->offset + a->size;
}

static void check_arguments(struct og_lint *lint, const struct og_kernel *kernel) {
  for (uint32_t i = 0; i < kernel->arg_count; i++) {
    const struct og_kernel_arg *arg = &kernel->args[i];
    if ((uint64_t)arg->offset + arg->size > kernel->kernarg_size)
      og_lint_report(lint, OG_LINT_ARGUMENT_OUTSIDE, kernel,
                     "argument %u ends at byte %" PRIu64 " of a kernarg segment of %u", i,
                     (uint64_t)arg->offset + arg->size, kernel->kernarg_size);
    bool pointer = strcmp(arg->value_kind, "global_buffer") == 0;
    if (pointer && arg->size && arg->offset % arg->size)
      og_lint_report(lint, OG_LINT_ARGUMENT_ALIGNMENT, kernel, "argument %u, a pointer, stands at byte %u", i,
                     arg->offset);
    if (i && overlap(arg, arg - 1))
      og_lint_report(lint, OG_LINT_ARGUMENTS_OVERLAP, kernel, "arguments %u and %u overlap at byte %u", i - 1, i,
                     arg->offset);
  }
}

static void check_kernel(struct og_lint *lint, const struct og_kernel *kernel) {
  check_addresses(lint, kernel);
  check_bits(lint, kernel);
  check_user_sgprs(lint, kernel);
  check_limits(lint, kernel);
  if (kernel->metadata) {
    check_sizes(lint, kernel);
    check_arguments(lint, kernel);
  } else if (lint->code->metadata) {
    og_lint_report(lint, OG_LINT_DESCRIPTOR_WITHOUT_METADATA, kernel, "the metadata does not name it");
  }
  og_lint_code(lint, kernel);
}

size_t og_lint(const struct og_code_object *code, const struct og_target *target, struct og_diagnostics *diagnostics) {
  struct og_lint lint = {.code = code, .target = target, .diagnostics = diagnostics, .arena = og_arena_new()};
  if (!code->metadata && code->elf->os_abi == OG_OSABI_HSA && code->kernel_count)
    og_lint_report(&lint, OG_LINT_NO_METADATA, NULL, "no AMDGPU metadata note");
  og_lint_versions(&lint);
  check_symbols(&lint);
  for (uint32_t i = 0; i < code->kernel_count; i++)
    check_kernel(&lint, &code->kernels[i]);
  og_arena_free(lint.arena);
  return lint.findings;
}
