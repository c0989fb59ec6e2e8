/* table.h - a row of opcodes.def as the passes in this folder use it. */
#ifndef OG_VISA_TABLE_H
#define OG_VISA_TABLE_H

#include "visa/visa.h"

#define T(type) (1u << OG_VISA_##type)
enum {
  T_UD = T(UD), T_D = T(D), T_UW = T(UW), T_W = T(W), T_UB = T(UB), T_B = T(B), T_UQ = T(UQ), T_Q = T(Q),
  T_F = T(F), T_DF = T(DF), T_HF = T(HF), T_BF = T(BF), T_BOOL = T(BOOL),
  T_INT_32 = T_UD | T_D, T_DWORD = T_UD | T_D, T_WORD = T_UW | T_W, T_QWORD = T_UQ | T_Q,
  T_SMALL = T_UD | T_D | T_UW | T_W | T_UB | T_B,
  T_INT = T_SMALL | T_QWORD,
  T_FLT = T_F | T_DF | T_HF | T_BF,
  T_ANY = T_INT | T_FLT,
};
#undef T
enum { MOD = 1, NOT = 2, SAT = 4, SATF = 8, PRED_OPND = 16, ADDR = 32, SCALAR = 64, ODD = 128 };

enum { OG_VISA_MAX_OPERANDS = 48 }; /* switchjmp and sampler parameters included */

struct og_visa_row {
  const char *name, *binary, *text;
  uint32_t dst_types, src_types;
  uint8_t flags, platform;
};

enum { OG_VISA_MAX_LETTERS = 16, OG_VISA_SAMPLE_NAMES = 30 };
/* The binary letter of each fixed operand; returns their number. */
unsigned og_visa_letters(const struct og_visa_row *row, char letters[OG_VISA_MAX_LETTERS]);
/* NULL: no opcode has that number. `sub` chooses among the svm rows. */
const struct og_visa_row *og_visa_row(unsigned opcode, unsigned sub);

/* Names of small enumerations, for readers and writers, by their binary number; NULL is the end. */
extern const char *const og_visa_compare_names[],
    *const og_visa_atomic_names[], *const og_visa_media_names[],
                                       *const og_visa_avs_control_names[],
                                           *const og_visa_avs_mode_names[],
                                               *const og_visa_output_names[],
                                                   *const og_visa_align_names[],
                                                       *const og_visa_sfid_names[],
                                                           *const og_visa_cache_names[],
                                                               *const og_visa_fence_names[],
                                                                   *const og_visa_scope_names[],
                                                                       *const og_visa_precision_names[],
                                                                           *const og_visa_sample_names[],
                                                                               *const og_visa_data_size_names[],
                                                                                   *const og_visa_address_names[];
/* Index of `text` among `names`, or -1. */
int og_visa_find_name(const char *const *names, struct og_text text);
struct og_visa_lsc_op_info {
  const char *name; /* after "lsc_" */
  uint8_t number;
  char kind; /* see OG_VISA_LSC_OPS */
};
extern const struct og_visa_lsc_op_info og_visa_lsc_ops[];
const struct og_visa_lsc_op_info *og_visa_lsc_op(unsigned number); /* NULL when there is none */

/* A file-scope variable is one of the kernel's first general variables, with the attribute FileScope, whose value is
 * its linkage: 0 extern, 1 static, 2 global; -1: it is none. Then the number of the first variable that is the kernel's
 * own. */
#define OG_VISA_FILE_SCOPE "FileScope"
int og_visa_linkage(const struct og_visa_variable *variable);
uint32_t og_visa_first_own(const struct og_visa_kernel *kernel);

/* Sets up a kernel's tables with the predefined variables and the null string. */
struct og_visa_kernel *og_visa_new_kernel(struct og_arena *arena, const char *name, int platform);

#endif
