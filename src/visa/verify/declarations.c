/* declarations.c - the rules of variables and inputs. */
#include "visa/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>

static void declaration_breach(struct og_visa_verifier *v, const struct og_visa_variable *variable, const char *format,
                               ...) OG_PRINTF(3, 4);
static void declaration_breach(struct og_visa_verifier *v, const struct og_visa_variable *variable, const char *format,
                               ...) {
  char message[256], place[96];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  snprintf(place, sizeof place, ", variable '%.60s'", variable->name);
  og_visa_report(v, variable->at, variable->size, place, message);
}

static bool can_be_aliased(uint32_t variable) {
  return variable >= OG_VISA_FIRST_GENERAL || variable == OG_VISA_V_R0 || variable == OG_VISA_V_ARG ||
         variable == OG_VISA_V_RETVAL || variable == OG_VISA_V_SP || variable == OG_VISA_V_FP ||
         variable == OG_VISA_V_HW_ID || variable == OG_VISA_V_IMPL_ARG_BUF_PTR ||
         variable == OG_VISA_V_LOCAL_ID_BUF_PTR;
}

static void verify_general(struct og_visa_verifier *v, const struct og_visa_variable *variable) {
  const struct og_visa_type_info *type = &og_visa_types[variable->type];
  if (type->class == 'v' || type->class == 'b')
    declaration_breach(v, variable, "a general variable cannot have type %s", type->name);
  if (variable->elements > 4096 || og_visa_variable_size(variable) > 256 * v->grf)
    declaration_breach(v, variable, "%u elements of type %s: a variable has at most 4096 elements and %u bytes",
                       variable->elements, type->name, 256 * v->grf);
  if (!variable->alias) {
    if (variable->alias_offset)
      declaration_breach(v, variable, "alias offset %u without an alias", variable->alias_offset);
    return;
  }
  const struct og_visa_variable *base = &v->kernel->general.items[variable->alias];
  if (!can_be_aliased(variable->alias))
    declaration_breach(v, variable, "%s cannot be aliased", base->name);
  if (variable->alias_offset % type->size)
    declaration_breach(v, variable, "alias offset %u is not a multiple of type %s's %u bytes", variable->alias_offset,
                       type->name, type->size);
  if (variable->alias_offset + og_visa_variable_size(variable) > og_visa_variable_size(base))
    declaration_breach(v, variable, "alias of bytes %u to %u reaches beyond %s, which has %u", variable->alias_offset,
                       variable->alias_offset + og_visa_variable_size(variable) - 1, base->name,
                       og_visa_variable_size(base));
}

static void verify_counts(struct og_visa_verifier *v) {
  for (uint32_t i = 0; i < v->kernel->address.count; i++)
    if (v->kernel->address.items[i].elements > 16)
      declaration_breach(v, &v->kernel->address.items[i], "an address variable has 1 to 16 elements, not %u",
                         v->kernel->address.items[i].elements);
  for (uint32_t i = OG_VISA_FIRST_PREDICATE; i < v->kernel->predicate.count; i++) {
    uint32_t elements = v->kernel->predicate.items[i].elements;
    if (elements > 32 || (elements & (elements - 1)))
      declaration_breach(v, &v->kernel->predicate.items[i],
                         "a predicate variable has 1, 2, 4, 8, 16 or 32 elements, not %u", elements);
  }
}

static void input_breach(struct og_visa_verifier *v, const struct og_visa_input *input, const char *format, ...)
    OG_PRINTF(3, 4);
static void input_breach(struct og_visa_verifier *v, const struct og_visa_input *input, const char *format, ...) {
  char message[256], place[48];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  snprintf(place, sizeof place, ", input %u", (unsigned)(input - v->kernel->inputs.items));
  og_visa_report(v, input->at, input->source_size, place, message);
}

static void verify_input(struct og_visa_verifier *v, const struct og_visa_input *input) {
  uint32_t offset = (uint32_t)input->offset, end = offset + input->size;
  if (input->offset < 0) {
    input_breach(v, input, "offset %d is negative", input->offset);
    return;
  }
  if (input->class != 'G') {
    if (offset % 4)
      input_breach(v, input, "offset %u of a state input is not a multiple of 4", offset);
    return;
  }
  const struct og_visa_variable *variable = &v->kernel->general.items[input->variable];
  if (variable->predefined) {
    input_breach(v, input, "%s is predefined and cannot be an input", variable->name);
    return;
  }
  if (variable->alias)
    input_breach(v, input, "an input cannot be an alias");
  if (offset % og_visa_types[variable->type].size)
    input_breach(v, input, "offset %u is not a multiple of type %s's %u bytes", offset,
                 og_visa_types[variable->type].name, og_visa_types[variable->type].size);
  if (input->size != og_visa_variable_size(variable))
    input_breach(v, input, "size %u differs from the variable's %u bytes", input->size,
                 og_visa_variable_size(variable));
  else if (input->size >= v->grf && offset % v->grf)
    input_breach(v, input, "offset %u of an input of %u bytes is not aligned to a register of %u bytes", offset,
                 input->size, v->grf);
  else if (input->size < v->grf && offset / v->grf != (end - 1) / v->grf)
    input_breach(v, input, "bytes %u to %u cross a register's boundary", offset, end - 1);
}

static int by_offset(const void *a, const void *b) {
  const struct og_visa_input *x = *(const struct og_visa_input *const *)a, *y = *(const struct og_visa_input *const *)b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static void verify_inputs(struct og_visa_verifier *v, struct og_arena *arena) {
  uint32_t count = v->kernel->inputs.count;
  if (!count || v->kernel->function)
    return;
  const struct og_visa_input **sorted = OG_NEW_ARRAY(arena, const struct og_visa_input *, count);
  for (uint32_t i = 0; i < count; i++) {
    sorted[i] = &v->kernel->inputs.items[i];
    verify_input(v, sorted[i]);
  }
  if (count > 256)
    input_breach(v, sorted[256], "more than 256 inputs");
  qsort(sorted, count, sizeof *sorted, by_offset);
  for (uint32_t i = 1; i < count; i++)
    if (sorted[i - 1]->offset + (int32_t)sorted[i - 1]->size > sorted[i]->offset)
      input_breach(v, sorted[i], "overlaps another input, at bytes %d to %d", sorted[i - 1]->offset,
                   sorted[i - 1]->offset + (int32_t)sorted[i - 1]->size - 1);
}

/* Resolving an alias walks along the chain. */
static bool verify_chains(struct og_visa_verifier *v, struct og_arena *arena) {
  enum { LONGEST = 64 };
  const struct og_visa_variables *general = &v->kernel->general;
  uint8_t *lengths = OG_NEW_ARRAY(arena, uint8_t, general->count);
  for (uint32_t i = OG_VISA_FIRST_GENERAL; i < general->count; i++) {
    uint32_t alias = general->items[i].alias;
    lengths[i] = alias ? lengths[alias] + 1 : 0;
    if (lengths[i] > LONGEST) {
      declaration_breach(v, &general->items[i], "an alias of an alias, and so on, more than %d times", LONGEST);
      return false;
    }
  }
  return true;
}

bool og_visa_verify_declarations(struct og_visa_verifier *v, struct og_arena *arena) {
  if (!verify_chains(v, arena))
    return false;
  for (uint32_t i = OG_VISA_FIRST_GENERAL; i < v->kernel->general.count; i++)
    verify_general(v, &v->kernel->general.items[i]);
  verify_counts(v);
  verify_inputs(v, arena);
  return true;
}
