/* hazard_names.h - the names in hazards.def for classes of instructions, ways to touch registers, and generations. */
#ifndef OG_ISA_HAZARD_NAMES_H
#define OG_ISA_HAZARD_NAMES_H

#include "isa/hazards.h"

#define BIT(name) (1ull << OG_HAZARD_BIT_##name)
/* Classes by their names in hazards.def. */
#define ALU BIT(ALU)
#define TRANS BIT(TRANS)
#define DOT BIT(DOT)
#define ACC_READ BIT(ACC_READ)
#define ACC_WRITE BIT(ACC_WRITE)
#define XDL2 BIT(XDL2)
#define XDL (XDL2 | BIT(XDL_MORE))
#define SGEMM2 BIT(SGEMM2)
#define SGEMM (SGEMM2 | BIT(SGEMM_MORE))
#define SMFMA (XDL | SGEMM)
#define DGEMM4 BIT(DGEMM4)
#define DGEMM16 BIT(DGEMM16)
#define DGEMM (DGEMM4 | DGEMM16)
#define MFMA (SMFMA | DGEMM)
#define WMMA8 BIT(WMMA8)
#define WMMA16 BIT(WMMA16)
#define SWMMAC8 BIT(SWMMAC8)
#define SWMMAC16 BIT(SWMMAC16)
#define XDL_WMMA (WMMA8 | WMMA16 | SWMMAC8 | SWMMAC16)
#define WMMA (XDL_WMMA | BIT(WMMA_OTHER))
#define VALU ((2ull << OG_HAZARD_BIT_SWMMAC16) - 1)
#define PLAIN (VALU & ~TRANS)
#define LEGACY (VALU & ~MFMA)
#define SALU BIT(SALU)
#define SMEM BIT(SMEM)
#define SBUFFER BIT(SBUFFER)
#define VMEM BIT(VMEM)
#define NOT_FLAT BIT(NOT_FLAT)
#define LDS BIT(LDS)
#define MEMORY (VMEM | LDS | BIT(EXPORT))
#define LANES BIT(LANES)
#define READLANE BIT(READLANE)
#define FMAS BIT(FMAS)
#define FMA64 BIT(FMA64)
#define DPP BIT(DPP)
#define SETREG BIT(SETREG)
#define GETREG BIT(GETREG)
#define PERMLANE BIT(PERMLANE)
#define CMPX BIT(CMPX)
#define DENORM BIT(DENORM)
#define MASKED BIT(MASKED)
#define MESSAGE BIT(MESSAGE)
#define INTERP BIT(INTERP)
#define LDS_DMA BIT(LDS_DMA)
#define ARRIVAL BIT(ARRIVAL)
#define WIDE BIT(WIDE)
#define PARTIAL BIT(PARTIAL)
#define VALU_SCALAR BIT(VALU_SCALAR)
#define LONG_NSA BIT(LONG_NSA)
#define OFFSET_246 BIT(OFFSET_246)
#define FLOAT_ATOMIC BIT(FLOAT_ATOMIC)
#define COUNTS BIT(COUNTS)
#define WAIT_ALL BIT(WAIT_ALL)
#define WAIT_LGKM BIT(WAIT_LGKM)
#define WAIT_VS BIT(WAIT_VS)
/* How registers are touched. */
enum {
  WRITES = OG_AS_RESULT,
  NAMED = OG_AS_NAMED,
  LANE = OG_AS_SRC1,
  DATA = OG_AS_DATA,
  MASK = OG_AS_SRC2 | OG_AS_UNSEEN,
  C = OG_AS_SRC2,
  AB = OG_AS_SRC0 | OG_AS_SRC1 | OG_AS_OTHER,
  READS = OG_AS_SRC0 | OG_AS_SRC1 | OG_AS_SRC2 | OG_AS_DATA | OG_AS_OTHER | OG_AS_UNSEEN,
};
enum { /* enum og_hazard_what */
       VGPR = OG_HAZARD_VGPR,
       AGPR = OG_HAZARD_AGPR,
       VECTOR = VGPR | AGPR,
       SGPRS = OG_HAZARD_SGPRS,
       VCC = OG_HAZARD_VCC,
       SGPR = SGPRS | VCC,
       EXEC = OG_HAZARD_EXEC,
       M0 = OG_HAZARD_M0,
       SCALAR = SGPR | EXEC | M0,
       MODE = OG_HAZARD_MODE,
       NOTHING = OG_HAZARD_NOTHING,
};
#define FROM(g) OG_FROM(g)
#define UNTIL(g) OG_UNTIL(g)
#define ONLY(g) (1u << OG_##g)
#define GFX8_9 (FROM(GFX8) & UNTIL(GFX950))
#define GFX9 (FROM(GFX900) & UNTIL(GFX950))
#define GFX7_90A (FROM(GFX7) & UNTIL(GFX90A))
#define GFX90A_942 (FROM(GFX90A) & UNTIL(GFX942))
#define GFX90A_950 (FROM(GFX90A) & UNTIL(GFX950))
#define GFX940 (FROM(GFX942) & UNTIL(GFX950))
#define GFX10 (FROM(GFX10_1) & UNTIL(GFX10_3))
#define GFX10_1X (FROM(GFX10_1) & UNTIL(GFX1013))
#define CMPX_PERMLANE (GFX10_1X | FROM(GFX11))
#define MASKS (OG_HAZARD_WAVE64 | ONLY(GFX11) | ONLY(GFX11_5))

#endif
