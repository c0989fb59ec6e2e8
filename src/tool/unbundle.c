/* unbundle.c - `offgrid unbundle`: writes the code objects in bundles and host executables to one file each. */
#include "tool/tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "object/object.h"

/* Makes a file name of an entry's id; unusual characters become '_'. */
static const char *file_name(struct og_arena *arena, const char *directory, const struct og_bundle_entry *entry,
                             uint32_t index) {
  char *id = og_arena_copy(arena, entry->id, strlen(entry->id));
  for (char *c = id; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+.", *c))
      *c = '_';
  const char *suffix = og_is_elf(entry->data, entry->size) ? "hsaco" : "bin";
  return og_arena_printf(arena, "%s/%u-%s.%s", directory, index, *id ? id : "unnamed", suffix);
}

static void list_entry(const struct og_bundle_entry *entry) {
  struct og_buffer line = {0};
  og_buffer_printable(&line, entry->id, strlen(entry->id), "");
  og_buffer_printf(&line, ", %zu bytes\n", entry->size);
  og_print(&line, stdout);
  og_buffer_free(&line);
}

static bool write_entries(struct og_arena *arena, const struct og_bundle *bundle, const char *directory,
                          struct og_diagnostics *diagnostics) {
  if (mkdir(directory, 0777) != 0 && errno != EEXIST)
    return og_error_in(diagnostics, directory, "cannot make the folder: %s", strerror(errno));
  bool good = true;
  for (uint32_t i = 0; i < bundle->entries.count; i++) {
    const struct og_bundle_entry *entry = &bundle->entries.items[i];
    if (entry->size == 0) /* the host's entry is empty */
      continue;
    const char *path = file_name(arena, directory, entry, i);
    good &= og_write_file(path, entry->data, entry->size, diagnostics);
    if (good) {
      printf("%s: ", path);
      list_entry(entry);
    }
  }
  return good;
}

static int run(int argc, char **argv) {
  const char *file = NULL, *directory = ".", *value;
  bool list = false;
  for (int i = 1; i < argc; i++) {
    if (og_option_value(argc, argv, &i, "o", &value))
      directory = value;
    else if (og_option_flag(argv, i, "list"))
      list = true;
    else if ((argv[i][0] == '-' && argv[i][1]) || file)
      return og_usage_error("unbundle", "unexpected argument '%s'", argv[i]);
    else
      file = argv[i];
  }
  if (!file)
    return og_usage_error("unbundle", "no input file");
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer contents = {0};
  struct og_bundle bundle;
  if (og_read_file(file, &contents, diagnostics) &&
      og_bundle_read(arena, file, contents.data, contents.size, &bundle, diagnostics)) {
    for (uint32_t i = 0; list && i < bundle.entries.count; i++)
      list_entry(&bundle.entries.items[i]);
    if (!list)
      write_entries(arena, &bundle, directory, diagnostics);
  }
  og_buffer_free(&contents);
  og_arena_free(arena);
  return og_finish(diagnostics);
}

const struct og_verb og_verb_unbundle = {
    "unbundle", "takes the code objects out of a bundle or a host executable",
    "usage: offgrid unbundle FILE [-o DIR] [--list]\n\n"
    "Writes each code object of an offload bundle (plain or compressed) or of a host executable or library to a file "
    "in\n"
    "DIR (default: here), named after its number and target. --list only names them.\n",
    run};
