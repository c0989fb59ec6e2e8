/* replay.c - statements that were read before in all but the numbers of their registers: their code again, without
 * reading them anew.
 *
 * What an instruction assembles to hangs on its text alone, unless it names symbols; those that do are not remembered,
 * and a new macro lets all be forgotten. Of a register's number this counts besides the bits that it fills: what tuples
 * may begin at, whether it is 128 or more (halves), how many registers there are, and which registers are the same (the
 * constant bus counts those). All that is part of the key, and the bits are exchanged. Encodings whose rules say more
 * about numbers - matrices, pairs, images, exports - are always read. A new rule about numbers must be told here. */
#include "asm/instruction.h"

#include <string.h>

enum { ENTRIES = 8192, REGISTERS = 6, KEY_SIZE = 112, LONGEST = 24 };

/* A register in the statement whose number is no part of the key. */
struct reference {
  const char *at;
  uint8_t kind, first, dwords; /* enum og_operand_kind */
};

struct entry {
  uint64_t words[LONGEST / 8];
  uint8_t size, key_size, count;
  uint16_t vgprs, sgprs; /* ends of the registers that are part of the key */
  struct og_piece pieces[REGISTERS];
  uint8_t first[REGISTERS];
  char key[KEY_SIZE];
};

struct og_replay {
  struct entry *entries[ENTRIES];
  uint16_t seen[ENTRIES]; /* of the key that was last asked for in vain */
  uint32_t found, missed; /* how often */
  /* Of the statement in hand. */
  uint8_t count;
  struct reference references[REGISTERS];
  const char *start, *end; /* NULL where it has no key */
  size_t key_size, slot, diagnostics;
  uint32_t symbols_read;
  char key[KEY_SIZE];
};

struct og_replay *og_replay_new(struct og_arena *arena) { return OG_NEW(arena, struct og_replay); }

/* ---- keys -------------------------------------------------------------------------------------------------------- */

enum { REFUSED, PLAIN, WORD, END, SLASH };
static const uint8_t kinds[256] = {
    ['a' ... 'z'] = WORD, ['A' ... 'Z'] = WORD, ['0' ... '9'] = WORD, ['_'] = WORD, ['.'] = WORD, ['$'] = WORD,
    ['?'] = WORD, ['\t'] = PLAIN, [' ' ... '!'] = PLAIN, ['#'] = PLAIN, ['%' ... '&'] = PLAIN, ['(' ... '-'] = PLAIN,
    [':'] = PLAIN, ['<' ... '>'] = PLAIN, ['@'] = PLAIN, ['[' ... '^'] = PLAIN, ['`'] = PLAIN, ['{' ... '~'] = PLAIN,
    ['/'] = SLASH, ['\n'] = END, ['\r'] = END, [';'] = END, ['\0'] = END}; /* not: quotes, control characters */

/* Decimal digits as all readers of numbers understand them; -1 if there are none or too many. */
static int digits(const char **p) {
  const char *start = *p;
  int value = 0;
  while (og_asm_digit(**p) && *p - start < 4)
    value = value * 10 + *(*p)++ - '0';
  return *p == start || *p - start > 3 || (*start == '0' && *p - start > 1) ? -1 : value;
}

/* "v1", "s[2:3]": yields where the text goes on, or NULL if it is anything else. */
static const char *read_register(const char *p, struct reference *out) {
  bool vector = *p == 'v', range = p[1] == '[';
  out->at = p;
  p += 1 + range;
  int first = digits(&p), last = first;
  if (range && (first < 0 || *p++ != ':' || (last = digits(&p)) < first || *p++ != ']'))
    return NULL;
  if (first < 0 || last > (vector ? 255 : OG_REPLAYED_SGPRS - 1) || last - first >= 32 || og_asm_name_char(*p))
    return NULL;
  out->kind = vector ? OG_OPERAND_VGPR : OG_OPERAND_SGPR;
  out->first = (uint8_t)first;
  out->dwords = (uint8_t)(last - first + 1);
  return p;
}

/* In place of its number, with the highest bit, which no text has: what counts of it,
 * and which register was it first. */
static char *put_register(const struct og_replay *r, char *key) {
  const struct reference *own = &r->references[r->count];
  unsigned begin = own->kind == OG_OPERAND_VGPR ? 1 : own->dwords > 2 ? 3 : own->dwords - 1u, same = 0;
  while (r->references[same].kind != own->kind || r->references[same].first != own->first)
    same++;
  *key++ = own->kind == OG_OPERAND_VGPR ? 'v' : 's';
  *key++ = (char)(128 | same << 3 | own->first >> 7 << 2 | (own->first & begin));
  *key++ = (char)(128 | own->dwords);
  return key;
}

static bool make_key(struct og_replay *r, const char *p) {
  const char *start = p;
  char *key = r->key, *most = key + KEY_SIZE - 16;
  r->count = 0;
  for (;;) {
    if (key > most)
      return false;
    const char *behind = NULL;
    switch (kinds[(uint8_t)*p]) {
    case PLAIN: *key++ = *p++; break;
    case WORD:
      if ((*p == 'v' || *p == 's') && (og_asm_digit(p[1]) || p[1] == '[')) {
        if (r->count == REGISTERS)
          return false;
        behind = read_register(p, &r->references[r->count]);
      }
      if (behind) {
        key = put_register(r, key);
        r->count++;
        p = behind;
        break;
      }
      do
        *key++ = *p++;
      while (kinds[(uint8_t)*p] == WORD && key <= most);
      if (*p == ':' && key - r->key == p - start) /* a label */
        return false;
      break;
    case SLASH:
      if (p[1] != '/')
        return false;
      /* fall through */
    case END:
      memset(key, 0, 8);
      r->end = p;
      r->key_size = og_align_up((size_t)(key - r->key), 8);
      return true;
    default: return false;
    }
  }
}

/* ---- replaying --------------------------------------------------------------------------------------------------- */

/* The bits of a register's number become those of another one. */
static void exchange(uint64_t *words, const struct og_piece *piece, unsigned from, unsigned to) {
  words[piece->at >> 6] ^= (uint64_t)((from ^ to) >> piece->to) << (piece->at & 63);
}

/* The statement's entry, in one of two places, or NULL. */
static const struct entry *find(const struct og_replay *r) {
  for (unsigned i = 0; i < 2; i++) {
    const struct entry *e = r->entries[r->slot ^ i];
    if (e && e->key_size == r->key_size && !memcmp(e->key, r->key, r->key_size))
      return e;
  }
  return NULL;
}

void og_asm_forget(struct og_asm *as) {
  if (as->replay)
    *as->replay = (struct og_replay){0};
}

bool og_asm_replay(struct og_asm *as, bool *ok) {
  struct og_replay *r = as->replay;
  if (!r)
    return false;
  r->start = make_key(r, as->statement) ? as->statement : NULL;
  if (!r->start)
    return false;
  uint64_t hash = og_hash(r->key, r->key_size);
  r->slot = hash % ENTRIES;
  const struct entry *e = find(r);
  if (!e) {
    uint16_t tag = (uint16_t)(hash >> 48);
    if (++r->missed > ENTRIES / 2 + r->found && r->seen[r->slot] != tag)
      r->start = NULL; /* most of this source comes once only: remembering it costs more than it saves */
    r->seen[r->slot] = tag;
    r->symbols_read = as->symbols_read;
    r->diagnostics = og_diagnostics_count(as->diagnostics);
    return false;
  }
  r->found++;
  uint64_t words[LONGEST / 8];
  memcpy(words, e->words, sizeof words);
  og_asm_use_registers(as, OG_OPERAND_VGPR, e->vgprs);
  og_asm_use_registers(as, OG_OPERAND_SGPR, e->sgprs);
  for (unsigned i = 0; i < e->count; i++) {
    const struct reference *reference = &r->references[i];
    exchange(words, &e->pieces[i], e->first[i], reference->first);
    og_asm_use_registers(as, reference->kind, reference->first + reference->dwords);
  }
  as->p = r->end;
  og_asm_note_line(as);
  *ok = og_asm_emit(as, words, e->size);
  return true;
}

/* ---- remembering ------------------------------------------------------------------------------------------------- */

bool og_asm_numbers_are_free(const struct og_inst *inst) {
  static const uint32_t encodings =
      1u << OG_ENC_SOP1 | 1u << OG_ENC_SOP2 | 1u << OG_ENC_SOPC | 1u << OG_ENC_SOPK | 1u << OG_ENC_SOPP |
      1u << OG_ENC_SMEM | 1u << OG_ENC_VOP1 | 1u << OG_ENC_VOP2 | 1u << OG_ENC_VOPC | 1u << OG_ENC_VOP3 |
      1u << OG_ENC_VOP3P | 1u << OG_ENC_DS | 1u << OG_ENC_FLAT | 1u << OG_ENC_MUBUF | 1u << OG_ENC_MTBUF;
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->encoding == OG_ENC_VOP3P && inst->operands[i].dwords > 2) /* matrices */
      return false;
  return encodings >> inst->encoding & 1;
}

/* The slot that a reference of the text came to. */
static const struct og_slot *slot_of(const struct og_candidate *c, const struct og_inst_text *text, const char *at) {
  for (unsigned i = 0; i < c->count && i < text->operand_count; i++)
    if (text->operands[i].at <= at && at < text->operands[i].end && c->places[i].slot)
      return c->places[i].slot;
  return NULL;
}

/* Finds where the registers' numbers stand in the code: the same with others of them must encode as exchanged. */
static bool find_pieces(struct og_asm *as, const struct og_candidate *c, const struct og_inst_text *text,
                        const struct og_inst *inst, struct entry *e) {
  struct og_replay *r = as->replay;
  struct og_inst other = *inst;
  uint64_t words[LONGEST / 8];
  uint8_t bytes[32];
  uint32_t found = 0;
  memcpy(words, e->words, sizeof words);
  for (unsigned i = 0; i < r->count; i++) {
    const struct og_slot *slot = slot_of(c, text, r->references[i].at);
    const struct og_operand *operand = slot ? og_operand(inst, slot->role) : NULL;
    if (!operand || operand->kind != r->references[i].kind || operand->reg != r->references[i].first ||
        operand->dwords != r->references[i].dwords || found >> (operand - inst->operands) & 1 ||
        !og_asm_number_piece(slot).width)
      return false;
    found |= 1u << (operand - inst->operands);
    e->pieces[i] = slot->pieces[0];
    e->first[i] = r->references[i].first;
    other.operands[operand - inst->operands].reg ^= (uint16_t)(2 << i);
    exchange(words, &e->pieces[i], e->first[i], e->first[i] ^ 2u << i);
  }
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *o = &inst->operands[i];
    uint16_t *end = o->kind == OG_OPERAND_SGPR ? &e->sgprs : &e->vgprs;
    if (!(found >> i & 1) && o->kind >= OG_OPERAND_VGPR && o->kind <= OG_OPERAND_SGPR)
      *end = OG_MAX(*end, (uint16_t)(o->reg + OG_MAX(o->dwords, 1)));
  }
  return og_encode(as->isa, &other, bytes) == e->size && !memcmp(bytes, words, e->size);
}

void og_asm_remember(struct og_asm *as, const struct og_candidate *c, const struct og_inst_text *text,
                     const struct og_match *m, const uint8_t *bytes, size_t size) {
  struct og_replay *r = as->replay;
  if (!r || r->start != as->statement || as->p != r->end || as->symbols_read != r->symbols_read || m->expr ||
      size > LONGEST || og_diagnostics_count(as->diagnostics) != r->diagnostics || !og_asm_numbers_are_free(&m->inst))
    return;
  struct entry e = {.size = (uint8_t)size, .key_size = (uint8_t)r->key_size, .count = r->count};
  memcpy(e.words, bytes, size);
  if (!find_pieces(as, c, text, &m->inst, &e))
    return;
  memcpy(e.key, r->key, r->key_size);
  struct entry **place = &r->entries[r->slot];
  if (*place && !r->entries[r->slot ^ 1])
    place = &r->entries[r->slot ^ 1];
  if (!*place)
    *place = OG_NEW(as->arena, struct entry);
  **place = e;
}
