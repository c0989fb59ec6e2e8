/* avx512.c - the arithmetic for one level of processors; build.cmake gives the options. */
#if defined(__x86_64__)
#define OG_ALU_NAME og_alu_avx512
#include "visa/alu/loops.h"
#else
typedef int og_alu_level_is_for_x86_only;
#endif
