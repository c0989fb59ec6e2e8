/* waits_report.c - `lint --waits`: goes through kernels and functions and reports clashes with the path that leads to
 * each, and the reason for each wait. */
#include "lint/hazards.h"
#include "lint/internal.h"
#include "lint/waits.h"
#include "object/debug/dwarf.h"

#include <inttypes.h>
#include <string.h>

enum { BRANCHES_SHOWN = 12 };

struct pair { uint32_t first, second; }; /* steps */

struct report {
  struct og_lint *lint;
  struct og_dwarf *dwarf;
  struct og_buffer *why; /* or NULL */
  const struct og_kernel *kernel;
  struct og_waits *waits;
  const struct og_clashes *clashes; /* clashes when all waits are there */
  OG_VECTOR(uint64_t) done, queue; /* addresses of functions */
  OG_VECTOR(struct pair) told;     /* hazards of the function that were reported */
};

/* ---- places in words --------------------------------------------------------------------------------------------- */

static const struct og_symbol *function_at(const struct og_flow *flow, uint64_t pc, uint64_t *offset) {
  const struct og_object *elf = flow->elf;
  uint64_t base = elf->type == ET_REL ? flow->section->address : 0;
  for (uint32_t i = 1; i < elf->symbols.count; i++) {
    const struct og_symbol *s = &elf->symbols.items[i];
    *offset = pc - base - s->value;
    if (s->section < elf->sections.count && &elf->sections.items[s->section] == flow->section && s->type == STT_FUNC &&
        pc - base >= s->value && *offset < s->size)
      return s;
  }
  return NULL;
}

/* "k+0x10", or the plain address where no symbol covers it. */
static const char *place(struct report *r, uint64_t pc) {
  uint64_t offset;
  const struct og_symbol *s = function_at(r->waits->flow, pc, &offset);
  return s ? og_arena_printf(r->lint->arena, "%s+0x%" PRIx64, s->name, offset)
           : og_arena_printf(r->lint->arena, "0x%" PRIx64, pc);
}

/* "'s_nop 0' at k+0x10 (a.cl:7)" */
static const char *describe(struct report *r, uint32_t step) {
  const struct og_flow *flow = r->waits->flow;
  uint64_t pc = flow->steps.items[step].pc, offset = pc - flow->section->address;
  struct og_buffer text = {0};
  struct og_inst inst;
  const char *file;
  unsigned line, column;
  if (og_decode(flow->isa, flow->section->data + offset, flow->section->size - offset, &inst))
    og_print_inst(flow->isa, &inst, NULL, &text);
  uint32_t section = (uint32_t)(flow->section - flow->elf->sections.items);
  char *out = og_arena_printf(r->lint->arena, "'%.*s' at %s", (int)text.size, (const char *)text.data, place(r, pc));
  for (char *c = out; *c; c++)
    *c = *c == '\t' ? ' ' : *c;
  og_buffer_free(&text);
  if (!r->dwarf || !og_dwarf_find(r->dwarf, section, pc, &file, &line, &column))
    return out;
  return og_arena_printf(r->lint->arena, "%s (%s:%u)", out, og_file_name(file), line);
}

/* The wait that avoids the clash: "vmcnt(2)". */
static const char *remedy(struct report *r, const struct og_clash *clash) {
  const struct og_transfer *transfer = og_waits_transfer(r->waits, clash->op);
  enum og_holds holds = clash->kind == OG_CLASH_SOURCE ? OG_HOLDS_SOURCES : OG_HOLDS_RESULTS;
  const char *text = "";
  for (unsigned i = 0; i < transfer->count; i++)
    if (clash->at.pending >> i & 1 && transfer->raised[i].holds == holds)
      text = og_arena_printf(r->lint->arena, "%s%s%s(%u)", text, *text ? " " : "",
                             og_counter_name(transfer->raised[i].counter), clash->at.behind[i]);
  return text;
}

static const char *operation(struct report *r, uint32_t op) {
  return op == r->waits->flow->steps.count ? "an operation of its caller" : describe(r, op);
}

/* ---- clashes ----------------------------------------------------------------------------------------------------- */

static const struct { enum og_lint_id id; const char *does, *holds; } kinds[] = {
    [OG_CLASH_READ] = {OG_LINT_WAIT_READ, "reads", "fills it"},
    [OG_CLASH_WRITE] = {OG_LINT_WAIT_WRITE, "writes", "fills it"},
    [OG_CLASH_SOURCE] = {OG_LINT_WAIT_SOURCE, "overwrites", "has to read it"},
    [OG_CLASH_RETURN] = {OG_LINT_WAIT_RETURN, "returns", "fills registers"},
};

static const char *verb(struct report *r, const struct og_clash *clash) {
  char name[16];
  og_place_name(clash->place, name);
  if (clash->kind == OG_CLASH_RETURN)
    return r->waits->flow->steps.items[clash->step].flags & OG_STEP_CALLS ? "calls" : "returns";
  return og_arena_printf(r->lint->arena, "%s %s", kinds[clash->kind].does, name);
}

/* Names the branches that are taken on the way. */
static void tell_way(struct report *r, const struct og_clash *clash, const struct og_way *way) {
  const struct og_waits *waits = r->waits;
  const struct og_step *steps = waits->flow->steps.items;
  uint32_t count = waits->flow->steps.count, shown = 0, at = clash->op == count ? waits->flow->first : clash->op;
  struct og_buffer text = {0};
  uint32_t last = waits->blocks.items[waits->block_of[at]].last;
  og_buffer_printf(&text, "path: %s", place(r, steps[at].pc));
  for (uint32_t i = 0; i < way->blocks.count; i++) {
    const struct og_block *block = &waits->blocks.items[way->blocks.items[i]];
    bool enters = i || (clash->op != count && at == last);
    bool jumps = enters && steps[last].target == (int32_t)block->first && block->first != last + 1;
    if (jumps && shown++ < BRANCHES_SHOWN)
      og_buffer_printf(&text, ", branch at %s to %s", place(r, steps[last].pc), place(r, steps[block->first].pc));
    last = block->last;
  }
  if (shown > BRANCHES_SHOWN)
    og_buffer_printf(&text, ", %u more branches", shown - BRANCHES_SHOWN);
  og_buffer_printf(&text, ", %s; waiting for %s there would do", place(r, steps[way->end].pc), remedy(r, clash));
  og_lint_note(r->lint, "%.*s", (int)text.size, (const char *)text.data);
  og_buffer_free(&text);
}

/* False if no single path leads to the clash: it comes only from joining different paths. */
static bool tell_clash(struct report *r, const struct og_clash *clash, uint32_t others) {
  struct og_way way;
  og_waits_way(r->waits, clash->op, clash->step, &way);
  if (!way.found && !way.given_up)
    return false;
  const char *more = others ? og_arena_printf(r->lint->arena, ", and %u more in its way", others) : "";
  og_lint_report(r->lint, kinds[clash->kind].id, r->kernel, "%s %s while %s still %s%s", describe(r, clash->step),
                 verb(r, clash), operation(r, clash->op), kinds[clash->kind].holds, more);
  if (way.found)
    tell_way(r, clash, &way);
  return true;
}

/* Reports the first clash of each operation, with the number of its others. */
static void tell_clashes(struct report *r, const struct og_clashes *clashes) {
  uint32_t *left = OG_NEW_ARRAY(r->waits->arena, uint32_t, r->waits->flow->steps.count + 1);
  for (uint32_t i = 0; i < clashes->items.count; i++)
    left[clashes->items.items[i].op]++;
  for (uint32_t i = 0; i < clashes->items.count; i++) {
    uint32_t *of_op = &left[clashes->items.items[i].op];
    if (!*of_op)
      continue;
    --*of_op;
    if (tell_clash(r, &clashes->items.items[i], *of_op))
      *of_op = 0;
  }
}

static bool is_old(const struct report *r, const struct og_clash *clash) {
  for (uint32_t i = 0; i < r->clashes->items.count; i++)
    if (r->clashes->items.items[i].op == clash->op && r->clashes->items.items[i].step == clash->step)
      return true;
  return false;
}

/* The first clash that a path leads to and that the complete function does not have; NULL: there is none. */
static const struct og_clash *first_clash(struct report *r, const struct og_clashes *clashes) {
  for (uint32_t i = 0; i < clashes->items.count; i++) {
    struct og_way way;
    if (is_old(r, &clashes->items.items[i]))
      continue;
    og_waits_way(r->waits, clashes->items.items[i].op, clashes->items.items[i].step, &way);
    if (way.found || way.given_up)
      return &clashes->items.items[i];
  }
  return NULL;
}

/* ---- why --------------------------------------------------------------------------------------------------------- */

/* Says why nothing needs a wait for a counter: what it waits for, and what becomes of that. */
static void tell_redundant(struct report *r, uint32_t step, unsigned counter, unsigned most) {
  struct og_waits *waits = r->waits;
  struct og_pendings room = {0};
  const struct og_pendings *before = og_waits_before(waits, step, &room);
  uint32_t outstanding = 0, silent = 0, filling = 0;
  const struct og_pending *one = NULL;
  for (uint32_t i = 0; i < before->count; i++) {
    const struct og_transfer *transfer = og_waits_transfer(waits, before->items[i].op);
    for (unsigned k = 0; k < transfer->count; k++)
      if (transfer->raised[k].counter == counter && before->items[i].pending >> k & 1) {
        bool ends = most <= before->items[i].behind[k], fills = og_waits_fills(waits, &before->items[i]);
        outstanding++;
        silent += ends && !fills;
        filling += ends && fills;
        if (ends && (!one || fills))
          one = &before->items[i];
      }
  }
  if (!outstanding) {
    bool maybe = waits->flow->uncertain >> counter & 1;
    og_buffer_printf(r->why, "redundant: nothing is outstanding on any path%s\n",
                     maybe ? " (a flat operation may lead to LDS, which nothing here tells)" : "");
  } else if (!one) {
    og_buffer_printf(r->why, "redundant: all %u that may be outstanding may stay so\n", outstanding);
  } else if (!filling) {
    og_buffer_printf(r->why, "orders memory: no register waits for %s%s\n", operation(r, one->op),
                     silent > 1 ? " and others" : "");
  } else {
    struct og_way way;
    og_waits_next(waits, *one, step, &way);
    if (way.found)
      og_buffer_printf(r->why, "redundant: what %s fills is not touched before %s ends it\n", operation(r, one->op),
                       describe(r, way.end));
    else
      og_buffer_printf(r->why, "redundant: what %s fills is never touched\n", operation(r, one->op));
  }
}

static void tell_wait(struct report *r, uint32_t step) {
  struct og_waits *waits = r->waits;
  const struct og_limits *limits = &waits->flow->limits.items[waits->flow->steps.items[step].wait];
  for (unsigned counter = 0; counter < OG_COUNTERS; counter++) {
    if (limits->most[counter] == OG_NO_LIMIT)
      continue;
    og_buffer_printf(r->why, "0x%" PRIx64 " %s %s(%u): ", waits->flow->steps.items[step].pc,
                     place(r, waits->flow->steps.items[step].pc), og_counter_name(counter), limits->most[counter]);
    if (!waits->blocks.items[waits->block_of[step]].in.reached) {
      og_buffer_text(r->why, "redundant: never reached\n");
      continue;
    }
    struct og_clashes clashes = {0};
    waits->off_step = step;
    waits->off_counter = (int)counter;
    og_waits_solve(waits);
    og_waits_clashes(waits, &clashes);
    const struct og_clash *clash = first_clash(r, &clashes);
    if (clash)
      og_buffer_printf(r->why, "needed: %s %s, which %s holds\n", describe(r, clash->step), verb(r, clash),
                       operation(r, clash->op));
    else
      tell_redundant(r, step, counter, limits->most[counter]);
  }
  waits->off_counter = OG_NO_COUNTER;
}

/* ---- wait states ------------------------------------------------------------------------------------------------ */

static void tell_hazard(void *context, uint32_t first, uint32_t second, const struct og_hazard_gap *gap) {
  struct report *r = context;
  char name[16] = "", advice[64];
  for (uint32_t i = 0; i < r->told.count; i++)
    if (r->told.items[i].first == first && r->told.items[i].second == second)
      return; /* already reported on another path */
  *OG_PUSH(r->waits->arena, &r->told) = (struct pair){first, second};
  if (gap->place < OG_PLACES)
    og_place_name(gap->place, name);
  og_hazard_advice(r->waits->flow->isa, gap, advice);
  og_lint_report(r->lint, OG_LINT_WAIT_STATES, r->kernel, "%s comes too soon behind %s%s%s (%s); %s would do",
                 describe(r, second), describe(r, first), *name ? ", for " : "", name, gap->hazard->name, advice);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static bool is_done(const struct report *r, uint64_t entry) {
  for (uint32_t i = 0; i < r->done.count; i++)
    if (r->done.items[i] == entry)
      return true;
  return false;
}

/* GCC's callers wait for everything before a call, so the function called need not; LLVM has it the other way round. */
static bool is_by_gcc(const struct og_object *elf) {
  for (uint32_t i = 1; i < elf->sections.count; i++) {
    const struct og_section *s = &elf->sections.items[i];
    if (strcmp(s->name, ".comment") == 0 && s->data)
      return memmem(s->data, s->size, "GCC: (", 6);
  }
  return false;
}

static void check_function(struct report *r, const struct og_isa *isa, const struct og_section *section,
                           uint64_t entry, const struct og_wait_mode *mode, bool is_kernel) {
  struct og_arena *arena = og_arena_new();
  struct og_flow flow = {.isa = isa, .elf = r->lint->code->elf, .section = section, .arena = arena, .entry = entry};
  flow.by_gcc = is_by_gcc(flow.elf);
  struct og_waits waits;
  struct og_clashes clashes = {0};
  *OG_PUSH(r->lint->arena, &r->done) = entry;
  if (og_flow_make(&flow, mode)) {
    og_waits_make(&waits, &flow, is_kernel || flow.by_gcc);
    r->waits = &waits;
    r->clashes = &clashes;
    og_waits_solve(&waits);
    og_waits_clashes(&waits, &clashes);
    tell_clashes(r, &clashes);
    r->told = (typeof(r->told)){0};
    og_hazards_walk(&flow, arena, tell_hazard, r);
    for (uint32_t i = 0; r->why && i < flow.steps.count; i++)
      if (flow.steps.items[i].flags & OG_STEP_WAITS)
        tell_wait(r, i);
    for (uint32_t i = 0; i < flow.calls.count; i++)
      *OG_PUSH(r->lint->arena, &r->queue) = flow.calls.items[i];
  }
  og_arena_free(arena);
}

static void check_called(struct report *r, const struct og_isa *isa, const struct og_section *section,
                         const struct og_wait_mode *mode) {
  while (r->queue.count) {
    uint64_t entry = r->queue.items[--r->queue.count];
    if (!is_done(r, entry))
      check_function(r, isa, section, entry, mode, false);
  }
}

static void check_kernel(struct report *r, const struct og_kernel *kernel) {
  struct og_target target = *r->lint->target;
  struct og_isa room;
  target.wave_size = kernel->start.wave_size;
  const struct og_isa *isa = og_isa_for(&target, &room);
  const struct og_section *section = og_lint_section(r->lint->code, kernel);
  bool from_gfx10 = isa && isa->gfx10;
  struct og_wait_mode mode = {
      .unordered = from_gfx10 && !og_kd_get(&target, kernel->descriptor, OG_KD_MEM_ORDERED),
      .split = kernel->start.tg_split};
  if (!isa || !section || !section->data || is_done(r, kernel->entry))
    return;
  r->kernel = kernel;
  check_function(r, isa, section, kernel->entry, &mode, true);
  if (kernel->start.entry_skip) /* packet processors that preload arguments begin here, past the loads */
    check_function(r, isa, section, kernel->entry + kernel->start.entry_skip, &mode, true);
  check_called(r, isa, section, &mode);
}

/* Checks functions that no kernel is seen to call: library functions, and those called through pointers. */
static void check_others(struct report *r) {
  const struct og_object *elf = r->lint->code->elf;
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(r->lint->target, &room);
  const struct og_wait_mode mode = {0};
  r->kernel = NULL;
  for (uint32_t i = 1; isa && i < elf->symbols.count; i++) {
    const struct og_symbol *s = &elf->symbols.items[i];
    if (s->type != STT_FUNC || !s->size || s->section >= elf->sections.count)
      continue;
    const struct og_section *section = &elf->sections.items[s->section];
    uint64_t entry = s->value + (elf->type == ET_REL ? section->address : 0);
    if (section->flags & SHF_EXECINSTR && section->data && !is_done(r, entry))
      check_function(r, isa, section, entry, &mode, false);
    check_called(r, isa, section, &mode);
  }
}

size_t og_lint_waits(const struct og_code_object *code, const struct og_target *target,
                     struct og_diagnostics *diagnostics, struct og_buffer *why) {
  struct og_lint lint = {.code = code, .target = target, .diagnostics = diagnostics, .arena = og_arena_new()};
  struct report report = {.lint = &lint, .dwarf = og_dwarf_open_object(code->elf), .why = why};
  for (uint32_t i = 0; i < code->kernel_count; i++)
    check_kernel(&report, &code->kernels[i]);
  check_others(&report);
  if (report.dwarf)
    og_dwarf_close(report.dwarf);
  og_arena_free(lint.arena);
  return lint.findings;
}
