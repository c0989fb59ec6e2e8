/* sets.c - reads the data objects of a set, and makes them, with comgr's public functions. */
#include "comgr/sets.h"

#include <fcntl.h>
#include <unistd.h>

#include "comgr/object.h"

bool og_comgr_is_empty(amd_comgr_data_set_t set) {
  for (int kind = 1; kind < COMGR_KINDS; kind++) {
    size_t count = 0;
    if (amd_comgr_action_data_count(set, kind, &count) == COMGR_SUCCESS && count)
      return false;
  }
  return true;
}

static bool object_to_bytes(amd_comgr_data_t data, int kind, struct comgr_bytes *to) {
  size_t name_size = 0, size = 0;
  if (amd_comgr_get_data_name(data, &name_size, NULL) != COMGR_SUCCESS ||
      amd_comgr_get_data(data, &size, NULL) != COMGR_SUCCESS)
    return false;
  og_comgr_number(to, (uint64_t)kind);
  char *name = og_comgr_new_block(to, name_size);
  if (!name || amd_comgr_get_data_name(data, &name_size, name) != COMGR_SUCCESS)
    return false;
  char *bytes = og_comgr_new_block(to, size);
  return bytes && (!size || amd_comgr_get_data(data, &size, bytes) == COMGR_SUCCESS);
}

bool og_comgr_set_to_bytes(amd_comgr_data_set_t set, struct comgr_bytes *to) {
  for (int kind = 1; kind < COMGR_KINDS; kind++) {
    size_t count = 0;
    if (amd_comgr_action_data_count(set, kind, &count) != COMGR_SUCCESS)
      continue; /* this library has no such kind */
    for (size_t i = 0; i < count; i++) {
      amd_comgr_data_t data;
      if (amd_comgr_action_data_get_data(set, kind, i, &data) != COMGR_SUCCESS)
        return false;
      bool good = object_to_bytes(data, kind, to);
      amd_comgr_release_data(data);
      if (!good)
        return false;
    }
  }
  return !to->failed;
}

/* What has no bytes is not what never got any: HIP reads an empty log. amd_comgr_set_data refuses to set none. */
static bool set_bytes(amd_comgr_data_t data, const struct comgr_rest *bytes) {
  if (bytes->size)
    return amd_comgr_set_data(data, bytes->size, bytes->bytes) == COMGR_SUCCESS;
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  bool good = file >= 0 && amd_comgr_set_data_from_file_slice(data, file, 0, 0) == COMGR_SUCCESS;
  if (file >= 0)
    close(file);
  return good;
}

static bool add_object(amd_comgr_data_set_t set, const struct comgr_object *object) {
  amd_comgr_data_t data;
  if (amd_comgr_create_data((int)object->kind, &data) != COMGR_SUCCESS)
    return false;
  bool good = amd_comgr_set_data_name(data, object->name.bytes) == COMGR_SUCCESS && set_bytes(data, &object->bytes) &&
              amd_comgr_data_set_add(set, data) == COMGR_SUCCESS;
  amd_comgr_release_data(data); /* the set holds it */
  return good;
}

bool og_comgr_set_from_bytes(amd_comgr_data_set_t set, struct comgr_rest from) {
  bool good = true;
  while (good && from.size) {
    struct comgr_object object;
    good = og_comgr_take_object(&from, &object) && add_object(set, &object);
  }
  for (int kind = 1; !good && kind < COMGR_KINDS; kind++)
    amd_comgr_data_set_remove(set, kind);
  return good;
}
