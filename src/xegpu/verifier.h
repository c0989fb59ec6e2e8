/* verifier.h - shared by the files of the verifier. */
#ifndef OG_XEGPU_VERIFIER_H
#define OG_XEGPU_VERIFIER_H

#include "xegpu/table.h"

struct og_mlir_verifier {
  const struct og_mlir_module *m;
  struct og_diagnostics *diagnostics;
  bool ok;
};

/* Reports an error of an operation, beginning with "'name' op " as mlir-opt does; returns false. */
bool og_mlir_wrong(struct og_mlir_verifier *v, const struct og_mlir_op *op, const char *format, ...) OG_PRINTF(3, 4);
const char *og_mlir_words(struct og_mlir_verifier *v, og_mlir_type type);                         /* a type as text */
const char *og_mlir_shape_words(struct og_mlir_verifier *v, const int64_t *shape, uint32_t rank); /* [8, 16] */
struct og_mlir_op *og_mlir_symbol(const struct og_mlir_op *in, og_mlir_attr name); /* NULL: there is none */

/* Rules beyond those of the rows, by family; true if the operation does not belong to it. */
bool og_mlir_verify_standard(struct og_mlir_verifier *v, const struct og_mlir_op *op);
bool og_mlir_verify_vector(struct og_mlir_verifier *v, const struct og_mlir_op *op);
bool og_mlir_verify_xegpu22(struct og_mlir_verifier *v, const struct og_mlir_op *op);
bool og_mlir_verify_xegpu19(struct og_mlir_verifier *v, const struct og_mlir_op *op);
bool og_mlir_verify_rfc(struct og_mlir_verifier *v, const struct og_mlir_op *op);
/* Whether the hints of a load or store are allowed. */
bool og_mlir_verify_hints(struct og_mlir_verifier *v, const struct og_mlir_op *op, bool write);

#endif
