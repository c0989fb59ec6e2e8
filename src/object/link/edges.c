/* edges.c - symbols that only the linker defines: where sections begin and end. Compilers' constructors and
 * destructors run over them. Also the order of constructors by priority. */
#include "object/link/writer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Which output section a name means; its end, or its start. "" : the file's own start. */
static const struct edge {
  const char *name, *section;
  bool end;
  uint8_t visibility;
} edges[] = {
    {"__preinit_array_start", ".preinit_array", false, STV_HIDDEN},
    {"__preinit_array_end", ".preinit_array", true, STV_HIDDEN},
    {"__init_array_start", ".init_array", false, STV_HIDDEN},
    {"__init_array_end", ".init_array", true, STV_HIDDEN},
    {"__fini_array_start", ".fini_array", false, STV_HIDDEN},
    {"__fini_array_end", ".fini_array", true, STV_HIDDEN},
    {"__bss_start", ".bss", false, STV_DEFAULT},
    {"_etext", ".text", true, STV_DEFAULT},
    {"etext", ".text", true, STV_DEFAULT},
    {"_edata", ".data", true, STV_DEFAULT},
    {"edata", ".data", true, STV_DEFAULT},
    {"_end", ".bss", true, STV_DEFAULT},
    {"end", ".bss", true, STV_DEFAULT},
    {"__ehdr_start", "", false, STV_HIDDEN},
    {"__executable_start", "", false, STV_HIDDEN},
    {"__dso_handle", "", false, STV_HIDDEN},
    {"_DYNAMIC", ".dynamic", false, STV_HIDDEN},
    {"_GLOBAL_OFFSET_TABLE_", ".got", false, STV_HIDDEN},
};

/* __start_NAME and __stop_NAME are the edges of a section whose name is one of C. */
const char *ld_named_section(const char *symbol, bool *end) {
  *end = strncmp(symbol, "__stop_", 7) == 0;
  if (!*end && strncmp(symbol, "__start_", 8) != 0)
    return NULL;
  const char *section = symbol + (*end ? 7 : 8);
  for (const char *c = section; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_')
      return NULL;
  return *section && !isdigit((unsigned char)*section) ? section : NULL;
}

static bool has_section(const struct linker *ld, const char *name) {
  for (uint32_t o = 0; o < ld->objects.count; o++)
    for (uint32_t i = 1; i < ld->objects.items[o]->elf->sections.count; i++)
      if (ld->objects.items[o]->sections[i].in && strcmp(ld->objects.items[o]->sections[i].in->name, name) == 0)
        return true;
  return false;
}

static void define(struct ld_symbol *s, const char *section, bool end, uint8_t visibility) {
  s->state = LD_EDGE;
  s->edge_of = section;
  s->edge_end = end;
  s->binding = STB_GLOBAL;
  s->type = STT_NOTYPE;
  s->size = 0;
  if (s->visibility == STV_DEFAULT)
    s->visibility = visibility;
}

void ld_define_edges(struct linker *ld) {
  for (size_t i = 0; i < OG_COUNT(edges); i++) {
    struct ld_symbol *s = og_map_get(&ld->names, og_text(edges[i].name));
    if (s && s->state == LD_UNDEFINED)
      define(s, edges[i].section, edges[i].end, edges[i].visibility);
  }
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    bool end;
    const char *section = s->state == LD_UNDEFINED ? ld_named_section(s->name, &end) : NULL;
    if (section && has_section(ld, section)) {
      define(s, section, end, STV_PROTECTED);
      ld->bounded = true;
    }
  }
}

/* Where there is no such section, start and end are the same place: the file's own start. */
uint64_t ld_edge(const struct linker *ld, const struct ld_symbol *s, const struct ld_output **home) {
  *home = NULL;
  for (uint32_t i = 0; *s->edge_of && i < ld->outputs.count; i++)
    if (strcmp(ld->outputs.items[i]->name, s->edge_of) == 0)
      *home = ld->outputs.items[i];
  return *home ? (*home)->address + (s->edge_end ? (*home)->size : 0) : 0;
}

/* ".init_array.100": smaller numbers run first, and all of them before plain ".init_array". */
static unsigned priority(const struct ld_section *s) {
  enum { LAST = 65536 };
  const char *dot = strrchr(s->in->name + 1, '.');
  return dot && isdigit((unsigned char)dot[1]) ? (unsigned)strtoul(dot + 1, NULL, 10) : LAST;
}

bool ld_is_ordered(const struct og_section *s) {
  return s->type == SHT_INIT_ARRAY || s->type == SHT_FINI_ARRAY || s->type == SHT_PREINIT_ARRAY;
}

/* Of equal priority, the first that came stays first. */
static int by_priority(const void *a, const void *b) {
  const struct ld_section *x = *(struct ld_section *const *)a, *y = *(struct ld_section *const *)b;
  unsigned p = priority(x), q = priority(y);
  return p != q ? (p > q) - (p < q) : (x->offset > y->offset) - (x->offset < y->offset);
}

void ld_order_by_priority(struct ld_section **sections, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    sections[i]->offset = i; /* until it is placed */
  if (count)
    qsort(sections, count, sizeof *sections, by_priority);
}
