/* profile_print.c - the profile for a terminal. */
#include "debug/profile_internal.h"

#include <string.h>

static void put_number(struct og_buffer *out, uint64_t number, int width) {
  if (number)
    og_buffer_printf(out, "%*llu ", width, (unsigned long long)number);
  else
    og_buffer_printf(out, "%*s ", width, ".");
}

static void put_counts(struct og_buffer *out, const struct og_profile_counts *counts) {
  put_number(out, counts->executions, 12);
  if (counts->slots)
    og_buffer_printf(out, "%5.1f%% ", 100.0 * (double)counts->lanes / (double)counts->slots);
  else
    og_buffer_text(out, "     . ");
  put_number(out, counts->bytes_read, 12);
  put_number(out, counts->bytes_written, 12);
  put_number(out, counts->conflicts, 9);
}

void og_profile_print(struct og_profile *profile, struct og_buffer *out) {
  og_profile_collect(profile);
  og_buffer_printf(out, "%12s %6s %12s %12s %9s\n", "executions", "lanes", "bytes read", "written", "conflicts");
  for (uint32_t i = 0; i < profile->lines.count; i++) {
    const struct og_profile_line *line = &profile->lines.items[i];
    put_counts(out, &line->counts);
    if (line->file)
      og_buffer_printf(out, "%s:%u  ", og_file_name(line->file), line->number);
    if (!line->is_source)
      og_buffer_printf(out, "%s%s: ", line->file ? "" : "    ", line->place);
    og_buffer_printable(out, line->text, strlen(line->text), "");
    og_buffer_u8(out, '\n');
    og_buffer_drain(out);
  }
}
