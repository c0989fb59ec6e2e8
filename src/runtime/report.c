/* report.c - reports faults as one error, and counts as a table or as JSON. */
#include "runtime/report.h"

#include "base/statistics.h"
#include "exec/fidelity.h"
#include "isa/isa.h"
#include "object/debug/dwarf.h"
#include "tier/tier.h"

#include <string.h>

static const char *const class_names[OG_CLASS_COUNT] = {
    [OG_CLASS_SALU] = "salu", [OG_CLASS_VALU] = "valu", [OG_CLASS_SMEM] = "smem",     [OG_CLASS_VMEM] = "vmem",
    [OG_CLASS_LDS] = "lds",   [OG_CLASS_FLAT] = "flat", [OG_CLASS_BRANCH] = "branch", [OG_CLASS_OTHER] = "other",
};
static const char *const space_names[4] = {"global", "lds", "scratch", "scalar"}; /* as og_counts orders bytes */

/* Prints " (file:line)" if debug information has it. */
static void print_line(const struct og_object *elf, uint64_t address, struct og_buffer *out) {
  struct og_dwarf *dwarf = og_dwarf_open_object(elf);
  const char *file;
  unsigned line, column;
  if (dwarf && og_dwarf_find(dwarf, 0, address, &file, &line, &column))
    og_buffer_printf(out, column ? " (%s:%u:%u)" : " (%s:%u)", file, line, column);
  og_dwarf_close(dwarf);
}

bool og_print_instruction(const struct og_executable *executable, unsigned wave_size, uint64_t pc,
                          struct og_buffer *out) {
  uint64_t offset = pc - executable->start;
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(&og_executable_program(executable, wave_size)->target, &room);
  struct og_inst inst;
  if (!isa || offset >= executable->size ||
      !og_decode(isa, executable->mapping + offset, executable->size - offset, &inst))
    return false;
  og_print_inst(isa, &inst, NULL, out);
  return true;
}

void og_print_place(const struct og_executable *executable, unsigned wave_size, uint64_t pc, struct og_buffer *out) {
  struct og_buffer instruction = {0};
  og_executable_locate(executable, pc, out);
  if (og_print_instruction(executable, wave_size, pc, &instruction)) {
    og_buffer_printf(out, " '%.*s'", (int)instruction.size, (char *)instruction.data);
    print_line(executable->code->elf, pc - executable->start, out);
  }
  og_buffer_free(&instruction);
}

void og_report_standing(const struct og_executable *executable, const struct og_dispatch_record *record,
                        struct og_diagnostics *diagnostics) {
  static const char *const doing[] = {[OG_WAVE_READY] = "running at", [OG_WAVE_BARRIER] = "waiting at a barrier before",
                                      [OG_WAVE_SLEEPING] = "asleep before", [OG_WAVE_ENDED] = "",
                                      [OG_WAVE_FAULT] = "faulted at"};
  const struct og_dispatch_stats *stats = &record->stats;
  if (record->fault.kind != OG_FAULT_STOPPED)
    return;
  for (uint32_t i = 0; i < stats->stood_count; i++) {
    const struct og_standing *one = &stats->stood[i];
    struct og_buffer place = {0};
    og_print_place(executable, record->wave_size, one->pc, &place);
    og_report(diagnostics, OG_SEVERITY_NOTE,
              (struct og_range){0},
              "%u wave%s %s %.*s (the first: work-group %u,%u,%u, wave %u)", one->waves, one->waves == 1 ? "" : "s",
              doing[one->state], (int)place.size, (char *)place.data, one->group[0], one->group[1], one->group[2],
              one->wave);
    og_buffer_free(&place);
  }
  if (stats->stood_elsewhere)
    og_report(diagnostics, OG_SEVERITY_NOTE, (struct og_range){0}, "%llu more waves elsewhere",
              (unsigned long long)stats->stood_elsewhere);
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
  og_print_place(executable, record->wave_size, fault->pc, &place);
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

static struct og_statistics_view view(const struct og_kernel *kernel, const struct og_dispatch_record *record,
                                 double seconds) {
  static const struct og_statistics_words words = {"waves",     "wave instructions", "active lanes / lanes", "LDS",
                                                   class_names, space_names,         OG_CLASS_COUNT,         4};
  const struct og_counts *counts = &record->stats.counts;
  return (struct og_statistics_view){.words = &words,
                                .kernel = kernel->name,
                                .seconds = seconds,
                                .groups = record->stats.groups,
                                .threads = record->stats.waves,
                                .instructions = total(counts),
                                .thread_size = record->wave_size,
                                .by_class = counts->instructions,
                                .bytes_read = counts->bytes_read,
                                .bytes_written = counts->bytes_written,
                                .events = counts->events};
}

static void print(const struct og_executable *executable, const struct og_kernel *kernel,
                  const struct og_dispatch_record *record, double seconds,
                  void (*print_view)(const struct og_statistics_view *statistics, struct og_buffer *out),
                  struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  struct og_statistics_view s = view(kernel, record, seconds);
  s.approximations =
      og_approximations(og_executable_program(executable, record->wave_size), arena, &s.approximation_count);
  print_view(&s, out);
  og_arena_free(arena);
}

void og_print_statistics(const struct og_executable *executable, const struct og_kernel *kernel,
                         const struct og_dispatch_record *record, double seconds, struct og_buffer *out) {
  print(executable, kernel, record, seconds, og_statistics_print, out);
}

void og_print_statistics_json(const struct og_executable *executable, const struct og_kernel *kernel,
                              const struct og_dispatch_record *record, double seconds, bool comma,
                              struct og_buffer *out) {
  if (comma)
    og_buffer_text(out, ",");
  print(executable, kernel, record, seconds, og_statistics_print_json, out);
}

void og_print_compiled(struct og_buffer *out) {
  struct og_tier_totals totals = og_tier_totals();
  double each = totals.operations ? (double)totals.nanoseconds / 1e3 / (double)totals.operations : 0;
  og_buffer_printf(out, "compiled: %llu operations in %llu blocks, %llu bytes of host code, %.3f ms, %.2f us each\n",
                   (unsigned long long)totals.operations, (unsigned long long)totals.blocks,
                   (unsigned long long)totals.bytes, (double)totals.nanoseconds / 1e6, each);
}
