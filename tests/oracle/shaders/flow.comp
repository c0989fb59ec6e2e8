#version 450
/* Loops that lanes leave at different times, a switch, an array that does not fit into registers. */
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { int a[]; };
layout(set = 0, binding = 1) buffer Out { int b[]; };
layout(push_constant) uniform Push { int n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  int stack[48];
  int top = 0, x = a[i];
  while (x != 1 && top < 48) {
    stack[top++] = x;
    switch (x & 7) {
    case 0: x >>= 3; break;
    case 1: x = 3 * x + 1; break;
    case 2: x = x / n; break;
    case 3: if (a[x & 1023] > n) { x--; continue; } x += 5; break;
    case 5: x = a[(x ^ i) & 1023]; break;
    default: x = x % (n | 1) + 1;
    }
    if (x == n)
      break;
  }
  int sum = 0;
  for (int j = 0; j < top; j++)
    sum = sum * 31 + stack[(j * n) % top];
  b[i] = sum;
}
