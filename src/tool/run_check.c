/* run_check.c - `offgrid check` of an AMD kernel: runs its checkers, alone or beside a weak memory. */
#include "tool/run_check.h"

#include "check/check.h"
#include "tool/tool.h"

#include <string.h>

static bool allow(struct og_check *check, const char *path, struct og_diagnostics *diagnostics) {
  struct og_buffer bytes = {0};
  bool fine = og_read_file(path, &bytes, diagnostics) &&
              og_check_allow(check, path, (struct og_text){(const char *)bytes.data, bytes.size}, diagnostics);
  og_buffer_free(&bytes);
  return fine;
}

bool og_run_no_checker(const char *option, struct og_text wrong, struct og_diagnostics *diagnostics) {
  struct og_buffer list = {0};
  og_check_list(&list);
  og_error_in(diagnostics, NULL, "--%s: '%.*s' is no checker of AMD kernels; there are %.*s", option,
              OG_TEXT_ARGS(wrong), (int)list.size, (const char *)list.data);
  og_buffer_free(&list);
  return false;
}

enum { LDS_GAP = 256 /* bytes */ };

bool og_run_check_start(struct og_session *session, const struct og_run_command *command) {
  struct og_run_options options = command->options;
  struct og_text wrong = {0};
  unsigned checkers = command->only ? og_check_names(command->only, &wrong) : OG_CHECK_ALL;
  if (!command->check)
    return true;
  if (!checkers)
    return og_run_no_checker("only", wrong, session->diagnostics);
  if (command->trace)
    return og_error_in(session->diagnostics, NULL, "--trace is an option of 'offgrid run'");
  session->check = og_check_new(session->executable, session->kernel, checkers, options.threads);
  options.count = command->stats;
  og_check_watch(session->check, &options);
  options.lds_gap = LDS_GAP;
  og_runtime_set_options(session->runtime, &options);
  for (uint32_t i = 0; i < command->lds_object_count; i++)
    if (!og_check_lds_object_text(session->check, command->lds_objects[i]))
      return og_error_in(session->diagnostics, NULL, "--lds-object %s: NAME:OFFSET:SIZE is expected, bytes of LDS",
                         command->lds_objects[i]);
  return !command->allow || allow(session->check, command->allow, session->diagnostics);
}

void og_run_check_add_schedule(const struct og_buffer *lines, struct og_buffer *json) {
  json->size -= strlen("}\n");
  og_buffer_text(json, ",\"schedule\":[");
  for (size_t at = 0, next; at < lines->size; at = next + 1) {
    const uint8_t *end = memchr(lines->data + at, '\n', lines->size - at);
    next = end ? (size_t)(end - lines->data) : lines->size;
    og_buffer_text(json, at ? "," : "");
    og_buffer_json(json, (const char *)lines->data + at, next - at);
  }
  og_buffer_text(json, "]}\n");
}

/* ---- beside a weak memory ---------------------------------------------------------------------------------------- */

static void group_begin(void *context, struct og_group *group) {
  const struct og_run_both *both = context;
  both->weak->observer.group_begin(both->weak->observer.context, group);
}

static void group_end(void *context, struct og_group *group) {
  const struct og_run_both *both = context;
  both->weak->observer.group_end(both->weak->observer.context, group);
}

static void begin(void *context, struct og_wave *wave) {
  const struct og_run_both *both = context;
  both->check->begin(both->check->context, wave);
}

/* The weak memory goes first: what is outstanding may still change registers and LDS. */
static void end(void *context, struct og_wave *wave) {
  const struct og_run_both *both = context;
  both->weak->observer.end(both->weak->observer.context, wave);
  both->check->end(both->check->context, wave);
}

static void fault(void *context, struct og_wave *wave, const struct og_fault *fault) {
  const struct og_run_both *both = context;
  both->weak->observer.fault(both->weak->observer.context, wave, fault);
}

static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  const struct og_run_both *both = context;
  both->weak->observer.instruction(both->weak->observer.context, wave, op);
  if (wave->verdict == (uint32_t)OG_GIVE_WAY)
    return; /* it is announced again later */
  both->check->instruction(both->check->context, wave, op);
  wave->quiet = 0;
}

static void told(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space, int access,
                 unsigned lane, uint64_t address, unsigned size) {
  const struct og_run_both *both = context;
  if (both->check->access)
    both->check->access(both->check->context, wave, op, space, access, lane, address, size);
}

static bool defer(void *context, struct og_wave *wave, const struct og_operation *op, const struct og_deferred *what) {
  const struct og_run_both *both = context;
  return both->weak->defer(both->weak->observer.context, wave, op, what);
}

static void look(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space,
                 uint64_t address, void *bytes, unsigned size) {
  const struct og_run_both *both = context;
  both->weak->look(both->weak->observer.context, wave, op, space, address, bytes, size);
}

void og_run_both_make(struct og_run_both *both, const struct og_deferring_observer *weak,
                      const struct og_observer *check) {
  *both = (struct og_run_both){.weak = weak, .check = check};
  both->observer = (struct og_deferring_observer){{.context = both,
                                                   .group_begin = group_begin,
                                                   .group_end = group_end,
                                                   .begin = begin,
                                                   .end = end,
                                                   .fault = fault,
                                                   .instruction = instruction,
                                                   .access = og_access_to_defer},
                                                  defer,
                                                  look,
                                                  told};
}
