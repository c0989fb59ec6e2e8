/* ld.h - what the two parts of `offgrid ld` share: ld.c finds options in a table, ld_arguments.c does what they ask
 * for. */
#ifndef OG_TOOL_LD_H
#define OG_TOOL_LD_H

#include "object/object.h"
#include "tool/tool.h"

/* What an option does; ld_options.def has it for each. */
enum ld_action {
  LD_HARMLESS, LD_REFUSED, LD_KEYWORD, LD_FLAVOR, LD_MCPU,
  LD_OUTPUT, LD_SEARCH, LD_LIBRARY, LD_KEEP, LD_ENTRY, LD_SONAME, LD_RUN_PATH,
  LD_WHOLE, LD_NOT_WHOLE, LD_START_LIB, LD_END_LIB, LD_PUSH_STATE, LD_POP_STATE,
  LD_GC, LD_NO_GC, LD_PRINT_GC, LD_PRINT_GC_TO, LD_NO_PRINT_GC, LD_BUILD_ID, LD_BUILD_ID_AS,
  LD_WRAP, LD_DEFINE, LD_VERSION_SCRIPT, LD_DYNAMIC_LIST, LD_UNDEFINED_VERSION, LD_NO_UNDEFINED_VERSION, LD_EXCLUDE,
  LD_MAP, LD_MAP_OUT, LD_RELOCATABLE, LD_EMIT, LD_STRIP_ALL, LD_STRIP_DEBUG,
  LD_DISCARD_ALL, LD_DISCARD_TEMPORARIES, LD_DISCARD_NONE, LD_HASH_STYLE, LD_MULTIPLE, LD_NOT_MULTIPLE,
  LD_SHARED, LD_NO_UNDEFINED, LD_ALLOW_UNDEFINED, LD_WARN_UNDEFINED, LD_UNRESOLVED, LD_TRACE,
  LD_FATAL_WARNINGS, LD_NO_WARNINGS, LD_VERSION, LD_SAY_VERSION, LD_DEPENDENCIES,
  LD_NONE_ONLY, LD_ELF_ONLY, LD_POSIX_ONLY, LD_EMULATION, LD_PAGE, LD_RELRO, LD_NO_RELRO, LD_NO_STACK,
};

struct ld_file {
  const char *path; /* or, for -l NAME, the NAME */
  bool library, whole, lazy;
};

typedef OG_VECTOR(const char *) ld_names;

struct ld_arguments {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_link_options options;
  OG_VECTOR(struct ld_file) files;
  bool whole, lazy; /* for the files that follow */
  OG_VECTOR(bool) states; /* values of `whole` that --push-state has kept */
  ld_names search, keep, wrap, exclude, definitions, dynamic_lists;
  const char *mcpu, *output, *version_script, *map, *removed, *dependencies;
  bool trace, only_version, shared, undefined_said;
};

/* Does what one option asks for; returns OG_EXIT_OK or OG_EXIT_USAGE. `given` is the option as written; `value` may be
 * NULL. */
int ld_act(struct ld_arguments *a, enum ld_action action, const char *given, const char *value);
void ld_add_file(struct ld_arguments *a, const char *path);
/* Puts the lists of names into the options, each ended by NULL. */
void ld_finish_lists(struct ld_arguments *a);
/* The path of libNAME.a; NULL with a diagnostic. */
const char *ld_find_library(const struct ld_arguments *a, const char *name);

#endif
