/* agents.c - agents and their attributes: the CPU, and a GPU for each processor that OFFGRID_GPU names. A GPU's limits
 * are those of its processor; its sizes and clocks are those of the machine that runs it here. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsa/internal.h"

struct og_hsa_agent *og_hsa_agent(hsa_agent_t handle) {
  for (uint32_t i = 0; i < og_hsa.agent_count; i++)
    if (handle.handle == (uintptr_t)&og_hsa.agents[i])
      return &og_hsa.agents[i];
  return NULL;
}

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(callback);
  hsa_status_t status = HSA_STATUS_SUCCESS;
  for (uint32_t i = 0; i < og_hsa.agent_count && status == HSA_STATUS_SUCCESS; i++)
    status = callback(og_hsa_agent_handle(&og_hsa.agents[i]), data);
  return status;
}

/* ---- made from OFFGRID_GPU --------------------------------------------------------------------------------------- */

/* What a target id leaves open is set as the driver does it: XNACK off, ECC of SRAM on. */
static bool add_gpu(struct og_text name) {
  if (og_hsa.agent_count == OG_HSA_AGENTS)
    return false;
  struct og_hsa_agent *agent = &og_hsa.agents[og_hsa.agent_count];
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  *agent = (struct og_hsa_agent){.type = HSA_DEVICE_TYPE_GPU, .node = og_hsa.agent_count};
  bool fine = og_target_parse_id(&agent->target, name, diagnostics);
  og_diagnostics_free(diagnostics);
  if (!fine || agent->target.processor->major < 6)
    return false;
  if (agent->target.xnack == OG_ANY)
    agent->target.xnack = OG_OFF;
  if (agent->target.sramecc == OG_ANY)
    agent->target.sramecc = OG_ON;
  og_hsa_add_pools(agent);
  og_hsa.agent_count++;
  return true;
}

bool og_hsa_make_agents(void) {
  og_hsa.agents[0] = (struct og_hsa_agent){.type = HSA_DEVICE_TYPE_CPU};
  og_hsa.agent_count = 1;
  og_hsa_add_pools(&og_hsa.agents[0]);
  const char *list = getenv("OFFGRID_GPU");
  if (!list || !*list)
    list = "gfx906";
  while (*list) {
    size_t length = strcspn(list, ",");
    if (length && !add_gpu((struct og_text){list, length})) {
      og_hsa_log(OG_HSA_LOG_ERRORS, "OFFGRID_GPU: '%.*s' is no AMD processor, or there are more than %d", (int)length,
                 list, OG_HSA_AGENTS - 1);
      return false;
    }
    list += length + (list[length] == ',');
  }
  return true;
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

hsa_status_t og_hsa_put_text(void *value, size_t size, const char *format, ...) {
  memset(value, 0, size);
  va_list args;
  va_start(args, format);
  vsnprintf(value, size, format, args);
  va_end(args);
  return HSA_STATUS_SUCCESS;
}

unsigned og_hsa_waves_per_unit(const struct og_hsa_agent *agent) {
  const struct og_processor *processor = agent->target.processor;
  return processor ? (unsigned)processor->waves_per_simd * processor->simds_per_cu : 0;
}

static bool is_gpu(const struct og_hsa_agent *agent) {
  return agent->target.processor != NULL;
}

static hsa_status_t put_cpu_name(void *value, size_t size) {
  char line[256], *name = NULL;
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && !name && fgets(line, sizeof line, file))
    if (strncmp(line, "model name", 10) == 0 && (name = strchr(line, ':')))
      name[strcspn(name, "\n")] = '\0';
  if (file)
    fclose(file);
  return og_hsa_put_text(value, size, "%s", name ? name + 1 + (name[1] == ' ') : "CPU");
}

/* HSA's own attributes about work, which are undefined for the CPU: 0. */
static hsa_status_t put_core(const struct og_hsa_agent *agent, hsa_agent_info_t attribute, void *value) {
  bool gpu = is_gpu(agent);
  switch (attribute) {
  case HSA_AGENT_INFO_NAME:
    return gpu ? og_hsa_put_text(value, 64, "%s", agent->target.processor->name) : put_cpu_name(value, 64);
  case HSA_AGENT_INFO_VENDOR_NAME: return og_hsa_put_text(value, 64, "%s", gpu ? "AMD" : "CPU");
  case HSA_AGENT_INFO_FEATURE:
    return OG_HSA_PUT(hsa_agent_feature_t, gpu ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0);
  case HSA_AGENT_INFO_MACHINE_MODEL: return OG_HSA_PUT(hsa_machine_model_t, HSA_MACHINE_MODEL_LARGE);
  case HSA_AGENT_INFO_PROFILE: return OG_HSA_PUT(hsa_profile_t, gpu ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
  case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
    return OG_HSA_PUT(hsa_default_float_rounding_mode_t, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
  case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: return OG_HSA_PUT(uint32_t, 0);
  case HSA_AGENT_INFO_FAST_F16_OPERATION: return OG_HSA_PUT(bool, og_hsa_has_fast_halves(agent));
  case HSA_AGENT_INFO_WAVEFRONT_SIZE: return OG_HSA_PUT(uint32_t, gpu ? agent->target.processor->wave_size : 0);
  case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
    for (int i = 0; i < 3; i++)
      ((uint16_t *)value)[i] = gpu ? OG_WORKGROUP_MAX : 0;
    return HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE: return OG_HSA_PUT(uint32_t, gpu ? OG_WORKGROUP_MAX : 0);
  case HSA_AGENT_INFO_GRID_MAX_DIM:
    return OG_HSA_PUT_STRUCT(hsa_dim3_t, {gpu ? UINT32_MAX : 0, gpu ? UINT32_MAX : 0, gpu ? UINT32_MAX : 0});
  case HSA_AGENT_INFO_GRID_MAX_SIZE: return OG_HSA_PUT(uint32_t, gpu ? UINT32_MAX : 0);
  case HSA_AGENT_INFO_FBARRIER_MAX_SIZE: return OG_HSA_PUT(uint32_t, gpu ? 32 : 0);
  case HSA_AGENT_INFO_QUEUES_MAX: return OG_HSA_PUT(uint32_t, gpu ? OG_HSA_QUEUES : 0);
  case HSA_AGENT_INFO_QUEUE_MIN_SIZE: return OG_HSA_PUT(uint32_t, gpu ? OG_HSA_QUEUE_MIN : 0);
  case HSA_AGENT_INFO_QUEUE_MAX_SIZE: return OG_HSA_PUT(uint32_t, gpu ? OG_HSA_QUEUE_MAX : 0);
  case HSA_AGENT_INFO_QUEUE_TYPE: return OG_HSA_PUT(hsa_queue_type32_t, HSA_QUEUE_TYPE_MULTI);
  case HSA_AGENT_INFO_NODE: return OG_HSA_PUT(uint32_t, agent->node);
  case HSA_AGENT_INFO_DEVICE: return OG_HSA_PUT(hsa_device_type_t, agent->type);
  case HSA_AGENT_INFO_CACHE_SIZE:
    for (unsigned level = 0; level < 4; level++)
      ((uint32_t *)value)[level] = og_hsa_cache_size(agent, level + 1);
    return HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_ISA: return OG_HSA_PUT_STRUCT(hsa_isa_t, {gpu ? (uintptr_t)agent : 0});
  case HSA_AGENT_INFO_EXTENSIONS: return og_hsa_put_extensions(value), HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_VERSION_MAJOR: return OG_HSA_PUT(uint16_t, OG_HSA_VERSION_MAJOR);
  case HSA_AGENT_INFO_VERSION_MINOR: return OG_HSA_PUT(uint16_t, OG_HSA_VERSION_MINOR);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static uint32_t chip_id(const struct og_processor *processor) {
  static const struct {
    const char *name;
    uint32_t id;
  } chips[] = {{"gfx803", 0x7300}, {"gfx900", 0x687f}, {"gfx906", 0x66a1}, {"gfx908", 0x738c},
               {"gfx90a", 0x740c}, {"gfx942", 0x74a1}, {"gfx1010", 0x731f}, {"gfx1030", 0x73bf},
               {"gfx1100", 0x744c}, {"gfx1201", 0x7550}};
  for (size_t i = 0; processor && i < OG_COUNT(chips); i++)
    if (strcmp(chips[i].name, processor->name) == 0)
      return chips[i].id;
  return 0;
}

/* Attributes of the image extension, which are asked for by the same call: array lengths, samplers, handles. */
static hsa_status_t put_image_limit(const struct og_hsa_agent *agent, unsigned attribute, void *value) {
  if (!is_gpu(agent))
    return OG_HSA_PUT(uint32_t, 0);
  switch (attribute) {
  case HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS: return OG_HSA_PUT(uint32_t, 16384);
  case HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS: return OG_HSA_PUT(uint32_t, UINT32_MAX);
  case HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS:
    ((uint32_t *)value)[0] = ((uint32_t *)value)[1] = 16384;
    return HSA_STATUS_SUCCESS;
  case HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS:
    ((uint32_t *)value)[0] = ((uint32_t *)value)[1] = 16384;
    ((uint32_t *)value)[2] = 8192;
    return HSA_STATUS_SUCCESS;
  case HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS: return OG_HSA_PUT(uint32_t, 8192);
  case HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES: return OG_HSA_PUT(uint32_t, 128);
  case HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES: return OG_HSA_PUT(uint32_t, 64);
  case HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS: return OG_HSA_PUT(uint32_t, 16);
  case HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT: return OG_HSA_PUT(uint32_t, 256);
  default: return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

static hsa_status_t put_amd(const struct og_hsa_agent *agent, unsigned attribute, void *value) {
  const struct og_processor *processor = agent->target.processor;
  bool gpu = is_gpu(agent);
  switch (attribute) {
  case HSA_AMD_AGENT_INFO_CHIP_ID: return OG_HSA_PUT(uint32_t, chip_id(processor));
  case HSA_AMD_AGENT_INFO_CACHELINE_SIZE: return OG_HSA_PUT(uint32_t, OG_HSA_CACHE_LINE);
  case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
  case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
    return OG_HSA_PUT(uint32_t, gpu ? OG_HSA_COMPUTE_UNITS : og_runtime_processors());
  case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
  case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY: return OG_HSA_PUT(uint32_t, gpu ? OG_HSA_CLOCK_MHZ : 0);
  case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID: return OG_HSA_PUT(uint32_t, agent->node);
  case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS: return OG_HSA_PUT(uint32_t, 0);
  case HSA_AMD_AGENT_INFO_BDFID: return OG_HSA_PUT(uint32_t, agent->node << 8); /* bus number: the node; device 0 */
  case HSA_AMD_AGENT_INFO_MEMORY_WIDTH: return OG_HSA_PUT(uint32_t, gpu ? 4096 : 0);
  case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
    return gpu ? og_hsa_put_text(value, 64, "offgrid %s", processor->name) : put_cpu_name(value, 64);
  case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU: return OG_HSA_PUT(uint32_t, og_hsa_waves_per_unit(agent));
  case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU: return OG_HSA_PUT(uint32_t, gpu ? processor->simds_per_cu : 0);
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES: return OG_HSA_PUT(uint32_t, gpu ? OG_HSA_SHADER_ENGINES : 0);
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE: return OG_HSA_PUT(uint32_t, gpu ? 1 : 0);
  case HSA_AMD_AGENT_INFO_HDP_FLUSH: return OG_HSA_PUT_STRUCT(hsa_amd_hdp_flush_t, {0}); /* there is nothing to flush */
  case HSA_AMD_AGENT_INFO_DOMAIN: return OG_HSA_PUT(uint32_t, 0);
  case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES: return OG_HSA_PUT(bool, gpu);
  case HSA_AMD_AGENT_INFO_UUID:
    return gpu ? og_hsa_put_text(value, 21, "GPU-%016x", agent->node) : og_hsa_put_text(value, 21, "CPU-XX");
  case HSA_AMD_AGENT_INFO_ASIC_REVISION: return OG_HSA_PUT(uint32_t, 0);
  case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS: return OG_HSA_PUT(bool, true);
  default: return put_image_limit(agent, attribute, value);
  }
}

hsa_status_t hsa_agent_get_info(hsa_agent_t handle, hsa_agent_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_agent(handle);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(value);
  return (unsigned)attribute < 0x1000 ? put_core(agent, attribute, value) : put_amd(agent, (unsigned)attribute, value);
}

hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t handle, hsa_profile_t profile, uint16_t *mask) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(handle), HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(mask && profile <= HSA_PROFILE_FULL);
  *mask = 0; /* exceptions are neither detected nor do they stop a wave */
  return HSA_STATUS_SUCCESS;
}
