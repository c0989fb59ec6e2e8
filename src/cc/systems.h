/* systems.h - kernels for operating systems other than HSA: amdpal, mesa3d, none. */
#ifndef OG_CC_SYSTEMS_H
#define OG_CC_SYSTEMS_H

#include "cc/object.h"

static inline bool cc_is_hsa(const struct og_target *target) { return target->os == OG_OS_AMDHSA; }
/* Where in the kernarg segment explicit arguments begin. */
uint32_t cc_arguments_begin(const struct og_target *target);
/* Asks for the inputs that a loader sets up, unless the kernel's attributes say that they are not needed. */
void cc_want_for_system(struct cc_function *c);
/* What stands before a kernel's code, and what notes say about it; `descriptor`: its 64 bytes as on HSA. */
void cc_system_header(struct cc_object *o, const struct cc_function *c, const uint8_t *descriptor);
void cc_system_kernel(struct cc_object *o, const struct cc_function *c, const uint8_t *descriptor);
/* The sections about all kernels. */
void cc_system_end(struct cc_object *o);

#endif
