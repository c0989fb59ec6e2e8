/* memory_model_old.c - order of memory operations by the older compute ABI's tables, memory_model_old.def. */
#include "cc/address.h"
#include "cc/memory_model.h"

#include <string.h>

enum { WG = 1, AGENT_ON = 2, ANY = WG | AGENT_ON };
enum { G = 1, L = 2, F = 4, NONE = G };
enum { OLD_LOAD = CC_LOADS, OLD_STORE = CC_STORES, OLD_RMW = CC_ATOMICS, OLD_FENCE = CC_FENCES };
enum { OLD_PLAIN, OLD_MONOTONIC, OLD_ACQUIRE, OLD_RELEASE, OLD_SEQ_CST };

static const struct row {
  uint8_t access, order, scopes, spaces;
  const char *sequence;
} rows[] = {
#define OLD(kind, order, scopes, spaces, sequence) {OLD_##kind, OLD_##order, scopes, spaces, sequence},
#include "cc/memory_model_old.def"
};

static unsigned order_of(const struct cc_ordered *o) {
  if (o->ordering < OG_IR_ACQUIRE)
    return o->ordering ? OLD_MONOTONIC : OLD_PLAIN;
  if (o->access == CC_LOADS || o->access == CC_STORES || o->ordering > OG_IR_RELEASE)
    return OLD_SEQ_CST;
  return o->ordering == OG_IR_ACQUIRE ? OLD_ACQUIRE : OLD_RELEASE;
}

/* LDS belongs to one work-group, whatever the scope; a single lane needs no order. */
static unsigned scope_of(const struct cc_function *c, const struct cc_ordered *o) {
  static const char *const near[] = {"wavefront", "workgroup"};
  struct og_text name = c->m->scopes.items[o->scope], rest = name;
  if (og_text_skip(&rest, "singlethread"))
    return 0;
  for (unsigned k = 0; k < OG_COUNT(near); k++) {
    rest = name;
    if (og_text_skip(&rest, near[k]))
      return WG;
  }
  return o->space == LDS && o->access != CC_FENCES ? WG : AGENT_ON;
}

static void put_step(struct cc_function *c, struct og_text word) {
  if (og_text_is(word, "wbinvl1"))
    cc_emit(c, OG_ROW_BUFFER_WBINVL1_VOL, 0, 0, NULL);
  else
    cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL)->policy = og_text_is(word, "vm") ? VECTOR_ONLY : LDS_ONLY;
}

void cc_order_older(struct cc_function *c, const struct cc_ordered *o, bool before) {
  unsigned order = order_of(o), scope = scope_of(c, o), space = o->space == LDS ? L : o->space == FLAT ? F : G;
  const char *text = "";
  for (unsigned k = 0; k < OG_COUNT(rows); k++)
    if (rows[k].access == o->access && rows[k].order == order && rows[k].scopes & scope &&
        (o->access == CC_FENCES || rows[k].spaces & space))
      text = rows[k].sequence;
  bool behind = false; /* behind the access; all of a fence's steps stand in its place */
  while (*text) {
    struct og_text word = {text, strcspn(text, " ")};
    text += word.size + (text[word.size] == ' ');
    struct og_text rest = word;
    if (og_text_skip(&rest, "op"))
      behind = true;
    else if (behind != before)
      put_step(c, word);
  }
}
