/* object.h - a data object as bytes (written by sets.c). */
#pragma once

#include "comgr/bytes.h"

struct comgr_object {
  uint64_t kind;
  struct comgr_rest name; /* with its final zero */
  struct comgr_rest bytes;
};

bool og_comgr_take_object(struct comgr_rest *from, struct comgr_object *object);
