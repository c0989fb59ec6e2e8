/* memory.h - loads, stores and atomics once more, by their names: where each lane's bytes lie, what comes of them. */
#ifndef OG_VALUES_MEMORY_H
#define OG_VALUES_MEMORY_H

#include "values/lanes.h"

enum moves { MOVES_NOT, MOVES_LOAD, MOVES_STORE, MOVES_ATOMIC };
struct access {
  enum moves moves;
  enum og_space space;
  bool buffer, flat, scratch, two, returns, is_signed;
  bool low, high;        /* the half of the register that a d16 access has */
  bool lds;              /* the other side is LDS: at M0, or where `beside` */
  bool beside;           /* registers have addresses */
  bool by_lane;          /* the lane's number is part of the address */
  unsigned bytes, count; /* of an element; dwords or places */
  unsigned stride;       /* of the two offsets */
  char operation[24];
};

static inline bool take(const char **text, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*text, word, n) != 0)
    return false;
  *text += n;
  return true;
}

/* "dwordx3", "u8_d16_hi", "sbyte", "b96", ... */
static inline bool read_shape(const char *text, struct access *out) {
  static const struct {
    const char *name;
    uint8_t bytes, count;
    bool is_signed;
  } shapes[] = {{"dwordx2", 4, 2, 0},   {"dwordx3", 4, 3, 0}, {"dwordx4", 4, 4, 0}, {"dwordx8", 4, 8, 0},
                {"dwordx16", 4, 16, 0}, {"dword", 4, 1, 0},   {"ubyte", 1, 1, 0},   {"sbyte", 1, 1, 1},
                {"byte", 1, 1, 0},      {"ushort", 2, 1, 0},  {"sshort", 2, 1, 1},  {"short", 2, 1, 0},
                {"u8", 1, 1, 0},        {"i8", 1, 1, 1},      {"u16", 2, 1, 0},     {"i16", 2, 1, 1},
                {"b8", 1, 1, 0},        {"b16", 2, 1, 0},     {"b32", 4, 1, 0},     {"b64", 4, 2, 0},
                {"b96", 4, 3, 0},       {"b128", 4, 4, 0}};
  for (size_t i = 0; i < OG_COUNT(shapes); i++) {
    size_t n = strlen(shapes[i].name);
    const char *rest = text + n;
    if (strncmp(text, shapes[i].name, n) != 0 || (*rest && strcmp(rest, "_d16") != 0 && strcmp(rest, "_d16_hi") != 0))
      continue;
    out->bytes = shapes[i].bytes, out->count = shapes[i].count, out->is_signed = shapes[i].is_signed;
    out->low = *rest && !strstr(rest, "_hi"), out->high = strstr(rest, "_hi") != NULL;
    return true;
  }
  return false;
}

static inline bool read_atomic(const char *text, struct access *out) {
  const char *rtn = strstr(text, "_rtn");
  size_t n = rtn ? (size_t)(rtn - text) : strlen(text);
  bool wide =
      strstr(text, "_x2") || strstr(text, "b64") || strstr(text, "u64") || strstr(text, "i64") || strstr(text, "f64");
  static const char *const not_here[] = {"src2", "barrier", "append",  "consume", "ordered_count", "addtid",
                                         "gs_reg", "gws",  "swizzle", "permute", "nop",     "bvh",     "_tr"};
  for (size_t i = 0; i < OG_COUNT(not_here); i++)
    if (strstr(text, not_here[i]))
      return false;
  snprintf(out->operation, sizeof out->operation, "%.*s%s", (int)n, text, rtn ? rtn + 4 : "");
  out->bytes = wide ? 8 : 4, out->count = 1, out->moves = MOVES_ATOMIC;
  return true;
}

static inline bool is_float_atomic(const struct access *access) {
  const char *op = access->operation;
  return access->moves == MOVES_ATOMIC && (op[0] == 'f' || strstr(op, "f16") || strstr(op, "f32") || strstr(op, "f64"));
}

static inline struct access access_of(const char *name) {
  struct access out = {0};
  const char *at = name;
  if (strstr(name, "_addtid") && !strstr(name, "ds_")) {
    out = (struct access){.space = OG_SPACE_GLOBAL, .by_lane = true, .bytes = 4, .count = 1};
    out.moves = strstr(name, "load") ? MOVES_LOAD : MOVES_STORE;
    return out;
  }
  if (take(&at, "ds_")) {
    out.space = OG_SPACE_LDS;
    out.two = strstr(at, "read2") || strstr(at, "write2") || strstr(at, "wrxchg2");
    out.stride = strstr(at, "st64") ? 64 : 1;
    if (take(&at, "read2st64_") || take(&at, "read2_") || take(&at, "read_"))
      out.moves = MOVES_LOAD;
    else if (take(&at, "write2st64_") || take(&at, "write2_") || take(&at, "write_"))
      out.moves = MOVES_STORE;
    else
      return read_atomic(at, &out) ? out : (struct access){0};
  } else {
    out.buffer = strncmp(at, "buffer", 6) == 0, out.flat = strncmp(at, "flat", 4) == 0;
    out.space = strncmp(at, "scratch", 7) == 0 ? OG_SPACE_SCRATCH : OG_SPACE_GLOBAL;
    if (!take(&at, "global_") && !take(&at, "flat_") && !take(&at, "scratch_") && !take(&at, "buffer_") &&
        !take(&at, "cluster_"))
      return out;
    if (take(&at, "load_"))
      out.moves = MOVES_LOAD;
    else if (take(&at, "store_"))
      out.moves = MOVES_STORE;
    else if (take(&at, "atomic_"))
      return read_atomic(at, &out) ? out : (struct access){0};
    out.beside = take(&at, "async_to_lds_") || take(&at, "async_from_lds_");
    out.lds = out.beside || take(&at, "lds_");
    take(&at, "monitor_"); /* nobody sleeps over it */
  }
  return read_shape(at, &out) ? out : (struct access){0};
}

/* ---- where ------------------------------------------------------------------------------------------------------- */

static inline bool is_given(const struct og_operand *o) {
  return o && o->kind != OG_OPERAND_OFF && o->kind != OG_OPERAND_NONE &&
         !(o->kind == OG_OPERAND_SPECIAL && o->reg == OG_SPECIAL_NULL);
}

/* The lane's address: of LDS and scratch from their beginning. Piece: of accesses with two offsets. */
static inline uint64_t lane_address(const struct machine *m, const struct access *access, unsigned lane, unsigned piece,
                                    bool *known) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *vaddr = og_operand(inst, OG_ROLE_VADDR), *saddr = og_operand(inst, OG_ROLE_SADDR);
  uint64_t vector = is_given(vaddr) ? operand_bits(m, vaddr, U64, lane, known) : 0;
  unsigned element = access->bytes * (access->moves == MOVES_ATOMIC ? 1 : access->count);
  if (access->space == OG_SPACE_LDS)
    return (uint32_t)vector + (access->two ? (uint64_t)(unsigned)inst->mod[piece ? OG_MOD_OFFSET1 : OG_MOD_OFFSET0] *
                                                 access->stride * element
                                           : (uint64_t)inst->mod[OG_MOD_OFFSET]);
  if (access->buffer) {
    const struct og_operand *rsrc = og_operand(inst, OG_ROLE_SRSRC), *soffset = og_operand(inst, OG_ROLE_SOFFSET);
    const uint32_t *words = &m->wave->s[rsrc->reg];
    uint64_t base = words[0] | (uint64_t)(words[1] & (isa->gfx1250 ? 0x1ffffff : 0xffff)) << 32;
    base += inst->mod[OG_MOD_OFFSET] +
            (soffset && is_given(soffset) ? operand_bits(m, soffset, U32, 0, known) & UINT32_MAX : 0);
    if (inst->mod[OG_MOD_ADDR64])
      return base + vector;
    if (inst->mod[OG_MOD_OFFEN])
      base += inst->mod[OG_MOD_IDXEN] ? vector >> 32 : vector & UINT32_MAX;
    return base;
  }
  uint64_t offset = (uint64_t)(int64_t)inst->mod[OG_MOD_OFFSET];
  unsigned scale = inst->mod[OG_MOD_CPOL] & OG_CPOL_SCALE_OFFSET ? element : 1;
  if (access->space == OG_SPACE_SCRATCH) {
    uint64_t scalar = is_given(saddr) ? operand_bits(m, saddr, U32, 0, known) & UINT32_MAX : 0;
    return (vector & UINT32_MAX) * scale + scalar + offset;
  }
  if (!is_given(saddr))
    return (access->by_lane ? 4 * lane : vector) + offset;
  uint64_t base = operand_bits(m, saddr, U64, 0, known), index = vector & UINT32_MAX;
  if (access->by_lane)
    return base + 4 * lane + offset;
  return base + (isa->gfx1250 ? (uint64_t)(int64_t)(int32_t)index * scale : index) + offset;
}

/* A byte of what memory should have become; NULL: outside. */
static inline uint8_t *byte_at(const struct machine *m, enum og_space space, unsigned lane, uint64_t address) {
  if (space == OG_SPACE_LDS)
    return address < LDS ? &lds_after[address] : NULL;
  if (space == OG_SPACE_SCRATCH)
    return address < SCRATCH ? &scratch_after[(address / 4 * m->wave_size + lane) * 4 + address % 4] : NULL;
  address -= (uintptr_t)memory;
  return address < MEMORY ? &memory_after[address] : NULL;
}
static inline uint64_t get_bytes(const struct machine *m, const struct access *access, unsigned lane, uint64_t at,
                                 unsigned n, bool *known) {
  uint64_t x = 0;
  for (unsigned i = 0; i < n; i++) {
    uint8_t *byte = byte_at(m, access->space, lane, at + i);
    *known &= byte != NULL;
    x |= byte ? (uint64_t)*byte << 8 * i : 0;
  }
  return x;
}
static inline void put_bytes(const struct machine *m, const struct access *access, unsigned lane, uint64_t at,
                             unsigned n, uint64_t x, bool *known) {
  for (unsigned i = 0; i < n; i++) {
    uint8_t *byte = byte_at(m, access->space, lane, at + i);
    *known &= byte != NULL;
    if (byte)
      *byte = (uint8_t)(x >> 8 * i);
  }
}

/* ---- what -------------------------------------------------------------------------------------------------------- */

static inline bool float_order(const struct float_format *f, uint64_t x, uint64_t y, bool least, uint64_t *out,
                               bool *known) {
  struct real p = real_of_bits(f, x, true), q = real_of_bits(f, y, true);
  if (p.kind == REAL_NAN || q.kind == REAL_NAN || is_denormal_bits(f, x) || is_denormal_bits(f, y) ||
      (is_zero(p) && is_zero(q)))
    return *known = false; /* test_float_atomics.c has these */
  *out = (real_compare(p, q) == -1) == least ? x : y;
  return true;
}
static inline bool float_sum(const struct float_format *f, uint64_t x, uint64_t y, uint64_t *out, bool *known) {
  struct real p = real_of_bits(f, x, true), q = real_of_bits(f, y, true), s = real_add_in(p, q, false);
  *out = real_to_bits(f, s, ROUND_EVEN, true, false, NULL);
  if (s.kind == REAL_NAN || is_denormal_bits(f, x) || is_denormal_bits(f, y) || is_denormal_bits(f, *out))
    return *known = false;
  return true;
}

/* What memory then has, of what it had, the operand and, where there are two, the other. False: not told here. */
static inline bool atomic(const char *name, unsigned bytes, uint64_t memory_has, uint64_t x, uint64_t y,
                          bool compares_first, uint64_t *out, bool *known) {
  const struct float_format *f = bytes == 8 ? &f64_format : &f32_format;
  unsigned bits = 8 * bytes;
  uint64_t m = low_bits(memory_has, bits);
  char op[24];
  snprintf(op, sizeof op, "%s", name);
  static const char *const ends[] = {"_x2", "_b32", "_b64", "_u32", "_u64", "_i32", "_i64"};
  bool is_signed =
      strstr(name, "_i32") || strstr(name, "_i64") || strncmp(name, "smin", 4) == 0 || strncmp(name, "smax", 4) == 0;
  for (size_t i = 0; i < OG_COUNT(ends); i++)
    if (strlen(op) > strlen(ends[i]) && strcmp(op + strlen(op) - strlen(ends[i]), ends[i]) == 0)
      op[strlen(op) - strlen(ends[i])] = 0;
  x = low_bits(x, bits), y = low_bits(y, bits);
#define IS(word) (strcmp(op, word) == 0)
  bool less = is_signed ? as_signed_bits(x, bits) < as_signed_bits(m, bits) : x < m;
  if (IS("add"))
    *out = m + x;
  else if (IS("sub"))
    *out = m - x;
  else if (IS("rsub"))
    *out = x - m;
  else if (IS("csub") || IS("sub_clamp"))
    *out = m < x ? 0 : m - x;
  else if (IS("cond_sub"))
    *out = m < x ? m : m - x;
  else if (IS("inc"))
    *out = m >= x ? 0 : m + 1;
  else if (IS("dec"))
    *out = m == 0 || m > x ? x : m - 1;
  else if (IS("min") || IS("smin") || IS("umin"))
    *out = less ? x : m;
  else if (IS("max") || IS("smax") || IS("umax"))
    *out = less ? m : x;
  else if (IS("and"))
    *out = m & x;
  else if (IS("or"))
    *out = m | x;
  else if (IS("xor"))
    *out = m ^ x;
  else if (IS("mskor"))
    *out = (m & ~x) | y;
  else if (IS("condxchg32")) /* each dword by its own highest bit */
    *out = (x >> 63 ? x >> 32 & 0x7fffffff : m >> 32) << 32 | (x >> 31 & 1 ? x & 0x7fffffff : m & UINT32_MAX);
  else if (IS("ordered_add")) /* of values above ids of 12 bits, where the ids agree */
    *out = (uint32_t)m == (uint32_t)x ? ((m >> 32) + (x >> 32)) << 32 | ((m + 1) & 0xfff) : m;
  else if (IS("swap") || IS("wrxchg") || IS("wrxchg2") || IS("wrxchg2st64"))
    *out = x;
  else if (IS("wrap"))
    *out = m >= x ? m - x : m + y;
  else if (IS("cmpst") || IS("cmpswap") || IS("cmpstore"))
    *out = m == (compares_first ? x : y) ? (compares_first ? y : x) : m;
  else if (IS("fcmpswap") || IS("cmpst_f32") || IS("cmpst_f64") || IS("cmpstore_f32") || IS("cmpstore_f64"))
    *out = real_compare(real_of_bits(f, m, true), real_of_bits(f, compares_first ? x : y, true)) == 0
               ? (compares_first ? y : x)
               : m;
  else if (IS("fmin") || IS("min_f32") || IS("min_f64"))
    return float_order(f, m, x, true, out, known);
  else if (IS("fmax") || IS("max_f32") || IS("max_f64"))
    return float_order(f, m, x, false, out, known);
  else if (IS("add_f32") || IS("add_f64"))
    return float_sum(f, m, x, out, known);
  else if (IS("pk_add_f16") || IS("pk_add_bf16")) {
    uint64_t low = 0, high = 0;
    f = IS("pk_add_f16") ? &f16_format : &bf16_format;
    if (!float_sum(f, m & 0xffff, x & 0xffff, &low, known) || !float_sum(f, m >> 16, x >> 16, &high, known))
      return false;
    *out = low | high << 16;
  } else
    return *known = false;
#undef IS
  *out = low_bits(*out, bits);
  return true;
}

#endif
