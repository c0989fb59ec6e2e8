/* command_looks.c - verbs that show and change: values, memory, source, code, waves. */
#include "debug/commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- looking and changing ---------------------------------------------------------------------------------------- */

bool og_do_print(struct og_console *console, const char *text) {
  struct og_format format;
  return og_take_format(console, &text, &format) && og_show_expression(console->debug, text, &format, console->out);
}

bool og_do_x(struct og_console *console, const char *text) {
  static const struct {
    const char *name;
    enum og_space space;
  } spaces[] = {{"lds:", OG_SPACE_LDS}, {"scratch:", OG_SPACE_SCRATCH}, {"global:", OG_SPACE_GLOBAL}};
  enum og_space space = OG_SPACE_GLOBAL;
  struct og_format format;
  struct og_value value;
  if (!og_take_format(console, &text, &format))
    return false;
  for (size_t i = 0; i < OG_COUNT(spaces); i++)
    if (strncmp(text, spaces[i].name, strlen(spaces[i].name)) == 0) {
      space = spaces[i].space;
      text = og_skip_blanks(text + strlen(spaces[i].name));
    }
  if (space != OG_SPACE_GLOBAL && !og_needs_wave(console))
    return false;
  if (!og_console_evaluate(console, text, NULL, &value))
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
bool og_do_set(struct og_console *console, const char *text) {
  struct og_value place, value;
  const char *rest;
  uint8_t bytes[8];
  if (strncmp(text, "var ", 4) == 0 || strncmp(text, "variable ", 9) == 0)
    text = og_skip_blanks(strchr(text, ' '));
  char *copy = strdup(text), *equals = strchr(copy, '='), *right = NULL;
  while (equals && (equals[1] == '=' || (equals > copy && strchr("=!<>", equals[-1]))))
    equals = strchr(equals + 1 + (equals[1] == '='), '=');
  bool fine = equals != NULL || og_console_wrong(console, "set PLACE = VALUE is expected");
  if (fine) {
    right = equals + 1;
    *equals = 0;
    while (equals > copy && isspace((unsigned char)equals[-1]))
      *--equals = 0;
    fine = og_console_evaluate(console, copy, &rest, &place) && og_console_evaluate(console, right, NULL, &value);
  }
  fine = fine && (place.has_place || og_console_wrong(console, "'%s' is no register, memory or variable", copy));
  fine = fine && (place.place.size <= 8 || og_console_wrong(console, "'%s' is more than 8 bytes", copy));
  if (fine) {
    og_value_store(&value, place.type, bytes);
    uint64_t lanes =
        place.per_lane && console->debug->wave && place.place.is_register ? og_exec(console->debug->wave) : 0;
    if (!lanes)
      lanes = 1ull << place.place.lane;
    for (; lanes && fine; lanes &= lanes - 1) { /* a vector register without a lane: in all that are on */
      place.place.lane = (unsigned)__builtin_ctzll(lanes);
      fine = og_debug_change(console->debug, &place.place, bytes) ||
             og_console_wrong(console, "'%s' cannot be changed", copy);
    }
  }
  free(copy);
  return fine;
}

bool og_do_display(struct og_console *console, const char *text) {
  unsigned i = 0;
  if (!*text) {
    og_show_displays(console);
    return true;
  }
  while (i < DISPLAYS_MOST && console->displays[i])
    i++;
  if (i == DISPLAYS_MOST)
    return og_console_wrong(console, "%d are displayed already", DISPLAYS_MOST);
  console->displays[i] = strdup(text);
  return !console->debug->wave || og_do_print(console, text);
}

bool og_do_undisplay(struct og_console *console, const char *text) {
  unsigned long number = strtoul(text, NULL, 10);
  for (unsigned long i = 0; i < DISPLAYS_MOST; i++)
    if (!*text || i + 1 == number) {
      free(console->displays[i]);
      console->displays[i] = NULL;
    }
  return true;
}

bool og_do_list(struct og_console *console, const char *text) {
  struct og_debug *debug = console->debug;
  uint64_t pcs[1], pc = debug->wave ? og_debug_pc(debug, debug->wave)
                                    : debug->target.executable->start + debug->target.kernel->entry;
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
    return og_console_wrong(console, at.file ? "cannot read '%s'" : "no source is known here%s",
                            at.file ? at.file : "");
  unsigned first = at.line > 5 ? at.line - 5 : 1;
  og_show_source(debug, at.file, first, 10, debug->wave && here.file == at.file ? here.line : 0, console->out);
  console->file = at.file;
  console->next_line = first + 10;
  return true;
}

bool og_do_disassemble(struct og_console *console, const char *text) {
  struct og_debug *debug = console->debug;
  struct og_format format;
  uint64_t pc;
  if (!og_take_format(console, &text, &format))
    return false;
  uint32_t count = format.count > 1 ? format.count : 10;
  if (*text ? !og_find_location(debug, text, &pc, 1, console->out) : !og_needs_wave(console))
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

bool og_do_frame(struct og_console *console, const char *text) {
  (void)text;
  if (!og_needs_wave(console))
    return false;
  og_show_stop(console->debug, console->out);
  return true;
}

bool og_do_backtrace(struct og_console *console, const char *text) {
  (void)text;
  og_show_frames(console->debug, console->out);
  return true;
}

/* "G.W", or "W" of the work-group that is looked at; nothing: which one it is. */
bool og_do_wave(struct og_console *console, const char *text) {
  struct og_wave_name name = console->debug->focus;
  char *end;
  if (!og_needs_wave(console))
    return false;
  if (*text) {
    unsigned long first = strtoul(text, &end, 10);
    bool both = *end == '.';
    name.group = both ? (uint32_t)first : name.group;
    name.wave = both ? (uint32_t)strtoul(end + 1, &end, 10) : (uint32_t)first;
    if (*end || !og_debug_focus(console->debug, name))
      return og_console_wrong(console, "no wave '%s' is resident: 'info waves' lists them", text);
    console->next_pc = 0;
  }
  const struct og_wave *wave = console->debug->wave;
  og_buffer_printf(console->out, "wave %u.%u, %s, at ", name.group, name.wave, og_wave_state_name(wave));
  og_show_place(console->debug, og_debug_pc(console->debug, wave), console->out);
  og_buffer_u8(console->out, '\n');
  og_show_here(console->debug, console->out);
  return true;
}

bool og_do_lane(struct og_console *console, const char *text) {
  char *end;
  unsigned long lane = strtoul(text, &end, 10);
  if (*text && (*end || !og_debug_set_lane(console->debug, (unsigned)lane)))
    return og_console_wrong(console, "no lane '%s'", text);
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

const char *og_info_name(uint32_t i) { return i < OG_COUNT(infos) ? infos[i].name : NULL; }

bool og_do_info(struct og_console *console, const char *text) {
  size_t size = strcspn(text, " \t");
  const char *rest = og_skip_blanks(text + size);
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
      rest = og_skip_blanks(rest + word);
    }
    return fine;
  }
  og_buffer_text(console->out, size ? "no such info; there are\n" : "");
  for (size_t i = 0; i < OG_COUNT(infos); i++)
    og_buffer_printf(console->out, "  info %-12s %s\n", infos[i].name, infos[i].what);
  return !size;
}
