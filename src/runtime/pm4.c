/* pm4.c - runs PM4 commands as far as compute queues use them: those with which programs write, copy, fill and wait.
 * There are no caches, events and registers here, so commands for them do nothing. Layouts: AMD's "Radeon Evergreen /
 * Southern Islands Acceleration" and the headers of the amdgpu driver of Linux. */
#include "runtime/pm4.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_DEPTH = 4, MOST_WORDS = 1 << 20, POLL = 20000 /* nanoseconds */ };
enum opcode {
  NOP = 0x10,
  SET_BASE,
  CLEAR_STATE,
  CONTEXT_CONTROL = 0x28,
  WRITE_DATA = 0x37,
  WAIT_MEMORY = 0x3c,
  INDIRECT_BUFFER = 0x3f,
  COPY_DATA,
  PFP_SYNC_ME = 0x42,
  SURFACE_SYNC,
  EVENT_WRITE = 0x46,
  EVENT_WRITE_EOP,
  RELEASE_MEM = 0x49,
  DMA_DATA = 0x50,
  ACQUIRE_MEM = 0x58,
  SET_CONFIG_REG = 0x68,
  SET_CONTEXT_REG,
  SET_SH_REG = 0x76,
  SET_UCONFIG_REG = 0x79
};

struct place {
  const struct og_pm4 *pm4;
  unsigned depth;
};

static bool OG_PRINTF(2, 3) wrong(const struct place *place, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(place->pm4->error, place->pm4->error_size, format, args);
  va_end(args);
  return false;
}

static uint64_t address_of(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

/* The memory that a command names; NULL, with an error: kernels do not reach it, or it is not aligned. */
static void *memory_at(const struct place *place, uint64_t address, uint64_t size, uint64_t alignment, bool write) {
  const struct og_pm4 *pm4 = place->pm4;
  if (address % alignment == 0 && pm4->reaches(pm4->context, address, size, write))
    return (void *)(uintptr_t)address;
  wrong(place, "a PM4 command %s %llu bytes at 0x%llx, which is not memory that kernels may %s",
        write ? "writes" : "reads", (unsigned long long)size, (unsigned long long)address, write ? "write" : "read");
  return NULL;
}

/* Stores 4 or 8 bytes at once. */
static bool store(const struct place *place, uint64_t address, uint64_t value, unsigned size) {
  void *to = memory_at(place, address, size, size, true);
  if (to && size == 8)
    __atomic_store_n((uint64_t *)to, value, __ATOMIC_SEQ_CST);
  else if (to)
    __atomic_store_n((uint32_t *)to, (uint32_t)value, __ATOMIC_SEQ_CST);
  return to;
}

/* The agents' constant clock, as kernels read it. */
static uint64_t gpu_clock(void) {
  enum { NANOSECONDS_PER_TICK = 10 };
  return og_clock() / NANOSECONDS_PER_TICK;
}

/* ---- commands: their words behind the header --------------------------------------------------------------------- */

static bool is_memory(unsigned selected) {
  return selected == 1 || selected == 2 || selected == 5; /* by way of one cache or another */
}

static bool write_data(const struct place *place, const uint32_t *w, uint32_t count) {
  enum { ONE_ADDRESS = 1 << 16 };
  if (!is_memory(w[0] >> 8 & 15))
    return true; /* it writes a register */
  for (uint32_t i = 3; i < count; i++)
    if (!store(place, address_of(w + 1) + (w[0] & ONE_ADDRESS ? 0 : 4 * (uint64_t)(i - 3)), w[i], 4))
      return false;
  return true;
}

static bool copy_data(const struct place *place, const uint32_t *w) {
  enum { IMMEDIATE = 5, CLOCK = 9 };
  unsigned source = w[0] & 15, size = w[0] & 1 << 16 ? 8 : 4;
  uint64_t value = 0;
  if (!is_memory(w[0] >> 8 & 15))
    return true;
  if (source == IMMEDIATE) {
    value = address_of(w + 1);
  } else if (source == CLOCK) {
    value = gpu_clock();
  } else if (is_memory(source)) {
    const void *from = memory_at(place, address_of(w + 1), size, 4, false);
    if (!from)
      return false;
    memcpy(&value, from, size);
  } /* registers and counters read as 0 */
  return store(place, address_of(w + 3), value, size);
}

/* Writes what a command asks for once all before it has ended: nothing, 32 bits, 64 bits, or the time. */
static bool release(const struct place *place, unsigned what, uint64_t address, uint64_t value) {
  enum { HALF = 1, WHOLE, TIME };
  switch (what) {
  case HALF: return store(place, address, value, 4);
  case WHOLE: return store(place, address, value, 8);
  case TIME: return store(place, address, gpu_clock(), 8);
  default: return true;
  }
}

static bool compare(unsigned function, uint32_t value, uint32_t with) {
  switch (function) {
  case 1: return value < with;
  case 2: return value <= with;
  case 3: return value == with;
  case 4: return value != with;
  case 5: return value >= with;
  case 6: return value > with;
  default: return true;
  }
}

static bool wait_memory(const struct place *place, const uint32_t *w) {
  if ((w[0] >> 4 & 3) != 1)
    return true; /* it waits for a register */
  for (;;) {
    const uint32_t *at = memory_at(place, address_of(w + 1) & ~3ull, 4, 4, false);
    if (!at)
      return false;
    if (compare(w[0] & 7, __atomic_load_n(at, __ATOMIC_ACQUIRE) & w[4], w[3]))
      return true;
    if (__atomic_load_n(place->pm4->cancelled, __ATOMIC_ACQUIRE))
      return false;
    nanosleep(&(struct timespec){0, POLL}, NULL);
  }
}

static bool dma_data(const struct place *place, const uint32_t *w) {
  enum { DATA = 2, NOWHERE = 2, GDS = 1, BYTES = (1 << 26) - 1 };
  unsigned source = w[0] >> 29 & 3, target = w[0] >> 20 & 3;
  uint32_t size = w[5] & BYTES;
  if (target == NOWHERE || size == 0)
    return true;
  if (target == GDS || source == GDS)
    return wrong(place, "a PM4 command (DMA_DATA) copies from or to the global data share, which is not done");
  uint8_t *to = memory_at(place, address_of(w + 3), size, 1, true);
  const uint8_t *from = source == DATA || !to ? NULL : memory_at(place, address_of(w + 1), size, 1, false);
  if (!to || (source != DATA && !from))
    return false;
  if (from)
    memmove(to, from, size);
  for (uint32_t i = 0; !from && i < size; i++)
    to[i] = (uint8_t)(w[1] >> i % 4 * 8);
  return true;
}

/* ---- buffers of commands ----------------------------------------------------------------------------------------- */

static bool run_buffer(const struct place *place, const uint32_t *jump);

static const struct {
  uint8_t opcode, least; /* words that have to follow the header */
} commands[] = {
    {NOP, 0},
    {SET_BASE, 0},
    {CLEAR_STATE, 0},
    {CONTEXT_CONTROL, 0},
    {WRITE_DATA, 3},
    {WAIT_MEMORY, 6},
    {INDIRECT_BUFFER, 3},
    {COPY_DATA, 5},
    {PFP_SYNC_ME, 0},
    {SURFACE_SYNC, 0},
    {EVENT_WRITE, 0},
    {EVENT_WRITE_EOP, 5},
    {RELEASE_MEM, 6},
    {DMA_DATA, 6},
    {ACQUIRE_MEM, 0},
    {SET_CONFIG_REG, 0},
    {SET_CONTEXT_REG, 0},
    {SET_SH_REG, 0},
    {SET_UCONFIG_REG, 0},
};

static bool is_command(unsigned opcode, uint32_t count) {
  for (size_t i = 0; i < OG_COUNT(commands); i++)
    if (commands[i].opcode == opcode)
      return count >= commands[i].least;
  return false;
}

static bool run_command(const struct place *place, unsigned opcode, const uint32_t *w, uint32_t count) {
  switch (opcode) {
  case WRITE_DATA: return write_data(place, w, count);
  case COPY_DATA: return copy_data(place, w);
  case WAIT_MEMORY: return wait_memory(place, w);
  case DMA_DATA: return dma_data(place, w);
  case EVENT_WRITE_EOP: return release(place, w[2] >> 29, w[1] | (uint64_t)(w[2] & 0xffff) << 32, address_of(w + 3));
  case RELEASE_MEM: return release(place, w[1] >> 29, address_of(w + 2), address_of(w + 4));
  case INDIRECT_BUFFER: return run_buffer(place, w);
  default: return true; /* for caches, events or registers */
  }
}

/* A header has its type in the highest bits; type 3 is followed by the number of words less one and the opcode; type 2
 * only fills space. */
static bool run_words(const struct place *place, const uint32_t *words, uint32_t count) {
  for (uint32_t at = 0; at < count;) {
    uint32_t header = words[at++], length = (header >> 16 & 0x3fff) + 1, opcode = header >> 8 & 0xff;
    if (header >> 30 == 2)
      continue;
    if (opcode == NOP && length == 0x4000) /* only a header, without words */
      length = 0;
    if (header >> 30 != 3 || length > count - at || !is_command(opcode, length))
      return wrong(place, "a PM4 command is 0x%08x, %u words into its buffer: it is unknown or cut short",
                   header, at - 1);
    if (!run_command(place, opcode, words + at, length))
      return false;
    at += length;
  }
  return true;
}

/* Copies the buffer first: if a kernel writes it meanwhile, what was checked does not change. */
static bool run_buffer(const struct place *place, const uint32_t *jump) {
  uint32_t count = jump[2] & (MOST_WORDS - 1);
  if (place->depth == MOST_DEPTH)
    return wrong(place, "buffers of PM4 commands lead to each other more than %d deep", MOST_DEPTH);
  if (count == 0)
    return true;
  const uint32_t *from = memory_at(place, address_of(jump) & ~3ull, 4 * (uint64_t)count, 4, false);
  uint32_t *words = from ? og_checked_realloc(NULL, 4 * (size_t)count) : NULL;
  if (!words)
    return false;
  memcpy(words, from, 4 * (size_t)count);
  struct place inner = {place->pm4, place->depth + 1};
  bool good = run_words(&inner, words, count);
  free(words);
  return good;
}

bool og_pm4_run(const struct og_pm4 *pm4, const struct og_pm4_packet *packet) {
  struct place place = {pm4, 0};
  uint32_t header = packet->jump[0];
  if (header >> 30 != 3 || (header >> 8 & 0xff) != INDIRECT_BUFFER)
    return wrong(&place, "a PM4 packet holds 0x%08x and no jump to a buffer of commands", header);
  return run_buffer(&place, packet->jump + 1);
}
