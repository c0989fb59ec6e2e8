/* labels.c - the places in an object that have names: its symbols, and the targets of branches. */
#include "inspect/labels.h"

#include <stdlib.h>
#include <string.h>

static bool is_before(const struct og_label *x, const struct og_label *y) {
  if (x->section != y->section)
    return x->section < y->section;
  if (x->address != y->address)
    return x->address < y->address;
  return strcmp(x->name, y->name) < 0;
}

/* Tables mostly consist of a few runs that are in order, which this merges. */
static void sort(struct og_label *items, struct og_label *spare, size_t count) {
  size_t half = count / 2;
  if (count < 2)
    return;
  sort(items, spare, half);
  sort(items + half, spare, count - half);
  if (!is_before(&items[half], &items[half - 1]))
    return;
  memcpy(spare, items, half * sizeof *items);
  for (size_t left = 0, right = half, to = 0; left < half;)
    items[to++] = right < count && is_before(&items[right], &spare[left]) ? items[right++] : spare[left++];
}

static void sort_labels(struct og_arena *arena, struct og_labels *labels) {
  sort(labels->items, OG_NEW_ARRAY(arena, struct og_label, labels->count / 2 + 1), labels->count);
}

static bool is_placed(const struct og_object *object, const struct og_symbol *s) {
  return s->section && s->section < object->sections.count && og_is_named(s);
}

const struct og_symbol **og_placed_symbols(struct og_arena *arena, const struct og_object *object, size_t *count) {
  bool dynamic = object->symbols.count <= 1;
  const struct og_symbol *items = dynamic ? object->dynamic_symbols.items : object->symbols.items,
                         *end = items + (dynamic ? object->dynamic_symbols.count : object->symbols.count);
  uint32_t *starts = OG_NEW_ARRAY(arena, uint32_t, object->sections.count + 1); /* where its symbols begin */
  for (const struct og_symbol *s = items + 1; s < end; s++)
    if (is_placed(object, s))
      starts[s->section + 1]++;
  for (uint32_t i = 1; i <= object->sections.count; i++)
    starts[i] += starts[i - 1];
  *count = starts[object->sections.count];
  const struct og_symbol **found = OG_NEW_ARRAY(arena, const struct og_symbol *, *count + 1);
  for (const struct og_symbol *s = items + 1; s < end; s++)
    if (is_placed(object, s))
      found[starts[s->section]++] = s;
  return found;
}

void og_labels_collect(struct og_arena *arena, const struct og_object *object, struct og_labels *labels) {
  size_t count;
  const struct og_symbol **symbols = og_placed_symbols(arena, object, &count);
  OG_RESERVE(arena, labels, count);
  for (size_t i = 0; i < count; i++)
    *OG_PUSH(arena, labels) =
        (struct og_label){symbols[i]->value, symbols[i]->name, symbols[i]->section, symbols[i]->type};
  sort_labels(arena, labels);
}

size_t og_labels_until(const struct og_labels *labels, uint32_t section, uint64_t address) {
  size_t low = 0, high = labels->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const struct og_label *l = &labels->items[middle];
    if (l->section < section || (l->section == section && l->address <= address))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const struct og_label *og_labels_target(const struct og_labels *labels, uint32_t section, uint64_t address) {
  const struct og_label *found = NULL;
  for (size_t i = og_labels_until(labels, section, address); i > 0; i--) {
    const struct og_label *l = &labels->items[i - 1];
    if (l->section != section || l->address != address)
      break;
    found = l->type == STT_NOTYPE ? l : found;
  }
  return found;
}

static int compare_addresses(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

void og_labels_name_targets(struct og_arena *arena, struct og_labels *labels, const struct og_isa *isa,
                            const struct og_object *object, uint32_t section) {
  const struct og_section *s = &object->sections.items[section];
  uint64_t base = og_labels_base(object, section);
  struct { uint64_t *items; uint32_t count, capacity; } targets = {0};
  struct og_inst inst;
  for (size_t at = 0, size; s->data && at < s->size; at += size) {
    size = og_decode(isa, s->data + at, s->size - at, &inst);
    const struct og_operand *branch = size ? og_branch_operand(isa, &inst) : NULL;
    size = size ? size : OG_MIN(s->size - at, 4u);
    uint64_t target = branch ? base + at + 4 + (uint64_t)((int64_t)branch->value * 4) : 0;
    if (branch && !og_labels_target(labels, section, target))
      *OG_PUSH(arena, &targets) = target;
  }
  if (!targets.count)
    return;
  qsort(targets.items, targets.count, sizeof *targets.items, compare_addresses);
  unsigned number = 0;
  for (uint32_t i = 0; i < targets.count; i++)
    if (!i || targets.items[i] != targets.items[i - 1])
      *OG_PUSH(arena, labels) =
          (struct og_label){targets.items[i], og_arena_printf(arena, "L%u", number++), section, STT_NOTYPE};
  sort_labels(arena, labels);
}
