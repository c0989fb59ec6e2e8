// The mathematics library: results may differ by the ulps OpenCL allows both sides together.

#define UNARY(name, type, expression)                          \
  kernel void name(global const type *in, global type *out) {  \
    uint i = get_global_id(0);                                 \
    type x = in[i];                                            \
    out[i] = expression;                                       \
  }

/* run: sin_float grid=256 group=64 ulp=8
   arg: in f32 256 uniform -30 30
   arg: out f32 256 */
UNARY(sin_float, float, sin(x))

/* run: cos_large grid=256 group=64 ulp=8
   arg: in f32 256 uniform -1e7 1e7
   arg: out f32 256 */
UNARY(cos_large, float, cos(x))

/* run: exp_log grid=256 group=64 ulp=16
   arg: in f32 256 uniform 0.01 60
   arg: out f32 256 */
UNARY(exp_log, float, exp(x * 0.5f) + log(x))

/* run: pow_float grid=256 group=64 ulp=32
   arg: in f32 256 uniform 0.01 20
   arg: out f32 256 */
UNARY(pow_float, float, pow(x, 2.7f))

/* run: atan_float grid=256 group=64 ulp=16
   arg: in f32 256 uniform -20 20
   arg: out f32 256 */
UNARY(atan_float, float, atan2(x, 3.0f) + tanh(x))

/* run: sin_double grid=128 group=64 ulp=8
   arg: in f64 128 uniform -30 30
   arg: out f64 128 */
UNARY(sin_double, double, sin(x))

/* run: exp_double grid=128 group=64 ulp=8
   arg: in f64 128 uniform -20 20
   arg: out f64 128 */
UNARY(exp_double, double, exp(x))

/* run: rsqrt_float grid=256 group=64 ulp=4
   arg: in f32 256 uniform 0.001 1000
   arg: out f32 256 */
UNARY(rsqrt_float, float, rsqrt(x) + x * 0)

/* run: parts grid=512 group=64
   arg: in f32 512 special
   arg: out i32 1536 */
kernel void parts(global const float *in, global int *out) {
  uint i = get_global_id(0);
  float x = in[i];
  int exponent = 0;
  float mantissa = frexp(x, &exponent);
  out[3 * i] = isnan(x) ? 0 : as_int(mantissa);
  out[3 * i + 1] = isinf(x) || isnan(x) ? 0 : exponent;
  out[3 * i + 2] = isnan(x) ? 0 : as_int(ldexp(x, -3));
}

/* run: remainders grid=256 group=64
   arg: in f32 256 uniform -100 100
   arg: in f32 256 uniform 0.1 7
   arg: out f32 256 */
kernel void remainders(global const float *a, global const float *b, global float *out) {
  uint i = get_global_id(0);
  out[i] = fmod(a[i], b[i]) + remainder(a[i], b[i]);
}
