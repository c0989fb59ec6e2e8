/* check.c - registers that were never written. For each byte of a register, channel of a predicate and element of an
   address it is known whether it is defined. What is computed from undefined values is undefined. That is only reported
   where it decides something - an address, a branch, a predicate of a message, what goes to memory - since compilers
   move and compute on registers of which a part is not used. */
#include "visa/exec/check.h"

#include <string.h>

enum { SCREEN = 20 }; /* findings that are printed */

void og_vx_find(struct og_vx_thread *thread, const struct og_vx_op *op, enum og_vx_finding kind, const char *format,
                ...) {
  struct og_vx_check *check = thread->check;
  const uintptr_t key[2] = {(uintptr_t)op, kind};
  struct og_text text = {(const char *)key, sizeof key};
  if (og_map_get(&check->told, text))
    return;
  text.data = og_arena_copy(check->arena, text.data, text.size);
  *og_map_at(check->arena, &check->told, text) = check;
  char what[256];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  if (check->report(check->context, thread, op, kind, what, check->findings < SCREEN))
    check->findings++;
}

/* ---- the state --------------------------------------------------------------------------------------------------- */

size_t og_vx_defined_size(const struct og_vx_program *program) {
  return og_align_up(program->register_size, 64) + og_align_up(4ull * program->predicate_count, 64) +
         og_align_up(program->address_count, 64);
}

void og_vx_defined_place(struct og_vx_thread *thread, const struct og_vx_program *program, uint8_t *memory) {
  struct og_vx_defined *defined = &thread->defined;
  defined->registers = memory;
  defined->predicates = (uint32_t *)(void *)(memory + og_align_up(program->register_size, 64));
  defined->addresses =
      memory + og_align_up(program->register_size, 64) + og_align_up(4ull * program->predicate_count, 64);
}

void og_vx_define(struct og_vx_thread *thread, uint32_t offset, uint32_t size) {
  memset(thread->defined.registers + offset, 1, size);
}

void og_vx_undefine(struct og_vx_thread *thread, uint32_t offset, uint32_t size) {
  memset(thread->defined.registers + offset, 0, size);
}

void og_vx_defined_reset(struct og_vx_thread *thread) {
  memset(thread->defined.registers, 0, og_vx_defined_size(thread->program));
  og_vx_define(thread, 0, thread->program->shared_size); /* predefined variables have values */
}

static bool bytes_defined(const struct og_vx_thread *thread, uint64_t offset, uint32_t size) {
  return offset + size > thread->program->register_size || !memchr(thread->defined.registers + offset, 0, size);
}

/* The variable at a place, as in "V32, byte 4". */
static const char *name_place(const struct og_vx_thread *thread, uint32_t offset, char *name, size_t size) {
  const struct og_vx_program *program = thread->program;
  const struct og_visa_variables *general = &program->kernel->general;
  for (uint32_t i = 0; i < general->count; i++) {
    uint32_t place = program->places[i];
    if (!general->items[i].alias && offset >= place && offset < place + og_visa_variable_size(&general->items[i])) {
      snprintf(name, size, "%s, byte %u", general->items[i].name, offset - place);
      return name;
    }
  }
  snprintf(name, size, "register byte %u", offset);
  return name;
}

/* Bytes that decide something must be defined. It is reported once, then they count as defined. */
static void need_bytes(struct og_vx_thread *thread, const struct og_vx_op *op, uint64_t offset, uint32_t size,
                       const char *what, uint32_t channel) {
  char name[160];
  if (bytes_defined(thread, offset, size))
    return;
  const uint8_t *first = memchr(thread->defined.registers + offset, 0, size);
  og_vx_find(thread, op, OG_VX_UNDEFINED, "undefined: channel %u's %s depends on registers that nothing wrote (%s)",
             channel, what, name_place(thread, (uint32_t)(first - thread->defined.registers), name, sizeof name));
  og_vx_define(thread, (uint32_t)offset, size);
}

/* The operation's channels whose predicate was never set. */
static uint32_t unknown_predicate(const struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (op->predicate_mode == OG_VX_PREDICATE_NONE)
    return 0;
  uint32_t unknown = ~thread->defined.predicates[op->predicate] >> op->mask_offset & op->full;
  return op->predicate_mode == OG_VX_PREDICATE_EACH || !unknown ? unknown : op->full;
}

static void need_predicate(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t channels,
                           const char *what) {
  uint32_t unknown = unknown_predicate(thread, op) & channels;
  if (!unknown)
    return;
  og_vx_find(thread, op, OG_VX_UNDEFINED,
             "undefined: channel %d's %s depends on predicate P%u, which nothing set there", __builtin_ctz(unknown),
             what, op->predicate);
  thread->defined.predicates[op->predicate] |= unknown << op->mask_offset;
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

enum { CONSTANT = -1 }; /* no register */

static void need_address(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t element) {
  if (!thread->defined.addresses[element])
    og_vx_find(thread, op, OG_VX_UNDEFINED,
               "undefined: the address of an indirect operand depends on registers that nothing wrote");
  thread->defined.addresses[element] = 1;
}

/* Where channel i's element stands. */
static int64_t element_place(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_source *source,
                             uint32_t i) {
  uint32_t row = source->width ? i / source->width : 0, column = source->width ? i % source->width : 0;
  switch (source->kind) {
  case OG_VX_DIRECT:
    return source->base == OG_VX_CONSTANTS ? CONSTANT : (int64_t)source->offset + (i << source->size_log2);
  case OG_VX_SCALAR: return source->base == OG_VX_CONSTANTS ? CONSTANT : (int64_t)source->offset;
  case OG_VX_REGION:
    return (int64_t)source->offset + ((row * source->vertical + column * source->horizontal) << source->size_log2);
  default: {
    uint32_t element = source->address + (source->multi_address ? row : 0);
    need_address(thread, op, element);
    int64_t step = column * source->horizontal + (source->multi_address ? 0 : row * source->vertical);
    int64_t at = (int64_t)thread->addresses[element] + source->displacement + (step << source->size_log2);
    return at < 0 || at + 8 > (int64_t)thread->program->register_size ? CONSTANT : at; /* the executor reports that */
  }
  }
}

static bool element_defined(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_source *source,
                            uint32_t i) {
  int64_t at = element_place(thread, op, source, i);
  return at == CONSTANT || bytes_defined(thread, (uint64_t)at, 1u << source->size_log2);
}

static void need_scalar(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_source *source,
                        const char *what) {
  int64_t at = element_place(thread, op, source, 0);
  if (at != CONSTANT)
    need_bytes(thread, op, (uint64_t)at, 1u << source->size_log2, what, 0);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* Channels whose sources are all defined. */
static uint32_t defined_channels(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = 0;
  for (uint32_t i = 0; i < op->exec_size; i++) {
    bool fine = true;
    for (uint32_t s = 0; s < op->source_count; s++)
      fine &= element_defined(thread, op, &op->source[s], i);
    channels |= (uint32_t)fine << i;
  }
  return channels;
}

static uint8_t *result_place(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_destination *to,
                             uint32_t i) {
  if (!to->indirect)
    return thread->defined.registers + to->offset + ((i * to->stride) << to->size_log2);
  need_address(thread, op, to->address);
  int64_t at =
      (int64_t)thread->addresses[to->address] + to->displacement + (int64_t)((i * to->stride) << to->size_log2);
  return at < 0 || at + 8 > (int64_t)thread->program->register_size ? NULL : thread->defined.registers + at;
}

/* The bytes of each written channel are all defined or all not; of a channel that is perhaps not written they are
   not. */
static void put_channels(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_destination *to,
                         uint32_t channels, uint32_t enabled) {
  uint32_t unknown = unknown_predicate(thread, op) & og_vx_mask(thread, op);
  for (uint32_t left = enabled | unknown; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    uint8_t *place = result_place(thread, op, to, i);
    if (place)
      memset(place, channels >> i & ~unknown >> i & 1, (size_t)1 << to->size_log2);
  }
}

static void put_predicate(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t index, uint32_t channels,
                          uint32_t enabled) {
  uint32_t *to = &thread->defined.predicates[index];
  *to = (*to & ~(enabled << op->mask_offset)) | (channels & enabled) << op->mask_offset;
}

/* ---- byte by byte ------------------------------------------------------------------------------------------------ */

/* Whether integers are moved or combined bit by bit: then each byte of the result depends on the same bytes of the
   sources. */
static bool is_bytewise(const struct og_vx_op *op) {
  uint8_t opcode = op->inst->opcode;
  if (opcode != OG_VISA_OP_MOV && opcode != OG_VISA_OP_AND && opcode != OG_VISA_OP_OR && opcode != OG_VISA_OP_XOR &&
      opcode != OG_VISA_OP_NOT)
    return false;
  for (uint32_t s = 0; s < op->source_count; s++) {
    const struct og_visa_operand *operand = &op->inst->operands[1 + s];
    bool same = op->destination.type == op->source[s].type;
    if (operand->kind != OG_VISA_IMMEDIATE &&
        (op->source[s].size_log2 < op->destination.size_log2 ||
         (!same && (op->source[s].type >= OG_ALU_F16 || op->destination.type >= OG_ALU_F16))))
      return false;
    if (operand->modifier != OG_VISA_MODIFIER_NONE && operand->modifier != OG_VISA_MODIFIER_NOT)
      return false;
  }
  return !op->inst->saturate && op->source_count <= 2;
}

static bool byte_defined(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t i, uint32_t byte) {
  bool fine = true, decided = false;
  uint8_t neutral = op->inst->opcode == OG_VISA_OP_OR ? 0xff : 0; /* a byte that decides the result alone */
  bool may_decide = op->inst->opcode == OG_VISA_OP_AND || op->inst->opcode == OG_VISA_OP_OR;
  for (uint32_t s = 0; s < op->source_count; s++) {
    const struct og_vx_source *source = &op->source[s];
    const struct og_visa_operand *operand = &op->inst->operands[1 + s];
    int64_t at = element_place(thread, op, source, i);
    uint8_t value = operand->modifier == OG_VISA_MODIFIER_NOT ? 0xff : 0;
    if (at == CONSTANT) {
      decided |=
          may_decide && operand->kind == OG_VISA_IMMEDIATE && (value ^ (operand->bits >> 8 * byte & 0xff)) == neutral;
      continue;
    }
    bool defined = thread->defined.registers[at + byte];
    value ^= thread->base[OG_VX_REGISTERS][at + byte];
    decided |= may_decide && defined && value == neutral;
    fine &= defined;
  }
  return fine || decided;
}

static void put_bytes(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  uint8_t bytes[OG_VX_OPERAND_BYTES];
  uint32_t size = 1u << op->destination.size_log2, unknown = unknown_predicate(thread, op) & og_vx_mask(thread, op);
  for (uint32_t i = 0; i < op->exec_size; i++)
    for (uint32_t b = 0; b < size; b++)
      bytes[i * size + b] = !(unknown >> i & 1) && byte_defined(thread, op, i, b);
  for (uint32_t left = enabled | unknown; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    uint8_t *place = result_place(thread, op, &op->destination, i);
    if (place)
      memcpy(place, bytes + i * size, size);
  }
}

/* ---- operations without messages --------------------------------------------------------------------------------- */

/* Both sources are the same register: whatever it holds, they are equal and their difference in bits is 0. Compilers
   use this to find the channels that run. */
static bool same_operands(const struct og_vx_op *op) {
  const struct og_visa_operand *a = &op->inst->operands[1], *b = &op->inst->operands[2];
  return a->kind == OG_VISA_GENERAL && b->kind == OG_VISA_GENERAL && a->variable == b->variable && a->row == b->row &&
         a->column == b->column && a->vertical == b->vertical && a->width == b->width &&
         a->horizontal == b->horizontal && a->modifier == b->modifier;
}

static void check_computation(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  if (is_bytewise(op) && !(op->inst->opcode == OG_VISA_OP_XOR && same_operands(op))) {
    put_bytes(thread, op, enabled);
    return;
  }
  bool same = op->inst->opcode == OG_VISA_OP_XOR && same_operands(op);
  uint32_t channels = same ? op->full : defined_channels(thread, op);
  put_channels(thread, op, &op->destination, channels, enabled);
  if (op->run == og_vx_run_two_results)
    put_channels(thread, op, &op->destination2, channels, enabled);
  if (op->run == og_vx_run_add3_overflow || op->run == og_vx_run_math_macro)
    put_predicate(thread, op, op->predicate_destination, channels, enabled);
}

/* Results that depend on several channels are all defined or all not. */
static void check_across(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  bool fine = op->run == og_vx_run_line ? true : defined_channels(thread, op) == op->full;
  for (uint32_t i = 0; op->run == og_vx_run_line && i < (op->kind ? 2u * op->exec_size : op->exec_size); i++)
    fine &=
        element_defined(thread, op, &op->source[1], i) && (i >= 4 || element_defined(thread, op, &op->source[0], i));
  put_channels(thread, op, &op->destination, fine ? op->full : 0, enabled);
}

static void check_select(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t first = og_vx_predicate_bits(thread, op), channels = 0, unknown = unknown_predicate(thread, op);
  for (uint32_t i = 0; i < op->exec_size; i++)
    channels |= (uint32_t)element_defined(thread, op, &op->source[first >> i & 1 ? 0 : 1], i) << i;
  put_channels(thread, op, &op->destination, channels & ~unknown, og_vx_mask(thread, op));
}

/* and, or, xor, not of predicates: one side may decide a bit alone. */
static void check_predicate_logic(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_defined *defined = &thread->defined;
  uint32_t a = thread->predicates[op->predicate_source], b = thread->predicates[op->predicate_source2];
  uint32_t da = defined->predicates[op->predicate_source], db = defined->predicates[op->predicate_source2];
  uint32_t channels = da & db;
  if (op->inst->opcode == OG_VISA_OP_AND)
    channels |= (da & ~a) | (db & ~b);
  else if (op->inst->opcode == OG_VISA_OP_OR)
    channels |= (da & a) | (db & b);
  put_predicate(thread, op, op->predicate_destination, channels >> op->mask_offset, op->full);
}

static void check_setp(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  uint32_t channels = 0;
  if (op->kind)
    channels = element_defined(thread, op, &op->source[0], 0) ? op->full : 0;
  else
    channels = defined_channels(thread, op);
  put_predicate(thread, op, op->predicate_destination, channels, op->kind ? op->full : enabled);
}

/* The bits of a predicate, as many as the operation and the variable have channels, as an integer. */
static void check_move_predicate(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  const struct og_visa_variables *predicates = &thread->program->kernel->predicate;
  uint32_t n = op->predicate_source, count = n < predicates->count ? predicates->items[n].elements : 32;
  uint32_t bits = 8u << op->destination.size_log2;
  uint32_t needed = OG_MIN(count, bits) >= 32 ? ~0u : (1u << OG_MIN(count, bits)) - 1;
  bool fine = (thread->defined.predicates[n] & needed) == needed;
  put_channels(thread, op, &op->destination, fine ? op->full : 0, enabled);
}

static void check_addresses(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  struct og_vx_defined *defined = &thread->defined;
  if (op->run == og_vx_run_move_address && op->kind) {
    uint32_t channels = 0;
    for (uint32_t i = 0; i < op->exec_size; i++)
      channels |= (uint32_t)(defined->addresses[op->predicate_source + i] != 0) << i;
    put_channels(thread, op, &op->destination, channels, enabled);
    return;
  }
  uint32_t channels = defined_channels(thread, op);
  bool added = op->run == og_vx_run_address && !op->kind;
  for (uint32_t left = enabled; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    bool base = !added || defined->addresses[op->predicate_source + i % op->target];
    defined->addresses[op->predicate_destination + i] = base && channels >> i & 1;
  }
}

/* A barrier needs all channels with which the thread was started. */
static void check_barrier(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (thread->channels != thread->dispatched)
    og_vx_find(thread, op, OG_VX_DIVERGENT, "undefined: a barrier that channels 0x%x reach without the others of 0x%x",
               thread->channels, thread->dispatched);
}

static void check_branch(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = op->uniform || op->run == og_vx_run_jump ? 1 : og_vx_mask(thread, op);
  need_predicate(thread, op, channels, "branch");
  for (uint32_t s = 0; s < op->source_count; s++)
    need_scalar(thread, op, &op->source[s], "branch");
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

void og_vx_check_move(struct og_vx_thread *thread, const uint8_t *memory, const uint8_t *registers, uint32_t size,
                      uint32_t container, bool store) {
  const struct og_vx_check *check = thread->check;
  bool own = memory && ((memory >= thread->scratch && memory < thread->scratch + thread->scratch_size) ||
                        (memory >= check->private_memory && memory < check->private_memory + check->private_size));
  if (registers) {
    uint32_t offset = (uint32_t)(registers - thread->base[OG_VX_REGISTERS]);
    if (!store)
      og_vx_define(thread, offset, container);
    else if (!own)
      need_bytes(thread, check->op, offset, size, "data", 0);
  }
  if (memory && !own)
    og_vx_race_access(thread, memory, size, store ? OG_VX_WRITE : OG_VX_READ);
}

static void check_atomic_operands(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  const struct og_vx_message *message = op->message;
  const uint32_t operands[2] = {message->data1, message->data2};
  for (uint32_t left = enabled; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    for (uint32_t k = 0; k < 2; k++)
      if (operands[k] != OG_VX_NO_DATA)
        need_bytes(thread, op, operands[k] + (uint64_t)i * message->channel_step, message->size, "atomic operand", i);
    if (message->data != OG_VX_NO_DATA)
      og_vx_define(thread, message->data + i * message->channel_step, message->container);
  }
}

static bool is_image(const struct og_vx_op *op) {
  return op->run == og_vx_run_typed || op->run == og_vx_run_typed_atomic || op->run == og_vx_run_image_load ||
         op->run == og_vx_run_image_sample;
}

/* The first coordinate, which every image has; then the other parameters. */
static void check_parameters(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t i) {
  const struct og_vx_message *message = op->message;
  for (uint32_t n = 0; n < OG_VX_PARAMETERS; n++)
    if ((n == 0 || n > 2) && message->memory_offset[n] != OG_VX_NO_DATA)
      need_bytes(thread, op, message->memory_offset[n] + (uint64_t)i * message->address_size, message->address_size,
                 n ? "parameter" : "coordinate", i);
}

static void check_texels(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  const struct og_vx_message *message = op->message;
  uint32_t count = (uint32_t)__builtin_popcount(message->components);
  for (uint32_t left = enabled; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    if (is_image(op))
      check_parameters(thread, op, i);
    for (uint32_t k = 0; op->run != og_vx_run_typed_atomic && message->data != OG_VX_NO_DATA && k < count; k++) {
      uint32_t at = message->data + k * message->channel_step + i * message->container;
      if (message->store)
        need_bytes(thread, op, at, message->container, "data", i);
      else
        og_vx_define(thread, at, message->container);
    }
  }
  if (message->null_mask && message->data != OG_VX_NO_DATA)
    og_vx_define(thread, message->data + count * message->channel_step, 4);
  if (op->run == og_vx_run_typed_atomic)
    check_atomic_operands(thread, op, enabled);
}

static void check_dpas(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *m = op->message;
  uint32_t element = m->container, count = (uint32_t)m->components * op->exec_size;
  bool pair = op->run == og_vx_run_dpasw; /* whose activations stand in two threads */
  bool fine = bytes_defined(thread, m->data2, m->blocks * thread->program->grf_size) &&
              (pair || bytes_defined(thread, m->addresses, og_vx_dpas_activation_bytes(m)));
  for (uint32_t i = 0; i < count; i++) {
    bool sum = m->data1 == OG_VX_NO_DATA || bytes_defined(thread, m->data1 + (uint64_t)i * element, element);
    memset(thread->defined.registers + m->data + (size_t)i * element, fine && sum, element);
  }
}

static void check_media(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  for (uint32_t row = 0; row < message->block_height; row++) {
    uint32_t at = message->data + row * message->channel_step;
    if (message->store)
      need_bytes(thread, op, at, message->block_width, "data", 0);
    else
      og_vx_define(thread, at, message->block_width);
  }
}

static void check_message(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t enabled) {
  const struct og_vx_message *message = op->message;
  bool memory = op->run == og_vx_run_gather || op->run == og_vx_run_gather_flat || op->run == og_vx_run_shared_dwords ||
                op->run == og_vx_run_atomic || (op->run == og_vx_run_block && message->address_size);
  need_predicate(thread, op, og_vx_mask(thread, op), "message");
  if (!enabled || (message->data == OG_VX_NO_DATA && op->run != og_vx_run_atomic && op->run != og_vx_run_typed_atomic))
    return;
  for (uint32_t s = 0; s < op->source_count; s++)
    need_scalar(thread, op, &op->source[s], "address");
  bool single = message->strided || op->run == og_vx_run_block;
  for (uint32_t left = single ? 1 : enabled; memory && left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    need_bytes(thread, op, message->addresses + (uint64_t)i * message->address_size, message->address_size, "address",
               i);
  }
  if (op->run == og_vx_run_atomic)
    check_atomic_operands(thread, op, enabled);
  else if (op->run == og_vx_run_media)
    check_media(thread, op);
  else if (is_image(op) || op->run == og_vx_run_image_info)
    check_texels(thread, op, enabled);
}

/* ---- any operation ----------------------------------------------------------------------------------------------- */

void og_vx_check_op(struct og_vx_thread *thread, const struct og_vx_op *op) {
  static og_vx_handler *const branches[] = {og_vx_run_goto_forward, og_vx_run_goto_backward, og_vx_run_jump,
                                            og_vx_run_switch,       og_vx_run_call,          og_vx_run_function_call,
                                            og_vx_run_return};
  uint32_t enabled = og_vx_enabled(thread, op);
  thread->check->op = op;
  for (uint32_t i = 0; i < OG_COUNT(branches); i++)
    if (op->run == branches[i]) {
      check_branch(thread, op);
      return;
    }
  if (op->run == og_vx_run_barrier)
    check_barrier(thread, op);
  else if (op->run == og_vx_run_dpas || op->run == og_vx_run_dpasw)
    check_dpas(thread, op);
  else if (op->message)
    check_message(thread, op, enabled);
  else if (op->run == og_vx_run_select)
    check_select(thread, op);
  else if (op->run == og_vx_run_compare || op->run == og_vx_run_compare2)
    put_predicate(thread, op, op->predicate_destination, same_operands(op) ? op->full : defined_channels(thread, op),
                  enabled);
  else if (op->run == og_vx_run_predicate_logic)
    check_predicate_logic(thread, op);
  else if (op->run == og_vx_run_setp)
    check_setp(thread, op, enabled);
  else if (op->run == og_vx_run_move_predicate)
    check_move_predicate(thread, op, enabled);
  else if (op->run == og_vx_run_address || op->run == og_vx_run_move_address)
    check_addresses(thread, op, enabled);
  else if (op->run == og_vx_run_move_surface || op->run == og_vx_run_named_signal || op->run == og_vx_run_named_wait)
    for (uint32_t s = 0; s < op->source_count; s++)
      need_scalar(thread, op, &op->source[s], op->run == og_vx_run_move_surface ? "surface" : "barrier");
  else if (op->run == og_vx_run_sum_of_products || op->run == og_vx_run_absolute_differences ||
           op->run == og_vx_run_line)
    check_across(thread, op, enabled);
  else if (op->source_count)
    check_computation(thread, op, enabled);
  if (op->run == og_vx_run_move_surface && op->kind == 1)
    put_channels(thread, op, &op->destination, op->full, enabled);
}
