// Divergent control flow, dynamic private arrays, calls that stay calls, ids and odd grids.
#pragma OPENCL FP_CONTRACT OFF

/* run: collatz grid=256 group=64
   arg: out u32 256 */
kernel void collatz(global uint *out) {
  uint n = get_global_id(0) + 1, steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  }
  out[get_global_id(0)] = steps;
}

/* run: gcd grid=256 group=64
   arg: in u32 256 uniform 1 100000
   arg: in u32 256 uniform 1 100000
   arg: out u32 256 */
kernel void gcd(global const uint *a, global const uint *b, global uint *out) {
  uint x = a[get_global_id(0)], y = b[get_global_id(0)];
  while (y) {
    uint rest = x % y;
    x = y;
    y = rest;
  }
  out[get_global_id(0)] = x;
}

/* run: nested_breaks grid=192 group=64
   arg: in u8 192 bits
   arg: out i32 192 */
kernel void nested_breaks(global const uchar *in, global int *out) {
  int x = in[get_global_id(0)], sum = 0;
  for (int i = 0; i < 20; i++) {
    if ((x + i) % 7 == 0)
      continue;
    for (int k = i; k < 40; k++) {
      if ((k * x) % 11 == 3)
        break;
      sum += k ^ x;
      if (sum > 3000)
        goto done;
    }
  }
done:
  out[get_global_id(0)] = sum;
}

/* run: switch_cases grid=256 group=64
   arg: in u8 256 bits
   arg: out u32 256 */
kernel void switch_cases(global const uchar *in, global uint *out) {
  uint x = in[get_global_id(0)], r;
  switch (x % 10) {
  case 0: r = x * 3; break;
  case 1: r = x + 100; break;
  case 2: r = x << 4; // falls through
  case 3: r = x ^ 0x55; break;
  case 4: r = ~x; break;
  case 7: r = x * x; break;
  case 8: r = x / 3; break;
  default: r = 1;
  }
  out[get_global_id(0)] = r;
}

/* run: scratch_dynamic grid=128 group=64
   arg: in u8 128 bits
   arg: out u32 128 */
kernel void scratch_dynamic(global const uchar *in, global uint *out) {
  uint table[64], i = get_global_id(0);
  for (uint k = 0; k < 64; k++)
    table[k] = k * k + i;
  uint at = in[i] & 63, sum = 0;
  for (uint k = 0; k < 32; k++) {
    sum += table[at];
    table[at] ^= sum;
    at = table[(at + k) & 63] & 63;
  }
  out[i] = sum;
}

/* run: scratch_bytes grid=64 group=64
   arg: in u8 64 bits
   arg: out u64 64 */
kernel void scratch_bytes(global const uchar *in, global ulong *out) {
  uchar bytes[32];
  ushort halves[16];
  ulong sum = 0;
  uint i = get_global_id(0), x = in[i];
  for (uint k = 0; k < 32; k++)
    bytes[(k * 5 + x) & 31] = x + k;
  for (uint k = 0; k < 16; k++)
    halves[(k + x) & 15] = bytes[(x + k) & 31] * 257;
  for (uint k = 0; k < 16; k++)
    sum = sum * 31 + halves[(x * k) & 15] + bytes[(x ^ k) & 31];
  out[i] = sum;
}

__attribute__((noinline)) uint mixed(uint a, uint b) { return rotate(a * 2654435761u, b & 31) ^ b; }
__attribute__((noinline)) float weighted(float4 v, float4 w, int which) {
  float4 p = v * w;
  return which & 1 ? (p.x + p.y) + (p.z + p.w) : (p.x - p.y) * (p.z - p.w);
}
__attribute__((noinline)) void fill(uint *table, uint count, uint seed) {
  for (uint k = 0; k < count; k++)
    table[k] = mixed(seed, k);
}
__attribute__((noinline)) void store_at(global uint *out, uint value) { out[get_global_id(0)] = value; }

/* run: calls grid=128 group=64
   arg: in u32 128 bits
   arg: out u32 128 */
kernel void calls(global const uint *in, global uint *out) {
  uint x = in[get_global_id(0)];
  for (uint k = 0; k < 8; k++)
    if (x & 1 << k)
      x = mixed(x, k + get_local_id(0));
  store_at(out, x);
}

/* run: calls_float grid=128 group=64
   arg: in f32 1024 uniform -2 2
   arg: out f32 128 */
kernel void calls_float(global const float4 *in, global float *out) {
  uint i = get_global_id(0);
  out[i] = weighted(in[2 * i], in[2 * i + 1], i) + weighted(in[2 * i + 1], in[2 * i], i >> 1);
}

/* run: calls_private_pointer grid=64 group=64
   arg: in u32 64 bits
   arg: out u32 64 */
kernel void calls_private_pointer(global const uint *in, global uint *out) {
  uint table[24], x = in[get_global_id(0)];
  fill(table, 24, x);
  uint sum = 0;
  for (uint k = 0; k < 40; k++)
    sum += table[(x >> (k & 15)) % 24];
  out[get_global_id(0)] = sum;
}

/* run: identities grid=40,6,4 group=8,3,2 offset=5,7,11
   arg: out u32 15360 */
kernel void identities(global uint *out) {
  uint i = (get_global_id(2) - get_global_offset(2)) * 240 + (get_global_id(1) - get_global_offset(1)) * 40 +
           get_global_id(0) - get_global_offset(0);
  for (uint d = 0; d < 3; d++) {
    out[i * 16 + d] = get_global_id(d) << 16 | get_local_id(d);
    out[i * 16 + 3 + d] = get_group_id(d) << 16 | get_num_groups(d);
    out[i * 16 + 6 + d] = get_global_size(d) << 16 | get_local_size(d);
    out[i * 16 + 9 + d] = get_global_offset(d);
  }
  out[i * 16 + 12] = get_work_dim();
}

/* run: two_dimensions grid=50,3 group=25,1
   arg: out u32 600 */
kernel void two_dimensions(global uint *out) {
  uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[4 * i] = get_local_id(0) + 1000 * get_local_id(1);
  out[4 * i + 1] = get_group_id(0) + 1000 * get_group_id(1);
  out[4 * i + 2] = get_local_size(0) + 1000 * get_local_size(1);
  out[4 * i + 3] = get_work_dim();
}

struct point {
  float x, y;
  int tag;
  uchar kind;
};

/* run: struct_argument grid=64 group=64
   arg: struct 0000803f000000400500000007000000
   arg: i8 -3
   arg: u16 60000
   arg: i64 -5000000000
   arg: f64 0.1
   arg: out f32 128 */
kernel void struct_argument(struct point p, char c, ushort s, long l, double d, global float *out) {
  uint i = get_global_id(0);
  out[2 * i] = p.x * i + p.y + p.tag * 10 + p.kind * 100;
  out[2 * i + 1] = (float)(c + s + l + d * i);
}

constant int powers[8] = {1, -2, 4, -8, 16, -32, 64, -128};

/* run: constant_table grid=64 group=64
   arg: in u8 64 bits
   arg: out i32 64 */
kernel void constant_table(global const uchar *in, global int *out) {
  uint x = in[get_global_id(0)];
  int sum = 0;
  for (uint k = 0; k < 4; k++)
    sum += powers[x >> k & 7] * (int)(k + 1);
  out[get_global_id(0)] = sum;
}
