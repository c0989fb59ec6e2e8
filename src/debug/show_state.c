/* show_state.c - where the dispatch stands, in words: stops, waves, groups, breakpoints, registers, variables. */
#include "debug/show.h"
#include "runtime/arguments.h"

#include <stdlib.h>
#include <string.h>

const char *og_wave_state_name(const struct og_wave *wave) {
  switch ((enum og_wave_state)wave->state) {
  case OG_WAVE_READY: return "ready";
  case OG_WAVE_BARRIER: return "at a barrier";
  case OG_WAVE_SLEEPING: return "gave way";
  case OG_WAVE_ENDED: return "ended";
  case OG_WAVE_FAULT: return "faulted";
  }
  return "";
}

static void show_wave_name(const struct og_wave *wave, struct og_buffer *out) {
  og_buffer_printf(out, "wave %u.%u", wave->group->index, wave->id);
}

/* ---- stops ------------------------------------------------------------------------------------------------------- */

void og_show_here(struct og_debug *debug, struct og_buffer *out) {
  const struct og_wave *wave = debug->wave;
  if (!wave) {
    og_buffer_text(out, "the kernel does not run\n");
    return;
  }
  uint64_t pc = og_debug_pc(debug, wave);
  struct og_line line = og_lines_at(debug->lines, pc - debug->target.executable->start);
  struct og_text text = line.file ? og_lines_text(debug->lines, line.file, line.line) : (struct og_text){0};
  if (text.data) {
    og_buffer_printf(out, "%u\t", line.line);
    og_buffer_printable(out, text.data, text.size, "\t");
    og_buffer_u8(out, '\n');
  }
  if (wave->state == OG_WAVE_ENDED)
    og_buffer_text(out, "   the wave has ended\n");
  struct og_buffer instruction = {0};
  if (wave->state != OG_WAVE_ENDED && og_show_instruction(debug, pc, &instruction)) {
    og_buffer_text(out, "=> ");
    og_executable_locate(debug->target.executable, pc, out);
    og_buffer_printf(out, ":\t%.*s\n", (int)instruction.size, (const char *)instruction.data);
  }
  og_buffer_free(&instruction);
}

static const struct og_watchpoint *find_watchpoint(const struct og_debug *debug, uint32_t number) {
  for (uint32_t i = 0; i < debug->watchpoints.count; i++)
    if (debug->watchpoints.items[i].number == number)
      return &debug->watchpoints.items[i];
  return NULL;
}

/* Numbers of a register or of memory as it was watched: the first that changed. */
static void show_change(const struct og_watchpoint *watch, struct og_buffer *out) {
  uint32_t size = watch->what.size % 8 == 0 && watch->what.size == 8 ? 8
                  : watch->what.size % 4 == 0                        ? 4
                  : watch->what.size % 2 == 0                        ? 2
                                                                     : 1;
  uint32_t at = 0, changed = 0;
  for (uint32_t i = watch->what.size; i >= size; i -= size)
    if (memcmp(watch->old + i - size, watch->now + i - size, size) != 0) {
      at = i - size;
      changed++;
    }
  uint64_t before = 0, after = 0;
  memcpy(&before, watch->old + at, size);
  memcpy(&after, watch->now + at, size);
  if (watch->access && !changed) {
    og_buffer_printf(out, "  value 0x%llx, by lane %u\n", (unsigned long long)after, watch->touched_lane);
    return;
  }
  bool vector = watch->what.is_register && watch->what.reg.kind == OG_REGISTER_VECTOR && !watch->what.one_lane;
  if (vector)
    og_buffer_printf(out, "  in %u lanes; lane %u:\n", changed, at / 4);
  og_buffer_printf(out, "  old 0x%llx", (unsigned long long)before);
  if (size == 4) {
    struct og_value number = og_value_load(OG_AS_F32, watch->old + at);
    og_buffer_printf(out, " (%u, ", (uint32_t)before);
    og_value_print(&number, 0, out);
    og_buffer_u8(out, ')');
  }
  og_buffer_printf(out, "\n  new 0x%llx", (unsigned long long)after);
  if (size == 4) {
    struct og_value number = og_value_load(OG_AS_F32, watch->now + at);
    og_buffer_printf(out, " (%u, ", (uint32_t)after);
    og_value_print(&number, 0, out);
    og_buffer_u8(out, ')');
  }
  og_buffer_u8(out, '\n');
}

static void show_end(struct og_debug *debug, struct og_buffer *out) {
  const struct og_dispatch_record *record = &debug->stop.record;
  if (record->fine)
    og_buffer_printf(out, "The kernel has come to its end: %llu work-groups, %llu waves, %llu instructions\n",
                     (unsigned long long)record->stats.groups, (unsigned long long)record->stats.waves,
                     (unsigned long long)debug->position);
  else
    og_buffer_printf(out, "The dispatch has ended: %s\n", record->fault.what);
}

static void show_watch_stop(struct og_debug *debug, struct og_buffer *out) {
  const struct og_watchpoint *watch = find_watchpoint(debug, debug->stop.number);
  og_buffer_printf(out, "Watchpoint %u: %s", debug->stop.number, watch ? watch->text : "");
  if (debug->plan.found_kind == OG_STOP_WATCHPOINT) {
    og_buffer_text(out, "\n  the instruction that is next changes it\n");
  } else if (watch) {
    og_buffer_printf(out, ", %s by ", watch->access ? "touched" : "changed");
    og_show_place(debug, debug->stop.old_pc, out);
    og_buffer_text(out, " '");
    og_show_instruction(debug, debug->stop.old_pc, out);
    og_buffer_text(out, "'\n");
    show_change(watch, out);
  }
}

void og_show_stop(struct og_debug *debug, struct og_buffer *out) {
  const struct og_stop *stop = &debug->stop;
  const struct og_fault *fault = &stop->fault;
  switch (stop->kind) {
  case OG_STOP_ENDED: show_end(debug, out); return;
  case OG_STOP_NONE: og_buffer_text(out, "the kernel does not run\n"); return;
  case OG_STOP_FAULT:
    og_buffer_printf(out, "Fault: %s", fault->what);
    og_buffer_printf(out, fault->has_address ? ", address 0x%llx\n" : "\n%.0llx", (unsigned long long)fault->address);
    break;
  case OG_STOP_WATCHPOINT: show_watch_stop(debug, out); break;
  case OG_STOP_BREAKPOINT: og_buffer_printf(out, "Breakpoint %u, ", stop->number); break;
  case OG_STOP_PAUSE: og_buffer_text(out, "Interrupted, "); break;
  case OG_STOP_BEGIN: og_buffer_text(out, "This is the beginning, "); break;
  case OG_STOP_STEP: break;
  }
  if (stop->focus_ended)
    og_buffer_text(out, "The wave has ended; ");
  if (!debug->wave)
    return;
  show_wave_name(debug->wave, out);
  const uint32_t *id = debug->wave->group->id;
  og_buffer_printf(out, " (work-group %u,%u,%u), lane %u, at ", id[0], id[1], id[2], debug->lane);
  og_show_place(debug, og_debug_pc(debug, debug->wave), out);
  if (debug->wave->state == OG_WAVE_BARRIER)
    og_buffer_text(out, ", at a barrier");
  og_buffer_u8(out, '\n');
  og_show_here(debug, out);
}

/* ---- waves ------------------------------------------------------------------------------------------------------- */

void og_show_waves(struct og_debug *debug, struct og_buffer *out) {
  if (!og_debug_alive(debug)) {
    og_buffer_text(out, "the kernel does not run\n");
    return;
  }
  og_buffer_text(out, "    wave     state         lanes              at\n");
  for (uint32_t g = 0; g < debug->groups.count; g++) {
    const struct og_group *group = debug->groups.items[g];
    for (uint32_t i = 0; i < group->wave_count; i++) {
      const struct og_wave *wave = og_group_wave(group, i);
      char name[24];
      snprintf(name, sizeof name, "%u.%u", group->index, i);
      og_buffer_printf(out, "%s %-8s %-13s %0*llx%s ", wave == debug->wave ? "  *" : "   ", name,
                       og_wave_state_name(wave), wave->wave_size / 4, (unsigned long long)og_exec(wave),
                       wave->wave_size == 32 ? "        " : "");
      if (wave->state != OG_WAVE_ENDED) {
        og_show_place(debug, og_debug_pc(debug, wave), out);
        og_buffer_text(out, "  ");
        og_show_instruction(debug, og_debug_pc(debug, wave), out);
      }
      og_buffer_u8(out, '\n');
    }
  }
}

void og_show_groups(struct og_debug *debug, struct og_buffer *out) {
  const struct og_extent *extent = debug->target.extent;
  uint64_t count = 1;
  for (uint32_t i = 0; i < 3; i++)
    count *= i < extent->dimensions ? (extent->grid[i] + (uint64_t)extent->group[i] - 1) / extent->group[i] : 1;
  og_buffer_printf(out, "%llu work-groups; %u of them resident\n", (unsigned long long)count, debug->groups.count);
  for (uint32_t g = 0; g < debug->groups.count; g++) {
    const struct og_group *group = debug->groups.items[g];
    og_buffer_printf(out, "  %u (%u,%u,%u): %u waves, %u of them not ended, %u bytes of LDS\n", group->index,
                     group->id[0], group->id[1], group->id[2], group->wave_count, group->live,
                     og_group_wave(group, 0)->lds_size);
  }
}

/* ---- breakpoints ------------------------------------------------------------------------------------------------- */

void og_show_breakpoints(struct og_debug *debug, struct og_buffer *out) {
  bool any = false;
  const struct og_program *program =
      og_executable_program(debug->target.executable, debug->target.kernel->start.wave_size);
  for (uint32_t i = 0; i < debug->breakpoints.count; i++) {
    const struct og_breakpoint *one = &debug->breakpoints.items[i];
    if (!one->number)
      continue;
    any = true;
    og_buffer_printf(out, "%u  %s%s at %s", one->number, one->temporary ? "temporary breakpoint" : "breakpoint",
                     one->enabled ? "" : " (off)", *one->where ? one->where : "a place");
    for (uint32_t k = 0; k < one->word_count; k++) {
      og_buffer_text(out, k ? ", " : ": ");
      og_show_place(debug, (uint64_t)(uintptr_t)program->code + 4ull * one->words[k], out);
    }
    og_buffer_printf(out, one->condition ? ", if %s" : "%.0s", one->condition ? one->condition : "");
    og_buffer_printf(out, one->hits ? ", hit %llu times" : "%.0llu", (unsigned long long)one->hits);
    og_buffer_u8(out, '\n');
  }
  for (uint32_t i = 0; i < debug->watchpoints.count; i++) {
    const struct og_watchpoint *one = &debug->watchpoints.items[i];
    if (!one->number)
      continue;
    any = true;
    og_buffer_printf(out, "%u  %s%s of %s", one->number,
                     one->access == 0                ? "watchpoint"
                     : one->access == OG_ACCESS_READ ? "watchpoint for reads"
                                                     : "watchpoint for accesses",
                     one->enabled ? "" : " (off)", one->text);
    og_buffer_printf(out, one->condition ? ", if %s" : "%.0s", one->condition ? one->condition : "");
    og_buffer_printf(out, one->hits ? ", hit %llu times\n" : "\n%.0llu", (unsigned long long)one->hits);
  }
  if (!any)
    og_buffer_text(out, "there are no breakpoints or watchpoints\n");
}

/* ---- registers and variables ------------------------------------------------------------------------------------- */

void og_show_registers(struct og_debug *debug, struct og_buffer *out) {
  static const char *const special[] = {"exec", "vcc", "scc", "m0", "flat_scratch", "mode", "status"};
  const struct og_wave *wave = debug->wave;
  const struct og_kernel *kernel = debug->target.kernel;
  if (!wave) {
    og_buffer_text(out, "the kernel does not run\n");
    return;
  }
  og_buffer_text(out, "pc             ");
  og_show_place(debug, og_debug_pc(debug, wave), out);
  og_buffer_u8(out, '\n');
  for (size_t i = 0; i < OG_COUNT(special); i++) {
    struct og_register reg;
    if (!og_register_find(wave, og_text(special[i]), &reg))
      continue;
    uint64_t bits = og_register_get(wave, &reg, 0, 0);
    if (reg.dwords == 2)
      bits |= (uint64_t)og_register_get(wave, &reg, 1, 0) << 32;
    og_buffer_printf(out, "%-14s 0x%llx\n", special[i], (unsigned long long)bits);
  }
  uint32_t count = kernel->sgpr_count ? OG_MIN(kernel->sgpr_count, 106u) : 32;
  for (uint32_t i = 0; i < count; i++)
    og_buffer_printf(out, "%ss%-3u 0x%08x", i % 4 ? "  " : i ? "\n" : "", i, wave->s[i]);
  og_buffer_printf(out, "\nlane %u:\n", debug->lane);
  count = kernel->vgpr_count ? OG_MIN(kernel->vgpr_count, 256u) : 32;
  for (uint32_t i = 0; i < count; i++)
    og_buffer_printf(out, "%sv%-3u 0x%08x", i % 4 ? "  " : i ? "\n" : "", i, wave->v[i][debug->lane]);
  og_buffer_u8(out, '\n');
}

/* The kernel's arguments, by its metadata. */
static void show_arguments(const struct og_debug *debug, struct og_buffer *out) {
  const struct og_kernel *kernel = debug->target.kernel;
  uint32_t number = 0;
  for (uint32_t i = 0; i < kernel->arg_count; i++) {
    const struct og_kernel_arg *arg = &kernel->args[i];
    uint64_t bits = 0;
    if (og_kernel_arg_hidden(arg))
      continue;
    memcpy(&bits, (const uint8_t *)debug->target.kernarg + arg->offset, OG_MIN(arg->size, 8u));
    og_buffer_printf(out, "$arg%u%s%s = 0x%llx (%u bytes, %s)\n", number++, *arg->name ? " " : "", arg->name,
                     (unsigned long long)bits, arg->size, arg->value_kind);
  }
}

void og_show_variables(struct og_debug *debug, bool arguments, bool locals, struct og_buffer *out) {
  enum { MOST = 128 };
  static const struct og_format plain = {.count = 1};
  struct og_variable *variables = calloc(MOST, sizeof *variables);
  struct og_context context = og_context_of(debug);
  uint32_t count = variables ? og_variables(&context, variables, MOST) : 0, shown = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct og_value value;
    if (!(variables[i].argument ? arguments : locals))
      continue;
    shown++;
    og_buffer_printf(out, "%s = ", variables[i].name);
    if (og_variable_value(&context, &variables[i], &value))
      og_show_value(&value, &plain, out);
    else
      og_buffer_text(out, "<optimised away>");
    og_buffer_u8(out, '\n');
  }
  free(variables);
  if (arguments && !locals && !shown)
    show_arguments(debug, out);
  else if (!shown)
    og_buffer_text(out, "no variables are known here\n");
}

void og_show_frames(struct og_debug *debug, struct og_buffer *out) {
  struct og_frame frames[32];
  if (!debug->wave) {
    og_buffer_text(out, "the kernel does not run\n");
    return;
  }
  uint64_t pc = og_debug_pc(debug, debug->wave);
  uint32_t count = og_frames(debug, pc, frames, OG_COUNT(frames));
  for (uint32_t i = 0; i < count; i++)
    og_buffer_printf(out, "#%u  %s at %s:%u%s\n", i, frames[i].name ? frames[i].name : "?",
                     frames[i].line.file ? frames[i].line.file : "?", frames[i].line.line,
                     i + 1 < count ? " (inlined)" : "");
  if (!count) {
    og_buffer_text(out, "#0  ");
    og_show_place(debug, pc, out);
    og_buffer_u8(out, '\n');
  }
}
