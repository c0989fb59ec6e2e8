/* command_moves.c - verbs that run, step and go back, and those that say where to stop. */
#include "debug/commands.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 256 };

/* ---- running ----------------------------------------------------------------------------------------------------- */

bool og_do_run(struct og_console *console, const char *text) {
  (void)text;
  og_debug_kill(console->debug);
  og_debug_go(console->debug, OG_RUN, false);
  return og_console_arrive(console);
}

bool og_do_start(struct og_console *console, const char *text) {
  (void)text;
  og_debug_restart(console->debug, 0);
  return og_console_arrive(console);
}

bool og_do_kill(struct og_console *console, const char *text) {
  (void)text;
  og_debug_kill(console->debug);
  return true;
}

static bool go(struct og_console *console, const char *text, enum og_step step, bool over) {
  uint64_t times;
  if (!og_needs_wave(console) || !og_take_number(console, text, 1, &times))
    return false;
  const struct og_stop *stop = NULL;
  for (uint64_t i = 0; i < times && og_debug_alive(console->debug); i++) {
    stop = og_debug_go(console->debug, step, over);
    if (stop->kind != OG_STOP_STEP && !(step == OG_RUN && stop->kind == OG_STOP_BREAKPOINT))
      break;
  }
  return og_console_arrive(console);
}

static bool go_back(struct og_console *console, const char *text, enum og_step step) {
  uint64_t times;
  if (og_debug_stop(console->debug)->kind == OG_STOP_NONE)
    return og_console_wrong(console, "the kernel has not run: there is nothing to go back to");
  if (!og_take_number(console, text, 1, &times))
    return false;
  for (uint64_t i = 0; i < times; i++)
    if (og_debug_go_back(console->debug, step)->kind == OG_STOP_BEGIN)
      break;
  return og_console_arrive(console);
}

bool og_do_continue(struct og_console *c, const char *text) { return go(c, text, OG_RUN, false); }
bool og_do_step(struct og_console *c, const char *text) { return go(c, text, OG_STEP_LINE, false); }
bool og_do_next(struct og_console *c, const char *text) { return go(c, text, OG_STEP_LINE, true); }
bool og_do_stepi(struct og_console *c, const char *text) { return go(c, text, OG_STEP_INSTRUCTION, false); }
bool og_do_nexti(struct og_console *c, const char *text) { return go(c, text, OG_STEP_INSTRUCTION, true); }
bool og_do_step_wave(struct og_console *c, const char *text) { return go(c, text, OG_STEP_WAVE, false); }
bool og_do_step_barrier(struct og_console *c, const char *text) { return go(c, text, OG_STEP_BARRIER, false); }
bool og_do_reverse_continue(struct og_console *c, const char *text) { return go_back(c, text, OG_RUN); }
bool og_do_reverse_step(struct og_console *c, const char *text) { return go_back(c, text, OG_STEP_LINE); }
bool og_do_reverse_stepi(struct og_console *c, const char *text) { return go_back(c, text, OG_STEP_INSTRUCTION); }
bool og_do_reverse_wave(struct og_console *c, const char *text) { return go_back(c, text, OG_STEP_WAVE); }
bool og_do_reverse_barrier(struct og_console *c, const char *text) { return go_back(c, text, OG_STEP_BARRIER); }

bool og_do_goto(struct og_console *console, const char *text) {
  uint64_t position;
  if (!*text)
    return og_console_wrong(console, "goto POSITION: $n tells where it stands");
  if (!og_take_number(console, text, 0, &position))
    return false;
  og_debug_restart(console->debug, position);
  return og_console_arrive(console);
}

/* ---- breakpoints ------------------------------------------------------------------------------------------------- */

static bool set_breakpoint(struct og_console *console, const char *text, bool temporary, bool quiet) {
  uint64_t pcs[PLACES_MOST];
  char *where = strdup(text);
  const char *condition = og_take_condition(where);
  uint32_t count = og_find_location(console->debug, where, pcs, PLACES_MOST, console->out);
  if (count) {
    const struct og_breakpoint *made = og_debug_break(console->debug, where, pcs, count, condition, temporary);
    if (!quiet) {
      og_buffer_printf(console->out, "Breakpoint %u at ", made->number);
      for (uint32_t i = 0; i < count; i++) {
        og_buffer_text(console->out, i ? ", " : "");
        og_show_place(console->debug, pcs[i], console->out);
      }
      og_buffer_u8(console->out, '\n');
    }
  }
  free(where);
  return count > 0;
}

bool og_do_break(struct og_console *c, const char *text) { return set_breakpoint(c, text, false, false); }
bool og_do_tbreak(struct og_console *c, const char *text) { return set_breakpoint(c, text, true, false); }
bool og_do_until(struct og_console *console, const char *text) {
  return og_needs_wave(console) && set_breakpoint(console, text, true, true) && go(console, "", OG_RUN, false);
}

/* All lanes of a vector register that is named without one: what is watched has to be one thing. */
static void watch_all_lanes(struct og_watched *what, const struct og_value *value, const struct og_debug *debug) {
  if (!what->is_register || what->reg.kind != OG_REGISTER_VECTOR || !value->per_lane || what->reg.dwords != 1)
    return;
  what->one_lane = false;
  what->size = 4u * debug->target.kernel->start.wave_size;
}

static bool set_watchpoint(struct og_console *console, const char *text, int access) {
  char *what = strdup(text);
  const char *condition = og_take_condition(what);
  struct og_value value;
  bool fine =
      og_console_evaluate(console, what, NULL, &value) &&
      (value.has_place ||
       og_console_wrong(console, "'%s' is a number; a register, memory or a variable can be watched", what)) &&
      (!access || !value.place.is_register || og_console_wrong(console, "a register can only be watched for changes"));
  if (fine) {
    watch_all_lanes(&value.place, &value, console->debug);
    const struct og_watchpoint *made = og_debug_watch(console->debug, what, &value.place, access, condition);
    og_buffer_printf(console->out, "Watchpoint %u: %s\n", made->number, what);
  }
  free(what);
  return fine;
}

bool og_do_watch(struct og_console *c, const char *text) { return set_watchpoint(c, text, 0); }
bool og_do_rwatch(struct og_console *c, const char *text) { return set_watchpoint(c, text, OG_ACCESS_READ); }
bool og_do_awatch(struct og_console *c, const char *text) {
  return set_watchpoint(c, text, OG_ACCESS_READ | OG_ACCESS_WRITE | OG_ACCESS_ATOMIC);
}

enum what { DELETE, ENABLE, DISABLE };
static bool change_one(struct og_console *console, uint32_t number, enum what what) {
  return what == DELETE ? og_debug_delete(console->debug, number)
                        : og_debug_enable(console->debug, number, what == ENABLE);
}

/* Those whose numbers stand there, or all. */
static bool change(struct og_console *console, const char *text, enum what what) {
  bool fine = true;
  for (uint32_t number = 1; !*text && number <= console->debug->numbers; number++)
    change_one(console, number, what);
  while (*text && fine) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    fine = end != text && change_one(console, (uint32_t)number, what);
    if (!fine)
      og_console_wrong(console, "no breakpoint or watchpoint '%s'", text);
    text = og_skip_blanks(end);
  }
  return fine;
}
bool og_do_delete(struct og_console *c, const char *text) { return change(c, text, DELETE); }
bool og_do_enable(struct og_console *c, const char *text) { return change(c, text, ENABLE); }
bool og_do_disable(struct og_console *c, const char *text) { return change(c, text, DISABLE); }

static struct og_breakpoint *take_breakpoint(struct og_console *console, const char **text) {
  char *end;
  unsigned long number = strtoul(*text, &end, 10);
  struct og_breakpoint *found = NULL;
  for (uint32_t i = 0; (found = og_debug_breakpoint(console->debug, i)) && found->number != number; i++)
    continue;
  if (!found || !number)
    og_console_wrong(console, "no breakpoint '%s'", *text);
  *text = og_skip_blanks(end);
  return number ? found : NULL;
}

bool og_do_condition(struct og_console *console, const char *text) {
  struct og_breakpoint *breakpoint = take_breakpoint(console, &text);
  if (breakpoint)
    og_debug_condition(console->debug, breakpoint, *text ? text : NULL);
  return breakpoint != NULL;
}

bool og_do_ignore(struct og_console *console, const char *text) {
  struct og_breakpoint *breakpoint = take_breakpoint(console, &text);
  uint64_t count;
  if (!breakpoint || !og_take_number(console, text, 0, &count))
    return false;
  breakpoint->ignore = breakpoint->hits + count;
  return true;
}
