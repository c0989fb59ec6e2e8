/* visa_operands.h - for fuzz_visa_exec.c: a kernel's declarations, and operands that are legal or nearly so, with
 * hostile numbers, as the dice fall. */
#ifndef FUZZ_VISA_OPERANDS_H
#define FUZZ_VISA_OPERANDS_H

#include <string.h>

#include "visa/table.h"

/* ---- choices ----------------------------------------------------------------------------------------------------- */

/* The input's bytes, then what a generator makes of them. */
struct dice {
  const uint8_t *data;
  size_t size, at;
  uint64_t state;
  bool calm; /* numbers and branches that let a kernel get far, mostly */
};

static uint32_t roll(struct dice *d, uint32_t sides) {
  uint32_t value;
  if (d->size - d->at >= 2) {
    value = og_load16(d->data + d->at);
    d->at += 2;
  } else {
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    value = (uint32_t)(d->state >> 40);
  }
  return value % sides;
}
static bool one_in(struct dice *d, uint32_t n) { return roll(d, n) == 0; }
#define PICK(d, ...) ((const int64_t[]){__VA_ARGS__}[roll((d), (uint32_t)(sizeof((int64_t[]){__VA_ARGS__}) / 8))])

/* ---- memory ------------------------------------------------------------------------------------------------------ */

enum { BUFFER = 1000, IMAGE = 16 * 16 * 4, AROUND = 4096, CANARY = 0xa5 };

/* A buffer of a size that ends inside a line, with canaries on both sides. */
static struct arena_buffer {
  uint8_t before[AROUND], bytes[BUFFER], behind[AROUND];
} buffers[2] __attribute__((aligned(4096)));
static uint8_t texels[IMAGE] __attribute__((aligned(64)));

static uint64_t number(struct dice *d) {
  uint64_t buffer = (uintptr_t)buffers[roll(d, 2)].bytes;
  if (d->calm && !one_in(d, 16))
    return one_in(d, 3) ? roll(d, 32) * 4 : buffer + roll(d, 64) * 8;
  switch (roll(d, 6)) {
  case 0: return buffer + (uint64_t)PICK(d, 0, 4, 64, 1, BUFFER - 4, BUFFER - 1, BUFFER, -1, -4, 8, 256);
  case 1: return (uint64_t)PICK(d, -1, INT64_MIN, INT64_MAX, UINT32_MAX, 1ll << 32, INT32_MIN, -64, -8, INT64_MAX - 3);
  case 2: return roll(d, 64) * 4;
  case 3: return roll(d, 65536);
  case 4: return (uint64_t)roll(d, 65536) << roll(d, 49);
  default: return roll(d, 8);
  }
}

/* ---- declarations ------------------------------------------------------------------------------------------------ */

struct maker {
  struct dice *d;
  struct og_arena *arena;
  struct og_visa_kernel *kernel, *function; /* function: what it may call, or NULL */
  int platform;
  bool strict; /* instructions that the verifier takes, too */
};

static void declare(struct maker *m, char class, struct og_visa_variable variable) {
  variable.name = "v";
  *OG_PUSH(m->arena, og_visa_variables_of(m->kernel, class)) = variable;
}

static void declare_general(struct maker *m) {
  uint32_t index = m->kernel->general.count;
  struct og_visa_variable variable = {.type = (uint8_t)PICK(m->d, OG_VISA_UD, OG_VISA_D, OG_VISA_UQ, OG_VISA_F,
                                                            OG_VISA_UW, OG_VISA_HF, OG_VISA_UB, roll(m->d, 16)),
                                      .align = OG_VISA_ALIGN_64WORD,
                                      .elements =
                                          (uint32_t)PICK(m->d, 64, 32, 16, 128, 256, 8, 1, 1 + roll(m->d, 300))};
  if (one_in(m->d, 256))
    variable.elements = 65535;
  if (index > OG_VISA_FIRST_GENERAL && one_in(m->d, 4)) {
    variable.alias =
        one_in(m->d, 8) ? 1 + roll(m->d, index - 1) : OG_VISA_FIRST_GENERAL + roll(m->d, index - OG_VISA_FIRST_GENERAL);
    variable.alias_offset = (uint32_t)PICK(m->d, 0, 0, 64, 8, 1, roll(m->d, 2048), 65535);
  }
  declare(m, 'G', variable);
}

static void declare_all(struct maker *m) {
  for (uint32_t n = 6 + roll(m->d, 12); n; n--)
    declare_general(m);
  for (uint32_t i = 0; i < 3; i++) {
    declare(m, 'A', (struct og_visa_variable){.type = OG_VISA_UW, .elements = 1 + roll(m->d, 16)});
    declare(m, 'P', (struct og_visa_variable){.type = OG_VISA_BOOL, .elements = 1u << roll(m->d, 6)});
    declare(m, 'T', (struct og_visa_variable){.type = OG_VISA_UD, .elements = 1});
  }
  declare(m, 'S', (struct og_visa_variable){.type = OG_VISA_UD, .elements = 1});
  for (uint32_t i = 0; i < 3; i++)
    *OG_PUSH(m->arena, &m->kernel->labels) = (struct og_visa_label){.name = "l", .subroutine = i == 2};
  *OG_PUSH(m->arena, &m->kernel->strings) = "f";
  struct og_visa_attribute simd = {.name = "SimdSize", .size = 1, .value = PICK(m->d, 8, 16, 32, 1, roll(m->d, 34))};
  *OG_PUSH(m->arena, &m->kernel->attributes) = simd;
  if (one_in(m->d, 24))
    *OG_PUSH(m->arena, &m->kernel->inputs) = (struct og_visa_input){.class = 'G',
                                                                    .variable = roll(m->d, m->kernel->general.count),
                                                                    .offset = (int32_t)roll(m->d, 512) - 32,
                                                                    .size = roll(m->d, 300)};
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

/* A general variable whose type is one of `types`, mostly. */
static uint32_t general(struct maker *m, uint32_t types) {
  uint32_t count = m->kernel->general.count, index = 0;
  for (uint32_t tries = 0; tries < 8; tries++) {
    index = one_in(m->d, 12) ? roll(m->d, count) : OG_VISA_FIRST_GENERAL + roll(m->d, count - OG_VISA_FIRST_GENERAL);
    if (!types || types >> m->kernel->general.items[index].type & 1)
      break;
  }
  return index;
}

static void region(struct maker *m, struct og_visa_operand *o, bool destination, uint32_t channels) {
  static const uint8_t strides[] = {OG_VISA_STRIDE_NONE, 0, 1, 2, 4, 8, 16, 32, 3, 254};
  uint8_t *const fields[] = {&o->vertical, &o->width, &o->horizontal};
  if (one_in(m->d, 8)) {
    for (uint32_t i = 0; i < 3; i++)
      *fields[i] = strides[roll(m->d, OG_COUNT(strides))];
    return;
  }
  bool scalar = one_in(m->d, 3);
  o->vertical = destination ? OG_VISA_STRIDE_NONE : scalar ? 0 : (uint8_t)PICK(m->d, 1, 8, 2, 4);
  o->width = destination ? OG_VISA_STRIDE_NONE : scalar || o->vertical == 1 ? 1 : (uint8_t)OG_MIN(channels, 8u);
  o->horizontal = destination ? (uint8_t)PICK(m->d, 1, 1, 2, 4) : o->width == 1 ? 0 : (uint8_t)PICK(m->d, 1, 1, 2, 0);
}

static struct og_visa_predicate predicate(struct maker *m) {
  return (struct og_visa_predicate){(uint16_t)roll(m->d, m->kernel->predicate.count), (uint8_t)roll(m->d, 3),
                                    one_in(m->d, 2)};
}

static void make_vector(struct maker *m, struct og_visa_operand *o, bool destination, uint32_t types,
                        uint32_t channels) {
  o->modifier = destination || !one_in(m->d, 6) ? 0 : (uint8_t)roll(m->d, 6);
  switch (roll(m->d, 20)) {
  case 0:
    o->kind = OG_VISA_ADDRESS;
    o->type = OG_VISA_UW;
    o->variable = roll(m->d, m->kernel->address.count);
    o->column = (uint16_t)roll(m->d, 4);
    o->width = (uint8_t)(1u << roll(m->d, 6));
    return;
  case 1:
    o->kind = OG_VISA_PREDICATE;
    o->type = OG_VISA_BOOL;
    o->predicate = predicate(m);
    return;
  case 2:
    o->kind = OG_VISA_INDIRECT;
    o->variable = roll(m->d, m->kernel->address.count);
    o->column = (uint16_t)(one_in(m->d, 8) ? roll(m->d, 256) : roll(m->d, 2));
    o->offset = (int32_t)PICK(m->d, 0, 4, 64, -4, -512, 511, 32767, -32768);
    o->type = (uint8_t)roll(m->d, OG_VISA_TYPE_COUNT);
    region(m, o, destination, channels);
    return;
  case 5:
    o->kind = OG_VISA_ADDRESS_OF;
    o->state_class = 'G';
    o->type = OG_VISA_UW;
    o->variable = general(m, 0);
    o->offset = (int32_t)PICK(m->d, 0, 4, 64, -1, 32767, -32768);
    return;
  case 6:
    o->kind = OG_VISA_STATE;
    o->type = OG_VISA_UD;
    o->state_class = one_in(m->d, 4) ? 'S' : 'T';
    o->variable = roll(m->d, og_visa_variables_of(m->kernel, (char)o->state_class)->count);
    return;
  case 7:
  case 8:
  case 9:
  case 10:
    if (!destination) {
      o->kind = OG_VISA_IMMEDIATE;
      do
        o->type = (uint8_t)roll(m->d, OG_VISA_TYPE_COUNT);
      while (o->type == OG_VISA_BOOL);
      o->bits = number(m->d);
      return;
    }
    break;
  default: break;
  }
  o->kind = OG_VISA_GENERAL;
  o->variable = general(m, types);
  o->type = m->kernel->general.items[o->variable].type;
  o->row = (uint8_t)(one_in(m->d, 24) ? roll(m->d, 256) : roll(m->d, 3) == 0);
  o->column = (uint16_t)(one_in(m->d, 24) ? roll(m->d, 256) : roll(m->d, 4) == 0);
  region(m, o, destination, channels);
}

static void make_raw(struct maker *m, struct og_visa_operand *o) {
  o->kind = OG_VISA_RAW;
  o->variable = one_in(m->d, 6) ? OG_VISA_V_NULL : general(m, 0);
  o->type = m->kernel->general.items[o->variable].type;
  o->offset = (int32_t)PICK(m->d, 0, 0, 0, 0, 64, 32, 1, 4, roll(m->d, 65536));
}

/* A plain number of `bytes` bytes; descriptors of messages among them. */
static uint64_t make_number(struct maker *m, const struct og_visa_inst *inst, uint32_t bytes) {
  static const uint32_t types[] = {0, 1, 4, 7, 8, 12, 2, 9, 16, 17, 18, 20, 21, 25, 26};
  bool send = inst->opcode == OG_VISA_OP_RAW_SEND || inst->opcode == OG_VISA_OP_RAW_SENDS;
  uint64_t value = send && bytes == 4 ? types[roll(m->d, OG_COUNT(types))] << 14 | roll(m->d, 1 << 14) |
                                            (uint32_t)one_in(m->d, 2) << 19
                   : one_in(m->d, 8) ? number(m->d)
                                     : roll(m->d, 16);
  return bytes < 4 ? value & ((1u << 8 * bytes) - 1) : value & UINT32_MAX;
}

static void make_label(struct maker *m, struct og_visa_operand *o) {
  o->kind = OG_VISA_LABEL;
  o->variable = roll(m->d, m->kernel->labels.count);
}

static void make_operand(struct maker *m, char letter, const struct og_visa_row *row, struct og_visa_inst *inst,
                         struct og_visa_operand *o) {
  switch (letter) {
  case 'D':
  case 'Q':
  case 'A': make_vector(m, o, true, row->dst_types, inst->exec_size); break;
  case 'S': make_vector(m, o, false, row->src_types, inst->exec_size); break;
  case 'R': make_raw(m, o); break;
  case 'T':
  case 'M':
    o->kind = OG_VISA_STATE;
    o->type = OG_VISA_UD;
    o->state_class = letter == 'T' ? 'T' : 'S';
    o->variable = letter == 'T' && !one_in(m->d, 4)
                      ? OG_VISA_FIRST_SURFACE + roll(m->d, 3)
                      : roll(m->d, og_visa_variables_of(m->kernel, (char)o->state_class)->count);
    break;
  case 'L': make_label(m, o); break;
  case 'N':
    o->kind = OG_VISA_VALUE;
    o->bits = roll(m->d, m->kernel->strings.count);
    break;
  default: o->kind = OG_VISA_VALUE; o->bits = make_number(m, inst, (uint32_t)(letter - '0'));
  }
}

#endif
