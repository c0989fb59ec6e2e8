/* bytes.h - bytes that grow, as numbers and blocks with their sizes before them, and how they are taken apart again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct comgr_bytes {
  char *bytes; /* its holder frees them */
  size_t size, room;
  bool failed; /* there was no memory for some of them */
};

void og_comgr_number(struct comgr_bytes *to, uint64_t number);

/* A block whose bytes are still to be written; NULL without memory. */
char *og_comgr_new_block(struct comgr_bytes *to, size_t size);

void og_comgr_block(struct comgr_bytes *to, const void *bytes, size_t size);

/* What is left to be taken from bytes. */
struct comgr_rest {
  const char *bytes;
  size_t size;
};

bool og_comgr_take_number(struct comgr_rest *from, uint64_t *number);
bool og_comgr_take_block(struct comgr_rest *from, struct comgr_rest *block);
