/* descriptor_tool.c - reads lines "PROCESSOR name=value ..." and prints the kernel descriptor's bytes, or "error: ...";
 * then whether the directives that it prints for these bytes make the same bytes again. "directives": lists those. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/object.h"

static void print_bytes(const struct og_kd_layout *layout, const uint8_t *descriptor,
                        struct og_diagnostics *diagnostics) {
  struct og_kd_values values;
  uint8_t again[OG_DESCRIPTOR_SIZE];
  for (int i = 0; i < OG_DESCRIPTOR_SIZE; i++)
    printf("%02x", descriptor[i]);
  bool same = og_kd_decode(layout, descriptor, &values, NULL) &&
              og_kd_encode(layout, &values, (struct og_range){0}, again, diagnostics) &&
              memcmp(descriptor, again, OG_DESCRIPTOR_SIZE) == 0;
  puts(same ? "" : " but not again");
}

static void answer(char *line, struct og_diagnostics *diagnostics) {
  struct og_target target;
  struct og_kd_values values = {0};
  uint8_t descriptor[OG_DESCRIPTOR_SIZE];
  char *rest = line, *word = strsep(&rest, " ");
  bool good = og_target_parse(&target, NULL, word, NULL, diagnostics);
  while (good && (word = strsep(&rest, " "))) {
    char *value = strchr(word, '=');
    int directive = value ? og_find_kd_directive((struct og_text){word, (size_t)(value - word)}, 0) : -1;
    good = directive >= 0;
    if (good) {
      values.given[directive] = true;
      values.value[directive] = strtoull(value + 1, NULL, 0);
    }
  }
  const struct og_kd_layout layout = good ? og_kd_layout_of(&target) : (struct og_kd_layout){0};
  if (good && og_kd_encode(&layout, &values, (struct og_range){0}, descriptor, diagnostics))
    print_bytes(&layout, descriptor, diagnostics);
  else
    printf("error: %s\n",
           og_diagnostics_count(diagnostics) ? og_diagnostics_at(diagnostics, 0)->message : "unknown directive");
}

/* Every directive and the bits of its value on some generation. */
static void list_directives(void) {
  for (int i = 0; i < OG_KDD_COUNT; i++) {
    unsigned bits = og_kd_directives[i].bits;
    for (size_t row = 0; row < og_kd_row_count; row++)
      if (og_kd_rows[row].field == og_kd_directives[i].field)
        bits = OG_MAX(bits, og_kd_rows[row].bits);
    printf("%s %u\n", og_kd_directives[i].name, bits);
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "directives") == 0)
    return list_directives(), 0;
  char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    line[strcspn(line, "\n")] = 0;
    answer(line, diagnostics);
    og_diagnostics_free(diagnostics);
  }
  return 0;
}
