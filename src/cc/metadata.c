/* metadata.c - a kernel's metadata: its arguments, the hidden ones that OpenCL and HIP add, its resources. */
#include "cc/object.h"

static struct og_node *put(struct cc_object *o, struct og_node *map, const char *key, enum og_node_kind kind) {
  struct og_node *n = og_node_add(o->arena, map, key);
  n->kind = kind;
  return n;
}
static void put_number(struct cc_object *o, struct og_node *map, const char *key, uint64_t value) {
  put(o, map, key, OG_NODE_UINT)->unsigned_integer = value;
}
static void put_text(struct cc_object *o, struct og_node *map, const char *key, struct og_text text) {
  put(o, map, key, OG_NODE_STRING)->text = (struct og_text){og_arena_copy(o->arena, text.data, text.size), text.size};
}

/* A string that the front end attached to the kernel, by the number of the argument. */
static struct og_text attached(const struct cc_function *c, const char *kind, uint32_t index) {
  const struct og_ir_metadata *text = cc_attached(c, kind, index);
  return text && text->kind == OG_IR_M_STRING ? c->m->names.items[text->first] : (struct og_text){0};
}

static void put_numbers(struct cc_object *o, struct og_node *map, const char *key, const uint32_t numbers[3]) {
  struct og_node *list = put(o, map, key, OG_NODE_LIST);
  list->items = OG_NEW_ARRAY(o->arena, struct og_node, 3);
  list->count = 3;
  for (unsigned k = 0; k < 3; k++)
    list->items[k].kind = OG_NODE_UINT, list->items[k].unsigned_integer = numbers[k];
}

/* Three sizes that are attached to the kernel. */
static void put_sizes(struct cc_object *o, const struct cc_function *c, struct og_node *map, const char *key,
                      const char *kind) {
  uint32_t numbers[3];
  for (unsigned k = 0; k < 3; k++) {
    uint64_t number;
    if (!cc_attached_number(c, kind, k, &number))
      return;
    numbers[k] = (uint32_t)number;
  }
  put_numbers(o, map, key, numbers);
}

static void put_clusters(struct cc_object *o, const struct cc_function *c, struct og_node *kernel) {
  uint32_t dims[3];
  enum { VARIABLE = 1024 };
  if (cc_is_clustered(c, dims) && (dims[0] != VARIABLE || dims[1] != VARIABLE || dims[2] != VARIABLE))
    put_numbers(o, kernel, ".cluster_dims", dims);
}

static void put_most_groups(struct cc_object *o, const struct cc_function *c, struct og_node *kernel) {
  static const char *const keys[] = {".max_num_workgroups_x", ".max_num_workgroups_y", ".max_num_workgroups_z"};
  uint32_t most[3];
  unsigned count = cc_attribute_numbers(c, "amdgpu-max-num-workgroups", most, 3);
  for (unsigned k = 0; k < 3 && count == 3; k++)
    if (most[k] && most[k] != UINT32_MAX) /* other numbers mean no limit */
      put_number(o, kernel, keys[k], most[k]);
}

/* Arguments that the compiler adds behind the others (user guide, "Code Object V3 Metadata", "V5"). Those that cost the
 * runtime something are only listed if they are read. */
struct hidden {
  const char *kind;
  uint8_t offset, size;
  bool if_read;
};
static const struct hidden hidden_v5[] = {
    {"hidden_block_count_x", 0, 4, false},       {"hidden_block_count_y", 4, 4, false},
    {"hidden_block_count_z", 8, 4, false},       {"hidden_group_size_x", 12, 2, false},
    {"hidden_group_size_y", 14, 2, false},       {"hidden_group_size_z", 16, 2, false},
    {"hidden_remainder_x", 18, 2, false},        {"hidden_remainder_y", 20, 2, false},
    {"hidden_remainder_z", 22, 2, false},        {"hidden_global_offset_x", 40, 8, false},
    {"hidden_global_offset_y", 48, 8, false},    {"hidden_global_offset_z", 56, 8, false},
    {"hidden_grid_dims", 64, 2, false},          {"hidden_printf_buffer", 72, 8, true},
    {"hidden_hostcall_buffer", 80, 8, true},     {"hidden_multigrid_sync_arg", 88, 8, true},
    {"hidden_heap_v1", 96, 8, true},             {"hidden_default_queue", 104, 8, true},
    {"hidden_completion_action", 112, 8, true},  {"hidden_dynamic_lds_size", 120, 4, true},
    {"hidden_private_base", 192, 4, true},       {"hidden_shared_base", 196, 4, true},
    {"hidden_queue_ptr", 200, 8, true},
};
static const struct hidden hidden_v4[] = {
    {"hidden_global_offset_x", 0, 8, false},     {"hidden_global_offset_y", 8, 8, false},
    {"hidden_global_offset_z", 16, 8, false},    {"hidden_hostcall_buffer", 24, 8, true},
    {"hidden_default_queue", 32, 8, true},       {"hidden_completion_action", 40, 8, true},
    {"hidden_multigrid_sync_arg", 48, 8, true},
};

static void hidden_arguments(struct cc_object *o, const struct cc_function *c, struct og_node *list) {
  const struct hidden *all = o->version < 5 ? hidden_v4 : hidden_v5;
  unsigned count = o->version < 5 ? OG_COUNT(hidden_v4) : OG_COUNT(hidden_v5);
  for (unsigned k = 0; k < count && c->hidden; k++) {
    if (all[k].if_read && !(c->hidden_reads >> all[k].offset / 8 & 1))
      continue;
    struct og_node *a = &list->items[list->count++];
    a->kind = OG_NODE_MAP;
    put_number(o, a, ".offset", c->kernarg_explicit + all[k].offset);
    put_number(o, a, ".size", all[k].size);
    put_text(o, a, ".value_kind", og_text(all[k].kind));
  }
}

static void arguments(struct cc_object *o, const struct cc_function *c, struct og_node *kernel) {
  if (!c->f->arguments && !c->hidden)
    return;
  struct og_node *list = put(o, kernel, ".args", OG_NODE_LIST);
  list->items = OG_NEW_ARRAY(o->arena, struct og_node, c->f->arguments + OG_COUNT(hidden_v5));
  list->count = c->f->arguments;
  static const char *const spaces[] = {"generic", "global", "region", "local", "constant", "private"};
  for (uint32_t i = 0; i < c->f->arguments; i++) {
    struct og_node *a = &list->items[i];
    a->kind = OG_NODE_MAP;
    og_ir_type type = cc_argument_type(c, i + 1);
    const struct og_ir_type_record *t = og_ir_type_of(c->m, type);
    bool pointer = t->kind == OG_IR_POINTER, local = pointer && t->count == 3;
    if (pointer && t->count < OG_COUNT(spaces))
      put_text(o, a, ".address_space", og_text(spaces[t->count]));
    if (c->f->insts.items[i + 1].name)
      put_text(o, a, ".name", c->m->names.items[c->f->insts.items[i + 1].name]);
    put_number(o, a, ".offset", c->argument_offset[i + 1]);
    if (local)
      put_number(o, a, ".pointee_align", 16);
    put_number(o, a, ".size", cc_size_of(c->m, type));
    struct og_text name = attached(c, "kernel_arg_type", i);
    if (name.size)
      put_text(o, a, ".type_name", name);
    put_text(o, a, ".value_kind", og_text(local ? "dynamic_shared_pointer" : pointer ? "global_buffer" : "by_value"));
  }
  hidden_arguments(o, c, list);
}

void cc_kernel_metadata(struct cc_object *o, const struct cc_function *c, struct og_node *kernel) {
  struct og_text name = c->m->names.items[c->global->name];
  kernel->kind = OG_NODE_MAP;
  if (c->target->processor->agprs_max)
    put_number(o, kernel, ".agpr_count", c->agprs);
  arguments(o, c, kernel);
  put_clusters(o, c, kernel);
  put_number(o, kernel, ".group_segment_fixed_size", c->lds_size);
  put_number(o, kernel, ".kernarg_segment_align", 8);
  put_number(o, kernel, ".kernarg_segment_size", c->kernarg_size);
  if (cc_is_marked(c, "device-init") || cc_is_marked(c, "device-fini"))
    put_text(o, kernel, ".kind", og_text(cc_is_marked(c, "device-init") ? "init" : "fini"));
  put_number(o, kernel, ".max_flat_workgroup_size", cc_work_group_size(c));
  put_most_groups(o, c, kernel);
  put_text(o, kernel, ".name", name);
  put_number(o, kernel, ".private_segment_fixed_size", c->scratch_total);
  put_sizes(o, c, kernel, ".reqd_workgroup_size", "reqd_work_group_size");
  put_number(o, kernel, ".sgpr_count", c->sgprs + og_extra_sgprs(c->target, true, c->scratch_total > 0, false));
  put_number(o, kernel, ".sgpr_spill_count", c->sgprs_spilled);
  put_text(o, kernel, ".symbol", og_text(og_arena_printf(o->arena, "%.*s.kd", OG_TEXT_ARGS(name))));
  if (o->version >= 5 && og_text_is(cc_attribute(c->m, c->f, "uniform-work-group-size"), "true"))
    put_number(o, kernel, ".uniform_work_group_size", 1);
  if (o->version >= 5)
    put(o, kernel, ".uses_dynamic_stack", OG_NODE_BOOL)->boolean = c->dynamic_stack;
  struct og_text hinted = cc_hinted_type(c);
  if (hinted.size)
    put_text(o, kernel, ".vec_type_hint", hinted);
  put_number(o, kernel, ".vgpr_count", cc_vector_registers(c));
  put_number(o, kernel, ".vgpr_spill_count", c->vgprs_spilled);
  put_number(o, kernel, ".wavefront_size", c->target->wave_size);
  if (o->version >= 5 && c->target->processor->cumode)
    put_number(o, kernel, ".workgroup_processor_mode", !c->target->cumode);
  put_sizes(o, c, kernel, ".workgroup_size_hint", "work_group_size_hint");
}
