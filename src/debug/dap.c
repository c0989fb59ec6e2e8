/* dap.c - messages of the Debug Adapter Protocol in and out. A thread reads, so that what runs can be interrupted;
 * all else is done in the order of the requests. */
#include "debug/dap_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_MOST = 4096, BODY_MOST = 64 << 20 };

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool read_all(int in, char *to, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t got = read(in, to + done, size - done);
    if (got <= 0)
      return false;
    done += (size_t)got;
  }
  return true;
}

/* The size that the header says; 0: the input has ended, or is something else. */
static size_t read_header(int in, bool *broken) {
  char header[HEADER_MOST];
  size_t size = 0;
  while (size < 4 || memcmp(header + size - 4, "\r\n\r\n", 4) != 0) {
    if (size + 1 == sizeof header || !read_all(in, header + size, 1)) {
      *broken = size > 0;
      return 0;
    }
    size++;
  }
  header[size] = 0;
  const char *length = strcasestr(header, "Content-Length:");
  size_t body = length ? strtoull(length + strlen("Content-Length:"), NULL, 10) : 0;
  *broken = body == 0 || body > BODY_MOST;
  return *broken ? 0 : body;
}

static json_t *read_message(int in, bool *broken) {
  size_t size = read_header(in, broken);
  char *text = size ? malloc(size) : NULL;
  if (!text)
    return NULL;
  json_t *body = read_all(in, text, size) ? json_loadb(text, size, 0, NULL) : NULL;
  *broken = !json_is_object(body);
  free(text);
  return body;
}

static void *read_messages(void *context) {
  struct og_dap *dap = context;
  bool more = true;
  while (more) {
    bool broken = false;
    json_t *body = read_message(dap->host->in, &broken);
    struct og_dap_message *message = body && !broken ? calloc(1, sizeof *message) : NULL;
    const char *command = message ? json_string_value(json_object_get(body, "command")) : NULL;
    more = message && !(command && strcmp(command, "disconnect") == 0);
    pthread_mutex_lock(&dap->lock);
    if (message) {
      message->body = body;
      *dap->last = message;
      dap->last = &message->next;
    } else {
      json_decref(body);
    }
    dap->ended = !more;
    dap->broken |= broken;
    if (dap->running)
      og_debug_pause(dap->running);
    pthread_cond_signal(&dap->arrived);
    pthread_mutex_unlock(&dap->lock);
  }
  return NULL;
}

/* The next one, NULL: there is none any more, or where it does not `wait`, none now. */
static json_t *next_message(struct og_dap *dap, bool wait) {
  pthread_mutex_lock(&dap->lock);
  while (wait && !dap->first && !dap->ended)
    pthread_cond_wait(&dap->arrived, &dap->lock);
  struct og_dap_message *message = dap->first;
  if (message && !(dap->first = message->next))
    dap->last = &dap->first;
  pthread_mutex_unlock(&dap->lock);
  json_t *body = message ? message->body : NULL;
  free(message);
  return body;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void send(struct og_dap *dap, json_t *message) {
  json_object_set_new(message, "seq", json_integer(++dap->sequence));
  char *text = json_dumps(message, JSON_COMPACT);
  if (text) {
    fprintf(dap->host->out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(dap->host->out);
  }
  free(text);
  json_decref(message);
}

void og_dap_event(struct og_dap *dap, const char *name, json_t *body) {
  send(dap, json_pack("{s:s, s:s, s:o}", "type", "event", "event", name, "body", body ? body : json_object()));
}

static void respond(struct og_dap *dap, json_t *request, const char *command, json_t *body, struct og_buffer *error) {
  json_t *response = json_pack("{s:s, s:O, s:s, s:b}", "type", "response", "request_seq",
                               json_object_get(request, "seq"), "command", command, "success", body != NULL);
  if (!response) {
    json_decref(body);
    return;
  }
  if (body)
    json_object_set_new(response, "body", body);
  else
    json_object_set_new(response, "message", json_stringn((const char *)error->data, error->size));
  send(dap, response);
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

static void say(struct og_dap *dap, const char *category, const struct og_buffer *text) {
  json_t *words = json_stringn(text->size ? (const char *)text->data : "", text->size);
  if (words)
    og_dap_event(dap, "output", json_pack("{s:s, s:o}", "category", category, "output", words));
}

static void tell_end(struct og_dap *dap, const struct og_stop *stop) {
  struct og_buffer words = {0};
  og_show_stop(dap->debug, &words);
  say(dap, "console", &words);
  og_buffer_free(&words);
  og_dap_event(dap, "exited", json_pack("{s:i}", "exitCode", stop->record.fine ? 0 : 1));
  og_dap_event(dap, "terminated", NULL);
}

static void tell_stop(struct og_dap *dap, const struct og_stop *stop, bool paused) {
  static const char *const reasons[] = {
      [OG_STOP_NONE] = "step",   [OG_STOP_STEP] = "step",       [OG_STOP_BREAKPOINT] = "breakpoint",
      [OG_STOP_PAUSE] = "pause", [OG_STOP_FAULT] = "exception", [OG_STOP_WATCHPOINT] = "data breakpoint",
      [OG_STOP_BEGIN] = "entry", [OG_STOP_ENDED] = "step"};
  if (stop->kind == OG_STOP_ENDED) {
    tell_end(dap, stop);
    return;
  }
  const struct og_wave *wave = og_debug_wave(dap->debug);
  json_t *body = json_pack("{s:s, s:b, s:I}", "reason",
                           dap->entry ? "entry"
                           : paused   ? "pause"
                                      : reasons[stop->kind],
                           "allThreadsStopped", 1, "threadId", wave ? og_dap_thread(wave) : (json_int_t)1);
  if (stop->number)
    json_object_set_new(body, "hitBreakpointIds", json_pack("[i]", (int)stop->number));
  if (stop->kind == OG_STOP_FAULT) {
    json_object_set_new(body, "description", json_string("fault"));
    json_object_set_new(body, "text", json_string(stop->fault.what));
  }
  dap->entry = false;
  og_dap_event(dap, "stopped", body);
}

static void handle(struct og_dap *dap, json_t *request);

/* Does what has come meanwhile; true: a pause was among it, or the end. */
static bool serve_meanwhile(struct og_dap *dap) {
  bool paused = false;
  for (json_t *request; !dap->done && !paused && (request = next_message(dap, false));) {
    const char *command = json_string_value(json_object_get(request, "command"));
    paused = command && strcmp(command, "pause") == 0;
    handle(dap, request);
  }
  return paused || dap->done;
}

/* Goes on until there is something to tell; requests that come meanwhile interrupt it shortly. */
static void move(struct og_dap *dap) {
  bool back = dap->motion == OG_DAP_GOES_BACK;
  const struct og_stop *stop = og_debug_stop(dap->debug);
  dap->motion = OG_DAP_STAYS;
  og_arena_reset(dap->arena);
  memset(&dap->handles, 0, sizeof dap->handles);
  bool paused;
  do {
    if ((paused = serve_meanwhile(dap))) {
      if (!dap->done && !og_debug_alive(dap->debug))
        stop = og_debug_restart(dap->debug, 0);
      break;
    }
    pthread_mutex_lock(&dap->lock);
    dap->running = dap->debug;
    pthread_mutex_unlock(&dap->lock);
    stop = dap->entry ? og_debug_restart(dap->debug, 0)
           : back     ? og_debug_go_back(dap->debug, dap->step)
                      : og_debug_go(dap->debug, dap->step, dap->over);
    pthread_mutex_lock(&dap->lock);
    dap->running = NULL;
    bool interrupted = dap->first != NULL;
    pthread_mutex_unlock(&dap->lock);
    if (stop->kind != OG_STOP_PAUSE || !interrupted)
      break;
  } while (true);
  if (!dap->done)
    tell_stop(dap, stop, paused);
}

static void handle(struct og_dap *dap, json_t *request) {
  const char *command = json_string_value(json_object_get(request, "command"));
  og_dap_request *make = command ? og_dap_find(command) : NULL;
  struct og_buffer error = {0};
  json_t *body = NULL;
  if (make)
    body = make(dap, json_object_get(request, "arguments"), &error);
  else
    og_buffer_printf(&error, "no request '%s'", command ? command : "");
  respond(dap, request, command ? command : "", body, &error);
  bool launched = body && command && strcmp(command, "launch") == 0;
  og_buffer_free(&error);
  json_decref(request);
  if (launched)
    og_dap_event(dap, "initialized", NULL);
}

bool og_dap_serve(const struct og_dap_host *host) {
  struct og_dap dap = {.host = host, .arena = og_arena_new()};
  dap.last = &dap.first;
  pthread_mutex_init(&dap.lock, NULL);
  pthread_cond_init(&dap.arrived, NULL);
  bool reads = pthread_create(&dap.reader, NULL, read_messages, &dap) == 0;
  for (json_t *request; reads && !dap.done && (request = next_message(&dap, true));) {
    handle(&dap, request);
    if (dap.motion != OG_DAP_STAYS && !dap.done)
      move(&dap);
  }
  if (reads) {
    pthread_cancel(dap.reader); /* it may wait for input that never comes */
    pthread_join(dap.reader, NULL);
  }
  for (json_t *left; (left = next_message(&dap, false));)
    json_decref(left);
  og_console_free(dap.console);
  og_buffer_free(&dap.printed);
  og_arena_free(dap.arena);
  pthread_cond_destroy(&dap.arrived);
  pthread_mutex_destroy(&dap.lock);
  return !dap.broken;
}
