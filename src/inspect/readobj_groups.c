/* readobj_groups.c - prints section groups, significant addresses and the hash tables' histograms, in both of LLVM's
 * styles. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/readobj.h"

#define LINE(...) og_buffer_printf(out, __VA_ARGS__)

/* ---- section groups ---------------------------------------------------------------------------------------------- */

static const char *member_name(const struct og_object *o, const struct og_section *group, uint64_t i,
                               uint32_t *number) {
  *number = og_load32(group->data + 4 * i);
  return *number < o->sections.count ? o->sections.items[*number].name : "";
}

static void print_group(const struct og_object *o, uint32_t index, bool gnu, struct og_buffer *out) {
  const struct og_section *s = &o->sections.items[index];
  uint32_t flags = s->size >= 4 ? og_load32(s->data) : 0, member;
  const char *signature = s->info < o->symbols.count ? o->symbols.items[s->info].name : "";
  if (gnu)
    LINE("\n%sgroup section [%5u] `%s' [%s] contains %" PRIu64 " sections:\n   [Index]    Name\n",
         flags & GRP_COMDAT ? "COMDAT " : "", index, s->name, signature, s->size / 4 - (s->size >= 4));
  else
    LINE("  Group {\n    Name: %s (%" PRIu64 ")\n    Index: %u\n    Link: %u\n    Info: %u\n    Type: %s (0x%X)\n    "
                                             "Signature: %s\n    Section(s) in group [\n",
         s->name, og_elf_name_offset(o, og_elf_names_section(o), s->name), index, s->link, s->info,
         flags & GRP_COMDAT ? "COMDAT" : "(unknown)", flags, signature);
  for (uint64_t i = 1; i < s->size / 4; i++) {
    const char *name = member_name(o, s, i, &member);
    if (gnu)
      LINE("   [%5u]   %s\n", member, name);
    else
      LINE("      %s (%u)\n", name, member);
  }
  if (!gnu)
    LINE("    ]\n  }\n");
}

void og_readobj_section_groups(const struct og_object *object, bool gnu, struct og_buffer *out) {
  bool any = false;
  if (!gnu)
    LINE("Groups {\n");
  for (uint32_t i = 1; i < object->sections.count; i++)
    if (object->sections.items[i].type == SHT_GROUP) {
      print_group(object, i, gnu, out);
      any = true;
    }
  if (!any)
    LINE(gnu ? "There are no section groups in this file.\n" : "  There are no group sections in the file.\n");
  if (!gnu)
    LINE("}\n");
}

/* ---- significant addresses --------------------------------------------------------------------------------------- */

static bool next_number(const struct og_section *s, uint64_t *at, uint64_t *number) {
  *number = 0;
  for (unsigned shift = 0; *at < s->size && shift < 64; shift += 7) {
    uint8_t byte = s->data[(*at)++];
    *number |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return true;
  }
  return false;
}

void og_readobj_address_table(const struct og_object *object, bool gnu, struct og_buffer *out) {
  const struct og_section *s = NULL;
  for (uint32_t i = 1; i < object->sections.count && !s; i++)
    if (object->sections.items[i].type == OG_SHT_LLVM_ADDRSIG)
      s = &object->sections.items[i];
  uint64_t count = 0, number;
  for (uint64_t at = 0; s && next_number(s, &at, &number);)
    count++;
  if (gnu && s)
    LINE("\nAddress-significant symbols section '%s' contains %" PRIu64 " entries:\n   Num: Name\n", s->name, count);
  if (!gnu)
    LINE("Addrsig [\n");
  count = 0;
  for (uint64_t at = 0; s && next_number(s, &at, &number);) {
    const char *name = number < object->symbols.count ? object->symbols.items[number].name : "<?>";
    if (gnu)
      LINE("%6" PRIu64 ": %s\n", ++count, name);
    else
      LINE("  Sym: %s (%" PRIu64 ")\n", name, number);
  }
  if (!gnu)
    LINE("]\n");
}

/* ---- hash tables and libraries ---------------------------------------------------------------------------------- */

static const struct og_section *of_type(const struct og_object *object, uint32_t type) {
  for (uint32_t i = 1; i < object->sections.count; i++)
    if (object->sections.items[i].type == type && object->sections.items[i].data)
      return &object->sections.items[i];
  return NULL;
}

/* Prints " Buckets: [1, 2]" from numbers of 4 or 8 bytes. */
static void print_words(struct og_buffer *out, const char *title, const uint8_t *words, uint64_t count, unsigned size,
                        bool hexadecimal) {
  LINE("  %s: [", title);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t word = size == 8 ? og_load64(words + i * 8) : og_load32(words + i * 4);
    LINE(hexadecimal ? "%s0x%" PRIX64 : "%s%" PRIu64, i ? ", " : "", word);
  }
  LINE("]\n");
}

void og_readobj_hash_table(const struct og_object *object, struct og_buffer *out) {
  const struct og_section *s = of_type(object, SHT_HASH);
  uint64_t buckets = s && s->size >= 8 ? og_load32(s->data) : 0,
           chains = s && s->size >= 8 ? og_load32(s->data + 4) : 0;
  LINE("HashTable {\n");
  if (s && s->size >= 8 && (buckets + chains + 2) * 4 <= s->size) {
    LINE("  Num Buckets: %" PRIu64 "\n  Num Chains: %" PRIu64 "\n", buckets, chains);
    print_words(out, "Buckets", s->data + 8, buckets, 4, false);
    print_words(out, "Chains", s->data + 8 + 4 * buckets, chains, 4, false);
  }
  LINE("}\n");
}

void og_readobj_gnu_hash_table(const struct og_object *object, struct og_buffer *out) {
  const struct og_section *s = of_type(object, SHT_GNU_HASH);
  unsigned word = object->elf32 ? 4 : 8;
  LINE("GnuHashTable {\n");
  if (s && s->size >= 16) {
    uint64_t buckets = og_load32(s->data), first = og_load32(s->data + 4), masks = og_load32(s->data + 8),
             at = 16 + word * masks + 4 * buckets, symbols = object->dynamic_symbols.count;
    uint64_t values = symbols > first ? symbols - first : 0;
    LINE("  Num Buckets: %" PRIu64 "\n  First Hashed Symbol Index: %" PRIu64 "\n  Num Mask Words: %" PRIu64
         "\n  Shift Count: %u\n",
         buckets, first, masks, og_load32(s->data + 12));
    if (at <= s->size && 4 * values <= s->size - at) {
      print_words(out, "Bloom Filter", s->data + 16, masks, word, true);
      print_words(out, "Buckets", s->data + 16 + word * masks, buckets, 4, false);
      print_words(out, "Values", s->data + at, values, 4, true);
    }
  }
  LINE("}\n");
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

void og_readobj_libraries(const struct og_object *object, struct og_buffer *out) {
  uint64_t count, found = 0;
  const struct og_section *table = og_dynamic_table(object, &count);
  struct og_arena *arena = og_arena_new();
  const char **names = OG_NEW_ARRAY(arena, const char *, count + 1);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t tag = og_load64(table->data + i * 16);
    const char *name = og_dynamic_string(object, table, tag, og_load64(table->data + i * 16 + 8));
    if (tag == DT_NEEDED && name)
      names[found++] = name;
  }
  qsort(names, found, sizeof *names, by_text);
  LINE("NeededLibraries [\n");
  for (uint64_t i = 0; i < found; i++)
    LINE("  %s\n", names[i]);
  LINE("]\n");
  og_arena_free(arena);
}

/* ---- histograms -------------------------------------------------------------------------------------------------- */

struct chains {
  struct og_arena *arena;
  uint32_t buckets, longest;
  uint64_t total;
  OG_VECTOR(uint32_t) counts; /* how many chains there are of each length */
};

static void count_chain(struct chains *c, uint32_t length) {
  while (c->counts.count <= length)
    *OG_PUSH(c->arena, &c->counts) = 0;
  c->counts.items[length]++;
  c->longest = OG_MAX(c->longest, length);
  c->total += length;
}

/* Reads .hash: nbucket, nchain, buckets, chains; every symbol is in it once at most. */
static bool read_hash(const struct og_section *s, struct chains *c) {
  if (s->size < 8)
    return false;
  uint32_t buckets = og_load32(s->data), entries = og_load32(s->data + 4);
  if (((uint64_t)buckets + entries + 2) * 4 > s->size)
    return false;
  const uint8_t *chain = s->data + 8 + 4 * (uint64_t)buckets;
  uint64_t budget = entries;
  c->buckets = buckets;
  for (uint32_t b = 0; b < buckets; b++) {
    uint32_t length = 0;
    for (uint32_t i = og_load32(s->data + 8 + 4 * (uint64_t)b); i && i < entries;
         i = og_load32(chain + 4 * (uint64_t)i), length++)
      if (budget-- == 0)
        return false;
    count_chain(c, length);
  }
  return true;
}

/* Reads .gnu.hash: nbuckets, symndx, maskwords, shift2, bloom words, buckets, hashes whose low bit ends a chain. */
static bool read_gnu_hash(const struct og_section *s, struct chains *c) {
  if (s->size < 16)
    return false;
  uint64_t buckets = og_load32(s->data), first = og_load32(s->data + 4),
           hashes = 16 + 8 * (uint64_t)og_load32(s->data + 8) + 4 * buckets;
  if (hashes > s->size)
    return false;
  uint64_t entries = (s->size - hashes) / 4, budget = entries;
  c->buckets = (uint32_t)buckets;
  for (uint64_t b = 0; b < buckets; b++) {
    uint64_t i = og_load32(s->data + hashes - 4 * buckets + 4 * b);
    uint32_t length = 0;
    for (bool last = i < first; !last; i++, length++) {
      if (i - first >= entries || budget-- == 0)
        return false;
      last = og_load32(s->data + hashes + 4 * (i - first)) & 1;
    }
    count_chain(c, length);
  }
  return true;
}

static void print_histogram(const struct chains *c, bool gnu_hash, bool gnu, struct og_buffer *out) {
  if (gnu)
    LINE("Histogram for %sbucket list length (total of %u buckets)\n Length  Number     %% of total  Coverage\n",
         gnu_hash ? "`.gnu.hash' " : "", c->buckets);
  else
    LINE("%s {\n  TotalBuckets: %u\n  %s [\n", gnu_hash ? "GnuHashHistogram" : "HashHistogram", c->buckets,
         gnu_hash ? "Buckets" : "Chains");
  uint64_t covered = 0;
  for (uint32_t i = 0; i <= c->longest; i++) {
    covered += (uint64_t)i * c->counts.items[i];
    double part = 100.0 * c->counts.items[i] / c->buckets, coverage = 100.0 * (double)covered / (double)c->total;
    if (gnu)
      LINE("%7u  %-10u (%5.1f%%)     %5.1f%%\n", i, c->counts.items[i], part, coverage);
    else
      LINE("    %s {\n      Length: %u\n      Count: %u\n      Percentage: %5.1f\n      Coverage: %5.1f\n    }\n",
           gnu_hash ? "Bucket" : "Chain", i, c->counts.items[i], part, coverage);
  }
  if (!gnu)
    LINE("  ]\n}\n");
}

void og_readobj_histograms(struct og_arena *arena, const struct og_object *object, bool gnu, struct og_buffer *out) {
  for (int gnu_hash = 0; gnu_hash < 2; gnu_hash++)
    for (uint32_t i = 1; i < object->sections.count; i++) {
      const struct og_section *s = &object->sections.items[i];
      struct chains c = {.arena = arena};
      if (s->type == (gnu_hash ? SHT_GNU_HASH : SHT_HASH) && (gnu_hash ? read_gnu_hash : read_hash)(s, &c) && c.total)
        print_histogram(&c, gnu_hash, gnu, out);
    }
}
