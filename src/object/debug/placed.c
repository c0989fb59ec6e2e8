/* placed.c - the variables at constant places that debug information tells within a function, what is inlined there
 * included. */
#include <dwarf.h>
#include <elfutils/libdw.h>

#include "object/debug/dwarf.h"

enum { MAX_DEPTH = 32, MAX_ENTRIES = 1 << 20 }; /* entries may point at each other in circles */

struct search {
  enum og_dwarf_space space;
  og_dwarf_placed *seen;
  void *context;
  uint32_t left;
  bool fine;
};

/* A constant, its address space, DW_OP_swap, DW_OP_xderef. In a function's frame the constant is added to the stack
 * pointer, which counts bytes of a lane or, shifted, of a wave. */
static bool find_place(Dwarf_Die *variable, enum og_dwarf_space space, uint64_t *at) {
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t count, frame = 0;
  if (!dwarf_attr(variable, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &ops, &count) != 0)
    return false;
  if (count == 5 && ops[0].atom == DW_OP_bregx && ops[0].number2 == 0)
    frame = 1;
  else if (count == 7 && ops[0].atom == DW_OP_bregx && ops[0].number2 == 0 && ops[2].atom == DW_OP_shr)
    frame = 3;
  ops += frame, count -= frame;
  if (count != 4 || ops[2].atom != DW_OP_swap || ops[3].atom != DW_OP_xderef)
    return false;
  uint64_t numbers[2];
  for (unsigned i = 0; i < 2; i++) {
    uint8_t op = ops[i].atom;
    bool literal = op >= DW_OP_lit0 && op <= DW_OP_lit31, added = frame && !i && op == DW_OP_plus_uconst;
    if (frame && !i && !added)
      return false;
    if (!literal && !added && (op < DW_OP_const1u || op > DW_OP_consts))
      return false;
    numbers[i] = literal ? op - (uint64_t)DW_OP_lit0 : ops[i].number;
  }
  *at = numbers[0];
  return numbers[1] == (uint64_t)space;
}

/* What the entry says, or else its type. */
static bool find_size(Dwarf_Die *variable, uint64_t *size) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  Dwarf_Word found = 0;
  bool fine = dwarf_attr(variable, DW_AT_byte_size, &attribute)
                  ? dwarf_formudata(&attribute, &found) == 0
                  : dwarf_attr(variable, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, &type) &&
                        dwarf_aggregate_size(&type, &found) == 0;
  *size = found;
  return fine;
}

static void search(struct search *s, Dwarf_Die *of, unsigned depth) {
  Dwarf_Die child;
  for (bool more = dwarf_child(of, &child) == 0; more && s->fine; more = dwarf_siblingof(&child, &child) == 0) {
    uint64_t at, size;
    if (s->left-- == 0 || depth > MAX_DEPTH) {
      s->left = 0, s->fine = false;
      return;
    }
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
      search(s, &child, depth + 1);
    } else if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && find_place(&child, s->space, &at)) {
      const char *name = dwarf_diename(&child);
      s->fine = find_size(&child, &size) && s->seen(s->context, name ? name : "", at, size);
    }
  }
}

bool og_dwarf_places(struct og_dwarf *dwarf, uint64_t address, enum og_dwarf_space space, og_dwarf_placed *seen,
                     void *context) {
  struct search s = {.space = space, .seen = seen, .context = context, .left = MAX_ENTRIES, .fine = true};
  Dwarf_CU *unit = NULL;
  Dwarf_Die die, child;
  while (dwarf_get_units(og_dwarf_handle(dwarf), unit, &unit, NULL, NULL, &die, NULL) == 0)
    for (bool more = dwarf_child(&die, &child) == 0; more && s.left;
         more = dwarf_siblingof(&child, &child) == 0, s.left--)
      if (dwarf_tag(&child) == DW_TAG_subprogram && dwarf_haspc(&child, address) == 1) {
        search(&s, &child, 0);
        return s.fine;
      }
  return false;
}
