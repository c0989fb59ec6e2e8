/* loads.c - within a block, a load takes its value from an earlier load or store of the same memory, if nothing between
 * them may have changed it. Not in functions whose variables a debugger may change (optnone). */
#include "cc/alias.h"
#include "cc/machine.h"
#include "cc/opt.h"

enum { KEPT_MOST = 16 };

struct content {
  uint32_t access; /* the load or store, */
  og_ir_ref pointer, value;
  og_ir_type type;
};

struct contents {
  struct cc_opt *o;
  og_ir_ref *with;
  struct content list[KEPT_MOST];
  unsigned count;
  bool any; /* something was replaced */
};

static void keep(struct contents *k, struct content content) {
  if (k->count == KEPT_MOST) { /* the oldest is dropped */
    for (unsigned n = 1; n < k->count; n++)
      k->list[n - 1] = k->list[n];
    k->count--;
  }
  k->list[k->count++] = content;
}

static void forget(struct contents *k, uint32_t store) {
  unsigned kept = 0;
  for (unsigned n = 0; n < k->count; n++)
    if (!cc_may_meet(k->o->m, k->o->f, k->list[n].access, store))
      k->list[kept++] = k->list[n];
  k->count = kept;
}

/* The value that a load will find; 0: unknown. */
static og_ir_ref known(const struct contents *k, og_ir_ref pointer, og_ir_type type) {
  for (unsigned n = k->count; n-- > 0;)
    if (k->list[n].pointer == pointer && k->list[n].type == type)
      return k->list[n].value;
  return 0;
}

static void visit(struct contents *k, uint32_t record) {
  struct og_ir_function *f = k->o->f;
  const struct og_ir_inst *i = &f->insts.items[record];
  bool plain = !(i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE));
  if (i->opcode == OG_IR_LOAD && plain) {
    og_ir_ref pointer = og_ir_operand(f, i, 0), value = known(k, pointer, i->type);
    if (value) {
      k->with[record] = value, k->any = true;
      og_ir_remove(f, record);
    } else {
      keep(k, (struct content){record, pointer, record, i->type});
    }
  } else if (i->opcode == OG_IR_STORE && plain) {
    og_ir_ref value = og_ir_operand(f, i, 0);
    forget(k, record);
    keep(k, (struct content){record, og_ir_operand(f, i, 1), value, og_ir_type_of_ref(k->o->m, f, value)});
  } else if (og_ir_opcodes[i->opcode].shape != OG_IR_SHAPE_DEBUG && cc_has_effects(k->o->m, f, i)) {
    k->count = 0;
  }
}

void cc_loads(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  if (cc_has_attribute(o->m, f, OG_IR_A_OPT_NONE))
    return;
  struct contents k = {.o = o, .with = OG_NEW_ARRAY(o->arena, og_ir_ref, f->insts.count)};
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    k.count = 0;
    for (uint32_t i = f->blocks.items[b].first, next; i; i = next) {
      const struct og_ir_inst *inst = &f->insts.items[i];
      next = inst->next;
      if (k.any)
        cc_renew(f, inst, k.with);
      visit(&k, i);
    }
  }
  if (k.any)
    cc_renew_all(f, k.with);
}
