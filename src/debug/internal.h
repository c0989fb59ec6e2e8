/* internal.h - what the debugger's own thread and the dispatch's share. */
#ifndef OG_DEBUG_INTERNAL_H
#define OG_DEBUG_INTERNAL_H

#include <pthread.h>

#include "debug/debug.h"
#include "debug/lines.h"
#include "runtime/snapshot.h"

enum og_debug_state { OG_DEBUG_IDLE, OG_DEBUG_RUNS, OG_DEBUG_STANDS };

/* A change by the user, before the instruction of that position. */
struct og_debug_change {
  uint64_t position;
  struct og_wave_name wave; /* in focus then */
  struct og_watched what;
  uint8_t bytes[8];
};

/* What the dispatch is to do, and what is found out on the way. */
struct og_debug_plan {
  enum og_step step;
  bool over;
  struct og_wave_name focus;
  bool pending;        /* its next instruction is the one it stands at already */
  uint64_t until;      /* stops there; UINT64_MAX: nowhere */
  bool back;           /* notes where it would stop before `until`, and stops only there */
  struct og_line line; /* OG_STEP_LINE: the one to leave */
  uint64_t return_pc;  /* of a call that is stepped over; 0: none */
  /* back: */
  bool found;
  uint64_t found_at, run_start;
  bool run_known;
  uint32_t found_number;
  enum og_stop_kind found_kind;
};

struct og_debug {
  struct og_debug_target target;
  struct og_arena *arena;
  struct og_observer observer;
  struct og_snapshot *snapshot;
  struct og_lines *lines;
  uint64_t position; /* instructions begun */
  uint8_t *marks;    /* by word of the code: breakpoints there */
  size_t words;
  int paused;           /* atomic */
  pthread_mutex_t lock; /* for `state` and `kill`; the thread in control owns the rest */
  pthread_cond_t changed;
  enum og_debug_state state;
  bool kill;
  bool in_hook; /* stands before an instruction of the wave `hooked`, not at a barrier or fault */
  struct og_wave_name hooked;
  pthread_t thread;
  bool has_thread;
  struct og_debug_plan plan;
  struct og_stop stop;
  struct og_wave_name focus;
  struct og_wave *wave; /* of that name; NULL: not resident */
  unsigned lane;
  OG_VECTOR(struct og_group *) groups;
  struct og_wave_name last_wave; /* who executed the instruction before, and where it stands */
  uint64_t last_pc;
  OG_VECTOR(struct og_breakpoint) breakpoints;
  OG_VECTOR(struct og_watchpoint) watchpoints;
  OG_VECTOR(struct og_debug_change) changes;
  uint32_t numbers; /* given out */
  bool watching;    /* there are watchpoints */
};

/* observe.c */
void og_debug_see_accesses(struct og_debug *debug);
void og_debug_observer(struct og_debug *debug); /* fills it in */
void og_debug_begin(struct og_debug *debug);    /* before a dispatch starts */
struct og_wave *og_debug_find_wave(const struct og_debug *debug, struct og_wave_name name);
bool og_watched_read(const struct og_debug *debug, const struct og_watched *what, uint8_t *bytes);
bool og_watched_write(const struct og_debug *debug, const struct og_watched *what, const void *bytes);
/* Whether the condition holds for a lane that is on; one that cannot be found out does. (expression.c) */
bool og_debug_holds(struct og_debug *debug, struct og_wave *wave, const char *condition);

static inline struct og_wave_name og_wave_name(const struct og_wave *wave) {
  return (struct og_wave_name){wave->group->index, wave->id};
}
/* Where an address of loaded code stands in the file, as debug information counts. */
static inline uint64_t og_file_address(const struct og_debug *debug, uint64_t pc) {
  return pc - debug->target.executable->start;
}
static inline bool og_is_wave(const struct og_wave *wave, struct og_wave_name name) {
  return wave->id == name.wave && wave->group->index == name.group;
}

#endif
