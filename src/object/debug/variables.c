/* variables.c - the variables that debug information names: type, memory they stand in,
 * memory their pointers point into. */
#include <dwarf.h>
#include <elfutils/libdw.h>

#include "object/debug/dwarf.h"

enum { MAX_DEPTH = 32, MAX_TYPE_DEPTH = 12, MAX_ENTRIES = 1 << 22 }; /* entries may point at each other in circles */

/* User guide, "AMDGPU DWARF Address Space Mapping": 1 and 2; the others are those of later compilers. */
static const char *space_name(uint64_t space) {
  switch (space) {
  case 0: return "global";
  case 1: case 5: return "private";
  case 2: case 3: return "local";
  case 6: return "private of the wave";
  }
  return "unknown";
}

static const char *die_name(Dwarf_Die *die) {
  const char *name = dwarf_diename(die);
  return name ? name : "";
}

static uint64_t number(Dwarf_Die *die, unsigned attribute, uint64_t otherwise) {
  Dwarf_Attribute found;
  Dwarf_Word value;
  return dwarf_attr(die, attribute, &found) && dwarf_formudata(&found, &value) == 0 ? value : otherwise;
}

static void put_array_size(Dwarf_Die *array, struct og_buffer *out) {
  Dwarf_Die range;
  int most = MAX_DEPTH;
  for (int more = dwarf_child(array, &range); more == 0 && most; more = dwarf_siblingof(&range, &range), most--)
    if (dwarf_tag(&range) == DW_TAG_subrange_type)
      og_buffer_printf(
          out, "[%llu]",
          (unsigned long long)number(&range, DW_AT_count, number(&range, DW_AT_upper_bound, UINT64_MAX) + 1));
}

static void put_type(Dwarf_Die *of, int depth, struct og_buffer *out) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (depth > MAX_TYPE_DEPTH || !dwarf_attr(of, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, &type)) {
    og_buffer_text(out, "void");
    return;
  }
  int tag = dwarf_tag(&type);
  if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type)
    og_buffer_text(out, tag == DW_TAG_const_type ? "const " : "volatile ");
  if (tag == DW_TAG_pointer_type || tag == DW_TAG_array_type || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type)
    put_type(&type, depth + 1, out);
  else
    og_buffer_text(out, die_name(&type));
  if (tag == DW_TAG_array_type)
    put_array_size(&type, out);
  uint64_t space = number(&type, DW_AT_address_class, 0);
  if (tag == DW_TAG_pointer_type)
    og_buffer_printf(out, space ? " %s*" : "%.0s*", space_name(space));
}

/* DW_OP_xderef takes the address space from the operand that DW_OP_swap put below the address. */
static const char *location_name(Dwarf_Die *variable) {
  Dwarf_Attribute attribute;
  Dwarf_Addr base, start, end;
  Dwarf_Op *ops;
  size_t count = 0;
  if (!dwarf_attr(variable, DW_AT_location, &attribute))
    return "nowhere";
  if (dwarf_getlocation(&attribute, &ops, &count) != 0 &&
      dwarf_getlocations(&attribute, 0, &base, &start, &end, &ops, &count) <= 0)
    return "nowhere";
  for (size_t i = 2; i < count; i++) {
    if (ops[i].atom != DW_OP_xderef || ops[i - 1].atom != DW_OP_swap)
      continue;
    uint8_t op = ops[i - 2].atom;
    return space_name(op >= DW_OP_lit0 && op <= DW_OP_lit31 ? op - (uint64_t)DW_OP_lit0 : ops[i - 2].number);
  }
  if (count && (ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx))
    return "global";
  bool in_register = count && ((ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) || ops[0].atom == DW_OP_regx);
  return in_register ? "a register" : count ? "computed" : "nowhere";
}

static void put_children(Dwarf_Die *die, int depth, uint32_t *budget, struct og_buffer *out) {
  Dwarf_Die child;
  for (int more = depth < MAX_DEPTH ? dwarf_child(die, &child) : 1; more == 0 && *budget;
       more = dwarf_siblingof(&child, &child)) {
    --*budget;
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram && *die_name(&child))
      og_buffer_printf(out, "  function %s\n", die_name(&child));
    if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && *die_name(&child)) {
      og_buffer_printf(out, "  %*s%-20s in %-12s ", depth ? 2 : 0, "", die_name(&child), location_name(&child));
      put_type(&child, 0, out);
      og_buffer_u8(out, '\n');
    }
    og_buffer_drain(out);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
        tag == DW_TAG_namespace)
      put_children(&child, depth + 1, budget, out);
  }
}

void og_dwarf_print_variables(struct og_dwarf *dwarf, struct og_buffer *out) {
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  uint32_t budget = MAX_ENTRIES;
  while (dwarf_get_units(og_dwarf_handle(dwarf), unit, &unit, NULL, NULL, &die, NULL) == 0)
    put_children(&die, 0, &budget, out);
}
