/* brought.c - instructions that -mattr adds to a processor, taken from the tables of other generations. */
#include <string.h>

#include "isa/internal.h"

/* The features that the target has and its processor has not, as bits of og_form.needs; false if there are none. */
static bool brought_features(const struct og_target *target, uint64_t bits[2]) {
  const struct og_feature_set *own = &target->processor->features;
  bool any = false;
  for (size_t i = 0; i < OG_COUNT(own->bits); i++)
    any |= (target->features.bits[i] & ~own->bits[i]) != 0;
  for (unsigned i = 0; any && i < og_needed_features_count; i++) {
    if (og_has_feature(&target->features, og_needed_features[i]) && !og_has_feature(own, og_needed_features[i]))
      bits[(OG_NEED_FEATURES + i) / 64] |= UINT64_C(1) << (OG_NEED_FEATURES + i) % 64;
  }
  return bits[0] | bits[1];
}

/* Taken from another generation that has the same encodings. */
static void add_generation(const struct og_target *target, enum og_generation generation, bool marks,
                           const uint64_t bits[2], struct og_brought *out) {
  bool alike = false;
  for (size_t i = 0; i < og_processor_count(); i++)
    alike |= og_processor_at(i)->generation == generation && og_processor_at(i)->major == target->processor->major;
  struct og_isa *isa = &out->isas[out->count];
  if (!alike || generation == target->processor->generation || !og_isa_from(target, generation, isa))
    return;
  const struct og_isa *own = og_isa_of(target->processor->generation, target->wave_size);
  isa->gfx90a = own->gfx90a; /* cache words and register classes are the target's */
  isa->gfx940 = own->gfx940;
  isa->gfx1250 = own->gfx1250;
  isa->marks = marks;
  memcpy(isa->brought, bits, sizeof isa->brought);
  out->count++;
}

void og_brought_by(const struct og_target *target, bool marks, struct og_brought *out) {
  uint64_t bits[2] = {0};
  *out = (struct og_brought){0};
  if (!brought_features(target, bits))
    return;
  int own = target->processor->generation; /* the nearest generation comes first */
  for (int distance = 1; distance < OG_GENERATION_COUNT; distance++) {
    if (own + distance < OG_GENERATION_COUNT && out->count < OG_COUNT(out->isas))
      add_generation(target, (enum og_generation)(own + distance), marks, bits, out);
    if (own - distance > OG_R600 && out->count < OG_COUNT(out->isas))
      add_generation(target, (enum og_generation)(own - distance), marks, bits, out);
  }
}

/* ---- disassemblers ----------------------------------------------------------------------------------------------- */

bool og_reader_for(const struct og_target *target, struct og_reader *reader) {
  struct og_target read = *target;
  read.mixed_waves = false; /* for both LLVM reads waves of 32, but for gfx1250's masks */
  if (!og_isa_for(&read, &reader->own))
    return false;
  if (target->mixed_waves && target->processor->generation >= OG_GFX1250)
    reader->own.wave = 64;
  reader->own.marks = true;
  og_brought_by(&read, true, &reader->brought);
  return true;
}

size_t og_read_inst(const struct og_reader *reader, const uint8_t *code, size_t size, struct og_inst *inst,
                    const struct og_isa **isa) {
  *isa = &reader->own;
  size_t length = og_decode(*isa, code, size, inst);
  for (unsigned i = 0; !length && i < reader->brought.count; i++) {
    *isa = &reader->brought.isas[i];
    length = og_decode(*isa, code, size, inst);
    if (length && !og_is_brought(*isa, og_form(*isa, inst->form)))
      length = 0;
  }
  return length;
}
