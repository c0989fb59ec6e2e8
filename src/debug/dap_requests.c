/* dap_requests.c - requests of the protocol that start, move and stop: one function each. */
#include "debug/dap_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static bool needs_debug(const struct og_dap *dap, struct og_buffer *error) {
  if (!dap->debug)
    og_buffer_text(error, "nothing is launched");
  return dap->debug != NULL;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------- */

static json_t *initialize(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)dap, (void)arguments, (void)error;
  static const char *const can[] = {"supportsConfigurationDoneRequest",
                                    "supportsFunctionBreakpoints",
                                    "supportsConditionalBreakpoints",
                                    "supportsHitConditionalBreakpoints",
                                    "supportsEvaluateForHovers",
                                    "supportsStepBack",
                                    "supportsSetVariable",
                                    "supportsInstructionBreakpoints",
                                    "supportsDisassembleRequest",
                                    "supportsReadMemoryRequest",
                                    "supportsSteppingGranularity",
                                    "supportsDataBreakpoints",
                                    "supportsTerminateRequest",
                                    "supportsRestartRequest"};
  json_t *body = json_object();
  for (size_t i = 0; i < OG_COUNT(can); i++)
    json_object_set_new(body, can[i], json_true());
  return body;
}

enum { WORDS_MOST = 1024 };

static void add_word(char **words, int *count, const char *prefix, const char *text) {
  char *word = NULL;
  if (*count < WORDS_MOST && asprintf(&word, "%s%s", prefix, text) >= 0)
    words[(*count)++] = word;
}

/* A number, a text, or a list of them with commas between. */
static void add_option(char **words, int *count, const char *prefix, json_t *value) {
  struct og_buffer text = {0};
  size_t size = json_is_array(value) ? json_array_size(value) : value ? 1 : 0;
  for (size_t i = 0; i < size; i++) {
    json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
    og_buffer_text(&text, i ? "," : "");
    if (json_is_integer(one))
      og_buffer_printf(&text, "%lld", (long long)json_integer_value(one));
    else
      og_buffer_text(&text, json_string_value(one) ? json_string_value(one) : "");
  }
  if (size)
    add_word(words, count, prefix, (const char *)text.data);
  og_buffer_free(&text);
}

/* What the command line says, in the words of `offgrid debug`: "args" are the kernel's, "options" any others. */
static json_t *launch(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  static const struct {
    const char *key, *option;
  } options[] = {{"kernel", "--kernel="}, {"grid", "--grid="}, {"group", "--group="},
                 {"mcpu", "-mcpu="},      {"lds", "--lds="},   {"schedule", "--schedule="}};
  char *words[WORDS_MOST + 1] = {0};
  int count = 0;
  if (dap->debug) {
    og_buffer_text(error, "a kernel is launched already");
    return NULL;
  }
  add_word(words, &count, "", "debug");
  if (*text_of(arguments, "program"))
    add_word(words, &count, "", text_of(arguments, "program"));
  for (size_t i = 0; i < OG_COUNT(options); i++)
    add_option(words, &count, options[i].option, json_object_get(arguments, options[i].key));
  json_t *more = json_object_get(arguments, "args"), *others = json_object_get(arguments, "options");
  for (size_t i = 0; i < json_array_size(more); i++)
    add_option(words, &count, "--arg=", json_array_get(more, i));
  for (size_t i = 0; i < json_array_size(others); i++)
    add_option(words, &count, "", json_array_get(others, i));
  dap->debug = dap->host->launch(dap->host->context, count, words, error);
  dap->console = dap->debug ? og_console_new(dap->debug, &dap->printed) : NULL;
  dap->stop_on_entry = json_is_true(json_object_get(arguments, "stopOnEntry"));
  for (int i = 0; i < count; i++)
    free(words[i]);
  return dap->debug ? json_object() : NULL;
}

static json_t *go(struct og_dap *dap, enum og_step step, bool over, bool back) {
  dap->motion = back ? OG_DAP_GOES_BACK : OG_DAP_GOES;
  dap->step = step;
  dap->over = over;
  return json_object();
}

static json_t *configuration_done(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)arguments;
  if (!needs_debug(dap, error))
    return NULL;
  dap->configured = true;
  dap->entry = dap->stop_on_entry;
  return go(dap, OG_RUN, false, false);
}

static json_t *restart(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)arguments;
  if (!needs_debug(dap, error))
    return NULL;
  og_debug_kill(dap->debug);
  dap->entry = dap->stop_on_entry;
  return go(dap, OG_RUN, false, false);
}

static json_t *disconnect(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)arguments, (void)error;
  dap->done = true;
  return json_object();
}

static json_t *terminate(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)arguments, (void)error;
  if (dap->debug)
    og_debug_kill(dap->debug);
  og_dap_event(dap, "terminated", NULL);
  return json_object();
}

static json_t *nothing(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)dap, (void)arguments, (void)error;
  return json_object();
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

static json_t *step(struct og_dap *dap, json_t *arguments, bool over, bool back, struct og_buffer *error) {
  if (!needs_debug(dap, error))
    return NULL;
  if (!og_dap_focus(dap, arguments, "threadId") && !back) {
    og_buffer_text(error, "no such wave is resident");
    return NULL;
  }
  bool instruction = strcmp(text_of(arguments, "granularity"), "instruction") == 0;
  return go(dap, instruction ? OG_STEP_INSTRUCTION : OG_STEP_LINE, over, back);
}

static json_t *next(struct og_dap *d, json_t *arguments, struct og_buffer *e) {
  return step(d, arguments, true, false, e);
}
static json_t *step_in(struct og_dap *d, json_t *arguments, struct og_buffer *e) {
  return step(d, arguments, false, false, e);
}
static json_t *step_back(struct og_dap *d, json_t *arguments, struct og_buffer *e) {
  return step(d, arguments, false, true, e);
}

static json_t *go_on(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)arguments;
  if (!needs_debug(dap, error))
    return NULL;
  json_t *body = go(dap, OG_RUN, false, false);
  json_object_set_new(body, "allThreadsContinued", json_true());
  return body;
}

static json_t *reverse_continue(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)arguments;
  return needs_debug(dap, error) ? go(dap, OG_RUN, false, true) : NULL;
}

/* ---- breakpoints ------------------------------------------------------------------------------------------------- */

/* Those that an earlier request of the kind set, for that source, are no more. */
static void forget(struct og_dap *dap, const char *prefix) {
  const struct og_breakpoint *one;
  for (uint32_t i = 0; (one = og_debug_breakpoint(dap->debug, i)); i++)
    if (one->number && strncmp(one->where, prefix, strlen(prefix)) == 0)
      og_debug_delete(dap->debug, one->number);
}

static json_t *describe(struct og_dap *dap, uint32_t number, uint64_t pc, const char *file, const char *why) {
  json_t *body = json_pack("{s:b}", "verified", number != 0);
  if (number) {
    char reference[24];
    struct og_line line = og_lines_at(dap->debug->lines, pc - dap->debug->target.executable->start);
    snprintf(reference, sizeof reference, "0x%llx", (unsigned long long)pc);
    json_object_set_new(body, "id", json_integer(number));
    json_object_set_new(body, "instructionReference", json_string(reference));
    if (line.file)
      json_object_set_new(body, "line", json_integer(line.line));
    if (file)
      json_object_set_new(body, "source", json_pack("{s:s}", "path", file));
  } else {
    json_object_set_new(body, "message", json_string(why));
  }
  return body;
}

/* One, at what `where` means; `tag` is in front of what it is remembered by. */
static json_t *set_one(struct og_dap *dap, json_t *wanted, const char *tag, const char *where, const char *file) {
  enum { PLACES = 256 };
  uint64_t pcs[PLACES];
  struct og_buffer why = {0}, name = {0};
  const char *condition = text_of(wanted, "condition"), *hits = text_of(wanted, "hitCondition");
  uint32_t count = og_find_location(dap->debug, where, pcs, PLACES, &why), number = 0;
  og_buffer_printf(&name, "%s%s", tag, where);
  if (count) {
    struct og_breakpoint *made =
        og_debug_break(dap->debug, (const char *)name.data, pcs, count, *condition ? condition : NULL, false);
    made->ignore = *hits ? strtoull(hits, NULL, 10) : 0;
    made->ignore -= made->ignore > 0;
    number = made->number;
  }
  while (why.size && why.data[why.size - 1] == '\n')
    why.data[--why.size] = 0;
  json_t *body = describe(dap, number, count ? pcs[0] : 0, file, why.size ? (const char *)why.data : "");
  og_buffer_free(&why);
  og_buffer_free(&name);
  return body;
}

static json_t *set_breakpoints(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  if (!needs_debug(dap, error))
    return NULL;
  const char *path = text_of(json_object_get(arguments, "source"), "path");
  json_t *wanted = json_object_get(arguments, "breakpoints"), *made = json_array();
  forget(dap, path);
  for (size_t i = 0; i < json_array_size(wanted); i++) {
    json_t *one = json_array_get(wanted, i);
    char *where = NULL;
    if (asprintf(&where, "%s:%lld", path, (long long)json_integer_value(json_object_get(one, "line"))) < 0)
      break;
    json_array_append_new(made, set_one(dap, one, "", where, path));
    free(where);
  }
  return json_pack("{s:o}", "breakpoints", made);
}

static json_t *set_function_breakpoints(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  if (!needs_debug(dap, error))
    return NULL;
  json_t *wanted = json_object_get(arguments, "breakpoints"), *made = json_array();
  forget(dap, "function ");
  for (size_t i = 0; i < json_array_size(wanted); i++)
    json_array_append_new(
        made, set_one(dap, json_array_get(wanted, i), "function ", text_of(json_array_get(wanted, i), "name"), NULL));
  return json_pack("{s:o}", "breakpoints", made);
}

static json_t *set_instruction_breakpoints(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  if (!needs_debug(dap, error))
    return NULL;
  json_t *wanted = json_object_get(arguments, "breakpoints"), *made = json_array();
  forget(dap, "*");
  for (size_t i = 0; i < json_array_size(wanted); i++) {
    json_t *one = json_array_get(wanted, i);
    char where[80];
    snprintf(where, sizeof where, "*%.40s + %lld", text_of(one, "instructionReference"),
             (long long)json_integer_value(json_object_get(one, "offset")));
    json_array_append_new(made, set_one(dap, one, "", where, NULL));
  }
  return json_pack("{s:o}", "breakpoints", made);
}

static json_t *data_breakpoint_info(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  struct og_value value;
  char why[160];
  if (!needs_debug(dap, error))
    return NULL;
  struct og_context context = og_context_of(dap->debug);
  const char *name = text_of(arguments, "name");
  if (!og_evaluate(&context, name, NULL, &value, why, sizeof why) || !value.has_place)
    return json_pack("{s:n, s:s}", "dataId", "description", *why ? why : "it has no place");
  return json_pack("{s:s, s:s, s:[s]}", "dataId", name, "description", name, "accessTypes", "write");
}

static json_t *set_data_breakpoints(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  if (!needs_debug(dap, error))
    return NULL;
  json_t *wanted = json_object_get(arguments, "breakpoints"), *made = json_array();
  const struct og_watchpoint *old;
  for (uint32_t i = 0; (old = og_debug_watchpoint(dap->debug, i)); i++)
    og_debug_delete(dap->debug, old->number);
  for (size_t i = 0; i < json_array_size(wanted); i++) {
    json_t *one = json_array_get(wanted, i);
    const char *text = text_of(one, "dataId"), *condition = text_of(one, "condition");
    struct og_context context = og_context_of(dap->debug);
    struct og_value value;
    char why[160];
    bool fine = og_evaluate(&context, text, NULL, &value, why, sizeof why) && value.has_place;
    uint32_t number =
        fine ? og_debug_watch(dap->debug, text, &value.place, 0, *condition ? condition : NULL)->number : 0;
    json_array_append_new(made, fine ? json_pack("{s:b, s:I}", "verified", 1, "id", (json_int_t)number)
                                     : json_pack("{s:b, s:s}", "verified", 0, "message", why));
  }
  return json_pack("{s:o}", "breakpoints", made);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const struct {
  const char *command;
  og_dap_request *make;
} requests[] = {
    {"initialize", initialize},
    {"launch", launch},
    {"configurationDone", configuration_done},
    {"setBreakpoints", set_breakpoints},
    {"setFunctionBreakpoints", set_function_breakpoints},
    {"setInstructionBreakpoints", set_instruction_breakpoints},
    {"setExceptionBreakpoints", nothing},
    {"dataBreakpointInfo", data_breakpoint_info},
    {"setDataBreakpoints", set_data_breakpoints},
    {"threads", og_dap_threads},
    {"stackTrace", og_dap_stack_trace},
    {"scopes", og_dap_scopes},
    {"variables", og_dap_variables},
    {"setVariable", og_dap_set_variable},
    {"evaluate", og_dap_evaluate},
    {"disassemble", og_dap_disassemble},
    {"readMemory", og_dap_read_memory},
    {"continue", go_on},
    {"next", next},
    {"stepIn", step_in},
    {"stepOut", next},
    {"stepBack", step_back},
    {"reverseContinue", reverse_continue},
    {"pause", nothing},
    {"restart", restart},
    {"terminate", terminate},
    {"disconnect", disconnect},
};

og_dap_request *og_dap_find(const char *command) {
  for (size_t i = 0; i < OG_COUNT(requests); i++)
    if (strcmp(requests[i].command, command) == 0)
      return requests[i].make;
  return NULL;
}
