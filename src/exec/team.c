/* team.c - threads are kept from one dispatch to the next because creating one takes longer than many kernels run. The
 * caller does not wait for them to start: a late one finds nothing to do. */
#include "exec/team.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct og_team {
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t called, done;
  pthread_t *members;
  unsigned count;
  bool quit;
  void (*work)(void *context, unsigned number); /* NULL: none */
  void *context;
  unsigned next, wanted; /* calls handed out; how many there may be */
  unsigned active;
};

struct og_team *og_team_new(void) {
  struct og_team *team = calloc(1, sizeof *team);
  if (!team)
    return NULL;
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->called, NULL);
  pthread_cond_init(&team->done, NULL);
  return team;
}

static void *serve(void *argument) {
  struct og_team *team = argument;
  pthread_mutex_lock(&team->lock);
  while (!team->quit) {
    if (!team->work || team->next >= team->wanted) {
      pthread_cond_wait(&team->called, &team->lock);
      continue;
    }
    unsigned number = team->next++;
    void (*work)(void *, unsigned) = team->work;
    void *context = team->context;
    team->active++;
    pthread_mutex_unlock(&team->lock);
    work(context, number);
    pthread_mutex_lock(&team->lock);
    if (--team->active == 0)
      pthread_cond_signal(&team->done);
  }
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

void og_team_free(struct og_team *team) {
  if (!team)
    return;
  pthread_mutex_lock(&team->lock);
  team->quit = true;
  pthread_cond_broadcast(&team->called);
  pthread_mutex_unlock(&team->lock);
  for (unsigned i = 0; i < team->count; i++)
    pthread_join(team->members[i], NULL);
  free(team->members);
  pthread_cond_destroy(&team->done);
  pthread_cond_destroy(&team->called);
  pthread_mutex_destroy(&team->lock);
  free(team);
}

/* As many members as it takes, or as there can be. */
static void grow(struct og_team *team, unsigned count) {
  if (team->count >= count)
    return;
  pthread_t *members = realloc(team->members, count * sizeof *members);
  if (!members)
    return;
  team->members = members;
  while (team->count < count && pthread_create(&members[team->count], NULL, serve, team) == 0)
    team->count++;
}

void og_team_run(struct og_team *team, unsigned threads, void (*work)(void *context, unsigned number), void *context) {
  if (threads <= 1) {
    work(context, 0);
    return;
  }
  grow(team, threads - 1);
  pthread_mutex_lock(&team->lock);
  team->work = work;
  team->context = context;
  team->next = 1;
  team->wanted = threads;
  for (unsigned i = 1; i < threads; i++)
    pthread_cond_signal(&team->called);
  pthread_mutex_unlock(&team->lock);
  work(context, 0);
  pthread_mutex_lock(&team->lock);
  team->work = NULL;
  while (team->active > 0)
    pthread_cond_wait(&team->done, &team->lock);
  pthread_mutex_unlock(&team->lock);
}
