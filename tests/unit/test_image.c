/* Images: what resources say, and loads, stores, atomics, samples and gathers of every generation that has them,
 * against formulas written here. Instructions come from the assembler. */
#include "assembled_fixture.h"

#include "texel/image.h"

#include <math.h>

#include "base/floats.h"

enum { WIDTH = 13, HEIGHT = 7, LAYERS = 5 };

static const char *const processors[] = {"gfx700", "gfx803", "gfx900", "gfx906", "gfx1010", "gfx1030", "gfx1100",
                                         "gfx1150", "gfx1200"};

static struct og_texel_format format_of(unsigned bits0, unsigned count, unsigned number) {
  for (unsigned value = 0; value < 64; value++) {
    uint32_t words[8] = {1, value << 20 | number << 26, 0, 8u << 28, 0, 0, 0, 0};
    struct og_image image;
    og_image_read(OG_GFX900, words, false, &image);
    const struct og_data_format *layout = image.format.layout;
    if (layout && layout->count == count && layout->bits[0] == bits0 && image.format.number == number)
      return image.format;
  }
  fail_msg("no format of %u components of %u bits", count, bits0);
  return (struct og_texel_format){0};
}

static struct og_image image_of(unsigned type, struct og_texel_format format) {
  struct og_image image = {.base = (uintptr_t)memory, .type = (uint8_t)type, .width = WIDTH, .height = 1, .depth = 1,
                           .levels = 1, .select = {4, 5, 6, 7}, .format = format};
  if (type != OG_IMAGE_1D && type != OG_IMAGE_1D_ARRAY)
    image.height = HEIGHT;
  if (type == OG_IMAGE_3D)
    image.depth = LAYERS;
  if (og_image_is_array(type))
    image.first_layer = 1, image.last_layer = LAYERS;
  if (generation < OG_GFX10_1)
    image.pitch = 16;
  return image;
}

static void put_image(const struct og_image *image) {
  assert_true(og_image_write(generation, image, &wave->s[S_IMAGE]));
}

static uint64_t row_bytes(const struct og_image *image) {
  uint64_t bytes = og_texel_bytes(image->format);
  return generation < OG_GFX10_1 ? image->pitch * bytes : (image->width * bytes + 255) / 256 * 256;
}

/* Where a texel of level 0 is, by the text of docs/exactness.md. */
static uint8_t *texel_at(const struct og_image *image, unsigned x, unsigned y, unsigned z) {
  return memory + (z * image->height + y) * row_bytes(image) + x * og_texel_bytes(image->format);
}

/* "dim:SQ_RSRC_IMG_2D" from gfx10 on, "unorm" where integers are coordinates, "da" before. */
static const char *tail_of(unsigned type) {
  static char text[80];
  static const char *const names[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
  if (generation >= OG_GFX10_1)
    snprintf(text, sizeof text, "dim:SQ_RSRC_IMG_%s%s", names[type & 7], generation < OG_GFX12 ? " unorm" : "");
  else
    snprintf(text, sizeof text, "unorm%s", og_image_is_array(type) ? " da" : "");
  return text;
}

static const char *addresses(unsigned count) {
  static char text[40];
  if (generation >= OG_GFX12 && count > 1)
    snprintf(text, sizeof text, count == 2 ? "[v0, v1]" : count == 3 ? "[v0, v1, v2]" : "[v0, v1, v2, v3]");
  else
    snprintf(text, sizeof text, count == 1 ? "v0" : "v[0:%u]", count - 1);
  return text;
}

/* ---- resources --------------------------------------------------------------------------------------------------- */

static void resources_read_what_was_written(void **state) {
  (void)state;
  for (size_t p = 0; p < OG_COUNT(processors); p++)
    for (unsigned type = OG_IMAGE_1D; type <= OG_IMAGE_2D_ARRAY; type++) {
      use(processors[p]);
      struct og_image image = image_of(type, format_of(8, 4, OG_NUMBER_SRGB)), same;
      put_image(&image);
      assert_null(og_image_read(generation, &wave->s[S_IMAGE], false, &same));
      assert_memory_equal(&same.select, &image.select, 4);
      assert_true(same.base == image.base && same.type == type && same.width == WIDTH && same.height == image.height &&
                  same.depth == image.depth && same.first_layer == image.first_layer &&
                  same.last_layer == image.last_layer && same.format.layout == image.format.layout &&
                  same.format.number == OG_NUMBER_SRGB && same.levels == 1);
      struct og_sampler sampler = {.clamp = {1, 2, 6}, .compare = 3, .min_lod = 0.5f, .max_lod = 3.25f,
                                   .lod_bias = -1.5f, .mag = 1, .mip = 2, .border = OG_BORDER_WHITE}, back;
      og_sampler_write(generation, &sampler, &wave->s[S_SAMPLER]);
      back = og_sampler_read(generation, &wave->s[S_SAMPLER]);
      assert_memory_equal(&back, &sampler, sizeof back);
    }
}

/* ---- loads and stores -------------------------------------------------------------------------------------------- */

static double srgb(double x) { return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4); }

struct known {
  unsigned bits0, count, number, bytes;
  void (*decode)(const uint8_t *bytes, uint32_t out[4]);
};

static uint32_t word_of(double x) { return og_bits_of_float((float)x); }
static void unorm8x4(const uint8_t *b, uint32_t o[4]) { for (int i = 0; i < 4; i++) o[i] = word_of(b[i] / 255.0); }
static void snorm8(const uint8_t *b, uint32_t o[4]) { o[0] = word_of(fmax((int8_t)b[0] / 127.0, -1)); }
static void uint8x2(const uint8_t *b, uint32_t o[4]) { o[0] = b[0], o[1] = b[1]; }
static void sint16x4(const uint8_t *b, uint32_t o[4]) {
  for (int i = 0; i < 4; i++)
    o[i] = (uint32_t)(int16_t)og_load16(b + 2 * i);
}
static void float32x4(const uint8_t *b, uint32_t o[4]) { memcpy(o, b, 16); }
static void half2(const uint8_t *b, uint32_t o[4]) {
  for (int i = 0; i < 2; i++)
    o[i] = og_bits_of_float(og_half_to_float(og_load16(b + 2 * i)));
}
static void srgb8x4(const uint8_t *b, uint32_t o[4]) {
  for (int i = 0; i < 4; i++)
    o[i] = word_of(i < 3 ? srgb(b[i] / 255.0) : b[i] / 255.0);
}
static void rgb565(const uint8_t *b, uint32_t o[4]) {
  unsigned w = og_load16(b);
  o[0] = word_of((w & 31) / 31.0), o[1] = word_of((w >> 5 & 63) / 63.0), o[2] = word_of((w >> 11) / 31.0);
}
static void shared(const uint8_t *b, uint32_t o[4]) {
  uint32_t w = og_load32(b);
  for (int i = 0; i < 3; i++)
    o[i] = word_of((w >> 9 * i & 511) * pow(2, (int)(w >> 27) - 24));
  o[3] = word_of(1);
}

static const struct known known[] = {
    {8, 4, OG_NUMBER_UNORM, 4, unorm8x4}, {8, 1, OG_NUMBER_SNORM, 1, snorm8}, {8, 2, OG_NUMBER_UINT, 2, uint8x2},
    {16, 4, OG_NUMBER_SINT, 8, sint16x4}, {32, 4, OG_NUMBER_FLOAT, 16, float32x4}, {16, 2, OG_NUMBER_FLOAT, 4, half2},
    {8, 4, OG_NUMBER_SRGB, 4, srgb8x4},   {5, 3, OG_NUMBER_UNORM, 2, rgb565},     {9, 4, OG_NUMBER_FLOAT, 4, shared},
};

static bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

static void loads_have_the_formats_values(void **state) {
  (void)state;
  for (size_t p = 0; p < OG_COUNT(processors); p++)
    for (size_t f = 0; f < OG_COUNT(known); f++) {
      use(processors[p]);
      struct og_image image = image_of(OG_IMAGE_2D, format_of(known[f].bits0, known[f].count, known[f].number));
      put_image(&image);
      for (unsigned lane = 0; lane < target.wave_size; lane++)
        wave->v[0][lane] = lane % (WIDTH + 1), wave->v[1][lane] = lane % (HEIGHT + 1);
      char text[200];
      snprintf(text, sizeof text, "image_load v[20:23], %s, s[8:15] dmask:0xf %s", addresses(2), tail_of(OG_IMAGE_2D));
      run(text);
      for (unsigned lane = 0; lane < target.wave_size; lane++) {
        uint32_t want[4] = {0};
        unsigned x = lane % (WIDTH + 1), y = lane % (HEIGHT + 1);
        if (x < WIDTH && y < HEIGHT)
          known[f].decode(texel_at(&image, x, y, 0), want);
        for (unsigned i = 0; i < 4; i++) {
          uint32_t got = wave->v[V_DATA + i][lane];
          if (got != want[i] && !(is_nan(got) && is_nan(want[i])))
            fail_msg("%s format %zu lane %u component %u: %08x, not %08x", processors[p], f, lane, i, got, want[i]);
        }
      }
    }
}

static void stores_write_one_texel_and_keep_to_the_image(void **state) {
  (void)state;
  for (size_t p = 0; p < OG_COUNT(processors); p++)
    for (unsigned type = OG_IMAGE_1D; type <= OG_IMAGE_2D_ARRAY; type++) {
      if (type == OG_IMAGE_CUBE)
        continue;
      use(processors[p]);
      struct og_image image = image_of(type, format_of(32, 2, OG_NUMBER_UINT));
      bool layered = og_image_is_array(type);
      unsigned coordinates = type == OG_IMAGE_1D ? 1 : type == OG_IMAGE_2D || type == OG_IMAGE_1D_ARRAY ? 2 : 3;
      unsigned third = type == OG_IMAGE_1D_ARRAY ? 1 : 2;
      put_image(&image);
      uint8_t *want = malloc(MEMORY);
      memcpy(want, memory, MEMORY);
      for (unsigned lane = 0; lane < target.wave_size; lane++) {
        unsigned at[3] = {draw() % (WIDTH + 2), coordinates > 1 && third != 1 ? draw() % (HEIGHT + 2) : 0, 0};
        if (type == OG_IMAGE_3D || layered)
          at[2] = draw() % (LAYERS + 2);
        wave->v[0][lane] = at[0];
        wave->v[1][lane] = third == 1 ? at[2] : at[1];
        wave->v[2][lane] = at[2];
        wave->v[V_DATA][lane] = lane + 1, wave->v[V_DATA + 1][lane] = draw();
        if (at[0] >= WIDTH || at[1] >= image.height || at[2] >= (type == OG_IMAGE_3D || layered ? LAYERS : 1))
          continue;
        uint8_t *to = want + (texel_at(&image, at[0], at[1], at[2] + image.first_layer) - memory);
        og_store32(to, wave->v[V_DATA][lane]);
        og_store32(to + 4, wave->v[V_DATA + 1][lane]);
      }
      char text[200];
      snprintf(text, sizeof text, "image_store v[20:21], %s, s[8:15] dmask:0x3 %s", addresses(coordinates),
               tail_of(type));
      run(text);
      if (memcmp(want, memory, MEMORY) != 0)
        fail_msg("%s type %u", processors[p], type);
      free(want);
    }
}

static void atomics_yield_the_old_value(void **state) {
  (void)state;
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    use(processors[p]);
    struct og_image image = image_of(OG_IMAGE_2D, format_of(32, 1, OG_NUMBER_UINT));
    put_image(&image);
    uint32_t before = og_load32(texel_at(&image, 2, 3, 0));
    for (unsigned lane = 0; lane < target.wave_size; lane++)
      wave->v[0][lane] = 2, wave->v[1][lane] = 3, wave->v[V_DATA][lane] = 5;
    char text[200];
    snprintf(text, sizeof text, "%s v20, %s, s[8:15] dmask:0x1 %s %s",
             generation >= OG_GFX12 ? "image_atomic_add_uint" : "image_atomic_add", addresses(2), tail_of(OG_IMAGE_2D),
             generation >= OG_GFX12 ? "th:TH_ATOMIC_RETURN" : "glc");
    run(text);
    for (unsigned lane = 0; lane < target.wave_size; lane++)
      assert_int_equal(wave->v[V_DATA][lane], before + 5 * lane);
    assert_int_equal(og_load32(texel_at(&image, 2, 3, 0)), before + 5 * target.wave_size);
  }
}

static void sizes_are_told_by_level(void **state) {
  (void)state;
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    use(processors[p]);
    struct og_image image = image_of(OG_IMAGE_2D_ARRAY, format_of(8, 1, OG_NUMBER_UNORM));
    if (generation >= OG_GFX900)
      image.levels = 3, image.last_level = 2;
    put_image(&image);
    wave->v[0][1] = 1, wave->v[0][2] = 9;
    char text[200];
    snprintf(text, sizeof text, "image_get_resinfo v[20:23], v0, s[8:15] dmask:0xf %s", tail_of(OG_IMAGE_2D_ARRAY));
    run(text);
    uint32_t levels = image.levels, first[4] = {WIDTH, HEIGHT, LAYERS, levels};
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(wave->v[V_DATA + i][0], first[i]);
      assert_int_equal(wave->v[V_DATA + i][2], i == 3 ? levels : 0);
    }
    assert_int_equal(wave->v[V_DATA][1], levels > 1 ? WIDTH / 2 : 0);
  }
}

/* The middle level of three: below level 0 on gfx9, before it from gfx10 on. */
static void levels_lie_where_the_generation_puts_them(void **state) {
  (void)state;
  for (size_t p = 2; p < OG_COUNT(processors); p++) {
    use(processors[p]);
    struct og_image image = image_of(OG_IMAGE_2D, format_of(32, 1, OG_NUMBER_UINT));
    image.levels = 3, image.last_level = 2;
    put_image(&image);
    wave->v[0][0] = 4, wave->v[1][0] = 2, wave->v[2][0] = 1;
    char text[200];
    snprintf(text, sizeof text, "image_load_mip v20, %s, s[8:15] dmask:0x1 %s", addresses(3), tail_of(OG_IMAGE_2D));
    run(text);
    uint64_t at = generation < OG_GFX10_1 ? (HEIGHT + 2) * row_bytes(&image) + 16 : 256 + 2 * 256 + 16;
    assert_int_equal(wave->v[V_DATA][0], og_load32(memory + at));
  }
}

/* ---- tiles and samples ------------------------------------------------------------------------------------------- */

/* What is stored at each place of an image in tiles is found where its order says, and loaded again. Elements of 4
 * bytes; all of the image is in one tile of a slice or slab. */
static void tiled_images_are_read_and_written(void **state) {
  (void)state;
  static const struct {
    const char *processor;
    uint8_t mode, type, log_samples, bits, slices; /* of a slab */
    const char *order;
  } rows[] = {
      {"gfx900", 9, OG_IMAGE_2D_ARRAY, 0, 16, 1, "x0x1y0y1y2x2y3x3"},
      {"gfx906", 10, OG_IMAGE_2D, 0, 16, 1, "x0x1y0x2y1y2y3x3"},
      {"gfx900", 9, OG_IMAGE_3D, 0, 16, 16, "x0x1y0y1z0z1y2x2z2y3x3z3"},
      {"gfx1010", 9, OG_IMAGE_2D, 0, 16, 1, "x0x1y0y1y2x2y3x3"},
      {"gfx1030", 10, OG_IMAGE_2D_ARRAY, 0, 16, 1, "x0x1y0y1y2x2y3x3"},
      {"gfx1100", 6, OG_IMAGE_2D_ARRAY, 0, 12, 1, "x0y0x1y1x2y2y3x3"},
      {"gfx1200", 3, OG_IMAGE_2D_ARRAY, 0, 16, 1, "x0y0x1y1x2y2y3x3"},
      {"gfx1200", 6, OG_IMAGE_3D, 0, 16, 16, "x0y0x1z0y1z1y2x2z2y3x3z3"},
      {"gfx1200", 3, OG_IMAGE_2D_MSAA, 2, 16, 1, "s0s1x0y0x1y1y2x2y3x3"},
      {"gfx1200", 3, OG_IMAGE_2D_MSAA_ARRAY, 1, 16, 1, "s0x0y0x1y1x2y2x3y3"},
  };
  for (size_t r = 0; r < OG_COUNT(rows); r++) {
    use(rows[r].processor);
    unsigned type = rows[r].type;
    bool layered = type == OG_IMAGE_2D_ARRAY || type == OG_IMAGE_2D_MSAA_ARRAY, is_3d = type == OG_IMAGE_3D;
    struct og_image image = image_of(OG_IMAGE_2D, format_of(32, 1, OG_NUMBER_UINT));
    image.type = (uint8_t)type, image.swizzle = rows[r].mode, image.log_samples = rows[r].log_samples;
    image.base = ((uintptr_t)memory + 0xffff) & ~0xffffull;
    image.last_layer = layered ? 3 : 0, image.depth = is_3d ? 5 : 1, image.pitch = 0;
    put_image(&image);
    bool has_samples = type >= OG_IMAGE_2D_MSAA;
    char text[160];
    uint32_t at[OG_LANES][4];
    for (unsigned lane = 0; lane < target.wave_size; lane++) {
      const unsigned most[4] = {WIDTH, HEIGHT, layered ? 4 : is_3d ? 5 : 1, 1u << rows[r].log_samples};
      for (unsigned i = 0; i < 4; i++)
        at[lane][i] = draw() % most[i];
      unsigned v = 0;
      for (unsigned i = 0; i < 4; i++)
        if (i < 2 || (i == 2 && (layered || is_3d)) || (i == 3 && has_samples))
          wave->v[v++][lane] = at[lane][i];
      /* The last one of equal places counts. */
      wave->v[V_DATA][lane] = at[lane][0] | at[lane][1] << 8 | at[lane][2] << 16 | at[lane][3] << 24;
    }
    unsigned count = 2 + (layered || is_3d) + has_samples;
    for (unsigned i = 0; i < 2; i++) {
      snprintf(text, sizeof text, "image_%s v%d, %s, s[%d:%d] dmask:0x1 %s", i ? "load" : "store", V_DATA + i,
               addresses(count), S_IMAGE, S_IMAGE + 7, tail_of(type));
      run(text);
    }
    for (unsigned lane = 0; lane < target.wave_size; lane++) {
      uint32_t offset = 0;
      for (unsigned i = 0; rows[r].order[2 * i]; i++) {
        char name = rows[r].order[2 * i];
        unsigned which = name == 's' ? 3 : (unsigned)(name - 'x');
        offset |= (at[lane][which] >> (rows[r].order[2 * i + 1] - '0') & 1) << (i + 2);
      }
      uint64_t place = image.base + ((uint64_t)(at[lane][2] / rows[r].slices) << rows[r].bits) + offset;
      assert_int_equal(og_load32((const void *)(uintptr_t)place), wave->v[V_DATA][lane]);
      assert_int_equal(wave->v[V_DATA + 1][lane], wave->v[V_DATA][lane]);
    }
  }
}

/* Four samples of one texel. */
static void samples_are_loaded_together(void **state) {
  (void)state;
  use("gfx1200");
  struct og_image image = image_of(OG_IMAGE_2D, format_of(8, 4, OG_NUMBER_UINT));
  image.type = OG_IMAGE_2D_MSAA, image.swizzle = 2, image.log_samples = 2,
  image.base = ((uintptr_t)memory + 0xffff) & ~0xffffull;
  put_image(&image);
  for (unsigned lane = 0; lane < target.wave_size; lane++)
    wave->v[0][lane] = lane % WIDTH, wave->v[1][lane] = lane / WIDTH, wave->v[2][lane] = lane % 2;
  char text[120];
  snprintf(text, sizeof text, "image_msaa_load v[%d:%d], [v0, v1, v2], s[%d:%d] dmask:0x4 dim:SQ_RSRC_IMG_2D_MSAA",
           V_DATA, V_DATA + 3, S_IMAGE, S_IMAGE + 7);
  run(text);
  for (unsigned lane = 0; lane < target.wave_size; lane++)
    for (unsigned i = 0; i < 4; i++) { /* 4 bytes, two bits of samples, then x and y in turn; then y and x */
      unsigned x = lane % WIDTH, y = lane / WIDTH, sample = lane % 2 + i;
      unsigned offset = sample << 2 | (x & 1) << 4 | (y & 1) << 5 | (x & 2) << 5 | (y & 2) << 6 | (y & 4) << 6 |
                        (x & 4) << 7 | (y & 8) << 7 | (x & 8) << 8;
      uint32_t want = sample < 4 ? *(const uint8_t *)(uintptr_t)(image.base + offset + 2) : 0;
      assert_int_equal(wave->v[V_DATA + i][lane], want);
    }
}

/* ---- compressed blocks ------------------------------------------------------------------------------------------- */

/* As gfx9's resources name it; BC6's signs stand in the number format. */
static struct og_texel_format block_format(unsigned data, unsigned number) {
  uint32_t words[8] = {1, data << 20 | number << 26, 0, 8u << 28, 0, 0, 0, 0};
  struct og_image image;
  og_image_read(OG_GFX900, words, false, &image);
  return image.format;
}

static void compressed_images_are_decoded(void **state) {
  (void)state;
  static const struct {
    unsigned data, number;
  } rows[] = {{35, OG_NUMBER_UNORM}, {35, OG_NUMBER_SRGB}, {36, OG_NUMBER_UNORM}, {36, OG_NUMBER_SRGB},
             {37, OG_NUMBER_UNORM},
              {37, OG_NUMBER_SRGB}, {38, OG_NUMBER_UNORM}, {38, OG_NUMBER_SNORM}, {39, OG_NUMBER_UNORM},
              {39, OG_NUMBER_SNORM},
              {40, OG_NUMBER_UNORM}, {40, OG_NUMBER_SNORM}, {41, OG_NUMBER_UNORM}, {41, OG_NUMBER_SRGB}};
  for (size_t p = 0; p < OG_COUNT(processors); p++)
    for (size_t r = 0; r < OG_COUNT(rows); r++) {
      use(processors[p]);
      struct og_image image = image_of(OG_IMAGE_2D, block_format(rows[r].data, rows[r].number));
      unsigned bytes = rows[r].data == 35 || rows[r].data == 38 ? 8 : 16, blocks = (WIDTH + 3) / 4;
      unsigned row = generation >= OG_GFX10_1 ? 256 : bytes * blocks;
      image.pitch = generation < OG_GFX900 ? 4 * blocks : generation < OG_GFX10_1 ? blocks : 0;
      put_image(&image);
      char text[160];
      unsigned x[OG_LANES], y[OG_LANES];
      for (unsigned lane = 0; lane < target.wave_size; lane++) {
        wave->v[0][lane] = x[lane] = draw() % WIDTH, wave->v[1][lane] = y[lane] = draw() % HEIGHT;
      }
      snprintf(text, sizeof text, "image_load v[%d:%d], %s, s[%d:%d] dmask:0xf %s", V_DATA, V_DATA + 3, addresses(2),
               S_IMAGE, S_IMAGE + 7, tail_of(OG_IMAGE_2D));
      run(text);
      for (unsigned lane = 0; lane < target.wave_size; lane++) {
        double want[4];
        og_block_unpack((enum og_block)(rows[r].data - 34), rows[r].number == OG_NUMBER_SNORM,
                        memory + y[lane] / 4 * row + x[lane] / 4 * bytes, y[lane] % 4 * 4 + x[lane] % 4, want);
        for (unsigned i = 0; i < 4; i++) {
          double value = rows[r].number == OG_NUMBER_SRGB && i < 3 ? srgb(want[i]) : want[i];
          uint32_t got = wave->v[V_DATA + i][lane];
          if (got != word_of(value))
            fail_msg("%s, format %u.%u, %u,%u component %u: %08x, not %a", target.processor->name, rows[r].data,
                     rows[r].number, x[lane], y[lane], i, got, value);
        }
      }
    }
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static int64_t wrapped(int64_t i, int64_t n, unsigned clamp) {
  while (clamp == OG_CLAMP_WRAP && i < 0)
    i += n;
  if (clamp == OG_CLAMP_WRAP)
    return i % n;
  if (clamp == OG_CLAMP_MIRROR) {
    while (i < 0 || i >= n)
      i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
  }
  if (clamp == OG_CLAMP_LAST)
    return i < 0 ? 0 : i >= n ? n - 1 : i;
  return i < 0 || i >= n ? -1 : i; /* border */
}

static double texel_value(const struct og_image *image, int64_t x, int64_t y) {
  if (x < 0 || y < 0)
    return 0;
  return texel_at(image, (unsigned)x, (unsigned)y, 0)[0] / 255.0;
}

static double expected(const struct og_image *image, double u, double v, unsigned clamp, bool linear) {
  if (!linear)
    return texel_value(image, wrapped((int64_t)floor(u), WIDTH, clamp), wrapped((int64_t)floor(v), HEIGHT, clamp));
  int64_t x = (int64_t)floor(u - 0.5), y = (int64_t)floor(v - 0.5);
  double a = u - 0.5 - (double)x, b = v - 0.5 - (double)y, sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (i & 1 ? a : 1 - a) * (i & 2 ? b : 1 - b) *
           texel_value(image, wrapped(x + (i & 1), WIDTH, clamp), wrapped(y + (i >> 1), HEIGHT, clamp));
  return sum;
}

static void put_sampler(const struct og_sampler *sampler) {
  og_sampler_write(generation, sampler, &wave->s[S_SAMPLER]);
}

/* Coordinates at 256ths of a texel, where weights are exact. */
static void samples_are_filtered(void **state) {
  (void)state;
  static const uint8_t clamps[] = {OG_CLAMP_WRAP, OG_CLAMP_MIRROR, OG_CLAMP_LAST, OG_CLAMP_BORDER};
  for (size_t p = 0; p < OG_COUNT(processors); p++)
    for (unsigned way = 0; way < 8; way++) {
      use(processors[p]);
      bool linear = way & 1;
      uint8_t clamp = clamps[way / 2];
      struct og_image image = image_of(OG_IMAGE_2D, format_of(8, 1, OG_NUMBER_UNORM));
      struct og_sampler sampler = {.clamp = {clamp, clamp, clamp}, .unnormalized = true, .mag = linear, .min = linear,
                                   .max_lod = 15};
      put_image(&image);
      put_sampler(&sampler);
      double u[64], v[64];
      for (unsigned lane = 0; lane < target.wave_size; lane++) {
        u[lane] = ((int)(draw() % (40 * 256)) - 13 * 256) / 256.0;
        v[lane] = ((int)(draw() % (20 * 256)) - 7 * 256) / 256.0;
        wave->v[0][lane] = word_of(u[lane]), wave->v[1][lane] = word_of(v[lane]);
      }
      char text[200];
      snprintf(text, sizeof text, "image_sample_lz v20, %s, s[8:15], s[16:19] dmask:0x1%s", addresses(2),
               generation >= OG_GFX10_1 ? " dim:SQ_RSRC_IMG_2D" : "");
      run(text);
      for (unsigned lane = 0; lane < target.wave_size; lane++) {
        double want = expected(&image, u[lane], v[lane], clamp, linear);
        double got = og_float_of_bits(wave->v[V_DATA][lane]);
        if (fabs(got - want) > 1e-6)
          fail_msg("%s clamp %u linear %d at %f %f: %f, not %f", processors[p], clamp, linear, u[lane], v[lane], got,
                   want);
      }
    }
}

static void gathers_take_four_texels_of_one_component(void **state) {
  (void)state;
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    use(processors[p]);
    struct og_image image = image_of(OG_IMAGE_2D, format_of(8, 4, OG_NUMBER_UNORM));
    struct og_sampler sampler = {.clamp = {2, 2, 2}, .unnormalized = true, .max_lod = 15};
    put_image(&image);
    put_sampler(&sampler);
    wave->v[0][0] = word_of(4), wave->v[1][0] = word_of(3);
    char text[200];
    snprintf(text, sizeof text, "image_gather4_lz v[20:23], %s, s[8:15], s[16:19] dmask:0x2%s", addresses(2),
             generation >= OG_GFX10_1 ? " dim:SQ_RSRC_IMG_2D" : "");
    run(text);
    static const uint8_t x[4] = {3, 4, 4, 3}, y[4] = {3, 3, 2, 2};
    for (unsigned i = 0; i < 4; i++)
      assert_int_equal(wave->v[V_DATA + i][0], word_of(texel_at(&image, x[i], y[i], 0)[1] / 255.0));
  }
}

static void comparisons_count_texels_that_hold(void **state) {
  (void)state;
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    use(processors[p]);
    struct og_image image = image_of(OG_IMAGE_2D, format_of(32, 1, OG_NUMBER_FLOAT));
    struct og_sampler sampler = {.clamp = {2, 2, 2}, .compare = 1, .unnormalized = true, .mag = 1, .max_lod = 15};
    put_image(&image);
    put_sampler(&sampler);
    for (unsigned i = 0; i < 4; i++)
      og_store32(texel_at(&image, 4 + i % 2, 2 + i / 2, 0), word_of(i == 3 ? 0.25 : 0.75));
    wave->v[0][0] = word_of(0.5), wave->v[1][0] = word_of(5.25), wave->v[2][0] = word_of(3);
    char text[200];
    snprintf(text, sizeof text, "image_sample_c_lz v20, %s, s[8:15], s[16:19] dmask:0x1%s", addresses(3),
             generation >= OG_GFX10_1 ? " dim:SQ_RSRC_IMG_2D" : "");
    run(text);
    assert_int_equal(wave->v[V_DATA][0], word_of(1 - 0.75 * 0.5));
  }
}

static void unbound_resources_yield_zeros(void **state) {
  (void)state;
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    use(processors[p]);
    wave->v[V_DATA][0] = 1;
    char text[200];
    snprintf(text, sizeof text, "image_load v[20:23], %s, s[8:15] dmask:0xf %s", addresses(2), tail_of(OG_IMAGE_2D));
    run(text);
    assert_int_equal(wave->v[V_DATA][0], 0);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(resources_read_what_was_written), TEST(loads_have_the_formats_values),
      TEST(stores_write_one_texel_and_keep_to_the_image), TEST(atomics_yield_the_old_value),
      TEST(sizes_are_told_by_level), TEST(levels_lie_where_the_generation_puts_them), TEST(samples_are_filtered),
      TEST(gathers_take_four_texels_of_one_component), TEST(comparisons_count_texels_that_hold),
      TEST(unbound_resources_yield_zeros), TEST(compressed_images_are_decoded),
      TEST(tiled_images_are_read_and_written), TEST(samples_are_loaded_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
