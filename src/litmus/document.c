/* document.c - writes docs/memory-model.md: for each row of the tables what it forbids, and what each part of its
 * sequence is for. */
#include "litmus/proof.h"

#include <stdlib.h>
#include <string.h>

/* A column of a table: one code sequence for some processors. */
struct column {
  const char *title;
  enum og_table table;
  bool cumode;
  const char *processors[5];
};
static const struct column columns[] = {
    {"User guide, GFX6 to GFX9", OG_TABLE_GUIDE, false, {"gfx600", "gfx700", "gfx803", "gfx900"}},
    {"User guide, GFX10 in CU mode", OG_TABLE_GUIDE, true, {"gfx1010", "gfx1030"}},
    {"User guide, GFX10 in WGP mode", OG_TABLE_GUIDE, false, {"gfx1010", "gfx1030"}},
    {"Older compute ABI", OG_TABLE_OLD, false, {"gfx700", "gfx803"}},
    {"Compiler, GFX6", OG_TABLE_COMPILER, false, {"gfx600"}},
    {"Compiler, GFX7 to GFX9", OG_TABLE_COMPILER, false, {"gfx700", "gfx803", "gfx900", "gfx908"}},
    {"Compiler, GFX90A", OG_TABLE_COMPILER, false, {"gfx90a"}},
    {"Compiler, GFX942", OG_TABLE_COMPILER, false, {"gfx942", "gfx950"}},
    {"Compiler, GFX10 in CU mode", OG_TABLE_COMPILER, true, {"gfx1010", "gfx1030"}},
    {"Compiler, GFX10 in WGP mode", OG_TABLE_COMPILER, false, {"gfx1010", "gfx1030"}},
    {"Compiler, GFX11 in CU mode", OG_TABLE_COMPILER, true, {"gfx1100", "gfx1150"}},
    {"Compiler, GFX11 in WGP mode", OG_TABLE_COMPILER, false, {"gfx1100", "gfx1150"}},
    {"Compiler, GFX12 in CU mode", OG_TABLE_COMPILER, true, {"gfx1200"}},
    {"Compiler, GFX12 in WGP mode", OG_TABLE_COMPILER, false, {"gfx1200"}},
    {"Compiler, GFX12.5", OG_TABLE_COMPILER, false, {"gfx1250"}},
};

/* What was found for a row of a table, with the processors and places for which it is the same. */
struct line {
  uint32_t processors, places; /* one bit each; a place's number is its scope times 3 plus its address space */
  const char *text;
};
enum { LINES = 64 };

struct document {
  struct og_proof proof;
  const struct column *column;
  struct og_arena *arena; /* what is needed for one row */
  unsigned count;
  struct line line[LINES];
};

/* ---- reasons ----------------------------------------------------------------------------------------------------- */

enum { WHOLE = 1 << 30, POLICY = 1 << 29, ANY_STEP = (1 << 29) - 1 };
#define STEP(kind) (1 << OG_STEP_##kind)

static const struct reason {
  unsigned number;
  uint8_t tables, operations, orders, scopes, spaces;
  int parts;
  const char *column, *text;
} reasons[] = {
#define REASON(number, tables, operations, orders, scopes, spaces, parts, column, text)                                \
  {number, tables, operations, orders, scopes, spaces, parts, column, text},
#define GUIDE (1 << OG_TABLE_GUIDE)
#define OLD (1 << OG_TABLE_OLD)
#define COMPILER (1 << OG_TABLE_COMPILER)
#define LOAD (1 << OG_DO_LOAD)
#define STORE (1 << OG_DO_STORE)
#define RMW (1 << OG_DO_RMW)
#define EACH 15
#define ACQUIRE (1 << OG_ORDER_ACQUIRE)
#define SEQ_CST (1 << OG_ORDER_SEQ_CST)
#define EVERY 63
#define WAVE (1 << OG_SCOPE_WAVE)
#define GROUP (1 << OG_SCOPE_WORKGROUP)
#define SYSTEM (1 << OG_SCOPE_SYSTEM)
#define ANY 15
#define L (1 << OG_LOCAL)
#define ALL 7
#include "litmus/reasons.def"
#undef REASON
};

/* The number of the reason; 0: there is none. */
static unsigned reason_of(const struct document *d, const struct og_table_row *row, enum og_address_space space,
                          int part) {
  for (size_t i = 0; i < OG_COUNT(reasons); i++) {
    const struct reason *r = &reasons[i];
    if (r->tables >> d->column->table & 1 && r->operations >> row->kind & 1 && r->orders >> row->order & 1 &&
        r->scopes >> d->proof.scope & 1 && r->spaces >> space & 1 && r->parts & part &&
        strstr(d->column->title, r->column))
      return r->number;
  }
  return 0;
}

/* Prints "[4]", or a mark that there is no reason: then the table is wrong. */
static void print_reason(struct document *d, const struct og_table_row *row, enum og_address_space space, int part,
                         struct og_buffer *out) {
  unsigned number = reason_of(d, row, space, part);
  if (number)
    og_buffer_printf(out, "[%u]", number);
  else
    og_buffer_text(out, "**no reason**");
  d->proof.fine &= number > 0;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void print_part(const struct og_litmus_test *names, const struct og_sequence *sequence, struct og_omission part,
                       struct og_buffer *out) {
  struct og_litmus_op op = {.kind = OG_DO_RMW, .returns = true};
  struct og_step step = sequence->step[part.step];
  if (part.bits)
    step.policy = part.bits;
  if (!part.bits) {
    og_sequence_print_step(names, &op, &step, out);
    return;
  }
  size_t at = out->size;
  og_sequence_print_step(names, &op, &step, out); /* prints "the access glc" */
  size_t words = strlen("the access ");
  memmove(out->data + at, out->data + at + words, out->size - at - words);
  out->size -= words;
}

static void print_finding(struct document *d, const struct og_litmus_test *names, const struct og_table_row *row,
                          enum og_address_space space, const struct og_sequence *sequence,
                          const struct og_finding *finding, struct og_buffer *out) {
  struct og_omission parts[OG_PARTS];
  struct og_litmus_op op = {.kind = OG_DO_RMW, .returns = true};
  struct og_sequence written = *sequence;
  og_find_parts(names, sequence, parts);
  if (finding->written[0])
    og_sequence_swap_invalidates(&written); /* to the order that the table has */
  for (unsigned s = 0; s < written.count; s++) {
    og_buffer_text(out, s ? "; " : " ");
    og_sequence_print_step(names, &op, &written.step[s], out);
  }
  og_buffer_text(out, " | ");
  if (finding->written[0])
    og_buffer_printf(out, "as written **allows** %s [1]; GL1 first ", finding->written);
  if (finding->allowed[0])
    og_buffer_printf(out, "**allows** %s ", finding->allowed);
  else
    og_buffer_text(out, "forbids");
  if (finding->allowed[0])
    print_reason(d, row, space, WHOLE, out);
  og_buffer_text(out, " |");
  for (unsigned i = 0; i < finding->parts && !finding->allowed[0]; i++) {
    og_buffer_text(out, i ? "; " : " ");
    print_part(names, sequence, parts[i], out);
    og_buffer_printf(out, ": %s", finding->shown[i]);
    if (!finding->shown[i][0])
      print_reason(d, row, space, parts[i].bits ? POLICY : 1 << sequence->step[parts[i].step].kind, out);
  }
}

/* The text for a row in a place on a processor; NULL: this does not exist. */
static const char *find_text(struct document *d, const struct og_table_row *row, enum og_address_space space,
                             const char *processor) {
  struct og_sequence sequence;
  struct og_finding finding;
  struct og_litmus_test *test = OG_NEW(d->arena, struct og_litmus_test);
  struct og_buffer text = {0};
  og_target_parse(&d->proof.target, NULL, processor, d->column->cumode ? "+cumode" : NULL, d->proof.diagnostics);
  *test = (struct og_litmus_test){.target = d->proof.target};
  test->isa = og_isa_for(&test->target, &test->own_isa);
  test->wgp = test->isa->gfx10 && !test->target.cumode;
  if ((space == OG_GENERIC && test->isa->generation == OG_GFX6) || /* gfx6 has no generic addresses */
      !og_table_sequence(d->column->table, test, (enum og_access_kind)row->kind, (enum og_order)row->order,
                         d->proof.scope, space, &sequence))
    return NULL;
  og_examine(&d->proof, test, row, space, &sequence, &finding);
  print_finding(d, test, row, space, &sequence, &finding, &text);
  const char *copy = og_arena_copy(d->arena, (const char *)text.data, text.size);
  og_buffer_free(&text);
  return copy;
}

/* The line with that text, from `from` on, or a new one. */
static struct line *line_of(struct document *d, unsigned from, const char *text) {
  for (unsigned i = from; i < d->count; i++)
    if (!strcmp(d->line[i].text, text))
      return &d->line[i];
  d->line[d->count] = (struct line){.text = text};
  return &d->line[d->count++];
}

/* Adds one place: one line for each text. It is joined to an earlier line with the same text for the same
 * processors. */
static void add_place(struct document *d, const struct og_table_row *row, enum og_address_space space) {
  unsigned from = d->count;
  for (unsigned i = 0; i < OG_COUNT(d->column->processors) && d->column->processors[i]; i++) {
    const char *text = find_text(d, row, space, d->column->processors[i]);
    if (text)
      line_of(d, from, text)->processors |= 1u << i;
  }
  unsigned end = d->count;
  d->count = from;
  for (unsigned i = from; i < end; i++) {
    struct line line = d->line[i];
    unsigned at = 0;
    line.places = 1u << (d->proof.scope * 3 + space);
    while (at < from && (strcmp(d->line[at].text, line.text) != 0 || d->line[at].processors != line.processors))
      at++;
    if (at < from)
      d->line[at].places |= line.places;
    else
      d->line[d->count++] = line;
  }
}

static void print_places(uint32_t places, bool fence, struct og_buffer *out) {
  const char *between = "";
  for (unsigned scope = 0; scope < OG_SCOPES; scope++) {
    if (!(places >> scope * 3 & 7))
      continue;
    og_buffer_printf(out, "%s%s", between, og_scope_names[scope]);
    between = ", ";
    for (unsigned space = 0; space < 3 && !fence; space++)
      if (places >> (scope * 3 + space) & 1)
        og_buffer_printf(out, " %s", og_space_names[space]);
  }
}

static void print_row(struct document *d, const struct og_table_row *row, struct og_buffer *out) {
  d->count = 0;
  og_arena_reset(d->arena);
  for (unsigned scope = 0; scope < OG_SCOPES; scope++)
    for (unsigned space = 0; space < OG_ADDRESS_SPACES; space++)
      if (row->scopes >> scope & 1 && row->spaces >> space & 1) {
        d->proof.scope = (enum og_scope)scope;
        add_place(d, row, (enum og_address_space)space);
      }
  for (unsigned i = 0; i < d->count; i++) {
    og_buffer_printf(out, "| %s %s | ", og_access_names[row->kind], og_order_names[row->order]);
    print_places(d->line[i].places, row->kind == OG_DO_FENCE, out);
    og_buffer_text(out, " |");
    for (unsigned k = 0; k < OG_COUNT(d->column->processors); k++)
      if (d->line[i].processors >> k & 1)
        og_buffer_printf(out, " %s", d->column->processors[k]);
    og_buffer_printf(out, " |%s |\n", d->line[i].text);
  }
}

static void print_column(struct document *d, struct og_buffer *out) {
  size_t count;
  const struct og_table_row *rows = og_table_rows(d->column->table, &count);
  d->proof.title = d->column->title;
  d->proof.table = d->column->table;
  og_buffer_printf(out,
                   "\n## %s\n\n| operation | scope and address space | processors | sequence | verdict | without it |\n"
                   "|---|---|---|---|---|---|\n",
                   d->column->title);
  for (size_t r = 0; r < count; r++)
    if (rows[r].order != OG_ORDER_PLAIN)
      print_row(d, &rows[r], out);
}

bool og_tables_print(const char *title, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct document *d = og_checked_realloc(NULL, sizeof *d);
  *d = (struct document){.proof = {.arena = og_arena_new(), .diagnostics = diagnostics, .fine = true},
                         .arena = og_arena_new()};
  for (size_t c = 0; c < OG_COUNT(columns); c++) {
    d->column = &columns[c];
    if (!strncmp(columns[c].title, title, strlen(title)))
      print_column(d, out);
  }
  if (!strncmp("Shapes", title, strlen(title)))
    d->proof.fine &= og_shapes_print(out, diagnostics);
  if (!*title) {
    og_buffer_text(
        out, "\n## Reasons\n\n1. GL0 is invalidated before GL1, and may be filled again from GL1 with what is stale "
             "before that is\n"
             "   invalidated, too. From the outer cache in, as the compiler writes it, the sequence forbids it.\n");
    for (size_t i = 0; i < OG_COUNT(reasons); i++)
      og_buffer_printf(out, "%u. %s\n", reasons[i].number, reasons[i].text);
  }
  bool fine = d->proof.fine;
  og_arena_free(d->proof.arena);
  og_arena_free(d->arena);
  free(d);
  return fine;
}
