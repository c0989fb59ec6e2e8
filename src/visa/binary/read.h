/* read.h - shared by the files that read the binary form: the position in its bytes. */
#ifndef OG_VISA_READ_BINARY_H
#define OG_VISA_READ_BINARY_H

#include "visa/table.h"

struct og_vb {
  const uint8_t *data;
  size_t size, at;
  bool failed;
  const char *file;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_visa_kernel *kernel;
  const char **pool;
  uint32_t pool_count;
  struct og_visa_variables shared; /* the header's file-scope variables */
  uint32_t *places;                /* by file-scope variable: its index in the kernel; 0: it has none yet */
  uint32_t own;                    /* the kernel's first own variable, behind the file-scope ones that it uses */
};

/* Keeps the first error, with its place in the file; returns false. */
bool og_vb_fail(struct og_vb *b, const char *format, ...) OG_PRINTF(2, 3);
/* Zero after an error. */
uint64_t og_vb_take(struct og_vb *b, unsigned bytes);
static inline uint8_t og_vb_take8(struct og_vb *b) { return (uint8_t)og_vb_take(b, 1); }
static inline uint16_t og_vb_take16(struct og_vb *b) { return (uint16_t)og_vb_take(b, 2); }
static inline uint32_t og_vb_take32(struct og_vb *b) { return (uint32_t)og_vb_take(b, 4); }
const char *og_vb_string(struct og_vb *b, uint32_t index); /* of the kernel's pool */
/* The index of a variable in its class's table, by what the file says. */
uint32_t og_vb_checked(struct og_vb *b, char class, uint32_t index);
/* One instruction, appended to the kernel's. */
void og_vb_take_inst(struct og_vb *b);

#endif
