/* memory.c - memory messages: each gather, scatter, block and atomic of vISA is one of four shapes, which the decoder
   describes in a message. Every access is checked against what the dispatch may access. */
#include "visa/exec/check.h"
#include "base/floats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The memory in which a message's offsets count. */
struct segment {
  uint8_t *base; /* NULL: flat */
  uint64_t size, readable;
  bool writable;
  const char *name;
  uint64_t dropped; /* bits of an offset that hardware ignores */
  bool surface;     /* reads beyond its end give zeros, and writes do nothing */
};

/* Compilers set a high bit in SLM offsets, so that no pointer into it is null; hardware ignores it. */
enum { SLM_OFFSETS = 0x0fffffff };
enum { SURFACE_SLM = 254, SURFACE_STATELESS = 255, SURFACE_STATELESS_NONCOHERENT = 253, BINDLESS_STEP = 64 };

static bool table_segment(struct og_vx_thread *thread, const struct og_vx_op *op, uint64_t index,
                          struct segment *segment) {
  if (index == SURFACE_SLM) {
    *segment = (struct segment){thread->group->slm,    thread->group->slm_size, thread->group->slm_size, true, "SLM",
                                ~(uint64_t)SLM_OFFSETS, false};
    return true;
  }
  if (index == SURFACE_STATELESS || index == SURFACE_STATELESS_NONCOHERENT) {
    *segment = (struct segment){0};
    return true;
  }
  const struct og_vx_surface *surface = index < OG_VX_SURFACES ? &thread->group->surfaces[index] : NULL;
  if (!surface || !surface->base) {
    og_vx_fault(thread, op, "surface %llu is not bound to a buffer", (unsigned long long)index);
    return false;
  }
  uint64_t readable = thread->check ? surface->size : surface->readable;
  *segment = (struct segment){surface->base, surface->size, readable, surface->writable, "the surface", 0,
                             true};
  return true;
}

static bool find_segment(struct og_vx_thread *thread, const struct og_vx_op *op, struct segment *segment) {
  const struct og_vx_message *message = op->message;
  switch (message->space) {
  case OG_VX_FLAT: *segment = (struct segment){0}; return true;
  case OG_VX_SLM:
    *segment = (struct segment){thread->group->slm,    thread->group->slm_size, thread->group->slm_size, true, "SLM",
                                ~(uint64_t)SLM_OFFSETS, false};
    return true;
  case OG_VX_SCRATCH:
    *segment = (struct segment){thread->scratch, thread->scratch_size, thread->scratch_size, true, "scratch", 0, false};
    return true;
  case OG_VX_SURFACE: return table_segment(thread, op, thread->surfaces[message->surface], segment);
  case OG_VX_TABLE: {
    uint64_t index = og_vx_scalar(thread, op, &op->source[0]);
    return thread->state == OG_VX_RUNNING && table_segment(thread, op, index, segment);
  }
  default: { /* surface states are 64 bytes apart; r0.5 names that of the thread's scratch */
    uint64_t offset = og_vx_scalar(thread, op, &op->source[0]);
    if (thread->state != OG_VX_RUNNING)
      return false;
    uint32_t scratch = og_load32(thread->base[OG_VX_REGISTERS] + thread->program->r0 + 20) >> 4;
    if ((offset & ~63ull) == (scratch & ~63u)) {
      *segment =
          (struct segment){thread->scratch, thread->scratch_size, thread->scratch_size, true, "scratch", 0, false};
      return true;
    }
    return table_segment(thread, op, offset / BINDLESS_STEP, segment);
  }
  }
}

/* An access that is out of bounds. true: hardware defines the result, which `check` still reports; else it is a
   fault. */
static bool goes_beyond(struct og_vx_thread *thread, const struct og_vx_op *op, const struct segment *segment,
                        uint64_t at, uint64_t size, bool store, int channel) {
  const char *verb = store ? "writes" : "reads";
  char where[32] = "";
  if (segment->surface && (segment->writable || !store) && !thread->check)
    return true;
  if (channel >= 0)
    snprintf(where, sizeof where, "channel %d ", channel);
  if (segment->surface && (segment->writable || !store)) {
    og_vx_find(thread, op, OG_VX_BEYOND, "%s%s %llu bytes at offset 0x%llx of the surface, which has %llu bytes", where,
               verb, (unsigned long long)size, (unsigned long long)at, (unsigned long long)segment->size);
    return true;
  }
  if (segment->base)
    og_vx_fault(thread, op, "%s%s %llu bytes at offset 0x%llx of %s, which has %llu bytes%s", where, verb,
                (unsigned long long)size, (unsigned long long)at, segment->name, (unsigned long long)segment->size,
                at + size <= segment->size ? " and is read-only" : "");
  else
    og_vx_fault(thread, op, "%s%s %llu bytes at address 0x%llx, which is in no buffer%s", where, verb,
                (unsigned long long)size, (unsigned long long)at, store ? " that may be written" : "");
  return false;
}

/* The process's pointer to [at, at + size); NULL: the access is not allowed. */
static inline uint8_t *reach(struct og_vx_thread *thread, const struct segment *segment, uint64_t at, uint64_t size,
                             bool store) {
  at &= ~segment->dropped;
  if (segment->base) {
    uint64_t end = store ? segment->size : segment->readable;
    return at <= end && size <= end - at && (!store || segment->writable) ? segment->base + at : NULL;
  }
  const struct og_vx_group *group = thread->group;
  for (uint32_t i = 0, index = thread->range; i <= group->range_count;
       index = i++) { /* where the last one was, then all */
    const struct og_vx_range *range = &group->ranges[index];
    uint64_t into = at - range->base, end = store ? range->size : range->readable;
    if (into <= end && size <= end - into && (!store || range->writable)) {
      thread->range = index;
      return (uint8_t *)(uintptr_t)at;
    }
  }
  return NULL;
}

/* Each channel's offset: in place, or computed into `addresses`. */
static const uint64_t *load_addresses(const struct og_vx_thread *thread, const struct og_vx_op *op, int64_t global,
                                      uint64_t *addresses) {
  const struct og_vx_message *message = op->message;
  const uint8_t *from = thread->base[OG_VX_REGISTERS] + message->addresses;
  uint64_t scale = message->scale,
           add = (uint64_t)message->immediate + (uint64_t)global * (message->scaled_global ? scale : 1);
  if (message->address_size == 8) {
    if (scale == 1 && add == 0 && ((uintptr_t)from & 7) == 0)
      return (const uint64_t *)(const void *)from;
    for (uint32_t i = 0; i < op->exec_size; i++)
      addresses[i] = og_load64(from + 8 * i) * scale + add;
    return addresses;
  }
  for (uint32_t i = 0; i < op->exec_size; i++) {
    uint32_t offset = message->address_size == 4 ? og_load32(from + 4 * i) : og_load16(from + 2 * i);
    addresses[i] = (uint32_t)(offset * (uint32_t)scale + (uint32_t)add);
  }
  return addresses;
}

/* One address, and a pitch as the last source. */
static const uint64_t *strided_addresses(struct og_vx_thread *thread, const struct og_vx_op *op, uint64_t *addresses) {
  const struct og_vx_message *message = op->message;
  const uint8_t *from = thread->base[OG_VX_REGISTERS] + message->addresses;
  uint64_t first = message->address_size == 8   ? og_load64(from)
                   : message->address_size == 4 ? og_load32(from)
                                                : og_load16(from);
  uint64_t pitch = og_vx_scalar(thread, op, &op->source[op->source_count - 1]);
  for (uint32_t i = 0; i < op->exec_size; i++) {
    addresses[i] = first * message->scale + (uint64_t)message->immediate + i * pitch;
    if (message->address_size < 8)
      addresses[i] = (uint32_t)addresses[i];
  }
  return thread->state == OG_VX_RUNNING ? addresses : NULL;
}

static inline void move(uint8_t *to, const uint8_t *from, uint32_t size) {
  switch (size) {
  case 1: *to = *from; break;
  case 2: memcpy(to, from, 2); break;
  case 4: memcpy(to, from, 4); break;
  default: memcpy(to, from, 8); break;
  }
}

/* Moves all channels in one piece; false: this component must be moved channel by channel. */
static bool move_together(struct og_vx_thread *thread, const struct og_vx_op *op, const struct segment *segment,
                          const uint64_t *addresses, uint32_t pattern, uint64_t memory_offset, uint8_t *registers) {
  const struct og_vx_message *message = op->message;
  uint32_t size = message->size;
  if (pattern == OG_ALU_CONSECUTIVE) {
    uint8_t *memory =
        reach(thread, segment, addresses[0] + memory_offset, (uint64_t)size * op->exec_size, message->store);
    if (!memory)
      return false;
    memcpy(message->store ? memory : registers, message->store ? registers : memory, (size_t)size * op->exec_size);
    return true;
  }
  if (pattern == OG_ALU_SAME && !message->store && size >= 4 && ((uintptr_t)registers & (size - 1)) == 0) {
    const uint8_t *memory = reach(thread, segment, addresses[0] + memory_offset, size, false);
    if (!memory)
      return false;
    uint8_t element[8];
    memcpy(element, memory, size);
    thread->alu->broadcast[size == 8 ? 3 : 2](registers, element, NULL, NULL, op->exec_size, 0);
    return true;
  }
  return false;
}

/* The most common shape in shared memory and surfaces, at once; false: channels must go one by one. */
static bool move_dwords(const struct og_vx_thread *thread, const struct og_vx_op *op, const struct segment *segment,
                        int64_t global) {
  const struct og_vx_message *message = op->message;
  struct og_alu_dwords memory = {.base = segment->base,
                                 .size = message->store ? segment->size : segment->readable,
                                 .add = (uint32_t)(message->immediate + global),
                                 .mask = (uint32_t)~segment->dropped,
                                 .components = message->components,
                                 .pitch = message->register_offset[1]};
  uint8_t *registers = thread->base[OG_VX_REGISTERS];
  if (memory.size >> 31 || (message->store && !segment->writable))
    return false;
  return message->store ? thread->alu->store_dwords(registers + message->data, registers + message->addresses,
                                                    op->exec_size, &memory)
                        : thread->alu->load_dwords(registers + message->data, registers + message->addresses,
                                                   op->exec_size, &memory);
}

const struct og_vx_op *og_vx_run_gather(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op);
  const struct og_vx_message *message = op->message;
  struct segment segment;
  if (!enabled || message->data == OG_VX_NO_DATA) /* a load into nothing is a prefetch */
    return op + 1;
  if (!find_segment(thread, op, &segment))
    return NULL;
  int64_t global =
      message->space != OG_VX_TABLE && message->space != OG_VX_BINDLESS && op->source_count && !message->strided
          ? (int64_t)og_vx_scalar(thread, op, &op->source[0])
          : 0;
  if (message->dwords && enabled == op->full && segment.base && !thread->check &&
      move_dwords(thread, op, &segment, global))
    return op + 1;
  uint64_t room[OG_VX_CHANNELS];
  const uint64_t *addresses =
      message->strided ? strided_addresses(thread, op, room) : load_addresses(thread, op, global, room);
  if (!addresses)
    return NULL;
  uint8_t *data = thread->base[OG_VX_REGISTERS] + message->data;
  uint32_t size = message->size, container = message->container, pattern = OG_ALU_SCATTERED;
  if (enabled == op->full && op->exec_size > 1 && container == size && message->channel_step == size && !thread->check)
    pattern = thread->alu->address_pattern(addresses, op->exec_size, size);
  for (uint32_t j = 0; j < message->components; j++) {
    uint8_t *registers = data + message->register_offset[j];
    if (pattern != OG_ALU_SCATTERED &&
        move_together(thread, op, &segment, addresses, pattern, message->memory_offset[j], registers))
      continue;
    for (uint32_t left = enabled; left; left &= left - 1) {
      uint32_t i = (uint32_t)__builtin_ctz(left);
      uint64_t at = addresses[i] + message->memory_offset[j];
      uint8_t *memory = reach(thread, &segment, at, size, message->store),
              *element = registers + (size_t)i * message->channel_step;
      if (!memory && !goes_beyond(thread, op, &segment, at, size, message->store, (int)i))
        return NULL;
      if (thread->check)
        og_vx_check_move(thread, memory, element, size, container, message->store);
      if (!memory) {
        memset(element, 0, message->store ? 0 : container);
      } else if (message->store) {
        move(memory, element, size);
      } else {
        if (container > size)
          memset(element + size, 0, container - size);
        move(element, memory, size);
      }
    }
  }
  return op + 1;
}

/* The same in shared memory without a global offset, so that nothing must be looked up. */
const struct og_vx_op *og_vx_run_shared_dwords(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  const struct og_vx_group *group = thread->group;
  struct og_alu_dwords memory = {.base = group->slm,
                                 .size = group->slm_size,
                                 .add = (uint32_t)message->immediate,
                                 .mask = SLM_OFFSETS,
                                 .components = message->components,
                                 .pitch = message->register_offset[1]};
  uint8_t *registers = thread->base[OG_VX_REGISTERS], *data = registers + message->data,
          *offsets = registers + message->addresses;
  if (!og_vx_all(thread, op) || thread->check)
    return og_vx_run_gather(thread, op);
  bool done = message->store ? thread->alu->store_dwords(data, offsets, op->exec_size, &memory)
                             : thread->alu->load_dwords(data, offsets, op->exec_size, &memory);
  return done ? op + 1 : og_vx_run_gather(thread, op);
}

static inline void copy_block(uint8_t *to, const uint8_t *from, uint32_t bytes) {
  if (bytes == 64)
    memcpy(to, from, 64);
  else if (bytes == 128)
    memcpy(to, from, 128);
  else
    memcpy(to, from, bytes);
}

static void move_piece(struct og_vx_thread *thread, const struct og_vx_message *message, uint8_t *memory, uint8_t *data,
                       uint32_t pattern, uint32_t count) {
  uint32_t size = message->size;
  if (message->store)
    copy_block(memory, data, size * count);
  else if (pattern == OG_ALU_CONSECUTIVE)
    copy_block(data, memory, size * count);
  else
    thread->alu->broadcast[size == 8 ? 3 : 2](data, memory, NULL, NULL, count, 0);
}

/* Flat addresses that need no change, one component. If all channels (or with 32 each half) are side by side or at one
   place, they are moved in one piece; else like any others. */
const struct og_vx_op *og_vx_run_gather_flat(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  if (!og_vx_all(thread, op) || thread->check)
    return og_vx_run_gather(thread, op);
  static const struct segment flat;
  const uint64_t *addresses = (const uint64_t *)(const void *)(thread->base[OG_VX_REGISTERS] + message->addresses);
  uint8_t *data = thread->base[OG_VX_REGISTERS] + message->data, *memory[2];
  uint32_t size = message->size, pieces = op->exec_size == 32 ? 2 : 1, count = op->exec_size / pieces, patterns[2];
  for (uint32_t i = 0; i < pieces; i++) {
    patterns[i] = thread->alu->address_pattern(addresses + i * count, count, size);
    if (patterns[i] == OG_ALU_SCATTERED || (patterns[i] == OG_ALU_SAME && message->store))
      return og_vx_run_gather(thread, op);
    memory[i] =
        reach(thread, &flat, addresses[i * count], patterns[i] == OG_ALU_SAME ? size : size * count, message->store);
    if (!memory[i])
      return og_vx_run_gather(thread, op);
  }
  for (uint32_t i = 0; i < pieces; i++)
    move_piece(thread, message, memory[i], data + (size_t)i * count * size, patterns[i], count);
  return op + 1;
}

/* A block that is partly outside: what is inside is moved, the rest reads as 0 and is not stored. Compilers round a
   load's size up, so what is read outside is undefined for the checker, and only its use is reported. */
static bool move_clipped(struct og_vx_thread *thread, const struct og_vx_op *op, const struct segment *segment,
                         uint64_t at, uint8_t *data) {
  const struct og_vx_message *message = op->message;
  uint32_t size = message->block,
           inside = at < segment->size ? (uint32_t)OG_MIN((uint64_t)size, segment->size - at) : 0;
  bool rounded = segment->surface && inside && !message->store;
  if (!rounded && !goes_beyond(thread, op, segment, at, size, message->store, -1))
    return false;
  if (thread->check)
    og_vx_check_move(thread, NULL, data, size, size, message->store);
  if (thread->check && rounded)
    og_vx_undefine(thread, message->data + inside, size - inside);
  if (message->store) {
    memcpy(segment->base + (inside ? at : 0), data, inside);
  } else {
    memset(data, 0, size);
    memcpy(data, segment->base + (inside ? at : 0), inside);
  }
  return true;
}

/* One address and contiguous bytes: oword and svm blocks, transposed LSC. The address counts in units of `kind` bytes;
   it is the last scalar source, or the first address element. */
const struct og_vx_op *og_vx_run_block(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  struct segment segment;
  if (!og_vx_enabled(thread, op) || message->data == OG_VX_NO_DATA)
    return op + 1;
  if (!find_segment(thread, op, &segment))
    return NULL;
  uint64_t at;
  if (message->address_size == 0) {
    at = og_vx_scalar(thread, op, &op->source[op->source_count - 1]) * message->scale;
    if (thread->state != OG_VX_RUNNING)
      return NULL;
  } else {
    const uint8_t *from = thread->base[OG_VX_REGISTERS] + message->addresses;
    at = message->address_size == 8 ? og_load64(from) : message->address_size == 4 ? og_load32(from) : og_load16(from);
    at = at * message->scale + (uint64_t)message->immediate;
    if (message->address_size < 8)
      at = (uint32_t)at;
  }
  uint8_t *memory = reach(thread, &segment, at, message->block, message->store),
          *data = thread->base[OG_VX_REGISTERS] + message->data;
  if (!memory)
    return move_clipped(thread, op, &segment, at, data) ? op + 1 : NULL;
  if (thread->check)
    og_vx_check_move(thread, memory, data, message->block, message->block, message->store);
  memcpy(message->store ? memory : data, message->store ? data : memory, message->block);
  return op + 1;
}

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

const struct og_vx_op *og_vx_run_atomic(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op);
  const struct og_vx_message *message = op->message;
  struct segment segment;
  if (!enabled)
    return op + 1;
  if (!find_segment(thread, op, &segment))
    return NULL;
  uint64_t room[OG_VX_CHANNELS], old[OG_VX_CHANNELS];
  const uint64_t *addresses = load_addresses(thread, op, 0, room);
  for (uint32_t left = enabled; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    uint8_t *memory = reach(thread, &segment, addresses[i], message->size, message->atomic != OG_VX_ATOMIC_LOAD);
    if (!memory && !goes_beyond(thread, op, &segment, addresses[i], message->size, true, (int)i))
      return NULL;
    old[i] = 0;
    if (!memory)
      continue;
    if ((uintptr_t)memory & (message->size - 1u))
      return og_vx_fault(thread, op, "channel %u: an atomic on %u bytes at 0x%llx is not aligned", i, message->size,
                         (unsigned long long)addresses[i]);
    if (thread->check)
      og_vx_race_access(thread, memory, message->size,
                        message->atomic == OG_VX_ATOMIC_LOAD ? OG_VX_ATOMIC_READ : OG_VX_ATOMIC_WRITE);
    old[i] = og_vx_atomic(thread, message, memory, i);
  }
  if (message->data == OG_VX_NO_DATA)
    return op + 1;
  for (uint32_t left = enabled; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    memcpy(thread->base[OG_VX_REGISTERS] + message->data + (size_t)i * message->channel_step, &old[i],
           message->container);
  }
  return op + 1;
}

/* ---- 2D blocks --------------------------------------------------------------------------------------------------- */

static uint32_t next_power(uint32_t v) {
  uint32_t p = 1;
  while (p < v)
    p *= 2;
  return p;
}

/* The place of element (x, y) of block b in the registers, in elements. */
static uint32_t block2d_place(const struct og_vx_message *message, uint32_t grf_elements, uint32_t b, uint32_t x,
                              uint32_t y) {
  uint32_t per_dword = message->vnni ? 4u / message->size : 1;
  uint32_t major = message->transpose ? x : y, minor = message->transpose ? y : x;
  uint32_t pitch = next_power(message->transpose ? message->block_height : message->block_width);
  uint32_t rows = (message->transpose ? message->block_width : message->block_height) + per_dword - 1;
  uint32_t block = (pitch * (rows - rows % per_dword) + grf_elements - 1) / grf_elements * grf_elements;
  return b * block + major / per_dword * per_dword * pitch + minor * per_dword + major % per_dword;
}

uint32_t og_vx_block2d_bytes(const struct og_vx_message *message, uint32_t grf_size) {
  return block2d_place(message, grf_size / message->size, message->blocks, 0, 0) * message->size;
}

/* Sources: base, width - 1, height - 1, pitch - 1 (bytes), x, y (elements). Beyond the surface loads give zeros and
   stores do nothing. */
const struct og_vx_op *og_vx_run_block2d(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  if (!og_vx_enabled(thread, op) || message->data == OG_VX_NO_DATA)
    return op + 1;
  uint64_t in[6];
  for (uint32_t i = 0; i < 6; i++)
    in[i] = og_vx_scalar(thread, op, &op->source[i]);
  if (thread->state != OG_VX_RUNNING)
    return NULL;
  uint64_t pitch = in[3] & 0xffffffff;
  pitch += pitch % 8 != 0; /* hardware wants it less one; a multiple of 8 is a pitch as the specification writes it */
  int64_t width = (int64_t)(uint32_t)in[1] + 1, height = (int64_t)(uint32_t)in[2] + 1;
  uint32_t size = message->size, grf_elements = thread->program->grf_size / size;
  uint8_t *data = thread->base[OG_VX_REGISTERS] + message->data;
  struct segment flat = {0};
  uint32_t end = block2d_place(message, grf_elements, message->blocks, 0, 0);
  if (!message->store)
    memset(data, 0, (size_t)end * size);
  if (!message->store && thread->check)
    og_vx_check_move(thread, NULL, data, end * size, end * size, false);
  for (uint32_t b = 0; b < message->blocks; b++)
    for (uint32_t y = 0; y < message->block_height; y++)
      for (uint32_t x = 0; x < message->block_width; x++) {
        int64_t column = ((int64_t)(int32_t)in[4] + b * message->block_width + x) * size,
                row = (int64_t)(int32_t)in[5] + y;
        if (column < 0 || column + size > width || row < 0 || row >= height)
          continue;
        uint64_t at = in[0] + (uint64_t)row * pitch + (uint64_t)column;
        uint8_t *memory = reach(thread, &flat, at, size, message->store);
        uint8_t *element = data + (size_t)block2d_place(message, grf_elements, b, x, y) * size;
        if (!memory && !goes_beyond(thread, op, &flat, at, size, message->store, -1))
          return NULL;
        if (thread->check)
          og_vx_check_move(thread, memory, element, size, size, message->store);
        move(message->store ? memory : element, message->store ? element : memory, size);
      }
  return op + 1;
}
