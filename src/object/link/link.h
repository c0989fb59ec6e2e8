/* link.h - linking relocatable objects to a code object, or to one relocatable object. */
#ifndef OG_LINK_H
#define OG_LINK_H

#include "object/elf/elf.h"

enum og_build_id { OG_BUILD_ID_NONE, OG_BUILD_ID_SHA1, OG_BUILD_ID_MD5, OG_BUILD_ID_FAST, OG_BUILD_ID_GIVEN };
enum og_link_undefined { OG_UNDEFINED_ERROR, OG_UNDEFINED_WARNING, OG_UNDEFINED_ALLOWED };

/* What the options of ld.lld say; all zero is the usual link. Lists of names end with NULL, and may be NULL. */
struct og_link_options {
  bool relocatable; /* -r: another relocatable object */
  bool gc_sections;
  enum og_link_undefined undefined; /* allowed or warned of: symbols are left to the loader */
  bool allow_multiple;              /* the first definition is taken */
  bool undefined_version;           /* a version script may name what is not there */
  bool no_sysv_hash, no_gnu_hash, no_relro, no_stack_note;
  bool strip_all, strip_debug, discard_temporaries, discard_locals, emit_relocations;
  uint64_t page_size;        /* 0: 4096 */
  enum og_build_id build_id; /* a NT_GNU_BUILD_ID note over the output */
  const uint8_t *given_id;
  size_t given_id_size;
  const char *entry, *soname, *run_path; /* or NULL */
  const char *const *keep;               /* taken from archives, and kept by gc */
  const char *const *wrap;               /* references to NAME mean __wrap_NAME, those to __real_NAME mean NAME */
  const char *const *exclude_libs;       /* archives whose symbols are not exported; "ALL" */
  const char *const *definitions;        /* "NAME=EXPRESSION" */
  const struct og_source *version_script;
  const struct og_source *const *dynamic_lists;
  struct og_buffer *map, *removed; /* or NULL: the link map; a line for each section that gc_sections drops */
};

struct og_link_input {
  const char *name;
  const void *bytes; /* a relocatable object or an archive of them */
  size_t size;
  bool whole_archive; /* each member is taken, needed or not */
  bool lazy;          /* an object that is taken only for what it defines (--start-lib) */
};

/* Relocatable objects -> one loadable ET_DYN code object, or one relocatable object. */
bool og_link(struct og_arena *arena, const struct og_link_input *inputs, size_t count,
             const struct og_link_options *options, struct og_buffer *out, struct og_diagnostics *diagnostics);

#endif
