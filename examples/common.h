/* common.h - what every example needs: a whole file in memory, and diagnostics on stderr. */
#ifndef COMMON_H
#define COMMON_H

#include <offgrid.h>
#include <stdio.h>
#include <stdlib.h>

static inline og_bytes read_file(const char *path) {
  og_bytes bytes = {0};
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  bytes.size = (size_t)ftell(file);
  rewind(file);
  bytes.data = calloc(bytes.size + 1, 1);
  if (!bytes.data || fread(bytes.data, 1, bytes.size, file) != bytes.size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

/* Prints all diagnostics and ends the program if there was an error. */
static inline void check(og_diagnostics *diagnostics) {
  for (size_t i = 0; i < og_diagnostics_count(diagnostics); i++)
    fputs(og_diagnostics_text(diagnostics, i), stderr);
  if (og_diagnostics_errors(diagnostics))
    exit(1);
}

/* Assembly source to a code object that can be loaded. */
static inline og_module *assemble_file(const char *path, og_diagnostics *diagnostics) {
  og_bytes source = read_file(path), object = {0}, linked = {0};
  og_assemble_source((const char *)source.data, source.size, &(og_assemble_options){.name = path}, &object,
                     diagnostics);
  check(diagnostics);
  og_link_objects(&object, 1, &linked, diagnostics);
  check(diagnostics);
  og_module *module = og_module_open(linked.data, linked.size, path, diagnostics);
  check(diagnostics);
  og_bytes_free(&source);
  og_bytes_free(&object);
  og_bytes_free(&linked);
  return module;
}

#endif
