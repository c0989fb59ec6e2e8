/* object.c - reads a data object from bytes. */
#include "comgr/object.h"

bool og_comgr_take_object(struct comgr_rest *from, struct comgr_object *object) {
  return og_comgr_take_number(from, &object->kind) && og_comgr_take_block(from, &object->name) &&
         og_comgr_take_block(from, &object->bytes) && object->name.size &&
         object->name.bytes[object->name.size - 1] == 0;
}
