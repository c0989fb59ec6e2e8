/* Kernels over images; images.py knows what they must leave behind. */

kernel void copy_floats(read_only image2d_t from, global float4 *to) {
  int2 at = {get_global_id(0), get_global_id(1)};
  to[at.y * get_global_size(0) + at.x] = read_imagef(from, at);
}

kernel void copy_integers(read_only image2d_t from, write_only image2d_t to) {
  int2 at = {get_global_id(0), get_global_id(1)};
  write_imageui(to, at, read_imageui(from, at) + (uint4)(1, 2, 3, 4));
}

kernel void sample(read_only image2d_t from, sampler_t sampler, global const float2 *at, global float4 *to) {
  int i = get_global_id(0);
  to[i] = read_imagef(from, sampler, at[i]);
}

kernel void write_floats(write_only image2d_t to, global const float4 *from) {
  int2 at = {get_global_id(0), get_global_id(1)};
  write_imagef(to, at, from[at.y * get_global_size(0) + at.x]);
}

kernel void layers(read_only image2d_array_t from, global uint *to) {
  int4 at = {get_global_id(0), get_global_id(1), get_global_id(2), 0};
  to[(at.z * get_global_size(1) + at.y) * get_global_size(0) + at.x] = read_imageui(from, at).x;
}

kernel void volume(read_only image3d_t from, sampler_t sampler, global const float4 *at, global float *to) {
  int i = get_global_id(0);
  to[i] = read_imagef(from, sampler, at[i]).x;
}

kernel void row(read_only image1d_t from, global int *to) {
  int x = get_global_id(0);
  to[x] = read_imagei(from, x - 1).x;
}
