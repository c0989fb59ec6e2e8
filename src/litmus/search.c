/* search.c - goes through the schedules of a litmus test: finds each state's next steps, and all outcomes, or those of
 * random schedules.
 *
 * Steps whose delay has no effect are done at once: moves, waits that are satisfied, invalidates (done sooner they
 * forbid less, except for loads that were issued before), and issues if no other wave shares the queues. */
#include "litmus/machine.h"

#include <string.h>

struct search {
  struct og_litmus_machine m;
  struct og_arena *arena;
  const struct og_litmus_search *how;
  struct og_litmus_result *result;
  uint64_t (*seen)[2];
  uint64_t seen_count, seen_size;
  bool ended;
};

static bool has_ended(const struct search *s) { return s->ended || s->m.fault; }

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool may_begin(const struct search *s, const struct og_litmus_state *state, unsigned thread) {
  uint8_t after = s->m.test->thread[thread].after;
  for (unsigned t = 0; t < s->m.test->threads; t++)
    if (after >> t & 1 && state->pc[t] < s->m.test->thread[t].count)
      return false;
  for (unsigned i = 0; i < state->entries; i++)
    if (after >> state->entry[i].thread & 1)
      return false;
  return true;
}

/* Whether an invalidate may be done at once: the sooner, the less it forbids, except for loads issued before it. */
static bool may_as_well(const struct search *s, const struct og_litmus_state *state, unsigned thread,
                        const struct og_weak_inst *weak) {
  unsigned outermost = weak->path == OG_WEAK_SCALAR ? s->m.scalar[thread] : s->m.node[thread];
  while (s->m.system.parent[outermost] != OG_WEAK_NO_NODE && weak->levels >> (s->m.system.level[outermost] + 1))
    outermost = s->m.system.parent[outermost];
  for (unsigned i = 0; i < state->entries; i++) {
    unsigned node = state->entry[i].node;
    while (node != outermost && node != OG_WEAK_NO_NODE)
      node = s->m.system.parent[node];
    if (node == outermost && !state->entry[i].performed &&
        og_litmus_inst_of(&s->m, &state->entry[i])->weak.operation == OG_WEAK_LOAD)
      return false;
  }
  return true;
}

/* A thread that begins after others finds their stores written back: that happens at some time. */
static void arrive(const struct search *s, struct og_litmus_state *state, unsigned thread) {
  for (unsigned p = 0; s->m.test->thread[thread].after && p < s->m.test->places; p++)
    state->place[p].written = state->place[p].newest;
}

/* Does one instruction of the thread if it may be done at once; false: it may not. */
static bool advance(struct search *s, struct og_litmus_state *state, unsigned thread) {
  const struct og_litmus_thread *program = &s->m.test->thread[thread];
  const struct og_litmus_inst *inst = &program->insts[state->pc[thread]];
  if (state->pc[thread] == program->count || (state->pc[thread] == 0 && !may_begin(s, state, thread)))
    return false;
  if (state->pc[thread] == 0)
    arrive(s, state, thread);
  switch ((enum og_litmus_what)inst->what) {
  case OG_LITMUS_MOVE: state->reg[thread][inst->result[0]] = og_litmus_value(state, thread, inst->data[0][0]); break;
  case OG_LITMUS_WAIT:
    if (og_litmus_is_waiting(&s->m, state, thread, &inst->weak))
      return false;
    break;
  case OG_LITMUS_CACHE:
    if (inst->weak.operation == OG_WEAK_WRITE_BACK) {
      og_litmus_issue(&s->m, state, thread);
      return true;
    }
    if (!may_as_well(s, state, thread, &inst->weak))
      return false;
    og_litmus_invalidate(&s->m, state, thread, &inst->weak);
    break;
  case OG_LITMUS_MEMORY:
    if (s->m.shared[thread])
      return false;
    og_litmus_issue(&s->m, state, thread);
    return true;
  case OG_LITMUS_NOTHING: break;
  }
  state->pc[thread]++;
  return true;
}

static void advance_all(struct search *s, struct og_litmus_state *state) {
  for (bool moved = true; moved && !has_ended(s);) {
    moved = false;
    for (unsigned t = 0; t < s->m.test->threads && !has_ended(s); t++)
      while (!has_ended(s) && advance(s, state, t))
        moved = true;
  }
}

struct step {
  enum { ISSUES, PERFORMS, EVICTS } kind;
  uint8_t what, version; /* the number of a thread, an entry, or a place */
};
enum { STEPS = OG_LITMUS_THREADS + OG_LITMUS_ENTRIES * 4 + OG_LITMUS_PLACES };

/* Whether L2 may write the place back by itself, which it may do at any time. If there is only one L2, that has no
 * effect. */
static bool may_evict(const struct search *s, const struct og_weak_place *place) {
  unsigned l2s = 0;
  for (unsigned node = 0; node < s->m.system.count; node++)
    l2s += s->m.system.level[node] == OG_WEAK_L2;
  return s->m.system.kind->writes_back && l2s > 1 && place->written < place->newest;
}

static unsigned find_steps(const struct search *s, const struct og_litmus_state *state, struct step steps[STEPS]) {
  unsigned count = 0;
  for (unsigned p = 0; p < s->m.test->places; p++)
    if (may_evict(s, &state->place[p]))
      steps[count++] = (struct step){EVICTS, (uint8_t)p, 0};
  for (unsigned t = 0; t < s->m.test->threads; t++) {
    const struct og_litmus_thread *program = &s->m.test->thread[t];
    unsigned what = state->pc[t] < program->count ? program->insts[state->pc[t]].what : OG_LITMUS_NOTHING;
    if ((what == OG_LITMUS_MEMORY || what == OG_LITMUS_CACHE) && (state->pc[t] > 0 || may_begin(s, state, t)))
      steps[count++] = (struct step){ISSUES, (uint8_t)t, 0};
  }
  for (unsigned i = 0; i < state->entries; i++) {
    if (state->entry[i].performed || !og_litmus_is_first(&s->m, state, i))
      continue;
    for (unsigned left = og_litmus_choices(&s->m, state, &state->entry[i]); left && count < STEPS; left &= left - 1)
      steps[count++] = (struct step){PERFORMS, (uint8_t)i, (uint8_t)__builtin_ctz(left)};
  }
  return count;
}

static void take_issue(struct search *s, struct og_litmus_state *state, unsigned thread) {
  const struct og_litmus_inst *inst = &s->m.test->thread[thread].insts[state->pc[thread]];
  if (inst->what == OG_LITMUS_CACHE) {
    og_litmus_invalidate(&s->m, state, thread, &inst->weak);
    state->pc[thread]++;
  } else {
    og_litmus_issue(&s->m, state, thread);
  }
}

static void take(struct search *s, struct og_litmus_state *state, struct step step) {
  if (step.kind == ISSUES)
    take_issue(s, state, step.what);
  else if (step.kind == PERFORMS)
    og_litmus_perform(&s->m, state, step.what, step.version);
  else
    state->place[step.what].written++;
  advance_all(s, state);
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

static bool holds(const struct og_litmus_test *test, const uint32_t value[OG_LITMUS_OBSERVED]) {
  bool stack[OG_COUNT(test->token) + 1] = {true};
  unsigned top = 0;
  for (unsigned i = 0; i < test->tokens; i++) {
    const struct og_litmus_token *token = &test->token[i];
    switch ((enum og_litmus_token_kind)token->kind) {
    case OG_LITMUS_TRUE: stack[++top] = true; break;
    case OG_LITMUS_EQUAL: stack[++top] = value[token->observed] == token->value; break;
    case OG_LITMUS_DIFFERS: stack[++top] = value[token->observed] != token->value; break;
    case OG_LITMUS_NOT: stack[top] = !stack[top]; break;
    case OG_LITMUS_AND:
      top--;
      stack[top] = stack[top] && stack[top + 1];
      break;
    case OG_LITMUS_OR:
      top--;
      stack[top] = stack[top] || stack[top + 1];
      break;
    }
  }
  return stack[top];
}

static void tell_outcome(struct search *s, const struct og_litmus_state *state) {
  const struct og_litmus_test *test = s->m.test;
  struct og_litmus_outcome outcome = {.count = 1};
  for (unsigned i = 0; i < test->observed; i++) {
    const struct og_litmus_observed *look = &test->look[i];
    const struct og_weak_place *place = look->memory ? &state->place[look->number] : NULL;
    outcome.value[i] = place ? (uint32_t)place->value[place->newest] : state->reg[look->thread][look->number];
  }
  outcome.holds = holds(test, outcome.value);
  if (outcome.holds && s->how->stop)
    s->ended = true;
  for (uint32_t i = 0; i < s->result->outcomes.count; i++)
    if (!memcmp(s->result->outcomes.items[i].value, outcome.value, sizeof outcome.value)) {
      s->result->outcomes.items[i].count += s->how->runs > 0;
      return;
    }
  *OG_PUSH(s->arena, &s->result->outcomes) = outcome;
}

/* Whether the state is new. Two hashes stand for it; two states of one search are taken to differ in them. */
static bool is_new(struct search *s, const struct og_litmus_state *state) {
  uint64_t h[2] = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};
  const unsigned char *at = (const unsigned char *)state;
  for (size_t i = 0; i < sizeof *state; i += 4) {
    uint32_t word = og_load32(at + i);
    h[0] = (h[0] ^ word) * 0xff51afd7ed558ccdu;
    h[0] ^= h[0] >> 29;
    h[1] = (h[1] + word) * 0xc4ceb9fe1a85ec53u;
    h[1] ^= h[1] >> 31;
  }
  h[0] |= 1; /* 0 means a free slot */
  if (2 * s->seen_count >= s->seen_size) {
    uint64_t(*old)[2] = s->seen, size = s->seen_size;
    s->seen_size = OG_MAX(4 * size, 1024u);
    s->seen = (uint64_t(*)[2])og_arena_alloc(s->arena, s->seen_size * sizeof *s->seen);
    memset(s->seen, 0, s->seen_size * sizeof *s->seen);
    for (uint64_t i = 0; i < size; i++)
      if (old[i][0]) {
        uint64_t to = old[i][0] >> 8 & (s->seen_size - 1);
        while (s->seen[to][0])
          to = (to + 1) & (s->seen_size - 1);
        memcpy(s->seen[to], old[i], sizeof *old);
      }
  }
  uint64_t slot = h[0] >> 8 & (s->seen_size - 1);
  for (; s->seen[slot][0]; slot = (slot + 1) & (s->seen_size - 1))
    if (s->seen[slot][0] == h[0] && s->seen[slot][1] == h[1])
      return false;
  memcpy(s->seen[slot], h, sizeof h);
  s->seen_count++;
  return true;
}

static void visit(struct search *s, const struct og_litmus_state *state) {
  if (has_ended(s) || !is_new(s, state))
    return;
  if (++s->result->states > s->how->most) {
    s->result->complete = false;
    s->ended = true;
    return;
  }
  struct step steps[STEPS];
  unsigned count = find_steps(s, state, steps);
  if (count == 0)
    tell_outcome(s, state);
  for (unsigned i = 0; i < count && !has_ended(s); i++) {
    struct og_litmus_state next = *state;
    take(s, &next, steps[i]);
    if (!has_ended(s))
      visit(s, &next);
  }
}

static void run_randomly(struct search *s, const struct og_litmus_state *start, uint64_t *random) {
  struct og_litmus_state state = *start;
  struct step steps[STEPS];
  for (unsigned count; !has_ended(s) && (count = find_steps(s, &state, steps)) > 0;) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    take(s, &state, steps[(*random >> 33) % count]);
  }
  if (!has_ended(s))
    tell_outcome(s, &state);
  s->result->runs++;
}

static void search(struct og_arena *arena, const struct og_litmus_test *test, const struct og_litmus_search *how,
                   struct og_litmus_result *result) {
  *result = (struct og_litmus_result){.complete = how->runs == 0};
  struct search s = {.m = {.arena = arena, .test = test}, .arena = og_arena_new(), .how = how, .result = result};
  struct og_litmus_state start;
  memset(&start, 0, sizeof start); /* also padding, for states are compared by their bytes */
  og_litmus_place_threads(&s.m);
  for (unsigned t = 0; t < test->threads; t++)
    for (unsigned r = 0; r < test->thread[t].registers; r++)
      start.reg[t][r] = test->thread[t].reg[r].initial;
  for (unsigned p = 0; p < test->places; p++)
    og_weak_place_init(&start.place[p], test->place[p].initial), start.place[p].fine = test->place[p].fine;
  advance_all(&s, &start);
  uint64_t random = how->seed;
  if (how->runs == 0 && !has_ended(&s))
    visit(&s, &start);
  for (uint64_t i = 0; i < how->runs && !has_ended(&s); i++)
    run_randomly(&s, &start, &random);
  OG_VECTOR(struct og_litmus_outcome) kept = {0};
  for (uint32_t i = 0; i < result->outcomes.count; i++)
    *OG_PUSH(arena, &kept) = result->outcomes.items[i];
  memcpy(&result->outcomes, &kept, sizeof kept);
  result->fault = s.m.fault;
  og_arena_free(s.arena);
}

/* ---- several agents ---------------------------------------------------------------------------------------------- */

/* Of some processors one agent may have several L2s, or be divided into agents with one each: what can happen either
 * way can happen. This is the test with agents that have one L2 each. */
static const struct og_litmus_test *divided(struct og_arena *arena, const struct og_litmus_test *test) {
  struct og_litmus_test *out = OG_NEW(arena, struct og_litmus_test);
  *out = *test;
  out->single = true;
  for (unsigned t = 0; t < out->threads; t++)
    for (unsigned i = 0; i < out->thread[t].count; i++) {
      struct og_litmus_inst *inst = &out->thread[t].insts[i];
      inst->weak = inst->single;
      if (inst->what == OG_LITMUS_CACHE && inst->weak.operation == OG_WEAK_OTHER)
        inst->what = OG_LITMUS_NOTHING;
    }
  return out;
}

static void add_result(struct og_arena *arena, struct og_litmus_result *to, const struct og_litmus_result *from) {
  for (uint32_t i = 0; i < from->outcomes.count; i++) {
    const struct og_litmus_outcome *outcome = &from->outcomes.items[i];
    uint32_t k = 0;
    while (k < to->outcomes.count && memcmp(to->outcomes.items[k].value, outcome->value, sizeof outcome->value))
      k++;
    if (k == to->outcomes.count)
      *OG_PUSH(arena, &to->outcomes) = *outcome;
    else
      to->outcomes.items[k].count += from->runs ? outcome->count : 0;
  }
  to->states += from->states, to->runs += from->runs;
  to->complete &= from->complete;
  to->fault = to->fault ? to->fault : from->fault;
}

static bool has_held(const struct og_litmus_result *result) {
  for (uint32_t i = 0; i < result->outcomes.count; i++)
    if (result->outcomes.items[i].holds)
      return true;
  return false;
}

void og_litmus_search(struct og_arena *arena, const struct og_litmus_test *test, const struct og_litmus_search *how,
                      struct og_litmus_result *result) {
  bool several = false, together = false; /* there are several agents; work-groups are together on one */
  for (unsigned t = 1; t < test->threads; t++)
    for (unsigned o = 0; o < t; o++) {
      several |= test->thread[o].agent != test->thread[t].agent;
      together |= test->thread[o].agent == test->thread[t].agent && test->thread[o].group != test->thread[t].group;
    }
  if (!several || !og_weak_kind_of(test->isa, false)->many_l2) {
    search(arena, test, how, result);
    return;
  }
  search(arena, divided(arena, test), how, result);
  if (!together || (how->stop && has_held(result)))
    return; /* if each agent has one work-group, agents with several L2s can do no more than agents with one */
  struct og_litmus_result whole;
  search(arena, test, how, &whole);
  add_result(arena, result, &whole);
}

bool og_litmus_verdict(const struct og_litmus_test *test, const struct og_litmus_result *result) {
  bool some = false, all = true;
  for (uint32_t i = 0; i < result->outcomes.count; i++) {
    some |= result->outcomes.items[i].holds;
    all &= result->outcomes.items[i].holds;
  }
  return test->quantifier == OG_LITMUS_EXISTS ? some : test->quantifier == OG_LITMUS_FORALL ? all : !some;
}
