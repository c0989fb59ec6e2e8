// Vectors of elements of 16 bits, which processors from gfx9 on compute two at a time, and of bytes.
#pragma OPENCL FP_CONTRACT OFF

/* run: pairs_short grid=64 group=64
   arg: in i16 128 bits
   arg: in i16 128 bits
   arg: out i16 128 */
kernel void pairs_short(global const short2 *a, global const short2 *b, global short2 *out) {
  uint i = get_global_id(0);
  short2 x = a[i], y = b[i], z = max(x, y) - x * y.yx;
  z = (z << (short2)(3, 1)) ^ (x >> (short)2);
  out[i] = select(add_sat(z, y), sub_sat(z, y), x < y);
}

/* run: pairs_ushort grid=64 group=64
   arg: in u16 256 bits
   arg: out u16 256
   arg: i32 9 */
kernel void pairs_ushort(global const ushort4 *a, global ushort4 *out, int rounds) {
  uint i = get_global_id(0);
  ushort4 sum = (ushort4)(1, 2, 3, 4), x = a[i];
  for (int k = 0; k < rounds; k++) {
    sum = sum * x + sum.wzyx;
    x = min(x, sum) + (ushort)(k * 77);
  }
  out[i] = sum.yxwz | (ushort4)(x.s0, x.s1, sum.s0, x.s3);
}

/* run: pairs_half grid=64 group=64
   arg: in u16 256 half -8 8
   arg: in u16 256 half -8 8
   arg: out u16 256
   arg: i32 5 */
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void pairs_half(global const half4 *a, global const half4 *b, global half4 *out, int rounds) {
  uint i = get_global_id(0);
  half4 sum = a[i], x = b[i];
  for (int k = 0; k < rounds; k++)
    sum = (sum - x.yxzw) * (half)0.5f + (k & 1 ? -x : x);
  out[i] = (half4)(sum.hi, sum.lo + x.odd);
}
#else // the same with each operation rounded to half by hand, float being wide enough for that to be exact
float4 rounded(float4 x) {
  ushort bits[4];
  vstore_half4(x, 0, (half *)bits);
  return vload_half4(0, (half *)bits);
}
kernel void pairs_half(global const half *a, global const half *b, global half *out, int rounds) {
  uint i = get_global_id(0);
  float4 sum = vload_half4(i, a), x = vload_half4(i, b);
  for (int k = 0; k < rounds; k++)
    sum = rounded(rounded(rounded(sum - x.yxzw) * 0.5f) + (k & 1 ? -x : x));
  vstore_half4((float4)(sum.hi, rounded((float4)(sum.lo + x.odd, 0, 0)).lo), i, out);
}
#endif

/* run: bytes_are_placed grid=64 group=64
   arg: in u32 128 bits
   arg: out u32 256 */
kernel void bytes_are_placed(global const uint2 *a, global uint4 *out) {
  uint i = get_global_id(0);
  uchar8 x = as_uchar8(a[i]);
  uint4 o = (uint4)(as_uint(x.s7531), as_uint(x.s0426 - x.s1357), as_uint((uchar4)(x.s6, 7, x.s1, 255)), 0);
  o.w = as_uint(as_ushort2(o.x).yx + as_ushort2(o.y)) / 10 + as_uint(x.s0123) % 1000;
  out[i] = o;
}
