/* run_visa.c - `offgrid run` and `check` of vISA kernels: text or binary, with the zebin that says where arguments
 * go. */
#include "tool/run_command.h"
#include "tool/run_visa_check.h"
#include "tool/tool.h"
#include "visa/run.h"
#include "visa/table.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, MAX_GROUP = 4096 };

/* The memory of a buffer. */
struct pages {
  struct pages *next;
  void *memory;
  size_t size;
};

struct session {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  const struct og_run_command *command;
  int platform;
  struct og_visa_unit units[OG_RUN_MAX_FILES]; /* the first holds the kernel */
  struct pages *pages;
  struct og_run_arguments given;
  struct og_visa_argument arguments[OG_RUN_MAX_ARGUMENTS];
  struct og_run_visa_check check;
};

bool og_run_is_visa(const struct og_buffer *bytes) {
  return og_visa_is_text(bytes->data, bytes->size) || og_visa_is_binary(bytes->data, bytes->size);
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* Guesses the platform by an attribute that the compiler writes for wide registers; an option overrides it. */
static int guess_platform(const void *data, size_t size) {
  return memmem(data, size, "wordx32 alias=<%r0", 18) || memmem(data, size, "PerThreadInputSize=192", 22) ? OG_VISA_PVC
                                                                                                          : OG_VISA_SKL;
}

static bool pick_platform(struct session *session, const struct og_buffer *bytes) {
  const char *name = session->command->processor;
  session->platform = name ? og_visa_find_platform(og_text(name)) : guess_platform(bytes->data, bytes->size);
  return session->platform >= 0 ||
         og_error_in(session->diagnostics, NULL, "--platform %s: expected skl, tgllp, dg2 or pvc", name);
}

static bool read_unit(struct session *session, const char *file, const struct og_buffer *bytes,
                      struct og_visa_unit *unit) {
  struct og_source *source = OG_NEW(session->arena, struct og_source);
  const char *copy = og_arena_copy_input(session->arena, file, bytes->data, bytes->size, session->diagnostics);
  if (!copy)
    return false;
  *source = (struct og_source){.name = file, .text = copy, .size = bytes->size};
  unit->file = file;
  unit->visa = og_visa_is_binary(bytes->data, bytes->size)
                   ? og_visa_read_binary(session->arena, copy, bytes->size, file, session->diagnostics)
                   : og_visa_read_text(session->arena, source, session->platform, session->diagnostics);
  return unit->visa != NULL;
}

/* If no platform was given, raises it to one that has all instructions; true: that changed it. */
static bool raise_platform(struct session *session) {
  int before = session->platform;
  for (uint32_t u = 0; !session->command->processor && u < session->command->file_count; u++)
    for (uint32_t k = 0; k < session->units[u].visa->kernels.count; k++) {
      const struct og_visa_kernel *kernel = session->units[u].visa->kernels.items[k];
      for (uint32_t i = 0; i < kernel->insts.count; i++) {
        const struct og_visa_row *row = og_visa_row(kernel->insts.items[i].opcode, kernel->insts.items[i].sub);
        session->platform = row ? OG_MAX(session->platform, (int)row->platform) : session->platform;
      }
    }
  return session->platform != before;
}

static bool read_units(struct session *session, const struct og_buffer *first) {
  if (!read_unit(session, session->command->files[0], first, &session->units[0]))
    return false;
  for (uint32_t i = 1; i < session->command->file_count; i++) {
    struct og_buffer bytes = {0};
    bool fine = og_read_file(session->command->files[i], &bytes, session->diagnostics) &&
                read_unit(session, session->command->files[i], &bytes, &session->units[i]);
    og_buffer_free(&bytes);
    if (!fine)
      return false;
  }
  return true;
}

/* Checks the rules that `lint` checks; this also gives each unit's variables the platform's sizes. */
static bool verify_units(struct session *session) {
  bool fine = true;
  for (uint32_t i = 0; i < session->command->file_count; i++)
    fine &= og_visa_verify(session->units[i].visa, session->platform, session->units[i].file, session->diagnostics);
  return fine;
}

/* Finds the kernel by its name, or the only one; its file becomes the first. */
static const struct og_visa_kernel *find_kernel(struct session *session) {
  const char *name = session->command->kernel;
  const struct og_visa_kernel *found = NULL;
  struct og_buffer names = {0};
  uint32_t count = 0, home = 0;
  for (uint32_t u = 0; u < session->command->file_count; u++)
    for (uint32_t i = 0; i < session->units[u].visa->kernels.count; i++) {
      const struct og_visa_kernel *kernel = session->units[u].visa->kernels.items[i];
      if (kernel->function)
        continue;
      og_buffer_printf(&names, "%s%s", count++ ? ", " : "", kernel->name);
      if (found || (name && strcmp(kernel->name, name) != 0))
        continue;
      found = kernel;
      home = u;
    }
  struct og_visa_unit unit = session->units[home];
  session->units[home] = session->units[0];
  session->units[0] = unit;
  if (!found || (!name && count > 1)) {
    og_error_in(session->diagnostics, session->command->files[0],
                name ? "no kernel '%s'; there %s %.*s" : "--kernel%s is expected; there %s %.*s", name ? name : " NAME",
                count > 1 ? "are" : "is", names.size ? (int)names.size : 4, names.size ? (char *)names.data : "none");
    found = NULL;
  }
  og_buffer_free(&names);
  return found;
}

static struct og_zebin *open_zebin(struct session *session) {
  struct og_zebin *zebin = OG_NEW(session->arena, struct og_zebin);
  struct og_buffer bytes = {0};
  const char *path = session->command->zeinfo;
  const char *copy = NULL;
  if (og_read_file(path, &bytes, session->diagnostics))
    copy = og_arena_copy_input(session->arena, path, bytes.data, bytes.size, session->diagnostics);
  bool fine = copy && og_zebin_open(session->arena, path, copy, bytes.size, zebin, session->diagnostics);
  og_buffer_free(&bytes);
  return fine ? zebin : NULL;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* Zeroed pages that last for the whole run; NULL: memory is short. */
static void *allocate(void *context, size_t size) {
  struct session *session = context;
  if (size > SIZE_MAX / 4)
    return NULL;
  struct pages *pages = OG_NEW(session->arena, struct pages);
  size = og_align_up(size, PAGE) + PAGE; /* kernels read a little beyond what they need */
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  *pages = (struct pages){session->pages, memory, size};
  session->pages = pages;
  return memory;
}

static void free_pages(struct session *session) {
  for (struct pages *pages = session->pages; pages; pages = pages->next)
    munmap(pages->memory, pages->size);
}

static bool image_argument(struct session *session, const char *text, struct og_argument *argument,
                           struct og_visa_image *image) {
  const char *buffer = og_visa_image_argument(session->arena, text, image);
  if (!buffer)
    return og_error_in(session->diagnostics, NULL,
                       "--arg %s: expected image:FORMAT:SIZE:BUFFER, as in image:rgba8:16x16:in:FILE", text);
  uint64_t size = og_visa_image_size(image);
  if (!og_run_argument_make(&session->given, buffer, argument))
    return false;
  if (argument->kind != OG_ARGUMENT_BUFFER || argument->size != size)
    return og_error_in(session->diagnostics, NULL, "--arg %s: the image has %llu bytes, the buffer %zu", text,
                       (unsigned long long)size, argument->size);
  image->base = argument->buffer;
  return true;
}

static bool special_argument(void *context, const char *text, struct og_argument *argument, bool *fine) {
  struct session *session = context;
  struct og_visa_argument *to = &session->arguments[session->given.count];
  if (strncmp(text, "image:", 6) == 0) {
    to->kind = OG_VISA_ARGUMENT_IMAGE;
    *fine = image_argument(session, text, argument, &to->image);
    return true;
  }
  if (strncmp(text, "sampler:", 8) == 0) {
    to->kind = OG_VISA_ARGUMENT_SAMPLER;
    *fine = og_visa_sampler_parse(text + 8, &to->sampler) ||
            og_error_in(session->diagnostics, NULL,
                        "--arg %s: expected words out of nearest linear, edge border repeat mirror, "
                        "normalized unnormalized, never less equal lequal greater notequal gequal always",
                        text);
    return true;
  }
  return false;
}

static bool make_arguments(struct session *session) {
  session->given = (struct og_run_arguments){.arena = session->arena,
                                             .diagnostics = session->diagnostics,
                                             .allocate = allocate,
                                             .context = session,
                                             .special = special_argument};
  if (!og_run_arguments_make(&session->given, session->command))
    return false;
  static const uint8_t kinds[] = {[OG_ARGUMENT_VALUE] = OG_VISA_ARGUMENT_VALUE,
                                  [OG_ARGUMENT_BUFFER] = OG_VISA_ARGUMENT_BUFFER,
                                  [OG_ARGUMENT_LDS] = OG_VISA_ARGUMENT_SLM};
  for (uint32_t i = 0; i < session->given.count; i++) {
    const struct og_argument *from = &session->given.items[i];
    if (session->arguments[i].kind == OG_VISA_ARGUMENT_VALUE)
      session->arguments[i] = (struct og_visa_argument){
          .kind = kinds[from->kind],
          .value = from->value,
          .buffer = from->buffer,
          .size = from->size,
          .read_only = from->text && strncmp(from->text, "in:", 3) == 0,
          .result = from->text && strncmp(from->text, "out:", 4) == 0};
  }
  return true;
}

static bool make_dispatch(struct session *session, struct og_visa_dispatch *dispatch) {
  const struct og_run_command *command = session->command;
  const struct og_extent *extent = &command->extent;
  *dispatch = (struct og_visa_dispatch){
      .dimensions = extent->dimensions,
      .arguments = session->arguments,
      .argument_count = session->given.count,
      .extra_slm = command->lds,
      .threads = command->options.threads,
      .deadline = command->timeout > 0 ? og_clock() + (uint64_t)(command->timeout * 1e9) : 0,
      .interrupted = command->interrupted,
      .seed = command->options.schedule == OG_SCHEDULE_RANDOM ? OG_MAX(command->options.seed, 1u) : 0,
      .count = command->stats,
      .check = command->check};
  memcpy(dispatch->grid, extent->grid, sizeof dispatch->grid);
  memcpy(dispatch->group, extent->group, sizeof dispatch->group);
  memcpy(dispatch->offset, extent->offset, sizeof dispatch->offset);
  if ((uint64_t)extent->group[0] * extent->group[1] * extent->group[2] > MAX_GROUP)
    return og_error_in(session->diagnostics, NULL, "--group: a work-group has at most %d items", MAX_GROUP);
  if (command->lds > 1 << 24)
    return og_error_in(session->diagnostics, NULL, "--lds: %u bytes of shared local memory do not exist", command->lds);
  return true;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static void print_statistics(const struct session *session, const char *kernel, uint32_t number,
                             const struct og_visa_statistics *statistics, struct og_buffer *out) {
  const struct og_run_command *command = session->command;
  if (command->json && number > 0)
    og_buffer_text(out, ",");
  (command->json ? og_visa_print_statistics_json : og_visa_print_statistics)(kernel, statistics, out);
}

/* Runs all repetitions; --timeout limits all of them together. Returns the exit code. */
static int dispatch_all(struct session *session, const struct og_vx_program *program, const char *kernel,
                        struct og_visa_dispatch *dispatch, struct og_buffer *statistics) {
  const struct og_run_command *command = session->command;
  bool fine = true;
  if (command->json)
    og_buffer_printf(statistics, "{\"processor\":\"%s\",\"threads\":%u,\"dispatches\":[",
                     og_visa_platforms[session->platform].name, OG_MAX(command->options.threads, 1u));
  struct og_buffer printed = {0};
  dispatch->printed = &printed;
  dispatch->trace = session->given.trace;
  for (uint32_t i = 0; i < command->repeat && fine; i++) {
    struct og_visa_statistics counts = {0};
    fine = og_visa_run(session->arena, program, dispatch, &counts, session->diagnostics);
    og_print(&printed, stdout);
    printed.size = 0;
    if (command->stats)
      print_statistics(session, kernel, i, &counts, statistics);
    og_buffer_drain(statistics);
  }
  og_buffer_free(&printed);
  if (command->json)
    og_buffer_text(statistics, "]}\n");
  return fine             ? OG_EXIT_OK
         : command->check ? OG_EXIT_INPUT
         : dispatch->deadline && og_clock() > dispatch->deadline ? OG_EXIT_TIME : OG_EXIT_FAULT;
}

static int run_kernel(struct session *session, const struct og_visa_kernel *kernel, struct og_zebin *zebin) {
  const struct og_run_command *command = session->command;
  struct og_buffer statistics = {.sink = stdout};
  struct og_visa_dispatch dispatch;
  struct og_vx_program *program = NULL;
  bool fine = make_arguments(session) && make_dispatch(session, &dispatch) &&
              og_run_visa_check_start(&session->check, session->arena, command, &dispatch, session->diagnostics) &&
              og_run_confine(&session->given, command);
  if (fine)
    program = og_visa_prepare(session->arena, session->units, command->file_count, kernel, session->platform, zebin,
                              session->diagnostics);
  int code = program ? dispatch_all(session, program, kernel->name, &dispatch, &statistics) : OG_EXIT_INPUT;
  if (!og_run_arguments_end(&session->given, command, code == OG_EXIT_OK) && code == OG_EXIT_OK)
    code = OG_EXIT_INPUT;
  og_run_visa_check_end(&session->check, &statistics);
  og_print(&statistics, stdout);
  og_buffer_free(&statistics);
  return code;
}

/* Options for AMD kernels only are refused, not ignored. */
static bool check_options(const struct og_run_command *command, struct og_diagnostics *diagnostics) {
  const char *other = command->annotate          ? "--annotate"
                      : command->trace_filter    ? "--trace-filter"
                      : command->trace_registers ? "--trace-registers"
                      : command->trap_handler    ? "--trap-handler"
                      : command->options.cluster[0] ? "--cluster"
                                                 : NULL;
  return !other ||
         og_error_in(diagnostics, command->files[0], "%s is only for AMD kernels; this is a vISA kernel", other);
}

int og_run_visa(const struct og_run_command *command, const struct og_buffer *bytes,
                struct og_diagnostics *diagnostics) {
  if (!check_options(command, diagnostics))
    return OG_EXIT_INPUT;
  struct og_arena *arena = og_arena_new();
  struct session *session = OG_NEW(arena, struct session);
  *session = (struct session){.arena = arena, .diagnostics = diagnostics, .command = command};
  bool fine = pick_platform(session, bytes) && read_units(session, bytes) &&
              (!raise_platform(session) || read_units(session, bytes)) && verify_units(session);
  const struct og_visa_kernel *kernel = fine ? find_kernel(session) : NULL;
  struct og_zebin *zebin = kernel && command->zeinfo ? open_zebin(session) : NULL;
  int code = kernel && (zebin || !command->zeinfo) ? run_kernel(session, kernel, zebin) : OG_EXIT_INPUT;
  free_pages(session);
  og_arena_free(arena);
  return code;
}
