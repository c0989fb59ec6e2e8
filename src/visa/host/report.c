/* report.c - prints what a dispatch did, by base/statistics.h. */
#include "base/statistics.h"
#include "visa/run.h"

static const char *const class_names[] = {
#define X(name, text) text,
    OG_VISA_CLASSES(X)
#undef X
};
static const char *const space_names[OG_VISA_SPACE_COUNT] = {"global", "surface", "slm", "scratch"};

static struct og_statistics_view view(const char *kernel, const struct og_visa_statistics *from) {
  static const struct og_statistics_words words = {
      "threads",   "instructions", "enabled channels / all", "SLM",
      class_names, space_names,    OG_VISA_CLASS_COUNT,      OG_VISA_SPACE_COUNT};
  const struct og_visa_counts *counts = &from->counts;
  return (struct og_statistics_view){.words = &words,
                                .kernel = kernel,
                                .seconds = from->seconds,
                                .groups = from->groups,
                                .threads = from->threads,
                                .instructions = from->instructions,
                                .thread_size = from->simd,
                                .by_class = counts->instructions,
                                .bytes_read = counts->bytes_read,
                                .bytes_written = counts->bytes_written,
                                .events = counts->events};
}

void og_visa_print_statistics(const char *kernel, const struct og_visa_statistics *statistics, struct og_buffer *out) {
  struct og_statistics_view s = view(kernel, statistics);
  og_statistics_print(&s, out);
}

void og_visa_print_statistics_json(const char *kernel, const struct og_visa_statistics *statistics,
                                   struct og_buffer *out) {
  struct og_statistics_view s = view(kernel, statistics);
  og_statistics_print_json(&s, out);
}
