/* ticket.c - og_ticket: a dispatch that runs in a thread of its own. */
#include "api/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct og_ticket {
  struct og_arena *arena;
  og_device *device;
  og_launch launch;
  og_diagnostics *diagnostics;
  uint64_t turn;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ends;
  bool ended, fine;
  og_statistics statistics;
};

static void *run(void *argument) {
  og_ticket *ticket = argument;
  og_device_await_turn(ticket->device, ticket->turn);
  bool fine = og_device_run_now(ticket->device, &ticket->launch, &ticket->statistics, ticket->diagnostics);
  og_device_end_turn(ticket->device);
  pthread_mutex_lock(&ticket->lock);
  ticket->ended = true;
  ticket->fine = fine;
  pthread_cond_broadcast(&ticket->ends);
  pthread_mutex_unlock(&ticket->lock);
  return NULL;
}

static void free_ticket(og_ticket *ticket) {
  pthread_mutex_destroy(&ticket->lock);
  pthread_cond_destroy(&ticket->ends);
  og_arena_free(ticket->arena);
}

og_ticket *og_device_start(og_device *device, const og_launch *launch, og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new(); /* the thread does not use it */
  og_ticket *ticket = OG_NEW(arena, og_ticket);
  *ticket = (og_ticket){.arena = arena,
                        .device = device,
                        .launch = *launch,
                        .diagnostics = diagnostics,
                        .statistics.info_size = sizeof ticket->statistics};
  ticket->launch.kernel = og_arena_printf(arena, "%s", launch->kernel ? launch->kernel : "");
  ticket->launch.arguments = og_arena_copy(arena, launch->arguments, launch->arguments ? launch->arguments_size : 0);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&ticket->ends, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_mutex_init(&ticket->lock, NULL);
  pthread_mutex_lock(&device->lock); /* no turn without a thread: it would block all others */
  ticket->turn = device->next_turn;
  int reason = pthread_create(&ticket->thread, NULL, run, ticket);
  device->next_turn += reason == 0;
  pthread_mutex_unlock(&device->lock);
  if (reason == 0)
    return ticket;
  og_error_in(diagnostics, NULL, "cannot make a thread: %s", strerror(reason));
  free_ticket(ticket);
  return NULL;
}

bool og_ticket_wait(og_ticket *ticket, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  double whole = seconds > 1e9 ? 1e9 : seconds > 0 ? seconds : 0;
  until.tv_sec += (time_t)whole;
  until.tv_nsec += (long)((whole - (double)(time_t)whole) * 1e9);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&ticket->lock);
  while (!ticket->ended && pthread_cond_timedwait(&ticket->ends, &ticket->lock, &until) != ETIMEDOUT)
    ;
  bool ended = ticket->ended;
  pthread_mutex_unlock(&ticket->lock);
  return ended;
}

bool og_ticket_end(og_ticket *ticket, og_statistics *statistics) {
  if (!ticket)
    return false;
  pthread_join(ticket->thread, NULL);
  bool fine = ticket->fine;
  if (statistics)
    og_fill(statistics, &ticket->statistics, sizeof ticket->statistics);
  free_ticket(ticket);
  return fine;
}
