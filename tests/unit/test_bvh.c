/* Rays: what resources of trees say, the order of children, culling, and what nodes of every kind mean that a walk
 * through a whole tree (tests/programs/rays.py) does not settle; the stacks in LDS. */
#include "assembled_fixture.h"

#include "texel/bvh.h"

#include <math.h>

#include "base/floats.h"

enum { NODE = 128, V_ADDRESS = 8, S_TREE = 4 };

static uint8_t *node_at(unsigned at) { return memory + 4096 + at; }
static void put_float(uint8_t *at, float value) { memcpy(at, &value, 4); }
static uint32_t bits(float value) { return og_bits_of_float(value); }

/* A resource, by bits. */
static void resource(uint32_t words[4], const uint8_t *set, unsigned count) {
  memset(words, 0, 16);
  words[2] = words[3] = 0;
  words[3] = 8u << 28 | 0x3ff;
  words[2] = UINT32_MAX;
  for (unsigned i = 0; i < count; i++)
    words[set[i] / 32] |= 1u << set[i] % 32;
}
#define RESOURCE(words, ...) resource(words, (const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}))
enum { SORTS = 63, LARGEST = 53, MIDPOINT = 54, FIRST = 52, FLAGS = 119, BARYCENTRICS = 120, EXPONENTS = 116,
      WIDE = 117 };

static struct og_ray ray_of(float x, float y, float z, float dx, float dy, float dz, float extent) {
  struct og_ray ray = {.origin = {x, y, z}, .direction = {dx, dy, dz}, .extent = extent};
  og_ray_invert(&ray);
  return ray;
}

static void box(uint8_t *node, unsigned i, uint32_t pointer, float low, float high) {
  memcpy(node + 4 * i, &pointer, 4);
  for (unsigned j = 0; j < 6; j++)
    put_float(node + 16 + 24 * i + 4 * j, j == 0 ? low : j == 3 ? high : j < 3 ? -1.0f : 1.0f);
}

static void test_resources_by_generation(void **state) {
  (void)state;
  static const struct {
    enum og_generation generation;
    bool order, flags, wide;
  } rows[] = {{OG_GFX10_3, false, false, false}, {OG_GFX11, true, true, false}, {OG_GFX12, true, true, true}};
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    uint32_t words[4];
    RESOURCE(words, SORTS, MIDPOINT, FIRST, FLAGS, BARYCENTRICS, EXPONENTS, WIDE, 55, 57, 0, 39, 115, 118);
    struct og_bvh bvh = og_bvh_read(rows[i].generation, words);
    assert_int_equal(bvh.base, 1ull << 47 | 1 << 8);
    assert_int_equal(bvh.last, (1ull << 42) - 1);
    assert_int_equal(bvh.grow, 5);
    assert_true(bvh.sorts && bvh.barycentrics);
    assert_int_equal(bvh.order, rows[i].order ? OG_BVH_MIDPOINT : OG_BVH_CLOSEST);
    assert_int_equal(bvh.has_flags, rows[i].flags);
    assert_int_equal(bvh.sorts_wide && bvh.exponents && bvh.compressed && bvh.instances && bvh.triangles_first,
                     rows[i].wide);
  }
}

static void test_children_come_in_the_order_asked_for(void **state) {
  (void)state;
  /* From x 0 on along x: a far one, a long one, one behind, a near one; then as the resource says. */
  static const struct {
    uint8_t bit;
    uint32_t want[4];
  } rows[] = {
      {SORTS, {24 | 5, 40 | 5, 8 | 5, UINT32_MAX}}, /* near, long, far */
      {LARGEST, {24 | 5, 8 | 5, 40 | 5, UINT32_MAX}},
      {MIDPOINT, {40 | 5, 24 | 5, 8 | 5, UINT32_MAX}},
      {0, {8 | 5, 24 | 5, UINT32_MAX, 40 | 5}},
  };
  struct og_ray ray = ray_of(0, 0, 0, 1, 0, 0, 100);
  memset(node_at(0), 0, NODE);
  box(node_at(0), 0, 8 | 5, 8, 9);
  box(node_at(0), 1, 24 | 5, -1, 7);
  box(node_at(0), 2, 32 | 5, -5, -4);
  box(node_at(0), 3, 40 | 5, 2, 3);
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    uint32_t words[4], got[4];
    RESOURCE(words, rows[i].bit ? SORTS : 127, rows[i].bit ? rows[i].bit : 127);
    struct og_bvh bvh = og_bvh_read(OG_GFX12, words);
    og_bvh_intersect(&bvh, OG_BVH_BOX, node_at(0), NODE, &ray, got);
    assert_memory_equal(got, rows[i].want, sizeof got);
  }
}

static void test_triangles_may_come_first(void **state) {
  (void)state;
  uint32_t words[4], got[4];
  struct og_ray ray = ray_of(0, 0, 0, 1, 0, 0, 100);
  memset(node_at(0), 0, NODE);
  box(node_at(0), 0, 8 | 5, 1, 2);
  box(node_at(0), 1, 16 | 1, 5, 6);
  box(node_at(0), 2, 24 | 4, 3, 4);
  box(node_at(0), 3, 32, 4, 5);
  RESOURCE(words, SORTS, FIRST);
  struct og_bvh bvh = og_bvh_read(OG_GFX12, words);
  og_bvh_intersect(&bvh, OG_BVH_BOX, node_at(0), NODE, &ray, got);
  assert_memory_equal(got, ((uint32_t[]){32, 16 | 1, 8 | 5, 24 | 4}), sizeof got);
}

/* Bounds that are no numbers, extents, a ray within a plane, one that begins inside, and the ULPs that a box grows
 * by. */
static void test_boxes_at_their_edges(void **state) {
  (void)state;
  const float beyond = nextafterf(3, 4);
  const struct {
    struct og_ray ray;
    float low, high;
    uint8_t grow;
    bool want;
  } rows[] = {
      {ray_of(0, 0, 0, 1, 0, 0, 10), NAN, 4, 0, false}, {ray_of(0, 0, 0, 1, 0, 0, 10), 2, NAN, 0, false},
      {ray_of(0, 0, 0, 1, 0, 0, 2), 2, 4, 0, true},     {ray_of(0, 0, 0, 1, 0, 0, 1.5f), 2, 4, 0, false},
      {ray_of(0, 1, 0, 1, 0, 0, 10), 2, 4, 0, true},    {ray_of(0, 1, -1, 1, 0, 0, 10), 2, 4, 0, true},
      {ray_of(0, 1.5f, 0, 1, 0, 0, 10), 2, 4, 0, false}, {ray_of(3, 0, 0, 1, 0, 0, 10), 2, 4, 0, true},
      {ray_of(3, 0, 0, -1, 0, 0, 10), 2, 4, 0, true},   {ray_of(5, 0, 0, 1, 0, 0, 10), 2, 4, 0, false},
      {ray_of(0, 0, 0, 0, 0, 0, 10), -1, 4, 0, true},   {ray_of(0, 0, 0, NAN, 0, 0, 10), -1, 4, 0, false},
      {ray_of(0, 0, 0, 1, 0, 0, 3), beyond, 4, 0, false}, {ray_of(0, 0, 0, 1, 0, 0, 3), beyond, 4, 2, true},
      {ray_of(0, 0, 0, 1, 0, 0, INFINITY), 4, 2, 0, false},
  };
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    uint32_t got[4];
    struct og_bvh bvh = {.last = UINT64_MAX, .grow = rows[i].grow};
    memset(node_at(0), 0xff, NODE);
    box(node_at(0), 0, 40, rows[i].low, rows[i].high);
    og_bvh_intersect(&bvh, OG_BVH_BOX, node_at(0), NODE, &rows[i].ray, got);
    if ((got[0] == 40) != rows[i].want)
      fail_msg("row %zu", i);
    assert_int_equal(got[1], UINT32_MAX);
  }
}

/* Boxes with an exponent for each coordinate hold what was cut to fit into them, and not much more. */
static void test_boxes_with_exponents_grow_outward(void **state) {
  (void)state;
  for (unsigned round = 0; round < 2000; round++) {
    float low = ldexpf((float)draw() - 0x1p23f, (int)(draw() % 20) - 20),
          high = low + ldexpf((float)draw(), (int)(draw() % 20) - 24);
    float most = fmaxf(fabsf(low), fabsf(high));
    uint32_t exponent = bits(most) >> 23, blocks[2];
    for (unsigned i = 0; i < 2; i++) {
      float x = i ? high : low;
      blocks[i] = (uint32_t)ldexp(fabs((double)x), 127 + 16 - (int)exponent) | (uint32_t)(x < 0) << 17;
    }
    uint8_t *node = node_at(0);
    memset(node, 0, 64);
    uint32_t head[3] = {64 >> 6, 2 | 2 << 3 | 2 << 6 | exponent << 24, 127 | 127 << 8}; /* one child, of type 0 */
    memcpy(node, head, 10);
    for (unsigned i = 0; i < 6; i++) { /* x, then -1 and 1 of y and z */
      uint32_t block = i % 3 == 0 ? blocks[i / 3] : 0x10000u | (i < 3 ? 0x20000u : 0);
      for (unsigned bit = 0; bit < 18; bit++) {
        unsigned at = 80 + 18 * i + bit;
        node[at / 8] = (uint8_t)(node[at / 8] | (block >> bit & 1) << at % 8);
      }
    }
    struct og_bvh bvh = {.last = UINT64_MAX, .exponents = true};
    const double step = ldexp(1, (int)exponent - 127 - 16);
    const struct {
      double x;
      bool want;
    } probes[] = {{(double)low, true},
                  {(double)high, true},
                  {(double)low - 1.01 * step, false},
                  {(double)high + 1.01 * step, false}};
    for (unsigned i = 0; i < OG_COUNT(probes); i++) {
      struct og_ray ray = ray_of((float)probes[i].x, 0, -5, 0, 0, 1, 100);
      double probe = (double)ray.origin[0];
      bool sure = i < 2 || probe < (double)low - 1.005 * step || probe > (double)high + 1.005 * step;
      uint32_t got[4];
      og_bvh_intersect(&bvh, OG_BVH_BOX_SMALL, node, 64, &ray, got);
      if (sure && (got[0] != UINT32_MAX) != probes[i].want)
        fail_msg("round %u: %a to %a, probe %u at %a", round, (double)low, (double)high, i, probe);
    }
  }
}

static void triangle(uint8_t *node, uint32_t word) {
  static const float corners[5][3] = {{0, 0, 4}, {1, 0, 4}, {0, 1, 4}, {1, 1, 4}, {0, 2, 4}};
  memcpy(node, corners, sizeof corners);
  memcpy(node + 60, &word, 4);
}

static void test_triangles_tell_numbers_or_weights(void **state) {
  (void)state;
  uint32_t got[4];
  struct og_bvh bvh = {.last = UINT64_MAX};
  triangle(node_at(0), 0x04090609);
  struct og_ray ray = ray_of(0.25f, 0.5f, 0, 0, 0, 2, 100), far = ray_of(0.25f, 0.5f, 8, 0, 0, 2, 100);
  og_bvh_intersect(&bvh, OG_BVH_TRIANGLE_0, node_at(0), 64, &ray, got);
  assert_true(og_float_of_bits(got[0]) / og_float_of_bits(got[1]) == 2);
  assert_int_equal(got[2], 0x04090609);
  assert_int_equal(got[3], 1);
  og_bvh_intersect(&bvh, OG_BVH_TRIANGLE_0, node_at(0), 64, &far, got); /* it is behind */
  assert_memory_equal(got, ((uint32_t[]){bits(INFINITY), bits(1), 0x04090609, 0}), sizeof got);
  bvh.barycentrics = true;
  static const struct {
    float x, y, i, j;
  } rows[3] = {{0.25f, 0.5f, 0.25f, 0.5f}, {0.875f, 0.5f, 0.125f, 0.375f}, {0.25f, 1.5f, 0.25f, 0.5f}};
  for (unsigned type = 0; type < 3; type++) { /* of the second one the word takes I from the third vertex, J from the
                                                 second */
    struct og_ray at = ray_of(rows[type].x, rows[type].y, 0, 0, 0, 1, 100);
    og_bvh_intersect(&bvh, type, node_at(0), 64, &at, got);
    float over = og_float_of_bits(got[1]);
    assert_true(og_float_of_bits(got[0]) / over == 4);
    assert_true(og_float_of_bits(got[2]) / over == rows[type].i && og_float_of_bits(got[3]) / over == rows[type].j);
  }
  struct og_ray at = ray_of(0, 0.5f, 0, 0, 0, 1, 100); /* the fourth one has no area */
  og_bvh_intersect(&bvh, OG_BVH_TRIANGLE_3, node_at(0), 64, &at, got);
  assert_memory_equal(got, ((uint32_t[]){bits(INFINITY), bits(1), 0, 0}), sizeof got);
}

/* Which of four triangles, seen from the front or the back, opaque or not, a flag of the pointer hides. */
static void test_flags_cull(void **state) {
  (void)state;
  enum { OPAQUE = 128, DOUBLE = 16 };
  static const struct {
    uint64_t flags;
    bool back, opaque, two_sided, hidden;
  } rows[] = {
      {0, false, false, false, false},
      {1ull << OG_BVH_CULL_BACK, true, false, false, true},
      {1ull << OG_BVH_CULL_BACK, false, false, false, false},
      {1ull << OG_BVH_CULL_FRONT, false, false, false, true},
      {1ull << OG_BVH_CULL_BACK, true, false, true, false},
      {1ull << OG_BVH_CULL_BACK | 1ull << OG_BVH_NO_FACE_CULL, true, false, false, false},
      {1ull << OG_BVH_CULL_BACK | 1ull << OG_BVH_FLIP, true, false, false, false},
      {1ull << OG_BVH_CULL_BACK | 1ull << OG_BVH_FLIP, false, false, false, true},
      {1ull << OG_BVH_CULL_OPAQUE, false, true, false, true},
      {1ull << OG_BVH_CULL_OPAQUE, false, false, false, false},
      {1ull << OG_BVH_CULL_OPAQUE | 1ull << OG_BVH_FORCE_OPAQUE, false, false, false, true},
      {1ull << OG_BVH_CULL_OPAQUE | 1ull << OG_BVH_FORCE_NOT_OPAQUE, false, true, false, false},
      {1ull << OG_BVH_CULL_NOT_OPAQUE, false, false, false, true},
      {1ull << OG_BVH_SKIP_TRIANGLES, false, true, true, true},
  };
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    uint32_t got[4];
    triangle(node_at(0), 9 | (rows[i].opaque ? OPAQUE : 0) | (rows[i].two_sided ? DOUBLE : 0));
    struct og_ray front = ray_of(0.25f, 0.5f, 8, 0, 0, -1, 100), back = ray_of(0.25f, 0.5f, 0, 0, 0, 1, 100);
    struct og_bvh bvh = {.last = UINT64_MAX, .has_flags = true};
    og_bvh_intersect(&bvh, rows[i].flags, node_at(0), 64, rows[i].back ? &back : &front, got);
    if ((got[3] == 0) != rows[i].hidden)
      fail_msg("row %zu", i);
  }
}

static void test_nodes_that_are_none_yield_ones(void **state) {
  (void)state;
  uint32_t words[4] = {0, 0, 3, 8u << 28}; /* 256 bytes */
  struct og_bvh bvh = og_bvh_read(OG_GFX10_3, words);
  static const struct {
    uint64_t pointer;
    unsigned bytes;
  } rows[] = {{0, 64}, {24, 64}, {32, 0}, {5, 128}, {16 | 5, 128}, {24 | 5, 0}, {6, 0}, {7, 0}, {UINT32_MAX, 0},
              {16 | 4, 64}};
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    unsigned bytes;
    assert_int_equal(og_bvh_node(&bvh, rows[i].pointer, &bytes), (rows[i].pointer & ~7ull) << 3);
    assert_int_equal(bytes, rows[i].bytes);
  }
}

/* ---- stacks ------------------------------------------------------------------------------------------------------ */

/* One lane's stack: pushes these words, of which the first one is the nearest. */
static uint32_t step(uint32_t *address, uint32_t last, const uint32_t *data, unsigned count, const char *text) {
  for (unsigned i = 0; i < count; i++)
    wave->v[3 + i][0] = data[i];
  wave->v[1][0] = *address, wave->v[2][0] = last;
  run(text);
  *address = wave->v[1][0];
  return wave->v[0][0];
}

static void test_stacks_give_back_the_nearest_first(void **state) {
  (void)state;
  static const char *const texts[2] = {"ds_bvh_stack_rtn_b32 v0, v1, v2, v[3:6] offset:0",
                                       "ds_bvh_stack_push4_pop1_rtn_b32 v0, v1, v2, v[3:6] offset:8"};
  for (unsigned is_12 = 0; is_12 < 2; is_12++) {
    const uint32_t none = UINT32_MAX, empty = none - 1, nothing[4] = {none, none, none, is_12 ? 0xfffffff9 : none};
    use(is_12 ? "gfx1201" : "gfx1100");
    uint32_t address = 5u << (is_12 ? 15 : 18);
    assert_int_equal(step(&address, none, (uint32_t[]){1, 2, 3, none}, 4, texts[is_12]), 1);
    assert_int_equal(og_load32(lds + OG_LDS_MARGIN + 4 * 5), 3); /* entries are 32 dwords apart */
    assert_int_equal(og_load32(lds + OG_LDS_MARGIN + 4 * 5 + 128), 2);
    assert_int_equal(step(&address, none, (uint32_t[]){4, none, none, none}, 4, texts[is_12]), 4);
    assert_int_equal(step(&address, is_12 ? none : empty, nothing, 4, texts[is_12]), 2);
    assert_int_equal(step(&address, none, nothing, 4, texts[is_12]), 3);
    assert_int_equal(step(&address, none, nothing, 4, texts[is_12]), empty);
    assert_int_equal(address >> (is_12 ? 15 : 18), 5);
    /* On the way back from 2 only what is behind it. */
    assert_int_equal(step(&address, 2, (uint32_t[]){1, 2, 3, 4}, 4, texts[is_12]), 3);
    assert_int_equal(step(&address, none, nothing, 4, texts[is_12]), 4);
    assert_int_equal(step(&address, 1, (uint32_t[]){1, none, none, none}, 4, texts[is_12]), empty);
    /* Eight entries: of ten two are lost, and where they were nothing is found. */
    for (uint32_t i = 0; i < 10; i++)
      step(&address, none, (uint32_t[]){100, 10 + i, none, none}, 4, texts[is_12]);
    for (uint32_t i = 10; i-- > 2;)
      assert_int_equal(step(&address, none, nothing, 4, texts[is_12]), 10 + i);
    assert_int_equal(step(&address, none, nothing, 4, texts[is_12]), none);
  }
}

static void test_wide_stacks_know_two_trees(void **state) {
  (void)state;
  enum { CAME_UP = 31, TWO_TREES = 29 };
  const char *text = "ds_bvh_stack_push8_pop1_rtn_b32 v0, v1, v2, v[3:10] offset:16";
  const uint32_t none = UINT32_MAX, skip = 0xfffffff9, nothing[8] = {none, none, none, none, none, none, none, skip};
  use("gfx1201");
  uint32_t address = 0;
  assert_int_equal(step(&address, none, (uint32_t[]){1, 2, 3, none, none, none, none, none}, 8, text), 1);
  /* into an instance */
  assert_int_equal(step(&address, none, (uint32_t[]){77, 78, 79, 80, 81, 82, skip, 50}, 8, text), 50);
  assert_int_equal(address >> TWO_TREES, 1);
  assert_int_equal(step(&address, none, (uint32_t[]){51, 52, none, none, none, none, none, none}, 8, text), 51);
  assert_int_equal(step(&address, none, nothing, 8, text), 52);
  assert_int_equal(address >> CAME_UP, 0);
  assert_int_equal(step(&address, none, nothing, 8, text), 2); /* and up again */
  assert_int_equal(address >> TWO_TREES, 4);
  assert_int_equal(step(&address, none, nothing, 8, text), 3);
  assert_int_equal(address >> TWO_TREES, 0);
  /* Two at a time; a node's results of the other four words are left out. */
  text = "ds_bvh_stack_push8_pop2_rtn_b64 v[0:1], v11, v2, v[3:10] offset:16";
  wave->v[11][0] = 0;
  uint32_t unused = 0;
  step(&unused, none, (uint32_t[]){9, 9, 9, 0xfffffffd, 1, 2, 3, none}, 8, text);
  assert_int_equal(wave->v[0][0], 1);
  assert_int_equal(wave->v[1][0], 2);
  step(&unused, none, (uint32_t[]){4, none, none, none, 9, 9, 9, 0xfffffffb}, 8, text);
  assert_int_equal(wave->v[0][0], 4);
  assert_int_equal(wave->v[1][0], 3);
  step(&unused, none, nothing, 8, text);
  assert_int_equal(wave->v[0][0], none - 1);
  assert_int_equal(wave->v[1][0], none);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(resources_by_generation), TEST(children_come_in_the_order_asked_for), TEST(triangles_may_come_first),
      TEST(boxes_at_their_edges), TEST(boxes_with_exponents_grow_outward), TEST(triangles_tell_numbers_or_weights),
      TEST(flags_cull), TEST(nodes_that_are_none_yield_ones), TEST(stacks_give_back_the_nearest_first),
      TEST(wide_stacks_know_two_trees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
