#version 450
#extension GL_ARB_gpu_shader_int64 : enable
/* Doubles and 64-bit integers. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { double a[]; };
layout(set = 0, binding = 1) buffer B { int64_t b[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  double x = a[i];
  int64_t y = b[i];
  for (uint j = 0; j < n; j++) {
    x = fma(x, a[j], sqrt(abs(x)) / (1.0 + x * x));
    y = (y * 6364136223846793005L + (y >> (int(y) & 63))) / max(b[j], 1L);
    if (x > double(y)) x = floor(x) - double(float(y)); else y ^= int64_t(x);
  }
  a[i + 4096] = x;
  b[i + 4096] = y;
}
