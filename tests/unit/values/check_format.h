/* check_format.h - compares registers and memory after buffer loads and stores that convert, with four components of 8
 * bits in memory. test_buffer_format.c has the other formats. */
#ifndef OG_VALUES_CHECK_FORMAT_H
#define OG_VALUES_CHECK_FORMAT_H

#include "texel/buffer_format.h"
#include "values/check_memory.h"

static struct {
  bool unorm, typed;
  unsigned number; /* of the format, as the generation numbers it */
} buffer_format;

static bool converts(const struct og_inst *inst) { return strstr(og_row_name(inst->row), "_format_") != NULL; }

/* The format stands in the instruction or in the resource, whose base, size and selects stay. */
static bool choose_format(struct og_inst *inst) {
  if (!converts(inst))
    return true;
  buffer_format.unorm = random32() % 2, buffer_format.typed = strncmp(og_row_name(inst->row), "tbuffer", 7) == 0;
  const struct og_data_format *layout = og_even_data_format(8, 4);
  unsigned data = 0;
  while (og_data_format(data) != layout)
    data++;
  int number = og_buffer_format_value(isa->generation, data, buffer_format.unorm ? OG_NUMBER_UNORM : OG_NUMBER_UINT);
  buffer_format.number = (unsigned)number;
  if (buffer_format.typed)
    inst->mod[OG_MOD_FORMAT] = number;
  return number >= 0 && put_code(inst);
}
static void set_format(const struct og_inst *inst) {
  uint32_t *word = &wave->s[S_RESOURCE + 3], number = buffer_format.number;
  if (!converts(inst) || buffer_format.typed)
    return;
  if (isa->gfx10)
    *word = (*word & ~(0x7fu << 12)) | number << 12;
  else
    *word = (*word & ~(0x7fu << 12)) | (number & 15) << 15 | number >> 4 << 12;
}

static unsigned components_of(const char *name) {
  const char *last = strrchr(name, '_') + 1;
  return (unsigned)strlen(last); /* x, xy, xyz or xyzw */
}

/* A byte as the register has it, and back; of 16 bits where `small`. */
static uint32_t converted_byte(uint8_t byte, bool small) {
  if (!buffer_format.unorm)
    return byte;
  struct real x = real_div(real_of_int(byte), real_of_int(255));
  uint64_t f32 = real_to_bits(&f32_format, x, ROUND_EVEN, true, false, NULL);
  return small
             ? (uint32_t)real_to_bits(&f16_format, real_of_bits(&f32_format, f32, true), ROUND_EVEN, true, false, NULL)
             : (uint32_t)f32;
}
static bool byte_of(uint32_t value, bool small, uint8_t *out) {
  if (!buffer_format.unorm) {
    *out = (uint8_t)OG_MIN(value, 255u);
    return true;
  }
  struct real x = real_of_bits(small ? &f16_format : &f32_format, value, true);
  if (x.kind == REAL_NAN || x.negative || is_zero(x)) {
    *out = 0;
    return true;
  }
  if (real_compare(x, real_of_int(1)) >= 0) {
    *out = 255;
    return true;
  }
  long double y = real_to_long_double(x) * 255;
  *out = (uint8_t)rintl(y);
  return fabsl(y - floorl(y) - 0.5L) > 1e-6L; /* who rounds x * 255 first meets another tie */
}

static bool compare_format(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  struct access access = {.space = OG_SPACE_GLOBAL, .buffer = true, .bytes = 1, .count = 1};
  const char *name = og_row_name(inst->row);
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  if (!converts(inst) || !data || inst->mod[OG_MOD_TFE] || inst->mod[OG_MOD_LDS] || inst->mod[OG_MOD_SWZ])
    return false;
  bool loads = strstr(name, "load") != NULL, small = strstr(name, "_d16_") != NULL, high = strstr(name, "_hi_") != NULL;
  bool packs = small && !og_unpacked_d16(isa), known = true;
  unsigned base = data->reg + (data->kind == OG_OPERAND_AGPR ? 256u : 0), count = components_of(name);
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  memcpy(memory_after, memory_before, MEMORY);
  for (unsigned lane = 0; lane < isa->wave; lane++) {
    uint64_t at = lane_address(&m, &access, lane, 0, &known);
    for (unsigned i = 0; i < 4 && m.exec >> lane & 1; i++) {
      unsigned reg = base + (packs ? i / 2 : i), shift = (packs && i % 2) || high ? 16 : 0;
      uint32_t was = before->v[reg][lane] >> shift, got = wave->v[reg][lane] >> shift;
      if (small)
        was &= 0xffff, got &= 0xffff;
      uint8_t byte = 0;
      if (i < count && loads) {
        uint32_t want = converted_byte((uint8_t)get_bytes(&m, &access, lane, at + i, 1, &known), small);
        if (known && got != want)
          complain(inst->row, "lane %u's component %u is %x, expected %x", lane, i, got, want);
      } else if (!loads) {
        if (i < count && !byte_of(was, small, &byte))
          return false;
        put_bytes(&m, &access, lane, at + i, 1, byte, &known);
      }
    }
  }
  return known && (bytes_differ(inst, "memory", memory, memory_after, MEMORY) || true);
}

#endif
