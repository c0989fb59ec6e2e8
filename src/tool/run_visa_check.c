/* run_visa_check.c - `offgrid check` of a vISA kernel: handles the options that checks of AMD kernels have too. */
#include "tool/run_visa_check.h"
#include "tool/run_check.h"

#include <string.h>

/* The checkers that there are for vISA. */
enum { CHECKERS = OG_CHECK_UNINIT | OG_CHECK_RACES | OG_CHECK_DIVERGENCE | OG_CHECK_BOUNDS };

static void add_json(struct og_run_visa_check *check, const struct og_visa_finding *finding) {
  struct og_buffer *out = &check->json;
  const char *const keys[] = {"kernel", "message", "place", "instruction"},
             *const values[] = {finding->kernel, finding->message, finding->place, finding->instruction};
  og_buffer_printf(out, "%s{\"checker\":\"%s\"", out->size ? "," : "", finding->checker);
  for (size_t i = 0; i < OG_COUNT(keys); i++) {
    og_buffer_printf(out, ",\"%s\":", keys[i]);
    og_buffer_json(out, values[i], strlen(values[i]));
  }
  og_buffer_printf(out, ",\"group\":[%u,%u,%u],\"thread\":%u}", finding->group[0], finding->group[1], finding->group[2],
                   finding->thread);
}

static bool found(void *context, const struct og_visa_finding *finding) {
  struct og_run_visa_check *check = context;
  if (!(check->checkers & og_check_matching(og_text(finding->checker))) ||
      og_allowances_have(&check->allowed, finding->checker, finding->place))
    return false;
  if (check->as_json)
    add_json(check, finding);
  return true;
}

static bool read_allowances(struct og_allowances *allowed, const char *path, struct og_diagnostics *diagnostics) {
  struct og_buffer bytes = {0};
  bool fine = og_read_file(path, &bytes, diagnostics) &&
              og_allowances_read(allowed, path, (struct og_text){(const char *)bytes.data, bytes.size}, diagnostics);
  og_buffer_free(&bytes);
  return fine;
}

bool og_run_visa_check_start(struct og_run_visa_check *check, struct og_arena *arena,
                             const struct og_run_command *command, struct og_visa_dispatch *dispatch,
                             struct og_diagnostics *diagnostics) {
  struct og_text wrong = {0};
  *check = (struct og_run_visa_check){.allowed = {.arena = arena}, .as_json = command->findings_json};
  if (!command->check)
    return true;
  check->checkers = command->only ? og_check_names(command->only, &wrong) : OG_CHECK_ALL;
  if (!check->checkers)
    return og_run_no_checker("only", wrong, diagnostics);
  if (!(check->checkers & CHECKERS))
    return og_error_in(diagnostics, command->files[0],
                       "--only=%s: of vISA kernels there are uninit, races, divergence and bounds", command->only);
  dispatch->found = found, dispatch->found_context = check;
  return !command->allow || read_allowances(&check->allowed, command->allow, diagnostics);
}

void og_run_visa_check_end(struct og_run_visa_check *check, struct og_buffer *out) {
  if (check->as_json)
    og_buffer_printf(out, "{\"findings\":[%.*s]}\n", (int)check->json.size, (const char *)check->json.data);
  og_buffer_free(&check->json);
}
