/* select.h - shared by the files that make machine instructions of the IR's. */
#ifndef OG_CC_SELECT_H
#define OG_CC_SELECT_H

#include "cc/intrinsics.h"
#include "cc/machine.h"

typedef struct cc_operand operand;

/* A part of a value or constant, 32 bits or a smaller element. */
operand cc_part(struct cc_function *c, og_ir_ref ref, uint32_t index);
operand cc_part_anywhere(struct cc_function *c, og_ir_ref ref, uint32_t index); /* perhaps an accumulation register */
operand cc_global_address(struct cc_function *c, uint32_t global); /* in scalar registers */
uint32_t cc_count(struct cc_function *c, og_ir_ref ref);
uint8_t cc_place_of(const struct cc_function *c, og_ir_ref ref); /* constants are scalar */
og_ir_type cc_type_of(const struct cc_function *c, og_ir_ref ref);
/* Makes parts those of a value; the file in which the value is to be computed. */
void cc_define(struct cc_function *c, uint32_t record, const operand *parts, uint32_t count);
unsigned cc_file(const struct cc_function *c, uint32_t record);
/* A register of several dwords with these parts: the one that they are in already, or a new one. */
operand cc_tuple(struct cc_function *c, const operand *parts, unsigned count, int file); /* -1: either */
operand cc_pair(struct cc_function *c, og_ir_ref ref, uint32_t index, int file);         /* parts index and index + 1 */
void cc_move(struct cc_function *c, operand to, operand from);                           /* 32 bits, into either file */
operand cc_in_vector(struct cc_function *c, operand o);                    /* a vector register with its 32 bits */
/* The same in a register that is not written again and is remembered for the rest of the block. */
operand cc_kept(struct cc_function *c, unsigned file, operand o);
operand cc_mask(struct cc_function *c, og_ir_ref i1);                      /* a bit for each lane where it is true */
operand cc_bool_vector(struct cc_function *c, og_ir_ref i1);               /* 0 or 1 in each lane's register; */
operand cc_bool_value(struct cc_function *c, og_ir_ref i1, unsigned file); /* 0 or 1 in a register of that file */
/* Whether there are instructions of 16 bits that leave zeros above: gfx8 and gfx9. */
static inline bool cc_has_short(const struct cc_function *c, unsigned bits) {
  return bits == 16 && c->isa->generation >= OG_GFX8 && !c->isa->gfx10;
}
bool cc_scc(struct cc_function *c, og_ir_ref i1);                          /* false: SCC is the opposite */
void cc_define_mask(struct cc_function *c, uint32_t record, operand mask);

/* An instruction with one result. Those of vectors get operands as their encoding takes them. */
operand cc_salu(struct cc_function *c, unsigned row, unsigned dwords, unsigned count, const operand *sources);
void cc_valu_to(struct cc_function *c, unsigned row, operand to, unsigned count, const operand *sources);
bool cc_valu_parts(struct cc_function *c, unsigned row, unsigned bits, operand to, unsigned count,
                   const operand *sources);
operand cc_valu(struct cc_function *c, unsigned row, unsigned dwords, unsigned count, const operand *sources);
#define SALU(c, row, dwords, ...)                                                                                      \
  cc_salu(c, OG_ROW_##row, dwords, sizeof((operand[]){__VA_ARGS__}) / sizeof(operand), (operand[]){__VA_ARGS__})
#define VALU(c, row, dwords, ...)                                                                                      \
  cc_valu(c, OG_ROW_##row, dwords, sizeof((operand[]){__VA_ARGS__}) / sizeof(operand), (operand[]){__VA_ARGS__})
/* The same in the file that is asked for: with the scalar or the vector row. */
#define ALU(c, file, s, v, ...) ((file) == CC_S ? SALU(c, s, 1, __VA_ARGS__) : VALU(c, v, 1, __VA_ARGS__))
operand cc_add(struct cc_function *c, unsigned file, operand a, operand b);
operand cc_sub(struct cc_function *c, unsigned file, operand a, operand b);
operand cc_mul(struct cc_function *c, unsigned file, operand a, operand b);
operand cc_shift(struct cc_function *c, unsigned file, int opcode, operand value, operand amount);
/* The same by a constant to the right; the result remembers the register and bit that it comes from. */
operand cc_shift_out(struct cc_function *c, unsigned file, int opcode, operand value, uint32_t by);
operand cc_add64(struct cc_function *c, unsigned file, operand a[2], operand b[2], bool subtract);
operand cc_extend(struct cc_function *c, unsigned file, operand o, unsigned bits, bool is_signed);
/* How many of the lowest bits may be set; notes that no others are set in what was just made. */
unsigned cc_width(const struct cc_function *c, operand o);
operand cc_narrow(struct cc_function *c, operand o, unsigned bits);
operand cc_compare(struct cc_function *c, unsigned row, operand a, operand b); /* returns a mask */
operand cc_choose(struct cc_function *c, operand mask, operand yes, operand no);
static inline operand cc_neg(operand o) {
  o.flags ^= OG_NEG;
  return o;
}

/* select_cast.c: floats of 16 bits that are only stored as such: bfloat, and half where it has no instructions. */
bool cc_is_promoted(const struct cc_function *c, og_ir_type scalar);
operand cc_to_float(struct cc_function *c, og_ir_type scalar, operand o);
operand cc_from_float(struct cc_function *c, og_ir_type scalar, operand o);

bool cc_select_arithmetic(struct cc_function *c, uint32_t record);
bool cc_select_choice(struct cc_function *c, uint32_t record);
bool cc_select_element(struct cc_function *c, uint32_t record);
bool cc_select_member(struct cc_function *c, uint32_t record);
bool cc_select_cast(struct cc_function *c, uint32_t record);
bool cc_select_memory(struct cc_function *c, uint32_t record);
bool cc_select_alloca(struct cc_function *c, uint32_t record); /* select_stack.c */
bool cc_select_stack(struct cc_function *c, uint32_t record, struct og_text name);
bool cc_select_math(struct cc_function *c, uint32_t record, struct og_text name);
/* by V_TRUNC_F64 and the like, or by what does the same */
operand cc_round_double(struct cc_function *c, unsigned row, operand x);
/* select_whole.c: finds which records are computed with other lanes on; sets EXEC for a record; 0: as at a block's
 * end. */
bool cc_find_modes(struct cc_function *c);
void cc_enter_mode(struct cc_function *c, uint32_t record);
bool cc_select_whole(struct cc_function *c, uint32_t record, struct og_text name);
bool cc_select_wave(struct cc_function *c, uint32_t record, struct og_text name);
/* Whether an intrinsic of wave.def has a result that all lanes share. */
bool cc_is_scalar_wave(const struct cc_function *c, struct og_text name);
operand cc_work_group_id(struct cc_function *c, unsigned axis); /* CC_NONE: the kernel does not get it */
void cc_wait_until_read(struct cc_function *c); /* waits until exports and the like have read their registers */
bool cc_select_state(struct cc_function *c, uint32_t record, struct og_text name);
/* select_cast.c: the upper half of flat addresses of LDS or private memory; casts an address that is not null. */
operand cc_aperture(struct cc_function *c, bool private);
bool cc_select_nonnull(struct cc_function *c, uint32_t record);
bool cc_select_lanes(struct cc_function *c, uint32_t record, struct og_text name);
bool cc_select_operation(struct cc_function *c, uint32_t record, struct og_text name);
bool cc_select_image(struct cc_function *c, uint32_t record, struct og_text name);
bool cc_select_async(struct cc_function *c, uint32_t record, struct og_text name);
bool cc_is_async_load(struct og_text name); /* a load to LDS whose end only asyncmarks tell */
bool cc_select_wide(struct cc_function *c, uint32_t record);
bool cc_select_divide(struct cc_function *c, uint32_t record);
enum { CC_TUPLE_MOST = 32 }; /* dwords of one register */
/* select_packed.c: operations on two elements of 16 bits at once; whether there is one for vectors of two
 * (cc_scalarize()). */
bool cc_select_pair(struct cc_function *c, uint32_t record);
bool cc_is_packed_phi(struct cc_function *c, uint32_t record); /* its registers hold two elements each */
bool cc_has_pairs(const struct og_isa *isa, uint8_t opcode, struct og_text name, uint8_t kind); /* of the elements */
bool cc_has_float_pairs(const struct og_isa *isa, uint8_t opcode, struct og_text name); /* the same of floats */
operand cc_pack_bytes(struct cc_function *c, const operand *parts, unsigned count); /* the lowest bytes of up to four */
/* The register that an element is in, and from which bit on. */
operand cc_home(const struct cc_function *c, operand o, unsigned *bit);
operand cc_pack_halves(struct cc_function *c, operand low, operand high); /* the lowest 16 bits of both */
/* select_matrix.c: by record: it is a phi in the sum of matrix instructions. */
const bool *cc_find_sums(struct cc_function *c);
bool cc_is_matrix(struct og_text name);
bool cc_select_matrix(struct cc_function *c, uint32_t record, struct og_text name);
/* select_memory.c: a value as the dwords that it fills in memory; a value of such dwords. */
void cc_pack(struct cc_function *c, og_ir_ref value, og_ir_type type, operand *raw);
bool cc_unpack(struct cc_function *c, uint32_t record, unsigned file, const operand *dwords);
/* The bits of dwords from `at` on; those above the element may be anything. */
operand cc_element_of(struct cc_function *c, unsigned file, const operand *dwords, uint64_t at);
/* Whether two halves are already those of one dword. */
bool cc_are_halves(const struct cc_function *c, operand low, operand high);
void cc_load_arguments(struct cc_function *c);                  /* inputs.c */
void cc_select_pointer(struct cc_function *c, uint32_t record); /* getelementptr */
/* No instruction: inline assembly, until registers have numbers (assembly.c). */
enum { CC_ROW_ASSEMBLY = 0xfffd };
/* No instruction: before what follows runs, all earlier memory accesses have ended, or those that its policy names. */
enum { CC_ROW_WAIT_ALL = 0xfffe };

#endif
