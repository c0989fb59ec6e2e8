/* probes.c - .pseudoprobe: the places that a sampling profile counts, as section .pseudo_probe has them. */
#include <stdlib.h>
#include <string.h>

#include "asm/internal.h"

enum { SENTINEL = 2, HAS_DISCRIMINATOR = 4, IS_DELTA = 0x80, MOST_INLINED = 1000 };

struct probe {
  uint64_t index, type, attributes, discriminator;
  const struct og_chunk *chunk;
  uint64_t offset;
};

/* A function at the place where it was inlined: `parent` is the function around it, `site` the parent's probe there. */
struct node {
  uint64_t guid, site;
  OG_VECTOR(struct probe) probes;
  OG_VECTOR(struct node *) inlined;
};

struct og_asm_probes {
  const struct og_asm_symbol *function;
  struct node root;
};

static struct og_asm_probes *probes_of(struct og_asm *as, const struct og_asm_symbol *function) {
  for (uint32_t i = 0; i < as->probes.count; i++)
    if (as->probes.items[i]->function == function)
      return as->probes.items[i];
  struct og_asm_probes *made = OG_NEW(as->arena, struct og_asm_probes);
  made->function = function;
  return *OG_PUSH(as->arena, &as->probes) = made;
}

static struct node *node_of(struct og_asm *as, struct node *parent, uint64_t guid, uint64_t site) {
  for (uint32_t i = 0; i < parent->inlined.count; i++)
    if (parent->inlined.items[i]->guid == guid && parent->inlined.items[i]->site == site)
      return parent->inlined.items[i];
  struct node *made = OG_NEW(as->arena, struct node);
  made->guid = guid;
  made->site = site;
  return *OG_PUSH(as->arena, &parent->inlined) = made;
}

static bool number(struct og_asm *as, uint64_t *out) {
  return (og_is_digit(*og_asm_at(as)) && og_asm_integer(as, out)) || og_asm_error(as, as->p, 1, "expected integer");
}

/* @ GUID:PROBE ... of the callers, the outermost first; yields how many. */
static uint32_t callers(struct og_asm *as, uint64_t (*out)[2]) {
  uint32_t count = 0;
  while (count < MOST_INLINED && og_asm_accept(as, '@')) {
    memset(out[count], 0, sizeof out[count]);
    if (og_is_digit(*og_asm_at(as)))
      og_asm_integer(as, &out[count][0]);
    og_asm_accept(as, ':');
    if (og_is_digit(*og_asm_at(as)))
      og_asm_integer(as, &out[count][1]);
    count++;
  }
  return count;
}

static void list_probe(struct og_asm *as, uint64_t guid, const struct probe *p, uint64_t (*stack)[2], uint32_t count,
                       struct og_text function) {
  og_asm_list(as, "\t.pseudoprobe\t%llu %llu %llu %llu", (unsigned long long)guid, (unsigned long long)p->index,
              (unsigned long long)p->type, (unsigned long long)p->attributes);
  if (p->discriminator)
    og_asm_list(as, " %llu", (unsigned long long)p->discriminator);
  for (uint32_t i = 0; i < count; i++)
    og_asm_list(as, " @ %llu:%llu", (unsigned long long)stack[i][0], (unsigned long long)stack[i][1]);
  og_asm_list(as, " %.*s\n", OG_TEXT_ARGS(og_asm_quoted(as, function)));
}

/* .pseudoprobe GUID INDEX TYPE ATTRIBUTES [DISCRIMINATOR] [@ GUID:PROBE]... FUNCTION */
OG_DIRECTIVE(probe) {
  uint64_t guid, stack[MOST_INLINED][2];
  struct probe p = {.chunk = as->chunk, .offset = og_asm_here(as)};
  struct og_text name;
  if (!number(as, &guid) || !number(as, &p.index) || !number(as, &p.type) || !number(as, &p.attributes) ||
      (p.attributes & HAS_DISCRIMINATOR && !number(as, &p.discriminator)))
    return false;
  uint32_t count = callers(as, stack);
  if (!og_asm_name(as, &name))
    return false;
  const struct og_asm_symbol *function = og_asm_find_symbol(as, name);
  if (!function)
    return og_asm_error(as, name.data, name.size, "function '%.*s' is not known here", OG_TEXT_ARGS(name));
  struct node *node = &probes_of(as, function)->root;
  uint64_t site = 0;
  for (uint32_t i = 0; i < count; i++) {
    node = node_of(as, node, stack[i][0], site);
    site = stack[i][1];
  }
  node = node_of(as, node, guid, site);
  *OG_PUSH(as->arena, &node->probes) = p;
  list_probe(as, guid, &p, stack, count, name);
  return true;
}

/* ---- into the object --------------------------------------------------------------------------------------------- */

struct writer {
  struct og_buffer bytes;
  uint64_t last;     /* address of the probe before */
  uint64_t function; /* its name in short */
};

static int by_site(const void *left, const void *right) {
  const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
  if (a->guid != b->guid)
    return a->guid < b->guid ? -1 : 1;
  return a->site < b->site ? -1 : a->site > b->site;
}

/* A function's probes, then the functions inlined into it. The outermost one is marked by the code's function, unless
 * it is that function. */
static void put_node(struct writer *w, const struct node *n, bool outermost) {
  bool mark = outermost && w->function != n->guid;
  og_buffer_u64(&w->bytes, n->guid);
  og_buffer_uleb(&w->bytes, n->probes.count + mark);
  og_buffer_uleb(&w->bytes, n->inlined.count);
  if (mark) {
    og_buffer_u8(&w->bytes, 0);
    og_buffer_u8(&w->bytes, SENTINEL << 4);
    og_buffer_u64(&w->bytes, w->function);
  }
  for (uint32_t i = 0; i < n->probes.count; i++) {
    const struct probe *p = &n->probes.items[i];
    uint64_t address = og_asm_offset(p->chunk, p->offset);
    og_buffer_uleb(&w->bytes, p->index);
    og_buffer_u8(&w->bytes, (uint8_t)(p->type | p->attributes << 4 | IS_DELTA));
    og_buffer_sleb(&w->bytes, (int64_t)(address - w->last));
    if (p->discriminator)
      og_buffer_uleb(&w->bytes, p->discriminator);
    w->last = address;
  }
  if (n->inlined.count)
    qsort(n->inlined.items, n->inlined.count, sizeof *n->inlined.items, by_site);
  for (uint32_t i = 0; i < n->inlined.count; i++) {
    og_buffer_uleb(&w->bytes, n->inlined.items[i]->site);
    put_node(w, n->inlined.items[i], false);
  }
}

static void put_function(const struct og_asm_probes *f, struct writer *w) {
  uint8_t digest[16];
  og_md5(f->function->name.data, f->function->name.size, digest);
  w->function = og_load64(digest);
  w->last = f->function->chunk->base + (uint64_t)f->function->value;
  qsort(f->root.inlined.items, f->root.inlined.count, sizeof *f->root.inlined.items, by_site);
  for (uint32_t i = 0; i < f->root.inlined.count; i++)
    put_node(w, f->root.inlined.items[i], true);
}

/* A section of its own for each section of code; LLVM writes the functions of one in the order of a hash, the last
 * first. */
void og_asm_add_probes(struct og_asm *as) {
  for (uint32_t i = 0; i < as->section_order.count; i++) {
    const struct og_asm_section *code = as->section_order.items[i];
    struct writer w = {0};
    for (uint32_t k = as->probes.count; k-- > 0;) {
      const struct og_asm_symbol *f = as->probes.items[k]->function;
      if (f->kind == OG_SYMBOL_LABEL && f->chunk->section == code)
        put_function(as->probes.items[k], &w);
    }
    if (!w.bytes.size)
      continue;
    uint32_t index = og_object_add_section(as->object, ".pseudo_probe", SHT_PROGBITS,
                                           SHF_LINK_ORDER | (code->group ? SHF_GROUP : 0), 1);
    struct og_section *out = &as->object->sections.items[index];
    out->link = code->index;
    out->group = code->group;
    out->plain_group = code->plain_group;
    out->size = w.bytes.size;
    out->data = (const uint8_t *)og_arena_copy(as->arena, (const char *)w.bytes.data, w.bytes.size);
    og_buffer_free(&w.bytes);
  }
}

/* CodeView is for Windows' debuggers; here its directives are only refused. */
OG_DIRECTIVE(no_codeview) {
  return og_asm_error(as, at, strcspn(at, " \t\n\r;"),
                      "CodeView is not for AMDGPU's objects: .file and .loc make DWARF");
}

const struct og_directive_row og_probe_directives[] = {{".pseudoprobe", probe, 0},
                                                       {".cv_file", no_codeview, 0},
                                                       {".cv_func_id", no_codeview, 0},
                                                       {".cv_inline_site_id", no_codeview, 0},
                                                       {".cv_loc", no_codeview, 0},
                                                       {".cv_linetable", no_codeview, 0},
                                                       {".cv_inline_linetable", no_codeview, 0},
                                                       {".cv_def_range", no_codeview, 0},
                                                       {".cv_string", no_codeview, 0},
                                                       {".cv_stringtable", no_codeview, 0},
                                                       {".cv_filechecksums", no_codeview, 0},
                                                       {".cv_filechecksumoffset", no_codeview, 0},
                                                       {".cv_fpo_data", no_codeview, 0},
                                                       {NULL, NULL, 0}};
