/* threads.c - compiles small OpenCL kernels on several threads with comgr, and looks for each one's constant in what
 * was made. The cache stands between, as it does for HIP. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comgr/comgr.h"

enum { THREADS = 6, ROUNDS = 6, SOURCES = 4, EXECUTABLE = 8, OPENCL_1_2 = 1, ADD_PRECOMPILED_HEADERS = 1 };

int amd_comgr_create_action_info(amd_comgr_action_info_t *info);
int amd_comgr_action_info_set_language(amd_comgr_action_info_t info, int language);
int amd_comgr_action_info_set_option_list(amd_comgr_action_info_t info, const char *options[], size_t count);
int amd_comgr_create_data_set(amd_comgr_data_set_t *set);
int amd_comgr_destroy_data_set(amd_comgr_data_set_t set);

static void succeed(int status, const char *what) {
  if (status != COMGR_SUCCESS) {
    printf("%s: %d\n", what, status);
    exit(1);
  }
}

#define SUCCEED(call) succeed(call, #call)

static void add_source(amd_comgr_data_set_t set, int constant) {
  char text[80];
  snprintf(text, sizeof text, "kernel void k(global int *p) { *p = %d; }", constant);
  amd_comgr_data_t data;
  SUCCEED(amd_comgr_create_data(COMGR_SOURCE, &data));
  SUCCEED(amd_comgr_set_data(data, strlen(text), text));
  SUCCEED(amd_comgr_set_data_name(data, "kernel.cl"));
  SUCCEED(amd_comgr_data_set_add(set, data));
  SUCCEED(amd_comgr_release_data(data));
}

static void look(amd_comgr_data_set_t set, int constant) {
  amd_comgr_data_t data;
  size_t size;
  SUCCEED(amd_comgr_action_data_get_data(set, EXECUTABLE, 0, &data));
  SUCCEED(amd_comgr_get_data(data, &size, NULL));
  char *bytes = malloc(size);
  SUCCEED(amd_comgr_get_data(data, &size, bytes));
  succeed(!memmem(bytes, size, &constant, sizeof constant), "another kernel");
  free(bytes);
  SUCCEED(amd_comgr_release_data(data));
}

static void compile(int constant) {
  static const struct {
    int action;
    const char *option;
  } steps[] = {
      {ADD_PRECOMPILED_HEADERS, NULL},
      {COMGR_COMPILE_SOURCE_TO_BC, "-mcode-object-version=4"},
      {COMGR_CODEGEN_BC_TO_RELOCATABLE, "-mcode-object-version=4"},
      {COMGR_LINK_RELOCATABLE_TO_EXECUTABLE, NULL},
  };
  amd_comgr_action_info_t info;
  amd_comgr_data_set_t set, next;
  SUCCEED(amd_comgr_create_action_info(&info));
  SUCCEED(amd_comgr_action_info_set_isa_name(info, "amdgcn-amd-amdhsa--gfx906"));
  SUCCEED(amd_comgr_action_info_set_language(info, OPENCL_1_2));
  SUCCEED(amd_comgr_create_data_set(&set));
  add_source(set, constant);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const char *options[] = {steps[i].option};
    SUCCEED(amd_comgr_action_info_set_option_list(info, options, steps[i].option != NULL));
    SUCCEED(amd_comgr_create_data_set(&next));
    SUCCEED(amd_comgr_do_action(steps[i].action, info, set, next));
    SUCCEED(amd_comgr_destroy_data_set(set));
    set = next;
  }
  look(set, constant);
  SUCCEED(amd_comgr_destroy_data_set(set));
  SUCCEED(amd_comgr_destroy_action_info(info));
}

static void *work(void *number) {
  for (int i = 0; i < ROUNDS; i++)
    compile(123456 + (*(int *)number + i) % SOURCES);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    succeed(pthread_create(&threads[i], NULL, work, &numbers[i]), "a thread");
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
