/* print_immediate.c - immediates as text: simm16 and similar fields, by name if the value has one. */
#include "isa/names.h"
#include "isa/print.h"

static void put_waitcnt(struct og_writer *w, unsigned value) {
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
    og_put(w, "vmcnt("), og_put_number(w, vm), og_put(w, ")"), space = " ";
  if (exp != 7 || all)
    og_put(w, space), og_put(w, "expcnt("), og_put_number(w, exp), og_put(w, ")"), space = " ";
  if (lgkm != lgkm_all || all)
    og_put(w, space), og_put(w, "lgkmcnt("), og_put_number(w, lgkm), og_put(w, ")");
}

/* The value's name, or the number after other words. */
static void put_named(struct og_writer *w, enum og_name_table table, unsigned value, const char *otherwise) {
  const char *name = og_name_of(w->isa, table, value);
  og_put(w, name ? name : otherwise);
  if (!name)
    og_put_number(w, value);
}

static void put_hwreg(struct og_writer *w, unsigned value) {
  unsigned id = value & 63, offset = value >> 6 & 31, size = (value >> 11) + 1;
  og_put(w, "hwreg(");
  put_named(w, OG_NAMES_HWREG, id, "");
  if (offset != 0 || size != 32)
    og_put(w, ", "), og_put_number(w, offset), og_put(w, ", "), og_put_number(w, size);
  og_put(w, ")");
}

static void put_message(struct og_writer *w, unsigned value) {
  bool wide = w->isa->gfx11;
  unsigned id = value & (wide ? 255 : 15), op = wide ? 0 : value >> 4 & 7, stream = wide ? 0 : value >> 8 & 3;
  const char *name = og_name_of(w->isa, OG_NAMES_MESSAGE, id);
  bool gs = !wide && (id == 2 || id == 3), system = id == 15; /* from gfx11 on without its operation */
  const char *op_name = og_name_of(w->isa, system ? OG_NAMES_SYSTEM_OP : OG_NAMES_GS_OP, op);
  bool known = name && (gs       ? op_name && (id == 3 || op) && (op || !stream)
                        : system ? op_name && !stream
                                 : !op && !stream);
  if (known) {
    og_put_format(w, "sendmsg(%s", name);
    if (gs || system)
      og_put_format(w, ", %s", op_name);
    if (gs && op)
      og_put_format(w, ", %u", stream);
    og_put(w, ")");
  } else if ((id | op << 4 | stream << 8) == value) {
    og_put_format(w, "sendmsg(%u, %u, %u)", id, op, stream);
  } else {
    og_put_number(w, value);
  }
}

static void put_delay(struct og_writer *w, unsigned value) {
  unsigned first = value & 15, skip = value >> 4 & 7, second = value >> 7 & 15;
  if (first > 11 || second > 11 || skip > 5) {
    og_put_hex(w, value);
    return;
  }
  const char *bar = "";
  if (first)
    og_put(w, "instid0("), put_named(w, OG_NAMES_DELAY, first, ""), og_put(w, ")"), bar = " | ";
  if (skip)
    og_put(w, bar), og_put(w, "instskip("), put_named(w, OG_NAMES_DELAY_SKIP, skip, ""), og_put(w, ")"), bar = " | ";
  if (second)
    og_put(w, bar), og_put(w, "instid1("), put_named(w, OG_NAMES_DELAY, second, ""), og_put(w, ")"), bar = " | ";
  if (!*bar)
    og_put(w, "0");
}

static void put_depctr(struct og_writer *w, unsigned value) {
  unsigned mask = og_depctr_mask(w->isa);
  if (value & ~mask) {
    og_put_hex(w, value);
    return;
  }
  const char *space = "";
  for (unsigned i = 0; i < OG_DEPCTR_FIELDS; i++) {
    const struct og_wait_field *field = &og_depctr_fields[i];
    unsigned most = (1u << field->width) - 1, count = value >> field->at & most;
    if (w->isa->generation < field->first || (count == most && value != mask))
      continue;
    og_put(w, space), og_put(w, field->name), og_put(w, "("), og_put_number(w, count), og_put(w, ")");
    space = " ";
  }
}

/* s_version: a version with bits, as LLVM's expressions print. */
static void put_version(struct og_writer *w, unsigned value) {
  unsigned bits = value >> 13;
  if (value & 0x1f00) {
    og_put_hex(w, value);
    return;
  }
  for (int i = __builtin_popcount(bits); i > 1; i--)
    og_put(w, "(");
  put_named(w, OG_NAMES_VERSION, value & 0xff, "");
  for (unsigned i = 0, seen = 0; i < 3; i++) {
    if (!(bits >> i & 1))
      continue;
    og_put(w, seen++ ? ")|" : "|");
    put_named(w, OG_NAMES_VERSION, 0x2000u << i, "");
  }
}

static void put_gpr_index_mode(struct og_writer *w, unsigned value) {
  static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
  const char *comma = "";
  if (value & ~15u) {
    og_put_hex(w, value);
    return;
  }
  og_put(w, "gpr_idx(");
  for (unsigned i = 0; i < 4; i++)
    if (value >> i & 1)
      og_put(w, comma), og_put(w, names[i]), comma = ",";
  og_put(w, ")");
}

static void put_branch(struct og_writer *w, const struct og_operand *operand) {
  int64_t words = (int64_t)operand->value;
  if (w->symbolizer && w->symbolizer->name) {
    uint64_t target = w->symbolizer->pc + 4 + (uint64_t)(words * 4);
    w->out->size = (size_t)(w->at - (char *)w->out->data);
    bool named = w->symbolizer->name(w->symbolizer->context, target, w->out);
    w->at = (char *)og_buffer_room(w->out, OG_TEXT_ROOM);
    if (named)
      return;
  }
  if (operand->flags & OG_NEG) /* written with its sign, which stands there already */
    og_put_number(w, (uint32_t)-words);
  else
    og_put_number(w, (uint16_t)words);
}

void og_put_immediate(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  unsigned value = (unsigned)operand->value;
  switch (slot->takes) {
  case OG_TAKES_SIMM: og_put_hex(w, value & 0xffff); break;
  case OG_TAKES_BRANCH: put_branch(w, operand); break;
  case OG_TAKES_WAITCNT: put_waitcnt(w, value); break;
  case OG_TAKES_HWREG: put_hwreg(w, value); break;
  case OG_TAKES_SENDMSG: put_message(w, value); break;
  case OG_TAKES_GPR_IDX_MODE: put_gpr_index_mode(w, value); break;
  case OG_TAKES_WAIT_EVENT: og_put_hex(w, value); break;
  case OG_TAKES_DELAY_ALU: put_delay(w, value); break;
  case OG_TAKES_DEPCTR: put_depctr(w, value); break;
  case OG_TAKES_VERSION:
    if (operand->flags & OG_LIT) /* names are numbers once they are read */
      og_put_hex(w, value);
    else
      put_version(w, value);
    break;
  case OG_TAKES_KIMM:
    if (slot->dwords == 2 && (operand->flags & OG_LIT ? operand->flags & OG_PLAIN
                                                      : !(operand->flags & OG_PLAIN) && operand->value >> 32 == 0))
      og_put_lit(w, "lit64(", operand->value);
    else if (operand->flags & OG_LIT)
      og_put_lit(w, "lit(", operand->value);
    else if (slot->dwords == 1 && operand->value >> 63) /* a half is written with a sign; 32 bits are read */
      og_put_hex(w, value & 0xffff);
    else
      og_put_hex(w, slot->dwords == 2 && !value ? operand->value >> 32 : operand->value);
    break;
  case OG_TAKES_ENDPGM:
    if (value)
      og_put(w, " "), og_put_number(w, value);
    break;
  case OG_TAKES_EXP_TARGET: og_put(w, " "), put_named(w, OG_NAMES_EXPORT, value, "invalid_target_"); break;
  case OG_TAKES_INTERP_SLOT:
    if (value < 3)
      og_put(w, value == 0 ? "p10" : value == 1 ? "p20" : "p0");
    else
      og_put_format(w, "invalid_param_%u", value);
    break;
  case OG_TAKES_ATTR: og_put(w, "attr"), og_put_number(w, value); break;
  case OG_TAKES_ATTR_CHANNEL: og_put_format(w, ".%c", "xyzw"[value & 3]); break;
  default:
    if (slot->role == OG_ROLE_SRC0) /* s_setreg_imm32 */
      og_put_plain(w, value, OG_TYPE_B32);
    else if ((int32_t)value < 0 && (int32_t)value >= -16) /* only where a source says so */
      og_put_signed(w, (int32_t)value);
    else if (value > 64 || w->form->encoding == OG_ENC_SOPK)
      og_put_hex(w, value);
    else
      og_put_number(w, value);
    break;
  }
}
