// Conversions between types, with saturation and rounding, and half through its storage functions.
#pragma OPENCL FP_CONTRACT OFF

/* run: convert_from_float grid=256 group=64
   arg: in f32 256 uniform -70000 70000
   arg: out i32 1024
   arg: out i16 256
   arg: out u8 256 */
kernel void convert_from_float(global const float *in, global int *ints, global short *shorts, global uchar *bytes) {
  uint i = get_global_id(0);
  float x = in[i];
  ints[4 * i] = convert_int(x);
  ints[4 * i + 1] = convert_int_rte(x);
  ints[4 * i + 2] = convert_int_sat(x * 1e6f);
  ints[4 * i + 3] = (int)convert_uint(fabs(x));
  shorts[i] = convert_short_sat(x);
  bytes[i] = convert_uchar_sat_rte(x * 0.01f);
}

/* run: convert_to_float grid=256 group=64
   arg: in i32 256 bits
   arg: in i64 256 bits
   arg: out f32 1024
   arg: out f64 768 */
kernel void convert_to_float(global const int *ints, global const long *longs, global float *floats, global double *doubles) {
  uint i = get_global_id(0);
  floats[4 * i] = ints[i];
  floats[4 * i + 1] = (uint)ints[i];
  floats[4 * i + 2] = longs[i];
  floats[4 * i + 3] = (ulong)longs[i];
  doubles[3 * i] = ints[i];
  doubles[3 * i + 1] = longs[i];
  doubles[3 * i + 2] = (ulong)longs[i];
}

/* run: from_double grid=256 group=64
   arg: in f64 256 uniform -4e9 4e9
   arg: out i64 512
   arg: out i32 256
   arg: out f32 256 */
kernel void from_double(global const double *in, global long *longs, global int *ints, global float *floats) {
  uint i = get_global_id(0);
  longs[2 * i] = convert_long(in[i] * 1e6);
  longs[2 * i + 1] = (long)convert_ulong(fabs(in[i]) * 1e6);
  ints[i] = convert_int_sat(in[i]);
  floats[i] = (float)in[i];
}

/* run: half_storage grid=512 group=64
   arg: in f32 512 numbers
   arg: out u16 512
   arg: out f32 512 */
kernel void half_storage(global const float *in, global half *out, global float *back) {
  uint i = get_global_id(0);
  vstore_half(in[i], i, out);
  back[i] = vload_half(i, out) * 2.0f;
}

/* run: half_arithmetic grid=256 group=64
   arg: in u16 256 half -8 8
   arg: in u16 256 half -8 8
   arg: out u16 1280 */
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_arithmetic(global const half *a, global const half *b, global half *out) {
  uint i = get_global_id(0);
  half x = a[i], y = b[i];
  out[i] = x + y;
  out[i + 256] = x - y;
  out[i + 512] = x * y;
  out[i + 768] = fmin(x, y);
  half2 p = (half2)(x, y) * (half2)(y, y) + (half2)(x, x);
  out[i + 1024] = p.x + p.y;
}
#else // the same with each operation rounded to half by hand, float being wide enough for that to be exact
float rounded(float x) {
  ushort bits;
  vstore_half(x, 0, (half *)&bits);
  return vload_half(0, (half *)&bits);
}
kernel void half_arithmetic(global const half *a, global const half *b, global half *out) {
  uint i = get_global_id(0);
  float x = vload_half(i, a), y = vload_half(i, b);
  vstore_half(x + y, i, out);
  vstore_half(x - y, i + 256, out);
  vstore_half(x * y, i + 512, out);
  vstore_half(fmin(x, y), i + 768, out);
  float p = rounded(rounded(x * y) + x), q = rounded(rounded(y * y) + x);
  vstore_half(p + q, i + 1024, out);
}
#endif

/* run: reinterpret grid=256 group=64
   arg: in u32 256 bits
   arg: out u32 1024 */
kernel void reinterpret(global const uint *in, global uint *out) {
  uint i = get_global_id(0);
  uchar4 bytes = as_uchar4(in[i]);
  out[4 * i] = as_uint(bytes.wzyx);
  out[4 * i + 1] = as_uint(as_short2(in[i]).yx);
  out[4 * i + 2] = convert_uint(bytes.x) * bytes.y + bytes.z - bytes.w;
  out[4 * i + 3] = as_uint(fabs(as_float(in[i] & 0x7fffffff)));
}
