/* launch.c - initial registers of a wave: kernel descriptor or amd_kernel_code_t, packet and place in the grid to
 * SGPRs, VGPRs, EXEC and MODE. AMDGPU usage, "Initial Kernel Execution State"; old ABI, "Initial kernel register
 * state": both agree, except where work-group and work-item ids go on newer processors. */
#include "exec/launch.h"
#include "exec/barrier.h"
#include "exec/gws.h"
#include "exec/memory.h"
#include "exec/trap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  HWREG_HW_ID = 4,
  HWREG_GPR_ALLOC = 5,
  HWREG_LDS_ALLOC = 6,
  HWREG_SH_MEM_BASES = 15,
  HWREG_SCRATCH_BASE = 20, /* and 21 */
  HWREG_HW_ID1 = 23,
  HWREG_IB_STS2 = 28,
};

static bool OG_PRINTF(2, 3) refuse(struct og_fault *fault, const char *format, ...) {
  va_list args;
  va_start(args, format);
  *fault = (struct og_fault){.kind = OG_FAULT_PACKET};
  vsnprintf(fault->what, sizeof fault->what, format, args);
  va_end(args);
  return false;
}

/* ---- what the dispatch asks for ---------------------------------------------------------------------------------- */

static bool check_grid(struct og_launch *launch, struct og_fault *fault) {
  const struct og_dispatch *dispatch = launch->dispatch;
  uint64_t items = 1;
  launch->group_count = 1;
  for (int i = 0; i < 3; i++) {
    if (dispatch->grid[i] == 0 || dispatch->group[i] == 0)
      return refuse(fault, "%s size in dimension %d is 0", dispatch->grid[i] == 0 ? "grid" : "work-group", i);
    launch->groups[i] = (uint32_t)(((uint64_t)dispatch->grid[i] + dispatch->group[i] - 1) / dispatch->group[i]);
    launch->last_extent[i] = (dispatch->grid[i] - 1) % dispatch->group[i] + 1;
    if (items <= OG_WORKGROUP_MAX)
      items *= dispatch->group[i];
    if (launch->group_count <= UINT32_MAX)
      launch->group_count *= launch->groups[i];
  }
  if (items > OG_WORKGROUP_MAX)
    return refuse(fault, "work-group of %ux%ux%u work-items; at most %d are possible", dispatch->group[0],
                  dispatch->group[1], dispatch->group[2], OG_WORKGROUP_MAX);
  if (launch->group_count > UINT32_MAX)
    return refuse(fault, "grid of %ux%ux%u work-groups; at most 2^32 - 1 are possible", launch->groups[0],
                  launch->groups[1], launch->groups[2]);
  launch->waves_per_group = (uint32_t)((items + launch->wave_size - 1) / launch->wave_size);
  return true;
}

/* Clusters are whole: "CDNA5" ISA, 2.3. */
static bool check_clusters(struct og_launch *launch, const struct og_target *target, struct og_fault *fault) {
  const uint32_t *cluster = launch->dispatch->cluster, *groups = launch->groups;
  uint64_t count = 1;
  for (int i = 0; i < 3; i++) {
    launch->cluster[i] = OG_MAX(cluster[i], 1u);
    if (count <= OG_CLUSTER_MAX)
      count *= launch->cluster[i];
  }
  launch->cluster_groups = (uint32_t)count;
  if (count == 1)
    return true;
  if (target->processor->generation < OG_GFX1250)
    return refuse(fault, "clusters of %ux%ux%u work-groups; %s has none", cluster[0], cluster[1], cluster[2],
                  target->processor->name);
  if (count > OG_CLUSTER_MAX)
    return refuse(fault, "clusters of %ux%ux%u work-groups; at most %d are possible", cluster[0], cluster[1],
                  cluster[2], OG_CLUSTER_MAX);
  for (int i = 0; i < 3; i++)
    if (groups[i] % launch->cluster[i])
      return refuse(fault, "grid of %ux%ux%u work-groups; clusters of %ux%ux%u do not fill it", groups[0], groups[1],
                    groups[2], launch->cluster[0], launch->cluster[1], launch->cluster[2]);
  return true;
}

static bool check_sizes(struct og_launch *launch, const struct og_target *target, struct og_fault *fault) {
  const struct og_dispatch *dispatch = launch->dispatch;
  const struct og_processor *processor = target->processor;
  if (dispatch->group_bytes > processor->lds_bytes)
    return refuse(fault, "%u bytes of LDS wanted; %s has %u for a work-group", dispatch->group_bytes, processor->name,
                  processor->lds_bytes);
  launch->lds_bytes = og_allocated_lds(target, dispatch->group_bytes); /* what a work-group gets and may reach */
  launch->lds_alloc = launch->lds_bytes / processor->lds_granule << 12;
  launch->wave_scratch = og_allocated_scratch(target, launch->wave_size, dispatch->private_bytes);
  if (launch->wave_scratch > og_scratch_max(target))
    return refuse(fault, "%u bytes of scratch for each work-item wanted; %s has at most %" PRIu64,
                  dispatch->private_bytes, processor->name, og_scratch_max(target) / launch->wave_size);
  return true;
}

static bool check_entry(struct og_launch *launch, struct og_fault *fault) {
  const struct og_dispatch *dispatch = launch->dispatch;
  unsigned skip = dispatch->start.entry_skip;
  launch->entry = og_program_at(dispatch->program, dispatch->entry + skip);
  if (launch->entry == NULL && skip)
    return refuse(fault,
                  "kernel entry 0x%" PRIx64 ": a kernel with preloaded arguments starts %u bytes behind it, which "
                  "is outside the code object's code",
                  dispatch->entry, skip);
  return launch->entry != NULL ||
         refuse(fault, "kernel entry 0x%" PRIx64 " is outside the code object's code", dispatch->entry);
}

/* Sizes in the descriptor's granules, less one: of VGPRs in 13:8, of SGPRs, where they are counted, in 27:24. */
static uint32_t gpr_alloc(const struct og_target *target, const struct og_initial_state *start) {
  uint32_t sgpr_granule = target->processor->sgprs_counted_by;
  return (start->vgprs_total / og_vgprs_counted_by(target, start->wave_size) - 1) << 8 |
         (sgpr_granule ? start->sgprs / sgpr_granule - 1 : 0) << 24;
}

static bool check_waves(const struct og_launch *launch, const struct og_processor *processor, struct og_fault *fault) {
  unsigned size = launch->wave_size;
  return (size == 32 ? processor->wave32 : processor->wave64) ||
         refuse(fault, "the kernel wants waves of %u lanes; %s has only waves of %u", size, processor->name, 96 - size);
}

bool og_launch_check(struct og_launch *launch, const struct og_dispatch *dispatch, struct og_fault *fault) {
  const struct og_target *target = &dispatch->program->target;
  const struct og_initial_state *start = &dispatch->start;
  *launch = (struct og_launch){.dispatch = dispatch, .start = start, .wave_size = start->wave_size};
  launch->architected_scratch = og_where_holds(target, OG_WHERE_ALL | OG_WHERE_ARCHITECTED_SCRATCH);
  launch->mode = start->mode;
  if (target->processor->generation >= OG_GFX12) /* which clamps so always */
    launch->mode |= OG_MODE_DX10_CLAMP;
  launch->vgprs = OG_MIN(start->vgprs + start->shared_vgprs, (unsigned)OG_VGPRS);
  launch->agprs = OG_MIN(start->agprs, 256u);
  launch->gpr_alloc = gpr_alloc(target, start);
  return check_waves(launch, target->processor, fault) && check_entry(launch, fault) && check_grid(launch, fault) &&
         check_clusters(launch, target, fault) && check_sizes(launch, target, fault);
}

/* ---- user SGPRs -------------------------------------------------------------------------------------------------- */

/* A user SGPR; those beyond the processor's limit are not set. */
static void user32(struct og_launch *launch, unsigned reg, uint32_t value) {
  if (reg < OG_MIN(OG_COUNT(launch->user), launch->dispatch->program->target.processor->user_sgprs_max))
    launch->user[reg] = value;
}

static void user64(struct og_launch *launch, unsigned reg, uint64_t value) {
  user32(launch, reg, (uint32_t)value);
  user32(launch, reg + 1, (uint32_t)(value >> 32));
}

/* The V# of scratch: swizzled by dwords, lane by lane. Word 3 is laid out anew on gfx10 and gfx11. */
static void private_segment_buffer(struct og_launch *launch, unsigned reg, enum og_generation generation) {
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
  user32(launch, reg, (uint32_t)base);
  user32(launch, reg + 1, word1);
  user32(launch, reg + 2, UINT32_MAX);
  user32(launch, reg + 3, word3);
}

/* Up to gfx8 the offset from the hidden base, where our scratch starts, and bytes per lane; then an address. */
static uint64_t flat_scratch_init(const struct og_launch *launch, enum og_generation generation) {
  if (generation < OG_GFX900)
    return og_align_up(launch->dispatch->private_bytes, 4) << 32;
  return (uint64_t)(uintptr_t)launch->scratch;
}

static void preload(struct og_launch *launch, const struct og_input_place *place) {
  const uint8_t *arguments = (const uint8_t *)(uintptr_t)launch->dispatch->kernarg + launch->start->preload_offset;
  for (unsigned i = 0; i < place->count; i++)
    user32(launch, place->reg + i, og_load32(arguments + 4 * i));
}

/* The value of an input of one or two registers, equal for all waves. */
static uint64_t user_input(const struct og_launch *launch, enum og_wave_input input, enum og_generation generation) {
  const struct og_dispatch *dispatch = launch->dispatch;
  switch (input) {
  case OG_INPUT_DISPATCH_PTR: return dispatch->packet;
  case OG_INPUT_QUEUE_PTR: return dispatch->queue;
  case OG_INPUT_KERNARG_SEGMENT_PTR: return dispatch->kernarg;
  case OG_INPUT_DISPATCH_ID: return dispatch->id;
  case OG_INPUT_FLAT_SCRATCH_INIT: return flat_scratch_init(launch, generation);
  case OG_INPUT_PRIVATE_SEGMENT_SIZE: return og_align_up(dispatch->private_bytes, 4);
  case OG_INPUT_GRID_WORKGROUP_COUNT_X: return launch->groups[0];
  case OG_INPUT_GRID_WORKGROUP_COUNT_Y: return launch->groups[1];
  case OG_INPUT_GRID_WORKGROUP_COUNT_Z: return launch->groups[2];
  default: return 0;
  }
}

static void fill_scalars(const struct og_launch *launch, enum og_generation generation, struct og_wave *common) {
  memcpy(common->s, launch->user, OG_MIN(launch->start->user_sgprs, OG_COUNT(launch->user)) * sizeof launch->user[0]);
  /* No limit yet: compilers set M0 for DS, and not for flat instructions. */
  common->s[OG_S_M0] = generation < OG_GFX900 ? UINT32_MAX : 0;
  og_set_s64(common, OG_S_SHARED_BASE, (uint64_t)OG_SHARED_APERTURE << 32);
  og_set_s64(common, OG_S_SHARED_LIMIT, (uint64_t)OG_SHARED_APERTURE << 32 | UINT32_MAX);
  og_set_s64(common, OG_S_PRIVATE_BASE, (uint64_t)OG_PRIVATE_APERTURE << 32);
  og_set_s64(common, OG_S_PRIVATE_LIMIT, (uint64_t)OG_PRIVATE_APERTURE << 32 | UINT32_MAX);
}

/* The wave's own part of scratch, and FLAT_SCRATCH where the hardware sets it up. */
static void scratch_of(const struct og_launch *launch, struct og_wave *wave, uint64_t offset) {
  wave->scratch = launch->wave_scratch > 0 ? launch->scratch + offset : NULL;
  if (launch->architected_scratch)
    og_set_s64(wave, OG_S_FLAT_SCRATCH, (uint64_t)(uintptr_t)wave->scratch);
  if (launch->architected_scratch && launch->dispatch->program->target.processor->generation >= OG_GFX11)
    og_store64(&wave->hwreg[HWREG_SCRATCH_BASE], (uint64_t)(uintptr_t)wave->scratch);
  og_set_s64(wave, OG_S_FLAT_SCRATCH_BASE, og_flat_scratch_base(wave));
}

/* The head of each wave, before anything of its own is told. */
static void fill_common(const struct og_launch *launch, enum og_generation generation, struct og_wave *common) {
  memset(common, 0, offsetof(struct og_wave, v));
  fill_scalars(launch, generation, common);
  common->program = launch->dispatch->program;
  common->resume = launch->entry;
  common->state = OG_WAVE_READY;
  common->mode = launch->mode;
  og_mode_written(common);
  common->wave_size = launch->wave_size;
  og_set_s64(common, OG_S_EXEC, launch->wave_size == 64 ? ~0ull : UINT32_MAX);
  og_exec_changed(common);
  common->lds_size = launch->lds_bytes;
  common->scratch_size = (uint32_t)og_align_up(launch->dispatch->private_bytes, 4);
  scratch_of(launch, common, 0);
  common->hidden_private_base = (uint64_t)(uintptr_t)launch->scratch;
  common->lds_limited = generation < OG_GFX900 ? UINT32_MAX : 0;
  common->verdict = OG_GO_ON;
  bool shares = og_launch_shares_vgprs(launch);
  common->shared_first = shares ? launch->start->vgprs : 0;
  common->shared_end = shares ? (uint16_t)launch->vgprs : 0;
  common->hwreg[HWREG_GPR_ALLOC] = launch->gpr_alloc;
  common->hwreg[HWREG_LDS_ALLOC] = launch->lds_alloc;
  if (generation < OG_GFX12)
    common->hwreg[HWREG_SH_MEM_BASES] = OG_PRIVATE_APERTURE >> 16 | (OG_SHARED_APERTURE >> 16 << 16);
}

/* Where the kernel gets inputs that each wave has of its own. */
static void find_own_inputs(struct og_launch *launch) {
  static const uint8_t inputs[OG_COUNT(launch->own)] = {
      OG_INPUT_WORKGROUP_ID_X, OG_INPUT_WORKGROUP_ID_Y, OG_INPUT_WORKGROUP_ID_Z, OG_INPUT_CLUSTER,
      OG_INPUT_WORKGROUP_INFO, OG_INPUT_SCRATCH_WAVE_OFFSET, OG_INPUT_WAVE_ID};
  launch->own_count = 0;
  for (size_t i = 0; i < OG_COUNT(inputs); i++) {
    const struct og_input_place *place = &launch->start->inputs[inputs[i]];
    if (place->file == OG_FILE_NONE)
      continue;
    unsigned first = place->file == OG_FILE_TTMP ? OG_S_TTMP : OG_S_SGPR;
    uint32_t mask = place->bits == 32 ? ~0u : ((1u << place->bits) - 1) << place->bit;
    launch->own[launch->own_count++] =
        (struct og_own_input){inputs[i], place->bit, (uint16_t)(first + place->reg), mask};
  }
}

static void count_up(uint32_t *to, uint32_t first, uint32_t count) {
  typedef uint32_t four __attribute__((vector_size(16)));
  enum { STEP = 16 };
  four next = (four){0, 1, 2, 3} + first;
  for (; count >= STEP; to += STEP, first += STEP, count -= STEP)
    for (uint32_t i = 0; i < STEP; i += 4, next += 4)
      memcpy(to + i, &next, sizeof next);
  for (uint32_t i = 0; i < count; i++)
    to[i] = first + i;
}

void og_launch_numbers(struct og_wave *common) {
  for (uint32_t i = 0; i < OG_WORKGROUP_MAX / OG_LANES; i++)
    count_up(common->v[i], i * OG_LANES, OG_LANES);
}

/* ---- work-items' ids --------------------------------------------------------------------------------------------- */

/* Of lanes that stand in one row of the group. */
static void ids_of_row(uint32_t *to_x, uint32_t *to_y, uint32_t *to_z, const uint32_t first[3], uint32_t lanes) {
  count_up(to_x, first[0], lanes);
  for (uint32_t lane = 0; to_y != NULL && lane < lanes; lane++)
    to_y[lane] |= first[1];
  for (uint32_t lane = 0; to_z != NULL && lane < lanes; lane++)
    to_z[lane] |= first[2];
}

/* From work-item `first` of a group of that extent on; VGPRs are clear. */
static void work_item_ids(const struct og_launch *launch, const uint32_t extent[3], uint32_t (*v)[OG_LANES],
                          uint32_t first, uint32_t lanes) {
  struct og_input_place at_y = launch->start->inputs[OG_INPUT_WORKITEM_ID_Y],
                        at_z = launch->start->inputs[OG_INPUT_WORKITEM_ID_Z];
  uint32_t *to_y = at_y.file != OG_FILE_NONE ? v[at_y.reg] : NULL;
  uint32_t *to_z = at_z.file != OG_FILE_NONE ? v[at_z.reg] : NULL;
  uint32_t nx = extent[0], ny = extent[1];
  uint32_t x = first, y = 0, z = 0;
  if (x >= nx) /* most often not: dividing is slow */
    y = x / nx, x %= nx;
  if (y >= ny)
    z = y / ny, y %= ny;
  for (uint32_t lane = 0, count; lane < lanes; lane += count) {
    count = OG_MIN(nx - x, lanes - lane);
    ids_of_row(v[0] + lane, to_y != NULL ? to_y + lane : NULL, to_z != NULL ? to_z + lane : NULL,
               (const uint32_t[]){x, y << at_y.bit, z << at_z.bit}, count);
    x = 0;
    if (++y == ny) {
      y = 0;
      z++;
    }
  }
}

/* How many lanes a wave of a work-group of so many items has. */
static uint32_t lanes_of_wave(const struct og_launch *launch, uint32_t items, uint32_t id) {
  return OG_MIN(items - id * launch->wave_size, (uint32_t)launch->wave_size);
}

/* Rows of *common that follow the numbers: the VGPRs with ids of each wave of a whole work-group. */
enum { IDS_AT = OG_WORKGROUP_MAX / OG_LANES };

/* Groups of several rows: what their waves find is always the same, and made but once. */
static void make_ids(struct og_launch *launch, struct og_wave *common) {
  const uint32_t *extent = launch->dispatch->group;
  const struct og_input_place *at = launch->start->inputs;
  uint32_t items = extent[0] * extent[1] * extent[2], rows = 1;
  launch->id_rows = 0;
  if (launch->group_count == 1 || (items == extent[0] && launch->wave_size == OG_LANES))
    return;
  for (int i = OG_INPUT_WORKITEM_ID_Y; i <= OG_INPUT_WORKITEM_ID_Z; i++)
    rows = at[i].file != OG_FILE_NONE ? OG_MAX(rows, at[i].reg + 1u) : rows;
  if (IDS_AT + rows * launch->waves_per_group > OG_VGPRS)
    return;
  launch->id_rows = rows;
  memset(common->v[IDS_AT], 0, (size_t)rows * launch->waves_per_group * sizeof common->v[0]);
  for (uint32_t id = 0; id < launch->waves_per_group; id++)
    work_item_ids(launch, extent, common->v + IDS_AT + id * rows, id * launch->wave_size,
                  lanes_of_wave(launch, items, id));
}

void og_launch_registers(struct og_launch *launch, struct og_wave *common) {
  enum og_generation generation = launch->dispatch->program->target.processor->generation;
  for (int i = 0; i <= OG_INPUT_KERNARG_PRELOAD; i++) {
    const struct og_input_place *place = &launch->start->inputs[i];
    if (place->file == OG_FILE_NONE)
      continue;
    if (i == OG_INPUT_PRIVATE_SEGMENT_BUFFER)
      private_segment_buffer(launch, place->reg, generation);
    else if (i == OG_INPUT_KERNARG_PRELOAD)
      preload(launch, place);
    else if (place->count == 2)
      user64(launch, place->reg, user_input(launch, (enum og_wave_input)i, generation));
    else
      user32(launch, place->reg, (uint32_t)user_input(launch, (enum og_wave_input)i, generation));
  }
  fill_common(launch, generation, common);
  find_own_inputs(launch);
  make_ids(launch, common);
  launch->common = common;
}

/* ---- a wave's memory --------------------------------------------------------------------------------------------- */

/* The library's functions for them: compilers put REP STOS and REP MOVS in place of fixed sizes, which are slow to
 * start. For size 0 the library makes a masked store, which takes 200 ns if the page was never touched. */
static inline void clear(uint32_t *to, size_t count) {
  if (count > 0)
    memset(to, 0, count * sizeof *to);
}
static inline void copy_head(struct og_wave *to, const struct og_wave *from) {
  size_t size = offsetof(struct og_wave, fault);
  __asm__("" : "+r"(size)); /* it is always the same, which the compiler is not to know */
  memcpy(to, from, size);
}

/* ---- groups and waves -------------------------------------------------------------------------------------------- */

/* The index-th of a grid, x fastest: to one place or two. */
static void coordinates(uint64_t index, const uint32_t size[3], uint32_t to[3], uint32_t also_to[3]) {
  uint32_t x = (uint32_t)index, y = 0, z = 0;
  if (index >= size[0]) { /* most often not, and dividing is slow */
    x = (uint32_t)(index % size[0]);
    y = (uint32_t)(index / size[0] % size[1]);
    z = (uint32_t)(index / size[0] / size[1]);
  }
  to[0] = also_to[0] = x;
  to[1] = also_to[1] = y;
  to[2] = also_to[2] = z;
}

static void place_group(const struct og_launch *launch, struct og_group *group, uint64_t index, uint32_t flat) {
  const uint32_t *groups = launch->groups;
  uint32_t clusters[3];
  for (int i = 0; i < 3; i++)
    clusters[i] = groups[i] / launch->cluster[i];
  coordinates(flat, launch->cluster, group->place, group->place);
  coordinates(index, clusters, group->told, group->told);
  for (int i = 0; i < 3; i++)
    group->id[i] = group->told[i] * launch->cluster[i] + group->place[i];
  group->index = (uint32_t)(((uint64_t)group->id[2] * groups[1] + group->id[1]) * groups[0] + group->id[0]);
}

void og_launch_group(const struct og_launch *launch, struct og_group *group, uint64_t index, uint32_t flat) {
  group->flat = flat;
  group->index = (uint32_t)index;
  if (launch->cluster_groups > 1) {
    place_group(launch, group, index, flat);
  } else {
    coordinates(index, launch->groups, group->id, group->told);
    memset(group->place, 0, sizeof group->place);
  }
  group->items = 1;
  for (int i = 0; i < 3; i++) {
    bool last = group->id[i] == launch->groups[i] - 1;
    group->extent[i] = last ? launch->last_extent[i] : launch->dispatch->group[i];
    group->items *= group->extent[i];
  }
  group->wave_count = (group->items + launch->wave_size - 1) / launch->wave_size;
  group->live = group->wave_count;
  group->rounds = 0;
  group->apart = 0;
  group->apart_next = 1;
  og_barriers_start(group, launch->start->named_barriers);
}

/* Which wave is the first, its number, and how many there are: each generation has its own of these. */
static uint32_t group_info(const struct og_launch *launch, const struct og_group *group, const struct og_wave *wave) {
  enum og_generation generation = launch->dispatch->program->target.processor->generation;
  bool numbered =
      generation == OG_GFX942 || generation == OG_GFX950 || (generation >= OG_GFX11 && generation < OG_GFX12);
  uint32_t first = wave->id == 0 && generation < OG_GFX12;
  uint32_t order = group->launched & ((1u << OG_ORDER_BITS) - 1);
  return first << 31 | (numbered ? wave->id << 20 : 0) | order << 6 | group->wave_count;
}

/* TTMP6: where the work-group stands in its cluster, then how many there are less one, of x, y and z; of all ("CDNA5"
 * ISA, 2.3.1). Waves outside clusters find 0. */
static uint32_t place_in_cluster(const struct og_launch *launch, const struct og_group *group) {
  const uint32_t *at = group->place, *size = launch->cluster;
  return at[0] | at[1] << 4 | at[2] << 8 | (size[0] - 1) << 12 | (size[1] - 1) << 16 | (size[2] - 1) << 20 |
         (launch->cluster_groups - 1) << 24;
}

static uint32_t own_input(const struct og_launch *launch, const struct og_group *group, const struct og_wave *wave,
                          enum og_wave_input input, uint64_t scratch_offset) {
  switch (input) {
  case OG_INPUT_CLUSTER: return place_in_cluster(launch, group);
  case OG_INPUT_WORKGROUP_INFO: return group_info(launch, group, wave);
  case OG_INPUT_SCRATCH_WAVE_OFFSET: return (uint32_t)scratch_offset;
  case OG_INPUT_WAVE_ID: return wave->id;
  default: return group->told[input - OG_INPUT_WORKGROUP_ID_X];
  }
}

static void own_inputs(const struct og_launch *launch, const struct og_group *group, struct og_wave *wave,
                       uint64_t scratch_offset) {
  for (uint32_t i = 0; i < launch->own_count; i++) {
    const struct og_own_input *own = &launch->own[i];
    uint32_t value = own_input(launch, group, wave, (enum og_wave_input)own->input, scratch_offset);
    wave->s[own->scalar] = (wave->s[own->scalar] & ~own->mask) | (value << own->bit & own->mask);
  }
}

static bool is_whole(const struct og_launch *launch, const struct og_group *group) {
  const uint32_t *whole = launch->dispatch->group;
  return group->extent[0] == whole[0] && group->extent[1] == whole[1] && group->extent[2] == whole[2];
}

/* VGPRs are clear but for the ids; lanes without a work-item are not active. */
static void start_lanes(const struct og_launch *launch, const struct og_group *group, struct og_wave *wave) {
  const uint32_t first = wave->id * launch->wave_size;
  const uint32_t lanes = lanes_of_wave(launch, group->items, wave->id);
  bool row = first + lanes <= group->extent[0] && lanes == OG_LANES; /* all of v0 is written anyway */
  uint32_t made = row ? 1 : launch->id_rows && is_whole(launch, group) ? launch->id_rows : 0, vgprs = launch->vgprs;
  clear(wave->v[made], (OG_MAX(vgprs, OG_MAX(made, 1u)) - made) * OG_LANES);
  clear(wave->v[256], launch->agprs * OG_LANES);
  if (made)
    memcpy(wave->v, launch->common->v[row ? wave->id : IDS_AT + wave->id * made], made * sizeof wave->v[0]);
  else
    work_item_ids(launch, group->extent, wave->v, first, lanes);
  if (lanes == launch->wave_size)
    return;
  og_set_s64(wave, OG_S_EXEC, (1ull << lanes) - 1);
  og_exec_changed(wave);
}

/* HW_ID, from gfx10 on HW_ID1: wave slot, SIMD, compute unit (in work-group processors of two), shader engine. The
 * units that the dispatch may use are filled one after the other; consecutive ones are of different engines, as drivers
 * have it. */
static void put_place(const struct og_launch *launch, uint64_t place, struct og_wave *wave) {
  enum { ENGINES = 4, SIMDS = 4, WGP_SIMDS = 2 };
  uint64_t units = launch->dispatch->units ? launch->dispatch->units : ~0ull;
  unsigned skip = place ? (unsigned)(place % (unsigned)__builtin_popcountll(units)) : 0;
  for (; skip; skip--)
    units &= units - 1;
  uint32_t unit = (uint32_t)__builtin_ctzll(units), engine = unit % ENGINES, within = unit / ENGINES;
  if (launch->dispatch->program->target.processor->major < 10)
    wave->hwreg[HWREG_HW_ID] = wave->id / SIMDS % 16 | wave->id % SIMDS << 4 | within << 8 | engine << 13;
  else
    wave->hwreg[HWREG_HW_ID1] = wave->id / WGP_SIMDS % 32 | (within % 2 * WGP_SIMDS + wave->id % WGP_SIMDS) << 8 |
                                within / 2 << 10 | engine << 18;
}

/* IB_STS2: the cluster's number among those that are there, from 1 on; the work-group's in it. */
static uint32_t cluster_status(const struct og_launch *launch, const struct og_group *group) {
  enum { CLUSTER_IDS = 15 };
  const uint32_t *groups = launch->groups, *size = launch->cluster, *at = group->told;
  if (launch->cluster_groups == 1)
    return 0;
  uint32_t number = at[0] + groups[0] / size[0] * (at[1] + groups[1] / size[1] * at[2]);
  return (number % CLUSTER_IDS + 1) << 6 | group->flat << 21;
}

bool og_launch_shares_vgprs(const struct og_launch *launch) {
  return launch->start->shared_vgprs && launch->wave_size == 64;
}

void og_launch_wave(const struct og_launch *launch, const struct og_group *group, uint32_t id, uint64_t place,
                    struct og_wave *wave) {
  uint64_t scratch_offset = (place * launch->waves_per_group + id) * launch->wave_scratch;
  copy_head(wave, launch->common);
  wave->id = id;
  own_inputs(launch, group, wave, scratch_offset);
  if (launch->wave_scratch > 0)
    scratch_of(launch, wave, scratch_offset);
  start_lanes(launch, group, wave);
  put_place(launch, place, wave);
  wave->hwreg[HWREG_IB_STS2] = cluster_status(launch, group);
  if (launch->dispatch->handler != NULL)
    og_trap_start(wave, launch->dispatch);
}
