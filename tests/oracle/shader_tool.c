/* shader_tool.c - Vulkan's shaders as SPIR-V, for a driver that VK_ICD_FILENAMES names:
 *
 * shader_tool code SHADER.comp.spv | SHADER.vert.spv SHADER.frag.spv
 *   makes one pipeline and prints what the driver says of each of its programs. Mesa's RADV needs no card:
 * RADV_FORCE_FAMILY
 *   names the processor.
 * shader_tool run X,Y,Z PUSH SHADER.comp.spv BUFFER...
 *   runs X by Y by Z work-groups; the files, and at last a uniform buffer's, are read and written back ("-": there is
 *   none); PUSH is a file, too.
 *
 * Exits with 77 if there is no such driver. */
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

/* A device with all that the driver offers. */
static VkDevice open_device(VkPhysicalDevice *physical) {
  VkInstance instance;
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  TRY(vkCreateInstance(
    &(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application}, NULL,
    &instance));
  uint32_t count = 1;
  *physical = NULL;
  vkEnumeratePhysicalDevices(instance, &count, physical);
  if (!count || !*physical)
    exit(failed("no device", VK_ERROR_INITIALIZATION_FAILED));
  static const char *const extensions[] = {"VK_KHR_dynamic_rendering", "VK_KHR_pipeline_executable_properties"};
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(*physical, &properties);
  bool tells = properties.vendorID == 0x1002; /* RADV; lavapipe does not know the second extension */
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR told = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
  VkPhysicalDeviceDynamicRenderingFeatures dynamic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, tells ? &told : NULL};
  VkPhysicalDeviceVulkan12Features twelve = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &dynamic};
  VkPhysicalDeviceVulkan11Features eleven = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &twelve};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &eleven};
  vkGetPhysicalDeviceFeatures2(*physical, &features);
  VkDeviceQueueCreateInfo queue = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = (float[]){1}};
  VkDevice device;
  TRY(vkCreateDevice(*physical,
    &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      &features,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = tells ? 2 : 1,
      .ppEnabledExtensionNames = extensions},
    NULL, &device));
  return device;
}

/* Bindings 0 to 3 are buffers, 4 and 5 images, 6 a sampled image, 7 a uniform buffer. */
enum { BINDINGS = 8 };
static const VkDescriptorType types[BINDINGS] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
  VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
  VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};

/* `which`: a bit for each binding. */
static VkPipelineLayout layout_of(VkDevice device, unsigned which, VkDescriptorSetLayout *set) {
  VkDescriptorSetLayoutBinding bindings[BINDINGS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < BINDINGS; i++)
    if (which >> i & 1)
      bindings[count++] = (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_ALL, NULL};
  TRY(vkCreateDescriptorSetLayout(device,
    &(VkDescriptorSetLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = count,
      .pBindings = bindings},
    NULL, set));
  VkPipelineLayout layout;
  VkPushConstantRange push = {VK_SHADER_STAGE_ALL, 0, 64};
  TRY(vkCreatePipelineLayout(device,
    &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = set,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &push},
    NULL, &layout));
  return layout;
}

/* ---- what the driver makes --------------------------------------------------------------------------------------- */

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

static VkPipeline compute_pipeline(VkDevice device, VkPipelineLayout layout, const char *path, unsigned flags) {
  VkPipeline pipeline;
  TRY(vkCreateComputePipelines(device, NULL, 1,
    &(VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = flags,
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

static int print_code(VkDevice device, int count, char **paths) {
  VkDescriptorSetLayout set;
  VkPipelineLayout layout = layout_of(device, (1 << BINDINGS) - 1, &set);
  VkPipeline pipeline =
    count == 1 ? compute_pipeline(device, layout, paths[0], FLAGS) : graphics_pipeline(device, layout, paths);
  PFN_vkGetPipelineExecutablePropertiesKHR get = (PFN_vkGetPipelineExecutablePropertiesKHR)vkGetDeviceProcAddr(
    device, "vkGetPipelineExecutablePropertiesKHR");
  VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
  VkPipelineExecutablePropertiesKHR programs[8];
  for (int i = 0; i < 8; i++)
    programs[i] = (VkPipelineExecutablePropertiesKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
  uint32_t made = 8;
  TRY(get(device, &info, &made, programs));
  for (uint32_t i = 0; i < made; i++)
    print_program(device, pipeline, i, programs[i].name);
  return 0;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static size_t read_file(const char *path, void *to, size_t most) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  size_t size = fread(to, 1, most, file);
  fclose(file);
  return size;
}

enum { BUFFER_MOST = 1 << 22 };
struct buffer {
  VkBuffer handle;
  size_t size;
  void *mapped;
};

static struct buffer make_buffer(VkDevice device, const char *path) {
  static char bytes[BUFFER_MOST];
  struct buffer buffer = {.size = read_file(path, bytes, sizeof bytes)};
  TRY(vkCreateBuffer(device,
    &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = buffer.size,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT},
    NULL, &buffer.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
  VkDeviceMemory memory; /* lavapipe has one kind */
  TRY(vkAllocateMemory(device,
    &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size}, NULL,
    &memory));
  TRY(vkBindBufferMemory(device, buffer.handle, memory, 0));
  TRY(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped));
  memcpy(buffer.mapped, bytes, buffer.size);
  return buffer;
}

static VkDescriptorSet make_set(VkDevice device, VkDescriptorSetLayout layout) {
  VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 8},
    {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 8}, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 8}};
  VkDescriptorPool pool;
  TRY(vkCreateDescriptorPool(device,
    &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = 1,
      .poolSizeCount = 4,
      .pPoolSizes = sizes},
    NULL, &pool));
  VkDescriptorSet set;
  TRY(vkAllocateDescriptorSets(device,
    &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = pool,
      .descriptorSetCount = 1,
      .pSetLayouts = &layout},
    &set));
  return set;
}

static void dispatch(VkDevice device, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set,
                     const char *push, const unsigned groups[3]) {
  char constants[64] = {0};
  read_file(push, constants, sizeof constants);
  VkCommandPool pool;
  TRY(vkCreateCommandPool(device,
    &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO}, NULL, &pool));
  VkCommandBuffer commands;
  TRY(vkAllocateCommandBuffers(device,
    &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool,
      .commandBufferCount = 1},
    &commands));
  TRY(vkBeginCommandBuffer(
    commands, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, sizeof constants, constants);
  vkCmdDispatch(commands, groups[0], groups[1], groups[2]);
  TRY(vkEndCommandBuffer(commands));
  VkQueue queue;
  vkGetDeviceQueue(device, 0, 0, &queue);
  TRY(vkQueueSubmit(queue, 1,
    &(VkSubmitInfo){
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands},
    VK_NULL_HANDLE));
  TRY(vkQueueWaitIdle(queue));
}

static uint32_t binding_of(int file) { return file < 4 ? (uint32_t)file : 7; }

static int run_shader(VkDevice device, const char *size, const char *push, const char *shader, int count,
                      char **files) {
  unsigned groups[3] = {1, 1, 1};
  sscanf(size, "%u,%u,%u", &groups[0], &groups[1], &groups[2]);
  unsigned which = 0;
  for (int i = 0; i < count && i < 5; i++)
    which |= strcmp(files[i], "-") ? 1u << binding_of(i) : 0;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout = layout_of(device, which, &set_layout);
  VkPipeline pipeline = compute_pipeline(device, layout, shader, 0);
  VkDescriptorSet set = make_set(device, set_layout);
  struct buffer buffers[5] = {0};
  for (int i = 0; i < count && i < 5; i++) {
    if (!strcmp(files[i], "-"))
      continue;
    buffers[i] = make_buffer(device, files[i]);
    uint32_t binding = binding_of(i);
    VkDescriptorBufferInfo place = {buffers[i].handle, 0, VK_WHOLE_SIZE};
    vkUpdateDescriptorSets(device, 1,
      &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = binding,
        .descriptorCount = 1,
        .descriptorType = types[binding],
        .pBufferInfo = &place},
      0, NULL);
  }
  dispatch(device, pipeline, layout, set, push, groups);
  for (int i = 0; i < count && i < 5; i++) {
    FILE *file = buffers[i].size ? fopen(files[i], "wb") : NULL;
    if (file && (fwrite(buffers[i].mapped, 1, buffers[i].size, file) != buffers[i].size || fclose(file)))
      return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  VkPhysicalDevice physical;
  if (argc >= 3 && argc <= 4 && !strcmp(argv[1], "code"))
    return print_code(open_device(&physical), argc - 2, argv + 2);
  if (argc >= 6 && !strcmp(argv[1], "run"))
    return run_shader(open_device(&physical), argv[2], argv[3], argv[4], argc - 5, argv + 5);
  fputs("usage: shader_tool code SHADER.spv [SHADER.spv] | run X,Y,Z PUSH SHADER.spv BUFFER...\n", stderr);
  return 2;
}
