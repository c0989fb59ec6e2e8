/* forward.c - opens the real library when this one is loaded, and passes on to it what has no function here. */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "comgr/comgr.h"
#include "comgr/find.h"

/* By this find.c tells the cache from a real library. */
extern const char offgrid_comgr_cache;
__attribute__((visibility("default"))) const char offgrid_comgr_cache = 1;

/* What a function does that the real library lacks, or each where there is none. */
static int unavailable(void) {
  return COMGR_ERROR;
}

/* For each function the real one, and one of its name that jumps there with registers and stack as they are. It is
 * weak: where another file has a function of that name, that is taken. */
#define FUNCTION(name) \
  extern void (*og_real_##name)(void); \
  __attribute__((used)) void (*og_real_##name)(void) = (void (*)(void))unavailable; \
  __asm__(".pushsection .text\n" \
          ".weak " #name "\n" \
          ".type " #name ", @function\n" \
          #name ":\n" \
          "  endbr64\n" \
          "  jmp *og_real_" #name "(%rip)\n" \
          ".size " #name ", .-" #name "\n" \
          ".popsection\n");
#include "comgr/functions.def"
#undef FUNCTION

/* The one function that other libraries have under another version. */
__asm__(".pushsection .text\n"
        ".globl amd_comgr_get_isa_count_2_0\n"
        "amd_comgr_get_isa_count_2_0:\n"
        "  endbr64\n"
        "  jmp *og_real_amd_comgr_get_isa_count(%rip)\n"
        ".symver amd_comgr_get_isa_count_2_0, amd_comgr_get_isa_count@amd_comgr_2.0\n"
        ".type amd_comgr_get_isa_count_2_0, @function\n"
        ".popsection\n");

static const struct {
  const char *name;
  void (**real)(void);
} functions[] = {
#define FUNCTION(name) {#name, &og_real_##name},
#include "comgr/functions.def"
#undef FUNCTION
};

/* The folder of HIP's library, if it is loaded. */
static int find_hip(struct dl_phdr_info *object, size_t size, void *folder) {
  (void)size;
  const char *slash = strrchr(object->dlpi_name, '/');
  if (!slash || strncmp(slash, "/libamdhip64.so", strlen("/libamdhip64.so")) != 0)
    return 0;
  snprintf(folder, PATH_MAX, "%.*s", (int)(slash - object->dlpi_name), object->dlpi_name);
  return 1;
}

__attribute__((constructor)) static void open_real(void) {
  char folder[PATH_MAX], path[PATH_MAX];
  bool has_hip = dl_iterate_phdr(find_hip, folder);
  void *library = og_comgr_find(has_hip ? folder : NULL, path) ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
  if (!library)
    return;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *real = dlsym(library, functions[i].name);
    if (real)
      memcpy(functions[i].real, &real, sizeof real);
  }
}
