/* console.h - the debugger's commands, as people know them from gdb. */
#ifndef OG_DEBUG_CONSOLE_H
#define OG_DEBUG_CONSOLE_H

#include "debug/debug.h"

struct og_console;

/* What is printed goes to `out`, which stays the caller's. */
struct og_console *og_console_new(struct og_debug *debug, struct og_buffer *out);
void og_console_free(struct og_console *console);
/* One line. False: it went wrong, and `out` says how. */
bool og_console_do(struct og_console *console, const char *line);
bool og_console_has_quit(const struct og_console *console);
/* The index-th word that completes the last one of a line: a verb, a kernel, a variable; in the arena; NULL: no
 * more. */
const char *og_console_complete(struct og_console *console, struct og_arena *arena, const char *line, uint32_t index);

#endif
