// Sorting: bitonic over LDS, by counting, by insertion in private memory.

/* run: bitonic grid=256 group=256
   arg: inout i32 512 bits */
kernel void bitonic(global int *data) {
  local int keys[512];
  uint i = get_local_id(0);
  keys[i] = data[i];
  keys[i + 256] = data[i + 256];
  for (uint size = 2; size <= 512; size *= 2)
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint low = 2 * i - (i & (stride - 1)), high = low + stride;
      int a = keys[low], b = keys[high];
      if ((a > b) == ((low & size) == 0)) {
        keys[low] = b;
        keys[high] = a;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = keys[i];
  data[i + 256] = keys[i + 256];
}

/* run: rank_sort grid=256 group=64
   arg: in f32 256 uniform -5 5
   arg: out f32 256 */
kernel void rank_sort(global const float *in, global float *out) {
  uint i = get_global_id(0), n = get_global_size(0), rank = 0;
  float mine = in[i];
  for (uint k = 0; k < n; k++)
    rank += in[k] < mine || (in[k] == mine && k < i);
  out[rank] = mine;
}

/* run: insertion_private grid=64 group=64
   arg: inout i16 1024 bits */
kernel void insertion_private(global short *data) {
  short keys[16];
  uint base = get_global_id(0) * 16;
  for (int i = 0; i < 16; i++) {
    short key = data[base + i];
    int at = i;
    while (at > 0 && keys[at - 1] > key) {
      keys[at] = keys[at - 1];
      at--;
    }
    keys[at] = key;
  }
  for (int i = 0; i < 16; i++)
    data[base + i] = keys[i];
}

/* run: radix_pass grid=128 group=128
   arg: in u32 128 bits
   arg: out u32 128 */
kernel void radix_pass(global const uint *in, global uint *out) {
  local uint keys[128], zeros[129];
  uint i = get_local_id(0);
  keys[i] = in[i];
  for (uint bit = 0; bit < 32; bit++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint key = keys[i], is_zero = !(key >> bit & 1);
    zeros[i] = is_zero;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = 0, total = 0;
    for (uint k = 0; k < 128; k++) {
      before += k < i ? zeros[k] : 0;
      total += zeros[k];
    }
    keys[is_zero ? before : total + i - before] = key;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = keys[i];
}
