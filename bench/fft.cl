// A Fourier transform of each work-group's 512 complex numbers in LDS: radix 2, in place, input in bit-reversed order;
// `turns` has exp(-2 pi i k / 512).
kernel void fft(global const float2 *in, global const float2 *turns, global float2 *out) {
  local float2 part[512];
  uint l = get_local_id(0), base = get_group_id(0) * 512;
  part[l] = in[base + l];
  part[l + 256] = in[base + l + 256];
  for (uint half_size = 1; half_size < 512; half_size *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = l & (half_size - 1), i = 2 * l - k, j = i + half_size;
    float2 turn = turns[k * (256 / half_size)], a = part[i], b = part[j];
    b = (float2)(b.x * turn.x - b.y * turn.y, b.x * turn.y + b.y * turn.x);
    part[i] = a + b;
    part[j] = a - b;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = part[l];
  out[base + l + 256] = part[l + 256];
}
