/* flip.c - what becomes of a kernel's result where one bit flips: flips each bit of a register before the Nth
 * instruction, or with "lds" of LDS's first word: flip FILE.s KERNEL REGISTER|lds N */
#include "common.h"

#include <string.h>

struct fault {
  const char *name;
  unsigned at, bit, seen;
  bool happened;
};

static og_watch_answer flip(void *context, og_view *view) {
  struct fault *fault = context;
  uint64_t value = 0;
  uint32_t word;
  if (fault->seen++ != fault->at)
    return OG_WATCH_GO_ON;
  if (strcmp(fault->name, "lds") == 0) {
    fault->happened = og_view_read(view, OG_ACCESS_LDS, 0, 0, &word, sizeof word);
    word ^= UINT32_C(1) << fault->bit;
    fault->happened = fault->happened && og_view_write(view, OG_ACCESS_LDS, 0, 0, &word, sizeof word);
  } else {
    fault->happened = og_view_register(view, fault->name, 0, &value) &&
                      og_view_set_register(view, fault->name, 0, value ^ UINT64_C(1) << fault->bit);
  }
  return OG_WATCH_GO_ON;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: %s FILE.s KERNEL REGISTER|lds N\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_module *module = assemble_file(argv[1], diagnostics);
  og_device *device = og_device_new(module, diagnostics);
  check(diagnostics);
  float *out = og_device_allocate(device, sizeof *out);
  og_launch launch = {.kernel = argv[2], .grid = {1}, .group = {1}, .arguments = &out, .arguments_size = sizeof out};
  og_device_run(device, &launch, NULL, diagnostics);
  check(diagnostics);
  float right = *out;
  unsigned masked = 0, wrong = 0, caught = 0;
  for (unsigned bit = 0; bit < 32; bit++) {
    struct fault fault = {.name = argv[3], .at = (unsigned)atoi(argv[4]), .bit = bit};
    og_watcher watcher = {.watcher_size = sizeof watcher, .context = &fault, .instruction = flip};
    og_diagnostics *told = og_diagnostics_new();
    launch.watcher = &watcher;
    bool fine = og_device_run(device, &launch, NULL, told);
    ++*(!fine ? &caught : memcmp(out, &right, sizeof right) ? &wrong : &masked);
    og_diagnostics_free(told);
    if (!fault.happened) {
      fprintf(stderr, "no '%s' before instruction %s\n", argv[3], argv[4]);
      return 1;
    }
  }
  printf("of 32 flips %u change nothing, %u the result, %u end in a fault\n", masked, wrong, caught);
  og_device_free(device);
  og_module_free(module);
  og_diagnostics_free(diagnostics);
}
