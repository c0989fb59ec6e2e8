/* target.c - finds processors by name and number; converts triples, -mattr and target ids to struct og_target and
 * back. */
#include "target/target.h"
#include "target/features.inc"

#include <string.h>

#include "target/processors.inc"

/* ---- processors and features ------------------------------------------------------------------------------------ */

size_t og_processor_count(void) { return OG_COUNT(processors); }

const struct og_processor *og_processor_at(size_t index) {
  return index < OG_COUNT(processors) ? &processors[index] : NULL;
}

static bool is_named(const struct og_processor *processor, struct og_text name) {
  if (og_text_is(name, processor->name))
    return true;
  for (const char *const *alias = processor->aliases; *alias; alias++)
    if (og_text_is(name, *alias))
      return true;
  return false;
}

const struct og_processor *og_find_processor(struct og_text name) {
  for (size_t i = 0; i < OG_COUNT(processors); i++)
    if (is_named(&processors[i], name))
      return &processors[i];
  return NULL;
}

const struct og_processor *og_processor_by_mach(uint32_t mach) {
  for (size_t i = 0; i < OG_COUNT(processors); i++)
    if (processors[i].mach == mach)
      return &processors[i];
  return NULL;
}

size_t og_feature_count(void) { return OG_COUNT(feature_names); }

const char *og_feature_name(int feature) {
  return feature >= 0 && (size_t)feature < OG_COUNT(feature_names) ? feature_names[feature] : NULL;
}

int og_find_feature(struct og_text name) {
  for (size_t i = 0; i < OG_COUNT(feature_names); i++)
    if (og_text_is(name, feature_names[i]))
      return (int)i;
  return -1;
}

static void set_feature(struct og_feature_set *set, int feature, bool on) {
  uint64_t bit = (uint64_t)1 << (feature & 63);
  set->bits[feature >> 6] = on ? set->bits[feature >> 6] | bit : set->bits[feature >> 6] & ~bit;
}

/* ---- targets ----------------------------------------------------------------------------------------------------- */

static void set_defaults(struct og_target *target, const struct og_processor *processor, enum og_os os) {
  *target = (struct og_target){
      .processor = processor,
      .os = os,
      .features = processor->features,
      .xnack = processor->xnack ? OG_ANY : OG_UNSUPPORTED,
      .sramecc = processor->sramecc ? OG_ANY : OG_UNSUPPORTED,
      .wave_size = processor->wave_size,
      .cumode = !processor->cumode,
  };
}

/* Choices become features too, for instruction availability is read from the feature set only. */
static void set_choice_features(struct og_target *target) {
  set_feature(&target->features, OG_FEATURE_XNACK, target->xnack == OG_ON);
  set_feature(&target->features, OG_FEATURE_SRAMECC, target->sramecc == OG_ON);
  set_feature(&target->features, OG_FEATURE_CUMODE, target->cumode);
  set_feature(&target->features, OG_FEATURE_WAVEFRONTSIZE32, target->wave_size == 32 || target->mixed_waves);
  set_feature(&target->features, OG_FEATURE_WAVEFRONTSIZE64, target->wave_size == 64 || target->mixed_waves);
}

static struct og_text next_part(struct og_text *rest, char separator) {
  const char *end = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
  size_t size = end ? (size_t)(end - rest->data) : rest->size, skip = end ? size + 1 : size;
  struct og_text part = {rest->data, size};
  *rest = (struct og_text){rest->data + skip, rest->size - skip};
  return part;
}

static bool parse_os(struct og_text text, enum og_os *os) {
  static const struct { const char *name; enum og_os os; } names[] = {
      {"", OG_OS_NONE}, {"unknown", OG_OS_NONE}, {"none", OG_OS_NONE}, {"linux", OG_OS_NONE},
      {"amdhsa", OG_OS_AMDHSA}, {"amdpal", OG_OS_AMDPAL}, {"mesa3d", OG_OS_MESA3D}};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (og_text_is(text, names[i].name)) {
      *os = names[i].os;
      return true;
    }
  return false;
}

/* Splits "arch-vendor-os[-environment]"; everything after the architecture may be missing. */
static bool parse_triple(struct og_text triple, struct og_text *arch, enum og_os *os,
                         struct og_diagnostics *diagnostics) {
  struct og_text rest = triple;
  *arch = next_part(&rest, '-');
  if (!og_text_is(*arch, "amdgcn") && !og_text_is(*arch, "r600"))
    return og_error_in(diagnostics, NULL, "unknown architecture '%.*s' in triple '%.*s'; expected amdgcn or r600",
                       OG_TEXT_ARGS(*arch), OG_TEXT_ARGS(triple));
  next_part(&rest, '-');
  struct og_text name = next_part(&rest, '-');
  return parse_os(name, os) ||
         og_error_in(diagnostics, NULL,
                     "unknown operating system '%.*s' in triple '%.*s'; expected amdhsa, amdpal or mesa3d",
                     OG_TEXT_ARGS(name), OG_TEXT_ARGS(triple));
}

/* Sets the choice that has the feature's name; false: there is none. */
static bool apply_choice(struct og_target *target, struct og_text name, bool on) {
  const struct og_processor *processor = target->processor;
  if (og_text_is(name, "xnack"))
    target->xnack = !processor->xnack ? OG_UNSUPPORTED : on ? OG_ON : OG_OFF;
  else if (og_text_is(name, "sramecc") || og_text_is(name, "sram-ecc"))
    target->sramecc = !processor->sramecc ? OG_UNSUPPORTED : on ? OG_ON : OG_OFF;
  else if (og_text_is(name, "cumode"))
    target->cumode = on || !processor->cumode;
  else
    return false;
  return true;
}

/* Sets the wave size. If neither is asked for, it is the processor's default; if both are, the code is mixed and counts
 * as for waves of 32, if the processor has such. */
static void choose_wave_size(struct og_target *target, bool wave32, bool wave64) {
  const struct og_processor *processor = target->processor;
  target->mixed_waves = wave32 && wave64;
  if (wave32 == wave64)
    target->wave_size = processor->wave32 ? 32 : 64;
  else
    target->wave_size = wave32 ? 32 : 64;
}

/* Features that select a processor's generation or the form of an encoding. Tables are chosen by processor, not by
 * features, so adding or removing one of these would have no effect. */
static bool is_built_in(const struct og_processor *processor, struct og_text name) {
  static const char *const names[] = {
      "southern-islands", "sea-islands", "volcanic-islands", "gfx9", "gfx10", "gfx11", "gfx12", "gcn3-encoding",
      "gfx10_a-encoding", "gfx10_b-encoding", "ci-insts", "gfx7-gfx8-gfx9-insts", "gfx8-insts", "gfx9-insts",
      "gfx90a-insts", "gfx940-insts", "gfx950-insts", "gfx10-insts", "gfx10-3-insts", "gfx11-insts", "gfx12-insts",
      "gfx1250-insts", "16-bit-insts", "true16", "no-sdst-cmpx", "vop3-literal", "64-bit-literals", "flat-gvs-mode",
      "fp8e5m3-insts", "a16", "r128-a16", "mimg-r128", "nsa-encoding", "partial-nsa-encoding",
      "1024-addressable-vgprs"};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (og_text_is(name, names[i]))
      return true;
  return processor->major != 8 && og_text_is(name, "unpacked-d16-vmem");
}

static bool apply_attributes(struct og_target *target, const char *mattr, struct og_diagnostics *diagnostics) {
  struct og_text rest = og_text(mattr);
  const struct og_feature_set *own = &target->processor->features;
  bool wave32 = og_has_feature(own, OG_FEATURE_WAVEFRONTSIZE32),
       wave64 = og_has_feature(own, OG_FEATURE_WAVEFRONTSIZE64);
  while (rest.size) {
    struct og_text item = next_part(&rest, ',');
    char lower[80];
    if (!item.size)
      continue;
    bool sign = item.data[0] == '-' || item.data[0] == '+', on = item.data[0] != '-';
    size_t size = (size_t)snprintf(lower, sizeof lower, "%.*s", (int)(item.size - sign), item.data + sign);
    for (char *c = lower; *c; c++)
      *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    struct og_text name = {lower, OG_MIN(size, sizeof lower - 1)};
    int feature = og_find_feature(name);
    if (feature < 0)
      og_report(diagnostics, OG_SEVERITY_WARNING, (struct og_range){0},
                "'%c%s' is not a recognized feature for this target (ignoring feature)", on ? '+' : '-', lower);
    else if (og_text_is(name, "wavefrontsize32"))
      wave32 = on;
    else if (og_text_is(name, "wavefrontsize64"))
      wave64 = on;
    else if ((og_text_is(name, "xnack") && !target->processor->xnack) ||
             (og_text_is(name, "sramecc") && !target->processor->sramecc))
      og_report(diagnostics, OG_SEVERITY_WARNING, (struct og_range){0},
                "%s '%s' was requested for a processor that does not support it!", lower, on ? "On" : "Off");
    else if (is_built_in(target->processor, name) && on != og_has_feature(own, feature))
      return og_error_in(diagnostics, NULL, "-mattr=%c%s is not supported: the instruction tables of %s are made %s it",
                         on ? '+' : '-', lower, target->processor->name, on ? "without" : "with");
    else if (!apply_choice(target, name, on))
      set_feature(&target->features, feature, on);
  }
  choose_wave_size(target, wave32, wave64);
  return true;
}

bool og_target_refine(struct og_target *target, const char *triple, const char *mattr,
                      struct og_diagnostics *diagnostics) {
  struct og_text arch;
  const struct og_processor *processor = target->processor;
  if (triple && !parse_triple(og_text(triple), &arch, &target->os, diagnostics))
    return false;
  if (triple && (processor->generation == OG_R600) != og_text_is(arch, "r600"))
    return og_error_in(diagnostics, NULL, "processor '%s' is not of architecture %.*s", processor->name,
                       OG_TEXT_ARGS(arch));
  if (mattr && !apply_attributes(target, mattr, diagnostics))
    return false;
  set_choice_features(target);
  return true;
}

bool og_target_parse(struct og_target *target, const char *triple, const char *mcpu, const char *mattr,
                     struct og_diagnostics *diagnostics) {
  if (!mcpu)
    return og_error_in(diagnostics, NULL, "no processor named; expected -mcpu=NAME ('offgrid targets' lists them)");
  const struct og_processor *processor = og_find_processor(og_text(mcpu));
  if (!processor)
    return og_error_in(diagnostics, NULL, "unknown processor '%s'; 'offgrid targets' lists them", mcpu);
  set_defaults(target, processor, OG_OS_AMDHSA);
  return og_target_refine(target, triple, mattr, diagnostics);
}

/* ---- target ids -------------------------------------------------------------------------------------------------- */

/* Code object V2 gave gfx9 processors with XNACK a stepping of their own (user guide, "Code Object V2 target id"). */
static const struct { const char *name, *with_xnack; } v2_names[] = {
    {"gfx900", "gfx901"}, {"gfx902", "gfx903"}, {"gfx904", "gfx905"}, {"gfx906", "gfx907"}};

/* Reads ":sramecc+:xnack-" (new form) or "+xnack+sram-ecc" (old form). */
static bool parse_id_features(struct og_target *target, struct og_text rest, struct og_text id,
                              struct og_diagnostics *diagnostics) {
  while (rest.size) {
    char first = rest.data[0];
    struct og_text feature = {rest.data + 1, rest.size - 1};
    const char *stop = feature.size ? memchr(feature.data, first, feature.size) : NULL;
    if (stop)
      feature.size = (size_t)(stop - feature.data);
    rest = (struct og_text){feature.data + feature.size, rest.size - 1 - feature.size};
    bool on = true;
    if (first == ':') {
      char sign = feature.size ? feature.data[feature.size - 1] : 0;
      if (sign != '+' && sign != '-')
        return og_error_in(diagnostics, NULL, "target id '%.*s': expected '+' or '-' after feature '%.*s'",
                           OG_TEXT_ARGS(id), OG_TEXT_ARGS(feature));
      on = sign == '+';
      feature.size--;
    }
    bool xnack = og_text_is(feature, "xnack"),
         sramecc = og_text_is(feature, "sramecc") || og_text_is(feature, "sram-ecc");
    if (!(xnack && target->processor->xnack) && !(sramecc && target->processor->sramecc))
      return og_error_in(diagnostics, NULL, "target id '%.*s': %s has no target feature '%.*s'", OG_TEXT_ARGS(id),
                         target->processor->name, OG_TEXT_ARGS(feature));
    apply_choice(target, feature, on);
  }
  return true;
}

static size_t processor_name_size(struct og_text text) {
  size_t size = 0;
  while (size < text.size && text.data[size] != ':' && text.data[size] != '+')
    size++;
  return size;
}

static const struct og_processor *find_id_processor(struct og_text name, bool *with_xnack) {
  const struct og_processor *processor = og_find_processor(name);
  for (size_t i = 0; !processor && i < OG_COUNT(v2_names); i++)
    if (og_text_is(name, v2_names[i].with_xnack)) {
      *with_xnack = true;
      processor = og_find_processor(og_text(v2_names[i].name));
    }
  return processor;
}

bool og_target_parse_id(struct og_target *target, struct og_text id, struct og_diagnostics *diagnostics) {
  enum og_os os = OG_OS_AMDHSA;
  struct og_text rest = id;
  if (memchr(id.data, '-', processor_name_size(id)) && (id.size < 3 || memcmp(id.data, "gfx", 3) != 0)) {
    struct og_text arch = next_part(&rest, '-');
    next_part(&rest, '-');
    struct og_text name = next_part(&rest, '-');
    next_part(&rest, '-');
    if ((!og_text_is(arch, "amdgcn") && !og_text_is(arch, "r600")) || !parse_os(name, &os))
      return og_error_in(diagnostics, NULL, "target id '%.*s': expected amdgcn-amd-amdhsa--PROCESSOR and features",
                         OG_TEXT_ARGS(id));
  }
  struct og_text name = {rest.data, processor_name_size(rest)};
  bool with_xnack = false;
  const struct og_processor *processor = find_id_processor(name, &with_xnack);
  if (!processor)
    return og_error_in(diagnostics, NULL, "target id '%.*s': unknown processor '%.*s'", OG_TEXT_ARGS(id),
                       OG_TEXT_ARGS(name));
  set_defaults(target, processor, os);
  if (with_xnack)
    target->xnack = OG_ON;
  rest = (struct og_text){rest.data + name.size, rest.size - name.size};
  bool ok = parse_id_features(target, rest, id, diagnostics);
  set_choice_features(target);
  return ok;
}

static bool on_or_any(enum og_setting setting) { return setting == OG_ON || setting == OG_ANY; }

void og_target_print_id(const struct og_target *target, int code_object_version, struct og_buffer *out) {
  static const char *const os_names[] = {"unknown", "amdhsa", "amdpal", "mesa3d"};
  const char *name = target->processor->name;
  if (code_object_version == 2 && on_or_any(target->xnack))
    for (size_t i = 0; i < OG_COUNT(v2_names); i++)
      if (strcmp(name, v2_names[i].name) == 0)
        name = v2_names[i].with_xnack;
  og_buffer_printf(out, "%s-%s-%s--%s", target->processor->generation == OG_R600 ? "r600" : "amdgcn",
                   target->os == OG_OS_NONE ? "unknown" : target->os == OG_OS_MESA3D ? "mesa" : "amd",
                   os_names[target->os], name);
  if (target->os != OG_OS_AMDHSA) { /* other systems have them only in e_flags, on unless the id says otherwise */
    og_buffer_text(out, target->sramecc == OG_OFF ? ":sramecc-" : "");
    og_buffer_text(out, target->xnack == OG_OFF ? ":xnack-" : "");
  } else if (code_object_version == 3) {
    og_buffer_text(out, on_or_any(target->xnack) ? "+xnack" : "");
    og_buffer_text(out, on_or_any(target->sramecc) ? "+sram-ecc" : "");
  } else if (code_object_version >= 4) {
    static const char *const sramecc[] = {"", "", ":sramecc-", ":sramecc+"}, *const xnack[] = {"", "", ":xnack-",
                                                                                               ":xnack+"};
    og_buffer_text(out, sramecc[target->sramecc]);
    og_buffer_text(out, xnack[target->xnack]);
  }
}

/* ---- e_flags: user guide, "ELF Header e_flags" ------------------------------------------------------------------- */

enum {
  EF_MACH = 0xff,
  EF_XNACK_V3 = 0x100, EF_SRAMECC_V3 = 0x200,
  EF_XNACK_SHIFT_V4 = 8, EF_SRAMECC_SHIFT_V4 = 10, /* two bits each: enum og_setting */
  EF_GENERIC_VERSION_SHIFT_V6 = 24,
};

uint32_t og_target_e_flags(const struct og_target *target, int code_object_version) {
  uint32_t flags = target->processor->mach;
  if (code_object_version < 4 || target->os != OG_OS_AMDHSA) {
    flags |= on_or_any(target->xnack) ? EF_XNACK_V3 : 0;
    return flags | (on_or_any(target->sramecc) ? EF_SRAMECC_V3 : 0);
  }
  flags |= (uint32_t)target->xnack << EF_XNACK_SHIFT_V4 | (uint32_t)target->sramecc << EF_SRAMECC_SHIFT_V4;
  return flags | (code_object_version >= 6 ? target->processor->generic_version << EF_GENERIC_VERSION_SHIFT_V6 : 0);
}

bool og_target_from_e_flags(struct og_target *target, uint8_t os_abi, uint8_t abi_version, uint32_t e_flags) {
  const struct og_processor *processor = og_processor_by_mach(e_flags & EF_MACH);
  if (!processor)
    return false;
  enum og_os os = os_abi == 64 ? OG_OS_AMDHSA : os_abi == 65 ? OG_OS_AMDPAL : os_abi == 66 ? OG_OS_MESA3D : OG_OS_NONE;
  set_defaults(target, processor, os);
  if (os == OG_OS_AMDHSA && abi_version >= 2) {
    target->xnack = processor->xnack ? (enum og_setting)(e_flags >> EF_XNACK_SHIFT_V4 & 3) : OG_UNSUPPORTED;
    target->sramecc = processor->sramecc ? (enum og_setting)(e_flags >> EF_SRAMECC_SHIFT_V4 & 3) : OG_UNSUPPORTED;
  } else {
    enum og_setting on = os == OG_OS_AMDHSA ? OG_ON : OG_ANY;
    target->xnack = !processor->xnack ? OG_UNSUPPORTED : e_flags & EF_XNACK_V3 ? on : OG_OFF;
    target->sramecc = !processor->sramecc ? OG_UNSUPPORTED : e_flags & EF_SRAMECC_V3 ? on : OG_OFF;
  }
  set_choice_features(target);
  return true;
}

/* Merges two bits of enum og_setting: a setting that is open takes the other's value. */
static bool merge_setting(uint32_t *flags, uint32_t other, unsigned shift) {
  uint32_t mine = *flags >> shift & 3, theirs = other >> shift & 3;
  if (mine == OG_ANY && (theirs == OG_ON || theirs == OG_OFF))
    *flags = (*flags & ~(3u << shift)) | theirs << shift;
  return mine == theirs || mine == OG_ANY || (theirs == OG_ANY && mine != OG_UNSUPPORTED);
}

bool og_target_merge_e_flags(uint32_t *flags, uint32_t other, uint8_t os_abi, uint8_t abi_version,
                             const char **differs) {
  enum { GENERIC_VERSION = 0xffu << EF_GENERIC_VERSION_SHIFT_V6 };
  bool settings = os_abi == 64 && abi_version >= 2; /* from V4 on a setting can be "any" */
  if ((*flags ^ other) & EF_MACH)
    return *differs = "processor", false;
  if (!settings)
    return *differs = "xnack or sramecc", *flags == other;
  if ((*flags ^ other) & GENERIC_VERSION)
    return *differs = "generic version", false;
  if (!merge_setting(flags, other, EF_XNACK_SHIFT_V4))
    return *differs = "xnack", false;
  return *differs = "sramecc", merge_setting(flags, other, EF_SRAMECC_SHIFT_V4);
}
