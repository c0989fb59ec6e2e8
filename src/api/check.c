/* check.c - og_device_check: a dispatch with checkers watching. */
#include "api/device.h"
#include "check/check.h"

static bool takes(void *context, const struct og_fault *fault) { return og_check_fault(context, fault); }

static void begins(void *context, uint32_t group_bytes) { og_check_told_lds(context, group_bytes); }

static size_t check(og_device *device, const og_launch *launch, unsigned checkers, og_bytes *json,
                    og_diagnostics *diagnostics) {
  __atomic_store_n(&device->stop, 0, __ATOMIC_RELEASE);
  const struct og_kernel *kernel = og_device_kernel(device, launch, diagnostics);
  if (!kernel)
    return 0;
  struct og_run_options options = {.threads = launch->threads};
  struct og_check *watch = og_check_new(device->executable, kernel, checkers, OG_MAX(launch->threads, 1u));
  struct og_buffer text = {0};
  struct og_excuse excuse = {takes, begins, watch};
  og_check_watch(watch, &options);
  og_device_dispatch(device, launch, kernel, &options, &excuse, NULL, diagnostics);
  size_t findings = og_check_tell(watch, diagnostics, json ? &text : NULL);
  og_check_free(watch);
  if (json)
    og_hand_out(true, &text, json);
  return findings;
}

size_t og_device_check(og_device *device, const og_launch *launch, const char *checkers, og_bytes *json,
                       og_diagnostics *diagnostics) {
  struct og_text wrong = {0};
  unsigned wanted = checkers ? og_check_names(checkers, &wrong) : OG_CHECK_ALL;
  if (json)
    *json = (og_bytes){0};
  if (!wanted) {
    og_error_in(diagnostics, NULL, "'%.*s' is no checker of AMD kernels", OG_TEXT_ARGS(wrong));
    return 0;
  }
  og_device_await_turn(device, og_device_take_turn(device));
  size_t findings = check(device, launch, wanted, json, diagnostics);
  og_device_end_turn(device);
  return findings;
}
