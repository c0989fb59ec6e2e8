/* infer.c - where a kernel's arguments go when no zebin tells: from its inputs and the arguments' kinds. */
#include "visa/infer.h"

#include <string.h>

enum { DEFAULT_SLM = 1 << 16 };

const struct og_visa_variable *og_visa_input_variable(const struct og_vx_program *program,
                                                      const struct og_visa_input *input) {
  const struct og_visa_variables *general = &program->kernel->general;
  return input->class == 'G' && input->variable < general->count ? &general->items[input->variable] : NULL;
}

/* Where a register holds fewer words than the thread has channels, each half of them has its own inputs. */
bool og_visa_is_local_id(const struct og_vx_program *program, const struct og_visa_input *input, uint32_t simd) {
  const struct og_visa_variable *variable = og_visa_input_variable(program, input);
  return variable && (variable->type == OG_VISA_W || variable->type == OG_VISA_UW) &&
         variable->elements >= OG_MIN(simd, program->grf_size / 2) && simd > 1;
}

static struct og_visa_payload_entry *add_entry(struct og_arena *arena, struct og_visa_layout *layout, uint8_t what,
                                               int32_t argument, const struct og_visa_input *input, uint32_t base) {
  struct og_visa_payload_entry *entry = OG_PUSH(arena, &layout->payload);
  *entry = (struct og_visa_payload_entry){what, argument, (uint32_t)input->offset - base, input->size, 0};
  return entry;
}

/* Of two triples the second is the enqueued local size; the first may be the global or the local size. */
bool og_visa_is_ambiguous(const struct og_vx_program *program, const struct og_visa_dispatch *dispatch) {
  uint32_t triples = 0;
  for (uint32_t i = 0; i < program->kernel->inputs.count; i++)
    triples += program->kernel->inputs.items[i].size == 12;
  return triples == 2 && memcmp(dispatch->grid, dispatch->group, sizeof dispatch->grid) != 0;
}

/* The compiler's order: header, local pointers, global pointers, values, then what it adds. Each list is in the order of the
   source, so the arguments' kinds and the inputs' sizes tell most layouts apart. */
struct og_visa_layout *og_visa_infer_layout(struct og_arena *arena, const struct og_vx_program *program,
                                            const struct og_visa_dispatch *dispatch, uint32_t simd) {
  const struct og_visa_kernel *kernel = program->kernel;
  struct og_visa_layout *layout = OG_NEW(arena, struct og_visa_layout);
  uint32_t at = 0, count = kernel->inputs.count;
  const struct og_visa_input *inputs = kernel->inputs.items;
  layout->argument_count = dispatch->argument_count;
  layout->slm_size = DEFAULT_SLM;
  while (at < count && og_visa_is_local_id(program, &inputs[at], simd))
    at++;
  layout->per_thread_size = at < count ? (uint32_t)inputs[at].offset - program->grf_size : 0;
  uint32_t base = program->grf_size + layout->per_thread_size;
  if (at < count && inputs[at].size == 32) {
    add_entry(arena, layout, OG_VISA_PAYLOAD_GLOBAL_OFFSET, -1, &inputs[at], base)->size = 12;
    struct og_visa_payload_entry *entry = add_entry(arena, layout, OG_VISA_PAYLOAD_LOCAL_SIZE, -1, &inputs[at], base);
    entry->offset += 12;
    entry->size = 12;
    at++;
  }
  static const uint8_t order[] = {OG_VISA_ARGUMENT_SLM, OG_VISA_ARGUMENT_BUFFER, OG_VISA_ARGUMENT_VALUE};
  static const uint8_t kinds[] = {OG_VISA_PAYLOAD_VALUE, OG_VISA_PAYLOAD_POINTER, OG_VISA_PAYLOAD_SLM};
  for (uint32_t i = 0; i < dispatch->argument_count; i++) { /* surfaces and samplers count in the order of the source */
    uint8_t kind = dispatch->arguments[i].kind;
    if (kind == OG_VISA_ARGUMENT_BUFFER || kind == OG_VISA_ARGUMENT_IMAGE)
      *OG_PUSH(arena, &layout->bindings) = (struct og_visa_binding){layout->bindings.count - 1, (int32_t)i};
    if (kind == OG_VISA_ARGUMENT_SAMPLER)
      *OG_PUSH(arena, &layout->sampler_bindings) =
          (struct og_visa_binding){layout->sampler_bindings.count - 1, (int32_t)i};
  }
  for (uint32_t pass = 0; pass < OG_COUNT(order); pass++)
    for (uint32_t i = 0; i < dispatch->argument_count; i++) {
      const struct og_visa_argument *argument = &dispatch->arguments[i];
      if (argument->kind != order[pass])
        continue;
      for (uint32_t done = 0; at < count;) { /* structs come in pieces */
        add_entry(arena, layout, kinds[argument->kind], (int32_t)i, &inputs[at], base)->source_offset = done;
        done += inputs[at++].size;
        if (argument->kind != OG_VISA_ARGUMENT_VALUE || done >= argument->size)
          break;
      }
    }
  uint32_t triples = 0, seen = 0;
  for (uint32_t i = at; i < count; i++)
    triples += inputs[i].size == 12;
  static const uint8_t rest[3] = {OG_VISA_PAYLOAD_GLOBAL_SIZE, OG_VISA_PAYLOAD_LOCAL_SIZE,
                                  OG_VISA_PAYLOAD_ENQUEUED_LOCAL_SIZE};
  for (; at < count; at++) {
    uint8_t what = inputs[at].size == 12  ? rest[OG_MIN(3 - OG_MIN(triples, 3u) + seen++, 2u)]
                   : inputs[at].size == 8 ? OG_VISA_PAYLOAD_PRIVATE_BASE
                                          : OG_VISA_PAYLOAD_BUFFER_OFFSET;
    add_entry(arena, layout, what, -1, &inputs[at], base);
  }
  return layout;
}
