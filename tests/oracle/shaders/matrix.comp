#version 450
/* A tiled product, many values at once. */
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { vec4 a[]; };
layout(set = 0, binding = 1) readonly buffer B { vec4 b[]; };
layout(set = 0, binding = 2) buffer C { vec4 c[]; };
layout(set = 0, binding = 7) uniform U { mat4 turn; uint n; };
shared vec4 left[16][17], right[16][17];
void main() {
  uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
  mat4 sum = mat4(0);
  for (uint k = 0; k < n; k += 16) {
    left[l.y][l.x] = a[g.y * n + k + l.x];
    right[l.y][l.x] = b[(k + l.y) * n + g.x];
    barrier();
    for (uint j = 0; j < 16; j++)
      sum += outerProduct(left[l.y][j], right[j][l.x]);
    barrier();
  }
  sum = sum * turn + inverse(turn);
  for (int j = 0; j < 4; j++)
    c[(g.y * n + g.x) * 4 + j] = sum[j];
}
