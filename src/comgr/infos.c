/* infos.c - remembers which texts action infos have been given: asked for one that it never got, comgr 2.4 crashes. */
#include "comgr/infos.h"

#include <pthread.h>
#include <stdlib.h>

static struct {
  pthread_mutex_t lock;
  struct told {
    uint64_t handle;
    unsigned texts;
  } *infos; /* those that have texts */
  size_t count, room;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct told *find(uint64_t handle) {
  for (size_t i = 0; i < all.count; i++)
    if (all.infos[i].handle == handle)
      return &all.infos[i];
  return NULL;
}

static struct told *add(uint64_t handle) {
  if (all.count == all.room) {
    size_t room = all.room ? 2 * all.room : 16;
    struct told *infos = realloc(all.infos, room * sizeof *infos);
    if (!infos)
      return NULL; /* its actions are then those of an info without texts, which fail or are not cached */
    all.infos = infos;
    all.room = room;
  }
  all.infos[all.count] = (struct told){handle, 0};
  return &all.infos[all.count++];
}

/* Says that an info has a text now, or has none any more. */
static void note(amd_comgr_action_info_t info, unsigned text, bool is_set) {
  pthread_mutex_lock(&all.lock);
  struct told *told = find(info.handle);
  if (!told && is_set)
    told = add(info.handle);
  if (told)
    told->texts = is_set ? told->texts | text : told->texts & ~text;
  pthread_mutex_unlock(&all.lock);
}

unsigned og_comgr_texts(amd_comgr_action_info_t info) {
  pthread_mutex_lock(&all.lock);
  struct told *told = find(info.handle);
  unsigned texts = told ? told->texts : 0;
  pthread_mutex_unlock(&all.lock);
  return texts;
}

COMGR_EXPORT int amd_comgr_action_info_set_isa_name(amd_comgr_action_info_t info, const char *name) {
  int status = COMGR_REAL(amd_comgr_action_info_set_isa_name)(info, name);
  if (status == COMGR_SUCCESS)
    note(info, COMGR_HAS_ISA_NAME, name && *name);
  return status;
}

COMGR_EXPORT int amd_comgr_action_info_set_working_directory_path(amd_comgr_action_info_t info, const char *path) {
  int status = COMGR_REAL(amd_comgr_action_info_set_working_directory_path)(info, path);
  if (status == COMGR_SUCCESS)
    note(info, COMGR_HAS_WORKING_DIRECTORY, path && *path);
  return status;
}

COMGR_EXPORT int amd_comgr_destroy_action_info(amd_comgr_action_info_t info) {
  pthread_mutex_lock(&all.lock);
  struct told *told = find(info.handle);
  if (told)
    *told = all.infos[--all.count];
  pthread_mutex_unlock(&all.lock); /* before another thread can be given this handle */
  return COMGR_REAL(amd_comgr_destroy_action_info)(info);
}
