/* disassemble.c - a whole object to a source: labels, symbols, instructions, kernel descriptors, metadata, data. */
#include "asm/disassemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/comment.h"
#include "asm/proven.h"
#include "isa/isa.h"
#include "object/dwarf.h"

enum { RUN_OF_ZEROS = 16, COLUMN = 56 };

struct context {
  const struct og_object *object;
  const struct og_dis_options *options;
  const struct og_isa *isa;
  struct og_target target;
  struct og_line_assembler *check;
  struct og_proven *proven;
  struct og_buffer *out;
  struct og_arena *arena;
  int version;
  /* Of the section in hand. */
  const struct og_section *section;
  uint32_t section_index;
  const struct og_symbol **symbols; /* of the section, by offset */
  size_t symbol_count;
  const struct og_relocation **relocations; /* by offset */
  size_t relocation_count;
  char label[16];   /* what the labels of branch targets begin with */
  size_t start;     /* of the section's text */
  bool collecting;  /* targets are still being found */
  uint8_t *targets; /* one bit for each word that a branch goes to, or NULL */
  uint32_t *places; /* by word: where its label belongs in the section's text, from 1; 0 where nothing begins with it */
  struct og_dwarf *dwarf; /* or NULL */
  const char *file; /* of the line named last */
  unsigned line;
};

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static uint64_t offset_of(const struct context *c, const struct og_symbol *s) {
  return s->value - (c->object->type == ET_REL ? 0 : c->section->address);
}

static int by_offset(const void *a, const void *b, void *context) {
  uint64_t x = offset_of(context, *(const struct og_symbol *const *)a),
           y = offset_of(context, *(const struct og_symbol *const *)b);
  return x < y ? -1 : x > y;
}

static int by_place(const void *a, const void *b) {
  uint64_t x = (*(const struct og_relocation *const *)a)->offset, y = (*(const struct og_relocation *const *)b)->offset;
  return x < y ? -1 : x > y;
}

static void put_name(struct og_buffer *out, const char *name) {
  bool plain = name[0] && !(name[0] >= '0' && name[0] <= '9');
  for (const char *p = name; *p; p++)
    plain &= (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || strchr("_.$", *p);
  if (plain)
    og_buffer_text(out, name);
  else
    og_buffer_json(out, name, strlen(name));
}

static bool is_named(const struct og_symbol *s) {
  return s->name && s->name[0] && s->type != STT_SECTION && s->type != STT_FILE;
}

static void put_attributes(struct og_buffer *out, const struct og_symbol *s) {
  static const char *const visibilities[] = {NULL, ".internal", ".hidden", ".protected"};
  const char *binding = s->binding == STB_GLOBAL ? ".globl" : s->binding == STB_WEAK ? ".weak" : NULL;
  if (binding) {
    og_buffer_printf(out, "\t%s\t", binding);
    put_name(out, s->name);
    og_buffer_text(out, "\n");
  }
  if (visibilities[s->visibility & 3]) {
    og_buffer_printf(out, "\t%s\t", visibilities[s->visibility & 3]);
    put_name(out, s->name);
    og_buffer_text(out, "\n");
  }
}

static void put_symbol(struct context *c, const struct og_symbol *s) {
  struct og_buffer *out = c->out;
  put_attributes(out, s);
  const char *type = s->type == STT_FUNC        ? "@function"
                     : s->type == STT_OBJECT    ? "@object"
                     : s->type == STT_TLS       ? "@tls_object"
                     : s->type == STT_GNU_IFUNC ? "@gnu_indirect_function"
                                                : NULL;
  if (s->type == OG_STT_AMDGPU_HSA_KERNEL) {
    og_buffer_text(out, "\t.amdgpu_hsa_kernel ");
    put_name(out, s->name);
    og_buffer_text(out, "\n");
  } else if (type) {
    og_buffer_text(out, "\t.type\t");
    put_name(out, s->name);
    og_buffer_printf(out, ",%s\n", type);
  }
  if (s->size) {
    og_buffer_text(out, "\t.size\t");
    put_name(out, s->name);
    og_buffer_printf(out, ", %llu\n", (unsigned long long)s->size);
  }
  put_name(out, s->name);
  og_buffer_text(out, ":\n");
}

static bool is_descriptor(const struct context *c, const struct og_symbol *s) {
  size_t size = strlen(s->name);
  uint64_t offset = offset_of(c, s);
  return c->version >= 3 && size > 3 && !strcmp(s->name + size - 3, ".kd") && c->section->size >= OG_DESCRIPTOR_SIZE &&
         offset <= c->section->size - OG_DESCRIPTOR_SIZE;
}

/* Offset of the next symbol behind `at`, or the section's end. */
static uint64_t next_symbol(const struct context *c, uint64_t at) {
  for (size_t i = 0; i < c->symbol_count; i++)
    if (offset_of(c, c->symbols[i]) > at)
      return OG_MIN(offset_of(c, c->symbols[i]), c->section->size);
  return c->section->size;
}

/* ---- relocations ------------------------------------------------------------------------------------------------- */

static const struct og_relocation *relocation_within(const struct context *c, uint64_t from, uint64_t to) {
  size_t low = 0, high = c->relocation_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c->relocations[middle]->offset < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low < c->relocation_count && c->relocations[low]->offset < to ? c->relocations[low] : NULL;
}

static const char *specifier_of(uint32_t type) {
  switch (type) {
  case OG_R_AMDGPU_ABS32_LO: return "@abs32@lo";
  case OG_R_AMDGPU_ABS32_HI: return "@abs32@hi";
  case OG_R_AMDGPU_REL32_LO: return "@rel32@lo";
  case OG_R_AMDGPU_REL32_HI: return "@rel32@hi";
  case OG_R_AMDGPU_REL64: return "@rel64";
  case OG_R_AMDGPU_GOTPCREL: return "@gotpcrel";
  case OG_R_AMDGPU_GOTPCREL32_LO: return "@gotpcrel32@lo";
  case OG_R_AMDGPU_GOTPCREL32_HI: return "@gotpcrel32@hi";
  default: return "";
  }
}

static void put_relocated(struct context *c, const struct og_relocation *r, struct og_buffer *out) {
  const struct og_symbol *s = &c->object->symbols.items[r->symbol];
  if (s->type == STT_SECTION)
    put_name(out, c->object->sections.items[s->section].name);
  else
    put_name(out, s->name);
  og_buffer_text(out, specifier_of(r->type));
  if (r->addend)
    og_buffer_printf(out, "%+lld", (long long)r->addend);
}

/* At least `least` digits. */
static void put_hex(struct og_buffer *out, const char *lead, uint64_t value, unsigned least) {
  char text[64], *at = stpcpy(text, lead);
  unsigned digits = OG_MAX(least, value ? (67 - (unsigned)__builtin_clzll(value)) / 4 : 1u);
  while (digits--)
    *at++ = "0123456789abcdef"[value >> 4 * digits & 15];
  og_buffer_append(out, text, (size_t)(at - text));
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static void put_data(struct context *c, uint64_t from, uint64_t to) {
  const uint8_t *data = c->section->data;
  for (uint64_t at = from; at < to;) {
    const struct og_relocation *r = relocation_within(c, at, at + 1);
    if (r && r->symbol && r->symbol < c->object->symbols.count) {
      bool wide = r->type == OG_R_AMDGPU_ABS64 || r->type == OG_R_AMDGPU_REL64 || r->type == OG_R_AMDGPU_RELATIVE64;
      og_buffer_text(c->out, wide ? "\t.quad\t" : "\t.long\t");
      put_relocated(c, r, c->out);
      og_buffer_text(c->out, r->type == OG_R_AMDGPU_REL32 ? "-.\n" : "\n");
      at += wide ? 8 : 4;
      continue;
    }
    uint64_t zeros = at;
    while (zeros < to && !data[zeros] && !relocation_within(c, zeros, zeros + 1))
      zeros++;
    if (zeros - at >= RUN_OF_ZEROS || (zeros == to && zeros - at > 4)) {
      og_buffer_printf(c->out, "\t.zero\t%llu\n", (unsigned long long)(zeros - at));
      at = zeros;
    } else if (to - at >= 4 && !relocation_within(c, at, at + 4)) {
      put_hex(c->out, "\t.long\t0x", og_load32(data + at), 8);
      og_buffer_u8(c->out, '\n');
      at += 4;
    } else {
      og_buffer_printf(c->out, "\t.byte\t0x%02x\n", data[at]);
      at++;
    }
  }
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void put_character(struct og_buffer *out, char c) {
  *(char *)og_buffer_room(out, 1) = c;
  out->size++;
}

static bool branch_target(const struct context *c, const struct og_inst *inst, uint64_t at, uint64_t *target) {
  if (inst->encoding != OG_ENC_SOPP && inst->encoding != OG_ENC_SOPK)
    return false;
  const struct og_form *form = og_form(c->isa, inst->form);
  const struct og_shape *shape = og_shape(c->isa, form);
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (shape->slots[i].takes == OG_TAKES_BRANCH) {
      *target = at + 4 + (uint64_t)((int64_t)og_operand(inst, shape->slots[i].role)->value * 4);
      return *target <= c->section->size && *target % 4 == 0;
    }
  return false;
}

static bool is_target(const struct context *c, uint64_t at) {
  return at % 4 == 0 && c->targets && c->targets[at / 32] >> (at / 4 % 8) & 1;
}

/* A label could stand here. */
static void note_place(struct context *c, uint64_t at) {
  if (c->places && at % 4 == 0)
    c->places[at / 4] = (uint32_t)(c->out->size - c->start + 1);
}

static bool name_target(void *context, uint64_t address, struct og_buffer *out) {
  struct context *c = context;
  if (address > c->section->size || address % 4 || !c->targets)
    return false;
  if (c->collecting)
    c->targets[address / 32] |= (uint8_t)(1u << (address / 4 % 8));
  else if (!is_target(c, address))
    return false;
  put_hex(out, c->label, address, 1);
  return true;
}

static void put_comment(struct context *c, size_t start, uint64_t at, size_t length) {
  uint64_t address = c->section->address + at;
  if (c->options->encoding || c->options->addresses)
    og_comment(c->out, start, COLUMN, c->options->addresses ? &address : NULL, c->section->data + at,
               c->options->encoding ? length : 0);
}

/* Whether the text, which ends in a NUL, assembles to the code, but for a literal at the end that a relocation fills. */
static bool reads_back(struct context *c, const void *text, const uint8_t *code, size_t length, bool but_literal) {
  const uint8_t *again;
  return og_line_assemble(c->check, text, &again) == length && !memcmp(again, code, length - (but_literal ? 4 : 0));
}

static bool put_with_relocation(struct context *c, const struct og_inst *inst, const struct og_relocation *r,
                                uint64_t at, size_t length) {
  static const uint32_t placeholder = 0x7fa5c3d1;
  struct og_inst copy = *inst;
  bool has_literal = false;
  for (unsigned i = 0; i < copy.operand_count; i++)
    if (copy.operands[i].kind == OG_OPERAND_LITERAL)
      copy.operands[i].value = placeholder, has_literal = true;
  if (!has_literal || r->offset != at + length - 4 || !r->symbol || r->symbol >= c->object->symbols.count)
    return false;
  struct og_buffer text = {0};
  og_print_inst(c->isa, &copy, NULL, &text);
  bool same = reads_back(c, text.data, c->section->data + at, length, true);
  const char *found = same ? strstr((const char *)text.data, "0x7fa5c3d1") : NULL;
  if (found) {
    og_buffer_printf(c->out, "\t%.*s", (int)(found - (const char *)text.data), (const char *)text.data);
    put_relocated(c, r, c->out);
    og_buffer_text(c->out, found + 10);
  }
  og_buffer_free(&text);
  return found != NULL;
}

/* The words, with the text that stands at `start` as a comment. */
static void put_words(struct context *c, size_t start, uint64_t at, size_t length) {
  char *text = og_arena_copy(c->arena, (const char *)c->out->data + start, c->out->size - start);
  c->out->size = start;
  og_buffer_text(c->out, ".long\t");
  for (size_t i = 0; i < length; i += 4)
    og_buffer_printf(c->out, "%s0x%08x", i ? ", " : "", og_load32(c->section->data + at + i));
  og_buffer_printf(c->out, " // %s", text);
}

/* "; file:line" in front of the first instruction of each. */
static void put_line(struct context *c, uint64_t at) {
  const char *file;
  unsigned line, column;
  uint64_t address = c->object->type == ET_REL ? at : c->section->address + at;
  if (!og_dwarf_find(c->dwarf, c->section_index, address, &file, &line, &column) ||
      (line == c->line && c->file && strcmp(file, c->file) == 0))
    return;
  c->file = file;
  c->line = line;
  og_buffer_printf(c->out, "; %s:%u\n", file, line);
}


/* Whether the instruction's text assembles to its code; asked once of each class. */
static bool is_faithful(struct context *c, const struct og_inst *inst, const void *text, const uint8_t *code,
                        size_t length) {
  struct og_proven_class class;
  bool has_class = og_proven_class(c->isa, inst, code, length, &class);
  if (has_class && og_proven_has(c->proven, &class))
    return true;
  bool ok = reads_back(c, text, code, length, false);
  if (ok && has_class)
    og_proven_add(c->proven, &class);
  return ok;
}

/* Only what reads back to the same bytes is printed as an instruction; the rest as words, with the text in a comment. */
static void put_instruction(struct context *c, const struct og_inst *inst, uint64_t at, size_t length) {
  size_t start = c->out->size;
  const struct og_relocation *r = c->relocation_count ? relocation_within(c, at, at + length) : NULL;
  if (r && !put_with_relocation(c, inst, r, at, length)) {
    put_data(c, at, at + length);
    return;
  }
  if (!r) {
    put_character(c->out, '\t');
    og_print_inst(c->isa, inst, NULL, c->out);
    uint64_t target;
    if (!is_faithful(c, inst, c->out->data + start + 1, c->section->data + at, length)) {
      put_words(c, start + 1, at, length);
    } else if (branch_target(c, inst, at, &target)) { /* again, with its name */
      struct og_symbolizer symbolizer = {name_target, c, at};
      c->out->size = start + 1;
      og_print_inst(c->isa, inst, &symbolizer, c->out);
    }
  }
  put_comment(c, start, at, length);
  put_character(c->out, '\n');
}

static void put_code(struct context *c, uint64_t from, uint64_t to) {
  const uint8_t *data = c->section->data;
  struct og_inst inst;
  for (uint64_t at = from; at < to;) {
    if (at != from)
      note_place(c, at);
    uint64_t zeros = at;
    while (zeros + 4 <= to && !og_load32(data + zeros) && (zeros == at || !is_target(c, zeros)))
      zeros += 4;
    if (zeros - at >= RUN_OF_ZEROS) {
      put_data(c, at, zeros);
      at = zeros;
      continue;
    }
    size_t length = at + 4 <= to ? og_decode(c->isa, data + at, to - at, &inst) : 0;
    bool hides_target = false; /* a branch goes into the middle of what decodes here */
    for (size_t i = 4; i < length; i += 4)
      hides_target |= is_target(c, at + i);
    if (length && !hides_target) {
      if (c->dwarf)
        put_line(c, at);
      put_instruction(c, &inst, at, length);
      at += length;
    } else {
      uint64_t size = OG_MIN(to - at, 4u);
      put_data(c, at, at + size);
      at += size;
    }
  }
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* As directives, if those make the same bytes but for the entry, which a relocation fills. */
static bool put_descriptor(struct context *c, const struct og_symbol *s) {
  uint8_t bytes[OG_DESCRIPTOR_SIZE], again[OG_DESCRIPTOR_SIZE];
  memcpy(bytes, c->section->data + offset_of(c, s), sizeof bytes);
  memset(bytes + 16, 0, 8);
  struct og_kd_values values;
  struct og_diagnostics *quiet = og_diagnostics_new();
  bool ok = og_kd_decode(&c->target, bytes, &values, NULL) &&
            og_kd_encode(&c->target, &values, (struct og_range){0}, again, quiet) &&
            !memcmp(bytes, again, sizeof bytes);
  og_diagnostics_free(quiet);
  char *name = og_arena_copy(c->arena, s->name, strlen(s->name) - 3);
  return ok && og_kd_print(&c->target, name, bytes, c->out);
}

static void put_section_header(struct context *c) {
  static const struct { uint64_t flag; char letter; } letters[] = {{SHF_ALLOC, 'a'}, {SHF_EXECINSTR, 'x'}, {SHF_WRITE, 'w'},
      {SHF_MERGE, 'M'}, {SHF_STRINGS, 'S'}, {SHF_TLS, 'T'}};
  const struct og_section *s = c->section;
  og_buffer_text(c->out, "\n\t.section\t");
  put_name(c->out, s->name);
  og_buffer_text(c->out, ",\"");
  for (size_t i = 0; i < OG_COUNT(letters); i++)
    if (s->flags & letters[i].flag)
      og_buffer_u8(c->out, (uint8_t)letters[i].letter);
  og_buffer_printf(c->out, "\",@%s", s->type == SHT_NOBITS ? "nobits" : s->type == SHT_NOTE ? "note" : "progbits");
  if (s->flags & SHF_MERGE)
    og_buffer_printf(c->out, ",%llu", (unsigned long long)s->entry_size);
  og_buffer_u8(c->out, '\n');
  if (s->alignment > 1 && s->alignment <= UINT32_MAX)
    og_buffer_printf(c->out, "\t.p2align\t%d\n", __builtin_ctzll(s->alignment));
}

static void put_metadata(struct context *c) {
  size_t at = 0;
  struct og_note note;
  while (og_note_next(c->section->data, c->section->size, c->section->alignment, &at, &note)) {
    if (note.type == OG_NT_AMDGPU_METADATA && !strcmp(note.name, "AMDGPU")) {
      struct og_diagnostics *quiet = og_diagnostics_new();
      const struct og_node *root =
          og_metadata_from_msgpack(c->arena, c->object->name, note.description, note.size, quiet);
      if (root) {
        og_buffer_text(c->out, "\n\t.amdgpu_metadata\n");
        og_metadata_to_yaml(root, c->version, c->out);
        og_buffer_text(c->out, "\t.end_amdgpu_metadata\n");
      }
      og_diagnostics_free(quiet);
    } else if (note.type == OG_NT_AMD_HSA_METADATA && !strcmp(note.name, "AMD")) {
      og_buffer_printf(c->out, "\n\t.amd_amdgpu_hsa_metadata\n%.*s\n\t.end_amd_amdgpu_hsa_metadata\n",
                       (int)strnlen((const char *)note.description, note.size), (const char *)note.description);
    } else if (note.type == OG_NT_AMD_HSA_CODE_OBJECT_VERSION && !strcmp(note.name, "AMD") && note.size >= 8) {
      og_buffer_printf(c->out, "\t.hsa_code_object_version %u,%u\n", og_load32(note.description),
                       og_load32(note.description + 4));
    } else if (note.type == OG_NT_AMD_HSA_ISA_VERSION && !strcmp(note.name, "AMD")) {
      og_buffer_text(c->out, "\t.hsa_code_object_isa\n");
    }
  }
}

static void put_bytes(struct context *c, uint64_t from, uint64_t to) {
  if (c->section->type == SHT_NOBITS) {
    if (to > from)
      og_buffer_printf(c->out, "\t.zero\t%llu\n", (unsigned long long)(to - from));
  } else if (c->section->flags & SHF_EXECINSTR) {
    put_code(c, from, to);
  } else {
    put_data(c, from, to);
  }
}

static void put_section(struct context *c) {
  put_section_header(c);
  uint64_t at = 0;
  for (size_t i = 0; i <= c->symbol_count;) {
    uint64_t next = i < c->symbol_count ? OG_MIN(offset_of(c, c->symbols[i]), c->section->size) : c->section->size;
    if (next > at)
      put_bytes(c, at, next);
    at = OG_MAX(at, next);
    if (i == c->symbol_count)
      break;
    note_place(c, at);
    for (; i < c->symbol_count && OG_MIN(offset_of(c, c->symbols[i]), c->section->size) <= at; i++) {
      const struct og_symbol *s = c->symbols[i];
      if (c->section->type != SHT_NOBITS && offset_of(c, s) == at && is_descriptor(c, s) &&
          next_symbol(c, at) >= at + OG_DESCRIPTOR_SIZE && put_descriptor(c, s)) {
        at += OG_DESCRIPTOR_SIZE;
      } else {
        put_symbol(c, s);
        if (s->type == OG_STT_AMDGPU_HSA_KERNEL && c->version < 3 && c->section->type != SHT_NOBITS &&
            next_symbol(c, at) >= at + OG_KERNEL_CODE_SIZE) {
          og_buffer_text(c->out, "\t.amd_kernel_code_t\n");
          og_kernel_code_print(c->section->data + at, c->out);
          og_buffer_text(c->out, "\t.end_amd_kernel_code_t\n");
          at += OG_KERNEL_CODE_SIZE;
        }
      }
    }
  }
  note_place(c, c->section->size);
}

/* Whether each target has a place; those that have none are targets no more if `drop` says so, or all if there are any. */
static bool targets_have_places(struct context *c, bool drop, bool drop_all) {
  bool missing = false;
  for (uint64_t at = 0; at <= c->section->size; at += 4)
    if (is_target(c, at) && !c->places[at / 4]) {
      missing = true;
      if (drop)
        c->targets[at / 32] &= (uint8_t)~(1u << (at / 4 % 8));
    }
  if (missing && drop_all)
    memset(c->targets, 0, c->section->size / 32 + 1);
  return !missing;
}

/* From the last to the first, so that each byte moves once. */
static void insert_labels(struct context *c) {
  char label[40];
  size_t more = 0, end = c->out->size;
  for (uint64_t at = 0; at <= c->section->size; at += 4)
    if (is_target(c, at))
      more += (size_t)snprintf(label, sizeof label, "%s%llx:\n", c->label, (unsigned long long)at);
  og_buffer_room(c->out, more);
  c->out->size += more;
  for (uint64_t at = c->section->size & ~UINT64_C(3); more; at -= 4) {
    if (!is_target(c, at))
      continue;
    size_t place = c->start + c->places[at / 4] - 1,
           size = (size_t)snprintf(label, sizeof label, "%s%llx:\n", c->label, (unsigned long long)at);
    memmove(c->out->data + place + more, c->out->data + place, end - place);
    more -= size;
    memcpy(c->out->data + place + more, label, size);
    end = place;
  }
}

/* Where branches go is known once all is printed. A target inside of what was printed as one thing has no place for its
 * label: then all is printed again with the targets known, and what hides one as words; labels that have no place even
 * then are given up. */
static void put_labelled_section(struct context *c) {
  enum { RUNS = 4 };
  size_t words = c->section->size / 4 + 1;
  const char *file = c->file;
  unsigned line = c->line;
  c->start = c->out->size;
  c->targets = OG_NEW_ARRAY(c->arena, uint8_t, words / 8 + 1);
  for (unsigned run = 0; run < RUNS; run++) {
    c->places = OG_NEW_ARRAY(c->arena, uint32_t, words);
    c->collecting = run == 0;
    c->out->size = c->start;
    c->file = file, c->line = line;
    put_section(c);
    if (targets_have_places(c, run > 0, run == RUNS - 2))
      break;
  }
  insert_labels(c);
  c->targets = NULL;
  c->places = NULL;
}

static void collect(struct context *c) {
  const struct og_object *o = c->object;
  bool dynamic = o->symbols.count <= 1;
  const struct og_symbol *items = dynamic ? o->dynamic_symbols.items : o->symbols.items;
  uint32_t count = dynamic ? o->dynamic_symbols.count : o->symbols.count;
  c->symbols = OG_NEW_ARRAY(c->arena, const struct og_symbol *, count + 1);
  c->symbol_count = 0;
  for (uint32_t i = 1; i < count; i++)
    if (items[i].section == c->section_index && is_named(&items[i]) && offset_of(c, &items[i]) <= c->section->size)
      c->symbols[c->symbol_count++] = &items[i];
  qsort_r(c->symbols, c->symbol_count, sizeof *c->symbols, by_offset, c);
  c->relocations = OG_NEW_ARRAY(c->arena, const struct og_relocation *, o->relocations.count + 1);
  c->relocation_count = 0;
  for (uint32_t i = 0; i < o->relocations.count; i++)
    if (o->relocations.items[i].section == c->section_index)
      c->relocations[c->relocation_count++] = &o->relocations.items[i];
  qsort(c->relocations, c->relocation_count, sizeof *c->relocations, by_place);
  snprintf(c->label, sizeof c->label, ".L%u_", c->section_index);
}

static bool is_content(const struct og_section *s) {
  return (s->type == SHT_PROGBITS || s->type == SHT_NOBITS) && (s->flags & SHF_ALLOC) &&
         (s->type == SHT_NOBITS || s->data) && strcmp(s->name, ".relro_padding") != 0;
}

static void put_header(struct context *c) {
  struct og_buffer id = {0};
  og_target_print_id(&c->target, c->version, &id);
  og_buffer_printf(c->out, "\t.amdgcn_target \"%.*s\"\n", (int)id.size, (const char *)id.data);
  if (c->target.os == OG_OS_AMDHSA && c->version >= 4)
    og_buffer_printf(c->out, "\t.amdhsa_code_object_version %d\n", c->version);
  og_buffer_free(&id);
}

bool og_disassemble_object(const struct og_object *object, const struct og_dis_options *options, struct og_buffer *out,
                           struct og_diagnostics *diagnostics) {
  struct context c = {.object = object, .options = options, .out = out, .version = object->abi_version + 2};
  if (!og_target_from_e_flags(&c.target, object->os_abi, object->abi_version, object->flags) ||
      !(c.isa = og_isa_for(&c.target)))
    return og_error_in(diagnostics, object->name, "no instruction tables for the processor in e_flags 0x%x",
                       object->flags);
  if (object->os_abi != OG_OSABI_HSA)
    c.version = 6;
  c.arena = og_arena_new();
  c.check = og_line_assembler_new(&c.target);
  c.proven = og_proven_new(c.arena);
  c.dwarf = options->lines ? og_dwarf_open_object(object) : NULL;
  put_header(&c);
  for (uint32_t i = 1; i < object->sections.count; i++) {
    c.section = &object->sections.items[i];
    c.section_index = i;
    if (is_content(c.section)) {
      collect(&c);
      if (c.section->flags & SHF_EXECINSTR && c.section->type != SHT_NOBITS)
        put_labelled_section(&c);
      else
        put_section(&c);
    } else if (c.section->type == SHT_NOTE && c.section->data) {
      put_metadata(&c);
    }
  }
  for (uint32_t i = 1; i < object->symbols.count; i++)
    if (object->symbols.items[i].section == OG_SECTION_UNDEFINED && is_named(&object->symbols.items[i]))
      put_attributes(out, &object->symbols.items[i]);
  og_line_assembler_free(c.check);
  og_dwarf_close(c.dwarf);
  og_arena_free(c.arena);
  return true;
}
