/* visa.c - the tables of types, platforms, opcodes and names, and small helpers on a kernel in memory. */
#include "visa/table.h"

#include <string.h>
#include <strings.h>

const struct og_visa_type_info og_visa_types[OG_VISA_TYPE_COUNT] = {
#define X(name, text, bytes, class) {text, bytes, class},
    OG_VISA_TYPES(X)
#undef X
};

const struct og_visa_platform_info og_visa_platforms[OG_VISA_PLATFORM_COUNT] = {
#define X(name, option, grf, alias) {option, alias, grf},
    OG_VISA_PLATFORMS(X)
#undef X
};

int og_visa_find_platform(struct og_text name) {
  for (int i = 0; i < OG_VISA_PLATFORM_COUNT; i++) {
    const char *const names[] = {og_visa_platforms[i].name, og_visa_platforms[i].alias};
    for (unsigned j = 0; j < 2; j++)
      if (strlen(names[j]) == name.size && strncasecmp(names[j], name.data, name.size) == 0)
        return i;
  }
  return -1;
}

/* ---- opcode rows ---- */

static const struct og_visa_row rows[256] = {
#define OPCODE(id, name, number, binary, text, dst, src, flags, platform) \
  [number] = {name, binary, text, dst, src, flags, OG_VISA_##platform},
#include "visa/opcodes.def"
};
static const struct og_visa_row svm_rows[8] = {
#define OPCODE(...)
#define SVM_OPCODE(id, name, number, binary, text) [number] = {name, binary, text, 0, T_ANY, SCALAR, OG_VISA_SKL},
#include "visa/opcodes.def"
};

unsigned og_visa_letters(const struct og_visa_row *row, char letters[OG_VISA_MAX_LETTERS]) {
  unsigned count = 0;
  for (const char *letter = row->binary; *letter; letter++)
    if (*letter < 'a' && *letter != '*')
      letters[count++] = *letter;
  return count;
}

const struct og_visa_row *og_visa_row(unsigned opcode, unsigned sub) {
  const struct og_visa_row *row = opcode == OG_VISA_OP_SVM ? (sub < OG_COUNT(svm_rows) ? &svm_rows[sub] : &svm_rows[0])
                                                           : &rows[opcode & 0xff];
  return row->name ? row : NULL;
}

/* ---- names ---- */

const char *const og_visa_compare_names[] = {"eq", "ne", "gt", "ge", "lt", "le", NULL};
const char *const og_visa_atomic_names[] = {
#define X(name, text) text,
    OG_VISA_ATOMICS(X)
#undef X
    NULL};
const char *const og_visa_media_names[] = {"nomod", "modified", "top", "bottom", "top_mod", "bottom_mod", NULL};
const char *const og_visa_avs_control_names[] = {"AVS_16_FULL", "AVS_16_DOWN_SAMPLE", "AVS_8_FULL", "AVS_8_DOWN_SAMPLE",
                                                 NULL};
const char *const og_visa_avs_mode_names[] = {"AVS_4x4", "AVS_8x4", "AVS_16x4", "AVS_16x8", NULL};
const char *const og_visa_output_names[] = {"16-full", "16-downsampled", "8-full", "8-downsampled", NULL};
const char *const og_visa_align_names[] = {"byte",  "word",  "dword",   "qword",   "oword", "GRF",
                                           "GRFx2", "hword", "wordx32", "wordx64", NULL};
const char *const og_visa_sfid_names[] = {"ugm", "ugml", "tgm", "slm", NULL};
const char *const og_visa_cache_names[] = {"df", "uc", "ca", "wb", "wt", "st", "ri", NULL};
const char *const og_visa_fence_names[] = {"none", "evict", "invalidate", "discard", "clean", "flushl3", "type6", NULL};
const char *const og_visa_scope_names[] = {"group", "local", "tile", "gpu", "gpus", "sysrel", "sysacq", NULL};
const char *const og_visa_precision_names[] = {"",   "u1", "s1", "u2", "s2",   "u4", "s4",
                                               "u8", "s8", "bf", "hf", "tf32", NULL};
const char *const og_visa_sample_names[] = {
    "sample_3d", "sample_b",   "sample_l",   "sample_c",     "sample_d", "sample_b_c", "sample_l_c",  "load_3d",
    "sample4",   "lod",        "resinfo",    "sampleinfo",   "",         "",           "",            "",
    "sample4_c", "sample4_po", "sample4_po_c", "",           "sample_d_c", "",         "",            "",
    "sample_lz", "sample_c_lz", "load_lz",   "",             "load_2dms_w", "load_mcs", NULL};
const char *const og_visa_data_size_names[] = {"", "d8", "d16", "d32", "d64", "d8c32", "d16c32", "d16c32h", NULL};
const char *const og_visa_address_names[] = {"", "flat", "bss", "ss", "bti", "arg", NULL};

int og_visa_find_name(const char *const *names, struct og_text text) {
  for (int i = 0; names[i]; i++)
    if (og_text_is(text, names[i]))
      return i;
  return -1;
}

const struct og_visa_lsc_op_info og_visa_lsc_ops[] = {
#define X(name, text, number, kind) {text, number, kind},
    OG_VISA_LSC_OPS(X)
#undef X
    {NULL, 0, 0}};

const struct og_visa_lsc_op_info *og_visa_lsc_op(unsigned number) {
  for (const struct og_visa_lsc_op_info *op = og_visa_lsc_ops; op->name; op++)
    if (op->number == number)
      return op;
  return NULL;
}

const char *og_visa_mnemonic(const struct og_visa_inst *inst) {
  if (inst->opcode == OG_VISA_OP_FMINMAX)
    return inst->sub ? "max" : "min";
  if (inst->opcode >= OG_VISA_OP_SAMPLE_3D && inst->opcode <= OG_VISA_OP_INFO_3D && inst->sub < OG_VISA_SAMPLE_NAMES)
    return og_visa_sample_names[inst->sub];
  if (inst->opcode == OG_VISA_OP_LSC_UNTYPED || inst->opcode == OG_VISA_OP_LSC_TYPED) {
    const struct og_visa_lsc_op_info *op = og_visa_lsc_op(inst->sub);
    return op ? op->name : "?"; /* callers put "lsc_" before it */
  }
  const struct og_visa_row *row = og_visa_row(inst->opcode, inst->sub);
  return row ? row->name : "?";
}

/* ---- predefined variables ---- */

static const struct {
  const char *name;
  uint8_t type;
  uint16_t bytes[2]; /* with a GRF of 32 and of 64 bytes */
} predefined[OG_VISA_PREDEFINED_COUNT] = {
    [OG_VISA_V_NULL] = {"%null", OG_VISA_UD, {32, 64}},
    [OG_VISA_V_THREAD_X] = {"%thread_x", OG_VISA_UW, {2, 2}},
    [OG_VISA_V_THREAD_Y] = {"%thread_y", OG_VISA_UW, {2, 2}},
    [OG_VISA_V_GROUP_ID_X] = {"%group_id_x", OG_VISA_UD, {4, 4}},
    [OG_VISA_V_GROUP_ID_Y] = {"%group_id_y", OG_VISA_UD, {4, 4}},
    [OG_VISA_V_GROUP_ID_Z] = {"%group_id_z", OG_VISA_UD, {4, 4}},
    [OG_VISA_V_TSC] = {"%tsc", OG_VISA_UD, {20, 20}},
    [OG_VISA_V_R0] = {"%r0", OG_VISA_UD, {32, 64}},
    [OG_VISA_V_ARG] = {"%arg", OG_VISA_UD, {1024, 2048}},
    [OG_VISA_V_RETVAL] = {"%retval", OG_VISA_UD, {384, 768}},
    [OG_VISA_V_SP] = {"%sp", OG_VISA_UQ, {8, 8}},
    [OG_VISA_V_FP] = {"%fp", OG_VISA_UQ, {8, 8}},
    [OG_VISA_V_HW_ID] = {"%hw_id", OG_VISA_UD, {4, 4}},
    [OG_VISA_V_SR0] = {"%sr0", OG_VISA_UD, {16, 16}},
    [OG_VISA_V_CR0] = {"%cr0", OG_VISA_UD, {12, 12}},
    [OG_VISA_V_CE0] = {"%ce0", OG_VISA_UD, {4, 4}},
    [OG_VISA_V_DBG0] = {"%dbg0", OG_VISA_UD, {8, 8}},
    [OG_VISA_V_COLOR] = {"%color", OG_VISA_UW, {2, 2}},
    [OG_VISA_V_IMPL_ARG_BUF_PTR] = {"%impl_arg_buf_ptr", OG_VISA_UQ, {8, 8}},
    [OG_VISA_V_LOCAL_ID_BUF_PTR] = {"%local_id_buf_ptr", OG_VISA_UQ, {8, 8}},
    [OG_VISA_V_MSG0] = {"%msg0", OG_VISA_UD, {12, 12}},
};
static const char *const predefined_surfaces[OG_VISA_FIRST_SURFACE] = {"%slm", "T1", "T2", "TSS", "%bss", "%scratch"};

void og_visa_set_platform(struct og_visa_kernel *kernel, int platform) {
  bool wide = platform >= 0 && og_visa_platforms[platform].grf_size == 64;
  for (unsigned i = 0; i < OG_VISA_PREDEFINED_COUNT; i++)
    kernel->general.items[i].elements = predefined[i].bytes[wide] / og_visa_types[predefined[i].type].size;
}

struct og_visa_kernel *og_visa_new_kernel(struct og_arena *arena, const char *name, int platform) {
  struct og_visa_kernel *kernel = OG_NEW(arena, struct og_visa_kernel);
  kernel->name = name;
  bool wide = platform >= 0 && og_visa_platforms[platform].grf_size == 64;
  for (unsigned i = 0; i < OG_VISA_FIRST_GENERAL; i++) {
    struct og_visa_variable *variable = OG_PUSH(arena, &kernel->general);
    *variable = (struct og_visa_variable){.name = "%reserved", .predefined = true};
    if (i >= OG_VISA_PREDEFINED_COUNT)
      continue;
    variable->name = predefined[i].name;
    variable->type = predefined[i].type;
    variable->elements = predefined[i].bytes[wide] / og_visa_types[variable->type].size;
    variable->align = OG_VISA_ALIGN_GRF;
  }
  struct og_visa_variable *p0 = OG_PUSH(arena, &kernel->predicate);
  *p0 = (struct og_visa_variable){.name = "P0", .type = OG_VISA_BOOL, .elements = 32, .predefined = true};
  for (unsigned i = 0; i < OG_VISA_FIRST_SURFACE; i++) {
    struct og_visa_variable *surface = OG_PUSH(arena, &kernel->surface);
    *surface = (struct og_visa_variable){
        .name = predefined_surfaces[i], .type = OG_VISA_UD, .elements = 1, .predefined = true};
  }
  *OG_PUSH(arena, &kernel->strings) = "";
  return kernel;
}

/* ---- helpers ---- */

int og_visa_linkage(const struct og_visa_variable *variable) {
  for (uint32_t i = 0; i < variable->attribute_count; i++)
    if (strcmp(variable->attributes[i].name, OG_VISA_FILE_SCOPE) == 0)
      return variable->attributes[i].value >= 0 && variable->attributes[i].value <= 2
                 ? (int)variable->attributes[i].value
                 : 0;
  return -1;
}

uint32_t og_visa_first_own(const struct og_visa_kernel *kernel) {
  uint32_t first = OG_VISA_FIRST_GENERAL;
  while (first < kernel->general.count && og_visa_linkage(&kernel->general.items[first]) >= 0)
    first++;
  return first;
}

struct og_visa_variables *og_visa_variables_of(const struct og_visa_kernel *kernel, char class) {
  const struct og_visa_variables *found = class == 'G'   ? &kernel->general
                                          : class == 'A' ? &kernel->address
                                          : class == 'P' ? &kernel->predicate
                                          : class == 'S' ? &kernel->sampler
                                                         : &kernel->surface;
  return (struct og_visa_variables *)found;
}

uint32_t og_visa_variable_size(const struct og_visa_variable *variable) {
  return variable->elements * og_visa_types[variable->type].size;
}

uint32_t og_visa_resolve_alias(const struct og_visa_kernel *kernel, uint32_t variable, uint32_t *offset) {
  *offset = 0;
  while (kernel->general.items[variable].alias) { /* an alias names an earlier variable, so this ends */
    *offset += kernel->general.items[variable].alias_offset;
    variable = kernel->general.items[variable].alias;
  }
  return variable;
}
