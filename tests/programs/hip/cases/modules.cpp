// Code compiled while the program runs, loaded as a module.
#include <hip/hiprtc.h>
#include <string>
static const char source[] = R"(
__device__ int scale = 3;
template <typename T> __global__ void times(T *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= scale;
}
extern "C" __global__ void plain(int *data, char c, double d, int n) {
  if (threadIdx.x < n) data[threadIdx.x] = c + (int)(d * threadIdx.x);
}
)";

CASE(source_is_compiled_and_run) {
  hiprtcProgram program;
  EXPECT(hiprtcCreateProgram(&program, source, "source.cu", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  EXPECT(hiprtcAddNameExpression(program, "times<float>") == HIPRTC_SUCCESS);
  hipDeviceProp_t properties;
  GOOD(hipGetDeviceProperties(&properties, 0));
  std::string option = std::string("--offload-arch=") + properties.gcnArchName;
  const char *options[] = {option.c_str()};
  hiprtcResult result = hiprtcCompileProgram(program, 1, options);
  if (result != HIPRTC_SUCCESS) {
    size_t size;
    hiprtcGetProgramLogSize(program, &size);
    std::string text(size, 0);
    hiprtcGetProgramLog(program, &text[0]);
    printf("%s\n", text.c_str());
  }
  EXPECT(result == HIPRTC_SUCCESS);
  size_t size;
  EXPECT(hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS);
  std::vector<char> code(size);
  EXPECT(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
  const char *name;
  EXPECT(hiprtcGetLoweredName(program, "times<float>", &name) == HIPRTC_SUCCESS);
  hipModule_t module;
  hipFunction_t times, plain;
  GOOD(hipModuleLoadData(&module, code.data()));
  GOOD(hipModuleGetFunction(&times, module, name));
  GOOD(hipModuleGetFunction(&plain, module, "plain"));
  EXPECT(hipModuleGetFunction(&plain, module, "no_such_kernel") == hipErrorNotFound);
  GOOD(hipModuleGetFunction(&plain, module, "plain"));
  hipDeviceptr_t scale;
  size_t scale_size;
  GOOD(hipModuleGetGlobal(&scale, &scale_size, module, "scale"));
  int four = 4, n = 100;
  GOOD(hipMemcpyHtoD(scale, &four, scale_size));

  on_device<float> data(std::vector<float>(100, 2.5f));
  void *arguments[] = {&data.data, &n};
  GOOD(hipModuleLaunchKernel(times, 1, 1, 1, 128, 1, 1, 0, 0, arguments, nullptr));
  for (float x : data.read())
    EXPECT(x == 10);

  on_device<int> out(32);
  struct {
    int *data;
    char c;
    double d;
    int n;
  } packed = {out.data, 5, 1.5, 32};
  size_t packed_size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &packed_size,
                   HIP_LAUNCH_PARAM_END};
  GOOD(hipModuleLaunchKernel(plain, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, extra));
  std::vector<int> got = out.read();
  for (int i = 0; i < 32; i++)
    EXPECT(got[i] == 5 + (int)(1.5 * i));
  GOOD(hipModuleUnload(module));
  EXPECT(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
}

CASE(source_with_errors_is_told) {
  hiprtcProgram program;
  EXPECT(hiprtcCreateProgram(&program, "__global__ void k() { undefined_name(); }", "bad.cu", 0, nullptr, nullptr) ==
         HIPRTC_SUCCESS);
  EXPECT(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
  size_t size;
  EXPECT(hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS);
  std::string text(size, 0);
  EXPECT(hiprtcGetProgramLog(program, &text[0]) == HIPRTC_SUCCESS);
  EXPECT(text.find("undefined_name") != std::string::npos);
  EXPECT(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
}
