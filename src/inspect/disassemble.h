/* disassemble.h - turns a whole object into a source that assembles to the same bytes. */
#ifndef OG_DISASSEMBLE_H
#define OG_DISASSEMBLE_H

#include "object/object.h"

struct og_dis_options {
  const struct og_target *target; /* replaces the object's own target, except its system; or NULL */
  bool encoding; /* the bytes of each instruction in a comment */
  bool addresses; /* its address in that comment too */
  bool lines; /* the file and line it came from, if debug information has them */
};

/* Appends the source. False with a diagnostic if the object's target has no instruction tables. */
bool og_disassemble_object(const struct og_object *object, const struct og_dis_options *options, struct og_buffer *out,
                           struct og_diagnostics *diagnostics);

#endif
