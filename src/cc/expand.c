/* expand.c - copies and fills of memory become loads and stores: one for each member of what is copied if its type is
 * known, else of the largest pieces that the alignment allows; or a loop, if there are many or the size is known only
 * when it runs. */
#include "cc/machine.h"
#include "cc/opt.h"

enum { MOST_PIECES = 64 };

struct piece {
  uint64_t offset;
  og_ir_type type;
};

struct expansion {
  struct cc_opt *o;
  uint32_t call;
  og_ir_ref to, from; /* `from` is a pointer; of a fill the byte */
  bool fill, move, is_volatile;
  unsigned align_to, align_from;
  struct piece pieces[MOST_PIECES];
  uint32_t count;
};

static unsigned aligned(const struct cc_opt *o, uint32_t call, uint32_t argument) {
  const struct og_ir_call *k = &o->f->calls.items[o->f->insts.items[call].extra];
  const struct og_ir_set *set =
      k->attributes ? &o->m->sets.items[o->m->pool.items[k->attributes + 2 + argument]] : NULL;
  for (uint32_t a = 0; set && a < set->count; a++) {
    const struct og_ir_attribute *attribute = &o->m->attributes.items[o->m->pool.items[set->first + a]];
    if (attribute->kind == OG_IR_A_ALIGN)
      return attribute->value ? (unsigned)attribute->value : 1;
  }
  return 1;
}

static bool add_piece(struct expansion *e, uint64_t offset, og_ir_type type) {
  if (e->count == MOST_PIECES)
    return false;
  e->pieces[e->count++] = (struct piece){offset, type};
  return true;
}

/* Adds a piece for each value that a type consists of. */
static bool members(struct expansion *e, og_ir_type type, uint64_t offset, unsigned depth) {
  const struct og_ir_module *m = e->o->m;
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  uint64_t count = t->kind == OG_IR_STRUCT ? t->parts : t->kind == OG_IR_ARRAY ? t->count : 0;
  if (t->kind != OG_IR_STRUCT && t->kind != OG_IR_ARRAY)
    return cc_bits(m, og_ir_scalar(m, type)) % 8 == 0 && add_piece(e, offset, type);
  if (depth > 16 || count > MOST_PIECES)
    return false;
  for (uint64_t k = 0; k < count; k++) {
    og_ir_type part = og_ir_element(m, type, k);
    uint64_t at = t->kind == OG_IR_STRUCT ? cc_field_offset(m, type, k) : k * cc_size_of(m, part);
    if (!members(e, part, offset + at, depth + 1))
      return false;
  }
  return true;
}

/* The type of the object that a pointer leads to; void if it is unknown. */
static og_ir_type pointee(const struct cc_opt *o, og_ir_ref pointer) {
  for (unsigned depth = 0; depth < 8; depth++) {
    if (og_ir_space(pointer) == OG_IR_CONSTANT) {
      const struct og_ir_constant *k = og_ir_constant_of(o->m, pointer);
      return k->kind == OG_IR_C_GLOBAL ? o->m->globals.items[k->value].type : (og_ir_type)OG_IR_VOID;
    }
    const struct og_ir_inst *i = &o->f->insts.items[og_ir_index(pointer)];
    if (i->opcode == OG_IR_ALLOCA)
      return i->operands ? (og_ir_type)OG_IR_VOID : i->extra;
    if (i->opcode != OG_IR_ADDRSPACECAST)
      return OG_IR_VOID;
    pointer = og_ir_operand(o->f, i, 0);
  }
  return OG_IR_VOID;
}

static bool split(struct expansion *e, uint64_t size) {
  struct og_ir_module *m = e->o->m;
  og_ir_ref ends[2] = {e->to, e->from};
  for (unsigned k = 0; k < (e->fill ? 1u : 2u); k++) {
    og_ir_type type = pointee(e->o, ends[k]);
    e->count = 0;
    if (type != OG_IR_VOID && og_ir_is_sized(m, type) && cc_size_of(m, type) == size && members(e, type, 0, 0))
      return true;
  }
  e->count = 0;
  unsigned align = e->fill ? e->align_to : OG_MIN(e->align_to, e->align_from);
  for (uint64_t at = 0, each; at < size; at += each) {
    each = 8;
    while (each > 1 && (each > align || each > size - at || at % each))
      each /= 2;
    if (!add_piece(e, at, og_ir_integer(m, (uint32_t)(8 * each))))
      return false;
  }
  return true;
}

static uint32_t insert(struct expansion *e, uint8_t opcode, og_ir_type type, uint32_t operands) {
  return cc_insert(e->o, 0, e->call, opcode, type, operands, e->call);
}

static og_ir_ref offset_by(struct expansion *e, og_ir_ref pointer, og_ir_ref offset) {
  uint32_t gep = insert(e, OG_IR_GETELEMENTPTR, og_ir_type_of_ref(e->o->m, e->o->f, pointer), 2);
  e->o->f->insts.items[gep].extra = og_ir_integer(e->o->m, 8);
  cc_set(e->o->f, gep, 0, pointer), cc_set(e->o->f, gep, 1, offset);
  return gep;
}

static unsigned log2_align(unsigned align, uint64_t offset) {
  unsigned log = 0;
  while (log < 4 && align % (2u << log) == 0 && offset % (2u << log) == 0)
    log++;
  return 1 + log;
}

static og_ir_ref load(struct expansion *e, og_ir_ref at, og_ir_type type, uint64_t offset) {
  uint32_t i = insert(e, OG_IR_LOAD, type, 1);
  e->o->f->insts.items[i].sub = (uint8_t)log2_align(e->align_from, offset);
  e->o->f->insts.items[i].flags = e->is_volatile ? OG_IR_F_VOLATILE : 0;
  cc_set(e->o->f, i, 0, at);
  return i;
}

static void store(struct expansion *e, og_ir_ref value, og_ir_ref at, uint64_t offset) {
  uint32_t i = insert(e, OG_IR_STORE, OG_IR_VOID, 2);
  e->o->f->insts.items[i].sub = (uint8_t)log2_align(e->align_to, offset);
  e->o->f->insts.items[i].flags = e->is_volatile ? OG_IR_F_VOLATILE : 0;
  cc_set(e->o->f, i, 0, value), cc_set(e->o->f, i, 1, at);
}

/* An integer that has the byte in each of its bytes. */
static og_ir_ref repeated(struct expansion *e, og_ir_type type) {
  struct og_ir_module *m = e->o->m;
  unsigned bits = cc_bits(m, type);
  uint64_t byte, all = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, ones = UINT64_C(0x0101010101010101) & all;
  if (cc_is_number(m, e->from, &byte))
    return og_ir_number(m, type, byte * ones & all);
  if (bits == 8)
    return e->from;
  uint32_t wide = insert(e, OG_IR_ZEXT, type, 1);
  cc_set(e->o->f, wide, 0, e->from);
  uint32_t product = insert(e, OG_IR_MUL, type, 2);
  cc_set(e->o->f, product, 0, wide), cc_set(e->o->f, product, 1, og_ir_number(m, type, ones));
  return product;
}

static void straight(struct expansion *e) {
  struct og_ir_module *m = e->o->m;
  og_ir_ref values[MOST_PIECES];
  og_ir_type index = og_ir_integer(m, 32);
  for (uint32_t k = 0; k < e->count; k++) {
    const struct piece *p = &e->pieces[k];
    og_ir_type type = e->fill ? og_ir_integer(m, (uint32_t)cc_store_size(m, p->type) * 8) : p->type;
    og_ir_ref offset = og_ir_number(m, index, p->offset);
    values[k] = e->fill ? repeated(e, type) : load(e, offset_by(e, e->from, offset), type, p->offset);
    if (!e->move) /* a move loads everything first, since memory may overlap */
      store(e, values[k], offset_by(e, e->to, offset), p->offset);
  }
  for (uint32_t k = 0; k < e->count && e->move; k++)
    store(e, values[k], offset_by(e, e->to, og_ir_number(m, index, e->pieces[k].offset)), e->pieces[k].offset);
}

/* while (i != size) one piece at i. The piece's size divides the whole size; of an unknown size it is a byte. */
static void loop(struct expansion *e, og_ir_ref size, unsigned each) {
  struct cc_opt *o = e->o;
  struct og_ir_function *f = o->f;
  og_ir_type index = og_ir_type_of_ref(o->m, f, size), type = og_ir_integer(o->m, 8 * each);
  uint32_t before = f->insts.items[e->call].block, after = cc_split_block(o, e->call);
  uint32_t head = og_ir_add_block(o->m, f, 0), body = og_ir_add_block(o->m, f, 0), call = e->call;
  cc_go(o, before, head, call);
  uint32_t phi = cc_insert(o, head, 0, OG_IR_PHI, index, 4, call);
  uint32_t more = cc_insert(o, head, 0, OG_IR_ICMP, og_ir_integer(o->m, 1), 2, call);
  f->insts.items[more].sub = OG_IR_ULT;
  cc_set(f, more, 0, phi), cc_set(f, more, 1, size);
  cc_go_if(o, head, more, body, after, call);
  uint32_t sum = cc_insert(o, body, 0, OG_IR_ADD, index, 2, call);
  cc_set(f, sum, 0, phi), cc_set(f, sum, 1, og_ir_number(o->m, index, each));
  uint32_t br = cc_go(o, body, head, call);
  cc_set(f, phi, 0, og_ir_number(o->m, index, 0)), cc_set(f, phi, 1, OG_IR_BLOCK | before);
  cc_set(f, phi, 2, sum), cc_set(f, phi, 3, OG_IR_BLOCK | body);
  e->call = br; /* the pieces stand before the jump back */
  og_ir_ref value = e->fill ? repeated(e, type) : load(e, offset_by(e, e->from, phi), type, 0);
  store(e, value, offset_by(e, e->to, phi), 0);
  e->call = call;
}

static void expand(struct cc_opt *o, uint32_t call) {
  struct og_ir_function *f = o->f;
  const struct og_ir_inst i = f->insts.items[call];
  struct og_text name = cc_callee_name(o->m, f, &i);
  struct expansion e = {.o = o, .call = call};
  e.fill = og_text_skip(&name, "llvm.memset."), e.move = !e.fill && og_text_skip(&name, "llvm.memmove.");
  if (!e.fill && !e.move && !og_text_skip(&name, "llvm.memcpy."))
    return;
  uint64_t size, is_volatile = 0;
  og_ir_ref length = og_ir_operand(f, &i, 3);
  e.to = og_ir_operand(f, &i, 1), e.from = og_ir_operand(f, &i, 2);
  cc_is_number(o->m, og_ir_operand(f, &i, 4), &is_volatile);
  e.is_volatile = is_volatile, e.align_to = aligned(o, call, 0), e.align_from = e.fill ? 1 : aligned(o, call, 1);
  bool known = cc_is_number(o->m, length, &size);
  unsigned each = 1;
  if (known)
    for (each = 8; each > 1 && (each > e.align_to || (!e.fill && each > e.align_from) || size % each);)
      each /= 2;
  if (known && split(&e, size))
    straight(&e);
  else if (!e.move)
    loop(&e, length, each);
  else
    return; /* a move of unknown size: refused where instructions are selected */
  og_ir_remove(f, call);
}

void cc_expand(struct cc_opt *o) {
  uint32_t blocks = o->f->blocks.count, old = o->f->insts.count;
  og_ir_ref *with = NULL; /* by record: what it has been replaced by */
  for (uint32_t b = 0; b < blocks; b++)
    for (uint32_t i = o->f->blocks.items[b].first, next; i; i = next) {
      next = o->f->insts.items[i].next;
      if (o->f->insts.items[i].opcode == OG_IR_CALL)
        cc_expand_control(o, i);
      if (o->f->insts.items[i].opcode == OG_IR_CALL)
        expand(o, i);
      og_ir_ref value;
      uint8_t opcode = o->f->insts.items[i].opcode;
      if (cc_expand_aggregate(o, i, &value)) {
        if (opcode == OG_IR_LOAD) {
          with = with ? with : OG_NEW_ARRAY(o->arena, og_ir_ref, old);
          with[i] = value;
        }
      } else if ((opcode == OG_IR_ATOMICRMW && cc_expand_atomic(o, i, &value)) ||
          (opcode == OG_IR_CMPXCHG && cc_expand_swap(o, i, &value)) ||
          cc_expand_bits(o, i, &value) || cc_expand_wide(o, i, &value)) {
        with = with ? with : OG_NEW_ARRAY(o->arena, og_ir_ref, old);
        with[i] = value;
      }
    }
  cc_replace(o->f, with, old);
}
