/* litmus.h - litmus tests: a few threads of a few instructions each, the outcomes that a weak memory allows, and a
 * condition on them. The real tables assemble and decode the instructions; tests only move values, because a search
 * through all schedules needs states that are small and comparable. */
#ifndef OG_LITMUS_H
#define OG_LITMUS_H

#include "weak/weak.h"

enum {
  OG_LITMUS_THREADS = 6,
  OG_LITMUS_PLACES = 6,
  OG_LITMUS_REGISTERS = 24,
  OG_LITMUS_INSTRUCTIONS = 40,
  OG_LITMUS_OBSERVED = 12,
  OG_LITMUS_STORES = OG_WEAK_VERSIONS - 1, /* most stores to one place in one run */
};

enum og_litmus_what { OG_LITMUS_MEMORY, OG_LITMUS_MOVE, OG_LITMUS_CACHE, OG_LITMUS_WAIT, OG_LITMUS_NOTHING };

/* Where a value comes from: a register, by its number in the thread, or a constant. */
struct og_litmus_source {
  bool constant;
  uint32_t value;
};

struct og_litmus_inst {
  uint8_t what; /* enum og_litmus_what */
  struct og_weak_inst weak, single; /* single: the same if agents have one L2 each, og_weak_kind_of() */
  uint8_t atomic; /* enum og_memory_operation */
  uint8_t bits;       /* 8, 16, 32 or 64 */
  bool is_signed;     /* a load that extends the sign */
  bool has_result;
  uint8_t result[2];  /* registers; the second is the upper half of 64 bits */
  bool wide;          /* addresses have 64 bits */
  uint8_t address[2]; /* registers */
  int32_t offset;
  bool has_data[2];
  struct og_litmus_source data[2][2]; /* each with its upper half */
  const char *text;
  uint32_t line; /* in the file */
};

struct og_litmus_register {
  uint8_t kind; /* enum og_operand_kind */
  uint16_t number;
  uint32_t initial;
};

struct og_litmus_thread {
  uint8_t group, agent; /* numbers; work-groups are counted over all agents */
  uint8_t after;        /* bits of threads that have to end first, with their stores arrived, before it begins */
  uint32_t count;
  struct og_litmus_inst insts[OG_LITMUS_INSTRUCTIONS];
  uint32_t registers;
  struct og_litmus_register reg[OG_LITMUS_REGISTERS];
};

struct og_litmus_place {
  const char *name;
  bool local, fine; /* in LDS; fine-grained */
  uint32_t initial; /* lower half; the place has 64 bits */
};

/* A register or a place that the condition names. */
struct og_litmus_observed {
  const char *name;
  bool memory;
  uint8_t thread, number; /* the register's number and its thread, or the place's number */
};

/* The condition in postfix order: operands before their operator. */
enum og_litmus_token_kind {
  OG_LITMUS_EQUAL,
  OG_LITMUS_DIFFERS,
  OG_LITMUS_AND,
  OG_LITMUS_OR,
  OG_LITMUS_NOT,
  OG_LITMUS_TRUE
};
struct og_litmus_token {
  uint8_t kind, observed;
  uint32_t value;
};
enum og_litmus_quantifier { OG_LITMUS_EXISTS, OG_LITMUS_NOT_EXISTS, OG_LITMUS_FORALL };

struct og_litmus_test {
  const char *name;
  struct og_target target;
  const struct og_isa *isa;
  struct og_isa own_isa;
  bool wgp;   /* waves of a work-group are spread over two CUs */
  bool single; /* agents have one L2 each, though they may have several */
  bool split; /* each wave of a work-group is on a CU of its own (gfx90a and gfx942 with TgSplit) */
  uint32_t threads, places, observed, tokens;
  struct og_litmus_thread thread[OG_LITMUS_THREADS];
  struct og_litmus_place place[OG_LITMUS_PLACES];
  struct og_litmus_observed look[OG_LITMUS_OBSERVED];
  struct og_litmus_token token[64];
  uint8_t quantifier; /* enum og_litmus_quantifier */
};

struct og_litmus_outcome {
  uint32_t value[OG_LITMUS_OBSERVED];
  uint64_t count; /* how many runs had it; in an exhaustive search 1 */
  bool holds;     /* whether the condition holds for it */
};
struct og_litmus_result {
  OG_VECTOR(struct og_litmus_outcome) outcomes;
  uint64_t states, runs;
  bool complete;     /* every schedule was looked at */
  const char *fault; /* a program's forbidden action, or NULL */
};

/* How to search. */
struct og_litmus_search {
  uint64_t runs; /* number of random schedules; 0: all schedules there are */
  uint64_t seed;
  uint64_t most; /* most states in an exhaustive search */
  bool stop;     /* ends at the first outcome for which the condition holds */
};

/* ---- searching, reading, printing -------------------------------------------------------------------------------- */
void og_litmus_search(struct og_arena *arena, const struct og_litmus_test *test, const struct og_litmus_search *how,
                      struct og_litmus_result *result);
/* Whether the outcomes fulfil the quantifier's claim. */
bool og_litmus_verdict(const struct og_litmus_test *test, const struct og_litmus_result *result);
void og_litmus_print(const struct og_litmus_test *test, const struct og_litmus_result *result, struct og_buffer *out);

/* Reads a test in any form (docs/litmus.md). `mcpu`, if not NULL, overrides the file's processor. */
struct og_litmus_test *og_litmus_read(struct og_arena *arena, const char *name, const char *text, size_t size,
                                      const char *mcpu, struct og_diagnostics *diagnostics);
/* Prints the instructions of each thread, one a line. */
void og_litmus_print_code(const struct og_litmus_test *test, struct og_buffer *out);

/* The number of a register in a thread, which is added if it is new; -1: there are too many. */
int og_litmus_register(struct og_litmus_thread *thread, unsigned kind, unsigned number);
/* Makes a thread's instructions from assembly text; false with a diagnostic. `line` is the line of the file at which
 * the text begins. */
bool og_litmus_assemble(struct og_arena *arena, struct og_litmus_test *test, struct og_litmus_thread *thread,
                        const char *file, const char *text, size_t size, uint32_t line,
                        struct og_diagnostics *diagnostics);
/* The same from machine code, up to the instruction that returns. */
bool og_litmus_decode(struct og_arena *arena, const struct og_litmus_test *test, struct og_litmus_thread *thread,
                      const char *file, const uint8_t *code, size_t size, struct og_diagnostics *diagnostics);
/* The address of a place for flat instructions; LDS instructions take its low half. */
uint64_t og_litmus_address(const struct og_litmus_test *test, unsigned place);

#endif
