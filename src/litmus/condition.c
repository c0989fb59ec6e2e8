/* condition.c - reads a litmus test's last line: exists, ~exists or forall of a condition on registers and locations;
 * prints outcomes. */
#include "litmus/reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static bool push(struct og_litmus_reader *in, struct og_litmus_token token) {
  if (in->test->tokens == OG_COUNT(in->test->token))
    return og_litmus_error(in, in->p, "the condition is too long");
  in->test->token[in->test->tokens++] = token;
  return true;
}

/* The number, among all registers and locations that are looked at, of this one; -1 with an error: there are too
 * many. */
static int observe(struct og_litmus_reader *in, const struct og_litmus_observed *what) {
  struct og_litmus_test *test = in->test;
  for (unsigned i = 0; i < test->observed; i++)
    if (test->look[i].memory == what->memory && test->look[i].thread == what->thread &&
        test->look[i].number == what->number)
      return (int)i;
  if (test->observed == OG_LITMUS_OBSERVED) {
    og_litmus_error(in, in->p, "a condition speaks of at most %d registers and locations", OG_LITMUS_OBSERVED);
    return -1;
  }
  test->look[test->observed] = *what;
  return (int)test->observed++;
}

/* In a thread in C the name is that of a result; in one in IR it is r0 for the first value returned; else it is like v3
 * or s3. */
static int register_named(struct og_litmus_reader *in, unsigned thread, struct og_text name) {
  const struct og_litmus_draft *draft = &in->draft[thread];
  struct og_litmus_thread *to = &in->test->thread[thread];
  for (uint32_t r = 0; r < draft->results && in->c; r++)
    if (og_text_equal(draft->result[r], name))
      return og_litmus_register(to, OG_OPERAND_VGPR, OG_RESULT_REGISTER + r);
  if (in->ir && name.size == 2 && *name.data == 'r' && (unsigned)(name.data[1] - '0') < draft->results)
    return og_litmus_register(to, OG_OPERAND_VGPR, (unsigned)(name.data[1] - '0'));
  unsigned number = 0;
  bool digits = name.size > 1 && name.size < 5;
  for (size_t i = 1; i < name.size && digits; i++) {
    digits = isdigit((unsigned char)name.data[i]);
    number = number * 10 + (unsigned)(name.data[i] - '0');
  }
  unsigned kind = name.size && *name.data == 's' ? OG_OPERAND_SGPR : OG_OPERAND_VGPR;
  for (unsigned r = 0; r < to->registers && digits && !in->c && !in->ir && (*name.data == 'v' || *name.data == 's');
       r++)
    if (to->reg[r].kind == kind && to->reg[r].number == number)
      return (int)r;
  og_litmus_error(in, name.data, "P%u has no '%.*s'", thread, OG_TEXT_ARGS(name));
  return -1;
}

/* Reads "1:r0=1", "x=2" or "[x]=2", also with "!=". */
static bool read_atom(struct og_litmus_reader *in) {
  struct og_litmus_observed what = {0};
  og_litmus_skip(in);
  if (og_litmus_take(in, "true"))
    return push(in, (struct og_litmus_token){.kind = OG_LITMUS_TRUE});
  const char *at = in->p;
  if (at < in->end && isdigit((unsigned char)*at)) {
    uint32_t thread;
    if (!og_litmus_number(in, &thread) || !og_litmus_expect(in, ":"))
      return false;
    if (thread >= in->test->threads)
      return og_litmus_error(in, at, "there is no thread P%u", thread);
    int number = register_named(in, thread, og_litmus_word(in));
    if (number < 0)
      return false;
    what.thread = (uint8_t)thread, what.number = (uint8_t)number;
  } else {
    bool bracket = og_litmus_take(in, "[");
    int place = og_litmus_place_named(in, og_litmus_word(in), false);
    if (place < 0 || (bracket && !og_litmus_expect(in, "]")))
      return false;
    what.memory = true, what.number = (uint8_t)place;
  }
  what.name = og_arena_copy(in->arena, at, (size_t)(in->p - at));
  bool differs = og_litmus_take(in, "!=");
  uint32_t value;
  if ((!differs && !og_litmus_expect(in, "=")) || (og_litmus_take(in, "=") && differs) || !og_litmus_number(in, &value))
    return false;
  int observed = observe(in, &what);
  return observed >= 0 &&
         push(in, (struct og_litmus_token){differs ? OG_LITMUS_DIFFERS : OG_LITMUS_EQUAL, (uint8_t)observed, value});
}

static bool read_or(struct og_litmus_reader *in, unsigned depth);

static bool read_not(struct og_litmus_reader *in, unsigned depth) {
  if (depth > 16)
    return og_litmus_error(in, in->p, "the condition is too deep");
  if (og_litmus_take(in, "~") || og_litmus_take(in, "not"))
    return read_not(in, depth + 1) && push(in, (struct og_litmus_token){.kind = OG_LITMUS_NOT});
  if (og_litmus_take(in, "("))
    return read_or(in, depth + 1) && og_litmus_expect(in, ")");
  return read_atom(in);
}

static bool read_and(struct og_litmus_reader *in, unsigned depth) {
  bool fine = read_not(in, depth);
  while (fine && (og_litmus_take(in, "/\\") || og_litmus_take(in, "&&")))
    fine = read_not(in, depth) && push(in, (struct og_litmus_token){.kind = OG_LITMUS_AND});
  return fine;
}

static bool read_or(struct og_litmus_reader *in, unsigned depth) {
  bool fine = read_and(in, depth);
  while (fine && (og_litmus_take(in, "\\/") || og_litmus_take(in, "||")))
    fine = read_and(in, depth) && push(in, (struct og_litmus_token){.kind = OG_LITMUS_OR});
  return fine;
}

bool og_litmus_read_condition(struct og_litmus_reader *in) {
  if (og_litmus_take(in, "~exists") || og_litmus_take(in, "forbidden"))
    in->test->quantifier = OG_LITMUS_NOT_EXISTS;
  else if (og_litmus_take(in, "forall"))
    in->test->quantifier = OG_LITMUS_FORALL;
  else if (!og_litmus_expect(in, "exists"))
    return false;
  if (!read_or(in, 0))
    return false;
  og_litmus_skip(in);
  return in->p == in->end || og_litmus_error(in, in->p, "expected nothing behind the condition");
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static int compare(const struct og_litmus_test *test, const struct og_litmus_outcome *a,
                   const struct og_litmus_outcome *b) {
  for (unsigned i = 0; i < test->observed; i++)
    if (a->value[i] != b->value[i])
      return a->value[i] < b->value[i] ? -1 : 1;
  return 0;
}

/* Prints outcomes as herd does. */
void og_litmus_print(const struct og_litmus_test *test, const struct og_litmus_result *result, struct og_buffer *out) {
  static const char *const quantifiers[] = {"exists", "~exists", "forall"};
  struct og_litmus_outcome *o = result->outcomes.items;
  uint32_t count = result->outcomes.count, holding = 0;
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t k = i; k > 0 && compare(test, &o[k - 1], &o[k]) > 0; k--) {
      struct og_litmus_outcome swap = o[k];
      o[k] = o[k - 1], o[k - 1] = swap;
    }
  og_buffer_printf(out, "Test %s %s\nStates %" PRIu32 "\n", test->name,
                   test->quantifier == OG_LITMUS_FORALL   ? "Required"
                   : test->quantifier == OG_LITMUS_EXISTS ? "Allowed"
                                                          : "Forbidden",
                   count);
  for (uint32_t i = 0; i < count; i++) {
    if (result->runs)
      og_buffer_printf(out, "%-8" PRIu64 "%c>", o[i].count, o[i].holds ? '*' : ':');
    for (unsigned k = 0; k < test->observed; k++)
      og_buffer_printf(out, "%s%s=%" PRIu32 ";", k || result->runs ? " " : "", test->look[k].name, o[i].value[k]);
    og_buffer_text(out, "\n");
    holding += o[i].holds;
  }
  og_buffer_printf(out, "%s\n", og_litmus_verdict(test, result) ? "Ok" : "No");
  og_buffer_printf(out, "Observation %s %s %" PRIu32 " %" PRIu32 "\n", test->name,
                   !holding           ? "Never"
                   : holding == count ? "Always"
                                      : "Sometimes",
                   holding, count - holding);
  og_buffer_printf(out, "Condition %s\n", quantifiers[test->quantifier]);
  if (result->runs)
    og_buffer_printf(out, "Schedules %" PRIu64 ", drawn\n", result->runs);
  else
    og_buffer_printf(out, "Schedules %s, in %" PRIu64 " states\n", result->complete ? "all" : "not all",
                     result->states);
}

void og_litmus_print_code(const struct og_litmus_test *test, struct og_buffer *out) {
  for (unsigned t = 0; t < test->threads; t++) {
    og_buffer_printf(out, "P%u:\n", t);
    for (unsigned i = 0; i < test->thread[t].count; i++)
      og_buffer_printf(out, "  %s\n", test->thread[t].insts[i].text);
  }
}
