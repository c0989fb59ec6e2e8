/* shader_tool.c - the code that Mesa's RADV makes of SPIR-V, a card or not: shader_tool STAGE.spv... makes one pipeline
 * (a .comp, or a .vert and a .frag) for the processor that RADV_FORCE_FAMILY names, and prints what the driver says of
 * each of its programs. Exits with 77 if there is no such driver. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { NONE = 77 };

static int failed(const char *what, VkResult result) {
  fprintf(stderr, "%s: %d\n", what, result);
  return result == VK_ERROR_INCOMPATIBLE_DRIVER || result == VK_ERROR_INITIALIZATION_FAILED ? NONE : 1;
}

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    VkResult result_ = (call);                                                                                         \
    if (result_ != VK_SUCCESS)                                                                                         \
      exit(failed(#call, result_));                                                                                    \
  } while (0)

static bool has(VkPhysicalDevice physical, const char *extension) {
  uint32_t count = 0;
  TRY(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL));
  VkExtensionProperties *all = calloc(count + 1, sizeof *all);
  TRY(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all));
  bool found = false;
  for (uint32_t i = 0; i < count; i++)
    found |= !strcmp(all[i].extensionName, extension);
  free(all);
  return found;
}

/* A device with all that the driver offers, rays if it has them. */
static VkDevice open_device(bool *rays) {
  VkInstance instance;
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  TRY(vkCreateInstance(
    &(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application}, NULL,
    &instance));
  uint32_t count = 1;
  VkPhysicalDevice physical = NULL;
  vkEnumeratePhysicalDevices(instance, &count, &physical);
  if (!count || !physical)
    exit(failed("no device", VK_ERROR_INITIALIZATION_FAILED));
  const char *wanted[] = {"VK_KHR_pipeline_executable_properties", "VK_KHR_dynamic_rendering",
    "VK_EXT_shader_atomic_float", "VK_KHR_deferred_host_operations", "VK_KHR_acceleration_structure",
    "VK_KHR_ray_query"};
  *rays = has(physical, wanted[5]);
  const char *extensions[6];
  uint32_t used = 0;
  for (unsigned i = 0; i < 6; i++)
    if (has(physical, wanted[i]))
      extensions[used++] = wanted[i];
  VkPhysicalDeviceRayQueryFeaturesKHR query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR};
  VkPhysicalDeviceAccelerationStructureFeaturesKHR trees = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, &query};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR told = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, *rays ? &trees : NULL};
  VkPhysicalDeviceDynamicRenderingFeatures dynamic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, &told};
  VkPhysicalDeviceVulkan12Features twelve = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &dynamic};
  VkPhysicalDeviceVulkan11Features eleven = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &twelve};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &eleven};
  vkGetPhysicalDeviceFeatures2(physical, &features);
  VkDeviceQueueCreateInfo queue = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = (float[]){1}};
  VkDevice device;
  TRY(vkCreateDevice(physical,
    &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      &features,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = used,
      .ppEnabledExtensionNames = extensions},
    NULL, &device));
  return device;
}

/* Bindings 0 to 3 are buffers, 4 and 5 images, 6 a sampled image, 7 a uniform buffer; binding 8 a tree of triangles. */
static VkPipelineLayout layout_of(VkDevice device, bool rays) {
  static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
  VkDescriptorSetLayoutBinding bindings[9];
  for (uint32_t i = 0; i < 9; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_ALL, NULL};
  VkDescriptorSetLayout set;
  TRY(vkCreateDescriptorSetLayout(device,
    &(VkDescriptorSetLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = rays ? 9 : 8,
      .pBindings = bindings},
    NULL, &set));
  VkPipelineLayout layout;
  VkPushConstantRange push = {VK_SHADER_STAGE_ALL, 0, 64};
  TRY(vkCreatePipelineLayout(device,
    &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = &set,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &push},
    NULL, &layout));
  return layout;
}

static VkPipelineShaderStageCreateInfo stage_of(VkDevice device, const char *path) {
  static uint32_t words[1 << 18];
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  size_t size = fread(words, 1, sizeof words, file);
  fclose(file);
  VkShaderModule module;
  TRY(vkCreateShaderModule(device,
    &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words},
    NULL, &module));
  VkShaderStageFlagBits stage = strstr(path, ".vert")   ? VK_SHADER_STAGE_VERTEX_BIT
                                : strstr(path, ".frag") ? VK_SHADER_STAGE_FRAGMENT_BIT
                                                        : VK_SHADER_STAGE_COMPUTE_BIT;
  return (VkPipelineShaderStageCreateInfo){
    .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .module = module, .pName = "main"};
}

enum { FLAGS = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR };

static VkPipeline compute_pipeline(VkDevice device, VkPipelineLayout layout, const char *path) {
  VkPipeline pipeline;
  TRY(vkCreateComputePipelines(device, NULL, 1,
    &(VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = FLAGS,
      .stage = stage_of(device, path),
      .layout = layout},
    NULL, &pipeline));
  return pipeline;
}

/* Triangles of vertices with a place (location 0) and a place in the texture (location 1), drawn into one picture. */
static VkPipeline graphics_pipeline(VkDevice device, VkPipelineLayout layout, char **paths) {
  VkPipelineShaderStageCreateInfo stages[] = {stage_of(device, paths[0]), stage_of(device, paths[1])};
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
    .colorAttachmentCount = 1,
    .pColorAttachmentFormats = &format};
  VkVertexInputBindingDescription vertex = {0, 24, VK_VERTEX_INPUT_RATE_VERTEX};
  VkVertexInputAttributeDescription attributes[] = {
    {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32_SFLOAT, 16}};
  VkPipelineColorBlendAttachmentState blend = {.colorWriteMask = 15};
  VkViewport viewport = {0, 0, 64, 64, 0, 1};
  VkRect2D scissor = {{0, 0}, {64, 64}};
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering, FLAGS, 2, stages,
    &(VkPipelineVertexInputStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &vertex,
      .vertexAttributeDescriptionCount = 2,
      .pVertexAttributeDescriptions = attributes},
    &(VkPipelineInputAssemblyStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
    NULL,
    &(VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .pViewports = &viewport,
      .scissorCount = 1,
      .pScissors = &scissor},
    &(VkPipelineRasterizationStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
    &(VkPipelineMultisampleStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT},
    &(VkPipelineDepthStencilStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO},
    &(VkPipelineColorBlendStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &blend},
    NULL, layout, NULL, 0, NULL, -1};
  VkPipeline pipeline;
  TRY(vkCreateGraphicsPipelines(device, NULL, 1, &info, NULL, &pipeline));
  return pipeline;
}

/* What the driver shows of program `index`: its assembly, with words, where it can. */
static void print_program(VkDevice device, VkPipeline pipeline, uint32_t index, const char *name) {
  PFN_vkGetPipelineExecutableInternalRepresentationsKHR get =
    (PFN_vkGetPipelineExecutableInternalRepresentationsKHR)vkGetDeviceProcAddr(
      device, "vkGetPipelineExecutableInternalRepresentationsKHR");
  VkPipelineExecutableInfoKHR info = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline, .executableIndex = index};
  VkPipelineExecutableInternalRepresentationKHR shown[8];
  for (int i = 0; i < 8; i++)
    shown[i] = (VkPipelineExecutableInternalRepresentationKHR){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
  uint32_t count = 8;
  TRY(get(device, &info, &count, shown));
  for (uint32_t i = 0; i < count; i++)
    shown[i].pData = calloc(1, shown[i].dataSize + 1);
  TRY(get(device, &info, &count, shown));
  for (uint32_t i = 0; i < count; i++) {
    if (shown[i].isText && !strcmp(shown[i].name, "Assembly"))
      printf("=== %s\n%s", name, (char *)shown[i].pData);
    free(shown[i].pData);
  }
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fputs("usage: shader_tool SHADER.comp.spv | SHADER.vert.spv SHADER.frag.spv\n", stderr);
    return 2;
  }
  bool rays;
  VkDevice device = open_device(&rays);
  VkPipelineLayout layout = layout_of(device, rays);
  VkPipeline pipeline =
    argc == 2 ? compute_pipeline(device, layout, argv[1]) : graphics_pipeline(device, layout, argv + 1);
  PFN_vkGetPipelineExecutablePropertiesKHR get =
    (PFN_vkGetPipelineExecutablePropertiesKHR)vkGetDeviceProcAddr(device, "vkGetPipelineExecutablePropertiesKHR");
  VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
  VkPipelineExecutablePropertiesKHR programs[8];
  for (int i = 0; i < 8; i++)
    programs[i] = (VkPipelineExecutablePropertiesKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
  uint32_t count = 8;
  TRY(get(device, &info, &count, programs));
  for (uint32_t i = 0; i < count; i++)
    print_program(device, pipeline, i, programs[i].name);
  return 0;
}
