/* report.c - faults as one error, counts as a table or as JSON. */
#include "runtime/report.h"

#include "isa/isa.h"
#include "object/dwarf.h"

#include <string.h>

static const char *const class_names[OG_CLASS_COUNT] = {
    [OG_CLASS_SALU] = "salu", [OG_CLASS_VALU] = "valu", [OG_CLASS_SMEM] = "smem",     [OG_CLASS_VMEM] = "vmem",
    [OG_CLASS_LDS] = "lds",   [OG_CLASS_FLAT] = "flat", [OG_CLASS_BRANCH] = "branch", [OG_CLASS_OTHER] = "other",
};
static const char *const space_names[4] = {"global", "lds", "scratch", "scalar"}; /* as og_counts orders bytes */

/* " (file:line)" where debug information tells. */
static void print_line(const struct og_object *elf, uint64_t address, struct og_buffer *out) {
  struct og_dwarf *dwarf = og_dwarf_open_object(elf);
  const char *file;
  unsigned line, column;
  if (dwarf && og_dwarf_find(dwarf, 0, address, &file, &line, &column))
    og_buffer_printf(out, column ? " (%s:%u:%u)" : " (%s:%u)", file, line, column);
  og_dwarf_close(dwarf);
}

void og_print_place(const struct og_executable *executable, uint64_t pc, struct og_buffer *out) {
  og_executable_locate(executable, pc, out);
  uint64_t offset = pc - executable->start;
  const struct og_isa *isa = og_isa_for(&executable->target);
  struct og_inst inst;
  if (!isa || offset >= executable->size ||
      !og_decode(isa, executable->mapping + offset, executable->size - offset, &inst))
    return;
  og_buffer_text(out, " '");
  og_print_inst(isa, &inst, NULL, out);
  og_buffer_text(out, "'");
  print_line(executable->code->elf, offset, out);
}

void og_report_fault(const struct og_executable *executable, const struct og_kernel *kernel,
                     const struct og_dispatch_record *record, const char *why, struct og_diagnostics *diagnostics) {
  const struct og_fault *fault = &record->fault;
  const char *file = executable->code->elf->name;
  if (!why)
    why = fault->what;
  if (!fault->pc) {
    og_error_in(diagnostics, file, "kernel '%s': %s", kernel->name, why);
    return;
  }
  struct og_buffer place = {0};
  og_print_place(executable, fault->pc, &place);
  if (fault->has_address)
    og_buffer_printf(&place, ", address 0x%llx", (unsigned long long)fault->address);
  og_error_in(diagnostics, file, "kernel '%s': %s, at %.*s", kernel->name, why, (int)place.size, (char *)place.data);
  og_buffer_free(&place);
}

static uint64_t total(const struct og_counts *counts) {
  uint64_t sum = 0;
  for (int i = 0; i < OG_CLASS_COUNT; i++)
    sum += counts->instructions[i];
  return sum;
}

/* Active lanes over all lanes: 1 when nothing diverges. */
static double occupancy(const struct og_counts *counts) {
  return counts->lane_slots ? (double)counts->lanes / (double)counts->lane_slots : 1;
}

static void row(struct og_buffer *out, const char *name, uint64_t value) {
  og_buffer_printf(out, "  %-26s %16llu\n", name, (unsigned long long)value);
}

void og_print_statistics(const struct og_kernel *kernel, const struct og_dispatch_record *record, double seconds,
                         struct og_buffer *out) {
  const struct og_counts *counts = &record->stats.counts;
  uint64_t instructions = total(counts);
  og_buffer_printf(out, "%s: %llu waves of %u in %llu work-groups, %.6f s\n", kernel->name,
                   (unsigned long long)record->stats.waves, record->wave_size, (unsigned long long)record->stats.groups,
                   seconds);
  row(out, "wave instructions", instructions);
  for (int i = 0; i < OG_CLASS_COUNT; i++)
    if (counts->instructions[i])
      og_buffer_printf(out, "    %-24s %16llu\n", class_names[i], (unsigned long long)counts->instructions[i]);
  og_buffer_printf(out, "  %-26s %16.0f\n", "wave instructions/s", seconds > 0 ? (double)instructions / seconds : 0);
  og_buffer_printf(out, "  %-26s %16.4f\n", "active lanes / lanes", occupancy(counts));
  for (int i = 0; i < 4; i++)
    if (counts->bytes_read[i] || counts->bytes_written[i])
      og_buffer_printf(out, "  %-7s bytes read, written %12llu %16llu\n", space_names[i],
                       (unsigned long long)counts->bytes_read[i], (unsigned long long)counts->bytes_written[i]);
  row(out, "LDS bank conflicts", counts->bank_conflicts);
  row(out, "barriers", counts->barriers);
  row(out, "atomics", counts->atomics);
}

static void json_numbers(struct og_buffer *out, const char *name, const char *const *names, const uint64_t *values,
                         int count) {
  og_buffer_printf(out, ",\"%s\":{", name);
  for (int i = 0; i < count; i++)
    og_buffer_printf(out, "%s\"%s\":%llu", i ? "," : "", names[i], (unsigned long long)values[i]);
  og_buffer_text(out, "}");
}

void og_print_statistics_json(const struct og_kernel *kernel, const struct og_dispatch_record *record, double seconds,
                              bool comma, struct og_buffer *out) {
  const struct og_counts *counts = &record->stats.counts;
  og_buffer_text(out, comma ? ",{\"kernel\":" : "{\"kernel\":");
  og_buffer_json(out, kernel->name, strlen(kernel->name));
  og_buffer_printf(out, ",\"seconds\":%.9f,\"groups\":%llu,\"waves\":%llu,\"wave_size\":%u,\"wave_instructions\":%llu",
                   seconds, (unsigned long long)record->stats.groups, (unsigned long long)record->stats.waves,
                   record->wave_size, (unsigned long long)total(counts));
  json_numbers(out, "instructions", class_names, counts->instructions, OG_CLASS_COUNT);
  og_buffer_printf(out, ",\"divergence\":%.6f,\"lds_bank_conflicts\":%llu", occupancy(counts),
                   (unsigned long long)counts->bank_conflicts);
  json_numbers(out, "bytes_read", space_names, counts->bytes_read, 4);
  json_numbers(out, "bytes_written", space_names, counts->bytes_written, 4);
  og_buffer_printf(out, ",\"barriers\":%llu,\"atomics\":%llu}", (unsigned long long)counts->barriers,
                   (unsigned long long)counts->atomics);
}
