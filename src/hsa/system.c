/* system.c - what holds for the system as a whole: attributes, and the extensions with their tables of functions. */
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <string.h>

#include "hsa/internal.h"
#include "hsa/vmem.h"

/* ---- extensions: each a table of functions, from whose beginning a caller takes as many as it knows
 * --------------- */

static const hsa_ext_images_1_pfn_t images = {
    hsa_ext_image_get_capability, hsa_ext_image_data_get_info, hsa_ext_image_create, hsa_ext_image_destroy,
    hsa_ext_image_copy, hsa_ext_image_import, hsa_ext_image_export, hsa_ext_image_clear, hsa_ext_sampler_create,
    hsa_ext_sampler_destroy, hsa_ext_image_get_capability_with_layout, hsa_ext_image_data_get_info_with_layout,
    hsa_ext_image_create_with_layout,
};

static const hsa_ven_amd_loader_1_03_pfn_t loader = {
    hsa_ven_amd_loader_query_host_address, hsa_ven_amd_loader_query_segment_descriptors,
    hsa_ven_amd_loader_query_executable, hsa_ven_amd_loader_executable_iterate_loaded_code_objects,
    hsa_ven_amd_loader_loaded_code_object_get_info,
    hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size, hsa_ven_amd_loader_iterate_executables,
};

/* The finalizer (HSAIL) and AQL profiling are known by name but not supported; the real library does the same without
 * the libraries that provide them. */
static const struct extension {
  uint16_t number, minor; /* the major version is 1 */
  const char *name;
  const void *table; /* NULL: not supported */
  size_t size;
} extensions[] = {
    {HSA_EXTENSION_FINALIZER, 0, "HSA_EXTENSION_FINALIZER", NULL, 0},
    {HSA_EXTENSION_IMAGES, 0, "HSA_EXTENSION_IMAGES", &images, sizeof images},
    {HSA_EXTENSION_PERFORMANCE_COUNTERS, 0, "HSA_EXTENSION_PERFORMANCE_COUNTERS", NULL, 0},
    {HSA_EXTENSION_PROFILING_EVENTS, 0, "HSA_EXTENSION_PROFILING_EVENTS", NULL, 0},
    {HSA_EXTENSION_AMD_PROFILER, 0, "HSA_EXTENSION_AMD_PROFILER", NULL, 0},
    {HSA_EXTENSION_AMD_LOADER, 3, "HSA_EXTENSION_AMD_LOADER", &loader, sizeof loader},
    {HSA_EXTENSION_AMD_AQLPROFILE, 0, "HSA_EXTENSION_AMD_AQLPROFILE", NULL, 0},
};

static const struct extension *find_extension(unsigned number) {
  for (size_t i = 0; i < OG_COUNT(extensions); i++)
    if (extensions[i].number == number)
      return &extensions[i];
  return NULL;
}

static bool supports(const struct extension *extension, unsigned major, unsigned minor) {
  return extension->table && major == 1 && minor <= extension->minor;
}

void og_hsa_put_extensions(uint8_t bits[128]) {
  memset(bits, 0, 128);
  for (size_t i = 0; i < OG_COUNT(extensions); i++)
    if (extensions[i].table)
      bits[extensions[i].number / 8] |= (uint8_t)(1 << extensions[i].number % 8);
}

hsa_status_t hsa_extension_get_name(uint16_t number, const char **name) {
  OG_HSA_NEED_OPEN();
  const struct extension *extension = find_extension(number);
  OG_HSA_NEED_ARGUMENT(extension && name);
  *name = extension->name;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_extension_supported(uint16_t number, uint16_t major, uint16_t minor, bool *result) {
  OG_HSA_NEED_OPEN();
  const struct extension *extension = find_extension(number);
  OG_HSA_NEED_ARGUMENT(extension && result);
  *result = supports(extension, major, minor);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_major_extension_supported(uint16_t number, uint16_t major, uint16_t *minor, bool *result) {
  OG_HSA_NEED_OPEN();
  const struct extension *extension = find_extension(number);
  OG_HSA_NEED_ARGUMENT(extension && minor && result);
  *result = supports(extension, major, 0);
  if (*result)
    *minor = extension->minor;
  return HSA_STATUS_SUCCESS;
}

static bool has_extensions(hsa_agent_t handle) {
  const struct og_hsa_agent *agent = og_hsa_agent(handle);
  return agent && agent->target.processor;
}

hsa_status_t hsa_agent_extension_supported(uint16_t number, hsa_agent_t agent, uint16_t major, uint16_t minor,
                                           bool *result) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  hsa_status_t status = hsa_system_extension_supported(number, major, minor, result);
  if (status == HSA_STATUS_SUCCESS)
    *result &= has_extensions(agent);
  return status;
}

hsa_status_t hsa_agent_major_extension_supported(uint16_t number, hsa_agent_t agent, uint16_t major, uint16_t *minor,
                                                 bool *result) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  hsa_status_t status = hsa_system_major_extension_supported(number, major, minor, result);
  if (status == HSA_STATUS_SUCCESS)
    *result &= has_extensions(agent);
  return status;
}

hsa_status_t hsa_system_get_major_extension_table(uint16_t number, uint16_t major, size_t size, void *table) {
  OG_HSA_NEED_OPEN();
  const struct extension *extension = find_extension(number);
  OG_HSA_NEED_ARGUMENT(extension && table && size);
  OG_HSA_NEED(supports(extension, major, 0), HSA_STATUS_ERROR);
  memcpy(table, extension->table, OG_MIN(size, extension->size));
  return HSA_STATUS_SUCCESS;
}

/* The table of version 1.0 if that is asked for, else the whole one. */
hsa_status_t hsa_system_get_extension_table(uint16_t number, uint16_t major, uint16_t minor, void *table) {
  OG_HSA_NEED_OPEN();
  const struct extension *extension = find_extension(number);
  OG_HSA_NEED_ARGUMENT(extension && table);
  OG_HSA_NEED(supports(extension, major, minor), HSA_STATUS_ERROR);
  static const size_t loader_sizes[] = {sizeof(hsa_ven_amd_loader_1_00_pfn_t), sizeof(hsa_ven_amd_loader_1_01_pfn_t),
                                        sizeof(hsa_ven_amd_loader_1_02_pfn_t), sizeof loader};
  size_t size = number == HSA_EXTENSION_AMD_LOADER ? loader_sizes[minor] : sizeof(hsa_ext_images_1_00_pfn_t);
  memcpy(table, extension->table, size);
  return HSA_STATUS_SUCCESS;
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(value);
  switch ((unsigned)attribute) {
  case OG_HSA_INFO_VIRTUAL_MEMORY: return OG_HSA_PUT(bool, true);
  case HSA_SYSTEM_INFO_VERSION_MAJOR: return OG_HSA_PUT(uint16_t, OG_HSA_VERSION_MAJOR);
  case HSA_SYSTEM_INFO_VERSION_MINOR: return OG_HSA_PUT(uint16_t, OG_HSA_VERSION_MINOR);
  case HSA_SYSTEM_INFO_TIMESTAMP: return OG_HSA_PUT(uint64_t, og_clock());
  case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY: return OG_HSA_PUT(uint64_t, 1000000000);
  case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT: return OG_HSA_PUT(uint64_t, UINT64_MAX);
  case HSA_SYSTEM_INFO_ENDIANNESS: return OG_HSA_PUT(hsa_endianness_t, HSA_ENDIANNESS_LITTLE);
  case HSA_SYSTEM_INFO_MACHINE_MODEL: return OG_HSA_PUT(hsa_machine_model_t, HSA_MACHINE_MODEL_LARGE);
  case HSA_SYSTEM_INFO_EXTENSIONS: return og_hsa_put_extensions(value), HSA_STATUS_SUCCESS;
  case HSA_AMD_SYSTEM_INFO_BUILD_VERSION: return OG_HSA_PUT(const char *, "offgrid " OG_VERSION);
  case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED: return OG_HSA_PUT(bool, false); /* programs then use memory of pools */
  case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT: return OG_HSA_PUT(bool, og_hsa.reaches_host);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
