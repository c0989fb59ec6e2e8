/* alias.c - whether accesses may meet: by what their pointers are made from (variables, private memory, arguments that
 * promise to be the only way to their memory), by address spaces, and by scopes that a front end attached (LLVM
 * Language Reference, 'noalias' and 'alias.scope' metadata). */
#include "cc/alias.h"

#include "cc/machine.h"
#include "cc/opt.h"

enum { FLAT = 0, REGION = 2, LDS = 3, CONSTANT = 4, PRIVATE = 5 }; /* address spaces */
enum { STEPS_MOST = 24, SCOPES_MOST = 64 };

enum kind {
  UNKNOWN,  /* it was loaded, joined by a phi, or computed */
  ARGUMENT,
  ONLY_WAY, /* an argument that promises to be the only way to its memory */
  VARIABLE, /* a global variable */
  FRAME,    /* private memory of this function */
};
struct root {
  enum kind kind;
  og_ir_ref ref;
};

static bool is_only_way(const struct og_ir_module *m, const struct og_ir_function *f, uint32_t argument) {
  const struct og_ir_set *set = f->attributes ? &m->sets.items[m->pool.items[f->attributes + 2 + argument - 1]] : NULL;
  for (uint32_t k = 0; set && k < set->count; k++)
    if (m->attributes.items[m->pool.items[set->first + k]].kind == OG_IR_A_NOALIAS)
      return true;
  return false;
}

/* The exception is LDS whose size the launch says: all such variables begin at one place. */
static struct root of_global(const struct og_ir_module *m, og_ir_ref ref) {
  const struct og_ir_global *g = &m->globals.items[og_ir_constant_of(m, ref)->value];
  bool launched = g->address_space == LDS && (g->value == OG_IR_NONE || !cc_size_of(m, g->type));
  bool apart = g->kind == OG_IR_VARIABLE && !launched;
  return (struct root){apart ? VARIABLE : UNKNOWN, ref};
}

static struct root root_of(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref) {
  for (unsigned steps = 0; steps < STEPS_MOST; steps++) {
    if (og_ir_space(ref) == OG_IR_CONSTANT) {
      const struct og_ir_constant *k = og_ir_constant_of(m, ref);
      if (k->kind == OG_IR_C_GLOBAL)
        return of_global(m, ref);
      bool passes = k->kind == OG_IR_C_EXPRESSION && (k->opcode == OG_IR_GETELEMENTPTR || k->opcode == OG_IR_BITCAST ||
                                                      k->opcode == OG_IR_ADDRSPACECAST);
      if (!passes)
        break;
      ref = m->pool.items[k->first];
      continue;
    }
    if (og_ir_space(ref) != OG_IR_LOCAL)
      break;
    const struct og_ir_inst *i = &f->insts.items[og_ir_index(ref)];
    if (i->opcode == OG_IR_ALLOCA)
      return (struct root){FRAME, ref};
    if (i->opcode == OG_IR_ARGUMENT)
      return (struct root){is_only_way(m, f, og_ir_index(ref)) ? ONLY_WAY : ARGUMENT, ref};
    if ((i->opcode != OG_IR_GETELEMENTPTR && i->opcode != OG_IR_BITCAST && i->opcode != OG_IR_ADDRSPACECAST) ||
        og_ir_is_vector(m, i->type))
      break;
    ref = og_ir_operand(f, i, 0);
  }
  return (struct root){UNKNOWN, ref};
}

/* Whether memory that is reached from these roots is never the same. */
static bool are_apart(struct root a, struct root b) {
  if (a.kind == UNKNOWN || b.kind == UNKNOWN || a.ref == b.ref)
    return false;
  return a.kind == ONLY_WAY || b.kind == ONLY_WAY || a.kind == FRAME || b.kind == FRAME ||
         (a.kind == VARIABLE && b.kind == VARIABLE);
}

static unsigned space_of(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref pointer) {
  return (unsigned)og_ir_type_of(m, og_ir_type_of_ref(m, f, pointer))->count;
}

/* LDS, private memory, GDS and all other memory never overlap; constant memory is not written. */
static bool are_spaces_apart(unsigned a, unsigned b) {
  if (a == CONSTANT || b == CONSTANT)
    return true;
  bool own = a == LDS || a == PRIVATE || a == REGION || b == LDS || b == PRIVATE || b == REGION;
  return own && a != b && a != FLAT && b != FLAT;
}

bool cc_may_ever_meet(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref pointer,
                      og_ir_ref other) {
  return !are_spaces_apart(space_of(m, f, pointer), space_of(m, f, other)) &&
         !are_apart(root_of(m, f, pointer), root_of(m, f, other));
}

bool cc_begin_alike(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref pointer, og_ir_ref other) {
  struct root a = root_of(m, f, pointer), b = root_of(m, f, other);
  return a.kind == b.kind && (a.kind == UNKNOWN || a.ref == b.ref);
}

/* ---- scopes ------------------------------------------------------------------------------------------------------ */

/* The list that is attached as `kind`; NULL if there is none. */
static const struct og_ir_metadata *attached(const struct og_ir_module *m, uint32_t attachments, const char *kind) {
  uint32_t number = cc_attachment(m, attachments, kind);
  return number != UINT32_MAX && m->metadata.items[number].kind == OG_IR_M_TUPLE ? &m->metadata.items[number] : NULL;
}

/* A scope's domain, which is its second part; 0 if it has none. */
static uint32_t domain_of(const struct og_ir_module *m, uint32_t scope) {
  const struct og_ir_metadata *node = scope ? &m->metadata.items[scope - 1] : NULL;
  return node && node->kind == OG_IR_M_TUPLE && node->parts > 1 ? m->pool.items[node->first + 1] : 0;
}

static bool holds(const struct og_ir_module *m, const struct og_ir_metadata *list, uint32_t scope) {
  for (uint32_t k = 0; k < list->parts; k++)
    if (m->pool.items[list->first + k] == scope)
      return true;
  return false;
}

/* Whether an access with `scopes` never meets one whose `noalias` list is `others`: in some domain it has scopes, and
 * all of these are in the list. */
static bool are_excluded(const struct og_ir_module *m, const struct og_ir_metadata *scopes,
                         const struct og_ir_metadata *others) {
  if (!scopes || !others || scopes->parts > SCOPES_MOST || others->parts > SCOPES_MOST)
    return false;
  for (uint32_t k = 0; k < others->parts; k++) {
    uint32_t domain = domain_of(m, m->pool.items[others->first + k]);
    bool any = false, all = domain != 0;
    for (uint32_t n = 0; n < scopes->parts && all; n++) {
      uint32_t scope = m->pool.items[scopes->first + n];
      if (domain_of(m, scope) != domain)
        continue;
      any = true;
      all = holds(m, others, scope);
    }
    if (any && all)
      return true;
  }
  return false;
}

static bool are_scopes_apart(const struct og_ir_module *m, const struct og_ir_inst *a, const struct og_ir_inst *b) {
  if (!a->attachments || !b->attachments)
    return false;
  return are_excluded(m, attached(m, a->attachments, "alias.scope"), attached(m, b->attachments, "noalias")) ||
         are_excluded(m, attached(m, b->attachments, "alias.scope"), attached(m, a->attachments, "noalias"));
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

static bool is_plain(const struct og_ir_inst *i) {
  return (i->opcode == OG_IR_LOAD || i->opcode == OG_IR_STORE) && !(i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE));
}

static og_ir_ref pointer_of(const struct og_ir_function *f, const struct og_ir_inst *i) {
  return og_ir_operand(f, i, i->opcode == OG_IR_STORE);
}

bool cc_may_meet(const struct og_ir_module *m, const struct og_ir_function *f, uint32_t a, uint32_t b) {
  const struct og_ir_inst *x = &f->insts.items[a], *y = &f->insts.items[b];
  return !is_plain(x) || !is_plain(y) ||
         (cc_may_ever_meet(m, f, pointer_of(f, x), pointer_of(f, y)) && !are_scopes_apart(m, x, y));
}

bool cc_meets_alike(const struct og_ir_module *m, const struct og_ir_function *f, uint32_t a, uint32_t b) {
  const struct og_ir_inst *x = &f->insts.items[a], *y = &f->insts.items[b];
  return a == b || (is_plain(x) && is_plain(y) &&
                    root_of(m, f, pointer_of(f, x)).ref == root_of(m, f, pointer_of(f, y)).ref &&
                    attached(m, x->attachments, "alias.scope") == attached(m, y->attachments, "alias.scope") &&
                    attached(m, x->attachments, "noalias") == attached(m, y->attachments, "noalias"));
}

uint32_t cc_without_scopes(struct og_ir_module *m, uint32_t attachments) {
  if (!attached(m, attachments, "alias.scope") && !attached(m, attachments, "noalias"))
    return attachments;
  uint32_t count = m->pool.items[attachments], place = og_ir_pool(m, 1 + 2 * count), kept = 0;
  for (uint32_t a = 0; a < count; a++) {
    const uint32_t *pair = &m->pool.items[attachments + 1 + 2 * a];
    if (og_text_is(m->kinds.items[pair[0]], "alias.scope") || og_text_is(m->kinds.items[pair[0]], "noalias"))
      continue;
    m->pool.items[place + 1 + 2 * kept] = pair[0], m->pool.items[place + 2 + 2 * kept] = pair[1];
    kept++;
  }
  m->pool.items[place] = kept;
  return kept ? place : 0;
}
