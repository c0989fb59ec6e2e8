/* tables.h - the documents' code sequences (tables.def) and the classic shapes (shapes.def), and what the sequences do
 * to the shapes. */
#ifndef OG_LITMUS_TABLES_H
#define OG_LITMUS_TABLES_H

#include "litmus/sequence.h"

enum og_table { OG_TABLE_GUIDE, OG_TABLE_OLD, OG_TABLE_COMPILER /* src/cc's, which follows LLVM's later chapters */ };

struct og_table_row {
  uint8_t kind, order;     /* enum og_access_kind, og_order */
  uint8_t scopes, spaces;  /* one bit each */
  const char *sequence[2]; /* for the guide's two columns */
};
/* The rows of a table. The compiler's have the guide's operations; their sequences there do not count. */
const struct og_table_row *og_table_rows(enum og_table table, size_t *count);

/* The sequence that the table gives for an operation; false: it has none. */
bool og_table_sequence(enum og_table table, const struct og_litmus_test *test, enum og_access_kind kind,
                       enum og_order order, enum og_scope scope, enum og_address_space space,
                       struct og_sequence *sequence);
/* Changes a sequence that invalidates inner caches first so that it invalidates the outer ones first; false: nothing to
 * change. */
bool og_sequence_outer_first(struct og_sequence *sequence);
/* Changes it back. */
void og_sequence_swap_invalidates(struct og_sequence *sequence);
extern const char *const og_order_names[OG_ORDERS],
    *const og_scope_names[OG_SCOPES], *const og_space_names[OG_ADDRESS_SPACES], *const og_access_names[4];

struct og_litmus_shape {
  const char *name;
  uint8_t order; /* enum og_order */
  const char *threads, *condition;
};
extern const struct og_litmus_shape og_litmus_shapes[];
extern const size_t og_litmus_shape_count;

/* How a shape is made a test. */
struct og_making {
  enum og_table table;
  enum og_scope scope;
  bool near;                      /* the threads are in one work-group, although the scope is wider */
  uint32_t locals;                /* one bit for each place in LDS */
  enum og_order order;            /* of synchronising accesses; ACQ_REL: acquire of loads and release of stores */
  bool fences, atomics;           /* the order comes from fences between monotonic accesses; from read-modify-writes */
  const struct og_proof_row *row; /* the row that replaces the operations which it fits, or NULL */
};
/* A row for one operation; a part of its sequence may be left out. */
struct og_proof_row {
  enum og_access_kind kind;
  enum og_order order;
  enum og_address_space space;
  struct og_sequence sequence;
};

/* Makes a test of the shape for a target. NULL: the table has no sequence for one of its operations, or the row fits
 * none of them. */
struct og_litmus_test *og_shape_test(struct og_arena *arena, const struct og_litmus_shape *shape,
                                     const struct og_making *making, const struct og_target *target,
                                     struct og_diagnostics *diagnostics);
unsigned og_shape_places(const struct og_litmus_shape *shape);

/* Prints the tables with their verdicts as in docs/memory-model.md; only columns whose titles begin with `title`.
 * False: something is not as it should be. */
bool og_tables_print(const char *title, struct og_buffer *out, struct og_diagnostics *diagnostics);
/* Prints the shapes on every kind of processor, made with orders of every strength. */
bool og_shapes_print(struct og_buffer *out, struct og_diagnostics *diagnostics);

#endif
