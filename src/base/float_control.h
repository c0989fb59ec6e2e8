/* float_control.h - the host's rounding and denormal control, set as a wave's MODE or a vISA thread's CR wants it. */
#ifndef OG_BASE_FLOAT_CONTROL_H
#define OG_BASE_FLOAT_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* The memory clobbers keep arithmetic, whose operands and results are in memory, on its side of a change. */
#if defined __x86_64__
enum { OG_FLOAT_FLAGS = 0x3f }; /* what arithmetic leaves in the control word */
static inline void og_set_float_control(uint32_t control) {
  __asm__ volatile("ldmxcsr %0" : : "m"(control) : "memory");
}
static inline uint32_t og_get_float_control(void) {
  uint32_t control;
  __asm__ volatile("stmxcsr %0" : "=m"(control) : : "memory");
  return control;
}
/* MXCSR: exceptions masked, rounding (down is 1, up is 2), flush to zero, denormals are zero. */
static inline uint32_t og_float_control(unsigned round, unsigned denormals) {
  static const uint32_t rounding[4] = {0, 0x4000, 0x2000, 0x6000};
  return 0x1f80 | rounding[round & 3] | (denormals & 2 ? 0 : 0x8000) | (denormals & 1 ? 0 : 0x40);
}
/* Whether arithmetic takes denormal f32 for zero: for what is done on their bits. */
static inline bool og_flushes_operands(void) { return og_get_float_control() >> 6 & 1; }
#elif defined __aarch64__
enum { OG_FLOAT_FLAGS = 0 };
static inline void og_set_float_control(uint32_t control) {
  __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)control) : "memory");
}
static inline uint32_t og_get_float_control(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control) : : "memory");
  return (uint32_t)control;
}
/* FPCR numbers the rounding modes as MODE does; it flushes operands and results together, so only where MODE keeps
 * neither. */
static inline uint32_t og_float_control(unsigned round, unsigned denormals) {
  return (round & 3) << 22 | (denormals & 3 ? 0 : 1u << 24);
}
static inline bool og_flushes_operands(void) { return og_get_float_control() >> 24 & 1; }
#else
#include <fenv.h>
enum { OG_FLOAT_FLAGS = 0 };
static inline void og_set_float_control(uint32_t control) { fesetround((int)control); }
static inline uint32_t og_get_float_control(void) { return (uint32_t)fegetround(); }
static inline uint32_t og_float_control(unsigned round, unsigned denormals) {
  static const int rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  (void)denormals; /* kept always */
  return (uint32_t)rounding[round & 3];
}
static inline bool og_flushes_operands(void) { return false; }
#endif

/* From one to another: the host takes its time to change, so not where they are alike. */
static inline void og_change_float_control(uint32_t from, uint32_t to) {
  if ((from ^ to) & ~(uint32_t)OG_FLOAT_FLAGS)
    og_set_float_control(to);
}

#endif
