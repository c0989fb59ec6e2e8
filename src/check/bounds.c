/* bounds.c - accesses that hardware takes although they are mistakes: behind the LDS that the work-group asked for, and
 * beyond a buffer's descriptor. What is outside every allocation ends the run by itself: og_check_fault() makes a
 * finding of it. */
#include "check/internal.h"

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, unsigned lane,
                 const char *does) {
  struct og_finding *finding = og_check_find(watch, OG_CHECK_BOUNDS, wave, og_pc(wave->program, op), 0, (int)lane);
  if (!finding->does)
    finding->does = does;
}

/* The object of LDS that has a byte; NULL: none. `before`: the last one that begins in front of it. */
static const struct og_lds_object *object_at(const struct og_watch *watch, uint64_t at, const struct og_lds_object **before) {
  *before = NULL;
  for (uint32_t i = 0; i < watch->object_count && watch->objects[i].first <= at; i++) {
    if (at < watch->objects[i].end)
      return &watch->objects[i];
    *before = &watch->objects[i];
  }
  return NULL;
}

bool og_check_within_object(const struct og_watch *watch, const struct og_places *places) {
  bool within = true;
  for (unsigned p = 0; p < places->pieces && within; p++) {
    const struct og_lds_object *before, *object = object_at(watch, (uint64_t)places->base->least + places->add[p], &before);
    within = object && (uint64_t)places->base->most + places->add[p] + places->size <= object->end;
  }
  return within;
}

/* Where a byte is that no object has, by the object that is nearest. */
static const char *nearest(const struct og_watch *watch, uint64_t at, const struct og_lds_object *before) {
  const struct og_lds_object *next = before ? before + 1 : watch->objects, *end = watch->objects + watch->object_count;
  if (next < end && (!before || next->first - at < at - before->end))
    return og_arena_printf(watch->arena, "%llu bytes in front of '%s'", (unsigned long long)(next->first - at), next->name);
  return og_arena_printf(watch->arena, "%llu bytes behind the end of '%s'", (unsigned long long)(at - before->end), before->name);
}

/* Bytes that no object has, though the work-group has them. An access from object to object is one of several together. */
static bool tell_object(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, const struct og_known *known,
                        uint64_t address, unsigned size, unsigned lane) {
  const struct og_lds_object *before, *object;
  uint64_t at = address;
  while (at < address + size && (object = object_at(watch, at, &before)))
    at = object->end;
  if (at >= address + size)
    return false;
  tell(watch, wave, op, lane,
       og_arena_printf(watch->arena, "%s %u bytes at 0x%llx of LDS, which no object has: %s",
                       known->memory->access == OG_MOVES_LOAD ? "reads" : "writes", size, (unsigned long long)address,
                       nearest(watch, at, before)));
  return true;
}

/* Behind all LDS, or by an address below 0 in front of it; "" where no objects are known. */
static const char *from_outer(const struct og_watch *watch, uint64_t address) {
  if (!watch->object_count)
    return "";
  const struct og_lds_object *first = watch->objects, *last = &watch->objects[watch->object_count - 1];
  bool below = (int32_t)address < 0;
  return og_arena_printf(watch->arena, ": %llu bytes %s '%s'",
                         below ? (unsigned long long)first->first - (unsigned long long)(int32_t)address
                               : (unsigned long long)(OG_MAX(address, last->end) - last->end),
                         below ? "in front of" : "behind the end of", below ? first->name : last->name);
}

/* What is rounded up belongs to nobody. */
static void check_lds(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known, struct og_places *places) {
  og_check_widen(places);
  for (uint64_t lanes = places->lanes[OG_SPACE_LDS]; lanes; lanes &= lanes - 1)
    for (unsigned p = 0, i = (unsigned)__builtin_ctzll(lanes); p < places->pieces; p++) {
      if (places->address[p][i] + places->size > wave->group->dispatch->group_bytes) {
        tell(watch, wave, op, i,
             og_arena_printf(watch->arena, "%s %u bytes at 0x%llx of LDS, of which the work-group has %u bytes%s",
                             known->memory->access == OG_MOVES_LOAD ? "reads" : "writes", places->size,
                             (unsigned long long)places->address[p][i], wave->group->dispatch->group_bytes,
                             from_outer(watch, places->address[p][i])));
        return;
      } else if (watch->object_count &&
                 tell_object(watch, wave, op, known, places->address[p][i], places->size, i)) {
        return;
      }
    }
}

void og_check_bounds(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places) {
  if (places->lanes[OG_SPACE_LDS])
    check_lds(watch, wave, op, known, places);
  if (places->outside)
    tell(watch, wave, op, (unsigned)__builtin_ctzll(places->outside),
         known->memory->space == OG_IN_BUFFER
             ? known->memory->access == OG_MOVES_LOAD
                   ? "reads beyond the buffer that its descriptor says; hardware yields 0"
                   : "writes beyond the buffer that its descriptor says; hardware drops it"
             : "goes beyond the LDS that M0 allows; reads yield 0, writes are dropped");
}
