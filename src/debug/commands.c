/* commands.c - the debugger's verbs: one table, one function each. */
#include "debug/console.h"
#include "debug/show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DISPLAYS_MOST = 16, PLACES_MOST = 256, FILES_MOST = 8 };

struct og_console {
  struct og_debug *debug;
  struct og_buffer *out;
  char *last;           /* what an empty line repeats; or NULL */
  bool quit;
  const char *file;     /* of `list`: where it goes on */
  unsigned next_line;
  uint64_t next_pc;     /* of `x/i` and `disassemble` */
  char *displays[DISPLAYS_MOST];
  unsigned files;       /* of commands, one within the other */
};

/* ---- what commands share ----------------------------------------------------------------------------------------- */

static bool OG_PRINTF(2, 3) wrong(struct og_console *console, const char *format, ...) {
  char text[240];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  og_buffer_printf(console->out, "%s\n", text);
  return false;
}

static const char *skip(const char *text) {
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

/* "/FORMAT" in front, if there is one. */
static bool take_format(struct og_console *console, const char **text, struct og_format *format) {
  *format = (struct og_format){.count = 1};
  if (**text != '/')
    return true;
  struct og_text written = {*text + 1, strcspn(*text + 1, " \t")};
  *text = skip(written.data + written.size);
  return og_format_read(written, format) || wrong(console, "no format '/%.*s': a count, one of x d u t c a f i or a type such as f16",
                                                  OG_TEXT_ARGS(written));
}

static bool evaluate(struct og_console *console, const char *text, const char **rest, struct og_value *value) {
  struct og_context context = og_context_of(console->debug);
  char why[160];
  return og_evaluate(&context, text, rest, value, why, sizeof why) || wrong(console, "%s", why);
}

static bool take_number(struct og_console *console, const char *text, uint64_t otherwise, uint64_t *number) {
  struct og_value value;
  *number = otherwise;
  if (!*text)
    return true;
  if (!evaluate(console, text, NULL, &value))
    return false;
  *number = value.u;
  return true;
}

static bool needs_wave(struct og_console *console) {
  return console->debug->wave || wrong(console, "the kernel does not run: 'run' or 'start' it first");
}

/* " if CONDITION" or "if CONDITION" behind the rest, which is cut there. */
static const char *take_condition(char *text) {
  for (char *at = text; (at = strstr(at, "if")); at++)
    if ((at == text || isspace((unsigned char)at[-1])) && isspace((unsigned char)at[2])) {
      const char *condition = skip(at + 2);
      while (at > text && isspace((unsigned char)at[-1]))
        at--;
      *at = 0;
      return condition;
    }
  return NULL;
}

static void show_displays(struct og_console *console) {
  for (unsigned i = 0; i < DISPLAYS_MOST; i++) {
    struct og_format format;
    const char *text = console->displays[i];
    if (!text)
      continue;
    og_buffer_printf(console->out, "%u: ", i + 1);
    if (take_format(console, &text, &format))
      og_show_expression(console->debug, text, &format, console->out);
  }
}

/* After the dispatch has moved. */
static bool arrive(struct og_console *console) {
  console->file = NULL;
  console->next_pc = 0;
  og_show_stop(console->debug, console->out);
  if (console->debug->wave)
    show_displays(console);
  const struct og_stop *stop = og_debug_stop(console->debug);
  return stop->kind != OG_STOP_ENDED || stop->record.fine || stop->record.ran;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static bool do_run(struct og_console *console, const char *text) {
  (void)text;
  og_debug_kill(console->debug);
  og_debug_go(console->debug, OG_RUN, false);
  return arrive(console);
}

static bool do_start(struct og_console *console, const char *text) {
  (void)text;
  og_debug_restart(console->debug, 0);
  return arrive(console);
}

static bool do_kill(struct og_console *console, const char *text) {
  (void)text;
  og_debug_kill(console->debug);
  return true;
}

static bool go(struct og_console *console, const char *text, enum og_step step, bool over) {
  uint64_t times;
  if (!needs_wave(console) || !take_number(console, text, 1, &times))
    return false;
  const struct og_stop *stop = NULL;
  for (uint64_t i = 0; i < times && og_debug_alive(console->debug); i++) {
    stop = og_debug_go(console->debug, step, over);
    if (stop->kind != OG_STOP_STEP && !(step == OG_RUN && stop->kind == OG_STOP_BREAKPOINT))
      break;
  }
  return arrive(console);
}

static bool go_back(struct og_console *console, const char *text, enum og_step step) {
  uint64_t times;
  if (og_debug_stop(console->debug)->kind == OG_STOP_NONE)
    return wrong(console, "the kernel has not run: there is nothing to go back to");
  if (!take_number(console, text, 1, &times))
    return false;
  for (uint64_t i = 0; i < times; i++)
    if (og_debug_go_back(console->debug, step)->kind == OG_STOP_BEGIN)
      break;
  return arrive(console);
}

static bool do_continue(struct og_console *c, const char *text) { return go(c, text, OG_RUN, false); }
static bool do_step(struct og_console *c, const char *text) { return go(c, text, OG_STEP_LINE, false); }
static bool do_next(struct og_console *c, const char *text) { return go(c, text, OG_STEP_LINE, true); }
static bool do_stepi(struct og_console *c, const char *text) { return go(c, text, OG_STEP_INSTRUCTION, false); }
static bool do_nexti(struct og_console *c, const char *text) { return go(c, text, OG_STEP_INSTRUCTION, true); }
static bool do_step_wave(struct og_console *c, const char *text) { return go(c, text, OG_STEP_WAVE, false); }
static bool do_step_barrier(struct og_console *c, const char *text) { return go(c, text, OG_STEP_BARRIER, false); }
static bool do_reverse_continue(struct og_console *c, const char *text) { return go_back(c, text, OG_RUN); }
static bool do_reverse_step(struct og_console *c, const char *text) { return go_back(c, text, OG_STEP_LINE); }
static bool do_reverse_stepi(struct og_console *c, const char *text) { return go_back(c, text, OG_STEP_INSTRUCTION); }
static bool do_reverse_wave(struct og_console *c, const char *text) { return go_back(c, text, OG_STEP_WAVE); }
static bool do_reverse_barrier(struct og_console *c, const char *text) { return go_back(c, text, OG_STEP_BARRIER); }

static bool do_goto(struct og_console *console, const char *text) {
  uint64_t position;
  if (!*text)
    return wrong(console, "goto POSITION: $n tells where it stands");
  if (!take_number(console, text, 0, &position))
    return false;
  og_debug_restart(console->debug, position);
  return arrive(console);
}

/* ---- breakpoints ------------------------------------------------------------------------------------------------- */

static bool set_breakpoint(struct og_console *console, const char *text, bool temporary, bool quiet) {
  uint64_t pcs[PLACES_MOST];
  char *where = strdup(text);
  const char *condition = take_condition(where);
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

static bool do_break(struct og_console *c, const char *text) { return set_breakpoint(c, text, false, false); }
static bool do_tbreak(struct og_console *c, const char *text) { return set_breakpoint(c, text, true, false); }
static bool do_until(struct og_console *console, const char *text) {
  return needs_wave(console) && set_breakpoint(console, text, true, true) && go(console, "", OG_RUN, false);
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
  const char *condition = take_condition(what);
  struct og_value value;
  bool fine = evaluate(console, what, NULL, &value) &&
              (value.has_place || wrong(console, "'%s' is a number; a register, memory or a variable can be watched", what)) &&
              (!access || !value.place.is_register || wrong(console, "of registers only changes are watched"));
  if (fine) {
    watch_all_lanes(&value.place, &value, console->debug);
    const struct og_watchpoint *made = og_debug_watch(console->debug, what, &value.place, access, condition);
    og_buffer_printf(console->out, "Watchpoint %u: %s\n", made->number, what);
  }
  free(what);
  return fine;
}

static bool do_watch(struct og_console *c, const char *text) { return set_watchpoint(c, text, 0); }
static bool do_rwatch(struct og_console *c, const char *text) { return set_watchpoint(c, text, OG_ACCESS_READ); }
static bool do_awatch(struct og_console *c, const char *text) {
  return set_watchpoint(c, text, OG_ACCESS_READ | OG_ACCESS_WRITE | OG_ACCESS_ATOMIC);
}

enum what { DELETE, ENABLE, DISABLE };
static bool change_one(struct og_console *console, uint32_t number, enum what what) {
  return what == DELETE ? og_debug_delete(console->debug, number) : og_debug_enable(console->debug, number, what == ENABLE);
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
      wrong(console, "no breakpoint or watchpoint '%s'", text);
    text = skip(end);
  }
  return fine;
}
static bool do_delete(struct og_console *c, const char *text) { return change(c, text, DELETE); }
static bool do_enable(struct og_console *c, const char *text) { return change(c, text, ENABLE); }
static bool do_disable(struct og_console *c, const char *text) { return change(c, text, DISABLE); }

static struct og_breakpoint *take_breakpoint(struct og_console *console, const char **text) {
  char *end;
  unsigned long number = strtoul(*text, &end, 10);
  struct og_breakpoint *found = NULL;
  for (uint32_t i = 0; (found = og_debug_breakpoint(console->debug, i)) && found->number != number; i++)
    continue;
  if (!found || !number)
    wrong(console, "no breakpoint '%s'", *text);
  *text = skip(end);
  return number ? found : NULL;
}

static bool do_condition(struct og_console *console, const char *text) {
  struct og_breakpoint *breakpoint = take_breakpoint(console, &text);
  if (breakpoint)
    og_debug_condition(console->debug, breakpoint, *text ? text : NULL);
  return breakpoint != NULL;
}

static bool do_ignore(struct og_console *console, const char *text) {
  struct og_breakpoint *breakpoint = take_breakpoint(console, &text);
  uint64_t count;
  if (!breakpoint || !take_number(console, text, 0, &count))
    return false;
  breakpoint->ignore = breakpoint->hits + count;
  return true;
}

/* ---- looking and changing ---------------------------------------------------------------------------------------- */

static bool do_print(struct og_console *console, const char *text) {
  struct og_format format;
  return take_format(console, &text, &format) && og_show_expression(console->debug, text, &format, console->out);
}

static bool do_x(struct og_console *console, const char *text) {
  static const struct { const char *name; enum og_space space; } spaces[] = {
      {"lds:", OG_SPACE_LDS}, {"scratch:", OG_SPACE_SCRATCH}, {"global:", OG_SPACE_GLOBAL}};
  enum og_space space = OG_SPACE_GLOBAL;
  struct og_format format;
  struct og_value value;
  if (!take_format(console, &text, &format))
    return false;
  for (size_t i = 0; i < OG_COUNT(spaces); i++)
    if (strncmp(text, spaces[i].name, strlen(spaces[i].name)) == 0) {
      space = spaces[i].space;
      text = skip(text + strlen(spaces[i].name));
    }
  if (space != OG_SPACE_GLOBAL && !needs_wave(console))
    return false;
  if (!evaluate(console, text, NULL, &value))
    return false;
  if (format.letter == 'i') {
    og_show_disassembly(console->debug, value.u, format.count, console->out);
    return true;
  }
  if (value.has_place && value.has_shape && !value.place.is_register && og_numeral_size(value.type) != value.size)
    return og_show_memory(console->debug, value.place.space, value.place.address, &format, console->out);
  return og_show_memory(console->debug, space, value.u, &format, console->out);
}

/* "set PLACE = VALUE", also "set var". */
static bool do_set(struct og_console *console, const char *text) {
  struct og_value place, value;
  const char *rest;
  uint8_t bytes[8];
  if (strncmp(text, "var ", 4) == 0 || strncmp(text, "variable ", 9) == 0)
    text = skip(strchr(text, ' '));
  char *copy = strdup(text), *equals = strchr(copy, '='), *right = NULL;
  while (equals && (equals[1] == '=' || (equals > copy && strchr("=!<>", equals[-1]))))
    equals = strchr(equals + 1 + (equals[1] == '='), '=');
  bool fine = equals != NULL || wrong(console, "set PLACE = VALUE is expected");
  if (fine) {
    right = equals + 1;
    *equals = 0;
    while (equals > copy && isspace((unsigned char)equals[-1]))
      *--equals = 0;
    fine = evaluate(console, copy, &rest, &place) && evaluate(console, right, NULL, &value);
  }
  fine = fine && (place.has_place || wrong(console, "'%s' is no register, memory or variable", copy));
  fine = fine && (place.place.size <= 8 || wrong(console, "'%s' is more than 8 bytes", copy));
  if (fine) {
    og_value_store(&value, place.type, bytes);
    uint64_t lanes = place.per_lane && console->debug->wave && place.place.is_register ? og_exec(console->debug->wave) : 0;
    if (!lanes)
      lanes = 1ull << place.place.lane;
    for (; lanes && fine; lanes &= lanes - 1) { /* a vector register without a lane: in all that are on */
      place.place.lane = (unsigned)__builtin_ctzll(lanes);
      fine = og_debug_change(console->debug, &place.place, bytes) || wrong(console, "'%s' cannot be changed", copy);
    }
  }
  free(copy);
  return fine;
}

static bool do_display(struct og_console *console, const char *text) {
  unsigned i = 0;
  if (!*text) {
    show_displays(console);
    return true;
  }
  while (i < DISPLAYS_MOST && console->displays[i])
    i++;
  if (i == DISPLAYS_MOST)
    return wrong(console, "%d are displayed already", DISPLAYS_MOST);
  console->displays[i] = strdup(text);
  return !console->debug->wave || do_print(console, text);
}

static bool do_undisplay(struct og_console *console, const char *text) {
  unsigned long number = strtoul(text, NULL, 10);
  for (unsigned long i = 0; i < DISPLAYS_MOST; i++)
    if (!*text || i + 1 == number) {
      free(console->displays[i]);
      console->displays[i] = NULL;
    }
  return true;
}

static bool do_list(struct og_console *console, const char *text) {
  struct og_debug *debug = console->debug;
  uint64_t pcs[1], pc = debug->wave ? og_debug_pc(debug, debug->wave) : debug->target.executable->start + debug->target.kernel->entry;
  struct og_line here = og_lines_at(debug->lines, pc - debug->target.executable->start);
  struct og_line at = here;
  if (*text) {
    if (!og_find_location(debug, text, pcs, 1, console->out))
      return false;
    at = og_lines_at(debug->lines, pcs[0] - debug->target.executable->start);
  } else if (console->file) {
    at = (struct og_line){console->file, console->next_line + 5, 0};
  }
  if (!at.file || !og_lines_text(debug->lines, at.file, 1).data)
    return wrong(console, at.file ? "cannot read '%s'" : "no source is known here%s", at.file ? at.file : "");
  unsigned first = at.line > 5 ? at.line - 5 : 1;
  og_show_source(debug, at.file, first, 10, debug->wave && here.file == at.file ? here.line : 0, console->out);
  console->file = at.file;
  console->next_line = first + 10;
  return true;
}

static bool do_disassemble(struct og_console *console, const char *text) {
  struct og_debug *debug = console->debug;
  struct og_format format;
  uint64_t pc;
  if (!take_format(console, &text, &format))
    return false;
  uint32_t count = format.count > 1 ? format.count : 10;
  if (*text ? !og_find_location(debug, text, &pc, 1, console->out) : !needs_wave(console))
    return false;
  if (!*text)
    pc = console->next_pc ? console->next_pc : og_debug_pc(debug, debug->wave);
  og_show_disassembly(debug, pc, count, console->out);
  for (uint32_t i = 0; i < count; i++) {
    struct og_buffer unseen = {0};
    pc += og_show_instruction(debug, pc, &unseen);
    og_buffer_free(&unseen);
  }
  console->next_pc = pc;
  return true;
}

static bool do_frame(struct og_console *console, const char *text) {
  (void)text;
  if (!needs_wave(console))
    return false;
  og_show_stop(console->debug, console->out);
  return true;
}

static bool do_backtrace(struct og_console *console, const char *text) {
  (void)text;
  og_show_frames(console->debug, console->out);
  return true;
}

/* "G.W", or "W" of the work-group that is looked at; nothing: which one it is. */
static bool do_wave(struct og_console *console, const char *text) {
  struct og_wave_name name = console->debug->focus;
  char *end;
  if (!needs_wave(console))
    return false;
  if (*text) {
    unsigned long first = strtoul(text, &end, 10);
    bool both = *end == '.';
    name.group = both ? (uint32_t)first : name.group;
    name.wave = both ? (uint32_t)strtoul(end + 1, &end, 10) : (uint32_t)first;
    if (*end || !og_debug_focus(console->debug, name))
      return wrong(console, "no wave '%s' is resident: 'info waves' lists them", text);
    console->next_pc = 0;
  }
  const struct og_wave *wave = console->debug->wave;
  og_buffer_printf(console->out, "wave %u.%u, %s, at ", name.group, name.wave, og_wave_state_name(wave));
  og_show_place(console->debug, og_debug_pc(console->debug, wave), console->out);
  og_buffer_u8(console->out, '\n');
  og_show_here(console->debug, console->out);
  return true;
}

static bool do_lane(struct og_console *console, const char *text) {
  char *end;
  unsigned long lane = strtoul(text, &end, 10);
  if (*text && (*end || !og_debug_set_lane(console->debug, (unsigned)lane)))
    return wrong(console, "no lane '%s'", text);
  og_buffer_printf(console->out, "lane %u\n", console->debug->lane);
  return true;
}

/* ---- info -------------------------------------------------------------------------------------------------------- */

static void show_kernel(struct og_debug *debug, struct og_buffer *out) {
  const struct og_kernel *kernel = debug->target.kernel;
  og_buffer_printf(out, "%s on %s, waves of %u, position %llu\n", kernel->name,
                   debug->target.executable->target.processor->name, kernel->start.wave_size,
                   (unsigned long long)debug->position);
}

static void show_line(struct og_debug *debug, struct og_buffer *out) {
  if (debug->wave)
    og_show_place(debug, og_debug_pc(debug, debug->wave), out);
  og_buffer_u8(out, '\n');
}

static void show_locals(struct og_debug *debug, struct og_buffer *out) { og_show_variables(debug, false, true, out); }
static void show_args(struct og_debug *debug, struct og_buffer *out) { og_show_variables(debug, true, false, out); }

static const struct {
  const char *name;
  void (*show)(struct og_debug *debug, struct og_buffer *out);
  const char *what;
} infos[] = {
    {"args", show_args, "arguments: variables of the program, or $arg0 and so on"},
    {"breakpoints", og_show_breakpoints, "breakpoints and watchpoints"},
    {"frame", og_show_frames, "functions whose code this is, inlined ones first"},
    {"groups", og_show_groups, "work-groups that are resident"},
    {"kernel", show_kernel, "the kernel, its processor, and how far it is"},
    {"line", show_line, "where it stands"},
    {"locals", show_locals, "variables"},
    {"registers", og_show_registers, "all of the wave's, vector ones of the lane; or those named"},
    {"threads", og_show_waves, "as waves"},
    {"waves", og_show_waves, "those of resident work-groups: state, lanes, place"},
    {"watchpoints", og_show_breakpoints, "as breakpoints"},
};

static bool do_info(struct og_console *console, const char *text) {
  size_t size = strcspn(text, " \t");
  const char *rest = skip(text + size);
  for (size_t i = 0; size && i < OG_COUNT(infos); i++) {
    if (strncmp(infos[i].name, text, size) != 0)
      continue;
    if (infos[i].show != og_show_registers || !*rest) {
      infos[i].show(console->debug, console->out);
      return true;
    }
    static const struct og_format hex = {.count = 1, .letter = 'x'};
    bool fine = true;
    while (*rest && fine) {
      char name[64];
      size_t word = OG_MIN(strcspn(rest, " \t"), sizeof name - 2);
      snprintf(name, sizeof name, "%s%.*s", *rest == '$' ? "" : "$", (int)word, rest);
      fine = og_show_expression(console->debug, name, &hex, console->out);
      rest = skip(rest + word);
    }
    return fine;
  }
  og_buffer_text(console->out, size ? "no such info; there are\n" : "");
  for (size_t i = 0; i < OG_COUNT(infos); i++)
    og_buffer_printf(console->out, "  info %-12s %s\n", infos[i].name, infos[i].what);
  return !size;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static bool do_echo(struct og_console *console, const char *text) {
  for (; *text; text++) {
    bool line = text[0] == '\\' && text[1] == 'n';
    og_buffer_u8(console->out, line ? '\n' : (uint8_t)*text);
    text += line;
  }
  return true;
}

static bool do_source(struct og_console *console, const char *text) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer bytes = {0};
  bool fine = console->files < FILES_MOST && og_read_file(text, &bytes, diagnostics);
  if (!fine)
    wrong(console, "cannot read '%s'", text);
  og_diagnostics_free(diagnostics);
  og_buffer_u8(&bytes, 0);
  char *rest = (char *)bytes.data;
  console->files++;
  for (char *line; fine && !console->quit && (line = strsep(&rest, "\n"));)
    fine = og_console_do(console, *skip(line) ? line : "#");
  console->files--;
  og_buffer_free(&bytes);
  return fine;
}

static bool do_quit(struct og_console *console, const char *text) {
  (void)text;
  console->quit = true;
  return true;
}

static bool do_help(struct og_console *console, const char *text);

static const struct verb {
  const char *name, *abbreviation;
  bool (*run)(struct og_console *console, const char *text);
  bool repeats; /* an empty line does it again */
  const char *usage;
} verbs[] = {
    {"run", "r", do_run, false, "run the kernel from the beginning"},
    {"start", NULL, do_start, false, "to its first instruction"},
    {"kill", "k", do_kill, false, "end the dispatch"},
    {"continue", "c", do_continue, true, "[N] on, to a breakpoint, watchpoint, fault or the end"},
    {"step", "s", do_step, true, "[N] to another line of this wave"},
    {"next", "n", do_next, true, "[N] the same; calls count as one line"},
    {"stepi", "si", do_stepi, true, "[N] one instruction of this wave"},
    {"nexti", "ni", do_nexti, true, "[N] the same; calls count as one"},
    {"step-wave", "sw", do_step_wave, true, "[N] to where another wave goes on"},
    {"step-barrier", "sb", do_step_barrier, true, "[N] to where the work-group stands at a barrier"},
    {"until", "u", do_until, false, "LOCATION on to there"},
    {"advance", NULL, do_until, false, "LOCATION the same"},
    {"reverse-continue", "rc", do_reverse_continue, true, "[N] back to a breakpoint or what is watched changes"},
    {"reverse-step", "rs", do_reverse_step, true, "[N] to where the line before began"},
    {"reverse-next", "rn", do_reverse_step, true, "[N] the same"},
    {"reverse-stepi", "rsi", do_reverse_stepi, true, "[N] one instruction of this wave back"},
    {"reverse-nexti", "rni", do_reverse_stepi, true, "[N] the same"},
    {"reverse-step-wave", "rsw", do_reverse_wave, true, "[N] to where another wave was at"},
    {"reverse-step-barrier", "rsb", do_reverse_barrier, true, "[N] to the barrier before"},
    {"goto", NULL, do_goto, false, "POSITION to the instruction of that number, as $n counts them, back or on"},
    {"break", "b", do_break, false, "[LOCATION] [if CONDITION] LOCATION: LINE, FILE:LINE, a kernel or label, NAME+OFFSET, *ADDRESS"},
    {"tbreak", "tb", do_tbreak, false, "[LOCATION] [if CONDITION] for once"},
    {"watch", NULL, do_watch, false, "PLACE [if CONDITION] stops where it changes: memory, a variable, a register"},
    {"rwatch", NULL, do_rwatch, false, "PLACE [if CONDITION] stops where memory is read"},
    {"awatch", NULL, do_awatch, false, "PLACE [if CONDITION] stops where memory is read or written"},
    {"delete", "d", do_delete, false, "[N...] breakpoints and watchpoints"},
    {"enable", NULL, do_enable, false, "[N...]"},
    {"disable", NULL, do_disable, false, "[N...]"},
    {"condition", NULL, do_condition, false, "N [CONDITION]"},
    {"ignore", NULL, do_ignore, false, "N COUNT passes by so many hits"},
    {"print", "p", do_print, false, "[/FORMAT] EXPRESSION in each lane: x d u t c a f, or a type: f16 bf16 f32 i8 ..."},
    {"x", NULL, do_x, false, "[/COUNT FORMAT] [lds:|scratch:]ADDRESS memory; format i: instructions"},
    {"set", NULL, do_set, false, "PLACE = VALUE changes a register, memory or a variable"},
    {"display", NULL, do_display, false, "[/FORMAT] EXPRESSION printed at each stop"},
    {"undisplay", NULL, do_undisplay, false, "[N]"},
    {"info", "i", do_info, false, "waves, groups, registers, locals, args, breakpoints, kernel, line, frame"},
    {"list", "l", do_list, true, "[LOCATION] source"},
    {"disassemble", "disas", do_disassemble, true, "[/COUNT] [LOCATION] code, with its source"},
    {"backtrace", "bt", do_backtrace, false, "functions whose code this is, inlined ones first"},
    {"where", NULL, do_backtrace, false, "the same"},
    {"frame", "f", do_frame, false, "where it stands"},
    {"wave", NULL, do_wave, false, "[GROUP.]WAVE look from that wave"},
    {"thread", "t", do_wave, false, "the same"},
    {"lane", NULL, do_lane, false, "N look from that lane"},
    {"echo", NULL, do_echo, false, "TEXT"},
    {"source", NULL, do_source, false, "FILE does the commands in it"},
    {"help", "h", do_help, false, "[VERB]"},
    {"quit", "q", do_quit, false, ""},
    {"exit", NULL, do_quit, false, ""},
};

/* By name, abbreviation, or what only one name begins with; the first of several that do the same. */
static const struct verb *find_verb(struct og_text name) {
  const struct verb *found = NULL;
  for (size_t i = 0; i < OG_COUNT(verbs); i++)
    if (og_text_is(name, verbs[i].name) || (verbs[i].abbreviation && og_text_is(name, verbs[i].abbreviation)))
      return &verbs[i];
  for (size_t i = 0; i < OG_COUNT(verbs); i++)
    if (name.size && strncmp(verbs[i].name, name.data, name.size) == 0) {
      if (found && found->run != verbs[i].run)
        return NULL;
      found = found ? found : &verbs[i];
    }
  return found;
}

static bool do_help(struct og_console *console, const char *text) {
  const struct verb *one = *text ? find_verb(og_text(text)) : NULL;
  if (*text && !one)
    return wrong(console, "no verb '%s'", text);
  for (size_t i = 0; i < OG_COUNT(verbs); i++) {
    char names[40];
    snprintf(names, sizeof names, "%s%s%s", verbs[i].name, verbs[i].abbreviation ? ", " : "",
             verbs[i].abbreviation ? verbs[i].abbreviation : "");
    if (!one || one == &verbs[i])
      og_buffer_printf(console->out, "%-26s %s\n", names, verbs[i].usage);
  }
  if (!one)
    og_buffer_text(console->out,
                   "Expressions: C's operators over $v3, $v3[5] (lane 5), $s[4:5], $exec, $pc, $lane, $wave, $group, $gx, $arg0;\n"
                   "lds.f32[64], global.u32[$arg0 + 4], scratch.u8[0]; f32($v3); variables; any(x), all(x) over lanes.\n");
  return true;
}

/* ---- the console ------------------------------------------------------------------------------------------------- */

struct og_console *og_console_new(struct og_debug *debug, struct og_buffer *out) {
  struct og_console *console = calloc(1, sizeof *console);
  if (console)
    *console = (struct og_console){.debug = debug, .out = out};
  return console;
}

void og_console_free(struct og_console *console) {
  if (!console)
    return;
  for (unsigned i = 0; i < DISPLAYS_MOST; i++)
    free(console->displays[i]);
  free(console->last);
  free(console);
}

bool og_console_has_quit(const struct og_console *console) { return console->quit; }

bool og_console_do(struct og_console *console, const char *line) {
  const char *start = skip(line);
  og_debug_forget_pause(console->debug);
  if (*start == '#')
    return true;
  if (!*start && !console->last)
    return true;
  char *text = strdup(*start ? start : console->last);
  size_t size = strlen(text);
  while (size && isspace((unsigned char)text[size - 1]))
    text[--size] = 0;
  size_t name = strcspn(text, " \t/");
  const struct verb *verb = find_verb((struct og_text){text, name});
  free(console->last);
  console->last = verb && verb->repeats ? strdup(text) : NULL;
  bool fine = verb ? verb->run(console, skip(text + name)) : wrong(console, "no verb '%.*s': 'help' lists them", (int)name, text);
  free(text);
  return fine;
}

const char *og_console_complete(struct og_console *console, struct og_arena *arena, const char *line, uint32_t index) {
  const char *start = skip(line), *last = start + strlen(start);
  while (last > start && !isspace((unsigned char)last[-1]))
    last--;
  size_t size = strlen(last);
  for (size_t i = 0; last == start && i < OG_COUNT(verbs); i++)
    if (strncmp(verbs[i].name, last, size) == 0 && index-- == 0)
      return verbs[i].name;
  bool info = strncmp(start, "info ", 5) == 0 || strncmp(start, "i ", 2) == 0;
  for (size_t i = 0; last > start && info && i < OG_COUNT(infos); i++)
    if (strncmp(infos[i].name, last, size) == 0 && index-- == 0)
      return infos[i].name;
  const struct og_code_object *code = console->debug->target.executable->code;
  for (uint32_t i = 0; last > start && !info && i < code->kernel_count; i++)
    if (strncmp(code->kernels[i].name, last, size) == 0 && index-- == 0)
      return code->kernels[i].name;
  struct og_variable variables[64];
  struct og_context context = og_context_of(console->debug);
  uint32_t count = last > start && !info ? og_variables(&context, variables, OG_COUNT(variables)) : 0;
  for (uint32_t i = 0; i < count; i++)
    if (strncmp(variables[i].name, last, size) == 0 && index-- == 0)
      return og_arena_copy(arena, variables[i].name, strlen(variables[i].name));
  return NULL;
}
