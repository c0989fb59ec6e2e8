/* info.c - `offgrid info` of a vISA file: what each kernel declares, takes and needs, as text or JSON. */
#include "visa/table.h"

#include <string.h>

static const uint32_t align_bytes[] = {1, 2, 4, 8, 16, 32, 64, 32, 64, 128};

/* Registers if each used variable had a place of its own all the time: the most that an allocator would need. */
static uint32_t estimate_registers(const struct og_visa_kernel *kernel, uint32_t grf, struct og_arena *arena) {
  bool *used = OG_NEW_ARRAY(arena, bool, kernel->general.count);
  for (uint32_t i = 0; i < kernel->insts.count; i++)
    for (unsigned j = 0; j < kernel->insts.items[i].operand_count; j++) {
      const struct og_visa_operand *operand = &kernel->insts.items[i].operands[j];
      bool general = operand->kind == OG_VISA_GENERAL || operand->kind == OG_VISA_RAW ||
                     (operand->kind == OG_VISA_ADDRESS_OF && operand->state_class == 'G');
      uint32_t offset;
      if (general)
        used[og_visa_resolve_alias(kernel, operand->variable, &offset)] = true;
    }
  uint64_t bytes = grf; /* r0 */
  for (uint32_t i = OG_VISA_FIRST_GENERAL; i < kernel->general.count; i++) {
    const struct og_visa_variable *variable = &kernel->general.items[i];
    uint32_t size = og_visa_variable_size(variable);
    if (used[i])
      bytes = og_align_up(bytes, size >= grf ? grf : OG_MIN(align_bytes[variable->align], grf)) + size;
  }
  return (uint32_t)((bytes + grf - 1) / grf);
}

static unsigned count_instructions(const struct og_visa_kernel *kernel) {
  unsigned count = 0;
  for (uint32_t i = 0; i < kernel->insts.count; i++)
    count +=
        kernel->insts.items[i].opcode != OG_VISA_OP_LABEL && kernel->insts.items[i].opcode != OG_VISA_OP_SUBROUTINE;
  return count;
}

static void print_general(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out) {
  const struct og_visa_variable *variable = &kernel->general.items[index];
  og_buffer_printf(out, "    %-12s %-4s %5u elements %6u bytes  %s", variable->name, og_visa_types[variable->type].name,
                   variable->elements, og_visa_variable_size(variable), og_visa_align_names[variable->align]);
  if (variable->alias)
    og_buffer_printf(out, "  byte %u of %s", variable->alias_offset, kernel->general.items[variable->alias].name);
  og_buffer_text(out, "\n");
}

static void print_table(const struct og_visa_variables *table, char class, uint32_t first, struct og_buffer *out) {
  for (uint32_t i = first; i < table->count; i++)
    og_buffer_printf(out, "    %c%-11u %5u elements%s%s\n", class, i, table->items[i].elements,
                     class == 'S' || class == 'T' ? "  " : "",
                     class == 'S' || class == 'T' ? table->items[i].name : "");
}

static void print_text(const struct og_visa_kernel *kernel, uint32_t registers, uint32_t grf, struct og_buffer *out) {
  og_buffer_printf(out, "%s %s\n", kernel->function ? "function" : "kernel", kernel->name);
  og_buffer_printf(out, "  instructions  %u\n  registers     %u of %u bytes, without sharing\n",
                   count_instructions(kernel), registers, grf);
  og_buffer_text(out, "  attributes\n");
  for (uint32_t i = 0; i < kernel->attributes.count; i++) {
    const struct og_visa_attribute *attribute = &kernel->attributes.items[i];
    if (attribute->text)
      og_buffer_printf(out, "    %-20s %s\n", attribute->name, attribute->text);
    else
      og_buffer_printf(out, "    %-20s %lld\n", attribute->name, attribute->size ? (long long)attribute->value : 1);
  }
  og_buffer_text(out, "  inputs\n");
  for (uint32_t i = 0; i < kernel->inputs.count; i++) {
    const struct og_visa_input *input = &kernel->inputs.items[i];
    og_buffer_printf(out, "    %-12s %c  offset %5d  size %5u  r%d.%d%s\n",
                     og_visa_variables_of(kernel, input->class)->items[input->variable].name, input->class,
                     input->offset, input->size, input->offset / (int)grf, input->offset % (int)grf,
                     input->implicit ? "  implicit" : "");
  }
  og_buffer_printf(out, "  variables\n");
  for (uint32_t i = OG_VISA_FIRST_GENERAL; i < kernel->general.count; i++)
    print_general(kernel, i, out);
  print_table(&kernel->address, 'A', 0, out);
  print_table(&kernel->predicate, 'P', OG_VISA_FIRST_PREDICATE, out);
  print_table(&kernel->sampler, 'S', 0, out);
  print_table(&kernel->surface, 'T', OG_VISA_FIRST_SURFACE, out);
}

static void json_text(struct og_buffer *out, const char *text) { og_buffer_json(out, text, strlen(text)); }

static void print_json(const struct og_visa_kernel *kernel, uint32_t registers, struct og_buffer *out) {
  og_buffer_text(out, "{\"name\":");
  json_text(out, kernel->name);
  og_buffer_printf(out, ",\"function\":%s,\"instructions\":%u,\"registers\":%u,\"attributes\":{",
                   kernel->function ? "true" : "false", count_instructions(kernel), registers);
  for (uint32_t i = 0; i < kernel->attributes.count; i++) {
    const struct og_visa_attribute *attribute = &kernel->attributes.items[i];
    og_buffer_text(out, i ? "," : "");
    json_text(out, attribute->name);
    og_buffer_text(out, ":");
    if (attribute->text)
      json_text(out, attribute->text);
    else
      og_buffer_printf(out, "%lld", attribute->size ? (long long)attribute->value : 1);
  }
  og_buffer_text(out, "},\"inputs\":[");
  for (uint32_t i = 0; i < kernel->inputs.count; i++) {
    const struct og_visa_input *input = &kernel->inputs.items[i];
    og_buffer_text(out, i ? ",{\"variable\":" : "{\"variable\":");
    json_text(out, og_visa_variables_of(kernel, input->class)->items[input->variable].name);
    og_buffer_printf(out, ",\"class\":\"%c\",\"offset\":%d,\"size\":%u,\"implicit\":%u}", input->class, input->offset,
                     input->size, input->implicit);
  }
  og_buffer_text(out, "],\"variables\":[");
  for (uint32_t i = OG_VISA_FIRST_GENERAL; i < kernel->general.count; i++) {
    const struct og_visa_variable *variable = &kernel->general.items[i];
    og_buffer_text(out, i > OG_VISA_FIRST_GENERAL ? ",{\"name\":" : "{\"name\":");
    json_text(out, variable->name);
    og_buffer_printf(out, ",\"type\":\"%s\",\"elements\":%u,\"bytes\":%u,\"align\":\"%s\"",
                     og_visa_types[variable->type].name, variable->elements, og_visa_variable_size(variable),
                     og_visa_align_names[variable->align]);
    if (variable->alias) {
      og_buffer_text(out, ",\"alias\":");
      json_text(out, kernel->general.items[variable->alias].name);
      og_buffer_printf(out, ",\"alias_offset\":%u", variable->alias_offset);
    }
    og_buffer_text(out, "}");
  }
  og_buffer_printf(out, "],\"addresses\":%u,\"predicates\":%u,\"samplers\":%u,\"surfaces\":%u}", kernel->address.count,
                   kernel->predicate.count - OG_VISA_FIRST_PREDICATE, kernel->sampler.count,
                   kernel->surface.count - OG_VISA_FIRST_SURFACE);
}

void og_visa_info(const struct og_visa *visa, int platform, bool json, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  uint32_t grf = og_visa_platforms[platform < 0 ? OG_VISA_PVC : platform].grf_size;
  if (json)
    og_buffer_printf(out, "{\"format\":\"vISA\",\"version\":\"%u.%u\",\"kernels\":[", visa->major, visa->minor);
  else
    og_buffer_printf(out, "vISA %u.%u\n", visa->major, visa->minor);
  for (uint32_t i = 0; i < visa->kernels.count; i++) {
    const struct og_visa_kernel *kernel = visa->kernels.items[i];
    uint32_t registers = estimate_registers(kernel, grf, arena);
    if (json) {
      og_buffer_text(out, i ? "," : "");
      print_json(kernel, registers, out);
    } else {
      print_text(kernel, registers, grf, out);
    }
  }
  og_buffer_text(out, json ? "]}\n" : "");
  og_arena_free(arena);
}
