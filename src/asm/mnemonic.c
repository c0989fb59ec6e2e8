/* mnemonic.c - the forms that a mnemonic has on the target, and what is said of one it has not. */
#include "asm/instruction.h"

#include <string.h>

/* ---- forms ------------------------------------------------------------------------------------------------------- */

int og_asm_word_modifier(struct og_text word) {
  static const struct { const char *name; uint8_t mod; } words[] = {{"offen", OG_MOD_OFFEN}, {"idxen", OG_MOD_IDXEN},
      {"addr64", OG_MOD_ADDR64}, {"tfe", OG_MOD_TFE}, {"lds", OG_MOD_LDS}, {"gds", OG_MOD_GDS}, {"done", OG_MOD_DONE},
      {"row_en", OG_MOD_ROW_EN}, {"lwe", OG_MOD_LWE}};
  for (size_t i = 0; i < OG_COUNT(words); i++)
    if (og_text_is(word, words[i].name))
      return words[i].mod;
  return -1;
}

enum { PLACES = 20, CACHE_LINE = 64 };

/* A candidate while it is made. */
struct draft {
  struct og_candidate candidate;
  struct og_place places[PLACES];
  uint8_t order[OG_MOD_COUNT];
};

static void add_place(struct draft *d, const struct og_slot *slot) {
  if (d->candidate.count < PLACES)
    d->places[d->candidate.count++] =
        (struct og_place){.slot = slot, .takes = slot ? slot->takes : OG_TAKES_NONE, .role = slot ? slot->role : 0};
}

static void add_word(struct draft *d, struct og_text word, unsigned order) {
  int mod = og_asm_word_modifier(word);
  if (og_text_is(word, "off"))
    add_place(d, NULL);
  if (mod >= 0) {
    d->candidate.requires |= OG_BIT(mod);
    d->order[mod] = (uint8_t)order;
  }
}

static void read_program(struct draft *d) {
  struct og_candidate *c = &d->candidate;
  unsigned order = 0;
  bool in_brackets = false;
  for (const char *p = og_program(c->shape); *p;) {
    if (*p == 1) {
      const struct og_slot *slot = &og_slots(c->shape)[(unsigned char)p[1] - 1u];
      c->addresses += in_brackets && slot->role >= OG_ROLE_VADDR1 && slot->role <= OG_ROLE_VADDR12;
      if (slot->takes != OG_TAKES_ATTR_CHANNEL && (c->left_out == OG_TAKES_NONE || slot->takes != c->left_out))
        add_place(d, slot);
      p += 2;
    } else if (*p == 2) {
      d->order[og_mods(c->shape)[(unsigned char)p[1] - 1u].mod] = (uint8_t)++order;
      p += 2;
    } else if (og_asm_name_start(*p)) {
      const char *start = p;
      while (og_asm_name_char(*p))
        p++;
      add_word(d, (struct og_text){start, (size_t)(p - start)}, ++order);
    } else {
      in_brackets |= *p == '[';
      p++;
    }
  }
}

static bool writes(const struct og_shape *shape) {
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (og_slots(shape)[i].flags & OG_SLOT_WRITE)
      return true;
  return false;
}

static void read_modifiers(struct draft *d) {
  struct og_candidate *c = &d->candidate;
  const struct og_form *form = c->form;
  bool cache_only = form->encoding == OG_ENC_MUBUF && !c->shape->slot_count;
  for (unsigned i = 0; i < c->shape->mod_count; i++) {
    const struct og_mod_slot *slot = &og_mods(c->shape)[i];
    bool fixed = !slot->pieces[0].width && form->row_flags & OG_FLAG_ATOMIC && writes(c->shape),
         cpol = slot->mod == OG_MOD_CPOL, hidden = slot->mod == OG_MOD_OMOD || (cache_only && cpol); /* bits without text */
    c->accepts |= OG_BIT(slot->mod);
    c->forces_glc |= cpol && (slot->style == OG_STYLE_RETURN || fixed);
    if (!hidden || d->order[slot->mod])
      c->written |= OG_BIT(slot->mod);
  }
  c->written |= c->requires;
}

static void make_candidate(struct og_asm *as, const struct og_isa *isa, uint16_t id, enum og_takes left_out,
                           struct draft *d) {
  const struct og_form *form = og_form(isa, id);
  *d = (struct draft){.candidate = {.form = form,
                                    .shape = og_shape(isa, form),
                                    .places = d->places,
                                    .id = id,
                                    .left_out = left_out,
                                    .encoding = form->encoding}};
  struct og_candidate *c = &d->candidate;
  read_program(d);
  read_modifiers(d);
  for (c->least = c->count; c->least; c->least--) {
    const struct og_slot *slot = d->places[c->least - 1].slot;
    if (!slot || (slot->takes != OG_TAKES_ENDPGM && !og_may_be_left_out(as, form, slot)))
      break;
  }
  c->rules = og_asm_rules_of(as, c);
}

/* ---- mnemonics --------------------------------------------------------------------------------------------------- */

static const struct {
  const char *text;
  uint8_t size, suffix;
} suffix_texts[] = {{"_e64_dpp", 8, OG_SUFFIX_E64_DPP},
                    {"_e32", 4, OG_SUFFIX_E32},
                    {"_e64", 4, OG_SUFFIX_E64},
                    {"_dpp", 4, OG_SUFFIX_DPP},
                    {"_sdwa", 5, OG_SUFFIX_SDWA}};

/* What _e64 names: from gfx11 on interpolation too. */
static bool is_long_vector(const struct og_form *form) {
  return form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P ||
         (form->encoding == OG_ENC_VINTERP && form->size == 8);
}

static bool suffix_fits(const struct og_form *form, unsigned suffix) {
  if (form->traits & OG_TRAIT_LLVM_E32 && (suffix == OG_SUFFIX_E32 || suffix == OG_SUFFIX_E64))
    return suffix == OG_SUFFIX_E32;
  switch (suffix) {
  case OG_SUFFIX_NONE: return true;
  case OG_SUFFIX_E32:
    return form->variant == OG_VARIANT_NONE && form->encoding != OG_ENC_VOPD && !is_long_vector(form);
  case OG_SUFFIX_E64:
    return form->variant == OG_VARIANT_NONE && (form->suffix == OG_SUFFIX_E64 || is_long_vector(form));
  case OG_SUFFIX_SDWA: return form->variant == OG_VARIANT_SDWA;
  case OG_SUFFIX_DPP:
    return (form->variant == OG_VARIANT_DPP16 || form->variant == OG_VARIANT_DPP8) && form->suffix != OG_SUFFIX_E64_DPP;
  default: return form->suffix == OG_SUFFIX_E64_DPP;
  }
}

/* Plain forms first, the small one before the large; then SDWA, DPP, DPP of large forms. */
static unsigned rank(const struct og_candidate *c) {
  const struct og_form *form = c->form;
  unsigned variant = form->variant == OG_VARIANT_NONE ? 0 : form->variant == OG_VARIANT_SDWA ? 1 : 2;
  bool with_offset =
      form->encoding == OG_ENC_SMEM && og_has(c->accepts, OG_MOD_OFFSET); /* beside a register */
  if (form->encoding == OG_ENC_VOPD && form->literal_ok)
    return (form->traits & OG_TRAIT_LLVM_WIDE_FIRST) != 0;
  return variant * 4 + with_offset + (form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P ? 2 : 0);
}

static bool has_slot(const struct og_shape *shape, enum og_takes takes) {
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (og_slots(shape)[i].takes == takes)
      return true;
  return false;
}

/* What all operands may be written without: vcc as the result of comparisons and as the carries of additions. */
static bool may_imply_vcc(const struct og_asm *as, const struct og_form *form, const struct og_shape *shape) {
  if (form->encoding == OG_ENC_VOPC)
    return form->variant != OG_VARIANT_SDWA && has_slot(shape, OG_TAKES_VCC);
  return form->encoding == OG_ENC_VOP2 && form->traits & OG_TRAIT_LLVM_IMPLIED_VCC &&
         (as->target.processor->major >= 10 || form->variant == OG_VARIANT_NONE);
}

/* The offset of scalar memory is 0 then. */
static enum og_takes left_out_of(const struct og_asm *as, const struct og_form *form, const struct og_shape *shape) {
  if (form->encoding == OG_ENC_SMEM && has_slot(shape, OG_TAKES_OFFSET))
    return OG_TAKES_OFFSET;
  return may_imply_vcc(as, form, shape) ? OG_TAKES_VCC : OG_TAKES_NONE;
}

/* Whether text can be the form's: LLVM takes halves of registers in short comparisons without real-true16 too, though it
 * disassembles none. */
static bool is_here(const struct og_isa *isa, const struct og_form *form) {
  struct og_isa with_halves = *isa;
  with_halves.lacks[0] &= ~(uint64_t)OG_NEED_REAL_TRUE16;
  bool comparison = form->encoding == OG_ENC_VOPC && form->variant == OG_VARIANT_NONE;
  return og_form_fits(comparison ? &with_halves : isa, form);
}

/* What a mnemonic names: forms, and with which suffix. */
struct named {
  const struct og_isa *isa;
  const uint16_t *forms;
  size_t count;
  unsigned suffix;
};

/* Of another generation than the target's those alone that a feature brings. */
static bool is_named(const struct og_asm *as, const struct named *n, size_t i) {
  const struct og_form *form = og_form(n->isa, n->forms[i]);
  return suffix_fits(form, n->suffix) && is_here(n->isa, form) && (n->isa == as->isa || og_is_brought(n->isa, form)) &&
         !(form->traits & OG_TRAIT_DECODE_ONLY);
}

/* The candidates, sorted by rank: where two are alike, in the tables' order. Yields how many. */
static uint32_t draft_candidates(struct og_asm *as, const struct named *n, struct draft *drafts, uint16_t *order) {
  uint32_t count = 0;
  for (size_t i = 0; i < n->count; i++) {
    if (!is_named(as, n, i))
      continue;
    const struct og_form *form = og_form(n->isa, n->forms[i]);
    enum og_takes left_out[] = {OG_TAKES_NONE, left_out_of(as, form, og_shape(n->isa, form))};
    for (unsigned k = 0; k < (left_out[1] == OG_TAKES_NONE ? 1u : 2u); k++) {
      make_candidate(as, n->isa, n->forms[i], left_out[k], &drafts[count]);
      uint32_t at = count;
      for (; at > 0 && rank(&drafts[order[at - 1]].candidate) > rank(&drafts[count].candidate); at--)
        order[at] = order[at - 1];
      order[at] = (uint16_t)count++;
    }
  }
  return count;
}

/* By name. Open addressing; `capacity` is a power of two. The whole hash is held: what is compared is mostly equal. */
struct og_mnemonics {
  struct {
    uint64_t hash;
    struct og_mnemonic *mnemonic;
  } *slots;
  uint32_t capacity, count;
  struct draft *drafts; /* room for the candidates of one, and their order */
  uint16_t *order;
  size_t draft_count;
};

/* All in one piece, so that a look-up brings it into the cache. */
static struct og_mnemonic *make_mnemonic(struct og_asm *as, struct og_text name, const struct named *n) {
  struct og_mnemonics *table = as->mnemonics;
  if (2 * n->count > table->draft_count) {
    table->draft_count = 2 * n->count;
    table->drafts = OG_NEW_ARRAY(as->arena, struct draft, table->draft_count);
    table->order = OG_NEW_ARRAY(as->arena, uint16_t, table->draft_count);
  }
  const struct draft *drafts = table->drafts;
  const uint16_t *order = table->order;
  uint32_t count = draft_candidates(as, n, table->drafts, table->order);
  size_t head = og_align_up(sizeof(struct og_mnemonic) + name.size + 1, CACHE_LINE), places = 0;
  for (uint32_t i = 0; i < count; i++)
    places += drafts[i].candidate.count;
  char *room = og_arena_alloc(as->arena, CACHE_LINE + head + count * sizeof(struct og_candidate) +
                                             places * sizeof(struct og_place));
  struct og_mnemonic *m = (struct og_mnemonic *)og_align_up((uintptr_t)room, CACHE_LINE);
  m->isa = n->isa;
  m->candidates = (struct og_candidate *)((char *)m + head);
  m->count = count;
  m->wave_sync = count && drafts[order[0]].candidate.form->row_flags & OG_FLAG_GWS;
  m->name_size = (uint32_t)name.size;
  memcpy(m->name, name.data, name.size);
  struct og_place *place = (struct og_place *)(m->candidates + count);
  for (uint32_t i = 0; i < count; i++) {
    const struct draft *d = &drafts[order[i]];
    struct og_candidate *c = &m->candidates[i];
    *c = d->candidate;
    c->places = memcpy(place, d->places, c->count * sizeof *place);
    c->order = (const uint8_t *)og_arena_copy(as->arena, (const char *)d->order, sizeof d->order);
    place += c->count;
  }
  return m;
}

static struct og_text without_suffix(struct og_text name) {
  for (size_t i = 0; i < OG_COUNT(suffix_texts); i++)
    if (name.size > suffix_texts[i].size &&
        !memcmp(name.data + name.size - suffix_texts[i].size, suffix_texts[i].text, suffix_texts[i].size))
      return (struct og_text){name.data, name.size - suffix_texts[i].size};
  return name;
}

/* The forms of one generation; whether the target has one of them. */
static bool find_from(struct og_asm *as, const struct og_isa *isa, struct og_text name, struct named *n) {
  *n = (struct named){.isa = isa, .suffix = OG_SUFFIX_NONE};
  n->count = og_find_forms(isa, name, &n->forms);
  for (size_t i = 0; i < OG_COUNT(suffix_texts) && !n->count; i++) {
    struct og_text base = {name.data, name.size - suffix_texts[i].size};
    if (name.size <= suffix_texts[i].size || memcmp(name.data + base.size, suffix_texts[i].text, suffix_texts[i].size))
      continue;
    n->count = og_find_forms(isa, base, &n->forms);
    n->suffix = suffix_texts[i].suffix;
  }
  for (size_t i = 0; i < n->count; i++)
    if (is_named(as, n, i))
      return true;
  return false;
}

static struct og_mnemonic *new_mnemonic(struct og_asm *as, struct og_text name) {
  struct named n;
  bool found = find_from(as, as->isa, name, &n);
  for (unsigned i = 0; i < as->brought.count && !found; i++) /* what a feature brings that the processor has not */
    found = find_from(as, &as->brought.isas[i], name, &n);
  if (!found)
    n.count = 0;
  return make_mnemonic(as, name, &n);
}

/* ---- by name ----------------------------------------------------------------------------------------------------- */

static void put(struct og_mnemonics *table, uint64_t hash, struct og_mnemonic *m) {
  uint32_t i = (uint32_t)hash & (table->capacity - 1);
  while (table->slots[i].mnemonic)
    i = (i + 1) & (table->capacity - 1);
  table->slots[i].hash = hash;
  table->slots[i].mnemonic = m;
}

static void grow(struct og_asm *as, struct og_mnemonics *table) {
  struct og_mnemonics old = *table;
  table->capacity = OG_MAX(old.capacity * 2, 256u);
  table->slots = og_arena_alloc(as->arena, table->capacity * sizeof table->slots[0]);
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.slots[i].mnemonic)
      put(table, old.slots[i].hash, old.slots[i].mnemonic);
}

static struct og_mnemonic *look_up(struct og_asm *as, struct og_text name) {
  if (!as->mnemonics)
    as->mnemonics = OG_NEW(as->arena, struct og_mnemonics);
  struct og_mnemonics *table = as->mnemonics;
  uint64_t hash = og_hash(name.data, name.size);
  for (uint32_t i = (uint32_t)hash; table->capacity; i++) {
    struct og_mnemonic *m = table->slots[i & (table->capacity - 1)].mnemonic;
    if (!m)
      break;
    if (table->slots[i & (table->capacity - 1)].hash != hash)
      continue;
    for (unsigned line = 1; line < 4; line++) /* of its candidates and their places: read next */
      __builtin_prefetch((const char *)m + line * CACHE_LINE);
    if (m->name_size == name.size && !memcmp(m->name, name.data, name.size))
      return m;
  }
  if (++table->count * 2 > table->capacity)
    grow(as, table);
  struct og_mnemonic *m = new_mnemonic(as, name);
  put(table, hash, m);
  return m;
}

struct og_text og_asm_lower_case(struct og_asm *as, struct og_text name) {
  char *lower = og_arena_copy(as->arena, name.data, name.size);
  for (char *c = lower; *c; c++)
    *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
  return (struct og_text){lower, name.size};
}

struct og_mnemonic *og_asm_find_mnemonic(struct og_asm *as, struct og_text name) {
  struct og_mnemonic *m = look_up(as, name);
  return m->count ? m : look_up(as, og_asm_lower_case(as, name));
}

/* Whether the name is that of a pair's first half there. */
static bool is_first_half(const struct og_isa *isa, struct og_text name) {
  for (unsigned i = og_form_count(isa); i-- > 0 && og_form(isa, i)->encoding == OG_ENC_VOPD;) { /* they stand last */
    const char *form = og_form_name(og_form(isa, i));
    if (!strncmp(form, name.data, name.size) && (!form[name.size] || form[name.size] == ' '))
      return true;
  }
  return false;
}

/* Names of processors that have the mnemonic. */
static unsigned processors_with(struct og_text name, struct og_buffer *out) {
  unsigned found = 0;
  for (size_t i = 0; i < og_processor_count(); i++) {
    const struct og_processor *p = og_processor_at(i);
    const struct og_isa *isa = og_isa_of(p->generation, p->wave_size);
    const uint16_t *forms;
    if (!isa || p->generic_version ||
        (!og_find_forms(isa, name, &forms) && !og_find_forms(isa, without_suffix(name), &forms) &&
         !is_first_half(isa, name)))
      continue;
    if (found++ < 8)
      og_buffer_printf(out, "%s%s", found > 1 ? ", " : "", p->name);
  }
  if (found > 8)
    og_buffer_text(out, ", ...");
  return found;
}

static bool listed_before(const char *const *names, unsigned count, const char *name) {
  for (unsigned i = 0; i < count; i++)
    if (!strcmp(names[i], name))
      return true;
  return false;
}

struct suggestions {
  const char *names[24];
  unsigned count;
};

static void suggest_name(struct suggestions *found, struct og_text written, const char *name) {
  if (found->count == OG_COUNT(found->names) || og_text_distance(written, name, 2) > 2 ||
      listed_before(found->names, found->count, name))
    return;
  unsigned at = found->count++;
  for (; at > 0 && strcmp(found->names[at - 1], name) > 0; at--)
    found->names[at] = found->names[at - 1];
  found->names[at] = name;
}

/* Names at most two edits away, sorted: first among the plain encodings as LLVM does, then among the others. Comparisons
 * have two names there, of pairs the first half's counts. */
static void suggest(struct og_asm *as, struct og_text base, bool plain, struct og_buffer *out) {
  const struct og_isa *isa = as->isa;
  struct suggestions found = {0};
  for (unsigned i = 0; i < og_form_count(isa); i++) {
    const struct og_form *form = og_form(isa, i);
    bool is_plain = form->variant == OG_VARIANT_NONE && form->encoding != OG_ENC_VOP3 && form->encoding != OG_ENC_VOP3P;
    char name[64];
    if (is_plain != plain || (form->encoding == OG_ENC_VOPD && as->target.wave_size == 64))
      continue;
    size_t size = form->encoding == OG_ENC_VOPD ? strcspn(og_form_name(form), " ") : strlen(og_form_name(form));
    if (size + 4 >= sizeof name || size > base.size + 2)
      continue;
    memcpy(name, og_form_name(form), size);
    name[size] = 0;
    if (og_text_distance(base, name, 2) <= 2)
      suggest_name(&found, base, og_arena_copy(as->arena, name, size));
    memcpy(name + size, "_e32", 5);
    if (form->encoding == OG_ENC_VOPC && plain && og_text_distance(base, name, 2) <= 2)
      suggest_name(&found, base, og_arena_copy(as->arena, name, size + 4));
  }
  for (unsigned i = 0; i < found.count; i++)
    og_buffer_printf(out, "%s%s", i ? ", " : ", did you mean: ", found.names[i]);
  og_buffer_text(out, found.count ? "?" : "");
}

/* The instruction would be here if -mattr had left it, or the processor were not a generic one. */
static bool taken_away(struct og_asm *as, struct og_text name) {
  const struct og_isa *isa = as->isa;
  const uint16_t *forms;
  struct og_text base = without_suffix(name);
  size_t count = og_find_forms(isa, name, &forms);
  unsigned suffix = OG_SUFFIX_NONE;
  for (size_t i = 0; !count && base.size < name.size && i < OG_COUNT(suffix_texts); i++)
    if (suffix_texts[i].size == name.size - base.size &&
        !memcmp(name.data + base.size, suffix_texts[i].text, suffix_texts[i].size))
      suffix = suffix_texts[i].suffix;
  if (!count)
    count = og_find_forms(isa, base, &forms);
  for (size_t i = 0; i < count; i++) {
    const struct og_form *form = og_form(isa, forms[i]);
    const char *feature = suffix_fits(form, suffix) ? og_missing_feature(isa, form) : NULL;
    if (!feature)
      continue;
    bool had = og_has_feature(&as->target.processor->features, og_find_feature(og_text(feature)));
    const char *cause = had ? og_arena_printf(as->arena, "-mattr takes away %s", feature)
                            : og_arena_printf(as->arena, "%s is without %s", as->target.processor->name, feature);
    if (!strcmp(feature, "sdwa") || !strncmp(feature, "dpp", 3))
      return og_asm_error(as, name.data, name.size, "%s variant of this instruction is not supported: %s", feature,
                          cause),
             true;
    return og_asm_error(as, name.data, name.size, "instruction not supported on this GPU (%s): %.*s: %s",
                        as->target.processor->name, OG_TEXT_ARGS(name), cause), true;
  }
  return false;
}

/* The instruction is here, but not in the encoding or for the wave size that is asked for. */
static bool unknown_variant(struct og_asm *as, struct og_text name, bool *reported) {
  const uint16_t *forms;
  struct og_text base = without_suffix(name);
  *reported = true;
  if (og_find_forms(as->isa, name, &forms))
    return og_asm_error(as, name.data, name.size, "instruction requires wavesize=%d",
                        as->target.wave_size == 64 ? 32 : 64);
  if (base.size < name.size && og_find_forms(as->isa, base, &forms))
    return og_asm_error(as, name.data, name.size, "%.*s variant of this instruction is not supported",
                        (int)(name.size - base.size - 1), name.data + base.size + 1);
  return *reported = false;
}

bool og_asm_unknown_mnemonic(struct og_asm *as, struct og_text name) {
  bool reported;
  if (taken_away(as, name))
    return false;
  unknown_variant(as, name, &reported);
  if (reported)
    return false;
  struct og_buffer text = {0};
  bool elsewhere = processors_with(name, &text) > 0;
  if (elsewhere) {
    og_asm_error(as, name.data, name.size, "instruction not supported on this GPU (%s): %.*s; exists on %.*s",
                 as->target.processor->name, OG_TEXT_ARGS(name), (int)text.size, (const char *)text.data);
    og_buffer_free(&text);
    return false;
  }
  struct og_text base = without_suffix(og_asm_lower_case(as, name));
  suggest(as, base, true, &text);
  if (!text.size)
    suggest(as, base, false, &text);
  og_asm_error(as, name.data, name.size, "invalid instruction%.*s", (int)text.size, (const char *)text.data);
  og_buffer_free(&text);
  return false;
}
