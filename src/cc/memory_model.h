/* memory_model.h - order of memory operations between lanes. */
#ifndef OG_CC_MEMORY_MODEL_H
#define OG_CC_MEMORY_MODEL_H

#include "cc/select.h"

enum cc_access { CC_LOADS, CC_STORES, CC_ATOMICS, CC_FENCES };
/* Cache policy of an access that is atomic in a scope (a number in the module's scopes). */
uint8_t cc_policy(const struct cc_function *c, enum cc_access access, unsigned scope);
/* The same for a volatile access, which is ordered for the whole system. */
uint8_t cc_volatile_policy(const struct cc_function *c, enum cc_access access);

/* An operation that orders memory; of a fence the address space does not matter. */
struct cc_ordered {
  uint8_t access, ordering;
  unsigned scope, space;
};
/* Makes the instructions before or behind it. */
void cc_order(struct cc_function *c, const struct cc_ordered *o, bool before);
/* memory_model_old.c: the same by the older ABI's tables. */
void cc_order_older(struct cc_function *c, const struct cc_ordered *o, bool before);

/* Whether the waves of a work-group may run on several CUs (tgsplit of gfx90a and gfx942); they have no LDS then. */
bool cc_splits_groups(const struct og_target *target);

/* ---- the table, which litmus tests read as well
 * ------------------------------------------------------------------- */

enum { WORKGROUP, AGENT, SYSTEM }; /* scopes */
enum { GFX6, GFX7, GFX90A, GFX90A_SPLIT, GFX942, GFX942_SPLIT, GFX10_CU, GFX10_WGP, GFX11_CU, GFX11_WGP, GFX12_CU,
      GFX12_WGP, GFX1250 };
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
enum { ALL, LDS_ONLY, VECTOR_ONLY, NO_MEMORY };
/* Policies of CC_ROW_WAIT_ALL: the four above, of which NO_MEMORY only keeps its place in the order; a mark of
 * asynchronous operations, which waits for nothing; and a wait for such a mark, whose offset says how many marks may be
 * younger. */
enum { MARK = 8, WAIT_FOR_MARK };

struct cc_memory_model {
  uint8_t kind, scope, load, store, atomic, release, acquire, waits;
};

/* The line for a target in CU or WGP mode, and one of the scopes above; NULL: there is none. */
const struct cc_memory_model *cc_memory_model_of(const struct og_isa *isa, bool wgp, unsigned scope);

#endif
