/* element.c - formats of numbers. */
#include "exec/element.h"

#include "isa/isa.h"

const struct og_element_facts og_element_facts[OG_ELEMENT_COUNT] = {
    [OG_ELEMENT_F64] = {52, 0},   [OG_ELEMENT_F32] = {23, -126}, [OG_ELEMENT_XF32] = {10, -126},
    [OG_ELEMENT_F16] = {10, -14}, [OG_ELEMENT_BF16] = {7, -126}, [OG_ELEMENT_FP8] = {3, -6},
    [OG_ELEMENT_BF8] = {2, -14},  [OG_ELEMENT_FP6] = {3, 0},     [OG_ELEMENT_BF6] = {2, -2},
    [OG_ELEMENT_F4] = {1, 0}};
