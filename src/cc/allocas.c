/* allocas.c - allocas whose size is known only when they run, or that may run several times. Their size is counted in
 * bytes, the most that any of the lanes asks for (as in LLVM's code). A function gives the memory back where it
 * returns, so that its body may replace a call in a loop. */
#include "cc/machine.h"
#include "cc/opt.h"

bool cc_is_dynamic(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  uint64_t count;
  return i->opcode == OG_IR_ALLOCA && (i->block || (i->operands && !cc_is_number(m, og_ir_operand(f, i, 0), &count)));
}

/* A count as 32 bits, the size of private addresses. */
static og_ir_ref resized(struct cc_opt *o, uint32_t record, og_ir_ref count) {
  og_ir_type word = og_ir_integer(o->m, 32), type = og_ir_type_of_ref(o->m, o->f, count);
  unsigned bits = cc_bits(o->m, type);
  if (bits == 32)
    return count;
  uint32_t cast =
      cc_insert(o, o->f->insts.items[record].block, record, bits < 32 ? OG_IR_ZEXT : OG_IR_TRUNC, word, 1, record);
  cc_set(o->f, cast, 0, count);
  return cast;
}

static void size_one(struct cc_opt *o, uint32_t record) {
  struct og_ir_function *f = o->f;
  const struct og_ir_inst i = f->insts.items[record];
  og_ir_type word = og_ir_integer(o->m, 32);
  uint64_t each = cc_size_of(o->m, i.extra), count;
  if (!i.operands || cc_is_number(o->m, og_ir_operand(f, &i, 0), &count))
    return;
  uint32_t bytes = cc_insert(o, i.block, record, OG_IR_MUL, word, 2, record);
  cc_set(f, bytes, 0, resized(o, record, og_ir_operand(f, &i, 0)));
  cc_set(f, bytes, 1, og_ir_number(o->m, word, each));
  uint32_t most = cc_insert_call(o, i.block, record, "llvm.offgrid.most.i32", word, (og_ir_ref[]){bytes}, 1, record);
  f->insts.items[record].extra = og_ir_integer(o->m, 8);
  if (!i.sub)
    f->insts.items[record].sub = (uint8_t)(1 + __builtin_ctzll(cc_align_of(o->m, i.extra)));
  cc_set(f, record, 0, most);
}

static void give_back(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  uint32_t first = f->blocks.items[0].first;
  og_ir_type pointer = og_ir_pointer(o->m, 5);
  uint32_t saved = cc_insert_call(o, 0, first, "llvm.stacksave.p5", pointer, NULL, 0, first);
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    uint32_t last = f->blocks.items[b].last;
    if (last && f->insts.items[last].opcode == OG_IR_RET)
      cc_insert_call(o, b, last, "llvm.stackrestore.p5", OG_IR_VOID, (og_ir_ref[]){saved}, 1, last);
  }
}

/* Allocas of the frame come first, so that they stay in the first block if that is divided. */
static void gather(struct og_ir_function *f, const struct og_ir_module *m) {
  uint32_t anchor = 0; /* the first that is not one of these */
  for (uint32_t i = f->blocks.items[0].first, next; i; i = next) {
    next = f->insts.items[i].next;
    bool is_static = f->insts.items[i].opcode == OG_IR_ALLOCA && !cc_is_dynamic(m, f, &f->insts.items[i]);
    if (!is_static && !anchor)
      anchor = i;
    if (!is_static || !anchor)
      continue;
    og_ir_remove(f, i);
    og_ir_insert_before(f, i, anchor);
  }
}

void cc_size_allocas(struct og_arena *arena, struct og_ir_module *m) {
  for (uint32_t n = 0; n < m->functions.count; n++) {
    struct cc_opt o = {.arena = arena, .m = m, .f = m->globals.items[m->functions.items[n]].function};
    bool any = false;
    if (o.f->blocks.count)
      gather(o.f, m);
    for (uint32_t b = 0; b < o.f->blocks.count; b++)
      for (uint32_t i = o.f->blocks.items[b].first; i; i = o.f->insts.items[i].next)
        if (cc_is_dynamic(m, o.f, &o.f->insts.items[i]))
          any = true, size_one(&o, i);
    if (any && o.f->convention != OG_IR_KERNEL)
      give_back(&o);
  }
}
