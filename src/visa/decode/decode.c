/* decode.c - makes a program of a vISA kernel: variables get their places in the register file, labels their indices,
   instructions their handlers. Control flow is here, arithmetic in alu.c, messages in message.c. */
#include "visa/decode/decode.h"
#include "visa/exec/count.h"
#include "visa/decode/decoder.h"

#include <string.h>

bool og_vd_fail(struct og_vd *d, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = og_arena_vprintf(d->arena, format, args);
  va_end(args);
  if (d->visa->source && d->inst->size)
    return og_error(d->diagnostics, (struct og_range){d->visa->source, d->inst->at, d->inst->size}, "%s", message);
  return og_error_in(d->diagnostics, d->file, "kernel '%s', instruction %u (%s): %s", d->kernel->name,
                     (uint32_t)(d->inst - d->kernel->insts.items), og_visa_mnemonic(d->inst), message);
}

static const char *string_operand(const struct og_vd *d, uint32_t n) {
  uint64_t index = d->inst->operands[n].bits;
  return index < d->kernel->strings.count ? d->kernel->strings.items[index] : "?";
}

/* The function with that name, which is decoded later if it is asked for the first time; -1: no file has it. */
static int find_function(struct og_vd *d, const char *name) {
  struct og_vd_linker *linker = d->linker;
  const struct og_vd_body *body = og_map_get(&linker->bodies, og_text(name));
  if (!body)
    return -1;
  void **index = og_map_at(d->arena, &linker->indices, og_text(body->kernel->name));
  if (!*index) {
    *OG_PUSH(d->arena, &linker->functions->items) = OG_NEW(d->arena, struct og_vx_program);
    *OG_PUSH(d->arena, &linker->wanted) = body;
    *index = (void *)(uintptr_t)linker->wanted.count;
  }
  return (int)((uintptr_t)*index - 1);
}

static bool decode_function_call(struct og_vd *d, bool indirect) {
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_function_call);
  op->uniform = op->exec_size == 1;
  if (indirect)
    return og_vd_source(d, &d->inst->operands[0], og_vd_widen(og_vd_storage_type(d->inst->operands[0].type)), 1,
                        og_vd_new_sources(d, op, 1));
  int index = find_function(d, string_operand(d, 0));
  if (index < 0)
    return og_vd_fail(d, "function '%s' is in none of the files; name the file that has it after the kernel's",
                      string_operand(d, 0));
  op->callee = d->linker->functions->items.items[index];
  return true;
}

/* faddr: the address of a function, or of a symbol, which the loader of the kernel's module knows. */
static bool decode_function_address(struct og_vd *d) {
  const struct og_visa_operand *operands = d->inst->operands;
  const char *name = string_operand(d, 0);
  uint64_t address;
  int index = find_function(d, name);
  if (index >= 0)
    address = OG_VX_FUNCTION_FIRST + (uint64_t)index * OG_VX_FUNCTION_STEP;
  else if (!d->zebin || !og_zebin_symbol(d->zebin, name, &address))
    return og_vd_fail(d,
                      "symbol '%s' is not known; name the file that has the function, or with --zeinfo the zebin that "
                      "has the variable",
                      name);
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_alu);
  uint8_t type = og_vd_storage_type(operands[1].type);
  op->exec_size = 1;
  op->full = 1;
  op->no_mask = true;
  op->alu = d->alu->convert[OG_ALU_U64][type];
  struct og_visa_operand value = {.kind = OG_VISA_IMMEDIATE, .type = OG_VISA_UQ, .bits = address};
  return og_vd_source(d, &value, OG_ALU_U64, 1, og_vd_new_sources(d, op, 1)) &&
         og_vd_destination(d, &operands[1], type, false, 1, &op->destination);
}

/* ---- control flow ------------------------------------------------------------------------------------------------ */

static bool add_fixup(struct og_vd *d, uint32_t label, uint32_t *slot) {
  if (label >= d->kernel->labels.count || d->kernel->labels.items[label].inst == UINT32_MAX)
    return og_vd_fail(d, "the label is not defined");
  __typeof__(d->fixups.items) fixup = OG_PUSH(d->arena, &d->fixups);
  fixup->op = d->ops.count - 1;
  fixup->label = label;
  fixup->slot = slot;
  return true;
}

static bool is_backward(const struct og_vd *d, uint32_t label) {
  return label < d->kernel->labels.count &&
         d->kernel->labels.items[label].inst <= (uint32_t)(d->inst - d->kernel->insts.items);
}

static bool decode_branch(struct og_vd *d, og_vx_handler *run) {
  struct og_vx_op *op = og_vd_new_op(d, run);
  op->uniform = op->exec_size == 1;
  return add_fixup(d, d->inst->operands[0].variable, NULL);
}

static bool decode_goto(struct og_vd *d) {
  bool backward = is_backward(d, d->inst->operands[0].variable);
  if (!decode_branch(d, backward ? og_vx_run_goto_backward : og_vx_run_goto_forward))
    return false;
  if (backward) {
    struct og_vx_op *join = og_vd_new_op(d, og_vx_run_join);
    join->predicate_mode = OG_VX_PREDICATE_NONE;
  }
  return true;
}

static bool decode_switch(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  struct og_vx_op *op = og_vd_new_op(d, og_vx_run_switch);
  if (inst->operand_count < 2 || !og_vd_source(d, &inst->operands[1], OG_ALU_U32, 1, og_vd_new_sources(d, op, 1)))
    return og_vd_fail(d, "switchjmp needs an index");
  op->extra = inst->operand_count - 2;
  op->targets = OG_NEW_ARRAY(d->arena, uint32_t, op->extra + 1);
  for (uint32_t i = 0; i < op->extra; i++)
    if (!add_fixup(d, inst->operands[2 + i].variable, &op->targets[i]))
      return false;
  return true;
}

static bool decode_label(struct og_vd *d) {
  uint32_t label = d->inst->operands[0].variable;
  if (label >= d->kernel->labels.count)
    return og_vd_fail(d, "the label is not declared");
  d->label_ops[label] = d->ops.count;
  if (d->joins[label])
    og_vd_new_op(d, og_vx_run_join);
  return true;
}

/* nbarrier.signal has id, type, producers and consumers; wait has the id. */
static bool decode_named_barrier(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  bool signal = inst->operands[0].bits & 1;
  struct og_vx_op *op = og_vd_new_op(d, signal ? og_vx_run_named_signal : og_vx_run_named_wait);
  uint32_t count = signal ? 4 : 1;
  struct og_vx_source *sources = og_vd_new_sources(d, op, count);
  if (inst->operand_count < 1 + count)
    return og_vd_fail(d, "nbarrier has too few operands");
  for (uint32_t i = 0; i < count; i++)
    if (!og_vd_source(d, &inst->operands[1 + i], OG_ALU_U32, 1, &sources[i]))
      return false;
  return true;
}

/* ---- the instruction --------------------------------------------------------------------------------------------- */

static bool decode_instruction(struct og_vd *d) {
  const struct og_visa_inst *inst = d->inst;
  const struct og_visa_operand *operands = inst->operands;
  switch (inst->opcode) {
  case OG_VISA_OP_FADDR: return decode_function_address(d);
  case OG_VISA_OP_SUBROUTINE:
  case OG_VISA_OP_LABEL: return decode_label(d);
  case OG_VISA_OP_GOTO: return decode_goto(d);
  case OG_VISA_OP_JMP: return decode_branch(d, og_vx_run_jump);
  case OG_VISA_OP_CALL: return decode_branch(d, og_vx_run_call);
  case OG_VISA_OP_FCALL: return decode_function_call(d, false);
  case OG_VISA_OP_IFCALL: return decode_function_call(d, true);
  case OG_VISA_OP_SWITCHJMP: return decode_switch(d);
  case OG_VISA_OP_RET:
  case OG_VISA_OP_FRET: {
    struct og_vx_op *op = og_vd_new_op(d, og_vx_run_return);
    op->uniform = op->exec_size == 1;
    return true;
  }
  case OG_VISA_OP_BARRIER: og_vd_new_op(d, og_vx_run_barrier)->kind = 3; return true;
  case OG_VISA_OP_SBARRIER: og_vd_new_op(d, og_vx_run_barrier)->kind = operands[0].bits & 1 ? 1 : 2; return true;
  case OG_VISA_OP_NBARRIER: return decode_named_barrier(d);
  case OG_VISA_OP_FILE:
  case OG_VISA_OP_LOC:
  case OG_VISA_OP_LIFETIME:
  case OG_VISA_OP_FENCE: /* memory is in order here, and there is only one */
  case OG_VISA_OP_LSC_FENCE:
  case OG_VISA_OP_SAMPLER_CACHE_FLUSH:
  case OG_VISA_OP_YIELD:
  case OG_VISA_OP_WAIT:
  case OG_VISA_OP_BREAKPOINT: return true;
  default: return og_vd_arithmetic(d);
  }
}

/* ---- the kernel -------------------------------------------------------------------------------------------------- */

/* Reports an error about the kernel as a whole; returns false. */
static bool fail_kernel(struct og_vd *d, const char *format, ...) OG_PRINTF(2, 3);
static bool fail_kernel(struct og_vd *d, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = og_arena_vprintf(d->arena, format, args);
  va_end(args);
  return og_error_in(d->diagnostics, d->file, "kernel '%s': %s", d->kernel->name, message);
}

/* Each variable that is no alias has registers of its own. An alias is within those of an earlier variable. */
static bool place_variables(struct og_vd *d) {
  const struct og_visa_variables *general = &d->kernel->general;
  struct og_vx_program *program = d->program;
  d->places = OG_NEW_ARRAY(d->arena, uint32_t, general->count + 1);
  d->sizes = OG_NEW_ARRAY(d->arena, uint32_t, general->count + 1);
  uint64_t cursor = 0;
  for (uint32_t i = 0; i < general->count; i++) {
    const struct og_visa_variable *variable = &general->items[i];
    if (variable->alias) {
      uint32_t offset = OG_MIN(variable->alias_offset, d->sizes[variable->alias]);
      d->places[i] = d->places[variable->alias] + offset;
      d->sizes[i] = d->sizes[variable->alias] - offset;
      continue;
    }
    uint64_t size = (uint64_t)variable->elements * og_visa_types[variable->type].size;
    if (i < OG_VISA_PREDEFINED_COUNT)
      size = OG_MAX(size, i == OG_VISA_V_NULL ? OG_VX_OPERAND_BYTES : program->grf_size);
    size = og_align_up(size, program->grf_size); /* compilers do use the rest of a last register */
    if (size > OG_VX_VARIABLES_MOST - cursor)
      return fail_kernel(d, "its variables have more than %d bytes, the most that are executed", OG_VX_VARIABLES_MOST);
    d->places[i] = (uint32_t)cursor;
    d->sizes[i] = (uint32_t)size;
    cursor += size;
    if (i < OG_VISA_FIRST_GENERAL)
      program->shared_size = (uint32_t)cursor;
  }
  program->register_size = (uint32_t)cursor;
  program->cr0 = d->places[OG_VISA_V_CR0];
  program->r0 = d->places[OG_VISA_V_R0];
  program->hw_id = d->places[OG_VISA_V_HW_ID];
  program->sr0 = d->places[OG_VISA_V_SR0];
  program->ce0 = d->places[OG_VISA_V_CE0];
  for (uint32_t i = 0; i < 3; i++)
    program->group_id[i] = d->places[OG_VISA_V_GROUP_ID_X + i];
  program->places = d->places;
  return true;
}

/* The payload is written there before the kernel starts. */
static bool check_inputs(struct og_vd *d) {
  for (uint32_t i = 0; i < d->kernel->inputs.count; i++) {
    const struct og_visa_input *input = &d->kernel->inputs.items[i];
    if (input->class == 'G' && (input->variable >= d->kernel->general.count || input->size > d->sizes[input->variable]))
      return fail_kernel(d, "input %u has %u bytes, more than its variable", i, input->size);
    uint32_t within;
    if (input->class == 'G')
      d->uses[og_visa_resolve_alias(d->kernel, input->variable, &within)].first = 0;
  }
  return true;
}

static bool place_addresses(struct og_vd *d) {
  enum { MOST = 1 << 20 };
  const struct og_visa_variables *address = &d->kernel->address;
  d->addresses = OG_NEW_ARRAY(d->arena, uint32_t, address->count + 1);
  for (uint32_t i = 0; i < address->count; i++) {
    d->addresses[i] = d->program->address_count;
    if (address->items[i].elements > MOST - d->program->address_count)
      return fail_kernel(d, "its address variables have more than %d elements", MOST);
    d->program->address_count += address->items[i].elements;
  }
  return true;
}

/* Channels may wait at the label of a goto ahead. */
static void find_joins(struct og_vd *d) {
  for (uint32_t i = 0; i < d->kernel->insts.count; i++) {
    d->inst = &d->kernel->insts.items[i];
    if (d->inst->opcode != OG_VISA_OP_GOTO)
      continue;
    uint32_t label = d->inst->operands[0].variable;
    if (label < d->kernel->labels.count && !is_backward(d, label))
      d->joins[label] = true;
  }
}

/* For the statistics. */
static uint8_t class_of(const struct og_visa_inst *inst, const struct og_vx_op *op) {
  static const uint8_t spaces[] = {[OG_VX_FLAT] = OG_VISA_CLASS_GLOBAL,     [OG_VX_SLM] = OG_VISA_CLASS_SLM,
                                   [OG_VX_SCRATCH] = OG_VISA_CLASS_SCRATCH, [OG_VX_SURFACE] = OG_VISA_CLASS_SURFACE,
                                   [OG_VX_TABLE] = OG_VISA_CLASS_SURFACE,   [OG_VX_BINDLESS] = OG_VISA_CLASS_SURFACE};
  switch (inst->opcode) {
  case OG_VISA_OP_MOV:
  case OG_VISA_OP_MOVS:
  case OG_VISA_OP_SETP:
  case OG_VISA_OP_ADDR_ADD:
  case OG_VISA_OP_FADDR:
  case OG_VISA_OP_SEL: return OG_VISA_CLASS_MOVE;
  case OG_VISA_OP_DIV:
  case OG_VISA_OP_DIVM:
  case OG_VISA_OP_MOD:
  case OG_VISA_OP_EXP:
  case OG_VISA_OP_LOG:
  case OG_VISA_OP_POW:
  case OG_VISA_OP_SIN:
  case OG_VISA_OP_COS:
  case OG_VISA_OP_SQRT:
  case OG_VISA_OP_SQRTM:
  case OG_VISA_OP_RSQRT:
  case OG_VISA_OP_INVM:
  case OG_VISA_OP_RSQTM:
  case OG_VISA_OP_INV: return OG_VISA_CLASS_MATH;
  case OG_VISA_OP_GOTO:
  case OG_VISA_OP_JMP:
  case OG_VISA_OP_CALL:
  case OG_VISA_OP_RET:
  case OG_VISA_OP_FCALL:
  case OG_VISA_OP_IFCALL:
  case OG_VISA_OP_FRET:
  case OG_VISA_OP_SWITCHJMP:
  case OG_VISA_OP_LABEL:
  case OG_VISA_OP_SUBROUTINE: return OG_VISA_CLASS_BRANCH;
  case OG_VISA_OP_BARRIER:
  case OG_VISA_OP_SBARRIER:
  case OG_VISA_OP_NBARRIER: return OG_VISA_CLASS_SYNC;
  case OG_VISA_OP_DPAS:
  case OG_VISA_OP_DPASW: return OG_VISA_CLASS_DPAS;
  case OG_VISA_OP_GATHER4_TYPED:
  case OG_VISA_OP_SCATTER4_TYPED:
  case OG_VISA_OP_TYPED_ATOMIC:
  case OG_VISA_OP_LSC_TYPED:
  case OG_VISA_OP_MEDIA_LD:
  case OG_VISA_OP_MEDIA_ST:
  case OG_VISA_OP_LOAD_3D:
  case OG_VISA_OP_SAMPLE_3D:
  case OG_VISA_OP_INFO_3D:
  case OG_VISA_OP_GATHER4_3D:
  case OG_VISA_OP_SAMPLE:
  case OG_VISA_OP_LOAD: return OG_VISA_CLASS_IMAGE;
  default: return op->message ? spaces[op->message->space] : OG_VISA_CLASS_ALU;
  }
}

/* Fields that follow from the rest. */
static void finish_op(const struct og_visa_inst *inst, struct og_vx_op *op) {
  op->class = class_of(inst, op);
  op->needs = op->predicate_mode != OG_VX_PREDICATE_NONE ? 1ull << 63
              : op->no_mask                              ? 0
                                                         : (uint64_t)op->full << op->mask_offset;
}

static bool decode_all(struct og_vd *d) {
  for (uint32_t i = 0; i < d->kernel->insts.count; i++) {
    d->inst = &d->kernel->insts.items[i];
    if (d->inst->predicate.variable >= d->program->predicate_count)
      return og_vd_fail(d, "predicate P%u is not declared", d->inst->predicate.variable);
    uint32_t channels = d->inst->exec_size;
    if (channels > OG_VX_CHANNELS || (channels & (channels - 1)) || d->inst->mask_offset >= OG_VX_CHANNELS)
      return og_vd_fail(d, "%u channels from channel %u on do not exist", channels, d->inst->mask_offset);
    if (d->constants.size > OG_VX_CONSTANTS_MOST)
      return og_vd_fail(d, "the immediates up to here have more than %d bytes", OG_VX_CONSTANTS_MOST);
    uint32_t first = d->ops.count;
    if (!decode_instruction(d))
      return false;
    for (uint32_t k = first; k < d->ops.count; k++)
      finish_op(d->inst, &d->ops.items[k]);
  }
  static const struct og_visa_inst end = {.opcode = OG_VISA_OP_LABEL, .exec_size = 1};
  d->inst = &end;
  struct og_vx_op *op = OG_PUSH(d->arena, &d->ops);
  *op = (struct og_vx_op){.run = og_vx_run_end, .exec_size = 1, .full = 1, .inst = &end};
  finish_op(&end, op);
  for (uint32_t i = 0; i < d->fixups.count; i++) {
    uint32_t *slot = d->fixups.items[i].slot;
    *(slot ? slot : &d->ops.items[d->fixups.items[i].op].target) = d->label_ops[d->fixups.items[i].label];
  }
  return true;
}

static uint32_t simd_attribute(const struct og_visa_kernel *kernel) {
  for (uint32_t i = 0; i < kernel->attributes.count; i++)
    if (strcmp(kernel->attributes.items[i].name, "SimdSize") == 0)
      return (uint32_t)kernel->attributes.items[i].value;
  return 0;
}

static bool decode_program(struct og_vd *from, const struct og_visa_unit *unit, const struct og_visa_kernel *kernel,
                           struct og_vx_program *program) {
  struct og_arena *arena = from->arena;
  struct og_vd d = {.arena = arena,
                    .diagnostics = from->diagnostics,
                    .visa = unit->visa,
                    .kernel = kernel,
                    .file = unit->file,
                    .alu = og_alu_table(),
                    .program = program,
                    .zebin = from->zebin,
                    .linker = from->linker};
  program->kernel_name = kernel->name;
  program->source = unit->visa->source;
  program->kernel = kernel;
  program->zebin = from->zebin;
  program->file = unit->file;
  program->platform = from->linker->platform;
  program->functions = from->linker->functions;
  program->grf_size = og_visa_platforms[program->platform].grf_size;
  program->simd_size = simd_attribute(kernel);
  program->predicate_count = kernel->predicate.count + 1;
  program->surface_count = kernel->surface.count + OG_VISA_FIRST_SURFACE + kernel->sampler.count + 1;
  d.label_ops = OG_NEW_ARRAY(arena, uint32_t, kernel->labels.count + 1);
  d.joins = OG_NEW_ARRAY(arena, bool, kernel->labels.count + 1);
  find_joins(&d);
  d.uses = OG_NEW_ARRAY(arena, struct og_vd_use, kernel->general.count + 1);
  for (uint32_t i = 0; i < kernel->general.count; i++)
    d.uses[i].first = UINT32_MAX;
  bool fine = place_variables(&d) && check_inputs(&d) && place_addresses(&d) && decode_all(&d);
  program->ops = d.ops.items;
  program->op_count = d.ops.count;
  if (fine)
    og_vd_find_chains(&d);
  program->constant_size = (uint32_t)d.constants.size;
  program->constants = og_arena_alloc(arena, d.constants.size + 64);
  program->constants = (uint8_t *)og_align_up((uintptr_t)program->constants, 64);
  memcpy(program->constants, d.constants.data ? d.constants.data : (const uint8_t *)"", d.constants.size);
  og_buffer_free(&d.constants);
  return fine;
}

static void add_bodies(struct og_arena *arena, const struct og_visa_unit *unit, struct og_map *bodies) {
  for (uint32_t k = 0; k < unit->visa->kernels.count; k++) {
    const struct og_visa_kernel *kernel = unit->visa->kernels.items[k];
    void **body = kernel->function ? og_map_at(arena, bodies, og_text(kernel->name)) : NULL;
    if (!body || *body) /* the first with a name counts */
      continue;
    *body = OG_NEW(arena, struct og_vd_body);
    *(struct og_vd_body *)*body = (struct og_vd_body){unit, kernel};
  }
}

struct og_vx_program *og_vx_decode(struct og_arena *arena, const struct og_visa_unit *units, uint32_t unit_count,
                                   const struct og_visa_kernel *kernel, int platform, struct og_zebin *zebin,
                                   struct og_diagnostics *diagnostics) {
  struct og_vd_linker linker = {.platform = platform, .functions = OG_NEW(arena, struct og_vx_functions)};
  struct og_vd start = {.arena = arena, .diagnostics = diagnostics, .zebin = zebin, .linker = &linker};
  struct og_vx_program *program = OG_NEW(arena, struct og_vx_program);
  for (uint32_t u = 0; u < unit_count; u++)
    add_bodies(arena, &units[u], &linker.bodies);
  bool fine = decode_program(&start, &units[0], kernel, program);
  for (uint32_t i = 0; fine && i < linker.wanted.count; i++) { /* each may ask for more */
    struct og_vx_program *function = linker.functions->items.items[i];
    const struct og_vd_body *body = linker.wanted.items[i];
    fine = decode_program(&start, body->unit, body->kernel, function) &&
           (function->shared_size == program->shared_size ||
            og_error_in(diagnostics, body->unit->file, "function '%s' was read for another platform than kernel '%s'",
                        body->kernel->name, kernel->name));
  }
  uint32_t first = program->op_count;
  if (fine)
    og_vx_count_prepare(program, 0);
  for (uint32_t i = 0; fine && i < linker.functions->items.count; first += linker.functions->items.items[i++]->op_count)
    og_vx_count_prepare(linker.functions->items.items[i], first);
  return fine ? program : NULL;
}
