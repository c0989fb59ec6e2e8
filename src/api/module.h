/* module.h - what og_module holds, for og_device. */
#ifndef OG_API_MODULE_H
#define OG_API_MODULE_H

#include "offgrid.h"
#include "object/object.h"

struct og_module {
  struct og_arena *arena;
  struct og_code_object *code;
  const char *target;
};

#endif
