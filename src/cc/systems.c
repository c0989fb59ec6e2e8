/* systems.c - kernels for operating systems other than HSA, as LLVM writes them. PAL reads registers from a note about
 * pipelines, mesa3d an amd_kernel_code_t before the code, and all but PAL pairs of registers and values in
 * .AMDGPU.config (user guide, "AMDPAL", "Unspecified OS"). */
#include "cc/systems.h"

#include "object/kernel/kernel.h"
#include "target/descriptor.h"

#include <string.h>

enum { RSRC1 = 0xb848, RSRC2 = 0xb84c, TMPRING_SIZE = 0xb860, SPILLED_SGPRS = 4, SPILLED_VGPRS = 8 };
enum { PAL_RSRC1 = 0x2e12, PAL_RSRC2 = 0x2e13 };
enum { OLD_HEADER = 36 }; /* before the arguments: grid and group sizes, which Mesa's OpenCL once had there */

uint32_t cc_arguments_begin(const struct og_target *target) { return target->os == OG_OS_NONE ? OLD_HEADER : 0; }

/* Inputs, each with the attribute that leaves it out. A resource and flat scratch are inputs only in mesa3d. */
static const struct {
  uint8_t field, value;
  const char *unless;
  bool only_mesa, only_in_sgprs;
} inputs[] = {{OG_KD_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER, 1, NULL, true, true},
              {OG_KD_ENABLE_SGPR_DISPATCH_PTR, 1, "amdgpu-no-dispatch-ptr", false, false},
              {OG_KD_ENABLE_SGPR_QUEUE_PTR, 1, "amdgpu-no-queue-ptr", false, false},
              {OG_KD_ENABLE_SGPR_DISPATCH_ID, 1, "amdgpu-no-dispatch-id", false, false},
              {OG_KD_ENABLE_SGPR_FLAT_SCRATCH_INIT, 1, "amdgpu-no-flat-scratch-init", true, true},
              {OG_KD_ENABLE_SGPR_WORKGROUP_ID_Y, 1, NULL, false, false},
              {OG_KD_ENABLE_SGPR_WORKGROUP_ID_Z, 1, NULL, false, false},
              {OG_KD_ENABLE_VGPR_WORKITEM_ID, 2, "amdgpu-no-workitem-id-z", false, false},
              {OG_KD_ENABLE_VGPR_WORKITEM_ID, 1, "amdgpu-no-workitem-id-y", false, false}};

void cc_want_for_system(struct cc_function *c) {
  bool mesa = c->target->os == OG_OS_MESA3D, architected = c->isa->gfx940 || c->isa->gfx11;
  for (unsigned k = 0; k < OG_COUNT(inputs); k++) {
    uint64_t now = og_kd_get(c->target, c->descriptor, (enum og_kd_field)inputs[k].field);
    if ((inputs[k].only_mesa && !mesa) || (inputs[k].only_in_sgprs && architected) ||
        (inputs[k].unless && cc_is_marked(c, inputs[k].unless)) || now >= inputs[k].value ||
        (inputs[k].field == OG_KD_ENABLE_SGPR_FLAT_SCRATCH_INIT && c->isa->generation < OG_GFX7))
      continue;
    og_kd_set(c->target, c->descriptor, (enum og_kd_field)inputs[k].field, inputs[k].value);
  }
  if (c->scratch && !mesa && !architected) /* the driver knows where it is; LLVM loads that by its tables */
    cc_refuse(c, "private memory of %s without HSA or mesa3d", c->target->processor->name);
}

/* On HSA the packet processor finds out what LDS the launch takes; here this register says it. */
static uint32_t with_lds(const struct cc_function *c, uint32_t rsrc2) {
  uint32_t granule = c->isa->generation < OG_GFX7 ? 256 : 512;
  return rsrc2 | (uint32_t)(og_align_up(c->lds_size, granule) / granule) << 15;
}

static void set(uint8_t *kernel_code, const char *key, uint64_t value) {
  const struct og_kernel_code_field *field = og_find_kernel_code_field(og_text(key));
  if (field)
    og_kernel_code_set(kernel_code, field, value);
}

void cc_system_header(struct cc_object *o, const struct cc_function *c, const uint8_t *descriptor) {
  if (o->target->os != OG_OS_MESA3D)
    return;
  enum { SHARED_PROPERTIES = 0x7ff };
  uint8_t code[OG_KERNEL_CODE_SIZE] = {0};
  og_kernel_code_defaults(o->target, code);
  og_store32(code + OG_KD_WORD_RSRC1, og_load32(descriptor + OG_KD_WORD_RSRC1));
  og_store32(code + OG_KD_WORD_RSRC2, with_lds(c, og_load32(descriptor + OG_KD_WORD_RSRC2)));
  uint32_t properties = og_load32(code + OG_KD_WORD_PROPERTIES) & ~(uint32_t)SHARED_PROPERTIES;
  og_store32(code + OG_KD_WORD_PROPERTIES,
             properties | (og_load32(descriptor + OG_KD_WORD_PROPERTIES) & SHARED_PROPERTIES));
  set(code, "private_element_size", 1), set(code, "is_ptr64", 1); /* counted in dwords */
  set(code, "is_dynamic_callstack", c->dynamic_stack);
  set(code, "is_xnack_enabled", o->target->xnack == OG_ON || o->target->xnack == OG_ANY);
  set(code, "workitem_private_segment_byte_size", c->scratch_total);
  set(code, "workgroup_group_segment_byte_size", c->lds_size);
  set(code, "kernarg_segment_byte_size", c->kernarg_size);
  set(code, "wavefront_sgpr_count", c->sgprs + og_extra_sgprs(c->target, true, c->scratch_total > 0, false));
  set(code, "workitem_vgpr_count", cc_vector_registers(c));
  og_buffer_append(&o->text, code, sizeof code);
}

/* ---- .AMDGPU.config ---------------------------------------------------------------------------------------------- */

static void put_config(struct cc_object *o, const struct cc_function *c, uint32_t rsrc1, uint32_t rsrc2) {
  enum { SCRATCH_GRANULE = 1024, SCRATCH_GRANULE_GFX11 = 256, WAVESIZE_BIT = 12 };
  uint32_t granule = c->isa->gfx11 ? SCRATCH_GRANULE_GFX11 : SCRATCH_GRANULE;
  uint64_t wave = og_align_up((uint64_t)c->scratch_total * c->target->wave_size, granule) / granule;
  const uint32_t pairs[] = {RSRC1,         rsrc1,
                            RSRC2,         rsrc2,
                            TMPRING_SIZE,  (uint32_t)wave << WAVESIZE_BIT,
                            SPILLED_SGPRS, c->sgprs_spilled,
                            SPILLED_VGPRS, c->vgprs_spilled};
  for (unsigned k = 0; k < OG_COUNT(pairs); k++)
    og_buffer_u32(&o->config, pairs[k]);
}

/* ---- PAL --------------------------------------------------------------------------------------------------------- */

static struct og_node *put(struct cc_object *o, struct og_node *map, const char *key, enum og_node_kind kind) {
  struct og_node *n = og_node_add(o->arena, map, key);
  n->kind = kind;
  return n;
}

static void put_register(struct cc_object *o, struct og_node *map, uint32_t number, uint32_t value) {
  put(o, map, "", OG_NODE_UINT)->unsigned_integer = value;
  struct og_node *key = &map->items[2 * (map->count - 1)];
  key->kind = OG_NODE_UINT, key->unsigned_integer = number;
}

/* A pipeline of one kernel. If there are several, the last is named, and registers have the bits of all, as LLVM has
 * it. */
static void put_pipeline(struct cc_object *o, const struct cc_function *c, uint32_t rsrc1, uint32_t rsrc2) {
  struct og_text name = c->m->names.items[c->global->name];
  struct og_node pipeline = {.kind = OG_NODE_MAP};
  struct og_node *stages = put(o, &pipeline, ".hardware_stages", OG_NODE_MAP);
  struct og_node *cs = put(o, stages, ".cs", OG_NODE_MAP);
  put(o, cs, ".entry_point", OG_NODE_STRING)->text = OG_TEXT("_amdgpu_cs_main");
  put(o, cs, ".entry_point_symbol", OG_NODE_STRING)->text =
      (struct og_text){og_arena_copy(o->arena, name.data, name.size), name.size};
  put(o, cs, ".scratch_memory_size", OG_NODE_UINT)->unsigned_integer = c->scratch_total;
  put(o, cs, ".sgpr_count", OG_NODE_UINT)->unsigned_integer =
      c->sgprs + og_extra_sgprs(c->target, true, c->scratch_total > 0, false);
  put(o, cs, ".vgpr_count", OG_NODE_UINT)->unsigned_integer = cc_vector_registers(c);
  o->pal_rsrc[0] |= rsrc1, o->pal_rsrc[1] |= rsrc2;
  struct og_node *registers = put(o, &pipeline, ".registers", OG_NODE_MAP);
  put_register(o, registers, PAL_RSRC1, o->pal_rsrc[0]), put_register(o, registers, PAL_RSRC2, o->pal_rsrc[1]);
  o->nodes.count = 0;
  *OG_PUSH(o->arena, &o->nodes) = pipeline;
}

void cc_system_kernel(struct cc_object *o, const struct cc_function *c, const uint8_t *descriptor) {
  uint32_t rsrc1 = og_load32(descriptor + OG_KD_WORD_RSRC1),
           rsrc2 = with_lds(c, og_load32(descriptor + OG_KD_WORD_RSRC2));
  if (o->target->os == OG_OS_AMDPAL)
    put_pipeline(o, c, rsrc1, rsrc2);
  else
    put_config(o, c, rsrc1, rsrc2);
}

void cc_system_end(struct cc_object *o) {
  struct og_buffer id = {0};
  og_target_print_id(o->target, o->version, &id);
  og_note_append(&o->notes, "AMD", OG_NT_AMD_HSA_ISA_NAME, id.data, id.size);
  og_buffer_free(&id);
  if (o->target->os == OG_OS_AMDPAL) {
    struct og_node root = {.kind = OG_NODE_MAP};
    struct og_node *pipelines = put(o, &root, "amdpal.pipelines", OG_NODE_LIST);
    pipelines->items = o->nodes.items, pipelines->count = o->nodes.count;
    og_metadata_append(&root, o->version, &o->notes);
  }
  if (o->config.size) {
    uint32_t section = og_object_add_section(o->elf, ".AMDGPU.config", SHT_PROGBITS, 0, 1);
    o->elf->sections.items[section].data = o->config.data, o->elf->sections.items[section].size = o->config.size;
  }
}
