/* ranges.c - memory by address: what pools gave out, and what programs locked or attached, in order. */
#include <stdlib.h>
#include <string.h>

#include "hsa/internal.h"

struct og_hsa_range_table {
  pthread_rwlock_t lock;
  size_t count, capacity;
  struct og_hsa_range *items; /* by base; they do not overlap */
};

bool og_hsa_ranges_open(void) {
  og_hsa.ranges = calloc(1, sizeof *og_hsa.ranges);
  return og_hsa.ranges && pthread_rwlock_init(&og_hsa.ranges->lock, NULL) == 0;
}

void og_hsa_ranges_close(void) {
  if (!og_hsa.ranges)
    return;
  pthread_rwlock_destroy(&og_hsa.ranges->lock);
  free(og_hsa.ranges->items);
  free(og_hsa.ranges);
  og_hsa.ranges = NULL;
}

/* How many ranges begin at or below the address. */
static size_t count_up_to(const struct og_hsa_range_table *table, uint64_t address) {
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table->items[middle].base <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct og_hsa_range *holding(const struct og_hsa_range_table *table, uint64_t address) {
  size_t at = count_up_to(table, address);
  return at > 0 && address - table->items[at - 1].base < table->items[at - 1].size ? &table->items[at - 1] : NULL;
}

static bool make_room(struct og_hsa_range_table *table) {
  if (table->count < table->capacity)
    return true;
  size_t capacity = OG_MAX(2 * table->capacity, 64u);
  struct og_hsa_range *items = realloc(table->items, capacity * sizeof *items);
  if (!items)
    return false;
  table->items = items;
  table->capacity = capacity;
  return true;
}

bool og_hsa_range_add(const struct og_hsa_range *range) {
  struct og_hsa_range_table *table = og_hsa.ranges;
  pthread_rwlock_wrlock(&table->lock);
  size_t at = count_up_to(table, range->base);
  bool fits = range->size != 0 && !holding(table, range->base) &&
              (at == table->count || table->items[at].base - range->base >= range->size) && make_room(table);
  if (fits) {
    memmove(table->items + at + 1, table->items + at, (table->count - at) * sizeof *table->items);
    table->items[at] = *range;
    table->count++;
  }
  pthread_rwlock_unlock(&table->lock);
  return fits;
}

bool og_hsa_range_find(uint64_t address, struct og_hsa_range *found) {
  struct og_hsa_range_table *table = og_hsa.ranges;
  pthread_rwlock_rdlock(&table->lock);
  const struct og_hsa_range *range = holding(table, address);
  if (range)
    *found = *range;
  pthread_rwlock_unlock(&table->lock);
  return range != NULL;
}

bool og_hsa_range_remove(uint64_t base, struct og_hsa_range *removed) {
  struct og_hsa_range_table *table = og_hsa.ranges;
  pthread_rwlock_wrlock(&table->lock);
  struct og_hsa_range *range = holding(table, base);
  bool fine = range && range->base == base;
  if (fine) {
    *removed = *range;
    table->count--;
    memmove(range, range + 1, (size_t)(table->items + table->count - range) * sizeof *range);
  }
  pthread_rwlock_unlock(&table->lock);
  return fine;
}

bool og_hsa_range_allow(uint64_t address, uint64_t agents) {
  struct og_hsa_range_table *table = og_hsa.ranges;
  pthread_rwlock_wrlock(&table->lock);
  struct og_hsa_range *range = holding(table, address);
  if (range)
    range->accessible = agents;
  pthread_rwlock_unlock(&table->lock);
  return range != NULL;
}

bool og_hsa_range_set_userdata(uint64_t address, void *userdata) {
  struct og_hsa_range_table *table = og_hsa.ranges;
  pthread_rwlock_wrlock(&table->lock);
  struct og_hsa_range *range = holding(table, address);
  if (range)
    range->userdata = userdata;
  pthread_rwlock_unlock(&table->lock);
  return range != NULL;
}
