/* thread.c - the registers of a thread at its start, besides the arguments: the payload's first registers and the state
   registers, as tables of fields for each platform; names as in the manuals' thread payload. */
#include <string.h>

#include "visa/host/machine.h"

enum value {
  GROUP_X, GROUP_Y, GROUP_Z, /* of the grid */
  THREAD,                    /* number in its group */
  THREAD_LOW, THREAD_UNIT, THREAD_ABOVE, /* the same in parts, as hardware counts: 8 threads of a unit, 4 units, the
                                            rest */
  CHANNELS,                  /* those with which it was started */
  VALUES
};

/* Bits that belong to no field are 0: handles and pointers to state that a run does not need; and in R0.5 the place of
   the scratch, which each thread has for itself. */
struct field {
  const char *name;
  uint8_t first, last; /* platforms */
  uint8_t dword, low, bits;
  uint8_t value; /* enum value */
};
static const struct field r0[] = {
    {"Thread Group ID X", OG_VISA_SKL, OG_VISA_PVC, 1, 0, 32, GROUP_X},
    {"Local Thread ID", OG_VISA_DG2, OG_VISA_PVC, 2, 0, 8, THREAD}, /* within the group */
    {"FFTID", OG_VISA_SKL, OG_VISA_PVC, 5, 0, 10, THREAD},          /* of the threads under way */
    {"Thread Group ID Y", OG_VISA_SKL, OG_VISA_PVC, 6, 0, 32, GROUP_Y},
    {"Thread Group ID Z", OG_VISA_SKL, OG_VISA_PVC, 7, 0, 32, GROUP_Z},
};
/* Where the thread runs. Compilers take out the bits that are the same in all threads, and number the rest. */
static const struct field sr0[] = {
    {"TID", OG_VISA_SKL, OG_VISA_PVC, 0, 0, 4, THREAD_LOW},
    {"EUID", OG_VISA_SKL, OG_VISA_PVC, 0, 4, 3, THREAD_UNIT},
    {"Subslice ID", OG_VISA_SKL, OG_VISA_DG2, 0, 7, 25, THREAD_ABOVE},
    {"Subslice ID", OG_VISA_PVC, OG_VISA_PVC, 0, 8, 24, THREAD_ABOVE},
    {"Dispatch Mask", OG_VISA_SKL, OG_VISA_PVC, 2, 0, 32, CHANNELS},
};
static const struct field ce0[] = {{"Channel Enables", OG_VISA_SKL, OG_VISA_PVC, 0, 0, 32, CHANNELS}};

static void put_fields(const struct field *fields, size_t count, int platform, const uint32_t values[VALUES],
                       uint8_t *to) {
  for (size_t i = 0; i < count; i++) {
    const struct field *field = &fields[i];
    if (platform < field->first || platform > field->last)
      continue;
    uint32_t mask = field->bits == 32 ? ~0u : (1u << field->bits) - 1;
    uint8_t *word = to + 4 * field->dword;
    og_store32(word, og_load32(word) | (values[field->value] & mask) << field->low);
  }
}

/* Behind register 0, each from a new register on, with an element for each channel. */
static const struct {
  const char *name;
  uint8_t first, last; /* platforms */
  uint8_t bytes;       /* of an element */
  uint8_t dimension;
} local_ids[] = {
    {"Local ID X", OG_VISA_SKL, OG_VISA_PVC, 2, 0},
    {"Local ID Y", OG_VISA_SKL, OG_VISA_PVC, 2, 1},
    {"Local ID Z", OG_VISA_SKL, OG_VISA_PVC, 2, 2},
};

static void put_local_ids(struct og_vx_machine *m, const struct og_vx_group_shape *shape, uint32_t first) {
  uint32_t ids[3][OG_VX_CHANNELS], x = first % shape->size[0], y = first / shape->size[0] % shape->size[1],
                                   z = first / shape->size[0] / shape->size[1], at = m->program->grf_size;
  for (uint32_t i = 0; i < m->simd; i++) {
    ids[0][i] = x, ids[1][i] = y, ids[2][i] = z;
    if (++x == shape->size[0])
      x = 0, y++;
    if (y == shape->size[1])
      y = 0, z++;
  }
  for (size_t k = 0; k < OG_COUNT(local_ids); k++) {
    uint32_t size = (uint32_t)og_align_up((uint64_t)local_ids[k].bytes * m->simd, m->program->grf_size);
    if (m->program->platform < local_ids[k].first || m->program->platform > local_ids[k].last)
      continue;
    if (at + size > OG_MIN(m->cross_thread, (uint32_t)OG_VX_PAYLOAD_MOST)) /* the kernel uses none of these */
      return;
    for (uint32_t i = 0; i < m->simd; i++)
      memcpy(m->payload + at + local_ids[k].bytes * i, &ids[local_ids[k].dimension][i], local_ids[k].bytes);
    at += size;
  }
}

void og_vx_put_thread(struct og_vx_machine *m, const struct og_vx_group_shape *shape, uint32_t thread, uint32_t first,
                      uint32_t channels) {
  const struct og_vx_program *program = m->program;
  const uint32_t values[VALUES] = {[GROUP_X] = shape->id[0],      [GROUP_Y] = shape->id[1],
                                   [GROUP_Z] = shape->id[2],      [THREAD] = thread,
                                   [THREAD_LOW] = thread & 7,     [THREAD_UNIT] = thread >> 3 & 3,
                                   [THREAD_ABOVE] = thread >> 5,  [CHANNELS] = channels};
  memset(m->payload, 0, program->grf_size);
  put_fields(r0, OG_COUNT(r0), program->platform, values, m->payload);
  put_local_ids(m, shape, first);
  memset(m->state, 0, sizeof m->state);
  put_fields(sr0, OG_COUNT(sr0), program->platform, values, m->state[OG_VX_STATE_SR0]);
  put_fields(ce0, OG_COUNT(ce0), program->platform, values, m->state[OG_VX_STATE_CE0]);
}
