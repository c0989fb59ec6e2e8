/* place.c - where operands live in a wave. */
#include "exec/place.h"

/* Where a special register stands, and how many dwords may be touched from there on; 0: it is no register. */
static const struct {
  uint8_t at, dwords;
} specials[OG_SPECIAL_COUNT] = {
    [OG_SPECIAL_VCC_LO] = {OG_S_VCC, 2}, [OG_SPECIAL_VCC_HI] = {OG_S_VCC + 1, 1},
    [OG_SPECIAL_EXEC_LO] = {OG_S_EXEC, 2}, [OG_SPECIAL_EXEC_HI] = {OG_S_EXEC + 1, 1},
    [OG_SPECIAL_M0] = {OG_S_M0, 1}, [OG_SPECIAL_NULL] = {OG_S_SINK, 16},
    [OG_SPECIAL_FLAT_SCRATCH_LO] = {OG_S_FLAT_SCRATCH, 2}, [OG_SPECIAL_FLAT_SCRATCH_HI] = {OG_S_FLAT_SCRATCH + 1, 1},
    [OG_SPECIAL_XNACK_MASK_LO] = {OG_S_XNACK_MASK, 2}, [OG_SPECIAL_XNACK_MASK_HI] = {OG_S_XNACK_MASK + 1, 1},
    [OG_SPECIAL_TBA_LO] = {OG_S_TBA, 2}, [OG_SPECIAL_TBA_HI] = {OG_S_TBA + 1, 1},
    [OG_SPECIAL_TMA_LO] = {OG_S_TMA, 2}, [OG_SPECIAL_TMA_HI] = {OG_S_TMA + 1, 1},
    [OG_SPECIAL_SHARED_BASE] = {OG_S_SHARED_BASE, 2}, [OG_SPECIAL_SHARED_LIMIT] = {OG_S_SHARED_LIMIT, 2},
    [OG_SPECIAL_PRIVATE_BASE] = {OG_S_PRIVATE_BASE, 2}, [OG_SPECIAL_PRIVATE_LIMIT] = {OG_S_PRIVATE_LIMIT, 2},
    [OG_SPECIAL_FLAT_SCRATCH_BASE_LO] = {OG_S_FLAT_SCRATCH_BASE, 2},
    [OG_SPECIAL_FLAT_SCRATCH_BASE_HI] = {OG_S_FLAT_SCRATCH_BASE + 1, 1},
    [OG_SPECIAL_LDS_DIRECT] = {OG_S_LDS_DIRECT, 1},
    /* The dword behind each of these is always 0. */
    [OG_SPECIAL_SCC] = {OG_S_SCC, 2}, [OG_SPECIAL_VCCZ] = {OG_S_VCCZ, 2}, [OG_SPECIAL_EXECZ] = {OG_S_EXECZ, 2},
};

/* What is only read. Fields of eight bits could name it as a result. */
static const bool read_only[OG_SPECIAL_COUNT] = {
    [OG_SPECIAL_SHARED_BASE] = true, [OG_SPECIAL_SHARED_LIMIT] = true, [OG_SPECIAL_PRIVATE_BASE] = true,
    [OG_SPECIAL_PRIVATE_LIMIT] = true, [OG_SPECIAL_FLAT_SCRATCH_BASE_LO] = true,
    [OG_SPECIAL_FLAT_SCRATCH_BASE_HI] = true, [OG_SPECIAL_LDS_DIRECT] = true, [OG_SPECIAL_SCC] = true,
    [OG_SPECIAL_VCCZ] = true, [OG_SPECIAL_EXECZ] = true,
};

static bool is_within(unsigned reg, unsigned dwords, unsigned count) {
  return reg < count && dwords <= count - reg;
}

bool og_place_vector(const struct og_operand *operand, unsigned dwords, uint32_t *offset) {
  if (operand == NULL || (operand->kind != OG_OPERAND_VGPR && operand->kind != OG_OPERAND_AGPR))
    return false;
  *offset = OG_AT_V((operand->kind == OG_OPERAND_AGPR ? OG_VECTOR_REGISTERS : 0) + operand->reg);
  return is_within(operand->reg, dwords, operand->reg < OG_VECTOR_REGISTERS ? OG_VECTOR_REGISTERS : OG_VGPRS);
}

static bool place(const struct og_operand *operand, unsigned dwords, uint32_t *offset) {
  switch (operand ? operand->kind : OG_OPERAND_NONE) {
  case OG_OPERAND_SGPR:
    *offset = OG_AT_S(operand->reg);
    return is_within(operand->reg, dwords, OG_SGPRS_MOST);
  case OG_OPERAND_TTMP:
    *offset = OG_AT_S(OG_S_TTMP + operand->reg);
    return is_within(operand->reg, dwords, 16);
  case OG_OPERAND_SPECIAL:
    if (operand->reg >= OG_SPECIAL_COUNT)
      return false;
    *offset = OG_AT_S(specials[operand->reg].at);
    return specials[operand->reg].dwords > 0 && dwords <= specials[operand->reg].dwords;
  default: return false;
  }
}

bool og_place_result(const struct og_operand *operand, unsigned dwords, uint32_t *offset) {
  return place(operand, dwords, offset) && !(operand->kind == OG_OPERAND_SPECIAL && read_only[operand->reg]);
}

bool og_place_scalar(const struct og_operand *operand, unsigned dwords, uint32_t *offset, uint64_t *constant) {
  *constant = 0;
  switch (operand ? operand->kind : OG_OPERAND_NONE) {
  case OG_OPERAND_INLINE: case OG_OPERAND_LITERAL: case OG_OPERAND_IMMEDIATE:
    *offset = OG_AT_S(OG_S_ZERO);
    *constant = operand->value;
    return true;
  default:
    if (!place(operand, dwords, offset))
      return false;
    if (*offset == OG_AT_S(OG_S_SINK)) /* null is read as zero */
      *offset = OG_AT_S(OG_S_ZERO);
    return true;
  }
}

bool og_place_source(const struct og_operand *operand, unsigned dwords, uint32_t *offset, uint64_t *constant) {
  *constant = 0;
  return og_place_vector(operand, dwords, offset) || og_place_scalar(operand, dwords, offset, constant);
}
