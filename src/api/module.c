/* module.c - og_module: a code object that was opened to be looked at or run. */
#include "api/module.h"
#include "api/fill.h"
#include "inspect/disassemble.h"
#include "lint/lint.h"

#include <string.h>

og_module *og_module_open(const void *data, size_t size, const char *name, og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  og_module *module = OG_NEW(arena, og_module);
  module->arena = arena;
  name = og_arena_printf(arena, "%s", name ? name : "<memory>");
  const char *bytes = og_arena_copy_input(arena, name, data, size, diagnostics);
  module->code = bytes ? og_code_object_open(arena, name, bytes, size, diagnostics) : NULL;
  if (!module->code) {
    og_arena_free(arena);
    return NULL;
  }
  struct og_buffer id = {0};
  og_target_print_id(&module->code->target, OG_MAX(module->code->version, 4), &id);
  module->target = og_arena_copy(arena, (const char *)id.data, id.size);
  og_buffer_free(&id);
  return module;
}

void og_module_free(og_module *module) {
  if (module)
    og_arena_free(module->arena);
}

const char *og_module_target(const og_module *module) { return module->target; }

size_t og_module_kernel_count(const og_module *module) { return module->code->kernel_count; }

static uint32_t explicit_arguments(const struct og_kernel *kernel) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < kernel->arg_count; i++)
    count += !og_kernel_arg_hidden(&kernel->args[i]);
  return count;
}

static og_argument_form form_of(const char *value_kind) {
  static const struct {
    const char *kind;
    og_argument_form form;
  } forms[] = {{"by_value", OG_ARGUMENT_BY_VALUE},
               {"global_buffer", OG_ARGUMENT_GLOBAL},
               {"dynamic_shared_pointer", OG_ARGUMENT_DYNAMIC_LDS}};
  for (size_t i = 0; i < OG_COUNT(forms); i++)
    if (strcmp(value_kind, forms[i].kind) == 0)
      return forms[i].form;
  return OG_ARGUMENT_OTHER;
}

bool og_module_argument(const og_module *module, size_t kernel, size_t index, og_argument_info *info) {
  if (kernel >= module->code->kernel_count)
    return false;
  const struct og_kernel *of = &module->code->kernels[kernel];
  for (uint32_t i = 0; i < of->arg_count; i++) {
    const struct og_kernel_arg *arg = &of->args[i];
    if (og_kernel_arg_hidden(arg) || index--)
      continue;
    return OG_FILL(info, .name = arg->name, .type_name = arg->type_name, .form = form_of(arg->value_kind),
                   .offset = arg->offset, .size = arg->size);
  }
  return false;
}

size_t og_module_lint(const og_module *module, og_diagnostics *diagnostics) {
  return og_lint(module->code, &module->code->target, diagnostics);
}

bool og_module_kernel(const og_module *module, size_t index, og_kernel_info *info) {
  if (index >= module->code->kernel_count)
    return false;
  const struct og_kernel *kernel = &module->code->kernels[index];
  return OG_FILL(info, .name = kernel->name, .vgprs = kernel->start.vgprs_total, .agprs = kernel->agpr_count,
                 .sgprs = kernel->start.sgprs, .lds_size = kernel->group_size, .scratch_size = kernel->private_size,
                 .kernarg_size = kernel->kernarg_size, .kernarg_align = kernel->kernarg_align,
                 .wave_size = kernel->wavefront_size, .argument_count = explicit_arguments(kernel));
}

bool og_module_code(const og_module *module, size_t index, og_code_section *section) {
  const struct og_object *object = module->code->elf;
  for (uint32_t i = 1; i < object->sections.count; i++) {
    const struct og_section *s = &object->sections.items[i];
    if (!(s->flags & SHF_EXECINSTR) || !s->data || index--)
      continue;
    return OG_FILL(section, .name = s->name, .code = s->data, .size = s->size, .address = s->address);
  }
  return false;
}

bool og_module_source(const og_module *module, og_bytes *source, og_diagnostics *diagnostics) {
  struct og_dis_options options = {0};
  struct og_buffer out = {0};
  *source = (og_bytes){0};
  return og_hand_out(og_disassemble_object(module->code->elf, &options, &out, diagnostics), &out, source);
}
