// Square matrix multiplication in 16 by 16 tiles of LDS.
kernel void sgemm(global const float *a, global const float *b, global float *c, uint n) {
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

// The same without tiles: each work-item reads its row and column from global memory.
kernel void naive(global const float *a, global const float *b, global float *c, uint n) {
  uint column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < n; k++)
    sum = fma(a[row * n + k], b[k * n + column], sum);
  c[row * n + column] = sum;
}
