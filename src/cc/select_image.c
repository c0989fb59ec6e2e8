/* select_image.c - images: `llvm.amdgcn.image.OPERATION.DIMENSION.TYPES` is the instruction image_OPERATION. Its
 * arguments are the data of a store or an atomic operation; the mask of components; the parts of the address, of 32 or
 * 16 bits; the resource; the sampler with `unorm`; what happens if a texel is not resident; and the cache policy. */
#include "cc/buffer.h"

#include "cc/memory_model.h"
#include "cc/opt.h"

#include <string.h>

/* In the order of `dim`, which instructions have from gfx10 on; older ones only tell arrays and cubes from others. */
static const struct {
  const char *name;
  bool array;
  uint8_t slopes; /* directions for which derivatives are given */
} dimensions[] = {{"1d", false, 1},     {"2d", false, 2},     {"3d", false, 3},     {"cube", true, 2},
                  {"1darray", true, 1}, {"2darray", true, 2}, {"2dmsaa", false, 2}, {"2darraymsaa", true, 2}};

enum { ADDRESS_MOST = 13, RESOURCE_DWORDS = 8, SAMPLER_DWORDS = 4, TREE_DWORDS = 4, NAME_MOST = 48, DATA_MOST = 5 };

struct image {
  const struct og_ir_inst *i;
  unsigned row, dimension;
  uint32_t parts;                                         /* enum og_image_part */
  uint32_t data, mask, address, resource, sampler, after; /* numbers of arguments; sampler 0: there is none */
  bool stores, atomic, nothing; /* nothing: only brings texels into the cache */
  bool a16, g16;                /* addresses, derivatives have 16 bits */
};

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Takes the part up to the next dot off a name. */
static struct og_text next_part(struct og_text *name) {
  size_t size = 0;
  while (size < name->size && name->data[size] != '.')
    size++;
  struct og_text part = {name->data, size};
  size = OG_MIN(size + 1, name->size);
  name->data += size, name->size -= size;
  return part;
}

static bool add(char row[NAME_MOST], size_t *size, struct og_text part) {
  static const char *const others[][2] = {{"getlod", "get_lod"}, {"getresinfo", "get_resinfo"}};
  for (unsigned k = 0; k < OG_COUNT(others); k++)
    part = og_text_is(part, others[k][0]) ? og_text(others[k][1]) : part;
  if (*size + part.size + 2 > NAME_MOST)
    return false;
  row[(*size)++] = '_';
  memcpy(row + *size, part.data, part.size);
  *size += part.size;
  return true;
}

/* Splits a name into the operation and, from the part that is a dimension on, the rest. */
static bool read_name(struct og_text name, struct image *image, char row[NAME_MOST], size_t *size) {
  *size = strlen(strcpy(row, "image"));
  while (name.size) {
    struct og_text part = next_part(&name);
    image->atomic |= og_text_is(part, "atomic"), image->stores |= og_text_is(part, "store");
    for (unsigned d = 0; d < OG_COUNT(dimensions); d++)
      if (og_text_is(part, dimensions[d].name)) {
        image->dimension = d;
        image->nothing = og_text_is(next_part(&name), "nortn");
        return true;
      }
    if (!add(row, size, part))
      return false;
  }
  return false;
}

static uint32_t parts_of(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i,
                         uint32_t argument) {
  return cc_parts(m, og_ir_type_of_ref(m, f, og_ir_operand(f, i, 1 + argument)));
}

static bool find_arguments(const struct og_ir_module *m, const struct og_ir_function *f, struct image *image) {
  uint32_t count = image->i->operands - 1u, at;
  bool compares =
      image->atomic && count > 1 && og_ir_type_of_ref(m, f, og_ir_operand(f, image->i, 1)) == image->i->type;
  struct og_text name = cc_callee_name(m, f, image->i);
  compares &= og_text_skip(&name, "llvm.amdgcn.image.") && og_text_skip(&name, "atomic.cmpswap.");
  image->data = image->stores || image->atomic ? 1 + compares : 0;
  image->mask = image->data;
  at = image->address = image->data + !image->atomic;
  while (at < count && parts_of(m, f, image->i, at) != RESOURCE_DWORDS)
    at++;
  image->resource = at;
  image->sampler = at + 1 < count && parts_of(m, f, image->i, at + 1) == SAMPLER_DWORDS ? at + 1 : 0;
  image->after = image->sampler ? image->sampler + 2 : at + 1;
  return at < count && at > image->address && count == image->after + 2u;
}

static bool is_tree(struct og_text name) {
  return og_text_skip(&name, "llvm.amdgcn.image.") && og_text_skip(&name, "bvh.intersect.ray.");
}

unsigned cc_image_scalar_arguments(const struct og_ir_module *m, const struct og_ir_function *f,
                                   const struct og_ir_inst *i, struct og_text name, uint32_t arguments[4]) {
  struct image image = {.i = i};
  char row[NAME_MOST];
  size_t size;
  if (is_tree(name)) {
    arguments[0] = i->operands - 2u;
    return 1;
  }
  if (!og_text_skip(&name, "llvm.amdgcn.image.") || !read_name(name, &image, row, &size) ||
      !find_arguments(m, f, &image))
    return 0;
  arguments[0] = image.resource, arguments[1] = image.sampler;
  return image.sampler ? 2 : 1;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

/* Where the derivatives begin among the arguments, and how many there are. */
static uint32_t slopes_begin(const struct image *image) {
  return image->address + !!(image->parts & OG_IMAGE_OFFSET) + !!(image->parts & OG_IMAGE_BIAS) +
         !!(image->parts & OG_IMAGE_COMPARE);
}
static uint32_t slopes(const struct image *image) {
  return image->parts & OG_IMAGE_DERIVATIVES ? 2u * dimensions[image->dimension].slopes : 0;
}

static bool is_short(struct cc_function *c, const struct image *image, uint32_t argument) {
  return argument < image->resource && cc_bits(c->m, cc_type_of(c, og_ir_operand(c->f, image->i, 1 + argument))) == 16;
}

/* Two address parts of 16 bits share a register: two derivatives of one direction, or two coordinates. One that is left
 * over stands alone, and so do an offset, a bias and the value to compare with. */
static bool read_address(struct cc_function *c, const struct image *image, operand words[ADDRESS_MOST],
                         unsigned *count) {
  uint32_t begin = slopes_begin(image), coordinates = begin + slopes(image), half = slopes(image) / 2;
  *count = 0;
  for (uint32_t a = image->address; a < image->resource; a++) {
    operand one = cc_part(c, og_ir_operand(c->f, image->i, 1 + a), 0);
    bool is_slope = a >= begin && a < coordinates;
    bool shares = a >= begin && (is_slope ? image->g16 : image->a16) && a + 1 < image->resource;
    if (is_slope && half % 2 && (a == begin + half - 1 || a == coordinates - 1))
      shares = false;
    unsigned bits = cc_bits(c->m, cc_type_of(c, og_ir_operand(c->f, image->i, 1 + a)));
    if (bits != 32 && bits != 16)
      return cc_refuse(c, "an image's address of %u bits", bits);
    if (*count == ADDRESS_MOST)
      return cc_refuse(c, "an image's address of more than %u registers", ADDRESS_MOST);
    if (shares) {
      a++;
      words[(*count)++] = cc_in_vector(c, cc_pack_halves(c, one, cc_part(c, og_ir_operand(c->f, image->i, 1 + a), 0)));
    } else {
      words[(*count)++] = cc_in_vector(c, one);
    }
  }
  return !c->failed;
}

static bool are_side_by_side(const operand *words, unsigned count) {
  for (unsigned k = 1; k < count; k++)
    if (words[k].value != words[0].value || words[k].sub != words[0].sub + k)
      return false;
  return true;
}

/* The address as the instruction takes it: before gfx10 in registers side by side. Later each part may stand anywhere;
 * parts for which an encoding has no places are side by side from the last place on (but not on gfx10). */
static void put_address(struct cc_function *c, operand *list, unsigned *used, const operand *words, unsigned count,
                        bool sampled) {
  unsigned places = !c->isa->gfx10                     ? 0
                    : c->isa->gfx12                    ? (sampled ? 4 : 5)
                    : c->isa->gfx11                    ? 5
                    : c->isa->generation >= OG_GFX10_3 ? 13
                                                       : 5;
  bool apart = c->isa->gfx12 || (count > 1 && (c->isa->gfx11 || count <= places) && !are_side_by_side(words, count));
  if (!places || !apart) {
    list[(*used)++] = cc_tuple(c, words, count, CC_V);
    return;
  }
  for (unsigned k = 0; k < count; k++) {
    bool last = k + 1 == places && count > places;
    list[(*used)++] = last ? cc_tuple(c, words + k, count - k, CC_V) : words[k];
    k = last ? count : k;
  }
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Finds the row (from gfx10 on derivatives of 16 bits have rows of their own), and facts about it and the address. */
static bool find_row(struct cc_function *c, struct image *image, char row[NAME_MOST], size_t size) {
  for (unsigned g16 = 0; g16 < 2; g16++) {
    if (g16 && !add(row, &size, OG_TEXT("g16")))
      return false;
    int found = og_find_row((struct og_text){row, size});
    if (found < 0 || !cc_has_row(c, (unsigned)found))
      return false;
    image->row = (unsigned)found, image->parts = og_form(c->isa, c->forms[found][0])->address;
    image->g16 = slopes(image) && is_short(c, image, slopes_begin(image));
    image->a16 = is_short(c, image, image->resource - 1) && image->resource > slopes_begin(image);
    if (!image->g16 || !c->isa->gfx10)
      break;
  }
  if (!c->isa->gfx10 && slopes(image) && image->g16 != image->a16)
    return cc_refuse(c, "derivatives of an image and coordinates of different sizes");
  return !(image->a16 || image->g16) || c->isa->generation >= OG_GFX900 ||
         cc_refuse(c, "an image's address of 16 bits, which %s does not have", c->target->processor->name);
}

static void modify(struct cc_function *c, struct cc_inst *inst, const struct image *image, uint32_t mask,
                   uint32_t fails, bool d16) {
  uint32_t unorm = image->sampler ? cc_constant_argument(c, image->i, image->sampler + 1) : 1;
  cc_modify(c, inst, OG_MOD_DMASK, (int32_t)mask);
  cc_modify(c, inst, OG_MOD_UNORM, (int32_t)unorm);
  cc_modify(c, inst, OG_MOD_DIM, (int32_t)image->dimension);
  cc_modify(c, inst, OG_MOD_DA, dimensions[image->dimension].array);
  cc_modify(c, inst, c->isa->gfx10 ? OG_MOD_A16 : OG_MOD_R128, image->a16);
  cc_modify(c, inst, OG_MOD_D16, d16);
  cc_modify(c, inst, OG_MOD_TFE, fails & 1);
  cc_modify(c, inst, OG_MOD_LWE, fails >> 1 & 1);
}

static bool emit(struct cc_function *c, uint32_t record, const struct image *image, operand *list, unsigned used,
                 bool reads_result, uint32_t mask, uint32_t fails, bool d16) {
  operand words[ADDRESS_MOST], data = list[0];
  unsigned count;
  if (!read_address(c, image, words, &count))
    return false;
  put_address(c, list, &used, words, count, image->sampler != 0);
  if (!cc_scalars(c, og_ir_operand(c->f, image->i, 1 + image->resource), RESOURCE_DWORDS, &list[used++]) ||
      (image->sampler &&
       !cc_scalars(c, og_ir_operand(c->f, image->i, 1 + image->sampler), SAMPLER_DWORDS, &list[used++])))
    return false;
  uint32_t auxiliary = cc_constant_argument(c, image->i, image->after + 1);
  if (reads_result)
    list[used] = data;
  bool defines = !image->stores && !image->nothing;
  struct cc_inst *inst = cc_emit(c, image->row, defines, used + reads_result, list);
  inst->tied = reads_result ? (uint8_t)used : 0;
  inst->policy = cc_auxiliary_policy(c, auxiliary, image->atomic ? CC_LOADS : image->stores ? CC_STORES : CC_LOADS);
  inst->keep = !defines || image->atomic;
  if (image->atomic)
    inst->policy = (uint8_t)((inst->policy & ~OG_CPOL_GLC) | (c->used[record] ? OG_CPOL_GLC : 0));
  modify(c, inst, image, mask, fails, d16);
  return !c->failed;
}

/* The old value comes back in the register of the data; of a comparison in the first of them, which had the new
 * value. */
static bool change(struct cc_function *c, uint32_t record, const struct image *image) {
  operand list[2 + ADDRESS_MOST + 3], dwords[4], parts[4];
  og_ir_type type = image->i->type;
  unsigned each = (unsigned)cc_store_size(c->m, type) / 4, count = 0;
  if (each < 1 || each > 2 || !cc_bits(c->m, og_ir_scalar(c->m, type)))
    return false;
  for (uint32_t k = 0; k < image->data; k++, count += each)
    cc_pack(c, og_ir_operand(c->f, image->i, 1 + k), type, dwords + count);
  operand data = cc_temp(c, CC_V, count);
  for (unsigned d = 0; d < count; d++)
    cc_move(c, cc_part_of(data, d, 1), dwords[d]);
  list[0] = data;
  if (!emit(c, record, image, list, 1, true, (1u << count) - 1, 0, false))
    return false;
  for (unsigned d = 0; d < each; d++)
    dwords[d] = cc_part_of(data, d, 1);
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, type));
  uint32_t made = cc_parts(c->m, type);
  for (uint32_t k = 0; k < made; k++)
    parts[k] = bits < 32 ? cc_element_of(c, CC_V, dwords, (uint64_t)k * bits) : dwords[k];
  cc_define(c, record, parts, made);
  return true;
}

static bool move(struct cc_function *c, uint32_t record, const struct image *image) {
  operand list[2 + ADDRESS_MOST + 3], dwords[DATA_MOST], parts[DATA_MOST];
  const struct og_ir_inst *i = image->i;
  bool structured = og_ir_kind(c->m, i->type) == OG_IR_STRUCT && og_ir_type_of(c->m, i->type)->parts == 2;
  og_ir_type type = image->stores ? cc_type_of(c, og_ir_operand(c->f, i, 1))
                    : structured  ? og_ir_element(c->m, i->type, 0)
                                  : i->type;
  uint32_t mask = cc_constant_argument(c, i, image->mask) & 15, fails = cc_constant_argument(c, i, image->after) & 3;
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, type)), used = 0;
  bool four = og_form(c->isa, c->forms[image->row][0])->row_flags & OG_FLAG_GATHER4;
  uint32_t wanted = cc_parts(c->m, type), count = four ? 4 : (uint32_t)__builtin_popcount(mask);
  if (!image->nothing &&
      ((bits != 32 && bits != 16) || wanted > 4 || count > wanted || !count || structured != (fails != 0)))
    return cc_refuse(c, "an image's texel of other components than its mask has, or of other than 16 or 32 bits");
  if (bits == 16 && !image->nothing && c->isa->generation < OG_GFX8)
    return cc_refuse(c, "an image's texel of 16 bits, which %s does not have", c->target->processor->name);
  unsigned filled = cc_component_dwords(c, count, bits) + structured;
  if (image->stores)
    cc_components_to(c, og_ir_operand(c->f, i, 1), count, bits, dwords);
  if (!image->nothing)
    list[used++] = image->stores ? cc_tuple(c, dwords, filled, CC_V)
                   : structured  ? cc_zeroed(c, filled)
                                 : cc_temp(c, CC_V, filled);
  else
    list[used++] = (operand){.kind = CC_NONE};
  operand data = list[0];
  if (!emit(c, record, image, list, used, structured && !image->stores, mask, fails, bits == 16 && !image->nothing))
    return false;
  if (image->stores || image->nothing)
    return true;
  for (unsigned d = 0; d < filled; d++)
    dwords[d] = cc_part_of(data, d, 1);
  cc_components_from(c, dwords, count, bits, parts);
  for (uint32_t k = count; k < wanted; k++)
    parts[k] = cc_constant(0);
  if (structured)
    parts[wanted] = dwords[filled - 1];
  cc_define(c, record, parts, wanted + structured);
  return true;
}

/* ---- rays -------------------------------------------------------------------------------------------------------- */

/* A ray against a node of a tree: origin, direction and its inverse. These last two may have 16 bits, and then two
 * numbers share a register: before gfx11 neighbours, later those of one axis, with the inverse above. */
static bool intersect(struct cc_function *c, uint32_t record) {
  enum { NODE, EXTENT, ORIGIN, DIRECTION, INVERSE, TREE };
  const struct og_ir_inst *i = &c->f->insts.items[record];
  operand words[12], list[16], parts[4], ray[6];
  unsigned count = 0, used = 0, sizes[5], groups = 0;
  uint32_t node = cc_count(c, og_ir_operand(c->f, i, 1 + NODE));
  bool a16 = cc_bits(c->m, og_ir_scalar(c->m, cc_type_of(c, og_ir_operand(c->f, i, 1 + DIRECTION)))) == 16;
  unsigned row = node == 2 ? OG_ROW_IMAGE_BVH64_INTERSECT_RAY : OG_ROW_IMAGE_BVH_INTERSECT_RAY;
  if (!cc_has_row(c, row) || node > 2 || cc_count(c, og_ir_operand(c->f, i, 1 + EXTENT)) != 1 ||
      cc_count(c, og_ir_operand(c->f, i, 1 + ORIGIN)) != 3)
    return false;
  for (unsigned a = NODE; a <= ORIGIN; a++) {
    sizes[groups++] = cc_count(c, og_ir_operand(c->f, i, 1 + a));
    for (uint32_t k = 0; k < sizes[groups - 1]; k++)
      words[count++] = cc_part(c, og_ir_operand(c->f, i, 1 + a), k);
  }
  for (unsigned k = 0; k < 6; k++)
    ray[k] = cc_part(c, og_ir_operand(c->f, i, 1 + DIRECTION + k / 3), k % 3);
  for (unsigned k = 0; k < 3 && a16; k++)
    words[count++] =
        c->isa->gfx11 ? cc_pack_halves(c, ray[k], ray[3 + k]) : cc_pack_halves(c, ray[2 * k], ray[2 * k + 1]);
  for (unsigned k = 0; k < 6 && !a16; k++)
    words[count++] = ray[k];
  sizes[groups++] = 3;
  if (!a16)
    sizes[groups++] = 3;
  list[used++] = cc_temp(c, CC_V, 4);
  for (unsigned g = 0, at = 0; g < groups && c->isa->gfx11; at += sizes[g++])
    list[used++] = cc_tuple(c, words + at, sizes[g], CC_V);
  if (!c->isa->gfx11)
    list[used++] = cc_tuple(c, words, count, CC_V);
  if (!cc_scalars(c, og_ir_operand(c->f, i, 1 + TREE), TREE_DWORDS, &list[used++]))
    return false;
  cc_modify(c, cc_emit(c, row, 1, used, list), OG_MOD_A16, a16);
  for (unsigned k = 0; k < 4; k++)
    parts[k] = cc_part_of(list[0], k, 1);
  cc_define(c, record, parts, 4);
  return !c->failed;
}

bool cc_select_image(struct cc_function *c, uint32_t record, struct og_text name) {
  struct image image = {.i = &c->f->insts.items[record]};
  char row[NAME_MOST];
  size_t size;
  if (is_tree(name))
    return image.i->operands == 7 && intersect(c, record);
  if (!og_text_skip(&name, "llvm.amdgcn.image.") || !read_name(name, &image, row, &size) ||
      !find_arguments(c->m, c->f, &image) || !find_row(c, &image, row, size))
    return false;
  return image.atomic ? change(c, record, &image) : move(c, record, &image);
}
