/* text.c - how far apart two words are. */
#include "base/base.h"

#include <string.h>

unsigned og_text_distance(struct og_text a, const char *b, unsigned limit) {
  size_t n = strlen(b);
  uint8_t rows[2][64];
  if (a.size >= 63 || n >= 63 || a.size > n + limit || n > a.size + limit)
    return limit + 1;
  for (size_t j = 0; j <= n; j++)
    rows[0][j] = (uint8_t)j;
  for (size_t i = 1; i <= a.size; i++) {
    uint8_t *row = rows[i % 2], *above = rows[(i + 1) % 2];
    row[0] = (uint8_t)i;
    for (size_t j = 1; j <= n; j++)
      row[j] = a.data[i - 1] == b[j - 1] ? above[j - 1] : (uint8_t)(OG_MIN(above[j], row[j - 1]) + 1u);
  }
  return rows[a.size % 2][n];
}
