/* commands.c - the console: a line to a verb, by one table; and what verbs share. */
#include "debug/commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- what commands share ----------------------------------------------------------------------------------------- */

bool og_console_wrong(struct og_console *console, const char *format, ...) {
  char text[240];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  og_buffer_printf(console->out, "%s\n", text);
  return false;
}

const char *og_skip_blanks(const char *text) {
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

/* "/FORMAT" in front, if there is one. */
bool og_take_format(struct og_console *console, const char **text, struct og_format *format) {
  *format = (struct og_format){.count = 1};
  if (**text != '/')
    return true;
  struct og_text written = {*text + 1, strcspn(*text + 1, " \t")};
  *text = og_skip_blanks(written.data + written.size);
  return og_format_read(written, format) ||
         og_console_wrong(console, "no format '/%.*s': a count, one of x d u t c a f i or a type such as f16",
                          OG_TEXT_ARGS(written));
}

bool og_console_evaluate(struct og_console *console, const char *text, const char **rest, struct og_value *value) {
  struct og_context context = og_context_of(console->debug);
  char why[160];
  return og_evaluate(&context, text, rest, value, why, sizeof why) || og_console_wrong(console, "%s", why);
}

bool og_take_number(struct og_console *console, const char *text, uint64_t otherwise, uint64_t *number) {
  struct og_value value;
  *number = otherwise;
  if (!*text)
    return true;
  if (!og_console_evaluate(console, text, NULL, &value))
    return false;
  *number = value.u;
  return true;
}

bool og_needs_wave(struct og_console *console) {
  return console->debug->wave || og_console_wrong(console, "the kernel does not run: 'run' or 'start' it first");
}

/* " if CONDITION" or "if CONDITION" behind the rest, which is cut there. */
const char *og_take_condition(char *text) {
  for (char *at = text; (at = strstr(at, "if")); at++)
    if ((at == text || isspace((unsigned char)at[-1])) && isspace((unsigned char)at[2])) {
      const char *condition = og_skip_blanks(at + 2);
      while (at > text && isspace((unsigned char)at[-1]))
        at--;
      *at = 0;
      return condition;
    }
  return NULL;
}

void og_show_displays(struct og_console *console) {
  for (unsigned i = 0; i < DISPLAYS_MOST; i++) {
    struct og_format format;
    const char *text = console->displays[i];
    if (!text)
      continue;
    og_buffer_printf(console->out, "%u: ", i + 1);
    if (og_take_format(console, &text, &format))
      og_show_expression(console->debug, text, &format, console->out);
  }
}

/* After the dispatch has moved. */
bool og_console_arrive(struct og_console *console) {
  console->file = NULL;
  console->next_pc = 0;
  og_show_stop(console->debug, console->out);
  if (console->debug->wave)
    og_show_displays(console);
  const struct og_stop *stop = og_debug_stop(console->debug);
  return stop->kind != OG_STOP_ENDED || stop->record.fine || stop->record.ran;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static bool og_do_echo(struct og_console *console, const char *text) {
  for (; *text; text++) {
    bool line = text[0] == '\\' && text[1] == 'n';
    og_buffer_u8(console->out, line ? '\n' : (uint8_t)*text);
    text += line;
  }
  return true;
}

static bool og_do_source(struct og_console *console, const char *text) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer bytes = {0};
  bool fine = console->files < FILES_MOST && og_read_file(text, &bytes, diagnostics);
  if (!fine)
    og_console_wrong(console, "cannot read '%s'", text);
  og_diagnostics_free(diagnostics);
  og_buffer_u8(&bytes, 0);
  char *rest = (char *)bytes.data;
  console->files++;
  for (char *line; fine && !console->quit && (line = strsep(&rest, "\n"));)
    fine = og_console_do(console, *og_skip_blanks(line) ? line : "#");
  console->files--;
  og_buffer_free(&bytes);
  return fine;
}

static bool og_do_quit(struct og_console *console, const char *text) {
  (void)text;
  console->quit = true;
  return true;
}

static bool og_do_help(struct og_console *console, const char *text);

static const struct verb {
  const char *name, *abbreviation;
  og_console_verb *run;
  bool repeats; /* an empty line does it again */
  const char *usage;
} verbs[] = {
    {"run", "r", og_do_run, false, "run the kernel from the beginning"},
    {"start", NULL, og_do_start, false, "to its first instruction"},
    {"kill", "k", og_do_kill, false, "end the dispatch"},
    {"continue", "c", og_do_continue, true, "[N] on, to a breakpoint, watchpoint, fault or the end"},
    {"step", "s", og_do_step, true, "[N] to another line of this wave"},
    {"next", "n", og_do_next, true, "[N] the same; calls count as one line"},
    {"stepi", "si", og_do_stepi, true, "[N] one instruction of this wave"},
    {"nexti", "ni", og_do_nexti, true, "[N] the same; calls count as one"},
    {"step-wave", "sw", og_do_step_wave, true, "[N] to where another wave goes on"},
    {"step-barrier", "sb", og_do_step_barrier, true, "[N] to where the work-group stands at a barrier"},
    {"until", "u", og_do_until, false, "LOCATION on to there"},
    {"advance", NULL, og_do_until, false, "LOCATION the same"},
    {"reverse-continue", "rc", og_do_reverse_continue, true, "[N] back to a breakpoint or what is watched changes"},
    {"reverse-step", "rs", og_do_reverse_step, true, "[N] to where the line before began"},
    {"reverse-next", "rn", og_do_reverse_step, true, "[N] the same"},
    {"reverse-stepi", "rsi", og_do_reverse_stepi, true, "[N] one instruction of this wave back"},
    {"reverse-nexti", "rni", og_do_reverse_stepi, true, "[N] the same"},
    {"reverse-step-wave", "rsw", og_do_reverse_wave, true, "[N] to where another wave was at"},
    {"reverse-step-barrier", "rsb", og_do_reverse_barrier, true, "[N] to the barrier before"},
    {"goto", NULL, og_do_goto, false, "POSITION to the instruction of that number, as $n counts them, back or on"},
    {"break", "b", og_do_break, false,
     "[LOCATION] [if CONDITION] LOCATION: LINE, FILE:LINE, a kernel or label, NAME+OFFSET, *ADDRESS"},
    {"tbreak", "tb", og_do_tbreak, false, "[LOCATION] [if CONDITION] for once"},
    {"watch", NULL, og_do_watch, false, "PLACE [if CONDITION] stops where it changes: memory, a variable, a register"},
    {"rwatch", NULL, og_do_rwatch, false, "PLACE [if CONDITION] stops where memory is read"},
    {"awatch", NULL, og_do_awatch, false, "PLACE [if CONDITION] stops where memory is read or written"},
    {"delete", "d", og_do_delete, false, "[N...] breakpoints and watchpoints"},
    {"enable", NULL, og_do_enable, false, "[N...]"},
    {"disable", NULL, og_do_disable, false, "[N...]"},
    {"condition", NULL, og_do_condition, false, "N [CONDITION]"},
    {"ignore", NULL, og_do_ignore, false, "N COUNT passes by so many hits"},
    {"print", "p", og_do_print, false,
     "[/FORMAT] EXPRESSION in each lane: x d u t c a f, or a type: f16 bf16 f32 i8 ..."},
    {"x", NULL, og_do_x, false, "[/COUNT FORMAT] [lds:|scratch:]ADDRESS memory; format i: instructions"},
    {"set", NULL, og_do_set, false, "PLACE = VALUE changes a register, memory or a variable"},
    {"display", NULL, og_do_display, false, "[/FORMAT] EXPRESSION printed at each stop"},
    {"undisplay", NULL, og_do_undisplay, false, "[N]"},
    {"info", "i", og_do_info, false, "waves, groups, registers, locals, args, breakpoints, kernel, line, frame"},
    {"list", "l", og_do_list, true, "[LOCATION] source"},
    {"disassemble", "disas", og_do_disassemble, true, "[/COUNT] [LOCATION] code, with its source"},
    {"backtrace", "bt", og_do_backtrace, false, "functions whose code this is, inlined ones first"},
    {"where", NULL, og_do_backtrace, false, "the same"},
    {"frame", "f", og_do_frame, false, "where it stands"},
    {"wave", NULL, og_do_wave, false, "[GROUP.]WAVE look from that wave"},
    {"thread", "t", og_do_wave, false, "the same"},
    {"lane", NULL, og_do_lane, false, "N look from that lane"},
    {"echo", NULL, og_do_echo, false, "TEXT"},
    {"source", NULL, og_do_source, false, "FILE does the commands in it"},
    {"help", "h", og_do_help, false, "[VERB]"},
    {"quit", "q", og_do_quit, false, ""},
    {"exit", NULL, og_do_quit, false, ""},
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

static bool og_do_help(struct og_console *console, const char *text) {
  const struct verb *one = *text ? find_verb(og_text(text)) : NULL;
  if (*text && !one)
    return og_console_wrong(console, "no verb '%s'", text);
  for (size_t i = 0; i < OG_COUNT(verbs); i++) {
    char names[40];
    snprintf(names, sizeof names, "%s%s%s", verbs[i].name, verbs[i].abbreviation ? ", " : "",
             verbs[i].abbreviation ? verbs[i].abbreviation : "");
    if (!one || one == &verbs[i])
      og_buffer_printf(console->out, "%-26s %s\n", names, verbs[i].usage);
  }
  if (!one)
    og_buffer_text(
        console->out,
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
  const char *start = og_skip_blanks(line);
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
  bool fine = verb ? verb->run(console, og_skip_blanks(text + name))
                   : og_console_wrong(console, "no verb '%.*s': 'help' lists them", (int)name, text);
  free(text);
  return fine;
}

const char *og_console_complete(struct og_console *console, struct og_arena *arena, const char *line, uint32_t index) {
  const char *start = og_skip_blanks(line), *last = start + strlen(start);
  while (last > start && !isspace((unsigned char)last[-1]))
    last--;
  size_t size = strlen(last);
  for (size_t i = 0; last == start && i < OG_COUNT(verbs); i++)
    if (strncmp(verbs[i].name, last, size) == 0 && index-- == 0)
      return verbs[i].name;
  bool info = strncmp(start, "info ", 5) == 0 || strncmp(start, "i ", 2) == 0;
  for (uint32_t i = 0; last > start && info && og_info_name(i); i++)
    if (strncmp(og_info_name(i), last, size) == 0 && index-- == 0)
      return og_info_name(i);
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
