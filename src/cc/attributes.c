/* attributes.c - the attributes of a function and the metadata attached to it, as numbers and words for the descriptor,
 * the register limits and the kernel's metadata; docs/compiler.md has a line for each attribute. */
#include "cc/object.h"
#include "cc/opt.h"

unsigned cc_attribute_numbers(const struct cc_function *c, const char *key, uint32_t *numbers, unsigned most) {
  struct og_text text = cc_attribute(c->m, c->f, key);
  unsigned count = 0;
  for (size_t k = 0; k < text.size && count < most; count++) {
    uint64_t number = 0;
    while (k < text.size && text.data[k] != ',') {
      char digit = text.data[k++];
      if (digit >= '0' && digit <= '9' && number <= UINT32_MAX)
        number = number * 10 + (unsigned)(digit - '0');
    }
    k++;
    numbers[count] = (uint32_t)OG_MIN(number, (uint64_t)UINT32_MAX);
  }
  return count;
}

/* "of results,of operands": denormals are kept unless the text says that they are flushed. */
static uint8_t denormal_mode(struct og_text text) {
  size_t comma = 0;
  while (comma < text.size && text.data[comma] != ',')
    comma++;
  struct og_text results = {text.data, comma}, operands = results;
  if (comma < text.size)
    operands = (struct og_text){text.data + comma + 1, text.size - comma - 1};
  enum { OPERANDS = 1, RESULTS = 2 };
  return (uint8_t)((og_text_is(operands, "preserve-sign") ? 0 : OPERANDS) |
                   (og_text_is(results, "preserve-sign") ? 0 : RESULTS));
}

void cc_read_modes(struct cc_function *c) {
  struct og_text all = cc_attribute(c->m, c->f, "denormal-fp-math"),
                 f32 = cc_attribute(c->m, c->f, "denormal-fp-math-f32");
  c->denormals = denormal_mode(all);
  c->denormals_f32 = denormal_mode(f32.size ? f32 : all);
  c->ieee = !og_text_is(cc_attribute(c->m, c->f, "amdgpu-ieee"), "false");
  c->dx10_clamp = !og_text_is(cc_attribute(c->m, c->f, "amdgpu-dx10-clamp"), "false");
}

/* A function's own choice between CU and WGP mode, where the processor has one. */
const struct og_target *cc_target_of(struct og_arena *arena, const struct og_ir_module *m,
                                     const struct og_ir_function *f, const struct og_target *target) {
  struct og_text list = cc_attribute(m, f, "target-features");
  bool cumode = target->cumode;
  for (size_t k = 0, from = 0; k <= list.size; k++) {
    if (k < list.size && list.data[k] != ',')
      continue;
    struct og_text one = {list.data + from, k - from};
    if (k > from && (og_text_is(one, "+cumode") || og_text_is(one, "-cumode")))
      cumode = one.data[0] == '+';
    from = k + 1;
  }
  if (cumode == target->cumode || !target->processor->cumode)
    return target;
  struct og_target *own = OG_NEW(arena, struct og_target);
  *own = *target;
  own->cumode = cumode;
  return own;
}

const struct og_ir_metadata *cc_attached(const struct cc_function *c, const char *kind, uint32_t index) {
  const struct og_ir_module *m = c->m;
  uint32_t number = cc_attachment(m, c->global->attachments, kind);
  const struct og_ir_metadata *tuple = number != UINT32_MAX ? &m->metadata.items[number] : NULL;
  if (!tuple || tuple->kind != OG_IR_M_TUPLE || index >= tuple->parts || !m->pool.items[tuple->first + index])
    return NULL;
  return &m->metadata.items[m->pool.items[tuple->first + index] - 1];
}

bool cc_attached_number(const struct cc_function *c, const char *kind, uint32_t index, uint64_t *number) {
  const struct og_ir_metadata *value = cc_attached(c, kind, index);
  return value && value->kind == OG_IR_M_VALUE && cc_is_number(c->m, value->first, number);
}

/* OpenCL's name of the type in the kernel's vec_type_hint. */
struct og_text cc_hinted_type(const struct cc_function *c) {
  static const struct {
    uint8_t kind, bits;
    const char *name;
  } names[] = {{OG_IR_INTEGER, 8, "char"},  {OG_IR_INTEGER, 16, "short"}, {OG_IR_INTEGER, 32, "int"},
               {OG_IR_INTEGER, 64, "long"}, {OG_IR_HALF, 16, "half"},     {OG_IR_FLOAT, 32, "float"},
               {OG_IR_DOUBLE, 64, "double"}};
  const struct og_ir_metadata *value = cc_attached(c, "vec_type_hint", 0);
  uint64_t is_signed;
  if (!value || value->kind != OG_IR_M_VALUE || !cc_attached_number(c, "vec_type_hint", 1, &is_signed))
    return (struct og_text){0};
  og_ir_type type = og_ir_type_of_ref(c->m, c->f, value->first), scalar = og_ir_scalar(c->m, type);
  for (unsigned k = 0; k < OG_COUNT(names); k++) {
    if (og_ir_kind(c->m, scalar) != names[k].kind || cc_bits(c->m, scalar) != names[k].bits)
      continue;
    const char *sign = names[k].kind == OG_IR_INTEGER && !is_signed ? "u" : "";
    if (!og_ir_is_vector(c->m, type))
      return og_text(og_arena_printf(c->arena, "%s%s", sign, names[k].name));
    return og_text(
        og_arena_printf(c->arena, "%s%s%u", sign, names[k].name, (unsigned)og_ir_type_of(c->m, type)->count));
  }
  return (struct og_text){0};
}

bool cc_is_clustered(const struct cc_function *c, uint32_t dims[3]) {
  enum { VARIABLE = 1024 };
  dims[0] = dims[1] = dims[2] = VARIABLE;
  unsigned count = cc_attribute_numbers(c, "amdgpu-cluster-dims", dims, 3);
  return !count || (count == 3 && dims[0] && dims[1] && dims[2]);
}

bool cc_is_marked(const struct cc_function *c, const char *key) {
  const struct og_ir_set *set = c->f->attributes ? &c->m->sets.items[c->m->pool.items[c->f->attributes]] : NULL;
  for (uint32_t k = 0; set && k < set->count; k++) {
    const struct og_ir_attribute *a = &c->m->attributes.items[c->m->pool.items[set->first + k]];
    if (a->kind == OG_IR_A_STRING && og_text_is(c->m->names.items[c->m->pool.items[a->first]], key))
      return true;
  }
  return false;
}
