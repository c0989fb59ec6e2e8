/* lint.c - `offgrid lint`: what would fail on hardware. */
#include "tool/tool.h"
#include "lint/lint.h"

#include <stdio.h>

static int list_rules(const char *code) {
  const struct og_lint_rule *one = code ? og_find_lint_rule(og_text(code)) : NULL;
  if (code && !one)
    return og_usage_error("lint", "no finding '%s'; --list shows all", code);
  for (size_t i = 0; i < og_lint_rule_count(); i++) {
    const struct og_lint_rule *rule = og_lint_rule(i);
    if (!one || rule == one)
      printf("%s (%s)\n  %s\n  %s\n", rule->code, rule->severity == OG_SEVERITY_ERROR ? "error" : "warning",
             rule->meaning, rule->advice);
  }
  return OG_EXIT_OK;
}

enum waits { WAITS_NOT, WAITS_FOUND, WAITS_WHY };

static void lint_waits(const struct og_code_object *code, const struct og_target *target, enum waits waits,
                       struct og_diagnostics *diagnostics) {
  struct og_buffer why = {0};
  og_lint_waits(code, target, diagnostics, waits == WAITS_WHY ? &why : NULL);
  og_print(&why, stdout);
  og_buffer_free(&why);
}

static int lint_file(const char *path, const char *mcpu, enum waits waits, bool json) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer bytes = {0};
  struct og_code_objects objects = {0};
  if (og_read_file(path, &bytes, diagnostics))
    og_open_code_objects(arena, path, bytes.data, bytes.size, &objects, diagnostics);
  for (uint32_t i = 0; i < objects.items.count; i++) {
    const struct og_code_object *code = objects.items.items[i];
    struct og_target target = code->target;
    if (mcpu && !og_target_parse(&target, NULL, mcpu, NULL, diagnostics))
      continue;
    og_lint(code, &target, diagnostics);
    if (waits != WAITS_NOT)
      lint_waits(code, &target, waits, diagnostics);
  }
  if (json)
    og_print_findings(diagnostics);
  int exit_code = og_finish(diagnostics);
  og_buffer_free(&bytes);
  og_arena_free(arena);
  return exit_code;
}

static int run(int argc, char **argv) {
  const char *path = NULL, *mcpu = NULL, *explain = NULL;
  bool list = false, json = false;
  enum waits waits = WAITS_NOT;
  for (int i = 1; i < argc; i++)
    if (og_option_value(argc, argv, &i, "mcpu", &mcpu) || og_option_value(argc, argv, &i, "explain", &explain))
      continue;
    else if (og_option_flag(argv, i, "list"))
      list = true;
    else if (og_option_flag(argv, i, "json"))
      json = true;
    else if (og_option_flag(argv, i, "waits"))
      waits = WAITS_FOUND;
    else if (og_option_flag(argv, i, "waits=why"))
      waits = WAITS_WHY;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("lint", argc, argv, i);
    else if (path)
      return og_usage_error("lint", "one file at a time: '%s' is a second one", argv[i]);
    else
      path = argv[i];
  if (list || explain)
    return list_rules(explain);
  if (!path)
    return og_usage_error("lint", "no file named");
  if (json && waits == WAITS_WHY)
    return og_usage_error("lint", "--json prints findings; --waits=why prints lines for people");
  return lint_file(path, mcpu, waits, json);
}

const struct og_verb og_verb_lint = {
    "lint", "tells what would fail on hardware, without running anything",
    "usage: offgrid lint [-mcpu=PROCESSOR] [--waits[=why]] [--json] FILE\n"
    "       offgrid lint --list | --explain=CODE\n\n"
    "Holds descriptors against code, metadata against descriptors and instructions against the processor: register\n"
    "counts (through calls), alignment, reserved bits, scratch and LDS, arguments, branches, the end of the code.\n"
    "-mcpu checks for another processor than the file names. Exit code 1 where a finding is an error.\n"
    "--waits also follows all paths of kernels and functions, and finds registers that are touched while a memory\n"
    "operation may still fill or read them (s_waitcnt and its kin are missing), with the path, and instructions that\n"
    "come before wait states are over (s_nop is missing). --waits=why prints,\n"
    "too, of every counter of every wait what needs it, or why nothing does: docs/checkers.md.\n"
    "Of vISA, text or binary, it says what breaks the rules of the platform that -mcpu names (skl, tgllp, dg2, pvc).\n"
    "--json prints {\"findings\": [...]} with severity, file, code and message, too: docs/lint.schema.json.\n"
    "--list tells every finding with its meaning and where to mend it; --explain only one.\n",
    run};
