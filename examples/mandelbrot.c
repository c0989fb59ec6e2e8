/* mandelbrot.c - assembles mandelbrot.s, runs it, writes a picture and tells how fast it went.
 * usage: mandelbrot examples/mandelbrot.s OUT.png */
#include "common.h"

#include <png.h>

enum { WIDTH = 1024, HEIGHT = 768, ITERATIONS = 256 };

/* The kernel's explicit arguments, as its metadata lays them out. */
struct arguments {
  uint8_t *pixels; /* red, green, blue, alpha */
  uint32_t width, height, iterations;
};

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s mandelbrot.s OUT.png\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_module *module = assemble_file(argv[1], diagnostics);
  og_device *device = og_device_new(module, diagnostics);
  check(diagnostics);
  uint8_t *pixels = og_device_allocate(device, (size_t)WIDTH * HEIGHT * 4);
  struct arguments arguments = {pixels, WIDTH, HEIGHT, ITERATIONS};
  og_launch launch = {.kernel = "mandelbrot", .grid = {WIDTH, HEIGHT, 1}, .group = {64, 4, 1},
                      .arguments = &arguments, .arguments_size = sizeof arguments};
  og_statistics statistics = {.info_size = sizeof statistics};
  og_device_run(device, &launch, &statistics, diagnostics);
  check(diagnostics);
  png_image image = {.version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGBA};
  if (!png_image_write_to_file(&image, argv[2], 0, pixels, 0, NULL)) {
    fprintf(stderr, "%s: %s\n", argv[2], image.message);
    return 1;
  }
  printf("%s: %dx%d, %llu waves of 64, %.1f million wave instructions in %.3f s: %.1f million a second on one thread\n",
         argv[2], WIDTH, HEIGHT, (unsigned long long)statistics.waves, (double)statistics.wave_instructions / 1e6,
         statistics.seconds, (double)statistics.wave_instructions / 1e6 / statistics.seconds);
  og_device_free(device);
  og_module_free(module);
  og_diagnostics_free(diagnostics);
}
