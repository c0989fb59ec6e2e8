/* verify.c - the rules of execution control and vector operands. What the specification calls undefined whatever
 * variables hold is also an error here. */
#include "visa/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool og_visa_report(struct og_visa_verifier *v, uint32_t at, uint32_t size, const char *place, const char *message) {
  if (++v->breaches > OG_VISA_MOST_BREACHES)
    return false;
  if (v->visa->source)
    return og_error(v->diagnostics, (struct og_range){v->visa->source, at, size}, "%s", message);
  return og_error_in(v->diagnostics, v->file, "kernel '%s'%s: %s", v->kernel->name, place, message);
}

bool og_visa_breach(struct og_visa_verifier *v, const struct og_visa_operand *operand, const char *format, ...) {
  char message[256], place[96];
  if (v->breached == v->inst)
    return false;
  v->breached = v->inst;
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  int used = snprintf(place, sizeof place, ", instruction %u (%s)", v->index, og_visa_mnemonic(v->inst));
  if (operand && used > 0 && (size_t)used < sizeof place)
    snprintf(place + used, sizeof place - (size_t)used, ", operand %u", (unsigned)(operand - v->inst->operands));
  bool placed = operand && operand->size;
  return og_visa_report(v, placed ? operand->at : v->inst->at, placed ? operand->size : v->inst->size, place, message);
}

/* ---- execution control ---- */

static void verify_exec(struct og_visa_verifier *v) {
  const struct og_visa_inst *inst = v->inst;
  if (!inst->exec_size)
    return;
  unsigned step = inst->exec_size >= 8 ? inst->exec_size : 4;
  if (inst->mask_offset % step || inst->mask_offset + inst->exec_size > 32)
    og_visa_breach(v, NULL, "mask M%u cannot go with execution size %u: channels %u to %u", inst->mask_offset / 4 + 1,
                   inst->exec_size, inst->mask_offset, inst->mask_offset + inst->exec_size - 1);
}

static void verify_predicate_size(struct og_visa_verifier *v, const struct og_visa_operand *operand,
                                  uint32_t variable) {
  const struct og_visa_variable *predicate = &v->kernel->predicate.items[variable];
  uint32_t needed = v->inst->mask_offset + v->inst->exec_size;
  if (v->inst->exec_size && needed > predicate->elements)
    og_visa_breach(v, operand, "predicate P%u has %u elements, channels %u to %u need %u", variable,
                   predicate->elements, v->inst->mask_offset, needed - 1, needed);
}

/* ---- regions ---- */

static bool is_power(unsigned value, unsigned limit) { return value && value <= limit && !(value & (value - 1)); }

/* Where an operand's elements are, in bytes from its origin. */
struct extent {
  uint32_t last; /* first byte of the last element */
  bool known;
};

static bool verify_dst_region(struct og_visa_verifier *v, const struct og_visa_operand *operand) {
  if (operand->kind == OG_VISA_INDIRECT && operand->width != OG_VISA_STRIDE_NONE)
    return og_visa_breach(v, operand, "a multi-address indirect operand cannot be a destination");
  if (operand->horizontal == 0)
    return og_visa_breach(v, operand, "the horizontal stride of a destination must not be 0");
  if (operand->horizontal != 1 && operand->horizontal != 2 && operand->horizontal != 4)
    return og_visa_breach(v, operand, "a destination's horizontal stride is 1, 2 or 4");
  return true;
}

static bool verify_src_region(struct og_visa_verifier *v, const struct og_visa_operand *operand) {
  bool multi = operand->kind == OG_VISA_INDIRECT && operand->vertical == OG_VISA_STRIDE_NONE;
  if (operand->width == OG_VISA_STRIDE_NONE || (operand->vertical == OG_VISA_STRIDE_NONE && !multi))
    return og_visa_breach(v, operand, "a source needs a region <vertical;width,horizontal>");
  if (!is_power(operand->width, 16))
    return og_visa_breach(v, operand, "width %u is not 1, 2, 4, 8 or 16", operand->width);
  if (!multi && operand->vertical && !is_power(operand->vertical, 32))
    return og_visa_breach(v, operand, "vertical stride %u is not 0, 1, 2, 4, 8, 16 or 32", operand->vertical);
  if (operand->horizontal && !is_power(operand->horizontal, 4))
    return og_visa_breach(v, operand, "horizontal stride %u is not 0, 1, 2 or 4", operand->horizontal);
  if (operand->width > v->inst->exec_size)
    return og_visa_breach(v, operand, "width %u is greater than the execution size %u", operand->width,
                          v->inst->exec_size);
  return true;
}

/* The distance in bytes from the first element to the furthest; strides are not negative, so that is the last. */
static uint32_t region_span(const struct og_visa_operand *operand, unsigned channels, bool destination) {
  unsigned size = og_visa_types[operand->type].size;
  if (destination)
    return (channels - 1) * operand->horizontal * size;
  return ((channels / operand->width - 1) * operand->vertical + (operand->width - 1u) * operand->horizontal) * size;
}

/* IGC keeps a copy of %r0 that it declares with 32 bytes on every platform, but it copies the whole register. */
static bool copies_r0(const struct og_visa_verifier *v) {
  const struct og_visa_operand *operands = v->inst->operands;
  uint32_t offset;
  return v->inst->opcode == OG_VISA_OP_MOV && v->inst->no_mask && operands[1].kind == OG_VISA_GENERAL &&
         og_visa_resolve_alias(v->kernel, operands[1].variable, &offset) == OG_VISA_V_R0;
}

static void verify_extent(struct og_visa_verifier *v, const struct og_visa_operand *operand, uint32_t span) {
  const struct og_visa_variable *variable = &v->kernel->general.items[operand->variable];
  unsigned size = og_visa_types[variable->type].size;
  if (operand->column * size >= v->grf && operand->column) {
    og_visa_breach(v, operand, "column %u of type %s is beyond the register's %u bytes", operand->column,
                   og_visa_types[variable->type].name, v->grf);
    return;
  }
  uint32_t first = operand->row * v->grf + operand->column * size, end = first + span + size;
  if (end > og_visa_variable_size(variable) && end <= v->grf && copies_r0(v))
    return;
  if (end > og_visa_variable_size(variable)) {
    og_visa_breach(v, operand, "elements up to byte %u are out of the bounds of '%s', which has %u bytes", end - 1,
                   variable->name, og_visa_variable_size(variable));
    return;
  }
  uint32_t offset, base = og_visa_resolve_alias(v->kernel, operand->variable, &offset);
  if (og_visa_variable_size(&v->kernel->general.items[base]) < v->grf)
    return; /* such a variable lies inside one register */
  uint32_t registers = (offset + end - 1) / v->grf - (offset + first) / v->grf + 1;
  /* 64-bit elements, and their halves through an alias, take two passes with half of the channels, each of two
   * registers. */
  bool wide = size == 8 || og_visa_types[v->kernel->general.items[base].type].size == 8;
  if (registers > (wide ? 4 : 2))
    og_visa_breach(v, operand, "elements span %u registers of %u bytes, more than %s", registers, v->grf,
                   wide ? "4 (two for each half of 64-bit channels)" : "two adjacent ones");
}

/* ---- operands by kind ---- */

static bool is_readonly(uint32_t variable) {
  static const uint32_t writable = 1u << OG_VISA_V_TSC | 1u << OG_VISA_V_ARG | 1u << OG_VISA_V_RETVAL |
                                   1u << OG_VISA_V_SP | 1u << OG_VISA_V_FP | 1u << OG_VISA_V_SR0 | 1u << OG_VISA_V_CR0 |
                                   1u << OG_VISA_V_DBG0 | 1u << OG_VISA_V_IMPL_ARG_BUF_PTR |
                                   1u << OG_VISA_V_LOCAL_ID_BUF_PTR | 1u << OG_VISA_V_NULL;
  return variable < OG_VISA_FIRST_GENERAL && !(writable >> variable & 1);
}

static void verify_general_operand(struct og_visa_verifier *v, const struct og_visa_operand *operand, bool destination,
                                   bool scalar) {
  if (destination && is_readonly(operand->variable)) {
    og_visa_breach(v, operand, "%s is read-only", v->kernel->general.items[operand->variable].name);
    return;
  }
  if (destination ? !verify_dst_region(v, operand) : !scalar && !verify_src_region(v, operand))
    return;
  unsigned channels = OG_MAX(v->inst->exec_size, 1); /* faddr has none: one element */
  verify_extent(v, operand, scalar && !destination ? 0 : region_span(operand, channels, destination));
}

static void verify_indirect(struct og_visa_verifier *v, const struct og_visa_operand *operand, bool destination,
                            bool scalar) {
  if (operand->offset < -512 || operand->offset > 511) {
    og_visa_breach(v, operand, "indirect offset %d is not in -512..511", operand->offset);
    return;
  }
  char class = og_visa_types[operand->type].class;
  if (class == 'v' || class == 'b') {
    og_visa_breach(v, operand, "an indirect operand cannot have type %s", og_visa_types[operand->type].name);
    return;
  }
  if (destination ? !verify_dst_region(v, operand) : !scalar && !verify_src_region(v, operand))
    return;
  bool multi = !destination && !scalar && operand->vertical == OG_VISA_STRIDE_NONE;
  unsigned needed = multi ? v->inst->exec_size / operand->width : 1;
  uint32_t elements = v->kernel->address.items[operand->variable].elements;
  if (operand->column + needed > elements) {
    og_visa_breach(v, operand, "address elements %u to %u, A%u has %u", operand->column, operand->column + needed - 1,
                   operand->variable, elements);
    return;
  }
  if (multi)
    return;
  uint32_t span = scalar && !destination ? 0 : region_span(operand, v->inst->exec_size, destination);
  uint32_t size = og_visa_types[operand->type].size, registers = (span + size + v->grf - 1) / v->grf;
  if (registers > (size == 8 ? 4u : 2u))
    og_visa_breach(v, operand, "elements span at least %u registers of %u bytes, more than two adjacent ones",
                   registers, v->grf);
}

static void verify_address(struct og_visa_verifier *v, const struct og_visa_operand *operand, bool destination) {
  uint32_t elements = v->kernel->address.items[operand->variable].elements;
  if (v->inst->opcode != OG_VISA_OP_ADDR_ADD && v->inst->opcode != OG_VISA_OP_MOV) {
    og_visa_breach(v, operand, "an address variable may only appear in addr_add and mov");
    return;
  }
  if (!destination && !is_power(operand->width, 16)) {
    og_visa_breach(v, operand, "an address operand's width is 1, 2, 4, 8 or 16, not %u", operand->width);
    return;
  }
  unsigned width = destination ? v->inst->exec_size : operand->width; /* a destination's own width is ignored */
  if (operand->column + width > elements)
    og_visa_breach(v, operand, "address elements %u to %u, A%u has %u", operand->column, operand->column + width - 1,
                   operand->variable, elements);
}

static void verify_state(struct og_visa_verifier *v, const struct og_visa_operand *operand) {
  const struct og_visa_variables *table = operand->state_class == 'T' ? &v->kernel->surface : &v->kernel->sampler;
  if (operand->column >= table->items[operand->variable].elements)
    og_visa_breach(v, operand, "element %u, %c%u has %u", operand->column, operand->state_class, operand->variable,
                   table->items[operand->variable].elements);
}

static void verify_address_of(struct og_visa_verifier *v, const struct og_visa_operand *operand) {
  if (v->inst->opcode != OG_VISA_OP_ADDR_ADD && v->inst->opcode != OG_VISA_OP_MOV)
    og_visa_breach(v, operand, "an address may only be taken in addr_add and mov");
  else if (operand->state_class == 'G' && operand->variable < OG_VISA_FIRST_GENERAL &&
           operand->variable != OG_VISA_V_ARG && operand->variable != OG_VISA_V_RETVAL)
    og_visa_breach(v, operand, "the address of %s cannot be taken", v->kernel->general.items[operand->variable].name);
  else if (operand->state_class == 'T' && operand->variable < OG_VISA_FIRST_SURFACE)
    og_visa_breach(v, operand, "the address of a predefined surface cannot be taken");
}

/* Which kinds an operand may be, by its letter and the row's flags. */
static uint32_t kinds_of(const struct og_visa_inst *inst, const struct og_visa_row *row, char letter, unsigned n) {
  enum {
    G = 1 << OG_VISA_GENERAL,
    I = 1 << OG_VISA_INDIRECT,
    IMM = 1 << OG_VISA_IMMEDIATE,
    A = 1 << OG_VISA_ADDRESS,
    AO = 1 << OG_VISA_ADDRESS_OF,
    P = 1 << OG_VISA_PREDICATE,
    ST = 1 << OG_VISA_STATE
  };
  switch (inst->opcode) {
  case OG_VISA_OP_ADDR_ADD: return n == 0 ? A : n == 1 ? A | AO : G | I | IMM;
  case OG_VISA_OP_MOVS: return n == 0 ? G | ST : G | I | IMM | ST;
  case OG_VISA_OP_MOV: return n == 0 ? G | I | A : G | I | IMM | A | AO | P;
  case OG_VISA_OP_SETP: return n == 0 ? P : G | I | IMM;
  case OG_VISA_OP_CMP: return n == 0 ? P | G : G | I | IMM;
  case OG_VISA_OP_INVM:
  case OG_VISA_OP_RSQTM: return n == 0 ? G | I : n == 1 ? P : G | I | IMM;
  case OG_VISA_OP_BF_CVT:
  case OG_VISA_OP_FCVT: return n == 0 ? G : G | IMM;
  case OG_VISA_OP_LINE: return n == 0 ? G | I : n == 1 ? G : G | I | IMM;
  case OG_VISA_OP_DPAS:
  case OG_VISA_OP_DPASW: return G;
  default: break;
  }
  uint32_t kinds = letter == 'D' ? G | I : G | I | IMM;
  return row->flags & PRED_OPND ? kinds | P : kinds;
}

static const char *kind_name(uint8_t kind) {
  static const char *const names[] = {
      "nothing",          "a general operand", "an address operand", "a predicate",   "an indirect operand",
      "an address taken", "an immediate",      "a state operand",    "a raw operand", "a label",
      "a number"};
  return names[kind < OG_COUNT(names) ? kind : 0];
}

static void verify_modifier(struct og_visa_verifier *v, const struct og_visa_row *row,
                            const struct og_visa_operand *operand) {
  if (operand->modifier == OG_VISA_MODIFIER_NONE)
    return;
  if (operand->kind != OG_VISA_GENERAL && operand->kind != OG_VISA_INDIRECT)
    og_visa_breach(v, operand, "a modifier may only be on a general or indirect operand");
  else if (operand->modifier == OG_VISA_MODIFIER_SAT)
    og_visa_breach(v, operand, "saturation is for destinations only");
  else if (operand->modifier == OG_VISA_MODIFIER_NOT && !(row->flags & NOT))
    og_visa_breach(v, operand, "the modifier (~) may only appear in and, or, xor and not");
  else if (operand->modifier != OG_VISA_MODIFIER_NOT && !(row->flags & MOD))
    og_visa_breach(v, operand, "%s takes no arithmetic modifier", row->name);
}

static void verify_vector(struct og_visa_verifier *v, const struct og_visa_row *row, char letter, unsigned n) {
  const struct og_visa_operand *operand = &v->inst->operands[n];
  bool destination = letter != 'S', scalar = (row->flags & SCALAR) || !v->inst->exec_size;
  if (!(kinds_of(v->inst, row, letter, n) >> operand->kind & 1)) {
    og_visa_breach(v, operand, "%s cannot be %s of %s", kind_name(operand->kind),
                   destination ? "the destination" : "a source", og_visa_mnemonic(v->inst));
    return;
  }
  if (destination && operand->modifier) {
    og_visa_breach(v, operand, "a destination takes no modifier");
    return;
  }
  if (!destination)
    verify_modifier(v, row, operand);
  switch (operand->kind) {
  case OG_VISA_GENERAL: verify_general_operand(v, operand, destination, scalar); break;
  case OG_VISA_INDIRECT: verify_indirect(v, operand, destination, scalar); break;
  case OG_VISA_ADDRESS: verify_address(v, operand, destination); break;
  case OG_VISA_PREDICATE: verify_predicate_size(v, operand, operand->predicate.variable); break;
  case OG_VISA_STATE: verify_state(v, operand); break;
  case OG_VISA_ADDRESS_OF: verify_address_of(v, operand); break;
  default: break;
  }
}

/* ---- types ---- */

/* The types that an operand can have: a packed integer has the width in which the instruction works. */
static uint32_t value_types(const struct og_visa_operand *operand) {
  switch (operand->type) {
  case OG_VISA_V:
  case OG_VISA_UV: return T_INT;
  case OG_VISA_VF: return T_FLT;
  default: return 1u << operand->type;
  }
}

static bool has_type(const struct og_visa_operand *operand) {
  return operand->kind == OG_VISA_GENERAL || operand->kind == OG_VISA_INDIRECT || operand->kind == OG_VISA_IMMEDIATE;
}

static bool is_one_of(uint8_t opcode, const uint8_t *opcodes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (opcodes[i] == opcode)
      return true;
  return false;
}

/* bf may only be mixed with f, in a few instructions of dg2 and pvc. */
static void verify_bfloat(struct og_visa_verifier *v, const struct og_visa_operand *operand, uint32_t types) {
  static const uint8_t takers[] = {OG_VISA_OP_MOV, OG_VISA_OP_ADD, OG_VISA_OP_MUL,
                                   OG_VISA_OP_MAD, OG_VISA_OP_SEL, OG_VISA_OP_CMP};
  static const uint8_t anywhere[] = {OG_VISA_OP_BF_CVT, OG_VISA_OP_SRND};
  if (is_one_of(v->inst->opcode, anywhere, OG_COUNT(anywhere)))
    return;
  if (v->platform < OG_VISA_DG2 || !is_one_of(v->inst->opcode, takers, OG_COUNT(takers)))
    og_visa_breach(v, operand, "%s cannot have type bf%s", og_visa_mnemonic(v->inst),
                   v->platform < OG_VISA_DG2 ? " before dg2" : "");
  else if (types & ~(uint32_t)(T_F | T_BF))
    og_visa_breach(v, operand, "bf goes with f and bf only");
}

/* Divisions and roots that a platform does not have. */
static void verify_division(struct og_visa_verifier *v, uint32_t types) {
  static const uint8_t integer[] = {OG_VISA_OP_DIV, OG_VISA_OP_MOD};
  static const uint8_t doubles[] = {OG_VISA_OP_DIV, OG_VISA_OP_DIVM, OG_VISA_OP_SQRT, OG_VISA_OP_SQRTM, OG_VISA_OP_INV};
  if (types & T_INT && is_one_of(v->inst->opcode, integer, OG_COUNT(integer)) && v->platform >= OG_VISA_DG2)
    og_visa_breach(v, NULL, "%s of integers is not on %s", og_visa_mnemonic(v->inst),
                   og_visa_platforms[v->platform].name);
  if (types & T_DF && is_one_of(v->inst->opcode, doubles, OG_COUNT(doubles)) &&
      (v->platform == OG_VISA_TGLLP || v->platform == OG_VISA_DG2))
    og_visa_breach(v, NULL, "%s of df is not on %s", og_visa_mnemonic(v->inst), og_visa_platforms[v->platform].name);
}

/* Whether the operands' types may be mixed; `types`: all of them. */
static void verify_mixture(struct og_visa_verifier *v, const struct og_visa_row *row,
                           const struct og_visa_operand *bfloat, uint32_t types) {
  static const uint8_t narrow[] = {OG_VISA_OP_SQRT, OG_VISA_OP_RSQRT, OG_VISA_OP_INV};
  bool alone = !(row->flags & ODD) || is_one_of(v->inst->opcode, narrow, OG_COUNT(narrow));
  if (alone && (types & T_DF) && (types & (T_F | T_HF | T_BF)))
    og_visa_breach(v, NULL, "%s cannot mix df with other floating-point types", og_visa_mnemonic(v->inst));
  if (v->inst->opcode == OG_VISA_OP_RSQRT && types & T_DF)
    og_visa_breach(v, NULL, "rsqrt cannot have type df");
  verify_division(v, types);
  if (bfloat)
    verify_bfloat(v, bfloat, types);
}

/* The types of the row's own `count` operands: those behind, parameters and labels, have no letter. */
static void verify_types(struct og_visa_verifier *v, const struct og_visa_row *row, const char *letters,
                         unsigned count) {
  unsigned floats = 0, integers = 0;
  uint32_t all = 0;
  const struct og_visa_operand *mixed = NULL, *bfloat = NULL;
  for (unsigned i = 0; i < OG_MIN(count, (unsigned)v->inst->operand_count); i++) {
    const struct og_visa_operand *operand = &v->inst->operands[i];
    bool source = letters[i] == 'S', destination = letters[i] == 'D';
    if ((!source && !destination) || !has_type(operand))
      continue;
    uint32_t allowed = source ? row->src_types : row->dst_types;
    if (v->inst->opcode == OG_VISA_OP_ADDR_ADD && i == 2)
      allowed = T_UW;
    uint32_t types = value_types(operand);
    if (!(allowed & types)) {
      og_visa_breach(v, operand, "%s cannot have type %s as %s", og_visa_mnemonic(v->inst),
                     og_visa_types[operand->type].name, source ? "a source" : "its destination");
      return;
    }
    if (operand->type == OG_VISA_BF)
      bfloat = operand;
    if (operand->type == OG_VISA_BF && operand->kind == OG_VISA_INDIRECT)
      og_visa_breach(v, operand, "bf cannot be reached indirectly");
    if (types == 1u << operand->type) /* packed immediates go with any type */
      all |= types;
    bool is_float = (types & T_FLT) != 0;
    floats += is_float;
    integers += !is_float;
    if (floats && integers && !mixed)
      mixed = operand;
  }
  if (mixed && !(row->flags & (ODD | SCALAR)))
    og_visa_breach(v, mixed, "%s cannot mix floating-point and integer operands", og_visa_mnemonic(v->inst));
  verify_mixture(v, row, bfloat, all);
}

static void verify_saturation(struct og_visa_verifier *v, const struct og_visa_row *row) {
  if (!v->inst->saturate)
    return;
  if (!(row->flags & (SAT | SATF)))
    og_visa_breach(v, NULL, "%s cannot saturate", og_visa_mnemonic(v->inst));
  else if ((row->flags & SATF) && og_visa_types[v->inst->operands[0].type].class != 'f')
    og_visa_breach(v, &v->inst->operands[0], "%s saturates floating-point results only", og_visa_mnemonic(v->inst));
  else if (v->inst->opcode == OG_VISA_OP_DIV && v->inst->operands[0].type == OG_VISA_DF)
    og_visa_breach(v, &v->inst->operands[0], "div of df cannot saturate");
}

/* If operands are predicates, all are, and there is no predicate control. */
static void verify_predicate_operands(struct og_visa_verifier *v) {
  unsigned predicates = 0;
  for (unsigned i = 0; i < v->inst->operand_count; i++)
    predicates += v->inst->operands[i].kind == OG_VISA_PREDICATE;
  if (predicates && predicates != v->inst->operand_count)
    og_visa_breach(v, NULL, "%s cannot mix predicates with other operands", og_visa_mnemonic(v->inst));
  else if (predicates && v->inst->predicate.variable)
    og_visa_breach(v, NULL, "%s on predicates takes no predicate control", og_visa_mnemonic(v->inst));
}

static void verify_label(struct og_visa_verifier *v, const struct og_visa_operand *operand) {
  const struct og_visa_label *label = &v->kernel->labels.items[operand->variable];
  if (v->inst->opcode == OG_VISA_OP_CALL && !label->subroutine)
    og_visa_breach(v, operand, "'%s' is a block's label: only a subroutine can be called", label->name);
  else if ((v->inst->opcode == OG_VISA_OP_JMP || v->inst->opcode == OG_VISA_OP_GOTO ||
            v->inst->opcode == OG_VISA_OP_SWITCHJMP) &&
           label->subroutine)
    og_visa_breach(v, operand, "'%s' is a subroutine: it can be called, not jumped to", label->name);
}

/* ---- one instruction ---- */

static void verify_platform(struct og_visa_verifier *v, const struct og_visa_row *row) {
  static const struct {
    uint8_t opcode, last;
  } ended[] = {{OG_VISA_OP_SAD2, OG_VISA_SKL},        {OG_VISA_OP_SAD2ADD, OG_VISA_SKL},
               {OG_VISA_OP_DPASW, OG_VISA_DG2},       {OG_VISA_OP_AVS, OG_VISA_SKL},
               {OG_VISA_OP_VME_IME, OG_VISA_SKL},     {OG_VISA_OP_VME_SIC, OG_VISA_SKL},
               {OG_VISA_OP_VME_FBR, OG_VISA_SKL},     {OG_VISA_OP_VME_IDM, OG_VISA_SKL},
               {OG_VISA_OP_SAMPLE_3D, OG_VISA_DG2},   {OG_VISA_OP_LOAD_3D, OG_VISA_DG2},
               {OG_VISA_OP_GATHER4_3D, OG_VISA_DG2},  {OG_VISA_OP_RT_WRITE_3D, OG_VISA_DG2},
               {OG_VISA_OP_URB_WRITE_3D, OG_VISA_DG2}};
  const char *name = v->inst->opcode == OG_VISA_OP_LSC_UNTYPED || v->inst->opcode == OG_VISA_OP_LSC_TYPED
                         ? "lsc"
                         : og_visa_mnemonic(v->inst);
  static const uint8_t macros[] = {OG_VISA_OP_DIVM, OG_VISA_OP_SQRTM, OG_VISA_OP_INVM, OG_VISA_OP_RSQTM};
  if (v->platform < row->platform)
    og_visa_breach(v, NULL, "%s is not on %s, only from %s on", name, og_visa_platforms[v->platform].name,
                   og_visa_platforms[row->platform].name);
  if (is_one_of(v->inst->opcode, macros, OG_COUNT(macros)) && v->platform != OG_VISA_SKL && v->platform != OG_VISA_PVC)
    og_visa_breach(v, NULL, "%s is not on %s, only on skl and pvc", name, og_visa_platforms[v->platform].name);
  for (size_t i = 0; i < OG_COUNT(ended); i++)
    if (ended[i].opcode == v->inst->opcode && v->platform > ended[i].last)
      og_visa_breach(v, NULL, "%s is not on %s, only up to %s", name, og_visa_platforms[v->platform].name,
                     og_visa_platforms[ended[i].last].name);
}

static void verify_inst(struct og_visa_verifier *v) {
  const struct og_visa_inst *inst = v->inst;
  const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
  verify_platform(v, row);
  verify_exec(v);
  if (inst->predicate.variable)
    verify_predicate_size(v, NULL, inst->predicate.variable);
  if (inst->opcode >= OG_VISA_OP_LSC_UNTYPED && inst->opcode <= OG_VISA_OP_LSC_FENCE) {
    og_visa_verify_message(v);
    return;
  }
  char letters[OG_VISA_MAX_LETTERS];
  unsigned count = og_visa_letters(row, letters);
  for (unsigned i = 0; i < count; i++) {
    if (strchr("DQAS", letters[i]))
      verify_vector(v, row, letters[i], i);
    else if (letters[i] == 'L')
      verify_label(v, &inst->operands[i]);
  }
  for (unsigned i = count; i < inst->operand_count && inst->opcode == OG_VISA_OP_SWITCHJMP; i++)
    verify_label(v, &inst->operands[i]);
  if (inst->opcode == OG_VISA_OP_DPAS || inst->opcode == OG_VISA_OP_DPASW) {
    og_visa_verify_message(v);
    return;
  }
  if (row->flags & PRED_OPND)
    verify_predicate_operands(v);
  verify_types(v, row, letters, count);
  verify_saturation(v, row);
  og_visa_verify_message(v);
}

static void verify_kernel(struct og_visa_verifier *v) {
  struct og_arena *arena = og_arena_new();
  uint32_t count = og_visa_verify_declarations(v, arena) ? v->kernel->insts.count : 0;
  for (v->index = 0; v->index < count; v->index++) {
    v->inst = &v->kernel->insts.items[v->index];
    verify_inst(v);
  }
  og_arena_free(arena);
}

bool og_visa_verify(const struct og_visa *visa, int platform, const char *file, struct og_diagnostics *diagnostics) {
  struct og_visa_verifier v = {.visa = visa,
                               .platform = platform,
                               .grf = og_visa_platforms[platform].grf_size,
                               .file = file,
                               .diagnostics = diagnostics};
  for (uint32_t i = 0; i < visa->kernels.count; i++) {
    v.kernel = visa->kernels.items[i];
    og_visa_set_platform(visa->kernels.items[i], platform);
    verify_kernel(&v);
  }
  if (v.breaches > OG_VISA_MOST_BREACHES)
    og_error_in(diagnostics, file, "%llu more errors are not shown",
                (unsigned long long)(v.breaches - OG_VISA_MOST_BREACHES));
  return v.breaches == 0;
}
