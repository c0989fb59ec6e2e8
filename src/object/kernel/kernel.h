/* kernel.h - what starts a kernel, in directives and bytes: `.amdhsa_*`, `.amd_kernel_code_t`. */
#ifndef OG_KERNEL_H
#define OG_KERNEL_H

#include "base/base.h"
#include "target/initial_state.h"

/* ---- kernel descriptor: `.amdhsa_*` directives to its 64 bytes and back ------------------------------------------ */

enum { OG_KD_REQUIRED = -1, OG_KD_BY_TARGET = -2, OG_KD_COMPUTED = -3 };

/* directives.def: OG_KDD_NEXT_FREE_VGPR and so on. */
#define SAME(id, ...) OG_KDD_##id,
#define LIMITED(id, ...) OG_KDD_##id,
#define COUNTED(id, ...) OG_KDD_##id,
enum og_kd_directive {
#include "object/kernel/directives.def"
  OG_KDD_COUNT
};
#undef SAME
#undef LIMITED
#undef COUNTED

struct og_kd_directive_info {
  const char *name; /* without ".amdhsa_" */
  uint8_t size;     /* of the name */
  uint8_t field;    /* enum og_kd_field that it sets; OG_KD_FIELD_COUNT where that takes counting */
  uint8_t bits;     /* without a field */
  int8_t default_value;
  uint32_t where;   /* 0: where the field exists */
};
extern const struct og_kd_directive_info og_kd_directives[OG_KDD_COUNT];
/* Of a text that is ".amdhsa_x" or "x", or begins with it and a blank; -1 if there is none. Looked for from `first` on:
 * they mostly come in order. */
int og_find_kd_directive(struct og_text text, unsigned first);
const char *og_kd_refusal(const struct og_target *target,
                          enum og_kd_directive directive); /* what LLVM says where it does not exist */

/* What a target has, looked for once. */
struct og_kd_layout {
  const struct og_target *target;
  const struct og_kd_row *rows[OG_KD_FIELD_COUNT + 1]; /* as og_kd_find_all() has them */
  uint8_t bits[OG_KDD_COUNT];                          /* of a directive's value; 0 where it does not exist */
};
struct og_kd_layout og_kd_layout_of(const struct og_target *target);

/* What the source said between .amdhsa_kernel and .end_amdhsa_kernel. */
struct og_kd_values {
  uint64_t value[OG_KDD_COUNT];
  bool given[OG_KDD_COUNT];
  struct og_range range[OG_KDD_COUNT]; /* of the value, for errors about combinations */
};

/* The default of the directive; 0 if it is required, or follows from others. */
uint64_t og_kd_default(const struct og_kd_layout *layout, enum og_kd_directive directive);
/* Values -> the 64 bytes, granulated counts included; kernel_code_entry_byte_offset is left 0 (a REL64
 * relocation at byte 16). `end` is the place of .end_amdhsa_kernel, where what is missing is reported. Not
 * given values take their defaults. */
bool og_kd_encode(const struct og_kd_layout *layout, const struct og_kd_values *values,
                  struct og_range end, uint8_t *descriptor, struct og_diagnostics *diagnostics);
/* The 64 bytes -> values that encode to the same bytes, for printing; false where reserved
 * bits are set (name says which). */
bool og_kd_decode(const struct og_kd_layout *layout, const uint8_t *descriptor, struct og_kd_values *values,
                  const char **bad_field);
/* The end of the line with the kernel's name, and lines "\t\t.amdhsa_x value\n", as LLVM's assembler prints them. */
void og_kd_print(const struct og_kd_values *values, struct og_buffer *out);
/* The same as llvm-objdump prints it, which need not encode to the same bytes. */
bool og_kd_dump(const struct og_target *target, int version, const char *name, const uint8_t *descriptor,
                struct og_buffer *out);

/* ---- amd_kernel_code_t: 256 bytes before a kernel's code, code object V2 (compute ABI, "AMD Kernel Code") -------- */

enum { OG_KERNEL_CODE_SIZE = 256 };

struct og_kernel_code_field {
  const char *key;        /* "amd_code_version_major", "compute_pgm_rsrc1_vgprs" ... as in .amd_kernel_code_t */
  const char *alias;      /* other accepted spelling, or NULL */
  uint8_t byte, size;     /* word */
  uint8_t bit, bits;      /* within the word */
  bool printed;           /* others are parts or wholes of printed ones */
};
extern const struct og_kernel_code_field og_kernel_code_fields[];
extern const size_t og_kernel_code_field_count;

const struct og_kernel_code_field *og_find_kernel_code_field(struct og_text key);
uint64_t og_kernel_code_get(const uint8_t *kernel_code, const struct og_kernel_code_field *field);
bool og_kernel_code_set(uint8_t *kernel_code, const struct og_kernel_code_field *field,
                        uint64_t value); /* false: does not fit */
void og_kernel_code_defaults(const struct og_target *target, uint8_t *kernel_code);
/* Lines "\t\tkey = value\n" for all that the assembler takes. */
void og_kernel_code_print(const uint8_t *kernel_code, struct og_buffer *out);
bool og_kernel_code_is_said(const uint8_t *kernel_code); /* these lines give the same bytes back */
/* The 64-byte descriptor that asks for the same (entry offset relative to the
 * amd_kernel_code_t): one form for the executor. */
void og_kernel_code_to_descriptor(const uint8_t *kernel_code, uint8_t *descriptor);

#endif
