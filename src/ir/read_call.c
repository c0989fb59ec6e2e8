/* read_call.c - calls in IR's text; those of debug intrinsics become debug records. */
#include "ir/reader.h"

#include <string.h>

/* (type attributes value, …): values go to the stack behind `from`; types and sets alternate in `described`. */
static bool read_arguments(struct og_ir_reader *r, void *described) {
  OG_VECTOR(uint32_t) *types = described;
  if (!og_ir_expect(r, '(', "expected '(' in call"))
    return false;
  while (og_ir_at(r) != ')') {
    if (og_ir_at(r) == OG_IR_T_ELLIPSIS)
      return og_ir_fail_here(r, "forwarding of variable arguments is not handled");
    og_ir_type type;
    og_ir_ref ref;
    if (!og_ir_read_type(r, &type, false) || !og_ir_read_attributes(r, false))
      return false;
    uint32_t set = og_ir_take_set(r, 0);
    bool metadata = type == OG_IR_METADATA_TYPE;
    if (metadata ? !og_ir_read_metadata_operand(r, &ref) : !og_ir_read_value(r, type, &ref))
      return false;
    og_ir_stack(r, ref);
    *OG_PUSH(r->scratch, types) = type;
    *OG_PUSH(r->scratch, types) = set;
    if (!og_ir_take(r, ','))
      break;
  }
  return og_ir_expect(r, ')', "expected ')' in call");
}

/* [ "tag"(type value, …), … ]: operands go to the stack; the list of tags and numbers to the pool. */
static bool read_bundles(struct og_ir_reader *r, uint32_t *bundles) {
  if (!og_ir_take(r, '['))
    return true;
  OG_VECTOR(uint32_t) list = {0};
  do {
    struct og_text tag;
    if (!og_ir_read_string(r, &tag) || !og_ir_expect(r, '(', "expected '(' in operand bundle"))
      return false;
    uint32_t count = 0;
    while (og_ir_at(r) != ')') {
      og_ir_type type;
      og_ir_ref ref;
      if (!og_ir_read_type(r, &type, false) ||
          (type == OG_IR_METADATA_TYPE ? !og_ir_read_metadata_operand(r, &ref) : !og_ir_read_value(r, type, &ref)))
        return false;
      og_ir_stack(r, ref);
      count++;
      if (!og_ir_take(r, ','))
        break;
    }
    if (!og_ir_expect(r, ')', "expected ')' in operand bundle"))
      return false;
    *OG_PUSH(r->scratch, &list) = og_ir_name(r->m, tag);
    *OG_PUSH(r->scratch, &list) = count;
  } while (og_ir_take(r, ','));
  *bundles = og_ir_pool(r->m, list.count + 1);
  r->m->pool.items[*bundles] = list.count / 2;
  memcpy(r->m->pool.items + *bundles + 1, list.items, list.count * sizeof(uint32_t));
  return og_ir_expect(r, ']', "expected ']' in operand bundle");
}

/* @llvm.dbg.value(metadata T value, metadata !variable, metadata !DIExpression(…)) at its bracket. */
static bool read_debug_call(struct og_ir_reader *r, struct og_text name, uint32_t *record) {
  const struct og_ir_debug_call *call = og_ir_debug_call(name);
  if (!call)
    return og_ir_fail_here(r, "debug intrinsic is not handled");
  uint8_t opcode = call->opcode;
  uint32_t from = r->stack.count, ends[6] = {0};
  bool list = false;
  if (!og_ir_expect(r, '(', "expected '(' in call"))
    return false;
  for (unsigned i = 0; i < call->parts; i++) {
    if ((i && !og_ir_expect(r, ',', "expected ',' in argument list")) || !og_ir_expect_word(r, "metadata"))
      return false;
    bool values = opcode != OG_IR_DBG_LABEL && (i == 0 || i == 4);
    list |= i == 0 && og_ir_at(r) == OG_IR_T_METADATA && og_text_is(r->lexer.text, "DIArgList");
    uint32_t node;
    if (values ? !og_ir_read_debug_values(r) : !og_ir_read_metadata(r, &node))
      return false;
    if (!values)
      og_ir_stack(r, OG_IR_METADATA | node);
    ends[i] = r->stack.count;
  }
  if (!og_ir_expect(r, ')', "expected ')' in call"))
    return false;
  uint32_t first = opcode == OG_IR_DBG_LABEL ? from : ends[0], values = first - from;
  if (opcode == OG_IR_DBG_ASSIGN) { /* the address after its expression */
    if (ends[4] != ends[3] + 1)
      return og_ir_fail_here(r, "expected one address");
    uint32_t *items = r->stack.items + ends[3], address = items[0];
    items[0] = items[1];
    items[1] = address;
  }
  for (uint32_t i = 0; i < values; i++)
    og_ir_stack(r, r->stack.items[from + i]);
  *record = og_ir_emit(r, opcode, OG_IR_VOID, first);
  r->stack.count = from;
  r->f->insts.items[*record].flags = list ? OG_IR_DBG_ARG_LIST : 0;
  return true;
}

static bool is_debug(const struct og_ir_reader *r) {
  struct og_text name = r->lexer.text;
  return og_ir_at(r) == OG_IR_T_GLOBAL && name.size > 9 && memcmp(name.data, "llvm.dbg.", 9) == 0;
}

bool og_ir_read_call(struct og_ir_reader *r, uint8_t tail, uint32_t *record) {
  uint16_t flags, convention;
  if (!og_ir_read_flags(r, OG_IR_F_FAST, &flags) || !og_ir_read_convention(r, &convention) ||
      !og_ir_read_attributes(r, false))
    return false;
  uint32_t result_set = og_ir_take_set(r, 0), space;
  og_ir_type type;
  og_ir_place place;
  if (!og_ir_read_address_space(r, &space, r->program_space))
    return false;
  place = og_ir_here(r);
  if (!og_ir_read_type(r, &type, true))
    return false;
  if (is_debug(r)) {
    struct og_text name = r->lexer.text;
    og_ir_next(r);
    return read_debug_call(r, name, record) && og_ir_read_attributes(r, true) &&
           (r->attributes.count = r->groups_named.count = 0, true);
  }
  uint32_t from = r->stack.count, bundles = 0;
  og_ir_ref callee;
  og_ir_type pointer = og_ir_pointer(r->m, space);
  OG_VECTOR(uint32_t) described = {0};
  if (!og_ir_read_value(r, pointer, &callee))
    return false;
  og_ir_stack(r, callee);
  if (!read_arguments(r, &described) || !og_ir_read_attributes(r, true))
    return false;
  uint32_t arguments = described.count / 2, at = r->stack.count;
  for (uint32_t i = 0; i < described.count; i++)
    og_ir_stack(r, described.items[i]);
  uint32_t attributes = og_ir_take_attribute_list(r, result_set, at, arguments);
  if (og_ir_kind(r->m, type) != OG_IR_FUNCTION) {
    for (uint32_t i = 0; i < arguments; i++)
      r->stack.items[at + i] = described.items[i * 2];
    if (type == OG_IR_LABEL || type == OG_IR_METADATA_TYPE)
      return og_ir_fail(r, place, "invalid result type for call");
    type = og_ir_function_type(r->m, type, r->stack.items + at, arguments, false);
  }
  r->stack.count = at;
  const struct og_ir_type_record *t = og_ir_type_of(r->m, type);
  if (arguments < t->parts - 1)
    return og_ir_fail(r, place, "not enough parameters specified for call");
  if (arguments > t->parts - 1 && !t->variadic)
    return og_ir_fail(r, place, "too many arguments specified");
  for (uint32_t i = 0; i + 1 < t->parts; i++)
    if (described.items[i * 2] != og_ir_part(r->m, type, i + 1))
      return og_ir_fail(r, place, "argument is not of expected type '%s'",
                        og_ir_type_text(r, og_ir_part(r->m, type, i + 1)));
  if (!read_bundles(r, &bundles))
    return false;
  *record = og_ir_emit(r, OG_IR_CALL, og_ir_part(r->m, type, 0), from);
  struct og_ir_inst *inst = &r->f->insts.items[*record];
  inst->flags = flags;
  inst->sub = tail;
  inst->extra = r->f->calls.count;
  *OG_PUSH(r->arena, &r->f->calls) = (struct og_ir_call){
      .function_type = type, .arguments = arguments, .attributes = attributes, .bundles = bundles,
      .convention = convention, .address_space = space};
  return true;
}
