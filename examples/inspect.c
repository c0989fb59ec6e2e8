/* inspect.c - lists the kernels of a code object: inspect FILE.hsaco */
#include "common.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes bytes = read_file(argv[1]);
  og_module *module = og_module_open(bytes.data, bytes.size, argv[1], diagnostics);
  check(diagnostics);
  printf("%s\n", og_module_target(module));
  og_kernel_info kernel;
  for (size_t i = 0; og_module_kernel(module, i, &kernel); i++)
    printf("  %s: %u VGPRs, %u SGPRs, %u bytes of LDS, %u of scratch, %u of arguments\n", kernel.name, kernel.vgprs,
           kernel.sgprs, kernel.lds_size, kernel.scratch_size, kernel.kernarg_size);
  og_module_free(module);
  og_bytes_free(&bytes);
  og_diagnostics_free(diagnostics);
}
