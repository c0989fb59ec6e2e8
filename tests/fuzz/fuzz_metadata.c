/* fuzz_metadata.c - any bytes as YAML and as MessagePack metadata and as notes; what reads is verified and written. */
#include <stdlib.h>

#include "object/object.h"

static void use(struct og_arena *arena, const struct og_node *root, struct og_diagnostics *diagnostics) {
  for (int version = 2; version <= 6; version++)
    og_metadata_verify(root, version, "x", diagnostics);
  struct og_buffer packed = {0}, text = {0};
  og_metadata_to_msgpack(root, &packed);
  og_metadata_from_msgpack(arena, "x", packed.data, packed.size, diagnostics);
  og_metadata_to_yaml(root, 2, &text);
  og_metadata_to_yaml(root, 4, &text);
  og_buffer_free(&packed);
  og_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_node *root = og_metadata_from_msgpack(arena, "x", data, size, diagnostics);
  if (root)
    use(arena, root, diagnostics);
  struct og_source source = {.name = "x", .text = (const char *)data, .size = size};
  root = og_metadata_from_yaml(arena, (struct og_text){source.text, size},
                               (struct og_range){&source, 0, (uint32_t)size}, diagnostics);
  if (root)
    use(arena, root, diagnostics);
  struct og_buffer text = {0};
  if (og_metadata_print_direct(data, size, 5, &text) != (text.size > 0))
    abort();
  og_buffer_free(&text);
  struct og_note note;
  uint8_t sum = 0;
  for (size_t offset = 0; og_note_next(data, size, size & 8, &offset, &note);)
    for (size_t i = 0; i < note.size; i++)
      sum = (uint8_t)(sum + note.description[i]);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return sum > 255;
}
