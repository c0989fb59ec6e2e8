/* amd_declare.c - declares the intrinsics that a text of LLVM IR calls, with the types in its calls. */
#include "xegpu/lower/amd.h"

#include <string.h>

/* Declares each "call TYPE @llvm.name(TYPE value, …)" of the text once. */
void og_xa_declare(struct og_buffer *out) {
  struct og_buffer found = {0};
  og_buffer_append(out, "", 1);
  out->size--;
  const char *text = (const char *)out->data;
  for (const char *at = text; (at = strstr(at, "call ")); at += 5) {
    const char *name = strchr(at, '@'), *open = name ? strchr(name, '(') : NULL,
               *end = open ? strchr(open, '\n') : NULL;
    if (!end || strncmp(name, "@llvm.", 6) != 0)
      continue;
    struct og_buffer line = {0};
    og_buffer_printf(&line, "declare %.*s(", (int)(open - at - 5), at + 5);
    bool first = true;
    for (const char *p = open + 1; p < end && *p != ')';) { /* up to the value; a type may contain spaces: <4 x half> */
      const char *stop = p;
      int depth = 0;
      while (stop < end && (depth || *stop != ' ')) {
        depth += *stop == '<';
        depth -= *stop == '>';
        stop++;
      }
      og_buffer_printf(&line, "%s%.*s", first ? "" : ", ", (int)(stop - p), p);
      first = false;
      while (stop < end && *stop != ',' && *stop != ')') {
        if (*stop == '<') /* a constant vector */
          while (stop < end && *stop != '>')
            stop++;
        stop++;
      }
      p = *stop == ',' ? stop + 2 : stop;
    }
    og_buffer_text(&line, ")\n");
    og_buffer_append(&line, "", 1);
    og_buffer_append(&found, "", 1);
    found.size--;
    if (!found.data || !strstr((const char *)found.data, (const char *)line.data))
      og_buffer_text(&found, (const char *)line.data);
    og_buffer_free(&line);
  }
  og_buffer_text(out, "\n");
  og_buffer_append(out, found.data, found.size);
  og_buffer_free(&found);
}
