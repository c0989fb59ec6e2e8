/* waits_places.c - what is pending besides registers: LDS that transfers fill or read, and asyncmarks ("AMDGPU
 * Asynchronous Operations").
 *
 * A function's current sequence of marks is a row of places, each of which holds the last asynchronous operation before
 * its mark. Where paths meet, marks of the same age meet, and the youngest operation counts. wait.asyncmark(N) waits
 * for the mark of age N; the marks before it are older, so their operations have ended then, too. A mark costs nothing,
 * nor does one that nobody waits for, and a wait that no mark reaches waits for nothing.
 *
 * Transfers that are not asynchronous are waited for by accesses to LDS that may meet them. All transfers wait for
 * earlier accesses to the same LDS, which must happen before the transfer begins. For this LDS is divided into classes,
 * by the objects at which pointers begin. */
#include "cc/waits.h"

#include "cc/alias.h"

/* Counters that places use, a bit for each. */
enum { MARKED = 1 << VM | 1 << ASYNC | 1 << TENSOR, IN_ORDER = 1 << VM | 1 << LGKM | 1 << VS };

static const struct og_memory *memory_of(const struct cc_function *c, const struct cc_inst *i) {
  static const struct og_memory none = {.space = OG_IN_NOTHING};
  return i->row == CC_ROW_WAIT_ALL ? &none : og_form_memory(og_form(c->isa, i->form));
}

static bool transfers(const struct cc_function *c, const struct cc_inst *i) {
  return og_transfers_lds(memory_of(c, i));
}

/* Whether only marks tell that it has ended. */
static bool is_asynchronous(const struct cc_function *c, const struct cc_inst *i) {
  if (i->row == CC_ROW_WAIT_ALL)
    return false;
  if (og_form(c->isa, i->form)->counters & (OG_COUNTER_ASYNC | OG_COUNTER_TENSOR))
    return true;
  const struct og_ir_inst *record = &c->f->insts.items[i->record];
  return transfers(c, i) && record->opcode == OG_IR_CALL && cc_is_async_load(cc_called(c, record));
}

/* The pointer by which an instruction accesses LDS, or flat memory; OG_IR_NONE: unknown. */
static og_ir_ref pointer_of(const struct cc_function *c, const struct cc_inst *i) {
  enum { FLAT = 0, LDS = 3 };
  const struct og_ir_inst *record = &c->f->insts.items[i->record];
  if (i->mixed || i->text)
    return OG_IR_NONE;
  switch (record->opcode) {
  case OG_IR_LOAD:
  case OG_IR_ATOMICRMW:
  case OG_IR_CMPXCHG: return og_ir_operand(c->f, record, 0);
  case OG_IR_STORE: return og_ir_operand(c->f, record, 1);
  case OG_IR_CALL: break;
  default: return OG_IR_NONE;
  }
  for (uint32_t o = 1; o < record->operands; o++) {
    og_ir_ref ref = og_ir_operand(c->f, record, o);
    if (og_ir_space(ref) != OG_IR_LOCAL && og_ir_space(ref) != OG_IR_CONSTANT)
      continue;
    og_ir_type type = og_ir_type_of_ref(c->m, c->f, ref);
    if (og_ir_kind(c->m, type) == OG_IR_POINTER && og_ir_type_of(c->m, type)->count == LDS)
      return ref;
  }
  return OG_IR_NONE;
}

/* The class of LDS that a transfer touches; `classes` if it has none yet. The last class holds all for which no other
 * is left. */
static unsigned class_of(const struct cc_function *c, const struct cc_wait_places *w, const struct cc_inst *i) {
  og_ir_ref pointer = pointer_of(c, i);
  for (unsigned k = 0; k < w->classes; k++)
    if (pointer == w->pointer[k] || k == CC_LDS_CLASSES - 1 ||
        (pointer != OG_IR_NONE && w->pointer[k] != OG_IR_NONE && cc_begin_alike(c->m, c->f, pointer, w->pointer[k])))
      return k;
  return w->classes;
}

static bool meets(const struct cc_function *c, const struct cc_wait_places *w, unsigned class, og_ir_ref pointer) {
  return pointer == OG_IR_NONE || w->pointer[class] == OG_IR_NONE ||
         cc_may_ever_meet(c->m, c->f, pointer, w->pointer[class]);
}

unsigned cc_find_wait_places(const struct cc_function *c, struct cc_wait_places *w, unsigned begin) {
  *w = (struct cc_wait_places){.ordered = begin, .last = begin + 1, .marks = begin + 2};
  for (uint32_t k = 0; k < c->insts.count; k++) {
    const struct cc_inst *i = &c->insts.items[k];
    if (i->row == CC_ROW_WAIT_ALL && i->policy == WAIT_FOR_MARK)
      w->mark_count = OG_MAX(w->mark_count, OG_MIN((unsigned)i->offset + 1, (unsigned)CC_MARKS_MOST));
    if (!transfers(c, i) || class_of(c, w, i) < w->classes)
      continue;
    w->pointer[w->classes] = w->classes == CC_LDS_CLASSES - 1 ? OG_IR_NONE : pointer_of(c, i);
    w->classes++;
  }
  w->transfers = w->marks + w->mark_count, w->accesses = w->transfers + w->classes;
  return w->accesses + w->classes - begin;
}

static bool touches_lds(const struct og_memory *memory) {
  return memory->space == OG_IN_LDS || memory->space == OG_IN_FLAT;
}

static unsigned wait_reads(const struct cc_wait_places *w, const struct cc_inst *i, struct cc_place_use *uses) {
  unsigned count = 0;
  switch (i->policy) {
  case ALL:
    uses[count++] = (struct cc_place_use){w->ordered, IN_ORDER};
    uses[count++] = (struct cc_place_use){w->last, 1 << X}; /* a callee may write registers that it reads */
    break;
  case LDS_ONLY:
    uses[count++] = (struct cc_place_use){w->ordered, 1 << LGKM};
    for (unsigned k = 0; k < w->classes; k++)
      uses[count++] = (struct cc_place_use){w->transfers + k, 1 << VM};
    break;
  case VECTOR_ONLY: uses[count++] = (struct cc_place_use){w->ordered, IN_ORDER & ~(1u << LGKM)}; break;
  case WAIT_FOR_MARK:
    uses[count++] = (struct cc_place_use){w->marks + OG_MIN((unsigned)i->offset, w->mark_count - 1), MARKED};
    break;
  default: break;
  }
  return count;
}

unsigned cc_places_read(const struct cc_function *c, const struct cc_wait_places *w, const struct cc_inst *i,
                        struct cc_place_use uses[CC_USES_MOST]) {
  if (i->row == CC_ROW_WAIT_ALL)
    return wait_reads(w, i, uses);
  unsigned count = 0;
  if (w->classes && transfers(c, i))
    uses[count++] = (struct cc_place_use){w->accesses + class_of(c, w, i), 1 << LGKM};
  else if (w->classes && touches_lds(memory_of(c, i)))
    for (unsigned k = 0; k < w->classes; k++)
      if (meets(c, w, k, pointer_of(c, i)))
        uses[count++] = (struct cc_place_use){w->transfers + k, 1 << VM};
  return count;
}

unsigned cc_places_written(const struct cc_function *c, const struct cc_wait_places *w, const struct cc_inst *i,
                           unsigned raised, struct cc_place_use uses[CC_USES_MOST]) {
  unsigned count = 0;
  bool asynchronous = is_asynchronous(c, i);
  uses[count++] = (struct cc_place_use){asynchronous ? w->last : w->ordered, raised};
  if (asynchronous && raised >> LGKM & 1) /* an arrival at a barrier in LDS counts as an access to LDS, too */
    uses[count++] = (struct cc_place_use){w->ordered, 1 << LGKM};
  if (w->classes && transfers(c, i) && !asynchronous)
    uses[count++] = (struct cc_place_use){w->transfers + class_of(c, w, i), raised & 1 << VM};
  else if (w->classes && raised >> LGKM & 1 && touches_lds(memory_of(c, i)))
    for (unsigned k = 0; k < w->classes && count < CC_USES_MOST; k++)
      if (meets(c, w, k, pointer_of(c, i)))
        uses[count++] = (struct cc_place_use){w->accesses + k, 1 << LGKM};
  return count;
}
