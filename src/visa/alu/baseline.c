/* baseline.c - the arithmetic for one level of processors; build.cmake gives the options. */
#define OG_ALU_NAME og_alu_baseline
#include "visa/alu/loops.h"
