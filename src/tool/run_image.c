/* run_image.c - images and samplers among the arguments of AMD kernels: makes resources in memory as OpenCL's and HIP's
 * device libraries take them, and lays out the texels as the processor has them. */
#include "texel/image.h"
#include "tool/run_command.h"
#include "visa/image.h"

#include <string.h>

enum { DESCRIPTOR = 64 /* bytes, for eight words of a resource or four of a sampler */, BASE_ALIGNMENT = 256 };

/* Finds the generation's format with as many channels of a type. */
static bool find_format(enum og_generation generation, unsigned channels, unsigned bits, char kind, bool srgb,
                        struct og_image *image) {
  static const char kinds[] = {[OG_NUMBER_UNORM] = 'n', [OG_NUMBER_SNORM] = 's', [OG_NUMBER_UINT] = 'u',
                               [OG_NUMBER_SINT] = 'i', [OG_NUMBER_FLOAT] = 'f', [OG_NUMBER_SRGB] = 'n'};
  uint32_t words[8];
  for (unsigned number = 0; number < OG_COUNT(kinds); number++) {
    image->format = (struct og_texel_format){.layout = og_even_data_format(bits, channels), .number = (uint8_t)number};
    if (kinds[number] == kind && (number == OG_NUMBER_SRGB) == srgb && image->format.layout &&
        og_image_write(generation, image, words))
      return true;
  }
  return false;
}

/* Sets where each result comes from: letters of "rgba" mean channels in memory, 0 and 1 these values. */
static void select_results(const char *from, struct og_image *image) {
  for (unsigned i = 0; i < 4; i++)
    image->select[i] = from[i] == '0' ? 0 : from[i] == '1' ? 1 : (uint8_t)(4 + (strchr("rgba", from[i]) - "rgba"));
}

static bool image_of(enum og_generation generation, const struct og_visa_image *given, struct og_image *image) {
#define X(text, number, channels, from, to) {channels, from, text[0] == 's'},
  static const struct {
    unsigned channels;
    const char *from;
    bool srgb;
  } orders[] = {OG_VISA_IMAGE_ORDERS(X)};
#undef X
#define X(text, bits, kind, number) {bits, kind},
  static const struct {
    unsigned bits;
    char kind;
  } types[] = {OG_VISA_IMAGE_TYPES(X)};
#undef X
  static const uint8_t kinds[2][4] = {{0, OG_IMAGE_1D, OG_IMAGE_2D, OG_IMAGE_3D},
                                      {0, OG_IMAGE_1D_ARRAY, OG_IMAGE_2D_ARRAY, 0}};
  *image = (struct og_image){.type = kinds[given->array][given->dimensions], .width = given->width,
                             .height = OG_MAX(given->height, 1u), .depth = 1, .levels = 1, .select = {4, 5, 6, 7}};
  if (given->array)
    image->last_layer = given->depth - 1;
  else
    image->depth = OG_MAX(given->depth, 1u);
  select_results(orders[given->order].from, image);
  return image->type && find_format(generation, orders[given->order].channels, types[given->type].bits,
                                    types[given->type].kind, orders[given->order].srgb, image);
}

/* Zeroed memory at an address that a resource can hold. */
static uint8_t *aligned(struct og_run_arguments *arguments, size_t size) {
  uint8_t *memory = arguments->allocate(arguments->context, size + BASE_ALIGNMENT);
  return memory ? memory + (-(uintptr_t)memory & (BASE_ALIGNMENT - 1)) : NULL;
}

static void hand_over(struct og_argument *argument, const char *text, void *descriptor) {
  *argument = (struct og_argument){.kind = OG_ARGUMENT_BUFFER, .text = text, .buffer = descriptor, .size = DESCRIPTOR};
}

/* Copies the texels row by row from the buffer to where the processor has them; those of an output are copied back at
 * the end. */
static bool lay_out(struct og_run_arguments *arguments, enum og_generation generation, const char *text,
                    struct og_image *image, struct og_argument *argument, bool comes_back) {
  size_t row = (size_t)image->width * og_texel_bytes(image->format);
  uint8_t *texels = aligned(arguments, og_image_bytes(generation, image));
  uint32_t *descriptor = arguments->allocate(arguments->context, DESCRIPTOR);
  if (!texels || !descriptor)
    return og_error_in(arguments->diagnostics, NULL, "--arg %s: no memory for the image", text);
  image->base = (uintptr_t)texels;
  size_t stride = og_image_level(generation, image, 0).row;
  for (size_t at = 0, to = 0; at < argument->size; at += row, to += stride)
    memcpy(texels + to, (const uint8_t *)argument->buffer + at, row);
  if (!og_image_write(generation, image, descriptor))
    return og_error_in(arguments->diagnostics, NULL, "--arg %s: larger than the processor's images can be", text);
  if (comes_back) {
    struct og_run_output *output = &arguments->outputs[arguments->output_count - 1];
    output->data = texels, output->row = row, output->stride = stride;
  }
  hand_over(argument, text, descriptor);
  return true;
}

bool og_run_image_argument(struct og_run_arguments *arguments, enum og_generation generation, const char *text,
                           struct og_argument *argument) {
  struct og_visa_image given;
  struct og_image image;
  const char *buffer = og_visa_image_argument(arguments->arena, text, &given);
  if (!buffer)
    return og_error_in(arguments->diagnostics, NULL,
                       "--arg %s: expected image:FORMAT:SIZE:BUFFER, as in image:rgba8:16x16:in:FILE", text);
  if (!image_of(generation, &given, &image))
    return og_error_in(arguments->diagnostics, NULL, "--arg %s: the processor has no images of this kind and format",
                       text);
  uint32_t outputs = arguments->output_count;
  if (!og_run_argument_make(arguments, buffer, argument))
    return false;
  uint64_t size = og_visa_image_size(&given);
  if (argument->kind != OG_ARGUMENT_BUFFER || argument->size != size)
    return og_error_in(arguments->diagnostics, NULL, "--arg %s: the image has %llu bytes, the buffer %zu", text,
                       (unsigned long long)size, argument->size);
  return lay_out(arguments, generation, text, &image, argument, arguments->output_count > outputs);
}

bool og_run_sampler_argument(struct og_run_arguments *arguments, enum og_generation generation, const char *text,
                             struct og_argument *argument) {
  static const uint8_t clamps[] = {[OG_VISA_SAMPLER_EDGE] = OG_CLAMP_LAST, [OG_VISA_SAMPLER_BORDER] = OG_CLAMP_BORDER,
                                   [OG_VISA_SAMPLER_REPEAT] = OG_CLAMP_WRAP,
                                   [OG_VISA_SAMPLER_MIRROR] = OG_CLAMP_MIRROR};
  struct og_visa_sampler given;
  if (!og_visa_sampler_parse(text + strlen("sampler:"), &given))
    return og_error_in(arguments->diagnostics, NULL,
                       "--arg %s: expected words out of nearest linear, edge border repeat mirror, "
                       "normalized unnormalized, never less equal lequal greater notequal gequal always", text);
  uint8_t clamp = clamps[given.address];
  struct og_sampler sampler = {.clamp = {clamp, clamp, clamp}, .unnormalized = !given.normalized, .mag = given.linear,
                               .min = given.linear, .z = given.linear, .max_lod = 15, .truncates = !given.linear,
                               .compare = given.compare ? given.compare - 1 : 0};
  uint32_t *descriptor = arguments->allocate(arguments->context, DESCRIPTOR);
  if (!descriptor)
    return og_error_in(arguments->diagnostics, NULL, "--arg %s: no memory", text);
  og_sampler_write(generation, &sampler, descriptor);
  hand_over(argument, text, descriptor);
  return true;
}
