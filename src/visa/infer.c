/* infer.c - where a kernel's arguments go when no zebin tells: by its inputs, what becomes of them, and the arguments.
 *
 * The compiler's order is: local ids, a header of global offset and local size, shared local memory, pointers to global
 * and then to constant memory, values, structs piece by piece, offsets of buffers, and what it adds: private memory,
 * the number of dimensions, the number of groups, global, local and enqueued local sizes. Each kind is in the order of
 * the source, and an explicit argument that the code reads has a variable with a smaller number than the header's, in
 * that order, too. */
#include "visa/infer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "visa/flow.h"

enum { DEFAULT_SLM = 1 << 16, MAX_POINTERS = 16 };

struct inference {
  struct og_arena *arena;
  const struct og_vx_program *program;
  const struct og_visa_dispatch *dispatch;
  struct og_diagnostics *diagnostics;
  struct og_visa_layout *layout;
  struct og_visa_flow flow;
  const struct og_visa_input *inputs;
  uint32_t at, count; /* the next input, and all of them */
  uint32_t base;      /* where the payload begins that all threads share */
  uint32_t header;    /* the header's variable, or UINT32_MAX */
  bool images;        /* some argument is one */
};

static bool untold(struct inference *f, const char *format, ...) OG_PRINTF(2, 3);
static bool untold(struct inference *f, const char *format, ...) {
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

/* Where a register holds fewer words than the thread has channels, each half of them has its own inputs. */
bool og_visa_is_local_id(const struct og_vx_program *program, const struct og_visa_input *input, uint32_t simd) {
  const struct og_visa_variable *variable = og_visa_input_variable(program, input);
  return variable && (variable->type == OG_VISA_W || variable->type == OG_VISA_UW) &&
         variable->elements >= OG_MIN(simd, program->grf_size / 2) && simd > 1;
}

static struct og_visa_payload_entry *take(struct inference *f, uint8_t what, int32_t argument) {
  const struct og_visa_input *input = &f->inputs[f->at++];
  struct og_visa_payload_entry *entry = OG_PUSH(f->arena, &f->layout->payload);
  *entry = (struct og_visa_payload_entry){what, argument, (uint32_t)input->offset - f->base, input->size, 0};
  return entry;
}

/* ---- header and pointers ---- */

static void take_header(struct inference *f) {
  f->header = UINT32_MAX;
  if (f->at == f->count || f->inputs[f->at].size != 32)
    return;
  f->header = f->inputs[f->at].variable;
  struct og_visa_payload_entry *offset = take(f, OG_VISA_PAYLOAD_GLOBAL_OFFSET, -1);
  struct og_visa_payload_entry size = *offset;
  offset->size = size.size = 12;
  size.what = OG_VISA_PAYLOAD_LOCAL_SIZE;
  size.offset += 12;
  *OG_PUSH(f->arena, &f->layout->payload) = size;
}

static bool take_local_memory(struct inference *f) {
  for (uint32_t i = 0; i < f->dispatch->argument_count; i++)
    if (f->dispatch->arguments[i].kind == OG_VISA_ARGUMENT_SLM) {
      if (f->at == f->count || f->inputs[f->at].size != 4)
        return untold(f, "its inputs do not tell where argument %u, shared local memory, goes", i + 1);
      take(f, OG_VISA_PAYLOAD_SLM, (int32_t)i);
    }
  return true;
}

/* Through its address or, as the binding table follows the pointers' order where no images do, through its surface. */
static bool is_written(const struct inference *f, uint32_t nth) {
  return (f->at + nth < OG_VISA_FLOW_INPUTS && f->flow.written >> (f->at + nth) & 1) ||
         (!f->images && f->flow.surfaces_written >> nth & 1);
}

static bool is_live(const struct inference *f, uint32_t nth) { return f->inputs[f->at + nth].variable < f->header; }

/* Do these arguments, the last of which are constant memory, fit the pointers from the next input on? In `strict` form
   nothing is written to a buffer that is given as in:. */
static bool fits(const struct inference *f, const int32_t *arguments, uint32_t count, uint32_t constants, bool strict) {
  for (uint32_t i = 0; i < count; i++) {
    bool constant = i >= count - constants || (strict && f->dispatch->arguments[arguments[i]].read_only);
    if (constant && is_written(f, i))
      return false;
    for (uint32_t k = i + 1; k < count && f->header != UINT32_MAX; k++)
      if (is_live(f, i) && is_live(f, k) &&
          (arguments[i] < arguments[k]) != (f->inputs[f->at + i].variable < f->inputs[f->at + k].variable))
        return false;
  }
  return true;
}

/* The arguments of `mask` behind the others. */
static uint32_t reorder(const int32_t *buffers, uint32_t count, uint32_t mask, int32_t *out) {
  uint32_t n = 0, constants = 0;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < count; i++)
      if ((mask >> i & 1) == pass) {
        out[n++] = buffers[i];
        constants += pass;
      }
  return constants;
}

/* The order of the source unless that cannot be; else the one way to take some of them as constant memory that can. */
static bool order_pointers(struct inference *f, int32_t *buffers, uint32_t count) {
  int32_t order[MAX_POINTERS], found[MAX_POINTERS];
  uint32_t ways = 0;
  if (count > MAX_POINTERS || fits(f, buffers, count, 0, true))
    return true;
  for (uint32_t mask = 1; mask < 1u << count; mask++) {
    uint32_t constants = reorder(buffers, count, mask, order);
    if (!fits(f, order, count, constants, true) || (ways && memcmp(order, found, count * sizeof *order) == 0))
      continue;
    memcpy(found, order, count * sizeof *order);
    ways++;
  }
  if (ways == 0 && fits(f, buffers, count, 0, false))
    return true;
  if (ways != 1)
    return untold(f, "its inputs do not tell which of the buffers goes where");
  memcpy(buffers, found, count * sizeof *buffers);
  return true;
}

static void bind(struct inference *f, const int32_t *buffers, uint32_t count) {
  uint32_t index = 0, sampler = 0;
  for (uint32_t i = 0; i < count && !f->images; i++)
    *OG_PUSH(f->arena, &f->layout->bindings) = (struct og_visa_binding){index++, buffers[i]};
  for (uint32_t i = 0; i < f->dispatch->argument_count; i++) { /* beside images, in the order of the source */
    uint8_t kind = f->dispatch->arguments[i].kind;
    if (f->images && (kind == OG_VISA_ARGUMENT_BUFFER || kind == OG_VISA_ARGUMENT_IMAGE))
      *OG_PUSH(f->arena, &f->layout->bindings) = (struct og_visa_binding){index++, (int32_t)i};
    if (kind == OG_VISA_ARGUMENT_SAMPLER)
      *OG_PUSH(f->arena, &f->layout->sampler_bindings) = (struct og_visa_binding){sampler++, (int32_t)i};
  }
}

static bool take_pointers(struct inference *f) {
  int32_t *buffers = OG_NEW_ARRAY(f->arena, int32_t, f->dispatch->argument_count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->dispatch->argument_count; i++) {
    if (f->dispatch->arguments[i].kind == OG_VISA_ARGUMENT_BUFFER)
      buffers[count++] = (int32_t)i;
    f->images |= f->dispatch->arguments[i].kind == OG_VISA_ARGUMENT_IMAGE;
  }
  uint32_t inputs = 0;
  while (inputs < count && f->at + inputs < f->count && f->inputs[f->at + inputs].size == 8)
    inputs++;
  if (inputs && inputs < count)
    return untold(f, "it has inputs for %u of the %u buffers given", inputs, count);
  if (inputs && !order_pointers(f, buffers, count))
    return false;
  bind(f, buffers, count); /* by hand one may write kernels that reach buffers as surfaces only */
  for (uint32_t i = 0; i < inputs; i++)
    take(f, OG_VISA_PAYLOAD_POINTER, buffers[i]);
  return true;
}

/* ---- values ---- */

/* A struct's members that the kernel reads are inputs of their own; it begins behind what stands before it,
   on 8 bytes when it has as many. */
static bool take_struct(struct inference *f, uint32_t number, size_t size) {
  const struct og_visa_input *before = &f->inputs[f->at - (f->at > 0)];
  if (f->at == f->count)
    return untold(f, "it has no input for argument %u", number + 1);
  uint32_t first = (uint32_t)f->inputs[f->at].offset;
  uint32_t start = (uint32_t)og_align_up((uint64_t)before->offset + before->size, size >= 8 ? 8 : 4);
  if (start > first || first - start >= size)
    start = first;
  uint32_t taken = 0;
  while (f->at < f->count && (uint64_t)f->inputs[f->at].offset + f->inputs[f->at].size <= start + size) {
    uint32_t source = (uint32_t)f->inputs[f->at].offset - start;
    take(f, OG_VISA_PAYLOAD_VALUE, (int32_t)number)->source_offset = source;
    taken++;
  }
  return taken || untold(f, "argument %u, a value of %zu bytes, fits none of its inputs", number + 1, size);
}

static bool take_values(struct inference *f) {
  const struct og_visa_dispatch *dispatch = f->dispatch;
  bool *done = OG_NEW_ARRAY(f->arena, bool, dispatch->argument_count + 1);
  for (uint32_t i = 0; i < dispatch->argument_count; i++) {
    done[i] = dispatch->arguments[i].kind != OG_VISA_ARGUMENT_VALUE;
    if (done[i] || f->at == f->count || f->inputs[f->at].size != dispatch->arguments[i].size)
      continue;
    take(f, OG_VISA_PAYLOAD_VALUE, (int32_t)i);
    done[i] = true;
  }
  for (uint32_t i = 0; i < dispatch->argument_count; i++)
    if (!done[i] && !take_struct(f, i, dispatch->arguments[i].size))
      return false;
  return true;
}

/* ---- what the compiler adds ---- */

/* Inputs that say what they are: .implicit_LOCAL_SIZE and .implicit_GROUP_COUNT. */
enum { OG_VISA_LOCAL_SIZE_INPUT = 1, OG_VISA_GROUP_COUNT_INPUT = 2 };

static const uint8_t triples[] = {OG_VISA_PAYLOAD_GROUP_COUNT, OG_VISA_PAYLOAD_GLOBAL_SIZE, OG_VISA_PAYLOAD_LOCAL_SIZE,
                                  OG_VISA_PAYLOAD_ENQUEUED_LOCAL_SIZE};

/* The nth of the triples that `mask` names. */
static uint8_t nth_triple(uint32_t mask, uint32_t n) {
  for (uint32_t i = 0; i < OG_COUNT(triples); i++)
    if (mask >> i & 1 && n-- == 0)
      return triples[i];
  return OG_VISA_PAYLOAD_OTHER;
}

/* Would both give the kernel the same? Groups at the edge are smaller than those enqueued. */
static bool same_triple(const struct og_visa_dispatch *dispatch, uint8_t a, uint8_t b) {
  bool edges = false;
  uint32_t values[OG_COUNT(triples)][3];
  for (uint32_t i = 0; i < 3; i++) {
    edges |= dispatch->grid[i] % dispatch->group[i] != 0;
    values[0][i] = (dispatch->grid[i] + dispatch->group[i] - 1) / dispatch->group[i];
    values[1][i] = dispatch->grid[i];
    values[2][i] = values[3][i] = dispatch->group[i];
  }
  bool exact = (a != OG_VISA_PAYLOAD_LOCAL_SIZE && b != OG_VISA_PAYLOAD_LOCAL_SIZE) || !edges;
  const uint8_t *x = memchr(triples, a, sizeof triples), *y = memchr(triples, b, sizeof triples);
  return a == b || (x && y && exact && memcmp(values[x - triples], values[y - triples], sizeof *values) == 0);
}

/* Which sizes the `count` inputs of 12 bytes from `first` on are: a mask of `triples`, 0 with a diagnostic. */
static uint32_t pick_triples(struct inference *f, uint32_t first, uint32_t count) {
  uint32_t last = first + count - 1, picked = 0;
  bool enqueued = last < OG_VISA_FLOW_INPUTS && f->flow.by_group >> last & 1;
  for (uint32_t mask = 1; mask < 1u << OG_COUNT(triples); mask++) {
    if ((uint32_t)__builtin_popcount(mask) != count || (enqueued && !(mask >> (OG_COUNT(triples) - 1))))
      continue;
    picked = picked ? picked : mask;
    for (uint32_t i = 0; i < count; i++)
      if (f->flow.used >> (first + i) & 1 && !same_triple(f->dispatch, nth_triple(picked, i), nth_triple(mask, i))) {
        untold(f, "its inputs do not tell whether it asks for the global size, the local size or the number of groups");
        return 0;
      }
  }
  if (!picked)
    untold(f, "it has %u inputs of 12 bytes", count);
  return picked;
}

/* Offsets of buffers are only ever added to others; the number of dimensions is not. */
static uint8_t small_implicit(const struct inference *f) {
  uint64_t bit = f->at < OG_VISA_FLOW_INPUTS ? 1ull << f->at : 0;
  return !(f->flow.used & bit) || (f->flow.offset & bit && !(f->flow.computed & bit)) ? OG_VISA_PAYLOAD_BUFFER_OFFSET
                                                                                      : OG_VISA_PAYLOAD_WORK_DIMENSIONS;
}

static bool take_implicit(struct inference *f) {
  uint32_t count = 0, first = f->count, bases = 0, seen = 0;
  for (uint32_t i = f->count; i-- > f->at;)
    if (f->inputs[i].size == 12 && !f->inputs[i].implicit)
      first = i, count++;
  uint32_t mask = count ? pick_triples(f, first, count) : 0;
  if (count && !mask)
    return false;
  while (f->at < f->count) {
    const struct og_visa_input *input = &f->inputs[f->at];
    if (input->class != 'G') {
      f->at++;
      continue;
    }
    if (input->implicit == OG_VISA_LOCAL_SIZE_INPUT || input->implicit == OG_VISA_GROUP_COUNT_INPUT) {
      take(f, input->implicit == OG_VISA_LOCAL_SIZE_INPUT ? OG_VISA_PAYLOAD_LOCAL_SIZE : OG_VISA_PAYLOAD_GROUP_COUNT,
           -1);
      continue;
    }
    if (input->implicit)
      return untold(f, "it has an implicit input of kind %u", input->implicit);
    if (f->header != UINT32_MAX && input->variable < f->header)
      return untold(f, "it has an input of %u bytes for an argument that is not given", input->size);
    if (input->size == 8 && bases++)
      return untold(f, "its inputs do not tell which of several addresses is which");
    if (input->size != 4 && input->size != 8 && input->size != 12)
      return untold(f, "nothing is known of its input of %u bytes", input->size);
    take(f,
         input->size == 12  ? nth_triple(mask, seen++)
         : input->size == 8 ? OG_VISA_PAYLOAD_PRIVATE_BASE
                            : small_implicit(f),
         -1);
  }
  return true;
}

struct og_visa_layout *og_visa_infer_layout(struct og_arena *arena, const struct og_vx_program *program,
                                            const struct og_visa_dispatch *dispatch, uint32_t simd,
                                            struct og_diagnostics *diagnostics) {
  const struct og_visa_kernel *kernel = program->kernel;
  struct inference f = {.arena = arena,
                        .program = program,
                        .dispatch = dispatch,
                        .diagnostics = diagnostics,
                        .layout = OG_NEW(arena, struct og_visa_layout),
                        .flow = og_visa_flow_of(arena, kernel),
                        .inputs = kernel->inputs.items,
                        .count = kernel->inputs.count};
  f.layout->argument_count = dispatch->argument_count;
  f.layout->slm_size = DEFAULT_SLM;
  while (f.at < f.count && og_visa_is_local_id(program, &f.inputs[f.at], simd))
    f.at++;
  f.layout->per_thread_size = f.at < f.count ? (uint32_t)f.inputs[f.at].offset - program->grf_size : 0;
  f.base = program->grf_size + f.layout->per_thread_size;
  take_header(&f);
  bool fine = take_local_memory(&f) && take_pointers(&f) && take_values(&f) && take_implicit(&f);
  return fine ? f.layout : NULL;
}
