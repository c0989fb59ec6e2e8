/* assemble.c - assembles and links a source file: assemble FILE.s OUT.hsaco [PROCESSOR] */
#include "common.h"

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) {
    fprintf(stderr, "usage: %s FILE.s OUT.hsaco [PROCESSOR]\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes source = read_file(argv[1]), object = {0}, linked = {0};
  og_assemble_options options = {.name = argv[1], .processor = argv[3]};
  og_assemble_source((const char *)source.data, source.size, &options, &object, diagnostics);
  check(diagnostics);
  og_link_objects(&object, 1, &linked, diagnostics);
  check(diagnostics);
  FILE *out = fopen(argv[2], "wb");
  if (!out || fwrite(linked.data, 1, linked.size, out) != linked.size || fclose(out) != 0) {
    perror(argv[2]);
    return 1;
  }
  printf("%s: %zu bytes\n", argv[2], linked.size);
  og_bytes_free(&source);
  og_bytes_free(&object);
  og_bytes_free(&linked);
  og_diagnostics_free(diagnostics);
}
