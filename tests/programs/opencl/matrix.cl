// Matrices: plain, tiled through LDS, transposed.
#pragma OPENCL FP_CONTRACT OFF

/* run: multiply_plain grid=32,32 group=8,8
   arg: in f32 1024 uniform -1 1
   arg: in f32 1024 uniform -1 1
   arg: out f32 1024
   arg: u32 32 */
kernel void multiply_plain(global const float *a, global const float *b, global float *c, uint n) {
  uint column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

/* run: multiply_tiled grid=64,64 group=16,16
   arg: in f32 4096 uniform -1 1
   arg: in f32 4096 uniform -1 1
   arg: out f32 4096
   arg: u32 64 */
kernel void multiply_tiled(global const float *a, global const float *b, global float *c, uint n) {
  local float tile_a[16][16], tile_b[16][16];
  uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < n; k += 16) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 16; i++)
      sum = fma(tile_a[y][i], tile_b[i][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

/* run: transpose grid=64,64 group=16,16
   arg: in u32 4096 bits
   arg: out u32 4096
   arg: lds 1088 */
kernel void transpose(global const uint *in, global uint *out, local uint *tile) {
  uint x = get_local_id(0), y = get_local_id(1), n = get_global_size(0);
  tile[y * 17 + x] = in[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + y) * n + get_group_id(1) * 16 + x] = tile[x * 17 + y];
}

/* run: multiply_double grid=16,16 group=16,4
   arg: in f64 256 uniform -1 1
   arg: in f64 256 uniform -1 1
   arg: out f64 256 */
kernel void multiply_double(global const double *a, global const double *b, global double *c) {
  uint column = get_global_id(0), row = get_global_id(1), n = get_global_size(0);
  double sum = 0;
  for (uint k = 0; k < n; k++)
    sum = fma(a[row * n + k], b[k * n + column], sum);
  c[row * n + column] = sum;
}

/* run: multiply_vector grid=64 group=64
   arg: in f32 4096 uniform -1 1
   arg: in f32 64 uniform -1 1
   arg: out f32 64 */
kernel void multiply_vector(global const float4 *a, constant float4 *x, global float *y) {
  uint row = get_global_id(0);
  float4 sum = 0;
  for (uint k = 0; k < 16; k++)
    sum += a[row * 16 + k] * x[k];
  y[row] = (sum.x + sum.y) + (sum.z + sum.w);
}
