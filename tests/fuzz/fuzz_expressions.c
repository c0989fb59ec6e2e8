/* fuzz_expressions.c - any text as an expression, wherever one may stand: in data,
 * symbols, conditions, literals, sizes. */
#include "asm/asm.h"

#include <string.h>

/* "%" is where the expression goes; labels of two sections and symbols known late are there to be named. */
static const char *const places[] = {".long %\n",
                                     ".set x, %\n.quad x, y - x\n",
                                     "x = %\n.if x\n.byte 1\n.endif\n",
                                     ".if %\n.endif\n",
                                     "s_mov_b32 s0, %\n",
                                     "s_branch %\n",
                                     ".fill 2, 1, %\n",
                                     ".uleb128 %\n",
                                     ".amdgpu_lds m, %\n",
                                     ".size a, %\n",
                                     ".reloc a, R_AMDGPU_ABS32, %\n",
                                     "s_waitcnt %\n"};
static const char before[] = "a:\n.long 7\nb:\n.data\nc:\n.quad b\n.text\nn = 5\n";
static const char after[] = "y = n + 1\nlate:\nlater = late - a\n.set z, later * 2\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1)
    return 0;
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer text = {0}, listing = {0}, bytes = {0};
  const char *place = places[data[0] / 2 % OG_COUNT(places)], *hole = strchr(place, '%');
  og_buffer_text(&text, before);
  og_buffer_append(&text, place, (size_t)(hole - place));
  og_buffer_append(&text, data + 1, size - 1);
  og_buffer_text(&text, hole + 1);
  og_buffer_text(&text, after);
  og_buffer_u8(&text, 0); /* the assembler relies on the NUL */
  struct og_asm_options options = {.code_object_version = 5, .listing = data[0] & 1 ? &listing : NULL};
  og_target_parse(&options.target, NULL, "gfx900", NULL, diagnostics);
  struct og_object *object = og_assemble(arena, &options, "x.s", (const char *)text.data, text.size - 1, diagnostics);
  if (object)
    og_object_write(object, &bytes, diagnostics);
  og_buffer_free(&bytes);
  og_buffer_free(&listing);
  og_buffer_free(&text);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
