/* shapes.c - types of variables as debug information has them: numbers, arrays, pointers, structs. It may be anybody's
 * file, so nothing is followed for ever: entries may point at each other in circles. */
#include "debug/value.h"

#include <dwarf.h>
#include <string.h>

enum { DEPTH_MOST = 24 };

/* Behind its typedefs and qualifiers. */
bool og_shape_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
    return false;
  for (unsigned depth = 0; depth < DEPTH_MOST; depth++) {
    int tag = dwarf_tag(type);
    if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
        tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type)
      return true;
    if (!dwarf_attr(type, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
      return false;
  }
  return false;
}

bool og_die_next(Dwarf_Die *die, unsigned *left) { return *left > 0 && (*left)-- && dwarf_siblingof(die, die) == 0; }

bool og_shape_number(Dwarf_Die *shape, enum og_numeral *type) {
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = DW_ATE_signed;
  int tag = dwarf_tag(shape);
  if (tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type)
    return false;
  uint64_t size = og_shape_size(shape);
  if (dwarf_attr(shape, DW_AT_encoding, &attribute))
    dwarf_formudata(&attribute, &encoding);
  const char *name = dwarf_diename(shape);
  bool brain = name && strstr(name, "bf") != NULL;
  bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  if (encoding == DW_ATE_float)
    *type = size == 2 ? brain ? OG_AS_BF16 : OG_AS_F16 : size == 4 ? OG_AS_F32 : OG_AS_F64;
  else
    *type = (enum og_numeral)((size == 1   ? OG_AS_U8
                               : size == 2 ? OG_AS_U16
                               : size == 4 ? OG_AS_U32
                                           : OG_AS_U64) +
                              is_signed);
  return size == 1 || size == 2 || size == 4 || size == 8;
}

static uint64_t element_count(Dwarf_Die *array) {
  Dwarf_Die range;
  uint64_t count = 1;
  unsigned left = OG_DIES_MOST;
  for (bool more = dwarf_child(array, &range) == 0; more; more = og_die_next(&range, &left)) {
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
  return og_shape_of(shape, element);
}

bool og_shape_member(Dwarf_Die *shape, struct og_text name, Dwarf_Die *type, uint64_t *offset) {
  Dwarf_Die member;
  unsigned left = OG_DIES_MOST;
  for (bool more = dwarf_child(shape, &member) == 0; more; more = og_die_next(&member, &left)) {
    const char *its = dwarf_diename(&member);
    Dwarf_Attribute attribute;
    Dwarf_Word at = 0;
    if (dwarf_tag(&member) != DW_TAG_member || !its || !og_text_is(name, its) || !og_shape_of(&member, type))
      continue;
    if (dwarf_attr(&member, DW_AT_data_member_location, &attribute))
      dwarf_formudata(&attribute, &at);
    *offset = at;
    return true;
  }
  return false;
}

static uint64_t size_of(Dwarf_Die *shape, unsigned depth) {
  Dwarf_Attribute attribute;
  Dwarf_Word size = 0;
  Dwarf_Die element;
  if (dwarf_attr(shape, DW_AT_byte_size, &attribute) && dwarf_formudata(&attribute, &size) == 0)
    return size;
  if (dwarf_tag(shape) == DW_TAG_pointer_type || dwarf_tag(shape) == DW_TAG_reference_type)
    return 8;
  if (dwarf_tag(shape) != DW_TAG_array_type || depth == DEPTH_MOST || !og_shape_of(shape, &element))
    return 0;
  uint64_t each = size_of(&element, depth + 1), count = element_count(shape);
  return each && count > UINT32_MAX / each ? UINT32_MAX : each * count;
}

uint64_t og_shape_size(Dwarf_Die *shape) { return size_of(shape, 0); }

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
