/* levels.c - the level of the host's vector instructions, for the checkers' loops. */
#include "check/levels.h"

#include <stdatomic.h>

enum og_host_level og_check_level(void) {
  static atomic_int known; /* plus one; threads that ask at the same time find the same */
  int level = atomic_load_explicit(&known, memory_order_relaxed);
  if (!level) {
    level = (int)og_host_level() + 1;
    atomic_store_explicit(&known, level, memory_order_relaxed);
  }
  return (enum og_host_level)(level - 1);
}
