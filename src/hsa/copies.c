/* copies.c - copies and fills memory: at once, or after signals. Addresses are the host's or, for locked memory, those
 * that kernels use. */
#include <stdlib.h>
#include <string.h>

#include "hsa/internal.h"
#include "runtime/copy.h"

void *og_hsa_host_of(const void *address, size_t size) {
  struct og_hsa_range range;
  if (!og_hsa_range_find((uintptr_t)address, &range))
    return (void *)(uintptr_t)address;
  uint64_t offset = (uintptr_t)address - range.base;
  return size <= range.size - offset ? (uint8_t *)range.host + offset : NULL;
}

hsa_status_t hsa_memory_copy(void *to, const void *from, size_t size) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(size, HSA_STATUS_SUCCESS);
  OG_HSA_NEED_ARGUMENT(to && from);
  void *host_to = og_hsa_host_of(to, size);
  const void *host_from = og_hsa_host_of(from, size);
  OG_HSA_NEED_ARGUMENT(host_to && host_from);
  memmove(host_to, host_from, size);
  og_hsa_order_host("hsa_memory_copy of the host", host_to, host_from, size);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_fill(void *memory, uint32_t value, size_t count) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(count, HSA_STATUS_SUCCESS);
  OG_HSA_NEED_ARGUMENT(memory && (uintptr_t)memory % 4 == 0 && count <= SIZE_MAX / 4);
  uint32_t *to = og_hsa_host_of(memory, 4 * count);
  OG_HSA_NEED_ARGUMENT(to);
  for (size_t i = 0; i < count; i++)
    to[i] = value;
  og_hsa_order_host("hsa_amd_memory_fill of the host", to, NULL, 4 * count);
  return HSA_STATUS_SUCCESS;
}

/* ---- behind signals ---------------------------------------------------------------------------------------------- */

static void ends(const struct og_copy *copy, uint64_t start, uint64_t end, const struct og_signal *completion,
                 bool failed) {
  og_hsa_order_copy_ends(copy, completion, failed);
  if (failed || !og_hsa_profiles())
    return;
  og_hsa_profile(&(struct og_hsa_event){.name = copy->height * copy->depth > 1 ? "copy of a box" : "copy",
                                        .kind = "copy",
                                        .start = start,
                                        .end = end,
                                        .lane = UINT32_MAX,
                                        .bytes = copy->width * copy->height * copy->depth});
}

static struct og_copies *copies(void) {
  pthread_mutex_lock(&og_hsa.memory_lock);
  if (!og_hsa.copies)
    og_hsa.copies = og_copies_new(og_runtime_interrupts(og_hsa.runtime),
                                  &(struct og_copies_watch){og_hsa_order_copy_begins, ends});
  struct og_copies *made = og_hsa.copies;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return made;
}

hsa_status_t og_hsa_submit_copy(const struct og_copy *copy, uint32_t count, const hsa_signal_t *dependencies,
                                hsa_signal_t completion) {
  _Static_assert(sizeof(hsa_signal_t) == sizeof(struct og_signal *), "a signal's handle is its address");
  OG_HSA_NEED_ARGUMENT((count == 0) == (dependencies == NULL) || count == 0);
  for (uint32_t i = 0; i < count; i++)
    OG_HSA_NEED(dependencies[i].handle, HSA_STATUS_ERROR_INVALID_SIGNAL);
  struct og_copies *engine = copies();
  struct og_signal **signals = count ? malloc(count * sizeof *signals) : NULL;
  bool fine = engine && (signals || count == 0);
  for (uint32_t i = 0; fine && i < count; i++)
    signals[i] = (struct og_signal *)(uintptr_t)dependencies[i].handle;
  struct og_copy asked = *copy;
  asked.asked = fine ? og_hsa_order_copy() : NULL;
  fine = fine && og_copies_submit(engine, &asked, signals, count, (struct og_signal *)(uintptr_t)completion.handle);
  free(signals);
  return fine ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t hsa_amd_memory_async_copy(void *to, hsa_agent_t to_agent, const void *from, hsa_agent_t from_agent,
                                       size_t size, uint32_t count, const hsa_signal_t *dependencies,
                                       hsa_signal_t completion) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(to && from && (count == 0 || dependencies));
  OG_HSA_NEED(og_hsa_agent(to_agent) && og_hsa_agent(from_agent), HSA_STATUS_ERROR_INVALID_AGENT);
  struct og_copy copy = {og_hsa_host_of(to, size), og_hsa_host_of(from, size), size, 1, 1, 0, 0, 0, 0, NULL};
  OG_HSA_NEED_ARGUMENT(copy.to && copy.from);
  return og_hsa_submit_copy(&copy, count, dependencies, completion);
}

/* Where a box of bytes begins; *extent: how many bytes there are from its beginning to its end. false: the numbers are
 * too large. */
static bool box_at(const hsa_pitched_ptr_t *pointer, const hsa_dim3_t *offset, const hsa_dim3_t *range,
                   size_t *start, size_t *extent) {
  size_t rows, slices;
  bool fine = !__builtin_mul_overflow(pointer->pitch, (size_t)offset->y, &rows) &&
              !__builtin_mul_overflow(pointer->slice, (size_t)offset->z, &slices) &&
              !__builtin_add_overflow(rows, slices, start) && !__builtin_add_overflow(*start, (size_t)offset->x, start);
  return fine && !__builtin_mul_overflow(pointer->pitch, (size_t)range->y - 1, &rows) &&
         !__builtin_mul_overflow(pointer->slice, (size_t)range->z - 1, &slices) &&
         !__builtin_add_overflow(rows, slices, extent) && !__builtin_add_overflow(*extent, (size_t)range->x, extent);
}

static void *host_of_box(const hsa_pitched_ptr_t *pointer, const hsa_dim3_t *offset, const hsa_dim3_t *range) {
  size_t start, extent;
  return box_at(pointer, offset, range, &start, &extent) ? og_hsa_host_of((uint8_t *)pointer->base + start, extent)
                                                         : NULL;
}

/* Offsets and ranges are bytes in x, rows in y, slices in z. */
hsa_status_t hsa_amd_memory_async_copy_rect(const hsa_pitched_ptr_t *to, const hsa_dim3_t *to_offset,
                                            const hsa_pitched_ptr_t *from, const hsa_dim3_t *from_offset,
                                            const hsa_dim3_t *range, hsa_agent_t agent,
                                            hsa_amd_copy_direction_t direction, uint32_t count,
                                            const hsa_signal_t *dependencies, hsa_signal_t completion) {
  (void)direction;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(to && to_offset && from && from_offset && range && to->base && from->base &&
                       (count == 0 || dependencies));
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  struct og_copy copy = {.width = range->x, .height = range->y, .depth = range->z, .to_pitch = to->pitch,
                         .to_slice = to->slice, .from_pitch = from->pitch, .from_slice = from->slice};
  if (range->x && range->y && range->z) {
    copy.to = host_of_box(to, to_offset, range);
    copy.from = host_of_box(from, from_offset, range);
    OG_HSA_NEED_ARGUMENT(copy.to && copy.from);
  }
  return og_hsa_submit_copy(&copy, count, dependencies, completion);
}

/* Memory stays where it is; the call only orders signals. */
hsa_status_t hsa_amd_svm_prefetch_async(void *memory, size_t size, hsa_agent_t agent, uint32_t count,
                                        const hsa_signal_t *dependencies, hsa_signal_t completion) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(memory && size && (count == 0 || dependencies));
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED(og_hsa_note_prefetch(memory, size, agent), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  return og_hsa_submit_copy(&(struct og_copy){0}, count, dependencies, completion);
}
