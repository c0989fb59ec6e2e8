/* write.h - the pieces of text that the writer's files share. */
#ifndef OG_VISA_WRITE_TEXT_H
#define OG_VISA_WRITE_TEXT_H

#include "visa/table.h"

#include <string.h>

static inline void og_vt_put(struct og_buffer *out, const char *text) { og_buffer_append(out, text, strlen(text)); }
static inline void og_vt_put_char(struct og_buffer *out, char c) { og_buffer_append(out, &c, 1); }

static inline void og_vt_put_unsigned(struct og_buffer *out, uint64_t value, unsigned base) {
  char text[24];
  unsigned at = sizeof text;
  do
    text[--at] = "0123456789abcdef"[value % base];
  while (value /= base);
  og_buffer_append(out, text + at, sizeof text - at);
}
static inline void og_vt_put_hex(struct og_buffer *out, uint64_t value) {
  og_vt_put(out, "0x");
  og_vt_put_unsigned(out, value, 16);
}

void og_vt_put_string(struct og_buffer *out, const char *text);
void og_vt_put_general(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out);
void og_vt_put_variable(const struct og_visa_kernel *kernel, char class, uint32_t index, struct og_buffer *out);
void og_vt_put_label(const struct og_visa_kernel *kernel, uint32_t index, struct og_buffer *out);
void og_vt_put_origin(const struct og_visa_operand *operand, struct og_buffer *out);
void og_vt_put_spaced(const struct og_visa_kernel *kernel, const struct og_visa_operand *operand, char letter,
                      struct og_buffer *out);
void og_vt_put_exec(const struct og_visa_inst *inst, struct og_buffer *out);
void og_vt_put_channels(uint64_t mask, struct og_buffer *out);
void og_vt_put_named(const char *const *names, uint64_t index, const char *before, struct og_buffer *out);
void og_vt_put_dotted(uint64_t value, struct og_buffer *out);
/* Those whose row says "!". */
void og_vt_put_special(const struct og_visa_kernel *kernel, const struct og_visa_inst *inst, struct og_buffer *out);

#endif
