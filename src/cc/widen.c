/* widen.c - integers of 65 to 128 bits: those whose size is not a number of dwords are computed in 128 bits; divisions
 * and conversions from and to floats become calls of bodies in library.def. Integers of any size that no instruction
 * can access are loaded and stored in pieces. */
#include "cc/machine.h"
#include "cc/opt.h"

struct widening {
  struct cc_opt o;
  uint32_t record; /* the instruction that is replaced, */
  og_ir_ref *with; /* by record: its replacement */
  og_ir_type wide; /* i128 */
};

static unsigned bits_of(const struct widening *w, og_ir_type type) {
  return og_ir_kind(w->o.m, type) == OG_IR_INTEGER ? cc_bits(w->o.m, type) : 0;
}
static bool is_wide(unsigned bits) { return bits > 64 && bits <= 128; }

static uint32_t insert(struct widening *w, uint8_t opcode, og_ir_type type, og_ir_ref a, og_ir_ref b) {
  uint32_t i = cc_insert(&w->o, w->o.f->insts.items[w->record].block, w->record, opcode, type, b == OG_IR_NONE ? 1 : 2,
                         w->record);
  cc_set(w->o.f, i, 0, a);
  if (b != OG_IR_NONE)
    cc_set(w->o.f, i, 1, b);
  return i;
}

static og_ir_ref resized(struct widening *w, og_ir_ref value, og_ir_type type, bool is_signed) {
  unsigned have = bits_of(w, og_ir_type_of_ref(w->o.m, w->o.f, value)), want = bits_of(w, type);
  return have == want ? value
                      : insert(w,
                               have > want ? OG_IR_TRUNC
                               : is_signed ? OG_IR_SEXT
                                           : OG_IR_ZEXT,
                               type, value, OG_IR_NONE);
}

static og_ir_ref extended(struct widening *w, og_ir_ref value, bool is_signed) {
  return resized(w, value, w->wide, is_signed);
}

static og_ir_ref cut(struct widening *w, og_ir_ref value, og_ir_type type) { return resized(w, value, type, false); }

static og_ir_ref call(struct widening *w, const char *name, og_ir_type result, const og_ir_ref *arguments,
                      uint32_t count) {
  return cc_insert_call(&w->o, w->o.f->insts.items[w->record].block, w->record, name, result, arguments, count,
                        w->record);
}

static bool binary(struct widening *w, og_ir_ref *out) {
  const struct og_ir_inst i = w->o.f->insts.items[w->record];
  unsigned bits = bits_of(w, i.type);
  static const struct {
    uint8_t opcode;
    const char *name;
  } divisions[] = {{OG_IR_UDIV, "llvm.offgrid.udiv.i128"},
                   {OG_IR_UREM, "llvm.offgrid.urem.i128"},
                   {OG_IR_SDIV, "llvm.offgrid.sdiv.i128"},
                   {OG_IR_SREM, "llvm.offgrid.srem.i128"}};
  const char *name = NULL;
  for (unsigned k = 0; k < OG_COUNT(divisions); k++)
    name = divisions[k].opcode == i.opcode ? divisions[k].name : name;
  if (!is_wide(bits) || (!name && bits % 32 == 0))
    return false;
  bool is_signed = i.opcode == OG_IR_SDIV || i.opcode == OG_IR_SREM || i.opcode == OG_IR_ASHR;
  bool shifts = i.opcode == OG_IR_SHL || i.opcode == OG_IR_LSHR || i.opcode == OG_IR_ASHR;
  og_ir_ref a = extended(w, og_ir_operand(w->o.f, &i, 0), is_signed);
  og_ir_ref b = extended(w, og_ir_operand(w->o.f, &i, 1), is_signed && !shifts);
  og_ir_ref result = name ? call(w, name, w->wide, (og_ir_ref[]){a, b}, 2) : insert(w, i.opcode, w->wide, a, b);
  *out = cut(w, result, i.type);
  return true;
}

static bool compare(struct widening *w, og_ir_ref *out) {
  const struct og_ir_inst i = w->o.f->insts.items[w->record];
  unsigned bits = bits_of(w, og_ir_type_of_ref(w->o.m, w->o.f, og_ir_operand(w->o.f, &i, 0)));
  if (!is_wide(bits) || bits % 32 == 0)
    return false;
  bool is_signed = i.sub >= OG_IR_SGT;
  og_ir_ref a = extended(w, og_ir_operand(w->o.f, &i, 0), is_signed),
            b = extended(w, og_ir_operand(w->o.f, &i, 1), is_signed);
  *out = insert(w, OG_IR_ICMP, i.type, a, b);
  w->o.f->insts.items[og_ir_index(*out)].sub = i.sub;
  return true;
}

/* By way of double, in which floats and halves are exact. */
static bool convert(struct widening *w, og_ir_ref *out) {
  const struct og_ir_inst i = w->o.f->insts.items[w->record];
  og_ir_ref value = og_ir_operand(w->o.f, &i, 0);
  og_ir_type from = og_ir_type_of_ref(w->o.m, w->o.f, value);
  bool to_float = i.opcode == OG_IR_UITOFP || i.opcode == OG_IR_SITOFP;
  bool is_signed = i.opcode == OG_IR_SITOFP || i.opcode == OG_IR_FPTOSI;
  if (!is_wide(bits_of(w, to_float ? from : i.type)))
    return false;
  uint8_t kind = og_ir_kind(w->o.m, to_float ? i.type : from);
  if (kind != OG_IR_HALF && kind != OG_IR_BFLOAT && kind != OG_IR_FLOAT && kind != OG_IR_DOUBLE)
    return false;
  if (to_float) { /* what overflows a float also overflows a half */
    bool is_double = kind == OG_IR_DOUBLE;
    const char *name = is_signed ? (is_double ? "llvm.offgrid.sitofp.f64" : "llvm.offgrid.sitofp.f32")
                                 : (is_double ? "llvm.offgrid.uitofp.f64" : "llvm.offgrid.uitofp.f32");
    og_ir_ref wide = extended(w, value, is_signed);
    og_ir_ref made = call(w, name, is_double ? OG_IR_DOUBLE : OG_IR_FLOAT, &wide, 1);
    *out = kind < OG_IR_FLOAT ? insert(w, OG_IR_FPTRUNC, i.type, made, OG_IR_NONE) : made;
    return true;
  }
  if (kind == OG_IR_BFLOAT)
    value = insert(w, OG_IR_FPEXT, OG_IR_FLOAT, value, OG_IR_NONE);
  og_ir_ref x = kind == OG_IR_DOUBLE ? value : insert(w, OG_IR_FPEXT, OG_IR_DOUBLE, value, OG_IR_NONE);
  *out = cut(w, call(w, "llvm.offgrid.fptosi.f64", w->wide, &x, 1), i.type);
  return true;
}

static og_ir_ref behind(struct widening *w, og_ir_ref pointer, unsigned bytes) {
  if (!bytes)
    return pointer;
  og_ir_ref number = og_ir_number(w->o.m, og_ir_integer(w->o.m, 32), bytes);
  uint32_t at = insert(w, OG_IR_GETELEMENTPTR, og_ir_type_of_ref(w->o.m, w->o.f, pointer), pointer, number);
  w->o.f->insts.items[at].extra = og_ir_integer(w->o.m, 8);
  return at;
}

static bool is_accessed_whole(unsigned bits) {
  return bits == 1 || bits == 8 || bits == 16 || (bits % 32 == 0 && bits <= 128);
}

/* Bytes of the largest piece that fits. */
static unsigned piece(unsigned left) { return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1; }

static void access_as(struct widening *w, uint32_t access, unsigned at) {
  struct og_ir_inst *i = &w->o.f->insts.items[access];
  const struct og_ir_inst *old = &w->o.f->insts.items[w->record];
  unsigned align = old->sub ? OG_MIN(old->sub - 1u, 8u) : 3;
  while (align && at & ((1u << align) - 1))
    align--;
  i->sub = (uint8_t)(1 + align), i->flags = old->flags, i->extra = old->extra;
}

static bool access(struct widening *w, og_ir_ref *out) {
  const struct og_ir_inst i = w->o.f->insts.items[w->record];
  bool stores = i.opcode == OG_IR_STORE;
  og_ir_ref first = og_ir_operand(w->o.f, &i, 0), pointer = stores ? og_ir_operand(w->o.f, &i, 1) : first;
  og_ir_type type = stores ? og_ir_type_of_ref(w->o.m, w->o.f, first) : i.type;
  unsigned bits = bits_of(w, type), size = (bits + 7) / 8;
  if (!bits || is_accessed_whole(bits) || bits > 256)
    return false;
  og_ir_type wide = og_ir_integer(w->o.m, bits <= 32 ? 32 : bits <= 64 ? 64 : bits <= 128 ? 128 : 256);
  og_ir_ref all = stores ? resized(w, first, wide, false) : OG_IR_NONE;
  for (unsigned at = 0, bytes; at < size; at += bytes) {
    bytes = piece(size - at);
    og_ir_type part = og_ir_integer(w->o.m, 8 * bytes);
    og_ir_ref by = og_ir_number(w->o.m, wide, 8 * at), place = behind(w, pointer, at);
    if (stores) {
      og_ir_ref moved = at ? (og_ir_ref)insert(w, OG_IR_LSHR, wide, all, by) : all;
      access_as(w, insert(w, OG_IR_STORE, OG_IR_VOID, resized(w, moved, part, false), place), at);
      continue;
    }
    uint32_t load = insert(w, OG_IR_LOAD, part, place, OG_IR_NONE);
    access_as(w, load, at);
    og_ir_ref one = resized(w, load, wide, false);
    all = at ? (og_ir_ref)insert(w, OG_IR_OR, wide, all, insert(w, OG_IR_SHL, wide, one, by)) : one;
  }
  *out = stores ? OG_IR_NONE : cut(w, all, type);
  return true;
}

/* Intrinsics for which extended operands give the extended result. */
static bool intrinsic(struct widening *w, og_ir_ref *out) {
  static const struct {
    const char *begins, *name;
    bool is_signed;
  } table[] = {{"llvm.umin.", "llvm.umin.i128", false}, {"llvm.umax.", "llvm.umax.i128", false},
               {"llvm.smin.", "llvm.smin.i128", true},  {"llvm.smax.", "llvm.smax.i128", true},
               {"llvm.abs.", "llvm.abs.i128", true},    {"llvm.ctpop.", "llvm.ctpop.i128", false}};
  const struct og_ir_inst i = w->o.f->insts.items[w->record];
  unsigned bits = bits_of(w, i.type), which = 0;
  struct og_text name = cc_callee_name(w->o.m, w->o.f, &i);
  while (which < OG_COUNT(table) && !og_text_skip(&name, table[which].begins))
    which++;
  if (!is_wide(bits) || bits == 128 || which == OG_COUNT(table) || i.operands > 3)
    return false;
  og_ir_ref arguments[2];
  uint32_t count = i.operands - 1;
  for (uint32_t k = 0; k < count && k < OG_COUNT(arguments); k++) {
    og_ir_ref ref = og_ir_operand(w->o.f, &i, 1 + k);
    bool is_value = is_wide(bits_of(w, og_ir_type_of_ref(w->o.m, w->o.f, ref)));
    arguments[k] = is_value ? extended(w, ref, table[which].is_signed) : ref;
  }
  *out = cut(w, call(w, table[which].name, w->wide, arguments, count), i.type);
  return true;
}

static bool widen(struct widening *w, og_ir_ref *out) {
  const struct og_ir_inst *i = &w->o.f->insts.items[w->record];
  switch (og_ir_opcodes[i->opcode].shape) {
  case OG_IR_SHAPE_BINARY_INT: return binary(w, out);
  case OG_IR_SHAPE_ICMP: return compare(w, out);
  case OG_IR_SHAPE_CALL: return intrinsic(w, out);
  case OG_IR_SHAPE_LOAD:
  case OG_IR_SHAPE_STORE: return !(i->flags & OG_IR_F_ATOMIC) && access(w, out);
  case OG_IR_SHAPE_CAST:
    return (i->opcode == OG_IR_UITOFP || i->opcode == OG_IR_SITOFP || i->opcode == OG_IR_FPTOUI ||
            i->opcode == OG_IR_FPTOSI) &&
           convert(w, out);
  default: return false;
  }
}

void cc_widen_integers(struct og_ir_module *m) {
  for (uint32_t n = 0; n < m->functions.count; n++) {
    struct widening w = {.o = {.arena = m->arena, .m = m, .f = m->globals.items[m->functions.items[n]].function}};
    struct og_ir_function *f = w.o.f;
    uint32_t old = f->insts.count;
    w.wide = og_ir_integer(m, 128);
    for (uint32_t b = 0; b < f->blocks.count; b++)
      for (uint32_t i = f->blocks.items[b].first, next; i; i = next) {
        og_ir_ref value = OG_IR_NONE;
        next = f->insts.items[i].next;
        w.record = i;
        if (!widen(&w, &value))
          continue;
        w.with = w.with ? w.with : OG_NEW_ARRAY(m->arena, og_ir_ref, old);
        w.with[i] = value;
        og_ir_remove(f, i);
      }
    cc_replace(f, w.with, old);
  }
}
