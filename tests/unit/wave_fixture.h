/* wave_fixture.h - one wave and hand-made instructions, for tests of what instructions do. */
#ifndef WAVE_FIXTURE_H
#define WAVE_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "exec/program.h"
#include "exec/vector.h"

enum { IEEE_MODE = 0x2f0, FLUSH_MODE = 0x2c0, PLAIN_MODE = 0xf0, ZERO_ROUND = 0xf };

static uint32_t code[256];
static struct og_program *program;
static struct og_wave *wave;

static inline void set_exec(uint64_t exec) {
  og_store64(&wave->s[OG_S_EXEC], exec);
  og_exec_changed(wave);
}
static inline void set_mode(uint32_t mode) {
  wave->mode = mode;
  og_mode_changed(wave);
}

static inline int wave_setup(void **state) {
  (void)state;
  struct og_target target;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  if (!og_target_parse(&target, NULL, "gfx900", NULL, diagnostics))
    return -1;
  og_diagnostics_free(diagnostics);
  program = og_program_new(&target, code, sizeof(code));
  wave = aligned_alloc(64, sizeof(*wave));
  memset(wave, 0, sizeof(*wave));
  wave->program = program;
  wave->wave_size = 64;
  wave->mode = IEEE_MODE;
  set_exec(~(uint64_t)0);
  return 0;
}
static inline int wave_teardown(void **state) {
  (void)state;
  free(wave);
  og_program_free(program);
  return 0;
}

static inline struct og_operand vgpr(int role, unsigned reg) {
  return (struct og_operand){OG_OPERAND_VGPR, (uint8_t)role, 1, 0, (uint16_t)reg, 0};
}
static inline struct og_operand sgpr(int role, unsigned reg) {
  return (struct og_operand){OG_OPERAND_SGPR, (uint8_t)role, 1, 0, (uint16_t)reg, 0};
}
static inline struct og_operand special(int role, unsigned reg) {
  return (struct og_operand){OG_OPERAND_SPECIAL, (uint8_t)role, 1, 0, (uint16_t)reg, 0};
}
static inline struct og_operand constant(int role, uint64_t value) {
  return (struct og_operand){OG_OPERAND_INLINE, (uint8_t)role, 1, 0, 128, value};
}

static inline void add_operand(struct og_inst *inst, struct og_operand operand) {
  inst->operands[inst->operand_count++] = operand;
}

static inline unsigned row_named(const char *name) {
  unsigned row = 0;
  while (og_row_name(row) && strcmp(og_row_name(row), name) != 0)
    row++;
  return row;
}

/* Decodes the instruction into slot `at`. */
static inline struct og_operation *prepare_at(const char *name, const struct og_inst *inst, unsigned at) {
  struct og_operation *op = &program->operations[at];
  memset(op, 0, sizeof(*op));
  op->words = 1;
  op->detail = op;
  struct og_inst named = *inst;
  named.row = (uint16_t)row_named(name);
  bool ok = inst->encoding <= OG_ENC_SOPP ? og_prepare_scalar(program, &named, op)
                                          : og_prepare_vector_row(program, named.row, &named, op);
  if (!ok || !op->handler)
    fail_msg("%s cannot be executed", name);
  return op;
}

static const struct og_operation *end_here(struct og_wave *one, const struct og_operation *op) {
  (void)one, (void)op;
  return &og_stop;
}

/* Runs what stands in the first `count` slots: instructions come from the test, not from code. */
static inline void run(unsigned count) {
  program->operations[count] = (struct og_operation){.handler = end_here};
  wave->resume = program->operations;
  wave->budget = -1; /* once through the loop */
  og_mode_changed(wave);
  og_wave_run(wave);
}

static inline void execute(const char *name, const struct og_inst *inst) {
  prepare_at(name, inst, 0);
  run(1);
}

static inline const struct og_vector_row *row_of(const char *name) {
  for (size_t i = 0; i < og_vector_row_count; i++)
    if (strcmp(og_row_name(og_vector_rows[i].row), name) == 0)
      return &og_vector_rows[i];
  return NULL;
}

/* The sources stand in v0, v4, v8 (and after), the result in v12, a mask written in s[20:21], one read in s[22:23]. */
enum { V_SOURCE = 0, V_RESULT = 12, S_MASK = 20, S_CARRY = 22 };
static inline struct og_inst vector_inst(const char *name) {
  static const int roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
  const struct og_vector_row *row = row_of(strncmp(name, "v_cmpx", 6) ? name : "v_cmp_eq_u32");
  struct og_inst inst = {.encoding = OG_ENC_VOP3};
  if (row->flags & OG_VECTOR_PACKED)
    inst.encoding = OG_ENC_VOP3P, inst.mod[OG_MOD_OP_SEL_HI] = 7;
  if (row->result != OG_AS_NONE)
    add_operand(&inst, vgpr(OG_ROLE_VDST, V_RESULT));
  if (row->flags & OG_VECTOR_CARRY_OUT)
    add_operand(&inst, sgpr(OG_ROLE_SDST, S_MASK));
  for (int i = 0; i < 3; i++)
    if (row->source[i] != OG_AS_NONE)
      add_operand(&inst, vgpr(roles[i], V_SOURCE + 4 * (unsigned)i));
  if (row->flags & OG_VECTOR_CARRY_IN)
    add_operand(&inst, sgpr(OG_ROLE_SRC2, S_CARRY));
  return inst;
}
static inline struct og_operand *operand_of(struct og_inst *inst, int role) {
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].role == role)
      return &inst->operands[i];
  return NULL;
}

static inline void put(unsigned reg, unsigned lane, uint64_t value) {
  wave->v[reg][lane] = (uint32_t)value;
  wave->v[reg + 1][lane] = (uint32_t)(value >> 32);
}
static inline uint64_t get(unsigned reg, unsigned lane, bool wide) {
  return wave->v[reg][lane] | (wide ? (uint64_t)wave->v[reg + 1][lane] << 32 : 0);
}

/* One lane's result of an instruction over registers. */
static inline uint64_t compute(const char *name, uint64_t a, uint64_t b, uint64_t c) {
  struct og_inst inst = vector_inst(name);
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    put(V_SOURCE, lane, a), put(V_SOURCE + 4, lane, b), put(V_SOURCE + 8, lane, c);
  execute(name, &inst);
  const struct og_vector_row *row = row_of(name);
  if (row->result == OG_AS_NONE)
    return og_load64(&wave->s[S_MASK]) >> 37 & 1;
  return get(V_RESULT, 37, og_as_is_64((enum og_as)row->result));
}

#endif
