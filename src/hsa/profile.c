/* profile.c - how long dispatches and copies took: a table at the process's end (OFFGRID_LOG=statistics); and a
 * timeline of these and of the host's calls, for Perfetto and chrome://tracing (OFFGRID_TRACE=FILE). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsa/internal.h"
#include "runtime/report.h"

struct entry {
  struct entry *next;
  uint64_t count, total, shortest, longest, bytes;
  char name[];
};

enum { BUCKETS = 256 };

static struct {
  pthread_mutex_t lock;
  struct entry *buckets[BUCKETS];
  size_t count;
  FILE *trace; /* NULL: none was asked for */
  uint64_t start;
} profile = {.lock = PTHREAD_MUTEX_INITIALIZER};

void og_hsa_profile_open(void) {
  const char *name = getenv("OFFGRID_TRACE");
  pthread_mutex_lock(&profile.lock);
  if (name && *name && !profile.trace) {
    profile.start = og_clock();
    profile.trace = fopen(name, "we");
    if (profile.trace)
      fputs("[\n", profile.trace);
    else
      og_hsa_log(OG_HSA_LOG_ERRORS, "OFFGRID_TRACE: cannot write to '%s'", name);
  }
  pthread_mutex_unlock(&profile.lock);
}

static bool traces(void) {
  return __atomic_load_n(&profile.trace, __ATOMIC_RELAXED) != NULL;
}

bool og_hsa_profiles(void) {
  return og_hsa_logs(OG_HSA_LOG_STATISTICS) || traces();
}

bool og_hsa_watches_calls(void) {
  return traces() || og_hsa_logs(OG_HSA_LOG_CALLS);
}

static struct entry *find_entry(const char *name) {
  uint32_t hash = 2166136261u;
  for (const char *c = name; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 16777619u;
  struct entry **bucket = &profile.buckets[hash % BUCKETS];
  for (struct entry *entry = *bucket; entry; entry = entry->next)
    if (strcmp(entry->name, name) == 0)
      return entry;
  struct entry *made = calloc(1, sizeof *made + strlen(name) + 1);
  if (!made)
    return NULL;
  strcpy(made->name, name);
  made->shortest = UINT64_MAX;
  made->next = *bucket;
  *bucket = made;
  profile.count++;
  return made;
}

static void write_event(const struct og_hsa_event *event) {
  struct og_arena *arena = og_arena_new();
  struct og_buffer name = {0};
  const char *words = og_demangle(arena, event->name);
  og_buffer_json(&name, words, strlen(words));
  fprintf(
      profile.trace, "{\"name\":%.*s,\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%llu,\"ts\":%.3f,\"dur\":%.3f},\n",
      (int)name.size, (const char *)name.data, event->kind, (int)getpid(), (unsigned long long)event->lane,
      (double)(event->start - OG_MIN(event->start, profile.start)) / 1e3, (double)(event->end - event->start) / 1e3);
  og_buffer_free(&name);
  og_arena_free(arena);
}

void og_hsa_profile(const struct og_hsa_event *event) {
  uint64_t taken = event->end - event->start;
  pthread_mutex_lock(&profile.lock);
  struct entry *entry = og_hsa_logs(OG_HSA_LOG_STATISTICS) ? find_entry(event->name) : NULL;
  if (entry) {
    entry->count++;
    entry->total += taken;
    entry->bytes += event->bytes;
    entry->shortest = OG_MIN(entry->shortest, taken);
    entry->longest = OG_MAX(entry->longest, taken);
  }
  if (profile.trace)
    write_event(event);
  pthread_mutex_unlock(&profile.lock);
}

void og_hsa_profile_call(const struct og_hsa_call *call) {
  struct og_hsa_event event = {.name = call->name, .kind = "call", .start = call->start, .end = og_clock(),
                               .lane = (uint64_t)gettid()};
  og_hsa_log(OG_HSA_LOG_CALLS, "%s: %.3f us", event.name, (double)(event.end - event.start) / 1e3);
  if (!traces())
    return;
  pthread_mutex_lock(&profile.lock);
  if (profile.trace)
    write_event(&event);
  pthread_mutex_unlock(&profile.lock);
}

static int by_total(const void *left, const void *right) {
  const struct entry *a = *(struct entry *const *)left, *b = *(struct entry *const *)right;
  return a->total != b->total ? (a->total < b->total ? 1 : -1) : strcmp(a->name, b->name);
}

static void print_table(void) {
  struct entry **sorted = calloc(profile.count, sizeof(struct entry *));
  struct og_arena *arena = og_arena_new();
  size_t n = 0;
  for (size_t i = 0; sorted && i < BUCKETS; i++)
    for (struct entry *entry = profile.buckets[i]; entry; entry = entry->next)
      sorted[n++] = entry;
  if (n)
    qsort(sorted, n, sizeof(struct entry *), by_total);
  fprintf(stderr, "offgrid: %10s %12s %12s %12s %12s  %s\n", "calls", "total ms", "mean us", "shortest us",
          "longest us", "kernel or copy");
  for (size_t i = 0; i < n; i++) {
    const struct entry *e = sorted[i];
    fprintf(stderr, "offgrid: %10llu %12.3f %12.3f %12.3f %12.3f  %s", (unsigned long long)e->count,
            (double)e->total / 1e6, (double)e->total / 1e3 / (double)e->count, (double)e->shortest / 1e3,
            (double)e->longest / 1e3, og_demangle(arena, e->name));
    if (e->bytes)
      fprintf(stderr, " (%llu bytes)", (unsigned long long)e->bytes);
    fputc('\n', stderr);
  }
  struct og_buffer compiled = {0};
  og_print_compiled(&compiled);
  fprintf(stderr, "offgrid: %.*s", (int)compiled.size, (const char *)compiled.data);
  og_buffer_free(&compiled);
  og_arena_free(arena);
  free(sorted);
}

/* For programs that end without hsa_shut_down. What is being written at this moment may be missing. */
__attribute__((destructor)) static void finish(void) {
  pthread_mutex_lock(&profile.lock);
  if (profile.count)
    print_table();
  if (profile.trace) {
    fputs("{}]\n", profile.trace);
    fclose(profile.trace);
    profile.trace = NULL;
  }
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct entry *entry = profile.buckets[i], *next; entry; entry = next) {
      next = entry->next;
      free(entry);
    }
  memset(profile.buckets, 0, sizeof profile.buckets);
  profile.count = 0;
  pthread_mutex_unlock(&profile.lock);
}
