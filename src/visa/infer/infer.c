/* infer.c - where a kernel's arguments go without a zebin: found from its inputs, how it uses them, and the arguments.
 *
 * The compiler lays inputs out in this order: local ids, a header of global offset and local size, shared local memory,
 * pointers to global and then to constant memory, values, structs member by member, and what it adds (implicit.c).
 * Within each kind they have the order of the source. The binding table lists the pointers in the same order, or, if
 * there are images, in the order of the source.
 *
 * Variables are numbered in another order: arguments that the code reads, as in the source; the header; what the
 * compiler adds, with members of structs; temporaries; arguments that are not read.
 *
 * The inputs do not say which buffers are constant memory and which values are structs. So all readings are tried that
 * keep both orders and do not write to constant memory. If two of them would give the kernel different values, none is
 * taken. What the user says has priority: a buffer given as in: is not written, and one given as out: is not
 * constant. */
#include "visa/infer/infer.h"

#include <stdio.h>
#include <string.h>

#include "visa/infer/machine.h"

enum { DEFAULT_SLM = 1 << 16, MOST_CHOICES = 16, MOST_TRIES = 1 << 20 };

bool og_vi_untold(struct og_vi *f, const char *format, ...) {
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return og_error_in(f->diagnostics, f->program->file, "kernel '%s': %s; name its zebin with --zeinfo",
                     f->program->kernel_name, message);
}

const struct og_visa_variable *og_visa_input_variable(const struct og_vx_program *program,
                                                      const struct og_visa_input *input) {
  const struct og_visa_variables *general = &program->kernel->general;
  return input->class == 'G' && input->variable < general->count ? &general->items[input->variable] : NULL;
}

/* If a register has room for fewer words than the thread has channels, each half of the channels has its own inputs. */
bool og_visa_is_local_id(const struct og_vx_program *program, const struct og_visa_input *input, uint32_t simd) {
  const struct og_visa_variable *variable = og_visa_input_variable(program, input);
  return variable && (variable->type == OG_VISA_W || variable->type == OG_VISA_UW) &&
         variable->elements >= OG_MIN(simd, program->grf_size / 2) && simd > 1;
}

/* ---- readings ---------------------------------------------------------------------------------------------------- */

/* One way to give arguments to inputs: the argument's number (-1: none), and its first byte that goes there. */
struct place {
  int32_t argument;
  uint32_t from;
};

struct search {
  struct og_vi *f;
  uint32_t slm[OG_VI_MOST_INPUTS], buffers[OG_VI_MOST_INPUTS], values[OG_VI_MOST_INPUTS]; /* arguments by kind */
  uint32_t slm_count, buffer_count, value_count;
  uint32_t plain;   /* inputs for values that are no structs */
  bool strict;      /* also uses what the user says about buffers */
  bool pointers;    /* buffers have inputs */
  uint32_t constants, structs; /* the reading: which buffers are constant memory, which values are structs */
  struct place place[OG_VI_MOST_INPUTS], found[OG_VI_MOST_INPUTS];
  int32_t bound[OG_VI_MOST_INPUTS], found_bound[OG_VI_MOST_INPUTS];
  uint32_t end, found_end; /* the first input that the compiler added */
  uint32_t ways;           /* how many readings give the kernel different payloads */
  uint32_t tries;
};

static bool is_used(const struct og_vi *f, uint32_t input) { return f->flow.used >> input & 1; }

static const struct og_visa_argument *argument_of(const struct search *s, uint32_t number) {
  return &s->f->dispatch->arguments[number];
}

/* Whether arguments that the code reads have variables in the order of the source. */
static bool keeps_variables_order(const struct search *s) {
  const struct og_vi *f = s->f;
  for (uint32_t i = f->first; i < s->end; i++)
    for (uint32_t k = i + 1; k < s->end; k++) {
      const struct place *a = &s->place[i], *b = &s->place[k];
      bool told = f->is_explicit[i] && f->is_explicit[k] && is_used(f, i) && is_used(f, k);
      if (f->header != UINT32_MAX && told && a->argument >= 0 && b->argument >= 0 &&
          (a->argument < b->argument) != (f->inputs[i].variable < f->inputs[k].variable))
        return false;
    }
  return true;
}

/* Nothing is written to constant memory. */
static bool may_be_written(const struct search *s, uint32_t argument, bool constant) {
  return !constant && !(s->strict && argument_of(s, argument)->read_only);
}

static bool place_pointers(struct search *s, uint32_t at) {
  struct og_vi *f = s->f;
  uint32_t n = 0;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < s->buffer_count; i++) {
      if ((s->constants >> i & 1) != pass)
        continue;
      uint32_t argument = s->buffers[i];
      bool written = (s->pointers && f->flow.written >> (at + n) & 1) ||
                     (!f->images && n < 64 && f->flow.surfaces_written >> n & 1);
      if ((written && !may_be_written(s, argument, pass)) || (pass && s->strict && argument_of(s, argument)->result))
        return false;
      if (s->pointers)
        s->place[at + n] = (struct place){(int32_t)argument, 0};
      s->bound[n++] = (int32_t)argument;
    }
  return true;
}

/* A vector of three has the size of one of four in memory. */
static bool fits_value(const struct search *s, uint32_t input, uint32_t argument) {
  uint32_t size = s->f->inputs[input].size;
  size_t given = argument_of(s, argument)->size;
  return size == given || (size * 4 == given * 3 && given > 1);
}

static bool place_values(struct search *s, uint32_t at) {
  uint32_t n = at;
  for (uint32_t i = 0; i < s->value_count; i++)
    if (!(s->structs >> i & 1)) {
      if (!fits_value(s, n, s->values[i]))
        return false;
      s->place[n++] = (struct place){(int32_t)s->values[i], 0};
    }
  return true;
}

/* Whether the kernel gets the same as with the reading that was found before. */
static bool same_as_found(const struct search *s) {
  const struct og_vi *f = s->f;
  for (uint32_t i = f->first; i < f->count; i++)
    if (is_used(f, i) && (s->place[i].argument != s->found[i].argument ||
                          (s->place[i].argument >= 0 && s->place[i].from != s->found[i].from)))
      return false;
  for (uint32_t i = 0; i < s->buffer_count && !f->images; i++)
    if ((i >= 64 || f->flow.surfaces_used >> i & 1) && s->bound[i] != s->found_bound[i])
      return false;
  return true;
}

/* Whether the rest may be inputs that the compiler adds: words, addresses and sizes. */
static bool leaves_what_is_added(const struct search *s) {
  for (uint32_t i = s->end; i < s->f->count; i++)
    if (s->f->inputs[i].class == 'G' && s->f->inputs[i].size != 4 && s->f->inputs[i].size != 8 &&
        s->f->inputs[i].size != 12)
      return false;
  return true;
}

static void take_reading(struct search *s) {
  if (!leaves_what_is_added(s) || !keeps_variables_order(s) || (s->ways && same_as_found(s)))
    return;
  memcpy(s->found, s->place, sizeof s->found);
  memcpy(s->found_bound, s->bound, sizeof s->found_bound);
  s->found_end = s->end;
  s->ways++;
}

/* Members of structs are inputs of their own, each aligned to its size in the struct, where some are narrower than
 * among the inputs. From value `nth` and input `at` on: tries all ways to end one struct and begin the next. */
static void place_structs(struct search *s, uint32_t nth, uint32_t at) {
  const struct og_vi *f = s->f;
  while (nth < s->value_count && !(s->structs >> nth & 1))
    nth++;
  if (++s->tries > MOST_TRIES)
    return;
  if (nth == s->value_count) {
    s->end = at;
    take_reading(s);
    return;
  }
  size_t size = argument_of(s, s->values[nth])->size;
  uint32_t end = 0, widest = 1;
  for (uint32_t i = at; i < f->count && !f->is_explicit[i] && f->inputs[i].class == 'G'; i++) {
    uint32_t member = f->inputs[i].size, alignment = member == 12 ? 16 : member;
    if (alignment & (alignment - 1) || (i > at && f->inputs[i].variable < f->inputs[i - 1].variable) ||
        f->inputs[i].variable < f->last_local_id)
      break;
    uint32_t from = (uint32_t)og_align_up(end, alignment);
    if (from + member > size)
      break;
    s->place[i] = (struct place){(int32_t)s->values[nth], from};
    widest = OG_MAX(widest, alignment);
    end = from + member;
    if (og_align_up(end, widest) == size)
      place_structs(s, nth + 1, i + 1);
  }
  for (uint32_t i = at; i < f->count; i++)
    s->place[i] = (struct place){-1, 0};
}

static void try_all(struct search *s) {
  const struct og_vi *f = s->f;
  s->ways = 0;
  for (uint32_t i = 0; i < OG_VI_MOST_INPUTS; i++)
    s->place[i] = (struct place){-1, 0};
  uint32_t at = f->first;
  for (uint32_t i = 0; i < s->slm_count; i++)
    s->place[at++] = (struct place){(int32_t)s->slm[i], 0};
  uint32_t values = at + (s->pointers ? s->buffer_count : 0);
  for (s->structs = 0; s->structs < 1u << s->value_count; s->structs++) {
    if (s->value_count - (uint32_t)__builtin_popcount(s->structs) != s->plain || !place_values(s, values))
      continue;
    for (s->constants = 0; s->constants < 1u << s->buffer_count && s->ways < 2 && s->tries <= MOST_TRIES;
         s->constants++, s->tries++)
      if (place_pointers(s, at))
        place_structs(s, 0, values + s->plain);
  }
}

static void sort_arguments(struct search *s) {
  const struct og_visa_dispatch *dispatch = s->f->dispatch;
  for (uint32_t i = 0; i < dispatch->argument_count; i++)
    switch (dispatch->arguments[i].kind) {
    case OG_VISA_ARGUMENT_SLM: s->slm[s->slm_count++] = i; break;
    case OG_VISA_ARGUMENT_BUFFER: s->buffers[s->buffer_count++] = i; break;
    case OG_VISA_ARGUMENT_VALUE: s->values[s->value_count++] = i; break;
    default: s->f->images |= dispatch->arguments[i].kind == OG_VISA_ARGUMENT_IMAGE; break;
    }
}

/* Counts the inputs of each kind; explicit ones come first. */
static bool count_inputs(struct search *s) {
  struct og_vi *f = s->f;
  uint32_t at = f->first, pointers = 0;
  for (uint32_t i = 0; i < s->slm_count; i++, at++)
    if (at >= f->count || !f->is_explicit[at] || f->inputs[at].size != 4)
      return og_vi_untold(f, "its inputs do not tell where argument %u, shared local memory, goes", s->slm[i] + 1);
  while (pointers < s->buffer_count && at < f->count && f->is_explicit[at] && f->inputs[at].size == 8)
    pointers++, at++;
  if (pointers && pointers < s->buffer_count)
    return og_vi_untold(f, "it has inputs for %u of the %u buffers given", pointers, s->buffer_count);
  s->pointers = pointers > 0;
  while (at < f->count && f->is_explicit[at] && (f->header != UINT32_MAX || s->plain < s->value_count))
    s->plain++, at++;
  if (s->plain > s->value_count)
    return og_vi_untold(f, "it has an input of %u bytes for an argument that is not given", f->inputs[at - 1].size);
  return true;
}

static void bind(struct og_vi *f, const struct search *s) {
  uint32_t index = 0, sampler = 0;
  for (uint32_t i = 0; i < s->buffer_count && !f->images; i++)
    *OG_PUSH(f->arena, &f->layout->bindings) = (struct og_visa_binding){index++, s->found_bound[i]};
  for (uint32_t i = 0; i < f->dispatch->argument_count; i++) { /* if there are images: in the order of the source */
    uint8_t kind = f->dispatch->arguments[i].kind;
    if (f->images && (kind == OG_VISA_ARGUMENT_BUFFER || kind == OG_VISA_ARGUMENT_IMAGE))
      *OG_PUSH(f->arena, &f->layout->bindings) = (struct og_visa_binding){index++, (int32_t)i};
    if (kind == OG_VISA_ARGUMENT_SAMPLER)
      *OG_PUSH(f->arena, &f->layout->sampler_bindings) = (struct og_visa_binding){sampler++, (int32_t)i};
  }
}

static bool place_arguments(struct og_vi *f) {
  struct search *s = OG_NEW(f->arena, struct search);
  s->f = f;
  if (f->dispatch->argument_count > OG_VI_MOST_INPUTS)
    return og_vi_untold(f, "it has %u arguments", f->dispatch->argument_count);
  sort_arguments(s);
  if (s->buffer_count > MOST_CHOICES || s->value_count > MOST_CHOICES)
    return og_vi_untold(f, "it has too many arguments to try which goes where");
  if (!count_inputs(s))
    return false;
  s->strict = true;
  try_all(s);
  if (s->ways == 0) {
    s->strict = false;
    try_all(s);
  }
  if (s->ways > 1 || s->tries > MOST_TRIES)
    return og_vi_untold(f, "its inputs do not tell which of the arguments goes where");
  if (s->ways == 0)
    return og_vi_untold(f, "its inputs fit the arguments given in no way");
  for (; f->at < s->found_end; f->at++) {
    const struct place *place = &s->found[f->at];
    uint8_t kind = place->argument >= 0 ? f->dispatch->arguments[place->argument].kind : OG_VISA_ARGUMENT_VALUE;
    og_vi_take(f,
               kind == OG_VISA_ARGUMENT_SLM      ? OG_VISA_PAYLOAD_SLM
               : kind == OG_VISA_ARGUMENT_BUFFER ? OG_VISA_PAYLOAD_POINTER
                                                 : OG_VISA_PAYLOAD_VALUE,
               f->at, place->argument)
        ->source_offset = place->from;
  }
  bind(f, s);
  return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

struct og_visa_payload_entry *og_vi_take(struct og_vi *f, uint8_t what, uint32_t input, int32_t argument) {
  struct og_visa_payload_entry *entry = OG_PUSH(f->arena, &f->layout->payload);
  *entry = (struct og_visa_payload_entry){what, argument, (uint32_t)f->inputs[input].offset - f->base,
                                          f->inputs[input].size, 0};
  return entry;
}

static void take_header(struct og_vi *f) {
  f->header = UINT32_MAX;
  if (f->at == f->count || f->inputs[f->at].size != 32)
    return;
  f->header = f->inputs[f->at].variable;
  struct og_visa_payload_entry *offset = og_vi_take(f, OG_VISA_PAYLOAD_GLOBAL_OFFSET, f->at, -1);
  struct og_visa_payload_entry size = *offset;
  offset->size = size.size = 12;
  size.what = OG_VISA_PAYLOAD_LOCAL_SIZE;
  size.offset += 12;
  *OG_PUSH(f->arena, &f->layout->payload) = size;
  f->at++;
}

/* A kernel without a header was written by hand: every input that fits is an argument. */
static void find_explicit(struct og_vi *f) {
  for (uint32_t i = f->at; i < f->count; i++) {
    const struct og_visa_input *input = &f->inputs[i];
    f->is_explicit[i] = input->class == 'G' && !input->implicit &&
                        (f->header == UINT32_MAX || input->variable < f->header ||
                         input->variable > f->flow.first_temporary);
  }
}

static struct og_visa_roles roles_of(const struct og_vi *f, uint32_t simd) {
  struct og_visa_roles roles = {0};
  for (uint32_t i = 0; i < f->count; i++) {
    bool local_id = og_visa_is_local_id(f->program, &f->inputs[i], simd);
    roles.local_ids |= (uint64_t)local_id << i;
    roles.header |= (uint64_t)(!local_id && f->inputs[i].size == 32) << i;
    roles.pointers |= (uint64_t)(f->inputs[i].size == 8) << i;
  }
  return roles;
}

struct og_visa_layout *og_visa_infer_layout(struct og_arena *arena, const struct og_vx_program *program,
                                            const struct og_visa_dispatch *dispatch, uint32_t simd,
                                            struct og_diagnostics *diagnostics) {
  const struct og_visa_kernel *kernel = program->kernel;
  struct og_vi f = {.arena = arena,
                    .program = program,
                    .dispatch = dispatch,
                    .diagnostics = diagnostics,
                    .layout = OG_NEW(arena, struct og_visa_layout),
                    .inputs = kernel->inputs.items,
                    .count = kernel->inputs.count};
  if (f.count > OG_VI_MOST_INPUTS) {
    og_vi_untold(&f, "it has %u inputs", f.count);
    return NULL;
  }
  struct og_visa_roles roles = roles_of(&f, simd);
  f.flow = og_visa_flow_of(arena, kernel, &roles);
  if (!f.flow.complete) {
    og_vi_untold(&f, "it is too large to tell from its code where arguments go");
    return NULL;
  }
  f.layout->argument_count = dispatch->argument_count;
  f.layout->slm_size = DEFAULT_SLM;
  for (; f.at < f.count && og_visa_is_local_id(program, &f.inputs[f.at], simd); f.at++) {
    f.first_local_id = f.at ? f.first_local_id : f.inputs[f.at].variable;
    f.last_local_id = f.inputs[f.at].variable;
  }
  if (f.count) { /* up to the first input that is none, or to the last one's end */
    const struct og_visa_input *input = &f.inputs[OG_MIN(f.at, f.count - 1)];
    f.layout->per_thread_size =
        (uint32_t)input->offset + (f.at < f.count ? 0 : input->size) - program->grf_size;
  }
  f.base = program->grf_size + f.layout->per_thread_size;
  take_header(&f);
  find_explicit(&f);
  f.first = f.at;
  return place_arguments(&f) && og_vi_take_implicit(&f) ? f.layout : NULL;
}
