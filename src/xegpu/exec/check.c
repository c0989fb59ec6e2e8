/* check.c - what `check` finds besides accesses out of bounds: races between subgroups, and memory that is read before
 * anything has written it. For each byte of an allocation the last writer and reader are remembered. Barriers, also
 * named ones, order the subgroups of a work-group; nothing orders work-groups. A launch whose subgroups use atomics may
 * order its work-groups by these, so then nothing is reported about work-groups. Every report is a real mistake; not
 * every mistake is reported. */
#include "xegpu/exec/exec.h"

#include <stdlib.h>

struct visit {
  uint32_t launch, group, subgroup, phase; /* launch 0: there was none */
};
struct byte {
  struct visit write, read;
  bool written, atomic; /* atomic: the last write was an atomic */
};
struct og_xe_shadow {
  struct byte *bytes;
};

static struct og_xe_shadow *shadow_of(struct og_xe_memory *memory) {
  if (!memory->shadow) {
    memory->shadow = og_checked_realloc(NULL, sizeof *memory->shadow);
    memory->shadow->bytes = calloc(memory->size ? memory->size : 1, sizeof *memory->shadow->bytes);
  }
  return memory->shadow->bytes ? memory->shadow : NULL; /* too large to remember: nothing is reported */
}

void og_xe_forget(struct og_xe_memory *memory) {
  if (memory->shadow)
    free(memory->shadow->bytes);
  free(memory->shadow);
  memory->shadow = NULL;
}

/* Whether another subgroup of this launch has accessed it, and nothing orders that before this access. */
static bool unordered(const struct og_xe_thread *t, const struct visit *now, const struct visit *before) {
  if (before->launch != now->launch || !before->launch)
    return false;
  if (before->group != now->group)
    return !t->machine->atomics;
  return before->subgroup != now->subgroup && before->phase == now->phase;
}

static bool race(struct og_xe_thread *t, const struct og_xe_inst *i, const struct visit *before, const char *did,
                 const struct visit *now, uint64_t offset) {
  og_xe_fault(t, i, "races: byte %llu of the memory was %s by subgroup %u of %s%u without a barrier between",
              (unsigned long long)offset, did, before->subgroup,
              before->group == now->group ? "the same work-group, in phase " : "another work-group, number ",
              before->group == now->group ? before->phase : before->group - 1);
  return false;
}

bool og_xe_touch_checked(struct og_xe_thread *t, const struct og_xe_inst *i, struct og_xe_memory *memory,
                         const uint8_t *at, uint64_t size, enum og_xe_touch how) {
  struct og_xe_shadow *shadow = shadow_of(memory);
  uint64_t first = (uint64_t)(at - memory->data);
  struct visit now = {0};
  if (t->group)
    now = (struct visit){t->machine->launches, t->group->serial,
                         t->index / (t->frames[0].code->fragments ? OG_XE_SUBGROUP : 1), t->group->phase};
  if (how == OG_XE_ATOMIC)
    t->machine->atomics = true;
  for (uint64_t k = first; shadow && k < first + size; k++) {
    struct byte *b = &shadow->bytes[k];
    bool both_atomic = how == OG_XE_ATOMIC && b->atomic;
    if (how != OG_XE_WRITE && memory->owned && !b->written && !memory->filled)
      return og_xe_fault(t, i, "reads byte %llu of memory that nothing wrote", (unsigned long long)k), false;
    if (t->group && !both_atomic && unordered(t, &now, &b->write))
      return race(t, i, &b->write, "written", &now, k);
    if (t->group && how != OG_XE_READ && !both_atomic && unordered(t, &now, &b->read))
      return race(t, i, &b->read, "read", &now, k);
    if (how != OG_XE_READ) {
      b->written = true;
      b->atomic = how == OG_XE_ATOMIC;
      b->write = now;
    }
    if (how == OG_XE_READ)
      b->read = now;
  }
  return true;
}
