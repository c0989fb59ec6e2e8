/* visa.c - runs an Intel kernel that takes a buffer and a number, which it adds to each element: visa FILE.visaasm
 * PLATFORM */
#include "common.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s FILE PLATFORM\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes kernel = read_file(argv[1]), printed;
  _Alignas(64) int32_t data[16] = {1, 2, 3, 4, 5, 6, 7, 8};
  int32_t more = 10;
  og_visa_value values[] = {{OG_VISA_VALUE_BUFFER, data, sizeof data / 2}, {OG_VISA_VALUE_BYTES, &more, sizeof more}};
  og_visa_launch launch = {
      .platform = argv[2], .grid = {8}, .group = {8}, .values = values, .value_count = 2, .check = true};
  og_visa_launch_kernel(kernel.data, kernel.size, &launch, &printed, diagnostics);
  check(diagnostics);
  for (int i = 0; i < 8; i++)
    printf("%d%c", data[i], i < 7 ? ' ' : '\n');
  og_bytes_free(&kernel);
  og_bytes_free(&printed);
  og_diagnostics_free(diagnostics);
}
