/* inspect.c - lists the kernels of a code object, and what would fail on hardware: inspect FILE.hsaco */
#include "common.h"

static void print_arguments(const og_module *module, size_t kernel) {
  static const char *const forms[] = {"by value", "buffer", "LDS", "other"};
  og_argument_info argument = {.info_size = sizeof argument};
  for (size_t i = 0; og_module_argument(module, kernel, i, &argument); i++)
    printf("    %2u: %u bytes, %s %s %s\n", argument.offset, argument.size, forms[argument.form], argument.type_name,
           argument.name);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes bytes = read_file(argv[1]);
  og_module *module = og_module_open(bytes.data, bytes.size, argv[1], diagnostics);
  check(diagnostics);
  printf("offgrid %s: %s, kernels: %zu\n", og_version(), og_module_target(module), og_module_kernel_count(module));
  og_kernel_info kernel = {.info_size = sizeof kernel};
  for (size_t i = 0; og_module_kernel(module, i, &kernel); i++) {
    printf("  %s: %u VGPRs, %u SGPRs, %u bytes of LDS, %u of scratch, %u of arguments\n", kernel.name, kernel.vgprs,
           kernel.sgprs, kernel.lds_size, kernel.scratch_size, kernel.kernarg_size);
    print_arguments(module, i);
  }
  printf("findings: %zu\n", og_module_lint(module, diagnostics));
  og_diagnostic_info finding = {.info_size = sizeof finding};
  for (size_t i = 0; og_diagnostics_get(diagnostics, i, &finding); i++)
    printf("  %s: %s\n", finding.code ? finding.code : "note", finding.message);
  og_module_free(module);
  og_bytes_free(&bytes);
  og_diagnostics_free(diagnostics);
}
