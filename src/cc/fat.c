/* fat.c - buffer fat pointers (`ptr addrspace(7)`; AMDGPU backend guide, "Buffer Fat Pointer") become two values each,
 * a resource and an offset, and accesses by them become buffer intrinsics. Most often lanes differ in the offset alone.
 * A pointer that is an argument, a call's result or part of something larger stays one value of 160 bits. */
#include "cc/fat.h"

struct fats {
  struct cc_opt *o;
  uint32_t old;         /* records from here on are new */
  struct cc_fat *parts; /* by record; resource OG_IR_NONE: still one value */
  og_ir_ref *with;      /* by record: its replacement; 0: none */
  OG_VECTOR(uint32_t) phis;
};

/* ---- instructions ------------------------------------------------------------------------------------------------ */

uint32_t cc_make(const struct cc_maker *k, uint8_t opcode, og_ir_type type, uint32_t operands, og_ir_ref a,
                 og_ir_ref b) {
  uint32_t i = cc_insert(k->o, k->block, k->before, opcode, type, operands, k->origin);
  cc_set(k->o->f, i, 0, a);
  if (operands > 1)
    cc_set(k->o->f, i, 1, b);
  return i;
}

uint32_t cc_make_call(const struct cc_maker *k, const char *name, og_ir_type result, const og_ir_ref *list,
                      uint32_t count) {
  return cc_insert_call(k->o, k->block, k->before, name, result, list, count, k->origin);
}

og_ir_ref cc_make_number(const struct cc_maker *k, uint32_t value) {
  return og_ir_number(k->o->m, og_ir_integer(k->o->m, 32), value);
}

og_ir_ref cc_make_extract(const struct cc_maker *k, og_ir_ref vector, uint32_t index) {
  og_ir_type type = og_ir_scalar(k->o->m, og_ir_type_of_ref(k->o->m, k->o->f, vector));
  return cc_make(k, OG_IR_EXTRACTELEMENT, type, 2, vector, cc_make_number(k, index));
}

og_ir_ref cc_make_insert(const struct cc_maker *k, og_ir_ref vector, og_ir_ref element, uint32_t index) {
  uint32_t i = cc_make(k, OG_IR_INSERTELEMENT, og_ir_type_of_ref(k->o->m, k->o->f, vector), 3, vector, element);
  cc_set(k->o->f, i, 2, cc_make_number(k, index));
  return i;
}

static og_ir_ref constant(const struct cc_opt *o, uint8_t kind, og_ir_type type) {
  return og_ir_constant(o->m, (struct og_ir_constant){.kind = kind, .type = type}, NULL);
}

/* ---- both parts in one value ------------------------------------------------------------------------------------- */

static bool is_fat(const struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  return t->kind == OG_IR_POINTER && t->count == CC_FAT;
}

/* Takes 160 bits apart: the offset, then the four words of the resource. */
static struct cc_fat take_apart(const struct cc_maker *k, og_ir_ref bits) {
  struct og_ir_module *m = k->o->m;
  og_ir_type word = og_ir_integer(m, 32), four = og_ir_sequence(m, OG_IR_VECTOR, word, 4);
  og_ir_ref words = cc_make(k, OG_IR_BITCAST, og_ir_sequence(m, OG_IR_VECTOR, word, 5), 1, bits, 0);
  og_ir_ref resource = constant(k->o, OG_IR_C_POISON, four), offset = cc_make_extract(k, words, 0);
  for (uint32_t n = 0; n < 4; n++)
    resource = cc_make_insert(k, resource, cc_make_extract(k, words, 1 + n), n);
  resource = cc_make(k, OG_IR_BITCAST, og_ir_integer(m, 128), 1, resource, 0);
  return (struct cc_fat){cc_make(k, OG_IR_INTTOPTR, og_ir_pointer(m, CC_RESOURCE), 1, resource, 0), offset};
}

static og_ir_ref put_together(const struct cc_maker *k, struct cc_fat fat) {
  struct og_ir_module *m = k->o->m;
  og_ir_type word = og_ir_integer(m, 32);
  og_ir_ref all = constant(k->o, OG_IR_C_POISON, og_ir_sequence(m, OG_IR_VECTOR, word, 5));
  og_ir_ref four = cc_make(k, OG_IR_PTRTOINT, og_ir_integer(m, 128), 1, fat.resource, 0);
  four = cc_make(k, OG_IR_BITCAST, og_ir_sequence(m, OG_IR_VECTOR, word, 4), 1, four, 0);
  all = cc_make_insert(k, all, fat.offset, 0);
  for (uint32_t n = 0; n < 4; n++)
    all = cc_make_insert(k, all, cc_make_extract(k, four, n), 1 + n);
  return cc_make(k, OG_IR_BITCAST, og_ir_integer(m, 160), 1, all, 0);
}

/* ---- parts of a value -------------------------------------------------------------------------------------------- */

static struct cc_fat parts_of(struct fats *s, const struct cc_maker *k, og_ir_ref ref) {
  struct og_ir_module *m = s->o->m;
  og_ir_type resource = og_ir_pointer(m, CC_RESOURCE);
  if (og_ir_space(ref) == OG_IR_LOCAL) {
    if (s->parts[og_ir_index(ref)].resource == OG_IR_NONE) /* in unreachable code, or made by an unknown instruction */
      s->parts[og_ir_index(ref)] = take_apart(k, cc_make(k, OG_IR_PTRTOINT, og_ir_integer(m, 160), 1, ref, 0));
    return s->parts[og_ir_index(ref)];
  }
  int64_t offset = 0;
  ref = cc_base(m, s->o->f, ref, &offset);
  uint8_t kind = og_ir_space(ref) == OG_IR_CONSTANT ? og_ir_constant_of(m, ref)->kind : OG_IR_C_UNDEF;
  bool undefined = kind == OG_IR_C_UNDEF || kind == OG_IR_C_POISON;
  return (struct cc_fat){constant(s->o, undefined ? kind : OG_IR_C_ZERO, resource),
                         cc_make_number(k, (uint32_t)offset)};
}

/* An index as 32 bits. */
static og_ir_ref as_word(const struct cc_maker *k, og_ir_ref ref) {
  og_ir_type word = og_ir_integer(k->o->m, 32);
  unsigned bits = cc_bits(k->o->m, og_ir_type_of_ref(k->o->m, k->o->f, ref));
  return bits == 32 ? ref : cc_make(k, bits > 32 ? OG_IR_TRUNC : OG_IR_SEXT, word, 1, ref, 0);
}

/* The offset with all indices of a getelementptr. Constants are added last, so that instructions can hold them. */
static og_ir_ref add_indices(const struct cc_maker *k, const struct og_ir_inst *i, og_ir_ref offset) {
  struct og_ir_module *m = k->o->m;
  og_ir_type type = i->extra, word = og_ir_integer(m, 32);
  uint32_t fixed = 0;
  bool varies = false;
  for (uint32_t n = 1; n < i->operands; n++) {
    og_ir_ref index = og_ir_operand(k->o->f, i, n);
    uint64_t number = 0, each = 0;
    bool known = cc_is_number(m, index, &number);
    if (n > 1 && og_ir_kind(m, type) == OG_IR_STRUCT) {
      fixed += (uint32_t)cc_field_offset(m, type, number);
      type = og_ir_element(m, type, number);
      continue;
    }
    bool vector = n > 1 && og_ir_kind(m, type) == OG_IR_VECTOR;
    type = n > 1 ? og_ir_part(m, type, 0) : type;
    each = vector ? (cc_bits(m, type) + 7) / 8 : cc_size_of(m, type);
    unsigned bits = cc_bits(m, og_ir_type_of_ref(m, k->o->f, index));
    if (known) {
      fixed += (uint32_t)((bits < 64 ? (uint64_t)((int64_t)(number << (64 - bits)) >> (64 - bits)) : number) * each);
      continue;
    }
    varies = true;
    index = as_word(k, index);
    if (each != 1)
      index = cc_make(k, OG_IR_MUL, word, 2, index, cc_make_number(k, (uint32_t)each));
    offset = cc_make(k, OG_IR_ADD, word, 2, offset, index);
  }
  if (!fixed)
    return offset;
  uint32_t sum = cc_make(k, OG_IR_ADD, word, 2, offset, cc_make_number(k, fixed));
  bool wraps =
      !(i->flags & OG_IR_F_NUW) && (varies || !(i->flags & (OG_IR_F_INBOUNDS | OG_IR_F_NUSW)) || (int32_t)fixed < 0);
  k->o->f->insts.items[sum].flags = wraps ? 0 : OG_IR_F_NUW;
  return sum;
}

/* ---- instructions of the function -------------------------------------------------------------------------------- */

static og_ir_ref both_alike(const struct cc_maker *k, const struct og_ir_inst *i, og_ir_ref a, og_ir_ref b) {
  if (a == b)
    return a;
  og_ir_type type = og_ir_type_of_ref(k->o->m, k->o->f, a);
  bool chooses = i->opcode == OG_IR_SELECT;
  uint32_t n = cc_make(k, i->opcode, type, chooses ? 3 : 1, chooses ? og_ir_operand(k->o->f, i, 0) : a, a);
  if (chooses)
    cc_set(k->o->f, n, 2, b);
  return n;
}

static struct cc_fat two_phis(const struct cc_maker *k, const struct og_ir_inst *i) {
  struct og_ir_module *m = k->o->m;
  uint32_t resource =
      cc_insert(k->o, k->block, k->before, OG_IR_PHI, og_ir_pointer(m, CC_RESOURCE), i->operands, k->origin);
  uint32_t offset = cc_insert(k->o, k->block, k->before, OG_IR_PHI, og_ir_integer(m, 32), i->operands, k->origin);
  return (struct cc_fat){resource, offset};
}

/* A pointer of an integer: the offset in its lowest 32 bits, the resource above, zeros if it has fewer bits. */
static struct cc_fat from_integer(const struct cc_maker *k, og_ir_ref number) {
  og_ir_type all = og_ir_integer(k->o->m, 160);
  unsigned bits = cc_bits(k->o->m, og_ir_type_of_ref(k->o->m, k->o->f, number));
  return take_apart(k, bits == 160 ? number : cc_make(k, bits > 160 ? OG_IR_TRUNC : OG_IR_ZEXT, all, 1, number, 0));
}

/* Loads a pointer from memory; if by another fat pointer, then as an integer. */
static struct cc_fat load_pointer(struct fats *s, const struct cc_maker *k, const struct og_ir_inst *i) {
  enum { LOG2_WORD = 3 }; /* 1 + log2 */
  struct og_ir_module *m = k->o->m;
  og_ir_ref from = og_ir_operand(k->o->f, i, 0), at[2] = {from};
  if (is_fat(m, og_ir_type_of_ref(m, k->o->f, from))) {
    struct og_ir_inst number = *i;
    number.type = og_ir_integer(m, 160);
    return take_apart(k, cc_fat_access(k, &number, parts_of(s, k, from), OG_IR_NONE));
  }
  uint32_t gep = cc_make(k, OG_IR_GETELEMENTPTR, og_ir_type_of_ref(m, k->o->f, from), 2, from, cc_make_number(k, 4));
  k->o->f->insts.items[gep].extra = og_ir_integer(m, 8);
  at[1] = gep;
  og_ir_type types[2] = {og_ir_integer(m, 32), og_ir_pointer(m, CC_RESOURCE)};
  og_ir_ref out[2];
  for (unsigned n = 0; n < 2; n++) {
    uint32_t load = cc_make(k, OG_IR_LOAD, types[n], 1, at[n], 0);
    struct og_ir_inst *l = &k->o->f->insts.items[load];
    l->sub = i->sub && (!n || i->sub < LOG2_WORD) ? i->sub : LOG2_WORD;
    l->flags = i->flags, l->attachments = i->attachments;
    out[n] = load;
  }
  return (struct cc_fat){out[1], out[0]};
}

/* The results of calls that are known: a resource made of a pointer; a pointer with some bits of its offset masked. */
static bool known_call(struct fats *s, const struct cc_maker *k, const struct og_ir_inst *i, struct cc_fat *out) {
  struct og_text name = cc_callee_name(s->o->m, s->o->f, i);
  og_ir_ref list[4];
  if (og_text_skip(&name, "llvm.amdgcn.make.buffer.rsrc.p7.") && i->operands == 5) {
    for (unsigned a = 0; a < 4; a++)
      list[a] = og_ir_operand(s->o->f, i, 1 + a);
    const char *made = og_arena_printf(s->o->m->arena, "llvm.amdgcn.make.buffer.rsrc.p8.%.*s", OG_TEXT_ARGS(name));
    *out = (struct cc_fat){cc_make_call(k, made, og_ir_pointer(s->o->m, CC_RESOURCE), list, 4), cc_make_number(k, 0)};
    return true;
  }
  if (og_text_skip(&name, "llvm.ptrmask.p7.") && i->operands == 3) {
    *out = parts_of(s, k, og_ir_operand(s->o->f, i, 1));
    out->offset =
        cc_make(k, OG_IR_AND, og_ir_integer(s->o->m, 32), 2, out->offset, as_word(k, og_ir_operand(s->o->f, i, 2)));
    return true;
  }
  return false;
}

/* The parts of a pointer that an instruction makes; false: the pointer stays one value. */
static bool make_parts(struct fats *s, const struct cc_maker *k, const struct og_ir_inst *i, struct cc_fat *out) {
  og_ir_ref x = i->operands ? og_ir_operand(s->o->f, i, 0) : OG_IR_NONE;
  struct cc_fat a, b;
  switch (i->opcode) {
  case OG_IR_PHI: *out = two_phis(k, i); return true;
  case OG_IR_SELECT:
    a = parts_of(s, k, og_ir_operand(s->o->f, i, 1)), b = parts_of(s, k, og_ir_operand(s->o->f, i, 2));
    *out = (struct cc_fat){both_alike(k, i, a.resource, b.resource), both_alike(k, i, a.offset, b.offset)};
    return true;
  case OG_IR_FREEZE:
    a = parts_of(s, k, x);
    *out = (struct cc_fat){both_alike(k, i, a.resource, 0), both_alike(k, i, a.offset, 0)};
    return true;
  case OG_IR_GETELEMENTPTR:
    a = parts_of(s, k, x);
    *out = (struct cc_fat){a.resource, add_indices(k, i, a.offset)};
    return true;
  case OG_IR_BITCAST: *out = parts_of(s, k, x); return true;
  case OG_IR_ADDRSPACECAST: {
    const struct og_ir_type_record *from = og_ir_type_of(s->o->m, og_ir_type_of_ref(s->o->m, s->o->f, x));
    *out = (struct cc_fat){x, cc_make_number(k, 0)};
    return from->count == CC_RESOURCE;
  }
  case OG_IR_INTTOPTR: *out = from_integer(k, x); return true;
  case OG_IR_LOAD: *out = load_pointer(s, k, i); return true;
  case OG_IR_CALL: return known_call(s, k, i, out);
  default: return false;
  }
}

/* Compares the offsets alone, which are the addresses, as LLVM does. */
static og_ir_ref compare(struct fats *s, const struct cc_maker *k, const struct og_ir_inst *i) {
  og_ir_ref sides[2];
  for (unsigned n = 0; n < 2; n++)
    sides[n] = parts_of(s, k, og_ir_operand(s->o->f, i, n)).offset;
  uint32_t one = cc_make(k, OG_IR_ICMP, og_ir_integer(s->o->m, 1), 2, sides[0], sides[1]);
  s->o->f->insts.items[one].sub = i->sub;
  return one;
}

static og_ir_ref to_integer(struct fats *s, const struct cc_maker *k, const struct og_ir_inst *i) {
  struct cc_fat fat = parts_of(s, k, og_ir_operand(s->o->f, i, 0));
  unsigned bits = cc_bits(s->o->m, i->type);
  if (bits == 32)
    return fat.offset;
  if (bits < 32 || i->opcode == OG_IR_PTRTOADDR)
    return cc_make(k, bits < 32 ? OG_IR_TRUNC : OG_IR_ZEXT, i->type, 1, fat.offset, 0);
  og_ir_ref all = put_together(k, fat);
  return bits == 160 ? all : cc_make(k, bits < 160 ? OG_IR_TRUNC : OG_IR_ZEXT, i->type, 1, all, 0);
}

static void store_pointer(struct fats *s, const struct cc_maker *k, const struct og_ir_inst *i, struct cc_fat fat) {
  enum { LOG2_WORD = 3 };
  struct og_ir_module *m = s->o->m;
  og_ir_ref to = og_ir_operand(s->o->f, i, 1), values[2] = {fat.offset, fat.resource}, at[2] = {to};
  if (is_fat(m, og_ir_type_of_ref(m, s->o->f, to))) {
    cc_fat_access(k, i, parts_of(s, k, to), put_together(k, fat));
    return;
  }
  uint32_t gep = cc_make(k, OG_IR_GETELEMENTPTR, og_ir_type_of_ref(m, s->o->f, to), 2, to, cc_make_number(k, 4));
  s->o->f->insts.items[gep].extra = og_ir_integer(m, 8);
  at[1] = gep;
  for (unsigned n = 0; n < 2; n++) {
    uint32_t store = cc_make(k, OG_IR_STORE, OG_IR_VOID, 2, values[n], at[n]);
    struct og_ir_inst *t = &s->o->f->insts.items[store];
    t->sub = i->sub && (!n || i->sub < LOG2_WORD) ? i->sub : LOG2_WORD;
    t->flags = i->flags, t->attachments = i->attachments;
  }
}

static bool accesses_by_fat(const struct fats *s, const struct og_ir_inst *i, uint32_t *pointer) {
  uint8_t shape = og_ir_opcodes[i->opcode].shape;
  *pointer = shape == OG_IR_SHAPE_STORE;
  bool accesses = shape == OG_IR_SHAPE_STORE || shape == OG_IR_SHAPE_LOAD || shape == OG_IR_SHAPE_ATOMICRMW ||
                  shape == OG_IR_SHAPE_CMPXCHG;
  return accesses && is_fat(s->o->m, og_ir_type_of_ref(s->o->m, s->o->f, og_ir_operand(s->o->f, i, *pointer)));
}

/* A transfer to LDS from where such a pointer leads; false: it is another call. */
static bool to_lds(struct fats *s, const struct cc_maker *k, const struct og_ir_inst *i) {
  struct og_text name = cc_callee_name(s->o->m, s->o->f, i);
  bool waited = og_text_is(name, "llvm.amdgcn.load.to.lds.p7");
  if ((!waited && !og_text_is(name, "llvm.amdgcn.load.async.to.lds.p7")) || i->operands != 6)
    return false;
  struct cc_fat fat = parts_of(s, k, og_ir_operand(s->o->f, i, 1));
  og_ir_ref place = og_ir_operand(s->o->f, i, 2), size = og_ir_operand(s->o->f, i, 3),
            more = og_ir_operand(s->o->f, i, 4);
  og_ir_ref list[] = {fat.resource, place, size, fat.offset, cc_make_number(k, 0), more, og_ir_operand(s->o->f, i, 5)};
  cc_make_call(k, waited ? "llvm.amdgcn.raw.ptr.buffer.load.lds" : "llvm.amdgcn.raw.ptr.buffer.load.async.lds",
               OG_IR_VOID, list, OG_COUNT(list));
  return true;
}

/* Replaces an instruction that reads such pointers and makes none. */
static void replace(struct fats *s, const struct cc_maker *k, uint32_t record) {
  struct og_ir_function *f = s->o->f;
  const struct og_ir_inst i = f->insts.items[record];
  og_ir_ref x = og_ir_operand(f, &i, 0);
  bool first = is_fat(s->o->m, og_ir_type_of_ref(s->o->m, f, x));
  uint32_t pointer;
  if (i.opcode == OG_IR_ICMP && first) {
    s->with[record] = compare(s, k, &i);
  } else if ((i.opcode == OG_IR_PTRTOINT || i.opcode == OG_IR_PTRTOADDR) && first) {
    s->with[record] = to_integer(s, k, &i);
  } else if (i.opcode == OG_IR_STORE && first) {
    store_pointer(s, k, &i, parts_of(s, k, x));
  } else if (accesses_by_fat(s, &i, &pointer)) {
    og_ir_ref value = cc_fat_access(k, &i, parts_of(s, k, og_ir_operand(f, &i, pointer)), x);
    s->with[record] = value == OG_IR_NONE ? 0 : value;
  } else if (i.opcode == OG_IR_CALL && to_lds(s, k, &i)) {
    s->with[record] = 0;
  } else {
    for (uint32_t n = 0; n < i.operands && i.opcode != OG_IR_PHI; n++) { /* readers of the whole value */
      og_ir_ref ref = og_ir_operand(f, &i, n);
      if (og_ir_space(ref) != OG_IR_LOCAL || og_ir_index(ref) >= s->old ||
          !is_fat(s->o->m, og_ir_type_of_ref(s->o->m, f, ref)) || s->parts[og_ir_index(ref)].resource == OG_IR_NONE ||
          !s->with[og_ir_index(ref)])
        continue;
      og_ir_ref whole = put_together(k, parts_of(s, k, ref));
      cc_set(f, record, n, cc_make(k, OG_IR_INTTOPTR, og_ir_pointer(s->o->m, CC_FAT), 1, whole, 0));
    }
    return;
  }
  og_ir_remove(f, record);
}

/* At the end phis get the parts of their values, which are made at the end of the blocks from which these come. */
static void fill_phis(struct fats *s) {
  struct og_ir_function *f = s->o->f;
  for (uint32_t p = 0; p < s->phis.count; p++) {
    const struct og_ir_inst i = f->insts.items[s->phis.items[p]];
    struct cc_fat to = s->parts[s->phis.items[p]];
    for (uint32_t n = 0; n < i.operands; n += 2) {
      uint32_t from = og_ir_index(og_ir_operand(f, &i, n + 1)), end = f->blocks.items[from].last;
      struct cc_maker k = {s->o, from, end, end};
      struct cc_fat part = parts_of(s, &k, og_ir_operand(f, &i, n));
      cc_set(f, og_ir_index(to.resource), n, part.resource), cc_set(f, og_ir_index(to.offset), n, part.offset);
      cc_set(f, og_ir_index(to.resource), n + 1, OG_IR_BLOCK | from),
          cc_set(f, og_ir_index(to.offset), n + 1, OG_IR_BLOCK | from);
    }
  }
}

/* If a phi has the same resource from all sides, it is replaced by that: most pointers differ only in their offsets. */
static void join_resources(struct fats *s) {
  struct og_ir_function *f = s->o->f;
  og_ir_ref *with = OG_NEW_ARRAY(s->o->arena, og_ir_ref, f->insts.count);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < s->phis.count; p++) {
      uint32_t phi = og_ir_index(s->parts[s->phis.items[p]].resource);
      og_ir_ref only = 0;
      bool one = !with[phi];
      for (uint32_t n = 0; n < f->insts.items[phi].operands && one; n += 2) {
        og_ir_ref value = cc_now(with, og_ir_operand(f, &f->insts.items[phi], n));
        one = value == phi || !only || only == value;
        only = value == phi ? only : value;
      }
      if (!one || !only)
        continue;
      with[phi] = only, changed = true;
      og_ir_remove(f, phi);
    }
  }
  cc_renew_all(f, with);
}

static void visit(struct fats *s, uint32_t block, uint32_t record) {
  struct og_ir_function *f = s->o->f;
  const struct og_ir_inst i = f->insts.items[record];
  struct cc_maker k = {s->o, block, record, record};
  struct cc_fat out;
  for (uint32_t n = 0; n < i.operands; n++) /* operands that have been replaced */
    if (og_ir_space(og_ir_operand(f, &i, n)) == OG_IR_LOCAL && og_ir_index(og_ir_operand(f, &i, n)) < s->old) {
      og_ir_ref known = s->with[og_ir_index(og_ir_operand(f, &i, n))];
      if (known && known != OG_IR_NONE)
        cc_set(f, record, n, known);
    }
  if (og_ir_opcodes[i.opcode].shape == OG_IR_SHAPE_DEBUG)
    return;
  bool makes = is_fat(s->o->m, i.type);
  if (makes && make_parts(s, &k, &i, &out)) {
    s->parts[record] = out;
    s->with[record] = OG_IR_NONE; /* replaced, but only in parts */
    if (i.opcode == OG_IR_PHI)
      *OG_PUSH(s->o->arena, &s->phis) = record;
    og_ir_remove(f, record);
    return;
  }
  if (i.operands)
    replace(s, &k, record);
  struct cc_maker after = {s->o, block, i.next, record};
  if (makes && f->insts.items[record].block != UINT32_MAX) /* one value still, and its parts */
    parts_of(s, &after, record);
}

static bool has_fats(const struct cc_opt *o) {
  for (uint32_t i = 1; i < o->f->insts.count; i++)
    if (is_fat(o->m, o->f->insts.items[i].type))
      return true;
  return false;
}

void cc_fat_pointers(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  if (!has_fats(o))
    return;
  struct fats s = {.o = o, .old = f->insts.count};
  struct cc_graph g;
  cc_graph(o->arena, f, &g);
  s.parts = OG_NEW_ARRAY(o->arena, struct cc_fat, s.old), s.with = OG_NEW_ARRAY(o->arena, og_ir_ref, s.old);
  for (uint32_t i = 0; i < s.old; i++)
    s.parts[i].resource = OG_IR_NONE;
  uint32_t entry = f->blocks.items[0].first;
  struct cc_maker start = {o, 0, entry, entry};
  for (uint32_t i = 1; i <= f->arguments; i++)
    if (is_fat(o->m, f->insts.items[i].type))
      parts_of(&s, &start, i);
  for (uint32_t n = 0; n < g.count; n++)
    for (uint32_t i = f->blocks.items[g.order[n]].first, next; i; i = next) {
      next = f->insts.items[i].next;
      if (i < s.old)
        visit(&s, g.order[n], i);
    }
  fill_phis(&s);
  for (uint32_t n = 0; n < f->operands.count; n++) {
    og_ir_ref *ref = &f->operands.items[n];
    while (og_ir_space(*ref) == OG_IR_LOCAL && og_ir_index(*ref) < s.old && s.with[og_ir_index(*ref)] &&
           s.with[og_ir_index(*ref)] != OG_IR_NONE)
      *ref = s.with[og_ir_index(*ref)];
  }
  join_resources(&s);
}
