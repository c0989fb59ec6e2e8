/* run_command.c - reads the command line of `run` and `check`, and makes the arguments that it gives a kernel. */
#include "tool/run_command.h"
#include "tool/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the command line -------------------------------------------------------------------------------------------- */

static bool parse_unsigned(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return errno == 0 && end != text && !*end && *text != '-' && *value <= most;
}

/* Reads "X[,Y[,Z]]"; returns how many numbers, 0 if it is wrong. */
static uint32_t parse_extent(const char *text, uint64_t most, uint64_t extent[3]) {
  uint32_t count = 0;
  for (const char *at = text; count < 3; at++) {
    char *end;
    errno = 0;
    extent[count] = strtoull(at, &end, 0);
    if (errno || end == at || *at == '-' || extent[count] > most)
      return 0;
    count++;
    if (!*end)
      return count;
    if (*end != ',')
      return 0;
    at = end;
  }
  return 0;
}

static bool parse_size(const char *text, uint64_t most, uint32_t size[3], uint32_t *dimensions) {
  uint64_t wide[3] = {1, 1, 1};
  *dimensions = parse_extent(text, most, wide);
  for (int i = 0; i < 3; i++) {
    size[i] = (uint32_t)wide[i];
    if (wide[i] == 0)
      return false;
  }
  return *dimensions > 0;
}

static bool parse_schedule(const char *text, struct og_run_options *options) {
  options->seed = 1;
  if (strcmp(text, "round-robin") == 0) {
    options->schedule = OG_SCHEDULE_ROUND_ROBIN;
    return true;
  }
  options->schedule = OG_SCHEDULE_RANDOM;
  return strcmp(text, "random") == 0 ||
         (strncmp(text, "random:", 7) == 0 && parse_unsigned(text + 7, UINT64_MAX, &options->seed));
}

static bool parse_seconds(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  return end != text && !*end && *seconds > 0 && *seconds < 1e9;
}

/* Reads "weak", "weak:SEED" or "weak:replay=FILE". */
static bool parse_memory(const char *text, struct og_run_command *command) {
  command->memory = text;
  return strcmp(text, "weak") == 0 || (strncmp(text, "weak:replay=", 12) == 0 && text[12]) ||
         (strncmp(text, "weak:", 5) == 0 && parse_unsigned(text + 5, UINT64_MAX, &command->options.seed));
}

/* The options with a value, and what is expected. */
static const struct {
  const char *name, *expected;
} valued[] = {
    {"kernel", "a name"},
    {"mcpu", "a processor"},
    {"platform", "a platform"},
    {"zeinfo", "a file"},
    {"trap-handler", "FILE[:SYMBOL]"},
    {"tma", "a buffer, as of --arg"},
    {"trace", "a file"},
    {"trace-filter", "what is traced"},
    {"grid", "X[,Y[,Z]], work-items in each dimension, 1 to 4294967295"},
    {"group", "X[,Y[,Z]], work-items of a group in each dimension, 1 to 65535"},
    {"cluster", "X[,Y[,Z]], work-groups of a cluster in each dimension, at most 16 in all"},
    {"offset", "X[,Y[,Z]], the first work-item's place in each dimension"},
    {"lds", "a number of bytes"},
    {"repeat", "a number from 1 to 1000000000"},
    {"threads", "a number from 1 to 1024"},
    {"timeout", "seconds, above 0"},
    {"schedule", "round-robin, random or random:SEED"},
    {"memory", "weak, weak:SEED or weak:replay=FILE"},
    {"memory-record", "a file"},
    {"memory-agents", "a number from 1 to 4"},
    {"arg", "at most 256 of them"},
    {"report", "a file"},
    {"only", "names of checkers"},
    {"allow", "a file"},
    {"lds-object", "NAME:OFFSET:SIZE, at most 256 of them"},
};

/* Takes one option with its value; false: the value is not as expected. */
static bool take_value(struct og_run_command *command, const char *name, const char *value, uint32_t dimensions[2]) {
  uint64_t number = 0;
  bool fine = true;
  if (strcmp(name, "kernel") == 0)
    command->kernel = value;
  else if (strcmp(name, "mcpu") == 0 || strcmp(name, "platform") == 0)
    command->processor = value;
  else if (strcmp(name, "zeinfo") == 0)
    command->zeinfo = value;
  else if (strcmp(name, "only") == 0 || strcmp(name, "allow") == 0)
    *(*name == 'o' ? &command->only : &command->allow) = value;
  else if (strcmp(name, "lds-object") == 0)
    fine =
        command->lds_object_count < OG_RUN_MAX_ARGUMENTS && (command->lds_objects[command->lds_object_count++] = value);
  else if (strcmp(name, "trap-handler") == 0 || strcmp(name, "tma") == 0)
    *(strcmp(name, "tma") == 0 ? &command->trap_memory : &command->trap_handler) = value;
  else if (strcmp(name, "memory-record") == 0)
    command->memory_record = value;
  else if (strcmp(name, "memory-agents") == 0 && (fine = parse_unsigned(value, 4, &number) && number > 0))
    command->memory_agents = (unsigned)number;
  else if (strcmp(name, "memory") == 0)
    fine = parse_memory(value, command);
  else if (strcmp(name, "trace") == 0)
    command->trace = value;
  else if (strcmp(name, "trace-filter") == 0)
    command->trace_filter = value;
  else if (strcmp(name, "grid") == 0)
    fine = parse_size(value, UINT32_MAX, command->extent.grid, &dimensions[0]);
  else if (strcmp(name, "group") == 0)
    fine = parse_size(value, UINT16_MAX, command->extent.group, &dimensions[1]);
  else if (strcmp(name, "cluster") == 0)
    fine = parse_size(value, OG_CLUSTER_MAX, command->options.cluster, &(uint32_t){0});
  else if (strcmp(name, "offset") == 0)
    fine = parse_extent(value, UINT64_MAX, command->extent.offset) > 0;
  else if (strcmp(name, "lds") == 0 && (fine = parse_unsigned(value, UINT32_MAX, &number)))
    command->lds = (uint32_t)number;
  else if (strcmp(name, "repeat") == 0 && (fine = parse_unsigned(value, 1000000000, &number) && number > 0))
    command->repeat = (uint32_t)number;
  else if (strcmp(name, "threads") == 0 && (fine = parse_unsigned(value, 1024, &number) && number > 0))
    command->options.threads = (unsigned)number;
  else if (strcmp(name, "timeout") == 0)
    fine = parse_seconds(value, &command->timeout);
  else if (strcmp(name, "schedule") == 0)
    fine = parse_schedule(value, &command->options);
  else if (strcmp(name, "report") == 0 && (fine = *value))
    command->annotate = value;
  else if (strcmp(name, "arg") == 0 && (fine = command->argument_count < OG_RUN_MAX_ARGUMENTS))
    command->argument_texts[command->argument_count++] = value;
  return fine;
}

/* An option with or without a value behind '='; without, *value becomes "". */
static bool take_either(const char *word, const char *flag, const char **value) {
  const char *name = word + (word[0] == '-' && word[1] == '-' ? 2 : 1);
  size_t size = strlen(flag);
  if (strncmp(name, flag, size) != 0 || (name[size] && name[size] != '='))
    return false;
  *value = name[size] ? name + size + 1 : "";
  return true;
}

static bool take_flag(struct og_run_command *command, char **argv, int index) {
  if (og_option_flag(argv, index, "sandbox") || og_option_flag(argv, index, "no-sandbox")) {
    command->sandbox = og_option_flag(argv, index, "sandbox") ? OG_SANDBOX_REQUIRED : OG_SANDBOX_OFF;
    return true;
  }
  if (og_option_flag(argv, index, "compile") || og_option_flag(argv, index, "no-compile")) {
    command->options.compile = og_option_flag(argv, index, "compile") ? OG_COMPILE_HOT : OG_COMPILE_NEVER;
    return true;
  }
  if (og_option_flag(argv, index, "compile-stats"))
    return command->compile_stats = true;
  if (og_option_flag(argv, index, "json"))
    return command->findings_json = true;
  if (og_option_flag(argv, index, "trace-registers"))
    return command->trace_registers = true;
  if (take_either(argv[index], "memory-shrink", &command->memory_finding))
    return command->memory_shrink = true;
  if (take_either(argv[index], "annotate", &command->annotate))
    return true;
  if (!og_option_flag(argv, index, "stats") && !og_option_flag(argv, index, "stats=json"))
    return false;
  command->stats = true;
  command->json = strchr(argv[index], '=') != NULL;
  return true;
}

static int take_file(struct og_run_command *command, const char *file) {
  if (command->file_count == OG_RUN_MAX_FILES)
    return og_usage_error(command->verb, "more than %d files", OG_RUN_MAX_FILES);
  command->files[command->file_count++] = file;
  return OG_EXIT_OK;
}

/* Takes argv[*i], with its value if it has one. Returns OG_EXIT_OK, or the exit code of wrong usage. */
static int take_option(int argc, char **argv, int *i, struct og_run_command *command, uint32_t dimensions[2]) {
  const char *value = NULL;
  for (size_t k = 0; k < OG_COUNT(valued); k++)
    if (og_option_value(argc, argv, i, valued[k].name, &value))
      return take_value(command, valued[k].name, value, dimensions)
                 ? OG_EXIT_OK
                 : og_usage_error(command->verb, "--%s: '%s': expected %s", valued[k].name, value, valued[k].expected);
  return take_flag(command, argv, *i) ? OG_EXIT_OK : og_unknown_option(command->verb, argc, argv, *i);
}

/* Takes the words of the command line in order. */
static int take_words(int argc, char **argv, struct og_run_command *command, uint32_t dimensions[2]) {
  int code = OG_EXIT_OK;
  for (int i = 1; i < argc && code == OG_EXIT_OK; i++)
    code = argv[i][0] == '-' && argv[i][1] ? take_option(argc, argv, &i, command, dimensions)
                                           : take_file(command, argv[i]);
  return code;
}

int og_run_command_parse(int argc, char **argv, struct og_run_command *command) {
  *command = (struct og_run_command){.verb = argv[0], .repeat = 1, .options.threads = 1};
  uint32_t dimensions[2] = {0, 0};
  int code = take_words(argc, argv, command, dimensions);
  if (code != OG_EXIT_OK)
    return code;
  bool checks = strcmp(command->verb, "check") == 0;
  if (strcmp(command->verb, "run") != 0 && (command->annotate || command->trace_filter || command->trace_registers))
    return og_usage_error(command->verb, "--report, --annotate and --trace-... are options of 'offgrid run'");
  if (command->memory && (command->trace || command->annotate))
    return og_usage_error(command->verb, "--memory=weak, --trace and --annotate cannot be combined");
  if ((command->memory_record || command->memory_shrink || command->memory_agents) && !command->memory)
    return og_usage_error(command->verb, "--memory-record, --memory-shrink and --memory-agents need --memory=weak");
  if (command->memory_finding && *command->memory_finding && !checks)
    return og_usage_error(command->verb, "--memory-shrink=FINDING is an option of 'offgrid check'");
  if (command->memory_finding && !*command->memory_finding)
    command->memory_finding = NULL;
  if (!command->trace && (command->trace_filter || command->trace_registers))
    return og_usage_error(command->verb, "--trace-filter and --trace-registers say how --trace=OUT is");
  if (command->compile_stats && command->stats)
    return og_usage_error(command->verb, "--compile-stats and --stats cannot be combined: what is counted is interpreted");
  if (command->trace && command->annotate)
    return og_usage_error(command->verb, "--trace cannot be combined with --annotate or --report");
  if (!checks && (command->only || command->allow || command->findings_json || command->lds_object_count))
    return og_usage_error(command->verb, "--only, --allow, --lds-object and --json are options of 'offgrid check'");
  if (command->trap_memory && !command->trap_handler)
    return og_usage_error(command->verb, "--tma needs --trap-handler");
  if (!command->file_count)
    return og_usage_error(command->verb, "a FILE is expected");
  if (og_run_is_mlir(command->files[0]) && !dimensions[0] && !dimensions[1] && !command->argument_count)
    return OG_EXIT_OK; /* the MLIR's host function says what is launched */
  if (!dimensions[0] || !dimensions[1])
    return og_usage_error(command->verb, "--%s is expected", !dimensions[0] ? "grid" : "group");
  command->extent.dimensions = OG_MAX(dimensions[0], dimensions[1]);
  return OG_EXIT_OK;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static bool new_buffer(struct og_run_arguments *arguments, struct og_argument *argument, const char *text,
                       const void *data, size_t size) {
  argument->kind = OG_ARGUMENT_BUFFER;
  argument->text = text;
  argument->size = size;
  argument->buffer = arguments->allocate(arguments->context, OG_MAX(size, (size_t)1));
  if (!argument->buffer)
    return og_error_in(arguments->diagnostics, NULL, "--arg %s: no memory for %zu bytes", text, size);
  if (data)
    memcpy(argument->buffer, data, size);
  return true;
}

static void remember_output(struct og_run_arguments *arguments, const char *path, const struct og_argument *argument) {
  arguments->outputs[arguments->output_count++] =
      (struct og_run_output){.path = path, .data = argument->buffer, .size = argument->size};
}

static bool file_buffer(struct og_run_arguments *arguments, struct og_argument *argument, const char *text,
                        const char *path, bool written) {
  struct og_buffer bytes = {0};
  bool fine = og_read_file(path, &bytes, arguments->diagnostics) &&
              new_buffer(arguments, argument, text, bytes.data, bytes.size);
  og_buffer_free(&bytes);
  if (fine && written)
    remember_output(arguments, path, argument);
  return fine;
}

static bool out_buffer(struct og_run_arguments *arguments, struct og_argument *argument, const char *text) {
  const char *path = text + 4, *colon = strrchr(path, ':');
  uint64_t size;
  if (!colon || colon == path || !parse_unsigned(colon + 1, SIZE_MAX / 8, &size))
    return og_error_in(arguments->diagnostics, NULL, "--arg %s: expected out:FILE:BYTES", text);
  if (!new_buffer(arguments, argument, text, NULL, size))
    return false;
  remember_output(arguments, og_arena_copy(arguments->arena, path, (size_t)(colon - path)), argument);
  return true;
}

static bool make(struct og_run_arguments *arguments, const char *text, struct og_argument *argument) {
  uint64_t size;
  bool fine = true;
  if (arguments->special && arguments->special(arguments->context, text, argument, &fine))
    return fine;
  if (og_argument_parse(arguments->arena, text, argument, arguments->diagnostics))
    return argument->value != NULL;
  if (strncmp(text, "in:", 3) == 0)
    return file_buffer(arguments, argument, text, text + 3, false);
  if (strncmp(text, "inout:", 6) == 0)
    return file_buffer(arguments, argument, text, text + 6, true);
  if (strncmp(text, "out:", 4) == 0)
    return out_buffer(arguments, argument, text);
  if (strncmp(text, "buf:", 4) == 0 && parse_unsigned(text + 4, SIZE_MAX / 8, &size))
    return new_buffer(arguments, argument, text, NULL, size);
  if (strncmp(text, "lds:", 4) == 0 && parse_unsigned(text + 4, UINT32_MAX / 2, &size)) {
    *argument = (struct og_argument){.kind = OG_ARGUMENT_LDS, .text = text, .size = size};
    return true;
  }
  return og_error_in(
      arguments->diagnostics, NULL,
      "--arg %s: expected TYPE:NUMBER, struct:HEX, buf:BYTES, in:FILE, out:FILE:BYTES, inout:FILE or lds:BYTES", text);
}

bool og_run_argument_make(struct og_run_arguments *arguments, const char *text, struct og_argument *argument) {
  bool fine = strncmp(text, "fine:", 5) == 0;
  if (!make(arguments, text + (fine ? 5 : 0), argument))
    return false;
  argument->fine = fine;
  return !fine || argument->kind == OG_ARGUMENT_BUFFER ||
         og_error_in(arguments->diagnostics, NULL, "--arg %s: only buffers are in fine-grained memory", text);
}

bool og_run_arguments_make(struct og_run_arguments *arguments, const struct og_run_command *command) {
  for (; arguments->count < command->argument_count; arguments->count++)
    if (!og_run_argument_make(arguments, command->argument_texts[arguments->count],
                              &arguments->items[arguments->count]))
      return false;
  return true;
}

/* ---- files that a run leaves behind ------------------------------------------------------------------------------ */

static bool open_trace(struct og_run_arguments *arguments, const char *path) {
  arguments->trace = !path ? NULL : strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  return !path || arguments->trace ||
         og_error_in(arguments->diagnostics, path, "cannot write: %s", strerror(errno));
}

static bool open_page(struct og_run_arguments *arguments, const char *path) {
  arguments->page = !path || !*path ? NULL : fopen(path, "w");
  return !path || !*path || arguments->page ||
         og_error_in(arguments->diagnostics, path, "cannot write: %s", strerror(errno));
}

static bool open_outputs(struct og_run_arguments *arguments) {
  struct og_output *files[OG_RUN_MAX_ARGUMENTS];
  for (uint32_t i = 0; i < arguments->output_count; i++) {
    struct og_run_output *output = &arguments->outputs[i];
    if (!og_output_open(&output->file, output->path, arguments->diagnostics))
      return false;
    files[arguments->open_count++] = &output->file;
  }
  return arguments->open_count == 0 ||
         og_keeper_start(&arguments->keeper, files, arguments->open_count, arguments->diagnostics);
}

bool og_run_confine(struct og_run_arguments *arguments, const struct og_run_command *command) {
  return open_trace(arguments, command->trace) && open_page(arguments, command->annotate) && open_outputs(arguments) &&
         og_sandbox_enter(command->sandbox, arguments->diagnostics);
}

/* Writes the bytes if they are wanted; returns 0 or an errno. */
static int finish_output(struct og_run_output *output, bool wanted) {
  size_t row = output->row ? output->row : output->size;
  for (size_t done = 0, at = 0; wanted && done < output->size; done += row, at += output->stride)
    fwrite((const uint8_t *)output->data + at, 1, row, output->file.file);
  return og_output_finish(&output->file);
}

static bool end_outputs(struct og_run_arguments *arguments, bool fine) {
  int reasons[OG_RUN_MAX_ARGUMENTS];
  bool all = fine;
  for (uint32_t i = 0; i < arguments->open_count; i++) {
    reasons[i] = finish_output(&arguments->outputs[i], fine);
    all = all && reasons[i] == 0;
  }
  uint32_t which = 0;
  int reason = 0;
  if (arguments->keeper.process)
    reason = og_keeper_end(&arguments->keeper, all, &which);
  else /* there is no keeper: it could not be made */
    for (uint32_t i = 0; i < arguments->open_count; i++)
      og_output_place(&arguments->outputs[i].file, false);
  for (uint32_t i = 0; i < arguments->open_count; i++) {
    int mine = reasons[i] ? reasons[i] : i == which ? reason : 0;
    fine = og_output_end(&arguments->outputs[i].file, fine ? mine : 0, arguments->diagnostics) && fine;
  }
  return fine;
}

bool og_run_arguments_end(struct og_run_arguments *arguments, const struct og_run_command *command, bool fine) {
  fine = end_outputs(arguments, fine);
  if (arguments->trace && arguments->trace != stdout && fclose(arguments->trace) != 0)
    return og_error_in(arguments->diagnostics, command->trace, "cannot write: %s", strerror(errno));
  if (arguments->page && fclose(arguments->page) != 0)
    return og_error_in(arguments->diagnostics, command->annotate, "cannot write: %s", strerror(errno));
  return fine;
}
