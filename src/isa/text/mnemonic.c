/* mnemonic.c - the forms that a mnemonic has on the target, and the report of an unknown mnemonic. */
#include "isa/text/forms.h"

#include <string.h>

/* ---- forms ------------------------------------------------------------------------------------------------------- */

int og_word_modifier(struct og_text word) {
  static const struct {
    const char *name;
    uint8_t mod;
  } words[] = {{"offen", OG_MOD_OFFEN}, {"idxen", OG_MOD_IDXEN},   {"addr64", OG_MOD_ADDR64},
               {"tfe", OG_MOD_TFE},     {"lds", OG_MOD_LDS},       {"gds", OG_MOD_GDS},
               {"done", OG_MOD_DONE},   {"row_en", OG_MOD_ROW_EN}, {"lwe", OG_MOD_LWE}};
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
  struct og_candidate_code code;
  struct og_mod_places mods;
};

/* Where a register's number stands, if that is one run of bits. */
static void find_field(const struct og_form *form, struct og_place *place) {
  const struct og_piece *piece = &place->slot->pieces[0];
  bool plain = piece[0].width && !piece[1].width && (piece->at & 63) + piece->width <= 64 &&
               place->takes < OG_TAKES_VCC && form->variant != OG_VARIANT_SDWA;
  place->word = plain ? piece->at >> 6 : OG_NO_FIELD;
  place->at = piece->at & 63;
  place->to = piece->to;
  place->vector = piece->width > 8 ? OG_CODE_VECTOR : 0;
}

static void add_place(const struct og_isa *isa, struct draft *d, const struct og_slot *slot) {
  if (d->candidate.count == PLACES)
    return;
  struct og_place *place = &d->places[d->candidate.count++];
  *place = (struct og_place){.slot = slot};
  if (!slot)
    return;
  place->takes = slot->takes;
  place->role = slot->role;
  place->dwords = (uint8_t)og_slot_dwords(isa, slot);
  find_field(d->candidate.form, place);
}

static void add_word(const struct og_isa *isa, struct draft *d, struct og_text word, unsigned order) {
  int mod = og_word_modifier(word);
  if (og_text_is(word, "off"))
    add_place(isa, d, NULL);
  if (mod >= 0) {
    d->candidate.requires |= OG_BIT(mod);
    d->mods.order[mod] = (uint8_t)order;
  }
}

static void read_program(const struct og_isa *isa, struct draft *d) {
  struct og_candidate *c = &d->candidate;
  unsigned order = 0;
  bool in_brackets = false;
  for (const char *p = og_program(c->shape); *p;) {
    if (*p == 1) {
      const struct og_slot *slot = &og_slots(c->shape)[(unsigned char)p[1] - 1u];
      c->addresses += in_brackets && slot->role >= OG_ROLE_VADDR1 && slot->role <= OG_ROLE_VADDR12;
      if (slot->takes != OG_TAKES_ATTR_CHANNEL && (c->left_out == OG_TAKES_NONE || slot->takes != c->left_out))
        add_place(isa, d, slot);
      p += 2;
    } else if (*p == 2) {
      d->mods.order[og_mods(c->shape)[(unsigned char)p[1] - 1u].mod] = (uint8_t)++order;
      p += 2;
    } else if (og_name_start(*p)) {
      const char *start = p;
      p = og_after_name(p);
      add_word(isa, d, (struct og_text){start, (size_t)(p - start)}, ++order);
    } else {
      in_brackets |= *p == '[';
      p++;
    }
  }
}

static bool writes(const struct og_shape *shape) {
  OG_FOR_SLOTS(slot, shape)
    if (slot->flags & OG_SLOT_WRITE)
      return true;
  return false;
}

static void read_modifiers(struct draft *d) {
  struct og_candidate *c = &d->candidate;
  const struct og_form *form = c->form;
  bool cache_only = form->encoding == OG_ENC_MUBUF && !c->shape->slot_count;
  for (unsigned i = c->shape->mod_count; i-- > 0;) { /* of two slots of a kind the first holds the value */
    const struct og_mod_slot *slot = &og_mods(c->shape)[i];
    bool fixed = !slot->pieces[0].width && form->row_flags & OG_FLAG_ATOMIC && writes(c->shape),
         cpol = slot->mod == OG_MOD_CPOL,
         hidden = slot->mod == OG_MOD_OMOD || (cache_only && cpol); /* bits without text */
    c->accepts |= OG_BIT(slot->mod);
    d->mods.slots[slot->mod] = (uint8_t)(i + 1);
    c->forces_glc |= cpol && (slot->style == OG_STYLE_RETURN || fixed);
    if (!hidden || d->mods.order[slot->mod])
      c->written |= OG_BIT(slot->mod);
  }
  c->written |= c->requires;
}

/* The code of an instruction whose operands and modifiers have no bits yet: of defaults only those of sources. */
static void encode_rest(const struct og_isa *isa, struct draft *d) {
  struct og_candidate *c = &d->candidate;
  struct og_inst inst = {.form = c->id};
  uint8_t bytes[32];
  OG_FOR_SLOTS(slot, c->shape)
    if (slot->takes != OG_TAKES_OFFSET && inst.operand_count < OG_COUNT(inst.operands))
      inst.operands[inst.operand_count++] = (struct og_operand){.role = slot->role, .kind = OG_OPERAND_OFF};
  og_default_modifiers(c, ~og_source_modifiers, inst.mod);
  c->direct = c->encoding != OG_ENC_EXP && c->form->variant != OG_VARIANT_DPP8 &&
              c->form->size <= sizeof d->code.words && og_encode(isa, &inst, bytes);
  memcpy(d->code.words, bytes, c->direct ? sizeof d->code.words : 0);
}

static void make_candidate(struct og_inst_reader *in, const struct og_isa *isa, uint16_t id, enum og_takes left_out,
                           struct draft *d) {
  const struct og_form *form = og_form(isa, id);
  *d = (struct draft){.candidate = {.form = form,
                                    .shape = og_shape(isa, form),
                                    .places = d->places,
                                    .id = id,
                                    .left_out = left_out,
                                    .encoding = form->encoding}};
  struct og_candidate *c = &d->candidate;
  read_program(isa, d);
  read_modifiers(d);
  encode_rest(isa, d);
  for (c->least = c->count; c->least; c->least--) {
    const struct og_slot *slot = d->places[c->least - 1].slot;
    if (!slot || (slot->takes != OG_TAKES_ENDPGM && !og_may_be_left_out(in, form, slot)))
      break;
  }
  c->compares = c->encoding == OG_ENC_VOPC && left_out == OG_TAKES_VCC;
  c->at_once = !c->compares && c->encoding != OG_ENC_VOPD && c->encoding != OG_ENC_EXP && c->encoding != OG_ENC_MIMG;
  d->code.offset_width = (uint8_t)og_offset_width(in, c, &d->code.offset_signed);
  c->free_scalars = og_free_scalars(isa, form) & 3;
  c->rules = og_rules_of(in, c);
  c->bare = og_is_bare(c);
}

/* ---- mnemonics --------------------------------------------------------------------------------------------------- */

enum og_suffix og_split_suffix(struct og_text name, struct og_text *base) {
  static const struct {
    const char *text;
    uint8_t size, suffix;
  } suffixes[] = {{"_e64_dpp", 8, OG_SUFFIX_E64_DPP},
                  {"_e32", 4, OG_SUFFIX_E32},
                  {"_e64", 4, OG_SUFFIX_E64},
                  {"_dpp", 4, OG_SUFFIX_DPP},
                  {"_sdwa", 5, OG_SUFFIX_SDWA}};
  for (size_t i = 0; i < OG_COUNT(suffixes); i++) {
    *base = (struct og_text){name.data, name.size - suffixes[i].size};
    if (name.size > suffixes[i].size && !memcmp(name.data + base->size, suffixes[i].text, suffixes[i].size))
      return suffixes[i].suffix;
  }
  *base = name;
  return OG_SUFFIX_NONE;
}

/* What _e64 names: from gfx11 on interpolation too. */
static bool is_long_vector(const struct og_form *form) {
  return form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P ||
         (form->encoding == OG_ENC_VINTERP && form->size == 8);
}

bool og_suffix_fits(const struct og_form *form, unsigned suffix) {
  if (form->traits & OG_TRAIT_LLVM_E32 && (suffix == OG_SUFFIX_E32 || suffix == OG_SUFFIX_E64))
    return suffix == OG_SUFFIX_E32;
  switch (suffix) {
  case OG_SUFFIX_NONE: return true;
  case OG_SUFFIX_E32: return form->variant == OG_VARIANT_NONE && form->encoding != OG_ENC_VOPD && !is_long_vector(form);
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
  bool with_offset = form->encoding == OG_ENC_SMEM && og_has(c->accepts, OG_MOD_OFFSET); /* beside a register */
  if (form->encoding == OG_ENC_VOPD && form->literal_ok)
    return (form->traits & OG_TRAIT_LLVM_WIDE_FIRST) != 0;
  return variant * 4 + with_offset + (form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P ? 2 : 0);
}

static bool has_slot(const struct og_shape *shape, enum og_takes takes) {
  OG_FOR_SLOTS(slot, shape)
    if (slot->takes == takes)
      return true;
  return false;
}

/* Operands that may be left out: vcc as the result of comparisons and as the carries of additions. */
static bool may_imply_vcc(const struct og_inst_reader *in, const struct og_form *form, const struct og_shape *shape) {
  if (form->encoding == OG_ENC_VOPC)
    return form->variant != OG_VARIANT_SDWA && has_slot(shape, OG_TAKES_VCC);
  return form->encoding == OG_ENC_VOP2 && form->traits & OG_TRAIT_LLVM_IMPLIED_VCC &&
         (in->target->processor->major >= 10 || form->variant == OG_VARIANT_NONE);
}

/* The offset of scalar memory is 0 then. */
static enum og_takes left_out_of(const struct og_inst_reader *in, const struct og_form *form,
                                 const struct og_shape *shape) {
  if (form->encoding == OG_ENC_SMEM && has_slot(shape, OG_TAKES_OFFSET))
    return OG_TAKES_OFFSET;
  return may_imply_vcc(in, form, shape) ? OG_TAKES_VCC : OG_TAKES_NONE;
}

/* Whether text can name the form: LLVM accepts register halves in short comparisons even without real-true16, though
 * it disassembles none. */
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

/* From other generations only the forms that a feature adds. */
static bool is_named(const struct og_inst_reader *in, const struct named *n, size_t i) {
  const struct og_form *form = og_form(n->isa, n->forms[i]);
  return og_suffix_fits(form, n->suffix) && is_here(n->isa, form) &&
         (n->isa == in->isa || og_is_brought(n->isa, form)) && !(form->traits & OG_TRAIT_DECODE_ONLY);
}

/* The candidates, sorted by rank and, within a rank, in the tables' order. Yields how many. */
static uint32_t draft_candidates(struct og_inst_reader *in, const struct named *n, struct draft *drafts,
                                 uint16_t *order) {
  uint32_t count = 0;
  for (size_t i = 0; i < n->count; i++) {
    if (!is_named(in, n, i))
      continue;
    const struct og_form *form = og_form(n->isa, n->forms[i]);
    enum og_takes left_out[] = {OG_TAKES_NONE, left_out_of(in, form, og_shape(n->isa, form))};
    for (unsigned k = 0; k < (left_out[1] == OG_TAKES_NONE ? 1u : 2u); k++) {
      make_candidate(in, n->isa, n->forms[i], left_out[k], &drafts[count]);
      uint32_t at = count;
      for (; at > 0 && rank(&drafts[order[at - 1]].candidate) > rank(&drafts[count].candidate); at--)
        order[at] = order[at - 1];
      order[at] = (uint16_t)count++;
    }
  }
  return count;
}

/* By name. Open addressing; `capacity` is a power of two. The whole hash is kept, so names that are compared are
 * mostly equal. */
struct og_mnemonics {
  struct {
    uint64_t hash;
    struct og_mnemonic *mnemonic;
  } *slots;
  uint32_t capacity, count;
  struct og_map mods;   /* by shape: struct og_mod_places */
  struct draft *drafts; /* room for the candidates of one, and their order */
  uint16_t *order;
  size_t draft_count;
};

static const struct og_mod_places *shared_mods(struct og_inst_reader *in, const struct draft *d) {
  const struct og_shape *shape = d->candidate.shape;
  void **known = og_map_at(in->arena, &in->mnemonics->mods, (struct og_text){(const char *)shape, sizeof *shape});
  if (!*known)
    *known = memcpy(OG_NEW(in->arena, struct og_mod_places), &d->mods, sizeof d->mods);
  return *known;
}

/* All in one piece, so that a look-up brings it into the cache. */
static struct og_mnemonic *make_mnemonic(struct og_inst_reader *in, struct og_text name, const struct named *n) {
  struct og_mnemonics *table = in->mnemonics;
  if (2 * n->count > table->draft_count) {
    table->draft_count = 2 * n->count;
    table->drafts = OG_NEW_ARRAY(in->arena, struct draft, table->draft_count);
    table->order = OG_NEW_ARRAY(in->arena, uint16_t, table->draft_count);
  }
  const struct draft *drafts = table->drafts;
  const uint16_t *order = table->order;
  uint32_t count = draft_candidates(in, n, table->drafts, table->order);
  size_t head = og_align_up(sizeof(struct og_mnemonic) + name.size + 1, CACHE_LINE), places = 0;
  for (uint32_t i = 0; i < count; i++)
    places += drafts[i].candidate.count;
  char *room = og_arena_alloc(in->arena,
                              CACHE_LINE + head + places * sizeof(struct og_place) +
                                  count * (sizeof(struct og_candidate) + sizeof(struct og_candidate_code)));
  struct og_mnemonic *m = (struct og_mnemonic *)og_align_up((uintptr_t)room, CACHE_LINE);
  m->isa = n->isa;
  m->candidates = (struct og_candidate *)((char *)m + head);
  m->brought = NULL;
  m->count = (uint16_t)count;
  m->wave_sync = count && drafts[order[0]].candidate.form->row_flags & OG_FLAG_GWS;
  m->begins_pair = og_first_half(name).size == name.size && og_begins_pair(in->isa, name);
  m->name_size = (uint16_t)name.size;
  memcpy(m->name, name.data, name.size);
  struct og_candidate_code *code = (struct og_candidate_code *)(m->candidates + count);
  struct og_place *place = (struct og_place *)(code + count);
  for (uint32_t i = 0; i < count; i++) {
    const struct draft *d = &drafts[order[i]];
    struct og_candidate *c = &m->candidates[i];
    *c = d->candidate;
    c->places = memcpy(place, d->places, c->count * sizeof *place);
    *code = d->code;
    code->mods = shared_mods(in, d);
    c->code = code++;
    place += c->count;
  }
  return m;
}

/* The forms of one generation; whether the target has one of them. */
static bool find_from(struct og_inst_reader *in, const struct og_isa *isa, struct og_text name, struct named *n) {
  struct og_text base;
  *n = (struct named){.isa = isa, .suffix = OG_SUFFIX_NONE};
  n->count = og_find_forms(isa, name, &n->forms);
  if (!n->count) {
    n->suffix = og_split_suffix(name, &base);
    n->count = og_find_forms(isa, base, &n->forms);
  }
  for (size_t i = 0; i < n->count; i++)
    if (is_named(in, n, i))
      return true;
  return false;
}

/* Whether the processor's own tables already have the form that -mattr adds to the name. */
static bool has_itself(const struct og_mnemonic *own, const struct og_isa *brought) {
  for (uint32_t i = 0; i < own->count; i++)
    if (og_is_brought(brought, own->candidates[i].form))
      return true;
  return false;
}

/* The processor's own forms, then those that features add, from the nearest generation that has one. */
static struct og_mnemonic *new_mnemonic(struct og_inst_reader *in, struct og_text name) {
  struct named n;
  struct og_mnemonic *own = find_from(in, in->isa, name, &n) ? make_mnemonic(in, name, &n) : NULL, *brought = NULL;
  for (unsigned i = 0; i < in->brought.count && !brought && !(own && has_itself(own, &in->brought.isas[i])); i++)
    brought = find_from(in, &in->brought.isas[i], name, &n) ? make_mnemonic(in, name, &n) : NULL;
  if (own)
    own->brought = brought;
  return own ? own : brought ? brought : make_mnemonic(in, name, &(struct named){.isa = in->isa});
}

/* ---- by name ----------------------------------------------------------------------------------------------------- */

static void put(struct og_mnemonics *table, uint64_t hash, struct og_mnemonic *m) {
  uint32_t i = (uint32_t)hash & (table->capacity - 1);
  while (table->slots[i].mnemonic)
    i = (i + 1) & (table->capacity - 1);
  table->slots[i].hash = hash;
  table->slots[i].mnemonic = m;
}

static void grow(struct og_inst_reader *in, struct og_mnemonics *table) {
  struct og_mnemonics old = *table;
  table->capacity = OG_MAX(old.capacity * 2, 256u);
  table->slots = og_arena_alloc(in->arena, table->capacity * sizeof table->slots[0]);
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.slots[i].mnemonic)
      put(table, old.slots[i].hash, old.slots[i].mnemonic);
}

static struct og_mnemonic *add(struct og_inst_reader *in, struct og_text name, uint64_t hash) {
  if (!in->mnemonics)
    in->mnemonics = OG_NEW(in->arena, struct og_mnemonics);
  if (++in->mnemonics->count * 2 > in->mnemonics->capacity)
    grow(in, in->mnemonics);
  struct og_mnemonic *m = new_mnemonic(in, name);
  put(in->mnemonics, hash, m);
  return m;
}

struct og_text og_lower_case(struct og_inst_reader *in, struct og_text name) {
  char *lower = og_arena_copy(in->arena, name.data, name.size);
  for (char *c = lower; *c; c++)
    *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
  return (struct og_text){lower, name.size};
}

struct og_mnemonic *og_find_mnemonic(struct og_inst_reader *in, struct og_text name) {
  const struct og_mnemonics *table = in->mnemonics;
  uint64_t hash = og_hash(name.data, name.size);
  struct og_mnemonic *m = NULL;
  for (uint32_t i = (uint32_t)hash; table; i++) {
    m = table->slots[i & (table->capacity - 1)].mnemonic;
    if (!m)
      break;
    if (table->slots[i & (table->capacity - 1)].hash != hash)
      continue;
    for (unsigned line = 1; line < 5; line++) /* of its candidates and their places: read next */
      __builtin_prefetch((const char *)m + line * CACHE_LINE);
    if (og_name_equal((struct og_text){m->name, m->name_size}, name))
      break;
  }
  if (!m)
    m = add(in, name, hash);
  if (m->count)
    return m;
  struct og_text lower = og_lower_case(in, name);
  return og_text_equal(lower, name) ? m : og_find_mnemonic(in, lower);
}
