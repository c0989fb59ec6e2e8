/* shrink.c - delta debugging of schedules: first the end is cut off, then choices are made strong: many at a time, half
 * as many, at last one by one (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
 * Without one choice others may no longer be asked for; then those that follow have to move up. */
#include "weak/shrink.h"

#include <string.h>

enum { WIDTH = 16 };

struct shrink {
  const struct og_shrinking *how;
  uint64_t seed;
  struct og_arena *arena;
  uint32_t *left, *value, count; /* the choices left that are not strong: their places and values */
  uint32_t tried;
};

static uint32_t end_of(const struct shrink *s) { return s->count ? s->left[s->count - 1] + 1 : 0; }

/* The schedule with the choices that are left, without `some` of them from `from` on; those behind move up by
 * `sooner`. */
static struct og_choices candidate(const struct shrink *s, uint32_t from, uint32_t some, uint32_t sooner) {
  struct og_choices out = {.seed = s->seed, .replays = true, .arena = s->arena};
  uint32_t *made = OG_NEW_ARRAY(s->arena, uint32_t, end_of(s) + 1);
  memset(made, 0, (end_of(s) + 1) * sizeof *made);
  for (uint32_t i = 0; i < s->count; i++)
    if (i < from || i >= from + some) {
      uint32_t place = s->left[i] - (i < from ? 0 : sooner);
      made[place] = s->value[i];
      out.made.count = place + 1;
    }
  out.made.items = made;
  return out;
}

static void drop(struct shrink *s, uint32_t from, uint32_t some) {
  memmove(s->left + from, s->left + from + some, (s->count - from - some) * sizeof *s->left);
  memmove(s->value + from, s->value + from + some, (s->count - from - some) * sizeof *s->value);
  s->count -= some;
}

/* Drops the first piece of that size that is not needed, if there is one; `from` becomes where to look on. */
static bool drop_piece(struct shrink *s, uint32_t *from, uint32_t size) {
  struct og_choices candidates[WIDTH];
  unsigned count = 0, width = OG_MIN(OG_MAX(s->how->width, 1u), (unsigned)WIDTH);
  og_arena_reset(s->arena);
  for (uint32_t at = *from; at < s->count && count < width; at += size)
    candidates[count++] = candidate(s, at, OG_MIN(size, s->count - at), 0);
  unsigned found = s->how->first(s->how->context, candidates, count);
  s->tried += count;
  *from += OG_MIN(found, count) * size;
  if (found >= count)
    return false;
  drop(s, *from, OG_MIN(size, s->count - *from));
  return true;
}

/* Finds the shortest beginning that still does it, as far as halving can. */
static void cut_end(struct shrink *s) {
  uint32_t low = 0;
  while (low < s->count) {
    uint32_t middle = low + (s->count - low) / 2;
    og_arena_reset(s->arena);
    struct og_choices shorter = candidate(s, middle, s->count - middle, 0);
    s->tried++;
    if (s->how->first(s->how->context, &shorter, 1) == 0)
      s->count = middle;
    else
      low = middle + 1;
  }
}

/* Drops one choice and moves those behind it up, by as many places as it seems to have caused choices. */
static void drop_and_close_up(struct shrink *s, uint32_t at) {
  enum { MOST = 3 };
  struct og_choices candidates[MOST];
  unsigned count = 0;
  og_arena_reset(s->arena);
  while (count < MOST && at + 1 < s->count && s->left[at + 1] > s->left[at] + count)
    candidates[count] = candidate(s, at, 1, count + 1), count++;
  unsigned found = count ? s->how->first(s->how->context, candidates, count) : 0;
  s->tried += count;
  if (found >= count)
    return;
  drop(s, at, 1);
  for (uint32_t i = at; i < s->count; i++)
    s->left[i] -= found + 1;
}

void og_choices_shrink(struct og_choices *choices, const struct og_shrinking *how) {
  struct shrink s = {.how = how, .seed = choices->seed, .arena = og_arena_new()};
  s.left = OG_NEW_ARRAY(choices->arena, uint32_t, choices->made.count + 1);
  s.value = OG_NEW_ARRAY(choices->arena, uint32_t, choices->made.count + 1);
  for (uint32_t i = 0; i < choices->made.count; i++)
    if (choices->made.items[i])
      s.value[s.count] = choices->made.items[i], s.left[s.count++] = i;
  cut_end(&s);
  for (uint32_t size = OG_MAX(s.count / 2, 1u); s.count && s.tried < how->most;) {
    bool dropped = false;
    for (uint32_t from = 0; from < s.count && s.tried < how->most;)
      dropped |= drop_piece(&s, &from, size);
    if (!dropped && size == 1)
      break;
    size = dropped && size == 1 ? 1 : OG_MAX(size / 2, 1u);
  }
  for (uint32_t at = s.count; at-- > 0 && s.tried < how->most;)
    drop_and_close_up(&s, at);
  memset(choices->made.items, 0, choices->made.count * sizeof(uint32_t));
  for (uint32_t i = 0; i < s.count; i++)
    choices->made.items[s.left[i]] = s.value[i];
  choices->made.count = end_of(&s);
  choices->replays = true;
  choices->next = 0;
  og_arena_free(s.arena);
}
