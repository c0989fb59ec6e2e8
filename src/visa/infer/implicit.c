/* implicit.c - identifies the inputs that the compiler adds to a kernel, without a zebin.

   They have this order: offsets of buffers, private memory, the number of dimensions, the number of groups, global,
   local and enqueued local sizes, what is asked about images and samplers. Their variables are numbered in another
   order: behind the header the number of dimensions and the four sizes, then local ids, then all others. */
#include <string.h>

#include "visa/infer/machine.h"

/* Inputs whose kind is known: .implicit_LOCAL_SIZE and .implicit_GROUP_COUNT. */
enum { LOCAL_SIZE_INPUT = 1, GROUP_COUNT_INPUT = 2 };

static const uint8_t triples[] = {OG_VISA_PAYLOAD_GROUP_COUNT, OG_VISA_PAYLOAD_GLOBAL_SIZE, OG_VISA_PAYLOAD_LOCAL_SIZE,
                                  OG_VISA_PAYLOAD_ENQUEUED_LOCAL_SIZE};

/* The index of the nth triple in `mask`. */
static uint32_t nth_triple(uint32_t mask, uint32_t n) {
  for (uint32_t i = 0; i < OG_COUNT(triples); i++)
    if (mask >> i & 1 && n-- == 0)
      return i;
  return OG_COUNT(triples);
}

/* Whether both would give the kernel the same values in the `components` that it reads. Groups at the edge are smaller
   than the enqueued size. */
static bool same_triple(const struct og_visa_dispatch *dispatch, uint32_t a, uint32_t b, uint8_t components) {
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t grid = dispatch->grid[i], group = dispatch->group[i],
             values[OG_COUNT(triples)] = {(uint32_t)(((uint64_t)grid + group - 1) / group), grid, group, group};
    bool edge = grid % group != 0 && a != b &&
                (triples[a] == OG_VISA_PAYLOAD_LOCAL_SIZE || triples[b] == OG_VISA_PAYLOAD_LOCAL_SIZE);
    if (components >> i & 1 && (edge || values[a] != values[b]))
      return false;
  }
  return true;
}

static bool is_triple(const struct og_visa_input *input) {
  return input->class == 'G' && input->size == 12 && !input->implicit;
}

/* Which sizes the `count` inputs of 12 bytes are (`last` is the last of them): a mask of `triples`, or 0 with a
   diagnostic. */
static uint32_t pick_triples(struct og_vi *f, uint32_t count, uint32_t last) {
  uint32_t picked = 0;
  bool enqueued = f->flow.global_ids >> last & 1;
  for (uint32_t mask = 1; mask < 1u << OG_COUNT(triples); mask++) {
    if ((uint32_t)__builtin_popcount(mask) != count || (enqueued && !(mask >> (OG_COUNT(triples) - 1))))
      continue;
    picked = picked ? picked : mask;
    for (uint32_t i = f->at, n = 0; i < f->count; i++) {
      if (!is_triple(&f->inputs[i]))
        continue;
      if (f->flow.used >> i & 1 &&
          !same_triple(f->dispatch, nth_triple(picked, n), nth_triple(mask, n), f->flow.components[i])) {
        og_vi_untold(f, "its inputs do not tell whether it asks for the global size, the local size or the number of "
                        "groups");
        return 0;
      }
      n++;
    }
  }
  if (!picked)
    og_vi_untold(f, "it has %u inputs of 12 bytes", count);
  return picked;
}

/* The number of dimensions, or a buffer's offset, which is 0; OG_VISA_PAYLOAD_OTHER: it is not known which. `sizes`:
   the variable of a size, or 0; `before`: a size still follows. */
static uint8_t small_input(const struct og_vi *f, uint32_t i, uint32_t sizes, bool before) {
  uint32_t variable = f->inputs[i].variable;
  bool added_first = f->header != UINT32_MAX && variable == f->header + 1; /* the place of the number of dimensions */
  if (f->header == UINT32_MAX)
    return OG_VISA_PAYLOAD_OTHER;
  if (sizes || f->first_local_id) {
    if (variable < (sizes ? sizes : f->first_local_id))
      return OG_VISA_PAYLOAD_WORK_DIMENSIONS;
  } else if (added_first) { /* it might be either: an offset is never scaled, compared or stored */
    return f->flow.counted >> i & 1 && !f->images ? OG_VISA_PAYLOAD_WORK_DIMENSIONS : OG_VISA_PAYLOAD_OTHER;
  }
  return before || !f->images ? OG_VISA_PAYLOAD_BUFFER_OFFSET : OG_VISA_PAYLOAD_OTHER;
}

static bool take_one(struct og_vi *f, uint32_t mask, uint32_t first_size, uint32_t *seen, uint32_t count,
                     uint32_t *bases) {
  uint32_t i = f->at++;
  const struct og_visa_input *input = &f->inputs[i];
  bool used = f->flow.used >> i & 1;
  if (input->class != 'G')
    return true;
  if (input->implicit == LOCAL_SIZE_INPUT || input->implicit == GROUP_COUNT_INPUT) {
    og_vi_take(f, input->implicit == LOCAL_SIZE_INPUT ? OG_VISA_PAYLOAD_LOCAL_SIZE : OG_VISA_PAYLOAD_GROUP_COUNT, i,
               -1);
    return true;
  }
  if (input->implicit)
    return og_vi_untold(f, "it has an implicit input of kind %u", input->implicit);
  if (f->header == UINT32_MAX ? used && input->size != 12 : f->is_explicit[i])
    return og_vi_untold(f, "it has an input of %u bytes for an argument that is not given", input->size);
  if (input->size == 12) {
    og_vi_take(f, triples[nth_triple(mask, (*seen)++)], i, -1);
    return true;
  }
  if (used && input->size == 8 && (*bases)++)
    return og_vi_untold(f, "its inputs do not tell which of several addresses is which");
  uint8_t what = !used              ? OG_VISA_PAYLOAD_OTHER
                 : input->size == 8 ? OG_VISA_PAYLOAD_PRIVATE_BASE
                 : input->size == 4 ? small_input(f, i, first_size, *seen < count)
                                    : OG_VISA_PAYLOAD_OTHER;
  if (used && what == OG_VISA_PAYLOAD_OTHER)
    return og_vi_untold(f, "its inputs do not tell what the one of %u bytes at %u is", input->size,
                        (uint32_t)input->offset);
  og_vi_take(f, what, i, -1);
  return true;
}

bool og_vi_take_implicit(struct og_vi *f) {
  uint32_t count = 0, last = 0, first_size = 0, seen = 0, bases = 0;
  for (uint32_t i = f->at; i < f->count; i++)
    if (is_triple(&f->inputs[i])) {
      first_size = count++ ? first_size : f->inputs[i].variable;
      last = i;
    }
  uint32_t mask = count ? pick_triples(f, count, last) : 0;
  if (count && !mask)
    return false;
  while (f->at < f->count)
    if (!take_one(f, mask, first_size, &seen, count, &bases))
      return false;
  return true;
}
