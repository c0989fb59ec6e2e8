/* commands.h - finds races among packets of queues, copies and the host's own accesses: those that nothing orders, or
 * whose fences are not enough. Calls may come from any thread. */
#ifndef OG_CHECK_COMMANDS_H
#define OG_CHECK_COMMANDS_H

#include "check/footprint.h"

struct og_commands;
struct og_command; /* a packet or a copy; NULL, which all functions allow: it is not followed */
struct og_command_queue;

/* Who runs a command: the number of an agent; 0: the host, or a copy on its behalf. */
enum { OG_COMMAND_AGENTS = 8 };

struct og_commands_options {
  bool (*is_fine)(uint64_t address); /* fine-grained or unknown memory */
  /* Reports a race. The first bytes of its text identify it independently of address and packets. */
  void (*tell)(const char *text, size_t size);
};
struct og_commands *og_commands_new(const struct og_commands_options *options);
void og_commands_free(struct og_commands *commands); /* frees its queues, too; NULL is allowed */

/* ---- the host: one party, whose threads are ordered among themselves --------------------------------------------- */

/* The host has read a signal; it is about to change one, or to overwrite its value. */
void og_commands_host_sees(struct og_commands *commands, const void *signal);
void og_commands_host_tells(struct og_commands *commands, const void *signal, bool sets);
/* The signal no longer exists. */
void og_commands_forget(struct og_commands *commands, const void *signal);
/* The host accesses memory itself; takes ownership of the footprint. */
void og_commands_host(struct og_commands *commands, struct og_footprint *footprint);

/* ---- queues ------------------------------------------------------------------------------------------------------ */

struct og_command_queue *og_commands_queue(struct og_commands *commands, uint64_t number, unsigned agent);
/* The queue ends, and the host knows all that it has done. */
void og_commands_queue_end(struct og_commands *commands, struct og_command_queue *queue);
/* The host has rung the doorbell for packets, from the first to before the last. */
void og_commands_rung(struct og_commands *commands, struct og_command_queue *queue, uint64_t first, uint64_t end);
/* The queue's processor takes a packet with that header. */
struct og_command *og_commands_launch(struct og_commands *commands, struct og_command_queue *queue, uint64_t index,
                                      uint16_t header);

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* The host asks for a copy. */
struct og_command *og_commands_copy(struct og_commands *commands);

/* ---- packets and copies
 * ------------------------------------------------------------------------------------------- */

/* The command goes on after waiting for a signal. */
void og_commands_awaits(struct og_commands *commands, struct og_command *command, const void *signal);
/* The command has ended, and is about to change its completion signal (NULL: it has none). Takes ownership of the
 * footprint; NULL: it did nothing, or that is unknown. */
void og_commands_end(struct og_commands *commands, struct og_command *command, struct og_footprint *footprint,
                     const void *completion);

#endif
