/* opencl_host.c - runs one OpenCL kernel on the first OpenCL platform (PoCL in the tests), with the arguments spelt as
   `offgrid run` spells them, so that the two can be compared file by file and clock by clock.
   usage: opencl_host FILE.cl --kernel NAME --grid X[,Y[,Z]] --group X[,Y[,Z]] [--offset X[,Y[,Z]]] [--arg A]...
                      [--options "-cl-..."] [--repeat N] [--stats]
   --stats prints the seconds of each dispatch, from enqueueing to its end. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct argument {
  cl_mem buffer;
  size_t size;
  const char *written_to; /* file for the buffer's contents afterwards, or NULL */
};

static void fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("opencl_host: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(1);
}

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS)
    fail("%s: error %d", what, status);
}

static char *read_whole(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fail("cannot open %s", path);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *data = calloc(1, *size + 1);
  if (fread(data, 1, *size, file) != *size)
    fail("cannot read %s", path);
  fclose(file);
  return data;
}

static cl_uint parse_extent(const char *text, size_t extent[3]) {
  cl_uint count = 0;
  for (char *end; count < 3; text = end + 1) {
    extent[count++] = strtoull(text, &end, 0);
    if (*end != ',')
      break;
  }
  return count;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

static void set_buffer(cl_context context, cl_kernel kernel, cl_uint index, size_t size, void *data,
                       struct argument *argument) {
  cl_int status;
  cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  argument->size = size;
  argument->buffer = clCreateBuffer(context, flags, size ? size : 1, data, &status);
  check(status, "clCreateBuffer");
  set(kernel, index, sizeof argument->buffer, &argument->buffer);
}

/* Integers and floats of every width; false when `text` is no scalar. */
static bool set_scalar(cl_kernel kernel, cl_uint index, const char *text) {
  char kind = text[0], *end;
  unsigned long bits = strtoul(text + 1, &end, 10);
  if ((kind != 'i' && kind != 'u' && kind != 'f') || *end != ':' || end == text + 1)
    return false;
  const char *value = end + 1;
  uint64_t integer = kind == 'i' ? (uint64_t)strtoll(value, NULL, 0) : kind == 'u' ? strtoull(value, NULL, 0) : 0;
  if (kind == 'f' && bits == 32) {
    float number = strtof(value, NULL);
    memcpy(&integer, &number, sizeof number);
  } else if (kind == 'f') {
    double number = strtod(value, NULL);
    memcpy(&integer, &number, sizeof number);
  }
  set(kernel, index, bits / 8, &integer);
  return true;
}

static void set_struct(cl_kernel kernel, cl_uint index, const char *hex) {
  uint8_t bytes[4096] = {0};
  size_t size = strlen(hex) / 2;
  for (size_t i = 0; i < size && i < sizeof bytes; i++)
    sscanf(hex + 2 * i, "%2hhx", &bytes[i]);
  set(kernel, index, size, bytes);
}

static void set_argument(cl_context context, cl_kernel kernel, cl_uint index, char *text, struct argument *argument) {
  size_t size = 0;
  if (strncmp(text, "buf:", 4) == 0) {
    size = strtoull(text + 4, NULL, 0);
    set_buffer(context, kernel, index, size, calloc(1, size + 1), argument);
  } else if (strncmp(text, "in:", 3) == 0) {
    void *data = read_whole(text + 3, &size);
    set_buffer(context, kernel, index, size, data, argument);
  } else if (strncmp(text, "inout:", 6) == 0) {
    void *data = read_whole(text + 6, &size);
    set_buffer(context, kernel, index, size, data, argument);
    argument->written_to = text + 6;
  } else if (strncmp(text, "out:", 4) == 0) {
    char *colon = strrchr(text, ':');
    *colon = 0;
    size = strtoull(colon + 1, NULL, 0);
    set_buffer(context, kernel, index, size, calloc(1, size + 1), argument);
    argument->written_to = text + 4;
  } else if (strncmp(text, "lds:", 4) == 0) {
    set(kernel, index, strtoull(text + 4, NULL, 0), NULL);
  } else if (strncmp(text, "struct:", 7) == 0) {
    set_struct(kernel, index, text + 7);
  } else if (!set_scalar(kernel, index, text)) {
    fail("argument '%s' is of no known kind", text);
  }
}

static cl_kernel build(cl_context context, cl_device_id device, const char *path, const char *options,
                       const char *name) {
  size_t size;
  cl_int status;
  const char *source = read_whole(path, &size);
  cl_program program = clCreateProgramWithSource(context, 1, &source, &size, &status);
  check(status, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fail("%s does not build:\n%s", path, log);
  }
  cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, "clCreateKernel");
  return kernel;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  const char *path = NULL, *name = NULL, *options = "";
  char *texts[64];
  size_t grid[3] = {1, 1, 1}, group[3] = {1, 1, 1}, offset[3] = {0, 0, 0};
  cl_uint dimensions = 1, count = 0, repeat = 1;
  bool stats = false, has_offset = false;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--", 2) != 0) {
      path = argv[i];
    } else if (strcmp(argv[i], "--stats") == 0) {
      stats = true;
    } else if (i + 1 == argc) {
      fail("%s needs a value", argv[i]);
    } else {
      const char *option = argv[i];
      char *value = argv[++i];
      if (strcmp(option, "--kernel") == 0)
        name = value;
      else if (strcmp(option, "--grid") == 0)
        dimensions = parse_extent(value, grid);
      else if (strcmp(option, "--group") == 0)
        parse_extent(value, group);
      else if (strcmp(option, "--offset") == 0)
        parse_extent(value, offset), has_offset = true;
      else if (strcmp(option, "--arg") == 0 && count < 64)
        texts[count++] = value;
      else if (strcmp(option, "--options") == 0)
        options = value;
      else if (strcmp(option, "--repeat") == 0)
        repeat = (cl_uint)atoi(value);
      else
        fail("no option %s", option);
    }
  }
  if (!path || !name)
    fail("a file and --kernel are needed");

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  cl_kernel kernel = build(context, device, path, options, name);
  struct argument arguments[64] = {0};
  for (cl_uint i = 0; i < count; i++)
    set_argument(context, kernel, i, texts[i], &arguments[i]);

  for (cl_uint i = 0; i < repeat; i++) {
    double start = now();
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, has_offset ? offset : NULL, grid, group, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    if (stats)
      printf("%.9f\n", now() - start);
  }

  for (cl_uint i = 0; i < count; i++) {
    if (!arguments[i].written_to)
      continue;
    void *data = calloc(1, arguments[i].size + 1);
    check(clEnqueueReadBuffer(queue, arguments[i].buffer, CL_TRUE, 0, arguments[i].size, data, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    FILE *file = fopen(arguments[i].written_to, "wb");
    if (!file || fwrite(data, 1, arguments[i].size, file) != arguments[i].size || fclose(file) != 0)
      fail("cannot write %s", arguments[i].written_to);
    free(data);
  }
  return 0;
}
