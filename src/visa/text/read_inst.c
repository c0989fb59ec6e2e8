/* read_inst.c - reads one instruction of the text: predicate, mnemonic and suffixes by the text form of its row,
 * operands. */
#include "visa/text/reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- mnemonic suffixes ---- */

bool og_visa_read_suffix(struct og_visa_reader *r, const char *const *names, int *index) {
  skip(r);
  if (peek(r) != '.')
    return false;
  const char *p = r->p + 1;
  while (p < r->end && (is_word(*p) || (*p == '-' && names == og_visa_output_names)))
    p++;
  *index = og_visa_find_name(names, (struct og_text){r->p + 1, (size_t)(p - r->p - 1)});
  if (*index < 0)
    return false;
  r->p = p;
  return true;
}

static bool keyword_suffix(struct og_visa_reader *r, const char *name) {
  const char *const names[] = {name, NULL};
  int index;
  return og_visa_read_suffix(r, names, &index);
}

bool og_visa_read_channels(struct og_visa_reader *r, uint64_t *mask) {
  const char *from = r->p;
  if (!take(r, '.'))
    return og_visa_fail(r, from, "expected a channel mask: .R .G .B .A in this order");
  struct og_text word = og_visa_word(r);
  static const char letters[] = "rgba";
  size_t at = 0;
  *mask = 0;
  for (unsigned bit = 0; bit < 4 && at < word.size; bit++)
    if ((word.data[at] | 32) == letters[bit])
      *mask |= 1u << bit, at++;
  return (at == word.size && at) ||
         og_visa_fail(r, from, "'%.*s' is no channel mask: expected letters of RGBA in this order", OG_TEXT_ARGS(word));
}

/* ".N" where N is one of `sizes`; the value is its index. */
static bool coded_suffix(struct og_visa_reader *r, const uint8_t *sizes, unsigned count, const char *what,
                         uint64_t *code) {
  const char *from = r->p;
  int64_t value = 0;
  if (!take(r, '.') || !is_digit(peek(r)) || !og_visa_unary(r, &value))
    return og_visa_fail(r, from, "expected .%s", what);
  for (unsigned i = 0; i < count; i++)
    if (sizes[i] == value) {
      *code = i;
      return true;
    }
  return og_visa_fail(r, from, "%s cannot be %lld", what, (long long)value);
}

static const uint8_t block_sizes[] = {1, 4, 8}, counts[] = {1, 2, 4, 8, 16}, element_sizes[] = {1, 2, 4};

static bool atomic_suffix(struct og_visa_reader *r, struct og_visa_inst *inst) {
  const char *from = r->p;
  int op;
  if (!og_visa_read_suffix(r, og_visa_atomic_names, &op))
    return og_visa_fail(r, from,
                        "expected an atomic operation: .add .sub .inc .dec .min .max .xchg .cmpxchg .and .or .xor "
                        ".minsint .maxsint .fmax .fmin .fcmpwr .fadd .fsub");
  inst->atomic = (uint8_t)op;
  if (peek(r) != '.')
    return true;
  int64_t bits;
  r->p++;
  if (!og_visa_unary(r, &bits))
    return false;
  if (bits != 16 && bits != 32 && bits != 64)
    return og_visa_fail(r, from, "an atomic's width is 16, 32 or 64 bits");
  inst->atomic |= bits == 16 ? 0x20 : bits == 64 ? 0x40 : 0;
  return true;
}

static bool fence_suffix(struct og_visa_reader *r, uint64_t *flags) {
  /* the cursor stands after "fence" */
  const char *from = r->p;
  static const char *const kinds[] = {"_global", "_local", "_sw"};
  static const uint8_t bits[] = {0, 0x20, 0x80};
  unsigned kind = 0;
  for (; kind < 3; kind++)
    if ((size_t)(r->end - r->p) >= strlen(kinds[kind]) && memcmp(r->p, kinds[kind], strlen(kinds[kind])) == 0)
      break;
  if (kind == 3)
    return og_visa_fail(r, from, "expected fence_global, fence_local or fence_sw");
  r->p += strlen(kinds[kind]);
  *flags = bits[kind];
  if (peek(r) != '.')
    return true;
  for (r->p++; is_word(peek(r)); r->p++) {
    static const char letters[] = "EISCR";
    const char *letter = strchr(letters, *r->p);
    if (*r->p == 'L' && peek_at(r, 1) == '1')
      *flags |= 0x40, r->p++;
    else if (letter && *letter)
      *flags |= 1u << (letter - letters);
    else
      return og_visa_fail(r, from, "'%c' is no fence flag: expected E, I, S, C, R or L1", *r->p);
  }
  return true;
}

bool og_visa_read_exec(struct og_visa_reader *r, struct og_visa_inst *inst) {
  const char *from = r->p;
  if (!og_visa_expect(r, '(', "and the execution size, as in (M1, 16)"))
    return false;
  skip(r);
  from = r->p;
  if (is_letter(peek(r))) {
    struct og_text mask = og_visa_word(r);
    if (og_text_is(mask, "NoMask")) {
      inst->no_mask = true;
    } else {
      if (mask.size < 2 || mask.data[0] != 'M' || mask.data[1] < '1' || mask.data[1] > '8')
        return og_visa_fail(r, from, "'%.*s' is no mask: expected M1 to M8, with _NM to switch it off",
                            OG_TEXT_ARGS(mask));
      inst->mask_offset = (uint8_t)((mask.data[1] - '1') * 4);
      inst->no_mask = mask.size == 5 && memcmp(mask.data + 2, "_NM", 3) == 0;
      if (mask.size != 2 && !inst->no_mask)
        return og_visa_fail(r, from, "'%.*s' is no mask: expected M1 to M8, with _NM to switch it off",
                            OG_TEXT_ARGS(mask));
    }
    if (!og_visa_expect(r, ',', "between mask and execution size"))
      return false;
    skip(r);
    from = r->p;
  }
  int64_t size;
  if (!og_visa_unary(r, &size))
    return false;
  if (size < 1 || size > 32 || (size & (size - 1)))
    return og_visa_fail(r, from, "an execution size is 1, 2, 4, 8, 16 or 32, not %lld", (long long)size);
  inst->exec_size = (uint8_t)size;
  return og_visa_expect(r, ')', "after the execution size");
}

/* ---- the text form's interpreter ---- */

static bool plain_number(struct og_visa_reader *r, char letter, struct og_visa_operand *operand) {
  int64_t value;
  static const int64_t limits[] = {['1'] = 0xff, ['2'] = 0xffff, ['4'] = 0xffffffff};
  if (!og_visa_number(r, limits[(int)letter], "number", &value))
    return false;
  operand->bits = (uint64_t)value;
  return true;
}

static bool count_in_parentheses(struct og_visa_reader *r, struct og_visa_operand *operand) {
  int64_t value;
  const char *from = r->p;
  if (!og_visa_expect(r, '(', "and the number of owords") || !og_visa_number(r, 16, "number of owords", &value) ||
      !og_visa_expect(r, ')', "after the number of owords"))
    return false;
  for (unsigned i = 0; i < OG_COUNT(counts); i++)
    if (counts[i] == value) {
      operand->bits |= i;
      return true;
    }
  return og_visa_fail(r, from, "the number of owords is 1, 2, 4, 8 or 16, not %lld", (long long)value);
}

static bool named_number(struct og_visa_reader *r, const char *const *names, bool suffix,
                         struct og_visa_operand *operand) {
  skip(r);
  const char *from = r->p;
  int index = -1;
  if (suffix) {
    og_visa_read_suffix(r, names, &index);
  } else {
    index = og_visa_find_name(names, og_visa_word(r));
  }
  if (index < 0)
    return og_visa_fail(r, from, "expected %s%s or the like", suffix ? "." : "", names[0]);
  operand->bits = (uint64_t)index;
  return true;
}

/* ".RGBA" and then "(width)" of the old sampler messages: 0 for 8, 1 for 16 in bits 4-5. */
static bool channels_and_width(struct og_visa_reader *r, struct og_visa_operand *operand) {
  int64_t width = 8;
  if (!og_visa_read_channels(r, &operand->bits))
    return false;
  if (take(r, '(') && (!og_visa_number(r, 32, "width", &width) || !og_visa_expect(r, ')', "after the width")))
    return false;
  operand->bits |= (uint64_t)(width == 16 ? 1 : width == 32 ? 2 : 0) << 4;
  return true;
}

static bool channels_and_format(struct og_visa_reader *r, struct og_visa_operand *operand) {
  int format = 0;
  const char *from = r->p;
  if (!og_visa_read_channels(r, &operand->bits))
    return false;
  if (!og_visa_read_suffix(r, og_visa_output_names, &format))
    return og_visa_fail(r, from, "expected .16-full, .16-downsampled, .8-full or .8-downsampled");
  operand->bits |= (uint64_t)format << 4;
  return true;
}

static bool hexadecimal_suffix(struct og_visa_reader *r, struct og_visa_operand *operand) {
  const char *from = r->p;
  unsigned digits = 0;
  if (peek(r) != '.' || peek_at(r, 1) != 'x')
    return og_visa_fail(r, from, "expected .x and the function's truth table");
  for (r->p += 2; is_word(peek(r)); r->p++, digits++) {
    char c = *r->p | 32;
    if (!is_digit(*r->p) && (c < 'a' || c > 'f'))
      break;
    operand->bits = operand->bits << 4 | (uint64_t)(is_digit(*r->p) ? *r->p - '0' : c - 'a' + 10);
  }
  return (digits && digits <= 2) || og_visa_fail(r, from, "a truth table has one or two hexadecimal digits");
}

static bool value_by_form(struct og_visa_reader *r, char form, char letter, struct og_visa_operand *operand) {
  static const char *const waits[] = {"wait", "signal", NULL};
  operand->kind = OG_VISA_VALUE;
  switch (form) {
  case '#':
  case 'h': return plain_number(r, letter, operand);
  case '.': return og_visa_expect(r, '.', "and a number") && plain_number(r, letter, operand);
  case 'C': return og_visa_read_channels(r, &operand->bits);
  case 'n': return count_in_parentheses(r, operand);
  case 'N': return coded_suffix(r, counts, 4, "blocks", &operand->bits);
  case 'B': return coded_suffix(r, block_sizes, OG_COUNT(block_sizes), "block size", &operand->bits);
  case 'z': return coded_suffix(r, element_sizes, OG_COUNT(element_sizes), "element size", &operand->bits);
  case 'm': operand->bits = keyword_suffix(r, "mod"); return true;
  case 'u': operand->bits = keyword_suffix(r, "unaligned") ? 8 : 0; return true;
  case 'k': return named_number(r, og_visa_media_names, true, operand);
  case 'K': return named_number(r, og_visa_avs_control_names, false, operand);
  case 'E': return named_number(r, og_visa_avs_mode_names, false, operand);
  case 'X': return hexadecimal_suffix(r, operand);
  case 'F': return fence_suffix(r, &operand->bits);
  case 'w': return named_number(r, waits, true, operand);
  case 'V': return channels_and_width(r, operand);
  default: return channels_and_format(r, operand); /* U */
  }
}

static unsigned operand_digit(char c) {
  return is_digit(c) ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static bool read_form(struct og_visa_reader *r, const struct og_visa_row *row, const char *letters,
                      struct og_visa_inst *inst) {
  bool good = true;
  for (const char *form = row->text; *form && good; form++) {
    int index;
    switch (*form) {
    case ' ': break;
    case 's': inst->saturate = peek(r) == '.' && keyword_suffix(r, "sat"); break;
    case 'r':
      good = og_visa_read_suffix(r, og_visa_compare_names, &index) ||
             og_visa_fail(r, r->p, "expected a relation: .eq .ne .gt .ge .lt .le");
      inst->compare = good ? (uint8_t)index : 0;
      break;
    case 'x':
    case 'g': good = og_visa_read_exec(r, inst); break;
    case 'o': good = atomic_suffix(r, inst); break;
    case '(':
    case ')':
    case ',': good = og_visa_expect(r, *form, "here"); break;
    default:
      if (is_digit(*form) || (*form >= 'a' && *form <= 'f')) {
        unsigned n = operand_digit(*form);
        good = og_visa_read_operand(r, letters[n], row->flags, &inst->operands[n]);
      } else {
        unsigned n = operand_digit(form[1]);
        good = value_by_form(r, *form, letters[n], &inst->operands[n]);
        form++;
      }
    }
  }
  return good;
}

/* In addr_add a general variable means its address, as with &. */
static bool take_address(struct og_visa_reader *r, struct og_visa_operand *operand) {
  if (operand->kind != OG_VISA_GENERAL)
    return true;
  if (operand->vertical || operand->width != 1 || operand->horizontal)
    return og_visa_fail(r, r->start + operand->at, "a variable whose address is taken has region <0;1,0>");
  unsigned row_size = og_visa_platforms[r->platform < 0 ? 0 : r->platform].grf_size;
  int32_t offset = (int32_t)(operand->row * row_size + operand->column * og_visa_types[operand->type].size);
  *operand = (struct og_visa_operand){.kind = OG_VISA_ADDRESS_OF,
                                      .state_class = 'G',
                                      .type = OG_VISA_UW,
                                      .variable = operand->variable,
                                      .offset = offset,
                                      .at = operand->at,
                                      .size = operand->size};
  return true;
}

/* ---- predicate and mnemonic ---- */

static bool predicate(struct og_visa_reader *r, struct og_visa_inst *inst) {
  static const char *const combines[] = {"", "any", "all", NULL};
  r->p++;
  inst->predicate.inverse = take(r, '!');
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *symbol = og_visa_symbol(r, name);
  if (!symbol)
    return og_visa_undeclared(r, name);
  if (symbol->class != 'P')
    return og_visa_fail(r, name.data, "'%.*s' is not a predicate variable", OG_TEXT_ARGS(name));
  inst->predicate.variable = (uint16_t)symbol->index;
  int combine = 0;
  if (peek(r) == '.' && !og_visa_read_suffix(r, combines, &combine))
    return og_visa_fail(r, r->p, "expected .any or .all");
  inst->predicate.combine = (uint8_t)combine;
  return og_visa_expect(r, ')', "after the predicate");
}

static const struct og_visa_mnemonic_entry *find_mnemonic(struct og_visa_reader *r, struct og_text name) {
  uint32_t hash = 5381;
  for (size_t i = 0; i < name.size; i++)
    hash = hash * 33 + (uint8_t)name.data[i];
  for (uint32_t slot = hash ^ hash >> 10;; slot++) {
    const struct og_visa_mnemonic_entry *entry = &r->mnemonics[slot & (OG_VISA_MNEMONIC_SLOTS - 1)];
    if (!entry->name.size)
      return NULL;
    if (og_text_equal(entry->name, name))
      return entry;
  }
}

/* The nearest mnemonics: at most four, all equally near, in alphabetical order. */
static unsigned nearest_mnemonics(const struct og_visa_reader *r, struct og_text name, const char *names[4]) {
  unsigned least = 2, count = 0;
  for (unsigned i = 0; i < OG_VISA_MNEMONIC_SLOTS; i++) {
    const char *candidate = r->mnemonics[i].name.data;
    unsigned edits = candidate ? og_text_distance(name, candidate, least) : least + 1;
    if (edits > least)
      continue;
    count = edits < least ? 0 : OG_MIN(count, 3u);
    least = edits;
    unsigned at = count++;
    for (; at > 0 && strcmp(names[at - 1], candidate) > 0; at--)
      names[at] = names[at - 1];
    names[at] = candidate;
  }
  return count;
}

static bool unknown_mnemonic(struct og_visa_reader *r, struct og_text name) {
  if (!name.size)
    return og_visa_fail(r, name.data, "expected an instruction, a label or a directive");
  const char *names[4];
  unsigned count = nearest_mnemonics(r, name, names);
  struct og_buffer message = {0};
  og_buffer_printf(&message, "unknown instruction '%.*s'", OG_TEXT_ARGS(name));
  for (unsigned i = 0; i < count; i++)
    og_buffer_printf(&message, "%s%s", i ? ", " : ", did you mean: ", names[i]);
  og_visa_fail(r, name.data, "%.*s%s", (int)message.size, (const char *)message.data, count ? "?" : "");
  og_buffer_free(&message);
  return false;
}

/* fence_local is one word of the text, but in the table "fence" and a flag. */
static struct og_text mnemonic_word(struct og_visa_reader *r) {
  struct og_text name = og_visa_word(r);
  if (name.size > 6 && memcmp(name.data, "fence_", 6) == 0) {
    name.size = 5;
    r->p = name.data + 5;
  } else if (name.size == 4 && memcmp(name.data, "add3", 4) == 0 && peek(r) == '.' && peek_at(r, 1) == 'o' &&
             !is_word(peek_at(r, 2))) {
    name.size = 6;
    r->p += 2;
  }
  return name;
}

void og_visa_read_inst(struct og_visa_reader *r) {
  const char *from = r->p;
  struct og_visa_inst *inst = OG_PUSH(r->arena, &r->kernel->insts);
  inst->line = r->line;
  inst->at = place(r, from);
  inst->compare = OG_VISA_COMPARE_NONE;
  bool good = peek(r) != '(' || predicate(r, inst);
  if (good) {
    struct og_text name = mnemonic_word(r);
    const struct og_visa_mnemonic_entry *entry = find_mnemonic(r, name);
    if (!entry) {
      good = unknown_mnemonic(r, name);
    } else {
      const struct og_visa_row *row = og_visa_row(entry->opcode, entry->sub);
      inst->opcode = entry->opcode;
      inst->sub = entry->sub;
      if (row->text[0] == '!') {
        good = og_visa_read_special(r, inst, entry);
      } else {
        char letters[OG_VISA_MAX_LETTERS];
        inst->operand_count = (uint8_t)og_visa_letters(row, letters);
        inst->operands = OG_NEW_ARRAY(r->arena, struct og_visa_operand, inst->operand_count);
        for (unsigned i = 0; i < inst->operand_count; i++)
          if (letters[i] < 'A')
            inst->operands[i].kind = OG_VISA_VALUE;
        if (entry->preset)
          inst->operands[0].bits = entry->preset;
        good = read_form(r, row, letters, inst);
        if (entry->opcode == OG_VISA_OP_ADDR_ADD && good)
          good = take_address(r, &inst->operands[1]);
        if (entry->opcode == OG_VISA_OP_BFN && good)
          inst->bfn = (uint8_t)inst->operands[4].bits;
      }
      if (good && !at_end_of_line(r))
        good = og_visa_fail(r, r->p, "unexpected text after the instruction");
    }
  }
  inst = &r->kernel->insts.items[r->kernel->insts.count - 1];
  inst->size = (uint32_t)(r->p - from);
  if (inst->predicate.variable && good) {
    const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
    if (row->binary[0] && !strchr(row->binary, 'p'))
      og_visa_fail(r, from, "%s takes no predicate", og_visa_mnemonic(inst));
  }
  if (r->failed)
    r->kernel->insts.count--;
}
