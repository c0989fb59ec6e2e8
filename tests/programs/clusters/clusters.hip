/* Kernels for clusters of work-groups, of one wave or several: compiled for clusters of 2x2x1 and of 4 and, where the size is
 * found at run time, of any. */
#define KERNEL extern "C" __attribute__((global)) void
#define CLUSTERS(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define SHARED __attribute__((shared))
typedef unsigned u32;
typedef int v4 __attribute__((ext_vector_type(4)));
typedef int v8 __attribute__((ext_vector_type(8)));
#define GROUP(d) __builtin_amdgcn_workgroup_id_##d()
#define ITEM __builtin_amdgcn_workitem_id_x()

/* Where each work-group finds itself. */
static __attribute__((device)) void tell(u32 *out, u32 width, u32 height) {
  u32 *at = out + 16 * (GROUP(x) + width * (GROUP(y) + height * GROUP(z)));
  const u32 values[16] = {
      GROUP(x), GROUP(y), GROUP(z), __builtin_amdgcn_cluster_id_x(), __builtin_amdgcn_cluster_id_y(),
      __builtin_amdgcn_cluster_id_z(), __builtin_amdgcn_cluster_workgroup_id_x(), __builtin_amdgcn_cluster_workgroup_id_y(),
      __builtin_amdgcn_cluster_workgroup_id_z(), __builtin_amdgcn_cluster_workgroup_flat_id(),
      __builtin_amdgcn_cluster_workgroup_max_id_x(), __builtin_amdgcn_cluster_workgroup_max_id_y(),
      __builtin_amdgcn_cluster_workgroup_max_id_z(), __builtin_amdgcn_cluster_workgroup_max_flat_id(), 0, 0};
  if (ITEM == 0)
    for (u32 i = 0; i < 16; i++)
      at[i] = values[i];
}
KERNEL CLUSTERS(2, 2, 1) places_fixed(u32 *out, u32 width, u32 height) { tell(out, width, height); }
KERNEL places(u32 *out, u32 width, u32 height) { tell(out, width, height); }

/* A value goes round the work-groups of a cluster, one step with each barrier. */
KERNEL ring(u32 *out, u32 *cells, u32 steps) {
  u32 count = __builtin_amdgcn_cluster_workgroup_max_flat_id() + 1, flat = __builtin_amdgcn_cluster_workgroup_flat_id();
  u32 size = __builtin_amdgcn_workgroup_size_x(), first = GROUP(x) - flat, item = ITEM;
  u32 mine = GROUP(x) * size + item, value = 7 * mine + 1;
  for (u32 step = 0; step < steps; step++) {
    cells[mine] = value;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    __builtin_amdgcn_s_cluster_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    value = 3 * cells[(first + (flat + 1) % count) * size + item] + value;
    __builtin_amdgcn_s_cluster_barrier();
  }
  out[mine] = value;
}

/* The same, once, where nobody waits: a race. */
KERNEL torn(u32 *out, u32 *cells, u32 steps) {
  u32 count = __builtin_amdgcn_cluster_workgroup_max_flat_id() + 1, flat = __builtin_amdgcn_cluster_workgroup_flat_id();
  u32 size = __builtin_amdgcn_workgroup_size_x(), first = GROUP(x) - flat, item = ITEM;
  u32 mine = GROUP(x) * size + item;
  cells[mine] = 7 * mine + steps;
  out[mine] = cells[(first + (flat + 1) % count) * size + item];
}

/* All work-groups of a cluster ask for the same tile, which each then finds in its LDS. */
KERNEL CLUSTERS(4, 1, 1) tile(u32 *out, const int *in) {
  static SHARED int lds[128];
  u32 item = ITEM, flat = __builtin_amdgcn_cluster_workgroup_flat_id();
  const int *from = in + 128 * (GROUP(x) / 4) + 4 * item;
  __builtin_amdgcn_cluster_load_async_to_lds_b128((v4 __attribute__((address_space(1))) *)from, (v4 __attribute__((address_space(3))) *)&lds[4 * item], 0, 0, 15);
  __builtin_amdgcn_s_wait_asynccnt(0);
  __builtin_amdgcn_s_barrier();
  int direct = __builtin_amdgcn_cluster_load_b32((int __attribute__((address_space(1))) *)(in + 128 * (GROUP(x) / 4) + item), 0, 1 << flat);
  out[GROUP(x) * 32 + item] = (u32)(lds[127 - item] + 1000 * direct);
}

/* A tensor's tile of 8x4 for the two work-groups of a cluster, which both ask for it. */
KERNEL CLUSTERS(2, 1, 1) tensor(u32 *out, const int *in) {
  static SHARED int lds[64];
  u32 item = ITEM;
  unsigned long from = (unsigned long)(in + 16 * (GROUP(x) / 2));
  u32 base = (u32)(unsigned long)(__attribute__((address_space(3))) int *)lds;
  v4 g0 = {1, (int)base, (int)(u32)from, (int)(u32)(from >> 32 | 2u << 30)};
  v8 g1 = {3 | 2 << 16, 16 << 16, 64 << 16, 8 << 16, 4, 16, 0, 0};
  v4 none = {0, 0, 0, 0};
  __builtin_amdgcn_tensor_load_to_lds_d2(g0, g1, 0);
  __builtin_amdgcn_s_wait_tensorcnt(0);
  __builtin_amdgcn_s_barrier();
  out[GROUP(x) * 32 + item] = (u32)lds[item];
}
