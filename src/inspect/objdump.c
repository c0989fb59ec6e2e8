/* objdump.c - prints the code of an object as llvm-objdump -d does, with the words of each instruction. */
#include "inspect/objdump.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/comment.h"
#include "inspect/disassemble_parts.h"
#include "inspect/labels.h"
#include "isa/msb.h"
#include "object/debug/dwarf.h"

enum { COLUMN = 60 /* of comments */, VGPRS = 1024, SET_VGPR_MSB = 0xbf86 /* s_set_vgpr_msb, without its immediate */ };

struct context {
  const struct og_object *object;
  const struct og_objdump_options *options;
  struct og_reader reader;
  struct og_target target;
  struct og_buffer *out;
  struct og_arena *arena;
  struct og_printer *printer;
  struct og_relocations all_relocations;
  struct og_labels labels;
  /* The current section. */
  const struct og_section *section;
  uint32_t section_index;
  uint64_t base; /* address of its first byte */
  uint64_t shift; /* --adjust-vma: is added to addresses when they are shown */
  bool *found; /* which of options->symbols were found */
  uint8_t msb; /* what s_set_vgpr_msb has set, until code ends or there is a label */
  struct og_symbolizer symbolizer;
  uint64_t destination; /* where the current instruction branches to, as shown; it branches; a label names it: */
  bool branches, named;
  struct og_relocations relocations; /* the section's, if they are shown */
  /* Source lines. */
  struct og_dwarf *dwarf;
  const struct og_symbol **functions; /* ordered by address and size */
  size_t function_count;
  const char *file, *function;
  unsigned line;
  struct og_map paths;   /* from a file name as written to the whole path */
  struct og_map sources; /* from a file name to struct og_text *, empty if the file cannot be read */
};

/* ---- labels ------------------------------------------------------------------------------------------------------ */

/* The section that an address is in: the last that starts at or below it. */
static uint32_t section_at(const struct context *c, uint64_t address) {
  if (c->object->type == ET_REL || address - c->base < c->section->size)
    return c->section_index;
  uint32_t found = 0;
  for (uint32_t i = 1; i < c->object->sections.count; i++) {
    const struct og_section *s = &c->object->sections.items[i];
    if (s->flags & SHF_ALLOC && s->address <= address &&
        (!found || s->address >= c->object->sections.items[found].address))
      found = i;
  }
  return found ? found : c->section_index;
}

static void put_target(struct context *c) {
  uint64_t address = c->destination - c->shift;
  uint32_t section = section_at(c, address);
  size_t until = og_labels_until(&c->labels, section, address);
  const struct og_label *l =
      until && c->labels.items[until - 1].section == section ? &c->labels.items[until - 1] : NULL;
  if (!l && (section != c->section_index || address < c->base))
    return;
  og_buffer_text(c->out, " <");
  og_objdump_name(c->options, l ? l->name : c->section->name, c->out);
  if (address != (l ? l->address : c->base)) {
    og_buffer_text(c->out, "+0x");
    og_dis_hex(c->out, "", address - (l ? l->address : c->base));
  }
  og_buffer_text(c->out, ">");
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Prints what is no instruction. */
static void put_data(struct context *c, const uint8_t *code, size_t size) {
  if (size == 4) {
    og_buffer_printf(c->out, ".long 0x%08x", og_load32(code));
    return;
  }
  og_buffer_text(c->out, ".byte");
  for (size_t i = 0; i < size; i++)
    og_buffer_printf(c->out, "%s0x%02x", i ? ", " : " ", code[i]);
}

/* The path after --prefix and --prefix-strip. */
static const char *moved_path(struct context *c, const char *path) {
  if (!c->options->prefix || *path != '/')
    return path;
  for (unsigned level = 0; level < c->options->strip && *path; level++) {
    const char *next = strchr(path + 1, '/');
    if (!next)
      break;
    path = next;
  }
  size_t size = strlen(c->options->prefix);
  while (size && c->options->prefix[size - 1] == '/')
    size--;
  return og_arena_printf(c->arena, "%.*s%s", (int)size, c->options->prefix, path);
}

static const struct og_text *source_of(struct context *c, const char *file) {
  void **found = og_map_at(c->arena, &c->sources, og_text(file));
  if (*found)
    return *found;
  struct og_text *text = *found = OG_NEW(c->arena, struct og_text);
  struct og_diagnostics *quiet = og_diagnostics_new();
  struct og_buffer bytes = {0};
  if (og_read_file(file, &bytes, quiet))
    *text = (struct og_text){og_arena_copy(c->arena, (const char *)bytes.data, bytes.size), bytes.size};
  og_buffer_free(&bytes);
  og_diagnostics_free(quiet);
  return text;
}

static void put_source_line(struct context *c) {
  const struct og_text *text = source_of(c, moved_path(c, c->file));
  const char *at = text->data, *end = at + text->size, *newline;
  for (unsigned line = 1; line < c->line && at < end; line++)
    at = (newline = memchr(at, '\n', (size_t)(end - at))) ? newline + 1 : end;
  if (at == end)
    return;
  newline = memchr(at, '\n', (size_t)(end - at));
  og_buffer_printf(c->out, "; %.*s\n", (int)((newline ? newline : end) - at), at);
}

/* The path with the directory of the compilation in front. */
static const char *whole_path(struct context *c, const char *file, uint64_t address) {
  if (file[0] == '/')
    return file;
  void **path = og_map_at(c->arena, &c->paths, og_text(file));
  const char *directory = *path ? NULL : og_dwarf_directory(c->dwarf, c->section_index, address);
  if (!*path)
    *path =
        directory ? og_arena_printf(c->arena, "%s/%s", directory, file) : og_arena_copy(c->arena, file, strlen(file));
  return *path;
}

/* -S and -l name functions by address alone, as LLVM does: in a relocatable file the functions of all sections begin at
 * 0. */
static int compare_functions(const void *a, const void *b) {
  const struct og_symbol *x = *(const struct og_symbol *const *)a, *y = *(const struct og_symbol *const *)b;
  return x->value != y->value ? (x->value < y->value ? -1 : 1)
         : x->size != y->size ? (x->size < y->size ? -1 : 1)
         : x < y              ? -1
                              : x > y;
}

static void collect_functions(struct context *c) {
  const struct og_object *o = c->object;
  bool dynamic = o->symbols.count <= 1;
  const struct og_symbol *items = dynamic ? o->dynamic_symbols.items : o->symbols.items;
  uint32_t count = dynamic ? o->dynamic_symbols.count : o->symbols.count;
  c->functions = OG_NEW_ARRAY(c->arena, const struct og_symbol *, count + 1);
  for (uint32_t i = 1; i < count; i++) {
    const struct og_symbol *s = &items[i];
    bool placed = s->section && s->section < o->sections.count && o->sections.items[s->section].flags & SHF_ALLOC;
    if (placed && (s->type == STT_NOTYPE || s->type == STT_FUNC || s->type == STT_OBJECT || s->type == STT_GNU_IFUNC))
      c->functions[c->function_count++] = s;
  }
  qsort(c->functions, c->function_count, sizeof *c->functions, compare_functions);
}

/* The largest symbol at the nearest address at or before this one; NULL if it ends before the address. */
static const char *function_at(const struct context *c, uint64_t address) {
  size_t low = 0, high = c->function_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c->functions[middle]->value <= address)
      low = middle + 1;
    else
      high = middle;
  }
  const struct og_symbol *s = low ? c->functions[low - 1] : NULL;
  return s && (!s->size || address - s->value < s->size) ? s->name : NULL;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* Prints where the code at an address comes from, if line or function has changed. */
static void put_position(struct context *c, uint64_t offset) {
  uint64_t address = c->base + c->shift + offset; /* LLVM looks up the address as it is shown */
  const char *file = NULL, *function = function_at(c, address);
  unsigned line = 0, column;
  if (c->dwarf && og_dwarf_find(c->dwarf, c->section_index, address, &file, &line, &column))
    file = whole_path(c, file, address);
  else
    file = NULL, line = 0;
  if (!function && c->dwarf)
    function = og_dwarf_function(c->dwarf, c->section_index, address);
  bool moved = !same_text(c->file, file) || c->line != line, entered = function && !same_text(c->function, function);
  c->file = file, c->line = line, c->function = function;
  if (entered && c->options->lines) {
    og_buffer_text(c->out, "; ");
    og_objdump_name(c->options, function, c->out);
    og_buffer_text(c->out, "():\n");
  }
  if (!file || !line)
    return;
  if ((moved || entered) && c->options->lines)
    og_buffer_printf(c->out, "; %s:%u\n", moved_path(c, file), line);
  if (moved && c->options->source)
    put_source_line(c);
}

/* Names a branch's target. `address` is as shown, so nothing is found if --adjust-vma has moved it. */
static bool name_target(void *context, uint64_t address, struct og_buffer *out) {
  struct context *c = context;
  const struct og_label *label = og_labels_target(&c->labels, c->section_index, address);
  c->destination = address, c->branches = true, c->named = label != NULL;
  if (label)
    og_dis_name(out, label->name);
  return c->named;
}

/* LLVM names the targets of SOPP's branches and of the sub-vector loops; not those of s_call_b64 and
 * s_cbranch_i_fork, which hold an address in two registers. */
static bool is_marked(const struct og_inst *inst, const struct og_operand *branch) {
  return branch == inst->operands || inst->operands[0].dwords == 1;
}

/* Prints the text, and behind each register beyond v255, which s_set_vgpr_msb selects, its whole number. */
static void print_beyond(struct context *c, const struct og_isa *isa, const struct og_inst *inst) {
  struct og_buffer text = {0};
  struct og_printed parts[OG_PRINTED_MOST];
  size_t count = og_print_parts(isa, inst, &c->symbolizer, &text, parts), done = 0;
  const struct og_slot *slots = og_slots(og_shape(isa, og_form(isa, inst->form)));
  const char *from = (const char *)text.data;
  for (size_t i = 0; i < count; i++) {
    const struct og_operand *o =
        parts[i].kind == OG_PRINTED_OPERAND ? og_operand(inst, slots[parts[i].index].role) : NULL;
    unsigned high = o && o->kind == OG_OPERAND_VGPR ? 256 * og_msb_set(c->msb, og_msb_of(inst, o)) : 0;
    if (!high || o->reg + high + o->dwords > VGPRS)
      continue;
    size_t at = parts[i].offset;
    while (from[at] != 'v')
      at++;
    at += strspn(from + at, "v[0123456789:]");
    size_t half = from[at] == '.' ? 2 : 0;
    og_buffer_append(c->out, from + done, at + half - done);
    done = at + half;
    if (o->dwords > 1)
      og_buffer_printf(c->out, " /*v[%u:%u]*/", o->reg + high, o->reg + high + o->dwords - 1);
    else
      og_buffer_printf(c->out, " /*v%u%.*s*/", o->reg + high, (int)half, from + at);
  }
  og_buffer_append(c->out, from + done, text.size - done);
  og_buffer_free(&text);
}

/* Prints an instruction, or 4 bytes that are none. Returns the size. */
static size_t put_decoded(struct context *c, const uint8_t *code, size_t rest, size_t start, uint64_t address) {
  struct og_buffer *out = c->out;
  struct og_inst inst;
  const struct og_isa *isa;
  size_t size = og_read_inst(&c->reader, code, rest, &inst, &isa);
  if (!size) {
    size = OG_MIN(rest, 4u);
    c->msb = 0;
    put_data(c, code, size);
    og_comment(out, start, COLUMN, &address, code, size);
    return size;
  }
  c->symbolizer.pc = address;
  c->branches = false;
  if (c->msb)
    print_beyond(c, isa, &inst);
  else
    og_print_inst(isa, &inst, &c->symbolizer, out);
  if (og_form(isa, inst.form)->row_flags & OG_FLAG_TERMINATOR)
    c->msb = 0;
  const struct og_operand *branch = og_branch_operand(isa, &inst);
  og_comment(out, start, COLUMN, &address, code, size);
  og_put_warnings(isa, &inst, out);
  if (branch && c->branches && !c->named && is_marked(&inst, branch))
    put_target(c);
  return size;
}

static size_t put_instruction(struct context *c, uint64_t offset) {
  struct og_buffer *out = c->out;
  const uint8_t *code = c->section->data + offset;
  size_t rest = c->section->size - offset, start = out->size;
  og_buffer_u8(out, '\t');
  size_t size = put_decoded(c, code, rest, start, c->base + c->shift + offset);
  og_buffer_u8(out, '\n');
  if (c->reader.own.gfx1250 && size == 4 && og_load32(code) >> 16 == SET_VGPR_MSB)
    c->msb = code[0];
  return size;
}

/* Prints instructions before `to` that can be decoded from their bits alone: nearly all can. Returns the place of the
 * first other thing: another instruction, eight zeros, or an instruction that s_set_vgpr_msb affects. */
static uint64_t put_directly(struct context *c, uint64_t at, uint64_t to) {
  struct og_buffer *out = c->out;
  const uint8_t *data = c->section->data;
  uint64_t shown = c->base + c->shift, end = c->section->size, last = end < 8 || c->msb ? 0 : OG_MIN(to, end - 7);
  bool may_set = c->reader.own.gfx1250;
  for (size_t size; at < last; at += size) {
    const uint8_t *code = data + at;
    size_t start = out->size;
    uint64_t address = shown + at;
    if (!og_load64(code) || (may_set && og_load32(code) >> 16 == SET_VGPR_MSB))
      break;
    c->symbolizer.pc = address;
    c->branches = false;
    *(char *)og_buffer_room(out, 1) = '\t';
    out->size++;
    size = og_print_code(c->printer, code, end - at, out);
    if (!size) {
      out->size = start;
      break;
    }
    char *line = og_buffer_room(out, OG_COMMENT_ROOM);
    line = og_comment_at(line, out->size - start, COLUMN, &address, code, size);
    if (c->branches && !c->named) {
      out->size = (size_t)(line - (char *)out->data);
      put_target(c);
      line = og_buffer_room(out, 1);
    }
    *line++ = '\n';
    out->size = (size_t)(line - (char *)out->data);
    og_buffer_drain(out);
  }
  return at;
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* How many zero bytes one line stands for: whole words, if there are eight bytes or more before the next relocation. */
static uint64_t skippable_zeros(const struct context *c, size_t next, uint64_t at, uint64_t to) {
  uint64_t limit = next < c->relocations.count ? OG_MIN(to, c->relocations.items[next]->offset) : to, end = at;
  while (end < limit && !c->section->data[end])
    end++;
  return end < at + 8 || c->options->zeroes ? 0 : (end - at) & ~UINT64_C(3);
}

static void put_code(struct context *c, uint64_t from, uint64_t to) {
  const uint8_t *data = c->section->data;
  size_t next = og_relocations_from(&c->relocations, c->section_index, from);
  bool plain = !c->options->lines && !c->options->source;
  c->msb = 0;
  for (uint64_t at = from; at < to;) {
    uint64_t zeros = to - at < 8 || og_load64(data + at) ? 0 : skippable_zeros(c, next, at, to), before = at;
    if (zeros) {
      og_buffer_text(c->out, "\t\t...\n");
      at += zeros;
      continue;
    }
    if (plain) /* up to the instruction with a relocation */
      at = put_directly(c, at, next < c->relocations.count ? OG_MIN(to, c->relocations.items[next]->offset + 1) : to);
    else
      put_position(c, at);
    if (at == before)
      at += put_instruction(c, at);
    for (; next < c->relocations.count && c->relocations.items[next]->offset < at; next++) {
      const struct og_relocation *r = c->relocations.items[next];
      const char *type = og_relocation_name(r->type);
      if (c->options->no_addresses)
        og_buffer_printf(c->out, "\t\t%s\t", type ? type : "Unknown");
      else
        og_buffer_printf(c->out, "\t\t%016llx:  %s\t", (unsigned long long)(c->base + c->shift + r->offset),
                         type ? type : "Unknown");
      og_objdump_relocation_value(c->object, c->options, c->object->symbols.items, c->object->symbols.count, r,
                                  c->out);
      og_buffer_u8(c->out, '\n');
    }
    og_buffer_drain(c->out);
  }
}

/* Whether --disassemble-symbols names it, or was not given. */
static bool wants_symbol(struct context *c, const char *name) {
  const struct og_objdump_options *options = c->options;
  if (options->symbol_count && options->demangle)
    name = og_demangle(c->arena, name);
  for (size_t i = 0; i < options->symbol_count; i++)
    if (!strcmp(options->symbols[i], name))
      return c->found[i] = true;
  return !options->symbol_count;
}

static void report_missing(const struct context *c, struct og_diagnostics *diagnostics) {
  for (size_t i = 0; i < c->options->symbol_count; i++)
    if (!c->found[i])
      og_report(diagnostics, OG_SEVERITY_WARNING, (struct og_range){0}, "%s: failed to disassemble missing symbol %s",
                c->object->name, c->options->symbols[i]);
}

/* Prints a kernel descriptor as directives. */
static bool put_descriptor(struct context *c, const char *name, uint64_t from, uint64_t to) {
  size_t size = strlen(name);
  if (to - from < OG_DESCRIPTOR_SIZE || size < 4 || strcmp(name + size - 3, ".kd") || c->section->flags & SHF_EXECINSTR)
    return false;
  int version = c->object->os_abi == OG_OSABI_HSA ? c->object->abi_version + 2 : 6;
  return og_kd_dump(&c->target, version, og_arena_copy(c->arena, name, size - 3), c->section->data + from, c->out);
}

static bool is_data(const struct og_label *label) { return label->type == STT_OBJECT || label->type == STT_COMMON; }

/* Which of the labels at one address is shown: the last; in code the last that does not name data, if there is one. */
static size_t shown_label(const struct context *c, const struct og_label *labels, size_t count) {
  bool code = c->section->flags & SHF_EXECINSTR && !c->options->all;
  for (size_t i = count; code && i > 0; i--)
    if (!is_data(&labels[i - 1]))
      return i - 1;
  return count ? count - 1 : 0;
}

/* Prints the names at one address, each as a line: those asked for, else one. NULL: none was printed. */
static const char *put_names(struct context *c, const struct og_label *labels, size_t count, uint64_t start,
                             bool *titled) {
  const char *shown = NULL;
  size_t only = shown_label(c, labels, count), first = c->options->symbol_count ? 0 : only;
  for (size_t i = first; i < (c->options->symbol_count ? OG_MAX(count, 1u) : only + 1); i++) {
    const char *name = count ? labels[i].name : c->section->name;
    if (!wants_symbol(c, name))
      continue;
    if (!*titled)
      og_buffer_printf(c->out, "\nDisassembly of section %s:\n", c->section->name);
    if (!shown)
      og_buffer_text(c->out, "\n");
    *titled = true;
    if (!c->options->no_addresses)
      og_buffer_printf(c->out, "%0*llx ", c->object->elf32 ? 8 : 16, (unsigned long long)(start + c->shift));
    og_buffer_text(c->out, "<");
    og_objdump_name(c->options, name, c->out);
    og_buffer_text(c->out, ">:\n");
    shown = name;
  }
  return shown;
}

static bool is_kernel_code(const struct og_label *labels, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (labels[i].type == OG_STT_AMDGPU_HSA_KERNEL)
      return true;
  return false;
}

/* Prints a range that only data symbols name, as bytes and characters; addresses are the section's. */
static void put_bytes(struct context *c, uint64_t from, uint64_t to) {
  enum { WIDTH = 8 };
  for (uint64_t at = from; at < to; at += WIDTH) {
    unsigned count = (unsigned)OG_MIN(to - at, (uint64_t)WIDTH);
    og_buffer_printf(c->out, "%8llx:", (unsigned long long)(c->base + at));
    for (unsigned i = 0; i < count; i++)
      og_buffer_printf(c->out, " %02x", c->section->data[at + i]);
    og_buffer_printf(c->out, "%*s", 3 * (int)(WIDTH - count) + 9, "");
    for (unsigned i = 0; i < count; i++) {
      uint8_t byte = c->section->data[at + i];
      og_buffer_u8(c->out, byte >= 0x20 && byte < 0x7f ? byte : '.');
    }
    og_buffer_u8(c->out, '\n');
  }
}

/* Prints from one address with labels, or from the section's start, to the next address with labels. */
static void put_region(struct context *c, const struct og_label *labels, size_t count, uint64_t from, uint64_t to,
                       bool *titled) {
  uint64_t start = c->base + from, end = c->base + to;
  if (end <= c->options->start || start >= c->options->stop || from >= to)
    return;
  const char *name = put_names(c, labels, count, start, titled);
  if (!name)
    return;
  if (c->section->type == SHT_NOBITS) {
    og_buffer_text(c->out, "...\n");
    return;
  }
  if (put_descriptor(c, name, from, to))
    return;
  if (is_kernel_code(labels, count)) /* first comes an amd_kernel_code_t */
    from += OG_MIN(to - from, 256u);
  if (c->options->start > c->base + from)
    from = c->options->start - c->base;
  if (c->options->stop < end)
    to = c->options->stop - c->base;
  bool code = !count || !(c->section->flags & SHF_EXECINSTR) || c->options->all;
  if (code || !is_data(&labels[shown_label(c, labels, count)]))
    put_code(c, from, to);
  else
    put_bytes(c, from, to);
}

static void put_section(struct context *c) {
  bool titled = false;
  uint64_t end = c->base + c->section->size;
  if (c->options->symbolize)
    og_labels_name_targets(c->arena, &c->labels, &c->reader.own, c->object, c->section_index);
  size_t first = c->base ? og_labels_until(&c->labels, c->section_index, c->base - 1)
                         : og_labels_until(&c->labels, c->section_index - 1, UINT64_MAX);
  size_t last = og_labels_until(&c->labels, c->section_index, UINT64_MAX);
  const struct og_label *labels = c->labels.items;
  c->relocations = og_relocations_of(&c->all_relocations, c->section_index);
  if (first == last || labels[first].address != c->base)
    put_region(c, NULL, 0, 0, (first == last ? end : OG_MIN(labels[first].address, end)) - c->base, &titled);
  for (size_t i = first, next; i < last && labels[i].address < end; i = next) {
    for (next = i + 1; next < last && labels[next].address == labels[i].address;)
      next++;
    put_region(c, &labels[i], next - i, labels[i].address - c->base,
               (next < last ? OG_MIN(labels[next].address, end) : end) - c->base, &titled);
  }
}

bool og_objdump_wants(const struct og_objdump_options *options, const char *section) {
  for (size_t i = 0; i < options->section_count; i++)
    if (!strcmp(options->sections[i], section))
      return true;
  return !options->section_count;
}

bool og_objdump_code(const struct og_object *object, const struct og_objdump_options *options, struct og_buffer *out,
                     struct og_diagnostics *diagnostics) {
  struct context c = {.object = object, .options = options, .out = out};
  if (!og_target_from_e_flags(&c.target, object->os_abi, object->abi_version, object->flags) && !options->mcpu)
    return og_error_in(diagnostics, object->name, "no processor is known for e_flags 0x%x; --mcpu names one",
                       object->flags);
  if (options->mcpu && !og_target_parse(&c.target, NULL, options->mcpu, NULL, diagnostics))
    return false;
  if (options->mattr && !og_target_refine(&c.target, NULL, options->mattr, diagnostics))
    return false;
  if (!og_reader_for(&c.target, &c.reader))
    return og_error_in(diagnostics, object->name, "no instruction tables for %s", c.target.processor->name);
  c.arena = og_arena_new();
  c.symbolizer = (struct og_symbolizer){.name = name_target, .context = &c};
  c.printer = og_printer_new(c.arena, &c.reader.own, false, &c.symbolizer);
  if (options->relocations)
    c.all_relocations = og_relocations_by_place(c.arena, object);
  c.dwarf = options->lines || options->source ? og_dwarf_open_object(object) : NULL;
  og_labels_collect(c.arena, object, &c.labels);
  c.found = OG_NEW_ARRAY(c.arena, bool, options->symbol_count + 1);
  if (options->lines || options->source)
    collect_functions(&c);
  for (uint32_t i = 1; i < object->sections.count; i++) {
    c.section = &object->sections.items[i];
    c.section_index = i;
    c.base = og_labels_base(object, i);
    c.shift = c.section->flags & SHF_ALLOC ? options->adjust : 0;
    bool code = c.section->flags & SHF_EXECINSTR && c.section->type != SHT_NOBITS;
    if (!c.section->size || c.section->size > UINT64_MAX - c.base || !og_objdump_wants(options, c.section->name) ||
        !(options->all || options->section_count || code))
      continue;
    if (c.section->type == SHT_NOBITS || c.section->data)
      put_section(&c);
  }
  report_missing(&c, diagnostics);
  og_dwarf_close(c.dwarf);
  og_arena_free(c.arena);
  return true;
}
