/* The tables' def/use against what the executor does: an instruction changes nothing but what its row writes, and its
 * results depend on nothing but what its row reads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "exec/place.h"
#include "exec/program.h"
#include "exec/vector.h"

static uint32_t code[64];
static struct og_program *program;
static struct og_wave *wave, *other;

struct span {
  uint32_t offset, size; /* bytes of the wave */
};
struct spans {
  struct span items[32];
  unsigned count;
};
static void add_span(struct spans *spans, uint32_t offset, uint32_t size) {
  if (spans->count == OG_COUNT(spans->items))
    fail_msg("too many registers");
  spans->items[spans->count++] = (struct span){offset, size};
}

/* What the tables do not say: these leave a part of their destination, or all of it, as it was. */
static bool keeps_part_of_destination(const char *name) {
  for (size_t i = 0; i < og_vector_row_count; i++)
    if (strcmp(og_vector_rows[i].name, name) == 0)
      return og_vector_rows[i].flags & OG_VECTOR_KEEP || strcmp(name, "v_cvt_pkaccum_u8_f32") == 0;
  return strncmp(name, "s_cmov", 6) == 0 || strncmp(name, "s_bitset", 8) == 0;
}

/* Gives every register operand a place of its own and notes who reads and writes it. */
static bool spread(const struct og_form *form, const struct og_shape *shape, struct og_inst *inst, struct spans *reads,
                   struct spans *writes) {
  bool keeps_some = keeps_part_of_destination(og_row_name(form->row));
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_operand *operand = &inst->operands[i];
    const struct og_slot *slot = NULL;
    for (unsigned k = 0; k < shape->slot_count; k++)
      if (og_slots(shape)[k].role == operand->role)
        slot = &og_slots(shape)[k];
    uint32_t at, lanes = 1;
    uint64_t value;
    bool vector = operand->kind == OG_OPERAND_VGPR;
    if (!slot || operand->kind == OG_OPERAND_NONE)
      continue;
    bool may_be_vector = slot->takes == OG_TAKES_VGPR ||
                         (slot->takes >= OG_TAKES_VGPR_SGPR_INLINE && slot->takes <= OG_TAKES_VGPR_LITERAL);
    vector = vector || (operand->kind == OG_OPERAND_SGPR && may_be_vector);
    if (operand->kind == OG_OPERAND_IMMEDIATE || operand->kind == OG_OPERAND_LITERAL ||
        operand->kind == OG_OPERAND_INLINE)
      continue;
    if (operand->kind == OG_OPERAND_VGPR || vector) {
      operand->kind = OG_OPERAND_VGPR;
      operand->reg = (uint16_t)(4 + 4 * i);
      lanes = OG_LANES;
    } else if (operand->kind == OG_OPERAND_SGPR) {
      operand->reg = (uint16_t)(16 + 4 * i);
    }
    unsigned dwords = slot->dwords ? slot->dwords : 1;
    if (!og_place_source(operand, dwords, &at, &value))
      return false;
    uint32_t size = 4 * lanes * dwords;
    if (slot->flags & OG_SLOT_READ || (slot->flags & OG_SLOT_WRITE && keeps_some))
      add_span(reads, at, size);
    if (slot->flags & OG_SLOT_WRITE)
      add_span(writes, at, size);
  }
  static const struct {
    uint8_t bit;
    uint16_t at, dwords;
  } implicit[] = {{OG_IMPLICIT_EXEC, OG_S_EXEC, 2},
                  {OG_IMPLICIT_VCC, OG_S_VCC, 2},
                  {OG_IMPLICIT_SCC, OG_S_SCC, 1},
                  {OG_IMPLICIT_M0, OG_S_M0, 1}};
  for (size_t k = 0; k < OG_COUNT(implicit); k++) {
    if (form->reads & implicit[k].bit)
      add_span(reads, OG_AT_S(implicit[k].at), 4u * implicit[k].dwords);
    if (form->writes & implicit[k].bit)
      add_span(writes, OG_AT_S(implicit[k].at), 4u * implicit[k].dwords);
  }
  return true;
}

static bool inside(const struct spans *spans, uint32_t offset) {
  for (unsigned i = 0; i < spans->count; i++)
    if (offset - spans->items[i].offset < spans->items[i].size)
      return true;
  return false;
}

/* What the registers hold: s[], then the VGPRs in use. EXEC has all lanes in odd rounds. */
enum { VGPRS = 96 };
static void fill(struct og_wave *w, bool all_lanes) {
  for (unsigned i = 0; i < OG_S_COUNT; i++)
    w->s[i] = (uint32_t)rand() << 1;
  for (unsigned i = 0; i < VGPRS; i++)
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      w->v[i][lane] = 0x3f000000 + ((uint32_t)rand() & 0xffffff);
  w->s[OG_S_SCC] = (uint32_t)rand() & 1;
  memset(&w->s[OG_S_ZERO], 0, 16 * sizeof w->s[0]);
  w->s[OG_S_M0] = (uint32_t)rand() & 3;
  w->program = program, w->wave_size = 64;
  og_store64(&w->s[OG_S_EXEC], all_lanes ? ~(uint64_t)0 : (uint64_t)rand() << 17 ^ (uint64_t)rand());
  og_exec_changed(w);
  w->mode = 0x2f0;
  og_mode_changed(w);
}

static bool looks_at_more(const char *name) { /* relative registers, and what changes how registers are found */
  return strstr(name, "movrel") || strstr(name, "gpr_idx") || strstr(name, "fork") || strstr(name, "join") ||
         strstr(name, "s_setreg") || strstr(name, "s_getreg") || strstr(name, "vskip") || strstr(name, "pc_b64") ||
         strstr(name, "s_call") || strstr(name, "readlane") || strstr(name, "v_swap");
}

static void check_form(const struct og_isa *isa, unsigned index) {
  const struct og_form *form = og_form(isa, index);
  struct og_inst inst;
  uint8_t bytes[16];
  memcpy(bytes, form->value, 16);
  size_t size = og_decode(isa, bytes, 16, &inst);
  const char *name = og_row_name(form->row);
  if (size == 0 || inst.form != index || looks_at_more(name))
    return;
  struct spans reads = {0}, writes = {0};
  struct og_operation *op = &program->operations[1];
  memset(op, 0, sizeof(*op));
  op->words = 1;
  op->detail = op;
  if (!spread(form, og_shape(isa, form), &inst, &reads, &writes))
    return;
  bool ok =
      inst.encoding <= OG_ENC_SOPP ? og_prepare_scalar(program, &inst, op) : og_prepare_vector(program, &inst, op);
  if (!ok || !op->handler)
    return;
  bool partial = form->encoding >= OG_ENC_VOP1; /* results of inactive lanes are the old ones */
  fill(wave, partial);
  fill(other, partial);
  for (unsigned i = 0; i < reads.count; i++)
    memcpy((char *)other + reads.items[i].offset, (char *)wave + reads.items[i].offset, reads.items[i].size);
  og_exec_changed(other);
  static struct og_wave before;
  memcpy(&before, wave, sizeof(before));
  op->handler(wave, op);
  op->handler(other, op);
  for (uint32_t at = OG_AT_S(0); at < OG_AT_V(VGPRS); at += 4) {
    if (at >= OG_AT_S(OG_S_COUNT) && at < OG_AT_V(0))
      continue;
    bool sink = at >= OG_AT_S(OG_S_SINK) && at < OG_AT_S(OG_S_COUNT);
    uint32_t now = og_load32((char *)wave + at), was = og_load32((char *)&before + at);
    if (now != was && !inside(&writes, at) && !sink)
      fail_msg("%s (form %u) changes what it does not write: offset %u (s%u, v%d)", name, index, at,
               (at - OG_AT_S(0)) / 4, (int)(at - OG_AT_V(0)) / 256);
    if (inside(&writes, at) && now != og_load32((char *)other + at))
      fail_msg("%s (form %u) depends on what it does not read: offset %u (s%u, v%d)", name, index, at,
               (at - OG_AT_S(0)) / 4, (int)(at - OG_AT_V(0)) / 256);
  }
}

static void instructions_touch_what_their_rows_say(void **state) {
  (void)state;
  srand(11);
  struct og_target target;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  assert_true(og_target_parse(&target, NULL, "gfx900", NULL, diagnostics));
  og_diagnostics_free(diagnostics);
  program = og_program_new(&target, code, sizeof(code));
  wave = aligned_alloc(64, sizeof(*wave)), other = aligned_alloc(64, sizeof(*other));
  memset(wave, 0, sizeof(*wave)), memset(other, 0, sizeof(*other));
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(&target, &room);
  for (unsigned i = 0; i < og_form_count(isa); i++) {
    unsigned encoding = og_form(isa, i)->encoding;
    if (encoding < OG_ENC_DS && encoding != OG_ENC_SMEM && encoding != OG_ENC_SOPP && encoding != OG_ENC_VINTERP)
      check_form(isa, i);
  }
  free(wave), free(other);
  og_program_free(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(instructions_touch_what_their_rows_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
