/* bounds.c - accesses that hardware accepts though they are mistakes: beyond the work-group's LDS, or outside the range
 * that a buffer's or image's descriptor gives. Accesses outside every allocation end the run anyway; og_check_fault()
 * makes findings of them. */
#include "check/internal.h"
#include "exec/image.h"

/* Counts a mistake. Returns the finding if it is new and needs its text, else NULL. */
static struct og_finding *first(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                                unsigned lane) {
  struct og_finding *finding = og_check_find(watch, OG_CHECK_BOUNDS, wave, og_pc(wave->program, op), 0, (int)lane);
  return finding->does ? NULL : finding;
}

/* The LDS object that contains a byte; NULL: none. */
static const struct og_lds_object *object_at(const struct og_watch *watch, uint64_t at) {
  for (uint32_t i = 0; i < watch->object_count && watch->objects[i].first <= at; i++)
    if (at < watch->objects[i].end)
      return &watch->objects[i];
  return NULL;
}

bool og_check_within_object(const struct og_watch *watch, const struct og_places *places) {
  bool within = true;
  for (unsigned p = 0; p < places->pieces && within; p++) {
    const struct og_lds_object *object = object_at(watch, (uint64_t)places->base->least + places->add[p]);
    within = object && (uint64_t)places->base->most + places->add[p] + places->size <= object->end;
  }
  return within;
}

/* Bytes in the work-group's LDS but in no object. An access from one object to the next is several merged ones. */
static bool tell_object(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, bool writes,
                        uint64_t address, unsigned size, unsigned lane) {
  uint64_t at = og_objects_gap(watch->objects, watch->object_count, address);
  if (at >= address + size)
    return false;
  struct og_finding *finding = first(watch, wave, op, lane);
  if (!finding)
    return true;
  finding->address = address, finding->has_address = true;
  finding->does = og_arena_printf(watch->arena, "%s %u bytes at 0x%llx of LDS, which no object has: %s",
                                  writes ? "writes" : "reads", size, (unsigned long long)address,
                                  og_objects_nearest(watch->arena, watch->objects, watch->object_count, at));
  return true;
}

/* Says that an access is beyond all LDS, or before it by a negative address; "" if no objects are known. */
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

static void tell_behind(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, bool writes,
                        uint64_t address, unsigned size, unsigned lane) {
  struct og_finding *finding = first(watch, wave, op, lane);
  if (!finding)
    return;
  finding->address = address, finding->has_address = true;
  finding->does = og_arena_printf(watch->arena, "%s %u bytes at 0x%llx of LDS, of which the work-group has %u bytes%s",
                                  writes ? "writes" : "reads", size, (unsigned long long)address,
                                  wave->group->dispatch->group_bytes, from_outer(watch, address));
}

void og_check_bounds_lds(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, bool writes,
                         uint64_t address, unsigned size, unsigned lane) {
  if (address + size > wave->group->dispatch->group_bytes)
    tell_behind(watch, wave, op, writes, address, size, lane);
  else
    tell_object(watch, wave, op, writes, address, size, lane);
}

/* Bytes that were added by rounding up belong to no object. */
static void check_lds(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known, struct og_places *places) {
  bool writes = known->memory->access != OG_MOVES_LOAD;
  og_check_widen(places);
  for (uint64_t lanes = places->lanes[OG_SPACE_LDS]; lanes; lanes &= lanes - 1)
    for (unsigned p = 0, i = (unsigned)__builtin_ctzll(lanes); p < places->pieces; p++) {
      if (places->address[p][i] + places->size > wave->group->dispatch->group_bytes) {
        tell_behind(watch, wave, op, writes, places->address[p][i], places->size, i);
        return;
      } else if (watch->object_count &&
                 tell_object(watch, wave, op, writes, places->address[p][i], places->size, i)) {
        return;
      }
    }
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

static const char *beyond_buffer(const struct og_known *known) {
  return known->memory->access == OG_MOVES_LOAD
             ? "reads beyond the buffer that its descriptor says; hardware yields 0"
             : "writes beyond the buffer that its descriptor says; hardware drops it";
}

static const char *registers_of(struct og_watch *watch, const struct og_inst *inst) {
  const struct og_operand *resource = og_operand(inst, OG_ROLE_SRSRC);
  if (!resource || resource->kind != OG_OPERAND_SGPR)
    return "";
  return og_arena_printf(watch->arena, " that s[%u:%u] describes", resource->reg,
                         resource->reg + resource->dwords - 1u);
}

static const char *beyond_image(struct og_watch *watch, const struct og_known *known,
                                const struct og_image_miss *miss) {
  const char *level =
      miss->level && *miss->coordinate != 'm' ? og_arena_printf(watch->arena, " at mip level %u", miss->level) : "";
  bool loads = known->memory->access == OG_MOVES_LOAD;
  return og_arena_printf(watch->arena, "%s %s %lld of the image%s, which has %lld%s; hardware %s",
                         loads ? "reads" : "writes", miss->coordinate, (long long)miss->is,
                         registers_of(watch, known->inst), (long long)miss->end, level,
                         loads ? "yields 0" : "drops it");
}

enum og_check_described og_check_described(const struct og_form *form, const struct og_inst *inst,
                                           const struct og_memory *memory) {
  if (memory->access != OG_MOVES_LOAD && memory->access != OG_MOVES_STORE && memory->access != OG_MOVES_ATOMIC)
    return OG_UNDESCRIBED;
  if (memory->space == OG_IN_IMAGE) /* a sampler's look-ups are clamped to the image or its border */
    return og_operand(inst, OG_ROLE_SSAMP) || form->address & (OG_IMAGE_NO_COORDINATES | OG_IMAGE_RAY)
               ? OG_UNDESCRIBED
               : OG_DESCRIBED_IMAGE;
  bool buffer = memory->space == OG_IN_BUFFER || memory->space == OG_IN_TYPED;
  return buffer && memory->number == OG_VALUE_FORMAT ? OG_DESCRIBED_FORMAT : OG_UNDESCRIBED;
}

void og_check_bounds_described(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                               const struct og_known *known) {
  struct og_image_miss miss;
  int lane = known->described == OG_DESCRIBED_IMAGE ? og_image_miss(wave, op, &miss) : -1;
  struct og_finding *finding = lane >= 0 ? first(watch, wave, op, (unsigned)lane) : NULL;
  if (finding)
    finding->does = beyond_image(watch, known, &miss);
  for (uint64_t lanes = known->described == OG_DESCRIBED_FORMAT ? og_active(wave) : 0; lanes; lanes &= lanes - 1)
    if (og_lane_place(wave, op, (unsigned)__builtin_ctzll(lanes), 0).outside) {
      if ((finding = first(watch, wave, op, (unsigned)__builtin_ctzll(lanes))))
        finding->does = beyond_buffer(known);
      return;
    }
}

void og_check_bounds(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places) {
  if (places->lanes[OG_SPACE_LDS])
    check_lds(watch, wave, op, known, places);
  struct og_finding *finding =
      places->outside ? first(watch, wave, op, (unsigned)__builtin_ctzll(places->outside)) : NULL;
  if (finding)
    finding->does = known->memory->space == OG_IN_BUFFER
                        ? beyond_buffer(known)
                        : "goes beyond the LDS that M0 allows; reads yield 0, writes are dropped";
}
