/* print.c - struct og_inst to text, as LLVM's printer writes it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/internal.h"
#include "isa/names.h"

/* No text is longer, but for the names that a symbolizer gives, which go to the buffer by themselves. */
enum { TEXT_ROOM = 2048 };

struct writer {
  const struct og_isa *isa;
  const struct og_inst *inst;
  const struct og_form *form;
  const struct og_shape *shape;
  const struct og_symbolizer *symbolizer;
  struct og_buffer *out;
  char *at; /* in the room behind what `out` holds */
};

static inline void put_bytes(struct writer *w, const char *bytes, size_t size) {
  memcpy(w->at, bytes, size);
  w->at += size;
}
/* Inlined so that the size of a constant is one. */
static inline __attribute__((always_inline)) void put(struct writer *w, const char *string) {
  put_bytes(w, string, strlen(string));
}

/* 0..255 in decimal: up to three digits, then their count. */
#define NUMBER(n) \
  {(n) >= 100 ? '0' + (n) / 100 : (n) >= 10 ? '0' + (n) / 10 : '0' + (n), (n) >= 100 ? '0' + (n) / 10 % 10 : '0' + (n) % 10, \
   '0' + (n) % 10, (n) >= 100 ? 3 : (n) >= 10 ? 2 : 1},
#define NUMBERS_4(n) NUMBER(n) NUMBER((n) + 1) NUMBER((n) + 2) NUMBER((n) + 3)
#define NUMBERS_16(n) NUMBERS_4(n) NUMBERS_4((n) + 4) NUMBERS_4((n) + 8) NUMBERS_4((n) + 12)
#define NUMBERS_64(n) NUMBERS_16(n) NUMBERS_16((n) + 16) NUMBERS_16((n) + 32) NUMBERS_16((n) + 48)
static const char numbers[256][4] = {NUMBERS_64(0) NUMBERS_64(64) NUMBERS_64(128) NUMBERS_64(192)};

/* The hot ones take the place to write at and yield the place behind, so that it stays in a register. */
static inline char *small_number(char *at, unsigned value) {
  memcpy(at, numbers[value], 4);
  return at + numbers[value][3];
}

static char *number(char *at, uint32_t value) {
  if (value < 256)
    return small_number(at, value);
  char digits[10];
  unsigned count = 0;
  do
    digits[count++] = (char)('0' + value % 10);
  while (value /= 10);
  while (count)
    *at++ = digits[--count];
  return at;
}

static inline char *hex(char *at, uint64_t value) {
  unsigned digits = value ? (67 - (unsigned)__builtin_clzll(value)) / 4 : 1;
  *at++ = '0';
  *at++ = 'x';
  for (unsigned shift = 4 * digits; shift;)
    *at++ = "0123456789abcdef"[value >> (shift -= 4) & 15];
  return at;
}

static inline char *registers(char *at, char prefix, unsigned first, unsigned count) {
  *at++ = prefix;
  if (count <= 1)
    return small_number(at, first & 255);
  *at++ = '[';
  at = small_number(at, first & 255);
  *at++ = ':';
  at = number(at, first + count - 1);
  *at++ = ']';
  return at;
}

static void put_number(struct writer *w, uint32_t value) { w->at = number(w->at, value); }
static void put_hex(struct writer *w, uint64_t value) { w->at = hex(w->at, value); }

static void put_signed(struct writer *w, int64_t value) {
  if (value < 0)
    put(w, "-");
  put_number(w, (uint32_t)(value < 0 ? -value : value));
}

static void put_signed_hex(struct writer *w, int64_t value) {
  if (value < 0)
    put(w, "-");
  put_hex(w, (uint64_t)(value < 0 ? -value : value));
}

OG_PRINTF(2, 3) static void put_format(struct writer *w, const char *format, ...) {
  enum { LONGEST = 256 };
  va_list args;
  va_start(args, format);
  int count = vsnprintf(w->at, LONGEST, format, args);
  va_end(args);
  w->at += OG_MIN(count, LONGEST - 1);
}

static void put_inline(struct writer *w, unsigned code, enum og_type type) {
  static const char *const names[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};
  if (code <= 208)
    put_signed(w, code <= 192 ? (int)code - 128 : 192 - (int)code);
  else if (type == OG_TYPE_I16 || type == OG_TYPE_V2F16_LITERAL)
    put_hex(w, og_inline_value(code, type));
  else if (code == 248 && (type == OG_TYPE_F64 || type == OG_TYPE_I64))
    put(w, "0.15915494309189532");
  else
    put(w, names[code - 240]);
}

/* What the text says without more is an inline constant: a literal of that value stands in lit() or lit64(). */
static void put_lit(struct writer *w, const char *word, uint64_t value) {
  put(w, word);
  put_hex(w, value);
  put(w, ")");
}

/* 32 bits that may be read as an inline constant. */
static void put_plain(struct writer *w, uint32_t value, enum og_type type) {
  int code = og_inline_code(w->isa, value, type);
  if (code >= 0)
    put_inline(w, (unsigned)code, type);
  else
    put_hex(w, type == OG_TYPE_F16 || type == OG_TYPE_I16 ? value & 0xffff : value);
}

static void put_literal64(struct writer *w, uint64_t value, enum og_type type) {
  if (value >> 32 == 0)
    put_lit(w, "lit64(", value);
  else if (type != OG_TYPE_I64 && type != OG_TYPE_F64)
    put_plain(w, (uint32_t)value, type); /* the rest is not read */
  else if (og_inline_code(w->isa, value, type) >= 0 || (type == OG_TYPE_F64 && (uint32_t)value == 0))
    put_lit(w, "lit64(", value);
  else
    put_hex(w, value);
}

/* The inline constant that has a literal's value; -1 if none has. */
static int literal_code(struct writer *w, const struct og_operand *operand, enum og_type type) {
  uint64_t value = operand->value;
  if (operand->reg != OG_LITERAL64)
    value = type == OG_TYPE_F64 ? value << 32 : type == OG_TYPE_I64 ? value : (uint32_t)value;
  return og_inline_code(w->isa, value, type);
}

/* Whether lit() would be needless, or the low half of a double. */
static bool needs_no_lit(struct writer *w, enum og_type type) {
  return type == OG_TYPE_V2F16_LITERAL || (type == OG_TYPE_F64 && w->isa->gfx1250);
}

static void put_literal(struct writer *w, const struct og_operand *operand, enum og_type type) {
  uint64_t value = operand->value;
  int code = literal_code(w, operand, type);
  if (operand->flags & OG_LIT)
    put_lit(w, "lit(", value);
  else if (operand->flags & OG_PLAIN)
    put_hex(w, value);
  else if (operand->reg == OG_LITERAL64)
    put_literal64(w, value, type);
  else if (code >= 0 && needs_no_lit(w, type))
    put_inline(w, (unsigned)code, type);
  else if (code >= 0)
    put_lit(w, "lit(", value);
  else
    put_hex(w, type == OG_TYPE_F16 || type == OG_TYPE_I16 ? value & 0xffff
               : type == OG_TYPE_I64                      ? value
                                                          : (uint32_t)value);
}

/* ---- immediates ---- */

static void put_waitcnt(struct writer *w, unsigned value) {
  unsigned vm, exp, lgkm, vm_all = 63, lgkm_all = 63;
  if (w->isa->gfx11) {
    vm = value >> 10 & 63, exp = value & 7, lgkm = value >> 4 & 63;
  } else {
    vm = (value & 15) | (value >> 14 & 3) << 4, exp = value >> 4 & 7, lgkm = value >> 8 & 63;
    if (w->isa->generation < OG_GFX900)
      vm &= 15, vm_all = 15;
    if (!w->isa->gfx10)
      lgkm &= 15, lgkm_all = 15;
  }
  bool all = vm == vm_all && exp == 7 && lgkm == lgkm_all;
  const char *space = "";
  if (vm != vm_all || all)
    put_format(w, "vmcnt(%u)", vm), space = " ";
  if (exp != 7 || all)
    put_format(w, "%sexpcnt(%u)", space, exp), space = " ";
  if (lgkm != lgkm_all || all)
    put_format(w, "%slgkmcnt(%u)", space, lgkm);
}

static void put_hwreg(struct writer *w, unsigned value) {
  unsigned id = value & 63, offset = value >> 6 & 31, size = (value >> 11) + 1;
  const char *name = og_name_of(w->isa, OG_NAMES_HWREG, id);
  put(w, "hwreg(");
  if (name)
    put(w, name);
  else
    put_number(w, id);
  if (offset != 0 || size != 32)
    put_format(w, ", %u, %u", offset, size);
  put(w, ")");
}

static void put_message(struct writer *w, unsigned value) {
  bool wide = w->isa->gfx11;
  unsigned id = value & (wide ? 255 : 15), op = wide ? 0 : value >> 4 & 7, stream = wide ? 0 : value >> 8 & 3;
  const char *name = og_name_of(w->isa, OG_NAMES_MESSAGE, id);
  bool gs = !wide && (id == 2 || id == 3), system = id == 15; /* from gfx11 on without its operation */
  const char *op_name = og_name_of(w->isa, system ? OG_NAMES_SYSTEM_OP : OG_NAMES_GS_OP, op);
  bool known = name && (gs       ? op_name && (id == 3 || op) && (op || !stream)
                        : system ? op_name && !stream
                                 : !op && !stream);
  if (known) {
    put_format(w, "sendmsg(%s", name);
    if (gs || system)
      put_format(w, ", %s", op_name);
    if (gs && op)
      put_format(w, ", %u", stream);
    put(w, ")");
  } else if ((id | op << 4 | stream << 8) == value) {
    put_format(w, "sendmsg(%u, %u, %u)", id, op, stream);
  } else {
    put_number(w, value);
  }
}

static void put_named(struct writer *w, enum og_name_table table, unsigned value) {
  const char *name = og_name_of(w->isa, table, value);
  if (name)
    put(w, name);
  else
    put_number(w, value);
}

static void put_delay(struct writer *w, unsigned value) {
  unsigned first = value & 15, skip = value >> 4 & 7, second = value >> 7 & 15;
  if (first > 11 || second > 11 || skip > 5) {
    put_hex(w, value);
    return;
  }
  const char *bar = "";
  if (first)
    put(w, "instid0("), put_named(w, OG_NAMES_DELAY, first), put(w, ")"), bar = " | ";
  if (skip)
    put(w, bar), put(w, "instskip("), put_named(w, OG_NAMES_DELAY_SKIP, skip), put(w, ")"), bar = " | ";
  if (second)
    put(w, bar), put(w, "instid1("), put_named(w, OG_NAMES_DELAY, second), put(w, ")"), bar = " | ";
  if (!*bar)
    put(w, "0");
}

static void put_depctr(struct writer *w, unsigned value) {
  unsigned mask = og_depctr_mask(w->isa);
  if (value & ~mask) {
    put_hex(w, value);
    return;
  }
  const char *space = "";
  for (unsigned i = 0; i < OG_DEPCTR_FIELDS; i++) {
    const struct og_wait_field *field = &og_depctr_fields[i];
    unsigned most = (1u << field->width) - 1, count = value >> field->at & most;
    if (w->isa->generation < field->first || (count == most && value != mask))
      continue;
    put_format(w, "%s%s(%u)", space, field->name, count);
    space = " ";
  }
}

/* s_version: a version with bits, as LLVM's expressions print. */
static void put_version(struct writer *w, unsigned value) {
  unsigned bits = value >> 13;
  if (value & 0x1f00) {
    put_hex(w, value);
    return;
  }
  for (int i = __builtin_popcount(bits); i > 1; i--)
    put(w, "(");
  put_named(w, OG_NAMES_VERSION, value & 0xff);
  for (unsigned i = 0, seen = 0; i < 3; i++) {
    if (!(bits >> i & 1))
      continue;
    put(w, seen++ ? ")|" : "|");
    put_named(w, OG_NAMES_VERSION, 0x2000u << i);
  }
}

static void put_gpr_index_mode(struct writer *w, unsigned value) {
  static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
  const char *comma = "";
  if (value & ~15u) {
    put(w, " ");
    put_hex(w, value);
    return;
  }
  put(w, "gpr_idx(");
  for (unsigned i = 0; i < 4; i++)
    if (value >> i & 1)
      put(w, comma), put(w, names[i]), comma = ",";
  put(w, ")");
}

static void put_branch(struct writer *w, const struct og_operand *operand) {
  int64_t words = (int64_t)operand->value;
  if (w->symbolizer && w->symbolizer->name) {
    uint64_t target = w->symbolizer->pc + 4 + (uint64_t)(words * 4);
    w->out->size = (size_t)(w->at - (char *)w->out->data);
    bool named = w->symbolizer->name(w->symbolizer->context, target, w->out);
    w->at = (char *)og_buffer_room(w->out, TEXT_ROOM);
    if (named)
      return;
  }
  if (operand->flags & OG_NEG) /* written with its sign, which stands there already */
    put_number(w, (uint32_t)-words);
  else
    put_number(w, (uint16_t)words);
}

static void put_immediate(struct writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  unsigned value = (unsigned)operand->value;
  switch (slot->takes) {
  case OG_TAKES_SIMM: put_hex(w, value & 0xffff); break;
  case OG_TAKES_BRANCH: put_branch(w, operand); break;
  case OG_TAKES_WAITCNT: put_waitcnt(w, value); break;
  case OG_TAKES_HWREG: put_hwreg(w, value); break;
  case OG_TAKES_SENDMSG: put_message(w, value); break;
  case OG_TAKES_GPR_IDX_MODE: put_gpr_index_mode(w, value); break;
  case OG_TAKES_WAIT_EVENT: put_hex(w, value); break;
  case OG_TAKES_DELAY_ALU: put_delay(w, value); break;
  case OG_TAKES_DEPCTR: put_depctr(w, value); break;
  case OG_TAKES_VERSION:
    if (operand->flags & OG_LIT) /* names are numbers once they are read */
      put_hex(w, value);
    else
      put_version(w, value);
    break;
  case OG_TAKES_KIMM:
    if (slot->dwords == 2 && operand->value >> 32 == 0)
      put_lit(w, "lit64(", operand->value);
    else if (operand->flags & OG_LIT)
      put_lit(w, "lit(", operand->value);
    else
      put_hex(w, slot->dwords == 2 && !value ? operand->value >> 32 : operand->value);
    break;
  case OG_TAKES_ENDPGM:
    if (value)
      put(w, " "), put_number(w, value);
    break;
  case OG_TAKES_EXP_TARGET: {
    const char *name = og_name_of(w->isa, OG_NAMES_EXPORT, value);
    put(w, " ");
    if (name)
      put(w, name);
    else
      put_format(w, "invalid_target_%u", value);
    break;
  }
  case OG_TAKES_INTERP_SLOT:
    if (value < 3)
      put(w, value == 0 ? "p10" : value == 1 ? "p20" : "p0");
    else
      put_format(w, "invalid_param_%u", value);
    break;
  case OG_TAKES_ATTR: put(w, "attr"), put_number(w, value); break;
  case OG_TAKES_ATTR_CHANNEL: put_format(w, ".%c", "xyzw"[value & 3]); break;
  default:
    if (slot->role == OG_ROLE_SRC0) /* s_setreg_imm32 */
      put_plain(w, value, OG_TYPE_B32);
    else if (value > 64 || w->form->encoding == OG_ENC_SOPK)
      put_hex(w, value);
    else
      put_number(w, value);
    break;
  }
}

/* ---- operands ---- */

static void put_operand(struct writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  switch (operand->kind) {
  case OG_OPERAND_VGPR:
    w->at = registers(w->at, 'v', operand->reg, operand->dwords);
    if (slot->flags & OG_SLOT_HALF)
      put(w, operand->flags & OG_HALF_HI ? ".h" : ".l");
    break;
  case OG_OPERAND_AGPR: w->at = registers(w->at, 'a', operand->reg, operand->dwords); break;
  case OG_OPERAND_SGPR: w->at = registers(w->at, 's', operand->reg, operand->dwords); break;
  case OG_OPERAND_TTMP: put(w, "ttm"), w->at = registers(w->at, 'p', operand->reg, operand->dwords); break;
  case OG_OPERAND_SPECIAL: put(w, og_special_name(operand->reg, operand->dwords)); break;
  case OG_OPERAND_INLINE: /* a real number written for a 16-bit integer is 32 bits wide */
    put_inline(w, operand->reg, slot->type == OG_TYPE_I16 && operand->value >> 16 ? OG_TYPE_F32 : slot->type);
    break;
  case OG_OPERAND_LITERAL: put_literal(w, operand, slot->type); break;
  case OG_OPERAND_IMMEDIATE: put_immediate(w, slot, operand); break;
  case OG_OPERAND_OFF: put(w, "off"); break;
  default: break;
  }
}

static void put_source(struct writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  if (operand->flags & OG_SEXT)
    put(w, "sext(");
  bool constant =
      operand->kind == OG_OPERAND_INLINE || (operand->kind == OG_OPERAND_LITERAL &&
                                             (literal_code(w, operand, slot->type) < 0 || needs_no_lit(w, slot->type)));
  bool word = operand->flags & OG_NEG && !(operand->flags & OG_ABS) && constant;
  if (operand->flags & OG_NEG)
    put(w, word ? "neg(" : "-");
  if (operand->flags & OG_ABS)
    put(w, "|");
  put_operand(w, slot, operand);
  if (operand->flags & OG_ABS)
    put(w, "|");
  if (word || operand->flags & OG_SEXT)
    put(w, ")");
}

/* ---- modifiers ---- */

/* gfx12: temporal hint in bits 0..2, scope in 3..4, nv in 5, scale_offset in 11. */
static void put_hint(struct writer *w, unsigned hint, unsigned scope) {
  static const char *const loads[] = {"", "LOAD_NT", "LOAD_HT", "LOAD_LU", "LOAD_NT_RT", "LOAD_RT_NT", "LOAD_NT_HT", "0x7"};
  static const char *const stores[] = {"", "STORE_NT", "STORE_HT", "STORE_WB", "STORE_NT_RT", "STORE_RT_NT", "STORE_NT_HT", "STORE_NT_WB"};
  static const char *const atomics[] = {"",
                                        "ATOMIC_RETURN",
                                        "ATOMIC_NT",
                                        "ATOMIC_NT_RETURN",
                                        "ATOMIC_CASCADE_RT",
                                        "ATOMIC_CASCADE_RT",
                                        "ATOMIC_CASCADE_NT",
                                        "ATOMIC_CASCADE_NT"};
  unsigned flags = w->form->row_flags;
  bool atomic = flags & OG_FLAG_ATOMIC,
       store = flags & OG_FLAG_STORE && (!(flags & OG_FLAG_LOAD) || strstr(w->form->name, "_store_"));
  put(w, hint == 7 && !atomic && !store ? " th:" : " th:TH_");
  if (atomic)
    if (hint & 4 && scope < 2)
      put(w, "ATOMIC_"), put_hex(w, hint);
    else
      put(w, atomics[hint]);
  else if (hint == 3 && scope == 3)
    put(w, store ? "STORE_BYPASS" : "LOAD_BYPASS");
  else
    put(w, (store ? stores : loads)[hint]);
}

static void put_hint_and_scope(struct writer *w, unsigned value) {
  static const char *const scopes[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
  if (value & OG_CPOL_SCALE_OFFSET)
    put(w, " scale_offset");
  if (value & 7)
    put_hint(w, value & 7, value >> 3 & 3);
  put(w, scopes[value >> 3 & 3]);
  if (value & OG_CPOL_NV)
    put(w, " nv");
}

static void put_cpol(struct writer *w, unsigned value) {
  if (w->isa->gfx12) {
    put_hint_and_scope(w, value);
    return;
  }
  if (value & OG_CPOL_GLC)
    put(w, w->isa->gfx940 && w->form->encoding != OG_ENC_SMEM ? " sc0" : " glc");
  if (value & OG_CPOL_SLC)
    put(w, w->isa->gfx940 ? " nt" : " slc");
  if (value & OG_CPOL_DLC && w->isa->gfx10)
    put(w, " dlc");
  if (value & OG_CPOL_SCC && w->isa->gfx90a)
    put(w, w->isa->gfx940 ? " sc1" : " scc");
}

static void put_dpp_ctrl(struct writer *w, unsigned value) {
  static const struct {
    uint16_t first, last;
    const char *name;
  } ranges[] = {
      {0x101, 0x10f, "row_shl:"}, {0x111, 0x11f, "row_shr:"}, {0x121, 0x12f, "row_ror:"},
  };
  static const struct {
    uint16_t value;
    const char *name;
  } singles[] = {
      {0x130, "wave_shl:1"}, {0x134, "wave_rol:1"}, {0x138, "wave_shr:1"}, {0x13c, "wave_ror:1"},
      {0x140, "row_mirror"}, {0x141, "row_half_mirror"}, {0x142, "row_bcast:15"}, {0x143, "row_bcast:31"},
  };
  bool wide = false;
  for (unsigned i = 0; i < w->inst->operand_count; i++)
    wide |= w->inst->operands[i].dwords == 2 && w->inst->operands[i].kind == OG_OPERAND_VGPR;
  if (w->isa->gfx90a && wide && (value < 0x150 || value > 0x15f)) {
    put(w, "/* DP ALU dpp only supports row_newbcast */");
    return;
  }
  static const char *const shifts_gone[] = {
      "/* wave_shl is not supported starting from GFX10 */", "/* wave_rol is not supported starting from GFX10 */",
      "/* wave_shr is not supported starting from GFX10 */", "/* wave_ror is not supported starting from GFX10 */"};
  if (value <= 0xff) {
    put_format(w, "quad_perm:[%u,%u,%u,%u]", value & 3, value >> 2 & 3, value >> 4 & 3, value >> 6 & 3);
    return;
  }
  for (size_t i = 0; i < OG_COUNT(ranges); i++)
    if (value >= ranges[i].first && value <= ranges[i].last) {
      put(w, ranges[i].name);
      put_number(w, value & 15);
      return;
    }
  for (size_t i = 0; i < OG_COUNT(singles); i++)
    if (value == singles[i].value && (value >= 0x140 ? value < 0x142 || !w->isa->gfx10 : !w->isa->gfx10)) {
      put(w, singles[i].name);
      return;
    }
  if (value >= 0x150 && value <= 0x15f && (w->isa->gfx90a || w->isa->gfx10)) {
    put(w, w->isa->gfx90a ? "row_newbcast:" : "row_share:");
    put_number(w, value & 15);
  } else if (value >= 0x160 && value <= 0x16f && w->isa->gfx10) {
    put(w, "row_xmask:");
    put_number(w, value & 15);
  } else {
    put(w, w->isa->gfx10 && value >= 0x130 && value <= 0x13c && value % 4 == 0 ? shifts_gone[(value - 0x130) / 4]
           : w->isa->gfx10 && (value == 0x142 || value == 0x143)
               ? "/* row_bcast is not supported starting from GFX10 */"
           : value >= 0x160 && value <= 0x16f ? "/* row_xmask is not supported on ASICs earlier than GFX10 */"
           : value >= 0x150 && value <= 0x15f
               ? "/* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */"
               : "/* Invalid dpp_ctrl value */");
  }
}

static void put_sdwa_select(struct writer *w, const char *name, unsigned value) {
  static const char *const names[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?"};
  put(w, name);
  put(w, names[value & 7]);
}

static void put_swizzle_mask(struct writer *w, unsigned value) {
  unsigned and = value & 31, or = value >> 5 & 31, xor = value >> 10 & 31;
  unsigned group = 32 - and;
  if (and == 31 && or == 0 && __builtin_popcount(xor) == 1) {
    put_format(w, "swizzle(SWAP,%u)", xor);
  } else if (and == 31 && or == 0 && xor > 0 && __builtin_popcount(xor + 1) == 1) {
    put_format(w, "swizzle(REVERSE,%u)", xor + 1);
  } else if (group > 1 && __builtin_popcount(group) == 1 && or < group && xor == 0) {
    put_format(w, "swizzle(BROADCAST,%u,%u)", group, or);
  } else {
    put(w, "swizzle(BITMASK_PERM,\"");
    for (unsigned bit = 16; bit; bit >>= 1) {
      bool zero = ((0 | or) ^ xor) & bit, one = ((and | or) ^ xor) & bit;
      put(w, zero == one ? (zero ? "1" : "0") : zero ? "i" : "p");
    }
    put(w, "\")");
  }
}

static void put_swizzle(struct writer *w, unsigned value) {
  if (!value)
    return;
  put(w, " offset:");
  if (w->isa->generation >= OG_GFX900 && value >= 0xe000)
    put_format(w, "swizzle(FFT,%u)", value & 31);
  else if (w->isa->generation >= OG_GFX900 && value >= 0xc000)
    put_format(w, "swizzle(ROTATE,%u,%u)", value >> 10 & 1, value >> 5 & 31);
  else if ((value & 0xff00) == 0x8000)
    put_format(w, "swizzle(QUAD_PERM,%u,%u,%u,%u)", value & 3, value >> 2 & 3, value >> 4 & 3, value >> 6 & 3);
  else if (!(value & 0x8000))
    put_swizzle_mask(w, value);
  else
    put_number(w, value);
}

static void put_unified_format(struct writer *w, unsigned value) {
  const char *name = og_name_of(w->isa, OG_NAMES_UNIFIED_FORMAT, value);
  if (name)
    put(w, " format:["), put(w, name), put(w, "]");
  else
    put(w, " format:"), put_number(w, value);
}

static void put_format_modifier(struct writer *w, unsigned value) {
  if (value == 1) /* the default */
    return;
  if (w->isa->gfx10) {
    put_unified_format(w, value);
    return;
  }
  const char *data = og_name_of(w->isa, OG_NAMES_DATA_FORMAT, value & 15);
  const char *number = og_name_of(w->isa, OG_NAMES_NUMBER_FORMAT, value >> 4);
  put(w, " format:[");
  if ((value & 15) != 1)
    put(w, data);
  if ((value & 15) != 1 && value >> 4)
    put(w, ",");
  if (value >> 4)
    put(w, number);
  put(w, "]");
}

static void put_offset(struct writer *w, int32_t value) {
  if (w->form->encoding == OG_ENC_SMEM) {
    put(w, " offset:");
    put_signed_hex(w, value);
    return;
  }
  if (!value)
    return;
  put(w, " offset:");
  put_signed(w, value);
}

/* One bit per source, and one for the destination where op_sel reaches it. */
static void put_bits(struct writer *w, const char *name, unsigned bits, unsigned standard, bool with_destination) {
  unsigned sources = 0;
  for (unsigned i = 0; i < w->shape->slot_count; i++)
    if (w->shape->slots[i].modifiers[0].width || w->shape->flags & OG_SHAPE_PACKED)
      sources = OG_MAX(sources, w->shape->slots[i].role == OG_ROLE_SRC2   ? 3u
                                : w->shape->slots[i].role == OG_ROLE_SRC1 ? 2u
                                                                          : 1u);
  sources = OG_MAX(sources, (unsigned)w->shape->flags / OG_SHAPE_SOURCES);
  if (strncmp(w->form->name, "v_permlane", 10) == 0)
    sources = 2, with_destination = false;
  unsigned mask = (1u << sources) - 1;
  if ((bits & mask) == (standard & mask) && !(with_destination && bits & 8))
    return;
  put(w, name);
  for (unsigned i = 0; i < sources; i++)
    put(w, i ? bits >> i & 1 ? ",1" : ",0" : bits & 1 ? "1" : "0");
  if (with_destination)
    put(w, bits & 8 ? ",1" : ",0");
  put(w, "]");
}

static void put_word(struct writer *w, int32_t value, const char *word) {
  if (value)
    put(w, word);
}

static void put_valued(struct writer *w, const char *name, int32_t value) {
  if (value)
    put(w, name), put_number(w, (unsigned)value);
}

/* One of `count` names, the first being the default; other values as they are. */
static void put_matrix(struct writer *w, const char *name, const char *const *names, int32_t count, int32_t value) {
  if (!value)
    return;
  put(w, name);
  if (value < count)
    put(w, names[value]);
  else
    put_number(w, (uint32_t)value);
}

static void put_modifier(struct writer *w, const struct og_mod_slot *slot) {
  static const char *const formats[] = {"MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4"};
  static const char *const scales[] = {"MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"};
  static const char *const scale_formats[] = {"MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"};
  int32_t value = w->inst->mod[slot->mod];
  switch ((enum og_mod)slot->mod) {
  case OG_MOD_CLAMP: put_word(w, value, " clamp"); break;
  case OG_MOD_OMOD:
    if (value)
      put(w, value == 1 ? " mul:2" : value == 2 ? " mul:4" : " div:2");
    break;
  case OG_MOD_OP_SEL:
    put_bits(w, " op_sel:[", (unsigned)value, 0,
             !(w->shape->flags & OG_SHAPE_OP_SEL_HI) &&
                 (og_operand(w->inst, OG_ROLE_VDST) ||
                  (w->form->variant == OG_VARIANT_NONE && og_operand(w->inst, OG_ROLE_SDST))));
    break;
  case OG_MOD_OP_SEL_HI:
    put_bits(w, " op_sel_hi:[", (unsigned)value, w->shape->flags & OG_SHAPE_MIX ? 0 : 7, false);
    break;
  case OG_MOD_NEG_LO: put_bits(w, " neg_lo:[", (unsigned)value, 0, false); break;
  case OG_MOD_NEG_HI: put_bits(w, " neg_hi:[", (unsigned)value, 0, false); break;
  case OG_MOD_DPP_CTRL: put_dpp_ctrl(w, (unsigned)value); break;
  case OG_MOD_ROW_MASK: put(w, " row_mask:"), put_hex(w, (unsigned)value); break;
  case OG_MOD_BANK_MASK: put(w, " bank_mask:"), put_hex(w, (unsigned)value); break;
  case OG_MOD_BOUND_CTRL: put_word(w, value, " bound_ctrl:1"); break;
  case OG_MOD_FI: put_word(w, value, " fi:1"); break;
  case OG_MOD_DST_SEL: put_sdwa_select(w, "dst_sel:", (unsigned)value); break;
  case OG_MOD_SRC0_SEL: put_sdwa_select(w, "src0_sel:", (unsigned)value); break;
  case OG_MOD_SRC1_SEL: put_sdwa_select(w, "src1_sel:", (unsigned)value); break;
  case OG_MOD_DST_UNUSED:
    put(w, value == 0   ? "dst_unused:UNUSED_PAD"
           : value == 1 ? "dst_unused:UNUSED_SEXT"
           : value == 2 ? "dst_unused:UNUSED_PRESERVE"
                        : "dst_unused:UNUSED_PAD");
    break;
  case OG_MOD_OFFSET:
    if (slot->style == OG_STYLE_SWIZZLE)
      put_swizzle(w, (unsigned)value);
    else
      put_offset(w, value);
    break;
  case OG_MOD_OFFSET0:
    if (value)
      put(w, " offset0:"), put_number(w, (unsigned)value);
    break;
  case OG_MOD_OFFSET1:
    if (value)
      put(w, " offset1:"), put_number(w, (unsigned)value);
    break;
  case OG_MOD_GDS: put_word(w, value && !w->isa->gfx90a, " gds"); break;
  case OG_MOD_CPOL: put_cpol(w, (unsigned)value); break;
  case OG_MOD_DMASK:
    if (value)
      put(w, " dmask:"), put_hex(w, (unsigned)value);
    break;
  case OG_MOD_UNORM: put_word(w, value, " unorm"); break;
  case OG_MOD_DA: put_word(w, value, " da"); break;
  case OG_MOD_R128: put_word(w, value, w->isa->generation >= OG_GFX900 && !w->isa->gfx10 ? " a16" : " r128"); break;
  case OG_MOD_A16: put_word(w, value, " a16"); break;
  case OG_MOD_D16: put_word(w, value, " d16"); break;
  case OG_MOD_TFE: put_word(w, value, " tfe"); break;
  case OG_MOD_LWE: put_word(w, value, " lwe"); break;
  case OG_MOD_FORMAT: put_format_modifier(w, (unsigned)value); break;
  case OG_MOD_COMPR: put_word(w, value, " compr"); break;
  case OG_MOD_VM: put_word(w, value, " vm"); break;
  case OG_MOD_HIGH: put_word(w, value, " high"); break;
  case OG_MOD_DIM: {
    static const char *const dims[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    put(w, " dim:SQ_RSRC_IMG_"), put(w, dims[value & 7]);
    break;
  }
  case OG_MOD_DPP8:
    put_format(w, "dpp8:[%d,%d,%d,%d,%d,%d,%d,%d]", value & 7, value >> 3 & 7, value >> 6 & 7, value >> 9 & 7,
               value >> 12 & 7, value >> 15 & 7, value >> 18 & 7, value >> 21 & 7);
    break;
  case OG_MOD_CBSZ: put_valued(w, " cbsz:", value); break;
  case OG_MOD_ABID: put_valued(w, " abid:", value); break;
  case OG_MOD_BLGP:
    if (value && w->isa->gfx940 && strstr(w->form->name, "_f64_"))
      put_format(w, " neg:[%d,%d,%d]", value & 1, value >> 1 & 1, value >> 2 & 1);
    else
      put_valued(w, " blgp:", value);
    break;
  case OG_MOD_INDEX_KEY: put_valued(w, " index_key:", value); break;
  case OG_MOD_MATRIX_A_FMT: put_matrix(w, " matrix_a_fmt:", formats, 5, value); break;
  case OG_MOD_MATRIX_B_FMT: put_matrix(w, " matrix_b_fmt:", formats, 5, value); break;
  case OG_MOD_MATRIX_A_SCALE: put_matrix(w, " matrix_a_scale:", scales, 2, value); break;
  case OG_MOD_MATRIX_B_SCALE: put_matrix(w, " matrix_b_scale:", scales, 2, value); break;
  case OG_MOD_MATRIX_A_SCALE_FMT: put_matrix(w, " matrix_a_scale_fmt:", scale_formats, 3, value); break;
  case OG_MOD_MATRIX_B_SCALE_FMT: put_matrix(w, " matrix_b_scale_fmt:", scale_formats, 3, value); break;
  case OG_MOD_MATRIX_A_REUSE: put_word(w, value, " matrix_a_reuse"); break;
  case OG_MOD_MATRIX_B_REUSE: put_word(w, value, " matrix_b_reuse"); break;
  case OG_MOD_BYTE_SEL: put_valued(w, " byte_sel:", value); break;
  case OG_MOD_SCALE_SEL: put_valued(w, " scale_sel:", value); break;
  case OG_MOD_WAIT_EXP: put(w, " wait_exp:"), put_number(w, (unsigned)value); break;
  case OG_MOD_WAIT_VDST:
    put(w, w->isa->gfx12 ? " wait_va_vdst:" : " wait_vdst:"), put_number(w, (unsigned)value);
    break;
  case OG_MOD_WAIT_VM_VSRC: put(w, " wait_vm_vsrc:"), put_number(w, (unsigned)value); break;
  case OG_MOD_BITOP3:
    if (value) {
      put(w, " bitop3:");
      if (value <= 10)
        put_number(w, (unsigned)value);
      else
        put_hex(w, (unsigned)value);
    }
    break;
  default: break;
  }
}

/* What stands behind the mnemonic, padded, and its size. */
static const struct {
  char text[9];
  uint8_t size;
} suffixes[] = {{"", 0}, {"_e32", 4}, {"_e64", 4}, {"_sdwa", 5}, {"_dpp", 4}, {"_e64_dpp", 8}};

/* Modifiers that print nothing when their value is 0. */
static const bool silent[OG_MOD_COUNT] = {
    [OG_MOD_CLAMP] = true, [OG_MOD_OMOD] = true, [OG_MOD_OP_SEL] = true, [OG_MOD_NEG_LO] = true, [OG_MOD_NEG_HI] = true,
    [OG_MOD_OFFSET0] = true, [OG_MOD_OFFSET1] = true, [OG_MOD_GDS] = true, [OG_MOD_CPOL] = true, [OG_MOD_TFE] = true,
    [OG_MOD_LWE] = true, [OG_MOD_HIGH] = true, [OG_MOD_BOUND_CTRL] = true, [OG_MOD_FI] = true,
};

/* Whether the operand is nothing but registers; those are most. */
static inline bool is_plain_register(const struct og_slot *slot, const struct og_operand *operand) {
  return operand->kind <= OG_OPERAND_SGPR && operand->kind != OG_OPERAND_NONE && !operand->flags &&
         !(slot->flags & OG_SLOT_HALF);
}

/* Notes where a part begins and ends; a modifier's leading space is none of it. */
static void note(struct og_printed *parts, size_t *count, enum og_printed_kind kind, unsigned index, size_t from,
                 size_t to, const char *text) {
  while (from < to && text[from] == ' ')
    from++;
  if (from < to && *count < OG_PRINTED_MOST)
    parts[(*count)++] = (struct og_printed){(uint8_t)kind, (uint8_t)index, (uint16_t)from, (uint16_t)(to - from)};
}

/* An operand that is more than registers. */
static void put_slot(struct writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  if (operand)
    put_source(w, slot, operand);
  else if (slot->takes == OG_TAKES_OFFSET)
    put_signed_hex(w, w->inst->mod[OG_MOD_OFFSET]);
}

/* Inlined twice, so that printing without parts does not ask for them. */
static inline __attribute__((always_inline)) size_t print(struct writer w, struct og_printed *parts) {
  const struct og_form *form = w.form;
  const struct og_shape *shape = w.shape;
  const struct og_inst *inst = w.inst;
  size_t base = w.out->size, count = 0, from = 0;
  char *at = (char *)og_buffer_room(w.out, TEXT_ROOM);
#define SIZE() ((size_t)(at - (char *)w.out->data) - base)
#define NOTE(kind, index) note(parts, &count, kind, index, from, SIZE(), (char *)w.out->data + base)
  memcpy(at, form->name, form->name_size);
  at += form->name_size;
  memcpy(at, suffixes[form->suffix].text, 8);
  at += suffixes[form->suffix].size;
  if (parts)
    NOTE(OG_PRINTED_MNEMONIC, 0);
  for (const char *program = shape->text; *program; program++) {
    if (*program == 1) {
      unsigned index = (unsigned char)*++program - 1u;
      const struct og_slot *slot = &shape->slots[index];
      const struct og_operand *operand = index < inst->operand_count && inst->operands[index].role == slot->role
                                             ? &inst->operands[index]
                                             : og_operand(inst, slot->role);
      from = parts ? SIZE() : 0;
      if (operand && is_plain_register(slot, operand)) {
        at = registers(at, " vas"[operand->kind], operand->reg, operand->dwords);
      } else {
        w.at = at;
        put_slot(&w, slot, operand);
        at = w.at;
      }
      if (parts)
        NOTE(OG_PRINTED_OPERAND, index);
    } else if (*program == 2) {
      unsigned index = (unsigned char)*++program - 1u;
      const struct og_mod_slot *slot = &shape->mods[index];
      if (!inst->mod[slot->mod] && silent[slot->mod])
        continue;
      from = parts ? SIZE() : 0;
      w.at = at;
      put_modifier(&w, slot);
      at = w.at;
      if (parts)
        NOTE(OG_PRINTED_MODIFIER, index);
    } else if (*program == ',' && program[1] == ' ') {
      memcpy(at, ", ", 2);
      at += 2, program++;
    } else {
      *at++ = *program == 3 ? ' ' : *program;
    }
  }
#undef NOTE
#undef SIZE
  *at = 0;
  w.out->size = (size_t)(at - (char *)w.out->data);
  return count;
}

void og_print_inst(const struct og_isa *isa, const struct og_inst *inst, const struct og_symbolizer *symbolizer,
                   struct og_buffer *out) {
  const struct og_form *form = og_form(isa, inst->form);
  print((struct writer){isa, inst, form, &og_shapes[form->shape], symbolizer, out, NULL}, NULL);
}

size_t og_print_parts(const struct og_isa *isa, const struct og_inst *inst, const struct og_symbolizer *symbolizer,
                      struct og_buffer *out, struct og_printed parts[OG_PRINTED_MOST]) {
  const struct og_form *form = og_form(isa, inst->form);
  return print((struct writer){isa, inst, form, &og_shapes[form->shape], symbolizer, out, NULL}, parts);
}
