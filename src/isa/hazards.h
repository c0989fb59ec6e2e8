/* hazards.h - instructions that code must keep apart because hardware does not: the lines of hazards.def, and where two
 * instructions match one. */
#ifndef OG_ISA_HAZARDS_H
#define OG_ISA_HAZARDS_H

#include "isa/outstanding.h"

/* Classes of instructions, a bit each. Each vector instruction belongs to one of the first ones. */
#define OG_HAZARD_CLASSES(X)                                                                                           \
  X(ALU) X(TRANS) X(DOT) X(ACC_READ) X(ACC_WRITE)                                                                      \
  X(XDL2) X(XDL_MORE) X(SGEMM2) X(SGEMM_MORE) X(DGEMM4) X(DGEMM16) /* matrices of gfx908 to gfx950; 2: of two passes */ \
  X(WMMA_OTHER) X(WMMA8) X(WMMA16) X(SWMMAC8) X(SWMMAC16)          /* later ones, by cycles on gfx1250 */              \
  X(SALU) X(SMEM) X(SBUFFER) X(VMEM) X(NOT_FLAT) X(LDS) X(EXPORT)                                                      \
  X(LANES)      /* v_readlane, v_writelane */                                                                          \
  X(READLANE)   /* v_readlane, v_readfirstlane */                                                                      \
  X(FMAS) X(FMA64) X(DPP) X(SETREG) X(GETREG) X(PERMLANE) X(CMPX) X(DENORM)                                            \
  X(MASKED)     /* takes a mask of lanes: v_cndmask, carries in */                                                     \
  X(MESSAGE)    /* and others that use M0 outside the wave: GDS, GWS */                                              \
  X(INTERP)     /* and relative moves */                                                                               \
  X(LDS_DMA)    /* between memory and LDS at M0 */                                                                     \
  X(ARRIVAL)    /* at a barrier in LDS, asynchronously */                                                              \
  X(WIDE)       /* stores more than 64 bits of a lane */                                                               \
  X(PARTIAL)    /* VALU that writes a part of its register */                                                          \
  X(VALU_SCALAR) /* VALU that writes scalar registers */                                                               \
  X(LONG_NSA)   /* image instructions of 16 bytes and more */                                                          \
  X(OFFSET_246) /* buffer instructions whose offset has bit 1 or 2 */                                                  \
  X(FLOAT_ATOMIC) X(BRANCHES)                                                                                          \
  X(COUNTS) X(WAIT_ALL) X(WAIT_LGKM) X(WAIT_VS) /* waits for counters; waits for all of that kind */
#define OG_HAZARD_BIT(name) OG_HAZARD_BIT_##name,
enum { OG_HAZARD_CLASSES(OG_HAZARD_BIT) OG_HAZARD_CLASS_COUNT };
#undef OG_HAZARD_BIT

enum og_hazard_what {
  OG_HAZARD_VGPR = 1, OG_HAZARD_AGPR = 2, OG_HAZARD_SGPRS = 4, OG_HAZARD_VCC = 8, OG_HAZARD_EXEC = 16,
  OG_HAZARD_M0 = 32,
  OG_HAZARD_MODE = 64, OG_HAZARD_NOTHING = 128,
};
enum og_hazard_registers { OG_HAZARD_SHARED, OG_HAZARD_EQUAL, OG_HAZARD_PART, OG_HAZARD_OTHER };
enum og_hazard_cure {
  OG_HAZARD_STATES, OG_HAZARD_PASSES, OG_HAZARD_VALUS, OG_HAZARD_DEPCTR, OG_HAZARD_DEPCTR_SOON, OG_HAZARD_DEPCTR_BEHIND,
  OG_HAZARD_NULL_MOVE, OG_HAZARD_VSCNT,
};

#define OG_HAZARD_WAVE64 (1u << 31)
_Static_assert(OG_GENERATION_COUNT < 31, "a bit for each");

enum { OG_HAZARD_SOON_VALUS = 6 }; /* DEPCTR_SOON: this many vector instructions end it */

struct og_hazard {
  const char *name;
  uint32_t where;                 /* generations, a bit each; OG_HAZARD_WAVE64: in waves of 64 only */
  uint64_t first, second, ends;   /* classes */
  uint16_t first_how, second_how; /* enum og_touch_as, of any of these */
  uint8_t what, registers, cure;  /* enum og_hazard_what (a bit each), og_hazard_registers, og_hazard_cure */
  int32_t amount;
};
enum { OG_HAZARDS_MOST = 128, OG_HAZARD_WORDS = OG_HAZARDS_MOST / 64 };
extern const struct og_hazard og_hazard_table[];
extern const unsigned og_hazard_count;
static inline bool og_hazard_is_of(const struct og_hazard *hazard, const struct og_isa *isa) {
  return hazard->where >> isa->generation & 1 && (isa->wave == 64 || !(hazard->where & OG_HAZARD_WAVE64));
}

/* Classes that follow from the form alone; the passes of a matrix instruction, 0 for others. */
uint64_t og_form_hazard_classes(const struct og_isa *isa, const struct og_form *form);
unsigned og_form_passes(const struct og_form *form);
static inline bool og_is_valu(uint64_t classes) { return classes & ((2ull << OG_HAZARD_BIT_SWMMAC16) - 1); }

/* The part of one instruction in the hazards of its generation: a bit for each line. */
struct og_hazards {
  uint64_t first[OG_HAZARD_WORDS], second[OG_HAZARD_WORDS]; /* where it may be the earlier one, the later one */
  uint64_t ends[OG_HAZARD_WORDS];                           /* lines that it ends */
  uint64_t classes;
  uint16_t row;                       /* of the instruction */
  uint8_t states, passes;             /* that it takes itself */
  uint8_t states_most, valus_most;    /* the largest distance behind it that a line demands; */
  bool unlimited;                     /* one of its lines has no such limit */
  bool behind;                        /* it matters to DEPCTR_BEHIND */
};
void og_inst_hazards(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                     struct og_hazards *hazards);

/* An instruction, with what it touches (og_inst_touches). */
struct og_hazard_party {
  const struct og_hazards *hazards;
  const struct og_touch *touches;
  unsigned count;
};

/* A path from the first instruction: lines that have not ended, and what it has passed. */
struct og_hazard_way {
  uint64_t alive[OG_HAZARD_WORDS];
  uint16_t states;
  uint8_t valus, trans;
  bool branched;
  uint16_t over, over_end; /* matrix results that others have overwritten since */
};

/* What is missing between two instructions. */
struct og_hazard_gap {
  const struct og_hazard *hazard;
  unsigned missing; /* states or vector instructions; of other cures 1 */
  uint16_t place;   /* the register; OG_PLACES: none */
};

struct og_hazard_way og_hazard_begin(const struct og_hazards *first);
bool og_hazard_meets(const struct og_hazard_way *way, const struct og_hazard_party *first,
                     const struct og_hazard_party *second, struct og_hazard_gap *gap);
/* Goes past an instruction; false: no line is left to match. */
bool og_hazard_pass(struct og_hazard_way *way, const struct og_hazard_party *first,
                    const struct og_hazard_party *passed);

/* For DEPCTR_BEHIND: scalar registers (VCC is 106 and 107) that vector instructions have read, and those then written
 * without a wait, by the generation's lines. */
enum { OG_HAZARD_BEHIND_MOST = 3 };
struct og_hazard_scalars {
  uint64_t read[2], written[OG_HAZARD_BEHIND_MOST][2];
  uint64_t open; /* 0: none is written */
};
/* What an instruction does to them, whatever came before. */
struct og_hazard_behind {
  uint64_t read[2];     /* SGPRs that it reads */
  uint64_t counting[2]; /* that count as read behind it */
  bool counts_at_once;  /* what it reads counts before what it writes */
  bool writes;          /* some scalar register */
  bool opens;           /* one of the lines does, with what it writes */
  uint8_t count;        /* of the generation's lines */
  struct {
    const struct og_hazard *hazard;
    bool looks;           /* it must not read what was not waited for */
    bool ends;            /* no write is open behind it */
    bool opens;           /* its writes are, where they need a wait */
    uint64_t written[2];
  } lines[OG_HAZARD_BEHIND_MOST];
};
void og_hazard_behind(const struct og_isa *isa, const struct og_hazard_party *inst, struct og_hazard_behind *behind);
/* Updates them for an instruction. True: it reads a register that was not waited for. */
bool og_hazard_go_behind(const struct og_hazard_behind *inst, struct og_hazard_scalars *scalars,
                         struct og_hazard_gap *gap);
bool og_hazard_scalars(const struct og_isa *isa, const struct og_hazard_party *inst, struct og_hazard_scalars *scalars,
                       struct og_hazard_gap *gap);
/* What to do about it: "s_nop 1 between them". */
void og_hazard_advice(const struct og_isa *isa, const struct og_hazard_gap *gap, char advice[64]);

#endif
