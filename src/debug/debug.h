/* debug.h - a debugger of kernels: a dispatch that can be stopped anywhere, looked at, changed, and taken back.
 *
 * The dispatch runs in a thread of its own and stands still while the debugger's thread is in control: an observer
 * (observe.c) waits at each stop. A dispatch of one thread is a function of its memory and its clock, and
 * both are given: so the n-th instruction is always the same one, and going back is running again up to an earlier
 * one. */
#ifndef OG_DEBUG_H
#define OG_DEBUG_H

#include "exec/state.h"
#include "runtime/loader.h"
#include "runtime/runtime.h"

struct og_debug;

/* ---- what is debugged -------------------------------------------------------------------------------------------- */

/* All of it stays the caller's and outlives the debugger. */
struct og_debug_target {
  struct og_runtime *runtime;
  struct og_queue *queue; /* of one packet: then packets stand at the same place whenever the dispatch runs */
  struct og_executable *executable;
  const struct og_kernel *kernel;
  const struct og_extent *extent;
  const void *kernarg;
  uint32_t group_bytes;
  struct og_run_options options; /* for the order of waves */
};

/* NULL: memory is short. Nothing runs yet. */
struct og_debug *og_debug_new(const struct og_debug_target *target);
void og_debug_free(struct og_debug *debug); /* ends what runs */
const struct og_debug_target *og_debug_target(const struct og_debug *debug);

/* ---- where it stands --------------------------------------------------------------------------------------------- */

enum og_stop_kind {
  OG_STOP_NONE,       /* not started yet */
  OG_STOP_STEP,       /* it came to where it was sent */
  OG_STOP_BREAKPOINT, /* .number */
  OG_STOP_WATCHPOINT, /* .number */
  OG_STOP_PAUSE,      /* og_debug_pause() */
  OG_STOP_FAULT,      /* .fault; the wave stands at the instruction */
  OG_STOP_BEGIN,      /* going back came to the beginning */
  OG_STOP_ENDED,      /* the dispatch is over; .record */
};

struct og_stop {
  enum og_stop_kind kind;
  uint32_t number;
  uint64_t old_pc; /* of a watchpoint: the instruction that changed or touched it */
  struct og_fault fault;
  struct og_dispatch_record record;
  bool focus_ended; /* the wave that was stepped has ended */
};

/* A wave by its place in the grid, which stays whatever runs. */
struct og_wave_name {
  uint32_t group, wave;
};

const struct og_stop *og_debug_stop(const struct og_debug *debug);
bool og_debug_alive(const struct og_debug *debug);        /* a dispatch has begun and not ended */
uint64_t og_debug_position(const struct og_debug *debug); /* instructions begun before this one */
/* The wave that commands mean; NULL: none is resident. */
struct og_wave *og_debug_wave(const struct og_debug *debug);
bool og_debug_focus(struct og_debug *debug, struct og_wave_name name); /* false: it is not resident */
unsigned og_debug_lane(const struct og_debug *debug);
bool og_debug_set_lane(struct og_debug *debug, unsigned lane); /* false: waves have no such lane */
uint32_t og_debug_group_count(const struct og_debug *debug);
struct og_group *og_debug_group(const struct og_debug *debug, uint32_t i); /* resident ones, in the order of coming */
/* Where a wave stands; what it executes next. */
uint64_t og_debug_pc(const struct og_debug *debug, const struct og_wave *wave);

/* ---- going on and back ------------------------------------------------------------------------------------------- */

enum og_step {
  OG_RUN,              /* to a breakpoint, watchpoint, fault or the end, as all of these may stop earlier */
  OG_STEP_INSTRUCTION, /* the wave's next one */
  OG_STEP_LINE,        /* to another line of the wave's */
  OG_STEP_WAVE,        /* to where another wave goes on */
  OG_STEP_BARRIER,     /* to where the wave's group stands at a barrier */
};
/* Starts the dispatch where it does not run. `over`: calls count as one instruction. Yields once it stands again. */
const struct og_stop *og_debug_go(struct og_debug *debug, enum og_step step, bool over);
/* The same backwards. */
const struct og_stop *og_debug_go_back(struct og_debug *debug, enum og_step step);
/* Anew, from the memory it first had, up to the instruction of that position. */
const struct og_stop *og_debug_restart(struct og_debug *debug, uint64_t position);
/* Ends the dispatch. */
void og_debug_kill(struct og_debug *debug);
/* By any thread, or a signal handler: what runs stops soon. */
void og_debug_pause(struct og_debug *debug);
void og_debug_forget_pause(struct og_debug *debug); /* that came while nothing ran */

/* ---- breakpoints and watchpoints --------------------------------------------------------------------------------- */

struct og_breakpoint {
  uint32_t number; /* 0: deleted */
  bool enabled, temporary;
  uint64_t hits, ignore; /* ignore: so many hits do not stop */
  const char *where;     /* as it was given */
  const char *condition; /* or NULL */
  uint32_t *words;       /* of the code */
  uint32_t word_count;
};

/* What is watched: registers of a wave, LDS of a group or scratch of a lane, or global memory. */
struct og_watched {
  bool is_register;
  struct og_register reg;
  bool one_lane;
  enum og_space space;
  unsigned lane;
  struct og_wave_name owner;
  uint64_t address;
  uint32_t size; /* bytes, up to OG_WATCH_MOST */
};
enum { OG_WATCH_MOST = 4 * OG_LANES };

struct og_watchpoint {
  uint32_t number;
  bool enabled;
  int access; /* 0: changes; else OG_ACCESS_*, by any instruction */
  const char *text, *condition;
  struct og_watched what;
  uint64_t hits;
  bool valid; /* `now` is what it holds */
  uint8_t now[OG_WATCH_MOST], old[OG_WATCH_MOST];
  uint8_t touched_lane; /* of `access` */
  bool touched;
};

/* At places of the code, by their addresses. The texts are copied. */
struct og_breakpoint *og_debug_break(struct og_debug *debug, const char *where, const uint64_t *pcs, uint32_t count,
                                     const char *condition, bool temporary);
struct og_watchpoint *og_debug_watch(struct og_debug *debug, const char *text, const struct og_watched *what,
                                     int access, const char *condition);
struct og_breakpoint *og_debug_breakpoint(struct og_debug *debug, uint32_t i); /* NULL behind the last one */
struct og_watchpoint *og_debug_watchpoint(struct og_debug *debug, uint32_t i);
bool og_debug_delete(struct og_debug *debug, uint32_t number); /* false: there is none */
bool og_debug_enable(struct og_debug *debug, uint32_t number, bool enabled);
void og_debug_condition(struct og_debug *debug, struct og_breakpoint *breakpoint, const char *condition);

/* A change that the user makes: noted, so that it is made again where the dispatch is run again up to here. False: it
 * cannot be. */
bool og_debug_change(struct og_debug *debug, const struct og_watched *what, const void *bytes);

#endif
