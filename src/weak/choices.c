/* choices.c - a schedule is a list of numbers. */
#include "weak/choices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void og_choices_begin(struct og_choices *choices, uint64_t seed) {
  *choices = (struct og_choices){.seed = seed, .random = seed ^ 0x9e3779b97f4a7c15u, .arena = og_arena_new()};
}

void og_choices_end(struct og_choices *choices) { og_arena_free(choices->arena); }

uint32_t og_choose(struct og_choices *choices, uint32_t count) {
  if (choices->replays)
    return choices->next < choices->made.count ? choices->made.items[choices->next++] % count : 0;
  choices->random = choices->random * 6364136223846793005u + 1442695040888963407u;
  uint32_t choice = (uint32_t)(choices->random >> 33) % count;
  *OG_PUSH(choices->arena, &choices->made) = choice;
  return choice;
}

void og_choices_print(const struct og_choices *choices, struct og_buffer *out) {
  const uint32_t *made = choices->made.items;
  og_buffer_printf(out, "offgrid-schedule %" PRIu64 "\n", choices->seed);
  for (uint32_t i = 0, column = 0, zeros; i < choices->made.count; i += OG_MAX(zeros, 1u)) {
    for (zeros = 0; i + zeros < choices->made.count && made[i + zeros] == 0; zeros++)
      ;
    if (zeros > 1)
      og_buffer_printf(out, "%" PRIu32 "*0", zeros);
    else
      og_buffer_printf(out, "%" PRIu32, made[i]);
    og_buffer_text(out, ++column % 24 ? " " : "\n");
  }
  og_buffer_text(out, "\n");
}

bool og_choices_read(struct og_choices *choices, const char *name, const char *text, size_t size,
                     struct og_diagnostics *diagnostics) {
  enum { MOST = 1u << 28 };
  const char *head = "offgrid-schedule ";
  char *copy = og_arena_copy(choices->arena, text, size), *p = copy;
  if (strncmp(p, head, strlen(head)) != 0)
    return og_error_in(diagnostics, name, "not a schedule: expected '%sSEED' and numbers", head);
  choices->seed = strtoull(p + strlen(head), &p, 10);
  choices->replays = true;
  for (;;) {
    char *end;
    p += strspn(p, " \t\r\n");
    if (!*p)
      return true;
    unsigned long number = strtoul(p, &end, 10), times = 1;
    if (end > p && *end == '*')
      times = number, p = end + 1, number = strtoul(p, &end, 10);
    if (end == p || number > UINT32_MAX || times > MOST || choices->made.count + times > MOST)
      return og_error_in(diagnostics, name, "not a schedule: '%.20s' is no number of choices", p);
    for (; times > 0; times--)
      *OG_PUSH(choices->arena, &choices->made) = (uint32_t)number;
    p = end;
  }
}
