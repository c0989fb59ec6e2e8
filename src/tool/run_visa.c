/* run_visa.c - `offgrid run` for vISA kernels: text or binary, with the zebin that tells where arguments go. */
#include "runtime/arguments.h"
#include "tool/tool.h"
#include "visa/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 256 };

struct output {
  const char *path;
  const void *data;
  size_t size;
};

struct command {
  const char *file, *kernel, *platform, *zeinfo;
  struct og_visa_dispatch dispatch;
  const char *texts[MAX_ARGS];
  uint32_t repeat;
  bool stats, json;
};

struct session {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_visa_argument arguments[MAX_ARGS];
  struct output outputs[MAX_ARGS];
  uint32_t output_count;
};

/* ---- the command line ----------------------------------------------------------------------------------------------- */

static bool parse_unsigned(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return errno == 0 && end != text && !*end && *text != '-' && *value <= most;
}

/* "X[,Y[,Z]]"; yields how many, 0 if wrong. */
static uint32_t parse_extent(const char *text, uint64_t least, uint64_t most, uint64_t extent[3]) {
  for (uint32_t count = 0; count < 3;) {
    char *end;
    errno = 0;
    extent[count] = strtoull(text, &end, 0);
    if (errno || end == text || *text == '-' || extent[count] < least || extent[count] > most)
      return 0;
    count++;
    if (!*end)
      return count;
    if (*end != ',')
      return 0;
    text = end + 1;
  }
  return 0;
}

static bool parse_size(const char *text, uint32_t size[3], uint32_t *dimensions) {
  uint64_t wide[3] = {1, 1, 1};
  uint32_t count = parse_extent(text, 1, UINT32_MAX, wide);
  for (int i = 0; i < 3; i++)
    size[i] = (uint32_t)wide[i];
  *dimensions = OG_MAX(*dimensions, count);
  return count > 0;
}

static bool take_option(struct command *command, const char *name, const char *value) {
  uint64_t number = 0;
  struct og_visa_dispatch *dispatch = &command->dispatch;
  if (strcmp(name, "kernel") == 0)
    command->kernel = value;
  else if (strcmp(name, "platform") == 0 || strcmp(name, "mcpu") == 0)
    command->platform = value;
  else if (strcmp(name, "zeinfo") == 0)
    command->zeinfo = value;
  else if (strcmp(name, "grid") == 0)
    return parse_size(value, dispatch->grid, &dispatch->dimensions);
  else if (strcmp(name, "group") == 0)
    return parse_size(value, dispatch->group, &dispatch->dimensions) &&
           (uint64_t)dispatch->group[0] * dispatch->group[1] * dispatch->group[2] <= 4096;
  else if (strcmp(name, "offset") == 0)
    return parse_extent(value, 0, UINT32_MAX, dispatch->offset) > 0;
  else if (strcmp(name, "lds") == 0) {
    if (!parse_unsigned(value, 1 << 24, &number))
      return false;
    dispatch->extra_slm = (uint32_t)number;
  } else if (strcmp(name, "repeat") == 0) {
    if (!parse_unsigned(value, 1000000000, &number) || number == 0)
      return false;
    command->repeat = (uint32_t)number;
  } else if (strcmp(name, "timeout") == 0) {
    char *end;
    dispatch->timeout = strtod(value, &end);
    return end != value && !*end && dispatch->timeout > 0 && dispatch->timeout < 1e9;
  } else if (strcmp(name, "arg") == 0) {
    if (dispatch->argument_count == MAX_ARGS)
      return false;
    command->texts[dispatch->argument_count++] = value;
  }
  return true; /* threads and schedule: groups run one after the other, their threads in order */
}

static int parse_command(int argc, char **argv, struct command *command) {
  static const char *const with_value[] = {"kernel", "platform", "mcpu",   "zeinfo",  "grid",     "group", "offset",
                                           "lds",    "repeat",   "threads", "timeout", "schedule", "arg"};
  for (int i = 1; i < argc; i++) {
    const char *value = NULL;
    size_t k = 0;
    if (og_option_flag(argv, i, "stats") || og_option_flag(argv, i, "stats=json")) {
      command->stats = true;
      command->json = strchr(argv[i], '=') != NULL;
      continue;
    }
    if (argv[i][0] != '-' || !argv[i][1]) {
      command->file = argv[i];
      continue;
    }
    while (k < OG_COUNT(with_value) && !og_option_value(argc, argv, &i, with_value[k], &value))
      k++;
    if (k == OG_COUNT(with_value))
      return og_usage_error("run", "no option '%s' for a vISA kernel, or its value is missing", argv[i]);
    if (!take_option(command, with_value[k], value))
      return og_usage_error("run", "--%s: '%s' is not what is expected", with_value[k], value);
  }
  if (!command->dispatch.grid[0] || !command->dispatch.group[0])
    return og_usage_error("run", "--%s is expected", !command->dispatch.grid[0] ? "grid" : "group");
  return OG_EXIT_OK;
}

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

static void new_buffer(struct session *session, struct og_visa_argument *argument, const void *data, size_t size) {
  *argument = (struct og_visa_argument){.kind = OG_VISA_ARGUMENT_BUFFER, .size = size};
  argument->buffer = (void *)og_align_up((uintptr_t)og_arena_alloc(session->arena, size + 4096), 4096);
  if (data)
    memcpy(argument->buffer, data, size);
}

static bool file_buffer(struct session *session, struct og_visa_argument *argument, const char *path, bool written) {
  struct og_buffer bytes = {0};
  if (!og_read_file(path, &bytes, session->diagnostics))
    return false;
  new_buffer(session, argument, bytes.data, bytes.size);
  og_buffer_free(&bytes);
  if (written)
    session->outputs[session->output_count++] = (struct output){path, argument->buffer, argument->size};
  return true;
}

static bool make_argument(struct session *session, const char *text, struct og_visa_argument *argument) {
  struct og_argument scalar;
  uint64_t size;
  if (og_argument_parse(session->arena, text, &scalar, session->diagnostics)) {
    *argument = (struct og_visa_argument){.kind = OG_VISA_ARGUMENT_VALUE, .value = scalar.value, .size = scalar.size};
    return scalar.value != NULL;
  }
  if (strncmp(text, "in:", 3) == 0)
    return file_buffer(session, argument, text + 3, false);
  if (strncmp(text, "inout:", 6) == 0)
    return file_buffer(session, argument, text + 6, true);
  if (strncmp(text, "buf:", 4) == 0 && parse_unsigned(text + 4, UINT32_MAX, &size)) {
    new_buffer(session, argument, NULL, size);
    return true;
  }
  const char *colon = strrchr(text, ':');
  if (strncmp(text, "out:", 4) == 0 && colon > text + 4 && parse_unsigned(colon + 1, UINT32_MAX, &size)) {
    new_buffer(session, argument, NULL, size);
    const char *path = og_arena_copy(session->arena, text + 4, (size_t)(colon - text - 4));
    session->outputs[session->output_count++] = (struct output){path, argument->buffer, argument->size};
    return true;
  }
  if (strncmp(text, "lds:", 4) == 0 && parse_unsigned(text + 4, 1 << 24, &size)) {
    *argument = (struct og_visa_argument){.kind = OG_VISA_ARGUMENT_SLM, .size = size};
    return true;
  }
  return og_error_in(session->diagnostics, NULL,
                     "--arg %s: expected TYPE:NUMBER, struct:HEX, buf:BYTES, in:FILE, out:FILE:BYTES, inout:FILE or lds:BYTES", text);
}

/* ---- the run ---------------------------------------------------------------------------------------------------------------- */

static const struct og_visa_kernel *find_kernel(struct session *session, const struct og_visa *visa, const struct command *command) {
  if (!command->kernel && visa->kernels.count == 1)
    return visa->kernels.items[0];
  struct og_buffer names = {0};
  for (uint32_t i = 0; i < visa->kernels.count; i++) {
    if (command->kernel && strcmp(visa->kernels.items[i]->name, command->kernel) == 0) {
      og_buffer_free(&names);
      return visa->kernels.items[i];
    }
    og_buffer_printf(&names, "%s%s", i ? ", " : "", visa->kernels.items[i]->name);
  }
  og_error_in(session->diagnostics, command->file, "no kernel '%s'; there is %.*s", command->kernel ? command->kernel : "", (int)names.size,
              names.size ? (char *)names.data : "none");
  og_buffer_free(&names);
  return NULL;
}

/* By the attribute that the compiler writes for wide registers, where nobody says. */
static int guess_platform(const void *data, size_t size) {
  return memmem(data, size, "wordx32 alias=<%r0", 18) || memmem(data, size, "PerThreadInputSize=192", 22) ? OG_VISA_PVC : OG_VISA_SKL;
}

static void print_statistics(const struct command *command, const struct og_visa_kernel *kernel, const struct og_visa_statistics *statistics,
                             uint32_t count) {
  if (command->json)
    printf("{\"processor\":\"%s\",\"threads\":1,\"dispatches\":[", command->platform ? command->platform : "");
  for (uint32_t i = 0; i < count; i++) {
    const struct og_visa_statistics *s = &statistics[i];
    if (command->json)
      printf("%s{\"kernel\":\"%s\",\"seconds\":%.9f,\"waves\":%llu,\"wave_instructions\":%llu}", i ? "," : "", kernel->name, s->seconds,
             (unsigned long long)s->threads, (unsigned long long)s->instructions);
    else
      printf("%s: %llu threads in %llu groups, %llu instructions in %.6f s, %.1f million/s\n", kernel->name, (unsigned long long)s->threads,
             (unsigned long long)s->groups, (unsigned long long)s->instructions, s->seconds, (double)s->instructions / s->seconds * 1e-6);
  }
  if (command->json)
    puts("]}");
}

static struct og_zebin *open_zebin(struct session *session, const char *path, struct og_buffer *bytes) {
  struct og_zebin *zebin = OG_NEW(session->arena, struct og_zebin);
  return og_read_file(path, bytes, session->diagnostics) &&
                 og_zebin_open(session->arena, path, bytes->data, bytes->size, zebin, session->diagnostics)
             ? zebin
             : NULL;
}

static bool run(struct session *session, struct command *command, const struct og_buffer *bytes, struct og_buffer *zebin_bytes) {
  int platform = command->platform ? og_visa_find_platform(og_text(command->platform)) : guess_platform(bytes->data, bytes->size);
  if (platform < 0)
    return og_error_in(session->diagnostics, NULL, "--platform %s: expected skl, tgllp, dg2 or pvc", command->platform);
  struct og_source source = {.name = command->file, .text = (const char *)bytes->data, .size = bytes->size};
  const struct og_visa *visa = og_visa_is_binary(bytes->data, bytes->size)
                                   ? og_visa_read_binary(session->arena, bytes->data, bytes->size, command->file, session->diagnostics)
                                   : og_visa_read_text(session->arena, &source, platform, session->diagnostics);
  const struct og_visa_kernel *kernel = visa ? find_kernel(session, visa, command) : NULL;
  struct og_zebin *zebin = kernel && command->zeinfo ? open_zebin(session, command->zeinfo, zebin_bytes) : NULL;
  if (!kernel || (command->zeinfo && !zebin))
    return false;
  for (uint32_t i = 0; i < command->dispatch.argument_count; i++)
    if (!make_argument(session, command->texts[i], &session->arguments[i]))
      return false;
  command->dispatch.arguments = session->arguments;
  struct og_vx_program *program = og_visa_prepare(session->arena, visa, kernel, platform, command->file, zebin, session->diagnostics);
  struct og_visa_statistics *statistics = OG_NEW_ARRAY(session->arena, struct og_visa_statistics, command->repeat);
  if (!program)
    return false;
  for (uint32_t i = 0; i < command->repeat; i++)
    if (!og_visa_run(session->arena, program, &command->dispatch, &statistics[i], session->diagnostics))
      return false;
  for (uint32_t i = 0; i < session->output_count; i++)
    if (!og_write_file(session->outputs[i].path, session->outputs[i].data, session->outputs[i].size, session->diagnostics))
      return false;
  if (command->stats)
    print_statistics(command, kernel, statistics, command->repeat);
  return true;
}

bool og_run_is_visa(const char *path) {
  struct og_diagnostics *ignored = og_diagnostics_new();
  struct og_buffer bytes = {0};
  bool is = og_read_file(path, &bytes, ignored) && (og_visa_is_text(bytes.data, bytes.size) || og_visa_is_binary(bytes.data, bytes.size));
  og_buffer_free(&bytes);
  og_diagnostics_free(ignored);
  return is;
}

int og_run_visa(int argc, char **argv) {
  struct command *command = calloc(1, sizeof *command);
  struct session *session = calloc(1, sizeof *session);
  struct og_buffer bytes = {0}, zebin_bytes = {0};
  for (int i = 0; i < 3; i++)
    command->dispatch.grid[i] = command->dispatch.group[i] = i > 0;
  command->repeat = 1;
  int code = parse_command(argc, argv, command);
  if (code == OG_EXIT_OK) {
    session->arena = og_arena_new();
    session->diagnostics = og_diagnostics_new();
    if (og_read_file(command->file, &bytes, session->diagnostics))
      run(session, command, &bytes, &zebin_bytes);
    code = og_finish(session->diagnostics);
    og_arena_free(session->arena);
  }
  og_buffer_free(&bytes);
  og_buffer_free(&zebin_bytes);
  free(session);
  free(command);
  return code;
}
