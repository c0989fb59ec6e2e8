/* comgr.h - what is called of ROCm's code object manager. Its own header need not be there: the names of types and
 * functions are those that it has, numbers have names of our own, and enumerations are ints. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t handle;
} amd_comgr_data_t;

typedef struct {
  uint64_t handle;
} amd_comgr_data_set_t;

typedef struct {
  uint64_t handle;
} amd_comgr_action_info_t;

enum { COMGR_SUCCESS = 0, COMGR_ERROR = 1 };

/* Kinds of data objects that have a meaning here, and what is above every kind. */
enum { COMGR_SOURCE = 1, COMGR_INCLUDE = 2, COMGR_BC = 6, COMGR_KINDS = 0x20 };

enum comgr_action {
  COMGR_COMPILE_SOURCE_TO_BC = 2,
  COMGR_LINK_BC_TO_BC = 4,
  COMGR_OPTIMIZE_BC_TO_BC = 5,
  COMGR_CODEGEN_BC_TO_RELOCATABLE = 6,
  COMGR_CODEGEN_BC_TO_ASSEMBLY = 7,
  COMGR_LINK_RELOCATABLE_TO_RELOCATABLE = 8,
  COMGR_LINK_RELOCATABLE_TO_EXECUTABLE = 9,
  COMGR_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC = 15,
};

void amd_comgr_get_version(size_t *major, size_t *minor);

int amd_comgr_destroy_action_info(amd_comgr_action_info_t info);
int amd_comgr_action_info_set_isa_name(amd_comgr_action_info_t info, const char *name);
int amd_comgr_action_info_set_working_directory_path(amd_comgr_action_info_t info, const char *path);
int amd_comgr_action_info_get_isa_name(amd_comgr_action_info_t info, size_t *size, char *name);
int amd_comgr_action_info_get_language(amd_comgr_action_info_t info, int *language);
int amd_comgr_action_info_get_logging(amd_comgr_action_info_t info, bool *logging);
int amd_comgr_action_info_get_option_list_count(amd_comgr_action_info_t info, size_t *count);
int amd_comgr_action_info_get_option_list_item(amd_comgr_action_info_t info, size_t index, size_t *size, char *option);
int amd_comgr_action_info_get_options(amd_comgr_action_info_t info, size_t *size, char *options);

int amd_comgr_action_data_count(amd_comgr_data_set_t set, int kind, size_t *count);
int amd_comgr_action_data_get_data(amd_comgr_data_set_t set, int kind, size_t index, amd_comgr_data_t *data);
int amd_comgr_data_set_add(amd_comgr_data_set_t set, amd_comgr_data_t data);
int amd_comgr_data_set_remove(amd_comgr_data_set_t set, int kind);

int amd_comgr_create_data(int kind, amd_comgr_data_t *data);
int amd_comgr_release_data(amd_comgr_data_t data);
int amd_comgr_get_data(amd_comgr_data_t data, size_t *size, char *bytes);
int amd_comgr_get_data_name(amd_comgr_data_t data, size_t *size, char *name);
int amd_comgr_set_data(amd_comgr_data_t data, size_t size, const char *bytes);
int amd_comgr_set_data_from_file_slice(amd_comgr_data_t data, int file, uint64_t offset, uint64_t size);
int amd_comgr_set_data_name(amd_comgr_data_t data, const char *name);

int amd_comgr_do_action(int kind, amd_comgr_action_info_t info, amd_comgr_data_set_t input,
                        amd_comgr_data_set_t result);

/* The real function of a name that has a function of our own. */
#define COMGR_REAL(name) \
  ({ \
    extern void (*og_real_##name)(void); \
    (__typeof__(&name))og_real_##name; \
  })

/* Before a function of our own. */
#define COMGR_EXPORT __attribute__((visibility("default")))
