/* rays.c - image_bvh*: one lane's ray against the node of a tree that it names. What nodes say stands in src/texel; ISA
 * manuals, "Ray tracing". ds_bvh.c has the stacks of the nodes that are still to be visited. */
#include "exec/rays.h"

#include "base/floats.h"
#include "exec/modifiers.h"
#include "exec/place.h"
#include "isa/rows.h"
#include "texel/bvh.h"

#include <string.h>

enum kind { ONE_NODE, EIGHT_BOXES, TWO_NODES };
enum { RAY_WORDS_MOST = 12, NARROW_RESULTS = 4 };

struct ray_op {
  uint32_t words[RAY_WORDS_MOST]; /* places: of the node, the extent, the origin, the direction, its inverse */
  uint8_t count;
  uint8_t kind;
  bool is_64;                     /* the node's pointer */
  bool a16;                       /* the direction and its inverse are halves, */
  bool paired;                    /* coordinate by coordinate: what compilers for gfx11 and later emit */
};

static uint32_t word_at(struct og_wave *wave, const struct ray_op *access, unsigned lane, unsigned i) {
  return og_at(wave, access->words[i])[lane];
}

/* The i-th of three coordinates of the direction, then of its inverse. */
static float half_of(struct og_wave *wave, const struct ray_op *access, unsigned lane, unsigned first, unsigned i) {
  unsigned word = access->paired ? i % 3 : i / 2, upper = access->paired ? i / 3 : i % 2;
  return og_half_to_float((uint16_t)(word_at(wave, access, lane, first + word) >> 16 * upper));
}

static struct og_ray read_ray(struct og_wave *wave, const struct ray_op *access, unsigned lane, unsigned at) {
  struct og_ray ray = {.extent = og_float_of_bits(word_at(wave, access, lane, at++))};
  at += access->kind != ONE_NODE; /* the mask */
  for (unsigned i = 0; i < 3; i++) {
    ray.origin[i] = og_float_of_bits(word_at(wave, access, lane, at + i));
    ray.direction[i] = access->a16 ? half_of(wave, access, lane, at + 3, i)
                                   : og_float_of_bits(word_at(wave, access, lane, at + 3 + i));
    if (access->kind == ONE_NODE)
      ray.inverse[i] = (double)(access->a16 ? half_of(wave, access, lane, at + 3, 3 + i)
                                            : og_float_of_bits(word_at(wave, access, lane, at + 6 + i)));
  }
  if (access->kind != ONE_NODE)
    og_ray_invert(&ray);
  return ray;
}

static bool read_node(struct og_wave *wave, const struct og_operation *op, unsigned lane, uint64_t address,
                      unsigned bytes, uint8_t node[OG_BVH_NODE_BYTES_MOST]) {
  struct og_lane_place place = {.space = OG_SPACE_GLOBAL, .address = address};
  for (unsigned at = 0; at < bytes; at += 64, place.address += 64) {
    if (!og_lane_read(wave, op, lane, &place, node + at, 64))
      return false;
    if (wave->counts != NULL)
      og_count_access(wave, OG_SPACE_GLOBAL, false, 1, 64);
  }
  return true;
}

static void put_results(struct og_wave *wave, const struct og_operation *op, unsigned lane, const uint32_t *results,
                        unsigned count) {
  uint32_t *to = og_at(wave, op->d) + lane;
  for (unsigned i = 0; i < count; i++)
    to[i * OG_LANES] = results[i];
}

static bool test_one(struct og_wave *wave, const struct og_operation *op, unsigned lane, const struct og_bvh *bvh) {
  const struct ray_op *access = op->detail;
  uint64_t pointer = word_at(wave, access, lane, 0);
  if (access->is_64)
    pointer |= (uint64_t)word_at(wave, access, lane, 1) << 32;
  struct og_ray ray = read_ray(wave, access, lane, access->is_64 ? 2 : 1);
  uint8_t node[OG_BVH_NODE_BYTES_MOST];
  uint32_t results[NARROW_RESULTS];
  unsigned bytes;
  uint64_t address = og_bvh_node(bvh, pointer, &bytes);
  if (!read_node(wave, op, lane, address, bytes, node))
    return false;
  og_bvh_intersect(bvh, pointer, node, bytes, &ray, results);
  put_results(wave, op, lane, results, NARROW_RESULTS);
  return true;
}

/* The ray as an instance has changed it. */
static void put_ray(struct og_wave *wave, const struct ray_op *access, unsigned lane, const struct og_ray *ray) {
  enum { ORIGIN = 4, DIRECTION = 7 };
  for (unsigned i = 0; i < 3; i++) {
    og_at(wave, access->words[ORIGIN + i])[lane] = og_bits_of_float(ray->origin[i]);
    og_at(wave, access->words[DIRECTION + i])[lane] = og_bits_of_float(ray->direction[i]);
  }
}

static bool test_wide(struct og_wave *wave, const struct og_operation *op, unsigned lane, const struct og_bvh *bvh) {
  const struct ray_op *access = op->detail;
  struct og_bvh_query query = {
      .bvh = bvh, .base = word_at(wave, access, lane, 0) | (uint64_t)word_at(wave, access, lane, 1) << 32,
      .mask = (uint8_t)word_at(wave, access, lane, 3), .ray = read_ray(wave, access, lane, 2)};
  uint8_t nodes[2][OG_BVH_NODE_BYTES_MOST];
  const uint8_t *const read[2] = {nodes[0], nodes[1]};
  uint32_t results[OG_BVH_WIDE_RESULTS];
  unsigned bytes[2], count = access->kind == TWO_NODES ? 2 : 1;
  const char *unknown = NULL;
  for (unsigned i = 0; i < count; i++)
    query.offsets[i] = word_at(wave, access, lane, 10 + i);
  for (unsigned i = 0; i < count; i++) {
    uint64_t address = count == 2 ? og_bvh_dual_node(&query, i, &bytes[i]) : og_bvh8_node(&query, &bytes[i]);
    if (!read_node(wave, op, lane, address, bytes[i], nodes[i]))
      return false;
  }
  if (count == 2)
    og_bvh_dual_intersect(&query, read, bytes, results);
  else
    unknown = og_bvh8_intersect(&query, nodes[0], bytes[0], results);
  if (unknown) {
    og_wave_fault(wave, op, "%s are not executed", unknown);
    return false;
  }
  put_results(wave, op, lane, results, OG_BVH_WIDE_RESULTS);
  put_ray(wave, access, lane, &query.ray);
  return true;
}

static const struct og_operation *test(struct og_wave *wave, const struct og_operation *op) {
  const struct ray_op *access = op->detail;
  struct og_bvh bvh = og_bvh_read(wave->program->target.processor->generation, og_at(wave, op->s[1]));
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    if (!(access->kind == ONE_NODE ? test_one : test_wide)(wave, op, lane, &bvh))
      return &og_stop;
  }
  return og_next(op);
}

static const struct og_operation *image_bvh(struct og_wave *wave, const struct og_operation *op) {
  return og_outside_mode(wave, op, test);
}

const char *og_ray_bound(const struct og_operation *op) {
  return og_handler_of(op) == image_bvh ? "rounding of intersections not documented" : NULL;
}

static bool place_words(const struct og_inst *inst, struct ray_op *access) {
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *operand = &inst->operands[i];
    uint32_t first;
    if (!og_is_image_address((enum og_role)operand->role))
      continue;
    if (operand->dwords > RAY_WORDS_MOST - access->count || !og_place_vector(operand, operand->dwords, &first))
      return false;
    for (unsigned word = 0; word < operand->dwords; word++)
      access->words[access->count++] = first + word * OG_AT_ROW;
  }
  return true;
}

bool og_prepare_ray(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct og_form *form = og_form(program->isa, inst->form);
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  struct ray_op *access = OG_NEW(program->arena, struct ray_op);
  uint64_t ignored;
  unsigned kind = inst->row == OG_ROW_IMAGE_BVH8_INTERSECT_RAY       ? EIGHT_BOXES
                  : inst->row == OG_ROW_IMAGE_BVH_DUAL_INTERSECT_RAY ? TWO_NODES
                                                                     : ONE_NODE;
  *access = (struct ray_op){.kind = (uint8_t)kind,
                            .is_64 = form->address & OG_IMAGE_NODE64,
                            .a16 = inst->mod[OG_MOD_A16],
                            .paired = program->target.processor->generation >= OG_GFX11};
  unsigned wanted = kind == TWO_NODES ? 12 : kind == EIGHT_BOXES ? 11 : (access->is_64 ? 12 : 11) - 3 * access->a16;
  op->detail = access;
  op->handler = image_bvh;
  return data && og_obeys(program, inst, OG_MODS(A16)) && place_words(inst, access) && access->count >= wanted &&
         og_place_vector(data, data->dwords, &op->d) &&
         og_place_scalar(og_operand(inst, OG_ROLE_SRSRC), 4, &op->s[1], &ignored);
}
