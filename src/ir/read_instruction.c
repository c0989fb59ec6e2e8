/* read_instruction.c - instructions in IR's text, by the shape in their row of opcodes.def. */
#include "ir/reader.h"

#include <string.h>

bool og_ir_read_flags(struct og_ir_reader *r, uint16_t allowed, uint16_t *flags) {
  *flags = 0;
  if (!allowed)
    return true;
  for (;;) {
    if (og_ir_at(r) != OG_IR_T_WORD)
      return true;
    int64_t bit = og_ir_word(r->words, OG_IR_W_FLAG, r->lexer.text);
    if (bit < 0)
      return true;
    if ((uint16_t)bit & ~allowed)
      return og_ir_fail_here(r, "expected type");
    *flags |= (uint16_t)bit;
    og_ir_next(r);
  }
}

static bool comma(struct og_ir_reader *r, const char *message) { return og_ir_expect(r, ',', message); }

/* A comma, but not one that attachments follow, which is left. */
static bool another(struct og_ir_reader *r) {
  if (og_ir_at(r) != ',')
    return false;
  struct og_ir_lexer before = r->lexer;
  og_ir_next(r);
  if (og_ir_at(r) != OG_IR_T_METADATA)
    return true;
  r->lexer = before;
  return false;
}

/* `type value`, onto the stack. */
static bool typed(struct og_ir_reader *r, og_ir_type *type) {
  og_ir_ref ref;
  if (!og_ir_read_typed(r, type, &ref))
    return false;
  og_ir_stack(r, ref);
  return true;
}

static bool value(struct og_ir_reader *r, og_ir_type type) {
  og_ir_ref ref;
  if (!og_ir_read_value(r, type, &ref))
    return false;
  og_ir_stack(r, ref);
  return true;
}

static bool block(struct og_ir_reader *r) {
  og_ir_type type;
  og_ir_place place = og_ir_here(r);
  if (!typed(r, &type))
    return false;
  return type == OG_IR_LABEL || og_ir_fail(r, place, "expected a basic block");
}

/* ---- what ends a block ---- */

static bool read_ret(struct og_ir_reader *r) {
  og_ir_type type;
  if (!og_ir_read_type(r, &type, true))
    return false;
  return type == OG_IR_VOID || value(r, type);
}

static bool read_br(struct og_ir_reader *r) {
  og_ir_type type;
  og_ir_place place = og_ir_here(r);
  if (!typed(r, &type))
    return false;
  if (type == OG_IR_LABEL)
    return true;
  if (og_ir_kind(r->m, type) != OG_IR_INTEGER || og_ir_type_of(r->m, type)->count != 1)
    return og_ir_fail(r, place, "branch condition must have 'i1' type");
  return comma(r, "expected ',' after branch condition") && block(r) &&
         comma(r, "expected ',' after true destination") && block(r);
}

static bool read_switch(struct og_ir_reader *r) {
  og_ir_type type, other;
  og_ir_place place = og_ir_here(r);
  if (!typed(r, &type) || !comma(r, "expected ',' after switch condition") || !block(r) ||
      !og_ir_expect(r, '[', "expected '[' with switch table"))
    return false;
  if (og_ir_kind(r->m, type) != OG_IR_INTEGER)
    return og_ir_fail(r, place, "switch condition must have integer type");
  while (!og_ir_take(r, ']')) {
    place = og_ir_here(r);
    if (og_ir_at(r) == OG_IR_T_END)
      return og_ir_fail_here(r, "expected type");
    if (!typed(r, &other))
      return false;
    const og_ir_ref ref = r->stack.items[r->stack.count - 1];
    if (og_ir_space(ref) != OG_IR_CONSTANT || other != type)
      return og_ir_fail(r, place, "case value is not a constant integer");
    if (!comma(r, "expected ',' after case value") || !block(r))
      return false;
  }
  return true;
}

/* ---- values ---- */

static bool read_binary(struct og_ir_reader *r, og_ir_type *type) {
  return typed(r, type) && comma(r, "expected ',' in arithmetic operation") && value(r, *type);
}

static bool read_compare(struct og_ir_reader *r, bool real, og_ir_type *type, uint8_t *predicate) {
  int64_t word = og_ir_take_class(r, real ? OG_IR_W_FCMP : OG_IR_W_ICMP);
  if (word < 0)
    return og_ir_fail_here(r, real ? "expected fcmp predicate (e.g. 'oeq')" : "expected icmp predicate (e.g. 'eq')");
  *predicate = (uint8_t)word;
  og_ir_type operands;
  if (!typed(r, &operands) || !comma(r, "expected ',' after compare value") || !value(r, operands))
    return false;
  *type = og_ir_with_scalar(r->m, operands, og_ir_integer(r->m, 1));
  return true;
}

static bool read_cast(struct og_ir_reader *r, og_ir_type *type) {
  og_ir_type from;
  return typed(r, &from) && og_ir_expect_word(r, "to") && og_ir_read_type(r, type, false);
}

static bool read_select(struct og_ir_reader *r, og_ir_type *type) {
  og_ir_type other;
  return typed(r, &other) && comma(r, "expected ',' after select condition") && typed(r, type) &&
         comma(r, "expected ',' after select value") && typed(r, &other);
}

static bool read_phi(struct og_ir_reader *r, og_ir_type *type) {
  if (!og_ir_read_type(r, type, false))
    return false;
  do {
    og_ir_ref from;
    if (!og_ir_expect(r, '[', "expected '[' in phi value list") || !value(r, *type) ||
        !comma(r, "expected ',' after insertelement value") || !og_ir_read_value(r, OG_IR_LABEL, &from) ||
        !og_ir_expect(r, ']', "expected ']' in phi value list"))
      return false;
    og_ir_stack(r, from);
  } while (another(r));
  return true;
}

/* ---- vectors and aggregates ---- */

static bool read_extract_element(struct og_ir_reader *r, og_ir_type *type) {
  og_ir_type vector, index;
  og_ir_place place = og_ir_here(r);
  if (!typed(r, &vector) || !comma(r, "expected ',' after extract value") || !typed(r, &index))
    return false;
  if (!og_ir_is_vector(r->m, vector))
    return og_ir_fail(r, place, "invalid extractelement operands");
  *type = og_ir_part(r->m, vector, 0);
  return true;
}

static bool read_insert_element(struct og_ir_reader *r, og_ir_type *type) {
  og_ir_type other;
  return typed(r, type) && comma(r, "expected ',' after insertelement value") && typed(r, &other) &&
         comma(r, "expected ',' after insertelement value") && typed(r, &other);
}

/* The mask, a constant of i32s, as numbers in the pool. */
static bool mask_numbers(struct og_ir_reader *r, og_ir_ref mask, uint32_t *place) {
  const struct og_ir_constant *c = og_ir_constant_of(r->m, mask);
  const struct og_ir_type_record *t = og_ir_type_of(r->m, c->type);
  uint32_t count = (uint32_t)t->count;
  if ((t->kind != OG_IR_VECTOR && t->kind != OG_IR_SCALABLE) || count > 1 << 16)
    return false;
  const struct og_ir_type_record *e = og_ir_type_of(r->m, og_ir_part(r->m, c->type, 0));
  if (e->kind != OG_IR_INTEGER || e->count != 32)
    return false;
  uint32_t at = og_ir_pool(r->m, count + 1);
  c = og_ir_constant_of(r->m, mask);
  uint32_t *pool = r->m->pool.items;
  pool[at] = count;
  for (uint32_t i = 0; i < count; i++) {
    const struct og_ir_constant *part = c;
    if (c->kind == OG_IR_C_AGGREGATE || c->kind == OG_IR_C_SPLAT)
      part = og_ir_constant_of(r->m, pool[c->first + (c->kind == OG_IR_C_SPLAT ? 0 : i)]);
    bool nothing = part->kind == OG_IR_C_UNDEF || part->kind == OG_IR_C_POISON;
    if (!nothing && part->kind != OG_IR_C_NUMBER && part->kind != OG_IR_C_ZERO)
      return false;
    pool[at + 1 + i] = nothing ? UINT32_MAX : part->kind == OG_IR_C_ZERO ? 0 : (uint32_t)part->value;
  }
  *place = at;
  return true;
}

static bool read_shuffle(struct og_ir_reader *r, og_ir_type *type, uint32_t *extra) {
  og_ir_type left, right, mask;
  og_ir_ref ref;
  og_ir_place place = og_ir_here(r);
  if (!typed(r, &left) || !comma(r, "expected ',' after shuffle mask") || !typed(r, &right) ||
      !comma(r, "expected ',' after shuffle value") || !og_ir_read_typed(r, &mask, &ref))
    return false;
  if (og_ir_space(ref) != OG_IR_CONSTANT || !og_ir_is_vector(r->m, left) || !mask_numbers(r, ref, extra))
    return og_ir_fail(r, place, "invalid shufflevector operands");
  *type = og_ir_with_scalar(r->m, mask, og_ir_part(r->m, left, 0));
  return true;
}

/* `, 1, 2`: indices in an aggregate, as numbers in the pool; *type becomes the type of what is there. */
static bool read_indices(struct og_ir_reader *r, og_ir_type *type, uint32_t *extra) {
  og_ir_place place = og_ir_here(r);
  uint32_t from = r->stack.count;
  if (!comma(r, "expected ',' as start of index list"))
    return false;
  do {
    uint32_t index;
    if (!og_ir_read_u32(r, &index))
      return false;
    og_ir_stack(r, index);
    uint8_t kind = og_ir_kind(r->m, *type);
    *type = kind == OG_IR_STRUCT || (kind == OG_IR_ARRAY && index < og_ir_type_of(r->m, *type)->count)
                ? og_ir_element(r->m, *type, index)
                : OG_IR_NONE;
    if (*type == OG_IR_NONE)
      return og_ir_fail(r, place, "invalid indices for extractvalue");
  } while (another(r));
  *extra = og_ir_take_list(r, from, 1);
  return true;
}

static bool read_extract_value(struct og_ir_reader *r, og_ir_type *type, uint32_t *extra) {
  return typed(r, type) && read_indices(r, type, extra);
}

static bool read_insert_value(struct og_ir_reader *r, og_ir_type *type, uint32_t *extra) {
  og_ir_type what, there;
  if (!typed(r, type) || !comma(r, "expected comma after insertvalue operand"))
    return false;
  og_ir_place place = og_ir_here(r);
  if (!typed(r, &what))
    return false;
  there = *type;
  if (!read_indices(r, &there, extra))
    return false;
  return there == what || og_ir_fail(r, place, "insertvalue operand and field disagree in type: '%s' instead of '%s'",
                                     og_ir_type_text(r, what), og_ir_type_text(r, there));
}

/* ---- memory ---- */

bool og_ir_read_ordering(struct og_ir_reader *r, uint8_t *ordering) {
  int64_t word = og_ir_take_class(r, OG_IR_W_ORDERING);
  *ordering = (uint8_t)word;
  return word >= 0 || og_ir_fail_here(r, "expected ordering on atomic instruction");
}

bool og_ir_read_scope(struct og_ir_reader *r, uint16_t *scope) {
  *scope = 1;
  if (!og_ir_take_word(r, "syncscope"))
    return true;
  struct og_text name;
  if (!og_ir_expect(r, '(', "expected '(' in syncscope") || !og_ir_read_string(r, &name) ||
      !og_ir_expect(r, ')', "expected ')' in syncscope"))
    return false;
  uint32_t number = og_ir_scope(r->m, name);
  *scope = (uint16_t)number;
  return number <= UINT16_MAX || og_ir_fail_here(r, "too many synchronization scopes");
}

/* `, align 4` */
static bool read_comma_align(struct og_ir_reader *r, uint8_t *align) {
  while (another(r)) {
    if (!og_ir_take_word(r, "align"))
      return og_ir_fail_here(r, "expected metadata or 'align'");
    if (!og_ir_read_align(r, align))
      return false;
  }
  return true;
}

static bool read_atomic_tail(struct og_ir_reader *r, uint16_t flags, uint8_t *align, uint32_t *extra) {
  struct og_ir_memory memory = {.scope = 1};
  if (flags & OG_IR_F_ATOMIC && (!og_ir_read_scope(r, &memory.scope) || !og_ir_read_ordering(r, &memory.ordering)))
    return false;
  *extra = og_ir_pack_memory(memory);
  return read_comma_align(r, align);
}

static bool read_load(struct og_ir_reader *r, uint16_t flags, og_ir_type *type, uint8_t *align, uint32_t *extra) {
  og_ir_type pointer;
  og_ir_place place = og_ir_here(r);
  if (!og_ir_read_type(r, type, false) || !comma(r, "expected comma after load's type") || !typed(r, &pointer) ||
      !read_atomic_tail(r, flags, align, extra))
    return false;
  return og_ir_is_sized(r->m, *type) || og_ir_fail(r, place, "loading unsized types is not allowed");
}

static bool read_store(struct og_ir_reader *r, uint16_t flags, uint8_t *align, uint32_t *extra) {
  og_ir_type what, pointer;
  return typed(r, &what) && comma(r, "expected ',' after store operand") && typed(r, &pointer) &&
         read_atomic_tail(r, flags, align, extra);
}

static bool read_cmpxchg(struct og_ir_reader *r, og_ir_type *type, uint8_t *align, uint32_t *extra) {
  struct og_ir_memory memory = {0};
  og_ir_type pointer, compared, stored;
  if (!typed(r, &pointer) || !comma(r, "expected ',' after cmpxchg address") || !typed(r, &compared) ||
      !comma(r, "expected ',' after cmpxchg cmp operand") || !typed(r, &stored) ||
      !og_ir_read_scope(r, &memory.scope) || !og_ir_read_ordering(r, &memory.ordering) ||
      !og_ir_read_ordering(r, &memory.failure))
    return false;
  *extra = og_ir_pack_memory(memory);
  og_ir_type parts[] = {compared, og_ir_integer(r->m, 1)};
  *type = og_ir_struct(r->m, parts, 2, false);
  return read_comma_align(r, align);
}

static bool read_rmw(struct og_ir_reader *r, og_ir_type *type, uint8_t *align, uint32_t *extra) {
  struct og_ir_memory memory = {0};
  og_ir_type pointer;
  int64_t operation = og_ir_take_class(r, OG_IR_W_RMW);
  if (operation < 0)
    return og_ir_fail_here(r, "expected binary operation in atomicrmw");
  memory.operation = (uint8_t)operation;
  if (!typed(r, &pointer) || !comma(r, "expected ',' after atomicrmw address") || !typed(r, type) ||
      !og_ir_read_scope(r, &memory.scope) || !og_ir_read_ordering(r, &memory.ordering))
    return false;
  *extra = og_ir_pack_memory(memory);
  return read_comma_align(r, align);
}

static bool read_fence(struct og_ir_reader *r, uint32_t *extra) {
  struct og_ir_memory memory = {0};
  if (!og_ir_read_scope(r, &memory.scope) || !og_ir_read_ordering(r, &memory.ordering))
    return false;
  *extra = og_ir_pack_memory(memory);
  return true;
}

static bool read_alloca(struct og_ir_reader *r, og_ir_type *type, uint8_t *align, uint32_t *extra) {
  uint32_t space = r->alloca_space;
  og_ir_type count;
  og_ir_place place = og_ir_here(r);
  if (og_ir_at_word(r, "inalloca") || og_ir_at_word(r, "swifterror"))
    return og_ir_fail_here(r, "alloca of this kind is not handled");
  if (!og_ir_read_type(r, extra, false))
    return false;
  if (!og_ir_is_sized(r->m, *extra))
    return og_ir_fail(r, place, "invalid type for alloca");
  while (another(r)) {
    bool ok = og_ir_take_word(r, "align")       ? og_ir_read_align(r, align)
              : og_ir_at_word(r, "addrspace") ? og_ir_read_address_space(r, &space, space)
                                              : typed(r, &count);
    if (!ok)
      return false;
  }
  *type = og_ir_pointer(r->m, space);
  return true;
}

static bool read_address(struct og_ir_reader *r, og_ir_type *type, uint32_t *extra) {
  og_ir_type operand;
  og_ir_place place = og_ir_here(r);
  if (!og_ir_read_type(r, extra, false) || !comma(r, "expected comma after getelementptr's type") || !typed(r, type))
    return false;
  if (!og_ir_is_sized(r->m, *extra))
    return og_ir_fail(r, place, "base element of getelementptr must be sized");
  while (another(r)) {
    if (!typed(r, &operand))
      return false;
    if (og_ir_is_vector(r->m, operand) && !og_ir_is_vector(r->m, *type))
      *type = og_ir_with_scalar(r->m, operand, *type);
  }
  return true;
}

static bool read_va_arg(struct og_ir_reader *r, og_ir_type *type) {
  og_ir_type list;
  return typed(r, &list) && comma(r, "expected ',' after vaarg operand") && og_ir_read_type(r, type, false);
}

/* ---- one of them ---- */

/* Refuses known instructions that GPUs have no use for. */
static bool refuse(struct og_ir_reader *r) {
  static const char *const names[] = {"indirectbr", "callbr",   "invoke",   "resume",     "landingpad",
                                      "cleanupret", "catchret", "catchpad", "cleanuppad", "catchswitch"};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (og_ir_at_word(r, names[i]))
      return og_ir_fail(r, og_ir_here(r), "instruction '%s' is not handled: GPUs have no code for it", names[i]);
  return og_ir_fail_here(r, "expected instruction opcode");
}

bool og_ir_read_instruction(struct og_ir_reader *r, uint32_t *record) {
  int64_t tail = og_ir_take_class(r, OG_IR_W_TAIL);
  if (tail >= 0 && !og_ir_at_word(r, "call"))
    return og_ir_fail_here(r, "expected 'call'");
  int64_t word = og_ir_take_class(r, OG_IR_W_OPCODE);
  if (word < 0 || og_ir_opcodes[word].shape == OG_IR_SHAPE_DEBUG)
    return refuse(r);
  const struct og_ir_opcode_row *row = &og_ir_opcodes[word];
  if (row->shape == OG_IR_SHAPE_CALL)
    return og_ir_read_call(r, tail < 0 ? OG_IR_NO_MARK : (uint8_t)tail, record);
  uint16_t flags = 0;
  uint8_t sub = 0;
  uint32_t extra = 0, from = r->stack.count;
  og_ir_type type = OG_IR_VOID;
  if (!og_ir_read_flags(r, row->flags, &flags))
    return false;
  bool ok = true;
  switch (row->shape) {
  case OG_IR_SHAPE_RET: ok = read_ret(r); break;
  case OG_IR_SHAPE_BR: ok = read_br(r); break;
  case OG_IR_SHAPE_SWITCH: ok = read_switch(r); break;
  case OG_IR_SHAPE_UNARY_FLOAT:
  case OG_IR_SHAPE_FREEZE: ok = typed(r, &type); break;
  case OG_IR_SHAPE_BINARY_INT:
  case OG_IR_SHAPE_BINARY_FLOAT: ok = read_binary(r, &type); break;
  case OG_IR_SHAPE_ICMP: ok = read_compare(r, false, &type, &sub); break;
  case OG_IR_SHAPE_FCMP: ok = read_compare(r, true, &type, &sub); break;
  case OG_IR_SHAPE_CAST: ok = read_cast(r, &type); break;
  case OG_IR_SHAPE_SELECT: ok = read_select(r, &type); break;
  case OG_IR_SHAPE_PHI: ok = read_phi(r, &type); break;
  case OG_IR_SHAPE_EXTRACTELEMENT: ok = read_extract_element(r, &type); break;
  case OG_IR_SHAPE_INSERTELEMENT: ok = read_insert_element(r, &type); break;
  case OG_IR_SHAPE_SHUFFLEVECTOR: ok = read_shuffle(r, &type, &extra); break;
  case OG_IR_SHAPE_EXTRACTVALUE: ok = read_extract_value(r, &type, &extra); break;
  case OG_IR_SHAPE_INSERTVALUE: ok = read_insert_value(r, &type, &extra); break;
  case OG_IR_SHAPE_LOAD: ok = read_load(r, flags, &type, &sub, &extra); break;
  case OG_IR_SHAPE_STORE: ok = read_store(r, flags, &sub, &extra); break;
  case OG_IR_SHAPE_CMPXCHG: ok = read_cmpxchg(r, &type, &sub, &extra); break;
  case OG_IR_SHAPE_ATOMICRMW: ok = read_rmw(r, &type, &sub, &extra); break;
  case OG_IR_SHAPE_FENCE: ok = read_fence(r, &extra); break;
  case OG_IR_SHAPE_ALLOCA: ok = read_alloca(r, &type, &sub, &extra); break;
  case OG_IR_SHAPE_GETELEMENTPTR:
    flags |= flags & OG_IR_F_INBOUNDS ? OG_IR_F_NUSW : 0;
    ok = read_address(r, &type, &extra);
    break;
  case OG_IR_SHAPE_VA_ARG: ok = read_va_arg(r, &type); break;
  default: break;
  }
  if (!ok)
    return false;
  *record = og_ir_emit(r, (uint8_t)word, type, from);
  struct og_ir_inst *inst = &r->f->insts.items[*record];
  inst->flags = flags;
  inst->sub = sub;
  inst->extra = extra;
  return true;
}
