/* snapshot.c - copies all memory of a runtime and puts it back. Only pages that differ are written, so code stays
 * untouched and memory that a kernel never reached is only compared. */
#include "runtime/snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/internal.h"

struct piece {
  uint8_t *at, *copy;
  size_t size;
};

struct og_snapshot {
  struct og_runtime *runtime;
  struct piece *pieces;
  size_t count;
};

static bool add(struct og_snapshot *snapshot, uint8_t *at, size_t size) {
  struct piece *grown = realloc(snapshot->pieces, (snapshot->count + 1) * sizeof *grown);
  if (!grown)
    return false;
  snapshot->pieces = grown;
  struct piece piece = {.at = at, .size = size, .copy = og_map_pages(og_align_up(size, OG_PAGE), OG_PAGE)};
  if (!piece.copy)
    return false;
  for (size_t i = 0; i < size; i += OG_PAGE) { /* pages of zeros take no memory in the copy */
    size_t part = OG_MIN((size_t)OG_PAGE, size - i);
    if (memcmp(piece.copy + i, at + i, part) != 0)
      memcpy(piece.copy + i, at + i, part);
  }
  grown[snapshot->count++] = piece;
  return true;
}

struct og_snapshot *og_snapshot_new(struct og_runtime *runtime) {
  struct og_snapshot *snapshot = calloc(1, sizeof *snapshot);
  bool fine = snapshot != NULL;
  pthread_mutex_lock(&runtime->lock);
  for (const struct og_allocation *a = runtime->allocations; fine && a; a = a->next)
    fine = add(snapshot, a->base, a->size);
  for (const struct og_executable *e = runtime->executables; fine && e; e = e->next)
    fine = !e->mapping || add(snapshot, e->mapping, e->size);
  pthread_mutex_unlock(&runtime->lock);
  if (fine) {
    snapshot->runtime = runtime;
    return snapshot;
  }
  og_snapshot_free(snapshot);
  return NULL;
}

static bool is_there(const struct og_runtime *runtime, const struct piece *piece) {
  for (const struct og_allocation *a = runtime->allocations; a; a = a->next)
    if (a->base == piece->at && a->size == piece->size)
      return true;
  for (const struct og_executable *e = runtime->executables; e; e = e->next)
    if (e->mapping == piece->at && e->size == piece->size)
      return true;
  return false;
}

void og_snapshot_restore(const struct og_snapshot *snapshot) {
  pthread_mutex_lock(&snapshot->runtime->lock);
  for (size_t p = 0; p < snapshot->count; p++) {
    const struct piece *piece = &snapshot->pieces[p];
    size_t size = is_there(snapshot->runtime, piece) ? piece->size : 0;
    for (size_t i = 0; i < size; i += OG_PAGE) {
      size_t part = OG_MIN((size_t)OG_PAGE, size - i);
      if (memcmp(piece->at + i, piece->copy + i, part) != 0)
        memcpy(piece->at + i, piece->copy + i, part);
    }
  }
  pthread_mutex_unlock(&snapshot->runtime->lock);
}

void og_snapshot_free(struct og_snapshot *snapshot) {
  if (!snapshot)
    return;
  for (size_t i = 0; i < snapshot->count; i++)
    munmap(snapshot->pieces[i].copy, og_align_up(snapshot->pieces[i].size, OG_PAGE));
  free(snapshot->pieces);
  free(snapshot);
}
