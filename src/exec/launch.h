/* launch.h - what all waves of a dispatch have in common at their start. Internal to src/exec. */
#ifndef OG_LAUNCH_H
#define OG_LAUNCH_H

#include "exec/group.h"

struct og_launch {
  const struct og_dispatch *dispatch;
  const struct og_operation *entry;
  const struct og_initial_state *start; /* of the dispatch */
  uint32_t user[32];      /* what the packet processor fills */
  struct og_own_input { /* of those that differ from wave to wave: which, and the bits of the scalar file it is in */
    uint8_t input, bit;   /* enum og_wave_input */
    uint16_t scalar;
    uint32_t mask;
  } own[7];
  uint32_t own_count;
  struct og_wave *common; /* the machine's: what all waves find, but for vector registers and what is a wave's own; its
                             VGPRs have the work-items' numbers, one after the other, then ids (launch.c) */
  uint32_t id_rows;       /* VGPRs with ids of each wave of a whole work-group, there; 0: they are not */
  bool architected_scratch;
  uint8_t wave_size;
  uint32_t mode;
  uint32_t vgprs, agprs;  /* that the wave has and the executor holds: to be cleared */
  uint32_t gpr_alloc, lds_alloc; /* the hardware registers */
  uint32_t groups[3];
  uint32_t last_extent[3]; /* of the last group in each dimension */
  uint64_t group_count;
  uint32_t cluster[3];    /* work-groups in each dimension; 1 without clusters */
  uint32_t cluster_groups; /* in all */
  uint32_t waves_per_group;
  uint32_t lds_bytes;     /* of a work-group: granules of the processor */
  uint64_t wave_scratch;  /* bytes of scratch of a whole wave */
  uint8_t *scratch;       /* all waves' */
};

/* Checks what the dispatch asks for against the processor; false: *fault says what is wrong. */
bool og_launch_check(struct og_launch *launch, const struct og_dispatch *dispatch, struct og_fault *fault);
/* Fills in the VGPRs of what will be og_launch.common. */
void og_launch_numbers(struct og_wave *common);
/* Fills in the user SGPRs and *common but for that; scratch is known by now. */
void og_launch_registers(struct og_launch *launch, struct og_wave *common);
/* Whether the halves of its waves share VGPRs. */
bool og_launch_shares_vgprs(const struct og_launch *launch);
/* Sets the group up: which of the grid's it is, how many waves it has. Without clusters `index` is its place among the
 * grid's, x fastest; else that of its cluster among the clusters, and `flat` its own in that. */
void og_launch_group(const struct og_launch *launch, struct og_group *group, uint64_t index, uint32_t flat);
/* Registers of the group's wave `id` as its first instruction finds them; the group has the `place`-th place of
 * all, and the scratch of that. */
void og_launch_wave(const struct og_launch *launch, const struct og_group *group, uint32_t id, uint64_t place,
                    struct og_wave *wave);

#endif
