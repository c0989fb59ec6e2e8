// Bitonic sort of each work-group's 512 numbers in LDS.
kernel void sort(global const uint *in, global uint *out) {
  local uint part[512];
  uint l = get_local_id(0), base = get_group_id(0) * 512;
  part[l] = in[base + l];
  part[l + 256] = in[base + l + 256];
  for (uint run = 2; run <= 512; run *= 2)
    for (uint distance = run / 2; distance > 0; distance /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint i = 2 * l - (l & (distance - 1)), j = i + distance;
      uint a = part[i], b = part[j];
      bool rises = (i & run) == 0;
      part[i] = rises ? min(a, b) : max(a, b);
      part[j] = rises ? max(a, b) : min(a, b);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + l] = part[l];
  out[base + l + 256] = part[l + 256];
}
