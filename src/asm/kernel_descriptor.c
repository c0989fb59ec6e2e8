/* kernel_descriptor.c - .amdhsa_kernel: its directives, the descriptor they make, and the listing of both. */
#include "asm/internal.h"

#include <string.h>

/* No directive changes what a target's descriptors have. */
static const struct og_kd_layout *layout_of(struct og_asm *as) {
  if (!as->descriptors) {
    as->descriptors = OG_NEW(as->arena, struct og_kd_layout);
    *as->descriptors = og_kd_layout_of(&as->target);
  }
  return as->descriptors;
}

/* Whether the value must be known where it stands. */
static bool is_read_at_once(unsigned index) {
  return og_user_sgprs_of((enum og_kd_field)og_kd_directives[index].field) || index == OG_KDD_USER_SGPR_COUNT ||
         index == OG_KDD_USER_SGPR_KERNARG_PRELOAD_OFFSET || index == OG_KDD_SHARED_VGPR_COUNT ||
         index == OG_KDD_WAVEFRONT_SIZE32;
}

/* Refuses values that are always wrong, and directives that the target lacks. */
static bool value_allowed(struct og_asm *as, unsigned index, struct og_text word, const char *start,
                          struct og_operand_value v) {
  const struct og_kd_directive_info *d = &og_kd_directives[index];
  unsigned bits = layout_of(as)->bits[index];
  size_t size = (size_t)(as->p - start);
  bool known = !v.expr || og_asm_evaluate_absolute(as, v.expr, &v.value);
  if (known && v.value < 0)
    return og_asm_error(as, start, size, "value out of range: it is negative");
  if (!known && is_read_at_once(index))
    return og_asm_error(as, word.data, word.size, "directive should have resolvable expression");
  if (!bits) {
    if (index == OG_KDD_WORKGROUP_PROCESSOR_MODE)
      return og_asm_error(as, word.data, word.size, "directive unsupported on %s", as->target.processor->name);
    return og_asm_error(as, word.data, word.size, "%s", og_kd_refusal(&as->target, (enum og_kd_directive)index));
  }
  bool later = d->default_value == OG_KD_REQUIRED; /* what the block as a whole needs */
  if (known && !later && (uint64_t)v.value >> bits)
    return og_asm_error(as, start, size, "value out of range: .amdhsa_%s is 0 to %llu", d->name, (1ull << bits) - 1);
  if (index == OG_KDD_RESERVE_XNACK_MASK) { /* 0 stands for any too: what disassemblers print */
    bool on = known && v.value;
    if (on ? as->target.xnack == OG_OFF || as->target.xnack == OG_UNSUPPORTED : as->target.xnack == OG_ON)
      return og_asm_error(as, word.data, word.size, ".amdhsa_reserve_xnack_mask does not match target id");
  }
  return true;
}

/* The directive at the cursor, -1 for another word. */
static int directive_here(struct og_asm *as, const struct og_pending_kernel *k, struct og_text *word) {
  const struct og_source *source = as->input->source;
  uint8_t *expected = &as->next_directive[k->last];
  int index = og_find_kd_directive((struct og_text){as->p, (size_t)(source->text + source->size - as->p)}, *expected);
  if (index < 0) {
    *word = og_asm_word(as);
    return -1;
  }
  *expected = (uint8_t)index;
  *word = (struct og_text){as->p, sizeof ".amdhsa_" - 1 + og_kd_directives[index].size};
  as->p += word->size;
  return index;
}

static bool descriptor_value(struct og_asm *as, struct og_pending_kernel *k, int index, struct og_text word) {
  const char *start = og_asm_at(as);
  struct og_operand_value v;
  if (index >= 0 && k->values.given[index])
    return og_asm_error(as, start, 1, ".amdhsa_ directives cannot be repeated");
  if (!og_asm_parse_value(as, &v))
    return false;
  if (index < 0) {
    if (!v.expr && v.value < 0)
      return og_asm_refuse(as, start, "value out of range: it is negative");
    return og_asm_error(as, word.data, word.size, "unknown .amdhsa_kernel directive");
  }
  k->last = (unsigned)index + 1;
  k->values.given[index] = true;
  k->values.value[index] = (uint64_t)v.value;
  k->values.range[index] = og_asm_range(as, start, as->p);
  k->expr[index] = v.expr;
  k->open |= v.expr != NULL;
  return value_allowed(as, (unsigned)index, word, start, v);
}

/* Moves to the next word of a block, wherever its line ends. */
static bool next_directive(struct og_asm *as) {
  for (og_asm_space(as); og_asm_at_end(as); og_asm_space(as)) {
    if (!*as->p && as->p >= as->input->source->text + as->input->source->size)
      break;
    og_asm_skip_line(as);
    as->statement = as->p;
  }
  return og_name_start(*as->p) || og_asm_error(as, as->p, 1, "expected .amdhsa_ directive or .end_amdhsa_kernel");
}

/* Four bytes at the descriptor's beginning that hold the value as it is. */
static bool is_plain_word(unsigned directive) {
  return directive == OG_KDD_GROUP_SEGMENT_FIXED_SIZE || directive == OG_KDD_PRIVATE_SEGMENT_FIXED_SIZE ||
         directive == OG_KDD_KERNARG_SIZE;
}

static void relocate_words(struct og_asm *as, const struct og_pending_kernel *k) {
  static const uint8_t offsets[OG_KDD_COUNT] = {[OG_KDD_PRIVATE_SEGMENT_FIXED_SIZE] = 4, [OG_KDD_KERNARG_SIZE] = 8};
  int64_t value;
  for (unsigned i = 0; i < OG_KDD_COUNT; i++)
    if (is_plain_word(i) && k->expr[i] && !og_asm_evaluate_absolute(as, k->expr[i], &value))
      og_asm_emit_fixup(as, 4, OG_FIXUP_DATA, k->offset + offsets[i], k->expr[i], k->values.range[i]);
}

/* From gfx10 on descriptors do not count SGPRs: these directives are ignored. */
static bool is_counted(const struct og_asm *as, unsigned directive) {
  switch (directive) {
  case OG_KDD_NEXT_FREE_SGPR:
  case OG_KDD_RESERVE_VCC:
  case OG_KDD_RESERVE_FLAT_SCRATCH:
  case OG_KDD_RESERVE_XNACK_MASK: return as->target.processor->sgprs_counted_by != 0;
  }
  return true;
}

static bool fill_descriptor(struct og_asm *as, struct og_pending_kernel *k, uint8_t *bytes) {
  for (unsigned i = 0; i < OG_KDD_COUNT; i++) {
    if (!k->expr[i])
      continue;
    int64_t value = 0; /* for the linker to fill in, or for nobody */
    if (!og_asm_evaluate_absolute(as, k->expr[i], &value) && !is_plain_word(i) && is_counted(as, i))
      return og_error(as->diagnostics, k->values.range[i],
                      "value of .amdhsa_%s is not absolute: it uses a symbol that is not defined",
                      og_kd_directives[i].name);
    k->values.value[i] = (uint64_t)value;
  }
  return og_kd_encode(layout_of(as), &k->values, k->end, bytes, as->diagnostics);
}

static bool resolvable(struct og_asm *as, const struct og_pending_kernel *k) {
  int64_t value;
  for (unsigned i = 0; i < OG_KDD_COUNT; i++)
    if (k->expr[i] && !is_plain_word(i) && is_counted(as, i) && !og_asm_evaluate_absolute(as, k->expr[i], &value))
      return false;
  return true;
}

/* Checks before all symbols are known: unknown ones count as 0. */
static bool check_known(struct og_asm *as, struct og_pending_kernel *k, uint8_t *bytes) {
  for (unsigned i = 0; i < OG_KDD_COUNT && k->open; i++) {
    int64_t value = 0;
    if (!k->expr[i])
      continue;
    bool known = og_asm_evaluate_absolute(as, k->expr[i], &value);
    if (!known && og_kd_directives[i].default_value == OG_KD_REQUIRED)
      return true;
    k->values.value[i] = known ? (uint64_t)value : 0;
  }
  return og_kd_encode(layout_of(as), &k->values, k->end, bytes, as->diagnostics);
}

/* All directives of the target, those that were not given with their defaults. */
static void list_descriptor(struct og_asm *as, struct og_pending_kernel *k) {
  uint8_t bytes[OG_DESCRIPTOR_SIZE] = {0};
  struct og_pending_kernel copy = *k;
  struct og_kd_values on_target = {0};
  bool known = resolvable(as, k) && fill_descriptor(as, &copy, bytes);
  if (!known) { /* what is not known yet counts as 0 */
    struct og_kd_values zero = {0};
    memcpy(zero.given, copy.values.given, sizeof zero.given);
    for (unsigned i = 0; i < OG_KDD_COUNT; i++)
      zero.value[i] = copy.expr[i] ? 0 : copy.values.value[i];
    struct og_diagnostics *quiet = og_diagnostics_new();
    og_kd_encode(layout_of(as), &zero, k->end, bytes, quiet);
    og_diagnostics_free(quiet);
  }
  og_kd_decode(layout_of(as), bytes, &on_target, NULL);
  og_asm_list(as, "\t.amdhsa_kernel %.*s\n", OG_TEXT_ARGS(k->kernel->name));
  for (unsigned i = 0; i < OG_KDD_COUNT; i++) {
    bool said = as->version >= 6 || as->target.xnack == OG_UNSUPPORTED; /* by the target id */
    if ((i == OG_KDD_RESERVE_XNACK_MASK && said && as->version >= 4) ||
        (i == OG_KDD_USES_DYNAMIC_STACK && as->version < 5))
      continue;
    struct og_operand_value v = {k->expr[i], (int64_t)k->values.value[i]};
    if (!k->values.given[i]) { /* the number of user SGPRs follows from the others */
      v.value = (int64_t)(i == OG_KDD_USER_SGPR_COUNT ? on_target.value[i]
                                                      : og_kd_default(layout_of(as), (enum og_kd_directive)i));
      if (!on_target.given[i])
        continue;
    }
    if (v.expr && known && og_asm_evaluate_absolute(as, v.expr, &v.value))
      v.expr = NULL;
    og_asm_list(as, "\t\t.amdhsa_%s ", og_kd_directives[i].name);
    og_asm_list_expr(as, v);
    og_asm_list(as, "\n");
  }
  og_asm_list(as, "\t.end_amdhsa_kernel\n");
}

/* The words of a descriptor as they stand in it: sizes, compute_pgm_rsrc3, rsrc1 (the
 * table's second half), all others. */
static unsigned word_of(unsigned directive) {
  switch (directive) {
  case OG_KDD_GROUP_SEGMENT_FIXED_SIZE:
  case OG_KDD_PRIVATE_SEGMENT_FIXED_SIZE:
  case OG_KDD_KERNARG_SIZE: return 0;
  case OG_KDD_ACCUM_OFFSET:
  case OG_KDD_TG_SPLIT:
  case OG_KDD_SHARED_VGPR_COUNT:
  case OG_KDD_INST_PREF_SIZE:
  case OG_KDD_NAMED_BARRIER_COUNT: return 1;
  }
  return directive >= OG_KDD_NEXT_FREE_VGPR ? 2 : 3;
}

/* Symbols that the directives were the first to name are used in the order of the words;
 * those left over are not used. */
static void order_symbols(struct og_asm *as, const struct og_pending_kernel *k, uint32_t first) {
  for (unsigned word = 0; word < 4 && k->open; word++)
    for (unsigned i = 0; i < OG_KDD_COUNT; i++)
      if (k->expr[i] && word_of(i) == word && is_counted(as, i))
        og_asm_use_next(as, k->expr[i], &first);
  og_asm_pass_over(as, first);
}

static struct og_asm_symbol *descriptor_of(struct og_asm *as, struct og_text kernel) {
  char *name = og_arena_alloc(as->arena, kernel.size + sizeof ".kd");
  memcpy(name, kernel.data, kernel.size);
  memcpy(name + kernel.size, ".kd", sizeof ".kd");
  return og_asm_symbol(as, (struct og_text){name, kernel.size + sizeof ".kd" - 1});
}

/* A descriptor has the binding and visibility that its kernel has up to here; a kernel without any is protected. */
static void bind_descriptor(struct og_asm_symbol *kd, struct og_asm_symbol *kernel) {
  kd->binding = kernel->binding_set || kernel->kind != OG_SYMBOL_UNDEFINED ? kernel->binding : STB_GLOBAL;
  kd->binding_set = true;
  kd->visibility = kernel->visibility;
  if (kernel->visibility == STV_DEFAULT)
    kernel->visibility = STV_PROTECTED;
}

/* What no expression keeps open is read into the same room again: it is large. */
static struct og_pending_kernel *new_kernel(struct og_asm *as) {
  if (as->spare_kernel)
    memset(as->spare_kernel, 0, sizeof *as->spare_kernel);
  else
    as->spare_kernel = OG_NEW(as->arena, struct og_pending_kernel);
  return as->spare_kernel;
}

bool og_asm_amdhsa_kernel(struct og_asm *as, const char *at, int arg) {
  (void)arg;
  struct og_text name;
  if (as->target.os != OG_OS_AMDHSA)
    return og_asm_error(as, at, 14, "unknown directive: .amdhsa_kernel needs the amdhsa OS");
  if (as->version < 3)
    return og_asm_error(as, at, 14, "unknown directive: .amdhsa_kernel is of code object V3 and later, and this is V2");
  if (*og_asm_at(as) != '"' && !og_name_start(*as->p))
    return og_asm_error(as, at, 14, "unknown directive: .amdhsa_kernel needs a name");
  if (!og_asm_name(as, &name))
    return false;
  struct og_pending_kernel *k = new_kernel(as);
  struct og_asm_symbol *kd = descriptor_of(as, name);
  uint32_t known = as->symbol_order.count;
  k->kernel = og_asm_symbol(as, name);
  if (as->symbol_order.count != known) { /* listed behind its descriptor */
    as->symbol_order.count = known;
    k->kernel->passed_over = true;
  }
  k->kernel->used = true;
  if (!k->kernel->place.source)
    k->kernel->place = og_asm_range(as, name.data, name.data + name.size);
  for (;;) {
    struct og_text word;
    if (!next_directive(as))
      return false;
    int index = directive_here(as, k, &word);
    if (index < 0 && og_text_is(word, ".end_amdhsa_kernel"))
      break;
    if (!descriptor_value(as, k, index, word))
      return false;
  }
  og_asm_space(as);
  k->end = og_asm_range(as, as->p, as->p + 1);
  uint8_t bytes[OG_DESCRIPTOR_SIZE] = {0};
  if (!check_known(as, k, bytes))
    return false;
  order_symbols(as, k, known);
  if (og_asm_listing(as))
    list_descriptor(as, k);
  if (kd->kind != OG_SYMBOL_UNDEFINED)
    return og_asm_error(as, name.data, name.size, "symbol '%.*s' is already defined", OG_TEXT_ARGS(kd->name));
  kd->kind = OG_SYMBOL_LABEL;
  kd->chunk = as->chunk;
  kd->value = (int64_t)og_asm_here(as);
  kd->type = STT_OBJECT;
  kd->size = og_asm_constant(as, OG_DESCRIPTOR_SIZE);
  bind_descriptor(kd, og_asm_symbol(as, name));
  k->chunk = as->chunk;
  k->offset = og_asm_here(as);
  if (k->open) {
    *OG_PUSH(as->arena, &as->kernels) = k;
    as->spare_kernel = NULL;
    relocate_words(as, k);
  }
  const struct og_expr *entry =
      og_asm_binary(as, '+', og_asm_symbol_expr(as, k->kernel, OG_SPECIFIER_REL64), og_asm_constant(as, 16));
  og_asm_emit_fixup(as, 8, OG_FIXUP_DATA, k->offset + 16, entry, k->kernel->place);
  if (as->chunk->section->type == SHT_NOBITS)
    return og_asm_error(as, at, 14, "a kernel descriptor cannot stand in a NOBITS section");
  return og_asm_emit(as, bytes, OG_DESCRIPTOR_SIZE);
}

bool og_asm_descriptors_finish(struct og_asm *as) {
  bool ok = true;
  for (uint32_t i = 0; i < as->kernels.count; i++) {
    struct og_pending_kernel *k = as->kernels.items[i];
    ok = fill_descriptor(as, k, k->chunk->section->bytes.data + og_asm_offset(k->chunk, k->offset)) && ok;
  }
  return ok;
}
