/* check.c - makes and frees the state that watches a kernel's dispatches, and takes what is known about these. */
#include "check/races.h"
#include "check/whole.h"
#include "exec/program.h"

#include <string.h>

static const struct og_observer *observer_of(void *context, unsigned thread) {
  const struct og_check *check = context;
  if (thread == 0)
    og_races_renew(check->watches->races, check->watches, check->threads);
  return &check->watches[OG_MIN(thread, check->threads - 1)].observer;
}

struct og_check *og_check_new(const struct og_executable *executable, const struct og_kernel *kernel, unsigned checkers,
                              unsigned threads) {
  struct og_arena *arena = og_arena_new();
  struct og_check *check = OG_NEW(arena, struct og_check);
  *check = (struct og_check){.arena = arena,
                             .executable = executable,
                             .kernel = kernel,
                             .checkers = checkers,
                             .allowed = {.arena = arena},
                             .objects = {.arena = arena}};
  check->threads = OG_MAX(threads, 1u);
  check->watches = og_check_lines(arena, check->threads * sizeof *check->watches);
  const struct og_program *program = og_executable_program(executable, kernel->start.wave_size);
  struct og_races *races = checkers & OG_CHECK_RACES ? og_races_new(arena) : NULL;
  for (unsigned i = 0; i < check->threads && program; i++) {
    struct og_watch *watch = &check->watches[i];
    watch->check = check;
    watch->arena = og_arena_new();
    watch->isa = og_isa_for(&program->target, &watch->own_isa);
    watch->checkers = checkers;
    watch->shared = check->threads > 1;
    watch->start = &kernel->start;
    watch->words = program->words;
    watch->arguments = kernel->kernarg_size;
    watch->listed = kernel->arg_count > 0;
    og_check_observe(watch);
    watch->races = races;
    if (checkers & OG_CHECK_BOUNDS)
      og_check_find_frame(watch, executable, kernel);
    if ((checkers & OG_CHECK_LANES_KEPT) == OG_CHECK_LANES_KEPT)
      og_check_readlane_list(watch, program);
    for (unsigned c = 0; c < OG_COUNTERS; c++)
      watch->most[c] = (uint8_t)og_counter_most(watch->isa, c);
    watch->mode.split = kernel->start.tg_split;
    watch->mode.unordered =
        watch->isa->gfx10 && !og_kd_get(&program->target, kernel->descriptor, OG_KD_MEM_ORDERED);
  }
  return check;
}

void og_check_watch(struct og_check *check, struct og_run_options *options) {
  options->observer_of = observer_of;
  options->observer_context = check;
}

void og_check_may_return(struct og_check *check) {
  for (unsigned i = 0; i < check->threads; i++)
    check->watches[i].may_return = true;
}

static void share_objects(struct og_check *check) {
  for (unsigned i = 0; i < check->threads; i++)
    check->watches[i].objects = check->objects.list.items, check->watches[i].object_count = check->objects.list.count;
}

bool og_check_lds_object_text(struct og_check *check, const char *text) {
  bool fine = og_lds_objects_add_text(&check->objects, text);
  share_objects(check);
  return fine;
}

void og_check_lds_objects(struct og_check *check, const struct og_argument *arguments, uint32_t count,
                          const void *kernarg, uint32_t group_bytes, uint32_t extra) {
  if (!check->objects.named)
    og_lds_objects_add_told(&check->objects, check->executable, check->kernel);
  og_lds_objects_add_arguments(&check->objects, check->kernel, arguments, count, kernarg, group_bytes, extra);
  share_objects(check);
}

void og_check_told_lds(struct og_check *check, uint32_t group_bytes) {
  uint32_t own = check->kernel->group_size;
  og_lds_objects_add_told(&check->objects, check->executable, check->kernel);
  if (check->objects.named)
    og_check_lds_objects(check, NULL, 0, NULL, group_bytes, group_bytes > own ? group_bytes - own : 0);
}

void og_check_fresh_memory(struct og_check *check) {
  for (unsigned i = 0; i < check->threads; i++)
    check->watches[i].fresh = true;
}

void og_check_free(struct og_check *check) {
  if (!check)
    return;
  og_races_free(check->watches[0].races);
  for (unsigned i = 0; i < check->threads; i++)
    og_arena_free(check->watches[i].snapshots), og_arena_free(check->watches[i].arena);
  og_arena_free(check->arena);
}

const struct og_watch *og_check_first_watch(const struct og_check *check) {
  return check->watches[0].words ? &check->watches[0] : NULL;
}

const char *og_check_kernel_name(const struct og_check *check) { return check->kernel->name; }

void og_check_clear(void *to, size_t size) { memset(to, 0, size); }
void *og_check_copy(void *to, const void *from, size_t size) { return memcpy(to, from, size); }
