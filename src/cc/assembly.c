/* assembly.c - inline assembly: its operands get registers like those of any instruction. Once these have numbers,
 * their names replace $0 and the like, the text is assembled, and its instructions are treated by waits and hazards
 * like all others. */
#include "asm/asm.h"
#include "cc/assembly.h"

#include <string.h>

enum { MOST = 48 };

/* ---- constraints ------------------------------------------------------------------------------------------------- */

struct constraint {
  bool output, clobber, number, tied, fixed;
  uint8_t file;
  uint16_t with; /* the output with which it shares a register */
  uint16_t reg, dwords; /* of a fixed register */
};

struct assembly {
  struct og_text text;
  struct constraint list[MOST];
  unsigned count, outputs;
};

static bool skip(struct og_text *t, char c) {
  if (!t->size || *t->data != c)
    return false;
  t->data++, t->size--;
  return true;
}

static unsigned number(struct og_text *t) {
  unsigned n = 0;
  for (; t->size && *t->data >= '0' && *t->data <= '9'; t->data++, t->size--)
    n = OG_MIN(n * 10 + (unsigned)(*t->data - '0'), 1000u);
  return n;
}

static bool file_of(char c, uint8_t *file) {
  *file = c == 'v' ? CC_V : c == 'a' ? CC_A : CC_S;
  return c == 'v' || c == 'a' || c == 's';
}

/* v1 or v[1:2], perhaps in braces; false: another name. */
static bool fixed_register(struct og_text t, struct constraint *to) {
  skip(&t, '{');
  if (!t.size || !file_of(*t.data, &to->file))
    return false;
  t.data++, t.size--;
  bool several = skip(&t, '[');
  if (!t.size || *t.data < '0' || *t.data > '9')
    return false;
  to->reg = (uint16_t)number(&t), to->dwords = 1;
  if (several && skip(&t, ':')) {
    unsigned last = number(&t);
    to->dwords = last >= to->reg ? (uint16_t)(last - to->reg + 1) : 1;
  }
  return to->fixed = to->reg + to->dwords <= (to->file == CC_S ? 102u : 256u);
}

/* One constraint; false: it is not known. */
static bool constraint(struct og_text t, struct constraint *to) {
  to->clobber = skip(&t, '~');
  to->output = skip(&t, '=');
  skip(&t, '&');
  if (!t.size)
    return false;
  if (*t.data == '{')
    return fixed_register(t, to) || to->clobber;
  if (*t.data >= '0' && *t.data <= '9') {
    to->tied = true, to->with = (uint16_t)number(&t);
    return true;
  }
  if (*t.data == 'V' && t.size > 1) /* VA */
    t.data++, t.size--, to->file = CC_V;
  if (file_of(*t.data, &to->file))
    return true;
  if (*t.data == 'r') {
    to->file = CC_S;
    return true;
  }
  to->number = strchr("inIJABCDX", *t.data) != NULL;
  return to->number;
}

static const struct og_ir_constant *callee(const struct cc_function *c, const struct og_ir_inst *call) {
  og_ir_ref ref = og_ir_operand(c->f, call, 0);
  const struct og_ir_constant *k = og_ir_space(ref) == OG_IR_CONSTANT ? og_ir_constant_of(c->m, ref) : NULL;
  return k && k->kind == OG_IR_C_ASSEMBLER ? k : NULL;
}

static bool read_assembly(const struct cc_function *c, const struct og_ir_inst *call, struct assembly *a) {
  const struct og_ir_constant *k = callee(c, call);
  *a = (struct assembly){0};
  if (!k)
    return false;
  a->text = c->m->names.items[k->value >> 32];
  struct og_text rest = c->m->names.items[(uint32_t)k->value];
  while (rest.size) {
    size_t size = 0;
    for (bool inside = false; size < rest.size && (inside || rest.data[size] != ','); size++)
      inside = rest.data[size] == '{' || (inside && rest.data[size] != '}');
    if (a->count == MOST || !constraint((struct og_text){rest.data, size}, &a->list[a->count]))
      return false;
    a->outputs += a->list[a->count].output;
    a->count++;
    rest.data += size, rest.size -= size;
    skip(&rest, ',');
  }
  return true;
}

bool cc_is_scalar_assembly(const struct cc_function *c, const struct og_ir_inst *call) {
  struct assembly a;
  bool scalar = read_assembly(c, call, &a) && a.outputs;
  for (unsigned k = 0; k < a.count && scalar; k++)
    scalar = !a.list[k].output || a.list[k].file == CC_S;
  return scalar;
}

bool cc_fixes_registers(const struct cc_function *c, const struct og_ir_inst *call) {
  struct assembly a;
  bool fixes = false;
  if (read_assembly(c, call, &a))
    for (unsigned k = 0; k < a.count; k++)
      fixes |= a.list[k].fixed;
  return fixes;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static operand register_for(struct cc_function *c, const struct constraint *k, unsigned dwords) {
  operand o = cc_temp(c, k->file, k->fixed ? k->dwords : dwords);
  if (k->fixed)
    c->regs.items[o.value].physical = k->reg;
  return o;
}

static operand input(struct cc_function *c, const struct constraint *k, og_ir_ref value, const operand *outputs) {
  og_ir_type type = cc_type_of(c, value);
  uint32_t dwords = (uint32_t)(cc_store_size(c->m, type) + 3) / 4;
  operand raw[2 * CC_TUPLE_MOST] = {{0}};
  if (k->number) {
    uint64_t n = 0;
    if (!cc_is_number(c->m, value, &n))
      cc_refuse(c, "an operand of inline assembly that must be a number and is none");
    return cc_constant((uint32_t)n);
  }
  if (!dwords || dwords > CC_TUPLE_MOST) {
    cc_refuse(c, "an operand of inline assembly of %u registers", dwords);
    return cc_constant(0);
  }
  cc_pack(c, value, type, raw);
  for (uint32_t d = 0; d < dwords && !k->tied; d++)
    if (k->file == CC_S && cc_is_vector(c, raw[d]))
      raw[d] = SALU(c, V_READFIRSTLANE_B32, 1, raw[d]);
  if (!k->fixed && !k->tied && k->file != CC_A)
    return dwords == 1 && k->file == CC_V ? cc_in_vector(c, raw[0]) : cc_tuple(c, raw, dwords, k->file);
  operand to = k->tied ? outputs[k->with] : register_for(c, k, dwords);
  if (to.dwords != dwords)
    cc_refuse(c, "an operand of inline assembly of another size than its registers");
  for (uint32_t d = 0; d < dwords && !c->failed; d++)
    cc_move(c, cc_part_of(to, d, 1),
            cc_is_scalar_reg(c, to) && cc_is_vector(c, raw[d]) ? SALU(c, V_READFIRSTLANE_B32, 1, raw[d]) : raw[d]);
  return to;
}

/* The parts of a result, in the file where the value is to stand. */
static void results(struct cc_function *c, uint32_t record, const struct assembly *a, const operand *outputs) {
  og_ir_type type = c->f->insts.items[record].type;
  bool several = og_ir_kind(c->m, type) == OG_IR_STRUCT, scalar = c->values[record].place == CC_SCALAR;
  OG_VECTOR(operand) parts = {0};
  for (unsigned n = 0; n < a->outputs; n++) {
    og_ir_type own = several ? og_ir_part(c->m, type, n) : type;
    unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, own));
    operand dwords[CC_TUPLE_MOST];
    for (unsigned d = 0; d < outputs[n].dwords; d++) {
      dwords[d] = cc_part_of(outputs[n], d, 1);
      if (!scalar && !cc_is_vector(c, dwords[d])) {
        operand moved = cc_temp(c, CC_V, 1);
        cc_move(c, moved, dwords[d]);
        dwords[d] = moved;
      }
      if (c->regs.items[dwords[d].value].physical != CC_NO_REGISTER) { /* its fixed register is free again after this */
        operand moved = cc_temp(c, scalar ? CC_S : CC_V, 1);
        cc_move(c, moved, dwords[d]);
        dwords[d] = moved;
      }
    }
    for (uint32_t p = 0; p < cc_parts(c->m, own); p++)
      *OG_PUSH(c->arena, &parts) =
          bits >= 32 || !bits ? dwords[p] : cc_element_of(c, scalar ? CC_S : CC_V, dwords, (uint64_t)p * bits);
  }
  cc_define(c, record, parts.items, parts.count);
}

bool cc_select_assembly(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *call = &c->f->insts.items[record];
  struct assembly a;
  operand list[MOST] = {{0}}, clobbered[MOST];
  unsigned count = 0, argument = 0, extra = 0;
  if (!read_assembly(c, call, &a))
    return cc_refuse(c, "inline assembly with these constraints");
  og_ir_type type = call->type;
  bool several = og_ir_kind(c->m, type) == OG_IR_STRUCT;
  if (a.outputs > (several ? og_ir_type_of(c->m, type)->parts : 1))
    return cc_refuse(c, "inline assembly of more results than its type has");
  for (unsigned k = 0; k < a.count; k++) {
    if (a.list[k].output) {
      og_ir_type own = several ? og_ir_part(c->m, type, count) : type;
      uint32_t dwords = (uint32_t)(cc_store_size(c->m, own) + 3) / 4;
      if (!dwords || dwords > CC_TUPLE_MOST || cc_bits(c->m, own) == 1 ||
          (a.list[k].fixed && a.list[k].dwords != dwords))
        return cc_refuse(c, "a result of inline assembly of this type");
      list[count++] = register_for(c, &a.list[k], dwords);
    }
  }
  for (unsigned k = 0; k < a.count; k++) {
    if (a.list[k].output)
      continue;
    if (a.list[k].clobber) {
      if (a.list[k].fixed && (a.list[k].file != CC_A || c->target->processor->agprs_max))
        clobbered[extra++] = register_for(c, &a.list[k], 0);
      continue;
    }
    if (1 + argument >= call->operands || (a.list[k].tied && a.list[k].with >= a.outputs))
      return cc_refuse(c, "inline assembly with other operands than constraints");
    list[count++] = input(c, &a.list[k], og_ir_operand(c->f, call, 1 + argument++), list);
  }
  if (count + extra > MOST)
    return cc_refuse(c, "inline assembly of so many operands");
  memmove(list + a.outputs + extra, list + a.outputs, (count - a.outputs) * sizeof *list);
  memcpy(list + a.outputs, clobbered, extra * sizeof *list);
  struct cc_inst *i = cc_emit(c, CC_ROW_ASSEMBLY, a.outputs + extra, count + extra, list);
  i->keep = i->early = true;
  if (a.outputs && !c->failed)
    results(c, record, &a, list);
  return !c->failed;
}

/* ---- text, once registers have numbers --------------------------------------------------------------------------- */

static void print_operand(const struct cc_function *c, operand o, struct og_buffer *out) {
  if (o.kind == CC_CONST) {
    og_buffer_printf(out, "%d", (int32_t)o.value);
    return;
  }
  if (o.kind != CC_REG)
    return;
  const struct cc_reg *r = &c->regs.items[o.value];
  unsigned first = r->physical + o.sub;
  if (o.dwords == 1)
    og_buffer_printf(out, "%c%u", "sva"[r->file], first);
  else
    og_buffer_printf(out, "%c[%u:%u]", "sva"[r->file], first, first + o.dwords - 1u);
}

/* Replaces $0, ${0}, ${0:x}, $$ and ${:uid}. */
static void substitute(const struct cc_function *c, const struct cc_inst *i, const struct assembly *a,
                       struct og_buffer *out) {
  struct og_text t = a->text;
  while (t.size) {
    char x = *t.data;
    t.data++, t.size--;
    if (x != '$' || skip(&t, '$')) {
      og_buffer_u8(out, (uint8_t)x);
      continue;
    }
    bool braces = skip(&t, '{');
    if (braces && t.size && *t.data == ':') { /* ${:uid}: a number for each piece of assembly */
      while (t.size && !skip(&t, '}'))
        t.data++, t.size--;
      og_buffer_printf(out, "%u", i->record);
      continue;
    }
    unsigned n = number(&t), at = n < a->outputs ? n : n - a->outputs + i->defs;
    while (braces && t.size && !skip(&t, '}'))
      t.data++, t.size--;
    if (at < i->operands)
      print_operand(c, c->operands.items[i->first + at], out);
  }
  og_buffer_u8(out, '\n');
}

static void touch(struct cc_function *c, const struct og_use *use) {
  if (use->kind == OG_OPERAND_SPECIAL) {
    *OG_PUSH(c->arena, &c->operands) = cc_special((enum og_special)use->reg, use->dwords);
    return;
  }
  if (use->kind != OG_OPERAND_SGPR && use->kind != OG_OPERAND_VGPR && use->kind != OG_OPERAND_AGPR)
    return;
  unsigned file = use->kind == OG_OPERAND_SGPR ? CC_S : use->kind == OG_OPERAND_VGPR ? CC_V : CC_A;
  operand o = {CC_REG, 0, 0, use->dwords, cc_new_reg(c, file, use->dwords)};
  c->regs.items[o.value].physical = use->reg;
  uint16_t *taken = (uint16_t *const[]){&c->sgprs, &c->vgprs, &c->agprs}[file];
  *taken = (uint16_t)OG_MAX(*taken, use->reg + use->dwords);
  *OG_PUSH(c->arena, &c->operands) = o;
}

static bool add(struct cc_function *c, const struct og_inst *inst, uint32_t record) {
  struct og_effects effects;
  const struct og_form *form = og_form(c->isa, inst->form);
  if (form->row_flags & (OG_FLAG_BRANCH | OG_FLAG_CALL | OG_FLAG_RETURN | OG_FLAG_TERMINATOR))
    return cc_refuse(c, "inline assembly that branches");
  og_inst_effects(c->isa, inst, &effects);
  struct cc_inst *i = OG_PUSH(c->arena, &c->insts);
  *i = (struct cc_inst){.row = inst->row, .form = inst->form, .first = c->operands.count, .record = record};
  *OG_PUSH(c->arena, &c->texts) = *inst;
  i->text = c->texts.count;
  for (unsigned k = 0; k < effects.write_count; k++)
    touch(c, &effects.writes[k]);
  i->defs = (uint8_t)(c->operands.count - i->first);
  for (unsigned k = 0; k < effects.read_count; k++)
    touch(c, &effects.reads[k]);
  i->operands = (uint8_t)(c->operands.count - i->first);
  return true;
}

static bool assemble(struct cc_function *c, const struct cc_inst *from, void *context) {
  (void)context;
  if (from->row != CC_ROW_ASSEMBLY) {
    *OG_PUSH(c->arena, &c->insts) = *from;
    return true;
  }
  struct assembly a;
  struct og_buffer text = {0};
  read_assembly(c, &c->f->insts.items[from->record], &a);
  substitute(c, from, &a, &text);
  size_t size = text.size;
  const char *copy = og_arena_copy(c->arena, (const char *)text.data, size); /* with a NUL behind it */
  og_buffer_free(&text);
  struct og_asm_options options = {.target = *c->target, .code_object_version = 5};
  struct og_diagnostics *said = og_diagnostics_new();
  struct og_object *object = og_assemble(c->arena, &options, "inline assembly", copy, size, said);
  c->record = from->record;
  bool ok = true;
  if (!object) {
    const struct og_diagnostic *d = og_diagnostics_count(said) ? og_diagnostics_at(said, 0) : NULL;
    ok = cc_refuse(c, "inline assembly: %s", d ? d->message : "it does not assemble");
  }
  for (size_t s = 0; ok && s < object->sections.count; s++) {
    const struct og_section *section = &object->sections.items[s];
    if (!(section->flags & SHF_EXECINSTR))
      continue;
    for (size_t at = 0; at < section->size && ok;) {
      struct og_inst inst;
      size_t taken = og_decode(c->isa, section->data + at, section->size - at, &inst);
      ok = taken ? add(c, &inst, from->record) : cc_refuse(c, "inline assembly with data");
      at += taken;
    }
  }
  og_diagnostics_free(said);
  return ok;
}

bool cc_assemble(struct cc_function *c) {
  bool any = false;
  for (uint32_t k = 0; k < c->insts.count; k++)
    any |= c->insts.items[k].row == CC_ROW_ASSEMBLY;
  return !any || cc_rewrite(c, assemble, NULL);
}
