/* memory_model.c - cache policies of atomic accesses, and the instructions before and after them, by
 * memory_model.def. */
#include "cc/memory_model.h"

#include "cc/address.h"
#include "target/features.inc"

#define LDS LDS_ONLY
static const struct cc_memory_model models[] = {
#define MODEL(...) {__VA_ARGS__},
#include "cc/memory_model.def"
};
#undef LDS

static unsigned kind_of(const struct og_isa *isa, bool wgp) {
  return isa->gfx1250                 ? GFX1250
         : isa->gfx12                 ? GFX12_CU + wgp
         : isa->gfx11                 ? GFX11_CU + wgp
         : isa->gfx10                 ? GFX10_CU + wgp
         : isa->gfx940                ? GFX942
         : isa->gfx90a                ? GFX90A
         : isa->generation >= OG_GFX7 ? GFX7
                                      : GFX6;
}

static const struct cc_memory_model *find(unsigned kind, unsigned scope) {
  for (unsigned k = 0; k < OG_COUNT(models); k++)
    if (models[k].kind == kind && models[k].scope == scope)
      return &models[k];
  return NULL;
}

const struct cc_memory_model *cc_memory_model_of(const struct og_isa *isa, bool wgp, unsigned scope) {
  return find(kind_of(isa, wgp), scope);
}

bool cc_splits_groups(const struct og_target *target) {
  return og_has_feature(&target->features, OG_FEATURE_TGSPLIT);
}

/* The line for a scope; NULL: nothing has to be done. A scope with "-one-as" behind its name is treated like the one
 * without. */
static const struct cc_memory_model *model_of(const struct cc_function *c, unsigned scope) {
  static const char *const nothing[] = {"singlethread", "wavefront"};
  struct og_text name = c->m->scopes.items[scope];
  for (unsigned k = 0; k < OG_COUNT(nothing); k++) {
    struct og_text rest = name;
    if (og_text_skip(&rest, nothing[k]))
      return NULL;
  }
  unsigned which = og_text_skip(&name, "workgroup") || og_text_skip(&name, "cluster") ? WORKGROUP
                   : og_text_skip(&name, "agent")                                     ? AGENT
                                                                                      : SYSTEM;
  if (which == WORKGROUP && cc_splits_groups(c->target))
    return find(c->isa->gfx940 ? GFX942_SPLIT : GFX90A_SPLIT, which);
  return cc_memory_model_of(c->isa, !c->target->cumode, which);
}

uint8_t cc_policy(const struct cc_function *c, enum cc_access access, unsigned scope) {
  const struct cc_memory_model *m = model_of(c, scope);
  return !m ? 0 : access == CC_LOADS ? m->load : access == CC_STORES ? m->store : m->atomic;
}

/* On gfx11 DLC also keeps it out of the memory-attached last level cache (user guide, "Memory Model GFX10-GFX11"). */
uint8_t cc_volatile_policy(const struct cc_function *c, enum cc_access access) {
  enum { SYSTEM_SCOPE = 1 };
  bool plain = access != CC_ATOMICS && c->isa->gfx11 && !c->isa->gfx12;
  return (uint8_t)(cc_policy(c, access, SYSTEM_SCOPE) | (plain ? OG_CPOL_DLC : 0));
}

static void put(struct cc_function *c, unsigned row, unsigned policy) {
  cc_emit(c, row, 0, 0, NULL)->policy = (uint8_t)policy;
}

static void acquire(struct cc_function *c, const struct cc_memory_model *m) {
  switch (m->acquire) {
  case WBINVL1: put(c, OG_ROW_BUFFER_WBINVL1, 0); break;
  case INVL2_WBINVL1_VOL: put(c, OG_ROW_BUFFER_INVL2, 0); /* fall through */
  case WBINVL1_VOL: put(c, OG_ROW_BUFFER_WBINVL1_VOL, 0); break;
  case INV: put(c, OG_ROW_BUFFER_INV, m->load); break;
  case GL1_GL0: put(c, OG_ROW_BUFFER_GL1_INV, 0); /* fall through */
  case GL0: put(c, OG_ROW_BUFFER_GL0_INV, 0); break;
  case INV12: put(c, OG_ROW_GLOBAL_INV, m->load); break;
  default: break;
  }
}

/* Waits for all that the line names: the policy says for what. */
static void wait(struct cc_function *c, const struct cc_memory_model *m) { put(c, CC_ROW_WAIT_ALL, m->waits); }

/* Before a sequentially consistent load: waits for all earlier accesses that its scope may see. */
static void wait_for_all(struct cc_function *c, unsigned scope) {
  const struct cc_memory_model *m = model_of(c, scope);
  if (m)
    wait(c, m);
}

static void fence(struct cc_function *c, unsigned ordering, unsigned scope, bool before) {
  const struct cc_memory_model *m = model_of(c, scope);
  if (ordering < OG_IR_ACQUIRE || !m)
    return;
  bool acquires = ordering != OG_IR_RELEASE, releases = ordering != OG_IR_ACQUIRE;
  if (before ? !releases : !acquires)
    return;
  if (before && m->release == WBL2)
    put(c, OG_ROW_BUFFER_WBL2, m->kind == GFX942 ? m->load : 0);
  if (before && m->release == WB12)
    put(c, OG_ROW_GLOBAL_WB, m->load);
  wait(c, m);
  if (!before)
    acquire(c, m);
}

void cc_order(struct cc_function *c, const struct cc_ordered *o, bool before) {
  if (c->older_memory)
    cc_order_older(c, o, before);
  else if (o->access == CC_LOADS && before && o->ordering == OG_IR_SEQ_CST)
    wait_for_all(c, o->scope);
  else if ((o->access != CC_LOADS || !before) && (o->access != CC_STORES || before))
    fence(c, o->ordering, o->scope, before);
}
