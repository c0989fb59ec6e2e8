/* edit_line.h - reads lines from a person at a terminal, with history and completion if the system has libedit. */
#ifndef OG_TOOL_EDIT_LINE_H
#define OG_TOOL_EDIT_LINE_H

#include <stdint.h>

/* The index-th word that can complete the last word of `line`; NULL: there are no more. */
typedef const char *og_completer(void *context, const char *line, uint32_t index);

/* Loads libedit only here, so that other verbs do not wait for it. There can be one prompt at a time. */
void og_edit_start(const char *name, og_completer *complete, void *context);
/* Reads a line, which the caller frees; NULL at the end of input. */
char *og_edit_line(const char *prompt);

#endif
