/* lane.h - what isa/semantics.sem is written in: types, and the bits of floats. The small functions over one lane are
 * in lane_*.h; hot ones have no branches on data, so that the loops around them become vector code. */
#ifndef OG_EXEC_LANE_H
#define OG_EXEC_LANE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef int8_t i8;
typedef uint16_t u16;
typedef int16_t i16;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;
typedef float f32;
typedef double f64;

#define OG_LANE static inline __attribute__((always_inline, unused))

OG_LANE f32 f32_of_bits(u32 bits) { f32 x; __builtin_memcpy(&x, &bits, 4); return x; }
OG_LANE u32 bits_of_f32(f32 x) { u32 bits; __builtin_memcpy(&bits, &x, 4); return bits; }
OG_LANE f64 f64_of_bits(u64 bits) { f64 x; __builtin_memcpy(&x, &bits, 8); return x; }
OG_LANE u64 bits_of_f64(f64 x) { u64 bits; __builtin_memcpy(&bits, &x, 8); return bits; }

#endif
