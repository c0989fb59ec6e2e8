/* mandelbrot.c - assembles mandelbrot.s, runs it, writes a picture and tells how fast it went.
 * usage: mandelbrot examples/mandelbrot.s OUT.png */
#include "common.h"

#include <png.h>

enum { WIDTH = 1024, HEIGHT = 768, GROUP = 64 };

/* The kernel's explicit arguments, as its metadata lays them out. */
struct arguments {
  uint32_t *counts; /* iterations until escape, one per pixel */
  uint32_t width, iterations;
  float left, top, step;
};

enum { ITERATIONS = 256 };

/* Iterations to a colour: dark blue to gold, black inside. */
static void colour(uint32_t count, png_byte *rgb) {
  double t = (double)count / ITERATIONS, rest = 1 - t;
  rgb[0] = (png_byte)(count >= ITERATIONS ? 0 : 255 * 9 * rest * t * t * t);
  rgb[1] = (png_byte)(count >= ITERATIONS ? 0 : 255 * 15 * rest * rest * t * t);
  rgb[2] = (png_byte)(count >= ITERATIONS ? 0 : 40 + 215 * 8.5 * rest * rest * rest * t);
}

static bool write_picture(const char *path, const uint32_t *counts) {
  png_image image = {.version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGB};
  png_byte *pixels = malloc((size_t)WIDTH * HEIGHT * 3);
  for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
    colour(counts[i], pixels + 3 * i);
  int ok = png_image_write_to_file(&image, path, 0, pixels, 0, NULL);
  free(pixels);
  return ok;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s mandelbrot.s OUT.png\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_module *module = assemble_file(argv[1], diagnostics);
  og_device *device = og_device_new(module, diagnostics);
  check(diagnostics);
  uint32_t *counts = og_device_allocate(device, sizeof *counts * WIDTH * HEIGHT);
  struct arguments arguments = {counts, WIDTH, ITERATIONS, -2.2f, -1.2f, 3.2f / WIDTH};
  og_launch launch = {.kernel = "mandelbrot", .grid = {WIDTH, HEIGHT, 1}, .group = {GROUP, 1, 1},
                      .arguments = &arguments, .arguments_size = sizeof arguments};
  og_statistics statistics;
  og_device_run(device, &launch, &statistics, diagnostics);
  check(diagnostics);
  if (!write_picture(argv[2], counts)) {
    fprintf(stderr, "%s: cannot write\n", argv[2]);
    return 1;
  }
  printf("%s: %dx%d, %llu waves of 64, %.1f million wave instructions in %.3f s: %.1f million a second on one thread\n", argv[2],
         WIDTH, HEIGHT, (unsigned long long)statistics.waves, (double)statistics.wave_instructions / 1e6, statistics.seconds,
         (double)statistics.wave_instructions / 1e6 / statistics.seconds);
  og_device_free(device);
  og_module_free(module);
  og_diagnostics_free(diagnostics);
}
