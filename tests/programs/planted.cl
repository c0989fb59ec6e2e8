// Kernels with one mistake each. Above each: the checkers that have to find it, the optimisation levels, grid and group,
// then arguments. `fine`: nothing is to be said. `numbers` and `fine:numbers` are run with --only=numbers.

// races,uninit 0,2 256 256 buf:1024
kernel void lds_without_barrier(global int *out) {
  local int shared[256];
  uint i = get_local_id(0);
  shared[i] = i;
  out[i] = shared[255 - i];
}

// races 0,2 256 256 buf:1024 buf:4096
kernel void lds_overwritten_too_soon(global int *out, global const int *in) {
  local int tile[256];
  uint i = get_local_id(0);
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    tile[i] = in[k * 256 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[255 - i];
  }
  out[i] = sum;
}

// races 0,2 256 256 buf:1024
kernel void lds_cleared_late(global int *out) {
  local int bins[16];
  uint i = get_local_id(0);
  if (i >= 64 && i < 80)
    bins[i - 64] = 0;
  atomic_add(&bins[i % 16], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = bins[i % 16];
}

// races 0,2 256 256 buf:1024
kernel void reduction_without_barrier(global int *out) {
  local int sums[256];
  uint i = get_local_id(0);
  sums[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 128; step > 0; step /= 2)
    if (i < step)
      sums[i] += sums[i + step];
  if (i == 0)
    out[0] = sums[0];
}

// races 0,2 256 64 buf:4
kernel void groups_write_one_place(global int *out) {
  if (get_local_id(0) == 0)
    out[0] = get_group_id(0) + 1;
}

// races 0,2 256 64 buf:1028
kernel void in_place_between_groups(global int *data) {
  uint i = get_global_id(0);
  data[i] = data[i + 1] + 1;
}

// races 0,2 256 256 buf:1028
kernel void in_place_between_waves(global int *data) {
  uint i = get_global_id(0);
  data[i] = data[i + 1] + 1;
}

// races 0,2 192 64 buf:256 buf:4
kernel void one_lane_stores_what_stands_there(global int *out, global int *result) {
  uint i = get_local_id(0), group = get_group_id(0);
  if (group == 0 && i == 0)
    out[0] = 7;
  if (group == 1 && i < 2)
    out[i] = i ? 9 : 7;
  if (group == 2 && i == 0)
    result[0] = out[1];
}

// fine 0,2 192 64 buf:256
kernel void all_store_what_stands_there(global int *out) {
  if (get_local_id(0) < 8)
    out[get_local_id(0)] = 0x1234;
}

// races 0,2 256 64 buf:4 buf:4
kernel void counter_without_atomic(global int *count, global int *other) {
  if (get_local_id(0) == 0)
    count[0] = count[0] + 1;
}

// races 0,2 256 64 buf:1024 buf:4 buf:4
kernel void last_group_without_fence(global int *sums, global int *done, global int *out) {
  sums[get_global_id(0)] = get_global_id(0) + 1;
  if (get_local_id(0) == 0 && atomic_inc(done) == 3) {
    int all = 0;
    for (int i = 0; i < 4; i++)
      all += sums[i * 64];
    out[0] = all;
  }
}

// races 0,2 256 256 buf:256
kernel void bytes_of_another_wave(global uchar *out) {
  uint i = get_local_id(0);
  out[i] = i + 1;
  if (i % 64 == 63 && i < 255)
    out[i + 1] = i;
}

// fine 0,2 256 256 buf:257
kernel void bytes_beside_one_another(global uchar *out) {
  uint i = get_local_id(0);
  out[i + 1] = i + 1;
}

// fine 0,2 256 256 buf:1024
kernel void lds_with_barriers(global int *out) {
  local int tile[256];
  uint i = get_local_id(0);
  for (int k = 0; k < 4; k++) {
    tile[i] = i + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[255 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// fine 0,2 256 256 buf:1028
kernel void global_with_barriers(global int *data) {
  uint i = get_local_id(0);
  for (int k = 0; k < 3; k++) {
    int next = data[i + 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    data[i] = next + 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// fine 0,2 256 64 buf:64 buf:1024
kernel void histogram(global int *bins, global int *out) {
  local int mine[16];
  uint i = get_local_id(0);
  if (i < 16)
    mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&mine[i % 16], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16)
    atomic_add(&bins[i], mine[i]);
}

// uninit 0,2 64 64 buf:256
kernel void lds_never_written(global int *out) {
  local int shared[64];
  uint i = get_local_id(0);
  if (i < 32)
    shared[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = shared[i] + 1;
}

// uninit 0,2 64 64 buf:256
kernel void lds_edge(global int *out) {
  local int row[66];
  uint i = get_local_id(0);
  row[i + 1] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = row[i] + row[i + 1] + row[i + 2];
}

// uninit 0 64 64 buf:256 u32:3
kernel void branch_on_nothing(global int *out, uint limit) {
  int flag;
  uint i = get_local_id(0);
  if (limit > 5)
    flag = i;
  if (flag == 7)
    out[i] = 1;
}

// uninit 0 64 64 buf:256
kernel void one_bit_of_nothing(global int *out) {
  int bits;
  uint i = get_local_id(0);
  bits &= 4;
  if (bits)
    out[i] = 1;
}

// uninit 0 64 64 buf:256
kernel void index_of_nothing(global int *out) {
  int at;
  uint i = get_local_id(0);
  out[i + (at & 1)] = i;
}

// uninit 0 64 64 buf:256
kernel void sum_from_nothing(global int *out) {
  int sum;
  uint i = get_local_id(0);
  for (int k = 0; k < 4; k++)
    sum += k;
  out[i] = sum;
}

// uninit 0 64 64 buf:256
kernel void array_with_a_hole(global int *out) {
  int values[8];
  uint i = get_local_id(0);
  for (int k = 0; k < 8; k++)
    if (k != 3)
      values[k] = k;
  out[i] = values[i % 8];
}

// uninit 0 64 64 buf:256
kernel void some_lanes(global int *out) {
  int value;
  uint i = get_local_id(0);
  if (i < 40)
    value = i;
  out[i] = value;
}

// uninit 0 64 64 buf:256
kernel void byte_of_a_word(global int *out) {
  uchar4 bytes;
  uint i = get_local_id(0);
  bytes.x = i;
  bytes.y = i;
  bytes.w = 1;
  out[i] = as_uint(bytes);
}

// fine 0,2 64 64 buf:256
kernel void masked_away(global int *out) {
  uchar4 bytes;
  uint i = get_local_id(0);
  bytes.x = i;
  bytes.w = 1;
  out[i] = as_uint(bytes) & 0xff0000ff;
}

// fine 0,2 64 64 buf:256
kernel void chosen_away(global int *out) {
  int values[2];
  uint i = get_local_id(0);
  values[0] = i;
  int other = values[1];
  out[i] = i < 100 ? values[0] : other;
}

// fine 0,2 64 64 buf:256
kernel void copied_whole(global int *out) {
  struct { uchar kind; int value; } a, b;
  uint i = get_local_id(0);
  a.kind = 1;
  a.value = i;
  b = a;
  out[i] = b.value + b.kind;
}

// bounds 0,2 64 64 buf:252
kernel void one_behind(global int *out) { out[get_global_id(0)] = 1; }

// bounds 0,2 64 64 buf:256 buf:256
kernel void one_before(global int *out, global int *in) { out[get_global_id(0)] = in[(int)get_global_id(0) - 1]; }

// bounds 0,2 64 64 buf:8192 buf:4096
kernel void far_behind(global int *out, global int *in) { out[get_global_id(0)] = in[get_global_id(0) + 1024]; }

// bounds 0,2 64 64 buf:8192 buf:4096 u32:5000
kernel void farther_behind(global int *out, global int *in, int by) { out[get_global_id(0)] = in[get_global_id(0) + by]; }

// bounds 0,2 64 64 buf:256 lds:100
kernel void lds_behind(global int *out, local int *shared) {
  uint i = get_local_id(0);
  shared[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = shared[i];
}

// bounds 0,2 64 64 buf:256 lds:256 u32:40000
kernel void lds_far_behind(global int *out, local int *shared, uint by) {
  uint i = get_local_id(0);
  shared[i] = i;
  out[i] = shared[i + by];
}

// divergence 0,2 64 64 buf:256
kernel void barrier_of_some(global int *out) {
  uint i = get_local_id(0);
  out[i] = i;
  if (i < 40)
    barrier(CLK_GLOBAL_MEM_FENCE);
}

// The last work-group sums up what all have written.
// fine 0,2 1024 256 buf:4096 buf:4 buf:1024
kernel void last_group_sums(global int *parts, global int *count, global int *out) {
  local int last;
  uint i = get_local_id(0), g = get_group_id(0);
  parts[g * 256 + i] = g + i;
  __scoped_atomic_thread_fence(__ATOMIC_SEQ_CST, __MEMORY_SCOPE_DEVICE);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 0)
    last = __scoped_atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE) == get_num_groups(0) - 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (last) {
    int sum = 0;
    for (uint k = 0; k < get_num_groups(0); k++)
      sum += parts[k * 256 + 255 - i];
    out[i] = sum;
  }
}

// races 0,2 1024 256 buf:4096 buf:4 buf:1024
kernel void last_group_sums_before_a_barrier(global int *parts, global int *count, global int *out) {
  local int last;
  uint i = get_local_id(0), g = get_group_id(0);
  parts[g * 256 + i] = g + i;
  __scoped_atomic_thread_fence(__ATOMIC_SEQ_CST, __MEMORY_SCOPE_DEVICE);
  if (i == 0)
    last = __scoped_atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE) == get_num_groups(0) - 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (last) {
    int sum = 0;
    for (uint k = 0; k < get_num_groups(0); k++)
      sum += parts[k * 256 + 255 - i];
    out[i] = sum;
  }
}

// races 0,2 1024 256 buf:4096 buf:4 buf:1024
kernel void last_group_sums_what_it_has_in_cache(global int *parts, global int *count, global int *out) {
  local int last;
  uint i = get_local_id(0), g = get_group_id(0);
  parts[g * 256 + i] = g + i;
  __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 0)
    last = __scoped_atomic_fetch_add(count, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) == get_num_groups(0) - 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (last) {
    int sum = 0;
    for (uint k = 0; k < get_num_groups(0); k++)
      sum += parts[k * 256 + 255 - i];
    out[i] = sum;
  }
}

// divergence 0,2 64 64 buf:256
kernel void shuffle_from_lanes_that_are_off(global int *out) {
  int i = get_local_id(0);
  if (i < 20)
    out[i] = __builtin_amdgcn_ds_bpermute(4 * (i + 1), i);
}

// divergence 0,2 20 20 buf:256
kernel void shuffle_beyond_the_work_group(global int *out) {
  int i = get_local_id(0);
  out[i] = __builtin_amdgcn_ds_bpermute(4 * (i ^ 16), i);
}

// fine 0,2 64 64 buf:256
kernel void shuffle_within_lanes_that_are_on(global int *out) {
  int i = get_local_id(0);
  if (i < 20)
    out[i] = __builtin_amdgcn_ds_bpermute(4 * (19 - i), i);
}

// fine 0,2 64 64 buf:256
kernel void shuffle_whose_stray_values_are_dropped(global int *out) {
  int i = get_local_id(0);
  if (i < 20) {
    int next = __builtin_amdgcn_ds_bpermute(4 * (i + 1), i);
    out[i] = i < 19 ? next : -1;
  }
}

// divergence 0,2 64 64 buf:256
kernel void swizzle_from_lanes_that_are_off(global int *out) {
  int i = get_local_id(0);
  if (i & 1)
    out[i] = __builtin_amdgcn_ds_swizzle(i + 1, 0x041f); // lane ^ 1
}

// fine 0,2 64 64 buf:256
kernel void swizzle_within_lanes_that_are_on(global int *out) {
  int i = get_local_id(0);
  if (i & 1)
    out[i] = __builtin_amdgcn_ds_swizzle(i + 1, 0x081f); // lane ^ 2
}

// divergence 0,2 64 64 buf:256
kernel void dpp_from_lanes_that_are_off(global int *out) {
  int i = get_local_id(0);
  if (i & 1)
    out[i] = __builtin_amdgcn_update_dpp(0, i + 1, 0xb1, 0xf, 0xf, 1); // quad_perm:[1,0,3,2], 0 for lanes that are off
}

// fine 0,2 64 64 buf:256
kernel void dpp_within_lanes_that_are_on(global int *out) {
  int i = get_local_id(0);
  if (i & 1)
    out[i] = __builtin_amdgcn_update_dpp(0, i + 1, 0x4e, 0xf, 0xf, 1); // quad_perm:[2,3,0,1]
}

// fine 0,2 64 64 buf:256
kernel void dpp_that_says_what_it_yields_for_lanes_that_are_off(global int *out) {
  int i = get_local_id(0);
  if (i & 1)
    out[i] = __builtin_amdgcn_update_dpp(7, i + 1, 0xb1, 0xf, 0xf, 0);
}

// fine 2 64 64 buf:256
kernel void dpp_of_a_sum_that_zeros_do_not_change(global int *out) {
  int i = get_local_id(0), sum = i + 1;
  if (i & 1) {
    sum += __builtin_amdgcn_update_dpp(0, sum, 0xb1, 0xf, 0xf, 1);
    out[i] = sum;
  }
}

// divergence 2 64 64 buf:256
kernel void dpp_of_a_maximum_that_zeros_change(global int *out) {
  int i = get_local_id(0), most = -i - 1;
  if (i & 1) {
    most = max(most, __builtin_amdgcn_update_dpp(0, most, 0xb1, 0xf, 0xf, 1));
    out[i] = most;
  }
}

// fine 0,2 48 48 buf:256
kernel void dpp_beyond_the_work_group(global int *out) {
  int i = get_local_id(0), sum = i + 1;
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x101, 0xf, 0xf, 1);
  out[i] = sum;
}

// divergence 0,2 64 64 buf:256
kernel void readlane_of_what_other_lanes_computed(global int *out) {
  int i = get_local_id(0);
  if (i < 20) {
    int square = i * i;
    out[i] = __builtin_amdgcn_readlane(square, 30);
  }
}

// fine 0,2 64 64 buf:256
kernel void readlane_of_a_lane_that_is_on(global int *out) {
  int i = get_local_id(0);
  if (i < 20) {
    int square = i * i;
    out[i] = __builtin_amdgcn_readlane(square, 19);
  }
}

// fine 2 64 64 buf:256
kernel void readlane_of_what_was_computed_before(global int *out) {
  int i = get_local_id(0), square = i * i;
  __asm__ volatile("" : "+v"(square)); // not within the branch
  if (i < 20)
    out[i] = __builtin_amdgcn_readlane(square, 30);
}

// divergence 2 64 64 buf:256
kernel void readlane_of_a_lane_that_has_left_a_loop(global int *out) {
  int i = get_local_id(0), sum = i, last = 0;
  for (int k = 0; k <= i; k++) {
    sum += k * k;
    __asm__ volatile("" : "+v"(sum));
    last = __builtin_amdgcn_readlane(sum, 0);
  }
  out[i] = last;
}

// fine 0,2 64 64 buf:256
kernel void readlane_whose_stray_values_are_dropped(global int *out) {
  int i = get_local_id(0);
  if (i < 20) {
    int square = i * i, other = __builtin_amdgcn_readlane(square, 30);
    out[i] = __builtin_amdgcn_readlane(i, 0) ? other : square;
  }
}

// fine 2 64 64 buf:256
kernel void writelane_to_a_lane_that_is_off(global int *out) {
  int i = get_local_id(0);
  if (i < 20) {
    int square = i * i;
    __asm__ volatile("v_writelane_b32 %0, 7, 30" : "+v"(square));
    out[i] = __builtin_amdgcn_readlane(square, 30);
  }
}

/* Its caller keeps where to return to in lanes of a register that this one saves and restores, but for lanes that are off. */
__attribute__((noinline)) int overwrite_registers(int i) {
  __asm__ volatile("v_mov_b32 v40, %0\n v_mov_b32 v41, %0\n v_mov_b32 v42, %0"
                   :
                   : "v"(i)
                   : "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
                     "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "v32", "v33", "v34", "v35", "v36", "v37", "v38", "v39", "v40", "v41", "v42");
  return i + 1;
}
__attribute__((noinline)) int call_twice(int i) { return overwrite_registers(i) + overwrite_registers(2 * i); }

// fine 0,2 64 64 buf:256
kernel void scalars_that_stand_in_lanes_that_are_off(global int *out) {
  int i = get_local_id(0);
  if (i > 20)
    out[i] = call_twice(i);
}

__attribute__((noinline)) uint frame_of_its_own(int i) {
  volatile int a[4];
  a[i & 3] = i + 1;
  return (uint)(ulong)(private volatile int *)&a[i & 3];
}

// uninit 0 64 64 buf:256
kernel void reads_what_was_of_a_function_that_has_returned(global int *out) {
  int i = get_local_id(0);
  private volatile int *p = (private volatile int *)(ulong)frame_of_its_own(i);
  out[i] = *p;
}

// uninit 0 64 64 buf:256
kernel void reads_it_where_half_of_the_lanes_have_called(global int *out) {
  int i = get_local_id(0);
  if (i & 1) {
    private volatile int *p = (private volatile int *)(ulong)frame_of_its_own(i);
    out[i] = *p;
  }
}

__attribute__((noinline)) int sum_of(private volatile int *a, int n) {
  volatile int own[4] = {n, n, n, n};
  uint other = frame_of_its_own(n);
  return a[n & 3] + own[n & 3] + (other == 0);
}

// fine 0,2 64 64 buf:256
kernel void gives_its_frame_to_functions(global int *out) {
  int i = get_local_id(0);
  volatile int a[4] = {i, i + 1, i + 2, i + 3};
  int sum = 0;
  for (int k = 0; k < 4; k++)
    sum += sum_of(a, i + k);
  out[i] = sum + a[i & 3];
}

// bounds 0,2 64 64 buf:256 i32:100000
kernel void private_memory_behind_its_end(global int *out, int n) {
  volatile int a[4] = {1, 2, 3, 4};
  out[get_local_id(0)] = a[n + get_local_id(0)];
}

// bounds 0,2 64 64 buf:256 lds:256 lds:256
kernel void lds_object_behind_its_end(global int *out, local int *a, local int *b) {
  int i = get_local_id(0);
  a[i] = i;
  b[i] = 2 * i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[i + 1] + b[i];
}

// bounds 0,2 64 64 buf:256 lds:256 lds:256
kernel void lds_object_before_its_begin(global int *out, local int *a, local int *b) {
  int i = get_local_id(0);
  a[i] = i;
  b[i - 1] = 2 * i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[i];
}

// bounds 0,2 64 64 buf:256 lds:256
kernel void lds_object_behind_what_the_kernel_declares(global int *out, local int *a) {
  local int own[64];
  int i = get_local_id(0);
  a[i] = i;
  own[i + 1] = 2 * i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[i] + (i ? own[i] : 0);
}

// fine 0,2 64 64 buf:256 lds:256 lds:512
kernel void lds_objects_to_their_ends(global int *out, local int *a, local long *b) {
  local int own[64];
  int i = get_local_id(0);
  a[i] = i;
  b[63 - i] = 2 * i;
  own[i] = 3 * i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[63 - i] + (int)b[i] + own[63 - i];
}

// bounds 2 64 64 buf:256
kernel void arguments_behind_their_end(global int *out) {
  constant int *arguments = (constant int *)__builtin_amdgcn_kernarg_segment_ptr();
  out[get_local_id(0)] = arguments[100];
}

// bounds 2 64 64 buf:256 i32:1
kernel void arguments_behind_their_end_by_lane(global int *out, int step) {
  constant int *arguments = (constant int *)__builtin_amdgcn_kernarg_segment_ptr();
  out[get_local_id(0)] = arguments[get_local_id(0) < 48 ? 0 : get_local_id(0) / 16 * step];
}

// bounds 2 64 64 buf:256 i32:1
kernel void arguments_behind_their_end_by_a_byte(global char *out, int step) {
  constant char *arguments = (constant char *)__builtin_amdgcn_kernarg_segment_ptr();
  out[get_local_id(0)] = arguments[(get_local_id(0) > 60 ? 12 : 11) * step];
}

// bounds 2 64 64 buf:256 i32:1000
kernel void arguments_far_behind_their_end(global int *out, int step) {
  constant int *arguments = (constant int *)__builtin_amdgcn_kernarg_segment_ptr();
  out[get_local_id(0)] = arguments[get_local_id(0) * step];
}

// fine 2 64 64 buf:256 i32:1
kernel void arguments_to_their_end_by_lane(global int *out, int step) {
  constant int *arguments = (constant int *)__builtin_amdgcn_kernarg_segment_ptr();
  out[get_local_id(0)] = arguments[get_local_id(0) % 3 * step];
}

// fine 2 64 64 buf:256 i32:7
kernel void arguments_by_pointer(global int *out, int value) {
  constant int *arguments = (constant int *)__builtin_amdgcn_kernarg_segment_ptr();
  out[get_local_id(0)] = arguments[2] - value;
}

// numbers 0,2 64 64 buf:256 f32:0
kernel void nan_of_zeros(global float *out, float zero) {
  out[get_global_id(0)] = zero / zero + get_global_id(0);
}

// numbers 0,2 64 64 buf:256 f32:0
kernel void infinity_of_a_division(global float *out, float zero) {
  float x = get_global_id(0) == 7 ? zero : 2.0f;
  out[get_global_id(0)] = 1 / x * 3;
}

// numbers 0,2 64 64 buf:256 f32:3e30
kernel void infinity_of_a_product(global float *out, float large) {
  local float kept[64];
  kept[get_local_id(0)] = large * large;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = kept[63 - get_local_id(0)] + 1;
}

// numbers 0,2 64 64 buf:512 f64:1e300
kernel void infinity_of_doubles(global double *out, double large) {
  out[get_global_id(0)] = large * large * (get_global_id(0) + 1);
}

// numbers 0,2 64 64 buf:128 f32:70000
kernel void half_overflows(global half *out, float large) {
  vstore_half(large + get_global_id(0), get_global_id(0), out);
}

// numbers 0,2 64 64 buf:256 f32:3e9
kernel void conversion_out_of_range(global int *out, float large) {
  out[get_global_id(0)] = (int)(large + get_global_id(0));
}

// numbers 0,2 64 64 buf:256 f32:-1.5
kernel void conversion_below_zero(global uint *out, float value) {
  out[get_global_id(0)] = (uint)(value - get_global_id(0));
}

// numbers 0,2 64 64 buf:256 f32:1.5e-38
kernel void denormal_is_flushed(global float *out, float small) {
  float half_of_it;
  __asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n v_mul_f32 %0, 0.5, %1" : "=v"(half_of_it) : "v"(small));
  out[get_global_id(0)] = half_of_it;
}

// numbers 0,2 64 64 buf:256 f32:1e-39
kernel void denormal_source_is_flushed(global float *out, float small) {
  float larger;
  __asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n v_mul_f32 %0, 4.0, %1" : "=v"(larger) : "v"(small));
  out[get_global_id(0)] = larger;
}

// fine:numbers 0,2 64 64 buf:256 f32:1.5e-38
kernel void denormal_is_kept(global float *out, float small) {
  float half_of_it;
  __asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n v_mul_f32 %0, 0.5, %1" : "=v"(half_of_it) : "v"(small));
  out[get_global_id(0)] = half_of_it;
}

// fine:numbers 0,2 64 64 buf:256 f32:0
kernel void zero_is_no_denormal(global float *out, float zero) {
  float half_of_it;
  __asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n v_mul_f32 %0, 0.5, %1" : "=v"(half_of_it) : "v"(zero));
  out[get_global_id(0)] = half_of_it;
}

// fine:numbers 0,2 64 64 buf:256 buf:256 f32:3
kernel void numbers_that_are_fine(global float *out, global int *integers, float three) {
  uint i = get_global_id(0);
  out[i] = sqrt((float)i) / three + exp(-three) * native_recip(three) + fmin(three, INFINITY) + log(three);
  integers[i] = (int)(three * 1000) + convert_int_sat(three * 2);
}

// fine:numbers 0,2 64 64 buf:256 f32:3e30 f32:0
kernel void infinity_that_nobody_sees(global float *out, float large, float zero) {
  float x = large * large;
  out[get_global_id(0)] = x > 1e38f ? 1.0f : x;
}

// fine:numbers 0,2 64 64 buf:256
kernel void infinity_on_purpose(global float *out) {
  out[get_global_id(0)] = get_global_id(0) > 3 ? INFINITY : 1.0f;
}
