/* code.c - walks a kernel's code along its control flow, calls included: what it touches, where it leads. */
#include "lint/internal.h"
#include "lint/flow.h"
#include "isa/effects.h"
#include "isa/rows.h"

#include <inttypes.h>
#include <string.h>

enum { NOT_SEEN = 0, SEEN_START = 1, SEEN_INSIDE = 2 };

struct walk {
  struct og_lint *lint;
  const struct og_kernel *kernel;
  const struct og_isa *isa;
  const struct og_section *section;
  uint8_t *seen; /* one per word of the section */
  struct og_relocations relocations; /* of a relocatable file, ordered by place */
  OG_VECTOR(uint64_t) queue; /* addresses to walk from */
  OG_VECTOR(uint64_t) functions; /* entries already queued; branches are checked against each function's bounds */
  uint64_t start, end; /* of the function being walked */
  uint32_t vgprs, sgprs, agprs; /* highest used, plus one */
  uint64_t vgpr_at, sgpr_at, agpr_at; /* where the highest is used */
  bool ends, scratch;
  uint64_t scratch_at;
};

const struct og_section *og_lint_section(const struct og_code_object *code, const struct og_kernel *kernel) {
  const struct og_object *elf = code->elf;
  size_t length = strlen(kernel->symbol);
  struct og_text name = {kernel->symbol,
                         length > 3 && strcmp(kernel->symbol + length - 3, ".kd") == 0 ? length - 3 : length};
  const struct og_symbol *function = og_object_find_symbol(elf, name);
  if (elf->type == ET_REL && function && function->section < elf->sections.count)
    return &elf->sections.items[function->section];
  for (uint32_t i = 1; i < elf->sections.count; i++) {
    const struct og_section *s = &elf->sections.items[i];
    if (s->flags & SHF_EXECINSTR && s->data && kernel->entry >= s->address && kernel->entry - s->address < s->size)
      return s;
  }
  return NULL;
}

static void push(struct walk *walk, uint64_t address) { *OG_PUSH(walk->lint->arena, &walk->queue) = address; }

/* ---- registers --------------------------------------------------------------------------------------------------- */

static void raise(uint32_t *highest, uint64_t *where, uint32_t value, uint64_t pc) {
  if (value > *highest) {
    *highest = value;
    *where = pc;
  }
}

/* Registers touched: all that is read or written. */
static void note_registers(struct walk *walk, const struct og_use *uses, unsigned count, uint64_t pc) {
  for (unsigned i = 0; i < count; i++) {
    uint32_t end = uses[i].reg + uses[i].dwords;
    if (uses[i].kind == OG_OPERAND_VGPR)
      raise(&walk->vgprs, &walk->vgpr_at, end, pc);
    else if (uses[i].kind == OG_OPERAND_AGPR)
      raise(&walk->agprs, &walk->agpr_at, end, pc);
    else if (uses[i].kind == OG_OPERAND_SGPR)
      raise(&walk->sgprs, &walk->sgpr_at, end, pc);
  }
}

static void note_scratch(struct walk *walk, const struct og_inst *inst, uint64_t pc) {
  bool scratch = og_form_memory(og_form(walk->isa, inst->form))->space == OG_IN_SCRATCH;
  if (scratch && inst->encoding == OG_ENC_FLAT && !walk->scratch) {
    walk->scratch = true;
    walk->scratch_at = pc;
  }
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

#define FIND(walk, id, ...) og_lint_report((walk)->lint, OG_LINT_##id, (walk)->kernel, __VA_ARGS__)

static bool decodes_elsewhere(const uint8_t *code, size_t size, struct og_buffer *names) {
  for (int generation = OG_R600 + 1; generation < OG_GENERATION_COUNT; generation++) {
    struct og_inst inst;
    const struct og_isa *isa = og_isa_of((enum og_generation)generation, generation >= OG_GFX10_1 ? 32 : 64);
    if (isa && og_decode(isa, code, size, &inst)) {
      og_print_inst(isa, &inst, NULL, names);
      return true;
    }
  }
  return false;
}

static void report_undecodable(struct walk *walk, const uint8_t *code, size_t size, uint64_t pc) {
  struct og_buffer text = {0};
  if (decodes_elsewhere(code, size, &text))
    FIND(walk, NOT_ON_TARGET, "at 0x%" PRIx64 " %s has no such instruction (0x%08x); another processor reads '%.*s'",
         pc, walk->lint->target->processor->name, og_load32(code), (int)text.size, (char *)text.data);
  else
    FIND(walk, NOT_AN_INSTRUCTION, "at 0x%" PRIx64 " 0x%08x is no instruction", pc, og_load32(code));
  og_buffer_free(&text);
  walk->ends = true; /* nobody knows what would follow these bytes */
}

/* Queues a branch's target, unless it leads out of the function. */
static void take_branch(struct walk *walk, const struct og_operand *distance, uint64_t pc) {
  uint64_t target = og_branch_target(distance, pc);
  if (target < walk->start || target >= walk->end)
    FIND(walk, BRANCH_OUTSIDE,
         "the branch at 0x%" PRIx64 " leads to 0x%" PRIx64 ", outside 0x%" PRIx64 " to 0x%" PRIx64, pc, target,
         walk->start, walk->end);
  else
    push(walk, target);
}

static void take_call(struct walk *walk, const struct og_scalars *scalars, const struct og_inst *inst, uint64_t pc) {
  const struct og_operand *distance = og_branch_operand(walk->isa, inst);
  uint64_t target = distance ? og_branch_target(distance, pc) : 0;
  if (!distance && !og_scalars_pair(scalars, og_operand(inst, OG_ROLE_SRC0), &target))
    return;
  if (target < walk->section->address || target - walk->section->address >= walk->section->size || target % 4)
    return;
  for (uint32_t i = 0; i < walk->functions.count; i++)
    if (walk->functions.items[i] == target)
      return;
  *OG_PUSH(walk->lint->arena, &walk->functions) = target;
}

static const struct og_relocation *relocation_in(const struct walk *walk, uint64_t offset, size_t size) {
  uint32_t section = (uint32_t)(walk->section - walk->lint->code->elf->sections.items);
  size_t i = og_relocations_from(&walk->relocations, section, offset);
  const struct og_relocation *r = i < walk->relocations.count ? walk->relocations.items[i] : NULL;
  return r && r->section == section && r->offset < offset + size ? r : NULL;
}

static bool ends_wave(const struct og_inst *inst) {
  return inst->row == OG_ROW_S_ENDPGM || inst->row == OG_ROW_S_ENDPGM_SAVED ||
         inst->row == OG_ROW_S_ENDPGM_ORDERED_PS_DONE;
}

/* Follows the code straight on from an address until it ends or meets code that was seen. */
static void walk_from(struct walk *walk, uint64_t pc) {
  const struct og_section *section = walk->section;
  struct og_scalars scalars = {.carry = -1};
  bool left = false; /* the instruction before calls or traps: if that never returns, no code need follow */
  while (true) {
    if (pc >= walk->end) {
      walk->ends |= left;
      if (!left)
        FIND(walk, FALLS_OFF, "execution runs past the end of the code at 0x%" PRIx64, walk->end);
      return;
    }
    uint64_t offset = pc - section->address;
    uint8_t *seen = &walk->seen[offset / 4];
    if (*seen == SEEN_INSIDE)
      FIND(walk, BRANCH_INTO_INSTRUCTION, "a branch leads to 0x%" PRIx64 ", inside an instruction", pc);
    if (*seen != NOT_SEEN)
      return;
    struct og_inst inst;
    size_t size = og_decode(walk->isa, section->data + offset, section->size - offset, &inst);
    *seen = SEEN_START;
    if (!size) {
      report_undecodable(walk, section->data + offset, section->size - offset, pc);
      return;
    }
    for (size_t i = 4; i < size && offset + i < section->size; i += 4)
      if (walk->seen[(offset + i) / 4] == NOT_SEEN)
        walk->seen[(offset + i) / 4] = SEEN_INSIDE;
    const struct og_form *form = og_form(walk->isa, inst.form);
    bool calls = form->row_flags & OG_FLAG_CALL;
    struct og_effects effects;
    og_inst_effects(walk->isa, &inst, &effects);
    note_registers(walk, effects.reads, effects.read_count, pc);
    note_registers(walk, effects.writes, effects.write_count, pc);
    note_scratch(walk, &inst, pc);
    if (calls)
      take_call(walk, &scalars, &inst, pc);
    const struct og_relocation *r = relocation_in(walk, offset, size);
    const struct og_operand *distance = og_branch_operand(walk->isa, &inst);
    if (!r && distance && !calls)
      take_branch(walk, distance, pc);
    /* The handler of a trap may end the wave, and so may whatever runs while a wave is halted. */
    if (ends_wave(&inst) || inst.row == OG_ROW_S_TRAP || inst.row == OG_ROW_S_SETHALT ||
        (r && inst.row == OG_ROW_S_BRANCH))
      walk->ends = true;
    if (og_flow_leaves(&inst, form))
      return;
    og_scalars_follow(&scalars, &inst, &effects, r, pc);
    left = calls || inst.row == OG_ROW_S_TRAP;
    if (calls)
      memset(scalars.known, 0, sizeof scalars.known);
    pc += size;
  }
}

static void walk_function(struct walk *walk, uint64_t entry) {
  og_function_bounds(walk->lint->code->elf, walk->section, entry, &walk->start, &walk->end);
  push(walk, entry);
  while (walk->queue.count)
    walk_from(walk, walk->queue.items[--walk->queue.count]);
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static void compare_registers(struct walk *walk) {
  const struct og_initial_state *start = &walk->kernel->start;
  uint32_t vgprs = start->vgprs + start->shared_vgprs, agprs = start->agprs, sgprs = start->sgprs;
  if (walk->vgprs > vgprs)
    FIND(walk, VGPRS_TOO_FEW, "v%u is touched at 0x%" PRIx64 ", but %u VGPRs are allocated", walk->vgprs - 1,
         walk->vgpr_at, vgprs);
  if (walk->agprs > agprs)
    FIND(walk, AGPRS_TOO_FEW, "a%u is touched at 0x%" PRIx64 ", but %u AccVGPRs are allocated", walk->agprs - 1,
         walk->agpr_at, agprs);
  if (walk->lint->target->processor->sgprs_counted_by && walk->sgprs > sgprs)
    FIND(walk, SGPRS_TOO_FEW, "s%u is touched at 0x%" PRIx64 ", but %u SGPRs are allocated", walk->sgprs - 1,
         walk->sgpr_at, sgprs);
}

void og_lint_code(struct og_lint *lint, const struct og_kernel *kernel) {
  struct og_target target = *lint->target;
  target.wave_size = kernel->start.wave_size;
  struct og_isa room;
  struct walk walk = {.lint = lint,
                      .kernel = kernel,
                      .isa = og_isa_for(&target, &room),
                      .section = og_lint_section(lint->code, kernel)};
  if (!walk.isa)
    return;
  if (!walk.section || !walk.section->data || kernel->entry < walk.section->address ||
      kernel->entry - walk.section->address >= walk.section->size || kernel->entry % 4) {
    FIND(&walk, ENTRY_OUTSIDE_CODE, "its code begins at 0x%" PRIx64 ", which is in no executable section",
         kernel->entry);
    return;
  }
  if (lint->code->elf->type == ET_REL)
    walk.relocations = og_relocations_by_place(lint->arena, lint->code->elf);
  walk.seen = og_arena_alloc(lint->arena, walk.section->size / 4 + 1);
  *OG_PUSH(lint->arena, &walk.functions) = kernel->entry;
  if (kernel->start.entry_skip) /* packet processors that preload arguments begin here, past the loads */
    *OG_PUSH(lint->arena, &walk.functions) = kernel->entry + kernel->start.entry_skip;
  for (uint32_t i = 0; i < walk.functions.count; i++)
    walk_function(&walk, walk.functions.items[i]);
  compare_registers(&walk);
  if (!walk.ends)
    FIND(&walk, NO_END, "no path reaches s_endpgm");
  if (walk.scratch && !kernel->private_size && !kernel->uses_dynamic_stack)
    FIND(&walk, SCRATCH_SIZE_ZERO, "the scratch instruction at 0x%" PRIx64 " has no scratch to go to", walk.scratch_at);
}
