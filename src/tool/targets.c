/* targets.c - `offgrid targets`: every processor there is. */
#include "tool/tool.h"

static int run(int argc, char **argv) {
  (void)argc, (void)argv;
  return OG_EXIT_OK;
}

const struct og_verb og_verb_targets = {"targets", "lists every processor with its triple, features and defaults",
                                        "usage: offgrid targets [--json]\n", run};
