/* metadata.h - words of the metadata that others need too. */
#ifndef OG_METADATA_H
#define OG_METADATA_H

#include "object/object.h"

struct og_value_kind {
  const char *name, *name_v2; /* "by_value", "ByValue" */
  int since;                  /* code object version */
};
extern const struct og_value_kind og_value_kinds[]; /* ends in NULL */

/* A value kind of any version in V3's spelling; unknown ones as they are. */
const char *og_value_kind_name(const char *kind);

/* Puts V2's keys in the order in which LLVM writes them. */
void og_metadata_order_v2(struct og_node *root);

#endif
