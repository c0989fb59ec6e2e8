/* buffer_format.c - looking up what buffer_formats.def lists. */
#include "texel/buffer_format.h"

#define COUNT_ARGUMENTS(...) (sizeof((uint8_t[]){__VA_ARGS__}))
#define DATA(value, id, ...) \
  [value] = {"BUF_DATA_FORMAT_" #id, (value) % 15 == 0 ? 0 : COUNT_ARGUMENTS(__VA_ARGS__), {__VA_ARGS__}},
static const struct og_data_format data_formats[] = {
#include "texel/buffer_formats.def"
};
#undef DATA

#define NUMBER(value, id, name) [value] = {"BUF_NUM_FORMAT_" #id, "BUF_NUM_FORMAT_" #name},
static const struct {
  const char *old, *name;
} number_formats[] = {
#include "texel/buffer_formats.def"
};
#undef NUMBER

#define DATA(value, id, ...) DATA_##id = value,
enum {
#include "texel/buffer_formats.def"
};
#undef DATA

#define UNIFIED(value, data, number) [value] = {"BUF_FMT_" #data "_" #number, DATA_##data, OG_NUMBER_##number},
#define INVALID [0] = {"BUF_FMT_INVALID", DATA_INVALID, OG_NUMBER_UNORM},
static const struct og_buffer_format gfx11_formats[] = {
    INVALID
#include "texel/buffer_formats.def"
};
#define GFX10
static const struct og_buffer_format gfx10_formats[] = {
    INVALID
#include "texel/buffer_formats.def"
};

struct og_buffer_format og_buffer_format(enum og_generation generation, unsigned value) {
  if (generation < OG_GFX10_1)
    return (struct og_buffer_format){NULL, value & 15, value >> 4 & 7};
  const struct og_buffer_format *formats = generation >= OG_GFX11 ? gfx11_formats : gfx10_formats;
  size_t count = generation >= OG_GFX11 ? OG_COUNT(gfx11_formats) : OG_COUNT(gfx10_formats);
  return value < count ? formats[value] : (struct og_buffer_format){0};
}

int og_buffer_format_value(enum og_generation generation, unsigned data, unsigned number) {
  if (generation < OG_GFX10_1)
    return (int)(data | number << 4);
  for (unsigned value = 0; value < OG_COUNT(gfx10_formats); value++) {
    struct og_buffer_format format = og_buffer_format(generation, value);
    if (format.name && format.data == data && format.number == number)
      return (int)value;
  }
  return -1;
}

const struct og_data_format *og_data_format(unsigned data) {
  return data < OG_COUNT(data_formats) ? &data_formats[data] : NULL;
}

const struct og_data_format *og_even_data_format(unsigned bits, unsigned count) {
  for (size_t i = 0; i < OG_COUNT(data_formats); i++) {
    const struct og_data_format *layout = &data_formats[i];
    if (layout->count == count && count && layout->bits[0] == bits && layout->bits[count - 1] == bits)
      return layout;
  }
  return NULL;
}

const char *og_number_format_name(enum og_generation generation, unsigned number) {
  if (number >= OG_COUNT(number_formats))
    return NULL;
  return generation >= OG_GFX8 ? number_formats[number].name : number_formats[number].old;
}
