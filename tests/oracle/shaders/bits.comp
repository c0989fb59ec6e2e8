#version 450
/* Integer arithmetic: bit fields, carries, products of 64 bits, packing. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform Push { uint k, m; };
void main() {
  uint i = gl_GlobalInvocationID.x, x = a[i], y = a[i + 1], high, low, carry, borrow;
  umulExtended(x, y, high, low);
  uint sum = uaddCarry(x, y, carry), less = usubBorrow(x, k, borrow);
  x = bitfieldExtract(x, 3, 7) + bitfieldInsert(x, y, 5, 9) + bitfieldReverse(y) + uint(findMSB(x)) + uint(findLSB(y)) + uint(bitCount(sum));
  x ^= packHalf2x16(vec2(less & 2047, high & 1023)) + packUnorm4x8(unpackUnorm4x8(low)) + packSnorm4x8(unpackSnorm4x8(high)) + (low >> (carry + borrow));
  int s = int(x), t = int(m);
  x += uint(abs(s - t)) + uint(max(min(s, 255), 0)) + uint(s / 7) + uint((s & 0x7fffffff) % t) + (k / 13u) + (k % m) + uint(float(x)) + uint(int(float(s)));
  a[i + 4096] = (x & y | ~k) + (x << 3) + y * 5 + ((x ^ k) + m) + (x & 0xff) * (y >> 24);
}
