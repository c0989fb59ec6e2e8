/* exec.c - `offgrid exec`: runs a HIP or OpenMP program on the drop-in HSA runtime. Sets the environment, then becomes
 * the program. */
#include "tool/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OG_HAVE_COMGR_CACHE
#include "comgr/find.h"
#endif
#include "target/target.h"

struct command {
  const char *gpu; /* NULL: what the runtime takes by default */
  bool check, stats;
  const char *compile; /* for OFFGRID_COMPILE, or NULL */
  char **program; /* the program and its arguments; NULL follows the last */
};

static int parse(int argc, char **argv, struct command *command) {
  *command = (struct command){0};
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (strcmp(argv[i], "--") == 0) {
      i++;
      break;
    }
    if (og_option_flag(argv, i, "check"))
      command->check = true;
    else if (og_option_flag(argv, i, "compile") || og_option_flag(argv, i, "no-compile"))
      command->compile = og_option_flag(argv, i, "compile") ? "1" : "0";
    else if (og_option_flag(argv, i, "stats"))
      command->stats = true;
    else if (!og_option_value(argc, argv, &i, "gpu", &command->gpu))
      return og_unknown_option("exec", argc, argv, i);
  }
  command->program = argv + i;
  return i < argc ? OG_EXIT_OK : og_usage_error("exec", "a program is expected");
}

/* Whether each name in a list with commas is a processor that runs code objects. */
static bool are_processors(const char *list, struct og_diagnostics *diagnostics) {
  bool good = true;
  for (const char *end; good && list; list = *end ? end + 1 : NULL) {
    end = list + strcspn(list, ",");
    char name[64];
    struct og_target target;
    snprintf(name, sizeof name, "%.*s", (int)OG_MIN((size_t)(end - list), sizeof name - 1), list);
    good = og_target_parse(&target, NULL, name, NULL, diagnostics) &&
           (target.processor->major || og_error_in(diagnostics, NULL, "--gpu: '%s' runs no HSA code objects", name));
  }
  return good;
}

/* The drop-in's folder: in a build it is beside the command, else where `make install` puts it. */
static const char *runtime_folder(struct og_arena *arena) {
  static const char *const places[] = {"hsa", OG_RUNTIME_FROM_COMMAND};
  char self[4096];
  ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
  if (size <= 0)
    return NULL;
  self[size] = 0;
  int folder = (int)(strrchr(self, '/') - self);
  for (size_t i = 0; i < OG_COUNT(places); i++) {
    const char *path = og_arena_printf(arena, "%.*s/%s", folder, self, places[i]);
    if (access(og_arena_printf(arena, "%s/libhsa-runtime64.so.1", path), R_OK) == 0)
      return path;
  }
  return NULL;
}

/* Puts text in front of what a variable holds. */
static void put_before(struct og_arena *arena, const char *variable, const char *value, const char *separator) {
  const char *old = getenv(variable);
  setenv(variable, old && *old ? og_arena_printf(arena, "%s%s%s", value, separator, old) : value, true);
}

/* HIP compiles kernels of its own at every start. A cache takes the place of the library that it does this with, if it
 * knows all functions of that. */
static void put_cache_before(struct og_arena *arena, const char *folder) {
#ifdef OG_HAVE_COMGR_CACHE
  const char *setting = getenv("OFFGRID_CACHE");
  const char *cache = og_arena_printf(arena, "%s/comgr", folder);
  char real[PATH_MAX];
  if (!(setting && strcmp(setting, "0") == 0) &&
      access(og_arena_printf(arena, "%s/" OG_COMGR_LIBRARY, cache), R_OK) == 0 && og_comgr_find(NULL, real) &&
      og_comgr_is_known(real))
    put_before(arena, "LD_LIBRARY_PATH", cache, ":");
#else
  (void)arena, (void)folder;
#endif
}

static void set_environment(struct og_arena *arena, const struct command *command, const char *folder) {
  put_cache_before(arena, folder);
  put_before(arena, "LD_LIBRARY_PATH", folder, ":");
  setenv("HSA_RUNTIME_LIB", og_arena_printf(arena, "%s/libhsa-runtime64.so.1", folder), true); /* libgomp's plugin */
  if (command->gpu)
    setenv("OFFGRID_GPU", command->gpu, true);
  if (command->check)
    setenv("OFFGRID_CHECK", "all", true);
  if (command->compile)
    setenv("OFFGRID_COMPILE", command->compile, true);
  else if (command->check)
    setenv("OFFGRID_COMPILE", "0", false); /* watched waves are interpreted */
  if (command->stats)
    put_before(arena, "OFFGRID_LOG", "statistics", ",");
}

static int run(int argc, char **argv) {
  struct command command;
  int code = parse(argc, argv, &command);
  if (code != OG_EXIT_OK)
    return code;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  const char *folder = NULL;
  if (!command.gpu || are_processors(command.gpu, diagnostics))
    folder = runtime_folder(arena);
  if (!folder && !og_diagnostics_errors(diagnostics))
    og_error_in(diagnostics, NULL, "libhsa-runtime64.so.1 is neither in the folder hsa beside this command nor in %s",
                OG_RUNTIME_FROM_COMMAND);
  if (folder) {
    set_environment(arena, &command, folder);
    execvp(command.program[0], command.program);
    og_error_in(diagnostics, command.program[0], "cannot run: %s", strerror(errno));
  }
  og_arena_free(arena);
  return og_finish(diagnostics);
}

const struct og_verb og_verb_exec = {
    "exec", "runs a HIP or OpenMP program on the drop-in HSA runtime",
    "usage: offgrid exec [--gpu=P[,P]...] [--check] [--stats] [--no-compile] [--] PROGRAM [ARGUMENT]...\n\n"
    "Runs a program that uses the HSA runtime (HIP, OpenMP with clang or GCC) on emulated GPUs, unmodified: sets\n"
    "LD_LIBRARY_PATH and HSA_RUNTIME_LIB so that it finds offgrid's libhsa-runtime64.so.1, and becomes the program,\n"
    "whose exit code is the command's. What HIP compiles is kept in ~/.cache/offgrid, for the next start\n"
    "(OFFGRID_CACHE: another folder; 0: nothing is kept).\n"
    "  --gpu=P,P...  the GPUs that the program sees (OFFGRID_GPU); 'offgrid targets' lists them. Default: gfx906\n"
    "  --check       watches kernels as 'offgrid check' does, and tells what it finds on stderr (OFFGRID_CHECK=all)\n"
    "  --no-compile  interprets everything (OFFGRID_COMPILE=0); without it, what kernels run often becomes host code\n"
    "  --compile     compiles it, whatever OFFGRID_COMPILE says\n"
    "  --stats       at exit, a table of dispatches on stderr (OFFGRID_LOG=statistics)\n",
    run};
