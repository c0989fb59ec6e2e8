/* trace.c - an observer that writes what it sees. It makes each instruction's text once. What an instruction has
 * changed is known when the next one begins. */
#include "runtime/trace.h"

#include <string.h>

#include "exec/group.h"
#include "isa/effects.h"
#include "isa/isa.h"

enum { ROWS_MOST = 40 /* vector registers written by one instruction; further ones are left out */ };

/* What is found out about an instruction when it is first seen. */
struct known {
  const char *text;
  uint16_t rows[ROWS_MOST]; /* vector registers that it writes */
  uint8_t row_count;
};

struct og_trace {
  struct og_observer observer;
  struct og_arena *arena;
  const struct og_executable *executable;
  struct og_trace_filter filter;
  FILE *out;
  struct texts {
    const struct og_isa *isa;
    struct og_isa own_isa;
    struct known **known; /* by word of the program; NULL: not made yet */
  } by_size[2];           /* for waves of 64 and of 32 */
  /* If changes are written: the instruction that runs now, and what registers held before it. */
  const struct og_wave *wave;
  const struct known *running;
  uint16_t rows[ROWS_MOST]; /* the rows of `running`, moved as MODE.VGPR_MSB says */
  uint32_t s[OG_S_COUNT];
  uint32_t v[ROWS_MOST][OG_LANES];
};

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void find_rows(const struct og_isa *isa, const struct og_inst *inst, struct known *known) {
  struct og_effects effects;
  og_inst_effects(isa, inst, &effects);
  for (unsigned i = 0; i < effects.write_count; i++) {
    const struct og_use *use = &effects.writes[i];
    unsigned first = use->kind == OG_OPERAND_AGPR ? 256 : 0;
    if (use->kind != OG_OPERAND_VGPR && use->kind != OG_OPERAND_AGPR)
      continue;
    for (unsigned d = 0; d < use->dwords && known->row_count < ROWS_MOST; d++)
      if (first + use->reg + d < OG_VGPRS)
        known->rows[known->row_count++] = (uint16_t)(first + use->reg + d);
  }
}

static struct known *make_known(const struct og_trace *trace, const struct og_isa *isa, uint64_t pc) {
  const struct og_executable *executable = trace->executable;
  uint64_t offset = pc - executable->start;
  struct known *known = OG_NEW(trace->arena, struct known);
  struct og_buffer text = {0};
  struct og_inst inst;
  og_executable_locate(executable, pc, &text);
  og_buffer_text(&text, "  ");
  if (isa && og_decode(isa, executable->mapping + offset, executable->size - offset, &inst)) {
    og_print_inst(isa, &inst, NULL, &text);
    find_rows(isa, &inst, known);
  }
  known->text = og_arena_copy(trace->arena, (const char *)text.data, text.size);
  og_buffer_free(&text);
  return known;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* A register of the scalar file; NULL: not one that programs see. */
static const char *scalar_name(unsigned index, char name[16]) {
  static const struct { uint8_t index; const char *name; } named[] = {
      {OG_S_VCC, "vcc_lo"},   {OG_S_VCC + 1, "vcc_hi"},   {OG_S_M0, "m0"},
      {OG_S_EXEC, "exec_lo"}, {OG_S_EXEC + 1, "exec_hi"}, {OG_S_SCC, "scc"},
      {OG_S_FLAT_SCRATCH, "flat_scratch_lo"}, {OG_S_FLAT_SCRATCH + 1, "flat_scratch_hi"}};
  for (size_t i = 0; i < OG_COUNT(named); i++)
    if (named[i].index == index)
      return named[i].name;
  if (index >= OG_S_TTMP && index < OG_S_TTMP + 16)
    snprintf(name, 16, "ttmp%u", index - OG_S_TTMP);
  else if (index < OG_S_VCC)
    snprintf(name, 16, "s%u", index);
  else
    return NULL;
  return name;
}

/* Writes the lanes that changed, as a mask, and their new values; only one if all are the same. */
static void tell_row(const struct og_trace *trace, unsigned row, const uint32_t *before) {
  const uint32_t *now = trace->wave->v[row];
  uint64_t changed = 0;
  bool same = true;
  for (unsigned lane = 0; lane < trace->wave->wave_size; lane++)
    changed |= (uint64_t)(now[lane] != before[lane]) << lane;
  if (!changed)
    return;
  unsigned first = (unsigned)__builtin_ctzll(changed);
  for (uint64_t left = changed; left; left &= left - 1)
    same = same && now[__builtin_ctzll(left)] == now[first];
  bool accumulator = row >= 256 && trace->wave->program->target.processor->generation < OG_GFX10_1;
  fprintf(trace->out, "    %c%u lanes %016llx:", accumulator ? 'a' : 'v', accumulator ? row - 256 : row,
          (unsigned long long)changed);
  for (uint64_t left = same ? 1ull << first : changed; left; left &= left - 1)
    fprintf(trace->out, " %08x", now[__builtin_ctzll(left)]);
  fputc('\n', trace->out);
}

static void tell_changes(struct og_trace *trace) {
  const struct og_wave *wave = trace->wave;
  const struct known *known = trace->running;
  char name[16];
  trace->wave = NULL;
  if (!wave)
    return;
  for (unsigned i = 0; i < OG_S_COUNT; i++)
    if (wave->s[i] != trace->s[i] && scalar_name(i, name))
      fprintf(trace->out, "    %s %08x -> %08x\n", scalar_name(i, name), trace->s[i], wave->s[i]);
  trace->wave = wave;
  for (unsigned i = 0; i < known->row_count; i++)
    tell_row(trace, trace->rows[i], trace->v[i]);
  trace->wave = NULL;
}

static void remember(struct og_trace *trace, const struct og_wave *wave, const struct known *known) {
  trace->wave = wave;
  trace->running = known;
  memcpy(trace->s, wave->s, sizeof trace->s);
  unsigned moved = (wave->program->msb & 3) * 256; /* gfx12.5: MODE.VGPR_MSB for destinations */
  for (unsigned i = 0; i < known->row_count; i++) {
    trace->rows[i] = (uint16_t)OG_MIN(known->rows[i] + moved, OG_VGPRS - 1u);
    memcpy(trace->v[i], wave->v[trace->rows[i]], sizeof trace->v[i]);
  }
}

/* ---- the observer ------------------------------------------------------------------------------------------------ */

static bool passes(const struct og_trace_filter *filter, const struct og_wave *wave, uint64_t pc) {
  uint32_t group = wave->group->index;
  return pc >= filter->from && pc < filter->to && group >= filter->group[0] && group <= filter->group[1] &&
         wave->id >= filter->wave[0] && wave->id <= filter->wave[1];
}

static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct og_trace *trace = context;
  const struct texts *texts = &trace->by_size[wave->wave_size == 32];
  struct known **known = &texts->known[op - wave->program->operations];
  uint64_t pc = og_pc(wave->program, op);
  tell_changes(trace);
  if (!passes(&trace->filter, wave, pc))
    return;
  if (!*known)
    *known = make_known(trace, texts->isa, pc);
  fprintf(trace->out, "%u.%u exec=%016llx scc=%u %s\n", wave->group->index, wave->id, (unsigned long long)og_exec(wave),
          wave->s[OG_S_SCC], (*known)->text);
  if (trace->filter.registers)
    remember(trace, wave, *known);
}

static void exported(void *context, struct og_wave *wave, const struct og_operation *op, unsigned target, unsigned lane,
                     unsigned enabled, const uint32_t values[4]) {
  const struct og_trace *trace = context;
  (void)op;
  fprintf(trace->out, "%u.%u lane %u exports to target %u:", wave->group->index, wave->id, lane, target);
  for (unsigned i = 0; i < 4; i++)
    fprintf(trace->out, enabled >> i & 1 ? " %08x" : " off", values[i]);
  fprintf(trace->out, "\n");
}

static void end(void *context, struct og_wave *wave) {
  (void)wave;
  tell_changes(context);
}

static void fault(void *context, struct og_wave *wave, const struct og_fault *what) {
  (void)wave, (void)what;
  tell_changes(context);
}

struct og_trace *og_trace_new(const struct og_executable *executable, const struct og_trace_filter *filter, FILE *out) {
  struct og_arena *arena = og_arena_new();
  struct og_trace *trace = OG_NEW(arena, struct og_trace);
  *trace = (struct og_trace){
      .observer = {.context = trace, .instruction = instruction, .end = end, .fault = fault, .exported = exported},
      .arena = arena, .executable = executable, .filter = *filter, .out = out,
  };
  for (size_t i = 0; i < OG_COUNT(trace->by_size); i++) {
    const struct og_program *program = executable->programs[i];
    struct texts *texts = &trace->by_size[i];
    if (!program)
      continue;
    texts->isa = og_isa_for(&program->target, &texts->own_isa);
    texts->known = OG_NEW_ARRAY(arena, struct known *, program->words + 1);
  }
  return trace;
}

void og_trace_free(struct og_trace *trace) {
  if (trace)
    og_arena_free(trace->arena);
}

const struct og_observer *og_trace_observer(const struct og_trace *trace) {
  return &trace->observer;
}
