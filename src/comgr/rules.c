/* rules.c - what is known to be harmless in an action's kind, options and surrounding. Whatever is in no list here
 * makes the action one that is not cached. */
#include "comgr/rules.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comgr/bitcode.h"
#include "comgr/comgr.h"
#include "comgr/object.h"
#include "comgr/source.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

bool og_comgr_is_worth_it(int kind) {
  static const enum comgr_action kinds[] = {
      COMGR_COMPILE_SOURCE_TO_BC,
      COMGR_LINK_BC_TO_BC,
      COMGR_OPTIMIZE_BC_TO_BC,
      COMGR_CODEGEN_BC_TO_RELOCATABLE,
      COMGR_CODEGEN_BC_TO_ASSEMBLY,
      COMGR_LINK_RELOCATABLE_TO_RELOCATABLE,
      COMGR_LINK_RELOCATABLE_TO_EXECUTABLE,
      COMGR_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC,
  };
  for (size_t i = 0; i < COUNT(kinds); i++)
    if ((int)kinds[i] == kind)
      return true;
  return false;
}

bool og_comgr_is_plain_surrounding(void) {
  /* Beginnings of variables of the environment. */
  static const char *const variables[] = {
      "AMD_COMGR_", "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=", "OBJC_INCLUDE_PATH=", "OBJCPLUS_INCLUDE_PATH=",
      "CCC_", "SOURCE_DATE_EPOCH=", "HIP_DEVICE_LIB_PATH=", "HIP_PATH=", "ROCM_PATH=", "LLVM_PATH=",
  };
  /* clang was not started by a path, so it takes the current folder for the one where it is installed. */
  static const char *const places[] = {
      "amdgcn", "lib/bitcode", "lib/clang", "lib/ocml.bc", "lib/ocml.amdgcn.bc", "../lib/amdgcn-amd-amdhsa",
  };
  for (size_t i = 0; i < COUNT(variables); i++)
    for (char **variable = environ; variable && *variable; variable++)
      if (strncmp(*variable, variables[i], strlen(variables[i])) == 0)
        return false;
  for (size_t i = 0; i < COUNT(places); i++)
    if (access(places[i], F_OK) == 0)
      return false;
  return true;
}

/* Options that name nothing outside, in alphabetical order; "*" stands for any ending. */
static const char *const plain_options[] = {
    "--gpu-max-threads-per-block=*", "--hip-version=*", "--offload-arch=*", "-O*", "-U*", "-Wall", "-Werror", "-Wextra",
    "-Wno-*", "-cl-*", "-fassociative-math", "-fdenormal-fp-math=*", "-ffast-math", "-ffinite-math-only",
    "-ffp-contract=*", "-fgpu-default-stream=*", "-fgpu-flush-denormals-to-zero", "-fgpu-rdc", "-finline-functions",
    "-fno-associative-math", "-fno-exceptions", "-fno-fast-math", "-fno-finite-math-only", "-fno-gpu-rdc",
    "-fno-math-errno", "-fno-signed-zeros", "-fno-slp-vectorize", "-fno-trapping-math", "-fno-unroll-loops",
    "-freciprocal-math", "-fsigned-zeros", "-fslp-vectorize", "-funroll-loops", "-m64", "-mcode-object-version=*",
    "-mcpu=*", "-mcumode", "-mno-cumode", "-mno-tgsplit", "-mno-unsafe-fp-atomics", "-mno-wavefrontsize64", "-mtgsplit",
    "-munsafe-fp-atomics", "-mwavefrontsize64", "-nogpuinc", "-nogpulib", "-pedantic", "-std=*", "-w",
    /* Of linking bitcode. */
    "code_object_v*", "correctly_rounded_sqrt", "daz_opt", "finite_only", "unsafe_math", "wavefrontsize64",
};

/* Options in two parts. */
static const struct {
  const char *first, *second;
} plain_pairs[] = {
    {"-Xclang", "-cl-ext=*"},
    {"-mllvm", "-amdgpu-early-inline-all*"},
    {"-mllvm", "-amdgpu-function-calls*"},
    {"-mllvm", "-amdgpu-internalize-symbols*"},
    {"-mllvm", "-amdgpu-prelink*"},
    {"-mllvm", "-inline-threshold=*"},
};

static bool matches(const char *text, const char *pattern) {
  const char *star = strchr(pattern, '*');
  return star ? strncmp(text, pattern, (size_t)(star - pattern)) == 0 : strcmp(text, pattern) == 0;
}

static bool is_plain(const char *option) {
  /* A definition may hold what a source may not. */
  if (strncmp(option, "-D", 2) == 0 && option[2])
    return og_comgr_is_plain_source((struct comgr_rest){option, strlen(option)}, (struct comgr_rest){0});
  for (size_t i = 0; i < COUNT(plain_options); i++)
    if (matches(option, plain_options[i]))
      return true;
  return false;
}

static bool is_plain_pair(const char *first, const char *second, struct comgr_rest set) {
  /* The current folder is looked at before the set. */
  if (strcmp(first, "-include") == 0)
    return og_comgr_is_included(second, strlen(second), set) && access(second, F_OK) != 0;
  for (size_t i = 0; i < COUNT(plain_pairs); i++)
    if (matches(first, plain_pairs[i].first) && matches(second, plain_pairs[i].second))
      return true;
  return false;
}

bool og_comgr_are_plain_options(struct comgr_rest options, struct comgr_rest set) {
  struct comgr_rest first, second;
  while (options.size) {
    if (!og_comgr_take_block(&options, &first))
      return false;
    if (!is_plain(first.bytes) &&
        (!og_comgr_take_block(&options, &second) || !is_plain_pair(first.bytes, second.bytes, set)))
      return false;
  }
  return true;
}

bool og_comgr_are_plain_objects(int kind, struct comgr_rest set) {
  bool generates = kind == COMGR_CODEGEN_BC_TO_RELOCATABLE || kind == COMGR_CODEGEN_BC_TO_ASSEMBLY;
  struct comgr_object object;
  for (struct comgr_rest rest = set; rest.size; ) {
    if (!og_comgr_take_object(&rest, &object))
      return false;
    if ((object.kind == COMGR_SOURCE || object.kind == COMGR_INCLUDE) && !og_comgr_is_plain_source(object.bytes, set))
      return false;
    if (generates && object.kind == COMGR_BC && !og_comgr_is_plain_bitcode(object.bytes))
      return false;
  }
  return true;
}
