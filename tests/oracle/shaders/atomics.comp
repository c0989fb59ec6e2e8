#version 450
#extension GL_EXT_shader_atomic_int64 : enable
#extension GL_ARB_gpu_shader_int64 : enable
/* Atomic operations on buffers, LDS and images, with and without a result. */
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer A { uint count; uint most; uint bins[256]; };
layout(set = 0, binding = 1) coherent buffer B { uint lock[]; };
layout(set = 0, binding = 2) buffer C { uint64_t wide[]; };
layout(set = 0, binding = 4, r32ui) uniform uimage2D image;
shared uint local[256];
shared uint total;
void main() {
  uint l = gl_LocalInvocationID.x, i = gl_GlobalInvocationID.x;
  local[l] = 0;
  if (l == 0) total = 0;
  barrier();
  atomicAdd(local[i * 7 & 255], i);
  uint before = atomicMax(total, i & 1023);
  memoryBarrierShared();
  barrier();
  atomicAdd(bins[l], local[l]);
  uint place = atomicAdd(count, 1);
  atomicMin(most, place ^ before);
  if (atomicCompSwap(lock[place & 63], 0, i) == 0) {
    wide[i] += 5;
    memoryBarrierBuffer();
    atomicExchange(lock[place & 63], 0);
  }
  wide[i + 1] = wide[i] * 3 + imageAtomicAdd(image, ivec2(l, place & 15), i);
  imageAtomicOr(image, ivec2(l, l), place);
}
