/* litmus.c - `offgrid litmus`: the outcomes of litmus tests under the memory model. */
#include "litmus/litmus.h"
#include "litmus/tables.h"
#include "tool/tool.h"

#include <stdlib.h>
#include <string.h>

struct request {
  const char *path, *mcpu;
  struct og_litmus_search how;
  bool code;
};

static int run_request(const struct request *r) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer input = {0}, out = {0};
  const char *name = og_text_is(og_text(r->path), "-") ? "<stdin>" : r->path;
  if (og_read_file(r->path, &input, diagnostics)) {
    struct og_litmus_test *test =
        og_litmus_read(arena, name, (const char *)input.data, input.size, r->mcpu, diagnostics);
    struct og_litmus_result result = {0};
    if (test && r->code) {
      og_litmus_print_code(test, &out);
    } else if (test) {
      og_litmus_search(arena, test, &r->how, &result);
      if (result.fault)
        og_error_in(diagnostics, name, "%s", result.fault);
      else
        og_litmus_print(test, &result, &out);
      if (!result.fault && !result.complete && !r->how.runs)
        og_error_in(diagnostics, name, "more than %llu states: take --runs=N", (unsigned long long)r->how.most);
      else if (!result.fault && test->quantifier != OG_LITMUS_EXISTS && !og_litmus_verdict(test, &result))
        og_error_in(diagnostics, name, "%s",
                    test->quantifier == OG_LITMUS_FORALL ? "an outcome is not what 'forall' requires"
                                                         : "an outcome that '~exists' forbids can happen");
    }
  }
  og_print(&out, stdout);
  int exit_code = og_finish(diagnostics);
  og_buffer_free(&out);
  og_buffer_free(&input);
  og_arena_free(arena);
  return exit_code;
}

static int print_tables(const char *title) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer out = {.sink = stdout};
  if (!og_tables_print(title, &out, diagnostics))
    og_error_in(diagnostics, NULL, "something in the tables is not as it should be, and has no reason");
  og_print(&out, stdout);
  og_buffer_free(&out);
  return og_finish(diagnostics);
}

static bool read_count(const char *text, uint64_t *count) {
  char *end;
  *count = strtoull(text, &end, 0);
  return *text >= '0' && *text <= '9' && !*end;
}

static int run(int argc, char **argv) {
  struct request r = {.how = {.most = 4000000}};
  const char *runs = NULL, *seed = NULL, *tables = NULL;
  for (int i = 1; i < argc; i++)
    if (og_option_value(argc, argv, &i, "mcpu", &r.mcpu) || og_option_value(argc, argv, &i, "runs", &runs) ||
        og_option_value(argc, argv, &i, "seed", &seed) ||
        (strchr(argv[i], '=') && og_option_value(argc, argv, &i, "tables", &tables)))
      continue;
    else if (og_option_flag(argv, i, "S"))
      r.code = true;
    else if (og_option_flag(argv, i, "tables"))
      tables = "";
    else if (og_option_flag(argv, i, "exhaustive"))
      runs = NULL;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("litmus", argc, argv, i);
    else if (r.path)
      return og_usage_error("litmus", "one file at a time: '%s' is a second one", argv[i]);
    else
      r.path = argv[i];
  if ((runs && (!read_count(runs, &r.how.runs) || r.how.runs == 0)) || (seed && !read_count(seed, &r.how.seed)))
    return og_usage_error("litmus", "--runs and --seed take a number");
  if (tables)
    return print_tables(tables);
  if (!r.path)
    return og_usage_error("litmus", "no file named");
  return run_request(&r);
}

const struct og_verb og_verb_litmus = {
    "litmus", "tells the outcomes of a litmus test under the memory model",
    "usage: offgrid litmus [-mcpu=P] [--exhaustive | --runs=N [--seed=S]] [-S] FILE\n\n"
    "Runs a litmus test on a weak memory: a few threads, as AMDGPU assembly or as C with atomics, and a condition on\n"
    "what registers and memory hold at the end (docs/litmus.md). All outcomes that the caches and queues of the\n"
    "processor's generation allow are told, those of the condition counted. Exit code 1 where '~exists' or 'forall' "
    "does\n"
    "not hold.\n\n"
    "  -mcpu=P       the processor, before what the file says\n"
    "  --exhaustive  looks at all schedules (the default)\n"
    "  --runs=N      draws N schedules and counts the outcomes\n"
    "  --seed=S      of the drawing (0)\n"
    "  -S            prints the instructions of each thread, and does not run them\n"
    "  --tables[=T]  takes no file: prints the memory model tables, each row tried (docs/memory-model.md); those "
    "whose\n"
    "                title begins with T\n",
    run};
