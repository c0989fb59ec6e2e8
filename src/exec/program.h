/* program.h - decoding of a program's operations, for the run loop. */
#ifndef OG_EXEC_PROGRAM_H
#define OG_EXEC_PROGRAM_H

#include <pthread.h>

#include "exec/exec.h"

struct og_lock {
  pthread_mutex_t mutex;
};

/* Decodes the instruction at a word as it is executed, also where a compiler encodes it as no assembler does; its
 * bytes, or 0. */
size_t og_program_inst(const struct og_program *program, const struct og_isa *isa, size_t word, struct og_inst *inst);

/* Fills in an operation the wave has come to; false with a fault when it cannot be executed. */
bool og_program_decode(struct og_wave *wave, const struct og_operation *op);

/* The handler of operations that read VCCZ, EXECZ or LDS as a source: these are brought up to date first. */
og_handler og_read_refreshed;

/* Fills in a draft that has its words and, in `detail`, where it will stand. false: the instruction cannot be executed,
 * for program->refused where that is not NULL. */
bool og_program_prepare(struct og_program *program, const struct og_inst *inst, struct og_operation *fresh);

/* Vector instructions of which both source and result are scalar registers. */
bool og_prepare_scalar_result(struct og_program *program, const struct og_inst *inst, struct og_operation *op);
/* og_prepare_vector, given the row of what is done, which of half a pair is not the instruction's. */
bool og_prepare_vector_row(struct og_program *program, unsigned row, const struct og_inst *inst,
                           struct og_operation *op);
/* Interpolation of parameters: interpolate.c. */
bool og_prepare_interpolation(struct og_program *program, const struct og_inst *inst, struct og_operation *op);
/* Two instructions in one: pair.c. */
bool og_prepare_pair(struct og_program *program, const struct og_inst *inst, struct og_operation *op);
/* The two of such an operation, in the order in which they may be done one after the other; false: there is none. */
bool og_pair_halves(const struct og_operation *op, og_handler *handler, const struct og_operation *halves[2]);

#endif
