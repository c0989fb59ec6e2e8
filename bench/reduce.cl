// The sum of a million floats: a tree in LDS for each work-group's part.
kernel void reduce(global const float *in, global float *out) {
  local float part[256];
  uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (uint half_size = 128; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_size)
      part[l] += part[l + half_size];
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}
