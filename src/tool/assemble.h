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
  bool hex;                      /* of bytes to disassemble: no 0x before them */
  enum og_warnings warnings;
  bool any_processor; /* as llvm-mc: without a processor, or with one unknown, the first generation's */
  const char *input, *output, *triple, *mcpu, *mattr;
  int version;       /* 0: default */
  int dwarf_version; /* the same, of the table that .loc makes */
  const char *include_paths[OG_ASSEMBLE_LIST], *definitions[OG_ASSEMBLE_LIST];
  size_t include_path_count, definition_count;
  char attributes[1024]; /* all -mattr one after the other */
  const char *problem; /* what is wrong with the arguments */
};

/* Takes the argument if it is a common one: 1, or 0 if it is not, or -1 with `problem`. */
int og_assemble_argument(struct og_assemble_arguments *a, int argc, char **argv, int *index);
/* From -triple, -mcpu and -mattr. */
bool og_assemble_target(const struct og_assemble_arguments *a, struct og_target *target, struct og_diagnostics *d);
/* Reads, assembles, writes; yields the exit code. */
int og_assemble_run(const struct og_assemble_arguments *a);
/* "x.o" for "dir/x.s", static storage. */
const char *og_output_name(const char *input, const char *ending);

#endif
