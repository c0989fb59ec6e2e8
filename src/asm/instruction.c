/* instruction.c - instruction text to struct og_inst to bytes: which form of a mnemonic the operands fit. */
#include "asm/gate.h"
#include "asm/operand.h"
#include "base/floats.h"

#include <math.h>
#include <string.h>

/* ---- plans: what a form's text asks for, read from its shape once ----------------------------------------------------- */

enum { PLAN_OFF = 0xff };

struct plan {
  uint8_t count, slots[20];            /* by operand of the text: slot, or PLAN_OFF for the word "off" */
  uint64_t accepts[2], requires[2];    /* sets of enum og_mod; required ones are words of the text */
  uint8_t addresses;                   /* registers in the brackets of an image's address */
  uint8_t order[OG_MOD_COUNT];         /* place in the text, from 1; 0 for those that have none */
  bool forces_glc;                     /* the form is the one with glc */
};

struct candidate {
  const struct og_form *form;
  const struct og_shape *shape;
  const struct plan *plan;
  uint16_t id;
};

struct og_mnemonic {
  struct candidate *candidates;
  uint32_t count;
  bool fits_wave;
};

static void set_bit(uint64_t set[2], unsigned bit) { set[bit >> 6] |= UINT64_C(1) << (bit & 63); }
static bool has_bit(const uint64_t set[2], unsigned bit) { return set[bit >> 6] >> (bit & 63) & 1; }

static void plan_word(struct plan *plan, struct og_text word, unsigned place) {
  static const struct { const char *name; uint8_t mod; } words[] = {{"offen", OG_MOD_OFFEN}, {"idxen", OG_MOD_IDXEN},
      {"addr64", OG_MOD_ADDR64}, {"tfe", OG_MOD_TFE}, {"lds", OG_MOD_LDS}, {"gds", OG_MOD_GDS}, {"done", OG_MOD_DONE},
      {"row_en", OG_MOD_ROW_EN}, {"lwe", OG_MOD_LWE}};
  if (og_text_is(word, "off"))
    plan->slots[plan->count++] = PLAN_OFF;
  for (size_t i = 0; i < OG_COUNT(words); i++)
    if (og_text_is(word, words[i].name)) {
      set_bit(plan->requires, words[i].mod);
      plan->order[words[i].mod] = (uint8_t)place;
    }
}

static bool writes(const struct og_shape *shape) {
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (shape->slots[i].flags & OG_SLOT_WRITE)
      return true;
  return false;
}

static const struct plan *make_plan(struct og_asm *as, const struct og_form *form, const struct og_shape *shape) {
  struct plan *plan = OG_NEW(as->arena, struct plan);
  unsigned place = 0;
  for (const char *p = shape->text; *p;) {
    if (*p == 1) {
      unsigned slot = (unsigned char)p[1] - 1u;
      plan->addresses += strchr(shape->text, '[') && shape->slots[slot].role >= OG_ROLE_VADDR1 && shape->slots[slot].role <= OG_ROLE_VADDR12;
      if (shape->slots[slot].takes != OG_TAKES_ATTR_CHANNEL && plan->count < OG_COUNT(plan->slots))
        plan->slots[plan->count++] = (uint8_t)slot;
      p += 2;
    } else if (*p == 2) {
      plan->order[shape->mods[(unsigned char)p[1] - 1u].mod] = (uint8_t)++place;
      p += 2;
    } else if (og_asm_name_start(*p)) {
      const char *start = p;
      while (og_asm_name_char(*p))
        p++;
      plan_word(plan, (struct og_text){start, (size_t)(p - start)}, ++place);
    } else {
      p++;
    }
  }
  for (unsigned i = 0; i < shape->mod_count; i++) {
    set_bit(plan->accepts, shape->mods[i].mod);
    bool fixed = !shape->mods[i].pieces[0].width && form->row_flags & OG_FLAG_ATOMIC && writes(shape);
    plan->forces_glc |= shape->mods[i].mod == OG_MOD_CPOL && (shape->mods[i].style == 2 || fixed);
  }
  return plan;
}

static bool has_prefix(const char *name, const char *prefix) { return !strncmp(name, prefix, strlen(prefix)); }

/* ---- mnemonics --------------------------------------------------------------------------------------------------------- */

static const struct { const char *text; uint8_t size, suffix; } suffix_texts[] = {
    {"_e64_dpp", 8, OG_SUFFIX_E64_DPP}, {"_e32", 4, OG_SUFFIX_E32}, {"_e64", 4, OG_SUFFIX_E64}, {"_dpp", 4, OG_SUFFIX_DPP}, {"_sdwa", 5, OG_SUFFIX_SDWA}};

static bool suffix_fits(const struct og_form *form, unsigned suffix) {
  switch (suffix) {
  case OG_SUFFIX_NONE: return true;
  case OG_SUFFIX_E32: return form->variant == OG_VARIANT_NONE && form->encoding != OG_ENC_VOP3 && form->encoding != OG_ENC_VOP3P && form->encoding != OG_ENC_VOPD;
  case OG_SUFFIX_E64: return form->variant == OG_VARIANT_NONE && (form->suffix == OG_SUFFIX_E64 || form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P);
  case OG_SUFFIX_SDWA: return form->variant == OG_VARIANT_SDWA;
  case OG_SUFFIX_DPP: return (form->variant == OG_VARIANT_DPP16 || form->variant == OG_VARIANT_DPP8) && form->suffix != OG_SUFFIX_E64_DPP;
  default: return form->suffix == OG_SUFFIX_E64_DPP;
  }
}

/* Plain forms first, the small one before the large; then SDWA, DPP, DPP of large forms. */
static unsigned rank(const struct candidate *c) {
  const struct og_form *form = c->form;
  unsigned variant = form->variant == OG_VARIANT_NONE ? 0 : form->variant == OG_VARIANT_SDWA ? 1 : 2;
  bool with_offset = form->encoding == OG_ENC_SMEM && has_bit(c->plan->accepts, OG_MOD_OFFSET); /* beside a register */
  return variant * 4 + with_offset + (form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P ? 2 : 0);
}

static void add_candidates(struct og_asm *as, struct og_mnemonic *m, const uint16_t *forms, size_t count, unsigned suffix) {
  const struct og_isa *isa = og_isa_for(&as->target);
  m->candidates = OG_NEW_ARRAY(as->arena, struct candidate, count);
  for (size_t i = 0; i < count; i++) {
    const struct og_form *form = og_form(isa, forms[i]);
    if (!suffix_fits(form, suffix) || og_asm_gate(&as->target, form))
      continue;
    if (form->wave && form->wave != as->target.wave_size)
      continue;
    m->fits_wave = true;
    const struct og_shape *shape = og_shape(isa, form);
    struct candidate c = {form, shape, make_plan(as, form, shape), forms[i]};
    uint32_t at = m->count++;
    for (; at > 0 && rank(&m->candidates[at - 1]) > rank(&c); at--)
      m->candidates[at] = m->candidates[at - 1];
    m->candidates[at] = c;
  }
}

static struct og_mnemonic *look_up(struct og_asm *as, struct og_text name) {
  void **slot = og_map_at(as->arena, &as->mnemonics, name);
  if (*slot)
    return *slot;
  const struct og_isa *isa = og_isa_for(&as->target);
  struct og_mnemonic *m = OG_NEW(as->arena, struct og_mnemonic);
  *slot = m;
  const uint16_t *forms;
  size_t count = og_find_forms(isa, name, &forms);
  if (count) {
    add_candidates(as, m, forms, count, OG_SUFFIX_NONE);
    return m;
  }
  for (size_t i = 0; i < OG_COUNT(suffix_texts) && !m->count; i++) {
    struct og_text base = {name.data, name.size - suffix_texts[i].size};
    if (name.size <= suffix_texts[i].size || memcmp(name.data + base.size, suffix_texts[i].text, suffix_texts[i].size))
      continue;
    count = og_find_forms(isa, base, &forms);
    if (count)
      add_candidates(as, m, forms, count, suffix_texts[i].suffix);
  }
  return m;
}

/* Mnemonics are taken in any case; the tables hold them in lower case. */
static struct og_mnemonic *find_mnemonic(struct og_asm *as, struct og_text name) {
  struct og_mnemonic *m = look_up(as, name);
  if (m->count)
    return m;
  char *lower = og_arena_copy(as->arena, name.data, name.size);
  for (char *c = lower; *c; c++)
    *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
  return look_up(as, og_text(lower));
}

static struct og_text without_suffix(struct og_text name) {
  for (size_t i = 0; i < OG_COUNT(suffix_texts); i++)
    if (name.size > suffix_texts[i].size && !memcmp(name.data + name.size - suffix_texts[i].size, suffix_texts[i].text, suffix_texts[i].size))
      return (struct og_text){name.data, name.size - suffix_texts[i].size};
  return name;
}

/* Names of processors that have the mnemonic. */
static unsigned processors_with(struct og_text name, struct og_buffer *out) {
  unsigned found = 0;
  for (size_t i = 0; i < og_processor_count(); i++) {
    const struct og_processor *p = og_processor_at(i);
    const struct og_isa *isa = og_isa_of(p->generation, p->wave_size);
    const uint16_t *forms;
    if (!isa || p->generic_version || (!og_find_forms(isa, name, &forms) && !og_find_forms(isa, without_suffix(name), &forms)))
      continue;
    if (found++ < 8)
      og_buffer_printf(out, "%s%s", found > 1 ? ", " : "", p->name);
  }
  if (found > 8)
    og_buffer_text(out, ", ...");
  return found;
}

/* Edit distance, neighbours' exchange counted once, given up beyond `limit`. */
static unsigned distance(struct og_text a, const char *b, unsigned limit) {
  size_t n = strlen(b);
  uint8_t rows[3][64];
  if (a.size >= 63 || n >= 63 || a.size > n + limit || n > a.size + limit)
    return limit + 1;
  for (size_t j = 0; j <= n; j++)
    rows[0][j] = (uint8_t)j;
  for (size_t i = 1; i <= a.size; i++) {
    uint8_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
    row[0] = (uint8_t)i;
    for (size_t j = 1; j <= n; j++) {
      unsigned best = above[j - 1] + (a.data[i - 1] != b[j - 1]);
      best = OG_MIN(best, OG_MIN(above[j], row[j - 1]) + 1u);
      if (i > 1 && j > 1 && a.data[i - 1] == b[j - 2] && a.data[i - 2] == b[j - 1])
        best = OG_MIN(best, second[j - 2] + 1u);
      row[j] = (uint8_t)best;
    }
  }
  return rows[a.size % 3][n];
}

/* The instruction would be here if -mattr had left it. */
static bool taken_away(struct og_asm *as, struct og_text name) {
  const struct og_isa *isa = og_isa_for(&as->target);
  const uint16_t *forms;
  struct og_text base = without_suffix(name);
  size_t count = og_find_forms(isa, name, &forms);
  unsigned suffix = OG_SUFFIX_NONE;
  for (size_t i = 0; !count && base.size < name.size && i < OG_COUNT(suffix_texts); i++)
    if (suffix_texts[i].size == name.size - base.size && !memcmp(name.data + base.size, suffix_texts[i].text, suffix_texts[i].size))
      suffix = suffix_texts[i].suffix;
  if (!count)
    count = og_find_forms(isa, base, &forms);
  for (size_t i = 0; i < count; i++) {
    const struct og_form *form = og_form(isa, forms[i]);
    const char *feature = suffix_fits(form, suffix) ? og_asm_gate(&as->target, form) : NULL;
    if (feature && (!strcmp(feature, "sdwa") || !strncmp(feature, "dpp", 3)))
      return og_asm_error(as, name.data, name.size, "%s variant of this instruction is not supported: -mattr takes away %s", feature, feature), true;
    if (feature)
      return og_asm_error(as, name.data, name.size, "instruction not supported on this GPU: -mattr takes away %s", feature), true;
  }
  return false;
}

/* The instruction is here, but not in the encoding or for the wave size that is asked for. */
static bool unknown_variant(struct og_asm *as, struct og_text name, bool *reported) {
  const uint16_t *forms;
  struct og_text base = without_suffix(name);
  *reported = true;
  if (og_find_forms(og_isa_for(&as->target), name, &forms))
    return og_asm_error(as, name.data, name.size, "instruction requires wavesize=%d", as->target.wave_size == 64 ? 32 : 64);
  if (base.size < name.size && og_find_forms(og_isa_for(&as->target), base, &forms))
    return og_asm_error(as, name.data, name.size, "%.*s variant of this instruction is not supported", (int)(name.size - base.size - 1), name.data + base.size + 1);
  return *reported = false;
}

static bool unknown_mnemonic(struct og_asm *as, struct og_text name) {
  bool reported;
  if (taken_away(as, name))
    return false;
  unknown_variant(as, name, &reported);
  if (reported)
    return false;
  struct og_buffer text = {0};
  bool elsewhere = processors_with(name, &text) > 0;
  if (elsewhere) {
    og_asm_error(as, name.data, name.size, "instruction not supported on this GPU: %.*s is not on %s; exists on %.*s", OG_TEXT_ARGS(name),
                 as->target.processor->name, (int)text.size, (const char *)text.data);
    og_buffer_free(&text);
    return false;
  }
  const struct og_isa *isa = og_isa_for(&as->target);
  struct og_text base = without_suffix(name);
  unsigned best = base.size < 5 ? 1 : 2, listed = 0;
  const char *last = "";
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < og_form_count(isa) && listed < 4; i++) {
      const char *other = og_form(isa, i)->name;
      unsigned d = distance(base, other, best);
      if (pass == 0)
        best = OG_MIN(best, d);
      else if (d == best && d && strcmp(other, last)) {
        og_buffer_printf(&text, "%s%s", listed++ ? ", " : ", did you mean: ", other);
        last = other;
      }
    }
  og_asm_error(as, name.data, name.size, "invalid instruction%.*s%s", (int)text.size, (const char *)text.data, listed ? "?" : "");
  og_buffer_free(&text);
  return false;
}

/* ---- constants --------------------------------------------------------------------------------------------------------------- */

static bool fits(int64_t value, unsigned bits) {
  return bits >= 64 || (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << bits);
}

static unsigned type_bits(enum og_type type) {
  switch (type) {
  case OG_TYPE_I16: case OG_TYPE_F16: case OG_TYPE_BF16: case OG_TYPE_V2I16: case OG_TYPE_V2F16: case OG_TYPE_V2BF16: return 16;
  case OG_TYPE_I64: case OG_TYPE_F64: return 64;
  default: return 32;
  }
}

static uint64_t real_bits(double value, enum og_type type) {
  uint64_t bits64;
  uint32_t bits32;
  uint16_t bits16;
  float single = (float)value;
  memcpy(&bits64, &value, 8);
  memcpy(&bits32, &single, 4);
  bits16 = og_double_to_half(value);
  if (type == OG_TYPE_V2F16_SPLAT || type == OG_TYPE_V2F16_LITERAL)
    return bits16;
  if (type == OG_TYPE_BF16 || type == OG_TYPE_V2BF16)
    return (bits32 + 0x7fff + (bits32 >> 16 & 1)) >> 16;
  unsigned bits = type_bits(type);
  return bits == 64 ? bits64 : bits == 32 ? bits32 : bits16;
}

/* Digits may be lost, but neither to infinity nor below the smallest normal number. */
static bool representable(double value, enum og_type type) {
  double magnitude = fabs(value);
  switch (type_bits(type)) {
  case 64: return true;
  case 32: return magnitude >= 0x1p-126 ? magnitude < 0x1.ffffffp127 : (double)(float)value == value;
  default:
    if (type == OG_TYPE_BF16 || type == OG_TYPE_V2BF16)
      return magnitude >= 0x1p-126 ? magnitude < 0x1.ffp127 : ldexp(magnitude, 133) == floor(ldexp(magnitude, 133));
    return magnitude >= 0x1p-14 ? magnitude < 65520 : ldexp(magnitude, 24) == floor(ldexp(magnitude, 24));
  }
}

/* Source code of the inline constant with those bits; 0 if there is none. */
static unsigned inline_code(const struct og_asm *as, uint64_t bits, enum og_type type, bool is_integer) {
  static const double reals[] = {0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0};
  unsigned width = type_bits(type);
  if (type == OG_TYPE_V2F16_LITERAL)
    return 0;
  bool packed = type == OG_TYPE_V2F16 || type == OG_TYPE_V2BF16;
  int64_t value = width == 64 ? (int64_t)bits : width == 32 || packed ? (int32_t)bits : (int16_t)bits;
  if (value >= 0 && value <= 64)
    return 128 + (unsigned)value;
  if (value >= -16 && value < 0)
    return 192 + (unsigned)-value;
  if (width == 16 && is_integer && (type == OG_TYPE_I16 || type == OG_TYPE_V2I16))
    return 0;
  if (type == OG_TYPE_I16)
    type = OG_TYPE_F16;
  for (unsigned i = 0; i < OG_COUNT(reals); i++)
    if (bits == real_bits(reals[i], type) * (type == OG_TYPE_V2F16_SPLAT ? 0x10001u : 1))
      return 240 + i;
  static const struct { uint64_t bits; } pi[] = {{0x3e22f983}, {0x3118}, {0x3fc45f306dc9c882}, {0x3e22}};
  unsigned which = width == 32 ? 0 : width == 64 ? 2 : type == OG_TYPE_BF16 || type == OG_TYPE_V2BF16 ? 3 : 1;
  return as->target.processor->major >= 8 && bits == pi[which].bits ? 248 : 0;
}

/* ---- matching ------------------------------------------------------------------------------------------------------------------ */

/* How far a form came, so that the error is that of the form which came farthest. */
struct failure {
  unsigned progress;
  const char *at, *end, *message;
};

struct match {
  struct og_inst inst;
  const struct og_expr *expr; /* that a fixup brings in */
  const struct og_text_operand *expr_operand;
  uint8_t literal_size; /* of the expression */
  bool wide_real; /* a double that lost its low bits */
};

static bool fail(struct failure *f, unsigned progress, const char *at, const char *end, const char *message) {
  if (!f->message || progress > f->progress)
    *f = (struct failure){progress, at, end, message};
  return false;
}

static bool is_source_only(unsigned special) {
  return special >= OG_SPECIAL_SHARED_BASE && special != OG_SPECIAL_FLAT_SCRATCH_BASE_LO && special != OG_SPECIAL_FLAT_SCRATCH_BASE_HI;
}

enum { TAKES_VECTOR = 1, TAKES_SCALAR = 2, TAKES_ACCUMULATOR = 4, TAKES_INLINE = 8, TAKES_LITERAL = 16 };
static const uint8_t takes_sets[] = {
    [OG_TAKES_VGPR] = TAKES_VECTOR, [OG_TAKES_AGPR] = TAKES_ACCUMULATOR, [OG_TAKES_VGPR_AGPR] = TAKES_VECTOR | TAKES_ACCUMULATOR,
    [OG_TAKES_SGPR] = TAKES_SCALAR, [OG_TAKES_SGPR_INLINE] = TAKES_SCALAR | TAKES_INLINE, [OG_TAKES_SGPR_LITERAL] = TAKES_SCALAR | TAKES_INLINE | TAKES_LITERAL,
    [OG_TAKES_VGPR_SGPR_INLINE] = TAKES_VECTOR | TAKES_SCALAR | TAKES_INLINE, [OG_TAKES_VGPR_SGPR_LITERAL] = TAKES_VECTOR | TAKES_SCALAR | TAKES_INLINE | TAKES_LITERAL,
    [OG_TAKES_VGPR_INLINE] = TAKES_VECTOR | TAKES_INLINE, [OG_TAKES_AGPR_INLINE] = TAKES_ACCUMULATOR | TAKES_INLINE, [OG_TAKES_VGPR_LITERAL] = TAKES_VECTOR | TAKES_INLINE | TAKES_LITERAL,
    [OG_TAKES_WAIT_EVENT] = 0};

/* What hardware only reads LLVM takes for every single scalar register, results included. */
static bool source_only_fits(const struct og_form *form, const struct og_slot *slot, unsigned special) {
  bool vector = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOP3P;
  if (special == OG_SPECIAL_LDS_DIRECT)
    return vector && slot->role == OG_ROLE_SRC0;
  if (takes_sets[slot->takes] & TAKES_INLINE)
    return !(slot->flags & OG_SLOT_WRITE);
  bool in_vop3 = form->encoding == OG_ENC_VOP3;
  return (in_vop3 && slot->role == OG_ROLE_SRC2) || (special >= OG_SPECIAL_POPS_EXITING_WAVE_ID && (slot->dwords == 1 || (in_vop3 && slot->role == OG_ROLE_SDST)));
}

static bool match_register(const struct og_asm *as, const struct og_form *form, const struct og_slot *slot, const struct og_text_operand *t, struct og_operand *out) {
  unsigned set = takes_sets[slot->takes];
  bool vector = t->register_kind == OG_OPERAND_VGPR, accumulator = t->register_kind == OG_OPERAND_AGPR;
  unsigned own = og_slot_dwords(og_isa_for(&as->target), slot);
  if (slot->flags & OG_SLOT_HALF && set & TAKES_INLINE) /* where a constant may stand for a half, so may a scalar register */
    set |= TAKES_SCALAR;
  if (t->is_list || !(set & (vector ? TAKES_VECTOR : accumulator ? TAKES_ACCUMULATOR : TAKES_SCALAR)))
    return false;
  bool half = slot->flags & OG_SLOT_HALF && vector, narrow = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOPC;
  bool whole = half && !t->half && as->target.processor->major == 11; /* "v1" for v1.l */
  if (t->half != half && !whole)
    return false;
  if (whole)
    out->flags |= OG_HALF_UNNAMED;
  if (((half && narrow) || slot->flags & OG_SLOT_LOW) && vector && t->reg >= 128)
    return false;
  if (t->register_kind == OG_OPERAND_SPECIAL && is_source_only(t->reg) && !source_only_fits(form, slot, t->reg))
    return false;
  bool of_exec = t->register_kind == OG_OPERAND_SPECIAL && t->reg >= OG_SPECIAL_EXEC_LO && t->reg <= OG_SPECIAL_M0;
  if (form->encoding == OG_ENC_SMEM && slot->role != OG_ROLE_SBASE && slot->role != OG_ROLE_SOFFSET && of_exec)
    return false;
  bool null = t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_NULL;
  bool m0 = t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_M0;
  if (form->encoding == OG_ENC_SOP1 && slot->role == OG_ROLE_SRC0 && !m0 && strstr(form->name, "barrier"))
    return false;
  if (m0 && slot->flags & OG_SLOT_WRITE && has_prefix(form->name, "v_read"))
    return false;
  if (null && own > 2 && (slot->role == OG_ROLE_SRSRC || slot->role == OG_ROLE_SSAMP || slot->role == OG_ROLE_SBASE))
    return false;
  if (!vector && slot->role == OG_ROLE_SRC1 && form->suffix == OG_SUFFIX_E64_DPP && as->target.processor->generation == OG_GFX11)
    return false;
  if (form->encoding == OG_ENC_FLAT && slot->role == OG_ROLE_SADDR && t->register_kind == OG_OPERAND_SPECIAL && (t->reg == OG_SPECIAL_EXEC_HI || (own == 2 && ((null && as->target.processor->generation < OG_GFX1250) || of_exec))))
    return false;
  if (form->variant == OG_VARIANT_SDWA && !vector && !(slot->flags & OG_SLOT_WRITE) && slot->takes != OG_TAKES_VCC && as->target.processor->major == 8)
    return false;
  unsigned dwords = t->dwords ? t->dwords : own;
  if (slot->flags & OG_SLOT_WAVE ? dwords != own : slot->sizes && !(slot->sizes >> (dwords - 1) & 1))
    return false;
  out->kind = t->register_kind;
  out->reg = t->reg;
  out->dwords = (uint8_t)dwords;
  return true;
}

/* Short encodings have no sign modifiers: they become part of the constant. */
static uint64_t with_signs(uint64_t bits, uint8_t *flags, unsigned width) {
  uint64_t sign = UINT64_C(1) << (width - 1);
  if (*flags & OG_ABS)
    bits &= ~sign;
  if (*flags & OG_NEG)
    bits ^= sign;
  *flags &= (uint8_t)~(OG_NEG | OG_ABS);
  return bits;
}

static bool integer_vector(const struct og_form *form, const struct og_slot *slot) {
  bool compact = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOP3 && form->variant == OG_VARIANT_NONE;
  return compact && form->suffix != OG_SUFFIX_NONE && (slot->type == OG_TYPE_I16 || slot->type == OG_TYPE_I32 || slot->type == OG_TYPE_B32);
}

static bool takes_signs(const struct og_form *form, const struct og_slot *slot, const struct og_text_operand *t) {
  if (slot->flags & OG_SLOT_NEG_ABS)
    return true;
  if (t->flags & OG_SEXT)
    return false;
  bool compact = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOPC && form->variant == OG_VARIANT_NONE;
  bool constant = t->kind == OG_TEXT_REAL || (t->kind == OG_TEXT_INTEGER && slot->type != OG_TYPE_F64);
  return compact && constant && !has_prefix(form->name, "v_cvt_f32_ubyte") && (slot->type == OG_TYPE_F16 || slot->type == OG_TYPE_F32 || slot->type == OG_TYPE_F64);
}

/* Sources of 64 bits with a code of their own for literals as wide. */
static bool takes_literal64(const struct og_asm *as, const struct og_form *form) {
  return as->target.processor->generation >= OG_GFX1250 && form->size == 4 && form->variant == OG_VARIANT_NONE;
}

static bool match_wide_literal(const struct og_asm *as, const struct og_form *form, const struct og_text_operand *t, uint64_t bits,
                               enum og_type type, struct og_operand *out);

static const char *match_constant(struct og_asm *as, const struct og_form *form, const struct og_slot *slot, const struct og_text_operand *t,
                                  struct og_operand *out, struct match *m) {
  static const char invalid[] = "invalid operand for instruction";
  enum og_type type = slot->type;
  if (slot->dwords == 1 && type_bits(type) == 64) /* a shift's count, say */
    type = type == OG_TYPE_F64 ? OG_TYPE_F32 : OG_TYPE_I32;
  if (type == OG_TYPE_V2I16) /* read as 32 bits */
    type = t->kind == OG_TEXT_REAL ? OG_TYPE_F32 : OG_TYPE_I32;
  unsigned set = takes_sets[slot->takes], width = type_bits(type);
  if (slot->role == OG_ROLE_SRC1 && form->suffix == OG_SUFFIX_E64_DPP && as->target.processor->generation == OG_GFX11)
    return "src1 immediate operand invalid for instruction";
  if (!(set & TAKES_INLINE) || (form->variant == OG_VARIANT_SDWA && as->target.processor->major == 8))
    return invalid;
  uint64_t bits;
  bool is_integer = t->kind == OG_TEXT_INTEGER, packed = type == OG_TYPE_V2F16 || type == OG_TYPE_V2BF16;
  if (is_integer) {
    if (width < 64 && !fits(t->value, packed ? 32 : width))
      return invalid;
    bits = (uint64_t)t->value;
    bits = width == 64 ? bits : width == 32 || packed ? (uint32_t)bits : (uint16_t)bits;
  } else {
    if (!representable(t->real, type))
      return "invalid operand for instruction";
    if (type == OG_TYPE_I16) /* as LLVM does: the low half counts */
      type = OG_TYPE_F32;
    bits = real_bits(t->real, type);
  }
  if (out->flags & (OG_NEG | OG_ABS) && !(slot->flags & OG_SLOT_NEG_ABS))
    bits = with_signs(bits, &out->flags, width);
  bool class_mask = slot->role == OG_ROLE_SRC1 && strstr(form->name, "_class_f16");
  bool unsigned_half = is_integer && (type == OG_TYPE_I16 || class_mask) && t->value > 64; /* 0xffff is not -1 there */
  if (is_integer && type == OG_TYPE_I16)
    bits = (uint32_t)t->value;
  unsigned code = t->literal || unsigned_half ? 0 : inline_code(as, bits, type, is_integer);
  if (code == 248 && slot->type == OG_TYPE_I16 && form->variant == OG_VARIANT_SDWA)
    return invalid;
  if (code) {
    out->kind = OG_OPERAND_INLINE;
    out->reg = (uint16_t)code;
    out->value = bits;
    return NULL;
  }
  if (!(set & TAKES_LITERAL) || !form->literal_ok)
    return form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P ? "literal operands are not supported" : invalid;
  if (width == 64 && !is_integer && type != OG_TYPE_F64)
    return invalid;
  if (match_wide_literal(as, form, t, bits, type, out))
    return NULL;
  if (width == 64) {
    if (is_integer && type == OG_TYPE_F64 && !fits(t->value, 32) && (uint32_t)bits == 0 && as->target.processor->generation >= OG_GFX1250)
      bits >>= 32;
    else if (is_integer && (!fits(t->value, 32) || (type == OG_TYPE_F64 && out->flags & (OG_NEG | OG_ABS))))
      return invalid;
    if (!is_integer && type != OG_TYPE_F64)
      return invalid;
    if (!is_integer) {
      m->wide_real |= (uint32_t)bits != 0;
      bits >>= 32;
    }
  }
  out->kind = OG_OPERAND_LITERAL;
  out->reg = 255;
  out->value = (uint32_t)bits;
  out->flags |= t->literal ? OG_LIT : 0;
  return NULL;
}

/* From gfx1250 on constants that 32 bits do not hold, and lit64() and the lit() of 64-bit operands, are literals of 64 bits. */
static bool match_wide_literal(const struct og_asm *as, const struct og_form *form, const struct og_text_operand *t, uint64_t bits,
                               enum og_type type, struct og_operand *out) {
  bool wide_operand = type_bits(type) == 64, half = !t->literal && (uint32_t)bits == 0;
  if (as->target.processor->generation < OG_GFX1250 || form->variant != OG_VARIANT_NONE || form->size == 12)
    return false;
  if (!t->wide_literal && (!wide_operand || (!t->literal && (t->kind != OG_TEXT_INTEGER ? half : type == OG_TYPE_F64 ? fits(t->value, 32) || half : (uint64_t)t->value >> 31 == 0))))
    return false;
  out->kind = OG_OPERAND_LITERAL;
  out->reg = 254;
  out->value = t->kind == OG_TEXT_INTEGER ? (uint64_t)t->value : bits;
  out->flags |= !t->literal ? OG_PLAIN : !t->wide_literal ? OG_LIT : 0;
  return true;
}

static unsigned slot_width(const struct og_slot *slot) {
  return slot->pieces[0].width + (unsigned)slot->pieces[1].width;
}

/* Immediates that the instruction holds itself. */
static const char *match_immediate(const struct og_form *form, const struct og_slot *slot, const struct og_text_operand *t, struct og_operand *out, struct match *m) {
  static const char invalid[] = "invalid operand for instruction";
  out->kind = OG_OPERAND_IMMEDIATE;
  unsigned width = OG_MAX(slot_width(slot), 1u);
  switch (slot->takes) {
  case OG_TAKES_KIMM:
    if (slot->dwords == 2 && (t->kind == OG_TEXT_REAL || t->kind == OG_TEXT_INTEGER)) /* an integer of 32 bits is the high half */
      out->value = t->kind == OG_TEXT_REAL ? real_bits(t->real, OG_TYPE_F64) : (uint64_t)t->value << (!t->literal && fits(t->value, 32) ? 32 : 0);
    else if (t->kind == OG_TEXT_REAL && representable(t->real, slot->type))
      out->value = real_bits(t->real, slot->type);
    else if (t->kind == OG_TEXT_INTEGER && fits(t->value, OG_MIN(type_bits(slot->type), 32u)))
      out->value = (uint64_t)t->value & (type_bits(slot->type) == 16 ? 0xffff : 0xffffffff);
    else
      return invalid;
    return NULL;
  case OG_TAKES_SIMM: case OG_TAKES_BRANCH:
    if (t->kind == OG_TEXT_EXPR && slot->takes == OG_TAKES_BRANCH)
      return m->expr = t->expr, m->expr_operand = t, t->expr->kind == OG_EXPR_SYMBOL ? NULL : "expected an absolute expression or a label";
    if (t->kind != OG_TEXT_INTEGER || !fits(t->value, 16))
      return slot->takes == OG_TAKES_BRANCH ? "expected a 16-bit signed jump offset" : invalid;
    if (slot->takes == OG_TAKES_SIMM && t->value < 0 && !strncmp(form->name, "s_cmpk_", 7) && strstr(form->name, "_u32"))
      return invalid;
    out->value = (uint64_t)(int64_t)(int16_t)t->value;
    out->flags = slot->takes == OG_TAKES_BRANCH && t->value < 0 ? OG_NEG : 0;
    return NULL;
  default:
    if ((t->kind != OG_TEXT_INTEGER && t->kind != OG_TEXT_SPECIAL) || !fits(t->value, width) || (slot->takes == OG_TAKES_ENDPGM && t->value < 0))
      return invalid;
    out->value = (uint64_t)t->value & (width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1);
    out->flags = slot->takes == OG_TAKES_VERSION ? OG_LIT : 0;
    return NULL;
  }
}

static const char *match_slot(struct og_asm *as, const struct og_form *form, const struct og_slot *slot, const struct og_text_operand *t, struct match *m) {
  static const char invalid[] = "invalid operand for instruction";
  struct og_text_operand known;
  if (t->kind == OG_TEXT_EXPR && slot->takes > OG_TAKES_VCC && slot->takes != OG_TAKES_BRANCH) {
    known = *t; /* what is no literal must be known by now */
    known.kind = OG_TEXT_INTEGER;
    if (!og_asm_evaluate_absolute(as, t->expr, &known.value))
      return "expected absolute expression";
    t = &known;
  }
  if (slot->takes == OG_TAKES_OFFSET) {
    if (t->kind != OG_TEXT_INTEGER || !fits(t->value, 32))
      return invalid;
    m->inst.mod[OG_MOD_OFFSET] = (int32_t)t->value;
    return NULL;
  }
  struct og_operand *out = &m->inst.operands[m->inst.operand_count++];
  *out = (struct og_operand){.role = slot->role, .flags = t->flags};
  if (slot->takes == OG_TAKES_ATTR) {
    out->kind = OG_OPERAND_IMMEDIATE;
    out->value = (uint64_t)t->value & 255;
    m->inst.operands[m->inst.operand_count++] = (struct og_operand){.role = OG_ROLE_ATTR_CHANNEL, .kind = OG_OPERAND_IMMEDIATE, .value = (uint64_t)t->value >> 8};
    return t->kind == OG_TEXT_SPECIAL ? NULL : invalid;
  }
  if (slot->takes == OG_TAKES_VCC) {
    out->kind = OG_OPERAND_SPECIAL;
    out->reg = OG_SPECIAL_VCC_LO;
    out->dwords = as->target.wave_size == 32 ? 1 : 2;
    return t->kind == OG_TEXT_REGISTER && t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_VCC_LO && t->dwords == out->dwords && !t->flags ? NULL : invalid;
  }
  if (slot->takes > OG_TAKES_VCC && slot->takes != OG_TAKES_OFF)
    return match_immediate(form, slot, t, out, m);
  if (t->twice_negative && slot->flags & OG_SLOT_NEG_ABS)
    return "invalid syntax, expected 'neg' modifier";
  bool whole = t->flags == OG_SEXT && (t->kind == OG_TEXT_INTEGER || t->kind == OG_TEXT_REAL) && integer_vector(form, slot);
  if (whole && !(slot->flags & OG_SLOT_SEXT))
    out->flags = 0; /* there is nothing to extend */
  else if ((t->flags & (OG_NEG | OG_ABS) && !takes_signs(form, slot, t)) || (t->flags & OG_SEXT && !(slot->flags & OG_SLOT_SEXT)))
    return "not a valid operand.";
  switch (t->kind) {
  case OG_TEXT_REGISTER: return match_register(as, form, slot, t, out) ? NULL : invalid;
  case OG_TEXT_INTEGER: case OG_TEXT_REAL: return match_constant(as, form, slot, t, out, m);
  case OG_TEXT_EXPR:
    if (!(takes_sets[slot->takes] & TAKES_LITERAL) || !form->literal_ok || m->expr || slot->flags & (OG_SLOT_NEG_ABS | OG_SLOT_SEXT) || (type_bits(slot->type) == 16 && !(slot->type == OG_TYPE_V2I16 && has_prefix(form->name, "v_dot"))))
      return invalid;
    if (type_bits(slot->type) == 64 && slot->dwords != 1 && !(takes_literal64(as, form) && form->encoding <= OG_ENC_SOPC))
      return invalid;
    out->kind = OG_OPERAND_LITERAL;
    out->reg = type_bits(slot->type) == 64 && slot->dwords != 1 ? 254 : 255;
    m->expr = t->expr;
    m->expr_operand = t;
    m->literal_size = out->reg == 254 ? 8 : 4;
    out->flags |= out->reg == 254 ? OG_PLAIN : 0;
    return NULL;
  case OG_TEXT_OFF:
    out->kind = OG_OPERAND_OFF;
    return form->encoding == OG_ENC_EXP ? NULL : invalid;
  default: return invalid;
  }
}

/* ---- modifiers ----------------------------------------------------------------------------------------------------------------- */

static const struct og_mod_slot *mod_slot(const struct og_shape *shape, unsigned mod) {
  for (unsigned i = 0; i < shape->mod_count; i++)
    if (shape->mods[i].mod == mod)
      return &shape->mods[i];
  return NULL;
}

static const char *check_offset(struct og_asm *as, const struct candidate *c, int32_t value) {
  const struct og_mod_slot *slot = mod_slot(c->shape, OG_MOD_OFFSET);
  unsigned width = 0;
  for (unsigned i = 0; slot && i < OG_COUNT(slot->pieces); i++)
    width += slot->pieces[i].width;
  for (unsigned i = 0; !slot && i < c->shape->slot_count; i++)
    if (c->shape->slots[i].takes == OG_TAKES_OFFSET)
      width = slot_width(&c->shape->slots[i]);
  const struct og_processor *p = as->target.processor;
  bool is_signed = false;
  if (c->form->encoding == OG_ENC_FLAT) {
    is_signed = strncmp(c->form->name, "flat_", 5) != 0 || p->major >= 12;
    if (!is_signed && width > 1)
      width--;
  } else if (c->form->encoding == OG_ENC_SMEM) {
    is_signed = p->major >= 9 && !strstr(c->form->name, "buffer");
    if (p->major >= 9 && p->major < 12 && !is_signed)
      width = OG_MIN(width, 20u);
  }
  if (c->form->encoding == OG_ENC_SMEM && p->major >= 12 && strstr(c->form->name, "buffer"))
    return value >= 0 && value < 1 << 23 ? NULL : "expected a 23-bit unsigned offset for buffer ops";
  int64_t low = is_signed ? -(INT64_C(1) << (width - 1)) : 0, high = is_signed ? (INT64_C(1) << (width - 1)) - 1 : (INT64_C(1) << width) - 1;
  if (!width || (value >= low && value <= high))
    return NULL;
  return og_arena_printf(as->arena, "expected a%s %u-bit %s offset%s", width == 8 || width == 11 ? "n" : "", width,
                         is_signed ? "signed" : "unsigned", width == 23 ? " for buffer ops" : "");
}

/* Bits of the value that the form can hold. */
static bool holds(const struct og_mod_slot *slot, int32_t value) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < OG_COUNT(slot->pieces) && slot->pieces[i].width; i++)
    mask |= ((UINT64_C(1) << slot->pieces[i].width) - 1) << slot->pieces[i].to;
  return (!mask && slot->mod != OG_MOD_CPOL) || !((uint64_t)(uint32_t)value & ~mask);
}

/* op_sel as written has the destination's bit behind the sources'; ours is always bit 3. */
static int32_t op_sel_value(const struct og_shape *shape, int32_t value) {
  if (shape->flags & 4) /* op_sel_hi: none for the destination */
    return value;
  int sources = shape->flags >> 4;
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (shape->slots[i].role >= OG_ROLE_SRC0 && shape->slots[i].role <= OG_ROLE_SRC2 && shape->slots[i].takes != OG_TAKES_VCC)
      sources = OG_MAX(sources, shape->slots[i].role - OG_ROLE_SRC0 + 1);
  return (value & ((1 << sources) - 1)) | (value >> sources & 1) << 3;
}

static const char *wrong_cache_policy(const struct og_asm *as, const struct candidate *c, int32_t value) {
  enum og_generation g = as->target.processor->generation;
  if (c->form->encoding == OG_ENC_SMEM)
    return "invalid cache policy for SMEM instruction";
  if (c->form->row_flags & OG_FLAG_ATOMIC && value & OG_CPOL_GLC && as->target.processor->major < 12)
    return g == OG_GFX942 || g == OG_GFX950 ? "instruction must not use sc0" : "instruction must not use glc";
  return "invalid operand for instruction";
}

static bool match_modifiers(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, struct match *m, struct failure *f) {
  uint64_t given[2] = {0, 0};
  unsigned progress = text->operand_count + 1, place = 0;
  const struct og_text_modifier *before = NULL;
  for (uint32_t i = 0; i < text->modifier_count; i++) {
    const struct og_text_modifier *t = &text->modifiers[i];
    progress++;
    const struct og_mod_slot *slot = mod_slot(c->shape, t->mod);
    bool hidden = t->mod == OG_MOD_OMOD && !c->plan->order[t->mod];
    if ((!slot || hidden) && !has_bit(c->plan->requires, t->mod))
      return fail(f, progress, t->at, t->end, t->mod == OG_MOD_DPP_CTRL || t->mod == OG_MOD_ROW_MASK || t->mod == OG_MOD_BANK_MASK || t->mod == OG_MOD_BOUND_CTRL ? "not a valid operand." : "invalid operand for instruction");
    int32_t value = t->value;
    if (t->mod == OG_MOD_CPOL)
      value &= ~(OG_TH_KINDS | (c->plan->forces_glc ? OG_CPOL_GLC : 0));
    if (t->mod == OG_MOD_OP_SEL && slot)
      value = op_sel_value(c->shape, value);
    if (t->mod == OG_MOD_FORMAT && value & (OG_FORMAT_HAS_DATA | OG_FORMAT_HAS_NUMBER))
      value = (value & 0x7f) | !(value & OG_FORMAT_HAS_DATA);
    const char *wrong = t->mod == OG_MOD_OFFSET && slot->style != 1 ? check_offset(as, c, value) : NULL;
    if (!wrong && slot && t->mod != OG_MOD_OFFSET && !holds(slot, value))
      wrong = t->mod == OG_MOD_CPOL ? wrong_cache_policy(as, c, value) : "invalid operand for instruction";
    if (wrong)
      return fail(f, progress + 50, t->at, t->end, wrong);
    m->inst.mod[t->mod] = t->mod == OG_MOD_CPOL ? t->value & ~OG_TH_KINDS : value;
    set_bit(given, t->mod);
    unsigned own = c->plan->order[t->mod];
    if (own && own < place)
      return fail(f, progress + 50, t->at, t->end, og_arena_printf(as->arena, "not a valid operand.: must stand before %.*s", (int)strcspn(before->at, ": \t\n"), before->at));
    if (own) {
      place = own;
      before = t;
    }
  }
  if ((c->plan->requires[0] & ~given[0]) | (c->plan->requires[1] & ~given[1]))
    return fail(f, 0, NULL, NULL, "too few operands for instruction");
  if (c->plan->forces_glc && !(m->inst.mod[OG_MOD_CPOL] & OG_CPOL_GLC))
    return fail(f, progress, NULL, NULL, as->target.processor->major >= 12 ? "instruction must use th:TH_ATOMIC_RETURN" : as->target.processor->generation == OG_GFX942 || as->target.processor->generation == OG_GFX950 ? "instruction must use sc0" : "instruction must use glc");
  if ((c->form->variant == OG_VARIANT_DPP16 && !has_bit(given, OG_MOD_DPP_CTRL)) || (c->form->variant == OG_VARIANT_DPP8 && !has_bit(given, OG_MOD_DPP8)))
    return fail(f, 0, NULL, NULL, "too few operands for instruction");
  static const struct { uint8_t mod; int32_t value; } defaults[] = {{OG_MOD_ROW_MASK, 15}, {OG_MOD_BANK_MASK, 15}, {OG_MOD_DST_SEL, 6},
      {OG_MOD_DST_UNUSED, 2}, {OG_MOD_SRC0_SEL, 6}, {OG_MOD_SRC1_SEL, 6}, {OG_MOD_FORMAT, 1}};
  for (size_t i = 0; i < OG_COUNT(defaults); i++)
    if (!has_bit(given, defaults[i].mod) && has_bit(c->plan->accepts, defaults[i].mod))
      m->inst.mod[defaults[i].mod] = defaults[i].value;
  if (!has_bit(given, OG_MOD_OP_SEL_HI) && has_bit(c->plan->accepts, OG_MOD_OP_SEL_HI) && !(c->shape->flags & 8)) /* mixed: 0 */
    m->inst.mod[OG_MOD_OP_SEL_HI] = 7;
  return true;
}

/* ---- whole instructions ------------------------------------------------------------------------------------------------------------ */

/* From gfx11 on op_sel follows from the halves that the operands name, and may not contradict them. */
static bool match_halves(const struct candidate *c, const struct og_inst_text *text, struct match *m, struct failure *f) {
  if (c->form->encoding != OG_ENC_VOP3 || !mod_slot(c->shape, OG_MOD_OP_SEL))
    return true;
  int32_t given = m->inst.mod[OG_MOD_OP_SEL];
  for (unsigned i = 0; i < c->plan->count && i < text->operand_count; i++) {
    const struct og_text_operand *t = &text->operands[i];
    const struct og_slot *slot = c->plan->slots[i] == PLAN_OFF ? NULL : &c->shape->slots[c->plan->slots[i]];
    if (!slot || !(slot->flags & OG_SLOT_HALF) || !t->half)
      continue;
    int32_t bit = slot->role == OG_ROLE_VDST ? 8 : slot->role == OG_ROLE_SRC1 ? 2 : slot->role == OG_ROLE_SRC2 ? 4 : 1;
    bool high = t->flags & OG_HALF_HI;
    if (given && high != !!(given & bit))
      return fail(f, 100, t->at, t->end, "op_sel operand conflicts with 16-bit operand suffix");
    m->inst.mod[OG_MOD_OP_SEL] |= high ? bit : 0;
  }
  return true;
}

static bool match_form(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, struct match *m, struct failure *f) {
  m->inst.operand_count = 0;
  m->expr = NULL;
  m->wide_real = false;
  memset(m->inst.mod, 0, sizeof m->inst.mod);
  if (text->addresses != (c->plan->addresses ? c->plan->addresses + 1u : 0u))
    return fail(f, 1, text->operands[1].at, text->operands[1].end, "invalid operand for instruction");
  for (unsigned i = 0; i < c->plan->count; i++) {
    unsigned s = c->plan->slots[i];
    const struct og_slot *slot = s == PLAN_OFF ? NULL : &c->shape->slots[s];
    if (i >= text->operand_count) {
      if (slot && slot->takes == OG_TAKES_OFFSET && c->form->encoding == OG_ENC_SMEM && i <= 2)
        continue;
      if (!slot || slot->takes != OG_TAKES_ENDPGM)
        return fail(f, i, NULL, NULL, "too few operands for instruction");
      m->inst.operands[m->inst.operand_count++] = (struct og_operand){.role = slot->role, .kind = OG_OPERAND_IMMEDIATE};
      continue;
    }
    const struct og_text_operand *t = &text->operands[i];
    const char *wrong = slot ? match_slot(as, c->form, slot, t, m) : t->kind == OG_TEXT_OFF ? NULL : "invalid operand for instruction";
    if (!wrong && slot && slot->takes == OG_TAKES_OFFSET && (wrong = check_offset(as, c, m->inst.mod[OG_MOD_OFFSET])))
      return fail(f, i + 100, t->at, t->end, wrong);
    if (wrong)
      return fail(f, i + 1, t->at, t->end, wrong);
  }
  if (text->operand_count > c->plan->count) {
    const struct og_text_operand *t = &text->operands[c->plan->count];
    return fail(f, c->plan->count + 1u, t->at, t->end, "invalid operand for instruction");
  }
  m->inst.form = c->id;
  m->inst.row = c->form->row;
  m->inst.encoding = c->form->encoding;
  m->inst.variant = c->form->variant;
  return match_modifiers(as, c, text, m, f) && match_halves(c, text, m, f);
}

/* A compressed export has two registers, written twice each; the first and the third count. */
static void finish_export(struct match *m) {
  struct og_operand *sources = &m->inst.operands[1];
  for (unsigned i = 0; m->inst.mod[OG_MOD_COMPR] && i < 4; i += 2) {
    sources[i + 1].kind = sources[i].kind;
    sources[i + 1].reg = sources[i].reg;
  }
}

/* How many scalar values an instruction of the vector ALU may read. */
static bool within_constant_bus(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, const struct match *m) {
  unsigned encoding = c->form->encoding;
  if (encoding < OG_ENC_VOP1 || encoding > OG_ENC_VOP3P)
    return true;
  unsigned limit = as->target.processor->major >= 10 ? 2 : 1, count = 0;
  uint32_t seen[8];
  bool names_vcc = false; /* what is read without being named counts too */
  for (unsigned i = 0; i < c->plan->count; i++)
    names_vcc |= c->plan->slots[i] != PLAN_OFF && c->shape->slots[c->plan->slots[i]].takes == OG_TAKES_VCC;
  if (c->form->reads & OG_IMPLICIT_VCC && !names_vcc)
    seen[count++] = (uint32_t)OG_OPERAND_SPECIAL << 16 | OG_SPECIAL_VCC_LO | (as->target.wave_size == 32 ? 1u : 2u) << 24;
  if (c->form->reads & OG_IMPLICIT_M0)
    seen[count++] = (uint32_t)OG_OPERAND_SPECIAL << 16 | OG_SPECIAL_M0 | 1u << 24;
  if (limit == 2 && (!strncmp(c->form->name, "v_lshlrev_b64", 13) || !strncmp(c->form->name, "v_lshrrev_b64", 13) || !strncmp(c->form->name, "v_ashrrev_i64", 13)) && as->target.processor->major < 12)
    limit = 1;
  const struct og_text_operand *last = NULL;
  for (unsigned i = 0; i < c->plan->count && i < text->operand_count; i++) {
    unsigned s = c->plan->slots[i];
    if (s == PLAN_OFF || c->shape->slots[s].flags & OG_SLOT_WRITE)
      continue;
    const struct og_operand *o = og_operand(&m->inst, c->shape->slots[s].role);
    if (!o)
      continue;
    uint32_t key;
    if (o->kind == OG_OPERAND_SGPR || o->kind == OG_OPERAND_TTMP || (o->kind == OG_OPERAND_SPECIAL && o->reg != OG_SPECIAL_NULL && o->reg != OG_SPECIAL_LDS_DIRECT))
      key = (uint32_t)o->kind << 16 | o->reg | (uint32_t)o->dwords << 24; /* vcc and vcc_lo are two values */
    else if (o->kind == OG_OPERAND_LITERAL || c->shape->slots[s].takes == OG_TAKES_KIMM)
      key = UINT32_MAX;
    else
      continue;
    unsigned k = 0;
    while (k < count && seen[k] != key)
      k++;
    if (k == count && count < OG_COUNT(seen)) {
      seen[count++] = key;
      last = &text->operands[i];
    }
  }
  return count <= limit || !last || og_asm_error(as, last->at, (size_t)(last->end - last->at), "invalid operand (violates constant bus restrictions)");
}

static bool one_literal(struct og_asm *as, const struct og_inst_text *text, const struct match *m) {
  const struct og_operand *first = NULL;
  for (unsigned i = 0; i < m->inst.operand_count; i++) {
    const struct og_operand *o = &m->inst.operands[i];
    bool constant = o->role == OG_ROLE_SIMM && m->inst.encoding == OG_ENC_VOP2;
    if (o->kind != OG_OPERAND_LITERAL && !constant)
      continue;
    if (first && (first->value != o->value || m->expr)) {
      const struct og_text_operand *t = &text->operands[OG_MIN(i, text->operand_count - 1)];
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "only one unique literal operand is allowed");
    }
    first = o;
  }
  return true;
}

static const struct og_text_operand *operand_text(const struct candidate *c, const struct og_inst_text *text, enum og_role role) {
  for (unsigned i = 0; i < c->plan->count && i < text->operand_count; i++)
    if (c->plan->slots[i] != PLAN_OFF && c->shape->slots[c->plan->slots[i]].role == role)
      return &text->operands[i];
  return &text->operands[0];
}

/* Image data has a register for each component that dmask enables, halved where packed, and one for TFE. */
static bool image_size_fits(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, const struct match *m) {
  if (c->form->encoding != OG_ENC_MIMG || !has_bit(c->plan->accepts, OG_MOD_DMASK))
    return true;
  unsigned dmask = (unsigned)m->inst.mod[OG_MOD_DMASK] & 15, count = OG_MAX((unsigned)__builtin_popcount(dmask), 1u);
  const struct og_operand *data = og_operand(&m->inst, OG_ROLE_VDATA);
  if (!data)
    data = og_operand(&m->inst, OG_ROLE_VDST);
  if (!data || !data->dwords)
    return true;
  const struct og_text_operand *t = operand_text(c, text, data->role);
  if (c->form->row_flags & OG_FLAG_ATOMIC && dmask != 1 && dmask != 3 && dmask != 15)
    return og_asm_error(as, t->at, (size_t)(t->end - t->at), "invalid atomic image dmask");
  if (c->form->row_flags & OG_FLAG_GATHER4) {
    if (dmask == 0 || dmask & (dmask - 1)) {
      t = &text->operands[0];
      for (uint32_t i = 0; i < text->modifier_count; i++)
        if (text->modifiers[i].mod == OG_MOD_DMASK)
          return og_asm_error(as, text->modifiers[i].at, (size_t)(text->modifiers[i].end - text->modifiers[i].at), "invalid image_gather dmask: only one bit must be set");
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "invalid image_gather dmask: only one bit must be set");
    }
    count = 4;
  }
  if (m->inst.mod[OG_MOD_D16] && as->target.processor->major >= 9)
    count = (count + 1) / 2;
  count += m->inst.mod[OG_MOD_TFE] != 0;
  return data->dwords == count || og_asm_error(as, t->at, (size_t)(t->end - t->at), has_bit(c->plan->accepts, OG_MOD_D16) ? "image data size does not match dmask, d16 and tfe" : "image data size does not match dmask and tfe");
}

/* Image addresses from gfx10 on: what the name asks for, coordinates and gradients by the dimension. */
static unsigned image_address_words(const char *name, unsigned dim, bool a16) {
  static const uint8_t coordinates[] = {1, 2, 3, 3, 2, 3, 3, 4}, gradients[] = {2, 4, 6, 4, 2, 4, 4, 4};
  bool sample = has_prefix(name, "image_sample") || has_prefix(name, "image_gather4") || !strcmp(name, "image_get_lod");
  bool g16 = strstr(name, "_g16") != NULL, gradient = false, lod = strstr(name, "_mip") || !strcmp(name, "image_get_resinfo");
  unsigned words = 0, components = strcmp(name, "image_get_resinfo") ? coordinates[dim & 7] : 0;
  for (const char *p = sample ? strchr(name + 6, '_') : NULL; p && strcmp(name, "image_get_lod"); p = strchr(p + 1, '_')) {
    size_t size = strcspn(p + 1, "_");
    struct og_text part = {p + 1, size};
    words += og_text_is(part, "c") || og_text_is(part, "b") || og_text_is(part, "o");
    lod |= og_text_is(part, "l") || og_text_is(part, "cl");
    gradient |= og_text_is(part, "d") || og_text_is(part, "cd");
  }
  components += lod;
  words += a16 ? (components + 1) / 2 : components;
  if (gradient)
    words += g16 ? (gradients[dim & 7] / 2 + 1) / 2 * 2u : gradients[dim & 7];
  return words;
}

/* Node (64 bits in bvh64), extent, origin, direction and its inverse. */
static unsigned ray_address_words(const char *name, bool a16) { return (a16 ? 8u : 11u) + (strstr(name, "bvh64") != NULL); }

static bool image_address_fits(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, const struct match *m) {
  bool ray = has_prefix(c->form->name, "image_bvh") && strstr(c->form->name, "_intersect_ray") && has_bit(c->plan->accepts, OG_MOD_A16);
  if (c->form->encoding != OG_ENC_MIMG || as->target.processor->major < 10 || (!ray && !has_bit(c->plan->accepts, OG_MOD_DIM)))
    return true;
  bool has_dim = ray;
  for (uint32_t i = 0; i < text->modifier_count; i++)
    has_dim |= text->modifiers[i].mod == OG_MOD_DIM;
  if (!has_dim)
    return og_asm_error(as, text->operands[0].at, 1, "missing dim operand");
  unsigned actual = 0, wanted = ray ? ray_address_words(c->form->name, m->inst.mod[OG_MOD_A16] != 0) : image_address_words(c->form->name, (unsigned)m->inst.mod[OG_MOD_DIM], m->inst.mod[OG_MOD_A16] != 0);
  bool several = false;
  for (unsigned i = 0; i < m->inst.operand_count; i++) {
    const struct og_operand *o = &m->inst.operands[i];
    if (o->role != OG_ROLE_VADDR && (o->role < OG_ROLE_VADDR1 || o->role > OG_ROLE_VADDR12))
      continue;
    several |= o->role == OG_ROLE_VADDR1;
    actual += o->dwords;
  }
  if (!several && wanted > 12)
    wanted = 16;
  if (actual == wanted || (ray && !several && wanted > 8 && actual == 16) || (!ray && !several && actual == 8 && wanted >= 5 && wanted <= 7))
    return true;
  const struct og_text_operand *t = operand_text(c, text, OG_ROLE_VADDR);
  return og_asm_error(as, t->at, (size_t)(t->end - t->at), ray ? "image address size does not match a16" : "image address size does not match dim and a16");
}

static bool tfe_makes_sense(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, const struct match *m) {
  if (!m->inst.mod[OG_MOD_TFE] || (c->form->row_flags & (OG_FLAG_LOAD | OG_FLAG_STORE)) != OG_FLAG_STORE || (c->form->encoding != OG_ENC_MUBUF && c->form->encoding != OG_ENC_MTBUF))
    return true;
  for (uint32_t i = 0; i < text->modifier_count; i++)
    if (text->modifiers[i].mod == OG_MOD_TFE)
      return og_asm_error(as, text->modifiers[i].at, 3, "TFE modifier has no meaning for store instructions");
  return true;
}

static const char *wrong_hint(const struct og_form *form, int32_t value) {
  int32_t hint = value & 7, scope = value >> 3 & 3;
  if (!hint || !(value & OG_TH_KINDS))
    return NULL;
  if (form->encoding == OG_ENC_SMEM && hint >= 4 && hint <= 6)
    return "invalid th value for SMEM instruction";
  if (hint == 3 && !(value & OG_TH_ATOMIC) && (scope == 3) != !!(value & OG_TH_BYPASS))
    return "scope and th combination is not valid";
  if (form->row_flags & OG_FLAG_ATOMIC)
    return value & OG_TH_ATOMIC ? NULL : "invalid th value for atomic instructions";
  if ((form->row_flags & (OG_FLAG_LOAD | OG_FLAG_STORE)) == OG_FLAG_STORE || strstr(form->name, "_store_"))
    return value & OG_TH_STORE ? NULL : "invalid th value for store instructions";
  return value & OG_TH_LOAD ? NULL : "invalid th value for load instructions";
}

/* Matrices of small floats and integers have signs for some of their sources only. */
static const char *wrong_negation(const struct candidate *c, const struct og_text_modifier *t) {
  unsigned bit = t->mod == OG_MOD_NEG_HI, given = 0;
  if (!strstr(c->form->name, "mma") && !has_prefix(c->form->name, "v_dot4_f32_"))
    return NULL;
  for (unsigned i = 0; i < c->shape->slot_count; i++) {
    const struct og_slot *slot = &c->shape->slots[i];
    for (unsigned k = 0; slot->role >= OG_ROLE_SRC0 && slot->role <= OG_ROLE_SRC2 && k < OG_COUNT(slot->modifiers); k++)
      if (slot->modifiers[k].width && slot->modifiers[k].to == bit)
        given |= 1u << (slot->role - OG_ROLE_SRC0);
  }
  return (unsigned)t->value & ~given & 7 ? bit ? "invalid neg_hi operand" : "invalid neg_lo operand" : NULL;
}

/* Modifiers that the encoding has a bit for but the processor does not know. */
static bool modifiers_allowed(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text) {
  const struct og_processor *p = as->target.processor;
  bool gfx90a = p->generation == OG_GFX90A || p->generation == OG_GFX942 || p->generation == OG_GFX950;
  const char *name = c->form->name, *type = strrchr(name, '_');
  bool integer = !has_prefix(name, "v_cvt_f") && !has_prefix(name, "v_cvt_off") && (has_prefix(name, "v_cmp") || has_prefix(name, "v_frexp_exp_i") || has_prefix(name, "v_cvt_") || (type && (type[1] == 'i' || (type[1] == 'u' && type[2] != 'b'))));
  for (uint32_t i = 0; i < text->modifier_count; i++) {
    const struct og_text_modifier *t = &text->modifiers[i];
    const char *wrong = t->mod == OG_MOD_CPOL ? wrong_hint(c->form, t->value) : t->mod == OG_MOD_NEG_LO || t->mod == OG_MOD_NEG_HI ? wrong_negation(c, t) : NULL;
    bool double_matrix = strstr(name, "f64") != NULL && (p->generation == OG_GFX942 || p->generation == OG_GFX950), negates = t->at[0] == 'n';
    if (t->mod == OG_MOD_BLGP && negates != double_matrix)
      wrong = negates ? "invalid modifier: neg is not supported" : "invalid modifier: blgp is not supported";
    else if (t->mod == OG_MOD_OFFSET && t->value < 0 && c->form->encoding == OG_ENC_DS)
      wrong = "expected a 16-bit offset";
    else if ((t->mod == OG_MOD_OP_SEL ? t->value != 0 : t->mod == OG_MOD_OP_SEL_HI && t->value != 7) && has_prefix(name, "v_dot") && (p->generation == OG_GFX942 || p->generation == OG_GFX950))
      wrong = "invalid op_sel operand";
    else if ((!strcmp(name, "v_dot2_f16_f16") || !strcmp(name, "v_dot2_bf16_bf16")) && t->mod == OG_MOD_OP_SEL && t->value & 3)
      wrong = "invalid op_sel operand";
    else if (has_prefix(name, "v_permlane") && t->mod == OG_MOD_OP_SEL && t->value & ~3)
      wrong = "invalid op_sel operand";
    else if (t->mod == OG_MOD_GDS && t->value && (gfx90a || p->major >= 12) && !has_prefix(name, "ds_gws_"))
      wrong = "gds modifier is not supported on this GPU";
    else if (t->mod == OG_MOD_OFFSET && t->value && c->form->encoding == OG_ENC_FLAT && p->major < 9)
      wrong = "flat offset modifier is not supported on this GPU";
    else if (t->mod == OG_MOD_CLAMP && t->value && p->major < 8 && integer)
      wrong = "integer clamping is not supported on this GPU";
    else if (t->mod == OG_MOD_D16 && t->value && p->major < 8)
      wrong = "d16 modifier is not supported on this GPU";
    else if (t->mod == OG_MOD_FORMAT && text->operand_count && !(t->value & (OG_FORMAT_HAS_DATA | OG_FORMAT_HAS_NUMBER)) != (t->at > text->operands[text->operand_count - 1].at) && p->major < 10)
      wrong = t->value & (OG_FORMAT_HAS_DATA | OG_FORMAT_HAS_NUMBER) ? "not a valid operand.: dfmt and nfmt stand before the scalar offset" : "not a valid operand.: format stands behind the scalar offset";
    if (wrong)
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "%s", wrong);
  }
  return true;
}

/* Large matrices are written while they are read: what is added must be the result itself or none of it. */
static bool matrix_apart(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, const struct match *m) {
  const struct og_operand *d = og_operand(&m->inst, OG_ROLE_VDST), *a = og_operand(&m->inst, OG_ROLE_SRC2);
  if (!has_prefix(c->form->name, "v_mfma_") || !d || !a || d->kind != a->kind || d->dwords <= 4 || d->reg == a->reg)
    return true;
  const struct og_text_operand *t = operand_text(c, text, OG_ROLE_SRC2);
  bool overlap = d->reg < a->reg + a->dwords && a->reg < d->reg + d->dwords;
  return !overlap || og_asm_error(as, t->at, (size_t)(t->end - t->at), "source 2 operand must not partially overlap with dst");
}

/* Rules about registers that no operand's class tells. */
static bool registers_allowed(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text) {
  enum og_generation generation = as->target.processor->generation;
  bool even = generation == OG_GFX90A || generation == OG_GFX942 || generation == OG_GFX950 || generation >= OG_GFX1250;
  for (unsigned i = 0; i < c->plan->count && i < text->operand_count; i++) {
    const struct og_text_operand *t = &text->operands[i];
    if (has_prefix(c->form->name, "v_div_scale_") && t->flags & OG_ABS)
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "ABS not allowed in VOP3B instructions");
    bool constant = t->kind == OG_TEXT_INTEGER || t->kind == OG_TEXT_REAL;
    if (generation == OG_GFX908 && constant && has_prefix(c->form->name, "v_mfma_"))
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "inline constants are not allowed for this operand");
    if (has_prefix(c->form->name, "v_movrels") && c->form->variant == OG_VARIANT_SDWA && (constant || (t->kind == OG_TEXT_REGISTER && t->register_kind != OG_OPERAND_VGPR)))
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "source operand must be a VGPR");
    if (t->kind != OG_TEXT_REGISTER)
      continue;
    if (i == 0 && has_prefix(c->form->name, "s_waitcnt_") && !(t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_NULL) && as->target.processor->major >= 11)
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "src0 must be null");
    bool vector = t->register_kind == OG_OPERAND_VGPR || t->register_kind == OG_OPERAND_AGPR;
    if (even && vector && t->reg & 1 && has_prefix(c->form->name, "ds_gws_"))
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "vgpr must be even aligned");
    if (even && vector && t->dwords > 1 && t->reg & 1 && !t->is_list)
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "invalid register class: vgpr tuples must be 64 bit aligned");
    if (t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_LDS_DIRECT && (strstr(c->form->name, "rev_") || c->form->variant == OG_VARIANT_SDWA))
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "lds_direct cannot be used with this instruction");
    if (even && generation < OG_GFX1250 && vector && t->reg & 1 && !strncmp(c->form->name, "ds_gws_", 7))
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "vgpr must be even aligned");
  }
  return true;
}

/* One field has two names: neg where gfx942 multiplies doubles, blgp elsewhere. */
static bool matrix_word_allowed(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text) {
  bool gfx940 = as->target.processor->generation == OG_GFX942 || as->target.processor->generation == OG_GFX950;
  const char *right = gfx940 && strstr(c->form->name, "f64") ? "neg" : "blgp";
  for (uint32_t i = 0; i < text->modifier_count; i++) {
    const struct og_text_modifier *t = &text->modifiers[i];
    if (t->mod == OG_MOD_BLGP && *t->at != *right)
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "invalid modifier: %s is not supported", *right == 'n' ? "blgp" : "neg");
  }
  return true;
}

/* Across the lanes of two registers at once: up to gfx908 no 64-bit source; where there is an ALU for doubles, one lane of each row for all. */
static bool wide_dpp_allowed(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, const struct match *m) {
  enum og_generation generation = as->target.processor->generation;
  bool newbcast = generation == OG_GFX90A || generation == OG_GFX942 || generation == OG_GFX950, only_share = newbcast || generation == OG_GFX1251;
  if (c->form->variant != OG_VARIANT_DPP16 || (as->target.processor->major > 9 && !only_share))
    return true;
  for (unsigned i = 0; i < c->plan->count && i < text->operand_count; i++) {
    const struct og_text_operand *t = &text->operands[i];
    if (t->kind != OG_TEXT_REGISTER || t->register_kind != OG_OPERAND_VGPR || t->dwords < 2)
      continue;
    if (!only_share && !(c->shape->slots[c->plan->slots[i]].flags & OG_SLOT_WRITE))
      return og_asm_error(as, t->at, (size_t)(t->end - t->at), "invalid operand for instruction");
    for (uint32_t k = 0; only_share && k < text->modifier_count; k++)
      if (text->modifiers[k].mod == OG_MOD_DPP_CTRL && (m->inst.mod[OG_MOD_DPP_CTRL] & 0x1f0) != 0x150)
        return og_asm_error(as, text->modifiers[k].at, (size_t)(text->modifiers[k].end - text->modifiers[k].at), "DP ALU dpp only supports %s", newbcast ? "row_newbcast" : "row_share");
  }
  return true;
}

/* Symbols that follow the registers used: one more than the highest. */
static void count_registers(struct og_asm *as, const struct og_inst *inst) {
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *o = &inst->operands[i];
    struct og_asm_symbol *s = o->kind == OG_OPERAND_VGPR || o->kind == OG_OPERAND_AGPR ? as->next_free_vgpr : o->kind == OG_OPERAND_SGPR ? as->next_free_sgpr : NULL;
    int64_t end = o->reg + OG_MAX(o->dwords, 1);
    if (s && !s->expr && s->value < end)
      s->value = end;
  }
}

/* ---- the listing ------------------------------------------------------------------------------------------------------------------- */

static const uint32_t placeholder = 0x7fa5c3d1; /* stands for an expression's literal until it is printed */

static bool print_label(void *context, uint64_t address, struct og_buffer *out) {
  struct og_asm *as = ((void **)context)[0];
  const struct match *m = ((void **)context)[1];
  (void)address;
  if (!m->expr)
    return false;
  og_asm_print_expr(as, m->expr, out);
  return true;
}

static void replace_placeholder(struct og_asm *as, const struct match *m, struct og_buffer *text) {
  char needle[16];
  int size = __builtin_sprintf(needle, "0x%x", placeholder);
  uint8_t *found = text->data ? memmem(text->data, text->size, needle, (size_t)size) : NULL;
  if (!found)
    return;
  struct og_buffer tail = {0};
  og_buffer_append(&tail, found + size, (size_t)(text->data + text->size - found - size));
  text->size = (size_t)(found - text->data);
  og_asm_print_expr(as, m->expr, text);
  og_buffer_append(text, tail.data, tail.size);
  og_buffer_free(&tail);
}

static void list(struct og_asm *as, const struct match *m, const uint8_t *bytes, size_t size) {
  const struct og_isa *isa = og_isa_for(&as->target);
  struct og_buffer text = {0}, *out = as->options->listing;
  void *context[] = {as, (void *)(uintptr_t)m};
  bool branch = m->expr && og_operand(&m->inst, OG_ROLE_SIMM) && m->inst.encoding != OG_ENC_VOP2;
  struct og_symbolizer symbolizer = {print_label, context, 0};
  struct og_inst inst = m->inst;
  for (unsigned i = 0; m->expr && !branch && i < inst.operand_count; i++)
    if (inst.operands[i].kind == OG_OPERAND_LITERAL)
      inst.operands[i].value = placeholder;
  og_print_inst(isa, &inst, branch ? &symbolizer : NULL, &text);
  if (m->expr && !branch)
    replace_placeholder(as, m, &text);
  og_buffer_printf(out, "\t%.*s", (int)text.size, (const char *)text.data);
  if (as->options->show_encoding) {
    og_buffer_printf(out, "%*s", text.size < 40 ? (int)(40 - text.size) : 1, "");
    og_buffer_text(out, "; encoding: [");
    size_t from = branch ? 0 : size - m->literal_size, to = !m->expr ? 0 : branch ? 2 : size;
    for (size_t i = 0; i < size; i++) {
      if (m->expr && i >= from && i < to)
        og_buffer_printf(out, "%sA", i ? "," : "");
      else
        og_buffer_printf(out, "%s0x%02x", i ? "," : "", bytes[i]);
    }
    og_buffer_text(out, "]");
    if (m->expr) {
      og_buffer_printf(out, "\n                                        ;   fixup A - offset: %zu, value: ", from);
      og_asm_print_expr(as, m->expr, out);
      og_buffer_printf(out, ", kind: %s", branch ? "fixup_si_sopp_br" : "FK_PCRel_4");
    }
  }
  og_buffer_u8(out, '\n');
  og_buffer_free(&text);
}

/* ---- from text to bytes ---------------------------------------------------------------------------------------------------------------- */

/* The names of a register and of a modifier: a register behind a comma while operands are missing. */
static bool is_register_too(const struct og_asm *as) {
  return (!strncmp(as->p, "a16", 3) || !strncmp(as->p, "scc", 3)) && !og_asm_name_char(as->p[3]);
}

/* "::" and the name behind it, which is known already. */
static bool skip_second_name(struct og_asm *as) {
  if (as->p[0] != ':' || as->p[1] != ':')
    return false;
  as->p += 2;
  og_asm_space(as);
  og_asm_word(as);
  return true;
}

/* Image addresses that need not follow each other: an operand for each. */
static bool spread_addresses(struct og_inst_text *text) {
  struct og_text_operand list = text->operands[text->operand_count - 1];
  if (list.list_count + text->operand_count > OG_TEXT_OPERANDS)
    return false;
  text->addresses = list.list_count;
  text->operand_count--;
  for (unsigned i = 0; i < list.list_count; i++) {
    struct og_text_operand *t = &text->operands[text->operand_count++];
    *t = list;
    t->is_list = false;
    t->list_count = 0;
    t->reg = list.list[i];
    t->dwords = list.list_dwords[i];
  }
  return true;
}

static bool read_text(struct og_asm *as, const struct og_mnemonic *mnemonic, struct og_inst_text *text) {
  const struct candidate *guide = &mnemonic->candidates[0];
  bool comma = false;
  as->scalar_memory = guide->form->encoding == OG_ENC_SMEM;
  text->operand_count = text->modifier_count = text->addresses = 0;
  bool spreads = guide->form->encoding == OG_ENC_MIMG && as->target.processor->major >= 10;
  for (og_asm_space(as); !og_asm_at_end(as); og_asm_space(as)) {
    bool ok;
    if (skip_second_name(as))
      continue;
    bool is_register = (*as->p == 'v' || *as->p == 's') && (og_asm_digit(as->p[1]) || as->p[1] == '['); /* most words are */
    is_register = is_register || (comma && text->operand_count < guide->plan->count && (as->p[0] == 'a' || as->target.processor->major >= 10 || guide->form->encoding != OG_ENC_SMEM) && is_register_too(as));
    if (!is_register && (text->operand_count || guide->plan->count == 0) && og_asm_name_start(*as->p) && og_asm_modifier(as, text, &ok)) {
      if (!ok)
        return false;
    } else {
      if (text->operand_count == OG_TEXT_OPERANDS)
        return og_asm_error(as, as->p, 1, "invalid operand for instruction");
      unsigned slot = text->operand_count < guide->plan->count ? guide->plan->slots[text->operand_count] : PLAN_OFF;
      enum og_takes takes = slot == PLAN_OFF ? OG_TAKES_NONE : guide->shape->slots[slot].takes;
      struct og_text_operand *t = &text->operands[text->operand_count];
      if (!og_asm_operand(as, takes, t))
        return false;
      text->operand_count++;
      if (spreads && t->kind == OG_TEXT_REGISTER && t->register_kind == OG_OPERAND_VGPR && t->list_count > 1 && !spread_addresses(text))
        return og_asm_error(as, t->at, (size_t)(t->end - t->at), "too many registers in a list");
    }
    og_asm_space(as);
    comma = *as->p == ',';
    if (comma) {
      as->p++;
      og_asm_space(as);
      if (og_asm_at_end(as))
        return og_asm_error(as, as->p, 1, "unknown token in expression");
    }
  }
  return true;
}

static bool report(struct og_asm *as, struct og_text mnemonic, const struct failure *f) {
  if (!f->at)
    return og_asm_error(as, mnemonic.data, mnemonic.size, "%s", f->message ? f->message : "invalid instruction");
  return og_asm_error(as, f->at, (size_t)(f->end - f->at), "%s", f->message);
}

static bool emit(struct og_asm *as, const struct candidate *c, struct match *m, struct og_text mnemonic) {
  uint8_t bytes[32];
  size_t size = og_encode(og_isa_for(&as->target), &m->inst, bytes);
  if (!size)
    return og_asm_error(as, mnemonic.data, mnemonic.size, "operands do not fit the encoding of %s", c->form->name);
  m->inst.size = (uint8_t)size;
  if (as->options->listing)
    list(as, m, bytes, size);
  if (m->expr) {
    bool branch = og_operand(&m->inst, OG_ROLE_SIMM) && c->form->size == 4 && m->inst.encoding != OG_ENC_VOP2;
    struct og_range range = og_asm_range(as, m->expr_operand->at, m->expr_operand->end);
    og_asm_emit_fixup(as, branch ? 2 : m->literal_size, branch ? OG_FIXUP_BRANCH : m->literal_size == 8 ? OG_FIXUP_DATA : OG_FIXUP_PCREL, og_asm_here(as) + (branch ? 0 : size - m->literal_size), m->expr, range);
  }
  count_registers(as, &m->inst);
  og_asm_note_line(as);
  return og_asm_emit(as, bytes, size);
}

/* A first half of VOPD that the processor has. */
static bool is_pair(struct og_asm *as, struct og_text mnemonic) {
  if (mnemonic.size < 7 || memcmp(mnemonic.data, "v_dual_", 7))
    return false;
  const struct og_isa *isa = og_isa_for(&as->target);
  for (unsigned i = og_form_count(isa); i-- > 0 && og_form(isa, i)->encoding == OG_ENC_VOPD;) /* they stand last */
    if (og_text_is(mnemonic, og_form(isa, i)->name))
      return true;
  return false;
}

static bool pair_allowed(struct og_asm *as, const struct candidate *c, const struct og_inst_text *text, const struct match *m, struct failure *f) {
  unsigned at;
  const char *fault = og_asm_pair_fault(as, c->form, c->shape, &m->inst, m->expr != NULL, &at);
  return !fault || fail(f, 200 - c->form->size, text->operands[at].at, text->operands[at].end, fault);
}

bool og_asm_instruction(struct og_asm *as, struct og_text mnemonic) {
  if (!og_isa_for(&as->target))
    return og_asm_error(as, mnemonic.data, mnemonic.size, "there are no instruction tables for %s", as->target.processor->name);
  struct og_text name = mnemonic;
  bool pair = is_pair(as, mnemonic);
  if (pair && !og_asm_pair_name(as, mnemonic, &name))
    return false;
  struct og_mnemonic *found = find_mnemonic(as, name);
  if (!found->count)
    return pair ? og_asm_pair_unknown(as, mnemonic) : unknown_mnemonic(as, mnemonic);
  struct og_inst_text text;
  struct match m;
  struct failure failure = {0};
  if (!read_text(as, found, &text))
    return false;
  for (uint32_t i = 0; i < found->count; i++) {
    const struct candidate *c = &found->candidates[i];
    if (!match_form(as, c, &text, &m, &failure))
      continue;
    if (c->form->encoding == OG_ENC_EXP)
      finish_export(&m);
    if (c->form->encoding == OG_ENC_VOPD && !pair_allowed(as, c, &text, &m, &failure))
      continue;
    if (!within_constant_bus(as, c, &text, &m) || !one_literal(as, &text, &m) || !image_size_fits(as, c, &text, &m) || !image_address_fits(as, c, &text, &m) || !tfe_makes_sense(as, c, &text, &m) ||
        !registers_allowed(as, c, &text) || !wide_dpp_allowed(as, c, &text, &m) || !modifiers_allowed(as, c, &text) || !matrix_apart(as, c, &text, &m) ||
        !matrix_word_allowed(as, c, &text))
      return false;
    if (m.wide_real)
      og_asm_warning(as, mnemonic.data, 0, "Can't encode literal as exact 64-bit floating-point operand. Low 32-bits will be set to zero");
    return emit(as, c, &m, mnemonic);
  }
  return report(as, mnemonic, &failure);
}
