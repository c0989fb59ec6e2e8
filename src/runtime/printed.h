/* printed.h - turns what kernels print into text: HIP's messages and OpenCL's buffer. Kernels write both, so every
 * length in them is checked against their end. */
#ifndef OG_PRINTED_H
#define OG_PRINTED_H

#include "object/object.h"

/* Prints a message of HIP's printf. It holds the stream (1: standard error), the format, and the arguments in words of
 * 8 bytes; strings take as many words as they and their NUL need. False: it is no message. */
bool og_print_message(const uint64_t *words, size_t count, bool *to_stderr, struct og_buffer *out);

enum { OG_PRINTF_FIRST = 8 /* where records begin in OpenCL's buffer: behind the used size and the buffer's size */ };
/* Prints the records of OpenCL's printf: each is the number of a format in the code object's metadata, then arguments
 * with the sizes given there. */
void og_print_buffer(const struct og_code_object *code, const uint8_t *buffer, size_t size, struct og_buffer *out);

#endif
