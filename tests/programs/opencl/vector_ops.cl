// Element-wise arithmetic in every scalar and several vector types.
#pragma OPENCL FP_CONTRACT OFF

#define BINARY(name, type, expression)                                                                     \
  kernel void name(global const type *a, global const type *b, global type *out, uint count) {            \
    uint i = get_global_id(0);                                                                             \
    if (i < count) {                                                                                       \
      type x = a[i], y = b[i];                                                                             \
      out[i] = expression;                                                                                 \
    }                                                                                                      \
  }

/* run: add_char grid=320 group=64
   arg: in i8 300 bits
   arg: in i8 300 bits
   arg: out i8 300
   arg: u32 300 */
BINARY(add_char, char, x + y * (char)3)

/* run: mix_uchar grid=320 group=64
   arg: in u8 300 bits
   arg: in u8 300 bits
   arg: out u8 300
   arg: u32 300 */
BINARY(mix_uchar, uchar, (uchar)(((x ^ y) << 3) | (x >> 5)) + hadd(x, y))

/* run: div_short grid=320 group=64
   arg: in i16 300 bits
   arg: in i16 300 uniform 1 300
   arg: out i16 300
   arg: u32 300 */
BINARY(div_short, short, x / y + x % y)

/* run: sat_ushort grid=320 group=64
   arg: in u16 300 bits
   arg: in u16 300 bits
   arg: out u16 300
   arg: u32 300 */
BINARY(sat_ushort, ushort, add_sat(x, y) ^ sub_sat(x, y))

/* run: mul_int grid=320 group=64
   arg: in i32 300 bits
   arg: in i32 300 bits
   arg: out i32 300
   arg: u32 300 */
BINARY(mul_int, int, x * y + mul_hi(x, y) - (x >> (y & 31)))

/* run: div_uint grid=320 group=64
   arg: in u32 300 bits
   arg: in u32 300 uniform 1 70000
   arg: out u32 300
   arg: u32 300 */
BINARY(div_uint, uint, x / y + x % y * 7u + rotate(x, y) + clz(y) + popcount(x))

/* run: mul_long grid=320 group=64
   arg: in i64 300 bits
   arg: in i64 300 bits
   arg: out i64 300
   arg: u32 300 */
BINARY(mul_long, long, x * y + (x >> (y & 63)) - (x < y ? x : y))

/* run: div_ulong grid=192 group=64
   arg: in u64 190 bits
   arg: in u64 190 uniform 1 1000000007
   arg: out u64 190
   arg: u32 190 */
BINARY(div_ulong, ulong, x / y + (x % y) * 3 + mul_hi(x, y))

/* run: add_float grid=512 group=64
   arg: in f32 500 special
   arg: in f32 500 special
   arg: out f32 500
   arg: u32 500 */
BINARY(add_float, float, x + y)

/* run: mul_float grid=512 group=64
   arg: in f32 500 special
   arg: in f32 500 special
   arg: out f32 500
   arg: u32 500 */
BINARY(mul_float, float, x * y - (x - y))

/* run: div_float grid=512 group=64
   arg: in f32 500 special
   arg: in f32 500 special
   arg: out f32 500
   arg: u32 500 */
BINARY(div_float, float, x / y)

/* run: fma_float grid=512 group=64
   arg: in f32 500 special
   arg: in f32 500 special
   arg: out f32 500
   arg: u32 500 */
BINARY(fma_float, float, fma(x, y, x) + fmin(x, y) * fmax(x, y))

/* run: sqrt_float grid=512 group=64
   arg: in f32 500 special
   arg: in f32 500 uniform 0 1000
   arg: out f32 500
   arg: u32 500 */
BINARY(sqrt_float, float, sqrt(fabs(x)) + sqrt(y))

/* run: add_double grid=512 group=64
   arg: in f64 500 special
   arg: in f64 500 special
   arg: out f64 500
   arg: u32 500 */
BINARY(add_double, double, x * y + (x - y))

/* run: div_double grid=512 group=64
   arg: in f64 500 special
   arg: in f64 500 special
   arg: out f64 500
   arg: u32 500 */
BINARY(div_double, double, x / y + sqrt(fabs(y)))

/* run: round_float grid=512 group=64
   arg: in f32 500 special
   arg: in f32 500 uniform -100 100
   arg: out f32 500
   arg: u32 500 */
BINARY(round_float, float, floor(x) + ceil(y) * trunc(y) + rint(y))

/* run: round_double grid=512 group=64
   arg: in f64 500 special
   arg: in f64 500 uniform -100 100
   arg: out f64 500
   arg: u32 500 */
BINARY(round_double, double, floor(x) + ceil(y) * trunc(y) + rint(y))

/* run: add_int4 grid=128 group=64
   arg: in i32 400 bits
   arg: in i32 400 bits
   arg: out i32 400
   arg: u32 100 */
BINARY(add_int4, int4, x + y.wzyx * x.yxwz)

/* run: add_float8 grid=64 group=64
   arg: in f32 400 uniform -10 10
   arg: in f32 400 uniform -10 10
   arg: out f32 400
   arg: u32 50 */
BINARY(add_float8, float8, x * y + x.s76543210)

/* run: mix_char16 grid=64 group=64
   arg: in i8 640 bits
   arg: in i8 640 bits
   arg: out i8 640
   arg: u32 40 */
BINARY(mix_char16, char16, x - y.sfedcba9876543210)

/* run: select_short8 grid=64 group=64
   arg: in i16 400 bits
   arg: in i16 400 bits
   arg: out i16 400
   arg: u32 50 */
BINARY(select_short8, short8, select(x, y, x < y) + max(x, y))

/* run: saxpy grid=320 group=64
   arg: in f32 300 uniform -1 1
   arg: inout f32 300 uniform -1 1
   arg: f32 2.5
   arg: u32 300 */
kernel void saxpy(global const float *x, global float *y, float a, uint count) {
  uint i = get_global_id(0);
  if (i < count)
    y[i] = a * x[i] + y[i];
}
