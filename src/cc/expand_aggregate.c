/* expand_aggregate.c - a load or store of a struct or an array becomes loads or stores of its members. */
#include "cc/machine.h"
#include "cc/opt.h"

enum { MOST_PARTS = 1024, DEEPEST = 16 };

struct access {
  struct cc_opt *o;
  uint32_t record; /* the load or store */
  og_ir_ref pointer, whole; /* whole: what is stored, or what is loaded so far */
  bool stores;
  uint32_t path[1 + DEEPEST]; /* the number of indices that lead to a part, then these */
};

static bool is_aggregate(const struct og_ir_module *m, og_ir_type type) {
  return og_ir_kind(m, type) == OG_IR_STRUCT || og_ir_kind(m, type) == OG_IR_ARRAY;
}

static uint64_t parts_of(const struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  return t->kind == OG_IR_STRUCT ? t->parts : t->count;
}

/* How many values a type consists of; above MOST_PARTS if these are too many. */
static uint64_t count(const struct og_ir_module *m, og_ir_type type, unsigned depth) {
  if (!is_aggregate(m, type))
    return 1;
  uint64_t parts = parts_of(m, type), all = 0;
  if (depth == DEEPEST || parts > MOST_PARTS)
    return MOST_PARTS + 1;
  for (uint64_t k = 0; k < parts && all <= MOST_PARTS; k++)
    all += count(m, og_ir_element(m, type, k), depth + 1);
  return all;
}

static uint32_t insert(struct access *a, uint8_t opcode, og_ir_type type, uint32_t operands) {
  return cc_insert(a->o, a->o->f->insts.items[a->record].block, a->record, opcode, type, operands, a->record);
}

static void access_part(struct access *a, og_ir_type type, uint64_t offset) {
  struct cc_opt *o = a->o;
  struct og_ir_function *f = o->f;
  const struct og_ir_inst i = f->insts.items[a->record];
  uint64_t known = i.sub ? UINT64_C(1) << (i.sub - 1)
                         : cc_align_of(o->m, og_ir_type_of_ref(o->m, f, a->whole));
  uint32_t indices = og_ir_pool_list(o->m, a->path, 1 + a->path[0]),
           gep = insert(a, OG_IR_GETELEMENTPTR, og_ir_type_of_ref(o->m, f, a->pointer), 2), part;
  f->insts.items[gep].extra = og_ir_integer(o->m, 8);
  cc_set(f, gep, 0, a->pointer), cc_set(f, gep, 1, og_ir_number(o->m, og_ir_integer(o->m, 32), offset));
  if (a->stores) {
    uint32_t value = insert(a, OG_IR_EXTRACTVALUE, type, 1);
    f->insts.items[value].extra = indices;
    cc_set(f, value, 0, a->whole);
    part = insert(a, OG_IR_STORE, OG_IR_VOID, 2);
    cc_set(f, part, 0, value), cc_set(f, part, 1, gep);
  } else {
    part = insert(a, OG_IR_LOAD, type, 1);
    cc_set(f, part, 0, gep);
    uint32_t more = insert(a, OG_IR_INSERTVALUE, i.type, 2);
    f->insts.items[more].extra = indices;
    cc_set(f, more, 0, a->whole), cc_set(f, more, 1, part);
    a->whole = more;
  }
  while (known > 1 && offset % known)
    known /= 2;
  f->insts.items[part].sub = (uint8_t)(1 + __builtin_ctzll(known));
  f->insts.items[part].flags = i.flags & OG_IR_F_VOLATILE;
}

static void access_all(struct access *a, og_ir_type type, uint64_t offset) {
  const struct og_ir_module *m = a->o->m;
  if (!is_aggregate(m, type)) {
    access_part(a, type, offset);
    return;
  }
  uint64_t parts = parts_of(m, type);
  bool array = og_ir_kind(m, type) == OG_IR_ARRAY;
  a->path[0]++;
  for (uint64_t k = 0; k < parts; k++) {
    og_ir_type part = og_ir_element(m, type, k);
    a->path[a->path[0]] = (uint32_t)k;
    access_all(a, part, offset + (array ? k * cc_size_of(m, part) : cc_field_offset(m, type, k)));
  }
  a->path[0]--;
}

bool cc_expand_aggregate(struct cc_opt *o, uint32_t record, og_ir_ref *with) {
  const struct og_ir_inst i = o->f->insts.items[record];
  struct access a = {.o = o, .record = record, .stores = i.opcode == OG_IR_STORE};
  if (!a.stores && i.opcode != OG_IR_LOAD)
    return false;
  og_ir_type type = a.stores ? og_ir_type_of_ref(o->m, o->f, og_ir_operand(o->f, &i, 0)) : i.type;
  if (!is_aggregate(o->m, type) || !og_ir_is_sized(o->m, type) || count(o->m, type, 0) > MOST_PARTS)
    return false;
  a.pointer = og_ir_operand(o->f, &i, a.stores);
  a.whole = a.stores ? og_ir_operand(o->f, &i, 0)
                     : og_ir_constant(o->m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = type}, NULL);
  access_all(&a, type, 0);
  *with = a.whole;
  og_ir_remove(o->f, record);
  return true;
}
