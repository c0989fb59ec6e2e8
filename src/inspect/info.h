/* info.h - describes a code object, for people (text) and programs (JSON). */
#ifndef OG_INFO_H
#define OG_INFO_H

#include "object/code/code_object.h"

struct og_info_options {
  bool kernels_only;
  bool variables; /* also the variables in debug information */
};
void og_info_text(const struct og_code_object *code, const struct og_info_options *options, struct og_buffer *out);
void og_info_json(const struct og_code_object *code, struct og_buffer *out); /* Its schema is docs/info.schema.json. */

#endif
