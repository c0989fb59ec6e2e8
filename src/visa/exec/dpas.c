/* dpas.c - dpas: dst = src0 + src1 x src2, in `depth` steps for each of `count` rows. Weights (src1) are in columns,
   one dword for each channel and step; activations (src2) are row by row. */
#include "visa/exec/exec.h"
#include "base/floats.h"
#include "visa/visa.h"

#include <string.h>

static unsigned precision_bits(uint8_t precision) {
  switch (precision) {
  case OG_VISA_U1:
  case OG_VISA_S1: return 1;
  case OG_VISA_U2:
  case OG_VISA_S2: return 2;
  case OG_VISA_U4:
  case OG_VISA_S4: return 4;
  case OG_VISA_U8:
  case OG_VISA_S8: return 8;
  case OG_VISA_BF16:
  case OG_VISA_FP16: return 16;
  default: return 32;
  }
}

static bool is_signed(uint8_t precision) {
  return precision == OG_VISA_S1 || precision == OG_VISA_S2 || precision == OG_VISA_S4 || precision == OG_VISA_S8;
}

/* Element number `index` of elements of `bits` bits. */
static uint32_t raw_element(const uint8_t *from, uint32_t index, unsigned bits) {
  if (bits == 32)
    return og_load32(from + 4 * (size_t)index);
  if (bits == 16)
    return og_load16(from + 2 * (size_t)index);
  return (uint32_t)from[index * bits / 8] >> index * bits % 8 & ((1u << bits) - 1);
}

static int32_t integer_element(const uint8_t *from, uint32_t index, uint8_t precision) {
  unsigned bits = precision_bits(precision);
  uint32_t v = raw_element(from, index, bits);
  return is_signed(precision) ? (int32_t)(v << (32 - bits)) >> (32 - bits) : (int32_t)v;
}

static float float_element(const uint8_t *from, uint32_t index, uint8_t precision) {
  uint32_t v = raw_element(from, index, precision_bits(precision));
  switch (precision) {
  case OG_VISA_BF16: return og_float_of_bits(v << 16);
  case OG_VISA_FP16: return og_half_to_float((uint16_t)v);
  default: return og_float_of_bits(v & ~0x1fffu); /* tf32: 10 bits of fraction */
  }
}

/* Products of one dword's worth: `per_channel` of them. */
struct shape {
  uint32_t channels, depth, per_channel, operands_per_dword, grf_size;
  uint8_t weights, activations;
};

static void row_of_integers(const struct shape *shape, uint32_t *sum, const uint8_t *b, const uint8_t *a,
                            uint32_t first) {
  for (uint32_t d = 0; d < shape->depth; d++)
    for (uint32_t i = 0; i < shape->channels; i++) {
      const uint8_t *column = b + (size_t)d / shape->operands_per_dword * shape->grf_size + 4 * (size_t)i;
      uint32_t into = d % shape->operands_per_dword * shape->per_channel;
      for (uint32_t k = 0; k < shape->per_channel; k++)
        sum[i] += (uint32_t)(integer_element(column, into + k, shape->weights) *
                             integer_element(a, first + d * shape->per_channel + k, shape->activations));
    }
}

static void row_of_floats(const struct shape *shape, float *sum, const uint8_t *b, const uint8_t *a, uint32_t first) {
  for (uint32_t d = 0; d < shape->depth; d++)
    for (uint32_t k = 0; k < shape->per_channel; k++) {
      float activation = float_element(a, first + d * shape->per_channel + k, shape->activations);
      for (uint32_t i = 0; i < shape->channels; i++)
        sum[i] = __builtin_fmaf(float_element(b + (size_t)d * shape->grf_size + 4 * (size_t)i, k, shape->weights),
                                activation, sum[i]);
    }
}

static struct shape make_shape(const struct og_vx_message *m, uint32_t channels, uint32_t grf_size) {
  unsigned weight_bits = precision_bits(m->atomic), activation_bits = precision_bits(m->address_size);
  struct shape shape = {.channels = channels,
                        .depth = m->blocks,
                        .grf_size = grf_size,
                        .weights = m->atomic,
                        .activations = m->address_size};
  shape.per_channel = m->atomic >= OG_VISA_BF16 ? 32 / weight_bits : weight_bits == 8 || activation_bits == 8 ? 4 : 8;
  shape.operands_per_dword = m->atomic >= OG_VISA_BF16 ? 1 : OG_MAX(1u, 32 / (shape.per_channel * weight_bits));
  return shape;
}

/* Bytes of the activations of all rows. */
uint32_t og_vx_dpas_activation_bytes(const struct og_vx_message *m) {
  uint32_t per_channel = make_shape(m, 1, 1).per_channel;
  return (((m->components - 1u) * 8 + m->blocks) * per_channel * precision_bits(m->address_size) + 7) / 8;
}

/* Bytes of the weights: each register holds dwords for all channels, of one step or of several. */
uint32_t og_vx_dpas_weight_bytes(const struct og_vx_message *m, uint32_t channels, uint32_t grf_size) {
  struct shape shape = make_shape(m, channels, grf_size);
  return (shape.depth - 1) / shape.operands_per_dword * grf_size + 4 * channels;
}

/* Fields of the message: data is dst, data1 src0 (without data: zero), data2 src1, addresses src2; blocks is the depth,
   components the count, atomic and address_size are the precisions, container the bytes of an element of dst and src0;
   store: these are bf16, not half. */
static void multiply(struct og_vx_thread *thread, const struct og_vx_op *op, const uint8_t *activations) {
  const struct og_vx_message *m = op->message;
  const uint8_t *registers = thread->base[OG_VX_REGISTERS];
  bool floating = m->atomic >= OG_VISA_BF16;
  struct shape shape = make_shape(m, op->exec_size, thread->program->grf_size);
  union {
    float f[OG_VX_CHANNELS];
    uint32_t u[OG_VX_CHANNELS];
  } results[8];
  const struct og_alu *alu = thread->alu;
  uint8_t narrow = m->store ? OG_ALU_BF16 : OG_ALU_F16;
  for (uint32_t r = 0; r < m->components; r++) {
    memset(&results[r], 0, sizeof results[r]);
    if (m->data1 != OG_VX_NO_DATA) {
      const uint8_t *from = registers + m->data1 + (size_t)r * shape.channels * m->container;
      if (m->container == 2)
        alu->convert[narrow][OG_ALU_F32](results[r].f, from, NULL, NULL, shape.channels, 0);
      else
        memcpy(results[r].u, from, 4 * (size_t)shape.channels);
    }
    uint32_t first = r * 8 * shape.per_channel;
    if (floating)
      row_of_floats(&shape, results[r].f, registers + m->data2, activations, first);
    else
      row_of_integers(&shape, results[r].u, registers + m->data2, activations, first);
  }
  for (uint32_t r = 0; r < m->components; r++) {
    uint8_t *to = thread->base[OG_VX_REGISTERS] + m->data + (size_t)r * shape.channels * m->container;
    if (m->container == 2)
      alu->convert[OG_ALU_F32][narrow](to, results[r].f, NULL, NULL, shape.channels, 0);
    else
      memcpy(to, results[r].u, 4 * (size_t)shape.channels);
  }
}

const struct og_vx_op *og_vx_run_dpas(struct og_vx_thread *thread, const struct og_vx_op *op) {
  multiply(thread, op, thread->base[OG_VX_REGISTERS] + op->message->addresses);
  return op + 1;
}

/* dpasw: threads 2n and 2n + 1 of a group are a pair, each with half of the activations in its registers, the even
   thread with the first half. The one that comes first waits; the second does the work of both. */
const struct og_vx_op *og_vx_run_dpasw(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_group *group = thread->group;
  uint32_t grf = thread->program->grf_size, index = thread->index;
  if ((index ^ 1) >= group->thread_count)
    return og_vx_fault(thread, op, "dpasw needs an even number of threads in the work-group, there are %u",
                       group->thread_count);
  struct og_vx_thread *partner = &group->threads[index ^ 1];
  if (partner->state != OG_VX_WAITING || partner->waiting_for != OG_VX_WAITS_FOR_PARTNER || partner->next != op + 1) {
    thread->state = OG_VX_WAITING;
    thread->waiting_for = OG_VX_WAITS_FOR_PARTNER;
    thread->next = op + 1;
    return NULL;
  }
  uint8_t activations[512];
  uint32_t bytes = (uint32_t)og_align_up(og_vx_dpas_activation_bytes(op->message), grf),
           first = (bytes / grf + 1) / 2 * grf;
  const struct og_vx_thread *even = index & 1 ? partner : thread, *odd = index & 1 ? thread : partner;
  memcpy(activations, even->base[OG_VX_REGISTERS] + op->message->addresses, first);
  memcpy(activations + first, odd->base[OG_VX_REGISTERS] + op->message->addresses, bytes - first);
  multiply(partner, op, activations);
  multiply(thread, op, activations);
  partner->state = OG_VX_RUNNING;
  return op + 1;
}
