#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_vote : enable
/* Sums, scans, shuffles, ballots over the lanes of a wave. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = a[i];
  float y = subgroupAdd(x) + subgroupInclusiveAdd(x * 2) + subgroupClusteredMax(x, 8);
  y += subgroupShuffleXor(x, 5) + subgroupQuadSwapHorizontal(x) + subgroupShuffle(x, b[i] & 63) + subgroupQuadBroadcast(x, 2);
  float before = subgroupShuffleUp(x, 1);
  y += (i & 63) != 0 ? before : 0;
  if (x > 0) {
    y += subgroupMin(x) + subgroupExclusiveMul(x);
    uvec4 votes = subgroupBallot(x > 1);
    b[i] = subgroupBallotBitCount(votes) + subgroupBallotExclusiveBitCount(votes) + subgroupBroadcastFirst(i);
  } else if (subgroupAny(x < -1)) {
    b[i] = subgroupOr(b[i]) ^ subgroupInclusiveXor(i);
  }
  a[i] = y;
}
