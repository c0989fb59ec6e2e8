/* print_values.c - types, constants and attributes as LLVM 22 writes them. */
#include "ir/printer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void og_ir_put_number(struct og_ir_printer *p, uint64_t number) { og_buffer_decimal(p->out, number); }

void og_ir_put_signed(struct og_ir_printer *p, int64_t number) {
  if (number < 0)
    og_ir_put(p, "-");
  og_ir_put_number(p, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static void put_escaped(struct og_ir_printer *p, struct og_text text) {
  static const char digits[] = "0123456789ABCDEF";
  for (size_t i = 0; i < text.size; i++) {
    uint8_t c = (uint8_t)text.data[i];
    if (c == '\\')
      og_buffer_append(p->out, "\\\\", 2);
    else if (c < 0x20 || c > 0x7e || c == '"')
      og_buffer_append(p->out, (char[]){'\\', digits[c >> 4], digits[c & 15]}, 3);
    else
      og_buffer_u8(p->out, c);
  }
}

void og_ir_put_string(struct og_ir_printer *p, struct og_text text) {
  og_buffer_u8(p->out, '"');
  put_escaped(p, text);
  og_buffer_u8(p->out, '"');
}

void og_ir_put_name(struct og_ir_printer *p, char mark, struct og_text name) {
  bool plain = name.size && !(name.data[0] >= '0' && name.data[0] <= '9');
  for (size_t i = 0; i < name.size && plain; i++) {
    char c = name.data[i];
    plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
            c == '_' || c == '$';
  }
  if (mark)
    og_buffer_u8(p->out, (uint8_t)mark);
  if (plain)
    og_buffer_append(p->out, name.data, name.size);
  else
    og_ir_put_string(p, name);
}

/* ---- types ---- */

static void put_parts(struct og_ir_printer *p, const struct og_ir_type_record *t, uint32_t from) {
  for (uint32_t i = from; i < t->parts; i++) {
    og_ir_put(p, i > from ? ", " : "");
    og_ir_put_type(p, p->m->pool.items[t->first + i]);
  }
}

void og_ir_put_body(struct og_ir_printer *p, const struct og_ir_type_record *t) {
  if (t->opaque) {
    og_ir_put(p, "opaque");
    return;
  }
  og_ir_put(p, t->packed ? "<" : "");
  og_ir_put(p, t->parts ? "{ " : "{}");
  put_parts(p, t, 0);
  og_ir_put(p, t->parts ? " }" : "");
  og_ir_put(p, t->packed ? ">" : "");
}

void og_ir_put_type(struct og_ir_printer *p, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(p->m, type);
  if (type < OG_IR_SIMPLE_TYPES) {
    og_ir_put_word(p, OG_IR_W_TYPE, type);
    return;
  }
  switch (t->kind) {
  case OG_IR_INTEGER:
    og_ir_put(p, "i");
    og_ir_put_number(p, t->count);
    break;
  case OG_IR_POINTER:
    og_ir_put(p, "ptr");
    if (t->count) {
      og_ir_put(p, " addrspace(");
      og_ir_put_number(p, t->count);
      og_ir_put(p, ")");
    }
    break;
  case OG_IR_VECTOR:
  case OG_IR_SCALABLE:
  case OG_IR_ARRAY:
    og_ir_put(p, t->kind == OG_IR_ARRAY ? "[" : t->kind == OG_IR_VECTOR ? "<" : "<vscale x ");
    og_ir_put_number(p, t->count);
    og_ir_put(p, " x ");
    put_parts(p, t, 0);
    og_ir_put(p, t->kind == OG_IR_ARRAY ? "]" : ">");
    break;
  case OG_IR_STRUCT:
    if (!t->identified) {
      og_ir_put_body(p, t);
    } else if (t->name) {
      og_ir_put_name(p, '%', p->m->names.items[t->name]);
    } else {
      og_ir_put(p, "%");
      og_ir_put_number(p, p->type_numbers && p->type_numbers[type] ? p->type_numbers[type] - 1 : type);
    }
    break;
  case OG_IR_FUNCTION:
    og_ir_put_type(p, p->m->pool.items[t->first]);
    og_ir_put(p, " (");
    put_parts(p, t, 1);
    og_ir_put(p, t->variadic ? t->parts > 1 ? ", ..." : "..." : "");
    og_ir_put(p, ")");
    break;
  case OG_IR_TARGET:
    og_ir_put(p, "target(");
    og_ir_put_string(p, p->m->names.items[t->name]);
    og_ir_put(p, t->parts ? ", " : "");
    put_parts(p, t, 0);
    for (uint32_t i = 0; i < (uint32_t)t->count; i++) {
      og_ir_put(p, ", ");
      og_ir_put_number(p, p->m->pool.items[(t->count >> 32) + i]);
    }
    og_ir_put(p, ")");
    break;
  default: break;
  }
}

void og_ir_print_type(const struct og_ir_module *m, og_ir_type type, struct og_buffer *out) {
  struct og_ir_printer p = {.m = m, .out = out};
  og_ir_put_type(&p, type);
}

/* ---- numbers ---- */

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

/* A float's bits as those of a double: exactly, and signalling NaNs stay signalling. */
static uint64_t widen(uint32_t bits) {
  uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
  if (exponent == 0xff)
    return (uint64_t)(bits >> 31) << 63 | (uint64_t)0x7ff << 52 | (uint64_t)fraction << 29;
  float value;
  memcpy(&value, &bits, 4);
  double wide = value;
  uint64_t result;
  memcpy(&result, &wide, 8);
  return result;
}

/* How many binary digits fraction * 5^power has. */
static unsigned bits_of_product(uint64_t fraction, unsigned power) {
  uint32_t words[100] = {(uint32_t)fraction, (uint32_t)(fraction >> 32)};
  unsigned count = 2;
  for (; power; power--) {
    uint64_t carry = 0;
    for (unsigned i = 0; i < count; i++) {
      carry += (uint64_t)words[i] * 5;
      words[i] = (uint32_t)carry;
      carry >>= 32;
    }
    if (carry && count < OG_COUNT(words))
      words[count++] = (uint32_t)carry;
  }
  while (count && !words[count - 1])
    count--;
  return count ? count * 32 - (unsigned)__builtin_clz(words[count - 1]) : 0;
}

/* LLVM drops digits before it rounds to six, how many it estimates from the bits (APFloat::toString). If exactly six
 * are left nothing is rounded up; so 0.7, which is a little less, is written as bits. */
static bool is_cut(double value, const char *six_digits) {
  int exponent, decimal;
  char exact[64];
  uint64_t fraction = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
  unsigned zeros = fraction ? (unsigned)__builtin_ctzll(fraction) : 0;
  exponent += (int)zeros - 53;
  fraction >>= zeros;
  snprintf(exact, sizeof exact, "%.40e", fabs(value));
  decimal = atoi(strchr(exact, 'e') + 1);
  const char *digits = six_digits + (*six_digits == '-');
  if (!fraction || strncmp(exact, digits, 7) == 0) /* nothing needs to be rounded */
    return false;
  unsigned power = exponent < 0 ? (unsigned)-exponent : 0;
  unsigned bits = power ? bits_of_product(fraction, power)
                        : (unsigned)(64 - __builtin_clzll(fraction)) + (unsigned)exponent;
  unsigned needed = (6 * 196 + 58) / 59;
  unsigned cut = bits > needed ? (bits - needed) * 59 / 196 : 0;
  return decimal + 1 + (int)power - (int)cut <= 6;
}

/* Decimal if six digits are exact, else the bits of a double. */
static void put_double(struct og_ir_printer *p, uint64_t bits) {
  double value = double_of(bits);
  char text[40];
  if (isfinite(value)) {
    snprintf(text, sizeof text, "%.5e", value);
    if (strtod(text, NULL) == value && !is_cut(value, text)) {
      char *e = strchr(text, 'e');
      og_buffer_append(p->out, text, (size_t)(e - text));
      og_ir_put(p, "0");
      og_ir_put(p, e);
      return;
    }
  }
  og_buffer_printf(p->out, "0x%llX", (unsigned long long)bits);
}

static void put_wide_integer(struct og_ir_printer *p, const uint32_t *words, uint32_t count, uint32_t bits) {
  uint32_t *copy = OG_NEW_ARRAY(p->arena, uint32_t, count);
  memcpy(copy, words, count * sizeof *copy);
  bool negative = words[(bits - 1) / 32] >> (bits - 1) % 32 & 1;
  if (negative) {
    uint64_t carry = 1;
    for (uint32_t i = 0; i < count; i++) {
      carry += (uint32_t)~copy[i];
      copy[i] = (uint32_t)carry;
      carry >>= 32;
    }
    if (bits % 32)
      copy[count - 1] &= (1u << bits % 32) - 1;
    og_ir_put(p, "-");
  }
  size_t room = (size_t)count * 10 + 10, at = room; /* nine digits for less than a word */
  char *digits = og_arena_alloc(p->arena, room);
  for (uint32_t top = count; top;) {
    uint64_t rest = 0;
    for (uint32_t i = top; i--;) {
      rest = rest << 32 | copy[i];
      copy[i] = (uint32_t)(rest / 1000000000);
      rest %= 1000000000;
    }
    while (top && !copy[top - 1])
      top--;
    for (unsigned k = 0; k < 9 && (top || rest); k++, rest /= 10)
      digits[--at] = (char)('0' + rest % 10);
  }
  if (at == room)
    digits[--at] = '0';
  og_buffer_append(p->out, digits + at, room - at);
}

static void put_plain_number(struct og_ir_printer *p, const struct og_ir_constant *c) {
  const struct og_ir_type_record *t = og_ir_type_of(p->m, c->type);
  switch (t->kind) {
  case OG_IR_INTEGER: {
    unsigned unused = 64 - (unsigned)t->count;
    if (t->count == 1)
      og_ir_put(p, c->value ? "true" : "false");
    else
      og_ir_put_signed(p, (int64_t)(c->value << unused) >> unused);
    break;
  }
  case OG_IR_DOUBLE: put_double(p, c->value); break;
  case OG_IR_FLOAT: put_double(p, widen((uint32_t)c->value)); break;
  case OG_IR_HALF: og_buffer_printf(p->out, "0xH%04X", (unsigned)c->value); break;
  default: og_buffer_printf(p->out, "0xR%04X", (unsigned)c->value); break;
  }
}

static void put_wide(struct og_ir_printer *p, const struct og_ir_constant *c) {
  const struct og_ir_type_record *t = og_ir_type_of(p->m, c->type);
  const uint32_t *w = p->m->pool.items + c->first;
  unsigned long long low = w[0] | (uint64_t)w[1] << 32;
  unsigned long long high = c->parts > 2 ? w[2] | (c->parts > 3 ? (uint64_t)w[3] << 32 : 0) : 0;
  switch (t->kind) {
  case OG_IR_X86_FP80: og_buffer_printf(p->out, "0xK%04llX%016llX", high, low); break;
  case OG_IR_FP128: og_buffer_printf(p->out, "0xL%016llX%016llX", low, high); break;
  case OG_IR_PPC_FP128: og_buffer_printf(p->out, "0xM%016llX%016llX", low, high); break;
  default: put_wide_integer(p, w, c->parts, (uint32_t)t->count);
  }
}

/* ---- constants ---- */

static void put_parts_typed(struct og_ir_printer *p, const struct og_ir_constant *c) {
  for (uint32_t i = 0; i < c->parts; i++) {
    og_ir_put(p, i ? ", " : "");
    og_ir_put_typed(p, p->m->pool.items[c->first + i]);
  }
}

static void put_aggregate(struct og_ir_printer *p, const struct og_ir_constant *c) {
  const struct og_ir_type_record *t = og_ir_type_of(p->m, c->type);
  if (t->kind == OG_IR_ARRAY) { /* an array of known bytes is written as text */
    bool bytes = og_ir_kind(p->m, og_ir_part(p->m, c->type, 0)) == OG_IR_INTEGER &&
                 og_ir_type_of(p->m, og_ir_part(p->m, c->type, 0))->count == 8;
    for (uint32_t i = 0; i < c->parts && bytes; i++)
      bytes = og_ir_constant_of(p->m, p->m->pool.items[c->first + i])->kind == OG_IR_C_NUMBER;
    if (bytes) {
      char *text = og_arena_alloc(p->arena, c->parts + 1);
      for (uint32_t i = 0; i < c->parts; i++)
        text[i] = (char)og_ir_constant_of(p->m, p->m->pool.items[c->first + i])->value;
      og_ir_put(p, "c");
      og_ir_put_string(p, (struct og_text){text, c->parts});
      return;
    }
  }
  bool structure = t->kind == OG_IR_STRUCT;
  og_ir_put(p, structure ? t->packed ? "<{ " : "{ " : t->kind == OG_IR_ARRAY ? "[" : "<");
  put_parts_typed(p, c);
  og_ir_put(p, structure ? t->packed ? " }>" : " }" : t->kind == OG_IR_ARRAY ? "]" : ">");
}

static void put_expression(struct og_ir_printer *p, const struct og_ir_constant *c) {
  const struct og_ir_opcode_row *row = &og_ir_opcodes[c->opcode];
  og_ir_put(p, row->text);
  og_ir_put_flags(p, c->opcode, c->flags);
  if (c->opcode == OG_IR_ICMP || c->opcode == OG_IR_FCMP) {
    og_ir_put(p, " ");
    og_ir_put_word(p, c->opcode == OG_IR_ICMP ? OG_IR_W_ICMP : OG_IR_W_FCMP, (uint32_t)c->value);
  }
  og_ir_put(p, " (");
  if (c->opcode == OG_IR_GETELEMENTPTR) {
    og_ir_put_type(p, (og_ir_type)c->value);
    og_ir_put(p, ", ");
  }
  put_parts_typed(p, c);
  if (row->shape == OG_IR_SHAPE_CAST) {
    og_ir_put(p, " to ");
    og_ir_put_type(p, c->type);
  }
  og_ir_put(p, ")");
}

static void put_assembler(struct og_ir_printer *p, const struct og_ir_constant *c) {
  og_ir_put(p, "asm ");
  og_ir_put(p, c->flags & OG_IR_ASM_SIDE_EFFECT ? "sideeffect " : "");
  og_ir_put(p, c->flags & OG_IR_ASM_ALIGN_STACK ? "alignstack " : "");
  og_ir_put(p, c->flags & OG_IR_ASM_INTEL ? "inteldialect " : "");
  og_ir_put(p, c->flags & OG_IR_ASM_UNWIND ? "unwind " : "");
  og_ir_put_string(p, p->m->names.items[c->value >> 32]);
  og_ir_put(p, ", ");
  og_ir_put_string(p, p->m->names.items[(uint32_t)c->value]);
}

static void put_global(struct og_ir_printer *p, const struct og_ir_constant *c) {
  const struct og_ir_global *g = &p->m->globals.items[c->value];
  if (g->name)
    og_ir_put_name(p, '@', p->m->names.items[g->name]);
  else
    og_ir_put(p, "@"), og_ir_put_number(p, p->global_numbers[c->value] - 1);
}

static void put_block_address(struct og_ir_printer *p, const struct og_ir_constant *c) {
  const struct og_ir_global *g = &p->m->globals.items[c->value >> 32];
  uint32_t block = (uint32_t)c->value, name = g->function->blocks.items[block].name;
  og_ir_put(p, "blockaddress(");
  og_ir_put_constant(p, g->self);
  og_ir_put(p, ", ");
  if (name) {
    og_ir_put_name(p, '%', p->m->names.items[name]);
  } else { /* its number as that function counts */
    uint32_t number = 0;
    const struct og_ir_function *f = g->function;
    for (uint32_t i = 1; i <= f->arguments; i++)
      number += !f->insts.items[i].name;
    for (uint32_t b = 0; b < block; b++) {
      number += !f->blocks.items[b].name;
      for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next)
        number += !f->insts.items[i].name && f->insts.items[i].type != OG_IR_VOID;
    }
    og_ir_put(p, "%");
    og_ir_put_number(p, number);
  }
  og_ir_put(p, ")");
}

void og_ir_put_constant(struct og_ir_printer *p, og_ir_ref ref) {
  const struct og_ir_constant *c = og_ir_constant_of(p->m, ref);
  uint8_t kind = og_ir_kind(p->m, c->type);
  switch (c->kind) {
  case OG_IR_C_GLOBAL: put_global(p, c); break;
  case OG_IR_C_ZERO:
    og_ir_put(p, kind == OG_IR_POINTER ? "null" : kind == OG_IR_TOKEN ? "none" : "zeroinitializer");
    break;
  case OG_IR_C_UNDEF: og_ir_put(p, "undef"); break;
  case OG_IR_C_POISON: og_ir_put(p, "poison"); break;
  case OG_IR_C_NUMBER: put_plain_number(p, c); break;
  case OG_IR_C_WIDE: put_wide(p, c); break;
  case OG_IR_C_AGGREGATE: put_aggregate(p, c); break;
  case OG_IR_C_SPLAT:
    og_ir_put(p, "splat (");
    put_parts_typed(p, c);
    og_ir_put(p, ")");
    break;
  case OG_IR_C_BYTES:
    og_ir_put(p, "c");
    og_ir_put_string(p, p->m->names.items[c->value]);
    break;
  case OG_IR_C_EXPRESSION: put_expression(p, c); break;
  case OG_IR_C_BLOCKADDRESS: put_block_address(p, c); break;
  case OG_IR_C_ASSEMBLER: put_assembler(p, c); break;
  default:
    og_ir_put(p, c->kind == OG_IR_C_EQUIVALENT ? "dso_local_equivalent " : "no_cfi ");
    og_ir_put_constant(p, p->m->pool.items[c->first]);
  }
}

void og_ir_put_ref(struct og_ir_printer *p, og_ir_ref ref) {
  uint32_t index = og_ir_index(ref), name;
  switch (og_ir_space(ref)) {
  case OG_IR_CONSTANT: og_ir_put_constant(p, ref); return;
  case OG_IR_METADATA: og_ir_put_metadata(p, index); return;
  case OG_IR_BLOCK: name = p->f->blocks.items[index].name; break;
  default: name = p->f->insts.items[index].name; break;
  }
  if (name) {
    og_ir_put_name(p, '%', p->m->names.items[name]);
    return;
  }
  og_ir_put(p, "%");
  og_ir_put_number(p, og_ir_space(ref) == OG_IR_BLOCK ? p->block_numbers[index] : p->inst_numbers[index]);
}

void og_ir_put_typed(struct og_ir_printer *p, og_ir_ref ref) {
  og_ir_put_type(p, og_ir_type_of_ref(p->m, p->f, ref));
  og_ir_put(p, " ");
  og_ir_put_ref(p, ref);
}

void og_ir_put_flags(struct og_ir_printer *p, uint8_t opcode, uint16_t flags) {
  static const struct {
    const char *text;
    uint16_t bit, row;
  } rows[] = {
#define OPCODE(name, text, shape, flags)
#define FLAG(name, text, bit) {" " text, bit, bit},
#include "ir/opcodes.def"
  };
  uint16_t allowed = og_ir_opcodes[opcode].flags;
  if (!(flags &= allowed))
    return;
  if (allowed & OG_IR_F_INBOUNDS && flags & OG_IR_F_INBOUNDS)
    flags &= (uint16_t)~OG_IR_F_NUSW; /* inbounds says so */
  if (allowed & OG_IR_F_FAST && (flags & OG_IR_F_FAST) == OG_IR_F_FAST) {
    og_ir_put(p, " fast");
    flags &= (uint16_t)~OG_IR_F_FAST;
  }
  static const struct { /* flags that share a bit: which of them the opcode has */
    uint8_t opcode;
    const char *text;
  } own[] = {{OG_IR_UDIV, " exact"},  {OG_IR_SDIV, " exact"},      {OG_IR_LSHR, " exact"},   {OG_IR_ASHR, " exact"},
             {OG_IR_OR, " disjoint"}, {OG_IR_ZEXT, " nneg"},       {OG_IR_UITOFP, " nneg"},  {OG_IR_ICMP, " samesign"},
             {OG_IR_LOAD, " atomic"}, {OG_IR_STORE, " atomic"},    {OG_IR_CMPXCHG, " weak"}};
  for (size_t i = 0; i < OG_COUNT(own); i++)
    if (own[i].opcode == opcode && flags & 0x100) {
      og_ir_put(p, own[i].text);
      flags &= (uint16_t)~0x100;
    }
  bool memory = opcode == OG_IR_LOAD || opcode == OG_IR_STORE || opcode == OG_IR_CMPXCHG || opcode == OG_IR_ATOMICRMW;
  if (memory && flags & OG_IR_F_VOLATILE) {
    og_ir_put(p, " volatile");
    return;
  }
  for (size_t i = 1; i < OG_COUNT(rows); i++)
    if (flags & rows[i].bit) {
      og_ir_put(p, rows[i].text);
      flags &= (uint16_t)~rows[i].bit;
    }
}
