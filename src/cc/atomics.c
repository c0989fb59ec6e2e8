/* atomics.c - which atomic operations have an instruction, by atomic.def; the others are loops (expand_atomic.c). */
#include "cc/atomics.h"

#include "cc/address.h"
#include "cc/opt.h"

enum type { NO_TYPE, I32, I64, F32, F64, PAIR_F16, PAIR_BF16 };
enum { BY_FLAT, IN_GLOBAL, IN_LDS, IN_LDS_WITH_RESULT, BY_BUFFER, WAYS };

static const struct atomic {
  uint8_t operation, type;
  uint16_t rows[WAYS];
} atomics[] = {
#define ATOMIC(operation, type, flat, global, lds, lds_with_result, buffer)                                            \
  {OG_IR_##operation,                                                                                                  \
   type,                                                                                                               \
   {OG_ROW_##flat, OG_ROW_##global, OG_ROW_##lds, OG_ROW_##lds_with_result, OG_ROW_##buffer}},
#include "cc/atomic.def"
};

static enum type type_of(const struct og_ir_module *m, og_ir_type type, bool moves) {
  uint8_t kind = og_ir_kind(m, type), element = og_ir_kind(m, og_ir_scalar(m, type));
  uint64_t size = cc_store_size(m, type);
  if (moves || kind == OG_IR_INTEGER || kind == OG_IR_POINTER)
    return size == 4 ? I32 : size == 8 ? I64 : NO_TYPE;
  if (kind == OG_IR_VECTOR && size == 4)
    return element == OG_IR_HALF ? PAIR_F16 : element == OG_IR_BFLOAT ? PAIR_BF16 : NO_TYPE;
  return kind == OG_IR_FLOAT ? F32 : kind == OG_IR_DOUBLE ? F64 : NO_TYPE;
}

static bool has_row(const struct og_isa *isa, unsigned row) {
  for (unsigned f = 0; f < og_form_count(isa); f++)
    if (og_form(isa, f)->row == row && og_form_fits(isa, og_form(isa, f)))
      return true;
  return false;
}

static bool says(const struct og_ir_module *m, const struct og_ir_inst *i, const char *kind) {
  return cc_attachment(m, i->attachments, kind) != UINT32_MAX;
}

/* Whether a scope is one processor or less, also with "-one-as". */
static bool is_narrow(struct og_text scope) {
  static const char *const narrow[] = {"singlethread", "wavefront", "workgroup", "cluster", "agent"};
  for (unsigned k = 0; k < OG_COUNT(narrow); k++)
    if (og_text_skip(&scope, narrow[k]))
      return true;
  return false;
}

/* Memory other than the processor's own does not add floats, and gives no error. So the IR must say that it is not such
 * memory; where the processor's caches do the addition for a narrow scope, the scope is enough (user guide, "LLVM IR
 * Metadata"; llc-22). */
static bool memory_has_floats(const struct og_isa *isa, const struct og_ir_module *m, const struct og_ir_inst *i,
                              const struct atomic *a, bool result) {
  struct og_ir_memory memory = og_ir_memory(i->extra);
  if (isa->gfx1250)
    return true;
  bool narrow = is_narrow(m->scopes.items[memory.scope]);
  if (!says(m, i, "amdgpu.no.fine.grained.memory") && !(narrow && (isa->gfx940 || isa->gfx12)))
    return false;
  bool flushes = isa->generation == OG_GFX908 || (isa->gfx90a && !isa->gfx940);
  if (flushes && a->operation == OG_IR_RMW_FADD && a->type == F32 && !says(m, i, "amdgpu.ignore.denormal.mode"))
    return false;
  return !result || isa->generation != OG_GFX908;
}

bool cc_atomic_row(const struct og_isa *isa, const struct og_ir_module *m, const struct og_ir_inst *i, og_ir_type type,
                   unsigned space, bool result, unsigned *row) {
  uint8_t operation = og_ir_memory(i->extra).operation;
  enum type wanted = type_of(m, type, operation == OG_IR_XCHG);
  bool integer = wanted == I32 || wanted == I64;
  unsigned way = space == LDS                                      ? (unsigned)IN_LDS + result
                 : space == GLOBAL && isa->generation < OG_GFX7    ? BY_BUFFER
                 : space == GLOBAL && isa->generation >= OG_GFX900 ? IN_GLOBAL
                                                                   : BY_FLAT;
  for (unsigned k = 0; k < OG_COUNT(atomics); k++) {
    const struct atomic *a = &atomics[k];
    if (a->operation != operation || a->type != wanted)
      continue;
    *row = a->rows[way];
    if (integer && operation != OG_IR_RMW_USUB_COND) /* every processor has it */
      return true;
    if ((integer || space == LDS || memory_has_floats(isa, m, i, a, result)) && has_row(isa, *row))
      return true;
  }
  return false;
}
