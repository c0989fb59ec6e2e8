/* fat_access.c - loads, stores and atomic operations by buffer fat pointers become buffer intrinsics, in pieces of up
 * to 16 bytes; around those that order other accesses stand fences. */
#include "cc/fat.h"

enum { VOLATILE = 1u << 31, NONTEMPORAL = 2 }; /* of the auxiliary argument */

static const char *const operations[OG_IR_RMW_OPERATIONS] = {
    [OG_IR_XCHG] = "swap",
    [OG_IR_RMW_ADD] = "add",
    [OG_IR_RMW_SUB] = "sub",
    [OG_IR_RMW_AND] = "and",
    [OG_IR_RMW_NAND] = "nand",
    [OG_IR_RMW_OR] = "or",
    [OG_IR_RMW_XOR] = "xor",
    [OG_IR_RMW_MAX] = "smax",
    [OG_IR_RMW_MIN] = "smin",
    [OG_IR_RMW_UMAX] = "umax",
    [OG_IR_RMW_UMIN] = "umin",
    [OG_IR_RMW_FADD] = "fadd",
    [OG_IR_RMW_FSUB] = "fsub",
    [OG_IR_RMW_FMAX] = "fmax",
    [OG_IR_RMW_FMIN] = "fmin",
    [OG_IR_RMW_UINC_WRAP] = "inc",
    [OG_IR_RMW_UDEC_WRAP] = "dec",
    [OG_IR_RMW_USUB_COND] = "cond.sub.u32",
    [OG_IR_RMW_USUB_SAT] = "sub.clamp.u32",
    [OG_IR_RMW_FMAXIMUM] = "fmaximum",
    [OG_IR_RMW_FMINIMUM] = "fminimum",
    [OG_IR_RMW_FMAXIMUMNUM] = "fmaximumnum",
    [OG_IR_RMW_FMINIMUMNUM] = "fminimumnum",
};

static const char *name_of(const struct cc_maker *k, const char *operation, og_ir_type type) {
  return og_arena_printf(k->o->m->arena, "llvm.amdgcn.raw.ptr.%s.%s", operation, cc_type_name(k->o->m, type));
}

struct access {
  const struct cc_maker *k;
  struct cc_fat at;
  og_ir_ref zero, auxiliary;
  bool atomic;
};

static og_ir_ref offset_of(const struct access *a, uint32_t by) {
  if (!by)
    return a->at.offset;
  uint32_t sum = cc_make(a->k, OG_IR_ADD, og_ir_integer(a->k->o->m, 32), 2, a->at.offset, cc_make_number(a->k, by));
  a->k->o->f->insts.items[sum].flags = OG_IR_F_NUW; /* pieces of one access do not wrap around */
  return sum;
}

static og_ir_ref load_piece(const struct access *a, og_ir_type type, uint32_t by) {
  og_ir_ref list[4] = {a->at.resource, offset_of(a, by), a->zero, a->auxiliary};
  return cc_make_call(a->k, name_of(a->k, a->atomic ? "atomic.buffer.load" : "buffer.load", type), type, list, 4);
}

static void store_piece(const struct access *a, og_ir_ref value, uint32_t by) {
  og_ir_ref list[5] = {value, a->at.resource, offset_of(a, by), a->zero, a->auxiliary};
  og_ir_type type = og_ir_type_of_ref(a->k->o->m, a->k->o->f, value);
  cc_make_call(a->k, name_of(a->k, "buffer.store", type), OG_IR_VOID, list, 5);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

/* The bytes of each unit that an access is made of: dwords if its size is a multiple of these and its alignment
 * permits. */
static unsigned unit_of(const struct cc_maker *k, uint64_t size, unsigned log2_align) {
  unsigned unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
  while (k->o->isa->generation < OG_GFX900 && log2_align && unit > 1u << (log2_align - 1))
    unit /= 2;
  return unit;
}

static bool is_direct(const struct cc_maker *k, og_ir_type type, uint64_t size, unsigned unit) {
  bool bytes = cc_bits(k->o->m, og_ir_scalar(k->o->m, type)) % 8 == 0;
  return bytes && (size == unit || (unit == 4 && size <= 16));
}

static unsigned next_piece(uint64_t left, unsigned unit) { return unit < 4 ? unit : (unsigned)OG_MIN(left, 16u); }

static og_ir_type words_of(const struct cc_maker *k, unsigned bytes, unsigned unit) {
  og_ir_type word = og_ir_integer(k->o->m, 8 * unit);
  return bytes == unit ? word : og_ir_sequence(k->o->m, OG_IR_VECTOR, word, bytes / unit);
}

/* A type with the same bits that is no pointer: of pointers integers. */
static og_ir_type plain_type(const struct cc_maker *k, og_ir_type type) {
  struct og_ir_module *m = k->o->m;
  og_ir_type scalar = og_ir_scalar(m, type);
  return og_ir_kind(m, scalar) == OG_IR_POINTER ? og_ir_with_scalar(m, type, og_ir_integer(m, cc_bits(m, scalar)))
                                                : type;
}

static og_ir_ref load(const struct access *a, og_ir_type type, unsigned log2_align) {
  const struct cc_maker *k = a->k;
  struct og_ir_module *m = k->o->m;
  uint64_t size = cc_store_size(m, type);
  unsigned unit = unit_of(k, size, log2_align), bits = cc_bits(m, type);
  if (bits && bits < 8)
    return cc_make(k, OG_IR_TRUNC, type, 1, load_piece(a, og_ir_integer(m, 8), 0), 0);
  if (is_direct(k, type, size, unit))
    return load_piece(a, type, 0);
  og_ir_type whole = words_of(k, (unsigned)size, unit), plain = plain_type(k, type);
  og_ir_ref all = og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = whole}, NULL);
  for (uint32_t at = 0; at < size;) {
    unsigned some = next_piece(size - at, unit);
    og_ir_ref piece = load_piece(a, words_of(k, some, unit), at);
    for (unsigned n = 0; n < some / unit; n++)
      all = cc_make_insert(k, all, some == unit ? piece : cc_make_extract(k, piece, n), at / unit + n);
    at += some;
  }
  if (plain != whole)
    all = cc_make(k, OG_IR_BITCAST, plain, 1, all, 0);
  return plain == type ? all : cc_make(k, OG_IR_INTTOPTR, type, 1, all, 0);
}

static void store(const struct access *a, og_ir_ref value, unsigned log2_align) {
  const struct cc_maker *k = a->k;
  struct og_ir_module *m = k->o->m;
  og_ir_type type = og_ir_type_of_ref(m, k->o->f, value);
  uint64_t size = cc_store_size(m, type);
  unsigned unit = unit_of(k, size, log2_align), bits = cc_bits(m, type);
  if (bits && bits < 8) {
    store_piece(a, cc_make(k, OG_IR_ZEXT, og_ir_integer(m, 8), 1, value, 0), 0);
    return;
  }
  if (is_direct(k, type, size, unit)) {
    store_piece(a, value, 0);
    return;
  }
  og_ir_type whole = words_of(k, (unsigned)size, unit), plain = plain_type(k, type);
  if (plain != type)
    value = cc_make(k, OG_IR_PTRTOINT, plain, 1, value, 0);
  if (plain != whole)
    value = cc_make(k, OG_IR_BITCAST, whole, 1, value, 0);
  for (uint32_t at = 0; at < size;) {
    unsigned some = next_piece(size - at, unit);
    og_ir_ref piece =
        og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = words_of(k, some, unit)}, NULL);
    for (unsigned n = 0; n < some / unit; n++) {
      og_ir_ref word = cc_make_extract(k, value, at / unit + n);
      piece = some == unit ? word : cc_make_insert(k, piece, word, n);
    }
    store_piece(a, piece, at);
    at += some;
  }
}

/* ---- atomic operations ------------------------------------------------------------------------------------------- */

static og_ir_ref change(const struct access *a, const struct og_ir_inst *i) {
  const char *operation = operations[og_ir_memory(i->extra).operation];
  og_ir_ref list[5] = {og_ir_operand(a->k->o->f, i, 1), a->at.resource, a->at.offset, a->zero, a->auxiliary};
  const char *name = og_arena_printf(a->k->o->m->arena, "buffer.atomic.%s", operation);
  return cc_make_call(a->k, name_of(a->k, name, i->type), i->type, list, 5);
}

/* The old value, and whether it was the expected one. */
static og_ir_ref swap(const struct access *a, const struct og_ir_inst *i) {
  const struct cc_maker *k = a->k;
  struct og_ir_module *m = k->o->m;
  struct og_ir_function *f = k->o->f;
  og_ir_ref expected = og_ir_operand(f, i, 1), desired = og_ir_operand(f, i, 2);
  og_ir_type type = og_ir_type_of_ref(m, f, expected), plain = plain_type(k, type);
  if (plain != type)
    expected = cc_make(k, OG_IR_PTRTOINT, plain, 1, expected, 0),
    desired = cc_make(k, OG_IR_PTRTOINT, plain, 1, desired, 0);
  og_ir_ref list[6] = {desired, expected, a->at.resource, a->at.offset, a->zero, a->auxiliary};
  og_ir_ref old = cc_make_call(k, name_of(k, "buffer.atomic.cmpswap", plain), plain, list, 6);
  uint32_t same = cc_make(k, OG_IR_ICMP, og_ir_integer(m, 1), 2, old, expected);
  f->insts.items[same].sub = OG_IR_EQ;
  if (plain != type)
    old = cc_make(k, OG_IR_INTTOPTR, type, 1, old, 0);
  og_ir_ref all = og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = i->type}, NULL);
  for (uint32_t n = 0; n < 2; n++) {
    uint32_t next = cc_make(k, OG_IR_INSERTVALUE, i->type, 2, all, n ? (og_ir_ref)same : old);
    f->insts.items[next].extra = og_ir_pool_list(m, (uint32_t[]){1, n}, 2);
    all = next;
  }
  return all;
}

static void fence(const struct cc_maker *k, struct og_ir_memory memory, bool before) {
  bool releases = memory.ordering == OG_IR_RELEASE || memory.ordering >= OG_IR_ACQ_REL;
  bool acquires = memory.ordering == OG_IR_ACQUIRE || memory.ordering >= OG_IR_ACQ_REL;
  if (before ? !releases : !acquires)
    return;
  uint32_t i = cc_insert(k->o, k->block, k->before, OG_IR_FENCE, OG_IR_VOID, 0, k->origin);
  k->o->f->insts.items[i].extra = og_ir_pack_memory(
      (struct og_ir_memory){.ordering = before ? OG_IR_RELEASE : OG_IR_ACQUIRE, .scope = memory.scope});
}

og_ir_ref cc_fat_access(const struct cc_maker *k, const struct og_ir_inst *i, struct cc_fat at, og_ir_ref stored) {
  bool swaps = i->opcode == OG_IR_CMPXCHG, orders = swaps || i->opcode == OG_IR_ATOMICRMW || i->flags & OG_IR_F_ATOMIC;
  uint32_t auxiliary = (i->flags & OG_IR_F_VOLATILE ? VOLATILE : 0) |
                       (cc_attachment(k->o->m, i->attachments, "nontemporal") != UINT32_MAX ? NONTEMPORAL : 0);
  struct access a = {k, at, cc_make_number(k, 0), cc_make_number(k, auxiliary), orders};
  struct og_ir_memory memory = og_ir_memory(i->extra);
  og_ir_ref value = OG_IR_NONE;
  if (orders)
    fence(k, memory, true);
  switch (i->opcode) {
  case OG_IR_LOAD: value = load(&a, i->type, i->sub); break;
  case OG_IR_STORE: store(&a, stored, i->sub); break;
  case OG_IR_ATOMICRMW: value = change(&a, i); break;
  default: value = swap(&a, i);
  }
  if (orders)
    fence(k, memory, false);
  return value;
}
