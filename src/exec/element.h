/* element.h - what the formats of numbers are that matrices and conversions have for elements; widths:
 * og_element_bits(). */
#ifndef OG_EXEC_ELEMENT_H
#define OG_EXEC_ELEMENT_H

#include <stdint.h>

struct og_element_facts {
  uint8_t mantissa;       /* bits behind the point of a float's significand */
  int8_t least_exponent;  /* of a normal float */
};
extern const struct og_element_facts og_element_facts[]; /* by enum og_element; of integers 0 */

#endif
