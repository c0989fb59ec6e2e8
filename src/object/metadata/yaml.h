/* yaml.h - what the two readers of YAML share. */
#ifndef OG_YAML_H
#define OG_YAML_H

#include "object/metadata/metadata.h"

/* Deeper documents are refused, so that walking the tree cannot exhaust the stack. */
enum { OG_YAML_DEPTH_MOST = 64 };

/* How many nodes a text may make: real documents need more than five bytes for each. */
static inline size_t og_yaml_budget(struct og_text text) { return 64 + text.size / 5; }

/* What a scalar's text is if nothing says that it is a string; `plain` without quotes. */
void og_yaml_classify(struct og_node *node, bool plain);

/* Reads the YAML that compilers write: block maps and lists of plain or single-quoted scalars, each in one line. NULL
 * where there is anything else, which libyaml then reads. */
struct og_node *og_yaml_plain(struct og_arena *arena, struct og_text text, struct og_range within);

#endif
