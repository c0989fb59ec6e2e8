/* loader.c - loads segments into memory of their own and relocates them there; their code becomes a program for each
 * wave size. */
#include "runtime/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Whether the code may run on the agent. Before V4 files cannot leave a feature's setting open: LLVM then wrote on, GCC
 * off, so neither means anything. */
static bool fits(const struct og_code_object *code, const struct og_load_options *options,
                 struct og_diagnostics *diagnostics) {
  const struct og_target *agent = options->agent;
  struct og_target target = code->target;
  const char *differs;
  if (code->version < 4) {
    target.xnack = OG_ANY;
    target.sramecc = OG_ANY;
  }
  if (!agent || og_target_runs(agent, &target, &differs))
    return true;
  if (options->unfit)
    *options->unfit = true;
  struct og_buffer ids = {0};
  og_buffer_text(&ids, "the code object is for ");
  og_target_print_id(&code->target, code->version, &ids);
  og_buffer_text(&ids, ", the agent is ");
  og_target_print_id(agent, 4, &ids);
  og_error_in(diagnostics, code->elf->name, "%.*s: they differ in %s", (int)ids.size, (const char *)ids.data, differs);
  og_buffer_free(&ids);
  return false;
}

/* Finds a variable or function that another loaded code object defines. */
static bool resolve(void *context, const struct og_symbol *symbol, uint64_t *address) {
  const struct og_executable *asking = context;
  uint64_t size;
  bool found = false;
  pthread_mutex_lock(&asking->runtime->lock);
  for (const struct og_executable *other = asking->runtime->executables; other && !found; other = other->next)
    found = other != asking && og_executable_symbol(other, og_text(symbol->name), address, &size);
  pthread_mutex_unlock(&asking->runtime->lock);
  return found;
}

/* Reserves the executable's addresses and fills them. */
static bool place(struct og_executable *executable, struct og_diagnostics *diagnostics) {
  const struct og_code_object *code = executable->code;
  const char *name = code->elf->name;
  if (code->elf->type != ET_DYN)
    return og_error_in(diagnostics, name, "a relocatable object cannot be loaded: link it first (offgrid ld)");
  if (code->load_size == 0)
    return og_error_in(diagnostics, name, "the code object has no loadable segment");
  executable->mapped = og_align_up(code->load_size, OG_PAGE);
  executable->mapping = og_map_pages(executable->mapped, OG_MAX(code->load_align, 1));
  if (!executable->mapping)
    return og_error_in(diagnostics, name, "no memory for %" PRIu64 " bytes of segments", code->load_size);
  executable->start = (uintptr_t)executable->mapping;
  executable->size = code->load_size;
  return og_code_object_place(code, executable->mapping, diagnostics);
}

bool og_load_relocate(struct og_executable *executable, struct og_diagnostics *diagnostics) {
  return og_code_object_relocate(executable->code, executable->mapping, executable->start, executable->resolve,
                                 executable->context, diagnostics);
}

/* How many bytes kernels reach from a segment's beginning: its own, or all of its pages except where the next one
 * begins. Addresses rise from segment to segment, or the file would not have been placed. */
static uint64_t reachable_size(const struct og_executable *executable, uint32_t index) {
  const struct og_code_object *code = executable->code;
  const struct og_segment *segment = &code->elf->segments.items[index], *other;
  if (!executable->whole_pages)
    return segment->memory_size;
  uint64_t address = segment->address, end = og_align_up(address + segment->memory_size, OG_PAGE);
  if (code->got_slots && code->got > address)
    end = OG_MIN(end, code->got);
  for (uint32_t i = index + 1; i < code->elf->segments.count; i++) {
    other = &code->elf->segments.items[i];
    if (other->type != PT_LOAD || !other->memory_size)
      continue;
    end = OG_MIN(end, other->address);
    break;
  }
  return OG_MAX(OG_MIN(end, (uint64_t)executable->mapped) - address, segment->memory_size);
}

/* Lets kernels read what is loaded and write what is writable. */
static bool share_segments(struct og_executable *executable, struct og_diagnostics *diagnostics) {
  const struct og_object *elf = executable->code->elf;
  uint64_t got = executable->start + executable->code->got;
  if (executable->code->got_slots &&
      !og_memory_map_add(executable->runtime->map, got, 8 * (uint64_t)executable->code->got_slots, OG_MEMORY_READ))
    return og_error_in(diagnostics, elf->name, "no memory for the table of addresses");
  for (uint32_t i = 0; i < elf->segments.count; i++) {
    const struct og_segment *segment = &elf->segments.items[i];
    if (segment->type != PT_LOAD || segment->memory_size == 0)
      continue;
    unsigned access = OG_MEMORY_READ | (segment->flags & PF_W ? OG_MEMORY_WRITE : 0);
    if (!og_memory_map_add(executable->runtime->map, executable->start + segment->address,
                           reachable_size(executable, i), access))
      return og_error_in(diagnostics, elf->name, "segment %u overlaps another", i);
  }
  return true;
}

static void unshare_segments(struct og_executable *executable) {
  const struct og_object *elf = executable->code->elf;
  if (executable->code->got_slots)
    og_memory_map_remove(executable->runtime->map, executable->start + executable->code->got);
  for (uint32_t i = 0; i < elf->segments.count; i++)
    if (elf->segments.items[i].type == PT_LOAD && elf->segments.items[i].memory_size)
      og_memory_map_remove(executable->runtime->map, executable->start + elf->segments.items[i].address);
}

static int compare_objects(const void *a, const void *b) {
  const struct og_kernel *const *first = a, *const *second = b;
  return ((*first)->object > (*second)->object) - ((*first)->object < (*second)->object);
}

/* Sorted by address: libraries have thousands of kernels, and every dispatch looks for one by its address. */
static void sort_kernels(struct og_executable *executable) {
  const struct og_code_object *code = executable->code;
  executable->by_object = OG_NEW_ARRAY(executable->arena, const struct og_kernel *, code->kernel_count);
  for (uint32_t i = 0; i < code->kernel_count; i++)
    executable->by_object[i] = &code->kernels[i];
  qsort(executable->by_object, code->kernel_count, sizeof *executable->by_object, compare_objects);
}

static bool make_program(struct og_executable *executable, unsigned wave_size, uint64_t from, uint64_t to,
                         struct og_diagnostics *diagnostics) {
  struct og_target target = executable->target;
  if (wave_size == 32 ? !target.processor->wave32 : !target.processor->wave64)
    return true;
  target.wave_size = (uint8_t)wave_size;
  struct og_program *program = og_program_new(&target, executable->mapping + from, (to - from) & ~3ull);
  if (program)
    og_tier_attach(program, executable->runtime->options.compile);
  executable->programs[wave_size == 32] = program;
  return program || og_error_in(diagnostics, executable->code->elf->name, "no memory for the decoded code");
}

/* Programs cover what the file holds of all executable segments; the zeros behind that are no code. There is one for
 * each wave size: only a kernel's descriptor, not e_flags, says how wide its waves are. */
static bool make_programs(struct og_executable *executable, struct og_diagnostics *diagnostics) {
  const struct og_object *elf = executable->code->elf;
  uint64_t from = UINT64_MAX, to = 0;
  for (uint32_t i = 0; i < elf->segments.count; i++) {
    const struct og_segment *segment = &elf->segments.items[i];
    if (segment->type != PT_LOAD || !(segment->flags & PF_X) || segment->file_size == 0)
      continue;
    from = OG_MIN(from, segment->address & ~3ull);
    to = OG_MAX(to, segment->address + OG_MIN(segment->file_size, segment->memory_size));
  }
  if (from >= to) /* it has only variables */
    return true;
  return make_program(executable, 64, from, to, diagnostics) && make_program(executable, 32, from, to, diagnostics);
}

struct og_executable *og_load_with(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                                   const struct og_load_options *options, struct og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  struct og_executable *executable = OG_NEW(arena, struct og_executable);
  executable->arena = arena;
  executable->runtime = runtime;
  executable->bytes = (uint8_t *)og_arena_copy_input(arena, name, bytes, size, diagnostics);
  name = og_arena_printf(arena, "%s", name);
  if (executable->bytes)
    executable->code = og_code_object_open(arena, name, executable->bytes, size, diagnostics);
  if (!executable->code) {
    og_arena_free(arena);
    return NULL;
  }
  sort_kernels(executable);
  executable->kept = og_kept_new();
  executable->target = executable->code->target;
  executable->version = executable->code->version;
  executable->whole_pages = options->whole_pages;
  executable->resolve = options->resolve ? options->resolve : resolve;
  executable->context = options->resolve ? options->context : executable;
  bool fine = fits(executable->code, options, diagnostics) && place(executable, diagnostics) &&
              (options->unrelocated || og_load_relocate(executable, diagnostics)) &&
              make_programs(executable, diagnostics) && share_segments(executable, diagnostics);
  pthread_mutex_lock(&runtime->lock);
  executable->users = 1;
  executable->next = runtime->executables;
  runtime->executables = executable;
  pthread_mutex_unlock(&runtime->lock);
  if (fine)
    return executable;
  og_unload(executable);
  return NULL;
}

struct og_executable *og_load(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                              struct og_diagnostics *diagnostics) {
  return og_load_with(runtime, name, bytes, size, &(struct og_load_options){0}, diagnostics);
}

/* The caller holds the runtime's lock. */
static struct og_executable *loaded_at(struct og_runtime *runtime, uint64_t address) {
  struct og_executable *found = runtime->executables;
  while (found && address - found->start >= found->size)
    found = found->next;
  return found;
}

void og_unload(struct og_executable *executable) {
  struct og_runtime *runtime = executable->runtime;
  pthread_mutex_lock(&runtime->lock);
  struct og_executable **link = &runtime->executables;
  while (*link && *link != executable)
    link = &(*link)->next;
  if (*link)
    *link = executable->next;
  pthread_mutex_unlock(&runtime->lock);
  og_executable_let_go(executable);
}

struct og_executable *og_executable_hold(struct og_runtime *runtime, uint64_t address) {
  pthread_mutex_lock(&runtime->lock);
  struct og_executable *found = loaded_at(runtime, address);
  if (found)
    found->users++;
  pthread_mutex_unlock(&runtime->lock);
  return found;
}

void og_executable_let_go(struct og_executable *executable) {
  struct og_runtime *runtime = executable->runtime;
  pthread_mutex_lock(&runtime->lock);
  unsigned left = --executable->users;
  pthread_mutex_unlock(&runtime->lock);
  if (left > 0)
    return;
  for (size_t i = 0; i < OG_COUNT(executable->programs); i++)
    og_program_free(executable->programs[i]);
  if (executable->mapping) {
    unshare_segments(executable);
    munmap(executable->mapping, executable->mapped);
  }
  og_kept_free(executable->kept);
  og_arena_free(executable->arena);
}

struct og_executable *og_loaded_at(struct og_runtime *runtime, uint64_t address) {
  pthread_mutex_lock(&runtime->lock);
  struct og_executable *found = loaded_at(runtime, address);
  pthread_mutex_unlock(&runtime->lock);
  return found;
}

const struct og_kernel *og_executable_kernel(const struct og_executable *executable, struct og_text name) {
  return og_code_object_kernel(executable->code, name);
}

const struct og_kernel *og_executable_kernel_at(const struct og_executable *executable, uint64_t kernel_object) {
  const struct og_kernel wanted = {.object = kernel_object - executable->start}, *key = &wanted;
  const struct og_kernel *const *found = bsearch(&key, executable->by_object, executable->code->kernel_count,
                                                 sizeof *executable->by_object, compare_objects);
  return found ? *found : NULL;
}

uint64_t og_kernel_object(const struct og_executable *executable, const struct og_kernel *kernel) {
  return executable->start + kernel->object;
}

bool og_executable_symbol(const struct og_executable *executable, struct og_text name, uint64_t *address,
                          uint64_t *size) {
  const struct og_symbol *symbol = og_object_find_symbol(executable->code->elf, name);
  if (!symbol || symbol->section == OG_SECTION_UNDEFINED)
    return false;
  *address = symbol->section == OG_SECTION_ABSOLUTE ? symbol->value : executable->start + symbol->value;
  *size = symbol->size;
  return true;
}

/* Finds the nearest function symbol at or before an offset, unless *best is nearer. */
static void nearest_function(const struct og_symbol *symbols, uint32_t count, uint64_t offset,
                             const struct og_symbol **best) {
  for (uint32_t i = 0; i < count; i++) {
    const struct og_symbol *symbol = &symbols[i];
    bool is_code = symbol->type == STT_FUNC || symbol->type == OG_STT_AMDGPU_HSA_KERNEL;
    if (is_code && symbol->value <= offset && (!*best || symbol->value > (*best)->value))
      *best = symbol;
  }
}

void og_executable_locate(const struct og_executable *executable, uint64_t address, struct og_buffer *out) {
  const struct og_object *elf = executable->code->elf;
  uint64_t offset = address - executable->start;
  const struct og_symbol *best = NULL;
  nearest_function(elf->symbols.items, elf->symbols.count, offset, &best);
  nearest_function(elf->dynamic_symbols.items, elf->dynamic_symbols.count, offset, &best);
  uint64_t start = best ? best->value : 0;
  const char *name = best ? best->name : NULL;
  for (uint32_t i = 0; i < executable->code->kernel_count; i++) { /* their code may have just a plain label, or none */
    const struct og_kernel *kernel = &executable->code->kernels[i];
    if (kernel->entry <= offset && (!name || kernel->entry > start))
      start = kernel->entry, name = kernel->name;
  }
  if (offset < executable->size && name)
    og_buffer_printf(out, "%s+0x%llx", name, (unsigned long long)(offset - start));
  else
    og_buffer_printf(out, "0x%llx", (unsigned long long)address);
}
