/* dwarf.c - DWARF line tables (2 to 5) and units (5) for assembly sources, written by hand and read with libdw. */
#include "object/debug/dwarf.h"
#include "object/debug/writer.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* DWARF 5 numbers, sections 6.2, 7.5 and 7.27. */
enum {
  LNS_COPY = 1,
  LNS_ADVANCE_PC,
  LNS_ADVANCE_LINE,
  LNS_SET_FILE,
  LNS_SET_COLUMN,
  LNS_NEGATE_STMT,
  LNS_SET_BASIC_BLOCK,
  LNS_CONST_ADD_PC,
  LNS_SET_PROLOGUE_END = 10,
  LNS_SET_EPILOGUE_BEGIN = 11,
  LNS_SET_ISA = 12,
  LNE_END_SEQUENCE = 1,
  LNE_SET_ADDRESS = 2,
  LNE_SET_DISCRIMINATOR = 4,
  LNCT_PATH = 1,
  LNCT_DIRECTORY_INDEX = 2,
  LNCT_MD5 = 5,
  LNCT_LLVM_SOURCE = 0x2001,
  FORM_ADDR = 0x01,
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_STRING = 0x08,
  FORM_UDATA = 0x0f,
  FORM_SEC_OFFSET = 0x17,
  FORM_DATA16 = 0x1e,
  FORM_LINE_STRP = 0x1f,
  TAG_LABEL = 0x0a,
  TAG_COMPILE_UNIT = 0x11,
  AT_NAME = 0x03,
  AT_STMT_LIST = 0x10,
  AT_LOW_PC = 0x11,
  AT_LANGUAGE = 0x13,
  AT_COMP_DIR = 0x1b,
  AT_PRODUCER = 0x25,
  AT_DECL_FILE = 0x3a,
  AT_DECL_LINE = 0x3b,
  AT_RANGES = 0x55,
  LANG_MIPS_ASSEMBLER = 0x8001,
  UT_COMPILE = 1,
  RLE_END = 0,
  RLE_START_LENGTH = 7,
  LINE_BASE = -5,
  LINE_RANGE = 14,
  OPCODE_BASE = 13,
  MOST_STEPS = (255 - OPCODE_BASE) / LINE_RANGE, /* of DW_LNS_const_add_pc */
  INSTRUCTION_SIZE = 4,
};

void og_dwarf_string(struct og_buffer *out, struct og_text text) {
  og_buffer_append(out, text.data, text.size);
  og_buffer_u8(out, 0);
}

/* ---- sections under construction --------------------------------------------------------------------------------- */

/* A section of that name may be there with contents already: what is written goes after them. */
struct og_dwarf_writer og_dwarf_begin(struct og_object *object, const char *name, bool strings) {
  uint32_t found = og_object_find_section(object, name);
  uint32_t section =
      found ? found : og_object_add_section(object, name, SHT_PROGBITS, strings ? SHF_MERGE | SHF_STRINGS : 0, 1);
  struct og_dwarf_writer w = {.object = object, .section = section};
  object->sections.items[section].entry_size = strings;
  if (found && object->sections.items[found].data)
    og_buffer_append(&w.bytes, object->sections.items[found].data, object->sections.items[found].size);
  return w;
}

void og_dwarf_finish(struct og_dwarf_writer *w) {
  struct og_section *section = &w->object->sections.items[w->section];
  section->data = (const uint8_t *)og_arena_copy(w->object->arena, (const char *)w->bytes.data, w->bytes.size);
  section->size = w->bytes.size;
  og_buffer_free(&w->bytes);
}

static uint32_t section_symbol(struct og_object *object, uint32_t section) {
  for (uint32_t i = 1; i < object->symbols.count; i++)
    if (object->symbols.items[i].type == STT_SECTION && object->symbols.items[i].section == section)
      return i;
  return og_object_add_symbol(object, (struct og_symbol){.name = "", .section = section, .type = STT_SECTION});
}

void og_dwarf_reference(struct og_dwarf_writer *w, uint32_t section, uint64_t offset, bool wide) {
  struct og_relocation relocation = {.section = w->section,
                                     .offset = w->bytes.size,
                                     .type = wide ? OG_R_AMDGPU_ABS64 : OG_R_AMDGPU_ABS32,
                                     .symbol = section_symbol(w->object, section),
                                     .addend = (int64_t)offset};
  og_object_add_relocation(w->object, relocation);
  og_buffer_extend(&w->bytes, wide ? 8 : 4);
}

/* A 32-bit length that counts what is put between. */
size_t og_dwarf_begin_length(struct og_dwarf_writer *w) {
  og_buffer_u32(&w->bytes, 0);
  return w->bytes.size;
}
void og_dwarf_end_length(struct og_dwarf_writer *w, size_t from) {
  og_store32(w->bytes.data + from - 4, (uint32_t)(w->bytes.size - from));
}

/* ---- line table (DWARF 5, section 6.2) --------------------------------------------------------------------------- */

/* Equal strings stand once. */
static void put_line_string(struct og_dwarf_writer *w, struct og_dwarf_writer *strings, struct og_text text) {
  void **known = og_map_at(strings->object->arena, &strings->known, text);
  if (!*known) {
    *known = (void *)(uintptr_t)(strings->bytes.size + 1);
    og_dwarf_string(&strings->bytes, text);
  }
  og_dwarf_reference(w, strings->section, (uintptr_t)*known - 1, false);
}

static void put_paths(struct og_dwarf_writer *w, struct og_dwarf_writer *strings, const struct og_line_table *table) {
  bool md5 = table->files.count > 0, source = false;
  for (uint32_t i = 0; i < table->files.count; i++) {
    md5 = md5 && table->files.items[i].has_md5;
    source = source || table->files.items[i].has_source;
  }
  const uint8_t directory_format[] = {1, LNCT_PATH, FORM_LINE_STRP};
  og_buffer_append(&w->bytes, directory_format, sizeof directory_format);
  og_buffer_uleb(&w->bytes, table->directories.count);
  for (uint32_t i = 0; i < table->directories.count; i++)
    put_line_string(w, strings, table->directories.items[i]);
  og_buffer_u8(&w->bytes, (uint8_t)(2 + md5 + source));
  const uint8_t file_format[] = {LNCT_PATH, FORM_LINE_STRP, LNCT_DIRECTORY_INDEX, FORM_UDATA};
  og_buffer_append(&w->bytes, file_format, sizeof file_format);
  if (md5)
    og_buffer_uleb(&w->bytes, LNCT_MD5), og_buffer_uleb(&w->bytes, FORM_DATA16);
  if (source)
    og_buffer_uleb(&w->bytes, LNCT_LLVM_SOURCE), og_buffer_uleb(&w->bytes, FORM_LINE_STRP);
  og_buffer_uleb(&w->bytes, table->files.count);
  for (uint32_t i = 0; i < table->files.count; i++) {
    const struct og_line_file *file = &table->files.items[i];
    put_line_string(w, strings, file->name);
    og_buffer_uleb(&w->bytes, file->directory);
    if (md5)
      og_buffer_append(&w->bytes, file->md5, sizeof file->md5);
    if (source)
      put_line_string(w, strings, file->source);
  }
}

/* Before version 5 the strings stand in the table, and neither the directory nor the file of number 0 does. */
static void put_old_paths(struct og_dwarf_writer *w, const struct og_line_table *table) {
  for (uint32_t i = 1; i < table->directories.count; i++)
    og_dwarf_string(&w->bytes, table->directories.items[i]);
  og_buffer_u8(&w->bytes, 0);
  for (uint32_t i = 1; i < table->files.count; i++) {
    og_dwarf_string(&w->bytes, table->files.items[i].name);
    og_buffer_uleb(&w->bytes, table->files.items[i].directory);
    og_buffer_extend(&w->bytes, 2); /* neither time nor size */
  }
  og_buffer_u8(&w->bytes, 0);
}

static void put_header(struct og_dwarf_writer *w, struct og_dwarf_writer *strings, const struct og_line_table *table) {
  static const uint8_t lengths[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  og_buffer_u16(&w->bytes, (uint16_t)table->version);
  if (table->version >= 5) {
    og_buffer_u8(&w->bytes, 8); /* address size */
    og_buffer_u8(&w->bytes, 0); /* segment selector size */
  }
  size_t header = og_dwarf_begin_length(w);
  og_buffer_u8(&w->bytes, INSTRUCTION_SIZE);
  if (table->version >= 4)
    og_buffer_u8(&w->bytes, 1); /* operations per instruction */
  const uint8_t fixed[] = {1, (uint8_t)LINE_BASE, LINE_RANGE, OPCODE_BASE};
  og_buffer_append(&w->bytes, fixed, sizeof fixed);
  og_buffer_append(&w->bytes, lengths, sizeof lengths);
  if (table->version >= 5)
    put_paths(w, strings, table);
  else
    put_old_paths(w, table);
  og_dwarf_end_length(w, header);
}

static void put_extended(struct og_dwarf_writer *w, uint8_t opcode, size_t size) {
  og_buffer_u8(&w->bytes, 0);
  og_buffer_uleb(&w->bytes, size + 1);
  og_buffer_u8(&w->bytes, opcode);
}

/* Moves to a row's address and line and appends it: a special opcode where the steps are small enough, after
 * const_add_pc where they are less small. Of several ways to say it, LLVM's, so that tables are equal. */
static void put_row(struct og_dwarf_writer *w, uint64_t steps, int64_t lines) {
  bool far = lines < LINE_BASE || lines >= LINE_BASE + LINE_RANGE;
  if (far) {
    og_buffer_u8(&w->bytes, LNS_ADVANCE_LINE);
    og_buffer_sleb(&w->bytes, lines);
    lines = 0;
  }
  if (!lines && !steps) {
    og_buffer_u8(&w->bytes, LNS_COPY);
    return;
  }
  uint64_t line_part = (uint64_t)(lines - LINE_BASE) + OPCODE_BASE, most = (255 - line_part) / LINE_RANGE;
  if (steps > most && steps - MOST_STEPS <= most) {
    og_buffer_u8(&w->bytes, LNS_CONST_ADD_PC);
    steps -= MOST_STEPS;
  } else if (steps > most) {
    og_buffer_u8(&w->bytes, LNS_ADVANCE_PC);
    og_buffer_uleb(&w->bytes, steps);
    og_buffer_u8(&w->bytes, far ? (uint8_t)LNS_COPY : (uint8_t)line_part);
    return;
  }
  og_buffer_u8(&w->bytes, (uint8_t)(line_part + steps * LINE_RANGE));
}

static void end_sequence(struct og_dwarf_writer *w, uint64_t steps) {
  if (steps == MOST_STEPS) {
    og_buffer_u8(&w->bytes, LNS_CONST_ADD_PC);
  } else if (steps) {
    og_buffer_u8(&w->bytes, LNS_ADVANCE_PC);
    og_buffer_uleb(&w->bytes, steps);
  }
  put_extended(w, LNE_END_SEQUENCE, 0);
}

static void put_sequence(struct og_dwarf_writer *w, struct og_line_table *table, uint32_t section) {
  static const struct og_line_row first = {.file = 1, .line = 1};
  struct og_line_row state = first;
  bool begun = false;
  for (uint32_t i = 0; i < table->rows.count; i++) {
    struct og_line_row *row = &table->rows.items[i];
    if (row->section != section)
      continue;
    if (row->is_label) {
      if (begun)
        end_sequence(w, (row->offset - state.offset) / INSTRUCTION_SIZE);
      begun = false;
      state = first;
      row->at = w->bytes.size;
      continue;
    }
    if (row->file != state.file)
      og_buffer_u8(&w->bytes, LNS_SET_FILE), og_buffer_uleb(&w->bytes, row->file);
    if (row->column != state.column)
      og_buffer_u8(&w->bytes, LNS_SET_COLUMN), og_buffer_uleb(&w->bytes, row->column);
    if (row->discriminator) {
      struct og_buffer value = {0};
      og_buffer_uleb(&value, row->discriminator);
      put_extended(w, LNE_SET_DISCRIMINATOR, value.size);
      og_buffer_append(&w->bytes, value.data, value.size);
      og_buffer_free(&value);
    }
    if (row->isa != state.isa)
      og_buffer_u8(&w->bytes, LNS_SET_ISA), og_buffer_uleb(&w->bytes, row->isa);
    if ((row->flags ^ state.flags) & OG_LINE_NOT_STATEMENT)
      og_buffer_u8(&w->bytes, LNS_NEGATE_STMT);
    if (row->flags & OG_LINE_BASIC_BLOCK)
      og_buffer_u8(&w->bytes, LNS_SET_BASIC_BLOCK);
    if (row->flags & OG_LINE_PROLOGUE_END)
      og_buffer_u8(&w->bytes, LNS_SET_PROLOGUE_END);
    if (row->flags & OG_LINE_EPILOGUE_BEGIN)
      og_buffer_u8(&w->bytes, LNS_SET_EPILOGUE_BEGIN);
    if (!begun) {
      put_extended(w, LNE_SET_ADDRESS, 8);
      og_dwarf_reference(w, section, row->offset, true);
      state.offset = row->offset;
      begun = true;
    }
    put_row(w, (row->offset - state.offset) / INSTRUCTION_SIZE, (int64_t)row->line - state.line);
    state = *row;
  }
  if (begun)
    end_sequence(w, (w->object->sections.items[section].size - state.offset) / INSTRUCTION_SIZE);
}

void og_dwarf_write_lines(struct og_object *object, struct og_line_table *table) {
  struct og_dwarf_writer lines = og_dwarf_begin(object, ".debug_line", false), strings = {0};
  if (table->version >= 5)
    strings = og_dwarf_begin(object, ".debug_line_str", true);
  size_t length = og_dwarf_begin_length(&lines);
  put_header(&lines, &strings, table);
  bool *done = OG_NEW_ARRAY(object->arena, bool, object->sections.count);
  for (uint32_t i = 0; i < table->rows.count; i++) {
    uint32_t section = table->rows.items[i].section;
    if (!done[section])
      put_sequence(&lines, table, section);
    done[section] = true;
  }
  og_dwarf_end_length(&lines, length);
  og_dwarf_finish(&lines);
  if (table->version >= 5)
    og_dwarf_finish(&strings);
}

/* ---- unit (sections 3.1 and 7.5) --------------------------------------------------------------------------------- */

static bool has_rows(const struct og_line_table *table, uint32_t section) {
  for (uint32_t i = 0; i < table->rows.count; i++)
    if (table->rows.items[i].section == section)
      return true;
  return false;
}

static void put_abbreviations(struct og_dwarf_writer *w) {
  static const uint16_t codes[] = {1,
                                   TAG_COMPILE_UNIT,
                                   1,
                                   AT_STMT_LIST,
                                   FORM_SEC_OFFSET,
                                   AT_RANGES,
                                   FORM_SEC_OFFSET,
                                   AT_NAME,
                                   FORM_STRING,
                                   AT_COMP_DIR,
                                   FORM_STRING,
                                   AT_PRODUCER,
                                   FORM_STRING,
                                   AT_LANGUAGE,
                                   FORM_DATA2,
                                   0,
                                   0,
                                   2,
                                   TAG_LABEL,
                                   0,
                                   AT_NAME,
                                   FORM_STRING,
                                   AT_DECL_FILE,
                                   FORM_DATA4,
                                   AT_DECL_LINE,
                                   FORM_DATA4,
                                   AT_LOW_PC,
                                   FORM_ADDR,
                                   0,
                                   0,
                                   0};
  for (size_t i = 0; i < OG_COUNT(codes); i++)
    og_buffer_uleb(&w->bytes, codes[i]);
}

static void put_ranges(struct og_dwarf_writer *w, const struct og_line_table *table) {
  size_t length = og_dwarf_begin_length(w);
  og_buffer_u16(&w->bytes, 5);
  og_buffer_u8(&w->bytes, 8);
  og_buffer_u8(&w->bytes, 0);
  og_buffer_u32(&w->bytes, 0); /* no offset entries */
  for (uint32_t section = 1; section < w->object->sections.count; section++)
    if (has_rows(table, section)) {
      og_buffer_u8(&w->bytes, RLE_START_LENGTH);
      og_dwarf_reference(w, section, 0, true);
      og_buffer_uleb(&w->bytes, w->object->sections.items[section].size);
    }
  og_buffer_u8(&w->bytes, RLE_END);
  og_dwarf_end_length(w, length);
}

static void put_address_ranges(struct og_dwarf_writer *w, const struct og_line_table *table, uint32_t info) {
  size_t length = og_dwarf_begin_length(w);
  og_buffer_u16(&w->bytes, 2);
  og_dwarf_reference(w, info, 0, false);
  og_buffer_u8(&w->bytes, 8);
  og_buffer_u8(&w->bytes, 0);
  og_buffer_align(&w->bytes, 16, 0);
  for (uint32_t section = 1; section < w->object->sections.count; section++)
    if (has_rows(table, section)) {
      og_dwarf_reference(w, section, 0, true);
      og_buffer_u64(&w->bytes, w->object->sections.items[section].size);
    }
  og_buffer_extend(&w->bytes, 16);
  og_dwarf_end_length(w, length);
}

enum { RANGE_LIST_OFFSET = 12 }; /* the one list stands after the header of .debug_rnglists */

void og_dwarf_write_unit(struct og_object *object, const struct og_line_table *table) {
  uint32_t lines = og_object_find_section(object, ".debug_line");
  if (!lines || !table->files.count || !table->directories.count)
    return;
  struct og_dwarf_writer abbreviations = og_dwarf_begin(object, ".debug_abbrev", false),
                         info = og_dwarf_begin(object, ".debug_info", false);
  struct og_dwarf_writer ranges = og_dwarf_begin(object, ".debug_rnglists", false),
                         addresses = og_dwarf_begin(object, ".debug_aranges", false);
  put_abbreviations(&abbreviations);
  put_ranges(&ranges, table);
  put_address_ranges(&addresses, table, info.section);
  size_t length = og_dwarf_begin_length(&info);
  og_buffer_u16(&info.bytes, 5);
  og_buffer_u8(&info.bytes, UT_COMPILE);
  og_buffer_u8(&info.bytes, 8);
  og_dwarf_reference(&info, abbreviations.section, 0, false);
  og_buffer_uleb(&info.bytes, 1);
  og_dwarf_reference(&info, lines, 0, false);
  og_dwarf_reference(&info, ranges.section, RANGE_LIST_OFFSET, false);
  og_dwarf_string(&info.bytes, table->files.items[0].name);
  og_dwarf_string(&info.bytes, table->directories.items[0]);
  og_dwarf_string(&info.bytes, OG_TEXT("offgrid " OG_VERSION));
  og_buffer_u16(&info.bytes, LANG_MIPS_ASSEMBLER);
  for (uint32_t i = 0; i < table->labels.count; i++) {
    const struct og_line_label *label = &table->labels.items[i];
    og_buffer_uleb(&info.bytes, 2);
    og_dwarf_string(&info.bytes, label->name);
    og_buffer_u32(&info.bytes, label->file);
    og_buffer_u32(&info.bytes, label->line);
    og_dwarf_reference(&info, label->section, label->offset, true);
  }
  og_buffer_u8(&info.bytes, 0);
  og_dwarf_end_length(&info, length);
  og_dwarf_finish(&abbreviations);
  og_dwarf_finish(&info);
  og_dwarf_finish(&ranges);
  og_dwarf_finish(&addresses);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

enum {
  SECTION_SHIFT = 40, /* sections of a relocatable object are taken to stand this far apart */
  ROW_COST = 40,
  UNIT_COST = 1024,
  SPARE = 16 << 20, /* bytes; see is_cheap */
};

struct og_dwarf {
  Elf *elf;
  Dwarf *dwarf;
  uint8_t *copy; /* of a relocatable object, with the relocations of its debug sections applied; or NULL */
};

static struct og_dwarf *open_bytes(const void *bytes, size_t size) {
  elf_version(EV_CURRENT);
  /* elf_memory takes the bytes for its own to change; it does so only on elf_update, which is not called. */
  Elf *elf = elf_memory((char *)(uintptr_t)bytes, size);
  Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
  struct og_dwarf *result = dwarf ? calloc(1, sizeof *result) : NULL;
  if (result) {
    *result = (struct og_dwarf){.elf = elf, .dwarf = dwarf};
    return result;
  }
  if (dwarf)
    dwarf_end(dwarf);
  if (elf)
    elf_end(elf);
  return NULL;
}

Dwarf *og_dwarf_handle(struct og_dwarf *dwarf) { return dwarf->dwarf; }

static bool is_debug(const struct og_object *object, uint32_t section) {
  return section < object->sections.count && strncmp(object->sections.items[section].name, ".debug_", 7) == 0;
}

static void relocate(const struct og_object *object, uint8_t *copy, const struct og_relocation *r) {
  const struct og_section *s = &object->sections.items[r->section];
  const struct og_symbol *symbol = &object->symbols.items[r->symbol];
  uint64_t size = r->type == OG_R_AMDGPU_ABS64 ? 8 : 4, value = symbol->value + (uint64_t)r->addend;
  if (!s->data || r->offset > s->size || size > s->size - r->offset ||
      (r->type != OG_R_AMDGPU_ABS64 && r->type != OG_R_AMDGPU_ABS32))
    return;
  if (size == 8 && symbol->section < object->sections.count && !is_debug(object, symbol->section))
    value += (uint64_t)symbol->section << SECTION_SHIFT;
  if (size == 8)
    og_store64(copy + s->offset + r->offset, value);
  else
    og_store32(copy + s->offset + r->offset, (uint32_t)value);
}

static uint64_t count_units(const struct og_section *s) {
  uint64_t units = 0;
  for (uint64_t at = 0; s->data && s->size - at >= 12; units++) {
    uint64_t length = og_load32(s->data + at), head = length == UINT32_MAX ? 12 : 4;
    if (head == 12)
      length = og_load64(s->data + at + 4);
    if (length > s->size - at - head)
      return units + 1;
    at += head + length;
  }
  return units;
}

/* libdw unpacks compressed sections to the size they claim, and allocates some 40 bytes for each row of a line table,
 * which may be a single byte, and a kilobyte for each unit: data that would cost far more than the file is not read. */
static bool is_cheap(const struct og_object *object) {
  const uint64_t most = 16 * (uint64_t)object->size + SPARE;
  for (uint32_t i = 0; i < object->sections.count; i++) {
    const struct og_section *s = &object->sections.items[i];
    if (s->flags & SHF_COMPRESSED || strncmp(s->name, ".zdebug", 7) == 0)
      return false;
    if (strncmp(s->name, ".debug_line", 12) == 0 && ROW_COST * s->size > most)
      return false;
    if (strncmp(s->name, ".debug_info", 12) == 0 && UNIT_COST * count_units(s) > most)
      return false;
  }
  return true;
}

struct og_dwarf *og_dwarf_open_object(const struct og_object *object) {
  if (!object->bytes || !is_cheap(object))
    return NULL;
  if (object->type != ET_REL)
    return open_bytes(object->bytes, object->size);
  uint8_t *copy = malloc(object->size);
  if (!copy)
    return NULL;
  memcpy(copy, object->bytes, object->size);
  for (uint32_t i = 0; i < object->relocations.count; i++)
    if (is_debug(object, object->relocations.items[i].section))
      relocate(object, copy, &object->relocations.items[i]);
  struct og_dwarf *dwarf = open_bytes(copy, object->size);
  if (dwarf)
    dwarf->copy = copy;
  else
    free(copy);
  return dwarf;
}

void og_dwarf_close(struct og_dwarf *dwarf) {
  if (!dwarf)
    return;
  dwarf_end(dwarf->dwarf);
  elf_end(dwarf->elf);
  free(dwarf->copy);
  free(dwarf);
}

static bool find_in_unit(Dwarf_Die *unit, uint64_t address, const char **file, unsigned *line, unsigned *column) {
  Dwarf_Line *found = dwarf_getsrc_die(unit, address);
  int number = 0, at = 0;
  if (!found || dwarf_lineno(found, &number) != 0)
    return false;
  dwarf_linecol(found, &at);
  *file = dwarf_linesrc(found, NULL, NULL);
  *line = (unsigned)number;
  *column = (unsigned)at;
  return *file != NULL;
}

static bool find_unit(struct og_dwarf *dwarf, uint32_t section, uint64_t address, Dwarf_Die *die, const char **file,
                      unsigned *line, unsigned *column) {
  Dwarf_CU *unit = NULL;
  address += dwarf->copy ? (uint64_t)section << SECTION_SHIFT : 0;
  while (dwarf_get_units(dwarf->dwarf, unit, &unit, NULL, NULL, die, NULL) == 0)
    if (find_in_unit(die, address, file, line, column))
      return true;
  return false;
}

bool og_dwarf_find(struct og_dwarf *dwarf, uint32_t section, uint64_t address, const char **file, unsigned *line,
                   unsigned *column) {
  Dwarf_Die die;
  return find_unit(dwarf, section, address, &die, file, line, column);
}

const char *og_dwarf_function(struct og_dwarf *dwarf, uint32_t section, uint64_t address) {
  Dwarf_Die unit, *scopes = NULL;
  const char *file, *name = NULL;
  unsigned line, column;
  if (!find_unit(dwarf, section, address, &unit, &file, &line, &column))
    return NULL;
  int count = dwarf_getscopes(&unit, address + (dwarf->copy ? (uint64_t)section << SECTION_SHIFT : 0), &scopes);
  for (int i = 0; i < count && !name; i++) {
    int tag = dwarf_tag(&scopes[i]);
    Dwarf_Attribute attribute;
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
      continue;
    if (dwarf_attr_integrate(&scopes[i], DW_AT_linkage_name, &attribute) ||
        dwarf_attr_integrate(&scopes[i], DW_AT_name, &attribute))
      name = dwarf_formstring(&attribute);
    break;
  }
  free(scopes);
  return name;
}

const char *og_dwarf_directory(struct og_dwarf *dwarf, uint32_t section, uint64_t address) {
  Dwarf_Die die;
  Dwarf_Attribute attribute;
  const char *file;
  unsigned line, column;
  if (!find_unit(dwarf, section, address, &die, &file, &line, &column) || !dwarf_attr(&die, DW_AT_comp_dir, &attribute))
    return NULL;
  return dwarf_formstring(&attribute);
}
