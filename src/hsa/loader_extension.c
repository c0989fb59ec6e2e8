/* loader_extension.c - hsa_ven_amd_loader: what debuggers and profilers ask about loaded code. */
#include <string.h>

#include "hsa/code.h"

static struct og_hsa_loaded *loaded_at(uint64_t address) {
  for (struct og_hsa_executable *e = og_hsa.executables; e; e = e->next)
    for (struct og_hsa_loaded *loaded = e->loaded; loaded; loaded = loaded->next)
      if (address - loaded->code->start < loaded->code->size)
        return loaded;
  return NULL;
}

static const struct og_hsa_loaded *loaded_of(uint64_t handle) {
  for (const struct og_hsa_executable *e = og_hsa.executables; e; e = e->next)
    for (const struct og_hsa_loaded *loaded = e->loaded; loaded; loaded = loaded->next)
      if ((uintptr_t)loaded == handle)
        return loaded;
  return NULL;
}

/* Agents and host have the same memory; only locked buffers have a second address. */
hsa_status_t hsa_ven_amd_loader_query_host_address(const void *device_address, const void **host_address) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(device_address && host_address);
  struct og_hsa_range range;
  *host_address = device_address;
  if (og_hsa_range_find((uintptr_t)device_address, &range))
    *host_address = (const char *)range.host + ((uintptr_t)device_address - range.base);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ven_amd_loader_query_executable(const void *device_address, hsa_executable_t *executable) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(device_address && executable);
  og_hsa_code_lock();
  const struct og_hsa_loaded *loaded = loaded_at((uintptr_t)device_address);
  executable->handle = loaded ? (uintptr_t)loaded->executable : 0;
  return og_hsa_code_unlock(loaded ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static bool is_loaded(const struct og_segment *segment) {
  return segment->type == PT_LOAD && segment->memory_size;
}

static void describe_segment(const struct og_hsa_loaded *loaded, const struct og_segment *segment,
                             hsa_ven_amd_loader_segment_descriptor_t *descriptor) {
  bool in_file = loaded->storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE;
  *descriptor = (hsa_ven_amd_loader_segment_descriptor_t){
      .agent = loaded->agent ? og_hsa_agent_handle(loaded->agent) : (hsa_agent_t){0},
      .executable = {(uintptr_t)loaded->executable},
      .code_object_storage_type = loaded->storage,
      .code_object_storage_base = in_file ? (const void *)loaded->path : loaded->memory,
      .code_object_storage_size = in_file ? strlen(loaded->path) + 1 : loaded->size,
      .code_object_storage_offset = segment->offset,
      .segment_base = (const void *)(uintptr_t)(loaded->code->start + segment->address),
      .segment_size = segment->memory_size,
  };
}

/* Describes up to `room` segments; returns how many there are. */
static size_t describe_segments(hsa_ven_amd_loader_segment_descriptor_t *descriptors, size_t room) {
  size_t count = 0;
  for (const struct og_hsa_executable *e = og_hsa.executables; e; e = e->next)
    for (const struct og_hsa_loaded *loaded = e->loaded; loaded; loaded = loaded->next) {
      const struct og_object *elf = loaded->code->code->elf;
      for (uint32_t i = 0; i < elf->segments.count; i++) {
        if (!is_loaded(&elf->segments.items[i]))
          continue;
        if (count < room)
          describe_segment(loaded, &elf->segments.items[i], &descriptors[count]);
        count++;
      }
    }
  return count;
}

hsa_status_t hsa_ven_amd_loader_query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t *descriptors,
                                                          size_t *count) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(count && (descriptors != NULL) == (*count != 0));
  og_hsa_code_lock();
  size_t there = describe_segments(NULL, 0);
  bool matches = !descriptors || *count == there;
  if (descriptors && matches)
    describe_segments(descriptors, there);
  else if (!descriptors)
    *count = there;
  return og_hsa_code_unlock(matches ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
}

hsa_status_t hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
    hsa_executable_t handle,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_loaded_code_object_t loaded, void *data), void *data) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(callback);
  og_hsa_code_lock();
  const struct og_hsa_executable *executable = og_hsa_executable(handle);
  hsa_status_t status = executable ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  for (const struct og_hsa_loaded *loaded = executable ? executable->loaded : NULL;
       loaded && status == HSA_STATUS_SUCCESS; loaded = loaded->next)
    status = callback(handle, (hsa_loaded_code_object_t){(uintptr_t)loaded}, data);
  return og_hsa_code_unlock(status);
}

hsa_status_t hsa_ven_amd_loader_iterate_executables(hsa_status_t (*callback)(hsa_executable_t executable, void *data),
                                                    void *data) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(callback);
  og_hsa_code_lock();
  hsa_status_t status = HSA_STATUS_SUCCESS;
  for (const struct og_hsa_executable *e = og_hsa.executables; e && status == HSA_STATUS_SUCCESS; e = e->next)
    status = callback((hsa_executable_t){(uintptr_t)e}, data);
  return og_hsa_code_unlock(status);
}

/* The lowest address of its segments. */
static uint64_t load_base(const struct og_hsa_loaded *loaded) {
  const struct og_object *elf = loaded->code->code->elf;
  uint64_t lowest = UINT64_MAX;
  for (uint32_t i = 0; i < elf->segments.count; i++)
    if (is_loaded(&elf->segments.items[i]))
      lowest = OG_MIN(lowest, elf->segments.items[i].address);
  return loaded->code->start + (lowest == UINT64_MAX ? 0 : lowest);
}

static hsa_status_t storage_info(const struct og_hsa_loaded *loaded, unsigned attribute, void *value) {
  bool in_file = loaded->storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE;
  switch (attribute) {
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
    *(uint32_t *)value = loaded->storage;
    return HSA_STATUS_SUCCESS;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
    OG_HSA_NEED_ARGUMENT(!in_file);
    *(uint64_t *)value = (uintptr_t)loaded->memory;
    return HSA_STATUS_SUCCESS;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
    OG_HSA_NEED_ARGUMENT(!in_file);
    *(uint64_t *)value = loaded->size;
    return HSA_STATUS_SUCCESS;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
    OG_HSA_NEED_ARGUMENT(in_file);
    *(int *)value = loaded->descriptor;
    return HSA_STATUS_SUCCESS;
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static hsa_status_t loaded_info(const struct og_hsa_loaded *loaded, unsigned attribute, void *value) {
  switch (attribute) {
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
    *(hsa_executable_t *)value = (hsa_executable_t){(uintptr_t)loaded->executable};
    break;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
    *(uint32_t *)value = loaded->agent ? HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT
                                       : HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_PROGRAM;
    break;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
    OG_HSA_NEED_ARGUMENT(loaded->agent);
    *(hsa_agent_t *)value = og_hsa_agent_handle(loaded->agent);
    break;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA: *(int64_t *)value = (int64_t)loaded->code->start; break;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE: *(uint64_t *)value = load_base(loaded); break;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
    *(uint64_t *)value = loaded->code->start + loaded->code->size - load_base(loaded);
    break;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH: *(uint32_t *)value = (uint32_t)strlen(loaded->uri); break;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI: memcpy(value, loaded->uri, strlen(loaded->uri)); break;
  default: return storage_info(loaded, attribute, value);
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ven_amd_loader_loaded_code_object_get_info(hsa_loaded_code_object_t handle,
                                                            hsa_ven_amd_loader_loaded_code_object_info_t attribute,
                                                            void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(value);
  og_hsa_code_lock();
  const struct og_hsa_loaded *loaded = loaded_of(handle.handle);
  return og_hsa_code_unlock(loaded ? loaded_info(loaded, attribute, value) : HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
}
