/* services.c - the host's side of hostcalls, and the buffer of OpenCL's printf.
 *
 * Kernels may write the hostcall buffer, so the host keeps its own addresses and counts, and follows an index only
 * after it has been cut to the number of packets. A packet has a slot of 8 words for each lane. A printf message takes
 * several packets, whose first word says which message they belong to (device libraries: ockl/hostcall_impl.cl,
 * services.cl). */
#include "runtime/services.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/internal.h"
#include "runtime/printed.h"

enum {
  PACKETS =
      8192, /* as many as waves can be resident: device libraries take one without checking that one is left */
  LANES = 64,
  WORDS = 8,
  PRINTF_BYTES = 1 << 20,
  HEAP_BYTES = 128 << 10,
  SLAB = 2 << 20
};
enum { MOST_WORDS = 1 << 17 /* of one message */, MOST_MESSAGES = 1 << 16 /* open at once */ };
enum { WAIT = 20000000 /* nanoseconds between looks, should a doorbell be missed */ };
enum service { SERVICE_FUNCTION = 1, SERVICE_PRINTF, SERVICE_MEMORY };
enum { MESSAGE_BEGIN = 1, MESSAGE_END = 2, MESSAGE_LENGTH_AT = 5, MESSAGE_LENGTH = 7, MESSAGE_ID_AT = 8 };

struct packet_header {
  uint64_t next, lanes;
  uint32_t service, control; /* bit 0 of control is set until the host has answered */
};

/* The layout that the device libraries know. */
struct hostcall {
  uint64_t headers, payloads, doorbell;
  uint64_t free_stack, ready_stack; /* both hold an index; tags above the mask make each use of an index different */
  uint64_t index_mask;
  uint64_t mailbox; /* of the doorbell's event, through which kernels interrupt the host */
  struct packet_header packets[PACKETS];
  uint64_t words[PACKETS][LANES][WORDS] __attribute__((aligned(64)));
};

struct message {
  uint64_t *words; /* NULL: free */
  size_t count, capacity;
};

struct og_services {
  struct og_runtime *runtime;
  og_services_write *write;
  void *context;
  uint8_t *printf_buffer, *heap;
  struct hostcall *hostcall; /* from here on: NULL or unused until the first kernel asks */
  struct og_signal *doorbell;
  pthread_t thread;
  bool stop; /* atomic */
  struct message *messages;
  size_t message_count;
};

struct og_services *og_services_new(struct og_runtime *runtime, og_services_write *write, void *context) {
  struct og_services *services = calloc(1, sizeof *services);
  if (services)
    *services = (struct og_services){.runtime = runtime, .write = write, .context = context};
  return services;
}

static void *shared_memory(struct og_services *services, size_t size, size_t alignment) {
  return og_memory_new(services->runtime, size, alignment, OG_MEMORY_READ | OG_MEMORY_WRITE);
}

uint64_t og_services_heap(struct og_services *services) {
  if (!services->heap)
    services->heap = shared_memory(services, HEAP_BYTES, OG_PAGE);
  return (uintptr_t)services->heap;
}

/* ---- OpenCL's printf --------------------------------------------------------------------------------------------- */

static void empty_printf_buffer(struct og_services *services) {
  uint32_t head[2] = {0, PRINTF_BYTES};
  memcpy(services->printf_buffer, head, sizeof head);
}

uint64_t og_services_printf(struct og_services *services) {
  if (!services->printf_buffer) {
    services->printf_buffer = shared_memory(services, PRINTF_BYTES, OG_PAGE);
    if (services->printf_buffer)
      empty_printf_buffer(services);
  }
  return (uintptr_t)services->printf_buffer;
}

void og_services_flush(struct og_services *services, const struct og_executable *executable) {
  struct og_buffer text = {0};
  if (!services->printf_buffer || !og_load32(services->printf_buffer))
    return;
  og_print_buffer(executable->code, services->printf_buffer, PRINTF_BYTES, &text);
  services->write(services->context, false, (const char *)text.data, text.size);
  empty_printf_buffer(services);
  og_buffer_free(&text);
}

/* ---- hostcalls: messages ----------------------------------------------------------------------------------------- */

/* The number of a free message; -1: memory is short, or a kernel opens messages and never ends them. */
static int64_t open_message(struct og_services *services) {
  size_t i = 0;
  while (i < services->message_count && services->messages[i].words)
    i++;
  if (i == MOST_MESSAGES)
    return -1;
  if (i == services->message_count) {
    size_t count = OG_MAX(2 * services->message_count, (size_t)LANES);
    struct message *grown = realloc(services->messages, count * sizeof *grown);
    if (!grown)
      return -1;
    memset(grown + i, 0, (count - i) * sizeof *grown);
    services->messages = grown;
    services->message_count = count;
  }
  enum { FIRST = 16 };
  services->messages[i] = (struct message){.words = malloc(FIRST * sizeof(uint64_t)), .capacity = FIRST};
  return services->messages[i].words ? (int64_t)i : -1;
}

static struct message *find_message(const struct og_services *services, uint64_t number) {
  return number < services->message_count && services->messages[number].words ? &services->messages[number] : NULL;
}

static bool append(struct message *message, const uint64_t *words, size_t count) {
  if (message->count + count > message->capacity) {
    uint64_t *grown =
        message->capacity < MOST_WORDS ? realloc(message->words, 2 * message->capacity * sizeof *grown) : NULL;
    if (!grown)
      return false;
    message->words = grown;
    message->capacity *= 2;
  }
  memcpy(message->words + message->count, words, count * sizeof *words);
  message->count += count;
  return true;
}

/* Prints the message. Returns what printf returns: how much was written. */
static uint64_t end_message(struct og_services *services, struct message *message) {
  struct og_buffer text = {0};
  bool to_stderr = false, good = og_print_message(message->words, message->count, &to_stderr, &text);
  if (!good)
    og_buffer_text(&text, "\n(the kernel's printf has fewer arguments than its format)\n");
  services->write(services->context, to_stderr, (const char *)text.data, text.size);
  uint64_t written = good ? text.size : (uint64_t)-1;
  og_buffer_free(&text);
  free(message->words);
  *message = (struct message){0};
  return written;
}

/* Takes one lane's part of a message. Returns the answer for the lane. */
static uint64_t take_part(struct og_services *services, const uint64_t *slot) {
  uint64_t head = slot[0];
  int64_t number = head & MESSAGE_BEGIN ? open_message(services) : (int64_t)(head >> MESSAGE_ID_AT);
  struct message *message = number < 0 ? NULL : find_message(services, (uint64_t)number);
  if (!message || !append(message, slot + 1, head >> MESSAGE_LENGTH_AT & MESSAGE_LENGTH))
    return (uint64_t)-1;
  if (head & MESSAGE_END)
    return end_message(services, message);
  return (head & ~(uint64_t)MESSAGE_BEGIN & ((1u << MESSAGE_ID_AT) - 1)) | (uint64_t)number << MESSAGE_ID_AT;
}

/* ---- hostcalls: packets ------------------------------------------------------------------------------------------ */

/* The slot holds an address to free, or 0 and the size that is wanted. */
static uint64_t give_memory(struct og_services *services, const uint64_t *slot) {
  if (!slot[0])
    return (uintptr_t)shared_memory(services, slot[1], slot[1] >= SLAB ? SLAB : OG_PAGE);
  og_memory_free(services->runtime, (void *)(uintptr_t)slot[0]);
  return 0;
}

static void answer_lane(struct og_services *services, uint32_t service, uint64_t *shared) {
  uint64_t slot[WORDS];
  memcpy(slot, shared, sizeof slot);
  switch (service) {
  case SERVICE_PRINTF: shared[0] = take_part(services, slot); break;
  case SERVICE_MEMORY: shared[0] = give_memory(services, slot); break;
  default: shared[0] = shared[1] = 0; break; /* calls of functions in a host program: there are none here */
  }
}

static void answer_packet(struct og_services *services, uint32_t index) {
  struct packet_header *header = &services->hostcall->packets[index];
  uint64_t lanes = header->lanes;
  uint32_t service = header->service;
  for (unsigned lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1)
      answer_lane(services, service, services->hostcall->words[index][lane]);
  __atomic_fetch_and(&header->control, ~1u, __ATOMIC_RELEASE);
}

/* Answers packets in the order in which they came: on the stack the last is first. */
static void answer(struct og_services *services) {
  uint32_t indices[PACKETS], count = 0;
  uint64_t next = __atomic_exchange_n(&services->hostcall->ready_stack, 0, __ATOMIC_ACQUIRE);
  for (; next && count < PACKETS; next = services->hostcall->packets[next % PACKETS].next)
    indices[count++] = next % PACKETS;
  while (count)
    answer_packet(services, indices[--count]);
}

static void *serve(void *argument) {
  struct og_services *services = argument;
  int64_t seen = 0;
  while (!__atomic_load_n(&services->stop, __ATOMIC_ACQUIRE)) {
    answer(services);
    seen = og_signal_wait_interrupts(services->doorbell, OG_CONDITION_NE, seen, WAIT,
                                     og_runtime_interrupts(services->runtime));
  }
  answer(services);
  return NULL;
}

/* Makes all packets free. Index 0 gets a tag, for a plain 0 is the end of a stack. */
static void make_stacks(struct hostcall *hostcall) {
  _Static_assert((PACKETS & (PACKETS - 1)) == 0, "indices are cut by a mask");
  hostcall->headers = (uintptr_t)hostcall->packets;
  hostcall->payloads = (uintptr_t)hostcall->words;
  hostcall->index_mask = PACKETS - 1;
  uint64_t next = PACKETS;
  for (uint32_t i = 1; i < PACKETS; next = i++)
    hostcall->packets[i].next = next;
  hostcall->free_stack = next;
}

uint64_t og_services_hostcall(struct og_services *services) {
  if (services->hostcall)
    return (uintptr_t)services->hostcall;
  struct hostcall *hostcall = shared_memory(services, sizeof *hostcall, OG_PAGE);
  services->doorbell = hostcall ? og_signal_new(services->runtime, 0) : NULL;
  if (services->doorbell) {
    make_stacks(hostcall);
    hostcall->doorbell = (uintptr_t)services->doorbell;
    services->doorbell->event_mailbox = (uintptr_t)&hostcall->mailbox;
    services->doorbell->event_id = 1;
    services->hostcall = hostcall;
    if (pthread_create(&services->thread, NULL, serve, services) == 0)
      return (uintptr_t)hostcall;
  }
  og_signal_free(services->runtime, services->doorbell);
  if (hostcall)
    og_memory_free(services->runtime, hostcall);
  services->hostcall = NULL;
  services->doorbell = NULL;
  return 0;
}

static void end_thread(struct og_services *services) {
  __atomic_store_n(&services->stop, true, __ATOMIC_RELEASE);
  og_signal_add(services->doorbell, 1);
  pthread_join(services->thread, NULL);
  og_signal_free(services->runtime, services->doorbell);
}

void og_services_free(struct og_services *services) {
  if (!services)
    return;
  if (services->hostcall)
    end_thread(services);
  void *const shared[] = {services->hostcall, services->printf_buffer, services->heap};
  for (size_t i = 0; i < OG_COUNT(shared); i++)
    if (shared[i])
      og_memory_free(services->runtime, shared[i]);
  for (size_t i = 0; i < services->message_count; i++)
    free(services->messages[i].words);
  free(services->messages);
  free(services);
}
