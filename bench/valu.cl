// A loop of vector arithmetic and nothing else.
kernel void valu(global float *out, uint count) {
  uint i = get_global_id(0), bits = i;
  float a = i * 0.001f, b = 1 - a, c = a + 0.5f, d = b * 0.25f;
#pragma unroll 1
  for (uint k = 0; k < count; k++) {
    a = fma(a, 0.999f, b);
    b = b * 0.5f + c;
    c = fma(c, d, 0.125f);
    d = d * 0.75f - a;
    bits = bits * 2 + (bits >> 7);
    bits ^= 0x9e3779b9;
    a = a + b;
    c = max(c, d);
    a = min(a, 4.0f);
    b = min(b, 2.0f);
    d = d + 0.25f;
    bits = bits & 0x7fffffff;
  }
  out[i] = a + b + c + d + bits;
}
