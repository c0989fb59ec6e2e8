/* pal.h - how AMD's PAL hands parameters to shaders: user-data registers and the global internal table.
 * Seed: AMDGPU backend guide, "AMDPAL". Numbers are 32-bit registers or dwords. */
#ifndef OG_PAL_H
#define OG_PAL_H

#include "object/code/code_object.h"

/* Compute shaders: a fixed map of the user SGPRs, which are set from the registers
 * OG_PAL_COMPUTE_STAGE and following. */
enum { OG_PAL_COMPUTE_STAGE = 0x2e40 };
enum og_pal_compute_user_data {
  OG_PAL_COMPUTE_GLOBAL_TABLE = 0,      /* low half of the global internal table's address */
  OG_PAL_COMPUTE_SHADER_TABLE = 1,      /* low half of the per-shader internal table's address */
  OG_PAL_COMPUTE_USER_DATA = 2,         /* first of the application's 10 entries; further ones are in the spill table */
  OG_PAL_COMPUTE_SPILL_TABLE = 12,      /* low half of its address */
  OG_PAL_COMPUTE_GROUP_COUNT = 13,      /* two registers: address of the thread group counts */
  OG_PAL_COMPUTE_GDS_RANGE = 15,
};

/* Graphics shaders: only register 0 is fixed, to the global internal table. The others are assigned by the pipeline's
 * metadata, the application's entries to consecutive registers in their order; draw index, vertex offset and instance
 * offset exist for the first stage only. */
enum { OG_PAL_GRAPHICS_GLOBAL_TABLE = 0 };

/* The global internal table: resource descriptors of 4 dwords each. Upper halves of
 * addresses are those of the code's. */
enum og_pal_global_table {
  OG_PAL_TABLE_GRAPHICS_SCRATCH = 0,
  OG_PAL_TABLE_COMPUTE_SCRATCH = 4,
  OG_PAL_TABLE_ES_GS_RING_OUT = 8,
  OG_PAL_TABLE_ES_GS_RING_IN = 12,
  OG_PAL_TABLE_GS_VS_RING_OUT = 16, /* four streams, 4 dwords each */
  OG_PAL_TABLE_GS_VS_RING_IN = 32,
  OG_PAL_TABLE_TESSELLATION_FACTORS = 36,
  OG_PAL_TABLE_OFF_CHIP_LDS = 40,
  OG_PAL_TABLE_OFF_CHIP_PARAMETERS = 44,
  OG_PAL_TABLE_SAMPLE_POSITIONS = 48,
  OG_PAL_TABLE_SHADOW_DESCRIPTORS_HIGH = 52, /* one dword: upper half of the shadow descriptor table's addresses */
};

/* A register of the hardware that pipeline metadata sets. */
struct og_pal_register {
  uint32_t number, value;
};
typedef void og_pal_visit(uint32_t number, uint32_t value, void *context);
void og_pal_each_register(const struct og_code_object *code, og_pal_visit *visit, void *context);
enum { OG_PAL_SINGLE = UINT32_MAX };
/* A register's name, after which "_INDEX" stands unless that is OG_PAL_SINGLE; NULL where there is none. */
const char *og_pal_register(uint32_t number, uint32_t *index);
const char *og_pal_stage(uint32_t number, uint32_t *index); /* the same of user data; NULL: of none */
const char *og_pal_use(uint32_t number);                    /* what PAL puts there; "" if it is no user data */

#endif
