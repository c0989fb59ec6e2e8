/* clauses.c - from gfx10 on, s_clause keeps successive accesses to memory together, so that none of another wave comes
 * between (RDNA2 ISA, "S_CLAUSE"): loads of one kind, from gfx11 on also stores, as in LLVM's code. */
#include "cc/select.h"
#include "isa/effects.h"

enum { NO_KIND, SCALAR, VECTOR, FLAT, OF_STORES };
/* RDNA2 ISA. Some gfx11 chips fail with more than 32 (llvm-project, pull request 81287). */
enum { MOST = 63, MOST_GFX11 = 32 };

/* The kind of accesses that may stand together. Images are left out: on gfx10.1 long ones fail in clauses. */
static unsigned kind_of(const struct cc_function *c, const struct cc_inst *i) {
  if (i->row >= OG_ROW_COUNT || i->text)
    return NO_KIND;
  const struct og_form *form = og_form(c->isa, i->form);
  const struct og_memory *memory = og_form_memory(form);
  bool stores = memory->access == OG_MOVES_STORE;
  if ((memory->access != OG_MOVES_LOAD && !(stores && c->isa->gfx11)) || memory->lds)
    return NO_KIND;
  switch ((enum og_memory_space)memory->space) {
  case OG_IN_GLOBAL:
  case OG_IN_SCRATCH:
  case OG_IN_BUFFER: return (form->issue == OG_ISSUE_SMEM ? SCALAR : VECTOR) + (stores ? OF_STORES : 0u);
  case OG_IN_FLAT: return FLAT + (stores ? OF_STORES : 0u);
  default: return NO_KIND;
  }
}

/* Whether a wait or the like is put before an instruction. */
static bool is_apart(const struct cc_function *c, uint32_t k) {
  bool null_move;
  return c->waits[k] || c->nops[k] || c->cures[k] || cc_waits_for_stores(c, k) || cc_is_cured(c, k, &null_move) ||
         null_move;
}

bool cc_clauses(struct cc_function *c) {
  c->clauses = OG_NEW_ARRAY(c->arena, uint8_t, c->insts.count + 1);
  uint32_t most = c->isa->gfx11 ? MOST_GFX11 : MOST;
  for (uint32_t p = 0; p < c->positions && c->isa->gfx10; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t k = n->first, end; k < n->end; k = end) {
      unsigned kind = kind_of(c, &c->insts.items[k]);
      for (end = k + 1;
           kind && end < n->end && end - k < most && kind_of(c, &c->insts.items[end]) == kind && !is_apart(c, end);)
        end++;
      c->clauses[k] = (uint8_t)(end - k - 1);
    }
  }
  return true;
}
