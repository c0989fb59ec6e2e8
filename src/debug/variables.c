/* variables.c - variables of the program by its debug information: which are seen where a wave stands, and in which
 * functions that is. */
#include "debug/value.h"

#include <dwarf.h>
#include <stdlib.h>

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
int og_scopes_at(const struct og_debug *debug, uint64_t address, Dwarf_Die **scopes) {
  Dwarf_Die unit;
  *scopes = NULL;
  return unit_at(debug, address, &unit) ? dwarf_getscopes(&unit, address, scopes) : 0;
}

static uint32_t add_variables(const struct og_context *context, Dwarf_Die *scope, struct og_variable *variables,
                              uint32_t count, uint32_t most) {
  Dwarf_Die child;
  unsigned left = OG_DIES_MOST;
  for (bool more = dwarf_child(scope, &child) == 0; more && count < most; more = og_die_next(&child, &left)) {
    int tag = dwarf_tag(&child);
    struct og_variable *variable = &variables[count];
    *variable =
        (struct og_variable){.name = dwarf_diename(&child), .die = child, .argument = tag == DW_TAG_formal_parameter};
    if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !variable->name ||
        !og_shape_of(&child, &variable->shape))
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
  int depth = og_scopes_at(context->debug, og_file_address(context->debug, og_debug_pc(context->debug, context->wave)),
                           &scopes);
  for (int i = 0; i < depth; i++)
    count = add_variables(context, &scopes[i], variables, count, most);
  free(scopes);
  return count;
}

uint32_t og_frames(const struct og_debug *debug, uint64_t pc, struct og_frame *frames, uint32_t most) {
  uint64_t address = og_file_address(debug, pc);
  Dwarf_Die *scopes;
  int depth = og_scopes_at(debug, address, &scopes);
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
