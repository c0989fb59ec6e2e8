/* isas.c - instruction sets: one for each GPU agent, whose address is the handle; the sizes of their waves, and the
 * caches of agents. */
#include <string.h>

#include "hsa/internal.h"

/* A wave's handle is its size; a cache's handle is the agent's node and the cache's level. */
enum { CACHE_LEVELS = 4 };

struct og_hsa_agent *og_hsa_isa(hsa_isa_t handle) {
  struct og_hsa_agent *agent = og_hsa_agent((hsa_agent_t){handle.handle});
  return agent && agent->target.processor ? agent : NULL;
}

hsa_status_t hsa_agent_iterate_isas(hsa_agent_t handle, hsa_status_t (*callback)(hsa_isa_t isa, void *data),
                                    void *data) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_agent(handle);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(callback);
  return agent->target.processor ? callback((hsa_isa_t){handle.handle}, data) : HSA_STATUS_SUCCESS;
}

/* The target id, as in code objects from version 4 on. */
static void isa_name(const struct og_hsa_agent *agent, struct og_buffer *name) {
  og_target_print_id(&agent->target, 4, name);
}

hsa_status_t hsa_isa_from_name(const char *name, hsa_isa_t *isa) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(name && isa);
  hsa_status_t status = HSA_STATUS_ERROR_INVALID_ISA_NAME;
  for (uint32_t i = 0; i < og_hsa.agent_count && status != HSA_STATUS_SUCCESS; i++) {
    const struct og_hsa_agent *agent = &og_hsa.agents[i];
    struct og_buffer own = {0};
    if (!agent->target.processor)
      continue;
    isa_name(agent, &own);
    if (og_text_is((struct og_text){(const char *)own.data, own.size}, name)) {
      isa->handle = (uintptr_t)agent;
      status = HSA_STATUS_SUCCESS;
    }
    og_buffer_free(&own);
  }
  return status;
}

bool og_hsa_has_fast_halves(const struct og_hsa_agent *agent) {
  return agent->target.processor && agent->target.processor->major >= 8;
}

static hsa_status_t put_name(const struct og_hsa_agent *agent, bool length_only, void *value) {
  struct og_buffer name = {0};
  isa_name(agent, &name);
  if (length_only) { /* programs allocate only this much, and read a string: so the NUL counts */
    *(uint32_t *)value = (uint32_t)name.size + 1;
  } else {
    memcpy(value, name.data, name.size);
    ((char *)value)[name.size] = '\0';
  }
  og_buffer_free(&name);
  return HSA_STATUS_SUCCESS;
}

/* An array of flags, of which one is set. */
static hsa_status_t put_choice(void *value, unsigned count, unsigned choice) {
  for (unsigned i = 0; i < count; i++)
    ((bool *)value)[i] = i == choice;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_isa(isa);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_ISA);
  OG_HSA_NEED_ARGUMENT(value);
  switch (attribute) {
  case HSA_ISA_INFO_NAME_LENGTH: return put_name(agent, true, value);
  case HSA_ISA_INFO_NAME: return put_name(agent, false, value);
  case HSA_ISA_INFO_CALL_CONVENTION_COUNT: return OG_HSA_PUT(uint32_t, 1);
  case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
    return OG_HSA_PUT(uint32_t, agent->target.processor->wave_size);
  case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
    return OG_HSA_PUT(uint32_t, og_hsa_waves_per_unit(agent));
  case HSA_ISA_INFO_MACHINE_MODELS: return put_choice(value, 2, HSA_MACHINE_MODEL_LARGE);
  case HSA_ISA_INFO_PROFILES: return put_choice(value, 2, HSA_PROFILE_BASE);
  case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
  case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
    return put_choice(value, 3, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
  case HSA_ISA_INFO_FAST_F16_OPERATION: return OG_HSA_PUT(bool, og_hsa_has_fast_halves(agent));
  case HSA_ISA_INFO_WORKGROUP_MAX_DIM:
    for (int i = 0; i < 3; i++)
      ((uint16_t *)value)[i] = OG_WORKGROUP_MAX;
    return HSA_STATUS_SUCCESS;
  case HSA_ISA_INFO_WORKGROUP_MAX_SIZE: return OG_HSA_PUT(uint32_t, OG_WORKGROUP_MAX);
  case HSA_ISA_INFO_GRID_MAX_DIM: return OG_HSA_PUT_STRUCT(hsa_dim3_t, {UINT32_MAX, UINT32_MAX, UINT32_MAX});
  case HSA_ISA_INFO_GRID_MAX_SIZE: return OG_HSA_PUT(uint64_t, UINT64_MAX);
  case HSA_ISA_INFO_FBARRIER_MAX_SIZE: return OG_HSA_PUT(uint32_t, 32);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index, void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_isa(isa), HSA_STATUS_ERROR_INVALID_ISA);
  OG_HSA_NEED(index == 0, HSA_STATUS_ERROR_INVALID_INDEX);
  return hsa_isa_get_info_alt(isa, attribute, value);
}

hsa_status_t hsa_isa_get_exception_policies(hsa_isa_t isa, hsa_profile_t profile, uint16_t *mask) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_isa(isa), HSA_STATUS_ERROR_INVALID_ISA);
  OG_HSA_NEED_ARGUMENT(mask && profile <= HSA_PROFILE_FULL);
  *mask = 0;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_round_method(hsa_isa_t isa, hsa_fp_type_t type, hsa_flush_mode_t flush,
                                      hsa_round_method_t *method) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_isa(isa), HSA_STATUS_ERROR_INVALID_ISA);
  OG_HSA_NEED_ARGUMENT(method);
  OG_HSA_NEED_ARGUMENT(type == HSA_FP_TYPE_16 || type == HSA_FP_TYPE_32 || type == HSA_FP_TYPE_64);
  OG_HSA_NEED_ARGUMENT(flush == HSA_FLUSH_MODE_FTZ || flush == HSA_FLUSH_MODE_NON_FTZ);
  *method = HSA_ROUND_METHOD_SINGLE; /* of fused multiply-add */
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_compatible(hsa_isa_t code_isa, hsa_isa_t agent_isa, bool *result) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *code = og_hsa_isa(code_isa), *agent = og_hsa_isa(agent_isa);
  OG_HSA_NEED(code && agent, HSA_STATUS_ERROR_INVALID_ISA);
  OG_HSA_NEED_ARGUMENT(result);
  *result = code->target.processor == agent->target.processor && code->target.xnack == agent->target.xnack &&
            code->target.sramecc == agent->target.sramecc;
  return HSA_STATUS_SUCCESS;
}

/* ---- waves ------------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_isa_iterate_wavefronts(hsa_isa_t isa, hsa_status_t (*callback)(hsa_wavefront_t wave, void *data),
                                        void *data) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_isa(isa);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_ISA);
  OG_HSA_NEED_ARGUMENT(callback);
  const struct og_processor *processor = agent->target.processor;
  hsa_status_t status = callback((hsa_wavefront_t){processor->wave_size}, data); /* the default first */
  uint64_t other = 96 - processor->wave_size;
  if (status == HSA_STATUS_SUCCESS && (other == 32 ? processor->wave32 : processor->wave64))
    status = callback((hsa_wavefront_t){other}, data);
  return status;
}

hsa_status_t hsa_wavefront_get_info(hsa_wavefront_t wave, hsa_wavefront_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(wave.handle == 32 || wave.handle == 64, HSA_STATUS_ERROR_INVALID_WAVEFRONT);
  OG_HSA_NEED_ARGUMENT(value && attribute == HSA_WAVEFRONT_INFO_SIZE);
  return OG_HSA_PUT(uint32_t, wave.handle);
}

/* ---- caches: programs may tune for them, but they are not simulated
 * ------------------------------------------------- */

uint32_t og_hsa_cache_size(const struct og_hsa_agent *agent, unsigned level) {
  if (!agent->target.processor)
    return level == 1 ? 32 << 10 : level == 2 ? 1 << 20 : 0;
  return level == 1 ? 16 << 10 : level == 2 ? 4 << 20 : 0;
}

hsa_status_t hsa_agent_iterate_caches(hsa_agent_t handle, hsa_status_t (*callback)(hsa_cache_t cache, void *data),
                                      void *data) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_agent(handle);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(callback);
  hsa_status_t status = HSA_STATUS_SUCCESS;
  for (unsigned level = 1; level <= CACHE_LEVELS && status == HSA_STATUS_SUCCESS; level++)
    if (og_hsa_cache_size(agent, level))
      status = callback((hsa_cache_t){agent->node * 8 + level}, data);
  return status;
}

hsa_status_t hsa_cache_get_info(hsa_cache_t cache, hsa_cache_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  unsigned level = cache.handle % 8;
  OG_HSA_NEED(cache.handle / 8 < og_hsa.agent_count && level > 0 &&
                  og_hsa_cache_size(&og_hsa.agents[cache.handle / 8], level),
              HSA_STATUS_ERROR_INVALID_CACHE);
  OG_HSA_NEED_ARGUMENT(value);
  switch (attribute) {
  case HSA_CACHE_INFO_NAME_LENGTH: return OG_HSA_PUT(uint32_t, 2);
  case HSA_CACHE_INFO_NAME: return og_hsa_put_text(value, 3, "L%u", level);
  case HSA_CACHE_INFO_LEVEL: return OG_HSA_PUT(uint8_t, level);
  case HSA_CACHE_INFO_SIZE: return OG_HSA_PUT(uint32_t, og_hsa_cache_size(&og_hsa.agents[cache.handle / 8], level));
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
