/* test_visa_modifiers.c - each modifier that the rules allow, of each source and of the destination, changes what an
 * instruction gives, on each platform and type; or the executor refuses it. Nothing is taken and ignored. */
#include "base/floats.h"
#include "visa_fixture.h"

#include "visa/table.h"

/* R, X, Y, Z: variables of a type; $ stands before a source, @ where saturation does. `same`: sources, from 0 on, whose
 * sign the result does not depend on. */
static const struct {
  const char *text, *same;
} rows[] = {
    {"add@ (M1, 8) R $X $Y", ""},          {"avg@ (M1, 8) R $X $Y", ""},     {"div@ (M1, 8) R $X $Y", ""},
    {"dp2@ (M1, 8) R $X $Y", ""},          {"dp3@ (M1, 8) R $X $Y", ""},     {"dp4@ (M1, 8) R $X $Y", ""},
    {"dph@ (M1, 8) R $X $Y", ""},          {"exp@ (M1, 8) R $X", ""},        {"frc (M1, 8) R $X", ""},
    {"line@ (M1, 8) R $X4 $Y", ""},        {"log@ (M1, 8) R $X", ""},        {"mad@ (M1, 8) R $X $Y $Z", ""},
    {"mulh (M1, 8) R $X $Y", ""},          {"lrp@ (M1, 8) R $X $Y $Z", ""},  {"mod (M1, 8) R $X $Y", "1"},
    {"mul@ (M1, 8) R $X $Y", ""},          {"pow@ (M1, 8) R $X $Y", "0"},     {"rndd@ (M1, 8) R $X", ""},
    {"rndu@ (M1, 8) R $X", ""},            {"rnde@ (M1, 8) R $X", ""},       {"rndz@ (M1, 8) R $X", ""},
    {"sin@ (M1, 8) R $X", ""},             {"cos@ (M1, 8) R $X", "0"},       {"sqrt@ (M1, 8) R $X", ""},
    {"rsqrt@ (M1, 8) R $X", ""},           {"inv@ (M1, 8) R $X", ""},        {"and (M1, 8) R $X $Y", ""},
    {"or (M1, 8) R $X $Y", ""},            {"xor (M1, 8) R $X $Y", ""},      {"not (M1, 8) R $X", ""},
    {"shl@ (M1, 8) R $X $Y", ""},          {"shr@ (M1, 8) R $X $Y", ""},     {"asr@ (M1, 8) R $X $Y", ""},
    {"mov@ (M1, 8) R $X", ""},             {"(P1) sel@ (M1, 8) R $X $Y", ""}, {"min@ (M1, 8) R $X $Y", ""},
    {"max@ (M1, 8) R $X $Y", ""},          {"plane@ (M1, 8) R $X4 $Y", ""},  {"sqrtm@ (M1, 8) R $X", ""},
    {"divm@ (M1, 8) R $X $Y", ""},         {"dp4a@ (M1, 8) R $X $Y $Z", ""}, {"add3@ (M1, 8) R $X $Y $Z", ""},
    {"(P1) add3.o@ (M1, 8) R $X $Y $Z", ""}, {"madw (M1, 8) R $X $Y $Z", ""}, {"invm (M1, 8) R P1 $X $Y", ""},
    {"rsqtm (M1, 8) R P1 $X", ""},         {"bfn.x96@ (M1, 8) R X Y Z", ""}, {"sad2@ (M1, 8) Rw Xub Yub", ""},
    {"sad2add@ (M1, 8) Rw Xub Yub Zw", ""}, {"bf_cvt (M1, 8) Rf $Xuw", ""},
    {"bf_cvt (M1, 8) Rf $Xbf", ""},        {"bf_cvt (M1, 8) Ruw $Xf", ""},   {"bf_cvt (M1, 8) Rbf $Xf", ""},
    {"cmp.lt (M1, 8) P1 $X $Y\n    mov (M1_NM, 1) Rud(0,0)<1> P1", ""},
};
/* Rows whose integers no saturation changes, since results fit. */
static const char *const fitting[] = {"avg", "shr", "asr", "mov", "sel", "min", "max", "bfn", "sad2", "sad2add", "div"};

static const struct {
  const char *name;
  uint32_t size;
} types[] = {{"f", 4}, {"d", 4}, {"hf", 2}, {"w", 2}, {"b", 1}, {"q", 8}, {"df", 8}, {"ub", 1}, {"uw", 2}, {"ud", 4},
             {"bf", 2}};

static void put(uint8_t *to, const char *type, double number, int64_t integer) {
  if (strcmp(type, "f") == 0)
    og_store32(to, og_bits_of_float((float)number));
  else if (strcmp(type, "hf") == 0)
    og_store16(to, (uint16_t)og_float_to_half((float)number, OG_ROUND_NEAREST));
  else if (strcmp(type, "bf") == 0)
    og_store16(to, (uint16_t)(og_bits_of_float((float)number) >> 16));
  else if (strcmp(type, "df") == 0)
    memcpy(to, &number, 8);
  else
    memcpy(to, &integer, strspn(type, "u") ? 4 : 8);
}

/* 128 bytes of a source: numbers as floats, and as integers that overflow their type when added or multiplied. */
static void fill(uint8_t *to, uint32_t source, const char *type, uint32_t size, bool word_of_float) {
  static const double numbers[3][8] = {{3.5, -2.25, 0.75, -65504, 7, 1.5, -0.5, 20},
                                       {-1.25, 3, 2.5, 0.5, -9, 6, 9, -8},
                                       {2, -7, 0.25, 11, -3, 40, -1.5, 5}};
  static const int8_t high[3][8] = {{120, -5, 3, -100, 64, 17, -127, 1},
                                    {100, -3, 7, 2, 64, -1, -127, 30},
                                    {3, 9, -2, 100, 64, -6, -127, 90}};
  uint8_t room[16];
  for (uint32_t i = 0; i < 128 / size; i++) {
    int64_t integer =
        (int64_t)high[source][i % 8] * (int64_t)(1ull << (8 * size - 8)) + (size > 1 ? 5 + (int)i % 3 : 0);
    put(room, word_of_float && strcmp(type, "uw") == 0 ? "bf" : type, numbers[source][i % 8], integer);
    memcpy(to + i * size, room, size);
  }
}

/* A row's text for a type, with a modifier before one source (-1: none) and perhaps saturated. */
static char *expand(struct fixture *f, const char *row, const char *type, int source, const char *modifier, bool sat) {
  struct og_buffer out = {0};
  int seen = 0;
  for (const char *p = row; *p; p++) {
    if (*p == '$') {
      og_buffer_text(&out, seen++ == source ? modifier : "");
    } else if (*p == '@') {
      og_buffer_text(&out, sat ? ".sat" : "");
    } else if (strchr("RXYZ", *p) && (p == row || p[-1] == ' ' || p[-1] == '$')) {
      size_t own = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz");
      const char *region = *p == 'R' ? "<1>" : p[1] == '4' ? "<0;4,1>" : "<8;8,1>";
      og_buffer_printf(&out, "%c_%.*s%s", *p, (int)(own ? own : strlen(type)), own ? p + 1 : type,
                       p[1 + own] == '(' ? "" : "(0,0)");
      og_buffer_text(&out, p[1 + own] == '(' ? "" : region);
      p += own + (p[1] == '4');
    } else {
      og_buffer_append(&out, p, 1);
    }
  }
  char *text = og_arena_copy(f->arena, (const char *)out.data, out.size);
  og_buffer_free(&out);
  return text;
}

enum outcome { FORBIDDEN, REFUSED, RAN };

static enum outcome run_text(struct fixture *f, int platform, const char *text, uint8_t out[128]) {
  struct og_buffer declarations = {0}, body = {0};
  og_buffer_text(&declarations, ".decl P1 v_type=P num_elts=32\n.decl Q v_type=G type=uq num_elts=1 align=qword\n");
  uint32_t place = 0;
  memset(f->out, 0, sizeof f->out);
  og_buffer_text(&body, "    setp (M1_NM, 8) P1 0x5a:ud\n");
  for (size_t t = 0; t < OG_COUNT(types); t++)
    for (uint32_t v = 0; v < 4; v++) {
      char name[8];
      snprintf(name, sizeof name, "%c_%s", "XYZR"[v], types[t].name);
      og_buffer_printf(&declarations, ".decl %s v_type=G type=%s num_elts=%u align=GRFx2\n", name, types[t].name,
                       128 / types[t].size);
      const char *use = strstr(text, name);
      if (!use || use[strlen(name)] != '(' || v == 3)
        continue;
      fill((uint8_t *)f->out + place, v, types[t].name, types[t].size, strstr(text, "bf_cvt"));
      og_buffer_printf(
          &body, "    add (M1_NM, 1) Q(0,0)<1> OUT(0,0)<0;1,0> 0x%x:uw\n    svm_block_ld (8) Q(0,0)<0;1,0> %s.0\n",
          place, name);
      place += 128;
    }
  const char *result = strstr(text, "R_");
  og_buffer_printf(&body, "    %s\n    add (M1_NM, 1) Q(0,0)<1> OUT(0,0)<0;1,0> 0x400:uw\n"
                          "    svm_block_st (8) Q(0,0)<0;1,0> %.*s.0\n%c", text, (int)strcspn(result, "("), result, 0);
  og_buffer_append(&declarations, "", 1);
  struct setting s = {.platform = platform, .simd = 8};
  enum outcome outcome = FORBIDDEN;
  f->program = NULL;
  f->visa = NULL;
  bool fine = run_kernel(f, s, (char *)declarations.data, (char *)body.data);
  if (f->visa && og_visa_verify(f->visa, platform, "t", f->diagnostics))
    outcome = fine ? RAN : REFUSED;
  memcpy(out, f->out + 256, 128);
  og_buffer_free(&declarations);
  og_buffer_free(&body);
  return outcome;
}

static bool is_fitting(const char *row) {
  const char *name = row + (row[0] == '(' ? 5 : 0);
  for (size_t i = 0; i < OG_COUNT(fitting); i++)
    if (strcspn(name, "@ .") == strlen(fitting[i]) && strncmp(name, fitting[i], strlen(fitting[i])) == 0)
      return true;
  return false;
}

/* An absolute value of what has no sign. (bf_cvt's uw is a bf.) */
static bool is_unsigned(const char *text) {
  const char *source = strstr(text, "(abs)");
  return source && source[7] == 'u' && !strstr(text, "bf_cvt");
}

/* Of a row on a platform with a type: what is taken and ignored is told. */
static unsigned judge(struct fixture *f, size_t row, int platform, const char *type, unsigned *taken) {
  enum { ABSOLUTE = 1 };
  static const char *const modifiers[] = {"(-)", [ABSOLUTE] = "(abs)", "(-abs)", "(~)"};
  const char *text = rows[row].text;
  uint8_t plain[128], changed[128];
  unsigned wrong = 0;
  char *bare = expand(f, text, type, -1, "", false);
  if (run_text(f, platform, bare, plain) != RAN)
    return 0;
  int sources = 0;
  for (const char *p = text; *p; p++)
    sources += *p == '$';
  for (int source = 0; source < sources; source++)
    for (size_t m = 0; m < OG_COUNT(modifiers); m++) {
      char *with = expand(f, text, type, source, modifiers[m], false);
      enum outcome outcome = run_text(f, platform, with, changed);
      *taken += outcome != FORBIDDEN;
      bool same = strchr(rows[row].same, '0' + source) || (m == ABSOLUTE && is_unsigned(with));
      if (outcome == RAN && memcmp(plain, changed, 128) == 0 && !same && ++wrong)
        print_error("%s: '%s' gives what '%s' does\n", og_visa_platforms[platform].name, with, bare);
    }
  bool fits = is_fitting(text) && (!strchr(type, 'f') || strstr(text, " Rw") || strstr(text, "bfn"));
  if (strchr(text, '@')) {
    char *with = expand(f, text, type, -1, "", true);
    enum outcome outcome = run_text(f, platform, with, changed);
    *taken += outcome != FORBIDDEN;
    if (outcome == RAN && memcmp(plain, changed, 128) == 0 && !fits && ++wrong)
      print_error("%s: '%s' gives what '%s' does\n", og_visa_platforms[platform].name, with, bare);
  }
  return wrong;
}

static void every_modifier_counts_or_is_refused(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    unsigned taken = 0;
    for (int platform = 0; platform < OG_VISA_PLATFORM_COUNT; platform++)
      for (size_t t = 0; t < OG_COUNT(types); t++) {
        void *fixture;
        set_up(&fixture);
        wrong += judge(fixture, i, platform, types[t].name, &taken);
        tear_down(&fixture);
      }
    if (!taken && ++wrong)
      print_error("'%s' never ran with a modifier\n", rows[i].text);
  }
  assert_int_equal(wrong, 0);
}

/* The table above has each opcode whose row allows a modifier. */
static void every_opcode_with_modifiers_has_a_row(void **state) {
  (void)state;
  unsigned absent = 0;
  for (unsigned opcode = 1; opcode < 256; opcode++) {
    const struct og_visa_row *row = og_visa_row(opcode, 0);
    bool there = !row || !(row->flags & (MOD | NOT | SAT | SATF));
    for (size_t i = 0; i < OG_COUNT(rows) && !there; i++) {
      const char *name = rows[i].text + (rows[i].text[0] == '(' ? 5 : 0);
      size_t length = strlen(row->name);
      there = strncmp(name, row->name, length) == 0 && strchr("@ .", name[length]);
    }
    if (!there && ++absent)
      print_error("%s has no row\n", row->name);
  }
  assert_int_equal(absent, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_modifier_counts_or_is_refused),
      cmocka_unit_test(every_opcode_with_modifiers_has_a_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
