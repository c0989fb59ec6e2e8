/* run.c - a dispatch of a vISA kernel: host threads divide the groups among them; a group's threads run in turns from
   barrier to barrier. */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "visa/decode/decode.h"
#include "visa/exec/count.h"
#include "visa/exec/guard.h"
#include "visa/host/print.h"
#include "visa/host/machine.h"
#include "visa/table.h"

enum {
  SCRATCH = 1 << 16, /* for each thread, beside what .ze_info asks for */
  PRIVATE = 1 << 20, /* the least stateless private memory of a group */
  LOOK = 1 << 11,    /* operations from one look at the clock to the next */
  TURN = 1 << 3,     /* how many operations a thread's start or continuation counts as */
};

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* Memory that release() gives back; NULL with a diagnostic. */
static uint8_t *map_memory(struct og_vx_machine *m, uint64_t size, const char *what) {
  struct og_vx_mapping *mapping = m->mappings;
  while (mapping->base)
    mapping++;
  void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    og_vx_cannot_run(m, "not enough memory for %s: %llu bytes", what, (unsigned long long)size);
    return NULL;
  }
  *mapping = (struct og_vx_mapping){base, size};
  return base;
}

/* The threads, then the memory of each: registers and other state, scratch; behind each a guard. */
static bool make_threads(struct og_vx_machine *m) {
  const struct og_vx_program *program = m->program;
  uint32_t items = m->dispatch->group[0] * m->dispatch->group[1] * m->dispatch->group[2];
  m->thread_capacity = (items + m->simd - 1) / m->simd;
  uint64_t state = og_vx_state_size(program, m->dispatch->check) + OG_VX_GUARD,
           scratch = og_align_up(SCRATCH + (uint64_t)m->layout->scratch_size, 64),
           each = state + scratch + OG_VX_GUARD,
           threads = og_align_up(sizeof(struct og_vx_thread) * (uint64_t)m->thread_capacity, 64);
  if (each * m->thread_capacity > OG_VX_THREADS_MOST)
    return og_vx_cannot_run(m, "the %u threads of a work-group need %llu bytes each; there are %llu for all",
                            m->thread_capacity, (unsigned long long)each, OG_VX_THREADS_MOST);
  uint8_t *memory = map_memory(m, threads + each * m->thread_capacity, "its threads");
  if (!memory)
    return false;
  m->threads = (struct og_vx_thread *)(void *)memory;
  for (uint32_t i = 0; i < m->thread_capacity; i++) {
    uint8_t *base = memory + threads + i * each;
    og_vx_guard(base + state - OG_VX_GUARD);
    og_vx_guard(base + each - OG_VX_GUARD);
    m->threads[i] = (struct og_vx_thread){.scratch = base + state,
                                          .scratch_size = scratch,
                                          .alu = og_alu_table(),
                                          .group = &m->group,
                                          .index = i,
                                          .check = m->dispatch->check ? &m->check : NULL,
                                          .trace = m->dispatch->trace,
                                          .counts = m->dispatch->count ? &m->statistics.counts : NULL,
                                          .runs = m->runs};
    og_vx_set_state(&m->threads[i], program, base);
  }
  return true;
}

static void start_thread(struct og_vx_machine *m, struct og_vx_thread *thread, const struct og_vx_group_shape *shape,
                         uint32_t index) {
  const struct og_vx_program *program = m->program;
  uint32_t first = index * m->simd, left = shape->items - first;
  uint8_t *registers = thread->base[OG_VX_REGISTERS];
  thread->channels = left >= 32 && m->simd == 32 ? ~0u : (1u << OG_MIN(left, m->simd)) - 1;
  thread->call_mask = thread->dispatched = thread->channels;
  thread->wait_count = thread->wait_base = thread->frame_count = 0;
  thread->next = program->ops;
  thread->state = OG_VX_RUNNING;
  thread->mode = OG_VX_OWN_MODE;
  memset(thread->wait_generation, 0, sizeof thread->wait_generation);
  og_vx_put_thread(m, shape, index, first, thread->channels);
  if (thread->check)
    og_vx_defined_reset(thread);
  for (uint32_t i = 0; i < program->kernel->inputs.count; i++) {
    const struct og_visa_input *input = &program->kernel->inputs.items[i];
    const struct og_visa_variable *variable = og_visa_input_variable(program, input);
    if (!variable || input->offset < 0 || (uint64_t)input->offset + input->size > OG_VX_PAYLOAD_MOST)
      continue;
    uint32_t size = OG_MIN(input->size, og_visa_variable_size(variable));
    memcpy(registers + program->places[input->variable], m->payload + input->offset, size);
    if (thread->check)
      og_vx_define(thread, program->places[input->variable], size);
  }
  memcpy(registers + program->r0, m->payload, program->grf_size);
  for (uint32_t i = 0; i < 3; i++)
    og_store32(registers + program->group_id[i], shape->id[i]);
  og_store32(registers + program->hw_id, index);
  memcpy(registers + program->sr0, m->state[OG_VX_STATE_SR0], OG_VX_STATE_BYTES);
  memcpy(registers + program->ce0, m->state[OG_VX_STATE_CE0], 4);
  og_store32(registers + program->cr0, 0);
}

/* `checker`: a text such as " [races]", or "". */
static void describe(struct og_vx_machine *m, const struct og_vx_thread *thread,
                     const struct og_vx_group_shape *shape, const char *what, const char *checker) {
  const struct og_vx_op *op = thread->next;
  const struct og_vx_program *program = thread->program; /* the kernel, or a function it called */
  uint32_t index = (uint32_t)(thread - m->threads);
  const struct og_visa_inst *inst = op ? op->inst : NULL;
  if (program->source && inst && inst->size)
    og_error(m->diagnostics, (struct og_range){program->source, inst->at, inst->size},
             "%s (kernel '%s', group %u,%u,%u, thread %u)%s", what, program->kernel_name, shape->id[0], shape->id[1],
             shape->id[2], index, checker);
  else
    og_error_in(m->diagnostics, program->file, "kernel '%s', operation %td (%s): %s (group %u,%u,%u, thread %u)%s",
                program->kernel_name, op ? op - program->ops : -1, inst ? og_visa_mnemonic(inst) : "", what,
                shape->id[0], shape->id[1], shape->id[2], index, checker);
}

/* The line of the text, or else the operation's number. */
static void place_of(const struct og_vx_program *program, const struct og_vx_op *op, char *place, size_t size) {
  const struct og_visa_inst *inst = op->inst;
  if (!program->source || !inst || !inst->size) {
    snprintf(place, size, "%s+%td", program->kernel_name, op - program->ops);
    return;
  }
  unsigned line = 1;
  for (uint32_t i = 0; i < inst->at; i++)
    line += program->source->text[i] == '\n';
  snprintf(place, size, "%s:%u", program->kernel_name, line);
}

static bool describe_finding(void *context, struct og_vx_thread *thread, const struct og_vx_op *op,
                             enum og_vx_finding kind, const char *what, bool tell) {
  static const char *const checkers[] = {[OG_VX_UNDEFINED] = "uninit",
                                         [OG_VX_RACE] = "races",
                                         [OG_VX_DIVERGENT] = "divergence",
                                         [OG_VX_BEYOND] = "bounds"};
  struct og_vx_machine *m = context;
  const struct og_vx_op *next = thread->next;
  char place[128], suffix[32];
  place_of(thread->program, op, place, sizeof place);
  struct og_visa_finding finding = {.checker = checkers[kind], .kernel = thread->program->kernel_name, .place = place,
                                    .instruction = op->inst ? og_visa_mnemonic(op->inst) : "", .message = what,
                                    .thread = (uint32_t)(thread - m->threads)};
  memcpy(finding.group, m->shape->id, sizeof finding.group);
  if (m->dispatch->found && !m->dispatch->found(m->dispatch->found_context, &finding))
    return false;
  snprintf(suffix, sizeof suffix, " [%s]", checkers[kind]);
  thread->next = op;
  if (tell)
    describe(m, thread, m->shape, what, suffix);
  thread->next = next;
  return true;
}

/* The first fault of any host thread becomes the dispatch's. */
static bool report(struct og_vx_machine *m, const struct og_vx_thread *thread, const struct og_vx_group_shape *shape,
                   const char *what) {
  pthread_mutex_lock(&m->crew->lock);
  if (!m->crew->failed)
    describe(m, thread, shape, what, "");
  __atomic_store_n(&m->crew->failed, true, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&m->crew->lock);
  return false;
}

/* Whether there is time left, no interrupt, and no failure in another host thread. */
static bool may_go_on(struct og_vx_machine *m, struct og_vx_thread *thread, const struct og_vx_group_shape *shape) {
  const struct og_visa_dispatch *dispatch = m->dispatch;
  if (dispatch->interrupted && __atomic_load_n(dispatch->interrupted, __ATOMIC_ACQUIRE))
    return report(m, thread, shape, "interrupted");
  if (dispatch->deadline && og_clock() > dispatch->deadline)
    return report(m, thread, shape, "still running when the time was over");
  return !__atomic_load_n(&m->crew->failed, __ATOMIC_RELAXED);
}

/* One turn of a thread; false: a fault, or the time is over. All that threads do, operations and turns, counts against
   one credit, so that neither straight code nor barriers nor many groups delay the next look at the clock. */
static bool turn(struct og_vx_machine *m, struct og_vx_thread *thread, const struct og_vx_group_shape *shape) {
  og_vx_mode_apply(thread);
  do {
    if (m->credit <= TURN) {
      if (!may_go_on(m, thread, shape))
        return false;
      m->credit = LOOK;
    }
    thread->budget = m->credit - TURN;
    og_vx_thread_run(thread);
    m->credit = thread->budget;
  } while (thread->state == OG_VX_INTERRUPTED);
  return thread->state != OG_VX_FAULT || report(m, thread, shape, thread->fault);
}

static bool may_run(const struct og_vx_machine *m, const struct og_vx_thread *thread) {
  uint32_t id = thread->waiting_for;
  return thread->state == OG_VX_RUNNING ||
         (thread->state == OG_VX_WAITING && id < OG_VX_NAMED_BARRIERS &&
          (int32_t)(m->group.barriers[id].generation - thread->wait_generation[id]) >= 0);
}

/* The order of a round over a group's threads: where it starts and whether it goes down, from a number that changes
   with each round. */
static uint32_t nth_thread(uint64_t number, uint32_t n, uint32_t count) {
  uint32_t start = (uint32_t)(number >> 33) % count;
  return number >> 32 & 1 ? (start + count - n) % count : (start + n) % count;
}

static bool run_group(struct og_vx_machine *m, const struct og_vx_group_shape *shape) {
  struct og_visa_statistics *statistics = &m->statistics;
  struct og_vx_group *group = &m->group;
  uint32_t count = (shape->items + m->simd - 1) / m->simd;
  group->thread_count = group->alive = count;
  group->threads = m->threads;
  memcpy(group->id, shape->id, sizeof group->id);
  group->index = (uint32_t)shape->index;
  m->shape = shape;
  if (m->dispatch->check)
    og_vx_races_start_group(m->check.races);
  memset(group->barriers, 0, sizeof group->barriers);
  og_vx_put_local_size(m, shape->size);
  for (uint32_t i = 0; i < count; i++)
    start_thread(m, &m->threads[i], shape, i);
  uint64_t number = m->dispatch->seed ^ ((uint64_t)shape->id[0] << 40 | (uint64_t)shape->id[1] << 20 | shape->id[2]);
  for (bool progress = true; progress && group->alive;) {
    progress = false;
    number = number * 6364136223846793005u + 1442695040888963407u;
    for (uint32_t i = 0; i < count; i++) {
      struct og_vx_thread *thread = &m->threads[m->dispatch->seed ? nth_thread(number, i, count) : i];
      if (!may_run(m, thread))
        continue;
      progress = true;
      if (thread->check && thread->state == OG_VX_WAITING)
        og_vx_race_wait(thread, thread->waiting_for);
      if (!turn(m, thread, shape))
        return false;
      group->alive -= thread->state == OG_VX_DONE;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    statistics->instructions += m->threads[i].instructions;
    m->threads[i].instructions = 0;
    if (m->threads[i].state == OG_VX_WAITING) {
      m->threads[i].next--;
      return report(m, &m->threads[i], shape,
                    m->threads[i].waiting_for == OG_VX_WAITS_FOR_PARTNER
                        ? "waits for the other thread of its pair, which never reaches this instruction"
                        : "waits at a barrier that other threads of the group never reach");
    }
  }
  statistics->threads += count;
  statistics->groups++;
  return true;
}

static uint32_t group_count(const struct og_visa_dispatch *dispatch, int dimension) {
  return (uint32_t)(((uint64_t)dispatch->grid[dimension] + dispatch->group[dimension] - 1) /
                    dispatch->group[dimension]);
}

/* What a host thread does: runs groups until none is left. */
static void *run_groups(void *context) {
  struct og_vx_machine *m = context;
  const struct og_visa_dispatch *dispatch = m->dispatch;
  uint64_t across = group_count(dispatch, 0), down = group_count(dispatch, 1);
  fenv_t environment;
  fegetenv(&environment);
  m->group.mode = OG_VX_OWN_MODE;
  for (;;) {
    uint64_t index = __atomic_fetch_add(&m->crew->next, 1, __ATOMIC_RELAXED);
    if (index >= m->crew->count || __atomic_load_n(&m->crew->failed, __ATOMIC_RELAXED))
      break;
    struct og_vx_group_shape shape = {
        .index = index,
        .id = {(uint32_t)(index % across), (uint32_t)(index / across % down), (uint32_t)(index / across / down)},
        .items = 1};
    for (uint32_t i = 0; i < 3; i++) {
      shape.size[i] = OG_MIN(dispatch->group[i], dispatch->grid[i] - shape.id[i] * dispatch->group[i]);
      shape.items *= shape.size[i];
    }
    if (!run_group(m, &shape))
      break;
  }
  if (m->runs)
    og_vx_count_runs(m->program, m->runs, &m->statistics.counts);
  fesetenv(&environment);
  return NULL;
}

struct og_vx_program *og_visa_prepare(struct og_arena *arena, const struct og_visa_unit *units, uint32_t unit_count,
                                      const struct og_visa_kernel *kernel, int platform, struct og_zebin *zebin,
                                      struct og_diagnostics *diagnostics) {
  for (uint32_t i = 0; i < units->visa->kernels.count && og_visa_first_own(kernel) > OG_VISA_FIRST_GENERAL; i++)
    if (units->visa->kernels.items[i]->function &&
        og_visa_first_own(units->visa->kernels.items[i]) > OG_VISA_FIRST_GENERAL) {
      og_error_in(diagnostics, units->file,
                  "kernel '%s' shares file-scope variables with function '%s', which is not executed", kernel->name,
                  units->visa->kernels.items[i]->name);
      return NULL;
    }
  struct og_vx_program *program = og_vx_decode(arena, units, unit_count, kernel, platform, zebin, diagnostics);
  if (program && zebin && !(program->layout = og_zebin_layout(arena, zebin, kernel->name, diagnostics)))
    return NULL;
  return program;
}

static bool prepare_check(struct og_arena *arena, struct og_vx_machine *m, size_t private_size) {
  if (m->dispatch->check)
    m->check = (struct og_vx_check){.arena = arena,
                                    .report = describe_finding,
                                    .context = m,
                                    .private_memory = m->private_memory,
                                    .private_size = private_size,
                                    .races = og_vx_races_new(arena, m->crew->count, m->thread_capacity)};
  return true;
}

static bool prepare_memory(struct og_arena *arena, struct og_vx_machine *m) {
  const struct og_vx_program *program = m->program;
  uint64_t slm = og_vx_slm_place(m, (int32_t)m->dispatch->argument_count) + (uint64_t)m->dispatch->extra_slm;
  if (slm > OG_VX_SLM_MOST)
    return og_vx_cannot_run(m, "%llu bytes of shared local memory do not exist; %d are the most that are executed",
                            (unsigned long long)slm, OG_VX_SLM_MOST);
  if (m->layout->scratch_size > OG_VX_SCRATCH_MOST)
    return og_vx_cannot_run(m, "it asks for %u bytes of scratch for a thread; %d are the most that are executed",
                            m->layout->scratch_size, OG_VX_SCRATCH_MOST);
  if (m->layout->private_size > OG_VX_PRIVATE_MOST)
    return og_vx_cannot_run(m, "it asks for %u bytes of private memory for a thread; %d are the most that are executed",
                            m->layout->private_size, OG_VX_PRIVATE_MOST);
  if (m->dispatch->count)
    m->runs = OG_NEW_ARRAY(arena, uint64_t, og_vx_count_size(program));
  m->group.slm_size = slm;
  m->group.slm = map_memory(m, slm + OG_VX_GUARD, "shared local memory");
  size_t private_size = PRIVATE + (size_t)m->layout->private_size * 1024;
  m->private_memory = m->group.slm ? map_memory(m, private_size, "private memory") : NULL;
  return m->private_memory && og_vx_bind_arguments(arena, m, private_size) && make_threads(m) &&
         prepare_check(arena, m, private_size);
}

static void add_statistics(struct og_visa_statistics *to, const struct og_visa_statistics *from) {
  to->instructions += from->instructions;
  to->threads += from->threads;
  to->groups += from->groups;
  _Static_assert(sizeof to->counts % sizeof(uint64_t) == 0, "counts are summed as 64-bit numbers");
  og_statistics_add(&to->counts, &from->counts, sizeof to->counts);
}

static void release(struct og_vx_machine *m) {
  for (uint32_t i = 0; m->threads && i < m->thread_capacity; i++)
    og_vx_unwind(&m->threads[i]);
  for (uint32_t i = 0; i < OG_COUNT(m->mappings) && m->mappings[i].base; i++) {
    og_vx_unguard(m->mappings[i].base, m->mappings[i].size);
    munmap(m->mappings[i].base, m->mappings[i].size);
  }
  og_vx_races_free(m->check.races);
}

/* Runs this thread and `count - 1` others. */
static void run_crew(struct og_arena *arena, struct og_vx_machine *machines, uint32_t count) {
  pthread_t *threads = OG_NEW_ARRAY(arena, pthread_t, count);
  uint32_t started = 1;
  while (started < count && pthread_create(&threads[started], NULL, run_groups, &machines[started]) == 0)
    started++;
  run_groups(&machines[0]);
  for (uint32_t i = 1; i < started; i++)
    pthread_join(threads[i], NULL);
}

/* Makes a buffer for printf if the kernel has one. */
static bool make_prints(struct og_vx_machine *m) {
  bool wanted = false;
  for (uint32_t i = 0; i < m->layout->payload.count; i++)
    wanted |= m->layout->payload.items[i].what == OG_VISA_PAYLOAD_PRINTF;
  if (!wanted)
    return true;
  m->crew->prints = calloc(1, OG_VISA_PRINT_BUFFER);
  if (!m->crew->prints)
    return og_vx_cannot_run(m, "not enough memory for what it prints");
  og_store32(m->crew->prints, OG_VISA_PRINT_FIRST);
  return true;
}

/* Work-groups must have the size for which the kernel was compiled, if it was compiled for one. */
static bool check_group(const struct og_vx_machine *m) {
  const uint32_t *required = m->layout->required_group;
  return required[0] == 0 || memcmp(required, m->dispatch->group, sizeof m->layout->required_group) == 0 ||
         og_error_in(m->diagnostics, m->program->file,
                     "kernel '%s': the kernel requires work-groups of %ux%ux%u items (required_work_group_size)",
                     m->program->kernel_name, required[0], required[1], required[2]);
}

bool og_visa_run(struct og_arena *arena, const struct og_vx_program *program, const struct og_visa_dispatch *dispatch,
                 struct og_visa_statistics *statistics, struct og_diagnostics *diagnostics) {
  struct og_vx_crew crew = {.count = 1, .lock = PTHREAD_MUTEX_INITIALIZER};
  bool countable = true;
  uint64_t items = 1;
  for (int i = 0; i < 3; i++) {
    countable &= !__builtin_mul_overflow(crew.count, (uint64_t)group_count(dispatch, i), &crew.count);
    items = OG_MIN(items, (uint64_t)OG_VX_ITEMS_MOST + 1) * dispatch->group[i];
  }
  bool alone = dispatch->trace || dispatch->check; /* one after the other */
  uint32_t workers = alone ? 1 : (uint32_t)OG_MIN((uint64_t)OG_MAX(dispatch->threads, 1u), crew.count);
  struct og_vx_machine *machines = OG_NEW_ARRAY(arena, struct og_vx_machine, workers), *m = &machines[0];
  *m = (struct og_vx_machine){
      .program = program, .dispatch = dispatch, .diagnostics = diagnostics, .layout = program->layout, .crew = &crew};
  m->simd = program->simd_size                              ? program->simd_size
            : program->layout && program->layout->simd_size ? program->layout->simd_size
                                                            : 1;
  m->group.concurrent = workers > 1;
  if (m->simd > OG_VX_CHANNELS)
    return og_vx_cannot_run(m, "SimdSize is larger than 32");
  if (!countable)
    return og_vx_cannot_run(m, "a grid of more than 2^64 work-groups");
  if (items > OG_VX_ITEMS_MOST)
    return og_vx_cannot_run(m, "a work-group has at most %d items", OG_VX_ITEMS_MOST);
  if (!m->layout && !(m->layout = og_visa_infer_layout(arena, program, dispatch, m->simd, diagnostics)))
    return false;
  if (!check_group(m))
    return false;
  bool fine = make_prints(m);
  for (uint32_t i = 0; fine && i < workers; i++) {
    if (i)
      machines[i] = (struct og_vx_machine){.program = program,
                                     .dispatch = dispatch,
                                     .diagnostics = diagnostics,
                                     .layout = m->layout,
                                     .crew = &crew,
                                     .simd = m->simd,
                                     .group.concurrent = true};
    fine = prepare_memory(arena, &machines[i]);
  }
  uint64_t start = og_clock();
  if (fine)
    run_crew(arena, machines, workers);
  statistics->seconds = (double)(og_clock() - start) * 1e-9;
  statistics->simd = m->simd;
  if (crew.prints && dispatch->printed)
    og_visa_printed(program->zebin, crew.prints, OG_VISA_PRINT_BUFFER, dispatch->printed);
  free(crew.prints);
  for (uint32_t i = 0; i < workers; i++) {
    add_statistics(statistics, &machines[i].statistics);
    release(&machines[i]);
  }
  return fine && !crew.failed && m->check.findings == 0;
}
