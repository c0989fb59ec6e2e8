/* memory_model.c - cache policies of atomic accesses, and what stands before and behind them, by memory_model.def. */
#include "cc/memory_model.h"

#include "cc/address.h"

enum { WORKGROUP, AGENT, SYSTEM };
enum { GFX6, GFX7, GFX90A, GFX942, GFX10_CU, GFX10_WGP, GFX11_CU, GFX11_WGP, GFX12_CU, GFX12_WGP };
enum { /* policies */
       GLC = OG_CPOL_GLC,
       GLC_DLC = OG_CPOL_GLC | OG_CPOL_DLC,
       SC0 = OG_CPOL_GLC,
       SC1 = OG_CPOL_SCC,
       SC0_SC1 = SC0 | SC1,
       SE = 1 << 3,
       DEV = 2 << 3,
       SYS = 3 << 3,
};
enum { NOTHING, WBL2, WB12, WBINVL1, WBINVL1_VOL, INVL2_WBINVL1_VOL, INV, GL1_GL0, GL0, INV12 };
enum { LDS_ONLY, ALL };
#define LDS LDS_ONLY
static const struct model {
  uint8_t kind, scope, load, store, atomic, release, acquire, waits;
} models[] = {
#define MODEL(...) {__VA_ARGS__},
#include "cc/memory_model.def"
};
#undef LDS

static unsigned kind_of(const struct cc_function *c) {
  bool cu = c->target->cumode;
  if (c->isa->gfx12)
    return cu ? GFX12_CU : GFX12_WGP;
  if (c->isa->gfx11)
    return cu ? GFX11_CU : GFX11_WGP;
  if (c->isa->gfx10)
    return cu ? GFX10_CU : GFX10_WGP;
  return c->isa->gfx940 ? GFX942 : c->isa->gfx90a ? GFX90A : c->isa->generation >= OG_GFX7 ? GFX7 : GFX6;
}

/* The line for a scope; NULL: nothing has to be done. What begins with a scope's name is the same with "-one-as". */
static const struct model *model_of(const struct cc_function *c, unsigned scope) {
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
  for (unsigned k = 0; k < OG_COUNT(models); k++)
    if (models[k].kind == kind_of(c) && models[k].scope == which)
      return &models[k];
  return NULL;
}

uint8_t cc_policy(const struct cc_function *c, enum cc_access access, unsigned scope) {
  const struct model *m = model_of(c, scope);
  return !m ? 0 : access == CC_LOADS ? m->load : access == CC_STORES ? m->store : m->atomic;
}

static void put(struct cc_function *c, unsigned row, unsigned policy) {
  cc_emit(c, row, 0, 0, NULL)->policy = (uint8_t)policy;
}

static void acquire(struct cc_function *c, const struct model *m) {
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

void cc_wait_for_all(struct cc_function *c, unsigned scope) {
  if (model_of(c, scope))
    cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
}

void cc_fence(struct cc_function *c, unsigned ordering, unsigned scope, bool before) {
  const struct model *m = model_of(c, scope);
  if (ordering < OG_IR_ACQUIRE || !m)
    return;
  bool acquires = ordering != OG_IR_RELEASE, releases = ordering != OG_IR_ACQUIRE;
  if (before ? !releases : !acquires)
    return;
  if (before && m->release == WBL2)
    put(c, OG_ROW_BUFFER_WBL2, m->kind == GFX942 ? m->load : 0);
  if (before && m->release == WB12)
    put(c, OG_ROW_GLOBAL_WB, m->load);
  cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  if (!before)
    acquire(c, m);
}
