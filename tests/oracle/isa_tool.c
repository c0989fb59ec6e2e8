/* isa_tool.c - isa_tool GENERATION WAVE [real-true16|fake-true16] [marks]: reads hex bytes per line; prints "size
 * text|hex" with the re-encoded bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

#define NAME(name) #name,
static const char *const names[] = {"R600", OG_GENERATIONS(NAME)};

int main(int argc, char **argv) {
  int generation = 0;
  for (size_t i = 1; argc > 1 && i < OG_COUNT(names); i++)
    if (strcmp(argv[1], names[i]) == 0)
      generation = (int)i;
  const struct og_isa *isa = og_isa_of(generation, argc > 2 ? (unsigned)atoi(argv[2]) : 64);
  if (!isa)
    return 2;
  struct og_isa chosen = *isa;
  isa = &chosen;
  for (int i = 3; i < argc; i++) {
    chosen.marks |= !strcmp(argv[i], "marks");
    if (!strcmp(argv[i], "real-true16"))
      chosen.lacks[0] &= ~(uint64_t)OG_NEED_REAL_TRUE16;
    if (!strcmp(argv[i], "fake-true16"))
      chosen.lacks[0] |= OG_NEED_REAL_TRUE16;
  }
  char line[256];
  struct og_buffer out = {0};
  while (fgets(line, sizeof line, stdin)) {
    uint8_t code[64], again[32];
    size_t size = 0;
    unsigned byte;
    for (char *p = line; size < sizeof code && sscanf(p, "%2x", &byte) == 1; p += 2)
      code[size++] = (uint8_t)byte;
    struct og_inst inst;
    size_t used = og_decode(isa, code, size, &inst);
    printf("%zu ", used);
    if (used) {
      out.size = 0;
      og_print_inst(isa, &inst, NULL, &out);
      printf("%.*s|", (int)out.size, (const char *)out.data);
      size_t made = og_encode(isa, &inst, again);
      for (size_t i = 0; i < made; i++)
        printf("%02x", again[i]);
    }
    printf("\n");
  }
  og_buffer_free(&out);
  return 0;
}
