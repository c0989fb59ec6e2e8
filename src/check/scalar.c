/* scalar.c - checks scalar loads while they run: memory that was never written since its allocation, and bytes behind
 * the kernel's arguments. */
#include "check/uninit.h"
#include "exec/memory.h"

static void check_fresh(const struct og_wave *wave, const struct og_operation *op, const struct og_known *known,
                        uint64_t address, unsigned size) {
  struct og_uninit_wave *state = og_check_wave(wave)->uninit;
  const struct og_uninit_use *result = &known->flow->writes[0];
  struct og_window window = {0};
  for (unsigned d = 0; known->flow->write_count && !result->vector && d < result->dwords && 4 * d < size; d++) {
    uint32_t bits = (uint32_t)og_check_fresh_bits(wave, &window, address + 4 * d, OG_MIN(size - 4 * d, 4u));
    unsigned at = result->at + d;
    if (!bits || at == OG_S_ZERO)
      continue;
    state->s[at] = bits;
    state->origin_s[at] = OG_ORIGIN_MEMORY + (uint32_t)(op - wave->program->operations);
    og_uninit_mark_scalar(&state->marks, at);
  }
}

void og_check_scalar(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, uint64_t address, unsigned size) {
  if (watch->checkers & OG_CHECK_BOUNDS && known->inst->encoding == OG_ENC_SMEM)
    og_check_arguments_scalar(watch, wave, op, address, size);
  if (watch->checkers & OG_CHECK_UNINIT && watch->fresh)
    check_fresh(wave, op, known, address, size);
}
