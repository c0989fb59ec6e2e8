/* checks.c - OFFGRID_CHECK: checkers watch each dispatch; what they find is written to stderr, each finding once. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/footprint.h"
#include "hsa/internal.h"

struct told {
  struct told *next;
  char text[];
};

static struct {
  pthread_mutex_t lock;
  unsigned checkers; /* atomic */
  struct told *told;
} checks = {.lock = PTHREAD_MUTEX_INITIALIZER};

void og_hsa_checks_open(void) {
  const char *setting = getenv("OFFGRID_CHECK");
  struct og_text wrong = {0};
  unsigned checkers = setting && *setting ? og_check_names(setting, &wrong) : 0;
  if (setting && *setting && !checkers)
    og_hsa_log(OG_HSA_LOG_ERRORS, "OFFGRID_CHECK: '%.*s' is no checker of AMD kernels", OG_TEXT_ARGS(wrong));
  __atomic_store_n(&checks.checkers, checkers, __ATOMIC_RELAXED);
}

bool og_hsa_checks(void) { return __atomic_load_n(&checks.checkers, __ATOMIC_RELAXED) != 0; }

enum { FRESH_MOST = 64 << 20 }; /* bytes: larger allocations count as written, so that their pages stay untouched */

void og_hsa_check_allocated(void *memory, size_t size) {
  if (__atomic_load_n(&checks.checkers, __ATOMIC_RELAXED) & OG_CHECK_UNINIT && size <= FRESH_MOST)
    og_check_make_fresh(memory, size);
}

/* HIP's own copies, which also copy what nothing has written. */
static bool is_copy(const struct og_kernel *kernel) {
  return strncmp(kernel->name, "__amd_rocclr_", strlen("__amd_rocclr_")) == 0;
}

struct og_check *og_hsa_check_begin(const struct og_executable *executable, const struct og_kernel *kernel,
                                    const struct og_dispatch_packet *packet, struct og_run_options *options) {
  unsigned checkers = __atomic_load_n(&checks.checkers, __ATOMIC_RELAXED);
  if (!checkers)
    return NULL;
  struct og_check *check = og_check_new(executable, kernel, checkers, options->threads);
  if (!is_copy(kernel))
    og_check_fresh_memory(check);
  og_check_may_return(check);
  og_check_told_lds(check, packet->group_bytes);
  og_check_watch(check, options);
  return check;
}

/* Whether it is found for the first time; its first bytes identify it. */
static bool is_new(const char *text, size_t size) {
  pthread_mutex_lock(&checks.lock);
  struct told *told = checks.told;
  while (told && !og_text_is((struct og_text){text, size}, told->text))
    told = told->next;
  struct told *made = told ? NULL : calloc(1, sizeof *made + size + 1);
  if (made) {
    made->next = checks.told;
    memcpy(made->text, text, size);
    checks.told = made;
  }
  pthread_mutex_unlock(&checks.lock);
  return !told;
}

void og_hsa_check_tell(const char *text, size_t size) {
  if (is_new(text, size))
    og_hsa_log(OG_HSA_LOG_ERRORS, "%s", text);
}

bool og_hsa_checks_races(void) { return __atomic_load_n(&checks.checkers, __ATOMIC_RELAXED) & OG_CHECK_RACES; }

struct og_footprint *og_hsa_check_end(struct og_check *check, const struct og_dispatch_record *record) {
  if (!check)
    return NULL;
  if (!record->fine)
    og_check_fault(check, &record->fault);
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  og_check_tell(check, diagnostics, NULL);
  for (size_t i = 0; i < og_diagnostics_count(diagnostics); i++) {
    const char *text = og_diagnostics_at(diagnostics, i)->message;
    const char *wave = strstr(text, " (work-group"); /* this wave or another one, named at the end */
    og_hsa_check_tell(text, wave ? (size_t)(wave - text) : strlen(text));
  }
  og_diagnostics_free(diagnostics);
  struct og_footprint *footprint = og_hsa_orders ? og_check_footprint(check) : NULL;
  og_check_free(check);
  return footprint;
}

__attribute__((destructor)) static void finish(void) {
  pthread_mutex_lock(&checks.lock);
  for (struct told *told = checks.told, *next; told; told = next) {
    next = told->next;
    free(told);
  }
  checks.told = NULL;
  pthread_mutex_unlock(&checks.lock);
}
