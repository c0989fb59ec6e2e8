/* kept.c - data derived from an executable, made once on demand and kept until the executable is freed. */
#include "runtime/loader.h"

#include <pthread.h>

struct kept {
  struct kept *next;
  og_make_kept *make;
  const void *key;
  void *made;
};

struct og_kept {
  pthread_mutex_t lock;
  struct og_arena *arena;
  struct kept *first;
};

struct og_kept *og_kept_new(void) {
  struct og_arena *arena = og_arena_new();
  struct og_kept *kept = OG_NEW(arena, struct og_kept);
  kept->arena = arena;
  pthread_mutex_init(&kept->lock, NULL);
  return kept;
}

void og_kept_free(struct og_kept *kept) {
  if (!kept)
    return;
  pthread_mutex_destroy(&kept->lock);
  og_arena_free(kept->arena);
}

const void *og_executable_keep(const struct og_executable *executable, og_make_kept *make, const void *key) {
  struct og_kept *kept = executable->kept;
  pthread_mutex_lock(&kept->lock);
  struct kept *found = kept->first;
  while (found && (found->make != make || found->key != key))
    found = found->next;
  if (!found) {
    found = OG_NEW(kept->arena, struct kept);
    *found = (struct kept){kept->first, make, key, make(kept->arena, executable, key)};
    kept->first = found;
  }
  pthread_mutex_unlock(&kept->lock);
  return found->made;
}
