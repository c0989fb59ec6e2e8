// Reductions and scans through LDS and barriers.
#pragma OPENCL FP_CONTRACT OFF

/* run: reduce_sum grid=1024 group=256
   arg: in f32 1024 uniform -1 1
   arg: out f32 4
   arg: lds 1024 */
kernel void reduce_sum(global const float *in, global float *out, local float *partial) {
  uint i = get_local_id(0);
  partial[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (i < half_size)
      partial[i] += partial[i + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0)
    out[get_group_id(0)] = partial[0];
}

/* run: reduce_minmax grid=512 group=128
   arg: in i32 512 bits
   arg: out i32 8 */
kernel void reduce_minmax(global const int *in, global int *out) {
  local int least[128], most[128];
  uint i = get_local_id(0);
  least[i] = most[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 128; step *= 2) {
    if (i % (2 * step) == 0) {
      least[i] = min(least[i], least[i + step]);
      most[i] = max(most[i], most[i + step]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) {
    out[2 * get_group_id(0)] = least[0];
    out[2 * get_group_id(0) + 1] = most[0];
  }
}

/* run: scan_inclusive grid=512 group=256
   arg: in u32 512 bits
   arg: out u32 512 */
kernel void scan_inclusive(global const uint *in, global uint *out) {
  local uint sums[2][256];
  uint i = get_local_id(0), now = 0;
  sums[0][i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 256; step *= 2, now ^= 1) {
    sums[now ^ 1][i] = sums[now][i] + (i >= step ? sums[now][i - step] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sums[now][i];
}

/* run: scan_blelloch grid=128 group=128
   arg: in i32 256 uniform -1000 1000
   arg: out i32 256 */
kernel void scan_blelloch(global const int *in, global int *out) {
  local int tree[256];
  uint i = get_local_id(0), stride = 1;
  tree[2 * i] = in[2 * i];
  tree[2 * i + 1] = in[2 * i + 1];
  for (uint count = 128; count > 0; count /= 2, stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count)
      tree[stride * (2 * i + 2) - 1] += tree[stride * (2 * i + 1) - 1];
  }
  if (i == 0)
    tree[255] = 0;
  for (uint count = 1; count < 256; count *= 2) {
    stride /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count) {
      uint left = stride * (2 * i + 1) - 1, right = stride * (2 * i + 2) - 1;
      int kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * i] = tree[2 * i];
  out[2 * i + 1] = tree[2 * i + 1];
}

/* run: dot_product grid=256 group=64
   arg: in f64 256 uniform -1 1
   arg: in f64 256 uniform -1 1
   arg: out f64 4 */
kernel void dot_product(global const double *a, global const double *b, global double *out) {
  local double partial[64];
  uint i = get_local_id(0), g = get_global_id(0);
  partial[i] = a[g] * b[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    double sum = 0;
    for (uint k = 0; k < 64; k++)
      sum += partial[k];
    out[get_group_id(0)] = sum;
  }
}

/* run: count_if grid=1000 group=50
   arg: in u8 1000 bits
   arg: inout u32 1 const 0 */
kernel void count_if(global const uchar *in, global uint *count) {
  local uint mine;
  if (get_local_id(0) == 0)
    mine = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[get_global_id(0)] > 100)
    atomic_inc(&mine);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_add(count, mine);
}
