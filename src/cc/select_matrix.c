/* select_matrix.c - intrinsics that multiply matrices, by matrix.def: D = A * B + C. D takes the registers of C, which
 * is copied there first: so no result can overwrite a source that is still to be read. */
#include "cc/select.h"
#include "isa/matrix.h"
#include "isa/rules.h"

#include <string.h>

static const struct {
  const char *name, *arguments;
} matrices[] = {
#define MATRIX(name, arguments) {name, arguments},
#include "cc/matrix.def"
};

enum { ANY_NUMBER = UINT32_MAX };

/* The arguments that a line has for so many; NULL: there is no such line. */
static const char *arguments_of(struct og_text name, uint32_t given) {
  if (!og_text_skip(&name, "llvm.amdgcn."))
    return NULL;
  for (unsigned k = 0; k < OG_COUNT(matrices); k++) {
    struct og_text rest = name;
    size_t count = strlen(matrices[k].arguments);
    bool fits = given == ANY_NUMBER || given == count || (given == count - 1 && matrices[k].arguments[given] == 'k');
    if (og_text_skip(&rest, matrices[k].name) && fits)
      return matrices[k].arguments;
  }
  return NULL;
}

bool cc_is_matrix(struct og_text name) { return arguments_of(name, ANY_NUMBER) != NULL; }

/* The instruction of a name without the types behind it; -1: there is none. */
static int row_of(struct og_text name, bool unscaled) {
  char text[96] = "v_";
  size_t size = 2;
  og_text_skip(&name, "llvm.amdgcn.");
  for (size_t k = 0; k < name.size && size < sizeof text; k++)
    text[size++] = name.data[k] == '.' ? '_' : name.data[k];
  static const char scale[] = "v_mfma_scale";
  if (unscaled && size > sizeof scale && memcmp(text, scale, sizeof scale - 1) == 0) {
    size -= strlen("_scale");
    memmove(text + strlen("v_mfma"), text + strlen(scale), size - strlen("v_mfma"));
  }
  for (; size; size--) {
    int row = og_find_row((struct og_text){text, size});
    if (row >= 0)
      return row;
    while (size > 1 && text[size - 1] != '_')
      size--;
  }
  return -1;
}

struct product {
  struct cc_function *c;
  uint32_t record;
  const struct og_shape *shape;
  bool pairs; /* each register of A and B holds two floats */
  og_ir_ref of[128];   /* by letter: an argument, */
  uint64_t number[128]; /* or its value if it is a number */
};

static uint32_t dwords_of(const struct product *p, og_ir_type type) {
  return (uint32_t)(cc_store_size(p->c->m, type) + 3) / 4;
}

/* The bits of a matrix's element in this format. */
static unsigned element_bits(uint64_t format) { return format <= 1 ? 8 : format <= 3 ? 6 : 4; }

/* A matrix, an index or a scale, in as many vector registers as its slot takes. */
static operand source(struct product *p, char letter, enum og_role role, unsigned bits) {
  struct cc_function *c = p->c;
  og_ir_type type = cc_type_of(c, p->of[(unsigned)letter]);
  const struct og_slot *slot = og_slot_of(p->shape, role);
  operand raw[2 * CC_TUPLE_MOST] = {{0}};
  uint32_t has = dwords_of(p, type), wants = slot && slot->sizes ? 32 - (uint32_t)__builtin_clz(slot->sizes) : has;
  if (!slot || has > CC_TUPLE_MOST) {
    cc_refuse(c, "a matrix of that size");
    return cc_constant(0);
  }
  if (slot->sizes & (slot->sizes - 1))
    wants = wants * bits / 8;
  cc_pack(c, p->of[(unsigned)letter], type, raw);
  for (uint32_t k = has; k < wants; k++)
    raw[k] = cc_constant(0);
  return wants == 1 ? cc_in_vector(c, raw[0]) : cc_tuple(c, raw, wants, CC_V);
}

/* D with C in it; for C = 0 `addend` is that. */
static operand sum(struct product *p, operand *addend) {
  struct cc_function *c = p->c;
  og_ir_type type = cc_type_of(c, p->of['C']);
  uint32_t count = dwords_of(p, c->f->insts.items[p->record].type), has = dwords_of(p, type);
  operand raw[2 * CC_TUPLE_MOST], d = cc_temp(c, c->accumulates ? CC_A : CC_V, count);
  if (count > CC_TUPLE_MOST || has > CC_TUPLE_MOST) {
    cc_refuse(c, "a matrix of that size");
    return d;
  }
  bool whole = cc_bits(c->m, og_ir_scalar(c->m, type)) >= 32, zero = true;
  if (!whole)
    cc_pack(c, p->of['C'], type, raw);
  for (uint32_t k = 0; k < has; k++) {
    if (whole)
      raw[k] = cc_part_anywhere(c, p->of['C'], k);
    zero &= raw[k].kind == CC_CONST && raw[k].value == 0;
  }
  if (zero && addend) {
    *addend = (operand){CC_CONST, 0, 0, (uint8_t)has, 0};
    return d;
  }
  operand to = has == count ? d : cc_temp(c, c->accumulates ? CC_A : CC_V, has);
  for (uint32_t k = 0; k < has; k++)
    cc_move(c, cc_part_of(to, k, 1), raw[k]);
  if (addend)
    *addend = to;
  return d;
}

static void modify(const struct product *p, struct cc_inst *i, const char *arguments) {
  static const struct {
    char letter;
    uint8_t mod, shift; /* shift: by how many bits it follows other sources in its modifier */
  } plain[] = {{'c', OG_MOD_CBSZ, 0}, {'a', OG_MOD_ABID, 0}, {'b', OG_MOD_BLGP, 0}, {'k', OG_MOD_CLAMP, 0},
               {'f', OG_MOD_MATRIX_A_FMT, 0}, {'g', OG_MOD_MATRIX_B_FMT, 0}, {'u', OG_MOD_MATRIX_A_SCALE_FMT, 0},
               {'v', OG_MOD_MATRIX_B_SCALE_FMT, 0}, {'r', OG_MOD_MATRIX_A_REUSE, 0}, {'s', OG_MOD_MATRIX_B_REUSE, 0},
               {'o', OG_MOD_OP_SEL, 2}};
  struct cc_function *c = p->c;
  for (unsigned k = 0; k < OG_COUNT(plain); k++)
    if (strchr(arguments, plain[k].letter))
      cc_modify(c, i, plain[k].mod, (int32_t)(p->number[(unsigned)plain[k].letter] << plain[k].shift));
  const uint64_t *n = p->number;
  if (n['x'] | n['y'] | n['m']) {
    uint64_t low = n['x'] | n['y'] << 1;
    cc_modify(c, i, OG_MOD_NEG_LO, (int32_t)(low | (n['m'] & 1) << 2));
    cc_modify(c, i, OG_MOD_NEG_HI, (int32_t)((p->pairs ? low : 0) | (n['m'] >> 1 & 1) << 2));
  }
  if (!strchr(arguments, 'S'))
    return;
  if (strchr(arguments, 'c')) { /* they take one byte of their scales */
    cc_modify(c, i, OG_MOD_OP_SEL, (int32_t)((n['p'] & 1) | (n['q'] & 1) << 1));
    cc_modify(c, i, OG_MOD_OP_SEL_HI, (int32_t)((n['p'] >> 1 & 1) | (n['q'] >> 1 & 1) << 1));
  } else {
    cc_modify(c, i, OG_MOD_MATRIX_A_SCALE, (int32_t)n['p']);
    cc_modify(c, i, OG_MOD_MATRIX_B_SCALE, (int32_t)n['q']);
  }
}

bool cc_select_matrix(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *call = &c->f->insts.items[record];
  uint32_t given = call->operands - 1u;
  const char *arguments = arguments_of(name, given);
  struct product p = {.c = c, .record = record};
  if (!arguments)
    return false;
  for (unsigned k = 0; k < given; k++) {
    unsigned letter = (unsigned char)arguments[k];
    p.of[letter] = og_ir_operand(c->f, call, 1 + k);
    bool number = cc_is_number(c->m, p.of[letter], &p.number[letter]);
    if (arguments[k] >= 'a' && !number)
      return cc_refuse(c, "a number that is not constant, in a call of '%.*s'", OG_TEXT_ARGS(name));
  }
  bool scaled = strchr(arguments, 'S'), sparse = strchr(arguments, 'I'), unscaled = false;
  uint64_t zero;
  if (scaled && strchr(arguments, 'c')) /* LLVM takes a scale of 0 as none */
    unscaled = cc_is_number(c->m, p.of['S'], &zero) && !zero && cc_is_number(c->m, p.of['T'], &zero) && !zero;
  int row = row_of(name, unscaled);
  if (row < 0 || !cc_has_row(c, (unsigned)row))
    return cc_refuse(c, "%s has no instruction for '%.*s'", c->target->processor->name, OG_TEXT_ARGS(name));
  const struct og_form *form = og_form(c->isa, c->forms[row][0]);
  p.shape = og_shape(c->isa, form);
  p.pairs = og_form_matrix(form)->a == OG_ELEMENT_F16 || og_form_matrix(form)->a == OG_ELEMENT_BF16;
  char format_a = strchr(arguments, 'f') ? 'f' : 'c', format_b = strchr(arguments, 'g') ? 'g' : 'b';
  operand list[8], *o = list + 1, addend = {0};
  *o++ = source(&p, 'A', OG_ROLE_SRC0, element_bits(p.number[(unsigned)format_a]));
  *o++ = source(&p, 'B', OG_ROLE_SRC1, element_bits(p.number[(unsigned)format_b]));
  if (sparse)
    *o++ = source(&p, 'I', og_slot_of(p.shape, OG_ROLE_IDX) ? OG_ROLE_IDX : OG_ROLE_SRC2, 8);
  operand scales[2];
  for (unsigned k = 0; k < 2 && scaled && !unscaled; k++)
    scales[k] = source(&p, "ST"[k], k ? OG_ROLE_SCALE1 : OG_ROLE_SCALE0, 8);
  list[0] = sum(&p, sparse ? NULL : &addend);
  if (c->failed)
    return true;
  *o++ = sparse ? list[0] : addend;
  bool tied = sparse || (addend.kind == CC_REG && addend.value == list[0].value);
  unsigned tie = (unsigned)(o - 1 - list);
  for (unsigned k = 0; k < 2 && scaled && !unscaled; k++)
    *o++ = scales[k];
  struct cc_inst *i = cc_emit(c, (unsigned)row, 1, (unsigned)(o - list), list);
  i->early = true, i->tied = tied ? (uint8_t)tie : 0;
  modify(&p, i, unscaled ? "cb" : arguments);
  operand dwords[CC_TUPLE_MOST];
  for (unsigned k = 0; k < list[0].dwords; k++)
    dwords[k] = cc_part_of(list[0], k, 1);
  if (cc_bits(c->m, og_ir_scalar(c->m, c->f->insts.items[record].type)) < 32)
    return cc_unpack(c, record, CC_V, dwords);
  cc_define(c, record, dwords, list[0].dwords);
  return true;
}

const bool *cc_find_sums(struct cc_function *c) {
  const struct og_ir_function *f = c->f;
  bool *sums = OG_NEW_ARRAY(c->arena, bool, f->insts.count);
  for (bool first = true, changed = true; changed; first = false) {
    changed = false;
    for (uint32_t b = 0; b < f->blocks.count; b++)
      for (uint32_t r = f->blocks.items[b].first; r; r = f->insts.items[r].next) {
        const struct og_ir_inst *i = &f->insts.items[r];
        if (first && i->opcode == OG_IR_CALL)
          changed |= sums[r] = cc_is_matrix(cc_called(c, i)) && cc_bits(c->m, og_ir_scalar(c->m, i->type)) >= 32;
        for (uint32_t k = 0; k < i->operands && i->opcode == OG_IR_PHI && !sums[r]; k += 2) {
          og_ir_ref from = og_ir_operand(f, i, k);
          if (og_ir_space(from) == OG_IR_LOCAL && sums[og_ir_index(from)])
            sums[r] = changed = true;
        }
      }
  }
  return sums;
}
