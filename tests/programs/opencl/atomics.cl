// Histograms and the other atomics, in LDS and in global memory, 32 and 64 bits.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

/* run: histogram_global grid=2048 group=64
   arg: in u8 2048 bits
   arg: inout u32 256 const 0 */
kernel void histogram_global(global const uchar *in, global uint *bins) {
  atomic_inc(&bins[in[get_global_id(0)]]);
}

/* run: histogram_local grid=1024 group=256
   arg: in u8 4096 bits
   arg: inout u32 256 const 0 */
kernel void histogram_local(global const uchar4 *in, global uint *bins) {
  local uint mine[256];
  uint i = get_local_id(0);
  mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar4 x = in[get_global_id(0)];
  atomic_inc(&mine[x.x]);
  atomic_inc(&mine[x.y]);
  atomic_inc(&mine[x.z]);
  atomic_inc(&mine[x.w]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[i], mine[i]);
}

/* run: atomics_int grid=256 group=64
   arg: in i32 256 bits
   arg: inout i32 8 const 5 */
kernel void atomics_int(global const int *in, global int *out) {
  int x = in[get_global_id(0)];
  atomic_add(&out[0], x);
  atomic_sub(&out[1], x);
  atomic_min(&out[2], x);
  atomic_max(&out[3], x);
  atomic_and(&out[4], x | 0x10);
  atomic_or(&out[5], x & 0xff00);
  atomic_xor(&out[6], x);
  atomic_dec(&out[7]);
}

/* run: atomics_local grid=256 group=256
   arg: in u32 256 bits
   arg: out u32 8 */
kernel void atomics_local(global const uint *in, global uint *out) {
  local uint all[8];
  uint i = get_local_id(0), x = in[i];
  if (i < 8)
    all[i] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&all[0], x);
  atomic_sub(&all[1], x);
  atomic_min(&all[2], x);
  atomic_max(&all[3], x);
  atomic_and(&all[4], x | 0x11);
  atomic_or(&all[5], x & 0xf0f000);
  atomic_xor(&all[6], x);
  atomic_inc(&all[7]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 8)
    out[i] = all[i];
}

/* run: atomics_long grid=256 group=64
   arg: in i64 256 bits
   arg: inout i64 5 const 3 */
kernel void atomics_long(global const long *in, volatile global long *out) {
  long x = in[get_global_id(0)];
  atom_add(&out[0], x);
  atom_min(&out[1], x);
  atom_max(&out[2], x);
  atom_xor(&out[3], x);
  atom_inc(&out[4]);
}

/* run: exchange_loop grid=192 group=64
   arg: in f32 192 uniform 0 4
   arg: inout u32 2 const 0 */
kernel void exchange_loop(global const float *in, volatile global uint *best) {
  // the greatest value by compare and exchange; positive floats order as their bits do
  uint mine = as_uint(in[get_global_id(0)]), seen = best[0];
  while (mine > seen) {
    uint old = atomic_cmpxchg(&best[0], seen, mine);
    if (old == seen)
      break;
    seen = old;
  }
  atomic_inc(&best[1]);
}

/* run: slots grid=256 group=64
   arg: out u32 256
   arg: inout u32 1 const 0 */
kernel void slots(global uint *taken, volatile global uint *next) {
  uint slot = atomic_inc(next);
  taken[slot] = 1 + slot * 3;
}
