/* machine.h - what the files that run a vISA dispatch share: a host thread's machine, and its kernel's payload. */
#ifndef OG_VISA_RUN_MACHINE_H
#define OG_VISA_RUN_MACHINE_H

#include <pthread.h>

#include "visa/exec/check.h"
#include "visa/infer/infer.h"
#include "visa/run.h"

/* What a file may ask for, in bytes. Hardware has less: 2 MB of scratch, 128 KB of shared local memory. */
enum {
  OG_VX_PAYLOAD_MOST = 1 << 14,
  OG_VX_SLM_MOST = 1 << 24,
  OG_VX_SCRATCH_MOST = 1 << 22, /* of a thread */
  OG_VX_PRIVATE_MOST = 1 << 22, /* of a thread */
  OG_VX_ITEMS_MOST = 1 << 12    /* of a work-group */
};
#define OG_VX_THREADS_MOST (1ull << 32) /* for all threads of a group together */

enum { OG_VX_STATE_SR0, OG_VX_STATE_CE0, OG_VX_STATES, OG_VX_STATE_BYTES = 16 };

/* Host threads that share the groups, each with a machine of its own. */
struct og_vx_crew {
  uint64_t next, count; /* groups, in order */
  bool failed;
  pthread_mutex_t lock; /* of the diagnostics */
  uint8_t *prints;      /* the buffer of printf, or NULL where the kernel has none */
};

/* A group, cut off where the grid ends. */
struct og_vx_group_shape {
  uint64_t index;
  uint32_t id[3], size[3], items;
};

/* Zeroed pages from the system, which are there once they are touched. */
struct og_vx_mapping {
  uint8_t *base;
  size_t size;
};

struct og_vx_machine {
  const struct og_vx_program *program;
  const struct og_visa_dispatch *dispatch;
  const struct og_visa_layout *layout;
  struct og_diagnostics *diagnostics;
  struct og_vx_group group;
  struct og_vx_thread *threads;
  uint32_t thread_capacity;
  struct og_vx_mapping mappings[3]; /* all that threads hold, private memory, shared local memory */
  uint8_t *private_memory;
  uint8_t payload[OG_VX_PAYLOAD_MOST]; /* of the thread that starts, register 0 first */
  uint8_t state[OG_VX_STATES][OG_VX_STATE_BYTES]; /* and what stands in its state registers */
  uint32_t cross_thread; /* where arguments begin */
  uint32_t simd;
  uint64_t credit; /* operations until the next look at the clock */
  struct og_visa_statistics statistics;
  uint64_t *runs; /* exec/count.h; NULL when nothing is counted */
  struct og_vx_crew *crew;
  struct og_vx_check check;        /* when the dispatch asks for it */
  const struct og_vx_group_shape *shape; /* of the group that runs */
};

/* ---- payload.c ----------------------------------------------------------------------------------------------- */

/* "kernel '...': message"; false. */
bool og_vx_cannot_run(struct og_vx_machine *m, const char *format, ...) OG_PRINTF(2, 3);
/* Where a shared local memory argument begins; how much there is in all for one after the last. */
uint64_t og_vx_slm_place(const struct og_vx_machine *m, int32_t argument);
/* Puts the arguments where the kernel expects them: payload, surfaces, samplers and memory that it may reach. */
bool og_vx_bind_arguments(struct og_arena *arena, struct og_vx_machine *m, size_t private_size);
/* What differs from group to group. */
void og_vx_put_local_size(struct og_vx_machine *m, const uint32_t size[3]);

/* ---- thread.c ------------------------------------------------------------------------------------------------ */

/* What differs from thread to thread: into the payload and `state`. */
void og_vx_put_thread(struct og_vx_machine *m, const struct og_vx_group_shape *shape, uint32_t thread, uint32_t first,
                      uint32_t channels);

#endif
