/* bitcode.h - what the parts of the reader of bitcode share. Codes of records are those of LLVM's LLVMBitCodes.h. */
#ifndef OG_IR_BITCODE_H
#define OG_IR_BITCODE_H

#include "ir/bitstream.h"
#include "ir/ir.h"

/* A constant whose record has been read, but which is not made yet, since it may refer to later ones. */
struct og_bc_constant {
  uint32_t code, type, first, count; /* the record's numbers, in `numbers` */
  uint8_t state;                     /* 0 new, 1 being made, 2 made */
};
struct og_bc_metadata {
  uint32_t node;   /* 1 + metadata; 0: none yet */
  uint32_t value;  /* of a value of the function: 1 + its number */
  uint32_t list;   /* of a !DIArgList: place in the scratch list of its number and then the values' numbers */
};

struct og_bc {
  struct og_bits bits;
  struct og_ir_module *m;
  struct og_arena *arena, *scratch;
  struct og_diagnostics *diagnostics;
  bool failed;
  struct og_text strings; /* the string table */
  OG_VECTOR(og_ir_type) types;
  OG_VECTOR(og_ir_ref) values; /* by number; OG_IR_NONE: a constant that is still to be made */
  OG_VECTOR(struct og_bc_constant) constants;
  OG_VECTOR(uint32_t) constant_of; /* by value: 1 + index in `constants` */
  OG_VECTOR(uint64_t) numbers;
  OG_VECTOR(struct og_bc_metadata) metadata;
  OG_VECTOR(uint32_t) lists;
  struct og_map locations;
  OG_VECTOR(uint32_t) kinds;       /* of attachments, by their number in bitcode: 1 + our number */
  OG_VECTOR(uint32_t) groups;      /* of attributes: triples of number, parameter, set */
  OG_VECTOR(uint32_t) attribute_lists; /* by number: place in `list_groups` */
  OG_VECTOR(uint32_t) list_groups;     /* number of groups, then each */
  OG_VECTOR(uint32_t) sections, collectors, scopes, tags; /* names; of scopes our numbers */
  OG_VECTOR(uint32_t) bodies; /* globals whose bodies follow, in this order */
  OG_VECTOR(uint32_t) sized;  /* pairs: a node, and a field of it whose number is metadata */
  OG_VECTOR(uint64_t) later;  /* values of globals, known at the end: pairs of global and number << 2 | which */
  uint32_t next_body, alloca_space, module_values, module_metadata;
  /* the function that is being read */
  struct og_ir_function *f;
  uint32_t block, last, location; /* the last location: 1 + metadata */
  uint32_t *inst_numbers; /* by an instruction's number in bitcode: its record */
  uint32_t inst_count, inst_room;
};

enum { OG_BC_FORWARD = 1u << 29 }; /* a local value that comes later: FORWARD | its number */

bool og_bc_fail(struct og_bc *b, const char *format, ...) OG_PRINTF(2, 3);
static inline uint64_t og_bc_op(const struct og_bc *b, uint32_t index) { /* 0 if the record is shorter */
  return index < b->bits.record.count ? b->bits.record.items[index] : 0;
}
static inline int64_t og_bc_signed(uint64_t v) { /* sign in the lowest bit */
  return v & 1 ? (v == 1 ? INT64_MIN : -(int64_t)(v >> 1)) : (int64_t)(v >> 1);
}
struct og_text og_bc_text(struct og_bc *b, uint32_t from); /* the record's numbers from there on as bytes */
bool og_bc_type(struct og_bc *b, uint64_t number, og_ir_type *type);
/* The value with a number; in a function it may come later. */
bool og_bc_value(struct og_bc *b, uint64_t number, og_ir_ref *ref);
bool og_bc_constant_value(struct og_bc *b, uint64_t number, og_ir_ref *ref);
uint32_t og_bc_list(struct og_bc *b, uint64_t number, uint32_t parameters); /* of attributes, as a function has it */
bool og_bc_read_types(struct og_bc *b);
bool og_bc_read_groups(struct og_bc *b);
bool og_bc_read_lists(struct og_bc *b);
bool og_bc_read_constants(struct og_bc *b);
bool og_bc_make_constants(struct og_bc *b);
bool og_bc_read_metadata(struct og_bc *b);
bool og_bc_read_kinds(struct og_bc *b);
bool og_bc_read_attachments(struct og_bc *b, struct og_ir_global *g);
bool og_bc_node(struct og_bc *b, uint64_t id, uint32_t *node); /* metadata by number, which may be defined later */
struct og_text og_bc_location_key(struct og_bc *b, const uint64_t values[7]); /* of og_bc.locations */
bool og_bc_finish_metadata(struct og_bc *b);
bool og_bc_read_body(struct og_bc *b);

#endif
