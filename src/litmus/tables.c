/* tables.c - finds code sequences by operation, order, scope and address space: tables.def. */
#include "litmus/tables.h"

#include <string.h>

const char *const og_order_names[OG_ORDERS] = {"non-atomic", "monotonic", "acquire", "release", "acq_rel", "seq_cst"};
const char *const og_scope_names[OG_SCOPES] = {"wavefront", "workgroup", "agent", "system"};
const char *const og_space_names[OG_ADDRESS_SPACES] = {"global", "local", "generic"};
const char *const og_access_names[4] = {"load", "store", "atomicrmw", "fence"};

enum {
  WAVE = 1 << OG_SCOPE_WAVE,
  GROUP = 1 << OG_SCOPE_WORKGROUP,
  AGENT = 1 << OG_SCOPE_AGENT,
  SYSTEM = 1 << OG_SCOPE_SYSTEM,
  ANY = 15,
  WG = WAVE | GROUP,
  AGENT_ON = AGENT | SYSTEM
};
enum { G = 1 << OG_GLOBAL, L = 1 << OG_LOCAL, F = 1 << OG_GENERIC, NONE = G };

static const struct og_table_row guide[] = {
#define ROW(kind, order, scopes, spaces, gfx6_9, gfx10)                                                                \
  {OG_DO_##kind, OG_ORDER_##order, scopes, spaces, {gfx6_9, gfx10}},
#include "litmus/tables.def"
#undef ROW
};
static const struct og_table_row old[] = {
#define OLD(kind, order, scopes, spaces, sequence) {OG_DO_##kind, OG_ORDER_##order, scopes, spaces, {sequence, NULL}},
#include "cc/memory_model_old.def"
};

const struct og_table_row *og_table_rows(enum og_table table, size_t *count) {
  *count = table == OG_TABLE_OLD ? OG_COUNT(old) : OG_COUNT(guide);
  return table == OG_TABLE_OLD ? old : guide;
}

/* Reads "op.glc", "op~glc" or "~vm" and appends it, unless CU mode omits it. */
static void read_step(struct og_text word, bool wgp, struct og_sequence *sequence) {
  static const struct {
    const char *name;
    uint8_t kind;
  } kinds[] = {
      {"lgkm", OG_STEP_LGKM},       {"vm", OG_STEP_VM},   {"vs", OG_STEP_VS},   {"rt", OG_STEP_RETURNED},
      {"wbinvl1", OG_STEP_WBINVL1}, {"gl0", OG_STEP_GL0}, {"gl1", OG_STEP_GL1},
  };
  bool omitted = og_text_skip(&word, "~") && !wgp;
  struct og_step step = {OG_STEP_OP, 0};
  if (og_text_skip(&word, "op")) {
    step.policy |= og_text_skip(&word, ".glc") ? OG_CPOL_GLC : 0;
    step.policy |= og_text_skip(&word, ".dlc") ? OG_CPOL_DLC : 0;
    step.policy |= og_text_is(word, "~glc") && wgp ? OG_CPOL_GLC : 0;
  }
  for (size_t i = 0; i < OG_COUNT(kinds); i++)
    if (og_text_is(word, kinds[i].name))
      step.kind = kinds[i].kind;
  if (!omitted)
    sequence->step[sequence->count++] = step;
}

static void read_sequence(const char *text, bool wgp, struct og_sequence *sequence) {
  *sequence = (struct og_sequence){0};
  while (*text) {
    size_t size = strcspn(text, " ");
    read_step((struct og_text){text, size}, wgp, sequence);
    text += size + (text[size] == ' ');
  }
}

bool og_table_sequence(enum og_table table, const struct og_litmus_test *test, enum og_access_kind kind,
                       enum og_order order, enum og_scope scope, enum og_address_space space,
                       struct og_sequence *sequence) {
  if (space == OG_LOCAL && scope > OG_SCOPE_WORKGROUP && kind != OG_DO_FENCE)
    scope = OG_SCOPE_WORKGROUP; /* "not meaningful for the group (LDS) address space and is treated as work-group" */
  if (table == OG_TABLE_COMPILER) {
    og_sequence_of(test, kind, order, scope, space, sequence);
    return true;
  }
  size_t count;
  const struct og_table_row *rows = og_table_rows(table, &count);
  if (table == OG_TABLE_OLD && order > OG_ORDER_MONOTONIC && (kind != OG_DO_RMW && kind != OG_DO_FENCE))
    order = OG_ORDER_SEQ_CST;
  if (table == OG_TABLE_OLD && order == OG_ORDER_ACQ_REL)
    order = OG_ORDER_SEQ_CST;
  for (size_t i = 0; i < count; i++)
    if (rows[i].kind == kind && rows[i].order == order && rows[i].scopes >> scope & 1 &&
        (kind == OG_DO_FENCE || rows[i].spaces >> space & 1)) {
      bool gfx10 = test->isa->gfx10 && rows[i].sequence[1];
      read_sequence(rows[i].sequence[gfx10], test->wgp, sequence);
      for (unsigned s = 0; s < sequence->count && space == OG_LOCAL; s++)
        sequence->step[s].policy = 0;
      return true;
    }
  return false;
}

static bool swap_after(struct og_sequence *sequence, enum og_step_kind first, enum og_step_kind second) {
  bool changed = false;
  for (unsigned i = 1; i < sequence->count; i++)
    if (sequence->step[i - 1].kind == first && sequence->step[i].kind == second) {
      struct og_step step = sequence->step[i - 1];
      sequence->step[i - 1] = sequence->step[i], sequence->step[i] = step;
      changed = true;
    }
  return changed;
}

bool og_sequence_outer_first(struct og_sequence *sequence) { return swap_after(sequence, OG_STEP_GL0, OG_STEP_GL1); }
void og_sequence_swap_invalidates(struct og_sequence *sequence) { swap_after(sequence, OG_STEP_GL1, OG_STEP_GL0); }
