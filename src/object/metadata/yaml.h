/* yaml.h - what those who read and print YAML share. */
#ifndef OG_YAML_H
#define OG_YAML_H

#include "object/metadata/metadata.h"

/* Deeper documents are refused, so that walking the tree cannot exhaust the stack. */
enum { OG_YAML_DEPTH_MOST = 64 };

/* How many nodes a text may make: real documents need more than five bytes for each. */
static inline size_t og_yaml_budget(struct og_text text) { return 64 + text.size / 5; }

/* Appends metadata of V3 and later as MessagePack, from the YAML that compilers write: verified, each value in the
 * fewest bytes. False, with nothing appended, where there is anything else, which libyaml then reads. */
bool og_metadata_direct(struct og_text yaml, int version, struct og_buffer *out);

/* A string with the quotes that it needs, NUL-terminated. Tells whether it is a word that none can do without. */
bool og_yaml_print_string(struct og_text text, struct og_buffer *out);

#endif
