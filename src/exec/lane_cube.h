/* lane_cube.h - coordinates of cube maps, of one lane. */
#ifndef OG_EXEC_LANE_CUBE_H
#define OG_EXEC_LANE_CUBE_H

#include "exec/lane.h"

OG_LANE bool cube_z(f32 x, f32 y, f32 z) {
  return __builtin_fabsf(z) >= __builtin_fabsf(x) && __builtin_fabsf(z) >= __builtin_fabsf(y);
}
OG_LANE bool cube_y(f32 x, f32 y) { return __builtin_fabsf(y) >= __builtin_fabsf(x); }
OG_LANE f32 cube_id(f32 x, f32 y, f32 z) {
  return cube_z(x, y, z) ? (z < 0 ? 5.0f : 4.0f) : cube_y(x, y) ? (y < 0 ? 3.0f : 2.0f) : (x < 0 ? 1.0f : 0.0f);
}
OG_LANE f32 cube_sc(f32 x, f32 y, f32 z) {
  return cube_z(x, y, z) ? (z < 0 ? -x : x) : cube_y(x, y) ? x : (x < 0 ? z : -z);
}
OG_LANE f32 cube_tc(f32 x, f32 y, f32 z) {
  return cube_z(x, y, z) ? -y : cube_y(x, y) ? (y < 0 ? -z : z) : -y;
}
OG_LANE f32 cube_ma(f32 x, f32 y, f32 z) { return 2.0f * (cube_z(x, y, z) ? z : cube_y(x, y) ? y : x); }

#endif
