/* trace.c - an observer that writes what it sees. Each instruction's text is made once. */
#include "runtime/trace.h"

#include "exec/group.h"
#include "isa/isa.h"

struct og_trace {
  struct og_observer observer;
  struct og_arena *arena;
  const struct og_executable *executable;
  FILE *out;
  struct texts {
    const struct og_isa *isa;
    struct og_isa own_isa;
    const char **texts; /* by word of the program; NULL: not made yet */
  } by_size[2];         /* for waves of 64 and of 32 */
};

static const char *make_text(const struct og_trace *trace, const struct og_isa *isa, uint64_t pc) {
  const struct og_executable *executable = trace->executable;
  uint64_t offset = pc - executable->start;
  struct og_buffer text = {0};
  struct og_inst inst;
  og_executable_locate(executable, pc, &text);
  og_buffer_text(&text, "  ");
  if (isa && og_decode(isa, executable->mapping + offset, executable->size - offset, &inst))
    og_print_inst(isa, &inst, NULL, &text);
  const char *copy = og_arena_copy(trace->arena, (const char *)text.data, text.size);
  og_buffer_free(&text);
  return copy;
}

static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct og_trace *trace = context;
  const struct texts *texts = &trace->by_size[wave->wave_size == 32];
  const char **text = &texts->texts[op - wave->program->operations];
  if (!*text)
    *text = make_text(trace, texts->isa, og_pc(wave->program, op));
  fprintf(trace->out, "%u.%u exec=%016llx scc=%u %s\n", wave->group->index, wave->id, (unsigned long long)og_exec(wave),
          wave->s[OG_S_SCC], *text);
}

struct og_trace *og_trace_new(const struct og_executable *executable, FILE *out) {
  struct og_arena *arena = og_arena_new();
  struct og_trace *trace = OG_NEW(arena, struct og_trace);
  *trace = (struct og_trace){
      .observer = {.context = trace, .instruction = instruction}, .arena = arena, .executable = executable,
      .out = out,
  };
  for (size_t i = 0; i < OG_COUNT(trace->by_size); i++) {
    const struct og_program *program = executable->programs[i];
    struct texts *texts = &trace->by_size[i];
    if (!program)
      continue;
    texts->isa = og_isa_for(&program->target, &texts->own_isa);
    texts->texts = OG_NEW_ARRAY(arena, const char *, program->words + 1);
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
