/* background.c - checks and profiles a kernel, then runs it several times in the background on memory of the program's
 * own: background FILE.s KERNEL */
#include "common.h"

enum { RUNS = 4 };

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s FILE.s KERNEL\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new(), *later[RUNS];
  og_module *module = assemble_file(argv[1], diagnostics);
  og_device *device = og_device_new(module, diagnostics);
  check(diagnostics);
  og_device_guard(device);
  og_device_cluster(device, 0, 0, 0);                                  /* as the kernel says, */
  og_device_trap_handler(device, NULL, NULL, NULL, diagnostics);       /* and none: both as at first */
  float *out = og_device_allocate(device, sizeof *out), results[RUNS] = {0};
  og_launch launch = {.kernel = argv[2], .grid = {1}, .group = {1}, .arguments = &out, .arguments_size = sizeof out};
  og_bytes json;
  size_t findings = og_device_check(device, &launch, NULL, &json, diagnostics);
  printf("%zu findings: %s", findings, (char *)json.data);
  og_bytes_free(&json);
  check(diagnostics);
  og_bytes counts;
  og_device_profile(device, &launch, false, &counts, diagnostics);
  printf("%s", (char *)counts.data);
  og_bytes_free(&counts);
  check(diagnostics);
  og_device_release(device, out);

  og_ticket *tickets[RUNS];
  if (!og_device_map(device, results, sizeof results))
    return 1;
  for (int i = 0; i < RUNS; i++) {
    out = &results[i];
    later[i] = og_diagnostics_new();
    tickets[i] = og_device_start(device, &launch, later[i]);
  }
  while (!og_ticket_wait(tickets[RUNS - 1], 0.1)) /* time for something else */
    puts("still running");
  for (int i = 0; i < RUNS; i++) {
    bool fine = og_ticket_end(tickets[i], NULL);
    check(later[i]);
    printf("%s %g\n", fine ? "done:" : "failed:", results[i]);
    og_diagnostics_free(later[i]);
  }
  og_device_stop(device); /* where nothing runs it does nothing */
  og_device_unmap(device, results);
  og_device_free(device);
  og_module_free(module);
  og_diagnostics_free(diagnostics);
}
