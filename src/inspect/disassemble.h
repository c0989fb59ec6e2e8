/* disassemble.h - a whole object to a source that assembles to the same bytes. */
#ifndef OG_DISASSEMBLE_H
#define OG_DISASSEMBLE_H

#include "object/object.h"

struct og_dis_options {
  const struct og_target *target; /* instead of the object's own, but for the system; or NULL */
  bool encoding; /* the bytes of each instruction in a comment */
  bool addresses; /* and its address */
  bool lines; /* file and line that it came from, where debug information tells */
};

/* Appends the source. False with a diagnostic where the object's target has no instruction tables. */
bool og_disassemble_object(const struct og_object *object, const struct og_dis_options *options, struct og_buffer *out,
                           struct og_diagnostics *diagnostics);

#endif
