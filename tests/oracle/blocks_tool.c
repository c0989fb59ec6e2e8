/* blocks_tool.c - decodes compressed blocks for blocks.py: from records of a format (1 to 7), a sign and 16 bytes on
 * standard input to 64 doubles each on standard output. */
#include "texel/block.h"

#include <stdio.h>

int main(void) {
  uint8_t record[2 + OG_BLOCK_BYTES_MOST];
  while (fread(record, sizeof record, 1, stdin) == 1)
    for (unsigned texel = 0; texel < 16; texel++) {
      double values[4];
      og_block_unpack((enum og_block)record[0], record[1], record + 2, texel, values);
      if (fwrite(values, sizeof values, 1, stdout) != 1)
        return 1;
    }
  return 0;
}
