/* statistics.c - a dispatch's counts as a table and as JSON. */
#include "base/statistics.h"

#include <string.h>

/* 1 when nothing diverges. */
static double occupancy(const struct og_statistics_view *s) {
  return s->events.lane_slots ? (double)s->events.lanes / (double)s->events.lane_slots : 1;
}

void og_statistics_add(void *sums, const void *counts, size_t size) {
  for (size_t at = 0; at < size; at += sizeof(uint64_t))
    og_store64((char *)sums + at, og_load64((char *)sums + at) + og_load64((const char *)counts + at));
}

static void row(struct og_buffer *out, const char *name, uint64_t value) {
  og_buffer_printf(out, "  %-26s %16llu\n", name, (unsigned long long)value);
}

void og_statistics_print(const struct og_statistics_view *s, struct og_buffer *out) {
  const struct og_statistics_words *words = s->words;
  char name[40];
  og_buffer_printf(out, "%s: %llu %s of %u in %llu work-groups, %.6f s\n", s->kernel, (unsigned long long)s->threads,
                   words->threads, s->thread_size, (unsigned long long)s->groups, s->seconds);
  row(out, words->instructions, s->instructions);
  for (int i = 0; i < words->class_count; i++)
    if (s->by_class[i])
      og_buffer_printf(out, "    %-24s %16llu\n", words->classes[i], (unsigned long long)s->by_class[i]);
  snprintf(name, sizeof name, "%s/s", words->instructions);
  og_buffer_printf(out, "  %-26s %16.0f\n", name, s->seconds > 0 ? (double)s->instructions / s->seconds : 0);
  og_buffer_printf(out, "  %-26s %16.4f\n", words->lanes, occupancy(s));
  for (int i = 0; i < words->space_count; i++)
    if (s->bytes_read[i] || s->bytes_written[i])
      og_buffer_printf(out, "  %-7s bytes read, written %12llu %16llu\n", words->spaces[i],
                       (unsigned long long)s->bytes_read[i], (unsigned long long)s->bytes_written[i]);
  snprintf(name, sizeof name, "%s bank conflicts", words->shared);
  row(out, name, s->events.bank_conflicts);
  row(out, "barriers", s->events.barriers);
  row(out, "atomics", s->events.atomics);
  if (s->approximations)
    og_buffer_printf(out, "  %-26s %16s\n", "fidelity", s->approximation_count ? "approximate" : "exact");
  for (size_t i = 0; i < s->approximation_count; i++)
    og_buffer_printf(out, "    %s: %s\n", s->approximations[i].name, s->approximations[i].bound);
}

static void json_numbers(struct og_buffer *out, const char *name, const char *const *names, const uint64_t *values,
                         int count) {
  og_buffer_printf(out, ",\"%s\":{", name);
  for (int i = 0; i < count; i++)
    og_buffer_printf(out, "%s\"%s\":%llu", i ? "," : "", names[i], (unsigned long long)values[i]);
  og_buffer_text(out, "}");
}

void og_statistics_print_json(const struct og_statistics_view *s, struct og_buffer *out) {
  const struct og_statistics_words *words = s->words;
  og_buffer_text(out, "{\"kernel\":");
  og_buffer_json(out, s->kernel, strlen(s->kernel));
  og_buffer_printf(out, ",\"seconds\":%.9f,\"groups\":%llu,\"waves\":%llu,\"wave_size\":%u,\"wave_instructions\":%llu",
                   s->seconds, (unsigned long long)s->groups, (unsigned long long)s->threads, s->thread_size,
                   (unsigned long long)s->instructions);
  json_numbers(out, "instructions", words->classes, s->by_class, words->class_count);
  og_buffer_printf(out, ",\"divergence\":%.6f,\"lds_bank_conflicts\":%llu", occupancy(s),
                   (unsigned long long)s->events.bank_conflicts);
  json_numbers(out, "bytes_read", words->spaces, s->bytes_read, words->space_count);
  json_numbers(out, "bytes_written", words->spaces, s->bytes_written, words->space_count);
  og_buffer_printf(out, ",\"barriers\":%llu,\"atomics\":%llu", (unsigned long long)s->events.barriers,
                   (unsigned long long)s->events.atomics);
  if (s->approximations) {
    og_buffer_printf(out, ",\"fidelity\":\"%s\",\"approximations\":{",
                     s->approximation_count ? "approximate" : "exact");
    for (size_t i = 0; i < s->approximation_count; i++)
      og_buffer_printf(out, "%s\"%s\":\"%s\"", i ? "," : "", s->approximations[i].name, s->approximations[i].bound);
    og_buffer_text(out, "}");
  }
  og_buffer_text(out, "}");
}
