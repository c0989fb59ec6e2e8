/* matrix.h - what the tables say of matrix instructions: D = A * B + C, shapes and types of elements. */
#ifndef OG_ISA_MATRIX_H
#define OG_ISA_MATRIX_H

#include "isa/isa.h"

enum og_matrix_kind {
  OG_MATRIX_NONE,
  OG_MATRIX_MFMA, OG_MATRIX_SMFMAC, /* gfx908 to gfx950; sparse: A has two of each four elements along k, and C is D */
  OG_MATRIX_WMMA, OG_MATRIX_SWMMAC, /* gfx11 and later */
};

struct og_matrix {
  uint8_t kind;       /* enum og_matrix_kind */
  uint8_t d, a, b, c; /* enum og_element */
  uint8_t m, n, k;    /* D has m rows and n columns; products are summed over k */
  uint8_t blocks;     /* number of independent matrix products */
  uint8_t lanes;      /* of the wave */
  uint8_t scaled;     /* how many elements along k share a scale; 0: there are no scales */
};

/* What a form multiplies; `kind` is OG_MATRIX_NONE if it multiplies no matrices. */
extern const struct og_matrix og_matrices[];
static inline const struct og_matrix *og_form_matrix(const struct og_form *form) { return &og_matrices[form->matrix]; }

#endif
