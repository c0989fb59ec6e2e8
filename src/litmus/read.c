/* read.c - reads a litmus test's file: its head, the initial values, where the threads are; then their code. */
#include "litmus/reader.h"

#include <ctype.h>
#include <string.h>

/* ---- head -------------------------------------------------------------------------------------------------------- */

/* Reads "AMDGPU NAME [PROCESSOR] [cumode]", "C NAME ..." or "LLVM NAME ...". */
static bool read_head(struct og_litmus_reader *in, const char *mcpu) {
  struct og_text form = og_litmus_word(in);
  in->c = og_text_is(form, "C") || og_text_is(form, "OpenCL");
  in->ir = og_text_is(form, "LLVM");
  if (!in->c && !in->ir && !og_text_is(form, "AMDGPU"))
    return og_litmus_error(in, in->source.text, "a litmus test begins with 'AMDGPU NAME', 'C NAME' or 'LLVM NAME'");
  const char *line = memchr(in->p, '\n', (size_t)(in->end - in->p)), *end = in->end;
  in->end = line ? line : end;
  struct og_text name = {in->p, 0};
  while (name.data < in->end && isspace((unsigned char)*name.data))
    name.data++;
  while (name.data + name.size < in->end && !isspace((unsigned char)name.data[name.size]))
    name.size++;
  in->p = name.data + name.size;
  in->test->name = og_arena_copy(in->arena, name.data, name.size);
  bool cumode = false;
  const char *processor = mcpu;
  for (struct og_text word; (word = og_litmus_word(in)).size;)
    if (og_text_is(word, "cumode"))
      cumode = true;
    else if (og_text_is(word, "tgsplit"))
      in->test->split = true;
    else if (!mcpu)
      processor = og_arena_copy(in->arena, word.data, word.size);
  in->end = end;
  if (!processor)
    return og_litmus_error(in, in->source.text, "no processor: name one behind the test's name, or with --mcpu");
  if (!og_target_parse(&in->test->target, NULL, processor, cumode ? "+cumode" : NULL, in->diagnostics))
    return false;
  struct og_litmus_test *test = in->test;
  test->isa = og_isa_for(&test->target, &test->own_isa);
  test->wgp = test->isa && test->isa->gfx10 && !test->target.cumode;
  if (test->isa && test->split && !test->isa->gfx90a)
    return og_litmus_error(in, in->source.text, "%s cannot split work-groups: tgsplit is of gfx90a and gfx942",
                           processor);
  return test->isa || og_litmus_error(in, in->source.text, "there are no tables of %s", processor);
}

/* ---- what is at the start ---------------------------------------------------------------------------------------- */

/* Reads "v3" or "s[4:5]": the first register, and how many. */
static bool read_register(struct og_litmus_reader *in, unsigned *kind, unsigned *first, unsigned *count) {
  const char *at = in->p;
  struct og_text word = og_litmus_word(in);
  uint32_t low = 0, high;
  *kind = word.size && *word.data == 's' ? OG_OPERAND_SGPR : OG_OPERAND_VGPR;
  if (!word.size || (*word.data != 'v' && *word.data != 's'))
    return og_litmus_error(in, at, "expected a register, as in v3 or v[0:1]");
  if (word.size == 1) {
    if (!og_litmus_expect(in, "[") || !og_litmus_number(in, &low) || !og_litmus_expect(in, ":") ||
        !og_litmus_number(in, &high) || !og_litmus_expect(in, "]"))
      return false;
  } else {
    for (size_t i = 1; i < word.size && low < 1024; i++) {
      if (!isdigit((unsigned char)word.data[i]))
        return og_litmus_error(in, at, "expected a register, as in v3 or v[0:1]");
      low = low * 10 + (uint32_t)(word.data[i] - '0');
    }
    high = low;
  }
  *first = low, *count = high - low + 1;
  return (low <= high && high < 256) || og_litmus_error(in, at, "there is no such register");
}

/* Reads "0:v2=1" or "0:v[0:1]=x". */
static bool read_register_start(struct og_litmus_reader *in) {
  uint32_t thread;
  const char *at = in->p;
  unsigned kind, first = 0, count = 0;
  if (!og_litmus_number(in, &thread) || !og_litmus_expect(in, ":"))
    return false;
  if (thread >= OG_LITMUS_THREADS)
    return og_litmus_error(in, at, "a litmus test has at most %d threads", OG_LITMUS_THREADS);
  if (in->ir)
    return og_litmus_error(in, at, "registers of a litmus test in IR are the compiler's");
  if (!read_register(in, &kind, &first, &count) || !og_litmus_expect(in, "="))
    return false;
  uint64_t value = 0;
  uint32_t number;
  struct og_text word = og_litmus_peek(in);
  if (word.size && !isdigit((unsigned char)*word.data)) {
    int place = og_litmus_place_named(in, og_litmus_word(in), true);
    if (place < 0)
      return false;
    value = og_litmus_address(in->test, (unsigned)place);
  } else if (og_litmus_number(in, &number)) {
    value = number;
  } else {
    return false;
  }
  for (unsigned i = 0; i < count; i++) {
    int r = og_litmus_register(&in->test->thread[thread], kind, first + i);
    if (r < 0)
      return og_litmus_error(in, at, "a thread of a litmus test has at most %d registers", OG_LITMUS_REGISTERS);
    in->test->thread[thread].reg[r].initial = i < 2 ? (uint32_t)(value >> 32 * i) : 0;
  }
  return true;
}

/* Reads "{ local l; x=1; 0:v2=1; ... }". Places in LDS have to come before the registers that hold their addresses. */
static bool read_start(struct og_litmus_reader *in) {
  if (!og_litmus_expect(in, "{"))
    return false;
  while (!og_litmus_take(in, "}")) {
    if (og_litmus_take(in, ";"))
      continue;
    struct og_text word = og_litmus_peek(in);
    if (word.size && isdigit((unsigned char)*word.data)) {
      if (!read_register_start(in))
        return false;
      continue;
    }
    bool local = og_litmus_take(in, "local"), fine = og_litmus_take(in, "fine");
    if (!local)
      og_litmus_take(in, "global");
    bool bracket = og_litmus_take(in, "[");
    int place = og_litmus_place_named(in, og_litmus_word(in), true);
    if (place < 0 || (bracket && !og_litmus_expect(in, "]")))
      return false;
    in->test->place[place].local |= local;
    in->test->place[place].fine |= fine;
    if (og_litmus_take(in, "=") && !og_litmus_number(in, &in->test->place[place].initial))
      return false;
  }
  return true;
}

/* ---- where the threads are --------------------------------------------------------------------------------------- */

static bool is_one_of(struct og_text word, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (og_text_is(word, names[i]))
      return true;
  return false;
}

/* Reads "P0". */
static bool read_thread_name(struct og_litmus_reader *in, unsigned *thread) {
  og_litmus_skip(in);
  const char *at = in->p;
  struct og_text word = og_litmus_word(in);
  if (word.size != 2 || *word.data != 'P' || !isdigit((unsigned char)word.data[1]))
    return og_litmus_error(in, at, "expected a thread, as in P0");
  *thread = (unsigned)(word.data[1] - '0');
  return *thread < OG_LITMUS_THREADS ||
         og_litmus_error(in, at, "a litmus test has at most %d threads", OG_LITMUS_THREADS);
}

/* Reads "(agent (workgroup P0 P1) (workgroup P2))"; herd's and OpenCL's words are accepted too. */
static bool read_scope(struct og_litmus_reader *in, uint8_t *agent, uint8_t *group, unsigned depth) {
  static const char *const systems[] = {"system", "all_devices"}, *const agents[] = {"agent", "device", "gpu"};
  static const char *const groups[] = {"workgroup", "work_group", "cta", "block"};
  static const char *const waves[] = {"wavefront", "wave", "sub_group", "warp"};
  if (!og_litmus_expect(in, "("))
    return false;
  const char *at = in->p;
  struct og_text word = og_litmus_word(in);
  if (is_one_of(word, agents, OG_COUNT(agents)))
    ++*agent, ++*group;
  else if (is_one_of(word, groups, OG_COUNT(groups)))
    ++*group;
  else if (!is_one_of(word, systems, OG_COUNT(systems)) && !is_one_of(word, waves, OG_COUNT(waves)))
    return og_litmus_error(in, at, "'%.*s' is no scope: expected system, agent, workgroup or wavefront",
                           OG_TEXT_ARGS(word));
  if (depth > 8)
    return og_litmus_error(in, at, "too many scopes in one another");
  while (!og_litmus_take(in, ")")) {
    og_litmus_skip(in);
    unsigned thread;
    if (in->p < in->end && *in->p == '(') {
      if (!read_scope(in, agent, group, depth + 1))
        return false;
    } else if (!read_thread_name(in, &thread)) {
      return false;
    } else {
      in->test->thread[thread].agent = *agent;
      in->test->thread[thread].group = *group;
    }
  }
  return true;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* Reads "after P0 P1", if that comes next. */
static bool read_after(struct og_litmus_reader *in, unsigned thread) {
  if (!og_litmus_take(in, "after"))
    return true;
  for (struct og_text word; (word = og_litmus_peek(in)).size == 2 && *word.data == 'P';) {
    unsigned other;
    if (!read_thread_name(in, &other))
      return false;
    if (other >= thread)
      return og_litmus_error(in, word.data, "P%u can only be after threads with smaller numbers", thread);
    in->test->thread[thread].after |= (uint8_t)(1 << other);
  }
  return true;
}

static bool begins_line(struct og_litmus_reader *in, struct og_text line) {
  struct og_text rest = line;
  static const char *const words[] = {"exists", "~exists", "forall", "scopes:"};
  for (size_t i = 0; i < OG_COUNT(words); i++)
    if (og_text_skip(&rest, words[i]))
      return true;
  (void)in;
  return line.size > 2 && *line.data == 'P' && isdigit((unsigned char)line.data[1]) && line.data[2] == ':';
}

/* Takes the lines up to one that begins something else. */
static void read_assembly(struct og_litmus_reader *in, struct og_litmus_draft *draft) {
  while (in->p[-1] == ' ' || in->p[-1] == '\t') /* back to the ':' before, so that errors have the right columns too */
    in->p--;
  draft->line = 1;
  for (const char *c = in->source.text; c < in->p; c++)
    draft->line += *c == '\n';
  const char *from = in->p;
  while (in->p < in->end) {
    const char *end = memchr(in->p, '\n', (size_t)(in->end - in->p)), *at = in->p;
    end = end ? end + 1 : in->end;
    while (at < end && (*at == ' ' || *at == '\t'))
      at++;
    if (begins_line(in, (struct og_text){at, (size_t)(end - at)}))
      break;
    in->p = end;
  }
  draft->assembly = (struct og_text){from, (size_t)(in->p - from)};
}

static bool read_thread(struct og_litmus_reader *in, uint32_t generic[OG_LITMUS_THREADS]) {
  unsigned thread;
  const char *at = in->p;
  if (!read_thread_name(in, &thread))
    return false;
  if (thread != in->test->threads)
    return og_litmus_error(in, at, "expected P%u: threads stand in their order", (unsigned)in->test->threads);
  in->test->threads++;
  if (!in->c) {
    if (!og_litmus_expect(in, ":") || !read_after(in, thread))
      return false;
    read_assembly(in, &in->draft[thread]);
    return true;
  }
  return og_litmus_read_parameters(in, &generic[thread]) && read_after(in, thread) && og_litmus_expect(in, "{") &&
         og_litmus_read_body(in, thread);
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* Makes the instructions of a thread in C. Before a loaded value is stored, the thread waits for it. */
static bool lower(struct og_litmus_reader *in, unsigned thread, uint32_t generic, struct og_buffer *text) {
  struct og_litmus_draft *draft = &in->draft[thread];
  struct og_litmus_thread *to = &in->test->thread[thread];
  bool fine = og_litmus_set_addresses(in->test, to);
  for (uint32_t i = 0; i < draft->ops && fine; i++) {
    struct og_litmus_op *op = &draft->op[i];
    struct og_sequence sequence, wait = {2, {{OG_STEP_LGKM, 0}, {OG_STEP_VM, 0}}};
    op->space = generic >> op->place & 1 ? OG_GENERIC : in->test->place[op->place].local ? OG_LOCAL : OG_GLOBAL;
    bool stores = op->kind == OG_DO_STORE || op->kind == OG_DO_RMW;
    og_sequence_of(in->test, (enum og_access_kind)op->kind, (enum og_order)op->order, (enum og_scope)op->scope,
                   (enum og_address_space)op->space, &sequence);
    fine = (!stores || op->value.constant || og_sequence_emit(in->test, to, op, &wait, text)) &&
           og_sequence_emit(in->test, to, op, &sequence, text);
  }
  return fine || og_litmus_error(in, in->source.text, "P%u needs more than %d registers", thread, OG_LITMUS_REGISTERS);
}

static bool make_code(struct og_litmus_reader *in, const uint32_t generic[OG_LITMUS_THREADS]) {
  bool fine = true;
  for (unsigned t = 0; t < in->test->threads && fine; t++) {
    struct og_buffer text = {0};
    const struct og_litmus_draft *draft = &in->draft[t];
    if (in->c)
      fine = lower(in, t, generic[t], &text);
    else
      og_buffer_append(&text, draft->assembly.data, draft->assembly.size);
    fine = fine && og_litmus_assemble(in->arena, in->test, &in->test->thread[t], in->source.name,
                                      text.data ? (const char *)text.data : "", text.size, in->c ? 1 : draft->line,
                                      in->diagnostics);
    og_buffer_free(&text);
  }
  return fine;
}

/* Limits the test so that no place has to forget a version and all operations can be outstanding together. */
static bool check_size(struct og_litmus_reader *in) {
  unsigned stores = 0, all = 0;
  for (unsigned t = 0; t < in->test->threads; t++)
    for (unsigned i = 0; i < in->test->thread[t].count; i++) {
      const struct og_litmus_inst *inst = &in->test->thread[t].insts[i];
      bool memory = inst->what == OG_LITMUS_MEMORY;
      stores += memory && inst->weak.operation != OG_WEAK_LOAD;
      all += memory || inst->what == OG_LITMUS_CACHE;
    }
  if (in->test->threads == 0)
    return og_litmus_error(in, in->p, "expected a thread, as in P0");
  for (unsigned p = 0; p < in->test->places; p++)
    if (in->test->split && in->test->place[p].local)
      return og_litmus_error(in, in->source.text, "a work-group that is split has no LDS for '%s'",
                             in->test->place[p].name);
  return (stores <= OG_LITMUS_PLACES * 2 && all <= 48) ||
         og_litmus_error(in, in->source.text, "too much for a litmus test: %u stores and atomics, %u operations",
                         stores, all);
}

struct og_litmus_test *og_litmus_read(struct og_arena *arena, const char *name, const char *text, size_t size,
                                      const char *mcpu, struct og_diagnostics *diagnostics) {
  struct og_litmus_reader *in = OG_NEW(arena, struct og_litmus_reader);
  const char *copy = og_arena_copy(arena, text, size);
  *in = (struct og_litmus_reader){.arena = arena,
                                  .diagnostics = diagnostics,
                                  .source = {name, copy, size, NULL, 0, NULL, 0, 0},
                                  .p = copy,
                                  .end = copy + size,
                                  .test = OG_NEW(arena, struct og_litmus_test)};
  *in->test = (struct og_litmus_test){0};
  uint32_t generic[OG_LITMUS_THREADS] = {0};
  for (unsigned t = 0; t < OG_LITMUS_THREADS; t++)
    in->test->thread[t].group = (uint8_t)(100 + t); /* each alone, if the test says nothing else */
  og_litmus_skip(in);
  if (!read_head(in, mcpu) || !read_start(in) || (in->ir && !og_litmus_read_ir(in)))
    return NULL;
  for (;;) {
    uint8_t agent = 0, group = 0;
    og_litmus_skip(in);
    if (og_litmus_take(in, "scopes")) {
      og_litmus_take(in, ":");
      if (!read_scope(in, &agent, &group, 0))
        return NULL;
      continue;
    }
    struct og_text word = og_litmus_peek(in);
    if (word.size != 2 || *word.data != 'P')
      break;
    if (!read_thread(in, generic))
      return NULL;
  }
  return (in->ir || make_code(in, generic)) && check_size(in) && og_litmus_read_condition(in) ? in->test : NULL;
}
