/* arguments.c - makes the kernarg segment: explicit arguments in order, hidden ones by their kind in the metadata. */
#include "runtime/arguments.h"
#include "runtime/internal.h"
#include "runtime/services.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DYNAMIC_STACK = 16384 /* scratch per work-item if the compiler could not count it */ };

/* ---- text -> value ----------------------------------------------------------------------------------------------- */

static const struct scalar {
  const char *name;
  char class; /* i, u, f */
  uint8_t size;
} scalars[] = {
    {"i8", 'i', 1},  {"u8", 'u', 1},  {"i16", 'i', 2}, {"u16", 'u', 2}, {"f16", 'f', 2}, {"i32", 'i', 4},
    {"u32", 'u', 4}, {"f32", 'f', 4}, {"i64", 'i', 8}, {"u64", 'u', 8}, {"f64", 'f', 8},
};

/* Rounds to the nearest float of that size; too large becomes infinite. */
static void put_float(uint8_t *out, double number, size_t size) {
  if (size == 8) {
    memcpy(out, &number, 8);
  } else if (size == 4) {
    float single = (float)number;
    memcpy(out, &single, 4);
  } else {
    _Float16 half = (_Float16)number;
    memcpy(out, &half, 2);
  }
}

static bool parse_number(const char *text, const struct scalar *scalar, uint8_t *out) {
  char *end;
  errno = 0;
  if (scalar->class == 'f') {
    put_float(out, strtod(text, &end), scalar->size);
    return end != text && !*end;
  }
  unsigned bits = 8u * scalar->size;
  uint64_t value;
  bool fits;
  if (*text == '-') {
    int64_t negative = strtoll(text, &end, 0);
    value = (uint64_t)negative;
    fits = scalar->class == 'i' && negative >= INT64_MIN >> (64 - bits);
  } else {
    value = strtoull(text, &end, 0);
    fits = value <= UINT64_MAX >> (64 - bits); /* also takes the bit patterns of negative numbers */
  }
  memcpy(out, &value, scalar->size);
  return fits && errno == 0 && end != text && !*end;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static bool parse_hex(struct og_arena *arena, const char *text, struct og_argument *argument) {
  size_t digits = strlen(text);
  uint8_t *bytes = og_arena_alloc(arena, digits / 2 + 1);
  for (size_t i = 0; i < digits; i++) {
    int digit = hex_digit(text[i]);
    if (digit < 0)
      return false;
    bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | digit);
  }
  argument->value = bytes;
  argument->size = digits / 2;
  return digits > 0 && digits % 2 == 0;
}

bool og_argument_parse(struct og_arena *arena, const char *text, struct og_argument *argument,
                       struct og_diagnostics *diagnostics) {
  *argument = (struct og_argument){.text = text};
  const char *colon = strchr(text, ':');
  struct og_text kind = {text, colon ? (size_t)(colon - text) : 0};
  if (og_text_is(kind, "struct")) {
    if (!parse_hex(arena, colon + 1, argument)) {
      argument->value = NULL;
      og_error_in(diagnostics, NULL, "--arg %s: expected an even number of hexadecimal digits", text);
    }
    return true;
  }
  for (size_t i = 0; i < OG_COUNT(scalars); i++) {
    if (!og_text_is(kind, scalars[i].name))
      continue;
    uint8_t *value = og_arena_alloc(arena, 8);
    argument->size = scalars[i].size;
    if (parse_number(colon + 1, &scalars[i], value))
      argument->value = value;
    else
      og_error_in(diagnostics, NULL, "--arg %s: expected a number that fits %s", text, scalars[i].name);
    return true;
  }
  return false;
}

/* ---- explicit arguments ------------------------------------------------------------------------------------------ */

static uint32_t count_explicit(const struct og_kernel *kernel) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < kernel->arg_count; i++)
    count += !og_kernel_arg_hidden(&kernel->args[i]);
  return count;
}

/* "(out: global_buffer, n: by_value 4 bytes)" */
static void print_signature(const struct og_kernel *kernel, struct og_buffer *out) {
  const char *separator = "";
  og_buffer_text(out, "(");
  for (uint32_t i = 0; i < kernel->arg_count; i++) {
    const struct og_kernel_arg *arg = &kernel->args[i];
    if (og_kernel_arg_hidden(arg))
      continue;
    og_buffer_printf(out, "%s%s%s%s", separator, arg->name, *arg->name ? ": " : "", arg->value_kind);
    if (strcmp(arg->value_kind, "by_value") == 0)
      og_buffer_printf(out, " %u bytes", arg->size);
    separator = ", ";
  }
  og_buffer_text(out, ")");
}

static bool wrong_count(const struct og_kernel *kernel, const char *file, uint32_t expected, uint32_t given,
                        struct og_diagnostics *diagnostics) {
  struct og_buffer signature = {0};
  print_signature(kernel, &signature);
  og_error_in(diagnostics, file, "kernel '%s' takes %u argument%s %.*s, %u given", kernel->name, expected,
              expected == 1 ? "" : "s", (int)signature.size, (char *)signature.data, given);
  og_buffer_free(&signature);
  return false;
}

static const char *describe(const struct og_argument *argument) {
  static const char *const kinds[] = {"a value", "a buffer", "dynamic LDS"};
  return argument->text ? argument->text : kinds[argument->kind];
}

struct layout {
  uint8_t *bytes;
  size_t size;
  uint32_t lds; /* bytes used so far */
  uint32_t gap; /* bytes in front of each dynamic object */
};

enum {
  UNSAID_KERNARG = 256,
  LINE = 64, /* kernarg segments end with a whole cache line: compilers load more bytes than arguments need */
};

/* Hand-written code objects may not describe arguments at all; then there is room for some. */
static uint32_t kernarg_size(const struct og_kernel *kernel) {
  return kernel->kernarg_size || kernel->arg_count ? kernel->kernarg_size : UNSAID_KERNARG;
}

/* Places the argument's bytes in dynamic LDS; false: offsets would need more than 32 bits. */
static bool place_lds(struct layout *layout, uint32_t alignment, size_t size, uint64_t *at) {
  *at = og_align_up((uint64_t)layout->lds + layout->gap, OG_MAX(alignment, 16u));
  if (*at > UINT32_MAX || size > UINT32_MAX - *at)
    return false;
  layout->lds = (uint32_t)(*at + size);
  return true;
}

/* The bytes of an argument, arg->size of them; false if the argument's kind or size is not the parameter's. An argument
 * that is not a value is an address, of 8 bytes at most. */
static bool argument_bytes(const struct og_argument *argument, const struct og_kernel_arg *arg, struct layout *layout,
                           uint64_t *address, const uint8_t **bytes) {
  bool by_value = strcmp(arg->value_kind, "by_value") == 0;
  bool dynamic_lds = strcmp(arg->value_kind, "dynamic_shared_pointer") == 0;
  *bytes = (const uint8_t *)address;
  switch (argument->kind) {
  case OG_ARGUMENT_VALUE:
    *bytes = argument->value;
    return argument->size == arg->size && !dynamic_lds;
  case OG_ARGUMENT_BUFFER:
    *address = (uintptr_t)argument->buffer;
    return arg->size == 8 && (by_value || strcmp(arg->value_kind, "global_buffer") == 0 ||
                              strcmp(arg->value_kind, "image") == 0 || strcmp(arg->value_kind, "sampler") == 0);
  case OG_ARGUMENT_LDS:
    return dynamic_lds && (arg->size == 4 || arg->size == 8) && (arg->pointee_align & (arg->pointee_align - 1)) == 0 &&
           place_lds(layout, arg->pointee_align, argument->size, address);
  }
  return false;
}

static bool is_inside(const struct og_kernel_arg *arg, const struct layout *layout) {
  return arg->offset <= layout->size && arg->size <= layout->size - arg->offset;
}

/* 'f' or 'i' if the source's type is a scalar float or integer; 0 if it is another or not known. */
static char class_of_type(const char *type) {
  static const char *const floats[] = {"float", "double", "half", "_Float16"};
  static const char *const integers[] = {"int", "uint", "char", "uchar", "short", "ushort", "long", "ulong"};
  for (size_t i = 0; type && i < OG_COUNT(floats); i++)
    if (strcmp(type, floats[i]) == 0)
      return 'f';
  for (size_t i = 0; type && i < OG_COUNT(integers); i++)
    if (strcmp(type, integers[i]) == 0)
      return 'i';
  return 0;
}

/* A float given for an integer parameter, or an integer for a float one, has the right size but is probably a
 * mistake. */
static void warn_of_class(const struct og_kernel *kernel, const char *file, const struct og_kernel_arg *arg,
                          uint32_t number, const struct og_argument *argument, struct og_diagnostics *diagnostics) {
  char given = argument->kind == OG_ARGUMENT_VALUE && argument->text ? argument->text[0] : 0;
  char expected = class_of_type(arg->type_name);
  if (expected && (given == 'i' || given == 'u' || given == 'f') && (given == 'f') != (expected == 'f'))
    og_warning_in(diagnostics, file, "argument %u of kernel '%s'%s%s is of type %s; %s gives it the bits of %s", number,
                  kernel->name, *arg->name ? ", " : "", arg->name, arg->type_name, argument->text,
                  given == 'f' ? "a float" : "an integer");
}

/* If LDS has no room for gaps between objects, there are none. */
static uint32_t gap_of(const struct og_runtime *runtime, const struct og_executable *executable,
                       const struct og_kernel *kernel, const struct og_argument *arguments, uint32_t count) {
  uint32_t gap = runtime->options.lds_gap;
  uint64_t wanted = kernel->group_size;
  for (uint32_t i = 0; gap && i < count; i++)
    if (arguments[i].kind == OG_ARGUMENT_LDS)
      wanted += arguments[i].size + gap + 256; /* the most that alignment may take */
  return gap && wanted <= executable->target.processor->lds_bytes ? gap : 0;
}

static bool put_explicit(const struct og_kernel *kernel, const char *file, const struct og_argument *arguments,
                         uint32_t count, struct layout *layout, struct og_diagnostics *diagnostics) {
  uint32_t expected = count_explicit(kernel), next = 0;
  if (expected != count)
    return wrong_count(kernel, file, expected, count, diagnostics);
  for (uint32_t i = 0; i < kernel->arg_count; i++) {
    const struct og_kernel_arg *arg = &kernel->args[i];
    if (og_kernel_arg_hidden(arg))
      continue;
    const struct og_argument *argument = &arguments[next++];
    uint64_t address;
    const uint8_t *bytes;
    if (!argument_bytes(argument, arg, layout, &address, &bytes))
      return og_error_in(diagnostics, file, "argument %u of kernel '%s'%s%s is %s of %u bytes; %s does not fit it",
                         next, kernel->name, *arg->name ? ", " : "", arg->name, arg->value_kind, arg->size,
                         describe(argument));
    if (!is_inside(arg, layout))
      return og_error_in(diagnostics, file, "argument %u of kernel '%s' lies outside its kernarg segment of %zu bytes",
                         next, kernel->name, layout->size);
    warn_of_class(kernel, file, arg, next, argument, diagnostics);
    memcpy(layout->bytes + arg->offset, bytes, arg->size);
  }
  return true;
}

/* Places arguments of a kernel without argument metadata one behind the other, each at its own alignment. */
static bool put_in_order(const struct og_kernel *kernel, const char *file, const struct og_argument *arguments,
                         uint32_t count, struct layout *layout, struct og_diagnostics *diagnostics) {
  size_t offset = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct og_argument *argument = &arguments[i];
    size_t size = argument->kind == OG_ARGUMENT_VALUE ? argument->size : argument->kind == OG_ARGUMENT_BUFFER ? 8 : 4;
    struct og_kernel_arg arg = {.size = (uint32_t)size,
                                .value_kind =
                                    argument->kind == OG_ARGUMENT_LDS ? "dynamic_shared_pointer" : "by_value"};
    uint64_t address;
    const uint8_t *bytes;
    if (!argument_bytes(argument, &arg, layout, &address, &bytes))
      return og_error_in(diagnostics, file, "argument %u of kernel '%s': %s is too large", i + 1, kernel->name,
                         describe(argument));
    offset = og_align_up(offset, size == 1 || size == 2 || size == 4 ? size : 8);
    if (offset + size > layout->size)
      return og_error_in(
          diagnostics, file,
          "kernel '%s' has no argument metadata and a kernarg segment of %zu bytes; argument %u ends at byte %zu",
          kernel->name, layout->size, i + 1, offset + size);
    memcpy(layout->bytes + offset, bytes, size);
    offset += size;
  }
  return true;
}

/* ---- hidden arguments -------------------------------------------------------------------------------------------- */

/* What hidden arguments hold. Those that exist for each axis share a value. */
enum hidden {
  HIDDEN_OFFSET, HIDDEN_COUNT, HIDDEN_SIZE, HIDDEN_REMAINDER, /* one for each axis */
  HIDDEN_DIMENSIONS, HIDDEN_LDS_SIZE, HIDDEN_PRIVATE_BASE, HIDDEN_SHARED_BASE, HIDDEN_QUEUE,
  HIDDEN_HOSTCALL, HIDDEN_PRINTF, HIDDEN_HEAP, /* services of the runtime, if it has them */
  HIDDEN_NOTHING, /* a service that does not exist here: default queue, completion action, multi-grid sync */
};
static const struct {
  const char *kind;
  uint8_t size, what;
} hidden_kinds[] = {
    {"hidden_global_offset_", 8, HIDDEN_OFFSET},
    {"hidden_block_count_", 4, HIDDEN_COUNT},
    {"hidden_group_size_", 2, HIDDEN_SIZE},
    {"hidden_remainder_", 2, HIDDEN_REMAINDER},
    {"hidden_grid_dims", 2, HIDDEN_DIMENSIONS},
    {"hidden_dynamic_lds_size", 4, HIDDEN_LDS_SIZE},
    {"hidden_private_base", 4, HIDDEN_PRIVATE_BASE},
    {"hidden_shared_base", 4, HIDDEN_SHARED_BASE},
    {"hidden_queue_ptr", 8, HIDDEN_QUEUE},
    {"hidden_hostcall_buffer", 8, HIDDEN_HOSTCALL},
    {"hidden_printf_buffer", 8, HIDDEN_PRINTF},
    {"hidden_heap_v1", 8, HIDDEN_HEAP},
};

/* The meaning of a hidden argument, its axis (0 if it has none) and its size (0: any). */
static enum hidden find_hidden(const char *kind, int *axis, uint32_t *size) {
  *axis = 0;
  *size = 0;
  for (size_t i = 0; i < OG_COUNT(hidden_kinds); i++) {
    size_t length = strlen(hidden_kinds[i].kind);
    bool has_axis = hidden_kinds[i].what <= HIDDEN_REMAINDER;
    if (strncmp(kind, hidden_kinds[i].kind, length) != 0 || strlen(kind) != length + has_axis ||
        (has_axis && (kind[length] < 'x' || kind[length] > 'z')))
      continue;
    *axis = has_axis ? kind[length] - 'x' : 0;
    *size = hidden_kinds[i].size;
    return (enum hidden)hidden_kinds[i].what;
  }
  return HIDDEN_NOTHING;
}

static uint64_t service_address(enum hidden what, struct og_services *services) {
  if (!services)
    return 0;
  return what == HIDDEN_HOSTCALL ? og_services_hostcall(services)
         : what == HIDDEN_PRINTF ? og_services_printf(services)
                                 : og_services_heap(services);
}

static uint64_t hidden_value(enum hidden what, int axis, const struct og_extent *extent, uint32_t dynamic_lds,
                             struct og_queue *queue, struct og_services *services) {
  switch (what) {
  case HIDDEN_HOSTCALL:
  case HIDDEN_PRINTF:
  case HIDDEN_HEAP: return service_address(what, services);
  case HIDDEN_OFFSET: return extent->offset[axis];
  case HIDDEN_COUNT: return extent->grid[axis] / extent->group[axis];
  case HIDDEN_SIZE: return extent->group[axis];
  case HIDDEN_REMAINDER: return extent->grid[axis] % extent->group[axis];
  case HIDDEN_DIMENSIONS: return extent->dimensions;
  case HIDDEN_LDS_SIZE: return dynamic_lds;
  case HIDDEN_PRIVATE_BASE: return OG_PRIVATE_APERTURE;
  case HIDDEN_SHARED_BASE: return OG_SHARED_APERTURE;
  case HIDDEN_QUEUE: return queue ? (uintptr_t)og_queue_record(queue) : 0;
  default: return 0;
  }
}

static bool put_hidden(const struct og_kernel *kernel, const char *file, const struct og_extent *extent,
                       uint32_t dynamic_lds, struct og_queue *queue, struct og_services *services,
                       struct layout *layout, struct og_diagnostics *diagnostics) {
  for (uint32_t i = 0; i < kernel->arg_count; i++) {
    const struct og_kernel_arg *arg = &kernel->args[i];
    if (!og_kernel_arg_hidden(arg))
      continue;
    int axis;
    uint32_t size;
    enum hidden what = find_hidden(arg->value_kind, &axis, &size);
    if (size != 0 && arg->size != size)
      return og_error_in(diagnostics, file, "%s of kernel '%s' has %u bytes; %u expected", arg->value_kind,
                         kernel->name, arg->size, size);
    if (!is_inside(arg, layout))
      return og_error_in(diagnostics, file, "%s of kernel '%s' lies outside its kernarg segment of %zu bytes",
                         arg->value_kind, kernel->name, layout->size);
    uint64_t value = hidden_value(what, axis, extent, dynamic_lds, queue, services);
    memset(layout->bytes + arg->offset, 0, arg->size);
    memcpy(layout->bytes + arg->offset, &value, size);
  }
  return true;
}

static bool new_layout(struct og_runtime *runtime, const struct og_kernel *kernel, const char *file,
                       struct layout *layout, struct og_diagnostics *diagnostics) {
  *layout = (struct layout){.size = kernarg_size(kernel), .lds = kernel->group_size};
  uint32_t alignment = kernel->kernarg_align;
  if ((alignment & (alignment - 1)) != 0)
    return og_error_in(diagnostics, file, "kernarg alignment %u of kernel '%s' is not a power of two", alignment,
                       kernel->name);
  layout->bytes = og_memory_new(runtime, og_align_up(OG_MAX(layout->size, (size_t)1), LINE), OG_MAX(alignment, LINE),
                                OG_MEMORY_READ);
  return layout->bytes || og_error_in(diagnostics, file, "no memory for %zu bytes of arguments", layout->size);
}

/* Fills in what is left. If something does not fit, frees the segment and returns NULL with a diagnostic. */
static void *finish(struct og_runtime *runtime, struct layout *layout, const struct og_kernel *kernel, const char *file,
                    const struct og_extent *extent, struct og_queue *queue, uint32_t extra_lds, uint32_t *group_bytes,
                    struct og_diagnostics *diagnostics) {
  if (extra_lds > UINT32_MAX - layout->lds) {
    og_error_in(diagnostics, file, "%u bytes of dynamic LDS are too many", extra_lds);
  } else {
    layout->lds += extra_lds;
    *group_bytes = layout->lds;
    if (put_hidden(kernel, file, extent, layout->lds - kernel->group_size, queue, runtime->services, layout,
                   diagnostics))
      return layout->bytes;
  }
  og_memory_free(runtime, layout->bytes);
  return NULL;
}

void *og_kernarg_new(struct og_runtime *runtime, const struct og_executable *executable, const struct og_kernel *kernel,
                     const struct og_argument *arguments, uint32_t count, const struct og_extent *extent,
                     struct og_queue *queue, uint32_t extra_lds, uint32_t *group_bytes,
                     struct og_diagnostics *diagnostics) {
  const char *file = executable->code->elf->name;
  struct layout layout;
  if (!new_layout(runtime, kernel, file, &layout, diagnostics))
    return NULL;
  layout.gap = gap_of(runtime, executable, kernel, arguments, count);
  bool described = kernel->arg_count > 0 || kernel->metadata;
  bool fine = described ? put_explicit(kernel, file, arguments, count, &layout, diagnostics)
                        : put_in_order(kernel, file, arguments, count, &layout, diagnostics);
  if (fine)
    return finish(runtime, &layout, kernel, file, extent, queue, extra_lds, group_bytes, diagnostics);
  og_memory_free(runtime, layout.bytes);
  return NULL;
}

void *og_kernarg_from_bytes(struct og_runtime *runtime, const struct og_executable *executable,
                            const struct og_kernel *kernel, const void *bytes, size_t size,
                            const struct og_extent *extent, struct og_queue *queue, uint32_t extra_lds,
                            uint32_t *group_bytes, struct og_diagnostics *diagnostics) {
  const char *file = executable->code->elf->name;
  struct layout layout;
  if (size > kernarg_size(kernel)) {
    og_error_in(diagnostics, file, "%zu bytes of arguments; the kernarg segment of kernel '%s' has %u", size,
                kernel->name, kernel->kernarg_size);
    return NULL;
  }
  if (!new_layout(runtime, kernel, file, &layout, diagnostics))
    return NULL;
  if (size > 0)
    memcpy(layout.bytes, bytes, size);
  return finish(runtime, &layout, kernel, file, extent, queue, extra_lds, group_bytes, diagnostics);
}

void og_dispatch_packet_init(struct og_dispatch_packet *packet, const struct og_executable *executable,
                             const struct og_kernel *kernel, const struct og_extent *extent, const void *kernarg,
                             uint32_t group_bytes, struct og_signal *completion) {
  enum { SYSTEM_SCOPE = 2 };
  *packet = (struct og_dispatch_packet){
      .header = OG_PACKET_DISPATCH | OG_HEADER_BARRIER | SYSTEM_SCOPE << 9 | SYSTEM_SCOPE << 11,
      .setup = (uint16_t)extent->dimensions,
      .private_bytes = (uint32_t)OG_MIN(
          kernel->private_size + (kernel->uses_dynamic_stack ? (uint64_t)DYNAMIC_STACK : 0), UINT32_MAX),
      .group_bytes = group_bytes,
      .kernel_object = og_kernel_object(executable, kernel),
      .kernarg = (uintptr_t)kernarg,
      .completion = (uintptr_t)completion,
  };
  for (int i = 0; i < 3; i++) {
    packet->grid[i] = extent->grid[i];
    packet->group[i] = (uint16_t)extent->group[i];
  }
}
