#version 450
/* Parameters between vertices, derivatives, discarded pixels. */
layout(location = 0) in vec2 at;
layout(location = 1) in vec4 colour;
layout(location = 0) out vec4 result;
layout(set = 0, binding = 6) uniform sampler2D smooth_;
void main() {
  vec4 c = texture(smooth_, at) * colour;
  if (c.a < 0.25) discard;
  result = c + vec4(dFdx(at), fwidth(at)) + interpolateAtSample(colour, gl_SampleID);
}
