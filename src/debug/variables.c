/* variables.c - variables of the program by its debug information: which are seen, their types, and where they stand.
 *
 * Locations are evaluated as LLVM writes them for AMDGPU (AMDGPU backend guide, "DWARF"): private memory as an offset with
 * an address space and DW_OP_xderef, registers by number. Where a variable has left its memory for a register, LLVM
 * leaves the address space behind ("DW_OP_bregx VGPR2+0, DW_OP_lit5, DW_OP_swap, DW_OP_xderef"): what the register holds
 * is then the variable, not its address. */
#include "debug/value.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "target/descriptor.h"

enum { PIECES_MOST = 16, STACK_MOST = 16, DEPTH_MOST = 24 };

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
    return false;
  return dwarf_peel_type(type, type) == 0;
}

bool og_shape_number(Dwarf_Die *shape, enum og_numeral *type) {
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = DW_ATE_signed, size;
  int tag = dwarf_tag(shape);
  if ((tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type) || dwarf_aggregate_size(shape, &size) != 0)
    return false;
  if (dwarf_attr(shape, DW_AT_encoding, &attribute))
    dwarf_formudata(&attribute, &encoding);
  const char *name = dwarf_diename(shape);
  bool brain = name && strstr(name, "bf") != NULL;
  bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  if (encoding == DW_ATE_float)
    *type = size == 2 ? brain ? OG_AS_BF16 : OG_AS_F16 : size == 4 ? OG_AS_F32 : OG_AS_F64;
  else
    *type = (enum og_numeral)((size == 1 ? OG_AS_U8 : size == 2 ? OG_AS_U16 : size == 4 ? OG_AS_U32 : OG_AS_U64) +
                              is_signed);
  return size == 1 || size == 2 || size == 4 || size == 8;
}

static uint64_t element_count(Dwarf_Die *array) {
  Dwarf_Die range;
  uint64_t count = 1;
  for (int more = dwarf_child(array, &range); more == 0; more = dwarf_siblingof(&range, &range)) {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (dwarf_attr(&range, DW_AT_count, &attribute) && dwarf_formudata(&attribute, &number) == 0)
      count *= number;
    else if (dwarf_attr(&range, DW_AT_upper_bound, &attribute) && dwarf_formudata(&attribute, &number) == 0)
      count *= number + 1;
  }
  return count;
}

bool og_shape_element(Dwarf_Die *shape, Dwarf_Die *element, bool *pointer, uint64_t *count) {
  int tag = dwarf_tag(shape);
  *pointer = tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type;
  if (!*pointer && tag != DW_TAG_array_type)
    return false;
  *count = *pointer ? 1 : element_count(shape);
  return type_of(shape, element);
}

bool og_shape_member(Dwarf_Die *shape, struct og_text name, Dwarf_Die *type, uint64_t *offset) {
  Dwarf_Die member;
  for (int more = dwarf_child(shape, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
    const char *its = dwarf_diename(&member);
    Dwarf_Attribute attribute;
    Dwarf_Word at = 0;
    if (dwarf_tag(&member) != DW_TAG_member || !its || !og_text_is(name, its) || !type_of(&member, type))
      continue;
    if (dwarf_attr(&member, DW_AT_data_member_location, &attribute))
      dwarf_formudata(&attribute, &at);
    *offset = at;
    return true;
  }
  return false;
}

uint64_t og_shape_size(Dwarf_Die *shape) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(shape, &size) == 0 ? size : 0;
}

static void put_name(Dwarf_Die *shape, unsigned depth, struct og_buffer *out) {
  Dwarf_Die element;
  bool pointer;
  uint64_t count;
  const char *name = dwarf_diename(shape);
  if (depth < DEPTH_MOST && og_shape_element(shape, &element, &pointer, &count)) {
    put_name(&element, depth + 1, out);
    og_buffer_printf(out, pointer ? " *" : "[%llu]", (unsigned long long)count);
  } else {
    og_buffer_text(out, name ? name : dwarf_tag(shape) == DW_TAG_pointer_type ? "void *" : "struct");
  }
}

const char *og_shape_name(const struct og_debug *debug, Dwarf_Die *shape, struct og_buffer *out) {
  (void)debug;
  put_name(shape, 0, out);
  og_buffer_u8(out, 0);
  return (const char *)out->data;
}

/* ---- scopes ------------------------------------------------------------------------------------------------------ */

static uint64_t file_address(const struct og_debug *debug, uint64_t pc) { return pc - debug->target.executable->start; }

static bool unit_at(const struct og_debug *debug, uint64_t address, Dwarf_Die *unit) {
  struct og_dwarf *dwarf = og_lines_dwarf(debug->lines);
  Dwarf_CU *cu = NULL;
  while (dwarf && dwarf_get_units(og_dwarf_handle(dwarf), cu, &cu, NULL, NULL, unit, NULL) == 0)
    if (dwarf_haspc(unit, address) > 0)
      return true;
  return false;
}

static bool is_function(Dwarf_Die *die) {
  int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Innermost first, up to the function that is not inlined. The caller frees. */
static int scopes_at(const struct og_debug *debug, uint64_t address, Dwarf_Die **scopes) {
  Dwarf_Die unit;
  *scopes = NULL;
  return unit_at(debug, address, &unit) ? dwarf_getscopes(&unit, address, scopes) : 0;
}

static uint32_t add_variables(const struct og_context *context, Dwarf_Die *scope, struct og_variable *variables,
                              uint32_t count, uint32_t most) {
  Dwarf_Die child;
  for (int more = dwarf_child(scope, &child); more == 0 && count < most; more = dwarf_siblingof(&child, &child)) {
    int tag = dwarf_tag(&child);
    struct og_variable *variable = &variables[count];
    *variable = (struct og_variable){.name = dwarf_diename(&child), .die = child,
                                     .argument = tag == DW_TAG_formal_parameter};
    if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !variable->name || !type_of(&child, &variable->shape))
      continue;
    struct og_value value;
    variable->known = og_variable_value(context, variable, &value);
    count++;
  }
  return count;
}

uint32_t og_variables(const struct og_context *context, struct og_variable *variables, uint32_t most) {
  if (!context->wave)
    return 0;
  Dwarf_Die *scopes;
  uint32_t count = 0;
  int depth = scopes_at(context->debug, file_address(context->debug, og_debug_pc(context->debug, context->wave)), &scopes);
  for (int i = 0; i < depth; i++)
    count = add_variables(context, &scopes[i], variables, count, most);
  free(scopes);
  return count;
}

uint32_t og_frames(const struct og_debug *debug, uint64_t pc, struct og_frame *frames, uint32_t most) {
  uint64_t address = file_address(debug, pc);
  Dwarf_Die *scopes;
  int depth = scopes_at(debug, address, &scopes);
  struct og_line line = og_lines_at(debug->lines, address);
  uint32_t count = 0;
  for (int i = 0; i < depth && count < most; i++) {
    if (!is_function(&scopes[i]))
      continue;
    frames[count++] = (struct og_frame){.name = dwarf_diename(&scopes[i]), .line = line};
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
      break;
    if (dwarf_attr(&scopes[i], DW_AT_call_line, &attribute))
      dwarf_formudata(&attribute, &number);
    line.line = (unsigned)number; /* of the same file, nearly always */
    line.column = 0;
  }
  free(scopes);
  return count;
}

/* ---- locations --------------------------------------------------------------------------------------------------- */

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
  bool promoted;              /* the one on top is a register itself: of `reg` */
  struct og_register reg;
  struct piece pieces[PIECES_MOST];
  unsigned piece_count;
  struct piece now;           /* what the next piece, or all of the variable, is in */
};

/* DWARF numbers of registers (AMDGPU backend guide, "Register Identifier"). */
static bool find_register(const struct og_wave *wave, uint64_t number, struct og_register *reg) {
  static const struct { uint16_t first, count; uint8_t kind; uint16_t index, size; } ranges[] = {
      {1, 1, OG_REGISTER_SCALAR, OG_S_EXEC, 32},     {17, 1, OG_REGISTER_SCALAR, OG_S_EXEC, 64},
      {32, 64, OG_REGISTER_SCALAR, 0, 0},            {1088, 42, OG_REGISTER_SCALAR, 64, 0},
      {512, 1, OG_REGISTER_SCALAR, OG_S_VCC, 32},    {768, 1, OG_REGISTER_SCALAR, OG_S_VCC, 64},
      {1536, 256, OG_REGISTER_VECTOR, 0, 32},        {2048, 256, OG_REGISTER_VECTOR, 256, 32},
      {2560, 256, OG_REGISTER_VECTOR, 0, 64},        {3072, 256, OG_REGISTER_VECTOR, 256, 64},
  };
  (void)wave;
  for (size_t i = 0; i < OG_COUNT(ranges); i++)
    if (number >= ranges[i].first && number - ranges[i].first < ranges[i].count) {
      *reg = (struct og_register){.kind = ranges[i].kind, .dwords = 1,
                                  .index = (uint16_t)(ranges[i].index + number - ranges[i].first)};
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
  int depth = scopes_at(context->debug, file_address(context->debug, og_debug_pc(context->debug, context->wave)), &scopes);
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
  case DW_OP_addr: case DW_OP_addrx: case DW_OP_GNU_addr_index:
    return symbol_address(location, op, &base) && push(location, base);
  case DW_OP_const1u: case DW_OP_const2u: case DW_OP_const4u: case DW_OP_const8u: case DW_OP_constu:
  case DW_OP_const1s: case DW_OP_const2s: case DW_OP_const4s: case DW_OP_const8s: case DW_OP_consts:
    return push(location, op->number);
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
  case DW_OP_plus: case DW_OP_minus: case DW_OP_mul: {
    if (location->depth < 2)
      return false;
    uint64_t b = location->stack[--location->depth], a = location->stack[--location->depth];
    return push(location, atom == DW_OP_plus ? a + b : atom == DW_OP_minus ? a - b : a * b);
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
  value->place = (struct og_watched){.is_register = piece->kind == PIECE_REGISTER, .reg = piece->reg, .one_lane = true,
                                     .space = piece->space, .lane = context->lane, .owner = og_wave_name(context->wave),
                                     .address = piece->number, .size = value->size};
  if (value->place.is_register)
    value->place.reg.dwords = (uint8_t)((value->size + 3) / 4);
  if (!value->place.is_register && piece->space == OG_SPACE_GLOBAL && piece->number < context->debug->target.executable->size)
    value->place.address += context->debug->target.executable->start;
  value->has_place = piece->kind == PIECE_MEMORY || (piece->kind == PIECE_REGISTER && value->size % 4 == 0);
}

/* Wrong to say so of one in scalar memory: nothing tells. */
static bool differs_by_lane(const struct piece *piece) {
  return (piece->kind == PIECE_REGISTER && piece->reg.kind == OG_REGISTER_VECTOR) ||
         (piece->kind == PIECE_MEMORY && piece->space == OG_SPACE_SCRATCH);
}

static bool locate(const struct og_context *context, Dwarf_Die *die, struct location *location) {
  uint64_t address = file_address(context->debug, og_debug_pc(context->debug, context->wave));
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
    value->per_lane = differs_by_lane(&location.now);
    if (fine)
      set_place(context, &location.now, value);
  } else {
    uint64_t at = 0;
    fine = true;
    for (unsigned i = 0; fine && i < location.piece_count && at < value->size; i++) {
      uint64_t size = OG_MIN(location.pieces[i].size, value->size - at);
      fine = read_piece(&location, &location.pieces[i], size, value->bytes + at);
      value->per_lane |= differs_by_lane(&location.pieces[i]);
      at += size;
    }
    fine = fine && at == value->size;
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
