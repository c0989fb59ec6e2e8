/* unsupported.c - the exported functions that do nothing here: each returns the status that unsupported.def gives. */
#include "hsa/internal.h"

/* In C the functions have other names, so that they need not have the parameters that the headers declare. */
#define X(name, status, why)                                                                     \
  hsa_status_t refuse_##name(void) __asm__(#name);                                               \
  hsa_status_t refuse_##name(void) {                                                             \
    og_hsa_log(OG_HSA_LOG_CALLS, "%s: not supported: %s", #name, why);                           \
    return status;                                                                               \
  }
#include "hsa/unsupported.def"
