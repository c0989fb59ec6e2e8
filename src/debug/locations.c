/* locations.c - where a variable stands, and its value.
 *
 * Locations are evaluated as LLVM writes them for AMDGPU (AMDGPU backend guide, "DWARF"): private memory as an
 * offset with an address space and DW_OP_xderef, registers by number. Where a variable has left its memory for a
 * register, LLVM leaves the address space behind ("DW_OP_bregx VGPR2+0, DW_OP_lit5, DW_OP_swap, DW_OP_xderef"):
 * what the register holds is then the variable, not its address. */
#include "debug/value.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/descriptor.h"

enum { PIECES_MOST = 16, STACK_MOST = 16 };

struct piece {
  enum { PIECE_NONE, PIECE_REGISTER, PIECE_MEMORY, PIECE_NUMBER } kind;
  struct og_register reg;
  enum og_space space;
  uint64_t number; /* or address */
  uint64_t size;
};

struct location {
  const struct og_context *context;
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count;
  uint64_t stack[STACK_MOST];
  unsigned depth;
  bool promoted; /* the one on top is a register itself: of `reg` */
  bool by_lane;  /* a vector register was read */
  struct og_register reg;
  struct piece pieces[PIECES_MOST];
  unsigned piece_count;
  struct piece now; /* what the next piece, or all of the variable, is in */
};

/* DWARF numbers of registers (AMDGPU backend guide, "Register Identifier"). */
static bool find_register(const struct og_wave *wave, uint64_t number, struct og_register *reg) {
  static const struct {
    uint16_t first, count;
    uint8_t kind;
    uint16_t index, size;
  } ranges[] = {
      {1, 1, OG_REGISTER_SCALAR, OG_S_EXEC, 32},  {17, 1, OG_REGISTER_SCALAR, OG_S_EXEC, 64},
      {32, 64, OG_REGISTER_SCALAR, 0, 0},         {1088, 42, OG_REGISTER_SCALAR, 64, 0},
      {512, 1, OG_REGISTER_SCALAR, OG_S_VCC, 32}, {768, 1, OG_REGISTER_SCALAR, OG_S_VCC, 64},
      {1536, 256, OG_REGISTER_VECTOR, 0, 32},     {2048, 256, OG_REGISTER_VECTOR, 256, 32},
      {2560, 256, OG_REGISTER_VECTOR, 0, 64},     {3072, 256, OG_REGISTER_VECTOR, 256, 64},
  };
  (void)wave;
  for (size_t i = 0; i < OG_COUNT(ranges); i++)
    if (number >= ranges[i].first && number - ranges[i].first < ranges[i].count) {
      *reg = (struct og_register){
          .kind = ranges[i].kind, .dwords = 1, .index = (uint16_t)(ranges[i].index + number - ranges[i].first)};
      return true;
    }
  return false;
}

static uint64_t register_value(const struct og_context *context, const struct og_register *reg) {
  return og_register_get(context->wave, reg, 0, context->lane);
}

/* A frame or stack pointer counts bytes of the whole wave where scratch is reached through a swizzled buffer. */
static bool frame_base(const struct location *location, uint64_t *base) {
  const struct og_context *context = location->context;
  const struct og_target *target = &context->debug->target.executable->target;
  Dwarf_Die *scopes;
  int depth = og_scopes_at(context->debug, og_file_address(context->debug, og_debug_pc(context->debug, context->wave)),
                           &scopes);
  bool found = false;
  for (int i = 0; i < depth && !found; i++) {
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    struct og_register reg;
    if (dwarf_tag(&scopes[i]) != DW_TAG_subprogram || !dwarf_attr_integrate(&scopes[i], DW_AT_frame_base, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &count) != 0 || count == 0)
      continue;
    uint64_t number = ops[0].atom == DW_OP_regx ? ops[0].number : ops[0].atom - (uint64_t)DW_OP_reg0;
    found = find_register(context->wave, number, &reg);
    if (found)
      *base = register_value(context, &reg);
  }
  free(scopes);
  if (found && !og_where_holds(target, OG_WHERE_ALL | OG_WHERE_ARCHITECTED_SCRATCH))
    *base /= context->wave->wave_size;
  return found;
}

static enum og_space space_of(uint64_t number) {
  return number == 3 ? OG_SPACE_LDS : number == 5 ? OG_SPACE_SCRATCH : OG_SPACE_GLOBAL;
}

static bool push(struct location *location, uint64_t number) {
  location->promoted = false;
  if (location->depth == STACK_MOST)
    return false;
  location->stack[location->depth++] = number;
  location->now = (struct piece){.kind = PIECE_MEMORY, .space = OG_SPACE_GLOBAL, .number = number};
  return true;
}

static bool in_register(struct location *location, uint64_t number) {
  location->now = (struct piece){.kind = PIECE_REGISTER};
  return find_register(location->context->wave, number, &location->now.reg);
}

static bool based_on(struct location *location, uint64_t number, int64_t offset) {
  struct og_register reg;
  if (!find_register(location->context->wave, number, &reg) ||
      !push(location, register_value(location->context, &reg) + (uint64_t)offset))
    return false;
  bool pointer = reg.kind == OG_REGISTER_SCALAR && (reg.index == 32 || reg.index == 33);
  location->promoted = offset == 0 && !pointer;
  location->by_lane |= reg.kind == OG_REGISTER_VECTOR;
  location->reg = reg;
  return true;
}

/* The address with its space that LLVM writes as SPACE, DW_OP_swap, DW_OP_xderef. */
static bool in_space(struct location *location, bool promoted) {
  if (location->depth < 2)
    return false;
  uint64_t address = location->stack[location->depth - 1], space = location->stack[location->depth - 2];
  location->depth -= 2;
  location->stack[location->depth++] = address;
  location->now = promoted ? (struct piece){.kind = PIECE_REGISTER, .reg = location->reg}
                           : (struct piece){.kind = PIECE_MEMORY, .space = space_of(space), .number = address};
  return true;
}

static bool add_piece(struct location *location, uint64_t size) {
  if (location->piece_count == PIECES_MOST)
    return false;
  location->now.size = size;
  location->pieces[location->piece_count++] = location->now;
  location->now = (struct piece){0};
  location->depth = 0;
  return true;
}

static bool symbol_address(struct location *location, const Dwarf_Op *op, uint64_t *address) {
  Dwarf_Attribute result;
  Dwarf_Addr found;
  *address = op->number;
  if (op->atom == DW_OP_addr)
    return true;
  if (dwarf_getlocation_attr(&location->attribute, op, &result) != 0 || dwarf_formaddr(&result, &found) != 0)
    return false;
  *address = found;
  return true;
}

static uint64_t binary(uint8_t atom, uint64_t a, uint64_t b) {
  switch (atom) {
  case DW_OP_plus: return a + b;
  case DW_OP_minus: return a - b;
  case DW_OP_mul: return a * b;
  case DW_OP_and: return a & b;
  case DW_OP_or: return a | b;
  case DW_OP_xor: return a ^ b;
  case DW_OP_shl: return b < 64 ? a << b : 0;
  case DW_OP_shra: return (uint64_t)((int64_t)a >> OG_MIN(b, 63u));
  default: return b < 64 ? a >> b : 0;
  }
}

static bool evaluate_one(struct location *location, size_t i, bool *promoted) {
  const Dwarf_Op *op = &location->ops[i];
  uint8_t atom = op->atom;
  uint64_t base = 0;
  if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
    bool kept = location->promoted;
    bool fine = push(location, atom - (uint64_t)DW_OP_lit0);
    *promoted = kept; /* for the swap and the xderef that follow */
    return fine;
  }
  if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
    return in_register(location, atom - (uint64_t)DW_OP_reg0);
  if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
    return based_on(location, atom - (uint64_t)DW_OP_breg0, (int64_t)op->number);
  switch (atom) {
  case DW_OP_regx: return in_register(location, op->number);
  case DW_OP_bregx: return based_on(location, op->number, (int64_t)op->number2);
  case DW_OP_fbreg: return frame_base(location, &base) && push(location, base + op->number);
  case DW_OP_addr:
  case DW_OP_addrx:
  case DW_OP_GNU_addr_index: return symbol_address(location, op, &base) && push(location, base);
  case DW_OP_const1u:
  case DW_OP_const2u:
  case DW_OP_const4u:
  case DW_OP_const8u:
  case DW_OP_constu:
  case DW_OP_const1s:
  case DW_OP_const2s:
  case DW_OP_const4s:
  case DW_OP_const8s:
  case DW_OP_consts: return push(location, op->number);
  case DW_OP_swap:
    if (location->depth < 2)
      return false;
    base = location->stack[location->depth - 1];
    location->stack[location->depth - 1] = location->stack[location->depth - 2];
    location->stack[location->depth - 2] = base;
    return true;
  case DW_OP_xderef: return in_space(location, *promoted);
  case DW_OP_plus_uconst:
    if (location->depth == 0)
      return false;
    base = location->stack[--location->depth] + op->number;
    return push(location, base);
  case DW_OP_neg:
  case DW_OP_not:
    if (location->depth == 0)
      return false;
    base = location->stack[--location->depth];
    return push(location, atom == DW_OP_neg ? -base : ~base);
  case DW_OP_plus:
  case DW_OP_minus:
  case DW_OP_and:
  case DW_OP_or:
  case DW_OP_xor:
  case DW_OP_shl:
  case DW_OP_shr:
  case DW_OP_shra:
  case DW_OP_mul: {
    if (location->depth < 2)
      return false;
    uint64_t b = location->stack[--location->depth], a = location->stack[--location->depth];
    return push(location, binary(atom, a, b));
  }
  case DW_OP_stack_value:
    if (location->depth == 0)
      return false;
    if (location->now.kind != PIECE_REGISTER)
      location->now = (struct piece){.kind = PIECE_NUMBER, .number = location->stack[location->depth - 1]};
    return true;
  case DW_OP_piece: return add_piece(location, op->number);
  default: return false;
  }
}

static bool evaluate(struct location *location) {
  bool promoted = false;
  for (size_t i = 0; i < location->count; i++)
    if (!evaluate_one(location, i, &promoted))
      return false;
  return location->count > 0;
}

/* A piece's bytes; those of an LDS or private variable lie in the wave's memory. */
static bool read_piece(const struct location *location, const struct piece *piece, uint64_t size, uint8_t *bytes) {
  const struct og_context *context = location->context;
  switch (piece->kind) {
  case PIECE_NONE: return false;
  case PIECE_NUMBER:
    memset(bytes, 0, size);
    memcpy(bytes, &piece->number, OG_MIN(size, 8u));
    return true;
  case PIECE_MEMORY: {
    uint64_t address = piece->number;
    if (piece->space == OG_SPACE_GLOBAL && address < context->debug->target.executable->size)
      address += context->debug->target.executable->start; /* a variable of the code object */
    return og_wave_read(context->wave, piece->space, context->lane, address, bytes, size);
  }
  case PIECE_REGISTER:
    for (uint64_t i = 0; i < size; i += 4) {
      uint32_t word = og_register_get(context->wave, &piece->reg, (unsigned)i / 4, context->lane);
      memcpy(bytes + i, &word, OG_MIN(size - i, 4u));
    }
    return true;
  }
  return false;
}

static void set_place(const struct og_context *context, const struct piece *piece, struct og_value *value) {
  value->place = (struct og_watched){.is_register = piece->kind == PIECE_REGISTER,
                                     .reg = piece->reg,
                                     .one_lane = true,
                                     .space = piece->space,
                                     .lane = context->lane,
                                     .owner = og_wave_name(context->wave),
                                     .address = piece->number,
                                     .size = value->size};
  if (value->place.is_register)
    value->place.reg.dwords = (uint8_t)((value->size + 3) / 4);
  if (!value->place.is_register && piece->space == OG_SPACE_GLOBAL &&
      piece->number < context->debug->target.executable->size)
    value->place.address += context->debug->target.executable->start;
  value->has_place = piece->kind == PIECE_MEMORY || (piece->kind == PIECE_REGISTER && value->size % 4 == 0);
}

/* What stands in memory of all lanes counts as one value. */
static bool differs_by_lane(const struct piece *piece) {
  return (piece->kind == PIECE_REGISTER && piece->reg.kind == OG_REGISTER_VECTOR) ||
         (piece->kind == PIECE_MEMORY && piece->space == OG_SPACE_SCRATCH);
}

static bool locate(const struct og_context *context, Dwarf_Die *die, struct location *location) {
  uint64_t address = og_file_address(context->debug, og_debug_pc(context->debug, context->wave));
  *location = (struct location){.context = context};
  Dwarf_Op *ops[1];
  size_t counts[1];
  if (!dwarf_attr_integrate(die, DW_AT_location, &location->attribute) ||
      dwarf_getlocation_addr(&location->attribute, address, ops, counts, 1) < 1)
    return false;
  location->ops = ops[0];
  location->count = counts[0];
  return evaluate(location);
}

/* The bytes of a type that hold something: a vector of three elements has room for four. */
static uint64_t filled(Dwarf_Die *shape) {
  Dwarf_Die element;
  bool pointer;
  uint64_t count;
  if (!og_shape_element(shape, &element, &pointer, &count) || pointer || count > UINT32_MAX)
    return og_shape_size(shape);
  return OG_MIN(count * og_shape_size(&element), og_shape_size(shape));
}

static bool constant(Dwarf_Die *die, struct og_value *value) {
  Dwarf_Attribute attribute;
  Dwarf_Sword number;
  if (!dwarf_attr_integrate(die, DW_AT_const_value, &attribute) || dwarf_formsdata(&attribute, &number) != 0)
    return false;
  memcpy(value->bytes, &number, OG_MIN(value->size, 8u));
  return true;
}

bool og_variable_value(const struct og_context *context, const struct og_variable *variable, struct og_value *value) {
  struct location location;
  Dwarf_Die die = variable->die, shape = variable->shape;
  *value = (struct og_value){.type = OG_AS_U64, .has_shape = true, .shape = shape};
  value->size = (uint32_t)OG_MIN(og_shape_size(&shape), sizeof value->bytes);
  bool fine = false;
  if (!locate(context, &die, &location)) {
    fine = constant(&die, value);
  } else if (location.piece_count == 0) {
    fine = read_piece(&location, &location.now, value->size, value->bytes);
    value->per_lane = location.by_lane || differs_by_lane(&location.now);
    if (fine)
      set_place(context, &location.now, value);
  } else {
    uint64_t at = 0;
    fine = true;
    value->per_lane = location.by_lane;
    for (unsigned i = 0; fine && i < location.piece_count && at < value->size; i++) {
      uint64_t size = OG_MIN(location.pieces[i].size, value->size - at);
      fine = read_piece(&location, &location.pieces[i], size, value->bytes + at);
      value->per_lane |= differs_by_lane(&location.pieces[i]);
      at += size;
    }
    fine = fine && at >= OG_MIN(filled(&shape), value->size);
  }
  enum og_numeral type;
  if (fine && og_shape_number(&shape, &type)) {
    struct og_value number = og_value_load(type, value->bytes);
    value->type = type;
    value->u = number.u;
  } else if (fine && value->size <= 8) {
    memcpy(&value->u, value->bytes, value->size);
  }
  return fine && value->size > 0;
}
