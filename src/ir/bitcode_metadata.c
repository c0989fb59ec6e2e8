/* bitcode_metadata.c - metadata in bitcode: strings, values, tuples, nodes of debug information, attachments. */
#include "ir/bitcode.h"
#include "ir/words.h"

#include <string.h>

static struct og_bc_metadata *slot(struct og_bc *b, uint64_t id) {
  if (id >= b->bits.end) { /* each piece of metadata takes bits of the file */
    og_bc_fail(b, "Invalid metadata reference");
    return NULL;
  }
  while (b->metadata.count <= id)
    OG_PUSH(b->arena, &b->metadata);
  return &b->metadata.items[id];
}

bool og_bc_node(struct og_bc *b, uint64_t id, uint32_t *node) {
  struct og_bc_metadata *m = slot(b, id);
  if (!m)
    return false;
  if (m->value || m->list)
    return og_bc_fail(b, "a value of the function as metadata is handled in debug records alone");
  if (!m->node)
    m->node = og_ir_metadata_new(b->m, OG_IR_M_UNDEFINED) + 1;
  *node = m->node - 1;
  return true;
}

/* The node that the next number defines: one that was named already, or the given one (UINT32_MAX: a new one). */
static bool define(struct og_bc *b, uint32_t *next, uint32_t made, uint32_t *node) {
  struct og_bc_metadata *m = slot(b, *next);
  if (!m)
    return false;
  ++*next;
  if (m->node && made != UINT32_MAX)
    b->m->metadata.items[m->node - 1] = b->m->metadata.items[made];
  else if (!m->node)
    m->node = (made == UINT32_MAX ? og_ir_metadata_new(b->m, OG_IR_M_UNDEFINED) : made) + 1;
  *node = m->node - 1;
  return true;
}

/* Lengths as vbr6, then the bytes. */
static bool read_strings(struct og_bc *b, uint32_t *next) {
  uint64_t count = og_bc_op(b, 0), offset = og_bc_op(b, 1);
  struct og_text blob = b->bits.blob;
  if (offset > blob.size || count > blob.size * 8)
    return og_bc_fail(b, "Invalid record: metadata strings corrupt offset");
  struct og_text bytes = {blob.data + offset, blob.size - offset};
  uint64_t at = 0, end = offset * 8;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t size = 0;
    for (unsigned shift = 0;; shift += 5) {
      if (at + 6 > end || shift > 30)
        return og_bc_fail(b, "Invalid record: metadata strings bad length");
      unsigned piece = 0;
      for (unsigned k = 0; k < 6; k++, at++)
        piece |= (unsigned)((uint8_t)blob.data[at >> 3] >> (at & 7) & 1) << k;
      size |= (uint64_t)(piece & 31) << shift;
      if (!(piece & 32))
        break;
    }
    if (size > bytes.size)
      return og_bc_fail(b, "Invalid record: metadata strings truncated chars");
    uint32_t node, made = og_ir_metadata_string(b->m, (struct og_text){bytes.data, size});
    if (!define(b, next, made, &node))
      return false;
    bytes = (struct og_text){bytes.data + size, bytes.size - size};
  }
  return true;
}

static bool read_value(struct og_bc *b, uint32_t *next) {
  uint64_t value = og_bc_op(b, 1);
  og_ir_ref ref;
  uint32_t node;
  bool local = b->f && (value >= b->values.count || (b->values.items[value] != OG_IR_NONE &&
                                                     og_ir_space(b->values.items[value]) == OG_IR_LOCAL));
  if (local) {
    struct og_bc_metadata *m = slot(b, (*next)++);
    if (!m || value >= 1 << 26)
      return og_bc_fail(b, "Invalid metadata value");
    m->value = (uint32_t)value + 1;
    return true;
  }
  if (!og_bc_constant_value(b, value, &ref))
    return false;
  uint32_t made = og_ir_metadata_value(b->m, ref);
  return define(b, next, made, &node);
}

static bool read_arguments(struct og_bc *b, uint32_t *next) {
  struct og_bc_metadata *m = slot(b, (*next)++);
  if (!m)
    return false;
  if (!b->lists.count)
    *OG_PUSH(b->arena, &b->lists) = 0;
  m->list = b->lists.count;
  *OG_PUSH(b->arena, &b->lists) = b->bits.record.count; /* ids of values that are metadata */
  for (uint32_t i = 0; i < b->bits.record.count; i++)
    *OG_PUSH(b->arena, &b->lists) = (uint32_t)og_bc_op(b, i);
  return true;
}

static bool read_tuple(struct og_bc *b, uint32_t *next) {
  uint32_t node, count = b->bits.record.count;
  if (!define(b, next, UINT32_MAX, &node))
    return false;
  uint32_t first = og_ir_pool(b->m, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t part = UINT32_MAX;
    if (og_bc_op(b, i) && !og_bc_node(b, og_bc_op(b, i) - 1, &part))
      return false;
    b->m->pool.items[first + i] = part + 1;
  }
  b->m->metadata.items[node] = (struct og_ir_metadata){
      .kind = OG_IR_M_TUPLE, .distinct = b->bits.code == 5, .first = first, .parts = count};
  return true;
}

/* An expression's elements as version 3 has them. */
static bool read_expression(struct og_bc *b, uint32_t *next) {
  uint64_t version = og_bc_op(b, 0) >> 1;
  if (version < 3)
    return og_bc_fail(b, "debug expressions of a version before LLVM 6 are not handled");
  uint32_t node, made = og_ir_metadata_expression(b->m, b->bits.record.items + 1, b->bits.record.count - 1);
  return define(b, next, made, &node);
}

static const uint8_t node_kinds[] = {
    [7] = OG_IR_M_LOCATION,       [13] = OG_IR_M_SUBRANGE,       [14] = OG_IR_M_ENUMERATOR,
    [15] = OG_IR_M_BASIC_TYPE,    [16] = OG_IR_M_FILE,           [17] = OG_IR_M_DERIVED_TYPE,
    [18] = OG_IR_M_COMPOSITE_TYPE, [19] = OG_IR_M_SUBROUTINE_TYPE, [20] = OG_IR_M_COMPILE_UNIT,
    [21] = OG_IR_M_SUBPROGRAM,    [22] = OG_IR_M_LEXICAL_BLOCK,  [23] = OG_IR_M_LEXICAL_BLOCK_FILE,
    [24] = OG_IR_M_NAMESPACE,     [25] = OG_IR_M_TEMPLATE_TYPE,  [26] = OG_IR_M_TEMPLATE_VALUE,
    [27] = OG_IR_M_GLOBAL_VAR,    [28] = OG_IR_M_LOCAL_VAR,      [31] = OG_IR_M_IMPORTED_ENTITY,
    [33] = OG_IR_M_MACRO,         [34] = OG_IR_M_MACRO_FILE,     [37] = OG_IR_M_GLOBAL_VAR_EXPR,
    [40] = OG_IR_M_DEBUG_LABEL,   [47] = OG_IR_M_ASSIGN_ID};

static bool is_reference(uint8_t type) {
  return type == OG_IR_FT_NODE || type == OG_IR_FT_STRING || type == OG_IR_FT_BOUND;
}

/* What a record's first number says besides `distinct`. */
static uint64_t from_head(uint8_t kind, uint64_t head) {
  bool second = kind == OG_IR_M_ENUMERATOR || kind == OG_IR_M_NAMESPACE || kind == OG_IR_M_DEBUG_LABEL;
  return second ? head >> 1 & 1 : 0;
}

static bool sizes_are_nodes(uint8_t kind, uint64_t head) {
  return kind == OG_IR_M_COMPOSITE_TYPE ? head & 4
                                        : (kind == OG_IR_M_BASIC_TYPE || kind == OG_IR_M_DERIVED_TYPE) && head & 2;
}

struct og_text og_bc_location_key(struct og_bc *b, const uint64_t values[7]) {
  return (struct og_text){og_arena_copy(b->arena, (const char *)values, 7 * sizeof *values), 7 * sizeof *values};
}

static bool read_special(struct og_bc *b, uint8_t kind, uint32_t *next) {
  const struct og_ir_field *fields = og_ir_node_row(kind)->fields;
  uint64_t values[32], head = og_bc_op(b, 0);
  uint32_t node, count = 0, sizes[2], size_count = 0;
  if (kind == OG_IR_M_SUBPROGRAM && !(head & 4))
    return og_bc_fail(b, "debug information of a version before LLVM 8 is not handled");
  for (; fields[count].name; count++) {
    const struct og_ir_field *field = &fields[count];
    uint64_t value = og_bc_op(b, field->place);
    bool raw = kind == OG_IR_M_LOCATION && count == 2; /* the scope's number is not one more than the metadata's */
    if (field->place >= b->bits.record.count)
      value = og_ir_field_default(field);
    else if (!field->place)
      value = from_head(kind, head);
    if (is_reference(field->type) && (value || raw)) {
      uint32_t part;
      if (!og_bc_node(b, raw ? value : value - 1, &part))
        return false;
      value = (uint64_t)part + 1;
    }
    if (sizes_are_nodes(kind, head) && (!strcmp(field->name, "size") || !strcmp(field->name, "offset")) && value) {
      uint32_t part;
      if (!og_bc_node(b, value - 1, &part))
        return false;
      value = part;
      sizes[size_count++] = count;
    }
    if (kind == OG_IR_M_ENUMERATOR && field->type == OG_IR_FT_SIGNED) /* the width may come first */
      value = (uint64_t)og_bc_signed(og_bc_op(b, head & 4 ? 3 : 1));
    if (kind == OG_IR_M_ENUMERATOR && field->type == OG_IR_FT_STRING && !(head & 4))
      return og_bc_fail(b, "debug information of a version before LLVM 12 is not handled");
    values[count] = value;
  }
  if (kind == OG_IR_M_LOCATION && !(head & 1)) { /* locations of instructions use the same nodes */
    struct og_bc_metadata *own = slot(b, *next);
    void **known = og_map_at(b->arena, &b->locations, og_bc_location_key(b, values));
    if (own && !own->node && *known) {
      own->node = (uint32_t)(uintptr_t)*known;
      ++*next;
      return true;
    }
    if (!define(b, next, UINT32_MAX, &node))
      return false;
    *known = (void *)(uintptr_t)(node + 1);
  } else if (!define(b, next, UINT32_MAX, &node)) {
    return false;
  }
  og_ir_metadata_fields(b->m, node, (enum og_ir_metadata_kind)kind, values, count);
  b->m->metadata.items[node].distinct = head & 1;
  for (uint32_t i = 0; i < size_count; i++) {
    *OG_PUSH(b->arena, &b->sized) = node;
    *OG_PUSH(b->arena, &b->sized) = sizes[i];
  }
  return true;
}

static bool read_global_attachment(struct og_bc *b) {
  og_ir_ref ref = og_bc_op(b, 0) < b->values.count ? b->values.items[og_bc_op(b, 0)] : OG_IR_NONE;
  struct og_ir_global *g = ref == OG_IR_NONE ? NULL : og_ir_global_of(b->m, ref);
  if (!g || b->bits.record.count % 2 == 0)
    return og_bc_fail(b, "Invalid metadata attachment");
  uint32_t count = (b->bits.record.count - 1) / 2, place = og_ir_pool(b->m, 1 + count * 2);
  b->m->pool.items[place] = count;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t kind = og_bc_op(b, 1 + i * 2);
    uint32_t node;
    if (kind >= b->kinds.count || !b->kinds.items[kind] || !og_bc_node(b, og_bc_op(b, 2 + i * 2), &node))
      return og_bc_fail(b, "Invalid metadata attachment");
    b->m->pool.items[place + 1 + i * 2] = b->kinds.items[kind] - 1;
    b->m->pool.items[place + 2 + i * 2] = node;
  }
  g->attachments = place;
  return true;
}

static bool read_named(struct og_bc *b, struct og_text name) {
  struct og_ir_named_metadata named = {.name = og_ir_name(b->m, name), .parts = b->bits.record.count};
  named.first = og_ir_pool(b->m, named.parts);
  for (uint32_t i = 0; i < named.parts; i++) {
    uint32_t node;
    if (!og_bc_node(b, og_bc_op(b, i), &node))
      return false;
    b->m->pool.items[named.first + i] = node;
  }
  *OG_PUSH(b->arena, &b->m->named_metadata) = named;
  return true;
}

bool og_bc_read_metadata(struct og_bc *b) {
  uint32_t id, next = b->metadata.count;
  struct og_text name = {0};
  enum og_bit_entry entry;
  if (b->f)
    next = b->module_metadata;
  else
    next = 0;
  if (!b->f && !og_bc_make_constants(b))
    return false;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD) {
    uint32_t code = b->bits.code, node;
    bool ok = true;
    switch (code) {
    case 1: { /* a string by itself */
      uint32_t made = og_ir_metadata_string(b->m, og_bc_text(b, 0));
      ok = define(b, &next, made, &node);
      break;
    }
    case 2: ok = read_value(b, &next); break;
    case 3: case 5: ok = read_tuple(b, &next); break;
    case 4: name = og_bc_text(b, 0); break;
    case 10: ok = read_named(b, name); break;
    case 29: ok = b->bits.record.count ? read_expression(b, &next) : og_bc_fail(b, "Invalid record"); break;
    case 35: ok = read_strings(b, &next); break;
    case 36: ok = read_global_attachment(b); break;
    case 38: case 39: break; /* an index, for readers that load metadata later */
    case 46: ok = read_arguments(b, &next); break;
    default:
      if (code >= sizeof node_kinds || !node_kinds[code])
        return og_bc_fail(b, "metadata of kind %u is not handled", code);
      ok = read_special(b, node_kinds[code], &next);
    }
    if (!ok)
      return false;
  }
  return entry == OG_BIT_END || og_bc_fail(b, "Malformed block of metadata");
}

bool og_bc_read_kinds(struct og_bc *b) {
  uint32_t id;
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD) {
    uint64_t number = og_bc_op(b, 0);
    if (number >= 1 << 16)
      return og_bc_fail(b, "Invalid kind of metadata");
    while (b->kinds.count <= number)
      *OG_PUSH(b->arena, &b->kinds) = 0;
    uint32_t kind = og_ir_metadata_kind(b->m, og_bc_text(b, 1));
    b->kinds.items[number] = kind + 1;
  }
  return entry == OG_BIT_END || og_bc_fail(b, "Malformed block of metadata kinds");
}

/* Attachments of the function's instructions and of itself. */
bool og_bc_read_attachments(struct og_bc *b, struct og_ir_global *g) {
  uint32_t id;
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD) {
    uint32_t own = b->bits.record.count % 2, count = b->bits.record.count / 2;
    if (own && (og_bc_op(b, 0) >= b->inst_count))
      return og_bc_fail(b, "Invalid metadata attachment");
    struct og_ir_inst *inst = own ? &b->f->insts.items[b->inst_numbers[og_bc_op(b, 0)]] : NULL;
    uint32_t place = og_ir_pool(b->m, 1 + count * 2), kept = 0;
    for (uint32_t i = 0; i < count; i++) {
      uint64_t kind = og_bc_op(b, own + i * 2);
      uint32_t node;
      if (kind >= b->kinds.count || !b->kinds.items[kind] || !og_bc_node(b, og_bc_op(b, own + i * 2 + 1), &node))
        return og_bc_fail(b, "Invalid metadata attachment");
      if (inst && b->kinds.items[kind] == 1) { /* !dbg */
        inst->location = node + 1;
        continue;
      }
      b->m->pool.items[place + 1 + kept * 2] = b->kinds.items[kind] - 1;
      b->m->pool.items[place + 2 + kept++ * 2] = node;
    }
    b->m->pool.items[place] = kept;
    if (kept && inst)
      inst->attachments = place;
    else if (kept)
      g->attachments = place;
  }
  return entry == OG_BIT_END || og_bc_fail(b, "Malformed block of metadata attachments");
}

bool og_bc_finish_metadata(struct og_bc *b) {
  for (uint32_t i = 0; i + 1 < b->sized.count; i += 2) { /* fields that are constants become numbers */
    const struct og_ir_metadata *node = &b->m->metadata.items[b->sized.items[i]];
    uint64_t *value = &b->m->fields.items[node->first + b->sized.items[i + 1]];
    const struct og_ir_metadata *size = &b->m->metadata.items[*value];
    const struct og_ir_constant *c = size->kind == OG_IR_M_VALUE ? og_ir_constant_of(b->m, size->first) : NULL;
    if (!c || c->kind != OG_IR_C_NUMBER)
      return og_bc_fail(b, "debug information with a size that is computed is not handled");
    *value = c->value;
  }
  for (uint32_t i = 0; i < b->m->metadata.count; i++)
    if (b->m->metadata.items[i].kind == OG_IR_M_UNDEFINED)
      return og_bc_fail(b, "Invalid metadata: a node is named, but not defined");
  return true;
}
