/* Executables: readers, loading for agents and for the program, symbols, definitions, freezing, the loader extension,
 * the older functions; and what wrong arguments and damaged code objects get. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <hsa/hsa_ven_amd_loader.h>

#include "code.h"

#define KERNEL(name)                                                                                                 \
  ".text\n.globl " name "\n.p2align 8\n.type " name ",@function\n" name ":\n  s_endpgm\n.size " name ", 4\n"         \
  ".rodata\n.p2align 6\n.amdhsa_kernel " name "\n  .amdhsa_next_free_vgpr 8\n  .amdhsa_next_free_sgpr 8\n"           \
  "  .amdhsa_group_segment_fixed_size 256\n  .amdhsa_private_segment_fixed_size 16\n  .amdhsa_kernarg_size 24\n"     \
  ".end_amdhsa_kernel\n"
#define VARIABLE(section, name, value) \
  section "\n.p2align 3\n.globl " name "\n.type " name ",@object\n" name ":\n  .quad " value "\n.size " name ", 8\n"

static hsa_agent_t gpus[16];
static hsa_ven_amd_loader_1_03_pfn_t loader;

static int open_runtime(void **state) {
  (void)state;
  WORKS(hsa_init());
  find_gpus(gpus);
  WORKS(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader));
  return 0;
}

static int close_runtime(void **state) {
  (void)state;
  WORKS(hsa_shut_down());
  return 0;
}

static hsa_executable_t new_executable(void) {
  hsa_executable_t executable;
  WORKS(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
  return executable;
}

static hsa_status_t load(hsa_executable_t executable, const hsa_agent_t *agent, struct og_buffer *code,
                         hsa_loaded_code_object_t *loaded) {
  hsa_code_object_reader_t reader;
  WORKS(hsa_code_object_reader_create_from_memory(code->data, code->size, &reader));
  hsa_status_t status = agent ? hsa_executable_load_agent_code_object(executable, *agent, reader, NULL, loaded)
                              : hsa_executable_load_program_code_object(executable, reader, NULL, loaded);
  WORKS(hsa_code_object_reader_destroy(reader));
  return status;
}

static hsa_executable_symbol_t symbol(hsa_executable_t executable, const char *name, const hsa_agent_t *agent) {
  hsa_executable_symbol_t found;
  WORKS(hsa_executable_get_symbol_by_name(executable, name, agent, &found));
  return found;
}

static uint64_t number(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute) {
  uint64_t value = 0;
  WORKS(hsa_executable_symbol_get_info(symbol, attribute, &value));
  return value;
}

static uint64_t variable_at(hsa_executable_t executable, const char *name, const hsa_agent_t *agent) {
  uint64_t address = number(symbol(executable, name, agent), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
  return *(uint64_t *)(uintptr_t)address;
}

static void kernels_and_variables_say_what_they_are(void **state) {
  (void)state;
  struct og_buffer code =
      code_of("gfx906", 4, KERNEL("k") VARIABLE(".data", "changing", "5") VARIABLE(".rodata", "constant", "6"));
  hsa_executable_t executable = new_executable();
  WORKS(load(executable, &gpus[0], &code, NULL));
  memset(code.data, 0, code.size); /* what is loaded is a copy */
  WORKS(hsa_executable_freeze(executable, NULL));
  hsa_executable_symbol_t k = symbol(executable, "k.kd", &gpus[0]);
  assert_int_equal(k.handle, symbol(executable, "k", &gpus[0]).handle);
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_TYPE), HSA_SYMBOL_KIND_KERNEL);
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH), 4);
  char name[5] = {0};
  WORKS(hsa_executable_symbol_get_info(k, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name));
  assert_string_equal(name, "k.kd");
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_AGENT), gpus[0].handle);
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE), 256);
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE), 16);
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE), 24);
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT), 16);
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK), 0);
  assert_int_equal(number(k, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT) % 64, 0);
  uint64_t value;
  assert_int_equal(hsa_executable_symbol_get_info(k, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &value),
                   HSA_STATUS_ERROR_INVALID_ARGUMENT);
  hsa_executable_symbol_t changing = symbol(executable, "changing", &gpus[0]);
  hsa_executable_symbol_t constant = symbol(executable, "constant", &gpus[0]);
  assert_int_equal(number(changing, HSA_EXECUTABLE_SYMBOL_INFO_TYPE), HSA_SYMBOL_KIND_VARIABLE);
  assert_int_equal(number(changing, HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE), HSA_SYMBOL_LINKAGE_PROGRAM);
  assert_int_equal(number(changing, HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION), 1);
  assert_int_equal(number(changing, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION), HSA_VARIABLE_ALLOCATION_AGENT);
  assert_int_equal(number(changing, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE), 8);
  assert_int_equal(number(changing, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT), 8);
  assert_int_equal(number(changing, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST), 0);
  assert_int_equal(number(constant, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST), 1);
  assert_int_equal(number(constant, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT), HSA_VARIABLE_SEGMENT_READONLY);
  assert_int_equal(variable_at(executable, "changing", &gpus[0]), 5);
  assert_int_equal(variable_at(executable, "constant", &gpus[0]), 6);
  assert_int_equal(hsa_executable_get_symbol_by_name(executable, "changing", NULL, &k),
                   HSA_STATUS_ERROR_INVALID_SYMBOL_NAME); /* the agent's, not the program's */
  assert_int_equal(hsa_executable_get_symbol_by_name(executable, "changing", &gpus[1], &k),
                   HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  assert_int_equal(hsa_executable_symbol_get_info((hsa_executable_symbol_t){changing.handle + 1},
                                                  HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &value),
                   HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
  WORKS(hsa_executable_destroy(executable));
  assert_int_equal(hsa_executable_symbol_get_info(changing, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &value),
                   HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
  og_buffer_free(&code);
}

static hsa_status_t count_symbol(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data) {
  (void)executable;
  number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE); /* a callback may ask */
  ++*(int *)data;
  return HSA_STATUS_SUCCESS;
}
static hsa_status_t count_agent_symbol(hsa_executable_t executable, hsa_agent_t agent, hsa_executable_symbol_t symbol,
                                       void *data) {
  assert_int_equal(number(symbol, HSA_EXECUTABLE_SYMBOL_INFO_AGENT), agent.handle);
  return count_symbol(executable, symbol, data);
}
static hsa_status_t stop_at_symbol(hsa_executable_t executable, hsa_executable_symbol_t symbol, void *data) {
  count_symbol(executable, symbol, data);
  return HSA_STATUS_INFO_BREAK;
}

/* One code object for each agent and one for the program, which see each other's variables as they may. */
static void code_objects_of_one_executable_find_each_other(void **state) {
  (void)state;
  struct og_buffer program = code_of("gfx906", 4, VARIABLE(".data", "shared", "7"));
  struct og_buffer first =
      code_of("gfx906", 4, KERNEL("k") VARIABLE(".data", "where", "shared") VARIABLE(".data", "mine", "1"));
  struct og_buffer second = code_of("gfx906", 4, KERNEL("m") VARIABLE(".data", "other", "mine"));
  struct og_buffer wide = code_of("gfx1030", 5, KERNEL("k") VARIABLE(".data", "where", "shared"));
  hsa_executable_t executable = new_executable();
  WORKS(load(executable, &gpus[0], &second, NULL)); /* before what it needs */
  WORKS(load(executable, NULL, &program, NULL));
  WORKS(load(executable, &gpus[0], &first, NULL));
  WORKS(load(executable, &gpus[1], &wide, NULL));
  uint32_t result = 1;
  WORKS(hsa_executable_validate(executable, &result));
  assert_int_equal(result, 0);
  WORKS(hsa_executable_freeze(executable, NULL));
  uint64_t shared = number(symbol(executable, "shared", NULL), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
  assert_int_equal(number(symbol(executable, "shared", NULL), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION),
                   HSA_VARIABLE_ALLOCATION_PROGRAM);
  assert_int_equal(variable_at(executable, "where", &gpus[0]), shared);
  assert_int_equal(variable_at(executable, "where", &gpus[1]), shared);
  assert_int_equal(variable_at(executable, "other", &gpus[0]),
                   number(symbol(executable, "mine", &gpus[0]), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS));
  int all = 0, of_program = 0, of_first = 0, of_second = 0, until_break = 0;
  WORKS(hsa_executable_iterate_symbols(executable, count_symbol, &all));
  WORKS(hsa_executable_iterate_program_symbols(executable, count_symbol, &of_program));
  WORKS(hsa_executable_iterate_agent_symbols(executable, gpus[0], count_agent_symbol, &of_first));
  WORKS(hsa_executable_iterate_agent_symbols(executable, gpus[1], count_agent_symbol, &of_second));
  assert_int_equal(hsa_executable_iterate_symbols(executable, stop_at_symbol, &until_break), HSA_STATUS_INFO_BREAK);
  assert_int_equal(all, 8);
  assert_int_equal(of_program, 1);
  assert_int_equal(of_first, 5);
  assert_int_equal(of_second, 2);
  assert_int_equal(until_break, 1);
  WORKS(hsa_executable_destroy(executable));
  og_buffer_free(&program);
  og_buffer_free(&first);
  og_buffer_free(&second);
  og_buffer_free(&wide);
}

static void programs_define_what_code_leaves_open(void **state) {
  (void)state;
  struct og_buffer code =
      code_of("gfx906", 4,
              KERNEL("k") VARIABLE(".data", "a", "of_program") VARIABLE(".data", "b", "of_agent")
                  VARIABLE(".data", "c", "of_table") ".weak maybe\n" VARIABLE(".data", "d", "maybe"));
  static uint64_t target[4];
  hsa_executable_t executable = new_executable();
  WORKS(load(executable, &gpus[0], &code, NULL));
  uint32_t result = 0;
  WORKS(hsa_executable_validate_alt(executable, NULL, &result));
  assert_int_not_equal(result, 0);
  assert_int_equal(hsa_executable_freeze(executable, NULL), HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
  WORKS(hsa_executable_global_variable_define(executable, "of_program", &target[0]));
  WORKS(hsa_executable_agent_global_variable_define(executable, gpus[0], "of_agent", &target[1]));
  WORKS(hsa_executable_readonly_variable_define(executable, gpus[0], "of_table", &target[2]));
  assert_int_equal(hsa_executable_global_variable_define(executable, "of_program", &target[3]),
                   HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
  assert_int_equal(hsa_executable_agent_global_variable_define(executable, gpus[0], "a", &target[3]),
                   HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
  assert_int_equal(hsa_executable_agent_global_variable_define(executable, (hsa_agent_t){0}, "x", &target[3]),
                   HSA_STATUS_ERROR_INVALID_AGENT);
  WORKS(hsa_executable_freeze(executable, NULL));
  assert_int_equal(variable_at(executable, "a", &gpus[0]), (uintptr_t)&target[0]);
  assert_int_equal(variable_at(executable, "b", &gpus[0]), (uintptr_t)&target[1]);
  assert_int_equal(variable_at(executable, "c", &gpus[0]), (uintptr_t)&target[2]);
  assert_int_equal(variable_at(executable, "d", &gpus[0]), 0);
  hsa_executable_symbol_t defined = symbol(executable, "of_table", &gpus[0]);
  assert_int_equal(number(defined, HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION), 0);
  assert_int_equal(number(defined, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT), HSA_VARIABLE_SEGMENT_READONLY);
  assert_int_equal(number(defined, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS), (uintptr_t)&target[2]);
  WORKS(hsa_executable_destroy(executable));
  og_buffer_free(&code);
}

static void a_frozen_executable_stays_as_it_is(void **state) {
  (void)state;
  struct og_buffer code = code_of("gfx906", 4, KERNEL("k"));
  hsa_executable_t executable;
  WORKS(hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable));
  hsa_executable_state_t frozen;
  hsa_profile_t profile;
  WORKS(hsa_executable_get_info(executable, HSA_EXECUTABLE_INFO_STATE, &frozen));
  assert_int_equal(frozen, HSA_EXECUTABLE_STATE_UNFROZEN);
  WORKS(hsa_executable_get_info(executable, HSA_EXECUTABLE_INFO_PROFILE, &profile));
  assert_int_equal(profile, HSA_PROFILE_FULL);
  assert_int_equal(hsa_executable_get_info(executable, (hsa_executable_info_t)99, &profile),
                   HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_executable_freeze(executable, NULL));
  WORKS(hsa_executable_get_info(executable, HSA_EXECUTABLE_INFO_STATE, &frozen));
  assert_int_equal(frozen, HSA_EXECUTABLE_STATE_FROZEN);
  assert_int_equal(hsa_executable_freeze(executable, NULL), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  assert_int_equal(load(executable, &gpus[0], &code, NULL), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  assert_int_equal(hsa_executable_global_variable_define(executable, "x", &code), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  WORKS(hsa_executable_destroy(executable));
  assert_int_equal(hsa_executable_destroy(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  assert_int_equal(hsa_executable_freeze(executable, NULL), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  og_buffer_free(&code);
}

static void code_for_another_agent_is_not_loaded(void **state) {
  (void)state;
  static const char *const ids[] = {"gfx1030", "gfx908", "gfx906:xnack+", "gfx906:sramecc-"};
  for (size_t i = 0; i < OG_COUNT(ids); i++) {
    struct og_buffer code = code_of(ids[i], 4, KERNEL("k"));
    hsa_executable_t executable = new_executable();
    hsa_status_t status = load(executable, &gpus[0], &code, NULL);
    if (status != HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS)
      fail_msg("%s: status 0x%x", ids[i], status);
    WORKS(hsa_executable_destroy(executable));
    og_buffer_free(&code);
  }
}

static void code_objects_of_every_version_are_loaded(void **state) {
  (void)state;
  for (int version = 3; version <= 6; version++) {
    struct og_buffer code = code_of("gfx906", version, KERNEL("k"));
    hsa_executable_t executable = new_executable();
    WORKS(load(executable, &gpus[0], &code, NULL));
    WORKS(hsa_executable_freeze(executable, NULL));
    symbol(executable, "k.kd", &gpus[0]);
    WORKS(hsa_executable_destroy(executable));
    og_buffer_free(&code);
  }
}

static void readers_read_files(void **state) {
  (void)state;
  struct og_buffer code = code_of("gfx906", 4, KERNEL("k"));
  FILE *file = tmpfile();
  hsa_code_object_reader_t reader;
  assert_non_null(file);
  assert_int_equal(hsa_code_object_reader_create_from_file(fileno(file), &reader),
                   HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  assert_int_equal(fwrite("skip", 1, 4, file) + fwrite(code.data, 1, code.size, file), code.size + 4);
  assert_int_equal(fflush(file), 0);
  hsa_executable_t executable = new_executable();
  hsa_loaded_code_object_t loaded;
  WORKS(loader.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(fileno(file), 4, code.size,
                                                                                        &reader));
  WORKS(hsa_executable_load_agent_code_object(executable, gpus[0], reader, NULL, &loaded));
  WORKS(hsa_code_object_reader_destroy(reader));
  assert_int_equal(hsa_code_object_reader_destroy(reader), HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
  uint32_t type, length;
  int descriptor;
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE, &type));
  assert_int_equal(type, HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE);
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE, &descriptor));
  assert_int_equal(descriptor, fileno(file));
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length));
  char *uri = calloc(1, length + 1);
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI,
                                                              uri));
  assert_memory_equal(uri, "file:///", 8);
  assert_non_null(strstr(uri, "#offset=4&size="));
  free(uri);
  assert_int_equal(loader.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
                       fileno(file), 5, code.size, &reader), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  assert_int_equal(hsa_code_object_reader_create_from_file(-1, &reader), HSA_STATUS_ERROR_INVALID_FILE);
  assert_int_equal(hsa_code_object_reader_create_from_memory(NULL, 4, &reader), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_executable_destroy(executable));
  fclose(file);
  og_buffer_free(&code);
}

static hsa_status_t keep_loaded(hsa_executable_t executable, hsa_loaded_code_object_t loaded, void *data) {
  (void)executable;
  *(hsa_loaded_code_object_t *)data = loaded;
  return HSA_STATUS_SUCCESS;
}
static hsa_status_t count_executable(hsa_executable_t executable, void *data) {
  assert_int_not_equal(executable.handle, 0);
  ++*(int *)data;
  return HSA_STATUS_SUCCESS;
}

static void the_loader_extension_tells_where_code_is(void **state) {
  (void)state;
  struct og_buffer code = code_of("gfx906", 4, KERNEL("k") VARIABLE(".data", "a", "1"));
  hsa_executable_t executable = new_executable(), found;
  hsa_loaded_code_object_t loaded, seen = {0};
  WORKS(load(executable, &gpus[0], &code, &loaded));
  WORKS(hsa_executable_freeze(executable, NULL));
  uint64_t object = number(symbol(executable, "k", &gpus[0]), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
  const void *host;
  WORKS(loader.hsa_ven_amd_loader_query_executable((void *)(uintptr_t)object, &found));
  assert_int_equal(found.handle, executable.handle);
  assert_int_equal(loader.hsa_ven_amd_loader_query_executable(&found, &found), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(loader.hsa_ven_amd_loader_query_host_address((void *)(uintptr_t)object, &host));
  assert_int_equal((uintptr_t)host, object);
  assert_int_equal(loader.hsa_ven_amd_loader_query_host_address(NULL, &host), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(loader.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, keep_loaded, &seen));
  assert_int_equal(seen.handle, loaded.handle);
  int executables = 0;
  WORKS(loader.hsa_ven_amd_loader_iterate_executables(count_executable, &executables));
  assert_int_equal(executables, 1);
  uint64_t base, size, memory;
  int64_t delta;
  hsa_agent_t agent;
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &base));
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE, &size));
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, &delta));
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT,
                                                              &agent));
  WORKS(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE, &memory));
  assert_true(object - base < size);
  assert_int_equal(base, delta);
  assert_int_equal(agent.handle, gpus[0].handle);
  assert_int_equal(memory, (uintptr_t)code.data);
  size_t count = 0, wrong;
  WORKS(loader.hsa_ven_amd_loader_query_segment_descriptors(NULL, &count));
  assert_in_range(count, 2, 8);
  hsa_ven_amd_loader_segment_descriptor_t segments[16];
  WORKS(loader.hsa_ven_amd_loader_query_segment_descriptors(segments, &count));
  bool holds = false;
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(segments[i].executable.handle, executable.handle);
    holds |= object - (uintptr_t)segments[i].segment_base < segments[i].segment_size;
  }
  assert_true(holds);
  wrong = count + 1;
  assert_int_equal(loader.hsa_ven_amd_loader_query_segment_descriptors(segments, &wrong),
                   HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
  wrong = 0;
  assert_int_equal(loader.hsa_ven_amd_loader_query_segment_descriptors(segments, &wrong),
                   HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_executable_destroy(executable));
  og_buffer_free(&code);
}

static hsa_status_t allocate(size_t size, hsa_callback_data_t data, void **address) {
  (void)data;
  *address = malloc(size);
  return HSA_STATUS_SUCCESS;
}
static hsa_status_t count_code_symbol(hsa_code_object_t code, hsa_code_symbol_t symbol, void *data) {
  (void)code, (void)symbol;
  ++*(int *)data;
  return HSA_STATUS_SUCCESS;
}

static void the_older_functions_load_too(void **state) {
  (void)state;
  struct og_buffer code = code_of("gfx906", 4, KERNEL("k") VARIABLE(".data", "a", "1"));
  hsa_code_object_t object, again;
  WORKS(hsa_code_object_deserialize(code.data, code.size, NULL, &object));
  void *bytes;
  size_t size;
  WORKS(hsa_code_object_serialize(object, allocate, (hsa_callback_data_t){0}, NULL, &bytes, &size));
  assert_int_equal(size, code.size);
  assert_memory_equal(bytes, code.data, size);
  WORKS(hsa_code_object_deserialize(bytes, size, NULL, &again));
  free(bytes);
  char version[64];
  hsa_isa_t isa, of_agent;
  WORKS(hsa_code_object_get_info(object, HSA_CODE_OBJECT_INFO_VERSION, version));
  assert_string_equal(version, "4.0");
  WORKS(hsa_code_object_get_info(object, HSA_CODE_OBJECT_INFO_ISA, &isa));
  WORKS(hsa_agent_get_info(gpus[0], HSA_AGENT_INFO_ISA, &of_agent));
  assert_int_equal(isa.handle, of_agent.handle);
  hsa_code_symbol_t symbol_of_k;
  uint32_t value;
  int count = 0;
  WORKS(hsa_code_object_get_symbol(object, "k", &symbol_of_k));
  WORKS(hsa_code_symbol_get_info(symbol_of_k, HSA_CODE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &value));
  assert_int_equal(value, 256);
  assert_int_equal(hsa_code_object_get_symbol_from_name(object, "module", "k", &symbol_of_k),
                   HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  WORKS(hsa_code_object_iterate_symbols(object, count_code_symbol, &count));
  assert_int_equal(count, 2);
  hsa_executable_t executable;
  WORKS(hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable));
  WORKS(hsa_executable_load_code_object(executable, gpus[0], again, NULL));
  WORKS(hsa_code_object_destroy(again));
  WORKS(hsa_code_object_destroy(object));
  assert_int_equal(hsa_code_object_destroy(object), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  WORKS(hsa_executable_freeze(executable, NULL));
  hsa_executable_symbol_t k;
  WORKS(hsa_executable_get_symbol(executable, NULL, "k", gpus[0], 0, &k));
  WORKS(hsa_executable_destroy(executable));
  og_buffer_free(&code);
}

static void damaged_code_objects_are_errors(void **state) {
  (void)state;
  struct og_buffer code = code_of("gfx906", 4, KERNEL("k") VARIABLE(".data", "a", "outside"));
  hsa_executable_t executable = new_executable();
  hsa_code_object_t object;
  for (size_t size = 1; size < code.size; size += 97) {
    struct og_buffer cut = {.data = malloc(size), .size = size};
    memcpy(cut.data, code.data, size);
    assert_int_equal(load(executable, &gpus[0], &cut, NULL), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_int_equal(hsa_code_object_deserialize(cut.data, size, NULL, &object), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    free(cut.data);
  }
  uint32_t seed = 1;
  for (int round = 0; round < 2000; round++) { /* bytes anywhere: an error or not, but nothing worse */
    uint8_t *at[4], old[4];
    for (int i = 0; i < 4; i++) {
      seed = seed * 1664525 + 1013904223;
      at[i] = &code.data[(seed >> 8) % code.size];
      old[i] = *at[i];
      *at[i] = (uint8_t)(seed >> 24);
    }
    hsa_executable_t damaged = new_executable();
    if (load(damaged, &gpus[0], &code, NULL) == HSA_STATUS_SUCCESS)
      hsa_executable_freeze(damaged, NULL);
    WORKS(hsa_executable_destroy(damaged));
    for (int i = 3; i >= 0; i--)
      *at[i] = old[i];
  }
  WORKS(hsa_executable_destroy(executable));
  og_buffer_free(&code);
}

static void what_a_program_forgets_ends_with_the_runtime(void **state) {
  (void)state;
  struct og_buffer code = code_of("gfx906", 4, KERNEL("k"));
  hsa_code_object_reader_t reader;
  hsa_code_object_t object;
  hsa_executable_t executable = new_executable();
  WORKS(load(executable, &gpus[0], &code, NULL));
  WORKS(hsa_code_object_reader_create_from_memory(code.data, code.size, &reader));
  WORKS(hsa_code_object_deserialize(code.data, code.size, NULL, &object));
  WORKS(hsa_shut_down()); /* a leak would be reported */
  assert_int_equal(hsa_executable_destroy(executable), HSA_STATUS_ERROR_NOT_INITIALIZED);
  WORKS(hsa_init());
  assert_int_equal(hsa_executable_destroy(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  og_buffer_free(&code);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_and_variables_say_what_they_are),
      cmocka_unit_test(code_objects_of_one_executable_find_each_other),
      cmocka_unit_test(programs_define_what_code_leaves_open),
      cmocka_unit_test(a_frozen_executable_stays_as_it_is),
      cmocka_unit_test(code_for_another_agent_is_not_loaded),
      cmocka_unit_test(code_objects_of_every_version_are_loaded),
      cmocka_unit_test(readers_read_files),
      cmocka_unit_test(the_loader_extension_tells_where_code_is),
      cmocka_unit_test(the_older_functions_load_too),
      cmocka_unit_test(damaged_code_objects_are_errors),
      cmocka_unit_test(what_a_program_forgets_ends_with_the_runtime),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
