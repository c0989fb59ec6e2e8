/* profile.c - counts by instruction. A thread's counts are looked at before each instruction: what they have grown
 * by is the work of the one before. So memory goes its fast way, and all that --stats counts is told per
 * instruction. */
#include "debug/profile_internal.h"

#include "exec/group.h"

#include <stdlib.h>
#include <string.h>

struct og_profile_watch {
  struct og_observer observer;
  struct og_profile_counts *counts; /* by word of the code */
  struct og_profile_timeline *timeline;
  uint64_t previous;       /* word of the instruction that executes; NONE */
  struct og_counts before; /* when it began */
};

static const uint64_t NONE = UINT64_MAX;

/* ---- watching ---------------------------------------------------------------------------------------------------- */

static void settle(struct og_profile_watch *watch, const struct og_counts *now) {
  const struct og_counts *before = &watch->before;
  if (watch->previous == NONE || !now)
    return;
  struct og_profile_counts *to = &watch->counts[watch->previous];
  for (size_t i = 0; i < OG_COUNT(now->bytes_read); i++) {
    to->bytes_read += now->bytes_read[i] - before->bytes_read[i];
    to->bytes_written += now->bytes_written[i] - before->bytes_written[i];
  }
  to->lanes += now->events.lanes - before->events.lanes;
  to->slots += now->events.lane_slots - before->events.lane_slots;
  to->conflicts += now->events.bank_conflicts - before->events.bank_conflicts;
}

/* The wave runs, by itself from here on if another did before. */
static void note(struct og_profile_timeline *line, const struct og_wave *wave) {
  const struct og_group *group = wave->group;
  line->now++;
  if (line->running != wave && line->count < OG_PROFILE_SPANS) {
    struct og_profile_span *span = &line->items[line->count++];
    *span = (struct og_profile_span){.wave = wave->id, .from = line->now - 1};
    memcpy(span->group, group->id, sizeof span->group);
    line->running = wave;
  }
  if (line->running == wave)
    line->items[line->count - 1].to = line->now;
}

static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct og_profile_watch *watch = context;
  settle(watch, wave->counts);
  note(watch->timeline, wave);
  watch->previous = (uint64_t)(op - wave->program->operations);
  watch->counts[watch->previous].executions++;
  watch->before = *wave->counts;
}

/* Counts may begin anew behind it: with another dispatch. */
static void end(void *context, struct og_wave *wave) {
  struct og_profile_watch *watch = context;
  settle(watch, wave->counts);
  watch->previous = NONE;
  watch->timeline->running = NULL; /* the next wave may stand in the same memory */
}

static void fault(void *context, struct og_wave *wave, const struct og_fault *what) {
  (void)what;
  end(context, wave);
}

static const struct og_observer *observer_of(void *context, unsigned thread) {
  const struct og_profile *profile = context;
  return &profile->watches[OG_MIN(thread, profile->threads - 1)].observer;
}

static void read_texts(struct og_profile *profile) {
  for (size_t word = 0; word < profile->program->words; word++) {
    struct og_line line = og_lines_at(profile->source, (uint64_t)(uintptr_t)profile->program->code + 4 * word -
                                                           profile->executable->start);
    if (line.file)
      og_lines_text(profile->source, line.file, line.line);
  }
}

struct og_profile *og_profile_new(const struct og_executable *executable, const struct og_kernel *kernel,
                                  unsigned threads) {
  struct og_arena *arena = og_arena_new();
  struct og_profile *profile = OG_NEW(arena, struct og_profile);
  *profile =
      (struct og_profile){.arena = arena, .executable = executable, .kernel = kernel, .threads = OG_MAX(threads, 1u)};
  profile->program = og_executable_program(executable, kernel->start.wave_size);
  profile->source = og_lines_new(executable->code->elf);
  size_t words = profile->program ? profile->program->words + 1 : 1;
  profile->timelines = OG_NEW_ARRAY(arena, struct og_profile_timeline, profile->threads);
  profile->watches = OG_NEW_ARRAY(arena, struct og_profile_watch, profile->threads);
  for (unsigned i = 0; i < profile->threads; i++) {
    struct og_profile_watch *watch = &profile->watches[i];
    watch->previous = NONE;
    watch->counts = OG_NEW_ARRAY(arena, struct og_profile_counts, words);
    watch->timeline = &profile->timelines[i];
    watch->timeline->items = OG_NEW_ARRAY(arena, struct og_profile_span, OG_PROFILE_SPANS);
    watch->observer = (struct og_observer){.context = watch, .instruction = instruction, .end = end, .fault = fault};
  }
  profile->sums = OG_NEW_ARRAY(arena, struct og_profile_counts, words);
  if (profile->program)
    read_texts(profile);
  return profile;
}

void og_profile_free(struct og_profile *profile) {
  if (!profile)
    return;
  og_lines_free(profile->source);
  og_arena_free(profile->arena);
}

void og_profile_watch(struct og_profile *profile, struct og_run_options *options) {
  options->count = true;
  options->observer_of = observer_of;
  options->observer_context = profile;
}

/* ---- the listing ------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct og_profile_counts) % sizeof(uint64_t) == 0, "summed as 64-bit numbers");

static void add(struct og_profile_counts *to, const struct og_profile_counts *more) {
  og_statistics_add(to, more, sizeof *to);
}

static void sum_threads(struct og_profile *profile) {
  memset(profile->sums, 0, (profile->program->words + 1) * sizeof *profile->sums);
  for (unsigned i = 0; i < profile->threads; i++)
    for (size_t word = 0; word < profile->program->words; word++)
      add(&profile->sums[word], &profile->watches[i].counts[word]);
}

static uint64_t pc_of(const struct og_profile *profile, size_t word) {
  return (uint64_t)(uintptr_t)profile->program->code + 4 * word;
}

static struct og_profile_line *add_source(struct og_profile *profile, const struct og_line *line) {
  struct og_text text = og_lines_text(profile->source, line->file, line->line);
  struct og_profile_line *made = OG_PUSH(profile->arena, &profile->lines);
  *made = (struct og_profile_line){.is_source = true, .file = line->file, .number = line->line, .place = ""};
  made->text = og_arena_copy(profile->arena, text.data ? text.data : "", text.size);
  return made;
}

/* An instruction's line; its words. */
static size_t add_instruction(struct og_profile *profile, const struct og_isa *isa, size_t word,
                              const struct og_line *at) {
  const struct og_program *program = profile->program;
  struct og_inst inst;
  struct og_buffer text = {0}, place = {0};
  size_t size = og_decode(isa, program->code + 4 * word, 4 * (program->words - word), &inst);
  if (size)
    og_print_inst(isa, &inst, NULL, &text);
  else
    og_buffer_printf(&text, ".long 0x%08x", og_load32(program->code + 4 * word));
  for (size_t i = 0; i < text.size; i++)
    text.data[i] = text.data[i] == '\t' ? ' ' : text.data[i];
  og_executable_locate(profile->executable, pc_of(profile, word), &place);
  struct og_profile_line *line = OG_PUSH(profile->arena, &profile->lines);
  *line = (struct og_profile_line){.text = og_arena_copy(profile->arena, (const char *)text.data, text.size),
                                   .place = og_arena_copy(profile->arena, (const char *)place.data, place.size),
                                   .word = (uint32_t)word,
                                   .counts = profile->sums[word]};
  if (og_lines_are_code(at->file))
    line->file = at->file, line->number = at->line;
  og_buffer_free(&text);
  og_buffer_free(&place);
  return size ? size / 4 : 1;
}

/* Instructions from one word to another, each line of source before its code. */
static void add_region(struct og_profile *profile, const struct og_isa *isa, size_t from, size_t to) {
  struct og_line before = {0};
  int64_t source = -1; /* in lines; these move */
  for (size_t word = from; word < to;) {
    struct og_line line = og_lines_at(profile->source, pc_of(profile, word) - profile->executable->start);
    if (line.file && !og_lines_are_code(line.file) && !og_same_line(&line, &before)) {
      source = (int64_t)profile->lines.count;
      add_source(profile, &line);
      before = line;
    }
    add(&profile->total, &profile->sums[word]);
    if (source >= 0)
      add(&profile->lines.items[source].counts, &profile->sums[word]);
    word += add_instruction(profile, isa, word, &line);
  }
}

/* Where the function begins that has the word, by how its place is named: "name+0x40". */
static size_t region_start(const struct og_profile *profile, size_t word) {
  struct og_buffer place = {0};
  og_executable_locate(profile->executable, pc_of(profile, word), &place);
  const char *plus = place.size ? strrchr((const char *)place.data, '+') : NULL;
  size_t offset = plus ? strtoull(plus + 1, NULL, 16) / 4 : 0;
  og_buffer_free(&place);
  return word - OG_MIN(offset, word);
}

/* What was executed of a function, from its beginning to the last instruction that was. */
void og_profile_collect(struct og_profile *profile) {
  const struct og_program *program = profile->program;
  struct og_isa room;
  const struct og_isa *isa = program ? og_isa_for(&program->target, &room) : NULL;
  profile->lines.count = 0;
  profile->total = (struct og_profile_counts){0};
  if (!isa)
    return;
  sum_threads(profile);
  for (size_t word = 0; word < program->words;) {
    if (!profile->sums[word].executions) {
      word++;
      continue;
    }
    size_t start = region_start(profile, word), last = word;
    for (size_t i = word; i < program->words && (i - last < 4096 || profile->sums[i].executions); i++)
      if (profile->sums[i].executions) {
        if (region_start(profile, i) != start)
          break;
        last = i;
      }
    struct og_inst inst;
    size_t size = og_decode(isa, program->code + 4 * last, 4 * (program->words - last), &inst);
    size_t end = last + OG_MAX(size / 4, (size_t)1);
    add_region(profile, isa, start, end);
    word = end;
  }
}
