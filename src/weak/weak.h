/* weak.h - a memory system in which stores become visible late and caches keep what is stale, as the user guide's
 * "Memory Model" describes it. Knows neither waves nor programs: litmus tests and the executor ask it what a load may
 * find.
 *
 * A place is one dword, or two. It remembers the values it has had as versions, the oldest first. Each cache has a
 * floor for it: the oldest version that the cache may still hold. A load may find any version from the floor of the
 * first cache that its policy lets it use; what it finds raises the floors on its way, so that no cache goes back in
 * time. A store raises only the floors on its own way. Invalidating a cache raises its floors to those of the cache
 * behind it. That covers all effects that another wave could cause by loading a line in between. */
#ifndef OG_WEAK_H
#define OG_WEAK_H

#include "isa/effects.h"
#include "isa/waits.h"

/* ---- the caches of a generation (kinds.def) ---------------------------------------------------------------------- */

/* The distance from the wave: an access that has to reach a level is not served by nearer ones. */
enum og_weak_level { OG_WEAK_L0, OG_WEAK_GL1, OG_WEAK_L2, OG_WEAK_MEMORY, OG_WEAK_LEVELS };

/* How an instruction's bits give its cache policy, by generation. */
enum og_weak_policy {
  OG_WEAK_GLC, OG_WEAK_GLC_DLC, OG_WEAK_GLC_ALL, OG_WEAK_SC, OG_WEAK_SC_L2, OG_WEAK_SCOPE, OG_WEAK_SCOPE_L2S,
};

struct og_weak_kind {
  const char *name;
  bool gl1;         /* there is a cache between L0 and L2, which work-groups of a shader array share */
  bool many_l2;     /* an agent has several L2s, each with its own copies */
  bool writes_back; /* L2 keeps what was stored until it is written back, and other agents' memory until invalidated */
  uint8_t policy;   /* enum og_weak_policy */
};
/* `single`: if the processor can be divided into agents with one L2 each instead of being one with several, it is. */
const struct og_weak_kind *og_weak_kind_of(const struct og_isa *isa, bool single);

/* ---- where waves are --------------------------------------------------------------------------------------------- */

enum { OG_WEAK_NODES = 24, OG_WEAK_NO_NODE = 255 };

/* Caches; parent: the one behind each. L2 has none behind it. */
struct og_weak_system {
  const struct og_weak_kind *kind;
  uint8_t count;
  uint8_t parent[OG_WEAK_NODES], level[OG_WEAK_NODES]; /* enum og_weak_level */
};
/* Adds a cache of a level nearer than its parent; OG_WEAK_NO_NODE: there are too many. */
unsigned og_weak_add(struct og_weak_system *system, enum og_weak_level level, unsigned parent);

/* ---- places ------------------------------------------------------------------------------------------------------ */

enum { OG_WEAK_VERSIONS = 8 };

struct og_weak_place {
  uint64_t value[OG_WEAK_VERSIONS];
  uint8_t owner[OG_WEAK_VERSIONS]; /* the L2 in which it was stored */
  bool fine;                       /* fine-grained: L2 does not keep it, or is coherent with other agents */
  uint8_t newest;                  /* versions are 0..newest */
  uint8_t written;                 /* the newest that all agents can see */
  uint8_t floor[OG_WEAK_NODES];
};

void og_weak_place_init(struct og_weak_place *place, uint64_t value);
/* The versions that a load may find if it starts at a cache and has to reach that level: one bit each. */
unsigned og_weak_choices(const struct og_weak_system *system, const struct og_weak_place *place, unsigned node,
                         enum og_weak_level reach);
/* The load has found that version. */
void og_weak_found(const struct og_weak_system *system, struct og_weak_place *place, unsigned node, unsigned version);
/* The version that a read-modify-write changes. */
unsigned og_weak_latest(const struct og_weak_system *system, const struct og_weak_place *place, unsigned node,
                        enum og_weak_level reach);
/* A store or atomic arrives. If there are too many versions, the oldest is forgotten. */
void og_weak_store(const struct og_weak_system *system, struct og_weak_place *place, unsigned node,
                   enum og_weak_level reach, uint64_t value);
/* Invalidates the cache of that level on the way from `node` to memory. */
void og_weak_invalidate(const struct og_weak_system *system, struct og_weak_place *place, unsigned node,
                        enum og_weak_level level);
/* The L2 behind `node` writes back. */
void og_weak_write_back(const struct og_weak_system *system, struct og_weak_place *place, unsigned node);

/* ---- instructions ------------------------------------------------------------------------------------------------ */

enum og_weak_operation {
  OG_WEAK_OTHER, /* does nothing to the memory */
  OG_WEAK_LOAD,
  OG_WEAK_STORE,
  OG_WEAK_ATOMIC,
  OG_WEAK_INVALIDATE, /* levels: one bit each; the farther level is invalidated first */
  OG_WEAK_WRITE_BACK,
  OG_WEAK_WAIT,
};
enum og_weak_path {
  OG_WEAK_VECTOR,
  OG_WEAK_SCALAR,
  OG_WEAK_LDS,
  OG_WEAK_FLAT /* LDS or vector memory, as the address says */
};

struct og_weak_inst {
  uint8_t operation, path;     /* enum og_weak_operation, og_weak_path */
  uint8_t reach;               /* enum og_weak_level, of loads, stores and atomics */
  uint8_t levels;              /* levels that are invalidated, one bit each */
  bool returns;                /* an atomic that returns the old value */
  uint8_t limits[OG_COUNTERS]; /* what a wait lets be outstanding */
  struct og_transfer transfer; /* the counters that it raises */
};
void og_weak_classify(const struct og_isa *isa, bool single, const struct og_inst *inst, struct og_weak_inst *out);
/* Whether a counter that it raises shows when it has ended. A flat operation raises counters of memory and of LDS; only
 * that of where it went shows it, the other falls at once. */
bool og_weak_tells(const struct og_weak_inst *inst, unsigned counter, bool lds);

#endif
