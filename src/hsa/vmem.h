/* vmem.h - addresses that are reserved first and get memory later: names and types from the headers of ROCm 6, which
 * the headers of ROCm 5 do not have that this is built with. */
#ifndef OG_HSA_VMEM_H
#define OG_HSA_VMEM_H

#include <hsa/hsa_ext_amd.h>
#include <stddef.h>

#ifndef HSA_AMD_VMEM_ADDRESS_NO_REGISTER
typedef struct hsa_amd_vmem_alloc_handle_s {
  uint64_t handle;
} hsa_amd_vmem_alloc_handle_t;
typedef enum { MEMORY_TYPE_NONE, MEMORY_TYPE_PINNED } hsa_amd_memory_type_t;
typedef struct hsa_amd_memory_access_desc_s {
  hsa_access_permission_t permissions;
  hsa_agent_t agent_handle;
} hsa_amd_memory_access_desc_t;

hsa_status_t hsa_amd_vmem_address_reserve(void **va, size_t size, uint64_t address, uint64_t flags);
hsa_status_t hsa_amd_vmem_address_reserve_align(void **va, size_t size, uint64_t address, uint64_t alignment,
                                                uint64_t flags);
hsa_status_t hsa_amd_vmem_address_free(void *va, size_t size);
hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size, hsa_amd_memory_type_t type,
                                        uint64_t flags, hsa_amd_vmem_alloc_handle_t *handle);
hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t handle);
hsa_status_t hsa_amd_vmem_map(void *va, size_t size, size_t in_offset, hsa_amd_vmem_alloc_handle_t handle,
                              uint64_t flags);
hsa_status_t hsa_amd_vmem_unmap(void *va, size_t size);
hsa_status_t hsa_amd_vmem_set_access(void *va, size_t size, const hsa_amd_memory_access_desc_t *list, size_t count);
hsa_status_t hsa_amd_vmem_get_access(void *va, hsa_access_permission_t *permissions, hsa_agent_t agent);
hsa_status_t hsa_amd_vmem_export_shareable_handle(int *file, hsa_amd_vmem_alloc_handle_t handle, uint64_t flags);
hsa_status_t hsa_amd_vmem_import_shareable_handle(int file, hsa_amd_vmem_alloc_handle_t *handle);
hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t *handle, void *address);
hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(hsa_amd_vmem_alloc_handle_t handle,
                                                           hsa_amd_memory_pool_t *pool, hsa_amd_memory_type_t *type);
#endif

/* Also new in ROCm 6: attributes, and types of addresses. */
enum { OG_HSA_INFO_VIRTUAL_MEMORY = 0x206, OG_HSA_POOL_RECOMMENDED_GRANULE = 18, OG_HSA_POINTER_MAPPED = 6 };

#endif
