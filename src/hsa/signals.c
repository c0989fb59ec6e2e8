/* signals.c - makes and ends signals, waits for one of several, tells the times that they keep. */
#include <stdlib.h>

#include "hsa/internal.h"

static struct og_signal *object(hsa_signal_t handle) {
  return (struct og_signal *)(uintptr_t)handle.handle;
}

static bool is_user_signal(hsa_signal_t handle) {
  return __atomic_load_n(&object(handle)->kind, __ATOMIC_RELAXED) == OG_DOORBELL_VALUE;
}

void og_hsa_signal_store(struct og_signal *signal, int64_t value) {
  if (__atomic_load_n(&signal->kind, __ATOMIC_RELAXED) == OG_DOORBELL_VALUE)
    og_hsa_tells(signal, true), og_signal_store(signal, value);
  else
    og_hsa_ring(signal, value); /* its value is a pointer that a kernel may have changed: the list of queues counts */
}

/* ---- made and ended ---------------------------------------------------------------------------------------------- */

/* `interrupts`: a kernel that changes the signal also writes an event to the mailbox and interrupts the host. */
static hsa_status_t create(int64_t value, bool interrupts, hsa_signal_t *signal) {
  struct og_signal *made = og_signal_new(og_hsa.runtime, value);
  OG_HSA_NEED(made, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  if (interrupts) {
    made->event_mailbox = (uintptr_t)og_hsa.mailbox;
    made->event_id = 1;
  }
  signal->handle = (uintptr_t)made;
  return HSA_STATUS_SUCCESS;
}

static bool are_agents(uint32_t count, const hsa_agent_t *agents) {
  for (uint32_t i = 0; i < count; i++)
    if (!og_hsa_agent(agents[i]))
      return false;
  return true;
}

hsa_status_t hsa_signal_create(hsa_signal_value_t value, uint32_t consumer_count, const hsa_agent_t *consumers,
                               hsa_signal_t *signal) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(signal && (consumer_count == 0 || (consumers && are_agents(consumer_count, consumers))));
  return create(value, true, signal);
}

hsa_status_t hsa_amd_signal_create(hsa_signal_value_t value, uint32_t consumer_count, const hsa_agent_t *consumers,
                                   uint64_t attributes, hsa_signal_t *signal) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(signal && (consumer_count == 0 || (consumers && are_agents(consumer_count, consumers))));
  OG_HSA_NEED_ARGUMENT((attributes & ~(uint64_t)(HSA_AMD_SIGNAL_AMD_GPU_ONLY | HSA_AMD_SIGNAL_IPC)) == 0);
  if (!(attributes & HSA_AMD_SIGNAL_IPC))
    return create(value, !(attributes & HSA_AMD_SIGNAL_AMD_GPU_ONLY), signal);
  signal->handle = (uintptr_t)og_hsa_shared_signal(value); /* without a mailbox, which other processes do not have */
  return signal->handle ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t hsa_signal_destroy(hsa_signal_t signal) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(signal.handle);
  OG_HSA_NEED(is_user_signal(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
  og_hsa_forgets(object(signal));
  if (!og_hsa_shared_signal_end(object(signal)))
    og_signal_free(og_hsa.runtime, object(signal));
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t **pointer) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(pointer);
  OG_HSA_NEED(signal.handle && is_user_signal(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
  *pointer = &object(signal)->value;
  return HSA_STATUS_SUCCESS;
}

/* ---- one of several ---------------------------------------------------------------------------------------------- */

/* The index of the first signal whose condition holds; UINT32_MAX: none did in time. */
static uint32_t wait_any(uint32_t count, const hsa_signal_t *handles, const hsa_signal_condition_t *conditions,
                         const hsa_signal_value_t *compares, uint64_t timeout, hsa_signal_value_t *value) {
  struct og_interrupts *interrupts = og_runtime_interrupts(og_hsa.runtime);
  struct og_signal *few[16], **signals = count <= OG_COUNT(few) ? few : malloc(count * sizeof(struct og_signal *));
  int64_t few_seen[OG_COUNT(few)], *seen = count <= OG_COUNT(few) ? few_seen : malloc(count * sizeof *seen);
  uint32_t found = UINT32_MAX;
  struct og_waiter waiter = {0};
  for (uint32_t i = 0; signals && i < count; i++)
    signals[i] = object(handles[i]);
  for (bool more = signals && seen; more;) {
    uint32_t raised = __atomic_load_n(&interrupts->count, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < count && found == UINT32_MAX; i++) {
      seen[i] = og_signal_load(signals[i]);
      if (!og_condition_holds((enum og_condition)conditions[i], seen[i], compares[i]))
        continue;
      found = i;
      og_hsa_sees(signals[i]);
      if (value)
        *value = seen[i];
    }
    uint64_t passed = waiter.start ? og_clock() - waiter.start : 0;
    more = found == UINT32_MAX && passed < timeout;
    if (more)
      og_wait_once(&waiter, signals, seen, count, interrupts, raised, timeout - passed);
  }
  if (signals != few)
    free(signals);
  if (seen != few_seen)
    free(seen);
  return found;
}

uint32_t hsa_amd_signal_wait_any(uint32_t count, hsa_signal_t *signals, hsa_signal_condition_t *conditions,
                                 hsa_signal_value_t *values, uint64_t timeout, hsa_wait_state_t hint,
                                 hsa_signal_value_t *satisfying) {
  OG_HSA_CALL();
  (void)hint;
  if (!og_hsa_is_open() || !signals || !conditions || !values)
    return UINT32_MAX;
  return wait_any(count, signals, conditions, values, timeout, satisfying);
}

struct group {
  uint32_t count;
  hsa_signal_t signals[];
};

hsa_status_t hsa_signal_group_create(uint32_t count, const hsa_signal_t *signals, uint32_t consumer_count,
                                     const hsa_agent_t *consumers, hsa_signal_group_t *handle) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(count && signals && handle);
  OG_HSA_NEED_ARGUMENT(consumer_count == 0 || (consumers && are_agents(consumer_count, consumers)));
  struct group *group = malloc(sizeof *group + count * sizeof *signals);
  OG_HSA_NEED(group, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  group->count = count;
  for (uint32_t i = 0; i < count; i++)
    group->signals[i] = signals[i];
  handle->handle = (uintptr_t)group;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_group_destroy(hsa_signal_group_t group) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(group.handle, HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
  free((struct group *)(uintptr_t)group.handle);
  return HSA_STATUS_SUCCESS;
}

/* The call has no time limit. */
hsa_status_t hsa_signal_group_wait_any_scacquire(hsa_signal_group_t handle, const hsa_signal_condition_t *conditions,
                                                 const hsa_signal_value_t *values, hsa_wait_state_t hint,
                                                 hsa_signal_t *signal, hsa_signal_value_t *value) {
  (void)hint;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(handle.handle, HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
  OG_HSA_NEED_ARGUMENT(conditions && values && signal && value);
  const struct group *group = (const struct group *)(uintptr_t)handle.handle;
  uint32_t found = wait_any(group->count, group->signals, conditions, values, UINT64_MAX, value);
  OG_HSA_NEED(found < group->count, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  *signal = group->signals[found];
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_group_wait_any_relaxed(hsa_signal_group_t handle, const hsa_signal_condition_t *conditions,
                                               const hsa_signal_value_t *values, hsa_wait_state_t hint,
                                               hsa_signal_t *signal, hsa_signal_value_t *value) {
  return hsa_signal_group_wait_any_scacquire(handle, conditions, values, hint, signal, value);
}

/* ---- times: they are always taken, in ticks of the system's clock
 * --------------------------------------------------- */

hsa_status_t hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                 hsa_amd_profiling_dispatch_time_t *time) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED(signal.handle, HSA_STATUS_ERROR_INVALID_SIGNAL);
  OG_HSA_NEED_ARGUMENT(time);
  og_signal_times(object(signal), &time->start, &time->end);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_get_async_copy_time(hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t *time) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(signal.handle, HSA_STATUS_ERROR_INVALID_SIGNAL);
  OG_HSA_NEED_ARGUMENT(time);
  og_signal_times(object(signal), &time->start, &time->end);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_async_copy_enable(bool enable) {
  (void)enable;
  OG_HSA_NEED_OPEN();
  return HSA_STATUS_SUCCESS;
}

/* The agents' constant clock counts 100 MHz of the same time. */
hsa_status_t hsa_amd_profiling_convert_tick_to_system_domain(hsa_agent_t agent, uint64_t tick, uint64_t *system) {
  enum { NANOSECONDS_PER_TICK = 10 };
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(system);
  *system = tick * NANOSECONDS_PER_TICK;
  return HSA_STATUS_SUCCESS;
}
