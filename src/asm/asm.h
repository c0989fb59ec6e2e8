/* asm.h - assembly text to an object in memory. */
#ifndef OG_ASM_H
#define OG_ASM_H

#include "base/base.h"
#include "object/object.h"
#include "target/target.h"

struct og_asm_options {
  struct og_target target;
  int code_object_version;           /* 2..6 */
  bool version_open;                 /* a source with V2 directives makes V2, whatever code_object_version says */
  const char *const *include_paths;  /* for .include and .incbin */
  size_t include_path_count;
  const char *const *definitions;    /* "SYMBOL=VALUE" */
  size_t definition_count;
  struct og_buffer *listing;         /* canonical text of what is assembled goes here, unless NULL */
  struct og_buffer *printed;         /* what .print says goes here, unless NULL */
  bool show_encoding;                /* with the bytes of each instruction */
  bool show_instructions_only;       /* the listing has no directives */
  int dwarf_version;                 /* of the table that .loc makes: 2 to 5; 0 is 4, or 5 with .file 0 */
  bool debug;                        /* DWARF 5 line tables of the source itself; .loc makes some of what it names */
  bool no_first_section;             /* -n: laying bytes before a section is chosen is an error, reported once */
  bool exact_target;                 /* .amdgcn_target may not choose what `target` leaves open */
  bool no_object; /* the object is not used: errors that only its layout would find are not looked for */
  bool embed_source;                 /* with the text of the sources in them */
};

/* Assembles `text`, which ends in a NUL behind its `size` and stays as long as object and diagnostics are used, into a
 * relocatable object that `arena` owns. NULL with diagnostics where there is an error. */
struct og_object *og_assemble(struct og_arena *arena, const struct og_asm_options *options, const char *name,
                              const char *text, size_t size, struct og_diagnostics *diagnostics);

/* The target id in the source's .amdgcn_target, or an empty text. */
struct og_text og_asm_target_in(const char *text, size_t size);

#endif
