/* source_text.h - a source's text, in memory while it is assembled. */
#ifndef OG_TOOL_SOURCE_TEXT_H
#define OG_TOOL_SOURCE_TEXT_H

#include "base/base.h"

struct og_source_text {
  const char *data; /* with a NUL behind it */
  size_t size;
  void *mapped;          /* where the file itself is mapped, or NULL: */
  struct og_buffer copy; /* its bytes */
};

/* The file's, or that of standard input for "-"; false with a diagnostic. Of one command there is one at a time. */
bool og_source_text_open(struct og_source_text *text, const char *path, struct og_diagnostics *diagnostics);
void og_source_text_close(struct og_source_text *text);

#endif
