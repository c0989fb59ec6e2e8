/* assemble.h - what `as` and `mc` share: their options and the run itself. */
#ifndef OG_TOOL_ASSEMBLE_H
#define OG_TOOL_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "target/target.h"

enum og_assemble_mode { OG_ASSEMBLE_OBJECT, OG_ASSEMBLE_TEXT, OG_ASSEMBLE_NOTHING };
enum { OG_ASSEMBLE_LIST = 64 };

struct og_assemble_arguments {
  enum og_assemble_mode mode;
  bool show_encoding, debug, embed_source, no_first_section;
  bool hex;                      /* the bytes to disassemble have no 0x in front */
  enum og_warnings warnings;
  bool any_processor; /* as in llvm-mc: no processor, or an unknown one, means the first generation */
  const char *input, *output, *triple, *mcpu, *mattr;
  int version;       /* 0: the default */
  int dwarf_version; /* 0: the default; the version of the table that .loc makes */
  const char *include_paths[OG_ASSEMBLE_LIST], *definitions[OG_ASSEMBLE_LIST];
  size_t include_path_count, definition_count;
  char attributes[1024]; /* the values of all -mattr, joined */
  const char *problem; /* what is wrong with the arguments */
};

/* Takes the argument if it is one that both have: 1. 0: it is not; -1: it is wrong, see `problem`. */
int og_assemble_argument(struct og_assemble_arguments *a, int argc, char **argv, int *index);
/* Makes the target from -triple, -mcpu and -mattr. */
bool og_assemble_target(const struct og_assemble_arguments *a, struct og_target *target, struct og_diagnostics *d);
/* Reads, assembles and writes; returns the exit code. */
int og_assemble_run(const struct og_assemble_arguments *a);
/* "x.o" for "dir/x.s", in static storage. */
const char *og_output_name(const char *input, const char *ending);

#endif
