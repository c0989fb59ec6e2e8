/* run_report.c - what a dispatch did: lines for people, JSON for programs. */
#include "visa/run.h"

#include <string.h>

static const char *const class_names[] = {
#define X(name, text) text,
    OG_VISA_CLASSES(X)
#undef X
};
static const char *const space_names[OG_VISA_SPACE_COUNT] = {"global", "surface", "slm", "scratch"};

/* Enabled channels over all channels: 1 when nothing diverges. */
static double occupancy(const struct og_visa_counts *counts) {
  return counts->lane_slots ? (double)counts->lanes / (double)counts->lane_slots : 1;
}

static void row(struct og_buffer *out, const char *name, uint64_t value) {
  og_buffer_printf(out, "  %-26s %16llu\n", name, (unsigned long long)value);
}

void og_visa_print_statistics(const char *kernel, const struct og_visa_statistics *statistics, struct og_buffer *out) {
  const struct og_visa_counts *counts = &statistics->counts;
  og_buffer_printf(out, "%s: %llu threads of %u in %llu work-groups, %.6f s\n", kernel,
                   (unsigned long long)statistics->threads, statistics->simd, (unsigned long long)statistics->groups,
                   statistics->seconds);
  row(out, "instructions", statistics->instructions);
  for (int i = 0; i < OG_VISA_CLASS_COUNT; i++)
    if (counts->instructions[i])
      og_buffer_printf(out, "    %-24s %16llu\n", class_names[i], (unsigned long long)counts->instructions[i]);
  og_buffer_printf(out, "  %-26s %16.0f\n", "instructions/s",
                   statistics->seconds > 0 ? (double)statistics->instructions / statistics->seconds : 0);
  og_buffer_printf(out, "  %-26s %16.4f\n", "enabled channels / all", occupancy(counts));
  for (int i = 0; i < OG_VISA_SPACE_COUNT; i++)
    if (counts->bytes_read[i] || counts->bytes_written[i])
      og_buffer_printf(out, "  %-7s bytes read, written %12llu %16llu\n", space_names[i],
                       (unsigned long long)counts->bytes_read[i], (unsigned long long)counts->bytes_written[i]);
  row(out, "SLM bank conflicts", counts->bank_conflicts);
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

void og_visa_print_statistics_json(const char *kernel, const struct og_visa_statistics *statistics,
                                   struct og_buffer *out) {
  const struct og_visa_counts *counts = &statistics->counts;
  og_buffer_text(out, "{\"kernel\":");
  og_buffer_json(out, kernel, strlen(kernel));
  og_buffer_printf(out, ",\"seconds\":%.9f,\"groups\":%llu,\"waves\":%llu,\"wave_size\":%u,\"wave_instructions\":%llu",
                   statistics->seconds, (unsigned long long)statistics->groups, (unsigned long long)statistics->threads,
                   statistics->simd, (unsigned long long)statistics->instructions);
  json_numbers(out, "instructions", class_names, counts->instructions, OG_VISA_CLASS_COUNT);
  og_buffer_printf(out, ",\"divergence\":%.6f,\"lds_bank_conflicts\":%llu", occupancy(counts),
                   (unsigned long long)counts->bank_conflicts);
  json_numbers(out, "bytes_read", space_names, counts->bytes_read, OG_VISA_SPACE_COUNT);
  json_numbers(out, "bytes_written", space_names, counts->bytes_written, OG_VISA_SPACE_COUNT);
  og_buffer_printf(out, ",\"barriers\":%llu,\"atomics\":%llu}", (unsigned long long)counts->barriers,
                   (unsigned long long)counts->atomics);
}
