/* watch.c - prints each instruction as a wave comes to it, with what a register holds in lane 0, and stops where the
 * register holds what it should not: watch FILE.s KERNEL REGISTER */
#include "common.h"

#include <string.h>

struct watched {
  const char *name;
  uint64_t last;
  unsigned reads, writes;
};

static og_watch_answer see(void *context, og_view *view) {
  struct watched *watched = context;
  char text[128];
  uint32_t group[3], wave;
  uint64_t value = 0;
  og_view_place(view, group, &wave);
  og_view_text(view, text, sizeof text);
  if (!og_view_register(view, watched->name, 0, &value))
    return OG_WATCH_STOP;
  printf("%u.%u +%#llx %u of %u lanes %s=%#llx %s\n", group[0], wave, (unsigned long long)og_view_pc(view),
         (unsigned)__builtin_popcountll(og_view_exec(view)), og_view_lanes(view), watched->name,
         (unsigned long long)value, text);
  watched->last = value;
  return OG_WATCH_GO_ON;
}

static og_watch_answer count(void *context, og_view *view, const og_watched_access *access) {
  struct watched *watched = context;
  uint32_t word = 0;
  watched->reads += access->reads;
  watched->writes += access->writes;
  if (access->reads && og_view_read(view, access->space, access->lane, access->address, &word, sizeof word))
    printf("  reads %#x\n", word);
  return OG_WATCH_GO_ON;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s FILE.s KERNEL REGISTER\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_module *module = assemble_file(argv[1], diagnostics);
  og_device *device = og_device_new(module, diagnostics);
  check(diagnostics);
  float *out = og_device_allocate(device, sizeof *out);
  struct watched watched = {.name = argv[3]};
  og_watcher watcher = {.watcher_size = sizeof watcher, .context = &watched, .instruction = see, .access = count};
  og_launch launch = {.kernel = argv[2], .grid = {1}, .group = {1}, .arguments = &out, .arguments_size = sizeof out,
                      .watcher = &watcher};
  og_device_run(device, &launch, NULL, diagnostics);
  check(diagnostics);
  printf("%u reads, %u writes, %s=%#llx at the end\n", watched.reads, watched.writes, argv[3],
         (unsigned long long)watched.last);
  og_device_free(device);
  og_module_free(module);
  og_diagnostics_free(diagnostics);
}
