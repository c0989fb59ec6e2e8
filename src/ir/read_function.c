/* read_function.c - functions' bodies in IR's text: blocks, names of values, debug records. */
#include "ir/reader.h"

#include <string.h>

/* ---- names ---- */

void og_ir_arena_reset(struct og_ir_reader *r) {
  og_arena_reset(r->scratch);
  r->locals = (struct og_map){0};
}

void og_ir_begin_locals(struct og_ir_reader *r, struct og_ir_function *f) {
  r->f = f;
  if (r->local_numbers.count)
    memset(r->local_numbers.items, 0, r->local_numbers.count * sizeof(uint32_t));
  r->forwards.count = r->places.count = r->next_local = 0;
  r->block = UINT32_MAX;
}

og_ir_type og_ir_type_here(const struct og_ir_reader *r, og_ir_ref ref) {
  if (og_ir_space(ref) == OG_IR_LOCAL && ref & OG_IR_FORWARD)
    return r->forwards.items[ref & ~OG_IR_FORWARD].type;
  return og_ir_type_of_ref(r->m, r->f, ref);
}

bool og_ir_define_local(struct og_ir_reader *r, bool numbered, struct og_text name, uint32_t number, og_ir_place place,
                        og_ir_ref ref, og_ir_type type) {
  if (numbered) {
    if (number < r->next_local)
      return og_ir_fail(r, place, "%s expected to be numbered '%%%u' or greater",
                        r->block == UINT32_MAX ? "argument"
                        : type == OG_IR_LABEL  ? "label"
                                               : "instruction",
                        r->next_local);
    r->next_local = number + 1;
  }
  void **slot = numbered ? NULL : og_map_at(r->scratch, &r->locals, name);
  uint32_t known = numbered ? og_ir_get_number(r, &r->local_numbers, '%', number) : (uint32_t)(uintptr_t)*slot;
  if (known) {
    og_ir_ref old = known - 1;
    if (og_ir_space(old) != OG_IR_LOCAL || !(old & OG_IR_FORWARD))
      return og_ir_fail(r, place, "multiple definition of local value named '%.*s'", OG_TEXT_ARGS(name));
    struct og_ir_forward *f = &r->forwards.items[old & ~OG_IR_FORWARD];
    if (f->type == OG_IR_LABEL && type != OG_IR_LABEL)
      return og_ir_fail(r, place, "'%%%.*s' is not a basic block", OG_TEXT_ARGS(f->name));
    if (f->type != type)
      return og_ir_fail(r, place, "instruction forward referenced with type '%s'", og_ir_type_text(r, f->type));
    f->ref = ref;
  }
  if (numbered)
    og_ir_set_number(r, &r->local_numbers, '%', number, ref + 1);
  else
    *slot = (void *)(uintptr_t)(ref + 1);
  return true;
}

/* Fills in operands that were named before they were defined. */
static bool resolve(struct og_ir_reader *r) {
  for (uint32_t i = 0; i < r->forwards.count; i++) {
    const struct og_ir_forward *f = &r->forwards.items[i];
    if (f->ref == OG_IR_NONE)
      return og_ir_fail(r, f->place, "use of undefined value '%%%.*s'", OG_TEXT_ARGS(f->name));
  }
  for (uint32_t i = 0; r->forwards.count && i < r->f->operands.count; i++) {
    og_ir_ref *ref = &r->f->operands.items[i];
    if (og_ir_space(*ref) == OG_IR_LOCAL && *ref & OG_IR_FORWARD)
      *ref = r->forwards.items[*ref & ~OG_IR_FORWARD].ref;
  }
  if (r->more) /* errors show the text that was read first */
    return true;
  OG_RESERVE(r->arena, &r->f->places, r->f->insts.count);
  r->f->places.count = r->f->insts.count;
  if (r->places.count)
    memcpy(r->f->places.items, r->places.items, OG_MIN(r->places.count, r->f->insts.count) * sizeof(uint32_t));
  return true;
}

/* ---- debug records: #dbg_value(value, !variable, !DIExpression(…), !location) ---- */

bool og_ir_read_debug_values(struct og_ir_reader *r) {
  if (og_ir_at(r) == OG_IR_T_METADATA && og_text_is(r->lexer.text, "DIArgList")) {
    og_ir_next(r);
    if (!og_ir_expect(r, '(', "expected '(' here"))
      return false;
    if (og_ir_take(r, ')'))
      return true;
    do {
      og_ir_type type;
      og_ir_ref ref;
      if (!og_ir_read_typed(r, &type, &ref))
        return false;
      og_ir_stack(r, ref);
    } while (og_ir_take(r, ','));
    return og_ir_expect(r, ')', "expected ')' here");
  }
  og_ir_ref ref;
  r->allow_local_metadata = true;
  bool ok = og_ir_read_metadata_operand(r, &ref);
  r->allow_local_metadata = false;
  if (ok && og_ir_space(ref) == OG_IR_METADATA) { /* a constant stands for itself */
    const struct og_ir_metadata *node = &r->m->metadata.items[og_ir_index(ref)];
    if (node->kind == OG_IR_M_VALUE)
      ref = node->first;
  }
  og_ir_stack(r, ref);
  return ok;
}

static bool read_node(struct og_ir_reader *r, uint32_t *node) {
  return og_ir_read_metadata(r, node) && og_ir_expect(r, ',', "expected ',' here");
}

bool og_ir_read_debug_record(struct og_ir_reader *r) {
  static const struct {
    const char *name;
    uint8_t opcode;
  } records[] = {{"dbg_value", OG_IR_DBG_VALUE},
                 {"dbg_declare", OG_IR_DBG_DECLARE},
                 {"dbg_assign", OG_IR_DBG_ASSIGN},
                 {"dbg_label", OG_IR_DBG_LABEL},
                 {"dbg_declare_value", OG_IR_DBG_DECLARE_VALUE}};
  uint8_t opcode = 0;
  uint32_t place = (uint32_t)(og_ir_here(r) - r->source.text), from = r->stack.count, node;
  og_ir_next(r);
  for (size_t i = 0; i < OG_COUNT(records); i++)
    if (og_ir_at_word(r, records[i].name))
      opcode = records[i].opcode;
  if (!opcode)
    return og_ir_fail_here(r, "expected debug record type here");
  og_ir_next(r);
  if (!og_ir_expect(r, '(', "expected '(' here"))
    return false;
  uint32_t values = 0, value_from = from;
  bool list = og_ir_at(r) == OG_IR_T_METADATA && og_text_is(r->lexer.text, "DIArgList");
  if (opcode != OG_IR_DBG_LABEL) {
    if (!og_ir_read_debug_values(r) || !og_ir_expect(r, ',', "expected ',' here"))
      return false;
    values = r->stack.count - from;
    value_from = r->stack.count;
  }
  unsigned nodes = opcode == OG_IR_DBG_LABEL ? 1 : opcode == OG_IR_DBG_ASSIGN ? 3 : 2;
  for (unsigned i = 0; i < nodes; i++) {
    if (!read_node(r, &node))
      return false;
    og_ir_stack(r, OG_IR_METADATA | node);
  }
  if (opcode == OG_IR_DBG_ASSIGN) { /* where it is stored: address, then its expression, which stands first with us */
    uint32_t address = r->stack.count;
    if (!og_ir_read_debug_values(r) || !og_ir_expect(r, ',', "expected ',' here") || !read_node(r, &node))
      return false;
    if (r->stack.count != address + 1)
      return og_ir_fail_here(r, "expected one address");
    og_ir_ref where = r->stack.items[address];
    r->stack.items[address] = OG_IR_METADATA | node;
    og_ir_stack(r, where);
  }
  if (!og_ir_read_metadata(r, &node) || !og_ir_expect(r, ')', "expected ')' here"))
    return false;
  for (uint32_t i = 0; i < values; i++) /* values come last */
    og_ir_stack(r, r->stack.items[from + i]);
  uint32_t record = og_ir_emit(r, opcode, OG_IR_VOID, value_from);
  r->stack.count = from;
  r->f->insts.items[record].flags = list ? OG_IR_DBG_ARG_LIST : 0;
  r->f->insts.items[record].location = node + 1;
  r->places.items[record] = place;
  return true;
}

/* ---- blocks ---- */

uint32_t og_ir_emit(struct og_ir_reader *r, uint8_t opcode, og_ir_type type, uint32_t from) {
  uint32_t count = r->stack.count - from;
  uint32_t record = og_ir_append(r->m, r->f, r->block, opcode, type, count);
  if (count)
    memcpy(r->f->operands.items + r->f->insts.items[record].first, r->stack.items + from, count * sizeof(uint32_t));
  r->stack.count = from;
  while (r->places.count <= record)
    *OG_PUSH(r->arena, &r->places) = 0;
  return record;
}

static bool begin_block(struct og_ir_reader *r) {
  og_ir_place place = og_ir_here(r);
  struct og_text name = r->lexer.text;
  bool label = og_ir_at(r) == OG_IR_T_LABEL, numbered = !label;
  uint32_t number = r->next_local;
  if (label && *place != '"') { /* all digits: a number */
    uint64_t value = 0;
    size_t i = 0;
    for (; i < name.size && name.data[i] >= '0' && name.data[i] <= '9'; i++)
      value = OG_MIN(value * 10 + (uint64_t)(name.data[i] - '0'), (uint64_t)UINT32_MAX);
    numbered = i == name.size;
    number = numbered ? (uint32_t)value : 0;
  }
  if (label)
    og_ir_next(r);
  uint32_t block = og_ir_add_block(r->m, r->f, numbered ? 0 : og_ir_name(r->m, name));
  r->block = block;
  return og_ir_define_local(r, numbered, name, number, place, OG_IR_BLOCK | block, OG_IR_LABEL);
}

static bool read_named_instruction(struct og_ir_reader *r, bool *ends) {
  bool named = og_ir_at(r) == OG_IR_T_LOCAL, numbered = og_ir_at(r) == OG_IR_T_LOCAL_NUMBER;
  struct og_text name = r->lexer.text;
  uint32_t number = (uint32_t)r->lexer.number, record;
  og_ir_place place = og_ir_here(r);
  if (named || numbered) {
    og_ir_next(r);
    if (!og_ir_expect(r, '=', named ? "expected '=' after instruction name" : "expected '=' after instruction id"))
      return false;
  }
  og_ir_place at = og_ir_here(r);
  if (!og_ir_read_instruction(r, &record))
    return false;
  struct og_ir_inst *inst = &r->f->insts.items[record];
  r->places.items[record] = (uint32_t)(at - r->source.text);
  *ends = og_ir_is_terminator(inst->opcode);
  if (og_ir_take(r, ',')) {
    uint32_t from = r->stack.count;
    if (og_ir_at(r) != OG_IR_T_METADATA)
      return og_ir_fail_here(r, "expected metadata after comma");
    if (!og_ir_read_attachments(r, &inst->location))
      return false;
    inst = &r->f->insts.items[record];
    inst->attachments = og_ir_take_list(r, from, 2);
  }
  if (inst->type == OG_IR_VOID)
    return (!named && !numbered) || og_ir_fail(r, place, "instructions returning void cannot have a name");
  if (named)
    inst->name = og_ir_name(r->m, name);
  return og_ir_define_local(r, !named, name, numbered ? number : r->next_local, place, record, inst->type);
}

static bool read_block(struct og_ir_reader *r) {
  if (!begin_block(r))
    return false;
  for (;;) {
    if (og_ir_at(r) == '#') {
      if (!og_ir_read_debug_record(r))
        return false;
      continue;
    }
    bool ends = false;
    if (og_ir_at(r) == OG_IR_T_END || og_ir_at(r) == '}' || og_ir_at(r) == OG_IR_T_LABEL)
      return og_ir_fail_here(r, "expected instruction opcode");
    if (!read_named_instruction(r, &ends))
      return false;
    if (ends)
      return true;
  }
}

bool og_ir_read_body(struct og_ir_reader *r) {
  if (!og_ir_expect(r, '{', "expected '{' in function body"))
    return false;
  if (og_ir_at(r) == '}' || og_ir_at(r) == OG_IR_T_END)
    return og_ir_fail_here(r, "function body requires at least one basic block");
  while (og_ir_at(r) != '}' && !og_ir_at_word(r, "uselistorder"))
    if (!read_block(r))
      return false;
  while (og_ir_at_word(r, "uselistorder"))
    if (!og_ir_skip_use_list(r))
      return false;
  return og_ir_expect(r, '}', "expected end of function") && resolve(r);
}
