/* main.c - finds the verb and runs it. */
#include "base/host.h"
#include "tool/tool.h"
#include "tool/visa.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERB(name) &og_verb_##name,
static const struct og_verb *const verbs[] = {OG_VERBS(VERB)};

const struct og_verb *og_find_verb(const char *name) {
  for (size_t i = 0; i < OG_COUNT(verbs); i++)
    if (strcmp(verbs[i]->name, name) == 0)
      return verbs[i];
  return NULL;
}

int og_usage_error(const char *verb, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "offgrid%s%s: ", *verb ? " " : "", verb);
  vfprintf(stderr, format, args);
  fprintf(stderr, "\nTry 'offgrid help%s%s'.\n", *verb ? " " : "", verb);
  va_end(args);
  return OG_EXIT_USAGE;
}

void og_print(const struct og_buffer *bytes, FILE *stream) {
  if (bytes->size)
    og_write_text(bytes->data, bytes->size, stream);
}

int og_finish(struct og_diagnostics *diagnostics) {
  struct og_buffer text = {0};
  const char *plain = getenv("NO_COLOR"); /* see no-color.org */
  bool colour = isatty(STDERR_FILENO) && !(plain && *plain);
  for (size_t i = 0; i < og_diagnostics_count(diagnostics); i++)
    og_diagnostic_print(og_diagnostics_at(diagnostics, i), colour, &text);
  fflush(stdout);
  if (text.size) /* the text is escaped where needed, so colours may pass */
    fwrite(text.data, 1, text.size, stderr);
  og_buffer_free(&text);
  int code = og_diagnostics_errors(diagnostics) ? OG_EXIT_INPUT : OG_EXIT_OK;
  og_diagnostics_free(diagnostics);
  return code;
}

void og_print_findings(const struct og_diagnostics *diagnostics) {
  struct og_buffer json = {0};
  og_buffer_text(&json, "{\"findings\":");
  og_diagnostics_json(diagnostics, &json);
  og_buffer_text(&json, "}\n");
  og_print(&json, stdout);
  og_buffer_free(&json);
}

static int unknown_verb(const char *name) {
  if (access(name, F_OK) == 0)
    return og_usage_error("", "a verb comes before the file, as in: offgrid info %s", name);
  for (size_t i = 0; i < OG_COUNT(verbs); i++)
    if (og_text_distance(og_text(name), verbs[i]->name, 2) <= (strlen(name) > 3 ? 2 : 1))
      return og_usage_error("", "no verb '%s', did you mean: %s?", name, verbs[i]->name);
  return og_usage_error("", "no verb '%s'", name);
}

static void list_verbs(FILE *out) {
  fputs("offgrid: GPU kernels without the GPU\n\nusage: offgrid VERB [options] FILE...\n\n", out);
  for (size_t i = 0; i < OG_COUNT(verbs); i++)
    fprintf(out, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
  fputs("\n'offgrid help VERB' tells more. Exit code: 0 fine, 1 an error in the input, 2 wrong usage; `run` has more.\n"
        "OFFGRID_HOST=avx512, avx2 or baseline in the environment limits the host's vector instructions that kernels are\n"
        "run with.\n",
        out);
}

void og_print_help(const struct og_verb *verb, FILE *out) {
  fputs(verb->usage, out);
  og_print_examples(verb->name, out);
}

static int help(int argc, char **argv) {
  if (argc < 2) {
    list_verbs(stdout);
    return OG_EXIT_OK;
  }
  const struct og_verb *verb = og_find_verb(argv[1]);
  if (!verb)
    return unknown_verb(argv[1]);
  og_print_help(verb, stdout);
  return OG_EXIT_OK;
}

const struct og_verb og_verb_help = {"help", "prints this, or a verb's own help",
                                     "usage: offgrid help [VERB]\n", help};

static bool asks_for_help(const char *arg) {
  return strcmp(arg, "--help") == 0 || strcmp(arg, "-help") == 0 || strcmp(arg, "-h") == 0;
}

/* The verb that stands for a program whose name this one was called by; NULL: it was called by its own. */
static const struct og_verb *personality(const char *program) {
  static const struct {
    const char *part, *verb;
  } programs[] = {{"readobj", "readobj"}, {"readelf", "readobj"}, {"llvm-mc", "mc"},   {"llc", "llc"},
                  {"objdump", "objdump"}, {"ld.lld", "ld"},       {"lld", "ld"}};
  const char *name = og_file_name(program);
  for (size_t i = 0; i < OG_COUNT(programs); i++)
    if (strstr(name, programs[i].part))
      return og_find_verb(programs[i].verb);
  /* names that GCC calls its target's tools by */
  return strcmp(name, "ld") == 0 ? og_find_verb("ld") : strcmp(name, "as") == 0 ? og_find_verb("mc") : NULL;
}

static int run_verb(int argc, char **argv) {
  const struct og_verb *called = personality(argv[0]);
  if (called && argc == 2 && argv[1][0] == '-' && argv[1][1] == '-' && asks_for_help(argv[1])) {
    og_print_help(called, stdout);
    return OG_EXIT_OK;
  }
  bool version = argc == 2 && strcmp(argv[1], "--version") == 0;
  if (called && (!version || called == &og_verb_ld)) /* build tools look for lld's name in it */
    return called->run(argc, argv);
  if (argc < 2) {
    list_verbs(stderr);
    return OG_EXIT_USAGE;
  }
  if (asks_for_help(argv[1])) {
    list_verbs(stdout);
    return OG_EXIT_OK;
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("offgrid " OG_VERSION);
    return OG_EXIT_OK;
  }
  enum og_host_level level;
  const char *host = getenv("OFFGRID_HOST");
  if (host && !og_host_level_parse(host, &level))
    return og_usage_error("", "OFFGRID_HOST is '%s': expected avx512, avx2 or baseline", host);
  if (og_visa_takes(argc - 1, argv + 1))
    return og_visa_verb(argc - 1, argv + 1);
  const struct og_verb *verb = og_find_verb(argv[1]);
  if (!verb)
    return unknown_verb(argv[1]);
  if (argc > 2 && asks_for_help(argv[2]) && (argc == 3 || argv[2][1] == '-')) { /* readobj has an -h of its own */
    og_print_help(verb, stdout);
    return OG_EXIT_OK;
  }
  return verb->run(argc - 1, argv + 1);
}

int main(int argc, char **argv) {
  int code = run_verb(argc, argv);
  bool failed = ferror(stdout); /* an earlier write failed; the reason is no longer known */
  if (fflush(stdout) == 0 && !failed)
    return code;
  fprintf(stderr, "offgrid: error: cannot write to the standard output%s%s\n", failed ? "" : ": ",
          failed ? "" : strerror(errno));
  return code ? code : OG_EXIT_INPUT;
}
