/* The first kernels that anybody compiles. */
#pragma OPENCL FP_CONTRACT OFF

/* run: vector_add grid=1024 group=64
   arg: out f32 1024
   arg: in f32 1024 special
   arg: in f32 1024 special
   arg: u32 900 */
kernel void vector_add(global float *a, global const float *b, global const float *c, uint n) {
  size_t i = get_global_id(0);
  if (i < n)
    a[i] = b[i] + c[i];
}

/* run: saxpy grid=500 group=50
   arg: inout f32 500 uniform -10 10
   arg: in f32 500 uniform -10 10
   arg: f32 2.5
   arg: i32 333 */
kernel void saxpy(global float *y, global const float *x, float a, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}

/* run: reduce_groups grid=1024 group=128
   arg: in f32 1024 uniform -1 1
   arg: out f32 8
   arg: lds 512 */
kernel void reduce_groups(global const float *x, global float *out, local float *s) {
  int l = get_local_id(0);
  s[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = get_local_size(0) / 2; k > 0; k /= 2) {
    if (l < k)
      s[l] += s[l + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = s[0];
}

/* run: naive_sgemm grid=24,24 group=8,8
   arg: i32 24
   arg: in f32 576 uniform -2 2
   arg: in f32 576 uniform -2 2
   arg: out f32 576 */
kernel void naive_sgemm(int n, global const float *a, global const float *b, global float *c) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}
