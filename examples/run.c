/* run.c - runs a kernel on the CPU and reads its result: run hello_world.s hello_world */
#include "common.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s FILE.s KERNEL\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_module *module = assemble_file(argv[1], diagnostics);
  og_device *device = og_device_new(module, diagnostics);
  check(diagnostics);
  float *out = og_device_allocate(device, sizeof *out);
  og_launch launch = {
      .kernel = argv[2], .grid = {1, 1, 1}, .group = {1, 1, 1}, .arguments = &out, .arguments_size = sizeof out};
  og_device_run(device, &launch, NULL, diagnostics);
  check(diagnostics);
  printf("%g\n", *out);
  og_device_free(device);
  og_module_free(module);
  og_diagnostics_free(diagnostics);
}
