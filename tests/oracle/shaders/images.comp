#version 450
/* Samples, gathers, loads and stores of images. */
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer A { vec4 a[]; };
layout(set = 0, binding = 4, rgba8) uniform readonly image2D source;
layout(set = 0, binding = 5, rgba16f) uniform writeonly image2DArray target;
layout(set = 0, binding = 6) uniform sampler2D smooth_;
layout(push_constant) uniform Push { vec2 scale; float level; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  vec2 at = vec2(p) * scale;
  vec4 sum = imageLoad(source, p);
  sum += textureLod(smooth_, at, level) + textureLodOffset(smooth_, at, 0, ivec2(1, -1));
  sum += textureGather(smooth_, at, 1) + textureGrad(smooth_, at, vec2(scale.x, 0), vec2(0, scale.y));
  sum += texelFetch(smooth_, p, int(level));
  if (sum.x > 0.5)
    for (int j = 0; j < 4; j++)
      sum = sum * 0.5 + textureLod(smooth_, sum.yz, sum.w);
  imageStore(target, ivec3(p, p.x & 3), sum);
  a[p.x] = sum * vec4(textureSize(smooth_, 0), textureQueryLevels(smooth_), 1);
}
