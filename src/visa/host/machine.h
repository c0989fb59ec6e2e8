/* machine.h - shared by the files that run a vISA dispatch: the machine of a host thread, and its kernel's payload. */
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

/* Host threads that divide the groups among them, each with its own machine. */
struct og_vx_crew {
  uint64_t next, count; /* next: the next group */
  bool failed;
  pthread_mutex_t lock; /* for diagnostics */
  uint8_t *prints;      /* the buffer of printf, or NULL where the kernel has none */
};

/* The size of a group, less where the grid ends. */
struct og_vx_group_shape {
  uint64_t index;
  uint32_t id[3], size[3], items;
};

/* Zeroed pages of the system, which take memory once they are touched. */
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
  uint8_t payload[OG_VX_PAYLOAD_MOST]; /* of the thread that starts, from register 0 on */
  uint8_t state[OG_VX_STATES][OG_VX_STATE_BYTES]; /* and the contents of its state registers */
  uint32_t cross_thread; /* where arguments begin */
  uint32_t simd;
  uint64_t credit; /* operations until the next look at the clock */
  struct og_visa_statistics statistics;
  uint64_t *runs; /* exec/count.h; NULL when nothing is counted */
  struct og_vx_crew *crew;
  struct og_vx_check check;        /* used if the dispatch asks for it */
  const struct og_vx_group_shape *shape; /* of the group that is running */
};

/* ---- payload.c ----------------------------------------------------------------------------------------------- */

/* Reports "kernel '...': message"; returns false. */
bool og_vx_cannot_run(struct og_vx_machine *m, const char *format, ...) OG_PRINTF(2, 3);
/* Where a shared local memory argument begins; for one more than there are, how much there is in all. */
uint64_t og_vx_slm_place(const struct og_vx_machine *m, int32_t argument);
/* Puts the arguments where the kernel expects them: in the payload, as surfaces and samplers, and as memory that it may
 * access. */
bool og_vx_bind_arguments(struct og_arena *arena, struct og_vx_machine *m, size_t private_size);
/* Sets what is different in each group. */
void og_vx_put_local_size(struct og_vx_machine *m, const uint32_t size[3]);

/* ---- thread.c ------------------------------------------------------------------------------------------------ */

/* Sets what is different in each thread, in the payload and in `state`. */
void og_vx_put_thread(struct og_vx_machine *m, const struct og_vx_group_shape *shape, uint32_t thread, uint32_t first,
                      uint32_t channels);

#endif
