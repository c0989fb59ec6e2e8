/* progress.c - a line on the terminal: work-groups, how many a second, and the time left at that rate. */
#include "tool/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/host.h"

enum { FIRST = 1000000000, EACH = 200000000 /* nanoseconds: nothing is shown of what is over soon */ };

static void put_time(double seconds, struct og_buffer *out) {
  if (seconds < 100)
    og_buffer_printf(out, "%.0f s", seconds);
  else if (seconds < 6000)
    og_buffer_printf(out, "%.0f min", seconds / 60);
  else
    og_buffer_printf(out, "%.1f h", seconds / 3600);
}

void og_progress_words(uint64_t done, uint64_t groups, double seconds, struct og_buffer *out) {
  if (groups == 0 || done > groups)
    return;
  og_buffer_printf(out, "%llu/%llu work-groups", (unsigned long long)done, (unsigned long long)groups);
  if (done == 0 || seconds <= 0)
    return;
  double rate = (double)done / seconds;
  og_buffer_printf(out, rate < 100 ? ", %.1f a second, " : ", %.0f a second, ", rate);
  put_time((double)(groups - done) / rate, out);
  og_buffer_text(out, " left");
}

static void *tell(void *context) {
  struct og_progress_line *line = context;
  uint64_t before = 0, started = line->started;
  for (unsigned looks = 0; !__atomic_load_n(&line->stop, __ATOMIC_RELAXED); looks++) {
    nanosleep(&(struct timespec){0, EACH / 4}, NULL);
    uint64_t done = __atomic_load_n(&line->progress.done, __ATOMIC_RELAXED), now = og_clock();
    if (done < before) /* another dispatch has begun */
      started = now;
    before = done;
    if (now - line->started < FIRST || looks % 4)
      continue;
    struct og_buffer words = {0};
    og_progress_words(done, __atomic_load_n(&line->progress.groups, __ATOMIC_RELAXED), (double)(now - started) * 1e-9,
                      &words);
    if (words.size)
      fprintf(stderr, "\r\033[K%s", (const char *)words.data);
    line->told |= words.size > 0;
    og_buffer_free(&words);
  }
  return NULL;
}

void og_progress_start(struct og_progress_line *line) {
  *line = (struct og_progress_line){.started = og_clock()};
  if (isatty(STDERR_FILENO))
    line->runs = pthread_create(&line->thread, NULL, tell, line) == 0;
}

void og_progress_stop(struct og_progress_line *line) {
  if (!line->runs)
    return;
  __atomic_store_n(&line->stop, 1, __ATOMIC_RELAXED);
  pthread_join(line->thread, NULL);
  if (line->told)
    fputs("\r\033[K", stderr);
  line->runs = false;
}
