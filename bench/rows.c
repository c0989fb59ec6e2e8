/* rows.c - nanoseconds that the executor's handler takes for one wave of 64 lanes (32, where the processor has no others), of each
 * vector form of some processors: registers as operands, no modifiers. The slowest come first.
 *
 * usage: bench_rows [-d plain|denormal|special|any|normal] [-o NS] [-n TEXT] [-r ROUNDS] [-f FORMAT] processor...
 *   -d what numbers registers hold: near 1 in all formats; one in eight denormal; some NaN or infinite; any bits; of
 *      matrices normally distributed elements, as matrices in use have them, and scales near 1
 *   -o only what takes that long; -n only what has that in its name; -r rounds, 24: more of them for a profiler; -f of
 *   matrices whose format is chosen that one, 0 to 4. OFFGRID_HOST=avx512|avx2|baseline chooses the host's level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/floats.h"
#include "exec/matrix.h"
#include "exec/vector.h"
#include "form_fixture.h"

struct timing {
  double nanoseconds;
  const char *name, *processor;
  uint8_t encoding, variant, lanes;
};
static struct timing timings[1 << 17];
static size_t timing_count;

static uint32_t number(const char *kind) {
  uint32_t bits = (random32() & 0x83838383) | 0x3c3c3c3c;
  if (kind[0] == 'a')
    return random32();
  if (kind[0] == 'd' && random32() % 8 == 0)
    bits &= 0x83838383;
  if (kind[0] == 's' && random32() % 64 == 0)
    bits |= 0x7f7f7f7f;
  return bits;
}

static bool is_vector_form(const struct og_form *form) {
  return form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOP3P;
}

/* Results where no source stands, so that what comes in stays what it was; a matrix's addend is its result. */
enum { SOURCES = 8, MORE_SOURCES = 24, RESULTS = 32, LAST_SOURCES = 64 };
static void place_registers(struct og_inst *inst) {
  bool matrix = og_form_matrix(og_form(isa, inst->form))->kind != OG_MATRIX_NONE;
  bool sparse = og_form_matrix(og_form(isa, inst->form))->kind == OG_MATRIX_SWMMAC;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_operand *operand = &inst->operands[i];
    if (operand->kind != OG_OPERAND_VGPR)
      continue;
    switch (operand->role) {
    case OG_ROLE_VDST: operand->reg = RESULTS; break;
    case OG_ROLE_SRC0: operand->reg = matrix ? SOURCES : LAST_SOURCES; break;
    case OG_ROLE_SRC1: operand->reg = matrix ? LAST_SOURCES : SOURCES; break;
    case OG_ROLE_SRC2: operand->reg = matrix && !sparse ? RESULTS : MORE_SOURCES; break;
    default: operand->reg = MORE_SOURCES + 2; break;
    }
  }
}

/* The format of A's and B's elements, where a modifier says it. */
static unsigned format;
static void choose_format(struct og_inst *inst) {
  bool old = program->target.processor->generation < OG_GFX1250;
  if (og_form_matrix(og_form(isa, inst->form))->a == OG_ELEMENT_F8F6F4)
    inst->mod[old ? OG_MOD_CBSZ : OG_MOD_MATRIX_A_FMT] = inst->mod[old ? OG_MOD_BLGP : OG_MOD_MATRIX_B_FMT] = format;
}

/* Operands in vector registers and nothing that modifies them, as far as the form has that. */
static bool make_plain(unsigned index, struct og_inst *inst) {
  bool made = false;
  for (unsigned tries = 0; tries < 400; tries++) {
    struct og_inst one;
    if (!random_inst(index, &one))
      continue;
    unsigned scalars = 0;
    for (unsigned i = 0; i < one.operand_count; i++) {
      one.operands[i].flags &= (uint8_t) ~(OG_NEG | OG_ABS | OG_SEXT);
      scalars += one.operands[i].kind != OG_OPERAND_VGPR && one.operands[i].role != OG_ROLE_SDST;
    }
    one.mod[OG_MOD_NEG_LO] = one.mod[OG_MOD_NEG_HI] = one.mod[OG_MOD_OMOD] = one.mod[OG_MOD_CLAMP] = one.mod[OG_MOD_OP_SEL] = 0;
    one.mod[OG_MOD_CBSZ] = one.mod[OG_MOD_BLGP] = one.mod[OG_MOD_ABID] = one.mod[OG_MOD_INDEX_KEY] = 0;
    one.mod[OG_MOD_MATRIX_A_SCALE_FMT] = one.mod[OG_MOD_MATRIX_B_SCALE_FMT] = 0;
    choose_format(&one);
    if (one.encoding == OG_ENC_VOP3P)
      one.mod[OG_MOD_OP_SEL_HI] = og_form_matrix(og_form(isa, index))->kind ? 0 : 7;
    place_registers(&one);
    if (!put_code(&one))
      continue;
    made = true, *inst = one;
    if (!scalars)
      break;
  }
  return made && put_code(inst);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static unsigned rounds = 24;
static double time_of(const struct og_operation *op) {
  double best = 1;
  unsigned count = 16;
  memcpy(before, wave, sizeof *wave);
  for (unsigned round = 0; round < rounds; round++) {
    memcpy(wave, before, sizeof *wave); /* sums that come in again do not grow without end */
    double start = seconds();
    for (unsigned i = 0; i < count; i++)
      op->handler(wave, op);
    double took = seconds() - start;
    best = took / count < best ? took / count : best;
    if (round == 0)
      count = took > 2e-4 ? 4 : took < 1e-6 ? 256 : (unsigned)(256e-6 / took) + 4;
  }
  return best * 1e9;
}

/* Whole numbers are small: shifts and exponents that lead nowhere near denormals, whose arithmetic takes the host long. */
static void fill_integers(const struct og_inst *inst) {
  const struct og_shape *shape = og_shape(isa, og_form(isa, inst->form));
  for (unsigned i = 0; i < shape->slot_count; i++) {
    const struct og_slot *slot = &og_slots(shape)[i];
    const struct og_operand *operand = og_operand(inst, slot->role);
    bool beside_double = slot->element == OG_ELEMENT_B32 && og_slots(shape)[1].element == OG_ELEMENT_F64;
    bool whole = beside_double || (slot->element >= OG_ELEMENT_I64 && slot->element <= OG_ELEMENT_U16);
    if (whole && operand && operand->kind == OG_OPERAND_VGPR && slot->role != OG_ROLE_VDST)
      for (unsigned lane = 0; lane < OG_LANES; lane++)
        vector_at(wave, operand->reg)[lane] = random32() & 3;
  }
}

/* ---- matrices of normally distributed elements ------------------------------------------------------------------- */

static float normal(void) {
  float sum = 0;
  for (unsigned i = 0; i < 12; i++)
    sum += (float)(random32() & 0xffff) * 0x1p-16f;
  return sum - 6;
}

static uint32_t normal_element(unsigned element, bool fnuz) {
  float x = normal();
  switch (element) {
  case OG_ELEMENT_F32:
  case OG_ELEMENT_XF32: return og_bits_of_float(x);
  case OG_ELEMENT_F16: return og_float_to_half(x, OG_ROUND_NEAREST);
  case OG_ELEMENT_BF16: return og_float_to_bfloat(x);
  case OG_ELEMENT_FP8: return og_float_to_small(fnuz ? &og_fp8_e4m3_fnuz : &og_fp8_e4m3, x, true);
  case OG_ELEMENT_BF8: return og_float_to_small(fnuz ? &og_bf8_e5m2_fnuz : &og_bf8_e5m2, x, true);
  case OG_ELEMENT_FP6: return og_float_to_small(&og_fp6_e2m3, x, true);
  case OG_ELEMENT_BF6: return og_float_to_small(&og_bf6_e3m2, x, true);
  case OG_ELEMENT_F4: return og_float_to_small(&og_fp4_e2m1, x, true);
  default: return random32();
  }
}

/* Element beside element in `count` registers of each lane. */
static void fill_normal(unsigned first, unsigned count, unsigned element, unsigned width, bool fnuz) {
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint32_t bits[64] = {0};
    for (unsigned n = 0; width < 64 && (n + 1) * width <= 32 * count; n++) {
      uint64_t value = (uint64_t)normal_element(element, fnuz) & ((1ull << width) - 1);
      unsigned at = n * width, shift = at % 32;
      bits[at / 32] |= (uint32_t)(value << shift);
      if (shift + width > 32)
        bits[at / 32 + 1] |= (uint32_t)(value >> (32 - shift));
    }
    for (unsigned n = 0; width == 64 && n + 1 < count; n += 2) {
      double x = (double)normal();
      memcpy(bits + n, &x, sizeof x);
    }
    for (unsigned n = 0; n < count; n++)
      vector_at(wave, first + n)[lane] = bits[n];
  }
}

static void fill_matrices(const struct og_matrix_plan *plan) {
  unsigned c = plan->c, width = c == OG_ELEMENT_F64 ? 64 : c == OG_ELEMENT_F16 || c == OG_ELEMENT_BF16 ? 16 : 32;
  fill_normal(SOURCES, 16, plan->a.element, plan->a.width, plan->a.fnuz);
  fill_normal(LAST_SOURCES, 16, plan->b.element, plan->b.width, plan->b.fnuz);
  fill_normal(RESULTS, 32, c, width, false);
  for (unsigned k = 0; k < 8 && plan->facts->scaled; k++)
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      vector_at(wave, MORE_SOURCES + k)[lane] = 0x7c7c7c7c + (random32() & 0x07070707);
  for (unsigned k = 0; k < 8 && !plan->facts->scaled; k++) /* of a sparse A: 0 and 1, 0 and 2, 1 and 3... */
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      vector_at(wave, MORE_SOURCES + k)[lane] = 0x4848d8ed ^ (random32() & 1 ? 0xa6a6a6a6 : 0);
}

static void time_form(const char *processor, unsigned index, const char *kind) {
  struct og_inst inst;
  if (!make_plain(index, &inst))
    return;
  fill(wave);
  for (unsigned k = 0; k < 2 * VECTORS; k++)
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      vector_at(wave, k)[lane] = number(kind);
  fill_integers(&inst);
  memset(&wave->s[OG_S_EXEC], 0xff, 8);
  wave->mode = 0x2f0;
  memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
  if (!run(wave))
    return;
  memset(&wave->s[OG_S_EXEC], 0xff, 8);
  og_exec_changed(wave);
  og_mode_changed(wave);
  bool matrix = og_form_matrix(og_form(isa, index))->kind != OG_MATRIX_NONE;
  if (kind[0] == 'n' && matrix && program->operations->handler == program->variant->multiply)
    fill_matrices(program->operations->detail);
  const struct og_form *form = og_form(isa, index);
  timings[timing_count++] = (struct timing){time_of(program->operations), og_form_name(form), processor, form->encoding,
                                            form->variant, wave->wave_size};
}

static int by_time(const void *a, const void *b) {
  double x = ((const struct timing *)a)->nanoseconds, y = ((const struct timing *)b)->nanoseconds;
  return (x < y) - (x > y);
}

int main(int argc, char **argv) {
  const char *kind = "plain", *part = "";
  double least = 0;
  for (int option; (option = getopt(argc, argv, "d:o:n:r:f:")) >= 0;) {
    if (option == 'd')
      kind = optarg;
    else if (option == 'o')
      least = strtod(optarg, NULL);
    else if (option == 'n')
      part = optarg;
    else if (option == 'f')
      format = (unsigned)strtoul(optarg, NULL, 10);
    else if (option == 'r')
      rounds = (unsigned)strtoul(optarg, NULL, 10);
    else
      return 2;
  }
  wave = zeros(sizeof(struct og_wave)), before = zeros(sizeof(struct og_wave));
  set_up_memory();
  for (int i = optind; i < argc; i++) {
    static struct og_isa room;
    struct og_target target = target_of(argv[i]);
    if (target.processor->generation < OG_GFX1250)
      target.wave_size = 64;
    program = og_program_new(&target, code, sizeof code);
    isa = og_isa_for(&target, &room);
    set_up_wave(wave, 0);
    for (unsigned k = 0; k < og_form_count(isa); k++) {
      const struct og_form *form = og_form(isa, k);
      if (og_form_fits(isa, form) && is_vector_form(form) && strstr(og_form_name(form), part))
        time_form(argv[i], k, kind);
    }
    og_program_free(program);
  }
  qsort(timings, timing_count, sizeof timings[0], by_time);
  for (size_t i = 0; i < timing_count && timings[i].nanoseconds >= least; i++)
    printf("%8.1f ns  %-8s wave%u  encoding %2u variant %u  %s\n", timings[i].nanoseconds, timings[i].processor,
           timings[i].lanes, timings[i].encoding, timings[i].variant, timings[i].name);
  tear_down_memory();
  return 0;
}
