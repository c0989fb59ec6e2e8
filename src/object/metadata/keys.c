/* keys.c - what the metadata of kernels may and must say, as tables: one row for each key, one list for each set of
 * words. Seed: AMDGPU backend guide, "Code Object V2 Metadata", "Code Object V3 Metadata"; later versions add to the
 * latter. */
#include "object/metadata/keys.h"

#define NAMED(text) text, sizeof text - 1
/* V3 spelling, V2 spelling (NULL: not in V2), first version. */
const struct og_value_kind og_value_kinds[] = {
    {NAMED("by_value"), "ByValue", 2},
    {NAMED("global_buffer"), "GlobalBuffer", 2},
    {NAMED("dynamic_shared_pointer"), "DynamicSharedPointer", 2},
    {NAMED("sampler"), "Sampler", 2},
    {NAMED("image"), "Image", 2},
    {NAMED("pipe"), "Pipe", 2},
    {NAMED("queue"), "Queue", 2},
    {NAMED("hidden_global_offset_x"), "HiddenGlobalOffsetX", 2},
    {NAMED("hidden_global_offset_y"), "HiddenGlobalOffsetY", 2},
    {NAMED("hidden_global_offset_z"), "HiddenGlobalOffsetZ", 2},
    {NAMED("hidden_none"), "HiddenNone", 2},
    {NAMED("hidden_printf_buffer"), "HiddenPrintfBuffer", 2},
    {NAMED("hidden_hostcall_buffer"), "HiddenHostcallBuffer", 2},
    {NAMED("hidden_default_queue"), "HiddenDefaultQueue", 2},
    {NAMED("hidden_completion_action"), "HiddenCompletionAction", 2},
    {NAMED("hidden_multigrid_sync_arg"), "HiddenMultiGridSyncArg", 2},
    {NAMED("hidden_block_count_x"), NULL, 5},
    {NAMED("hidden_block_count_y"), NULL, 5},
    {NAMED("hidden_block_count_z"), NULL, 5},
    {NAMED("hidden_group_size_x"), NULL, 5},
    {NAMED("hidden_group_size_y"), NULL, 5},
    {NAMED("hidden_group_size_z"), NULL, 5},
    {NAMED("hidden_remainder_x"), NULL, 5},
    {NAMED("hidden_remainder_y"), NULL, 5},
    {NAMED("hidden_remainder_z"), NULL, 5},
    {NAMED("hidden_grid_dims"), NULL, 5},
    {NAMED("hidden_heap_v1"), NULL, 5},
    {NAMED("hidden_dynamic_lds_size"), NULL, 5},
    {NAMED("hidden_private_base"), NULL, 5},
    {NAMED("hidden_shared_base"), NULL, 5},
    {NAMED("hidden_queue_ptr"), NULL, 5},
    {NULL, 0, NULL, 0},
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

static const struct og_metadata_key root_keys[] = {
    {NAMED("amdhsa.version"), OG_SHAPE_TWO_NUMBERS, true, NULL, OG_LEVEL_NONE},
    {NAMED("amdhsa.target"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
    {NAMED("amdhsa.printf"), OG_SHAPE_STRINGS, false, NULL, OG_LEVEL_NONE},
    {NAMED("amdhsa.kernels"), OG_SHAPE_MAPS, true, NULL, OG_LEVEL_KERNEL},
};
static const struct og_metadata_key kernel_keys[] = {
    {NAMED(".name"), OG_SHAPE_WORD, true, NULL, OG_LEVEL_NONE},
    {NAMED(".symbol"), OG_SHAPE_WORD, true, NULL, OG_LEVEL_NONE},
    {NAMED(".language"), OG_SHAPE_WORD, false, languages, OG_LEVEL_NONE},
    {NAMED(".language_version"), OG_SHAPE_TWO_NUMBERS, false, NULL, OG_LEVEL_NONE},
    {NAMED(".args"), OG_SHAPE_MAPS, false, NULL, OG_LEVEL_ARG},
    {NAMED(".reqd_workgroup_size"), OG_SHAPE_THREE_NUMBERS, false, NULL, OG_LEVEL_NONE},
    {NAMED(".workgroup_size_hint"), OG_SHAPE_THREE_NUMBERS, false, NULL, OG_LEVEL_NONE},
    {NAMED(".cluster_dims"), OG_SHAPE_THREE_NUMBERS, false, NULL, OG_LEVEL_NONE},
    {NAMED(".vec_type_hint"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
    {NAMED(".device_enqueue_symbol"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
    {NAMED(".kind"), OG_SHAPE_WORD, false, kinds, OG_LEVEL_NONE},
    {NAMED(".kernarg_segment_size"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED(".group_segment_fixed_size"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED(".private_segment_fixed_size"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED(".uses_dynamic_stack"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED(".workgroup_processor_mode"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED(".uniform_work_group_size"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED(".kernarg_segment_align"), OG_SHAPE_POWER_OF_TWO, true, NULL, OG_LEVEL_NONE},
    {NAMED(".wavefront_size"), OG_SHAPE_POWER_OF_TWO, true, NULL, OG_LEVEL_NONE},
    {NAMED(".sgpr_count"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED(".vgpr_count"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED(".agpr_count"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED(".max_flat_workgroup_size"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED(".sgpr_spill_count"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED(".vgpr_spill_count"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
};
static const struct og_metadata_key argument_keys[] = {
    {NAMED(".name"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
    {NAMED(".type_name"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
    {NAMED(".size"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED(".offset"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED(".value_kind"), OG_SHAPE_VALUE_KIND, true, NULL, OG_LEVEL_NONE},
    {NAMED(".value_type"), OG_SHAPE_WORD, false, value_types, OG_LEVEL_NONE},
    {NAMED(".pointee_align"), OG_SHAPE_POWER_OF_TWO, false, NULL, OG_LEVEL_NONE},
    {NAMED(".address_space"), OG_SHAPE_WORD, false, spaces, OG_LEVEL_NONE},
    {NAMED(".access"), OG_SHAPE_WORD, false, accesses, OG_LEVEL_NONE},
    {NAMED(".actual_access"), OG_SHAPE_WORD, false, accesses, OG_LEVEL_NONE},
    {NAMED(".is_const"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED(".is_restrict"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED(".is_volatile"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED(".is_pipe"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
};
static const struct og_metadata_key root_keys_v2[] = {
    {NAMED("Version"), OG_SHAPE_TWO_NUMBERS, true, NULL, OG_LEVEL_NONE},
    {NAMED("Printf"), OG_SHAPE_STRINGS, false, NULL, OG_LEVEL_NONE},
    {NAMED("Kernels"), OG_SHAPE_MAPS, false, NULL, OG_LEVEL_KERNEL_V2},
};
static const struct og_metadata_key kernel_keys_v2[] = {
    {NAMED("Name"), OG_SHAPE_WORD, true, NULL, OG_LEVEL_NONE},
    {NAMED("SymbolName"), OG_SHAPE_WORD, true, NULL, OG_LEVEL_NONE},
    {NAMED("Language"), OG_SHAPE_WORD, false, languages, OG_LEVEL_NONE},
    {NAMED("LanguageVersion"), OG_SHAPE_NUMBERS, false, NULL, OG_LEVEL_NONE},
    {NAMED("Attrs"), OG_SHAPE_MAP, false, NULL, OG_LEVEL_ATTRS_V2},
    {NAMED("Args"), OG_SHAPE_MAPS, false, NULL, OG_LEVEL_ARG_V2},
    {NAMED("CodeProps"), OG_SHAPE_MAP, false, NULL, OG_LEVEL_CODE_PROPS_V2},
    {NAMED("DebugProps"), OG_SHAPE_MAP, false, NULL, OG_LEVEL_DEBUG_PROPS_V2},
};
static const struct og_metadata_key attribute_keys_v2[] = {
    {NAMED("ReqdWorkGroupSize"), OG_SHAPE_THREE_NUMBERS, false, NULL, OG_LEVEL_NONE},
    {NAMED("WorkGroupSizeHint"), OG_SHAPE_THREE_NUMBERS, false, NULL, OG_LEVEL_NONE},
    {NAMED("VecTypeHint"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
    {NAMED("RuntimeHandle"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
};
static const struct og_metadata_key argument_keys_v2[] = {
    {NAMED("Name"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
    {NAMED("TypeName"), OG_SHAPE_WORD, false, NULL, OG_LEVEL_NONE},
    {NAMED("Size"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED("Align"), OG_SHAPE_POWER_OF_TWO, true, NULL, OG_LEVEL_NONE},
    {NAMED("ValueKind"), OG_SHAPE_VALUE_KIND, true, NULL, OG_LEVEL_NONE},
    {NAMED("ValueType"), OG_SHAPE_WORD, false, value_types_v2, OG_LEVEL_NONE},
    {NAMED("PointeeAlign"), OG_SHAPE_POWER_OF_TWO, false, NULL, OG_LEVEL_NONE},
    {NAMED("AddrSpaceQual"), OG_SHAPE_WORD, false, spaces_v2, OG_LEVEL_NONE},
    {NAMED("AccQual"), OG_SHAPE_WORD, false, accesses_v2, OG_LEVEL_NONE},
    {NAMED("ActualAccQual"), OG_SHAPE_WORD, false, accesses_v2, OG_LEVEL_NONE},
    {NAMED("IsConst"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED("IsRestrict"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED("IsVolatile"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED("IsPipe"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
};
static const struct og_metadata_key code_keys_v2[] = {
    {NAMED("KernargSegmentSize"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED("GroupSegmentFixedSize"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED("PrivateSegmentFixedSize"), OG_SHAPE_UNSIGNED, true, NULL, OG_LEVEL_NONE},
    {NAMED("KernargSegmentAlign"), OG_SHAPE_POWER_OF_TWO, true, NULL, OG_LEVEL_NONE},
    {NAMED("WavefrontSize"), OG_SHAPE_POWER_OF_TWO, true, NULL, OG_LEVEL_NONE},
    {NAMED("NumSGPRs"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED("NumVGPRs"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED("MaxFlatWorkGroupSize"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED("IsDynamicCallStack"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED("IsXNACKEnabled"), OG_SHAPE_BOOLEAN, false, NULL, OG_LEVEL_NONE},
    {NAMED("NumSpilledSGPRs"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED("NumSpilledVGPRs"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
};
static const struct og_metadata_key debug_keys_v2[] = {
    {NAMED("DebuggerABIVersion"), OG_SHAPE_TWO_NUMBERS, false, NULL, OG_LEVEL_NONE},
    {NAMED("ReservedNumVGPRs"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED("ReservedFirstVGPR"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED("PrivateSegmentBufferSGPR"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
    {NAMED("WavefrontPrivateSegmentOffsetSGPR"), OG_SHAPE_UNSIGNED, false, NULL, OG_LEVEL_NONE},
};

const struct og_key_level og_key_levels[OG_LEVEL_NONE] = {
    [OG_LEVEL_ROOT] = {root_keys, OG_COUNT(root_keys)},
    [OG_LEVEL_KERNEL] = {kernel_keys, OG_COUNT(kernel_keys)},
    [OG_LEVEL_ARG] = {argument_keys, OG_COUNT(argument_keys)},
    [OG_LEVEL_ROOT_V2] = {root_keys_v2, OG_COUNT(root_keys_v2)},
    [OG_LEVEL_KERNEL_V2] = {kernel_keys_v2, OG_COUNT(kernel_keys_v2)},
    [OG_LEVEL_ATTRS_V2] = {attribute_keys_v2, OG_COUNT(attribute_keys_v2)},
    [OG_LEVEL_ARG_V2] = {argument_keys_v2, OG_COUNT(argument_keys_v2)},
    [OG_LEVEL_CODE_PROPS_V2] = {code_keys_v2, OG_COUNT(code_keys_v2)},
    [OG_LEVEL_DEBUG_PROPS_V2] = {debug_keys_v2, OG_COUNT(debug_keys_v2)},
};
_Static_assert(OG_COUNT(kernel_keys) <= OG_KEYS_MOST, "");
