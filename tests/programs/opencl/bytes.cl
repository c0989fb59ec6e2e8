// Strings of bytes and bits: searching, hashing, encoding.

/* run: find_pattern grid=512 group=64
   arg: in u8 520 uniform 97 99
   arg: in u8 3 uniform 97 99
   arg: out u8 512 */
kernel void find_pattern(global const char *text, constant char *pattern, global char *found) {
  uint i = get_global_id(0);
  char all = 1;
  for (uint k = 0; k < 3; k++)
    if (text[i + k] != pattern[k]) {
      all = 0;
      break;
    }
  found[i] = all;
}

/* run: to_upper grid=512 group=64
   arg: inout u8 512 uniform 32 126 */
kernel void to_upper(global char *text) {
  char c = text[get_global_id(0)];
  text[get_global_id(0)] = c >= 'a' && c <= 'z' ? c - 32 : c;
}

/* run: hash_fnv grid=128 group=64
   arg: in u8 4096 bits
   arg: out u32 128 */
kernel void hash_fnv(global const uchar *in, global uint *out) {
  uint i = get_global_id(0), hash = 2166136261u;
  for (uint k = 0; k < 1 + i % 32; k++)
    hash = (hash ^ in[i * 32 + k]) * 16777619u;
  out[i] = hash;
}

/* run: crc32 grid=64 group=64
   arg: in u8 1024 bits
   arg: out u32 64 */
kernel void crc32(global const uchar *in, global uint *out) {
  uint i = get_global_id(0), crc = ~0u;
  for (uint k = 0; k < 16; k++) {
    crc ^= in[i * 16 + k];
    for (uint bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  out[i] = ~crc;
}

constant uchar alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* run: base64 grid=128 group=64
   arg: in u8 384 bits
   arg: out u8 512 */
kernel void base64(global const uchar *in, global uchar *out) {
  uint i = get_global_id(0);
  uint word = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  for (uint k = 0; k < 4; k++)
    out[4 * i + k] = alphabet[word >> (18 - 6 * k) & 63];
}

/* run: sha_rounds grid=64 group=64
   arg: in u32 1024 bits
   arg: out u32 256 */
kernel void sha_rounds(global const uint *in, global uint *out) {
  uint w[16], i = get_global_id(0);
  for (uint k = 0; k < 16; k++)
    w[k] = in[i * 16 + k];
  uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (uint k = 0; k < 64; k++) {
    uint f = (b & c) | (~b & d), t = rotate(a, 5u) + f + d + 0x5a827999 + w[k & 15];
    w[k & 15] = rotate(w[(k + 13) & 15] ^ w[(k + 8) & 15] ^ w[(k + 2) & 15] ^ w[k & 15], 1u);
    d = c, c = rotate(b, 30u), b = a, a = t;
  }
  out[4 * i] = a, out[4 * i + 1] = b, out[4 * i + 2] = c, out[4 * i + 3] = d;
}

/* run: popcount_bits grid=256 group=64
   arg: in u64 256 bits
   arg: out u32 256 */
kernel void popcount_bits(global const ulong *in, global uint *out) {
  ulong x = in[get_global_id(0)];
  uint count = 0;
  for (ulong rest = x; rest; rest &= rest - 1)
    count++;
  out[get_global_id(0)] = count << 16 | (uint)popcount(x) << 8 | (uint)clz(x);
}
