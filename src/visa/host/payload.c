/* payload.c - the payload that all threads of a vISA kernel have in common, as the OpenCL compiler lays it out: the
   arguments behind each thread's own payload (thread.c); surfaces, samplers, and the memory that may be accessed. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "visa/host/print.h"
#include "visa/host/machine.h"
#include "visa/table.h"

enum { BINDLESS_FIRST = 128 /* surfaces from here on are found by offsets of their states */ };

bool og_vx_cannot_run(struct og_vx_machine *m, const char *format, ...) {
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return og_error_in(m->diagnostics, m->program->file, "kernel '%s': %s", m->program->kernel_name, message);
}

/* Writes an entry's values, as many bytes as it has. */
static void put_triple(uint8_t *to, uint32_t size, const uint32_t values[3]) { memcpy(to, values, OG_MIN(size, 12u)); }

static void put_word(uint8_t *to, uint32_t size, uint64_t value) { memcpy(to, &value, OG_MIN(size, 8u)); }

uint64_t og_vx_slm_place(const struct og_vx_machine *m, int32_t argument) {
  uint64_t place = m->layout->slm_size;
  for (int32_t i = 0; i < argument; i++)
    if (m->dispatch->arguments[i].kind == OG_VISA_ARGUMENT_SLM)
      place = og_align_up(place, 128) + OG_MIN(m->dispatch->arguments[i].size, (size_t)UINT32_MAX);
  return og_align_up(place, 128);
}

static bool wrong_argument(struct og_vx_machine *m, int32_t argument, const char *expected) {
  return og_error_in(m->diagnostics, m->program->file, "argument %d of kernel '%s': expected %s", argument + 1,
                     m->program->kernel_name, expected);
}

static uint64_t section_address(const struct og_vx_machine *m, const char *name) {
  return m->program->zebin ? (uintptr_t)og_zebin_section(m->program->zebin, name) : 0;
}

/* What a kernel may ask about an image or sampler. */
static uint32_t image_property(const struct og_visa_argument *argument, uint8_t what) {
  const struct og_visa_image *image = &argument->image;
  switch (what) {
  case OG_VISA_PAYLOAD_IMAGE_WIDTH: return image->width;
  case OG_VISA_PAYLOAD_IMAGE_HEIGHT: return image->height;
  case OG_VISA_PAYLOAD_IMAGE_DEPTH: return image->dimensions == 3 ? image->depth : 0;
  case OG_VISA_PAYLOAD_IMAGE_LAYERS: return image->array ? image->depth : 0;
  case OG_VISA_PAYLOAD_IMAGE_TYPE: return og_visa_image_channel_type(image);
  case OG_VISA_PAYLOAD_IMAGE_ORDER: return og_visa_image_channel_order(image);
  case OG_VISA_PAYLOAD_SAMPLER_SNAP:
    return argument->sampler.address == OG_VISA_SAMPLER_BORDER && !argument->sampler.linear ? UINT32_MAX : 0;
  case OG_VISA_PAYLOAD_SAMPLER_NORMALIZED: return argument->sampler.normalized;
  default: return argument->sampler.address;
  }
}

static bool put_value(struct og_vx_machine *m, const struct og_visa_payload_entry *entry,
                      const struct og_visa_argument *argument, uint8_t *to) {
  if (!argument || argument->kind != OG_VISA_ARGUMENT_VALUE || entry->source_offset >= argument->size)
    return wrong_argument(m, entry->argument, "a value");
  if (entry->source_offset + entry->size > argument->size && entry->source_offset == 0 &&
      argument->size < entry->size && entry->size > 4)
    return wrong_argument(m, entry->argument,
                          og_visa_types[OG_VISA_Q].size == entry->size ? "a value of 8 bytes" : "a larger value");
  memcpy(to, argument->value + entry->source_offset,
         OG_MIN((size_t)entry->size, argument->size - entry->source_offset));
  return true;
}

/* A buffer, or an address that is given as a number. */
static bool put_pointer(struct og_vx_machine *m, const struct og_visa_payload_entry *entry,
                        const struct og_visa_argument *argument, uint8_t *to) {
  bool number = argument && argument->kind == OG_VISA_ARGUMENT_VALUE && argument->size == 8;
  if (!number && (!argument || argument->kind != OG_VISA_ARGUMENT_BUFFER))
    return wrong_argument(m, entry->argument, "a buffer");
  put_word(to, entry->size, number ? og_load64(argument->value) : (uintptr_t)argument->buffer);
  return true;
}

/* Writes an entry that is the same for all groups. */
static bool put_entry(struct og_vx_machine *m, const struct og_visa_payload_entry *entry) {
  const struct og_visa_dispatch *dispatch = m->dispatch;
  uint64_t at = (uint64_t)m->cross_thread + entry->offset;
  if (at + entry->size > OG_VX_PAYLOAD_MOST)
    return og_vx_cannot_run(m, "an argument lies beyond the largest payload");
  uint8_t *to = m->payload + at;
  const struct og_visa_argument *argument = entry->argument >= 0 && (uint32_t)entry->argument < dispatch->argument_count
                                                ? &dispatch->arguments[entry->argument]
                                                : NULL;
  uint32_t counts[3], offsets[3];
  for (uint32_t i = 0; i < 3; i++) {
    counts[i] = (dispatch->grid[i] + dispatch->group[i] - 1) / dispatch->group[i];
    offsets[i] = (uint32_t)dispatch->offset[i];
  }
  switch (entry->what) {
  case OG_VISA_PAYLOAD_VALUE: return put_value(m, entry, argument, to);
  case OG_VISA_PAYLOAD_POINTER: return put_pointer(m, entry, argument, to);
  case OG_VISA_PAYLOAD_SLM:
    if (!argument || argument->kind != OG_VISA_ARGUMENT_SLM)
      return wrong_argument(m, entry->argument, "shared local memory (lds:BYTES)");
    put_word(to, entry->size, og_vx_slm_place(m, entry->argument));
    break;
  case OG_VISA_PAYLOAD_BINDLESS:
    put_word(to, entry->size, (uint64_t)(BINDLESS_FIRST + (int64_t)entry->argument) * 64);
    break;
  case OG_VISA_PAYLOAD_ENQUEUED_LOCAL_SIZE: put_triple(to, entry->size, dispatch->group); break;
  case OG_VISA_PAYLOAD_GLOBAL_SIZE: put_triple(to, entry->size, dispatch->grid); break;
  case OG_VISA_PAYLOAD_GROUP_COUNT: put_triple(to, entry->size, counts); break;
  case OG_VISA_PAYLOAD_GLOBAL_OFFSET: put_triple(to, entry->size, offsets); break;
  case OG_VISA_PAYLOAD_WORK_DIMENSIONS: put_word(to, entry->size, dispatch->dimensions); break;
  case OG_VISA_PAYLOAD_PRIVATE_BASE: put_word(to, entry->size, (uintptr_t)m->private_memory); break;
  case OG_VISA_PAYLOAD_CONST_BASE: put_word(to, entry->size, section_address(m, ".data.const")); break;
  case OG_VISA_PAYLOAD_GLOBAL_BASE: put_word(to, entry->size, section_address(m, ".data.global")); break;
  case OG_VISA_PAYLOAD_IMAGE:
    if (!argument || argument->kind != OG_VISA_ARGUMENT_IMAGE)
      return wrong_argument(m, entry->argument, "an image (image:FORMAT:SIZE:BUFFER)");
    break;
  case OG_VISA_PAYLOAD_SAMPLER:
    if (!argument || argument->kind != OG_VISA_ARGUMENT_SAMPLER)
      return wrong_argument(m, entry->argument, "a sampler (sampler:nearest,edge)");
    break;
  case OG_VISA_PAYLOAD_PRINTF: put_word(to, entry->size, (uintptr_t)m->crew->prints); break;
  case OG_VISA_PAYLOAD_OTHER:
  case OG_VISA_PAYLOAD_BUFFER_OFFSET: break; /* zero */
  default:
    if (argument && (argument->kind == OG_VISA_ARGUMENT_IMAGE || argument->kind == OG_VISA_ARGUMENT_SAMPLER))
      put_word(to, entry->size, image_property(argument, entry->what));
    break;
  }
  return true;
}

static bool put_arguments(struct og_vx_machine *m) {
  if (m->layout->argument_count != m->dispatch->argument_count)
    return og_error_in(m->diagnostics, m->program->file, "kernel '%s' takes %u argument%s, %u given",
                       m->program->kernel_name, m->layout->argument_count, m->layout->argument_count == 1 ? "" : "s",
                       m->dispatch->argument_count);
  for (uint32_t i = 0; i < m->layout->payload.count; i++)
    if (!put_entry(m, &m->layout->payload.items[i]))
      return false;
  return true;
}

static uint64_t readable(const void *base, uint64_t size) {
  return og_align_up((uintptr_t)base + size, OG_VX_READ_GRAIN) - (uintptr_t)base;
}

static struct og_vx_range range_of(const void *base, uint64_t size, bool writable) {
  return (struct og_vx_range){(uintptr_t)base, size, writable ? readable(base, size) : size, writable};
}

static void set_surface(struct og_vx_machine *m, uint32_t index, int32_t argument) {
  if (index >= OG_VX_SURFACES || argument < 0 || (uint32_t)argument >= m->dispatch->argument_count)
    return;
  const struct og_visa_argument *from = &m->dispatch->arguments[argument];
  if (from->kind == OG_VISA_ARGUMENT_IMAGE)
    m->group.images[index] = &from->image;
  if (from->kind == OG_VISA_ARGUMENT_BUFFER)
    m->group.surfaces[index] =
        (struct og_vx_surface){from->buffer, from->size, readable(from->buffer, from->size), true};
}

static void set_surfaces(struct og_vx_machine *m) {
  for (uint32_t i = 0; i < m->layout->bindings.count; i++)
    set_surface(m, m->layout->bindings.items[i].index, m->layout->bindings.items[i].argument);
  for (uint32_t i = 0; i < m->dispatch->argument_count; i++)
    set_surface(m, BINDLESS_FIRST + i, (int32_t)i);
}

static void set_samplers(struct og_vx_machine *m) {
  const struct og_visa_layout *layout = m->layout;
  for (uint32_t i = 0; i < layout->sampler_bindings.count; i++) {
    const struct og_visa_binding *binding = &layout->sampler_bindings.items[i];
    if (binding->index < OG_VX_SAMPLERS && binding->argument >= 0 &&
        (uint32_t)binding->argument < m->dispatch->argument_count)
      m->group.samplers[binding->index] = &m->dispatch->arguments[binding->argument].sampler;
  }
  for (uint32_t i = 0; i < layout->inline_samplers.count; i++)
    if (layout->inline_samplers.items[i].index < OG_VX_SAMPLERS)
      m->group.samplers[layout->inline_samplers.items[i].index] = &layout->inline_samplers.items[i].sampler;
}

static void set_ranges(struct og_arena *arena, struct og_vx_machine *m, size_t private_size) {
  const struct og_zebin *zebin = m->program->zebin;
  uint32_t count = 0, sections = zebin ? zebin->sections.count : 0;
  struct og_vx_range *ranges = OG_NEW_ARRAY(arena, struct og_vx_range, m->dispatch->argument_count + 2 + sections);
  for (uint32_t i = 0; i < m->dispatch->argument_count; i++) {
    const struct og_visa_argument *argument = &m->dispatch->arguments[i];
    if (argument->kind == OG_VISA_ARGUMENT_BUFFER)
      ranges[count++] = range_of(argument->buffer, argument->size, true);
  }
  ranges[count++] = range_of(m->private_memory, private_size, true);
  if (m->crew->prints)
    ranges[count++] =
        (struct og_vx_range){(uintptr_t)m->crew->prints, OG_VISA_PRINT_BUFFER, OG_VISA_PRINT_BUFFER, true};
  for (uint32_t i = 0; i < sections; i++)
    ranges[count++] =
        range_of(zebin->sections.items[i].bytes, zebin->sections.items[i].size, zebin->sections.items[i].writable);
  m->group.ranges = ranges;
  m->group.range_count = count;
}

static bool fits(const struct og_vx_machine *m, uint32_t base) {
  const struct og_vx_program *program = m->program;
  for (uint32_t i = 0; i < program->kernel->inputs.count; i++) {
    const struct og_visa_input *input = &program->kernel->inputs.items[i];
    bool found = og_visa_is_local_id(program, input, m->simd);
    for (uint32_t k = 0; k < m->layout->payload.count && !found; k++)
      found = (uint32_t)input->offset == base + m->layout->payload.items[k].offset;
    if (!found)
      return false;
  }
  return true;
}

/* Where arguments begin: behind register 0 and the local ids. A thread that uses no local ids may still have a register
   for them, so the inputs decide. */
static uint32_t find_cross_thread(const struct og_vx_machine *m) {
  uint32_t base = m->program->grf_size + m->layout->per_thread_size;
  for (uint32_t step = 0; step < 8; step++)
    if (fits(m, base + step * m->program->grf_size))
      return base + step * m->program->grf_size;
  return base;
}

bool og_vx_bind_arguments(struct og_arena *arena, struct og_vx_machine *m, size_t private_size) {
  m->cross_thread = find_cross_thread(m);
  set_ranges(arena, m, private_size);
  set_surfaces(m);
  set_samplers(m);
  return put_arguments(m);
}

void og_vx_put_local_size(struct og_vx_machine *m, const uint32_t size[3]) {
  for (uint32_t i = 0; i < m->layout->payload.count; i++) {
    const struct og_visa_payload_entry *entry = &m->layout->payload.items[i];
    if (entry->what == OG_VISA_PAYLOAD_LOCAL_SIZE)
      put_triple(m->payload + m->cross_thread + entry->offset, entry->size, size);
  }
}
