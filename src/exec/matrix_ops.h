/* matrix_ops.h - multiplication of matrices for one host instruction set: the whole of matrix_v4.c, matrix_v3.c and
 * matrix_base.c, which define OG_VARIANT_NAME.
 *
 * A and B are unpacked some k at a time (matrix_unpack.h). A tile of D has one row of A and 16 neighbouring columns of
 * B, so that B comes as vectors and A is repeated (matrix_sums.h, matrix_fixed.h); only the 4x4 shapes gather A. */
#include "exec/matrix_result.h"
#include "base/float_control.h"
#include "exec/vector.h"

#define OG_JOIN_(a, b) a##_##b
#define OG_JOIN(a, b) OG_JOIN_(a, b)
#define OG_VARIANT(name) OG_JOIN(name, OG_VARIANT_NAME)

static bool is_sparse(const struct og_matrix_plan *plan) {
  return plan->facts->kind == OG_MATRIX_SMFMAC || plan->facts->kind == OG_MATRIX_SWMMAC;
}
static bool is_fixed(const struct og_matrix_plan *plan) {
  return plan->sum == OG_SUM_TRUNCATED || plan->sum == OG_SUM_ALTERNATE;
}

/* ---- scales ------------------------------------------------------------------------------------------------------ */

static f64 scale_value(u32 bits, u32 format) {
  f64 nan = f64_of_bits(0x7ff8000000000000);
  if (format == 0)
    return bits == 255 ? nan : power((i32)bits - 127);
  if (format == 1)
    return bits == 255 ? nan : (f64)small_float(bits, 5, 3, 15);
  return (bits & 127) == 127 ? nan : (f64)small_float(bits & 127, 4, 3, 7);
}

/* Those of block `n`. */
static void read_scales(struct og_wave *wave, const struct og_matrix_scale *s, u32 side, u32 n, f64 *out) {
  const u32 *from = og_at(wave, s->at);
  for (u32 i = 0; i < side; i++) {
    u32 lane = s->by_lane_group ? i + side * n : s->first_lane + i, bit = s->by_lane_group ? s->shift : 8 * n;
    u32 bits = s->is_vector        ? from[lane + bit / 32 * OG_LANES] >> (bit % 32)
               : s->by_lane_group ? (from[0] + s->constant) >> s->shift
                                  : from[0] + s->constant;
    out[i] = scale_value(bits & 255, s->format);
  }
}

static bool scales_are_plain(const struct og_matrix_plan *plan, const struct product *p) {
  f64 sum = 0;
  for (u32 i = 0; i < plan->a.side; i++)
    sum += p->scale_a[i];
  for (u32 i = 0; i < plan->b.side; i++)
    sum += p->scale_b[i];
  return sum == sum; /* scales are positive: none is NaN */
}

/* Whether f32 holds the products of all scales, and their inverses. */
static bool scales_are_short(const struct og_matrix_plan *plan, const struct product *p) {
  f64 least_a = p->scale_a[0], most_a = least_a, least_b = p->scale_b[0], most_b = least_b;
  for (u32 i = 1; i < plan->a.side; i++) {
    f64 scale = p->scale_a[i];
    least_a = scale < least_a ? scale : least_a, most_a = scale > most_a ? scale : most_a;
  }
  for (u32 i = 1; i < plan->b.side; i++) {
    f64 scale = p->scale_b[i];
    least_b = scale < least_b ? scale : least_b, most_b = scale > most_b ? scale : most_b;
  }
  return least_a * least_b >= 0x1p-126 && most_a * most_b <= 0x1p126;
}

/* ---- how to sum -------------------------------------------------------------------------------------------------- */

enum manner {
  MANNER_CAREFUL, MANNER_PLAIN,
  MANNER_SHORT, /* one f32 holds a group's sum */
  MANNER_WIDE   /* one double does not */
};
struct way {
  enum manner manner;
  enum reach reach;  /* of fixed-point sums */
  bool with_special; /* in fixed point, with infinities or NaN among the numbers */
};

static struct way way_in_fixed_point(const struct og_matrix_plan *plan, const struct product *p) {
  const struct sizes c = sizes_of(p->sum[0], plan->results, plan->facts->lanes, OG_LANES);
  bool none = p->a.most == -1000 || p->b.most == -1000, special = p->a.special || p->b.special || c.special;
  i32 least = none ? 0 : p->a.least + p->b.least, most = none ? 0 : p->a.most + p->b.most;
  struct way way = {MANNER_PLAIN, REACH_WIDE, special};
  if (special && is_sparse(plan))
    way.manner = MANNER_CAREFUL;
  else if (!special && least >= -76 && most <= 60 && c.least >= -100 && c.most < 100)
    way.reach = REACH_QUICK;
  else if (least > -100 && most < (special ? 120 : 126) && (!special || c.most < 120))
    way.reach = REACH_NARROW;
  else if (most >= 120 || c.most >= 120) /* sums may overflow */
    way.manner = MANNER_CAREFUL;
  return way;
}

/* Whether a double holds the sum of a group's products, or two do. */
static struct way way_in_doubles(const struct og_matrix_plan *plan, const struct product *p) {
  bool special = p->a.special || p->b.special ||
                 has_special(p->sum[0], plan->results, plan->facts->lanes, OG_LANES) ||
                 (plan->sum == OG_SUM_SCALED && !scales_are_plain(plan, p));
  struct way careful = {MANNER_CAREFUL, REACH_WIDE, false}, plain = {MANNER_PLAIN, REACH_WIDE, false},
             wide = {MANNER_WIDE, REACH_WIDE, false};
  if (special && is_sparse(plan))
    return careful;
  if (p->a.most == -1000 || p->b.most == -1000)
    return special ? wide : plain;
  bool mantissas = plan->scale_a.format || plan->scale_b.format; /* of the scales */
  i32 most = p->a.most + p->b.most, bits = mantissas ? 10 : 2;
  for (u32 n = plan->group; n > 1; n /= 2)
    bits++;
  const i32 end = p->a.least + p->b.least - plan->mantissas;
  bits += most - end;
  if (bits <= 24 && end >= -126 && most < 100 && !special && plan->uniform &&
      (plan->sum != OG_SUM_SCALED || !plan->facts->scaled || scales_are_short(plan, p)))
    return (struct way){MANNER_SHORT, REACH_WIDE, false};
  if (bits <= 53)
    return special ? wide : plain;
  return bits <= 96 && most < 120 && !mantissas ? wide : careful;
}

static struct way way_to_sum(const struct og_matrix_plan *plan, const struct product *p) {
  if (is_fixed(plan))
    return way_in_fixed_point(plan, p);
  if (plan->sum >= OG_SUM_EXACT && plan->sum != OG_SUM_PAIRWISE)
    return way_in_doubles(plan, p);
  bool careful = plan->sum == OG_SUM_FUSED && is_sparse(plan) && p->b.special;
  return (struct way){careful ? MANNER_CAREFUL : MANNER_PLAIN, REACH_WIDE, false};
}

/* ---- sums of all of D -------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void sum_careful(struct og_wave *wave, const struct og_matrix_plan *plan,
                                                  struct product *p, u32 from, u32 depth) {
  u32 present[OG_MATRIX_CHUNK / TILE];
  if (is_sparse(plan))
    find_present(wave, plan, from, depth, present);
  for (u32 r = 0; r < plan->results; r++)
    for (u32 lane = 0; lane < plan->facts->lanes; lane++) {
      u32 row = plan->row[r][lane], column = plan->column[r][lane];
      f32 a[OG_MATRIX_CHUNK / TILE], b[OG_MATRIX_CHUNK / TILE];
      for (u32 k = 0; k < depth; k++) { /* what a sparse row leaves out is not multiplied with infinities and NaN */
        bool there = !is_sparse(plan) || present[k] >> row & 1;
        f32 other = p->b.value[k * plan->b.side + column];
        a[k] = p->a.value[k * plan->a.side + row];
        b[k] = there || (bits_of_f32(other) & 0x7f800000) != 0x7f800000 ? other : 0;
      }
      f64 scale = plan->sum == OG_SUM_SCALED ? p->scale_a[row] * p->scale_b[column] : 1;
      p->sum[r][lane] =
          og_matrix_careful(plan, a, b, depth, plan->sum == OG_SUM_SCALED ? &scale : NULL, p->sum[r][lane]);
    }
}

OG_LANE void sum_tile_as(const struct og_matrix_plan *plan, struct way way, const struct tile *t, bool gathered,
                         f32 *sum) {
  const u32 group = plan->group;
  switch ((enum og_matrix_sum)plan->sum) {
  case OG_SUM_FUSED: case OG_SUM_INTEGER: fused(t, gathered, sum); break;
  case OG_SUM_PAIRWISE: pairwise(t, group, gathered, sum); break;
  case OG_SUM_EXACT:
  case OG_SUM_SCALED:
    if (way.manner == MANNER_WIDE)
      wide(t, group, gathered, sum);
    else
      exact(t, group, gathered, sum);
    break;
  case OG_SUM_TRUNCATED:
    if (way.reach == REACH_QUICK)
      truncated(t, group, gathered, REACH_QUICK, sum);
    else if (way.reach == REACH_NARROW)
      truncated(t, group, gathered, REACH_NARROW, sum);
    else
      truncated(t, group, gathered, REACH_WIDE, sum);
    break;
  case OG_SUM_ALTERNATE:
    if (way.reach == REACH_QUICK)
      alternate(t, group, gathered, REACH_QUICK, sum);
    else if (way.reach == REACH_NARROW)
      alternate(t, group, gathered, REACH_NARROW, sum);
    else
      alternate(t, group, gathered, REACH_WIDE, sum);
    break;
  }
}
OG_LANE void sum_tile(const struct og_matrix_plan *plan, struct way way, const struct tile *t, bool gathered,
                      f32 *sum) {
  og_aligned f32 special[TILE];
  memcpy(special, sum, sizeof(special));
  if (way.with_special)
    fused(t, gathered, special);
  sum_tile_as(plan, way, t, gathered, sum);
  if (way.with_special)
    keep_special(special, sum);
}

static struct tile tile_at(const struct og_matrix_plan *plan, const struct product *p, u32 row, u32 column, u32 depth) {
  bool scaled = plan->facts->scaled;
  return (struct tile){p->a.value + row, p->b.value + column, p->a.exponent + row, p->b.exponent + column,
                       plan->a.side, plan->b.side, depth, scaled ? p->scale_a + row : NULL,
                       scaled ? p->scale_b + column : NULL};
}

/* Rows of A of neighbouring results of a lane: in a group of four they are equally far apart, and columns are the
 * same. */
static u32 row_step(const struct og_matrix_plan *plan) { return (u32)plan->row[1][0] - plan->row[0][0]; }

OG_LANE void sum_fused_as(const struct og_matrix_plan *plan, struct product *p, u32 depth, u32 stride_a, u32 stride_b) {
  const u32 step = row_step(plan);
  for (u32 r = 0; r < plan->results; r += ABREAST)
    for (u32 lane = 0; lane < plan->facts->lanes; lane += TILE) {
      struct tile t = tile_at(plan, p, plan->row[r][lane], plan->column[r][lane], depth);
      fused_abreast(&t, step, stride_a, stride_b, &p->sum[r][lane]);
    }
}
static __attribute__((noinline)) void sum_fused(const struct og_matrix_plan *plan, struct product *p, u32 depth) {
  if (plan->a.side == 16 && plan->b.side == 16)
    sum_fused_as(plan, p, depth, 16, 16);
  else
    sum_fused_as(plan, p, depth, plan->a.side, plan->b.side);
}

/* Whole numbers of 8 bits or fewer, of which each dword has neighbours along k in their order. */
static bool is_in_words(const struct og_matrix_plan *plan, u32 from, u32 depth) {
  const u32 count = 32u / plan->a.width;
  return plan->sum == OG_SUM_INTEGER && plan->uniform &&
         (is_sparse(plan) || are_together(&plan->a, count, from, depth)) &&
         are_together(&plan->b, count, from, depth);
}
OG_LANE void sum_words_as(const struct og_matrix_plan *plan, struct product *p, u32 depth, u32 stride_a,
                          u32 stride_b) {
  const u32 step = row_step(plan);
  for (u32 r = 0; r < plan->results; r += ABREAST)
    for (u32 lane = 0; lane < plan->facts->lanes; lane += TILE) {
      struct tile t = tile_at(plan, p, plan->row[r][lane], plan->column[r][lane], depth);
      words_abreast(&t, depth / 2, step, stride_a, stride_b, &p->sum[r][lane]);
    }
}
static __attribute__((noinline)) void sum_words(const struct og_matrix_plan *plan, struct product *p, u32 depth) {
  if (plan->a.side == 16 && plan->b.side == 16)
    sum_words_as(plan, p, depth, 16, 16);
  else
    sum_words_as(plan, p, depth, plan->a.side, plan->b.side);
}

/* Products of which most are, in fixed point: A and B have as many rows and columns, and exponents fit bytes. */
#if defined __AVX2__
static bool is_quick(const struct og_matrix_plan *plan, const struct product *p, u32 depth) {
  enum { MOST = 60 }; /* a 0 has -128, with any other less than the least that counts */
  i32 least = p->a.least < p->b.least ? p->a.least : p->b.least, most = p->a.most > p->b.most ? p->a.most : p->b.most;
  bool shape = plan->a.side == plan->b.side && row_step(plan) == 1 && depth % plan->group == 0 && plan->group % 4 == 0;
  return shape && least >= -MOST && most <= MOST && p->a.least + p->b.least >= -MOST;
}
static void pack_exponents(const struct og_matrix_side *m, const f32 *from, u32 depth, i32 *to) {
  const bytes least = (bytes){0} + m->least_exponent;
  const u32 side = m->side;
  for (u32 k = 0; k < depth; k += 4, from += 4 * side)
    for (u32 i = 0; i < side; i += PANEL, to += PANEL) {
      ints packed = bytes_of_exponents(load_ints(from + i), load_ints(from + side + i), load_ints(from + 2 * side + i),
                                       load_ints(from + 3 * side + i), least);
      memcpy(to, &packed, sizeof(packed));
    }
}
OG_LANE void sum_quickly_as(const struct og_matrix_plan *plan, struct product *p, u32 depth, u32 group, u32 stride,
                            bool apart) {
  og_aligned i32 exponents_a[OG_MATRIX_CHUNK / 4], exponents_b[OG_MATRIX_CHUNK / 4];
  pack_exponents(&plan->a, p->a.value, depth, exponents_a);
  pack_exponents(&plan->b, p->b.value, depth, exponents_b);
  for (u32 r = 0; r < plan->results; r += apart ? ALTERNATE_ROWS : QUICK_ROWS)
    for (u32 lane = 0; lane < plan->facts->lanes; lane += TILE) {
      const u32 row = plan->row[r][lane], column = plan->column[r][lane];
      struct quick_tile t = {p->a.value + row, p->b.value + column, exponents_a + row, exponents_b + column};
      if (apart)
        alternate_quickly(&t, depth, group, stride, &p->sum[r][lane]);
      else
        truncated_quickly(&t, depth, group, stride, &p->sum[r][lane]);
    }
}
/* Whether all products are whole units of any group. */
static bool is_never_cut(const struct og_matrix_plan *plan, const struct product *p) {
  return plan->sum == OG_SUM_ALTERNATE && plan->group == 16 && p->a.most != -1000 && p->b.most != -1000 &&
         p->a.most + p->b.most - 24 <= p->a.least + p->b.least - plan->mantissas;
}
static __attribute__((noinline)) void sum_uncut(const struct og_matrix_plan *plan, struct product *p, u32 depth) {
  og_aligned i32 exponents_a[OG_MATRIX_CHUNK / 4], exponents_b[OG_MATRIX_CHUNK / 4];
  og_aligned f64 a[OG_MATRIX_CHUNK], b[OG_MATRIX_CHUNK];
  pack_exponents(&plan->a, p->a.value, depth, exponents_a);
  pack_exponents(&plan->b, p->b.value, depth, exponents_b);
  widen_floats(p->a.value, depth * plan->a.side, a);
  widen_floats(p->b.value, depth * plan->b.side, b);
  for (u32 r = 0; r < plan->results; r += EXACT_ROWS)
    for (u32 lane = 0; lane < plan->facts->lanes; lane += TILE) {
      const u32 row = plan->row[r][lane], column = plan->column[r][lane];
      struct quick_tile t = {p->a.value + row, p->b.value + column, exponents_a + row, exponents_b + column};
      alternate_exactly(&t, a + row, b + column, depth, plan->a.side, &p->sum[r][lane]);
    }
}
static __attribute__((noinline)) void sum_quickly(const struct og_matrix_plan *plan, struct product *p, u32 depth) {
  const u32 side = plan->a.side;
  if (is_never_cut(plan, p))
    sum_uncut(plan, p, depth);
  else if (plan->sum == OG_SUM_ALTERNATE && side == 16)
    sum_quickly_as(plan, p, depth, 16, 16, true);
  else if (plan->sum == OG_SUM_ALTERNATE)
    sum_quickly_as(plan, p, depth, 16, side, true);
  else if (side == 16 && plan->group == 8)
    sum_quickly_as(plan, p, depth, 8, 16, false);
  else if (plan->group == 8)
    sum_quickly_as(plan, p, depth, 8, side, false);
  else
    sum_quickly_as(plan, p, depth, 4, side, false);
}
#else
static bool is_quick(const struct og_matrix_plan *plan, const struct product *p, u32 depth) {
  (void)plan, (void)p, (void)depth;
  return false;
}
static void sum_quickly(const struct og_matrix_plan *plan, struct product *p, u32 depth) {
  (void)plan, (void)p, (void)depth;
}
#endif

static __attribute__((noinline)) void sum_tiles(const struct og_matrix_plan *plan, struct product *p, struct way way,
                                                u32 depth) {
  for (u32 r = 0; r < plan->results; r++)
    for (u32 lane = 0; lane < plan->facts->lanes; lane += TILE) {
      struct tile t = tile_at(plan, p, plan->row[r][lane], plan->column[r][lane], depth);
      sum_tile(plan, way, &t, false, &p->sum[r][lane]);
    }
}

/* Four results at a time. */
static __attribute__((noinline)) void sum_abreast(const struct og_matrix_plan *plan, struct product *p, u32 depth) {
  const u32 step = row_step(plan), group = plan->group, side = plan->a.side;
  for (u32 r = 0; r < plan->results; r += ABREAST)
    for (u32 lane = 0; lane < plan->facts->lanes; lane += TILE) {
      struct tile t = tile_at(plan, p, plan->row[r][lane], plan->column[r][lane], depth);
      f32 *sum = &p->sum[r][lane];
      if (plan->sum != OG_SUM_PAIRWISE)
        short_abreast(&t, group, step, sum);
      else if (group == 4 && side == 16) /* numbers that the compiler knows */
        pairwise_abreast(&t, 4, 1, 16, 16, sum);
      else if (group == 4 && side == 32)
        pairwise_abreast(&t, 4, 1, 32, 32, sum);
      else if (group == 4)
        pairwise_abreast(&t, 4, 1, side, plan->b.side, sum);
      else
        pairwise_abreast(&t, 2, 1, side, plan->b.side, sum);
    }
}
static __attribute__((noinline)) void sum_exactly(const struct og_matrix_plan *plan, struct product *p, u32 depth) {
  og_aligned f64 a[MOST_CHUNK], b[MOST_CHUNK];
  widen_floats(p->a.value, depth * plan->a.side, a);
  widen_floats(p->b.value, depth * plan->b.side, b);
  const bool scaled = plan->facts->scaled;
  for (u32 r = 0; r < plan->results; r += ABREAST)
    for (u32 lane = 0; lane < plan->facts->lanes; lane += TILE) {
      const u32 row = plan->row[r][lane], column = plan->column[r][lane];
      struct wide_tile t = {a + row, b + column, scaled ? p->scale_a + row : NULL, scaled ? p->scale_b + column : NULL,
                            plan->a.side, plan->b.side, row_step(plan)};
      exact_abreast(&t, depth, plan->group, &p->sum[r][lane]);
    }
}

static void sum_uniform(const struct og_matrix_plan *plan, struct product *p, struct way way, u32 depth) {
  bool pairwise = plan->sum == OG_SUM_PAIRWISE;
  if (plan->sum == OG_SUM_FUSED || plan->sum == OG_SUM_INTEGER)
    sum_fused(plan, p, depth);
  else if (pairwise ? depth % plan->group == 0 : way.manner == MANNER_SHORT)
    sum_abreast(plan, p, depth);
  else if (way.manner == MANNER_PLAIN && !is_fixed(plan) && !pairwise)
    sum_exactly(plan, p, depth);
  else
    sum_tiles(plan, p, way, depth);
}

/* 4x4 shapes, of up to four values along k: lanes have a column each, and result r the row r of their block, which is
 * the r-th of each four rows of A. */
enum { GATHERED_DEPTH = 4 };
OG_LANE void gather_rows(const struct product *p, u32 side, u32 first, u32 depth, u32 r, f32 *value, i16 *exponent) {
  for (u32 k = 0; k < depth; k++) {
    EACH_VECTOR store_floats_at(value + k * TILE + v * PANEL,
                                nth_of_four(load_floats(p->a.value + k * side + first + v * PANEL), r));
    const i16 *from = p->a.exponent + k * side + first + r;
    for (u32 i = 0; i < TILE; i++)
      exponent[k * TILE + i] = from[i / 4 * 4];
  }
}
static __attribute__((noinline)) void sum_gathered(const struct og_matrix_plan *plan, struct product *p, struct way way,
                                                   u32 depth) {
  depth = depth < GATHERED_DEPTH ? depth : GATHERED_DEPTH;
  for (u32 lane = 0; lane < plan->facts->lanes; lane += TILE)
    OG_UNROLL for (u32 r = 0; r < 4; r++) {
      og_aligned f32 value[GATHERED_DEPTH * TILE];
      og_aligned i16 exponent[GATHERED_DEPTH * TILE];
      gather_rows(p, plan->a.side, lane, depth, r, value, exponent);
      struct tile t = tile_at(plan, p, 0, plan->column[r][lane], depth);
      t.a = value, t.exponent_a = exponent, t.stride_a = TILE;
      sum_tile(plan, way, &t, true, &p->sum[r][lane]);
    }
}

/* ---- doubles ----------------------------------------------------------------------------------------------------- */

enum { DOUBLES_DEPTH = 4 };
static void fetch_doubles(struct og_wave *wave, const struct og_matrix_side *m, u32 depth, f64 out[][TILE]) {
  const u64 flip = m->negate ? (u64)1 << 63 : 0;
  const ints sign = splat_int((i32)(u32)(flip >> 32));
  for (u32 k = 0; k < depth; k++) {
    const u32 first = m->place[0][k].at % OG_LANES, *reg = og_at(wave, m->at) + m->place[0][k].at / OG_LANES * OG_LANES;
    if (!m->moved)
      EACH_VECTOR {
        const u32 *from = reg + first + v * PANEL;
        struct double_panel x = joined(load_ints(from), load_ints(from + OG_LANES) ^ sign);
        memcpy(&out[k][v * PANEL], &x, sizeof(x));
      }
    else
      for (u32 i = 0; i < m->side; i++) {
        u32 from = m->lane[first + i];
        out[k][i] = f64_of_bits(((u64)reg[from + OG_LANES] << 32 | reg[from]) ^ flip);
      }
  }
}
OG_LANE struct double_panel c_doubles(const struct og_matrix_plan *plan, const u32 *c) {
  ints low = splat_int((i32)(u32)plan->c_constant), high = splat_int((i32)(u32)(plan->c_constant >> 32));
  if (!plan->constant_c)
    low = load_ints(c), high = load_ints(c + OG_LANES);
  return joined(low, (plan->c_absolute ? high & INT32_MAX : high) ^ (i32)((u32)plan->c_negate << 31));
}
/* One row, as many columns as a panel has. */
OG_LANE struct double_panel multiply_row(struct double_panel sum, const f64 a[][TILE], const f64 b[][TILE], u32 depth,
                                         u32 row, u32 column) {
  for (u32 k = 0; k < depth; k++) {
    const doubles x = a[k][row] - (doubles){0};
    OG_UNROLL for (u32 h = 0; h < 2; h++)
      sum.part[h] = fma_doubles(x, load_doubles(&b[k][column + h * HALF]), sum.part[h]);
  }
  return sum;
}
static struct double_panel multiply_gathered(struct double_panel sum, const struct og_matrix_plan *plan,
                                             const f64 a[][TILE], const f64 b[][TILE], u32 r, u32 lane) {
  for (u32 k = 0; k < plan->facts->k; k++) {
    og_aligned f64 x[PANEL], y[PANEL];
    for (u32 i = 0; i < PANEL; i++)
      x[i] = a[k][plan->row[r][lane + i]], y[i] = b[k][plan->column[r][lane + i]];
    for (u32 h = 0; h < 2; h++)
      sum.part[h] = fma_doubles(load_doubles(x + h * HALF), load_doubles(y + h * HALF), sum.part[h]);
  }
  return sum;
}
static __attribute__((noinline)) void multiply_doubles(struct og_wave *wave, const struct og_matrix_plan *plan) {
  enum { PANELS = OG_LANES / PANEL };
  og_aligned f64 a[DOUBLES_DEPTH][TILE], b[DOUBLES_DEPTH][TILE];
  struct double_panel sum[OG_MATRIX_RESULTS / 4][PANELS];
  const u32 depth = plan->facts->k, lanes = plan->facts->lanes;
  fetch_doubles(wave, &plan->a, depth, a);
  fetch_doubles(wave, &plan->b, depth, b);
  for (u32 r = 0; r < plan->results; r++) {
    const u32 *c = og_at(wave, plan->c_at + 2 * r * OG_AT_ROW);
    for (u32 lane = 0; lane < lanes; lane += PANEL) {
      const u32 row = plan->row[r][lane], column = plan->column[r][lane];
      struct double_panel s = c_doubles(plan, c + lane);
      if (!plan->uniform)
        s = multiply_gathered(s, plan, a, b, r, lane);
      else if (depth == DOUBLES_DEPTH) /* a number that the compiler knows */
        s = multiply_row(s, a, b, DOUBLES_DEPTH, row, column);
      else
        s = multiply_row(s, a, b, depth, row, column);
      sum[r][lane / PANEL] = s;
    }
  }
  for (u32 r = 0; r < plan->results; r++) { /* D may stand where another part of C was */
    u32 *d = og_at(wave, plan->d_at + 2 * r * OG_AT_ROW);
    for (u32 lane = 0; lane < lanes; lane += PANEL) {
      ints low, high;
      part_doubles(sum[r][lane / PANEL], &low, &high);
      memcpy(d + lane, &low, sizeof(low)), memcpy(d + lane + OG_LANES, &high, sizeof(high));
    }
  }
}

/* ---- the handler ------------------------------------------------------------------------------------------------- */

/* Products of `depth` k from `from` on. */
static void add_products(struct og_wave *wave, const struct og_matrix_plan *plan, struct product *p, u32 from,
                         u32 depth, bool may_saturate) {
  if (is_in_words(plan, from, depth)) {
    if (is_sparse(plan))
      unpack_sparse_words(wave, plan, from, depth, &p->a);
    else
      unpack_words(wave, &plan->a, from, depth, &p->a);
    unpack_words(wave, &plan->b, from, depth, &p->b);
    sum_words(plan, p, depth);
    return;
  }
  if (is_sparse(plan))
    unpack_sparse(wave, plan, from, depth, &p->a);
  else
    unpack(wave, &plan->a, from, depth, &p->a);
  unpack(wave, &plan->b, from, depth, &p->b);
  if (plan->a.negate)
    negate(&plan->a, depth, &p->a);
  if (plan->b.negate)
    negate(&plan->b, depth, &p->b);
  if (plan->sum == OG_SUM_PAIRWISE) {
    flush_factors(&plan->a, depth, &p->a);
    flush_factors(&plan->b, depth, &p->b);
  } else if (plan->sum != OG_SUM_INTEGER && (plan->sum != OG_SUM_FUSED || may_saturate || is_sparse(plan))) {
    bool halves = plan->sum == OG_SUM_TRUNCATED && plan->a.element == OG_ELEMENT_F16;
    survey(&plan->a, depth, plan->sum == OG_SUM_FUSED || halves, &p->a);
    survey(&plan->b, depth, plan->sum == OG_SUM_FUSED || halves, &p->b);
  }
  if (may_saturate) {
    note_special(&plan->a, depth, &p->a, &p->special_rows);
    note_special(&plan->b, depth, &p->b, &p->special_columns);
  }
  if (plan->facts->scaled) {
    read_scales(wave, &plan->scale_a, plan->a.side, from / plan->group, p->scale_a);
    read_scales(wave, &plan->scale_b, plan->b.side, from / plan->group, p->scale_b);
  }
  struct way way = way_to_sum(plan, p);
  if (is_fixed(plan) && plan->uniform && way.reach == REACH_QUICK && is_quick(plan, p, depth)) {
    sum_quickly(plan, p, depth);
    return;
  }
  if (is_fixed(plan)) {
    find_exponents(&plan->a, depth, &p->a);
    find_exponents(&plan->b, depth, &p->b);
  }
  if (is_fixed(plan) && way.manner != MANNER_CAREFUL && way.reach == REACH_WIDE) {
    take_exponents_off(&plan->a, depth, &p->a);
    take_exponents_off(&plan->b, depth, &p->b);
  }
  if (way.manner == MANNER_CAREFUL)
    sum_careful(wave, plan, p, from, depth);
  else if (!plan->uniform)
    sum_gathered(plan, p, way, depth);
  else
    sum_uniform(plan, p, way, depth);
}

static void multiply(struct og_wave *wave, const struct og_matrix_plan *plan) {
  struct product p;
  p.sum = (f32(*)[OG_LANES])p.room;
  p.a.value = p.room + plan->results * OG_LANES;
  p.b.value = p.a.value + plan->step * plan->a.side;
  p.a.exponent = (i16 *)(void *)(p.b.value + plan->step * plan->b.side);
  p.b.exponent = p.a.exponent + plan->step * plan->a.side;
  if (!plan->facts->scaled)
    for (u32 i = 0; plan->sum == OG_SUM_SCALED && i < SCALED_SIDE; i++)
      p.scale_a[i] = p.scale_b[i] = 1;
  load_c(wave, plan, &p);
  bool may_saturate = plan->sum != OG_SUM_INTEGER && plan->ovfl_saturates && wave->mode & OG_MODE_FP16_OVFL;
  if (may_saturate) {
    p.special_rows = p.special_columns = 0;
    note_special_c(plan, &p);
  }
  for (u32 k = 0; k < plan->facts->k; k += plan->step)
    add_products(wave, plan, &p, k, OG_MIN((u32)plan->step, plan->facts->k - k), may_saturate);
  if (plan->sum == OG_SUM_INTEGER)
    store_integers(wave, plan, &p);
  else
    store_floats(wave, plan, &p);
}

/* Rounding is to the nearest always; denormals are kept but on gfx90a, and where products of f32 obey MODE (CDNA4,
 * 7.4). */
const struct og_operation *OG_VARIANT(og_multiply)(struct og_wave *wave, const struct og_operation *op) {
  const struct og_matrix_plan *plan = op->detail;
  u32 denormals = plan->sum == OG_SUM_PAIRWISE ? 0 : plan->flushes_by_mode ? (wave->mode & OG_MODE_DENORM_32) >> 4 : 3;
  u32 control = og_float_control(0, denormals);
  bool other = control != wave->float_control_32;
  if (other)
    og_set_float_control(control);
  if (plan->facts->d == OG_ELEMENT_F64)
    multiply_doubles(wave, plan);
  else
    multiply(wave, plan);
  if (other)
    og_set_float_control(wave->float_control_32);
  return og_next(op);
}
