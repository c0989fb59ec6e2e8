/* select_image.c - images: `llvm.amdgcn.image.OPERATION.DIMENSION.TYPES` is the instruction image_OPERATION. Its arguments
 * are what is stored, the mask of components, the address's words, the resource, the sampler with `unorm`, what happens
 * where a texel is not there, and the cache policy. */
#include "cc/buffer.h"

#include <string.h>

/* As `dim` counts them from gfx10 on; before, arrays and cubes are told from others alone. */
static const struct {
  const char *name;
  bool array;
} dimensions[] = {{"1d", false}, {"2d", false}, {"3d", false}, {"cube", true}, {"1darray", true}, {"2darray", true},
                  {"2dmsaa", false}, {"2darraymsaa", true}};

enum { ADDRESS_MOST = 12, RESOURCE_DWORDS = 8, SAMPLER_DWORDS = 4, NAME_MOST = 48 };

struct image {
  unsigned row, dimension;
  uint32_t data, mask, address, resource, sampler, after; /* numbers of arguments; `sampler` 0: none */
  bool stores;
};

/* What the name says: the operation up to the part that is a dimension. */
static bool read_name(struct cc_function *c, struct og_text name, struct image *image) {
  char row[NAME_MOST] = "image_";
  size_t size = strlen(row);
  while (name.size) {
    size_t part = 0;
    while (part < name.size && name.data[part] != '.')
      part++;
    for (unsigned d = 0; d < OG_COUNT(dimensions); d++)
      if (og_text_is((struct og_text){name.data, part}, dimensions[d].name)) {
        int found = og_find_row((struct og_text){row, size - 1});
        image->row = (unsigned)found, image->dimension = d;
        return found >= 0 && cc_has_row(c, image->row);
      }
    if (size + part + 2 > sizeof row)
      return false;
    memcpy(row + size, name.data, part);
    size += part;
    row[size++] = '_';
    part = OG_MIN(part + 1, name.size);
    name.data += part, name.size -= part;
  }
  return false;
}

static bool find_arguments(struct cc_function *c, const struct og_ir_inst *i, struct image *image) {
  uint32_t count = i->operands - 1u, at = image->mask + 1;
  image->address = at;
  while (at < count && cc_parts(c->m, cc_type_of(c, og_ir_operand(c->f, i, 1 + at))) != RESOURCE_DWORDS)
    at++;
  image->resource = at;
  image->sampler = at + 1 < count && cc_parts(c->m, cc_type_of(c, og_ir_operand(c->f, i, 2 + at))) == SAMPLER_DWORDS ? at + 1 : 0;
  image->after = image->sampler ? image->sampler + 1 : at + 1;
  return at < count && at - image->address <= ADDRESS_MOST && at > image->address;
}

static bool scalars(struct cc_function *c, og_ir_ref ref, unsigned count, operand *to) {
  operand parts[RESOURCE_DWORDS];
  for (unsigned p = 0; p < count; p++) {
    parts[p] = cc_part(c, ref, p);
    if (cc_is_vector(c, parts[p]))
      return cc_refuse(c, "an image's resource or sampler that lanes may differ in");
  }
  *to = cc_tuple(c, parts, count, CC_S);
  return true;
}

static uint32_t number(struct cc_function *c, const struct og_ir_inst *i, uint32_t argument) {
  uint64_t value = 0;
  if (argument + 1 >= i->operands || !cc_is_number(c->m, og_ir_operand(c->f, i, 1 + argument), &value))
    cc_refuse(c, "an image's modifier that is no constant");
  return (uint32_t)value;
}

bool cc_select_image(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  struct image image = {.stores = false};
  if (!og_text_skip(&name, "llvm.amdgcn.image.") || !read_name(c, name, &image))
    return false;
  image.stores = cc_parts(c->m, i->type) == 0;
  image.mask = image.stores;
  if (!find_arguments(c, i, &image))
    return false;
  og_ir_type texel = image.stores ? cc_type_of(c, og_ir_operand(c->f, i, 1)) : i->type;
  uint32_t words = image.resource - image.address, count = cc_parts(c->m, texel), mask = number(c, i, image.mask);
  operand list[2 + ADDRESS_MOST + 2], address[ADDRESS_MOST], data[4];
  unsigned used = 0;
  for (uint32_t w = 0; w < words; w++) {
    og_ir_ref ref = og_ir_operand(c->f, i, 1 + image.address + w);
    if (cc_bits(c->m, cc_type_of(c, ref)) != 32)
      return cc_refuse(c, "an image's address of 16 bits");
    address[w] = cc_in_vector(c, cc_part(c, ref, 0));
  }
  if (cc_bits(c->m, og_ir_scalar(c->m, texel)) != 32 || count != (unsigned)__builtin_popcount(mask & 15) || count > OG_COUNT(data))
    return cc_refuse(c, "an image's texel that is not 32 bits for each component of the mask");
  for (uint32_t k = 0; k < count && image.stores; k++)
    data[k] = cc_part(c, og_ir_operand(c->f, i, 1), k);
  list[used++] = image.stores ? cc_tuple(c, data, count, CC_V) : cc_temp(c, CC_V, count);
  if (c->isa->gfx12) { /* a register for each word */
    for (uint32_t w = 0; w < words; w++)
      list[used++] = address[w];
  } else {
    list[used++] = cc_tuple(c, address, words, CC_V);
  }
  if (!scalars(c, og_ir_operand(c->f, i, 1 + image.resource), RESOURCE_DWORDS, &list[used++]) ||
      (image.sampler && !scalars(c, og_ir_operand(c->f, i, 1 + image.sampler), SAMPLER_DWORDS, &list[used++])))
    return false;
  bool plain = image.sampler && number(c, i, image.after);
  uint32_t fails = number(c, i, image.after + (image.sampler != 0)), policy = number(c, i, image.after + 1 + (image.sampler != 0));
  if (fails || c->failed)
    return cc_refuse(c, "an image instruction that tells which texels are there");
  struct cc_inst *inst = cc_emit(c, image.row, !image.stores, used, list);
  inst->policy = (uint8_t)policy, inst->keep = image.stores;
  cc_modify(c, inst, OG_MOD_DMASK, (int32_t)mask);
  cc_modify(c, inst, OG_MOD_UNORM, plain || !image.sampler);
  cc_modify(c, inst, OG_MOD_DIM, (int32_t)image.dimension);
  cc_modify(c, inst, OG_MOD_DA, dimensions[image.dimension].array);
  for (uint32_t k = 0; k < count && !image.stores; k++)
    data[k] = cc_part_of(list[0], k, 1);
  if (!image.stores)
    cc_define(c, record, data, count);
  return true;
}

unsigned cc_image_scalar_arguments(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i,
                                   struct og_text name, uint32_t arguments[4]) {
  unsigned count = 0;
  if (!og_text_skip(&name, "llvm.amdgcn.image."))
    return 0;
  (void)m, (void)f, (void)i, (void)arguments;
  return count;
}
