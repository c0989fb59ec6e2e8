/* print.h - what a kernel printed with printf. */
#ifndef OG_VISA_PRINT_H
#define OG_VISA_PRINT_H

#include "visa/run.h"

enum {
  OG_VISA_PRINT_BUFFER = 1 << 22, /* bytes, as compilers take it to have */
  OG_VISA_PRINT_FIRST = 4         /* where records begin, as the buffer's first dword says at first */
};

/* Makes text of the records in a buffer. */
void og_visa_printed(const struct og_zebin *zebin, const uint8_t *buffer, size_t size, struct og_buffer *out);

#endif
