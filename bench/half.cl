#pragma OPENCL EXTENSION cl_khr_fp16 : enable
// A polynomial in halves, one number a work-item, then two.
kernel void half_loop(global const half *in, global half *out, uint count) {
  uint i = get_global_id(0);
  half x = in[i], sum = 0;
#pragma unroll 1
  for (uint k = 0; k < count; k++) {
    sum = fma(sum, x, (half)0.5h);
    sum = sum * x + (half)0.25h;
    x = x - sum * (half)0.125h;
  }
  out[i] = sum;
}

kernel void packed_loop(global const half2 *in, global half2 *out, uint count) {
  uint i = get_global_id(0);
  half2 x = in[i], sum = 0;
#pragma unroll 1
  for (uint k = 0; k < count; k++) {
    sum = fma(sum, x, (half2)0.5h);
    sum = sum * x + (half2)0.25h;
    x = x - sum * (half2)0.125h;
  }
  out[i] = sum;
}
