/* debug_lists.c - .debug_rnglists and .debug_loclists of a unit: ranges of code that belong to scopes, and variables'
 * values in stretches of it. Addresses count from where the unit begins (DWARF 5, sections 7.7.3 and 7.28). */
#include "cc/debug.h"

enum {
  END = 0x00,
  OFFSET_PAIR = 0x04,
  HEADER = 12
}; /* DW_RLE_ and DW_LLE_ alike; bytes before the table of their places */

void cc_debug_begin_lists(struct cc_debug_unit *u) {
  static const char *const names[] = {".debug_rnglists", ".debug_loclists"};
  for (unsigned k = 0; k < OG_COUNT(names); k++)
    og_dwarf_reference(&u->info, og_object_add_section(u->o->elf, names[k], SHT_PROGBITS, 0, 1), HEADER, false);
}

static void begin_list(struct cc_debug_unit *u, struct cc_debug_lists *l) {
  og_buffer_uleb(&u->info.bytes, l->at.count);
  *OG_PUSH(u->o->arena, &l->at) = (uint32_t)l->bytes.size;
}

static void put_pair(struct cc_debug_lists *l, uint64_t from, uint64_t to) {
  og_buffer_u8(&l->bytes, OFFSET_PAIR);
  og_buffer_uleb(&l->bytes, from);
  og_buffer_uleb(&l->bytes, to);
}

void cc_debug_put_stretches(struct cc_debug_unit *u, const struct cc_debug_stretch *list, uint32_t count) {
  begin_list(u, &u->ranges);
  for (uint32_t k = 0; k < count; k++)
    put_pair(&u->ranges, list[k].from, list[k].to);
  og_buffer_u8(&u->ranges.bytes, END);
}

void cc_debug_put_places(struct cc_debug_unit *u, uint64_t base, const struct cc_debug_range *list, uint32_t count) {
  begin_list(u, &u->places);
  for (uint32_t k = 0; k < count; k++) {
    put_pair(&u->places, base + list[k].from, base + list[k].to);
    og_buffer_uleb(&u->places.bytes, list[k].size);
    og_buffer_append(&u->places.bytes, list[k].expression, list[k].size);
  }
  og_buffer_u8(&u->places.bytes, END);
}

static void put_lists(struct cc_debug_unit *u, const char *name, struct cc_debug_lists *l) {
  struct og_dwarf_writer w = og_dwarf_begin(u->o->elf, name, false);
  size_t length = og_dwarf_begin_length(&w);
  og_buffer_u16(&w.bytes, 5);
  og_buffer_u8(&w.bytes, 8);
  og_buffer_u8(&w.bytes, 0);
  og_buffer_u32(&w.bytes, l->at.count);
  for (uint32_t k = 0; k < l->at.count; k++)
    og_buffer_u32(&w.bytes, 4 * l->at.count + l->at.items[k]);
  og_buffer_append(&w.bytes, l->bytes.data, l->bytes.size);
  og_dwarf_end_length(&w, length);
  og_dwarf_finish(&w);
  og_buffer_free(&l->bytes);
}

void cc_debug_end_lists(struct cc_debug_unit *u) {
  put_lists(u, ".debug_rnglists", &u->ranges);
  put_lists(u, ".debug_loclists", &u->places);
}
