/* files.c - directives that read files: .include, .incbin. */
#include "asm/internal.h"

#include <string.h>

static bool read_found(struct og_asm *as, const char *path, struct og_buffer *out) {
  struct og_diagnostics *quiet = og_diagnostics_new();
  bool ok = og_read_file(path, out, quiet);
  for (size_t i = 0; !ok && path[0] != '/' && i < as->options->include_path_count; i++)
    ok = og_read_file(og_arena_printf(as->arena, "%s/%s", as->options->include_paths[i], path), out, quiet);
  og_diagnostics_free(quiet);
  return ok;
}

static bool file_name(struct og_asm *as, const char *at, const char **out) {
  struct og_text name;
  if (*as->p != '"')
    return og_asm_error(as, as->p, 1, "expected string in '%.*s' directive", (int)strcspn(at, " \t\n"), at);
  if (!og_asm_string(as, &name))
    return false;
  *out = og_arena_copy(as->arena, name.data, name.size);
  return true;
}

OG_DIRECTIVE(include) {
  const char *start = og_asm_at(as), *path;
  if (!file_name(as, at, &path) || !og_asm_expect_end(as))
    return false;
  struct og_buffer bytes = {0};
  if (!read_found(as, path, &bytes) || bytes.size >= UINT32_MAX / 2) {
    og_buffer_free(&bytes);
    return og_asm_refuse(as, start, "Could not find include file '%s'", path);
  }
  char *text = og_arena_copy(as->arena, (const char *)bytes.data, bytes.size);
  size_t size = bytes.size;
  og_buffer_free(&bytes);
  og_asm_skip_line(as);
  return og_asm_push_input(as, path, text, size, false);
}

OG_DIRECTIVE(incbin) {
  const char *start = og_asm_at(as), *path, *count_at;
  int64_t skip = 0, count = INT64_MAX;
  if (!file_name(as, at, &path))
    return false;
  if (og_asm_accept(as, ',')) {
    if ((*og_asm_at(as) != ',' && !og_asm_parse_absolute(as, &skip)) || !og_asm_optional(as, &count, &count_at))
      return false;
  }
  if (skip < 0 || count < 0)
    return og_asm_refuse(as, start, skip < 0 ? "skip is negative" : "count is negative");
  struct og_buffer bytes = {0};
  bool ok = read_found(as, path, &bytes);
  if (!ok)
    og_asm_refuse(as, start, "Could not find incbin file '%s'", path);
  if (ok && (uint64_t)skip < bytes.size) {
    size_t size = (size_t)OG_MIN((uint64_t)count, bytes.size - (uint64_t)skip);
    og_asm_list_bytes(as, bytes.data + skip, size);
    ok = og_asm_emit_data(as, bytes.data + skip, size);
  }
  og_buffer_free(&bytes);
  return ok;
}

const struct og_directive_row og_file_directives[] = {
    {".include", include, 0},
    {".incbin", incbin, 0},
    {NULL, NULL, 0},
};
