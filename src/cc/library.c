/* library.c - bodies for intrinsics that other operations can express. library.def has them as IR text; those that a
 * module declares are read into it and then inlined like any function. */
#include "cc/opt.h"
#include "isa/isa.h"

#include <string.h>

static const struct body {
  const char *name, *element, *text;
} bodies[] = {
#define BODY(name, element, text) {name, element, text},
#include "cc/library_arithmetic.def"
#include "cc/library.def"
};

/* What the marks of a name stand for. */
struct marks {
  struct og_text name, suffix[2]; /* of $n and $r */
  struct og_text space;
  unsigned element; /* the number of the element in what is repeated */
};

static size_t suffix_size(struct og_text text) {
  size_t size = 0;
  while (size < text.size && text.data[size] != '.')
    size++;
  return size;
}

/* The element of a suffix such as v4i32, and the number of elements; 0 for a scalar. */
static struct og_text element_of(struct og_text suffix, unsigned *count) {
  *count = 0;
  if (suffix.size < 3 || suffix.data[0] != 'v')
    return suffix;
  size_t at = 1;
  while (at < suffix.size && suffix.data[at] >= '0' && suffix.data[at] <= '9' && *count < 100)
    *count = *count * 10 + (unsigned)(suffix.data[at++] - '0');
  return (struct og_text){suffix.data + at, suffix.size - at};
}

static unsigned bits_of(struct og_text element) {
  unsigned bits = 0;
  for (size_t i = 1; i < element.size && bits < 1000; i++)
    bits = bits * 10 + (unsigned)(element.data[i] - '0');
  return bits;
}

/* The scalar type of a suffix; NULL: none that library.def is for. */
static const char *scalar_of(struct og_text element) {
  static const char *const types[][2] = {{"f16", "half"},    {"f32", "float"}, {"f64", "double"},
                                         {"bf16", "bfloat"}, {"i1", "i1"},     {"i8", "i8"},
                                         {"i16", "i16"},     {"i32", "i32"},   {"i64", "i64"},   {"i128", "i128"}};
  for (unsigned i = 0; i < OG_COUNT(types); i++)
    if (og_text_is(element, types[i][0]))
      return types[i][1];
  return NULL;
}

static bool match(const struct body *b, struct og_text name, struct marks *k) {
  *k = (struct marks){.name = name};
  struct og_text rest = name;
  for (const char *p = b->name; *p; p++) {
    if (*p != '$') {
      if (!rest.size || *rest.data != *p)
        return false;
      rest.data++, rest.size--;
      continue;
    }
    struct og_text *to = *++p == 'a' ? &k->space : &k->suffix[*p == 'r'];
    struct og_text found = {rest.data, suffix_size(rest)};
    unsigned count;
    if (!found.size || (to->size && !og_text_equal(*to, found)) || (*p != 'a' && !scalar_of(element_of(found, &count))))
      return false;
    *to = found;
    rest.data += found.size, rest.size -= found.size;
  }
  unsigned count;
  return !rest.size && (!*b->element || og_text_is(element_of(k->suffix[0], &count), b->element));
}

static void put_type(struct og_buffer *out, struct og_text suffix, const char *scalar) {
  unsigned count;
  struct og_text element = element_of(suffix, &count);
  scalar = scalar ? scalar : scalar_of(element);
  if (count)
    og_buffer_printf(out, "<%u x %s>", count, scalar);
  else
    og_buffer_printf(out, "%s", scalar);
}

static void write(const struct marks *k, const char *text, struct og_buffer *out);

/* Writes $(c) for each element; returns the bracket that closes it. */
static const char *put_number(const struct marks *k, const char *at, struct og_buffer *out) {
  unsigned count;
  struct og_text element = element_of(k->suffix[0], &count);
  char number[32];
  size_t size = strcspn(at, ")");
  snprintf(number, sizeof number, "%.*s", (int)size, at);
  if (count)
    og_buffer_printf(out, "splat (%s ", scalar_of(element));
  write(k, number, out);
  if (count)
    og_buffer_printf(out, ")");
  return at + size;
}

/* Writes what stands between $[ and $] once for each element but the first. */
static const char *repeat(const struct marks *k, const char *at, unsigned count, struct og_buffer *out) {
  const char *end = strstr(at, "$]");
  char text[768];
  snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
  for (unsigned e = 1; e < count; e++) {
    struct marks each = *k;
    each.element = e;
    write(&each, text, out);
  }
  return end + 1;
}

static void write(const struct marks *k, const char *text, struct og_buffer *out) {
  unsigned count;
  struct og_text element = element_of(k->suffix[0], &count);
  for (const char *p = text; *p; p++) {
    char wider[16];
    if (*p != '$') {
      og_buffer_u8(out, (uint8_t)*p);
      continue;
    }
    switch (*++p) {
    case 'f': og_buffer_append(out, k->name.data, k->name.size); break;
    case 'n': og_buffer_append(out, k->suffix[0].data, k->suffix[0].size); break;
    case 'r': og_buffer_append(out, k->suffix[1].data, k->suffix[1].size); break;
    case 't': put_type(out, k->suffix[0], NULL); break;
    case 'u': put_type(out, k->suffix[1], NULL); break;
    case '1': put_type(out, k->suffix[0], "i1"); break;
    case 'd':
      snprintf(wider, sizeof wider, "i%u", 2 * bits_of(element));
      put_type(out, k->suffix[0], wider);
      break;
    case 'b': og_buffer_printf(out, "%u", bits_of(element)); break;
    case 'l': og_buffer_printf(out, "%u", bits_of(element) - 1); break;
    case 'a': og_buffer_append(out, k->space.data, k->space.size); break;
    case 'q':
      if (og_text_is(k->space, "0"))
        og_buffer_printf(out, "ptr");
      else
        og_buffer_printf(out, "ptr addrspace(%.*s)", OG_TEXT_ARGS(k->space));
      break;
    case '(': p = put_number(k, p + 1, out); break;
    case 's': og_buffer_append(out, element.data, element.size); break;
    case 'e': og_buffer_printf(out, "%s", scalar_of(element)); break;
    case 'k': og_buffer_printf(out, "%u", k->element); break;
    case 'j': og_buffer_printf(out, "%u", k->element - 1); break;
    case 'm': og_buffer_printf(out, "%u", count - 1); break;
    case 'i': og_buffer_printf(out, "%u", count - 1 - k->element); break;
    case '[': p = repeat(k, p + 1, count, out); break;
    default: break;
    }
  }
}

/* Whether the processor has an instruction for each element, so that no body is needed. */
static bool has_instruction(const struct og_isa *isa, struct og_text name, const struct marks *k) {
  char row[32];
  const uint16_t *forms;
  unsigned count;
  if (og_text_skip(&name, "llvm.amdgcn.rsq.clamp.")) /* then for doubles, too */
    return og_find_forms(isa, og_text("v_rsq_clamp_f32"), &forms);
  struct og_text element = element_of(k->suffix[0], &count);
  if (!og_text_skip(&name, "llvm.minimum.") && !og_text_skip(&name, "llvm.maximum."))
    return false;
  snprintf(row, sizeof row, "v_minimum_%.*s", (int)OG_MIN(element.size, (size_t)8), element.data);
  if (og_find_forms(isa, og_text(row), &forms))
    return true;
  return (og_text_is(element, "f16") && count && count % 2 == 0 &&
          og_find_forms(isa, og_text("v_pk_minimum3_f16"), &forms)) ||
         (og_text_is(element, "f32") && og_find_forms(isa, og_text("v_minimum3_f32"), &forms));
}

/* Whether the processor does not have what the body would call: then the intrinsic itself is refused, by its own
 * name. */
static bool is_out_of_reach(const struct og_isa *isa, struct og_text name) {
  return og_text_is(name, "llvm.amdgcn.s.cluster.barrier") && !isa->gfx12;
}

/* Reads bodies for all functions from number `from` on that are declared and have one in library.def. */
static bool read_bodies(struct og_ir_module *m, const struct og_isa *isa, uint32_t from,
                        struct og_diagnostics *diagnostics) {
  struct og_buffer text = {0};
  for (uint32_t n = from; n < m->functions.count; n++) {
    const struct og_ir_global *g = &m->globals.items[m->functions.items[n]];
    struct og_text name = m->names.items[g->name], rest = name;
    if (g->function->blocks.count || !og_text_skip(&rest, "llvm.") || is_out_of_reach(isa, name))
      continue;
    struct marks k;
    for (unsigned b = 0; b < OG_COUNT(bodies); b++)
      if (match(&bodies[b], name, &k) && !has_instruction(isa, name, &k)) {
        write(&k, bodies[b].text, &text);
        break;
      }
  }
  bool ok = !text.size ||
            og_ir_read_more(m, og_arena_copy(m->arena, (const char *)text.data, text.size), text.size, diagnostics);
  og_buffer_free(&text);
  return ok;
}

bool cc_library(struct og_ir_module *m, const struct og_isa *isa, struct og_diagnostics *diagnostics) {
  uint32_t from = 0;
  cc_widen_integers(m);
  while (from < m->functions.count) {
    uint32_t seen = m->functions.count;
    if (!read_bodies(m, isa, from, diagnostics))
      return false;
    from = seen;
    cc_widen_integers(m); /* in bodies, too */
  }
  return true;
}
