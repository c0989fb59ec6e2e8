/* profile.c - og_device_profile: a dispatch that counts what each instruction does. */
#include "api/device.h"
#include "debug/profile.h"

static bool profile(og_device *device, const og_launch *launch, bool page, og_bytes *text,
                    og_diagnostics *diagnostics) {
  __atomic_store_n(&device->stop, 0, __ATOMIC_RELEASE);
  const struct og_kernel *kernel = og_device_kernel(device, launch, diagnostics);
  if (!kernel)
    return false;
  struct og_run_options options = {.threads = launch->threads};
  struct og_profile *counts = og_profile_new(device->executable, kernel, launch->threads);
  struct og_buffer out = {0};
  og_profile_watch(counts, &options);
  bool fine = og_device_dispatch(device, launch, kernel, &options, NULL, NULL, diagnostics);
  (page ? og_profile_print_html : og_profile_print)(counts, &out);
  og_profile_free(counts);
  og_hand_out(true, &out, text);
  return fine;
}

bool og_device_profile(og_device *device, const og_launch *launch, bool page, og_bytes *text,
                       og_diagnostics *diagnostics) {
  *text = (og_bytes){0};
  og_device_await_turn(device, og_device_take_turn(device));
  bool fine = profile(device, launch, page, text, diagnostics);
  og_device_end_turn(device);
  return fine;
}
