/* Which instructions compute the same with their first two sources exchanged: what rows tell against what the executor
 * computes, both ways. Of two NaNs either may come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/memory.h"
#include "exec/program.h"
#include "isa/matrix.h"
#include "target_fixture.h"

enum { CODE = 16, ROUNDS = 12, ROUNDS_UNTOLD = 100, MOST_COMPLAINTS = 40 };
enum { SOURCE_0 = 8, SOURCE_1 = 16, SOURCE_2 = 24, RESULT = 32, RESULT_DWORDS = 8, REGISTERS = 48 };

/* Of a wave what the instructions touch. */
#define USED (offsetof(struct og_wave, v) + REGISTERS * sizeof wave->v[0])

static const char *const processors[] = {"gfx600", "gfx700",  "gfx803",  "gfx900",  "gfx908",  "gfx950",
                                         "gfx1030", "gfx1150", "gfx1200", "gfx1250", "gfx1251"};

static uint32_t code[CODE];
static struct og_program *program;
static const struct og_isa *isa;
static struct og_group group;
static struct og_windows windows;
static struct og_wave *wave, *before, *after;
static unsigned complaints, held;

static uint64_t seed = 23;
static uint32_t random32(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (uint32_t)(seed >> 16);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static bool is_scalar(const struct og_form *form) { return form->row_flags & OG_FLAG_SALU; }

static bool may_be_vector(const struct og_slot *slot) {
  static const unsigned takes = 1 << OG_TAKES_VGPR | 1 << OG_TAKES_VGPR_AGPR | 1 << OG_TAKES_VGPR_INLINE |
                                1 << OG_TAKES_VGPR_LITERAL | 1 << OG_TAKES_VGPR_SGPR_INLINE |
                                1 << OG_TAKES_VGPR_SGPR_LITERAL;
  return takes >> slot->takes & 1;
}

static const struct og_slot *slot_of(const struct og_form *form, enum og_role role) {
  const struct og_shape *shape = og_shape(isa, form);
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (og_slots(shape)[i].role == role)
      return &og_slots(shape)[i];
  return NULL;
}

/* Whether each of the first two sources may be what the other is. */
static bool exchangeable(const struct og_form *form) {
  const struct og_slot *a = slot_of(form, OG_ROLE_SRC0), *b = slot_of(form, OG_ROLE_SRC1);
  if (!a || !b || a->element != b->element || a->elements != b->elements || a->dwords != b->dwords)
    return false;
  return is_scalar(form) || (may_be_vector(a) && may_be_vector(b));
}

/* The form with registers of its own for each operand, the first two sources exchanged or not. */
static bool put_together(unsigned index, bool exchanged, struct og_inst *inst) {
  const struct og_form *form = og_form(isa, index);
  uint8_t bytes[32];
  uint32_t words[4];
  for (unsigned i = 0; i < 4; i++)
    words[i] = form_word(form, i, 0);
  memset(bytes, 0xff, sizeof bytes);
  memcpy(bytes, words, form->size < sizeof words ? form->size : sizeof words);
  if (!og_decode(isa, bytes, sizeof bytes, inst) || inst->form != index)
    return false;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_operand *o = &inst->operands[i];
    const struct og_slot *slot = slot_of(form, o->role);
    unsigned at = o->role == OG_ROLE_SRC0 ? (exchanged ? SOURCE_1 : SOURCE_0)
                  : o->role == OG_ROLE_SRC1 ? (exchanged ? SOURCE_0 : SOURCE_1)
                  : o->role == OG_ROLE_SRC2 ? SOURCE_2 : RESULT;
    bool source = o->role == OG_ROLE_SRC0 || o->role == OG_ROLE_SRC1 || o->role == OG_ROLE_SRC2;
    if (slot->takes == OG_TAKES_VCC || slot->takes == OG_TAKES_KIMM || slot->takes == OG_TAKES_SIMM ||
        slot->takes == OG_TAKES_IMM)
      continue;
    bool vector = source ? !is_scalar(form) && may_be_vector(slot) : o->kind == OG_OPERAND_VGPR;
    uint8_t role = o->role;
    *o = (struct og_operand){.kind = vector ? OG_OPERAND_VGPR : OG_OPERAND_SGPR, .role = role,
                             .dwords = (uint8_t)og_slot_dwords(isa, slot), .reg = (uint16_t)at};
  }
  if (inst->encoding == OG_ENC_VOP3P)
    inst->mod[OG_MOD_OP_SEL_HI] = form->traits & OG_TRAIT_MFMA || og_shape(isa, form)->flags & OG_SHAPE_MIX ? 0 : 7;
  inst->mod[OG_MOD_BITOP3] = 0x2d;
  char why[80];
  memset(bytes, 0xff, sizeof bytes);
  size_t size = og_encode(isa, inst, bytes);
  if (!size || og_decode(isa, bytes, sizeof bytes, inst) != size || inst->form != index ||
      !og_inst_valid(isa, inst, why, sizeof why))
    return false;
  memset(code, 0xff, sizeof code);
  memcpy(code, bytes, size);
  return true;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static bool zeros; /* ones and zeros of both signs alone, of which medians choose by order */

/* Numbers at edges half of the time, as they are for elements of this size. */
static uint32_t value(unsigned bits) {
  static const uint32_t wide[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff, 0x3f800000, 0xbf800000,
                                  0x7f800000, 0xff800000, 0x7fc00001, 0x00800000, 0x00000200, 0x00ffffff, 0x40490fdb};
  static const uint16_t narrow[] = {0,      1,      0x8000, 0x7fff, 0xffff, 0x3c00, 0xbc00,
                                    0x7c00, 0xfc00, 0x7e01, 0x0400, 0x0080, 0x4248};
  static const uint32_t ones[] = {0, 0x80000000, 0x3f800000, 0xbf800000}, half_ones[] = {0, 0x8000, 0x3c00, 0xbc00};
  if (zeros && bits != 64)
    return bits == 16 ? half_ones[random32() % 4] | half_ones[random32() % 4] << 16 : ones[random32() % 4];
  if (random32() & 1)
    return bits == 64 ? random32() : (random32() & 0x8fffffff) | 0x38003800;
  if (bits == 16)
    return narrow[random32() % OG_COUNT(narrow)] | (uint32_t)narrow[random32() % OG_COUNT(narrow)] << 16;
  return wide[random32() % OG_COUNT(wide)];
}

/* The high half of a double at an edge. */
static uint32_t high_value(void) {
  static const uint32_t edges[] = {0,          0x80000000, 0x3ff00000, 0xbff00000,
                                   0x7ff00000, 0xfff00000, 0x7ff80001, 0x00100000};
  return random32() & 1 ? (random32() & 0x803fffff) | 0x3fc00000 : edges[random32() % OG_COUNT(edges)];
}

static void fill(unsigned bits) {
  zeros = random32() % 4 == 0;
  for (unsigned k = 0; k < REGISTERS; k++) {
    bool high = bits == 64 && k & 1;
    wave->s[k] = high ? high_value() : value(bits);
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      wave->v[k][lane] = high ? high_value() : bits == 64 && random32() & 1 ? 0 : value(bits);
  }
  wave->s[OG_S_SCC] = random32() & 1;
  og_store64(&wave->s[OG_S_VCC], (uint64_t)random32() << 32 | random32());
  og_store64(&wave->s[OG_S_EXEC], (uint64_t)random32() << 32 | random32());
  wave->mode = random32() & 1 ? 0x2f0 : 0xf0;
  memcpy(before, wave, USED);
}

static bool run(void) {
  memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
  og_exec_changed(wave), og_mode_changed(wave);
  memset(&wave->fault, 0, sizeof wave->fault);
  wave->state = OG_WAVE_READY, wave->resume = program->operations, wave->budget = 0;
  og_wave_run(wave);
  return wave->state != OG_WAVE_FAULT || !strstr(wave->fault.what, "executed yet");
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static bool is_nan(uint64_t bits, unsigned width, unsigned mantissa) {
  uint64_t most = (UINT64_C(1) << (width - 1)) - 1, infinity = most & ~((UINT64_C(1) << mantissa) - 1);
  return (bits & most) > infinity;
}

/* Whether results are the same, of floats also where both are NaNs. */
static bool alike(enum og_element element, uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1) {
  if (a0 == b0 && a1 == b1)
    return true;
  switch (element) {
  case OG_ELEMENT_F64: return is_nan((uint64_t)a1 << 32 | a0, 64, 52) && is_nan((uint64_t)b1 << 32 | b0, 64, 52);
  case OG_ELEMENT_F32: return a1 == b1 && is_nan(a0, 32, 23) && is_nan(b0, 32, 23);
  case OG_ELEMENT_F16: case OG_ELEMENT_BF16: {
    unsigned mantissa = element == OG_ELEMENT_F16 ? 10 : 7;
    for (unsigned half = 0; half < 32; half += 16) {
      uint32_t a = a0 >> half & 0xffff, b = b0 >> half & 0xffff;
      if (a != b && !(is_nan(a, 16, mantissa) && is_nan(b, 16, mantissa)))
        return false;
    }
    return a1 == b1;
  }
  default: return false;
  }
}

static bool same_results(const struct og_form *form) {
  const struct og_slot *slot = slot_of(form, OG_ROLE_VDST);
  const struct og_slot *scalar = slot_of(form, OG_ROLE_SDST);
  enum og_element element = slot ? slot->element : scalar ? scalar->element : OG_ELEMENT_NONE;
  unsigned step = element == OG_ELEMENT_F64 ? 2 : 1;
  for (unsigned k = 0; k < REGISTERS; k += step) {
    bool result = k >= RESULT && k < RESULT + RESULT_DWORDS;
    enum og_element of = result ? element : OG_ELEMENT_NONE;
    if (!alike(of, wave->s[k], step == 2 ? wave->s[k + 1] : 0, after->s[k], step == 2 ? after->s[k + 1] : 0))
      return false;
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      if (!alike(of, wave->v[k][lane], step == 2 ? wave->v[k + 1][lane] : 0, after->v[k][lane],
                 step == 2 ? after->v[k + 1][lane] : 0))
        return false;
  }
  static const unsigned others[] = {OG_S_SCC, OG_S_VCC, OG_S_VCC + 1, OG_S_EXEC, OG_S_EXEC + 1};
  for (size_t i = 0; i < OG_COUNT(others); i++)
    if (wave->s[others[i]] != after->s[others[i]])
      return false;
  return true;
}

/* ---- each form --------------------------------------------------------------------------------------------------- */

/* Of a row the form that is encoded as another row's; -1 if the processor has none. */
static int form_like(const struct og_form *form, unsigned row) {
  for (unsigned i = 0; i < og_form_count(isa); i++) {
    const struct og_form *other = og_form(isa, i);
    if (other->row == row && other->encoding == form->encoding && other->variant == form->variant &&
        og_form_fits(isa, other) && !((other->needs[0] ^ form->needs[0]) & OG_NEED_REAL_TRUE16))
      return (int)i;
  }
  return -1;
}

static void complain(const char *processor, const struct og_form *form, const char *what) {
  if (complaints++ < MOST_COMPLAINTS)
    print_message("%s: %s %s\n", processor, og_row_name(form->row), what);
}

/* Whether the form computes what `other` does with the first two sources exchanged; *refused if one cannot be run. */
static bool commutes(unsigned index, unsigned other, unsigned rounds, bool *refused) {
  const struct og_form *form = og_form(isa, index);
  struct og_inst inst, exchanged;
  unsigned bits = og_element_bits((enum og_element)slot_of(form, OG_ROLE_SRC0)->element);
  *refused = !put_together(other, true, &exchanged) || !put_together(index, false, &inst);
  for (unsigned round = 0; round < rounds && !*refused; round++) {
    fill(bits);
    put_together(index, false, &inst);
    *refused = !run();
    memcpy(after, wave, USED);
    memcpy(wave, before, USED);
    put_together(other, true, &exchanged);
    *refused |= !run();
    if (!*refused && !same_results(form))
      return false;
  }
  return true;
}

static void check_form(const char *processor, unsigned index) {
  const struct og_form *form = og_form(isa, index);
  int told = og_row_commuted(form->row), other = told < 0 ? (int)index : form_like(form, (unsigned)told);
  bool computes = form->row_flags & (OG_FLAG_VALU | OG_FLAG_SALU) && form->variant == OG_VARIANT_NONE &&
                  form->encoding != OG_ENC_VOPD && og_form_matrix(form)->kind == OG_MATRIX_NONE &&
                  (form->writes & ~OG_IMPLICIT_MODE || og_shape(isa, form)->slot_count > 2); /* there is a result */
  bool refused;
  if (!computes || other < 0 || !og_form_fits(isa, form) || !exchangeable(form))
    return;
  bool does = commutes(index, (unsigned)other, told < 0 ? ROUNDS_UNTOLD : ROUNDS, &refused);
  if (refused)
    return;
  held += told >= 0;
  if (!does && told >= 0)
    complain(processor, form, "computes something else with its sources exchanged");
  if (does && told < 0)
    complain(processor, form, "commutes, which its row does not tell");
}

static void rows_tell_what_commutes(void **state) {
  (void)state;
  struct og_wave **waves[] = {&wave, &before, &after};
  for (size_t i = 0; i < OG_COUNT(waves); i++)
    *waves[i] = memset(aligned_alloc(4096, og_align_up(sizeof(struct og_wave), 4096)), 0, sizeof(struct og_wave));
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    struct og_target target = target_of(processors[p]);
    struct og_isa room;
    program = og_program_new(&target, code, sizeof code);
    isa = og_isa_for(&target, &room);
    wave->program = program, wave->group = &group, wave->windows = &windows, wave->wave_size = isa->wave;
    for (unsigned i = 0; i < og_form_count(isa); i++)
      check_form(processors[p], i);
    og_program_free(program);
  }
  print_message("%u forms commute as told\n", held);
  for (size_t i = 0; i < OG_COUNT(waves); i++)
    free(*waves[i]);
  assert_int_equal(complaints, 0);
  assert_true(held > 3000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_tell_what_commutes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
