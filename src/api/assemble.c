/* assemble.c - og_assemble_source and og_link_objects. */
#include "api/fill.h"
#include "asm/asm.h"
#include "object/object.h"

#include <string.h>

bool og_assemble_source(const char *source, size_t size, const og_assemble_options *given, og_bytes *object,
                        og_diagnostics *diagnostics) {
  static const og_assemble_options defaults;
  *object = (og_bytes){0};
  given = given ? given : &defaults;
  if (given->code_object_version && (given->code_object_version < 2 || given->code_object_version > 6))
    return og_error_in(diagnostics, NULL, "code object version %d; expected 2 to 6", given->code_object_version);
  struct og_arena *arena = og_arena_new();
  struct og_asm_options options = {.code_object_version = given->code_object_version ? given->code_object_version : 6,
                                   .version_open = !given->code_object_version,
                                   .include_paths = given->include_dirs,
                                   .debug = given->debug};
  while (given->include_dirs && given->include_dirs[options.include_path_count])
    options.include_path_count++;
  struct og_text id = given->processor ? (struct og_text){0} : og_asm_target_in(source, size);
  bool ready = id.size
                   ? og_target_parse_id(&options.target, id, diagnostics) &&
                         og_target_refine(&options.target, given->triple, given->features, diagnostics)
                   : og_target_parse(&options.target, given->triple, given->processor, given->features, diagnostics);
  struct og_object *made = NULL;
  const char *name = given->name ? given->name : "<memory>";
  const char *text = ready ? og_arena_copy_input(arena, name, source, size, diagnostics) : NULL;
  if (text)
    made = og_assemble(arena, &options, name, text, size, diagnostics);
  struct og_buffer out = {0};
  bool good = og_hand_out(made && og_object_write(made, &out, diagnostics), &out, object);
  og_arena_free(arena);
  return good;
}

bool og_link_objects(const og_bytes *objects, size_t count, og_bytes *code_object, og_diagnostics *diagnostics) {
  *code_object = (og_bytes){0};
  struct og_arena *arena = og_arena_new();
  struct og_link_input *inputs = OG_NEW_ARRAY(arena, struct og_link_input, count);
  for (size_t i = 0; i < count; i++)
    inputs[i] = (struct og_link_input){
        .name = og_arena_printf(arena, "<object %zu>", i + 1), .bytes = objects[i].data, .size = objects[i].size};
  struct og_link_options options = {0};
  struct og_buffer out = {0};
  bool good = og_hand_out(og_link(arena, inputs, count, &options, &out, diagnostics), &out, code_object);
  og_arena_free(arena);
  return good;
}
