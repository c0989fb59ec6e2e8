/* machine.h - shared by the files that find the places of a kernel's arguments without a zebin. */
#ifndef OG_VISA_INFER_MACHINE_H
#define OG_VISA_INFER_MACHINE_H

#include <stdarg.h>

#include "visa/infer/flow.h"
#include "visa/infer/infer.h"

enum { OG_VI_MOST_INPUTS = OG_VISA_FLOW_INPUTS };

struct og_vi {
  struct og_arena *arena;
  const struct og_vx_program *program;
  const struct og_visa_dispatch *dispatch;
  struct og_diagnostics *diagnostics;
  struct og_visa_layout *layout;
  struct og_visa_flow flow;
  const struct og_visa_input *inputs;
  uint32_t count, first, at; /* all inputs; the first one behind the header; the next to be identified */
  uint32_t base;             /* where the part of the payload begins that all threads have in common */
  uint32_t header;           /* the header's variable, or UINT32_MAX */
  uint32_t first_local_id, last_local_id; /* variables; 0 without local ids */
  bool images;                            /* there are images among the arguments */
  bool is_explicit[OG_VI_MOST_INPUTS];    /* it is an argument, or not: members of structs do not count */
};

/* Reports "kernel '...': message; name its zebin with --zeinfo"; returns false. */
bool og_vi_untold(struct og_vi *f, const char *format, ...) OG_PRINTF(2, 3);
struct og_visa_payload_entry *og_vi_take(struct og_vi *f, uint8_t what, uint32_t input, int32_t argument);
/* The inputs from f->at on, which the compiler adds (implicit.c). */
bool og_vi_take_implicit(struct og_vi *f);

#endif
