/* names.c - symbolic values inside immediates, by generation. */
#include <string.h>

#include "isa/names.h"
#include "isa/internal.h"
#include "texel/buffer_format.h"

#define LAST (OG_GENERATION_COUNT - 1)
#define ALL OG_GFX6, LAST
#define UNTIL(last) OG_GFX6, OG_##last
#define FROM(first) OG_##first, LAST
#define IN(first, last) OG_##first, OG_##last

static const struct og_named hwregs[] = {
    {1, UNTIL(GFX11_5), "HW_REG_MODE"},
    {2, UNTIL(GFX11_5), "HW_REG_STATUS"},
    {3, UNTIL(GFX11_5), "HW_REG_TRAPSTS"},
    {4, UNTIL(GFX950), "HW_REG_HW_ID"},
    {5, UNTIL(GFX11_5), "HW_REG_GPR_ALLOC"},
    {6, UNTIL(GFX11_5), "HW_REG_LDS_ALLOC"},
    {7, ALL, "HW_REG_IB_STS"},
    {1, FROM(GFX12), "HW_REG_WAVE_MODE"},
    {2, FROM(GFX12), "HW_REG_WAVE_STATUS"},
    {4, FROM(GFX12), "HW_REG_WAVE_STATE_PRIV"},
    {5, FROM(GFX12), "HW_REG_WAVE_GPR_ALLOC"},
    {6, FROM(GFX12), "HW_REG_WAVE_LDS_ALLOC"},
    {10, FROM(GFX12), "HW_REG_PERF_SNAPSHOT_DATA"},
    {11, FROM(GFX12), "HW_REG_PERF_SNAPSHOT_PC_LO"},
    {12, FROM(GFX12), "HW_REG_PERF_SNAPSHOT_PC_HI"},
    {15, FROM(GFX12), "HW_REG_PERF_SNAPSHOT_DATA1"},
    {16, FROM(GFX12), "HW_REG_PERF_SNAPSHOT_DATA2"},
    {17, FROM(GFX12), "HW_REG_WAVE_EXCP_FLAG_PRIV"},
    {18, FROM(GFX12), "HW_REG_WAVE_EXCP_FLAG_USER"},
    {19, FROM(GFX12), "HW_REG_WAVE_TRAP_CTRL"},
    {20, FROM(GFX12), "HW_REG_WAVE_SCRATCH_BASE_LO"},
    {21, FROM(GFX12), "HW_REG_WAVE_SCRATCH_BASE_HI"},
    {23, FROM(GFX12), "HW_REG_WAVE_HW_ID1"},
    {24, FROM(GFX12), "HW_REG_WAVE_HW_ID2"},
    {26, FROM(GFX12), "HW_REG_WAVE_SCHED_MODE"},
    {28, FROM(GFX1250), "HW_REG_IB_STS2"},
    {29, FROM(GFX12), "HW_REG_SHADER_CYCLES_LO"},
    {30, FROM(GFX12), "HW_REG_SHADER_CYCLES_HI"},
    {31, FROM(GFX12), "HW_REG_WAVE_DVGPR_ALLOC_LO"},
    {32, FROM(GFX12), "HW_REG_WAVE_DVGPR_ALLOC_HI"},
    {33, FROM(GFX1250), "HW_REG_XNACK_STATE_PRIV"},
    {34, FROM(GFX1250), "HW_REG_XNACK_MASK"},
    {15, IN(GFX900, GFX11_5), "HW_REG_SH_MEM_BASES"},
    {16, IN(GFX900, GFX10_3), "HW_REG_TBA_LO"},
    {17, IN(GFX900, GFX10_3), "HW_REG_TBA_HI"},
    {18, IN(GFX900, GFX10_3), "HW_REG_TMA_LO"},
    {19, IN(GFX900, GFX10_3), "HW_REG_TMA_HI"},
    {20, IN(GFX942, GFX950), "HW_REG_XCC_ID"},
    {21, IN(GFX942, GFX950), "HW_REG_SQ_PERF_SNAPSHOT_DATA"},
    {22, IN(GFX942, GFX950), "HW_REG_SQ_PERF_SNAPSHOT_DATA1"},
    {23, IN(GFX942, GFX950), "HW_REG_SQ_PERF_SNAPSHOT_PC_LO"},
    {24, IN(GFX942, GFX950), "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"},
    {20, IN(GFX10_1, GFX11_5), "HW_REG_FLAT_SCR_LO"},
    {21, IN(GFX10_1, GFX11_5), "HW_REG_FLAT_SCR_HI"},
    {22, IN(GFX10_1, GFX1013), "HW_REG_XNACK_MASK"},
    {23, IN(GFX10_1, GFX11_5), "HW_REG_HW_ID1"},
    {24, IN(GFX10_1, GFX11_5), "HW_REG_HW_ID2"},
    {25, IN(GFX10_1, GFX10_3), "HW_REG_POPS_PACKER"},
    {29, IN(GFX10_3, GFX11_5), "HW_REG_SHADER_CYCLES"},
    {18, IN(GFX11, GFX11_5), "HW_REG_PERF_SNAPSHOT_PC_LO"},
    {19, IN(GFX11, GFX11_5), "HW_REG_PERF_SNAPSHOT_PC_HI"},
    {27, IN(GFX11, GFX11_5), "HW_REG_PERF_SNAPSHOT_DATA"},
    /* Shorter names that are read but never written come after the others. */
    {23, IN(GFX10_1, GFX10_3), "HW_REG_HW_ID"},
    {1, FROM(GFX12), "HW_REG_MODE"},
    {2, FROM(GFX12), "HW_REG_STATUS"},
    {4, FROM(GFX12), "HW_REG_STATE_PRIV"},
    {5, FROM(GFX12), "HW_REG_GPR_ALLOC"},
    {6, FROM(GFX12), "HW_REG_LDS_ALLOC"},
    {17, FROM(GFX12), "HW_REG_EXCP_FLAG_PRIV"},
    {18, FROM(GFX12), "HW_REG_EXCP_FLAG_USER"},
    {19, FROM(GFX12), "HW_REG_TRAP_CTRL"},
    {20, FROM(GFX12), "HW_REG_SCRATCH_BASE_LO"},
    {21, FROM(GFX12), "HW_REG_SCRATCH_BASE_HI"},
    {23, FROM(GFX12), "HW_REG_HW_ID1"},
    {24, FROM(GFX12), "HW_REG_HW_ID2"},
    {31, FROM(GFX12), "HW_REG_DVGPR_ALLOC_LO"},
    {32, FROM(GFX12), "HW_REG_DVGPR_ALLOC_HI"},
};
static const struct og_named messages[] = {
    {1, ALL, "MSG_INTERRUPT"},
    {2, UNTIL(GFX10_3), "MSG_GS"},
    {3, UNTIL(GFX10_3), "MSG_GS_DONE"},
    {2, FROM(GFX11), "MSG_HS_TESSFACTOR"},
    {3, FROM(GFX11), "MSG_DEALLOC_VGPRS"},
    {4, IN(GFX8, GFX10_3), "MSG_SAVEWAVE"},
    {5, IN(GFX900, GFX11_5), "MSG_STALL_WAVE_GEN"},
    {6, IN(GFX900, GFX11_5), "MSG_HALT_WAVES"},
    {7, IN(GFX900, GFX10_3), "MSG_ORDERED_PS_DONE"},
    {8, IN(GFX900, GFX10_3), "MSG_EARLY_PRIM_DEALLOC"},
    {9, FROM(GFX900), "MSG_GS_ALLOC_REQ"},
    {10, IN(GFX900, GFX10_3), "MSG_GET_DOORBELL"},
    {11, IN(GFX10_1, GFX10_3), "MSG_GET_DDID"},
    {15, ALL, "MSG_SYSMSG"},
    {128, FROM(GFX11), "MSG_RTN_GET_DOORBELL"},
    {129, FROM(GFX11), "MSG_RTN_GET_DDID"},
    {130, FROM(GFX11), "MSG_RTN_GET_TMA"},
    {131, FROM(GFX11), "MSG_RTN_GET_REALTIME"},
    {132, FROM(GFX11), "MSG_RTN_SAVE_WAVE"},
    {133, FROM(GFX11), "MSG_RTN_GET_TBA"},
    {134, FROM(GFX11), "MSG_RTN_GET_TBA_TO_PC"},
    {135, FROM(GFX12), "MSG_RTN_GET_SE_AID_ID"},
    {10, FROM(GFX1250), "MSG_SAVEWAVE_HAS_TDM"},
    {136, FROM(GFX1250), "MSG_RTN_GET_CLUSTER_BARRIER_STATE"},
};
static const struct og_named gs_ops[] = {
    {0, ALL, "GS_OP_NOP"}, {1, ALL, "GS_OP_CUT"}, {2, ALL, "GS_OP_EMIT"}, {3, ALL, "GS_OP_EMIT_CUT"},
};
static const struct og_named system_ops[] = {
    {1, ALL, "SYSMSG_OP_ECC_ERR_INTERRUPT"}, {2, ALL, "SYSMSG_OP_REG_RD"}, {3, UNTIL(GFX8), "SYSMSG_OP_HOST_TRAP_ACK"},
    {4, ALL, "SYSMSG_OP_TTRACE_PC"},
};
static const struct og_named delays[] = {
    {0, ALL, "NO_DEP"}, {1, ALL, "VALU_DEP_1"}, {2, ALL, "VALU_DEP_2"}, {3, ALL, "VALU_DEP_3"}, {4, ALL, "VALU_DEP_4"},
    {5, ALL, "TRANS32_DEP_1"}, {6, ALL, "TRANS32_DEP_2"}, {7, ALL, "TRANS32_DEP_3"}, {8, ALL, "FMA_ACCUM_CYCLE_1"},
    {9, ALL, "SALU_CYCLE_1"}, {10, ALL, "SALU_CYCLE_2"}, {11, ALL, "SALU_CYCLE_3"},
};
static const struct og_named delay_skips[] = {
    {0, ALL, "SAME"}, {1, ALL, "NEXT"}, {2, ALL, "SKIP_1"}, {3, ALL, "SKIP_2"}, {4, ALL, "SKIP_3"}, {5, ALL, "SKIP_4"},
};
static const struct og_named versions[] = {
    {0, ALL, "UC_VERSION_GFX7"},         {4, ALL, "UC_VERSION_GFX10"},        {6, ALL, "UC_VERSION_GFX11"},
    {9, ALL, "UC_VERSION_GFX12"},        {0x2000, ALL, "UC_VERSION_W64_BIT"}, {0x4000, ALL, "UC_VERSION_W32_BIT"},
    {0x8000, ALL, "UC_VERSION_MDP_BIT"},
};
const struct og_wait_field og_depctr_fields[OG_DEPCTR_FIELDS] = {
    {"depctr_hold_cnt", 7, 1, OG_GFX10_3}, {"depctr_sa_sdst", 0, 1, OG_GFX10_1}, {"depctr_va_vdst", 12, 4, OG_GFX10_1},
    {"depctr_va_sdst", 9, 3, OG_GFX10_1},  {"depctr_va_ssrc", 8, 1, OG_GFX10_1}, {"depctr_va_vcc", 1, 1, OG_GFX10_1},
    {"depctr_vm_vsrc", 2, 3, OG_GFX10_1},
};
#define EXPORTS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define EXPORT_MRT(n) {n, ALL, "mrt" #n},
#define PARAMS(X)                                                                                                 \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
  X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define EXPORT_PARAM(n) {32 + n, UNTIL(GFX10_3), "param" #n},
static const struct og_named exports[] = {EXPORTS(EXPORT_MRT){8, ALL, "mrtz"},
                                          {9, UNTIL(GFX10_3), "null"},
                                          {12, ALL, "pos0"},
                                          {13, ALL, "pos1"},
                                          {14, ALL, "pos2"},
                                          {15, ALL, "pos3"},
                                          {16, FROM(GFX10_1), "pos4"},
                                          {20, FROM(GFX10_1), "prim"},
                                          {21, FROM(GFX11), "dual_src_blend0"},
                                          {22, FROM(GFX11), "dual_src_blend1"},
                                          PARAMS(EXPORT_PARAM)};

static const struct {
  const struct og_named *items;
  size_t count;
} name_tables[] = {
    [OG_NAMES_HWREG] = {hwregs, OG_COUNT(hwregs)}, [OG_NAMES_MESSAGE] = {messages, OG_COUNT(messages)},
    [OG_NAMES_GS_OP] = {gs_ops, OG_COUNT(gs_ops)}, [OG_NAMES_SYSTEM_OP] = {system_ops, OG_COUNT(system_ops)},
    [OG_NAMES_EXPORT] = {exports, OG_COUNT(exports)},
    [OG_NAMES_DELAY] = {delays, OG_COUNT(delays)}, [OG_NAMES_DELAY_SKIP] = {delay_skips, OG_COUNT(delay_skips)},
    [OG_NAMES_VERSION] = {versions, OG_COUNT(versions)},
};

static bool is_name(struct og_text text, const char *name) {
  return text.size && !strncmp(name, text.data, text.size) && !name[text.size];
}

/* The names of buffer formats are in a table that the executor reads, too. */
static const char *format_name(enum og_generation generation, enum og_name_table table, unsigned value) {
  const struct og_data_format *data;
  switch (table) {
  case OG_NAMES_DATA_FORMAT: return (data = og_data_format(value)) ? data->name : NULL;
  case OG_NAMES_NUMBER_FORMAT: return og_number_format_name(generation, value);
  default: return og_buffer_format(generation, value).name;
  }
}

static bool names_formats(enum og_name_table table) {
  return table == OG_NAMES_DATA_FORMAT || table == OG_NAMES_NUMBER_FORMAT || table == OG_NAMES_UNIFIED_FORMAT;
}

static int format_value(enum og_generation generation, enum og_name_table table, struct og_text name) {
  unsigned values = table == OG_NAMES_DATA_FORMAT ? 16 : table == OG_NAMES_NUMBER_FORMAT ? 8 : 128;
  for (unsigned value = 0; value < values; value++) {
    const char *found = format_name(generation, table, value);
    if (found && is_name(name, found))
      return (int)value;
  }
  return -1;
}

const char *og_name_of(const struct og_isa *isa, enum og_name_table table, unsigned value) {
  if (names_formats(table))
    return format_name(isa->generation, table, value);
  for (size_t i = 0; i < name_tables[table].count; i++) {
    const struct og_named *item = &name_tables[table].items[i];
    if (item->value == value && isa->generation >= item->first && isa->generation <= item->last)
      return item->name;
  }
  return NULL;
}

int og_value_of(const struct og_isa *isa, enum og_name_table table, struct og_text name) {
  if (names_formats(table))
    return format_value(isa->generation, table, name);
  for (size_t i = 0; i < name_tables[table].count; i++) {
    const struct og_named *item = &name_tables[table].items[i];
    bool alike = name.size && name.size < sizeof item->name && !item->name[name.size] &&
                 item->name[name.size - 1] == name.data[name.size - 1]; /* most differ in their last letters */
    if (alike && !memcmp(item->name, name.data, name.size) && isa->generation >= item->first &&
        isa->generation <= item->last)
      return item->value;
  }
  return -1;
}

bool og_is_name_anywhere(enum og_name_table table, struct og_text name) {
  for (size_t i = 0; i < name_tables[table].count; i++)
    if (is_name(name, name_tables[table].items[i].name))
      return true;
  return false;
}

unsigned og_depctr_mask(const struct og_isa *isa) {
  unsigned mask = 0;
  for (size_t i = 0; i < OG_DEPCTR_FIELDS; i++)
    if (isa->generation >= og_depctr_fields[i].first)
      mask |= ((1u << og_depctr_fields[i].width) - 1) << og_depctr_fields[i].at;
  return mask;
}
