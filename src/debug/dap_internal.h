/* dap_internal.h - a session of the protocol: messages as they come, and what numbers in them stand for. */
#ifndef OG_DEBUG_DAP_INTERNAL_H
#define OG_DEBUG_DAP_INTERNAL_H

#include <jansson.h>

#include "debug/console.h"
#include "debug/dap.h"
#include "debug/show.h"

/* What a variablesReference means; valid until the dispatch goes on. */
enum og_dap_kind { OG_DAP_LOCALS, OG_DAP_STATE, OG_DAP_SCALARS, OG_DAP_VECTORS, OG_DAP_LANES };
struct og_dap_handle {
  enum og_dap_kind kind;
  struct og_wave_name wave;
  unsigned index; /* of a vector register */
};

struct og_dap_message {
  struct og_dap_message *next;
  json_t *body;
};

struct og_dap {
  const struct og_dap_host *host;
  struct og_debug *debug;
  struct og_console *console;
  struct og_buffer printed; /* by the console */
  struct og_arena *arena;   /* of handles */
  OG_VECTOR(struct og_dap_handle) handles;
  json_int_t sequence;
  bool stop_on_entry, configured, done;
  enum { OG_DAP_STAYS, OG_DAP_GOES, OG_DAP_GOES_BACK } motion; /* what the request asked for, once it is answered */
  enum og_step step;
  bool over, entry;
  pthread_t reader;
  pthread_mutex_t lock; /* of what follows: the reader's side */
  pthread_cond_t arrived;
  struct og_dap_message *first, **last;
  bool ended, broken;
  struct og_debug *running; /* to be interrupted when a message comes; or NULL */
};

/* dap_requests.c: the body of the response, or NULL with the reason in `error`. */
typedef json_t *og_dap_request(struct og_dap *dap, json_t *arguments, struct og_buffer *error);
og_dap_request *og_dap_find(const char *command);

void og_dap_event(struct og_dap *dap, const char *name, json_t *body);
/* dap_views.c: what is looked at. */
og_dap_request og_dap_threads, og_dap_stack_trace, og_dap_scopes, og_dap_variables, og_dap_evaluate, og_dap_disassemble,
    og_dap_read_memory, og_dap_set_variable;
json_int_t og_dap_thread(const struct og_wave *wave);
bool og_dap_focus(struct og_dap *dap, json_t *arguments, const char *key);

#endif
