/* fuzz_decode.c - any bytes as instructions of a generation: what decodes prints, and
 * encodes to bytes that decode alike. */
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

static void decode_all(const struct og_isa *isa, const uint8_t *code, size_t size, struct og_buffer *text) {
  for (size_t at = 0; at + 4 <= size;) {
    struct og_inst inst, again;
    size_t used = og_decode(isa, code + at, size - at, &inst);
    if (used) {
      uint8_t bytes[32];
      text->size = 0;
      struct og_printed parts[OG_PRINTED_MOST];
      og_print_parts(isa, &inst, NULL, text, parts);
      size_t encoded = og_encode(isa, &inst, bytes);
      /* An image instruction may carry words of addresses that its dimension does not
       * use: they are not written again. */
      if (encoded && (encoded > used || og_decode(isa, bytes, encoded, &again) != encoded || again.row != inst.row))
        abort();
    }
    at += used ? used : 4;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 5)
    return 0;
  const struct og_isa *isa =
      og_isa_of((enum og_generation)(OG_GFX6 + data[0] % (OG_GENERATION_COUNT - OG_GFX6)), data[0] & 128 ? 32 : 64);
  struct og_buffer text = {0};
  if (isa)
    decode_all(isa, data + 1, size - 1, &text);
  og_buffer_free(&text);
  return 0;
}
