/* tool.h - what the verbs share: the verb table, argument helpers, printing of diagnostics. */
#ifndef OG_TOOL_H
#define OG_TOOL_H

#include "base/base.h"

#include <stdio.h>

enum {
  OG_EXIT_OK = 0,
  OG_EXIT_INPUT = 1, /* an error in the input */
  OG_EXIT_USAGE = 2,
  OG_EXIT_FAULT = 3, /* `run`: the kernel faulted */
  OG_EXIT_TIME = 4,  /* `run`: --timeout ended it */
};

struct og_verb {
  const char *name;
  const char *summary; /* a single line */
  const char *usage;   /* what `offgrid help VERB` prints */
  int (*run)(int argc, char **argv); /* argv[0] is the verb */
};

/* Each verb is defined in the file of its name. The order is that of help's list. */
#define OG_VERBS(X) \
  X(as)             \
  X(campaign)       \
  X(cc)             \
  X(check)          \
  X(debug)          \
  X(dis)            \
  X(exec)           \
  X(info)           \
  X(ld)             \
  X(lint)           \
  X(llc)            \
  X(litmus)         \
  X(mc)             \
  X(run)            \
  X(unbundle)       \
  X(opt)            \
  X(objdump)        \
  X(readobj)        \
  X(targets)        \
  X(help)

#define OG_DECLARE_VERB(name) extern const struct og_verb og_verb_##name;
OG_VERBS(OG_DECLARE_VERB)

/* The verb of that name; NULL: there is none. */
const struct og_verb *og_find_verb(const char *name);

/* Prints what a verb does, how it is called, and examples: `offgrid help VERB`. */
void og_print_help(const struct og_verb *verb, FILE *out);
/* Prints the verb's examples under a heading; nothing if it has none. */
void og_print_examples(const char *verb, FILE *out);
/* Prints "offgrid VERB: message" and a hint at help to stderr; returns OG_EXIT_USAGE. */
int og_usage_error(const char *verb, const char *format, ...) OG_PRINTF(2, 3);
/* The same for argv[index], which no option matches: says from the verb's usage text what is wrong with it, or which
 * option may be meant. */
int og_unknown_option(const char *verb, int argc, char **argv, int index);
/* og_map_file() for a verb that only reads the file. If another program shortens the file, the process ends with a
 * message. */
struct og_mapped_file;
bool og_open_input(const char *path, struct og_mapped_file *file, struct og_diagnostics *diagnostics);
/* Writes the buffer's bytes to a stream. */
void og_print(const struct og_buffer *bytes, FILE *stream);
/* Prints all diagnostics to stderr, in colour on a terminal; returns the exit code: 1 if there was an error, else 0. */
int og_finish(struct og_diagnostics *diagnostics);
/* Prints findings for scripts, on standard output: {"findings": [...]} (docs/lint.schema.json). */
void og_print_findings(const struct og_diagnostics *diagnostics);
/* If argv[*index] is "NAME=VALUE", or "NAME" with the value after it, sets *value and moves *index. Also takes "--NAME"
 * for "-NAME", and "-NVALUE" if the name is a letter. */
bool og_option_value(int argc, char **argv, int *index, const char *name, const char **value);
/* Whether argv[index] is the flag, with one or two dashes. */
bool og_option_flag(char **argv, int index, const char *name);

/* A flag by its name or, after one dash, by its letter; several letters may stand together. */
struct og_flag {
  const char *name;
  char letter;   /* 0: none */
  unsigned what; /* the verb's number for it */
};
enum { OG_FLAGS_MOST = 32 };
/* Which flags argv[index] contains, in its order; 0: it contains none, or a letter that is none. */
size_t og_option_flags(char **argv, int index, const struct og_flag *flags, size_t count,
                       unsigned whats[OG_FLAGS_MOST]);
/* The next word at *at, quoted as for a POSIX shell, without the quotes; NULL at the end. */
char *og_next_word(struct og_arena *arena, const char **at);
/* Replaces each argument @FILE by the arguments in that file; returns how many there are now, or -1 with a
 * diagnostic. */
int og_expand_responses(struct og_arena *arena, int argc, char **argv, char ***expanded,
                        struct og_diagnostics *diagnostics);

#endif
