/* sequence.h - the instructions that the user guide's tables give for an operation of the memory model, not yet written
 * as a generation's: waits by counter, caches by what they hold, and the access itself. */
#ifndef OG_LITMUS_SEQUENCE_H
#define OG_LITMUS_SEQUENCE_H

#include "litmus/litmus.h"

enum og_order {
  OG_ORDER_PLAIN,
  OG_ORDER_MONOTONIC,
  OG_ORDER_ACQUIRE,
  OG_ORDER_RELEASE,
  OG_ORDER_ACQ_REL,
  OG_ORDER_SEQ_CST,
  OG_ORDERS
};
enum og_scope { OG_SCOPE_WAVE, OG_SCOPE_WORKGROUP, OG_SCOPE_AGENT, OG_SCOPE_SYSTEM, OG_SCOPES };
enum og_access_kind { OG_DO_LOAD, OG_DO_STORE, OG_DO_RMW, OG_DO_FENCE };
enum og_address_space { OG_GLOBAL, OG_LOCAL, OG_GENERIC, OG_ADDRESS_SPACES };

enum og_step_kind {
  OG_STEP_OP, /* the access, with its cache policy */
  OG_STEP_LGKM,
  OG_STEP_VM,
  OG_STEP_VS,       /* waits for 0; a generation without vscnt waits for vmcnt */
  OG_STEP_RETURNED, /* after an atomic: waits for vmcnt if it returns a value, else for vscnt */
  OG_STEP_WBINVL1,
  OG_STEP_GL0,
  OG_STEP_GL1,
  OG_STEP_INVL2,
  OG_STEP_WBL2,
  OG_STEP_INV,
  OG_STEP_GLOBAL_INV,
  OG_STEP_GLOBAL_WB,
};
enum { OG_STEPS = 16 };
struct og_sequence {
  uint8_t count;
  struct og_step {
    uint8_t kind, policy;
  } step[OG_STEPS]; /* enum og_step_kind, og_cpol */
};

/* The sequence that src/cc's memory_model.def gives for a target. */
void og_sequence_of(const struct og_litmus_test *test, enum og_access_kind kind, enum og_order order,
                    enum og_scope scope, enum og_address_space space, struct og_sequence *sequence);

/* An operation of a thread. */
struct og_litmus_op {
  uint8_t kind, order, scope, space; /* enums og_access_kind, og_order, og_scope, og_address_space */
  uint8_t place;
  uint8_t atomic; /* enum og_memory_operation; for OG_DO_RMW */
  bool returns;
  struct og_litmus_source value; /* a constant, or the number of an earlier result */
  uint8_t result;                /* the number that its result gets */
};

/* Writes an operation as assembly. Registers: the address of place n is in v[2n:2n+1], constants are from v20 on,
 * results from v40 on. Constants become initial values of the thread's registers. */
bool og_sequence_emit(const struct og_litmus_test *test, struct og_litmus_thread *thread, const struct og_litmus_op *op,
                      const struct og_sequence *sequence, struct og_buffer *out);
enum { OG_CONSTANT_REGISTER = 20, OG_RESULT_REGISTER = 40 };
/* Writes a step as the generation does, for tables: "s_waitcnt vmcnt(0)". */
void og_sequence_print_step(const struct og_litmus_test *test, const struct og_litmus_op *op,
                            const struct og_step *step, struct og_buffer *out);
/* Adds the registers that hold addresses; false: there are too many registers. */
bool og_litmus_set_addresses(const struct og_litmus_test *test, struct og_litmus_thread *thread);

#endif
