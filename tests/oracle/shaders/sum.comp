#version 450
/* Each work-item's sum from a buffer, turned round in LDS. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) buffer Out { float b[]; };
layout(push_constant) uniform Push { uint n; float k; };
shared float s[64];
void main() {
  uint i = gl_GlobalInvocationID.x;
  float sum = 0;
  for (uint j = 0; j < n; j++)
    sum += a[i * n + j] * k;
  s[gl_LocalInvocationID.x] = sum;
  barrier();
  b[i] = s[63 - gl_LocalInvocationID.x] + sin(sum) + exp2(sum) / sqrt(abs(sum));
}
