/* encode.c - writes instructions as bytes, with the waits and wait states between them, and the distances of
 * branches. */
#include "cc/debug_tracks.h"
#include "cc/waits.h"

enum { NO_WAIT = 0xff };

/* s_waitcnt's immediate; NO_WAIT: any number. */
static uint32_t wait_bits(const struct cc_function *c, unsigned vm, unsigned lgkm, unsigned exp) {
  if (c->isa->gfx11)
    return 7 | (lgkm & 63) << 4 | (vm & 63) << 10;
  unsigned most_lgkm = c->isa->gfx10 ? 63 : 15;
  uint32_t bits = (vm & 15) | (exp & 7) << 4 | (lgkm & most_lgkm) << 8;
  return c->isa->generation >= OG_GFX900 ? bits | (vm >> 4 & 3) << 14 : bits;
}

static void put(struct cc_function *c, struct cc_inst *i, struct og_buffer *code) {
  struct og_inst inst;
  uint8_t bytes[32];
  cc_fill(c, i, &inst);
  size_t size = og_encode(c->isa, &inst, bytes);
  if (!size) {
    cc_refuse(c, "the encoding of %s", og_row_name(i->row));
    return;
  }
  og_buffer_append(code, bytes, size);
  if (i->row == OG_ROW_S_GETPC_B64)
    c->counted_from = (uint32_t)code->size;
  for (unsigned o = i->defs; o < i->operands; o++) { /* the literals of both sums count from the end of s_getpc */
    struct cc_operand op = c->operands.items[i->first + o];
    if (op.kind == CC_ADDRESS)
      *OG_PUSH(c->arena, &c->references) =
          (struct cc_reference){(uint32_t)code->size - 4, op.value, op.sub,
                                (uint32_t)code->size - 4 - c->counted_from};
  }
}

static void note_line(struct cc_function *c, uint32_t record, uint32_t at) {
  uint32_t location = c->f->insts.items[record].location;
  if (location && (!c->lines.count || c->lines.items[c->lines.count - 1].location != location))
    *OG_PUSH(c->arena, &c->lines) = (struct cc_line){at, location};
}

static void put_row(struct cc_function *c, unsigned row, unsigned count, const struct cc_operand *operands,
                    struct og_buffer *code) {
  struct cc_inst *i = cc_emit(c, row, 0, count, operands);
  if (!cc_has_row(c, row)) {
    cc_refuse(c, "%s on %s", og_row_name(row), c->target->processor->name);
    return;
  }
  i->form = c->forms[row][0];
  put(c, i, code);
  c->insts.count--;
}

static void put_simple(struct cc_function *c, unsigned row, uint32_t value, bool null_first, struct og_buffer *code) {
  const struct cc_operand operands[2] = {cc_special(OG_SPECIAL_NULL, 1), cc_constant(value)};
  put_row(c, row, null_first ? 2 : 1, null_first ? operands : operands + 1, code);
}

static void put_nops(struct cc_function *c, unsigned count, struct og_buffer *code) {
  enum { AT_ONCE = 8 };
  for (unsigned left = count; left && !c->isa->gfx10; left -= OG_MIN(left, AT_ONCE))
    put_simple(c, OG_ROW_S_NOP, OG_MIN(left, AT_ONCE) - 1, false, code);
  for (unsigned k = 0; c->isa->gfx10 && k < count; k++)
    put_row(c, OG_ROW_V_NOP, 0, NULL, code);
}

static void put_waits(struct cc_function *c, uint64_t packed, struct og_buffer *code) {
  unsigned need[COUNTERS];
  for (unsigned k = 0; k < COUNTERS; k++)
    need[k] = (packed >> 8 * k & 255) ? (packed >> 8 * k & 255) - 1 : NO_WAIT;
  if (c->isa->gfx12) {
    static const uint16_t rows[COUNTERS] = {OG_ROW_S_WAIT_LOADCNT,  OG_ROW_S_WAIT_DSCNT,     OG_ROW_S_WAIT_STORECNT,
                                            OG_ROW_S_WAIT_ASYNCCNT, OG_ROW_S_WAIT_TENSORCNT, OG_ROW_S_WAIT_XCNT};
    for (unsigned k = 0; k < COUNTERS; k++)
      if (need[k] != NO_WAIT)
        put_simple(c, rows[k], need[k], false, code);
    for (unsigned k = 0; k < 2 && need[VM] == 0 && !c->isa->gfx1250 && c->separate_counters; k++)
      put_simple(c, k ? OG_ROW_S_WAIT_BVHCNT : OG_ROW_S_WAIT_SAMPLECNT, 0, false, code);
    if (need[LGKM] != NO_WAIT) /* before gfx1250 DS and scalar memory share this count */
      put_simple(c, OG_ROW_S_WAIT_KMCNT, 0, false, code);
    return;
  }
  bool reads = c->isa->generation < OG_GFX7; /* gfx6: the third count is expcnt's */
  if (need[VM] != NO_WAIT || need[LGKM] != NO_WAIT || (reads && need[VS] != NO_WAIT))
    put_simple(c, OG_ROW_S_WAITCNT, wait_bits(c, need[VM], need[LGKM], reads ? need[VS] : NO_WAIT), false, code);
  if (need[VS] != NO_WAIT && !reads)
    put_simple(c, OG_ROW_S_WAITCNT_VSCNT, need[VS], true, code);
}

/* A function's first instruction waits for all that its caller may have left pending, also of counters that nothing
 * here raises. */
static void put_entry_waits(struct cc_function *c, struct og_buffer *code) {
  static const uint16_t rows[] = {OG_ROW_S_WAIT_EXPCNT, OG_ROW_S_WAIT_SAMPLECNT, OG_ROW_S_WAIT_BVHCNT};
  for (unsigned k = 0; k < OG_COUNT(rows) && c->isa->gfx12 && !c->isa->gfx1250; k++)
    put_simple(c, rows[k], 0, false, code);
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

/* A branch reaches 128 KiB. If one is about to get farther from its target, a branch to the target is put into the
 * code, and one that goes around it. Branches that cannot reach the target go by way of it, over as many such steps as
 * they need. */
enum { REACH = 4 * 0x7fff };

struct jump {
  uint32_t at, to; /* its place in the code; the position of its target */
  uint32_t next;   /* 1 + another one to the same target */
  bool done;       /* its distance is written */
};

struct branches {
  OG_VECTOR(struct jump) ahead; /* to targets that come later, by rising places */
  uint32_t oldest, left;        /* the first of them that is not done; how many are not */
  uint32_t *chain;              /* by position: 1 + one that goes there */
  uint32_t *step;               /* by position: the last step put into the code for this target */
  uint32_t *starts;             /* by position: where it begins, or the nearest step back to it */
  uint32_t *last;               /* by position: 1 + the last instruction that jumps back to it */
  OG_VECTOR(uint32_t) behind;   /* positions that a later instruction jumps back to */
};

static void aim(struct cc_function *c, struct og_buffer *code, uint32_t at, uint32_t target) {
  if (c->failed)
    return;
  int64_t distance = ((int64_t)target - at - 4) / 4;
  if (distance != (int16_t)distance)
    cc_refuse(c, "a branch over more than 128 KiB of code");
  else
    og_store16(code->data + at, (uint16_t)distance);
}

static uint32_t put_branch(struct cc_function *c, struct og_buffer *code) {
  uint32_t at = (uint32_t)code->size;
  put_row(c, OG_ROW_S_BRANCH, 0, NULL, code);
  return at;
}

static void go_ahead(struct cc_function *c, struct branches *b, uint32_t at, uint32_t to) {
  *OG_PUSH(c->arena, &b->ahead) = (struct jump){at, to, b->chain[to], false};
  b->chain[to] = b->ahead.count, b->left++;
}

static void aim_ahead(struct cc_function *c, struct branches *b, struct jump *jump, uint32_t target,
                      struct og_buffer *code) {
  aim(c, code, jump->at, target);
  jump->done = true, b->left--;
}

/* A block begins: branches to it get their distance. */
static void begin_block(struct cc_function *c, struct branches *b, uint32_t p, struct og_buffer *code) {
  b->starts[p] = (uint32_t)code->size;
  for (uint32_t n = b->chain[p]; n; n = b->ahead.items[n - 1].next)
    if (!b->ahead.items[n - 1].done)
      aim_ahead(c, b, &b->ahead.items[n - 1], b->starts[p], code);
  if (b->last[p])
    *OG_PUSH(c->arena, &b->behind) = p;
}

/* Puts in steps for all that would soon be too far: one for each target ahead, and one for each target behind. */
static void put_steps(struct cc_function *c, struct branches *b, uint32_t limit, struct og_buffer *code) {
  uint32_t around = put_branch(c, code), count = b->ahead.count;
  for (; b->oldest < count && !c->failed; b->oldest++) {
    struct jump jump = b->ahead.items[b->oldest];
    if (!jump.done && jump.at >= limit)
      break;
    if (jump.done)
      continue;
    if (b->step[jump.to] <= around) {
      b->step[jump.to] = put_branch(c, code);
      go_ahead(c, b, b->step[jump.to], jump.to);
    }
    aim_ahead(c, b, &b->ahead.items[b->oldest], b->step[jump.to], code);
  }
  for (uint32_t n = 0; n < b->behind.count && !c->failed; n++) {
    uint32_t *start = &b->starts[b->behind.items[n]];
    if (*start >= limit)
      continue;
    uint32_t at = put_branch(c, code);
    aim(c, code, at, *start);
    *start = at;
  }
  aim(c, code, around, (uint32_t)code->size);
}

/* Puts in steps before instruction k if something is getting too far. */
static void keep_near(struct cc_function *c, struct branches *b, uint32_t k, struct og_buffer *code) {
  enum { LONGEST = 2048 }; /* bytes of instructions that stay together and what stands before them */
  uint32_t now = (uint32_t)code->size, farthest = now, kept = 0;
  if (now < REACH / 2)
    return;
  for (uint32_t n = 0; n < b->behind.count; n++) { /* leaves out targets that no later instruction jumps back to */
    uint32_t p = b->behind.items[n];
    if (b->last[p] > k)
      b->behind.items[kept++] = p, farthest = OG_MIN(farthest, b->starts[p]);
  }
  b->behind.count = kept;
  while (b->oldest < b->ahead.count && b->ahead.items[b->oldest].done)
    b->oldest++;
  if (b->oldest < b->ahead.count)
    farthest = OG_MIN(farthest, b->ahead.items[b->oldest].at);
  if (now + LONGEST + 4 * (b->left + b->behind.count) - farthest < REACH)
    return;
  if (c->isa->gfx10 && !c->isa->gfx11) /* hazard: a branch between LDS and other memory */
    put_simple(c, OG_ROW_S_WAITCNT_VSCNT, 0, true, code);
  put_steps(c, b, now - REACH / 2, code);
}

/* The last instruction that an s_delay_alu or s_clause before `k` counts to: nothing may be put between. */
static uint32_t counts_to(const struct cc_function *c, uint32_t k) {
  return k + OG_MAX(c->delays[k] >> CC_DELAY_SKIP_AT & CC_DELAY_SKIPS, c->clauses[k]);
}

void cc_encode(struct cc_function *c, struct og_buffer *code) {
  uint32_t together = 0;
  struct branches b = {.starts = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 1),
                       .last = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 1),
                       .chain = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 1),
                       .step = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 1)};
  for (uint32_t p = 0; p < c->positions; p++)
    for (uint32_t k = c->nodes.items[c->layout[p]].first; k < c->nodes.items[c->layout[p]].end; k++)
      if (cc_is_jump(&c->insts.items[k]) && (uint32_t)c->insts.items[k].offset <= p)
        b.last[c->insts.items[k].offset] = 1 + k;
  for (uint32_t p = 0; p < c->positions && !c->failed; p++) {
    const struct cc_node n = c->nodes.items[c->layout[p]];
    begin_block(c, &b, p, code);
    for (uint32_t k = n.first; k < n.end && !c->failed; k++) {
      if (k > together || !k)
        keep_near(c, &b, k, code);
      together = OG_MAX(together, counts_to(c, k));
      note_line(c, c->insts.items[k].record, (uint32_t)code->size);
      if (c->tracks)
        c->tracks->at[k] = (uint32_t)code->size;
      if (c->is_function && !p && k == n.first)
        put_entry_waits(c, code);
      if (c->waits[k])
        put_waits(c, c->waits[k], code);
      if (c->nops[k])
        put_nops(c, c->nops[k], code);
      if (cc_waits_for_stores(c, k))
        put_simple(c, OG_ROW_S_WAITCNT_VSCNT, 0, true, code);
      struct cc_inst i = c->insts.items[k];
      bool null_move;
      if (cc_is_cured(c, k, &null_move))
        put_simple(c, OG_ROW_S_WAITCNT_DEPCTR, c->depctr[k], false, code);
      if (null_move)
        put_simple(c, OG_ROW_S_MOV_B32, 0, true, code);
      if (i.row == CC_ROW_WAIT_ALL)
        continue;
      if (c->delays[k])
        put_simple(c, OG_ROW_S_DELAY_ALU, c->delays[k], false, code);
      if (c->clauses[k])
        put_simple(c, OG_ROW_S_CLAUSE, c->clauses[k], false, code);
      uint32_t at = (uint32_t)code->size, to = (uint32_t)i.offset;
      bool jumps = cc_is_jump(&i);
      i.offset = jumps ? 0 : i.offset;
      put(c, &i, code);
      if (jumps && to <= p)
        aim(c, code, at, b.starts[to]);
      else if (jumps)
        go_ahead(c, &b, at, to);
    }
  }
}
