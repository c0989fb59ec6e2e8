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

struct key {
  enum level level;
  const char *name;
  enum shape shape;
  bool required;
  const char *const *words; /* that a WORD may be */
  enum level inner;         /* of MAP and MAPS */
};

static const struct key keys[] = {
    {ROOT, "amdhsa.version", TWO_NUMBERS, true, NULL, NOTHING},
    {ROOT, "amdhsa.target", WORD, false, NULL, NOTHING},
    {ROOT, "amdhsa.printf", STRINGS, false, NULL, NOTHING},
    {ROOT, "amdhsa.kernels", MAPS, true, NULL, KERNEL},

    {KERNEL, ".name", WORD, true, NULL, NOTHING},
    {KERNEL, ".symbol", WORD, true, NULL, NOTHING},
    {KERNEL, ".language", WORD, false, languages, NOTHING},
    {KERNEL, ".language_version", TWO_NUMBERS, false, NULL, NOTHING},
    {KERNEL, ".args", MAPS, false, NULL, ARG},
    {KERNEL, ".reqd_workgroup_size", THREE_NUMBERS, false, NULL, NOTHING},
    {KERNEL, ".workgroup_size_hint", THREE_NUMBERS, false, NULL, NOTHING},
    {KERNEL, ".cluster_dims", THREE_NUMBERS, false, NULL, NOTHING},
    {KERNEL, ".vec_type_hint", WORD, false, NULL, NOTHING},
    {KERNEL, ".device_enqueue_symbol", WORD, false, NULL, NOTHING},
    {KERNEL, ".kind", WORD, false, kinds, NOTHING},
    {KERNEL, ".kernarg_segment_size", UNSIGNED, true, NULL, NOTHING},
    {KERNEL, ".group_segment_fixed_size", UNSIGNED, true, NULL, NOTHING},
    {KERNEL, ".private_segment_fixed_size", UNSIGNED, true, NULL, NOTHING},
    {KERNEL, ".uses_dynamic_stack", BOOLEAN, false, NULL, NOTHING},
    {KERNEL, ".workgroup_processor_mode", UNSIGNED, false, NULL, NOTHING},
    {KERNEL, ".uniform_work_group_size", UNSIGNED, false, NULL, NOTHING},
    {KERNEL, ".kernarg_segment_align", POWER_OF_TWO, true, NULL, NOTHING},
    {KERNEL, ".wavefront_size", POWER_OF_TWO, true, NULL, NOTHING},
    {KERNEL, ".sgpr_count", UNSIGNED, true, NULL, NOTHING},
    {KERNEL, ".vgpr_count", UNSIGNED, true, NULL, NOTHING},
    {KERNEL, ".agpr_count", UNSIGNED, false, NULL, NOTHING},
    {KERNEL, ".max_flat_workgroup_size", UNSIGNED, true, NULL, NOTHING},
    {KERNEL, ".sgpr_spill_count", UNSIGNED, false, NULL, NOTHING},
    {KERNEL, ".vgpr_spill_count", UNSIGNED, false, NULL, NOTHING},

    {ARG, ".name", WORD, false, NULL, NOTHING},
    {ARG, ".type_name", WORD, false, NULL, NOTHING},
    {ARG, ".size", UNSIGNED, true, NULL, NOTHING},
    {ARG, ".offset", UNSIGNED, true, NULL, NOTHING},
    {ARG, ".value_kind", VALUE_KIND, true, NULL, NOTHING},
    {ARG, ".value_type", WORD, false, value_types, NOTHING},
    {ARG, ".pointee_align", POWER_OF_TWO, false, NULL, NOTHING},
    {ARG, ".address_space", WORD, false, spaces, NOTHING},
    {ARG, ".access", WORD, false, accesses, NOTHING},
    {ARG, ".actual_access", WORD, false, accesses, NOTHING},
    {ARG, ".is_const", BOOLEAN, false, NULL, NOTHING},
    {ARG, ".is_restrict", BOOLEAN, false, NULL, NOTHING},
    {ARG, ".is_volatile", BOOLEAN, false, NULL, NOTHING},
    {ARG, ".is_pipe", BOOLEAN, false, NULL, NOTHING},

    {ROOT_V2, "Version", TWO_NUMBERS, true, NULL, NOTHING},
    {ROOT_V2, "Printf", STRINGS, false, NULL, NOTHING},
    {ROOT_V2, "Kernels", MAPS, false, NULL, KERNEL_V2},

    {KERNEL_V2, "Name", WORD, true, NULL, NOTHING},
    {KERNEL_V2, "SymbolName", WORD, true, NULL, NOTHING},
    {KERNEL_V2, "Language", WORD, false, languages, NOTHING},
    {KERNEL_V2, "LanguageVersion", NUMBERS, false, NULL, NOTHING},
    {KERNEL_V2, "Attrs", MAP, false, NULL, ATTRS_V2},
    {KERNEL_V2, "Args", MAPS, false, NULL, ARG_V2},
    {KERNEL_V2, "CodeProps", MAP, false, NULL, CODE_PROPS_V2},
    {KERNEL_V2, "DebugProps", MAP, false, NULL, DEBUG_PROPS_V2},

    {ATTRS_V2, "ReqdWorkGroupSize", THREE_NUMBERS, false, NULL, NOTHING},
    {ATTRS_V2, "WorkGroupSizeHint", THREE_NUMBERS, false, NULL, NOTHING},
    {ATTRS_V2, "VecTypeHint", WORD, false, NULL, NOTHING},
    {ATTRS_V2, "RuntimeHandle", WORD, false, NULL, NOTHING},

    {ARG_V2, "Name", WORD, false, NULL, NOTHING},
    {ARG_V2, "TypeName", WORD, false, NULL, NOTHING},
    {ARG_V2, "Size", UNSIGNED, true, NULL, NOTHING},
    {ARG_V2, "Align", POWER_OF_TWO, true, NULL, NOTHING},
    {ARG_V2, "ValueKind", VALUE_KIND, true, NULL, NOTHING},
    {ARG_V2, "ValueType", WORD, false, value_types_v2, NOTHING},
    {ARG_V2, "PointeeAlign", POWER_OF_TWO, false, NULL, NOTHING},
    {ARG_V2, "AddrSpaceQual", WORD, false, spaces_v2, NOTHING},
    {ARG_V2, "AccQual", WORD, false, accesses_v2, NOTHING},
    {ARG_V2, "ActualAccQual", WORD, false, accesses_v2, NOTHING},
    {ARG_V2, "IsConst", BOOLEAN, false, NULL, NOTHING},
    {ARG_V2, "IsRestrict", BOOLEAN, false, NULL, NOTHING},
    {ARG_V2, "IsVolatile", BOOLEAN, false, NULL, NOTHING},
    {ARG_V2, "IsPipe", BOOLEAN, false, NULL, NOTHING},

    {CODE_PROPS_V2, "KernargSegmentSize", UNSIGNED, true, NULL, NOTHING},
    {CODE_PROPS_V2, "GroupSegmentFixedSize", UNSIGNED, true, NULL, NOTHING},
    {CODE_PROPS_V2, "PrivateSegmentFixedSize", UNSIGNED, true, NULL, NOTHING},
    {CODE_PROPS_V2, "KernargSegmentAlign", POWER_OF_TWO, true, NULL, NOTHING},
    {CODE_PROPS_V2, "WavefrontSize", POWER_OF_TWO, true, NULL, NOTHING},
    {CODE_PROPS_V2, "NumSGPRs", UNSIGNED, false, NULL, NOTHING},
    {CODE_PROPS_V2, "NumVGPRs", UNSIGNED, false, NULL, NOTHING},
    {CODE_PROPS_V2, "MaxFlatWorkGroupSize", UNSIGNED, false, NULL, NOTHING},
    {CODE_PROPS_V2, "IsDynamicCallStack", BOOLEAN, false, NULL, NOTHING},
    {CODE_PROPS_V2, "IsXNACKEnabled", BOOLEAN, false, NULL, NOTHING},
    {CODE_PROPS_V2, "NumSpilledSGPRs", UNSIGNED, false, NULL, NOTHING},
    {CODE_PROPS_V2, "NumSpilledVGPRs", UNSIGNED, false, NULL, NOTHING},

    {DEBUG_PROPS_V2, "DebuggerABIVersion", TWO_NUMBERS, false, NULL, NOTHING},
    {DEBUG_PROPS_V2, "ReservedNumVGPRs", UNSIGNED, false, NULL, NOTHING},
    {DEBUG_PROPS_V2, "ReservedFirstVGPR", UNSIGNED, false, NULL, NOTHING},
    {DEBUG_PROPS_V2, "PrivateSegmentBufferSGPR", UNSIGNED, false, NULL, NOTHING},
    {DEBUG_PROPS_V2, "WavefrontPrivateSegmentOffsetSGPR", UNSIGNED, false, NULL, NOTHING},
};

const char *og_value_kind_name(const char *kind) {
  for (const struct og_value_kind *k = og_value_kinds; k->name; k++)
    if (strcmp(kind, k->name) == 0 || (k->name_v2 && strcmp(kind, k->name_v2) == 0))
      return k->name;
  return kind;
}

struct verifier {
  int version;
  const char *file;
  const char *where; /* "kernel 'x', argument 2" */
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  size_t enough; /* errors: whoever reads them needs no more */
};

static bool report(const struct verifier *v, const struct og_node *node, const char *key, const char *expected) {
  const char *in = *v->where ? " of " : "";
  if (node && node->range.source)
    return og_error(v->diagnostics, node->range, "metadata: '%s'%s%s: expected %s", key, in, v->where, expected);
  return og_error_in(v->diagnostics, v->file, "metadata: '%s'%s%s: expected %s", key, in, v->where, expected);
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

static bool verify_value_kind(const struct verifier *v, const struct og_node *node, const struct key *key) {
  if (node->kind == OG_NODE_STRING)
    for (const struct og_value_kind *k = og_value_kinds; k->name; k++) {
      const char *name = v->version == 2 ? k->name_v2 : k->name;
      if (name && og_text_is(node->text, name))
        return v->version >= k->since ||
               report(v, node, key->name,
                      og_arena_printf(v->arena, "a kind of this version: '%s' needs code object V%d", name, k->since));
    }
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
    bool kernel = key->inner == KERNEL || key->inner == KERNEL_V2;
    const char *name = og_node_string(og_node_get(&node->items[i], v->version == 2 ? "Name" : ".name"), NULL);
    if (kernel)
      inner.where = name ? og_arena_printf(v->arena, "kernel '%s'", name) : og_arena_printf(v->arena, "kernel %u", i);
    else
      inner.where = og_arena_printf(v->arena, "argument %u of %s", i, v->where);
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
  if (node->kind != OG_NODE_STRING)
    return false;
  if (memchr(node->text.data, '.', node->text.size)) /* a vendor's */
    return true;
  for (size_t i = 0; i < OG_COUNT(keys); i++)
    if (keys[i].level == level && og_text_is(node->text, keys[i].name))
      return true;
  return false;
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
  for (size_t i = 0; i < OG_COUNT(keys); i++) {
    if (keys[i].level != level)
      continue;
    const struct og_node *node = og_node_get(map, keys[i].name);
    if (node)
      good &= verify_value(v, node, &keys[i]);
    else if (keys[i].required)
      good = report(v, map, keys[i].name, "this required key, which is missing");
  }
  return good;
}

bool og_metadata_verify(const struct og_node *root, int code_object_version, const char *name,
                        struct og_diagnostics *diagnostics) {
  enum { ENOUGH = 1000 };
  size_t enough = og_diagnostics_errors(diagnostics) + ENOUGH;
  struct verifier v = {code_object_version, name, "", og_arena_new(), diagnostics, enough};
  bool good = verify_map(&v, root, "metadata", code_object_version == 2 ? ROOT_V2 : ROOT);
  og_arena_free(v.arena);
  return good;
}

/* ---- LLVM's order of keys in V2's text --------------------------------------------------------------------------- */

static size_t rank_of_key(enum level level, const struct og_node *key) {
  size_t i = 0;
  while (i < OG_COUNT(keys) &&
         !(keys[i].level == level && key->kind == OG_NODE_STRING && og_text_is(key->text, keys[i].name)))
    i++;
  return i;
}

static void order_value(struct og_node *value, const struct key *key);

static void order_map(struct og_node *map, enum level level) {
  for (uint32_t i = 1; i < map->count; i++) { /* insertion: few keys, mostly in order */
    struct og_node pair[2] = {map->items[2 * i], map->items[2 * i + 1]};
    uint32_t at = i;
    for (; at > 0 && rank_of_key(level, &map->items[2 * at - 2]) > rank_of_key(level, &pair[0]); at--)
      memcpy(&map->items[2 * at], &map->items[2 * at - 2], sizeof pair);
    memcpy(&map->items[2 * at], pair, sizeof pair);
  }
  for (uint32_t i = 0; i < map->count; i++) {
    size_t rank = rank_of_key(level, &map->items[2 * i]);
    if (rank < OG_COUNT(keys))
      order_value(&map->items[2 * i + 1], &keys[rank]);
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
