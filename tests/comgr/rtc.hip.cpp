// Compiles a kernel `answer` with hipRTC and prints what it stores: rtc SOURCE [OPTION]... HEADER in the environment is the
// text of a header "value.h".
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <iterator>
#include <string>
#include <vector>

static int run(const std::vector<char> &code) {
  hipModule_t module;
  hipFunction_t function;
  int *out, value = -1;
  if (hipModuleLoadData(&module, code.data()) || hipModuleGetFunction(&function, module, "answer") || hipMalloc(&out, 4))
    return 2;
  void *arguments[] = {&out};
  if (hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) ||
      hipMemcpy(&value, out, 4, hipMemcpyDeviceToHost))
    return 3;
  printf("%d\n", value);
  return 0;
}

int main(int argc, char **argv) {
  std::ifstream file(argv[1]);
  std::string source{std::istreambuf_iterator<char>(file), {}};
  const char *header = getenv("HEADER"), *name = "value.h";
  hiprtcProgram program;
  hiprtcCreateProgram(&program, source.c_str(), "kernel.hip", header ? 1 : 0, &header, &name);
  if (hiprtcCompileProgram(program, argc - 2, (const char **)argv + 2) != HIPRTC_SUCCESS)
    return puts("not compiled"), 1;
  size_t size;
  hiprtcGetCodeSize(program, &size);
  std::vector<char> code(size);
  hiprtcGetCode(program, code.data());
  return run(code);
}
