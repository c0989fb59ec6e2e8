/* alignment.c - directives that go on to a place: .align and its kin, .org. */
#include "asm/internal.h"

#include <string.h>

enum { ALIGN_BYTES = 0, ALIGN_POWER = 1 };

struct alignment {
  int64_t bytes, value, most; /* at most so many bytes, or nothing; 0 is no limit */
  unsigned value_size;
  bool has_value;
};

/* Checks and corrects the arguments as LLVM does; `start` is the place of the alignment, `most_at` of the limit
 * or NULL. */
static bool check_alignment(struct og_asm *as, struct alignment *a, bool power, const char *start,
                            const char *most_at) {
  bool ok = true;
  size_t size = (size_t)(as->p - start);
  if (power) {
    if (a->bytes < 0 || a->bytes >= 32)
      return og_asm_error(as, start, size, "invalid alignment value");
    a->bytes = INT64_C(1) << a->bytes;
  } else if (a->bytes == 0) {
    a->bytes = 1;
  } else {
    if (a->bytes & (a->bytes - 1))
      ok = og_asm_error(as, start, size, "alignment must be a power of 2");
    if (a->bytes < 0 || a->bytes > UINT32_MAX)
      ok = og_asm_error(as, start, size, "alignment must be smaller than 2**32");
    if (!ok)
      return a->bytes = 1, false;
  }
  if (most_at && a->most < 1)
    ok = og_asm_error(as, most_at, 1,
                      "alignment directive can never be satisfied in this many bytes, "
                      "ignoring maximum bytes expression");
  else if (most_at && a->most >= a->bytes)
    og_asm_warning(as, most_at, 1, "maximum bytes expression exceeds alignment and has no effect");
  else
    return true;
  a->most = 0;
  return ok;
}

static void list_alignment(struct og_asm *as, const struct alignment *a, bool code) {
  static const char *const names[] = {[1] = "\t.p2align\t", [2] = ".p2alignw ", [4] = ".p2alignl "};
  uint64_t mask = (UINT64_C(1) << 8 * a->value_size) - 1;
  og_asm_list(as, "%s%d", names[code ? 1 : a->value_size], __builtin_ctzll((uint64_t)a->bytes));
  if (!code)
    og_asm_list(as, ", 0x%llx", (unsigned long long)((uint64_t)a->value & mask));
  else if (a->most)
    og_asm_list(as, ", ");
  if (a->most)
    og_asm_list(as, ", %lld", (long long)a->most);
  og_asm_list(as, "\n");
}

/* Whether what is read here has its place in the section already. */
static bool place_known(const struct og_asm *as) { return !as->chunk->number && !as->chunk->breaks.count; }

/* Code is padded with s_nop 0, after zeros up to a whole word. */
static bool put_alignment(struct og_asm *as, const struct alignment *a, const char *start) {
  struct og_asm_section *section = as->chunk->section;
  bool code = section->flags & SHF_EXECINSTR && !a->has_value;
  list_alignment(as, a, code);
  section->alignment = OG_MAX(section->alignment, (uint64_t)a->bytes);
  struct og_break padding = {.power = (uint8_t)__builtin_ctzll((uint64_t)a->bytes),
                             .most = (uint64_t)a->most,
                             .is_code = code,
                             .pattern_size = code ? 4 : (uint8_t)a->value_size};
  og_store64(padding.pattern, code ? 0xbf800000 : (uint64_t)a->value);
  if (place_known(as)) {
    uint64_t size = og_asm_padding(&padding, og_asm_here(as));
    return og_asm_emit(as, NULL, size % padding.pattern_size) &&
           og_asm_repeat(as, start, (int64_t)(size / padding.pattern_size), padding.pattern, padding.pattern_size);
  }
  struct og_break *b =
      og_asm_break(as, OG_BREAK_ALIGN, NULL, og_asm_range(as, start, as->p), padding.pattern, padding.pattern_size);
  if (b)
    b->power = padding.power, b->most = padding.most, b->is_code = padding.is_code;
  return b != NULL;
}

/* .align N [, VALUE [, MOST]] and its kin: N bytes, or for .p2align their logarithm. */
OG_DIRECTIVE(align) {
  struct alignment a = {.value_size = (unsigned)arg >> 4 ? (unsigned)arg >> 4 : 1};
  bool power = (arg & 15) == ALIGN_POWER;
  const char *start = og_asm_at(as), *value_at = NULL, *most_at = NULL;
  if (og_asm_at_end(as) && power)
    return og_asm_warning(as, as->p, 0, "p2align directive with no operand(s) is ignored"), true;
  if (!og_asm_parse_absolute(as, &a.bytes))
    return false;
  if (og_asm_accept(as, ',')) {
    value_at = og_asm_at(as);
    a.has_value = *value_at != ',';
    if ((a.has_value && !og_asm_parse_absolute(as, &a.value)) || !og_asm_optional(as, &a.most, &most_at))
      return false;
  }
  if (!og_asm_expect_end(as))
    return false;
  bool ok = check_alignment(as, &a, power, start, most_at);
  if (a.value && as->chunk->section->type == SHT_NOBITS) {
    og_asm_warning(as, value_at, 1, "ignoring non-zero fill value in BSS section '%s'", as->chunk->section->name);
    a.value = 0;
  }
  return put_alignment(as, &a, start) && ok;
}

/* A label of this chunk counts by its offset, where that is known. */
static bool goes_to_known(struct og_asm *as, struct og_operand_value *to) {
  struct og_value v = {.constant = to->value};
  if (!place_known(as) || (to->expr && (!og_asm_evaluate(as, to->expr, &v, NULL) || v.sub)) ||
      (v.add && (v.add->kind != OG_SYMBOL_LABEL || v.add->chunk != as->chunk)))
    return false;
  to->value = (int64_t)((v.add ? (uint64_t)v.add->value : 0) + (uint64_t)v.constant);
  return true;
}

bool og_asm_go_to(struct og_asm *as, struct og_operand_value to, const char *start) {
  int64_t value = 0;
  struct og_range range = og_asm_range(as, start, as->p);
  bool known = goes_to_known(as, &to);
  if (og_asm_accept(as, ',') && !og_asm_parse_absolute(as, &value))
    return false;
  og_asm_list(as, ".org %s, %lld\n", og_asm_listed(as, to), (long long)value);
  uint8_t byte = (uint8_t)value;
  if (!known) {
    const struct og_expr *target = to.expr ? to.expr : og_asm_constant(as, to.value);
    return og_asm_break(as, OG_BREAK_ORG, target, range, &byte, 1) != NULL;
  }
  int64_t size = (int64_t)((uint64_t)to.value - og_asm_here(as));
  if (to.value < 0 || size < 0)
    return og_asm_refuse(as, start, "invalid .org offset '%lld' (at offset '%llu')",
                        (long long)to.value, (unsigned long long)og_asm_here(as));
  return og_asm_repeat(as, start, size, &byte, 1);
}

OG_DIRECTIVE(org) {
  const char *start = og_asm_at(as);
  struct og_operand_value to;
  return og_asm_late_value(as, &to) && og_asm_go_to(as, to, start);
}

const struct og_directive_row og_place_directives[] = {
    {".align", align, ALIGN_BYTES},
    {".align32", align, ALIGN_BYTES | 4 << 4},
    {".balign", align, ALIGN_BYTES},
    {".balignw", align, ALIGN_BYTES | 2 << 4},
    {".balignl", align, ALIGN_BYTES | 4 << 4},
    {".p2align", align, ALIGN_POWER},
    {".p2alignw", align, ALIGN_POWER | 2 << 4},
    {".p2alignl", align, ALIGN_POWER | 4 << 4},
    {".org", org, 0},
    {NULL, NULL, 0},
};
