/* code.h - what tests of code and memory share: code objects, assembled and linked here, and the agents. */
#ifndef TESTS_HSA_CODE_H
#define TESTS_HSA_CODE_H

#include <hsa/hsa.h>

#include "asm/asm.h"
#include "object/link/link.h"

#define WORKS(call) assert_int_equal(call, HSA_STATUS_SUCCESS)

static inline hsa_status_t keep_gpu(hsa_agent_t agent, void *data) {
  hsa_agent_t **next = data;
  hsa_device_type_t type;
  WORKS(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_GPU)
    *(*next)++ = agent;
  return HSA_STATUS_SUCCESS;
}

/* The GPUs that OFFGRID_GPU names. */
static inline void find_gpus(hsa_agent_t gpus[static 16]) {
  hsa_agent_t *next = gpus;
  WORKS(hsa_iterate_agents(keep_gpu, &next));
}

/* A code object of the source; og_buffer_free() it. Symbols may be left undefined. */
static inline struct og_buffer code_of(const char *target_id, int version, const char *source) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_asm_options options = {.code_object_version = version};
  struct og_buffer object = {0}, code = {0};
  assert_true(og_target_parse_id(&options.target, og_text(target_id), diagnostics));
  const struct og_object *assembled =
      og_assemble(arena, &options, "x.s", source, __builtin_strlen(source), diagnostics);
  assert_non_null(assembled);
  assert_true(og_object_write(assembled, &object, diagnostics));
  struct og_link_input input = {.name = "x.o", .bytes = object.data, .size = object.size};
  struct og_link_options link = {.undefined = OG_UNDEFINED_ALLOWED};
  assert_true(og_link(arena, &input, 1, &link, &code, diagnostics));
  og_buffer_free(&object);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return code;
}

#endif
