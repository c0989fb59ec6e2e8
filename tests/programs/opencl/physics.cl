// Stencils, bodies, fractals: float loops with neighbours and divergence.
#pragma OPENCL FP_CONTRACT OFF

/* run: heat grid=64,32 group=16,4
   arg: in f32 2048 uniform 0 100
   arg: out f32 2048 */
kernel void heat(global const float *in, global float *out) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  float centre = in[y * w + x];
  float sum = 0;
  sum += x > 0 ? in[y * w + x - 1] : centre;
  sum += x < w - 1 ? in[y * w + x + 1] : centre;
  sum += y > 0 ? in[(y - 1) * w + x] : centre;
  sum += y < h - 1 ? in[(y + 1) * w + x] : centre;
  out[y * w + x] = centre + 0.2f * (sum - 4 * centre);
}

/* run: stencil_3d grid=8,8,8 group=4,4,4
   arg: in f64 512 uniform 0 1
   arg: out f64 512 */
kernel void stencil_3d(global const double *in, global double *out) {
  int n = get_global_size(0);
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  double sum = 0;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        sum += in[(clamp(z + dz, 0, n - 1) * n + clamp(y + dy, 0, n - 1)) * n + clamp(x + dx, 0, n - 1)];
  out[(z * n + y) * n + x] = sum / 27;
}

/* run: blur_local grid=128 group=64
   arg: in i32 128 uniform 0 1000
   arg: out i32 128 */
kernel void blur_local(global const int *in, global int *out) {
  local int row[66];
  int i = get_local_id(0), g = get_global_id(0), n = get_global_size(0);
  row[i + 1] = in[g];
  if (i == 0)
    row[0] = g > 0 ? in[g - 1] : 0;
  if (i == 63)
    row[65] = g < n - 1 ? in[g + 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = (row[i] + 2 * row[i + 1] + row[i + 2]) / 4;
}

/* run: life grid=32,32 group=32,2
   arg: in u8 1024 uniform 0 1
   arg: out u8 1024 */
kernel void life(global const uchar *in, global uchar *out) {
  uint x = get_global_id(0), y = get_global_id(1), alive = 0;
  for (uint dy = 31; dy <= 33; dy++)
    for (uint dx = 31; dx <= 33; dx++)
      if (dx != 32 || dy != 32)
        alive += in[((y + dy) % 32) * 32 + (x + dx) % 32];
  out[y * 32 + x] = alive == 3 || (alive == 2 && in[y * 32 + x]);
}

/* run: bodies grid=128 group=64
   arg: in f32 512 uniform -1 1
   arg: inout f32 512 uniform -0.1 0.1
   arg: f32 0.01 */
kernel void bodies(global const float4 *position, global float4 *velocity, float step) {
  local float4 tile[64];
  uint i = get_global_id(0), n = get_global_size(0);
  float4 here = position[i], pull = 0;
  for (uint base = 0; base < n; base += 64) {
    tile[get_local_id(0)] = position[base + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 64; k++) {
      float4 to = tile[k] - here;
      float square = to.x * to.x + to.y * to.y + to.z * to.z + 0.01f;
      float inverse = 1.0f / sqrt(square);
      pull += to * (inverse * inverse * inverse * fabs(tile[k].w));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  velocity[i] += pull * step;
}

/* run: mandelbrot grid=64,48 group=8,8
   arg: out u32 3072
   arg: u32 200 */
kernel void mandelbrot(global uint *out, uint limit) {
  uint px = get_global_id(0), py = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  float cx = -2.2f + 3.2f * px / w, cy = -1.2f + 2.4f * py / h, x = 0, y = 0;
  uint n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    n++;
  }
  out[py * w + px] = n;
}

/* run: julia_double grid=64,16 group=64
   arg: out u32 1024
   arg: f64 -0.8
   arg: f64 0.156 */
kernel void julia_double(global uint *out, double cx, double cy) {
  uint px = get_global_id(0), py = get_global_id(1);
  double x = -1.5 + px * 3.0 / 64, y = -1.0 + py * 2.0 / 16;
  uint n = 0;
  for (; n < 100 && x * x + y * y < 4; n++) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  out[py * 64 + px] = n;
}
