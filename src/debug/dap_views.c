/* dap_views.c - requests of the protocol that look: waves as threads, frames, registers and variables, code, memory. */
#include "debug/dap_internal.h"

#include <stdlib.h>
#include <string.h>

enum { WAVES_OF_GROUP = 64 /* most: work-groups have 1,024 work-items */, FRAMES = 32 };

static const char *text_of(json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static json_int_t number_of(json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

/* ---- waves ------------------------------------------------------------------------------------------------------- */

json_int_t og_dap_thread(const struct og_wave *wave) {
  return (json_int_t)wave->group->index * WAVES_OF_GROUP + wave->id + 1;
}

static struct og_wave_name wave_of(json_int_t thread) {
  return (struct og_wave_name){(uint32_t)((thread - 1) / WAVES_OF_GROUP), (uint32_t)((thread - 1) % WAVES_OF_GROUP)};
}

bool og_dap_focus(struct og_dap *dap, json_t *arguments, const char *key) {
  json_int_t thread = number_of(arguments, key);
  return thread > 0 && og_debug_focus(dap->debug, wave_of(thread));
}

/* A frame's number has its wave's, and how deep it is. */
static bool focus_frame(struct og_dap *dap, json_t *arguments) {
  json_int_t frame = number_of(arguments, "frameId");
  return !frame || og_debug_focus(dap->debug, wave_of(frame / FRAMES));
}

json_t *og_dap_threads(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  (void)arguments, (void)error;
  json_t *threads = json_array();
  uint32_t groups = dap->debug && og_debug_alive(dap->debug) ? og_debug_group_count(dap->debug) : 0;
  for (uint32_t g = 0; g < groups; g++) {
    const struct og_group *group = og_debug_group(dap->debug, g);
    for (uint32_t i = 0; i < group->wave_count; i++) {
      const struct og_wave *wave = og_group_wave(group, i);
      char name[64];
      snprintf(name, sizeof name, "wave %u.%u (%u,%u,%u)", group->index, i, group->id[0], group->id[1], group->id[2]);
      if (wave->state != OG_WAVE_ENDED)
        json_array_append_new(threads, json_pack("{s:I, s:s}", "id", og_dap_thread(wave), "name", name));
    }
  }
  return json_pack("{s:o}", "threads", threads);
}

json_t *og_dap_stack_trace(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  struct og_frame frames[FRAMES];
  if (!dap->debug || !og_dap_focus(dap, arguments, "threadId")) {
    og_buffer_text(error, "no such wave is resident");
    return NULL;
  }
  const struct og_wave *wave = og_debug_wave(dap->debug);
  uint64_t pc = og_debug_pc(dap->debug, wave);
  uint32_t count = og_frames(dap->debug, pc, frames, FRAMES);
  struct og_buffer place = {0};
  if (!count) {
    frames[count++] =
        (struct og_frame){.line = og_lines_at(dap->debug->lines, pc - dap->debug->target.executable->start)};
    og_executable_locate(dap->debug->target.executable, pc, &place);
  }
  json_t *made = json_array();
  char reference[24];
  snprintf(reference, sizeof reference, "0x%llx", (unsigned long long)pc);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = frames[i].name ? frames[i].name : place.size ? (const char *)place.data : "?";
    json_t *frame = json_pack("{s:I, s:s, s:i, s:i, s:s}", "id", og_dap_thread(wave) * FRAMES + (json_int_t)i, "name",
                              name, "line", (int)frames[i].line.line, "column", (int)frames[i].line.column,
                              "instructionPointerReference", reference);
    if (frames[i].line.file) {
      const char *path = og_lines_path(dap->debug->lines, frames[i].line.file);
      json_object_set_new(frame, "source", json_pack("{s:s, s:s}", "name", og_file_name(path), "path", path));
    }
    json_array_append_new(made, frame);
  }
  og_buffer_free(&place);
  return json_pack("{s:o, s:i}", "stackFrames", made, "totalFrames", (int)count);
}

/* ---- scopes and variables ---------------------------------------------------------------------------------------- */

static json_int_t handle(struct og_dap *dap, enum og_dap_kind kind, unsigned index) {
  *OG_PUSH(dap->arena, &dap->handles) =
      (struct og_dap_handle){.kind = kind, .wave = og_wave_name(og_debug_wave(dap->debug)), .index = index};
  return (json_int_t)dap->handles.count;
}

json_t *og_dap_scopes(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  static const struct {
    const char *name;
    enum og_dap_kind kind;
  } scopes[] = {{"Locals", OG_DAP_LOCALS},
                {"State", OG_DAP_STATE},
                {"Scalar registers", OG_DAP_SCALARS},
                {"Vector registers", OG_DAP_VECTORS}};
  json_t *made = json_array();
  if (!dap->debug || !focus_frame(dap, arguments) || !og_debug_wave(dap->debug)) {
    og_buffer_text(error, "no such wave is resident");
    json_decref(made);
    return NULL;
  }
  for (size_t i = 0; i < OG_COUNT(scopes); i++)
    json_array_append_new(made,
                          json_pack("{s:s, s:I, s:b}", "name", scopes[i].name, "variablesReference",
                                    handle(dap, scopes[i].kind, 0), "expensive", scopes[i].kind == OG_DAP_VECTORS));
  return json_pack("{s:o}", "scopes", made);
}

static void add(json_t *list, const char *name, const char *value, json_int_t reference) {
  json_t *text = json_string(value);
  json_array_append_new(list, json_pack("{s:s, s:o, s:I, s:s}", "name", name, "value", text ? text : json_string("?"),
                                        "variablesReference", reference, "evaluateName", name));
}

static void add_number(json_t *list, const char *name, uint64_t number, unsigned digits) {
  char value[24];
  snprintf(value, sizeof value, "0x%0*llx", (int)digits, (unsigned long long)number);
  add(list, name, value, 0);
}

static void add_locals(struct og_dap *dap, json_t *list) {
  enum { MOST = 128 };
  static const struct og_format plain = {.count = 1};
  struct og_variable *variables = calloc(MOST, sizeof *variables);
  struct og_context context = og_context_of(dap->debug);
  uint32_t count = variables ? og_variables(&context, variables, MOST) : 0;
  for (uint32_t i = 0; i < count; i++) {
    struct og_value value;
    struct og_buffer text = {0};
    if (og_variable_value(&context, &variables[i], &value))
      og_show_value(&value, &plain, &text);
    else
      og_buffer_text(&text, "<optimised away>");
    add(list, variables[i].name, (const char *)text.data, 0);
    og_buffer_free(&text);
  }
  free(variables);
}

static void add_state(struct og_dap *dap, const struct og_wave *wave, json_t *list) {
  static const char *const names[] = {"exec", "vcc", "scc", "m0", "mode", "flat_scratch"};
  char name[16];
  for (size_t i = 0; i < OG_COUNT(names); i++) {
    struct og_register reg;
    if (!og_register_find(wave, og_text(names[i]), &reg))
      continue;
    uint64_t bits = og_register_get(wave, &reg, 0, 0);
    bits |= reg.dwords == 2 ? (uint64_t)og_register_get(wave, &reg, 1, 0) << 32 : 0;
    snprintf(name, sizeof name, "$%s", names[i]);
    add_number(list, name, bits, 1);
  }
  add_number(list, "$pc", og_debug_pc(dap->debug, wave), 1);
  add(list, "state", og_wave_state_name(wave), 0);
}

static void add_registers(struct og_dap *dap, const struct og_wave *wave, bool vector, json_t *list) {
  const struct og_kernel *kernel = dap->debug->target.kernel;
  uint32_t known = vector ? OG_MIN(kernel->vgpr_count, 256u) : OG_MIN(kernel->sgpr_count, 106u);
  for (uint32_t i = 0; i < (known ? known : 32); i++) {
    char name[16], value[64];
    snprintf(name, sizeof name, "$%c%u", vector ? 'v' : 's', i);
    if (!vector) {
      add_number(list, name, wave->s[i], 8);
      continue;
    }
    unsigned lane = og_debug_lane(dap->debug);
    snprintf(value, sizeof value, "lane %u: 0x%08x", lane, wave->v[i][lane]);
    add(list, name, value, handle(dap, OG_DAP_LANES, i));
  }
}

static void add_lanes(const struct og_wave *wave, unsigned index, json_t *list) {
  uint64_t on = og_exec(wave);
  for (unsigned lane = 0; lane < wave->wave_size; lane++) {
    char name[24], value[64];
    struct og_buffer number = {0};
    struct og_value read = og_value_load(OG_AS_F32, &wave->v[index][lane]);
    og_value_print(&read, 0, &number);
    snprintf(name, sizeof name, "$v%u[%u]", index, lane);
    snprintf(value, sizeof value, "0x%08x (%u, %s)%s", wave->v[index][lane], wave->v[index][lane], (char *)number.data,
             on >> lane & 1 ? "" : ", lane is off");
    og_buffer_free(&number);
    add(list, name, value, 0);
  }
}

json_t *og_dap_variables(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  json_int_t reference = number_of(arguments, "variablesReference");
  const struct og_dap_handle *found = NULL;
  if (reference > 0 && reference <= (json_int_t)dap->handles.count)
    found = &dap->handles.items[reference - 1];
  if (!found || !og_debug_focus(dap->debug, found->wave)) {
    og_buffer_text(error, "this reference is out of date: the kernel has moved on");
    return NULL;
  }
  struct og_dap_handle what = *found; /* more handles may move it */
  const struct og_wave *wave = og_debug_wave(dap->debug);
  json_t *list = json_array();
  switch (what.kind) {
  case OG_DAP_LOCALS: add_locals(dap, list); break;
  case OG_DAP_STATE: add_state(dap, wave, list); break;
  case OG_DAP_SCALARS: add_registers(dap, wave, false, list); break;
  case OG_DAP_VECTORS: add_registers(dap, wave, true, list); break;
  case OG_DAP_LANES: add_lanes(wave, what.index, list); break;
  }
  return json_pack("{s:o}", "variables", list);
}

/* The console's command, and what it printed; NULL with that as the reason. */
static json_t *command(struct og_dap *dap, const char *line, const char *key, struct og_buffer *error) {
  dap->printed.size = 0;
  bool fine = og_console_do(dap->console, line);
  while (dap->printed.size && dap->printed.data[dap->printed.size - 1] == '\n')
    dap->printed.size--;
  if (!fine) {
    og_buffer_append(error, dap->printed.data, dap->printed.size);
    return NULL;
  }
  json_t *text = json_stringn(dap->printed.size ? (const char *)dap->printed.data : "", dap->printed.size);
  return json_pack("{s:o, s:i}", key, text ? text : json_string(""), "variablesReference", 0);
}

/* In the console of the editor all of the debugger's commands; elsewhere expressions. */
json_t *og_dap_evaluate(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  static const struct og_format plain = {.count = 1};
  const char *text = text_of(arguments, "expression");
  if (!dap->debug) {
    og_buffer_text(error, "nothing is launched");
    return NULL;
  }
  focus_frame(dap, arguments);
  if (strcmp(text_of(arguments, "context"), "repl") == 0)
    return command(dap, text, "result", error);
  struct og_buffer shown = {0};
  bool fine = og_show_expression(dap->debug, text, &plain, &shown);
  while (shown.size && shown.data[shown.size - 1] == '\n')
    shown.size--;
  size_t skip = fine ? strlen(text) + 3 : 0; /* "EXPRESSION = " */
  json_t *result = NULL;
  if (fine && shown.size >= skip)
    result = json_pack("{s:o, s:i}", "result", json_stringn((const char *)shown.data + skip, shown.size - skip),
                       "variablesReference", 0);
  else
    og_buffer_append(error, shown.data, shown.size);
  og_buffer_free(&shown);
  return result;
}

json_t *og_dap_set_variable(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  char *line = NULL;
  if (!dap->debug || asprintf(&line, "set %s = %s", text_of(arguments, "name"), text_of(arguments, "value")) < 0)
    return NULL;
  json_t *body = command(dap, line, "unused", error);
  free(line);
  if (body)
    json_object_set_new(body, "value", json_string(text_of(arguments, "value")));
  return body;
}

/* ---- code and memory --------------------------------------------------------------------------------------------- */

static uint64_t address_of(const char *reference, enum og_space *space) {
  static const struct {
    const char *prefix;
    enum og_space space;
  } spaces[] = {{"lds:", OG_SPACE_LDS}, {"scratch:", OG_SPACE_SCRATCH}};
  *space = OG_SPACE_GLOBAL;
  for (size_t i = 0; i < OG_COUNT(spaces); i++)
    if (strncmp(reference, spaces[i].prefix, strlen(spaces[i].prefix)) == 0) {
      *space = spaces[i].space;
      reference += strlen(spaces[i].prefix);
    }
  return strtoull(reference, NULL, 0);
}

/* How many instructions from the code's beginning to an address; instructions are found only from the front. */
static uint64_t back_up(struct og_dap *dap, uint64_t pc, uint64_t count) {
  const struct og_debug_target *target = &dap->debug->target;
  uint64_t start = target->executable->start + target->kernel->entry, at = start, number = 0;
  struct og_buffer unseen = {0};
  for (unsigned size; at < pc && (size = og_show_instruction(dap->debug, at, &unseen)); at += size, unseen.size = 0)
    number++;
  uint64_t skip = at == pc && number > count ? number - count : 0;
  for (at = start; at < pc && skip > 0; skip--, unseen.size = 0)
    at += og_show_instruction(dap->debug, at, &unseen);
  og_buffer_free(&unseen);
  return at < pc && number >= count ? at : pc;
}

json_t *og_dap_disassemble(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  enum { MOST = 10000 };
  enum og_space space;
  if (!dap->debug) {
    og_buffer_text(error, "nothing is launched");
    return NULL;
  }
  uint64_t pc = address_of(text_of(arguments, "memoryReference"), &space) + (uint64_t)number_of(arguments, "offset");
  json_int_t from = number_of(arguments, "instructionOffset"), count = number_of(arguments, "instructionCount");
  if (from < 0)
    pc = back_up(dap, pc, (uint64_t)-from);
  json_t *list = json_array();
  for (json_int_t i = -OG_MAX(from, 0); i < count && i < MOST; i++) {
    struct og_buffer text = {0};
    unsigned size = og_show_instruction(dap->debug, pc, &text);
    struct og_line line = og_lines_at(dap->debug->lines, pc - dap->debug->target.executable->start);
    char address[24];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)pc);
    pc += size ? size : 4;
    json_t *one =
        json_pack("{s:s, s:s}", "address", address, "instruction", size ? (const char *)text.data : "(no code)");
    og_buffer_free(&text);
    if (line.file && size) {
      json_object_set_new(one, "line", json_integer(line.line));
      json_object_set_new(one, "location", json_pack("{s:s}", "path", og_lines_path(dap->debug->lines, line.file)));
    }
    if (i >= 0)
      json_array_append_new(list, one);
    else
      json_decref(one);
  }
  return json_pack("{s:o}", "instructions", list);
}

static char *base64(const uint8_t *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = calloc(1, (size + 2) / 3 * 4 + 1), *to = text;
  for (size_t i = 0; text && i < size; i += 3) {
    uint32_t bits =
        (uint32_t)bytes[i] << 16 | (uint32_t)(i + 1 < size ? bytes[i + 1] : 0) << 8 | (i + 2 < size ? bytes[i + 2] : 0);
    for (unsigned k = 0; k < 4; k++)
      *to++ = i + k <= size ? digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

json_t *og_dap_read_memory(struct og_dap *dap, json_t *arguments, struct og_buffer *error) {
  enum { MOST = 1 << 20 };
  struct og_watched what = {.owner = {0, 0}};
  if (!dap->debug) {
    og_buffer_text(error, "nothing is launched");
    return NULL;
  }
  const char *reference = text_of(arguments, "memoryReference");
  json_int_t count = number_of(arguments, "count");
  what.address = address_of(reference, &what.space) + (uint64_t)number_of(arguments, "offset");
  what.lane = og_debug_lane(dap->debug);
  what.owner = og_debug_wave(dap->debug) ? og_wave_name(og_debug_wave(dap->debug)) : what.owner;
  size_t wanted = count < 0 ? 0 : (size_t)OG_MIN(count, MOST), got = 0;
  uint8_t *bytes = calloc(1, wanted + 1);
  for (what.size = 1; bytes && got < wanted && og_watched_read(dap->debug, &what, bytes + got); got++)
    what.address++;
  char *text = bytes ? base64(bytes, got) : NULL, address[32];
  snprintf(address, sizeof address, "0x%llx", (unsigned long long)(what.address - got));
  json_t *body = json_pack("{s:s, s:s, s:I}", "address", address, "data", text ? text : "", "unreadableBytes",
                           (json_int_t)(wanted - got));
  free(bytes);
  free(text);
  return body;
}
