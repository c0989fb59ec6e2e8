/* show.h - what the debugger prints: places, values, memory, waves, breakpoints. Shared by the console and the
 * protocol. */
#ifndef OG_DEBUG_SHOW_H
#define OG_DEBUG_SHOW_H

#include "debug/value.h"

/* "/8xw", "/f16": how often, in which form, of which type. */
struct og_format {
  uint32_t count;
  char letter; /* of og_value_print, 'i' for instructions, or 0 */
  bool has_type;
  enum og_numeral type;
};
/* Behind the slash, up to a blank; false: it is none. */
bool og_format_read(struct og_text text, struct og_format *format);

struct og_context og_context_of(struct og_debug *debug);
/* A value in one lane: elements of the format's type with '|' between them where there are several. */
void og_show_value(const struct og_value *value, const struct og_format *format, struct og_buffer *out);
/* An expression's value: of each lane that is on where they may differ. False: `out` says what is wrong. */
bool og_show_expression(struct og_debug *debug, const char *text, const struct og_format *format,
                        struct og_buffer *out);
bool og_show_memory(struct og_debug *debug, enum og_space space, uint64_t address, const struct og_format *format,
                    struct og_buffer *out);

/* "k+0x40" and, where it is known, " (k.cl:5)". */
void og_show_place(struct og_debug *debug, uint64_t pc, struct og_buffer *out);
/* The text of an instruction; its size, 0 where there is none. */
unsigned og_show_instruction(struct og_debug *debug, uint64_t pc, struct og_buffer *out);
void og_show_disassembly(struct og_debug *debug, uint64_t pc, uint32_t count, struct og_buffer *out);
void og_show_source(struct og_debug *debug, const char *file, unsigned first, unsigned count, unsigned here,
                    struct og_buffer *out);
/* Why it stands, and where. */
void og_show_stop(struct og_debug *debug, struct og_buffer *out);
void og_show_here(struct og_debug *debug, struct og_buffer *out);
void og_show_waves(struct og_debug *debug, struct og_buffer *out);
void og_show_groups(struct og_debug *debug, struct og_buffer *out);
void og_show_breakpoints(struct og_debug *debug, struct og_buffer *out);
void og_show_registers(struct og_debug *debug, struct og_buffer *out);
void og_show_variables(struct og_debug *debug, bool arguments, bool locals, struct og_buffer *out);
void og_show_frames(struct og_debug *debug, struct og_buffer *out);
const char *og_wave_state_name(const struct og_wave *wave);
/* Where a loaded instruction that fits `pc` and the text mean: "k.cl:5", "5", "k", "k+0x40", "*0x7f..", "".
 * Addresses of code; 0: `out` says what is wrong. */
uint32_t og_find_location(struct og_debug *debug, const char *text, uint64_t *pcs, uint32_t most,
                          struct og_buffer *out);

#endif
