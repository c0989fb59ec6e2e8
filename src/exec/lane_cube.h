/* lane_cube.h - coordinates of cube maps, of one lane. */
#ifndef OG_EXEC_LANE_CUBE_H
#define OG_EXEC_LANE_CUBE_H

#include "exec/lane.h"

OG_LANE bool cube_z(f32 x, f32 y, f32 z) {
  return __builtin_fabsf(z) >= __builtin_fabsf(x) && __builtin_fabsf(z) >= __builtin_fabsf(y);
}
OG_LANE bool cube_y(f32 x, f32 y) { return __builtin_fabsf(y) >= __builtin_fabsf(x); }
/* Of choices within both sides of a choice gcc makes branches, and then no vectors. */
OG_LANE f32 cube_id(f32 x, f32 y, f32 z) {
  u32 by_z = cube_z(x, y, z), by_y = cube_y(x, y);
  f32 beside_z = by_y ? y : x, major = by_z ? z : beside_z;
  return (f32)(i32)((by_z << 2 | (by_y & (by_z ^ 1)) << 1) + (u32)(major < 0));
}
OG_LANE f32 cube_sc(f32 x, f32 y, f32 z) {
  u32 by_z = cube_z(x, y, z), by_x = (by_z | (u32)cube_y(x, y)) ^ 1;
  u32 negated = (by_z & (u32)(z < 0)) | (by_x & (u32)!(x < 0));
  return f32_of_bits(bits_of_f32(by_x ? z : x) ^ negated << 31);
}
OG_LANE f32 cube_tc(f32 x, f32 y, f32 z) {
  return cube_z(x, y, z) ? -y : cube_y(x, y) ? (y < 0 ? -z : z) : -y;
}
OG_LANE f32 cube_ma(f32 x, f32 y, f32 z) { return 2.0f * (cube_z(x, y, z) ? z : cube_y(x, y) ? y : x); }

#endif
