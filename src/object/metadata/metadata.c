/* metadata.c - what the metadata of kernels may and must say, as tables: one row per key, one list per
 * set of words. Seed: AMDGPU backend guide, "Code Object V2 Metadata", "Code Object V3 Metadata";
 * later versions add to the latter. */
#include "object/metadata/metadata.h"

#include <inttypes.h>
#include <string.h>

/* V3 spelling, V2 spelling (NULL: not in V2), first version. */
const struct og_value_kind og_value_kinds[] = {
    {"by_value", "ByValue", 2},
    {"global_buffer", "GlobalBuffer", 2},
    {"dynamic_shared_pointer", "DynamicSharedPointer", 2},
    {"sampler", "Sampler", 2},
    {"image", "Image", 2},
    {"pipe", "Pipe", 2},
    {"queue", "Queue", 2},
    {"hidden_global_offset_x", "HiddenGlobalOffsetX", 2},
    {"hidden_global_offset_y", "HiddenGlobalOffsetY", 2},
    {"hidden_global_offset_z", "HiddenGlobalOffsetZ", 2},
    {"hidden_none", "HiddenNone", 2},
    {"hidden_printf_buffer", "HiddenPrintfBuffer", 2},
    {"hidden_hostcall_buffer", "HiddenHostcallBuffer", 2},
    {"hidden_default_queue", "HiddenDefaultQueue", 2},
    {"hidden_completion_action", "HiddenCompletionAction", 2},
    {"hidden_multigrid_sync_arg", "HiddenMultiGridSyncArg", 2},
    {"hidden_block_count_x", NULL, 5},
    {"hidden_block_count_y", NULL, 5},
    {"hidden_block_count_z", NULL, 5},
    {"hidden_group_size_x", NULL, 5},
    {"hidden_group_size_y", NULL, 5},
    {"hidden_group_size_z", NULL, 5},
    {"hidden_remainder_x", NULL, 5},
    {"hidden_remainder_y", NULL, 5},
    {"hidden_remainder_z", NULL, 5},
    {"hidden_grid_dims", NULL, 5},
    {"hidden_heap_v1", NULL, 5},
    {"hidden_dynamic_lds_size", NULL, 5},
    {"hidden_private_base", NULL, 5},
    {"hidden_shared_base", NULL, 5},
    {"hidden_queue_ptr", NULL, 5},
    {NULL, NULL, 0},
};

static const char *const languages[] = {"OpenCL C", "OpenCL C++", "HCC", "HIP", "OpenMP", "Assembler", NULL};
static const char *const value_types[] = {"struct", "i8",  "u8",  "i16", "u16", "f16", "i32",
                                          "u32",    "f32", "i64", "u64", "f64", NULL};
static const char *const value_types_v2[] = {"Struct", "I8",  "U8",  "I16", "U16", "F16", "I32",
                                             "U32",    "F32", "I64", "U64", "F64", NULL};
static const char *const spaces[] = {"private", "global", "constant", "local", "generic", "region", NULL};
static const char *const spaces_v2[] = {"Private", "Global", "Constant", "Local", "Generic", "Region", NULL};
static const char *const accesses[] = {"read_only", "write_only", "read_write", NULL};
static const char *const accesses_v2[] = {"Default", "ReadOnly", "WriteOnly", "ReadWrite", NULL};
static const char *const kinds[] = {"normal", "init", "fini", NULL};

enum shape {
  WORD,
  VALUE_KIND,
  UNSIGNED,
  POWER_OF_TWO,
  BOOLEAN,
  STRINGS,
  TWO_NUMBERS,
  THREE_NUMBERS,
  NUMBERS,
  MAP,
  MAPS
};

enum level { ROOT, KERNEL, ARG, ROOT_V2, KERNEL_V2, ATTRS_V2, ARG_V2, CODE_PROPS_V2, DEBUG_PROPS_V2, NOTHING };

#define NAMED(text) text, sizeof text - 1
struct key {
  const char *name;
  uint8_t size; /* of the name */
  enum shape shape;
  bool required;
  const char *const *words; /* that a WORD may be */
  enum level inner;         /* of MAP and MAPS */
};

static const struct key root_keys[] = {
    {NAMED("amdhsa.version"), TWO_NUMBERS, true, NULL, NOTHING},
    {NAMED("amdhsa.target"), WORD, false, NULL, NOTHING},
    {NAMED("amdhsa.printf"), STRINGS, false, NULL, NOTHING},
    {NAMED("amdhsa.kernels"), MAPS, true, NULL, KERNEL},
};
static const struct key kernel_keys[] = {
    {NAMED(".name"), WORD, true, NULL, NOTHING},
    {NAMED(".symbol"), WORD, true, NULL, NOTHING},
    {NAMED(".language"), WORD, false, languages, NOTHING},
    {NAMED(".language_version"), TWO_NUMBERS, false, NULL, NOTHING},
    {NAMED(".args"), MAPS, false, NULL, ARG},
    {NAMED(".reqd_workgroup_size"), THREE_NUMBERS, false, NULL, NOTHING},
    {NAMED(".workgroup_size_hint"), THREE_NUMBERS, false, NULL, NOTHING},
    {NAMED(".cluster_dims"), THREE_NUMBERS, false, NULL, NOTHING},
    {NAMED(".vec_type_hint"), WORD, false, NULL, NOTHING},
    {NAMED(".device_enqueue_symbol"), WORD, false, NULL, NOTHING},
    {NAMED(".kind"), WORD, false, kinds, NOTHING},
    {NAMED(".kernarg_segment_size"), UNSIGNED, true, NULL, NOTHING},
    {NAMED(".group_segment_fixed_size"), UNSIGNED, true, NULL, NOTHING},
    {NAMED(".private_segment_fixed_size"), UNSIGNED, true, NULL, NOTHING},
    {NAMED(".uses_dynamic_stack"), BOOLEAN, false, NULL, NOTHING},
    {NAMED(".workgroup_processor_mode"), UNSIGNED, false, NULL, NOTHING},
    {NAMED(".uniform_work_group_size"), UNSIGNED, false, NULL, NOTHING},
    {NAMED(".kernarg_segment_align"), POWER_OF_TWO, true, NULL, NOTHING},
    {NAMED(".wavefront_size"), POWER_OF_TWO, true, NULL, NOTHING},
    {NAMED(".sgpr_count"), UNSIGNED, true, NULL, NOTHING},
    {NAMED(".vgpr_count"), UNSIGNED, true, NULL, NOTHING},
    {NAMED(".agpr_count"), UNSIGNED, false, NULL, NOTHING},
    {NAMED(".max_flat_workgroup_size"), UNSIGNED, true, NULL, NOTHING},
    {NAMED(".sgpr_spill_count"), UNSIGNED, false, NULL, NOTHING},
    {NAMED(".vgpr_spill_count"), UNSIGNED, false, NULL, NOTHING},
};
static const struct key argument_keys[] = {
    {NAMED(".name"), WORD, false, NULL, NOTHING},
    {NAMED(".type_name"), WORD, false, NULL, NOTHING},
    {NAMED(".size"), UNSIGNED, true, NULL, NOTHING},
    {NAMED(".offset"), UNSIGNED, true, NULL, NOTHING},
    {NAMED(".value_kind"), VALUE_KIND, true, NULL, NOTHING},
    {NAMED(".value_type"), WORD, false, value_types, NOTHING},
    {NAMED(".pointee_align"), POWER_OF_TWO, false, NULL, NOTHING},
    {NAMED(".address_space"), WORD, false, spaces, NOTHING},
    {NAMED(".access"), WORD, false, accesses, NOTHING},
    {NAMED(".actual_access"), WORD, false, accesses, NOTHING},
    {NAMED(".is_const"), BOOLEAN, false, NULL, NOTHING},
    {NAMED(".is_restrict"), BOOLEAN, false, NULL, NOTHING},
    {NAMED(".is_volatile"), BOOLEAN, false, NULL, NOTHING},
    {NAMED(".is_pipe"), BOOLEAN, false, NULL, NOTHING},
};
static const struct key root_keys_v2[] = {
    {NAMED("Version"), TWO_NUMBERS, true, NULL, NOTHING},
    {NAMED("Printf"), STRINGS, false, NULL, NOTHING},
    {NAMED("Kernels"), MAPS, false, NULL, KERNEL_V2},
};
static const struct key kernel_keys_v2[] = {
    {NAMED("Name"), WORD, true, NULL, NOTHING},
    {NAMED("SymbolName"), WORD, true, NULL, NOTHING},
    {NAMED("Language"), WORD, false, languages, NOTHING},
    {NAMED("LanguageVersion"), NUMBERS, false, NULL, NOTHING},
    {NAMED("Attrs"), MAP, false, NULL, ATTRS_V2},
    {NAMED("Args"), MAPS, false, NULL, ARG_V2},
    {NAMED("CodeProps"), MAP, false, NULL, CODE_PROPS_V2},
    {NAMED("DebugProps"), MAP, false, NULL, DEBUG_PROPS_V2},
};
static const struct key attribute_keys_v2[] = {
    {NAMED("ReqdWorkGroupSize"), THREE_NUMBERS, false, NULL, NOTHING},
    {NAMED("WorkGroupSizeHint"), THREE_NUMBERS, false, NULL, NOTHING},
    {NAMED("VecTypeHint"), WORD, false, NULL, NOTHING},
    {NAMED("RuntimeHandle"), WORD, false, NULL, NOTHING},
};
static const struct key argument_keys_v2[] = {
    {NAMED("Name"), WORD, false, NULL, NOTHING},
    {NAMED("TypeName"), WORD, false, NULL, NOTHING},
    {NAMED("Size"), UNSIGNED, true, NULL, NOTHING},
    {NAMED("Align"), POWER_OF_TWO, true, NULL, NOTHING},
    {NAMED("ValueKind"), VALUE_KIND, true, NULL, NOTHING},
    {NAMED("ValueType"), WORD, false, value_types_v2, NOTHING},
    {NAMED("PointeeAlign"), POWER_OF_TWO, false, NULL, NOTHING},
    {NAMED("AddrSpaceQual"), WORD, false, spaces_v2, NOTHING},
    {NAMED("AccQual"), WORD, false, accesses_v2, NOTHING},
    {NAMED("ActualAccQual"), WORD, false, accesses_v2, NOTHING},
    {NAMED("IsConst"), BOOLEAN, false, NULL, NOTHING},
    {NAMED("IsRestrict"), BOOLEAN, false, NULL, NOTHING},
    {NAMED("IsVolatile"), BOOLEAN, false, NULL, NOTHING},
    {NAMED("IsPipe"), BOOLEAN, false, NULL, NOTHING},
};
static const struct key code_keys_v2[] = {
    {NAMED("KernargSegmentSize"), UNSIGNED, true, NULL, NOTHING},
    {NAMED("GroupSegmentFixedSize"), UNSIGNED, true, NULL, NOTHING},
    {NAMED("PrivateSegmentFixedSize"), UNSIGNED, true, NULL, NOTHING},
    {NAMED("KernargSegmentAlign"), POWER_OF_TWO, true, NULL, NOTHING},
    {NAMED("WavefrontSize"), POWER_OF_TWO, true, NULL, NOTHING},
    {NAMED("NumSGPRs"), UNSIGNED, false, NULL, NOTHING},
    {NAMED("NumVGPRs"), UNSIGNED, false, NULL, NOTHING},
    {NAMED("MaxFlatWorkGroupSize"), UNSIGNED, false, NULL, NOTHING},
    {NAMED("IsDynamicCallStack"), BOOLEAN, false, NULL, NOTHING},
    {NAMED("IsXNACKEnabled"), BOOLEAN, false, NULL, NOTHING},
    {NAMED("NumSpilledSGPRs"), UNSIGNED, false, NULL, NOTHING},
    {NAMED("NumSpilledVGPRs"), UNSIGNED, false, NULL, NOTHING},
};
static const struct key debug_keys_v2[] = {
    {NAMED("DebuggerABIVersion"), TWO_NUMBERS, false, NULL, NOTHING},
    {NAMED("ReservedNumVGPRs"), UNSIGNED, false, NULL, NOTHING},
    {NAMED("ReservedFirstVGPR"), UNSIGNED, false, NULL, NOTHING},
    {NAMED("PrivateSegmentBufferSGPR"), UNSIGNED, false, NULL, NOTHING},
    {NAMED("WavefrontPrivateSegmentOffsetSGPR"), UNSIGNED, false, NULL, NOTHING},
};

enum { KEYS_MOST = 32 }; /* of a level */
static const struct {
  const struct key *keys;
  size_t count;
} levels[] = {
    [ROOT] = {root_keys, OG_COUNT(root_keys)},
    [KERNEL] = {kernel_keys, OG_COUNT(kernel_keys)},
    [ARG] = {argument_keys, OG_COUNT(argument_keys)},
    [ROOT_V2] = {root_keys_v2, OG_COUNT(root_keys_v2)},
    [KERNEL_V2] = {kernel_keys_v2, OG_COUNT(kernel_keys_v2)},
    [ATTRS_V2] = {attribute_keys_v2, OG_COUNT(attribute_keys_v2)},
    [ARG_V2] = {argument_keys_v2, OG_COUNT(argument_keys_v2)},
    [CODE_PROPS_V2] = {code_keys_v2, OG_COUNT(code_keys_v2)},
    [DEBUG_PROPS_V2] = {debug_keys_v2, OG_COUNT(debug_keys_v2)},
};
_Static_assert(OG_COUNT(kernel_keys) <= KEYS_MOST, "");

static bool is_key(const struct key *key, struct og_text text) {
  return key->size == text.size && !memcmp(key->name, text.data, text.size);
}

/* Number of the key in its level, which has `count` of them; the count where it is none of them. */
static size_t number_of_key(enum level level, const struct og_node *key) {
  const struct key *keys = levels[level].keys;
  size_t count = levels[level].count, i = 0;
  if (key->kind != OG_NODE_STRING)
    return count;
  while (i < count && !is_key(&keys[i], key->text))
    i++;
  return i;
}

const char *og_value_kind_name(const char *kind) {
  for (const struct og_value_kind *k = og_value_kinds; k->name; k++)
    if (strcmp(kind, k->name) == 0 || (k->name_v2 && strcmp(kind, k->name_v2) == 0))
      return k->name;
  return kind;
}

/* What came where, for maps come again and again with keys and words in the same order, which share their bytes where
 * MessagePack was read. */
enum { PLACES = 256 };
struct places {
  uint8_t next[NOTHING][KEYS_MOST + 1]; /* which key came behind which */
  const char *keys[NOTHING][KEYS_MOST]; /* the bytes of each when it came last */
  uint8_t kinds[PLACES]; /* value kinds, by a hash */
};

/* One map of a list of them: a kernel, or an argument of one. */
struct verifier {
  int version;
  const char *file;
  const struct verifier *outer; /* the kernel's, of an argument; else NULL */
  const char *name;             /* the kernel's, or NULL */
  uint32_t number;
  bool is_kernel, is_argument;
  struct places *places;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  size_t enough; /* errors: whoever reads them needs no more */
};

/* " of argument 2 of kernel 'x'" */
static const char *where(const struct verifier *v) {
  if (v->is_argument)
    return og_arena_printf(v->arena, " of argument %u%s", v->number, where(v->outer));
  if (!v->is_kernel)
    return "";
  return v->name ? og_arena_printf(v->arena, " of kernel '%s'", v->name)
                 : og_arena_printf(v->arena, " of kernel %u", v->number);
}

static bool report(const struct verifier *v, const struct og_node *node, const char *key, const char *expected) {
  if (node && node->range.source)
    return og_error(v->diagnostics, node->range, "metadata: '%s'%s: expected %s", key, where(v), expected);
  return og_error_in(v->diagnostics, v->file, "metadata: '%s'%s: expected %s", key, where(v), expected);
}

static const char *list_words(struct og_arena *arena, const char *const *words) {
  struct og_buffer text = {0};
  for (size_t i = 0; words[i]; i++)
    og_buffer_printf(&text, "%s'%s'", i ? ", " : "one of ", words[i]);
  const char *copy = og_arena_copy(arena, (const char *)text.data, text.size);
  og_buffer_free(&text);
  return copy;
}

static bool verify_map(const struct verifier *v, const struct og_node *map, const char *key_name, enum level level);

static bool verify_word(const struct verifier *v, const struct og_node *node, const struct key *key) {
  if (node->kind != OG_NODE_STRING)
    return report(v, node, key->name, "a string");
  if (!key->words)
    return true;
  for (const char *const *word = key->words; *word; word++)
    if (og_text_is(node->text, *word))
      return true;
  return report(v, node, key->name, list_words(v->arena, key->words));
}

static bool is_kind(const struct verifier *v, const struct og_value_kind *kind, struct og_text text) {
  const char *name = v->version == 2 ? kind->name_v2 : kind->name;
  return name && og_text_is(text, name);
}

/* NULL: none has that name. */
static const struct og_value_kind *value_kind(const struct verifier *v, struct og_text name) {
  uint8_t *place = &v->places->kinds[og_word_hash(name) % PLACES];
  const struct og_value_kind *kind = &og_value_kinds[*place];
  if (is_kind(v, kind, name))
    return kind;
  for (kind = og_value_kinds; kind->name && !is_kind(v, kind, name);)
    kind++;
  *place = kind->name ? (uint8_t)(kind - og_value_kinds) : *place;
  return kind->name ? kind : NULL;
}

static bool verify_value_kind(const struct verifier *v, const struct og_node *node, const struct key *key) {
  const struct og_value_kind *k = node->kind == OG_NODE_STRING ? value_kind(v, node->text) : NULL;
  if (k)
    return v->version >= k->since ||
           report(v, node, key->name,
                  og_arena_printf(v->arena, "a kind of this version: '%s' needs code object V%d",
                                  v->version == 2 ? k->name_v2 : k->name, k->since));
  return report(v, node, key->name,
                v->version == 2 ? "a value kind such as 'ByValue' or 'GlobalBuffer'"
                                : "a value kind such as 'by_value' or 'global_buffer'");
}

static bool verify_numbers(const struct verifier *v, const struct og_node *node, const struct key *key,
                           uint32_t count) {
  bool good = node->kind == OG_NODE_LIST && (node->count == count || !count);
  for (uint32_t i = 0; good && i < node->count; i++)
    good = node->items[i].kind == OG_NODE_UINT;
  return good || report(v, node, key->name,
                        count == 2   ? "a list of two integers"
                        : count == 3 ? "a list of three integers"
                                     : "a list of integers");
}

static bool verify_strings(const struct verifier *v, const struct og_node *node, const struct key *key) {
  bool good = node->kind == OG_NODE_LIST;
  for (uint32_t i = 0; good && i < node->count; i++)
    good = node->items[i].kind == OG_NODE_STRING;
  return good || report(v, node, key->name, "a list of strings");
}

static bool verify_maps(const struct verifier *v, const struct og_node *node, const struct key *key) {
  if (node->kind != OG_NODE_LIST)
    return report(v, node, key->name, "a list of maps");
  bool good = true;
  for (uint32_t i = 0; i < node->count && og_diagnostics_errors(v->diagnostics) < v->enough; i++) {
    struct verifier inner = *v;
    inner.outer = v;
    inner.number = i;
    inner.is_kernel = key->inner == KERNEL || key->inner == KERNEL_V2;
    inner.is_argument = !inner.is_kernel;
    if (inner.is_kernel)
      inner.name = og_node_string(og_node_get(&node->items[i], v->version == 2 ? "Name" : ".name"), NULL);
    good &= verify_map(&inner, &node->items[i], key->name, key->inner);
  }
  return good;
}

static bool verify_value(const struct verifier *v, const struct og_node *node, const struct key *key) {
  switch (key->shape) {
  case WORD: return verify_word(v, node, key);
  case VALUE_KIND: return verify_value_kind(v, node, key);
  case UNSIGNED: return node->kind == OG_NODE_UINT || report(v, node, key->name, "a non-negative integer");
  case POWER_OF_TWO:
    return (node->kind == OG_NODE_UINT && node->unsigned_integer &&
            !(node->unsigned_integer & (node->unsigned_integer - 1))) ||
           report(v, node, key->name, "a power of two");
  case BOOLEAN: return node->kind == OG_NODE_BOOL || report(v, node, key->name, "true or false");
  case STRINGS: return verify_strings(v, node, key);
  case TWO_NUMBERS: return verify_numbers(v, node, key, 2);
  case THREE_NUMBERS: return verify_numbers(v, node, key, 3);
  case NUMBERS: return verify_numbers(v, node, key, 0);
  case MAP: return verify_map(v, node, key->name, key->inner);
  case MAPS: return verify_maps(v, node, key);
  }
  return false;
}

static bool known_key(enum level level, const struct og_node *node) {
  return node->kind == OG_NODE_STRING && (memchr(node->text.data, '.', node->text.size) /* a vendor's */
                                          || number_of_key(level, node) < levels[level].count);
}

/* The same as number_of_key(), of a key that comes behind one of that number. */
static size_t number_behind(struct places *places, enum level level, size_t last, const struct og_node *key) {
  uint8_t *next = &places->next[level][last];
  if (*next == levels[level].count || key->kind != OG_NODE_STRING ||
      levels[level].keys[*next].size != key->text.size)
    return *next = (uint8_t)number_of_key(level, key);
  const char **known = &places->keys[level][*next];
  if (*known != key->text.data && !is_key(&levels[level].keys[*next], key->text))
    return *next = (uint8_t)number_of_key(level, key);
  *known = key->text.data;
  return *next;
}

/* In V2 an unknown key without a vendor's prefix is a mistake; later versions leave all unknown keys alone. */
static bool verify_no_unknown(const struct verifier *v, const struct og_node *map, enum level level) {
  bool good = true;
  for (uint32_t i = 0; v->version == 2 && i < map->count; i++)
    if (!known_key(level, &map->items[2 * i]))
      good =
          report(v, &map->items[2 * i], og_node_string(&map->items[2 * i], "?"), "a known key, or a vendor's prefix");
  return good;
}

static bool verify_map(const struct verifier *v, const struct og_node *map, const char *key_name, enum level level) {
  if (map->kind != OG_NODE_MAP)
    return report(v, map, key_name, "a map");
  bool good = verify_no_unknown(v, map, level);
  const struct og_node *values[KEYS_MOST + 1] = {NULL};
  size_t number = levels[level].count;
  for (uint32_t i = map->count; i-- > 0;) { /* of two the first counts */
    number = number_behind(v->places, level, number, &map->items[2 * i]);
    values[number] = &map->items[2 * i + 1];
  }
  for (size_t i = 0; i < levels[level].count; i++) {
    const struct key *key = &levels[level].keys[i];
    if (values[i])
      good &= verify_value(v, values[i], key);
    else if (key->required)
      good = report(v, map, key->name, "this required key, which is missing");
  }
  return good;
}

bool og_metadata_verify(const struct og_node *root, int code_object_version, const char *name,
                        struct og_diagnostics *diagnostics) {
  enum { ENOUGH = 1000 };
  size_t enough = og_diagnostics_errors(diagnostics) + ENOUGH;
  struct places places = {0};
  struct verifier v = {.version = code_object_version,
                       .file = name,
                       .places = &places,
                       .arena = og_arena_new(),
                       .diagnostics = diagnostics,
                       .enough = enough};
  bool good = verify_map(&v, root, "metadata", code_object_version == 2 ? ROOT_V2 : ROOT);
  og_arena_free(v.arena);
  return good;
}

/* ---- LLVM's order of keys in V2's text --------------------------------------------------------------------------- */

static void order_value(struct og_node *value, const struct key *key);

static void order_map(struct og_node *map, enum level level) {
  for (uint32_t i = 1; i < map->count; i++) { /* insertion: few keys, mostly in order */
    struct og_node pair[2] = {map->items[2 * i], map->items[2 * i + 1]};
    uint32_t at = i;
    for (; at > 0 && number_of_key(level, &map->items[2 * at - 2]) > number_of_key(level, &pair[0]); at--)
      memcpy(&map->items[2 * at], &map->items[2 * at - 2], sizeof pair);
    memcpy(&map->items[2 * at], pair, sizeof pair);
  }
  for (uint32_t i = 0; i < map->count; i++) {
    size_t rank = number_of_key(level, &map->items[2 * i]);
    if (rank < levels[level].count)
      order_value(&map->items[2 * i + 1], &levels[level].keys[rank]);
  }
}

static void order_value(struct og_node *value, const struct key *key) {
  if (key->shape == MAP && value->kind == OG_NODE_MAP)
    order_map(value, key->inner);
  for (uint32_t i = 0; key->shape == MAPS && value->kind == OG_NODE_LIST && i < value->count; i++)
    if (value->items[i].kind == OG_NODE_MAP)
      order_map(&value->items[i], key->inner);
}

void og_metadata_order_v2(struct og_node *root) {
  if (root->kind == OG_NODE_MAP)
    order_map(root, ROOT_V2);
}
