/* printed.h - what kernels print, as text: HIP's messages and OpenCL's buffer. Both are the kernel's own bytes: nothing
 * is believed before it has been held against their end. */
#ifndef OG_PRINTED_H
#define OG_PRINTED_H

#include "object/object.h"

/* A message of HIP's printf: where to (1: standard error), the format, arguments in words of 8 bytes, strings in as
 * many as they take with their NUL. false: it is none. */
bool og_print_message(const uint64_t *words, size_t count, bool *to_stderr, struct og_buffer *out);

enum { OG_PRINTF_FIRST = 8 /* where records begin in OpenCL's buffer: behind their size and the buffer's */ };
/* The records of OpenCL's printf: the number of a format of the code object's metadata, then arguments, as large as it
 * says there. */
void og_print_buffer(const struct og_code_object *code, const uint8_t *buffer, size_t size, struct og_buffer *out);

#endif
