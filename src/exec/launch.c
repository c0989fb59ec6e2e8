/* launch.c - initial registers of a wave: kernel descriptor or amd_kernel_code_t, packet and place in the grid to
 * SGPRs, VGPRs, EXEC and MODE. AMDGPU usage, "Initial Kernel Execution State"; old ABI, "Initial kernel register
 * state": both say the same but for where work-group and work-item ids go on newer processors. */
#include "exec/launch.h"
#include "exec/memory.h"

#include "exec/float_control.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  HWREG_GPR_ALLOC = 5,
  HWREG_LDS_ALLOC = 6,
  HWREG_SH_MEM_BASES = 15,
  MAX_GROUP_ITEMS = 1024,
};

static bool OG_PRINTF(2, 3) refuse(struct og_fault *fault, const char *format, ...) {
  va_list args;
  va_start(args, format);
  *fault = (struct og_fault){0};
  vsnprintf(fault->what, sizeof fault->what, format, args);
  va_end(args);
  return false;
}

static bool has(const struct og_target *target, const char *feature) {
  return og_has_feature(&target->features, og_find_feature(og_text(feature)));
}

/* ---- what the dispatch asks for ---------------------------------------------------------------------------------- */

/* COMPUTE_TMPRING_SIZE.WAVESIZE: the largest scratch of a wave that the hardware can express. */
static uint64_t max_wave_scratch(enum og_generation generation) {
  if (generation >= OG_GFX12)
    return ((1u << 18) - 1) * 256ull;
  if (generation >= OG_GFX11)
    return ((1u << 15) - 1) * 256ull;
  return ((1u << 13) - 1) * 1024ull;
}

static void count_vgprs(struct og_launch *launch, const struct og_target *target) {
  const struct og_processor *processor = target->processor;
  uint32_t granule = 4;
  if (processor->unified_vgprs || (processor->generation >= OG_GFX10_1 && launch->wave_size == 32))
    granule = 8;
  uint32_t blocks = (launch->dispatch->rsrc1 & 0x3f) + 1;
  launch->vgprs = OG_MIN(blocks * granule, 512u);
  launch->agprs = 0;
  if (processor->unified_vgprs) { /* ACCUM_OFFSET parts them */
    uint32_t arch = OG_MIN(((launch->dispatch->rsrc3 & 0x3f) + 1) * 4, launch->vgprs);
    launch->agprs = launch->vgprs - arch;
    launch->vgprs = arch;
  } else if (processor->agprs_max > 0) {
    launch->agprs = launch->vgprs;
  }
  launch->vgprs = OG_MIN(launch->vgprs, 256u);
  launch->agprs = OG_MIN(launch->agprs, 256u);
}

static bool check_grid(struct og_launch *launch, struct og_fault *fault) {
  const struct og_dispatch *dispatch = launch->dispatch;
  uint64_t items = 1;
  launch->group_count = 1;
  for (int i = 0; i < 3; i++) {
    if (dispatch->grid[i] == 0 || dispatch->group[i] == 0)
      return refuse(fault, "%s size in dimension %d is 0", dispatch->grid[i] == 0 ? "grid" : "work-group", i);
    launch->groups[i] = (uint32_t)(((uint64_t)dispatch->grid[i] + dispatch->group[i] - 1) / dispatch->group[i]);
    if (items <= MAX_GROUP_ITEMS)
      items *= dispatch->group[i];
    if (launch->group_count <= UINT32_MAX)
      launch->group_count *= launch->groups[i];
  }
  if (items > MAX_GROUP_ITEMS)
    return refuse(fault, "work-group of %ux%ux%u work-items; at most %d are possible", dispatch->group[0],
                  dispatch->group[1], dispatch->group[2], MAX_GROUP_ITEMS);
  if (launch->group_count > UINT32_MAX)
    return refuse(fault, "grid of %ux%ux%u work-groups; at most 2^32 - 1 are possible", launch->groups[0],
                  launch->groups[1], launch->groups[2]);
  launch->waves_per_group = (uint32_t)((items + launch->wave_size - 1) / launch->wave_size);
  return true;
}

static bool check_sizes(struct og_launch *launch, const struct og_target *target, struct og_fault *fault) {
  const struct og_dispatch *dispatch = launch->dispatch;
  const struct og_processor *processor = target->processor;
  if (dispatch->group_bytes > processor->lds_bytes)
    return refuse(fault, "%u bytes of LDS wanted; %s has %u for a work-group", dispatch->group_bytes, processor->name,
                  processor->lds_bytes);
  uint32_t granules = (dispatch->group_bytes + processor->lds_granule - 1) / processor->lds_granule;
  launch->lds_bytes = granules * processor->lds_granule; /* what a work-group gets and may reach */
  uint64_t lane_bytes = og_align_up(dispatch->private_bytes, 4);
  launch->wave_scratch = og_align_up(lane_bytes * launch->wave_size, 1024);
  if (launch->wave_scratch > max_wave_scratch(processor->generation))
    return refuse(fault, "%u bytes of scratch for each work-item wanted; %s has at most %" PRIu64,
                  dispatch->private_bytes, processor->name,
                  max_wave_scratch(processor->generation) / launch->wave_size);
  return true;
}

/* MODE[7:0] is FLOAT_MODE; DX10_CLAMP, IEEE and FP16_OVFL have their places (gfx12 gave up the first two). */
static uint32_t initial_mode(uint32_t rsrc1, enum og_generation generation) {
  uint32_t mode = rsrc1 >> 12 & 0xff;
  if (generation >= OG_GFX12)
    mode |= OG_MODE_DX10_CLAMP;
  else
    mode |= (rsrc1 >> 21 & 1 ? OG_MODE_DX10_CLAMP : 0) | (rsrc1 >> 23 & 1 ? OG_MODE_IEEE : 0);
  if (generation >= OG_GFX900 && rsrc1 >> 26 & 1)
    mode |= 1u << 23;
  return mode;
}

bool og_launch_check(struct og_launch *launch, const struct og_dispatch *dispatch, struct og_fault *fault) {
  const struct og_target *target = &dispatch->program->target;
  enum og_generation generation = target->processor->generation;
  *launch = (struct og_launch){.dispatch = dispatch};
  launch->wave_size = target->wave_size;
  launch->packed_ids = has(target, "packed-tid");
  launch->architected_scratch = has(target, "architected-flat-scratch");
  launch->architected_sgprs = has(target, "architected-sgprs");
  launch->mode = initial_mode(dispatch->rsrc1, generation);
  launch->entry = og_program_at(dispatch->program, dispatch->entry);
  if (launch->entry == NULL)
    return refuse(fault, "kernel entry 0x%" PRIx64 " is outside the code object's code", dispatch->entry);
  count_vgprs(launch, target);
  return check_grid(launch, fault) && check_sizes(launch, target, fault);
}

/* ---- user SGPRs -------------------------------------------------------------------------------------------------- */

static void user32(struct og_launch *launch, uint32_t value) {
  if (launch->user_count < OG_COUNT(launch->user))
    launch->user[launch->user_count++] = value;
}

static void user64(struct og_launch *launch, uint64_t value) {
  user32(launch, (uint32_t)value);
  user32(launch, (uint32_t)(value >> 32));
}

/* The V# of scratch: swizzled by dwords, lane by lane. Word 3 is laid out anew on gfx10 and gfx11. */
static void private_segment_buffer(struct og_launch *launch, enum og_generation generation) {
  uint64_t base = (uint64_t)(uintptr_t)launch->scratch;
  uint32_t word1 = (uint32_t)(base >> 32) & 0xffff;
  uint32_t word3 = (launch->wave_size == 64 ? 3u : 2u) << 21 | 1u << 23 | 4 | 5 << 3 | 6 << 6 | 7 << 9;
  word1 |= generation >= OG_GFX11 ? 1u << 30 : 1u << 31;
  if (generation >= OG_GFX10_1)
    word3 |= 20u << 12 | 2u << 28; /* FORMAT 32_UINT, OOB_SELECT no check */
  else
    word3 |= 4u << 12 | (generation < OG_GFX900 ? 1u << 19 : 0); /* UINT; ELEMENT_SIZE 4 bytes */
  if (generation >= OG_GFX10_1 && generation < OG_GFX11)
    word3 |= 1u << 24; /* RESOURCE_LEVEL */
  user32(launch, (uint32_t)base);
  user32(launch, word1);
  user32(launch, UINT32_MAX);
  user32(launch, word3);
}

static void flat_scratch_init(struct og_launch *launch, enum og_generation generation) {
  if (generation < OG_GFX900) { /* offset from the hidden base, which is where our scratch starts; bytes per lane */
    user32(launch, 0);
    user32(launch, (uint32_t)og_align_up(launch->dispatch->private_bytes, 4));
  } else {
    user64(launch, (uint64_t)(uintptr_t)launch->scratch);
  }
}

/* Kernel arguments that the descriptor wants in SGPRs. */
static void preload(struct og_launch *launch) {
  uint32_t length = launch->dispatch->kernarg_preload & 0x7f, offset = launch->dispatch->kernarg_preload >> 7 & 0x1ff;
  for (uint32_t i = 0; i < length; i++) {
    uint32_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)(launch->dispatch->kernarg + 4ull * (offset + i)), sizeof value);
    user32(launch, value);
  }
}

void og_launch_registers(struct og_launch *launch) {
  const struct og_dispatch *dispatch = launch->dispatch;
  const struct og_target *target = &dispatch->program->target;
  enum og_generation generation = target->processor->generation;
  uint32_t wanted = dispatch->properties;
  if (wanted & OG_KERNEL_PRIVATE_SEGMENT_BUFFER)
    private_segment_buffer(launch, generation);
  if (wanted & OG_KERNEL_DISPATCH_PTR)
    user64(launch, dispatch->packet);
  if (wanted & OG_KERNEL_QUEUE_PTR)
    user64(launch, dispatch->queue);
  if (wanted & OG_KERNEL_KERNARG_SEGMENT_PTR)
    user64(launch, dispatch->kernarg);
  if (wanted & OG_KERNEL_DISPATCH_ID)
    user64(launch, dispatch->id);
  if (wanted & OG_KERNEL_FLAT_SCRATCH_INIT)
    flat_scratch_init(launch, generation);
  if (wanted & OG_KERNEL_PRIVATE_SEGMENT_SIZE)
    user32(launch, (uint32_t)og_align_up(dispatch->private_bytes, 4));
  if (wanted & OG_KERNEL_GRID_WORKGROUP_COUNT_X)
    user32(launch, launch->groups[0]);
  if (wanted & OG_KERNEL_GRID_WORKGROUP_COUNT_Y && launch->user_count < 16)
    user32(launch, launch->groups[1]);
  if (wanted & OG_KERNEL_GRID_WORKGROUP_COUNT_Z && launch->user_count < 16)
    user32(launch, launch->groups[2]);
  if (has(target, "kernarg-preload"))
    preload(launch);
  launch->user_count = dispatch->rsrc2 >> 1 & 0x1f; /* the hardware's count says where the system SGPRs begin */
}

/* ---- groups and waves -------------------------------------------------------------------------------------------- */

/* The group's extent, less than asked for at the grid's edge. */
static uint32_t extent(const struct og_launch *launch, const struct og_group *group, int dimension) {
  uint64_t start = (uint64_t)group->id[dimension] * launch->dispatch->group[dimension];
  uint64_t left = launch->dispatch->grid[dimension] - start;
  return (uint32_t)OG_MIN(left, launch->dispatch->group[dimension]);
}

void og_launch_group(const struct og_launch *launch, struct og_group *group, uint64_t index) {
  group->index = (uint32_t)index;
  group->id[0] = (uint32_t)(index % launch->groups[0]);
  group->id[1] = (uint32_t)(index / launch->groups[0] % launch->groups[1]);
  group->id[2] = (uint32_t)(index / launch->groups[0] / launch->groups[1]);
  uint32_t items = extent(launch, group, 0) * extent(launch, group, 1) * extent(launch, group, 2);
  group->wave_count = (items + launch->wave_size - 1) / launch->wave_size;
  group->live = group->wave_count;
  group->rounds = 0;
}

static void system_sgprs(const struct og_launch *launch, const struct og_group *group, struct og_wave *wave,
                         uint64_t scratch_offset) {
  uint32_t rsrc2 = launch->dispatch->rsrc2, at = launch->user_count;
  if (launch->architected_sgprs) {
    wave->s[OG_S_TTMP + 9] = group->id[0];
    wave->s[OG_S_TTMP + 7] = (group->id[1] & 0xffff) | group->id[2] << 16;
    wave->s[OG_S_TTMP + 8] = wave->id << 25;
  } else {
    for (int i = 0; i < 3; i++)
      if (rsrc2 >> (7 + i) & 1)
        wave->s[at++] = group->id[i];
    if (rsrc2 >> 10 & 1)
      wave->s[at++] = (wave->id == 0 ? 1u << 31 : 0) | group->wave_count;
  }
  if (rsrc2 & 1 && !launch->architected_scratch)
    wave->s[at++] = (uint32_t)scratch_offset;
}

static void work_item_ids(const struct og_launch *launch, const struct og_group *group, struct og_wave *wave) {
  uint32_t wanted = launch->dispatch->rsrc2 >> 11 & 3; /* how many beyond X */
  uint32_t nx = extent(launch, group, 0), ny = extent(launch, group, 1);
  uint32_t items = nx * ny * extent(launch, group, 2), first = wave->id * launch->wave_size;
  uint32_t x = first % nx, y = first / nx % ny, z = first / nx / ny;
  for (uint32_t lane = 0; lane < launch->wave_size && first + lane < items; lane++) {
    if (launch->packed_ids) {
      wave->v[0][lane] = x | y << 10 | z << 20;
    } else {
      wave->v[0][lane] = x;
      if (wanted > 0)
        wave->v[1][lane] = y;
      if (wanted > 1)
        wave->v[2][lane] = z;
    }
    if (++x == nx) {
      x = 0;
      if (++y == ny) {
        y = 0;
        z++;
      }
    }
  }
  uint32_t lanes = OG_MIN(items - first, (uint32_t)launch->wave_size);
  og_set_s64(wave, OG_S_EXEC, lanes == 64 ? ~0ull : (1ull << lanes) - 1);
  og_exec_changed(wave);
}

static void hardware_registers(const struct og_launch *launch, struct og_wave *wave) {
  memset(wave->hwreg, 0, sizeof wave->hwreg);
  wave->hwreg[HWREG_GPR_ALLOC] = ((launch->dispatch->rsrc1 & 0x3f) << 8) | (launch->dispatch->rsrc1 >> 6 & 0xf) << 24;
  wave->hwreg[HWREG_LDS_ALLOC] = (wave->lds_size + 511) / 512 << 12;
  wave->hwreg[HWREG_SH_MEM_BASES] = OG_PRIVATE_APERTURE >> 16 | (OG_SHARED_APERTURE >> 16 << 16);
}

/* The wave's own part of scratch, and FLAT_SCRATCH where the hardware sets it up. */
static void scratch_of(const struct og_launch *launch, struct og_wave *wave, uint64_t offset) {
  wave->scratch_size = (uint32_t)og_align_up(launch->dispatch->private_bytes, 4);
  wave->scratch = launch->wave_scratch > 0 ? launch->scratch + offset : NULL;
  if (launch->architected_scratch)
    og_set_s64(wave, OG_S_FLAT_SCRATCH, (uint64_t)(uintptr_t)wave->scratch);
  og_set_s64(wave, OG_S_FLAT_SCRATCH_BASE, og_flat_scratch_base(wave));
}

void og_launch_wave(const struct og_launch *launch, const struct og_group *group, uint32_t id, uint64_t slot,
                    struct og_wave *wave) {
  uint64_t scratch_offset = slot * launch->wave_scratch;
  memset(wave->s, 0, sizeof wave->s);
  memset(wave->v, 0, launch->vgprs * sizeof wave->v[0]);
  memset(wave->v[256], 0, launch->agprs * sizeof wave->v[0]);
  wave->program = launch->dispatch->program;
  wave->hidden_private_base = (uint64_t)(uintptr_t)launch->scratch;
  wave->lds_limited = launch->dispatch->program->target.processor->generation < OG_GFX900 ? UINT32_MAX : 0;
  wave->resume = launch->entry;
  wave->state = OG_WAVE_READY;
  wave->wave_size = launch->wave_size;
  wave->id = id;
  wave->mode = launch->mode;
  uint32_t host = og_get_float_control();
  og_mode_changed(wave);
  og_set_float_control(host);
  memcpy(wave->s, launch->user, launch->user_count * sizeof wave->s[0]);
  system_sgprs(launch, group, wave, scratch_offset);
  og_set_s64(wave, OG_S_SHARED_BASE, (uint64_t)OG_SHARED_APERTURE << 32);
  og_set_s64(wave, OG_S_SHARED_LIMIT, (uint64_t)OG_SHARED_APERTURE << 32 | UINT32_MAX);
  og_set_s64(wave, OG_S_PRIVATE_BASE, (uint64_t)OG_PRIVATE_APERTURE << 32);
  og_set_s64(wave, OG_S_PRIVATE_LIMIT, (uint64_t)OG_PRIVATE_APERTURE << 32 | UINT32_MAX);
  scratch_of(launch, wave, scratch_offset);
  work_item_ids(launch, group, wave);
  hardware_registers(launch, wave);
}
