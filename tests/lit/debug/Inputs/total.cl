kernel void total(global uint *out, global const uint *in, uint n) {
  uint i = __builtin_amdgcn_workitem_id_x();
  ushort sum = 0;
  for (uint k = 0; k < n; k++) {
    uint next = in[k * 64 + i];
    sum += next;
  }
  out[i] = sum;
}
