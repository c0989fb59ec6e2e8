#version 450
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
/* Bytes, 16-bit integers and halves, alone and in pairs. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float16_t a[]; };
layout(set = 0, binding = 1) buffer B { uint8_t b[]; };
layout(set = 0, binding = 2) buffer C { i16vec2 c[]; };
layout(set = 0, binding = 3) buffer D { f16vec4 d[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float16_t x = a[i], y = a[i + 1];
  f16vec4 v = d[i];
  v = fma(v, v.wzyx, f16vec4(x)) * y;
  v = min(max(v, f16vec4(0)), f16vec4(1));
  i16vec2 p = c[i] * c[i + 1] + i16vec2(int16_t(b[i]), int16_t(b[i + 1]));
  c[i + 4096] = p << int16_t(2) | (p >> int16_t(3));
  b[i + 4096] = uint8_t(b[i] * 3 + b[i + 7]);
  a[i + 4096] = sqrt(x) + sin(y) + float16_t(float(v.x) * 3.5) + exp(v.y);
  d[i + 4096] = v;
}
