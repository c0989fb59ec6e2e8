/* view.c - og_watcher and og_view: calls the user's functions between a wave's instructions, and shows them the
 * wave. */
#include "api/device.h"
#include "exec/state.h"
#include "runtime/loader.h"

#include <string.h>

struct og_view {
  struct og_wave *wave;
  const struct og_operation *op; /* the instruction that runs next */
  const struct og_executable *executable;
};

_Static_assert((int)OG_ACCESS_GLOBAL == OG_SPACE_GLOBAL && (int)OG_ACCESS_LDS == OG_SPACE_LDS &&
                   (int)OG_ACCESS_SCRATCH == OG_SPACE_SCRATCH && (int)OG_ACCESS_SCALAR == OG_SPACE_SCALAR,
               "spaces are numbered alike");
_Static_assert((int)OG_WATCH_GO_ON == OG_GO_ON && (int)OG_WATCH_SKIP == OG_SKIP && (int)OG_WATCH_STOP == OG_STOP_HERE,
               "answers are numbered alike");

/* ---- looking on -------------------------------------------------------------------------------------------------- */

static struct og_view view_of(const struct og_watching *watching, struct og_wave *wave, const struct og_operation *op) {
  return (struct og_view){wave, op, watching->executable};
}

static void begin(void *context, struct og_wave *wave) {
  const struct og_watching *watching = context;
  struct og_view view = view_of(watching, wave, wave->resume);
  watching->watcher.wave_begin(watching->watcher.context, &view);
}

static void end(void *context, struct og_wave *wave) {
  const struct og_watching *watching = context;
  struct og_view view = view_of(watching, wave, wave->resume);
  watching->watcher.wave_end(watching->watcher.context, &view);
}

static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  const struct og_watching *watching = context;
  struct og_view view = view_of(watching, wave, op);
  og_watch_answer answer = watching->watcher.instruction(watching->watcher.context, &view);
  if (answer != OG_WATCH_GO_ON)
    og_answer(wave, (enum og_verdict)answer);
}

static void access_memory(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space,
                          int access, unsigned lane, uint64_t address, unsigned size) {
  const struct og_watching *watching = context;
  struct og_view view = view_of(watching, wave, op);
  og_watched_access seen = {.space = (og_access_space)space,
                            .reads = access & OG_ACCESS_READ,
                            .writes = access & OG_ACCESS_WRITE,
                            .lane = lane,
                            .address = address,
                            .size = size};
  og_watch_answer answer = watching->watcher.access(watching->watcher.context, &view, &seen);
  if (answer != OG_WATCH_GO_ON)
    og_answer(wave, (enum og_verdict)answer);
}

static void barrier(void *context, struct og_group *group) {
  const struct og_watching *watching = context;
  watching->watcher.barrier(watching->watcher.context, group->id);
}

static const struct og_observer *observer_of(void *context, unsigned thread) {
  (void)thread; /* it holds nothing that belongs to a thread */
  return context;
}

void og_watch_launch(struct og_watching *watching, const og_device *device, const og_launch *launch,
                     struct og_run_options *options) {
  if (!launch->watcher)
    return;
  *watching = (struct og_watching){.executable = device->executable};
  memcpy(&watching->watcher, launch->watcher, OG_MIN(launch->watcher->watcher_size, sizeof watching->watcher));
  watching->observer = (struct og_observer){.context = watching,
                                            .begin = watching->watcher.wave_begin ? begin : NULL,
                                            .instruction = watching->watcher.instruction ? instruction : NULL,
                                            .access = watching->watcher.access ? access_memory : NULL,
                                            .barrier = watching->watcher.barrier ? barrier : NULL,
                                            .end = watching->watcher.wave_end ? end : NULL};
  options->observer_of = observer_of;
  options->observer_context = &watching->observer;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

void og_view_place(const og_view *view, uint32_t group[3], uint32_t *wave) {
  memcpy(group, view->wave->group->id, sizeof view->wave->group->id);
  *wave = view->wave->id;
}

unsigned og_view_lanes(const og_view *view) { return view->wave->wave_size; }

uint64_t og_view_exec(const og_view *view) { return og_exec(view->wave); }

uint64_t og_view_pc(const og_view *view) { return og_pc(view->wave->program, view->op) - view->executable->start; }

size_t og_view_text(const og_view *view, char *text, size_t text_size) {
  const struct og_program *program = view->wave->program;
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(&program->target, &room);
  size_t word = (size_t)(view->op - program->operations), size = 0;
  struct og_inst inst;
  struct og_buffer out = {0};
  if (word < program->words)
    size = og_decode(isa, program->code + 4 * word, 4 * (program->words - word), &inst);
  if (size)
    og_print_inst(isa, &inst, NULL, &out);
  if (text_size) {
    size_t shown = OG_MIN(out.size, text_size - 1);
    if (shown)
      memcpy(text, out.data, shown);
    text[shown] = 0;
  }
  og_buffer_free(&out);
  return size;
}

static bool find(const og_view *view, const char *name, unsigned lane, struct og_register *found) {
  return lane < view->wave->wave_size && og_register_find(view->wave, og_text(name), found) && found->dwords <= 2;
}

bool og_view_register(const og_view *view, const char *name, unsigned lane, uint64_t *value) {
  struct og_register at;
  if (!find(view, name, lane, &at))
    return false;
  *value = og_register_get(view->wave, &at, 0, lane);
  if (at.dwords == 2)
    *value |= (uint64_t)og_register_get(view->wave, &at, 1, lane) << 32;
  return true;
}

bool og_view_set_register(og_view *view, const char *name, unsigned lane, uint64_t value) {
  struct og_register at;
  if (!find(view, name, lane, &at) || !og_register_set(view->wave, &at, 0, lane, (uint32_t)value) ||
      (at.dwords == 2 && !og_register_set(view->wave, &at, 1, lane, (uint32_t)(value >> 32))))
    return false;
  if (at.kind == OG_REGISTER_MODE)
    og_mode_changed(view->wave);
  return true;
}

bool og_view_read(const og_view *view, og_access_space space, unsigned lane, uint64_t address, void *bytes,
                  size_t size) {
  return lane < view->wave->wave_size && og_wave_read(view->wave, (enum og_space)space, lane, address, bytes, size);
}

bool og_view_write(og_view *view, og_access_space space, unsigned lane, uint64_t address, const void *bytes,
                   size_t size) {
  return lane < view->wave->wave_size && og_wave_write(view->wave, (enum og_space)space, lane, address, bytes, size);
}
