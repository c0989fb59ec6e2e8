#version 450
/* Positions and parameters of vertices. */
layout(location = 0) in vec4 place;
layout(location = 1) in vec2 texture_;
layout(location = 0) out vec2 at;
layout(location = 1) out vec4 colour;
layout(set = 0, binding = 7) uniform U { mat4 turn; };
void main() {
  gl_Position = turn * place;
  at = texture_;
  colour = vec4(normalize(place.xyz), gl_VertexIndex);
}
