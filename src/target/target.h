/* target.h - processors, their features, limits and names in files. Knows nothing about instructions. */
#ifndef OG_TARGET_H
#define OG_TARGET_H

#include "base/base.h"

/* Generations of instruction sets: processors of one generation decode alike (one column of facts each). The generated
 * file lists them as isa/generations.isa does: OG_GENERATIONS(X). */
#include "target/generations.inc"

#define OG_GENERATION_ENUM(name) OG_##name,
enum og_generation { OG_R600, OG_GENERATIONS(OG_GENERATION_ENUM) OG_GENERATION_COUNT };

/* Sets of generations, one bit each. Ranges have no end: a generation added behind the last one is in every set that
 * the last one is in. */
#define OG_FROM(first) (((1u << OG_GENERATION_COUNT) - 1) & (~0u << OG_##first))
#define OG_UNTIL(last) ((2u << OG_##last) - 1)

/* What a processor has: one bit per feature. */
struct og_feature_set {
  uint64_t bits[5];
};

enum og_setting { OG_UNSUPPORTED, OG_ANY, OG_OFF, OG_ON }; /* the setting of a feature in a target id */

struct og_processor {
  const char *name;           /* "gfx900" */
  const char *const *aliases; /* NULL-terminated */
  enum og_generation generation;
  uint8_t major, minor, stepping; /* 9, 0, 0: ISA version (0 for r600) */
  uint32_t mach;                  /* EF_AMDGPU_MACH_* */
  uint32_t generic_version;       /* 0 unless a generic processor */
  bool xnack, sramecc;            /* can have the target feature */
  bool xnack_default, sramecc_default; /* the default in older code objects */
  bool apu;
  uint8_t wave_size;              /* default: 64 or 32 */
  bool wave32, wave64;            /* which wave sizes are possible */
  bool cumode;                    /* has WGP mode, so cumode is a choice */
  struct og_feature_set features; /* under LLVM's names, implied ones included: og_feature_name() */
  /* Limits. Those of VGPRs are for wave64; in wave32 the total and the granules double from gfx10 on
   * (og_vgpr_granule()). */
  uint16_t vgprs_total, vgprs_max;                    /* per lane of a SIMD; for one wave */
  uint8_t vgpr_granule, vgprs_counted_by;             /* of allocation; of descriptors */
  uint16_t sgprs_total, sgprs_max, sgpr_granule;      /* sgprs_max excludes VCC and other extras */
  uint8_t sgprs_counted_by;                           /* granule of descriptors; 0: they do not count SGPRs */
  uint8_t user_sgprs_max;                             /* most that the packet processor fills */
  uint8_t waves_per_simd, simds_per_cu;
  uint32_t lds_bytes, lds_granule;                    /* per work-group; allocation unit */
  uint32_t scratch_granules_max, scratch_granule;     /* per wave; in bytes */
  uint16_t agprs_max;                                 /* 0: there are none */
  bool unified_vgprs;                                 /* gfx90a+: AGPRs share the VGPR file */
};

enum { OG_WORKGROUP_MAX = 1024 }; /* work-items of a work-group, on every processor */

/* The processor of that name or alternative name ("gfx902", "tahiti"); NULL: there is none. */
const struct og_processor *og_find_processor(struct og_text name);
const struct og_processor *og_processor_by_mach(uint32_t mach);
size_t og_processor_count(void);
const struct og_processor *og_processor_at(size_t index);

/* A feature by LLVM's name ("dot10-insts"); -1: there is none. */
int og_find_feature(struct og_text name);
const char *og_feature_name(int feature);
size_t og_feature_count(void);
static inline bool og_has_feature(const struct og_feature_set *set, int feature) {
  return feature >= 0 && (set->bits[feature >> 6] >> (feature & 63) & 1);
}

enum og_os { OG_OS_NONE, OG_OS_AMDHSA, OG_OS_AMDPAL, OG_OS_MESA3D };

/* A processor with choices made: what code is assembled, compiled or run for. */
struct og_target {
  const struct og_processor *processor;
  enum og_os os;
  struct og_feature_set features; /* the processor's, changed by -mattr */
  enum og_setting xnack, sramecc;
  uint8_t wave_size;
  bool mixed_waves; /* -mattr asks for both wave sizes: the assembler takes what is right for either */
  bool cumode;
};

/* Whether code made for `code` runs on a processor set up as `agent` (user guide, "Target ID"): a feature that the code
 * requires on or off must be set so there; a generic processor's code runs on every processor it stands for. If not,
 * *differs says why: "processor", "xnack", "sramecc". */
bool og_target_runs(const struct og_target *agent, const struct og_target *code, const char **differs);
/* Makes a target from -triple, -mcpu and -mattr; any may be NULL. The default is amdgcn-amd-amdhsa; a processor must be
 * named. */
bool og_target_parse(struct og_target *target, const char *triple, const char *mcpu, const char *mattr,
                     struct og_diagnostics *diagnostics);
/* Adds what -triple and -mattr say to a target; either may be NULL. */
bool og_target_refine(struct og_target *target, const char *triple, const char *mattr,
                      struct og_diagnostics *diagnostics);
/* Makes a target from a target id in either form: "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-",
 * "amdgcn-amd-amdhsa--gfx902+xnack", "gfx900". */
bool og_target_parse_id(struct og_target *target, struct og_text id, struct og_diagnostics *diagnostics);
/* Prints the target id in the new form (code object V4+) or the old one (V2, V3), with the triple in front. */
void og_target_print_id(const struct og_target *target, int code_object_version, struct og_buffer *out);
/* e_flags of a code object of that version (2..6). */
uint32_t og_target_e_flags(const struct og_target *target, int code_object_version);
/* Makes a target from e_flags; `abi_version` is e_ident[EI_ABIVERSION], os_abi is e_ident[EI_OSABI] (64, 65, 66 or
 * 0). */
bool og_target_from_e_flags(struct og_target *target, uint8_t os_abi, uint8_t abi_version, uint32_t e_flags);
/* Merges two objects' e_flags for a linker: what one leaves open the other decides. False if they contradict each other
 * in `*differs` ("xnack"). */
bool og_target_merge_e_flags(uint32_t *flags, uint32_t other, uint8_t os_abi, uint8_t abi_version,
                             const char **differs);

#endif
