/* orders.c - for the race checker: describes the host's calls, its copies and the packets of its queues as commands,
 * which signals, barrier bits and fences order. */
#include <stdlib.h>
#include <time.h>

#include "check/commands.h"
#include "hsa/internal.h"
#include "runtime/copy.h"

struct og_commands *og_hsa_orders;

struct og_hsa_order {
  struct og_command_queue *queue;
  struct og_command *command; /* the packet that is being processed */
  pthread_mutex_t lock;
  uint64_t noted;    /* the doorbell was rung for all packets before this one */
  bool rings_itself; /* a kernel writes its packets, and rings where we do not see it */
};

/* Fine-grained memory: signals, what programs register, and memory that the library does not know. */
static bool is_fine(uint64_t address) {
  struct og_hsa_range range;
  return !og_hsa_range_find(address, &range) || !range.pool ||
         !(range.pool->flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
}

void og_hsa_orders_open(void) {
  if (og_hsa_checks_races() && !og_hsa_orders)
    og_hsa_orders = og_commands_new(&(struct og_commands_options){is_fine, og_hsa_check_tell});
}

void og_hsa_orders_close(void) {
  og_commands_free(og_hsa_orders);
  og_hsa_orders = NULL;
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

void og_hsa_order_saw(const struct og_signal *signal) { og_commands_host_sees(og_hsa_orders, signal); }
void og_hsa_order_tells(const struct og_signal *signal, bool sets) {
  og_commands_host_tells(og_hsa_orders, signal, sets);
}
void og_hsa_order_forgets(const struct og_signal *signal) { og_commands_forget(og_hsa_orders, signal); }

/* ---- the host and copies ----------------------------------------------------------------------------------------- */

void og_hsa_order_host(const char *what, const void *to, const void *from, size_t size) {
  if (!og_hsa_orders)
    return;
  struct og_footprint *footprint = og_footprint_new(what);
  og_footprint_add(footprint, (uintptr_t)to, size, true, 0, 0);
  if (from)
    og_footprint_add(footprint, (uintptr_t)from, size, false, 0, 0);
  og_commands_host(og_hsa_orders, footprint);
}

void *og_hsa_order_copy(void) { return og_hsa_orders ? og_commands_copy(og_hsa_orders) : NULL; }

void og_hsa_order_copy_begins(const struct og_copy *copy, struct og_signal *const dependencies[], size_t count) {
  for (size_t i = 0; copy->asked && i < count; i++)
    og_commands_awaits(og_hsa_orders, copy->asked, dependencies[i]);
}

void og_hsa_order_copy_ends(const struct og_copy *copy, const struct og_signal *completion, bool failed) {
  if (!copy->asked)
    return;
  struct og_footprint *footprint = og_footprint_new("a copy");
  for (size_t z = 0; !failed && z < copy->depth; z++)
    for (size_t y = 0; y < copy->height; y++) {
      og_footprint_add(footprint, (uintptr_t)copy->to + z * copy->to_slice + y * copy->to_pitch, copy->width, true, 0,
                       0);
      og_footprint_add(footprint, (uintptr_t)copy->from + z * copy->from_slice + y * copy->from_pitch, copy->width,
                       false, 0, 0);
    }
  og_commands_end(og_hsa_orders, copy->asked, footprint, completion);
}

/* ---- queues ------------------------------------------------------------------------------------------------------ */

struct og_hsa_order *og_hsa_order_queue(uint64_t number, unsigned agent) {
  struct og_hsa_order *order = og_hsa_orders ? calloc(1, sizeof *order) : NULL;
  if (!order)
    return NULL;
  order->queue = og_commands_queue(og_hsa_orders, number, agent);
  pthread_mutex_init(&order->lock, NULL);
  return order;
}

void og_hsa_order_queue_end(struct og_hsa_order *order) {
  if (!order)
    return;
  og_commands_end(og_hsa_orders, order->command, NULL, NULL);
  og_commands_queue_end(og_hsa_orders, order->queue);
  pthread_mutex_destroy(&order->lock);
  free(order);
}

/* Notes the packets that are in the ring, whatever the doorbell's value is: HIP stores one less, and another thread may
 * have taken an index without having written its packet. */
void og_hsa_order_rung(struct og_hsa_order *order, const struct og_queue *queue) {
  pthread_mutex_lock(&order->lock);
  uint64_t end = order->noted;
  while (og_queue_holds(queue, end))
    end++;
  if (end > order->noted)
    og_commands_rung(og_hsa_orders, order->queue, order->noted, end);
  order->noted = end;
  pthread_mutex_unlock(&order->lock);
}

static void await_dependencies(struct og_command *command, const union og_packet *packet) {
  unsigned type = packet->first & OG_HEADER_TYPE;
  for (size_t i = 0; i < OG_COUNT(packet->barrier.dependencies); i++)
    if ((type == OG_PACKET_BARRIER_AND || type == OG_PACKET_BARRIER_OR) && packet->barrier.dependencies[i])
      og_commands_awaits(og_hsa_orders, command, (const void *)(uintptr_t)packet->barrier.dependencies[i]);
  if (type == OG_PACKET_VENDOR && packet->barrier_value.format == OG_VENDOR_BARRIER_VALUE &&
      packet->barrier_value.signal)
    og_commands_awaits(og_hsa_orders, command, (const void *)(uintptr_t)packet->barrier_value.signal);
}

static bool is_rung(struct og_hsa_order *order, uint64_t index) {
  pthread_mutex_lock(&order->lock);
  bool rung = order->noted > index;
  pthread_mutex_unlock(&order->lock);
  return rung;
}

/* A packet may be processed as soon as it is written, before its writer rings the doorbell and so is known: waits for
 * that. */
static void await_ring(struct og_hsa_order *order, uint64_t index) {
  enum { TRIES = 200, NANOSECONDS = 100000 };
  for (unsigned tries = 0; !order->rings_itself && !is_rung(order, index); tries++) {
    order->rings_itself = tries == TRIES;
    nanosleep(&(struct timespec){.tv_nsec = NANOSECONDS}, NULL);
  }
}

void og_hsa_order_packet(struct og_hsa_order *order, const union og_packet *packet, uint64_t index, bool ended,
                         struct og_footprint *footprint) {
  if (!ended) {
    await_ring(order, index);
    pthread_mutex_lock(&order->lock);
    order->noted = OG_MAX(order->noted, index + 1);
    pthread_mutex_unlock(&order->lock);
    order->command = og_commands_launch(og_hsa_orders, order->queue, index, (uint16_t)packet->first);
    return;
  }
  await_dependencies(order->command, packet);
  og_commands_end(og_hsa_orders, order->command, footprint, (const void *)(uintptr_t)packet->dispatch.completion);
  order->command = NULL;
}
