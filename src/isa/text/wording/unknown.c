/* unknown.c - what is said of a mnemonic that the target has not: who has it, what it may have been. */
#include "isa/text/forms.h"

#include <string.h>

static struct og_text without_suffix(struct og_text name) {
  struct og_text base;
  og_split_suffix(name, &base);
  return base;
}

/* Names of processors that have the mnemonic. */
static unsigned processors_with(struct og_text name, struct og_buffer *out) {
  unsigned found = 0;
  for (size_t i = 0; i < og_processor_count(); i++) {
    const struct og_processor *p = og_processor_at(i);
    const struct og_isa *isa = og_isa_of(p->generation, p->wave_size);
    const uint16_t *forms;
    if (!isa || p->generic_version ||
        (!og_find_forms(isa, name, &forms) && !og_find_forms(isa, without_suffix(name), &forms) &&
         !og_begins_pair(isa, name)))
      continue;
    if (found++ < 8)
      og_buffer_printf(out, "%s%s", found > 1 ? ", " : "", p->name);
  }
  if (found > 8)
    og_buffer_text(out, ", ...");
  return found;
}

struct suggestions {
  const char *names[24];
  unsigned count;
};

static void suggest_name(struct suggestions *found, const char *name) {
  unsigned at = found->count;
  while (at > 0 && strcmp(found->names[at - 1], name) > 0)
    at--;
  if (found->count == OG_COUNT(found->names) || (at > 0 && !strcmp(found->names[at - 1], name)))
    return;
  memmove(&found->names[at + 1], &found->names[at], (found->count++ - at) * sizeof found->names[0]);
  found->names[at] = name;
}

/* Names at most two edits away, sorted: first among the plain encodings as LLVM does, then among the others.
 * Comparisons have two names there, of pairs the first half's counts. */
static void suggest(struct og_inst_reader *in, struct og_text base, bool plain, struct og_buffer *out) {
  const struct og_isa *isa = in->isa;
  struct suggestions found = {0};
  for (unsigned i = 0; i < og_form_count(isa); i++) {
    const struct og_form *form = og_form(isa, i);
    bool is_plain = form->variant == OG_VARIANT_NONE && form->encoding != OG_ENC_VOP3 && form->encoding != OG_ENC_VOP3P;
    char name[64];
    if (is_plain != plain || (form->encoding == OG_ENC_VOPD && in->target->wave_size == 64))
      continue;
    size_t size = form->encoding == OG_ENC_VOPD ? strcspn(og_form_name(form), " ") : strlen(og_form_name(form));
    if (size + 4 >= sizeof name || size > base.size + 2)
      continue;
    memcpy(name, og_form_name(form), size);
    name[size] = 0;
    if (og_text_distance(base, name, 2) <= 2)
      suggest_name(&found, og_arena_copy(in->arena, name, size));
    memcpy(name + size, "_e32", 5);
    if (form->encoding == OG_ENC_VOPC && plain && og_text_distance(base, name, 2) <= 2)
      suggest_name(&found, og_arena_copy(in->arena, name, size + 4));
  }
  for (unsigned i = 0; i < found.count; i++)
    og_buffer_printf(out, "%s%s", i ? ", " : ", did you mean: ", found.names[i]);
  og_buffer_text(out, found.count ? "?" : "");
}

/* The instruction would be here if -mattr had left it, or the processor were not a generic one. */
static bool taken_away(struct og_inst_reader *in, struct og_text name) {
  const struct og_isa *isa = in->isa;
  const uint16_t *forms;
  struct og_text base;
  size_t count = og_find_forms(isa, name, &forms);
  unsigned suffix = count ? OG_SUFFIX_NONE : og_split_suffix(name, &base);
  if (!count)
    count = og_find_forms(isa, base, &forms);
  for (size_t i = 0; i < count; i++) {
    const struct og_form *form = og_form(isa, forms[i]);
    const char *feature = og_suffix_fits(form, suffix) ? og_missing_feature(isa, form) : NULL;
    if (!feature)
      continue;
    bool had = og_has_feature(&in->target->processor->features, og_find_feature(og_text(feature)));
    const char *cause = had ? og_arena_printf(in->arena, "-mattr takes away %s", feature)
                            : og_arena_printf(in->arena, "%s is without %s", in->target->processor->name, feature);
    if (!strcmp(feature, "sdwa") || !strncmp(feature, "dpp", 3))
      og_in_error(in, name.data, name.size, "%s variant of this instruction is not supported: %s", feature, cause);
    else
      og_in_error(in, name.data, name.size, "instruction not supported on this GPU (%s): %.*s: %s",
                  in->target->processor->name, OG_TEXT_ARGS(name), cause);
    return true;
  }
  return false;
}

bool og_unknown_mnemonic(struct og_inst_reader *in, struct og_text name) {
  const uint16_t *forms;
  struct og_text base = without_suffix(name);
  if (taken_away(in, name))
    return false;
  if (og_find_forms(in->isa, name, &forms))
    return og_in_error(in, name.data, name.size, "instruction requires wavesize=%d",
                       in->target->wave_size == 64 ? 32 : 64);
  if (og_find_forms(in->isa, base, &forms))
    return og_in_error(in, name.data, name.size, "%.*s variant of this instruction is not supported",
                       (int)(name.size - base.size - 1), name.data + base.size + 1);
  struct og_buffer text = {0};
  if (processors_with(name, &text)) {
    og_in_error(in, name.data, name.size, "instruction not supported on this GPU (%s): %.*s; exists on %.*s",
                in->target->processor->name, OG_TEXT_ARGS(name), (int)text.size, (const char *)text.data);
  } else {
    base = without_suffix(og_lower_case(in, name));
    suggest(in, base, true, &text);
    if (!text.size)
      suggest(in, base, false, &text);
    og_in_error(in, name.data, name.size, "invalid instruction%.*s", (int)text.size, (const char *)text.data);
  }
  og_buffer_free(&text);
  return false;
}

bool og_unknown_pair(struct og_inst_reader *in, struct og_text mnemonic) {
  const char *second = og_second_half(in);
  size_t size = strcspn(second, " \t\n");
  if (size > 7 && og_find_row((struct og_text){second, size}) >= 0 && !memcmp(second, "v_dual_", 7))
    return og_in_error(in, mnemonic.data, mnemonic.size, "operands are not valid for this GPU or mode");
  return og_in_error(in, second, OG_MAX(size, 1u), "invalid VOPDY instruction");
}
