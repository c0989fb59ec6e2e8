/* buffer_format.h - formats of buffer elements: what is in memory, their values and names. Knows no instruction. */
#ifndef OG_BUFFER_FORMAT_H
#define OG_BUFFER_FORMAT_H

#include "target/target.h"

/* How a component's bits become a number: OG_NUMBER_UNORM and so on. */
#define NUMBER(value, id, name) OG_NUMBER_##id = value,
enum og_number_format {
#include "texel/buffer_formats.def"
  OG_NUMBER_SRGB = 9, /* of images alone */
};
#undef NUMBER

/* Bits of each component, the one in the lowest bits first. */
struct og_data_format {
  const char *name;       /* "BUF_DATA_FORMAT_8_8" */
  uint8_t count, bits[4]; /* count 0: nothing is there */
};

struct og_buffer_format {
  const char *name;     /* "BUF_FMT_8_8_UNORM", up to gfx9 NULL */
  uint8_t data, number; /* enum og_number_format */
};

/* Of a value of the FORMAT field, in instructions and in resources; data format 0 where there is none. Up to gfx9 the
 * data format stands in bits 3:0, the number format in 6:4. */
struct og_buffer_format og_buffer_format(enum og_generation generation, unsigned value);
/* The other way; -1: the generation has no such format. */
int og_buffer_format_value(enum og_generation generation, unsigned data, unsigned number);
const struct og_data_format *og_data_format(unsigned data); /* NULL: there is no such value */
/* The one with so many components of so many bits each; NULL: there is none. */
const struct og_data_format *og_even_data_format(unsigned bits, unsigned count);
const char *og_number_format_name(enum og_generation generation,
                                  unsigned number); /* "BUF_NUM_FORMAT_UNORM"; NULL: no such value */

#endif
