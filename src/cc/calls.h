/* calls.h - real calls: the registers of arguments and results. */
#ifndef OG_CC_CALLS_H
#define OG_CC_CALLS_H

#include "cc/select.h"

/* Fixed registers by the calling convention of LLVM's AMDGPU backend. */
enum {
  CC_ARGUMENT_REGISTERS = 31, /* from v0 on; further arguments stand at the end of the caller's frame */
  CC_RETURN_REGISTERS = 32,   /* from v0 on */
  CC_V_WORKITEM_IDS = 31,     /* x, y and z of 10 bits each */
  CC_S_DISPATCH_PTR = 4,
  CC_S_QUEUE_PTR = 6, /* before version 5 of code objects */
  CC_S_IMPLICIT_ARGUMENTS = 8,
  CC_S_WORKGROUP_ID = 12, /* s12, s13, s14 */
  CC_S_RETURN_ADDRESS = 30,
  CC_S_STACK = 32,
  CC_S_FRAME = 33, /* of functions whose stack grows while they run */
  CC_S_SAVED_EXEC = 28, /* our own choice: holds EXEC while all lanes are saved */
};
/* Whether a called function leaves a register as it was. */
static inline bool cc_is_preserved(unsigned file, unsigned number) {
  return file == CC_S ? number >= 33 : number >= 40 && (number - 40) % 16 < 8;
}

operand cc_fixed(struct cc_function *c, unsigned file, unsigned number, unsigned dwords);
/* select_stack.c: s32, if the stack is to grow, and its value restored at the end. */
void cc_begin_stack(struct cc_function *c);
void cc_end_stack(struct cc_function *c);
void cc_function_inputs(struct cc_function *c); /* instead of a kernel's */
void cc_enter_function(struct cc_function *c);  /* copies a function's arguments, a kernel's inputs for calls */
bool cc_select_real_call(struct cc_function *c, uint32_t record);
bool cc_select_return(struct cc_function *c, uint32_t record);
void cc_leave_function(struct cc_function *c); /* where all lanes have come back */
operand cc_implicit_arguments(struct cc_function *c);
operand cc_queue(struct cc_function *c); /* the address of its queue */
void cc_select_trap(struct cc_function *c);
bool cc_frame(struct cc_function *c); /* the pass: saves what the caller's registers hold */

#endif
