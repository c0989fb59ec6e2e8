/* fuzz_visa_exec.c - kernels made of valid and near-valid instructions with hostile registers: every opcode of the
 * table with operands, regions, execution sizes, predicates, surfaces and descriptors that are legal or nearly so, on
 * each platform, verified or not, run for a moment. AddressSanitizer watches the gaps between registers, predicates,
 * scratch and shared memory (visa/exec/guard.h); what stands around the buffers is compared afterwards. */
#include <stdlib.h>
#include <string.h>

#include "visa/decode/decode.h"
#include "visa_operands.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void make_exec(struct maker *m, struct og_visa_inst *inst) {
  inst->exec_size = (uint8_t)PICK(m->d, 8, 16, 1, 4, 32, 2);
  inst->mask_offset = one_in(m->d, 6) ? (uint8_t)(roll(m->d, 8) * 4) : 0;
  inst->no_mask = one_in(m->d, 3);
}

static void make_lsc(struct maker *m, struct og_visa_inst *inst) {
  static const uint8_t elements[] = {1, 1, 2, 3, 4, 8, 16, 32, 64};
  struct og_visa_lsc *lsc = OG_NEW(m->arena, struct og_visa_lsc);
  inst->lsc = lsc;
  make_exec(m, inst);
  if (one_in(m->d, 4))
    inst->predicate = predicate(m);
  bool typed = inst->opcode == OG_VISA_OP_LSC_TYPED;
  *lsc = (struct og_visa_lsc){.sfid = typed ? OG_VISA_TGM : (uint8_t)roll(m->d, 4),
                              .address_kind = (uint8_t)(OG_VISA_FLAT + roll(m->d, 5)),
                              .address_size = (uint8_t)(2u << roll(m->d, 3)),
                              .data_size = (uint8_t)(OG_VISA_D8 + roll(m->d, 7)),
                              .elements = elements[roll(m->d, OG_COUNT(elements))],
                              .channels = (uint8_t)roll(m->d, 16),
                              .transposed = one_in(m->d, 4),
                              .vnni = one_in(m->d, 3),
                              .blocks = (uint8_t)PICK(m->d, 1, 2, 4, roll(m->d, 256)),
                              .block_width = (uint16_t)PICK(m->d, 8, 16, 1, 64, roll(m->d, 300)),
                              .block_height = (uint16_t)PICK(m->d, 8, 2, 1, 32, roll(m->d, 300)),
                              .scale = (uint16_t)PICK(m->d, 1, 1, 4, roll(m->d, 65536)),
                              .offset = (int32_t)number(m->d)};
  if (one_in(m->d, 2))
    lsc->offset = 0;
  do
    inst->sub = (uint8_t)roll(m->d, 0x2a);
  while (!og_visa_lsc_op(inst->sub));
  bool block2d = inst->sub == OG_VISA_LSC_LOAD_BLOCK2D || inst->sub == OG_VISA_LSC_STORE_BLOCK2D;
  if (one_in(m->d, 2) || block2d)
    lsc->address_kind = OG_VISA_FLAT;
  inst->operand_count = block2d ? OG_VISA_LSC_BLOCK2D_COUNT
                        : typed ? OG_VISA_LSC_TYPED_COUNT
                                : OG_VISA_LSC_UNTYPED_COUNT;
  inst->operands = OG_NEW_ARRAY(m->arena, struct og_visa_operand, inst->operand_count);
  for (uint32_t i = 0; i < inst->operand_count; i++) {
    bool vector = i == OG_VISA_LSC_SURFACE_OPERAND || (i >= OG_VISA_LSC_PITCH_OPERAND && !typed);
    struct og_visa_operand *o = &inst->operands[i];
    do {
      *o = (struct og_visa_operand){0};
      if (vector)
        make_vector(m, o, false, 0, 1);
      else
        make_raw(m, o);
    } while (o->kind != OG_VISA_RAW && o->kind != OG_VISA_GENERAL && o->kind != OG_VISA_IMMEDIATE);
  }
}

static void finish(struct maker *m, struct og_visa_inst *inst) {
  struct og_visa_operand *operands = inst->operands;
  switch (inst->opcode) {
  case OG_VISA_OP_DPAS:
  case OG_VISA_OP_DPASW:
    inst->dpas = (struct og_visa_dpas){(uint8_t)roll(m->d, 12), (uint8_t)roll(m->d, 12),
                                       (uint8_t)PICK(m->d, 8, 8, 4, 0, 255), (uint8_t)PICK(m->d, 8, 1, 2, 0, 9)};
    if (one_in(m->d, 2))
      inst->dpas.activations = inst->dpas.weights;
    break;
  case OG_VISA_OP_BFN: inst->bfn = (uint8_t)roll(m->d, 256); break;
  case OG_VISA_OP_FMINMAX: inst->sub = (uint8_t)roll(m->d, 2); break;
  case OG_VISA_OP_DWORD_ATOMIC:
  case OG_VISA_OP_TYPED_ATOMIC:
  case OG_VISA_OP_SVM: inst->atomic = (uint8_t)(roll(m->d, OG_VISA_ATOMIC_COUNT) | roll(m->d, 3) << 5); break;
  case OG_VISA_OP_SAMPLE_3D:
  case OG_VISA_OP_LOAD_3D:
  case OG_VISA_OP_GATHER4_3D:
  case OG_VISA_OP_INFO_3D:
    do
      operands[0].bits = roll(m->d, 64);
    while ((operands[0].bits & 31) >= OG_VISA_SAMPLE_NAMES || !og_visa_sample_names[operands[0].bits & 31][0]);
    inst->sub = operands[0].bits & 31;
    break;
  case OG_VISA_OP_LIFETIME: /* the reader's own check */
    operands[0].bits = 0;
    operands[1].bits = 0;
    break;
  default: break;
  }
}

/* As the row's binary form says, which is what a reader makes of a file. */
static void make_inst(struct maker *m, uint8_t opcode) {
  struct og_visa_inst *inst = OG_PUSH(m->arena, &m->kernel->insts);
  inst->opcode = opcode;
  inst->compare = OG_VISA_COMPARE_NONE;
  inst->exec_size = 1;
  inst->sub = opcode == OG_VISA_OP_SVM ? (uint8_t)(1 + roll(m->d, 7)) : 0;
  if (opcode == OG_VISA_OP_LSC_UNTYPED || opcode == OG_VISA_OP_LSC_TYPED) {
    make_lsc(m, inst);
    return;
  }
  const struct og_visa_row *row = og_visa_row(opcode, inst->sub);
  struct og_visa_operand operands[OG_VISA_MAX_OPERANDS] = {{0}};
  uint32_t count = 0;
  for (const char *letter = row->binary; *letter; letter++)
    switch (*letter) {
    case 'x':
    case 'g': make_exec(m, inst); break;
    case 'p':
      if (one_in(m->d, 4) || opcode == OG_VISA_OP_SEL)
        inst->predicate = predicate(m);
      break;
    case 'c': inst->compare = (uint8_t)roll(m->d, OG_VISA_LE + 1); break;
    case 'o': break;
    case '*':
      for (uint32_t more = roll(m->d, 25); more; more--)
        make_raw(m, &operands[count++]);
      break;
    default: make_operand(m, *letter, row, inst, &operands[count++]);
    }
  if (opcode == OG_VISA_OP_SWITCHJMP) {
    operands[0].bits = roll(m->d, 4);
    for (uint64_t i = 0; i < operands[0].bits; i++)
      make_label(m, &operands[count++]);
  }
  inst->saturate = row->flags & (SAT | SATF) && one_in(m->d, 6);
  inst->operand_count = (uint8_t)count;
  inst->operands = OG_NEW_ARRAY(m->arena, struct og_visa_operand, count + 1);
  memcpy(inst->operands, operands, count * sizeof *operands);
  finish(m, inst);
}

static void make_label_here(struct maker *m, uint32_t label) {
  struct og_visa_inst *inst = OG_PUSH(m->arena, &m->kernel->insts);
  m->kernel->labels.items[label].inst = m->kernel->insts.count - 1;
  *inst = (struct og_visa_inst){.opcode = m->kernel->labels.items[label].subroutine ? OG_VISA_OP_SUBROUTINE
                                                                                    : OG_VISA_OP_LABEL,
                                .exec_size = 1,
                                .operand_count = 1,
                                .operands = OG_NEW(m->arena, struct og_visa_operand)};
  *inst->operands = (struct og_visa_operand){.kind = OG_VISA_LABEL, .variable = label};
}

/* Would the last instruction be executed, or with none, the kernel? */
static bool is_taken(struct maker *m) {
  struct og_visa_kernel alone = *m->kernel, *kernels[] = {&alone, m->function};
  if (alone.insts.count) {
    alone.insts.items += alone.insts.count - 1;
    alone.insts.count = 1;
  }
  struct og_visa visa = {.kernels = {kernels, m->function ? 2 : 1, 2}};
  struct og_visa_unit unit = {&visa, "x"};
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  bool taken = (!m->strict || og_visa_verify(&visa, m->platform, "x", diagnostics)) &&
               og_vx_decode(m->arena, &unit, 1, &alone, m->platform, NULL, diagnostics);
  og_diagnostics_free(diagnostics);
  return taken;
}

/* Any instruction of the table; LSC ones, which stand for many, more often. */
static void make_one(struct maker *m) {
  static const uint8_t often[] = {
      OG_VISA_OP_LSC_UNTYPED, OG_VISA_OP_LSC_TYPED, OG_VISA_OP_SVM,       OG_VISA_OP_MOV,  OG_VISA_OP_ADDR_ADD,
      OG_VISA_OP_SAMPLE_3D,   OG_VISA_OP_LOAD_3D,   OG_VISA_OP_RAW_SENDS, OG_VISA_OP_DPAS, OG_VISA_OP_FCALL};
  uint8_t opcode = often[roll(m->d, OG_COUNT(often))];
  while (!one_in(m->d, 3) || !og_visa_row(opcode, 1) || opcode == OG_VISA_OP_LSC_FENCE || opcode == OG_VISA_OP_LABEL ||
         opcode == OG_VISA_OP_SUBROUTINE) {
    opcode = (uint8_t)(1 + roll(m->d, OG_VISA_OP_COUNT - 1));
    if (opcode != OG_VISA_OP_LABEL && opcode != OG_VISA_OP_SUBROUTINE && opcode != OG_VISA_OP_LSC_FENCE &&
        og_visa_row(opcode, 1))
      break;
  }
  make_inst(m, opcode);
}

static bool is_branch(const struct maker *m) {
  uint8_t opcode = m->kernel->insts.items[m->kernel->insts.count - 1].opcode;
  return opcode == OG_VISA_OP_JMP || opcode == OG_VISA_OP_GOTO || opcode == OG_VISA_OP_CALL ||
         opcode == OG_VISA_OP_FCALL || opcode == OG_VISA_OP_IFCALL || opcode == OG_VISA_OP_SWITCHJMP ||
         opcode == OG_VISA_OP_RET || opcode == OG_VISA_OP_FRET;
}

/* One that is refused ends all, so there are few of those. */
static void make_any(struct maker *m) {
  for (uint32_t tries = 0; tries < 12; tries++) {
    make_one(m);
    if (is_branch(m) && m->d->calm && !one_in(m->d, 16))
      m->kernel->insts.count--;
    else if (is_taken(m) || one_in(m->d, 400))
      return;
    else
      m->kernel->insts.count--;
  }
}

/* A register full of a hostile number, an address or a surface's index. */
static void make_setup(struct maker *m) {
  static const uint8_t opcodes[] = {OG_VISA_OP_MOV, OG_VISA_OP_MOV, OG_VISA_OP_MOV, OG_VISA_OP_MOVS,
                                    OG_VISA_OP_ADDR_ADD};
  make_inst(m, opcodes[roll(m->d, OG_COUNT(opcodes))]);
  struct og_visa_inst *inst = &m->kernel->insts.items[m->kernel->insts.count - 1];
  struct og_visa_operand *to = inst->operands, *from = to + 1;
  inst->predicate = (struct og_visa_predicate){0};
  inst->mask_offset = 0;
  if (inst->opcode == OG_VISA_OP_ADDR_ADD) {
    inst->exec_size = 1;
    *to = (struct og_visa_operand){
        .kind = OG_VISA_ADDRESS, .type = OG_VISA_UW, .variable = roll(m->d, m->kernel->address.count)};
    *from = (struct og_visa_operand){
        .kind = OG_VISA_ADDRESS_OF, .type = OG_VISA_UW, .state_class = 'G', .variable = general(m, 0)};
    inst->operands[2] = (struct og_visa_operand){
        .kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UW, .bits = one_in(m->d, 4) ? number(m->d) : 0};
  }
  bool state = inst->opcode == OG_VISA_OP_MOVS;
  if (inst->opcode != OG_VISA_OP_ADDR_ADD)
    *from = (struct og_visa_operand){.kind = OG_VISA_IMMEDIATE,
                                     .type = state ? OG_VISA_UD : OG_VISA_UQ,
                                     .bits = state ? (uint64_t)PICK(m->d, 0, 2, 2, 2, 1, 255, 254, 128, 300)
                                                   : number(m->d)};
  if (state)
    *to = (struct og_visa_operand){.kind = OG_VISA_STATE,
                                   .type = OG_VISA_UD,
                                   .state_class = 'T',
                                   .variable = roll(m->d, m->kernel->surface.count)};
  if (!is_taken(m))
    m->kernel->insts.count--;
}

/* Two buffers and an image. */
static void set_surface(struct maker *m, uint32_t n) {
  make_inst(m, OG_VISA_OP_MOVS);
  struct og_visa_inst *inst = &m->kernel->insts.items[m->kernel->insts.count - 1];
  inst->exec_size = 1;
  inst->mask_offset = 0;
  inst->operands[0] = (struct og_visa_operand){
      .kind = OG_VISA_STATE, .type = OG_VISA_UD, .state_class = 'T', .variable = OG_VISA_FIRST_SURFACE + n};
  inst->operands[1] = (struct og_visa_operand){.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UD, .bits = n};
}

/* The kernel, or the function that it may call. */
static struct og_visa_kernel *make_kernel(struct dice *d, struct og_arena *arena, int platform, bool strict,
                                          struct og_visa_kernel *callee) {
  bool function = callee == NULL;
  struct maker m = {d, arena, og_visa_new_kernel(arena, function ? "f" : "k", platform), callee, platform, strict};
  m.kernel->function = function;
  declare_all(&m);
  m.strict &= is_taken(&m);
  for (uint32_t i = 0; i < 3; i++)
    set_surface(&m, i);
  for (uint32_t n = roll(d, 8); n; n--)
    make_setup(&m);
  for (uint32_t label = 0; label < 3; label++) {
    for (uint32_t n = roll(d, 5); n; n--)
      make_any(&m);
    make_label_here(&m, label);
  }
  for (uint32_t n = roll(d, 5); n; n--)
    make_any(&m);
  make_inst(&m, function ? OG_VISA_OP_FRET : OG_VISA_OP_RET);
  m.kernel->insts.items[m.kernel->insts.count - 1].predicate.variable = 0;
  m.kernel->insts.items[m.kernel->insts.count - 1].exec_size = 1;
  return m.kernel;
}

static struct { uint64_t kernels, fine, instructions; /* that were started, ended well, and ran */ } totals;

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static void check_canaries(void) {
  for (size_t b = 0; b < OG_COUNT(buffers); b++)
    for (size_t i = 0; i < AROUND; i++)
      if (buffers[b].before[i] != CANARY || buffers[b].behind[i] != CANARY) {
        fprintf(stderr, "something was written beside buffer %zu\n", b);
        abort();
      }
}

/* A .ze_info with entries of odd places and sizes. */
static struct og_zebin *make_info(struct dice *d, struct og_arena *arena) {
  static const char *const kinds[] = {"arg_byvalue",         "buffer_address",  "local_size",
                                      "enqueued_local_size", "global_size",     "group_count",
                                      "global_id_offset",    "work_dimensions", "private_base_stateless",
                                      "const_base",          "image_width",     "arg_bypointer"};
  struct og_buffer text = {0};
  og_buffer_printf(&text,
                   "---\nkernels:\n  - name: k\n    execution_env:\n      simd_size: %u\n      slm_size: %lld\n"
                   "    per_thread_memory_buffers:\n      - type: %s\n        size: %lld\n    payload_arguments:\n",
                   roll(d, 34), (long long)PICK(d, 0, 1024, 65536, UINT32_MAX, 3), one_in(d, 2) ? "scratch" : "global",
                   (long long)PICK(d, 1024, 3, 1 << 20, 90000000, UINT32_MAX));
  for (uint32_t n = 1 + roll(d, 6); n; n--)
    og_buffer_printf(&text, "      - arg_type: %s\n        offset: %lld\n        size: %lld\n        arg_index: %lld\n",
                     kinds[roll(d, OG_COUNT(kinds))], (long long)PICK(d, 0, 32, 16383, roll(d, 16400), -1, UINT32_MAX),
                     (long long)PICK(d, 12, 1, 4, 8, 0, roll(d, 64)), (long long)PICK(d, 0, 1, 2, 3, -1, INT32_MAX));
  og_buffer_printf(&text,
                   "    per_thread_payload_arguments:\n      - arg_type: local_id\n        offset: 0\n"
                   "        size: %lld\n...\n",
                   (long long)PICK(d, 96, 192, 384, 0, 20000, UINT32_MAX));
  struct og_zebin *zebin = OG_NEW(arena, struct og_zebin);
  *zebin = (struct og_zebin){
      .file = "x", .info = og_arena_copy(arena, (char *)text.data, text.size), .info_size = text.size};
  og_buffer_free(&text);
  return zebin;
}

static void run(struct dice *d, struct og_arena *arena, struct og_diagnostics *diagnostics) {
  int platform = (int)roll(d, OG_VISA_PLATFORM_COUNT);
  d->calm = !one_in(d, 3);
  struct og_visa *visa = OG_NEW(arena, struct og_visa);
  bool strict = one_in(d, 3);
  struct og_visa_kernel *function = make_kernel(d, arena, platform, strict, NULL);
  *OG_PUSH(arena, &visa->kernels) = make_kernel(d, arena, platform, strict, function);
  *OG_PUSH(arena, &visa->kernels) = function;
  struct og_visa_argument arguments[5] = {{.kind = OG_VISA_ARGUMENT_BUFFER, .buffer = buffers[0].bytes, .size = BUFFER},
                                          {.kind = OG_VISA_ARGUMENT_BUFFER, .buffer = buffers[1].bytes, .size = BUFFER},
                                          {.kind = OG_VISA_ARGUMENT_IMAGE, .buffer = texels, .size = IMAGE},
                                          {.kind = OG_VISA_ARGUMENT_SAMPLER},
                                          {.kind = OG_VISA_ARGUMENT_SLM, .size = 100}};
  og_visa_image_parse("rgba8:16x16", 11, &arguments[2].image);
  og_visa_sampler_parse("linear,repeat,normalized,less", &arguments[3].sampler);
  arguments[2].image.base = texels;
  struct og_visa_dispatch dispatch = {.grid = {1 + roll(d, 40), 1 + roll(d, 2), 1},
                                      .group = {1 + roll(d, 40), 1, 1},
                                      .dimensions = 2,
                                      .arguments = arguments,
                                      .argument_count = 4,
                                      .extra_slm = 100,
                                      .threads = 1 + one_in(d, 8),
                                      .seed = roll(d, 2),
                                      .deadline = og_clock() + 5000000,
                                      .count = one_in(d, 2),
                                      .check = one_in(d, 3)};
  struct og_visa_unit unit = {visa, "x"};
  struct og_zebin *zebin = one_in(d, 12) ? make_info(d, arena) : NULL;
  if (strict && !og_visa_verify(visa, platform, "x", diagnostics))
    return;
  struct og_visa_statistics statistics = {0};
  struct og_vx_program *program =
      og_visa_prepare(arena, &unit, 1, visa->kernels.items[0], platform, zebin, diagnostics);
  bool fine = program && og_visa_run(arena, program, &dispatch, &statistics, diagnostics);
  if (getenv("TELL") && !fine)
    for (size_t i = 0; i < og_diagnostics_count(diagnostics) && i < 2; i++)
      puts(og_diagnostics_text(diagnostics, i));
  totals.kernels += program != NULL;
  totals.fine += fine;
  totals.instructions += statistics.instructions;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct dice d = {.data = data, .size = size, .state = og_hash(data, size)};
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  for (size_t b = 0; b < OG_COUNT(buffers); b++) {
    memset(buffers[b].before, CANARY, AROUND);
    memset(buffers[b].behind, CANARY, AROUND);
  }
  run(&d, arena, diagnostics);
  check_canaries();
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}

#ifdef OG_FUZZ_MAIN
/* usage: fuzz_visa_exec_seeds FIRST RUNS: without a fuzzer, an input for each seed from FIRST on. */
int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, runs = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  printf("seeds %llu to %llu\n", (unsigned long long)first, (unsigned long long)(first + runs - 1));
  for (uint64_t seed = first; seed < first + runs; seed++) {
    uint64_t data = og_hash(&seed, sizeof seed);
    LLVMFuzzerTestOneInput((const uint8_t *)&data, sizeof data);
  }
  printf("%llu kernels ran %llu instructions, %llu of them to their end\n", (unsigned long long)totals.kernels,
         (unsigned long long)totals.instructions, (unsigned long long)totals.fine);
  return runs >= 100 && totals.fine < runs / 100; /* else it would not test much */
}
#endif
