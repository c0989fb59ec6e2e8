/* reader.h - what the files that read litmus tests share: a cursor over the text, and errors that name a place in
 * it. */
#ifndef OG_LITMUS_READER_H
#define OG_LITMUS_READER_H

#include "litmus/sequence.h"

enum { OG_LITMUS_OPS = 16, OG_LITMUS_RESULTS = 8 };

/* A thread as its text describes it. */
struct og_litmus_draft {
  struct og_text assembly; /* for the assembly form */
  uint32_t line;
  uint32_t ops; /* for the C form */
  struct og_litmus_op op[OG_LITMUS_OPS];
  uint32_t results;
  struct og_text result[OG_LITMUS_RESULTS]; /* names of the results */
};

struct og_litmus_reader {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_source source;
  const char *p, *end;
  struct og_litmus_test *test;
  struct og_litmus_draft draft[OG_LITMUS_THREADS];
  bool c, ir; /* the test is in the C form, in LLVM IR */
};

/* Skips blanks and comments: // to the line's end, and those in (* *) or C's. */
void og_litmus_skip(struct og_litmus_reader *in);
/* The word at the cursor: letters, digits, '_', '.', and '-' except as first character; empty if none begins there. The
 * cursor does not move. */
struct og_text og_litmus_peek(struct og_litmus_reader *in);
struct og_text og_litmus_word(struct og_litmus_reader *in);
/* Skips `what` and returns true if it is at the cursor. */
bool og_litmus_take(struct og_litmus_reader *in, const char *what);
bool og_litmus_expect(struct og_litmus_reader *in, const char *what);
bool og_litmus_number(struct og_litmus_reader *in, uint32_t *value);
bool og_litmus_error(struct og_litmus_reader *in, const char *at, const char *format, ...) OG_PRINTF(3, 4);
/* The place of that name, which is added if there is none; -1 after an error. */
int og_litmus_place_named(struct og_litmus_reader *in, struct og_text name, bool make);

/* Reads the body of a thread in C, up to its closing brace. */
bool og_litmus_read_body(struct og_litmus_reader *in, unsigned thread);
/* Reads its parameters, which say what is in LDS. `generic`: one bit for each place that is reached through a generic
 * pointer. */
bool og_litmus_read_parameters(struct og_litmus_reader *in, uint32_t *generic);
/* Reads a module of LLVM IR with all threads, up to the part of the test behind it. */
bool og_litmus_read_ir(struct og_litmus_reader *in);
bool og_litmus_read_condition(struct og_litmus_reader *in);

#endif
