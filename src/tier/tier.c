/* tier.c - which blocks are compiled, and when: counters in the place of their first operations' handlers, and compiled
 * code in the place of the counters. The replaced handlers are kept. */
#include "tier/tier.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/host.h"
#include "exec/program.h"
#include "tier/unit.h"

#if defined __x86_64__

enum {
  WATCHED_MOST = OG_ITEMS_MOST, /* operations that are looked at */
  ANEW = 3,                     /* times a block is compiled, the last of which for all that may come */
  CODE_MEMORY = 8 << 20, /* of a program; pages come when touched */
};

/* As handlers are; its operation is known. */
typedef og_handler compiled;

/* Of each word of the code, should a block begin there. */
struct leader {
  og_handler *plain; /* what the operation did */
  compiled *code;
  uint32_t count;
  uint32_t misses[OG_MISSES]; /* of what its code foresaw */
  uint32_t missed; /* how often the interpreter did what the code does not */
  uint32_t mode;   /* for which the code holds, if */
  bool keyed, marked;
  uint8_t seen, compiled; /* OG_SEEN_* where the operation began; times */
};

/* How often a block is begun before it is compiled, once in `watched` of which EXEC is looked at; how often what it has
 * no code for comes before it is compiled anew. */
struct patience {
  uint32_t enough, watched, missed;
};
static const struct patience patiences[] = {
    [OG_COMPILE_HOT] = {64, 8, 32}, [OG_COMPILE_ALWAYS] = {1, 1, 1}, [OG_COMPILE_SEEN] = {2, 1, 2}};

struct og_tier {
  struct og_compiler compiler;
  pthread_mutex_t lock;   /* of all that follows but leaders, which are the program's lock's until they are published */
  struct og_unit *unit;   /* room to compile in */
  uint8_t *written, *run; /* the same pages, to be written and to be run */
  size_t used;
  struct leader *leaders;
  struct patience patience;
};

static og_handler count_block, run_block;

static struct leader *leader_of(const struct og_program *program, const struct og_operation *op) {
  return &program->tier->leaders[op - program->operations];
}

/* Whether a block's code is what the operation does now: itself, or behind a look at the mode. */
static bool is_compiled(const struct og_program *program, og_handler *handler) {
  return handler == run_block || og_is_compiled(&program->tier->compiler, handler);
}

og_handler *og_tier_plain(const struct og_program *program, const struct og_operation *op) {
  og_handler *handler = og_handler_of(op);
  return handler == count_block || is_compiled(program, handler) ? leader_of(program, op)->plain : handler;
}

bool og_tier_is_leader(const struct og_program *program, const struct og_operation *op) {
  return op < program->operations + program->words &&
         __atomic_load_n(&leader_of(program, op)->marked, __ATOMIC_RELAXED);
}

unsigned og_tier_seen(const struct og_program *program, const struct og_operation *op) {
  return __atomic_load_n(&leader_of(program, op)->seen, __ATOMIC_RELAXED);
}

static void see(const struct og_wave *wave, const struct og_operation *op) {
  struct leader *leader = leader_of(wave->program, op);
  uint64_t all = wave->wave_size == 32 ? UINT32_MAX : UINT64_MAX;
  uint8_t now = og_exec(wave) == all ? OG_SEEN_FULL : OG_SEEN_PARTLY;
  uint8_t seen = __atomic_load_n(&leader->seen, __ATOMIC_RELAXED);
  if (!(seen & now)) /* of two threads' one may be lost until it is seen again */
    __atomic_store_n(&leader->seen, seen | now, __ATOMIC_RELAXED);
}

static void set_handler(const struct og_program *program, const struct og_operation *op, og_handler *handler) {
  __atomic_store_n(&program->operations[op - program->operations].handler, handler, __ATOMIC_RELEASE);
}

/* ---- leaders: under the program's lock --------------------------------------------------------------------------- */

static void count_from_now(struct og_program *program, const struct og_operation *op) {
  struct leader *leader = leader_of(program, op);
  if (leader->plain || !og_handler_of(op))
    return;
  leader->plain = og_handler_of(op);
  set_handler(program, op, count_block);
}

static void mark(struct og_program *program, const struct og_operation *op) {
  if (op < program->operations || op >= program->operations + program->words)
    return;
  __atomic_store_n(&leader_of(program, op)->marked, true, __ATOMIC_RELAXED);
  count_from_now(program, op);
}

static void decoded(struct og_program *program, const struct og_operation *op) {
  if (leader_of(program, op)->marked)
    count_from_now(program, op);
  if (op->class == OG_CLASS_BRANCH && op->detail)
    mark(program, op->detail);
}

static void reached(struct og_program *program, const struct og_operation *op) {
  if (is_compiled(program, og_handler_of(op))) /* most often, and nothing else need be looked at */
    return;
  if (op < program->operations || op >= program->operations + program->words ||
      __atomic_load_n(&leader_of(program, op)->marked, __ATOMIC_RELAXED))
    return;
  pthread_mutex_lock(&program->lock->mutex);
  mark(program, op);
  pthread_mutex_unlock(&program->lock->mutex);
}

/* ---- what was compiled ------------------------------------------------------------------------------------------- */

static struct og_tier_totals totals; /* atomic */

struct og_tier_totals og_tier_totals(void) {
  return (struct og_tier_totals){__atomic_load_n(&totals.blocks, __ATOMIC_RELAXED),
                                 __atomic_load_n(&totals.operations, __ATOMIC_RELAXED),
                                 __atomic_load_n(&totals.bytes, __ATOMIC_RELAXED),
                                 __atomic_load_n(&totals.nanoseconds, __ATOMIC_RELAXED)};
}

static void add_to_totals(const struct og_unit *unit, bool fine, uint64_t began) {
  __atomic_add_fetch(&totals.blocks, fine, __ATOMIC_RELAXED);
  __atomic_add_fetch(&totals.operations, fine ? unit->emitted : 0, __ATOMIC_RELAXED);
  __atomic_add_fetch(&totals.bytes, fine ? unit->code.at : 0, __ATOMIC_RELAXED);
  __atomic_add_fetch(&totals.nanoseconds, og_clock() - began, __ATOMIC_RELAXED);
}

/* ---- compiling --------------------------------------------------------------------------------------------------- */

/* The code, where it can be run; NULL: there is no room. */
static compiled *place(struct og_tier *tier, const struct og_encoder *code) {
  size_t at = og_align_up(tier->used, 64);
  if (CODE_MEMORY - at < code->at)
    return NULL;
  memcpy(tier->written + at, code->bytes, code->at);
  tier->used = at + code->at;
  union {
    uint8_t *bytes;
    compiled *code;
  } place = {tier->run + at};
  return place.code;
}

static void free_unit(struct og_unit *unit) {
  free(unit->scratch);
  free(unit->nan_orders);
  free(unit->code.bytes);
  free(unit);
}

static bool make_unit(struct og_tier *tier) {
  if (tier->unit)
    return true;
  struct og_unit *unit = calloc(1, sizeof *unit);
  if (!unit)
    return false;
  unit->code.bytes = malloc(OG_CODE_ROOM);
  unit->scratch = aligned_alloc(64, og_align_up(sizeof *unit->scratch, 64));
  unit->nan_orders = calloc(OG_SHAPES * og_vector_row_count, sizeof *unit->nan_orders);
  if (!unit->code.bytes || !unit->scratch || !unit->nan_orders) {
    free_unit(unit);
    return false;
  }
  unit->eager = tier->patience.enough == 1;
  unit->fma_forms = og_fma_forms_agree();
  unit->code.wide = og_host_level() >= OG_HOST_AVX512;
  memset(unit->scratch, 0, offsetof(struct og_wave, v));
  unit->scratch->wave_size = OG_LANES;
  memset(unit->scratch->lanes, 0xff, sizeof unit->scratch->lanes);
  tier->unit = unit;
  return true;
}

/* Code of the block where it can be run, or NULL; with the lock held. What others read while it is compiled anew stays
 * as it is: mode, and whether code depends on it. */
static compiled *make_code(struct og_tier *tier, struct leader *leader, struct og_wave *wave,
                           const struct og_operation *op) {
  bool first = !leader->code;
  uint64_t began = og_clock();
  if (!make_unit(tier))
    return NULL;
  tier->unit->misses = leader->misses;
  tier->unit->complete = tier->unit->eager || leader->compiled + 1 == ANEW;
  bool fine = og_compile_block(tier->unit, wave, op) && (first || leader->keyed || !tier->unit->keyed);
  compiled *code = fine ? place(tier, &tier->unit->code) : NULL;
  if (code && first) {
    leader->mode = wave->mode;
    leader->keyed = tier->unit->keyed;
  }
  add_to_totals(tier->unit, code != NULL, began);
  return code;
}

static void compile(struct og_wave *wave, const struct og_operation *op) {
  struct og_program *program = wave->program;
  struct og_tier *tier = program->tier;
  struct leader *leader = leader_of(program, op);
  if (pthread_mutex_trylock(&tier->lock) != 0)
    return; /* another thread compiles: next time */
  uint32_t missed = __atomic_load_n(&leader->missed, __ATOMIC_RELAXED);
  bool anew = leader->code && missed >= tier->patience.missed && leader->mode == wave->mode;
  if (og_tier_plain(program, op) == leader->plain && (!leader->code || anew)) {
    compiled *code = make_code(tier, leader, wave, op);
    if (code) {
      __atomic_store_n(&leader->code, code, __ATOMIC_RELEASE);
      reached(program, tier->unit->next);
    }
    __atomic_store_n(&leader->missed, 0, __ATOMIC_RELAXED);
    leader->compiled = code ? leader->compiled + 1 : ANEW;
    set_handler(program, op, !leader->code ? leader->plain : leader->keyed ? run_block : leader->code);
  }
  pthread_mutex_unlock(&tier->lock);
}

static const struct og_operation *run_block(struct og_wave *wave, const struct og_operation *op) {
  const struct leader *leader = leader_of(wave->program, op);
  if (__builtin_expect(leader->mode != wave->mode, 0))
    return leader->plain(wave, op);
  return __atomic_load_n(&leader->code, __ATOMIC_ACQUIRE)(wave, op);
}

void og_tier_missed(struct og_wave *wave, const struct og_operation *op, const struct og_operation *start) {
  const struct og_program *program = wave->program;
  struct leader *leader = leader_of(program, start);
  see(wave, op);
  uint32_t missed = __atomic_add_fetch(&leader->missed, 1, __ATOMIC_RELAXED);
  if (missed < program->tier->patience.missed || pthread_mutex_trylock(&program->tier->lock) != 0)
    return;
  if (leader->compiled < ANEW && is_compiled(program, og_handler_of(start)))
    set_handler(program, start, count_block);
  pthread_mutex_unlock(&program->tier->lock);
}

/* The interpreter, which looks at EXEC before each operation, until the block or a part of it is left. */
static const struct og_operation *watch_block(struct og_wave *wave, const struct og_operation *op) {
  const struct og_program *program = wave->program;
  for (unsigned i = 0; i < WATCHED_MOST; i++) {
    see(wave, op);
    op = og_tier_plain(program, op)(wave, op);
    if ((size_t)(op - program->operations) >= program->words || !og_handler_of(op) ||
        og_handler_of(op) != og_tier_plain(program, op))
      break;
  }
  return op;
}

static const struct og_operation *count_block(struct og_wave *wave, const struct og_operation *op) {
  struct leader *leader = leader_of(wave->program, op);
  uint32_t count = __atomic_load_n(&leader->count, __ATOMIC_RELAXED) + 1;
  __atomic_store_n(&leader->count, count, __ATOMIC_RELAXED);
  const struct patience *patience = &wave->program->tier->patience;
  if (count >= patience->enough) {
    compile(wave, op);
    og_handler *handler = og_handler_of(op);
    if (is_compiled(wave->program, handler))
      return handler(wave, op);
  }
  compiled *code = __atomic_load_n(&leader->code, __ATOMIC_ACQUIRE);
  if (code && (!leader->keyed || leader->mode == wave->mode)) /* it is to be compiled anew */
    return code(wave, op);
  return count % patience->watched == 0 ? watch_block(wave, op) : leader->plain(wave, op);
}

/* ---- a program's tier -------------------------------------------------------------------------------------------- */

static size_t leaders_size(const struct og_program *program) { return (program->words + 1) * sizeof(struct leader); }

static void detach(struct og_program *program) {
  struct og_tier *tier = program->tier;
  if (tier->written)
    munmap(tier->written, CODE_MEMORY);
  if (tier->run)
    munmap(tier->run, CODE_MEMORY);
  if (tier->leaders)
    munmap(tier->leaders, leaders_size(program));
  if (tier->unit)
    free_unit(tier->unit);
  pthread_mutex_destroy(&tier->lock);
  free(tier);
  program->tier = NULL;
}

static void *map(size_t size, int protection, int flags, int file) {
  void *memory = mmap(NULL, size, protection, flags, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Made before the sandbox is entered, in which no memory becomes executable. */
static bool make_code_memory(struct og_tier *tier) {
  int file = memfd_create("offgrid-code", MFD_CLOEXEC);
  if (file < 0)
    return false;
  if (ftruncate(file, CODE_MEMORY) == 0) {
    tier->written = map(CODE_MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, file);
    tier->run = map(CODE_MEMORY, PROT_READ | PROT_EXEC, MAP_SHARED, file);
  }
  close(file);
  return tier->written && tier->run;
}

static enum og_compile asked(void) {
  const char *text = getenv("OFFGRID_COMPILE");
  return !text || strcmp(text, "1") == 0 ? OG_COMPILE_HOT
         : strcmp(text, "always") == 0   ? OG_COMPILE_ALWAYS
         : strcmp(text, "seen") == 0     ? OG_COMPILE_SEEN
                                         : OG_COMPILE_NEVER;
}

void og_tier_attach(struct og_program *program, enum og_compile when) {
  when = when == OG_COMPILE_AS_ASKED ? asked() : when;
  if (when == OG_COMPILE_NEVER || og_host_level() < OG_HOST_AVX2)
    return;
  struct og_tier *tier = calloc(1, sizeof *tier);
  if (!tier)
    return;
  pthread_mutex_init(&tier->lock, NULL);
  tier->patience = patiences[when];
  program->tier = tier;
  tier->leaders = map(leaders_size(program), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (!tier->leaders || !make_code_memory(tier)) {
    detach(program);
    return;
  }
  tier->compiler = (struct og_compiler){decoded, reached, og_tier_plain, detach, tier->run, CODE_MEMORY};
  program->compiler = &tier->compiler;
}

#else

og_handler *og_tier_plain(const struct og_program *program, const struct og_operation *op) {
  (void)program;
  return op->handler;
}
bool og_tier_is_leader(const struct og_program *program, const struct og_operation *op) {
  (void)program, (void)op;
  return false;
}
unsigned og_tier_seen(const struct og_program *program, const struct og_operation *op) {
  (void)program, (void)op;
  return 0;
}
void og_tier_missed(struct og_wave *wave, const struct og_operation *op, const struct og_operation *start) {
  (void)wave, (void)op, (void)start;
}
void og_tier_attach(struct og_program *program, enum og_compile when) { (void)program, (void)when; }
struct og_tier_totals og_tier_totals(void) { return (struct og_tier_totals){0}; }

#endif
