/* load_tool.c - loads each code object named on a device of its processor, through the
 * public API, and says what it holds. */
#include <stdio.h>
#include <stdlib.h>

#include "offgrid.h"

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = NULL;
  if (file && fseek(file, 0, SEEK_END) == 0) {
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size)
      free(bytes), bytes = NULL;
  }
  if (file)
    fclose(file);
  return bytes;
}

static bool load(const char *path, og_diagnostics *diagnostics) {
  size_t size = 0;
  void *bytes = read_file(path, &size);
  og_module *module = bytes ? og_module_open(bytes, size, path, diagnostics) : NULL;
  og_device *device = module ? og_device_new(module, diagnostics) : NULL;
  if (device)
    printf("%s: %zu kernels for %s\n", path, og_module_kernel_count(module), og_module_target(module));
  og_device_free(device);
  og_module_free(module);
  free(bytes);
  return device != NULL;
}

int main(int argc, char **argv) {
  int failed = 0;
  for (int i = 1; i < argc; i++) {
    og_diagnostics *diagnostics = og_diagnostics_new();
    if (!load(argv[i], diagnostics))
      failed++, fprintf(stderr, "%s: not loaded: %s\n", argv[i], og_diagnostics_text(diagnostics, 0));
    og_diagnostics_free(diagnostics);
  }
  return failed != 0;
}
