/* decode.c - from code to operations, when first reached. */
#include <string.h>

#include "exec/convert.h"
#include "exec/matrix.h"
#include "exec/memory.h"
#include "exec/modifiers.h"
#include "exec/program.h"
#include "exec/vector.h"
#include "isa/msb.h"
#include "isa/rows.h"

bool og_prepare_vector(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  return og_prepare_vector_row(program, inst->row, inst, op) || og_prepare_conversion(program, inst, op) ||
         og_prepare_scalar_result(program, inst, op) || og_prepare_interpolation(program, inst, op);
}

static bool prepare(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct og_matrix *matrix = og_form_matrix(og_form(program->isa, inst->form));
  if (matrix->kind != OG_MATRIX_NONE)
    return og_prepare_matrix(program, inst, matrix, op);
  switch (inst->encoding) {
  case OG_ENC_SOP1: case OG_ENC_SOP2: case OG_ENC_SOPC: case OG_ENC_SOPK: case OG_ENC_SOPP:
    return og_prepare_scalar(program, inst, op);
  case OG_ENC_VOP1: case OG_ENC_VOP2: case OG_ENC_VOPC: case OG_ENC_VOP3: case OG_ENC_VOP3P:
  case OG_ENC_VINTERP:
    return og_prepare_vector(program, inst, op);
  case OG_ENC_VOPD: return og_prepare_pair(program, inst, op);
  default: return og_prepare_memory(program, inst, op);
  }
}

/* ---- operands that are not registers ----------------------------------------------------------------------------- */

/* An operation that reads VCCZ, EXECZ or LDS, and what does it once these are up to date. */
struct og_flag_reader {
  const struct og_operation *op;
  og_handler *handler;
  struct og_flag_reader *next;
  bool lds;
};

const struct og_operation *og_read_refreshed(struct og_wave *wave, const struct og_operation *op) {
  wave->s[OG_S_VCCZ] = og_mask(wave, OG_S_VCC) == 0;
  wave->s[OG_S_EXECZ] = og_mask(wave, OG_S_EXEC) == 0;
  const struct og_flag_reader *reader = __atomic_load_n(&wave->program->flag_readers, __ATOMIC_ACQUIRE);
  while (reader && reader->op != op)
    reader = reader->next;
  if (!reader)
    return og_wave_fault(wave, op, "src_vccz, src_execz or src_lds_direct with an indexed register");
  return reader->lds && !og_lds_direct(wave, op, &wave->s[OG_S_LDS_DIRECT]) ? &og_stop : reader->handler(wave, op);
}

static void wrap_reader(struct og_program *program, const struct og_operation *slot, bool lds,
                        struct og_operation *fresh) {
  struct og_flag_reader *reader = OG_NEW(program->arena, struct og_flag_reader);
  *reader = (struct og_flag_reader){slot, fresh->handler, program->flag_readers, lds};
  fresh->handler = og_read_refreshed;
  __atomic_store_n(&program->flag_readers, reader, __ATOMIC_RELEASE);
}

static bool reads(const struct og_inst *inst, enum og_special special) {
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].kind == OG_OPERAND_SPECIAL && inst->operands[i].reg == special)
      return true;
  return false;
}

static bool has_places(struct og_program *program, const struct og_inst *inst) {
  return !reads(inst, OG_SPECIAL_POPS_EXITING_WAVE_ID) || og_refuse(program, "src_pops_exiting_wave_id");
}

/* ---- registers beyond v255 --------------------------------------------------------------------------------------- */

void og_program_add_msb(const struct og_program *program, struct og_inst *inst) {
  for (unsigned i = 0; program->msb && i < inst->operand_count; i++) {
    struct og_operand *operand = &inst->operands[i];
    enum og_msb field = og_msb_of(inst, operand);
    if (operand->kind == OG_OPERAND_VGPR && field != OG_MSB_NONE)
      operand->reg = (uint16_t)(operand->reg + (program->msb >> (2 * field) & 3) * 256u);
  }
}

/* Other threads read the handler at any time, and the rest once there is one. */
static void publish(struct og_operation *slot, const struct og_operation *fresh) {
  size_t rest = offsetof(struct og_operation, d);
  memcpy((char *)slot + rest, (const char *)fresh + rest, sizeof(*slot) - rest);
  __atomic_store_n(&slot->handler, fresh->handler, __ATOMIC_RELEASE);
}

bool og_program_prepare(struct og_program *program, const struct og_inst *inst, struct og_operation *fresh) {
  fresh->row = inst->row;
  program->refused = NULL;
  return has_places(program, inst) && prepare(program, inst, fresh) && fresh->handler;
}

/* Where clang 15 gives v_permlane(x)16_b32 bound_ctrl, it sets neg and abs of source 1 as well, which hardware does not
 * read and no assembler writes. */
size_t og_program_inst(const struct og_program *program, const struct og_isa *isa, size_t word, struct og_inst *inst) {
  const uint8_t *code = program->code + 4 * word;
  size_t room = 4 * (program->words - word), size = og_decode(isa, code, room, inst);
  if (size || room < 8)
    return size;
  uint8_t plain[8];
  og_store32(plain, og_load32(code) & ~0x700u);
  og_store32(plain + 4, og_load32(code + 4) & ~0xe0000000u);
  size = og_decode(isa, plain, sizeof plain, inst);
  return inst->row == OG_ROW_V_PERMLANE16_B32 || inst->row == OG_ROW_V_PERMLANEX16_B32 ? size : 0;
}

bool og_program_decode(struct og_wave *wave, const struct og_operation *op) {
  struct og_program *program = wave->program;
  size_t index = (size_t)(op - program->operations);
  if (index >= program->words) {
    og_wave_fault(wave, op, "execution ran past the end of the code");
    return false;
  }
  pthread_mutex_lock(&program->lock->mutex);
  bool ok = true;
  struct og_operation *slot = &program->operations[index];
  if (!program->isa)
    program->isa = og_isa_for(&program->target, &program->own_isa);
  if (!program->isa) {
    og_wave_fault(wave, op, "no instruction tables for %s", program->target.processor->name);
    ok = false;
  } else if (!og_handler_of(slot)) { /* or another thread was faster */
    struct og_inst inst;
    struct og_operation fresh = {0};
    char why[80];
    size_t size = og_program_inst(program, program->isa, index, &inst);
    if (size == 0) {
      og_wave_fault(wave, op, "undecodable instruction 0x%08x", og_load32(program->code + 4 * index));
      wave->fault.illegal = true;
      ok = false;
    } else if (!og_inst_valid(program->isa, &inst, why, sizeof why)) {
      og_wave_fault(wave, op, "illegal instruction: %s: %s", og_row_name(inst.row), why);
      wave->fault.illegal = true;
      ok = false;
    } else {
      fresh.words = (uint8_t)(size / 4);
      fresh.detail = slot;
      og_program_add_msb(program, &inst);
      ok = og_program_prepare(program, &inst, &fresh);
      bool lds = reads(&inst, OG_SPECIAL_LDS_DIRECT);
      if (ok && (lds || reads(&inst, OG_SPECIAL_VCCZ) || reads(&inst, OG_SPECIAL_EXECZ)))
        wrap_reader(program, slot, lds, &fresh);
      if (ok)
        publish(slot, &fresh);
      if (ok && program->compiler)
        program->compiler->decoded(program, slot);
      if (!ok && program->refused)
        og_wave_fault(wave, op, "%s with `%s` is not executed yet", og_row_name(inst.row), program->refused);
      else if (!ok)
        og_wave_fault(wave, op, "%s is not executed yet", og_row_name(inst.row));
      wave->fault.illegal = !ok && (inst.row == OG_ROW_S_CODE_END || inst.row == OG_ROW_V_ILLEGAL);
    }
  }
  pthread_mutex_unlock(&program->lock->mutex);
  return ok;
}
