/* page_waves.c - when each of the first waves ran, as a drawing in the page. */
#include "debug/profile_internal.h"

#include <string.h>

enum { ROWS_MOST = 48, LEFT = 150, WIDTH = 960, PITCH = 15, HEIGHT = 11 /* pixels */ };

/* The waves that are drawn: each has the row in which its first span stands. */
struct rows {
  const struct og_profile_span *first[ROWS_MOST];
  unsigned count;
};

static bool same_wave(const struct og_profile_span *a, const struct og_profile_span *b) {
  return a->wave == b->wave && memcmp(a->group, b->group, sizeof a->group) == 0;
}

/* The row of a span's wave; ROWS_MOST where there is no room for it. */
static unsigned row_of(struct rows *rows, const struct og_profile_span *span) {
  unsigned row = 0;
  while (row < rows->count && !same_wave(rows->first[row], span))
    row++;
  if (row == rows->count && row < ROWS_MOST)
    rows->first[rows->count++] = span;
  return row;
}

/* A thread's waves; what comes behind the last that has a row is not drawn. */
static void put_thread(struct og_buffer *out, const struct og_profile_timeline *line, unsigned thread) {
  struct rows rows = {0};
  uint64_t end = 0;
  for (uint32_t i = 0; i < line->count; i++)
    if (row_of(&rows, &line->items[i]) < ROWS_MOST)
      end = line->items[i].to;
  og_buffer_printf(out, "<div class=dim>host thread %u, %llu wave instructions</div>\n", thread,
                   (unsigned long long)end);
  og_buffer_printf(out, "<svg viewBox=\"0 0 %d %u\" width=%d height=%u>\n", LEFT + WIDTH, rows.count * PITCH,
                   LEFT + WIDTH, rows.count * PITCH);
  for (unsigned row = 0; row < rows.count; row++) {
    const struct og_profile_span *first = rows.first[row];
    og_buffer_printf(out, "<text x=%d y=%u text-anchor=end>(%u,%u,%u) wave %u</text>\n", LEFT - 10, row * PITCH + 10,
                     first->group[0], first->group[1], first->group[2], first->wave);
  }
  for (uint32_t i = 0; i < line->count; i++) {
    const struct og_profile_span *span = &line->items[i];
    unsigned row = row_of(&rows, span);
    if (row == ROWS_MOST)
      continue;
    og_buffer_printf(out, "<rect x=%.1f y=%u width=%.1f height=%d class=%s><title>%llu to %llu</title></rect>\n",
                     LEFT + WIDTH * (double)span->from / (double)end, row * PITCH,
                     OG_MAX(WIDTH * (double)(span->to - span->from) / (double)end, 0.5), HEIGHT,
                     (span->group[0] + span->group[1] + span->group[2]) % 2 ? "g1" : "g0",
                     (unsigned long long)span->from, (unsigned long long)span->to);
    og_buffer_drain(out);
  }
  og_buffer_text(out, "</svg>\n");
}

void og_page_waves(struct og_buffer *out, const struct og_profile *profile) {
  og_buffer_text(out, "<h2>Waves</h2>\n<div class=dim>When the first waves of each host thread ran, counted in the "
                      "instructions of all its waves; a wave stops where it waits for others.</div>\n");
  for (unsigned i = 0; i < profile->threads; i++)
    if (profile->timelines[i].count)
      put_thread(out, &profile->timelines[i], i);
}
