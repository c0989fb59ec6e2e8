/* commands.h - what the debugger's verbs share. */
#ifndef OG_DEBUG_COMMANDS_H
#define OG_DEBUG_COMMANDS_H

#include "debug/console.h"
#include "debug/show.h"

enum { DISPLAYS_MOST = 16, FILES_MOST = 8 };

struct og_console {
  struct og_debug *debug;
  struct og_buffer *out;
  char *last; /* what an empty line repeats; or NULL */
  bool quit;
  const char *file; /* of `list`: where it goes on */
  unsigned next_line;
  uint64_t next_pc; /* of `x/i` and `disassemble` */
  char *displays[DISPLAYS_MOST];
  unsigned files; /* of commands, one within the other */
};

/* A verb with what follows it; false: it went wrong, and the output says how. */
typedef bool og_console_verb(struct og_console *console, const char *text);

/* Moving, and where to stop: command_moves.c. */
og_console_verb og_do_run, og_do_start, og_do_kill, og_do_continue, og_do_step, og_do_next, og_do_stepi, og_do_nexti,
    og_do_step_wave, og_do_step_barrier, og_do_reverse_continue, og_do_reverse_step, og_do_reverse_stepi,
    og_do_reverse_wave, og_do_reverse_barrier, og_do_goto, og_do_break, og_do_tbreak, og_do_until, og_do_watch,
    og_do_rwatch, og_do_awatch, og_do_delete, og_do_enable, og_do_disable, og_do_condition, og_do_ignore;
/* Looking and changing: command_looks.c. */
og_console_verb og_do_print, og_do_x, og_do_set, og_do_display, og_do_undisplay, og_do_list, og_do_disassemble,
    og_do_frame, og_do_backtrace, og_do_wave, og_do_lane, og_do_info;

const char *og_info_name(uint32_t i); /* what `info` knows; NULL behind the last */

/* Prints a line, yields false. */
bool og_console_wrong(struct og_console *console, const char *format, ...) OG_PRINTF(2, 3);
const char *og_skip_blanks(const char *text);
/* "/FORMAT" in front, if there is one. */
bool og_take_format(struct og_console *console, const char **text, struct og_format *format);
bool og_console_evaluate(struct og_console *console, const char *text, const char **rest, struct og_value *value);
bool og_take_number(struct og_console *console, const char *text, uint64_t otherwise, uint64_t *number);
bool og_needs_wave(struct og_console *console);
/* "if CONDITION" behind the rest, which is cut there; or NULL. */
const char *og_take_condition(char *text);
void og_show_displays(struct og_console *console);
/* Tells where it stands after the dispatch has moved. */
bool og_console_arrive(struct og_console *console);

#endif
